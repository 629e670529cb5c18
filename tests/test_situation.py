"""Situations: what can have been by the nature of the game and by the events of the ruleset."""

from __future__ import annotations

from typing import Any

import pytest

import ruleengine
from ruleengine.errors import HAND_ERRORS, HandError
from ruleengine.hand import Hand, Situation
from ruleengine.notation import read_hand
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.situation import check_seats, read_dora
from ruleengine.tiles import SEATS, parse_tile

V33 = ruleengine.load("zhongyong-3.3")
READY = "123m456m789p23s55p+4s"
KONG = "123m456m78p55z(5555p)+9p"

OTHER = """\
format: 1
id: other
name: Other
version: "1"
tiles:
  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4, "12345678f": 1}
  flowers: {E: "15f", S: "26f", W: "37f", N: "48f"}
  dora: ["123456789m", "123456789p", "123456789s", "1234z", "567z"]
options:
  open: {type: bool, default: true}
events:
  flower_replacement: {needs: count flowers >= 1 and (win by self_draw)}
  own_flower: {needs: some flower is seat_flower}
  many_ways: {needs: count waits >= 2}
  lucky: {needs: dora >= 2}
  allowed: {needs: open}
  any_time: {}
  both: {needs: allowed and lucky}
  not_free: {needs: free and win by discard}
shapes: {basic: {sets: 4, pairs: 1}}
terms: {free: not no_set, no_set: some set is claimed}
patterns: {one: {points: 1, when: win by self_draw}}
settlement: {win: [{pays: points}]}
"""


def other(**options: bool) -> Rules:
    return Rules(read_ruleset_text(OTHER, "other.yaml").data, options)


def refused(rules: Rules, hand: str, **how: Any) -> tuple[str, str, str | None]:
    with pytest.raises(HandError) as caught:
        rules.score(hand, **how)
    error = caught.value
    assert error.code in HAND_ERRORS
    return error.code, error.message, error.help


# ---- way and seats ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "code", "message", "help_line"),
    [
        (
            {"by": "ron"},
            "H301",
            "'ron' is not a way of winning",
            "there are: self_draw, discard, robbing_kong",
        ),
        ({"by": "discrad"}, "H301", "'discrad' is not a way of winning", "did you mean 'discard'?"),
        (
            {"by": ""},
            "H301",
            "'' is not a way of winning",
            "there are: self_draw, discard, robbing_kong",
        ),
        ({"seat": "X"}, "H302", "'X' is not a wind: 'seat' is one of E, S, W and N", None),
        ({"seat": "ES"}, "H302", "'ES' is not a wind: 'seat' is one of E, S, W and N", None),
        ({"seat": ""}, "H302", "'' is not a wind: 'seat' is one of E, S, W and N", None),
        (
            {"seat": "East"},
            "H302",
            "'East' is not a wind: 'seat' is one of E, S, W and N",
            "write E",
        ),
        ({"round": "s"}, "H302", "'s' is not a wind: 'round' is one of E, S, W and N", "write S"),
        ({"round": "西"}, "H302", "'西' is not a wind: 'round' is one of E, S, W and N", "write W"),
        (
            {"by": "discard", "from_": "none"},
            "H302",
            "'none' is not a wind: 'from' is one of E, S, W and N",
            None,
        ),
        (
            {"from_": "S"},
            "H303",
            "on a self-draw nobody discards, so there can be no 'from'",
            None,
        ),
        (
            {"by": "discard", "seat": "S", "from_": "S"},
            "H304",
            "'from' names the winner, who cannot have given the tile away",
            None,
        ),
        (
            {"by": "robbing_kong", "seat": "N", "from_": "N"},
            "H304",
            "'from' names the winner, who cannot have given the tile away",
            None,
        ),
        (
            {"liable": "S"},
            "H305",
            "on a self-draw nobody is liable, so there can be no 'liable'",
            None,
        ),
        (
            {"liable": "none"},
            "H305",
            "on a self-draw nobody is liable, so there can be no 'liable'",
            None,
        ),
        (
            {"by": "discard", "seat": "S", "from_": "W", "liable": "S"},
            "H305",
            "'liable' names the winner, who pays nothing",
            "where the winner discarded the tile first, liable is none",
        ),
        (
            {"by": "discard", "seat": "S", "from_": "W", "liable": "north"},
            "H305",
            "'north' is no seat: 'liable' is one of E, S, W, N and none",
            "write N",
        ),
    ],
)
def test_wrong_ways_and_seats(
    how: dict[str, Any], code: str, message: str, help_line: str | None
) -> None:
    assert refused(V33, READY, **how) == (code, message, help_line)


