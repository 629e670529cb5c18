"""Waits: which tiles complete a hand, what each is worth, and how many of them are left."""

from __future__ import annotations

import random
from typing import Any

import pytest

import ruleengine
from ruleengine.errors import HAND_ERRORS, HandError
from ruleengine.hand import Hand, Situation
from ruleengine.notation import read_hand
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.tiles import FIRST_FLOWER, tile_name
from ruleengine.waits import find_waits
from tests.random_hands import random_win

RULES = ruleengine.load("zhongyong-3.3")


def waits(hand: str, rules: Rules = RULES, **how: Any) -> dict[str, tuple[int, int]]:
    """Points and copies left of each tile that a hand waits for."""
    found = find_waits(rules, read_hand(hand), Situation(**how))
    return {tile_name(wait.tile): (wait.result.points, wait.left) for wait in found.waits}


def refused(hand: str, **how: Any) -> HandError:
    with pytest.raises(HandError) as caught:
        waits(hand, **how)
    assert caught.value.code in HAND_ERRORS
    return caught.value


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        # 23 waits on both sides; all sequences and concealed hand.
        ("123m456m789p23s55p", {"1s": (10, 4), "4s": (10, 4)}),
        # The wait of the official example: on 1m all sequences, on 4m also no terminals and
        # two identical sequences.
        ("23m234m678p33s[678s]", {"1m": (5, 3 + 1), "4m": (20, 3)}),
        # Nothing fits.
        ("13579m13579p135s", {}),
        # A single wait on the pair of red dragons.
        ("123m456m789p123s7z", {"7z": (10, 3)}),
        # Seven pairs: 30.
        ("1133m5577p2299s6z", {"6z": (30, 3)}),
    ],
)
def test_waits_of_hands(hand: str, expected: dict[str, tuple[int, int]]) -> None:
    assert waits(hand) == expected


def test_nine_gates_wait_for_nine_tiles() -> None:
    found = waits("1112345678999p")
    assert list(found) == [f"{rank}p" for rank in range(1, 10)]
    assert {points for points, _ in found.values()} == {480}
    assert [left for _, left in found.values()] == [1, 3, 3, 3, 3, 3, 3, 3, 1]


def test_thirteen_terminals_wait_for_thirteen_tiles() -> None:
    found = find_waits(RULES, read_hand("19m19p19s1234567z"), Situation())
    assert len(found.waits) == 13
    assert found.left == 39
    assert {wait.result.points for wait in found.waits} == {160}


def test_a_tile_that_the_hand_holds_four_of_is_no_wait() -> None:
    # 4444s would need a fifth 4s; the four are two pairs, and 5z is the last pair.
    assert waits("4444s1122m5577p5z") == {"5z": (30, 3)}
    assert waits("123m456m789p[444s]4s") == {}


def test_waits_obey_how_the_hand_is_won() -> None:
    # On a discard the triplet is not concealed: all triplets 30, value honor 10 and 5 for two.
    drawn = waits("222m666p44s99m888s")
    given = waits("222m666p44s99m888s", by="discard", seat="S")
    assert set(drawn) == set(given) == {"4s", "9m"}
    assert all(drawn[tile][0] - given[tile][0] == 95 for tile in drawn)


def test_a_robbed_tile_is_one_that_the_hand_does_not_hold() -> None:
    assert set(waits("23m234m678p33s[678s]")) == {"1m", "4m"}
    assert set(waits("23m234m678p33s[678s]", by="robbing_kong", seat="S")) == {"1m"}
    assert waits("123m456m789p123s7z", by="robbing_kong", seat="S") == {}


def test_a_tile_below_the_minimum_is_listed_but_does_not_win() -> None:
    rules = RULES.with_options({"minimum": 5})
    found = find_waits(rules, read_hand("44p99s[222m][666s][789p]"), Situation(seat="W"))
    assert [tile_name(wait.tile) for wait in found.waits] == ["4p", "9s"]
    assert [wait.result.win for wait in found.waits] == [False, False]
    assert [wait.result.reason for wait in found.waits] == ["below_minimum", "below_minimum"]


