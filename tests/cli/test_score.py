"""`yaku score`, end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

# Mixed one-suit 40 + two kongs 20 + two identical sequences 10 = 70. On a discard from West the
# others pay at most 25, and West 3 x 70 - 2 x 25 = 160.
HAND = "67m22z(4444m)[1111m][567m]+5m"
SITUATION = ("--by", "discard", "--seat", "S", "--from", "W")


def test_text_shows_tiles_patterns_total_and_payments(yaku: Yaku) -> None:
    run = yaku("score", HAND, *SITUATION)
    assert run.status == 0
    assert run.err == ""
    assert run.out.splitlines() == [
        "Zung Jung 3.3 (zhongyong-3.3)",
        "South wins, on a discard from West, East round",
        "",
        " +🀋 🀌 🀍   (🀫 🀊 🀊 🀫) [🀇 🀇 🀇 🀇] [🀋 🀌 🀍]  🀁 🀁",
        "  67m+5m  (4444m)   [1111m]   [567m]   22z",
        "",
        "  2.1.1  Mixed One-Suit           40",
        "  4.3.2  Two Kongs                20",
        "  5.1.1  Two Identical Sequences  10",
        "         Total                    70",
        "",
        "Payments",
        "  East    -25",
        "  South  +210  winner",
        "  West   -160  discarder",
        "  North   -25",
    ]


def test_json_keeps_the_contract(yaku: Yaku) -> None:
    run = yaku("score", HAND, *SITUATION, "--json")
    assert run.status == 0
    assert run.json == {
        "id": None,
        "rules": "zhongyong-3.3",
        "win": True,
        "points": 70,
        "patterns": [
            {
                "id": "mixed_one_suit", "code": "2.1.1", "name": "Mixed One-Suit", "count": 1,
                "points": 40,
            },
            {"id": "two_kongs", "code": "4.3.2", "name": "Two Kongs", "count": 1, "points": 20},
            {
                "id": "two_identical_sequences", "code": "5.1.1",
                "name": "Two Identical Sequences", "count": 1, "points": 10,
            },
        ],
        "limit": None,
        "arrangement": "567m (4444m) [1111m] [567m] 22z",
        "payments": {"E": -25, "S": 210, "W": -160, "N": -25},
    }  # fmt: skip


def test_ascii_draws_with_ascii_alone(yaku: Yaku) -> None:
    run = yaku("score", HAND, *SITUATION, "--ascii")
    assert run.out.isascii()
    assert " +5m 6m 7m  (## 4m 4m ##) [1m 1m 1m 1m] [5m 6m 7m]  2z 2z" in run.lines


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["Zung Jung 3.3", "Mixed One-Suit", "Total", "East", "discarder"]),
        ("zh-Hant", ["中庸麻雀 3.3", "南家和牌，銃和（西家打出），東圈", "總分", "出銃者", "東家"]),
        ("zh-Hans", ["中庸麻雀 3.3", "南家和牌，铳和（西家打出），东圈", "总分", "出铳者", "东家"]),
        ("ja", ["中庸麻雀 3.3", "南家の和了、ロン（西家から）、東場", "混一色", "合計", "放銃者"]),
    ],
)
def test_words_by_language(yaku: Yaku, lang: str, words: list[str]) -> None:
    run = yaku("score", HAND, *SITUATION, "--lang", lang)
    assert run.status == 0
    assert [word for word in words if word not in run.out] == []


def test_pattern_names_of_json_by_language(yaku: Yaku) -> None:
    run = yaku("score", HAND, *SITUATION, "--json", "--lang", "zh-Hans")
    assert [one["name"] for one in run.json["patterns"]] == ["混一色", "二杠", "一般高"]


def test_a_hand_may_be_several_words(yaku: Yaku) -> None:
    run = yaku("score", "67m", "22z", "(4444m)", "[1111m]", "[567m]", "+5m", *SITUATION, "--json")
    assert run.json["points"] == 70


def test_a_win_without_from_says_how_to_see_payments(yaku: Yaku) -> None:
    run = yaku("score", HAND, "--by", "discard", "--seat", "S")
    assert run.status == 0
    assert "  Who pays is known once --from names the seat that gave the tile." in run.lines


def test_no_winning_hand_is_a_finding(yaku: Yaku) -> None:
    run = yaku("score", "123m456p789s1123z+1z")
    assert (run.status, run.lines[-1]) == (1, "Not a winning hand.")
    run = yaku("score", "123m456p789s1123z+1z", "--json")
    assert run.status == 1
    assert run.json == {
        "id": None, "rules": "zhongyong-3.3", "win": False, "reason": "not_a_winning_hand",
        "points": 0, "patterns": [],
    }  # fmt: skip


def test_a_hand_below_the_minimum_is_a_finding(yaku: Yaku) -> None:
    run = yaku("score", "234m678p44s99p[222z]+4s", "--set", "minimum=5")
    assert run.status == 1
    assert "  Chicken Hand  1" in run.lines
    assert run.lines[-1] == "Does not win: the hand has 1 point, and the minimum is 5."
    run = yaku("score", "234m678p44s99p[222z]+4s", "--set", "minimum=5", "--json")
    assert (run.json["reason"], run.json["points"]) == ("below_minimum", 1)


def test_a_chicken_hand_has_a_name_and_one_point(yaku: Yaku) -> None:
    run = yaku("score", "234m678p44s99p[222z]+4s")
    assert run.status == 0
    assert "  Chicken Hand  1" in run.lines


def test_a_limit_pattern_is_said_to_stand_alone(yaku: Yaku) -> None:
    run = yaku("score", "1112345678999m+5m")
    assert "  2.2  Nine Gates  480" in run.lines
    assert "  a limit pattern: it counts alone" in run.lines
    assert "  East   +1440  winner" in run.lines


def test_the_cap_is_said_in_words(yaku: Yaku) -> None:
    # Big three dragons 130, value honor 3 x 10 = 30, mixed one-suit 40, all triplets 30, mixed
    # greater terminals 100, three concealed triplets 30: 360 together.
    run = yaku("score", "999m1m555z666z[777z]+1m", "--json")
    assert run.json["limit"] == "cap"
    assert run.json["points"] == 320
    assert sum(one["points"] for one in run.json["patterns"]) == 360
    run = yaku("score", "999m1m555z666z[777z]+1m")
    assert "  the patterns add to 360; 320 is the most a hand is worth" in run.lines


def test_a_pattern_that_counts_twice_says_so(yaku: Yaku) -> None:
    run = yaku("score", "23m678p77z[555z][666z]+4m")
    assert "  3.1    Value Honor ×2       20" in run.lines
    assert "Value Honor x2" in yaku("score", "23m678p77z[555z][666z]+4m", "--ascii").out


def test_who_is_liable_and_events_are_named(yaku: Yaku) -> None:
    run = yaku("score", HAND, *SITUATION, "--liable", "N", "--events", "last_tile")
    assert run.status == 0
    first = "South wins, on a discard from West, East round, North is liable, Last tile"
    assert run.lines[1] == first
    assert run.lines[-1].split() == ["North", "-190", "liable"]


def test_winds_may_be_small_letters(yaku: Yaku) -> None:
    run = yaku("score", HAND, "--by", "discard", "--seat", "s", "--from", "w", "--json")
    assert run.json["payments"] == {"E": -25, "S": 210, "W": -160, "N": -25}


def test_the_winning_tile_may_be_an_option(yaku: Yaku) -> None:
    run = yaku("score", "67m22z(4444m)[1111m][567m]", "--winning-tile", "5m", "--json")
    assert run.json["points"] == 70


def test_a_narrow_terminal_gets_narrow_lines(yaku: Yaku, monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.cells import cell_len

    monkeypatch.setenv("COLUMNS", "40")
    for lang in ("en", "ja"):
        run = yaku("score", HAND, *SITUATION, "--lang", lang)
        assert max(cell_len(line) for line in run.lines) <= 40
        assert "70" in run.out
