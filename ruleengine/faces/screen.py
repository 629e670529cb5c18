"""The terminal: how wide it is, which signs and colours it can show, and aligned columns."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ruleengine.faces.words import say, say_points

if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_WIDTH = 20
"""Lines are never made for less; a narrower terminal breaks them itself."""
PIPE_WIDTH = 100
"""How wide lines are where the output is no terminal and COLUMNS is not set."""
_GAP = "  "
_ASIDE = re.compile(r"\s*[(（][^()（）\x20-\x7e]+[)）]")
_TYPOGRAPHIC = str.maketrans(
    {"–": "-", "—": "-", "−": "-", "×": "x", "·": "-", "…": "...", "→": "->"}
    | dict.fromkeys("‘’", "'")
    | dict.fromkeys("“”", '"')
)


class Screen:
    """Where text output goes: a terminal, a pipe or a file.

    `plain` keeps to ASCII signs and draws tiles as letters. Words that the encoding of the
    output cannot carry are given in English instead.
    """

    def __init__(self, language: str, *, plain: bool = False) -> None:
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        self.plain = plain or not can_carry("🀇×→", encoding)
        readable = can_carry(_sample(language), encoding)
        self.language = language if readable else "en"
        self.console = Console(
            width=_width(), highlight=False, markup=False, emoji=False, soft_wrap=False
        )

    @property
    def width(self) -> int:
        """How many columns a line has."""
        return self.console.width

    @property
    def ascii_only(self) -> bool:
        """Whether nothing but ASCII is wanted: plain signs and English words."""
        return self.plain and self.language == "en"

    def say(self, key: str, **values: object) -> str:
        """A phrase in the language of the screen."""
        return say(key, self.language, **values)

    def points(self, n: int) -> str:
        """A number of points in words."""
        return say_points(n, self.language)

    def sign(self, pretty: str, plain: str) -> str:
        """A sign, or what stands for it in ASCII."""
        return plain if self.plain else pretty

    # ---- writing --------------------------------------------------------------------

    def line(
        self, text: Text | str = "", *, indent: int = 0, hang: int = 0, wrap: bool = True
    ) -> None:
        """Write text, broken at the width; lines after the first go in by `hang` more columns.

        Without `wrap` it stays whole, as a path must that somebody wants to copy.
        """
        if not wrap:
            self._put(Text(" " * indent).append_text(_as_text(text)))
            return
        whole = self._prose(text)
        first = True
        for part in whole.split("\n", allow_blank=True):
            rest = part
            while True:
                margin = indent if first else indent + hang
                room = max(self.width - margin, MIN_WIDTH)
                pieces = rest.wrap(self.console, room)
                piece = pieces[0] if len(pieces) else Text()
                piece.rstrip()
                self._put(Text(" " * margin if piece.plain else "") + piece)
                first = False
                if len(pieces) <= 1:
                    break
                rest = _after(rest, piece.plain)

    def heading(self, text: str) -> None:
        """Write an empty line and a heading."""
        self.line()
        self.line(Text(text, style="bold"))

    def columns(
        self,
        rows: Sequence[Sequence[Text | str]],
        *,
        right: frozenset[int] = frozenset(),
        indent: int = 2,
        wrap: bool = True,
    ) -> None:
        """Write rows in aligned columns, those in `right` flush right; the last column wraps,
        unless `wrap` forbids it.

        Where the last column has no room of its own nothing is aligned, and it goes under the
        others unless it holds numbers.
        """
        read = self._prose if wrap else _as_text
        cells = [[read(cell) for cell in row] for row in rows]
        widths = column_widths(cells)
        start = indent + sum(width + len(_GAP) for width in widths[:-1])
        stacked = wrap and self.width - start < min(MIN_WIDTH, widths[-1] if widths else 0)
        for row in cells:
            if stacked:
                together = row if len(row) - 1 in right else row[:-1]
                filled = [cell for cell in together if cell.plain]
                self.line(Text(_GAP).join(filled), indent=indent, hang=2)
                if together is not row:
                    self.line(row[-1], indent=indent + 2)
                continue
            line = Text()
            for at, cell in enumerate(row):
                line.append(_GAP if at else "")
                line.append_text(aligned(cell, widths[at], at in right))
            line.rstrip()
            self.line(line, indent=indent, hang=start - indent, wrap=wrap)

    def _prose(self, text: Text | str) -> Text:
        """A text to read; without signs beyond ASCII where those are not wanted."""
        whole = _as_text(text)
        if not self.ascii_only or whole.plain.isascii():
            return whole
        return Text(ascii_words(whole.plain), style=whole.style)

    def _put(self, text: Text) -> None:
        self.console.print(text, soft_wrap=True, end="\n")


def _as_text(text: Text | str) -> Text:
    return text if isinstance(text, Text) else Text(text)


def styled(text: str, style: str) -> Text:
    """A text in a style that does not spread to what is appended."""
    return Text().append(text, style)


def column_widths(rows: Sequence[Sequence[Text]]) -> list[int]:
    """The width of each column, in columns of the terminal."""
    widths: list[int] = []
    for row in rows:
        for at, cell in enumerate(row):
            width = cell_len(cell.plain)
            if at == len(widths):
                widths.append(width)
            else:
                widths[at] = max(widths[at], width)
    return widths


def aligned(cell: Text, width: int, right: bool = False) -> Text:
    """A text filled up to a width."""
    fill = Text(" " * max(width - cell_len(cell.plain), 0))
    return fill + cell if right else cell + fill


def _after(text: Text, begun: str) -> Text:
    """What is left of a text after its first line."""
    rest = text[len(begun) :]
    start = len(rest.plain) - len(rest.plain.lstrip(" "))
    return rest[start:]


def ascii_words(text: str) -> str:
    """An English text without its asides in other writing, and with ASCII for typographic signs
    and accents. Whatever else is not ASCII stays.

    >>> ascii_words("Simple Mahjong (简易麻将) – by Zoë")
    'Simple Mahjong - by Zoe'
    """
    whole = _ASIDE.sub("", text).translate(_TYPOGRAPHIC)
    bare = (
        sign for sign in unicodedata.normalize("NFKD", whole) if not unicodedata.combining(sign)
    )
    plain = "".join(bare)
    return plain if plain.isascii() else whole


def can_carry(text: str, encoding: str) -> bool:
    """Whether a text can be written in an encoding."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _sample(language: str) -> str:
    return say("not_a_winning_hand", language) + say("limit_cap", language)


def _width() -> int | None:
    """The width of the output; None leaves it to the terminal."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdigit() and int(columns) > 0:
        return max(int(columns), MIN_WIDTH)
    return None if sys.stdout.isatty() else PIPE_WIDTH
