"""Shows one hand under several rulesets as one table: a column each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from ruleengine.faces.scores import awards_words, show_hand, situation_words
from ruleengine.faces.screen import column_widths
from ruleengine.result import Result
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.errors import HandError
    from ruleengine.faces.screen import Screen

_INDENT, _GAP = 2, 2


@dataclass(frozen=True, slots=True)
class Refused:
    """A ruleset under which the hand cannot have been won so, and why."""

    rules: str
    error: HandError


def show_comparison(found: Sequence[Result | Refused], screen: Screen) -> None:
    """Write one hand under several rulesets. At least one of them takes the hand.

    Where the columns are too many for the width they go into several tables, one below the other.
    """
    results = [one for one in found if isinstance(one, Result)]
    screen.line(screen.say("clause").join(situation_words(results[0], screen, counted=False)))
    show_hand(next((result for result in results if result.arranged), results[0]), screen)
    rows = _rows(found, screen)
    for few in _parts(rows, screen.width):
        screen.line()
        _show_table(few, screen)
    refused: dict[str, list[str]] = {}
    for one in found:
        if isinstance(one, Refused):
            refused.setdefault(one.error.message, []).append(one.rules)
    if refused:
        screen.line()
    for message, rules in refused.items():
        who = screen.say("comma").join(rules) + screen.say("colon")
        screen.line(who + message, indent=2, hang=2)


# ---- what stands in it ---------------------------------------------------------------


def _rows(found: Sequence[Result | Refused], screen: Screen) -> list[list[Text]]:
    """The rulesets, then rows for the patterns, the total, what is to note of it, and the seats."""
    names: dict[str, str] = {}
    for one in found:
        for counted in one.patterns if isinstance(one, Result) else ():
            names.setdefault(counted.id, counted.name(screen.language))
    ids = [one.rules.id if isinstance(one, Result) else one.rules for one in found]
    rows = [[Text(), *(Text(id, style="bold") for id in ids)]]
    for id, name in names.items():
        rows.append([Text(name), *(Text(_worth(one, id, screen)) for one in found)])
    absent = _absent(screen)
    totals = [str(one.points) if isinstance(one, Result) else absent for one in found]
    rows.append([Text(word, style="bold") for word in (screen.say("total"), *totals)])
    notes = [_note(one, screen) for one in found]
    if any(notes):
        rows.append([Text(), *map(Text, notes)])
    paid = [one.payments if isinstance(one, Result) else None for one in found]
    if any(paid):
        for seat in SEATS:
            shown = [absent if one is None else _signed(one[seat]) for one in paid]
            rows.append([Text(screen.say(f"seat_{seat}")), *map(Text, shown)])
    return rows


def _absent(screen: Screen) -> str:
    return screen.sign("·", "-")


def _signed(paid: int) -> str:
    return f"{paid:+d}" if paid else "0"


def _worth(one: Result | Refused, id: str, screen: Screen) -> str:
    if isinstance(one, Refused):
        return _absent(screen)
    for counted in one.patterns:
        if counted.id == id:
            times = "" if counted.count == 1 else f"{screen.sign('×', 'x')}{counted.count} "
            return times + awards_words(one.rules, counted.awards, counted.pattern)
    return _absent(screen)


def _note(one: Result | Refused, screen: Screen) -> str:
    if isinstance(one, Refused):
        return ""
    if one.reason == "not_a_winning_hand":
        return screen.say("no_win_word")
    if one.reason == "below_minimum":
        return screen.say("below_minimum_word")
    return "" if one.limit is None else screen.say("cap_word")


# ---- how it is set -------------------------------------------------------------------


def _show_table(rows: Sequence[Sequence[Text]], screen: Screen) -> None:
    right = frozenset(range(1, len(rows[0])))
    if _wide(rows) <= screen.width or len(rows[0]) == 2:
        screen.columns(rows, right=right)
        return
    for line in _stairs(rows, screen):
        screen.line(line, wrap=False)
    screen.columns([*rows[1:]], right=right)


def _wide(rows: Sequence[Sequence[Text]]) -> int:
    """How wide a table is whose heads stand side by side."""
    widths = column_widths(rows)
    return _INDENT + sum(widths) + _GAP * (len(widths) - 1)


def _ends(rows: Sequence[Sequence[Text]]) -> list[int]:
    """Where the last sign of each column but the first stands, heads aside."""
    ends: list[int] = []
    at = _INDENT
    for width in column_widths(rows[1:]):
        ends.append(at + width - 1)
        at += width + _GAP
    return ends[1:]


def _stairs(rows: Sequence[Sequence[Text]], screen: Screen) -> list[Text]:
    """The heads one below the other, each above the last sign of its column, with a line down
    to it."""
    ends = _ends(rows)
    down = screen.sign("│", "|")
    lines: list[Text] = []
    for place, head in enumerate(rows[0][1:]):
        line = Text()
        for before in ends[:place]:
            line.append(" " * (before - cell_len(line.plain)) + down)
        line.append(" " * (ends[place] - cell_len(line.plain)))
        lines.append(line.append_text(head))
    return lines


def _parts(rows: Sequence[Sequence[Text]], width: int) -> list[list[list[Text]]]:
    """The table, or several of as many columns as fit: at least one."""
    parts: list[list[list[Text]]] = []
    columns = len(rows[0])
    start = 1
    while start < columns:
        stop = columns
        while stop > start + 1 and not _fits(_taken(rows, start, stop), width):
            stop -= 1
        parts.append(_taken(rows, start, stop))
        start = stop
    return parts


def _taken(rows: Sequence[Sequence[Text]], start: int, stop: int) -> list[list[Text]]:
    taken = [[row[0], *row[start:stop]] for row in rows]
    return [row for row in taken if any(cell.plain for cell in row)]


def _fits(rows: Sequence[Sequence[Text]], width: int) -> bool:
    if _wide(rows) <= width:
        return True
    heads = zip(_ends(rows), rows[0][1:], strict=True)
    return max(end + cell_len(head.plain) for end, head in heads) <= width
