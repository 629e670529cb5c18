"""Judges many arrangements at once, and chooses the best one of each hand.

Does what `ruleengine.judge` writes, column by column: conditions, series, supersession, limits,
totals. Patterns stand in the order of a result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.judge import JudgeWriter, in_series, superseders_first
from ruleengine.language.columns import ColumnProgram

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ruleengine.program import Program

Column = Any


@dataclass(frozen=True, slots=True)
class Judged:
    """Hands judged, a row a hand; a hand without a winning shape has `place` -1.

    `found` has a column of bits for every 64 patterns, in the order of a result; `counts` how
    often those patterns count that may count more than once, by their place; `awards` what
    they add in the first unit, where that is not always the same. `alone` is the place of a
    limit pattern that stands alone, or -1.
    """

    points: NDArray[np.int32]
    base: NDArray[np.int32]
    place: NDArray[np.int32]
    found: NDArray[np.uint64]
    counts: dict[int, NDArray[np.int32]]
    awards: dict[int, NDArray[np.int32]]
    alone: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.points)


class ColumnJudge:
    """Judges rows under one program, for hands of one kind (`fixed` facts, as in `Program.judge`)."""

    def __init__(self, program: Program, fixed: Mapping[str, int]) -> None:
        self.program = program
        self.numbers = program.numbers
        writer = JudgeWriter(program.data, program.order, program.numbers, program.lowering(fixed))
        self.lowered = writer.lowered
        self.value = writer.value
        self.units = program.data.units
        self.series = in_series(self.lowered)
        self.superseders = [x for x in superseders_first(self.lowered) if x.pattern.supersedes]
        self.places = {low.pattern.id: low.place for low in self.lowered}
        self.columns = ColumnProgram(op for low in self.lowered for op in low.operations)
        self.words = (len(self.lowered) + 63) // 64
        self.dynamic = [low.place for low in self.lowered if low.value is None]

    def judge(
        self,
        facts: Mapping[str, Any],
        hand: NDArray[np.int32],
        order: NDArray[np.int64],
        size: int,
    ) -> Judged:
        """Judge rows; `hand` says which of `size` hands each is of, `order` sorts rows of one."""
        rows = len(hand)
        worked = self.columns.run(facts)
        hits = np.zeros((self.words * 64, rows), dtype=bool)
        counts: dict[int, Column] = {}
        for low in self.lowered:
            hits[low.place] = worked[low.when]
            if low.times is not None:
                counts[low.place] = np.broadcast_to(_int32(worked[low.times]), rows)
                hits[low.place] &= counts[low.place] > 0
        worth = [self._awards(low, worked, counts, rows) for low in self.lowered]
        self._choose_in_series(hits, worth)
        for low in self.superseders:
            for name in low.pattern.supersedes:
                hits[self.places[name]] &= ~hits[low.place]
        return self._best(hits, worth, counts, hand, order, size)

    def _awards(
        self, low: Any, worked: Mapping[Any, Column], counts: Mapping[int, Column], rows: int
    ) -> tuple[Column, ...]:
        """What a pattern adds in each unit, where it is there: numbers, or columns."""
        if low.value is not None:
            return low.value  # type: ignore[no-any-return]
        awards = [_int32(worked[award]) for award in low.awards]
        times = counts.get(low.place)
        return tuple(award if times is None else award * times for award in awards)

    def _choose_in_series(self, hits: NDArray[np.bool_], worth: list[tuple[Column, ...]]) -> None:
        for members in self.series:
            if len(members) == 1:
                continue
            if all(low.value is not None for low in members):
                ranked = sorted(members, key=lambda low: low.value or (), reverse=True)
                taken = hits[ranked[0].place].copy()
                for low in ranked[1:]:
                    mine = hits[low.place]
                    mine &= ~taken
                    taken |= mine
                continue
            best: list[Column] = [None] * len(self.units)
            choice = np.full(hits.shape[1], -1, dtype=np.int16)
            for low in members:
                better = hits[low.place] & ((choice < 0) | _greater(worth[low.place], best))
                for at, award in enumerate(worth[low.place]):
                    held = best[at] if best[at] is not None else np.int32(0)
                    best[at] = np.where(better, award, held)
                choice[better] = low.place
            for low in members:
                hits[low.place] &= choice == low.place

    # ---- totals ------------------------------------------------------------------------

    def _sums(
        self, hits: NDArray[np.bool_], worth: list[tuple[Column, ...]], bonus: bool
    ) -> list[NDArray[np.int32]]:
        found = []
        for at in range(len(self.units)):
            total = np.zeros(hits.shape[1], dtype=np.int32)
            for low in self.lowered:
                award = worth[low.place][at]
                if low.pattern.bonus != bonus or (isinstance(award, int) and not award):
                    continue
                hit = hits[low.place]
                if hit.any():
                    total += hit.view(np.uint8) * _int32(award)
            found.append(total)
        return found

    def _value(self, sums: list[NDArray[np.int32]]) -> NDArray[np.int32]:
        if self.value is None:
            return sums[0]
        program = ColumnProgram([self.value])
        named = dict(zip(self.units, sums, strict=True))
        value = program.run({name: named[name] for name in program.facts})[self.value]
        return np.broadcast_to(_int32(value), sums[0].shape)

    def _best(
        self,
        hits: NDArray[np.bool_],
        worth: list[tuple[Column, ...]],
        counts: Mapping[int, Column],
        hand: NDArray[np.int32],
        order: NDArray[np.int64],
        size: int,
    ) -> Judged:
        numbers = self.numbers
        rows = len(hand)
        patterns = [low.place for low in self.lowered if not low.pattern.bonus]
        bonuses = [low.place for low in self.lowered if low.pattern.bonus]
        sums = self._sums(hits, worth, bonus=False)
        some = hits[patterns].any(axis=0)
        base = np.where(some, self._value(sums), np.int32(numbers.empty))
        total = base
        if bonuses:
            extra = self._sums(hits, worth, bonus=True)
            total = base + extra[0]
            if self.value is not None:
                both = [a + b for a, b in zip(sums, extra, strict=True)]
                total = np.where(some, self._value(both), total)
        if numbers.cap is not None:
            total = np.minimum(total, np.int32(numbers.cap))
        alone = np.full(rows, -1, dtype=np.int16)
        if numbers.limit_from is not None:
            total, base = self._limits(hits, worth, sums, total, base, alone)
        bits = _as_bits(hits, self.words)
        often = np.bincount(hand, minlength=size)
        places = np.zeros(rows, dtype=np.int32)
        chosen = np.arange(rows)
        if rows == size and (often == 1).all() and (hand[1:] > hand[:-1]).all():
            whole = Judged(total, base, places, bits, {}, {}, alone)
        else:
            if often.max(initial=0) > 1:
                chosen = _first_of_best(hand, often, order, total, places)
            whose = hand[chosen]
            whole = self.nothing(size)
            whole.points[whose] = total[chosen]
            whole.base[whose] = base[chosen]
            whole.place[whose] = places[chosen]
            whole.found[:, whose] = bits[:, chosen]
            whole.alone[whose] = alone[chosen]
        for place in self.dynamic:
            times = counts.get(place, np.broadcast_to(np.int32(1), rows))
            award = np.broadcast_to(_int32(worth[place][self._shown(place)]), rows)
            whole.counts[place] = _spread(times[chosen], hand[chosen], size)
            whole.awards[place] = _spread(award[chosen], hand[chosen], size)
        return whole

    def nothing(self, size: int) -> Judged:
        """Hands none of which has a winning shape."""
        return Judged(
            np.zeros(size, np.int32),
            np.zeros(size, np.int32),
            np.full(size, -1, np.int32),
            np.zeros((self.words, size), np.uint64),
            {place: np.zeros(size, np.int32) for place in self.dynamic},
            {place: np.zeros(size, np.int32) for place in self.dynamic},
            np.full(size, -1, np.int16),
        )

    def _shown(self, place: int) -> int:
        """The first unit that a pattern awards."""
        awards = self.lowered[place].pattern.awards
        return next(at for at, unit in enumerate(self.units) if unit in awards)

    def _limits(
        self,
        hits: NDArray[np.bool_],
        worth: list[tuple[Column, ...]],
        sums: list[NDArray[np.int32]],
        total: NDArray[np.int32],
        base: NDArray[np.int32],
        alone: NDArray[np.int16],
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Let the most valuable pattern that reaches the limit stand alone."""
        limit = self.numbers.limit_from
        assert limit is not None
        top = np.full(len(alone), limit - 1, dtype=np.int32)
        tops = [np.zeros(len(alone), np.int32) for _ in self.units]
        for low in self.lowered:
            if low.pattern.bonus:
                continue
            awards = worth[low.place]
            if isinstance(awards[0], int) and awards[0] < limit:
                continue
            higher = hits[low.place] & (awards[0] > top)
            if not higher.any():
                continue
            top = np.where(higher, awards[0], top).astype(np.int32)
            alone[higher] = low.place
            for at, award in enumerate(awards):
                tops[at] = np.where(higher, award, tops[at]).astype(np.int32)
        standing = alone >= 0
        if not standing.any():
            return total, base
        value = self._value(tops) if self.value is not None else top
        return np.where(standing, value, total), np.where(standing, value, base)


