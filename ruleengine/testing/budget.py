"""Bounds how much work goes into the cases of a ruleset and into what they are worth.

Work is counted in steps of about a microsecond, by what there is to do and not by the clock: the
same ruleset comes to the same end on any machine. The shipped rulesets need half of it at most.
"""

from __future__ import annotations

from dataclasses import dataclass

CASE_WORK = 1_500_000
"""Steps to run the cases of one ruleset."""
BOOK_WORK = 1_500_000
"""Steps to score the examples of one ruleset that a book draws."""
SUGGESTION_WORK = 15_000_000
"""Steps to look for a hit and a miss of one pattern."""
COVERAGE_WORK = 2_000_000
"""Steps for the coverage of one ruleset."""
MUTANT_WORK = 20_000_000
"""Steps for the mutants of one ruleset."""

A_STEP = 1_000
"""Operations on columns of hands that one step stands for."""


class OutOfWork(Exception):
    """All steps of a budget are spent: what was being done is not finished."""


@dataclass(slots=True)
class Budget:
    """So many steps, and how many of them are spent."""

    steps: int
    spent: int = 0

    @property
    def left(self) -> int:
        """The steps that are not spent."""
        return self.steps - self.spent

    def spend(self, steps: int) -> None:
        """Count steps before they are made. Raises `OutOfWork` where there are no more."""
        if steps > self.left:
            raise OutOfWork
        self.spent += steps
