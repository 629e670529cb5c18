"""Results as HTML tables."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import ruleengine
from ruleengine.html import result_html
from ruleengine.ruleset.model import LANGUAGES


class Reader(HTMLParser):
    """Checks that tags are closed in order, and gathers cells and titles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.titles: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")
        self.titles += [value or "" for name, value in attrs if name == "title"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def test_patterns_total_and_payments() -> None:
    hand = "67m22z(4444m)[1111m][567m]+5m"
    result = ruleengine.load().score(hand, by="discard", seat="S", from_="W")
    read = Reader(result_html(result))
    assert read.cells[1:] == [
        "2.1.1", "Mixed One-Suit", "40",
        "4.3.2", "Two Kongs", "20",
        "5.1.1", "Two Identical Sequences", "10",
        "", "Total", "70",
        "", "East", "-25", "", "South", "+210", "", "West", "-160", "", "North", "-25",
    ]  # fmt: skip
    # 3 + 4 + 4 + 3 + 2 tiles, each named; the concealed kong shows its back twice.
    assert len(read.titles) == 16
    assert read.titles[0] == "5m five of characters"
    assert read.cells[0].count("\U0001f02b") == 2
    assert result._repr_html_() == result_html(result)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_hand_that_does_not_win(language: str) -> None:
    result = ruleengine.load().score("123m456p789s1123z+1z")
    read = Reader(result_html(result, language))
    assert len(read.cells) == 4
    assert read.cells[2] in {
        "Not a winning hand.", "不是和牌形。", "和了形ではない。",
    }  # fmt: skip


def test_limits_and_minimum_are_said() -> None:
    rules = ruleengine.load()
    assert "it counts alone" in result_html(rules.score("1112345678999m+5m"))
    below = rules.with_options({"minimum": 5}).score("234m678p44s99p[222z]+4s")
    text = result_html(below)
    assert "Chicken Hand" in text
    assert "the minimum is 5" in text


def test_names_of_a_ruleset_are_escaped() -> None:
    from ruleengine.rules import Rules
    from ruleengine.ruleset.read import read_ruleset_text

    text = (
        "format: 1\nid: house\nname: {en: '<b>&'}\nversion: '1'\n"
        'tiles:\n  wall: {"123456789m": 4}\nshapes:\n  basic: {sets: 4, pairs: 1}\n'
        "patterns:\n  one: {name: {en: '<script>'}, points: 3, when: count triplets = 4}\n"
        "settlement:\n  win: [{pays: points}]\n"
    )
    html = result_html(Rules(read_ruleset_text(text).data).score("111222333444m5m+5m"))
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "&lt;b&gt;&amp;" in html
