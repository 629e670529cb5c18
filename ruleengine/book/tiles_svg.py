"""Pictures of tiles as SVG, drawn for this project.

A tile is 60 wide and 80 high. Its face lies on a body that shows its back along the lower edge; a
claimed tile lies on its side, 74 by 64. Colours come from the classes `tf` (face), `tb` (back),
`te` (edge), `tk` `tr` `tg` `tu` `ty` `tp` (black, red, green, blue, yellow, pink ink), fonts from
`sign` (Chinese signs) and `figure`, so that the page decides them (`style.css`).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR, rank_of, suit_of, tile_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

UPRIGHT = "0 0 60 80"
TURNED = "0 0 74 64"
BACK = "back"
"""The id of the symbol of a tile that lies face down."""

_NUMERALS = "一二三四五六七八九"
_WINDS = "東南西北"
_LETTERS = "ESWN"
_FLOWERS = "梅蘭菊竹春夏秋冬"


def symbol_id(tile: int) -> str:
    """The id of the symbol of a tile's face."""
    return f"t-{tile_name(tile)}"


def symbols(tiles: Iterable[int], *, figures: bool) -> str:
    """The symbols of bodies, back and the faces of some tiles.

    With `figures` characters, winds and flowers carry a small figure or letter, for readers who
    do not know the Chinese signs.
    """
    faces = "".join(
        f'<symbol id="{symbol_id(tile)}" viewBox="{UPRIGHT}">{face(tile, figures=figures)}</symbol>'
        for tile in sorted(set(tiles))
    )
    return (
        f'<symbol id="body" viewBox="{UPRIGHT}">{_body(60, 80)}</symbol>'
        f'<symbol id="body-turned" viewBox="{TURNED}">{_body(74, 64)}</symbol>'
        f'<symbol id="{BACK}" viewBox="{UPRIGHT}">{_back()}</symbol>{faces}'
    )


def upright(tile: int) -> str:
    """The inside of an svg with a tile that stands."""
    return f'<use href="#body"/><use href="#{symbol_id(tile)}"/>'


def turned(tile: int) -> str:
    """The inside of an svg with a tile that lies on its side."""
    return (
        '<use href="#body-turned"/><g transform="translate(37 30) rotate(-90) translate(-30 -37)">'
        f'<use href="#{symbol_id(tile)}" width="60" height="80"/></g>'
    )


def face(tile: int, *, figures: bool = False) -> str:
    """What is drawn on a tile."""
    suit, rank = suit_of(tile), rank_of(tile)
    if suit is not None and rank is not None:
        return (_characters, _dots, _bamboo)[suit](rank, figures)
    if tile < FIRST_HONOR + 4:
        place = tile - FIRST_HONOR
        if figures:
            index = _figure(_LETTERS[place], 13, 18, "tu")
            return _sign(_WINDS[place], 31, 60, 42, "tk") + index
        return _sign(_WINDS[place], 30, 53, 44, "tk")
    if tile >= FIRST_FLOWER:
        return _flower(tile - FIRST_FLOWER)
    return (_white, _green, _red)[tile - FIRST_HONOR - 4]()


# ---- parts -------------------------------------------------------------------------------------


