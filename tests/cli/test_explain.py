"""`yaku explain`, end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

# Three concealed triplets in a row, won on the fourth: 100 + 30 + 30 + 5 = 165.
HAND = ("111222333m55s99p+9p", "--by", "discard", "--seat", "S")


def after(text: str, heading: str) -> list[str]:
    """The lines under a heading, up to the next empty line."""
    lines = text.splitlines()
    start = lines.index(heading) + 1
    stop = lines.index("", start) if "" in lines[start:] else len(lines)
    return lines[start:stop]


def test_what_counts_is_shown_with_its_sets(yaku: Yaku) -> None:
    run = yaku("explain", *HAND)
    assert run.status == 0
    assert after(run.out, "Counts") == [
        "  1.2 Concealed Hand  5",
        "    shape is basic and no set is claimed",
        "  4.1 All Triplets  30",
        "    count triplets = 4  → 111m 222m 333m 999p",
        "  4.2.2 Three Concealed Triplets  30",
        "    count concealed triplets = 3  → 111m 222m 333m",
        "  7.2.1 Three Consecutive Triplets  100",
        "    has triplet rx, triplet r+1x, triplet r+2x  → 111m 222m 333m",
    ]


def test_a_near_miss_says_what_failed_and_what_would_do(yaku: Yaku) -> None:
    # Won on 5s the triplet of 9p is concealed too: 165 - 30 + 125 = 260.
    run = yaku("explain", *HAND)
    assert after(run.out, "Nearly") == [
        "  4.2.3 Four Concealed Triplets  125",
        "    count concealed triplets = 4  ✗ there: 3 (111m 222m 333m)",
        "    won on 5s instead of 9p → 260 points",
    ]


def test_every_reading_has_its_total(yaku: Yaku) -> None:
    # As 123m three times: 120 (three identical sequences) + 5 (concealed hand) = 125.
    run = yaku("explain", *HAND)
    assert after(run.out, "Ways to read the hand") == [
        "  165  111m 222m 333m 99p+9p 55s  chosen: the highest total",
        "  125  123m 123m 123m 99p+9p 55s  Concealed Hand, Three Identical Sequences",
    ]


def test_the_rest_is_counted_and_shown_on_demand(yaku: Yaku) -> None:
    run = yaku("explain", *HAND)
    assert run.lines[-1] == "40 more are not there; --all shows them with reasons."
    shown = after(yaku("explain", *HAND, "--all").out, "Not there")
    assert len([line for line in shown if not line.startswith("    ")]) == 40
    at = shown.index("  8.1.3 Mixed Greater Terminals  100")
    assert shown[at + 1] == "    all tiles are terminal | honor  ✗ because of 23m5s"


def test_what_is_lost_names_who_won(yaku: Yaku) -> None:
    # Nine gates stand alone, so pure one-suit does not count.
    run = yaku("explain", "1112345678999m+5m")
    lost = after(run.out, "There, but does not count")
    at = lost.index("  2.1.2 Pure One-Suit  80")
    assert lost[at + 2] == "    Nine Gates counts alone"


def test_ascii_is_ascii(yaku: Yaku) -> None:
    run = yaku("explain", *HAND, "--ascii", "--all")
    assert run.out.isascii()
    assert "count triplets = 4  -> 111m 222m 333m 999p" in run.out


@pytest.mark.parametrize("lang", ["zh-Hant", "zh-Hans", "ja"])
def test_other_languages_leave_no_english_label(yaku: Yaku, lang: str) -> None:
    run = yaku("explain", *HAND, "--all", "--lang", lang)
    for label in ("Counts", "Nearly", "Not there", "there:", "because", "Total", "instead"):
        assert label not in run.out


def test_json_has_the_result_and_every_arrangement(yaku: Yaku) -> None:
    found = yaku("explain", *HAND, "--json").json
    assert set(found) == {"result", "arrangements"}
    assert found["result"]["points"] == 165
    totals = {(one["total"], one["chosen"]) for one in found["arrangements"]}
    assert totals == {(165, True), (125, False)}
    assert all(len(one["patterns"]) == 44 for one in found["arrangements"])


def test_one_pattern_in_depth(yaku: Yaku) -> None:
    run = yaku("explain", *HAND, "--pattern", "four_concealed_triplets")
    assert run.status == 0
    assert "4.2.3 Four Concealed Triplets  125" in run.lines
    assert "Four Concealed Triplets is not there" in run.lines
    assert "  count concealed triplets = 4  ✗ there: 3 (111m 222m 333m)" in run.lines
    changes = after(run.out, "The smallest changes that make it count")
    # By self-draw: 100 + 125 + 30 + 5 = 260.
    assert changes[0] == "  won by self-draw → 260 points         111222333m99p55s+9p"


def test_one_pattern_as_json(yaku: Yaku) -> None:
    found = yaku("explain", *HAND, "--pattern", "four_concealed_triplets", "--json").json
    assert set(found) == {"result", "pattern", "changes"}
    assert found["pattern"]["state"] == "not_met"
    assert found["pattern"]["failed"][0]["value"] == 3
    assert found["changes"][0]["kind"] == "circumstance"
    assert found["changes"][0]["result"]["points"] == 260


def test_a_pattern_that_counts_has_no_changes(yaku: Yaku) -> None:
    found = yaku("explain", *HAND, "--pattern", "all_triplets", "--json").json
    assert (found["pattern"]["state"], found["changes"]) == ("counted", [])
    run = yaku("explain", *HAND, "--pattern", "all_triplets")
    assert "All Triplets counts  30" in run.lines


def test_a_pattern_that_no_single_change_brings(yaku: Yaku) -> None:
    run = yaku("explain", *HAND, "--pattern", "thirteen_terminals")
    assert run.lines[-1] == "No single change makes it count."


def test_a_hand_without_a_shape_says_what_it_waits_for(yaku: Yaku) -> None:
    run = yaku("explain", "123m456m789p23s55p+5s")
    assert run.status == 1
    assert run.lines[-3:] == [
        "Not a winning hand.",
        "The hand fits none of these shapes: Four sets and a pair, Seven pairs, "
        "Thirteen terminals.",
        "Without 5s it waits for 1s, 4s.",
    ]


@pytest.mark.parametrize(
    ("pattern", "help_line"),
    [
        ("three_kong", "did you mean 'three_kongs'?"),
        ("2.1.1", "its id is 'mixed_one_suit'"),
        ("混一色", "its id is 'mixed_one_suit'"),
        ("zzz", "yaku show zhongyong-3.3 lists them"),
    ],
)
def test_an_unknown_pattern(yaku: Yaku, pattern: str, help_line: str) -> None:
    run = yaku("explain", *HAND, "--pattern", pattern)
    assert run.status == 2
    assert run.out == ""
    assert run.err.splitlines() == [
        f"yaku: zhongyong-3.3 has no pattern '{pattern}'",
        f"  help: {help_line}",
    ]
