"""A mistake or finding as an annotation of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import TITLES

if TYPE_CHECKING:
    from ruleengine.diagnostics import Diagnostic

_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}
"""What GitHub calls the levels."""


def annotation(finding: Diagnostic) -> str:
    """A finding as a workflow command of GitHub."""
    span = finding.span
    title = TITLES.get(finding.code, "")
    given: list[tuple[str, object]] = []
    if span is not None:
        given = [("file", span.path), ("line", span.line), ("endLine", span.end_line)]
        given += [("col", span.column), ("endColumn", span.end_column)]
    given.append(("title", f"{finding.code}: {title}" if title else finding.code))
    fields = ",".join(f"{name}={_property(str(value))}" for name, value in given)
    text = finding.message + (f" ({finding.help})" if finding.help else "")
    return f"::{_LEVELS[finding.severity]} {fields}::{_data(text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
