"""`yaku diff`: what changes from one ruleset to another, in words and in hands."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruleengine.cli import FINDINGS, FINE, options
from ruleengine.cli.failure import UsageError
from ruleengine.cli.files import spare_inputs, write_whole
from ruleengine.cli.session import Session
from ruleengine.errors import quote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ruleengine.compare.model import Comparison
    from ruleengine.compare.review import FailOn, Review
    from ruleengine.ruleset.read import ReadRuleset

_ENDINGS = {
    ".md": "markdown", ".markdown": "markdown", ".html": "html", ".htm": "html", ".json": "json",
    ".txt": "text",
}  # fmt: skip
MOST_SECONDS = 1_000_000


def diff(
    operands: Annotated[
        list[str],
        typer.Argument(
            metavar="OLD NEW [THEIRS]", help="Rulesets by name, as files, or as REV:path in git."
        ),
    ],
    only_structure: Annotated[
        bool, typer.Option("--only-structure", help="Compare what they say; look at no hand.")
    ] = False,
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on",
            metavar="LEVEL",
            help="Status 1 for a change of score, payment or text, or a graver one; none for none.",
        ),
    ] = "none",
    require_bump: Annotated[
        bool,
        typer.Option(
            "--require-bump", help="Status 1 for other scores or payments under the same version."
        ),
    ] = False,
    accept: Annotated[
        str | None,
        typer.Option("--accept", metavar="FILE", help="Changes that were accepted, as YAML."),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", metavar="SECONDS", help="End by then; say what was left out."),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Another sample; 1 when not given.")
    ] = 1,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", help="Processes; as many as there are processors."),
    ] = None,
    texts: Annotated[
        bool, typer.Option("--texts", help="Show every change of a text, old and new.")
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown, for a pull request.")
    ] = False,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write it there, as .md, .html, .json or .txt; - is standard output.",
        ),
    ] = "-",
    git_driver: Annotated[
        bool,
        typer.Option("--git-driver", help="Take the arguments that git gives to a diff command."),
    ] = False,
    textconv: Annotated[
        bool,
        typer.Option("--textconv", help="Print one ruleset a value a line, for git to compare."),
    ] = False,
    set: options.Set = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Compare two rulesets by what they mean. Every change with a hand that shows it.

    With THEIRS, OLD is a base: which changes of two branches meet, with a hand that shows it.
    """
    session = Session(None, set, lang, as_json=json, plain=ascii)
    if textconv:
        from ruleengine.cli.git_diff import convert

        return convert(operands, session)
    _check(fail_on, budget, jobs, json, markdown)
    form = _form(output, json, markdown)
    spare_inputs(output, (*operands, accept or ""))
    call = _Call(
        session=session,
        only_structure=only_structure,
        budget=budget,
        seed=seed,
        jobs=jobs or _processors(),
        fail_on=fail_on,  # type: ignore[arg-type]
        require_bump=require_bump,
        accept=accept,
    )
    if git_driver:
        from ruleengine.cli.git_diff import drive

        return drive(operands, call, texts=texts)
    if len(operands) not in (2, 3):
        given = f"{len(operands)} ruleset{'s' if len(operands) != 1 else ''}"
        help_line = "yaku diff OLD NEW, or yaku diff BASE OURS THEIRS for two branches"
        raise UsageError(f"diff takes two rulesets or three, not {given}", help_line)
    reads = [call.read(operand) for operand in operands]
    text, status = call.three(reads, form) if len(reads) == 3 else call.two(reads, form, texts)
    if text is not None:
        _put(output, text)
    return status


