"""`yaku blame`: which file and line say what a ruleset says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruleengine.cli import FINE, options
from ruleengine.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ruleengine.diagnostics import Span
    from ruleengine.ruleset.chain import Chain
    from ruleengine.ruleset.origins import Origin, Step

_WIDEST = 60


def blame(
    name: Annotated[
        str | None,
        typer.Argument(metavar="RULES", help="The ruleset; without it the configured one."),
    ] = None,
    path: Annotated[
        str | None,
        typer.Argument(metavar="PATH", help="One value or section, as patterns.one_kong.points."),
    ] = None,
    changed: Annotated[
        bool, typer.Option("--changed", help="Only what the ruleset itself sets or takes away.")
    ] = False,
    rules: options.Rules = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Show where values come from. For each the file and line that set it, and what it replaced."""
    if name is not None and rules:
        from ruleengine.cli.failure import UsageError

        raise UsageError("the ruleset is given twice", "leave out --rules")
    session = Session([name] if name is not None else rules, None, lang, as_json=json, plain=ascii)
    chain = session.read().chain
    assert chain is not None
    from ruleengine.fmt.layout import RULESET
    from ruleengine.ruleset.origins import origins

    found = origins(chain)
    found.sort(key=lambda origin: RULESET.rank(origin.path.split(".")[0]))
    if path is not None:
        found = _at(path, found, chain)
    home = next(iter(chain.sources))
    if changed:
        found = [origin for origin in found if origin.steps[-1].span.path == home]
    elif path is None:
        found = [origin for origin in found if origin.is_there]
    if json:
        session.print_json([_plain(origin) for origin in found])
    else:
        _show(found, chain, session)
    return FINE


def _at(path: str, found: Sequence[Origin], chain: Chain) -> list[Origin]:
    """The values at a path. Raises `UsageError` where there is nothing."""
    there = [one for one in found if one.path == path or one.path.startswith(f"{path}.")]
    if there:
        return there
    from ruleengine.cli.failure import UsageError
    from ruleengine.diagnostics import suggest, there_are
    from ruleengine.errors import quote

    known: dict[str, None] = {}
    for origin in found:
        parts = origin.path.split(".")
        known.update(dict.fromkeys(".".join(parts[:n]) for n in range(1, len(parts) + 1)))
    level = path.count(".")
    meant = suggest(path, [one for one in known if one.count(".") == level])
    beside = _beside(path, known)
    help_line = there_are(beside, path) if level else f"there are: {', '.join(beside)}"
    if meant:
        help_line = f"did you mean '{meant}'?"
    raise UsageError(f"{chain.layers[0][0]} has nothing at {quote(path)}", help_line)


def _beside(path: str, known: Collection[str]) -> list[str]:
    """The paths beside the first part of a path that is not there; the last one that is there
    where nothing stands in it."""
    above, beside = "", [one for one in known if "." not in one]
    for part in path.split("."):
        above += part
        inside = [one for one in known if one.startswith(f"{above}.")]
        if above not in known:
            return beside
        level = above.count(".") + 1
        beside = [one for one in inside if one.count(".") == level] or [above]
        above += "."
    return beside


def _plain(origin: Origin) -> dict[str, Any]:
    return {"path": origin.path, "steps": [_plain_step(step) for step in origin.steps]}


def _plain_step(step: Step) -> dict[str, Any]:
    from ruleengine.fmt.effective import plain_value

    found: dict[str, Any] = {
        "rules": step.ruleset,
        "file": step.span.path,
        "line": step.span.line,
        "column": step.span.column,
    }
    return found | ({"removed": True} if step.value is None else {"value": plain_value(step.value)})


def _show(found: Sequence[Origin], chain: Chain, session: Session) -> None:
    screen = session.screen
    arrow = screen.sign(" → ", " -> ")
    rows = []
    for origin in found:
        values = [_value(step, chain, session) for step in origin.steps]
        value = values[-1]
        if len(values) > 1:
            value = screen.say("blame_was", value=value, old=values[-2])
        places = arrow.join(_place(step.span) for step in origin.steps)
        rows.append([origin.path, value, places])
    screen.columns(rows, indent=0, wrap=False)


def _value(step: Step, chain: Chain, session: Session) -> str:
    from ruleengine.fmt.effective import line_of

    if step.value is None:
        return session.screen.say("blame_removed")
    text = line_of(step.value, chain)
    most = _WIDEST // 2
    return text if len(text) <= most else text[: most - 1] + session.screen.sign("…", "~")


def _place(span: Span) -> str:
    """A place as `file:line`; a file that is not below the working folder goes by its name."""
    path = span.path
    try:
        inside = os.path.relpath(path)
    except ValueError:
        inside = os.pardir
    if os.path.isabs(path):
        path = os.path.basename(path) if inside.startswith(os.pardir) else inside
    return f"{path}:{span.line}"
