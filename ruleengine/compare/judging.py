"""Judges the changes from one ruleset to another one by one: effect, final kind, witness."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ruleengine.compare.applied import Alone, Applier, Side
from ruleengine.compare.choices import choices, defaults_of
from ruleengine.compare.ends import Table, asked_of, look, settled
from ruleengine.compare.model import KINDS, REFUSING, EndWitness, Judged, LeftOut, Sought, Witness
from ruleengine.compare.outcomes import Won, is_plain, scored
from ruleengine.compare.sentences import Seen, Sentences
from ruleengine.compare.singles import Single
from ruleengine.compare.together import Together
from ruleengine.compare.uses import paying, read_at_ends, scoring
from ruleengine.compare.witness import Finder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from ruleengine.compare.ends import Asked
    from ruleengine.compare.model import Change, Ends, LeftOutKind, Level
    from ruleengine.rules import Rules

REWRITTEN: Mapping[str, str] = {
    "condition-changed": "condition-rewritten",
    "times-changed": "times-rewritten",
    "points-changed": "points-rewritten",
    "event-changed": "event-rewritten",
    "settlement-changed": "settlement-rewritten",
    "stakes-changed": "settlement-rewritten",
    "total-changed": "total-rewritten",
    "cap-changed": "total-rewritten",
    "limit-changed": "total-rewritten",
    "empty-changed": "total-rewritten",
    "minimum-changed": "total-rewritten",
}
"""What a change of a sentence is called that is proved to mean the same."""

MOST_SETTINGS = 16
"""Values of options under which a change is looked for that shows under none of those in force."""
CONDITIONS: Mapping[str, str] = {"wider": "condition-widened", "narrower": "condition-narrowed"}


@dataclass(slots=True)
class Case:
    """A change while it is judged. `won` is the hand that shows it, `request` the end of a hand;
    `ends` says what becomes of the ends that were looked at, `sought` whether a hand was looked
    for."""

    change: Change
    seen: Seen
    alone: Alone | None = None
    won: Won | None = None
    ends: Ends | None = None
    request: Mapping[str, object] | None = None
    sought: bool = False
    cut: bool = False
    """Whether there was no time to look for all hands that may show it, or for smaller ones."""
    tried: int = 0
    """How many hands were tried before one was made smaller."""
    settled: bool = False
    """Whether the hand is the smallest of all concealed self-draws."""

    @property
    def touches(self) -> bool:
        """Whether the change may touch the score of a hand."""
        return self.change.level != "text" and not self.seen.silent and self.seen.scored

    @property
    def may_show_at_an_end(self) -> bool:
        """Whether the change may touch how a hand ends at a table, and no single hand shows it."""
        section, _, rest = self.change.at.partition(".")
        sections = ("settlement", "liability", "events", "options")
        apart = section in sections and rest != "win" and self.won is None
        apart = apart and self.change.kind not in REFUSING
        return apart and self.change.level != "text" and not self.seen.silent


def wake(case: Case, others: Iterable[Change]) -> None:
    """Take a change of a pattern that does nothing for one of scores after all, where another
    change is about when the pattern is there: beside that one it may do something."""
    change = case.change
    _, _, part = change.at.removeprefix("patterns.").partition(".")
    asleep = case.seen.silent and change.section == "patterns"
    asleep = asleep and part not in ("", "when", "times")
    conditions = {f"patterns.{change.id}.{name}" for name in ("when", "times")}
    if asleep and any(one.at in conditions and one.level == "score" for one in others):
        case.seen.silent = False
        case.change = replace(change, level=KINDS[change.kind])


class Judge:
    """Judges changes. `sides` are the two rulesets with the values of their options, `rules` the
    same ready to score."""

    def __init__(
        self, sides: Sequence[Side], rules: Sequence[Rules], changes: Sequence[Change], seed: int
    ) -> None:
        self.applier = Applier(sides[0], sides[1], changes)
        self.old_rules, self.new_rules = rules
        self.finder = Finder(self.old_rules, self.new_rules, seed)

    @cached_property
    def sentences(self) -> Sentences:
        """What compares the sentences of changes."""
        return Sentences(self.applier)

    @cached_property
    def together(self) -> Together:
        """Hands that win together."""
        return Together((self.old_rules, self.new_rules), self.finder.pool, self.finder.ends)

    # ---- effect ---------------------------------------------------------------------

    def case(self, change: Change) -> Case:
        """A change with what its sentences show, of its final kind and level."""
        plain = change if change.kind.endswith("-rewritten") else None
        if plain is not None:
            change = replace(change, kind=_changed_kind(change), level="score")
            if change.section == "settlement":
                change = replace(change, level="payment")
        if change.level == "text":
            return Case(change, Seen())
        seen = self.sentences.seen(change)
        if plain is not None and (seen.effect is None or seen.effect.relation == "equal"):
            return Case(plain, seen.plainly_equal())
        effect = None if seen.effect is None else seen.effect.effect
        kind: str = change.kind
        level: Level = change.level
        if effect is not None and effect.how == "proved":
            if effect.relation == "equal" and kind in REWRITTEN:
                kind = REWRITTEN[kind]
                level = KINDS[kind]
            elif kind == "condition-changed":
                kind = CONDITIONS.get(effect.relation, kind)
        if seen.silent:
            level = "text"
        return Case(replace(change, kind=kind, level=level), seen)

    # ---- witness --------------------------------------------------------------------

    def alone(self, case: Case) -> Alone:
        """The change of a case by itself."""
        if case.alone is None:
            found = self.applier.alone(case.change)
            if case.seen.options:
                found = Alone(
                    setting(found.before, case.seen.options),
                    setting(found.after, case.seen.options),
                    found.whole,
                )
            case.alone = found
        return case.alone

    def look(self, case: Case) -> None:
        """Look for a hand that shows the change of a case."""
        case.sought = True
        case.won = self._find(case)

    def look_elsewhere(self, case: Case) -> None:
        """Look for a hand that shows the change of a case under other values of options than those
        in force."""
        seen = case.seen
        if seen.options or case.change.section == "options":
            return
        for options in self.other_settings:
            seen.options, case.alone = options, None
            case.won = self._find(case, quick=True)
            if case.won is not None:
                return
            if case.cut:
                break
        seen.options, case.alone = {}, None

    def _find(self, case: Case, *, quick: bool = False) -> Won | None:
        seen = case.seen
        worlds = [one for one in seen.worlds if one.relation != "equal"]
        found = self.finder.find(
            self.alone(case), worlds, seen.events, seen.told,
            situations=seen.situations, quick=quick,
        )  # fmt: skip
        case.cut |= self.finder.cut
        case.tried += self.finder.tried
        return found

    @cached_property
    def other_settings(self) -> Sequence[Mapping[str, int | bool]]:
        """Some values of the options that either ruleset reads in place of those in force, the
        fewest first: a change that shows nowhere may show under them."""
        return self._settings(paid=True)

    @cached_property
    def scoring_settings(self) -> Sequence[Mapping[str, int | bool]]:
        """Likewise of the options that make scores."""
        return self._settings(paid=False)

    def _settings(self, *, paid: bool) -> Sequence[Mapping[str, int | bool]]:
        datas = (self.applier.old.data, self.applier.new.data)
        read = [one for data in datas for one in scoring(data)]
        read += [one for data in datas for one in paying(data) if paid]
        options = {**datas[1].options, **datas[0].options}
        in_force = {**self.new_rules.options, **self.old_rules.options}
        found = choices(read, options, in_force, defaults_of(datas[1], datas[0]))
        others = filter(None, map(self.apart, found.tried))
        return sorted(others, key=len)[:MOST_SETTINGS]

    def look_at_ends(self, case: Case, until: float) -> bool:
        """Look for an end of a hand that shows the change of a case; gives whether there was time.
        Where all ends that it may touch are settled alike, it is a change of words."""
        asked = self.asked(case.change)
        settings = [case.seen.options]
        under = None if case.change.section == "options" else case.seen.under
        if under is not None and asked.endings:
            settings += [self.apart(chosen.options) for chosen in under.tried]
        looked: list[Ends] = []
        alone = self.applier.alone(case.change)
        for options in dict.fromkeys(tuple(sorted(one.items())) for one in settings):
            before, after = (
                self.finder.rules(setting(side, dict(options)))
                for side in (alone.before, alone.after)
            )
            found, request = look(Table(before, after, self.together), asked, until)
            if found is None:
                return False
            looked.append(found)
            if request is not None:
                case.seen.options, case.alone = dict(options), None
                case.ends, case.request = found, request
                return True
        if not any(one.looked for one in looked):
            # It touches no end, and of none nothing is to be said.
            return True
        if (under is not None and not under.whole) or any(one.how != "proved" for one in looked):
            looked[0] = replace(looked[0], how="sampled")
        elif not asked.wins and not case.seen.scored:
            case.seen.silent = True
            case.change = replace(case.change, level="text")
        case.ends = looked[0]
        return True

    def apart(self, options: Mapping[str, int | bool]) -> dict[str, int | bool]:
        """Those of some values of options that are not in force."""
        in_force = {**self.new_rules.options, **self.old_rules.options}
        return {name: value for name, value in options.items() if in_force.get(name) != value}

    def asked(self, change: Change) -> Asked:
        """Which ends a change may touch."""
        if change.section != "options":
            return asked_of(change.at)
        sides = (self.applier.old.data, self.applier.new.data)
        endings, stakes = read_at_ends(sides, change.id)
        return asked_of(change.at, endings, stakes=stakes)

    def look_closer(self, case: Case, hands: Iterable[Won]) -> None:
        """Take one of some hands where it shows the change of a case and is smaller."""
        if case.won is not None and not case.seen.options:
            case.won = self.finder.smaller(self.alone(case), case.won, hands)
            case.cut |= self.finder.cut

    def is_single(self, case: Case) -> bool:
        """Whether a change of scores is shown by a concealed self-draw of East's without events,
        with the options in force: then all of these can be looked at for smaller ones."""
        shown = case.won is not None and is_plain(case.won)
        return shown and case.change.level == "score" and not case.seen.options

    def single(self, case: Case) -> Single:
        """Such a case as what is looked at in all of them."""
        alone = self.alone(case)
        assert case.won is not None
        return Single(self.finder.rules(alone.before), self.finder.rules(alone.after), case.won)

    def settle(self, case: Case, parts: Sequence[Won | None]) -> None:
        """Take the smallest of the hands that show the change of such a case, of which some were
        found in each part of all concealed ones; none where a part has too many."""
        found = [won for won in parts if won is not None]
        if len(found) == len(parts):
            self.look_closer(case, found)
            case.settled = case.won in found

    def look_lower(self, case: Case) -> None:
        """Take the lowest of the hands that show the change of a case and are won alike; of a case
        that needs other options one that is smaller by other groups."""
        if case.won is not None:
            search = self.finder.exchanged if case.seen.options else self.finder.lowest
            case.won = search(self.alone(case), case.won)
            case.cut |= self.finder.cut

    def judged(self, case: Case) -> Judged:
        """A case as a value."""
        compared = case.seen.effect
        effect = None if compared is None or compared.unseen else compared.effect
        witness = None if case.won is None else self._witness(case, case.won)
        end = None if case.request is None else self._end(case, case.request)
        seen = case.seen
        sought = Sought(case.tried, not case.cut) if case.sought else None
        return Judged(case.change, effect, witness, seen.silent, case.ends, end, seen.under, sought)

    def _end(self, case: Case, request: Mapping[str, object]) -> EndWitness:
        options = case.seen.options
        return EndWitness(
            request,
            dict(options),
            settled(with_options(self.old_rules, options), request),
            settled(self.finder.rules(self.alone(case).after), request),
            settled(with_options(self.new_rules, options), request),
        )

    def _witness(self, case: Case, won: Won) -> Witness:
        record = won.record()
        options = case.seen.options
        if options:
            record["options"] = dict(options)
        return Witness(
            record,
            scored(with_options(self.old_rules, options), won),
            scored(self.finder.rules(self.alone(case).after), won),
            scored(with_options(self.new_rules, options), won),
        )


def _changed_kind(change: Change) -> str:
    """What a change that is called a rewriting is called where it is more than that."""
    if change.at == "settlement.stakes.amount":
        return "stakes-changed"
    if change.section == "total":
        return f"{change.at.split('.')[1].removesuffix('_from').replace('value', 'total')}-changed"
    return change.kind.replace("-rewritten", "-changed")


def setting(side: Side, options: Mapping[str, int | bool]) -> Side:
    """A side with other values of those of some options that it has."""
    known = {name: value for name, value in options.items() if name in side.data.options}
    return Side(side.data, {**side.options, **known})


def with_options(rules: Rules, options: Mapping[str, int | bool]) -> Rules:
    """A ruleset with other values of those of some options that it has."""
    known = {name: value for name, value in options.items() if name in rules.data.options}
    return rules.with_options(known) if known else rules


def until(ends: float) -> bool:
    """Whether there is time left."""
    return time.monotonic() < ends


def cut_short(cases: Sequence[Case]) -> list[LeftOut]:
    """Of how many changes a search for hands was cut short: such as no hand was found for, and such
    as a smaller one may be there for."""
    late = [case for case in cases if case.cut]
    return _left_out(
        ("some-witnesses", sum(case.won is None for case in late)),
        ("smaller", sum(case.won is not None for case in late)),
    )


def seen_in_part(cases: Collection[Case], skipped: int) -> list[LeftOut]:
    """Of how many changes the sentences were not compared, `skipped` ones among them, not under
    every value of the options, or in worlds by chance alone."""
    unseen = sum(case.seen.effect is not None and case.seen.effect.unseen for case in cases)
    return _left_out(
        ("sentences", skipped + unseen),
        ("values", sum(case.seen.some for case in cases)),
        ("sampled", sum(case.seen.by_chance for case in cases)),
    )


def _left_out(*numbers: tuple[LeftOutKind, int]) -> list[LeftOut]:
    return [LeftOut(kind, number) for kind, number in numbers if number]
