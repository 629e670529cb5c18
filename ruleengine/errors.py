"""The exception family of the package, and the stable codes of errors about hands."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

HAND_ERRORS: Mapping[str, str] = MappingProxyType(
    {
        "H101": "text too long",
        "H102": "unknown character",
        "H103": "number without a suit",
        "H104": "no such tile",
        "H105": "suit without a number",
        "H106": "bracket never closed",
        "H107": "bracket never opened",
        "H108": "brackets of two kinds",
        "H109": "bracket inside a bracket",
        "H110": "empty brackets",
        "H111": "not a sequence, triplet or kong",
        "H112": "not a concealed kong",
        "H113": "concealed triplet in brackets",
        "H114": "flower in a meld",
        "H115": "two winning tiles marked",
        "H116": "no tile after '+'",
        "H117": "winning tile inside a meld",
        "H118": "flower as the winning tile",
        "H119": "several tiles after '+'",
        "H120": "winning tile given twice",
        "H121": "winning_tile is not one tile",
        "H122": "flowers that are not flowers",
        "H123": "empty hand",
        "H124": "not the name of a tile",
        "H125": "not a seat",
        "H201": "more of a tile than there are",
        "H202": "tile not used by the ruleset",
        "H203": "wrong number of tiles",
        "H204": "no winning tile",
        "H205": "robbed kong of a tile held",
        "H206": "a meld that cannot be",
    }
)
"""Title of each code that a `HandError` of the hand notation and of the hand checks bears."""

_QUOTE_LIMIT = 40


class RuleEngineError(Exception):
    """Whatever this package has to tell a user about what was given to it."""


class HandError(RuleEngineError):
    """A hand or a record that cannot be.

    `code` is stable (H101, ...), `message` is one sentence, and `help` says how to put it right
    where that is certain.
    """

    def __init__(self, code: str, message: str, help: str | None = None) -> None:
        super().__init__(code, message, help)
        self.code = code
        self.message = message
        self.help = help

    def __str__(self) -> str:
        return self.message


def quote(text: str) -> str:
    """`text` in quotation marks for a message: shortened, with what cannot be seen spelled out."""
    shown = "".join(map(_visible, text[:_QUOTE_LIMIT]))
    return f"'{shown}…'" if len(text) > _QUOTE_LIMIT else f"'{shown}'"


def _visible(character: str) -> str:
    if character == " " or unicodedata.category(character)[0] not in "CMZ":
        return character
    return f"U+{ord(character):04X}"
