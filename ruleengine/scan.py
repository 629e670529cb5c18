"""Reads a hand in canonical text straight into packed counts and masks.

The way of a server that scores one hand in microseconds. Whatever it does not know, mistakes
included, it leaves to `notation.read_hand`; what it does know, both read alike.
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

from ruleengine.arrange import UNIT
from ruleengine.hand import ALL_MELDS, Meld
from ruleengine.tiles import FIRST_FLOWER, FIRST_TILE, LETTER_SIZE, TILE_INDEX


class Laid(NamedTuple):
    """A meld as facts: its place among `SORTS`, its lowest tile and its tiles as masks, and
    its packed count."""

    sort: int
    bit: int
    kinds: int
    code: int


SORTS = ("sequence", "claimed triplet", "claimed kong", "concealed kong")


def laid(meld: Meld) -> Laid:
    """The facts of a meld."""
    kinds = code = 0
    for tile in meld.tiles:
        kinds |= 1 << tile
        code += UNIT[tile]
    sort = {"sequence": 0, "triplet": 1, "kong": 2}[meld.kind]
    return Laid(sort if meld.claimed else 3, 1 << meld.tile, kinds, code)


LAID: dict[Meld, Laid] = {meld: laid(meld) for meld in ALL_MELDS}

_LAID_BY_TEXT: dict[str, Laid] = {
    "".join((text[0], *order, text[-2:])): facts
    for meld, facts in LAID.items()
    for text in (str(meld),)
    for order in set(permutations(text[1:-2]))
}

_WINNING: dict[str, int] = {name: tile for name, tile in TILE_INDEX.items() if tile < FIRST_FLOWER}

# By letter: what each digit before it adds to a packed count.
_UNITS: dict[str, dict[str, int]] = {
    letter: {str(rank + 1): UNIT[first + rank] for rank in range(LETTER_SIZE[letter])}
    for letter, first in FIRST_TILE.items()
    if first < FIRST_FLOWER
}

Scanned = tuple[int, int, tuple[Laid, ...], int]
"""Standing tiles as a packed count and their number, the melds, the winning tile."""


def scan(text: str) -> Scanned | None:
    """Read `123m456p1z[789s](9999m)+1z`; None for anything that needs a careful look."""
    if len(text) > 60:
        return None
    left, _, right = text.partition("+")
    won = _WINNING.get(right)
    if won is None:
        return None
    melds: tuple[Laid, ...] = ()
    if left[-1:] in "])" and left:
        start = left.find("[")
        other = left.find("(")
        if other >= 0 and (start < 0 or other < start):
            start = other
        pieces = left[start:].replace("]", "] ").replace(")", ") ").split()
        left = left[:start]
        try:
            melds = tuple([_LAID_BY_TEXT[piece] for piece in pieces])
        except KeyError:
            return None
    code = size = 0
    for letter in _LETTERS:
        left = left.replace(*letter)
    runs = left.split()
    if len(runs) > 4 or (len(runs) == 4 and runs[0] == runs[1]):
        # No usual way to write a hand; so many of one tile could not be counted.
        return None
    for run in runs:
        found = _RUNS.get(run)
        if found is None:
            found = _read_run(run)
            if found is None:
                return None
        code += found[0]
        size += found[1]
    return code, size, melds, won


_LETTERS = tuple((letter, letter + " ") for letter in _UNITS)
_RUNS: dict[str, tuple[int, int]] = {}
_MOST_RUNS = 200_000
"""How many runs of tiles (`2344m`) are kept read."""


def _read_run(run: str) -> tuple[int, int] | None:
    """Tiles of one letter as a packed count and their number."""
    units = _UNITS.get(run[-1])
    if units is None or len(run) < 2 or len(run) > 15 or max(map(run.count, run)) > 4:
        return None
    code = 0
    for sign in run[:-1]:
        unit = units.get(sign)
        if unit is None:
            return None
        code += unit
    if len(_RUNS) < _MOST_RUNS:
        _RUNS[run] = (code, len(run) - 1)
    return code, len(run) - 1
