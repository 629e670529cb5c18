from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ruleengine
from ruleengine.errors import HAND_ERRORS, HandError
from ruleengine.hand import (
    ALL_MELDS,
    Hand,
    Meld,
    MeldKind,
    Situation,
    check_hand,
    check_robbed_kong,
)
from ruleengine.notation import read_hand
from ruleengine.tiles import parse_tile
from ruleengine.waits import find_waits

WALL = dict.fromkeys(range(34), 4)
FLOWER_WALL = WALL | dict.fromkeys(range(34, 42), 1)


def error_of(text: str, *indicators: str, wall: dict[int, int] = WALL, size: int = 14) -> HandError:
    with pytest.raises(HandError) as caught:
        check_hand(read_hand(text), wall, size, tuple(map(parse_tile, indicators)))
    assert caught.value.code in HAND_ERRORS
    return caught.value


def test_tiles_of_melds() -> None:
    assert Meld("sequence", 24, True).tiles == (24, 25, 26)
    assert Meld("triplet", 0, True).tiles == (0, 0, 0)
    assert Meld("kong", 33, True).tiles == (33, 33, 33, 33)


def test_melds_print() -> None:
    assert str(Meld("sequence", 24, True)) == "[789s]"
    assert str(Meld("triplet", 31, True)) == "[555z]"
    assert str(Meld("kong", 8, True)) == "[9999m]"
    assert str(Meld("kong", 8, False)) == "(9999m)"


def test_every_meld_there_can_be() -> None:
    assert len(set(ALL_MELDS)) == len(ALL_MELDS) == 21 + 34 + 34 + 34


@pytest.mark.parametrize(
    ("kind", "tile", "claimed"),
    [
        ("sequence", 7, True),
        ("sequence", 17, True),
        ("sequence", 27, True),
        ("sequence", 0, False),
        ("triplet", 0, False),
        ("triplet", 34, True),
        ("kong", 34, False),
        ("kong", -1, True),
    ],
)
def test_melds_that_cannot_be(kind: MeldKind, tile: int, claimed: bool) -> None:
    with pytest.raises(HandError, match=f"no .* {kind}") as caught:
        Meld(kind, tile, claimed)
    assert caught.value.code == "H206"


def test_hand_prints_canonically() -> None:
    hand = Hand(
        (0, 1, 2, 12, 13, 14, 27),
        (Meld("sequence", 24, True), Meld("kong", 8, False)),
        27,
        (34, 38),
    )
    assert str(hand) == "123m456p1z15f[789s](9999m)+1z"
    assert hand.size == 14


def test_hands_are_values() -> None:
    hand, same = read_hand("12m+3m"), read_hand("21m+3m")
    assert {hand, same} == {hand}
    assert hand != read_hand("12m3m")
    assert pickle.loads(pickle.dumps(hand)) == hand
    with pytest.raises(FrozenInstanceError):
        hand.winning_tile = None  # type: ignore[misc]


def test_errors_survive_a_process_boundary() -> None:
    error = pickle.loads(pickle.dumps(HandError("H201", "too many", "take one away")))
    assert (error.code, str(error), error.help) == ("H201", "too many", "take one away")


def test_situation_defaults() -> None:
    situation = Situation()
    assert (situation.by, situation.seat, situation.round) == ("self_draw", "E", "E")
    assert (situation.from_seat, situation.liable, situation.dora) == (None, None, None)
    assert situation.events == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "123m456m789m123p1z+1z",
        "67m22z(4444m)[1111m][567m]+5m",
        "1z(1111m)(2222m)[3333m][4444m]+1z",
        "1m1m2m2m3p3p4p4p5s5s6z6z7z+7z",
        "19m19p19s1234567z+1z",
        "3333m444m555m666m+7m",
    ],
)
def test_hands_that_can_be(text: str) -> None:
    check_hand(read_hand(text), WALL, 14)


def test_the_size_is_the_rulesets() -> None:
    check_hand(read_hand("123m456m789m123p456p1z+1z"), WALL, 17)
    assert error_of("123m456m789m123p1z+1z", size=17).code == "H203"


@pytest.mark.parametrize(
    ("text", "held", "tile"),
    [
        ("55555m123p123s11z+1z", 5, "5m"),
        ("555m123p123s11z55m+5m", 6, "5m"),
        ("1m[1111m]123p123s1z11z+1z", 5, "1m"),
        ("23m1p(1111p)444s55z+1m", 5, "1p"),
        ("23m[123m][123m][123m]3m+3m", 6, "3m"),
    ],
)
def test_more_of_a_tile_than_there_are(text: str, held: int, tile: str) -> None:
    error = error_of(text)
    assert error.code == "H201"
    assert str(error) == f"the hand has {held} of {tile}, but there are only 4"


def test_the_lowest_tile_of_several_is_named() -> None:
    assert "5 of 2m" in str(error_of("2233m[123m][123m][123m]+3m"))


def test_dora_indicators_are_tiles_too() -> None:
    hand = read_hand("123m456m789m1111p+1z")
    check_hand(hand, WALL, 14, (parse_tile("1z"),) * 3)
    error = error_of("123m456m789m1111p+1z", "1p")
    assert error.code == "H201"
    assert str(error) == "the hand and the dora indicators have 5 of 1p, but there are only 4"


def test_one_of_each_flower() -> None:
    check_hand(read_hand("123m456m789m123p1z12345678f+1z"), FLOWER_WALL, 14)
    error = error_of("123m456m789m123p1z3f3f+1z", wall=FLOWER_WALL)
    assert str(error) == "the hand has 2 of 3f, but there is only 1"