def test_waits_as_plain_values() -> None:
    found = find_waits(RULES, read_hand("23m234m678p33s[678s]"), Situation(seat="S"))
    shown = found.to_json("ja")
    assert list(shown) == ["waits", "left"]
    assert shown["left"] == 7
    first = shown["waits"][0]
    assert list(first) == ["tile", "points", "left", "patterns"]
    assert (first["tile"], first["points"], first["left"]) == ("1m", 5, 4)
    assert [counted["name"] for counted in first["patterns"]] == ["平和"]


# ---- what is refused ----------------------------------------------------------------------------


def test_a_complete_hand_does_not_wait() -> None:
    error = refused("123m456m789p23s55p+4s")
    assert (error.code, error.message) == ("H207", "the hand has its winning tile already")
    assert error.help == "leave out '+' and the tile after it to see what the hand waits for"


@pytest.mark.parametrize(
    ("hand", "size"),
    [("123m456m789p23s5p", 12), ("123m456m789p23s555p", 14), ("123m456m23s55p(7777p)1m", 14)],
)
def test_hands_of_another_size(hand: str, size: int) -> None:
    error = refused(hand)
    assert (error.code, error.message) == (
        "H203",
        f"the hand has {size} of the 13 tiles that wait for a win, a kong counted as three",
    )


@pytest.mark.parametrize(
    ("hand", "how", "code"),
    [
        ("11111m456m789p55p", {}, "H201"),
        ("123m456m789p23s55p1f", {}, "H202"),
        ("123m456m789p23s55p", {"seat": "X"}, "H302"),
        ("123m456m789p23s55p", {"from_seat": "S"}, "H303"),
        ("123m456m789p23s55p", {"events": frozenset({"kong_replacement"})}, "H308"),
        ("123m456m789p23s55p", {"events": frozenset({"ready"})}, "H307"),
        ("123m456m789p23s55p", {"dora": 3}, "H309"),
    ],
)
def test_situations_that_cannot_be(hand: str, how: dict[str, Any], code: str) -> None:
    assert refused(hand, **how).code == code


def test_a_tile_that_only_the_situation_forbids_is_left_out() -> None:
    text = """\
format: 1
id: other
name: Other
version: "1"
tiles:
  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}
  dora: ["123456789m", "123456789p", "123456789s"]
events: {low: {needs: winning_tile is 123s}}
shapes: {basic: {sets: 4, pairs: 1}}
patterns: {one: {points: 1, when: win by self_draw}}
settlement: {win: [{pays: points}]}
"""
    rules = Rules(read_ruleset_text(text, "other.yaml").data)
    hand = "123m456m789p23s55p"
    assert set(waits(hand, rules)) == {"1s", "4s"}
    assert set(waits(hand, rules, events=frozenset({"low"}))) == {"1s"}
    # All four 4s are turned over as indicators.
    assert set(waits(hand, rules, dora=(21, 21, 21, 21))) == {"1s"}


# ---- against scoring every tile -----------------------------------------------------------------


def test_waits_are_the_tiles_with_which_the_hand_has_a_shape() -> None:
    rng = random.Random(7)
    for _ in range(150):
        win = random_win(RULES, rng)
        situation = Situation(by=win.situation.by, seat=win.situation.seat)
        hand = Hand(win.hand.standing, win.hand.melds, None)
        found = find_waits(RULES, hand, situation)
        expected = {}
        for tile in range(FIRST_FLOWER):
            try:
                result = RULES.score_hand(Hand(hand.standing, hand.melds, tile), situation)
            except HandError:
                # A fifth of a tile, or a robbed one that the hand holds.
                continue
            if result.arrangement is not None:
                expected[tile] = result.points
        assert {wait.tile: wait.result.points for wait in found.waits} == expected
        assert win.hand.winning_tile in expected
