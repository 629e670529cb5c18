"""Lays a file out, and makes sure that nothing but the layout has changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic, RulesetError, Span, source_lines
from ruleengine.fmt.comments import check_moves, place_comments
from ruleengine.fmt.sentences import canonical
from ruleengine.fmt.things import put_in_order, read_things
from ruleengine.fmt.write import write
from ruleengine.source import MappingNode, ScalarNode, read_yaml

if TYPE_CHECKING:
    from ruleengine.fmt.things import Comment, Thing


def format_text(text: str, path: str = "ruleset") -> str:
    """A ruleset file in canonical layout; `path` names it in errors.

    Lines end as the first one of the text does. Raises `RulesetError` for a text that is not YAML
    (E1xx), whose comments have no certain place (E601), that holds something for which there is
    no layout (E602), or that would not come back the same (E603).
    """
    before = _read(text, path)
    written = write(before.root, before.head)
    try:
        after = _read(written, path)
    except RulesetError:
        raise RulesetError([_changed(before.root, path)], {path: text}) from None
    different = _difference(before, after)
    if different is not None or write(after.root, after.head) != written:
        raise RulesetError([_changed(different or before.root, path)], {path: text})
    first = text.find("\n")
    return written.replace("\n", "\r\n") if text[first - 1 : first] == "\r" else written


@dataclass(frozen=True, slots=True)
class _File:
    root: Thing
    head: list[Comment]


def _read(text: str, path: str) -> _File:
    node = read_yaml(text, path)
    if not isinstance(node, MappingNode):
        message = "a ruleset is written as 'name: value' lines"
        raise RulesetError([Diagnostic("E301", message, node.span)], {path: text})
    lines = source_lines(text)
    root = read_things(node, {path: lines})
    head = place_comments(root, lines, path)
    check_moves(put_in_order(root), root, lines, path)
    return _File(root, head)


def _changed(thing: Thing, path: str) -> Diagnostic:
    span = thing.key.span if thing.key is not None else thing.value.span
    at = Span(path, span.line, span.column, span.line, span.column + 1)
    at = span if span.line == span.end_line else at
    return Diagnostic("E603", "this cannot be laid out without changing it", at)


def _difference(before: _File, after: _File) -> Thing | None:
    """The first thing that is not the same after the layout."""
    if _texts(before.head) != _texts(after.head):
        return before.root
    pending = [(before.root, after.root)]
    while pending:
        left, right = pending.pop()
        if not _same_value(left, right) or not _same_comments(left, right):
            return left
        pending += reversed(list(zip(left.parts, right.parts, strict=True)))
    return None


def _same_value(left: Thing, right: Thing) -> bool:
    if (left.key and left.key.text) != (right.key and right.key.text):
        return False
    one, other = left.value, right.value
    if isinstance(one, ScalarNode) and isinstance(other, ScalarNode):
        if left.kind.scalar in ("sentence", "term") and one.text != other.text:
            is_term = left.kind.scalar == "term"
            return other.text == canonical(one.text, is_term=is_term)
        return one.text == other.text and _value(one) == _value(other)
    return type(one) is type(other) and len(left.parts) == len(right.parts)


def _value(node: ScalarNode) -> tuple[type, object]:
    return type(node.value), node.value


def _same_comments(left: Thing, right: Thing) -> bool:
    return (
        _texts(left.above) == _texts(right.above)
        and (left.beside and left.beside.text) == (right.beside and right.beside.text)
        and _texts(left.between) == _texts(right.between)
        and _texts(left.end) == _texts(right.end)
        and left.apart == right.apart
    )


def _texts(comments: list[Comment]) -> list[tuple[str, bool]]:
    """The comments, and which of them an empty line sets apart from the one before."""
    return [(one.text, bool(at) and one.blank) for at, one in enumerate(comments)]
