"""How many different tiles complete a hand, for columns of hands.

Which tiles of a suit complete it is a mask of nine places, found by the suit's key in a table for
each number of pairs that the suit then has; the other suits say which numbers are wanted.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ruleengine.batch.columns import Hands, keys_of
from ruleengine.batch.rows import cut_listed
from ruleengine.batch.tables import HONOR_KEYS, POWERS, SUIT_KEYS, ids_of
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ruleengine.batch.rows import ColumnRowFinder
    from ruleengine.batch.tables import Ids, Plan

Keys = tuple["NDArray[np.int64]", ...]

SUITS = 4
MOST_LISTED = 100_000
"""So many hands that lack one tile of a list are kept in a table."""


def count_waits(
    finder: ColumnRowFinder, hands: Hands, wall: Mapping[int, int]
) -> NDArray[np.uint8]:
    """How many different tiles complete each hand, its winning tile set aside.

    A tile of which the hand holds as many, melds included, as the wall has is none.
    """
    keys = keys_of(hands)
    suit_of_won = np.minimum(hands.won // 9, 3)
    unit = np.array(POWERS, dtype=np.int64).take(hands.won - 9 * suit_of_won)
    before = tuple(key - unit * (suit_of_won == suit) for suit, key in enumerate(keys))
    held = before
    if hands.melds is not None:
        laid = hands.facts["laid_keys"]
        held = tuple(key + laid[:, suit] for suit, key in enumerate(before))
    complete = np.zeros(len(hands), dtype=np.uint64)
    for place, shape in enumerate(finder.shapes):
        fits = None if hands.melds is None else hands.melds <= shape.sets
        if not shape.listed:
            assert finder.ids is not None
            found = _complete_grouped(finder.ids, (shape.sets, shape.pairs), before)
        elif place in finder.alone and (table := _lacking_one(shape.listed)) is not None:
            found = table.find(before)
        else:
            found = _complete_listed(finder, place, before, held)
        if fits is not None:
            found = np.where(fits, found, np.uint64(0))
        complete |= found
    left = np.zeros(len(hands), dtype=np.uint64)
    for suit, key in enumerate(held):
        copies = tuple(wall.get(9 * suit + at, 0) for at in range(_places(suit)))
        left |= _left(copies).take(key).astype(np.uint64) << np.uint64(9 * suit)
    waits: NDArray[np.uint8] = np.bitwise_count(complete & left)
    return waits


def _places(suit: int) -> int:
    return 9 if suit < SUITS - 1 else FIRST_FLOWER - FIRST_HONOR


@cache
def _left(copies: tuple[int, ...]) -> NDArray[np.uint16]:
    """The places of a suit of which there are more than its key holds, as a mask."""
    keys = np.arange(5 ** len(copies))
    found = np.zeros(len(keys), dtype=np.uint16)
    for place, most in enumerate(copies):
        found |= ((keys // POWERS[place] % 5 < most) << place).astype(np.uint16)
    return found


# ---- sets and pairs ----------------------------------------------------------------


def _complete_grouped(ids: Ids, plan: Plan, before: Keys) -> NDArray[np.uint64]:
    """The tiles that complete a shape of sets and pairs, suit by suit: the pairs that the other
    suits can be split with, and those that the suit can with one more tile, must add up."""
    can, completing = _tables_of(ids.plans, plan)
    tables = [(ids.suited, can[0])] * 3 + [(ids.honors, can[1])]
    now = [pairs.take(table.take(key)) for (table, pairs), key in zip(tables, before, strict=True)]
    together = _together()
    _, pairs_wanted = plan
    found = np.zeros(len(before[0]), dtype=np.uint64)
    for suit in range(SUITS):
        others = [now[other] for other in range(SUITS) if other != suit]
        rest = together[together[others[0], others[1]], others[2]]
        wanted = _mirrored(pairs_wanted).take(rest)
        some = np.flatnonzero(wanted)
        if not len(some):
            continue
        wanted, key = wanted.take(some), before[suit].take(some)
        places = np.zeros(len(some), dtype=np.uint16)
        for number, table in enumerate(completing[suit == SUITS - 1]):
            asked = (wanted >> np.uint16(number) & np.uint16(1)) != 0
            places |= np.where(asked, table.take(key), np.uint16(0))
        found[some] |= places.astype(np.uint64) << np.uint64(9 * suit)
    return found


@cache
def _tables_of(
    plans: tuple[Plan, ...], plan: Plan
) -> tuple[tuple[NDArray[np.uint16], ...], tuple[list[NDArray[np.uint16]], ...]]:
    """For suits and for honors: with how many pairs each id can be split, as bits; and by the key,
    for each number of pairs, the places where one more tile gives such a suit."""
    ids = ids_of(plans)
    can = _pairs_of_ids(ids, plan)
    completing = []
    for table, pairs, keys in ((ids.suited, can[0], SUIT_KEYS), (ids.honors, can[1], HONOR_KEYS)):
        by_key = pairs.take(table)
        whole = np.flatnonzero(by_key)
        bits = by_key.take(whole)
        found = [np.zeros(keys, dtype=np.uint16) for _ in range(plan[1] + 1)]
        places = 9 if keys == SUIT_KEYS else FIRST_FLOWER - FIRST_HONOR
        for place in range(places):
            holds = whole // POWERS[place] % 5 > 0
            for number, masks in enumerate(found):
                of_number = whole[holds & ((bits >> number & 1) != 0)]
                masks[of_number - POWERS[place]] |= np.uint16(1 << place)
        completing.append(found)
    return can, (completing[0], completing[1])


def _pairs_of_ids(ids: Ids, plan: Plan) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """With how many pairs each suit can be split, as bits, by its id."""
    found = []
    for ways in ids.ways[plan]:
        pairs = np.zeros(len(ways.count), dtype=np.uint16)
        suits = np.repeat(np.arange(len(ways.count)), ways.count)
        firsts = np.repeat(ways.first, ways.count)
        starts = np.repeat(np.cumsum(ways.count, dtype=np.int64) - ways.count, ways.count)
        places = firsts + (np.arange(len(suits)) - starts)
        bits = np.uint16(1) << (ways.meta.take(places) & np.uint8(15)).astype(np.uint16)
        np.bitwise_or.at(pairs, suits, bits)
        found.append(pairs)
    return found[0], found[1]


MOST_BITS = 10
"""No shape has more pairs than these bits can tell."""


@cache
def _together() -> NDArray[np.uint16]:
    """The numbers of pairs that two suits can have together, as bits, by those of each."""
    numbers = np.arange(1 << MOST_BITS, dtype=np.uint32)
    found = np.zeros((len(numbers), len(numbers)), dtype=np.uint32)
    for bit in range(MOST_BITS):
        found |= np.where(numbers[:, None] >> bit & 1, numbers[None, :] << bit, 0)
    return found.astype(np.uint16)


@cache
def _mirrored(pairs: int) -> NDArray[np.uint16]:
    """The numbers of pairs that are missing to `pairs`, as bits, by those that are there."""
    numbers = np.arange(1 << MOST_BITS)
    found = np.zeros(len(numbers), dtype=np.uint16)
    for bit in range(pairs + 1):
        found |= ((numbers >> (pairs - bit) & 1) << bit).astype(np.uint16)
    return found


# ---- listed tiles ------------------------------------------------------------------


class _LackingOne:
    """The hands that lack one tile of one of some lists, with the tiles that complete them."""

    def __init__(self, lists: tuple[tuple[tuple[int, int], ...], ...]) -> None:
        found: dict[tuple[int, ...], int] = {}
        for listed in lists:
            whole, _, _ = cut_listed(listed)
            for tile, _ in listed:
                suit, power = _place(tile)
                keys = list(whole)
                keys[suit] -= power
                found[tuple(keys)] = found.get(tuple(keys), 0) | 1 << tile
        items = sorted(found.items())
        columns = np.array([keys for keys, _ in items], dtype=np.int64).reshape(-1, SUITS)
        self.keys = [np.ascontiguousarray(columns[:, suit]) for suit in range(SUITS)]
        self.tiles = np.array([tiles for _, tiles in items], dtype=np.uint64)
        self.honors = np.zeros(HONOR_KEYS, dtype=bool)
        self.honors[self.keys[3]] = True
        mixed = _mixed(self.keys)
        self.sort = np.argsort(mixed)
        self.mixed = mixed.take(self.sort)
        self.usable = len(np.unique(mixed)) == len(mixed)

    def find(self, before: Keys) -> NDArray[np.uint64]:
        """The tiles that complete each hand."""
        found = np.zeros(len(before[0]), dtype=np.uint64)
        rows = np.flatnonzero(self.honors.take(before[3]))
        if len(rows):
            keys = [key.take(rows) for key in before]
            at = np.searchsorted(self.mixed, _mixed(keys))
            at = self.sort.take(at.clip(max=len(self.sort) - 1))
            same = np.ones(len(rows), dtype=bool)
            for mine, theirs in zip(self.keys, keys, strict=True):
                same &= mine.take(at) == theirs
            found[rows[same]] = self.tiles.take(at[same])
        return found


_FOLD = np.uint64(0x9E3779B97F4A7C15)


def _mixed(keys: Sequence[NDArray[np.int64]]) -> NDArray[np.uint64]:
    suited = (keys[0] | keys[1] << 21 | keys[2] << 42).astype(np.uint64)
    return suited ^ (keys[3].astype(np.uint64) * _FOLD)


@cache
def _lacking_one(lists: tuple[tuple[tuple[int, int], ...], ...]) -> _LackingOne | None:
    """The table of some lists; None where it would be too large."""
    if sum(map(len, lists)) > MOST_LISTED:
        return None
    found = _LackingOne(lists)
    return found if found.usable else None


def _place(tile: int) -> tuple[int, int]:
    suit = min(tile // 9, SUITS - 1)
    return suit, POWERS[tile - 9 * suit]


def _complete_listed(
    finder: ColumnRowFinder, place: int, before: Keys, held: Keys
) -> NDArray[np.uint64]:
    """The tiles that complete a shape with listed tiles, by trying them all."""
    found = np.zeros(len(before[0]), dtype=np.uint64)
    for tile in range(FIRST_FLOWER):
        suit, power = _place(tile)
        # A fifth tile of a kind would change the count of the next one.
        rows = np.flatnonzero(held[suit] // power % 5 < 4)
        keys = [key.take(rows) for key in before]
        keys[suit] = keys[suit] + power
        part = finder.of_shape(tuple(keys), None, place)
        if part is not None:
            found[rows.take(part)] |= np.uint64(1 << tile)
    return found
