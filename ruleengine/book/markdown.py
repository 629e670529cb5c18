"""Writes a rule book as Markdown, tiles as Unicode pictures beside the notation.

Texts of a ruleset are not trusted: every sign that Markdown or HTML could take for markup is
escaped, so that what is shown is what the ruleset says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ruleengine.book.content import opened
from ruleengine.book.html import signed
from ruleengine.language.words import pieces
from ruleengine.tiles import SEATS, TILE_INDEX, unicode_tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ruleengine.book.content import Book, Entry, Part, Reading, Said
    from ruleengine.book.examples import Laid, ShownHand
    from ruleengine.book.payments import Case

_BACK = "\U0001f02b"
_MARKUP = re.compile(r"[\\`*_{}\[\]#|!~$]|^[-+=]")
_NUMBERED = re.compile(r"^(\d+)(?=[.)](?:\s|$))")
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}
_TILES = re.compile(r"([1-9]+)([mpszf])")


def render(book: Book) -> str:
    """The whole text."""
    lines = "\n".join(_book(book)).strip() + "\n"
    return re.sub(r"\n{3,}", "\n\n", lines)


def md(text: str) -> str:
    """A text that Markdown shows as it is, on one line.

    >>> md("a *b* <i>c</i> https://x.org")
    'a \\\\*b\\\\* &lt;i&gt;c&lt;/i&gt; https&#58;//x.org'
    """
    line = " ".join(text.split())
    line = _MARKUP.sub(lambda found: "\\" + found.group(), line)
    line = "".join(_HTML.get(sign, sign) for sign in line)
    line = _NUMBERED.sub(r"\1\\", line)
    return line.replace("://", "&#58;//").replace("www.", "www&#46;")


def code(text: str) -> str:
    """A text as code on one line, whatever it holds; bars as tables need them."""
    line = " ".join(text.split()).replace("|", r"\|") or " "
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def plain_code(text: str) -> str:
    """A text as code outside tables, where a bar is a bar."""
    return code(text).replace(r"\|", "|")


def _book(book: Book) -> Iterator[str]:
    others = "".join(f" {md(name.text)}" for name in book.other_names)
    yield f"# {md(book.name.text)}{others}"
    yield ""
    facts = [book.say("rule_book"), book.say("version", book.version), book.settings]
    yield " · ".join(md(fact) for fact in facts if fact)
    yield ""
    yield f"## {md(book.say('short_list'))}"
    yield ""
    yield from _short_list(book)
    yield ""
    yield f"## {md(book.say('patterns'))}"
    yield ""
    if book.has_status:
        yield md(book.say("status_note"))
        yield ""
    for part in book.parts:
        yield from _part(book, part)
    yield f"## {md(book.say('total'))}"
    yield ""
    yield from (f"- {_words(line)}" for line in book.total)
    yield ""
    yield from _payments(book)
    yield from _play(book)
    yield from _choices(book)
    yield from _circumstances(book)
    yield from _answers(book)
    if book.source is not None:
        yield f"## {md(book.say('source'))}"
        yield ""
        yield md(book.source.text)
        yield ""
    yield f"*{md(book.say('generated', id=f'{book.id} {book.version}'))}*"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[int] = ()) -> str:
    marks = ["---:" if at in set(right) else "---" for at in range(len(heads))]
    lines = [heads, marks, *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


# ---- tiles -------------------------------------------------------------------------------------


def _words(words: str) -> str:
    """Words with the tiles in them as pictures and in notation."""
    return "".join(
        f"{_pictures(part)} {code(part)}" if is_tiles else md_inside(part)
        for is_tiles, part in pieces(words)
    )


def md_inside(text: str) -> str:
    """A part of a line, its spaces at both ends kept."""
    before = " " if text[:1].isspace() else ""
    after = " " if text[-1:].isspace() and text.strip() else ""
    return before + md(text) + after


def _pictures(notation: str) -> str:
    return "".join(
        unicode_tile(TILE_INDEX[rank + letter])
        for ranks, letter in _TILES.findall(notation)
        for rank in ranks
    )


def hand_line(groups: Iterable[Laid]) -> str:
    """Tiles in groups: `[ ]` claimed, `+` before the winning tile, kongs face down at both ends."""
    return " ".join(_laid(laid) for laid in groups)


def _laid(laid: Laid) -> str:
    last = len(laid.tiles) - 1
    tiles = "".join(
        ("+" if place == laid.won else "")
        + (_BACK if laid.concealed_kong and place in (0, last) else unicode_tile(tile))
        for place, tile in enumerate(laid.tiles)
    )
    return rf"\[{tiles}\]" if laid.claimed else tiles


# ---- patterns ----------------------------------------------------------------------------------


def _worth(book: Book, entry: Entry) -> str:
    return md(book.say("of_each", n=entry.worth) if entry.each else entry.worth)


def _names(entry: Entry) -> str:
    return md(entry.name.text) + "".join(f" {md(name.text)}" for name in entry.other_names)


def _short_list(book: Book) -> Iterator[str]:
    heads = [md(book.say(key)) for key in ("code", "pattern", "worth", "meaning")]
    rows = [
        (md(entry.code), _names(entry), _worth(book, entry), _brief(entry))
        for entry in book.entries
    ]
    if not any(entry.code for entry in book.entries):
        yield table(heads[1:], [row[1:] for row in rows], right=(1,))
        return
    yield table(heads, rows, right=(2,))


def _brief(entry: Entry) -> str:
    return _words(entry.brief.text) if entry.doc is None else md(entry.brief.text)


def _part(book: Book, part: Part) -> Iterator[str]:
    if part.number is not None:
        yield f"### {md(book.say('part', part.number))}"
        yield ""
    for series in part.series:
        if len(series.entries) > 1:
            yield f"*{md(book.series_note(series))}*"
            yield ""
        for entry in series.entries:
            yield from _entry(book, entry)


def _entry(book: Book, entry: Entry) -> Iterator[str]:
    head = f"{md(entry.code)} " if entry.code else ""
    yield f"#### {head}{_names(entry)} – {_worth(book, entry)}"
    yield ""
    marks = [book.say("bonus")] if entry.bonus else []
    marks += [book.say(f"status_{entry.status}")] if entry.status else []
    if marks:
        yield f"*{md(book.say('comma').join(marks))}*"
        yield ""
    if entry.doc is not None:
        yield md(entry.doc.text)
        yield ""
    for key, reading in entry.readings:
        yield f"- {md(key)}{md_inside(book.say('colon'))}{_reading(book, reading)}"
    if entry.instead_of:
        yield f"- {md(book.say('instead_of', book.say('comma').join(entry.instead_of)))}"
    if entry.bonus:
        yield f"- {md(book.say('bonus_note'))}"
    yield ""
    for key, examples in (("hits", entry.hits), ("misses", entry.misses)):
        if examples:
            heads = [md(book.say(key)), "", md(book.say("worth")), md(book.say("why"))]
            yield table(heads, [_example(book, shown) for shown in examples], right=(2,))
            yield ""


def _reading(book: Book, reading: Reading) -> str:
    words = _words(opened(reading.words)) + book.say("full_stop")
    return f"{words} {plain_code(reading.exact)}"


def _example(book: Book, shown: ShownHand) -> tuple[str, str, str, str]:
    if shown.error:
        return code(shown.text), "", "", md(shown.error)
    hand = f"{hand_line(shown.groups)}<br>{code(shown.text)}"
    why = [_words(opened(shown.reason))] if shown.reason else []
    why += [md(shown.sum)] if shown.sum else []
    why += [md(shown.why[0])] if shown.why is not None else []
    return hand, md(shown.situation), md(shown.points), "<br>".join(why)


# ---- payments ----------------------------------------------------------------------------------


def _payments(book: Book) -> Iterator[str]:
    yield f"## {md(book.say('payments'))}"
    yield ""
    if not book.endings:
        yield md(book.say("payments_none"))
        yield ""
    for ending in book.endings:
        yield md(ending.intro)
        yield ""
        rows: list[tuple[str, str]] = []
        for place, line in enumerate(ending.lines):
            if line.when is None:
                when = md(book.say("otherwise" if place else "always"))
            else:
                when = _sentence(*line.when)
            rows.append((when, _sentence(*line.pays)))
        yield table([md(book.say("when")), md(book.say("pays"))], rows)
        yield ""
        if ending.cases:
            yield _cases(book, ending.cases, worth=False)
            yield ""
    for head, duties in book.duties:
        yield f"### {md(head)}"
        yield ""
        yield from (f"- {_words(opened(duty))}" for duty in duties)
        yield ""
    if book.worked:
        yield f"### {md(book.say('worked'))}"
        yield ""
    for worked in book.worked:
        yield f"**{md(worked.title)}**: {hand_line(worked.groups)} {plain_code(worked.text)}"
        yield ""
        yield md(worked.sum)
        yield ""
        yield _cases(book, worked.cases, worth=True)
        yield ""


def _sentence(words: str, exact: str) -> str:
    said = _words(opened(words))
    return said if words == exact else f"{said}<br>{code(exact)}"


def _cases(book: Book, cases: Sequence[Case], *, worth: bool) -> str:
    seats = [md(book.say(f"seat_{seat}")) for seat in SEATS]
    heads = [md(book.say("case")), *([md(book.say("hand_worth"))] if worth else []), *seats]
    rows = [
        (
            md(case.words),
            *([md(case.points)] if worth else []),
            *(signed(case.payments.get(seat, 0)) for seat in SEATS),
        )
        for case in cases
    ]
    return table(heads, rows, right=range(1, len(heads)))


# ---- the rest ----------------------------------------------------------------------------------


def _play(book: Book) -> Iterator[str]:
    yield f"## {md(book.say('to_play'))}"
    yield ""
    for line in book.wall:
        yield _words(line)
        yield ""
    yield f"### {md(book.say('shapes'))}"
    yield ""
    for shape in book.shapes:
        yield f"- {_bold(shape.name)}{md_inside(book.say('colon'))}{_words(shape.words)}"
    yield ""


def _bold(said: Said) -> str:
    return f"**{md(said.text)}**"


def _choices(book: Book) -> Iterator[str]:
    if not book.choices:
        return
    yield f"## {md(book.say('options'))}"
    yield ""
    for choice in book.choices:
        words = [book.say("option_now", choice.value)]
        if choice.default != choice.value:
            words.append(book.say("default", value=choice.default))
        if choice.values:
            words.append(choice.values)
        doc = f" {md(choice.doc.text)}" if choice.doc is not None else ""
        facts = md(book.say("clause").join(words))
        yield f"- {_bold(choice.name)} {plain_code(choice.id)} – {facts}.{doc}"
    yield ""


def _circumstances(book: Book) -> Iterator[str]:
    if not book.circumstances:
        return
    yield f"## {md(book.say('events'))}"
    yield ""
    for event in book.circumstances:
        doc = f" {md(event.doc.text)}" if event.doc is not None else ""
        needs = ""
        if event.needs is not None:
            before, _, after = book.say("event_needs", "\0").partition("\0")
            needs = (
                f" {md_inside(before)}{_words(event.needs.words)}{md_inside(after)} "
                f"{plain_code(event.needs.exact)}"
            )
        yield f"- {_bold(event.name)} {plain_code(event.id)} –{doc}{needs}"
    yield ""


def _answers(book: Book) -> Iterator[str]:
    if not book.answers:
        return
    yield f"## {md(book.say('interpretations'))}"
    yield ""
    for answer in book.answers:
        yield _bold(answer.question)
        yield ""
        yield md(answer.reading.text)
        yield ""
        if answer.why is not None:
            yield f"{md(book.say('why'))}{md_inside(book.say('colon'))}{md(answer.why.text)}"
            yield ""
