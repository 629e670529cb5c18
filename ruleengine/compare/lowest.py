"""Looks for the lowest hand that shows a change, among hands won in the same way: with as many
melds of the same kinds, in the same situation.

Hands are looked at in the order of their tiles, the lowest first. So what is found has the lowest
tiles of all hands with as few patterns and points, unless there are too many lower hands to look at
them all.
"""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ruleengine.compare.exchange import exchanged
from ruleengine.compare.many import (
    TILES_OF_MELD,
    ManyHands,
    as_low,
    codes_of,
    concatenate,
    counts_of,
    held,
    kind_of,
    may_have_won,
    order_of,
    orders_of,
    won_on_each,
    won_on_one,
)
from ruleengine.compare.outcomes import Won
from ruleengine.compare.showing import MOST_RANK, Showing, rank
from ruleengine.compare.shrink import tiles_of, worth
from ruleengine.hands.every import EveryHand
from ruleengine.tiles import FIRST_FLOWER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from ruleengine.arrange import Shape
    from ruleengine.compare.many import Kind, Order
    from ruleengine.compare.shrink import Key
    from ruleengine.rules import Rules

MOST_ROWS = 60_000
"""Hands, each with every tile that may have won it, that are looked at for one change."""
ODD = 10
"""A hand that is scored by itself costs as much as so many others."""
MOST_LAID = 60_000
"""Of more ways to lay so many melds none is looked through."""
MOST_TOGETHER = 2_000_000
"""Hands that are brought in order together."""
MOST_CHOICES = 4 * MOST_LAID
"""Of more ways to choose melds it is not asked for how many there are tiles."""
CHOSEN_TOGETHER = 400_000
"""Choices of melds and of what stands that are put together at once."""
CHUNK = 6_000
BLOCK = 1_000
"""Hands whose winning tiles are chosen together."""
MOST_ROUNDS, MOST_EXCHANGES = 3, 12
"""How often lower hands are looked for anew when groups were exchanged, and how often these are."""
BY_CHANCE = 6_000
"""Hands by chance that are looked at first, for one that is worth less."""


