"""How large the short list can be set so that it fits one A4 page."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.book.content import Entry

PAGE_WIDTH, PAGE_HEIGHT = 190.0, 277.0
"""What is left of an A4 page inside its margins of 10 mm, in millimetres."""
_HEAD = 27.0
"""Title, caption and column heads, in millimetres."""
_GAP = 3.0
_LINE = 1.36
"""The height of a line in ems: 1.28 in the style, and a little more where fonts are mixed."""
_RULE = 0.2
"""The line under a row, in millimetres."""
_FILLED = 0.85
"""How much of the free height is put between the rows; the rest is for what is reckoned wrong."""
_POINT = 0.3528
_SIZES = tuple(size / 4 for size in range(40, 19, -1))
_BADGE = 4.5
"""The mark of a bonus after its name, in ems."""
_SPARE = 1.06
"""Letters are a little wider in some fonts than is reckoned here."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Size of type in points, and what is put above and below each row in millimetres."""

    size: float
    padding: float


def fit(entries: Sequence[Entry]) -> Fit:
    """The largest size at which every row of the short list fits; else the smallest there is."""
    for size in _SIZES:
        free = PAGE_HEIGHT - _HEAD - _height(entries, size)
        if free >= 0.7 * len(entries):
            return Fit(size, min(1.0, _FILLED * free / max(len(entries), 1) / 2))
    return Fit(_SIZES[-1], 0.1)


def _height(entries: Sequence[Entry], size: float) -> float:
    em = size * _POINT
    columns = (
        max((ems(entry.code) for entry in entries), default=0.0),
        max((name_ems(entry) for entry in entries), default=0.0),
        max((ems(entry.worth) + 2 for entry in entries), default=0.0),
    )
    fixed = sum(column * em + _GAP for column in columns)
    room = max(PAGE_WIDTH - fixed, 20.0)
    lines = sum(max(1, ceil(ems(entry.brief.text) * em * _SPARE / room)) for entry in entries)
    return lines * em * _LINE + len(entries) * _RULE


def name_ems(entry: Entry) -> float:
    """The width of the names of a pattern as they stand in the short list."""
    others = sum(0.8 * ems(name.text) + 0.5 for name in entry.other_names[:1])
    badge = _BADGE if entry.bonus else 0.0
    return 1.08 * ems(entry.name.text) + others + badge


def ems(text: str) -> float:
    """The width of a text in ems, as most fonts have it."""
    return sum(1.0 if unicodedata.east_asian_width(sign) in "WF" else 0.52 for sign in text)
