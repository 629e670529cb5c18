"""Hands with other groups in place of one or two of their own, won in the same way."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

from ruleengine.compare.laid import by_tile, kind_of, may_have_won, tiles_held, won_on
from ruleengine.compare.outcomes import scored
from ruleengine.errors import HandError
from ruleengine.hand import ALL_MELDS, Meld
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ruleengine.compare.outcomes import Won
    from ruleengine.hand import Hand
    from ruleengine.rules import Rules

Tiles = tuple[int, ...]
Part = Tiles | Meld
"""A group that stands, as its tiles, or a meld."""

PAIRS = tuple((tile,) * 2 for tile in range(FIRST_FLOWER))
SETS = (
    *((tile, tile + 1, tile + 2) for tile in range(FIRST_HONOR) if tile % 9 <= 6),
    *((tile,) * 3 for tile in range(FIRST_FLOWER)),
)


def exchanged(won: Won, rules: Sequence[Rules], wall: Sequence[int], number: int) -> Iterator[Hand]:
    """A hand with so many of its groups exchanged for any others of its kinds, melds for melds
    alike, as far as the wall has the tiles.

    With one group each hand is won on each of its tiles; with more on the same as before, where it
    still has it, or on the lowest.
    """
    for parts in dict.fromkeys(parts for one in rules for parts in _parts(won, one)):
        for places in itertools.combinations(range(len(parts)), number):
            kept = _Kept(won, [part for at, part in enumerate(parts) if at not in places], wall)
            for others in itertools.product(*(_others(parts[at]) for at in places)):
                yield from kept.with_parts(others, every_tile=number == 1)


def _parts(won: Won, rules: Rules) -> Iterator[tuple[Part, ...]]:
    """The groups and melds of a hand as a ruleset reads it; nothing where it does not."""
    result = scored(rules, won)
    if isinstance(result, HandError) or result.arranged is None:
        return
    laid = Counter(meld.tiles for meld in won.hand.melds)
    standing: list[Part] = []
    for group in result.arranged.groups:
        if laid[group.tiles] and group.status != "completed":
            laid[group.tiles] -= 1
        else:
            standing.append(group.tiles)
    yield (*standing, *won.hand.melds)


def _others(part: Part) -> Sequence[Part]:
    """What may stand in the place of a group."""
    if isinstance(part, Meld):
        return [m for m in ALL_MELDS if kind_of(m) == kind_of(part) and m != part]
    choices: Sequence[Tiles] = {2: PAIRS, 3: SETS}.get(len(part), ())
    return [tiles for tiles in choices if tiles != part]


class _Kept:
    """What is kept of a hand while other groups take the place of some."""

    def __init__(self, won: Won, parts: Sequence[Part], wall: Sequence[int]) -> None:
        self.won = won
        self.melds = [part for part in parts if isinstance(part, Meld)]
        self.standing = [t for part in parts if not isinstance(part, Meld) for t in part]
        held = tiles_held(self.standing, self.melds)
        self.left = [copies - held[tile] for tile, copies in enumerate(wall)]

    def with_parts(self, parts: Sequence[Part], *, every_tile: bool) -> Iterator[Hand]:
        """The hands with some parts besides, as far as the wall has the tiles."""
        added = [t for part in parts for t in (part.tiles if isinstance(part, Meld) else part)]
        if any(added.count(tile) > self.left[tile] for tile in added):
            return
        melds = [*self.melds, *(part for part in parts if isinstance(part, Meld))]
        laid = tuple(sorted(melds, key=by_tile))
        standing = sorted(
            [*self.standing, *(t for x in parts if not isinstance(x, Meld) for t in x)]
        )
        tiles = may_have_won(self.won, standing, laid)
        if not every_tile:
            same = self.won.hand.winning_tile
            tiles = [tile for tile in tiles if tile == same] or tiles[:1]
        for tile in tiles:
            yield won_on(self.won, tile, standing, laid)
