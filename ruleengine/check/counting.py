"""Which patterns of a ruleset can never count, and what counts in their place."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ruleengine.language import meaning as m

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ruleengine.check.worlds import Worlds
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Pattern

MOST_LEFT_OUT = 40
"""Patterns that are left out, one by one, to see whether a proof needs them."""

_Stronger = list[tuple[str, m.Meaning]]
"""Patterns by name, each with when it is there."""


@dataclass(frozen=True, slots=True)
class Uncountable:
    """A pattern that can never count: it is never there, or whenever it is each of some stronger
    patterns is there too, or, where they are so only `together`, one of them."""

    pattern: Pattern
    stronger: tuple[str, ...] = ()
    together: bool = False


def uncountable(worlds: Worlds, patterns: list[Pattern]) -> Iterator[Uncountable]:
    """Those of some patterns that can never count; all of them are decided together."""
    asked: list[tuple[Pattern, _Stronger]] = []
    questions: list[m.Meaning] = []
    for pattern in patterns:
        asked.append((pattern, []))
        questions.append(condition(pattern))
        stronger = _counted_instead(worlds.rules, pattern)
        if stronger:
            asked.append((pattern, stronger))
            questions.append(_without(pattern, stronger))
    answers = worlds.decide(questions) if questions else []
    told: set[str] = set()
    for (pattern, stronger), answer in zip(asked, answers, strict=True):
        if answer.never and pattern.id not in told:
            told.add(pattern.id)
            yield _proved_by(worlds, pattern, stronger)


def _proved_by(worlds: Worlds, pattern: Pattern, stronger: _Stronger) -> Uncountable:
    """Which of some stronger patterns show that a pattern can never count: each that does so
    alone, or else as few as are needed together."""
    alone = worlds.decide([_without(pattern, [one]) for one in stronger])
    each = [name for (name, _), answer in zip(stronger, alone, strict=True) if answer.never]
    if each or not stronger:
        return Uncountable(pattern, tuple(each))
    needed = stronger
    for one in stronger[:MOST_LEFT_OUT]:
        fewer = [other for other in needed if other is not one]
        (answer,) = worlds.decide([_without(pattern, fewer)])
        if answer.never:
            needed = fewer
    return Uncountable(pattern, tuple(name for name, _ in needed), together=True)


def _without(pattern: Pattern, others: _Stronger) -> m.Meaning:
    """That a pattern is there and none of some others."""
    there = condition(pattern)
    none: tuple[m.Meaning, ...] = tuple(m.Not(other.source, other) for _, other in others)
    return m.All(there.source, (there, *none))


def condition(pattern: Pattern) -> m.Meaning:
    """When a pattern is there, as one sentence."""
    found: list[m.Meaning] = []
    if pattern.when is not None:
        found.append(pattern.when.meaning)
    if pattern.times is not None:
        times = pattern.times.meaning
        found.append(m.Compare(times.source, times, ">=", m.Constant(times.source, 1)))
    return found[0] if len(found) == 1 else m.All(found[0].source, tuple(found))


def _counted_instead(rules: Rules, pattern: Pattern) -> _Stronger:
    """What surely counts instead of a pattern where both are there: patterns by name, each with
    when it is there."""
    found: _Stronger = []
    units = rules.data.units
    own = _fixed(pattern, units)
    order = rules.program.order
    for other in order:
        if other is pattern or other.times is not None:
            continue
        if pattern.series is not None and other.series == pattern.series:
            worth = _fixed(other, units)
            if own is None or worth is None:
                continue
            if worth > own or (worth == own and order.index(other) < order.index(pattern)):
                found.append((other.id, condition(other)))
        elif pattern.id in other.supersedes and other.id in _standing(rules):
            found.append((other.id, condition(other)))
    return found


def counts_alone(rules: Rules, pattern: Pattern) -> m.Meaning:
    """That a pattern is there, and none that surely counts instead."""
    return _without(pattern, _counted_instead(rules, pattern))


def _fixed(pattern: Pattern, units: Sequence[str]) -> tuple[int, ...] | None:
    """What a pattern awards in each unit, where that is written as numbers."""
    found: list[int] = []
    for unit in units:
        award = pattern.awards[unit].meaning if unit in pattern.awards else None
        if isinstance(award, m.Constant):
            found.append(int(award.value))
        elif award is None:
            found.append(0)
        else:
            return None
    return tuple(found) if pattern.times is None else None


@lru_cache(maxsize=1)
def _standing(rules: Rules) -> frozenset[str]:
    """Patterns that nothing can drop when they are there."""
    patterns = rules.data.patterns.values()
    in_series = Counter(pattern.series for pattern in patterns)
    dropped = {name for pattern in patterns for name in pattern.supersedes}
    return frozenset(
        pattern.id
        for pattern in patterns
        if pattern.id not in dropped and (pattern.series is None or in_series[pattern.series] == 1)
    )
