"""How large the amounts of a ruleset can become, and so which columns hold them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruleengine.language.bounds import NOTHING, Range, hull, plus
from ruleengine.language.columns import number_type, operations_below
from ruleengine.language.ranges import ranges_of, reach_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ruleengine.judge import Lowered
    from ruleengine.program import Program


class Amounts:
    """How large the amounts of a program can become, whatever the hand.

    `number` is the type of the columns for totals and what patterns add; `points` is the range of
    a total.
    """

    def __init__(self, program: Program) -> None:
        lowering = program.lowering({})
        lowered = program.lowered
        units = program.data.units
        found = ranges_of(operations_below(op for low in lowered for op in low.operations))
        most = reach_of(found)
        worth = [_worth(low, found) for low in lowered]
        most = max([most, *(one.size for awards in worth for one in awards)])
        plain = _sums(worth, [not low.pattern.bonus for low in lowered], len(units))
        bonus = _sums(worth, [low.pattern.bonus for low in lowered], len(units))
        both = [plus(a, b) for a, b in zip(plain, bonus, strict=True)]
        numbers = program.numbers
        self.units = dict(zip(units, both, strict=True))
        said = program.data.total.value
        value = None if said is None else lowering.sentence(said.meaning)
        if value is None:
            total = both[0]
        else:
            ranges = ranges_of(operations_below([value]), self.units)
            most = max(most, reach_of(ranges), ranges[value].size)
            total = plus(ranges[value], bonus[0])
        given = [n for n in (numbers.empty, numbers.cap, numbers.limit_from) if n is not None]
        self.points = hull([total, plus(Range(numbers.empty, numbers.empty), bonus[0])])
        if numbers.cap is not None:
            top = numbers.cap
            if numbers.limit_from is not None:
                # A limit pattern stands alone, whatever the cap.
                alone = [
                    w[0].most
                    for w, low in zip(worth, lowered, strict=True)
                    if not low.pattern.bonus
                ]
                top = max([top, *alone])
            self.points = Range(min(self.points.least, top), min(self.points.most, top))
        most = max([most, self.points.size, *(one.size for one in both), *map(abs, given)])
        self.number: Any = number_type(most)


def _worth(low: Lowered, found: Any) -> list[Range]:
    """What a pattern adds in each unit: nothing, or its awards as often as it counts."""
    often = 1 if low.times is None else max(0, found[low.times].most)
    return [
        hull([NOTHING, *(Range(award.least * n, award.most * n) for n in (1, often))])
        for award in (found[award] for award in low.awards)
    ]


def _sums(worth: list[list[Range]], those: Iterable[bool], units: int) -> list[Range]:
    """The sums of some patterns, unit by unit, as if all of them could count together."""
    total = [NOTHING] * units
    for awards, counted in zip(worth, those, strict=True):
        if counted:
            total = [plus(a, b) for a, b in zip(total, awards, strict=True)]
    return total
