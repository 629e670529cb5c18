"""`yaku diff`: what changes from one ruleset to another, in words and in hands."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ruleengine.cli import options
from ruleengine.cli.comparing import Call
from ruleengine.cli.diff_flags import refuse_idle
from ruleengine.cli.failure import UsageError
from ruleengine.cli.files import spare_inputs, write_whole
from ruleengine.cli.session import Session
from ruleengine.errors import quote
from ruleengine.processes import cores

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
        int | None, typer.Option("--seed", metavar="S", help="Another sample; 1 when not given.")
    ] = None,
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
    _check(fail_on, budget, jobs, json, markdown)
    form = _form(output, json, markdown)
    given = {
        "--only-structure": only_structure,
        "--fail-on": fail_on != "none",
        "--require-bump": require_bump,
        "--accept": accept is not None,
        "--budget": budget is not None,
        "--seed": seed is not None,
        "--jobs": jobs is not None,
        "--texts": texts,
        "--markdown": markdown,
        "--output": output != "-",
        "--git-driver": git_driver,
        "--textconv": textconv,
        "--set": bool(set),
        "--lang": lang is not None,
        "--json": json,
        "--ascii": ascii,
        "three rulesets": len(operands) == 3,
        "Markdown": form == "markdown",
        "HTML": form == "html",
        "JSON": form == "json",
    }
    refuse_idle(name for name, is_given in given.items() if is_given)
    session = Session(None, set, lang, as_json=json, plain=ascii)
    if textconv:
        from ruleengine.cli.git_diff import convert

        return convert(operands, session)
    spare_inputs(output, (*operands, accept or ""))
    call = Call(
        session=session,
        only_structure=only_structure,
        budget=budget,
        seed=1 if seed is None else seed,
        jobs=jobs or cores(),
        fail_on=fail_on,  # type: ignore[arg-type]
        require_bump=require_bump,
        accept=accept,
        plain=ascii,
    )
    if git_driver:
        from ruleengine.cli.git_diff import drive

        return drive(operands, call, texts=texts)
    if len(operands) not in (2, 3):
        number = f"{len(operands)} ruleset{'s' if len(operands) != 1 else ''}"
        help_line = "yaku diff OLD NEW, or yaku diff BASE OURS THEIRS for two branches"
        raise UsageError(f"diff takes two rulesets or three, not {number}", help_line)
    reads = [call.read(operand) for operand in operands]
    compare = call.three if len(reads) == 3 else call.two
    text, status = compare(reads, form, texts)
    if text is not None:
        _put(output, text)
    return status


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
    asked = "json" if json else "markdown" if markdown else ""
    if output == "-":
        return asked or "screen"
    ending = Path(output).suffix.lower()
    if asked and _ENDINGS.get(ending, asked) != asked:
        raise UsageError(
            f"--{asked} and a file that ends in {ending} do not go together",
            f"leave out --{asked}, or end the file otherwise",
        )
    if not asked and ending not in _ENDINGS:
        known = ", ".join(dict.fromkeys(_ENDINGS))
        raise UsageError(f"{output} does not say what to write", f"end it in one of: {known}")
    return asked or _ENDINGS[ending]


# ---- output ------------------------------------------------------------------------


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
