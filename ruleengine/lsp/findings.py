"""What `yaku check` finds beyond reading, as far as it can be told while a ruleset is written."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from ruleengine.check.subject import Subject
from ruleengine.check.table import QUICK
from ruleengine.diagnostics import sorted_by_place
from ruleengine.testing.budget import CASE_WORK, Budget
from ruleengine.testing.cases import example_cases
from ruleengine.testing.run import run_cases

if TYPE_CHECKING:
    from ruleengine.diagnostics import Diagnostic
    from ruleengine.ruleset.read import ReadRuleset
    from ruleengine.testing.cases import Case
    from ruleengine.testing.run import Outcome

TYPED_WORK = CASE_WORK // 10
"""Steps to run the examples of one text: it is done at each pause, and the editor waits."""


class OpenSubject(Subject):
    """A ruleset in an editor: its own examples, as many as can be run in a moment."""

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """What became of its own examples."""
        own = [case for case in example_cases(self.data, self.path) if self.owns(case.span)]
        return run_cases(self.rules, own, Budget(TYPED_WORK))

    @cached_property
    def cases(self) -> list[Case]:
        """The examples that were run. Of the others nothing is told here."""
        return [outcome.case for outcome in self.outcomes]


def findings(read: ReadRuleset, path: str) -> list[Diagnostic]:
    """What the quick checks find in a ruleset that could be read, sorted by place."""
    subject = OpenSubject(read, path)
    return sorted_by_place((one for check in QUICK for one in check(subject)), (path,))
