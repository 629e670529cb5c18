"""Finds the arrangements of many hands at once, as columns of masks.

The same rows in the same order as `ruleengine.rows`, for all hands of a chunk together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.batch.columns import keys_of
from ruleengine.batch.tables import (
    HONOR_KEYS,
    LANE_OF,
    LANE_WIDTH,
    MOST_WAYS,
    POWERS,
    packed_suits,
    way_tables,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ruleengine.arrange import Shape
    from ruleengine.batch.columns import Hands

Column = Any


@dataclass(frozen=True, slots=True)
class Rows:
    """Arrangements, each a row: which hand it is of, and its facts as columns.

    Rows stand in any order; `order` sorts those of one hand as `rows.RowFinder.rows` does.
    """

    hand: NDArray[np.int32]
    facts: dict[str, Column]
    order: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.hand)


@dataclass(frozen=True, slots=True)
class _Found:
    """Rows of one shape before the winning tile's group is told: hands, lanes and sequences."""

    hand: NDArray[np.int32]
    lanes: tuple[NDArray[np.uint64], ...]
    runs: NDArray[np.uint8]
    shape: int
    loose: NDArray[np.uint64] | None
    split: NDArray[np.int32]


class ColumnRowFinder:
    """Finds rows for one list of shapes; `reads` are the facts that the judge reads."""

    def __init__(self, shapes: tuple[Shape, ...], reads: frozenset[str]) -> None:
        self.shapes = shapes
        self.reads = reads
        self.tells_all = bool(reads & {"won_s", "won_t", "won_p"})
        self.tells_open = "open_t" in reads
        self.lanes = tuple(name for name in LANE_OF if name in reads)
        if self.tells_all or self.tells_open:
            self.lanes = tuple(name for name in LANE_OF if name in {*reads, "s1", "t", "p1"})

    def rows(self, hands: Hands, self_drawn: bool) -> Rows:
        """All rows of the hands."""
        keys = keys_of(hands)
        found = [part for at, s in enumerate(self.shapes) for part in _of_shape(hands, keys, s, at)]
        parts = [part for part in found if len(part.hand)]
        columns = [self._facts(part, hands, self_drawn) for part in parts]
        if not columns:
            nothing = {name: np.zeros(0, dtype=np.uint64) for name in self._names()}
            return Rows(np.zeros(0, dtype=np.int32), nothing, np.zeros(0, dtype=np.int64))
        facts = _stacked(columns)
        return Rows(facts.pop("hand"), facts, facts.pop("order"))

    def _names(self) -> tuple[str, ...]:
        extra = [n for n in ("open_t", "won_s", "won_t", "won_p") if n in self.reads]
        return ("shape", "runs", *self.lanes, *extra)

    def _facts(self, part: _Found, hands: Hands, self_drawn: bool) -> dict[str, Column]:
        """The columns of one part, with a row for each group that the winning tile completed."""
        size = len(part.hand)
        base: dict[str, Column] = {
            "hand": part.hand,
            "shape": np.full(size, 1 << part.shape, dtype=np.uint64),
            "runs": part.runs,
        }
        base |= _lanes(part.lanes, self.lanes)
        if part.loose is not None and "n1" in base:
            base["n1"] = base["n1"] | part.loose
        order = (np.int64(part.shape) << 40) + (part.split.astype(np.int64) << 8)
        zero = np.zeros(size, dtype=np.uint64)
        base["order"] = order
        for name in ("open_t", "won_s", "won_t", "won_p"):
            if name in self.reads:
                base[name] = zero
        if not self.tells_all and (self_drawn or not self.tells_open):
            return base
        won = np.uint64(1) << hands.won[part.hand].astype(np.uint64)
        loose_won = zero != 0 if part.loose is None else (part.loose & won) != 0
        triplet = base["t"] & won
        run_masks = won | (won >> np.uint64(1)) | (won >> np.uint64(2))
        runs = base["s1"] & run_masks
        pair = base["p1"] & won
        if not self.tells_all:
            taken = triplet != 0
            other = (runs != 0) | (pair != 0) | loose_won | ~taken
            return _stacked(
                [
                    _picked(base, other, 0),
                    _picked({**base, "open_t": triplet}, taken, 4),
                ]
            )
        variants: list[dict[str, Column]] = [_picked(base, loose_won | (base["shape"] == 0), 0)]
        nothing = ~loose_won & (runs == 0) & (triplet == 0) & (pair == 0)
        variants.append(_picked(base, nothing, 0))
        for step, by in ((1, 2), (2, 1), (3, 0)):
            run = base["s1"] & (won >> np.uint64(by))
            variants.append(_picked({**base, "won_s": run}, run != 0, step))
        opened = zero if self_drawn else triplet
        won_t = {**base, "won_t": triplet, "open_t": opened}
        variants.append(_picked(won_t, triplet != 0, 4))
        variants.append(_picked({**base, "won_p": pair}, pair != 0, 5))
        return _stacked([{n: v[n] for n in base} for v in variants])