def test_every_right_way_and_seat_is_taken() -> None:
    for by in ("self_draw", "discard", "robbing_kong"):
        for seat in SEATS:
            for round_ in SEATS:
                for giver in (None, *SEATS):
                    if giver is not None and (by == "self_draw" or giver == seat):
                        continue
                    result = V33.score(READY, by=by, seat=seat, round=round_, from_=giver)
                    assert result.win
                    assert result.situation.from_seat == giver


# ---- liability ----------------------------------------------------------------------------------


def test_liability_that_a_ruleset_does_not_have() -> None:
    how = {"by": "discard", "seat": "S", "from_": "W"}
    assert refused(other(), READY, **how, liable="N") == (
        "H306",
        "under other the discarder is always liable, so 'liable' can only be 'from'",
        None,
    )
    assert refused(other(), READY, **how, liable="none") == (
        "H306",
        "under other somebody is always liable for a win on another's tile",
        None,
    )
    assert refused(other(), READY, **how, liable="S")[2] == "'liable' names another player"
    assert other().score(READY, **how, liable="W").win


def test_without_from_the_liable_seat_may_be_the_discarder() -> None:
    result = other().score(READY, by="discard", seat="S", liable="N")
    assert result.win
    assert result.payments is None


@pytest.mark.parametrize(
    ("hand", "liable", "who"),
    [
        # Three 4s and the winning one: no other player can have discarded a fifth.
        ("444s456m789p55p44m+4s", "N", "N"),
        ("44s456s55p123m[678m]+4s", "N", "N"),
        ("456m789p55p44m[444s]+4s", "none", "the winner"),
        ("123m55p44s456s[678m]+4s", "none", "the winner"),
    ],
)
def test_an_earlier_discard_needs_a_tile_of_its_own(hand: str, liable: str, who: str) -> None:
    how = {"by": "discard", "seat": "S", "from_": "W"}
    assert refused(V33, hand, **how, liable=liable) == (
        "H315",
        f"'liable' cannot be {liable}: {who} would have discarded another 4s in this turn, but "
        "the hand has all of them",
        None,
    )
    for possible in ("W", None):
        assert V33.score(hand, **how, liable=possible).situation.liable == possible
    if liable != "none":
        # Who discarded is not said, so it may have been the liable seat.
        assert V33.score(hand, by="discard", seat="S", liable=liable).situation.liable == liable


def test_with_a_copy_to_spare_the_duty_may_have_moved() -> None:
    how = {"by": "discard", "seat": "S", "from_": "W"}
    for liable in ("N", "E", "none"):
        assert V33.score("44s99s456m789p[123s]+4s", **how, liable=liable).win


def test_the_duty_for_a_robbed_kong_may_have_moved() -> None:
    # The earlier discard is the one that was claimed for the triplet.
    how = {"by": "robbing_kong", "seat": "S", "from_": "W"}
    for liable in ("N", "none"):
        assert V33.score(READY, **how, liable=liable).win


