"""The pictures of tiles."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ruleengine.book import tiles_svg
from ruleengine.tiles import TILE_COUNT, TILE_INDEX


def drawn(inside: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<svg>{inside}</svg>")


@pytest.mark.parametrize("figures", [True, False])
def test_every_tile_has_a_picture_of_its_own(figures: bool) -> None:
    faces = [tiles_svg.face(tile, figures=figures) for tile in range(TILE_COUNT)]
    assert len(set(faces)) == TILE_COUNT
    for face in faces:
        assert len(drawn(face)) >= 1


@pytest.mark.parametrize("rank", range(2, 10))
def test_dots_and_sticks_are_as_many_as_the_rank(rank: int) -> None:
    dots = drawn(tiles_svg.face(TILE_INDEX[f"{rank}p"]))
    assert len(dots.findall("circle")) == 3 * rank
    assert len({(c.get("cx"), c.get("cy")) for c in dots.findall("circle")}) == rank
    sticks = drawn(tiles_svg.face(TILE_INDEX[f"{rank}s"]))
    assert len(sticks.findall("g/rect")) == rank


@pytest.mark.parametrize("rank", range(2, 10))
def test_dots_do_not_touch_and_stay_on_the_face(rank: int) -> None:
    dots = [
        (float(c.get("cx", "")), float(c.get("cy", "")), float(c.get("r", "")))
        for c in drawn(tiles_svg.face(TILE_INDEX[f"{rank}p"])).findall("circle")[::3]
    ]
    for at, (x, y, r) in enumerate(dots):
        assert x - r > 3
        assert x + r < 57
        assert y - r > 3
        assert y + r < 71
        for other_x, other_y, other_r in dots[at + 1 :]:
            assert (x - other_x) ** 2 + (y - other_y) ** 2 > (r + other_r) ** 2


def test_figures_help_those_who_do_not_read_the_signs() -> None:
    for name, figure in (("5m", "5"), ("1z", "E"), ("4z", "N")):
        with_figure = tiles_svg.face(TILE_INDEX[name], figures=True)
        assert f">{figure}</text>" in with_figure
        assert f">{figure}</text>" not in tiles_svg.face(TILE_INDEX[name])


def test_symbols_are_those_asked_for() -> None:
    found = drawn(tiles_svg.symbols([3, 3, 30], figures=False))
    assert [symbol.get("id") for symbol in found] == ["body", "body-turned", "back", "t-4m", "t-4z"]
    assert [use.get("href") for use in drawn(tiles_svg.turned(3)).iter("use")] == [
        "#body-turned",
        "#t-4m",
    ]
