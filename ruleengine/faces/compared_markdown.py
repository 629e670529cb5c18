"""A comparison of rulesets as Markdown, short enough for a comment on a pull request.

Texts of rulesets are not trusted: none can make markup, a link, a mention or a picture.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from ruleengine.book.examples import laid, situation_words
from ruleengine.book.markdown import hand_line, md, plain_code, table
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
    from collections.abc import Container, Iterable, Iterator, Sequence

    from ruleengine.compare.model import Change, Comparison, Impact, Judged, Meeting
    from ruleengine.compare.review import BranchReview, Review
    from ruleengine.compare.three_way import Crossing, ThreeWay
    from ruleengine.errors import HandError
    from ruleengine.faces.compared import Row
    from ruleengine.faces.compared_ends import ShownEnd
    from ruleengine.result import Result
    from ruleengine.rules import Rules

MARK = "<!-- yaku diff -->"
"""The first line, by which a workflow finds the comment that it wrote before."""
MOST = 60_000
"""Characters; a comment on GitHub has at most 65,536."""
_SIGNS = {"score": "🔴", "payment": "🟡", "text": "⚪"}


def comparison_markdown(
    comparison: Comparison, review: Review, language: str = "en", *, texts: bool = False
) -> str:
    """Two rulesets compared, as a comment; of texts only what changed, unless `texts`."""
    telling = Telling(comparison.old, comparison.new, language, comparison.renamed)
    face = _Face(telling, review.accepted, review.stale)
    say = face.telling.say
    grave, rewritten, others = sorted_changes(comparison)
    head = [MARK, f"### {say('diff_title')}{say('colon')}{face.titles(comparison)}", ""]
    head.append(f"**{md(summary(comparison, language))}**")
    if comparison.changes and comparison.proved_equal:
        head += ["", f"✅ {say('diff_proved')}"]
    elif comparison.changes and not comparison.looked:
        head += ["", say("diff_not_looked")]
    head += list(face.findings(comparison, review))
    parts = [face.changes(grave)] if grave else []
    parts += [face.details(judged) for judged in grave]
    if rewritten:
        parts.append(face.folded(say("diff_rewritten"), face.values(rewritten)))
    if others:
        shown = face.values(others) if texts else face.texts(others)
        parts.append(face.folded(say("diff_texts"), shown))
    for meeting in comparison.meetings:
        keys = ("diff_old", "diff_first", "diff_second", "diff_both")
        both = " + ".join(face.heading(change) for change in (meeting.first, meeting.second))
        shown = face.met(meeting, [say(key) for key in keys])
        parts.append(face.folded(f"{say('diff_meetings')}{say('colon')}{both}", shown))
    impacts = [impact for impact in (comparison.hands, comparison.plays) if impact is not None]
    if impacts:
        parts.append(face.folded(say("diff_impact"), "\n\n".join(map(face.impact, impacts))))
    if comparison.left_out:
        listed = "\n".join(f"- {md(one)}" for one in left_out_words(comparison.left_out, language))
        parts.append(f"**{say('diff_left_out')}**\n\n{listed}")
    return _bounded("\n".join(head), parts, face)


def three_way_markdown(
    found: ThreeWay, review: BranchReview, language: str = "en", *, texts: bool = False
) -> str:
    """How the changes of two branches stand to each other, as a comment; of texts only what
    changed, unless `texts`."""

    telling = Telling(found.base, found.our_rules, language, third=found.their_rules)
    ours = _Face(telling, review.accepted, review.stale)
    theirs = _Face(Telling(found.base, found.their_rules, language), review.accepted, review.stale)
    say = ours.telling.say
    parts: list[str] = []
    for crossing in found.crossings:
        touch = say(f"diff_touch_{crossing.touch}")
        both = f"{ours.heading(crossing.ours)} + {theirs.heading(crossing.theirs)}"
        title = f"{touch}{say('colon')}{both}"
        shown = [
            f"{say('diff_our')}{ours.mark(crossing.ours)}:\n\n{ours.value(crossing.ours)}",
            f"{say('diff_their')}{theirs.mark(crossing.theirs)}:\n\n"
            f"{theirs.value(crossing.theirs)}",
        ]
        met = ours.met(crossing, crossing_names(crossing, ours.telling))
        shown += [met] if met else []
        parts.append(ours.folded(title, "\n\n".join(shown)))
    for key, face, changes in (
        ("diff_same_both", ours, found.same),
        ("diff_ours", ours, found.ours),
        ("diff_theirs", theirs, found.theirs),
    ):
        if changes:
            parts.append(face.folded(f"{say(key)} ({len(changes)})", face.briefly(changes, texts)))
    if found.left_out:
        listed = "\n".join(f"- {md(one)}" for one in left_out_words(found.left_out, language))
        parts.append(f"**{say('diff_left_out')}**\n\n{listed}")
    named = (
        ("diff_base", found.base),
        ("diff_our", found.our_rules),
        ("diff_their", found.their_rules),
    )
    names = [f"- {say(key)}{say('colon')}{ours.rules(rules)}" for key, rules in named]
    head = [f"{MARK}\n### {say('diff_title')}", "\n".join(names)]
    head.append(f"**{crossings_said(found, language)}**")
    if not found.looked:
        head.append(say("diff_not_looked"))
    head += [f"❌ {safe(one)}" for one in branch_findings(found, review, language)]
    head += ours.stale_lines()
    return _bounded("\n\n".join(head), parts, ours)


def _bounded(head: str, parts: Sequence[str], face: _Face) -> str:
    """As many of the parts as a comment has room for, and how many there was none for."""
    kept = [head]
    size = len(head)
    left = 0
    for part in parts:
        if size + len(part) > MOST:
            left += 1
            continue
        size += len(part) + 2
        kept.append(part)
    if left:
        kept.append(face.telling.say("diff_others", n=left))
    return "\n\n".join(kept) + "\n"


class _Face:
    """Writes the parts of a comment."""

    def __init__(
        self, telling: Telling, accepted: Container[str], stale: Sequence[str] = ()
    ) -> None:
        self.telling = telling
        self.accepted = accepted
        self.stale = stale

    def titles(self, comparison: Comparison) -> str:
        return " → ".join(self.rules(rules) for rules in (comparison.old, comparison.new))

    def rules(self, rules: Rules) -> str:
        name = f"{rules.name(self.telling.language)} {rules.version}"
        return f"{safe(name)} ({plain_code(rules.id)})"

    def title(self, change: Change, *, brief: bool = False) -> str:
        """What changed, and what of it; `brief` where its values do not stand below."""
        subject = safe(self.telling.subject(change))
        what = self.telling.brief(change) if brief else self.telling.what(change)
        return f"{subject}{self.telling.say('colon')}{safe(what)}"

    def heading(self, change: Change) -> str:
        """The same as HTML, for what is folded away."""
        subject = safe_html(self.telling.subject(change))
        return f"{subject}{self.telling.say('colon')}{safe_html(self.telling.what(change))}"

    def findings(self, comparison: Comparison, review: Review) -> Iterator[str]:
        """What is to be mended or accepted."""
        say = self.telling.say
        if review.needs_bump:
            yield f"\n❌ {md(say('diff_bump', version=''))} {plain_code(comparison.new.version)}"
        if review.failing:
            yield f"\n❌ {md(say('diff_fails', n=len(review.failing)))}"
        for line in self.stale_lines():
            yield f"\n{line}"

    def stale_lines(self) -> list[str]:
        """Accepted changes that are no longer there."""
        said = md(self.telling.say("diff_stale", fingerprint=""))
        return [f"⚠️ {said} {plain_code(fingerprint)}" for fingerprint in self.stale]

    def briefly(self, changes: Sequence[Change], texts: bool) -> str:
        """Changes with their values and no more; of texts only what changed, unless `texts`."""
        parts = [
            f"**{self.title(change)}**{self.mark(change)}\n\n{self.value(change)}"
            for change in changes
            if texts or change.level != "text"
        ]
        listed = [
            f"- {self.title(change, brief=True)}{self.mark(change)}"
            for change in changes
            if not texts and change.level == "text"
        ]
        return "\n\n".join([*parts, *(["\n".join(listed)] if listed else [])])

    def mark(self, change: Change) -> str:
        """Behind a change that is accepted."""
        if change.fingerprint not in self.accepted:
            return ""
        return f" ({md(self.telling.say('diff_accepted'))})"

    # ---- changes --------------------------------------------------------------------

    def changes(self, changes: Sequence[Judged]) -> str:
        """The changes that touch hands, a line each."""
        say = self.telling.say
        heads = ["", "", say("diff_old"), say("diff_new"), ""]
        rows: list[list[str]] = []
        for judged in changes:
            change = judged.change
            short = is_short(change) and change.old != change.new
            old, new = (
                ("" if value is None else plain_code(value).replace("|", r"\|")) if short else "…"
                for value in (change.old, change.new)
            )
            accepted = say("diff_accepted") if change.fingerprint in self.accepted else ""
            more = next(iter(notes(judged, self.telling)), "")
            seen = self.telling.effect(judged) or self.telling.verdict(judged) or more
            note = say("clause").join(md(one) for one in (seen, accepted) if one)
            rows.append([_SIGNS[change.level], self.title(change), old, new, note])
        return table(heads, rows)

    def details(self, judged: Judged) -> str:
        """A change with its values and the hand that shows it, folded away."""
        change = judged.change
        parts = [self.value(change)]
        place = self.telling.place(change)
        note = [plain_code(place)] if place else []
        parts.append(" · ".join([*note, plain_code(change.fingerprint)]))
        if judged.witness is not None:
            names, outcomes = witness_columns(judged.witness, self.telling)
            settings = self.telling.witness_settings(judged.witness)
            parts.append(self.outcomes(names, outcomes, settings))
        parts += [safe(note) for note in notes(judged, self.telling)]
        if judged.end is not None:
            parts.append(self.end_of_a_hand(shown_end(judged.end, self.telling)))
        return self.folded(self.heading(change), "\n\n".join(part for part in parts if part))

    def value(self, change: Change) -> str:
        """The old and the new value."""
        through = self.telling.through(change)
        if change.old == change.new and change.old is not None:
            shown = _fenced([f"  {line}" for line in change.old.split("\n")], "")
        elif is_short(change) and change.old is not None and change.new is not None:
            shown = f"{plain_code(change.old)} → {plain_code(change.new)}"
        else:
            lines = value_lines(change.old, change.new)
            shown = _fenced([f"{line.sign} {line.text}" for line in lines], "diff")
        return f"{shown}\n\n{safe(through)}" if through else shown

    def values(self, changes: Sequence[Judged]) -> str:
        """Changes with their values, one after another."""
        return "\n\n".join(
            f"**{self.title(judged.change)}** {self._said(judged)}\n\n{self.value(judged.change)}"
            for judged in changes
        )

    def _said(self, judged: Judged) -> str:
        """What is said of a change that is only written otherwise."""
        said = [self.telling.effect(judged), *notes(judged, self.telling)]
        return self.telling.say("clause").join(safe(one) for one in said if one)

    def texts(self, changes: Sequence[Judged]) -> str:
        """What changes of texts are about."""
        say = self.telling.say
        lines = []
        for subject, some in by_subject((judged.change for judged in changes), self.telling):
            what = dict.fromkeys(map(self.telling.brief, some))
            lines.append(f"- {safe(subject)}{say('colon')}{safe(say('comma').join(what))}")
        return "\n".join(lines)

    def folded(self, title: str, inside: str) -> str:
        """Something under a title that is opened by a click."""
        return f"<details><summary>{title}</summary>\n\n{inside}\n\n</details>"

    # ---- hands ----------------------------------------------------------------------

    def outcomes(
        self,
        names: Sequence[str],
        outcomes: Sequence[Result | HandError],
        settings: Sequence[str],
    ) -> str:
        """One hand, the options with which it is played, and what it comes to under several
        rulesets side by side."""
        parts: list[str] = []
        result = first_result(outcomes)
        if result is not None:
            said = [situation_words(result, self.telling.language, seats=True, counted=False)]
            words = self.telling.say("clause").join([*said, *settings])
            tiles, text = hand_line(laid(result)), plain_code(str(result.hand))
            parts.append(f"{tiles}<br>{text} {safe(words)}")
        parts.append(self.side_by_side(names, outcome_rows(outcomes, self.telling)))
        parts += [f"{self.telling.say('diff_cannot_be')}: {safe(one)}" for one in reasons(outcomes)]
        return "\n\n".join(parts)

    def met(self, pair: Meeting | Crossing, names: Sequence[str]) -> str:
        """What shows that two changes meet, where something does."""
        if pair.results:
            return self.outcomes(names, pair.results, self.telling.settings(pair.results))
        if pair.end is not None:
            return self.end_of_a_hand(shown_meeting(pair.end, names, self.telling))
        return ""

    def side_by_side(self, names: Sequence[str], shown: Iterable[Row]) -> str:
        """A table of what something comes to under several rulesets."""
        rows = [
            [f"**{safe(row.label)}**" if row.kind == "total" else safe(row.label)]
            + [f"**{md(cell)}**" if row.differs else md(cell) for cell in row.cells]
            for row in shown
        ]
        return table(["", *names], rows, range(1, len(names) + 1))

    def end_of_a_hand(self, shown: ShownEnd) -> str:
        """An end of a hand, and what it comes to under several rulesets side by side."""
        say = self.telling.say
        parts: list[str] = []
        for result, discards in shown.hands:
            said = [
                situation_words(result, self.telling.language, seats=True, counted=False),
                discards,
            ]
            words = say("clause").join(one for one in said if one)
            text = plain_code(str(result.hand))
            parts.append(f"{hand_line(laid(result))}<br>{text} {safe(words)}")
        parts += [safe(shown.words)] if shown.words else []
        parts.append(self.side_by_side(shown.names, shown.rows))
        parts += [f"{say('end_error')}{say('colon')}{safe(one)}" for one in shown.reasons]
        return "\n\n".join(parts)

    def impact(self, impact: Impact) -> str:
        """What becomes of many hands."""
        say, language = self.telling.say, self.telling.language
        counts = impact_counts(impact, language)
        weighted = any(count.drawn is not None for count in counts)
        heads = ["", "", say("diff_share"), *([say("diff_weighted")] if weighted else [])]
        rows = [
            [count.label, f"{count.number:,}", count.share] + [count.drawn or ""] * weighted
            for count in counts
        ]
        parts = [md(looked_at(impact, language)), table(heads, rows, range(1, len(heads)))]
        often, others = differences(impact)
        if often:
            shown = [f"{points:+d} × {number:,}" for points, number in often]
            shown += [say("diff_others", n=others)] if others else []
            parts.append(say("diff_by") + say("colon") + say("comma").join(shown))
        moved, more = tilts(impact)
        if moved:
            heads = [say("diff_patterns"), say("diff_gained"), say("diff_lost")]
            rows = [
                [safe(self.telling.pattern_name(id_)), f"{tilt.gained:,}", f"{tilt.lost:,}"]
                for id_, tilt in moved
            ]
            rows += [[say("diff_others", n=more), "", ""]] if more else []
            parts.append(table(heads, rows, (1, 2)))
        return "\n\n".join(parts)


def safe(text: str) -> str:
    """A text as Markdown shows it, which mentions nobody and links to nothing."""
    return _apart(md(text).replace("&#64;", "@"))


def safe_html(text: str) -> str:
    """The same where only HTML is read, as in a summary."""
    return _apart(escape(" ".join(text.split()), quote=False))


def _apart(text: str) -> str:
    """A text in which `@name` and `#1` are not read as one word, and addresses not as links."""
    text = re.sub(r"(@|(?<!&)#)(?=\w)", r"\1<!-- -->", text)
    return text.replace("://", ":<!-- -->//").replace("www.", "www<!-- -->.")


def _fenced(lines: Sequence[str], language: str) -> str:
    text = "\n".join(lines)
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
