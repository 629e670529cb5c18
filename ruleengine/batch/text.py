"""Reads many hands in canonical text at once, straight into columns.

What `scan` is for one hand: it knows `123m456p1z[789s](9999m)+1z` and nothing else. A text that is
written in another way, or that may be wrong, is left to `notation`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ruleengine.batch.columns import HALF
from ruleengine.batch.tables import POWERS
from ruleengine.tiles import FIRST_FLOWER

if TYPE_CHECKING:
    from numpy.typing import NDArray

CANONICAL = (
    r"^(?:[1-9]+[mps]|[1-7]+z|[1-8]+f)*"
    r"(?:\[(?:[1-9]{3,4}[mps]|[1-7]{3,4}z)\]|\((?:[1-9]{4}[mps]|[1-7]{4}z)\))*"
    r"\+(?:[1-9][mps]|[1-7]z)$"
)
LONGEST = 60
"""Longer texts are left to `notation`."""
MOST_MELDS = 8
"""Hands with more melds are left to `notation`."""

_OPEN, _ROUND = ord("["), ord("(")
_SUIT = np.zeros(256, dtype=np.uint8)
_FLOWERS = 4
for _at, _letter in enumerate("mpszf"):
    _SUIT[ord(_letter)] = _at
_IS_LETTER = _SUIT > 0
_IS_LETTER[ord("m")] = True
_IS_DIGIT = np.zeros(256, dtype=bool)
_IS_DIGIT[ord("1") : ord("9") + 1] = True

_FIRST = np.zeros(128, dtype=np.uint64)
_SECOND = np.zeros(128, dtype=np.uint64)
_FLOWER = np.zeros(128, dtype=np.uint64)
_FLOWER[16 * _FLOWERS : 16 * _FLOWERS + 8] = np.uint64(1 << FIRST_FLOWER) << np.arange(
    8, dtype=np.uint64
)
for _suit in range(4):
    for _rank in range(9):
        (_FIRST, _SECOND)[_suit // 2][16 * _suit + _rank] = POWERS[_rank] << (HALF * (_suit % 2))

SEQUENCE, TRIPLET, KONG, CONCEALED_KONG = range(4)


@dataclass(frozen=True, slots=True)
class Texts:
    """Hands read from text, a row a hand.

    `rows` are the places of the texts that could be read; everything else has a row for each of
    these. `hand` and `laid` are the keys of the four suits, in hand (the winning tile included)
    and in melds, as exact sums: too many of a tile can make a key larger than any hand has.
    `tiles` is how many tiles stand in the text, flowers aside; those are in `facts`, with the
    facts of the melds. `meld_kind` and `meld_tile` say what the melds of a hand are, in the order
    in which they are written; -1 where there is none.
    """

    rows: NDArray[np.intp]
    hand: tuple[NDArray[np.int64], ...]
    won: NDArray[np.uint8]
    tiles: NDArray[np.int64]
    melds: NDArray[np.uint8]
    laid: tuple[NDArray[np.int64], ...] | None = None
    meld_kind: NDArray[np.int8] | None = None
    meld_tile: NDArray[np.int8] | None = None
    facts: dict[str, NDArray[Any]] = field(default_factory=dict)


def read_texts(texts: pa.StringArray) -> Texts:
    """Read the texts that are canonical; of the others no row is made."""
    known = pc.match_substring_regex(texts, CANONICAL).fill_null(False)
    short = pc.less_equal(pc.binary_length(texts), LONGEST).fill_null(False)
    rows = np.flatnonzero(
        known.to_numpy(zero_copy_only=False) & short.to_numpy(zero_copy_only=False)
    )
    if len(rows) < len(texts):
        texts = texts.take(pa.array(rows))
    if not len(rows):
        return _none()
    offsets, signs = _buffers(texts)
    return _read(rows, offsets, signs)


def _none() -> Texts:
    keys = (np.zeros(0, dtype=np.int64),) * 4
    nothing = np.zeros(0, dtype=np.uint8)
    return Texts(np.zeros(0, dtype=np.intp), keys, nothing, keys[0], nothing)


def _buffers(texts: pa.StringArray) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Where each text begins and ends, and all signs, of an array without nulls."""
    _, offsets, signs = texts.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    start, end = int(ends[0]), int(ends[-1])
    return ends.astype(np.int64) - start, np.frombuffer(signs, dtype=np.uint8)[start:end]


