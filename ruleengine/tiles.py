"""The tiles of the notation: their numbers, names, classes and pictures. No rules.

A tile is an `int`: suits m, p, s are `suit * 9 + rank - 1` (0..26), 1-7z are 27..33
(East South West North White Green Red), 1-8f are 34..41 (plum orchid chrysanthemum bamboo
spring summer autumn winter). A class of tiles is a mask with bit `1 << tile` for each of its tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ruleengine.errors import HandError, quote

SUITS = "mps"
SEATS = "ESWN"
FIRST_HONOR = 27
FIRST_FLOWER = 34
TILE_COUNT = 42

FIRST_TILE: Mapping[str, int] = MappingProxyType(
    {"m": 0, "p": 9, "s": 18, "z": FIRST_HONOR, "f": FIRST_FLOWER}
)
"""The lowest tile of each letter of the notation, in canonical order."""

LETTER_SIZE: Mapping[str, int] = MappingProxyType({"m": 9, "p": 9, "s": 9, "z": 7, "f": 8})
"""How many different tiles each letter has."""

TILE_NAMES: tuple[str, ...] = tuple(
    f"{number}{letter}" for letter, size in LETTER_SIZE.items() for number in range(1, size + 1)
)

TILE_INDEX: Mapping[str, int] = MappingProxyType({n: i for i, n in enumerate(TILE_NAMES)})
"""The tile of each name, the inverse of `TILE_NAMES`."""

# Unicode orders the dragons red, green, white, and bamboo before chrysanthemum.
_PICTURES: tuple[str, ...] = (
    *map(chr, range(0x1F007, 0x1F010)),
    *map(chr, range(0x1F019, 0x1F022)),
    *map(chr, range(0x1F010, 0x1F019)),
    *map(chr, (0x1F000, 0x1F001, 0x1F002, 0x1F003, 0x1F006, 0x1F005)),
    "\U0001f004\ufe0e",
    *map(chr, (0x1F022, 0x1F023, 0x1F025, 0x1F024)),
    *map(chr, range(0x1F026, 0x1F02A)),
)


def _numbered_words(numerals: Iterable[str], suits: Iterable[str]) -> tuple[str, ...]:
    ranks = tuple(numerals)
    return tuple(rank + suit for suit in suits for rank in ranks)


_ENGLISH_NUMERALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TRADITIONAL = (*_numbered_words("一二三四五六七八九", "萬筒索"), *"東南西北白發中梅蘭菊竹春夏秋冬")
_WORDS: Mapping[str, tuple[str, ...]] = {
    "en": (
        *_numbered_words(_ENGLISH_NUMERALS, (" of characters", " of dots", " of bamboo")),
        *("East", "South", "West", "North", "White", "Green", "Red"),
        *("plum", "orchid", "chrysanthemum", "bamboo flower"),
        *("spring", "summer", "autumn", "winter"),
    ),
    "zh-Hant": _TRADITIONAL,
    "zh-Hans": (
        *_numbered_words("一二三四五六七八九", "万筒条"),
        *"东南西北白发中梅兰菊竹春夏秋冬",
    ),
    "ja": _TRADITIONAL,
}


def suit_of(tile: int) -> int | None:
    """The suit of a tile, 0 characters, 1 dots, 2 bamboo; None for an honor or a flower."""
    return tile // 9 if tile < FIRST_HONOR else None


def rank_of(tile: int) -> int | None:
    """The rank of a tile, 1 to 9; None for an honor or a flower."""
    return tile % 9 + 1 if tile < FIRST_HONOR else None


def _mask(tiles: Iterable[int]) -> int:
    return sum(1 << tile for tile in tiles)


def _ranks(*wanted: int) -> int:
    return _mask(tile for tile in range(FIRST_HONOR) if rank_of(tile) in wanted)


CLASSES: Mapping[str, int] = MappingProxyType(
    {
        "characters": _mask(range(9)),
        "dots": _mask(range(9, 18)),
        "bamboo": _mask(range(18, 27)),
        "numbered": _mask(range(FIRST_HONOR)),
        "terminal": _ranks(1, 9),
        "simple": _ranks(2, 3, 4, 5, 6, 7, 8),
        "odd": _ranks(1, 3, 5, 7, 9),
        "even": _ranks(2, 4, 6, 8),
        "honor": _mask(range(FIRST_HONOR, FIRST_FLOWER)),
        "wind": _mask(range(FIRST_HONOR, FIRST_HONOR + 4)),
        "dragon": _mask(range(FIRST_HONOR + 4, FIRST_FLOWER)),
        "flower": _mask(range(FIRST_FLOWER, TILE_COUNT)),
    }
)
"""The classes of tiles that have a name whatever the ruleset; odd and even are of ranks."""


def tile_name(tile: int) -> str:
    """The name of a tile in the notation, such as `5m`."""
    return TILE_NAMES[tile]


def parse_tile(text: str) -> int:
    """The tile of a name such as `5m`.

    Raises `HandError` H124 for anything else.
    """
    tile = TILE_INDEX.get(text)
    if tile is None:
        raise HandError(
            "H124",
            f"{quote(text)} is not the name of a tile: tiles are 1-9m, 1-9p, 1-9s, 1-7z and 1-8f",
        )
    return tile


def seat_wind(seat: str) -> int:
    """The wind tile of a seat E, S, W or N.

    Raises `HandError` H125 for any other seat.
    """
    if len(seat) != 1 or seat not in SEATS:
        raise HandError("H125", f"{quote(seat)} is not a seat: seats are E, S, W and N")
    return FIRST_HONOR + SEATS.index(seat)


def unicode_tile(tile: int) -> str:
    """The picture of a tile as a Unicode character; the red dragon is kept from being an emoji."""
    return _PICTURES[tile]


def tile_words(tile: int, lang: str) -> str:
    """The name of a tile in words.

    `lang` is one of en, zh-Hant, zh-Hans and ja; raises `ValueError` for another.
    """
    words = _WORDS.get(lang)
    if words is None:
        raise ValueError(f"no tile names in {lang!r}: there are {', '.join(_WORDS)}")
    return words[tile]


def format_tiles(tiles: Iterable[int]) -> str:
    """Tiles in any order as canonical notation, sorted m p s z f, such as `123m11z`."""
    written: list[str] = []
    letter = ""
    for tile in sorted(tiles):
        name = TILE_NAMES[tile]
        number, next_letter = name[0], name[1]
        if next_letter != letter:
            written.append(letter)
            letter = next_letter
        written.append(number)
    written.append(letter)
    return "".join(written)
