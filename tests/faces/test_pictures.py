"""Hands drawn in tiles."""

from __future__ import annotations

import pytest

import ruleengine
from ruleengine.faces.pictures import arrangement_text, draw_arrangement, draw_hand, show_blocks
from ruleengine.faces.screen import Screen
from ruleengine.notation import read_hand


def drawn(text: str, capsys: pytest.CaptureFixture[str], *, plain: bool = False) -> list[str]:
    screen = Screen("en", plain=plain)
    show_blocks(draw_hand(read_hand(text), screen), screen)
    return capsys.readouterr().out.splitlines()


def test_a_hand_as_it_lies(capsys: pytest.CaptureFixture[str]) -> None:
    assert drawn("67m22z(4444m)[111m]+5m", capsys) == [
        "  🀌 🀍 🀁 🀁  (🀫 🀊 🀊 🀫) [🀇 🀇 🀇] +🀋",
        "  67m22z   (4444m)   [111m]   +5m",
    ]


def test_letters_stand_in_for_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    assert drawn("67m(4444m)[111m]+5m", capsys, plain=True) == [
        "  6m 7m  (## 4m 4m ##) [1m 1m 1m] +5m",
    ]


def test_flowers_come_last(capsys: pytest.CaptureFixture[str]) -> None:
    assert drawn("11m5f+1m", capsys, plain=True) == ["  1m 1m  +1m    5f"]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("67m22z(4444m)[1111m][567m]+5m", "67m+5m (4444m) [1111m] [567m] 22z"),
        ("123m456p789s1122z+1z", "123m 456p 789s 11z+1z 22z"),
        ("1112345678999m+5m", "111m 234m 678m 999m 5m+5m"),
    ],
)
def test_the_winning_tile_is_marked_in_its_group(hand: str, expected: str) -> None:
    result = ruleengine.load().score(hand)
    assert result.arranged is not None
    assert arrangement_text(result.arranged, result.hand) == expected


def test_a_winning_tile_outside_groups_is_marked_too(capsys: pytest.CaptureFixture[str]) -> None:
    result = ruleengine.load().score("19m19p19s1234566z+7z")
    assert result.arranged is not None
    screen = Screen("en", plain=True)
    show_blocks(draw_arrangement(result.arranged, result.hand, screen), screen)
    assert capsys.readouterr().out.count("+7z") == 1


def test_a_narrow_screen_breaks_between_groups(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    lines = drawn("123m(4444m)[111m][222m]+5m", capsys, plain=True)
    assert len(lines) == 2
    assert lines[0].rstrip().endswith(")")
