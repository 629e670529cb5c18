"""Single fields of a ruleset file: what is taken, and what is said of the rest."""

from __future__ import annotations

import pytest

from ruleengine.ruleset.fields import Fields, mapping_of
from ruleengine.source import MappingNode, Node, read_yaml


def field(text: str) -> Node:
    node = read_yaml(f"key: {text}\n", "f.yaml")
    assert isinstance(node, MappingNode)
    found = node.get("key")
    assert found is not None
    return found


def said(fields: Fields) -> list[str]:
    return [f"{problem.code} {problem.message}" for problem in fields.problems]


@pytest.mark.parametrize("text", ["{a: b}", "{}"])
def test_mappings(text: str) -> None:
    fields = Fields()
    assert fields.mapping(field(text), "it") is not None
    assert fields.mapping(None, "it") is None
    assert said(fields) == []


@pytest.mark.parametrize("text", ["3", "[a]", "''", "~"])
def test_what_is_no_mapping(text: str) -> None:
    fields = Fields()
    assert fields.mapping(field(text), "it") is None
    assert said(fields) == ["E301 it is written as 'name: value' lines"]


def test_sequences() -> None:
    fields = Fields()
    assert len(fields.sequence(field("[a, b]"), "it")) == 2
    assert fields.sequence(None, "it") == ()
    assert said(fields) == []
    assert fields.sequence(field("a"), "it") == ()
    assert said(fields) == ["E301 it is a list, each item after '- '"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("some text", "some text"),
        ("3.30", "3.30"),
        ("007", "007"),
        ("'true'", "true"),
        ("no", "no"),
    ],
)
def test_texts(text: str, value: str) -> None:
    fields = Fields()
    assert fields.text(field(text), "it") == value
    assert said(fields) == []


@pytest.mark.parametrize("text", ["[a]", "{a: b}", "true", "~", ""])
def test_what_is_no_text(text: str) -> None:
    fields = Fields()
    assert fields.text(field(text), "it") is None
    assert said(fields) == ["E301 it is a text"]


def test_a_truth_becomes_a_text_in_quotes() -> None:
    fields = Fields()
    fields.text(field("true"), "it")
    assert fields.problems[0].help == 'write "true"'


def test_words_in_languages() -> None:
    fields = Fields()
    plain = fields.words(field("Seven Pairs"), "it")
    assert (plain.get("en"), plain.get("ja")) == ("Seven Pairs", "Seven Pairs")
    both = fields.words(field("{ja: 七対子, zh-Hans: 七对子}"), "it")
    assert (both.get("ja"), both.get("zh-Hans"), both.get("en")) == ("七対子", "七对子", "七対子")
    assert not fields.words(None, "it")
    assert said(fields) == []


def test_words_in_languages_that_there_are_not() -> None:
    fields = Fields()
    found = fields.words(field("{en: One, fr: Un, zh: 一, ja: [一]}"), "'name'")
    assert found.by_language == {"en": "One"}
    assert said(fields) == [
        "E302 'name' has no 'fr'",
        "E302 'name' has no 'zh'",
        "E301 'name' is a text",
    ]


@pytest.mark.parametrize(
    ("text", "value", "problem"),
    [
        ("3", 3, None),
        ("0", 0, None),
        ("-1", None, "E304 it is a whole number from 0 to 9"),
        ("10", None, "E304 it is a whole number from 0 to 9"),
        ("3.0", None, "E301 it is a whole number"),
        ("'3'", None, "E301 it is a whole number"),
        ("true", None, "E301 it is a whole number"),
        ("[3]", None, "E301 it is a whole number"),
        ("~", None, "E301 it is a whole number"),
    ],
)
def test_numbers(text: str, value: int | None, problem: str | None) -> None:
    fields = Fields()
    assert fields.number(field(text), "it", 0, 9) == value
    assert said(fields) == ([problem] if problem else [])


