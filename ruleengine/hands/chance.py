"""Hands and situations by chance, as play might bring them, for any ruleset.

A hand starts from one of the ruleset's shapes and from what its player was after (`PLANS`): any
tiles, no terminals or honors, one suit, triplets, ... Each set is drawn from the tiles that are
left in the wall, each as likely as there are ways to draw it. Some sets are claimed, some triplets
are kongs, then comes a winning tile, a way of winning, seats, flowers, dora (a number or an
indicator), the discards since the winner's own last one, and events. What cannot occur under the
ruleset is never made.

The same ruleset and seed give the same plays on every machine and with every version of Python:
the only source of chance is `random.Random.random`, whose numbers Python keeps.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate
from math import comb
from typing import TYPE_CHECKING, Any, TypeVar

from ruleengine.discards import liable_seat
from ruleengine.errors import HandError
from ruleengine.hand import Hand, Meld, Situation
from ruleengine.language.meaning import options_in
from ruleengine.tiles import (
    CLASSES,
    FIRST_FLOWER,
    FIRST_HONOR,
    SEATS,
    TILE_COUNT,
    format_tiles,
    tile_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ruleengine.arrange import Shape
    from ruleengine.discards import Discard
    from ruleengine.rules import Rules

T = TypeVar("T")

_ALL = (1 << FIRST_FLOWER) - 1
_OUTER = CLASSES["terminal"] | CLASSES["honor"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a player was after: its share of all hands, the shares of 0, 1, 2, ... claimed sets,
    and the share (of 100) of the sets that are looked for among triplets only."""

    name: str
    share: float
    claimed: tuple[float, ...]
    triplets: float = 0


PLANS = (
    Plan("any", 40, (60, 20, 12, 6, 2), 10),
    Plan("simple", 16, (45, 25, 20, 8, 2), 5),
    Plan("suit_and_honors", 12, (35, 25, 22, 14, 4), 25),
    Plan("one_suit", 8, (60, 20, 12, 6, 2), 10),
    Plan("triplets", 12, (25, 20, 25, 20, 10), 100),
    Plan("outer", 6, (50, 20, 15, 10, 5), 20),
    Plan("honors", 6, (40, 25, 20, 10, 5), 60),
)

KONG = 12
"""Of 100 triplets, how many are kongs where the fourth tile is left."""
SELF_DRAW, ROBBED = 40, 4
"""Of 100 wins, how many are self-drawn, and how many rob a kong where that can be."""
INDICATED = 40
"""Of 100 wins with dora, how many name the indicators in place of a number."""
EVENT = 12
"""Of 100 wins, how many have an event that can be."""
DISCARDS = 25
"""Of 100 wins on a discard, how many name the discards before it."""
AGAIN = 15
"""Of 100 earlier discards, how many are another copy of the winning tile, where one is left."""


@dataclass(frozen=True, slots=True)
class Play:
    """A winning hand and how it was won.

    `discards` are those since the winner's own last discard, that one included; where there are
    any, `situation.liable` is what the ruleset makes of them.
    """

    hand: Hand
    situation: Situation
    discards: tuple[Discard, ...] = ()

    def record(self) -> dict[str, Any]:
        """The play as a hand record."""
        how = self.situation
        text = str(replace(self.hand, flowers=()))
        found: dict[str, Any] = {
            "hand": text, "by": how.by, "seat": how.seat, "round": how.round,
        }  # fmt: skip
        if how.from_seat is not None:
            found["from"] = how.from_seat
        if self.discards:
            found["discards"] = [[seat, tile_name(tile)] for seat, tile in self.discards]
        if how.events:
            found["events"] = sorted(how.events)
        if self.hand.flowers:
            found["flowers"] = format_tiles(self.hand.flowers)
        if how.dora is not None:
            found["dora"] = how.dora if isinstance(how.dora, int) else format_tiles(how.dora)
        return found


def plays(rules: Rules, seed: int) -> Iterator[Play]:
    """Plays by chance without end; the same for the same ruleset, options and seed."""
    # Indicators have a chance of their own, so that they change nothing else of the plays.
    table = _Table(rules, random.Random(seed), random.Random(f"dora {seed}"))
    while True:
        hand = table.hand()
        if hand is not None:
            yield table.won(hand)


def deal_alike(first: Rules, second: Rules) -> bool:
    """Whether plays of one ruleset are surely as good as plays of the other: their tiles, shapes,
    events, and what is made of discards are the same."""
    return _deal(first) == _deal(second)


def _deal(rules: Rules) -> tuple[object, ...]:
    data = rules.data
    needs = [event.needs.meaning for event in data.events.values() if event.needs is not None]
    read = sorted(set[str]().union(*map(options_in, needs)))
    chosen = [(name, rules.options[name]) for name in read]
    return data.wall, rules.shapes, data.hand_size, data.events, data.liability, chosen


