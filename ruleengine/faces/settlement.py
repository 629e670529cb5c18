"""Shows settlements: how the hand ended, who pays whom, what becomes of the stakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ruleengine.faces.scores import rules_title, situation_words
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ruleengine.faces.screen import Screen
    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.settle import Settled


def show_settled(settled: Settled, rules: Rules, screen: Screen) -> None:
    """Write the end of a hand, settled."""
    say = screen.say
    screen.line(Text(rules_title(rules, screen), style="bold"))
    if settled.event == "exhausted":
        screen.line(say("clause").join([say("settled_exhausted"), _ready_words(settled, screen)]))
    elif settled.event == "wrong_win":
        screen.line(say("settled_wrong_win", seat=say(f"seat_{settled.offender}")))
    elif settled.event == "abortive":
        screen.line(say("settled_abortive"))
    for result in settled.winners:
        screen.line(_win_words(result, screen), hang=2)
    for result in settled.passed_over:
        seat, first = (say(f"seat_{r.situation.seat}") for r in (result, settled.winners[0]))
        screen.line(say("settled_passed_over", seat=seat, first=first), hang=2)
    screen.heading(say("payments"))
    screen.columns([_row(seat, settled, screen) for seat in SEATS], right=frozenset({1}))
    if rules.data.stakes is not None:
        screen.line()
        screen.line(say("stakes_left", n=settled.stakes_left))


def _ready_words(settled: Settled, screen: Screen) -> str:
    if not settled.ready:
        return screen.say("settled_none_ready")
    seats = screen.say("comma").join(_seats(settled.ready, screen))
    return screen.say("settled_ready", seats=seats)


def _seats(seats: Iterable[str], screen: Screen) -> list[str]:
    return [screen.say(f"seat_{seat}") for seat in seats]


def _win_words(result: Result, screen: Screen) -> str:
    words = screen.say("clause").join(situation_words(result, screen))
    return f"{words}{screen.say('colon')}{screen.points(result.points)}"


def _row(seat: str, settled: Settled, screen: Screen) -> list[Text | str]:
    paid = settled.payments[seat]
    style = "green" if paid > 0 else "red" if paid < 0 else ""
    roles = screen.say("comma").join(_roles(seat, settled, screen))
    shown = "0" if paid == 0 else f"{paid:+d}"
    return [screen.say(f"seat_{seat}"), Text(shown, style=style), roles]


def _roles(seat: str, settled: Settled, screen: Screen) -> list[str]:
    found: list[str] = []
    situations = [result.situation for result in settled.winners]
    if any(seat == situation.seat for situation in situations):
        found.append(screen.say("role_winner"))
    if situations and seat == situations[0].from_seat:
        robbed = situations[0].by == "robbing_kong"
        found.append(screen.say("role_robbed" if robbed else "role_discarder"))
    if any(seat == situation.liable and seat != situation.from_seat for situation in situations):
        found.append(screen.say("role_liable"))
    if seat in settled.ready:
        found.append(screen.say("role_ready"))
    if seat == settled.offender:
        found.append(screen.say("role_offender"))
    stakes = (settled.taken or {}).get(seat)
    if stakes:
        found.append(screen.say("role_takes", n=stakes))
    return found
