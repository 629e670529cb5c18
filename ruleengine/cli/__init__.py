"""The command `yaku`: reads what was asked, lets the engine work, hands the findings to a face.

One module a command. Nothing here knows a rule, and nothing heavy is imported before it is used.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FINE, FINDINGS, WRONG = 0, 1, 2
"""Exit statuses: fine; not a win or a record in error; wrong usage or unreadable input."""
_STOPPED, _PIPE_CLOSED = 130, 141
_GARBAGE = 100_000
"""New objects between two searches for garbage: a command makes many that stay and few circles."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    from ruleengine.cli.failure import close_output, format_of, report, report_bug

    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        gc.set_threshold(_GARBAGE)
    _prepare_streams()
    try:
        from ruleengine.cli.app import run

        status = run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _STOPPED
    except BrokenPipeError:
        close_output()
        return _PIPE_CLOSED
    except Exception as error:
        try:
            if not report(error, as_json="--json" in arguments, format=format_of(arguments)):
                report_bug(error)
            sys.stdout.flush()
        except BrokenPipeError:
            close_output()
        return WRONG
    return status


def _prepare_streams() -> None:
    """Let no character and no closed stream stop a command."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # Closed by the caller. It stays open for as long as the process runs.
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