# ---- robbed kongs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "held"),
    [("123m456m789p23s44s+4s", 2), ("123m456m23s55p[456s]+4s", 1), ("23m456m789p44s[444s]+4s", 5)],
)
def test_a_robbed_tile_is_held_by_nobody_else(hand: str, held: int) -> None:
    code, message, _ = refused(V33, hand, by="robbing_kong", seat="S")
    if held > 3:
        assert code == "H201"
    else:
        assert code == "H205"
        assert message == (
            "4s cannot have been robbed from a kong: the kong's owner has the other three 4s, but "
            f"the hand holds {held} more of it"
        )


def test_a_robbed_tile_is_no_indicator() -> None:
    code, message, _ = refused(other(), READY, by="robbing_kong", seat="S", dora="4s")
    assert code == "H205"
    assert message.endswith("but it is a dora indicator too")


# ---- events of Zung Jung ------------------------------------------------------------------------

FIRST_TURN = (
    "the event 'first_turn' (East wins with the fourteen tiles dealt, or another player on East's "
    "first discard) cannot have been here"
)
IN_TIME = (
    "this is not so: dealer and win by self_draw or win by discard and discarder is dealer "
    "and discarder is liable"
)
NEEDS = "it needs: not win by robbing_kong"
REPLACED = (
    "the event 'kong_replacement' (The winning tile was drawn to replace a tile used for the "
    "winner's kong) cannot have been here"
)
LAST = (
    "the event 'last_tile' (The winning tile is the last of the wall, or the discard that follows "
    "it) cannot have been here"
)


@pytest.mark.parametrize(
    ("hand", "how", "message", "help_line"),
    [
        (READY, {"events": ["first_turn"], "seat": "S"}, FIRST_TURN, IN_TIME),
        (READY, {"events": ["first_turn"], "by": "discard"}, FIRST_TURN, IN_TIME),
        (READY, {"events": ["first_turn"], "by": "discard", "from_": "S"}, FIRST_TURN, IN_TIME),
        (
            READY,
            {"events": ["first_turn"], "by": "discard", "seat": "S", "from_": "W"},
            FIRST_TURN,
            IN_TIME,
        ),
        (
            READY,
            {"events": ["first_turn"], "by": "robbing_kong", "seat": "S", "from_": "E"},
            FIRST_TURN,
            IN_TIME,
        ),
        (
            # Nobody discarded before East's first discard, so the duty cannot have moved.
            READY,
            {"events": ["first_turn"], "by": "discard", "seat": "S", "from_": "E", "liable": "N"},
            FIRST_TURN,
            IN_TIME,
        ),
        (
            "123m456m78p55z[555p]+9p",
            {"events": ["first_turn"]},
            FIRST_TURN,
            "this is not so: no set is claimed",
        ),
        (KONG, {"events": ["first_turn"]}, FIRST_TURN, "this is not so: count kongs = 0"),
        (
            READY,
            {"events": ["first_turn", "last_tile"]},
            FIRST_TURN,
            "this is not so: not last_tile",
        ),
        (
            READY,
            {"events": ["kong_replacement"]},
            REPLACED,
            "this is not so: count kongs >= 1",
        ),
        (
            "123m456m78p555p55z+9p",
            {"events": ["kong_replacement"]},
            REPLACED,
            "this is not so: count kongs >= 1",
        ),
        (
            KONG,
            {"events": ["kong_replacement"], "by": "discard", "seat": "S"},
            REPLACED,
            "this is not so: win by self_draw",
        ),
        (
            KONG,
            {"events": ["kong_replacement"], "by": "robbing_kong", "seat": "S"},
            REPLACED,
            "this is not so: win by self_draw",
        ),
        (READY, {"events": ["last_tile"], "by": "robbing_kong", "seat": "S"}, LAST, NEEDS),
    ],
)
def test_events_that_cannot_have_been(
    hand: str, how: dict[str, Any], message: str, help_line: str | None
) -> None:
    assert refused(V33, hand, **how) == ("H308", message, help_line)


