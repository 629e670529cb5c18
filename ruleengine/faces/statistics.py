"""Shows how often patterns count, what is lost, and the totals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.text import Text

from ruleengine.faces.scores import rules_title
from ruleengine.faces.screen import styled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.faces.screen import Screen
    from ruleengine.stats.summary import PatternCount, Stats

BAR = 12
"""How many columns the longest bar has."""
TOGETHER = 10
"""Pairs of patterns that are shown."""
MOST_LINES = 30
"""Totals that are shown one by one; where there are more they are taken together."""
_EIGHTHS = " ▏▎▍▌▋▊▉"


def show_stats(stats: Stats, source: str, screen: Screen) -> None:
    """Write what was looked at (`source`), the patterns, the totals, and what goes together."""
    screen.line(styled(rules_title(stats.rules, screen), "bold"))
    screen.line(source)
    if stats.weighted and stats.over == "all":
        screen.line(screen.say("stats_weighted", ways=grouped(stats.ways)))
    if stats.errors:
        screen.line(screen.say("stats_errors", n=grouped(stats.errors)))
    screen.line()
    if stats.below_minimum or stats.incomplete:
        below, incomplete = grouped(stats.below_minimum), grouped(stats.incomplete)
        screen.line(screen.say("stats_not_wins", below=below, incomplete=incomplete))
    screen.line(
        screen.say(
            "stats_wins",
            wins=grouped(stats.wins),
            share=percent(stats.wins, stats.ways),
            mean=f"{stats.mean:.2f}",
            median=stats.median,
        )
    )
    if stats.wins:
        _show_patterns(stats, screen)
        _show_totals(stats, screen)
        _show_together(stats, screen)


def _show_patterns(stats: Stats, screen: Screen) -> None:
    screen.heading(screen.say("patterns"))
    exact = _is_exact(stats)
    keys = ("", "share_of_wins", "", *(["counts"] if exact else []), "lost_head", "lost_to_head")
    rows = [_heads(keys, screen)]
    shown = [one for one in stats.patterns if one.counted or one.lost]
    shown.sort(key=lambda one: -one.counted)
    longest = max((one.counted for one in shown), default=0)
    for one in shown:
        name = one.pattern.name.get(screen.language) or one.pattern.id
        lost = grouped(one.lost) if exact or not one.lost else percent(one.lost, stats.wins)
        counted = _counted(one.counted, longest, stats, screen)
        rows.append([name, *counted, lost, _takers(one, stats, screen)])
    if stats.empty:
        name = stats.rules.data.total.empty_name.get(screen.language) or screen.say("chicken")
        rows.append([name, *_counted(stats.empty, longest, stats, screen), "", ""])
    screen.columns(rows, right=frozenset({1, 3, 4} if exact else {1, 3}))
    never = [one.pattern for one in stats.patterns if not one.counted and not one.lost]
    if never:
        names = screen.say("comma").join(p.name.get(screen.language) or p.id for p in never)
        screen.line()
        screen.line(screen.say("stats_never", patterns=names), indent=2, hang=2)


def _is_exact(stats: Stats) -> bool:
    """Whether numbers are shown beside shares: ways to draw hands run to seventeen digits."""
    return not (stats.weighted and stats.over == "all")


def _heads(keys: Iterable[str], screen: Screen) -> list[Text | str]:
    return [Text(screen.say(key) if key else "", style="dim") for key in keys]


def _counted(number: int, longest: int, stats: Stats, screen: Screen) -> list[str]:
    """The share of a number of wins, its bar, and the number where it is shown."""
    found = [percent(number, stats.wins), bar(number, longest, screen)]
    return [*found, grouped(number)] if _is_exact(stats) else found


def _takers(one: PatternCount, stats: Stats, screen: Screen) -> str:
    """The pattern that a pattern is lost to most often, and how many others there are."""
    if not one.lost_to:
        return ""
    first = next(iter(one.lost_to))
    name = stats.rules.data.patterns[first].name.get(screen.language) or first
    others = len(one.lost_to) - 1
    return f"{name} +{others}" if others else name


def _show_totals(stats: Stats, screen: Screen) -> None:
    screen.heading(screen.say("stats_totals"))
    exact = _is_exact(stats)
    keys = ("points_word", "share_of_wins", "", *(["wins_head"] if exact else []))
    rows = [_heads(keys, screen)]
    bins = binned(stats.totals, MOST_LINES)
    longest = max(number for _, _, number in bins)
    for low, high, number in bins:
        span = str(low) if low == high else f"{low}{screen.sign('–', '-')}{high}"
        rows.append([span, *_counted(number, longest, stats, screen)])
    screen.columns(rows, right=frozenset({0, 1, 3}))


def _show_together(stats: Stats, screen: Screen) -> None:
    often = sorted(stats.joint.items(), key=lambda item: -item[1])[:TOGETHER]
    if not often:
        return
    screen.heading(screen.say("stats_together"))
    by_id = stats.rules.data.patterns
    rows: list[list[Text | str]] = []
    for pair, number in often:
        names = " + ".join(by_id[id_].name.get(screen.language) or id_ for id_ in pair)
        shown = [grouped(number)] if _is_exact(stats) else []
        rows.append([percent(number, stats.wins), *shown, names])
    screen.columns(rows, right=frozenset({0, 1} if _is_exact(stats) else {0}))


# ---- numbers -----------------------------------------------------------------------


def grouped(number: int) -> str:
    """A number with its digits in groups of three."""
    return f"{number:,}"


def percent(part: int, whole: int) -> str:
    """A share in per cent, to three digits that matter."""
    if not whole or not part:
        return "0 %"
    if part == whole:
        return "100 %"
    share = 100 * part / whole
    digits = max(0, 2 - math.floor(math.log10(share)))
    return f"{share:.{min(digits, 9)}f} %"


def bar(number: int, longest: int, screen: Screen) -> str:
    """A bar as long as a number, `BAR` columns for the longest."""
    eighths = round(8 * BAR * number / longest) if longest else 0
    if screen.plain:
        return "#" * ((eighths + 4) // 8)
    if number and not eighths:
        eighths = 1
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def binned(totals: Mapping[int, int], most: int) -> list[tuple[int, int, int]]:
    """Totals in at most so many lines: the lowest and the highest of each, and how many.

    One total a line where that is enough, else steps of 5, 10, 20, 25, 50, ... points; empty
    steps are left out.
    """
    if len(totals) <= most:
        return [(points, points, number) for points, number in totals.items()]
    low, high = min(totals), max(totals)
    step = next(s for s in _steps() if high // s - low // s < most)
    found: dict[int, int] = {}
    for points, number in totals.items():
        found[points // step] = found.get(points // step, 0) + number
    return [(at * step, at * step + step - 1, number) for at, number in sorted(found.items())]


def _steps() -> Iterable[int]:
    ten = 1
    while True:
        yield from (2 * ten, 5 * ten, 10 * ten)
        ten *= 10
