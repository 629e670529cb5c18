"""What an editor may ask of a ruleset: hover, completion, definitions, examples to run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.errors import RuleEngineError
from ruleengine.language.help import CLASS_WORDS, GRAMMAR_WORDS, meaning_of
from ruleengine.language.vocabulary import FACTS, ROLES, SITUATION_CLASSES, SUBJECTS, WAITS, WAYS
from ruleengine.record import score_record
from ruleengine.rules import Rules
from ruleengine.ruleset.examples import RECORD_FIELDS
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.model import EVENT_KEYS, PATTERN_KEYS
from ruleengine.ruleset.read import TOP_KEYS

if TYPE_CHECKING:
    from pathlib import Path

    from ruleengine.diagnostics import Span
    from ruleengine.lsp.document import Document, Place
    from ruleengine.ruleset.model import Example, RulesetData

NAMED = ("patterns", "terms", "events", "options", "shapes")
"""Sections whose keys are names that sentences use."""
_KEYS: dict[str, tuple[str, ...]] = {
    "": TOP_KEYS,
    "tiles": ("wall", "flowers", "dora"),
    "options": ("type", "default", "choices", "min", "max", "name", "doc"),
    "events": EVENT_KEYS,
    "shapes": ("sets", "pairs", "tiles", "doubled", "choose", "name", "doc"),
    "patterns": ("points", *PATTERN_KEYS),
    "total": ("value", "cap", "limit_from", "empty", "minimum"),
    "liability": ("moves", "nobody"),
    "settlement": ("win", "exhausted", "wrong_win"),
    "interpretations": ("question", "reading", "why"),
}


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that may stand here, and what it means."""

    word: str
    detail: str
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Lens:
    """A pattern with examples that can be run."""

    pattern: str
    span: Span
    hits: int
    misses: int


@dataclass(frozen=True, slots=True)
class ExampleRun:
    """An example that was run: whether it held, and what the hand came to."""

    example: Example
    passed: bool
    words: str


# ---- hover ------------------------------------------------------------------------------


def hover(document: Document, place: Place) -> str | None:
    """What the word at a place means, as Markdown; None where there is nothing to say."""
    word = place.word
    if word is None:
        return None
    data = document.data
    if place.on_key and len(place.keys) == 2 and place.keys[0] in NAMED:
        return None if data is None else _about(data, place.keys[1], document)
    if not place.in_sentence:
        return None
    found = None if data is None else _about(data, word, document)
    if found is not None:
        return found
    meaning = meaning_of(word)
    return None if meaning is None else f"**{word}**: {meaning}"


def _about(data: RulesetData, name: str, document: Document) -> str | None:
    """A name of the ruleset: what it is, its effective value, and where that comes from."""
    lines: list[str] = []
    span: Span | None = None
    if name in data.patterns:
        pattern = data.patterns[name]
        title = " ".join(part for part in (pattern.code, pattern.name.get()) if part)
        lines.append(f"**{name}** {title}")
        lines += [f"{unit}: `{award.text}`" for unit, award in pattern.awards.items()]
        for key, sentence in (("when", pattern.when), ("times", pattern.times)):
            if sentence is not None:
                lines.append(f"{key}: `{' '.join(sentence.text.split())}`")
        if pattern.doc:
            lines.append(pattern.doc.get())
        span = pattern.span
    elif name in data.terms:
        term = data.terms[name]
        lines.append(f"**{name}**: term\n\n`{' '.join(term.text.split())}`")
        span = term.span
    elif name in data.events:
        event = data.events[name]
        lines.append(f"**{name}**: event {event.name.get()}")
        if event.needs is not None:
            lines.append(f"needs: `{' '.join(event.needs.text.split())}`")
            span = event.needs.span
        lines.append(event.doc.get())
    elif name in data.options:
        option = data.options[name]
        lines.append(f"**{name}**: option, {option.type}, default {option.default}")
        lines.append(option.doc.get())
    elif name in data.shapes:
        shape = data.shapes[name]
        lines.append(f"**{name}**: shape, {shape.sets} sets, {shape.pairs} pairs")
    else:
        return None
    if span is not None and span.path != document.path:
        lines.append(f"from {span.path}:{span.line}")
    return "\n\n".join(line for line in lines if line)


# ---- definitions --------------------------------------------------------------------------


def definition(document: Document, place: Place, folders: tuple[Path, ...]) -> Span | None:
    """Where the name at a place is defined, in this file or in one that it extends."""
    from ruleengine.diagnostics import Span as Place_

    if place.keys[-1:] == ("extends",) and place.scalar is not None and not place.on_key:
        path = ruleset_ids(folders).get(place.scalar.text)
        return None if path is None else Place_(str(path), 1, 1, 1, 1)
    word = place.word
    if word is None or not (place.in_sentence or "supersedes" in place.keys):
        return None
    for section in NAMED:
        found = document.span_of(section, word)
        if found is not None:
            return found
    if document.read is None:
        return None
    from ruleengine.lsp.document import Document as Other

    for home, text in list(document.read.sources.items())[1:]:
        parent = Other(text, home, folders)
        for section in NAMED:
            found = parent.span_of(section, word)
            if found is not None:
                return found
    return None


# ---- completion ------------------------------------------------------------------------------


def completions(
    document: Document, line: int, column: int, folders: tuple[Path, ...]
) -> list[Completion]:
    """The words that may stand at a place, whether or not the document can be read."""
    text = document.lines[line - 1] if line <= len(document.lines) else ""
    before = text[: column - 1]
    keys = _keys_above(document.lines, line, before)
    key, colon, value = before.partition(":")
    if colon and _holds_sentence(keys, key.strip().removeprefix("- ").lstrip("{")):
        return _in_sentence(value, document)
    if colon and key.strip() == "extends":
        return [Completion(name, "ruleset") for name in ruleset_ids(folders)]
    if colon:
        return []
    allowed = _allowed_keys(keys)
    return [Completion(word, "key") for word in allowed]


