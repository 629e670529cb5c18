"""How many different tiles complete a hand, for columns of hands."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ruleengine.batch.columns import Hands, keys_of
from ruleengine.batch.tables import POWERS
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ruleengine.batch.rows import ColumnRowFinder
    from ruleengine.batch.tables import Ids, Plan

Keys = tuple["NDArray[np.int64]", ...]


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
    complete = np.zeros((FIRST_FLOWER, len(hands)), dtype=bool)
    for place, shape in enumerate(finder.shapes):
        fits = None if hands.melds is None else hands.melds <= shape.sets
        if shape.listed:
            _complete_listed(finder, place, before, held, fits, complete)
            continue
        assert finder.ids is not None
        _complete_grouped(finder.ids, (shape.sets, shape.pairs), before, held, fits, complete)
    found = np.zeros(len(hands), dtype=np.uint8)
    for tile in range(FIRST_FLOWER):
        suit, power = _place(tile)
        left = held[suit] // power % 5 < wall.get(tile, 0)
        found += complete[tile] & left
    return found


def _place(tile: int) -> tuple[int, int]:
    suit = min(tile // 9, 3)
    return suit, POWERS[tile - 9 * suit]


def _complete_grouped(
    ids: Ids,
    plan: Plan,
    before: Keys,
    held: Keys,
    fits: NDArray[np.bool_] | None,
    complete: NDArray[np.bool_],
) -> None:
    """Note the tiles that complete a shape of sets and pairs, suit by suit: the pairs that the
    other suits can be split with, and those that the suit can with one more tile, must add up."""
    can = _pairs_of_ids(ids, plan)
    tables = [(ids.suited, can[0])] * 3 + [(ids.honors, can[1])]
    now = [pairs.take(table.take(key)) for (table, pairs), key in zip(tables, before, strict=True)]
    together = _together()
    _, pairs_wanted = plan
    for suit in range(4):
        others = [now[other] for other in range(4) if other != suit]
        rest = together[together[others[0], others[1]], others[2]]
        wanted = _mirrored(pairs_wanted).take(rest)
        table, pairs = tables[suit]
        for place in range(9 if suit < 3 else FIRST_FLOWER - FIRST_HONOR):
            tile = 9 * suit + place
            # A fifth tile of a kind would change the count of the next one.
            room = held[suit] // POWERS[place] % 5 < 4
            key = before[suit] + POWERS[place] * room
            found = (pairs.take(table.take(key)) & wanted) != 0
            found &= room
            if fits is not None:
                found &= fits
            complete[tile] |= found


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


def _complete_listed(
    finder: ColumnRowFinder,
    place: int,
    before: Keys,
    held: Keys,
    fits: NDArray[np.bool_] | None,
    complete: NDArray[np.bool_],
) -> None:
    """Note the tiles that complete a shape with listed tiles, by trying them all."""
    for tile in range(FIRST_FLOWER):
        suit, power = _place(tile)
        room = held[suit] // power % 5 < 4
        if fits is not None:
            room &= fits
        rows = np.flatnonzero(room)
        keys = [key.take(rows) for key in before]
        keys[suit] = keys[suit] + power
        part = finder.of_shape(tuple(keys), None, place)
        if part is not None:
            complete[tile, rows.take(part)] = True
