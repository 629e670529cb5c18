"""What two rulesets say otherwise: one change after another, and that no field is forgotten."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ruleengine.arrange import Shape
from ruleengine.compare.model import KINDS
from ruleengine.compare.structure import structure
from ruleengine.fmt.effective import plain_value
from ruleengine.ruleset import model
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.read import read_ruleset_file, read_ruleset_text
from ruleengine.source import SequenceNode, read_yaml_file
from tests.ruleset.small import ruleset

if TYPE_CHECKING:
    from ruleengine.compare.model import Change
    from ruleengine.ruleset.read import ReadRuleset

CASES = Path(__file__).parents[1] / "cases" / "diff"

COMPARED = (
    model.RulesetData, model.Wall, model.Option, model.Event, Shape, model.Term, model.Pattern,
    model.Sentence, model.Example, model.Total, model.Liability, model.Payment, model.Stakes,
    model.Interpretation,
)  # fmt: skip
NOT_SAID = {
    "RulesetData.files": "where a ruleset stands, not what it says",
    **dict.fromkeys(
        ("Sentence.span", "Term.span", "Example.span", "Pattern.span"),
        "where it stands, not what it says",
    ),
}
"""The fields that make no difference, and why."""


def cases() -> list[Any]:
    node, _ = read_yaml_file(CASES / "fields.yaml")
    assert isinstance(node, SequenceNode)
    return [pytest.param(plain_value(item), id=f"line {item.span.line}") for item in node.items]


@cache
def base() -> ReadRuleset:
    return read_ruleset_file(CASES / "base.yaml")


def changed(case: dict[str, Any]) -> ReadRuleset:
    """The base with a case's values in it."""
    node, _ = read_yaml_file(CASES / "base.yaml")
    values = copy.deepcopy(plain_value(node))
    for path in case.get("drop", ()):
        *above, last = path.split(".")
        inner = values
        for name in above:
            inner = inner[name]
        del inner[last]
    for path, value in case.get("set", {}).items():
        *above, last = path.split(".")
        inner = values
        for name in above:
            inner = inner.setdefault(name, {})
        inner[last] = value
    text = json.dumps(values, ensure_ascii=False, indent=1)
    return read_ruleset_text(text, "changed.yaml")


def said(change: Change) -> list[Any]:
    found = [change.kind, change.level, change.at, change.old, change.new]
    return [*found, list(change.through)] if change.through else found


@pytest.mark.parametrize("case", cases())
def test_a_change_is_told_and_nothing_else(case: dict[str, Any]) -> None:
    assert set(case) <= {"shows", "why", "set", "drop", "is"}
    new = changed(case)
    changes = structure(base(), new)
    assert sorted(map(said, changes), key=str) == sorted(case["is"], key=str)
    for change in changes:
        assert change.kind in KINDS
        assert (change.old_span is not None) or change.old is None or _is_default(change.old)
        assert change.old_span is None or change.old_span.path.endswith("base.yaml")
        assert change.new_span is None or change.new_span.path == "changed.yaml"
        assert len(change.fingerprint) == 12
    fingerprints = [change.fingerprint for change in changes]
    assert len(set(fingerprints)) == len(fingerprints)


def _is_default(value: str) -> bool:
    """Whether a value counts although nobody wrote it: `units`."""
    return value == "points"


@pytest.mark.parametrize("case", cases())
def test_a_change_taken_back_is_the_same_change_backwards(case: dict[str, Any]) -> None:
    mirrored = {"added": "removed", "removed": "added"}

    def backwards(change: Change) -> tuple[str, ...]:
        what, _, word = change.kind.rpartition("-")
        return (
            f"{what}-{mirrored.get(word, word)}",
            change.level,
            str(change.new),
            str(change.old),
        )

    new = changed(case)
    there = sorted(backwards(change) for change in structure(base(), new))
    back = sorted((c.kind, c.level, str(c.old), str(c.new)) for c in structure(new, base()))
    # More values are not as grave as fewer, nor is a new option as grave as one that is no more.
    other = ("option-bounds-changed", "option-added", "option-removed")
    sides = [
        sorted((one[0], *one[2:]) if one[0] in other else one for one in side)
        for side in (there, back)
    ]
    assert sides[0] == sides[1]


