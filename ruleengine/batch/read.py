"""Reads tables of hand records into columns of hands.

A row that is surely a possible hand in a possible situation becomes a row of columns. Every other
one is odd: it is scored alone, which also says what is wrong with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ruleengine.batch.columns import (
    HALF,
    KEY_BITS,
    NO_TILE,
    Hands,
    halves_of_tiles,
)
from ruleengine.batch.events import ColumnEvents
from ruleengine.batch.tables import HONOR_KEYS, POWERS, SUIT_KEYS, sizes
from ruleengine.batch.text import KONG, Texts, read_texts
from ruleengine.errors import HandError
from ruleengine.language.lower import WAY_BITS
from ruleengine.notation import read_hand
from ruleengine.situation import read_dora
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR, SEATS, TILE_COUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from ruleengine.batch.score import ColumnScorer
    from ruleengine.rules import Rules

TILES = "tiles"
"""The column that gives concealed hands as numbers of tiles, the winning tile last."""
SEAT_BITS = {seat: 1 << at for at, seat in enumerate(SEATS)}
_ODD = 255
_NOBODY = 16
_DORA_A_TILE = 5
"""How often one tile can be dora at most, as `situation.count_dora` has it."""


@dataclass(frozen=True, slots=True)
class ReadHands:
    """Hands read from a table: `rows` are their places in it, `hands` the hands, with `discarder`
    and `liable` among their facts (0 for nobody); `odd` are the places of all other rows.
    `meld_kind` and `meld_tile` say what their melds are (see `text.Texts`)."""

    rows: NDArray[np.intp]
    hands: Hands
    odd: NDArray[np.intp]
    meld_kind: NDArray[np.int8] | None
    meld_tile: NDArray[np.int8] | None


class TableReader:
    """Reads tables of hand records for one ruleset."""

    def __init__(self, rules: Rules, scorer: ColumnScorer) -> None:
        self.rules = rules
        self.data = rules.data
        self.scorer = scorer
        self.events = ColumnEvents(rules.program)
        wall = self.data.wall.copies
        copies = [wall.get(tile, 0) for tile in range(FIRST_FLOWER)]
        self._sizes = (
            sizes(copies[:9]), sizes(copies[9:18]), sizes(copies[18:27]), sizes(copies[27:]),
        )  # fmt: skip
        self._copies = np.array(copies, dtype=np.int64)

    def read(self, batch: pa.RecordBatch) -> ReadHands:
        """Read the rows of a table whose columns have the names of the fields of a record."""
        columns = {name: batch.column(at) for at, name in enumerate(batch.schema.names)}
        return self.won(self._texts(columns, batch.num_rows), columns, batch.num_rows)

    def won(self, texts: Texts, columns: Mapping[str, Any], size: int) -> ReadHands:
        """Hands of a table of such a size, read before, as they were won: `columns` have the other
        fields of a record."""
        table = _Table(self, columns, texts)
        fine = np.flatnonzero(table.fine())
        rows = texts.rows.take(fine)
        odd = np.ones(size, dtype=bool)
        odd[rows] = False
        hands = table.hands.take(fine) if len(fine) < len(texts.rows) else table.hands
        kind, tile = texts.meld_kind, texts.meld_tile
        return ReadHands(
            rows,
            hands,
            np.flatnonzero(odd),
            None if kind is None else kind[fine],
            None if tile is None else tile[fine],
        )

    def _texts(self, columns: dict[str, Any], size: int) -> Texts:
        if TILES in columns:
            return _from_tiles(columns[TILES], self.data.hand_size)
        if "hand" not in columns:
            return read_texts(pa.nulls(size, pa.string()))
        texts = as_strings(columns["hand"])
        if texts is None:
            return read_texts(pa.nulls(size, pa.string()))
        won = columns.get("winning_tile")
        if won is not None and won.null_count < size:
            beside = as_strings(won)
            if beside is None:
                return read_texts(pa.nulls(size, pa.string()))
            # Arrow leaves out a row of which it joins nothing, so there must be something.
            joined = pc.binary_join_element_wise(
                texts.fill_null(""), beside, "+", null_handling="skip"
            )
            texts = pc.if_else(texts.is_null(), texts, joined)
        return read_texts(texts)

    def sized(self, whole: tuple[NDArray[np.int64], ...]) -> NDArray[np.int64]:
        """How many tiles hands have by their keys; more than any where the wall has not enough."""
        found = np.zeros(len(whole[0]), dtype=np.int64)
        for table, key in zip(self._sizes, whole, strict=True):
            found += table.take(key, mode="clip")
        return found

    def copies(self, tiles: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many of each tile the wall has."""
        return self._copies.take(tiles)


