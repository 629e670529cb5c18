"""Which values of options a table may no longer choose, and which are looked at first."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from ruleengine.compare.choices import choices, refused
from ruleengine.ruleset.model import Option
from tests.ruleset.small import read, ruleset


def number(
    choices: tuple[int, ...] = (), least: int | None = None, most: int | None = None
) -> Option:
    return Option("k", "int", 0, choices, least, most)


@pytest.mark.parametrize(
    ("old", "new", "gone"),
    [
        (number((0, 3)), number((0,)), [(3, 3)]),
        (number((0,)), number((0, 3)), []),
        (number((3, 0, 5, 4)), number((0,)), [(3, 5)]),
        (number(least=5, most=30), number(least=5, most=20), [(21, 30)]),
        (number(least=5, most=30), number(least=7, most=30), [(5, 6)]),
        (number(least=0, most=9), number((2, 3, 7)), [(0, 1), (4, 6), (8, 9)]),
        (number((1, 20)), number(least=0, most=9), [(20, 20)]),
        (number(), number(most=100), [(101, 1_000_000)]),
        (number(), number(), []),
        (Option("k", "bool", True), number(), []),
        (number((0, 3)), None, [(0, 0), (3, 3)]),
        (number(least=5, most=30), None, [(5, 30)]),
        (Option("k", "bool", True), None, []),
    ],
)
def test_values_that_are_refused(
    old: Option, new: Option | None, gone: list[tuple[int, int]]
) -> None:
    assert refused(old, new) == gone


def test_values_that_are_refused_one_by_one() -> None:
    chance = Random(1)

    def some() -> tuple[Option, set[int]]:
        if chance.random() < 0.5:
            choices = tuple(chance.sample(range(20), chance.randint(1, 8)))
            return number(choices), set(choices)
        least, most = sorted(chance.sample(range(20), 2))
        return number(least=least, most=most), set(range(least, most + 1))

    for _ in range(2_000):
        (old, could), (new, can) = some(), some()
        gone = refused(old, new)
        assert {n for first, last in gone for n in range(first, last + 1)} == could - can
        assert all(one[1] + 1 < two[0] for one, two in pairwise(gone))


SENTENCES = """
options:
  least: {type: int, default: 4, min: 0, max: %d}
  on: {type: bool, default: true}
patterns: {one: {points: 1, when: on and count triplets = least}}
"""


@pytest.mark.parametrize("most", [4, 1_000])
def test_the_likeliest_values_come_first(most: int) -> None:
    """What is in force, the new defaults, the old ones, then as few others as can be, the lowest
    first; also where there are too many to go through."""
    data = read(ruleset(SENTENCES % most))
    defaults = ({"least": 2, "on": True}, {"least": 4, "on": True})
    found = choices(
        data.patterns["one"].sentences, data.options, {"least": 3, "on": True}, defaults
    )
    shown = [(one["least"], one["on"]) for one in found.tried]
    assert shown[:4] == [(3, True), (2, True), (4, True), (0, True)]
    assert len(set(shown)) == len(shown)
    assert found.complete is (most == 4)


def test_a_default_that_a_table_cannot_choose_is_left_out() -> None:
    data = read(ruleset(SENTENCES % 1_000))
    defaults = ({"least": 2_000, "on": True}, {"least": 4, "on": True})
    found = choices(
        data.patterns["one"].sentences, data.options, {"least": 4, "on": True}, defaults
    )
    assert all(one["least"] <= 1_000 for one in found.tried)
