"""Finds the arrangements of a hand as rows of masks, the form in which the judge reads them.

The same splits in the same order as `arrange.arrangements`, without a group object made. The
masks of a row are packed into one number, a lane each, so that the suits of a hand are put
together by a few operations.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

from ruleengine.arrange import (
    SUIT_BITS,
    SUIT_MASK,
    UNIT,
    Arrangement,
    Group,
    Way,
    meld_group,
    suit_table,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.arrange import Shape
    from ruleengine.hand import Hand

LANES = ("n1", "s1", "t", "p1", "s2", "s3", "s4", "p2")
"""The masks of a row, lowest lane first; the last four are empty in most hands."""
LANE_BITS = len(UNIT)
_LANE = {name: LANE_BITS * at for at, name in enumerate(LANES)}
_LANE_MASK = (1 << LANE_BITS) - 1
_S1, _T, _P1, _S2, _S3, _S4, _P2 = [_LANE[name] for name in LANES[1:]]


Row = tuple[int, int, int, int, int, int, int]
"""One arrangement of a hand, in the order of `ROW_FACTS`. A plain tuple: one is made for every
hand that is scored."""

ROW_FACTS = ("shape", "packed", "runs", "open_t", "won_s", "won_t", "won_p")
"""The shape as a bit, the lanes, the number of standing sequences, and the groups that the
winning tile completed, as masks of their lowest tiles; `open_t` is a triplet that another's tile
completed."""

_Part = tuple[int, int, int]
"""One way to split a suit: pairs, sequences, and the lanes as if it were characters."""

_Parts = tuple[_Part, ...]
_ODD = sum(UNIT)
_AT = tuple(SUIT_BITS * suit for suit in range(4))


class _Plan:
    """How hands of one shape are split."""

    def __init__(self, bit: int, shape: Shape) -> None:
        self.bit = bit
        self.shape = shape
        self.sets = shape.sets
        self.pairs = shape.pairs
        self.grouped = shape.sets > 0 or shape.pairs > 0
        self.table = suit_table(shape.sets, shape.pairs)
        self.listed = [sum(n * UNIT[tile] for tile, n in listed) for listed in shape.listed]
        self.codes = frozenset(self.listed)
        self.suited: dict[int, _Parts] = {}
        self.honors: dict[int, _Parts] = {}

    def parts(self, code: int, honors: bool) -> _Parts:
        """The ways to split a suit; they stay known."""
        found = tuple([_part(way) for way in self.table.ways(code, honors=honors)])
        (self.honors if honors else self.suited)[code] = found
        return found


def _part(way: Way) -> _Part:
    sets, pairs, s1, s2, s3, s4, t, p1, p2 = way
    kinds = s1 | s1 << 1 | s1 << 2 | t | p1
    packed = kinds | s1 << _S1 | t << _T | p1 << _P1
    if s2 or p2:
        packed |= s2 << _S2 | s3 << _S3 | s4 << _S4 | p2 << _P2
    return pairs, sets - t.bit_count(), packed


class RowFinder:
    """Finds the rows of hands for one list of shapes.

    `reads` are the facts that the judge reads: the winning tile's group is told apart only
    where that makes a difference to it.
    """

    def __init__(self, shapes: tuple[Shape, ...], reads: frozenset[str]) -> None:
        self.plans = [_Plan(1 << place, shape) for place, shape in enumerate(shapes)]
        self.tells_all = bool(reads & {"won_s", "won_t", "won_p"})
        self.tells_open = "open_t" in reads

    def rows(self, code: int, melds: int, won: int, self_drawn: bool) -> list[Row]:
        """The rows of a hand: `code` its tiles in hand, winning one included, as a packed
        count; `melds` how many sets are laid open; `won` the mask of the winning tile."""
        found: list[Row] = []
        for plan in self.plans:
            if melds > plan.sets:
                continue
            if not plan.grouped:
                if code in plan.codes:
                    found.append((plan.bit, _kinds(code), 0, 0, 0, 0, 0))
            elif plan.listed:
                for row, loose_won in self._with_listed(plan, code, won):
                    found += self._completed(row, won, self_drawn, loose_won)
            elif plan.sets or not code & _ODD:
                rows = _split(plan, code)
                if not self.tells_all and (self_drawn or not self.tells_open):
                    found += rows
                    continue
                for row in rows:
                    if self.tells_all or row[1] >> _T & won:
                        found += self._completed(row, won, self_drawn, False)
                    else:
                        found.append(row)
        return found

    def arrangement(self, row: Row, hand: Hand, self_drawn: bool) -> Arrangement:
        """The arrangement that a row of a hand stands for.

        Where rows do not tell which group the winning tile completed, it is the first that the
        row allows, in the order of `arrange.arrangements`.
        """
        bit, packed, runs, _, won_s, won_t, won_p = row
        _, s1, t, p1, s2, s3, s4, p2 = [packed >> at & _LANE_MASK for at in _LANE.values()]
        way = Way(runs + t.bit_count(), 0, s1, s2, s3, s4, t, p1, p2)
        found = [Group(kind, tile) for kind, tile in way.groups]
        sets = [group for group in found if group.kind != "pair"]
        pairs = found[len(sets) :]
        groups = [*sets, *map(meld_group, hand.melds), *pairs]
        standing = range(len(sets)), range(len(groups) - len(pairs), len(groups))
        tile = hand.winning_tile
        assert tile is not None
        loose: tuple[int, ...] = ()
        if self.plans[bit.bit_length() - 1].listed:
            left = Counter((*hand.standing, tile))
            for group in found:
                left.subtract(group.tiles)
            loose = tuple(sorted(left.elements()))
        won: int | None = None
        told = {"sequence": won_s, "triplet": won_t, "pair": won_p}
        for at in itertools.chain(*standing):
            kind, group = groups[at].kind, groups[at]
            if any(told.values()):
                is_won = told[kind] >> group.tile & 1 == 1
            else:
                is_won = tile in group.tiles and tile not in loose
                if kind == "triplet" and self.tells_open and not self_drawn:
                    is_won = False
            if is_won:
                won = at
                break
        if won is not None and groups[won].kind == "triplet" and not self_drawn:
            groups[won] = Group("triplet", groups[won].tile, "completed")
        shape = self.plans[bit.bit_length() - 1].shape.id
        return Arrangement(shape, tuple(groups), loose, won)

    def waits(self, code: int, melds: int, held: int, wall: int) -> list[int]:
        """The tiles that complete a hand: `code` its tiles in hand without the winning one.

        A tile of which the hand holds as many (`held`, melds included) as the wall has (`wall`)
        is none.
        """
        return [
            tile
            for tile, unit in enumerate(UNIT)
            if (held >> (4 * tile)) & 15 < (wall >> (4 * tile)) & 7
            and self.rows(code + unit, melds, 1 << tile, True)
        ]

    def _with_listed(self, plan: _Plan, code: int, won: int) -> Iterator[tuple[Row, bool]]:
        for listed, packed in zip(plan.shape.listed, plan.listed, strict=True):
            if all((code >> (4 * tile)) & 15 >= copies for tile, copies in listed):
                loose = sum(1 << tile for tile, _ in listed)
                for row in _split(plan, code - packed):
                    bit, lanes, runs = row[:3]
                    yield (bit, lanes | loose, runs, 0, 0, 0, 0), bool(loose & won)

    def _completed(self, row: Row, won: int, self_drawn: bool, loose_won: bool) -> list[Row]:
        """A row for each group that the winning tile may have completed."""
        shape, packed, runs = row[:3]
        triplet = packed >> _T & won
        if not self.tells_all:
            if not triplet or self_drawn or not self.tells_open:
                return [row]
            taken = (shape, packed, runs, triplet, 0, triplet, 0)
            other = packed >> _S1 & (won | won >> 1 | won >> 2) or packed >> _P1 & won or loose_won
            return [row, taken] if other else [taken]
        found = [row] if loose_won else []
        for run in (won >> 2, won >> 1, won):
            if packed >> _S1 & run:
                found.append((shape, packed, runs, 0, run, 0, 0))
        if triplet:
            found.append((shape, packed, runs, 0 if self_drawn else triplet, 0, triplet, 0))
        if packed >> _P1 & won:
            found.append((shape, packed, runs, 0, 0, 0, won))
        return found


def _kinds(code: int) -> int:
    """The different tiles of a packed count, as a mask."""
    return sum(1 << at for at in range(len(UNIT)) if code >> (4 * at) & 15)


def _split(plan: _Plan, code: int) -> list[Row]:
    suited = plan.suited
    suit = code & SUIT_MASK
    ms = suited.get(suit)
    if ms is None:
        ms = plan.parts(suit, False)
    if not ms:
        return []
    suit = code >> _AT[1] & SUIT_MASK
    ps = suited.get(suit)
    if ps is None:
        ps = plan.parts(suit, False)
    if not ps:
        return []
    suit = code >> _AT[2] & SUIT_MASK
    ss = suited.get(suit)
    if ss is None:
        ss = plan.parts(suit, False)
    if not ss:
        return []
    suit = code >> _AT[3]
    zs = plan.honors.get(suit)
    if zs is None:
        zs = plan.parts(suit, True)
    if not zs:
        return []
    pairs = plan.pairs
    bit = plan.bit
    if len(ms) + len(ps) + len(ss) + len(zs) == 4:
        am, an, a = ms[0]
        bm, bn, b = ps[0]
        cm, cn, c = ss[0]
        dm, _, d = zs[0]
        if am + bm + cm + dm != pairs:
            return []
        return [(bit, a | b << 9 | c << 18 | d << 27, an + bn + cn, 0, 0, 0, 0)]
    return [
        (bit, a | b << 9 | c << 18 | d << 27, an + bn + cn, 0, 0, 0, 0)
        for (am, an, a), (bm, bn, b), (cm, cn, c), (dm, _, d) in itertools.product(ms, ps, ss, zs)
        if am + bm + cm + dm == pairs
    ]
