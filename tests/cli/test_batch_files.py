"""`yaku batch` with tables, several processes, and batches that were stopped."""

from __future__ import annotations

import datetime
import errno
import itertools
import json
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.hands import make_hands
from ruleengine.batch import incoming as incoming_module
from ruleengine.batch import outgoing as outgoing_module
from ruleengine.batch import work as work_module
from ruleengine.batch.line import score_line, written
from ruleengine.loading import load_ruleset

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

RECORDS: list[dict[str, Any]] = [
    {
        "id": at,
        "hand": hand.text,
        "by": hand.by,
        "seat": hand.seat,
        "round": hand.round,
        "from": hand.from_seat,
    }
    for at, hand in enumerate(make_hands("random", 1000, 4))
]
RECORDS[17]["hand"] = "123m"
RECORDS[423] = {"id": "two", "hand": "123m456p789s1123z+1z"}


def lines_of(records: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def expected(records: list[dict[str, Any]]) -> bytes:
    """The results one by one."""
    rules = load_ruleset("zhongyong-3.3")
    lines = lines_of(records).splitlines()
    return b"".join(written(score_line(rules, line, "en")) for line in lines)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes chunks small, so that a few records are many chunks."""
    monkeypatch.setattr(incoming_module, "BLOCK", 8192)
    monkeypatch.setattr(incoming_module, "ROWS", 100)
    monkeypatch.setattr(outgoing_module, "ROWS_A_GROUP", 200)
    monkeypatch.setattr(outgoing_module, "ROWS_A_PIECE", 300)
    monkeypatch.setattr(work_module, "FEW", 20)


@pytest.mark.usefixtures("small")
def test_many_lines_give_what_one_gives(yaku: Yaku) -> None:
    Path("hands.jsonl").write_bytes(lines_of(RECORDS))
    run = yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--jobs", "1")
    assert run.status == 1
    assert Path("results.jsonl").read_bytes() == expected(RECORDS)
    assert run.err.splitlines()[0].startswith("line 18: ")
    assert run.err.splitlines()[-1] == "1000 records: 998 winning, 1 not, 1 in error"


@pytest.mark.usefixtures("small")
def test_several_processes_keep_the_order(yaku: Yaku) -> None:
    Path("hands.jsonl").write_bytes(lines_of(RECORDS))
    assert yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--jobs", "2").status == 1
    assert Path("results.jsonl").read_bytes() == expected(RECORDS)


@pytest.mark.usefixtures("small")
def test_tables_both_ways(yaku: Yaku) -> None:
    records = [record for record in RECORDS if record["id"] != "two"]
    pq.write_table(pa.Table.from_pylist(records), "hands.parquet")
    run = yaku("batch", "hands.parquet", "-o", "results.jsonl", "--jobs", "1")
    assert Path("results.jsonl").read_bytes() == expected(records)
    assert run.err.splitlines()[0].startswith("row 18: ")
    assert yaku("batch", "hands.parquet", "-o", "results.parquet", "--jobs", "1").status == 1
    table = pq.read_table("results.parquet")
    told = [json.loads(line) for line in expected(records).splitlines()]
    assert table.column("id").to_pylist() == [one["id"] for one in told]
    assert table.column("points").to_pylist() == [one.get("points") for one in told]
    assert table.column("patterns").to_pylist() == [one.get("patterns") for one in told]
    assert table.column("payments").to_pylist() == [one.get("payments") for one in told]
    assert table.column("arrangement").to_pylist() == [one.get("arrangement") for one in told]
    assert table.schema.metadata[b"rules"] == b"zhongyong-3.3"
    stdin = Path("hands.parquet").read_bytes()
    assert yaku("batch", "-", "-o", "again.jsonl", "--jobs", "1", stdin=stdin).status == 1
    assert Path("again.jsonl").read_bytes() == expected(records)


@pytest.mark.usefixtures("small")
def test_ids_of_lines_are_texts_in_a_table(yaku: Yaku) -> None:
    records: list[dict[str, Any]] = [
        {"id": id, "hand": "123m456p789s1122z+1z"} for id in (1, "a", None, {"b": [2]}, "é")
    ]
    yaku("batch", "-", "-o", "results.parquet", stdin=lines_of(records))
    table = pq.read_table("results.parquet")
    assert table.column("id").to_pylist() == ["1", "a", None, '{"b": [2]}', "é"]


def test_an_empty_input(yaku: Yaku) -> None:
    run = yaku("batch", "-", "-o", "results.parquet", stdin=b"\n")
    assert (run.status, run.err) == (0, "0 records: 0 winning, 0 not, 0 in error\n")
    assert pq.read_table("results.parquet").num_rows == 0


def test_columns_that_a_table_cannot_have(yaku: Yaku) -> None:
    pq.write_table(pa.table({"hand": ["x"], "seet": ["E"]}), "hands.parquet")
    run = yaku("batch", "hands.parquet")
    said = "yaku: a table of hands has no column 'seet'\n  help: did you mean 'seat'?\n"
    assert (run.status, run.err) == (2, said)


def test_ids_that_json_has_no_form_for(yaku: Yaku) -> None:
    days = [datetime.datetime(2026, 11, day) for day in (1, 2)]
    pq.write_table(pa.table({"id": days, "hand": ["19m", "123m456p789s1122z+1z"]}), "h.parquet")
    found = [json.loads(line) for line in yaku("batch", "h.parquet").out.splitlines()]
    assert [one["id"] for one in found] == ["2026-11-01T00:00:00", "2026-11-02T00:00:00"]
    assert yaku("batch", "h.parquet", "-o", "results.parquet").status == 1
    assert pq.read_table("results.parquet").column("id").to_pylist() == days


def test_a_named_pipe_is_read_once(yaku: Yaku) -> None:
    # More than what is looked at to see what the input is.
    lines = lines_of(RECORDS)
    os.mkfifo("pipe")
    writer = threading.Thread(target=Path("pipe").write_bytes, args=(lines,))
    writer.start()
    run = yaku("batch", "pipe", "-o", "results.jsonl", "--jobs", "1")
    writer.join()
    assert run.status == 1
    assert Path("results.jsonl").read_bytes() == expected(RECORDS)


# ---- batches that were stopped -----------------------------------------------------


def stopped_after(monkeypatch: pytest.MonkeyPatch, chunks: int) -> None:
    """Let Ctrl-C come after some chunks."""
    call = work_module.Worker.__call__
    seen: list[int] = []

    def until(worker: work_module.Worker, chunk: work_module.Chunk) -> work_module.Done:
        if len(seen) == chunks:
            raise KeyboardInterrupt
        seen.append(1)
        return call(worker, chunk)

    monkeypatch.setattr(work_module.Worker, "__call__", until)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_stopped_batch_is_continued(
    yaku: Yaku, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("hands.jsonl").write_bytes(lines_of(RECORDS))
    target = f"results.{ending}"
    yaku("batch", "hands.jsonl", "-o", f"whole.{ending}", "--jobs", "1")
    with monkeypatch.context() as patch:
        stopped_after(patch, 9)
        run = yaku("batch", "hands.jsonl", "-o", target, "--jobs", "1")
    assert run.status == 130
    assert not Path(target).exists()
    assert run.err.startswith("stopped after ")
    done = int(run.err.split()[2])
    assert 0 < done < 1000
    with monkeypatch.context() as patch:
        scored: list[int] = []
        call = work_module.Worker.__call__

        def counted(worker: work_module.Worker, chunk: work_module.Chunk) -> work_module.Done:
            found = call(worker, chunk)
            scored.append(found.tally.records)
            return found

        patch.setattr(work_module.Worker, "__call__", counted)
        run = yaku("batch", "hands.jsonl", "-o", target, "--resume", "--jobs", "1")
    assert run.status == 1
    assert sum(scored) == 1000 - done
    assert run.err.splitlines()[-1] == "1000 records: 998 winning, 1 not, 1 in error"
    if ending == "jsonl":
        assert Path(target).read_bytes() == expected(RECORDS)
    else:
        assert pq.read_table(target).equals(pq.read_table("whole.parquet"))
    assert not any(path.name.startswith(".") for path in Path().iterdir())


@pytest.mark.usefixtures("small")
def test_a_cut_last_line_is_dropped(yaku: Yaku, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("hands.jsonl").write_bytes(lines_of(RECORDS))
    with monkeypatch.context() as patch:
        stopped_after(patch, 9)
        yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--jobs", "1")
    part = Path(".results.jsonl.unfinished/lines.jsonl")
    part.write_bytes(part.read_bytes()[:-7])
    yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--resume", "--jobs", "1")
    assert Path("results.jsonl").read_bytes() == expected(RECORDS)


@pytest.mark.parametrize("output", ["in.jsonl", "./in.jsonl", "same.jsonl"])
def test_the_records_are_not_written_over(yaku: Yaku, output: str) -> None:
    records = lines_of(RECORDS[:5])
    Path("in.jsonl").write_bytes(records)
    Path("same.jsonl").symlink_to("in.jsonl")
    run = yaku("batch", "in.jsonl", "-o", output)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"yaku: {output}")
    assert "is read here, and writing to it would destroy it" in run.err
    assert Path("in.jsonl").read_bytes() == records
    assert sorted(path.name for path in Path().iterdir()) == ["in.jsonl", "same.jsonl"]


@pytest.mark.usefixtures("small")
def test_another_batch_is_not_continued(yaku: Yaku, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("hands.jsonl").write_bytes(lines_of(RECORDS))
    with monkeypatch.context() as patch:
        stopped_after(patch, 9)
        yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--jobs", "1")
    for change in (["--set", "minimum=5"], ["--lang", "ja"], ["--rules", "zhongyong-3.3-min5"]):
        run = yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--resume", *change)
        assert run.status == 2
        assert run.err.startswith("yaku: what was written of results.jsonl is of another batch")
    Path("hands.jsonl").write_bytes(lines_of(RECORDS[1:]))
    assert yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--resume").status == 2
    # Without --resume it starts again.
    yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--jobs", "1")
    assert Path("results.jsonl").read_bytes() == expected(RECORDS[1:])


def test_an_input_that_was_put_right_is_another_batch(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("hands.jsonl").write_bytes(lines_of(RECORDS))
    with monkeypatch.context() as patch:
        patch.setattr(incoming_module, "BLOCK", 8192)
        stopped_after(patch, 3)
        yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--jobs", "1")
    time_before = os.stat("hands.jsonl").st_mtime_ns
    Path("hands.jsonl").write_bytes(lines_of(RECORDS).replace(b'"seat": "S"', b'"seat": "N"'))
    os.utime("hands.jsonl", ns=(time_before + 1_000_000_000, time_before + 1_000_000_000))
    assert yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--resume").status == 2


@pytest.mark.usefixtures("small")
def test_a_slow_table_loses_little_by_a_stop(yaku: Yaku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing_module, "ROWS_A_PIECE", 10**9)
    clock = itertools.count(step=6)
    monkeypatch.setattr(outgoing_module, "monotonic", lambda: next(clock))

    def killed(table: outgoing_module.TableFile) -> bool:
        table.unfinished.release()
        return True

    Path("hands.jsonl").write_bytes(lines_of(RECORDS))
    with monkeypatch.context() as patch:
        stopped_after(patch, 9)
        patch.setattr(outgoing_module.TableFile, "stop", killed)
        yaku("batch", "hands.jsonl", "-o", "results.parquet", "--jobs", "1")
    pieces = sorted(Path(".results.parquet.unfinished").glob("piece-*.parquet"))
    rows = [pq.read_metadata(piece).num_rows for piece in pieces]
    assert len(rows) >= 2
    assert max(rows) < 400
    yaku("batch", "hands.jsonl", "-o", "results.parquet", "--jobs", "1", "--resume")
    told = [json.loads(line) for line in expected(RECORDS).splitlines()]
    points = pq.read_table("results.parquet").column("points").to_pylist()
    assert points == [one.get("points") for one in told]


def test_only_a_file_can_be_continued(yaku: Yaku) -> None:
    run = yaku("batch", "-", "--resume")
    assert run.status == 2
    assert run.err == ("yaku: only a file can be continued\n  help: --resume goes with -o OUT\n")


def test_nothing_to_continue_is_a_new_batch(yaku: Yaku) -> None:
    record = lines_of([{"hand": "123m456p789s1122z+1z"}])
    assert yaku("batch", "-", "-o", "results.jsonl", "--resume", stdin=record).status == 0
    assert len(Path("results.jsonl").read_bytes().splitlines()) == 1


def test_a_batch_that_was_stopped_before_its_first_result_starts_again(yaku: Yaku) -> None:
    Path("hands.jsonl").write_bytes(lines_of(RECORDS[:3]))
    folder = Path(".results.jsonl.unfinished")
    folder.mkdir()
    (folder / "batch.json.part").write_text("{", encoding="utf-8")
    assert yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--resume").status == 0
    assert Path("results.jsonl").read_bytes() == expected(RECORDS[:3])
    assert not folder.exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no locks of this kind")
def test_two_batches_do_not_write_one_file(yaku: Yaku) -> None:
    Path("hands.jsonl").write_bytes(lines_of(RECORDS[:3]))
    first = outgoing_module.Unfinished(Path("results.jsonl").resolve(), {}, resume=False)
    for more in ([], ["--resume"]):
        run = yaku("batch", "hands.jsonl", "-o", "results.jsonl", *more)
        assert run.status == 2
        said = "yaku: another batch is writing results.jsonl at this moment\n"
        assert run.err.startswith(said)
    first.drop()
    assert yaku("batch", "hands.jsonl", "-o", "results.jsonl").status == 0


def test_a_disk_that_is_full_from_the_start_is_left_as_it_was(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("hands.jsonl").write_bytes(lines_of(RECORDS[:3]))

    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_text", full)
    run = yaku("batch", "hands.jsonl", "-o", "results.jsonl")
    assert (run.status, run.err) == (2, "yaku: no space left on device\n")
    assert [path.name for path in Path().iterdir()] == ["hands.jsonl"]
