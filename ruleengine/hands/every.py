"""Every different winning hand of a list of shapes, by its place in a fixed order.

A hand here is a set of tiles without melds; it stands once, however many shapes it fits and in
however many ways. No hand is stored and none is searched for: the tiles of one suit fall into
*classes*, those that make the same numbers of sets and pairs (and hold the same listed tiles of
the shapes). Which four classes together win is a short list of *blocks*, and the hands of a block
are all choices of a key from each of its classes.

The order: blocks stand in the order of their classes, characters first, then dots, bamboo and
honors; classes in the order of their lowest keys; within a block the honors change fastest, then
bamboo, dots and characters, each in the order of the keys. It depends on nothing but the shapes
and the wall.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ruleengine.batch.columns import KEY_BITS, Hands
from ruleengine.batch.tables import POWERS
from ruleengine.hands.suits import (
    SUITS,
    blocks,
    copies_of,
    first_of,
    in_wall,
    kinds_table,
    places_of,
    ways_table,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ruleengine.arrange import Shape

CHUNK = 1 << 16
"""Hands that are given together."""

Part = tuple[int, int, int, int]
"""What the tiles of a suit can be: a shape, the key of the listed tiles among them, and how many
sets and pairs the others make."""

State = frozenset[tuple[int, tuple[int, ...], int, int]]
"""What the suits so far can be together, likewise, with the listed tiles of each suit."""


@dataclass(frozen=True, slots=True)
class _Classes:
    """The classes of one suit: what each can be, and its keys one class after the other."""

    parts: tuple[tuple[Part, ...], ...]
    keys: NDArray[np.int64]
    starts: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many keys each class has."""
        sizes: NDArray[np.int64] = np.diff(self.starts)
        return sizes


