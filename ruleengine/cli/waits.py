"""`yaku waits`: which tiles complete a hand, and what each is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruleengine.cli import FINDINGS, FINE, options
from ruleengine.cli.session import Session, hand_fields

if TYPE_CHECKING:
    from ruleengine.hand import Situation


def waits(
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
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Show what a hand waits for. HAND lacks its winning tile; each wait has its score."""
    session = Session(rules, set, lang, as_json=json, plain=ascii)
    given = hand_fields(
        {
            "by": by, "seat": seat, "round": round, "from_seat": from_, "liable": liable,
            "events": events, "dora": dora,
        }
    )  # fmt: skip
    from ruleengine.notation import read_hand
    from ruleengine.waits import find_waits

    whole = read_hand(" ".join(hand), flowers=flowers)
    found = find_waits(session.rules(), whole, _situation(given))
    if json:
        session.print_json(found.to_json(session.language))
    else:
        from ruleengine.faces.waiting import show_waits

        show_waits(found, session.screen)
    return FINE if any(wait.result.win for wait in found.waits) else FINDINGS


def _situation(given: dict[str, Any]) -> Situation:
    from ruleengine.hand import Situation
    from ruleengine.situation import read_dora

    given["events"] = frozenset(given.get("events", ()))
    given["dora"] = read_dora(given.get("dora"))
    return Situation(**given)
