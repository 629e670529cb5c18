"""The ways to split a suit as arrays, found by a number that counts the suit in base five."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from ruleengine.arrange import Way, suit_table
from ruleengine.language.columns import base_five

POWERS = tuple(5**place for place in range(9))
SUIT_KEYS = 5**9
HONOR_KEYS = 5**7

MOST_WAYS = 64
"""More than any suit has ways to be split."""

LANE_OF = {"n1": 0, "s1": 9, "t": 16, "p1": 25, "s2": 34, "s3": 41, "s4": 48, "p2": 55}
"""The lowest bit of each mask of a suit in the packed lanes of a way."""
LANE_WIDTH = {"n1": 9, "s1": 7, "t": 9, "p1": 9, "s2": 7, "s3": 7, "s4": 7, "p2": 9}


class WayTable:
    """All ways to split suits (or honors) into at most so many sets and pairs, as arrays.

    `where[key]` is the place of the first way of a suit times `MOST_WAYS`, plus the number
    of its ways; 0 where there is none. `lanes` and `meta` belong to a way: its masks, and its
    pairs plus 16 times its sequences.
    """

    def __init__(self, ways: dict[int, tuple[Way, ...]], keys: int) -> None:
        self.where = np.zeros(keys, dtype=np.int32)
        lanes: list[int] = [0]
        meta: list[int] = [0]
        for code, found in ways.items():
            assert len(found) < MOST_WAYS
            self.where[base_five(code)] = len(lanes) * MOST_WAYS + len(found)
            kinds = sum(1 << place for place in range(9) if code >> (4 * place) & 15)
            for way in found:
                lanes.append(_lanes(way, kinds))
                meta.append(way.pairs + 16 * (way.sets - way.triplets.bit_count()))
        self.lanes: NDArray[np.uint64] = np.array(lanes, dtype=np.uint64)
        self.meta: NDArray[np.uint8] = np.array(meta, dtype=np.uint8)


def _lanes(way: Way, kinds: int) -> int:
    masks = {
        "n1": kinds,
        "s1": way.s1,
        "t": way.triplets,
        "p1": way.pairs1,
        "s2": way.s2,
        "s3": way.s3,
        "s4": way.s4,
        "p2": way.pairs2,
    }
    return sum(mask << LANE_OF[name] for name, mask in masks.items())


@cache
def way_tables(sets: int, pairs: int) -> tuple[WayTable, WayTable]:
    """The tables of suits and of honors for shapes with so many sets and pairs."""
    suited, honors = suit_table(sets, pairs).whole()
    return WayTable(suited, SUIT_KEYS), WayTable(honors, HONOR_KEYS)


@cache
def packed_suits() -> NDArray[np.uint64]:
    """The packed count of a suit by its key."""
    found = np.zeros(SUIT_KEYS, dtype=np.uint64)
    keys = np.arange(SUIT_KEYS, dtype=np.uint64)
    for place, power in enumerate(POWERS):
        count = keys // np.uint64(power) % np.uint64(5)
        found |= count << np.uint64(4 * place)
    return found
