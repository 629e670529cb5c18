"""The smallest change that makes a pattern count; what one change does is never missed."""

from __future__ import annotations

import pytest

import ruleengine
from ruleengine.counterfactual import near_misses, smallest_changes

RULES = ruleengine.load("zhongyong-3.3")


@pytest.mark.parametrize(
    ("hand", "pattern", "words"),
    [
        # A tile inside a claimed chow: 789s to 678s leaves no terminal.
        ("23m456p345s88p[789s]+4m", "no_terminals", "[678s] in place of [789s]"),
        # The fourth tile of a claimed triplet, and of one in hand.
        ("23m456p345s88p[222z]+4m", "one_kong", "[2222z] in place of [222z]"),
        ("23m456p222z345s88p+4m", "one_kong", "(2222z) in place of 222z"),
        # A claimed set taken back, and a kong that was claimed made concealed.
        ("23m456p345s88p[678s]+4m", "concealed_hand", "with [678s] not claimed"),
        ("23m456p345s88p[2222z]+4m", "concealed_hand", "with [2222z] concealed"),
        # A standing tile, the winning tile, and circumstances.
        ("123m456m78p123s55s+9p", "two_identical_sequences", None),
        ("1112345678999m+5m", "nine_gates", None),
        ("23m456p345s88p[678s]+4m", "final_draw", "with the event 'Last tile'"),
        ("23m456p345s88p[678s]+4m", "robbing_a_kong", "won by robbing a kong"),
    ],
)
def test_one_change_is_found(hand: str, pattern: str, words: str | None) -> None:
    found = smallest_changes(RULES.score(hand), pattern)
    if pattern == "nine_gates":
        # It counts already, and stays after other changes of how it was won.
        assert all(any(p.id == pattern for p in change.result.patterns) for change in found)
        return
    if words is None:
        # 123m 456m 789p 123s: two sequences alike need three tiles changed.
        assert found == []
        return
    assert words in [change.words for change in found]


def test_every_change_makes_the_pattern_count_and_is_one_that_can_be() -> None:
    result = RULES.score("234m567p33s66s[555z]+3s", by="discard", seat="S", from_="E")
    for pattern in RULES.data.patterns:
        for change in smallest_changes(result, pattern, most=3):
            again = RULES.score_hand(change.result.hand, change.result.situation)
            assert pattern in [counted.id for counted in again.patterns]


@pytest.mark.parametrize(
    ("rules", "hand", "how", "pattern", "words"),
    [
        # Three flowers of four, and none.
        ("flowers", "44p99s[222m][666s][789p]+4p", {"flowers": "123f"}, "four_flowers", "with 4f"),
        ("flowers", "123m456m789p23s55p+4s", {}, "seat_flowers", "with 1f with 5f"),
        # All four flowers stand for the single ones, so one fewer brings those back: without the
        # plum three of other seats are left, without another the plum is one of three.
        (
            "flowers",
            "123m456m789p23s55p+4s",
            {"flowers": "1234f"},
            "seat_flowers",
            "with 5f without 2f without 3f without 4f",
        ),
        ("flowers", "123m456m789p23s55p+4s", {"flowers": "15f"}, "four_flowers", ""),
    ],
)
def test_one_flower_more_or_less(
    rules: str, hand: str, how: dict[str, str], pattern: str, words: str
) -> None:
    result = ruleengine.load(f"zhongyong-3.3-{rules}").score(hand, **how)
    said = [
        change.words.replace("the flower ", "")
        for change in smallest_changes(result, pattern, most=20)
        if "the flower" in change.words
    ]
    assert sorted(said) == sorted(words.replace(" with", "|with").split("|") if words else [])
    plain = RULES.score("123m456m789p23s55p+4s")
    assert not any("flower" in one.words for one in smallest_changes(plain, "no_terminals", 99))


@pytest.mark.parametrize(
    ("dora", "words"),
    [
        (None, ["with 1 dora"]),
        (0, ["with 1 dora"]),
        # 123m456m789p234s55p: each indicator whose next tile is held.
        ("4z", [f"with the indicator {rank}{suit} too" for rank, suit in
                ("9m", "1m", "2m", "3m", "4m", "5m", "6p", "7p", "8p", "1s", "2s", "3s", "4p")]),
    ],
)  # fmt: skip
def test_one_dora_more(dora: int | str | None, words: list[str]) -> None:
    simple = ruleengine.load("simple-1")
    result = simple.score("123m456m789p23s55p+4s", seat="S", dora=dora)
    found = smallest_changes(result, "dora_bonus", most=99)
    said = [change.words for change in found if "dora" in change.words or "ind" in change.words]
    assert sorted(said) == sorted(words)


def test_a_change_keeps_the_dora() -> None:
    simple = ruleengine.load("simple-1")
    hand = "123m456m678p23s55p+4s"
    # Concealed hand, all sequences, self-drawn and no terminals make 4; 3m turned makes each 4m
    # dora, of which 4m in place of 1m is the second; of dora given as a number none is lost.
    for dora, more in (("3m", 2), (3, 3)):
        changes = smallest_changes(simple.score(hand, seat="S", dora=dora), "no_terminals")
        [change] = [one for one in changes if one.words == "4m in place of 1m"]
        assert change.result.points == 4 + more
        near = near_misses(change.result.rules.score(hand, seat="S", dora=dora))["no_terminals"]
        assert near.result.points == 4 + more
