"""A ruleset as it stands in an editor: what is at a place of its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ruleengine.diagnostics import RulesetError, Span, sorted_by_place, source_lines
from ruleengine.lsp.rest import read_rest
from ruleengine.ruleset.find import Folders
from ruleengine.ruleset.read import ReadRuleset, read_ruleset_from, read_ruleset_values
from ruleengine.ruleset.seen import SeenLibrary
from ruleengine.source import MappingNode, ScalarNode, read_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.diagnostics import Diagnostic
    from ruleengine.ruleset.model import RulesetData
    from ruleengine.source import Node

_EXTENDS = re.compile(r"""^extends:[ ]*["']?([a-z0-9][a-z0-9._-]*)""", re.M)
_RULESET = re.compile(
    r"ruleset\.schema\.json|^(?:format|extends|patterns|shapes|settlement)[ ]*:", re.M
)
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*|[1-9]+[mpszfxyw]")


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a document: the keys that lead to it, and the scalar there, if any.

    `on_key` says that the place is on the last key itself. `offset` counts into the text of
    the scalar.
    """

    keys: tuple[str, ...]
    scalar: ScalarNode | None
    on_key: bool
    offset: int

    @property
    def word(self) -> str | None:
        """The word at the place."""
        found = self.word_range
        if self.scalar is None or found is None:
            return None
        return self.scalar.text[found[0] : found[1]]

    @property
    def word_range(self) -> tuple[int, int] | None:
        """Where the word at the place begins and ends in the text of the scalar."""
        if self.scalar is None:
            return None
        for match in _WORD.finditer(self.scalar.text):
            if match.start() <= self.offset <= match.end():
                return match.span()
        return None


class Document:
    """One text of an editor, read as far as it can be.

    `data` is the ruleset, without what is wrong in it, else as it last could be read, else what it
    extends: while a sentence is being written, the names are still known. `sources` are the texts
    of its files.
    """

    def __init__(
        self,
        text: str,
        path: str,
        folders: tuple[Path, ...] = (),
        earlier: Document | None = None,
    ) -> None:
        self.text = text
        self.path = path
        self.lines = source_lines(text)
        self.problems: tuple[Diagnostic, ...] = ()
        self.sources: Mapping[str, str] = {path: text}
        self.read: ReadRuleset | None = None
        self.root: Node | None = None
        library = self._library = SeenLibrary(Folders((*folders, Path(path).parent)))
        known: ReadRuleset | None = None
        try:
            self.root = read_yaml(text, path)
            known = self.read = read_ruleset_values(self.root, path, text, library)
            self.problems = self.read.warnings
            self.sources = self.read.sources
        except RulesetError as error:
            self.problems = error.diagnostics if _RULESET.search(text) else ()
            self.sources = error.sources
            if self.root is not None and self.problems:
                known = read_rest(self.root, path, text, library, self.problems)
        if known is None and earlier is not None and earlier.known is not None:
            known = earlier.known
        elif known is None:
            known = self._parent()
        self.known: ReadRuleset | None = known
        self.data: RulesetData | None = None if known is None else known.data

    def _parent(self) -> ReadRuleset | None:
        """What a ruleset that cannot be read extends, where that can be."""
        found = _EXTENDS.search(self.text)
        path = self._library.ids().get(found.group(1)) if found else None
        if path is None or path == self.path:
            return None
        try:
            return read_ruleset_from(self._library, self._library.text(path), path)
        except RulesetError:
            return None

    @property
    def is_current(self) -> bool:
        """Whether the files that it extends are still as they were read, and no other ruleset has
        come or gone that it might extend."""
        return self._library.is_as_it_was

    @cached_property
    def findings(self) -> tuple[Diagnostic, ...]:
        """All that is told of it: its mistakes; where it has none what the quick checks find."""
        if self.read is None:
            return self.problems
        from ruleengine.lsp.findings import findings

        own = (one for one in self.problems if one.span is None or one.span.path == self.path)
        return tuple(sorted_by_place([*own, *findings(self.read, self.path)], (self.path,)))

    def place(self, line: int, column: int) -> Place:
        """What is at a line and column, both from 1, columns in characters."""
        found = Place((), None, False, 0)
        if self.root is not None:
            found = _find(self.root, (), line, column) or found
        return found

    def span_of(self, *keys: str) -> Span | None:
        """Where the key at the end of a path of keys stands in this document."""
        return None if self.root is None else span_of(self.root, *keys)


def span_of(root: Node, *keys: str) -> Span | None:
    """Where the key at the end of a path of keys stands."""
    node: Node | None = root
    key: ScalarNode | None = None
    for name in keys:
        if not isinstance(node, MappingNode):
            return None
        key = node.key(name)
        node = node.get(name)
    return None if key is None else key.span


def _find(node: Node, keys: tuple[str, ...], line: int, column: int) -> Place | None:
    if isinstance(node, ScalarNode):
        if _holds(node.span, line, column):
            return Place(keys, node, False, node.offset(line, column))
        return None
    if isinstance(node, MappingNode):
        for key, value in node.entries:
            path = (*keys, key.text)
            if _holds(key.span, line, column):
                return Place(path, key, True, column - key.span.column)
            found = _find(value, path, line, column)
            if found is not None:
                return found
        return None
    for item in node.items:
        found = _find(item, keys, line, column)
        if found is not None:
            return found
    return None


def _holds(span: Span, line: int, column: int) -> bool:
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)
