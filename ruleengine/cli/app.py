"""The commands put together, and mistakes in calling them put into plain words."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ruleengine.cli import WRONG, batch, config, explain, rules, score, show, waits
from ruleengine.cli.failure import UsageError

app = typer.Typer(
    name="yaku",
    help="Score mahjong hands under any ruleset, and explain the score.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("score")(score.score)
app.command("explain")(explain.explain)
app.command("waits")(waits.waits)
app.command("batch")(batch.batch)
app.command("rules")(rules.rules)
app.command("show")(show.show)
app.command("config")(config.config)

COMMANDS = ("score", "explain", "waits", "batch", "rules", "show", "config")


def _print_version(wanted: bool) -> None:
    if wanted:
        from ruleengine import __version__

        print(f"yaku {__version__}")
        raise typer.Exit


@app.callback()
def top(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Score mahjong hands under any ruleset, and explain the score."""


def run(arguments: list[str]) -> int:
    """Run a command; its exit status. Raises `UsageError` for what no command can be."""
    if not arguments:
        from ruleengine.cli.failure import tell

        tell("usage: yaku COMMAND ...")
        tell(f"  commands: {', '.join(COMMANDS)}")
        tell("  help: yaku --help, or yaku score --help for one command")
        return WRONG
    if not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
        raise _unknown_command(arguments[0])
    try:
        status = app(arguments, prog_name="yaku", standalone_mode=False)
    except typer.Abort:
        raise KeyboardInterrupt from None
    except Exception as error:
        # The class is in a package that Typer has changed once, so it is known by what it can do.
        if not hasattr(error, "format_message"):
            raise
        raise _plain(error, arguments) from None
    return int(status or 0)


def _unknown_command(word: str) -> UsageError:
    from ruleengine.diagnostics import suggest
    from ruleengine.errors import quote

    meant = suggest(word, COMMANDS)
    if meant is None and any(sign.isdigit() for sign in word):
        return UsageError(f"there is no command {quote(word)}", "to score a hand: yaku score HAND")
    known = f"there are: {', '.join(COMMANDS)}"
    return UsageError(
        f"there is no command {quote(word)}", f"did you mean '{meant}'?" if meant else known
    )


def _plain(error: Any, arguments: list[str]) -> UsageError:
    """A usage error of Typer's in the words of this program."""
    command = arguments[0] if arguments[0] in COMMANDS else None
    help_line = f"yaku {command} --help" if command else "yaku --help"
    kind = type(error).__name__
    if kind == "NoSuchOption":
        name = error.option_name
        close = list(error.possibilities or ())
        known = f"{help_line} lists the options"
        help_line = f"did you mean {close[0]}?" if len(close) == 1 else known
        return UsageError(f"there is no option {name}", help_line)
    if kind == "MissingParameter" and error.param is not None:
        name = error.param.metavar or str(error.param.name).upper()
        return UsageError(f"{name} is missing", f"{help_line} says what to give")
    if kind == "BadOptionUsage":
        return UsageError(f"{error.option_name} needs a value", f"{help_line} says which")
    message = error.format_message().rstrip(".")
    return UsageError(message[:1].lower() + message[1:], help_line)
