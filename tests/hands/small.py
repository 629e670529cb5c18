"""A small ruleset that has all kinds of shapes, its hands found by brute force, and counting
that shares no code with the engine."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import ruleengine
from ruleengine.tiles import FIRST_HONOR

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from ruleengine.rules import Rules

TEXT = """
format: 1
id: small
name: Small
version: "1"
tiles:
  wall: {"123456m": 4, "7m": 3, "12z": 3, "3z": 1}
options:
  minimum: {type: int, default: 2}
shapes:
  basic: {sets: 2, pairs: 1}
  four_pairs: {pairs: 4}
  ends: {tiles: 1267m123z, doubled: 1}
patterns:
  PATTERNS
total: {empty: 1, minimum: minimum, cap: 40, limit_from: 30}
settlement:
  win: [{pays: points}]
"""
"""Hands of eight tiles; the ends are seven tiles with one of them doubled."""

PATTERNS = """
  two_triplets: {name: Triplets, series: s, points: 6, when: count triplets = 2}
  one_triplet: {name: One triplet, series: s, points: 2, when: count triplets >= 1}
  honors: {name: Honors, times: count triplets of honor, points: 4}
  twins: {name: Twins, points: 3, when: "has sequence A, sequence A"}
  all_pairs: {name: Pairs, points: 5, supersedes: [no_honor], when: shape is four_pairs}
  no_honor: {name: No honor, points: 1, when: no tile is honor}
  ends: {name: Ends, points: 30, when: shape is ends}
"""
"""Patterns that do not ask for the winning tile."""

WAITS = (
    PATTERNS
    + """
  edge: {name: Edge, series: w, points: 3, when: wait is edge}
  closed: {name: Closed, series: w, points: 2, when: wait is closed}
  waiting: {name: Gate, points: 7, when: hand before win is 1112223m}
  outer: {name: Outer, points: 1, when: winning_tile is terminal | honor}
"""
)
"""Patterns that do."""

COUNTED = (
    PATTERNS
    + """
  gate: {name: Gate, points: 7, when: hand before win is 1112223m}
  only: {name: Only, series: n, points: 4, when: count waits = 1}
  both: {name: Both, series: n, points: 2, when: count waits = 2}
"""
)
"""Patterns that ask for the number of waits, and for the hand before the win."""

BEFORE = (
    PATTERNS
    + """
  gate: {name: Gate, points: 7, when: hand before win is 1112223m}
  start: {name: Start, points: 2, when: hand before win includes 1122m}
"""
)
"""Patterns that ask for the hand before the win only."""


def load_small(folder: Path, patterns: str = PATTERNS) -> Rules:
    """The small ruleset with some patterns."""
    path = folder / "small.yaml"
    path.write_text(TEXT.replace("  PATTERNS\n", patterns.lstrip("\n")), encoding="utf-8")
    return ruleengine.load(str(path))


Tiles = tuple[int, ...]


def brute_force(rules: Rules) -> set[Tiles]:
    """All winning hands of the small ruleset, as sorted tiles, from all choices of eight tiles."""
    wall = rules.data.wall.copies
    size = rules.data.hand_size
    found = set()
    for tiles in itertools.combinations_with_replacement(sorted(wall), size):
        counts = Counter(tiles)
        if all(counts[tile] <= wall[tile] for tile in counts) and _wins(rules, counts):
            found.add(tiles)
    return found


def _wins(rules: Rules, counts: Counter[int]) -> bool:
    for shape in rules.shapes:
        for listed in shape.listed or ((),):
            rest = Counter(counts)
            rest.subtract(dict(listed))
            if min(rest.values()) >= 0 and splits(rest, shape.sets, shape.pairs):
                return True
    return False


def splits(counts: Counter[int], sets: int, pairs: int) -> bool:
    """Whether tiles make so many sets and pairs and nothing else."""
    tile = min((tile for tile, copies in counts.items() if copies), default=None)
    if tile is None:
        return sets == pairs == 0
    groups: list[Tiles] = [(tile,) * 3] if sets else []
    if sets and tile < FIRST_HONOR and tile % 9 <= 6:
        groups.append((tile, tile + 1, tile + 2))
    if pairs:
        groups.append((tile,) * 2)
    for group in groups:
        need = Counter(group)
        if all(counts[each] >= copies for each, copies in need.items()):
            rest = counts - need
            two = len(group) == 2
            if splits(rest, sets - (not two), pairs - two):
                return True
    return False


# ---- counting by suits -----------------------------------------------------------------

Counts = tuple[int, ...]


@cache
def complete_suits(sets: int, pairs: int, honors: bool = False) -> frozenset[Counts]:
    """The different tiles of one suit (with four copies of each) that make so many sets and
    pairs, as counts."""
    places = 7 if honors else 9
    if not sets and not pairs:
        return frozenset({(0,) * places})
    before = complete_suits(sets - 1, pairs, honors) if sets else frozenset()
    more = complete_suits(sets, pairs - 1, honors) if pairs else frozenset()
    groups = [tuple(3 * (at == place) for at in range(places)) for place in range(places)]
    if not honors:
        groups += [tuple(int(0 <= at - low <= 2) for at in range(places)) for low in range(7)]
    twos = [tuple(2 * (at == place) for at in range(places)) for place in range(places)]
    added = itertools.chain(
        ((counts, group) for counts in before for group in groups),
        ((counts, group) for counts in more for group in twos),
    )
    sums = (tuple(a + b for a, b in zip(*both, strict=True)) for both in added)
    return frozenset(counts for counts in sums if max(counts) <= 4)


def hands_with(suited: Mapping[Counts, int], honors: Mapping[Counts, int], wanted: Counts) -> int:
    """How many hands three suits and honors make together, from how many of each there are by
    what they add to: polynomials multiplied."""
    found: Counter[Counts] = Counter({(0,) * len(wanted): 1})
    for factor in (suited, suited, suited, honors):
        product: Counter[Counts] = Counter()
        for (left, a), (right, b) in itertools.product(found.items(), factor.items()):
            total = tuple(x + y for x, y in zip(left, right, strict=True))
            if all(x <= most for x, most in zip(total, wanted, strict=True)):
                product[total] += a * b
        found = product
    return found[wanted]


def standard_suits(sets: int, honors: bool, *, even: bool = False) -> dict[Counts, int]:
    """How many suits make so many sets with or without a pair; `even` counts those in which
    there is an even number of each tile."""
    return {
        (number, pair): sum(
            all(n % 2 == 0 for n in counts) or not even
            for counts in complete_suits(number, pair, honors)
        )
        for number in range(sets + 1)
        for pair in range(2)
    }


def ways_of(counts: Counts, copies: int = 4) -> int:
    """In how many ways tiles can be drawn where there are so many of each."""
    return math.prod(math.comb(copies, n) for n in counts)


def pairs_in(kinds: int, pairs: int) -> int:
    """How many different hands of so many pairs there are of so many different tiles, where four
    of a tile are two pairs."""
    return sum(
        math.comb(kinds, fours) * math.comb(kinds - fours, pairs - 2 * fours)
        for fours in range(pairs // 2 + 1)
        if pairs - 2 * fours >= 0
    )
