"""The column scorer gives what scoring one by one gives."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ruleengine.batch import score as score_module
from ruleengine.batch.columns import hands_of_counts, hands_of_tiles
from ruleengine.batch.score import ColumnScorer
from ruleengine.loading import load_ruleset
from ruleengine.rules import Rules
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.read import read_ruleset_text
from tests.columns import column_differences, columns_of, told
from tests.language.test_evaluators import Made, rulesets
from tests.random_hands import random_win


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_shipped_rulesets(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    rng = random.Random(ruleset)
    assert column_differences(rules, [random_win(rules, rng) for _ in range(300)]) == []


@settings(
    max_examples=5, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(rulesets(), st.integers(0, 2**32))
def test_random_rulesets(made: Made, seed: int) -> None:
    rng = random.Random(seed)
    wins = [random_win(made.rules, rng) for _ in range(40)]
    assert column_differences(made.rules, wins) == [], made.text


def many_patterns(number: int) -> Rules:
    """A ruleset of more patterns than fit into one number of 64 bits."""
    lines = [
        f"  pat{at}: {{points: {at + 1}, when: count sequences = {at % 5}, code: '{at}'}}"
        for at in range(number)
    ]
    text = "\n".join(
        [
            "format: 1",
            "id: many",
            "name: Many",
            'version: "1"',
            'tiles: {wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}}',
            "shapes: {basic: {sets: 4, pairs: 1}}",
            "total: {limit_from: 150}",
            "settlement: {win: [{pays: points}]}",
            "patterns:",
            *lines,
        ]
    )
    return Rules(read_ruleset_text(text).data)


def test_more_patterns_than_bits_of_a_number() -> None:
    rules = many_patterns(140)
    rng = random.Random(5)
    wins = [random_win(rules, rng) for _ in range(60)]
    assert column_differences(rules, wins) == []
    judged = ColumnScorer(rules).score(columns_of(rules, wins))
    assert judged.found.shape == (3, 60)
    # Every fifth pattern counts, from pattern n on for n sequences: their values add up.
    _, _, _, patterns, _, _ = told(rules, judged, 0)
    runs = int(patterns[0][0].removeprefix("pat"))
    assert int(judged.points[0]) == sum(at + 1 for at in range(140) if at % 5 == runs)


def test_a_limit_pattern_beyond_the_first_64() -> None:
    rules = many_patterns(151)
    rng = random.Random(6)
    wins = [random_win(rules, rng) for _ in range(60)]
    assert column_differences(rules, wins) == []
    judged = ColumnScorer(rules).score(columns_of(rules, wins))
    # Only pattern 149 (150 points, four sequences) and 150 (151, none) reach the limit.
    assert {int(place) for place in judged.alone} <= {-1, 149, 150}
    assert 149 in judged.alone


def test_chunks_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_module, "CHUNK", 16)
    rules = load_ruleset("zhongyong-3.3")
    rng = random.Random(2)
    wins = [random_win(rules, rng) for _ in range(150)]
    assert column_differences(rules, wins) == []
    hands = columns_of(rules, wins)
    alone = ColumnScorer(rules).score(hands)
    shared = ColumnScorer(rules).score(hands, jobs=3)
    assert np.array_equal(alone.points, shared.points)
    assert np.array_equal(alone.found, shared.found)


def test_the_way_of_winning_takes_no_hands_apart() -> None:
    rules = load_ruleset("zhongyong-3.3")
    # 111m 222m 333m 44m 111z, or three times 123m: won on 1m and on 1z, by self-draw and by a
    # discard. All Triplets 30, Three Consecutive Triplets 100, Mixed One-Suit 40, Value Honor 10
    # and Concealed Hand 5; Four Concealed Triplets 125, or Three 30 where one is won by discard.
    tiles = np.array([[0, 1, 2, 0, 1, 2, 1, 2, 3, 3, 27, 27, 27, 0]] * 4, dtype=np.uint8)
    tiles[2:, [10, 13]] = tiles[2:, [13, 10]]
    ways = np.array([1, 2, 1, 2], dtype=np.uint8)
    scorer = ColumnScorer(rules, keeps_order=True)
    judged = scorer.score(hands_of_tiles(tiles).with_facts(way=ways))
    assert judged.points.tolist() == [310, 215, 310, 215]
    alone = [
        ColumnScorer(rules, keeps_order=True).score(
            hands_of_tiles(tiles[at : at + 1]).with_facts(way=ways[at : at + 1])
        )
        for at in range(4)
    ]
    for name in ("points", "place", "order"):
        of_each = [int(getattr(one, name)[0]) for one in alone]
        assert getattr(judged, name).tolist() == of_each, name
    assert judged.found[0].tolist() == [int(one.found[0, 0]) for one in alone]
    kinds = [kind for kind, _ in score_module._by_kind(hands_of_tiles(tiles).with_facts(way=ways))]
    assert kinds == [(0, False, False)]


# 1112345678999m and 5m; seven pairs; orphans; and two hands that are no wins.
HANDS = [
    [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 4],
    [0, 0, 3, 3, 9, 9, 12, 12, 18, 18, 27, 27, 33, 33],
    [0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33, 33],
    [0, 0, 3, 3, 9, 9, 12, 12, 18, 18, 27, 27, 32, 33],
    [0, 1, 2, 3, 4, 5, 6, 7, 9, 27, 27, 27, 33, 33],
]


def test_hands_of_tiles_and_of_counts() -> None:
    rules = load_ruleset("zhongyong-3.3")
    tiles = np.array(HANDS, dtype=np.uint8)
    judged = ColumnScorer(rules).score(hands_of_tiles(tiles))
    assert judged.points.tolist() == [480, 30, 160, 0, 0]
    assert judged.place.tolist() == [0, 0, 0, -1, -1]
    counts = np.stack([np.bincount(row, minlength=34) for row in tiles]).astype(np.uint8)
    again = ColumnScorer(rules).score(hands_of_counts(counts, tiles[:, -1]))
    assert np.array_equal(again.points, judged.points)


def test_no_hands() -> None:
    rules = load_ruleset("zhongyong-3.3")
    judged = ColumnScorer(rules).score(hands_of_tiles(np.zeros((0, 14), dtype=np.uint8)))
    assert len(judged) == 0


def test_what_is_there_but_does_not_count() -> None:
    rules = load_ruleset("zhongyong-3.3")
    judged = ColumnScorer(rules, keeps_there=True).score(
        hands_of_tiles(np.array(HANDS[:1], dtype=np.uint8))
    )
    assert judged.there is not None
    there = [
        pattern.id
        for place, pattern in enumerate(rules.program.order)
        if int(judged.there[0, 0]) >> place & 1
    ]
    # Nine gates stand alone; the patterns beside it are there.
    assert "nine_gates" in there
    assert "pure_one_suit" in there
