"""What a whole ruleset can come to is bounded: its numbers, its amounts, its templates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleengine.language.bounds import COUNTED, RANKS, Bounds, Outgrown, Range
from ruleengine.rules import Rules
from ruleengine.ruleset.growth import MAX_TEMPLATES
from ruleengine.ruleset.names import templates
from tests.ruleset.small import SETTLEMENT, load, read, ruleset, words

if TYPE_CHECKING:
    from collections.abc import Mapping

HAND = "123m456m789m1z222z+1z"
OPTIONS = "options: {a: {type: int, default: 3, max: 9}, b: {type: int, default: 5}}\n"


def numbers() -> st.SearchStrategy[str]:
    leaves = st.one_of(st.integers(0, 50).map(str), st.sampled_from(["a", "b"]))

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        two = st.tuples(inner, inner)
        return st.one_of(
            st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda x: f"({' '.join(x)})"),
            two.map(lambda x: f"min({x[0]}, {x[1]})"),
            two.map(lambda x: f"max({x[0]}, {x[1]})"),
            st.tuples(inner, st.integers(1, 9)).map(lambda x: f"round_up({x[0]}, {x[1]})"),
            st.tuples(inner, st.integers(1, 9)).map(lambda x: f"round_down({x[0]}, {x[1]})"),
            st.tuples(inner, inner, inner).map(
                lambda x: f"(if {x[0]} > {x[1]} then {x[1]} else {x[2]})"
            ),
        )

    return st.recursive(leaves, larger, max_leaves=6)


def range_of(text: str, options: Mapping[str, Range]) -> tuple[Range, list[Outgrown]]:
    data = read(ruleset(f"{OPTIONS}patterns: {{p: {{points: '{text}', when: dealer}}}}\n"))
    outgrown: list[Outgrown] = []
    meaning = data.patterns["p"].awards["points"].meaning
    return Bounds(dict(options)).of(meaning, outgrown), outgrown


@settings(deadline=None, max_examples=60)
@given(numbers(), st.integers(0, 9), st.integers(0, 100))
def test_a_number_never_leaves_its_range(text: str, a: int, b: int) -> None:
    body = f"patterns: {{p: {{points: '{text}', when: dealer}}}}\n"
    found = words(ruleset(OPTIONS + body))
    if found:
        assert {line[:4] for line in found} == {"E212"}
        return
    where, outgrown = range_of(text, {"a": Range(0, 9), "b": Range(0, 100)})
    assert not outgrown
    rules = Rules(read(ruleset(OPTIONS + body)), {"a": a, "b": b})
    (counted,) = rules.score(HAND).patterns
    assert where.least <= counted.points <= where.most


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", Range(7, 7)),
        ("-7", Range(-7, -7)),
        ("a - b", Range(-100, 9)),
        ("3 * a - 2 * min(a, b)", Range(-18, 27)),
        ("(a - 4) * (b - 10)", Range(-360, 450)),
        ("max(a, 20)", Range(20, 20)),
        ("round_up(a, 10)", Range(0, 10)),
        ("round_down(a - 1, 10)", Range(-10, 0)),
        ("if dealer then a else 50", Range(0, 50)),
        ("count kongs", COUNTED),
        ("sum ranks", RANKS),
    ],
)
def test_the_range_of_a_number(text: str, expected: Range) -> None:
    assert range_of(text, {"a": Range(0, 9), "b": Range(0, 100)}) == (expected, [])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "patterns: {p: {points: 40000 * 40000, when: dealer}}\n",
            ["E212 this may come to 1,600,000,000; 1,000,000,000 at most"],
        ),
        (
            "patterns: {p: {points: 1, when: 40000 * 40000 * count kongs > -2 * 999999999}}\n",
            [
                "E212 this may come to 1,600,000,000; 1,000,000,000 at most",
                "E212 this may come to -1,999,999,998; -1,000,000,000 at least",
            ],
        ),
        (
            "patterns:\n  p: {points: 600000000, when: dealer}\n"
            "  q: {points: 600000000, when: dealer}\n",
            ["E212 with 'p' the patterns may come to 1,200,000,000; 1,000,000,000 at most"],
        ),
        (
            "patterns: {p: {points: 10000000, times: count tiles of 1m}}\n",
            ["E212 'p' may add 1,680,000,000; 1,000,000,000 at most"],
        ),
        (
            "options: {base: {type: int, default: 8}}\n"
            "patterns: {p: {points: base * base, when: dealer}}\n",
            [
                "E212 this may come to 1,000,000,000,000; 1,000,000,000 at most "
                "(give option 'base' a 'max')"
            ],
        ),
        (
            "options: {base: {type: int, default: 8, max: 1000}}\n"
            "patterns: {p: {points: base * base, when: dealer}}\n",
            [],
        ),
        (
            "terms: {huge: 40000 * 40000 * count kongs}\n"
            "patterns:\n  p: {points: huge, when: huge > 3}\n  q: {points: 1, when: p}\n",
            ["E212 this may come to 1,600,000,000; 1,000,000,000 at most"],
        ),
        (
            "units: [han, fu]\ntotal: {value: han * fu * 30000}\n"
            "patterns: {p: {han: 200, fu: 200, when: dealer}}\n",
            ["E212 this may come to 1,200,000,000; 1,000,000,000 at most"],
        ),
        (
            "events: {late: {needs: 40000 * 40000 > count kongs}}\npatterns: {}\n",
            ["E212 this may come to 1,600,000,000; 1,000,000,000 at most"],
        ),
        (
            "options: {base: {type: int, default: 8}}\npatterns: {}\n"
            "total: {cap: 300 - base, empty: 0 - 1, minimum: -1, limit_from: 'max(0, 3 - base)'}\n",
            [
                "E213 'cap' may come to -999,700; it cannot be less than 0 "
                "(write: max(0, 300 - base))",
                "E213 'empty' may come to -1; it cannot be less than 0",
                "E213 'minimum' may come to -1; it cannot be less than 0",
            ],
        ),
    ],
)
def test_what_a_ruleset_may_not_come_to(body: str, expected: list[str]) -> None:
    assert words(ruleset(body)) == expected


@pytest.mark.parametrize(
    ("settlement", "expected"),
    [
        ("{win: [{pays: 400000000 * points}]}", "this may come to 2,000,000,000"),
        ("{win: [{pays: -points}]}", "a payment is what a seat pays: this is never more than 0"),
        ("{win: [{pays: 1}], exhausted: [{pays: 0 - 5}]}", "this is never more than 0"),
        (
            "{win: [{pays: 1}], stakes: {event: ready, amount: 0 - 5}}",
            "the amount of a stake may come to -5; it cannot be less than 0",
        ),
        ("{win: [{pays: '3 * points - 2 * min(points, 25)'}]}", ""),
        ("{win: [{when: dealer, pays: 0}, {pays: points - 3}]}", ""),
    ],
)
def test_payments_that_cannot_be(settlement: str, expected: str) -> None:
    body = "patterns: {p: {points: 5, when: dealer}}\nevents: {ready: {needs: dealer}}\n"
    found = words(ruleset(body, settlement=f"settlement: {settlement}\n"))
    assert len(found) == bool(expected)
    assert all(expected in line for line in found)


def test_the_cap_bounds_what_is_paid() -> None:
    body = "patterns: {p: {points: 900000000, when: dealer}}\n"
    pays = SETTLEMENT.replace("points", "3 * points")
    assert words(ruleset(body, settlement=pays)) != []
    assert words(ruleset(f"{body}total: {{cap: 320}}\n", settlement=pays)) == []


def test_the_largest_numbers_are_the_same_in_a_batch() -> None:
    rules = load(
        ruleset(
            "patterns:\n  p: {points: 600000000, when: dealer}\n"
            "  q: {points: 399999000, when: 'round_up(count pairs, 999999999) > 999999998'}\n"
            "  r: {points: 1, times: count triplets}\n"
        )
    )
    alone = rules.score(HAND)
    assert alone.points == 999_999_001
    table = pa.table({"hand": [HAND]})
    (row,) = rules.score_batch(table).to_pylist()
    assert row["points"] == alone.points
    paid = {"E": 3 * 999_999_001, **dict.fromkeys("SWN", -999_999_001)}
    assert row["payments"] == alone.payments == paid


def test_templates_are_bounded_together() -> None:
    one = "has triplet A, triplet B, pair C"
    each = 34**3
    fits = MAX_TEMPLATES // each

    def with_templates(count: int) -> str:
        lines = [f"  p{n}: {{points: 1, when: '{one} and dealer'}}\n" for n in range(count)]
        return ruleset("patterns:\n" + "".join(lines))

    assert words(with_templates(fits)) == []
    assert words(with_templates(fits + 5)) == [
        f"E214 all templates up to this one stand for {(fits + 1) * each:,} hands; 100,000 at most"
    ]
    used = [f"  p{n}: {{points: 1, when: 't and count kongs = {n}'}}\n" for n in range(5)]
    data = read(ruleset(f"terms: {{t: '{one}'}}\npatterns:\n" + "".join(used)))
    assert all(p.when and not list(templates(p.when.meaning)) for p in data.patterns.values())
