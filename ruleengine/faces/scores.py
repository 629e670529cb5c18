"""Shows results: the hand in tiles, what counts, the total, who pays whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ruleengine.faces.dora import dora_words
from ruleengine.faces.pictures import draw_arrangement, draw_hand, show_blocks
from ruleengine.tiles import SEATS, format_tiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.faces.screen import Screen
    from ruleengine.hand import Situation
    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Pattern, RulesetData

_RIGHT = frozenset({2})


def rules_title(rules: Rules, screen: Screen) -> str:
    """A ruleset by name, version, id and the options that are not at their defaults."""
    changed = [
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in rules.options.items()
        if value != rules.data.options[name].default
    ]
    inside = screen.say("comma").join([rules.id, *changed])
    return f"{ruleset_title(rules.data, screen.language)} ({inside})"


def ruleset_title(data: RulesetData, language: str) -> str:
    """A ruleset by name and version."""
    return f"{data.name.get(language) or data.id} {data.version}"


def situation_words(result: Result, screen: Screen, *, counted: bool = True) -> list[str]:
    """How a hand was won, in words: seat, way, round, events, dora. Unless `counted`, dora
    indicators stand without the number of dora that the ruleset makes of them."""
    situation = result.situation
    say = screen.say
    seat = say(f"seat_{situation.seat}")
    key = "wins_by" if result.win else "would_win_by"
    words = [say(key, seat=seat, how=_way(situation, screen)), say(f"round_{situation.round}")]
    if situation.liable == "none":
        words.append(say("liable_none"))
    elif situation.liable is not None and situation.liable != situation.from_seat:
        words.append(say("liable_seat", seat=say(f"seat_{situation.liable}")))
    events = result.rules.data.events
    words += [
        event.name.get(screen.language) or name
        for name, event in events.items()
        if name in situation.events
    ]
    words += dora_words(result, screen.language, counted=counted)
    if result.hand.flowers:
        words.append(say("flowers", tiles=format_tiles(result.hand.flowers)))
    return words


def _way(situation: Situation, screen: Screen) -> str:
    if situation.from_seat is None:
        return screen.say(f"by_{situation.by}")
    return screen.say(f"from_{situation.by}", seat=screen.say(f"seat_{situation.from_seat}"))


def show_head(result: Result, screen: Screen) -> None:
    """Write the ruleset, the situation and the hand."""
    screen.line(Text(rules_title(result.rules, screen), style="bold"))
    screen.line(screen.say("clause").join(situation_words(result, screen)))
    show_hand(result, screen)


def show_hand(result: Result, screen: Screen) -> None:
    """Write the hand in tiles, arranged where it has a winning shape."""
    screen.line()
    arranged = result.arranged
    if arranged is None:
        show_blocks(draw_hand(result.hand, screen), screen)
    else:
        show_blocks(draw_arrangement(arranged, result.hand, screen), screen)


def show_result(result: Result, screen: Screen) -> None:
    """Write all that a score says."""
    show_head(result, screen)
    screen.line()
    if result.reason == "not_a_winning_hand":
        screen.line(Text(screen.say("not_a_winning_hand"), style="bold"))
        return
    show_patterns(result, screen)
    if not result.win:
        screen.line()
        screen.line(Text(no_win_words(result, screen), style="bold"))
        return
    show_payments(result, screen)


def no_win_words(result: Result, screen: Screen) -> str:
    """Why a hand does not win."""
    if result.reason == "not_a_winning_hand":
        return screen.say("not_a_winning_hand")
    minimum = result.rules.program.numbers.minimum
    return screen.say("below_minimum", points=screen.points(result.base), minimum=minimum)


def pattern_name(pattern: Pattern, language: str) -> str:
    """The name of a pattern, or its id where it has none."""
    return pattern.name.get(language) or pattern.id


def awards_words(rules: Rules, awards: Sequence[int], pattern: Pattern) -> str:
    """What a pattern adds: a number, with the units where there are several."""
    if len(rules.data.units) == 1:
        return str(awards[0])
    units = [unit for unit in rules.data.units if unit in pattern.awards]
    return " ".join(f"{award} {unit}" for award, unit in zip(awards, units, strict=True))


def show_patterns(result: Result, screen: Screen) -> None:
    """Write the patterns that count and the total, in columns."""
    times = screen.sign("×", "x")
    rows: list[list[Text | str]] = []
    for counted in result.patterns:
        name = counted.name(screen.language)
        if counted.count != 1:
            name += f" {times}{counted.count}"
        worth = awards_words(result.rules, counted.awards, counted.pattern)
        rows.append([counted.code or "", name, worth])
    if all(counted.pattern.bonus for counted in result.patterns):
        empty = result.rules.data.total.empty_name.get(screen.language) or screen.say("chicken")
        rows.insert(0, ["", empty, str(result.base)])
    total = Text(screen.say("total"), style="bold")
    rows.append(["", total, Text(str(result.points), style="bold")])
    screen.columns(
        _without_empty_code(rows), right=frozenset({len(_without_empty_code(rows)[0]) - 1})
    )
    if result.limit is not None:
        screen.line()
        screen.line(limit_words(result, screen), indent=2)


def _without_empty_code(rows: list[list[Text | str]]) -> list[list[Text | str]]:
    return rows if any(row[0] for row in rows) else [row[1:] for row in rows]


def limit_words(result: Result, screen: Screen) -> str:
    """What the limit did to a total."""
    if result.limit == "limit_pattern":
        return screen.say("limit_pattern")
    cap = result.rules.program.numbers.cap
    total = sum(counted.points for counted in result.patterns)
    if len(result.rules.data.units) > 1 or total <= (cap or 0):
        return screen.say("limit_reached", cap=cap)
    return screen.say("limit_cap", sum=total, cap=cap)


def show_payments(result: Result, screen: Screen) -> None:
    """Write what each seat gets or pays."""
    screen.heading(screen.say("payments"))
    payments = result.payments
    if payments is None:
        screen.line(screen.say("payments_unknown"), indent=2)
        return
    rows: list[list[Text | str]] = []
    for seat in SEATS:
        paid = payments[seat]
        shown = "0" if paid == 0 else f"{paid:+d}"
        style = "green" if paid > 0 else "red" if paid < 0 else ""
        roles = screen.say("comma").join(_roles(seat, result, screen))
        rows.append([screen.say(f"seat_{seat}"), Text(shown, style=style), roles])
    screen.columns(rows, right=frozenset({1}))


def _roles(seat: str, result: Result, screen: Screen) -> list[str]:
    situation = result.situation
    if seat == situation.seat:
        return [screen.say("role_winner")]
    found: list[str] = []
    if seat == situation.from_seat:
        robbed = situation.by == "robbing_kong"
        found.append(screen.say("role_robbed" if robbed else "role_discarder"))
    if seat == situation.liable and seat != situation.from_seat:
        found.append(screen.say("role_liable"))
    return found
