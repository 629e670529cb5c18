"""In how many ways a hand can be drawn from the wall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.batch.columns import keys_of
from ruleengine.hands.suits import SUITS, copies_of, ways_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from ruleengine.batch.columns import Hands

MOST_TILES = 22
"""More tiles could be drawn in more ways than 64 bits can count."""


def ways_to_draw(hands: Hands, wall: Mapping[int, int]) -> NDArray[np.int64]:
    """In how many ways the tiles of each hand, as a set, can be drawn from the wall.

    `wall` says how many copies there are of each tile. Four copies of a tile, of which the hand
    has two, can be drawn in 6 ways. Exact for hands of up to `MOST_TILES` tiles.
    """
    found: NDArray[np.int64] | None = None
    for suit, keys in enumerate(keys_of(hands)):
        ways = ways_table(copies_of(wall, suit))[keys]
        found = ways if found is None else found * ways
    assert found is not None
    assert SUITS == 4
    return found
