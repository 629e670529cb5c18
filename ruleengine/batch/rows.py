"""Finds the arrangements of many hands at once, as columns of masks.

The same rows in the same order as `ruleengine.rows`, for all hands of a chunk together, one shape
after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.batch.columns import keys_of
from ruleengine.batch.tables import (
    HONOR_KEYS,
    PAIR_OF_LANES,
    POWERS,
    RARE,
    UPPER,
    Ids,
    ids_of,
    packed_suits,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ruleengine.arrange import Shape
    from ruleengine.batch.columns import Hands
    from ruleengine.batch.tables import Plan, Ways

Column = Any

SHAPE_AT = 40
LISTED_AT = 24
SPLIT_AT = 8
"""Where the parts of `Rows.order` begin: the shape, the list that was read, the way to split the
tiles; below them stands the group that the winning tile completed."""

TRIPLET_STEP = 4
"""The step of a triplet that the winning tile completed."""

PACKED = ("packed_hand", "packed_before", "packed_all")
"""Facts that are not columns of masks."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Arrangements of one shape, each a row: which hand it is of, and its facts as columns.

    Rows of one hand stand together where `sorted`; `order` sorts them as `rows.RowFinder.rows`
    does. With `whole` there is exactly one row for every hand, in their order.
    """

    shape: int
    hand: NDArray[np.intp]
    facts: dict[str, Column]
    order: NDArray[np.int64]
    whole: bool = False

    def __len__(self) -> int:
        return len(self.hand)


@dataclass(frozen=True, slots=True)
class _Found:
    """Rows before the winning tile's group is told: hands, ways of the four suits, what they come
    to, and where among the rows of a hand they stand."""

    hand: NDArray[np.intp]
    ways: tuple[NDArray[np.int32], ...] | None
    meta: NDArray[np.uint8] | None
    loose: NDArray[np.uint64] | None
    split: NDArray[np.int64] | int
    whole: bool = False


class ColumnRowFinder:
    """Finds rows for one list of shapes; `reads` are the facts that the judge reads."""

    def __init__(self, shapes: tuple[Shape, ...], reads: frozenset[str]) -> None:
        self.shapes = shapes
        self.reads = reads
        self.tells_all = bool(reads & {"won_s", "won_t", "won_p"})
        self.tells_open = "open_t" in reads
        self.needed = set(reads)
        if self.tells_all or self.tells_open:
            self.needed |= {"s1", "t", "p1"}
        plans = dict.fromkeys((s.sets, s.pairs) for s in shapes if s.sets or s.pairs)
        self.ids = ids_of(tuple(plans)) if plans else None
        self.plan_bits = {plan: np.uint16(1 << at) for at, plan in enumerate(plans)}
        self.alone = {at: ListedAlone(s) for at, s in enumerate(shapes) if not (s.sets or s.pairs)}

    def fixed_facts(self, place: int, self_drawn: bool) -> dict[str, int]:
        """Facts that are the same for all rows of a shape."""
        shape = self.shapes[place]
        fixed = {"shape": 1 << place}
        none = ["s1", "s2", "s3", "s4", "t"][shape.sets :] if shape.sets < 4 else []
        if not shape.sets:
            none = ["s1", "s2", "s3", "s4", "t", "runs", "open_t", "won_s", "won_t"]
        if shape.pairs < 2:
            none += ["p2"] if shape.pairs else ["p1", "p2", "won_p"]
        if self_drawn:
            none.append("open_t")
        return fixed | dict.fromkeys(_nothing_held(none, shape.sets), 0)

    def rows(self, hands: Hands, self_drawn: bool | NDArray[np.bool_]) -> list[Rows]:
        """The rows of the hands, shape by shape; shapes that no hand has are left out.

        `self_drawn` says how they were won, each by itself where not all are alike.
        """
        keys = keys_of(hands)
        found: list[Rows] = []
        can: NDArray[np.uint16] | None = None
        ids: tuple[NDArray[np.intp], ...] = ()
        if self.ids is not None:
            ids = self.ids_of_keys(keys)
            suited, honors = self.ids.can
            can = suited.take(ids[0])
            for suit in ids[1:3]:
                can &= suited.take(suit)
            can &= honors.take(ids[3])
        for place, shape in enumerate(self.shapes):
            fits = None if hands.melds is None else hands.melds <= shape.sets
            if place in self.alone:
                part = self.alone[place].find(keys, fits)
            elif shape.listed:
                part = self._with_listed(keys, fits, shape)
            else:
                assert can is not None
                part = self._grouped(ids, can, fits, shape)
            if part is not None and len(part.hand):
                found.append(self._facts(part, hands, place, self_drawn))
        return found

    def of_shape(
        self, keys: tuple[NDArray[np.int64], ...], fits: NDArray[np.bool_] | None, place: int
    ) -> NDArray[np.intp] | None:
        """The hands that have a row of a shape with listed tiles, by the keys of their tiles."""
        shape = self.shapes[place]
        alone = self.alone.get(place)
        found = (
            alone.find(keys, fits) if alone is not None else self._with_listed(keys, fits, shape)
        )
        return None if found is None else found.hand

    def ids_of_keys(self, keys: tuple[NDArray[np.int64], ...]) -> tuple[NDArray[np.intp], ...]:
        assert self.ids is not None
        tables = (self.ids.suited, self.ids.suited, self.ids.suited, self.ids.honors)
        return tuple(
            table.take(key).astype(np.intp) for table, key in zip(tables, keys, strict=True)
        )

    def ways_of(self, shape: Shape) -> tuple[Ways, Ways]:
        assert self.ids is not None
        return self.ids.ways[shape.sets, shape.pairs]

    # ---- splitting ------------------------------------------------------------------

    def _grouped(
        self,
        ids: tuple[NDArray[np.intp], ...],
        can: NDArray[np.uint16],
        fits: NDArray[np.bool_] | None,
        shape: Shape,
    ) -> _Found | None:
        """Rows of a shape that is nothing but sets and pairs."""
        splits = (can & self.plan_bits[shape.sets, shape.pairs]) != 0
        if fits is not None:
            splits &= fits
        rows: NDArray[np.intp] | None = None
        if not splits.all():
            rows = np.flatnonzero(splits)
            if not len(rows):
                return None
            ids = tuple(suit.take(rows) for suit in ids)
        return _split(rows, ids, self.ways_of(shape), shape, None, 0)

    def _with_listed(
        self,
        keys: tuple[NDArray[np.int64], ...],
        fits: NDArray[np.bool_] | None,
        shape: Shape,
    ) -> _Found | None:
        """Rows of a shape with listed tiles besides its sets and pairs."""
        parts: list[_Found] = []
        packed = [packed_suits().take(key) for key in keys]
        for place, listed in enumerate(shape.listed):
            used, needed, loose = cut_listed(listed)
            holds = np.ones(len(keys[0]), dtype=bool) if fits is None else fits.copy()
            for column, need in zip(packed, needed, strict=True):
                if need:
                    holds &= (((column | _HIGH) - np.uint64(need)) & _HIGH) == _HIGH
            rows = np.flatnonzero(holds)
            if not len(rows):
                continue
            rest = tuple(key.take(rows) - take for key, take in zip(keys, used, strict=True))
            ids = self.ids_of_keys(rest)
            some = np.flatnonzero((ids[0] > 0) & (ids[1] > 0) & (ids[2] > 0) & (ids[3] > 0))
            if not len(some):
                continue
            ids = tuple(suit.take(some) for suit in ids)
            split = _split(rows.take(some), ids, self.ways_of(shape), shape, loose, place)
            if split is not None:
                parts.append(split)
        return _joined(parts)

    # ---- facts ----------------------------------------------------------------------

    def _facts(
        self, part: _Found, hands: Hands, place: int, self_drawn: bool | NDArray[np.bool_]
    ) -> Rows:
        """The columns of one part, with a row for each group that the winning tile completed."""
        shape = self.shapes[place]
        base = self._columns(part, shape)
        order = np.int64(place << SHAPE_AT) + np.int64(1 << SPLIT_AT) * part.split
        order = np.broadcast_to(order, len(part.hand))
        tells_open = self.tells_open and self_drawn is not True
        if part.ways is None or not (self.tells_all or tells_open):
            return Rows(place, part.hand, base, order, part.whole)
        won = np.uint64(1) << hands.won.take(part.hand).astype(np.uint64)
        by_others = _not_drawn(won, part, self_drawn)
        if not self.tells_all:
            return _opened(part, base, order, by_others, place)
        picks: list[tuple[NDArray[np.intp], int]] = []
        if part.loose is not None:
            picks.append((np.flatnonzero(part.loose & won), 0))
        for at in range(3):
            picks.append((np.flatnonzero(base["s1"] & (won >> np.uint64(2 - at))), at + 1))
        picks.append((np.flatnonzero(base["t"] & won), TRIPLET_STEP))
        picks.append((np.flatnonzero(base["p1"] & won), 5))
        return self._told(part, base, order, picks, won, place, by_others)

    def _told(
        self,
        part: _Found,
        base: dict[str, Column],
        order: NDArray[np.int64],
        picks: list[tuple[NDArray[np.intp], int]],
        won: NDArray[np.uint64],
        place: int,
        by_others: NDArray[np.uint64],
    ) -> Rows:
        """Each row once for every pick: which rows, and the step in the order, which says the
        group that the winning tile completed."""
        row = np.concatenate([rows for rows, _ in picks])
        step = np.repeat(
            np.array([step for _, step in picks], dtype=np.int64), [len(x) for x, _ in picks]
        )
        told = won.take(row)
        found = {name: column.take(row) for name, column in base.items()}
        zero = np.uint64(0)
        found["won_s"] = np.where(
            (step >= 1) & (step <= 3), told >> (3 - step).clip(0, 2).astype(np.uint64), zero
        )
        found["won_t"] = np.where(step == TRIPLET_STEP, told, zero)
        found["won_p"] = np.where(step == 5, told, zero)
        if self.tells_open:
            found["open_t"] = np.where(step == TRIPLET_STEP, by_others.take(row), zero)
        sort = np.lexsort((step, row))
        found = {name: column.take(sort) for name, column in found.items()}
        row = row.take(sort)
        return Rows(place, part.hand.take(row), found, order.take(row) + step.take(sort))

    def _columns(self, part: _Found, shape: Shape) -> dict[str, Column]:
        """The facts of rows that do not depend on the winning tile."""
        if part.ways is None:
            assert part.loose is not None
            return {"n1": part.loose}
        assert part.meta is not None
        ways = self.ways_of(shape)
        found: dict[str, Column] = {"runs": part.meta >> np.uint8(4) & np.uint8(7)}
        for low, (high, at) in PAIR_OF_LANES.items():
            if not self.needed & {low, high}:
                continue
            word = _rare_word(part, ways, at) if low == "p2" else _word(part.ways, ways, at)
            if low in self.needed:
                found[low] = word & _LOWER_LANE
            if high in self.needed:
                found[high] = word >> np.uint64(UPPER)
        if part.loose is not None and "n1" in found:
            found["n1"] = found["n1"] | part.loose
        return found


class SharedRowFinder(ColumnRowFinder):
    """Finds rows for scorers that ask for the same hands one after another, once for all."""

    def __init__(self, shapes: tuple[Shape, ...], reads: frozenset[str]) -> None:
        super().__init__(shapes, reads)
        self.last: tuple[Hands, bool | NDArray[np.bool_], list[Rows]] | None = None

    def rows(self, hands: Hands, self_drawn: bool | NDArray[np.bool_]) -> list[Rows]:
        """The rows of the hands, as they were found where these very hands were the last."""
        last = self.last
        if last is not None and last[0] is hands and last[1] is self_drawn:
            return last[2]
        rows = super().rows(hands, self_drawn)
        self.last = hands, self_drawn, rows
        return rows


_LOWER_LANE = np.uint64((1 << UPPER) - 1)
_ONE, _TWO = np.uint64(1), np.uint64(2)
_NINE, _EIGHTEEN = np.uint64(9), np.uint64(18)
_HIGH = np.uint64(sum(8 << (4 * n) for n in range(9)))


def _not_drawn(
    won: NDArray[np.uint64], part: _Found, self_drawn: bool | NDArray[np.bool_]
) -> NDArray[np.uint64]:
    """The winning tiles that others gave; nothing where a hand was won by self-draw."""
    if isinstance(self_drawn, np.ndarray):
        return np.where(self_drawn.take(part.hand), np.uint64(0), won)
    return np.zeros_like(won) if self_drawn else won


def _opened(
    part: _Found,
    base: dict[str, Column],
    order: NDArray[np.int64],
    by_others: NDArray[np.uint64],
    place: int,
) -> Rows:
    """Rows that tell only whether another's tile completed a triplet: one whose tile may as well
    be of another group stands twice, first without."""
    triplet = base["t"] & by_others
    taken = np.flatnonzero(triplet)
    base["open_t"] = triplet
    if not len(taken):
        return Rows(place, part.hand, base, order, part.whole)
    tile = by_others.take(taken)
    elsewhere = base["s1"].take(taken) & (tile | tile >> _ONE | tile >> _TWO)
    elsewhere |= base["p1"].take(taken) & tile
    if part.loose is not None:
        elsewhere |= part.loose.take(taken) & tile
    order = order.copy()
    order[taken] += TRIPLET_STEP
    both = taken[elsewhere != 0]
    if not len(both):
        return Rows(place, part.hand, base, order, part.whole)
    often = np.ones(len(triplet), dtype=np.intp)
    often[both] = 2
    row = np.repeat(np.arange(len(triplet)), often)
    without = both + np.arange(len(both))
    found = {name: column.take(row) for name, column in base.items()}
    found["open_t"][without] = 0
    order = order.take(row)
    order[without] -= TRIPLET_STEP
    return Rows(place, part.hand.take(row), found, order)


def _nothing_held(names: list[str], sets: int) -> list[str]:
    """Of the lanes, those that a shape with so few sets surely has not."""
    return [name for name in names if name != "t" or not sets]


def _word(ways: tuple[NDArray[np.int32], ...], tables: tuple[Ways, Ways], at: int) -> Column:
    """Two lanes over all tiles, from those of the four suits."""
    suited, honors = tables[0].lanes[at], tables[1].lanes[at]
    found = suited.take(ways[1])
    found <<= _NINE
    found |= suited.take(ways[0])
    upper = suited.take(ways[2])
    upper <<= _EIGHTEEN
    found |= upper
    found |= honors.take(ways[3])
    return found


def _rare_word(part: _Found, tables: tuple[Ways, Ways], at: int) -> Column:
    """Two lanes that are empty in most rows."""
    assert part.ways is not None
    assert part.meta is not None
    found = np.zeros(len(part.hand), dtype=np.uint64)
    some = np.flatnonzero(part.meta & RARE)
    if len(some):
        found[some] = _word(tuple(way.take(some) for way in part.ways), tables, at)
    return found


def _split(
    rows: NDArray[np.intp] | None,
    ids: tuple[NDArray[np.intp], ...],
    tables: tuple[Ways, Ways],
    shape: Shape,
    loose: int | None,
    place: int,
) -> _Found | None:
    """Every way to split the tiles in hand into the sets and pairs of a shape.

    All hands have some way for each suit; `rows` are their places, None where they are all hands.
    """
    suited, honors = tables
    by_suit = (suited, suited, suited, honors)
    counts = [table.count.take(suit) for table, suit in zip(by_suit, ids, strict=True)]
    ways = [table.first.take(suit) for table, suit in zip(by_suit, ids, strict=True)]
    total = counts[0] + counts[1] + counts[2] + counts[3]
    hand = rows
    nth: NDArray[np.int64] | int = 0
    if total.max(initial=4) > 4 or total.min(initial=4) < 4 or not all(c.all() for c in counts):
        hand, ways, nth = _each_way(rows, counts, ways, total)
    meta = suited.meta.take(ways[0])
    # Sums are taken of the numbers and of the rare bits apart, which stay what they are.
    rare = meta & RARE
    meta &= ~RARE
    for table, way in zip(by_suit[1:], ways[1:], strict=True):
        more = table.meta.take(way)
        rare |= more & RARE
        more &= ~RARE
        meta += more
    whole = hand is None
    fits = (meta & np.uint8(MOST_PAIRS_MASK)) == shape.pairs
    meta |= rare
    if hand is None:
        hand = np.arange(len(meta))
    if not fits.all():
        some = np.flatnonzero(fits)
        ways = [way.take(some) for way in ways]
        meta, hand = meta.take(some), hand.take(some)
        whole = False
        if not isinstance(nth, int):
            nth = nth.take(some)
    listed = None if loose is None else np.full(len(hand), loose, dtype=np.uint64)
    first = place << (LISTED_AT - SPLIT_AT)
    return _Found(hand, tuple(ways), meta, listed, nth + first, whole)


MOST_PAIRS_MASK = 15


def _each_way(
    rows: NDArray[np.intp] | None,
    counts: list[NDArray[np.uint8]],
    ways: list[NDArray[np.int32]],
    total: NDArray[np.uint8],
) -> tuple[NDArray[np.intp], list[NDArray[np.int32]], NDArray[np.int64]]:
    """Hands that can be split in one way, then each way of those that can in several: the place of
    the hand, the ways of its suits, and which of the ways of the hand it is."""
    product = counts[0].astype(np.int32)
    for count in counts[1:]:
        product *= count
    one = np.flatnonzero(product == 1)
    several = np.flatnonzero(product > 1)
    often = product.take(several)
    more = np.repeat(several, often)
    nth = np.arange(len(more)) - np.repeat(np.cumsum(often) - often, often)
    rest = nth
    apart: list[NDArray[np.int32]] = [ways[0]] * 4
    for suit in (3, 2, 1, 0):
        # The last suit changes fastest, as in a product of the suits.
        count = counts[suit].take(more)
        rest, way = np.divmod(rest, count)
        apart[suit] = ways[suit].take(more) + way.astype(np.int32)
    ways = [np.concatenate([way.take(one), split]) for way, split in zip(ways, apart, strict=True)]
    hand = np.concatenate([one, more])
    nth = np.concatenate([np.zeros(len(one), dtype=np.int64), nth])
    return (hand if rows is None else rows.take(hand)), ways, nth


def _joined(parts: list[_Found]) -> _Found | None:
    """Parts of one shape together, the rows of a hand next to each other."""
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    hand = np.concatenate([part.hand for part in parts])
    sort = np.argsort(hand, kind="stable")
    ways = tuple(
        np.concatenate([part.ways[suit] for part in parts if part.ways is not None]).take(sort)
        for suit in range(4)
    )
    meta = np.concatenate([part.meta for part in parts if part.meta is not None]).take(sort)
    loose = np.concatenate([part.loose for part in parts if part.loose is not None]).take(sort)
    split = np.concatenate([np.broadcast_to(part.split, len(part.hand)) for part in parts])
    return _Found(hand.take(sort), ways, meta, loose, split.take(sort))


# ---- listed tiles ------------------------------------------------------------------


def cut_listed(listed: tuple[tuple[int, int], ...]) -> tuple[list[int], list[int], int]:
    """Listed tiles by suit, as keys and as packed counts, and as a mask."""
    used, needed, loose = [0, 0, 0, 0], [0, 0, 0, 0], 0
    for tile, copies in listed:
        suit = min(tile // 9, 3)
        used[suit] += copies * POWERS[tile - 9 * suit]
        needed[suit] += copies << (4 * (tile - 9 * suit))
        loose |= 1 << tile
    return used, needed, loose


class ListedAlone:
    """Finds hands of a shape that is nothing but listed tiles."""

    def __init__(self, shape: Shape) -> None:
        known: dict[tuple[int, int], tuple[int, int]] = {}
        for place, listed in enumerate(shape.listed):
            used, _, loose = cut_listed(listed)
            suited = used[0] | used[1] << 21 | used[2] << 42
            known.setdefault((suited, used[3]), (place, loose))
        items = sorted(known.items())
        self.suited = np.array([key[0] for key, _ in items], dtype=np.uint64)
        self.honors = np.array([key[1] for key, _ in items], dtype=np.int64)
        self.place = np.array([value[0] for _, value in items], dtype=np.int64)
        self.loose = np.array([value[1] for _, value in items], dtype=np.uint64)
        self.by_honors = np.zeros(HONOR_KEYS, dtype=bool)
        self.by_honors[self.honors] = True
        # Hands are looked up by the keys of all suits folded into one number.
        self._folded = _fold(self.suited, self.honors)
        self._sort = np.argsort(self._folded)
        self._folded = self._folded[self._sort]
        assert len(np.unique(self._folded)) == len(self._folded)

    def find(
        self, keys: tuple[NDArray[np.int64], ...], fits: NDArray[np.bool_] | None
    ) -> _Found | None:
        """The hands that are listed."""
        maybe = self.by_honors.take(keys[3])
        if fits is not None:
            maybe &= fits
        rows = np.flatnonzero(maybe)
        if not len(rows):
            return None
        m, p, s, honors = (key.take(rows) for key in keys)
        suited = (m | p << 21 | s << 42).astype(np.uint64)
        at = np.searchsorted(self._folded, _fold(suited, honors))
        at = self._sort.take(at.clip(max=len(self._sort) - 1))
        same = np.flatnonzero((self.suited.take(at) == suited) & (self.honors.take(at) == honors))
        at = at.take(same)
        split = self.place.take(at) << (LISTED_AT - SPLIT_AT)
        return _Found(rows.take(same), None, None, self.loose.take(at), split)


_FOLD = np.uint64(0x9E3779B97F4A7C15)


def _fold(suited: NDArray[np.uint64], honors: NDArray[np.int64]) -> NDArray[np.uint64]:
    return suited ^ (honors.astype(np.uint64) * _FOLD)


__all__ = ["ColumnRowFinder", "Ids", "ListedAlone", "Plan", "Rows"]
