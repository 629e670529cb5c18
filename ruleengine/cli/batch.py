"""`yaku batch`: scores a file of hand records, one at a time.

A wrong record gives an error record and never stops the batch. A file to write to is first
written under another name in its folder and moved when it is whole.
"""

from __future__ import annotations

import json as jsonlib
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruleengine.cli import FINDINGS, FINE, options
from ruleengine.cli.session import Session
from ruleengine.errors import HandError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from ruleengine.rules import Rules

LONGEST_LINE = 1_000_000
"""How many bytes a record may have."""
_SHOWN_ERRORS = 5
_PARQUET_START = b"PAR1"


@dataclass(slots=True)
class Summary:
    """What became of the records of a batch; `first_errors` are (line, message)."""

    records: int = 0
    wins: int = 0
    errors: int = 0
    first_errors: list[tuple[int, str]] = field(default_factory=list)

    @property
    def losses(self) -> int:
        """How many hands were scored and do not win."""
        return self.records - self.wins - self.errors


def batch(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="Records as JSON lines; - reads standard input.")
    ],
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", metavar="OUT", help="Where results go; - is standard output."
        ),
    ] = "-",
    rules: options.Rules = None,
    set: options.Set = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Score hand records. One JSON object a line comes in, one result a line goes out.

    The summary goes to stderr, with --json as JSON.
    """
    session = Session(rules, set, lang, as_json=json, plain=ascii)
    chosen = session.rules()
    with _reading(source) as incoming, _writing(output) as outgoing:
        live = outgoing is sys.stdout.buffer
        summary = score_lines(chosen, incoming, outgoing, session.language, live=live)
    _report(summary, session)
    return FINDINGS if summary.errors else FINE


def score_lines(
    rules: Rules, incoming: BinaryIO, outgoing: BinaryIO, language: str, *, live: bool = False
) -> Summary:
    """Score every line of `incoming`; with `live` each result is passed on at once."""
    summary = Summary()
    for number, line in _lines(incoming):
        summary.records += 1
        found = score_line(rules, line, language)
        if "error" in found:
            summary.errors += 1
            if len(summary.first_errors) < _SHOWN_ERRORS:
                summary.first_errors.append((number, found["error"]["message"]))
        elif found["win"]:
            summary.wins += 1
        outgoing.write(_encoded(found))
        if live:
            outgoing.flush()
    return summary


def score_line(rules: Rules, line: bytes | None, language: str) -> dict[str, Any]:
    """The result or the error record of one line; None stands for a line that is too long."""
    from ruleengine.record import error_record, score_record

    id: Any = None
    try:
        record = _record(line)
        id = record.get("id") if isinstance(record, dict) else None
        return score_record(rules, record).to_json(language)
    except HandError as error:
        return error_record(id, error)
    except Exception as error:
        # A mistake in the engine must not take the other hands of the batch with it.
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        message = f"a mistake in yaku itself stopped this hand ({what})"
        return error_record(id, HandError("H901", message))


def _record(line: bytes | None) -> object:
    if line is None:
        raise HandError("H313", f"a record has at most {LONGEST_LINE} bytes")
    try:
        return jsonlib.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError:
        raise HandError("H313", "the record is not UTF-8 text") from None
    except jsonlib.JSONDecodeError as error:
        message = f"the record is not JSON: {error.msg.lower()} at character {error.pos + 1}"
        raise HandError("H313", message) from None
    except (ValueError, RecursionError) as error:
        raise HandError("H313", f"the record is not JSON: {error}") from None


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _encoded(found: dict[str, Any]) -> bytes:
    try:
        text = jsonlib.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        text = jsonlib.dumps(found).encode()
    return text + b"\n"


def _lines(incoming: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not blank, with their numbers; None for one that is too long."""
    number = 0
    while line := incoming.readline(LONGEST_LINE + 1):
        number += 1
        if number == 1:
            if line.startswith(_PARQUET_START):
                from ruleengine.cli.failure import UsageError

                raise UsageError("the input is Parquet; batch reads JSON lines")
            line = line.removeprefix(b"\xef\xbb\xbf")
        if len(line) > LONGEST_LINE and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = incoming.readline(LONGEST_LINE)
            yield number, None
        elif line.strip():
            yield number, line


# ---- files -------------------------------------------------------------------------------------


@contextmanager
def _reading(source: str) -> Iterator[BinaryIO]:
    if source == "-":
        yield sys.stdin.buffer
        return
    with open(source, "rb") as incoming:
        yield incoming


@contextmanager
def _writing(output: str) -> Iterator[BinaryIO]:
    if output == "-":
        sys.stdout.flush()
        yield sys.stdout.buffer
        return
    target = Path(output)
    if target.exists() and not target.is_file():
        # A device or a named pipe cannot be replaced by a file.
        with open(target, "wb") as outgoing:
            yield outgoing
        return
    target = target.resolve()
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(unfinished, "xb") as outgoing:
            yield outgoing
        os.replace(unfinished, target)
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, error.strerror, output) from None
    finally:
        unfinished.unlink(missing_ok=True)


def _report(summary: Summary, session: Session) -> None:
    from ruleengine.cli.failure import tell

    if session.as_json:
        tell(
            jsonlib.dumps(
                {
                    "records": summary.records,
                    "wins": summary.wins,
                    "losses": summary.losses,
                    "errors": summary.errors,
                }
            )
        )
        return
    screen = session.screen
    for line, message in summary.first_errors:
        tell(screen.say("batch_line", line=line, message=message))
    more = summary.errors - len(summary.first_errors)
    if more:
        tell(screen.say("batch_more", n=more))
    tell(
        screen.say(
            "batch_summary",
            records=summary.records,
            wins=summary.wins,
            losses=summary.losses,
            errors=summary.errors,
        )
    )
