"""Finds what a variant loses that lists other units than its parent: the awards of the patterns
and the units of the total that it inherits."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.source import MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ruleengine.diagnostics import Span
    from ruleengine.source import Node

USUAL_UNITS = ("points",)
"""What patterns award where a ruleset lists no units."""


@dataclass(frozen=True, slots=True)
class LostUnit:
    """A unit that a parent had and a variant has not: where inherited patterns award it, and where
    an inherited total counts it."""

    name: str
    awarded: tuple[Span, ...]
    counted: tuple[Span, ...]


def lost_units(
    layers: Sequence[tuple[str, MappingNode]], merged: MappingNode, path: str, units: Sequence[str]
) -> Iterator[LostUnit]:
    """The units of what the file at `path`, in which the list of `units` is changed, inherits, and
    that are not on it. `layers` are those of a `Chain`."""
    homes = [node.span.path for _, node in layers]
    parents = homes[homes.index(path) + 1 :] if path in homes else []
    for name in units_of_parents(layers, path):
        awarded = tuple(span for span in _awards(merged, name) if span.path in parents)
        counted = tuple(span for span in _counts(merged, name) if span.path in parents)
        if (awarded or counted) and name not in units:
            yield LostUnit(name, awarded, counted)


def units_of_parents(layers: Sequence[tuple[str, MappingNode]], path: str) -> tuple[str, ...]:
    """The units that any of the parents of the file at `path` lists, those of the nearest first."""
    homes = [node.span.path for _, node in layers]
    parents = layers[homes.index(path) + 1 :] if path in homes else ()
    listed = [node.get("units") for _, node in parents]
    if parents and all(one is None for one in listed):
        return USUAL_UNITS
    return tuple(dict.fromkeys(name for one in listed for name in _names(one)))


def _awards(merged: MappingNode, unit: str) -> Iterator[Span]:
    patterns = merged.get("patterns")
    for _, pattern in patterns.entries if isinstance(patterns, MappingNode) else ():
        key = pattern.key(unit) if isinstance(pattern, MappingNode) else None
        if key is not None:
            yield key.span


def _counts(merged: MappingNode, unit: str) -> Iterator[Span]:
    total = merged.get("total")
    for _, value in total.entries if isinstance(total, MappingNode) else ():
        if isinstance(value, ScalarNode):
            for word in re.finditer(rf"\b{re.escape(unit)}\b", value.text):
                yield value.locate(*word.span())


def _names(listed: Node | None) -> tuple[str, ...]:
    items = listed.items if isinstance(listed, SequenceNode) else ()
    return tuple(item.text for item in items if isinstance(item, ScalarNode))
