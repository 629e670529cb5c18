"""`yaku settle`: requests from files, standard input and options."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

HAND = "123m456m789p23s55p+4s"
SIMPLE = ("--rules", "simple-1")
REQUEST = {
    "event": "win",
    "wins": [
        {"hand": "23m234m678p33s[678s]+4m", "by": "discard", "seat": "S", "from": "W"},
        {"hand": "23m456p789s11p[345s]+4m", "by": "discard", "seat": "E", "from": "W"},
    ],
    "stakes": {"N": 1},
    "carried": 2,
}
# South 2 fan, East 1 and 1 as the dealer: 6 each from West; East comes first and takes 3 stakes.
PAID = {"payments": {"E": 9, "S": 6, "W": -12, "N": 0}, "stakes_left": 0}


def test_a_request_in_a_file(yaku: Yaku) -> None:
    Path("table.json").write_text(json.dumps(REQUEST), encoding="utf-8-sig")
    run = yaku("settle", "table.json", *SIMPLE, "--json")
    assert (run.status, run.json) == (0, PAID)


def test_a_request_on_standard_input(yaku: Yaku) -> None:
    run = yaku("settle", "-", *SIMPLE, "--json", stdin=json.dumps(REQUEST).encode())
    assert (run.status, run.json) == (0, PAID)


def test_text_says_who_wins_and_who_pays(yaku: Yaku) -> None:
    run = yaku("settle", "-", *SIMPLE, stdin=json.dumps(REQUEST).encode())
    assert run.lines == [
        "Simple Mahjong 1 (simple-1)",
        "East wins, on a discard from West, East round: 2 points",
        "South wins, on a discard from West, East round: 2 points",
        "Payments",
        "  East    +9  winner, stakes +3",
        "  South   +6  winner",
        "  West   -12  discarder",
        "  North    0",
        "Stakes left for the next winner: 0",
    ]


def test_text_says_who_is_passed_over(yaku: Yaku) -> None:
    request = {"event": "win", "wins": REQUEST["wins"]}
    run = yaku("settle", "-", stdin=json.dumps(request).encode())
    assert run.lines[1:3] == [
        "East wins, on a discard from West, East round: 5 points",
        "South could win on the same tile, but East comes first in turn order",
    ]
    assert "Stakes" not in run.out


def test_text_of_the_other_endings(yaku: Yaku) -> None:
    assert yaku("settle", "--event", "exhausted", "--ready", "none", *SIMPLE).lines[1] == (
        "The wall is exhausted, nobody is ready"
    )
    run = yaku("settle", "--event", "wrong_win", "--seat", "n", *SIMPLE, "--lang", "zh-Hans")
    assert run.lines[1] == "北家错和"
    assert "北家  -12  错和者" in run.out
    run = yaku("settle", "--event", "abortive", "--stakes", "E=1,s=1", *SIMPLE)
    assert run.lines[-1] == "Stakes left for the next winner: 2"
    run = yaku("settle", "--hand", "23m678p345s99s[222z]+4m", "--by", "robbing_kong", "--seat", "S",
               "--from", "W", *SIMPLE)  # fmt: skip
    assert "  West   -12  robbed" in run.lines


@pytest.mark.parametrize(
    ("arguments", "payments", "left"),
    [
        (["--hand", HAND, "--seat", "S"], {"E": -4, "S": 10, "W": -3, "N": -3}, 0),
        (
            ["--event", "win", "--hand", HAND, "--by", "discard", "--seat", "s", "--from", "w",
             "--discards", "S9m,n4s", "--events", "ready", "--stakes", "S=1", "--dora", "4p"],
            {"E": 0, "S": 16, "W": 0, "N": -15},
            0,
        ),
        (
            ["--event", "exhausted", "--ready", "E", "--ready", "s", "--carried", "1"],
            {"E": 2, "S": 2, "W": -2, "N": -2},
            1,
        ),
        (["--event", "wrong_win", "--seat", "E"], {"E": -12, "S": 4, "W": 4, "N": 4}, 0),
        (["--event", "abortive", "--stakes", "E=1"], dict.fromkeys("ESWN", 0), 1),
    ],
)  # fmt: skip
def test_options(yaku: Yaku, arguments: list[str], payments: dict[str, int], left: int) -> None:
    run = yaku("settle", *arguments, *SIMPLE, "--json")
    assert (run.status, run.json) == (0, {"payments": payments, "stakes_left": left})


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        ([], b"", "REQUEST is missing: a file with what is to be settled"),
        (["-"], b"{", "the request is not JSON: expecting property name enclosed in double "),
        (["-"], b"\xff", "the request is not UTF-8 text"),
        (["-"], b"[" * 100_000, "the request is not JSON"),
        (["-"], b" " * 1_000_001, "a request has at most 1000000 bytes"),
        (["-"], b"[]", "what is to be settled is a JSON object"),
        (["-", "--seat", "E"], b"{}", "the request is given by -, and --seat says something"),
        (["none.json"], b"", "none.json: no such file or directory"),
        (["--seat", "E"], b"", "'event' is missing: how the hand ended"),
        (["--event", "win"], b"", "a record needs 'hand'"),
        (["--event", "abortive", "--from", "E"], b"", "--from says how a hand was won"),
        (["--event", "abortive", "--stakes", "E"], b"", "--stakes are written as E=1,S=1"),
        (["--event", "abortive", "--stakes", "E=1,e=1"], b"", "--stakes names E twice"),
        (["--event", "exhausted", "--ready", "X"], b"", "a seat in 'ready' is E, S, W or N"),
        (["--hand", HAND, "--discards", "S"], b"", "a discard names no tile"),
        (["--hand", HAND, "--discards", "4s"], b"", "'discards' is a list of pairs of a seat"),
    ],
)
def test_what_cannot_be_settled(yaku: Yaku, arguments: list[str], stdin: bytes, said: str) -> None:
    run = yaku("settle", *arguments, *SIMPLE, stdin=stdin)
    assert (run.status, run.out) == (2, "")
    assert run.err.startswith(f"yaku: {said}"), run.err


def test_an_error_as_json(yaku: Yaku) -> None:
    run = yaku("settle", "--event", "exhausted", *SIMPLE, "--json")
    error: dict[str, Any] = run.json["error"]
    assert (run.status, error["code"]) == (2, "H401")


@pytest.mark.parametrize(
    ("request_text", "name"),
    [
        ('{"event": "abortive", "event": "exhausted", "ready": []}', "event"),
        ('{"event": "abortive", "stakes": {"E": 1, "E": 0}}', "E"),
        ('{"event": "win", "wins": [{"hand": "19m", "hand": "1112345678999m+5m"}]}', "hand"),
    ],
)
def test_a_request_says_nothing_twice(yaku: Yaku, request_text: str, name: str) -> None:
    run = yaku("settle", "-", "--rules", "simple-1", stdin=request_text.encode())
    assert (run.status, run.out, run.err) == (2, "", f"yaku: '{name}' is given twice\n")