@pytest.mark.parametrize(
    ("text", "value"),
    [("true", True), ("false", False), ("yes", None), ("1", None), ("'true'", None)],
)
def test_truths(text: str, value: bool | None) -> None:
    fields = Fields()
    assert fields.truth(field(text), "it") is value
    assert said(fields) == ([] if value is not None else ["E301 it is true or false"])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("19m1z", ["1m", "9m", "1z"]),
        ("'15f'", ["1f", "5f"]),
        ("5m", ["5m"]),
        ("1m1m", ["1m", "1m"]),
    ],
)
def test_tiles(text: str, names: list[str]) -> None:
    fields = Fields()
    assert fields.tiles(field(text), "it") == names
    assert said(fields) == []


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        ("19m8z", "there is no tile 8z", 9),
        ("190m", "there is no tile 0m", 8),
        ("19x", "it is written as tiles, such as 19m1z", 8),
        ("m", "it is written as tiles, such as 19m1z", 6),
        ("19m 1z", "it is written as tiles, such as 19m1z", 9),
        ("'19'", "it is written as tiles, such as 19m1z", 6),
        ("''", "it is written as tiles, such as 19m1z", 6),
        ("'１m'", "it is written as tiles, such as 19m1z", 7),
        ("5M", "it is written as tiles, such as 19m1z", 7),
    ],
)
def test_what_is_no_tiles(text: str, message: str, column: int) -> None:
    fields = Fields()
    assert fields.tiles(field(text), "it") is None
    assert said(fields) == [f"E305 {message}"]
    span = fields.problems[0].span
    assert span is not None
    assert span.column == column


def test_letters_for_suits_only_where_they_may_stand() -> None:
    fields = Fields()
    assert fields.tiles(field("147x1z"), "it", "mpszxyw") == ["1x", "4x", "7x", "1z"]
    assert fields.tiles(field("1f"), "it", "mpszxyw") is None
    assert said(fields) == ["E305 it is written as tiles, such as 19m1z"]


# ---- keys ---------------------------------------------------------------------------------------

KEYS = ("type", "default", "choices", "min", "max")


def keys(text: str) -> tuple[MappingNode, list[str]]:
    fields = Fields()
    node = field(text)
    assert isinstance(node, MappingNode)
    read = fields.keys(node, "an option", KEYS, ("type", "default"))
    return read, [
        problem.message + (f" ({problem.help})" if problem.help else "")
        for problem in fields.problems
    ]


def test_keys_that_belong_here() -> None:
    read, messages = keys("{type: int, default: 3}")
    assert [key.text for key, _ in read.entries] == ["type", "default"]
    assert messages == []


def test_a_misspelt_key_is_read_as_what_was_meant() -> None:
    read, messages = keys("{typ: int, defualt: 3, choice: [3]}")
    assert [key.text for key, _ in read.entries] == ["type", "default", "choices"]
    assert messages == [
        "an option has no 'typ' (did you mean 'type'?)",
        "an option has no 'defualt' (did you mean 'default'?)",
        "an option has no 'choice' (did you mean 'choices'?)",
    ]


def test_a_key_that_is_there_is_not_meant_again() -> None:
    read, messages = keys("{type: int, default: 3, defaults: 4}")
    assert [key.text for key, _ in read.entries] == ["type", "default"]
    assert messages == ["an option has no 'defaults' (did you mean 'default'?)"]


def test_other_keys_are_left_out_and_missing_ones_named_together() -> None:
    read, messages = keys("{step: 3}")
    assert read.entries == ()
    assert messages == [
        "an option has no 'step' (there are: type, default, choices, min, max)",
        "an option needs 'type' and 'default'",
    ]


def test_mappings_made_anew_find_their_keys() -> None:
    node = field("{a: x, b: y}")
    assert isinstance(node, MappingNode)
    made = mapping_of(reversed(node.entries), node.span)
    assert [key.text for key, _ in made.entries] == ["b", "a"]
    assert made.get("a") is node.get("a")
    assert made.get("c") is None
