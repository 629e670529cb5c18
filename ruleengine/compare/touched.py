"""Which of many concealed hands a change of patterns can touch.

Where two rulesets differ in some patterns only, a hand that has none of these in any arrangement
comes to the same under both: whether a pattern counts, and for how much, makes no difference where
it is not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.batch.rows import ColumnRowFinder
from ruleengine.batch.score import SELF_DRAW, ColumnScorer, fixed_facts
from ruleengine.hands.winning import asked_of_winning_tile
from ruleengine.judge import is_there, lowered
from ruleengine.language.columns import ColumnProgram
from ruleengine.language.operations import Operations

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from ruleengine.batch.columns import Hands
    from ruleengine.hands.winning import Asked
    from ruleengine.language.operations import Op
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Pattern


class Touched:
    """Finds the hands, won by East's self-draw without events, in which one of some patterns may be
    there, whatever tile is drawn last; for several choices of patterns at once."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        rules = choices[0].patterns[0][0]
        self._asked = [choice.asked for choice in choices]
        finder = ColumnRowFinder(rules.shapes, frozenset())
        self._programs: list[ColumnProgram] = []
        self._roots: list[list[frozenset[Op]]] = []
        for at in range(len(rules.shapes)):
            ops = Operations(_FIXED | finder.fixed_facts(at, True))
            roots = [frozenset(_there(choice.patterns, ops)) for choice in choices]
            self._programs.append(ColumnProgram(dict.fromkeys(op for some in roots for op in some)))
            self._roots.append(roots)
        reads = frozenset[str]().union(*(program.facts for program in self._programs))
        self._scorer = ColumnScorer(rules, finder=ColumnRowFinder(rules.shapes, reads))

    def among(self, hands: Hands) -> NDArray[np.bool_]:
        """Which of some hands are touched, a row for each choice; others may be told as well."""
        found = np.stack([asked.any_of(hands) for asked in self._asked])
        known: dict[str, Any] = {}
        for rows in self._scorer.finder.rows(hands, True):
            program = self._programs[rows.shape]
            facts = self._scorer.facts_of(rows, program.facts, hands, known)
            columns = program.run(facts)
            for touched, roots in zip(found, self._roots[rows.shape], strict=True):
                holds = np.zeros(len(rows), dtype=bool)
                for root in roots:
                    holds |= columns[root]
                touched[rows.hand[holds]] = True
        return found


@dataclass(frozen=True, slots=True)
class Choice:
    """Patterns, each with a ruleset that has it; `asked` are the hands for which the winning tile
    may matter to whether they are there."""

    patterns: tuple[tuple[Rules, Pattern], ...]
    asked: Asked


def touched_by(old: Rules, new: Rules, ids: Mapping[str, str]) -> Choice | None:
    """What can make concealed hands come to something else under the new ruleset; None where more
    differs than patterns, or where the winning tile may matter for every hand. `ids` gives old
    patterns the ids that they have now."""
    if not _only_patterns_differ(old, new):
        return None
    ops = Operations(_FIXED)
    before, after = _said(old, ops, ids), _said(new, ops, {})
    if [id_ for id_ in before if id_ in after] != [id_ for id_ in after if id_ in before]:
        # Of patterns that award as much the first one counts.
        return None
    differing = tuple(
        (rules, pattern)
        for rules, said, other in ((old, before, after), (new, after, before))
        for id_, (pattern, says) in said.items()
        if id_ not in other or other[id_][1] != says
    )
    asked = asked_of_winning_tile(_there(differing, Operations(_FIXED)))
    return Choice(differing, asked) if differing and asked is not None else None


_FIXED = fixed_facts(SELF_DRAW, melds=False, events=False)


def _only_patterns_differ(old: Rules, new: Rules) -> bool:
    if old.data.total.value is not None or new.data.total.value is not None:
        return False
    ones = [
        (rules.shapes, rules.data.wall.copies, rules.data.units, rules.program.numbers)
        for rules in (old, new)
    ]
    return ones[0] == ones[1]


def _there(patterns: Iterable[tuple[Rules, Pattern]], ops: Operations) -> list[Op]:
    """When some patterns are there; those that never are are left out."""
    found: dict[Op, None] = {}
    for rules, pattern in patterns:
        low = lowered(rules.program.lowering_into(ops), pattern, (), 0)
        found[is_there(ops, low.when, low.times)] = None
    return [op for op in found if op is not ops.false]


def _said(
    rules: Rules, ops: Operations, ids: Mapping[str, str]
) -> dict[str, tuple[Pattern, tuple[object, ...]]]:
    """The patterns of a ruleset by the ids that they have now, in the order of a result: each with
    what it says, as far as hands depend on it."""
    lowering = rules.program.lowering_into(ops)
    found: dict[str, tuple[Pattern, tuple[object, ...]]] = {}
    for place, pattern in enumerate(rules.program.order):
        low = lowered(lowering, pattern, rules.data.units, place)
        dropped = frozenset(ids.get(other, other) for other in pattern.supersedes)
        said = (low.when, low.times, low.awards, pattern.series, dropped, pattern.bonus)
        found[ids.get(pattern.id, pattern.id)] = (pattern, said)
    return found
