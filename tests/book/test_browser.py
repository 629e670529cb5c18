"""The rule book in a real browser: on a small screen, and in print.

Skipped where no Chromium is installed; `scripts/browser.sh` installs it where it may.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ruleengine.book import book_html
from tests.book import browser
from tests.book.hostile import hostile
from tests.book.shipped import BOOKS, page

# Every ruleset in one language and every language of one ruleset: a page is the same but for these.
LAID_OUT = [one for one in BOOKS if one[1] == "en" or one[0] == "zhongyong-3.3-flowers"]
SCREENS = [
    *((one, 390) for one in LAID_OUT),
    *((one, 768) for one in LAID_OUT[:2]),
    (LAID_OUT[0], 1100),
]
Measured = dict[str, Any]


@pytest.fixture(autouse=True)
def _browser() -> None:
    if browser.find() is None:
        pytest.skip("no Chromium is installed (looked for " + ", ".join(browser.NAMES) + ")")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str, int], Measured]:
    """What every page looks like, by ruleset, language and width: all in one start of the browser,
    and drawn once for each language."""
    if browser.find() is None:
        return {}
    shown = {(*one, width): page(*one) for one, width in SCREENS}
    drawn = {one[1]: (*one, 390) for one in LAID_OUT}.values()
    pages = {key: text if key in drawn else browser.undrawn(text) for key, text in shown.items()}
    pages["hostile", "en", 390] = book_html(hostile())
    found = browser.measure(
        [(text, key[2]) for key, text in pages.items()], tmp_path_factory.mktemp("measured")
    )
    return dict(zip(pages, found, strict=True))


@pytest.mark.parametrize(("one", "width"), SCREENS)
def test_every_page_fits_the_screen_and_uses_it(
    one: tuple[str, str], width: int, measured: dict[tuple[str, str, int], Measured]
) -> None:
    found = measured[*one, width]
    assert found["wide"] == []
    assert found["squeezed"] == []
    assert found["width"] == width
    assert found["tiles"] > 500
    assert found["tile"] >= 24


def test_the_console_stays_silent_in_the_dark(tmp_path: Path) -> None:
    """Under its own policy nothing of the page is refused; in the light none of those measured."""
    target = tmp_path / "book.html"
    target.write_text(page("zhongyong-3.3", "zh-Hant"), encoding="utf-8")
    dumped, console = browser.run(target, "--dump-dom", browser.DARK)
    assert console == []
    assert "</html>" in dumped


def test_a_hostile_ruleset_does_nothing(
    measured: dict[tuple[str, str, int], Measured],
) -> None:
    found = measured["hostile", "en", 390]
    assert found["scripts"] == 0
    assert found["hacked"] == "undefined"
    assert found["width"] == 390


def sheet(text: str) -> str:
    """What stands before the second section: the title and the list of patterns."""
    body = text.split("<body>")[1]
    return re.split(r'<section id="patterns">', body)[0] + "</main>"


def test_the_list_of_every_ruleset_prints_on_one_page(tmp_path: Path) -> None:
    """All lists one after another, each with its own size of type: as many pages as lists."""
    text = page(*BOOKS[0])
    style = text.split("<style>")[1].split("</style>")[0]
    parts: list[str] = []
    for at, one in enumerate(BOOKS):
        own = re.findall(r":root\{(--short:[^}]*)\}", page(*one))[-1]
        style += f"\n.book{at} {{{own}}}"
        parts.append(f'<div class="book{at}" lang="{one[1]}">{sheet(page(*one))}</div>')
    target = tmp_path / "lists.html"
    target.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><style>{style}</style>{"".join(parts)}',
        encoding="utf-8",
    )
    assert browser.pdf_pages(target, tmp_path) == len(BOOKS)


def test_the_list_has_the_first_page_to_itself(tmp_path: Path) -> None:
    whole = browser.undrawn(page("zhongyong-3.3", "en"))
    # A few patterns will do; the others only take time.
    articles = re.findall(r"<article.*?</article>\n", whole, re.S)
    for article in articles[6:]:
        whole = whole.replace(article, "")
    without = re.sub(r'<section id="sheet".*?</section>\n', "", whole, flags=re.S)
    without = re.sub(r'<header class="top">.*?</header>\n', "", without, flags=re.S)
    assert len(without) < len(whole)
    pages: list[int] = []
    for text in (whole, without):
        target = tmp_path / "book.html"
        target.write_text(text, encoding="utf-8")
        pages.append(browser.pdf_pages(target, tmp_path))
    assert pages[0] == pages[1] + 1