def _picked(facts: dict[str, Column], where: NDArray[np.bool_], step: int) -> dict[str, Column]:
    found = {name: column[where] for name, column in facts.items()}
    found["order"] = found["order"] + step
    return found


def _stacked(parts: list[dict[str, Column]]) -> dict[str, Column]:
    names = parts[0].keys()
    return {name: _joined([part[name] for part in parts if name in part]) for name in names}


def _joined(columns: list[Column]) -> Column:
    return columns[0] if len(columns) == 1 else np.concatenate(columns)


_WAY_SHIFT = MOST_WAYS.bit_length() - 1
_SUIT_AT = (np.uint64(0), np.uint64(9), np.uint64(18), np.uint64(27))


_RARE = tuple(name for name, at in LANE_OF.items() if at >= LANE_OF["s2"])
"""Lanes that are empty in most rows; they are the highest ones."""


def _lanes(
    words: tuple[NDArray[np.uint64], ...], names: tuple[str, ...]
) -> dict[str, NDArray[np.uint64]]:
    """Masks over all tiles, from the lanes of the four suits."""
    found = {name: _lane(words, name) for name in names if name not in _RARE}
    rare = [name for name in names if name in _RARE]
    if rare:
        high = (words[0] | words[1] | words[2] | words[3]) >> np.uint64(LANE_OF["s2"])
        some = np.flatnonzero(high)
        picked = tuple(word[some] for word in words)
        for name in rare:
            column = np.zeros(len(high), dtype=np.uint64)
            if len(some):
                column[some] = _lane(picked, name)
            found[name] = column
    return found


def _lane(words: tuple[NDArray[np.uint64], ...], name: str) -> NDArray[np.uint64]:
    at = np.uint64(LANE_OF[name])
    width = np.uint64((1 << LANE_WIDTH[name]) - 1)
    found = words[0] >> at & width
    for up, suit in zip(_SUIT_AT[1:], words[1:], strict=True):
        part = suit >> at
        part &= width
        part <<= up
        found |= part
    return found


def _of_shape(
    hands: Hands, keys: tuple[NDArray[np.int64], ...], shape: Shape, at: int
) -> Iterator[_Found]:
    rows = np.arange(len(hands), dtype=np.int32)
    if hands.melds is not None:
        fits = hands.melds <= shape.sets
        if not fits.all():
            rows = rows[fits]
            keys = tuple(key[fits] for key in keys)
    if not shape.listed:
        if len(rows):
            yield _split(rows, keys, shape, at, None)
        return
    if shape.sets == 0 and shape.pairs == 0:
        yield from _listed_alone(rows, keys, shape, at)
        return
    packed = [packed_suits()[key] for key in keys]
    for place, listed in enumerate(shape.listed):
        yield _with_listed(rows, keys, packed, shape, at, place, listed)


def _listed_alone(
    rows: NDArray[np.int32], keys: tuple[NDArray[np.int64], ...], shape: Shape, at: int
) -> Iterator[_Found]:
    """Rows of a shape that is nothing but listed tiles."""
    wanted = [_cut(listed) for listed in shape.listed]
    honors = np.zeros(HONOR_KEYS, dtype=bool)
    honors[[used[3] for used, _, _ in wanted]] = True
    some = np.flatnonzero(honors[keys[3]])
    if not len(some):
        return
    rows = rows[some]
    keys = tuple(key[some] for key in keys)
    for place, (used, _, loose) in enumerate(wanted):
        same = np.ones(len(rows), dtype=bool)
        for key, value in zip(keys, used, strict=True):
            same &= key == value
        size = int(same.sum())
        zero = np.zeros(size, dtype=np.uint64)
        yield _Found(
            rows[same], (zero,) * 4, np.zeros(size, np.uint8), at,
            np.full(size, loose, dtype=np.uint64), np.full(size, place << 16, dtype=np.int32),
        )  # fmt: skip


