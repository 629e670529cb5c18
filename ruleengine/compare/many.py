"""Many hands as columns, each with as many melds of the same kinds as the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ruleengine.batch.columns import keys_of
from ruleengine.batch.tables import POWERS
from ruleengine.batch.text import CONCEALED_KONG, KONG, SEQUENCE, TRIPLET, Texts, laid_facts
from ruleengine.hand import ALL_MELDS, Hand, Meld
from ruleengine.hands.every import falling
from ruleengine.hands.suits import SUITS, first_of, places_of
from ruleengine.tiles import FIRST_FLOWER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ruleengine.batch.columns import Hands

Kind = tuple[str, bool]
"""Whether a meld is a kong, and whether it is claimed."""
Order = tuple[int, int]
"""Both halves of the order of a hand (see `orders_of`)."""

_SORTS = {("sequence", True): SEQUENCE, ("triplet", True): TRIPLET,
          ("kong", True): KONG, ("kong", False): CONCEALED_KONG}  # fmt: skip
"""What a meld is, as columns of hands have it."""
_HALF = 18


def kind_of(meld: Meld) -> Kind:
    """The kind of a meld: of one kind are those that may stand in the place of one another."""
    return ("kong" if meld.kind == "kong" else "set", meld.claimed)


def by_tile(meld: Meld) -> tuple[int, str]:
    """The order in which melds are written."""
    return meld.tile, meld.kind


def code_of(meld: Meld) -> int:
    """A meld as a number: melds in the order of their numbers are in that of their tiles."""
    return len(_SORTS) * meld.tile + _SORTS[meld.kind, meld.claimed]


_MELDS = {code_of(meld): meld for meld in ALL_MELDS}
TILES_OF_MELD = np.zeros((max(_MELDS) + 1, FIRST_FLOWER), dtype=np.uint8)
"""How many of each tile a meld has, by its number."""
for _code, _meld in _MELDS.items():
    np.add.at(TILES_OF_MELD[_code], list(_meld.tiles), 1)


def codes_of(kind: Kind) -> NDArray[np.uint8]:
    """The melds of a kind, as numbers."""
    return np.array([code_of(meld) for meld in ALL_MELDS if kind_of(meld) == kind], np.uint8)


@dataclass(frozen=True, slots=True)
class ManyHands:
    """Hands, a row each: how many of each tile stand, the winning tile among them; the melds as
    numbers (see `code_of`), in their order; the winning tile."""

    standing: NDArray[np.uint8]
    melds: NDArray[np.uint8]
    won: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.won)

    def take(self, rows: NDArray[np.intp] | slice) -> ManyHands:
        """Some of the hands."""
        return ManyHands(self.standing[rows], self.melds[rows], self.won[rows])

    def hand(self, row: int, flowers: tuple[int, ...] = ()) -> Hand:
        """One of the hands, with flowers besides."""
        tile = int(self.won[row])
        standing = np.repeat(np.arange(FIRST_FLOWER), self.standing[row]).tolist()
        standing.remove(tile)
        melds = sorted((_MELDS[code] for code in self.melds[row].tolist()), key=by_tile)
        return Hand(tuple(standing), tuple(melds), tile, flowers)

    def sorted(self) -> ManyHands:
        """The hands without repetition in the order of their tiles, the lowest first, then in that
        of their melds and winning tiles: as `shrink.tiles_of` has it."""
        kind, tile = self._kind_and_tile()
        high, low = orders_of(held(self.standing, self.melds))
        # The last of the keys sorts first.
        keys = [*kind.T[::-1], self.won, *tile.T[::-1], -low, -high]
        order = np.lexsort(keys)
        again = np.zeros(len(self), dtype=bool)
        if len(self):
            again[1:] = True
            for key in keys:
                again[1:] &= key[order[1:]] == key[order[:-1]]
        return self.take(order[~again])

    def _kind_and_tile(self) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """What the melds are, and their lowest tiles."""
        sorts = np.uint8(len(_SORTS))
        return self.melds % sorts, self.melds // sorts

    def texts(self) -> Texts:
        """The hands as if they had been read from text."""
        size, wide = self.melds.shape
        kind, tile = (part.astype(np.int8) for part in self._kind_and_tile())
        laid = _laid(self.melds)
        number = self.standing.sum(axis=1, dtype=np.int64) + laid.sum(axis=1, dtype=np.int64)
        return Texts(
            np.arange(size), _keys(self.standing), self.won, number,
            np.full(size, wide, dtype=np.uint8),
            *((_keys(laid), kind, tile, laid_facts(kind, tile)) if wide else ()),
        )  # fmt: skip


def concatenate(parts: Sequence[ManyHands]) -> ManyHands:
    """Hands one after the other; all have as many melds."""
    return ManyHands(
        np.concatenate([part.standing for part in parts]),
        np.concatenate([part.melds for part in parts]),
        np.concatenate([part.won for part in parts]),
    )


def won_on_each(
    standing: NDArray[np.uint8], melds: NDArray[np.uint8], *, robbed: bool
) -> ManyHands:
    """Hands each won on every tile that stands in it, the lowest first; of a kong that is `robbed`
    only on one that it has once."""
    row, tile = np.nonzero(may_have_won(standing, melds, robbed=robbed))
    return ManyHands(standing[row], melds[row], tile.astype(np.uint8))


def won_on_one(
    standing: NDArray[np.uint8],
    melds: NDArray[np.uint8],
    *,
    robbed: bool,
    wanted: int | None = None,
) -> ManyHands:
    """Hands each won on the lowest of the tiles that may have won it, or on a `wanted` one where it
    may have."""
    may = may_have_won(standing, melds, robbed=robbed)
    row = np.flatnonzero(may.any(axis=1))
    may = may[row]
    tile = may.argmax(axis=1)
    if wanted is not None:
        tile[may[:, wanted]] = wanted
    return ManyHands(standing[row], melds[row], tile.astype(np.uint8))


def may_have_won(
    standing: NDArray[np.uint8], melds: NDArray[np.uint8], *, robbed: bool
) -> NDArray[np.bool_]:
    """The tiles on which hands may be won, a column a tile: of a kong that is `robbed` only one
    that a hand has once."""
    may: NDArray[np.bool_] = standing > 0
    if robbed:
        may &= held(standing, melds) == 1
    return may


def held(standing: NDArray[np.uint8], melds: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How many hands have of each tile, their melds included."""
    return standing + _laid(melds) if melds.shape[1] else standing


