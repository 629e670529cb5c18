"""`yaku score`: what a hand is worth, and who pays."""

from __future__ import annotations

from ruleengine.cli import FINDINGS, FINE, options
from ruleengine.cli.session import Session, hand_fields


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
    results = [one.score(text, **given) for one in session.all_rules()]
    if json:
        plain = [result.to_json(session.language) for result in results]
        session.print_json(plain if len(plain) > 1 else plain[0])
    else:
        from ruleengine.faces.scores import show_comparison, show_result

        if len(results) > 1:
            show_comparison(results, session.screen)
        else:
            show_result(results[0], session.screen)
    return FINE if all(result.win for result in results) else FINDINGS
