"""A comparison of rulesets as one HTML page that needs nothing besides itself.

Texts of rulesets are not trusted: every one is escaped, and none stands in an address or a style.
"""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from ruleengine.book.examples import laid, situation_words
from ruleengine.book.tiles_html import Tiles, page, style
from ruleengine.faces.compared import (
    Telling,
    branch_findings,
    by_subject,
    crossing_names,
    crossings_said,
    differences,
    first_result,
    impact_counts,
    is_short,
    left_out_words,
    looked_at,
    outcome_rows,
    reasons,
    sorted_changes,
    summary,
    tilts,
    value_lines,
    witness_columns,
)
from ruleengine.faces.compared_ends import notes, shown_end, shown_meeting

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from ruleengine.compare.model import Change, Comparison, Impact, Judged, LeftOut, Meeting
    from ruleengine.compare.review import BranchReview, Review
    from ruleengine.compare.three_way import Crossing, ThreeWay
    from ruleengine.errors import HandError
    from ruleengine.faces.compared import Row
    from ruleengine.faces.compared_ends import ShownEnd
    from ruleengine.result import Result
    from ruleengine.rules import Rules

_CLASSES = {"-": "old", "+": "new", " ": "both"}
_MARKS = {"-": "del", "+": "ins", " ": "span"}


def comparison_html(comparison: Comparison, review: Review, language: str = "en") -> str:
    """Two rulesets compared, as a page."""
    telling = Telling(comparison.old, comparison.new, language, comparison.renamed)
    writer = _Writer(telling, Tiles(language), review.accepted)
    say = writer.say
    grave, rewritten, texts = sorted_changes(comparison)
    notes = [f'<p class="counts">{escape(summary(comparison, language))}</p>']
    if comparison.changes and comparison.proved_equal:
        notes.append(f'<p class="proved">{say("diff_proved")}</p>')
    elif comparison.changes and not comparison.looked:
        notes.append(f'<p class="counts">{say("diff_not_looked")}</p>')
    notes += _findings([*writer.findings(comparison, review), *writer.stale(review.stale)])
    sections = [writer.section("", "".join(map(writer.judged, grave)))]
    sections.append(writer.section("diff_rewritten", "".join(map(writer.judged, rewritten))))
    meetings = [writer.meeting(meeting) for meeting in comparison.meetings]
    sections.append(writer.section("diff_meetings", "".join(meetings)))
    impacts = [impact for impact in (comparison.hands, comparison.plays) if impact is not None]
    sections.append(writer.section("diff_impact", "".join(map(writer.impact, impacts))))
    sections.append(writer.section("diff_texts", writer.texts(texts)))
    sections.append(writer.section("diff_left_out", writer.left_out(comparison.left_out)))
    return writer.page((comparison.old, comparison.new), notes, sections)


def three_way_html(found: ThreeWay, review: BranchReview, language: str = "en") -> str:
    """How the changes of two branches stand to each other, as a page."""

    tiles = Tiles(language)
    telling = Telling(found.base, found.our_rules, language, third=found.their_rules)
    ours = _Writer(telling, tiles, review.accepted)
    theirs = _Writer(Telling(found.base, found.their_rules, language), tiles, review.accepted)
    notes = [f'<p class="counts">{escape(crossings_said(found, language))}</p>']
    if not found.looked:
        notes.append(f'<p class="counts">{ours.say("diff_not_looked")}</p>')
    notes += _findings(branch_findings(found, review, language))
    notes += _findings(ours.stale(review.stale))
    crossings = [_crossing(crossing, ours, theirs) for crossing in found.crossings]
    sections = [ours.section("", "".join(crossings))]
    for key, writer, changes in (
        ("diff_same_both", ours, found.same),
        ("diff_ours", ours, found.ours),
        ("diff_theirs", theirs, found.theirs),
    ):
        sections.append(writer.section(key, "".join(map(writer.change, changes))))
    sections.append(ours.section("diff_left_out", ours.left_out(found.left_out)))
    marks = ("diff_base", "diff_our", "diff_their")
    return ours.page((found.base, found.our_rules, found.their_rules), notes, sections, marks=marks)


