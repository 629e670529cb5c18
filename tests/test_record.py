"""Records: what is scored, and for everything that is wrong one clear sentence."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruleengine
from ruleengine.errors import HAND_ERRORS, RULES_ERRORS, HandError
from ruleengine.record import RECORD_FIELDS, error_record, score_record
from ruleengine.ruleset.options import OptionError

RULES = ruleengine.load("zhongyong-3.3")
HAND = "123m456m789p23s55p+4s"
WITHOUT = "123m456m789p23s55p"
DISCARD = {"by": "discard", "seat": "S", "from": "W"}
HUGE = 10**5000


def refused(record: object) -> HandError:
    with pytest.raises(HandError) as caught:
        score_record(RULES, record)
    error = caught.value
    assert error.code in {**HAND_ERRORS, **RULES_ERRORS}
    assert len(error.message.splitlines()) == 1
    assert len(error.message) < 300
    return error


def said(record: object) -> tuple[str, str, str | None]:
    error = refused(record)
    return error.code, error.message, error.help


# ---- what is right ------------------------------------------------------------------------------


def test_a_record_with_all_its_fields() -> None:
    result = score_record(
        RULES,
        {
            "id": ["anything", 3],
            "hand": "23m678p345s99s[678m]",
            "winning_tile": "4m",
            "by": "discard",
            "seat": "N",
            "round": "S",
            "from": "E",
            "liable": "W",
            "events": ["last_tile"],
            "options": {"minimum": 5, "standard": 10},
        },
    )
    # All sequences 5 and final discard 10; W bears the duty: 3 x 15 - 2 x 10 = 25.
    assert (result.points, result.win) == (15, True)
    assert [counted.id for counted in result.patterns] == ["all_sequences", "final_discard"]
    assert result.payments == {"E": -10, "S": -10, "W": -25, "N": 45}
    assert result.to_json()["id"] == ["anything", 3]
    assert result.rules.options == {"minimum": 5, "standard": 10}


def test_fields_that_are_null_are_not_there() -> None:
    nothing = dict.fromkeys(RECORD_FIELDS, None)
    result = score_record(RULES, {**nothing, "hand": HAND})
    assert result == score_record(RULES, {"hand": HAND})
    assert result.to_json()["id"] is None


def test_defaults_are_a_self_draw_of_east_in_the_east_round() -> None:
    given = {"hand": "11z567m99p345s[789p]+1z", "by": "self_draw", "seat": "E", "round": "E"}
    assert score_record(RULES, {"hand": given["hand"]}) == score_record(RULES, given)
    assert score_record(RULES, given).points == 10


def test_options_hold_for_their_record_only() -> None:
    chicken = {"hand": "44p99s[222m][666s][789p]+4p"}
    assert score_record(RULES, {**chicken, "options": {"minimum": 5}}).reason == "below_minimum"
    assert score_record(RULES, chicken).win


def test_wrong_records_as_results() -> None:
    error = refused({"hand": WITHOUT + "4s"})
    assert error_record(7, error) == {
        "id": 7,
        "error": {
            "code": "H204",
            "message": "the hand has 14 tiles but none is marked as the winning tile",
            "help": "put '+' before the winning tile",
        },
    }
    assert error_record(None, error)["id"] is None
    assert list(error_record(0, HandError("H123", "the hand is empty"))["error"]) == [
        "code",
        "message",
    ]


# ---- the form of a record -----------------------------------------------------------------------

FORM: list[tuple[object, str, str, str | None]] = [
    (5, "H311", "a record is a JSON object, not a number", None),
    (None, "H311", "a record is a JSON object, not null", None),
    (False, "H311", "a record is a JSON object, not false", None),
    ("hand", "H311", "a record is a JSON object, not a text", None),
    ([{"hand": HAND}], "H311", "a record is a JSON object, not a list", None),
    ({}, "H311", "a record needs 'hand'", None),
    ({"id": 3}, "H311", "a record needs 'hand'", None),
    ({"hand": HAND, "form": "S"}, "H311", "a record has no field 'form'", "did you mean 'from'?"),
    (
        {"hand": HAND, "wining_tile": "4s"},
        "H311",
        "a record has no field 'wining_tile'",
        "did you mean 'winning_tile'?",
    ),
    (
        {"hand": HAND, "x" * 5000: 1},
        "H311",
        f"a record has no field '{'x' * 40}…'",
        f"there are: {', '.join(RECORD_FIELDS)}",
    ),
    ({"hand": HAND, 3: 4}, "H311", "the name of a field is a text, not a number", None),
    ({"hand": [HAND]}, "H312", "'hand' is a text, not a list", None),
    ({"hand": HUGE}, "H312", "'hand' is a text, not a number", None),
    ({"hand": HAND, "seat": 1}, "H312", "'seat' is a text, not a number", None),
    ({"hand": HAND, "round": math.nan}, "H312", "'round' is a text, not nan", None),
    ({"hand": HAND, "by": True}, "H312", "'by' is a text, not true", None),
    ({"hand": HAND, "from": {"E": 1}}, "H312", "'from' is a text, not an object", None),
    ({"hand": HAND, "liable": 0.5}, "H312", "'liable' is a text, not 0.5", None),
    ({"hand": HAND, "flowers": 15}, "H312", "'flowers' is a text, not a number", None),
    ({"hand": HAND, "winning_tile": []}, "H312", "'winning_tile' is a text, not a list", None),
    (
        {"hand": HAND, "events": "last_tile"},
        "H312",
        "'events' is a list of texts, not a text",
        'for example: ["last_tile"]',
    ),
    (
        {"hand": HAND, "events": {"last_tile": True}},
        "H312",
        "'events' is a list of texts, not an object",
        'for example: ["last_tile"]',
    ),
    ({"hand": HAND, "events": [["last_tile"]]}, "H312", "an event is a text, not a list", None),
    ({"hand": HAND, "events": [None]}, "H312", "an event is a text, not null", None),
    (
        {"hand": HAND, "events": ["last_tile", "last_tile"]},
        "H314",
        "the event 'last_tile' is named twice",
        None,
    ),
    (
        {"hand": HAND, "dora": True},
        "H312",
        "'dora' is a number of dora tiles, or the indicators as a text, not true",
        None,
    ),
    (
        {"hand": HAND, "dora": 1.5},
        "H312",
        "'dora' is a number of dora tiles, or the indicators as a text, not 1.5",
        None,
    ),
    (
        {"hand": HAND, "options": [5]},
        "H312",
        "'options' is an object, not a list",
        'for example: {"minimum": 5}',
    ),
]


@pytest.mark.parametrize(("record", "code", "message", "help_line"), FORM)
def test_wrong_forms(record: object, code: str, message: str, help_line: str | None) -> None:
    error = refused(record)
    assert (error.code, error.message) == (code, message)
    if isinstance(record, dict):
        assert error.help == help_line


# ---- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code", "message", "help_line"),
    [
        (
            {"minimun": 5},
            "R102",
            "zhongyong-3.3 has no option 'minimun'",
            "did you mean 'minimum'?",
        ),
        ({"cap": 5}, "R102", "zhongyong-3.3 has no option 'cap'", "there are: minimum, standard"),
        ({3: 4}, "R102", "zhongyong-3.3 has no option '3'", "there are: minimum, standard"),
        ({"minimum": 3}, "R103", "option 'minimum' cannot be 3; it is 0 or 5", None),
        ({"minimum": True}, "R103", "option 'minimum' is a whole number", None),
        ({"minimum": 5.0}, "R103", "option 'minimum' is a whole number", None),
        ({"minimum": "5"}, "R103", "option 'minimum' is a whole number", None),
        ({"minimum": None}, "R103", "option 'minimum' is a whole number", None),
        ({"minimum": [5]}, "R103", "option 'minimum' is a whole number", None),
        ({"minimum": math.nan}, "R103", "option 'minimum' is a whole number", None),
        ({"standard": -1}, "R103", "option 'standard' cannot be -1; the least is 0", None),
        ({"standard": 1001}, "R103", "option 'standard' cannot be 1001; the most is 1000", None),
        (
            {"standard": HUGE},
            "R103",
            "option 'standard' cannot be so large a number; the most is 1000",
            None,
        ),
    ],
)
def test_wrong_options(
    options: dict[Any, Any], code: str, message: str, help_line: str | None
) -> None:
    assert said({"hand": HAND, "options": options}) == (code, message, help_line)
    with pytest.raises(OptionError):
        RULES.with_options(options)


def test_a_value_that_equals_another_is_not_taken_for_it() -> None:
    RULES.with_options({"minimum": 5})
    for value in (5.0, True, False):
        with pytest.raises(OptionError):
            RULES.with_options({"minimum": value})  # type: ignore[dict-item]


# ---- hands --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "code", "message", "help_line"),
    [
        ("", "H123", "the hand is empty", None),
        ("\u3000 ", "H123", "the hand is empty", None),
        (
            "1" * 201,
            "H101",
            "the text of the hand has 201 characters, and at most 200 are read",
            None,
        ),
        ("1m\x00", "H102", "'U+0000' at character 3 is no part of a tile", None),
        (
            "123m456m789p5z8z+5z",
            "H104",
            "there is no tile '8z' (number at character 15): honors run from 1z to 7z",
            None,
        ),
        (
            WITHOUT,
            "H204",
            "the winning tile is missing: the hand has 13 tiles of 14, a kong counted as three",
            "mark the winning tile with '+', or give the other 13 tiles and winning_tile",
        ),
        (
            WITHOUT + "4s",
            "H204",
            "the hand has 14 tiles but none is marked as the winning tile",
            "put '+' before the winning tile",
        ),
        (
            "123m456m789p23s5p+4s",
            "H203",
            "the hand has 13 tiles, the winning tile included and a kong counted as three, and "
            "must have 14",
            None,
        ),
        (
            "123m456m789p23s555p+4s",
            "H203",
            "the hand has 15 tiles, the winning tile included and a kong counted as three, and "
            "must have 14",
            "with '+' the winning tile is one of the 14; without it the hand holds the other 13, "
            "and winning_tile gives the last",
        ),
        ("11111m456m789p5p+5p", "H201", "the hand has 5 of 1m, but there are only 4", None),
        (
            "111m456m789p5p[111m]+5p",
            "H201",
            "the hand has 6 of 1m, but there are only 4",
            None,
        ),
        (
            "1m456m789p5p(1111m)+5p",
            "H201",
            "the hand has 5 of 1m, but there are only 4",
            None,
        ),
        (
            "23m456m789p5p(1111m)+1m",
            "H201",
            "the hand has 5 of 1m, but there are only 4",
            None,
        ),
        (
            "123m456m789p5p[135s]+5p",
            "H111",
            "'[135s]' at character 15 is not a sequence, triplet or kong: its ranks neither "
            "follow one another nor are all the same",
            None,
        ),
        (
            "123m456m789p5p[671z]+5p",
            "H111",
            "'[671z]' at character 15 is not a sequence, triplet or kong: honors make no "
            "sequence, and these are not three of one tile",
            None,
        ),
        (
            HAND + "1f",
            "H202",
            "this ruleset is played without flowers, so 1f cannot occur",
            None,
        ),
    ],
)
def test_wrong_hands(hand: str, code: str, message: str, help_line: str | None) -> None:
    assert said({"hand": hand}) == (code, message, help_line)
    with pytest.raises(HandError) as caught:
        RULES.score(hand)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("fields", "code", "message"),
    [
        (
            {"hand": HAND, "winning_tile": "4s"},
            "H120",
            "the winning tile is given twice, by '+' in the hand and as winning_tile '4s'",
        ),
        (
            {"hand": WITHOUT, "winning_tile": "4s5s"},
            "H121",
            "winning_tile must be one tile, and '4s5s' is not",
        ),
        (
            {"hand": WITHOUT, "winning_tile": "1f"},
            "H118",
            "winning_tile '1f' is a flower, which is never the winning tile",
        ),
        (
            {"hand": HAND, "flowers": "1f"},
            "H202",
            "this ruleset is played without flowers, so 1f cannot occur",
        ),
        (
            {"hand": HAND, "flowers": "1z"},
            "H122",
            "'1z' at character 1 of flowers is not a flower: flowers are 1f to 8f",
        ),
        ({"hand": HAND, "dora": 1}, "H309", "zhongyong-3.3 is played without dora"),
        ({"hand": HAND, "dora": 0}, "H309", "zhongyong-3.3 is played without dora"),
        ({"hand": HAND, "dora": HUGE}, "H309", "zhongyong-3.3 is played without dora"),
        ({"hand": HAND, "dora": "5m"}, "H309", "zhongyong-3.3 is played without dora"),
    ],
)
def test_wrong_tiles_beside_the_hand(fields: dict[str, Any], code: str, message: str) -> None:
    assert said(fields) == (code, message, None)


# ---- anything -----------------------------------------------------------------------------------

junk = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=12),
        st.sampled_from(["E", "discard", "none", "last_tile", HAND, "5m", "1f"]),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=400, deadline=None)
@given(
    st.one_of(
        junk,
        st.dictionaries(st.sampled_from(RECORD_FIELDS), junk, max_size=5).map(
            lambda fields: {"hand": HAND, **fields}
        ),
    )
)
def test_whatever_is_given_is_scored_or_refused_in_one_sentence(record: object) -> None:
    try:
        found = score_record(RULES, record).to_json()
    except HandError as error:
        found = error_record(None, error)
    error_part = found.get("error")
    if error_part is not None:
        assert error_part["code"] in {**HAND_ERRORS, **RULES_ERRORS}
        assert len(error_part["message"].splitlines()) == 1
    json.dumps(found)


def test_deep_values_are_refused_like_others() -> None:
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    assert said({"hand": HAND, "seat": deep})[:2] == ("H312", "'seat' is a text, not a list")
    assert said({"hand": HAND, "events": deep})[:2] == ("H312", "an event is a text, not a list")
    assert said({"hand": HAND, "options": {"minimum": deep}})[0] == "R103"
