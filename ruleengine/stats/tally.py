"""Adds up what became of many hands: one line for each different outcome.

A ruleset has few different outcomes (some thousands), so a tally stays small however many hands
there are, and every number that is asked for later comes out of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ruleengine.batch.judge import Judged

_WORD = 64


class Outcome(NamedTuple):
    """What became of a hand.

    `complete` says whether it has a winning shape, `win` whether it reaches the minimum too,
    `points` is its total. `found` are the patterns that count after series and supersession,
    `there` all whose conditions hold, as bits by their place in the order of a result; `alone`
    is the place of a limit pattern that stands alone, or -1. `times` are the places of the
    patterns that count more than once, with how often.
    """

    complete: bool
    win: bool
    points: int
    alone: int
    found: int
    there: int
    times: tuple[tuple[int, int], ...] = ()


@dataclass
class Tally:
    """How many hands had each outcome, and in how many ways those hands can be drawn.

    Where hands are not weighed each counts as one way. `errors` are records that are wrong.
    """

    outcomes: dict[Outcome, list[int]] = field(default_factory=dict)
    errors: int = 0

    @property
    def hands(self) -> int:
        """How many hands there were."""
        return sum(hands for hands, _ in self.outcomes.values())

    @property
    def ways(self) -> int:
        """In how many ways they can be drawn."""
        return sum(ways for _, ways in self.outcomes.values())

    def add(self, outcome: Outcome, hands: int = 1, ways: int = 1) -> None:
        """Add hands with one outcome."""
        held = self.outcomes.get(outcome)
        if held is None:
            self.outcomes[outcome] = [hands, ways]
        else:
            held[0] += hands
            held[1] += ways

    def add_tally(self, other: Tally) -> None:
        """Add the hands of another tally."""
        for outcome, (hands, ways) in other.outcomes.items():
            self.add(outcome, hands, ways)
        self.errors += other.errors

    def add_judged(
        self, judged: Judged, minimum: int, ways: NDArray[np.int64] | None = None
    ) -> None:
        """Add hands that were judged by columns; `ways` says in how many ways each can be drawn.

        `minimum` is what a hand needs to win. What is judged must say which patterns are there
        (`ColumnJudge.keeps_there`).
        """
        if not len(judged):
            return
        assert judged.there is not None
        columns = _columns(judged, minimum)
        first, group = _groups(columns)
        hands = np.bincount(group, minlength=len(first))
        if ways is None:
            sums = hands.tolist()
        else:
            order = np.argsort(group, kind="stable")
            starts = np.r_[0, np.cumsum(hands)[:-1]]
            sums = np.add.reduceat(ways[order], starts).tolist()
        lines = zip(*[column[first].tolist() for column in columns], strict=True)
        words, dynamic = len(judged.found), tuple(judged.counts)
        for line, number, sum_ in zip(lines, hands.tolist(), sums, strict=True):
            self.add(_outcome(line, words, dynamic), number, sum_)


def _columns(judged: Judged, minimum: int) -> list[NDArray[Any]]:
    """All that tells outcomes apart: a column each."""
    assert judged.there is not None
    found = [
        judged.place >= 0,
        (judged.place >= 0) & (judged.base >= minimum),
        judged.points,
        judged.alone,
        *judged.found,
        *judged.there,
    ]
    for place, count in judged.counts.items():
        bit = judged.found[place // _WORD] >> np.uint64(place % _WORD) & np.uint64(1)
        found.append(np.where(bit, count, 0))
    return found


def _groups(columns: list[NDArray[Any]]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows that are the same in all columns: the first row of each group, the group of each row.

    Rows are grouped by a mixture of their columns; that no two different rows were mixed to the
    same number is checked, not hoped for.
    """
    mixed = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        mixed = (mixed ^ column.astype(np.uint64)) * _ODD
        mixed ^= mixed >> np.uint64(29)
    _, first, group = np.unique(mixed, return_index=True, return_inverse=True)
    if all((column == column[first][group]).all() for column in columns):
        return first, group
    table = np.stack([column.astype(np.uint64) for column in columns], axis=1)
    _, first, group = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return first, group.reshape(-1)


_ODD = np.uint64(0x9E3779B97F4A7C15)


def _outcome(line: tuple[Any, ...], words: int, dynamic: tuple[int, ...]) -> Outcome:
    complete, win, points, alone = line[:4]
    found = sum(word << (_WORD * at) for at, word in enumerate(line[4 : 4 + words]))
    there = sum(word << (_WORD * at) for at, word in enumerate(line[4 + words : 4 + 2 * words]))
    counts = zip(dynamic, line[4 + 2 * words :], strict=True)
    times = tuple((place, count) for place, count in counts if count > 1)
    return Outcome(complete, win, points, alone, found, there, times)
