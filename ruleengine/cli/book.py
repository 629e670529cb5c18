"""`yaku book`: a ruleset as a sheet to keep at the table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ruleengine.cli import FINE, options
from ruleengine.cli.files import spare_inputs, write_whole
from ruleengine.cli.session import Session
from ruleengine.errors import quote

if TYPE_CHECKING:
    from ruleengine.rules import Rules

_ENDINGS = {".html": "html", ".htm": "html", ".md": "markdown", ".markdown": "markdown"}


def book(
    name: Annotated[
        str | None,
        typer.Argument(metavar="RULES", help="The ruleset; without it the configured one."),
    ] = None,
    output: Annotated[
        str,
        typer.Option("-o", "--output", metavar="FILE", help="Where it goes; - is standard output."),
    ] = "-",
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="html|markdown",
            help="When not given, from the ending of FILE; html where it has none.",
        ),
    ] = None,
    rules: options.Rules = None,
    set: options.Set = None,
    lang: options.Lang = None,
    json: options.Json = False,
) -> int:
    """Print a ruleset as a rule book: patterns with hands, total, payments, interpretations.

    HTML is one page that needs nothing besides itself; its list of patterns prints on one A4 page.
    """
    from ruleengine.cli.failure import UsageError

    if name is not None and rules:
        raise UsageError("the ruleset is given twice", "leave out --rules")
    chosen_format = format or _format_of(output)
    session = Session([name] if name is not None else rules, set, lang, as_json=json)
    chosen = session.rules()
    spare_inputs(output, chosen.data.files)
    text = _written(chosen, session.language, chosen_format)
    if output != "-":
        write_whole(output, text)
    if json:
        where = {"text": text} if output == "-" else {"output": output}
        session.print_json({"rules": chosen.id, "format": chosen_format, **where})
    elif output == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
    return FINE


def _format_of(output: str) -> str:
    """The format that the ending of a file asks for; what has no ending is HTML."""
    from ruleengine.cli.failure import UsageError

    ending = Path(output).suffix.lower()
    if not ending or ending in _ENDINGS:
        return _ENDINGS.get(ending, "html")
    known = ", ".join(_ENDINGS)
    message = f"{output} does not say what to write"
    raise UsageError(message, f"end it in one of: {known}; or give --format")


def _written(rules: Rules, language: str, format: str) -> str:
    from ruleengine.book import FORMATS, book_html, book_markdown
    from ruleengine.cli.failure import UsageError

    if format not in FORMATS:
        raise UsageError(f"there is no format {quote(format)}", f"there are: {', '.join(FORMATS)}")
    return (book_html if format == "html" else book_markdown)(rules, language)
