"""The names of a ruleset that has been read, for sentences that are being written."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from ruleengine.diagnostics import Guesses
from ruleengine.language import meaning as m
from ruleengine.language import tree
from ruleengine.language.check import check_class, check_sentence
from ruleengine.language.syntax import SentenceError, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.language.vocabulary import Context
    from ruleengine.ruleset.model import RulesetData

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_TRUE = m.Constant(tree.Truth(0, 0, True), True)


class KnownNames:
    """What a sentence of a ruleset may refer to (`language.check.Names`).

    `own` is the id that the sentence belongs to: it and whatever is defined by it are not known,
    since nothing is defined by itself.
    """

    def __init__(self, data: RulesetData | None, own: str | None = None) -> None:
        self._data = data
        self._checked: dict[tuple[str, Context], m.Meaning | m.TileClass | None] = {}
        self.events: Iterable[str] = ()
        self.options: Mapping[str, m.Type] = {}
        self.shapes: Iterable[str] = ()
        self.units: Iterable[str] = ("points",)
        self.terms: Iterable[str] = ()
        self.patterns: Iterable[str] = ()
        if data is None:
            return
        hidden = set() if own is None else _defined_by(data, own)
        self.options = {
            option.id: "truth" if option.type == "bool" else "number"
            for option in data.options.values()
        }
        self.shapes, self.units = tuple(data.shapes), tuple(data.units)
        self.events = _without(data.events, hidden)
        self.terms = _without(data.terms, hidden)
        self.patterns = _without(data.patterns, hidden)

    @cached_property
    def guesses(self) -> Guesses:
        """Guesses nothing: what is tried here is told to nobody."""
        return Guesses(0)

    def term(self, name: str, context: Context) -> m.Meaning | m.TileClass | None:
        """A term in a context, None where it cannot be used there."""
        key = (name, context)
        if key not in self._checked:
            self._checked[key] = self._term(name, context)
        return self._checked[key]

    def _term(self, name: str, context: Context) -> m.Meaning | m.TileClass | None:
        if self._data is None:
            return None
        term = self._data.terms[name]
        try:
            if isinstance(term.value, m.Meaning):
                sentence = parse(term.text, "sentence")
                return check_sentence(sentence, self, context, None).meaning
            return check_class(parse(term.text, "klass"), self, context).tiles
        except SentenceError:
            return None

    def misplaced(self, name: str, context: Context) -> str | None:
        """Why a term cannot be used in a context; None where it can."""
        return None if self.term(name, context) is not None else f"'{name}' cannot be used here"

    def pattern(self, name: str) -> m.Meaning | None:
        """What stands for the condition of a pattern: that it is true or false is all that matters
        to a sentence that names it."""
        return _TRUE


def _without(names: Iterable[str], hidden: set[str]) -> dict[str, None]:
    return dict.fromkeys(name for name in names if name not in hidden)


def _defined_by(data: RulesetData, own: str) -> set[str]:
    """A name, and all that its definition is part of."""
    used: dict[str, set[str]] = {
        term.id: set(_NAME.findall(term.text)) for term in data.terms.values()
    }
    for pattern in data.patterns.values():
        condition = pattern.when or pattern.times
        if condition is not None:
            used[pattern.id] = set(_NAME.findall(condition.text))
    for event in data.events.values():
        if event.needs is not None:
            used[event.id] = set(_NAME.findall(event.needs.text))
    found = {own}
    while True:
        more = {name for name, words in used.items() if name not in found and words & found}
        if not more:
            return found
        found |= more
