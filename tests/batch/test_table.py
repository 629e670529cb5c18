"""Arrow in, Arrow out."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pyarrow as pa
import pytest

from benchmarks.hands import make_hands
from ruleengine.batch.table import TableError, result_schema
from ruleengine.errors import HandError
from ruleengine.loading import load_ruleset
from ruleengine.record import error_record, score_record
from ruleengine.rules import Rules

RULES = load_ruleset("zhongyong-3.3")


def expected(rules: Rules, record: dict[str, Any], language: str = "en") -> dict[str, Any]:
    """The row of results of one record, from the result that it has alone."""
    found: dict[str, Any] = dict.fromkeys(result_schema(arrangement=True).names)
    if "id" in record:
        found["id"] = record["id"]
    given = {name: value for name, value in record.items() if value is not None}
    try:
        result = score_record(rules, given).to_json(language)
    except HandError as error:
        found["error"] = {"help": None, **error_record(None, error)["error"]}
        return found
    result.pop("rules")
    id = result.pop("id")
    found |= result | ({"id": id} if "id" in record else {})
    if not found["win"]:
        found["limit"] = None
    return found


def table(records: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(records)


RECORDS: list[dict[str, Any]] = [
    {
        "id": at,
        "hand": hand.text,
        "by": hand.by,
        "seat": hand.seat,
        "round": hand.round,
        "from": hand.from_seat,
    }
    for name in ("random", "realistic")
    for at, hand in enumerate(make_hands(name, 300, 11))
]
ODD: list[dict[str, Any]] = [
    {"id": 1, "hand": "一二三萬 456p 789s 東東南南+東"},
    {"id": 2, "hand": "123m456p789s1122z", "winning_tile": "1z"},
    {"id": 3, "hand": "123m456p789s1122z+1z", "winning_tile": "1z"},
    {"id": 4, "hand": "11111m456p789s22z+2z"},
    {"id": 5, "hand": "123m456p789s1123z+1z"},
    {"id": 6, "hand": None},
    {"id": 7, "hand": "123m456p789s1122z+1z", "by": "robbing_kong"},
    {"id": 8, "hand": "123m456p789s1122z+1z", "events": ["last_tile"]},
    {"id": 9, "hand": "123m456p789s1122z+1z", "events": ["last_tile", "last_tile"]},
    {"id": 10, "hand": "123m456p789s1122z+1z", "events": ["kong_replacement"]},
    {"id": 11, "hand": "123m456p789s1122z+1z", "events": ["first_turn"]},
    {"id": 12, "hand": "123m456p789s1122z+1z", "events": ["first_turn"], "by": "discard",
     "seat": "S"},
    {"id": 13, "hand": "123m456p789s1122z+1z", "events": ["first_turn"], "by": "discard",
     "seat": "S", "from": "W"},
    {"id": 14, "hand": "123m456p789s1122z+1z", "by": "discard", "seat": "S", "from": "W",
     "liable": "none"},
    {"id": 15, "hand": "123m456p789s1122z+1z", "by": "discard", "seat": "S", "from": "W",
     "liable": "N"},
    {"id": 16, "hand": "123m456p789s111z2z+2z", "by": "discard", "seat": "S", "from": "W",
     "liable": "N", "flowers": "1f"},
    {"id": 17, "hand": "23m678m44s99p[555z](3333p)+1m", "by": "self_draw", "from": "S"},
    {"id": 18, "hand": "23m678m44s[555z](3333p)+1m", "events": ["kong_replacement"]},
    {"id": 19, "hand": "123m456p789s1122z+1z", "dora": "5m"},
    {"id": 20, "hand": "123m456p789s1122z+1z", "options": {"minimum": 5}},
    {"id": 21, "hand": "123m456p789s1122z+1z", "options": {"minimum": 7}},
]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh-Hant"])
def test_rows_are_the_results_of_the_records(language: str) -> None:
    records = RECORDS + ODD
    found = RULES.score_batch(table(records), language=language, arrangement=True)
    assert found.schema == result_schema(pa.int64(), arrangement=True)
    rows = found.to_pylist()
    assert rows == [expected(RULES, record, language) for record in table(records).to_pylist()]


@pytest.mark.parametrize("minimum", [0, 5])
def test_jobs_and_pieces_change_nothing(minimum: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = RULES.with_options({"minimum": minimum})
    records = table(RECORDS + ODD)
    whole = rules.score_batch(records)
    monkeypatch.setattr("ruleengine.batch.table.ROWS", 50)
    assert rules.score_batch(records, jobs=3) == whole
    assert whole.column_names == result_schema(pa.int64()).names


def test_tiles_as_numbers() -> None:
    tiles = [
        [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, 4],
        [0, 1, 2, 12, 13, 14, 24, 25, 26, 27, 27, 28, 28, 27],
        [0, 0, 0, 0, 0, 3, 4, 5, 6, 7, 8, 8, 8, 4],
        [0, 1, 2, 12, 13, 14, 24, 25, 26, 27, 27, 28, 29, 27],
        [34, 1, 2, 12, 13, 14, 24, 25, 26, 27, 27, 28, 29, 27],
        [8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8],
    ]
    kind = pa.list_(pa.uint8(), 14)
    by = ["self_draw", "discard", None, None, None, None]
    seat = ["E", "S", None, None, None, None]
    given = pa.table({"tiles": pa.array(tiles, kind), "by": by, "seat": seat})
    rows = RULES.score_batch(given).to_pylist()
    # Nine gates; 5 for a concealed hand that also has a triplet of East, no value to South.
    assert [row["points"] for row in rows] == [480, 5, None, 0, None, None]
    assert rows[3]["reason"] == "not_a_winning_hand"
    assert [row["error"] and row["error"]["code"] for row in rows] == [
        None, None, "H201", None, "H126", "H201",
    ]  # fmt: skip
    assert rows[4]["error"]["message"] == "34 is not the number of a tile: they go from 0 to 33"


def test_lists_of_tiles_of_another_length_or_kind() -> None:
    tiles = [[0, 0], None, [0, 1, 2, 12, 13, 14, 24, 25, 26, 27, 27, 28, 28, 27]]
    rows = RULES.score_batch(pa.table({"tiles": pa.array(tiles, pa.list_(pa.int64()))})).to_pylist()
    assert [row["error"] and row["error"]["code"] for row in rows] == ["H203", "H126", None]
    assert rows[2]["points"] == 15


def test_columns_of_other_kinds() -> None:
    text = "123m456p789s1122z+1z"
    given = pa.table(
        {
            "hand": pa.array([text, text, None]).dictionary_encode(),
            "by": pa.array(["discard", None, None], pa.large_string()),
            "seat": pa.array(["S", "S", None]).dictionary_encode(),
            "from": pa.nulls(3),
            "events": pa.array([None, ["last_tile"], None], pa.large_list(pa.string())),
        }
    )
    rows = RULES.score_batch(given).to_pylist()
    # By a discard: concealed hand; drawn: with the last tile. East's triplet is no value.
    assert [row["points"] for row in rows] == [5, 15, None]
    wrong = pa.table({"hand": [text, text], "by": [None, 5], "events": ["x", None]})
    codes = [row["error"]["code"] for row in RULES.score_batch(wrong).to_pylist()]
    assert codes == ["H312", "H312"]


@pytest.mark.parametrize("package", ["polars", "pandas"])
def test_data_frames(package: str) -> None:
    frames: Any = pytest.importorskip(package)
    frame = frames.DataFrame({"hand": ["123m456p789s1122z+1z"]})
    assert RULES.score_batch(frame).column("points").to_pylist() == [15]


def test_whole_numbers_that_a_frame_keeps_as_fractions() -> None:
    rules = load_ruleset("simple-1")
    dora: list[Any] = [2.0, None, 0.0, 1.5, float("nan"), float("inf"), -1.0, 1e30]
    hands = {"hand": ["123m456p789s1122z+1z"] * len(dora)}
    found = rules.score_batch(pa.table({**hands, "dora": dora}))
    whole = rules.score_batch(pa.table({**hands, "dora": [2, None, 0, *[None] * 5]}))
    assert found.slice(0, 3).equals(whole.slice(0, 3))
    assert found.column("points")[0] != found.column("points")[2]
    codes = [error["code"] for error in found.column("error").to_pylist()[3:]]
    assert codes[:3] == ["H312"] * 3
    assert None not in codes


class Frame:
    """A data frame that Arrow cannot read."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise self.error


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("Duplicate column names found: ['hand', 'hand']"), "Duplicate column names"),
        (
            pa.ArrowTypeError("Expected bytes, got a 'int' object", "Conversion failed for hand"),
            "Expected bytes, got a 'int' object; Conversion failed for hand",
        ),
        (pa.ArrowInvalid("Cannot import schema:\n  it is a list"), "schema: it is a list"),
    ],
)
def test_a_frame_that_is_no_table(error: Exception, said: str) -> None:
    with pytest.raises(TableError) as raised:
        RULES.score_batch(Frame(error))
    assert raised.value.message.startswith("this Frame is no table to Arrow: ")
    assert said in raised.value.message


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (pa.table({"hand": ["x"], "seet": ["E"]}), "a table of hands has no column 'seet'"),
        (pa.table({"seat": ["E"]}), "a table of hands needs a column 'hand', or a column 'tiles'"),
        (
            pa.table({"hand": ["x"], "tiles": [[1]]}),
            "a table of hands has a column 'hand' or a column 'tiles', not both",
        ),
        (
            pa.Table.from_arrays([pa.array(["x"])] * 2, names=["hand", "hand"]),
            "the table has two columns 'hand'",
        ),
        ([{"hand": "x"}], "score_batch takes a table, not a value of type list"),
    ],
)
def test_what_is_no_table_of_hands(given: Any, said: str) -> None:
    with pytest.raises(TableError) as error:
        RULES.score_batch(given)
    assert error.value.message == said


def test_no_rows() -> None:
    found = RULES.score_batch(pa.table({"hand": pa.array([], pa.string())}))
    assert (found.num_rows, found.schema) == (0, result_schema())


def test_a_scorer_can_be_sent_to_another_process() -> None:
    scorer = pickle.loads(pickle.dumps(RULES.batch_scorer("ja")))
    batch = pa.RecordBatch.from_pylist([{"hand": "19m19p19s1234566z+7z"}])
    (result,) = scorer.batches([batch])
    assert result.column("patterns").to_pylist()[0][0]["name"] == "国士無双"


def test_results_can_be_written_as_json() -> None:
    found = RULES.score_batch(table(RECORDS[:3])).to_pylist()
    assert json.loads(json.dumps(found)) == found
