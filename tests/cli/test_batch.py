"""`yaku batch`, end to end."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ruleengine.batch import line as line_module
from ruleengine.batch import work as work_module

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

GOOD = '{"id": 1, "hand": "67m22z(4444m)[1111m][567m]+5m", "by": "discard", "seat": "S"}'
LOSING = '{"id": "two", "hand": "123m456p789s1123z+1z"}'
WRONG = '{"id": [3], "hand": "123m456p789s1122z+9q"}'


def results(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_one_result_a_record_in_order(yaku: Yaku) -> None:
    run = yaku("batch", "-", stdin="\n".join([GOOD, LOSING, "", WRONG]).encode())
    assert run.status == 1
    found = results(run.out)
    assert [one["id"] for one in found] == [1, "two", [3]]
    assert set(found[0]) == {
        "id", "rules", "win", "points", "patterns", "limit", "arrangement", "payments",
    }  # fmt: skip
    assert (found[0]["points"], found[0]["payments"]) == (70, None)
    assert set(found[1]) == {"id", "rules", "win", "reason", "points", "patterns"}
    assert set(found[2]) == {"id", "error"}
    assert found[2]["error"]["code"].startswith("H1")
    assert run.err.splitlines()[-1] == "3 records: 1 winning, 1 not, 1 in error"
    assert run.err.splitlines()[0].startswith("line 4: ")


def test_without_errors_the_status_is_fine(yaku: Yaku) -> None:
    run = yaku("batch", "-", stdin=f"{GOOD}\r\n{LOSING}\r\n".encode())
    assert (run.status, len(results(run.out))) == (0, 2)
    assert run.err == "2 records: 1 winning, 1 not, 0 in error\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{", "the record is not JSON: "),
        (b"\xff\xfe{}", "the record is not UTF-8 text"),
        (b"[1]", "a record is a JSON object"),
        (b"{}", "a record needs 'hand'"),
        (b'{"hand": 5}', "'hand' is a text"),
        (b'{"hand": "1m", "seet": "E"}', "a record has no field 'seet'"),
        (b'{"id": NaN, "hand": "1m"}', "the record is not JSON: NaN is no number of JSON"),
        (b'{"id": 1e999, "hand": "1m"}', "the record is not JSON: a number in it is too large"),
        (b'{"id": [-1e999], "hand": "1m"}', "the record is not JSON: a number in it is too large"),
        (b"[" * 100_000, "the record is not JSON: "),
        (b"1" * 10_000, "the record is not JSON: "),
        (b'{"id": "\\ud800", "hand": "1m"}', "the winning tile is missing"),
    ],
)
def test_whatever_is_wrong_with_a_line_the_next_is_scored(
    yaku: Yaku, line: bytes, said: str
) -> None:
    run = yaku("batch", "-", stdin=line + b"\n" + GOOD.encode())
    assert run.status == 1
    first, second = results(run.out)
    assert first["error"]["message"].startswith(said)
    assert second["points"] == 70


def test_a_line_that_is_too_long_is_passed_over(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_module, "LONGEST_LINE", 200)
    long = b'{"hand": "' + b"1" * 1000 + b'"}'
    run = yaku("batch", "-", stdin=long + b"\n" + GOOD.encode() + b"\n" + long)
    found = results(run.out)
    assert [one.get("points") for one in found] == [None, 70, None]
    assert found[0]["error"]["message"] == "a record has at most 200 bytes"


def test_a_mistake_in_the_engine_does_not_stop_the_batch(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ruleengine import record

    score = record.score_record

    def broken(rules: Any, given: Any) -> Any:
        if given["id"] == "two":
            raise ZeroDivisionError("no")
        return score(rules, given)

    monkeypatch.setattr(record, "score_record", broken)
    run = yaku("batch", "-", stdin=f"{LOSING}\n{GOOD}".encode())
    first, second = results(run.out)
    assert (first["id"], first["error"]["code"]) == ("two", "H901")
    assert second["points"] == 70


def test_a_byte_order_mark_is_no_part_of_a_record(yaku: Yaku) -> None:
    run = yaku("batch", "-", stdin=b"\xef\xbb\xbf" + GOOD.encode())
    assert (run.status, results(run.out)[0]["points"]) == (0, 70)


def test_options_of_a_record_and_of_the_call(yaku: Yaku) -> None:
    chicken = {"hand": "234m678p44s99p[222z]+4s"}
    lines = [chicken, {**chicken, "options": {"minimum": 0}}]
    text = "\n".join(map(json.dumps, lines)).encode()
    run = yaku("batch", "-", "--set", "minimum=5", stdin=text)
    assert [one["win"] for one in results(run.out)] == [False, True]


def test_files_in_and_out(yaku: Yaku) -> None:
    Path("hands.jsonl").write_text(f"{GOOD}\n{LOSING}\n", encoding="utf-8")
    run = yaku("batch", "hands.jsonl", "-o", "results.jsonl", "--lang", "zh-Hant")
    assert (run.status, run.out) == (0, "")
    found = results(Path("results.jsonl").read_text(encoding="utf-8"))
    assert found[0]["patterns"][0]["name"] == "混一色"
    assert sorted(path.name for path in Path().iterdir()) == ["hands.jsonl", "results.jsonl"]


def test_a_batch_that_is_stopped_leaves_the_old_file(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("hands.jsonl").write_text(f"{GOOD}\n", encoding="utf-8")
    Path("results.jsonl").write_text("old", encoding="utf-8")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(work_module, "score_line", stop)
    assert yaku("batch", "hands.jsonl", "-o", "results.jsonl").status == 130
    assert Path("results.jsonl").read_text(encoding="utf-8") == "old"
    assert sorted(path.name for path in Path().iterdir()) == ["hands.jsonl", "results.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.jsonl"], "yaku: none.jsonl: no such file or directory\n"),
        (["-", "-o", "none/out.jsonl"], "yaku: none/out.jsonl: no such file or directory\n"),
    ],
)
def test_files_that_cannot_be_opened(yaku: Yaku, arguments: list[str], said: str) -> None:
    run = yaku("batch", *arguments)
    assert (run.status, run.out, run.err) == (2, "", said)


def test_a_broken_table_is_refused_in_words(yaku: Yaku) -> None:
    run = yaku("batch", "-", stdin=b"PAR1\x15\x04")
    assert run.status == 2
    assert run.err.startswith("yaku: standard input is no Parquet file: ")
    Path("hands.parquet").write_text(GOOD, encoding="utf-8")
    run = yaku("batch", "hands.parquet")
    assert (run.status, run.err) == (
        2,
        "yaku: hands.parquet is no Parquet file\n  help: a batch can also be JSON lines\n",
    )


LINES = f"{GOOD}\n{LOSING}\n".encode()
OTHER_FORMS = {
    "gzip": (gzip.compress(LINES), "packed by gzip", "gzip -dc"),
    "xz": (lzma.compress(LINES), "packed by xz", "xz -dc"),
    "bzip2": (bz2.compress(LINES), "packed by bzip2", "bzip2 -dc"),
    "UTF-16": (
        LINES.decode().encode("utf-16"), "in UTF-16, not in UTF-8", "iconv -f UTF-16 -t UTF-8",
    ),
    "UTF-16 without a mark": (
        LINES.decode().encode("utf-16-be"), "in UTF-16BE, not in UTF-8",
        "iconv -f UTF-16BE -t UTF-8",
    ),
    "a list": (f"[\n{GOOD},\n{LOSING}\n]".encode(), "one list over several lines", "jq -c '.[]'"),
    "a list that starts at once": (
        f"[{GOOD},\n{LOSING}]".encode(), "one list over several lines", "jq -c '.[]'",
    ),
    "spread": (
        b'{\n  "hand": "123m"\n}\n', "records over several lines each", "jq -c .",
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", OTHER_FORMS)
@pytest.mark.parametrize("command", [["batch"], ["stats", "--hands"]])
def test_what_is_no_json_lines_is_told_once(yaku: Yaku, command: list[str], form: str) -> None:
    data, what, unpacked_by = OTHER_FORMS[form]
    Path("a hand").write_bytes(data)
    said = f"yaku: a hand is {what}; records are JSON lines or a Parquet file\n"
    help_line = f"  help: read what '{unpacked_by} 'a hand'' gives, with - for standard input\n"
    run = yaku(*command, "a hand")
    assert (run.status, run.out, run.err) == (2, "", said + help_line)
    run = yaku(*command, "-", stdin=data)
    assert (run.status, run.err) == (
        2, said.replace("a hand", "standard input") + help_line.replace(" 'a hand'", ""),
    )  # fmt: skip


@pytest.mark.parametrize("first", ["[1, 2]", f"[{GOOD}]", "{", "[", "", "x", "Object"])
def test_a_first_record_that_is_wrong_stops_nothing(yaku: Yaku, first: str) -> None:
    run = yaku("batch", "-", stdin=f"{first}{{\n{GOOD}\n".encode())
    assert (run.status, len(run.out.splitlines())) == (1, 2)
    assert json.loads(run.out.splitlines()[1])["win"]


def test_the_summary_as_json(yaku: Yaku) -> None:
    run = yaku("batch", "-", "--json", stdin=f"{GOOD}\n{WRONG}\n{LOSING}".encode())
    assert json.loads(run.err) == {"records": 3, "wins": 1, "losses": 1, "errors": 1}


def test_only_the_first_errors_are_told(yaku: Yaku) -> None:
    run = yaku("batch", "-", stdin=b"{}\n" * 8)
    assert len(run.err.splitlines()) == 7
    assert run.err.splitlines()[5:] == ["... and 3 more", "8 records: 0 winning, 0 not, 8 in error"]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "1 record: 1 winning, 0 not, 0 in error"),
        ("ja", "1件：和了1、和了なし0、誤り0"),
    ],
)
def test_one_record_is_no_records(yaku: Yaku, lang: str, said: str) -> None:
    Path("one.jsonl").write_text('{"hand": "1112345678999m+5m"}', encoding="utf-8")
    assert yaku("batch", "one.jsonl", "--lang", lang).err == f"{said}\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 1, "hand": "1112345678999m+5m", "hand": "19m"}', "'hand' is given twice"),
        (
            '{"hand": "1112345678999m+5m", "options": {"minimum": 5, "minimum": 0}}',
            "'minimum' is given twice",
        ),
        ('{"id": "a:b", "hand": "1112345678999m+5m", "options": {"minimum": 5}}', None),
        ('{"id": {"a": {"a": 1}}, "hand": "1112345678999m+5m"}', None),
    ],
)
def test_a_field_is_given_once(yaku: Yaku, line: str, message: str | None) -> None:
    for lines in (line, f"{line}\n{line}"):
        for one in results(yaku("batch", "-", stdin=lines.encode()).out):
            if message is None:
                assert one["points"] == 480
            else:
                assert one["error"] == {"code": "H313", "message": message}
