"""Shows a comparison of rulesets in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from ruleengine.faces.compared import (
    Telling,
    branch_findings,
    by_subject,
    crossing_names,
    crossings_said,
    differences,
    first_result,
    folded,
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
from ruleengine.faces.scores import rules_title, show_hand, situation_words
from ruleengine.faces.screen import MIN_WIDTH, styled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ruleengine.compare.model import (
        Change,
        Comparison,
        Impact,
        Judged,
        LeftOut,
        Meeting,
    )
    from ruleengine.compare.review import BranchReview, Review
    from ruleengine.compare.three_way import Crossing, ThreeWay
    from ruleengine.errors import HandError
    from ruleengine.faces.compared import Row
    from ruleengine.faces.compared_ends import ShownEnd
    from ruleengine.faces.screen import Screen
    from ruleengine.result import Result
    from ruleengine.rules import Rules

LEVEL_STYLES = {"score": "bold red", "payment": "bold yellow", "text": "dim"}
_OLD, _NEW = "red", "green"


def show_comparison(
    comparison: Comparison, review: Review, screen: Screen, *, texts: bool = False
) -> None:
    """Write all that is to be said of two rulesets; of texts only what changed, unless `texts`."""
    face = _Face(comparison.old, comparison.new, screen, review.accepted, comparison.renamed)
    face.head((comparison.old, comparison.new))
    screen.line(summary(comparison, screen.language))
    grave, rewritten, others = sorted_changes(comparison)
    for judged in grave:
        face.change(judged)
    if rewritten:
        screen.heading(screen.say("diff_rewritten"))
        for judged in rewritten:
            face.rewritten(judged)
    if others:
        face.texts(others, whole=texts)
    if comparison.meetings:
        screen.heading(screen.say("diff_meetings"))
        for meeting in comparison.meetings:
            face.meeting(meeting)
    impacts = [impact for impact in (comparison.hands, comparison.plays) if impact is not None]
    if impacts:
        screen.heading(screen.say("diff_impact"))
        for impact in impacts:
            face.impact(impact)
    face.end(comparison, review)


def show_three_way(
    found: ThreeWay, review: BranchReview, screen: Screen, *, texts: bool = False
) -> None:
    """Write how the changes of two branches stand to each other; of texts only what changed, unless
    `texts`."""
    face = _Face(found.base, found.our_rules, screen, review.accepted, third=found.their_rules)
    for key, rules in (
        ("diff_base", found.base),
        ("diff_our", found.our_rules),
        ("diff_their", found.their_rules),
    ):
        line = screen.say(key) + screen.say("colon") + rules_title(rules, screen)
        screen.line(Text(line, style="bold"), hang=2)
    screen.line()
    if found.crossings:
        screen.line(Text(screen.say("diff_crossings"), style="bold"))
        for crossing in found.crossings:
            face.crossing(crossing, found)
    else:
        screen.line(crossings_said(found, screen.language))
    for key, changes, rules in (
        ("diff_same_both", found.same, found.our_rules),
        ("diff_ours", found.ours, found.our_rules),
        ("diff_theirs", found.theirs, found.their_rules),
    ):
        if changes:
            screen.heading(screen.say(key))
            told = _Face(found.base, rules, screen, review.accepted)
            for change in changes:
                if texts or change.level != "text":
                    told.brief(change)
            if not texts:
                told.brief_texts(change for change in changes if change.level == "text")
    face.left_out(found.left_out)
    said = [styled(one, "bold red") for one in branch_findings(found, review, screen.language)]
    if not found.looked:
        said.insert(0, styled(screen.say("diff_not_looked"), "dim"))
    face.last_lines([*said, *face.stale(review.stale)])


class _Face:
    """Writes the parts of a comparison of two rulesets."""

    def __init__(
        self,
        old: Rules,
        new: Rules,
        screen: Screen,
        accepted: Iterable[str] = (),
        renamed: Mapping[str, str] | None = None,
        third: Rules | None = None,
    ) -> None:
        self.screen = screen
        self.telling = Telling(old, new, screen.language, renamed, third)
        self.accepted = frozenset(accepted)
        self.arrow = screen.sign("→", "->")

    def head(self, rules: Sequence[Rules]) -> None:
        titles = [rules_title(one, self.screen) for one in rules]
        self.screen.line(Text(f" {self.arrow} ".join(titles), style="bold"), hang=2)

    # ---- changes --------------------------------------------------------------------

    def title(self, change: Change) -> Text:
        """The level, what changed, what of it, and the fingerprint."""
        screen, telling = self.screen, self.telling
        title = Text()
        level = screen.say(f"diff_level_{change.level}")
        title.append(level, LEVEL_STYLES[change.level])
        title.append("  ")
        title.append(telling.subject(change), "bold")
        id_ = telling.id_of(change)
        title.append(f" ({id_})" if id_ else "", "dim")
        title.append(screen.say("colon") + telling.what(change))
        title.append(f"  {change.fingerprint}", "dim")
        if change.fingerprint in self.accepted:
            title.append(f"  {screen.say('diff_accepted')}", "green")
        return title

    def change(self, judged: Judged) -> None:
        """A change with its values, its effect, and the hand that shows it."""
        screen, change = self.screen, judged.change
        screen.line()
        screen.line(self.title(change), hang=2)
        self.values(change)
        place = self.telling.place(change).replace("→", self.arrow)
        if place:
            screen.line(styled(place, "dim"), indent=2, wrap=False)
        effect = self.telling.effect(judged)
        if effect:
            screen.line(effect, indent=2, hang=2)
        for note in notes(judged, self.telling):
            screen.line(note, indent=2, hang=2)
        verdict = self.telling.verdict(judged)
        if judged.end is not None:
            absent = self.screen.sign("·", "-")
            self.end_of_a_hand(shown_end(judged.end, self.telling, absent))
        if judged.witness is not None:
            names, outcomes = witness_columns(judged.witness, self.telling)
            settings = self.telling.witness_settings(judged.witness)
            self.outcomes(names, outcomes, settings)
        elif verdict:
            screen.line(verdict, indent=2, hang=2)

    def values(self, change: Change, indent: int = 2) -> None:
        """The old and the new value, with what changed in them marked."""
        screen = self.screen
        through = self.telling.through(change)
        if change.old == change.new and change.old is not None:
            screen.line(change.old, indent=indent, hang=2)
        elif is_short(change) and change.old is not None and change.new is not None:
            line = Text()
            line.append(change.old, _OLD).append(f" {self.arrow} ").append(change.new, _NEW)
            screen.line(line, indent=indent)
        else:
            for one in value_lines(change.old, change.new):
                self.value_line(one.sign, one.pieces, indent)
        if through:
            screen.line(through, indent=indent, hang=2)

    def value_line(self, sign: str, pieces: Sequence[tuple[str, bool]], indent: int) -> None:
        """One line of a value. Without colours a line under it points at the words."""
        style = {"-": _OLD, "+": _NEW}.get(sign, "")
        line = Text().append(f"{sign} ", style)
        partly = len({changed for _, changed in pieces}) > 1
        for text, changed in pieces:
            line.append(text, f"bold underline {style}" if changed and partly else style)
        if self.screen.console.color_system is not None or not partly:
            self.screen.line(line, indent=indent, hang=2)
            return
        for at, row in enumerate(folded(pieces, max(self.screen.width - indent - 2, MIN_WIDTH))):
            lead = " " if at else sign
            self.screen.line(f"{lead} {''.join(text for text, _ in row)}", indent=indent)
            marks = "".join(("^" if changed else " ") * cell_len(text) for text, changed in row)
            if marks.strip():
                self.screen.line(f"  {marks.rstrip()}", indent=indent, wrap=False)

    def rewritten(self, judged: Judged) -> None:
        """A change of words that mean the same."""
        self.screen.line(self.title(judged.change), indent=2, hang=2)
        self.values(judged.change, 4)
        effect = self.telling.effect(judged)
        if effect:
            self.screen.line(styled(effect, "dim"), indent=4, hang=2)
        for note in notes(judged, self.telling):
            self.screen.line(styled(note, "dim"), indent=4, hang=2)

    def brief(self, change: Change) -> None:
        """A change with its values and no more."""
        self.screen.line(self.title(change), indent=2, hang=2)
        self.values(change, 4)

    def texts(self, changes: Sequence[Judged], *, whole: bool) -> None:
        """Changes of texts: what they are about, or all there is of them."""
        screen = self.screen
        screen.heading(screen.say("diff_texts"))
        if whole:
            for judged in changes:
                self.brief(judged.change)
            return
        self.brief_texts(judged.change for judged in changes)

    def brief_texts(self, changes: Iterable[Change]) -> None:
        """What changes of texts are about, a line for each thing."""
        screen = self.screen
        for subject, some in by_subject(changes, self.telling):
            what = dict.fromkeys(self.telling.brief(one, self.arrow) for one in some)
            said = f"{subject}{screen.say('colon')}{screen.say('comma').join(what)}"
            screen.line(said, indent=2, hang=2)

    # ---- hands ----------------------------------------------------------------------

    def outcomes(
        self,
        names: Sequence[str],
        outcomes: Sequence[Result | HandError],
        settings: Sequence[str],
    ) -> None:
        """One hand, the options with which it is played, and what it comes to under several
        rulesets side by side."""
        screen = self.screen
        result = first_result(outcomes)
        if result is not None:
            show_hand(result, screen)
            said = [*situation_words(result, screen, counted=False), *settings]
            words = screen.say("clause").join(said)
            screen.line(styled(words, "dim"), indent=2, hang=2)
        self.side_by_side(names, outcome_rows(outcomes, self.telling, screen.sign("·", "-")))
        for reason in reasons(outcomes):
            screen.line(
                f"{screen.say('diff_cannot_be')}{screen.say('colon')}{reason}", indent=4, hang=2
            )

    def end_of_a_hand(self, shown: ShownEnd) -> None:
        """An end of a hand, and what it comes to under several rulesets side by side."""
        screen = self.screen
        for result, discards in shown.hands:
            show_hand(result, screen)
            said = [
                *situation_words(result, screen, counted=False),
                *([discards] if discards else []),
            ]
            words = screen.say("clause").join(said)
            screen.line(styled(words, "dim"), indent=2, hang=2)
        if shown.words:
            screen.line()
            screen.line(shown.words, indent=2, hang=2)
        self.side_by_side(shown.names, shown.rows)
        for reason in shown.reasons:
            screen.line(f"{screen.say('end_error')}{screen.say('colon')}{reason}", indent=4, hang=2)

    def side_by_side(self, names: Sequence[str], shown: Iterable[Row]) -> None:
        """A table of what something comes to under several rulesets."""
        screen = self.screen
        rows: list[list[Text | str]] = [["", *(Text(name, style="bold") for name in names)]]
        for row in shown:
            style = "bold" if row.kind == "total" else ""
            cells = [Text(cell.replace("×", screen.sign("×", "x"))) for cell in row.cells]
            if row.differs:
                for cell, colour in zip(cells, (_OLD, *[_NEW] * len(cells)), strict=False):
                    cell.stylize(f"{style} {colour}".strip())
            rows.append([Text(row.label, style=style), *cells])
        screen.columns(rows, right=frozenset(range(1, len(names) + 1)), indent=4, wrap=False)

    def meeting(self, meeting: Meeting) -> None:
        """Two changes that touch one hand."""
        screen = self.screen
        screen.line()
        for change in (meeting.first, meeting.second):
            screen.line(self.title(change), indent=2, hang=2)
        keys = ("diff_old", "diff_first", "diff_second", "diff_both")
        self.met(meeting, [screen.say(key) for key in keys])

    def crossing(self, crossing: Crossing, found: ThreeWay) -> None:
        """A change of ours and one of theirs that meet."""
        screen = self.screen
        screen.line()
        screen.line(styled(screen.say(f"diff_touch_{crossing.touch}"), "bold red"), indent=2)
        for key, change, rules in (
            ("diff_our", crossing.ours, found.our_rules),
            ("diff_their", crossing.theirs, found.their_rules),
        ):
            told = _Face(found.base, rules, screen, self.accepted)
            line = Text(screen.say(key) + screen.say("colon"), style="bold")
            screen.line(line.append_text(told.title(change)), indent=2, hang=2)
            told.values(change, 4)
        self.met(crossing, crossing_names(crossing, self.telling))

    def met(self, pair: Meeting | Crossing, names: Sequence[str]) -> None:
        """What shows that two changes meet, where something does."""
        if pair.results:
            self.outcomes(names, pair.results, self.telling.settings(pair.results))
        if pair.end is not None:
            absent = self.screen.sign("·", "-")
            self.end_of_a_hand(shown_meeting(pair.end, names, self.telling, absent))

    # ---- numbers --------------------------------------------------------------------

    def impact(self, impact: Impact) -> None:
        """What becomes of many hands."""
        screen = self.screen
        say = screen.say
        screen.line(looked_at(impact, screen.language), indent=2, hang=2)
        counts = impact_counts(impact, screen.language)
        weighted = any(count.drawn is not None for count in counts)
        heads = ["", "", say("diff_share"), *([say("diff_weighted")] if weighted else [])]
        rows: list[list[Text | str]] = [[styled(head, "dim") for head in heads]]
        for count in counts:
            drawn = [count.drawn or ""] if weighted else []
            rows.append([count.label, f"{count.number:,}", count.share, *drawn])
        screen.columns(rows, right=frozenset({1, 2, 3}), indent=4)
        if not impact.changed:
            screen.line()
            return
        often, others = differences(impact)
        if often:
            shown = [f"{points:+d}{screen.sign(' × ', ' x ')}{n:,}" for points, n in often]
            shown += [say("diff_others", n=others)] if others else []
            line = say("diff_by") + say("colon") + say("comma").join(shown)
            screen.line(line, indent=4, hang=2)
        moved, more = tilts(impact)
        if moved:
            heads = [say("diff_patterns"), say("diff_gained"), say("diff_lost")]
            rows = [[styled(head, "dim") for head in heads]]
            for id_, tilt in moved:
                gained, lost = (f"{n:,}" if n else "" for n in (tilt.gained, tilt.lost))
                rows.append([self.telling.pattern_name(id_), gained, lost])
            if more:
                rows.append([say("diff_others", n=more), "", ""])
            screen.columns(rows, right=frozenset({1, 2}), indent=4)
        screen.line()

    # ---- the end --------------------------------------------------------------------

    def left_out(self, left_out: Sequence[LeftOut]) -> None:
        """What there was no time for."""
        if left_out:
            self.screen.heading(self.screen.say("diff_left_out"))
            for said in left_out_words(left_out, self.screen.language):
                self.screen.line(said, indent=2, hang=2)

    def end(self, comparison: Comparison, review: Review) -> None:
        """What was proved or left out, and what is to be mended or accepted."""
        screen = self.screen
        self.left_out(comparison.left_out)
        told: list[Text] = []
        if comparison.changes and comparison.proved_equal:
            told.append(styled(screen.say("diff_proved"), "bold green"))
        elif comparison.changes and not comparison.looked:
            told.append(styled(screen.say("diff_not_looked"), "dim"))
        if review.needs_bump:
            version = comparison.new.version
            told.append(styled(screen.say("diff_bump", version=version), "bold red"))
        if review.failing:
            told.append(styled(screen.say("diff_fails", n=len(review.failing)), "bold red"))
        self.last_lines([*told, *self.stale(review.stale)])

    def stale(self, fingerprints: Iterable[str]) -> list[Text]:
        """Accepted changes that are no longer there."""
        say = self.screen.say
        return [styled(say("diff_stale", fingerprint=one), "yellow") for one in fingerprints]

    def last_lines(self, lines: Sequence[Text]) -> None:
        """Lines below everything else."""
        if lines:
            self.screen.line()
        for line in lines:
            self.screen.line(line, hang=2)
