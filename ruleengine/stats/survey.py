"""Looks at all winning hands of a ruleset, at a sample of them, or at records of hands."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ruleengine.hands.every import CHUNK, EveryHand
from ruleengine.hands.weights import ways_to_draw
from ruleengine.hands.winning import BestScorer
from ruleengine.processes import looked
from ruleengine.rules import Rules
from ruleengine.stats.records import RecordLook
from ruleengine.stats.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


Progress = Callable[[int, int], None]
"""Told how many hands are done, and of how many; 0 where that is not known."""

TASK = 8 * CHUNK
"""Hands that one process looks at before it says so."""
RECORDS = 5000
"""Records likewise."""


def survey_all(
    rules: Rules, *, weighted: bool = False, jobs: int = 1, progress: Progress | None = None
) -> Tally:
    """Score every winning hand of a ruleset once: as East's self-draw without events, with the
    winning tile that scores most.

    When `weighted` the ways to draw each hand from the wall are counted too. `jobs` processes
    work at it; the result does not depend on their number.
    """
    hands = EveryHand(rules.shapes, rules.data.wall.copies)
    tasks = [(start, min(start + TASK, len(hands))) for start in range(0, len(hands), TASK)]
    done = looked(_RangeLook(rules, weighted), tasks, jobs)
    found, seen = Tally(), 0
    for (start, stop), part in done:
        found.add_tally(part)
        seen += stop - start
        if progress is not None:
            progress(seen, len(hands))
    return found


def survey_sample(rules: Rules, number: int, seed: int = 0, *, weighted: bool = False) -> Tally:
    """Score so many winning hands that chance chooses, the same for the same seed.

    Each is as likely as any other, or, when `weighted`, as there are ways to draw it. A hand
    may come up again, and counts again.
    """
    hands = EveryHand(rules.shapes, rules.data.wall.copies)
    scorer = BestScorer(rules, keeps_there=True)
    found = Tally()
    drawn = hands.sample(number, seed, weighted=weighted)
    for start in range(0, number, CHUNK):
        some = drawn.take(slice(start, start + CHUNK))
        found.add_judged(scorer.score(some).judged, rules.program.numbers.minimum)
    return found


def survey_records(
    rules: Rules,
    records: Iterable[object],
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> Tally:
    """Score records of hands, each as it was won. Those that are wrong are counted as errors.

    `records` are mappings with the fields of a hand record; a `HandError` in their place counts
    as an error.
    """
    found, seen = Tally(), 0
    for batch, part in looked(RecordLook(rules), _batches(records), jobs):
        found.add_tally(part)
        seen += len(batch)
        if progress is not None:
            progress(seen, 0)
    return found


# ---- processes -------------------------------------------------------------------------


class _RangeLook:
    """Looks at the hands from one place to before another."""

    def __init__(self, rules: Rules, weighted: bool) -> None:
        self.rules = rules
        self.weighted = weighted
        self.hands = EveryHand(rules.shapes, rules.data.wall.copies)
        self.scorer = BestScorer(rules, keeps_there=True)

    def __call__(self, task: tuple[int, int]) -> Tally:
        start, stop = task
        found = Tally()
        minimum = self.rules.program.numbers.minimum
        for _, hands in self.hands.chunks(start=start, stop=stop):
            ways = ways_to_draw(hands, self.hands.wall) if self.weighted else None
            found.add_judged(self.scorer.score(hands).judged, minimum, ways)
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return _RangeLook, (self.rules, self.weighted)


def _batches(records: Iterable[object]) -> Iterator[list[object]]:
    waiting = iter(records)
    while batch := list(itertools.islice(waiting, RECORDS)):
        yield batch
