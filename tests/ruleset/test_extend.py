"""Variants: mappings merge key by key, everything else replaces, `remove:` takes out first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleengine.diagnostics import RulesetError
from ruleengine.ruleset.extend import MAX_CHAIN, Extension
from ruleengine.ruleset.read import read_ruleset_file
from ruleengine.source import MappingNode, ScalarNode, SequenceNode, read_yaml
from tests.ruleset.small import mistakes, ruleset, words

PARENT = ruleset(
    "options: {minimum: {type: int, default: 0, choices: [0, 5]}}\n"
    "events: {last_tile: {needs: win by self_draw}}\n"
    "terms: {value: dragon | seat_wind}\n"
    "patterns:\n"
    "  one: {points: 1, when: win by self_draw, name: {en: One, ja: 一}, hits: ['1m', '2m']}\n"
    "  two: {points: 2, when: one and some tile is value}\n"
    "  three: {points: 3, when: last_tile}\n"
    "total: {cap: 10, minimum: minimum}\n"
    "interpretations: {own: {question: What?, reading: This., why: Because.}}\n"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.yaml").write_text(PARENT, encoding="utf-8")
    return tmp_path


def variant(folder: Path, body: str, name: str = "house", parent: str = "small") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(f"format: 1\nid: {name}\nextends: {parent}\n{body}", encoding="utf-8")
    return path


# ---- what merges --------------------------------------------------------------------------------


def test_what_is_not_named_stays(folder: Path) -> None:
    data = read_ruleset_file(variant(folder, "")).data
    parent = read_ruleset_file(folder / "small.yaml").data
    assert (data.id, parent.id) == ("house", "small")
    assert data.patterns == parent.patterns
    assert [Path(file).name for file in data.files] == ["house.yaml", "small.yaml"]


def test_mappings_merge_key_by_key(folder: Path) -> None:
    path = variant(
        folder,
        "options: {minimum: {default: 5}}\n"
        "patterns: {one: {points: 7, name: {ja: 壱}}, four: {points: 4, when: three}}\n",
    )
    data = read_ruleset_file(path).data
    one = data.patterns["one"]
    assert one.awards["points"].text == "7"
    assert one.when is not None
    assert one.when.text == "win by self_draw"
    assert (one.name.get("en"), one.name.get("ja")) == ("One", "壱")
    assert (data.options["minimum"].default, data.options["minimum"].choices) == (5, (0, 5))
    assert list(data.patterns) == ["one", "two", "three", "four"]


def test_everything_else_replaces(folder: Path) -> None:
    path = variant(
        folder,
        "patterns: {one: {hits: ['3m'], name: Uno}}\n"
        "settlement: {win: [{when: payer is dealer, pays: 2 * points}, {pays: points}]}\n",
    )
    data = read_ruleset_file(path).data
    assert [example.record for example in data.patterns["one"].hits] == [{"hand": "3m"}]
    assert data.patterns["one"].name.get("ja") == "Uno"
    assert len(data.settlement["win"]) == 2


def test_remove_takes_out_of_the_parent_first(folder: Path) -> None:
    path = variant(
        folder,
        "remove: [patterns.three, patterns.two.when, total.cap, interpretations.own]\n"
        "patterns: {two: {when: count kongs = 2}}\n",
    )
    data = read_ruleset_file(path).data
    assert list(data.patterns) == ["one", "two"]
    assert data.patterns["two"].when is not None
    assert data.patterns["two"].when.text == "count kongs = 2"
    assert data.total.cap is None
    assert data.interpretations == ()


def test_what_is_removed_may_be_written_anew(folder: Path) -> None:
    path = variant(
        folder,
        "remove: [patterns.one]\npatterns: {one: {points: 9, when: count kongs = 1}}\n",
    )
    one = read_ruleset_file(path).data.patterns["one"]
    assert one.hits == ()
    assert not one.name


def test_a_parent_does_not_pass_on_its_own_removals(folder: Path) -> None:
    variant(folder, "remove: [patterns.three]\n", "middle")
    data = read_ruleset_file(variant(folder, "patterns: {one: {points: 8}}", parent="middle")).data
    assert list(data.patterns) == ["one", "two"]
    assert data.patterns["one"].awards["points"].text == "8"


def test_chains_of_eight(folder: Path) -> None:
    above = "small"
    for place in range(MAX_CHAIN):
        path = variant(folder, f"total: {{cap: {place + 20}}}\n", f"house{place}", above)
        above = f"house{place}"
    data = read_ruleset_file(path).data
    assert data.total.cap is not None
    assert data.total.cap.text == str(MAX_CHAIN + 19)
    with pytest.raises(RulesetError) as caught:
        read_ruleset_file(variant(folder, "", "one_more", above))
    assert [d.code for d in caught.value.diagnostics] == ["E402"]


# ---- the same rule, on any mappings -------------------------------------------------------------

Plain = dict[str, Any]
names = st.sampled_from(["a", "b", "c", "d"])
leaves: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(["1", "x", "some text"]), st.lists(st.sampled_from(["1", "2"]), max_size=2)
)
trees = st.recursive(
    st.dictionaries(names, leaves, max_size=3),
    lambda inner: st.dictionaries(names, st.one_of(leaves, inner), max_size=4),
    max_leaves=8,
)


def merged_plainly(parent: Plain, child: Plain) -> Plain:
    made = {key: value for key, value in parent.items() if key not in child}
    for key, value in child.items():
        under = parent.get(key)
        both = isinstance(under, dict) and isinstance(value, dict)
        made[key] = merged_plainly(under, value) if both and under is not None else value
    return made


def written(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}": {written(inner)}' for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return f'"{value}"'


def node_of(value: Plain) -> MappingNode:
    node = read_yaml(written(value), "f")
    assert isinstance(node, MappingNode)
    return node


def plain(node: object) -> Any:
    if isinstance(node, MappingNode):
        return {key.text: plain(value) for key, value in node.entries}
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.items]
    assert isinstance(node, ScalarNode)
    return node.text


@given(trees, trees)
def test_merging_is_that_one_sentence(parent: Plain, child: Plain) -> None:
    merged = Extension().merge(node_of(parent), node_of(child), "parent")
    assert plain(merged) == merged_plainly(parent, child)


# ---- what is wrong or doubtful ------------------------------------------------------------------


def test_unknown_rulesets_are_listed_or_guessed(folder: Path) -> None:
    text = "format: 1\nid: house\nextends: quite_another\n"
    (found,) = words(text, (folder,))
    assert found.startswith("E401 there is no ruleset 'quite_another' to extend (there are: ")
    assert ", small, " in found
    assert words(text.replace("quite_another", "smal"), (folder,)) == [
        "E401 there is no ruleset 'smal' to extend (did you mean 'small'?)"
    ]


def test_a_change_of_what_is_not_there(folder: Path) -> None:
    path = variant(folder, "patterns: {tow: {points: 3}, three: {points: 4}}\n")
    with pytest.raises(RulesetError) as caught:
        read_ruleset_file(path)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("E405", "there is no pattern 'tow' in small to change")
    # Three letters are too few to be sure of what was meant.
    assert found.help == "a new pattern needs 'when'"


def test_a_shape_of_another_size_than_all_others_is_told_once() -> None:
    head = "format: 1\nid: house\nextends: zhongyong-3.3\nname: House\nversion: '1'\n"
    found = words(head + "shapes: {basic: {sets: 5}}\n")
    assert found == [
        "E309 all shapes have the same number of tiles: 'basic' has 17, 'seven_pairs' has 14"
    ]


def test_doubtful_changes_are_warnings(folder: Path) -> None:
    path = variant(folder, "total: {cap: 10}\npatterns: {one: {points: 2}}\n")
    (found,) = read_ruleset_file(path).warnings
    assert (found.code, found.severity) == ("E406", "warning")
    assert found.message == "small says the same here, so this changes nothing"
    assert found.span is not None
    assert (found.span.line, found.span.column) == (4, 9)


def test_inherited_mistakes_say_who_extends_them(folder: Path) -> None:
    (folder / "small.yaml").write_text(PARENT.replace("dragon", "dragn"), encoding="utf-8")
    with pytest.raises(RulesetError) as caught:
        read_ruleset_file(variant(folder, ""))
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert Path(found.span.path).name == "small.yaml"
    (label,) = found.labels
    assert (Path(label.span.path).name, label.span.line) == ("house.yaml", 3)
    assert label.text == "house extends small"


def test_a_clash_with_a_parent_stands_in_the_variant(folder: Path) -> None:
    path = variant(
        folder,
        "options: {value: {type: int, default: 0}}\n"
        "patterns: {four: {code: '1', points: 1, when: last_tile}, one: {code: '1'}}\n",
    )
    with pytest.raises(RulesetError) as caught:
        read_ruleset_file(path)
    assert [
        (d.code, Path(d.span.path).name) for d in caught.value.diagnostics if d.span is not None
    ] == [("E312", "house.yaml"), ("E313", "house.yaml")]


def test_a_ruleset_without_a_parent_removes_nothing() -> None:
    assert words(ruleset("patterns: {}\nremove: [patterns.one]\n")) == [
        "E404 only a ruleset that extends another one can remove something"
    ]


def test_units_of_the_parent_are_known(folder: Path) -> None:
    parent = ruleset(
        "units: [han, fu]\npatterns: {one: {han: 1, when: win by self_draw}}\n"
        "total: {value: han + fu}\n"
    )
    (folder / "units.yaml").write_text(parent, encoding="utf-8")
    path = variant(folder, "patterns: {two: {han: 2, when: one}}\n", parent="units")
    assert list(read_ruleset_file(path).data.patterns) == ["one", "two"]


def test_a_removed_name_is_remembered(folder: Path) -> None:
    text = "format: 1\nid: house\nextends: small\nremove: [terms.value]\n"
    (found,) = mistakes(text, (folder,))
    assert found.code == "E204"
    assert found.span
    assert (found.span.path, found.span.line) == ("small.yaml", 4)
    assert [label.text for label in found.labels] == ["this inherited line no longer fits"]


def test_only_the_whole_path_is_remembered(folder: Path) -> None:
    """A key of a pattern that was taken away is no name that a sentence could have used."""
    body = "remove: [patterns.one.hits]\npatterns: {four: {points: 4, when: hits}}\n"
    (found,) = mistakes(f"format: 1\nid: house\nextends: small\n{body}", (folder,))
    assert (found.code, found.labels) == ("E201", ())


def test_what_a_parent_removed_is_told_at_its_line(folder: Path) -> None:
    variant(folder, "remove: [patterns.one.when]\n", name="middle")
    (found,) = mistakes("format: 1\nid: house\nextends: middle\n", (folder,))
    assert found.span
    assert (found.code, Path(found.span.path).name, found.span.line) == ("E303", "middle.yaml", 4)
    assert [label.text for label in found.labels] == ["needed here", "house extends middle"]


def test_what_a_parent_removed_is_not_there(folder: Path) -> None:
    variant(folder, "remove: [patterns.one.hits]\n", name="middle")
    text = "format: 1\nid: house\nextends: middle\nremove: [patterns.one.hits]\n"
    assert words(text, (folder,)) == ["E403 there is no 'patterns.one.hits' in middle to remove"]


def test_a_removal_that_is_made_good_is_none(folder: Path) -> None:
    body = "remove: [options, patterns.one.when]\n"
    body += "options: {minimum: {type: int, default: 3}}\npatterns: {one: {when: last_tile}}\n"
    assert read_ruleset_file(variant(folder, body)).data.options["minimum"].default == 3


def test_an_empty_mapping_changes_nothing(folder: Path) -> None:
    parent = PARENT.replace("id: small", "id: named").replace(
        "minimum: minimum}", "empty: {points: 1, name: Chicken}}"
    )
    (folder / "named.yaml").write_text(parent, encoding="utf-8")
    body = "total: {empty: {}}\npatterns: {one: {}, two: {points: 3}}\n"
    warnings = read_ruleset_file(variant(folder, body, parent="named")).warnings
    assert {(w.code, w.span and (w.span.line, w.span.column)) for w in warnings} == {
        ("E406", (4, 9)),
        ("E406", (5, 12)),
    }


MIDDLE = "total: {cap: 10}\npatterns: {one: {}, two: {points: 2}}\n"
"""A variant of `small` that changes nothing, in each of the ways in which one can."""
OF_A_MIDDLE: dict[str, tuple[str, list[str]]] = {
    "other values": ("total: {cap: 12}\npatterns: {one: {points: 5}, two: {points: 3}}\n", []),
    "other keys of the same things": ("patterns: {one: {hits: ['3m']}, two: {doc: Two.}}\n", []),
    "taken away": ("remove: [patterns.two, total.cap]\n", []),
    "the same again": (
        "total: {cap: 10}\npatterns: {two: {points: 4}}\n",
        ["house.yaml 4 middle says the same here, so this changes nothing"],
    ),
}


@pytest.mark.parametrize("name", OF_A_MIDDLE)
def test_what_a_parent_changes_in_vain_is_told_of_the_parent_alone(name: str, folder: Path) -> None:
    middle = variant(folder, MIDDLE, "middle")
    assert sorted(one.message for one in read_ruleset_file(middle).warnings) == [
        "nothing stands here, so all stays as small says",
        *["small says the same here, so this changes nothing"] * 2,
    ]
    body, wanted = OF_A_MIDDLE[name]
    found = read_ruleset_file(variant(folder, body, parent="middle")).warnings
    told = [(one.span and (Path(one.span.path).name, one.span.line), one.message) for one in found]
    assert [f"{at[0]} {at[1]} {message}" for at, message in told if at] == wanted


def test_a_mistake_of_a_parent_with_its_own_parent_stays_there(folder: Path) -> None:
    variant(folder, "remove: [patterns.one.cost]\n", "middle")
    with pytest.raises(RulesetError) as caught:
        read_ruleset_file(variant(folder, "patterns: {one: {points: 5}}\n", parent="middle"))
    (found,) = caught.value.diagnostics
    assert (found.code, found.span and Path(found.span.path).name) == ("E403", "middle.yaml")
    assert [label.text for label in found.labels] == ["house extends middle"]


@pytest.mark.parametrize(
    ("change", "is_same"),
    [
        ("patterns: {two: {when: one and (some tile is  value)}}", True),
        ("patterns: {two: {when: (one and some) tile is value}}", False),
        ("patterns: {two: {points: '2'}}", True),
        ("terms: {value: dragon|(seat_wind)}", True),
        ("total: {cap: '(10)'}", True),
        ("options: {minimum: {default: '0'}}", False),
        ("patterns: {one: {name: {en: (One)}}}", False),
    ],
)
def test_what_says_the_same_may_be_written_otherwise(
    change: str, is_same: bool, folder: Path
) -> None:
    try:
        found = read_ruleset_file(variant(folder, change)).warnings
    except RulesetError as error:
        found = tuple(error.diagnostics)
    assert ("E406" in [one.code for one in found]) is is_same


def test_what_is_wrong_with_a_parent_alone_stays_there(folder: Path) -> None:
    """No line of a variant breaks what was broken before."""
    middle = "patterns: {one: {when: some tile is dragn}, two: {when: one and dealer}}\n"
    variant(folder, middle, "middle")
    body = "patterns: {one: {points: 5}, two: {points: 3}}\n"
    with pytest.raises(RulesetError) as caught:
        read_ruleset_file(variant(folder, body, parent="middle"))
    (found,) = caught.value.diagnostics
    assert (found.code, found.span and Path(found.span.path).name) == ("E204", "middle.yaml")
    assert [label.text for label in found.labels] == ["house extends middle"]