def test_no_field_of_a_ruleset_is_compared_by_nothing() -> None:
    fields = {
        f"{kind.__name__}.{field.name}" for kind in COMPARED for field in dataclasses.fields(kind)
    }
    shown = {name for case in cases() for name in case.values[0].get("shows", ())}
    assert shown | set(NOT_SAID) == fields
    assert not shown & set(NOT_SAID)
    for case in cases():
        if case.values[0].get("shows"):
            assert case.values[0]["is"], case.id


def test_every_part_of_the_model_is_walked() -> None:
    """A new part of the model that a ruleset holds must be compared, too."""
    defined = {
        value
        for value in vars(model).values()
        if isinstance(value, type) and dataclasses.is_dataclass(value)
    }
    own = {value for value in defined if value.__module__ == model.__name__}
    assert own - {model.Text} == set(COMPARED) - {Shape}


def test_every_kind_of_change_is_shown() -> None:
    shown = {line[0] for case in cases() for line in case.values[0]["is"]}
    # Whether a condition is wider or narrower is told by its effect.
    later = {"condition-widened", "condition-narrowed", "pattern-order-changed"}
    assert shown | later == set(KINDS)


@pytest.mark.parametrize(
    ("path", "value", "lines"),
    [
        # What stands there in the base, and in a file of one value a line.
        (
            "settlement.wrong_win",
            [{"when": "payer is offender", "pays": 4}, {"pays": 7}],
            ("{pays: 0}", '"pays": 7'),
        ),
        (
            "settlement.win",
            [{"when": "win by self_draw", "pays": "points * share"}, {"pays": 1}],
            ("{when: payer is liable", '"pays": 1'),
        ),
        ("tiles.flowers", {"E": "15f", "S": "26f", "W": "3f", "N": "48f"}, ("E: ", '"W": "3f"')),
    ],
)
def test_a_list_is_told_at_the_row_that_changed(
    path: str, value: object, lines: tuple[str, str]
) -> None:
    new = changed({"set": {path: value}})
    (only,) = structure(base(), new)
    shown = []
    for read, span in ((base(), only.old_span), (new, only.new_span)):
        assert span is not None
        text = read.sources[span.path].split("\n")
        shown.append("\n".join(text[span.line - 1 : span.line + 2]))
    assert all(line in one for line, one in zip(lines, shown, strict=True)), shown


def test_patterns_that_are_off_have_no_condition_in_common() -> None:
    """With the values that options have, neither of two unlike patterns is there for any hand."""
    body = "options: {opt: {type: bool, default: false}}\npatterns: {%s}"
    sides = ("one: {points: 1, when: opt and dealer}", "two: {points: 1, when: opt and last_tile}")
    texts = (ruleset(body % side) + "\nevents: {last_tile: {}}\n" for side in sides)
    old, new = (read_ruleset_text(text, "small.yaml") for text in texts)
    kinds = [change.kind for change in structure(old, new)]
    assert sorted(kinds) == ["pattern-added", "pattern-removed"]


@pytest.mark.parametrize("default", ["false", "true"])
@pytest.mark.parametrize(
    ("old", "new", "levels"),
    [
        # With the option off neither is true for any hand; with it on three sequences are enough.
        ("on and count sequences = 4", "on and count sequences >= 3", ["score", "score"]),
        # With the option on both are true for every hand.
        ("on or count sequences = 4", "on or count sequences >= 3", ["score", "score"]),
        # One where the option is off, the other where it is on.
        ("on and dealer", "not on and dealer", ["score", "score"]),
        ("on and count sequences = 4", "4 = count sequences and on", ["text"]),
        ("not (on or dealer)", "not dealer and not on", ["text"]),
    ],
)
def test_a_sentence_is_the_same_only_under_every_value_of_an_option(
    default: str, old: str, new: str, levels: list[str]
) -> None:
    """What uses the pattern changes with it."""
    body = (
        f"options: {{on: {{type: bool, default: {default}}}}}\n"
        "patterns: {one: {points: 5, when: %s}, use: {points: 3, when: one and pair is 1z}}"
    )
    before, after = (read_ruleset_text(ruleset(body % x), "small.yaml") for x in (old, new))
    assert [change.level for change in structure(before, after)] == levels


@pytest.mark.parametrize("id_", sorted(ruleset_ids()))
def test_a_ruleset_is_the_same_as_itself_and_as_its_effective_file(id_: str) -> None:
    from ruleengine.fmt.effective import effective_text

    read = read_ruleset_file(ruleset_ids()[id_])
    assert structure(read, read) == ()
    assert read.chain is not None
    assert structure(read, read_ruleset_text(effective_text(read.chain), "whole.yaml")) == ()


