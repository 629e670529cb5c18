"""The names of one ruleset, and its sentences: parsed once, checked when they are used."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, TypeGuard

from ruleengine.diagnostics import Label
from ruleengine.language import meaning as m
from ruleengine.language import tree
from ruleengine.language.check import check_class, check_sentence, is_class
from ruleengine.language.syntax import Problem, SentenceError
from ruleengine.language.template import MAX_ASSIGNMENTS, assignments
from ruleengine.language.vocabulary import FACTS
from ruleengine.ruleset.model import Sentence
from ruleengine.source import ScalarNode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ruleengine.diagnostics import Guesses, Span
    from ruleengine.language.vocabulary import Context
    from ruleengine.ruleset.fields import Fields
    from ruleengine.source import Node
    from ruleengine.syntax_store import SyntaxStore

RESERVED = frozenset(
    (
        *("if", "then", "else", "or", "and", "not", "is", "win", "by", "all", "are", "have"),
        *("every", "has", "some", "no", "hand", "includes", "before", "tiles", "include", "count"),
        *("of", "sum", "ranks", "min", "max", "round_up", "round_down", "true", "false"),
        *("concealed", "claimed", "sequence", "triplet", "kong", "pair", "set", "group", "tile"),
        *("flower", "seat", "sequences", "triplets", "kongs", "pairs", "sets", "groups"),
        *("flowers", "seats", "suits", "kinds", "quads", "waits"),
    )
)
"""The words of the grammar; a test holds them against it."""


MAX_DEPTH = 100
"""Parts of a sentence inside one another, those of the names that it uses included."""
MAX_SIZE = 5000
"""Parts of a sentence, those of the names that it uses included."""

_NAMED = ("options", "events", "terms", "patterns")
_UNKNOWN = {"E201": _NAMED, "E204": _NAMED, "E206": ("shapes",)}
"""Where that stood which a sentence names and which is not there."""
_OF_TILES = frozenset({"pair", "winning_tile", "winning_group"})
"""Subjects of which classes of tiles are said, which terms may name."""
_CONTEXTS: tuple[Context, ...] = ("pattern", "event", "win", "total", "exhausted", "wrong_win")


@dataclass(slots=True, eq=False, repr=False)
class ParsedNames:
    """Knows every name of a ruleset and the sentences behind them.

    A term or pattern is checked when first asked for, in the context that asks; while it is
    being checked, asking for it again is a cycle. Problems go to `fields`, each once. `removed`
    has the places that took inherited paths away, `failed` says that some sentence is in error.
    """

    fields: Fields
    syntax: SyntaxStore
    events: dict[str, None] = field(default_factory=dict)
    options: dict[str, m.Type] = field(default_factory=dict)
    shapes: dict[str, None] = field(default_factory=dict)
    units: dict[str, None] = field(default_factory=dict)
    removed: Mapping[tuple[str, ...], Span] = field(default_factory=dict)
    failed: bool = False
    _broken: set[str] = field(default_factory=set)
    _terms: dict[str, ScalarNode] = field(default_factory=dict)
    _patterns: dict[str, tuple[ScalarNode, Node | None, Node | None]] = field(default_factory=dict)
    _checked: dict[tuple[str, str, Context], m.Meaning | m.TileClass | None] = field(
        default_factory=dict
    )
    _parsed: dict[str, tree.Node | None] = field(default_factory=dict)
    _cyclic: set[str] = field(default_factory=set)
    _homes: dict[Span, ScalarNode] = field(default_factory=dict)
    _measures: dict[int, tuple[int, int, object]] = field(default_factory=dict)
    _reported: set[tuple[int, str]] = field(default_factory=set)
    _told: dict[tuple[str, Context], tuple[Problem, ...]] = field(default_factory=dict)

    @property
    def terms(self) -> Iterable[str]:
        """The names of the terms, and those that are in error where they are defined."""
        return self._terms.keys() | self._broken if self._broken else self._terms

    @property
    def patterns(self) -> Iterable[str]:
        """The ids of the patterns."""
        return self._patterns

    @property
    def guesses(self) -> Guesses:
        """Guesses what unknown names were meant to be."""
        return self.fields.guesses

    def is_free_word(self, word: str) -> bool:
        """Whether a name is not a word of the grammar."""
        return word not in RESERVED and not re.fullmatch(r"[rq][xyw]", word)

    def add_broken(self, name: str) -> None:
        """Make a name known that is in error itself: what uses it is not reported again."""
        known = (self.events, self.options, self._patterns, self._terms)
        if not any(name in names for names in known):
            self._broken.add(name)

    def add_ambiguous(self, name: str) -> None:
        """Make a name mean nothing that two things have: what uses it is not reported."""
        registers: tuple[dict[str, Any], ...] = (
            self.events,
            self.options,
            self._patterns,
            self._terms,
        )
        for register in registers:
            register.pop(name, None)
        self._broken.add(name)

    def has_term(self, name: str) -> bool:
        """Whether a term of this name can be checked."""
        return name in self._terms

    def add_term(self, key: ScalarNode, value: ScalarNode) -> None:
        """Make a term known."""
        self._terms[key.text] = value

    def add_pattern(self, key: ScalarNode, when: Node | None, times: Node | None) -> None:
        """Make a pattern known by its condition (or by how often it counts)."""
        self._patterns[key.text] = (key, when, times)

    # ---- what `check` asks for ------------------------------------------------------

    def term(self, name: str, context: Context) -> m.Meaning | m.TileClass | None:
        """The checked term in a context, None where it is in error."""
        return self._once(("term", name, context), lambda: self._term(name, context))

    def pattern(self, name: str) -> m.Meaning | None:
        """The condition of a pattern, None where it is in error."""
        found = self._once(("pattern", name, "pattern"), lambda: self._pattern(name))
        return found if isinstance(found, m.Meaning) else None

    def _once(
        self, key: tuple[str, str, Context], make: Callable[[], m.Meaning | m.TileClass | None]
    ) -> m.Meaning | m.TileClass | None:
        if key not in self._checked:
            self._checked[key] = None if key[1] in self._cyclic else make()
        return self._checked[key]

    def _term(self, name: str, context: Context) -> m.Meaning | m.TileClass | None:
        parsed = self._parse(name)
        if parsed is None:
            return None
        self._prepare(parsed, context)
        if name in self._cyclic:
            return None
        node = self._terms[name]
        found: m.Meaning | m.TileClass | None
        if self._renames_a_sentence(parsed, context):
            parsed = _as_sentence(parsed)
        if is_class(parsed):
            checked = check_class(parsed, self, context)
            problems = checked.problems
            found = checked.tiles
        else:
            result = check_sentence(parsed, self, context, None)
            problems = result.problems
            found = result.meaning
        self._told[name, context] = tuple(problem for problem in problems if problem.code)
        return found if found is not None and self._bounded(node, found) else None

    def misplaced(self, name: str, context: Context) -> str | None:
        """Why a term that is right elsewhere cannot be used in a context."""
        told = self._told.get((name, context), ())
        if not told or self.checked_term(name) is None:
            return None
        return told[0].message

    def _renames_a_sentence(self, parsed: tree.Node, context: Context) -> TypeGuard[tree.ClassName]:
        """Whether a term is nothing but the name of another, and that one is a sentence."""
        if not isinstance(parsed, tree.ClassName) or parsed.name not in self._terms:
            return False
        return isinstance(self.term(parsed.name, context), m.Meaning)

    def _pattern(self, name: str) -> m.Meaning | None:
        _, when, times = self._patterns[name]
        node = when if when is not None else times
        if not isinstance(node, ScalarNode):
            return None
        if when is not None:
            found = self.sentence(node, "pattern", "truth")
            return found.meaning if found else None
        counted = self.sentence(node, "pattern", "number")
        if counted is None:
            return None
        source = counted.meaning.source
        return m.Compare(source, counted.meaning, ">=", m.Constant(source, 1))

    def _defined(self, name: str, context: Context) -> ScalarNode | None:
        """The text that stands behind the name of a term or pattern."""
        if name in self.events or name in self.options or name in self._broken:
            return None
        if name in self._terms:
            return self._terms[name]
        if context == "pattern" and name in self._patterns:
            _, when, times = self._patterns[name]
            node = when if when is not None else times
            return node if isinstance(node, ScalarNode) else None
        return None

    def _parse(self, name: str) -> tree.Node | None:
        """The syntax tree behind a name, None where it is in error."""
        if name not in self._parsed:
            node = self._defined(name, "pattern")
            found = None
            if node is not None:
                try:
                    found = self.syntax.parse(
                        node.text, "term" if name in self._terms else "sentence"
                    )
                except SentenceError as error:
                    self._report(node, (error.problem,))
            if isinstance(found, tree.ClassName) and self._is_sentence(found.name):
                found = _as_sentence(found)
            self._parsed[name] = found
        return self._parsed[name]

    def _is_sentence(self, name: str) -> bool:
        return any(name in names for names in (self.events, self.options, self._patterns, FACTS))

    def _prepare(self, parsed: tree.Node, context: Context) -> None:
        """Check the names that a sentence uses, the deepest first, and find those that are
        defined by themselves: no chain of names is too long for that."""
        path: dict[str, Iterator[tree.Name | tree.ClassName]] = {"": _names(parsed)}
        while path:
            owner = next(reversed(path))
            use = next(path[owner], None)
            if use is None:
                del path[owner]
                if owner in self._terms:
                    self.term(owner, context)
                elif owner:
                    self.pattern(owner)
            elif isinstance(use, tree.ClassName) and use.name not in self._terms:
                continue
            elif use.name in path:
                names = list(path)
                way = " -> ".join(f"'{n}'" for n in [*names[names.index(use.name) :], use.name])
                message = f"this is defined by itself: {way}"
                self._cyclic.update(names[names.index(use.name) :])
                node = self._defined(owner, context)
                assert node is not None
                self._report(node, (Problem("E209", message, use.start, use.end),))
            elif use.name not in self._cyclic and self._defined(use.name, context) is not None:
                kind = "term" if use.name in self._terms else "pattern"
                if (kind, use.name, context) not in self._checked:
                    inner = self._parse(use.name)
                    if inner is not None:
                        path[use.name] = _names(inner)

    # ---- sentences in their places --------------------------------------------------

    def sentence(self, node: ScalarNode, context: Context, type_: m.Type) -> Sentence | None:
        """Parse and check the sentence of a scalar; problems are reported at their places."""
        try:
            parsed = self.syntax.parse(node.text, "sentence")
        except SentenceError as error:
            self._report(node, (error.problem,))
            return None
        self._prepare(parsed, context)
        checked = check_sentence(parsed, self, context, type_)
        self._report(node, checked.problems)
        if checked.meaning is None or not self._bounded(node, checked.meaning):
            self.failed = True
            return None
        self._homes[node.span] = node
        return Sentence(node.text, checked.meaning, node.span)

    def checked_term(self, name: str) -> m.Meaning | m.TileClass | None:
        """A term by itself: checked as if a pattern used it, or where else it makes sense."""
        for context in _CONTEXTS:
            found = self.term(name, context)
            if found is not None:
                self._homes[self._terms[name].span] = self._terms[name]
                return found
        told = [self._told.get((name, context), ()) for context in _CONTEXTS]
        if told[0]:
            # Where all that it speaks of is known, its mistakes are mistakes everywhere.
            at_home = [one for one in told if one and all(x.code != "E203" for x in one)]
            self._report(self._terms[name], at_home[0] if at_home else told[0])
        return None

    def _bounded(self, node: ScalarNode, value: m.Meaning | m.TileClass) -> bool:
        """Whether a sentence costs no more than it may."""
        if isinstance(value, m.Meaning):
            for template in templates(value):
                count = assignments(template.items)
                if count > MAX_ASSIGNMENTS:
                    source = template.source
                    message = (
                        f"this template stands for {count:,} hands; {MAX_ASSIGNMENTS:,} at most"
                    )
                    self._report(node, (Problem("E210", message, source.start, source.end),))
                    return False
        size, depth, _ = self._measure(value)
        if size <= MAX_SIZE and depth <= MAX_DEPTH:
            return True
        message = f"with the names it uses, this has {size:,} parts; {MAX_SIZE:,} at most"
        if depth > MAX_DEPTH:
            message = (
                f"with the names it uses, this has more than {MAX_DEPTH} parts inside one another"
            )
        self._report(node, (Problem("E211", message, 0, len(node.text)),))
        return False

    def _measure(self, value: object) -> tuple[int, int, object]:
        """How many parts a checked sentence has, how many inside one another, and itself (so
        that its place in memory stays its own)."""
        known = self._measures.get(id(value))
        if known is None:
            parts = [self._measure(part) for part in _parts(value)]
            size = 1 + sum(part[0] for part in parts)
            known = (size, 1 + max((part[1] for part in parts), default=0), value)
            self._measures[id(value)] = known
        return known

    def report_in(self, home: Span, problem: Problem) -> None:
        """Report a mistake in the sentence that stands at a place, or in the term."""
        self._report(self._homes[home], (problem,))

    def _report(self, node: ScalarNode, problems: Iterable[Problem]) -> None:
        for problem in problems:
            if not problem.code:
                continue
            span = node.locate(problem.start, problem.end)
            place = (hash(span), problem.message)
            if place in self._reported:
                continue
            self._reported.add(place)
            labels: tuple[Label, ...] = ()
            word = node.text[problem.start : problem.end]
            for section in _UNKNOWN.get(problem.code, ()):
                if (section, word) in self.removed:
                    labels = (Label(self.removed[section, word], "taken away here"),)
            self.fields.report(problem.code, problem.message, span, problem.help, labels)


def templates(meaning: m.Meaning) -> Iterator[m.Template]:
    """The templates that are written in a sentence itself."""
    pending = [meaning]
    while pending:
        found = pending.pop()
        if isinstance(found, m.Template):
            yield found
        elif not isinstance(found, m.Reference):
            pending += m.children(found)


def _as_sentence(name: tree.ClassName) -> tree.Name:
    return tree.Name(name.start, name.end, name.name)


def _names(parsed: tree.Node) -> Iterator[tree.Name | tree.ClassName]:
    """What may be the names of terms and patterns in a syntax tree, from left to right."""
    found: list[tree.Name | tree.ClassName] = []
    pending: list[object] = [parsed]
    while pending:
        node = pending.pop()
        match node:
            case tree.Name() | tree.ClassName():
                found.append(node)
            case tree.WinBy():
                pass
            case tree.SubjectIs(subject=subject, klass=klass):
                if subject.name in _OF_TILES:
                    pending.append(klass)
            case tree.Quantified(noun=noun, klass=klass):
                if noun.kind != "seat":
                    pending.append(klass)
            case _:
                pending += _parts(node)
    return iter(sorted(found, key=lambda name: name.start))


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in dataclasses.fields(kind) if f.name != "source")


def _parts(node: object) -> list[object]:
    """The parts of a node of either tree."""
    found: list[object] = []
    kind: Any = type(node)
    for name in _field_names(kind):
        value = getattr(node, name)
        if isinstance(value, tuple):
            found += [part for part in value if hasattr(part, "__dataclass_fields__")]
        elif hasattr(value, "__dataclass_fields__"):
            found.append(value)
    return found
