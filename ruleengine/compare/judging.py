"""Judges the changes from one ruleset to another one by one: effect, final kind, witness."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ruleengine.compare.applied import Alone, Applier, Side
from ruleengine.compare.ends import Table, asked_of, look, settled
from ruleengine.compare.model import KINDS, EndWitness, Judged, Witness
from ruleengine.compare.outcomes import Won, outcome, scored, weight
from ruleengine.compare.sentences import Seen, Sentences
from ruleengine.compare.shrink import Shrinker
from ruleengine.compare.together import Together
from ruleengine.compare.uses import read_at_ends
from ruleengine.compare.witness import Finder
from ruleengine.errors import HandError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ruleengine.compare.ends import Asked
    from ruleengine.compare.model import Change, Ends, Level
    from ruleengine.result import Result
    from ruleengine.rules import Rules

REWRITTEN: Mapping[str, str] = {
    "condition-changed": "condition-rewritten",
    "times-changed": "times-rewritten",
    "points-changed": "points-rewritten",
    "event-changed": "event-rewritten",
    "settlement-changed": "settlement-rewritten",
    "total-changed": "total-rewritten",
    "cap-changed": "total-rewritten",
    "limit-changed": "total-rewritten",
    "empty-changed": "total-rewritten",
    "minimum-changed": "total-rewritten",
}
"""What a change of a sentence is called that is proved to mean the same."""

CONDITIONS: Mapping[str, str] = {"wider": "condition-widened", "narrower": "condition-narrowed"}


@dataclass(slots=True)
class Case:
    """A change while it is judged. `won` is the hand that shows it, `request` the end of a hand;
    `ends` says what becomes of the ends that were looked at."""

    change: Change
    seen: Seen
    alone: Alone | None = None
    won: Won | None = None
    ends: Ends | None = None
    request: Mapping[str, object] | None = None

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
        return apart and self.change.level != "text" and not self.seen.silent


class Judge:
    """Judges changes. `sides` are the two rulesets with the values of their options, `rules` the
    same ready to score."""

    def __init__(
        self, sides: Sequence[Side], rules: Sequence[Rules], changes: Sequence[Change], seed: int
    ) -> None:
        self.applier = Applier(sides[0], sides[1], changes)
        self.old_rules, self.new_rules = rules
        self.finder = Finder(self.old_rules, self.new_rules, seed)
        self.ids = {before: after for after, before in self.applier.old_ids.items()}
        """The id that an old pattern has now, where it has another."""

    @cached_property
    def sentences(self) -> Sentences:
        """What compares the sentences of changes."""
        return Sentences(self.applier)

    @cached_property
    def together(self) -> Together:
        """Hands that win together."""
        return Together((self.old_rules, self.new_rules), self.finder.pool)

    # ---- effect ---------------------------------------------------------------------

    def case(self, change: Change) -> Case:
        """A change with what its sentences show, of its final kind and level."""
        if change.kind.endswith("-rewritten"):
            # It may only mean the same under the values that options have now.
            change = replace(change, kind=_changed_kind(change), level="score")
            if change.section == "settlement":
                change = replace(change, level="payment")
        if change.level == "text":
            return Case(change, Seen())
        seen = self.sentences.seen(change)
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
                    _setting(found.before, case.seen.options),
                    _setting(found.after, case.seen.options),
                    found.whole,
                )
            case.alone = found
        return case.alone

    def look(self, case: Case) -> None:
        """Look for a hand that shows the change of a case."""
        seen = case.seen
        worlds = [one for one in seen.worlds if one.relation != "equal"]
        case.won = self.finder.find(
            self.alone(case), worlds, seen.events, seen.told, situations=seen.situations
        )

    def look_at_ends(self, case: Case, until: float) -> None:
        """Look for an end of a hand that shows the change of a case. Where all ends that it may
        touch are settled alike, it is a change of words."""
        asked = self._asked(case.change)
        settings = [case.seen.options]
        under = None if case.change.section == "options" else case.seen.under
        if under is not None and asked.endings:
            settings += [self._apart(chosen.options) for chosen in under.tried]
        looked: list[Ends] = []
        alone = self.applier.alone(case.change)
        for options in dict.fromkeys(tuple(sorted(one.items())) for one in settings):
            before, after = (
                self.finder.rules(_setting(side, dict(options)))
                for side in (alone.before, alone.after)
            )
            found, request = look(Table(before, after, self.together), asked, until)
            if found is None:
                return
            looked.append(found)
            if request is not None:
                case.seen.options, case.alone = dict(options), None
                case.ends, case.request = found, request
                return
        if (under is not None and not under.whole) or any(one.how != "proved" for one in looked):
            looked[0] = replace(looked[0], how="sampled")
        elif not asked.wins and not case.seen.scored:
            case.seen.silent = True
            case.change = replace(case.change, level="text")
        case.ends = looked[0]

    def _apart(self, options: Mapping[str, int | bool]) -> dict[str, int | bool]:
        """Those of some values of options that are not in force."""
        in_force = {**self.new_rules.options, **self.old_rules.options}
        return {name: value for name, value in options.items() if in_force.get(name) != value}

    def _asked(self, change: Change) -> Asked:
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

    def judged(self, case: Case) -> Judged:
        """A case as a value."""
        compared = case.seen.effect
        effect = None if compared is None or compared.unseen else compared.effect
        witness = None if case.won is None else self._witness(case, case.won)
        end = None if case.request is None else self._end(case, case.request)
        seen = case.seen
        return Judged(case.change, effect, witness, seen.silent, case.ends, end, seen.under)

    def _end(self, case: Case, request: Mapping[str, object]) -> EndWitness:
        options = case.seen.options
        return EndWitness(
            request,
            dict(options),
            settled(_with_options(self.old_rules, options), request),
            settled(self.finder.rules(self.alone(case).after), request),
            settled(_with_options(self.new_rules, options), request),
        )

    def _witness(self, case: Case, won: Won) -> Witness:
        record = won.record()
        options = case.seen.options
        if options:
            record["options"] = dict(options)
        return Witness(
            record,
            scored(_with_options(self.old_rules, options), won),
            scored(self.finder.rules(self.alone(case).after), won),
            scored(_with_options(self.new_rules, options), won),
        )

    # ---- hands in which changes meet ------------------------------------------------

    def both(self, first: Case, second: Case, applier: Applier | None = None) -> Rules | None:
        """The old ruleset with two changes; None where they do not stand by themselves.

        `applier` applies the second change, where it is one from another ruleset.
        """
        one = self.alone(first)
        if one.whole:
            return None
        both = (applier or self.applier).apply(one.after, second.change)
        return None if both is None else both.after.rules()


def _changed_kind(change: Change) -> str:
    """What a change that is called a rewriting is called where it is more than that."""
    if change.section == "total":
        return f"{change.at.split('.')[1].removesuffix('_from').replace('value', 'total')}-changed"
    return change.kind.replace("-rewritten", "-changed")


def _setting(side: Side, options: Mapping[str, int | bool]) -> Side:
    known = {name: value for name, value in options.items() if name in side.data.options}
    return Side(side.data, {**side.options, **known})


def _with_options(rules: Rules, options: Mapping[str, int | bool]) -> Rules:
    known = {name: value for name, value in options.items() if name in rules.data.options}
    return rules.with_options(known) if known else rules


# ---- meetings --------------------------------------------------------------------------------


MOST_CROSSED = 12
"""Of more changes the situations of all are not tried with the hands of all."""
MOST_TRIED = 60
"""Pairs of changes that are tried together."""


def candidates(cases: Sequence[Case], more: Sequence[Won]) -> list[Won]:
    """Hands in which changes may meet: those that show them, each as each of them is won."""
    found: dict[Won, None] = {}
    wons = [case.won for case in cases if case.won is not None]
    for won in wons:
        found[won] = None
    if len(wons) <= MOST_CROSSED:
        for won in wons:
            for other in wons:
                found[Won(won.hand, other.situation)] = None
    found.update(dict.fromkeys(more[:60]))
    return list(found)


def changed(base: Rules, after: Rules, hands: Sequence[Won]) -> set[int]:
    """The places of the hands that come to something else."""
    return {
        at
        for at, won in enumerate(hands)
        if weight(outcome(scored(base, won)), outcome(scored(after, won)))
    }


def meets(rules: Sequence[Rules], won: Won) -> tuple[Result | HandError, ...] | None:
    """What a hand comes to under a base, with each of two changes, and with both, if each of them
    alone makes another thing of it than both do."""
    results = tuple(scored(one, won) for one in rules)
    base, first, second, both = (outcome(result) for result in results)
    if base in (first, second) or both in (first, second):
        return None
    return results


def adds_up(results: Sequence[Result | HandError]) -> bool:
    """Whether two changes only add to each other: both together do what each of them does."""
    base, first, second, both = (outcome(result) for result in results)
    if len({len(one) for one in (base, first, second, both)}) > 1 or len(base) == 1:
        return False
    if base[0] + both[0] != first[0] + second[0]:
        return False
    counted = [set(one[1]) for one in (base, first, second, both)]
    return counted[0] ^ counted[1] == counted[2] ^ counted[3]


def smallest_meeting(
    rules: Sequence[Rules], hands: Sequence[Won]
) -> tuple[Won, tuple[Result | HandError, ...]] | None:
    """A small hand in which two changes meet, with what it comes to under the `rules` of `meets`;
    None where none of some hands is one. Hands in which they do more than add to each other come
    first."""
    met = [(one, results) for one in hands if (results := meets(rules, one)) is not None]
    if not met:
        return None
    more = [one for one, results in met if not adds_up(results)]
    won = (more or [one for one, _ in met])[0]

    def shows(one: Won) -> bool:
        results = meets(rules, one)
        return results is not None and not (more and adds_up(results))

    small = Shrinker(rules[0], rules[-1], shows, tries=1_500).shrunk(won)
    results = meets(rules, small)
    assert results is not None
    return small, results


def until(ends: float) -> bool:
    """Whether there is time left."""
    return time.monotonic() < ends
