"""Hands as columns: how many of each tile, the winning tile, the melds and the situation."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
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
    """Concealed hands from a table of tiles: a row a hand, its last column the winning tile."""
    columns = [np.ascontiguousarray(tiles[:, at]) for at in range(tiles.shape[1])]
    suited = _SUITED[columns[0]]
    honors = _HONORS[columns[0]]
    for column in columns[1:]:
        suited += _SUITED[column]
        honors += _HONORS[column]
    return Hands(suited, honors, columns[-1])


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
