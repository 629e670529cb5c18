"""What a tally means: how often each pattern counts and is lost, which go together, the totals."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Pattern
    from ruleengine.stats.tally import Outcome, Tally

Over = Literal["all", "sample", "records"]
"""What hands were looked at."""


@dataclass(frozen=True, slots=True)
class PatternCount:
    """How often a pattern counts in a win, and how often it is there but lost.

    `times` is how often it counts in all: more than `counted` where it counts several times
    in one hand. `lost_to` says to which patterns, by their ids, and how often.
    """

    pattern: Pattern
    counted: int
    times: int
    lost: int
    lost_to: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Stats:
    """What a ruleset makes of many hands.

    `hands` is how many were looked at. All other numbers count hands, or, where `weighted`, the
    ways to draw them: `ways` of all hands, `wins` of those that win, `below_minimum` and
    `incomplete` of those that do not. `empty` are wins without a pattern. `totals` has the wins
    by their points, `joint` the wins in which two patterns count together, by their ids in the
    order of a result. `errors` are records that are wrong.
    """

    rules: Rules
    over: Over
    weighted: bool
    hands: int
    ways: int
    wins: int
    below_minimum: int
    incomplete: int
    errors: int
    empty: int
    capped: int
    patterns: tuple[PatternCount, ...]
    totals: Mapping[int, int]
    joint: Mapping[tuple[str, str], int]

    @property
    def mean(self) -> float:
        """The mean total of a win; 0 where there is none."""
        points = sum(points * number for points, number in self.totals.items())
        return points / self.wins if self.wins else 0.0

    @property
    def median(self) -> int:
        """The total that half of the wins do not exceed; 0 where there is none."""
        passed = 0
        for points, number in self.totals.items():
            passed += number
            if 2 * passed >= self.wins:
                return points
        return 0

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """All numbers as plain values, with the names of the documentation."""
        return {
            "rules": self.rules.id,
            "options": dict(self.rules.options),
            "over": self.over,
            "weighted": self.weighted,
            "hands": self.hands,
            "ways": self.ways,
            "wins": self.wins,
            "below_minimum": self.below_minimum,
            "incomplete": self.incomplete,
            "errors": self.errors,
            "empty": self.empty,
            "capped": self.capped,
            "mean": round(self.mean, 6),
            "median": self.median,
            "patterns": [
                {
                    "id": one.pattern.id,
                    "code": one.pattern.code,
                    "name": one.pattern.name.get(language) or one.pattern.id,
                    "counted": one.counted,
                    "times": one.times,
                    "lost": one.lost,
                    "lost_to": dict(one.lost_to),
                }
                for one in self.patterns
            ],
            "totals": [
                {"points": points, "wins": number} for points, number in self.totals.items()
            ],
            "joint": [
                {"patterns": list(pair), "wins": number} for pair, number in self.joint.items()
            ],
        }


def summarize(rules: Rules, tally: Tally, over: Over, *, weighted: bool = False) -> Stats:
    """The numbers of a tally that was made under a ruleset."""
    order = rules.program.order
    cap = rules.program.numbers.cap
    counted, times, lost = [0] * len(order), [0] * len(order), [0] * len(order)
    lost_to: list[Counter[str]] = [Counter() for _ in order]
    totals: Counter[int] = Counter()
    joint: Counter[tuple[int, int]] = Counter()
    below = incomplete = empty = capped = 0
    for outcome, both in tally.outcomes.items():
        number = both[1]
        if not outcome.complete:
            incomplete += number
            continue
        if not outcome.win:
            below += number
            continue
        totals[outcome.points] += number
        counts = counting(outcome)
        often = dict(outcome.times)
        empty += 0 if counts else number
        capped += number if cap is not None and outcome.points >= cap else 0
        for at, place in enumerate(counts):
            counted[place] += number
            times[place] += number * often.get(place, 1)
            for other in counts[at + 1 :]:
                joint[place, other] += number
        for place, winner in losing(outcome, order):
            lost[place] += number
            lost_to[place][order[winner].id] += number
    return Stats(
        rules=rules,
        over=over,
        weighted=weighted,
        hands=tally.hands,
        ways=tally.ways,
        wins=sum(totals.values()),
        below_minimum=below,
        incomplete=incomplete,
        errors=tally.errors,
        empty=empty,
        capped=capped,
        patterns=tuple(
            PatternCount(pattern, counted[at], times[at], lost[at], _ranked(lost_to[at]))
            for at, pattern in enumerate(order)
        ),
        totals={points: totals[points] for points in sorted(totals)},
        joint={(order[a].id, order[b].id): joint[a, b] for a, b in sorted(joint)},
    )


def _ranked(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


def counting(outcome: Outcome) -> tuple[int, ...]:
    """The places of the patterns that count in the total."""
    return (outcome.alone,) if outcome.alone >= 0 else tuple(_bits(outcome.found))


def losing(outcome: Outcome, order: tuple[Pattern, ...]) -> Iterator[tuple[int, int]]:
    """The places of the patterns that are there but do not count, with what each is lost to.

    A pattern is lost to the one of its series that is worth more, to one that supersedes it, or to
    a limit pattern that stands alone, whichever takes it first.
    """
    for place in _bits(outcome.there):
        if outcome.found >> place & 1:
            if outcome.alone not in (-1, place):
                yield place, outcome.alone
        else:
            yield place, _taken_by(place, outcome, order)


def _taken_by(place: int, outcome: Outcome, order: tuple[Pattern, ...]) -> int:
    """What a pattern is lost to that is there, but not found after series and supersession."""
    lost = order[place]
    there = [at for at in _bits(outcome.there) if at != place]
    found = [at for at in there if outcome.found >> at & 1]
    for at in found:
        if lost.series is not None and order[at].series == lost.series:
            return at
    for at in found:
        if lost.id in order[at].supersedes:
            return at
    # The best of its series was superseded in its turn.
    return next(at for at in there if order[at].series == lost.series)


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
