"""Every hand of a small game, with what each sentence says of it: how sentences stand to each other
without any proof.

The game has two sets and a pair, four pairs, or eight different tiles; its hands are laid out one
by one by the code that scores hands, and each is won in every way that can be.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.arrange import arrangements
from ruleengine.hand import Hand, Meld, Situation
from ruleengine.language.columns import ColumnProgram, Keys, base_five
from ruleengine.language.lower import WAY_BITS
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR
from ruleengine.weigh import scene_of
from tests.evaluators import facts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ruleengine.arrange import Arrangement
    from ruleengine.language.interpret import Scene
    from ruleengine.language.operations import Op

EVENTS = ("early", "late", "robbed")
TABLE = """
format: 1
id: small
name: Small
version: "1"
tiles:
  wall: {{"{tiles}": 4, "15f": 1}}
  flowers: {{E: "1f", S: "5f", W: "15f", N: "1f"}}
options:
  many: {{type: int, default: 2, max: 20}}
  allowed: {{type: bool, default: true}}
events:
  early: {{}}
  late: {{needs: not early}}
  robbed: {{needs: win by robbing_kong or count kongs = 1}}
terms:
  value: dragon | seat_wind
  near_win: winning_tile | 3m7p
  plain_hand: count sequences = 2 or shape is four_pairs
  kong_count: 2 * count kongs
shapes:
  basic: {{sets: 2, pairs: 1}}
  four_pairs: {{pairs: 4}}
  loose: {{tiles: {tiles}, choose: 8}}