def as_strings(column: Any) -> pa.StringArray | None:
    """A column as texts, None where it has no texts."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_null(kind):
        return pa.nulls(len(column), pa.string())
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)
            or pa.types.is_string_view(kind)):  # fmt: skip
        return None
    return column if column.type == pa.string() else column.cast(pa.string())


def _from_tiles(column: Any, size: int) -> Texts:
    """Concealed hands from a column of lists of numbers of tiles, the winning tile last."""
    numbers, rows = tile_numbers(column, size)
    first, second = halves_of_tiles(numbers)
    low = np.uint64((1 << HALF) - 1)
    up = np.uint64(HALF)
    hand = tuple(
        key.astype(np.int64) for key in (first & low, first >> up, second & low, second >> up)
    )
    tiles = np.full(len(rows), size, dtype=np.int64)
    tiles[hand[3] >= NO_TILE] = -1
    won = np.ascontiguousarray(numbers[:, -1])
    return Texts(rows, hand, won, tiles, np.zeros(len(rows), dtype=np.uint8))


def tile_numbers(column: Any, size: int) -> tuple[NDArray[np.uint8], NDArray[np.intp]]:
    """The lists that have `size` numbers, as a table, and their places."""
    kind = column.type
    nothing = np.zeros((0, size), dtype=np.uint8), np.zeros(0, dtype=np.intp)
    if not (pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind)
            or pa.types.is_large_list(kind)):  # fmt: skip
        return nothing
    if not pa.types.is_integer(kind.value_type):
        return nothing
    fits = pc.equal(pc.list_value_length(column), size).fill_null(False)
    rows = np.flatnonzero(fits.to_numpy(zero_copy_only=False))
    if len(rows) < len(column):
        column = column.take(pa.array(rows))
    values = column.flatten()
    if values.null_count:
        values = values.fill_null(FIRST_FLOWER)
    numbers = values.to_numpy()
    if numbers.dtype != np.uint8:
        inside = (numbers >= 0) & (numbers < FIRST_FLOWER)
        numbers = np.where(inside, numbers, FIRST_FLOWER).astype(np.uint8)
    return numbers.reshape(-1, size), rows


class _Table:
    """One table while it is read: the hands that could be read, and what is known of them."""

    def __init__(self, reader: TableReader, columns: Mapping[str, Any], texts: Texts) -> None:
        self.reader = reader
        self.data = reader.data
        self.texts = texts
        self.columns = columns
        self.all = len(texts.rows) == len(next(iter(columns.values()), ()))
        size = len(texts.rows)
        self.size = size
        self.ok = np.ones(size, dtype=bool)
        self.whole = texts.hand
        if texts.laid is not None:
            self.whole = tuple(a + b for a, b in zip(texts.hand, texts.laid, strict=True))
        self.facts: dict[str, NDArray[Any]] = dict(texts.facts)
        self._check_tiles()
        self._read_seats()
        self._read_flowers()
        self._read_dora()
        self._read_events()
        for name in ("discards", "options"):
            if name in columns:
                self.ok &= ~self._given(name)
        self.hands = self._hands()
        self._check_events()

    def fine(self) -> NDArray[np.bool_]:
        """The hands that can be, won in a way that can be."""
        return self.ok

    # ---- columns --------------------------------------------------------------------

    def _column(self, name: str) -> Any | None:
        """A column that says something, for the hands that could be read."""
        column = self.columns.get(name)
        if column is None or column.null_count == len(column):
            return None
        return column if self.all else column.take(pa.array(self.texts.rows))

    def _given(self, name: str) -> NDArray[np.bool_]:
        column = self._column(name)
        if column is None:
            return np.zeros(self.size, dtype=bool)
        return np.asarray(column.is_valid().to_numpy(zero_copy_only=False), dtype=bool)

    def _coded(self, name: str, codes: dict[str, int], default: int) -> NDArray[np.uint8] | None:
        """A column of texts by its codes, `default` for nothing; None where nothing is said."""
        column = self._column(name)
        return None if column is None else self._by_text(column, codes.get, default, np.uint8)

    def _by_text(
        self, column: Any, code: Callable[[str], int | None], default: int, dtype: Any
    ) -> NDArray[Any]:
        """A number for each row, worked out once for each different text. Rows whose text has no
        number are odd."""
        if not pa.types.is_dictionary(column.type):
            texts = as_strings(column)
            if texts is None:
                self.ok &= ~np.asarray(column.is_valid().to_numpy(zero_copy_only=False), dtype=bool)
                return np.full(self.size, default, dtype=dtype)
            column = texts.dictionary_encode()
        words = column.dictionary.to_pylist()
        numbers: list[int] = []
        known: list[bool] = []
        for word in words:
            number = code(word) if isinstance(word, str) else None
            numbers.append(default if number is None else number)
            known.append(number is not None)
        numbers.append(default)
        known.append(True)
        indices = column.indices.cast(pa.int64()).fill_null(len(words))
        at = indices.to_numpy(zero_copy_only=False)
        if not all(known):
            self.ok &= np.array(known).take(at)
        found: NDArray[Any] = np.array(numbers, dtype=dtype).take(at)
        return found

    # ---- checks ---------------------------------------------------------------------

    def _check_tiles(self) -> None:
        """The tiles of a hand must be in the wall, and so many as a hand has."""
        texts = self.texts
        self.ok &= self.reader.sized(self.whole) == texts.tiles
        kongs = 0
        if texts.meld_kind is not None:
            kongs = (texts.meld_kind >= KONG).sum(axis=1)
        self.ok &= texts.tiles - kongs == self.data.hand_size

    def held(self, tiles: NDArray[Any]) -> NDArray[np.int64]:
        """How many of a tile each hand holds, melds and the winning tile included."""
        tiles = tiles.astype(np.intp)
        suit = np.minimum(tiles // 9, 3)
        found = np.zeros(self.size, dtype=np.int64)
        units = np.array(POWERS, dtype=np.int64).take(tiles - 9 * suit)
        for at, key in enumerate(self.whole):
            found += np.where(suit == at, key // units % 5, 0)
        return found

    def _read_seats(self) -> None:
        """The way of winning, the seats, and who is liable; as `situation.check_seats`."""
        way = self._coded("by", dict(WAY_BITS), 1)
        seat = self._coded("seat", SEAT_BITS, 1)
        round_ = self._coded("round", SEAT_BITS, 1)
        from_ = self._coded("from", SEAT_BITS, 0)
        liable = self._coded("liable", {**SEAT_BITS, "none": _NOBODY}, 0)
        one = np.ones(self.size, dtype=np.uint8)
        seats = one if seat is None else seat
        if way is not None:
            self.facts["way"] = way
            robbed = way == WAY_BITS["robbing_kong"]
            if robbed.any():
                self.ok &= ~robbed | (self.held(self.texts.won) == 1)
        self_drawn = (one if way is None else way) == 1
        if seat is not None:
            self.facts["seat"] = seat
        if round_ is not None:
            self.facts["round"] = round_
        if from_ is not None:
            self.ok &= (from_ == 0) | ~(self_drawn | (from_ == seats))
            self.facts["discarder"] = from_
        if liable is not None:
            self._check_liable(liable, np.zeros_like(one) if from_ is None else from_,
                               seats, self_drawn)  # fmt: skip

    def _check_liable(
        self,
        liable: NDArray[np.uint8],
        from_: NDArray[np.uint8],
        seats: NDArray[np.uint8],
        self_drawn: NDArray[np.bool_],
    ) -> None:
        """As `situation.check_seats` and `check_last_tile` have it."""
        rule = self.data.liability
        given = liable != 0
        possible = ~self_drawn & (liable != seats)
        if not rule.nobody:
            possible &= liable != _NOBODY
        if not rule.moves:
            possible &= (liable == _NOBODY) | (from_ == 0) | (liable == from_)
        moved = given & ((liable == _NOBODY) | ((from_ != 0) & (liable != from_)))
        if moved.any():
            way = self.facts.get("way")
            won = self.texts.won
            left = self.held(won) < self.reader.copies(won.astype(np.int64))
            if way is not None:
                left |= way != WAY_BITS["discard"]
            possible &= ~moved | left
            if "dora" in self.columns:
                # An indicator may be one of the copies.
                possible &= ~moved | ~self._given("dora")
        self.ok &= ~given | possible
        self.facts["liable"] = np.where(given, np.where(liable == _NOBODY, 0, liable), from_)
        self.facts["moved"] = given

    def _read_flowers(self) -> None:
        column = self._column("flowers")
        inside = self.facts.get("flowers")
        if column is not None:
            beside = self._by_text(column, _flower_mask, 0, np.uint64)
            if inside is not None:
                self.ok &= (inside & beside) == 0
                beside = inside | beside
            inside = self.facts["flowers"] = beside
        if inside is not None:
            wall = self.data.wall.copies
            flowers = sum(1 << tile for tile in range(FIRST_FLOWER, TILE_COUNT) if wall.get(tile))
            self.ok &= (inside & ~np.uint64(flowers)) == 0

    def _read_dora(self) -> None:
        column = self._column("dora")
        if column is None:
            return
        given = np.asarray(column.is_valid().to_numpy(zero_copy_only=False), dtype=bool)
        if not self.data.wall.dora:
            self.ok &= ~given
            return
        if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
            number = column.fill_null(0).to_numpy(zero_copy_only=False)
            if pa.types.is_floating(column.type):
                # So pandas keeps whole numbers where some are missing.
                self.ok &= number == np.floor(number)
            self._check_dora_number(number)
            self.facts["dora"] = np.where(self.ok, number, 0).astype(np.int32)
            return
        shown = _Shown(self.data.wall.dora)
        at = self._by_text(column, shown.place, 0, np.int64)
        self._count_dora(shown, at)

    def _check_dora_number(self, number: NDArray[Any]) -> None:
        most = self.texts.tiles
        if "flowers" in self.facts:
            most = most + np.bitwise_count(self.facts["flowers"])
        self.ok &= (number >= 0) & (number <= _DORA_A_TILE * most)

    def _count_dora(self, shown: _Shown, at: NDArray[np.int64]) -> None:
        """Count the dora tiles that indicators show; `at` says what is shown for a hand."""
        number = np.array(shown.numbers).take(at)
        self._check_dora_number(number)
        found = np.where(self.ok, number, 0).astype(np.int32)
        way = self.facts.get("way")
        by_tile = [self.data.wall.dora.get(tile, -1) for tile in range(FIRST_FLOWER)]
        for step in range(max(map(len, shown.tiles))):
            tiles = [x[step] if len(x) > step else -1 for x in shown.tiles]
            often = [x.count(x[step]) if len(x) > step else 0 for x in shown.tiles]
            indicator = np.array(tiles).take(at)
            there = indicator >= 0
            indicator = np.where(there, indicator, 0)
            dora = np.array(by_tile).take(indicator)
            held = self.held(indicator) + np.array(often).take(at)
            self.ok &= ~there | ((dora >= 0) & (dora < FIRST_FLOWER))
            self.ok &= ~there | (held <= self.reader.copies(indicator))
            if way is not None:
                robbed = way == WAY_BITS["robbing_kong"]
                self.ok &= ~there | ~robbed | (indicator != self.texts.won)
            count = self.held(dora.clip(0, FIRST_FLOWER - 1))
            found += np.where(there, count, 0).astype(np.int32)
        self.facts["dora"] = found

    # ---- events ---------------------------------------------------------------------

    def _read_events(self) -> None:
        column = self._column("events")
        if column is None:
            return
        kind = column.type
        if not (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
            self.ok &= ~self._given("events")
            return
        lengths = pc.list_value_length(column).fill_null(0).to_numpy(zero_copy_only=False)
        words = column.flatten()
        if not len(words):
            return
        texts = as_strings(words)
        if texts is None:
            self.ok &= lengths == 0
            return
        coded = texts.dictionary_encode()
        bits = [self.reader.events.bits.get(word, 0) for word in coded.dictionary.to_pylist()]
        at = coded.indices.fill_null(len(bits)).to_numpy(zero_copy_only=False)
        each = np.array([*bits, 0], dtype=np.uint64).take(at)
        starts = np.cumsum(lengths) - lengths
        events = np.zeros(self.size, dtype=np.uint64)
        for step in range(int(lengths.max(initial=0))):
            rows = np.flatnonzero(lengths > step)
            bit = each.take(starts.take(rows) + step)
            self.ok[rows] &= (bit != 0) & ((events.take(rows) & bit) == 0)
            events[rows] |= bit
        self.facts["events"] = events

    def _check_events(self) -> None:
        events = self.facts.get("events")
        if events is None or not events.any():
            return
        # Only hands that can be are looked at: the keys of others may be of no hand.
        rows = np.flatnonzero(self.ok & (events != 0))
        hands = self.hands.take(rows)
        one = np.ones(len(rows), dtype=np.uint64)
        way = hands.facts.get("way", one)
        discarder = hands.facts.get("discarder", one * np.uint64(0)).astype(np.uint64)
        moved = hands.facts.get("moved", np.zeros(len(rows), dtype=bool))
        facts = {
            "seat": hands.facts.get("seat", one).astype(np.uint64),
            "discarder": discarder,
            "unknown": (discarder == 0) & (way != 1),
            "liable": hands.facts.get("liable", discarder).astype(np.uint64),
            "moved": moved,
        }
        scorer = self.reader.scorer
        possible = self.reader.events.possible(
            events.take(rows), facts, lambda name: scorer.fact(name, hands)
        )
        self.ok[rows[~possible]] = False

    # ---- hands ----------------------------------------------------------------------

    def _hands(self) -> Hands:
        texts = self.texts
        m, p, s, honors = texts.hand
        if not self.ok.all():
            m, p, s, honors = (np.where(self.ok, key, 0) for key in texts.hand)
        suited = (m | p << KEY_BITS | s << (2 * KEY_BITS)).astype(np.uint64)
        facts = self.facts
        melds: NDArray[np.uint8] | None = None
        if texts.laid is not None:
            melds = texts.melds
            facts["laid_keys"] = np.stack([np.where(self.ok, key, 0) for key in texts.laid], axis=1)
        won = texts.won if not len(texts.won) else np.minimum(texts.won, FIRST_FLOWER - 1)
        return Hands(suited, honors.astype(np.uint32), won, melds, facts)


assert HONOR_KEYS < SUIT_KEYS < NO_TILE
assert FIRST_HONOR == 27


def _flower_mask(text: str) -> int | None:
    """The flowers of a text as a mask, None where it is no flowers, or has one twice."""
    try:
        flowers = read_hand("1m", flowers=text).flowers
    except HandError:
        return None
    if len(set(flowers)) < len(flowers):
        return None
    return sum(1 << flower for flower in flowers)


class _Shown:
    """What texts say of dora: a number of dora tiles, or indicators. Nothing stands first."""

    def __init__(self, dora: Mapping[int, int]) -> None:
        self.dora = dora
        self.numbers = [0]
        self.tiles: list[tuple[int, ...]] = [()]

    def place(self, text: str) -> int | None:
        """The place of what a text says; None where it says nothing that can be."""
        try:
            said = read_dora(text)
        except HandError:
            return None
        tiles = said if isinstance(said, tuple) else ()
        if any(tile not in self.dora or tile >= FIRST_FLOWER for tile in tiles):
            return None
        self.numbers.append(said if isinstance(said, int) else 0)
        self.tiles.append(tiles)
        return len(self.tiles) - 1
