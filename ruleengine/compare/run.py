"""Compares two rulesets by what they mean: what changed, what it does, in which hands."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from itertools import combinations
from typing import TYPE_CHECKING

from ruleengine.compare.applied import Side
from ruleengine.compare.judging import Case, Judge, cut_short, seen_in_part, until, wake
from ruleengine.compare.meetings import Party, Search, parties_of
from ruleengine.compare.model import LEVELS, Comparison, Impact, Judged, LeftOut, Meeting
from ruleengine.compare.rebuilt import called_alike
from ruleengine.compare.sentences import Seen
from ruleengine.compare.structure import structure
from ruleengine.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.compare.outcomes import Won
    from ruleengine.ruleset.read import ReadRuleset

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and of how much."""

OF_SENTENCES = 0.4
"""The part of a budget that comparing sentences may take, so that hands can be looked for."""
OF_HANDS = 0.85
"""The part of a budget after which no more concealed hands are looked at one by one, so that lower
hands and meetings are looked for."""
MARGIN = 2.0
"""Seconds of a budget, though not more than a tenth of it, after which nothing more is begun."""
OF_REST = 0.5
"""The part of the time that is left which plays by chance may take."""
MOST_PLAYED = 200
"""Plays that change which are tried for each change."""
MOST_MEETINGS = 6
"""Hands that are shown of changes that meet under the options in force, and under each others."""
FEW = 6
"""Of more changes those that only add to each other are no meeting worth telling."""


