"""`yaku show`: what a ruleset says."""

from __future__ import annotations

from typing import Annotated

import typer

from ruleengine.cli import FINE, options
from ruleengine.cli.explain import check_pattern
from ruleengine.cli.session import Session


def show(
    name: Annotated[
        str | None,
        typer.Argument(metavar="RULES", help="The ruleset; without it the configured one."),
    ] = None,
    effective: Annotated[
        bool,
        typer.Option("--effective", help="As one file, with all that it extends merged."),
    ] = False,
    pattern: options.Pattern = None,
    rules: options.Rules = None,
    set: options.Set = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Show a ruleset. Its patterns, total, payments, options, events and interpretations."""
    if name is not None and rules:
        from ruleengine.cli.failure import UsageError

        raise UsageError("the ruleset is given twice", "leave out --rules")
    session = Session([name] if name is not None else rules, set, lang, as_json=json, plain=ascii)
    if effective:
        _show_effective(session, pattern, set)
        return FINE
    chosen = session.rules()
    if pattern is not None:
        check_pattern(chosen, pattern)
    if json:
        from ruleengine.faces.rulebook_json import pattern_json, ruleset_json

        session.print_json(
            ruleset_json(chosen, session.language)
            if pattern is None
            else pattern_json(chosen.data.patterns[pattern], session.language, examples=True)
        )
    else:
        from ruleengine.faces.rulebook import show_pattern, show_ruleset

        if pattern is None:
            show_ruleset(chosen, session.screen)
        else:
            show_pattern(chosen, chosen.data.patterns[pattern], session.screen)
    return FINE


def _show_effective(session: Session, pattern: str | None, changed: list[str] | None) -> None:
    """Print the merged ruleset as a file, or its values as JSON."""
    from ruleengine.cli.failure import UsageError
    from ruleengine.fmt.effective import effective_node, effective_text, plain_value

    if pattern is not None or changed:
        name = "--set" if changed else "--pattern"
        raise UsageError(f"--effective prints the whole ruleset as it is written, without {name}")
    chain = session.read().chain
    assert chain is not None
    if session.as_json:
        session.print_json(plain_value(effective_node(chain)))
    else:
        print(effective_text(chain), end="")
