"""Which patterns of a ruleset are those of another one under a new id: such as have the same
condition, and of several those that have most else in common."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping

    from ruleengine.compare.equal import Sameness
    from ruleengine.language import meaning as m
    from ruleengine.ruleset.model import Pattern, RulesetData, Sentence

Numbers = tuple[int, int]
"""What is equal for sentences that mean the same: whatever the options are, and with the values
that they have."""
Alike = tuple[bool, bool, bool, int]
"""What two patterns have in common: the awards, be it only with the values that options have; both
condition and awards, and the condition alone, whatever the options are; how many other parts."""


def renamed_patterns(old: RulesetData, new: RulesetData, sameness: Sameness) -> dict[str, str]:
    """The old id of each pattern that has another one now: there and as often as an old one that
    is no more. Its awards and all else may have changed.

    Of several choices those go together that have most in common; of such as have as much in
    common, the first of the files. Where nothing but the condition tells them, and several fit as
    well, none is taken for another.
    """
    fixed = sameness.fixed
    patterns = (old.patterns, new.patterns)
    gone = [_Known(x, sameness.of_old, fixed) for x in _only_in(*patterns)]
    come = [_Known(x, sameness.of_new, fixed) for x in _only_in(*reversed(patterns))]
    pairs = [
        (alike, before.id, after.id)
        for before in gone
        for after in come
        if (alike := _alike(before, after)) is not None
    ]
    pairs.sort(key=lambda pair: pair[0], reverse=True)
    renamed: dict[str, str] = {}
    taken: set[str] = set()
    for alike, some in groupby(pairs, key=lambda pair: pair[0]):
        free = [(one, other) for _, one, other in some if one not in taken and other not in renamed]
        for before, after in free:
            rivals = [pair for pair in free if (pair[0] == before) != (pair[1] == after)]
            if rivals and not alike[0]:
                taken.add(before)
            elif before not in taken and after not in renamed:
                renamed[after] = before
                taken.add(before)
    return renamed


def _only_in(patterns: Mapping[str, Pattern], others: Mapping[str, Pattern]) -> list[Pattern]:
    return [pattern for name, pattern in patterns.items() if name not in others]


class _Known:
    """A pattern with what its sentences are equal to."""

    def __init__(
        self, pattern: Pattern, numbers: Callable[[m.Meaning], Numbers], fixed: frozenset[int]
    ) -> None:
        self.id = pattern.id
        self.pattern = pattern
        self.there = _keys({"when": pattern.when, "times": pattern.times}, numbers)
        self.awards = _keys(pattern.awards, numbers)
        self.is_fixed = pattern.when is not None and numbers(pattern.when.meaning)[1] in fixed
        """Whether it is there for no hand or for every one, with the values that options have."""


def _keys(
    sentences: Mapping[str, Sentence | None], numbers: Callable[[m.Meaning], Numbers]
) -> tuple[Hashable, Hashable]:
    known = sorted((part, one) for part, one in sentences.items() if one is not None)
    both = [(part, *numbers(one.meaning)) for part, one in known]
    return (
        tuple((part, symbolic) for part, symbolic, _ in both),
        tuple((part, concrete) for part, _, concrete in both),
    )


def _alike(old: _Known, new: _Known) -> Alike | None:
    """How much two patterns have in common; None where they are not there for the same hands."""
    whatever, in_force = (one == other for one, other in zip(old.there, new.there, strict=True))
    awards = [one == other for one, other in zip(old.awards, new.awards, strict=True)]
    if not whatever and (old.is_fixed or not in_force or not any(awards)):
        return None
    others = zip(_others(old.pattern), _others(new.pattern), strict=True)
    number = sum(not one.isdisjoint(other) for one, other in others)
    return any(awards), whatever and awards[0], whatever, number


def _others(pattern: Pattern) -> Iterator[frozenset[object]]:
    """What else a pattern has; those have a part in common that share something of it."""
    yield frozenset(pattern.name.by_language.items())
    yield frozenset(pattern.doc.by_language.items())
    yield frozenset({pattern.code} - {None})
    yield frozenset({pattern.series} - {None})
    yield frozenset(pattern.supersedes)
    for examples in (pattern.hits, pattern.misses):
        yield frozenset(example.record.get("hand") for example in examples)
