"""The things of a ruleset file: each name with its value, each item of a list, as one tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleengine.fmt.layout import OTHER, Kind, with_units
from ruleengine.source import MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from ruleengine.source import Node

Place = tuple[int, int]
"""A line and a column, both counted from 0."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment without the spaces after it, and whether an empty line stands before it."""

    text: str
    blank: bool
    place: Place


@dataclass(slots=True)
class Thing:
    """A name with its value, or an item of a list; the whole file is a thing without a name.

    Its comments: lines `above` it, one `beside` its first line, lines `between` its name and its
    value, and lines at the `end` of the mapping or list that it holds. `blank` says whether an
    empty line stands before it and before the comments above it, `apart` whether one stands
    between those comments and itself.
    """

    key: ScalarNode | None
    value: Node
    kind: Kind
    flow: bool
    start: Place
    parts: list[Thing] = field(default_factory=list)
    above: list[Comment] = field(default_factory=list)
    beside: Comment | None = None
    between: list[Comment] = field(default_factory=list)
    end: list[Comment] = field(default_factory=list)
    blank: bool = False
    apart: bool = False

    @property
    def holds_parts(self) -> bool:
        """Whether it holds a mapping or a list with something in it."""
        return bool(self.parts)

    def walk(self) -> Iterator[Thing]:
        """Itself and all that is in it, from the top of the file to its end."""
        pending = [self]
        while pending:
            thing = pending.pop()
            yield thing
            pending += reversed(thing.parts)

    def comments(self) -> Iterator[Comment]:
        """The comments that belong to it, without those of its parts."""
        yield from self.above
        if self.beside is not None:
            yield self.beside
        yield from self.between
        yield from self.end


def begin(node: Node) -> Place:
    """Where a value starts."""
    return node.span.line - 1, node.span.column - 1


def read_things(node: MappingNode, sources: Mapping[str, list[str]]) -> Thing:
    """The things of a ruleset; `sources` has the lines of the files that they stand in."""
    return read_thing(None, node, with_units(_units(node)), sources)


def _units(node: MappingNode) -> tuple[str, ...]:
    units = node.get("units")
    items = units.items if isinstance(units, SequenceNode) else ()
    return tuple(item.text for item in items if isinstance(item, ScalarNode))


def read_thing(
    key: ScalarNode | None, node: Node, kind: Kind, sources: Mapping[str, list[str]]
) -> Thing:
    """A value of some kind as a thing, with its parts."""
    row, column = begin(node)
    is_flow = not isinstance(node, ScalarNode) and (
        sources[node.span.path][row][column : column + 1] in ("{", "[")
    )
    thing = Thing(key, node, kind, is_flow, begin(key) if key is not None else (row, column))
    if isinstance(node, MappingNode):
        keyed = kind if kind.content in ("keys", "names") else OTHER
        for name, value in node.entries:
            thing.parts.append(read_thing(name, value, keyed.child(name.text), sources))
    elif isinstance(node, SequenceNode):
        listed = kind if kind.content == "list" else OTHER
        thing.parts += [read_thing(None, item, listed.child(None), sources) for item in node.items]
    return thing


def put_in_order(root: Thing) -> list[tuple[Thing, list[Thing]]]:
    """Put the keys of every mapping with known keys in their order.

    Returns the mappings that this changed, each with its parts in the order of the file.
    """
    changed: list[tuple[Thing, list[Thing]]] = []
    for thing in root.walk():
        kind = thing.kind
        if kind.content != "keys" or not isinstance(thing.value, MappingNode):
            continue
        if "en" in kind.keys and thing.value.get("en") is None:
            # Without English the first language stands in for it.
            continue
        found = thing.parts
        ordered = sorted(found, key=lambda part: kind.rank(part.key.text if part.key else ""))
        if any(part is not other for part, other in zip(ordered, found, strict=True)):
            changed.append((thing, found))
            thing.parts = ordered
    return changed
