"""What the changes of two branches do together: a base, and two rulesets made from it."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Literal

from ruleengine.compare.applied import Side
from ruleengine.compare.judging import Judge, cut_short, seen_in_part, until, wake
from ruleengine.compare.meetings import Party, Search, parties_of
from ruleengine.compare.model import LeftOut
from ruleengine.compare.named import reads_anew
from ruleengine.compare.one_value import OneValue
from ruleengine.compare.rebuilt import called_alike
from ruleengine.compare.structure import structure
from ruleengine.compare.uses import paying, reads, scoring
from ruleengine.compare.wording import words_of
from ruleengine.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ruleengine.compare.judging import Case
    from ruleengine.compare.model import Change, MetEnd
    from ruleengine.compare.run import Progress
    from ruleengine.errors import HandError
    from ruleengine.result import Result
    from ruleengine.ruleset.read import ReadRuleset

Touch = Literal["value", "name", "thing", "hand", "end"]
"""How two changes meet: both change the same value, one speaks by name of what the other changes,
both change the same thing (a pattern, an option) where no hand was looked at, both change the same
hand, or the same end of a hand."""

Branch = Literal["ours", "theirs"]

_NAME = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Crossing:
    """A change of ours and one of theirs that meet.

    Where a hand shows it, `record` is the hand and `results` what it comes to under the base, with
    our change, with theirs, and with both; where an end of a hand shows it, `end` is that. Two
    changes of the same value cannot both be made, so that the last of the results is left out.
    """

    ours: Change
    theirs: Change
    touch: Touch
    record: Mapping[str, object] | None = None
    results: tuple[Result | HandError, ...] = ()
    end: MetEnd | None = None

    @property
    def changes(self) -> tuple[Change, Change]:
        """Both changes."""
        return self.ours, self.theirs


@dataclass(frozen=True, slots=True)
class ThreeWay:
    """The changes of two branches, sorted.

    `same` were made in both, as ours has them, and `same_in_theirs` are these as theirs has them,
    where options that they read may have other defaults; `crossings` meet; `ours` and `theirs`
    touch nothing of the other branch. `left_out` says what there was no time for; without `looked`
    only what the rulesets say was compared, and no hand looked at.
    """

    base: Rules
    our_rules: Rules
    their_rules: Rules
    same: tuple[Change, ...] = ()
    same_in_theirs: tuple[Change, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    ours: tuple[Change, ...] = ()
    theirs: tuple[Change, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    looked: bool = True

    @property
    def our_changes(self) -> tuple[Change, ...]:
        """All that ours changes."""
        return _once((*self.same, *(one.ours for one in self.crossings), *self.ours))

    @property
    def their_changes(self) -> tuple[Change, ...]:
        """All that theirs changes."""
        return _once((*self.same_in_theirs, *(one.theirs for one in self.crossings), *self.theirs))


def _once(changes: Iterable[Change]) -> tuple[Change, ...]:
    return tuple({one.fingerprint: one for one in changes}.values())


MOST_PAIRS = 200
"""Pairs of changes for which it is looked whether they meet in a hand."""
OF_SENTENCES = 0.4
"""The part of a budget that comparing sentences may take, so that hands can be looked for."""


def three_way(
    base: ReadRuleset,
    ours: ReadRuleset,
    theirs: ReadRuleset,
    *,
    options: Mapping[str, int | bool] | None = None,
    only_structure: bool = False,
    budget: float | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> ThreeWay:
    """Sort the changes that two branches made to a base.

    `options` are values of options in place of the defaults, in whichever ruleset has them. With
    `only_structure` no hand is looked at, and changes meet where they touch the same thing. After
    `budget` seconds the search for hands ends, and what was left out is said. Raises `OptionError`
    for a value that an option cannot have.
    """
    branches = _Branches((base, ours, theirs), options or {})
    if only_structure:
        return branches.sorted(branches.in_words(), looked=False)
    start = time.monotonic()
    ends = float("inf") if budget is None else start + budget
    search = _Search(branches, start, ends, seed, progress or (lambda what, done, of: None))
    crossings = search.crossings()
    return branches.sorted(crossings, left_out=search.left_out)


class _Branches:
    """A base and two rulesets made from it, with what each of them changes."""

    def __init__(self, reads: Sequence[ReadRuleset], options: Mapping[str, int | bool]) -> None:
        chosen = [_chosen(read, options) for read in reads]
        self.rules = [
            Rules(read.data, some, read.sources) for read, some in zip(reads, chosen, strict=True)
        ]
        self.made = [
            structure(reads[0], reads[at], (chosen[0], chosen[at]), beside=reads[3 - at].data)
            for at in (1, 2)
        ]
        apart = {
            change.at
            for change in structure(reads[1], reads[2], (chosen[1], chosen[2]))
            if not (change.level == "text" and change.kind.endswith("-rewritten"))
        }
        self.same = frozenset(
            edit
            for ours, theirs in product(*self.made)
            if ours.edit == theirs.edit or (ours.at == theirs.at and ours.at not in apart)
            for edit in (ours.edit, theirs.edit)
        )
        """The edits that both branches make, be it in other words or orders."""
        self.final: dict[str, Change] = {}
        """Changes whose kind and level are known better than from their words, by fingerprint."""

    @property
    def left(self) -> list[list[Change]]:
        """What only one of the branches changes."""
        return [
            [change for change in changes if change.edit not in self.same] for changes in self.made
        ]

    def in_words(self, *, things: bool = True) -> list[Crossing]:
        """The changes that are of the same value, those of which one speaks by name of what the
        other changes, and, of `things`, those of the same thing."""
        found: list[Crossing] = []
        for first, second in product(*self.left):
            if _same_value(first, second):
                found.append(Crossing(first, second, "value"))
            elif self._by_name(first, second, defaults=things):
                found.append(Crossing(first, second, "name"))
            elif things and _same_thing(first, second):
                found.append(Crossing(first, second, "thing"))
        return found

    def _by_name(self, ours: Change, theirs: Change, *, defaults: bool) -> bool:
        """Whether one of two changes says anew what speaks by name of what the other changes, be it
        the default of an option only with `defaults`: that shows in hands."""
        base, *datas = (rules.data for rules in self.rules)
        return any(
            (defaults or other.section != "options") and reads_anew(one, base, data, other)
            for one, data, other in ((ours, datas[0], theirs), (theirs, datas[1], ours))
        )

    def sorted(
        self,
        crossings: Sequence[Crossing],
        *,
        looked: bool = True,
        left_out: Sequence[LeftOut] = (),
    ) -> ThreeWay:
        """All changes, with those that meet."""
        met = {(one.ours.fingerprint, one.theirs.fingerprint) for one in crossings}
        only = [
            [one for one in changes if one.fingerprint not in {pair[at] for pair in met}]
            for at, changes in enumerate(self.left)
        ]
        same, in_theirs = (
            [self._known(change) for change in changes if change.edit in self.same]
            for changes in self.made
        )
        known = [
            replace(one, ours=self._known(one.ours), theirs=self._known(one.theirs))
            for one in crossings
        ]
        return ThreeWay(
            self.rules[0], self.rules[1], self.rules[2],
            tuple(same), tuple(in_theirs), tuple(known),
            tuple(map(self._known, only[0])), tuple(map(self._known, only[1])),
            tuple(left_out), looked,
        )  # fmt: skip

    def _known(self, change: Change) -> Change:
        return self.final.get(change.fingerprint, change)


class _Search:
    """Looks for hands in which a change of ours and one of theirs meet."""

    def __init__(
        self, branches: _Branches, start: float, ends: float, seed: int, told: Progress
    ) -> None:
        self.branches = branches
        self.ends = ends
        self.sentences_end = start + OF_SENTENCES * (ends - start)
        self.told = told
        self.left_out: list[LeftOut] = []
        self.judged: list[dict[str, Case]] = [{}, {}]
        """What was compared of the changes of each branch, by fingerprint."""
        self.asleep: list[list[Case]] = [[], []]
        """The changes of each branch that do nothing to the base."""
        base = branches.rules[0]
        rules = [base, *(called_alike(base, one) for one in branches.rules[1:])]
        sides = [Side(one.data, dict(one.options)) for one in rules]
        self.judges = [
            Judge((sides[0], sides[at]), (rules[0], rules[at]), changes, seed)
            for at, changes in enumerate(branches.made, 1)
        ]
        for judge in self.judges:
            judge.finder.ends = ends

    def crossings(self) -> list[Crossing]:
        """The changes that are of the same value, and those that meet in a hand."""
        cases = [self._cases(at) for at in (0, 1)]
        self._look(cases)
        found = [
            self._shown(one) if one.touch == "value" else one
            for one in self.branches.in_words(things=False)
        ]
        known = {(one.ours.fingerprint, one.theirs.fingerprint) for one in found}
        return found + self._in_hands(cases, known)

    def _shown(self, crossing: Crossing) -> Crossing:
        """A crossing of two changes of the same value, with a hand or an end that shows it."""
        cases = [
            judged.get(change.fingerprint)
            for judged, change in zip(self.judged, crossing.changes, strict=True)
        ]
        if not any(cases):
            return crossing
        self.told("looking for hands that show a change", 0, 1)
        search = OneValue(self.branches.rules[0], self.judges, cases, self.ends)
        hand = search.hand()
        if hand is not None:
            record, results = hand
            return replace(crossing, record=record, results=results)
        return replace(crossing, end=search.end())

    def _cases(self, at: int) -> list[Case]:
        """The changes of one branch that may touch hands, with what their sentences show."""
        judge, changes = self.judges[at], self.branches.made[at]
        judge.sentences.ground.ends = self.sentences_end
        found: list[Case] = []
        skipped = 0
        for place, change in enumerate(changes):
            self.told("comparing sentences", place, len(changes))
            if change.level == "text" and not change.kind.endswith("-rewritten"):
                continue
            if not until(self.ends):
                skipped += 1
                continue
            case = judge.case(change)
            wake(case, self.branches.made[1 - at])
            self._wake_option(case, change, at)
            self.judged[at][change.fingerprint] = case
            self.branches.final[change.fingerprint] = case.change
            if change.edit in self.branches.same:
                continue
            if case.touches or case.may_show_at_an_end:
                found.append(case)
            elif case.seen.silent and change.level != "text":
                # It does nothing to the base, and may to what the other branch makes of it.
                case.change = change
                self.asleep[at].append(case)
        self.left_out += seen_in_part(self.judged[at].values(), skipped)
        return found

    def _wake_option(self, case: Case, change: Change, at: int) -> None:
        """Take a change of a default that does nothing to what the base reads for what it is where
        the other branch says something new that reads the option."""
        if not case.seen.silent or change.kind != "option-default-changed":
            return
        base, other = self.branches.rules[0].data, self.branches.rules[2 - at].data
        said = [
            {words_of(one) for one in (*scoring(data), *paying(data)) if reads([one], change.id)}
            for data in (base, other)
        ]
        if said[1] - said[0]:
            case.seen.silent = False
            case.change = change

    def _look(self, cases: Sequence[Sequence[Case]]) -> None:
        late = 0
        number = sum(map(len, cases))
        for judge, some in zip(self.judges, cases, strict=True):
            for at, case in enumerate(some):
                self.told("looking for hands that show a change", at, number)
                if not until(self.ends):
                    late += 1
                    continue
                if case.touches:
                    judge.look(case)
                if case.may_show_at_an_end:
                    judge.look_at_ends(case, self.ends)
                    self.branches.final[case.change.fingerprint] = case.change
        if late:
            self.left_out.append(LeftOut("witnesses", late))
        self.left_out += cut_short([case for some in cases for case in some if case.won is None])

    def _in_hands(
        self, cases: Sequence[Sequence[Case]], known: set[tuple[str, str]]
    ) -> list[Crossing]:
        """Pairs of changes that meet in a hand."""
        cases = [[*some, *asleep] for some, asleep in zip(cases, self.asleep, strict=True)]
        made = [case.change for some in cases for case in some]
        sides = [
            parties_of(judge, some, made) for judge, some in zip(self.judges, cases, strict=True)
        ]
        shown = [
            [Party(judge, case) for case in some]
            for judge, some in zip(self.judges, cases, strict=True)
        ]
        search = Search(
            self.branches.rules[0], (), self.ends,
            partial(self.told, "looking for hands in which changes meet"),
            most_pairs=MOST_PAIRS,
        )  # fmt: skip
        met, left_out = search.all(product(sides[0], sides[1]), product(shown[0], shown[1]), known)
        if left_out:
            self.left_out.append(LeftOut("pairs"))
        for change in (change for ours, theirs, _ in met for change in (ours, theirs)):
            self.branches.final[change.fingerprint] = change
        return [
            Crossing(ours, theirs, "hand" if x.end is None else "end", x.record, x.results, x.end)
            for ours, theirs, x in met
        ]


def _chosen(read: ReadRuleset, options: Mapping[str, int | bool]) -> dict[str, int | bool]:
    return {name: value for name, value in options.items() if name in read.data.options}


def _same_value(first: Change, second: Change) -> bool:
    """Whether two changes are of the same value, or one is of a part of what the other took away
    or put in."""
    if first.at == second.at:
        return True
    if first.section != second.section or first.id != second.id or not first.id:
        return False
    whole = ("-added", "-removed")
    return first.kind.endswith(whole) or second.kind.endswith(whole)


def _same_thing(first: Change, second: Change) -> bool:
    """Whether two changes that are more than words are of one pattern, option, ..., or one of them
    puts the pattern of the other into a series or lets another supersede it."""
    if "text" in (first.level, second.level):
        return False
    if first.section != second.section:
        return False
    if first.id == second.id:
        return bool(first.id)
    return first.id in _named(second) or second.id in _named(first)


def _named(change: Change) -> frozenset[str]:
    """The patterns that a change of what supersedes what speaks of."""
    if change.kind != "supersedes-changed":
        return frozenset()
    return frozenset(_NAME.findall(f"{change.old or ''} {change.new or ''}"))
