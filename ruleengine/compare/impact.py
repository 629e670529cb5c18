"""What becomes of many hands from one ruleset to another: of all concealed winning hands, and of a
sample of plays."""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ruleengine.batch.columns import Hands, keys_of
from ruleengine.batch.outcome import TableScorer
from ruleengine.batch.rows import SharedRowFinder
from ruleengine.batch.tables import POWERS
from ruleengine.compare.model import Impact, Tilt
from ruleengine.compare.outcomes import Won
from ruleengine.compare.showing import rank
from ruleengine.compare.singles import Single, Singles
from ruleengine.compare.touched import Touched, touched_by
from ruleengine.hand import Hand, Situation
from ruleengine.hands.chance import plays
from ruleengine.hands.every import CHUNK, EveryHand
from ruleengine.hands.weights import ways_to_draw
from ruleengine.hands.winning import BestScorer, Scored, taken, winning_tiles
from ruleengine.processes import looked
from ruleengine.rules import Rules
from ruleengine.stats.survey import TASK
from ruleengine.tiles import FIRST_FLOWER

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ruleengine.arrange import Shape
    from ruleengine.batch.judge import Judged
    from ruleengine.batch.outcome import Outcome

Progress = Callable[[int, int], None]

SHOWN = 6
"""Hands that change that are kept of each task, to look for small ones among them."""
MOST_LOWEST = 64
"""Differences in points for which the smallest hands are kept."""
WORTH_OTHERS = 8.0
"""Seconds that must be left for other processes to be worth starting."""
PLAYS = 12_000
"""Plays that are looked at, half from each ruleset."""


_Order = tuple[int, int, tuple[int, ...]]
"""How many patterns a hand counts, its points, its tiles: the most under either ruleset."""


@dataclass
class Sum:
    """What was seen of some hands; `hands` are some that change, `lowest` the smallest of them for
    each difference in points, with what makes it small; `singles` has for each single change the
    smallest that was found in each part, none where it was given up."""

    looked: int = 0
    changed: int = 0
    up: int = 0
    down: int = 0
    otherwise: int = 0
    wins_gained: int = 0
    wins_lost: int = 0
    payments_changed: int = 0
    by_tile: int = 0
    by_tile_ways: int = 0
    ways: int = 0
    changed_ways: int = 0
    up_ways: int = 0
    down_ways: int = 0
    differences: Counter[int] = field(default_factory=Counter)
    patterns: dict[str, list[int]] = field(default_factory=dict)
    hands: list[Won] = field(default_factory=list)
    singles: list[list[Won | None]] = field(default_factory=list)
    lowest: dict[int, tuple[_Order, tuple[Won, ...]]] = field(default_factory=dict)

    def add(self, other: Sum) -> None:
        """Add what was seen of others."""
        for name in _NUMBERS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.differences.update(other.differences)
        for id_, numbers in other.patterns.items():
            held = self.patterns.setdefault(id_, [0, 0, 0, 0])
            for at, number in enumerate(numbers):
                held[at] += number
        self.hands += other.hands
        self.singles += other.singles
        for difference, (order, wons) in other.lowest.items():
            self.keep(difference, order, wons)

    def keep(self, difference: int, order: _Order, wons: tuple[Won, ...]) -> None:
        """Keep a hand if it is the smallest so far with its difference in points."""
        known = self.lowest.get(difference)
        if known is None and len(self.lowest) >= MOST_LOWEST:
            return
        if known is None or order < known[0]:
            self.lowest[difference] = (order, wons)

    def note(self, pattern: str, hands: int, ways: int, *, gained: bool) -> None:
        """Note in how many hands only one of the rulesets counts a pattern."""
        held = self.patterns.setdefault(pattern, [0, 0, 0, 0])
        held[1 if gained else 0] += hands
        held[3 if gained else 2] += ways

    def impact(self, *, complete: bool, seed: int | None = None) -> Impact:
        """The same as a value."""
        numbers = {name: getattr(self, name) for name in _NUMBERS}
        return Impact(
            **numbers,
            differences=dict(sorted(self.differences.items())),
            patterns={
                id_: Tilt(lost, gained, lost_ways, gained_ways)
                for id_, (lost, gained, lost_ways, gained_ways) in self.patterns.items()
            },
            complete=complete,
            seed=seed,
        )


