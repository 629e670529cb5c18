"""The schemas: what ships with the project fits them, and they refuse what the readers refuse."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

import ruleengine
from ruleengine.data import data_folder
from ruleengine.diagnostics import RulesetError
from ruleengine.errors import HandError
from ruleengine.record import RECORD_FIELDS, error_record, score_record
from ruleengine.ruleset.examples import MISS_FIELDS
from ruleengine.ruleset.examples import RECORD_FIELDS as EXAMPLE_FIELDS
from ruleengine.ruleset.model import EVENT_KEYS, OPTION_KEYS, PATTERN_KEYS
from ruleengine.ruleset.read import TOP_KEYS, read_ruleset_text
from ruleengine.source import MappingNode, ScalarNode, SequenceNode, read_yaml, read_yaml_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.source import Node

CASES = Path(__file__).parent / "cases"


def schema(name: str) -> dict[str, Any]:
    text = (data_folder("grammar") / f"{name}.schema.json").read_text(encoding="utf-8")
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema(name))


RULESET, RECORD, RESULT = validator("ruleset"), validator("record"), validator("result")


def plain(node: Node) -> Any:
    """A node as the values of JSON."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node.entries}


def problems(check: Draft202012Validator, value: object) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in check.iter_errors(value)]


# ---- the schemas themselves ---------------------------------------------------------------------


