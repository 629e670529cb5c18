"""Hands as data: every case of `cases/*/hands.yaml`, and every example of every ruleset."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import ruleengine
from ruleengine.record import RECORD_FIELDS, score_record
from ruleengine.source import MappingNode, ScalarNode, SequenceNode, read_yaml_file

if TYPE_CHECKING:
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Example
    from ruleengine.source import Node

CASES = Path(__file__).parent / "cases"
EXPECTED = ("win", "reason", "points", "patterns", "limit", "payments")
"""What a case may say of its result; `patterns` are ids in order."""


@cache
def load(name: str) -> Rules:
    return ruleengine.load(name)


def plain(node: Node) -> Any:
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node.entries}


def cases() -> list[Any]:
    found = []
    for path in sorted(CASES.glob("*/hands.yaml")):
        node, _ = read_yaml_file(path)
        assert isinstance(node, SequenceNode)
        for item in node.items:
            assert isinstance(item, MappingNode)
            name = path.parent.name
            found.append(pytest.param(name, plain(item), id=f"{name}:{item.span.line}"))
    return found


@pytest.mark.parametrize(("name", "case"), cases())
def test_a_case(name: str, case: dict[str, Any]) -> None:
    assert set(case) <= {*RECORD_FIELDS, *EXPECTED, "why"}
    record = {key: value for key, value in case.items() if key in RECORD_FIELDS}
    result = score_record(load(name), record)
    expected = {"win": True, "limit": None, **case} if case.get("win", True) else dict(case)
    assert {"points", "patterns"} <= set(case)
    assert {"payments", "reason"} & set(case)
    got = {
        "win": result.win,
        "reason": result.reason,
        "points": result.points,
        "patterns": [counted.id for counted in result.patterns],
        "limit": result.limit,
        "payments": result.payments,
    }
    wanted = {key: expected[key] for key in EXPECTED if key in expected}
    assert {key: got[key] for key in wanted} == wanted, case["why"]
    assert set(load(name).data.patterns) >= set(case["patterns"])


def test_there_are_cases_of_every_ruleset_that_changes_scores() -> None:
    names = {path.parent.name for path in CASES.glob("*/hands.yaml")}
    assert {"zhongyong-3.3", "zhongyong-3.3-min5"} <= names <= set(ruleengine.ruleset_names())


# ---- examples -----------------------------------------------------------------------------------


def examples(kind: str) -> list[Any]:
    found = []
    for name in ruleengine.ruleset_names():
        for pattern in load(name).data.patterns.values():
            for place, example in enumerate(getattr(pattern, kind)):
                id_ = f"{name}:{pattern.id}:{place}"
                found.append(pytest.param(name, pattern.id, example, id=id_))
    return found


def is_own(name: str, example: Example) -> bool:
    """Whether an example stands in the file of the ruleset itself: what an inherited one is
    worth may be another thing in a variant."""
    return Path(example.span.path).stem == name


@pytest.mark.parametrize(("name", "pattern", "example"), examples("hits"))
def test_a_hit_counts_the_pattern(name: str, pattern: str, example: Example) -> None:
    result = score_record(load(name), example.record)
    assert pattern in [counted.id for counted in result.patterns], example.why.get()
    if is_own(name, example):
        assert result.win
        assert example.points in (None, result.points)


@pytest.mark.parametrize(("name", "pattern", "example"), examples("misses"))
def test_a_miss_is_a_hand_that_does_not_count_it(name: str, pattern: str, example: Example) -> None:
    result = score_record(load(name), example.record)
    assert pattern not in [counted.id for counted in result.patterns], example.why.get()
    assert result.arrangement is not None
    if is_own(name, example):
        assert result.win
        assert example.points in (None, result.points)


def test_every_pattern_has_hits_and_misses() -> None:
    for name in ruleengine.ruleset_names():
        for pattern in load(name).data.patterns.values():
            assert pattern.hits, pattern.id
            assert pattern.misses, pattern.id
