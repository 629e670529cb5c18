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
        "H126": "not tiles",
        "H201": "more of a tile than there are",
        "H202": "tile not used by the ruleset",
        "H203": "wrong number of tiles",
        "H204": "no winning tile",
        "H205": "robbed kong of a tile held",
        "H206": "a meld that cannot be",
        "H207": "waits of a complete hand",
        "H208": "a number that is no such tile",
        "H301": "not a way of winning",
        "H302": "not a wind",
        "H303": "a discarder on a self-draw",
        "H304": "a discard of the winner's own",
        "H305": "a liable seat that cannot be",
        "H306": "liability that the ruleset does not have",
        "H307": "unknown event",
        "H308": "an event that cannot have been",
        "H309": "dora that cannot be",
        "H310": "not dora",
        "H311": "a record with the wrong fields",
        "H312": "a field of the wrong kind",
        "H313": "a line that is no record",
        "H314": "an event named twice",
        "H315": "an earlier discard that cannot have been",
        "H316": "discards that cannot have been",
        "H317": "a tile that the winner may not win on",
        "H401": "a request with the wrong fields",
        "H402": "a field of a request of the wrong kind",
        "H403": "not a way for a hand to end",
        "H404": "stakes that cannot be",
        "H405": "a stake that does not go with the win",
        "H406": "wins that do not go together",
        "H407": "a hand that does not win",
        "H408": "a win without its discarder",
        "H901": "a mistake in the engine",
    }
)
"""Title of each code that a `HandError` bears: H1xx the notation, H2xx the hand, H3xx the
situation and the record, H4xx the settlement of a table."""

RULES_ERRORS: Mapping[str, str] = MappingProxyType(
    {
        "R100": "a ruleset that cannot be used",
        "R101": "unknown ruleset",
        "R102": "unknown option",
        "R103": "a value that the option cannot have",
    }
)
"""Title of each code of an error about which ruleset is used, and with what options."""

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
