"""Goes through ways in which a hand may end at a table, for changes that no single hand shows.

Without a win there are few: who is ready, who declared wrongly, whose stakes lie there. All of
them are settled under both rulesets, so that no difference is a proof. Wins are settled with a few
hands, by every choice of winners, of who gave the tile away, and of who discarded it before.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

from ruleengine.compare.model import Ends, MetEnd
from ruleengine.compare.outcomes import Won
from ruleengine.compare.shrink import Shrinker
from ruleengine.errors import HandError
from ruleengine.hand import Situation
from ruleengine.program import fixed_number
from ruleengine.settle import Settled, settle_table
from ruleengine.tiles import SEATS, tile_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ruleengine.compare.together import Together
    from ruleengine.rules import Rules
    from ruleengine.settle import Ending

MOST_STAKES = 2
"""Stakes of so many seats are tried at a win; without one those of any."""
TRIES = 1_500
"""Hands that are tried to make the hand of a request smaller."""


@dataclass(frozen=True, slots=True)
class Win:
    """A hand that wins, with the seats that discarded its winning tile before, in turn."""

    won: Won
    before: tuple[str, ...] = ()

    def record(self) -> dict[str, object]:
        """The same as a record."""
        found = self.won.record()
        tile = self.won.hand.winning_tile
        if self.before and tile is not None:
            found["discards"] = [[seat, tile_name(tile)] for seat in self.before]
        return found


@dataclass(frozen=True, slots=True)
class End:
    """How a hand ends at a table."""

    event: Ending
    ready: tuple[str, ...] = ()
    seat: str = ""
    wins: tuple[Win, ...] = ()
    stakes: tuple[tuple[str, int], ...] = ()
    carried: int = 0

    def request(self) -> dict[str, Any]:
        """The same as `yaku settle` takes it; what is usual is left out."""
        found: dict[str, Any] = {"event": self.event}
        if self.event == "exhausted":
            found["ready"] = list(self.ready)
        if self.seat:
            found["seat"] = self.seat
        if self.wins:
            found["wins"] = [win.record() for win in self.wins]
        if self.stakes:
            found["stakes"] = dict(self.stakes)
        if self.carried:
            found["carried"] = self.carried
        return found


def settled(rules: Rules, request: Mapping[str, object]) -> Settled | HandError:
    """A request settled; an error where the ruleset cannot settle it."""
    try:
        return settle_table(rules, request)
    except HandError as error:
        return error


def differ(first: Settled | HandError, second: Settled | HandError) -> int:
    """How much two settlements differ: 0 not at all, 1 where only one of them can be, 2 in what is
    paid or left."""
    if isinstance(first, HandError) or isinstance(second, HandError):
        return int(type(first) is not type(second) and Settled in (type(first), type(second)))
    same = first.payments == second.payments and first.stakes_left == second.stakes_left
    return 0 if same else 2


# ---- which ends a change is about ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """Which ends are gone through: endings without a win, wins, with which events and discards."""

    endings: tuple[Ending, ...] = ()
    wins: bool = False
    events: tuple[str, ...] = ()
    discards: bool = False


def asked_of(at: str, endings: Iterable[Ending] = (), *, stakes: bool = False) -> Asked:
    """Which ends a change at a path may touch; of an option the `endings` whose payments read it,
    and those with `stakes` where their amount does."""
    section, _, rest = at.partition(".")
    if section == "liability":
        return Asked(wins=True, discards=True)
    if section == "events":
        return Asked(wins=True, events=(rest.partition(".")[0],))
    if section == "settlement" and rest in ("exhausted", "wrong_win"):
        return Asked((rest,))  # type: ignore[arg-type]
    if section == "settlement" and rest == "winners":
        return Asked(wins=True)
    if section == "settlement" or stakes:
        return Asked(("abortive", "exhausted", "wrong_win"), wins=True)
    return Asked(tuple(endings))


def in_common(first: Asked, second: Asked) -> Asked | None:
    """The ends that two changes may both touch; None where there are none."""
    endings = tuple(event for event in first.endings if event in second.endings)
    wins = first.wins and second.wins
    if not endings and not wins:
        return None
    events = tuple(dict.fromkeys((*first.events, *second.events)))
    return Asked(endings, wins, events, first.discards and second.discards)


# ---- the ends ----------------------------------------------------------------------------------


class Table:
    """The ends that there may be under either of two rulesets, the plainest first."""

    def __init__(self, before: Rules, after: Rules, together: Together) -> None:
        self.sides = (before, after)
        self.together = together
        stakes = [rules.data.stakes for rules in self.sides]
        self.declared = tuple(dict.fromkeys(one.event for one in stakes if one is not None))
        """The events that are declared with a stake."""
        amounts = [
            fixed_number(rules.data.stakes.amount, rules.options) or 0
            for rules in self.sides
            if rules.data.stakes is not None
        ]
        self.amounts = tuple(dict.fromkeys(amount for amount in amounts if amount))

    def ends(self, asked: Asked) -> Iterator[End]:
        """Every end that is asked for."""
        for event in asked.endings:
            yield from self._without_a_win(event)
        if not asked.wins:
            return
        if asked.discards:
            yield from self._after_discards()
            return
        for number in (1, 2, 3):
            yield from self._wins(number, asked.events)

    def _staked(self, most: int) -> Iterator[tuple[tuple[tuple[str, int], ...], int]]:
        """Whose stakes lie there, and what was left before, the fewest first."""
        for number in range(most + 1 if self.amounts else 1):
            for seats in combinations(SEATS, number):
                for amount in self.amounts if number else (0,):
                    for carried in (0, 1) if self.declared else (0,):
                        yield tuple((seat, amount) for seat in seats), carried

    def _without_a_win(self, event: Ending) -> Iterator[End]:
        for stakes, carried in self._staked(len(SEATS)):
            end = End(event, stakes=stakes, carried=carried)
            if event == "wrong_win":
                yield from (replace(end, seat=seat) for seat in SEATS)
            elif event == "exhausted":
                for number in range(len(SEATS) + 1):
                    for seats in combinations(SEATS, number):
                        yield replace(end, ready=seats)
            else:
                yield end

    def _wins(self, number: int, events: tuple[str, ...]) -> Iterator[End]:
        """So many winners on one tile; of one winner also by his own draw."""
        for base in self.together.bases(number):
            for stakes, carried in self._staked(MOST_STAKES):
                for seats in combinations(SEATS, number):
                    givers: list[str | None] = [seat for seat in SEATS if seat not in seats]
                    for giver in [None, *givers] if number == 1 else givers:
                        for held in self._held(events, number):
                            yield self._won(base, seats, giver, dict(stakes), carried, held)

    def _held(self, events: tuple[str, ...], number: int) -> Iterator[tuple[frozenset[str], ...]]:
        """Which of some events each winner has: none, all of them, or the first one alone."""
        none = frozenset[str]()
        yield (none,) * number
        for event in events:
            yield (frozenset({event}),) * number
            if number > 1:
                yield (frozenset({event}), *(none,) * (number - 1))

    def _won(
        self,
        base: tuple[Won, ...],
        seats: tuple[str, ...],
        giver: str | None,
        stakes: Mapping[str, int],
        carried: int,
        held: tuple[frozenset[str], ...],
    ) -> End:
        """Hands that win for some seats; who has a stake in has declared what it is for."""
        wins: list[Win] = []
        for won, seat, events in zip(base, seats, held, strict=True):
            declared = frozenset(self.declared[:1] if stakes.get(seat) else ())
            by = "self_draw" if giver is None else "discard"
            how = Situation(by, seat, "E", giver, None, events | declared)
            wins.append(Win(Won(won.hand, how)))
        return End("win", wins=tuple(wins), stakes=tuple(stakes.items()), carried=carried)

    def _after_discards(self) -> Iterator[End]:
        """One winner, on a tile that some of the players discarded before in the same turn."""
        bases = self.together.singles()
        for number, base in product(range(4), bases):
            for at, seat in enumerate(SEATS):
                turn = [*SEATS[at:], *SEATS[:at]]
                for giver, before in product(turn[1:], combinations(turn, number)):
                    how = Situation("discard", seat, "E", giver)
                    yield End("win", wins=(Win(Won(base.hand, how), before),))


# ---- looking -----------------------------------------------------------------------------------


def look(
    table: Table, asked: Asked, until: float = float("inf")
) -> tuple[Ends | None, Mapping[str, object] | None]:
    """What becomes of the ends that are asked for, and the plainest that comes to something else,
    one that both rulesets can settle if there is any. None where time is up at once."""
    before, after = table.sides
    looked = changed = 0
    best: tuple[int, End] | None = None
    whole = True
    for end in table.ends(asked):
        if time.monotonic() > until:
            whole = False
            break
        request = end.request()
        first, second = settled(before, request), settled(after, request)
        if isinstance(first, HandError) and isinstance(second, HandError):
            continue
        looked += 1
        weight = differ(first, second)
        changed += weight > 0
        if weight > (best[0] if best is not None else 0):
            best = (weight, end)
    if not looked and time.monotonic() > until:
        return None, None
    how = "proved" if whole and not asked.wins else "sampled"
    found = Ends(how, looked, changed)  # type: ignore[arg-type]
    if best is None:
        return found, None
    return found, _smaller(table, *best, until).request()


def met(
    table: Table, asked: Asked, rules: tuple[Rules, ...], until: float = float("inf")
) -> tuple[MetEnd | None, bool]:
    """The plainest end that comes to something else under a base with two changes than with either
    of them, one that can be settled if there is any; and whether there was time for all.

    `rules` are the base, with the first change, with the second, with both.
    """
    found: MetEnd | None = None
    for end in table.ends(asked):
        if time.monotonic() > until:
            return found, False
        request = end.request()
        results = tuple(settled(one, request) for one in rules)
        if not all(differ(one, results[3]) for one in results[1:3]):
            continue
        fails = any(isinstance(one, HandError) for one in results)
        if not fails or found is None:
            found = MetEnd(request, results)
        if not fails:
            break
    return found, True


def _smaller(table: Table, weight: int, end: End, until: float) -> End:
    """The same end with smaller hands, where one hand wins, as far as there is time."""
    if len(end.wins) != 1:
        return end
    before, after = table.sides
    (win,) = end.wins

    def shows(won: Won) -> bool:
        if won.situation != win.won.situation:
            return False
        request = replace(end, wins=(replace(win, won=won),)).request()
        return differ(settled(before, request), settled(after, request)) >= weight

    won = Shrinker(before, after, shows, TRIES, until).shrunk(win.won)
    return replace(end, wins=(replace(win, won=won),))
