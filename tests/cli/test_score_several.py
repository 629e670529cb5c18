"""`yaku score` with `--rules` several times: one hand under several rulesets as one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

import ruleengine

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

# Zung Jung: all sequences 5, no terminals 5, two identical sequences 10 = 20, from everybody.
# Simple Mahjong: all sequences 1, no terminals 1 = 2; the discarder alone pays 3 x 2.
HAND = "23m234m678p33s[678s]+4m"
SITUATION = ("--by", "discard", "--seat", "S", "--from", "W")
SHIPPED = [word for name in ruleengine.ruleset_names() for word in ("--rules", name)]


def rules(*names: str) -> list[str]:
    return [word for name in names for word in ("--rules", name)]


def test_several_rulesets_make_one_table(yaku: Yaku) -> None:
    hand = "234m678p44s99p[222z]+4s"
    both = rules("zhongyong-3.3", "zhongyong-3.3-min5")
    run = yaku("score", hand, *both)
    assert run.status == 1
    assert [line.split() for line in run.lines if "zhongyong" in line or "Total" in line] == [
        ["zhongyong-3.3", "zhongyong-3.3-min5"],
        ["Total", "1", "1"],
    ]
    assert "below the minimum" in run.out
    run = yaku("score", hand, *both, "--json")
    assert [(one["rules"], one["win"]) for one in run.json] == [
        ("zhongyong-3.3", True),
        ("zhongyong-3.3-min5", False),
    ]


def test_all_shipped_rulesets_stand_in_one_table(yaku: Yaku) -> None:
    run = yaku("score", HAND, *SITUATION, *SHIPPED)
    assert run.status == 0
    assert run.out.splitlines()[5:] == [
        "                            simple-1",
        "                            │    zhongyong-3.2",
        "                            │    │    zhongyong-3.3",
        "                            │    │    │    zhongyong-3.3-flowers",
        "                            │    │    │    │    zhongyong-3.3-min5",
        "                            │    │    │    │    │    zhongyong-3.3-uniform",
        "  No Terminals              1    5    5    5    5    5",
        "  All Sequences             1    5    5    5    5    5",
        "  Two Identical Sequences   ·   10   10   10   10   10",
        "  Total                     2   20   20   20   20   20",
        "  East                      0  -20  -20  -20  -20  -20",
        "  South                    +6  +60  +60  +60  +60  +60",
        "  West                     -6  -20  -20  -20  -20  -20",
        "  North                     0  -20  -20  -20  -20  -20",
    ]


@pytest.mark.parametrize("lang", ["en", "zh-Hant", "zh-Hans", "ja"])
@pytest.mark.parametrize("width", [20, 30, 45, 60, 80, 100, 200])
def test_no_line_is_wider_than_the_terminal_and_every_ruleset_is_there(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch, width: int, lang: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    run = yaku("score", HAND, *SITUATION, *SHIPPED, "--lang", lang)
    if width >= 45:
        assert max(map(cell_len, run.lines)) <= width
    whole = "".join(run.out.split())
    assert [name for name in ruleengine.ruleset_names() if name not in whole] == []


def test_a_table_that_is_too_wide_becomes_several(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    run = yaku("score", HAND, *SITUATION, "--ascii", *rules("simple-1", "zhongyong-3.3-uniform"))
    assert run.out.splitlines()[5:] == [
        "                           simple-1",
        "  No Terminals                    1",
        "  All Sequences                   1",
        "  Two Identical Sequences         -",
        "  Total                           2",
        "  East                            0",
        "  South                          +6",
        "  West                           -6",
        "  North                           0",
        "",
        "                           zhongyong-3.3-uniform",
        "  No Terminals                                 5",
        "  All Sequences                                5",
        "  Two Identical Sequences                     10",
        "  Total                                       20",
        "  East                                       -20",
        "  South                                      +60",
        "  West                                       -20",
        "  North                                      -20",
    ]


def test_a_ruleset_that_does_not_take_the_hand_says_why(yaku: Yaku) -> None:
    three = rules("zhongyong-3.3", "zhongyong-3.3-flowers", "simple-1")
    run = yaku("score", HAND, "--flowers", "1f", *three)
    assert run.status == 1
    # Seat flower 4: 20 + 4.
    assert [line.split() for line in run.lines if "Total" in line] == [["Total", "·", "24", "·"]]
    assert run.lines[-1] == (
        "  zhongyong-3.3, simple-1: this ruleset is played without flowers, so 1f cannot occur"
    )
    run = yaku("score", HAND, "--flowers", "1f", *three, "--json")
    assert run.status == 1
    assert [one.get("points") for one in run.json] == [None, 24, None]
    assert run.json[0] == {
        "id": None,
        "error": {
            "code": "H202",
            "message": "this ruleset is played without flowers, so 1f cannot occur",
        },
    }


def test_a_hand_that_no_ruleset_takes_is_an_error(yaku: Yaku) -> None:
    run = yaku("score", "123m", *SHIPPED)
    assert (run.status, run.out) == (2, "")
    assert len(run.err.splitlines()) <= 2
