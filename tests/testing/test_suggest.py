"""Suggested examples: a hit that counts the pattern, a miss that wins without it."""

from __future__ import annotations

import pytest

import ruleengine
from ruleengine.record import score_record
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.testing.cases import example_cases
from ruleengine.testing.run import run_cases
from ruleengine.testing.suggest import suggest_examples, suggestion_yaml

RULES = ruleengine.load("zhongyong-3.3")


@pytest.mark.parametrize(
    "pattern",
    ["all_sequences", "all_triplets", "two_kongs", "robbing_a_kong", "blessing_of_earth",
     "small_three_dragons", "thirteen_terminals", "final_discard"],
)  # fmt: skip
def test_a_hit_and_a_miss(pattern: str) -> None:
    found = suggest_examples(RULES, pattern)
    assert found.hit is not None
    assert found.miss is not None
    assert found.change
    assert pattern in [counted.id for counted in found.hit.patterns]
    assert found.miss.win
    assert pattern not in [counted.id for counted in found.miss.patterns]


def test_the_hit_is_plain() -> None:
    found = suggest_examples(RULES, "all_sequences").hit
    assert found is not None
    assert found.situation.by == "self_draw"
    assert not found.situation.events
    assert len(found.patterns) == 1


def test_a_rare_pattern_is_found_among_all_hands() -> None:
    found = suggest_examples(RULES, "nine_gates")
    assert found.hit is not None
    assert found.hit.points == 480


def test_what_is_written_can_be_pasted_and_holds() -> None:
    text = suggestion_yaml(suggest_examples(RULES, "robbing_a_kong"))
    body = (
        "format: 1\nid: house\nextends: zhongyong-3.3\nname: House\nversion: '1'\n"
        f"patterns:\n  robbing_a_kong:\n{text}\n"
    )
    read = read_ruleset_text(body, "house.yaml")
    pattern = read.data.patterns["robbing_a_kong"]
    assert len(pattern.hits) == len(pattern.misses) == 1
    own = [case for case in example_cases(read.data, "house.yaml") if case.own]
    assert [outcome.problem for outcome in run_cases(RULES, own)] == [None, None]
    assert score_record(RULES, pattern.hits[0].record).points == pattern.hits[0].points
