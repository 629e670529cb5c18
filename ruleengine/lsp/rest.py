"""Reads what of a broken ruleset can be read: all but the entries that its mistakes stand in."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from ruleengine.diagnostics import RulesetError
from ruleengine.ruleset.fields import mapping_of
from ruleengine.ruleset.read import ReadRuleset, read_ruleset_values
from ruleengine.ruleset.rest import OF_ALL
from ruleengine.source import MappingNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ruleengine.diagnostics import Diagnostic
    from ruleengine.ruleset.find import Library
    from ruleengine.source import Node

    Position = tuple[int, int]

_TRIES = 4
"""How often entries are left out: what was left out may be missed elsewhere."""
_NEEDED = ("format", "id", "extends")
"""Without these there is no telling what the rest is."""
_DEEPEST = 3
"""How deep an entry that is left out may stand: the `when` of a pattern does, and no deeper one."""


def read_rest(
    root: Node, path: str, text: str, library: Library, problems: Iterable[Diagnostic]
) -> ReadRuleset | None:
    """A ruleset without the entries that its mistakes stand in; None where that is none, or where
    all the others are still too much."""
    for turn in range(_TRIES):
        if turn and any(problem.code in OF_ALL for problem in problems):
            return None
        left = _without(root, path, problems)
        if left is None:
            return None
        root = left
        try:
            return read_ruleset_values(root, path, text, library)
        except RulesetError as error:
            problems = error.diagnostics
    return None


def _without(root: Node, path: str, problems: Iterable[Diagnostic]) -> MappingNode | None:
    """The values without those that hold a mistake; None where nothing is left or nothing goes."""
    places = sorted(
        (problem.span.line, problem.span.column)
        for problem in problems
        if problem.severity == "error" and problem.span is not None and problem.span.path == path
    )
    if not isinstance(root, MappingNode):
        return None
    left = _kept(root, places, 1)
    if left is None or any(root.get(key) and not left.get(key) for key in _NEEDED):
        return None
    return left


def _kept(node: MappingNode, places: Sequence[Position], depth: int) -> MappingNode | None:
    """A mapping without its entries that hold a place; None where none does."""
    entries = []
    changed = False
    for key, value in node.entries:
        start, after = (key.span.line, key.span.column), (key.span.end_line, key.span.end_column)
        end = max(after, (value.span.end_line, value.span.end_column))
        if not _any(places, start, end):
            entries.append((key, value))
            continue
        changed = True
        if isinstance(value, MappingNode) and depth < _DEEPEST and not _any(places, start, after):
            left = _kept(value, places, depth + 1)
            if left is not None and left.entries:
                entries.append((key, left))
    return mapping_of(entries, node.span) if changed else None


def _any(places: Sequence[Position], start: Position, end: Position) -> bool:
    at = bisect_left(places, start)
    return at < len(places) and places[at] <= end
