"""Seeded sets of complete hands on which every scorer of the benchmark is measured.

Both sets hold different records only (text and situation), with four of a tile at most and
without flowers, so that one list can be read under every ruleset compared.

``random``
    Shapes far from play, to exercise every path of a scorer: 91 % four sets and a pair, pushed
    towards one suit and towards terminals and honors; 6 % seven different pairs; 3 % thirteen
    orphans. About half of the hands have melds.
``realistic``
    Shapes about as often as play makes them. The weights of :data:`PLANS` are set so that the
    hands show the published pattern frequencies of 1.4 million recorded wins (``README.md`` has
    the comparison). Sets are drawn from the tiles still in the wall, each as likely as there are
    ways to draw it; a sequence that the hand already has is put back in 35 of 100 cases.

The same name, count and seed give the same hands on every machine and Python version: the only
source of chance is :meth:`random.Random.random`, whose sequence Python keeps.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType
from typing import Literal, TypeVar

Kind = Literal["sequence", "triplet", "kong"]
T = TypeVar("T")

#: Tiles are numbered as in the engine: suits m, p, s by rank, then 1-7z.
TILES = 34
DRAGONS = (31, 32, 33)
ORPHANS = tuple(t for t in range(TILES) if t >= 27 or t % 9 in (0, 8))
SEATS = "ESWN"
SUITS = "mpsz"


@dataclass(frozen=True, slots=True)
class WinningHand:
    """One complete hand and how it was won: all that a scorer is told.

    ``text`` is canonical notation (``123m456p1z[789s](9999m)+1z``), ``by`` is ``self_draw`` or
    ``discard``, ``seat`` and ``round`` are winds ``E S W N``, ``from_seat`` is the discarder's
    seat (``None`` on a self-draw).
    """

    text: str
    by: str
    seat: str
    round: str
    from_seat: str | None


@dataclass(frozen=True, slots=True)
class Block:
    """One set of a hand; a declared one is written as a meld, a concealed kong included."""

    kind: Kind
    tile: int
    declared: bool = False
    claimed: bool = False

    @property
    def tiles(self) -> tuple[int, ...]:
        """The tiles of the set, lowest first."""
        if self.kind == "sequence":
            return (self.tile, self.tile + 1, self.tile + 2)
        return (self.tile,) * (4 if self.kind == "kong" else 3)


SEQUENCES = tuple(Block("sequence", t) for t in range(27) if t % 9 < 7)
TRIPLETS = tuple(Block("triplet", t) for t in range(TILES))


@dataclass(frozen=True, slots=True)
class Plan:
    """What the winner of a ``realistic`` hand was after.

    ``weight`` is its share of the hands in per cent, ``melds`` the weights of 0, 1, 2, ...
    declared sets, ``triplets`` the per cent of sets looked for among triplets only, ``tiles`` the
    tiles kept to, ``start`` the sets that the hand begins with.
    """

    name: str
    weight: float
    melds: tuple[float, ...] = (1,)
    triplets: float = 0
    tiles: Literal["any", "simples", "one_suit", "suit_and_honors"] = "any"
    start: Literal["nothing", "value_honor", "straight", "similar"] = "nothing"


PLANS: tuple[Plan, ...] = (
    Plan("plain", 35),
    Plan("simples", 16.5, (40, 28, 24, 7, 1), 5, "simples"),
    Plan("value honor", 29, (20, 42, 30, 7, 1), 5, start="value_honor"),
    Plan("one suit and honors", 3.8, (25, 30, 30, 13, 2), 25, "suit_and_honors"),
    Plan("one suit", 0.05, (45, 28, 20, 6, 1), 8, "one_suit"),
    Plan("triplets", 1.25, (3, 12, 35, 42, 8), 100),
    Plan("straight", 1, (45, 30, 20, 5), start="straight"),
    Plan("similar sequences", 2.7, (35, 33, 25, 7), start="similar"),
    Plan("seven pairs", 2.7),
    Plan("thirteen orphans", 0.02),
)


@dataclass(slots=True)
class Table:
    """The source of chance and the tiles still in the wall, for one hand after another."""

    rng: random.Random
    wall: list[int] = field(default_factory=lambda: [4] * TILES)

    def shuffle(self) -> None:
        """Put all tiles back into the wall."""
        self.wall = [4] * TILES

    def chance(self, per_cent: float) -> bool:
        """True in ``per_cent`` of 100 cases."""
        return self.rng.random() * 100 < per_cent

    def pick(self, items: Sequence[T]) -> T:
        """One of ``items``, each as likely."""
        return items[int(self.rng.random() * len(items))]

    def weigh(self, weights: Iterable[float]) -> int:
        """An index into ``weights``, each as likely as its weight says."""
        steps = list(accumulate(weights))
        mark = self.rng.random() * steps[-1]
        return next(i for i, step in enumerate(steps) if mark < step)

    def order(self, items: Iterable[T]) -> list[T]:
        """``items`` in an order of chance."""
        return [
            item for _, _, item in sorted((self.rng.random(), i, x) for i, x in enumerate(items))
        ]

    def ways(self, tiles: Sequence[int]) -> int:
        """In how many ways the wall can give a sequence, or some of one tile."""
        left = self.wall[tiles[0]]
        if len(tiles) == 3 and tiles[0] != tiles[1]:
            return left * self.wall[tiles[1]] * self.wall[tiles[2]]
        product = 1
        for taken in range(len(tiles)):
            product = product * (left - taken) // (taken + 1)
        return product

    def take(self, tiles: Iterable[int]) -> None:
        """Take ``tiles`` out of the wall."""
        for tile in tiles:
            self.wall[tile] -= 1

    def put_back(self, tiles: Iterable[int]) -> None:
        """Put ``tiles`` back into the wall."""
        for tile in tiles:
            self.wall[tile] += 1

    def draw(self, blocks: Sequence[Block]) -> Block:
        """Take one of ``blocks`` out of the wall, each as likely as there are ways to draw it."""
        block = blocks[self.weigh(self.ways(b.tiles) for b in blocks)]
        self.take(block.tiles)
        return block

    def pair(self, tiles: Iterable[int]) -> int:
        """Take a pair out of the wall, each as likely as there are ways to draw it; its tile."""
        choice = tuple(tiles)
        tile = choice[self.weigh(self.ways((t, t)) for t in choice)]
        self.take((tile, tile))
        return tile


@dataclass(frozen=True, slots=True)
class Shape:
    """A complete hand as tiles: sets (melds among them), what else stands, the winning tile."""

    blocks: tuple[Block, ...]
    others: tuple[int, ...]
    winning_tile: int

    @property
    def text(self) -> str:
        """Canonical notation."""
        standing = [t for b in self.blocks if not b.declared for t in b.tiles] + [*self.others]
        standing.remove(self.winning_tile)
        melds = "".join(write_meld(b) for b in self.blocks if b.declared)
        return f"{write_tiles(sorted(standing))}{melds}+{write_tiles([self.winning_tile])}"


def write_tiles(tiles: Sequence[int]) -> str:
    """Sorted tiles as ``123m11z``."""
    words = []
    for suit, letter in enumerate(SUITS):
        ranks = "".join(str(t - 9 * suit + 1) for t in tiles if t // 9 == suit)
        words.append(ranks + letter if ranks else "")
    return "".join(words)


def write_meld(block: Block) -> str:
    """A declared set as ``[789s]`` or, a concealed kong, ``(9999m)``."""
    tiles = write_tiles(block.tiles)
    return f"[{tiles}]" if block.claimed else f"({tiles})"


# --- the random set -------------------------------------------------------------------------


def random_shape(table: Table) -> Shape:
    """91 % four sets and a pair, 6 % seven different pairs, 3 % thirteen orphans."""
    case = table.weigh((91, 6, 3))
    if case == 1:
        return seven_pairs(table, range(TILES))
    if case == 2:
        return thirteen_orphans(table)
    allowed = random_bias(table)
    sequences = [b for b in SEQUENCES if allowed(b)]
    triplets = [b for b in TRIPLETS if allowed(b)]
    blocks = []
    for _ in range(4):
        kind = triplets if table.chance(35) else sequences
        possible = [b for b in kind if table.ways(b.tiles)] or sequences
        blocks.append(table.pick(possible))
        table.take(blocks[-1].tiles)
    eyes = table.pick([b.tile for b in triplets if table.wall[b.tile] >= 2])
    table.take((eyes, eyes))
    share = 50 if table.chance(60) else 0
    blocks = [declare(table, b, kongs=35) if table.chance(share) else b for b in blocks]
    standing = [t for b in blocks if not b.declared for t in b.tiles]
    return Shape(tuple(blocks), (eyes, eyes), table.pick([*standing, eyes]))


def random_bias(table: Table) -> Callable[[Block], bool]:
    """Which sets a hand of the random set may have; the pair is of a tile whose triplet may be."""
    suit = int(table.rng.random() * 3)
    allowed: tuple[Callable[[Block], bool], ...] = (
        lambda b: True,
        lambda b: b.tile // 9 == suit,
        lambda b: b.tile // 9 in (suit, 3),
        lambda b: any(t in ORPHANS for t in b.tiles),
    )
    return allowed[table.weigh((64, 10, 13, 13))]


# --- the realistic set ----------------------------------------------------------------------


def realistic_shape(table: Table, winds: tuple[int, int]) -> Shape:
    """A hand by one of the :data:`PLANS`; ``winds`` are the tiles of the seat and the round."""
    plan = PLANS[table.weigh(p.weight for p in PLANS)]
    if plan.name == "seven pairs":
        return seven_pairs(table, range(TILES))
    if plan.name == "thirteen orphans":
        return thirteen_orphans(table)
    tiles = planned_tiles(table, plan)
    triplets = [b for b in TRIPLETS if b.tile in tiles]
    sequences = [b for b in SEQUENCES if tiles.issuperset(b.tiles)]
    blocks = planned_start(table, plan, winds)
    for block in blocks:
        table.take(block.tiles)
    while len(blocks) < 4:
        looked_for = triplets if table.chance(plan.triplets) else sequences + triplets
        block = table.draw(looked_for)
        if block in blocks and table.chance(35):
            table.put_back(block.tiles)
            continue
        blocks.append(block)
    eyes = table.pair(tiles)
    melds = table.weigh(plan.melds)
    first = sorted(table.order(blocks), key=lambda b: b.tile < 27 or table.chance(40))
    shown = [declare(table, b, kongs=6) for b in first[:melds]]
    hidden = [declare_kong(table, b) if table.chance(0.6) else b for b in first[melds:]]
    return Shape((*shown, *hidden), (eyes, eyes), likely_wait(table, hidden, eyes))


def planned_tiles(table: Table, plan: Plan) -> frozenset[int]:
    """The tiles that a plan keeps to."""
    suit = int(table.rng.random() * 3)
    kept: Mapping[str, Callable[[int], bool]] = {
        "any": lambda t: True,
        "simples": lambda t: t not in ORPHANS,
        "one_suit": lambda t: t // 9 == suit,
        "suit_and_honors": lambda t: t // 9 in (suit, 3),
    }
    return frozenset(filter(kept[plan.tiles], range(TILES)))


def planned_start(table: Table, plan: Plan, winds: tuple[int, int]) -> list[Block]:
    """The sets that a plan begins with."""
    if plan.start == "value_honor":
        return [Block("triplet", table.pick((*DRAGONS, *winds)))]
    if plan.start == "straight":
        suit = 9 * int(table.rng.random() * 3)
        return [Block("sequence", suit + low) for low in (0, 3, 6)]
    if plan.start == "similar":
        low = int(table.rng.random() * 7)
        return [Block("sequence", suit + low) for suit in (0, 9, 18)]
    return []


def likely_wait(table: Table, hidden: Sequence[Block], eyes: int) -> int:
    """The winning tile: 2.5 times as likely one that a two-sided wait takes."""
    waits: list[tuple[int, float]] = [(eyes, 1)]
    for block in hidden:
        if block.kind == "triplet":
            waits.append((block.tile, 2))
        elif block.kind == "sequence":
            rank = block.tile % 9
            waits += [
                (block.tile, 2.5 if rank < 6 else 1),
                (block.tile + 1, 1),
                (block.tile + 2, 2.5 if rank > 0 else 1),
            ]
    return waits[table.weigh(weight for _, weight in waits)][0]


# --- what both have in common ---------------------------------------------------------------


def declare(table: Table, block: Block, kongs: float) -> Block:
    """``block`` as a meld: claimed, or a kong (``kongs`` per cent of triplets, half concealed)."""
    if block.kind == "triplet" and table.wall[block.tile] and table.chance(kongs):
        table.take((block.tile,))
        return Block("kong", block.tile, declared=True, claimed=table.chance(50))
    return Block(block.kind, block.tile, declared=True, claimed=True)


def declare_kong(table: Table, block: Block) -> Block:
    """``block`` as a concealed kong if it is a triplet whose fourth tile is in the wall."""
    if block.kind != "triplet" or not table.wall[block.tile]:
        return block
    table.take((block.tile,))
    return Block("kong", block.tile, declared=True)


def seven_pairs(table: Table, tiles: Iterable[int]) -> Shape:
    """Seven different pairs of ``tiles``: complete under every ruleset that knows seven pairs."""
    pairs = table.order(tiles)[:7]
    return Shape((), tuple(t for t in pairs for _ in range(2)), table.pick(pairs))


def thirteen_orphans(table: Table) -> Shape:
    """One of each terminal and honor, and one of them again."""
    return Shape((), (*ORPHANS, table.pick(ORPHANS)), table.pick(ORPHANS))


def random_hand(table: Table) -> WinningHand:
    """One hand of the random set: any seat and round, half of the wins self-drawn."""
    seat, round_wind = table.pick(SEATS), table.pick(SEATS)
    shape = random_shape(table)
    return won(table, shape.text, seat, round_wind, self_drawn=50)


def realistic_hand(table: Table) -> WinningHand:
    """One hand of the realistic set, in an East or South round.

    Of the concealed hands 43 % are self-drawn, of the open ones 37 %.
    """
    seat, round_wind = table.pick(SEATS), table.pick("ES")
    shape = realistic_shape(table, (27 + SEATS.index(seat), 27 + SEATS.index(round_wind)))
    is_open = any(b.claimed for b in shape.blocks)
    return won(table, shape.text, seat, round_wind, self_drawn=37 if is_open else 43)


def won(table: Table, text: str, seat: str, round_wind: str, self_drawn: float) -> WinningHand:
    """The record of a win, in ``self_drawn`` per cent of cases by self-draw."""
    if table.chance(self_drawn):
        return WinningHand(text, "self_draw", seat, round_wind, None)
    giver = table.pick([s for s in SEATS if s != seat])
    return WinningHand(text, "discard", seat, round_wind, giver)


SETS: Mapping[str, Callable[[Table], WinningHand]] = MappingProxyType(
    {"random": random_hand, "realistic": realistic_hand}
)


def make_hands(name: str, count: int, seed: int) -> tuple[WinningHand, ...]:
    """``count`` different hands of the set ``name`` (a key of :data:`SETS`).

    A longer list of the same seed begins with the shorter one.
    """
    table = Table(random.Random(f"{name} {seed}"))
    hands: dict[WinningHand, None] = {}
    while len(hands) < count:
        table.shuffle()
        hands[SETS[name](table)] = None
    return tuple(hands)
