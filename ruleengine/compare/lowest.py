"""Looks for the lowest hand that shows a change, among hands won in the same way: with as many
melds of the same kinds, in the same situation.

Hands are looked at in the order of their tiles, the lowest first. So what is found has the lowest
tiles of all hands with as few patterns and points, unless there are too many lower hands to look at
them all.
"""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from ruleengine.batch.columns import keys_of
from ruleengine.batch.outcome import TableScorer
from ruleengine.batch.tables import POWERS
from ruleengine.compare.alike import marks
from ruleengine.compare.exchange import exchanged
from ruleengine.compare.laid import Kind, by_tile, kind_of, may_have_won, tiles_held, won_on
from ruleengine.compare.outcomes import Won
from ruleengine.compare.shrink import smallness, tiles_of, worth
from ruleengine.hand import ALL_MELDS, Hand, Meld
from ruleengine.hands.every import EveryHand
from ruleengine.hands.suits import places_of
from ruleengine.tiles import FIRST_FLOWER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from ruleengine.arrange import Shape
    from ruleengine.batch.columns import Hands
    from ruleengine.batch.outcome import Outcome
    from ruleengine.rules import Rules

MOST_ROWS = 60_000
"""Hands, each with every tile that may have won it, that are looked at for one change."""
ODD = 10
"""A hand that cannot be costs as much as so many others."""
MOST_LAID = 60_000
"""Of more ways to lay so many melds none is looked through."""
MOST_TOGETHER = 2_000_000
"""Hands that are brought in order together."""
CHUNK = 6_000
MOST_ROUNDS, MOST_EXCHANGES = 3, 12
"""How often lower hands are looked for anew when groups were exchanged, and how often these are."""
BY_CHANCE = 6_000
"""Hands by chance that are looked at first, for one that is worth less."""

