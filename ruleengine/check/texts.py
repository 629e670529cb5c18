"""Names and texts: the same name twice, languages that are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic, Label
from ruleengine.ruleset.model import LANGUAGES
from ruleengine.source import MappingNode, ScalarNode
from ruleengine.testing.sentences import node_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.check.subject import Subject
    from ruleengine.diagnostics import Span
    from ruleengine.source import Node
    from ruleengine.testing.sentences import Where


def same_names(subject: Subject) -> Iterator[Diagnostic]:
    """Two patterns that are called the same in a language."""
    first: dict[tuple[str, str], tuple[str, Span]] = {}
    told: set[frozenset[str]] = set()
    for name in subject.data.patterns:
        node = node_at(subject.root, ("patterns", name, "name"))
        for language, text in _by_language(node):
            other, place = first.setdefault((language, text.text), (name, text.span))
            both = frozenset({name, other})
            if other == name or both in told:
                continue
            at, elsewhere = text.span, place
            if not subject.owns(at):
                at, elsewhere = elsewhere, at
            if subject.owns(at):
                told.add(both)
                message = f"the patterns '{other}' and '{name}' have the same name in {language}"
                labels = (Label(elsewhere, "the other one"),)
                yield Diagnostic("W502", message, at, "warning", labels)


def _by_language(node: Node | None) -> Iterator[tuple[str, ScalarNode]]:
    if isinstance(node, ScalarNode):
        yield LANGUAGES[0], node
    elif isinstance(node, MappingNode):
        for key, text in node.entries:
            if isinstance(text, ScalarNode):
                yield key.text, text


def translations(subject: Subject) -> Iterator[Diagnostic]:
    """Names and descriptions that are given in some languages and not in others.

    A text in English alone is a note: not every ruleset is meant to be translated. What says the
    same as in the parent is told as that (E406), and is no change.
    """
    for what, where in _texts(subject):
        node = node_at(subject.root, where)
        above = node_at(subject.root, where[:-1])
        key = above.key(where[-1]) if isinstance(above, MappingNode) else None
        if node is None or key is None or not subject.owns(key.span):
            continue
        given = [language for language, _ in _by_language(node)]
        own = [language for language, text in _by_language(node) if subject.owns(text.span)]
        missing = [language for language in LANGUAGES if language not in given]
        changed = [language for language in own if not _says_the_same(subject, key, node, language)]
        if not changed:
            continue
        if len(own) < len(given):
            message = f"{what} is changed in {listed(changed)}, and still the parent's in "
            kept = [language for language in given if language not in changed]
            yield Diagnostic("W503", message + listed(kept), key.span, "warning")
            continue
        if not missing:
            continue
        if len(given) == 1:
            only = given[0]
            message = f"{what} is given in {only} only"
            yield Diagnostic("W504", message, key.span, "note")
        else:
            message = f"{what} is missing in {listed(missing)}"
            yield Diagnostic("W503", message, key.span, "warning")


def _says_the_same(subject: Subject, key: ScalarNode, node: Node, language: str) -> bool:
    """Whether a text, or that in one language, says what it says in the parent."""
    assert subject.read.chain is not None
    inner = node.key(language) if isinstance(node, MappingNode) else None
    return not subject.read.chain.same.isdisjoint({key.span, *([inner.span] if inner else ())})


def _texts(subject: Subject) -> Iterator[tuple[str, Where]]:
    data = subject.data
    yield "the name of the ruleset", ("name",)
    sections = {
        "options": ("option", data.options),
        "events": ("event", data.events),
        "shapes": ("shape", data.shapes),
        "patterns": ("pattern", data.patterns),
    }
    for section, (noun, names) in sections.items():
        for name in names:
            yield f"the name of {noun} '{name}'", (section, name, "name")
            yield f"the description of {noun} '{name}'", (section, name, "doc")
    yield "the name of the empty hand", ("total", "empty", "name")


def listed(words: list[str], last: str = "and") -> str:
    """Some words as a list in a sentence."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if words[:-1] else words)
