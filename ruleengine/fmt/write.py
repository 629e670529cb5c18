"""Writes the things of a ruleset file in canonical layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.fmt.layout import HEAD, OTHER, RULESET
from ruleengine.fmt.scalars import STEP, WIDTH, key_text, one_line, scalar_lines
from ruleengine.fmt.things import read_thing
from ruleengine.source import MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ruleengine.fmt.things import Comment, Thing
    from ruleengine.source import Node

_SECTIONS = frozenset(RULESET.keys) - frozenset(HEAD)


def write(root: Thing, head: Sequence[Comment] = ()) -> str:
    """A ruleset file; `head` are the comments about the file as a whole."""
    lines: list[str] = []
    _add_comments(lines, head, 0)
    if lines and root.blank:
        lines.append("")
    lines += _part_lines(root, 0)
    return "\n".join(lines) + "\n"


def flow(node: Node, sources: Mapping[str, list[str]]) -> str | None:
    """A list or mapping in brackets, None where it cannot be written so."""
    return _flow(read_thing(None, node, OTHER, sources))


def _part_lines(thing: Thing, indent: int, skip: bool = False) -> list[str]:
    """The lines of all parts of a thing; with `skip` those after the first."""
    lines: list[str] = []
    before: list[str] | None = None
    for at, part in enumerate(thing.parts):
        if skip and not at:
            before = _entry(part, indent)
            continue
        own: list[str] = []
        _add_comments(own, part.above, indent)
        if part.apart:
            own.append("")
        own += _entry(part, indent)
        if before is not None and (part.blank or _is_spaced(thing, part, before, own)):
            lines.append("")
        lines += own
        before = own
    for comment in thing.end:
        if comment.blank and (lines or skip):
            lines.append("")
        lines.append(" " * indent + comment.text)
    return lines


def _is_spaced(thing: Thing, part: Thing, before: list[str], own: list[str]) -> bool:
    """Whether the layout wants an empty line between two parts."""
    if thing.kind.spaced:
        return len(before) > 1 or len(own) > 1
    if thing.kind.keys.keys() == RULESET.keys.keys() and part.key is not None:
        if part.key.text not in _SECTIONS:
            return False
        return len(before) > 1 or len(own) > 1 or before[-1].split(":")[0] in HEAD
    return False


def _add_comments(lines: list[str], comments: Sequence[Comment], indent: int) -> None:
    for at, comment in enumerate(comments):
        if at and comment.blank:
            lines.append("")
        lines.append(" " * indent + comment.text)


def _entry(part: Thing, indent: int, lead: str | None = None) -> list[str]:
    """A name with its value, or an item of a list, without the comments above it."""
    start = " " * indent if lead is None else lead
    head = f"{start}{key_text(part.key)}:" if part.key is not None else f"{start}-"
    inner = indent + STEP
    if part.between:
        value = _inline(part)
        lines = [_with_comment(head, part)]
        _add_comments(lines, part.between, inner)
        if value is None:
            assert isinstance(part.value, ScalarNode)
            first, *rest = scalar_lines(part.value, part.kind, inner, inner)
            return [*lines, " " * inner + first, *rest]
        return [*lines, " " * inner + value]
    if isinstance(part.value, ScalarNode):
        first, *rest = scalar_lines(part.value, part.kind, inner, len(head) + 1)
        return [_with_comment(f"{head} {first}".rstrip(), part), *rest]
    flow = _flow(part) if part.flow or not part.parts else None
    if flow is not None and len(head) + 1 + len(flow) <= WIDTH:
        return [_with_comment(f"{head} {flow}", part)]
    if part.key is not None or part.beside is not None or part.parts[0].above:
        return [_with_comment(head, part), *_part_lines(part, inner)]
    return [*_entry(part.parts[0], inner, f"{head} "), *_part_lines(part, inner, skip=True)]


def _with_comment(line: str, part: Thing) -> str:
    return f"{line}  {part.beside.text}" if part.beside is not None else line


def _inline(part: Thing) -> str | None:
    if isinstance(part.value, ScalarNode):
        return one_line(part.value, part.kind)
    return _flow(part)


def _flow(thing: Thing) -> str | None:
    """A mapping or list in brackets, None where it cannot be written so."""
    pieces: list[str] = []
    if thing.end:
        return None
    for part in thing.parts:
        if any(part.comments()):
            return None
        value: str | None
        if isinstance(part.value, ScalarNode):
            value = one_line(part.value, part.kind, in_flow=True)
        else:
            value = _flow(part)
        if value is None or not value:
            return None
        pieces.append(value if part.key is None else f"{key_text(part.key)}: {value}")
    inside = ", ".join(pieces)
    if isinstance(thing.value, SequenceNode):
        return f"[{inside}]"
    assert isinstance(thing.value, MappingNode)
    return f"{{{inside}}}"
