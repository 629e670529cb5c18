"""Amounts that are larger than usual columns hold come out as they do one by one."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pytest

from ruleengine.batch.amounts import Amounts, AmountsError
from ruleengine.batch.score import ColumnScorer
from ruleengine.batch.work import FEW, Chunk, Worker
from ruleengine.hands.every import EveryHand
from ruleengine.hands.winning import BestScorer
from ruleengine.language.columns import ColumnProgram, operations_below
from ruleengine.language.ranges import ranges_of, reach_of
from ruleengine.loading import load_ruleset
from ruleengine.rules import Rules
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.read import read_ruleset_text
from tests.batch.records import line_differences, random_records
from tests.columns import column_differences
from tests.random_hands import random_win

if TYPE_CHECKING:
    from ruleengine.language.operations import Op

EDGE = 2**31 - 1


def ruleset(patterns: str, pays: str = "points", total: str = "{}", more: str = "") -> Rules:
    """A small ruleset; `patterns` are lines of YAML."""
    lines = [
        "format: 1",
        "id: large",
        "name: Large",
        'version: "1"',
        'tiles: {wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}}',
        "shapes: {basic: {sets: 4, pairs: 1}}",
        f"total: {total}",
        f"settlement: {{win: [{{pays: '{pays}'}}]}}",
        *more.splitlines(),
        "patterns:",
        *(f"  {line}" for line in patterns.strip().splitlines()),
    ]
    found = read_ruleset_text("\n".join(lines))
    assert found.data is not None
    return Rules(found.data)


def always(points: str, id: str = "great") -> str:
    return f"{id}: {{points: '{points}', when: 'count sets = 4', code: '{id}'}}"


# What makes 2,147,483,647 and one more, in every place where numbers are made.
LARGE = {
    "a sum of patterns": ruleset(f"{always('1000000000', 'a')}\n{always('1000000000', 'b')}\n"
                                 f"{always('147483648', 'c')}"),
    "just within": ruleset(f"{always('1000000000', 'a')}\n{always('1000000000', 'b')}\n"
                           f"{always('147483647', 'c')}", pays="1"),
    "a product": ruleset(always("1000000000 * count sequences * 9")),
    "a product that is not large in the end": ruleset(
        always("min(1000000000 * count sequences, 7)")
    ),
    "a choice": ruleset(always("(if seat is E then 1000000000 else 900000000) * 5")),
    "a question": ruleset(
        "a: {points: 5, when: 'count sequences * 1000000000 >= 3 * 1000000000', code: a}"
    ),
    "rounding up": ruleset(
        always("round_up(1000000000 * 2 + 147483000 + count triplets, 1000)")
    ),
    "below zero": ruleset(always("5 - 1000000000 * count sequences")),
    "how often": ruleset(
        "a: {points: 3, times: count sequences * 1000000000, when: count sets = 4, code: a}"
    ),
    "a payment": ruleset(always("1000000000"), pays="points * 7"),
    "a payment by a choice": ruleset(
        always("5"), pays="(if payer is dealer then 1000000000 else 999999999) * 4"
    ),
    "two units": ruleset(
        "a: {han: count sequences, fu: 1000000000, when: count sets = 4, code: a}",
        total="{value: 'han * fu'}",
        more="units: [han, fu]",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_large_amounts_are_those_of_one_hand(name: str) -> None:
    rules = LARGE[name]
    rng = random.Random(name)
    assert column_differences(rules, [random_win(rules, rng) for _ in range(120)]) == []
    assert line_differences(rules, random_records(rules, 250, 5, odd=0.1)) == []


def test_usual_amounts_have_narrow_columns() -> None:
    for id_ in ruleset_ids():
        amounts = Amounts(load_ruleset(id_).program)
        assert (amounts.number, amounts.exact) == (np.int32, True)
    assert Amounts(LARGE["just within"].program).number is np.int32
    wide = Amounts(LARGE["a sum of patterns"].program)
    assert (wide.number, wide.points) == (np.int64, (0, EDGE + 1))


TOO_LARGE = {
    "a total": ruleset(always("1000000000 * 1000000000 * count sets * 10")),
    "a payment": ruleset(always("1000000000"), pays="points * 1000000000 * 4"),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_no_column_holds_is_told_and_never_wrong(name: str) -> None:
    rules = TOO_LARGE[name]
    hand = "123m456m789m123p5s+5s"
    alone = rules.score(hand)
    table = rules.score_batch(pa.table({"hand": [hand, "123m"]}))
    errors = table.column("error").to_pylist()
    assert [error["code"] for error in errors] == ["H409", "H204"]
    assert table.column("points").to_pylist() == [None, None]
    # Lines have room for every number.
    lines = [(at, json.dumps({"hand": hand}).encode()) for at in range(FEW)]
    for some in (lines[:2], lines):
        found = Worker(rules, "en", "lines")(Chunk(some, 1)).content.splitlines()
        assert {json.loads(line)["points"] for line in found} == {alone.points}
        assert json.loads(found[0])["payments"] == alone.payments
    every = EveryHand(rules.shapes, rules.data.wall.copies)
    with pytest.raises(AmountsError, match="can be larger than 9,223,372,036,854,775,807"):
        BestScorer(rules).score(every.at(np.arange(3)))


def test_an_option_of_a_record_may_make_it_large() -> None:
    rules = ruleset(
        always("stake * 1000000000 * 1000000000 * 10"),
        more="options: {stake: {type: int, default: 0, min: 0, max: 9, name: Stake}}",
    )
    hand = "123m456m789m123p5s+5s"
    options = pa.array([{"stake": 0}, {"stake": 1}])
    table = rules.score_batch(pa.table({"hand": [hand] * 2, "options": options}))
    assert table.column("points").to_pylist() == [0, None]
    assert table.column("error")[1].as_py()["code"] == "H409"


# ---- bounds ------------------------------------------------------------------------


def numbers_of(rules: Rules) -> list[Op]:
    return [award for low in rules.program.lowered for award in low.awards]


def test_bounds_hold_what_comes_up() -> None:
    # 1,000,000,000 times up to 64 + 15 sequences: the bound is safe, not tight.
    rules = ruleset(always("5 - 1000000000 * count sequences"))
    ranges = ranges_of(operations_below(numbers_of(rules)))
    low, high = ranges[numbers_of(rules)[0]]
    assert (low <= 5 - 4_000_000_000, high) == (True, 5)
    assert reach_of(ranges) >= 4_000_000_000


def test_a_question_with_numbers_beyond_all_columns_is_exact() -> None:
    text = "a: {points: 5, when: 'count sets * 1000000000 * 1000000000 * 9 > 1000000000', code: a}"
    rules = ruleset(text)
    program = ColumnProgram([low.when for low in rules.program.lowered])
    assert program.number is np.object_
    assert ColumnScorer(rules).amounts.exact is False
    hands: Any = pa.table({"hand": ["123m456m789m123p5s+5s"]})
    assert rules.score_batch(hands).column("points").to_pylist() == [5]