def test_flowers_without_flowers() -> None:
    error = error_of("123m456m789m123p1z3f+1z")
    assert error.code == "H202"
    assert str(error) == "this ruleset is played without flowers, so 3f cannot occur"


def test_tiles_that_are_not_used() -> None:
    no_winds = {tile: 4 for tile in WALL if tile not in range(27, 31)}
    error = error_of("123m456m789m123p1z+1z", wall=no_winds)
    assert error.code == "H202"
    assert str(error) == "this ruleset is played without the tile 1z"
    some_flowers = {**WALL, 34: 1}
    error = error_of("123m456m789m123p1z2f+1z", wall=some_flowers)
    assert str(error) == "this ruleset is played without the tile 2f"


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("123m456m789m123p+1z", 13),
        ("123m456m789m123p11z+1z", 15),
        ("67m222z(4444m)[1111m][567m]+5m", 15),
        ("6m22z(4444m)[1111m][567m]+5m", 13),
        ("+5m", 1),
    ],
)
def test_wrong_size(text: str, counted: int) -> None:
    error = error_of(text)
    assert error.code == "H203"
    assert str(error) == (
        f"the hand has {counted} {'tile' if counted == 1 else 'tiles'}, the winning tile included "
        "and a kong counted as three, and must have 14"
    )
    assert (error.help is not None) == (counted == 15)


def test_all_fourteen_tiles_and_winning_tile_too() -> None:
    hand = read_hand("123m456m789m123p11z", winning_tile="1z")
    with pytest.raises(HandError, match="has 15 tiles") as caught:
        check_hand(hand, WALL, 14)
    assert caught.value.help == (
        "with '+' the winning tile is one of the 14; without it the hand holds the other 13, "
        "and winning_tile gives the last"
    )


def test_flowers_do_not_count_for_the_size() -> None:
    assert error_of("123m456m789m123p1f+1z", wall=FLOWER_WALL).code == "H203"


def test_no_winning_tile_is_marked() -> None:
    error = error_of("123m456m789m123p11z")
    assert error.code == "H204"
    assert str(error) == "the hand has 14 tiles but none is marked as the winning tile"
    assert error.help == "put '+' before the winning tile"


def test_the_winning_tile_is_missing() -> None:
    error = error_of("123m456m789m123p1z")
    assert error.code == "H204"
    assert "the hand has 13 tiles of 14" in str(error)


@pytest.mark.parametrize("text", ["23m456m789m123p11z+1m", "9m19p19s11234567z+1m", "1m"])
def test_robbed_kongs_that_can_be(text: str) -> None:
    check_robbed_kong(read_hand(text))


@pytest.mark.parametrize("text", ["1z23m456m789m123p+1z", "23m[123m]456p789s1z+1m"])
def test_a_robbed_tile_that_the_winner_holds(text: str) -> None:
    hand = read_hand(text)
    with pytest.raises(HandError, match="but the hand holds 1 more of it") as caught:
        check_robbed_kong(hand)
    assert caught.value.code == "H205"


def test_a_robbed_tile_that_is_an_indicator() -> None:
    hand = read_hand("23m456m789m123p11z+1m")
    check_robbed_kong(hand, (parse_tile("2m"),))
    with pytest.raises(HandError, match="dora indicator"):
        check_robbed_kong(hand, (parse_tile("1m"),))


@given(st.lists(st.integers(0, 33), max_size=17), st.none() | st.integers(0, 33))
def test_a_hand_is_checked_by_counting(standing: list[int], winning: int | None) -> None:
    hand = Hand(tuple(sorted(standing)), (), winning)
    tiles = [*standing, *([] if winning is None else [winning])]
    fine = (
        winning is not None
        and len(tiles) == 14
        and all(tiles.count(tile) <= 4 for tile in range(34))
    )
    try:
        check_hand(hand, WALL, 14)
    except HandError:
        assert not fine
    else:
        assert fine


STANDING = (0, 1, 2, 12, 13, 14, 24, 25, 26, 27, 27, 28, 28)


@pytest.mark.parametrize(
    ("hand", "wrong"),
    [
        (Hand((*STANDING[:-1], 99), (), 27), "number 99 is no tile of a hand"),
        (Hand((-1, *STANDING[1:]), (), 27), "number -1 is no tile of a hand"),
        (Hand((*STANDING[:-1], 34), (), 27), "number 34 is no tile of a hand"),
        (Hand(STANDING, (), 40), "number 40 is no tile of a hand"),
        (Hand(STANDING, (), 27, (3,)), "number 3 is no flower"),
        (Hand(STANDING, (), 27, (34, 42)), "number 42 is no flower"),
    ],
)
def test_numbers_that_are_no_tiles(hand: Hand, wrong: str) -> None:
    for rules in ("zhongyong-3.3", "zhongyong-3.3-flowers"):
        with pytest.raises(HandError, match=wrong) as caught:
            ruleengine.load(rules).score(hand)
        assert caught.value.code == "H208"


def test_numbers_that_are_no_tiles_wait_for_nothing() -> None:
    with pytest.raises(HandError) as caught:
        find_waits(ruleengine.load(), Hand((*STANDING[:-1], 99), (), None), Situation())
    assert caught.value.code == "H208"


def test_tiles_in_any_order_are_the_same_hand() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    assert (
        rules.score(Hand(STANDING[::-1], (), 27)).to_json()
        == rules.score(Hand(STANDING, (), 27)).to_json()
    )
