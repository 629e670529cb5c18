"""What a value of a ruleset says, however it is laid out.

Sentences and terms are taken as their syntax trees: spaces, brackets that change nothing and the
quotes of a number make no difference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruleengine.fmt.layout import Kind, with_units
from ruleengine.fmt.sentences import structure
from ruleengine.source import MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ruleengine.source import Node


def kind_at(path: Iterable[str], units: tuple[str, ...]) -> Kind:
    """What kind of value stands at a path of a ruleset with these units."""
    kind = with_units(units)
    for name in path:
        kind = kind.child(name)
    return kind


def said(node: Node, kind: Kind) -> Any:
    """What a value says, in values that JSON has: equal where two values say the same."""
    if isinstance(node, SequenceNode):
        return [said(item, kind.child(None)) for item in node.items]
    if isinstance(node, MappingNode):
        return {key.text: said(value, kind.child(key.text)) for key, value in node.entries}
    found = structure(node.text, is_term=kind.scalar == "term") if _is_sentence(kind) else None
    return " ".join(node.text.split()) if found is None else found


def say_the_same(left: Node, right: Node, kind: Kind) -> bool:
    """Whether two values of one kind say the same. Elsewhere than in sentences a text is no number,
    though it be written alike."""
    if isinstance(left, ScalarNode) and isinstance(right, ScalarNode):
        alike = _is_sentence(kind) or type(left.value) is type(right.value)
        return alike and said(left, kind) == said(right, kind)
    if isinstance(left, SequenceNode) and isinstance(right, SequenceNode):
        return len(left.items) == len(right.items) and all(
            say_the_same(one, other, kind.child(None))
            for one, other in zip(left.items, right.items, strict=True)
        )
    if isinstance(left, MappingNode) and isinstance(right, MappingNode):
        return len(left.entries) == len(right.entries) and all(
            (other := right.get(key.text)) is not None
            and say_the_same(value, other, kind.child(key.text))
            for key, value in left.entries
        )
    return False


def _is_sentence(kind: Kind) -> bool:
    return kind.scalar in ("sentence", "term")
