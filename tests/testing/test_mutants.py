"""Mutants of rulesets: which are noticed, by the fast way and by scoring every case anew."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleengine
from ruleengine.rules import OptionError, Rules
from ruleengine.ruleset.read import ReadRuleset, read_changed, read_ruleset_file
from ruleengine.syntax_store import SyntaxStore
from ruleengine.testing.cases import case_files, example_cases, read_cases
from ruleengine.testing.equivalents import read_explained, sort_out
from ruleengine.testing.mutants import Trial, mutants
from ruleengine.testing.report import examine
from ruleengine.testing.run import Outcome, Runner, run_cases

HEAD = "format: 1\nid: house\nextends: zhongyong-3.3\nversion: '1'\n"


def shipped(name: str) -> Path:
    return ruleengine.data.data_folder("rulesets") / f"{name}.yaml"


def opened(path: Path) -> tuple[ReadRuleset, Rules, list[Outcome]]:
    read = read_ruleset_file(path)
    rules = Rules(read.data, None, read.sources)
    files = case_files(path, rules.id)
    return read, rules, run_cases(rules, [*example_cases(read.data, str(path)), *read_cases(files)])


def house(folder: Path, text: str) -> Path:
    path = folder / "house.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def test_a_variant_answers_for_its_own_lines(tmp_path: Path) -> None:
    read = read_ruleset_file(house(tmp_path, "patterns:\n  one_kong: {points: 12}\n"))
    found = list(mutants(read))
    assert [(one.at, one.before, one.becomes) for one in found] == [
        ("patterns.one_kong.points", "12", "13"),
        ("patterns.one_kong.points", "12", "11"),
    ]
    assert {one.span.line for one in found} == {6}


def test_what_is_changed_besides_sentences(tmp_path: Path) -> None:
    path = house(
        tmp_path,
        "patterns:\n"
        "  one_kong: {series: '4.1', bonus: true, supersedes: [all_sequences]}\n"
        "options: {standard: {default: 30}}\n"
        "total: {cap: 300, empty: {points: 2}}\n"
        "liability: {moves: false}\n"
        "settlement:\n  win: [{when: win by self_draw, pays: points}, {pays: 2}]\n",
    )
    found = {(one.at, one.becomes) for one in mutants(read_ruleset_file(path))}
    left_out = "(left out)"
    assert {
        ("patterns.one_kong.series", left_out),
        ("patterns.one_kong.bonus", left_out),
        ("patterns.one_kong.supersedes.0", left_out),
        ("options.standard.default", "31"),
        ("options.standard.default", "29"),
        ("total.cap", "301"),
        ("total.cap", left_out),
        ("total.empty.points", "1"),
        ("liability.moves", left_out),
        ("settlement.win.0.when", "win by discard"),
        ("settlement.win.0", left_out),
        ("settlement.win", "lines 1 and 2 the other way round"),
        ("settlement.win.1.pays", "3"),
    } <= found


def test_an_example_notices_or_not(tmp_path: Path) -> None:
    text = (
        "patterns:\n  new:\n    points: 3\n    when: count sequences = 2\n"
        '    hits: [{hand: "123m456m9s[222p][888p]+9s", points: 3}]\n'
    )
    tested = examine(house(tmp_path, text), mutants=True)
    assert tested.failed == ()
    assert tested.mutants is not None
    noticed = {one.mutant.becomes for one in tested.mutants.noticed}
    survivors = {one.mutant.becomes for one in tested.mutants.survivors}
    assert {"4", "2", "count sequences = 3", "count sequences = 1"} <= noticed
    assert "count sequences != 2" in noticed
    assert {"count sequences >= 2", "count sequences <= 2"} <= survivors
    assert 0 < tested.mutants.score < 100
    assert not tested.passed(95)


@pytest.mark.parametrize(("name", "step"), [("zhongyong-3.3", 17), ("simple-1", 23)])
def test_the_fast_way_notices_what_scoring_anew_notices(name: str, step: int) -> None:
    read, rules, outcomes = opened(shipped(name))
    assert read.chain is not None
    trial = Trial(read, rules, outcomes)
    store = SyntaxStore.open(read.sources.values())
    cases = [outcome.case for outcome in outcomes if outcome.passed]
    compared = 0
    for tried in trial.run(list(mutants(read))[::step]):
        data = read_changed(read.chain, tried.mutant.node, store)
        assert data is not None
        try:
            anew = Runner(Rules(data))
        except OptionError:
            continue
        # Whether one fails is asked; one of the pattern itself most likely does.
        cases.sort(key=lambda case: case.pattern not in tried.mutant.path)
        slow = any(not anew.run(case).passed for case in cases)
        assert (tried.killed_by is not None) == slow, tried.mutant.becomes
        compared += 1
    assert compared >= 20


@pytest.mark.parametrize("name", ruleengine.ruleset_names())
def test_shipped_rulesets_notice_nearly_every_mutant(name: str) -> None:
    tested = examine(shipped(name), mutants=True)
    assert tested.mutants is not None
    assert tested.mutants.score >= 95
    assert [(entry.at, entry.becomes) for entry in tested.mutants.idle] == []


def test_mutants_that_are_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = house(tmp_path, "patterns:\n  one_kong: {points: 12, when: count kongs = 1}\n")
    folder = tmp_path / "tests" / "cases" / "house"
    folder.mkdir(parents=True)
    (folder / "cases.yaml").write_text(
        '- {hand: "234m678p345s9s[3333z]+9s", points: 12}\n', encoding="utf-8"
    )
    (folder / "house.equivalent.yaml").write_text(
        "- at: patterns.one_kong.when\n  becomes: count kongs >= 1\n  why: More is another.\n"
        "- at: patterns.one_kong.points\n  becomes: '13'\n  why: It is noticed.\n"
        "- at: patterns.one_kong.when\n  becomes: count kongs >= 9\n  why: There is none such.\n"
        "- at: patterns.one_kong.when\n  becomes: count kongs >= 1\n"
        "- nothing\n",
        encoding="utf-8",
    )
    tested = examine(path, mutants=True)
    assert tested.mutants is not None
    assert tested.explained_in == str(Path("tests/cases/house/house.equivalent.yaml"))
    assert [one.mutant.becomes for one in tested.mutants.explained] == ["count kongs >= 1"]
    assert [entry.becomes for entry in tested.mutants.idle][:2] == ["13", "count kongs >= 9"]
    assert [entry.problem for entry in tested.mutants.idle][2:] == [
        "'why' is missing",
        "a mutant is a mapping: 'at', 'becomes', 'why'",
    ]
    assert not tested.passed(None)


def test_no_mutants_are_no_failure() -> None:
    assert sort_out([]).score == 100
    assert sort_out([]).idle == ()


def test_a_file_of_mutants_is_a_list(tmp_path: Path) -> None:
    path = tmp_path / "x.equivalent.yaml"
    path.write_text("at: x\n", encoding="utf-8")
    (entry,) = read_explained(path)
    assert entry.problem == "this is a list, each mutant after '- '"
