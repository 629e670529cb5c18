"""Checks ruleset files: reads each, runs every check, gathers what was found."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ruleengine.check.subject import Subject
from ruleengine.check.table import CHECKS, OF_ANY_REST, OF_PATTERNS, OF_WHOLE_HANDS
from ruleengine.diagnostics import RulesetError, sorted_by_place
from ruleengine.ruleset.read import PartlyRead, read_ruleset_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ruleengine.diagnostics import Diagnostic, Severity


@dataclass(slots=True)
class Report:
    """What was found in some files and in what they extend, sorted by place, and the texts.

    `subjects` are the rulesets that could be read, `unreadable` the files that are no rulesets.
    """

    findings: list[Diagnostic] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)
    subjects: list[Subject] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)

    def count(self, severity: Severity) -> int:
        """How many findings of a level there are."""
        return sum(finding.severity == severity for finding in self.findings)


def check_files(paths: Iterable[Path], folders: tuple[Path, ...] = ()) -> Report:
    """Check files. A finding that two files share, such as one of a parent, stands once."""
    paths = tuple(paths)
    report = Report()
    found: dict[Diagnostic, None] = {}
    for path in paths:
        for finding in _check_file(path, folders, report):
            found.setdefault(finding)
    report.findings = sorted_by_place(found, {str(path) for path in paths})
    return report


def _check_file(path: Path, folders: tuple[Path, ...], report: Report) -> list[Diagnostic]:
    try:
        read = read_ruleset_file(path, folders)
    except RulesetError as error:
        report.sources |= error.sources
        report.unreadable.append(str(path))
        if str(path) not in report.sources and path.is_file():
            report.sources[str(path)] = path.read_text(encoding="utf-8", errors="replace")
        rest = _check_rest(error, path, folders) if isinstance(error, PartlyRead) else ()
        return [*error.diagnostics, *rest]
    report.sources |= read.sources
    subject = Subject(read, str(path), folders)
    report.subjects.append(subject)
    found = [one for one in read.warnings if one.span is None or subject.owns(one.span)]
    for check in CHECKS:
        found += check(subject)
    return _without_vain_help(found)


def _without_vain_help(found: list[Diagnostic]) -> list[Diagnostic]:
    """Findings without the advice to look for examples of a pattern that no hand counts."""
    impossible = {one.span for one in found if one.code == "E501"}
    return [
        replace(one, help=None) if one.code == "W505" and one.span in impossible else one
        for one in found
    ]


def _check_rest(error: PartlyRead, path: Path, folders: tuple[Path, ...]) -> Iterator[Diagnostic]:
    """What is found in a ruleset in error and stays so once the errors are mended."""
    from ruleengine.ruleset.rest import read_rest

    rest = read_rest(error)
    if rest is None:
        return
    unread = frozenset(entry[1] for entry in rest.lost if entry[0] == "patterns" and entry[1:])
    subject = Subject(rest.read, str(path), folders, unread)
    checks = OF_ANY_REST
    if rest.is_whole:
        checks += OF_WHOLE_HANDS
        if rest.keeps_counting:
            checks += OF_PATTERNS
    for check in checks:
        for finding in check(subject):
            if finding.span is not None and not rest.has_lost(finding.span):
                yield finding