def _n(value: float) -> str:
    """A number without what it does not need."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _body(width: int, height: int) -> str:
    return (
        f'<rect class="tb" x="2" y="8" width="{width - 4}" height="{height - 10}" rx="8"/>'
        f'<rect class="tf te" x="2" y="2" width="{width - 4}" height="{height - 10}" rx="7.5"/>'
    )


def _back() -> str:
    return (
        '<rect class="tf te" x="2" y="8" width="56" height="70" rx="8"/>'
        '<rect class="tb" x="2" y="2" width="56" height="70" rx="7.5"/>'
        '<rect class="tbl" x="9" y="9" width="42" height="56" rx="4"/>'
        '<path class="tbl" d="M30 22 41 37 30 52 19 37Z"/>'
    )


def _sign(text: str, x: float, y: float, size: float, ink: str) -> str:
    return (
        f'<text class="sign {ink}" lang="zh-Hant" x="{_n(x)}" y="{_n(y)}" '
        f'font-size="{_n(size)}">{text}</text>'
    )


def _figure(text: str, x: float, y: float, ink: str) -> str:
    return f'<text class="figure {ink}" x="{_n(x)}" y="{_n(y)}" font-size="15">{text}</text>'


def _circle(x: float, y: float, r: float, classes: str) -> str:
    return f'<circle class="{classes}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}"/>'


# ---- characters --------------------------------------------------------------------------------


def _characters(rank: int, figures: bool) -> str:
    index = _figure(str(rank), 10, 18, "tu") if figures else ""
    shift = 3 if figures else 0
    return (
        _sign(_NUMERALS[rank - 1], 30 + shift, 35, 31, "tk") + _sign("萬", 30, 67, 34, "tr") + index
    )


# ---- dots --------------------------------------------------------------------------------------

_Dot = tuple[float, float, float, str]

_DOTS: Mapping[int, tuple[_Dot, ...]] = {
    2: ((30, 20, 12, "tg"), (30, 54, 12, "tu")),
    3: ((16, 17, 10, "tu"), (30, 37, 10, "tr"), (44, 57, 10, "tg")),
    4: ((17, 20, 11, "tu"), (43, 20, 11, "tg"), (17, 54, 11, "tg"), (43, 54, 11, "tu")),
    5: (
        (16, 17, 9.5, "tu"), (44, 17, 9.5, "tg"), (30, 37, 9.5, "tr"),
        (16, 57, 9.5, "tg"), (44, 57, 9.5, "tu"),
    ),
    6: (
        (18, 16, 9, "tg"), (42, 16, 9, "tg"), (18, 38, 9, "tr"), (42, 38, 9, "tr"),
        (18, 58, 9, "tr"), (42, 58, 9, "tr"),
    ),
    7: (
        (14, 13, 6.8, "tg"), (30, 19, 6.8, "tg"), (46, 25, 6.8, "tg"), (19, 42, 8, "tr"),
        (41, 42, 8, "tr"), (19, 60, 8, "tr"), (41, 60, 8, "tr"),
    ),
    8: tuple((x, y, 7.4, "tu") for y in (13, 29, 45, 61) for x in (19, 41)),
    9: tuple(
        (x, y, 7.4, ink) for y, ink in ((15, "tg"), (37, "tr"), (59, "tu")) for x in (13, 30, 47)
    ),
}  # fmt: skip


def _dots(rank: int, _: bool) -> str:
    if rank == 1:
        petals = "".join(
            _circle(30 + 15.5 * math.cos(a), 37 + 15.5 * math.sin(a), 3.6, "tf")
            for a in (math.pi / 4 * step for step in range(8))
        )
        return (
            _circle(30, 37, 22.5, "tg") + petals
            + _circle(30, 37, 9.5, "tf") + _circle(30, 37, 6.5, "tr")
        )  # fmt: skip
    return "".join(
        _circle(x, y, r, ink) + _circle(x, y, r * 0.6, "tf") + _circle(x, y, r * 0.34, ink)
        for x, y, r, ink in _DOTS[rank]
    )


# ---- bamboo ------------------------------------------------------------------------------------

_Stick = tuple[float, float, float, str, float]

_STICKS: Mapping[int, tuple[_Stick, ...]] = {
    2: ((30, 20, 29, "tg", 0), (30, 54, 29, "tg", 0)),
    3: ((30, 20, 29, "tg", 0), (18, 54, 29, "tg", 0), (42, 54, 29, "tg", 0)),
    4: tuple((x, y, 29, "tg", 0) for y in (20, 54) for x in (18, 42)),
    5: (
        *((x, y, 27, "tg", 0) for y in (19, 55) for x in (14, 46)),
        (30, 37, 27, "tr", 0),
    ),
    6: tuple((x, y, 29, "tg", 0) for y in (20, 54) for x in (14, 30, 46)),
    7: (
        (30, 14, 19, "tr", 0),
        *((x, y, 19, "tg", 0) for y in (38, 60) for x in (14, 30, 46)),
    ),
    8: (
        (11, 20, 28, "tg", 0), (49, 20, 28, "tg", 0), (24, 20, 25, "tg", 32),
        (36, 20, 25, "tg", -32), (11, 54, 28, "tg", 0), (49, 54, 28, "tg", 0),
        (24, 54, 25, "tg", -32), (36, 54, 25, "tg", 32),
    ),
    9: tuple(
        (x, y, 19, ink, 0) for y in (14, 37, 60) for x, ink in ((13, "tg"), (30, "tr"), (47, "tg"))
    ),
}  # fmt: skip


def _stick(x: float, y: float, length: float, ink: str, angle: float) -> str:
    half = length / 2
    knots = "".join(f"M{_n(x - 3.6)} {_n(at)}h7.2" for at in (y - half + 1.7, y, y + half - 1.7))
    turn = f' transform="rotate({_n(angle)} {_n(x)} {_n(y)})"' if angle else ""
    return (
        f'<g class="{ink}"{turn}>'
        f'<rect x="{_n(x - 3.2)}" y="{_n(y - half)}" width="6.4" height="{_n(length)}" rx="2"/>'
        f'<path class="knot" d="{knots}"/></g>'
    )


def _bamboo(rank: int, _: bool) -> str:
    if rank == 1:
        return _bird()
    return "".join(_stick(*stick) for stick in _STICKS[rank])


def _bird() -> str:
    """A small bird on a stem, which stands for the one of bamboo."""
    return (
        '<path class="tr" d="M27 45C20 52 15 59 9 64C17 64 24 61 29 56C27 60 25 64 22 67'
        'C29 65 34 60 36 52Z"/>'
        '<path class="tg" d="M20 33C22 24 31 20 38 24C45 28 47 37 42 45C37 53 27 54 22 48'
        'C19 44 19 38 20 33Z"/>'
        '<path class="tu" d="M22 36C14 37 9 43 9 50C18 52 28 49 33 40C30 37 26 36 22 36Z"/>'
        '<circle class="tg" cx="41" cy="19" r="9.5"/>'
        '<path class="ty" d="M48.5 15.5 57 20 48.5 23Z"/>'
        '<path class="tr" d="M35 11C33 7 35 5 37 7C37 4 40 3 41 6C43 4 46 6 44 10Z"/>'
        '<circle class="tf" cx="43" cy="17.5" r="3"/>'
        '<circle class="tk" cx="43.6" cy="17.6" r="1.5"/>'
        '<path class="stem" d="M36 52V66M41 47V66M33 66.5H45"/>'
    )


# ---- dragons -----------------------------------------------------------------------------------


def _white() -> str:
    return (
        '<rect class="frame" x="11" y="11" width="38" height="52" rx="3"/>'
        '<rect class="frame thin" x="17.5" y="17.5" width="25" height="39" rx="1.5"/>'
    )


def _green() -> str:
    return _sign("發", 30, 53, 45, "tg")


def _red() -> str:
    return _sign("中", 30, 54, 47, "tr")


# ---- flowers -----------------------------------------------------------------------------------


def _petals(n: int, length: float, width: float, ink: str, heart: str = "ty") -> str:
    x, y = 24, 27
    leaves = "".join(
        f'<ellipse cx="{x}" cy="{_n(y - length / 2 - 1)}" rx="{_n(width)}" ry="{_n(length / 2)}" '
        f'transform="rotate({_n(360 / n * step)} {x} {y})"/>'
        for step in range(n)
    )
    return f'<g class="{ink}">{leaves}</g>' + _circle(x, y, 3.6, heart)


def _leaves() -> str:
    angles = (-70, -35, 0, 35, 70)
    leaves = "".join(
        f'<path d="M24 44C19 34 20 22 24 11C28 22 29 34 24 44Z" transform="rotate({a} 24 42)"/>'
        for a in angles
    )
    return f'<g class="tg" transform="translate(26 26) scale(.72) translate(-24 -30)">{leaves}</g>'


_BLOSSOMS: tuple[Callable[[], str], ...] = (
    lambda: _petals(5, 14, 6.4, "tp"),
    lambda: _petals(3, 17, 5.4, "tu"),
    lambda: _petals(12, 16, 2.6, "ty", "tr"),
    _leaves,
    lambda: _petals(5, 16, 4.6, "tg", "tp"),
    lambda: _petals(8, 16, 4.2, "tr"),
    lambda: _petals(6, 15, 4.6, "ty", "tr"),
    lambda: _petals(6, 17, 1.8, "tu", "tu"),
)


def _flower(place: int) -> str:
    ink = "tr" if place < 4 else "tu"
    number = _figure(str(place % 4 + 1), 50, 19, ink)
    return _BLOSSOMS[place]() + _sign(_FLOWERS[place], 34, 68, 25, "tk") + number
