"""A ruleset with all that it extends as one file, and its values in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruleengine.diagnostics import source_lines
from ruleengine.fmt.things import Comment, put_in_order, read_things
from ruleengine.fmt.write import flow, write
from ruleengine.ruleset.extend import OWN_KEYS
from ruleengine.ruleset.fields import mapping_of
from ruleengine.source import MappingNode, ScalarNode

if TYPE_CHECKING:
    from ruleengine.ruleset.chain import Chain
    from ruleengine.source import Node

_DROPPED = OWN_KEYS - {"format", "id"}


def effective_node(chain: Chain) -> MappingNode:
    """The merged values of a ruleset, without what ties it to the one it extends."""
    assert chain.node is not None
    kept = (entry for entry in chain.node.entries if entry[0].text not in _DROPPED)
    return mapping_of(kept, chain.node.span)


def effective_text(chain: Chain) -> str:
    """A file in canonical layout that says by itself all that a ruleset says with what it
    extends. It has no comments, but for one that names the rulesets it comes from."""
    sources = {path: source_lines(text) for path, text in chain.sources.items()}
    root = read_things(effective_node(chain), sources)
    put_in_order(root)
    own, *others = (name for name, _ in chain.layers)
    note = f"# {own} with what it inherits from {', '.join(others)}"
    return write(root, [Comment(note, False, (0, 0))] if others else [])


def line_of(node: Node, chain: Chain) -> str:
    """A value on one line, as YAML in brackets where it is a list."""
    if isinstance(node, ScalarNode):
        return " ".join(node.text.split())
    sources = {path: source_lines(text) for path, text in chain.sources.items()}
    return flow(node, sources) or "..."


def plain_value(node: Node) -> Any:
    """A value as Python has it."""
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, MappingNode):
        return {key.text: plain_value(value) for key, value in node.entries}
    return [plain_value(item) for item in node.items]