def properties(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every property that a schema declares, with its path; conditions declare none."""
    if isinstance(node, list):
        for item in node:
            yield from properties(item, path)
    elif isinstance(node, dict):
        for name, inner in node.get("properties", {}).items():
            yield f"{path}/{name}", inner
        for key, inner in node.items():
            if key in ("if", "then", "else", "allOf", "anyOf", "examples", "dependentSchemas"):
                continue
            children = inner.items() if key in ("properties", "$defs") else ((key, inner),)
            for name, child in children:
                yield from properties(child, f"{path}/{name}")


@pytest.mark.parametrize("name", ["ruleset", "record", "result"])
def test_a_schema_is_one_and_says_what_each_key_is(name: str) -> None:
    found = schema(name)
    Draft202012Validator.check_schema(found)
    listed = list(properties(found))
    assert len(listed) >= 12
    for path, inner in listed:
        assert inner.get("description", "").endswith("."), path
        shows = {"examples", "enum", "const"} & set(inner)
        assert shows or inner.get("type") == "object", path


def test_the_schema_of_comparisons_says_what_each_key_is() -> None:
    found = schema("diff")
    Draft202012Validator.check_schema(found)
    listed = list(properties(found))
    assert len(listed) >= 60
    for path, inner in listed:
        said = inner.get("description") or found["$defs"][inner["$ref"].rpartition("/")[2]]
        assert str(said if isinstance(said, str) else said["description"]).endswith("."), path


def test_examples_in_the_schemas_fit_them() -> None:
    for name in ("ruleset", "record", "result", "diff"):
        whole = schema(name)
        for path, inner in properties(whole):
            for example in inner.get("examples", ()):
                part = Draft202012Validator({**inner, "$defs": whole.get("$defs", {})})
                assert not problems(part, example), path


def test_the_schemas_know_the_keys_that_the_readers_know() -> None:
    ruleset = schema("ruleset")
    assert set(ruleset["properties"]) == set(TOP_KEYS)
    units = {"points", "han", "fu", "fan", "tai"}
    assert set(ruleset["$defs"]["pattern"]["properties"]) == {*PATTERN_KEYS, *units}
    assert set(ruleset["$defs"]["option"]["properties"]) == set(OPTION_KEYS)
    assert set(ruleset["$defs"]["event"]["properties"]) == set(EVENT_KEYS)
    assert set(ruleset["$defs"]["example"]["properties"]) == {*EXAMPLE_FIELDS, "points", "why"}
    told = {*EXAMPLE_FIELDS, "points", "why", *MISS_FIELDS}
    assert set(ruleset["$defs"]["miss"]["properties"]) == told
    assert set(schema("record")["properties"]) == set(RECORD_FIELDS)


# ---- what ships ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ruleengine.ruleset_names())
def test_shipped_rulesets_fit(name: str) -> None:
    node, _ = read_yaml_file(data_folder("rulesets") / f"{name}.yaml")
    assert problems(RULESET, plain(node)) == []


def test_a_variant_needs_little() -> None:
    assert problems(RULESET, {"format": 1, "id": "house", "extends": "zhongyong-3.3"}) == []
    assert problems(RULESET, {"format": 1, "id": "house"})


@pytest.mark.parametrize("path", sorted(CASES.glob("*/hands.yaml")), ids=lambda p: p.parent.name)
def test_records_and_results_of_the_cases_fit(path: Path) -> None:
    rules = ruleengine.load(path.parent.name)
    node, _ = read_yaml_file(path)
    cases = plain(node)
    assert cases
    for place, case in enumerate(cases):
        record = {key: value for key, value in case.items() if key in RECORD_FIELDS}
        record["id"] = place
        assert problems(RECORD, record) == []
        result = score_record(rules, record).to_json()
        assert problems(RESULT, result) == []
        assert result["id"] == place


def test_other_results_fit() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    no_win = score_record(rules, {"hand": "13579m13579p135s+7z"}).to_json()
    assert no_win["reason"] == "not_a_winning_hand"
    assert problems(RESULT, no_win) == []
    with pytest.raises(HandError) as caught:
        score_record(rules, {"hand": "123m456p789s1122z"})
    assert caught.value.help is not None
    assert problems(RESULT, error_record(None, caught.value)) == []
    assert problems(RESULT, {**no_win, "payments": None})
    assert problems(RESULT, {**no_win, "win": True})


# ---- wrong records ------------------------------------------------------------------------------

GOOD_RECORD: dict[str, Any] = {
    "id": 1,
    "hand": "23m678p345s99s[678m]",
    "winning_tile": "4m",
    "by": "discard",
    "seat": "N",
    "round": "S",
    "from": "E",
    "liable": "W",
    "events": ["last_tile"],
    "options": {"minimum": 5},
}
JUNK: list[Any] = [None, True, 3, -1, 1.5, "text", "", [], {}, [1], [[]], {"x": 1}, ["a", "a"]]


@pytest.mark.parametrize("field", [*GOOD_RECORD, "flowers", "dora", "discards", "nothing"])
def test_record_and_schema_agree_on_wrong_kinds(field: str) -> None:
    """What the schema refuses, the reader refuses; what only the reader refuses is no matter of
    kinds (text that is no hand, an unknown event, dora where there are none)."""
    rules = ruleengine.load("zhongyong-3.3")
    score_record(rules, GOOD_RECORD)
    assert not problems(RECORD, GOOD_RECORD)
    for junk in JUNK:
        record = {**GOOD_RECORD, field: junk}
        refused = ""
        try:
            score_record(rules, record)
        except HandError as error:
            refused = error.code
        if problems(RECORD, record):
            assert refused, record
        else:
            assert refused not in ("H301", "H302", "H311", "H312", "H314"), record


# ---- wrong rulesets -----------------------------------------------------------------------------

GOOD_RULESET: dict[str, Any] = {
    "format": 1,
    "id": "good",
    "name": {"en": "Good", "ja": "良い"},
    "version": "1",
    "source": "nobody",
    "tiles": {
        "wall": {"123456789m123456789p123456789s": 4, "1234567z": 4, "12345678f": 1},
        "flowers": {"E": "15f"},
        "dora": ["123456789m"],
    },
    "options": {
        "minimum": {"type": "int", "default": 0, "choices": [0, 5], "name": "Minimum"},
        "bounded": {"type": "int", "default": 3, "min": 1, "max": 9, "doc": {"en": "Bounded."}},
        "open": {"type": "bool", "default": True},
    },
    "events": {
        "last_tile": {"needs": "not win by robbing_kong", "shared": True, "name": "Last tile"}
    },
    "shapes": {
        "basic": {"sets": 4, "pairs": 1, "name": "Basic"},
        "orphans": {"tiles": "19m19p19s1234567z", "doubled": 1, "choose": 13},
    },
    "terms": {"value": "dragon | seat_wind"},
    "patterns": {
        "value_honor": {
            "code": "1",
            "name": "Value honor",
            "doc": "Each.",
            "series": "1",
            "points": 10,
            "times": "count triplets of value",
            "bonus": False,
            "supersedes": ["chicken"],
            "status": "stated",
            "hits": ["234m678p44s99p[777z]+4s", {"hand": "1m", "by": "discard", "points": 1}],
            "misses": [{"hand": "1m", "events": ["last_tile"], "dora": 1, "why": "No."}],
        },
        "chicken": {"points": "1", "when": "win by self_draw"},
    },
    "total": {"cap": 320, "limit_from": "320", "empty": {"points": 1, "name": "Chicken"}},
    "liability": {"moves": True, "nobody": False, "barred": False},
    "settlement": {
        "win": [{"when": "payer is liable", "pays": "points"}, {"pays": 1}],
        "exhausted": [{"pays": 1}],
        "winners": "all",
        "stakes": {"event": "last_tile", "amount": 1, "to": "first", "returned": False},
    },
    "interpretations": {"own": {"question": "What?", "reading": "This.", "why": "Because."}},
}
OF_STRUCTURE = {"E301", "E302", "E303", "E304", "E305", "E308", "E310", "E316", "E404"}
NOT_SURE = {"E306", "E141", "E142", "E144"}
"""Values that are not allowed, and sentences with parts of numbers, of nothing, or too long: the
schema can tell some of them, not all."""


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    children: list[tuple[Any, Any]] = []
    if isinstance(node, dict):
        children = list(node.items())
    elif isinstance(node, list):
        children = list(enumerate(node))
    for key, child in children:
        yield (*path, key)
        yield from places(child, (*path, key))


def changed(path: tuple[Any, ...], how: str, value: Any = None) -> dict[str, Any]:
    made = copy.deepcopy(GOOD_RULESET)
    inner: Any = made
    for key in path[:-1]:
        inner = inner[key]
    if how == "set":
        inner[path[-1]] = value
    elif how == "drop":
        del inner[path[-1]]
    else:
        inner["zzzz"] = inner.pop(path[-1])
    return made


def reader_says(made: dict[str, Any]) -> set[str]:
    text = json.dumps(made, ensure_ascii=False)
    try:
        read_ruleset_text(text, "good")
    except RulesetError as error:
        return {found.code for found in error.diagnostics}
    return set()


def agree(made: dict[str, Any]) -> None:
    codes = reader_says(made)
    # The first is enough, and the others take most of the time.
    refused = next(RULESET.iter_errors(made), None)
    if refused:
        assert codes & (OF_STRUCTURE | NOT_SURE), refused
    else:
        assert not codes & OF_STRUCTURE, codes


def test_the_good_ruleset_is_good() -> None:
    assert reader_says(GOOD_RULESET) == set()
    assert problems(RULESET, GOOD_RULESET) == []


@pytest.mark.parametrize("section", GOOD_RULESET)
def test_reader_and_schema_agree_on_wrong_structure(section: str) -> None:
    """Every value of a ruleset in turn missing, under another name, or replaced by junk."""
    for path in places(GOOD_RULESET):
        if path[0] != section:
            continue
        agree(changed(path, "drop"))
        if isinstance(path[-1], str):
            agree(changed(path, "rename"))
        for junk in (None, True, 3, -1, 1.5, "text", [], {}, [1], {"x": 1}):
            agree(changed(path, "set", junk))


@pytest.mark.parametrize("path", sorted((CASES / "bad").glob("*.yaml")), ids=lambda path: path.stem)
def test_reader_and_schema_agree_on_broken_rulesets(path: Path) -> None:
    """A broken ruleset fits the schema unless its structure is what is wrong with it."""
    expected = path.with_suffix(".expected").read_text(encoding="utf-8")
    try:
        node = read_yaml(path.read_text(encoding="utf-8"), path.name)
    except (RulesetError, UnicodeDecodeError):
        return
    own = {code for code in OF_STRUCTURE | NOT_SURE if f"[{code}]" in expected}
    refused = problems(RULESET, plain(node)) if isinstance(node, MappingNode) else ["a list"]
    if refused:
        assert own, refused
