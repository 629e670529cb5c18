"""An input of hand records: a file or standard input, JSON lines or a Parquet file."""

from __future__ import annotations

import hashlib
import os
import sys
from typing import TYPE_CHECKING, Any

from ruleengine.batch.forms import other_form
from ruleengine.batch.incoming import (
    BLOCK,
    InputError,
    ParquetRows,
    first_bytes,
    is_parquet,
    line_chunks,
    spooled,
)
from ruleengine.batch.line import read_record
from ruleengine.errors import HandError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from ruleengine.batch.work import Chunk

TABLE_ENDINGS = (".parquet", ".pq")


class Incoming:
    """An input of records, opened: what it is shows in its first bytes, whatever it is called.

    Raises `InputError` for what is neither JSON lines nor a Parquet file.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.stream: BinaryIO = sys.stdin.buffer if source == "-" else open(source, "rb")  # noqa: SIM115
        self.rows: ParquetRows | None = None
        try:
            self.start = first_bytes(self.stream)
            if is_parquet(self.start):
                self.rows = self._table()
            else:
                self._check_lines()
        except BaseException:
            self._close()
            raise

    def _table(self) -> ParquetRows:
        if self.source == "-" or not self.stream.seekable():
            given = self.stream
            self.stream = spooled(given, self.start)
            if self.source != "-":
                given.close()
        return ParquetRows(self.stream, self.name)

    def _check_lines(self) -> None:
        form = other_form(self.start)
        file = None if self.source == "-" else self.source
        if form is not None:
            message = f"{self.name} is {form.what}; records are JSON lines or a Parquet file"
            raise InputError(message, form.help(file))
        if self.source.lower().endswith(TABLE_ENDINGS):
            raise InputError(f"{self.name} is no Parquet file", "a batch can also be JSON lines")

    @property
    def name(self) -> str:
        """What the input is called in a message."""
        return "standard input" if self.source == "-" else self.source

    def __enter__(self) -> Incoming:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        if self.source != "-" or self.stream is not sys.stdin.buffer:
            self.stream.close()

    @property
    def is_table(self) -> bool:
        """Whether the input is a table."""
        return self.rows is not None

    @property
    def size(self) -> int | None:
        """Bytes, or rows of a table; None where nobody can know yet."""
        if self.rows is not None:
            return self.rows.rows
        if self.source == "-" or not os.path.isfile(self.source):
            return None
        return os.path.getsize(self.source)

    def chunks(self, skip: int) -> Iterator[Chunk]:
        """The records but the first `skip`."""
        if self.rows is not None:
            return self.rows.chunks(skip)
        return line_chunks(self.stream, self.start, skip)

    def records(self) -> Iterator[object]:
        """The records as they were given, one by one; an error in place of what is none."""
        if self.rows is not None:
            import numpy as np

            from ruleengine.batch.outcome import records_of
            from ruleengine.batch.plain import plain

            for chunk in self.rows.chunks():
                yield from records_of(plain(chunk.content, leave=("id",)), np.arange(chunk.size))
            return
        for chunk in line_chunks(self.stream, self.start):
            for _, line in chunk.content:
                try:
                    yield read_record(line)
                except HandError as error:
                    yield error

    def fingerprint(self) -> dict[str, Any]:
        """What tells this input from another."""
        if not os.path.isfile(self.source):
            # What comes through a pipe is there once.
            return {"input": self.source}
        with open(self.source, "rb") as stream:
            start = stream.read(BLOCK)
        return {
            "input": os.path.abspath(self.source),
            "size": os.path.getsize(self.source),
            # A record that was put right in place changes neither the size nor the start.
            "changed": os.stat(self.source).st_mtime_ns,
            "start": hashlib.sha256(start).hexdigest(),
        }
