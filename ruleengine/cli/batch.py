"""`yaku batch`: scores files of hand records, JSON lines or Parquet, whatever their size.

A wrong record gives an error in its place and never stops the batch. A file to write to appears
when it is whole; one that was stopped can be continued.
"""

from __future__ import annotations

import hashlib
import json as jsonlib
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruleengine.batch.outgoing import LinesFile, LinesOut, TableFile, Unfinished
from ruleengine.batch.work import Tally, Worker, work
from ruleengine.cli import FINDINGS, FINE, options
from ruleengine.cli.failure import UsageError, tell
from ruleengine.cli.files import spare_inputs
from ruleengine.cli.incoming import TABLE_ENDINGS, Incoming
from ruleengine.cli.session import Session
from ruleengine.processes import cores

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ruleengine.rules import Rules


def batch(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="Records: JSON lines, or a table (.parquet); - reads standard input.",
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="Where results go: JSON lines, or a table (.parquet); - is standard output.",
        ),
    ] = "-",
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", metavar="N", min=1, help="Processes at work; all cores if left out."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue OUT where an earlier run was stopped.")
    ] = False,
    rules: options.Rules = None,
    set: options.Set = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Score hand records: one record in, one result out, in the same order.

    The summary goes to stderr, with --json as JSON.
    """
    session = Session(rules, set, lang, as_json=json, plain=ascii)
    chosen = session.rules()
    if resume and not _is_file_to_be(output):
        raise UsageError("only a file can be continued", "--resume goes with -o OUT")
    spare_inputs(output, (source,))
    with Incoming(source) as incoming:
        outgoing = _outgoing(output, chosen, session.language, incoming, resume)
        worker = Worker(chosen, session.language, _form(output))
        tally = Tally()
        tally.add(outgoing.before)
        try:
            chunks = incoming.chunks(outgoing.before.records)
            with _progress(incoming, session) as progress:
                for done in work(worker, chunks, jobs or cores()):
                    outgoing.write(done)
                    tally.add(done.tally)
                    if progress is not None:
                        progress(done.size, tally.records)
            outgoing.finish()
        except BaseException:
            if outgoing.stop():
                tell(session.screen.say("batch_stopped", n=tally.records))
            raise
    _report(tally, session, incoming.is_table)
    return FINDINGS if tally.errors else FINE


# ---- output ------------------------------------------------------------------------


def _form(output: str) -> Any:
    return "table" if output.lower().endswith(TABLE_ENDINGS) else "lines"


def _is_file_to_be(output: str) -> bool:
    """Whether results go to a file that can be replaced: no device, no pipe."""
    return output != "-" and (not os.path.exists(output) or os.path.isfile(output))


def _outgoing(
    output: str, rules: Rules, language: str, incoming: Incoming, resume: bool
) -> LinesOut | LinesFile | TableFile:
    if output == "-":
        sys.stdout.flush()
        return LinesOut(sys.stdout.buffer, live=True)
    if not _is_file_to_be(output):
        return LinesOut(open(output, "wb"), live=False)
    about = {
        "rules": rules.id,
        "version": rules.version,
        "language": language,
        "options": jsonlib.dumps(dict(rules.options), sort_keys=True),
    }
    batch_of = about | incoming.fingerprint() | {"data": _digest(rules)}
    try:
        unfinished = Unfinished(Path(output).resolve(), batch_of, resume=resume)
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, error.strerror, output) from None
    if _form(output) == "table":
        return TableFile(unfinished, about)
    return LinesFile(unfinished, rules.id)


def _digest(rules: Rules) -> str:
    """What tells the rules from others with the same name: all that counts or pays."""
    data = rules.data
    told = (data.wall, data.events, data.shapes, data.terms, data.patterns, data.total,
            data.liability, data.settlement)  # fmt: skip
    return hashlib.sha256(repr(told).encode("utf-8", "backslashreplace")).hexdigest()


# ---- words -------------------------------------------------------------------------


def _progress(incoming: Incoming, session: Session) -> AbstractContextManager[Any]:
    """Shows how far the batch is, on a terminal; says nothing elsewhere."""
    if (
        not sys.stderr.isatty()
        or session.as_json
        or (incoming.source == "-" and sys.stdin.isatty())
    ):
        return nullcontext()
    from ruleengine.faces.progress import Progress

    return Progress(incoming.size, session.screen)


def _report(tally: Tally, session: Session, is_table: bool) -> None:
    if session.as_json:
        counts = {"records": tally.records, "wins": tally.wins, "losses": tally.losses}
        tell(jsonlib.dumps({**counts, "errors": tally.errors}))
        return
    screen = session.screen
    place = "batch_row" if is_table else "batch_line"
    for number, message in tally.first_errors:
        tell(screen.say(place, line=number, message=message))
    more = tally.errors - len(tally.first_errors)
    if more:
        tell(screen.say("batch_more", n=more))
    tell(
        screen.say(
            "batch_summary_one" if tally.records == 1 else "batch_summary",
            records=tally.records,
            wins=tally.wins,
            losses=tally.losses,
            errors=tally.errors,
        )
    )
