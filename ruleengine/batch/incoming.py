"""Reads the input of a batch in chunks: lines of JSON, or the rows of a Parquet file."""

from __future__ import annotations

import os
import select
import stat
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ruleengine.batch import line as lines
from ruleengine.batch.work import Chunk
from ruleengine.errors import RuleEngineError

if TYPE_CHECKING:
    from typing import BinaryIO

    from ruleengine.batch.work import Line

BLOCK = 1 << 22
"""Bytes that are read at a time."""
ROWS = 65_536
"""Rows of a Parquet file that are scored together."""
PARQUET_START = b"PAR1"
_PATIENCE = 0.002
"""How long (in seconds) to wait for more of what comes through a pipe."""


class InputError(RuleEngineError):
    """An input that cannot be read as what it is said to be."""

    code = "U103"

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


def is_parquet(start: bytes) -> bool:
    """Whether a file that starts so is a Parquet file."""
    return start[:4] == PARQUET_START


def first_bytes(stream: Any) -> bytes:
    """What has come so far, and four bytes at least, unless there are no more."""
    read = getattr(stream, "read1", stream.read)
    found: bytes = read(BLOCK)
    while found and len(found) < 4:
        more = read(BLOCK)
        if not more:
            break
        found += more
    return found


def line_chunks(incoming: BinaryIO, start: bytes = b"", skip: int = 0) -> Iterator[Chunk]:
    """The lines that are not blank, as they come; `start` is what was read of the input before,
    `skip` says how many of these lines are left out."""
    live = _comes_by_and_by(incoming)
    rest = b""
    number = 0
    too_long = False
    data, waits = start, live
    while True:
        if not data:
            data, waits = _read(incoming, live)
        if not data:
            break
        if not number and not rest:
            data = data.removeprefix(b"\xef\xbb\xbf")
        pieces = (rest + data).split(b"\n")
        size = len(data)
        data = b""
        rest = pieces.pop()
        found: list[Line] = []
        for piece in pieces:
            number += 1
            if too_long or len(piece) > lines.LONGEST_LINE:
                found.append((number, None))
                too_long = False
            elif piece.strip():
                found.append((number, piece))
        if len(rest) > lines.LONGEST_LINE:
            too_long, rest = True, b""
        skipped = min(skip, len(found))
        skip -= skipped
        yield Chunk(found[skipped:], size, waits)
    if too_long or rest.strip():
        last = None if too_long or len(rest) > lines.LONGEST_LINE else rest
        yield Chunk([] if skip else [(number + 1, last)], 0, True)


def _comes_by_and_by(incoming: BinaryIO) -> bool:
    """Whether the input may still be written: a pipe, a terminal, a socket."""
    try:
        mode = os.fstat(incoming.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and hasattr(incoming, "read1")


def _read(incoming: Any, live: bool) -> tuple[bytes, bool]:
    """Some of the input, and whether no more has come yet."""
    if not live:
        return incoming.read(BLOCK), False
    data: bytes = incoming.read1(BLOCK)
    while data and len(data) < BLOCK:
        try:
            ready, _, _ = select.select([incoming], [], [], _PATIENCE)
        except (OSError, ValueError):
            # Windows waits for sockets only.
            return data, True
        if not ready:
            return data, True
        more = incoming.read1(BLOCK - len(data))
        if not more:
            return data, True
        data += more
    return data, False


class ParquetRows:
    """The rows of a Parquet file. Raises `InputError` for a file that is none."""

    def __init__(self, source: Any, name: str) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        from ruleengine.batch.table import check_columns

        self.name = name
        try:
            self.file = pq.ParquetFile(source)
        except (pa.ArrowInvalid, OSError) as error:
            raise InputError(f"{name} is no Parquet file: {_first_line(error)}") from None
        self.rows: int = self.file.metadata.num_rows
        self.schema = self.file.schema_arrow
        check_columns(self.schema)

    def chunks(self, skip: int = 0) -> Iterator[Chunk]:
        """The rows but the first `skip`."""
        import pyarrow as pa

        first = 0
        try:
            for batch in self.file.iter_batches(ROWS):
                kept = batch.slice(skip)
                skip -= batch.num_rows - kept.num_rows
                start = first + batch.num_rows - kept.num_rows
                first += batch.num_rows
                yield Chunk(kept, batch.num_rows, False, start)
        except (pa.ArrowException, OSError) as error:
            message = f"{self.name} cannot be read to its end: {_first_line(error)}"
            raise InputError(message) from None


def spooled(incoming: BinaryIO, start: bytes) -> Any:
    """What comes through a pipe as a file that can be read from its end, as Parquet is."""
    spool = tempfile.TemporaryFile()  # noqa: SIM115
    spool.write(start)
    while data := incoming.read(BLOCK):
        spool.write(data)
    spool.seek(0)
    return spool


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".").lower()
