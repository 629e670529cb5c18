"""What an editor is told of a ruleset that can be read."""

from __future__ import annotations

import pytest

from ruleengine.lsp import findings
from ruleengine.lsp.document import Document

NAME = "name: {en: H, zh-Hant: 甲, zh-Hans: 甲, ja: 甲}"
HEAD = f"format: 1\nid: house\nextends: zhongyong-3.3\n{NAME}\n"
HITS = 'hits: ["123m456m789p23s55p+4s", 123m], misses: ["123m456m789p23s55p+4s", "1m"]'


def told(body: str) -> list[tuple[str, int]]:
    found = Document(f"{HEAD}{body}", "house.yaml").findings
    return [(one.code, one.span.line) for one in found if one.span and one.severity != "note"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"patterns:\n  new: {{points: 5, when: dealer, {HITS}}}\n", [("E503", 6), ("E503", 6)]),
        ("patterns:\n  new: {points: 5, when: dealer}\n", [("W505", 6)]),
        ("terms: {mine: honor}\n", [("W510", 5)]),
        # What cannot be read has its mistakes alone.
        ("terms: {mine: honr}\npatterns: {new: {points: 1, when: dealer}}\n", [("E204", 5)]),
        # Nothing is said of all hands: no hand has five kongs (E501).
        ("patterns:\n  new: {points: 5, when: count kongs = 5}\n", [("W505", 6)]),
    ],
)
def test_what_is_told(body: str, expected: list[tuple[str, int]]) -> None:
    assert told(body) == expected


def test_of_too_many_examples_the_first_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(findings, "TYPED_WORK", 0)
    assert told(f"patterns:\n  new: {{points: 5, when: dealer, {HITS}}}\n") == []
