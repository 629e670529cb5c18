"""Findings of a check, as text, as lines, as JSON, and as annotations of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import render_line, render_text, to_json
from ruleengine.faces.annotation import annotation

if TYPE_CHECKING:
    from ruleengine.check.run import Report
    from ruleengine.cli.session import Session


SHOWN = 100
"""How many findings are printed as text; the other formats have all."""


def show(report: Report, format: str, session: Session) -> None:
    """Print all findings in a format."""
    if format == "json":
        session.print_json(
            {
                "findings": [to_json(finding) for finding in report.findings],
                "errors": report.count("error"),
                "warnings": report.count("warning"),
                "notes": report.count("note"),
            }
        )
    elif format == "github":
        for finding in report.findings:
            print(annotation(finding))
    elif format == "line":
        for finding in report.findings:
            print(render_line(finding))
    else:
        if report.findings:
            print(render_text(report.findings, report.sources, limit=SHOWN))
        print(summary(report))


def summary(report: Report) -> str:
    """What was found, in a line."""
    files = len(report.subjects) + len(report.unreadable)
    return (
        f"{_counted(files, 'file')}: {_counted(report.count('error'), 'error')}, "
        f"{_counted(report.count('warning'), 'warning')}, {_counted(report.count('note'), 'note')}"
    )


def _counted(number: int, one: str) -> str:
    return f"{number or 'no'} {one}{'' if number == 1 else 's'}"


def show_costs(report: Report, session: Session, *, as_json: bool) -> None:
    """Print what each sentence costs, dearest first."""
    from ruleengine.check.cost import costs

    found = [cost for subject in report.subjects for cost in costs(subject)]
    found.sort(key=lambda cost: (-cost.operations, cost.span.path, cost.span.line))
    if as_json:
        session.print_json(
            [
                {
                    "at": cost.at, "file": cost.span.path, "line": cost.span.line,
                    "operations": cost.operations, "part": cost.part,
                    "part_operations": cost.part_operations,
                }
                for cost in found
            ]
        )  # fmt: skip
        return
    for cost in found:
        whole = cost.part_operations == cost.operations
        part = "" if whole else f"  ({cost.part_operations} for '{cost.part}')"
        place = f"{cost.span.path}:{cost.span.line}"
        print(f"{cost.operations:6}  {place}: {cost.at}{part}")


def show_digests(report: Report) -> None:
    """Print the line with the digest of what each variant changes."""
    from ruleengine.check.overrides import digest

    for subject in report.subjects:
        found = digest(subject)
        if found is not None:
            print(f'{subject.path}: parent_digest: "{found}"')