class Lowest:
    """Looks for lower hands that show a change from one ruleset to another.

    `shows` says how gravely a hand shows it, and then it comes to something else after the change
    than under each ruleset of `unlike`. At `ends` (by the monotonic clock), or after so many hands
    as `most`, the search ends.
    """

    def __init__(
        self,
        before: Rules,
        after: Rules,
        shows: Callable[[Won], int],
        ends: float = float("inf"),
        most: int = MOST_ROWS,
        unlike: Sequence[Rules] = (),
    ) -> None:
        self.rules = (before, after)
        self.shows = shows
        self.ends = ends
        self.most = most
        self.late = False
        """Whether the search ended for want of time."""
        self._showing = Showing(before, after, unlike)
        shapes = dict.fromkeys(shape for rules in self.rules for shape in rules.shapes)
        self._shapes = tuple(shapes)
        walls = [rules.data.wall.copies for rules in self.rules]
        self._wall = tuple(max(wall.get(t, 0) for wall in walls) for t in range(FIRST_FLOWER))

    def lower(self, won: Won) -> Won:
        """The lowest hand that shows the change as gravely as a given one, with as few patterns
        and points; the given one where none is found."""
        if time.monotonic() > self.ends:
            self.late = True
            return won
        won = self.exchanged(self._worth_less(won))
        for _ in range(MOST_ROUNDS):
            # One winning tile of each hand first: fewer are then left to be tried with all theirs.
            for every_tile in (False, True):
                found = self._lower_than(won, every_tile=every_tile)
                if found is not None:
                    won = found
            other = self.exchanged(won)
            if other == won:
                break
            won = other
        return won

    def exchanged(self, won: Won) -> Won:
        """A hand than which none is smaller that has another group in place of one of its own; few
        are that have two others."""
        for _ in range(MOST_EXCHANGES):
            other = self._exchanged(won, 1) or self._exchanged(won, 2)
            if other is None:
                break
            won = other
        return won

    def _exchanged(self, won: Won, number: int) -> Won | None:
        """The smallest hand with so many other groups that is smaller than one."""
        best = won
        hands = exchanged(won, self.rules, self._wall, number, self.most)
        for start in range(0, len(hands), CHUNK):
            if time.monotonic() > self.ends:
                self.late = True
                break
            best = self.smaller(best, hands.take(slice(start, start + CHUNK))) or best
        return None if best is won else best

    def _worth_less(self, won: Won) -> Won:
        """One of some hands by chance that shows the change as gravely, with the fewest patterns
        and points; the given one where none has fewer."""
        bar = rank(*worth(*self.rules, won)) - 1
        return self.smaller(won, self._by_chance(won), bar) or won

    def _lower_than(self, won: Won, *, every_tile: bool) -> Won | None:
        looked = 0
        self._showing.odd = 0
        for hands in self._chunks(won, every_tile=every_tile):
            if looked + ODD * self._showing.odd >= self.most:
                return None
            if time.monotonic() > self.ends:
                self.late = True
                return None
            looked += len(hands)
            found = self.smaller(won, hands)
            if found is not None:
                return found
        return None

    def smaller(self, won: Won, hands: ManyHands, bar: int | None = None) -> Won | None:
        """The smallest of some hands, in the order of their tiles, that shows the change as gravely
        as one and is smaller; its worth is no more than a bar."""
        key = (rank(*worth(*self.rules, won)), tiles_of(won))
        return self._smallest(won, hands, self.shows(won), key, key[0] if bar is None else bar)

    def graver(self, won: Won, hands: ManyHands, most: int) -> Won | None:
        """The smallest of some hands, in the order of their tiles, that shows the change most
        gravely and more so than one, at `most` so gravely."""
        for grave in range(most, self.shows(won), -1):
            found = self._smallest(won, hands, grave)
            if found is not None:
                return found
        return None

    def _smallest(
        self,
        won: Won,
        hands: ManyHands,
        grave: int,
        key: tuple[int, Key] | None = None,
        bar: int = MOST_RANK,
    ) -> Won | None:
        for row, its_rank in self._showing.among(hands, won, grave, bar):
            one = Won(hands.hand(row, won.hand.flowers), won.situation)
            if key is not None and (its_rank, tiles_of(one)) >= key:
                break
            if self.shows(one) >= grave:
                return one
        return None

    # ---- hands in the order of their tiles -------------------------------------------

    def _chunks(self, won: Won, *, every_tile: bool) -> Iterator[ManyHands]:
        """Hands whose tiles are as low as those of one or lower, with as many melds of the same
        kinds, the lowest first; each with `every_tile` that may have won it, or the lowest."""
        robbed = won.situation.by == "robbing_kong"
        won_on = won_on_each if every_tile else won_on_one
        parts: list[ManyHands] = []
        for standing, melds in self._lower(_kinds(won), order_of(won.hand)):
            parts.append(won_on(standing, melds, robbed=robbed))
            if sum(map(len, parts)) >= CHUNK:
                yield concatenate(parts).sorted()
                parts = []
        if parts:
            yield concatenate(parts).sorted()

    def _by_chance(self, won: Won) -> ManyHands:
        """Hands by chance with as many melds of the same kinds as one."""
        kinds = _kinds(won)
        chance = np.random.default_rng(1)
        standing = self._standing_by_chance(kinds.total(), chance)
        laid = [
            chance.choice(codes_of(kind), (len(standing), number))
            for kind, number in sorted(kinds.items())
        ]
        none = np.zeros((len(standing), 0), dtype=np.uint8)
        melds = np.sort(np.concatenate([none, *laid], axis=1), axis=1)
        running = standing.cumsum(axis=1)
        tile = (running > chance.integers(running[:, -1:])).argmax(axis=1)
        fits = (held(standing, melds) <= np.array(self._wall)).all(axis=1)
        robbed = won.situation.by == "robbing_kong"
        fits &= may_have_won(standing, melds, robbed=robbed)[np.arange(len(tile)), tile]
        return ManyHands(standing, melds, tile.astype(np.uint8)).take(fits).sorted()

    def _standing_by_chance(self, melds: int, chance: np.random.Generator) -> NDArray[np.uint8]:
        """What stands by chance beside so many melds."""
        shapes = self._shapes_beside(melds)
        if melds:
            known = _standing(shapes, self._wall).counts
            return known[chance.integers(len(known), size=BY_CHANCE if len(known) else 0)]
        every = _every(shapes, self._wall)
        return counts_of(every.sample(BY_CHANCE, 1)) if len(every) else _no_counts()

    def _shapes_beside(self, melds: int) -> tuple[Shape, ...]:
        """The shapes of what stands beside so many melds."""
        return tuple(
            replace(shape, sets=shape.sets - melds)
            for shape in self._shapes
            if shape.sets >= melds and (not melds or not shape.listed)
        )

    def _lower(
        self, kinds: Counter[Kind], start: Order
    ) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
        """What stands in hands as low as one or lower, and their melds, the lowest first; those
        with the same tiles are given together."""
        shapes = self._shapes_beside(kinds.total())
        if kinds:
            yield from self._lower_with_melds(shapes, kinds, start)
            return
        every = _every(shapes, self._wall)
        for hands in every.lowest_first(MOST_TOGETHER):
            for at in range(0, len(hands), BLOCK):
                counts = counts_of(hands.take(slice(at, at + BLOCK)))
                lower = as_low(start, *orders_of(counts))
                yield counts[lower], np.zeros((int(lower.sum()), 0), dtype=np.uint8)
                if not lower.all():
                    return

    def _lower_with_melds(
        self, shapes: tuple[Shape, ...], kinds: Counter[Kind], start: Order
    ) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
        laid = _laid(tuple(sorted(kinds.items())), self._wall)
        standing = _standing(shapes, self._wall)
        found = _Ordered()
        step = max(CHOSEN_TOGETHER // max(len(standing.counts), 1), 1)
        for at in range(0, len(laid.codes), step):
            if time.monotonic() > self.ends:
                self.late = True
                return
            part = slice(at, at + step)
            high = laid.high[part, None] + standing.high
            low = laid.low[part, None] + standing.low
            row, place = np.nonzero(as_low(start, high, low))
            whole = standing.counts[place] + laid.counts[part][row]
            fits = (whole <= np.array(self._wall)).all(axis=1)
            row, place = row[fits], place[fits]
            found.add(high[row, place], low[row, place], place, at + row)
        for place, chosen in found.blocks():
            yield standing.counts[place], laid.codes[chosen]


class _Ordered:
    """Hands with their orders, of which no more than the lowest are kept."""

    def __init__(self) -> None:
        self._rows: list[NDArray[np.int64]] = []
        self._size = 0

    def add(self, *columns: NDArray[np.int64]) -> None:
        """Add hands: both halves of their orders, and what they are known by."""
        if len(columns[0]):
            self._rows.append(np.stack(columns))
            self._size += len(columns[0])
        if self._size > MOST_TOGETHER:
            self._rows = [self._lowest()]
            self._size = MOST_ROWS

    def _lowest(self) -> NDArray[np.int64]:
        if not self._rows:
            return np.zeros((4, 0), dtype=np.int64)
        rows = np.concatenate(self._rows, axis=1)
        return rows[:, np.lexsort((-rows[1], -rows[0]))[:MOST_ROWS]]

    def blocks(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """What the hands are known by, the lowest first, those with the same order together."""
        rows = self._lowest()
        size = rows.shape[1]
        ends = np.flatnonzero((np.diff(rows[:2], axis=1) != 0).any(axis=0)) + 1
        start = 0
        while start < size:
            following = int(np.searchsorted(ends, start + BLOCK))
            end = int(ends[following]) if following < len(ends) else size
            yield rows[2, start:end], rows[3, start:end]
            start = end


class _Parts:
    """Parts of hands by how many of each tile they have, with both halves of their orders."""

    def __init__(self, counts: NDArray[np.uint8]) -> None:
        self.counts = counts
        self.high, self.low = orders_of(counts)


class _Laid(_Parts):
    """Choices of melds, as numbers."""

    def __init__(self, codes: NDArray[np.uint8]) -> None:
        super().__init__(TILES_OF_MELD[codes].sum(axis=1, dtype=np.uint8))
        self.codes = codes


@lru_cache(maxsize=8)
def _every(shapes: tuple[Shape, ...], wall: tuple[int, ...]) -> EveryHand:
    return EveryHand(shapes, dict(enumerate(wall)))


@lru_cache(maxsize=8)
def _standing(shapes: tuple[Shape, ...], wall: tuple[int, ...]) -> _Parts:
    """What may stand in a hand of some shapes."""
    every = _every(shapes, wall)
    parts = [counts_of(hands) for _, hands in every.chunks()]
    return _Parts(np.concatenate([_no_counts(), *parts]))


@lru_cache(maxsize=8)
def _laid(kinds: tuple[tuple[Kind, int], ...], wall: tuple[int, ...]) -> _Laid:
    """Every choice of so many melds of each kind for which there are tiles; of too many none."""
    codes = np.zeros((1, 0), dtype=np.uint8)
    for kind, number in kinds:
        some = codes_of(kind)
        choices = math.comb(len(some) + number - 1, number)
        if choices * len(codes) > MOST_CHOICES:
            return _Laid(np.zeros((0, sum(number for _, number in kinds)), dtype=np.uint8))
        chosen = np.fromiter(
            itertools.chain.from_iterable(
                itertools.combinations_with_replacement(some.tolist(), number)
            ),
            dtype=np.uint8,
        ).reshape(-1, number)
        codes = np.concatenate(
            [np.repeat(codes, len(chosen), axis=0), np.tile(chosen, (len(codes), 1))], axis=1
        )
    codes = np.sort(codes, axis=1)
    codes = codes[(TILES_OF_MELD[codes].sum(axis=1) <= np.array(wall)).all(axis=1)]
    return _Laid(codes if len(codes) <= MOST_LAID else codes[:0])


def _no_counts() -> NDArray[np.uint8]:
    return np.zeros((0, FIRST_FLOWER), dtype=np.uint8)


def _kinds(won: Won) -> Counter[Kind]:
    return Counter(kind_of(meld) for meld in won.hand.melds)
