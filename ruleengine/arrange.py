"""Every way to read a hand as one of a ruleset's shapes.

A hand is held as a packed count: four bits a tile, tile 0 lowest. Standing tiles are split
suit by suit through tables that are filled as suits come up; a table depends on nothing but
how many sets and pairs a shape may have, so it serves every hand.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from ruleengine.frozen import frozen
from ruleengine.tiles import FIRST_FLOWER, format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ruleengine.hand import Hand, Meld

GroupKind = Literal["sequence", "triplet", "kong", "pair"]
GroupStatus = Literal["concealed", "claimed", "completed"]

SUIT_BITS = 36
SUIT_MASK = (1 << SUIT_BITS) - 1
UNIT: tuple[int, ...] = tuple(1 << (4 * tile) for tile in range(FIRST_FLOWER))
"""One of each tile of a shape, as a packed count."""


@dataclass(frozen=True, slots=True)
class Group:
    """A set or a pair of an arrangement; `tile` is its lowest tile.

    `completed` is the status of a triplet that another's tile completed at the win: it is
    neither concealed nor claimed.
    """

    kind: GroupKind
    tile: int
    status: GroupStatus = "concealed"

    @property
    def tiles(self) -> tuple[int, ...]:
        """The tiles of the group, all four of a kong."""
        if self.kind == "sequence":
            return (self.tile, self.tile + 1, self.tile + 2)
        return (self.tile,) * {"pair": 2, "triplet": 3, "kong": 4}[self.kind]

    def __str__(self) -> str:
        text = format_tiles(self.tiles)
        if self.status == "claimed":
            return f"[{text}]"
        return f"({text})" if self.kind == "kong" else text


@dataclass(frozen=True, slots=True)
class Arrangement:
    """One reading of a winning hand: its shape, its groups, and the tiles outside groups.

    Groups stand in printing order: standing sets, melds as written, pairs. `winning_group` is
    the place in `groups` of the one that the winning tile completed, None where the tile
    stands outside groups.
    """

    shape: str
    groups: tuple[Group, ...]
    loose: tuple[int, ...] = ()
    winning_group: int | None = None

    def __str__(self) -> str:
        parts = [format_tiles(self.loose)] if self.loose else []
        return " ".join(parts + [str(group) for group in self.groups])


@frozen
class Shape:
    """A shape of winning hands.

    `sets` and `pairs` are counted; `listed` are further tiles, each a list of (tile, copies)
    that the hand must hold outside its sets and pairs: one list for each way to read a list
    with suit letters or with a doubled tile.
    """

    id: str
    sets: int = 0
    pairs: int = 0
    listed: tuple[tuple[tuple[int, int], ...], ...] = ()

    @property
    def size(self) -> int:
        """How many tiles a hand of this shape has, a kong counted as three."""
        extra = sum(copies for _, copies in self.listed[0]) if self.listed else 0
        return 3 * self.sets + 2 * self.pairs + extra


class Way(NamedTuple):
    """One way to split the tiles of a suit, as masks over all tiles.

    `s1`..`s4` hold the lowest tiles of the sequences that occur at least once, twice, ...;
    `triplets` and `pairs1`, `pairs2` likewise.
    """

    sets: int
    pairs: int
    s1: int
    s2: int
    s3: int
    s4: int
    triplets: int
    pairs1: int
    pairs2: int

    @property
    def groups(self) -> tuple[tuple[GroupKind, int], ...]:
        """The groups as kind and lowest tile: sets, then pairs; low before high, and at one
        tile sequences before triplets."""
        sets = [(tile, 0) for mask in self[2:6] for tile in bits(mask)]
        sets += [(tile, 1) for tile in bits(self.triplets)]
        pairs = sorted([tile for mask in self[7:] for tile in bits(mask)])
        return (
            *[(_SET_KINDS[kind], tile) for tile, kind in sorted(sets)],
            *[("pair", tile) for tile in pairs],
        )


_SET_KINDS: tuple[GroupKind, GroupKind] = ("sequence", "triplet")


def bits(mask: int) -> list[int]:
    """The tiles of a mask, low before high."""
    found: list[int] = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


class SuitTable:
    """All ways to split each suit into at most so many sets and pairs.

    Filled as suits come up; after `FEW` of them the whole table of suits is filled at once,
    where it is not too large. Two threads that fill the same entry write the same value.
    """

    FEW = 200
    MOST = 100_000

    def __init__(self, sets: int, pairs: int) -> None:
        self.sets = sets
        self.pairs = pairs
        self._suited: dict[int, tuple[Way, ...]] = {}
        self._honors: dict[int, tuple[Way, ...]] = {}
        self._whole = False
        self._fillable = math.comb(16 + sets, sets) * math.comb(9 + pairs, pairs) <= self.MOST

    def split(self, suit: int, code: int) -> tuple[Way, ...]:
        """The ways to split one suit (3 = honors), `code` being its packed count."""
        found = self.ways(code, honors=suit == 3)
        if not suit or not found:
            return found
        up = 9 * suit
        return tuple([Way(w[0], w[1], *[mask << up for mask in w[2:]]) for w in found])

    def ways(self, code: int, *, honors: bool) -> tuple[Way, ...]:
        """The ways to split a suit of numbered tiles, or honors, as if it were characters."""
        table = self._honors if honors else self._suited
        found = table.get(code)
        if found is None:
            if not honors and self._whole:
                return ()
            if not honors and self._fillable and len(table) >= self.FEW:
                self._fill()
                return self.ways(code, honors=False)
            found = tuple(_splits(code, not honors, self.sets, self.pairs))
            table[code] = found
        return found

    def whole(self) -> tuple[dict[int, tuple[Way, ...]], dict[int, tuple[Way, ...]]]:
        """The ways to split every suit of numbered tiles (as characters) and all honors (as if
        they were characters) that can be split, by packed count."""
        if not self._whole:
            self._fill()
        return self._suited, self._every(7, runs=False)

    def _fill(self) -> None:
        self._suited = self._every(9, runs=True)
        self._whole = True

    def _every(self, places: int, *, runs: bool) -> dict[int, tuple[Way, ...]]:
        """Each list of groups in order, low before high and sequences before triplets before
        pairs, which is the order in which `_splits` finds them."""
        found: dict[int, list[Way]] = {}
        steps: list[tuple[int, int, int]] = []
        for place in range(places):
            if runs and place <= 6:
                steps.append((0, 1 << place, 0x111 << (4 * place)))
            steps.append((1, 1 << place, 3 << (4 * place)))
            steps.append((2, 1 << place, 2 << (4 * place)))
        five = sum(3 << (4 * place) for place in range(9))
        high = sum(8 << (4 * place) for place in range(9))

        def add(first: int, code: int, way: Way) -> None:
            found.setdefault(code, []).append(way)
            sets, pairs, s1, s2, s3, s4, t, p1, p2 = way
            for at in range(first, len(steps)):
                kind, bit, used = steps[at]
                more = code + used
                if (more + five) & high:
                    continue
                if kind == 2:
                    if pairs < self.pairs:
                        after = Way(sets, pairs + 1, s1, s2, s3, s4, t, p1 | bit, p2 | (p1 & bit))
                        add(at, more, after)
                elif sets == self.sets:
                    continue
                elif kind == 1:
                    if not t & bit:
                        add(at, more, Way(sets + 1, pairs, s1, s2, s3, s4, t | bit, p1, p2))
                else:
                    after = Way(
                        sets + 1, pairs, s1 | bit, s2 | (s1 & bit), s3 | (s2 & bit),
                        s4 | (s3 & bit), t, p1, p2,
                    )  # fmt: skip
                    add(at, more, after)

        add(0, 0, Way(0, 0, 0, 0, 0, 0, 0, 0, 0))
        return {code: tuple(ways) for code, ways in found.items()}


def _splits(code: int, runs: bool, max_sets: int, max_pairs: int) -> list[Way]:
    """Every way to use a suit up, its masks those of characters.

    Works up from the lowest tile that is left, which is the lowest of a sequence, or of a
    triplet, or of a pair; the three are tried in that order, so that no way is found twice.
    """
    found: list[Way] = []
    size = 0
    rest = code
    while rest:
        size += rest & 15
        rest >>= 4
    if not any(size - 2 * pairs in range(0, 3 * max_sets + 1, 3) for pairs in range(max_pairs + 1)):
        return found

    def use(
        code: int, place: int, stage: int, sets: int, pairs: int,
        s1: int, s2: int, s3: int, s4: int, t: int, p1: int, p2: int,
    ) -> None:  # fmt: skip
        if not code:
            found.append(Way(sets, pairs, s1, s2, s3, s4, t, p1, p2))
            return
        if not code & 15:
            up = ((code & -code).bit_length() - 1) >> 2
            code >>= 4 * up
            place += up
            stage = 0
        held = code & 15
        bit = 1 << place
        if sets < max_sets:
            if stage == 0 and runs and code & 0xF0 and code & 0xF00:
                use(
                    code - 0x111, place, 0, sets + 1, pairs,
                    s1 | bit, s2 | (s1 & bit), s3 | (s2 & bit), s4 | (s3 & bit), t, p1, p2,
                )  # fmt: skip
            if held >= 3 and not t & bit:
                use(
                    code - 3, place, 1, sets + 1, pairs,
                    s1, s2, s3, s4, t | bit, p1, p2,
                )  # fmt: skip
        if held >= 2 and pairs < max_pairs:
            use(
                code - 2, place, 2, sets, pairs + 1,
                s1, s2, s3, s4, t, p1 | bit, p2 | (p1 & bit),
            )  # fmt: skip

    use(code, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return found


def layers(tiles: Iterable[int], depth: int) -> list[int]:
    """Masks of the tiles that occur at least once, at least twice, ..., `depth` of them."""
    masks = [0] * depth
    for tile in tiles:
        bit = 1 << tile
        for layer in range(depth - 1, 0, -1):
            masks[layer] |= masks[layer - 1] & bit
        masks[0] |= bit
    return masks


@cache
def suit_table(sets: int, pairs: int) -> SuitTable:
    """The table for shapes with so many sets and pairs; one for the whole process."""
    return SuitTable(sets, pairs)


def pack(tiles: Iterable[int]) -> int:
    """Tiles as a packed count."""
    return sum(UNIT[tile] for tile in tiles)


class Split(NamedTuple):
    """One way to split the standing tiles of a hand into a shape."""

    shape: int
    loose: tuple[tuple[int, int], ...]
    ways: tuple[Way, ...]


def splits(shapes: tuple[Shape, ...], code: int, melds: int) -> list[Split]:
    """Every way to split the standing tiles (a packed count) into one of the shapes.

    `melds` is the number of sets already laid open. In the order of the shapes, then of the
    suits m, p, s, honors; within a suit sequences come before triplets, low before high.
    """
    found: list[Split] = []
    for index, shape in enumerate(shapes):
        sets = shape.sets - melds
        if sets < 0:
            continue
        if not shape.listed:
            found += [Split(index, (), ways) for ways in _suit_ways(shape, code, sets)]
            continue
        for listed in shape.listed:
            rest = _without(code, listed)
            if rest is not None:
                found += [Split(index, listed, ways) for ways in _suit_ways(shape, rest, sets)]
    return found


def _suit_ways(shape: Shape, code: int, sets: int) -> Iterator[tuple[Way, ...]]:
    table = suit_table(shape.sets, shape.pairs)
    by_suit = [table.split(suit, (code >> (SUIT_BITS * suit)) & SUIT_MASK) for suit in range(4)]
    for ways in itertools.product(*by_suit):
        if sum(way.sets for way in ways) == sets and sum(way.pairs for way in ways) == shape.pairs:
            yield ways


def _without(code: int, listed: tuple[tuple[int, int], ...]) -> int | None:
    for tile, copies in listed:
        if (code >> (4 * tile)) & 15 < copies:
            return None
        code -= copies << (4 * tile)
    return code


def arrangements(hand: Hand, shapes: tuple[Shape, ...], by_self_draw: bool) -> list[Arrangement]:
    """Every arrangement of a complete hand.

    The winning tile may have completed any standing group that holds it, so there is one
    arrangement for each such group; equal ones stand once.
    """
    assert hand.winning_tile is not None
    code = pack((*hand.standing, hand.winning_tile))
    found: dict[Arrangement, None] = {}
    for split in splits(shapes, code, len(hand.melds)):
        for arrangement in _completions(split, hand, shapes, by_self_draw):
            found.setdefault(arrangement)
    return list(found)


def _completions(
    split: Split, hand: Hand, shapes: tuple[Shape, ...], by_self_draw: bool
) -> Iterator[Arrangement]:
    standing = [Group(kind, tile) for way in split.ways for kind, tile in way.groups]
    sets = [group for group in standing if group.kind != "pair"]
    pairs = [group for group in standing if group.kind == "pair"]
    groups = (*sets, *map(meld_group, hand.melds), *pairs)
    shape = shapes[split.shape].id
    loose = tuple(tile for tile, copies in split.loose for _ in range(copies))
    open_to_win = [*range(len(sets)), *range(len(groups) - len(pairs), len(groups))]
    if hand.winning_tile in loose:
        yield Arrangement(shape, groups, loose)
    seen: set[Group] = set()
    for place in open_to_win:
        group = groups[place]
        if hand.winning_tile not in group.tiles or group in seen:
            continue
        seen.add(group)
        won = list(groups)
        if group.kind == "triplet" and not by_self_draw:
            won[place] = Group("triplet", group.tile, "completed")
        yield Arrangement(shape, tuple(won), loose, place)


def meld_group(meld: Meld) -> Group:
    """A meld as a group of an arrangement."""
    return Group(meld.kind, meld.tile, "claimed" if meld.claimed else "concealed")
