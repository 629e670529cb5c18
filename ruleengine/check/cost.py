"""What a sentence costs: a number that is known before it is run.

The cost is how many operations over masks and numbers the sentence comes down to for one
arrangement, what two of its parts share counted once. There are no loops, so it is also the most
that the sentence can ever take, whatever the options are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic
from ruleengine.language import meaning as m
from ruleengine.language.lower import Lowering
from ruleengine.language.operations import Operations
from ruleengine.testing.sentences import homes, part_span, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.check.subject import Subject
    from ruleengine.diagnostics import Span
    from ruleengine.language.operations import Op

MOST_COST = 5_000
"""The most operations that one sentence may come down to."""

_NOTHING = ("fact", "constant")
"""Kinds of operations that cost nothing."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one sentence costs, where it stands, and the part of it that costs most."""

    at: str
    span: Span
    operations: int
    part: str
    part_operations: int
    part_span: Span


class _UnderAnyOptions(Lowering):
    """Lowers sentences for options that may have any value: none of them makes a sentence short."""

    def _sentence(self, meaning: m.Meaning) -> Op:
        if isinstance(meaning, m.Option):
            return self.ops.fact(f"option {meaning.name}")
        return super()._sentence(meaning)


def costs(subject: Subject) -> list[Cost]:
    """The cost of every sentence of this file, in the order of the sections."""
    return list(_costs(subject, 0))


def _costs(subject: Subject, above: int) -> Iterator[Cost]:
    """The sentences that cost so much or more."""
    data = subject.data
    lowering = _UnderAnyOptions(Operations(), tuple(data.events), tuple(data.shapes), {})
    bounds = _Bounds()
    for home in homes(subject.data):
        if home.meaning is None or not subject.owns(home.sentence.span):
            continue
        if above and not bounds.reaches(lowering.sentence(home.meaning), above):
            continue
        whole = cost_of(lowering, home.meaning)
        part = _dearest(lowering, home.meaning)
        start, end = part.source.start, part.source.end
        yield Cost(
            ".".join(home.path), home.sentence.span, whole,
            words(home.sentence.text[start:end]), cost_of(lowering, part),
            part_span(subject.root, home, start, end),
        )  # fmt: skip


class _Bounds:
    """What operations come down to at most, with what they share: each is gone through once, and
    not for each sentence that has it as a part."""

    def __init__(self) -> None:
        self._most: dict[Op, int] = {}

    def reaches(self, op: Op, number: int) -> bool:
        """Whether an operation comes down to so many or more."""
        pending = [op]
        while pending:
            one = pending[-1]
            open_ = [] if one in self._most else [a for a in one.args if a not in self._most]
            if open_:
                pending += open_
                continue
            pending.pop()
            if one not in self._most:
                most = 0 if one.kind in _NOTHING else 1 + sum(self._most[a] for a in one.args)
                # What is shared is counted where it matters, once.
                self._most[one] = most if most < number else _count(one)
        return self._most[op] >= number


def cost_of(lowering: Lowering, meaning: m.Meaning) -> int:
    """How many operations a sentence comes down to."""
    return _count(lowering.sentence(meaning))


def _count(root: Op) -> int:
    seen: set[Op] = set()
    pending = [root]
    while pending:
        op = pending.pop()
        if op not in seen and op.kind not in _NOTHING:
            seen.add(op)
            pending += op.args
    return len(seen)


def _dearest(lowering: Lowering, meaning: m.Meaning) -> m.Meaning:
    """The part of a sentence that costs most and that no single part of it explains."""
    while True:
        inner = [part for part in m.children(meaning) if not isinstance(meaning, m.Reference)]
        if not inner:
            return meaning
        most = max(inner, key=lambda part: cost_of(lowering, part))
        if 2 * cost_of(lowering, most) <= cost_of(lowering, meaning):
            return meaning
        meaning = most


def too_dear(subject: Subject) -> Iterator[Diagnostic]:
    """Sentences that cost more than a sentence may."""
    for cost in _costs(subject, MOST_COST + 1):
        message = (
            f"this sentence comes down to {cost.operations:,} operations; {MOST_COST:,} at "
            f"most. The dearest part, '{cost.part}', takes {cost.part_operations:,}"
        )
        yield Diagnostic("E502", message, cost.part_span)
