"""Reads the example hands of a pattern: a hand, or a mapping of record fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import suggest
from ruleengine.language.vocabulary import WAYS
from ruleengine.ruleset.model import NO_TEXT, Example
from ruleengine.source import MappingNode, ScalarNode, SequenceNode
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.ruleset.fields import Fields
    from ruleengine.source import Node

TEXT_FIELDS = (
    "hand", "winning_tile", "by", "seat", "round", "from", "liable", "flowers",
)  # fmt: skip
RECORD_FIELDS = (*TEXT_FIELDS, "events", "dora", "options")
"""The fields of a hand record that an example may have."""
MISS_FIELDS = ("lost_to", "fails")
"""What only a miss may say: why the pattern does not count."""

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "by": tuple(WAYS),
    "seat": tuple(SEATS),
    "round": tuple(SEATS),
    "from": tuple(SEATS),
    "liable": (*SEATS, "none"),
}
_QUOTED = "hands in YAML are quoted: '[' starts a list"


def read_examples(fields: Fields, node: Node | None, what: str) -> tuple[Example, ...]:
    """The examples of a `hits` or `misses` list."""
    found: list[Example] = []
    for item in fields.sequence(node, what):
        if isinstance(item, MappingNode):
            found.append(_read_record(fields, item, what == "'misses'"))
        elif isinstance(item, ScalarNode) and isinstance(item.value, str) and item.text:
            found.append(Example({"hand": item.text}, None, NO_TEXT, item.span))
        else:
            message = "an example is a hand in quotes, or a mapping with 'hand'"
            fields.report("E316", message, item.span, _QUOTED)
    return tuple(found)


def _read_record(fields: Fields, item: MappingNode, is_miss: bool) -> Example:
    allowed = (*RECORD_FIELDS, "points", "why", *(MISS_FIELDS if is_miss else ()))
    start = item.entries[0][0].span if item.entries else item.span
    item = fields.keys(item, "an example", allowed, ("hand",), start)
    record: dict[str, object] = {}
    for name in TEXT_FIELDS:
        node = item.get(name)
        if name == "hand" and isinstance(node, SequenceNode):
            fields.report("E316", "'hand' is a hand in quotes", node.span, _QUOTED)
            continue
        text = fields.text(node, f"'{name}'")
        if text is None or node is None:
            continue
        record[name] = text
        if text not in _CHOICES.get(name, (text,)):
            meant = suggest(text, _CHOICES[name])
            help_line = f"did you mean '{meant}'?" if meant else None
            message = f"'{name}' is one of {', '.join(_CHOICES[name])}"
            fields.report("E306", message, node.span, help_line)
    if item.get("events") is not None:
        events = fields.sequence(item.get("events"), "'events'")
        texts = [fields.text(event, "an event") for event in events]
        record["events"] = [text for text in texts if text is not None]
    dora = item.get("dora")
    if dora is not None:
        if isinstance(dora, ScalarNode) and type(dora.value) in (int, str):
            record["dora"] = dora.value
        else:
            message = "'dora' is a number of dora tiles, or the indicators as tiles"
            fields.report("E301", message, dora.span)
    options = fields.mapping(item.get("options"), "'options'")
    if options is not None:
        record["options"] = _read_options(fields, options)
    points = fields.number(item.get("points"), "'points'")
    why = fields.words(item.get("why"), "'why'")
    lost_to = fields.text(item.get("lost_to"), "'lost_to'")
    fails = fields.text(item.get("fails"), "'fails'")
    return Example(record, points, why, item.span, lost_to, fails)


def _read_options(fields: Fields, node: MappingNode) -> dict[str, int | bool]:
    found: dict[str, int | bool] = {}
    for key, value in node.entries:
        given = value.value if isinstance(value, ScalarNode) else None
        if isinstance(given, int):
            found[key.text] = given
        else:
            message = f"option '{key.text}' is a whole number, or true or false"
            fields.report("E301", message, value.span)
    return found
