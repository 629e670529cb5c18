"""The words that may follow in a sentence that is being written, with what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.language.following import Following, Work
from ruleengine.language.help import CLASS_WORDS, GRAMMAR_WORDS, PLURALS
from ruleengine.language.vocabulary import FACTS, ROLES, SITUATION_CLASSES, SUBJECTS, WAITS, WAYS
from ruleengine.lsp.names import KnownNames
from ruleengine.ruleset.model import ENDINGS
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ruleengine.language.meaning import Type
    from ruleengine.language.syntax import Entry
    from ruleengine.language.vocabulary import Context
    from ruleengine.ruleset.model import RulesetData

_BEGUN = re.compile(r"\w+\Z")
_ANYWHERE: tuple[Context, ...] = ("pattern", "event", "win", "exhausted", "wrong_win", "total")
"""Where a term may be used."""
_DEFINING = ("when", "times", "needs")
"""Keys whose sentence says what the name above them is."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that may stand here, and what it means."""

    word: str
    detail: str
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Home:
    """What the place of a sentence asks of it: where it may be used, and what it has to be (None
    for a truth or a number). One that is `of_tiles` may be a class of tiles as well."""

    contexts: tuple[Context, ...]
    expected: Type | None
    of_tiles: bool = False


def sentence_home(path: tuple[str, ...], key: str, data: RulesetData | None) -> Home | None:
    """The place that a sentence stands in whose key this is; None where no sentence stands."""
    units = data.units if data is not None else ("points",)
    match path:
        case ("terms",):
            return Home(_ANYWHERE, None, of_tiles=True)
        case ("patterns", _) if key == "when":
            return Home(("pattern",), "truth")
        case ("patterns", _) if key in ("times", *units):
            return Home(("pattern",), "number")
        case ("events", _) if key == "needs":
            return Home(("event",), "truth")
        case ("total",) if key == "value":
            return Home(("total",), "number")
        case ("total",) if key in ("cap", "limit_from", "empty", "minimum"):
            return Home(("bounds",), "number")
        case ("total", "empty") if key == "points":
            return Home(("bounds",), "number")
        case ("settlement", "stakes") if key == "amount":
            return Home(("stakes",), "number")
        case ("settlement", ending) if key in ("when", "pays") and ending in ENDINGS:
            known = next(one for one in ENDINGS if one == ending)
            return Home((known,), "truth" if key == "when" else "number")
    return None


def words_after(
    before: str, home: Home, path: tuple[str, ...], key: str, data: RulesetData | None
) -> list[Completion]:
    """What may come next in the sentence of a key. A word that has only begun is left out of what
    stands before: an editor filters by it."""
    own = None
    if path == ("terms",):
        own = key
    elif key in _DEFINING and len(path) == 2:
        own = path[1]
    names = KnownNames(data, own)
    text = _BEGUN.sub("", before)
    entries: tuple[Entry, ...] = ("sentence", "klass") if home.of_tiles else ("sentence",)
    work = Work()
    places = [
        Following(text, entry, names, context, home.expected, work)
        for context in home.contexts
        for entry in entries
    ]
    lenient = not any(place.may_go_on for place in places)
    found: dict[str, Completion] = {}
    for place in places:
        offered = candidates(place, data, names)
        keys = {word: key for word, key in alike(offered, names).items() if word not in found}
        for word in place.words(keys, lenient):
            found[word] = next(one for one in offered if one.word == word)
    return list(found.values())


def candidates(
    following: Following, data: RulesetData | None, names: KnownNames
) -> list[Completion]:
    """All words that there are at such a place, the likeliest first; several may be the same."""
    found = [*(_things(following, data) if following.names_things else _sentences(data))]
    found += [Completion(word, "word", doc) for word, doc in GRAMMAR_WORDS.items()]
    found += [Completion(word, "word", GRAMMAR_WORDS[one]) for word, one in PLURALS.items()]
    hidden = _all_names(data) - {
        *names.events, *names.options, *names.terms, *names.patterns, *names.shapes, *names.units
    }  # fmt: skip
    return [one for one in found if one.word not in hidden]


def _all_names(data: RulesetData | None) -> set[str]:
    if data is None:
        return set()
    return {*data.events, *data.options, *data.terms, *data.patterns, *data.shapes, *data.units}


def _things(following: Following, data: RulesetData | None) -> Iterator[Completion]:
    """What may be named after `is`, `by`, `of` and the like."""
    if data is not None:
        yield from (Completion(name, "shape") for name in data.shapes)
    yield from (Completion(name, "way of winning", doc) for name, doc in WAYS.items())
    yield from (Completion(name, "wait", doc) for name, doc in WAITS.items())
    if not following.words({"X": None}):
        # Where any letter may stand, it is one of a template.
        yield from (Completion(name, "seat") for name in SEATS)
    yield from (Completion(name, "role", doc) for name, (doc, _) in ROLES.items())
    yield from (Completion(name, "class of tiles", doc) for name, doc in CLASS_WORDS.items())
    yield from (Completion(name, "class of tiles", doc) for name, doc in SITUATION_CLASSES.items())
    if data is not None:
        yield from (Completion(name, "term", term.text) for name, term in data.terms.items())


def _sentences(data: RulesetData | None) -> Iterator[Completion]:
    """What a sentence may begin with."""
    yield from (Completion(name, "fact", word.doc) for name, word in FACTS.items())
    yield from (Completion(name, "subject", doc) for name, doc in SUBJECTS.items())
    if data is None:
        return
    yield from (Completion(name, "event", one.doc.get()) for name, one in data.events.items())
    yield from (Completion(name, "option", one.doc.get()) for name, one in data.options.items())
    yield from (Completion(name, "term", term.text) for name, term in data.terms.items())
    yield from (Completion(name, "pattern", one.name.get()) for name, one in data.patterns.items())
    yield from (Completion(name, "unit") for name in data.units)


_EQUAL = frozenset(
    {"class of tiles", "way of winning", "wait", "shape", "seat", "event", "pattern"}
)
"""What the language makes no difference between."""


def alike(offered: Iterable[Completion], names: KnownNames) -> dict[str, object]:
    """Each word with a key that is the same for words that may stand in the same places."""
    kinds: dict[str, set[object]] = {}
    for one in offered:
        kind: object = (one.detail, one.word)
        if one.detail in _EQUAL:
            kind = one.detail
        elif one.detail == "option":
            kind = (one.detail, names.options[one.word])
        kinds.setdefault(one.word, set()).add(kind)
    return {word: frozenset(found) for word, found in kinds.items()}
