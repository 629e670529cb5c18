"""The rule book as a page: whole, safe, and the same every time."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from html.parser import HTMLParser

import pytest

from ruleengine.book import book_html
from ruleengine.loading import load_ruleset
from ruleengine.ruleset.model import LANGUAGES
from tests.book.hostile import ATTACKS, hostile
from tests.book.shipped import BOOKS, page
from tests.ruleset.small import load, ruleset

_VOID = frozenset({"meta", "rect", "circle", "path", "ellipse", "use", "br"})
_ALLOWED = frozenset((
    "html", "head", "meta", "title", "style", "body", "svg", "defs", "symbol", "g", "rect",
    "circle", "path", "ellipse", "text", "use", "header", "nav", "main", "section", "article",
    "footer", "h1", "h2", "h3", "h4", "p", "ul", "li", "dl", "dt", "dd", "div", "span", "b",
    "code", "a", "table", "thead", "tbody", "tr", "th", "td",
))  # fmt: skip
_ALLOWED_NAMES = frozenset((
    "lang", "charset", "http-equiv", "content", "name", "class", "aria-hidden", "focusable",
    "id", "viewbox", "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "d", "transform",
    "font-size", "href", "role", "aria-label", "data-hand",
))  # fmt: skip


class Page(HTMLParser):
    """Gathers a page, and checks that its tags are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def values(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.tags if name in attributes]


@dataclass(frozen=True)
class Shown:
    """The page of a shipped ruleset, as text and as it is read."""

    name: str
    language: str
    text: str
    read: Page


@pytest.fixture(scope="module", params=BOOKS, ids="-".join)
def shown(request: pytest.FixtureRequest) -> Shown:
    name, language = request.param
    text = page(name, language)
    return Shown(name, language, text, Page(each_tile_once(text)))


def each_tile_once(text: str) -> str:
    """A page of which a tile that is drawn again in the same way is left out: it is the same text,
    and says nothing new of the page."""
    seen: set[str] = set()

    def first(match: re.Match[str]) -> str:
        is_new = match[0] not in seen
        seen.add(match[0])
        return match[0] if is_new else ""

    return re.sub(r'<svg class="tile.*?</svg>', first, text, flags=re.S)


def test_a_page_is_whole_and_needs_nothing_else(shown: Shown) -> None:
    read, language = shown.read, shown.language
    ids = read.values("id")
    assert len(ids) == len(set(ids))
    targets = set(read.values("href"))
    assert targets <= {f"#{one}" for one in ids}
    assert read.tags[0] == ("html", {"lang": language})
    for tag, attributes in read.tags:
        assert tag in _ALLOWED
        assert set(attributes) <= _ALLOWED_NAMES
        if attributes.get("role") == "img":
            assert attributes["aria-label"]
    style = shown.text.split("<style>")[1].split("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style


def test_every_pattern_stands_in_the_list_and_by_itself(shown: Shown) -> None:
    rules, read = load_ruleset(shown.name), shown.read
    ids, targets = Counter(read.values("id")), Counter(read.values("href"))
    for id in rules.data.patterns:
        assert ids[f"p-{id}"] == 1
        assert targets[f"#p-{id}"] == 1
    articles = sum(name == "article" for name, _ in read.tags)
    assert articles == len(rules.data.patterns)


def test_the_policy_allows_the_style_and_nothing_else() -> None:
    text = page("zhongyong-3.3", "en")
    style = re.findall(r"<style>(.*?)</style>", text, re.S)
    assert len(style) == 1
    digest = base64.b64encode(hashlib.sha256(style[0].encode()).digest()).decode()
    policy = next(
        attributes["content"]
        for tag, attributes in Page(text).tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )
    assert text.index("Content-Security-Policy") < text.index("<style>")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_of_a_ruleset_can_be_markup(language: str) -> None:
    read = Page(book_html(hostile(), language))
    assert {tag for tag, _ in read.tags} <= _ALLOWED
    for _, attributes in read.tags:
        assert set(attributes) <= _ALLOWED_NAMES
        assert attributes.get("href", "#").startswith("#")
    shown = " ".join("".join(read.text).split())
    for attack in ATTACKS:
        # name, version, source, option, event, pattern, examples, interpretation: all are there.
        assert shown.count(" ".join(attack.split())) >= 10


def test_hands_are_drawn_as_they_lie() -> None:
    hand = "67m22z(4444m)[1111m][567m]+5m"
    text = book_html(
        load(ruleset(f"patterns: {{p: {{points: 1, when: dealer, hits: ['{hand}']}}}}\n"))
    )
    shown = text.split(f'data-hand="{hand}"')[1].split("</div>")[0]
    drawn = re.findall(r'class="(tile[^"]*)"[^>]*aria-label="([^"]*)"', shown)
    assert drawn == [
        ("tile won", "five of characters, the winning tile"),
        ("tile", "six of characters"),
        ("tile", "seven of characters"),
        ("tile", "face down"),
        ("tile", "four of characters"),
        ("tile", "four of characters"),
        ("tile", "face down"),
        ("tile turned", "one of characters, claimed"),
        *[("tile", "one of characters")] * 3,
        ("tile turned", "five of characters, claimed"),
        ("tile", "six of characters"),
        ("tile", "seven of characters"),
        ("tile", "South"),
        ("tile", "South"),
    ]


def test_a_text_in_another_language_says_so() -> None:
    text = page("zhongyong-3.3", "ja")
    assert 'class="why"' not in text
    assert '<h1>中庸麻雀 <span class="other" lang="en">Zung Jung</span></h1>' in text


def test_a_text_that_is_not_translated_is_marked_as_what_it_is() -> None:
    one = "{any_win: {points: 1, when: true, doc: {en: Any win.}}}"
    assert '<p><span lang="en">Any win.</span></p>' in book_html(
        load(ruleset(f"patterns: {one}\n")), "ja"
    )


def test_a_name_in_a_text_is_set_as_one() -> None:
    text = page("simple-1", "ja")
    assert '額はオプション <code lang="en">not_ready</code> で変えられる。' in text
    assert "`" not in text


def test_a_page_is_the_same_every_time() -> None:
    program = (
        "import sys; from ruleengine.book import book_html, book_markdown;"
        "from ruleengine.loading import load_ruleset; r = load_ruleset('zhongyong-3.3');"
        "sys.stdout.buffer.write((book_html(r, 'ja') + book_markdown(r, 'ja')).encode())"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
    assert texts.pop().decode().startswith(page("zhongyong-3.3", "ja"))
