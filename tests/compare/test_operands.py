"""Rulesets compared from Python: loaded ones, names and files."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

import ruleengine
from ruleengine.rules import Rules

if TYPE_CHECKING:
    from pathlib import Path

HOUSE = """\
format: 1
id: house
extends: zhongyong-3.3
name: House
version: "1"
patterns: {seven_pairs: {points: 40}}
"""


def test_names_give_what_the_command_gives() -> None:
    found = ruleengine.diff("zhongyong-3.2", "zhongyong-3.3", only_structure=True)
    assert isinstance(found, ruleengine.Comparison)
    assert [one.change.at for one in found.changes if one.change.level != "text"] == [
        "patterns.pure_one_suit.points",
        "options.standard.default",
    ]
    assert found.level == "score"
    assert not found.proved_equal
    assert found.to_json()["level"] == "score"
    assert found.to_markdown("ja").startswith("<!-- yaku diff -->")
    assert found.to_html().startswith("<!DOCTYPE html>")


def test_a_loaded_ruleset_has_the_options_it_was_loaded_with() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    strict = ruleengine.load("zhongyong-3.3", minimum=5)
    [one] = ruleengine.diff(rules, strict, only_structure=True).changes
    assert (one.change.kind, one.change.old, one.change.new) == ("option-default-changed", "0", "5")
    assert one.change.old_span is not None
    assert ruleengine.diff(strict, strict, only_structure=True).changes == ()


def test_a_loaded_ruleset_and_the_file_it_came_from_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(HOUSE, encoding="utf-8")
    rules = pickle.loads(pickle.dumps(ruleengine.load(path)))
    path.write_text(HOUSE.replace("40", "45"), encoding="utf-8")
    [one] = ruleengine.diff(rules, path, only_structure=True).changes
    assert (one.change.old, one.change.new) == ("40", "45")
    assert one.change.old_span is not None
    assert one.change.old_span.line == 6
    assert ruleengine.diff("house", path, folders=[tmp_path], only_structure=True).changes == ()


def test_a_ruleset_that_was_made_in_memory_has_no_places() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    patterns = dict(rules.data.patterns)
    del patterns["one_kong"]
    made = Rules(replace(rules.data, patterns=patterns), None, rules.sources)
    [one] = ruleengine.diff(rules, made, only_structure=True).changes
    assert (one.change.kind, one.change.id) == ("pattern-removed", "one_kong")
    assert one.change.new_span is None


def test_what_cannot_be_read_is_said_as_load_says_it() -> None:
    with pytest.raises(ruleengine.UnknownRulesetError):
        ruleengine.diff("zhongyong-3.3", "zhongyong-9")
    with pytest.raises(ruleengine.RulesetError):
        ruleengine.diff("zhongyong-3.3", "./none.yaml")