def _spread(column: NDArray[np.int32], whose: NDArray[np.int32], size: int) -> NDArray[np.int32]:
    found = np.zeros(size, np.int32)
    found[whose] = column
    return found


def _first_of_best(
    hand: NDArray[np.int32],
    often: NDArray[np.intp],
    order: NDArray[np.int64],
    total: NDArray[np.int32],
    places: NDArray[np.int32],
) -> NDArray[np.intp]:
    """The row of each hand that has the highest total, the first of equals; fills `places` with
    the place of each row among those of its hand."""
    several = often[hand] > 1
    alone = np.flatnonzero(~several)
    shared = np.flatnonzero(several)
    shared = shared[np.lexsort((order[shared], hand[shared]))]
    starts = _starts(hand[shared])
    sizes = np.diff(np.r_[starts, len(shared)])
    places[shared] = np.arange(len(shared)) - np.repeat(starts, sizes)
    ranked = shared[np.lexsort((places[shared], -total[shared].astype(np.int64), hand[shared]))]
    return np.concatenate([alone, ranked[_starts(hand[ranked])]])


def _starts(hand: NDArray[np.int32]) -> NDArray[np.intp]:
    """Where a new hand begins in sorted hands."""
    if not len(hand):
        return np.zeros(0, dtype=np.intp)
    return np.flatnonzero(np.r_[True, hand[1:] != hand[:-1]])


def _as_bits(hits: NDArray[np.bool_], words: int) -> NDArray[np.uint64]:
    """Truths, a row a pattern, as bits: a row for every 64 patterns."""
    size = hits.shape[1]
    packed = np.zeros((words, size, 8), dtype=np.uint8)
    bytes_ = hits.view(np.uint8)
    for first in range(0, hits.shape[0], 8):
        byte = bytes_[first].copy()
        for at in range(1, 8):
            byte |= bytes_[first + at] << np.uint8(at)
        packed[first // 64, :, first // 8 % 8] = byte
    return packed.view(np.uint64)[:, :, 0]


def _int32(value: Column) -> Column:
    if isinstance(value, int):
        return np.int32(value)
    return value if value.dtype == np.int32 else value.astype(np.int32)


def _greater(left: tuple[Column, ...], right: list[Column]) -> Column:
    """Whether amounts are greater, unit by unit in their order."""
    greater: Column = False
    equal: Column = True
    for mine, theirs in zip(left, right, strict=True):
        held = np.int32(0) if theirs is None else theirs
        greater = greater | (equal & (mine > held))
        equal = equal & (mine == held)
    return greater
