"""Hands as columns: how many of each tile, the winning tile, the melds and the situation."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.batch.tables import POWERS
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SUITED = np.zeros(FIRST_FLOWER, dtype=np.uint64)
_HONORS = np.zeros(FIRST_FLOWER, dtype=np.uint32)
for _tile in range(FIRST_FLOWER):
    if _tile < FIRST_HONOR:
        _SUITED[_tile] = POWERS[_tile % 9] << (21 * (_tile // 9))
    else:
        _HONORS[_tile] = POWERS[_tile - FIRST_HONOR]

KEY_BITS = 21
"""A suit's key is below 5**9, and so fits in so many bits."""


@dataclass(frozen=True, slots=True)
class Hands:
    """Many hands, each a row; all arrays have one length.

    `suited` holds the keys of the three suits in 21 bits each and `honors` that of the honors,
    both of the tiles in hand with the winning one (see `tables`); `won` is the winning tile.
    `facts` are the facts of `judge.LAID_FACTS`, `judge.RARE_FACTS` and the situation that
    differ from 0 or from a self-draw as East in the East round.
    """

    suited: NDArray[np.uint64]
    honors: NDArray[np.uint32]
    won: NDArray[np.uint8]
    melds: NDArray[np.uint8] | None = None
    facts: dict[str, NDArray[Any]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.suited)

    def take(self, rows: Any) -> Hands:
        """Some of the hands: a slice, places or a mask."""
        if isinstance(rows, slice) and rows == slice(0, len(self)):
            return self
        return Hands(
            self.suited[rows],
            self.honors[rows],
            self.won[rows],
            None if self.melds is None else self.melds[rows],
            {name: column[rows] for name, column in self.facts.items()},
        )

    def with_facts(self, **facts: NDArray[Any]) -> Hands:
        """The same hands with further facts."""
        return replace(self, facts={**self.facts, **facts})


def hands_of_tiles(tiles: NDArray[np.uint8]) -> Hands:
    """Concealed hands from a table of tiles: a row a hand, its last column the winning tile.

    Every tile is one that a hand can have, and none stands more than four times in a hand.
    """
    first, second = halves_of_tiles(tiles)
    low = np.uint64((1 << HALF) - 1)
    suited = first & low
    suited |= first >> np.uint64(HALF) << np.uint64(KEY_BITS)
    suited |= (second & low) << np.uint64(2 * KEY_BITS)
    honors = (second >> np.uint64(HALF)).astype(np.uint32)
    return Hands(suited, honors, np.ascontiguousarray(tiles[:, -1]))


HALF = 32
"""Keys of two suits stand in one number, so many bits apart: keys of hands with too many of a
tile have room too."""
NO_TILE = 1 << 28
"""What a tile that no hand can have adds to the key of the honors."""


def halves_of_tiles(tiles: NDArray[np.uint8]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The keys of hands, two suits in a number: characters and dots, bamboo and honors.

    They are sums, exact even where a hand has too many of a tile; `NO_TILE` is in the key of the
    honors for a number that is no tile.
    """
    tables = _tables_of_two()
    size = tiles.shape[1]
    if size % 2:
        tiles = np.concatenate([tiles, np.full((len(tiles), 1), BLANK, np.uint8)], axis=1)
    twos = np.ascontiguousarray(tiles).view(np.uint16)
    at = twos[:, 0].astype(np.intp)
    first, second = tables[0].take(at), tables[1].take(at)
    for column in range(1, twos.shape[1]):
        at = twos[:, column].astype(np.intp)
        first += tables[0].take(at)
        second += tables[1].take(at)
    return first, second


BLANK = 255
"""Stands in a table of tiles where there is no tile."""


@cache
def _tables_of_two() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """What two tiles in neighbouring bytes add to the keys."""
    first = np.zeros(256, dtype=np.uint64)
    second = np.zeros(256, dtype=np.uint64)
    second[FIRST_FLOWER:BLANK] = NO_TILE << HALF
    for tile in range(FIRST_FLOWER):
        suit, place = (tile // 9, tile % 9) if tile < FIRST_HONOR else (3, tile - FIRST_HONOR)
        (first, second)[suit // 2][tile] = POWERS[place] << (HALF * (suit % 2))
    return (
        (first[:, None] + first[None, :]).reshape(-1),
        (second[:, None] + second[None, :]).reshape(-1),
    )


def hands_of_counts(counts: NDArray[np.uint8], won: NDArray[np.uint8]) -> Hands:
    """Concealed hands from how many of each of the 34 tiles they have, winning one included."""
    suited = np.zeros(len(counts), dtype=np.uint64)
    honors = np.zeros(len(counts), dtype=np.uint32)
    for tile in range(FIRST_FLOWER):
        column = counts[:, tile]
        if tile < FIRST_HONOR:
            suited += column * _SUITED[tile]
        else:
            honors += column * _HONORS[tile]
    return Hands(suited, honors, won.astype(np.uint8))


def keys_of(hands: Hands) -> tuple[NDArray[np.int64], ...]:
    """The keys of the three suits and of the honors."""
    low = np.uint64((1 << KEY_BITS) - 1)
    return (
        (hands.suited & low).astype(np.int64),
        (hands.suited >> np.uint64(KEY_BITS) & low).astype(np.int64),
        (hands.suited >> np.uint64(2 * KEY_BITS)).astype(np.int64),
        hands.honors.astype(np.int64),
    )


def concatenate(parts: list[Hands]) -> Hands:
    """Hands one after the other. All parts have the same facts."""
    names = {name for part in parts for name in part.facts}
    found = {
        each.name: np.concatenate([getattr(part, each.name) for part in parts])
        for each in fields(Hands)
        if each.name in ("suited", "honors", "won")
    }
    melds = None
    if any(part.melds is not None for part in parts):
        melds = np.concatenate(
            [np.zeros(len(p), np.uint8) if p.melds is None else p.melds for p in parts]
        )
    facts = {name: np.concatenate([part.facts[name] for part in parts]) for name in names}
    return Hands(found["suited"], found["honors"], found["won"], melds, facts)
