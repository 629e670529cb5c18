"""Small hands that can win on one tile together, made of hands that are near at hand."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING

from ruleengine.compare.outcomes import Won, scored
from ruleengine.compare.shrink import Shrinker, size, tiles_of
from ruleengine.errors import HandError
from ruleengine.hand import Situation
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ruleengine.hand import Hand
    from ruleengine.rules import Rules

MOST_HANDS = 240
"""Hands of which winning tiles are tried."""
OF_A_TILE = 24
"""Hands that win on one tile of which some are laid together."""
MOST_SINGLES = 6
"""Hands of different worth that win alone."""
TRIES = 1_500
HOW = Situation("discard", "S", "E", "W")
"""How a hand is won while it is looked for."""


class Together:
    """Hands that win on a discard under one of two rulesets, alone and with others.

    At `ends` (by the monotonic clock) no more hands are looked for.
    """

    def __init__(
        self, rules: Sequence[Rules], pool: Iterable[Won], ends: float = float("inf")
    ) -> None:
        self.ends = ends
        self.rules = tuple(rules)
        self.pool = tuple(pool)
        walls = [one.data.wall.copies for one in self.rules]
        self._wall = {
            tile: max(wall.get(tile, 0) for wall in walls) for wall in walls for tile in wall
        }

    def singles(self) -> tuple[Won, ...]:
        """Some hands of different worth, the smallest first."""
        by_points: dict[int, Won] = {}
        for won, points in self._wins:
            by_points.setdefault(points, won)
        some = sorted(by_points.items())
        step = max(len(some) // MOST_SINGLES, 1)
        found = [won for _, won in some[::step]][:MOST_SINGLES]
        return tuple(sorted(found, key=_small))

    def bases(self, number: int) -> tuple[tuple[Won, ...], ...]:
        """Choices of so many hands that win on one tile; none where none was found."""
        return tuple(dict.fromkeys(base[:number] for base in self._several if len(base) >= number))

    @cached_property
    def _wins(self) -> tuple[tuple[Won, int], ...]:
        """Hands that win in every seat, the smallest first, with their points."""
        found: dict[Won, int] = {}
        plain = [won for won in self.pool if not won.hand.flowers]
        for won in sorted(dict.fromkeys(plain), key=_small)[:MOST_HANDS]:
            if time.monotonic() > self.ends:
                break
            for hand in _on_other_tiles(won.hand):
                one = Won(hand, HOW)
                points = self._points(one)
                if points is not None and one not in found:
                    found[one] = points
        return tuple(sorted(found.items(), key=lambda item: (_small(item[0])[0], item[1])))

    def _points(self, won: Won) -> int | None:
        """What a hand is worth where it wins in every seat under one of the rulesets."""
        for rules in self.rules:
            results = [scored(rules, Won(won.hand, how)) for how in _everywhere()]
            if all(not isinstance(one, HandError) and one.win for one in results):
                return max(one.points for one in results if not isinstance(one, HandError))
        return None

    @cached_property
    def _several(self) -> tuple[tuple[Won, ...], ...]:
        """The smallest hands that were found to win together, and the dearest."""
        by_tile: dict[int, list[tuple[Won, int]]] = {}
        for won, points in self._wins:
            assert won.hand.winning_tile is not None
            some = by_tile.setdefault(won.hand.winning_tile, [])
            if len(some) < OF_A_TILE:
                some.append((won, points))
        found: list[tuple[int, tuple[Won, ...]]] = []
        for some in by_tile.values():
            if time.monotonic() > self.ends:
                break
            laid = next((one for number in (3, 2) for one in self._laid(some, number)), None)
            if laid is not None:
                found.append((sum(points for _, points in laid), tuple(won for won, _ in laid)))
        if not found:
            return tuple((won,) for won, _ in self._wins[:1])
        most = max(len(base) for _, base in found)
        full = [one for one in found if len(one[1]) == most]
        smallest = min(full, key=lambda one: (sum(_melds(won) for won in one[1]), one[0]))
        dearest = max(full, key=lambda one: one[0])
        return tuple(dict.fromkeys((self._shrunk(smallest[1]), dearest[1])))

    def _laid(
        self, some: Sequence[tuple[Won, int]], number: int
    ) -> Iterator[tuple[tuple[Won, int], ...]]:
        for laid in combinations(some, number):
            if self._fit([won for won, _ in laid]):
                yield laid

    def _fit(self, wons: Iterable[Won]) -> bool:
        """Whether there are enough tiles for hands that win on one tile."""
        held: Counter[int] = Counter()
        won_on: set[int] = set()
        for won in wons:
            held.update(won.hand.standing)
            for meld in won.hand.melds:
                held.update(meld.tiles)
            assert won.hand.winning_tile is not None
            won_on.add(won.hand.winning_tile)
        held.update(won_on)
        return all(number <= self._wall.get(tile, 0) for tile, number in held.items())

    def _shrunk(self, base: tuple[Won, ...]) -> tuple[Won, ...]:
        """Hands that win together made smaller one after another."""
        hands = list(base)
        tile = base[0].hand.winning_tile
        for at in range(len(hands)):

            def shows(won: Won, at: int = at) -> bool:
                if won.situation != HOW or won.hand.winning_tile != tile:
                    return False
                others = [*hands[:at], won, *hands[at + 1 :]]
                return self._fit(others) and self._points(won) is not None

            shrinker = Shrinker(self.rules[0], self.rules[-1], shows, TRIES, self.ends)
            hands[at] = shrinker.shrunk(hands[at])
        return tuple(hands)


def _everywhere() -> Iterator[Situation]:
    """A win on a discard in every seat."""
    for at, seat in enumerate(SEATS):
        yield Situation("discard", seat, "E", SEATS[at - 1])


def _small(won: Won) -> tuple[object, ...]:
    return (_melds(won), size(won), tiles_of(won))


def _melds(won: Won) -> int:
    return len(won.hand.melds)


def _on_other_tiles(hand: Hand) -> Iterator[Hand]:
    """A hand with each of its standing tiles as the winning one."""
    assert hand.winning_tile is not None
    tiles = sorted([*hand.standing, hand.winning_tile])
    for tile in dict.fromkeys(tiles):
        rest = list(tiles)
        rest.remove(tile)
        yield replace(hand, standing=tuple(rest), winning_tile=tile)