class EveryHand:
    """All different winning hands of some shapes that a wall has the tiles for.

    `len` is how many there are; a hand is known by its place, from 0. Immutable.
    """

    def __init__(self, shapes: Sequence[Shape], wall: Mapping[int, int]) -> None:
        self.shapes = tuple(shapes)
        self.wall = dict(wall)
        self._classes = [_classes_of(self.shapes, self.wall, suit) for suit in range(SUITS)]
        self._blocks = np.array(self._winning_blocks(), dtype=np.int64).reshape(-1, SUITS)
        sizes = self._of_blocks([each.sizes for each in self._classes])
        counts = [int(number) for number in np.prod(sizes, axis=1)]
        self._starts = _running(counts)
        self._sizes = sizes

    def __len__(self) -> int:
        return int(self._starts[-1])

    def at(self, places: NDArray[np.int64]) -> Hands:
        """The hands at some places, in their order; the lowest tile of each is said to win.

        Raises `IndexError` for a place that there is not.
        """
        if len(places) and (places.min() < 0 or places.max() >= len(self)):
            raise IndexError(f"there are {len(self):,} hands, the first at place 0")
        block = np.searchsorted(self._starts, places, side="right") - 1
        rest = places - self._starts[block]
        chosen: list[NDArray[np.int64]] = []
        for suit in reversed(range(SUITS)):
            size = self._sizes[block, suit]
            rest, nth = np.divmod(rest, size)
            classes = self._classes[suit]
            chosen.append(classes.keys[classes.starts[self._blocks[block, suit]] + nth])
        return hands_of_keys(*reversed(chosen))

    def chunks(
        self, size: int = CHUNK, start: int = 0, stop: int | None = None
    ) -> Iterator[tuple[int, Hands]]:
        """All hands from place `start` to before `stop`, with the place of the first of each
        chunk."""
        end = len(self) if stop is None else min(stop, len(self))
        for first in range(start, end, size):
            yield first, self.at(np.arange(first, min(first + size, end), dtype=np.int64))

    def lowest_first(self, most: int) -> Iterator[Hands]:
        """The hands in the order of their tiles, the lowest first: those with the same characters
        together. Ends before more than `most` would have to be given together."""
        first, *others = self._classes
        of_key = np.repeat(np.arange(len(first.sizes)), first.sizes)
        for at in np.argsort(-falling(first.keys, 0), kind="stable").tolist():
            blocks_of_key = np.flatnonzero(self._blocks[:, 0] == of_key[at])
            if int(np.prod(self._sizes[blocks_of_key, 1:], axis=1).sum()) > most:
                return
            parts = []
            for block in self._blocks[blocks_of_key, 1:].tolist():
                keys = [
                    each.keys[each.starts[number] : each.starts[number + 1]]
                    for each, number in zip(others, block, strict=True)
                ]
                parts.append(np.stack([x.reshape(-1) for x in np.meshgrid(*keys)]))
            if not parts:
                continue
            rest = np.concatenate(parts, axis=1)
            order = np.lexsort([-falling(rest[suit], suit + 1) for suit in (2, 1, 0)])
            rest = rest[:, order]
            yield hands_of_keys(np.full(rest.shape[1], first.keys[at]), *rest)

    # ---- by chance ---------------------------------------------------------------------

    def sample(self, number: int, seed: int, *, weighted: bool = False) -> Hands:
        """So many hands by chance, the same for the same seed; a hand may come up again.

        Each hand is as likely as any other, or, when `weighted`, as there are ways to draw it
        from the wall.
        """
        if not len(self):
            raise IndexError("there is no winning hand")
        if not weighted:
            return self.at(_below(len(self), number, seed))
        return self._drawn(number, seed)

    def _drawn(self, number: int, seed: int) -> Hands:
        """A place among all ways to draw a winning hand is a block, and in each suit a key."""
        tables = [ways_table(copies_of(self.wall, suit)) for suit in range(SUITS)]
        ways = [t[each.keys] for t, each in zip(tables, self._classes, strict=True)]
        sums = [_running(column.tolist()) for column in ways]
        totals = [
            each[classes.starts[1:]] - each[classes.starts[:-1]]
            for each, classes in zip(sums, self._classes, strict=True)
        ]
        of_blocks = self._of_blocks(totals)
        starts = _running(_products(of_blocks))
        places = _below(int(starts[-1]), number, seed)
        block = np.searchsorted(starts, places, side="right") - 1
        rest = places - starts[block]
        chosen: list[NDArray[np.int64]] = []
        for suit in reversed(range(SUITS)):
            rest, way = np.divmod(rest, of_blocks[block, suit])
            classes = self._classes[suit]
            first = classes.starts[self._blocks[block, suit]]
            at = np.searchsorted(sums[suit], sums[suit][first] + way, side="right") - 1
            chosen.append(classes.keys[at])
        return hands_of_keys(*reversed(chosen))

    @property
    def ways(self) -> int:
        """In how many ways a winning hand can be drawn from the wall."""
        sums: list[NDArray[np.int64]] = []
        for suit, classes in enumerate(self._classes):
            running = _running(ways_table(copies_of(self.wall, suit))[classes.keys].tolist())
            sums.append(running[classes.starts[1:]] - running[classes.starts[:-1]])
        return sum(_products(self._of_blocks(sums)))

    def _of_blocks(self, columns: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
        """What is known of each class, for the four classes of each block."""
        return np.stack(
            [column[self._blocks[:, suit]] for suit, column in enumerate(columns)], axis=1
        )

    # ---- which classes win together ----------------------------------------------------

    def _winning_blocks(self) -> list[tuple[int, ...]]:
        prefixes = [
            [{listed[: suit + 1] for listed in _listed_keys(shape)} for shape in self.shapes]
            for suit in range(SUITS)
        ]
        steps: dict[tuple[int, State], list[tuple[int, State]]] = {}
        alive: dict[tuple[int, State], bool] = {}

        def after(suit: int, state: State) -> list[tuple[int, State]]:
            """The classes of a suit that can follow, each with what is then possible."""
            found = steps.get((suit, state))
            if found is None:
                found = []
                for at, parts in enumerate(self._classes[suit].parts):
                    state_then = self._joined(state, parts, prefixes[suit])
                    if state_then and leads(suit + 1, state_then):
                        found.append((at, state_then))
                steps[suit, state] = found
            return found

        def leads(suit: int, state: State) -> bool:
            """Whether a state becomes a winning hand."""
            known = alive.get((suit, state))
            if known is None:
                known = self._wins(state) if suit == SUITS else bool(after(suit, state))
                alive[suit, state] = known
            return known

        nothing: State = frozenset((at, (), 0, 0) for at in range(len(self.shapes)))
        found: list[tuple[int, ...]] = []
        pending: list[tuple[tuple[int, ...], State]] = [((), nothing)]
        while pending:
            block, state = pending.pop()
            if len(block) == SUITS:
                found.append(block)
                continue
            following = after(len(block), state)
            pending += [((*block, at), then) for at, then in reversed(following)]
        return found

    def _joined(
        self, state: State, parts: tuple[Part, ...], prefixes: list[set[tuple[int, ...]]]
    ) -> State:
        """What the suits so far and one more can be together."""
        by_shape: dict[int, list[Part]] = {}
        for part in parts:
            by_shape.setdefault(part[0], []).append(part)
        found: set[tuple[int, tuple[int, ...], int, int]] = set()
        for shape, listed, sets, pairs in state:
            for _, key, more_sets, more_pairs in by_shape.get(shape, ()):
                both = (*listed, key)
                enough = self.shapes[shape]
                if (
                    sets + more_sets <= enough.sets
                    and pairs + more_pairs <= enough.pairs
                    and both in prefixes[shape]
                ):
                    found.add((shape, both, sets + more_sets, pairs + more_pairs))
        return frozenset(found)

    def _wins(self, state: State) -> bool:
        return any(
            sets == self.shapes[shape].sets and pairs == self.shapes[shape].pairs
            for shape, _, sets, pairs in state
        )


def _listed_keys(shape: Shape) -> list[tuple[int, ...]]:
    """The listed tiles of a shape as keys by suit, for each way to read them."""
    found = []
    for listed in shape.listed or ((),):
        keys = [0] * SUITS
        for tile, copies in listed:
            suit = min(tile // 9, SUITS - 1)
            keys[suit] += copies * POWERS[tile - first_of(suit)]
        found.append(tuple(keys))
    return found


def _classes_of(shapes: Sequence[Shape], wall: Mapping[int, int], suit: int) -> _Classes:
    """The keys of a suit that can be a part of some shape, in classes."""
    copies = copies_of(wall, suit)
    parts: list[Part] = []
    members: list[NDArray[np.int64]] = []
    for at, shape in enumerate(shapes):
        made = blocks(shape.sets, shape.pairs, suit == SUITS - 1)
        for listed in sorted({keys[suit] for keys in _listed_keys(shape)}):
            for (sets, pairs), keys in made.items():
                whole = keys[in_wall(keys, _left(copies, listed))] + listed
                if len(whole):
                    parts.append((at, listed, sets, pairs))
                    members.append(whole)
    keys = np.unique(np.concatenate(members)) if members else np.zeros(0, dtype=np.int64)
    holds = np.zeros((len(keys), len(parts)), dtype=bool)
    for column, whole in enumerate(members):
        holds[np.searchsorted(keys, whole), column] = True
    packed = np.packbits(holds, axis=1)
    _, first, of_key = np.unique(packed, axis=0, return_index=True, return_inverse=True)
    # Numbered by their lowest keys, whatever their bits are.
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    number = rank[of_key.reshape(-1)]
    order = np.argsort(number, kind="stable")
    kept = [
        tuple(parts[column] for column in np.flatnonzero(holds[at]).tolist())
        for at in np.sort(first).tolist()
    ]
    starts = _running(np.bincount(number, minlength=len(first)).tolist())
    return _Classes(tuple(kept), keys[order], starts)


def _left(copies: tuple[int, ...], listed: int) -> tuple[int, ...]:
    """How many of each tile a wall has left; less than none where it lacks some."""
    return tuple(there - listed // POWERS[place] % 5 for place, there in enumerate(copies))


def hands_of_keys(
    characters: NDArray[np.int64],
    dots: NDArray[np.int64],
    bamboo: NDArray[np.int64],
    honors: NDArray[np.int64],
) -> Hands:
    """Hands from the keys of their suits; the lowest tile of each is said to win."""
    suited = characters | dots << KEY_BITS | bamboo << (2 * KEY_BITS)
    hands = Hands(suited.astype(np.uint64), honors.astype(np.uint32), np.zeros(0, np.uint8))
    kinds = _kinds((characters, dots, bamboo, honors))
    lowest = np.bitwise_count((kinds & (~kinds + np.uint64(1))) - np.uint64(1))
    return Hands(hands.suited, hands.honors, lowest.astype(np.uint8))


def falling(keys: NDArray[np.int64], suit: int) -> NDArray[np.int64]:
    """The keys of a suit as numbers that are greater the lower its tiles are: that of the most of
    the lowest tile is the greatest."""
    places = places_of(suit)
    found = np.zeros(len(keys), dtype=np.int64)
    for place in range(places):
        found += keys // POWERS[place] % 5 * POWERS[places - 1 - place]
    return found


def _kinds(keys: Sequence[NDArray[np.int64]]) -> NDArray[np.uint64]:
    """The different tiles of hands as masks, from the keys of their suits."""
    found = np.zeros(len(keys[0]), dtype=np.uint64)
    for suit, column in enumerate(keys):
        found |= kinds_table(places_of(suit))[column] << np.uint64(first_of(suit))
    return found


def kinds_of(hands: Hands) -> NDArray[np.uint64]:
    """The different tiles of hands as masks."""
    from ruleengine.batch.columns import keys_of

    return _kinds(keys_of(hands))


def _products(table: NDArray[np.int64]) -> list[int]:
    """The product of each row, exact however large."""
    found = []
    for row in table.tolist():
        product = 1
        for number in row:
            product *= number
        found.append(product)
    return found


def _running(numbers: Sequence[int]) -> NDArray[np.int64]:
    """Where each of some runs starts, and where the last one ends.

    Raises `OverflowError` where 64 bits cannot say it.
    """
    found = [0]
    for number in numbers:
        found.append(found[-1] + int(number))
    return np.array(found, dtype=np.int64)


def _below(limit: int, number: int, seed: int) -> NDArray[np.int64]:
    """Whole numbers below a limit by chance, each as likely; the same for the same seed.

    From the bits of the generator, which stay the same from version to version.
    """
    bits = np.random.PCG64(seed)
    fair = (1 << 64) - (1 << 64) % limit - 1
    found = np.zeros(0, dtype=np.uint64)
    while len(found) < number:
        drawn = np.asarray(bits.random_raw(number - len(found)), dtype=np.uint64)
        found = np.concatenate([found, drawn[drawn <= np.uint64(fair)] % np.uint64(limit)])
    return found.astype(np.int64)
