"""`yaku stats`: how often each pattern counts, what is lost, and the totals."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruleengine.cli import FINDINGS, FINE, options
from ruleengine.cli.failure import UsageError
from ruleengine.cli.incoming import Incoming
from ruleengine.cli.session import Session
from ruleengine.processes import cores

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ruleengine.rules import Rules
    from ruleengine.stats import Stats

MOST_SAMPLED = 100_000_000


def stats(
    name: Annotated[
        str | None,
        typer.Argument(metavar="RULES", help="The ruleset; without it the configured one."),
    ] = None,
    hands: Annotated[
        str | None,
        typer.Option(
            "--hands",
            metavar="FILE",
            help="Records instead of all hands: JSON lines, or a table (.parquet); - is stdin.",
        ),
    ] = None,
    weighted: Annotated[
        bool,
        typer.Option("--weighted", help="Count each hand as often as it can be drawn."),
    ] = False,
    sample: Annotated[
        int | None,
        typer.Option("--sample", metavar="N", help="Only so many hands, chosen by chance."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="Another sample; 1 when not given.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw it, as an SVG file.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", help="Processes; as many as there are processors."),
    ] = None,
    rules: options.Rules = None,
    set: options.Set = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Count how often each pattern counts. Over all winning hands, a sample, or a file of hands."""
    if name is not None and rules:
        raise UsageError("the ruleset is given twice", "leave out --rules")
    _check(hands, weighted, sample, seed, plot, jobs)
    session = Session([name] if name is not None else rules, set, lang, as_json=json, plain=ascii)
    chosen = session.rules()
    processes = jobs or cores()
    seed = 1 if seed is None else seed
    found = _survey(chosen, hands, weighted, sample, seed, processes)
    if plot is not None:
        from ruleengine.faces.statistics_svg import draw_stats

        source = _source(found, hands, seed, session.language)
        Path(plot).write_text(draw_stats(found, source, session.language), encoding="utf-8")
    if json:
        value = found.to_json(session.language)
        session.print_json(value | {"seed": seed} if sample is not None else value)
    else:
        from ruleengine.faces.statistics import show_stats

        screen = session.screen
        show_stats(found, _source(found, hands, seed, screen.language), screen)
        if plot is not None:
            screen.line()
            screen.line(screen.say("stats_plot", file=plot), wrap=False)
    return FINDINGS if found.errors else FINE


def _check(
    hands: str | None,
    weighted: bool,
    sample: int | None,
    seed: int | None,
    plot: str | None,
    jobs: int | None,
) -> None:
    """Refuse options that cannot be, or cannot be together."""
    if hands is not None and (weighted or sample is not None):
        given = "--weighted" if weighted else "--sample"
        raise UsageError(f"{given} goes with all hands, not with --hands", f"leave out {given}")
    if seed is not None and sample is None:
        raise UsageError("--seed goes with --sample", "for example: --sample 10000 --seed 2")
    for option, value, least, most in (
        ("--sample", sample, 1, MOST_SAMPLED),
        ("--seed", seed, 0, 2**63 - 1),
        ("--jobs", jobs, 1, 256),
    ):
        if value is not None and not least <= value <= most:
            raise UsageError(f"{option} is a whole number from {least} to {most:,}, not {value:,}")
    if plot is not None and not plot.lower().endswith(".svg"):
        raise UsageError(f"a plot is an SVG file, and '{plot}' does not end in .svg")
    if plot is not None and not Path(plot).parent.is_dir():
        # Better said now than after a minute's work.
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), plot)


def _survey(
    rules: Rules,
    hands: str | None,
    weighted: bool,
    sample: int | None,
    seed: int,
    processes: int,
) -> Stats:
    from ruleengine.stats import summarize, survey_all, survey_records, survey_sample

    with _progress() as progress:
        if hands is not None:
            with Incoming(hands) as incoming:
                records = incoming.records()
                tally = survey_records(rules, records, jobs=processes, progress=progress)
            return summarize(rules, tally, "records")
        if sample is not None:
            tally = survey_sample(rules, sample, seed, weighted=weighted)
            return summarize(rules, tally, "sample", weighted=weighted)
        tally = survey_all(rules, weighted=weighted, jobs=processes, progress=progress)
        return summarize(rules, tally, "all", weighted=weighted)


def _source(found: Stats, hands: str | None, seed: int, language: str) -> str:
    """What was looked at, in words."""
    from ruleengine.faces.words import say

    number = f"{found.hands:,}"
    if found.over == "records":
        return say("stats_records", language, hands=number, file=hands)
    if found.over == "sample":
        key = "stats_sample_weighted" if found.weighted else "stats_sample"
        return say(key, language, hands=number, seed=seed)
    return say("stats_all", language, hands=number)


# ---- progress ----------------------------------------------------------------------


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """Tells a terminal how far the work is; nothing else is told."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns: list[Any] = [
        TextColumn("{task.completed:,}"), BarColumn(), TimeRemainingColumn(),
    ]  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=None)

        def tell(done: int, of: int) -> None:
            shown.update(task, completed=done, total=of or None)

        yield tell