class _Call:
    """One call of the command: how to compare, and what is a finding."""

    def __init__(
        self,
        *,
        session: Session,
        only_structure: bool,
        budget: float | None,
        seed: int,
        jobs: int,
        fail_on: FailOn,
        require_bump: bool,
        accept: str | None,
    ) -> None:
        self.session = session
        self.only_structure = only_structure
        self.budget = budget
        self.seed = seed
        self.jobs = jobs
        self.fail_on: FailOn = fail_on
        self.require_bump = require_bump
        self.accepted: Mapping[str, str] = {}
        if accept is not None:
            from ruleengine.compare.review import read_accepted

            self.accepted = read_accepted(Path(accept))

    def read(self, operand: str) -> ReadRuleset:
        """The ruleset that an operand names."""
        from ruleengine.compare.operands import read_operand

        return read_operand(operand, self.session.config.folder_paths)

    def options(self, reads: Sequence[ReadRuleset]) -> dict[str, int | bool]:
        """What `--set` says. Raises `UsageError` for an option that none of the rulesets has."""
        given = {
            name: setting.value
            for name, setting in self.session.config.options.items()
            if setting.rank == 0
        }
        known = dict.fromkeys(name for read in reads for name in read.data.options)
        for name in given:
            if name not in known:
                from ruleengine.diagnostics import suggest

                meant = suggest(name, known)
                help_line = f"did you mean '{meant}'?" if meant else None
                raise UsageError(f"none of these rulesets has an option {quote(name)}", help_line)
        return given

    def compare(self, reads: Sequence[ReadRuleset]) -> Comparison:
        """Compare two rulesets."""
        if self.only_structure:
            from ruleengine.compare.structure import said_otherwise

            return said_otherwise(reads[0], reads[1], self.options(reads))
        from ruleengine.compare.run import compare

        with _progress() as progress:
            return compare(
                reads[0],
                reads[1],
                options=self.options(reads),
                budget=self.budget,
                seed=self.seed,
                jobs=self.jobs,
                progress=progress,
            )

    def review(self, comparison: Comparison) -> Review:
        """What is accepted, and what is a finding."""
        from ruleengine.compare.review import review

        return review(
            comparison,
            fail_on=self.fail_on,
            require_bump=self.require_bump,
            accepted=self.accepted,
        )

    def two(self, reads: Sequence[ReadRuleset], form: str, texts: bool) -> tuple[str | None, int]:
        """Two rulesets in a form: the text, None where it is shown, and the exit status."""
        comparison = self.compare(reads)
        review = self.review(comparison)
        status = FINDINGS if review.is_finding else FINE
        language = self.session.language
        if form == "json":
            from ruleengine.faces.compared_json import comparison_json

            return _as_json(comparison_json(comparison, review, language)), status
        if form == "markdown":
            from ruleengine.faces.compared_markdown import comparison_markdown

            return comparison_markdown(comparison, review, language), status
        if form == "html":
            from ruleengine.faces.compared_html import comparison_html

            return comparison_html(comparison, review, language), status
        from ruleengine.faces.compared_text import show_comparison

        return _shown(
            self.session,
            form,
            lambda screen: show_comparison(comparison, review, screen, texts=texts),
        ), status

    def three(self, reads: Sequence[ReadRuleset], form: str) -> tuple[str | None, int]:
        """A base and two branches in a form, as `two` gives it; changes that meet are findings
        where any change is to fail."""
        from ruleengine.compare.review import Review
        from ruleengine.compare.three_way import three_way

        with _progress() as progress:
            found = three_way(
                reads[0],
                reads[1],
                reads[2],
                options=self.options(reads),
                budget=0.0 if self.only_structure else self.budget,
                seed=self.seed,
                progress=progress,
            )
        review = Review(self.accepted)
        status = FINDINGS if found.crossings and self.fail_on != "none" else FINE
        language = self.session.language
        if form == "json":
            from ruleengine.faces.compared_json import three_way_json

            return _as_json(three_way_json(found, language)), status
        if form == "markdown":
            from ruleengine.faces.compared_markdown import three_way_markdown

            return three_way_markdown(found, language), status
        if form == "html":
            from ruleengine.faces.compared_html import three_way_html

            return three_way_html(found, language), status
        from ruleengine.faces.compared_text import show_three_way

        return _shown(
            self.session, form, lambda screen: show_three_way(found, review, screen)
        ), status


# ---- what was asked for ------------------------------------------------------------


def _check(
    fail_on: str, budget: float | None, jobs: int | None, json: bool, markdown: bool
) -> None:
    """Refuse options that cannot be, or cannot be together."""
    from ruleengine.compare.review import FAIL_ON

    if fail_on not in FAIL_ON:
        raise UsageError(f"there is no level {quote(fail_on)}", f"there are: {', '.join(FAIL_ON)}")
    if budget is not None and not 0 <= budget <= MOST_SECONDS:
        raise UsageError("--budget is a number of seconds", "for example: --budget 60")
    if jobs is not None and not 1 <= jobs <= 64:
        raise UsageError("--jobs is a number of processes, 1 to 64")
    if json and markdown:
        raise UsageError("--json and --markdown do not go together", "leave out one of them")


def _form(output: str, json: bool, markdown: bool) -> str:
    """The form of the output: as it is asked for, or by the ending of the file."""
    if json or markdown:
        return "json" if json else "markdown"
    if output == "-":
        return "screen"
    ending = Path(output).suffix.lower()
    if ending not in _ENDINGS:
        known = ", ".join(dict.fromkeys(_ENDINGS))
        raise UsageError(f"{output} does not say what to write", f"end it in one of: {known}")
    return _ENDINGS[ending]


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# ---- output ------------------------------------------------------------------------


def _as_json(value: object) -> str:
    from ruleengine.cli.session import json_line

    return json_line(value, sys.stdout.encoding) + "\n"


def _shown(session: Session, form: str, show: Callable[[Any], None]) -> str | None:
    """What a face writes: on the screen, or as the text of a file."""
    screen = session.screen
    if form == "screen":
        show(screen)
        return None
    with screen.console.capture() as captured:
        show(screen)
    return captured.get()


def _put(output: str, text: str) -> None:
    """Write a text to a file, whole or not at all, or to standard output."""
    if output == "-":
        sys.stdout.flush()
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.buffer.write(text.encode("utf-8"))
            sys.stdout.buffer.flush()
        else:
            sys.stdout.write(text)
        return
    write_whole(output, text)


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None] | None]:
    """Tells a terminal how far the work is; nothing else is told."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    columns: list[Any] = [TextColumn("{task.description}"), BarColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("", total=None)

        def tell(what: str, done: int, of: int) -> None:
            shown.update(task, description=what, completed=done, total=of or None)

        yield tell