def _cut(listed: tuple[tuple[int, int], ...]) -> tuple[list[int], list[int], int]:
    """Listed tiles by suit, as keys and as packed counts, and as a mask."""
    used, needed, loose = [0, 0, 0, 0], [0, 0, 0, 0], 0
    for tile, copies in listed:
        suit = min(tile // 9, 3)
        used[suit] += copies * POWERS[tile - 9 * suit]
        needed[suit] += copies << (4 * (tile - 9 * suit))
        loose |= 1 << tile
    return used, needed, loose


def _with_listed(
    rows: NDArray[np.int32],
    keys: tuple[NDArray[np.int64], ...],
    packed: list[NDArray[np.uint64]],
    shape: Shape,
    at: int,
    place: int,
    listed: tuple[tuple[int, int], ...],
) -> _Found:
    """Rows of a shape with listed tiles, for one way to read the list."""
    high = np.uint64(sum(8 << (4 * n) for n in range(9)))
    used, needed, loose = _cut(listed)
    fits = np.ones(len(rows), dtype=bool)
    for column, need in zip(packed, needed, strict=True):
        if need:
            fits &= (((column | high) - np.uint64(need)) & high) == high
    rest = tuple(key[fits] - take for key, take in zip(keys, used, strict=True))
    rows = rows[fits]
    return _split(rows, rest, shape, at, loose, place)


def _split(
    rows: NDArray[np.int32],
    keys: tuple[NDArray[np.int64], ...],
    shape: Shape,
    at: int,
    loose: int | None,
    place: int = 0,
) -> _Found:
    """Every way to split the tiles in hand into the sets and pairs of a shape."""
    suited, honors = way_tables(shape.sets, shape.pairs)
    where: list[NDArray[np.int32]] = []
    for suit, table in enumerate((suited, suited, suited, honors)):
        column = table.where[keys[suit]]
        some = np.flatnonzero(column)
        if len(some) * 4 < len(rows) * 3:
            # Most hands are no hands of this shape: go on with the others alone.
            rows, column = rows[some], column[some]
            keys = tuple(key[some] for key in keys)
            where = [other[some] for other in where]
        where.append(column)
    counts = [column & (MOST_WAYS - 1) for column in where]
    many = counts[0] * counts[1] * counts[2] * counts[3]
    one = np.flatnonzero(many == 1)
    hand = one.astype(np.int32)
    nth = np.zeros(len(one), dtype=np.int32)
    ways = [column[one] >> _WAY_SHIFT for column in where]
    if many.max(initial=0) > 1:
        several = np.flatnonzero(many > 1).astype(np.int32)
        often = many[several]
        more = np.repeat(several, often)
        first = np.repeat(np.cumsum(often) - often, often)
        stride = more_nth = np.arange(len(more), dtype=np.int32) - first.astype(np.int32)
        for suit in (3, 2, 1, 0):
            # The last suit changes fastest, as in a product of the suits.
            count = counts[suit][more]
            way = (where[suit][more] >> _WAY_SHIFT) + stride % count
            ways[suit] = np.concatenate([ways[suit], way])
            stride = stride // count
        hand = np.concatenate([hand, more])
        nth = np.concatenate([nth, more_nth])
    m, p, s, z = ways
    meta = suited.meta[m] + suited.meta[p] + suited.meta[s] + honors.meta[z]
    fits = (meta & 15) == shape.pairs
    if not fits.all():
        m, p, s, z = m[fits], p[fits], s[fits], z[fits]
        meta, hand, nth = meta[fits], hand[fits], nth[fits]
    lanes = (suited.lanes[m], suited.lanes[p], suited.lanes[s], honors.lanes[z])
    listed = None if loose is None else np.full(len(hand), loose, dtype=np.uint64)
    runs = meta >> 4
    return _Found(rows[hand], lanes, runs, at, listed, nth + (place << 16))
