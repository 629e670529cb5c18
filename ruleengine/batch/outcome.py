"""Scores a table of hand records: most rows by columns, the odd ones alone, all in one outcome."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ruleengine import record as records
from ruleengine.batch.arrangements import ColumnArrangements
from ruleengine.batch.line import engine_error
from ruleengine.batch.payments import ColumnPayments
from ruleengine.batch.plain import plain
from ruleengine.batch.read import TILES, ReadHands, TableReader
from ruleengine.batch.score import ColumnScorer
from ruleengine.errors import HandError
from ruleengine.tiles import FIRST_FLOWER, SEATS, format_tiles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from ruleengine.batch.judge import Judged
    from ruleengine.batch.text import Texts
    from ruleengine.result import Result
    from ruleengine.rules import Rules

REASONS = (None, "not_a_winning_hand", "below_minimum")
LIMITS = (None, "cap", "limit_pattern")


@dataclass(frozen=True, slots=True)
class Entries:
    """Patterns that count, a row each, in the order of the hands and of their results: of which
    hand, which pattern (by its place in the order of a result), how often, and what it adds."""

    row: NDArray[np.int64]
    place: NDArray[np.int64]
    count: NDArray[np.int64]
    points: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the rows of a table. `reason` and `limit` are places in `REASONS` and
    `LIMITS`; `payments` has a row a seat and says something of the hands that `paid` names."""

    points: NDArray[np.int64]
    win: NDArray[np.bool_]
    reason: NDArray[np.int8]
    limit: NDArray[np.int8]
    entries: Entries
    payments: NDArray[np.int64]
    paid: NDArray[np.bool_]
    errors: dict[int, HandError]
    arrangements: pa.StringArray | None

    def __len__(self) -> int:
        return len(self.points)

    @classmethod
    def of_errors(cls, size: int, error: HandError) -> Outcome:
        """So many hands that have the same error."""
        nothing = np.zeros(size, dtype=np.int64)
        short, no = nothing.astype(np.int8), nothing.astype(bool)
        return cls(
            nothing, no, short, short, Entries(*(nothing[:0],) * 4),
            np.zeros((len(SEATS), size), dtype=np.int64), no, dict.fromkeys(range(size), error),
            None,
        )  # fmt: skip

    @property
    def right(self) -> NDArray[np.bool_]:
        """The rows that have no error."""
        found = np.ones(len(self), dtype=bool)
        found[list(self.errors)] = False
        return found


