"""The work of a batch, chunk by chunk: here, or shared among processes, in the order of the input.

A chunk is a list of lines or a record batch. What comes back is bytes (lines of JSON) or a record
batch of results, with a tally of what became of the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from ruleengine.batch.line import score_line, written
from ruleengine.processes import shared

if TYPE_CHECKING:
    from ruleengine.rules import Rules

Line = tuple[int, "bytes | None"]
"""A line that is not blank, with its number; None stands for one that is too long."""
Form = Literal["lines", "table"]

FEW = 200
"""So many lines are scored one by one: what columns need would take longer to load."""
FIRST = 3
"""Chunks that are scored before other processes are started to help."""
MOST_TOLD = 5


@dataclass(slots=True)
class Tally:
    """What became of records; `first_errors` are the places of the first wrong ones (from 1, lines
    or rows) with what is wrong."""

    records: int = 0
    wins: int = 0
    errors: int = 0
    first_errors: list[tuple[int, str]] = field(default_factory=list)

    @property
    def losses(self) -> int:
        """How many hands were scored and do not win."""
        return self.records - self.wins - self.errors

    def add(self, other: Tally) -> None:
        """Add what became of the records that come next."""
        self.records += other.records
        self.wins += other.wins
        self.errors += other.errors
        self.first_errors += other.first_errors[: MOST_TOLD - len(self.first_errors)]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Records that are scored together. `size` says how much of the input they are (bytes or
    rows), `waits` that there is no more input for now."""

    content: Any
    size: int
    waits: bool = False
    first: int = 0


@dataclass(frozen=True, slots=True)
class Done:
    """A chunk that was scored; no content comes of a chunk without records."""

    content: Any
    tally: Tally
    size: int


class Worker:
    """Scores chunks under one ruleset and gives them in one form."""

    def __init__(self, rules: Rules, language: str, form: Form) -> None:
        self.rules = rules
        self.language = language
        self.form = form
        self._tables: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Worker, (self.rules, self.language, self.form)

    def __call__(self, chunk: Chunk) -> Done:
        """Score one chunk."""
        if not isinstance(chunk.content, list):
            return self._table(chunk)
        if not chunk.content:
            return Done(None, Tally(), chunk.size)
        if self.form == "lines" and len(chunk.content) < FEW:
            return self._one_by_one(chunk)
        return self._lines(chunk)

    def _one_by_one(self, chunk: Chunk) -> Done:
        tally = Tally()
        texts = []
        for number, line in chunk.content:
            found = score_line(self.rules, line, self.language)
            tally.records += 1
            if "error" in found:
                tally.errors += 1
                tally.first_errors.append((number, found["error"]["message"]))
            else:
                tally.wins += found["win"]
            texts.append(written(found))
        return Done(b"".join(texts), tally, chunk.size)

    def _lines(self, chunk: Chunk) -> Done:
        from ruleengine.batch.lines import ids_of, read_lines, score_records

        records = read_lines([line for _, line in chunk.content])
        outcome = score_records(self.tables.scorer, records)
        return self._given(outcome, ids_of(records), [n for n, _ in chunk.content], chunk.size)

    def _table(self, chunk: Chunk) -> Done:
        batch = chunk.content
        from ruleengine.batch.ids import json_ids

        outcome = self.tables.scorer.score(batch)
        at = batch.schema.get_field_index("id")
        ids = None if at < 0 else batch.column(at)
        if self.form == "lines":
            ids = [None] * len(outcome) if ids is None else json_ids(ids)
        numbers = range(chunk.first + 1, chunk.first + 1 + len(outcome))
        return self._given(outcome, ids, numbers, chunk.size)

    def _given(self, outcome: Any, ids: Any, numbers: Any, size: int) -> Done:
        errors = outcome.errors
        first = sorted(errors)[:MOST_TOLD]
        tally = Tally(
            len(outcome),
            int(outcome.win.sum()),
            len(errors),
            [(numbers[row], errors[row].message) for row in first],
        )
        if self.form == "table":
            return Done(self.tables.results(outcome, _as_texts(ids)), tally, size)
        return Done(self._writer.lines(outcome, ids), tally, size)

    @property
    def tables(self) -> Any:
        """What scores tables; made when it is first needed."""
        if self._tables is None:
            from ruleengine.batch.lines import LineWriter

            self._tables = self.rules.batch_scorer(self.language, arrangement=True)
            self._writer = LineWriter(self.rules, self.language)
        return self._tables


def _as_texts(ids: Any) -> Any:
    """Ids for a column: those of lines as texts, whatever is no text as JSON."""
    if not isinstance(ids, list):
        return ids
    import json

    import pyarrow as pa

    texts = [
        id if id is None or isinstance(id, str) else json.dumps(id, ensure_ascii=False)
        for id in ids
    ]
    try:
        return pa.array(texts, pa.string())
    except UnicodeEncodeError:
        whole = [t and t.encode("utf-8", "backslashreplace").decode() for t in texts]
        return pa.array(whole, pa.string())


# ---- several processes -------------------------------------------------------------


def work(worker: Worker, chunks: Iterable[Chunk], jobs: int) -> Iterator[Done]:
    """Score chunks in their order, with `jobs` processes once there is enough to do."""
    chunks = iter(chunks)
    done = 0
    for chunk in chunks:
        yield worker(chunk)
        done += not chunk.waits
        if jobs > 1 and done == FIRST:
            break
    else:
        return
    for _, found in shared(worker, chunks, jobs, lambda chunk: chunk.waits):
        yield found
