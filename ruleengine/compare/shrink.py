"""Makes a hand that shows a change as small as it can be while it still shows it."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from ruleengine.compare.many import by_tile
from ruleengine.compare.outcomes import Won, scored
from ruleengine.errors import HandError
from ruleengine.hand import Hand, Meld, Situation
from ruleengine.hands.suits import MOST_COPIES
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR, SEATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ruleengine.result import Result
    from ruleengine.rules import Rules

Key = tuple[object, ...]
MOST_ROUNDS = 60


def size(won: Won) -> Key:
    """What makes a hand small: few melds, then an ordinary situation, then low tiles."""
    hand, how = won.hand, won.situation
    kongs = sum(meld.kind == "kong" for meld in hand.melds)
    claimed = sum(meld.claimed for meld in hand.melds)
    dora = how.dora if isinstance(how.dora, int) else len(how.dora or ())
    return (
        (len(hand.melds), kongs, claimed),
        (
            len(how.events),
            len(hand.flowers),
            dora,
            ("self_draw", "discard", "robbing_kong").index(how.by),
            how.liable is not None,
            SEATS.index(how.seat),
            SEATS.index(how.round),
            -1 if how.from_seat is None else SEATS.index(how.from_seat),
        ),
    )


def tiles_of(won: Won) -> Key:
    """The tiles of a hand in their order, then where the melds and the winning tile are."""
    hand = won.hand
    tiles = [*hand.standing, *(tile for meld in hand.melds for tile in meld.tiles)]
    assert hand.winning_tile is not None
    return (
        tuple(sorted([*tiles, hand.winning_tile])),
        tuple(sorted(meld.tile for meld in hand.melds)),
        hand.winning_tile,
    )


def smallness(before: Rules, after: Rules, won: Won) -> Key:
    """What makes a hand small under two rulesets: few melds, an ordinary situation, few patterns,
    few points, low tiles."""
    return (*size(won), *worth(before, after, won), tiles_of(won))


def worth(before: Rules, after: Rules, won: Won) -> tuple[int, int]:
    """How many patterns a hand counts and how many points it has, the most under two rulesets."""
    patterns = points = 0
    for rules in (before, after):
        result = scored(rules, won)
        if not isinstance(result, HandError):
            patterns = max(patterns, len(result.patterns))
            points = max(points, result.points)
    return patterns, points


class Shrinker:
    """Shrinks hands under two rulesets, as long as `shows` says that they still show a change.

    After so many `tries`, or at `ends` (by the monotonic clock), no smaller ones are looked for.
    """

    def __init__(
        self,
        before: Rules,
        after: Rules,
        shows: Callable[[Won], bool],
        tries: int = 6_000,
        ends: float = float("inf"),
    ) -> None:
        self.before = before
        self.after = after
        self.shows = shows
        self.tries = tries
        self.ends = ends
        self.late = False
        """Whether the search ended for want of time."""

    def key(self, won: Won) -> Key:
        """What makes a hand small under the two rulesets."""
        return smallness(self.before, self.after, won)

    def shrunk(self, won: Won) -> Won:
        """The smallest hand that is found from one, step by step."""
        best, key = won, self.key(won)
        for _ in range(MOST_ROUNDS):
            step = self._step(best, key)
            if step is None:
                return best
            best, key = step
        return best

    def _step(self, won: Won, key: Key) -> tuple[Won, Key] | None:
        for smaller in self._smaller(won):
            if self.tries <= 0 or self._is_late():
                return None
            if size(smaller) > size(won):
                continue
            self.tries -= 1
            if self.shows(smaller):
                found = self.key(smaller)
                if found < key:
                    return smaller, found
        return None

    def _is_late(self) -> bool:
        self.late = self.late or time.monotonic() > self.ends
        return self.late

    def _smaller(self, won: Won) -> Iterator[Won]:
        yield from (Won(won.hand, how) for how in _plainer(won.situation))
        less_laid = list(_less_laid(won.hand))
        yield from (Won(hand, won.situation) for hand in less_laid)
        yield from (Won(hand, how) for hand in less_laid for how in _turned(won.situation))
        yield from self._other_tiles(won)
        # A more ordinary situation may need another group: a wind goes with the seat.
        for how in _plainer(won.situation):
            yield from (Won(other.hand, how) for other in self.other_groups(won))

    def _other_tiles(self, won: Won) -> Iterator[Won]:
        """The same hand with other winning tiles, other suits, or another group."""
        hand, how = won.hand, won.situation
        assert hand.winning_tile is not None
        standing = sorted([*hand.standing, hand.winning_tile])
        for order in _SUITS:
            moved = _moved(hand, order)
            if moved != hand:
                yield Won(moved, how)
        yield from self.other_groups(won)
        for tile in dict.fromkeys(standing):
            if tile != hand.winning_tile:
                rest = list(standing)
                rest.remove(tile)
                yield Won(replace(hand, standing=tuple(rest), winning_tile=tile), how)

    def other_groups(self, won: Won, *, higher: bool = False) -> Iterator[Won]:
        """The same hand with another group in place of each, a lower one of the same kind or any of
        another; with `higher` any."""
        hand, how = won.hand, won.situation
        result: Result | HandError = scored(self.after, won)
        if isinstance(result, HandError) or result.arranged is None:
            result = scored(self.before, won)
        if isinstance(result, HandError) or result.arranged is None:
            return
        wall = result.rules.data.wall.copies
        assert hand.winning_tile is not None
        whole = sorted([*hand.standing, hand.winning_tile])
        for group in reversed(result.arranged.groups):
            meld = next((m for m in hand.melds if m.tiles == group.tiles), None)
            left, melds = list(whole), hand.melds
            if meld is not None and group.status != "completed":
                melds = tuple(one for one in hand.melds if one is not meld)
            else:
                for tile in group.tiles:
                    if tile in left:
                        left.remove(tile)
            for kind, tile in _groups(group.kind):
                tiles = _tiles(kind, tile)
                is_higher = tiles > group.tiles and kind == group.kind
                if tiles == group.tiles or (is_higher and not higher):
                    continue
                if meld is not None:
                    if kind == "sequence" and not meld.claimed:
                        continue
                    other = Meld(kind, tile, meld.claimed)  # type: ignore[arg-type]
                    tried = replace(hand, melds=tuple(sorted((*melds, other), key=by_tile)))
                    if _in_wall(tried, wall):
                        yield Won(tried, how)
                    continue
                standing = sorted([*left, *tiles])
                winning = [hand.winning_tile] if hand.winning_tile in standing else []
                for last in dict.fromkeys([*winning, *tiles]):
                    rest = list(standing)
                    rest.remove(last)
                    tried = replace(hand, standing=tuple(rest), winning_tile=last)
                    if _in_wall(tried, wall):
                        yield Won(tried, how)


def _groups(kind: str) -> Iterator[tuple[str, int]]:
    """Groups that may stand in for one, low tiles first."""
    for tile in range(FIRST_FLOWER):
        if kind == "pair":
            yield "pair", tile
            continue
        if tile < FIRST_HONOR and tile % 9 <= 6 and kind != "kong":
            yield "sequence", tile
        yield ("kong" if kind == "kong" else "triplet"), tile


def _tiles(kind: str, tile: int) -> tuple[int, ...]:
    if kind == "sequence":
        return (tile, tile + 1, tile + 2)
    return (tile,) * {"pair": 2, "triplet": 3, "kong": 4}[kind]


def _in_wall(hand: Hand, wall: object) -> bool:
    assert hand.winning_tile is not None
    held = Counter([*hand.standing, hand.winning_tile])
    for meld in hand.melds:
        held.update(meld.tiles)
    return max(held.values()) <= MOST_COPIES


def _plainer(how: Situation) -> Iterator[Situation]:
    for event in sorted(how.events):
        yield replace(how, events=how.events - {event})
    if how.by != "self_draw":
        yield replace(how, by="self_draw", from_seat=None, liable=None)
    if how.by == "robbing_kong":
        yield replace(how, by="discard")
    if how.liable is not None:
        yield replace(how, liable=None)
    if how.from_seat is not None:
        yield replace(how, from_seat=None, liable=None)
    if how.seat != "E":
        yield replace(how, seat="E", from_seat=None, liable=None)
    if how.round != "E":
        yield replace(how, round="E")
    for seat in SEATS:
        for giver in SEATS if how.from_seat is not None else ():
            if giver != seat:
                yield replace(how, seat=seat, from_seat=giver)
    if how.dora is not None:
        yield replace(how, dora=None)
        for fewer in range(1, how.dora if isinstance(how.dora, int) else 0):
            yield replace(how, dora=fewer)


def _turned(how: Situation) -> Iterator[Situation]:
    """The other ways of winning: fewer melds are worth a less usual one."""
    giver = next(seat for seat in SEATS if seat != how.seat)
    for by in ("self_draw", "discard", "robbing_kong"):
        if by == how.by:
            continue
        yield replace(how, by=by, from_seat=None, liable=None)
        if by != "self_draw":
            yield replace(how, by=by, from_seat=giver, liable=None)


def _less_laid(hand: Hand) -> Iterator[Hand]:
    if hand.flowers:
        yield replace(hand, flowers=())
        for at in range(len(hand.flowers)):
            yield replace(hand, flowers=(*hand.flowers[:at], *hand.flowers[at + 1 :]))
    for at, meld in enumerate(hand.melds):
        rest = (*hand.melds[:at], *hand.melds[at + 1 :])
        tiles = meld.tiles[:3]
        yield replace(hand, standing=tuple(sorted((*hand.standing, *tiles))), melds=rest)
        if meld.kind == "kong":
            if meld.claimed:
                other = Meld("kong", meld.tile, False)
                yield replace(hand, melds=(*hand.melds[:at], other, *hand.melds[at + 1 :]))
            other = Meld("triplet", meld.tile, True)
            yield replace(hand, melds=(*hand.melds[:at], other, *hand.melds[at + 1 :]))


_SUITS = ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))


def _moved(hand: Hand, order: tuple[int, ...]) -> Hand:
    """A hand with its suits exchanged."""

    def move(tile: int) -> int:
        return 9 * order[tile // 9] + tile % 9 if tile < FIRST_HONOR else tile

    assert hand.winning_tile is not None
    melds = tuple(Meld(meld.kind, move(meld.tile), meld.claimed) for meld in hand.melds)
    standing = tuple(sorted(map(move, hand.standing)))
    return Hand(standing, melds, move(hand.winning_tile), hand.flowers)
