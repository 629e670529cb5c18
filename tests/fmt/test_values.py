"""Values in every style that YAML has come back as they were."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleengine.diagnostics import RulesetError
from ruleengine.fmt import format_text
from ruleengine.fmt.scalars import WIDTH, fill, is_foldable, is_plain, quoted
from ruleengine.fmt.sentences import canonical, structure
from ruleengine.source import MappingNode, ScalarNode, read_yaml

TEXTS = st.text(
    st.sampled_from("ab1z:#-'\"\\,[]{}|>!&*%@`?~ \n.三麻🀄é=()"), max_size=30
) | st.lists(st.sampled_from(["word", "麻雀", " ", "  ", "\n", "#", ": "]), max_size=60).map(
    "".join
)
KEYS = st.sampled_from(["source", "doc", "why", "name", "en", "ja", "when", "a", "麻"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    TEXTS | st.integers(-5, 99) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(KEYS, VALUES, min_size=1, max_size=4),
    st.sampled_from([None, '"', "'", "|", ">"]),
    st.sampled_from([True, False, None]),
    st.sampled_from([20, 80, 400]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_values_in_every_style(
    data: dict[str, Any], style: Any, flow: bool | None, width: int, ends: str
) -> None:
    text = yaml.dump(
        data,
        Dumper=yaml.SafeDumper,
        default_style=style,
        default_flow_style=flow,
        width=width,
        allow_unicode=True,
        sort_keys=False,
    ).replace("\n", ends)
    try:
        read_yaml(text, "x")
    except RulesetError:
        # What YAML's own writer makes of some texts is not read: tags, names after '?'.
        return
    after = format_text(text, "x")
    assert format_text(after, "x") == after
    assert squeezed(yaml.load(after, yaml.BaseLoader)) == squeezed(yaml.load(text, yaml.BaseLoader))


def squeezed(value: Any, key: str = "") -> Any:
    """The value, without the spaces of what may be a sentence."""
    if isinstance(value, dict):
        return {name: squeezed(one, name) for name, one in value.items()}
    if isinstance(value, list):
        return [squeezed(one, key) for one in value]
    return "".join(value.split()) if key == "when" else value


@given(TEXTS)
def test_quotes_hold_any_text(text: str) -> None:
    node = read_yaml(f"a: {quoted(text)}", "x")
    assert isinstance(node, MappingNode)
    value = node.get("a")
    assert isinstance(value, ScalarNode)
    assert value.text == text


@given(TEXTS)
def test_what_is_plain_is_read_as_it_is(text: str) -> None:
    for in_flow, whole in ((False, f"a: {text}"), (True, f"{{a: {text}}}")):
        # PyYAML's own parser, unlike the C one that reads rulesets, refuses `?` in brackets.
        if is_plain(text, in_flow) and not (in_flow and "?" in text):
            assert yaml.load(whole, yaml.BaseLoader) == {"a": text}


@given(TEXTS, st.integers(1, WIDTH))
def test_lines_are_as_full_as_they_can_be(text: str, room: int) -> None:
    if not is_foldable(text):
        return
    lines = fill(text, room)
    assert " ".join(lines) == text
    assert all(len(line) <= room or " " not in line for line in lines)
    for line, after in itertools.pairwise(lines):
        assert len(line) + 1 + len(after.split(" ")[0]) > room


SIGNS = st.sampled_from(
    ["dealer", "and", "or", "not", "(", ")", "count", "sets", "=", ">=", "3", "-", "+", "*", "min",
     ",", "r+1x", "rx", "has", "sequence", "~", "|", "&", "some", "tile", "is", "1z", "points",
     "if", "then", "else", "win", "by", "self_draw"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(SIGNS, st.sampled_from(["", " ", "  ", "\n"])), max_size=12))
def test_canonical_sentences_say_the_same(words: list[tuple[str, str]]) -> None:
    text = "".join(word + space for word, space in words)
    found = canonical(text)
    if found is not None:
        assert "".join(found.split()) == "".join(text.split())
        assert canonical(found) == found
        assert structure(found) == structure(text) is not None
        assert "  " not in found
        assert found == found.strip()


SAME = (
    ("count kongs=1", "count kongs = 1", True),
    ("(shape is seven_pairs)", "shape is seven_pairs", True),
    ("dealer or (last_tile and one)", "dealer or last_tile and one", True),
    ("(dealer or last_tile) and one", "dealer or last_tile and one", False),
    ("1 - (2 - 3)", "1 - 2 - 3", False),
    ("(1 - 2) - 3", "1-2-3", True),
    ("pair is (dragon | 1m) & honor", "pair is dragon | 1m & honor", False),
    ("pair is dragon | (1m & honor)", "pair is dragon|1m&honor", True),
    ("win by self_draw", "win by discard", False),
    ("not dealer", "dealer", False),
    ("true", "1", False),
    ("5", "( 5 )", True),
)


@pytest.mark.parametrize(("one", "other", "same"), SAME)
def test_a_structure_is_of_what_a_sentence_says(one: str, other: str, same: bool) -> None:
    assert None not in (structure(one), structure(other))
    assert (structure(one) == structure(other)) is same


@pytest.mark.parametrize("head", [">-", ">", "|-", "|", ">+"])
def test_a_text_that_ends_in_a_line_of_spaces(head: str) -> None:
    text = f"format: 1\nsource: {head}\n  one\n  two\n   \nname: x\n"
    after = format_text(text)
    before_values, after_values = yaml.safe_load(text), yaml.safe_load(after)
    assert after_values == before_values
    assert format_text(after) == after