_NUMBERS = (
    "looked", "changed", "up", "down", "otherwise", "wins_gained", "wins_lost", "payments_changed",
    "by_tile", "by_tile_ways", "ways", "changed_ways", "up_ways", "down_ways",
)  # fmt: skip


# ---- all concealed hands -------------------------------------------------------------------


def both_shapes(old: Rules, new: Rules) -> tuple[Shape, ...]:
    """The shapes of two rulesets, each different one once."""
    return tuple(dict.fromkeys((*old.shapes, *new.shapes)))


def both_walls(old: Rules, new: Rules) -> dict[int, int]:
    """The most that either ruleset has of each tile that a shape can have."""
    walls = (old.data.wall.copies, new.data.wall.copies)
    return {
        tile: max(wall.get(tile, 0) for wall in walls)
        for tile in range(FIRST_FLOWER)
        if any(wall.get(tile, 0) for wall in walls)
    }


def over_all_hands(
    old: Rules,
    new: Rules,
    ids: Mapping[str, str],
    *,
    seed: int = 1,
    jobs: int = 1,
    ends: float = float("inf"),
    singles: Sequence[Single] = (),
    progress: Progress | None = None,
) -> tuple[Impact | None, list[Won], list[list[Won | None]]]:
    """What becomes of every concealed winning hand of either ruleset, and some that change; and
    for each part of them the smallest hand of each of some `singles` changes, see `singles`.

    Each is scored under both as East's self-draw without events, with the winning tile that
    scores most there; the smallest that change are looked for with each winning tile, where it
    matters. `ids` gives old patterns the ids that they have now. At `ends` (by the
    monotonic clock) what was seen so far is given as not complete: every so many-th hand of all,
    from places that `seed` chooses, so that it is like the whole.
    """
    look = _Look(old, new, ids, singles)
    if ends != float("inf"):
        left = ends - time.monotonic()
        look.until = time.time() + left
        jobs = jobs if left > WORTH_OTHERS else 1
    size = len(look.hands)
    tasks = _tasks(size, TASK)
    if ends != float("inf"):
        # Small tasks end in time, large ones cost less.
        tasks = _spread(size, CHUNK, seed)
    found = Sum()
    for _, part in looked(look, tasks, jobs, ends):
        found.add(part)
        if progress is not None:
            progress(found.looked, size)
        if time.monotonic() > ends and found.looked < size:
            break
    lowest = [won for _, wons in found.lowest.values() for won in wons]
    impact = found.impact(complete=found.looked == size)
    return impact, [*lowest, *found.hands], found.singles


_Task = tuple[int, int, int]
"""The first place of hands to look at, the place to end before, and the step between."""


def _tasks(size: int, most: int) -> list[_Task]:
    """All places, one after the other."""
    return [(start, min(start + most, size), 1) for start in range(0, size, most)]


