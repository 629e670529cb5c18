"""Writes the results of a batch: under another name until they are whole, and so that a batch
that was stopped can be continued.

Beside an unfinished file `NAME` stands `.NAME.unfinished`, a folder. Lines are in one file there,
tables in many, each of them whole; `batch.json` says what batch they are of. Whatever was cut off
by a stop is dropped when the batch is continued.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from ruleengine.batch.work import Tally
from ruleengine.errors import RuleEngineError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    from ruleengine.batch.work import Done

LOCK = "lock"
"""The file that a batch holds while it writes."""
ROWS_A_GROUP = 131_072
"""Rows that are written to a table together, more or less."""
ROWS_A_PIECE = 4 * ROWS_A_GROUP
"""Rows that a finished piece of an unfinished table has, more or less."""
SECONDS_A_PIECE = 10.0
"""A piece is finished after so long, however few rows it has; more work a stop cannot take."""


class ResumeError(RuleEngineError):
    """A batch that cannot be continued."""

    code = "U104"

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


class Unfinished:
    """The folder of what a batch has written so far. `about` tells one batch from another."""

    def __init__(self, target: Path, about: Mapping[str, Any], *, resume: bool) -> None:
        self.target = target
        self.folder = target.with_name(f".{target.name}.unfinished")
        self._lock = self._locked()
        note = self.folder / "batch.json"
        said = json.dumps(about, indent=1, sort_keys=True)
        # A batch that was stopped before it had its note has written nothing.
        self.resumed = resume and note.is_file()
        if self.resumed:
            if note.read_text(encoding="utf-8", errors="replace") != said:
                self.release()
                raise ResumeError(
                    f"what was written of {target.name} is of another batch: the input, the rules, "
                    "the options or the language were different",
                    "leave out --resume to start again",
                )
            return
        for path in self.folder.iterdir():
            if path.name != LOCK:
                path.unlink()
        part = self.folder / "batch.json.part"
        try:
            part.write_text(said, encoding="utf-8")
            os.replace(part, note)
        except OSError:
            self.drop()
            raise

    def _locked(self) -> BinaryIO:
        """Take hold of the folder. Raises `ResumeError` where another batch has it."""
        while True:
            self.folder.mkdir(exist_ok=True)
            try:
                lock = open(self.folder / LOCK, "ab")  # noqa: SIM115
            except FileNotFoundError:
                # A batch that has just ended took the folder away.
                continue
            if not _hold(lock):
                lock.close()
                raise ResumeError(
                    f"another batch is writing {self.target.name} at this moment",
                    "wait until it has ended, or write to another file",
                )
            if _still_there(lock, self.folder / LOCK):
                return lock
            lock.close()

    def finish(self, whole: Path) -> None:
        """Put a whole file in the place of the target."""
        os.replace(whole, self.target)
        self.drop()

    def drop(self) -> None:
        """Leave nothing behind."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.release()

    def release(self) -> None:
        """Let another batch continue."""
        self._lock.close()


def _hold(lock: BinaryIO) -> bool:
    """Hold a file until it is closed or the process ends; whether nobody else does."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        # A file system without locks.
        return True
    return True


def _still_there(lock: BinaryIO, path: Path) -> bool:
    """Whether an open file has its name still."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), os.stat(path))
    except FileNotFoundError:
        return False


class LinesOut:
    """Results as lines of JSON, in a stream that is written as it is."""

    def __init__(self, stream: BinaryIO, *, live: bool) -> None:
        self.stream = stream
        self.live = live
        self.before = Tally()

    def write(self, done: Done) -> None:
        """Write the results of a chunk."""
        if done.content is not None:
            self.stream.write(done.content)
            if self.live:
                self.stream.flush()

    def finish(self) -> None:
        """Everything is written."""
        self.stream.flush()

    def stop(self) -> bool:
        """Nothing more comes; whether what is there can be continued."""
        return False


