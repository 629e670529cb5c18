"""`yaku explain`: why a hand is worth what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ruleengine.cli import FINDINGS, FINE, options
from ruleengine.cli.session import Session, hand_fields

if TYPE_CHECKING:
    from ruleengine.rules import Rules


def explain(
    hand: options.Hand,
    pattern: options.Pattern = None,
    all: Annotated[
        bool, typer.Option("--all", help="Every pattern that is not there, with the reason.")
    ] = False,
    rules: options.Rules = None,
    set: options.Set = None,
    by: options.By = None,
    seat: options.Seat = None,
    round: options.Round = None,
    from_: options.From = None,
    liable: options.Liable = None,
    events: options.Events = None,
    flowers: options.Flowers = None,
    dora: options.Dora = None,
    winning_tile: options.WinningTile = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Explain a score. What counts, what does not and why, and every way to read the hand."""
    session = Session(rules, set, lang, as_json=json, plain=ascii)
    given = hand_fields(
        {
            "by": by, "seat": seat, "round": round, "from_": from_, "liable": liable,
            "events": events, "flowers": flowers, "dora": dora, "winning_tile": winning_tile,
        }
    )  # fmt: skip
    chosen = session.rules()
    if pattern is not None:
        check_pattern(chosen, pattern)
    result = chosen.score(" ".join(hand), **given)
    explanation = result.explain()
    if pattern is None:
        if json:
            session.print_json(explanation.to_json(session.language))
        else:
            from ruleengine.faces.reasons import show_explanation

            show_explanation(explanation, session.screen, everything=all)
        return FINE if result.win else FINDINGS
    from ruleengine.counterfactual import changes_json, smallest_changes
    from ruleengine.explain import verdict_json

    verdict = explanation.verdict(pattern)
    counts = result.win and verdict is not None and verdict.state == "counted"
    changes = [] if counts else smallest_changes(result, pattern)
    if json:
        session.print_json(
            {
                "result": result.to_json(session.language),
                "pattern": None if verdict is None else verdict_json(verdict, session.language),
                "changes": changes_json(changes, session.language),
            }
        )
    else:
        from ruleengine.faces.reasons import show_pattern_verdict

        show_pattern_verdict(explanation, chosen.data.patterns[pattern], changes, session.screen)
    return FINE if result.win else FINDINGS


def check_pattern(rules: Rules, pattern: str) -> None:
    """Check that a ruleset has a pattern. Raises `UsageError`."""
    if pattern in rules.data.patterns:
        return
    from ruleengine.cli.failure import UsageError
    from ruleengine.diagnostics import suggest
    from ruleengine.errors import quote

    for one in rules.data.patterns.values():
        if pattern == one.code or pattern in one.name.by_language.values():
            help_line = f"its id is '{one.id}'"
            raise UsageError(f"{rules.id} has no pattern {quote(pattern)}", help_line)
    meant = suggest(pattern, rules.data.patterns)
    help_line = f"did you mean '{meant}'?" if meant else f"yaku show {rules.id} lists them"
    raise UsageError(f"{rules.id} has no pattern {quote(pattern)}", help_line)