@pytest.mark.parametrize(
    ("hand", "how", "pattern"),
    [
        (READY, {"events": ["first_turn"]}, "blessing_of_heaven"),
        (
            READY,
            {"events": ["first_turn"], "by": "discard", "seat": "W", "from_": "E"},
            "blessing_of_earth",
        ),
        (KONG, {"events": ["kong_replacement"], "seat": "N"}, "win_on_kong"),
        ("123m456m78p55z[5555p]+9p", {"events": ["kong_replacement"]}, "win_on_kong"),
        (KONG, {"events": ["kong_replacement", "last_tile"]}, "final_draw"),
        (READY, {"events": ["last_tile"], "by": "discard", "seat": "S"}, "final_discard"),
        (READY, {"by": "robbing_kong", "seat": "S"}, "robbing_a_kong"),
        ("19m19p19s1234567z+9s", {"events": ["first_turn"]}, "blessing_of_heaven"),
    ],
)
def test_events_that_can_have_been(hand: str, how: dict[str, Any], pattern: str) -> None:
    assert pattern in [counted.id for counted in V33.score(hand, **how).patterns]


def test_without_from_an_event_may_speak_of_some_discarder() -> None:
    result = V33.score(READY, by="discard", seat="S", events=["first_turn"])
    assert "blessing_of_earth" in [counted.id for counted in result.patterns]
    assert result.payments is None


@pytest.mark.parametrize(
    ("events", "message", "help_line"),
    [
        (["lasttile"], "zhongyong-3.3 has no event 'lasttile'", "did you mean 'last_tile'?"),
        (
            ["ready"],
            "zhongyong-3.3 has no event 'ready'",
            "there are: last_tile, kong_replacement, first_turn",
        ),
        (
            ["last_tile", "x" * 99],
            f"zhongyong-3.3 has no event '{'x' * 40}…'",
            "there are: last_tile, kong_replacement, first_turn",
        ),
    ],
)
def test_unknown_events(events: list[str], message: str, help_line: str) -> None:
    assert refused(V33, READY, events=events) == ("H307", message, help_line)


def test_a_ruleset_without_events_says_so() -> None:
    text = OTHER[: OTHER.index("events:")] + OTHER[OTHER.index("shapes:") :]
    rules = Rules(read_ruleset_text(text, "other.yaml").data)
    assert refused(rules, READY, events=["last_tile"])[2] == "there are: none"


# ---- what an event may ask for ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "how", "possible"),
    [
        ("flower_replacement", {"flowers": "3f"}, True),
        ("flower_replacement", {}, False),
        ("flower_replacement", {"flowers": "3f", "by": "discard", "seat": "S"}, False),
        ("own_flower", {"flowers": "3f"}, False),
        ("own_flower", {"flowers": "3f", "seat": "W"}, True),
        # 23s waits for 1s and 4s.
        ("many_ways", {}, True),
        ("lucky", {"dora": 1}, False),
        ("lucky", {"dora": 2}, True),
        # The indicator 4p makes both 5p dora.
        ("lucky", {"dora": "4p"}, True),
        ("lucky", {"dora": "3p"}, False),
        ("allowed", {}, True),
        ("any_time", {"by": "robbing_kong", "seat": "S"}, True),
    ],
)
def test_what_an_event_may_ask_for(event: str, how: dict[str, Any], possible: bool) -> None:
    if possible:
        assert other().score(READY, events=[event], **how).win
    else:
        assert refused(other(), READY, events=[event], **how)[0] == "H308"


def test_a_single_wait_is_counted_as_one() -> None:
    assert refused(other(), "123m456m789p24s55p+3s", events=["many_ways"])[0] == "H308"


def test_an_event_may_hang_on_an_option_and_on_another_event() -> None:
    assert refused(other(open=False), READY, events=["allowed"])[0] == "H308"
    both = ["both", "allowed", "lucky"]
    assert other().score(READY, events=both, dora=2).win
    assert refused(other(), READY, events=["both", "lucky"], dora=2)[2] == "this is not so: allowed"


