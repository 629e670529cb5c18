"""A result as a small self-contained table of HTML, for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from ruleengine.faces.words import say, say_points
from ruleengine.tiles import SEATS, tile_name, tile_words, unicode_tile

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ruleengine.arrange import Group
    from ruleengine.result import Result

_BACK = "\U0001f02b"
_CELL = "padding:.1em .6em;text-align:left"
_NUMBER = "padding:.1em .6em;text-align:right"


def result_html(result: Result, language: str = "en") -> str:
    """A result as an HTML table: the hand in tiles, patterns, total, payments.

    Everything that comes from a ruleset is escaped; styles stand in the elements.
    """
    rules = result.rules
    rows = [
        f'<caption style="text-align:left"><b>{escape(rules.name(language))}</b> '
        f"({escape(rules.id)})</caption>",
        f'<tr><td colspan="3" style="{_CELL};font-size:2em">{_hand(result, language)}</td></tr>',
    ]
    for counted in result.patterns:
        times = "" if counted.count == 1 else f" ×{counted.count}"
        rows.append(_row(counted.code or "", counted.name(language) + times, str(counted.points)))
    if result.reason == "not_a_winning_hand":
        rows.append(_row("", say("not_a_winning_hand", language), "", bold=True))
    else:
        if all(counted.pattern.bonus for counted in result.patterns):
            empty = rules.data.total.empty_name.get(language) or say("chicken", language)
            rows.append(_row("", empty, str(result.base)))
        rows.append(_row("", say("total", language), str(result.points), bold=True))
    note = _note(result, language)
    if note:
        rows.append(_row("", note, ""))
    payments = result.payments
    if payments is not None:
        rows += [_row("", say(f"seat_{seat}", language), f"{payments[seat]:+d}") for seat in SEATS]
    return f'<table style="border-collapse:collapse">{"".join(rows)}</table>'


def _row(code: str, name: str, number: str, *, bold: bool = False) -> str:
    tag = "th" if bold else "td"
    return (
        f'<tr><{tag} style="{_CELL}">{escape(code)}</{tag}>'
        f'<{tag} style="{_CELL}">{escape(name)}</{tag}>'
        f'<{tag} style="{_NUMBER}">{escape(number)}</{tag}></tr>'
    )


def _note(result: Result, language: str) -> str:
    if result.reason == "below_minimum":
        points = say_points(result.base, language)
        minimum = result.rules.program.numbers.minimum
        return say("below_minimum", language, points=points, minimum=minimum)
    if result.limit == "limit_pattern":
        return say("limit_pattern", language)
    if result.limit == "cap":
        return say("limit_reached", language, cap=result.rules.program.numbers.cap)
    return ""


def _hand(result: Result, language: str) -> str:
    arranged, hand = result.arranged, result.hand
    if arranged is None:
        parts = [_tiles(hand.standing, language)] if hand.standing else []
        parts += [_tiles(meld.tiles, language) for meld in hand.melds]
        if hand.winning_tile is not None:
            parts.append(_tile(hand.winning_tile, language, won=True))
    else:
        won = arranged.winning_group
        parts = []
        if arranged.loose:
            mark = hand.winning_tile if won is None else None
            parts.append(_tiles(arranged.loose, language, mark))
        for place, group in enumerate(arranged.groups):
            parts.append(_group(group, language, hand.winning_tile if place == won else None))
    if hand.flowers:
        parts.append(_tiles(hand.flowers, language))
    return "&ensp;".join(parts)


def _group(group: Group, language: str, won: int | None) -> str:
    if group.kind == "kong" and group.status == "concealed":
        shown = _tile(group.tile, language)
        back = f'<span title="{_title(group.tile, language)}">{_BACK}</span>'
        return f"{back}{shown}{shown}{back}"
    text = _tiles(group.tiles, language, won)
    if group.status == "claimed":
        return f'<span style="border-bottom:2px solid">{text}</span>'
    return text


def _tiles(tiles: Iterable[int], language: str, won: int | None = None) -> str:
    """Tiles side by side; the last of the kind `won` is marked."""
    listed = list(tiles)
    mark = max((at for at, tile in enumerate(listed) if tile == won), default=-1)
    return "".join(_tile(t, language, won=at == mark) for at, t in enumerate(listed))


def _tile(tile: int, language: str, *, won: bool = False) -> str:
    style = ' style="outline:2px solid"' if won else ""
    return f'<span title="{_title(tile, language)}"{style}>{unicode_tile(tile)}</span>'


def _title(tile: int, language: str) -> str:
    return escape(f"{tile_name(tile)} {tile_words(tile, language)}")
