"""A change of patterns touches no hand but those that one of the patterns may be in."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from ruleengine.compare.impact import over_all_hands
from ruleengine.compare.touched import Touched, touched_by
from ruleengine.hands.every import EveryHand
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text
from tests.compare.concealed import best

TEXT = """\
format: 1
id: small
name: Small
version: "1"
tiles: {wall: {"1234m": 4, "567z": 3}}
options: {bonus: {type: int, default: 2, max: 9}}
shapes:
  basic: {sets: 2, pairs: 1}
  four: {pairs: 4}
terms: {outer: terminal | honor}
patterns:
  run: {code: "1", points: 2, when: count sequences = 1}
  both: {code: "2", points: 3, series: s, when: count triplets = 2}
  one: {code: "3", points: 3, series: s, when: count triplets >= 1}
  outside: {code: "4", points: 5, when: all tiles are outer, supersedes: [both]}
  dragons: {code: "5", points: bonus, times: count triplets of dragon}
  all_pairs: {code: "6", points: 4, when: shape is four}
  gates: {code: "7", points: 9, when: hand before win is 112233m5z}
total: {empty: 1, cap: 12, minimum: 2}
settlement: {win: [{pays: points}]}
"""
CHANGES = {
    "points": ("points: 5", "points: 6"),
    "a narrower condition": ("count sequences = 1}", "count sequences = 1 and pair is honor}"),
    "a shape": ("shape is four", "shape is basic"),
    "what a name stands for": ("outer: terminal | honor", "outer: honor"),
    "an option": ("default: 2", "default: 3"),
    "how often": ("times: count triplets of dragon", "times: count triplets"),
    "another series": (
        "series: s, when: count triplets = 2",
        "series: t, when: count triplets = 2",
    ),
    "a series less": (", supersedes: [both]", ""),
    "a pattern less": ('  run: {code: "1", points: 2, when: count sequences = 1}\n', ""),
    "a new pattern": ("total:", "  new: {points: 1, when: pair is 1m | 2m}\ntotal:"),
    "the winning tile": ("112233m5z", "112233m6z"),
    "the winning group": (
        "  all_pairs:",
        "  on_edge: {points: 1, when: wait is edge}\n  all_pairs:",
    ),
    "another name": ("both", "twin"),
}
OTHERS = {
    "the cap": ("cap: 12", "cap: 11"),
    "the minimum": ("minimum: 2", "minimum: 3"),
    "the wall": ('567z": 3', '567z": 2'),
    "the order": ('code: "1"', 'code: "9"'),
    "a shape": ("  four: {pairs: 4}\n", "  four: {pairs: 4}\n  five: {sets: 1, tiles: 14m567z}\n"),
}


def load(text: str) -> Rules:
    return Rules(read_ruleset_text(text).data)


def every_hand(rules: Rules) -> list[tuple[int, ...]]:
    wall = rules.data.wall.copies
    return [
        tiles
        for tiles in itertools.combinations_with_replacement(sorted(wall), 8)
        if all(copies <= wall[tile] for tile, copies in Counter(tiles).items())
    ]


@pytest.mark.parametrize("change", CHANGES)
def test_hands_that_are_not_touched_come_to_the_same(change: str) -> None:
    before, after = CHANGES[change]
    assert before in TEXT
    old, new = load(TEXT), load(TEXT.replace(before, after))
    ids = {"both": "twin"} if change == "another name" else {}
    differences: Counter[int] = Counter()
    changed = 0
    for tiles in every_hand(old):
        points, counted = best(old, tiles)
        one = points, frozenset((ids.get(id_, id_), count) for id_, count in counted)
        other = best(new, tiles)
        changed += one != other
        differences[other[0] - one[0]] += one[0] != other[0]
    impact, *_ = over_all_hands(old, new, ids)
    assert impact is not None
    assert impact.changed == changed
    assert impact.differences == {k: n for k, n in sorted(differences.items()) if n}
    assert (changed > 0) == (change not in ("another name",))


def test_few_hands_are_touched_by_a_change_of_few() -> None:
    old, new = load(TEXT), load(TEXT.replace("points: 9", "points: 8"))
    choice = touched_by(old, new, {})
    assert choice is not None
    every = EveryHand(old.shapes, dict(old.data.wall.copies))
    hands = every.at(np.arange(len(every)))
    # A tile more makes at most seven hands of 112233m5z, one for each kind.
    (found,) = Touched([choice]).among(hands)
    assert 0 < found.sum() <= 7


@pytest.mark.parametrize("change", OTHERS)
def test_more_than_patterns_touches_every_hand(change: str) -> None:
    before, after = OTHERS[change]
    assert before in TEXT
    assert touched_by(load(TEXT), load(TEXT.replace(before, after)), {}) is None
