"""Hands that have a pattern, however rarely they come: out of the worlds in which it is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.check.counting import counts_alone
from ruleengine.hands.worlds import Ground
from ruleengine.testing.budget import A_STEP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.hands.worlds import World
    from ruleengine.rules import Rules
    from ruleengine.testing.budget import Budget


def worlds_with(rules: Rules, pattern: str, budget: Budget) -> Iterator[World]:
    """Hands and situations in which a pattern is there and none that surely counts instead, under
    the options of a ruleset, the plainest first. Where the worlds are more than the budget lasts
    for they are of a sample. Raises `OutOfWork`."""
    one = rules.data.patterns[pattern]
    ground = Ground(rules.data, rules.data, rules.options)
    ground.work = budget.left * A_STEP
    alone = ground.operation(counts_alone(rules, one), rules.options)
    before = ground.work
    compared = ground.compare(ground.ops.false, alone)
    budget.spend((before - ground.work) // A_STEP)
    yield from compared.worlds()