def test_a_term_is_opened_to_say_what_is_not_so() -> None:
    hand = "123m456m23s55p[789p]+4s"
    code, message, help_line = refused(other(), hand, events=["not_free"], by="discard", seat="S")
    assert code == "H308"
    assert message == "the event 'not_free' cannot have been here"
    assert help_line == "this is not so: not no_set"


# ---- dora and flowers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (None, None),
        (3, 3),
        ("3", 3),
        (" 12 ", 12),
        ("5m", (parse_tile("5m"),)),
        ("5m5m1z", (parse_tile("5m"), parse_tile("5m"), parse_tile("1z"))),
        ("五萬 東", (parse_tile("5m"), parse_tile("1z"))),
        ((parse_tile("5m"),), (parse_tile("5m"),)),
    ],
)
def test_dora_as_given(given: object, read: object) -> None:
    assert read_dora(given) == read


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (True, "H310"),
        (1.0, "H310"),
        (["5m"], "H310"),
        ((99,), "H310"),
        ((True,), "H310"),
        ("", "H126"),
        ("[555m]", "H126"),
        ("+5m", "H126"),
        ("5x", "H102"),
        ("²", "H102"),
        ("1234", "H103"),
        ("9z", "H104"),
        ("1" * 300, "H101"),
    ],
)
def test_what_is_no_dora(given: object, code: str) -> None:
    with pytest.raises(HandError) as caught:
        read_dora(given)
    assert caught.value.code == code
    assert code in HAND_ERRORS


@pytest.mark.parametrize(
    ("dora", "count"),
    [
        (None, 0),
        (0, 0),
        (4, 4),
        # After 3s comes 4s, after 9m comes 1m, after North comes East.
        ("3s", 1),
        ("9m", 1),
        ("4z", 0),
        # The same indicator twice counts twice; after 4p come the two 5p.
        ("4p4p", 4),
        ("3s9m", 2),
    ],
)
def test_dora_are_counted(dora: object, count: int) -> None:
    assert other().score(READY, dora=dora).dora == count  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("dora", "code", "message"),
    [
        (-1, "H309", "a hand cannot hold -1 dora tiles"),
        (71, "H309", "a hand cannot hold 71 dora tiles"),
        pytest.param(10**5000, "H309", "a hand cannot hold so many dora tiles", id="huge"),
        ("1f", "H309", "1f is no dora indicator under other"),
        ("5p5p5p", "H201", "the hand and the dora indicators have 5 of 5p, but there are only 4"),
    ],
)
def test_dora_that_cannot_be(dora: object, code: str, message: str) -> None:
    assert refused(other(), READY, dora=dora)[:2] == (code, message)


def test_every_flower_is_there_once() -> None:
    assert other().score(READY, flowers="12345678f").win
    assert refused(other(), READY, flowers="1f1f") == (
        "H201",
        "the hand has 2 of 1f, but there is only 1",
        None,
    )
    assert refused(other(), READY + "3f", flowers="3f")[0] == "H201"


def test_hands_may_be_completed_beside() -> None:
    hand = read_hand("123m456m789p23s55p")
    result = other().score(hand, winning_tile="4s", flowers="1f")
    assert result.win
    assert result.hand == Hand(hand.standing, (), parse_tile("4s"), (parse_tile("1f"),))
    with pytest.raises(HandError) as caught:
        other().score(hand, winning_tile="1f")
    assert caught.value.code == "H118"
    with pytest.raises(HandError) as caught:
        other().score(hand, winning_tile="4s", flowers="4s")
    assert caught.value.code == "H122"
    with pytest.raises(HandError) as caught:
        other().score(result.hand, winning_tile="4s")
    assert caught.value.code == "H120"


def test_situations_made_by_hand_are_checked_too() -> None:
    with pytest.raises(HandError) as caught:
        check_seats(Situation(by="discard", seat="E", from_seat="E"), V33.data)
    assert caught.value.code == "H304"
    with pytest.raises(HandError) as caught:
        V33.score_hand(read_hand(READY), Situation(events=frozenset({"ready"})))
    assert caught.value.code == "H307"
