"""Follows `extends` from a ruleset to its parents, and lays them over one another."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ruleengine.diagnostics import Label, RulesetError, source_lines, suggest
from ruleengine.errors import quote
from ruleengine.kept import Kept
from ruleengine.ruleset.extend import MAX_CHAIN, Extension
from ruleengine.ruleset.find import is_id, which_ruleset
from ruleengine.source import MAX_BYTES, MappingNode, ScalarNode, read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ruleengine.diagnostics import Diagnostic, Span
    from ruleengine.ruleset.fields import Fields
    from ruleengine.ruleset.find import Library
    from ruleengine.source import Node

MOST_BROKEN = 5
"""Inherited lines that one problem lists."""
_NO_LONGER_FITS = "this inherited line no longer fits"
FORMAT = 1
"""The format of ruleset files that this engine reads."""
_PARENTS: Kept[tuple[str, str], Node] = Kept(MAX_BYTES)
"""The values of files that others extend, by path and text; they weigh what their texts do."""


@dataclass(slots=True, eq=False, repr=False)
class Chain:
    """A ruleset with all that it extends.

    `sources` has the text of every file, the one asked for first; `node` is the merged ruleset,
    None where a parent is missing; `removed`, `strange` and `same` are those of `Extension`.
    `layers` has the id and the values of every file, the one asked for first.
    """

    sources: dict[str, str]
    node: MappingNode | None = None
    removed: Mapping[tuple[str, ...], Span] = field(default_factory=dict)
    strange: Iterable[str] = ()
    same: frozenset[Span] = frozenset()
    layers: tuple[tuple[str, MappingNode], ...] = ()
    _extends: Label | None = None
    _replaced: Iterable[tuple[Span, Span]] = ()
    _changed: Iterable[tuple[str, Span, Span]] = ()
    _told: set[Span] = field(default_factory=set)

    def of_parents(self) -> Chain | None:
        """The same without the file asked for; None where that extends nothing."""
        if len(self.layers) < 2:
            return None
        chain = Chain(dict(list(self.sources.items())[1:]), layers=self.layers[1:])
        _merge(chain)
        return chain

    def placed(
        self,
        problems: Iterable[Diagnostic],
        of_parents: Callable[[], Iterable[Diagnostic]] = tuple,
    ) -> list[Diagnostic]:
        """Problems as the author of the file asked for is told of them.

        What a line of that file breaks in an inherited one stands at that line, once, with the
        inherited lines as further places. What is wrong with the parents without that file, which
        `of_parents` gives, stays where it is. Where a value replaces one, its first place is told.
        """
        problems = tuple(problems)
        noted = [(problem, self._cause(problem)) for problem in map(self._with_note, problems)]
        if self._extends is not None and any(cause is not None for _, cause in noted):
            theirs = {(one.code, one.message, one.span) for one in of_parents()}
            for at, problem in enumerate(problems):
                if (problem.code, problem.message, problem.span) in theirs:
                    stays = replace(problem, labels=(*problem.labels, self._extends))
                    noted[at] = (stays, None)
        found = [problem for problem, cause in noted if cause is None]
        broken = {
            problem.span: at
            for at, problem in enumerate(found)
            if problem.span is not None and problem.severity == "error"
        }
        for problem, cause in noted:
            if cause is None or problem.span is None:
                continue
            if cause not in broken:
                broken[cause] = len(found)
                label = Label(problem.span, _NO_LONGER_FITS)
                # What would mend the inherited line is no help to who may not touch it.
                found.append(replace(problem, span=cause, labels=(label,), help=None))
            else:
                first = found[broken[cause]]
                if len(first.labels) < MOST_BROKEN:
                    says = [label.text for label in first.labels]
                    words = "nor does this one" if _NO_LONGER_FITS in says else _NO_LONGER_FITS
                    if problem.message != first.message:
                        words += f": {problem.message}"
                    labels = (*first.labels, Label(problem.span, words))
                    found[broken[cause]] = replace(first, labels=labels)
        return found

    def _cause(self, problem: Diagnostic) -> Span | None:
        """The place in the file asked for that breaks an inherited line."""
        if problem.span is None or problem.span.path == self._home:
            return None
        for label in problem.labels:
            if label.span.path == self._home and label is not self._extends:
                return label.span
        return None

    @property
    def _home(self) -> str:
        return next(iter(self.sources))

    def _with_note(self, problem: Diagnostic) -> Diagnostic:
        """A problem with the other places that it has to do with: where a value that replaces
        one was first defined; of an inherited line, what changes it or who extends it."""
        at = problem.span
        if self._extends is None or at is None:
            return problem
        labels = list(problem.labels)
        for inside, first in self._replaced:
            told = first in self._told or any(label.span.path == first.path for label in labels)
            if _holds(inside, at) and not told:
                self._told.add(first)
                labels.append(Label(first, "first defined here"))
        home = self._home
        if at.path != home and not any(label.span.path == home for label in labels):
            words = self._words(at)
            over = [
                here
                for name, there, here in self._changed
                if here.path == home and (name in words or _holds(there, at))
            ]
            labels.append(Label(over[0], "overridden here") if over else self._extends)
        return replace(problem, labels=tuple(labels))

    def _words(self, span: Span) -> list[str]:
        """The words of a stretch of a file, those of its first line where it has several."""
        lines = source_lines(self.sources.get(span.path, ""))
        line = lines[span.line - 1] if span.line <= len(lines) else ""
        end = span.end_column - 1 if span.end_line == span.line else len(line)
        return re.findall(r"\w+", line[span.column - 1 : end])


def _holds(outer: Span, inner: Span) -> bool:
    """Whether one stretch of a file starts inside another."""
    return outer.path == inner.path and (outer.line, outer.column) <= (
        inner.line,
        inner.column,
    ) <= (outer.end_line, outer.end_column)


def read_chain(root: Node, path: str, text: str, fields: Fields, library: Library) -> Chain:
    """Read what a ruleset extends, and that what it extends, ..., and merge them all.

    Raises `RulesetError` for a parent that is not even YAML; other problems go to `fields`.
    """
    chain = Chain({path: text})
    node = fields.mapping(root, "a ruleset")
    if node is None or not _readable(node, fields):
        return chain
    nodes, ids = [node], [_text_of(node.get("id")) or path]
    known: Mapping[str, str] = {}
    while (extends := _extends(nodes[-1])) is not None:
        known = known or library.ids()
        name = fields.text(extends, "'extends'")
        if name is None or not _is_new(name, extends.span, ids, known, fields):
            return chain
        if chain._extends is None:
            chain._extends = Label(extends.span, f"{ids[0]} extends {name}")
        parent = _read_parent(known[name], library, chain, fields)
        if parent is None:
            return chain
        nodes.append(parent)
        ids.append(name)
    taken = nodes[-1].key("remove")
    if taken is not None:
        message = "only a ruleset that extends another one can remove something"
        fields.report("E404", message, taken.span)
    chain.layers = tuple(zip(ids, nodes, strict=True))
    fields.problems += _of_merging(_merge(chain), chain)
    assert chain.node is not None
    fields.gone |= _gone(chain.node, chain.removed)
    return chain


def _merge(chain: Chain) -> list[Diagnostic]:
    """Lay the files of a chain over one another. Returns what was wrong with that."""
    extension = Extension()
    _, merged = chain.layers[-1]
    above = list(zip(chain.layers[:-1], chain.layers[1:], strict=True))
    for (_, child), (parent_id, _) in reversed(above):
        merged = extension.merge(merged, child, parent_id)
    chain.node, chain.removed, chain.strange = merged, extension.removed, extension.strange
    chain.same = frozenset(extension.same)
    chain._replaced, chain._changed = extension.replaced, extension.changed
    return extension.problems


def _of_merging(problems: Iterable[Diagnostic], chain: Chain) -> Iterator[Diagnostic]:
    """What was wrong with laying files over one another, for the author of the file asked for.

    No line of that file has to do with how one of its parents changes another: a change there that
    changes nothing is told when that parent is checked, and a mistake stays where it is.
    """
    for problem in problems:
        if problem.span is None or problem.span.path == chain._home or chain._extends is None:
            yield problem
        elif problem.severity == "error":
            yield replace(problem, labels=(*problem.labels, chain._extends))


def _gone(
    node: MappingNode, removed: Mapping[tuple[str, ...], Span]
) -> dict[tuple[Span, str], Span]:
    """Where keys were taken away that a merged ruleset now lacks, by the place of the mapping."""
    found: dict[tuple[Span, str], Span] = {}
    for path, item in removed.items():
        holder: Node | None = node
        for name in path[:-1]:
            holder = holder.get(name) if isinstance(holder, MappingNode) else None
        if isinstance(holder, MappingNode) and holder.get(path[-1]) is None:
            found[holder.span, path[-1]] = item
    return found


def _is_new(name: str, at: Span, ids: list[str], known: Mapping[str, str], fields: Fields) -> bool:
    """Whether a ruleset that is to be extended is there, and not one that extends this one."""
    if name in ids:
        way = " -> ".join([*ids[ids.index(name) :], name])
        fields.report("E402", f"these rulesets extend one another: {way}", at)
    elif len(ids) > MAX_CHAIN:
        fields.report("E402", f"more than {MAX_CHAIN} rulesets extend one another", at)
    elif name not in known:
        stem = name.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".yaml")
        meant = suggest(name, known) or (stem if stem in known else None)
        help_line = f"did you mean '{meant}'?" if meant else which_ruleset(name, known)
        if meant is None and not is_id(name):
            help_line = "a ruleset is named by its id, not by its file"
        fields.report("E401", f"there is no ruleset {quote(name)} to extend", at, help_line)
    else:
        return True
    return False


def _read_parent(path: str, library: Library, chain: Chain, fields: Fields) -> MappingNode | None:
    try:
        text = library.text(path)
        root = _values_of(text, path)
    except RulesetError as error:
        noted = chain.placed(error.diagnostics)
        raise RulesetError([*fields.problems, *noted], {**chain.sources, **error.sources}) from None
    chain.sources[path] = text
    node = fields.mapping(root, "a ruleset")
    return node if node is not None and _readable(node, fields) else None


def _values_of(text: str, path: str) -> Node:
    """The values of a file that others extend. Raises `RulesetError` as `read_yaml` does."""
    found = _PARENTS.get((path, text))
    if found is None:
        found = read_yaml(text, path)
        _PARENTS.keep((path, text), found, len(text))
    return found


def _readable(node: MappingNode, fields: Fields) -> bool:
    """Whether a file is of the format that this engine reads; a missing one is found later."""
    given = node.get("format")
    number = fields.number(given, "'format'")
    if given is None or number in (None, FORMAT):
        return True
    message = f"this engine reads format {FORMAT}, not {number}"
    fields.report("E306", message, given.span)
    return False


def _extends(node: MappingNode) -> Node | None:
    """What a ruleset extends, also where the key is misspelt; that is reported later."""
    for key, value in node.entries:
        if suggest(key.text, ("extends",)) is not None and node.get("extends") is None:
            return value
    return node.get("extends")


def _text_of(node: Node | None) -> str | None:
    return node.text if isinstance(node, ScalarNode) else None
