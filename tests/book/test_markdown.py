"""The rule book as Markdown, read back by a Markdown parser."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from ruleengine.book import book_markdown
from ruleengine.book.__main__ import pages
from ruleengine.book.markdown import code, md, render
from tests.book.hostile import ATTACKS, hostile
from tests.book.shipped import BOOKS, book

_ALLOWED = frozenset((
    "heading", "paragraph", "bullet_list", "list_item", "table", "thead", "tbody", "tr", "th",
    "td", "inline", "text", "code_inline", "strong", "em", "html_inline", "softbreak",
))  # fmt: skip


def kinds(text: str) -> tuple[set[str], set[str], str]:
    """The kinds of nodes of a text, its pieces of HTML, and its plain text."""
    found: set[str] = set()
    pieces: set[str] = set()
    plain: list[str] = []
    for token in MarkdownIt("commonmark", {"html": True}).enable(["table"]).parse(text):
        found.add(token.type.removesuffix("_open").removesuffix("_close"))
        for child in token.children or ():
            found.add(child.type.removesuffix("_open").removesuffix("_close"))
            if child.type == "html_inline":
                pieces.add(child.content)
            plain.append(child.content)
    return found, pieces, " ".join("".join(plain).split())


@pytest.mark.parametrize(("name", "language"), BOOKS)
def test_a_book_has_no_markup_but_its_own(name: str, language: str) -> None:
    found, pieces, _ = kinds(render(book(name, language)))
    assert found <= _ALLOWED
    assert pieces <= {"<br>"}


def test_no_text_of_a_ruleset_can_be_markup() -> None:
    text = book_markdown(hostile())
    found, pieces, shown = kinds(text)
    assert found <= _ALLOWED
    assert pieces <= {"<br>"}
    for attack in ATTACKS:
        assert shown.count(" ".join(attack.split())) >= 8, attack
    # Signs that some renderers make links of by themselves.
    assert "https://" not in text
    assert "www.evil" not in text
    assert "@evil" not in text


@pytest.mark.parametrize(
    "text", ["1. one", "- a", "+ a", "= b", "# h", "> q", "a | b", "`c`", "<b>", "***", "---", "~~"]
)
def test_a_text_stays_a_text(text: str) -> None:
    found, _, shown = kinds(md(text))
    assert found <= {"paragraph", "inline", "text"}
    assert shown == text


@pytest.mark.parametrize("text", ["a", "`", "a``b", "x | y", "`edge", ""])
def test_code_stays_code(text: str) -> None:
    table = f"| h | i |\n|---|---|\n| {code(text)} | z |\n"
    _, _, shown = kinds(table)
    assert shown.replace(" ", "") == f"hi{text.replace(' ', '')}z"


def test_the_pages_of_the_rulesets_are_up_to_date() -> None:
    folder = Path(__file__).resolve().parents[2] / "docs" / "rulesets"
    made = pages()
    assert {path.name for path in folder.iterdir()} == set(made)
    for name, text in made.items():
        stands = (folder / name).read_text(encoding="utf-8")
        assert stands == text, f"docs/rulesets/{name} is out of date: run `make docs`"
