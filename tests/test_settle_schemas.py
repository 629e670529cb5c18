"""The schemas of requests and answers of `yaku settle`: they take what is settled, and refuse what
the reader refuses."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

import ruleengine
from ruleengine.errors import HandError
from ruleengine.rules import Rules
from ruleengine.settle import FIELDS, settle
from ruleengine.source import read_yaml_file
from ruleengine.tiles import SEATS
from tests.test_schemas import JUNK, plain, problems, properties, schema

CASES = Path(__file__).parent / "cases"
FILES: Registry[Any] = Registry().with_resource(
    "record.schema.json", DRAFT202012.create_resource(schema("record"))
)
REQUEST = Draft202012Validator(schema("settle"), registry=FILES)
ANSWER = Draft202012Validator(schema("settlement"))

OF_KINDS = frozenset({"H301", "H302", "H311", "H312", "H314", "H401", "H402", "H403"})
"""What the reader says of fields that are missing, unknown or of the wrong kind."""
ENDINGS: dict[str, dict[str, Any]] = {
    "win": {
        "event": "win",
        "wins": [
            {
                "hand": "23m234m678p33s[678s]+4m",
                "by": "discard",
                "seat": "S",
                "from": "W",
                "discards": [["S", "9m"], ["N", "1z"]],
            },
            {"hand": "23m456p789s11p[345s]+4m", "by": "discard", "seat": "E", "from": "W"},
        ],
        "stakes": {"N": 1},
        "carried": 2,
    },
    "exhausted": {"event": "exhausted", "ready": ["E"], "stakes": {"E": 1, "S": 0}, "carried": 0},
    "wrong_win": {"event": "wrong_win", "seat": "S", "stakes": {}, "carried": 3},
    "abortive": {"event": "abortive", "stakes": {"E": 1}, "carried": 1},
}


@pytest.fixture(scope="module")
def rules() -> Rules:
    return ruleengine.load("simple-1")


@pytest.mark.parametrize("name", ["settle", "settlement"])
def test_a_schema_is_one_and_says_what_each_key_is(name: str) -> None:
    found = schema(name)
    Draft202012Validator.check_schema(found)
    listed = [one for one in properties(found) if isinstance(one[1], dict)]
    assert len(listed) >= 6
    for path, inner in listed:
        assert inner["description"].endswith("."), path
        assert inner["examples"], path
        part = Draft202012Validator({**inner, "$defs": found.get("$defs", {})}, registry=FILES)
        for example in inner["examples"]:
            assert not problems(part, example), path


def test_the_schema_knows_the_fields_that_the_reader_knows(rules: Rules) -> None:
    assert set(schema("settle")["properties"]) == {name for of in FIELDS.values() for name in of}
    assert schema("settle")["properties"]["event"]["enum"] == list(FIELDS) == list(ENDINGS)
    assert schema("settle")["$defs"]["seat"]["enum"] == list(SEATS)
    for request in schema("settle")["examples"]:
        assert problems(REQUEST, request) == []
        assert problems(ANSWER, settle(rules, request)) == []


@pytest.mark.parametrize("path", sorted(CASES.glob("*/settle.yaml")), ids=lambda p: p.parent.name)
def test_what_is_settled_in_the_cases_fits(path: Path) -> None:
    node, _ = read_yaml_file(path)
    of = ruleengine.load(path.parent.name)
    settled = 0
    for case in plain(node):
        request = {
            name: value for name, value in case.items() if name in schema("settle")["properties"]
        }
        if "error" in case:
            continue
        settled += 1
        assert problems(REQUEST, request) == []
        assert problems(ANSWER, settle(of, request)) == []
    assert settled


def test_an_answer_needs_all_seats_and_whole_numbers() -> None:
    good: dict[str, Any] = {"payments": dict.fromkeys(SEATS, 0), "stakes_left": 2}
    assert problems(ANSWER, good) == []
    for wrong in (
        {"payments": good["payments"]},
        {**good, "stakes_left": -1},
        {**good, "payments": {"E": 0}},
        {**good, "payments": {**good["payments"], "X": 0}},
        {**good, "payments": {**good["payments"], "N": 0.5}},
        {**good, "id": 1},
    ):
        assert problems(ANSWER, wrong), wrong


def agree(rules: Rules, request: object) -> None:
    """Whatever one refuses for its kind the other refuses."""
    refused = ""
    try:
        settle(rules, request)
    except HandError as error:
        refused = error.code
    if problems(REQUEST, request):
        assert refused, request
    else:
        assert refused not in OF_KINDS or missing_ready(request), (refused, request)


def missing_ready(request: object) -> bool:
    """Whether only the ruleset makes `ready` needed, which the schema cannot know."""
    return (
        isinstance(request, dict) and request["event"] == "exhausted" and not request.get("ready")
    )


@pytest.mark.parametrize("ending", ENDINGS)
def test_reader_and_schema_agree_on_wrong_requests(ending: str, rules: Rules) -> None:
    """Every field in turn missing, under another name, or junk; and fields of other endings."""
    good = ENDINGS[ending]
    settle(rules, good)
    assert problems(REQUEST, good) == []
    for field in (*good, "wins", "ready", "seat", "nothing"):
        for junk in (*JUNK, {"X": 1}, {"E": None}, {"E": "1"}, {"E": -1}, ["E", "E"], 10**10):
            agree(rules, {**good, field: junk})
    for field in good:
        rest = {name: value for name, value in good.items() if name != field}
        agree(rules, rest)
        agree(rules, {**rest, "zzzz": good[field]})
    for junk in JUNK:
        agree(rules, junk)


def test_reader_and_schema_agree_on_wrong_records_in_a_win(rules: Rules) -> None:
    for field in (*ENDINGS["win"]["wins"][0], "nothing"):
        for junk in JUNK:
            request = copy.deepcopy(ENDINGS["win"])
            request["wins"][0][field] = junk
            agree(rules, request)
