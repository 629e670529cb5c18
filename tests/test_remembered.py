"""What a process remembers stays within its size."""

from __future__ import annotations

import pytest

from ruleengine.diagnostics import RulesetError
from ruleengine.remembered import Remembered
from ruleengine.source import read_yaml, read_yaml_on


def test_what_was_asked_longest_ago_goes_first() -> None:
    kept: Remembered[str, int] = Remembered(10)
    kept.keep("a", 1, 4)
    kept.keep("b", 2, 4)
    assert kept.get("a") == 1
    kept.keep("c", 3, 5)
    assert [kept.get(key) for key in "abc"] == [1, None, 3]
    assert kept.size == 9
    kept.keep("a", 4, 5)
    assert kept.get("a") == 4
    assert kept.size == 10


def test_what_is_larger_than_all_is_not_remembered() -> None:
    kept: Remembered[str, int] = Remembered(10)
    kept.keep("a", 1, 4)
    kept.keep("b", 2, 11)
    assert [kept.get(key) for key in "ab"] == [1, None]


def test_a_text_read_again_has_the_mistakes_and_places_that_it_had() -> None:
    text = "a: 1\na: 2\n"
    root, found = read_yaml_on(text, "one.yaml")
    codes = [one.code for one in found]
    found.clear()
    again, mistakes = read_yaml_on(text, "one.yaml")
    assert again is root
    assert [one.code for one in mistakes] == codes == ["E109"]
    elsewhere, _ = read_yaml_on(text, "two.yaml")
    assert (root.span.path, elsewhere.span.path) == ("one.yaml", "two.yaml")
    for _ in range(2):
        with pytest.raises(RulesetError) as refused:
            read_yaml(text, "one.yaml")
        assert [one.code for one in refused.value.diagnostics] == ["E109"]
