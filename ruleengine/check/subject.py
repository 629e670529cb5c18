"""What a check looks at: a ruleset that was read, with what is known about it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ruleengine.loading import rules_of
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_parents
from ruleengine.testing.cases import case_files, example_cases, read_cases
from ruleengine.testing.coverage import cover
from ruleengine.testing.run import run_cases

if TYPE_CHECKING:
    from ruleengine.check.worlds import Worlds
    from ruleengine.diagnostics import Span
    from ruleengine.ruleset.model import RulesetData
    from ruleengine.ruleset.read import ReadRuleset
    from ruleengine.source import MappingNode
    from ruleengine.testing.cases import Case
    from ruleengine.testing.coverage import Coverage
    from ruleengine.testing.run import Outcome


class Subject:
    """One ruleset file under check. A finding belongs to it only where it stands in it.

    `unread` has the patterns that could not be read.
    """

    def __init__(
        self,
        read: ReadRuleset,
        path: str,
        folders: tuple[Path, ...] = (),
        unread: frozenset[str] = frozenset(),
    ) -> None:
        self.read = read
        self.path = path
        self.folders = folders
        self.unread = unread

    @property
    def data(self) -> RulesetData:
        """What the ruleset says."""
        return self.read.data

    @property
    def root(self) -> MappingNode:
        """The values that it was read from, laid over those of its parents."""
        assert self.read.chain is not None
        assert self.read.chain.node is not None
        return self.read.chain.node

    def owns(self, span: Span | None) -> bool:
        """Whether a place is in the file itself."""
        return span is not None and span.path == self.path

    @cached_property
    def rules(self) -> Rules:
        """The ruleset with its default options."""
        return rules_of(self.read)

    @cached_property
    def cases(self) -> list[Case]:
        """Its examples and cases, the inherited ones last: its own come first where not all can
        be run."""
        files = case_files(Path(self.path), self.data.id)
        found = [*example_cases(self.data, self.path), *read_cases(files)]
        return sorted(found, key=lambda case: not case.own)

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """What became of its examples and cases; the last ones may be too much work."""
        return run_cases(self.rules, self.cases)

    @cached_property
    def coverage(self) -> Coverage:
        """What its examples and cases show true, and false."""
        return cover(self.rules, self.outcomes, ("true", "false"))

    @cached_property
    def worlds(self) -> Worlds:
        """All hands there are."""
        return _worlds_of(self.rules)

    @cached_property
    def counted(self) -> frozenset[str]:
        """The patterns that some case counts."""
        results = (one.result for one in self.outcomes if one.result is not None)
        return frozenset(counted.id for result in results for counted in result.patterns)

    @cached_property
    def parent_worlds(self) -> Worlds | None:
        """All hands there are under what it extends, by itself; None where that is nothing, or in
        error."""
        data, problems = (None, []) if self.read.chain is None else read_parents(self.read.chain)
        wrong = any(problem.severity == "error" for problem in problems)
        return None if data is None or wrong else _worlds_of(Rules(data))


def _worlds_of(rules: Rules) -> Worlds:
    from ruleengine.check.worlds import Worlds

    return Worlds(rules)
