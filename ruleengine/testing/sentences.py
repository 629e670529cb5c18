"""The sentences of a ruleset where they stand, their parts, and their values on a hand.

A *part* is something in a sentence that is true or false by itself. It is known by the sentence
that it stands in, so that what a term says is one thing however often the term is used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.language import meaning as m
from ruleengine.language.interpret import APPLY, CALCULATE, COMPARE, evaluate
from ruleengine.ruleset.model import Sentence, Term
from ruleengine.source import MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ruleengine.diagnostics import Span
    from ruleengine.language.interpret import Scene
    from ruleengine.ruleset.model import RulesetData
    from ruleengine.source import Node

Where = tuple[str, ...]
"""Where a value stands in a ruleset: `("patterns", "all_triplets", "when")`; list items by their
place."""

Key = tuple[Where, int, int]
"""A part: the sentence it stands in, and where its words start and end there."""


@dataclass(frozen=True, slots=True)
class Home:
    """A sentence and where it stands."""

    path: Where
    sentence: Sentence | Term

    @property
    def meaning(self) -> m.Meaning | None:
        """What it says; None for a class of tiles."""
        found = (
            self.sentence.meaning if isinstance(self.sentence, Sentence) else self.sentence.value
        )
        return found if isinstance(found, m.Meaning) else None


def homes(data: RulesetData) -> Iterator[Home]:
    """Every sentence of a ruleset, in the order of the sections."""
    for event in data.events.values():
        if event.needs is not None:
            yield Home(("events", event.id, "needs"), event.needs)
    for term in data.terms.values():
        yield Home(("terms", term.id), term)
    for pattern in data.patterns.values():
        for name, sentence in (("when", pattern.when), ("times", pattern.times)):
            if sentence is not None:
                yield Home(("patterns", pattern.id, name), sentence)
        for unit, award in pattern.awards.items():
            yield Home(("patterns", pattern.id, unit), award)
    for name in ("value", "cap", "limit_from", "empty", "minimum"):
        number = getattr(data.total, name)
        if number is not None:
            yield Home(("total", name), number)
    for ending, lines in data.settlement.items():
        for place, line in enumerate(lines):
            if line.when is not None:
                yield Home(("settlement", ending, str(place), "when"), line.when)
            yield Home(("settlement", ending, str(place), "pays"), line.pays)
    if data.stakes is not None:
        yield Home(("settlement", "stakes", "amount"), data.stakes.amount)


def parts(meaning: m.Meaning, path: Where) -> Iterator[tuple[Key, m.Meaning]]:
    """The parts of a sentence that are true or false, itself included, each before its own parts.

    What is always the same (`true`, an option) and `not` itself are none: the sentence after it
    is. Where the `not` stands inside (`shape is not basic`) the whole is a part.
    """
    pending = [(meaning, path)]
    while pending:
        found, home = pending.pop()
        inner = m.children(found)
        match found:
            case m.Reference(name=name, kind="term", target=target):
                pending.append((target, ("terms", name)))
                continue
            case m.Reference(name=name, target=target):
                # A pattern without `when` stands for "it counts at least once".
                if not _is_made_up(target):
                    pending.append((target, ("patterns", name, "when")))
                continue
            case m.Not(part=part) if part.source is found.source:
                inner = m.children(part)
                yield (home, found.source.start, found.source.end), found
            case m.Not() | m.Constant() | m.Option():
                pass
            case _ if m.type_of(found) == "truth":
                yield (home, found.source.start, found.source.end), found
        pending += [(part, home) for part in reversed(inner)]


def _is_made_up(target: m.Meaning) -> bool:
    return isinstance(target, m.Compare) and target.source is target.left.source


def node_at(root: Node | None, path: Where) -> Node | None:
    """The value at a path of a merged ruleset, None where there is none."""
    found = root
    for name in path:
        if isinstance(found, MappingNode):
            found = found.get(name)
        elif isinstance(found, SequenceNode) and name.isdigit() and int(name) < len(found.items):
            found = found.items[int(name)]
        else:
            return None
    if path[:1] == ("total",) and path[1:] == ("empty",) and isinstance(found, MappingNode):
        return found.get("points")
    return found


def part_span(root: Node | None, home: Home, start: int, end: int) -> Span:
    """The place of a part in its file."""
    node = node_at(root, home.path)
    if isinstance(node, ScalarNode):
        return node.locate(start, end)
    return home.sentence.span


def words(text: str) -> str:
    """A text on one line, with single spaces."""
    return " ".join(text.split())


def part_named(text: str, known: Mapping[str, m.Meaning]) -> m.Meaning | None:
    """The part that a text names, whatever the spaces between its words and signs."""
    wanted = _signs(text)
    return next((part for name, part in known.items() if _signs(name) == wanted), None)


def _signs(text: str) -> list[str]:
    """The words and signs of a sentence."""
    return re.findall(r"\w+|[<>!]=|\S", text)


class Evaluation:
    """The values of sentences on one scene, also as they would be if one part were the opposite."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._leaves: dict[int, tuple[int | bool, m.Meaning]] = {}

    def value(self, meaning: m.Meaning, flipped: m.Meaning | None = None) -> int | bool:
        """The value of a sentence, with the part `flipped` turned into its opposite."""
        if meaning is flipped:
            return not self.value(meaning)
        match meaning:
            case m.Reference(target=target):
                return self.value(target, flipped)
            case m.All(parts=inner):
                return all(self.value(part, flipped) for part in inner)
            case m.Any(parts=inner):
                return any(self.value(part, flipped) for part in inner)
            case m.Not(part=part):
                return not self.value(part, flipped)
            case m.If(test=test, first=first, second=second):
                return self.value(first if self.value(test, flipped) else second, flipped)
            case m.Compare(left=left, sign=sign, right=right):
                return COMPARE[sign](self.value(left, flipped), self.value(right, flipped))
            case m.Calculate(left=left, sign=sign, right=right):
                return CALCULATE[sign](self.value(left, flipped), self.value(right, flipped))
            case m.Apply(function=function, arguments=arguments):
                return APPLY[function](*(self.value(part, flipped) for part in arguments))
        known = self._leaves.get(id(meaning))
        if known is None:
            known = (evaluate(meaning, self.scene), meaning)
            self._leaves[id(meaning)] = known
        return known[0]

    def decides(self, root: m.Meaning, part: m.Meaning) -> bool:
        """Whether a sentence would have another value if the part were the opposite."""
        return self.value(root) != self.value(root, part)


def replaced(root: m.Meaning, part: m.Meaning, value: bool) -> m.Meaning:
    """A sentence with one part taken to be always true, or always false."""
    from dataclasses import fields, replace

    if root is part:
        return m.Constant(root.source, value)
    changed: dict[str, object] = {}
    for field in fields(root):
        given = getattr(root, field.name)
        if isinstance(given, m.Meaning):
            made: object = replaced(given, part, value)
        elif isinstance(given, tuple) and given and all(isinstance(x, m.Meaning) for x in given):
            made = tuple(replaced(x, part, value) for x in given)
            if all(a is b for a, b in zip(made, given, strict=True)):
                made = given
        else:
            continue
        if made is not given:
            changed[field.name] = made
    return replace(root, **changed) if changed else root  # type: ignore[arg-type]