class TableScorer:
    """Scores tables of hand records under one ruleset. May be used from any number of threads."""

    def __init__(self, rules: Rules, *, arrangements: bool = True) -> None:
        self.rules = rules
        self.scorer = ColumnScorer(rules, keeps_order=arrangements)
        self.reader = TableReader(rules, self.scorer)
        self._arrangements = ColumnArrangements(self.scorer.finder) if arrangements else None
        self._amounts = [_amounts(rules, place) for place in range(len(rules.program.order))]
        self._places = {pattern.id: at for at, pattern in enumerate(rules.program.order)}

    @cached_property
    def _payments(self) -> ColumnPayments:
        return ColumnPayments(self.rules.program, self.scorer.amounts.points)

    def score(self, batch: pa.RecordBatch, given: Sequence[Any] | None = None) -> Outcome:
        """Score the rows of a table. A row that is wrong has an error in the outcome.

        `given` are the rows as records, where the table was made of them.
        """
        if given is None:
            batch = plain(batch, leave=("id",))
        read = self.reader.read(batch)

        def odd(rows: NDArray[np.intp]) -> Sequence[Any]:
            return records_of(batch, rows) if given is None else [given[row] for row in rows]

        return self._scored(read, batch.num_rows, odd)

    def score_texts(
        self,
        texts: Texts,
        columns: Mapping[str, pa.Array],
        odd: Callable[[NDArray[np.intp]], Sequence[Any]],
    ) -> Outcome:
        """Score hands that were read before. `columns` have the other fields of a record; `odd`
        gives the records of some rows, for those that are scored alone."""
        size = len(texts.rows)
        return self._scored(self.reader.won(texts, columns, size), size, odd)

    def _scored(
        self,
        read: ReadHands,
        size: int,
        odd: Callable[[NDArray[np.intp]], Sequence[Any]],
    ) -> Outcome:
        judged = self.scorer.score(read.hands)
        outcome = self._of_columns(read, judged, size)
        if not len(read.odd):
            return outcome
        return self._with_odd(outcome, read.odd, odd(read.odd))

    # ---- what was scored by columns -------------------------------------------------

    def _of_columns(self, read: ReadHands, judged: Judged, size: int) -> Outcome:
        numbers = self.rules.program.numbers
        shaped = judged.place >= 0
        win = shaped & (judged.base >= numbers.minimum)
        reason = np.where(win, 0, np.where(shaped, 2, 1)).astype(np.int8)
        limit = np.zeros(len(judged), dtype=np.int8)
        if numbers.cap is not None:
            limit[shaped & (judged.points >= numbers.cap)] = 1
        limit[judged.alone >= 0] = 2
        way = read.hands.facts.get("way", 1)
        discarder = read.hands.facts.get("discarder", 0)
        paid = win & ((np.asarray(way) == 1) | (np.asarray(discarder) != 0))
        payments = self._payments.of(judged.points, read.hands.facts)
        arrangements: pa.StringArray | None = None
        if self._arrangements is not None:
            assert judged.order is not None
            arrangements = self._arrangements.written(
                read.hands, judged.order, read.meld_kind, read.meld_tile
            )
        entries = self._entries(judged)
        points = judged.points.astype(np.int64)
        if len(read.rows) == size:
            return Outcome(points, win, reason, limit, entries, payments, paid, {}, arrangements)
        rows = read.rows
        if arrangements is not None:
            at = np.full(size, -1, dtype=np.int64)
            at[rows] = np.arange(len(rows))
            arrangements = arrangements.take(pa.array(at, mask=at < 0))
        whole_payments = np.zeros((len(SEATS), size), dtype=np.int64)
        whole_payments[:, rows] = payments
        return Outcome(
            _spread(points, rows, size), _spread(win, rows, size),
            _spread(reason, rows, size), _spread(limit, rows, size),
            Entries(rows.take(entries.row), entries.place, entries.count, entries.points),
            whole_payments, _spread(paid, rows, size), {}, arrangements,
        )  # fmt: skip

    def _entries(self, judged: Judged) -> Entries:
        """The patterns that count, hand by hand."""
        found = judged.found
        standing = judged.alone >= 0
        if standing.any():
            found = found.copy()
            rows = np.flatnonzero(standing)
            place = judged.alone.take(rows).astype(np.int64)
            found[:, rows] = 0
            found[place // 64, rows] = np.uint64(1) << (place % 64).astype(np.uint64)
        # One row a hand and one bit a pattern, lowest place first.
        as_bytes = np.ascontiguousarray(found.T).astype("<u8", copy=False).view(np.uint8)
        as_bytes = as_bytes.reshape(len(judged), 8 * len(found))
        as_bytes = as_bytes[:, : (len(self._amounts) + 7) // 8]
        bits = np.unpackbits(as_bytes, axis=1, bitorder="little")
        flat = np.flatnonzero(bits)
        row, place = np.divmod(flat, bits.shape[1])
        count = np.ones(len(row), dtype=np.int64)
        points = np.array([amount or 0 for amount in self._amounts], np.int64).take(place)
        for at in judged.counts:
            those = np.flatnonzero(place == at)
            whose = row.take(those)
            count[those] = judged.counts[at].take(whose)
            points[those] = judged.awards[at].take(whose)
        return Entries(row, place, count, points)

    # ---- what was scored alone ------------------------------------------------------

    def _with_odd(
        self,
        outcome: Outcome,
        rows: NDArray[np.intp],
        given: Sequence[Any],
    ) -> Outcome:
        errors: dict[int, HandError] = {}
        entries: list[tuple[int, int, int, int]] = []
        texts: dict[int, str | None] = {}
        for row, record in zip(rows.tolist(), given, strict=True):
            found = result_or_error(self.rules, record)
            if isinstance(found, HandError):
                errors[row] = found
                continue
            outcome.points[row] = found.points
            outcome.win[row] = found.win
            outcome.reason[row] = REASONS.index(found.reason)
            outcome.limit[row] = LIMITS.index(found.limit)
            entries += [(row, self._places[c.id], c.count, c.points) for c in found.patterns]
            payments = found.payments
            if payments is not None:
                outcome.paid[row] = True
                outcome.payments[:, row] = list(payments.values())
            if self._arrangements is not None:
                texts[row] = found.arrangement
        arrangements = outcome.arrangements
        if arrangements is not None and texts:
            mask = np.zeros(len(outcome), dtype=bool)
            mask[list(texts)] = True
            given = pa.array(list(texts.values()), pa.string())
            arrangements = pc.replace_with_mask(arrangements, pa.array(mask), given)
        return Outcome(
            outcome.points, outcome.win, outcome.reason, outcome.limit,
            _merged(outcome.entries, entries), outcome.payments, outcome.paid, errors, arrangements,
        )  # fmt: skip


def result_or_error(rules: Rules, record: Any) -> Result | HandError:
    """The result of one record, or what is wrong with it."""
    try:
        if isinstance(record, HandError):
            return record
        found = records.score_record(rules, record)
        # Whatever is worked out late is asked for here, where a mistake can be caught.
        _ = found.patterns, found.payments, found.arrangement
        return found
    except HandError as error:
        return error
    except Exception as error:
        return engine_error(error)


def records_of(batch: pa.RecordBatch, rows: NDArray[np.intp]) -> list[Any]:
    """Some rows of a table as records; a `HandError` for tiles that cannot be written."""
    found: list[Any] = []
    batch = batch.select([name for name in batch.schema.names if name != "id"])
    for record in batch.take(pa.array(rows)).to_pylist():
        given = {name: value for name, value in record.items() if value is not None}
        dora = given.get("dora")
        if isinstance(dora, float) and dora.is_integer():
            given["dora"] = int(dora)
        if isinstance(given.get("options"), dict):
            given["options"] = {k: v for k, v in given["options"].items() if v is not None}
        if TILES in record:
            try:
                given["hand"] = _written(given.pop(TILES, None))
            except HandError as error:
                found.append(error)
                continue
        found.append(given)
    return found


def _written(tiles: Any) -> str:
    """Numbers of tiles as a hand, the last one winning."""
    if not isinstance(tiles, list) or not tiles:
        raise HandError("H126", "'tiles' is a list of numbers of tiles, the winning one last")
    for tile in tiles:
        if type(tile) is not int or not 0 <= tile < FIRST_FLOWER:
            raise HandError("H126", f"{tile} is not the number of a tile: they go from 0 to 33")
    return f"{format_tiles(sorted(tiles[:-1]))}+{format_tiles(tiles[-1:])}"


def _amounts(rules: Rules, place: int) -> int | None:
    entry = rules.program.entry(place)
    # What no column holds is never asked for.
    return None if entry is None else entry.points


def _spread(column: NDArray[Any], rows: NDArray[np.intp], size: int) -> NDArray[Any]:
    found = np.zeros(size, dtype=column.dtype)
    found[rows] = column
    return found


def _merged(entries: Entries, more: list[tuple[int, int, int, int]]) -> Entries:
    """Entries with those of further hands, in the order of the hands."""
    if not more:
        return entries
    added = np.array(more, dtype=np.int64)
    row = np.concatenate([entries.row, added[:, 0]])
    sort = np.argsort(row, kind="stable")
    return Entries(
        row.take(sort),
        np.concatenate([entries.place, added[:, 1]]).take(sort),
        np.concatenate([entries.count, added[:, 2]]).take(sort),
        np.concatenate([entries.points, added[:, 3]]).take(sort),
    )
