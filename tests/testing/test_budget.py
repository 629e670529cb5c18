"""What is too much work to measure is left out, is said to be, and never passes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ruleengine.testing import coverage, mutants
from ruleengine.testing.budget import Budget, OutOfWork
from ruleengine.testing.report import examine

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