class LinesFile:
    """Results as lines of JSON in a file. `before` is what it has from an earlier run."""

    def __init__(self, unfinished: Unfinished, rules: str) -> None:
        self.unfinished = unfinished
        self.path = unfinished.folder / "lines.jsonl"
        self.before = _whole_lines(self.path, rules) if unfinished.resumed else Tally()
        self.stream = open(self.path, "ab")  # noqa: SIM115

    def write(self, done: Done) -> None:
        """Write the results of a chunk."""
        if done.content is not None:
            self.stream.write(done.content)

    def finish(self) -> None:
        """Everything is written: the file takes its place."""
        self.stream.close()
        self.unfinished.finish(self.path)

    def stop(self) -> bool:
        """Nothing more comes; whether what is there can be continued."""
        with suppress(OSError):
            # A full disk takes no more, and what it has taken is there.
            self.stream.close()
        if self.path.exists() and self.path.stat().st_size:
            self.unfinished.release()
            return True
        self.unfinished.drop()
        return False


def _whole_lines(path: Path, rules: str) -> Tally:
    """Cut off the last line if it was not written to its end; what the others say."""
    found = Tally()
    if not path.exists():
        return found
    scored = f', "rules": {json.dumps(rules, ensure_ascii=False)}, "win": '.encode()
    end = 0
    with open(path, "r+b") as stream:
        for line in stream:
            if not line.endswith(b"\n"):
                break
            end += len(line)
            found.records += 1
            if scored not in line:
                found.errors += 1
            elif scored + b"true" in line:
                found.wins += 1
        stream.truncate(end)
    return found


class TableFile:
    """Results as a Parquet file. `before` is what there is from an earlier run."""

    def __init__(self, unfinished: Unfinished, about: Mapping[str, str]) -> None:
        self.unfinished = unfinished
        self.about = {key.encode(): value.encode() for key, value in about.items()}
        self.pieces = sorted(unfinished.folder.glob("piece-*.parquet"))
        self.before = Tally()
        for piece in self.pieces:
            self.before.add(_tally_of(piece))
        for cut in unfinished.folder.glob("*.part"):
            cut.unlink()
        self._writer: Any = None
        self._rows = 0
        self._held: list[Any] = []
        self._since = monotonic()
        self._part = unfinished.folder / "piece.part"

    def write(self, done: Done) -> None:
        """Write the results of a chunk."""
        if done.content is not None:
            self._held.append(done.content)
        if sum(batch.num_rows for batch in self._held) >= ROWS_A_GROUP:
            self._write_held()
        if self._rows >= ROWS_A_PIECE or monotonic() - self._since >= SECONDS_A_PIECE:
            self._close_piece()

    def _write_held(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if not self._held:
            return
        table = pa.Table.from_batches(self._held)
        self._held = []
        if self._writer is None:
            schema = table.schema.with_metadata(self.about)
            self._writer = pq.ParquetWriter(self._part, schema, compression="zstd")
        self._writer.write_table(table)
        self._rows += table.num_rows

    def _close_piece(self) -> None:
        self._since = monotonic()
        self._write_held()
        if self._writer is None:
            return
        self._writer.close()
        piece = self.unfinished.folder / f"piece-{len(self.pieces):06}.parquet"
        os.replace(self._part, piece)
        self.pieces.append(piece)
        self._writer, self._rows = None, 0

    def finish(self) -> None:
        """Everything is written: the pieces become one file, which takes its place."""
        self._close_piece()
        whole = self.unfinished.folder / "whole.parquet.part"
        if len(self.pieces) == 1:
            os.replace(self.pieces[0], whole)
        else:
            self._join(whole)
        self.unfinished.finish(whole)

    def _join(self, whole: Path) -> None:
        import pyarrow.parquet as pq

        from ruleengine.batch.table import result_schema

        schema = result_schema(arrangement=True).with_metadata(self.about)
        if self.pieces:
            schema = pq.read_schema(self.pieces[0])
        with pq.ParquetWriter(whole, schema, compression="zstd") as writer:
            for piece in self.pieces:
                file = pq.ParquetFile(piece)
                for group in range(file.num_row_groups):
                    writer.write_table(file.read_row_group(group))

    def stop(self) -> bool:
        """Nothing more comes; whether what is there can be continued."""
        with suppress(OSError):
            self._close_piece()
        if self.pieces:
            self.unfinished.release()
            return True
        self.unfinished.drop()
        return False


def _tally_of(piece: Path) -> Tally:
    """What the rows of a piece say. A row in error does not say whether it wins."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    wins = pq.read_table(piece, columns=["win"]).column("win")
    return Tally(len(wins), pc.sum(wins).as_py() or 0, wins.null_count)
