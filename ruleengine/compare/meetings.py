"""Looks for hands in which two changes meet: either of them alone makes another thing of the hand
than both do. So each counts where the other is made, be it that none of them counts alone."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ruleengine.compare.ends import Table, in_common, met
from ruleengine.compare.judging import setting, until, with_options
from ruleengine.compare.lowest import Lowest
from ruleengine.compare.outcomes import Won, outcome, scored
from ruleengine.compare.shrink import Shrinker, size, tiles_of
from ruleengine.compare.witness import situations_of, with_event, with_giver
from ruleengine.ruleset.options import values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from ruleengine.compare.judging import Case, Judge
    from ruleengine.compare.model import Change, MetEnd
    from ruleengine.compare.sentences import Sentences
    from ruleengine.errors import HandError
    from ruleengine.language.operations import Op
    from ruleengine.result import Result
    from ruleengine.rules import Rules

Results = tuple["Result | HandError", ...]
"""What a hand comes to under a base, with each of two changes, and with both."""
Outcome = tuple[object, ...]
Chosen = tuple[tuple[str, "int | bool"], ...]
"""Options with their values, by name."""

MOST_CROSSED = 12
"""Of more changes the situations of all are not tried with the hands of all."""
MOST_SOUGHT = 40
"""Pairs of changes for which a hand is looked for that none of the others shows."""
MOST_WORLDS, MOST_SOUGHT_HANDS = 12, 1_500
"""How many hands are taken of a pair in which the patterns of both are there, and how many are
tried in all."""
MOST_VALUES = 4
"""Values of options under which a change that shows nowhere is put beside others."""
MOST_ELSEWHERE = 30
"""Pairs of changes that are looked at under values of options that they do not need."""
MOST_ROWS = 12_000
"""Lower hands that are looked at, to show a meeting by a low one."""
MOST_MORE = 60
"""Of the hands that are known to change."""
ENOUGH, BEST, TRIES = 12, 2, 1_500
"""Hands in which two changes meet, after which no more are looked for; how many of them are made
smaller, and with how many tries each."""


@dataclass(frozen=True, slots=True)
class Party:
    """A change that may meet others, and what judges it."""

    judge: Judge
    case: Case

    @property
    def key(self) -> tuple[int, str]:
        """What tells it from other changes of the same search."""
        return id(self.judge), self.case.change.fingerprint

    @property
    def rules(self) -> Rules:
        """The base with nothing but this change."""
        return self.judge.finder.rules(self.judge.alone(self.case).after)

    @property
    def stands_alone(self) -> bool:
        """Whether the change can be put beside another one."""
        return not self.judge.alone(self.case).whole


Pair = tuple[Party, Party]
Marks = tuple[str, str]
"""The fingerprints of two changes."""


def _marks(pair: Pair) -> Marks:
    """What tells a pair of changes from others."""
    first, second = (party.case.change.fingerprint for party in pair)
    return first, second


def parties_of(judge: Judge, cases: Iterable[Case], changes: Iterable[Change]) -> list[Party]:
    """Those changes that can be put beside others: one that shows only under other values of
    options is taken under those in force where another of the `changes` is about the default of
    such an option."""
    defaults = {one.id for one in changes if one.kind == "option-default-changed"}
    parties = (Party(judge, case) for case in cases)
    found = (_under(one, ()) if one.case.seen.options.keys() & defaults else one for one in parties)
    return [party for party in found if not party.case.seen.options and party.stands_alone]


def _by_options(pairs: Iterable[Pair]) -> dict[Chosen, list[Pair]]:
    """Pairs of changes of which one shows only under other values of options, by the values under
    which both do: there they may meet. One that shows nowhere may show beside another under those
    under which its sentences differ. Both may meet under those in force, too, where one takes away
    what keeps the other from showing there."""
    found: dict[Chosen, list[Pair]] = {}
    for first, second in pairs:
        values = itertools.product(_values_of(first), _values_of(second))
        for both in dict.fromkeys(map(_united, values)):
            if both and _allowed(first, second, both):
                found.setdefault(both, []).append((_under(first, both), _under(second, both)))
        if first.case.seen.options or second.case.seen.options:
            found.setdefault((), []).append((_under(first, ()), _under(second, ())))
    return found


def _allowed(first: Party, second: Party, options: Chosen) -> bool:
    """Whether a table may choose values of options in whichever of the rulesets has them."""
    appliers = {party.judge.applier: None for party in (first, second)}
    known = [side.data.options for one in appliers for side in (one.old, one.new)]
    return all(
        value in values_of(some[name]) for name, value in options for some in known if name in some
    )


def _values_of(party: Party) -> list[Mapping[str, int | bool]]:
    """Under which values of options a change shows, where these are not in force, or may show."""
    case = party.case
    asleep = case.won is None and case.request is None and not case.seen.options
    if not asleep or case.seen.under is None:
        return [case.seen.options]
    tried = [one.options for one in case.seen.under.tried if one.effect.relation != "equal"]
    return [{}, *map(party.judge.apart, tried[:MOST_VALUES])]


def _elsewhere(pairs: Iterable[Pair], known: Collection[Chosen]) -> dict[Chosen, list[Pair]]:
    """Pairs of changes under values of options that neither needs, but for those that are known:
    what else counts there may let them meet. Scores alone need no values that only payments do."""
    found: dict[Chosen, list[Pair]] = {}
    for first, second in pairs:
        of_scores = all(party.case.change.level == "score" for party in (first, second))
        judges = dict.fromkeys(party.judge for party in (first, second))
        settings = [
            one
            for judge in judges
            for one in (judge.scoring_settings if of_scores else judge.other_settings)
        ]
        needed = _united((first.case.seen.options, second.case.seen.options))
        for both in dict.fromkeys(_united((one, dict(needed))) for one in settings):
            if both and both not in known and _allowed(first, second, both):
                found.setdefault(both, []).append((_under(first, both), _under(second, both)))
    return found


def _united(values: tuple[Mapping[str, int | bool], Mapping[str, int | bool]]) -> Chosen:
    """Two choices of options as one; nothing where they do not agree."""
    one, other = values
    agreed = all(other.get(name, value) == value for name, value in one.items())
    return tuple(sorted({**one, **other}.items())) if agreed else ()


def _under(party: Party, options: Chosen) -> Party:
    """The same change under other values of options."""
    seen = replace(party.case.seen, options=dict(options))
    return Party(party.judge, replace(party.case, seen=seen, alone=None))


@dataclass(frozen=True, slots=True)
class Met:
    """Where two changes meet: the record of a hand with what it comes to under the base, with each
    of them, and with both; or an end of a hand."""

    record: Mapping[str, object] | None = None
    results: Results = ()
    end: MetEnd | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """How meetings are looked for: `base` is what the changes were made to, `more` are further
    hands to try, at `ends` (by the monotonic clock) nothing more is looked for.

    Of the pairs that may meet under some values of options no more than `most_pairs` are looked at
    and no more than `most_met` told; of more changes than `few` those that only add to
    each other are no meeting, and none are looked at under values of options that they do not
    need. `told` hears how many of how many pairs were looked at.
    """

    base: Rules
    more: Sequence[Won]
    ends: float
    told: Callable[[int, int], None]
    most_pairs: int | None = None
    most_met: int | None = None
    few: int | None = None

    def all(
        self, in_force: Iterable[Pair], pairs: Iterable[Pair], known: Iterable[Marks] = ()
    ) -> tuple[list[tuple[Change, Change, Met]], bool]:
        """The changes that meet with what shows it, and whether some pairs were not looked at.

        Pairs `in_force` are looked at under the values of options that are in force; then `pairs`
        under those that they need, and the rest of them under others. Those that are `known` to
        meet, by their fingerprints, are left out.
        """
        pairs = [pair for pair in pairs if all(party.stands_alone for party in pair)]
        met: list[tuple[Change, Change, Met]] = []
        seen = set(known)
        left_out = False
        needed: dict[Chosen, list[Pair]] = {(): list(in_force)}
        for options, some in _by_options(pairs).items():
            needed.setdefault(options, []).extend(some)
        for options, some in needed.items():
            left_out |= self._under(options, some, seen, met, self.most_pairs)
        parties = {party.key for pair in pairs for party in pair}
        most = MOST_ELSEWHERE if self.few is None or len(parties) <= self.few else 0
        for options, some in _elsewhere(pairs, needed).items():
            some = [pair for pair in some if _marks(pair) not in seen]
            left_out |= self._under(options, some, seen, met, most)
            most -= min(len(some), most)
        return met, left_out

    def _under(
        self,
        options: Chosen,
        pairs: Iterable[Pair],
        seen: set[Marks],
        met: list[tuple[Change, Change, Met]],
        most: int | None,
    ) -> bool:
        """Look at those pairs that are not yet seen to meet; tells whether some were not."""
        unmet = list({_marks(pair): pair for pair in pairs if _marks(pair) not in seen}.values())
        some = unmet[:most]
        if not some:
            return bool(unmet)
        search = Meetings(some, self.base, self.more, self.ends, options)
        adding = self.few is None or len(search.parties) <= self.few
        number = 0
        for at, pair in enumerate(some):
            if number == self.most_met:
                return True
            self.told(at, len(some))
            found = search.of(*pair, adding=adding)
            if found is not None:
                number += 1
                seen.add(_marks(pair))
                met.append((pair[0].case.change, pair[1].case.change, found))
        return search.left_out or len(some) < len(unmet)


class Meetings:
    """Looks for hands in which changes meet.

    `pairs` are changes of the same base; `more` are further hands to try. At `ends` (by the
    monotonic clock) nothing more is looked for. Under `options` in place of those of the base all
    of the changes show.
    """

    def __init__(
        self,
        pairs: Sequence[Pair],
        base: Rules,
        more: Iterable[Won],
        ends: float,
        options: Chosen = (),
    ) -> None:
        self.parties = list({party.key: party for pair in pairs for party in pair}.values())
        self.options = dict(options)
        self.base = with_options(base, self.options)
        self.ends = ends
        self.left_out = False
        """Whether some pairs were not looked at as others were."""
        self._sought = 0
        judges = list(dict.fromkeys(party.judge for party in self.parties))
        pools = (won for judge in judges for won in judge.finder.pool)
        self.hands = list(
            dict.fromkeys([*_crossed(self.parties), *itertools.islice(more, MOST_MORE), *pools])
        )
        self._base = self._outcomes(self.base)
        self._with = {party.key: self._outcomes(party.rules) for party in self.parties}

    def of(self, first: Party, second: Party, *, adding: bool) -> Met | None:
        """A small hand in which two of the changes meet, or where there is none an end of a hand,
        if ends of hands show both; None where neither is found. Unless `adding`, only a hand in
        which they do more than add to each other."""
        if not until(self.ends):
            self.left_out = True
            return None
        both = _both(first, second)
        if both is None:
            return None
        rules = (self.base, first.rules, second.rules, both)
        hand = self._hand(first, second, rules, adding=adding)
        if hand is not None:
            won, results = hand
            record = won.record()
            if self.options:
                record["options"] = self.options
            return Met(record, results)
        end = self._end((first, second), rules)
        return None if end is None else Met(end=end)

    def _hand(
        self, first: Party, second: Party, rules: tuple[Rules, ...], *, adding: bool
    ) -> tuple[Won, Results] | None:
        found = _sorted_out(rules, self._in_time(self._shown(first, second)))
        if not (found.more or (found.adding and adding)):
            if self._sought >= MOST_SOUGHT:
                self.left_out = True
            else:
                self._sought += 1
                found = _sorted_out(rules, self._where_both_count(first, second), found)
        if found.more or (found.adding and adding):
            return self._smallest(rules, found)
        return None

    def _end(self, pair: tuple[Party, Party], rules: tuple[Rules, ...]) -> MetEnd | None:
        if self.options or any(party.case.request is None for party in pair):
            return None
        asked = in_common(*(party.judge.asked(party.case.change) for party in pair))
        if asked is None:
            return None
        table = Table(rules[0], rules[-1], pair[0].judge.together)
        found, whole = met(table, asked, rules, self.ends)
        self.left_out |= not whole
        return found

    def _outcomes(self, rules: Rules) -> list[Outcome]:
        """What the hands come to, as far as there is time."""
        found: list[Outcome] = []
        for won in self.hands:
            if not until(self.ends):
                self.left_out = True
                break
            found.append(outcome(scored(rules, won)))
        return found

    def _shown(self, *changes: Party) -> Iterator[Won]:
        """The hands that come to something else with one of two changes, those first that do with
        both."""
        number = [
            sum(base != other for other in others)
            for base, *others in zip(
                self._base, *(self._with[one.key] for one in changes), strict=False
            )
        ]
        for wanted in (2, 1):
            yield from (self.hands[at] for at, shown in enumerate(number) if shown == wanted)

    def _smallest(self, rules: Sequence[Rules], found: _Sorted) -> tuple[Won, Results]:
        """The smallest hand that is found from those in which two changes meet."""

        def shows(one: Won) -> bool:
            results = meets(rules, one)
            return results is not None and not (found.more and adds_up(results))

        hits = sorted(found.more or found.adding, key=lambda won: (size(won), tiles_of(won)))
        shrinker = Shrinker(rules[0], rules[-1], shows, TRIES * BEST, self.ends)
        small = min((shrinker.shrunk(won) for won in hits[:BEST]), key=shrinker.key)
        small = with_giver(small, shows)
        search = Lowest(
            rules[0], rules[-1], lambda won: int(shows(won)), self.ends, MOST_ROWS, rules[1:-1]
        )
        small = search.lower(small)
        results = meets(rules, small)
        assert results is not None
        return small, results

    # ---- hands to try -----------------------------------------------------------------

    def _where_both_count(self, first: Party, second: Party) -> Iterator[Won]:
        """Hands in which both changes may count, each in the situations that the other needs."""
        laid = itertools.chain(
            _laid(first, second, self.ends),
            self._shown(first, second),
            *(party.judge.finder.many_plays for party in (first, second)),
        )
        return self._in_time(itertools.islice(_situated(first, second, laid), MOST_SOUGHT_HANDS))

    def _in_time(self, hands: Iterable[Won]) -> Iterator[Won]:
        """Hands, as far as there is time."""
        for won in hands:
            if not until(self.ends):
                self.left_out = True
                return
            yield won


def _situated(first: Party, second: Party, hands: Iterable[Won]) -> Iterator[Won]:
    """Hands as they were won, and in the situations that show two changes."""
    pair = (first, second)
    events = list(dict.fromkeys((*first.case.seen.events, *second.case.seen.events)))
    hows = [party.case.won.situation for party in pair if party.case.won is not None]
    turned = any(party.case.seen.situations for party in pair)
    seen: set[Won] = set()
    for won in hands:
        here = [Won(won.hand, how) for how in (won.situation, *hows)]
        here += [with_event(one, event) for one in here for event in events]
        if turned:
            here += [Won(won.hand, how) for how in situations_of(won.situation)]
        for one in here:
            if one not in seen:
                seen.add(one)
                yield one


def _laid(first: Party, second: Party, ends: float) -> Iterator[Won]:
    """Hands in which the patterns of two changes are there, before or after them; then those in
    which their sentences differ."""
    for parties in _by_judge(first, second):
        sentences = parties[0].judge.sentences
        there = [op for party in parties for op in _there(party, sentences)]
        if there:
            ground, ops = sentences.ground, sentences.ground.ops
            ground.ends = ends
            compared = ground.compare(ops.false, ops.all_(there))
            for world in compared.worlds(MOST_WORLDS):
                yield Won(world.hand, world.situation)
    for party in (first, second):
        for compared in party.case.seen.worlds:
            if compared.relation != "equal":
                for world in compared.worlds(MOST_WORLDS):
                    yield Won(world.hand, world.situation)


def _by_judge(first: Party, second: Party) -> list[tuple[Party, ...]]:
    """Two changes together, that first whose judge knows the events and shapes of both; each by
    itself where none does."""
    for one, other in ((first, second), (second, first)):
        known, said = (
            {
                (section, name)
                for side in (party.judge.applier.old, party.judge.applier.new)
                for section in ("events", "shapes")
                for name in getattr(side.data, section)
            }
            for party in (one, other)
        )
        if said <= known:
            return [(one, other)]
    return [(first,), (second,)]


def _there(party: Party, sentences: Sentences) -> list[Op]:
    """That the pattern of a change is there, before or after it; empty where it is of none."""
    change, judge = party.case.change, party.judge
    if change.section != "patterns":
        return []
    ids = ((judge.applier.old, judge.applier.old_id(change.id)), (judge.applier.new, change.id))
    found = [
        sentences.there(side.data.patterns[id_], side)
        for side, id_ in ids
        if id_ in side.data.patterns
    ]
    return [sentences.ground.ops.any_(found)] if found else []


def _crossed(parties: Sequence[Party]) -> Iterator[Won]:
    """The hands that show changes, each also as each of the others is won."""
    wons = [party.case.won for party in parties if party.case.won is not None]
    yield from wons
    if len(wons) <= MOST_CROSSED:
        for won, other in itertools.product(wons, wons):
            yield Won(won.hand, other.situation)
            if won.situation.events or other.situation.events:
                events = won.situation.events | other.situation.events
                yield Won(won.hand, replace(other.situation, events=events))


def _both(first: Party, second: Party) -> Rules | None:
    """The base with two changes; None where they do not stand by themselves."""
    one = first.judge.alone(first.case)
    if one.whole:
        return None
    both = second.judge.applier.apply(one.after, second.case.change)
    if both is None:
        return None
    # The first may not have the options that the second reads.
    return setting(both.after, second.case.seen.options).rules()


# ---- whether changes meet ----------------------------------------------------------------------


@dataclass(slots=True)
class _Sorted:
    """Hands in which two changes meet: those in which they do more than add to each other, and
    those in which they only add."""

    more: list[Won]
    adding: list[Won]


def _sorted_out(
    rules: Sequence[Rules], hands: Iterable[Won], before: _Sorted | None = None
) -> _Sorted:
    """Sort out some hands; of many the first are enough."""
    found = before or _Sorted([], [])
    for won in hands:
        results = meets(rules, won)
        if results is not None:
            (found.adding if adds_up(results) else found.more).append(won)
            if len(found.more) >= ENOUGH:
                break
    return found


def meets(rules: Sequence[Rules], won: Won) -> Results | None:
    """What a hand comes to under a base, with each of two changes, and with both, if either of them
    alone makes another thing of it than both do."""
    first, second, both = (scored(one, won) for one in rules[1:])
    if outcome(both) in (outcome(first), outcome(second)):
        return None
    return scored(rules[0], won), first, second, both


def adds_up(results: Sequence[Result | HandError]) -> bool:
    """Whether two changes only add to each other: both together do what each of them does."""
    base, first, second, both = (outcome(result) for result in results)
    if len({len(one) for one in (base, first, second, both)}) > 1 or len(base) == 1:
        return False
    if base[0] + both[0] != first[0] + second[0]:
        return False
    counted = [set(one[1]) for one in (base, first, second, both)]
    return counted[0] ^ counted[1] == counted[2] ^ counted[3]
