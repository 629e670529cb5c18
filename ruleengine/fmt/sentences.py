"""The canonical text of a sentence: its words as they were chosen, one space between them.

And what is left of it without spaces and places: the structure of its syntax tree.
"""

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
    same = again is not None and _structure(found) == _structure(again)
    return written if same else None


@lru_cache(maxsize=4096)
def structure(text: str, *, is_term: bool = False) -> Any:
    """The syntax tree of a sentence or term in values that JSON has, without places: two texts have
    the same one where they differ in spaces and in brackets that change nothing.

    A node is the list of its kind and fields, or, where it is but one word or number, that as a
    text. None where the text is no sentence.
    """
    found = _read(text, is_term)
    return None if found is None else _structure(found)


def _structure(value: object) -> Any:
    if isinstance(value, tuple):
        return [_structure(item) for item in value]
    if not isinstance(value, tree.Node):
        return value
    fields = [
        getattr(value, field.name)
        for field in dataclasses.fields(value)
        if field.name not in ("start", "end")
    ]
    if isinstance(value, tree.Truth):
        return "true" if value.value else "false"
    if len(fields) == 1 and isinstance(fields[0], str | int):
        return str(fields[0])
    return [type(value).__name__, *map(_structure, fields)]


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
