"""`yaku test`, end to end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ruleengine.testing import run as testing_run

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

HOUSE = """\
format: 1
id: house
name: House
version: "1"
tiles:
  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}
shapes: {basic: {sets: 4, pairs: 1}}
settlement: {win: [{pays: points}]}
patterns:
  all_triplets:
    points: 3
    when: count triplets = 4 and no set is claimed
    hits: [{hand: "111m444p77s11z888s+1z", points: 3}]
    misses: [{hand: "111m444p1z345s888s+1z", points: 0, why: "A sequence."}]
"""


@pytest.fixture
def folder(yaku: Yaku) -> Path:
    """The folder that the commands run in, with a ruleset in it."""
    Path("house.yaml").write_text(HOUSE, encoding="utf-8")
    return Path.cwd()


def test_cases_that_hold(yaku: Yaku, folder: Path) -> None:
    run = yaku("test", "house.yaml")
    assert run.status == 0
    assert run.out == "house: 2 cases hold\n"


def test_cases_that_do_not_hold(yaku: Yaku, folder: Path) -> None:
    text = HOUSE.replace("points: 0, why", "points: 1, why")
    (folder / "house.yaml").write_text(text, encoding="utf-8")
    run = yaku("test", "house.yaml")
    assert run.status == 1
    assert run.out == (
        "house: 1 of 2 cases do not hold\n"
        "  house.yaml:14:14: miss of all_triplets: 111m444p1z345s888s+1z\n"
        "    'points' is 0, not 1\n"
        "    it should be: A sequence.\n"
    )
    (found,) = yaku("test", "house.yaml", "--json").json
    assert found["cases"] == 2
    assert found["failed"][0]["problem"] == "'points' is 0, not 1"


def test_coverage_and_its_threshold(yaku: Yaku, folder: Path) -> None:
    run = yaku("test", "house.yaml", "--coverage")
    assert run.status == 0
    assert run.lines == [
        "house: 2 cases hold",
        "coverage: 88.9 % (8 of 9, in 3 parts)",
        "  house.yaml:12:34: 'no set is claimed' is never seen false",
    ]
    assert yaku("test", "house.yaml", "--coverage", "--threshold", "90").status == 1
    assert yaku("test", "house.yaml", "--coverage", "--threshold", "88").status == 0
    (found,) = yaku("test", "house.yaml", "--coverage", "--json").json
    assert found["coverage"]["percent"] == 88.89


def test_a_case_file_that_is_given(yaku: Yaku, folder: Path) -> None:
    (folder / "more.yaml").write_text(
        '- {hand: "111m444p77s11z[888s]+1z", points: 0, patterns: []}\n', encoding="utf-8"
    )
    run = yaku("test", "house.yaml", "--cases", "more.yaml", "--coverage")
    assert run.lines == ["house: 3 cases hold", "coverage: 100.0 % (9 of 9, in 3 parts)"]


def test_mutants_are_listed_with_their_places(yaku: Yaku, folder: Path) -> None:
    run = yaku("test", "house.yaml", "--mutants", "--threshold", "95")
    assert run.status == 1
    assert run.lines[1].startswith("mutants: ")
    wanted = "  house.yaml:12:26: patterns.all_triplets.when: nothing notices '=' -> '>='"
    assert wanted in run.lines
    assert any("'and no set is claimed' left out" in line for line in run.lines)
    (found,) = yaku("test", "house.yaml", "--mutants", "--json").json
    mutants = found["mutants"]
    assert mutants["noticed"] + len(mutants["survivors"]) > 10
    assert {"path", "line", "column", "at", "before", "after", "becomes"} == set(
        mutants["survivors"][0]
    )


def test_mutants_that_are_explained_are_left_out(yaku: Yaku, folder: Path) -> None:
    before = yaku("test", "house.yaml", "--mutants", "--json").json[0]["mutants"]
    cases = folder / "tests" / "cases" / "house"
    cases.mkdir(parents=True)
    (cases / "house.equivalent.yaml").write_text(
        "- at: patterns.all_triplets.when\n"
        "  becomes: count triplets >= 4 and no set is claimed\n  why: No hand has five.\n",
        encoding="utf-8",
    )
    after = yaku("test", "house.yaml", "--mutants", "--json").json[0]["mutants"]
    assert len(after["survivors"]) == len(before["survivors"]) - 1
    assert (before["explained"], after["explained"]) == (0, 1)


def test_suggested_examples(yaku: Yaku, folder: Path) -> None:
    run = yaku("test", "house.yaml", "--suggest", "all_triplets")
    assert run.status == 0
    assert run.lines[0] == "    hits:"
    assert "    misses:" in run.lines
    found = yaku("test", "house.yaml", "--suggest", "all_triplets", "--json").json
    assert [one["id"] for one in found["hit"]["patterns"]] == ["all_triplets"]
    assert found["miss"]["patterns"] == []
    assert found["yaml"] + "\n" == run.out


def test_options_are_those_of_the_settings(yaku: Yaku) -> None:
    Path("cases.yaml").write_text(
        '- {hand: "44p99s[222m][666s][789p]+4p", win: false, reason: below_minimum}\n', "utf-8"
    )
    run = yaku("test", "zhongyong-3.3-uniform", "--cases", "cases.yaml")
    assert run.status == 1
    again = yaku("test", "zhongyong-3.3-uniform", "--cases", "cases.yaml", "--set", "minimum=5")
    assert "cases.yaml" not in again.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["test", "house.yaml", "--suggest", "all_triplet"], "did you mean 'all_triplets'?"),
        (["test", "nothing"], "there is no ruleset 'nothing'"),
        (["test", "bad.yaml"], "bad.yaml cannot be used"),
        (["test", "house.yaml", "zhongyong-3.3", "--suggest", "x"], "--suggest takes one ruleset"),
    ],
)
def test_wrong_usage(yaku: Yaku, folder: Path, arguments: list[str], message: str) -> None:
    (folder / "bad.yaml").write_text("x: [", encoding="utf-8")
    run = yaku(*arguments)
    assert run.status == 2
    assert message in run.err


def test_a_threshold_is_a_share(yaku: Yaku, folder: Path) -> None:
    for wrong in ("200", "-1", "x"):
        run = yaku("test", "house.yaml", "--coverage", f"--threshold={wrong}")
        assert (run.status, run.out) == (2, "")
        assert "--threshold" in run.err


def test_of_thousands_of_cases_that_do_not_hold_so_many_are_printed(
    yaku: Yaku, folder: Path
) -> None:
    cases = '- {hand: "111m444p77s11z888s+1z", points: 4}\n' * 1500
    (folder / "cases.yaml").write_text(cases, encoding="utf-8")
    run = yaku("test", "house.yaml", "--cases", "cases.yaml")
    assert run.status == 1
    assert run.lines[0] == "house: 1500 of 1502 cases do not hold"
    assert run.lines[1:3] == [
        "  cases.yaml:1:4: case: 111m444p77s11z888s+1z", "    'points' is 3, not 4",
    ]  # fmt: skip
    assert run.lines[-1] == "  ... and 1400 more (all of them: --json)"
    assert len(run.lines) == 202
    (found,) = yaku("test", "house.yaml", "--cases", "cases.yaml", "--json").json
    assert len(found["failed"]) == 1500


def test_of_many_survivors_and_parts_so_many_are_printed(yaku: Yaku, folder: Path) -> None:
    text = HOUSE + "".join(
        f"  p{n}: {{points: {n}, when: count triplets = 4 and dealer and count kongs = 0 "
        "and win by discard and all tiles are simple}\n"
        for n in range(14)
    )
    (folder / "house.yaml").write_text(text, encoding="utf-8")
    run = yaku("test", "house.yaml", "--coverage", "--mutants")
    (found,) = yaku("test", "house.yaml", "--coverage", "--mutants", "--json").json
    survivors = len(found["mutants"]["survivors"])
    assert survivors > 100
    assert sum("nothing notices" in line for line in run.lines) == 100
    assert f"  ... and {survivors - 100} more (all of them: --json)" in run.lines
    missing = sum(len(part["missing"]) for part in found["coverage"]["parts"])
    told = missing + sum(len(part["impossible"]) for part in found["coverage"]["parts"])
    assert told > 100
    seen = [line for line in run.lines if "is never seen" in line or "can never be" in line]
    assert len(seen) == 100
    assert f"  ... and {told - 100} more (all of them: --json)" in run.lines


def test_cases_that_are_not_run_are_told(
    yaku: Yaku, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(testing_run, "CASE_WORK", 2_500)
    cases = '- {hand: "111m444p77s11z888s+1z", points: 3}\n' * 20
    (folder / "cases.yaml").write_text(cases, encoding="utf-8")
    run = yaku("test", "house.yaml", "--cases", "cases.yaml")
    (found,) = yaku("test", "house.yaml", "--cases", "cases.yaml", "--json").json
    left, ran = found["cases_not_run"], found["cases"]
    assert (run.status, left + ran) == (1, 22)
    assert 0 < left < 22
    assert run.lines == [
        f"house: {ran} cases hold",
        f"  not run: cases.yaml:{ran - 1}:4 and the {left - 1} after it: with the others it is "
        "too much work",
    ]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--threshold", "95"], "--threshold goes with --coverage or --mutants"),
        (["--threshold", "0"], "--threshold goes with --coverage or --mutants"),
        (["--suggest", "x", "--threshold", "95"], "--threshold goes with --coverage or --mutants"),
        (["--suggest", "x", "--coverage"], "--coverage does not go with --suggest"),
        (["--suggest", "x", "--mutants"], "--mutants does not go with --suggest"),
        (["--suggest", "x", "--cases", "y.yaml"], "--cases does not go with --suggest"),
    ],
)
def test_an_option_that_does_nothing_is_refused(
    yaku: Yaku, folder: Path, options: list[str], told: str
) -> None:
    run = yaku("test", "house.yaml", *options)
    assert (run.status, run.out) == (2, "")
    assert told in run.err
