"""All different winning hands, counted without listing them and listed without a search."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ruleengine
from ruleengine.arrange import Shape
from ruleengine.batch.columns import Hands, keys_of
from ruleengine.hands.every import EveryHand, kinds_of
from ruleengine.hands.suits import counts_of, places_of
from ruleengine.hands.weights import ways_to_draw
from tests.hands.small import (
    brute_force,
    complete_suits,
    hands_with,
    load_small,
    pairs_in,
    standard_suits,
    ways_of,
)

if TYPE_CHECKING:
    from pathlib import Path

FULL = dict.fromkeys(range(34), 4)
ONE_SUIT = dict.fromkeys(range(9), 4)
BASIC = Shape("basic", 4, 1)
PAIRS = Shape("seven_pairs", 0, 7)
NINES = tuple(t for t in range(34) if t >= 27 or t % 9 in (0, 8))
ORPHANS = Shape("orphans", listed=tuple(tuple((t, 1 + (t == two)) for t in NINES) for two in NINES))


def tiles_of(hands: Hands) -> list[tuple[int, ...]]:
    """Each hand as its sorted tiles."""
    counts = np.concatenate(
        [counts_of(keys, places_of(suit)) for suit, keys in enumerate(keys_of(hands))], axis=1
    )
    return [
        tuple(tile for tile, copies in enumerate(row) for _ in range(copies))
        for row in counts.tolist()
    ]


def listed(every: EveryHand) -> list[tuple[int, ...]]:
    """All hands in their order."""
    return [hand for _, hands in every.chunks(size=1000) for hand in tiles_of(hands)]


# ---- how many there are ----------------------------------------------------------------


def test_four_sets_and_a_pair() -> None:
    counted = hands_with(standard_suits(4, False), standard_suits(4, True), (4, 1))
    assert counted == 11_498_658
    assert len(EveryHand([BASIC], FULL)) == counted


def test_zung_jung_has_seven_pairs_and_orphans_on_top() -> None:
    # Every hand once: those of either shape, less those of both. Both are hands of sets in which
    # there is an even number of each tile. No orphans are sets or pairs only.
    sets = hands_with(standard_suits(4, False), standard_suits(4, True), (4, 1))
    both = hands_with(
        standard_suits(4, False, even=True), standard_suits(4, True, even=True), (4, 1)
    )
    pairs = pairs_in(34, 7)
    assert (pairs, both) == (16_417_104, 7_938)
    expected = sets + pairs - both + 13
    assert expected == 27_907_837
    rules = ruleengine.load("zhongyong-3.3")
    assert len(EveryHand(rules.shapes, rules.data.wall.copies)) == expected
    assert len(EveryHand([BASIC, PAIRS, ORPHANS], FULL)) == expected


def test_one_suit() -> None:
    assert len(EveryHand([BASIC], ONE_SUIT)) == 13_259


def test_three_suits_without_honors() -> None:
    assert len(EveryHand([BASIC], dict.fromkeys(range(27), 4))) == 5_237_550


def test_five_sets_and_a_pair() -> None:
    counted = hands_with(standard_suits(5, False), standard_suits(5, True), (5, 1))
    assert len(EveryHand([Shape("five", 5, 1)], FULL)) == counted


def test_a_shape_that_no_wall_has_the_tiles_for() -> None:
    every = EveryHand([BASIC], {0: 2, 1: 2})
    assert len(every) == 0
    assert list(every.chunks()) == []
    with pytest.raises(IndexError):
        every.sample(1, 1)


# ---- which they are --------------------------------------------------------------------


def test_small_ruleset_has_exactly_the_hands_of_a_search(tmp_path: Path) -> None:
    rules = load_small(tmp_path)
    found = listed(EveryHand(rules.shapes, rules.data.wall.copies))
    assert len(found) == len(set(found))
    assert set(found) == brute_force(rules)


def test_listed_tiles_with_a_set_and_a_pair_beside_them() -> None:
    # 1m 4m 7m once each, and a set and a pair of any tiles of that suit.
    shape = Shape("mixed", 1, 1, (((0, 1), (3, 1), (6, 1)),))
    found = listed(EveryHand([shape], ONE_SUIT))
    expected = set()
    for counts in complete_suits(1, 1):
        whole = [n + (at in (0, 3, 6)) for at, n in enumerate(counts)]
        if max(whole) <= 4:
            expected.add(tuple(t for t, n in enumerate(whole) for _ in range(n)))
    assert set(found) == expected
    assert len(found) == len(expected)


def test_listed_tiles_in_any_order_of_the_suits() -> None:
    # 1 4 of one suit and 7 of another: six ways, and no tile of the third suit.
    ways = [
        ((9 * a, 1), (9 * a + 3, 1), (9 * b + 6, 1)) for a in range(3) for b in range(3) if a != b
    ]
    shape = Shape("knitted", listed=tuple(tuple(sorted(way)) for way in ways))
    assert set(listed(EveryHand([shape], FULL))) == {
        tuple(sorted((9 * a, 9 * a + 3, 9 * b + 6))) for a in range(3) for b in range(3) if a != b
    }


# ---- their order -----------------------------------------------------------------------


def test_a_hand_has_its_place_however_it_is_asked_for() -> None:
    every = EveryHand([BASIC], ONE_SUIT)
    whole = listed(every)
    places = np.array([13_258, 0, 7000, 7000])
    assert tiles_of(every.at(places)) == [whole[at] for at in places]
    parts = [hand for _, hands in every.chunks(77, 500, 900) for hand in tiles_of(hands)]
    assert parts == whole[500:900]
    for wrong in (-1, 13_259):
        with pytest.raises(IndexError, match="13,259 hands"):
            every.at(np.array([wrong]))


def test_the_order_is_that_of_the_documentation() -> None:
    # One suit is one class, so its hands stand in the order of their keys: lowest rank first,
    # in base five.
    keys = [keys_of(hands)[0] for _, hands in EveryHand([BASIC], ONE_SUIT).chunks()]
    assert (np.diff(np.concatenate(keys)) > 0).all()


def test_the_lowest_tile_stands_for_the_winning_one() -> None:
    hands = EveryHand([BASIC, PAIRS], FULL).at(np.arange(0, 20_000_000, 100_003))
    assert hands.won.tolist() == [tiles[0] for tiles in tiles_of(hands)]
    kinds = [sum(1 << tile for tile in set(tiles)) for tiles in tiles_of(hands)]
    assert kinds_of(hands).tolist() == kinds


# ---- weights ---------------------------------------------------------------------------


def drawn_suits(honors: bool, *, even: bool = False) -> dict[tuple[int, ...], int]:
    """In how many ways a suit of sets, with or without a pair, can be drawn; `even` takes those
    with an even number of each tile only."""
    return {
        (sets, pair): sum(
            ways_of(counts)
            for counts in complete_suits(sets, pair, honors)
            if not even or all(n % 2 == 0 for n in counts)
        )
        for sets in range(5)
        for pair in range(2)
    }


def test_ways_to_draw_all_hands_of_a_kind() -> None:
    counted = hands_with(drawn_suits(False), drawn_suits(True), (4, 1))
    assert counted == 11_353_128_141_498
    assert EveryHand([BASIC], FULL).ways == counted
    assert EveryHand([ORPHANS], FULL).ways == 13 * 4**12 * 6
    pairs = sum(
        math.comb(34, fours) * math.comb(34 - fours, 7 - 2 * fours) * 6 ** (7 - 2 * fours)
        for fours in range(4)
    )
    assert EveryHand([PAIRS], FULL).ways == pairs == 1_569_298_171_584
    both = hands_with(drawn_suits(False, even=True), drawn_suits(True, even=True), (4, 1))
    assert both == 1_318_439_178
    whole = counted + pairs - both + 13 * 4**12 * 6
    assert EveryHand([BASIC, PAIRS, ORPHANS], FULL).ways == whole == 12_922_416_496_752


def test_ways_to_draw_each_hand(tmp_path: Path) -> None:
    rules = load_small(tmp_path)
    wall = rules.data.wall.copies
    every = EveryHand(rules.shapes, wall)
    hands = every.at(np.arange(len(every)))
    expected = [
        math.prod(math.comb(wall[tile], n) for tile, n in Counter(tiles).items())
        for tiles in tiles_of(hands)
    ]
    assert ways_to_draw(hands, wall).tolist() == expected
    assert every.ways == sum(expected)


# ---- by chance -------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_a_seed_always_gives_the_same_hands(weighted: bool) -> None:
    every = EveryHand([BASIC, PAIRS], FULL)
    first = tiles_of(every.sample(50, 7, weighted=weighted))
    assert tiles_of(every.sample(50, 7, weighted=weighted)) == first
    assert tiles_of(every.sample(20, 7, weighted=weighted)) == first[:20]
    assert tiles_of(every.sample(50, 8, weighted=weighted)) != first


@pytest.mark.parametrize("weighted", [False, True])
def test_each_hand_comes_as_often_as_it_should(tmp_path: Path, weighted: bool) -> None:
    # Chi-square over all hands of a small ruleset: its mean is the number of hands less one, its
    # deviation the square root of twice that. Five deviations do not happen by chance.
    every = EveryHand([Shape("one", 1, 1)], {**dict.fromkeys(range(9), 4), 27: 2, 28: 3})
    number = 50_000
    hands = every.at(np.arange(len(every)))
    ways = ways_to_draw(hands, every.wall) if weighted else np.ones(len(every))
    drawn = Counter(tiles_of(every.sample(number, 3, weighted=weighted)))
    chi = sum(
        (drawn[tiles] - expected) ** 2 / expected
        for tiles, expected in zip(tiles_of(hands), number * ways / ways.sum(), strict=True)
    )
    freedom = len(every) - 1
    assert abs(chi - freedom) < 5 * math.sqrt(2 * freedom)
    assert set(drawn) == set(tiles_of(hands))
