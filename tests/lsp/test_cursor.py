"""Where a place of a text stands among keys, by the text alone. `¦` is the place."""

from __future__ import annotations

import pytest

from ruleengine.lsp.cursor import Cursor, cursor_at


def at_mark(text: str) -> Cursor:
    before = text[: text.index("¦")]
    line = before.count("\n") + 1
    return cursor_at(text.replace("¦", "").split("\n"), line, len(before.split("\n")[-1]) + 1)


@pytest.mark.parametrize(
    ("text", "path", "key", "before"),
    [
        ("¦", (), None, ""),
        ("pat¦", (), None, "pat"),
        ("extends: ¦", (), "extends", ""),
        ("patterns:\n  ¦", ("patterns",), None, ""),
        ("patterns:\n  one:\n    whe¦", ("patterns", "one"), None, "whe"),
        ("patterns:\n  one:\n    points: 3\n  ¦", ("patterns",), None, ""),
        ("patterns:\n  one:\n    # x: y\n\n    points: 3\n    ¦", ("patterns", "one"), None, ""),
        ("patterns:\n  one:\n    when: count ¦", ("patterns", "one"), "when", "count"),
        ("patterns:\n  one: {¦", ("patterns", "one"), None, ""),
        ("patterns:\n  one: {points: 3, ¦}", ("patterns", "one"), None, ""),
        ("patterns:\n  one: {points: 3, when: a ¦}", ("patterns", "one"), "when", "a"),
        ('patterns:\n  one: {when: "has a, b¦', ("patterns", "one"), "when", '"has a, b'),
        (
            "patterns:\n  one:\n    when: >-\n      a\n      = 1 ¦",
            ("patterns", "one"),
            "when",
            "= 1",
        ),
        ("patterns:\n  one:\n    when: a\n      = 1 ¦", ("patterns", "one"), "when", "a = 1"),
        ("patterns:\n  one:\n    supersedes: [a, ¦", ("patterns", "one"), "supersedes", ""),
        (
            'patterns:\n  one:\n    hits:\n      - {hand: "1m, 2p", by: ¦',
            ("patterns", "one", "hits"),
            "by",
            "",
        ),
        (
            'patterns:\n  one:\n    misses:\n      - hand: "1m"\n        fa¦',
            ("patterns", "one", "misses"),
            None,
            "fa",
        ),
        ("settlement:\n  win:\n    - {when: win by ¦", ("settlement", "win"), "when", "win by"),
        ("settlement:\n  win:\n  - when: x\n    pays: 3 ¦", ("settlement", "win"), "pays", "3"),
        ("settlement: {win: [{pays: ¦", ("settlement", "win"), "pays", ""),
        ("total:\n  empty: {points: ¦", ("total", "empty"), "points", ""),
        ("terms: {v: dragon, w: ¦", ("terms",), "w", ""),
        ("remove:\n  - patterns.¦", ("remove",), None, "patterns."),
        ("name: {en: A, ¦", ("name",), None, ""),
    ],
)
def test_a_place(text: str, path: tuple[str, ...], key: str | None, before: str) -> None:
    found = at_mark(text)
    assert (found.path, found.key, found.before.strip()) == (path, key, before)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{[",
        "{" * 3000,
        "a: {" * 3000,
        "a: [{" * 3000,
        "a: {b: [{c: '",
        "- - -",
        "x:\n" * 50,
        "\t\t",
        "🀄: {",
    ],
)
def test_no_text_is_too_strange(text: str) -> None:
    lines = text.split("\n")
    for line in range(1, len(lines) + 3):
        for column in range(1, 12):
            assert isinstance(cursor_at(lines, line, column), Cursor)
