"""Scores concealed hands as East's self-draw without events, each with its best winning tile.

Any tile of a hand may be the one that was drawn last. Where the ruleset's conditions do not ask
for it, or cannot for a given hand, one choice stands for all of them; else every different tile
of the hand is tried.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.arrange import SUIT_BITS, SUIT_MASK, UNIT
from ruleengine.batch.columns import Hands
from ruleengine.batch.judge import Judged
from ruleengine.batch.score import ColumnScorer
from ruleengine.batch.waits import count_waits
from ruleengine.hands.every import kinds_of
from ruleengine.hands.suits import MOST_COPIES, SUITS
from ruleengine.language.columns import base_five
from ruleengine.language.lower import WAY_BITS
from ruleengine.tiles import FIRST_FLOWER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from ruleengine.batch.rows import ColumnRowFinder
    from ruleengine.language.operations import Op
    from ruleengine.rules import Rules

DEALT = (WAY_BITS["self_draw"], False, False)
"""The kind of these wins: by self-draw, without melds, without events."""

WINNING_FACTS = frozenset({"won", "won_s", "won_t", "won_p", "open_t", "waits"})
"""Facts that differ from winning tile to winning tile. `packed_before` does too, and is looked
at more closely."""


@dataclass(frozen=True, slots=True)
class Tried:
    """Hands with each winning tile that may matter, of several that come to the same the lowest,
    and what they come to; `row` has the place of each among the hands that were scored."""

    row: NDArray[np.int64]
    hands: Hands
    judged: Judged

    def same_hands(self, other: Tried) -> bool:
        """Whether the same hands were tried with the same winning tiles."""
        return np.array_equal(self.row, other.row) and np.array_equal(
            self.hands.won, other.hands.won
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """Hands with the winning tile that was chosen for each, and what they come to; `asks` says for
    which hands the winning tile may matter, and `tried` has all that was tried for these."""

    hands: Hands
    judged: Judged
    asks: NDArray[np.bool_]
    tried: Tried | None = None

    def __len__(self) -> int:
        return len(self.hands)


LAYING_OUT = 150
"""What it takes to lay out a hand, in operations."""
MOST_DIFFERENT = 8
"""How many tiles of a hand it is won on where each is tried, about."""


class BestScorer:
    """Scores concealed hands under one ruleset, each once, with the winning tile that scores most.

    Of several that score the same the lowest one is taken. With `keeps_there` what is judged says
    which patterns were there but did not count. May be used from any number of threads. A `finder`
    may be shared as by `ColumnScorer`.
    """

    def __init__(
        self, rules: Rules, *, keeps_there: bool = False, finder: ColumnRowFinder | None = None
    ) -> None:
        self.rules = rules
        self.scorer = ColumnScorer(rules, keeps_there=keeps_there, finder=finder)
        roots = self.scorer.judge(DEALT).columns.roots
        self._asked = asked_of_winning_tile(roots)
        # Where only the number of waits differs, one winning tile for each number is enough.
        self._but_waits: Asked | None = None
        if self._asked is None:
            self._but_waits = asked_of_winning_tile(roots, frozenset({"waits"}))

    @property
    def operations(self) -> int:
        """How many operations it takes to lay out one hand and to judge it, or a little more."""
        each = LAYING_OUT + len(self.scorer.judge(DEALT).columns)
        return each if self._asked is not None else each * MOST_DIFFERENT

    def asks(self, hands: Hands) -> NDArray[np.bool_]:
        """For which hands the winning tile may matter."""
        if self._asked is None:
            return np.ones(len(hands), dtype=bool)
        return self._asked.any_of(hands)

    def score(self, hands: Hands) -> Scored:
        """Score hands; the winning tiles that they name do not matter."""
        if self._asked is None:
            best, judged, tried = self._tried(hands)
            return Scored(best, judged, np.ones(len(hands), dtype=bool), tried)
        judged = self.scorer.score(hands)
        asks = self.asks(hands)
        asked = np.flatnonzero(asks)
        if not len(asked):
            return Scored(hands, judged, asks)
        some, better, tried = self._tried(hands.take(asked))
        judged = taken(judged, np.arange(len(hands)))
        won = hands.won.copy()
        won[asked] = some.won
        _put(judged, asked, better)
        if tried is not None:
            tried = Tried(asked[tried.row], tried.hands, tried.judged)
        return Scored(Hands(hands.suited, hands.honors, won), judged, asks, tried)

    def _tried(self, hands: Hands) -> tuple[Hands, Judged, Tried | None]:
        """Hands scored with each of their tiles: with the best one, and with all that were."""
        row, tile = winning_tiles(hands)
        if not len(row):
            return hands, self.scorer.score(hands), None
        tried = Hands(hands.suited[row], hands.honors[row], tile)
        if self._but_waits is not None:
            waits = count_waits(self.scorer.finder, tried, self.rules.data.wall.copies)
            different = first_of_each(row, waits)
            different |= self._but_waits.any_of(hands)[row]
            row, tried = row[different], tried.take(different)
            tried = tried.with_facts(waits=waits[different])
        judged = self.scorer.score(tried)
        wins = (judged.place >= 0) & (judged.base >= self.rules.program.numbers.minimum)
        starts = np.flatnonzero(np.r_[True, row[1:] != row[:-1]])
        top = _highest(row, starts, wins)
        starts = np.flatnonzero(np.r_[True, row[top][1:] != row[top][:-1]])
        top = top[_highest(row[top], starts, judged.points[top])]
        chosen = top[np.r_[True, row[top][1:] != row[top][:-1]]]
        best = tried.take(chosen)
        best = Hands(best.suited, best.honors, best.won)
        return best, taken(judged, chosen), Tried(row, tried, judged)


def _highest(
    row: NDArray[np.int64], starts: NDArray[np.intp], values: NDArray[Any]
) -> NDArray[np.intp]:
    """The places at which a value is the highest of its row; `starts` are where rows begin."""
    best = np.maximum.reduceat(values, starts)
    return np.flatnonzero(values == np.repeat(best, np.diff(starts, append=len(row))))


def first_of_each(row: NDArray[np.int64], values: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether a value, below 64, comes for the first time in its row. Rows stand together."""
    starts = np.flatnonzero(np.r_[True, row[1:] != row[:-1]])
    sizes = np.diff(starts, append=len(row))
    bits = np.uint64(1) << values.astype(np.uint64)
    seen = np.zeros(len(starts), dtype=np.uint64)
    new = np.zeros(len(row), dtype=bool)
    for step in range(int(sizes.max(initial=0))):
        rows = np.flatnonzero(sizes > step)
        bit = bits.take(starts.take(rows) + step)
        held = seen.take(rows)
        new[starts.take(rows) + step] = (held & bit) == 0
        seen[rows] = held | bit
    return new