def test_the_changes_of_a_version() -> None:
    old, new = (read_ruleset_file(ruleset_ids()[f"zhongyong-{x}"]) for x in ("3.2", "3.3"))
    grave = [said(change) for change in structure(old, new) if change.level != "text"]
    assert grave == [
        ["points-changed", "score", "patterns.pure_one_suit.points", "100", "80"],
        ["option-default-changed", "payment", "options.standard.default", "30", "25"],
    ]


def test_a_fingerprint_does_not_depend_on_the_place() -> None:
    new = changed({"set": {"patterns.straight.points": 5}})
    text = "# a comment\n\n" + (CASES / "base.yaml").read_text(encoding="utf-8")
    [first] = structure(base(), new)
    [second] = structure(read_ruleset_text(text, "moved.yaml"), new)
    assert first.fingerprint == second.fingerprint
    assert first.old_span != second.old_span


def test_a_fingerprint_tells_what_a_term_became() -> None:
    def of(value: str) -> set[str]:
        new = changed({"set": {"terms.value": value}})
        return {c.fingerprint for c in structure(base(), new) if c.kind == "times-changed"}

    assert of("dragon") != of("seat_wind")


NAMED = [
    pytest.param({"patterns.honors": {"points": 2, "times": "count triplets of prized"}},
        "terms.prized", ("dragon", "wind"), "times-changed", id="how often"),
    pytest.param({"patterns.new": {"points": 1, "when": "count triplets of prized = 1"}},
        "terms.prized", ("dragon", "wind"), "pattern-added", id="a new pattern"),
    pytest.param({"patterns.all_triplets.when": "count triplets = 4 and rare"},
        "terms.rare", ("dealer", "last_tile"), "condition-changed", id="a condition"),
    pytest.param({"terms.rare": "rarer", "patterns.all_triplets.when": "rare"},
        "terms.rarer", ("dealer", "last_tile"), "condition-changed", id="a term behind another"),
    pytest.param({"patterns.straight.points": "k"},
        "options.k.default", (2, 100), "points-changed", id="points"),
    pytest.param({"terms.t": "k + 1", "patterns.straight.points": "t"},
        "options.k.default", (2, 100), "points-changed", id="an option behind a term"),
    pytest.param({"shapes.k": {"pairs": 7}, "patterns.straight.points": "k"},
        "options.k.default", (2, 100), "points-changed", id="an option called as a shape"),
    pytest.param({"total.cap": "k"}, "options.k.default", (2, 100), "cap-changed", id="a cap"),
    pytest.param({"total.minimum": "k"},
        "options.k.default", (2, 100), "minimum-changed", id="a minimum"),
    pytest.param({"events.ready.needs": "rare"},
        "terms.rare", ("dealer", "win by discard"), "event-changed", id="what an event needs"),
    pytest.param({"events.new": {"needs": "rare"}},
        "terms.rare", ("dealer", "win by discard"), "event-added", id="a new event"),
    pytest.param({"settlement.win": [{"when": "rare", "pays": "points"}, {"pays": "0"}]},
        "terms.rare", ("winner is dealer", "payer is dealer"), "settlement-changed",
        id="who pays"),
    pytest.param({"settlement.stakes.amount": "k"},
        "options.k.default", (2, 100), "stakes-changed", id="stakes"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "name", "values", "kind"), NAMED)
def test_a_fingerprint_tells_what_stands_behind_new_names(
    given: dict[str, Any], name: str, values: tuple[object, object], kind: str
) -> None:
    def of(value: object) -> set[str]:
        option = {"options.k.type": "int", "options.k.max": 100}
        kinds = option if name.startswith("options") else {}
        new = changed({"set": {**kinds, **given, name: value}})
        return {c.fingerprint for c in structure(base(), new) if c.kind == kind}

    first, second = map(of, values)
    assert first
    assert second
    assert not first & second
    assert of(values[0]) == first


def test_a_fingerprint_tells_how_a_new_event_is_shared() -> None:
    def of(event: dict[str, Any]) -> set[str]:
        return {c.fingerprint for c in structure(base(), changed({"set": {"events.new": event}}))}

    assert of({}) != of({"shared": True})


