"""Lines, columns and wrapping, with wide characters."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from ruleengine.faces.screen import Screen, can_carry


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("COLUMNS", "24")
    return Screen("en")


def test_columns_line_up_by_what_the_terminal_shows(
    screen: Screen, capsys: pytest.CaptureFixture[str]
) -> None:
    screen.columns([["混一色", "40"], ["Two", "5"]], right=frozenset({1}))
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["  混一色  40", "  Two      5"]
    assert [cell_len(line) for line in lines] == [12, 12]


def test_long_text_wraps_with_a_hanging_indent(
    screen: Screen, capsys: pytest.CaptureFixture[str]
) -> None:
    screen.line("one two three four five six", indent=2, hang=2)
    assert capsys.readouterr().out.splitlines() == ["  one two three four", "    five six"]


def test_wide_text_without_spaces_wraps_at_the_width(
    screen: Screen, capsys: pytest.CaptureFixture[str]
) -> None:
    screen.line("不能和牌：這手牌有一分，起和是五分。", indent=2)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert max(map(cell_len, lines)) <= 24
    assert "".join(line.strip() for line in lines) == "不能和牌：這手牌有一分，起和是五分。"


def test_the_last_column_wraps_under_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    Screen("en").columns([["1.1", "one two three four five six seven eight"]])
    assert capsys.readouterr().out.splitlines() == [
        "  1.1  one two three four five six seven",
        "       eight",
    ]


def test_a_last_column_without_room_goes_below(
    screen: Screen, capsys: pytest.CaptureFixture[str]
) -> None:
    screen.columns([["1.1", "All Sequences", "count sequences = 4"]])
    assert capsys.readouterr().out.splitlines() == [
        "  1.1  All Sequences",
        "    count sequences = 4",
    ]


def test_what_an_encoding_can_carry() -> None:
    assert can_carry("🀇", "utf-8")
    assert not can_carry("🀇", "gbk")
    assert can_carry("混一色", "gbk")
    assert not can_carry("混一色", "ascii")
    assert not can_carry("a", "no such encoding")
