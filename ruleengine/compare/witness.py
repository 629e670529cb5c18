"""Looks for a smallest hand that shows a change."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ruleengine.compare.lowest import Lowest
from ruleengine.compare.outcomes import Won, difference, scored
from ruleengine.compare.shrink import Shrinker, size, smallness, tiles_of
from ruleengine.errors import HandError, RuleEngineError
from ruleengine.hand import Situation
from ruleengine.hands.chance import deal_alike, plays
from ruleengine.notation import read_hand
from ruleengine.situation import read_dora
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ruleengine.compare.applied import Alone, Side
    from ruleengine.hands.worlds import Compared
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import RulesetData

FEW_PLAYS, PLAYS = 150, 1_000
"""Hands by chance from each of the two rulesets."""
ENOUGH = 24
"""Hands that show a change after which no more are looked for."""
MOST_SITUATED = 240
"""Likewise, where a change is about who pays."""
BEST = 3
"""Of these so many are made smaller."""
MOST_TOLD = 40
"""Hands with which flowers and dora indicators are tried."""
MOST_NEAR = 6
"""Hands that show a change, around which others are tried that may show it more gravely."""
MOST_VARIED = 60
"""Hands that are looked at in every situation, where a change is about situations."""


class Finder:
    """Looks for hands that show single changes from one ruleset to another."""

    def __init__(self, old: Rules, new: Rules, seed: int) -> None:
        self.old = old
        self.new = new
        self.seed = seed
        self.ends = float("inf")
        self.cut = False
        """Whether the last search ended for want of time."""
        self.tried = 0
        """How many hands the last search tried."""
        self.more: list[Won] = []
        """Further hands to try, such as those that were seen to change on the whole."""
        self._rules: dict[tuple[object, ...], Rules] = {}
        for rules in (new, old):
            self._rules[_key(rules.data, rules.options)] = rules

    def rules(self, side: Side) -> Rules:
        """A side of a change, ready to score; compiled once."""
        key = _key(side.data, side.options)
        if key not in self._rules:
            self._rules[key] = side.rules()
        return self._rules[key]

    # ---- hands to try ---------------------------------------------------------------

    @cached_property
    def examples(self) -> tuple[Won, ...]:
        """The examples of the two rulesets."""
        found: dict[Won, None] = {}
        for rules in (self.old, self.new):
            for pattern in rules.data.patterns.values():
                for example in (*pattern.hits, *pattern.misses):
                    won = _of_record(example.record)
                    if won is not None:
                        found[won] = None
        return tuple(found)

    @cached_property
    def few_plays(self) -> tuple[Won, ...]:
        """Some hands by chance from each of the rulesets."""
        return tuple(self._in_time(self._plays(0, FEW_PLAYS)))

    @cached_property
    def many_plays(self) -> tuple[Won, ...]:
        """More of them."""
        return tuple(self._in_time(self._plays(FEW_PLAYS, PLAYS)))

    def _plays(self, start: int, stop: int) -> Iterator[Won]:
        # Two that deal alike give the same hands.
        for rules in (self.old,) if deal_alike(self.old, self.new) else (self.old, self.new):
            for play in itertools.islice(plays(rules, self.seed), start, stop):
                yield Won(play.hand, play.situation)

    def _in_time(self, wons: Iterable[Won]) -> Iterator[Won]:
        """Hands, as far as there is time."""
        for won in wons:
            if time.monotonic() > self.ends:
                return
            yield won

    @property
    def pool(self) -> tuple[Won, ...]:
        """Hands that are near at hand: the examples, then some by chance."""
        return (*self.examples, *self.few_plays)

    @cached_property
    def varied(self) -> tuple[Won, ...]:
        """Some hands of different worth in every situation."""
        by_points: dict[int, Won] = {}
        for won in self._in_time(self.pool):
            result = scored(self.old, won)
            if isinstance(result, HandError):
                result = scored(self.new, won)
            if not isinstance(result, HandError) and result.win:
                known = by_points.get(result.points)
                if known is None or size(won) < size(known):
                    by_points[result.points] = won
        some = sorted(by_points.items())
        step = max(len(some) // MOST_VARIED, 1)
        return tuple(
            Won(won.hand, how) for _, won in some[::step] for how in situations_of(won.situation)
        )

    # ---- looking --------------------------------------------------------------------

    def find(
        self,
        alone: Alone,
        worlds: Iterable[Compared] = (),
        events: Sequence[str] = (),
        told: Sequence[Mapping[str, tuple[int, ...]]] = (),
        *,
        situations: bool = False,
        quick: bool = False,
    ) -> Won | None:
        """A smallest hand that shows a change: one that comes to something else after it.

        `worlds` are sentences compared, in whose worlds it is likely to be; `events` are tried
        with each hand, and so are flowers and dora indicators that are `told`; `situations` says
        that the change is about who pays, or what can be; a `quick` search tries fewer hands.
        """
        self.cut = False
        before, after = self.rules(alone.before), self.rules(alone.after)
        shows = shower(before, after)
        hits = _Hits(shows, gravest(before, after), MOST_SITUATED if situations else ENOUGH)
        for candidates in self._candidates(worlds, events, told, situations, quick):
            self._look_at(candidates, hits)
            if hits.gravest:
                break
        if hits.wons and not hits.gravest:
            self._look_at(_with_events(hits.wons, before, after), hits)
        if hits.wons and not hits.gravest:
            self._look_at(_with_other_groups(hits.wons, before, after), hits)
        self.tried = hits.tried
        # Hands near at hand may not have been made for want of time.
        self.cut |= time.monotonic() > self.ends and not hits.enough
        if not hits.wons:
            return None
        return self._smallest(before, after, hits)

    def _look_at(self, candidates: Iterable[Won], hits: _Hits) -> None:
        for won in candidates:
            hits.add(won)
            if hits.enough:
                break
            if time.monotonic() > self.ends:
                self.cut = True
                break

    def smaller(self, alone: Alone, won: Won, others: Iterable[Won]) -> Won:
        """The smallest of a hand that shows a change and others that show it as gravely; where one
        of them shows it more gravely, of those that do."""
        self.cut = False
        before, after = self.rules(alone.before), self.rules(alone.after)
        hits = _Hits(shower(before, after), gravest(before, after), None)
        hits.add(won)
        least = hits.most
        for one in others:
            if time.monotonic() > self.ends:
                self.cut = True
                break
            hits.add(one)
        if hits.most > least:
            return self._smallest(before, after, hits)
        return min(hits.wons, key=partial(smallness, before, after))

    def lowest(self, alone: Alone, won: Won) -> Won:
        """The lowest of the hands that show a change as gravely as one, and are won alike."""
        search = self._lowest(alone)
        found = search.lower(won)
        self.cut = search.late
        return found

    def exchanged(self, alone: Alone, won: Won) -> Won:
        """A hand that shows a change as gravely, than which none is smaller that has another group
        in place of one of its own."""
        search = self._lowest(alone)
        found = search.exchanged(won)
        self.cut = search.late
        return found

    def _lowest(self, alone: Alone) -> Lowest:
        before, after = self.rules(alone.before), self.rules(alone.after)
        return Lowest(before, after, shower(before, after), self.ends, unlike=[before])

    def _candidates(
        self,
        worlds: Iterable[Compared],
        events: Sequence[str],
        told: Sequence[Mapping[str, tuple[int, ...]]],
        situations: bool,
        quick: bool,
    ) -> Iterator[Iterable[Won]]:
        if told:
            yield (_told(won, each) for each in told for won in self.pool[:MOST_TOLD])
        if situations:
            yield self.varied
        for compared in worlds:
            yield self._of_worlds(compared, events)
        if self.more:
            yield self.more
        yield self.examples
        yield self.few_plays
        for event in events:
            yield (with_event(won, event) for won in self.pool)
        if quick:
            return
        if not situations:
            yield self.varied
        yield self.many_plays

    def _of_worlds(self, compared: Compared, events: Sequence[str]) -> Iterator[Won]:
        for world in compared.worlds():
            won = Won(world.hand, world.situation)
            for event in events:
                yield with_event(won, event)
            yield won

    def _smallest(self, before: Rules, after: Rules, hits: _Hits) -> Won:
        best = sorted(hits.wons, key=lambda won: (size(won), tiles_of(won)))
        shrinker = Shrinker(before, after, hits.as_grave, ends=self.ends)
        found = min((shrinker.shrunk(won) for won in best[:BEST]), key=shrinker.key)
        self.cut |= shrinker.late
        return with_giver(found, hits.as_grave)


class _Hits:
    """The hands that show a change, of those only that show it most gravely: `ceiling` is the most
    that may be, `number` so many as are enough of these."""

    def __init__(self, shows: Callable[[Won], int], ceiling: int, number: int | None) -> None:
        self.shows = shows
        self.ceiling = ceiling
        self.number = number
        self.most = 0
        self.tried = 0
        self.wons: list[Won] = []

    def add(self, won: Won) -> None:
        """Look at a hand, and keep it if none shows the change more gravely."""
        grave = self.shows(won)
        self.tried += 1
        if grave > self.most:
            self.most, self.wons = grave, []
        if grave and grave == self.most and (self.number is None or len(self.wons) < self.number):
            self.wons.append(won)

    def as_grave(self, won: Won) -> bool:
        """Whether a hand shows the change as gravely as any did."""
        return self.shows(won) >= self.most

    @property
    def gravest(self) -> bool:
        """Whether none can show the change more gravely."""
        return self.most >= self.ceiling

    @property
    def enough(self) -> bool:
        """Whether no more hands are needed."""
        return self.gravest and self.number is not None and len(self.wons) >= self.number


def gravest(before: Rules, after: Rules) -> int:
    """The most that a hand can differ by under two rulesets, as `outcomes.difference` counts it."""
    old, new = before.data, after.data
    scores = [
        (one.patterns, one.terms, one.total, one.wall, one.shapes, one.events, one.units)
        for one in (old, new)
    ]
    if scores[0] == scores[1] and before.options == after.options:
        return 1
    same = (old.wall, old.shapes, old.events) == (new.wall, new.shapes, new.events)
    minimum = max(rules.program.numbers.minimum for rules in (before, after))
    return 2 if same and minimum <= 0 else 3


def _with_events(wons: Sequence[Won], before: Rules, after: Rules) -> Iterator[Won]:
    """Hands that show a change, each also with each event that there is, and with all that can
    be together."""
    events = list(dict.fromkeys((*before.data.events, *after.data.events)))
    for won in list(wons):
        together = won
        for event in events:
            one = with_event(won, event)
            yield one
            more = with_event(together, event)
            if not isinstance(scored(after, more), HandError):
                together = more
                yield more


def _with_other_groups(wons: Sequence[Won], before: Rules, after: Rules) -> Iterator[Won]:
    """Some hands that show a change, each with another group in place of each of its own."""
    shrinker = Shrinker(before, after, bool)
    for won in sorted(wons, key=shrinker.key)[:MOST_NEAR]:
        yield from shrinker.other_groups(won, higher=True)


def shower(before: Rules, after: Rules) -> Callable[[Won], int]:
    """What says how gravely a hand comes to something else after a change; 0 where it does not."""
    paid_alike = (
        before.data.settlement.get("win") == after.data.settlement.get("win")
        and before.options == after.options
    )
    return partial(_shows, before, after, paid_alike)


def _shows(before: Rules, after: Rules, paid_alike: bool, won: Won) -> int:
    return difference(scored(before, won), scored(after, won), paid_alike=paid_alike)


def _key(data: RulesetData, options: Mapping[str, int | bool]) -> tuple[object, ...]:
    """What tells one ruleset with its options from another, as long as the first is kept."""
    return id(data), *sorted(options.items())


def with_event(won: Won, event: str) -> Won:
    """The same win with an event."""
    how = won.situation
    return Won(won.hand, replace(how, events=how.events | {event}))


def _told(won: Won, told: Mapping[str, tuple[int, ...]]) -> Won:
    """The same hand with flowers or dora indicators."""
    hand, how = won.hand, won.situation
    return Won(
        replace(hand, flowers=told.get("flowers", hand.flowers)),
        replace(how, dora=told.get("dora", how.dora)),
    )


def with_giver(won: Won, shows: Callable[[Won], bool]) -> Won:
    """The same win with the player named who gave the tile away, so that it can be paid."""
    how = won.situation
    if how.by == "self_draw" or how.from_seat is not None:
        return won
    giver = next(seat for seat in SEATS if seat != how.seat)
    named = Won(won.hand, replace(how, from_seat=giver))
    return named if shows(named) else won


def situations_of(how: Situation) -> Iterator[Situation]:
    """Every way of winning, every seat, everybody who may have given the tile away or be liable."""
    for seat in SEATS:
        yield replace(how, by="self_draw", seat=seat, from_seat=None, liable=None)
        for by in ("discard", "robbing_kong"):
            for giver in SEATS:
                if giver == seat:
                    continue
                for liable in (None, "none", *SEATS):
                    if liable != giver:
                        yield replace(how, by=by, seat=seat, from_seat=giver, liable=liable)


def _of_record(record: object) -> Won | None:
    """The hand of an example, None where it cannot be read alone or needs other options."""
    assert hasattr(record, "get")
    if record.get("options"):
        return None
    try:
        hand = read_hand(
            str(record.get("hand")),
            winning_tile=record.get("winning_tile"),
            flowers=record.get("flowers"),
        )
        dora = read_dora(record.get("dora"))
    except RuleEngineError:
        return None
    situation = Situation(
        str(record.get("by") or "self_draw"),
        str(record.get("seat") or "E"),
        str(record.get("round") or "E"),
        record.get("from"),
        record.get("liable"),
        frozenset(record.get("events") or ()),
        dora,
    )
    return Won(hand, situation)
