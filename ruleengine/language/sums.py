"""Long sums and products, split so that what stands beside one another is not deep.

The parser reads `a + b + c` as `(a + b) + c`, one part inside the other. Whole numbers may be added
in any order, so a long one is read as the sum of its halves, each of which stands in the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Tree

MOST_IN_A_ROW = 8
"""Parts of a sum or product that are read one after the other; longer ones are split."""

_CHAINS = {"plus": ("plus", "minus"), "minus": ("plus", "minus"), "multiply": ("multiply",)}
"""What is read from left to right together with a kind of calculation."""

_Link = tuple[str, "Tree[Any]"]
"""A part of a sum or product, and how it is joined to what stands before it."""


def evened(parsed: Tree[Any]) -> Tree[Any]:
    """A parsed sentence of the same meaning with its long sums and products split at the '+' or '*'
    nearest to the middle. What stands after a '-' stays with what is before it: `a - b - c` is no
    `a - (b - c)`. The trees that were given are changed."""
    from lark import Tree

    whole: Tree[Any] = Tree("whole", [parsed])
    pending = [whole]
    while pending:
        node = pending.pop()
        for at, child in enumerate(node.children):
            if not isinstance(child, Tree):
                continue
            links = _links(child)
            if len(links) > MOST_IN_A_ROW:
                # Only brackets can hold the next long sum, and those are counted before.
                made = _joined([(how, evened(link)) for how, link in links])
                # The brackets around it are known to the tree that the parser made.
                node.children[at] = Tree(made.data, made.children, child.meta)
            else:
                pending.append(child)
    found: Tree[Any] = whole.children[0]
    return found


def _links(parsed: Tree[Any]) -> list[_Link]:
    """The parts of a sum or product from left to right; nothing for anything else."""
    kinds = _CHAINS.get(str(parsed.data), ())
    found: list[_Link] = []
    while str(parsed.data) in kinds and (not found or not _in_brackets(parsed)):
        left, right = parsed.children
        found.append((str(parsed.data), right))
        parsed = left
    return [("", parsed), *reversed(found)] if found else []


def _in_brackets(parsed: Tree[Any]) -> bool:
    meta: Any = parsed.meta
    return bool(meta.container_start_pos != meta.start_pos)


def _joined(links: list[_Link]) -> Tree[Any]:
    """A sum or product of some parts, of which the first stands alone."""
    middle = len(links) // 2
    splits = [at for at in range(1, len(links)) if links[at][0] != "minus"]
    if len(links) > MOST_IN_A_ROW and splits:
        at = min(splits, key=lambda place: abs(place - middle))
        how, first = links[at]
        return _pair(how, _joined(links[:at]), _joined([("", first), *links[at + 1 :]]))
    found = links[0][1]
    for how, link in links[1:]:
        found = _pair(how, found, link)
    return found


def _pair(how: str, left: Tree[Any], right: Tree[Any]) -> Tree[Any]:
    from lark import Tree
    from lark.tree import Meta

    first: Any = left.meta
    last: Any = right.meta
    meta: Any = Meta()  # type: ignore[no-untyped-call]
    meta.empty = False
    meta.start_pos = meta.container_start_pos = first.container_start_pos
    meta.end_pos = meta.container_end_pos = last.container_end_pos
    return Tree(how, [left, right], meta)
