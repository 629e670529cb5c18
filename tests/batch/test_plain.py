"""Tables whose columns are laid out in other ways, or whose texts are no texts."""

from __future__ import annotations

import datetime
import decimal
import json
import uuid
from typing import Any

import pyarrow as pa
import pytest

from ruleengine.batch.ids import json_ids
from ruleengine.batch.plain import plain_column
from ruleengine.loading import load_ruleset

RULES = load_ruleset("zhongyong-3.3")
HANDS = ["19m19p19s1234566z+7z", "123m456p789s1123z+1z", "19x"]
BROKEN = pa.array([b"\xff", b"19m19p19s1234566z+7z", None], pa.binary()).view(pa.string())
VIEW = pa.array(["a", None, "b"]).cast(pa.string_view())
TILES = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 4]


@pytest.mark.parametrize(
    "hands",
    [
        pa.array(HANDS).cast(pa.string_view()),
        pa.array(HANDS, pa.large_string()),
        pa.array(HANDS).dictionary_encode(),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(HANDS, pa.large_string())),
        pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3], pa.int32()), pa.array(HANDS)),
    ],
    ids=lambda hands: str(hands.type)[:20],
)
def test_texts_are_the_same_in_every_layout(hands: Any) -> None:
    results = RULES.score_batch(pa.table({"hand": hands, "id": hands}))
    assert results.column("points").to_pylist() == [160, 0, None]
    assert results.column("id").to_pylist() == HANDS
    assert results.schema.field("id").type == hands.type


def test_lists_are_the_same_in_every_layout() -> None:
    hand = ["19m19p19s1234566z+7z"] * 3
    events = pa.array([["last_tile"], [], None], pa.list_view(pa.string_view()))
    results = RULES.score_batch(pa.table({"hand": hand, "events": events}))
    plain = RULES.score_batch(pa.table({"hand": hand, "events": [["last_tile"], [], None]}))
    assert results.equals(plain)
    tiles = pa.array([TILES] * 2, pa.list_view(pa.int16()))
    assert RULES.score_batch(pa.table({"tiles": tiles})).column("points").to_pylist() == [480] * 2


@pytest.mark.parametrize("column", ["hand", "by", "seat", "dora", "flowers", "winning_tile"])
def test_bytes_that_are_no_text_are_an_error_of_their_row(column: str) -> None:
    table = pa.table({"hand": HANDS} | {column: BROKEN})
    errors = RULES.score_batch(table).column("error").to_pylist()
    assert errors[0] is not None
    if column == "hand":
        assert errors[1] is None
        assert "'\\' at character 1" in errors[0]["message"]


def test_broken_texts_within_lists_structs_and_dictionaries() -> None:
    lists = pa.ListArray.from_arrays([0, 1, None, 3], BROKEN)
    assert plain_column(lists).to_pylist() == [["\\xff"], ["19m19p19s1234566z+7z", None], None]
    struct = pa.StructArray.from_arrays([BROKEN, BROKEN], names=["a", "b"])
    assert plain_column(struct).to_pylist()[0] == {"a": "\\xff", "b": "\\xff"}
    coded = pa.DictionaryArray.from_arrays(pa.array([1, 0, None]), BROKEN[:2])
    assert plain_column(coded).to_pylist() == ["19m19p19s1234566z+7z", "\\xff", None]
    assert plain_column(VIEW).to_pylist() == ["a", None, "b"]


def test_rows_without_tiles_say_so() -> None:
    results = RULES.score_batch(pa.table({"tiles": pa.array([None, TILES, []])}))
    said = [error and error["message"] for error in results.column("error").to_pylist()]
    wrong = "'tiles' is a list of numbers of tiles, the winning one last"
    assert said == [wrong, None, wrong]


# ---- ids ---------------------------------------------------------------------------

ID = uuid.UUID(int=7)
IDS: list[tuple[Any, list[Any]]] = [
    (pa.array([datetime.date(2026, 11, 30), None]), ["2026-11-30", None]),
    (pa.array([decimal.Decimal("1.50"), None]), ["1.50", None]),
    (pa.array([float("nan"), float("-inf"), 1.5]), ["nan", "-inf", 1.5]),
    (pa.array([b"\xff", b"a"]), ["\\xff", "a"]),
    (BROKEN, ["\\xff", "19m19p19s1234566z+7z", None]),
    (pa.array([2**64 - 1, 0], pa.uint64()), [2**64 - 1, 0]),
    (pa.array([[datetime.time(1)], None]), [["01:00:00"], None]),
    (pa.array([{"a": b"x", "b": True}]), [{"a": "x", "b": True}]),
    (pa.array([datetime.timedelta(1)]), ["1 day, 0:00:00"]),
    (pa.array([-(2**60), 0], pa.timestamp("s")), [str(-(2**60)), "1970-01-01T00:00:00"]),
    (pa.array([[-(2**60)]], pa.list_(pa.timestamp("s"))), [[str(-(2**60))]]),
    (pa.ExtensionArray.from_storage(pa.uuid(), pa.array([ID.bytes], pa.binary(16))), [str(ID)]),
]


@pytest.mark.parametrize(("column", "expected"), IDS, ids=[str(c.type)[:20] for c, _ in IDS])
def test_every_id_of_a_table_can_be_written_as_json(column: Any, expected: list[Any]) -> None:
    assert json_ids(column) == expected
    json.dumps(json_ids(column), allow_nan=False)
