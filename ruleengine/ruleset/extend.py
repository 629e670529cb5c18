"""Puts a variant on top of the ruleset that it extends.

Mappings merge key by key, everything else replaces, and a top-level `remove:` lists dotted
paths to take out of the parent first: that sentence is the whole rule.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic, Guesses, Label, Span
from ruleengine.errors import quote
from ruleengine.ruleset.fields import mapping_of, meant_keys
from ruleengine.ruleset.model import INTERPRETATION_KEYS, OPTION_KEYS, PATTERN_KEYS
from ruleengine.source import MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ruleengine.diagnostics import Severity
    from ruleengine.source import Node

    Path = tuple[str, ...]

MAX_CHAIN = 8
"""How many rulesets may extend one another."""
OWN_KEYS = frozenset({"format", "id", "extends", "parent_digest", "remove"})
"""Keys that a variant does not take from its parent."""

_WHOLE: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "options": ("option", ("type", "default"), OPTION_KEYS),
    "patterns": ("pattern", ("points", "when"), PATTERN_KEYS),
    "interpretations": ("interpretation", INTERPRETATION_KEYS, INTERPRETATION_KEYS),
}
"""What an entry of a section is, what a new one needs, and what may stand in it: an entry with
less can only change one of the parent."""


_MAPPINGS = frozenset(
    ("tiles", "options", "events", "shapes", "terms", "patterns", "total", "liability")
) | {"settlement", "interpretations"}
"""The keys of a ruleset under which nothing but a mapping can stand."""


_BRACKETS = str.maketrans("", "", "()")


@dataclass(slots=True, eq=False, repr=False)
class Extension:
    """Lays variants over their parents, and remembers what was wrong with that.

    `removed` has for each path that was taken away, and for all that stood in it, the place in a
    `remove:` list, `strange` the names that were to be changed although no parent has them.
    `replaced` has each value that replaces one,
    with the place of that one, `changed` each thing of a parent of which a variant changes a
    part, with the place where it does, `same` the places of the keys whose values say what the
    parent says.
    """

    problems: list[Diagnostic] = field(default_factory=list)
    removed: dict[Path, Span] = field(default_factory=dict)
    strange: set[str] = field(default_factory=set)
    replaced: list[tuple[Span, Span]] = field(default_factory=list)
    changed: list[tuple[str, Span, Span]] = field(default_factory=list)
    same: set[Span] = field(default_factory=set)
    guesses: Guesses = field(default_factory=Guesses)

    def merge(self, parent: MappingNode, child: MappingNode, parent_id: str) -> MappingNode:
        """A variant laid over its parent, named `parent_id` in messages."""
        inherited = mapping_of(
            (entry for entry in parent.entries if entry[0].text not in OWN_KEYS), parent.span
        )
        taken: dict[Path, Span] = {}
        for item in _listed(child.get("remove"), self):
            path = tuple(item.text.split("."))
            inherited = self._remove(inherited, item, path, 0, parent_id, taken)
        self.removed |= taken
        own = mapping_of((e for e in child.entries if e[0].text != "remove"), child.span)
        own = self._without_strange(inherited, own, parent_id, taken)
        return self._merge(inherited, own, parent_id, units_of(parent, child))

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        help_line: str | None = None,
        labels: tuple[Label, ...] = (),
        severity: Severity = "error",
    ) -> None:
        """Note a problem at a place."""
        self.problems.append(Diagnostic(code, message, span, severity, labels, help_line))

    def _without_strange(
        self, parent: MappingNode, child: MappingNode, parent_id: str, taken: Mapping[Path, Span]
    ) -> MappingNode:
        """The variant without what could only change something that the parent does not have."""
        kept: list[tuple[ScalarNode, Node]] = []
        units = units_of(parent, child)
        for key, section in child.entries:
            if key.text not in _WHOLE or not isinstance(section, MappingNode):
                kept.append((key, section))
                continue
            there = parent.get(key.text)
            known = [k.text for k, _ in there.entries] if isinstance(there, MappingNode) else []
            entries: list[tuple[ScalarNode, Node]] = []
            emptied = taken.get((key.text,))
            orphans: list[tuple[ScalarNode, list[str]]] = []
            for name, value in section.entries:
                missing: list[str] = []
                has_strange_keys = False
                if name.text not in known and isinstance(value, MappingNode):
                    missing, has_strange_keys = _missing(key.text, value, units)
                gone = taken.get((key.text, name.text))
                meant = self.guesses.suggest(name.text, known) if missing and not gone else None
                if missing and gone and gone is emptied and not has_strange_keys:
                    orphans.append((name, missing))
                elif missing and (meant or not has_strange_keys):
                    what = _WHOLE[key.text][0]
                    self._report_strange(what, name, missing, meant, parent_id, gone)
                else:
                    entries.append((name, value))
            if orphans and emptied:
                self._report_orphans(key.text, orphans, parent_id, emptied)
            if entries or not section.entries:
                kept.append((key, mapping_of(entries, section.span)))
        return mapping_of(kept, child.span)

    def _report_strange(
        self,
        what: str,
        name: ScalarNode,
        missing: list[str],
        meant: str | None,
        parent_id: str,
        gone: Span | None,
    ) -> None:
        wanted = " and ".join(f"'{key}'" for key in missing)
        help_line = f"did you mean '{meant}'?" if meant else f"a new {what} needs {wanted}"
        message = f"there is no {what} {quote(name.text)} in {parent_id} to change"
        labels: tuple[Label, ...] = ()
        if gone is not None:
            message = (
                f"the {what} {quote(name.text)} of {parent_id} is taken away, so it is new here"
            )
            labels = (Label(gone, "taken away here"),)
        self.report("E405", message, name.span, help_line, labels)
        self.strange.add(name.text)

    def _report_orphans(
        self,
        section: str,
        orphans: list[tuple[ScalarNode, list[str]]],
        parent_id: str,
        emptied: Span,
    ) -> None:
        """One mistake for all changes of entries of a section that is taken away."""
        what, needed, _ = _WHOLE[section]
        first, missing = orphans[0]
        if len(orphans) == 1:
            self._report_strange(what, first, missing, None, parent_id, emptied)
            return
        more = len(orphans) - 1
        named = f"{quote(first.text)} and {more} other{'s' if more > 1 else ''}"
        message = f"all {what}s of {parent_id} are taken away, so {named} are new here"
        lacking = {key for _, keys in orphans for key in keys}
        wanted = " and ".join(f"'{key}'" for key in needed if key in lacking)
        labels = (Label(emptied, "taken away here"),)
        self.report("E405", message, first.span, f"a new {what} needs {wanted}", labels)
        self.strange |= {name.text for name, _ in orphans}

    def _merge(
        self,
        parent: MappingNode,
        child: MappingNode,
        parent_id: str,
        units: tuple[str, ...],
        path: Path = (),
    ) -> MappingNode:
        entries: list[tuple[ScalarNode, Node]] = []
        for key, value in parent.entries:
            over = child.get(key.text)
            own_key = child.key(key.text)
            if over is None or own_key is None:
                entries.append((key, value))
                continue
            if not path and key.text in _MAPPINGS and not isinstance(over, MappingNode):
                # What is inherited stays, or all that uses its names would be told as well.
                message = f"'{key.text}' is written as 'name: value' lines"
                self.report("E301", message, over.span)
                self.replaced.append((over.span, key.span))
                entries.append((key, value))
                continue
            if len(path) == 1:
                self.changed.append((key.text, value.span, own_key.span))
            if isinstance(value, MappingNode) and isinstance(over, MappingNode):
                if not over.entries:
                    message = f"nothing stands here, so all stays as {parent_id} says"
                    self.report("E406", message, own_key.span, severity="warning")
                inner = self._merge(value, over, parent_id, units, (*path, key.text))
                entries.append((own_key, inner))
            else:
                at, end = own_key.span, over.span
                whole = Span(at.path, at.line, at.column, end.end_line, end.end_column)
                self.replaced.append((whole, key.span))
                entries.append((own_key, over))
                if _same(value, over, (*path, key.text), units):
                    self.same.add(own_key.span)
                    message = f"{parent_id} says the same here, so this changes nothing"
                    self.report("E406", message, own_key.span, severity="warning")
        entries += [entry for entry in child.entries if parent.key(entry[0].text) is None]
        return mapping_of(entries, child.span)

    def _remove(
        self,
        node: MappingNode,
        item: ScalarNode,
        path: Path,
        at: int,
        parent_id: str,
        taken: dict[Path, Span],
    ) -> MappingNode:
        head, there = path[at], path[: at + 1]
        value = node.get(head)
        if there in taken:
            message = f"{quote('.'.join(there))} is taken away already"
            self.report(
                "E403", message, item.span, labels=(Label(taken[there], "taken away here"),)
            )
            return node
        if at == 0 and head in OWN_KEYS:
            message = f"{quote(head)} is not inherited, so it cannot be removed"
            self.report("E403", message, item.span)
            return node
        if value is None:
            meant = self.guesses.suggest(head, (key.text for key, _ in node.entries))
            whole = ".".join([*path[:at], meant, *path[at + 1 :]]) if meant else None
            help_line = f"did you mean '{whole}'?" if whole else None
            message = f"there is no {quote(item.text)} in {parent_id} to remove"
            self.report("E403", message, item.span, help_line)
            return node
        if there == path:
            taken.update(dict.fromkeys(_paths(there, value), item.span))
            return mapping_of((e for e in node.entries if e[0].text != head), node.span)
        if not isinstance(value, MappingNode):
            message = f"{quote('.'.join(there))} in {parent_id} has no parts that could be removed"
            help_line = f"to write it anew, put '{path[at]}' into this ruleset"
            self.report("E403", message, item.span, help_line)
            return node
        inner = self._remove(value, item, path, at + 1, parent_id, taken)
        return mapping_of(((k, inner if k.text == head else v) for k, v in node.entries), node.span)


def _paths(path: Path, value: Node) -> Iterator[Path]:
    """The path of a value, and of all that stands in it."""
    yield path
    if isinstance(value, MappingNode):
        for key, inner in value.entries:
            yield from _paths((*path, key.text), inner)


def units_of(parent: MappingNode, child: MappingNode) -> tuple[str, ...]:
    """The units in which a variant of a ruleset counts."""
    return _units(child.get("units") or parent.get("units"))


def _units(node: Node | None) -> tuple[str, ...]:
    if isinstance(node, SequenceNode):
        return tuple(item.text for item in node.items if isinstance(item, ScalarNode))
    return ("points",)


def _missing(section: str, entry: MappingNode, units: tuple[str, ...]) -> tuple[list[str], bool]:
    """What an entry lacks to be a new one, and whether it has keys that may be just that; what is
    surely misspelt is there."""
    _, needed, allowed = _WHOLE[section]
    if section == "patterns":
        allowed = (*units, *allowed)
    meanings = meant_keys(entry, allowed)
    given = {meanings.get(key.text) or key.text for key, _ in entry.entries}
    if "times" in given:
        given.add("when")
    if given.intersection(units):
        given.add("points")
    return [key for key in needed if key not in given], None in meanings.values()


def _listed(removals: Node | None, extension: Extension) -> Iterable[ScalarNode]:
    if removals is None:
        return
    message = "'remove' is a list of paths such as patterns.one_kong"
    if not isinstance(removals, SequenceNode):
        extension.report("E404", message, removals.span)
        return
    for item in removals.items:
        if isinstance(item, ScalarNode) and isinstance(item.value, str) and item.text:
            yield item
        else:
            extension.report("E404", message, item.span)


def _same(left: Node, right: Node, path: Path, units: tuple[str, ...]) -> bool:
    """Whether two values that stand at a path say the same, however they are laid out."""
    if not _could_be_same(left, right):
        return False
    # Only then are sentences read for it.
    from ruleengine.ruleset.said import kind_at, say_the_same

    return say_the_same(left, right, kind_at(path, units))


def _could_be_same(left: Node, right: Node) -> bool:
    """Whether two values have the same letters, so that they may say the same."""
    if isinstance(left, ScalarNode) and isinstance(right, ScalarNode):
        return _letters(left.text) == _letters(right.text)
    if isinstance(left, SequenceNode) and isinstance(right, SequenceNode):
        return len(left.items) == len(right.items) and all(
            map(_could_be_same, left.items, right.items)
        )
    if isinstance(left, MappingNode) and isinstance(right, MappingNode):
        return len(left.entries) == len(right.entries) and all(
            (other := right.get(key.text)) is not None and _could_be_same(value, other)
            for key, value in left.entries
        )
    return False


def _letters(text: str) -> str:
    return "".join(text.translate(_BRACKETS).split())
