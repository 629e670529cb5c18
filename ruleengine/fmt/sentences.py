"""The canonical text of a sentence: its words as they were chosen, one space between them."""

from __future__ import annotations

import dataclasses
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ruleengine.language import tree
from ruleengine.language.syntax import SentenceError, parse, parses

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD = re.compile(r"[rq](?:\+[1-8])?[xyw](?!\w)|\w+|[<>!]=|\S", re.ASCII)
_FUNCTIONS = frozenset({"min", "max", "round_up", "round_down"})


@lru_cache(maxsize=4096)
def canonical(text: str, *, is_term: bool = False) -> str | None:
    """A sentence (or a term: a class of tiles where it can be one) in canonical spacing.

    None where the text is no sentence. What comes back has the same syntax tree.
    """
    found = _read(text, is_term)
    if found is None:
        return None
    signs = {node.start for node in _nodes(found) if isinstance(node, tree.Negative)}
    parts: list[str] = []
    tight = True
    before = ""
    for match in _WORD.finditer(text):
        word = match.group()
        touches = tight or word in (")", ",") or (word == "(" and before in _FUNCTIONS)
        parts.append(word if touches else f" {word}")
        tight = word in ("(", "~") or (word == "-" and match.start() in signs)
        before = word
    written = "".join(parts)
    again = _read(written, is_term)
    return written if again is not None and _same(found, again) else None


def _read(text: str, is_term: bool) -> tree.Node | None:
    try:
        as_class = is_term and parses(text, "klass")
        return parse(text, "klass" if as_class else "sentence")
    except SentenceError:
        return None


def _nodes(node: tree.Node) -> Iterator[tree.Node]:
    pending: list[Any] = [node]
    while pending:
        found = pending.pop()
        if isinstance(found, tree.Node):
            yield found
            pending += [getattr(found, field.name) for field in dataclasses.fields(found)]
        elif isinstance(found, tuple):
            pending += found


def _same(left: object, right: object) -> bool:
    """Whether two trees differ in places only."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, tree.Node) and type(left) is type(right):
        return all(
            field.name in ("start", "end")
            or _same(getattr(left, field.name), getattr(right, field.name))
            for field in dataclasses.fields(left)
        )
    return left == right
