"""`yaku stats`, end to end."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

TINY = """
format: 1
id: tiny
name: {en: Tiny, zh-Hant: 小, ja: 小}
version: "1"
tiles: {wall: {"123m": 4, "1z": 3}}
shapes: {basic: {sets: 1, pairs: 1}}
patterns:
  three: {name: {en: Triplet, zh-Hant: 刻子}, points: 3, when: count triplets = 1}
  east: {name: Honor, series: h, points: 1, when: some tile is honor}
  easts: {name: All honor, series: h, points: 2, when: count triplets of honor = 1}
total: {empty: 0}
settlement: {win: [{pays: points}]}
"""
# A set of 123m, 111m, 222m, 333m or 111z and a pair of another tile that is left:
# 123m with 11m, 22m, 33m or 11z: 0 points for the first three, 1 (Honor) with 11z.
# A triplet of one of 123m with a pair of another rank: 2 each, 6 hands of 3 points; with 11z: 3
# hands of 4. 111z with a pair of m: 3 hands of 5, in which Honor is lost to All honor.
HANDS = 4 + 9 + 3
TOTALS = {0: 3, 1: 1, 3: 6, 4: 3, 5: 3}


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY, encoding="utf-8")
    return str(path)


def test_all_hands_of_a_ruleset(yaku: Yaku, tiny: str) -> None:
    run = yaku("stats", tiny)
    assert (run.status, run.err) == (0, "")
    assert run.lines == [
        "Tiny 1 (tiny)",
        "All 16 winning hands, each once: drawn by East, with the tile that scores most",
        "Wins: 16 (100 %), mean 2.88 points, median 3.",
        "Patterns",
        "              Of wins                Counts  Lost  Most often to",
        "  Triplet      75.0 %  ████████████      12     0",
        "  Honor        25.0 %  ████               4     3  All honor",
        "  All honor    18.8 %  ███                3     0",
        "  no pattern   18.8 %  ███                3",
        "Totals",
        "  Points  Of wins                Wins",
        "       0   18.8 %  ██████           3",
        "       1   6.25 %  ██               1",
        "       3   37.5 %  ████████████     6",
        "       4   18.8 %  ██████           3",
        "       5   18.8 %  ██████           3",
        "Most often together",
        "  18.8 %  3  Triplet + Honor",
        "  18.8 %  3  Triplet + All honor",
    ]


def test_the_same_as_json(yaku: Yaku, tiny: str) -> None:
    found = yaku("stats", "--rules", tiny, "--json", "--lang", "zh-Hant").json
    assert {key: found[key] for key in ("rules", "over", "weighted", "hands", "ways", "wins")} == {
        "rules": "tiny", "over": "all", "weighted": False, "hands": 16, "ways": 16, "wins": 16,
    }  # fmt: skip
    assert {one["points"]: one["wins"] for one in found["totals"]} == TOTALS
    assert found["mean"] == sum(p * n for p, n in TOTALS.items()) / HANDS
    assert found["empty"] == 3
    three, east, _ = found["patterns"]
    assert (three["name"], three["counted"], three["lost"]) == ("刻子", 12, 0)
    assert (east["counted"], east["lost"], east["lost_to"]) == (4, 3, {"easts": 3})
    assert found["joint"] == [
        {"patterns": ["three", "east"], "wins": 3},
        {"patterns": ["three", "easts"], "wins": 3},
    ]


def test_weighed_by_the_ways_to_draw(yaku: Yaku, tiny: str) -> None:
    # A triplet of four in 4 ways, of three in 1, a pair of four in 6, of three in 3; 123m with
    # 11m: 3 of 1m in 4 ways, 4 of 2m, 4 of 3m.
    found = yaku("stats", tiny, "--weighted", "--json").json
    totals = {one["points"]: one["wins"] for one in found["totals"]}
    assert totals == {0: 3 * 64, 1: 64 * 3, 3: 6 * 4 * 6, 4: 3 * 4 * 3, 5: 3 * 1 * 6}
    assert (found["hands"], found["ways"]) == (16, sum(totals.values()))
    text = yaku("stats", tiny, "--weighted").lines
    assert (
        text[2]
        == f"Each counts as often as it can be drawn from the wall: {found['ways']} ways in all."
    )


def test_a_sample_says_its_seed(yaku: Yaku) -> None:
    run = yaku("stats", "--sample", "500", "--seed", "9")
    assert run.lines[0] == "Zung Jung 3.3 (zhongyong-3.3)"
    assert run.lines[1] == (
        "500 winning hands by chance (seed 9): drawn by East, with the tile that scores most"
    )
    first = yaku("stats", "--sample", "500", "--json").json
    assert (first["over"], first["seed"], first["hands"]) == ("sample", 1, 500)
    assert yaku("stats", "--sample", "500", "--seed", "1", "--json").json == first
    assert (
        yaku("stats", "--sample", "500", "--seed", "2", "--json").json["totals"] != first["totals"]
    )


def test_hands_of_a_file(yaku: Yaku) -> None:
    lines = [
        {"hand": "67m22z(4444m)[1111m][567m]+5m", "by": "discard", "seat": "S", "from": "W"},
        {"hand": "123m456m789p23s55p+4s"},
        {"hand": "1357m2468p13579s+1z"},
        {"hand": "123m456m789p3s[999m]+3s"},
    ]
    text = "\ufeff" + "\n\n".join(map(json.dumps, lines)) + "\n{\nnull\n" + "x" * 1_000_001 + "\n"
    Path("hands.jsonl").write_text(text, encoding="utf-8")
    run = yaku("stats", "zhongyong-3.3-min5", "--hands", "hands.jsonl", "--jobs", "1")
    assert run.status == 1
    assert run.lines[1:5] == [
        "4 hands of hands.jsonl, each as it was won",
        "Records in error, left out: 3.",
        "Below the minimum: 1. No winning shape: 1.",
        "Wins: 2 (50.0 %), mean 40.00 points, median 10.",
    ]
    data = text.encode()
    found = yaku("stats", "zhongyong-3.3-min5", "--hands", "-", "--json", stdin=data).json
    assert (found["over"], found["hands"], found["errors"]) == ("records", 4, 3)
    assert (found["below_minimum"], found["incomplete"]) == (1, 1)
    assert [one["points"] for one in found["totals"]] == [10, 70]


def test_hands_of_a_table(yaku: Yaku) -> None:
    records = [
        {"id": 1, "hand": "67m22z(4444m)[1111m][567m]+5m", "by": "discard"},
        {"id": 2, "hand": "123m456m789p23s55p+4s", "by": None},
        {"id": 3, "hand": "19x", "by": None},
    ]
    pq.write_table(pa.Table.from_pylist(records), "hands.parquet")
    run = yaku("stats", "--hands", "hands.parquet", "--json")
    assert run.status == 1
    assert (run.json["hands"], run.json["errors"]) == (2, 1)
    assert [one["points"] for one in run.json["totals"]] == [10, 70]


def test_no_hands_at_all(yaku: Yaku) -> None:
    run = yaku("stats", "--hands", "-")
    assert (run.status, run.lines[1:]) == (
        0,
        ["0 hands of -, each as it was won", "Wins: 0 (0 %), mean 0.00 points, median 0."],
    )


# ---- pictures --------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def test_a_picture(yaku: Yaku, tiny: str) -> None:
    run = yaku("stats", tiny, "--plot", "tiny.svg")
    assert run.lines[-1] == "Drawn: tiny.svg"
    picture = ElementTree.parse("tiny.svg").getroot()
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert texts[:2] == ["Tiny 1 (tiny)", run.lines[1]]
    assert {"Triplet", "75.0 %", "Honor", "25.0 %", "All honor", "Totals", "mean 2.9"} <= set(texts)
    # A column for each total, as high as it is frequent.
    columns = [one for one in picture.iter(f"{SVG}rect") if one.get("class") == "column"]
    tall = [float(one.get("height", "")) for one in columns]
    assert [round(6 * height / max(tall)) for height in tall] == list(TOTALS.values())
    # Three patterns count, one of them is lost besides; and one dot of each in the key.
    dots = [one.get("class") for one in picture.iter(f"{SVG}circle")]
    assert (dots.count("counts"), dots.count("lost")) == (4, 2)


def test_dots_stand_where_their_share_is(yaku: Yaku, tiny: str) -> None:
    yaku("stats", tiny, "--plot", "tiny.svg")
    picture = ElementTree.parse("tiny.svg").getroot()
    grid = [
        float(line.get("x1", ""))
        for line in picture.iter(f"{SVG}line")
        if line.get("class") == "grid" and line.get("x1") == line.get("x2")
    ]
    assert len(grid) == 2  # 10 % and 100 %
    dots = [float(one.get("cx", "")) for one in picture.iter(f"{SVG}circle") if one.get("r") == "5"]
    # log10 of 7.5, 2.5 and 1.875: tenths of all wins.
    places = [(x - grid[0]) / (grid[1] - grid[0]) for x in dots[1:]]
    assert places == pytest.approx([0.875, 0.398, 0.273], abs=0.002)


def test_names_that_are_no_xml_are_written_so(yaku: Yaku, tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(TINY.replace("en: Triplet", 'en: "A<&>\\"B"'), encoding="utf-8")
    yaku("stats", str(path), "--plot", "odd.svg", "--lang", "en")
    texts = [text.text for text in ElementTree.parse("odd.svg").getroot().iter(f"{SVG}text")]
    assert 'A<&>"B' in texts


@pytest.mark.parametrize("lang", ["en", "zh-Hant", "zh-Hans", "ja"])
def test_every_language(yaku: Yaku, lang: str) -> None:
    run = yaku("stats", "--sample", "300", "--lang", lang, "--plot", "plot.svg")
    assert run.status == 0
    assert not re.search(r"\{\w+\}", run.out)
    ElementTree.parse("plot.svg")
    if lang != "en":
        assert "Patterns" not in run.out


def test_plain_signs(yaku: Yaku, tiny: str) -> None:
    run = yaku("stats", tiny, "--ascii")
    assert "  Triplet      75.0 %  ############      12     0" in run.lines
    assert run.out.isascii()


# ---- what cannot be --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hands", "x", "--weighted"], "--weighted goes with all hands, not with --hands"),
        (["--hands", "x", "--sample", "3"], "--sample goes with all hands, not with --hands"),
        (["--seed", "3"], "--seed goes with --sample"),
        (["--sample", "0"], "--sample is a whole number from 1 to 100,000,000, not 0"),
        (["--jobs", "0"], "--jobs is a whole number from 1 to 256, not 0"),
        (
            ["--sample", "9", "--plot", "a.png"],
            "a plot is an SVG file, and 'a.png' does not end in",
        ),
        (["--hands", "none.jsonl"], "none.jsonl: no such file or directory"),
        (["a", "--rules", "b"], "the ruleset is given twice"),
    ],
)
def test_options_that_cannot_be(yaku: Yaku, arguments: list[str], message: str) -> None:
    run = yaku("stats", *arguments)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"yaku: {message}")


def test_a_picture_that_cannot_be_written(yaku: Yaku, tiny: str) -> None:
    run = yaku("stats", tiny, "--plot", "no/such/folder.svg")
    assert run.status == 2
    assert run.err.startswith("yaku: no/such/folder.svg: ")
