"""Each check finds what it is for, at its place, and nothing in what is right."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleengine
from ruleengine.check.cost import costs
from ruleengine.check.run import Report, check_files
from ruleengine.diagnostics import TITLES
from ruleengine.fmt import format_text
from ruleengine.testing.budget import CASE_WORK
from ruleengine.testing.effort import Effort

HEAD = "format: 1\nid: house\nextends: zhongyong-3.3\nversion: '1'\n"
SHIPPED = (ruleengine.data.data_folder("rulesets") / "zhongyong-3.3.yaml").read_text("utf-8")
PLAIN = (
    SHIPPED.partition("\npatterns:\n")[0].replace("\nid: zhongyong-3.3\n", "\nid: plain\n")
    + "\npatterns: {}\nsettlement: {win: [{pays: points}]}\n"
)
"""A ruleset with the tiles, events, options, shapes and terms of a shipped one and no patterns: it
is checked in no time."""
ON_PLAIN = HEAD.replace("zhongyong-3.3", "plain")
EXAMPLES = '    hits: ["{0}", "{0}"]\n    misses: ["{1}", "{1}"]\n'


def check(folder: Path, text: str, head: str = ON_PLAIN) -> list[str]:
    """The findings of a ruleset that are more than notes: level, code, line, message."""
    return [found for found in everything(folder, text, head) if not found.startswith("note")]


def everything(folder: Path, text: str, head: str = ON_PLAIN) -> list[str]:
    report = checked(folder, text, head)
    assert all(finding.code in TITLES for finding in report.findings)
    return [
        f"{finding.severity} {finding.code} {finding.span.line} {finding.message}"
        for finding in report.findings
        if finding.span is not None
    ]


def checked(folder: Path, text: str, head: str = ON_PLAIN) -> Report:
    path = folder / "house.yaml"
    path.write_text(head + text, encoding="utf-8")
    (folder / "plain.yaml").write_text(PLAIN, encoding="utf-8")
    return check_files([path])


def pattern(when: str, more: str = "") -> str:
    """A pattern with examples enough, on line 6 and its sentence on line 8."""
    examples = EXAMPLES.format("123m456m789p23s55p+4s", "1133m5577p2299s6z+6z")
    return f"patterns:\n  new:\n    points: 5\n    when: {when}\n{more}{examples}"


@pytest.mark.parametrize("name", ruleengine.ruleset_names())
def test_shipped_rulesets_have_neither_errors_nor_warnings(name: str) -> None:
    report = check_files([ruleengine.data.data_folder("rulesets") / f"{name}.yaml"])
    assert [f for f in report.findings if f.severity != "note"] == []
    assert len(report.subjects) == 1


def test_a_good_variant_has_no_findings(tmp_path: Path) -> None:
    assert everything(tmp_path, "patterns:\n  one_kong: {points: 10}\n", HEAD) == []


# ---- what can never be --------------------------------------------------------------------------


def test_a_pattern_that_no_hand_has(tmp_path: Path) -> None:
    text = "patterns:\n  new:\n    points: 5\n    when: count kongs = 5\n"
    found = check(tmp_path, text)
    assert "error E501 6 pattern 'new' can never count: no hand is like that" in found
    assert not any("W506" in one for one in found)


def test_a_pattern_that_a_series_always_hides(tmp_path: Path) -> None:
    text = (
        "patterns:\n  small:\n    points: 5\n    series: s\n    when: count kongs >= 2\n"
        "  large:\n    points: 6\n    series: s\n    when: count kongs >= 1\n"
    )
    found = check(tmp_path, text)
    wanted = "error E501 6 pattern 'small' can never count: whenever it is there, so is 'large'"
    assert wanted in found
    assert not any("'large' can never" in one for one in found)


def test_a_pattern_that_is_always_superseded(tmp_path: Path) -> None:
    text = (
        "patterns:\n  small:\n    points: 5\n    when: count kongs >= 2\n"
        "  large:\n    points: 6\n    when: count kongs >= 1\n    supersedes: [small]\n"
    )
    found = check(tmp_path, text)
    wanted = "error E501 6 pattern 'small' can never count: whenever it is there, so is 'large'"
    assert wanted in found


def test_only_what_proves_it_is_named(tmp_path: Path) -> None:
    """One kong is there with 'one_kong' of the parent and with 'b'; two, three and four are not."""
    same = 'when: "count kongs = 1", series: "4.3"'
    text = f"patterns:\n  a: {{points: 1, {same}}}\n  b: {{points: 50, {same}}}\n"
    found = [one for one in check(tmp_path, text, HEAD) if "'a'" in one and "E501" in one]
    wanted = "pattern 'a' can never count: whenever it is there, so are 'one_kong' and 'b'"
    assert found == [f"error E501 6 {wanted}"]


def test_patterns_that_prove_it_together(tmp_path: Path) -> None:
    """With a kong there is one, or there are two or more; neither alone is always there."""
    text = (
        "patterns:\n"
        "  any_kong: {points: 1, series: s, when: count kongs >= 1}\n"
        "  no_kong: {points: 2, series: s, when: count kongs = 0}\n"
        "  a_kong: {points: 3, series: s, when: count kongs = 1}\n"
        "  more_kongs: {points: 4, series: s, when: count kongs >= 2}\n"
    )
    found = [one for one in check(tmp_path, text) if "E501" in one]
    wanted = (
        "pattern 'any_kong' can never count: whenever it is there, so is 'a_kong' or 'more_kongs'"
    )
    assert found == [f"error E501 6 {wanted}"]


def test_what_some_value_of_an_option_allows_is_not_called_impossible(tmp_path: Path) -> None:
    """Each of these counts, or fails, at a value that is not the default."""
    text = (
        "options:\n  joker: {type: bool, default: false}\n  kuitan: {type: bool, default: true}\n"
        "  n: {type: int, default: 3, min: 0, max: 10}\nevents:\n  blessed: {needs: joker}\n"
        "patterns:\n"
        "  one: {points: 1, when: joker and all tiles are simple}\n"
        "  two: {points: 1, when: all tiles are simple and (no set is claimed or kuitan)}\n"
        "  three: {points: 1, times: n - 3}\n"
        "  four: {points: 1, when: blessed, supersedes: [five]}\n"
        "  five: {points: 1, when: win by discard and not kuitan}\n"
    )
    assert [one for one in check(tmp_path, text) if "W505" not in one] == []


def test_what_no_value_of_an_option_allows_is_impossible(tmp_path: Path) -> None:
    text = (
        "options: {joker: {type: bool, default: false}}\n"
        "patterns: {new: {points: 1, when: 'joker and count kongs = 5'}}\n"
    )
    found = [one for one in check(tmp_path, text) if "W505" not in one]
    assert found == ["error E501 6 pattern 'new' can never count: no hand is like that"]


def test_the_innermost_part_that_is_never_true_is_told_once(tmp_path: Path) -> None:
    found = check(tmp_path, pattern("shape is basic and (win by self_draw or count kongs >= 5)"))
    assert found == ["warning W506 8 'count kongs >= 5' is never true"]


def test_an_event_that_can_never_be(tmp_path: Path) -> None:
    """It is told at what it needs, and so are the inherited patterns that never count for it."""
    needs = "events: {last_tile: {needs: win by robbing_kong and win by self_draw}}\n"
    report = checked(tmp_path, needs, HEAD)
    told = [found for found in report.findings if found.severity != "note"]
    assert sorted((found.code, found.message) for found in told) == [
        ("E501", "pattern 'final_discard' can never count: no hand is like that"),
        ("E501", "pattern 'final_draw' can never count: no hand is like that"),
        ("W506", "event 'last_tile' can never be: what it needs is never true"),
    ]
    for found in told:
        at = found.span
        assert at is not None
        assert (at.path, at.line, at.column) == (str(tmp_path / "house.yaml"), 5, 29)


INHERITED = {
    "a changed name": (
        "terms: {value: dragon & simple}\n", 5, 9,
        "pattern 'value_honor' can never count: no hand is like that",
        ["this inherited line no longer fits"],
    ),
    "a stronger pattern": (
        "patterns:\n  sure: {points: 9, when: dealer or not dealer, supersedes: [value_honor]}\n",
        6, 3,
        "pattern 'value_honor' can never count: whenever it is there, so is 'sure'",
        ["this inherited pattern"],
    ),
    "its own line": (
        "patterns: {value_honor: {times: count triplets of value & simple}}\n", 5, 12,
        "pattern 'value_honor' can never count: no hand is like that",
        [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", INHERITED)
def test_an_inherited_pattern_is_told_where_the_variant_breaks_it(
    tmp_path: Path, case: str
) -> None:
    text, line, column, message, labels = INHERITED[case]
    found = [
        one
        for one in checked(tmp_path, text, HEAD).findings
        if one.code == "E501" and one.message == message
    ]
    assert len(found) == 1
    at = found[0].span
    assert at is not None
    assert (at.path, at.line, at.column) == (str(tmp_path / "house.yaml"), line, column)
    assert [label.text for label in found[0].labels][: len(labels)] == labels


def test_what_no_line_names_is_told_at_what_the_variant_extends(tmp_path: Path) -> None:
    dragons = (
        "tiles: {wall: {'123456789m': 4, '1234567z': 4}}\nshapes: {basic: {sets: 4, pairs: 1}}\n"
        "settlement: {win: [{pays: points}]}\n"
        "patterns:\n  dragons: {points: 1, when: count triplets of dragon = 1}\n"
    )
    head = ON_PLAIN.replace("id: house\nextends: plain", "id: parent\nname: P")
    (tmp_path / "parent.yaml").write_text(head + dragons, encoding="utf-8")
    text = "remove: [tiles.wall.1234567z]\n"
    found = checked(tmp_path, text, HEAD.replace("zhongyong-3.3", "parent")).findings
    (told,) = [one for one in found if one.code == "E501"]
    assert told.span is not None
    place = (told.span.path, told.span.line, told.span.column)
    assert place == (str(tmp_path / "house.yaml"), 3, 10)
    assert told.labels[0].text == "this inherited pattern"
    assert told.labels[0].span.path == str(tmp_path / "parent.yaml")


def test_what_can_never_count_in_the_parent_either_is_its_affair(tmp_path: Path) -> None:
    never = "patterns:\n  never: {points: 9, when: count kongs = 5}\n"
    (tmp_path / "parent.yaml").write_text(
        ON_PLAIN.replace("id: house", "id: parent") + never, encoding="utf-8"
    )
    head = HEAD.replace("zhongyong-3.3", "parent")
    found = check(tmp_path, "options: {minimum: {default: 5}}\n", head)
    assert not any("E501" in one for one in found)
    found = check(tmp_path, "patterns: {never: {points: 8}}\n", head)
    assert not any("E501" in one for one in found)
    # With another condition, it is the variant's.
    found = check(tmp_path, "patterns: {never: {when: count kongs = 6}}\n", head)
    assert any("'never' can never count" in one for one in found)


def test_a_series_is_compared_unit_by_unit(tmp_path: Path) -> None:
    """Not to award a unit is to award 0 of it: one han beats thirty fu."""
    text = (
        "units: [han, fu]\ntotal: {value: han * 100 + fu}\npatterns:\n"
        "  four: {FOUR, series: s, when: count triplets = 4}\n"
        "  three: {THREE, series: s, when: count triplets >= 3}\n"
    )
    for four, three, told in (("han: 1", "fu: 30", False), ("fu: 30", "han: 1", True)):
        found = check(tmp_path, text.replace("FOUR", four).replace("THREE", three))
        assert any("'four' can never count" in one for one in found) == told


def test_events_that_exclude_each_other_in_a_circle(tmp_path: Path) -> None:
    """The one needs the other, and that needs the first not to be; it can be alone."""
    text = "events:\n  a: {name: A, needs: b}\n  b: {name: B, needs: not a}\n"
    found = [one for one in check(tmp_path, text) if " W50" in one]
    assert found == ["warning W506 6 event 'a' can never be: what it needs is never true"]


def test_an_event_that_needs_itself(tmp_path: Path) -> None:
    """Also through a name, and then at the name: what it stands for may be used elsewhere."""
    text = "terms:\n  late: not dealer or a\nevents:\n  a: {name: A, needs: dealer and NEEDS}\n"
    for needs in ("a", "late"):
        report = checked(tmp_path, text.replace("NEEDS", needs))
        (found,) = (one for one in report.findings if one.code == "W507")
        assert found.message == f"event 'a' needs itself: it is there whenever '{needs}' is asked"
        assert found.span is not None
        assert (found.span.line, found.span.column) == (8, 34)


@pytest.mark.parametrize(
    "when", ["dora >= 1", "count flowers = 1", "count flowers of seat_flower > 0"]
)
def test_what_a_ruleset_has_not_can_never_be(tmp_path: Path, when: str) -> None:
    """There is neither dora nor a flower in the parent."""
    found = check(tmp_path, pattern(when))
    assert "error E501 6 pattern 'new' can never count: no hand is like that" in found


def test_a_pattern_that_an_event_keeps_from_counting(tmp_path: Path) -> None:
    text = "events: {last_tile: {needs: win by discard}}\n"
    assert [found.split(" ", 3)[1::2] for found in check(tmp_path, text, HEAD)] == [
        ["E501", "pattern 'final_draw' can never count: no hand is like that"]
    ]


def test_parts_that_cannot_be_true_together(tmp_path: Path) -> None:
    when = "shape is basic and (win by self_draw or count kongs = 1 and count sequences = 4)"
    found = check(tmp_path, pattern(when))
    assert found == ["warning W506 8 'count kongs = 1 and count sequences = 4' is never true"]


def test_a_part_that_is_always_true(tmp_path: Path) -> None:
    found = check(tmp_path, pattern("shape is basic and count kongs <= 4"))
    assert found == ["warning W507 8 'count kongs <= 4' is always true"]


def test_a_part_with_not_inside(tmp_path: Path) -> None:
    found = check(tmp_path, pattern("dealer and winning_group is not kong"))
    assert found == ["warning W507 8 'winning_group is not kong' is always true"]
    every = "shape is not basic | seven_pairs | thirteen_orphans"
    found = check(tmp_path, pattern(f"dealer or {every}"))
    assert found == [f"warning W506 8 '{every}' is never true"]


def test_tiles_are_gone_through_where_a_sentence_reads_them(tmp_path: Path) -> None:
    found = check(tmp_path, pattern("shape is basic and (dealer or count triplets of wind >= 5)"))
    assert found == ["warning W506 8 'count triplets of wind >= 5' is never true"]


def test_a_whole_sentence_may_be_always_true(tmp_path: Path) -> None:
    assert check(tmp_path, pattern("count kongs <= 4")) == []


def test_nothing_is_claimed_of_what_cannot_be_gone_through(tmp_path: Path) -> None:
    """Never true, but a million values of an option are too many."""
    text = "options: {n: {type: int, default: 3}}\n"
    found = check(tmp_path, text + pattern("dealer or n < 0 and count kongs = 5"))
    assert found == ["warning W506 9 'count kongs = 5' is never true"]


def test_supersedes_that_never_drop_anything(tmp_path: Path) -> None:
    more = "    supersedes: [seven_pairs, no_terminals]\n"
    found = check(tmp_path, pattern("shape is basic", more), HEAD)
    assert found == ["warning W509 9 'new' and 'seven_pairs' are never there together"]


def test_supersedes_within_a_series(tmp_path: Path) -> None:
    more = '    series: "1.1"\n    supersedes: [all_sequences]\n'
    found = check(tmp_path, pattern("count sequences = 4 and shape is basic", more), HEAD)
    wanted = "'new' and 'all_sequences' are of one series, so never count together"
    assert f"warning W509 10 {wanted}" in found


# ---- what is missing or idle --------------------------------------------------------------------


def test_names_that_nothing_uses(tmp_path: Path) -> None:
    text = (
        "terms:\n  green: 6z\n  a: b\n  b: dragon\n"
        "options:\n  extra: {type: int, default: 1}\n"
        "events:\n  ready: {needs: no_meld}\n"
    )
    assert check(tmp_path, text) == [
        "warning W510 6 no sentence speaks of term 'green'",
        "warning W510 7 no sentence speaks of term 'a'",
        "warning W511 10 no sentence speaks of option 'extra'",
        "warning W512 12 no sentence speaks of event 'ready'",
    ]


def test_a_series_of_one_pattern_is_a_note(tmp_path: Path) -> None:
    more = '    series: "99"\n'
    found = everything(tmp_path, pattern("shape is basic", more))
    assert found == ["note W508 9 'new' is the only pattern of series '99'"]


def test_no_examples_are_advised_for_what_no_hand_counts(tmp_path: Path) -> None:
    text = (
        "patterns:\n  five: {points: 5, when: count kongs = 5}\n"
        "  one: {points: 5, when: count kongs = 1}\n"
    )
    helps = [one.help for one in checked(tmp_path, text).findings if one.code == "W505"]
    assert helps == [None, "yaku test --suggest one writes some"]


def test_too_few_examples(tmp_path: Path) -> None:
    text = (
        "patterns:\n  new:\n    points: 5\n    when: shape is basic\n"
        '    hits: ["123m456m789p23s55p+4s"]\n'
    )
    wanted = "pattern 'new' has 1 hit and no misses; two of each are wanted"
    assert check(tmp_path, text) == [f"warning W505 6 {wanted}"]


def test_languages_that_are_missing(tmp_path: Path) -> None:
    text = pattern("shape is basic", "    name: {en: New, ja: 新}\n    doc: New.\n")
    assert everything(tmp_path, text) == [
        "warning W503 9 the name of pattern 'new' is missing in zh-Hant and zh-Hans",
        "note W504 10 the description of pattern 'new' is given in en only",
    ]


CHANGED_NAMES = {
    "{en: Kong}": ("en, and still the parent's in zh-Hant, zh-Hans and ja", 0),
    "{en: One Kong}": (None, 1),
    "{en: One Kong, ja: 槓}": ("ja, and still the parent's in en, zh-Hant and zh-Hans", 1),
    "{en: One Kong, zh-Hant: 槓, zh-Hans: 杠, ja: 槓}": (None, 1),
    "{}": (None, 1),
}
"""Names of a pattern, what W503 says of each, and how many changes of it change nothing."""


@pytest.mark.parametrize("name", CHANGED_NAMES)
def test_a_name_that_is_changed_in_some_languages_only(name: str, tmp_path: Path) -> None:
    found = check(tmp_path, f"patterns:\n  one_kong:\n    name: {name}\n", HEAD)
    languages, vain = CHANGED_NAMES[name]
    start = "warning W503 7 the name of pattern 'one_kong' is changed in "
    assert [one for one in found if " E406 7 " not in one] == (
        [start + languages] if languages else []
    )
    assert sum(" E406 7 " in one for one in found) == vain


def test_two_patterns_of_one_name(tmp_path: Path) -> None:
    names = "{en: New, zh-Hant: 平和, zh-Hans: 新, ja: 新}"
    text = pattern("shape is basic", f"    name: {names}\n")
    wanted = "the patterns 'all_sequences' and 'new' have the same name in zh-Hant"
    assert check(tmp_path, text, HEAD) == [f"warning W502 9 {wanted}"]


def test_examples_that_are_too_much_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only those of the file itself are told, and they are run before those of its parent."""
    text = pattern("shape is basic")
    monkeypatch.setattr(Effort, "hand", lambda *_: CASE_WORK // 5)
    assert check(tmp_path, text) == []
    monkeypatch.setattr(Effort, "hand", lambda *_: CASE_WORK // 2)
    found = [one for one in checked(tmp_path, text).findings if one.severity == "error"]
    told = [(one.code, one.span.line, one.message) for one in found if one.span is not None]
    wanted = "this example and 1 more are too much work to score"
    assert told == [("E503", 10, wanted)]
    monkeypatch.setattr(Effort, "hand", lambda *_: CASE_WORK // 3)
    found = [one for one in checked(tmp_path, text).findings if one.severity == "error"]
    assert [one.message for one in found] == ["this example is too much work to score"]


def test_spaces_do_not_matter_in_what_fails(tmp_path: Path) -> None:
    miss = '{hand: "1133m5577p2299s6z+6z", fails: "count kongs=1"}'
    text = pattern("count kongs = 1").replace('misses: ["1133m5577p2299s6z+6z"', f"misses: [{miss}")
    assert check(tmp_path, text) == []


EXAMPLES_THAT_CANNOT_BE = {
    '"123m"': ("E503", 9, "this hand cannot be (H204): the winning tile is missing"),
    '{hand: "123x", why: no tile}': ("E503", 16, "this hand cannot be (H102): "),
    '{hand: "1133m5577p2299s6z+6z", events: [first_trun]}': ("E503", 16, ""),
    '{hand: "1133m5577p2299s6z+6z", lost_to: seven_pair}': ("E201", 49, "unknown pattern"),
    '{hand: "1133m5577p2299s6z+6z", fails: shape is basik}': ("E503", 47, "'fails' names no part"),
    '{hand: "1133m5577p2299s6z+6z", fails: "shape is ("}': ("E503", 47, "'fails' names no part"),
}


@pytest.mark.parametrize("example", EXAMPLES_THAT_CANNOT_BE)
def test_an_example_that_cannot_be(example: str, tmp_path: Path) -> None:
    code, column, words = EXAMPLES_THAT_CANNOT_BE[example]
    text = pattern("shape is basic").replace(
        'misses: ["1133m5577p2299s6z+6z"', f"misses: [{example}"
    )
    found = [one for one in checked(tmp_path, text).findings if one.severity != "note"]
    assert [(one.code, one.severity) for one in found] == [(code, "error")]
    assert found[0].span is not None
    assert (found[0].span.line, found[0].span.column) == (10, column + 5)
    assert found[0].message.startswith(words)


def test_an_inherited_example_is_its_parents_affair(tmp_path: Path) -> None:
    text = "remove: [patterns.two_concealed_triplets]\nevents:\n  last_tile: {needs: dealer}\n"
    assert check(tmp_path, text, HEAD) == []


# ---- cost ---------------------------------------------------------------------------------------


def test_a_sentence_that_costs_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruleengine.check.cost.MOST_COST", 12)
    when = "shape is basic and has triplet rx, triplet ry, pair rw"
    found = check(tmp_path, pattern(when))
    dearest = "The dearest part, 'has triplet rx, triplet ry, pair rw', takes"
    assert [one for one in found if "E502 8" in one and dearest in one]


# ---- the parent ---------------------------------------------------------------------------------


def test_a_parent_that_changed_what_a_variant_changes(tmp_path: Path) -> None:
    from ruleengine.check.overrides import digest

    parent = tmp_path / "parent.yaml"
    parent.write_text(SHIPPED.replace("id: zhongyong-3.3\n", "id: parent\n"), "utf-8")
    head = HEAD.replace("zhongyong-3.3", "parent")
    change = "patterns:\n  one_kong: {points: 10}\nremove: [patterns.seven_pairs.doc]\n"
    (subject,) = checked(tmp_path, change, head).subjects
    recorded = f"parent_digest: '{digest(subject)}'\n"
    assert everything(tmp_path, recorded + change, head) == []

    # Another value of the parent may change; one that is overridden may not.
    text = parent.read_text("utf-8")
    parent.write_text(text.replace("points: 480", "points: 500", 1), "utf-8")
    assert everything(tmp_path, recorded + change, head) == []
    before = 'series: "4.3"\n    points: 5\n'
    assert text.count(before) == 1
    parent.write_text(text.replace(before, before.replace("5\n", "8\n")), "utf-8")
    (found,) = check(tmp_path, recorded + change, head)
    assert found.startswith("warning W501 5 what this ruleset changes is no longer what it was")
    assert found.endswith("in its parent: there patterns.one_kong.points is 8")

    # Of what is removed the value that changed is told, whole, and none that did not.
    removed = "remove: [patterns.two_kongs]\n"
    (subject,) = checked(tmp_path, removed, head).subjects
    recorded = f"parent_digest: '{digest(subject)}'\n"
    before = 'series: "4.3"\n    points: 20\n'
    text = parent.read_text("utf-8")
    assert text.count(before) == 1
    parent.write_text(text.replace(before, before.replace("20\n", "25\n")), "utf-8")
    (found,) = check(tmp_path, recorded + removed, head)
    assert found.endswith("in its parent: there patterns.two_kongs.points is 25")
    (found,) = check(tmp_path, recorded + change, head)
    assert "W501 5 not recorded: patterns.seven_pairs.doc.en, " in found
    assert "; recorded, and not changed here: patterns.two_kongs.code, " in found


WRONG_DIGESTS = {
    "1f2e3d4c5b6a": (
        "total.cap",
        "not recorded: total.cap; not of the form PATH=HASH: 1f2e3d4c5b6a",
    ),
    "": ("total.cap", "not recorded: total.cap"),
    "=12345678": ("", "not of the form PATH=HASH: 12345678"),
    "total.cap=12345678": ("", "recorded, and not changed here: total.cap"),
    "patterns.one_kong.doc=1": (
        "patterns.one_kong.doc",
        "what this ruleset changes is no longer what it was in its parent: "
        'there patterns.one_kong.doc is ""',
    ),
}


@pytest.mark.parametrize("recorded", WRONG_DIGESTS)
def test_a_digest_that_is_none(recorded: str, tmp_path: Path) -> None:
    """Whatever is wrong with it, the message names something."""
    changed, wanted = WRONG_DIGESTS[recorded]
    parent = (
        HEAD.replace("house", "parent") + "patterns: {one_kong: {doc: ''}}\ntotal: {cap: 500}\n"
    )
    (tmp_path / "parent.yaml").write_text(parent, "utf-8")
    text = f'parent_digest: "{recorded}"\n'
    text += {"": "", "total.cap": "total: {cap: 600}\n"}.get(
        changed, "patterns: {one_kong: {doc: {en: A, zh-Hant: B, zh-Hans: C, ja: D}}}\n"
    )
    found = checked(tmp_path, text, HEAD.replace("zhongyong-3.3", "parent")).findings
    (told,) = [one for one in found if one.code == "W501"]
    assert told.message == wanted
    assert told.help is not None
    assert told.help.endswith("leave it out") is (changed == "")


SAID_BY_A_PARENT = {
    "terms:\n  value: {}\n": (
        "terms: {value: dragon}\n",
        ["dragon | seat_wind", "dragon  |  seat_wind  # comment", "'dragon|seat_wind'"],
    ),
    "patterns:\n  one_kong: {when: {}}\n": (
        "patterns: {one_kong: {when: dealer}}\n",
        [
            "count kongs = 1 and dealer",
            "(count kongs=1) and dealer",
            "'count kongs= 1 and (dealer)'",
        ],
    ),
    "patterns:\n  one_kong: {points: {}}\n": (
        "patterns: {one_kong: {points: 7}}\n",
        ["6", "'6'", "(6)"],
    ),
    "patterns:\n  one_kong: {}\n": (
        "remove: [patterns.one_kong]\n",
        ["{points: 6, when: dealer}", "{when: (dealer), points: '6'}"],
    ),
}
"""Lines of a parent, with what a variant says instead and ways to write one and the same there."""


@pytest.mark.parametrize("line", SAID_BY_A_PARENT)
def test_layout_and_comments_of_the_parent_do_not_matter(line: str, tmp_path: Path) -> None:
    from ruleengine.check.overrides import digest

    change, ways = SAID_BY_A_PARENT[line]
    found = set()
    for way in ways:
        parent = HEAD.replace("house", "parent") + line.replace("{}", way)
        for text in (parent, format_text(parent)):
            (tmp_path / "parent.yaml").write_text(text, "utf-8")
            head = HEAD.replace("zhongyong-3.3", "parent")
            (subject,) = checked(tmp_path, change, head).subjects
            found.add(digest(subject))
    assert len(found) == 1
    assert None not in found


# ---- several files ------------------------------------------------------------------------------


def test_a_file_that_cannot_be_read_does_not_hide_another(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("x: [\n", encoding="utf-8")
    (tmp_path / "house.yaml").write_text(HEAD + "terms: {green: 6z}\n", encoding="utf-8")
    report = check_files([tmp_path / "bad.yaml", tmp_path / "house.yaml", tmp_path / "no.yaml"])
    assert [finding.code for finding in report.findings] == ["E124", "W510", "E101"]
    assert [Path(name).name for name in report.unreadable] == ["bad.yaml", "no.yaml"]


def test_findings_of_one_file_given_twice_stand_once(tmp_path: Path) -> None:
    path = tmp_path / "house.yaml"
    path.write_text(HEAD + "terms: {green: 6z}\n", encoding="utf-8")
    assert len(check_files([path, path]).findings) == 1


@pytest.mark.parametrize("default", ["true", "false"])
def test_no_option_makes_a_sentence_cheap(tmp_path: Path, default: str) -> None:
    """What a sentence may cost holds for the value under which it is dear."""
    option = f"options: {{joker: {{type: bool, default: {default}}}}}\n"
    dear = '"joker and has triplet rx, triplet ry, triplet rw"'
    text = f"{option}patterns: {{new: {{points: 1, when: {dear}}}}}\n"
    (subject,) = checked(tmp_path, text).subjects
    found = {cost.at: cost.operations for cost in costs(subject)}
    assert found["patterns.new.when"] >= 5


def test_a_payment_that_can_never_be(tmp_path: Path) -> None:
    """Nobody is liable for a self-draw, and nobody pays for himself; of a self-draw the first line
    has said all."""
    text = (
        "settlement:\n  win:\n    - {when: win by self_draw, pays: points}\n"
        "    - {when: win by self_draw and payer is liable, pays: 3}\n"
        "    - {when: dealer and payer is winner, pays: 3}\n"
        "    - {when: win by self_draw and payer is dealer, pays: 3}\n"
        "    - {when: win by discard and payer is dealer, pays: 3}\n"
        "    - {pays: points}\n"
    )
    found = [one for one in check(tmp_path, text, HEAD) if "W506" in one]
    assert found == [
        "warning W506 8 'win by self_draw and payer is liable' is never true",
        "warning W506 9 'payer is winner' is never true",
        "warning W506 10 this line never applies: wherever it fits, one above it does",
    ]


# ---- beside errors ------------------------------------------------------------------------------

NEVER = "  never: {points: 3, when: count kongs = 5, hits: [123m], misses: [123m, 123m]}\n"
RESTS = {
    "sentence": ("  bad: {points: 3, when: some tile is honr}\n", "E204", "E501 E503"),
    "twice": ("  bad: {points: 3, when: dealer, when: dealer}\n", "E109", "E501 E503"),
    "tag": ("  bad: {points: !!int 3, when: dealer}\n", "E113", "E501 E503"),
    "series": ("  bad: {points: 3, series: s, when: some tile is honr}\n", "E204", "E503"),
    "strange": ("  bad: {points: 3}\n", "E405", "E503"),
    "uses": ("  bad: {points: 3}\n  user: {points: 3, when: bad}\n", "E405", "E503"),
    "shape": ("shapes: {basic: {sets: no}}\n", "E301", ""),
    "option": ("options: {standard: {default: x}}\n", "E301", ""),
    "total": ("total: {cap: unknown}\n", "E201", ""),
}


@pytest.mark.parametrize("name", RESTS)
def test_what_does_not_depend_on_an_error_is_found_beside_it(name: str, tmp_path: Path) -> None:
    """Nothing is claimed that may be otherwise once the error is mended."""
    wrong, code, also = RESTS[name]
    text = f"patterns:\n{NEVER}"
    text = text + wrong if wrong.startswith(" ") else wrong + text
    found = [f for f in checked(tmp_path, text).findings if f.severity != "note"]
    codes = {one.code for one in found}
    assert codes == {code, "W505", *also.split()}
    assert [one.message for one in found if one.code == "W505"] == [
        "pattern 'never' has 1 hit; two of each are wanted"
    ]


def test_no_finding_speaks_of_what_could_not_be_read(tmp_path: Path) -> None:
    lost = '{hand: "1133m5577p2299s6z+6z", lost_to: NAME}'
    text = pattern("shape is basic").replace('misses: ["1133m5577p2299s6z+6z"', f"misses: [{lost}")
    text = f"terms: {{unused: 1m}}\n{text}  bad: {{points: 3, when: unsued}}\n"
    known = checked(tmp_path, text.replace("NAME", "bad")).findings
    assert {one.code for one in known if one.severity != "note"} == {"E201"}
    unknown = [one for one in checked(tmp_path, text).findings if one.code == "E201"]
    assert [one.message for one in unknown] == ["unknown pattern 'NAME'", "unknown name 'unsued'"]


def test_templates_that_are_too_much_together_are_all_that_is_told(tmp_path: Path) -> None:
    template = "has triplet A, triplet B, pair C"
    each = 34**3
    lines = [f"  p{n}: {{points: 1, when: '{template} and count kongs = {n}'}}\n" for n in range(4)]
    found = checked(tmp_path, "patterns:\n" + "".join(lines)).findings
    assert [one.code for one in found] == ["E214"]
    assert 2 * each < 100_000 < 4 * each
