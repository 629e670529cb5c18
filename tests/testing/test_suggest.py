"""Suggested examples: a hit that counts the pattern, a miss that wins without it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ruleengine
from ruleengine.hand import Situation
from ruleengine.record import score_record
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.testing.cases import example_cases
from ruleengine.testing.run import run_cases
from ruleengine.testing.suggest import Suggestion, suggest_examples, suggestion_yaml
from tests.ruleset.small import load, read, ruleset

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


OPTIONS = """\
options:
  joker: {type: bool, default: false}
  n: {type: int, default: 3, min: 0, max: 10}
patterns:
  simple_hand: {points: 3, when: joker and all tiles are simple}
  more: {points: 1, times: n - 3}
  never: {points: 1, when: joker and n > 10}
"""


def examples_of(suggestion: Suggestion) -> list[dict[str, object]]:
    """The hit and the miss as they are read from what is written."""
    text = suggestion_yaml(suggestion)
    options = OPTIONS.split("patterns:")[0]
    body = ruleset(f"{options}patterns:\n  x:\n    points: 1\n    when: dealer\n{text}\n")
    pattern = read(body).patterns["x"]
    return [dict(example.record) for example in (*pattern.hits, *pattern.misses)]


def test_options_are_tried_and_written() -> None:
    """Nothing counts 'simple_hand' or 'more' at the defaults."""
    rules = load(ruleset(OPTIONS))
    found = suggest_examples(rules, "simple_hand")
    hit, miss = examples_of(found)
    assert hit["options"] == miss["options"] == {"joker": True}
    assert score_record(rules, hit).points == 3
    assert score_record(rules, miss).points == 0
    found = suggest_examples(rules, "more")
    hit, miss = examples_of(found)
    assert hit["options"] == {"n": 4}
    assert "options" not in miss
    assert hit["hand"] == miss["hand"]
    assert found.change == "with the option n: 3"


def test_of_a_pattern_that_can_never_be_the_search_is_whole() -> None:
    """No option reaches 11, so there is nothing more to be looked at."""
    found = suggest_examples(load(ruleset(OPTIONS)), "never")
    assert found.hit is None
    assert found.whole


def test_options_that_are_set_are_written_where_they_matter() -> None:
    rules = load(ruleset(OPTIONS)).with_options({"joker": True, "n": 2})
    hit, miss = examples_of(suggest_examples(rules, "simple_hand"))
    assert hit["options"] == miss["options"] == {"joker": True}


DORA = """\
patterns:
  self_drawn: {points: 1, when: no set is claimed and win by self_draw}
  dora_bonus: {points: 1, times: dora, bonus: true}
"""


def test_the_nearest_miss_is_the_hit_with_one_circumstance_less() -> None:
    dora = '  dora: ["123456789m", "123456789p", "123456789s", "1234z", "567z"]\n'
    text = ruleset(DORA).replace("shapes:", dora + "shapes:", 1)
    found = suggest_examples(load(text), "dora_bonus")
    assert found.hit is not None
    assert found.miss is not None
    assert (found.hit.dora, found.miss.dora) == (1, 0)
    assert found.hit.hand == found.miss.hand
    assert replace(found.hit.situation, dora=None) == replace(found.miss.situation, dora=None)
    assert found.change == "without dora"


def test_a_hit_has_no_field_that_does_not_matter() -> None:
    """All honors is a limit hand under Simple Mahjong, with dora and without."""
    hit = suggest_examples(ruleengine.load("simple-1"), "all_honors").hit
    assert hit is not None
    assert (hit.points, hit.dora, hit.situation) == (32, 0, Situation())


RARE = """\
patterns:
  dear: {points: 2, when: dealer, supersedes: [dropped]}
  dropped: {points: 1, when: dealer and win by discard}
  nine_waits:
    points: 5
    when: hand before win is 1112345678999x and seat is N and winning_tile is 9s
  kongs_robbed:
    points: 5
    when: >-
      has claimed kong 9s, concealed kong 1z, concealed kong 1m and win by robbing_kong and
      seat is N and round is W
"""


@pytest.fixture
def few_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands by chance would not find what these tests look for, however many there are."""
    monkeypatch.setattr("ruleengine.testing.suggest.PLAYS", 100)


@pytest.mark.usefixtures("few_by_chance")
@pytest.mark.parametrize(
    ("pattern", "parts"),
    [
        ("nine_waits", ["1112345678999s+9s"]),
        ("kongs_robbed", ["[9999s]", "(1111z)", "(1111m)"]),
    ],
)
def test_what_no_hand_by_chance_has_is_looked_for_in_its_own_worlds(
    pattern: str, parts: list[str]
) -> None:
    """Sitting North nobody is the dealer, so nothing else counts."""
    rules = load(ruleset(RARE))
    hit, miss = (score_record(rules, one) for one in examples_of(suggest_examples(rules, pattern)))
    assert [part for part in parts if part not in str(hit.hand)] == []
    assert (hit.points, hit.situation.seat) == (5, "N")
    assert miss.win
    assert pattern not in [counted.id for counted in miss.patterns]


@pytest.mark.usefixtures("few_by_chance")
def test_of_a_pattern_that_another_always_drops_the_search_is_whole() -> None:
    found = suggest_examples(load(ruleset(RARE)), "dropped")
    assert found.hit is None
    assert found.whole