def _read(rows: NDArray[np.intp], offsets: NDArray[np.int64], signs: NDArray[np.uint8]) -> Texts:
    letters = np.flatnonzero(_IS_LETTER.take(signs))
    # Every text ends with a letter, so every sign stands before one.
    suits = np.repeat(_SUIT.take(signs.take(letters)), np.diff(letters, prepend=-1))
    is_digit = _IS_DIGIT.take(signs)
    digits = np.flatnonzero(is_digit)
    code = (suits.take(digits) << np.uint8(4)) + (signs.take(digits) - np.uint8(ord("1")))
    first, second = _FIRST.take(code), _SECOND.take(code)
    starts = np.searchsorted(digits, offsets[:-1])
    tiles = np.diff(starts, append=len(digits))
    facts: dict[str, NDArray[Any]] = {}
    wrong: NDArray[np.bool_] | None = None
    if len(code) and code.max() >= 16 * _FLOWERS:
        flower = _FLOWER.take(code)
        often = np.add.reduceat((flower != 0).astype(np.int64), starts)
        tiles = tiles - often
        facts["flowers"] = np.bitwise_or.reduceat(flower, starts)
        # No wall has two of a flower; `notation` is left to say so.
        wrong = np.bitwise_count(facts["flowers"]) != often
    ends = offsets[1:]
    rank = signs.take(ends - 2) - np.uint8(ord("1"))
    won = rank + np.uint8(9) * _SUIT.take(signs.take(ends - 1))
    opens = np.flatnonzero((signs == _OPEN) | (signs == _ROUND))
    if not len(opens):
        hand = _keys(np.add.reduceat(first, starts), np.add.reduceat(second, starts))
        nothing = np.zeros(len(rows), dtype=np.uint8)
        return _but(Texts(rows, hand, won, tiles, nothing, facts=facts), wrong)
    closes = np.flatnonzero((signs == _OPEN + 2) | (signs == _ROUND + 1))
    size = (closes - opens - 2).astype(np.int64)
    of_hand = np.searchsorted(offsets, opens, side="right") - 1
    inside = np.zeros(len(digits), dtype=bool)
    at = np.searchsorted(digits, opens)
    for step in range(4):
        more = at[size > step] + step
        inside[more] = True
    zero = np.uint64(0)
    laid = _keys(
        np.add.reduceat(np.where(inside, first, zero), starts),
        np.add.reduceat(np.where(inside, second, zero), starts),
    )
    whole = _keys(np.add.reduceat(first, starts), np.add.reduceat(second, starts))
    hand = tuple(a - b for a, b in zip(whole, laid, strict=True))
    kind, tile = _melds(signs, opens, closes, size, suits)
    found = Texts(rows, hand, won, tiles, np.zeros(0, dtype=np.uint8), laid, facts=facts)
    return _but(_with_melds(found, (of_hand, kind, tile)), wrong)


def _keys(first: NDArray[np.uint64], second: NDArray[np.uint64]) -> tuple[NDArray[np.int64], ...]:
    """The keys of the four suits from those of two suits in a number."""
    low = np.uint64((1 << HALF) - 1)
    up = np.uint64(HALF)
    return tuple(
        key.astype(np.int64) for key in (first & low, first >> up, second & low, second >> up)
    )


