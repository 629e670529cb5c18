"""Collects ruleset files under pytest: each example and each case is a test.

Nothing is collected unless a pattern is given, in the configuration of pytest

    [tool.pytest.ini_options]
    yaku_files = ["rulesets/*.yaml"]

or a ruleset file is named on the command line. What a ruleset extends is looked for where the
commands look: in the `folders` of the settings too.
"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.testing.cases import Case
    from ruleengine.testing.run import Runner

PATTERNS = "yaku_files"
_ENDINGS = (".yaml", ".yml")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare which files are rulesets."""
    parser.addini(PATTERNS, "ruleset files whose examples are tests", type="args", default=[])


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a ruleset file that fits a pattern, or is named."""
    if file_path.suffix not in _ENDINGS:
        return None
    named = parent.session.isinitpath(file_path)
    root = parent.config.rootpath
    shown = str(file_path.relative_to(root)) if file_path.is_relative_to(root) else str(file_path)
    if not named and not any(fnmatch(shown, one) for one in parent.config.getini(PATTERNS)):
        return None
    found: pytest.Collector = RulesetFile.from_parent(parent, path=file_path)
    return found


class RulesetFile(pytest.File):
    """One ruleset; what cannot be read at all is one failing test."""

    def collect(self) -> Iterator[pytest.Item]:
        """The examples of the ruleset and its cases."""
        from ruleengine.config import ConfigError, read_config
        from ruleengine.diagnostics import RulesetError
        from ruleengine.loading import rules_of
        from ruleengine.ruleset.read import read_ruleset_file
        from ruleengine.testing.cases import case_files, example_cases, read_cases
        from ruleengine.testing.run import Runner

        try:
            # Where the commands would look for it, started where pytest was.
            folders = read_config(start=self.config.invocation_params.dir).folder_paths
            read = read_ruleset_file(self.path, folders)
        except (ConfigError, RulesetError) as error:
            help_line = f"\n  {error.help}" if isinstance(error, ConfigError) and error.help else ""
            yield BrokenRuleset.from_parent(self, name="ruleset", text=f"{error}{help_line}")
            return
        rules = rules_of(read)
        runner = Runner(rules)
        files = case_files(self.path, rules.id)
        names: dict[str, int] = {}
        for case in [*example_cases(read.data, str(self.path)), *read_cases(files)]:
            times = names[case.name] = names.get(case.name, 0) + 1
            name = case.name if times == 1 else f"{case.name} ({times})"
            yield CaseItem.from_parent(self, name=name, case=case, runner=runner)


class CaseFailure(Exception):
    """A case that does not hold; the text says where and why."""


class CaseItem(pytest.Item):
    """One example or case."""

    def __init__(self, *, case: Case, runner: Runner, **others: object) -> None:
        super().__init__(**others)  # type: ignore[arg-type]
        self.case = case
        self.runner = runner

    def runtest(self) -> None:
        """Score the hand."""
        from ruleengine.testing.budget import OutOfWork

        span = self.case.span
        try:
            outcome = self.runner.run(self.case)
        except OutOfWork:
            told = "not run: with the others it is too much work"
            raise CaseFailure(f"{span.path}:{span.line}: {told}") from None
        if outcome.problem is not None:
            told = f"\n  {self.case.why}" if self.case.why else ""
            raise CaseFailure(f"{span.path}:{span.line}: {outcome.problem}{told}")

    def repr_failure(  # type: ignore[override]
        self, excinfo: pytest.ExceptionInfo[BaseException]
    ) -> object:
        """What is wrong, without a traceback."""
        if isinstance(excinfo.value, CaseFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the case stands."""
        return Path(self.case.span.path), self.case.span.line - 1, self.name


class BrokenRuleset(pytest.Item):
    """A ruleset that cannot be read."""

    def __init__(self, *, text: str, **others: object) -> None:
        super().__init__(**others)  # type: ignore[arg-type]
        self.text = text

    def runtest(self) -> None:
        """Fail with what is wrong with it."""
        raise CaseFailure(self.text)

    def repr_failure(  # type: ignore[override]
        self, excinfo: pytest.ExceptionInfo[BaseException]
    ) -> object:
        """The mistakes with their lines."""
        return str(excinfo.value)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The file."""
        return self.path, 0, self.name
