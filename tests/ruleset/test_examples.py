"""Examples of a pattern: a hand, or a record with more."""

from __future__ import annotations

import pytest

from ruleengine.ruleset.examples import read_examples
from ruleengine.ruleset.fields import Fields
from ruleengine.ruleset.model import Example
from ruleengine.source import MappingNode, read_yaml


def examples(text: str) -> tuple[tuple[Example, ...], list[str]]:
    fields = Fields()
    node = read_yaml(f"hits: {text}\n", "f.yaml")
    assert isinstance(node, MappingNode)
    found = read_examples(fields, node.get("hits"), "'hits'")
    return found, [
        problem.message + (f" ({problem.help})" if problem.help else "")
        for problem in fields.problems
    ]


def test_a_hand_by_itself() -> None:
    (example,), problems = examples('["123m456p1z[789s](9999m)+1z"]')
    assert example.record == {"hand": "123m456p1z[789s](9999m)+1z"}
    assert (example.points, bool(example.why)) == (None, False)
    assert example.span.column == 8
    assert problems == []


def test_a_record_with_all_its_fields() -> None:
    (example,), problems = examples(
        '[{hand: "1m", winning_tile: 2m, by: discard, seat: S, round: E, from: W, liable: none,'
        " events: [last_tile], flowers: 15f, dora: 2, options: {minimum: 5, open: false},"
        " points: 70, why: {ja: 理由}}]"
    )
    assert example.record == {
        "hand": "1m",
        "winning_tile": "2m",
        "by": "discard",
        "seat": "S",
        "round": "E",
        "from": "W",
        "liable": "none",
        "events": ["last_tile"],
        "flowers": "15f",
        "dora": 2,
        "options": {"minimum": 5, "open": False},
    }
    assert (example.points, example.why.get("ja")) == (70, "理由")
    assert problems == []


def test_dora_may_be_indicators() -> None:
    (example,), problems = examples("[{hand: 1m, dora: 5m2z}]")
    assert example.record["dora"] == "5m2z"
    assert problems == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3", "'hits' is a list, each item after '- '"),
        ("[[1m]]", "an example is a hand in quotes, or a mapping with 'hand'"),
        ("['']", "an example is a hand in quotes, or a mapping with 'hand'"),
        ("[~]", "an example is a hand in quotes, or a mapping with 'hand'"),
        ("[123]", "an example is a hand in quotes, or a mapping with 'hand'"),
        ("[{hand: [1m]}]", "'hand' is a hand in quotes"),
    ],
)
def test_what_is_no_example(text: str, message: str) -> None:
    found, (problem,) = examples(text)
    assert problem.startswith(message)
    if "quotes" in message:
        assert problem.endswith("(hands in YAML are quoted: '[' starts a list)")
    assert all(example.record == {} for example in found)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ("form: S", "an example has no 'form' (did you mean 'from'?)"),
        ("id: 3", "an example has no 'id' (there are: hand, winning_tile, by, seat, round, from,"),
        ("by: disard", "'by' is one of self_draw, discard, robbing_kong (did you mean 'discard'?)"),
        ("by: true", "'by' is a text (write \"true\")"),
        ("seat: East", "'seat' is one of E, S, W, N"),
        ("round: e", "'round' is one of E, S, W, N (did you mean 'E'?)"),
        ("from: none", "'from' is one of E, S, W, N"),
        ("liable: nobody", "'liable' is one of E, S, W, N, none"),
        ("events: last_tile", "'events' is a list, each item after '- '"),
        ("events: [true]", 'an event is a text (write "true")'),
        ("dora: true", "'dora' is a number of dora tiles, or the indicators as tiles"),
        ("dora: 1.5", "'dora' is a number of dora tiles, or the indicators as tiles"),
        ("flowers: [1f]", "'flowers' is a text"),
        ("options: [minimum]", "'options' is written as 'name: value' lines"),
        ("options: {minimum: five}", "option 'minimum' is a whole number, or true or false"),
        ("points: -1", "'points' is a whole number from 0 to 1,000,000,000"),
        ("points: ten", "'points' is a whole number"),
        ("why: [no]", "'why' is a text, or a mapping of languages to texts"),
    ],
)
def test_wrong_fields(fields: str, message: str) -> None:
    (example,), problems = examples(f"[{{hand: 1m, {fields}}}]")
    assert example.record["hand"] == "1m"
    (problem,) = problems
    assert problem == message or (message.endswith(",") and problem.startswith(message))


def test_an_example_without_a_hand() -> None:
    _, problems = examples("[{why: none}]")
    assert problems == ["an example needs 'hand'"]
    _, problems = examples("[{}]")
    assert problems == ["an example needs 'hand'"]
