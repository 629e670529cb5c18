"""Which tiles of one suit make so many sets and pairs: small tables that everything is made of.

A suit is a key: how many there are of each rank, in base five, lowest rank first, as in
`ruleengine.batch.tables`.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ruleengine.batch.tables import POWERS
from ruleengine.tiles import FIRST_HONOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

MOST_COPIES = 4
SUITS = 4
"""Characters, dots, bamboo, and the honors."""


def places_of(suit: int) -> int:
    """How many different tiles a suit has."""
    return 7 if suit == SUITS - 1 else 9


def first_of(suit: int) -> int:
    """The lowest tile of a suit."""
    return min(9 * suit, FIRST_HONOR)


def counts_of(keys: NDArray[np.int64], places: int) -> NDArray[np.int64]:
    """How many there are of each tile: a row a key, a column a tile."""
    return keys[:, None] // np.array(POWERS[:places], dtype=np.int64) % 5


@cache
def blocks(sets: int, pairs: int, honors: bool) -> Mapping[tuple[int, int], NDArray[np.int64]]:
    """The keys of the tiles that make exactly so many sets and pairs, each once, in order.

    By (sets, pairs), up to the numbers given; honors make no sequences.
    """
    places = 7 if honors else 9
    pair_keys = [2 * power for power in POWERS[:places]]
    set_keys = [3 * power for power in POWERS[:places]]
    if not honors:
        set_keys += [sum(POWERS[at : at + 3]) for at in range(places - 2)]
    found = {(0, 0): np.zeros(1, dtype=np.int64)}
    for pair in range(1, pairs + 1):
        found[0, pair] = _with_one_more(found[0, pair - 1], pair_keys, places)
    for number in range(1, sets + 1):
        for pair in range(pairs + 1):
            found[number, pair] = _with_one_more(found[number - 1, pair], set_keys, places)
    return found


def _with_one_more(
    keys: NDArray[np.int64], groups: Iterable[int], places: int
) -> NDArray[np.int64]:
    """Keys with one group added, where no tile is there more than four times."""
    found = [np.zeros(0, dtype=np.int64)]
    counts = counts_of(keys, places)
    for group in groups:
        added = counts_of(np.array([group]), places)
        fits = (counts + added <= MOST_COPIES).all(axis=1)
        found.append(keys[fits] + group)
    return np.unique(np.concatenate(found))


def in_wall(keys: NDArray[np.int64], copies: tuple[int, ...]) -> NDArray[np.bool_]:
    """Which keys a wall has the tiles for; `copies` says how many there are of each tile."""
    fits = (counts_of(keys, len(copies)) <= np.array(copies, dtype=np.int64)).all(axis=1)
    return np.asarray(fits, dtype=np.bool_)


def copies_of(wall: Mapping[int, int], suit: int) -> tuple[int, ...]:
    """How many of each tile of a suit a wall has."""
    return tuple(wall.get(first_of(suit) + place, 0) for place in range(places_of(suit)))


@cache
def ways_table(copies: tuple[int, ...]) -> NDArray[np.int64]:
    """By key, in how many ways its tiles can be taken out of a wall."""
    found = np.ones(1, dtype=np.int64)
    for there in reversed(copies):
        ways = np.array([math.comb(there, taken) for taken in range(5)], dtype=np.int64)
        found = np.multiply.outer(found, ways).ravel()
    return found


@cache
def kinds_table(places: int) -> NDArray[np.uint64]:
    """By key, its different tiles as a mask."""
    found = np.zeros(1, dtype=np.uint64)
    for place in reversed(range(places)):
        bits = np.array([0, *[1 << place] * 4], dtype=np.uint64)
        found = np.bitwise_or.outer(found, bits).ravel()
    return found