def winning_tiles(hands: Hands) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Every choice of a winning tile: the place of the hand, and the tile, in their order."""
    kinds = kinds_of(hands).astype("<u8").view(np.uint8).reshape(-1, 8)
    held = np.unpackbits(kinds, axis=1, bitorder="little", count=FIRST_FLOWER)
    row, tile = np.nonzero(held)
    return row, tile.astype(np.uint8)


# ---- what a ruleset asks of the winning tile -------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """For which hands the winning tile may matter: those of the keys, and those that hold all of
    some tiles, as masks."""

    keys: NDArray[np.uint64]
    held: tuple[int, ...]

    def any_of(self, hands: Hands) -> NDArray[np.bool_]:
        """The hands for which it may matter; for any other it does not."""
        found = np.zeros(len(hands), dtype=bool)
        if len(self.keys):
            at = np.minimum(np.searchsorted(self.keys, hands.suited), len(self.keys) - 1)
            found |= self.keys[at] == hands.suited
        for kinds in self.held:
            found |= (kinds_of(hands) & np.uint64(kinds)) == np.uint64(kinds)
        return found


def asked_of_winning_tile(roots: Iterable[Op], aside: frozenset[str] = frozenset()) -> Asked | None:
    """For which hands operations can differ from winning tile to winning tile; None for all.

    The facts that are left `aside` are looked at elsewhere.

    `hand before win is TILES` can do so for the few hands that are TILES and one more, `hand
    before win includes TILES` for those that hold TILES.
    """
    exact: set[int] = set()
    held: set[int] = set()
    for op in _all_below(roots):
        if op.kind == "fact" and op.value in WINNING_FACTS - aside:
            return None
        if not any(arg.kind == "fact" and arg.value == "packed_before" for arg in op.args):
            continue
        if op.kind == "within" and isinstance(op.value, frozenset):
            exact |= {code + unit for code in op.value for unit in UNIT}
        elif op.kind == "includes" and isinstance(op.value, int):
            held.add(_kinds_of_code(op.value))
        else:
            return None
    keys = sorted({_suited_key(code) for code in exact if _possible(code)})
    return Asked(np.array(keys, dtype=np.uint64), tuple(sorted(held)))


def _all_below(roots: Iterable[Op]) -> Iterable[Op]:
    seen: set[Op] = set()
    pending = list(roots)
    while pending:
        op = pending.pop()
        if op not in seen:
            seen.add(op)
            pending += op.args
            yield op


def _possible(code: int) -> bool:
    return all(code >> (4 * tile) & 15 <= MOST_COPIES for tile in range(FIRST_FLOWER))


def _kinds_of_code(code: int) -> int:
    return sum(1 << tile for tile in range(FIRST_FLOWER) if code >> (4 * tile) & 15)


def _suited_key(code: int) -> int:
    """The keys of the three suits of a packed count, as a hand holds them."""
    keys = [base_five(code >> (SUIT_BITS * suit) & SUIT_MASK) for suit in range(SUITS - 1)]
    return keys[0] | keys[1] << 21 | keys[2] << 42


# ---- what is judged, taken apart and put together --------------------------------------


def taken(judged: Judged, rows: NDArray[np.int64]) -> Judged:
    """What was judged of some of the hands."""
    return Judged(
        judged.points[rows],
        judged.base[rows],
        judged.place[rows],
        judged.found[:, rows],
        {place: column[rows] for place, column in judged.counts.items()},
        {place: column[rows] for place, column in judged.awards.items()},
        judged.alone[rows],
        None if judged.there is None else judged.there[:, rows],
        None if judged.order is None else judged.order[rows],
    )


def _put(whole: Judged, rows: NDArray[np.int64], part: Judged) -> None:
    """Put what was judged of some hands in its place."""
    whole.points[rows] = part.points
    whole.base[rows] = part.base
    whole.place[rows] = part.place
    whole.found[:, rows] = part.found
    whole.alone[rows] = part.alone
    if whole.there is not None and part.there is not None:
        whole.there[:, rows] = part.there
    if whole.order is not None and part.order is not None:
        whole.order[rows] = part.order
    for place in whole.counts:
        whole.counts[place][rows] = part.counts[place]
        whole.awards[place][rows] = part.awards[place]
