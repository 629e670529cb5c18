"""Says what went wrong: one sentence and a help line on stderr, never a traceback."""

from __future__ import annotations

import itertools
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from ruleengine.errors import RuleEngineError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


FORMATS = ("text", "line", "json", "github")
"""How the mistakes of a ruleset can be shown."""
_LAYOUT = ("E601", "E602", "E603")
"""What stands in the way of a layout, and is no mistake of the ruleset."""


class UsageError(RuleEngineError):
    """A command that was called in a way it cannot be."""

    code = "U101"

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


def format_of(arguments: Sequence[str]) -> str:
    """The format of mistakes that a command was called with; anything else than one is text."""
    given = ""
    for word, after in itertools.zip_longest(arguments, arguments[1:], fillvalue=""):
        if word == "--format":
            given = after
        elif word.startswith("--format="):
            given = word.partition("=")[2]
    return given if given in FORMATS else "text"


def report(error: Exception, *, as_json: bool = False, format: str = "text") -> bool:
    """Write an error that is the user's to mend; False for any other.

    With `as_json` the error also goes to stdout, in the form that a wrong record has. So do the
    mistakes of a ruleset in a format other than text: a line each, JSON, or annotations that
    GitHub shows beside a change.
    """
    found = _told(error)
    if found is None:
        return False
    if as_json or format == "json":
        told = {"code": found["code"], "message": found["message"]}
        told |= {key: found[key] for key in ("help", "diagnostics") if found.get(key)}
        print(json.dumps({"error": told}, ensure_ascii=not _is_unicode(sys.stdout)))
    if format in ("line", "github"):
        for line in _in_lines(error, found, format):
            print(line)
    elif found.get("text"):
        tell(found["text"])
    tell(f"yaku: {found['message']}")
    if found.get("help"):
        tell(f"  help: {found['help']}")
    return True


def _in_lines(error: Any, found: dict[str, Any], format: str) -> Iterator[str]:
    from ruleengine.diagnostics import Diagnostic, render_line
    from ruleengine.faces.annotation import annotation

    if "diagnostics" in found:
        write = annotation if format == "github" else render_line
        yield from map(write, error.diagnostics)
    elif format == "github":
        yield annotation(Diagnostic(found["code"], found["message"], None, help=found.get("help")))


def report_bug(error: Exception) -> None:
    """Write that the program itself is wrong."""
    if os.environ.get("YAKU_DEBUG"):
        import traceback

        traceback.print_exception(error)
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    tell(f"yaku: a mistake in yaku itself stopped it ({what})")
    tell("  help: please report it with the command; YAKU_DEBUG=1 shows where it happened")


def tell(text: str) -> None:
    """Write a line to stderr, if anybody can still read it."""
    try:
        print(text, file=sys.stderr)
    except (BrokenPipeError, ValueError):
        return


def close_output() -> None:
    """Turn stdout away from a pipe that nobody reads, so that Python can end in peace."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        return


def counted(number: int, one: str) -> str:
    """A number with its noun: `1 mistake`, `2 mistakes`."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def _told(error: Exception) -> dict[str, Any] | None:
    if not isinstance(error, RuleEngineError):
        if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
            name = f"{error.filename}: " if error.filename is not None else ""
            message = f"{name}{(error.strerror or str(error)).lower()}"
            return {"code": "U102", "message": message}
        return None
    diagnostics = getattr(error, "diagnostics", None)
    if diagnostics is not None:
        from ruleengine.diagnostics import to_json

        # The file that was asked for, though the mistake may stand in one that it extends.
        path = next(iter(getattr(error, "sources", {})), "") or next(
            (d.span.path for d in diagnostics if d.span), "the ruleset"
        )
        wrong = sum(d.severity == "error" for d in diagnostics)
        message = f"{path} cannot be used: {counted(wrong, 'mistake')}"
        if all(d.code in _LAYOUT for d in diagnostics):
            message = f"{path} stays as it is: {counted(wrong, 'place')} that cannot be laid out"
        return {
            "code": "R100",
            "message": message,
            "text": str(error),
            "diagnostics": [to_json(diagnostic) for diagnostic in diagnostics],
        }
    return {
        "code": getattr(error, "code", "U100"),
        "message": getattr(error, "message", str(error)),
        "help": getattr(error, "help", None),
    }


def _is_unicode(stream: Any) -> bool:
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "").startswith("utf")
