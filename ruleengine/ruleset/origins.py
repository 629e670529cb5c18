"""Says of every value of a ruleset which file set it, and what it replaced there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.ruleset.extend import OWN_KEYS
from ruleengine.source import MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.diagnostics import Span
    from ruleengine.ruleset.chain import Chain
    from ruleengine.source import Node


@dataclass(frozen=True, slots=True)
class Step:
    """A place where a ruleset sets a value; without `value`, where it takes one away."""

    ruleset: str
    span: Span
    value: Node | None


@dataclass(frozen=True, slots=True)
class Origin:
    """A value by its dotted path, with the places that set it, from the oldest to the one that
    counts. Where the last step takes it away, the ruleset does not have it."""

    path: str
    steps: tuple[Step, ...]

    @property
    def is_there(self) -> bool:
        """Whether the ruleset has the value."""
        return self.steps[-1].value is not None


@dataclass(frozen=True, slots=True)
class _Layer:
    """What one file has at a path: a value, or the place that takes away the older ones."""

    ruleset: str
    rank: int
    span: Span
    value: Node | None


def origins(chain: Chain) -> list[Origin]:
    """Every value of a ruleset: texts, numbers and lists, in the order of the merged ruleset, and
    then what was taken away. Lists are one value, since a variant replaces them whole."""
    if chain.node is None:
        return []
    oldest_first = list(reversed(chain.layers))
    removals = [
        (rank, path, item)
        for rank, (_, node) in enumerate(oldest_first)
        for path, item in _removed(node)
    ]
    layers = [_Layer(name, rank, node.span, node) for rank, (name, node) in enumerate(oldest_first)]
    walker = _Walker(removals, [name for name, _ in oldest_first])
    found = list(walker.walk(chain.node, (), layers))
    there = {origin.path for origin in found}
    for rank, path, item in removals:
        text = ".".join(path)
        if any(one == text or one.startswith(f"{text}.") for one in there):
            continue
        older = [step for step in _steps_at(path, layers[:rank]) if step.value is not None]
        if older:
            gone = Step(oldest_first[rank][0], item.span, None)
            found.append(Origin(text, (*older, gone)))
            there.add(text)
    return found


class _Walker:
    def __init__(
        self, removals: list[tuple[int, tuple[str, ...], ScalarNode]], names: list[str]
    ) -> None:
        self.removals: dict[tuple[str, ...], list[tuple[int, ScalarNode]]] = {}
        for rank, path, item in removals:
            self.removals.setdefault(path, []).append((rank, item))
        self.names = names
        self.newest = len(names) - 1

    def walk(self, node: Node, path: tuple[str, ...], layers: list[_Layer]) -> Iterator[Origin]:
        """The values in a merged value; `layers` is what the files have there, oldest first."""
        if not isinstance(node, MappingNode) or not node.entries:
            steps = tuple(Step(layer.ruleset, layer.span, layer.value) for layer in layers)
            yield Origin(".".join(path), steps)
            return
        whole = [at for at, layer in enumerate(layers) if not isinstance(layer.value, MappingNode)]
        merged = layers[whole[-1] + 1 :] if whole else layers
        for key, value in node.entries:
            inner = (*path, key.text)
            yield from self.walk(value, inner, self._at(inner, merged))

    def _at(self, path: tuple[str, ...], layers: list[_Layer]) -> list[_Layer]:
        """What the files have at a path of which `layers` has the level above."""
        taken = list(self.removals.get(path, ()))
        found: list[_Layer] = []
        for layer in layers:
            assert isinstance(layer.value, MappingNode)
            if len(path) == 1 and path[0] in OWN_KEYS and layer.rank < self.newest:
                continue
            value, key = layer.value.get(path[-1]), layer.value.key(path[-1])
            if value is None or key is None:
                continue
            while taken and taken[0][0] <= layer.rank:
                rank, item = taken.pop(0)
                if found:
                    found.append(_Layer(self.names[rank], rank, item.span, None))
            found.append(_Layer(layer.ruleset, layer.rank, key.span, value))
        return found


def _removed(node: MappingNode) -> Iterator[tuple[tuple[str, ...], ScalarNode]]:
    items = node.get("remove")
    for item in items.items if isinstance(items, SequenceNode) else ():
        if isinstance(item, ScalarNode):
            yield tuple(item.text.split(".")), item


def _steps_at(path: tuple[str, ...], layers: list[_Layer]) -> Iterator[Step]:
    for layer in layers:
        value: Node | None = layer.value
        span = layer.span
        for name in path:
            key = value.key(name) if isinstance(value, MappingNode) else None
            value = value.get(name) if isinstance(value, MappingNode) else None
            span = key.span if key is not None else span
        if value is not None:
            yield Step(layer.ruleset, span, value)