def _laid(melds: NDArray[np.uint8]) -> NDArray[np.uint8]:
    found: NDArray[np.uint8] = TILES_OF_MELD[melds].sum(axis=1, dtype=np.uint8)
    return found


def _keys(counts: NDArray[np.uint8]) -> tuple[NDArray[np.int64], ...]:
    """The keys of the suits (see `batch.tables`)."""
    powers = np.array(POWERS, dtype=np.int64)
    found = []
    for suit in range(SUITS):
        first, places = first_of(suit), places_of(suit)
        found.append(counts[:, first : first + places] @ powers[:places])
    return tuple(found)


def counts_of(hands: Hands) -> NDArray[np.uint8]:
    """How many of each tile hands have."""
    columns = []
    for suit, keys in enumerate(keys_of(hands)):
        columns += [keys // POWERS[place] % 5 for place in range(places_of(suit))]
    return np.stack(columns, axis=1).astype(np.uint8)


def orders_of(counts: NDArray[np.uint8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The order of hands, by how many of each tile they have.

    Of two hands that with lower tiles has the greater one: the numbers of each tile, the lowest
    first, as a number in base five for the first half of the tiles and one for the other.
    """
    high = counts[:, :_HALF] @ _falling_powers(_HALF)
    low = counts[:, _HALF:] @ _falling_powers(FIRST_FLOWER - _HALF)
    return high, low


def orders_of_keys(hands: Hands) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The same of concealed hands by the keys of their suits."""
    characters, dots, bamboo, honors = (
        _falling(suit).take(keys) for suit, keys in enumerate(keys_of(hands))
    )
    first, second = (5 ** places_of(suit) for suit in (1, 3))
    return characters * first + dots, bamboo * second + honors


@cache
def _falling(suit: int) -> NDArray[np.int64]:
    """The order of the tiles of a suit for each key."""
    return falling(np.arange(5 ** places_of(suit)), suit)


def order_of(hand: Hand) -> Order:
    """The order of a hand, its melds included."""
    assert hand.winning_tile is not None
    laid = (tile for meld in hand.melds for tile in meld.tiles)
    tiles = [*hand.standing, hand.winning_tile, *laid]
    counts = np.bincount(tiles, minlength=FIRST_FLOWER).astype(np.uint8)
    high, low = orders_of(counts[None])
    return int(high[0]), int(low[0])


def as_low(order: Order, high: NDArray[np.int64], low: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The hands with as low tiles as those of an order or lower."""
    found: NDArray[np.bool_] = (high > order[0]) | ((high == order[0]) & (low >= order[1]))
    return found


def _falling_powers(number: int) -> NDArray[np.int64]:
    return np.array([5**place for place in reversed(range(number))], dtype=np.int64)
