"""Cases: read from rulesets and case files, run one by one, each failing alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleengine.diagnostics import Span
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_file
from ruleengine.testing.cases import Case, case_files, example_cases, read_cases
from ruleengine.testing.run import Outcome, run_cases

HOUSE = """\
format: 1
id: house
extends: zhongyong-3.3
version: "1"
patterns:
  all_triplets:
    points: 40
    hits:
      - {hand: "222m666s99p44p[888p]+4p", points: 70, why: "40 + 30 (three concealed triplets)"}
    misses:
MISSES
"""


def outcomes(folder: Path, misses: str) -> list[Outcome]:
    """What becomes of the misses of all triplets in a variant."""
    path = folder / "house.yaml"
    path.write_text(HOUSE.replace("MISSES", misses), encoding="utf-8")
    read = read_ruleset_file(path)
    cases = list(example_cases(read.data, str(path)))
    own = [case for case in cases if case.own]
    assert len(cases) > 150
    found = run_cases(Rules(read.data), own)
    assert found[0].passed, found[0].problem
    return found[1:]


def problem(folder: Path, miss: str) -> str | None:
    (found,) = outcomes(folder, f"      - {miss}")
    return found.problem


def test_a_miss_that_counts_the_pattern(tmp_path: Path) -> None:
    found = problem(tmp_path, '{hand: "44p99s[222m][666s][888p]+9s", points: 40}')
    assert found == "counts all_triplets: all_triplets; 40 points"


def test_a_miss_that_does_not_win(tmp_path: Path) -> None:
    found = problem(tmp_path, '"13579m13579p135s+7z"')
    assert found is not None
    assert "not_a_winning_hand" in found or "no winning hand" in found


def test_points_that_are_wrong(tmp_path: Path) -> None:
    found = problem(tmp_path, '{hand: "23m456p789s11z[345s]+1m", points: 6}')
    assert found == "'points' is 5, not 6"


def test_a_hand_that_cannot_be_fails_alone(tmp_path: Path) -> None:
    misses = '      - "11111m+1m"\n      - {hand: "23m456p789s11z[345s]+1m", points: 5}'
    first, second = outcomes(tmp_path, misses)
    assert first.problem is not None
    assert first.problem.startswith("this cannot be (H")
    assert second.passed


# ---- why a miss is one --------------------------------------------------------------------------

SEQUENCE = '"444p99s88m[222p][567s]+9s"'


@pytest.mark.parametrize("spaced", [" = ", "  =  ", "="])
def test_the_part_that_fails(tmp_path: Path, spaced: str) -> None:
    part = f"count triplets{spaced}4"
    assert problem(tmp_path, f"{{hand: {SEQUENCE}, fails: {part}}}") is None


def test_a_part_that_there_is_not(tmp_path: Path) -> None:
    found = problem(tmp_path, f"{{hand: {SEQUENCE}, fails: count kongs = 1}}")
    wanted = "'fails' names no part of all_triplets; its parts are 'count triplets = 4'"
    assert found == wanted


def test_a_part_that_does_not_fail_or_is_not_all(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    head = HOUSE.split("patterns:")[0]
    body = (
        "patterns:\n  concealed_hand:\n    misses:\n"
        '      - {hand: "234m567m345p9s[678s]+9s", fails: no set is claimed}\n'
        '      - {hand: "234m567m345p9s[678s]+9s", fails: shape is basic}\n'
        '      - {hand: "1133m5577p2299s6z+6z", fails: no set is claimed}\n'
        "  mixed_greater_terminals:\n    misses:\n"
        '      - {hand: "123m99s11z[999p][444z]+9s", fails: all tiles are terminal | honor}\n'
    )
    path.write_text(head + body, encoding="utf-8")
    read = read_ruleset_file(path)
    cases = [case for case in example_cases(read.data, str(path)) if case.own]
    assert [outcome.problem for outcome in run_cases(Rules(read.data), cases)] == [
        None,
        "'shape is basic' is so in this hand",
        "'no set is claimed' is so in this hand",
        "'all tiles are terminal | honor' is not all that keeps mixed_greater_terminals from "
        "counting",
    ]


def test_the_pattern_that_counts_in_its_stead(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    head = HOUSE.split("patterns:")[0]
    hand = '"23m55s[555z][666z][777z]+4m"'
    body = (
        "patterns:\n  mixed_lesser_terminals:\n    misses:\n"
        '      - {hand: "123p789p123s11s78s+9s", lost_to: pure_lesser_terminals}\n'
        '      - {hand: "123p789p123s11s78s+9s", lost_to: all_triplets}\n'
        '      - {hand: "123p789p123s11s78s+9s", lost_to: pure_lessr}\n'
        f"      - {{hand: {hand}, lost_to: pure_lesser_terminals}}\n"
    )
    path.write_text(head + body, encoding="utf-8")
    read = read_ruleset_file(path)
    cases = [case for case in example_cases(read.data, str(path)) if case.own]
    found = [outcome.problem for outcome in run_cases(Rules(read.data), cases)]
    lesser = "mixed_lesser_terminals is not lost to"
    assert found == [
        None,
        f"{lesser} all_triplets: it is lost to pure_lesser_terminals",
        "'lost_to' names no pattern of house: pure_lessr",
        f"{lesser} pure_lesser_terminals: it is not there at all",
    ]


# ---- case files ---------------------------------------------------------------------------------


def run_file(folder: Path, text: str) -> list[Outcome]:
    path = folder / "cases.yaml"
    path.write_text(text, encoding="utf-8")
    house = folder / "house.yaml"
    house.write_text(HOUSE.split("patterns:")[0], encoding="utf-8")
    return run_cases(Rules(read_ruleset_file(house).data), read_cases([path]))


def test_a_case_file(tmp_path: Path) -> None:
    found = run_file(
        tmp_path,
        '- hand: "23m234m678p33s[678s]+1m"\n'
        "  by: discard\n  seat: S\n  from: W\n  points: 5\n  patterns: [all_sequences]\n"
        "  payments: {E: -5, S: 15, W: -5, N: -5}\n"
        '- {hand: "23m234m678p33s[678s]+1m", points: 5, patterns: [all_triplets]}\n'
        '- {hand: "23m234m678p33s[678s]+1m", points: 5, payments: {E: 15, S: 0, W: 0, N: 0}}\n'
        '- {hand: "13579m13579p135s+7z", win: false, reason: not_a_winning_hand}\n'
        '- {hand: "123m456m789p23s55p+4s", events: [kong_replacement], error: H308}\n'
        '- {hand: "123m456m789p23s55p+4s", error: H308}\n'
        "- {event: exhausted, ready: [E], payments: {E: 0, S: 0, W: 0, N: 0}, stakes_left: 0}\n"
        "- {event: exhausted, ready: [E], stakes_left: 3}\n",
    )
    assert [outcome.problem for outcome in found] == [
        None,
        "'patterns' is [all_sequences], not [all_triplets]",
        "'payments' is {E: 15, S: -5, W: -5, N: -5}, not {E: 15, S: 0, W: 0, N: 0} "
        "(all_sequences; 5 points)",
        None,
        None,
        "this can be scored, and should be wrong (H308)",
        None,
        "'stakes_left' is 0, not 3",
    ]


def test_a_wrong_case_fails_alone(tmp_path: Path) -> None:
    found = run_file(
        tmp_path,
        '- {hand: "23m234m678p33s[678s]+1m", point: 5}\n'
        '- "23m234m678p33s[678s]+1m"\n'
        '- {hand: "23m234m678p33s[678s]+1m"}\n'
        "- {hand: 5, points: 5}\n"
        "- {event: exhausted}\n"
        '- {hand: "23m234m678p33s[678s]+1m", points: 5}\n'
        '- {hand: "23m234m678p33s[678s]+1m", win: false}\n'
        '- {hand: "23m234m678p33s[678s]+2m", win: false}\n'
        '- {hand: "23m234m678p33s[678s]+1m", points: "5"}\n',
    )
    problems = [outcome.problem or "" for outcome in found]
    assert problems[0] == "a case has no 'point'; did you mean 'points'?"
    assert problems[1].startswith("a case is a mapping")
    assert problems[2].startswith("a case says what the hand comes to")
    assert problems[3].startswith("this cannot be (H312)")
    assert problems[4].startswith("a settlement says what comes of it")
    assert problems[5] == ""
    assert problems[6].startswith("'win' is true, not false")
    assert problems[7] == ""
    assert problems[8] == "'points' is 5, not the text \"5\""
    assert [outcome.case.span.line for outcome in found] == [1, 2, 3, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize("text", ["- [", "hand: x\n", ""])
def test_a_file_that_is_no_list_of_cases_is_a_case_that_fails(tmp_path: Path, text: str) -> None:
    path = tmp_path / "cases.yaml"
    path.write_text(text, encoding="utf-8")
    cases = read_cases([path, tmp_path / "none.yaml"])
    assert len(cases) == 2
    assert all(case.broken for case in cases)


def test_case_files_are_found_beside_the_ruleset_and_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "tests" / "cases" / "house"
    folder.mkdir(parents=True)
    for name in ("a.yaml", "b.yaml", "house.equivalent.yaml", "notes.txt"):
        (folder / name).write_text("[]", encoding="utf-8")
    wanted = [Path("tests/cases/house/a.yaml"), Path("tests/cases/house/b.yaml")]
    assert case_files(tmp_path / "house.yaml", "house") == wanted
    assert case_files(tmp_path / "rulesets" / "house.yaml", "house") == wanted
    assert case_files(tmp_path / "house.yaml", "other") == []


def test_a_case_has_a_name() -> None:
    case = Case("hit", Span("x", 1, 1, 1, 2), {"hand": "1m"}, pattern="one_kong")
    assert case.name == "hit of one_kong: 1m"
