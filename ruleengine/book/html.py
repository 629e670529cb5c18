"""Writes a rule book as one HTML page that needs nothing besides itself.

Texts of a ruleset are not trusted: every one is escaped, none stands in an address or a style, and
a content security policy allows no script, no picture, no form and only the page's own style.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from ruleengine.book.content import opened
from ruleengine.book.examples import Laid
from ruleengine.book.fit import fit
from ruleengine.book.tiles_html import Tiles, page
from ruleengine.book.tiles_html import style as shared_style
from ruleengine.language.words import pieces
from ruleengine.tiles import SEATS, TILE_INDEX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ruleengine.book.content import Book, Entry, Part, Reading, Said, Series
    from ruleengine.book.examples import ShownHand
    from ruleengine.book.payments import Case, Ending, Worked

_TILES = re.compile(r"([1-9]+)([mpszf])")
_LEGEND = (
    ("legend_won", Laid((11, 12, 13), won=1)),
    ("legend_claimed", Laid((18, 19, 20), claimed=True)),
    ("legend_concealed_kong", Laid((32, 32, 32, 32), concealed_kong=True)),
)


def render(book: Book) -> str:
    """The page."""
    return _Page(book).whole()


class _Page:
    def __init__(self, book: Book) -> None:
        self.book = book
        self.language = book.language
        self.tiles = Tiles(book.language)

    def say(self, key: str, *places: object, **named: object) -> str:
        """A label, escaped."""
        return escape(self.book.say(key, *places, **named))

    # ---- the frame ---------------------------------------------------------------------------

    def whole(self) -> str:
        body = self.body()
        size = fit(self.book.entries)
        style = (
            f"{shared_style()}:root{{--short:{size.size:g}pt;--short-pad:{size.padding:.2f}mm}}\n"
        )
        title = f"{self.book.name.text} {self.book.version} – {self.book.say('rule_book')}"
        return page(title, self.language, style, self.tiles.defs(), body)

    def body(self) -> str:
        book = self.book
        sections = [
            ("sheet", "short_list", self.short_list()),
            ("patterns", "patterns", self.patterns()),
            ("total", "total", self.total()),
            ("payments", "payments", self.payments()),
            ("play", "to_play", self.play()),
            ("options", "options", self.options()),
            ("events", "events", self.events()),
            ("interpretations", "interpretations", self.interpretations()),
            ("source", "source", self.source()),
        ]
        shown = [(id, key, inside) for id, key, inside in sections if inside]
        links = "".join(f'<li><a href="#{id}">{self.say(key)}</a></li>' for id, key, _ in shown)
        parts = "".join(
            f'<section id="{id}"{" class=sheet" if id == "sheet" else ""}>'
            f"<h2>{self.say(key)}</h2>\n{inside}</section>\n"
            for id, key, inside in shown
        )
        note = self.say("generated", id=f"{book.id} {book.version}")
        return (
            f'{self.top()}<nav aria-label="{self.say("contents")}"><ul>{links}</ul></nav>'
            f"\n<main>\n{parts}</main>\n<footer><p>{note}</p></footer>\n"
        )

    def top(self) -> str:
        book = self.book
        others = self.others(book.other_names)
        facts = [self.say("rule_book"), self.say("version", book.version)]
        if book.settings:
            facts.append(escape(book.settings))
        return (
            f'<header class="top"><h1>{self.text(book.name)}{others}</h1>'
            f"<p>{' · '.join(facts)}</p></header>\n"
        )

    # ---- texts and tiles ---------------------------------------------------------------------

    def text(self, said: Said) -> str:
        """A text of the ruleset, marked where it is in another language than the page."""
        if said.language == self.language:
            return escape(said.text)
        return f'<span lang="{escape(said.language)}">{escape(said.text)}</span>'

    def others(self, names: Iterable[Said]) -> str:
        return "".join(
            f' <span class="other" lang="{escape(name.language)}">{escape(name.text)}</span>'
            for name in names
        )

    def words(self, words: str) -> str:
        """Words with the tiles in them drawn."""
        found = [
            self.tiles_in_words(part) if is_tiles else escape(part)
            for is_tiles, part in pieces(words)
        ]
        return f'<span class="words">{"".join(found)}</span>'

    def tiles_in_words(self, notation: str) -> str:
        return "".join(
            self.tiles.tile(TILE_INDEX[rank + letter])
            for ranks, letter in _TILES.findall(notation)
            for rank in ranks
        )

    def reading(self, reading: Reading) -> str:
        stop = self.say("full_stop")
        return (
            f"{self.words(opened(reading.words))}{stop}"
            f'<span class="exact"><code lang="en">{escape(reading.exact)}</code></span>'
        )

    # ---- patterns ----------------------------------------------------------------------------

    def short_list(self) -> str:
        coded = any(entry.code for entry in self.book.entries)
        head = (f"<th>{self.say('code')}</th>" if coded else "") + (
            f'<th>{self.say("pattern")}</th><th class="num">{self.say("worth")}</th>'
            f"<th>{self.say('meaning')}</th>"
        )
        rows: list[str] = []
        for part in self.book.parts:
            for place, entry in enumerate(part.entries):
                first = ' class="first"' if place == 0 else ""
                code = f'<td class="code">{escape(entry.code)}</td>' if coded else ""
                rows.append(
                    f'<tr{first}>{code}<td class="name"><a href="#p-{escape(entry.id)}">'
                    f"{self.text(entry.name)}</a>{self.others(entry.other_names[:1])}</td>"
                    f'<td class="num">{self.worth(entry)}</td>'
                    f'<td class="brief">{self.brief(entry)}</td></tr>\n'
                )
        return (
            f'<table class="short"><thead><tr>{head}</tr></thead>\n'
            f"<tbody>\n{''.join(rows)}</tbody></table>\n"
        )

    def brief(self, entry: Entry) -> str:
        if entry.doc is None:
            return self.words(entry.brief.text)
        return self.text(entry.brief)

    def worth(self, entry: Entry) -> str:
        worth = escape(entry.worth)
        if not entry.each:
            return worth
        before, _, after = self.book.say("of_each", n="\0").partition("\0")
        return "".join(
            f'<span class="each">{escape(words)}</span>' if words else middle
            for words, middle in ((before, ""), ("", worth), (after, ""))
        )

    def patterns(self) -> str:
        note = f'<p class="note">{self.say("status_note")}</p>\n' if self.book.has_status else ""
        return self.legend() + note + "".join(self.part(part) for part in self.book.parts)

    def legend(self) -> str:
        if not any(entry.hits or entry.misses for entry in self.book.entries):
            return ""
        shown = "".join(
            f"<span>{self.tiles.laid(laid)}{self.say(key)}</span>" for key, laid in _LEGEND
        )
        return f'<div class="legend" aria-label="{self.say("legend")}">{shown}</div>\n'

    def part(self, part: Part) -> str:
        head = ""
        if part.number is not None:
            head = f'<h3 class="part">{self.say("part", part.number)}</h3>\n'
        return head + "".join(self.series(series) for series in part.series)

    def series(self, series: Series) -> str:
        inside = "".join(self.entry(entry) for entry in series.entries)
        if len(series.entries) == 1:
            return inside
        note = escape(self.book.series_note(series))
        return f'<div class="series"><p class="note">{note}</p>\n{inside}</div>\n'

    def entry(self, entry: Entry) -> str:
        code = f'<span class="code">{escape(entry.code)}</span>' if entry.code else ""
        badges = ""
        if entry.bonus:
            badges += f'<span class="badge">{self.say("bonus")}</span>'
        if entry.status:
            words = self.say(f"status_{entry.status}")
            badges += f'<span class="badge {escape(entry.status)}">{words}</span>'
        doc = f"<p>{self.text(entry.doc)}</p>\n" if entry.doc is not None else ""
        if entry.instead_of:
            names = self.book.say("comma").join(entry.instead_of)
            doc += f'<p class="note">{self.say("instead_of", names)}</p>\n'
        if entry.bonus:
            doc += f'<p class="note">{self.say("bonus_note")}</p>\n'
        readings = "".join(
            f"<dt>{escape(key)}</dt><dd>{self.reading(reading)}</dd>"
            for key, reading in entry.readings
        )
        return (
            f'<article class="pattern" id="p-{escape(entry.id)}"><header>{code}'
            f"<h3>{self.text(entry.name)}{self.others(entry.other_names)}</h3>{badges}"
            f'<span class="worth">{self.worth(entry)}</span></header>\n{doc}'
            f'<dl class="readings">{readings}</dl>\n{self.examples(entry)}</article>\n'
        )

    def examples(self, entry: Entry) -> str:
        columns = "".join(
            f'<div class="{key}"><h4>{self.say(key)}</h4><ul>'
            f"{''.join(self.example(shown) for shown in examples)}</ul></div>"
            for key, examples in (("hits", entry.hits), ("misses", entry.misses))
            if examples
        )
        return f'<div class="examples">{columns}</div>\n' if columns else ""

    def example(self, shown: ShownHand) -> str:
        if shown.error:
            return f"<li><code>{escape(shown.text)}</code><p>{escape(shown.error)}</p></li>"
        lines = [
            self.tiles.hand(shown.groups, shown.text),
            f'<p class="how"><span>{escape(shown.situation)}</span>'
            f"<b>{escape(shown.points)}</b></p>",
        ]
        if shown.reason:
            lines.append(f"<p>{self.words(opened(shown.reason))}</p>")
        if shown.sum:
            lines.append(f"<p>{escape(shown.sum)}</p>")
        if shown.why is not None:
            text, language = shown.why
            lines.append(f'<p class="why" lang="{escape(language)}">{escape(text)}</p>')
        return f"<li>{''.join(lines)}</li>"

    # ---- total and payments ------------------------------------------------------------------

    def total(self) -> str:
        lines = "".join(f"<li>{self.words(line)}</li>" for line in self.book.total)
        return f"<ul>{lines}</ul>\n"

    def payments(self) -> str:
        if not self.book.endings:
            return f"<p>{self.say('payments_none')}</p>\n"
        found = "".join(self.ending(ending) for ending in self.book.endings)
        for head, lines in self.book.duties:
            listed = "".join(f"<li>{self.words(opened(line))}</li>" for line in lines)
            found += f"<h3>{escape(head)}</h3>\n<ul>{listed}</ul>\n"
        if self.book.worked:
            found += f"<h3>{self.say('worked')}</h3>\n"
            found += "".join(self.worked(worked) for worked in self.book.worked)
        return found

    def ending(self, ending: Ending) -> str:
        rows: list[str] = []
        for place, line in enumerate(ending.lines):
            if line.when is not None:
                when = self.sentence(*line.when)
            else:
                when = self.say("otherwise" if place else "always")
            rows.append(f"<tr><td>{when}</td><td>{self.sentence(*line.pays)}</td></tr>")
        table = (
            f'<div class="wide"><table><thead><tr><th>{self.say("when")}</th>'
            f"<th>{self.say('pays')}</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>\n"
        )
        cases = self.cases(ending.cases, "", "") if ending.cases else ""
        return f"<p>{escape(ending.intro)}</p>\n{table}{cases}"

    def sentence(self, words: str, exact: str) -> str:
        shown = self.words(opened(words))
        if words == exact:
            return shown
        return f'{shown}<span class="exact"><code lang="en">{escape(exact)}</code></span>'

    def worked(self, worked: Worked) -> str:
        return (
            f'<div class="worked"><h4>{escape(worked.title)}</h4>'
            f"{self.tiles.hand(worked.groups, worked.text)}"
            f'<p class="note">{escape(worked.sum)}</p>'
            f"{self.cases(worked.cases, self.say('case'), self.say('hand_worth'))}</div>\n"
        )

    def cases(self, cases: Sequence[Case], first: str, second: str) -> str:
        seats = "".join(f'<th class="num">{self.say(f"seat_{seat}")}</th>' for seat in SEATS)
        worth = f'<th class="num">{second}</th>' if second else ""
        rows = "".join(
            f"<tr><td>{escape(case.words)}</td>"
            + (f'<td class="num">{escape(case.points)}</td>' if second else "")
            + "".join(self.paid(case.payments, seat) for seat in SEATS)
            + "</tr>"
            for case in cases
        )
        return (
            f'<div class="wide"><table class="cases"><thead><tr><th>{first}</th>{worth}{seats}</tr>'
            f"</thead><tbody>{rows}</tbody></table></div>\n"
        )

    def paid(self, payments: Mapping[str, int], seat: str) -> str:
        n = payments.get(seat, 0)
        kind = " plus" if n > 0 else " minus" if n < 0 else ""
        return f'<td class="num{kind}">{signed(n)}</td>'

    # ---- the rest ----------------------------------------------------------------------------

    def play(self) -> str:
        wall = "".join(f"<p>{self.words(line)}</p>\n" for line in self.book.wall)
        shapes = "".join(
            f"<tr><td>{self.text(shape.name)}</td><td>{self.words(shape.words)}</td></tr>"
            for shape in self.book.shapes
        )
        return (
            f"{wall}<h3>{self.say('shapes')}</h3>\n"
            f'<div class="wide"><table><tbody>{shapes}</tbody></table></div>\n'
        )

    def options(self) -> str:
        found: list[str] = []
        for choice in self.book.choices:
            words = [self.book.say("option_now", choice.value)]
            if choice.default != choice.value:
                words.append(self.book.say("default", value=choice.default))
            if choice.values:
                words.append(choice.values)
            doc = f"<dd>{self.text(choice.doc)}</dd>" if choice.doc is not None else ""
            facts = escape(self.book.say("clause").join(words))
            found.append(
                f"<div><dt>{self.text(choice.name)} <code>{escape(choice.id)}</code></dt>{doc}"
                f'<dd class="note">{facts}</dd></div>'
            )
        return f'<dl class="answers">{"".join(found)}</dl>\n' if found else ""

    def events(self) -> str:
        found: list[str] = []
        for event in self.book.circumstances:
            doc = f"<dd>{self.text(event.doc)}</dd>" if event.doc is not None else ""
            needs = ""
            if event.needs is not None:
                before, _, after = self.book.say("event_needs", "\0").partition("\0")
                needs = (
                    f'<dd class="note">{escape(before)}{self.words(event.needs.words)}'
                    f'{escape(after)}<span class="exact"><code lang="en">'
                    f"{escape(event.needs.exact)}</code></span></dd>"
                )
            found.append(
                f"<div><dt>{self.text(event.name)} <code>{escape(event.id)}</code></dt>"
                f"{doc}{needs}</div>"
            )
        return f'<dl class="answers">{"".join(found)}</dl>\n' if found else ""

    def interpretations(self) -> str:
        found: list[str] = []
        for answer in self.book.answers:
            why = ""
            if answer.why is not None:
                before = self.say("why") + self.say("colon")
                why = f'<dd class="note">{before}{self.text(answer.why)}</dd>'
            found.append(
                f"<div><dt>{self.text(answer.question)}</dt>"
                f"<dd>{self.text(answer.reading)}</dd>{why}</div>"
            )
        return f'<dl class="answers">{"".join(found)}</dl>\n' if found else ""

    def source(self) -> str:
        source = self.book.source
        return f"<p>{self.text(source)}</p>\n" if source is not None else ""


def signed(n: int) -> str:
    """A payment with its sign."""
    return "0" if n == 0 else f"{n:+d}".replace("-", "−")
