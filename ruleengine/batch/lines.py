"""Scores many lines of hand records at once; gives for each what `line.score_line` gives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ruleengine.batch.line import read_record
from ruleengine.batch.outcome import LIMITS, REASONS, TableScorer
from ruleengine.errors import HandError
from ruleengine.record import RECORD_FIELDS, error_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.batch.outcome import Outcome
    from ruleengine.rules import Rules

_TEXTS = ("hand", "winning_tile", "by", "seat", "round", "from", "liable", "flowers")
_KNOWN = frozenset(RECORD_FIELDS)
_ALONE = ("options", "discards")
"""Fields of records that are always scored alone."""


def read_lines(lines: Sequence[bytes | None]) -> list[Any]:
    """The record of each line, or the `HandError` of one that has none."""
    found: list[Any] = []
    for line in lines:
        try:
            found.append(read_record(line))
        except HandError as error:
            found.append(error)
    return found


def table_of(records: Sequence[Any]) -> pa.RecordBatch:
    """Records as a table, without ids. Those that a table cannot hold have no hand in it."""
    names = {name for record in records if type(record) is dict for name in record}
    fields = [name for name in RECORD_FIELDS if name in names and name not in ("id", *_ALONE)]
    alone = [name for name in (*_ALONE, *(names - _KNOWN)) if name in names]
    given: list[dict[str, Any]] = [
        record if type(record) is dict and _fits(record, alone) else {} for record in records
    ]
    columns: dict[str, pa.Array] = {"hand": pa.nulls(len(records), pa.string())}
    for name in fields:
        columns[name] = _column(name, given)
    # A value of the wrong kind leaves a record without a hand, so that it is looked at alone.
    wrong = np.array([record is _WRONG for record in given])
    if wrong.any():
        columns["hand"] = pc.if_else(pa.array(wrong), pa.scalar(None, pa.string()), columns["hand"])
    return pa.RecordBatch.from_pydict(columns)


_WRONG: dict[str, Any] = {}


def _fits(record: dict[str, Any], alone: list[str]) -> bool:
    return all(
        record.get(name) is None and (name in _KNOWN or name not in record) for name in alone
    )


def _column(name: str, given: list[dict[str, Any]]) -> pa.Array:
    """One field of all records; a record whose value is of the wrong kind is marked."""
    values = [record.get(name) for record in given]
    kind: Any = pa.string()
    if name == "events":
        kind = pa.list_(pa.string())
    elif name == "dora" and not any(isinstance(value, str) for value in values):
        kind = pa.int64()
    elif name == "dora":
        values = [str(x) if _is_small(x) else x for x in values]
    fits = _FITS[name, kind == pa.int64()]
    try:
        if name in _TEXTS or all(value is None or fits(value) for value in values):
            return pa.array(values, kind)
    except (pa.ArrowException, TypeError, UnicodeEncodeError, OverflowError):
        pass
    for at, value in enumerate(values):
        if value is not None and not fits(value):
            given[at] = _WRONG
            values[at] = None
    return pa.array(values, kind)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and not any("\ud800" <= sign <= "\udfff" for sign in value)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_small(value: Any) -> bool:
    """Whether a number says the same as its digits in a text."""
    return type(value) is int and 0 <= value < 1000


def _is_number(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 62


_FITS: dict[tuple[str, bool], Any] = {(name, False): _is_text for name in (*_TEXTS, "dora")}
_FITS["dora", True] = _is_number
_FITS["events", False] = _is_texts


class LineWriter:
    """Writes outcomes as lines of JSON, with the names of patterns in one language."""

    def __init__(self, rules: Rules, language: str) -> None:
        self.rules = rules
        self.language = language
        self._patterns: dict[tuple[int, int, int], str] = {}
        self._rules = json.dumps(rules.id, ensure_ascii=False)
        limits = [json.dumps(limit) for limit in LIMITS]
        self._limits = [f'], "limit": {limit}, "arrangement": "' for limit in limits]
        self._starts = [
            f', "rules": {self._rules}, "win": true, "points": ',
            *(
                f', "rules": {self._rules}, "win": false, "reason": "{reason}", "points": '
                for reason in REASONS[1:]
            ),
        ]

    def lines(self, outcome: Outcome, ids: Sequence[Any]) -> bytes:
        """A line for each row of an outcome."""
        patterns = self._pattern_texts(outcome)
        points = outcome.points.tolist()
        limits = outcome.limit.tolist()
        assert outcome.arrangements is not None
        arrangements = outcome.arrangements.to_pylist()
        paid = outcome.paid.tolist()
        payments = outcome.payments.T.tolist()
        errors = outcome.errors
        starts, middles = self._starts, self._limits
        found: list[str] = []
        for at, reason in enumerate(outcome.reason.tolist()):
            if at in errors:
                text = json.dumps(error_record(ids[at], errors[at]), ensure_ascii=False)
                found.append(text)
                continue
            id = ids[at]
            said = str(id) if type(id) is int else "null" if id is None else _json(id)
            text = f'{{"id": {said}{starts[reason]}{points[at]}, "patterns": [{patterns[at]}'
            if reason:
                found.append(text + "]}")
                continue
            if paid[at]:
                e, s, w, n = payments[at]
                end = f'", "payments": {{"E": {e}, "S": {s}, "W": {w}, "N": {n}}}}}'
            else:
                end = '", "payments": null}'
            found.append(f"{text}{middles[limits[at]]}{arrangements[at]}{end}")
        return _encoded(found)

    def _pattern_texts(self, outcome: Outcome) -> list[str]:
        """The patterns of each row, written."""
        entries = outcome.entries
        numbers = zip(
            entries.place.tolist(), entries.count.tolist(), entries.points.tolist(), strict=True
        )
        known = self._patterns
        texts: list[str] = []
        for number in numbers:
            text = known.get(number)
            if text is None:
                text = self._written(*number)
                if len(known) < _MOST_KEPT:
                    known[number] = text
            texts.append(text)
        ends = np.cumsum(np.bincount(entries.row, minlength=len(outcome))).tolist()
        found: list[str] = []
        start = 0
        for end in ends:
            found.append(", ".join(texts[start:end]))
            start = end
        return found

    def _written(self, place: int, count: int, points: int) -> str:
        pattern = self.rules.program.order[place]
        found = {
            "id": pattern.id,
            "code": pattern.code,
            "name": pattern.name.get(self.language) or pattern.id,
            "count": count,
            "points": points,
        }
        return json.dumps(found, ensure_ascii=False)


_MOST_KEPT = 100_000


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _encoded(lines: list[str]) -> bytes:
    """Lines as bytes; one with half a character is written in ASCII."""
    if not lines:
        return b""
    try:
        return ("\n".join(lines) + "\n").encode()
    except UnicodeEncodeError:
        return b"".join(_encoded_alone(line) for line in lines)


def _encoded_alone(line: str) -> bytes:
    try:
        return line.encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(json.loads(line)).encode() + b"\n"


def score_records(scorer: TableScorer, records: Sequence[Any]) -> Outcome:
    """The outcome of records; one may be a `HandError`, for what is no record."""
    return scorer.score(table_of(records), given=records)


def ids_of(records: Sequence[Any]) -> list[Any]:
    """The id of each record; None for what has none."""
    return [record.get("id") if isinstance(record, dict) else None for record in records]
