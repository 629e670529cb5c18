from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleengine.errors import HandError
from ruleengine.tiles import (
    CLASSES,
    TILE_COUNT,
    TILE_NAMES,
    format_tiles,
    parse_tile,
    rank_of,
    seat_wind,
    suit_of,
    tile_name,
    tile_words,
    unicode_tile,
)

NUMERALS = ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE"]
UNICODE_NAMES = [
    *(f"{rank} OF CHARACTERS" for rank in NUMERALS),
    *(f"{rank} OF CIRCLES" for rank in NUMERALS),
    *(f"{rank} OF BAMBOOS" for rank in NUMERALS),
    *("EAST WIND", "SOUTH WIND", "WEST WIND", "NORTH WIND"),
    *("WHITE DRAGON", "GREEN DRAGON", "RED DRAGON"),
    *("PLUM", "ORCHID", "CHRYSANTHEMUM", "BAMBOO", "SPRING", "SUMMER", "AUTUMN", "WINTER"),
]


def members(name: str) -> str:
    return format_tiles(tile for tile in range(TILE_COUNT) if CLASSES[name] >> tile & 1)


@pytest.mark.parametrize(
    ("name", "tile"),
    [
        *(("1m", 0), ("9m", 8), ("1p", 9), ("9p", 17), ("1s", 18), ("9s", 26)),
        *(("1z", 27), ("4z", 30), ("5z", 31), ("7z", 33), ("1f", 34), ("8f", 41)),
    ],
)
def test_tile_numbers(name: str, tile: int) -> None:
    assert parse_tile(name) == tile
    assert tile_name(tile) == name


def test_there_are_42_tiles() -> None:
    assert len(TILE_NAMES) == TILE_COUNT == 42
    assert [parse_tile(name) for name in TILE_NAMES] == list(range(42))


@pytest.mark.parametrize("text", ["", "m", "5", "0m", "8z", "9f", "55m", "5M", " 5m", "五萬"])
def test_what_is_not_the_name_of_a_tile(text: str) -> None:
    with pytest.raises(HandError, match="not the name of a tile") as caught:
        parse_tile(text)
    assert caught.value.code == "H124"


@pytest.mark.parametrize(
    ("name", "tiles"),
    [
        ("characters", "123456789m"),
        ("dots", "123456789p"),
        ("bamboo", "123456789s"),
        ("numbered", "123456789m123456789p123456789s"),
        ("terminal", "19m19p19s"),
        ("simple", "2345678m2345678p2345678s"),
        ("odd", "13579m13579p13579s"),
        ("even", "2468m2468p2468s"),
        ("honor", "1234567z"),
        ("wind", "1234z"),
        ("dragon", "567z"),
        ("flower", "12345678f"),
    ],
)
def test_classes(name: str, tiles: str) -> None:
    assert members(name) == tiles


def test_no_other_class() -> None:
    assert len(CLASSES) == 12


def test_suit_and_rank() -> None:
    assert [suit_of(parse_tile(name)) for name in ("1m", "9p", "5s", "1z", "1f")] == [
        *(0, 1, 2),
        *(None, None),
    ]
    assert [rank_of(parse_tile(name)) for name in ("1m", "9p", "5s", "1z", "1f")] == [
        *(1, 9, 5),
        *(None, None),
    ]


def test_seat_winds() -> None:
    assert format_tiles([seat_wind("N"), seat_wind("E"), seat_wind("W")]) == "134z"
    assert tile_name(seat_wind("S")) == "2z"


@pytest.mark.parametrize("seat", ["", "e", "ES", "none", "X"])
def test_what_is_not_a_seat(seat: str) -> None:
    with pytest.raises(HandError, match="E, S, W and N") as caught:
        seat_wind(seat)
    assert caught.value.code == "H125"


@pytest.mark.parametrize(("tile", "name"), list(enumerate(UNICODE_NAMES)))
def test_pictures_bear_the_name_of_their_tile(tile: int, name: str) -> None:
    assert unicodedata.name(unicode_tile(tile)[0]) == f"MAHJONG TILE {name}"


def test_only_the_red_dragon_needs_a_text_selector() -> None:
    selected = [tile for tile in range(TILE_COUNT) if len(unicode_tile(tile)) > 1]
    assert selected == [parse_tile("7z")]
    assert unicode_tile(parse_tile("7z")) == "\U0001f004\ufe0e"


@pytest.mark.parametrize(
    ("name", "lang", "words"),
    [
        ("5m", "en", "five of characters"),
        ("1p", "en", "one of dots"),
        ("9s", "en", "nine of bamboo"),
        ("6z", "en", "Green"),
        ("3f", "en", "chrysanthemum"),
        ("5m", "zh-Hant", "五萬"),
        ("5m", "zh-Hans", "五万"),
        ("7p", "zh-Hant", "七筒"),
        ("2s", "zh-Hant", "二索"),
        ("2s", "zh-Hans", "二条"),
        ("1z", "zh-Hant", "東"),
        ("1z", "zh-Hans", "东"),
        ("5z", "ja", "白"),
        ("6z", "ja", "發"),
        ("6z", "zh-Hans", "发"),
        ("2f", "zh-Hans", "兰"),
        ("8f", "ja", "冬"),
    ],
)
def test_words(name: str, lang: str, words: str) -> None:
    assert tile_words(parse_tile(name), lang) == words


@pytest.mark.parametrize("lang", ["en", "zh-Hant", "zh-Hans", "ja"])
def test_words_tell_tiles_apart(lang: str) -> None:
    assert len({tile_words(tile, lang) for tile in range(TILE_COUNT)}) == TILE_COUNT


def test_words_in_an_unknown_language() -> None:
    with pytest.raises(ValueError, match="no tile names in 'fr'"):
        tile_words(0, "fr")


def test_format_sorts_and_joins() -> None:
    tiles = map(parse_tile, ["1z", "3m", "1f", "1m", "9s", "1z", "2p", "2m"])
    assert format_tiles(tiles) == "123m2p9s11z1f"
    assert format_tiles([]) == ""


@given(st.permutations(range(TILE_COUNT)))
def test_format_does_not_depend_on_the_order(tiles: list[int]) -> None:
    assert format_tiles(tiles) == "123456789m123456789p123456789s1234567z12345678f"
