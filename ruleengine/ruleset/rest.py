"""What of a ruleset in error can be checked: all but the entries that have to do with an error."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ruleengine.ruleset.fields import mapping_of, meant_keys
from ruleengine.ruleset.model import PATTERN_KEYS
from ruleengine.ruleset.read import NAMED, ReadRuleset, read_values
from ruleengine.source import MappingNode, SequenceNode
from ruleengine.syntax_store import SyntaxStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ruleengine.diagnostics import Diagnostic, Span
    from ruleengine.ruleset.model import RulesetData
    from ruleengine.ruleset.read import PartlyRead
    from ruleengine.source import Node

    Entry = tuple[str, ...]

MOST_ERRORS = 200
"""Errors of a ruleset of which the rest is looked at: each is looked for in every entry."""
OF_ALL = frozenset(("E214",))
"""Codes of what all entries come to together: none of them is wrong, and to look at the others is
as much work as was refused."""
_TRIES = 5
"""How often entries are left out: what was left out may be missed elsewhere."""
_SECTIONS = frozenset((*NAMED, "shapes", "interpretations"))
_SAYS_NOTHING = frozenset(("name", "version", "source", "parent_digest", "interpretations"))
"""Keys on which nothing that a hand comes to depends."""
_DROPS_NOTHING = frozenset(PATTERN_KEYS) - {"series", "supersedes", "bonus"}
"""What a pattern may have, besides its awards, that keeps no other one from counting."""


@dataclass(frozen=True, slots=True)
class Rest:
    """A ruleset without the entries that its errors have to do with.

    `lost` has those: each as its section and its name, or as a key of the ruleset that was read as
    far as it goes. Where `is_whole`, nothing but patterns and terms is lost: hands and the
    sentences that are left say what they would. Where `keeps_counting`, no lost pattern could keep
    another from counting.
    """

    read: ReadRuleset
    lost: frozenset[Entry]
    is_whole: bool
    keeps_counting: bool
    _root: MappingNode

    def has_lost(self, span: Span) -> bool:
        """Whether a place is in something that is lost, or was read as far as it goes."""
        return any(
            entry in self.lost or entry[:1] in self.lost for entry in _holders(self._root, span)
        )


def read_rest(error: PartlyRead) -> Rest | None:
    """The rest of a ruleset in error; None where too little is left, where there are more than
    `MOST_ERRORS`, or where all that is there is too much."""
    if error.chain is None or error.chain.node is None:
        return None
    # What could not be merged is not there, and what uses it is told and left out.
    chain = replace(error.chain, strange=())
    assert chain.node is not None
    wrong = [problem for problem in error.problems if problem.severity == "error"]
    store = SyntaxStore.open(chain.sources.values())
    node = chain.node
    lost: set[Entry] = {("patterns", name) for name in error.chain.strange}
    data: RulesetData | None = None
    for turn in range(_TRIES):
        if len(wrong) > MOST_ERRORS or any(problem.code in OF_ALL for problem in wrong):
            return None
        found = {entry for problem in wrong for entry in _entries(node, problem)}
        lost |= found
        inner = {entry for entry in found if len(entry) > 1}
        if turn and not inner:
            break
        node = _without(node, inner)
        data, wrong = read_values(chain, node, store)
    else:
        return None
    if data is None:
        return None
    patterns = [_at(chain.node, entry) for entry in lost if entry[0] == "patterns"]
    return Rest(
        ReadRuleset(data, chain.sources, (), replace(chain, node=node)),
        frozenset(lost),
        all(_is_of_no_account(entry) for entry in lost),
        all(_drops_nothing(pattern, data.units) for pattern in patterns),
        chain.node,
    )


def _entries(root: MappingNode, problem: Diagnostic) -> Iterable[Entry]:
    """The entries of a ruleset in which an error stands, or another place that belongs to it."""
    spans = [problem.span, *(label.span for label in problem.labels)]
    found = [entry for span in spans if span is not None for entry in _holders(root, span)]
    inner = [entry for entry in found if len(entry) > 1]
    if inner:
        return inner
    if problem.code == "E405" and ("patterns",) in found:
        # It was not even merged, and is known as strange.
        return ()
    return found or [("",)]


def _holders(root: MappingNode, span: Span) -> Iterator[Entry]:
    """The key of a ruleset, or the entry of a section, that a place stands in."""
    for key, value in root.entries:
        found = False
        if key.text in _SECTIONS and isinstance(value, MappingNode):
            for name, inner in value.entries:
                if _is_in(span, name.span) or _holds(inner, span):
                    found = True
                    yield key.text, name.text
        if not found and (_is_in(span, key.span) or _holds(value, span)):
            yield (key.text,)


def _holds(node: Node, span: Span) -> bool:
    """Whether a place is in a value, of which parts may stand in other files."""
    if _is_in(span, node.span):
        return True
    if isinstance(node, MappingNode):
        return any(_is_in(span, key.span) or _holds(inner, span) for key, inner in node.entries)
    return isinstance(node, SequenceNode) and any(_holds(item, span) for item in node.items)


def _is_in(span: Span, outer: Span) -> bool:
    start, end = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return span.path == outer.path and start <= (span.line, span.column) <= end


def _without(root: MappingNode, gone: set[Entry]) -> MappingNode:
    """The values of a ruleset without some entries of its sections."""
    sections = {entry[0] for entry in gone}
    return mapping_of(
        (
            (key, _less(key.text, value, gone) if key.text in sections else value)
            for key, value in root.entries
        ),
        root.span,
    )


def _less(section: str, value: Node, gone: set[Entry]) -> Node:
    assert isinstance(value, MappingNode)
    kept = (entry for entry in value.entries if (section, entry[0].text) not in gone)
    return mapping_of(kept, value.span)


def _at(root: MappingNode, entry: Entry) -> Node | None:
    found: Node | None = root
    for name in entry:
        found = found.get(name) if isinstance(found, MappingNode) else None
    return found


def _is_of_no_account(entry: Entry) -> bool:
    # What uses a term that is lost is lost as well.
    return entry[0] in _SAYS_NOTHING or (entry[0] in ("patterns", "terms") and len(entry) > 1)


def _drops_nothing(pattern: Node | None, units: tuple[str, ...]) -> bool:
    """Whether a pattern could keep no other one from counting, however it is mended."""
    if not isinstance(pattern, MappingNode):
        return False
    meanings = meant_keys(pattern, (*units, *PATTERN_KEYS))
    keys = {meanings.get(key.text, key.text) for key, _ in pattern.entries}
    return keys <= _DROPS_NOTHING.union(units)