def _melds(
    signs: NDArray[np.uint8],
    opens: NDArray[np.intp],
    closes: NDArray[np.intp],
    size: NDArray[np.int64],
    suits: NDArray[np.uint8],
) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """What each pair of brackets is, -1 for no meld, and its lowest tile."""
    claimed = signs.take(opens) == _OPEN
    ranks = [signs.take(opens + step).astype(np.int8) - ord("1") for step in (1, 2, 3)]
    low = np.minimum(np.minimum(ranks[0], ranks[1]), ranks[2])
    high = np.maximum(np.maximum(ranks[0], ranks[1]), ranks[2])
    middle = ranks[0] + ranks[1] + ranks[2] - low - high
    fourth = signs.take(np.minimum(opens + 4, len(signs) - 1)).astype(np.int8) - ord("1")
    same = low == high
    suit = suits.take(closes - 1)
    kind = np.full(len(opens), -1, dtype=np.int8)
    kind[claimed & (size == 3) & (high - low == 2) & (middle - low == 1) & (suit < 3)] = SEQUENCE
    kind[claimed & (size == 3) & same] = TRIPLET
    kong = (size == 4) & same & (fourth == low)
    kind[kong & claimed] = KONG
    kind[kong & ~claimed] = CONCEALED_KONG
    return kind, (suit.astype(np.int8) * 9 + low).astype(np.int8)


def _with_melds(
    texts: Texts, melds: tuple[NDArray[np.intp], NDArray[np.int8], NDArray[np.int8]]
) -> Texts:
    """Hands with their melds: of which hand each is, its kind, its lowest tile. A hand with
    brackets that are no meld, or with too many, is marked by more melds than any hand has."""
    of_hand, kind, tile = melds
    size = len(texts.rows)
    often = np.bincount(of_hand, minlength=size)
    nth = np.arange(len(of_hand)) - np.repeat(np.cumsum(often) - often, often)
    wide = max(int(often.max(initial=0)), 1)
    meld_kind = np.full((size, wide), -1, dtype=np.int8)
    meld_tile = np.full((size, wide), -1, dtype=np.int8)
    meld_kind[of_hand, nth] = kind
    meld_tile[of_hand, nth] = tile
    often[of_hand[kind < 0]] = MOST_MELDS + 1
    return replace(
        texts, melds=often.astype(np.uint8), meld_kind=meld_kind, meld_tile=meld_tile,
        facts=texts.facts | laid_facts(meld_kind, meld_tile),
    )  # fmt: skip


def _but(texts: Texts, wrong: NDArray[np.bool_] | None) -> Texts:
    """Hands without those that are wrong, or that have brackets that are no melds."""
    many = texts.melds > MOST_MELDS
    wrong = many if wrong is None else wrong | many
    return taken(texts, np.flatnonzero(~wrong)) if wrong.any() else texts


def laid_facts(meld_kind: NDArray[np.int8], meld_tile: NDArray[np.int8]) -> dict[str, NDArray[Any]]:
    """The facts of melds (`judge.LAID_FACTS`), from what the melds of each hand are."""
    size, wide = meld_kind.shape
    names = ("c1", "c2", "c3", "c4", "ct", "kc", "kk", "ck")
    found: dict[str, NDArray[Any]] = {name: np.zeros(size, dtype=np.uint64) for name in names}
    found["cn"] = np.zeros(size, dtype=np.uint8)
    for at in range(wide):
        kind, tile = meld_kind[:, at], meld_tile[:, at]
        bit = np.uint64(1) << tile.clip(min=0).astype(np.uint64)
        run = np.where(kind == SEQUENCE, bit, np.uint64(0))
        found["c4"] |= found["c3"] & run
        found["c3"] |= found["c2"] & run
        found["c2"] |= found["c1"] & run
        found["c1"] |= run
        found["cn"] += kind == SEQUENCE
        found["ck"] |= run << np.uint64(1) | run << np.uint64(2)
        found["ck"] |= np.where(kind >= 0, bit, np.uint64(0))
        for name, wanted in (("ct", TRIPLET), ("kc", KONG), ("kk", CONCEALED_KONG)):
            found[name] |= np.where(kind == wanted, bit, np.uint64(0))
    return found


def taken(texts: Texts, some: NDArray[np.intp]) -> Texts:
    """Some of the hands."""
    return Texts(
        texts.rows.take(some),
        tuple(key.take(some) for key in texts.hand),
        texts.won.take(some),
        texts.tiles.take(some),
        texts.melds.take(some),
        None if texts.laid is None else tuple(key.take(some) for key in texts.laid),
        None if texts.meld_kind is None else texts.meld_kind[some],
        None if texts.meld_tile is None else texts.meld_tile[some],
        {name: column.take(some) for name, column in texts.facts.items()},
    )
