"""Compiles a ruleset for one choice of its options into Python functions, made from operations
and never from text."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from ruleengine.judge import LAID_FACTS, CountedPattern, JudgeWriter, Numbers, counted
from ruleengine.language import generate as g
from ruleengine.language.interpret import CALCULATE_NOTHING, Scene, evaluate
from ruleengine.language.lower import Lowering
from ruleengine.language.operations import Operations

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ruleengine.judge import Judgement
    from ruleengine.ruleset.model import Ending, RulesetData, Sentence

PAYMENT_FACTS = (
    "points", "way", "seat", "round", "events", "payer", "payee", "winner", "discarder", "liable",
    "ready", "offender",
)  # fmt: skip
"""What a payment function takes."""


class Program:
    """A ruleset compiled for one choice of options. Any number of threads may use it.

    Judges are written when they are asked for: one for all hands, and one for each kind of win
    (way, with melds or without, with events or without), which the facts that are fixed make short.
    """

    def __init__(self, data: RulesetData, options: Mapping[str, int | bool]) -> None:
        self.data = data
        self.options = dict(options)
        self.numbers = numbers_of(data, self.options)
        self.order = tuple(sorted(data.patterns.values(), key=lambda pattern: pattern.code_order))
        self.events = {event: 1 << place for place, event in enumerate(data.events)}
        general = self._general = self._writer({})
        self.reads = general.emitter.facts
        self.lowered = tuple(general.lowered)
        self._entries = tuple(
            None if low.value is None else counted(low.pattern, data.units, low.value, 1)
            for low in general.lowered
        )
        self._judges: dict[tuple[int, bool, bool], Callable[..., Judgement | None]] = {}
        self._pays: dict[Ending, Callable[..., int]] = {}

    @property
    def dynamic(self) -> tuple[int, ...]:
        """The places of the patterns that may count more than once or award different amounts."""
        return tuple(at for at, entry in enumerate(self._entries) if entry is None)

    def entry(self, place: int) -> CountedPattern | None:
        """The pattern at a place, counted once; None where it may come to different amounts."""
        return self._entries[place]

    def lowering(self, fixed: Mapping[str, int]) -> Lowering:
        """A lowering for sentences of this ruleset, into operations of its own."""
        return self.lowering_into(Operations(fixed))

    def lowering_into(self, operations: Operations) -> Lowering:
        """A lowering for sentences of this ruleset, into operations that others may share."""
        shapes = tuple(self.data.shapes)
        return Lowering(operations, tuple(self.data.events), shapes, self.options)

    def _writer(
        self, fixed: Mapping[str, int], entries: frozenset[int] | None = None
    ) -> JudgeWriter:
        return JudgeWriter(self.data, self.order, self.numbers, self.lowering(fixed), entries)

    @cached_property
    def judge_of_all(self) -> Callable[..., Judgement | None]:
        """The judge of hands of any kind; a function of `judge.ARGUMENTS`."""
        return self._general.function()

    def judge(self, way: int, melds: bool, events: bool) -> Callable[..., Judgement | None]:
        """The judge of hands won in a way (see `lower.WAY_BITS`), with or without melds and
        events; a function of `judge.ARGUMENTS`."""
        found = self._judges.get((way, melds, events))
        if found is None:
            fixed = {"way": way}
            if way == 1:
                fixed["open_t"] = 0
            if not melds:
                fixed.update(dict.fromkeys(LAID_FACTS, 0))
            if not events:
                fixed["events"] = 0
            # What awards the same in this kind of wins may award something else in another.
            same = frozenset(at for at, entry in enumerate(self._entries) if entry is not None)
            found = self._writer(fixed, same).function()
            self._judges[way, melds, events] = found
        return found

    def counted(self, judged: Judgement) -> tuple[CountedPattern, ...]:
        """The patterns that count in a total, in the order of a result."""
        _, _, _, bits, others, alone = judged
        if alone >= 0:
            entry = self._entries[alone]
            return (entry,) if entry is not None else (dict(others)[alone],)
        found: list[CountedPattern] = []
        entries = self._entries
        others = sorted(others, key=_place) if len(others) > 1 else others
        waiting = iter(others)
        place, other = next(waiting, (1 << 30, None))
        while bits:
            low = bits & -bits
            at = low.bit_length() - 1
            while other is not None and place < at:
                found.append(other)
                place, other = next(waiting, (1 << 30, None))
            found.append(entries[at])  # type: ignore[arg-type]
            bits ^= low
        while other is not None:
            found.append(other)
            place, other = next(waiting, (1 << 30, None))
        return tuple(found)

    def pays(self, ending: Ending) -> Callable[..., int]:
        """What one seat pays at an ending, as a function of `PAYMENT_FACTS`."""
        found = self._pays.get(ending)
        if found is None:
            found = self._payment_function(ending)
            self._pays[ending] = found
        return found

    def _payment_function(self, ending: Ending) -> Callable[..., int]:
        lowering = self.lowering({})
        lines = [
            (
                lowering.ops.true if line.when is None else lowering.sentence(line.when.meaning),
                lowering.sentence(line.pays.meaning),
            )
            for line in self.data.settlement.get(ending, ())
        ]
        emitter = g.Emitter([op for line in lines for op in line])
        body = emitter.fixed_statements()
        for when, pays in lines:
            answer: ast.stmt = ast.Return(emitter.expression(pays))
            body.append(ast.If(emitter.expression(when), [answer], []))
        body.append(ast.Return(g.constant(0)))
        names: dict[str, object] = {"min": min, "max": max}
        return g.build("pays", list(PAYMENT_FACTS), body, names)  # type: ignore[return-value]


def _place(other: tuple[int, CountedPattern]) -> int:
    return other[0]


def fixed_number(sentence: Sentence | None, options: Mapping[str, int | bool]) -> int | None:
    """The number of a sentence that depends on nothing but options; None where there is none."""
    if sentence is None:
        return None
    scene = Scene(CALCULATE_NOTHING, "self_draw", "E", "E", frozenset(), options)
    return int(evaluate(sentence.meaning, scene))


def numbers_of(data: RulesetData, options: Mapping[str, int | bool]) -> Numbers:
    """The numbers of a total for one choice of options."""
    total = data.total
    return Numbers(
        fixed_number(total.cap, options),
        fixed_number(total.limit_from, options),
        fixed_number(total.empty, options) or 0,
        fixed_number(total.minimum, options) or 0,
    )
