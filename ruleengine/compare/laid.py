"""Hands put together of tiles that stand and melds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ruleengine.hand import Hand, Meld

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ruleengine.compare.outcomes import Won

Kind = tuple[str, bool]
"""Whether a meld is a kong, and whether it is claimed."""


def kind_of(meld: Meld) -> Kind:
    """The kind of a meld: of one kind are those that may stand in the place of one another."""
    return ("kong" if meld.kind == "kong" else "set", meld.claimed)


def by_tile(meld: Meld) -> tuple[int, str]:
    """The order in which melds are written."""
    return meld.tile, meld.kind


def tiles_held(standing: Iterable[int], melds: Iterable[Meld]) -> Counter[int]:
    """How many there are of each tile."""
    return Counter([*standing, *(tile for meld in melds for tile in meld.tiles)])


def may_have_won(won: Won, standing: Sequence[int], melds: Iterable[Meld]) -> list[int]:
    """The tiles on which a hand may be won in the way of another one, in the order of those that
    stand: of a kong that is robbed only one that it has once."""
    tiles = list(dict.fromkeys(standing))
    if won.situation.by != "robbing_kong":
        return tiles
    held = tiles_held(standing, melds)
    return [tile for tile in tiles if held[tile] == 1]


def won_on(won: Won, tile: int, standing: Sequence[int], melds: tuple[Meld, ...]) -> Hand:
    """The hand of tiles that stand, one of them the winning tile, and melds, with the flowers of
    another one."""
    rest = list(standing)
    rest.remove(tile)
    return Hand(tuple(rest), melds, tile, won.hand.flowers)
