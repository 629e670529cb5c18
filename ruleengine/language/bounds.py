"""How far the numbers of a sentence can go, found before it is ever run.

Every evaluator has whole numbers of its own size. What is within `MAX_AMOUNT` fits all of them,
so no hand can come to one number alone and to another in a batch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ruleengine.language import meaning as m
from ruleengine.tiles import TILE_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_AMOUNT = 1_000_000_000
"""The most that a number of a ruleset may come to, and what it may lack of 0."""

MOST_COUNTED = 4 * len(TILE_NAMES)
"""More than a hand has of anything: all tiles of all walls."""


class Range(NamedTuple):
    """The least and the most that a number can be."""

    least: int
    most: int

    @property
    def is_bounded(self) -> bool:
        """Whether every number of the range is one that a ruleset may come to."""
        return self.least >= -MAX_AMOUNT and self.most <= MAX_AMOUNT

    @property
    def size(self) -> int:
        """The most that a number of the range is away from 0."""
        return max(abs(self.least), abs(self.most))


NOTHING = Range(0, 0)
TRUTH = Range(0, 1)
COUNTED = Range(0, MOST_COUNTED)
RANKS = Range(0, 9 * MOST_COUNTED)
DORA = Range(0, 5 * MOST_COUNTED)


def hull(ranges: Iterable[Range]) -> Range:
    """The smallest range that holds some others."""
    least, most = zip(*ranges, strict=True)
    return Range(min(least), max(most))


def plus(left: Range, right: Range) -> Range:
    """What two numbers added can be."""
    return Range(left.least + right.least, left.most + right.most)


def product(left: Range, right: Range) -> Range:
    """What two numbers multiplied can be."""
    corners = [x * y for x in left for y in right]
    return Range(min(corners), max(corners))


class Outgrown(NamedTuple):
    """A part of a sentence that may leave the bounds, and the range that it would have."""

    part: m.Meaning
    range: Range


@dataclass(slots=True)
class Bounds:
    """Finds the range of each sentence; `given` has those of the options, and of `points` and the
    units where they are known.

    A part that may leave the bounds goes to the list that `of` was given, and counts as 0 from
    there on: what it is a part of is not told as well.
    """

    given: dict[str, Range]
    _names: dict[int, tuple[Range, bool, m.Meaning]] = field(default_factory=dict)

    def of(self, meaning: m.Meaning, outgrown: list[Outgrown]) -> Range:
        """The range of a sentence; a truth is 0 or 1."""
        if isinstance(meaning, m.Reference):
            return self._of_name(meaning, outgrown)
        parts = [self.of(part, outgrown) for part in m.children(meaning)]
        found = self._put_together(meaning, parts)
        if found.is_bounded:
            return found
        outgrown.append(Outgrown(meaning, found))
        return NOTHING

    def _of_name(self, name: m.Reference, outgrown: list[Outgrown]) -> Range:
        target = name.target
        if id(target) not in self._names:
            inside: list[Outgrown] = []
            found = self.of(target, inside)
            # The target is kept, so that its place in memory stays its own.
            self._names[id(target)] = (found, bool(inside), target)
        found, too_large, _ = self._names[id(target)]
        if too_large:
            outgrown.append(Outgrown(name, found))
        return found

    def _put_together(self, meaning: m.Meaning, parts: list[Range]) -> Range:
        match meaning:
            case m.Constant(value=bool()):
                return TRUTH
            case m.Constant(value=value):
                return Range(value, value)
            case m.Option(name=name, type="number"):
                return self.given.get(name, NOTHING)
            case m.Fact(name="dora"):
                return DORA
            case m.Fact(name=name, type="number"):
                return self.given.get(name, NOTHING)
            case m.If() if m.type_of(meaning) == "number":
                return hull(parts[1:])
            case m.Calculate(sign=sign):
                return _calculated(sign, *parts)
            case m.Apply(function=function, arguments=arguments):
                return _applied(function, arguments, parts)
            case m.CountGroups() | m.CountTiles() | m.CountSuits() | m.CountWaits():
                return COUNTED
            case m.SumRanks():
                return RANKS
        return TRUTH


def _calculated(sign: str, left: Range, right: Range) -> Range:
    if sign == "+":
        return plus(left, right)
    if sign == "-":
        return Range(left.least - right.most, left.most - right.least)
    return product(left, right)


def _applied(function: str, arguments: tuple[m.Meaning, ...], parts: list[Range]) -> Range:
    if function in ("min", "max"):
        choose = min if function == "min" else max
        return Range(choose(x.least for x in parts), choose(x.most for x in parts))
    step = arguments[1]
    assert isinstance(step, m.Constant)
    by = int(step.value)
    least, most = parts[0]
    if function == "round_up":
        return Range(-(-least // by) * by, -(-most // by) * by)
    return Range(least // by * by, most // by * by)


def options_below(meaning: m.Meaning) -> list[str]:
    """The options that a sentence reads, those of the names that it uses included."""
    return list(
        dict.fromkeys(
            part.name
            for part in m.inside(meaning)
            if isinstance(part, m.Option) and part.type == "number"
        )
    )