class _Table:
    """The source of chance, and the tiles still in the wall."""

    def __init__(self, rules: Rules, rng: random.Random, turned: random.Random) -> None:
        self.rules = rules
        self.rng = rng
        self.turned = turned
        """The chance by which dora indicators are turned."""
        self.copies = [rules.data.wall.copies.get(tile, 0) for tile in range(TILE_COUNT)]
        self.left = list(self.copies)
        most = max(self.copies)
        self.ways_of_two, self.ways_of_three = (
            [comb(left, taken) for left in range(most + 1)] for taken in (2, 3)
        )
        self.known: dict[tuple[bool, int], tuple[list[int], list[int]]] = {}

    # ---- chance ------------------------------------------------------------------------

    def chance(self, of_hundred: float) -> bool:
        """True in so many of 100 cases."""
        return self.rng.random() * 100 < of_hundred

    def below(self, number: int) -> int:
        """A whole number below another, each as likely."""
        return int(self.rng.random() * number)

    def pick(self, items: Sequence[T]) -> T:
        """One of some things, each as likely."""
        return items[self.below(len(items))]

    def weighed(self, weights: Sequence[float]) -> int | None:
        """A place in `weights`, each as likely as its weight; None where all are 0."""
        steps = list(accumulate(weights))
        if not steps or not steps[-1]:
            return None
        mark = self.rng.random() * steps[-1]
        at = bisect_right(steps, mark)
        return at if at < len(steps) else None

    # ---- the hand ----------------------------------------------------------------------

    def hand(self) -> Hand | None:
        """A hand of a shape, or None where its tiles ran out."""
        self.left = list(self.copies)
        shapes = self.rules.shapes
        shape = shapes[self.weighed([_share(shape) for shape in shapes]) or 0]
        plan = PLANS[self.weighed([plan.share for plan in PLANS]) or 0]
        standing: list[int] = []
        if shape.listed:
            for tile, copies in self.pick(shape.listed):
                if not self.take((tile,) * copies):
                    return None
                standing += [tile] * copies
        kept = self.kept(plan)
        sets = self.sets(shape.sets, plan, kept)
        pairs = self.pairs(shape.pairs, _OUTER if plan.name == "outer" else kept)
        if sets is None or pairs is None:
            return None
        melds = self.melds(sets, plan)
        standing += [tile for each in sets for tile in each] + pairs
        if not standing:
            return None
        winning_tile = self.pick(standing)
        standing.remove(winning_tile)
        flowers = [
            tile for tile in range(FIRST_FLOWER, TILE_COUNT) if self.left[tile] and self.chance(20)
        ]
        return Hand(tuple(sorted(standing)), tuple(melds), winning_tile, tuple(flowers))

    def kept(self, plan: Plan) -> int:
        """The tiles that a plan keeps to, as a mask."""
        suit = 0x1FF << (9 * self.below(3))
        return {
            "simple": CLASSES["simple"],
            "suit_and_honors": suit | CLASSES["honor"],
            "one_suit": suit,
            "outer": _ALL,
            "honors": _OUTER,
        }.get(plan.name, _ALL)

    def sets(self, number: int, plan: Plan, kept: int) -> list[tuple[int, ...]] | None:
        """So many sets, or None where their tiles ran out."""
        runs, triplets = self.choice(kept, outer=plan.name == "outer")
        found: list[tuple[int, ...]] = []
        for _ in range(number):
            first = [] if self.chance(plan.triplets) else runs
            third = triplets
            at = self.weighed(self.ways(first, third))
            if at is None:
                first, third = [], [*range(FIRST_FLOWER)]
                at = self.weighed(self.ways(first, third))
            if at is None:
                return None
            if at < len(first):
                tile = first[at]
                found.append((tile, tile + 1, tile + 2))
            else:
                found.append((third[at - len(first)],) * 3)
            self.take(found[-1])
        return found

    def choice(self, kept: int, *, outer: bool) -> tuple[list[int], list[int]]:
        """The first tiles of the sequences and the tiles of the triplets that a plan looks for;
        with `outer`, of all that have a terminal or an honor."""
        known = self.known.get((outer, kept))
        if known is None:
            runs = [tile for tile in range(FIRST_HONOR) if tile % 9 <= 6]
            if outer:
                runs = [tile for tile in runs if _OUTER >> tile & 0b111]
                triplets = _tiles(_OUTER)
            else:
                runs = [tile for tile in runs if kept >> tile & 0b111 == 0b111]
                triplets = _tiles(kept)
            known = self.known[outer, kept] = runs, triplets
        return known

    def ways(self, runs: list[int], triplets: list[int]) -> list[int]:
        """In how many ways the wall can give each of some sequences and triplets."""
        left, three = self.left, self.ways_of_three
        found = [left[tile] * left[tile + 1] * left[tile + 2] for tile in runs]
        found += [three[left[tile]] for tile in triplets]
        return found

    def pairs(self, number: int, kept: int) -> list[int] | None:
        """The tiles of so many pairs, or None where they ran out."""
        left, two = self.left, self.ways_of_two
        found: list[int] = []
        for _ in range(number):
            some = _tiles(kept)
            at = self.weighed([two[left[tile]] for tile in some])
            if at is None:
                some = list(range(FIRST_FLOWER))
                at = self.weighed([two[left[tile]] for tile in some])
            if at is None:
                return None
            self.take((some[at],) * 2)
            found += [some[at]] * 2
        return found

    def melds(self, sets: list[tuple[int, ...]], plan: Plan) -> list[Meld]:
        """Take some of the sets out of the hand and lay them open."""
        claimed = self.weighed(plan.claimed) or 0
        found: list[Meld] = []
        for place in range(len(sets) - 1, -1, -1):
            tile, *_, last = sets[place]
            open_now = self.rng.random() * (place + 1) < claimed
            kong = tile == last and self.left[tile] > 0 and self.chance(KONG)
            if kong:
                self.left[tile] -= 1
                found.append(Meld("kong", tile, open_now))
            elif open_now:
                found.append(Meld("triplet" if tile == last else "sequence", tile, True))
            if open_now:
                claimed -= 1
            if kong or open_now:
                del sets[place]
        return found

    def take(self, tiles: tuple[int, ...]) -> bool:
        """Take tiles out of the wall, if it has them."""
        for tile in tiles:
            self.left[tile] -= 1
        return all(self.left[tile] >= 0 for tile in tiles)

    # ---- the win -----------------------------------------------------------------------

    def won(self, hand: Hand) -> Play:
        """A way in which a hand was won."""
        data = self.rules.data
        seat, round_ = self.pick(SEATS), self.pick(SEATS)
        by, from_seat = "self_draw", None
        if not self.chance(SELF_DRAW):
            by = "robbing_kong" if self.robbable(hand) and self.chance(ROBBED) else "discard"
            from_seat = self.pick([other for other in SEATS if other != seat])
        dora = self.weighed((40, 30, 15, 10, 5)) if data.wall.dora else None
        situation = Situation(by, seat, round_, from_seat, None, frozenset(), dora)
        play = Play(hand, situation)
        if by == "discard" and self.chance(DISCARDS):
            play = self.with_discards(play)
        for event in data.events:
            if self.chance(EVENT):
                with_it = replace(play.situation, events=play.situation.events | {event})
                play = replace(play, situation=with_it) if self.can_be(play, with_it) else play
        return play if dora is None else self.with_indicators(play)

    def with_indicators(self, play: Play) -> Play:
        """The same play with dora indicators in place of a number, of some; unchanged where the
        play cannot have been with those that were turned."""
        if self.turned.random() * 100 >= INDICATED:
            return play
        held = [tile for _, tile in play.discards]
        left = {
            tile: self.left[tile] - held.count(tile)
            for tile in self.rules.data.wall.dora
            if self.left[tile] > held.count(tile)
        }
        tiles = [tile for tile, copies in left.items() for _ in range(copies)]
        if not tiles:
            return play
        dora = (tiles[int(self.turned.random() * len(tiles))],)
        with_it = replace(play.situation, dora=dora)
        return replace(play, situation=with_it) if self.can_be(play, with_it) else play

    def robbable(self, hand: Hand) -> bool:
        """Whether the winning tile can have been added to another's kong."""
        tile = hand.winning_tile
        held = [*hand.standing, *(each for meld in hand.melds for each in meld.tiles)]
        return tile is not None and tile not in held and self.copies[tile] == 4

    def can_be(self, play: Play, situation: Situation) -> bool:
        """Whether a hand can have been won in a situation."""
        try:
            self.rules.score_hand(play.hand, situation)
        except HandError:
            return False
        return True

    def with_discards(self, play: Play) -> Play:
        """The same play with the discards since the winner's own last one."""
        how, tile = play.situation, play.hand.winning_tile
        assert how.from_seat is not None
        assert tile is not None
        left = list(self.left)
        found: list[Discard] = []
        at = SEATS.index(how.seat)
        for step in range((SEATS.index(how.from_seat) - at) % 4):
            seat = SEATS[(at + step) % 4]
            discarded = tile if left[tile] > 0 and self.chance(AGAIN) else None
            if discarded is None:
                some = self.weighed([max(left[each], 0) for each in range(FIRST_FLOWER)])
                if some is None:
                    break
                discarded = some
            left[discarded] -= 1
            found.append((seat, discarded))
        discards = tuple(found)
        try:
            liable = liable_seat(discards, play.hand, how, self.rules.data)
        except HandError:
            return play
        situation = replace(how, liable=liable)
        if not self.can_be(play, situation):
            return play
        return Play(play.hand, situation, discards)


def _tiles(mask: int) -> list[int]:
    return [tile for tile in range(FIRST_FLOWER) if mask >> tile & 1]


def _share(shape: Shape) -> float:
    """How likely a shape is: sets come up more often than pairs alone, and listed tiles least."""
    if shape.listed:
        return 3
    return 85 if shape.sets else 12
