"""What is too much work to measure is left out, is said to be, and never passes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import ruleengine
from ruleengine.diagnostics import Span
from ruleengine.lsp import features
from ruleengine.lsp.document import Document
from ruleengine.testing import coverage, mutants, run
from ruleengine.testing.budget import CASE_WORK, Budget, OutOfWork
from ruleengine.testing.cases import Case, example_cases
from ruleengine.testing.effort import Effort
from ruleengine.testing.report import examine
from ruleengine.testing.suggest import suggest_examples
from tests.ruleset.small import ruleset

RULES = Path(__file__).resolve().parents[2] / "rulesets" / "zhongyong-3.3-flowers.yaml"


def test_a_budget_is_spent_before_the_work_is_done() -> None:
    budget = Budget(10)
    budget.spend(10)
    with pytest.raises(OutOfWork):
        budget.spend(1)
    assert budget.spent == 10


def test_what_is_left_out_never_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "MUTANT_WORK", 200_000)
    monkeypatch.setattr(coverage, "COVERAGE_WORK", 20_000)
    found = examine(RULES, coverage=True, mutants=True)
    assert found.mutants is not None
    assert found.mutants.stopped is not None
    assert 0 < found.unseen < len(found.outcomes)
    assert not found.failed
    assert not found.passed(None)
    assert not found.passed(0)
    assert replace(found, unseen=0, mutants=replace(found.mutants, stopped=None)).passed(0)


def test_a_long_sentence_is_much_to_read_for_each_mutant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutants, "MUTANT_WORK", 400_000)
    path = tmp_path / "small.yaml"
    for numbers, stops in ((3, False), (300, True)):
        sentence = " + ".join(["count kongs"] + ["1"] * numbers)
        body = f"patterns: {{p: {{points: 1, when: {sentence} = 7}}}}\n"
        path.write_text(ruleset(body), encoding="utf-8")
        found = examine(path, mutants=True).mutants
        assert found is not None
        assert (found.stopped is not None) == stops


def test_cases_that_are_not_run_never_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CASE_WORK", 100_000)
    found = examine(RULES)
    assert len(found.outcomes) > 0
    assert len(found.untried) > 0
    assert not found.failed
    assert not found.passed(None)
    assert replace(found, untried=()).passed(None)


def test_the_order_of_cases_that_are_run_is_theirs() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    cases = list(example_cases(rules.data, ""))
    budget = Budget(200_000)
    outcomes = run.run_cases(rules, cases, budget)
    assert [outcome.case for outcome in outcomes] == cases[: len(outcomes)]
    assert 0 < len(outcomes) < len(cases)
    assert budget.spent <= 200_000


def test_a_reason_is_paid_for() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    record = {"hand": "67m22z(4444m)[1111m][567m]+5m", "by": "discard", "seat": "S", "from": "W"}
    plain = Case("miss", Span("x", 1, 1, 1, 1), record, pattern="one_kong")
    spent = []
    for case in (replace(plain, fails="count kongs = 1"), plain):
        budget = Budget(CASE_WORK)
        assert [one.problem for one in run.run_cases(rules, [case], budget)] == [None]
        spent.append(budget.spent)
    assert spent[0] - spent[1] == run.REASONING


def test_other_options_and_other_kinds_of_wins_are_paid_for_once() -> None:
    effort = Effort(ruleengine.load("zhongyong-3.3"))
    hand = {"hand": "67m22z(4444m)[1111m][567m]+5m"}
    first, second = effort.hand(hand), effort.hand(hand)
    assert first > second
    assert effort.hand({**hand, "by": "discard"}) == first
    assert effort.hand({**hand, "options": {"minimum": 5}}) > first
    assert effort.hand({**hand, "options": {"minimum": 5}}) == second


def test_a_suggestion_that_is_too_much_work_says_so() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    none = suggest_examples(rules, "all_sequences", Budget(1))
    assert (none.hit, none.miss, none.whole) == (None, None, False)
    some = suggest_examples(rules, "all_sequences", Budget(150_000))
    assert some.hit is not None
    assert "all_sequences" in [counted.id for counted in some.hit.patterns]
    assert not some.whole
    assert suggest_examples(rules, "all_sequences").whole


def test_examples_of_an_editor_that_are_not_run_do_not_hold() -> None:
    document = Document(RULES.read_text("utf-8"), str(RULES))
    assert document.read is not None
    name = next(p.id for p in document.read.data.patterns.values() if len(p.hits) > 1)
    runs = features.run_examples(document, name)
    assert not isinstance(runs, str)
    assert all(one.passed for one in runs)
    none = features.run_examples(document, name, budget=Budget(1))
    assert not isinstance(none, str)
    assert len(none) == len(runs)
    assert {one.problem for one in none} == {"not run: with the others it is too much work"}
