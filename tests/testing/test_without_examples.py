"""A ruleset without examples, or with none that hold, is tested like any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleengine.testing.report import examine

WITHOUT = """format: 1
id: club
name: Club
version: "1"
tiles:
  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}
shapes: {basic: {sets: 4, pairs: 1}}
patterns:
  one: {points: 1, when: dealer and count kongs = 1EXAMPLES}
settlement: {win: [{pays: points}]}
"""


@pytest.mark.parametrize("examples", ["", ', hits: ["123m"]'])
def test_no_mutant_is_noticed_where_no_example_holds(examples: str, tmp_path: Path) -> None:
    path = tmp_path / "club.yaml"
    path.write_text(WITHOUT.replace("EXAMPLES", examples), encoding="utf-8")
    found = examine(path, coverage=True, mutants=True)
    assert found.mutants is not None
    assert found.mutants.score == 0
    assert len(found.mutants.survivors) > 5
