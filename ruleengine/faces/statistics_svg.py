"""Draws how often patterns count and how totals are spread, as one SVG picture.

Above, a dot for each pattern on a logarithmic scale, since patterns differ by factors of
thousands: filled for how often it counts, hollow for how often it is there but lost. Below,
the totals as columns, with the mean. Colors follow the reader's light or dark setting.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from rich.cells import cell_len

from ruleengine.faces.scores import ruleset_title
from ruleengine.faces.statistics import binned, grouped, percent
from ruleengine.faces.words import say

if TYPE_CHECKING:
    from ruleengine.stats.summary import PatternCount, Stats

WIDTH = 920
MARGIN = 28
ROW = 21
LINE = 18
COLUMNS_HEIGHT = 200
MOST_COLUMNS = 100
_CELL = 7.2
"""How wide a column of text is taken to be, in pixels of the picture."""

_STYLE = """
svg { font-family: "Segoe UI", "Noto Sans CJK SC", "Hiragino Sans", system-ui, sans-serif;
      font-size: 13px; background: #fff; }
.title { font-size: 20px; font-weight: 600; }
.head { font-size: 14px; font-weight: 600; }
text { fill: #1f2328; } .soft { fill: #656d76; font-size: 12px; }
.grid { stroke: #d8dee4; stroke-width: 1; } .stem { stroke: #b9d3ca; stroke-width: 3; }
.counts { fill: #14795e; } .lost { fill: #fff; stroke: #c2571b; stroke-width: 1.8; }
.column { fill: #14795e; } .mean { stroke: #c2571b; stroke-width: 1.5; stroke-dasharray: 5 4; }
@media (prefers-color-scheme: dark) {
  svg { background: #12161b; } text { fill: #e6edf3; } .soft { fill: #9aa4af; }
  .grid { stroke: #2b323a; } .stem { stroke: #28564a; } .counts, .column { fill: #3fb592; }
  .lost { fill: #12161b; stroke: #f0935a; } .mean { stroke: #f0935a; }
}
"""


def draw_stats(stats: Stats, source: str, language: str) -> str:
    """The picture as SVG; `source` says what was looked at."""
    rules = stats.rules
    shown = sorted(
        (one for one in stats.patterns if one.counted or one.lost),
        key=lambda one: (-one.counted, -one.lost),
    )
    title = f"{ruleset_title(rules.data, language)} ({rules.id})"
    lines = [source]
    if stats.weighted and stats.over == "all":
        lines.append(say("stats_weighted", language, ways=grouped(stats.ways)))
    lines.append(
        say(
            "stats_wins",
            language,
            wins=grouped(stats.wins),
            share=percent(stats.wins, stats.ways),
            mean=f"{stats.mean:.2f}",
            median=stats.median,
        )
    )
    top = 82 + LINE * len(lines)
    bottom = top + ROW * max(len(shown), 1)
    columns_top = bottom + 92
    height = columns_top + COLUMNS_HEIGHT + 62
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
        _text(MARGIN, 38, title, "title"),
        *(_text(MARGIN, 60 + LINE * at, line, "soft") for at, line in enumerate(lines)),
        *_dots(shown, stats.wins, language, top, bottom),
        *_columns(stats, language, columns_top),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _dots(shown: list[PatternCount], wins: int, language: str, top: int, bottom: int) -> list[str]:
    """A dot for each pattern, with its name and its share."""
    if not shown:
        return []
    names = [one.pattern.name.get(language) or one.pattern.id for one in shown]
    left = MARGIN + min(max(cell_len(name) for name in names) * _CELL + 14, 340)
    right = WIDTH - MARGIN - 86
    least = min(n for one in shown for n in (one.counted, one.lost) if n) / wins
    low = math.floor(math.log10(least) + 1e-9)

    def across(number: int) -> float:
        """Where a number of wins stands."""
        share = math.log10(number / wins)
        return left + (right - left) * (share - low) / -low if low else right

    found = [
        f'<circle class="counts" cx="{MARGIN + 6:.0f}" cy="{top - 18}" r="5"/>',
        _text(MARGIN + 17, top - 14, say("counts", language), "soft"),
    ]
    after = MARGIN + 17 + cell_len(say("counts", language)) * _CELL + 18
    found += [
        f'<circle class="lost" cx="{after:.0f}" cy="{top - 18}" r="4.2"/>',
        _text(after + 11, top - 14, say("lost", language), "soft"),
    ]
    # The longest label is that of the smallest share; labels that have no room are left out.
    room = (right - left) / -low if low else right - left
    every = math.ceil((max(0, -low - 2) + 5) * _CELL / room)
    for power in range(low, 1):
        x = left + (right - left) * (power - low) / -low if low else right
        found.append(f'<line class="grid" x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{bottom}"/>')
        if -power % every == 0:
            label = f"{100 * 10.0**power:.{max(0, -power - 2)}f} %"
            found.append(_text(x, bottom + 17, label, "soft", "middle"))
    found.append(_text(right, bottom + 36, say("stats_scale", language), "soft", "end"))
    for at, (one, name) in enumerate(zip(shown, names, strict=True)):
        y = top + ROW * at + ROW / 2
        found.append("<g>")
        hint = f"{name}: {grouped(one.counted)}, {say('lost', language)}: {grouped(one.lost)}"
        found.append(f"<title>{escape(hint)}</title>")
        found.append(_text(left - 12, y + 4.5, name, "", "end"))
        if one.counted:
            x = across(one.counted)
            found.append(f'<line class="stem" x1="{left:.1f}" y1="{y}" x2="{x:.1f}" y2="{y}"/>')
        if one.lost:
            x = across(one.lost)
            found.append(f'<circle class="lost" cx="{x:.1f}" cy="{y}" r="4.2"/>')
        if one.counted:
            x = across(one.counted)
            found.append(f'<circle class="counts" cx="{x:.1f}" cy="{y}" r="5"/>')
        share = percent(one.counted, wins)
        found.append(_text(WIDTH - MARGIN, y + 4.5, share, "soft", "end"))
        found.append("</g>")
    return found


def _columns(stats: Stats, language: str, top: int) -> list[str]:
    """A column for each total, or for some together, and a line at the mean."""
    if not stats.totals:
        return []
    bins = binned(stats.totals, MOST_COLUMNS)
    left, right, bottom = MARGIN + 48, WIDTH - MARGIN, top + COLUMNS_HEIGHT
    highest = max(number for _, _, number in bins) / stats.wins
    step = _nice(highest / 4)
    ceiling = step * math.ceil(highest / step - 1e-9)
    found = [_text(MARGIN, top - 22, say("stats_totals", language), "head")]
    for line in range(round(ceiling / step) + 1):
        y = bottom - COLUMNS_HEIGHT * line * step / ceiling
        found.append(f'<line class="grid" x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        digits = max(0, -math.floor(math.log10(100 * step) + 1e-9))
        found.append(_text(left - 8, y + 4, f"{100 * line * step:.{digits}f} %", "soft", "end"))
    low, high = bins[0][0], bins[-1][1]
    width = min((b[0] - a[0] for a, b in itertools.pairwise(bins)), default=1)
    scale = (right - left) / (high + width - low)
    for first, last, number in bins:
        x = left + (first - low) * scale
        tall = COLUMNS_HEIGHT * number / stats.wins / ceiling
        span = str(first) if first == last else f"{first}–{last}"
        hint = f"{span}: {grouped(number)} ({percent(number, stats.wins)})"
        found.append(
            f'<rect class="column" x="{x + 0.8:.1f}" y="{bottom - tall:.1f}" '
            f'width="{max(width * scale - 1.6, 1):.1f}" height="{tall:.1f}" rx="1.5">'
            f"<title>{escape(hint)}</title></rect>"
        )
    mark = _nice((high - low) / 10) if high > low else 1
    tick = math.ceil(low / mark) * mark
    while tick <= high:
        x = left + (tick - low) * scale
        found.append(_text(x, bottom + 18, f"{tick:g}", "soft", "middle"))
        tick += mark
    x = left + (stats.mean - low) * scale
    found.append(f'<line class="mean" x1="{x:.1f}" y1="{top - 8}" x2="{x:.1f}" y2="{bottom}"/>')
    mean = say("stats_mean", language, mean=f"{stats.mean:.1f}")
    found.append(_text(x + 6, top - 2, mean, "soft"))
    found.append(_text(right, bottom + 38, say("points_word", language), "soft", "end"))
    return found


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    class_ = f' class="{kind}"' if kind else ""
    where = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{class_}{where}>{escape(text)}</text>'


def _nice(step: float) -> float:
    """The next number of 1, 2, 2.5 or 5 times a power of ten."""
    ten: float = 10.0 ** math.floor(math.log10(step))
    return next(n * ten for n in (1, 2, 2.5, 5, 10) if n * ten >= step * (1 - 1e-9))
