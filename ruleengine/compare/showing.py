"""Tells which of many hands may show a change, all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa

from ruleengine.batch.outcome import Outcome, TableScorer
from ruleengine.compare.alike import marks
from ruleengine.compare.outcomes import Won
from ruleengine.errors import HandError
from ruleengine.situation import check_any_hand

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ruleengine.compare.many import ManyHands
    from ruleengine.rules import Rules


class Showing:
    """Tells which hands may show a change from one ruleset to another, in which they come to
    something else after it than under each ruleset of `unlike`."""

    def __init__(self, before: Rules, after: Rules, unlike: Sequence[Rules] = ()) -> None:
        self.odd = 0
        """How many hands were scored by themselves so far."""
        self._scorers = [TableScorer(rules, arrangements=False) for rules in (before, after)]
        self._unlike = [
            TableScorer(rules, arrangements=False) for rules in unlike if rules is not before
        ]
        self._unlike_before = any(rules is before for rules in unlike)

    def among(self, hands: ManyHands, won: Won, grave: int, bar: int) -> Iterator[tuple[int, int]]:
        """Of some hands, won as one was, those that may show the change as gravely and are ranked
        no higher than a bar: their places and ranks, the lowest rank first; of those of one rank in
        the order given."""
        old, new = (self._outcome(scorer, hands, won) for scorer in self._scorers)
        ranks = _ranks((old, new))
        at = np.flatnonzero(_may_show(old, new, grave) & (ranks <= bar))
        if len(at) and (self._unlike or self._unlike_before):
            seen = marks(self._scorers[1].rules, new)[:, at]
            if self._unlike_before:
                differs = (marks(self._scorers[0].rules, old)[:, at] != seen).any(axis=0)
                at, seen = at[differs], seen[:, differs]
            for scorer in self._unlike:
                other = marks(scorer.rules, self._outcome(scorer, hands.take(at), won))
                differs = (other != seen).any(axis=0)
                at, seen = at[differs], seen[:, differs]
        order = np.argsort(ranks[at], kind="stable")
        yield from zip(at[order].tolist(), ranks[at[order]].tolist(), strict=True)

    def _outcome(self, scorer: TableScorer, hands: ManyHands, won: Won) -> Outcome:
        """What becomes of hands that are won as one was."""
        try:
            check_any_hand(won.situation, won.hand.flowers, scorer.rules.data)
        except HandError as error:
            return Outcome.of_errors(len(hands), error)

        def odd(rows: NDArray[np.intp]) -> Sequence[Any]:
            self.odd += len(rows)
            flowers, how = won.hand.flowers, won.situation
            return [Won(hands.hand(row, flowers), how).record() for row in rows.tolist()]

        return scorer.score_texts(hands.texts(), _columns(won, len(hands)), odd)


def _columns(won: Won, size: int) -> Mapping[str, pa.Array]:
    """How a hand was won, as the columns of so many."""
    record = won.record()
    del record["hand"]
    if "dora" in record:
        record["dora"] = str(record["dora"])
    return {name: pa.array([value] * size) for name, value in record.items()}


Number = TypeVar("Number", int, "NDArray[np.int64]")


MOST_RANK = (1 << 63) - 1


def rank(patterns: Number, points: Number) -> Number:
    """What hands are ranked by: how many patterns count, then their points."""
    return (patterns << 40) + points


def _ranks(outcomes: Sequence[Outcome]) -> NDArray[np.int64]:
    """The ranks of hands by the most patterns and the most points that they have under some
    rulesets."""
    patterns, points = [], []
    for one in outcomes:
        right = one.right
        patterns.append(np.bincount(one.entries.row, minlength=len(one)) * right)
        points.append(one.points * right)
    return rank(np.maximum(*patterns), np.maximum(*points))


def _may_show(old: Outcome, new: Outcome, grave: int) -> NDArray[np.bool_]:
    """The hands that may show a change as gravely, as `outcomes.difference` counts it."""
    wins = [one.win & one.right for one in (old, new)]
    shows: NDArray[np.bool_] = wins[0] != wins[1]
    if grave < 3:
        both = wins[0] & wins[1]
        shows |= both if grave < 2 else both & (old.points != new.points)
    if grave < 2:
        shows[list(old.errors.keys() ^ new.errors.keys())] = True
    return shows
