"""The smallest change that makes a pattern count; what one change does is never missed."""

from __future__ import annotations

import pytest

import ruleengine
from ruleengine.counterfactual import smallest_changes

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
