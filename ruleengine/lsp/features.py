"""What an editor may ask of a ruleset: hover, completion, definitions, examples to run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ruleengine.diagnostics import RulesetError, Span, suggest
from ruleengine.errors import quote
from ruleengine.fmt.effective import line_of
from ruleengine.language.help import meaning_of
from ruleengine.lsp.document import span_of
from ruleengine.lsp.sentences import sentence_home
from ruleengine.rules import OptionError, Rules
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.origins import origins
from ruleengine.source import MappingNode, SequenceNode, read_yaml
from ruleengine.testing.cases import example_cases
from ruleengine.testing.run import Outcome, run_cases

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ruleengine.lsp.document import Document, Place
    from ruleengine.ruleset.chain import Chain
    from ruleengine.ruleset.model import Example, RulesetData
    from ruleengine.ruleset.origins import Step
    from ruleengine.source import Node
    from ruleengine.testing.budget import Budget

    OptionsOf = Callable[[RulesetData], Mapping[str, int | bool]]

NAMED = ("patterns", "terms", "events", "options", "shapes")
"""Sections whose keys are names that sentences use."""
MOST_VALUES = 8
"""Values of one key that are told; a key may stand above many."""
LONGEST_VALUE = 200
"""Characters of a value that are shown."""
_TOO_MUCH = "not run: with the others it is too much work"


@dataclass(frozen=True, slots=True)
class Lens:
    """A pattern with examples that can be run."""

    pattern: str
    span: Span
    hits: int
    misses: int


# ---- hover ------------------------------------------------------------------------------


def hover(document: Document, place: Place) -> str | None:
    """What the word at a place means, as Markdown; None where there is nothing to say."""
    word = place.word
    if word is None:
        return None
    data = document.data
    if place.on_key and len(place.keys) == 2 and place.keys[0] in NAMED:
        return None if data is None else _about(data, place.keys[1], document, place.keys[:1])
    if place.on_key:
        return _value_of(document, place.keys)
    if not _in_sentence(document, place):
        return None
    found = None if data is None else _about(data, word, document, _sections(place))
    if found is not None:
        return found
    meaning = meaning_of(word)
    return None if meaning is None else f"**{word}**: {meaning}"


def _value_of(document: Document, keys: tuple[str, ...]) -> str | None:
    """The effective value of a key, the files that set it and what it replaced there."""
    chain = None if document.known is None else document.known.chain
    if chain is None or (len(keys) == 1 and keys[0] in NAMED):
        return None
    path = ".".join(keys)
    found = [
        origin
        for origin in origins(chain)
        if origin.is_there and (origin.path == path or origin.path.startswith(f"{path}."))
    ]
    lines = []
    for origin in found[:MOST_VALUES]:
        *older, last = [
            f"{_shown(step, chain)} from {step.span.path}:{step.span.line}" for step in origin.steps
        ]
        was = "".join(f"; was {one}" for one in reversed(older))
        lines.append(f"**{origin.path}**: {last}{was}")
    if len(found) > MOST_VALUES:
        lines.append(f"... and {len(found) - MOST_VALUES:,} more")
    return "\n\n".join(lines) or None


def _shown(step: Step, chain: Chain) -> str:
    if step.value is None:
        return "nothing"
    text = line_of(step.value, chain)
    return f"`{text}`" if len(text) <= LONGEST_VALUE else f"`{text[:LONGEST_VALUE]}...`"


def _sections(place: Place) -> tuple[str, ...]:
    """The sections in which the word at a place of a sentence may have its meaning, the likeliest
    first: a shape may be called as a pattern is."""
    at = place.word_range
    if at is not None and place.scalar is not None and _names_shape(place.scalar.text[: at[0]]):
        return ("shapes",)
    return NAMED


def _names_shape(before: str) -> bool:
    """Whether the word that a sentence goes on with is a shape; by the words just before it."""
    words = _words_before(before)
    is_first = " ".join(words[-3:]).endswith(("shape is", "shape is not"))
    return is_first or _listing(words, "shape")


def _words_before(before: str) -> list[str]:
    """The words before a place of a sentence, without one that has only begun."""
    text = before.lstrip().lstrip("\"'")
    words = text.replace("|", " | ").replace("(", " ").replace(",", " , ").split()
    if words and text[-1:].isalnum():
        words.pop()
    return words


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


def _about(
    data: RulesetData, name: str, document: Document, sections: tuple[str, ...]
) -> str | None:
    """A name of the ruleset: what it is, its effective value, and where that comes from."""
    section = next((one for one in sections if name in getattr(data, one)), None)
    lines: list[str] = []
    span: Span | None = None
    if section == "patterns":
        pattern = data.patterns[name]
        title = " ".join(part for part in (pattern.code, pattern.name.get()) if part)
        lines.append(f"**{name}** {title}")
        parts = (*pattern.awards.items(), ("when", pattern.when), ("times", pattern.times))
        for key, sentence in parts:
            if sentence is not None:
                where = ""
                if pattern.span is not None and sentence.span.path != pattern.span.path:
                    where = f" from {sentence.span.path}:{sentence.span.line}"
                lines.append(f"{key}: `{' '.join(sentence.text.split())}`{where}")
        if pattern.doc:
            lines.append(pattern.doc.get())
        span = pattern.span
    elif section == "terms":
        term = data.terms[name]
        lines.append(f"**{name}**: term\n\n`{' '.join(term.text.split())}`")
        span = term.span
    elif section == "events":
        event = data.events[name]
        lines.append(f"**{name}**: event {event.name.get()}")
        if event.needs is not None:
            lines.append(f"needs: `{' '.join(event.needs.text.split())}`")
            span = event.needs.span
        lines.append(event.doc.get())
    elif section == "options":
        option = data.options[name]
        lines.append(f"**{name}**: option, {option.type}, default {option.default}")
        lines.append(option.doc.get())
    elif section == "shapes":
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
    if place.keys[-1:] == ("extends",) and place.scalar is not None and not place.on_key:
        path = ruleset_ids(folders).get(place.scalar.text)
        return None if path is None else Span(str(path), 1, 1, 1, 1)
    if place.on_key:
        # What a key changes is in a parent; what is new is defined where it stands.
        return _in_parents(document, place.keys) or document.span_of(*place.keys)
    if place.keys == ("remove",) and place.scalar is not None:
        parts = place.scalar.text.split(".")
        return _in_parents(document, parts[: place.scalar.text.count(".", 0, place.offset) + 1])
    word = place.word
    if word is None or not (_in_sentence(document, place) or _is_a_name(place)):
        return None
    sections = _sections(place)
    for section in sections:
        found = document.span_of(section, word)
        if found is not None:
            return found
    return _in_parents(document, *((section, word) for section in sections))


def _in_parents(document: Document, *paths: Sequence[str]) -> Span | None:
    """Where the nearest ruleset that a document extends has a key, the first of several."""
    sources = document.sources if document.known is None else document.known.sources
    for home, text in sources.items():
        if home == document.path:
            continue
        try:
            root = read_yaml(text, home)
        except RulesetError:
            continue
        found = next(filter(None, (span_of(root, *keys) for keys in paths)), None)
        if found is not None:
            return found
    return None


def _in_sentence(document: Document, place: Place) -> bool:
    """Whether a sentence of the language stands at a place."""
    if place.on_key or not place.keys:
        return False
    return sentence_home(place.keys[:-1], place.keys[-1], document.data) is not None


def _is_a_name(place: Place) -> bool:
    """Whether the name of a pattern or an event stands at a place, outside sentences."""
    return not place.on_key and place.keys[-1:] in (
        ("supersedes",), ("lost_to",), ("event",), ("events",)
    )  # fmt: skip


# ---- examples -----------------------------------------------------------------------------------


def lenses(document: Document) -> list[Lens]:
    """The patterns of this very file that have examples, as far as it can be read."""
    patterns = document.root.get("patterns") if isinstance(document.root, MappingNode) else None
    if not isinstance(patterns, MappingNode):
        return []
    found = []
    for key, written in patterns.entries:
        pattern = document.data.patterns.get(key.text) if document.data is not None else None
        hits = _number(written, "hits", pattern.hits if pattern else ())
        misses = _number(written, "misses", pattern.misses if pattern else ())
        if hits or misses:
            found.append(Lens(key.text, key.span, hits, misses))
    return found


def _number(pattern: Node, kind: str, read: Sequence[Example]) -> int:
    """How many examples are written of a pattern, else how many it has otherwise."""
    written = pattern.get(kind) if isinstance(pattern, MappingNode) else None
    return len(written.items) if isinstance(written, SequenceNode) else len(read)


def run_examples(
    document: Document,
    pattern: str,
    options: OptionsOf = lambda data: {},
    budget: Budget | None = None,
) -> list[Outcome] | str:
    """Run the examples of a pattern, each to the outcome that `yaku test` tells; or a sentence
    that says why none can be run."""
    name = Path(document.path).name
    if document.read is None:
        return f"{name} cannot be used as it is, so the examples of {pattern} were not run"
    data = document.read.data
    if pattern not in data.patterns:
        meant = suggest(pattern, data.patterns)
        guess = f"; did you mean '{meant}'?" if meant else ""
        return f"there is no pattern {quote(pattern)} in {name}{guess}"
    try:
        rules = Rules(data, options(data), document.read.sources)
    except OptionError as error:
        return f"the examples of {pattern} were not run: {error}"
    cases = [case for case in example_cases(data, document.path) if case.pattern == pattern]
    outcomes = run_cases(rules, cases, budget)
    untried = cases[len(outcomes) :]
    return [*outcomes, *(Outcome(case, problem=_TOO_MUCH) for case in untried)]
