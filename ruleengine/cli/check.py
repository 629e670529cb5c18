"""`yaku check`: what is wrong with ruleset files, doubtful in them, or missing."""

from __future__ import annotations

from typing import Annotated

import typer

from ruleengine.cli import FINDINGS, FINE, WRONG, options
from ruleengine.cli.files import ruleset_files
from ruleengine.cli.session import Session

FORMATS = ("text", "line", "json", "github")


def check(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILES", help="Ruleset files, names or folders."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings fail, too.")] = False,
    format: Annotated[
        str | None,
        typer.Option("--format", metavar="FORMAT", help="text, line, json or github."),
    ] = None,
    cost: Annotated[
        bool, typer.Option("--cost", help="Print what each sentence costs, dearest first.")
    ] = False,
    digest: Annotated[
        bool, typer.Option("--digest", help="Print the parent_digest line of each variant.")
    ] = False,
    rules: options.Rules = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Check ruleset files. All findings of all files, sorted by place."""
    session = Session(rules, None, lang, as_json=json, plain=ascii)
    chosen = "json" if json else format or "text"
    if chosen not in FORMATS:
        from ruleengine.cli.failure import UsageError

        raise UsageError(f"there is no format {chosen}", f"there are: {', '.join(FORMATS)}")
    from ruleengine.check.run import check_files
    from ruleengine.faces import findings

    report = check_files(ruleset_files(files or [], session), session.config.folder_paths)
    if digest:
        findings.show_digests(report)
    elif cost:
        findings.show_costs(report, session, as_json=chosen == "json")
    else:
        findings.show(report, chosen, session)
    if report.unreadable:
        return WRONG
    failed = report.count("error") or (strict and report.count("warning"))
    return FINDINGS if failed else FINE
