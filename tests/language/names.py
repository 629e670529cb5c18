"""The names of a small made-up ruleset, and its sentences checked for the tests of the language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleengine.diagnostics import Guesses
from ruleengine.language.check import check_class, check_sentence, is_class
from ruleengine.language.syntax import parse, parses

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.language import meaning as m
    from ruleengine.language.syntax import Problem
    from ruleengine.language.vocabulary import Context


@dataclass
class SmallNames:
    """A few names of each kind; the texts of terms and patterns are checked when asked for."""

    events: tuple[str, ...] = ("last_tile", "ready_hand")
    options: Mapping[str, m.Type] = field(
        default_factory=lambda: {"minimum": "number", "open_win": "truth"}
    )
    shapes: tuple[str, ...] = ("basic", "seven_pairs", "orphans")
    units: tuple[str, ...] = ("points",)
    terms: Mapping[str, str] = field(
        default_factory=lambda: {
            "value": "dragon | seat_wind",
            "plain": "count sequences = 4",
            "kong_points": "8 * count kongs",
            "wrong": "count triplets of dragn = 3",
        }
    )
    patterns: Mapping[str, str] = field(
        default_factory=lambda: {"all_triplets": "count triplets = 4", "broken": "dealer and"}
    )

    guesses: Guesses = field(default_factory=Guesses)

    def term(self, name: str, context: Context) -> m.Meaning | m.TileClass | None:
        """The checked term; None for `wrong`."""
        text = self.terms[name]
        if parses(text, "klass"):
            node = parse(text, "klass")
            assert is_class(node)
            return check_class(node, self, context).tiles
        return check_sentence(parse(text), self, context, None).meaning

    def misplaced(self, name: str, context: Context) -> str | None:
        """Why a term cannot be used in a context; None for `wrong`."""
        if name == "wrong" or self.term(name, context) is not None:
            return None
        problem = check_sentence(parse(self.terms[name]), self, context, None).problems[0]
        return problem.message

    def pattern(self, name: str) -> m.Meaning | None:
        """The checked condition; None for `broken`."""
        if name == "broken":
            return None
        return check_sentence(parse(self.patterns[name]), self, "pattern", "truth").meaning


NAMES = SmallNames()


def problems_of(
    text: str, context: Context = "pattern", expected: m.Type | None = "truth"
) -> tuple[Problem, ...]:
    """What is wrong with a sentence, mistakes of a name it uses left out."""
    checked = check_sentence(parse(text), NAMES, context, expected)
    assert (checked.meaning is None) == bool(checked.problems)
    return tuple(problem for problem in checked.problems if problem.code)


def meaning_of(
    text: str, context: Context = "pattern", expected: m.Type | None = None
) -> m.Meaning:
    """The checked tree of a right sentence."""
    checked = check_sentence(parse(text), NAMES, context, expected)
    assert checked.meaning is not None, checked.problems
    return checked.meaning
