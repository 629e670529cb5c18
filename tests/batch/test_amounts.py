"""Amounts that are larger than usual columns hold come out as they do one by one."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from ruleengine.batch.amounts import Amounts
from ruleengine.language.bounds import MAX_AMOUNT
from ruleengine.language.columns import number_type, operations_below
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

MOST = MAX_AMOUNT
"""What a number of a ruleset may come to."""


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


# What comes as near as may be to the most that a ruleset may say, in every place where numbers are
# made. A count is taken to be 168 at most.
LARGE = {
    "a sum of patterns": ruleset(f"{always('400000000', 'a')}\n{always('400000000', 'b')}\n"
                                 f"{always('200000000', 'c')}"),
    "a product": ruleset(always("5000000 * count sequences")),
    "a product that is not large in the end": ruleset(
        always("min(5000000 * count sequences, 7)")
    ),
    "a sum of parts": ruleset(
        always("min(900000000 + 99000000 - 800000000 + 700000000 - count sequences, 999999999)")
    ),
    "a choice": ruleset(always("(if seat is E then 200000000 else 180000000) * 5")),
    "a question": ruleset(
        "a: {points: 5, when: 'count sequences * 5000000 >= 3 * 5000000', code: a}"
    ),
    "rounding up": ruleset(always("round_up(900000000 + 99999000 + count triplets, 1000)")),
    "below zero": ruleset(always("5 - 5000000 * count sequences"), pays="max(points, 1)"),
    "how often": ruleset(
        "a: {points: 3, times: count sequences * 1900000, when: count sets = 4, code: a}"
    ),
    "a payment": ruleset(always("100000000"), pays="points * 9"),
    "a payment by a choice": ruleset(
        always("5"), pays="(if payer is dealer then 250000000 else 249999999) * 4"
    ),
    "two units": ruleset(
        "a: {han: count sequences, fu: 5000000, when: count sets = 4, code: a}",
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
        assert Amounts(load_ruleset(id_).program).number is np.int32
    large = Amounts(LARGE["a sum of patterns"].program)
    assert (large.number, large.points) == (np.int32, (0, MOST))
    # 1,000,000,000 and -1,000,000,000 are 2,000,000,000 apart, with 1,000,000,000 more too far.
    assert number_type(2 * MOST) is np.int32
    assert number_type(3 * MOST) is np.int64


def test_a_winner_is_paid_three_times_what_the_others_pay() -> None:
    table = LARGE["a payment"].score_batch(pa.table({"hand": ["123m456m789m123p5s+5s"]}))
    assert table.column("points").to_pylist() == [100_000_000]
    assert table.column("payments").to_pylist() == [
        {"E": 2_700_000_000, "S": -900_000_000, "W": -900_000_000, "N": -900_000_000}
    ]


def test_a_cap_bounds_totals_but_for_limit_patterns() -> None:
    patterns = "a: {points: 7, when: count sets = 4}\nb: {points: 90, when: count sets = 4}"
    assert Amounts(ruleset(patterns).program).points == (0, 97)
    assert Amounts(ruleset(patterns, total="{cap: 20}").program).points == (0, 20)
    limited = ruleset(patterns, total="{cap: 20, limit_from: 80}")
    assert Amounts(limited.program).points == (0, 90)


# ---- bounds ------------------------------------------------------------------------


def numbers_of(rules: Rules) -> list[Op]:
    return [award for low in rules.program.lowered for award in low.awards]


def test_bounds_hold_what_comes_up() -> None:
    # 5,000,000 times up to 64 + 15 sequences: the bound is safe, not tight.
    rules = ruleset(always("5 - 5000000 * count sequences"), pays="max(points, 1)")
    ranges = ranges_of(operations_below(numbers_of(rules)))
    low, high = ranges[numbers_of(rules)[0]]
    assert (low <= 5 - 20_000_000, high) == (True, 5)
    assert reach_of(ranges) >= 20_000_000
