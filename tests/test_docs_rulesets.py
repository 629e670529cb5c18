"""Reads every piece of YAML in docs/rulesets.md, and holds the page against the keys there are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from ruleengine.record import score_record
from ruleengine.rules import Rules
from ruleengine.ruleset.examples import RECORD_FIELDS
from ruleengine.ruleset.extend import MAX_CHAIN
from ruleengine.ruleset.model import (
    EVENT_KEYS,
    INTERPRETATION_KEYS,
    LANGUAGES,
    OPTION_KEYS,
    PATTERN_KEYS,
    STAKES_TO,
    STATUSES,
    WINNERS,
)
from ruleengine.ruleset.read import (
    MAX_EVENTS,
    MAX_LINES,
    MAX_NAMES,
    SETTLEMENT_KEYS,
    TOP_KEYS,
    read_ruleset_text,
)
from ruleengine.ruleset.shapes import MAX_LISTED, MAX_SHAPES, SHAPE_KEYS
from ruleengine.source import MappingNode, read_yaml

PAGE = Path(__file__).resolve().parent.parent / "docs" / "rulesets.md"
TEXT = PAGE.read_text(encoding="utf-8")
FRAME = {
    "format": "1",
    "id": "example",
    "name": "Example",
    "version": '"1"',
    "tiles": '{wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}}',
    "shapes": "{basic: {sets: 4, pairs: 1}}",
    "patterns": "{all_triplets: {points: 3, when: count triplets = 4}}",
    "settlement": "{win: [{pays: points}]}",
}


@dataclass(frozen=True)
class Snippet:
    """A piece of YAML on the page."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}"

    @property
    def keys(self) -> list[str]:
        """The top-level keys."""
        node = read_yaml(self.text, str(self))
        assert isinstance(node, MappingNode)
        return [key.text for key, _ in node.entries]

    @property
    def whole(self) -> str:
        """The ruleset that it is, or is part of."""
        keys = self.keys
        if "format" in keys:
            return self.text
        rest = [f"{key}: {value}" for key, value in FRAME.items() if key not in keys]
        return "\n".join([*rest, self.text])


SNIPPETS = [
    Snippet(TEXT.count("\n", 0, match.start()) + 2, match[1])
    for match in re.finditer(r"^```yaml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
]


@pytest.mark.parametrize("snippet", SNIPPETS, ids=str)
def test_a_snippet_is_read_and_compiled_without_a_warning(snippet: Snippet) -> None:
    found = read_ruleset_text(snippet.whole, str(snippet))
    assert found.warnings == ()
    Rules(found.data)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=str)
def test_the_examples_of_a_snippet_hold(snippet: Snippet) -> None:
    rules = Rules(read_ruleset_text(snippet.whole, str(snippet)).data)
    if "extends" in snippet.keys:
        return
    for pattern in rules.data.patterns.values():
        for example in (*pattern.hits, *pattern.misses):
            result = score_record(rules, example.record)
            assert result.win
            counted = [one.id for one in result.patterns]
            assert (pattern.id in counted) == (example in pattern.hits), example
            assert example.points in (None, result.points)


def test_every_top_level_key_has_a_snippet_and_a_section() -> None:
    shown = {key for snippet in SNIPPETS for key in snippet.keys}
    assert shown == set(TOP_KEYS) - {"source"}
    headings = " ".join(re.findall(r"^## (.*)$", TEXT, re.MULTILINE))
    own = set(TOP_KEYS) - {"parent_digest"}
    assert [key for key in own if not re.search(rf"\b{key}\b", headings)] == []


@pytest.mark.parametrize(
    "key",
    sorted(
        {
            *PATTERN_KEYS, *OPTION_KEYS, *SHAPE_KEYS, *RECORD_FIELDS, *INTERPRETATION_KEYS,
            *EVENT_KEYS, *LANGUAGES, *WINNERS, *STAKES_TO, *SETTLEMENT_KEYS, *STATUSES, "wall",
            "flowers", "dora", "value", "cap", "limit_from", "empty", "minimum", "moves",
            "nobody", "barred", "when", "pays", "points", "why", "event", "amount", "returned",
        }
    ),
)  # fmt: skip
def test_every_key_is_on_the_page(key: str) -> None:
    code = " ".join(re.findall(r"`([^`\n]+)`", TEXT)) + " ".join(s.text for s in SNIPPETS)
    assert re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", code)


@pytest.mark.parametrize("number", [MAX_NAMES, MAX_EVENTS, MAX_SHAPES, MAX_LINES, MAX_LISTED])
def test_the_limits_on_the_page_are_those_of_the_reader(number: int) -> None:
    limits = TEXT[TEXT.index("## Limits") :]
    assert re.search(rf"(?<![\d,]){number:,}(?![\d,])", limits)


def test_the_length_of_a_chain_is_on_the_page() -> None:
    assert f"up to {MAX_CHAIN} in a chain" in TEXT


def test_a_variant_of_the_page_does_what_the_page_says() -> None:
    (text,) = [snippet.text for snippet in SNIPPETS if "id: our-flowers" in snippet.text]
    rules = Rules(read_ruleset_text(text).data)
    assert "one_kong" not in rules.data.patterns
    assert rules.data.patterns["seven_pairs"].misses == ()
    assert rules.data.patterns["seven_pairs"].hits != ()
    # The flowers joined the tiles of the parent, and are a bonus of 2 each for their seat.
    plain = rules.score("123m46p789s345s11z+5p")
    flowers = rules.score("123m46p789s345s11z15f2f+5p")
    assert (plain.points, flowers.points) == (10, 14)
    (text,) = [snippet.text for snippet in SNIPPETS if "id: our-table" in snippet.text]
    rules = Rules(read_ruleset_text(text).data)
    assert rules.options["minimum"] == 5
    assert rules.score("1199m2255p3377s4z+4z").points == 40
