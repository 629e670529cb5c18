"""What a mistake in a variant, or in what it inherits, has to do with the other file."""

from __future__ import annotations

from pathlib import Path

from ruleengine.diagnostics import Label
from tests.ruleset.small import mistakes, ruleset

PARENT = ruleset(
    "options: {standard: {type: int, default: 25, min: 0}}\n"
    "terms: {value: dragon}\n"
    "patterns:\n"
    "  honors: {points: 10, times: count triplets of value}\n"
)
VARIANT = 'format: 1\nid: variant\nextends: parent\nversion: "2"\n'


def notes(tmp_path: Path, body: str) -> dict[tuple[str, str], list[tuple[str, int, str]]]:
    """The labels of each mistake, by the code of the mistake and the file it is in."""
    (tmp_path / "parent.yaml").write_text(PARENT, encoding="utf-8")
    return {
        (found.code, Path(found.span.path).name if found.span else ""): [
            place(label) for label in found.labels
        ]
        for found in mistakes(VARIANT + body, (tmp_path,))
    }


def place(label: Label) -> tuple[str, int, str]:
    return Path(label.span.path).name, label.span.line, label.text


def test_a_value_that_replaces_one_shows_the_first(tmp_path: Path) -> None:
    assert notes(tmp_path, "patterns:\n  honors: {points: dealer}\n") == {
        ("E202", "small.yaml"): [("parent.yaml", 12, "first defined here")]
    }
    assert notes(tmp_path, "patterns:\n  honors: {points: 10}\n") == {
        ("E406", "small.yaml"): [("parent.yaml", 12, "first defined here")]
    }


def test_a_value_of_its_own_shows_nothing(tmp_path: Path) -> None:
    assert notes(tmp_path, "patterns:\n  own: {points: dealer, when: dealer}\n") == {
        ("E202", "small.yaml"): []
    }


def test_an_inherited_line_shows_the_name_that_was_overridden(tmp_path: Path) -> None:
    assert notes(tmp_path, "terms: {value: win by self_draw}\n") == {
        ("E202", "small.yaml"): [("parent.yaml", 12, "this inherited line no longer fits")]
    }


def test_an_inherited_line_shows_what_overrides_a_part_of_it(tmp_path: Path) -> None:
    assert notes(tmp_path, "options:\n  standard: {type: bool, default: true}\n") == {
        ("E306", "small.yaml"): [("parent.yaml", 9, "this inherited line no longer fits")]
    }


def test_another_inherited_line_shows_who_extends_it(tmp_path: Path) -> None:
    text = PARENT.replace("default: 25", "default: -1")
    (tmp_path / "parent.yaml").write_text(text, encoding="utf-8")
    found = mistakes(VARIANT, (tmp_path,))
    assert [place(label) for one in found for label in one.labels] == [
        ("small.yaml", 3, "variant extends parent")
    ]


def test_a_line_that_breaks_many_is_told_once(tmp_path: Path) -> None:
    uses = "".join(
        f"  p{number}: {{points: 1, times: count tiles of value}}\n" for number in range(9)
    )
    (tmp_path / "parent.yaml").write_text(PARENT + uses, encoding="utf-8")
    text = "format: 1\nid: small\nextends: parent\nterms: {value: dealer}\n"
    (found,) = mistakes(text, (tmp_path,))
    assert found.span
    assert (found.code, found.span.path, found.span.line) == ("E202", "small.yaml", 4)
    assert [label.text for label in found.labels] == [
        "this inherited line no longer fits",
        *["nor does this one"] * 4,
    ]
