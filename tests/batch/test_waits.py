"""How many tiles complete a hand, by columns: as found by trying every tile."""

from __future__ import annotations

import random

import pytest

from ruleengine.batch.rows import ColumnRowFinder
from ruleengine.batch.waits import count_waits
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text
from tests.columns import columns_of
from tests.language.test_evaluators import SHAPES, TABLE
from tests.random_hands import random_win


@pytest.mark.parametrize("shapes", sorted(SHAPES))
def test_counts_are_those_of_one_hand(shapes: str) -> None:
    table = TABLE.replace("seven_pairs", "five_sets") if shapes == "seventeen" else TABLE
    text = table + SHAPES[shapes] + "settlement: {win: [{pays: points}]}\n"
    text += "patterns:\n  one: {points: 1, when: count waits > 1}\n"
    rules = Rules(read_ruleset_text(text).data)
    rng = random.Random(shapes)
    wins = [random_win(rules, rng) for _ in range(150)]
    finder = ColumnRowFinder(rules.shapes, rules.program.reads)
    found = count_waits(finder, columns_of(rules, wins), rules.data.wall.copies)
    assert found.tolist() == [rules.waits(win.hand) for win in wins]
    assert len(set(found.tolist())) > 2
