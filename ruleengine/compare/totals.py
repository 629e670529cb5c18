"""Which sums a hand can come to: whether any lies where two bounds of a total differ."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from ruleengine.language import meaning as m
from ruleengine.program import fixed_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ruleengine.ruleset.model import Pattern, RulesetData, Sentence

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
