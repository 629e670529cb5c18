"""Random winning hands of any ruleset's shapes and wall, with a way in which they were won."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.errors import HandError
from ruleengine.hand import Hand, Meld, Situation
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR, SEATS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Mapping

    from ruleengine.arrange import Shape
    from ruleengine.rules import Rules


@dataclass(frozen=True, slots=True)
class Win:
    """A winning hand and how it was won."""

    hand: Hand
    situation: Situation


def random_win(rules: Rules, rng: random.Random) -> Win:
    """A hand of one of the shapes, of tiles that the wall has, won in a way that can be."""
    while True:
        shape = rng.choice(rules.shapes)
        hand = random_hand(shape, rules.data.wall.copies, rng)
        if hand is not None:
            return Win(hand, possible_situation(rules, hand, rng))


def possible_situation(rules: Rules, hand: Hand, rng: random.Random) -> Situation:
    """A way in which a hand can have been won under a ruleset."""
    for _ in range(30):
        situation = random_situation(rules, hand, rng)
        try:
            rules.score_hand(hand, situation)
        except HandError as error:
            # The hand is complete; only how it was won may be what cannot be.
            if not error.code.startswith("H3"):
                raise
        else:
            return situation
    return Situation(seat=rng.choice(SEATS), round=rng.choice(SEATS))


def random_hand(shape: Shape, wall: Mapping[int, int], rng: random.Random) -> Hand | None:
    """A hand of a shape, or None where the tiles that came up are more than the wall has."""
    fits = _bias(rng)
    triplets = [tile for tile in range(FIRST_FLOWER) if fits(tile)]
    runs = [tile for tile in range(FIRST_HONOR) if tile % 9 <= 6 and fits(tile) and fits(tile + 2)]
    standing: list[int] = []
    melds: list[Meld] = []
    share = rng.choice((0, 0, 30, 60, 100))
    likes_triplets = rng.choice((10, 40, 90))
    before: list[tuple[str, int]] = []
    for _ in range(shape.sets):
        kind = "triplet" if rng.random() * 100 < likes_triplets or not runs else "sequence"
        tile = rng.choice(triplets if kind == "triplet" else runs)
        if before and rng.random() < 0.35:
            kind, tile = _like(rng.choice(before), rng)
        before.append((kind, tile))
        claimed = rng.random() * 100 < share
        if kind == "triplet" and rng.random() < 0.25:
            melds.append(Meld("kong", tile, claimed))
        elif claimed:
            melds.append(Meld("triplet" if kind == "triplet" else "sequence", tile, True))
        else:
            standing += [tile] * 3 if kind == "triplet" else [tile, tile + 1, tile + 2]
    for _ in range(shape.pairs):
        standing += [rng.choice(triplets)] * 2
    if shape.listed:
        for tile, copies in rng.choice(shape.listed):
            standing += [tile] * copies
    if not standing:
        return None
    winning_tile = rng.choice(standing)
    standing.remove(winning_tile)
    hand = Hand(tuple(sorted(standing)), tuple(melds), winning_tile)
    held = Counter([*standing, winning_tile, *(t for meld in melds for t in meld.tiles)])
    if any(copies > wall.get(tile, 0) for tile, copies in held.items()):
        return None
    return with_flowers(hand, wall, rng)


def with_flowers(hand: Hand, wall: Mapping[int, int], rng: random.Random) -> Hand:
    """The hand with other flowers: some of those that the wall has."""
    flowers = [tile for tile in range(FIRST_FLOWER, 42) if wall.get(tile) and rng.random() < 0.3]
    return Hand(hand.standing, hand.melds, hand.winning_tile, tuple(flowers))


def random_situation(rules: Rules, hand: Hand, rng: random.Random) -> Situation:
    """A situation that can be: any seats, way, dora, and some of the events that fit."""
    data = rules.data
    tile = hand.winning_tile
    held = [*hand.standing, *(t for meld in hand.melds for t in meld.tiles)]
    ways = ["self_draw", "discard"] + ([] if tile in held else ["robbing_kong"])
    by, seat, round_ = rng.choice(ways), rng.choice(SEATS), rng.choice(SEATS)
    from_seat = liable = None
    if by != "self_draw":
        others = [other for other in SEATS if other != seat]
        from_seat = rng.choice(others)
        seats = [*others, "none"] if data.liability.nobody else others
        if data.liability.moves and rng.random() < 0.5:
            liable = rng.choice(seats)
    dora = rng.randrange(6) if data.wall.dora else None
    events = frozenset(event for event in data.events if rng.random() < 0.3)
    return Situation(by, seat, round_, from_seat, liable, events, dora)


def _bias(rng: random.Random) -> Callable[[int], bool]:
    """Which tiles the sets and pairs of a hand are of."""
    suit, rank = rng.randrange(3), rng.randrange(9)
    return rng.choice(
        (
            lambda tile: True,
            lambda tile: True,
            lambda tile: tile // 9 == suit,
            lambda tile: tile // 9 in (suit, 3),
            lambda tile: tile >= FIRST_HONOR or tile % 9 in (0, 1, 2, 6, 7, 8),
            lambda tile: tile < FIRST_HONOR and abs(tile % 9 - rank) <= 2,
        )
    )


def _like(group: tuple[str, int], rng: random.Random) -> tuple[str, int]:
    """A set like one that the hand has: the same, next to it, or in another suit."""
    kind, tile = group
    if tile >= FIRST_HONOR:
        return "triplet", rng.randrange(FIRST_HONOR, FIRST_FLOWER)
    rank = tile % 9
    top = 6 if kind == "sequence" else 8
    moved = rng.choice((tile, tile, tile - 1, tile + 1, tile + 3, rank, rank + 9, rank + 18))
    if moved // 9 > 2 or moved < 0 or moved % 9 > top:
        return kind, tile
    return kind, moved
