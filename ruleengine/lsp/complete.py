"""The words that may stand at a place of a ruleset, whether or not the text can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.language.vocabulary import WAYS
from ruleengine.lsp.cursor import cursor_at
from ruleengine.lsp.sentences import Completion, sentence_home, words_after
from ruleengine.ruleset.examples import MISS_FIELDS, RECORD_FIELDS
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.model import (
    ENDINGS,
    EVENT_KEYS,
    INTERPRETATION_KEYS,
    LANGUAGES,
    OPTION_KEYS,
    PATTERN_KEYS,
    STAKES_TO,
    STATUSES,
    WINNERS,
)
from ruleengine.ruleset.read import SETTLEMENT_KEYS, TOP_KEYS
from ruleengine.ruleset.shapes import SHAPE_KEYS
from ruleengine.source import MappingNode
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ruleengine.lsp.cursor import Cursor
    from ruleengine.lsp.document import Document
    from ruleengine.ruleset.model import RulesetData

_TEXTS = frozenset({"name", "doc", "source", "question", "reading", "why"})
"""Keys whose value is a text, or a mapping of languages."""
_TRUTHS = ("true", "false")
_ENTRIES: Mapping[str, tuple[str, ...]] = {
    "options": OPTION_KEYS,
    "events": EVENT_KEYS,
    "shapes": SHAPE_KEYS,
    "patterns": PATTERN_KEYS,
    "interpretations": INTERPRETATION_KEYS,
}
"""What may stand in an entry of a section."""
_SECTIONS: Mapping[str, tuple[str, ...]] = {
    "tiles": ("wall", "flowers", "dora"),
    "total": ("value", "cap", "limit_from", "empty", "minimum"),
    "liability": ("moves", "nobody", "barred"),
    "settlement": SETTLEMENT_KEYS,
}


def completions(
    document: Document, line: int, column: int, folders: tuple[Path, ...]
) -> list[Completion]:
    """The words that may stand at a line and column, both from 1."""
    cursor = cursor_at(document.lines, line, column)
    if cursor.key is None:
        return _keys(cursor, document)
    home = sentence_home(cursor.path, cursor.key, document.data)
    if home is not None:
        before = cursor.before.lstrip().lstrip("\"'")
        return words_after(before, home, cursor.path, cursor.key, document.data)
    return _values(cursor, document, folders)


# ---- keys -------------------------------------------------------------------------------


def _keys(cursor: Cursor, document: Document) -> list[Completion]:
    path, data = cursor.path, document.data
    if path == ("remove",):
        return _removable(data)
    if path and path[-1] == "supersedes" and path[0] == "patterns":
        return _named(data.patterns if data else (), "pattern")
    there = _written(document, path)
    if len(path) == 1 and path[0] in (*_ENTRIES, "terms") and data is not None:
        # What the ruleset has already, and this file does not: what it may change.
        names: Iterable[str] = getattr(data, path[0])
        if path[0] == "interpretations":
            names = [one.id for one in data.interpretations]
        return [Completion(name, "inherited") for name in names if name not in there]
    return [Completion(word, "key") for word in _allowed(path, data) if word not in there]


def _allowed(path: tuple[str, ...], data: RulesetData | None) -> tuple[str, ...]:
    """The keys of the mapping at a path."""
    if not path:
        return TOP_KEYS
    if path[-1] in _TEXTS:
        return LANGUAGES
    match path:
        case ("patterns", _, "hits"):
            return (*RECORD_FIELDS, "points", "why")
        case ("patterns", _, "misses"):
            return (*RECORD_FIELDS, "points", "why", *MISS_FIELDS)
        case ("patterns", _, ("hits" | "misses"), "options"):
            return tuple(data.options) if data is not None else ()
        case ("patterns", _):
            return (*(data.units if data is not None else ("points",)), *PATTERN_KEYS)
        case (section, _) if section in _ENTRIES:
            return _ENTRIES[section]
        case ("settlement", "stakes"):
            return ("event", "amount", "to", "returned")
        case ("settlement", ending) if ending in ENDINGS:
            return ("when", "pays")
        case ("total", "empty"):
            return ("points", "name")
        case ("tiles", "flowers"):
            return tuple(SEATS)
        case (section,) if section in _SECTIONS:
            return _SECTIONS[section]
    return ()


def _written(document: Document, path: tuple[str, ...]) -> frozenset[str]:
    """The keys that the mapping at a path has, where the text can be read; but for lists."""
    node = document.root
    for key in path:
        node = node.get(key) if isinstance(node, MappingNode) else None
    if not isinstance(node, MappingNode):
        return frozenset()
    return frozenset(key.text for key, _ in node.entries)


def _removable(data: RulesetData | None) -> list[Completion]:
    if data is None:
        return []
    found: list[Completion] = []
    for section in ("patterns", "events", "options", "terms", "shapes"):
        names: Iterable[str] = getattr(data, section)
        found += [Completion(f"{section}.{name}", "inherited") for name in names]
    return found


# ---- values -----------------------------------------------------------------------------


def _values(cursor: Cursor, document: Document, folders: tuple[Path, ...]) -> list[Completion]:
    path, key, data = cursor.path, cursor.key, document.data
    section = path[0] if path else ""
    match section, key:
        case "", "extends":
            return _named(ruleset_ids(folders), "ruleset")
        case "", "remove":
            return _removable(data)
        case "patterns", "status":
            return _named(STATUSES, "status")
        case ("patterns", "bonus") | ("events", "shared"):
            return _named(_TRUTHS, "truth")
        case "patterns", "supersedes" | "lost_to":
            return _named(data.patterns if data else (), "pattern")
        case "patterns", "series":
            given = [pattern.series for pattern in data.patterns.values()] if data else []
            return _named(dict.fromkeys(filter(None, given)), "series")
        case "patterns", "by":
            return [Completion(name, "way of winning", doc) for name, doc in WAYS.items()]
        case "patterns", "seat" | "round" | "from":
            return _named(SEATS, "seat")
        case "patterns", "liable":
            return _named((*SEATS, "none"), "seat")
        case "patterns", "events":
            return _events(data)
        case "options", "type":
            return _named(("int", "bool"), "type")
        case "settlement", "winners":
            return _named(WINNERS, "winners")
        case "settlement", "event":
            return _events(data)
        case "settlement", "to":
            return _named(STAKES_TO, "stakes")
        case ("settlement", "returned") | ("liability", _):
            return _named(_TRUTHS, "truth")
    return []


def _named(names: Iterable[str], detail: str) -> list[Completion]:
    return [Completion(name, detail) for name in names]


def _events(data: RulesetData | None) -> list[Completion]:
    events = data.events.values() if data else ()
    return [Completion(event.id, "event", event.doc.get()) for event in events]
