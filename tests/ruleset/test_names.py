"""Names of a ruleset: its own words, checked when they are used, each mistake once."""

from __future__ import annotations

import re

import pytest

from ruleengine.data import data_folder
from ruleengine.language import meaning as m
from ruleengine.ruleset.fields import Fields
from ruleengine.ruleset.names import RESERVED, ParsedNames
from ruleengine.source import MappingNode, ScalarNode, read_yaml
from ruleengine.syntax_store import SyntaxStore


def names(terms: str = "{}", patterns: str = "{}") -> ParsedNames:
    found = ParsedNames(Fields(), SyntaxStore(None, {}))
    found.shapes["basic"] = None
    found.events["late"] = None
    found.options["open"] = "truth"
    for key, value in entries(terms):
        found.add_term(key, value)
    for key, value in entries(patterns):
        found.add_pattern(key, value, None)
    return found


def entries(text: str) -> list[tuple[ScalarNode, ScalarNode]]:
    node = read_yaml(text, "f.yaml")
    assert isinstance(node, MappingNode)
    return [(key, value) for key, value in node.entries if isinstance(value, ScalarNode)]


def scalar(text: str) -> ScalarNode:
    ((_, value),) = entries(f"when: {text}")
    return value


def said(found: ParsedNames) -> list[str]:
    return [f"{problem.code} {problem.message}" for problem in found.fields.problems]


def test_reserved_words_are_those_of_the_grammar() -> None:
    grammar = (data_folder("grammar") / "condition.lark").read_text(encoding="utf-8")
    rules = re.sub(r"//.*", "", grammar)
    assert set(re.findall(r'"([a-z_]+)"', rules)) == RESERVED


@pytest.mark.parametrize("word", ["rx", "qw", "ry"])
def test_places_of_a_template_are_no_names(word: str) -> None:
    assert not names().is_free_word(word)


@pytest.mark.parametrize("word", ["x", "rxy", "r", "value", "seat_wind", "discard"])
def test_other_words_are_free(word: str) -> None:
    assert names().is_free_word(word)


def test_a_term_is_a_class_or_a_sentence() -> None:
    found = names("{value: dragon | seat_wind, none: no set is claimed, east: dealer, late_: late}")
    assert isinstance(found.checked_term("value"), m.TileUnion)
    for name in ("none", "east", "late_"):
        assert isinstance(found.checked_term(name), m.Meaning)
    assert said(found) == []


def test_a_term_is_checked_in_the_place_that_uses_it() -> None:
    found = names("{east: discarder is dealer}")
    assert found.sentence(scalar("east and win by discard"), "event", "truth") is not None
    assert said(found) == []
    assert found.sentence(scalar("east and win by discard"), "pattern", "truth") is None
    assert said(found) == ["E203 'discarder' is not known in a pattern"]


def test_a_term_that_fits_nowhere_is_reported_once() -> None:
    found = names("{odd_one: payee is ready and points > 3}")
    assert found.checked_term("odd_one") is None
    before = said(found)
    assert [line[:4] for line in before] == ["E203", "E203"]
    assert found.checked_term("odd_one") is None
    assert found.sentence(scalar("odd_one"), "pattern", "truth") is None
    assert said(found) == before


def test_mistakes_in_a_term_are_reported_where_it_is_defined_and_once() -> None:
    found = names("{value: dragn | seat_wind}")
    for _ in range(2):
        assert found.sentence(scalar("some tile is value"), "pattern", "truth") is None
        assert found.sentence(scalar("no tile is value"), "event", "truth") is None
    assert said(found) == ["E204 unknown class of tiles 'dragn'"]
    assert found.failed


def test_patterns_may_use_patterns() -> None:
    found = names(patterns="{one: win by self_draw, two: one and late}")
    two = found.pattern("two")
    assert isinstance(two, m.All)
    assert isinstance(two.parts[0], m.Reference)
    assert two.parts[0].target is found.pattern("one")


def test_how_often_a_pattern_counts_is_a_condition_too() -> None:
    found = ParsedNames(Fields(), SyntaxStore(None, {}))
    found.add_pattern(scalar("kong"), None, scalar("count kongs"))
    meaning = found.pattern("kong")
    assert isinstance(meaning, m.Compare)
    assert meaning.sign == ">="


@pytest.mark.parametrize(
    ("terms", "way"),
    [
        ("{a: a}", "'a' -> 'a'"),
        ("{a: not b, b: not a}", "'b' -> 'a' -> 'b'"),
        ("{a: dragon | b, b: c & wind, c: ~a}", "'b' -> 'c' -> 'a' -> 'b'"),
    ],
)
def test_cycles(terms: str, way: str) -> None:
    found = names(terms)
    for name in ("c", "b", "a"):
        if found.has_term(name):
            assert found.checked_term(name) is None
    (message,) = said(found)
    assert message.startswith("E209 this is defined by itself: ")
    steps = message.removeprefix("E209 this is defined by itself: ").split(" -> ")
    assert steps[0] == steps[-1]
    assert sorted(steps[1:]) == sorted(way.split(" -> ")[1:])


def test_a_cycle_does_not_hide_other_mistakes() -> None:
    found = names("{a: a or dealr}")
    assert found.checked_term("a") is None
    assert sorted(line[:4] for line in said(found)) == ["E201", "E209"] or said(found) == [
        "E209 this is defined by itself: 'a' -> 'a'"
    ]


def test_shapes_ways_and_roles_are_no_uses_of_a_term() -> None:
    found = names("{basic: shape is basic, discard: win by discard, pair_: pair is basic_}")
    assert isinstance(found.checked_term("basic"), m.ShapeIs)
    assert isinstance(found.checked_term("discard"), m.WinBy)
    assert said(found) == []


def test_names_that_are_wrong_elsewhere_are_passed_over() -> None:
    found = names()
    found.add_broken("lost")
    found.add_broken("late")
    assert found.sentence(scalar("lost and late"), "pattern", "truth") is None
    assert found.sentence(scalar("some tile is lost"), "pattern", "truth") is None
    assert said(found) == []
    assert found.sentence(scalar("late"), "pattern", "truth") is not None


def test_sizes_add_up_over_names() -> None:
    doubled = ", ".join(f"t{i}: t{i - 1} or not t{i - 1}" for i in range(1, 40))
    found = names(f"{{t0: dealer, {doubled}}}")
    assert found.checked_term("t3") is not None
    assert found.checked_term("t39") is None
    (message,) = said(found)
    assert message.startswith("E211 with the names it uses, this has ")
