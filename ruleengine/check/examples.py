"""Patterns without enough examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.check.subject import Subject

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


def _number(number: int) -> str:
    return str(number) if number else "no"