OTHERS = [
    pytest.param("options.n", {"type": "int", "default": 1},
        {"type": "int", "default": 1, "max": 9}, id="the most of a new option"),
    pytest.param("options.n", {"type": "int", "default": 1, "choices": [1, 2]},
        {"type": "int", "default": 1, "choices": [1, 3]}, id="the choices of a new option"),
    pytest.param("patterns.n", {"points": 1, "when": "dealer", "code": "7"},
        {"points": 1, "when": "dealer", "code": "8"}, id="the code of a new pattern"),
    pytest.param("patterns.n", {"points": 1, "when": "dealer"},
        {"points": 1, "when": "dealer", "bonus": True}, id="what a new pattern is"),
    pytest.param("patterns.honors.series", "a", "b", id="the series of a pattern"),
    pytest.param("interpretations.n", {"question": "What?", "reading": "No.", "why": "So."},
        {"question": "Who?", "reading": "No.", "why": "So."}, id="what a new reading answers"),
    pytest.param("interpretations.n", {"question": "What?", "reading": "No.", "why": "So."},
        {"question": "What?", "reading": {"en": "No.", "ja": "否"}, "why": "So."},
        id="a new reading in another language"),
    pytest.param("shapes.n", {"sets": 2, "pairs": 4}, {"sets": 0, "pairs": 7}, id="a new shape"),
    pytest.param("liability", {"moves": True}, {"moves": True, "barred": True}, id="a duty"),
    pytest.param("tiles.dora", ["12m"], ["123m"], id="dora"),
    pytest.param("tiles.flowers", {"E": "15f"}, {"E": "1f"}, id="flowers"),
]  # fmt: skip


@pytest.mark.parametrize(("at", "first", "second"), OTHERS)
def test_two_changes_of_one_thing_have_two_fingerprints(
    at: str, first: object, second: object
) -> None:
    def of(value: object) -> set[str]:
        changes = structure(base(), changed({"set": {at: value}}))
        return {one.fingerprint for one in changes if one.at.startswith(at)}

    found = [of(value) for value in (first, second)]
    assert all(found)
    assert not found[0] & found[1]


def test_a_fingerprint_tells_with_which_patterns_a_series_is() -> None:
    """A series has the same name, and other patterns in it."""

    def of(given: dict[str, Any]) -> set[str]:
        found = structure(base(), changed({"set": {"patterns.honors.series": "s", **given}}))
        return {one.fingerprint for one in found if one.at == "patterns.honors.series"}

    others = [{"patterns.quad.series": "s"}, {"patterns.hidden.series": "s"}]
    assert of(others[0]) != of(others[1])


def test_a_series_that_is_renamed_has_another_fingerprint_than_one_that_changed() -> None:
    def of(given: dict[str, Any]) -> dict[str, str]:
        found = structure(base(), changed({"set": given}))
        return {c.at: c.fingerprint for c in found if c.kind.startswith("series-")}

    renamed = of({"patterns.straight.series": "b", "patterns.all_triplets.series": "b"})
    parted = of({"patterns.straight.series": "b"})
    assert set(parted) < set(renamed)
    assert parted["patterns.straight.series"] != renamed["patterns.straight.series"]


def test_a_fingerprint_without_names_is_made_of_place_and_words_alone() -> None:
    [change] = structure(base(), changed({"set": {"patterns.straight.points": 5}}))
    words = b'["patterns.straight.points", "4", "5", null]'
    assert change.fingerprint == f"c{hashlib.sha256(words).hexdigest()[:11]}"


TIE = """\
format: 1
id: tie
name: Tie
version: "1"
tiles: {wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}}
shapes: {basic: {sets: 4, pairs: 1}}
patterns:
  low: {points: 1, when: count kongs = 0}
PATTERNS
settlement: {win: [{pays: points}]}
"""
DROPS = "  first: {points: 5, series: s, when: count suits = 1, supersedes: [low]}"
KEEPS = "  second: {points: 5, series: s, when: no tile is honor}"


def test_the_order_of_patterns_is_told_where_it_decides_a_tie() -> None:
    there = read_ruleset_text(TIE.replace("PATTERNS", f"{DROPS}\n{KEEPS}"), "a")
    back = read_ruleset_text(TIE.replace("PATTERNS", f"{KEEPS}\n{DROPS}"), "b")
    [change] = structure(there, back)
    assert said(change) == [
        "pattern-order-changed", "score", "patterns", "first, second", "second, first"
    ]  # fmt: skip
    plain = DROPS.replace(", supersedes: [low]", "")
    there = read_ruleset_text(TIE.replace("PATTERNS", f"{plain}\n{KEEPS}"), "a")
    back = read_ruleset_text(TIE.replace("PATTERNS", f"{KEEPS}\n{plain}"), "b")
    assert structure(there, back) == ()
