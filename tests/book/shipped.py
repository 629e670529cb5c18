"""The rule books of the shipped rulesets, built once a process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ruleengine.book.content import build
from ruleengine.book.html import render
from ruleengine.book.markdown import render as render_markdown
from ruleengine.loading import load_ruleset
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.model import LANGUAGES

if TYPE_CHECKING:
    from ruleengine.book.content import Book

BOOKS = [(name, language) for name in ruleset_ids() for language in LANGUAGES]


@cache
def book(name: str, language: str = "en") -> Book:
    """The rule book of a shipped ruleset."""
    return build(load_ruleset(name), language)


@cache
def page(name: str, language: str = "en") -> str:
    """The rule book of a shipped ruleset as a page."""
    return render(book(name, language))


def markdown(name: str, language: str = "en") -> str:
    """The rule book of a shipped ruleset as Markdown."""
    return render_markdown(book(name, language))
