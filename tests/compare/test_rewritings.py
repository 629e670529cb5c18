"""The cases of sentences in other words mean what they should: played by chance, nothing differs.

That they are proved equal is tested where sentences are compared.
"""

from __future__ import annotations

import itertools

import pytest

from ruleengine.compare.structure import structure
from ruleengine.hands.chance import plays
from ruleengine.rules import Rules
from tests.compare.rewritings import Rewriting, rewritings, rewritten, shipped

RULES = tuple(dict.fromkeys(case.rules for case in rewritings()))
PLAYS = 1_500


def test_there_are_enough_of_them() -> None:
    assert len(rewritings()) >= 30
    paths = [path for case in rewritings() for path in case.set]
    assert len({path.split(".")[0] for path in paths}) >= 5


@pytest.mark.parametrize("case", rewritings(), ids=str)
def test_each_is_really_in_other_words(case: Rewriting) -> None:
    changes = structure(shipped(case.rules), rewritten(case.rules, [case]))
    assert {change.at for change in changes} >= set(case.set)
    for change in changes:
        assert change.old != change.new or change.through


@pytest.mark.parametrize("name", RULES)
def test_hands_by_chance_come_to_the_same(name: str) -> None:
    """All that fit together at once: of those for one value, each in a ruleset of its own."""
    groups: list[list[Rewriting]] = []
    for case in rewritings():
        if case.rules != name:
            continue
        free = (g for g in groups if not any(set(case.set) & set(other.set) for other in g))
        group = next(free, None)
        if group is None:
            groups.append([case])
        else:
            group.append(case)
    old = Rules(shipped(name).data)
    hands = list(itertools.islice(plays(old, seed=7), PLAYS))
    for group in groups:
        new = Rules(rewritten(name, group).data)
        for play in hands:
            before = old.score_hand(play.hand, play.situation)
            after = new.score_hand(play.hand, play.situation)
            assert before.points == after.points, play
            assert [p.id for p in before.patterns] == [p.id for p in after.patterns], play
            assert before.payments == after.payments, play