def compare(
    old: ReadRuleset,
    new: ReadRuleset,
    *,
    options: Mapping[str, int | bool] | None = None,
    only_structure: bool = False,
    budget: float | None = None,
    seed: int = 1,
    jobs: int = 1,
    impact: bool = True,
    lowest: bool | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Compare two rulesets.

    `options` are values of options in place of the defaults, in whichever of the two has them. With
    `only_structure` no hand is looked at. After `budget` seconds the comparison ends with what it
    has and says what it left out. `seed` is the chance of the samples, `jobs` the number of
    processes; without `impact` it is not counted how many hands change, and without `lowest` (when
    None: as `impact`) hands that show a change are made small, but not looked for among all lower
    ones. Raises `OptionError` for a value that an option cannot have.
    """
    start = time.monotonic()
    ends = float("inf") if budget is None else start + budget - min(MARGIN, budget / 10)
    run = _Run(old, new, options or {}, seed, (start, ends), progress)
    if only_structure:
        return run.structure()
    return run.whole(jobs, impact=impact, lowest=impact if lowest is None else lowest)


class _Run:
    """One comparison."""

    def __init__(
        self,
        old: ReadRuleset,
        new: ReadRuleset,
        options: Mapping[str, int | bool],
        seed: int,
        span: tuple[float, float],
        progress: Progress | None,
    ) -> None:
        self.reads = (old, new)
        chosen = [
            {name: value for name, value in options.items() if name in read.data.options}
            for read in self.reads
        ]
        self.rules = [
            Rules(read.data, some, read.sources)
            for read, some in zip(self.reads, chosen, strict=True)
        ]
        self.changes = structure(old, new, (chosen[0], chosen[1]))
        self.seed = seed
        self.start, self.ends = span
        self.told = progress or (lambda what, done, of: None)
        self.left_out: list[LeftOut] = []

    def structure(self) -> Comparison:
        """What the files say, and no more."""
        judged = tuple(Judged(change) for change in self.changes)
        return Comparison(self.rules[0], self.rules[1], judged, looked=False)

    @cached_property
    def judged(self) -> tuple[Rules, Rules]:
        """The two rulesets with the same ids for the same shapes."""
        old, new = self.rules
        return old, called_alike(old, new)

    def whole(self, jobs: int, *, impact: bool, lowest: bool) -> Comparison:
        """All there is to say, as far as there is time."""
        rules = self.judged
        sides = [Side(one.data, dict(one.options)) for one in rules]
        judge = Judge(sides, rules, self.changes, self.seed)
        judge.finder.ends = self.ends
        cases = self._cases(judge)
        touching = [case for case in cases if case.touches]
        self._look(judge, touching)
        self._look_at_ends(judge, cases)
        hands: Impact | None = None
        plays: Impact | None = None
        if touching and impact:
            hands, plays = self._impact(judge, touching, jobs)
        shown = [
            case
            for case in cases
            if case.touches
            or case.request is not None
            or (case.change.kind == "option-default-changed" and case.change.level != "text")
        ]
        meetings = self._meetings(judge, shown)
        self._look_elsewhere(judge, touching)
        if lowest:
            self._lower(judge, touching)
        self.left_out += cut_short(touching)
        judged = [judge.judged(case) for case in cases]
        order = sorted(judged, key=lambda one: LEVELS.index(one.change.level))
        return Comparison(
            self.rules[0], self.rules[1], tuple(order), hands, plays, meetings,
            tuple(self.left_out),
        )  # fmt: skip

    def _cases(self, judge: Judge) -> list[Case]:
        found: list[Case] = []
        judge.sentences.ground.ends = self.start + OF_SENTENCES * (self.ends - self.start)
        skipped = 0
        for at, change in enumerate(self.changes):
            self.told("comparing sentences", at, len(self.changes))
            if until(self.ends):
                found.append(judge.case(change))
            else:
                skipped += change.level != "text"
                found.append(Case(change, Seen()))
        for case in found:
            wake(case, [one.change for one in found])
        self.left_out += seen_in_part(found, skipped)
        return found

    def _look(self, judge: Judge, cases: Sequence[Case]) -> None:
        late = 0
        for at, case in enumerate(cases):
            if not until(self.ends):
                late += 1
                continue
            self.told("looking for hands that show a change", at, len(cases))
            judge.look(case)
        if late:
            self.left_out.append(LeftOut("witnesses", late))

    def _look_elsewhere(self, judge: Judge, cases: Sequence[Case]) -> None:
        """Look for hands that show under other values of options what none in force shows."""
        for at, case in enumerate(cases):
            if case.won is None and case.request is None and case.sought:
                self.told("looking for hands that show a change", at, len(cases))
                if until(self.ends):
                    judge.look_elsewhere(case)
                else:
                    case.cut = True

    def _lower(self, judge: Judge, cases: Sequence[Case]) -> None:
        """Look for lower hands, but for changes that are shown by the smallest of all concealed
        ones."""
        for at, case in enumerate(cases):
            self.told("looking for lower hands", at, len(cases))
            if case.won is None:
                continue
            if case.settled:
                continue
            if until(self.ends):
                judge.look_lower(case)
            else:
                case.cut = True

    def _look_at_ends(self, judge: Judge, cases: Sequence[Case]) -> None:
        late = 0
        for case in cases:
            if case.may_show_at_an_end:
                self.told("looking for ends of hands that show a change", 0, 1)
                late += not judge.look_at_ends(case, self.ends)
        if late:
            self.left_out.append(LeftOut("ends", late))

    def _impact(
        self, judge: Judge, cases: Sequence[Case], jobs: int
    ) -> tuple[Impact | None, Impact | None]:
        """What becomes of many hands; hands that change are tried for changes that none shows."""
        from ruleengine.compare.impact import MOST_LOWEST, over_all_hands, over_plays

        old, new = self.judged
        plays: Impact | None = None
        hands: Impact | None = None
        found: list[Won] = []
        played: list[Won] = []
        """Some hands by chance that change: they may show a change more gravely."""
        if until(self.ends):
            plays, some = over_plays(
                old, new, judge.applier.new_ids, self.seed, ends=self._part_of_the_rest(),
                progress=lambda done, of: self.told("playing hands by chance", done, of),
            )  # fmt: skip
            found += some
            played = some[:MOST_PLAYED]
            if not plays.complete:
                self.left_out.append(LeftOut("some-plays", plays.looked))
        else:
            self.left_out.append(LeftOut("no-plays"))
        if all(case.change.level == "payment" for case in cases):
            return None, plays
        plain: list[Case] = []
        if self.ends == float("inf"):
            # Within a budget not all hands need be looked at.
            plain = [case for case in cases if judge.is_single(case)]
        smallest: Sequence[Sequence[Won | None]] = ()
        if until(self.ends):
            try:
                singles = [judge.single(case) for case in plain]
                hands, some, smallest = over_all_hands(
                    old, new, judge.applier.new_ids, seed=self.seed, jobs=jobs,
                    ends=self.start + OF_HANDS * (self.ends - self.start), singles=singles,
                    progress=lambda done, of: self.told("scoring all concealed hands", done, of),
                )  # fmt: skip
            except (OverflowError, MemoryError):
                self.left_out.append(LeftOut("too-many-hands"))
            else:
                found = some + found
                if hands is not None and not hands.looked and not hands.complete:
                    hands = None
                    self.left_out.append(LeftOut("no-hands"))
                elif hands is not None and not hands.complete:
                    self.left_out.append(LeftOut("some-hands", hands.looked))
        else:
            self.left_out.append(LeftOut("no-hands"))
        judge.finder.more = found[:2_000]
        shown = [case.won for case in cases if case.won is not None]
        for case in cases:
            if case.won is None and found and until(self.ends):
                judge.look(case)
            elif hands is not None and case.change.level == "score":
                judge.look_closer(case, found[: 2 * MOST_LOWEST] + played + shown)
        if hands is not None and hands.complete:
            for case, parts in zip(plain, zip(*smallest, strict=True), strict=True):
                judge.settle(case, parts)
        return hands, plays

    def _part_of_the_rest(self) -> float:
        """Until when plays by chance are looked at, so that concealed hands are, too."""
        now = time.monotonic()
        return now + OF_REST * (self.ends - now)

    def _meetings(self, judge: Judge, cases: Sequence[Case]) -> tuple[Meeting, ...]:
        """Hands in which two changes meet."""
        parties = parties_of(judge, cases, [case.change for case in cases])
        search = Search(
            self.rules[0], judge.finder.more, self.ends,
            partial(self.told, "looking for hands in which changes meet"),
            most_met=MOST_MEETINGS, few=FEW,
        )  # fmt: skip
        shown = (Party(judge, case) for case in cases)
        met, left_out = search.all(combinations(parties, 2), combinations(shown, 2))
        if left_out:
            self.left_out.append(LeftOut("pairs"))
        return tuple(Meeting(one, other, x.record, x.results, x.end) for one, other, x in met)
