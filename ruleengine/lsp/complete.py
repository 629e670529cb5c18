"""The words that may stand at a place of a ruleset, whether or not the text can be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.language.help import CLASS_WORDS, GRAMMAR_WORDS
from ruleengine.language.vocabulary import (
    FACTS,
    LEVELS,
    ROLES,
    SITUATION_CLASSES,
    SUBJECT_CONTEXTS,
    SUBJECTS,
    WAITS,
    WAYS,
)
from ruleengine.lsp.cursor import cursor_at
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

    from ruleengine.language.vocabulary import Context
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
_HAND_WORDS = frozenset(
    {
        *("has", "have", "are", "all", "every", "some", "no", "hand", "before", "includes"),
        *("include", "count", "of", "sum", "ranks", "concealed", "claimed", "sequence"),
        *("triplet", "kong", "pair", "set", "group", "tile", "flower", "suits", "kinds"),
        *("quads", "waits"),
    }
)
"""Words that speak of the tiles of a hand. `some seat is liable` needs some of them, too."""
_SEAT_WORDS = frozenset({"all", "every", "some", "no", "are"})
_SEATS = frozenset({"payer", "payee", "winner", "discarder", "seat"})
_WIN_WORDS = frozenset({"win", "by"})


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that may stand here, and what it means."""

    word: str
    detail: str
    doc: str | None = None


def completions(
    document: Document, line: int, column: int, folders: tuple[Path, ...]
) -> list[Completion]:
    """The words that may stand at a line and column, both from 1."""
    cursor = cursor_at(document.lines, line, column)
    if cursor.key is None:
        return _keys(cursor, document)
    context = sentence_context(cursor.path, cursor.key, document.data)
    if context is not None:
        return _in_sentence(cursor.before, context, document.data)
    return _values(cursor, document, folders)


def sentence_context(path: tuple[str, ...], key: str, data: RulesetData | None) -> Context | None:
    """The place that a sentence stands in whose key this is; None where no sentence stands."""
    units = data.units if data is not None else ("points",)
    match path:
        case ("terms",):
            return "pattern"
        case ("patterns", _) if key in ("when", "times", *units):
            return "pattern"
        case ("events", _) if key == "needs":
            return "event"
        case ("total",) if key == "value":
            return "total"
        case ("total",) if key in ("cap", "limit_from", "empty", "minimum"):
            return "bounds"
        case ("total", "empty") if key == "points":
            return "bounds"
        case ("settlement", "stakes") if key == "amount":
            return "stakes"
        case ("settlement", ending) if key in ("when", "pays"):
            return next((one for one in ENDINGS if one == ending), None)
    return None


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


# ---- sentences --------------------------------------------------------------------------


def _in_sentence(before: str, context: Context, data: RulesetData | None) -> list[Completion]:
    """What may follow in a sentence; by the words just before the place."""
    words = _words_before(before)
    tail = " ".join(words[-3:])
    if _names_shape(words):
        return _named(data.shapes if data else (), "shape")
    if tail.endswith("win by") or _listing(words, "win"):
        return [Completion(name, "way of winning", doc) for name, doc in WAYS.items()]
    if tail.endswith(("wait is", "wait is not")) or _listing(words, "wait"):
        return [Completion(name, "wait", doc) for name, doc in WAITS.items()]
    if tail.endswith(("seat is", "round is")) and "hand" in LEVELS[context]:
        return _named(SEATS, "seat")
    if _subject(words) in _SEATS:
        roles = [(name, doc) for name, (doc, places) in ROLES.items() if context in places]
        return [Completion(name, "role", doc) for name, doc in roles]
    about_hand = "hand" in LEVELS[context]
    if words[-1:] in (["is"], ["are"], ["of"], ["has"], ["have"], ["|"], ["&"], ["~"]) or (
        words[-2:] == ["is", "not"]
    ):
        return [*_classes(data), *_groups()] if about_hand else []
    if words[-2:-1] == ["has"] or words[-1:] == [","]:
        return _groups() if about_hand else []
    return [*_names(data, context), *_grammar(context)]


def names_shape(before: str) -> bool:
    """Whether the word that a sentence goes on with is a shape; by the words just before it."""
    return _names_shape(_words_before(before))


def _names_shape(words: list[str]) -> bool:
    is_first = " ".join(words[-3:]).endswith(("shape is", "shape is not"))
    return is_first or _listing(words, "shape")


def _words_before(before: str) -> list[str]:
    """The words before a place of a sentence, without one that has only begun."""
    text = before.lstrip().lstrip("\"'")
    words = text.replace("|", " | ").replace("(", " ").replace(",", " , ").split()
    if words and text[-1:].isalnum():
        words.pop()
    return words


def _subject(words: list[str]) -> str:
    """What the words end in saying something of: `payer is`, `payer is not`."""
    if words[-1:] == ["not"]:
        words = words[:-1]
    return words[-2] if len(words) > 1 and words[-1] == "is" else ""


def _listing(words: list[str], subject: str) -> bool:
    """Whether the words end in a list that began with `shape is` or `win by`."""
    if words[-1:] != ["|"]:
        return False
    for at in range(len(words) - 1, 0, -1):
        if words[at] in ("and", "or"):
            return False
        if words[at] in ("is", "by"):
            return words[at - 1] == subject
    return False


def _classes(data: RulesetData | None) -> list[Completion]:
    from ruleengine.language import meaning as m

    found = [Completion(name, "class of tiles", doc) for name, doc in CLASS_WORDS.items()]
    found += [Completion(name, "class of tiles", doc) for name, doc in SITUATION_CLASSES.items()]
    for name, term in data.terms.items() if data is not None else ():
        if not isinstance(term.value, m.Meaning):
            found.append(Completion(name, "term", term.text))
    return found


def _groups() -> list[Completion]:
    names = ("sequence", "triplet", "kong", "pair", "claimed", "concealed")
    return [Completion(name, "group", GRAMMAR_WORDS[name]) for name in names]


def _names(data: RulesetData | None, context: Context) -> list[Completion]:
    """The names that a sentence of a place may use."""
    levels = LEVELS[context]
    found = [Completion(n, "fact", w.doc) for n, w in FACTS.items() if context in w.contexts]
    for name, doc in SUBJECTS.items():
        if context in SUBJECT_CONTEXTS.get(name, ()) or (
            name not in SUBJECT_CONTEXTS and "hand" in levels
        ):
            found.append(Completion(name, "subject", doc))
    if data is None:
        return found
    if "situation" in levels:
        found += _events(data)
    found += [Completion(name, "option", o.doc.get()) for name, o in data.options.items()]
    found += [Completion(name, "term", term.text) for name, term in data.terms.items()]
    if context == "pattern":
        found += [Completion(name, "pattern", p.name.get()) for name, p in data.patterns.items()]
    if context == "total":
        found += [Completion(name, "unit") for name in data.units]
    return found


def _grammar(context: Context) -> list[Completion]:
    """The words of the language that make sense in a place."""
    left_out: set[str] = set()
    if "hand" not in LEVELS[context]:
        seats = any(context in places for _, places in ROLES.values())
        left_out |= _HAND_WORDS - (_SEAT_WORDS if seats else set())
    if "situation" not in LEVELS[context]:
        left_out |= _WIN_WORDS
    return [Completion(w, "word", doc) for w, doc in GRAMMAR_WORDS.items() if w not in left_out]
