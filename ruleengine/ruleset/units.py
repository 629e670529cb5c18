"""Finds what a variant loses that lists other units than its parent: the awards of the patterns
that it inherits."""

from __future__ import annotations

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
    """A unit that a parent had and a variant has not, and where inherited patterns award it."""

    name: str
    awarded: tuple[Span, ...]


def lost_units(
    layers: Sequence[tuple[str, MappingNode]], merged: MappingNode, path: str, units: Sequence[str]
) -> Iterator[LostUnit]:
    """The units that are awarded by patterns inherited by the file at `path`, in which the list
    of `units` is changed, and that are not on it. `layers` are those of a `Chain`."""
    homes = [node.span.path for _, node in layers]
    below = homes.index(path) + 1 if path in homes else len(homes)
    patterns = merged.get("patterns")
    if below == len(homes) or not isinstance(patterns, MappingNode):
        return
    listed = (node.get("units") for _, node in layers[below:])
    for name in _names(next((given for given in listed if given is not None), None)):
        keys = [
            key.span
            for _, pattern in patterns.entries
            if isinstance(pattern, MappingNode)
            and (key := pattern.key(name)) is not None
            and key.span.path in homes[below:]
        ]
        if keys and name not in units:
            yield LostUnit(name, tuple(keys))


def _names(listed: Node | None) -> tuple[str, ...]:
    if not isinstance(listed, SequenceNode):
        return USUAL_UNITS
    return tuple(item.text for item in listed.items if isinstance(item, ScalarNode))