Order = tuple[int, int]
"""Of two hands the one with lower tiles has the greater one: how many there are of each tile, the
lowest first, as a number in base five for the first half of the tiles and one for the other."""
_HALF = 18


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
        self.complete = False
        """Whether all lower hands were looked at."""
        self.late = False
        """Whether the search ended for want of time."""
        self._odd = 0
        self._scorers = [TableScorer(rules, arrangements=False) for rules in self.rules]
        self._unlike = [TableScorer(rules, arrangements=False) for rules in unlike]
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
                found = self._lower_than(won, every_tile)
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
            other = self._smallest_of(won, exchanged(won, self.rules, self._wall, 1))
            if other is None:
                other = self._smallest_of(won, exchanged(won, self.rules, self._wall, 2))
            if other is None:
                break
            won = other
        return won

    def _smallest_of(self, won: Won, hands: Iterable[Hand]) -> Won | None:
        """The smallest of some hands that are smaller than one and show the change as gravely."""
        grave, key = self.shows(won), smallness(*self.rules, won)
        best: Won | None = None
        some = list(dict.fromkeys(itertools.islice(hands, self.most)))
        some.sort(key=lambda hand: tiles_of(Won(hand, won.situation)))
        for start in range(0, len(some), CHUNK):
            if time.monotonic() > self.ends:
                self.late = True
                break
            part = some[start : start + CHUNK]
            bar = _rank(*worth(*self.rules, best or won))
            for one, _ in self._by_worth(won, part, grave, bar):
                found = smallness(*self.rules, one)
                if found >= key:
                    break
                if self.shows(one) >= grave:
                    best, key = one, found
                    break
        return best

    def _worth_less(self, won: Won) -> Won:
        """One of some hands by chance that shows the change as gravely, with the fewest patterns
        and points; the given one where none has fewer."""
        grave, bar = self.shows(won), _rank(*worth(*self.rules, won))
        some = self._as_grave(won, list(self._by_chance(won)), grave, bar - 1)
        if not some:
            return won
        return min(some, key=lambda one: smallness(*self.rules, one))

    def _lower_than(self, won: Won, every_tile: bool) -> Won | None:
        grave, bar = self.shows(won), _rank(*worth(*self.rules, won))
        key = smallness(*self.rules, won)
        looked = self._odd = 0
        self.complete = False
        for chunk in self._chunks(won, every_tile):
            if looked + ODD * self._odd >= self.most:
                return None
            if time.monotonic() > self.ends:
                self.late = True
                return None
            looked += len(chunk)
            some = self._as_grave(won, chunk, grave, bar)
            if some:
                best = min((smallness(*self.rules, one), at) for at, one in enumerate(some))
                if best[0] < key:
                    self.complete = True
                    return some[best[1]]
        self.complete = not self.late
        return None

    # ---- scoring ---------------------------------------------------------------------

    def _as_grave(self, won: Won, hands: Sequence[Hand], grave: int, bar: int) -> list[Won]:
        """The hands of the least worth that show the change as gravely, and are worth no more than
        a bar."""
        found: list[Won] = []
        for tried, rank in self._by_worth(won, hands, grave, bar):
            if found and rank > bar:
                break
            if self.shows(tried) >= grave:
                found.append(tried)
                bar = min(bar, rank)
        return found

    def _by_worth(
        self, won: Won, hands: Sequence[Hand], grave: int, bar: int
    ) -> Iterator[tuple[Won, int]]:
        """Hands that may show the change as gravely and are worth no more than a bar, with what
        they are worth, the least first; of those worth as much in the order given."""
        record = won.record()
        del record["hand"]
        columns: dict[str, pa.Array] = {"hand": pa.array(map(str, map(_bare, hands)), pa.string())}
        for name, value in record.items():
            columns[name] = pa.array([str(value) if name == "dora" else value] * len(hands))
        batch = pa.RecordBatch.from_pydict(columns)
        outcomes = [scorer.score(batch) for scorer in self._scorers]
        self._odd += sum(len(one.errors) for one in outcomes)
        ranks = _ranks(outcomes)
        at = np.flatnonzero(_may_show(outcomes, grave) & (ranks <= bar))
        at = self._unlike_others(batch, outcomes[1], at)
        for row in at[np.argsort(ranks[at], kind="stable")].tolist():
            yield Won(hands[row], won.situation), int(ranks[row])

    def _unlike_others(
        self, batch: pa.RecordBatch, after: Outcome, at: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Those of some hands that come to something else than under the other rulesets."""
        if not self._unlike or not len(at):
            return at
        seen = marks(self.rules[1], after)[:, at]
        some = batch.take(pa.array(at))
        differs = np.ones(len(at), dtype=bool)
        for scorer in self._unlike:
            differs &= (marks(scorer.rules, scorer.score(some)) != seen).any(axis=0)
        return at[differs]

    # ---- hands in the order of their tiles -------------------------------------------

    def _chunks(self, won: Won, every_tile: bool) -> Iterator[list[Hand]]:
        """Hands whose tiles are as low as those of one or lower, with as many melds of the same
        kinds, the lowest first; each with `every_tile` that may have won it, or the lowest."""
        kinds = Counter(kind_of(meld) for meld in won.hand.melds)
        start = _order_of(_counts(won.hand))
        found: list[Hand] = []
        last: Order | None = None
        for order, counts, melds in self._lower(kinds, start):
            if len(found) >= CHUNK and order != last:
                yield found
                found = []
            last = order
            standing = [t for t in range(FIRST_FLOWER) for _ in range(counts[t])]
            tiles = may_have_won(won, standing, melds)
            found += [
                won_on(won, tile, standing, melds) for tile in (tiles if every_tile else tiles[:1])
            ]
        if found:
            yield found

    def _by_chance(self, won: Won) -> Iterator[Hand]:
        """Hands by chance with as many melds of the same kinds as one."""
        kinds = Counter(kind_of(meld) for meld in won.hand.melds)
        shapes = self._shapes_beside(kinds.total())
        if not shapes:
            return
        rng = random.Random(f"{sorted(kinds.items())}")
        choices = [
            [meld for meld in ALL_MELDS if kind_of(meld) == kind]
            for kind, number in sorted(kinds.items())
            for _ in range(number)
        ]
        for counts in self._standing_by_chance(shapes, kinds.total() > 0):
            melds = tuple(sorted((rng.choice(some) for some in choices), key=by_tile))
            standing = [tile for tile in range(FIRST_FLOWER) for _ in range(counts[tile])]
            held = tiles_held(standing, melds)
            if any(copies > self._wall[tile] for tile, copies in held.items()):
                continue
            tile = rng.choice(standing)
            if tile in may_have_won(won, standing, melds):
                yield won_on(won, tile, standing, melds)

    def _standing_by_chance(self, shapes: tuple[Shape, ...], has_melds: bool) -> list[list[int]]:
        if has_melds:
            known = _standing(shapes, self._wall).counts
            places = np.random.default_rng(1).integers(len(known), size=BY_CHANCE)
            chosen: list[list[int]] = known[places].tolist()
        else:
            every = EveryHand(shapes, dict(enumerate(self._wall)))
            chosen = _counts_of(every.sample(BY_CHANCE, 1)).tolist() if len(every) else []
        return chosen

    def _shapes_beside(self, melds: int) -> tuple[Shape, ...]:
        """The shapes of what stands beside so many melds."""
        return tuple(
            replace(shape, sets=shape.sets - melds)
            for shape in self._shapes
            if shape.sets >= melds and (not melds or not shape.listed)
        )

    def _lower(
        self, kinds: Counter[Kind], start: Order
    ) -> Iterator[tuple[Order, Sequence[int], tuple[Meld, ...]]]:
        """The order of a hand, how many of each tile stand in it, and its melds."""
        number = kinds.total()
        shapes = self._shapes_beside(number)
        if not shapes:
            return
        if not number:
            every = EveryHand(shapes, dict(enumerate(self._wall)))
            for hands in every.lowest_first(MOST_TOGETHER):
                for at in range(0, len(hands), CHUNK):
                    counts = _counts_of(hands.take(slice(at, at + CHUNK)))
                    orders = zip(*(each.tolist() for each in _orders_of(counts)), strict=True)
                    for order, each in zip(orders, counts.tolist(), strict=True):
                        if order < start:
                            return
                        yield order, each, ()
            return
        standing = _standing(shapes, self._wall)
        rows: list[NDArray[np.int64]] = []
        laid = list(itertools.islice(_laid(kinds, self._wall), MOST_LAID + 1))
        if len(laid) > MOST_LAID:
            return
        for at, melds in enumerate(laid):
            if time.monotonic() > self.ends:
                self.late = True
                return
            tiles = Counter(tile for meld in melds for tile in meld.tiles)
            more = _order_of([tiles[tile] for tile in range(FIRST_FLOWER)])
            high, low = standing.high + more[0], standing.low + more[1]
            fits = (high > start[0]) | ((high == start[0]) & (low >= start[1]))
            for tile, copies in tiles.items():
                fits &= standing.counts[:, tile] + copies <= self._wall[tile]
            place = np.flatnonzero(fits)
            if len(place):
                rows.append(np.stack([high[place], low[place], place, np.full_like(place, at)]))
        if not rows:
            return
        table = np.concatenate(rows, axis=1)
        table = table[:, np.lexsort((-table[1], -table[0]))][:, :MOST_ROWS]
        for high, low, place, at in table.T.tolist():
            yield (high, low), standing.counts[place].tolist(), laid[at]


class _Standing:
    """What may stand in a hand beside its melds: how many of each tile, and its order."""

    def __init__(self, counts: NDArray[np.int64]) -> None:
        self.counts = counts
        self.high, self.low = _orders_of(counts)


def _orders_of(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The order of each of some hands, by how many of each tile they have."""
    high = counts[:, :_HALF] @ np.array(_powers(_HALF), dtype=np.int64)
    low = counts[:, _HALF:] @ np.array(_powers(FIRST_FLOWER - _HALF), dtype=np.int64)
    return high, low


@lru_cache(maxsize=8)
def _standing(shapes: tuple[Shape, ...], wall: tuple[int, ...]) -> _Standing:
    every = EveryHand(shapes, dict(enumerate(wall)))
    parts = [_counts_of(hands) for _, hands in every.chunks()]
    return _Standing(np.concatenate(parts) if parts else np.zeros((0, FIRST_FLOWER), np.int64))


def _counts_of(hands: Hands) -> NDArray[np.int64]:
    """How many of each tile hands have."""
    columns = []
    for suit, keys in enumerate(keys_of(hands)):
        columns += [keys // POWERS[place] % 5 for place in range(places_of(suit))]
    return np.stack(columns, axis=1)


def _powers(number: int) -> list[int]:
    return [5**place for place in reversed(range(number))]


def _order_of(counts: Sequence[int]) -> Order:
    halves = counts[:_HALF], counts[_HALF:]
    high, low = (
        sum(n * power for n, power in zip(half, _powers(len(half)), strict=True)) for half in halves
    )
    return high, low


def _counts(hand: Hand) -> list[int]:
    """How many of each tile a hand has, its melds included."""
    assert hand.winning_tile is not None
    held = tiles_held([*hand.standing, hand.winning_tile], hand.melds)
    return [held[tile] for tile in range(FIRST_FLOWER)]


def _laid(kinds: Counter[Kind], wall: Sequence[int]) -> Iterator[tuple[Meld, ...]]:
    """Every choice of so many melds of each kind for which there are tiles."""
    choices = [
        itertools.combinations_with_replacement(
            [meld for meld in ALL_MELDS if kind_of(meld) == kind], number
        )
        for kind, number in kinds.items()
    ]
    for chosen in itertools.product(*choices):
        melds = tuple(sorted(itertools.chain(*chosen), key=by_tile))
        held = tiles_held((), melds)
        if all(copies <= wall[tile] for tile, copies in held.items()):
            yield melds


# ---- what hands come to ------------------------------------------------------------------------


def _bare(hand: Hand) -> Hand:
    return Hand(hand.standing, hand.melds, hand.winning_tile)


def _rank(patterns: int, points: int) -> int:
    return (patterns << 40) + points


def _ranks(outcomes: Sequence[Outcome]) -> NDArray[np.int64]:
    """How many patterns hands count and how many points they have, the most under two rulesets."""
    patterns, points = [], []
    for one in outcomes:
        right = one.right
        patterns.append(np.bincount(one.entries.row, minlength=len(one)) * right)
        points.append(one.points * right)
    found: NDArray[np.int64] = (np.maximum(*patterns) << 40) + np.maximum(*points)
    return found


def _may_show(outcomes: Sequence[Outcome], grave: int) -> NDArray[np.bool_]:
    """The hands that may show a change as gravely, as `outcomes.difference` counts it."""
    old, new = outcomes
    wins = [one.win & one.right for one in outcomes]
    turned: NDArray[np.bool_] = wins[0] != wins[1]
    turned[list(old.errors.keys() ^ new.errors.keys())] = True
    both = wins[0] & wins[1]
    if grave == 2:
        both &= old.points != new.points
    return turned | both if grave < 3 else turned
