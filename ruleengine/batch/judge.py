"""Judges many arrangements at once, and chooses the best one of each hand.

Does what `ruleengine.judge` writes, column by column: conditions, series, supersession, limits,
totals. Patterns stand in the order of a result. A judge is for hands of one kind; where it is
also for one shape, what that shape cannot have is folded away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.judge import JudgeWriter, in_series, superseders_first
from ruleengine.language.columns import ColumnProgram

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ruleengine.batch.amounts import Amounts
    from ruleengine.batch.rows import Rows
    from ruleengine.judge import Lowered
    from ruleengine.program import Program

Column = Any
Numbers = Any
"""A column of amounts: int32, or int64 where the ruleset's may be larger (see `amounts`)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Hands judged, a row a hand; a hand without a winning shape has `place` -1.

    `found` has a column of bits for every 64 patterns, in the order of a result; `counts` how
    often those patterns count that may count more than once, by their place; `awards` what
    they add in the first unit, where that is not always the same. `alone` is the place of a
    limit pattern that stands alone, or -1. `there` are the patterns whose conditions hold on the
    chosen arrangement, counted or lost, as bits like `found`; only where the judge keeps them.
    `order` says which arrangement was chosen (see `rows.Rows`), -1 where there is none.
    """

    points: Numbers
    base: Numbers
    place: NDArray[np.int32]
    found: NDArray[np.uint64]
    counts: dict[int, Numbers]
    awards: dict[int, Numbers]
    alone: NDArray[np.int16]
    there: NDArray[np.uint64] | None = None
    order: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.points)


@dataclass(frozen=True, slots=True)
class _Worth:
    """A pattern of the judge with what it adds in each unit, where that is always the same."""

    low: Lowered
    place: int
    bonus: bool
    value: tuple[int, ...] | None
    shown: int


class ColumnJudge:
    """Judges rows under one program, for hands of one kind (`fixed` facts)."""

    def __init__(
        self,
        program: Program,
        fixed: Mapping[str, int],
        amounts: Amounts,
        *,
        keeps_there: bool = False,
    ) -> None:
        self.program = program
        self.number = amounts.number
        self.keeps_there = keeps_there
        self.numbers = program.numbers
        lowering = program.lowering(fixed)
        writer = JudgeWriter(program.data, program.order, program.numbers, lowering)
        self.units = program.data.units
        self.value = None if writer.value is None else ColumnProgram([writer.value], amounts.units)
        false = lowering.ops.false
        self.patterns = [self._worth(low) for low in writer.lowered if low.when is not false]
        self.words = max((len(writer.lowered) + 63) // 64, 1)
        self.lines = (len(writer.lowered) + 7) // 8 * 8
        self.eights = sorted({worth.place // 8 for worth in self.patterns})
        there = {worth.place for worth in self.patterns}
        by_place = {worth.place: worth for worth in self.patterns}
        self.series = [
            [by_place[low.place] for low in members if low.place in there]
            for members in in_series(writer.lowered)
        ]
        self.series = [members for members in self.series if len(members) > 1]
        places = {low.pattern.id: low.place for low in writer.lowered}
        self.drops = [
            (low.place, [places[name] for name in low.pattern.supersedes if places[name] in there])
            for low in superseders_first(writer.lowered)
            if low.pattern.supersedes and low.place in there
        ]
        self.columns = ColumnProgram(op for worth in self.patterns for op in worth.low.operations)
        self.sums = [
            [
                _SumTables(self.patterns, at, self.words, bonus, self.number)
                for at in range(len(self.units))
            ]
            for bonus in (False, True)
        ]
        self.has_bonus = any(worth.bonus for worth in self.patterns)
        self.plain = _mask_words(
            [worth.place for worth in self.patterns if not worth.bonus], self.words
        )
        self.limits = self._may_stand_alone()

    def _worth(self, low: Lowered) -> _Worth:
        awards = low.pattern.awards
        shown = next(at for at, unit in enumerate(self.units) if unit in awards)
        return _Worth(low, low.place, low.pattern.bonus, low.value, shown)

    def _may_stand_alone(self) -> list[_Worth]:
        limit = self.numbers.limit_from
        if limit is None:
            return []
        return [
            worth
            for worth in self.patterns
            if not worth.bonus and (worth.value is None or worth.value[0] >= limit)
        ]

    def judge(
        self,
        facts: Mapping[str, Any],
        rows: Rows,
        into: Judged,
        hands: slice | NDArray[np.intp],
        before: NDArray[np.int32] | None = None,
    ) -> None:
        """Judge the rows of some hands of one shape and put what is best into `into`.

        `hands` says where the hands stand there: a slice, or places. `before` says how many rows
        of earlier shapes each of them has; what those came to stays unless it is worth less.
        """
        size = len(rows)
        worked = self.columns.run(facts)
        hits = np.zeros((self.lines, size), dtype=bool)
        counts: dict[int, Column] = {}
        for worth in self.patterns:
            hit = hits[worth.place]
            hit[:] = worked[worth.low.when]
            if worth.low.times is not None:
                times = np.broadcast_to(self._wide(worked[worth.low.times]), size)
                counts[worth.place] = times
                hit &= times > 0
        amounts = {
            worth.place: self._amounts(worth, worked, counts)
            for worth in self.patterns
            if worth.value is None
        }
        there = _as_bits(hits, self.words, self.eights) if self.keeps_there else None
        self._choose_in_series(hits, amounts)
        for place, dropped in self.drops:
            for other in dropped:
                hits[other] &= ~hits[place]
        found = _as_bits(hits, self.words, self.eights)
        total, base, alone = self._total(hits, found, amounts)
        judged = (total, base, alone, found, there)
        self._keep_best(rows, into, hands, before, judged, counts, amounts)

    def _amounts(
        self, worth: _Worth, worked: Mapping[Any, Column], counts: Mapping[int, Column]
    ) -> tuple[Column, ...]:
        """What a pattern adds in each unit, where it is there, as columns or numbers."""
        awards = [self._wide(worked[award]) for award in worth.low.awards]
        times = counts.get(worth.place)
        return tuple(award if times is None else award * times for award in awards)

    def _wide(self, value: Column) -> Column:
        """A number or a column of numbers, in the type of the amounts."""
        if isinstance(value, int):
            return self.number(value)
        return value if value.dtype == self.number else value.astype(self.number)

    def _choose_in_series(
        self, hits: NDArray[np.bool_], amounts: Mapping[int, tuple[Column, ...]]
    ) -> None:
        for members in self.series:
            if all(worth.value is not None for worth in members):
                ranked = sorted(members, key=lambda worth: worth.value or (), reverse=True)
                taken = hits[ranked[0].place].copy()
                for worth in ranked[1:-1]:
                    mine = hits[worth.place]
                    mine &= ~taken
                    taken |= mine
                hits[ranked[-1].place] &= ~taken
                continue
            best: list[Column] = [self.number(0)] * len(self.units)
            choice = np.full(hits.shape[1], -1, dtype=np.int16)
            for worth in members:
                mine = amounts.get(worth.place, worth.value or ())
                better = hits[worth.place] & ((choice < 0) | _greater(mine, best))
                best = [
                    np.where(better, self._wide(award), held)
                    for award, held in zip(mine, best, strict=True)
                ]
                choice[better] = worth.place
            for worth in members:
                hits[worth.place] &= choice == worth.place

    # ---- totals ---------------------------------------------------------------------

    def _sums(
        self,
        hits: NDArray[np.bool_],
        found: NDArray[np.uint64],
        amounts: Mapping[int, tuple[Column, ...]],
        bonus: bool,
    ) -> list[Numbers]:
        """What the patterns (or the bonuses) that count add up to, unit by unit."""
        summed = []
        for at, tables in enumerate(self.sums[bonus]):
            total = tables.of(found)
            for worth in self.patterns:
                if worth.value is None and worth.bonus == bonus:
                    award = amounts[worth.place][at]
                    if (hasattr(award, "shape") and award.shape) or award:
                        total += hits[worth.place] * award
            summed.append(total)
        return summed

    def _value(self, sums: Sequence[Numbers]) -> Numbers:
        """The total of the sums: that of the only unit, or what the ruleset says."""
        if self.value is None:
            return sums[0]
        named = dict(zip(self.units, sums, strict=True))
        value = self.value.run({name: named[name] for name in self.value.facts})[
            self.value.roots[0]
        ]
        return np.broadcast_to(self._wide(value), sums[0].shape)

    def _total(
        self,
        hits: NDArray[np.bool_],
        found: NDArray[np.uint64],
        amounts: Mapping[int, tuple[Column, ...]],
    ) -> tuple[Numbers, Numbers, NDArray[np.int16] | None]:
        """The total of each row, its worth without bonuses, and the limit pattern that stands
        alone (None where none can)."""
        numbers = self.numbers
        sums = self._sums(hits, found, amounts, bonus=False)
        some = (found[0] & self.plain[0]) != 0
        for word, plain in zip(found[1:], self.plain[1:], strict=True):
            some |= (word & plain) != 0
        base = np.where(some, self._value(sums), self.number(numbers.empty))
        total = base
        if self.has_bonus:
            extra = self._sums(hits, found, amounts, bonus=True)
            total = base + extra[0]
            if self.value is not None:
                both = [a + b for a, b in zip(sums, extra, strict=True)]
                total = np.where(some, self._value(both), total)
        if numbers.cap is not None:
            total = np.minimum(total, self.number(numbers.cap))
        alone = self._standing_alone(hits, amounts)
        if alone is not None:
            place, value = alone
            standing = place >= 0
            total = np.where(standing, value, total)
            base = np.where(standing, value, base)
            return total, base, place
        return total, base, None

    def _standing_alone(
        self, hits: NDArray[np.bool_], amounts: Mapping[int, tuple[Column, ...]]
    ) -> tuple[NDArray[np.int16], Numbers] | None:
        """The most valuable pattern that reaches the limit, and what it is worth alone."""
        limit = self.numbers.limit_from
        candidates = [worth for worth in self.limits if hits[worth.place].any()]
        if limit is None or not candidates:
            return None
        size = hits.shape[1]
        alone = np.full(size, -1, dtype=np.int16)
        tops = [
            np.full(size, limit - 1 if not at else 0, self.number) for at in range(len(self.units))
        ]
        for worth in candidates:
            awards = amounts.get(worth.place, worth.value or ())
            higher = hits[worth.place] & (awards[0] > tops[0])
            alone[higher] = worth.place
            tops = [
                np.where(higher, self._wide(award), top)
                for award, top in zip(awards, tops, strict=True)
            ]
        return alone, self._value(tops)

    # ---- the best row of each hand --------------------------------------------------

    def _keep_best(
        self,
        rows: Rows,
        into: Judged,
        hands: slice | NDArray[np.intp],
        before: NDArray[np.int32] | None,
        judged: tuple[Any, ...],
        counts: Mapping[int, Column],
        amounts: Mapping[int, tuple[Column, ...]],
    ) -> None:
        total, base, alone, found, there = judged
        places = np.zeros(len(rows), dtype=np.int32)
        chosen: Any = slice(None)
        whose: Any = hands
        if not rows.whole or before is not None:
            chosen = _first_of_best(rows.hand, total, places)
            hand = rows.hand.take(chosen)
            whose = hand + hands.start if isinstance(hands, slice) else hands.take(hand)
            if before is not None:
                # A shape that comes earlier may be worth more, or as much.
                earlier = before.take(hand)
                better = (earlier == 0) | (total.take(chosen) > into.points.take(whose))
                chosen, whose = chosen[better], whose[better]
                places[chosen] += earlier[better]
        into.points[whose] = total[chosen]
        into.base[whose] = base[chosen]
        into.place[whose] = places[chosen]
        into.found[:, whose] = found[:, chosen]
        into.alone[whose] = -1 if alone is None else alone[chosen]
        if into.there is not None and there is not None:
            into.there[:, whose] = there[:, chosen]
        if into.order is not None:
            into.order[whose] = rows.order[chosen]
        for worth in self.patterns:
            at = worth.place
            if at in into.counts:
                awards = amounts[at] if worth.value is None else worth.value
                into.counts[at][whose] = _chosen(counts.get(at, 1), chosen)
                into.awards[at][whose] = _chosen(awards[worth.shown], chosen)


def nothing(
    program: Program, size: int, number: Any, *, keeps_there: bool, keeps_order: bool
) -> Judged:
    """Hands none of which has a winning shape; amounts are of the type `number`."""
    words = max((len(program.order) + 63) // 64, 1)
    return Judged(
        np.zeros(size, number),
        np.zeros(size, number),
        np.full(size, -1, np.int32),
        np.zeros((words, size), np.uint64),
        {place: np.zeros(size, number) for place in program.dynamic},
        {place: np.zeros(size, number) for place in program.dynamic},
        np.full(size, -1, np.int16),
        np.zeros((words, size), np.uint64) if keeps_there else None,
        np.full(size, -1, np.int64) if keeps_order else None,
    )


class _SumTables:
    """Adds up what patterns are worth that are always worth the same, by bytes of their bits."""

    def __init__(
        self, patterns: list[_Worth], unit: int, words: int, bonus: bool, number: Any
    ) -> None:
        self.number = number
        amounts = np.zeros(words * 64, dtype=number)
        for worth in patterns:
            if worth.value is not None and worth.bonus == bonus:
                amounts[worth.place] = worth.value[unit]
        self.tables: list[tuple[int, int, Numbers]] = []
        bits = np.arange(256, dtype=number)
        for byte, eight in enumerate(amounts.reshape(-1, 8)):
            if eight.any():
                table = sum((bits >> at & 1) * eight[at] for at in range(8))
                self.tables.append((byte // 8, byte % 8, np.asarray(table, dtype=number)))

    def of(self, found: NDArray[np.uint64]) -> Numbers:
        """The sums of rows, `found` being the bits of what counts."""
        total: Numbers | None = None
        as_bytes = found.astype("<u8", copy=False).view(np.uint8).reshape(*found.shape, 8)
        for word, byte, table in self.tables:
            part = table.take(as_bytes[word, :, byte])
            if total is None:
                total = part
            else:
                total += part
        return np.zeros(found.shape[1], dtype=self.number) if total is None else total


def _mask_words(places: list[int], words: int) -> NDArray[np.uint64]:
    found = [
        sum(1 << (at - 64 * word) for at in places if at // 64 == word) for word in range(words)
    ]
    return np.array(found, dtype=np.uint64)


def _chosen(column: Column, rows: Any) -> Column:
    return column[rows] if getattr(column, "shape", ()) else column


def _first_of_best(
    hand: NDArray[np.intp], total: Numbers, places: NDArray[np.int32]
) -> NDArray[np.intp]:
    """The row of each hand that has the highest total, the first of equals; fills `places` with
    the place of each row among those of its hand. Rows of a hand stand together, in order."""
    if not len(hand):
        return np.zeros(0, dtype=np.intp)
    starts = np.flatnonzero(np.r_[True, hand[1:] != hand[:-1]])
    if len(starts) == len(hand):
        return starts
    sizes = np.diff(starts, append=len(hand))
    places += np.arange(len(hand), dtype=np.int32) - np.repeat(starts, sizes).astype(np.int32)
    best = np.maximum.reduceat(total, starts)
    top = np.flatnonzero(total == np.repeat(best, sizes))
    group = hand.take(top)
    return top[np.r_[True, group[1:] != group[:-1]]]


def _as_bits(hits: NDArray[np.bool_], words: int, eights: Sequence[int]) -> NDArray[np.uint64]:
    """Truths, a row a pattern, as bits: a row for every 64 patterns. `eights` are the groups of
    eight patterns of which some may be there."""
    size = hits.shape[1]
    packed = np.zeros((words, size, 8), dtype=np.uint8)
    bytes_ = hits.view(np.uint8)
    for eight in eights:
        byte = bytes_[8 * eight].copy()
        for at in range(1, 8):
            byte |= bytes_[8 * eight + at] << np.uint8(at)
        packed[eight // 8, :, eight % 8] = byte
    return packed.view("<u8")[:, :, 0].astype(np.uint64, copy=False)


def _greater(left: tuple[Column, ...], right: list[Column]) -> Column:
    """Whether amounts are greater, unit by unit in their order."""
    greater: Column = False
    equal: Column = True
    for mine, theirs in zip(left, right, strict=True):
        greater = greater | (equal & (mine > theirs))
        equal = equal & (mine == theirs)
    return greater
