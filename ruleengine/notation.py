"""Reading hands: mpsz, Unicode tiles and Chinese words, to the same `Hand`.

Text in the canonical form takes a short way by tables. Whatever that way does not know goes to the
careful reader, which reads all that the notation allows and says what is wrong with the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal, NamedTuple

from ruleengine.errors import HandError, quote
from ruleengine.hand import ALL_MELDS, Hand, Meld
from ruleengine.tiles import (
    FIRST_FLOWER,
    FIRST_HONOR,
    FIRST_TILE,
    LETTER_SIZE,
    TILE_COUNT,
    TILE_INDEX,
    format_tiles,
    unicode_tile,
)

MAX_LENGTH = 200
"""How many characters of text a hand may have."""


def read_hand(text: str, *, winning_tile: str | None = None, flowers: str | None = None) -> Hand:
    """Read a hand such as `123m456p1z[789s](9999m)+1z`.

    `winning_tile` is one tile, for a hand without `+`; `flowers` are added to those of the hand.
    Tile counts and hand size are not looked at (see `check_hand`).
    Raises `HandError` H101 to H123 for text that is no hand.
    """
    hand = _read_canonical(text) or _read_carefully(text)
    if winning_tile is None and flowers is None:
        return hand
    return Hand(
        hand.standing,
        hand.melds,
        hand.winning_tile if winning_tile is None else _single_tile(hand, winning_tile),
        hand.flowers if flowers is None else tuple(sorted(hand.flowers + _only_flowers(flowers))),
    )


# --- the short way ---------------------------------------------------------------------------

_canonical = re.compile(
    r"((?:[1-9]+[mps]|[1-7]+z|[1-8]+f)*)"
    r"((?:\[[1-9]{3,4}[mpsz]\]|\([1-9]{4}[mpsz]\))*)"
    r"(?:\+([1-9][mps]|[1-7]z))?"
).fullmatch
_runs = re.compile(r"[1-9]+.").findall
_melds = re.compile(r".+?[\])]").findall

_DIGITS_TO_TILES: Mapping[str, bytes] = {
    letter: bytes(
        (first + code - ord("1")) % 256 if ord("1") <= code <= ord("9") else 255
        for code in range(256)
    )
    for letter, first in FIRST_TILE.items()
}


def _spellings(meld: Meld) -> Iterator[str]:
    """Each way to write a meld in one run of digits."""
    text = str(meld)
    for order in set(permutations(text[1:-2])):
        yield "".join((text[0], *order, text[-2:]))


_MELD_OF_TEXT: Mapping[str, Meld] = {text: meld for meld in ALL_MELDS for text in _spellings(meld)}


def _read_canonical(text: str) -> Hand | None:
    """The hand of a text in nearly canonical form; None where a careful look is needed."""
    match = _canonical(text)
    if match is None or not text or len(text) > MAX_LENGTH:
        return None
    runs, melds, winning = match.groups()
    codes = b""
    for run in _runs(runs):
        codes += run[:-1].encode().translate(_DIGITS_TO_TILES[run[-1]])
    standing = tuple(sorted(codes))
    flowers: tuple[int, ...] = ()
    if standing and standing[-1] >= FIRST_FLOWER:
        flowers = tuple([tile for tile in standing if tile >= FIRST_FLOWER])
        standing = standing[: -len(flowers)]
    try:
        return Hand(
            standing,
            tuple([_MELD_OF_TEXT[meld] for meld in _melds(melds)]) if melds else (),
            TILE_INDEX[winning] if winning else None,
            flowers,
        )
    except KeyError:
        return None


# --- the careful way: text to words ----------------------------------------------------------

_Kind = Literal["rank", "suit", "tile", "open", "close", "plus"]
_Suit = Literal["m", "p", "s", "z", "f"]

_FULL_WIDTH = {code + 0xFEE0: code for code in range(0x21, 0x7F)}

_SUIT_WORDS: Mapping[str, str] = {
    **{letter: letter for letter in FIRST_TILE},
    **dict.fromkeys("萬万", "m"),
    **dict.fromkeys("筒桶餅饼", "p"),
    **dict.fromkeys("索條条", "s"),
}
_TILE_WORDS: Mapping[str, int] = {
    **{unicode_tile(tile)[0]: tile for tile in range(TILE_COUNT)},
    **{
        word: tile
        for tile, words in enumerate(
            (
                *("東 东", "南", "西", "北", "白 白板", "發 发 青發 青发", "中 紅中 红中"),
                *("梅", "蘭 兰", "菊", "竹", "春", "夏", "秋", "冬"),
            ),
            FIRST_HONOR,
        )
        for word in words.split()
    },
}
_NUMERALS: Mapping[str, int] = {
    **{numeral: rank for rank, numeral in enumerate("0123456789")},
    **{numeral: rank for rank, numeral in enumerate("一二三四五六七八九", 1)},
}
_WORDS: Mapping[str, tuple[_Kind, int]] = {
    **{numeral: ("rank", rank) for numeral, rank in _NUMERALS.items()},
    **{word: ("suit", ord(letter)) for word, letter in _SUIT_WORDS.items()},
    **{word: ("tile", tile) for word, tile in _TILE_WORDS.items()},
    **{bracket: ("open", ord(bracket)) for bracket in "[("},
    "]": ("close", ord("[")),
    ")": ("close", ord("(")),
    "+": ("plus", 0),
}
_word_at = re.compile(
    "([\U0001f000-\U0001f029])[\ufe0e\ufe0f]?|("
    + "|".join(map(re.escape, sorted(_WORDS, key=len, reverse=True)))
    + ")"
).match


class _Word(NamedTuple):
    kind: _Kind
    value: int
    start: int
    end: int


class _Source:
    """A text without its spaces, that can still quote and point into the text as written."""

    __slots__ = ("_name", "_places", "_written", "text")

    def __init__(self, written: str, name: str) -> None:
        if len(written) > MAX_LENGTH:
            raise HandError(
                "H101",
                f"the text of {name} has {len(written)} characters, "
                f"and at most {MAX_LENGTH} are read",
            )
        self._written = written
        self._name = name
        self._places = [i for i, character in enumerate(written) if not character.isspace()]
        self.text = "".join(written[i] for i in self._places).translate(_FULL_WIDTH)

    def quote(self, start: int, end: int) -> str:
        return quote(self._written[self._places[start] : self._places[end - 1] + 1])

    def place(self, start: int) -> str:
        place = f"character {self._places[start] + 1}"
        return place if self._name == "the hand" else f"{place} of {self._name}"

    def point(self, start: int, end: int) -> str:
        """The part from `start` to `end` quoted, with its place."""
        return f"{self.quote(start, end)} at {self.place(start)}"


def _words(source: _Source) -> Iterator[_Word]:
    place, end = 0, len(source.text)
    while place < end:
        match = _word_at(source.text, place)
        if match is None:
            raise _unknown_character(source, place)
        yield _Word(*_WORDS[match[1] or match[2]], place, match.end())
        place = match.end()


def _unknown_character(source: _Source, place: int) -> HandError:
    character = source.text[place]
    after_number = place > 0 and source.text[place - 1] in _NUMERALS
    help_line = None
    if after_number and character.lower() in FIRST_TILE:
        help_line = f"suits are small letters: write {character.lower()}"
    elif not after_number and character in "ESWN":
        help_line = "East, South, West and North are 1z, 2z, 3z and 4z"
    return HandError("H102", f"{source.point(place, place + 1)} is no part of a tile", help_line)


# --- the careful way: words to tiles ---------------------------------------------------------


class _Part(NamedTuple):
    """Tiles written together, a bracket or a plus sign."""

    kind: Literal["tiles", "open", "close", "plus"]
    tiles: tuple[int, ...]
    bracket: int
    start: int
    end: int


_LETTER_RANGES: Mapping[str, str] = {
    "m": "characters run from 1 to 9",
    "p": "dots run from 1 to 9",
    "s": "bamboo runs from 1 to 9",
    "z": "honors run from 1z to 7z",
    "f": "flowers run from 1f to 8f",
}


def _parts(source: _Source) -> Iterator[_Part]:
    ranks: list[_Word] = []
    in_brackets = False
    for word in _words(source):
        if word.kind == "rank":
            ranks.append(word)
        elif word.kind == "suit":
            yield _numbered(source, ranks, word)
            ranks = []
        elif ranks:
            if in_brackets and word.kind in ("open", "plus"):
                # The taker refuses these inside a meld, and that says more than the bare number.
                yield _Part(word.kind, (), word.value, word.start, word.end)
            raise _no_suit(source, ranks, word)
        elif word.kind == "tile":
            yield _Part("tiles", (word.value,), 0, word.start, word.end)
        else:
            in_brackets = word.kind == "open" or (in_brackets and word.kind == "plus")
            yield _Part(word.kind, (), word.value, word.start, word.end)
    if ranks:
        raise _no_suit(source, ranks, None)


def _numbered(source: _Source, ranks: list[_Word], suit: _Word) -> _Part:
    if not ranks:
        raise HandError("H105", f"{source.point(suit.start, suit.end)} has no number before it")
    letter = chr(suit.value)
    for rank in ranks:
        if not 1 <= rank.value <= LETTER_SIZE[letter]:
            digit, suit_text = source.text[rank.start], source.text[suit.start]
            raise HandError(
                "H104",
                f"there is no tile {quote(digit + suit_text)} (number at "
                f"{source.place(rank.start)}): {_LETTER_RANGES[letter]}",
            )
    first = FIRST_TILE[letter] - 1
    return _Part("tiles", tuple(first + r.value for r in ranks), 0, ranks[0].start, suit.end)


def _no_suit(source: _Source, ranks: list[_Word], following: _Word | None) -> HandError:
    help_line = "write m, p, s, z or f after the number"
    if following is not None and following.kind == "plus":
        help_line = "tiles before and after '+' need a suit each: 45m+6m"
    elif following is not None and source.text[following.start : following.end] == "竹":
        help_line = "竹 is a flower: the bamboo suit is 索 or 条"
    numbers = source.point(ranks[0].start, ranks[-1].end)
    return HandError("H103", f"the number {numbers} has no suit", help_line)


# --- the careful way: tiles to a hand --------------------------------------------------------

_SQUARE = ord("[")

_CLOSING = frozenset("])")


def _next_bracket(text: str) -> str | None:
    """The first bracket in a text."""
    return next((sign for sign in text if sign in "[(])"), None)


_MELD_OF_TILES: Mapping[tuple[bool, tuple[int, ...]], Meld] = {
    (meld.claimed, meld.tiles): meld for meld in ALL_MELDS
}


@dataclass(slots=True, eq=False, repr=False)
class _Draft:
    """A hand while it is being read, one part after another."""

    source: _Source
    standing: list[int] = field(default_factory=list)
    flowers: list[int] = field(default_factory=list)
    melds: list[Meld] = field(default_factory=list)
    winning_tile: int | None = None
    opened: _Part | None = None
    in_meld: list[int] = field(default_factory=list)
    plus: _Part | None = None

    def tiles(self, part: _Part) -> None:
        if self.opened is not None:
            self._meld_tiles(part)
        elif self.plus is not None and self.winning_tile is None:
            self.winning_tile = _marked_tile(self.source, self.plus, part)
        else:
            for tile in part.tiles:
                (self.flowers if tile >= FIRST_FLOWER else self.standing).append(tile)

    def _meld_tiles(self, part: _Part) -> None:
        if part.tiles[0] >= FIRST_FLOWER:
            raise HandError(
                "H114",
                f"{self.source.point(part.start, part.end)} stands in a meld, "
                "and flowers are never melded",
                "write flowers outside the brackets",
            )
        self.in_meld += part.tiles

    def mark(self, part: _Part) -> None:
        """Take a `+`."""
        if self.opened is not None:
            if _next_bracket(self.source.text[part.end :]) not in _CLOSING:
                raise self._never_closed(self.opened)
            raise HandError(
                "H117",
                f"the {self.source.point(part.start, part.end)} stands inside a meld, "
                "and the winning tile is never part of one",
                "write the tiles that the winning tile completes without brackets",
            )
        if self.plus is not None:
            raise HandError(
                "H115",
                f"the winning tile is marked twice, by '+' at {self.source.place(self.plus.start)} "
                f"and again at {self.source.place(part.start)}",
            )
        self.plus = part

    def open(self, part: _Part) -> None:
        self._need_winning_tile()
        if self.opened is not None:
            raise HandError(
                "H109",
                f"the bracket {self.source.point(part.start, part.end)} opens inside the one "
                f"at {self.source.place(self.opened.start)}",
                "close each meld before the next one",
            )
        self.opened = part

    def close(self, part: _Part) -> None:
        self._need_winning_tile()
        source, opened = self.source, self.opened
        if opened is None:
            raise HandError(
                "H107", f"the bracket {source.point(part.start, part.end)} was never opened"
            )
        if opened.bracket != part.bracket:
            raise HandError(
                "H108",
                f"the bracket {source.point(opened.start, opened.end)} is closed by "
                f"{source.point(part.start, part.end)}",
            )
        self.melds.append(_meld(source, opened, part, tuple(sorted(self.in_meld))))
        self.in_meld = []
        self.opened = None

    def _need_winning_tile(self) -> None:
        if self.plus is not None and self.winning_tile is None:
            raise HandError(
                "H116", f"no tile follows the {self.source.point(self.plus.start, self.plus.end)}"
            )

    def _never_closed(self, opened: _Part) -> HandError:
        bracket = self.source.point(opened.start, opened.end)
        return HandError("H106", f"the bracket {bracket} is never closed")

    def finish(self) -> Hand:
        self._need_winning_tile()
        if self.opened is not None:
            raise self._never_closed(self.opened)
        return Hand(
            tuple(sorted(self.standing)),
            tuple(self.melds),
            self.winning_tile,
            tuple(sorted(self.flowers)),
        )


def _read_carefully(text: str) -> Hand:
    source = _Source(text, "the hand")
    if not source.text:
        raise HandError("H123", "the hand is empty")
    draft = _Draft(source)
    steps = {"tiles": draft.tiles, "plus": draft.mark, "open": draft.open, "close": draft.close}
    for part in _parts(source):
        steps[part.kind](part)
    return draft.finish()


def _marked_tile(source: _Source, plus: _Part, part: _Part) -> int:
    marked = source.point(plus.start, part.end)
    if part.tiles[0] >= FIRST_FLOWER:
        raise HandError(
            "H118",
            f"{marked} marks a flower, and a flower is never the winning tile",
            "write flowers without '+'",
        )
    if len(part.tiles) > 1:
        raise HandError(
            "H119",
            f"{marked} marks {len(part.tiles)} tiles, and one tile wins",
            "write the tiles that were in the hand before the '+'",
        )
    return part.tiles[0]


def _meld(source: _Source, opened: _Part, closed: _Part, tiles: tuple[int, ...]) -> Meld:
    claimed = opened.bracket == _SQUARE
    meld = _MELD_OF_TILES.get((claimed, tiles))
    if meld is not None:
        return meld
    written = source.point(opened.start, closed.end)
    if not tiles:
        raise HandError("H110", f"the brackets {written} are empty")
    if claimed:
        raise HandError(
            "H111", f"{written} is not a sequence, triplet or kong: {_why_no_meld(tiles)}"
        )
    raise _no_concealed_kong(written, tiles)


def _why_no_meld(tiles: tuple[int, ...]) -> str:
    number = len(tiles)
    if number < 3:
        return f"a meld has three tiles, or four in a kong, and this has {number}"
    if number > 4:
        return f"it has {number} tiles, and each meld needs its own brackets"
    if number == 4:
        return "four tiles are a kong only when they are all the same"
    if tiles[0] >= FIRST_HONOR:
        return "honors make no sequence, and these are not three of one tile"
    if tiles[-1] >= FIRST_HONOR or tiles[0] // 9 != tiles[-1] // 9:
        return "its tiles are not of one suit"
    return "its ranks neither follow one another nor are all the same"


def _no_concealed_kong(written: str, tiles: tuple[int, ...]) -> HandError:
    text = format_tiles(tiles)
    if len(tiles) == 3 and tiles[0] == tiles[2]:
        return HandError(
            "H113",
            f"{written} has three tiles: round brackets hold a concealed kong, and concealed "
            "triplets are written without brackets",
            f"write {text}",
        )
    help_line = None
    if (True, tiles) in _MELD_OF_TILES:
        help_line = f"write {text} when it is concealed, [{text}] when it was claimed"
    return HandError(
        "H112",
        f"{written} is not a concealed kong: round brackets hold four of one tile",
        help_line,
    )


# --- the other arguments ---------------------------------------------------------------------


def read_tiles(text: str, name: str) -> tuple[int, ...]:
    """Tiles in any of the notations, as they are written; `name` is what they are called.

    Raises `HandError` H101 to H105 for text that is no tiles, H126 for signs besides tiles.
    """
    source = _Source(text, name)
    tiles: list[int] = []
    for part in _parts(source):
        if part.kind != "tiles":
            raise HandError("H126", f"{source.point(part.start, part.end)} is not a tile")
        tiles += part.tiles
    if not tiles:
        raise HandError("H126", f"{name} names no tile")
    return tuple(tiles)


def _single_tile(hand: Hand, text: str) -> int:
    """The tile of the argument `winning_tile`."""
    if hand.winning_tile is not None:
        raise HandError(
            "H120",
            "the winning tile is given twice, by '+' in the hand "
            f"and as winning_tile {quote(text)}",
        )
    tile = TILE_INDEX.get(text)
    if tile is None:
        parts = list(_parts(_Source(text, "winning_tile")))
        if len(parts) != 1 or len(parts[0].tiles) != 1:
            raise HandError("H121", f"winning_tile must be one tile, and {quote(text)} is not")
        tile = parts[0].tiles[0]
    if tile >= FIRST_FLOWER:
        raise HandError(
            "H118", f"winning_tile {quote(text)} is a flower, which is never the winning tile"
        )
    return tile


def _only_flowers(text: str) -> tuple[int, ...]:
    """The tiles of the argument `flowers`."""
    source = _Source(text, "flowers")
    tiles: list[int] = []
    for part in _parts(source):
        if part.kind != "tiles" or part.tiles[0] < FIRST_FLOWER:
            raise HandError(
                "H122",
                f"{source.point(part.start, part.end)} is not a flower: flowers are 1f to 8f",
            )
        tiles += part.tiles
    return tuple(tiles)
