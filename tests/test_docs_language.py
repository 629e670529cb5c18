"""Runs every example of docs/language.md, and holds the page against the words of the language."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ruleengine.language.bounds import MAX_AMOUNT, MOST_COUNTED
from ruleengine.language.syntax import MAX_DEPTH, MAX_LENGTH, MAX_NUMBER
from ruleengine.language.template import MAX_ASSIGNMENTS
from ruleengine.language.vocabulary import (
    CONTEXT_WORDS,
    FACTS,
    ROLES,
    SITUATION_CLASSES,
    SUBJECTS,
    WAITS,
    WAYS,
)
from ruleengine.record import score_record
from ruleengine.rules import Rules
from ruleengine.ruleset.growth import MAX_TEMPLATES
from ruleengine.ruleset.names import MAX_DEPTH as MAX_DEPTH_WITH_NAMES
from ruleengine.ruleset.names import MAX_SIZE, RESERVED
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.source import MappingNode, Node, ScalarNode, SequenceNode, read_yaml
from ruleengine.tiles import CLASSES

if TYPE_CHECKING:
    from ruleengine.language.vocabulary import Context

PAGE = Path(__file__).resolve().parent.parent / "docs" / "language.md"
TEXT = PAGE.read_text(encoding="utf-8")
WALL = {
    **dict.fromkeys(("123456789m", "123456789p", "123456789s", "1234567z"), 4),
    "12345678f": 1,
}
FRAME: dict[str, Any] = {
    "format": 1,
    "id": "example",
    "name": "Example",
    "version": "1",
    "tiles": {
        "wall": WALL,
        "flowers": {"E": "15f", "S": "26f", "W": "37f", "N": "48f"},
        "dora": ["123456789m", "123456789p", "123456789s", "1234z", "567z"],
    },
    "shapes": {
        "basic": {"sets": 4, "pairs": 1},
        "seven_pairs": {"pairs": 7},
        "thirteen_orphans": {"tiles": "19m19p19s1234567z", "doubled": 1},
    },
    "settlement": {"win": [{"pays": "points"}]},
}
GIVEN = ("when", "number", "hits", "misses", "gives")


@dataclass(frozen=True)
class Block:
    """One example of the page."""

    line: int
    values: dict[str, Any]

    def __str__(self) -> str:
        return f"line {self.line}: {self.sentence}"

    @property
    def sentence(self) -> str:
        return str(self.values.get("when", self.values.get("number")))

    def rules(self) -> Rules:
        """A ruleset with one pattern: worth 1 where the sentence is true, or the number."""
        pattern = {"points": 1, "when": self.sentence}
        if "number" in self.values:
            pattern = {"points": self.sentence, "when": "true"}
        written = FRAME | {k: v for k, v in self.values.items() if k not in GIVEN}
        written["patterns"] = {"example": pattern}
        text = json.dumps(written, ensure_ascii=False)
        return Rules(read_ruleset_text(text, f"example at line {self.line}").data)


def plain(node: Node) -> Any:
    """A value of a YAML block as plain Python."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.items]
    assert isinstance(node, MappingNode)
    return {key.text: plain(value) for key, value in node.entries}


def blocks(text: str) -> list[Block]:
    """The YAML blocks of a page."""
    found: list[Block] = []
    for match in re.finditer(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, match.start()) + 2
        found.append(Block(line, plain(read_yaml(match[1], f"block at line {line}"))))
    return found


BLOCKS = blocks(TEXT)


def record_of(given: Any) -> dict[str, Any]:
    record = {"hand": given} if isinstance(given, str) else dict(given)
    record.pop("why", None)
    record.pop("value", None)
    return record


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_an_example_is_complete(block: Block) -> None:
    if "when" in block.values:
        assert block.values["hits"], "an example needs a hand for which it is true"
        assert block.values["misses"], "an example needs a hand for which it is false"
        assert "number" not in block.values
    else:
        assert len({item["value"] for item in block.values["gives"]}) > 1


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_an_example_holds(block: Block) -> None:
    rules = block.rules()
    for kind in ("hits", "misses"):
        for given in block.values.get(kind, ()):
            result = score_record(rules, record_of(given))
            assert result.reason != "not_a_winning_hand", given
            counted = [one.id for one in result.patterns]
            assert counted == (["example"] if kind == "hits" else []), (block.sentence, given)
    for given in block.values.get("gives", ()):
        result = score_record(rules, record_of(given))
        assert result.reason != "not_a_winning_hand", given
        assert result.points == given["value"], (block.sentence, given)


def test_there_are_examples() -> None:
    assert len(BLOCKS) >= 40


@pytest.mark.parametrize(
    "word",
    sorted(
        {
            *RESERVED, *CLASSES, *SITUATION_CLASSES, *WAYS, *WAITS, *SUBJECTS, *ROLES, *FACTS,
            "rx", "r+1x", "hand before win", "tiles include",
        }
    ),
)  # fmt: skip
def test_every_word_of_the_language_is_on_the_page(word: str) -> None:
    code = " ".join(re.findall(r"`([^`\n]+)`", TEXT))
    assert re.search(rf"(?<![\w+]){re.escape(word)}(?![\w+])", code)


@pytest.mark.parametrize(
    "number",
    [
        *(MAX_LENGTH, MAX_DEPTH, MAX_NUMBER, MAX_SIZE, MAX_DEPTH_WITH_NAMES, MAX_ASSIGNMENTS),
        *(MAX_TEMPLATES, MAX_AMOUNT, MOST_COUNTED),
    ],
)
def test_the_limits_on_the_page_are_those_of_the_engine(number: int) -> None:
    limits = TEXT[TEXT.index("## Limits") : TEXT.index("## Sentences other rulesets need")]
    assert re.search(rf"(?<![\d,]){number:,}(?![\d,])", limits)


def test_every_place_of_a_sentence_is_on_the_page() -> None:
    places = TEXT[TEXT.index("## Which sentences may stand where") : TEXT.index("## Limits")]
    named: dict[Context, str] = {
        "pattern": "a pattern",
        "event": "`needs` of an event",
        "total": "`total.value`",
        "bounds": "`cap`, `limit_from`, `empty`, `minimum`",
        "stakes": "`amount` of the stakes",
        "win": "`settlement.win`",
        "exhausted": "`settlement.exhausted`",
        "wrong_win": "`settlement.wrong_win`",
    }
    assert named.keys() == CONTEXT_WORDS.keys()
    assert [name for name in named.values() if name not in places] == []
