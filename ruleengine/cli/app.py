"""The commands put together, and mistakes in calling them put into plain words."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer

from ruleengine.cli import WRONG
from ruleengine.cli.failure import UsageError

COMMANDS = (
    "score",
    "explain",
    "waits",
    "settle",
    "batch",
    "rules",
    "show",
    "book",
    "check",
    "test",
    "diff",
    "blame",
    "new",
    "fmt",
    "stats",
    "config",
    "lsp",
)
"""Every command: a function in the module of its name. Only what is called is imported."""


def _print_version(wanted: bool) -> None:
    if wanted:
        from ruleengine import __version__

        print(f"yaku {__version__}")
        raise typer.Exit


def _top(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Score mahjong hands under any ruleset, and explain the score."""


def _app(commands: tuple[str, ...]) -> typer.Typer:
    """The application with some of its commands."""
    app = typer.Typer(
        name="yaku",
        help="Score mahjong hands under any ruleset, and explain the score.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_top)
    for name in commands:
        app.command(name)(getattr(import_module(f"ruleengine.cli.{name}"), name))
    return app


def _with_formats(group: Any) -> Any:
    """Let every command say how the mistakes of a ruleset are shown; `failure` shows them."""
    from typer.core import TyperOption

    for command in group.commands.values():
        if not any("--format" in parameter.opts for parameter in command.params):
            command.params.append(
                TyperOption(
                    param_decls=["--format"],
                    metavar="FORMAT",
                    help="Show mistakes of a ruleset as text, line, json or github.",
                    callback=_check_format,
                    expose_value=False,
                )
            )
    return group


def _check_format(context: Any, parameter: Any, value: str | None) -> str | None:
    from ruleengine.cli.failure import FORMATS

    if value is not None and value not in FORMATS:
        raise UsageError(f"there is no format {value}", f"there are: {', '.join(FORMATS)}")
    return value


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
        called = (arguments[0],) if arguments[0] in COMMANDS else COMMANDS
        command = _with_formats(typer.main.get_command(_app(called)))
        status = command(arguments, prog_name="yaku", standalone_mode=False)
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
