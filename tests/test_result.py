"""Results: what they say, in which order, and that they cannot be changed."""

from __future__ import annotations

import json

import pytest

import ruleengine
from ruleengine.hand import Situation
from ruleengine.notation import read_hand
from ruleengine.result import Result
from ruleengine.rules import Rules
from tests.ruleset.small import load, ruleset

RULES = ruleengine.load("zhongyong-3.3")


def ids(result: Result) -> list[str]:
    return [counted.id for counted in result.patterns]


def test_a_winning_result() -> None:
    result = RULES.score("223344m667788p1s+1s", by="discard", seat="S", from_="W", id=7)
    assert (result.win, result.reason, result.points, result.limit) == (True, None, 70, None)
    assert ids(result) == ["all_sequences", "concealed_hand", "two_identical_sequences_twice"]
    assert [counted.points for counted in result.patterns] == [5, 5, 60]
    assert result.arrangement == "234m 234m 678p 678p 11s"
    assert result.situation == Situation("discard", "S", "E", "W")
    assert result.to_json() == {
        "id": 7,
        "rules": "zhongyong-3.3",
        "win": True,
        "points": 70,
        "patterns": [
            {
                "id": "all_sequences",
                "code": "1.1",
                "name": "All Sequences",
                "count": 1,
                "points": 5,
            },
            {
                "id": "concealed_hand",
                "code": "1.2",
                "name": "Concealed Hand",
                "count": 1,
                "points": 5,
            },
            {
                "id": "two_identical_sequences_twice",
                "code": "5.1.2",
                "name": "Two Identical Sequences Twice",
                "count": 1,
                "points": 60,
            },
        ],
        "limit": None,
        "arrangement": "234m 234m 678p 678p 11s",
        "payments": {"E": -25, "S": 210, "W": -160, "N": -25},
    }


def test_names_come_in_every_language() -> None:
    result = RULES.score("1133m5577p2299s6z+6z")
    (seven,) = result.patterns
    assert [seven.name(code) for code in ("en", "zh-Hant", "zh-Hans", "ja", "fr")] == [
        "Seven Pairs",
        "七對子",
        "七对子",
        "七対子",
        "Seven Pairs",
    ]
    assert result.to_json("zh-Hant")["patterns"][0]["name"] == "七對子"


def test_a_pattern_that_counts_often_says_how_often() -> None:
    result = RULES.score("111z234m9p[555z][6666z]+9p")
    (value_honor, _) = result.patterns
    assert (value_honor.id, value_honor.count, value_honor.points) == ("value_honor", 3, 30)


def test_patterns_stand_in_the_order_of_their_codes() -> None:
    # 1.2, 9.1.1 and 10.2: number by number, not letter by letter.
    result = RULES.score("1133m5577p2299s6z+6z", events=["last_tile"])
    assert [counted.code for counted in result.patterns] == ["9.1.1", "10.2"]


def test_a_chicken_hand_has_no_pattern() -> None:
    result = RULES.score("44p99s[222m][666s][789p]+4p", seat="W")
    assert (result.win, result.points, result.patterns, result.limit) == (True, 1, (), None)
    assert result.to_json()["patterns"] == []


def test_the_cap_is_reached_at_320() -> None:
    result = RULES.score("111z666p44s99m888s+4s", events=["first_turn"])
    assert (result.points, result.limit) == (320, "cap")
    assert sum(counted.points for counted in result.patterns) == 325


def test_a_limit_pattern_stands_alone() -> None:
    result = RULES.score("1112345678999m+5m", events=["first_turn"])
    assert (ids(result), result.points, result.limit) == (["nine_gates"], 480, "limit_pattern")


@pytest.mark.parametrize("hand", ["13579m13579p135s+7z", "123m456m789p[111z]2s+3s"])
def test_no_winning_shape(hand: str) -> None:
    result = RULES.score(hand, id="x")
    assert result.arrangement is None
    assert result.arranged is None
    assert result.to_json() == {
        "id": "x",
        "rules": "zhongyong-3.3",
        "win": False,
        "reason": "not_a_winning_hand",
        "points": 0,
        "patterns": [],
    }


def test_below_the_minimum() -> None:
    rules = RULES.with_options({"minimum": 5})
    result = rules.score("44p99s[222m][666s][789p]+4p")
    assert result.to_json() == {
        "id": None,
        "rules": "zhongyong-3.3",
        "win": False,
        "reason": "below_minimum",
        "points": 1,
        "patterns": [],
    }


def test_a_bonus_does_not_reach_the_minimum() -> None:
    rules = load(
        ruleset(
            "patterns:\n"
            "  peace: {points: 3, when: count sequences = 4}\n"
            "  drawn: {points: 4, bonus: true, when: win by self_draw}\n"
            "total: {minimum: 5, empty: 1}\n"
        )
    )
    result = rules.score("123m456m789p23s55p+4s")
    assert (result.win, result.reason, result.points) == (False, "below_minimum", 7)
    assert sorted(ids(result)) == ["drawn", "peace"]


def test_a_bonus_is_added_to_an_empty_hand() -> None:
    rules = load(
        ruleset(
            "patterns: {drawn: {points: 4, bonus: true, when: win by self_draw}}\n"
            "total: {empty: 1}\n"
        )
    )
    result = rules.score("123m456m789p23s55p+4s")
    assert (result.win, result.points, ids(result)) == (True, 5, ["drawn"])


def test_results_that_say_the_same_are_equal() -> None:
    first = RULES.score("123m456m789p23s55p+4s")
    again = RULES.score("123456m789p55p23s+4s", by="self_draw")
    assert first == again
    assert hash(first) == hash(again)
    assert first != RULES.score("123m456m789p23s55p+4s", seat="S")
    assert first != RULES.score("123m456m789p23s55p+4s", id=1)
    assert first != first.to_json()


def test_results_cannot_be_changed() -> None:
    result = RULES.score("123m456m789p23s55p+4s")
    for name in ("points", "win", "hand", "anything"):
        with pytest.raises(AttributeError):
            setattr(result, name, 5)
    assert result.points == 10


def test_a_hand_object_and_its_text_give_the_same() -> None:
    text = "23m678p99s(5555z)[345m]+4m"
    assert RULES.score(read_hand(text)) == RULES.score(text)


def test_results_are_json() -> None:
    result = RULES.score("19m19p19s1234567z+1z", by="discard", seat="S", from_="W")
    shown = json.loads(json.dumps(result.to_json("ja"), ensure_ascii=False))
    assert shown == result.to_json("ja")
    assert shown["arrangement"] == result.arrangement


def test_results_show_themselves() -> None:
    assert repr(RULES.score("123m456m789p23s55p+4s")) == (
        "<Result of 123456m55789p23s+4s: 10 points, all_sequences, concealed_hand>"
    )
    assert repr(RULES.score("44p99s[222m][666s][789p]+4p")).endswith(": 1 points, no pattern>")
    assert repr(RULES.score("13579m13579p135s+7z")).endswith(": no win (not_a_winning_hand)>")


def test_a_ruleset_with_no_code_keeps_the_order_of_the_file() -> None:
    rules: Rules = load(
        ruleset(
            "patterns:\n"
            "  zzz: {points: 1, when: win by self_draw}\n"
            "  aaa: {points: 2, when: count sequences = 4}\n"
            "  mmm: {code: '1', points: 3, when: count suits = 3}\n"
        )
    )
    assert ids(rules.score("123m456m789p23s55p+4s")) == ["mmm", "zzz", "aaa"]