def _spread(size: int, most: int, seed: int) -> list[_Task]:
    """All places in tasks that are spread over them evenly, in an order by chance."""
    step = max(-(-size // most), 1)
    tasks = [(start, size, step) for start in range(min(step, size))]
    random.Random(seed).shuffle(tasks)
    return tasks


class _Look:
    """Looks at the hands of some places."""

    def __init__(
        self, old: Rules, new: Rules, ids: Mapping[str, str], singles: Sequence[Single] = ()
    ) -> None:
        self.old = old
        self.new = new
        self.ids = dict(ids)
        self.singles = tuple(singles)
        self.until = float("inf")
        """When, by the clock that all processes share, no more is begun."""
        self.wall = both_walls(old, new)
        self.hands = EveryHand(both_shapes(old, new), self.wall)
        shared = (
            SharedRowFinder(old.shapes, old.program.reads)
            if (old.shapes, old.program.reads) == (new.shapes, new.program.reads)
            else None
        )
        self.scorers = (BestScorer(old, finder=shared), BestScorer(new, finder=shared))
        self.patterns = _Patterns(old, new, ids)
        self.search = Singles(self.singles)
        # A change by itself may touch other hands than all of them together.
        choices = [touched_by(old, new, ids), *self.search.choices]
        known = [choice for choice in choices if choice is not None]
        self.touched = Touched(known) if len(known) == len(choices) else None

    def __call__(self, task: _Task) -> Sum:
        places = np.arange(*task, dtype=np.int64)
        found = Sum()
        if time.time() > self.until:
            return found
        self.search.start()
        for at in range(0, len(places), CHUNK):
            hands = self.hands.at(places[at : at + CHUNK])
            ways = ways_to_draw(hands, self.wall)
            found.looked += len(hands)
            found.ways += int(ways.sum())
            if self.touched is not None:
                some = np.flatnonzero(self.touched.among(hands).any(axis=0))
                hands, ways = hands.take(some), ways[some]
            scored = [scorer.score(hands) for scorer in self.scorers]
            sides = [
                self._scored(rules, one.hands, one.judged)
                for rules, one in zip((self.old, self.new), scored, strict=True)
            ]
            self.search.look(hands, _ranks(scored[0].judged), scored[0].asks)
            asked = scored[0].asks | scored[1].asks
            changed = self._add(found, hands, ways, sides, ~asked)
            by_tile = self._of_tried(found, hands, np.flatnonzero(asked), scored)
            by_tile = np.setdiff1d(by_tile, changed)
            found.by_tile += len(by_tile)
            found.by_tile_ways += int(ways[by_tile].sum())
        del found.hands[SHOWN:]
        found.singles.append(self.search.found())
        return found

    def _scored(self, rules: Rules, hands: Hands, judged: Judged) -> _Scored:
        win = (judged.place >= 0) & (judged.base >= rules.program.numbers.minimum)
        wall = rules.data.wall.copies
        if any(wall.get(tile, 0) < n for tile, n in self.wall.items()):
            win &= ways_to_draw(hands, wall) > 0
        points = np.where(win, judged.points, 0)
        found = _standing(judged)
        found[:, ~win] = 0
        return _Scored(hands, judged, win, points, found)

    def _changed(self, sides: Sequence[_Scored]) -> tuple[NDArray[np.intp], NDArray[np.uint64]]:
        """The hands that change, and the old patterns of all as new ones."""
        old, new = sides
        moved = self.patterns.in_new(old.found)
        other = self.patterns.only_old(old.found)
        for before, after in zip(moved, new.found, strict=True):
            other |= before != after
        other |= self.patterns.count_differs(old, new)
        change = (old.win != new.win) | (old.points != new.points) | other
        return np.flatnonzero(change), moved

    def _of_tried(
        self, found: Sum, hands: Hands, asked: NDArray[np.intp], scored: Sequence[Scored]
    ) -> NDArray[np.int64]:
        """The hands that change with one of the tiles that may have won them, of those for which
        the winning tile matters: what shows a difference need not be the tile that scores most.
        The smallest, with its tile, are kept."""
        if not len(asked):
            return asked
        known = _each_tried(scored)
        if known is None:
            some = hands.take(asked)
            row, tile = winning_tiles(some)
            if not len(row):
                return row
            tried = Hands(some.suited[row], some.honors[row], tile)
            known = asked[row], tried, [scorer.scorer.score(tried) for scorer in self.scorers]
        of_hand, tried, both = known
        sides = [
            self._scored(rules, tried, judged)
            for rules, judged in zip((self.old, self.new), both, strict=True)
        ]
        rows, _ = self._changed(sides)
        self._keep_lowest(found, tried, sides, rows)
        return np.unique(of_hand[rows])

    def _add(
        self,
        found: Sum,
        hands: Hands,
        ways: NDArray[np.int64],
        sides: list[_Scored],
        kept: NDArray[np.bool_],
    ) -> NDArray[np.intp]:
        """Add what was seen of some hands, and tell which change; of those that are `kept` keep
        the smallest."""
        old, new = sides
        rows, moved = self._changed(sides)
        if not len(rows):
            return rows
        difference = new.points[rows].astype(np.int64) - old.points[rows]
        weights = ways[rows]
        up, down = difference > 0, difference < 0
        found.changed += len(rows)
        found.changed_ways += int(weights.sum())
        found.up += int(up.sum())
        found.down += int(down.sum())
        found.up_ways += int(weights[up].sum())
        found.down_ways += int(weights[down].sum())
        both = old.win[rows] & new.win[rows]
        found.otherwise += int((both & (difference == 0)).sum())
        found.wins_gained += int((new.win & ~old.win)[rows].sum())
        found.wins_lost += int((old.win & ~new.win)[rows].sum())
        values, counts = np.unique(difference[difference != 0], return_counts=True)
        found.differences.update(dict(zip(values.tolist(), counts.tolist(), strict=True)))
        self.patterns.note(found, old, new, moved, rows, weights)
        for row in rows[:: max(len(rows) // SHOWN, 1)][:SHOWN].tolist():
            found.hands += [_won(side.hands, row) for side in sides]
        self._keep_lowest(found, hands, sides, rows[kept[rows]])
        return rows

    def _keep_lowest(
        self, found: Sum, hands: Hands, sides: Sequence[_Scored], rows: NDArray[np.intp]
    ) -> None:
        """Keep the smallest of some hands for each difference in points."""
        old, new = sides
        difference = new.points[rows].astype(np.int64) - old.points[rows]
        patterns = np.maximum(_counted(old.found[:, rows]), _counted(new.found[:, rows]))
        points = np.maximum(old.points[rows], new.points[rows]).astype(np.int64)
        ranks = rank(patterns, points)
        for value in np.unique(difference)[: 2 * MOST_LOWEST].tolist():
            those = np.flatnonzero(difference == value)
            those = those[ranks[those] == ranks[those].min()]
            row = _lowest(hands, rows[those])
            at = int(those[0])
            tiles = tuple(_tiles(hands, row))
            wons = tuple(dict.fromkeys(_won(side.hands, row) for side in sides))
            found.keep(value, (int(patterns[at]), int(points[at]), tiles), wons)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Look, (self.old, self.new, self.ids, self.singles), {"until": self.until}


def _each_tried(
    scored: Sequence[Scored],
) -> tuple[NDArray[np.int64], Hands, list[Judged]] | None:
    """Hands with each winning tile that matters, by their places, and what both rulesets make of
    them, where that is known: they asked of the same hands and tiles, or only one of them asks at
    all."""
    one, other = (each.tried for each in scored)
    if one is not None and other is not None:
        both = [one.judged, other.judged]
        return (one.row, one.hands, both) if one.same_hands(other) else None
    tried = one or other
    if tried is None or all(each.asks.any() for each in scored):
        return None
    judged = [
        tried.judged if each.tried is tried else taken(each.judged, tried.row) for each in scored
    ]
    return tried.row, tried.hands, judged


@dataclass(frozen=True, slots=True)
class _Scored:
    """Hands under one ruleset: with the winning tile chosen, and what counts in those that win."""

    hands: Hands
    judged: Judged
    win: NDArray[np.bool_]
    points: NDArray[np.int32]
    found: NDArray[np.uint64]


def _standing(judged: Judged) -> NDArray[np.uint64]:
    """The patterns that count in each total: where a limit pattern stands alone, it alone."""
    found = judged.found.copy()
    rows = np.flatnonzero(judged.alone >= 0)
    if len(rows):
        place = judged.alone[rows].astype(np.int64)
        found[:, rows] = 0
        found[place // 64, rows] = np.uint64(1) << (place % 64).astype(np.uint64)
    return found


def _ranks(judged: Judged) -> NDArray[np.int64]:
    """What hands are ranked by, be they worth a win or not."""
    points: NDArray[np.int64] = judged.points.astype(np.int64)
    return rank(_counted(_standing(judged)), points)


class _Patterns:
    """Tells which patterns of two rulesets are the same, by bits."""

    def __init__(self, old: Rules, new: Rules, ids: Mapping[str, str]) -> None:
        order = new.program.order
        self.new_place = {pattern.id: at for at, pattern in enumerate(order)}
        self.ids = [ids.get(pattern.id, pattern.id) for pattern in old.program.order]
        self.new_ids = [pattern.id for pattern in order]
        self.words = max((len(order) + 63) // 64, 1)
        self.old_words = max((len(self.ids) + 63) // 64, 1)
        self.same = self.ids == self.new_ids
        self.gone = np.zeros(self.old_words, dtype=np.uint64)
        tables = np.zeros((self.old_words * 8, 256, self.words), dtype=np.uint64)
        bytes_ = np.arange(256)
        for at, id_ in enumerate(self.ids):
            to = self.new_place.get(id_)
            if to is None:
                self.gone[at // 64] |= np.uint64(1) << np.uint64(at % 64)
            else:
                held = (bytes_ >> (at % 8) & 1).astype(bool)
                tables[at // 8, held, to // 64] |= np.uint64(1) << np.uint64(to % 64)
        self.tables = [(at, table) for at, table in enumerate(tables) if table.any()]
        self.dynamic = [
            (at, self.new_place[id_])
            for at, id_ in enumerate(self.ids)
            if id_ in self.new_place
            and (at in old.program.dynamic or self.new_place[id_] in new.program.dynamic)
        ]

    def in_new(self, found: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Bits of old patterns as those of new ones."""
        if self.same:
            return found
        as_bytes = found.astype("<u8", copy=False).view(np.uint8).reshape(*found.shape, 8)
        moved = np.zeros((self.words, found.shape[1]), dtype=np.uint64)
        for at, table in self.tables:
            column = as_bytes[at // 8, :, at % 8]
            for word in range(self.words):
                moved[word] |= table[:, word].take(column)
        return moved

    def only_old(self, found: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Hands that count a pattern which the new ruleset has not."""
        other = np.zeros(found.shape[1], dtype=bool)
        for word, gone in zip(found, self.gone, strict=True):
            other |= (word & gone) != 0
        return other

    def count_differs(self, old: _Scored, new: _Scored) -> NDArray[np.bool_]:
        """Hands that win under both and count a pattern more often under one of them."""
        other = np.zeros(len(old.win), dtype=bool)
        for before, after in self.dynamic:
            counts = [
                side.judged.counts[place] * self._there(side.found, place)
                if place in side.judged.counts
                else self._there(side.found, place).astype(np.int32)
                for side, place in ((old, before), (new, after))
            ]
            other |= counts[0] != counts[1]
        return other & old.win & new.win

    def _there(self, found: NDArray[np.uint64], place: int) -> NDArray[np.bool_]:
        there: NDArray[np.bool_] = (found[place // 64] >> np.uint64(place % 64) & np.uint64(1)) != 0
        return there

    def note(
        self,
        into: Sum,
        old: _Scored,
        new: _Scored,
        moved: NDArray[np.uint64],
        rows: NDArray[np.int64],
        ways: NDArray[np.int64],
    ) -> None:
        """Note what counts in some hands under one ruleset and not under the other."""
        for at, id_ in enumerate(self.ids):
            if id_ not in self.new_place:
                there = self._there(old.found[:, rows], at)
                if there.any():
                    into.note(id_, int(there.sum()), int(ways[there].sum()), gained=False)
        before, after = moved[:, rows], new.found[:, rows]
        for at, id_ in enumerate(self.new_ids):
            one, other = self._there(before, at), self._there(after, at)
            for mask, gained in ((one & ~other, False), (other & ~one, True)):
                if mask.any():
                    into.note(id_, int(mask.sum()), int(ways[mask].sum()), gained=gained)


def _counted(found: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many patterns count in each hand."""
    counted: NDArray[np.int64] = np.bitwise_count(found).sum(axis=0, dtype=np.int64)
    return counted


def _lowest(hands: Hands, rows: NDArray[np.int64]) -> int:
    """The one of some hands whose tiles in their order come first: the one with most of the lowest
    tile, of those with most of the next, ..."""
    keys = [key[rows] for key in keys_of(hands)]
    left = np.arange(len(rows))
    for key in keys:
        for power in POWERS:
            if len(left) == 1:
                break
            copies = key[left] // power % 5
            left = left[copies == copies.max()]
    return int(rows[left[0]])


def _tiles(hands: Hands, row: int) -> list[int]:
    """The tiles of one of the hands in their order."""
    tiles: list[int] = []
    for suit, key in enumerate(keys_of(hands.take(slice(row, row + 1)))):
        for place, power in enumerate(POWERS):
            tiles += [9 * suit + place] * (int(key[0]) // power % 5)
    return tiles


def _won(hands: Hands, row: int) -> Won:
    """One of the hands, as East's self-draw."""
    tiles = _tiles(hands, row)
    won = int(hands.won[row])
    tiles.remove(won)
    return Won(Hand(tuple(tiles), (), won), Situation())


# ---- plays by chance -----------------------------------------------------------------------


def over_plays(
    old: Rules,
    new: Rules,
    ids: Mapping[str, str],
    seed: int,
    *,
    number: int = PLAYS,
    ends: float = float("inf"),
    progress: Progress | None = None,
) -> tuple[Impact, list[Won]]:
    """What becomes of hands by chance in situations by chance, half of them as one ruleset has
    them and half as the other, and some that change. A play that a ruleset cannot have is no win
    there."""
    sides = [plays(old, seed), plays(new, seed + 1)]
    scorers = [TableScorer(rules, arrangements=False) for rules in (old, new)]
    orders = [_ids_of(old, ids), _ids_of(new, {})]
    found = Sum()
    step = 500 if ends == float("inf") else 200
    while found.looked < number and time.monotonic() < ends:
        side = sides[found.looked // step % 2]
        some = list(itertools.islice(side, min(step, number - found.looked)))
        records = [play.record() for play in some]
        batch = _table(records)
        results = [
            _by_hand(scorer.score(batch, records), order)
            for scorer, order in zip(scorers, orders, strict=True)
        ]
        for at, play in enumerate(some):
            if _add_play(found, results[0][at], results[1][at]) and len(found.hands) < 400:
                found.hands.append(Won(play.hand, play.situation))
        if progress is not None:
            progress(found.looked, number)
    return found.impact(complete=found.looked >= number, seed=seed), found.hands


def _ids_of(rules: Rules, ids: Mapping[str, str]) -> list[str]:
    return [ids.get(pattern.id, pattern.id) for pattern in rules.program.order]


def _table(records: list[dict[str, Any]]) -> pa.RecordBatch:
    columns = {
        name: [record.get(name) for record in records]
        for name in dict.fromkeys(name for record in records for name in record)
    }
    arrays = {}
    for name, values in columns.items():
        if name == "dora":
            values = [None if value is None else str(value) for value in values]
        arrays[name] = pa.array(values)
    return pa.RecordBatch.from_pydict(arrays)


_Line = tuple[bool, int, tuple[tuple[str, int], ...], tuple[int, ...] | None]


def _by_hand(outcome: Outcome, order: list[str]) -> list[_Line]:
    """What each hand comes to: whether it wins, its points, its patterns, who is paid what."""
    counted: list[list[tuple[str, int]]] = [[] for _ in range(len(outcome))]
    entries = outcome.entries
    for row, place, count in zip(
        entries.row.tolist(), entries.place.tolist(), entries.count.tolist(), strict=True
    ):
        counted[row].append((order[place], count))
    found: list[_Line] = []
    payments = outcome.payments.T.tolist()
    for row in range(len(outcome)):
        win = bool(outcome.win[row]) and row not in outcome.errors
        paid = tuple(payments[row]) if win and outcome.paid[row] else None
        patterns = tuple(sorted(counted[row])) if win else ()
        found.append((win, int(outcome.points[row]) if win else 0, patterns, paid))
    return found


def _add_play(found: Sum, old: _Line, new: _Line) -> bool:
    """Add one play; tells whether anything about it changes."""
    found.looked += 1
    paid = old[0] and new[0] and old[3] != new[3]
    found.payments_changed += paid
    if old[:3] == new[:3]:
        return paid
    found.changed += 1
    difference = new[1] - old[1]
    found.up += difference > 0
    found.down += difference < 0
    found.otherwise += old[0] and new[0] and difference == 0
    found.wins_gained += new[0] and not old[0]
    found.wins_lost += old[0] and not new[0]
    if difference:
        found.differences[difference] += 1
    before, after = ({id_ for id_, _ in line[2]} for line in (old, new))
    for id_ in before - after:
        found.note(id_, 1, 0, gained=False)
    for id_ in after - before:
        found.note(id_, 1, 0, gained=True)
    return True
