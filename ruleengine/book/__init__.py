"""The rule book: a ruleset as a sheet to keep at the table, as HTML or as Markdown. No rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleengine.rules import Rules

FORMATS = ("html", "markdown")


def book_html(rules: Rules, language: str = "en") -> str:
    """A ruleset as one self-contained HTML page."""
    from ruleengine.book.content import build
    from ruleengine.book.html import render

    return render(build(rules, language))


def book_markdown(rules: Rules, language: str = "en") -> str:
    """A ruleset as Markdown."""
    from ruleengine.book.content import build
    from ruleengine.book.markdown import render

    return render(build(rules, language))
