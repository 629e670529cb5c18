"""Scores Arrow tables of hand records: Arrow in, Arrow out, the rows in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ruleengine.batch.outcome import LIMITS, REASONS, TableScorer
from ruleengine.batch.read import TILES
from ruleengine.diagnostics import suggest
from ruleengine.errors import RuleEngineError
from ruleengine.record import RECORD_FIELDS

if TYPE_CHECKING:
    from ruleengine.batch.outcome import Outcome
    from ruleengine.rules import Rules

ROWS = 65_536
"""Rows that are scored together."""
COLUMNS = (*RECORD_FIELDS, TILES)
"""The columns that a table of hands may have."""


class TableError(RuleEngineError):
    """A table that cannot be a table of hand records."""

    code = "T101"

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


PATTERN_TYPE = pa.struct(
    [
        ("id", pa.string()),
        ("code", pa.string()),
        ("name", pa.string()),
        ("count", pa.int64()),
        ("points", pa.int64()),
    ]
)
PAYMENTS_TYPE = pa.struct([(seat, pa.int64()) for seat in "ESWN"])
ERROR_TYPE = pa.struct([("code", pa.string()), ("message", pa.string()), ("help", pa.string())])


def result_schema(id_type: Any = None, *, arrangement: bool = False) -> pa.Schema:
    """The columns of a table of results; `id_type` is the Arrow type of the column `id`, if there
    is one.

    Of a row that is in error nothing but `id` and `error` says anything.
    """
    columns: list[tuple[str, Any]] = [] if id_type is None else [("id", id_type)]
    columns += [
        ("win", pa.bool_()),
        ("reason", pa.string()),
        ("points", pa.int64()),
        ("patterns", pa.list_(PATTERN_TYPE)),
        ("limit", pa.string()),
    ]
    if arrangement:
        columns.append(("arrangement", pa.string()))
    columns += [("payments", PAYMENTS_TYPE), ("error", ERROR_TYPE)]
    return pa.schema(columns)


class BatchScorer:
    """Scores tables of hand records under one ruleset: what `Rules.score_batch` stands on.

    May be used from any number of threads, and sent to other processes.
    """

    def __init__(self, rules: Rules, language: str = "en", *, arrangement: bool = False) -> None:
        self.rules = rules
        self.language = language
        self.arrangement = arrangement
        self.scorer = TableScorer(rules, arrangements=arrangement)
        order = rules.program.order
        self._ids = pa.array([pattern.id for pattern in order], pa.string())
        self._codes = pa.array([pattern.code for pattern in order], pa.string())
        self._names = pa.array([p.name.get(language) or p.id for p in order], pa.string())

    def __reduce__(self) -> tuple[Any, ...]:
        return _scorer, (self.rules, self.language, self.arrangement)

    def __call__(self, batch: Any) -> Any:
        """The results of the rows of one record batch, or of a table.

        Raises `TableError` for columns that are no fields of a record.
        """
        check_columns(batch.schema)
        if isinstance(batch, pa.Table):
            return pa.Table.from_batches(
                list(self.batches(batch.to_batches())), schema=self.schema(batch.schema)
            )
        return self.results(self.scorer.score(batch), _ids_of(batch))

    def schema(self, incoming: pa.Schema) -> pa.Schema:
        """The columns of the results of a table with these columns."""
        at = incoming.get_field_index("id")
        id_type = None if at < 0 else incoming.field(at).type
        return result_schema(id_type, arrangement=self.arrangement)

    def batches(self, batches: Iterable[pa.RecordBatch], jobs: int = 1) -> Iterator[pa.RecordBatch]:
        """The results of record batches, one after the other, in bounded memory.

        Takes and gives what `mapInArrow` of Spark does.
        """
        pieces = (piece for batch in batches for piece in _pieces(batch))
        if jobs <= 1:
            yield from map(self, pieces)
            return
        with ThreadPoolExecutor(jobs) as pool:
            yield from in_order(pool, self, pieces, 2 * jobs)

    def results(self, outcome: Outcome, ids: Any = None) -> pa.RecordBatch:
        """An outcome as a table of results."""
        size = len(outcome)
        wrong = ~outcome.right
        some_wrong = bool(outcome.errors)
        nothing = wrong if some_wrong else None
        columns: list[Any] = [] if ids is None else [ids]
        columns += [
            pa.array(outcome.win, mask=nothing),
            _named(REASONS, outcome.reason, nothing),
            pa.array(outcome.points, mask=nothing),
            self._patterns(outcome, nothing),
            _named(LIMITS, outcome.limit, nothing),
        ]
        if self.arrangement:
            columns.append(_where_win(outcome))
        columns.append(
            pa.StructArray.from_arrays(
                [pa.array(row) for row in outcome.payments],
                fields=list(PAYMENTS_TYPE),
                mask=pa.array(~outcome.paid),
            )
        )
        columns.append(_errors(outcome, size, wrong))
        schema = result_schema(None if ids is None else ids.type, arrangement=self.arrangement)
        return pa.RecordBatch.from_arrays(columns, schema=schema)

    def _patterns(self, outcome: Outcome, nothing: Any) -> pa.ListArray:
        entries = outcome.entries
        place = pa.array(entries.place)
        values = pa.StructArray.from_arrays(
            [
                self._ids.take(place),
                self._codes.take(place),
                self._names.take(place),
                pa.array(entries.count),
                pa.array(entries.points),
            ],
            fields=list(PATTERN_TYPE),
        )
        ends = np.zeros(len(outcome) + 1, dtype=np.int32)
        np.cumsum(np.bincount(entries.row, minlength=len(outcome)), out=ends[1:])
        mask = None if nothing is None else pa.array(nothing)
        return pa.ListArray.from_arrays(
            pa.array(ends), values, type=pa.list_(PATTERN_TYPE), mask=mask
        )


def _scorer(rules: Rules, language: str, arrangement: bool) -> BatchScorer:
    return BatchScorer(rules, language, arrangement=arrangement)


def score_batch(
    rules: Rules, table: Any, *, language: str, arrangement: bool, jobs: int
) -> pa.Table:
    """Score a table of hand records; see `Rules.score_batch`."""
    incoming = as_table(table)
    check_columns(incoming.schema)
    scorer = rules.batch_scorer(language, arrangement=arrangement)
    results = list(scorer.batches(incoming.to_batches(), jobs))
    return pa.Table.from_batches(results, schema=scorer.schema(incoming.schema))


def as_table(table: Any) -> pa.Table:
    """An Arrow table of what Arrow can read: tables, record batches and data frames.

    Raises `TableError` for anything else.
    """
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    if hasattr(table, "__arrow_c_stream__") or hasattr(table, "__arrow_c_array__"):
        return _read_by_arrow(table)
    kind = type(table).__name__
    raise TableError(
        f"score_batch takes a table, not a value of type {kind}",
        "for example: pyarrow.Table.from_pylist([{'hand': '123m456p789s1122z+1z'}])",
    )


def _read_by_arrow(frame: Any) -> pa.Table:
    """A frame as a table. A frame can hold what no table can: values of several types in a column,
    columns of one name."""
    try:
        return pa.table(frame)
    except (pa.ArrowException, ValueError, TypeError) as error:
        reasons = [text for text in error.args if isinstance(text, str)]
        said = "; ".join(" ".join(text.split()).rstrip(".") for text in reasons) or str(error)
        kind = type(frame).__name__
        raise TableError(
            f"this {kind} is no table to Arrow: {said[:300]}",
            "each column has a name of its own and values of one type",
        ) from None


def check_columns(schema: pa.Schema) -> None:
    """Check that the columns of a table are fields of a record. Raises `TableError`."""
    names = schema.names
    for name in names:
        if name not in COLUMNS:
            meant = suggest(name[:100], COLUMNS)
            help_line = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(COLUMNS)}"
            raise TableError(f"a table of hands has no column '{name[:100]}'", help_line)
        if names.count(name) > 1:
            raise TableError(f"the table has two columns '{name}'")
    if "hand" in names and TILES in names:
        raise TableError("a table of hands has a column 'hand' or a column 'tiles', not both")
    if "hand" not in names and TILES not in names:
        raise TableError("a table of hands needs a column 'hand', or a column 'tiles'")


def in_order(pool: Any, function: Any, items: Iterable[Any], most: int) -> Iterator[Any]:
    """What a function makes of items, worked out side by side and given in their order, never
    more than `most` ahead."""
    waiting: deque[Future[Any]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) >= most:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _pieces(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    for at in range(0, batch.num_rows, ROWS):
        yield batch.slice(at, ROWS)


def _ids_of(batch: pa.RecordBatch) -> Any:
    at = batch.schema.get_field_index("id")
    return None if at < 0 else batch.column(at)


def _named(names: tuple[str | None, ...], codes: Any, nothing: Any) -> pa.StringArray:
    """Codes by their names. All without a name is the usual case."""
    if not codes.any():
        return pa.nulls(len(codes), pa.string())
    return pa.array(names, pa.string()).take(pa.array(codes, mask=nothing))


def _where_win(outcome: Outcome) -> pa.StringArray:
    """The arrangements of the hands that win."""
    assert outcome.arrangements is not None
    if outcome.win.all():
        return outcome.arrangements
    at = pa.array(np.arange(len(outcome)), mask=~outcome.win)
    return outcome.arrangements.take(at)


def _errors(outcome: Outcome, size: int, wrong: Any) -> pa.StructArray:
    if not outcome.errors:
        return pa.nulls(size, ERROR_TYPE)
    told = [
        {"code": error.code, "message": error.message, "help": error.help}
        if (error := outcome.errors.get(row)) is not None
        else None
        for row in range(size)
    ]
    return pa.array(told, ERROR_TYPE)