def _crossing(crossing: Crossing, ours: _Writer, theirs: _Writer) -> str:
    touch = ours.say(f"diff_touch_{crossing.touch}")
    both = ours.change(crossing.ours, label="diff_our")
    both += theirs.change(crossing.theirs, label="diff_their")
    shown = ours.met(crossing, crossing_names(crossing, ours.telling))
    return f'<div class="series"><p class="note">{touch}</p>{both}{shown}</div>\n'


@cache
def _style() -> str:
    own = (files("ruleengine.faces") / "compared.css").read_text(encoding="utf-8")
    return f"{style()}{own}"


def _listed(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="texts">{items}</ul>' if items else ""


def _findings(lines: Iterable[str]) -> list[str]:
    return [f'<p class="finding">{escape(line)}</p>' for line in lines]


class _Writer:
    """Writes the parts of a page."""

    def __init__(self, telling: Telling, tiles: Tiles, accepted: Container[str]) -> None:
        self.telling = telling
        self.tiles = tiles
        self.accepted = accepted

    def say(self, key: str, **values: object) -> str:
        """A phrase, escaped."""
        return escape(self.telling.say(key, **values))

    def page(
        self,
        rules: Sequence[Rules],
        notes: Iterable[str],
        sections: Iterable[str],
        *,
        marks: Sequence[str] = (),
    ) -> str:
        """The whole page. `marks` say what each of the rulesets is, where they are no old and new
        one."""
        language = self.telling.language
        names = [f"{one.name(language)} {one.version}" for one in rules]
        arrow = '<span class="arrow">→</span>'
        if marks:
            title = self.say("diff_title")
            said = [self.telling.say(mark) + self.telling.say("colon") for mark in marks]
            lines = [
                f"{word}{name} ({one.id})"
                for word, name, one in zip(said, names, rules, strict=True)
            ]
            ids = "<br>".join(map(escape, lines))
        else:
            title = arrow.join(map(escape, names))
            ids = " → ".join(escape(one.id) for one in rules)
        body = (
            f'<header class="top"><h1 class="pair">{title}</h1>'
            f"<p>{ids}</p>{''.join(notes)}</header>\n<main>\n{''.join(sections)}</main>\n"
            f"<footer><p>{self.say('diff_made')}</p></footer>\n"
        )
        return page(" → ".join(names), language, _style(), self.tiles.defs(), body)

    def section(self, key: str, inside: str) -> str:
        """A part of the page; nothing where there is nothing in it."""
        if not inside:
            return ""
        head = f"<h2>{self.say(key)}</h2>\n" if key else ""
        return f"<section>{head}{inside}</section>\n"

    def left_out(self, left_out: Iterable[LeftOut]) -> str:
        """What there was no time or room for."""
        return _listed(left_out_words(left_out, self.telling.language))

    def findings(self, comparison: Comparison, review: Review) -> list[str]:
        """What is to be mended or accepted."""
        say = self.telling.say
        found: list[str] = []
        if review.needs_bump:
            found.append(say("diff_bump", version=comparison.new.version))
        if review.failing:
            found.append(say("diff_fails", n=len(review.failing)))
        return found

    def stale(self, fingerprints: Iterable[str]) -> list[str]:
        """Accepted changes that are no longer there."""
        return [self.telling.say("diff_stale", fingerprint=one) for one in fingerprints]

    # ---- changes --------------------------------------------------------------------

    def change(self, change: Change, more: str = "", *, label: str = "") -> str:
        """A change with its values, and what else is said of it; `label` says whose it is."""
        telling = self.telling
        id_ = telling.id_of(change)
        shown_id = f' <code lang="en">{escape(id_)}</code>' if id_ else ""
        level = self.say(f"diff_level_{change.level}")
        badges = f'<span class="badge">{self.say(label)}</span> ' if label else ""
        badges += f'<span class="badge {change.level}">{level}</span>'
        if change.fingerprint in self.accepted:
            badges += f' <span class="badge accepted">{self.say("diff_accepted")}</span>'
        through = telling.through(change)
        note = f'<p class="note">{escape(through)}</p>' if through else ""
        place = f"{escape(telling.place(change))} · <code>{change.fingerprint}</code>"
        return (
            f'<article class="pattern change {change.level}"><header>'
            f"<h3>{escape(telling.subject(change))}</h3>{shown_id}"
            f'<span class="what">{escape(telling.what(change))}</span>'
            f'<span class="level">{badges}</span></header>'
            f"{self.value(change)}{note}{more}"
            f'<p class="place" lang="en">{place}</p></article>\n'
        )

    def judged(self, judged: Judged) -> str:
        """A change with its effect and the hand that shows it."""
        telling = self.telling
        said = [telling.effect(judged), *notes(judged, telling), telling.verdict(judged)]
        parts = [f'<p class="note">{escape(text)}</p>' for text in said if text]
        if judged.witness is not None:
            settings = telling.witness_settings(judged.witness)
            parts.append(self.witness(*witness_columns(judged.witness, telling), settings))
        if judged.end is not None:
            parts.append(self.end_of_a_hand(shown_end(judged.end, self.telling)))
        return self.change(judged.change, "".join(parts))

    def value(self, change: Change) -> str:
        """The old and the new value, the changed words marked."""
        if change.old is not None and change.old == change.new:
            lines = "".join(f"<div>{escape(line)}</div>" for line in change.old.split("\n"))
            return f'<div class="value" lang="en">{lines}</div>'
        if is_short(change) and change.old is not None and change.new is not None:
            return (
                f'<div><div class="value short"><div class="old">{escape(change.old)}</div>'
                f'<div class="new">{escape(change.new)}</div></div></div>'
            )
        shown = []
        for line in value_lines(change.old, change.new):
            partly = len({changed for _, changed in line.pieces}) > 1
            mark = _MARKS[line.sign]
            text = "".join(
                f"<{mark}>{escape(part)}</{mark}>" if changed and partly else escape(part)
                for part, changed in line.pieces
            )
            sign = line.sign.replace("-", "−")
            shown.append(f'<div class="{_CLASSES[line.sign]}" data-sign="{sign}">{text}</div>')
        return f'<div class="value">{"".join(shown)}</div>'

    def texts(self, changes: Sequence[Judged]) -> str:
        """What changes of texts are about, with all of them folded away."""
        if not changes:
            return ""
        lines: list[str] = []
        for subject, some in by_subject((judged.change for judged in changes), self.telling):
            what = dict.fromkeys(map(self.telling.brief, some))
            lines.append(
                f"{subject}{self.telling.say('colon')}{self.telling.say('comma').join(what)}"
            )
        whole = "".join(self.change(judged.change) for judged in changes)
        details = self.say("diff_details")
        return f"{_listed(lines)}<details><summary>{details}</summary>{whole}</details>"

    # ---- hands ----------------------------------------------------------------------

    def meeting(self, meeting: Meeting) -> str:
        """Changes that touch one hand."""
        telling = self.telling
        names = " + ".join(
            f"{telling.subject(one)}{telling.say('colon')}{telling.what(one)}"
            for one in (meeting.first, meeting.second)
        )
        keys = ("diff_old", "diff_first", "diff_second", "diff_both")
        shown = self.met(meeting, [telling.say(key) for key in keys])
        return f'<article class="pattern"><h3>{escape(names)}</h3>{shown}</article>\n'

    def met(self, pair: Meeting | Crossing, names: Sequence[str]) -> str:
        """What shows that two changes meet, where something does."""
        if pair.results:
            return self.witness(names, pair.results, self.telling.settings(pair.results))
        if pair.end is not None:
            return self.end_of_a_hand(shown_meeting(pair.end, names, self.telling))
        return ""

    def witness(
        self,
        names: Sequence[str],
        outcomes: Sequence[Result | HandError],
        settings: Sequence[str],
    ) -> str:
        """One hand, the options with which it is played, and what it comes to under several
        rulesets side by side."""
        language = self.telling.language
        parts: list[str] = []
        result = first_result(outcomes)
        if result is not None:
            parts.append(self.tiles.hand(laid(result), str(result.hand)))
            words = [situation_words(result, language, seats=True, counted=False)]
            how = self.telling.say("clause").join([*words, *settings])
            text = f'<code lang="en">{escape(str(result.hand))}</code>'
            parts.append(f'<p class="note">{escape(how)} · {text}</p>')
        parts.append(self.side_by_side(names, outcome_rows(outcomes, self.telling)))
        for reason in reasons(outcomes):
            said = f"{self.telling.say('diff_cannot_be')}{self.telling.say('colon')}{reason}"
            parts.append(f'<p class="note">{escape(said)}</p>')
        return f'<div class="witness">{"".join(parts)}</div>'

    def end_of_a_hand(self, shown: ShownEnd) -> str:
        """An end of a hand, and what it comes to under several rulesets side by side."""
        telling, parts = self.telling, list[str]()
        for result, discards in shown.hands:
            parts.append(self.tiles.hand(laid(result), str(result.hand)))
            words = [situation_words(result, telling.language, seats=True, counted=False), discards]
            how = telling.say("clause").join(one for one in words if one)
            text = f'<code lang="en">{escape(str(result.hand))}</code>'
            parts.append(f'<p class="note">{escape(how)} · {text}</p>')
        parts += [f"<p>{escape(shown.words)}</p>"] if shown.words else []
        parts.append(self.side_by_side(shown.names, shown.rows))
        for reason in shown.reasons:
            said = f"{telling.say('end_error')}{telling.say('colon')}{reason}"
            parts.append(f'<p class="note">{escape(said)}</p>')
        return f'<div class="witness">{"".join(parts)}</div>'

    def side_by_side(self, names: Iterable[str], shown: Iterable[Row]) -> str:
        """A table of what something comes to under several rulesets."""
        heads = "".join(f'<th class="num">{escape(name)}</th>' for name in names)
        rows = "".join(
            f'<tr class="row-{row.kind}"><td>{escape(row.label)}</td>'
            + "".join(
                f'<td class="num{" differs" if row.differs else ""}">{escape(cell)}</td>'
                for cell in row.cells
            )
            + "</tr>"
            for row in shown
        )
        return (
            f'<div class="wide"><table><thead><tr><th></th>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>"
        )

    def impact(self, impact: Impact) -> str:
        """What becomes of many hands."""
        language = self.telling.language
        counts = impact_counts(impact, language)
        weighted = any(count.drawn is not None for count in counts)
        heads = ["", "", self.say("diff_share"), *([self.say("diff_weighted")] if weighted else [])]
        rows = [
            [escape(count.label), f"{count.number:,}", count.share, *[count.drawn or ""] * weighted]
            for count in counts
        ]
        parts = [f"<h3>{escape(looked_at(impact, language))}</h3>", _table(heads, rows)]
        often, others = differences(impact)
        if often:
            parts.append(self.bars(often, others))
        moved, more = tilts(impact)
        if moved:
            heads = [self.say("diff_patterns"), self.say("diff_gained"), self.say("diff_lost")]
            rows = [
                [escape(self.telling.pattern_name(id_)), f"{tilt.gained:,}", f"{tilt.lost:,}"]
                for id_, tilt in moved
            ]
            rows += [[self.say("diff_others", n=more), "", ""]] if more else []
            parts.append(_table(heads, rows))
        return f'<div class="impact">{"".join(parts)}</div>\n'

    def bars(self, often: Sequence[tuple[int, int]], others: int) -> str:
        """How many hands gain or lose so many points."""
        most = max(number for _, number in often)
        rows = "".join(
            f'<span class="num">{points:+d}</span>'
            f'<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
            f'<rect class="{"up" if points > 0 else "down"}" '
            f'width="{max(100 * number / most, 0.5):.1f}" height="10" rx="1"/></svg>'
            f'<span class="num">{number:,}</span>'
            for points, number in sorted(often)
        )
        note = f'<p class="note">{self.say("diff_others", n=others)}</p>' if others else ""
        return f'<p class="note">{self.say("diff_by")}</p><div class="bars">{rows}</div>{note}'


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells are HTML; all but the first hold numbers."""
    first, *rest = heads
    top = f"<th>{first}</th>" + "".join(f'<th class="num">{head}</th>' for head in rest)
    lines = "".join(
        f"<tr><td>{row[0]}</td>" + "".join(f'<td class="num">{x}</td>' for x in row[1:]) + "</tr>"
        for row in rows
    )
    table = f"<table><thead><tr>{top}</tr></thead><tbody>{lines}</tbody></table>"
    return f'<div class="wide">{table}</div>'
