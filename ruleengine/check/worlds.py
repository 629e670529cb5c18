"""Decides whether sentences can be true and can be false, over every hand there is.

A *world* is an arrangement of a winning hand in a situation. What a sentence does not read is not
varied, and what it cannot tell apart is looked at once. Where the worlds that matter are too many,
nothing is claimed. Worlds that cannot occur may be among those looked at: they can keep a sentence
from being called impossible, never make it so.

What is claimed holds under every value that a table can give the options: a sentence that reads
options is looked at under each choice of them, and nothing is claimed where the choices are many.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ruleengine.hands.worlds import Ground
from ruleengine.language import meaning as m
from ruleengine.ruleset.options import every_choice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ruleengine.language.operations import Op
    from ruleengine.rules import Rules

MOST_WORK = 2_000_000_000
"""Operations on arrangements that all questions about one ruleset may take together, a nanosecond
each at most; questions that are open then stay open. No shipped ruleset needs half of it."""
MOST_OF_ONE = 1_000_000_000
"""How many of them one question may take."""
ASKING = 3_000_000
"""What it takes to lay out the worlds of a question, in operations."""
MOST_CHOICES = 128
"""Choices of the options that a sentence reads; of one with more nothing is claimed."""


@dataclass(slots=True)
class Answer:
    """Whether a sentence may be true, and false, and whether all there is was looked at."""

    true: bool = False
    false: bool = False
    complete: bool = True

    @property
    def never(self) -> bool:
        """Whether it is proved never to be true."""
        return self.complete and not self.true

    @property
    def always(self) -> bool:
        """Whether it is proved always to be true."""
        return self.complete and not self.false


class Worlds:
    """The worlds of one ruleset, under every choice of its options."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._ground = Ground(rules.data, rules.data, rules.options)
        self._left = MOST_WORK
        self._known: dict[tuple[Op, frozenset[tuple[str, int | bool]]], bool] = {}
        self._answers: dict[int, tuple[m.Meaning, Answer]] = {}

    def decide(self, questions: Sequence[m.Meaning]) -> list[Answer]:
        """Look at every world that some sentences ask about. Worlds in which an event is whose
        needs are not met are left out."""
        return [replace(self._once(question)) for question in questions]

    def _once(self, question: m.Meaning) -> Answer:
        """What was answered, or is now. A question that is new when the work is done stays open."""
        known = self._answers.get(id(question))
        if known is None:
            open_ = self._left < ASKING
            known = question, Answer(complete=False) if open_ else self._answer(question)
            self._answers[id(question)] = known
        return known[1]

    def _answer(self, question: m.Meaning) -> Answer:
        answer = Answer()
        read, needed = self._options_of(question)
        chosen = every_choice(
            [self.rules.data.options[name] for name in sorted(read | needed)], MOST_CHOICES
        )
        if chosen is None:
            return Answer(complete=False)
        for choice in chosen:
            op = self._ground.operation(question, choice)
            for_events = frozenset((name, choice[name]) for name in needed)
            for asked, seen in ((op, "true"), (self._ground.ops.not_(op), "false")):
                if getattr(answer, seen):
                    continue
                ever = self._ever(asked, for_events, choice)
                if ever is None:
                    answer.complete = False
                elif ever:
                    setattr(answer, seen, True)
            if answer.true and answer.false:
                break
        return answer

    def _ever(
        self,
        op: Op,
        for_events: frozenset[tuple[str, int | bool]],
        choice: Mapping[str, int | bool],
    ) -> bool | None:
        """Whether something is ever true under a choice of options."""
        key = (op, for_events)
        if key not in self._known:
            ground = self._ground
            ground.work = allowed = min(MOST_OF_ONE, self._left - ASKING)
            if allowed < 0:
                return None
            ground.options = {**self.rules.options, **choice}
            ever = ground.ever(op)
            self._left -= ASKING + allowed - ground.work
            if ever is None:
                return None
            self._known[key] = ever
        return self._known[key]

    def _options_of(self, question: m.Meaning) -> tuple[set[str], set[str]]:
        """The options that a sentence reads, and those that its events need."""
        needed: set[str] = set()
        pending, seen = list(m.events_in(question)), set[str]()
        while pending:
            name = pending.pop()
            needs = self.rules.data.events[name].needs
            if name not in seen and needs is not None:
                needed |= m.options_in(needs.meaning)
                pending += m.events_in(needs.meaning)
            seen.add(name)
        return m.options_in(question), needed
