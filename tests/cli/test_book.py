"""`yaku book`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ruleengine.book import book_html, book_markdown
from ruleengine.loading import load_ruleset

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku


def test_html_to_standard_output(yaku: Yaku) -> None:
    run = yaku("book", "zhongyong-3.3")
    assert run.status == 0
    assert run.out == book_html(load_ruleset("zhongyong-3.3"))
    assert run.err == ""


@pytest.mark.parametrize(("name", "is_html"), [("b.html", True), ("b.HTM", True), ("b.md", False)])
def test_the_ending_says_the_format(yaku: Yaku, name: str, is_html: bool) -> None:
    assert yaku("book", "zhongyong-3.3", "-o", name).status == 0
    rules = load_ruleset("zhongyong-3.3")
    expected = book_html(rules) if is_html else book_markdown(rules)
    assert Path(name).read_bytes() == expected.encode()
    assert [path.name for path in Path().iterdir()] == [name]


def test_format_language_and_options(yaku: Yaku) -> None:
    arguments = ("--format", "markdown", "--lang", "ja", "--set", "minimum=5", "-o", "x.html")
    assert yaku("book", "--rules", "zhongyong-3.3", *arguments).status == 0
    rules = load_ruleset("zhongyong-3.3", options={"minimum": 5})
    assert Path("x.html").read_text(encoding="utf-8") == book_markdown(rules, "ja")


def test_json(yaku: Yaku) -> None:
    run = yaku("book", "zhongyong-3.3", "--json", "--format", "markdown")
    assert json.loads(run.out) == {
        "rules": "zhongyong-3.3",
        "format": "markdown",
        "text": book_markdown(load_ruleset("zhongyong-3.3")),
    }
    run = yaku("book", "zhongyong-3.3", "--json", "-o", "b.md")
    assert run.json == {"rules": "zhongyong-3.3", "format": "markdown", "output": "b.md"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("zhongyong-3.3", "--format", "pdf"), "there is no format 'pdf'"),
        (("zhongyong-3.3", "--rules", "zhongyong-3.3"), "the ruleset is given twice"),
        (("zhongyong-3.4",), "there is no ruleset 'zhongyong-3.4'"),
        (("zhongyong-3.3", "-o", "no/such/b.html"), "no/such/b.html: no such file or directory"),
        (("zhongyong-3.3", "-o", "b.pdf"), "b.pdf does not say what to write"),
    ],
)
def test_mistakes_leave_no_file(yaku: Yaku, arguments: tuple[str, ...], message: str) -> None:
    run = yaku("book", *arguments)
    assert run.status == 2
    assert message in run.err
    assert run.out == ""
    assert list(Path().iterdir()) == []


def test_a_name_without_an_ending_is_html(yaku: Yaku) -> None:
    assert yaku("book", "zhongyong-3.3", "-o", "book").status == 0
    assert Path("book").read_bytes() == book_html(load_ruleset("zhongyong-3.3")).encode()


def test_the_ruleset_is_not_written_over(yaku: Yaku) -> None:
    house = 'format: 1\nid: house\nextends: zhongyong-3.3\nname: {en: House}\nversion: "1"\n'
    Path("house.yaml").write_text(house, encoding="utf-8")
    Path("same.html").hardlink_to("house.yaml")
    for output in ("house.yaml", "same.html"):
        run = yaku("book", "house.yaml", "--format", "html", "-o", output)
        assert (run.status, run.out) == (2, "")
        assert "is read here, and writing to it would destroy it" in run.err
        assert Path("house.yaml").read_text(encoding="utf-8") == house


def test_a_file_is_replaced_only_when_the_new_one_is_whole(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("b.html").write_text("old", encoding="utf-8")

    def fail(source: object, target: object) -> None:
        raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr("os.replace", fail)
    run = yaku("book", "zhongyong-3.3", "-o", "b.html")
    assert run.status == 2
    assert "no space left on device" in run.err
    assert Path("b.html").read_text(encoding="utf-8") == "old"
    assert [path.name for path in Path().iterdir()] == ["b.html"]
