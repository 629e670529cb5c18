"""How much work it is to run a case: an estimate in steps of a budget, by what there is in the
ruleset and not by the clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ruleengine.language.template import assignments
from ruleengine.ruleset.names import templates
from ruleengine.testing.sentences import homes

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Pattern
    from ruleengine.testing.cases import Case

SCORING = 150
"""Steps to score one hand, besides its patterns."""
LETTER = 10
"""Steps to compile one letter of a sentence, for other options or for another kind of wins."""
DROPPED = 28
"""Patterns in `supersedes` that are looked at in one step."""
DROPPING = 20
"""Steps to compile that one pattern drops another."""
PLACING = 5
"""Steps for one way to put values for the letters of a template."""


class Effort:
    """What it takes to run cases under one ruleset. Options and kinds of wins that came up before
    are compiled already, so the order of the cases matters."""

    def __init__(self, rules: Rules) -> None:
        data = rules.data
        patterns = data.patterns.values()
        self.letters = sum(len(home.sentence.text) for home in homes(data))
        dropped = sum(len(pattern.supersedes) for pattern in patterns)
        self._compiling = LETTER * self.letters + sum(map(work_of_templates, patterns))
        self._compiling += DROPPING * dropped
        self._hand = SCORING + len(data.patterns) * len(data.shapes) // 2 + dropped // DROPPED
        self._compiled: set[Hashable] = {""}

    @property
    def weighing(self) -> int:
        """Steps to look at every pattern of a hand with reasons."""
        return self.letters

    def scoring(self, case: Case) -> int:
        """Steps to score the hands of a case."""
        return sum(self.hand(record) for record in _records(case))

    def hand(self, record: Mapping[str, object]) -> int:
        """Steps to score one record."""
        options = repr(record["options"]) if record.get("options") else ""
        text = str(record.get("hand", ""))
        by, melds = str(record.get("by")), "[" in text or "(" in text
        return self.kind(by, melds, bool(record.get("events")), options)

    def kind(self, by: str, melds: bool, events: bool, options: str = "") -> int:
        """Steps to score one hand of a kind of wins."""
        found = self._hand
        for one in (options, (options, by, melds, events)):
            if one not in self._compiled:
                self._compiled.add(one)
                found += self._compiling
        return found


def _records(case: Case) -> Iterator[Mapping[str, object]]:
    yield case.record
    wins = case.record.get("wins")
    for win in wins if isinstance(wins, list) else ():
        if isinstance(win, Mapping):
            yield win


def work_of_templates(pattern: Pattern) -> int:
    """Steps to put all values for the letters of the templates of a pattern."""
    return PLACING * sum(
        assignments(template.items)
        for sentence in pattern.sentences
        for template in templates(sentence.meaning)
    )
