"""Patterns without enough examples, and examples that cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic, Guesses
from ruleengine.errors import quote
from ruleengine.source import MappingNode, SequenceNode
from ruleengine.testing.run import named_parts, no_part
from ruleengine.testing.sentences import node_at, part_named, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ruleengine.check.subject import Subject
    from ruleengine.diagnostics import Span
    from ruleengine.language.meaning import Meaning
    from ruleengine.ruleset.model import Example
    from ruleengine.source import Node

ENOUGH = 2
"""Hits, and misses, that each pattern should have."""


def missing_examples(subject: Subject) -> Iterator[Diagnostic]:
    """Patterns of this file with fewer than two hits or two misses."""
    for pattern in subject.data.patterns.values():
        if pattern.span is None or not subject.owns(pattern.span):
            continue
        few = [
            f"{_number(len(found))} {one if len(found) == 1 else many}"
            for found, one, many in (
                (pattern.hits, "hit", "hits"),
                (pattern.misses, "miss", "misses"),
            )
            if len(found) < ENOUGH
        ]
        if few:
            message = f"pattern '{pattern.id}' has {' and '.join(few)}; two of each are wanted"
            help_line = f"yaku test --suggest {pattern.id} writes some"
            yield Diagnostic("W505", message, pattern.span, "warning", help=help_line)


def impossible_examples(subject: Subject) -> Iterator[Diagnostic]:
    """Examples of this file whose hand cannot be, and misses whose reason names nothing.

    Whether an example that can be holds is what `yaku test` says.
    """
    untried = [case for case in subject.cases[len(subject.outcomes) :] if subject.owns(case.span)]
    if untried:
        more = len(untried) - 1
        which = f"this example and {more:,} more are" if more else "this example is"
        yield Diagnostic("E503", f"{which} too much work to score", untried[0].span)
    guesses = Guesses()
    wrong = {outcome.case.span: outcome.error for outcome in subject.outcomes}
    for pattern in subject.data.patterns.values():
        known: dict[str, Meaning] = {}
        if any(example.fails is not None for example in pattern.misses):
            known = named_parts(subject.data, pattern.id)
        for kind in ("hits", "misses"):
            node = node_at(subject.root, ("patterns", pattern.id, kind))
            items = node.items if isinstance(node, SequenceNode) else ()
            by_span = {item.span: item for item in items}
            for example in getattr(pattern, kind):
                if not subject.owns(example.span):
                    continue
                item = by_span.get(example.span)
                error = wrong.get(example.span)
                if error is not None:
                    message = f"this hand cannot be ({error.code}): {error}"
                    at = _place(item, "hand", example.span)
                    yield Diagnostic("E503", message, at, help=error.help)
                yield from _reasons(subject, pattern.id, example, item, known, guesses)


def _reasons(
    subject: Subject,
    pattern: str,
    example: Example,
    item: Node | None,
    known: Mapping[str, Meaning],
    guesses: Guesses,
) -> Iterator[Diagnostic]:
    known_patterns = subject.data.patterns.keys() | subject.unread
    if example.lost_to is not None and example.lost_to not in known_patterns:
        message = f"unknown pattern {quote(example.lost_to)}"
        help_line = _meant(example.lost_to, known_patterns, guesses)
        at = _place(item, "lost_to", example.span)
        yield Diagnostic("E201", message, at, help=help_line)
    if example.fails is not None and part_named(example.fails, known) is None:
        help_line = _meant(words(example.fails), known, guesses)
        at = _place(item, "fails", example.span)
        yield Diagnostic("E503", no_part(pattern, known), at, help=help_line)


def _meant(word: str, known: Iterable[str], guesses: Guesses) -> str | None:
    meant = guesses.suggest(word, known)
    return f"did you mean '{meant}'?" if meant else None


def _place(item: Node | None, key: str, otherwise: Span) -> Span:
    """Where a field of an example stands; the example itself where it is nothing but a hand."""
    value = item.get(key) if isinstance(item, MappingNode) else None
    return otherwise if value is None else value.span


def _number(number: int) -> str:
    return str(number) if number else "no"
