"""`yaku score`: what a hand is worth, and who pays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruleengine.cli import FINDINGS, FINE, options
from ruleengine.cli.session import Session, hand_fields

if TYPE_CHECKING:
    from ruleengine.faces.comparison import Refused
    from ruleengine.result import Result
    from ruleengine.rules import Rules


def score(
    hand: options.Hand,
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
    """Score a hand. --rules given several times shows it under each of them."""
    session = Session(rules, set, lang, as_json=json, plain=ascii)
    text = " ".join(hand)
    given = hand_fields(
        {
            "by": by, "seat": seat, "round": round, "from_": from_, "liable": liable,
            "events": events, "flowers": flowers, "dora": dora, "winning_tile": winning_tile,
        }
    )  # fmt: skip
    chosen = session.all_rules()
    if len(chosen) > 1:
        return _compare(session, chosen, text, given)
    result = chosen[0].score(text, **given)
    if json:
        session.print_json(result.to_json(session.language))
    else:
        from ruleengine.faces.scores import show_result

        show_result(result, session.screen)
    return FINE if result.win else FINDINGS


def _compare(session: Session, chosen: list[Rules], text: str, given: dict[str, Any]) -> int:
    """The hand under each ruleset; an error only where none of them takes it."""
    from ruleengine.errors import HandError
    from ruleengine.faces.comparison import Refused, show_comparison

    found: list[Result | Refused] = []
    for rules in chosen:
        try:
            found.append(rules.score(text, **given))
        except HandError as error:
            found.append(Refused(rules.id, error))
    refused = [one for one in found if isinstance(one, Refused)]
    if len(refused) == len(found):
        raise refused[0].error
    if session.as_json:
        session.print_json([_plain(one, session.language) for one in found])
    else:
        show_comparison(found, session.screen)
    return FINE if all(not isinstance(one, Refused) and one.win for one in found) else FINDINGS


def _plain(one: Result | Refused, language: str) -> object:
    from ruleengine.faces.comparison import Refused
    from ruleengine.record import error_record

    if isinstance(one, Refused):
        return error_record(None, one.error)
    return one.to_json(language)