settlement: {{win: [{{pays: points}}]}}
patterns:
"""
SHAPE_IDS = ("basic", "four_pairs", "loose")
WALLS = {"whole": "1234m789p125z", "small": "123m78p125z"}


@dataclass(frozen=True)
class SmallWorld:
    """All arrangements of all hands of a wall, as columns of facts: `drawn` where the winner drew
    the tile, `given` where another player gave it."""

    tiles: str

    @cached_property
    def table(self) -> str:
        """The ruleset without its patterns."""
        return TABLE.format(tiles=self.tiles)

    @cached_property
    def rules(self) -> Rules:
        """The ruleset with one pattern."""
        return Rules(read_ruleset_text(self.table + "  one: {points: 1, when: dealer}\n").data)

    def _hands(self) -> Iterator[Hand]:
        wall = {t: n for t, n in self.rules.data.wall.copies.items() if t < FIRST_FLOWER}
        seen: set[Hand] = set()
        sets: list[tuple[tuple[int, ...], Meld | None]] = []
        for tile in wall:
            run = (tile, tile + 1, tile + 2)
            if tile < FIRST_HONOR and tile % 9 < 7 and all(one in wall for one in run):
                sets += [(run, None), ((), Meld("sequence", tile, True))]
            sets += [((tile,) * 3, None), ((), Meld("triplet", tile, True))]
            sets += [((), Meld("kong", tile, claimed)) for claimed in (False, True)]
        whole = [
            ((*one[0], *other[0], pair, pair), tuple(m for m in (one[1], other[1]) if m))
            for one, other in itertools.combinations_with_replacement(sets, 2)
            for pair in wall
        ]
        whole += [(tiles * 2, ()) for tiles in itertools.combinations_with_replacement(wall, 4)]
        whole += [(tiles, ()) for tiles in itertools.combinations(wall, 8)]
        for standing, melds in whole:
            held = Counter([*standing, *(tile for meld in melds for tile in meld.tiles)])
            if any(copies > wall[tile] for tile, copies in held.items()):
                continue
            for won in set(standing):
                rest = list(standing)
                rest.remove(won)
                hand = Hand(tuple(sorted(rest)), melds, won)
                if hand not in seen:
                    seen.add(hand)
                    yield hand

    @cached_property
    def rows(self) -> Mapping[str, tuple[Mapping[str, Any], Any]]:
        """For `drawn` and `given`: the facts, and whether the winning tile is the only one."""
        rules = self.rules
        found: dict[str, tuple[Mapping[str, Any], Any]] = {}
        hands = list(self._hands())
        for name, by in (("drawn", "self_draw"), ("given", "discard")):
            rows: list[dict[str, int]] = []
            alone: list[bool] = []
            for hand in hands:
                scene = scene_of(rules, hand, Situation(by))
                held = scene.tiles.count(hand.winning_tile)
                waits = scene.waits()
                for one in arrangements(hand, rules.shapes, by == "self_draw"):
                    rows.append(facts_of(rules, _arranged(scene, one, waits)))
                    alone.append(held == 1)
            found[name] = (
                {n: _column([row[n] for row in rows], n) for n in rows[0]},
                np.array(alone),
            )
        return found

    def _situations(self, reads: frozenset[str]) -> Iterator[tuple[str, dict[str, int]]]:
        """Every situation that operations can tell apart, with the rows that it goes with."""
        seats = (1, 2, 4, 8) if reads & {"seat", "seat_flower", "winner"} else (1,)
        rounds = (1, 2, 4, 8) if "round" in reads else (1,)
        flowers = range(4) if "flowers" in reads else (0,)
        events = range(1 << len(EVENTS)) if "events" in reads else (0,)
        wall = self.rules.data.wall
        laid = [sum(1 << t for at, t in enumerate(_FLOWERS) if f >> at & 1) for f in flowers]
        for way, bit in WAY_BITS.items():
            for seat, round_, held, there in itertools.product(seats, rounds, laid, events):
                letter = "ESWN"[seat.bit_length() - 1]
                yield way, {
                    "way": bit, "seat": seat, "winner": seat, "round": round_, "flowers": held,
                    "events": there, "dora": 0, "seat_flower": wall.seat_flowers.get(letter, 0),
                }  # fmt: skip

    def differences(self, old: Op, new: Op) -> tuple[bool, bool]:
        """Whether the second of two operations is higher somewhere, and whether it is lower."""
        program = ColumnProgram((old, new))
        reads = program.facts
        gained = lost = False
        for way, situation in self._situations(reads):
            facts, alone = self.rows["drawn" if way == "self_draw" else "given"]
            there = self._can(way, situation["events"], facts, alone)
            worked = program.run({**facts, **situation})
            first, second = (np.asarray(worked[op]).astype(np.int64) for op in (old, new))
            gained |= bool((there & (second > first)).any())
            lost |= bool((there & (second < first)).any())
        return gained, lost

    def _can(self, way: str, events: int, facts: Mapping[str, Any], alone: Any) -> Any:
        """The rows that can be won in a way with some events, by what these need."""
        there = alone if way == "robbing_kong" else np.ones(len(alone), dtype=bool)
        held = {name for at, name in enumerate(EVENTS) if events >> at & 1}
        if {"early", "late"} <= held:
            return np.zeros(len(alone), dtype=bool)
        if "robbed" in held and way != "robbing_kong":
            kongs = np.bitwise_count(facts["kk"]) + np.bitwise_count(facts["kc"])
            there = there & (kongs == 1)
        return there


_FLOWERS = (FIRST_FLOWER, FIRST_FLOWER + 4)


def _arranged(scene: Scene, arrangement: Arrangement, waits: int) -> Scene:
    return replace(scene, arrangement=arrangement, waits=lambda: waits)


def _column(values: list[int], name: str) -> Any:
    if not name.startswith("packed"):
        return np.array(values, dtype=np.int32 if name in _NUMBERS else np.uint64)
    low = (1 << 36) - 1
    suits = tuple(
        np.array([base_five(v >> (36 * suit) & low) for v in values], dtype=np.int64)
        for suit in range(4)
    )
    return Keys(suits, _packed_by_key())


@cache
def _packed_by_key() -> Any:
    """The packed count of each suit of base five."""
    found = np.zeros(1, dtype=np.uint64)
    for place in range(9):
        steps = np.arange(5, dtype=np.uint64) << np.uint64(4 * place)
        found = (steps[:, None] + found[None, :]).ravel()
    return found


_NUMBERS = frozenset({"runs", "cn", "dora", "waits", "points"})


@cache
def small_world(name: str) -> SmallWorld:
    """The world of one of `WALLS`."""
    return SmallWorld(WALLS[name])
