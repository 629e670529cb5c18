"""Tests one ruleset file: runs its cases, and measures them where that is asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ruleengine.loading import rules_of
from ruleengine.ruleset.read import read_ruleset_file
from ruleengine.testing.cases import case_files, example_cases, read_cases
from ruleengine.testing.coverage import ASPECTS, CoveredPart, cover
from ruleengine.testing.equivalents import equivalent_file, read_explained, sort_out
from ruleengine.testing.mutants import Trial
from ruleengine.testing.mutants import mutants as all_mutants
from ruleengine.testing.run import run_cases
from ruleengine.testing.sentences import part_span, parts, replaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ruleengine.diagnostics import Span
    from ruleengine.language import meaning as m
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import RulesetData
    from ruleengine.ruleset.read import ReadRuleset
    from ruleengine.testing.cases import Case
    from ruleengine.testing.equivalents import Sorted
    from ruleengine.testing.run import Outcome
    from ruleengine.testing.sentences import Key


@dataclass(frozen=True, slots=True)
class Examined:
    """What became of one ruleset: its cases, and, where asked for, coverage and mutants.

    `untried` are the cases that were too much work to run, after all others. `places` has the
    place of each part in `covered`, `unseen` says how many cases were too much work to look at for
    coverage.
    """

    id: str
    path: str
    outcomes: tuple[Outcome, ...]
    untried: tuple[Case, ...] = ()
    covered: tuple[CoveredPart, ...] | None = None
    places: tuple[Span, ...] = ()
    unseen: int = 0
    mutants: Sorted | None = None
    explained_in: str | None = None

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The cases that do not hold."""
        return tuple(outcome for outcome in self.outcomes if not outcome.passed)

    @property
    def reached(self) -> tuple[int, int]:
        """How many aspects of parts were seen, of how many that are not impossible."""
        covered = self.covered or ()
        seen = sum(len(part.seen) for part in covered)
        return seen, seen + sum(len(part.missing) for part in covered)

    @property
    def coverage(self) -> float:
        """The share of aspects that were seen, in per cent; 100 where there is none."""
        seen, whole = self.reached
        return 100 * seen / whole if whole else 100.0

    @property
    def is_whole(self) -> bool:
        """Whether all cases were run, and all that was asked for was measured in full."""
        stopped = self.mutants is not None and self.mutants.stopped is not None
        return not self.untried and not self.unseen and not stopped

    def passed(self, threshold: float | None) -> bool:
        """Whether all cases hold, and what was measured is whole and not below a threshold."""
        if not self.is_whole:
            return False
        if self.failed or (self.mutants is not None and self.mutants.idle):
            return False
        if threshold is None:
            return True
        enough = self.covered is None or self.coverage >= threshold
        return enough and (self.mutants is None or self.mutants.score >= threshold)


def examine(
    path: Path,
    folders: tuple[Path, ...] = (),
    more_cases: Iterable[Path] = (),
    options: Callable[[RulesetData], Mapping[str, int | bool]] = lambda data: {},
    *,
    coverage: bool = False,
    mutants: bool = False,
) -> Examined:
    """Test a ruleset file. Raises `RulesetError` where it cannot be read.

    Its cases are its examples, those of its case files (found by convention) and of
    `more_cases`; `options` gives the values that options have.
    """
    read = read_ruleset_file(path, folders)
    rules = rules_of(read, options(read.data))
    files = dict.fromkeys([*case_files(path, rules.id), *more_cases])
    cases = [*example_cases(read.data, str(path)), *read_cases(files)]
    outcomes = run_cases(rules, cases)
    found = Examined(rules.id, str(path), tuple(outcomes), tuple(cases[len(outcomes) :]))
    if coverage:
        # A variant answers for the lines of its own file.
        seen = cover(rules, outcomes)
        own = [part for part in seen.parts() if _place(read, part).path == str(path)]
        covered = _with_proofs(rules, own)
        places = tuple(_place(read, part) for part in covered)
        found = replace(found, covered=tuple(covered), places=places, unseen=seen.unseen)
    if mutants:
        found = _tried(found, read, rules, outcomes)
    return found


def _tried(
    found: Examined, read: ReadRuleset, rules: Rules, outcomes: Sequence[Outcome]
) -> Examined:
    file = equivalent_file(Path(found.path), rules.id)
    entries = read_explained(file) if file is not None else []
    trial = Trial(read, rules, outcomes)
    tried = list(trial.run(all_mutants(read)))
    named = None if file is None else str(file)
    return replace(found, mutants=sort_out(tried, entries, trial.stopped), explained_in=named)


def _place(read: ReadRuleset, part: CoveredPart) -> Span:
    assert read.chain is not None
    return part_span(read.chain.node, part.home, part.start, part.end)


def _with_proofs(rules: Rules, covered: list[CoveredPart]) -> list[CoveredPart]:
    """The parts with what is proved to be impossible about those that were not fully seen."""
    open_ = [part for part in covered if part.missing]
    if not open_:
        return covered
    from ruleengine.check.worlds import Worlds

    asked: list[tuple[CoveredPart, str, m.Meaning]] = []
    for part in open_:
        if part.home.path[0] in ("events", "total") or part.home.meaning is None:
            continue
        key: Key = (part.home.path, part.start, part.end)
        inside = next((p for k, p in parts(part.home.meaning, part.home.path) if k == key), None)
        if inside is not None:
            asked += [(part, aspect, _question(part, inside, aspect)) for aspect in part.missing]
    answers = Worlds(rules).decide([question for _, _, question in asked])
    never: dict[int, set[str]] = {}
    for (part, aspect, _), answer in zip(asked, answers, strict=True):
        if answer.never:
            never.setdefault(id(part), set()).add(aspect)
    return [replace(part, impossible=frozenset(never.get(id(part), ()))) for part in covered]


def _question(part: CoveredPart, inside: m.Meaning, aspect: str) -> m.Meaning:
    """A sentence that is true where the part is seen as something."""
    from ruleengine.language import meaning as m

    assert aspect in ASPECTS
    if aspect == "true":
        return inside
    if aspect == "false":
        return m.Not(inside.source, inside)
    root = part.home.meaning
    assert root is not None
    one, other = replaced(root, inside, True), replaced(root, inside, False)
    if m.type_of(root) == "number":
        return m.Compare(root.source, one, "!=", other)
    both = m.All(root.source, (one, m.Not(root.source, other)))
    neither = m.All(root.source, (m.Not(root.source, one), other))
    return m.Any(root.source, (both, neither))