def _keys_above(lines: list[str], line: int, before: str) -> tuple[str, ...]:
    """The keys that a line stands under, by indentation alone."""
    indent = len(before) - len(before.lstrip(" "))
    keys: list[str] = []
    for at in range(min(line - 1, len(lines)) - 1, -1, -1):
        text = lines[at]
        stripped = text.strip()
        depth = len(text) - len(text.lstrip(" "))
        if not stripped or stripped.startswith("#") or depth >= indent:
            continue
        if ":" in stripped:
            keys.append(stripped.partition(":")[0].removeprefix("- "))
            indent = depth
        if depth == 0:
            break
    return tuple(reversed(keys))


def _holds_sentence(keys: tuple[str, ...], key: str) -> bool:
    from ruleengine.lsp.document import SENTENCE_KEYS

    return key in SENTENCE_KEYS or keys[:1] == ("terms",)


def _allowed_keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    if not keys:
        return _KEYS[""]
    if keys[-1] in ("hits", "misses"):
        return (*RECORD_FIELDS, "points", "why")
    if keys[-1] == "win":
        return ("when", "pays")
    if keys[0] in ("tiles", "total", "liability", "settlement"):
        return _KEYS[keys[0]] if len(keys) == 1 else ()
    return _KEYS.get(keys[0], ()) if len(keys) == 2 else ()


def _in_sentence(before: str, document: Document) -> list[Completion]:
    """What may follow in a sentence; by the words just before the place."""
    words = before.replace("|", " | ").replace("(", " ").split()
    if words and before[-1:].isalnum():
        words.pop()
    tail = " ".join(words[-3:])
    data = document.data
    if tail.endswith(("shape is", "shape is not")) or _listing(words, "shape"):
        return [Completion(name, "shape") for name in (data.shapes if data else ())]
    if tail.endswith("win by") or _listing(words, "win"):
        return [Completion(name, "way of winning", doc) for name, doc in WAYS.items()]
    if tail.endswith(("wait is", "wait is not")):
        return [Completion(name, "wait", doc) for name, doc in WAITS.items()]
    if tail.endswith(("payer is", "winner is", "seat is", "discarder is")):
        return [Completion(name, "role", doc) for name, (doc, _) in ROLES.items()]
    if words[-1:] in (["is"], ["are"], ["of"], ["has"], ["have"], ["|"], ["&"], ["~"], ["not"]):
        return [*_classes(data), *_groups()]
    return [*_names(data), *_grammar()]


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
    found = [Completion(name, "class of tiles", doc) for name, doc in CLASS_WORDS.items()]
    found += [Completion(name, "class of tiles", doc) for name, doc in SITUATION_CLASSES.items()]
    if data is not None:
        found += [Completion(name, "term", term.text) for name, term in data.terms.items()]
    return found


def _groups() -> list[Completion]:
    names = ("sequence", "triplet", "kong", "pair", "claimed", "concealed")
    return [Completion(name, "group", GRAMMAR_WORDS[name]) for name in names]


def _names(data: RulesetData | None) -> list[Completion]:
    found = [Completion(name, "fact", word.doc) for name, word in FACTS.items()]
    found += [Completion(name, "subject", doc) for name, doc in SUBJECTS.items()]
    if data is None:
        return found
    found += [Completion(name, "event", event.doc.get()) for name, event in data.events.items()]
    found += [Completion(name, "option", o.doc.get()) for name, o in data.options.items()]
    found += [Completion(name, "term", term.text) for name, term in data.terms.items()]
    found += [Completion(name, "pattern", p.name.get()) for name, p in data.patterns.items()]
    return found


def _grammar() -> list[Completion]:
    return [Completion(word, "word", doc) for word, doc in GRAMMAR_WORDS.items()]


# ---- examples -----------------------------------------------------------------------------------


def lenses(document: Document) -> list[Lens]:
    """The patterns of this very file that have examples."""
    if document.read is None:
        return []
    found = []
    for pattern in document.read.data.patterns.values():
        span = document.span_of("patterns", pattern.id)
        if span is not None and (pattern.hits or pattern.misses):
            found.append(Lens(pattern.id, span, len(pattern.hits), len(pattern.misses)))
    return found


def run_examples(document: Document, pattern_id: str) -> list[ExampleRun]:
    """Run the examples of a pattern under the ruleset as it stands."""
    if document.read is None or pattern_id not in document.read.data.patterns:
        return []
    rules = Rules(document.read.data, {}, document.read.sources)
    pattern = rules.data.patterns[pattern_id]
    found = [_run(rules, pattern_id, example, True) for example in pattern.hits]
    return found + [_run(rules, pattern_id, example, False) for example in pattern.misses]


def _run(rules: Rules, pattern: str, example: Example, expected: bool) -> ExampleRun:
    try:
        result = score_record(rules, example.record)
    except RuleEngineError as error:
        return ExampleRun(example, False, str(error))
    counts = any(counted.id == pattern for counted in result.patterns)
    names = ", ".join(counted.id for counted in result.patterns) or "no pattern"
    words = f"{result.points} points: {names}"
    if counts != expected:
        return ExampleRun(example, False, f"{'does not count' if expected else 'counts'}; {words}")
    if example.points is not None and example.points != result.points:
        return ExampleRun(example, False, f"{example.points} points expected; {words}")
    return ExampleRun(example, True, words)
