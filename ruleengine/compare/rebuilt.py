"""Rulesets with other ids and other sentences, made of those that were read."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from ruleengine.frozen import FrozenDict
from ruleengine.language import meaning as m

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import RulesetData


def renamed_shapes(old: RulesetData, new: RulesetData) -> dict[str, str]:
    """The old id of each shape that has a new one: what only the new ruleset has is a shape of the
    old one where that is defined alike, and is not there any more."""
    gone = [shape for name, shape in old.shapes.items() if name not in new.shapes]
    found: dict[str, str] = {}
    for name, shape in new.shapes.items():
        if name in old.shapes:
            continue
        alike = [one for one in gone if replace(one, id=name) == shape]
        if alike:
            found[name] = alike[0].id
            gone.remove(alike[0])
    return found


def with_shapes_named(data: RulesetData, names: Mapping[str, str]) -> RulesetData:
    """A ruleset whose shapes have other ids, in its sentences too."""
    if not names:
        return data

    def put(node: Any) -> Any:
        if isinstance(node, m.ShapeIs):
            return replace(node, shapes=tuple(names.get(one, one) for one in node.shapes))
        return node

    shapes = {names.get(x, x): replace(one, id=names.get(x, x)) for x, one in data.shapes.items()}
    texts = {names.get(x, x): text for x, text in data.shape_names.items()}
    data = replace(data, shapes=FrozenDict(shapes), shape_names=FrozenDict(texts))
    return with_sentences(data, put)


def called_alike(old: Rules, new: Rules) -> Rules:
    """The new ruleset with the ids of the old one for shapes that are defined alike."""
    names = renamed_shapes(old.data, new.data)
    if not names:
        return new
    return type(new)(with_shapes_named(new.data, names), new.options, new.sources)


def with_sentences(data: RulesetData, put: Callable[[Any], Any]) -> RulesetData:
    """A ruleset with something else put in its sentences: `put` gives what stands for each part of
    them, the part itself where that is nothing else."""
    parts = ("options", "events", "terms", "patterns", "total", "settlement", "stakes")
    return replace(data, **{name: _rebuilt(getattr(data, name), put) for name in parts})


def _rebuilt(value: Any, put: Callable[[Any], Any]) -> Any:
    """A value with something else put for some of its parts."""
    if isinstance(value, tuple):
        made = tuple(_rebuilt(one, put) for one in value)
        return made if any(a is not b for a, b in zip(made, value, strict=True)) else value
    if isinstance(value, FrozenDict):
        return FrozenDict({name: _rebuilt(one, put) for name, one in value.items()})
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed = put(value)
    if changed is not value:
        return changed
    parts = {
        each.name: _rebuilt(getattr(value, each.name), put)
        for each in fields(value)
        if each.name not in _LEFT_ALONE
    }
    parts = {name: one for name, one in parts.items() if one is not getattr(value, name)}
    return replace(value, **parts) if parts else value


_LEFT_ALONE = frozenset({"source", "span", "name", "doc", "hits", "misses"})
