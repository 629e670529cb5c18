"""Looks for the smallest concealed hand of each of many changes while all are gone through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ruleengine.batch.columns import Hands
from ruleengine.compare.lowest import CHUNK, Lowest
from ruleengine.compare.many import (
    ManyHands,
    as_low,
    concatenate,
    counts_of,
    order_of,
    orders_of_keys,
    won_on_each,
    won_on_one,
)
from ruleengine.compare.showing import rank
from ruleengine.compare.shrink import worth
from ruleengine.compare.touched import Choice, Touched, touched_by
from ruleengine.compare.witness import gravest, shower
from ruleengine.hands.winning import BestScorer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ruleengine.compare.outcomes import Won
    from ruleengine.rules import Rules

MOST = 20_000
"""Hands, each with the tiles that may have won it, that are looked at for one change in each part
of all hands; where there are more the change is given up."""


@dataclass(frozen=True, slots=True)
class Single:
    """A change by itself, and a concealed self-draw of East's without events that shows it."""

    before: Rules
    after: Rules
    won: Won


class Singles:
    """Looks for smaller hands that show changes of one ruleset, in one part of all hands after the
    other.

    Each change is looked at in those hands that it can touch and that can be smaller than the
    smallest known.
    """

    def __init__(self, singles: Sequence[Single]) -> None:
        self._searches = [_Search(single) for single in singles]
        self.choices = [
            touched_by(search.rules[0], search.rules[1], {}) for search in self._searches
        ]
        """What can touch hands in each change; None where that is not known."""
        by_shapes: dict[object, list[tuple[_Search, Choice]]] = {}
        for search, choice in zip(self._searches, self.choices, strict=True):
            if choice is not None:
                by_shapes.setdefault(search.rules[0].shapes, []).append((search, choice))
        self._touched = [
            (tuple(search for search, _ in some), Touched([choice for _, choice in some]))
            for some in by_shapes.values()
        ]

    def start(self) -> None:
        """Begin a part."""
        for search in self._searches:
            search.start()

    def look(self, hands: Hands, ranks: NDArray[np.int64], asks: NDArray[np.bool_]) -> None:
        """Look at some hands, with their ranks under the old ruleset; it `asks` for the winning
        tiles of some, which then are worth that with the dearest."""
        orders = orders_of_keys(hands)
        may = {
            search: search.may_be_smaller(orders, ranks, asks)
            for search in self._searches
            if not search.given_up
        }
        for searches, touched in self._touched:
            rows = np.flatnonzero(np.any([may[one] for one in searches if one in may], axis=0))
            if len(rows):
                for search, there in zip(searches, touched.among(hands.take(rows)), strict=True):
                    if search in may:
                        may[search][rows[~there]] = False
        for search, those in may.items():
            search.look(hands.take(those), asks[those])

    def found(self) -> list[Won | None]:
        """The smallest hand of each change in the part, none where it was given up."""
        return [search.found() for search in self._searches]


class _Search:
    """A search for the smallest hand of one change."""

    def __init__(self, single: Single) -> None:
        before, after = single.before, single.after
        self._first = single.won
        self._best = single.won
        self.rules = (before, after)
        self._lowest = Lowest(before, after, shower(before, after), unlike=[before])
        self._after = BestScorer(after)
        self._ceiling = gravest(before, after)
        self._waiting: list[ManyHands] = []
        self._left = MOST
        self.given_up = False
        """Whether too many hands would have to be looked at; then no other part helps."""

    def start(self) -> None:
        self._best, self._left = self._first, MOST
        self._waiting = []

    def may_be_smaller(
        self,
        orders: tuple[NDArray[np.int64], NDArray[np.int64]],
        ranks: NDArray[np.int64],
        asks: NDArray[np.bool_],
    ) -> NDArray[np.bool_]:
        """The hands that may be smaller than the smallest known, by their orders and by what they
        are worth under the old ruleset; of those worth as much only such with lower tiles. Any may
        where some may show the change more gravely."""
        if self._lowest.shows(self._best) < self._ceiling:
            return np.ones(len(ranks), dtype=bool)
        bar = rank(*worth(*self.rules, self._best))
        low = as_low(order_of(self._best.hand), *orders)
        found: NDArray[np.bool_] = asks | (ranks < bar) | ((ranks == bar) & low)
        return found

    def look(self, hands: Hands, asks: NDArray[np.bool_]) -> None:
        """Look at some hands; the old ruleset `asks` for the winning tile of some."""
        if not len(hands):
            return
        by_tile = asks | self._after.asks(hands)
        counts = counts_of(hands)
        none = np.zeros((len(hands), 0), dtype=np.uint8)
        for part, won_on in ((~by_tile, won_on_one), (by_tile, won_on_each)):
            if part.any():
                self._add(won_on(counts[part], none[part], robbed=False))

    def _add(self, hands: ManyHands) -> None:
        self._left -= len(hands)
        self.given_up = self._left < 0
        self._waiting.append(hands)
        if sum(map(len, self._waiting)) >= CHUNK and not self.given_up:
            self._look_at_waiting()

    def _look_at_waiting(self) -> None:
        if self._waiting:
            hands = concatenate(self._waiting).sorted()
            self._best = self._lowest.graver(self._best, hands, self._ceiling) or self._best
            self._best = self._lowest.smaller(self._best, hands) or self._best
            self._waiting = []

    def found(self) -> Won | None:
        if self.given_up:
            return None
        self._look_at_waiting()
        return self._best
