"""`yaku waits`, end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

# Waits for 1m (5) and 4m (20: the second 234m and no terminal or honor).
HAND = "23m234m678p33s[678s]"


def test_each_wait_with_points_and_what_is_left(yaku: Yaku) -> None:
    run = yaku("waits", HAND)
    assert run.status == 0
    assert run.lines == [
        "  🀈 🀈 🀉 🀉 🀊 🀞 🀟 🀠 🀒 🀒  [🀕 🀖 🀗]",
        "  22334m678p33s        [678s]",
        "  Waits for                Left  Points  Patterns",
        "  🀇 1m one of characters      4       5  All Sequences",
        "  🀊 4m four of characters     3      20  All Sequences, No Terminals, Two Identical "
        "Sequences",
        "7 left in all, as far as the hand shows.",
    ]


def test_json_keeps_the_contract(yaku: Yaku) -> None:
    found = yaku("waits", HAND, "--json").json
    assert set(found) == {"waits", "left"}
    assert found["left"] == 7
    assert all(set(one) == {"tile", "points", "left", "patterns"} for one in found["waits"])
    assert [(one["tile"], one["points"], one["left"]) for one in found["waits"]] == [
        ("1m", 5, 4),
        ("4m", 20, 3),
    ]
    assert set(found["waits"][0]["patterns"][0]) == {"id", "code", "name", "count", "points"}


def test_the_way_of_winning_counts(yaku: Yaku) -> None:
    # The pair of 9p or 5s becomes the fourth triplet, concealed only when it is drawn.
    hand = "111222333m55s99p"
    assert [one["points"] for one in yaku("waits", hand, "--json").json["waits"]] == [260, 260]
    by_discard = yaku("waits", hand, "--by", "discard", "--seat", "S", "--json").json["waits"]
    assert [one["points"] for one in by_discard] == [165, 165]


def test_no_wait_is_a_finding(yaku: Yaku) -> None:
    run = yaku("waits", "1357m2468p13579s")
    assert (run.status, run.lines[-1]) == (1, "No tile completes this hand.")
    run = yaku("waits", "1357m2468p13579s", "--json")
    assert (run.status, run.json) == (1, {"waits": [], "left": 0})


def test_a_tile_below_the_minimum_does_not_win(yaku: Yaku) -> None:
    hand = ("234m678p44s99p[222z]", "--set", "minimum=5")
    run = yaku("waits", *hand)
    assert run.status == 1
    assert "Does not win: the hand has 1 point, and the minimum is 5." in run.out
    assert yaku("waits", *hand, "--json").json == {"waits": [], "left": 0}


def test_a_complete_hand_is_refused(yaku: Yaku) -> None:
    run = yaku("waits", "123m456p789s1122z+1z")
    assert run.status == 2
    assert run.err.splitlines() == [
        "yaku: the hand has its winning tile already",
        "  help: leave out '+' and the tile after it to see what the hand waits for",
    ]


def test_a_hand_of_the_wrong_size_is_refused(yaku: Yaku) -> None:
    run = yaku("waits", "123m")
    assert run.status == 2
    assert run.err.startswith("yaku: the hand has 3 ")


def test_words_and_ascii(yaku: Yaku) -> None:
    assert "聽牌" in yaku("waits", HAND, "--lang", "zh-Hant").out
    assert yaku("waits", HAND, "--ascii").out.isascii()
