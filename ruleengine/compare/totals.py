"""Which sums a hand can come to: whether any lies where two bounds of a total differ, and what two
ways to make a total of them come to."""

from __future__ import annotations

from math import gcd, prod
from typing import TYPE_CHECKING

import numpy as np

from ruleengine.hands.effect import Effect, relation_of
from ruleengine.language import meaning as m
from ruleengine.language.columns import ColumnProgram
from ruleengine.program import fixed_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from ruleengine.hands.effect import How
    from ruleengine.language.bounds import Range
    from ruleengine.language.operations import Op
    from ruleengine.ruleset.model import Pattern, RulesetData, Sentence

MOST_SUMS = 4_000_000
"""Choices of sums that are gone through; of more so many by chance."""
CHUNK = 1 << 18
_PLAIN = (m.Constant, m.Calculate, m.Apply)


def plain_number(sentence: Sentence | None) -> int | None:
    """A number that depends on nothing at all, options included; None where it does."""
    if sentence is None or m.options_in(sentence.meaning):
        return None
    if not all(isinstance(node, _PLAIN) for node in m.everything_in(sentence.meaning)):
        return None
    return fixed_number(sentence, {})


def tells(name: str, sides: Iterable[RulesetData], old: int, new: int) -> bool:
    """Whether a hand may tell one value of `limit_from` or `minimum` from another, under any of
    some rulesets."""
    may = may_award if name == "limit_from" else may_add_up
    least, most = sorted((old, new))
    return any(may(data, least, most) for data in sides)


def may_award(data: RulesetData, least: int, most: int) -> bool:
    """Whether some pattern that is no bonus may award a number from `least` up to, but not with,
    `most`."""
    return len(data.units) != 1 or any(
        value is None or _has_multiple(value, pattern.times is not None, least, most)
        for pattern in data.patterns.values()
        if not pattern.bonus
        for value in [_award(pattern)]
    )


def may_add_up(data: RulesetData, least: int, most: int) -> bool:
    """Whether the patterns of a hand, bonuses aside, may add to a number from `least` up to, but
    not with, `most`, or a hand without any is worth one."""
    if data.total.value is not None or len(data.units) != 1:
        return True
    step = 0
    for pattern in data.patterns.values():
        value = _award(pattern)
        if pattern.bonus:
            continue
        if value is None:
            return True
        step = gcd(step, value)
    empty = 0 if data.total.empty is None else plain_number(data.total.empty)
    if empty is None or least <= empty < most:
        return True
    return _has_multiple(step, True, least, most)


def _award(pattern: Pattern) -> int | None:
    """What a pattern awards each time, where that is a number that depends on nothing."""
    if len(pattern.awards) != 1:
        return None
    (sentence,) = pattern.awards.values()
    return plain_number(sentence)


def _has_multiple(step: int, many: bool, least: int, most: int) -> bool:
    """Whether a number, or some multiple of it if there may be many, lies within bounds."""
    if not many or step <= 0:
        return least <= step < most if step >= 0 else True
    return -(-least // step) * step < most


def compare_values(old: Op, new: Op, sums: Mapping[str, Range], seed: int = 1) -> Effect:
    """How one way to make a total stands to another, where the sum in each unit is within bounds.

    Not every sum is one that a hand comes to: a difference is one at most.
    """
    if old is new:
        return Effect("equal", "proved", 0)
    sizes = [each.most - each.least + 1 for each in sums.values()]
    rows = prod(sizes)
    whole = rows <= MOST_SUMS
    program = ColumnProgram((old, new), sums)
    rng = np.random.Generator(np.random.PCG64(seed))
    looked = min(rows, MOST_SUMS)
    gained = lost = 0
    for start in range(0, looked, CHUNK):
        number = min(CHUNK, looked - start)
        at = np.arange(start, start + number, dtype=np.int64)
        facts: dict[str, Any] = {}
        for (unit, each), size in zip(sums.items(), sizes, strict=True):
            places = at % size if whole else rng.integers(0, size, number, dtype=np.int64)
            facts[unit] = places + each.least
            at = at // size
        worked = program.run(facts)
        first, second = (np.asarray(worked[op]).astype(np.int64) for op in (old, new))
        gained += int(np.broadcast_to(second > first, number).sum())
        lost += int(np.broadcast_to(second < first, number).sum())
    relation = relation_of(gained, lost)
    how: How = "proved" if whole else "sampled"
    if relation != "equal":
        how = "bounded" if whole else "loose"
    return Effect(relation, how, looked, gained, lost)
