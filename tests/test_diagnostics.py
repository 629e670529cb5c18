"""Diagnostics: how a mistake is shown, and what is surely meant by a misspelt name."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import pytest

from ruleengine.diagnostics import (
    TITLES,
    Diagnostic,
    Label,
    RulesetError,
    Span,
    render_line,
    render_text,
    sorted_by_place,
    source_lines,
    suggest,
    there_are,
    to_json,
)
from ruleengine.errors import RuleEngineError
from ruleengine.ruleset.find import UnknownRulesetError, find_ruleset
from ruleengine.ruleset.read import read_ruleset_file


def on_line(line: int, column: int, length: int, path: str = "house.yaml") -> Span:
    return Span(path, line, column, line, column + length)


HOUSE = "a: 1\nb: 2\nc: 3\n    when: concealed_hand and winningtile is 1z\n"
UNKNOWN = Diagnostic(
    "E201", "unknown name 'winningtile'", on_line(4, 30, 11), help="did you mean 'winning_tile'?"
)


def test_text_shows_the_line_the_carets_and_the_help() -> None:
    assert render_text([UNKNOWN], {"house.yaml": HOUSE}) == (
        "house.yaml:4:30: error[E201]: unknown name 'winningtile'\n"
        "     4 |     when: concealed_hand and winningtile is 1z\n"
        "       |                              ^^^^^^^^^^^\n"
        "       = help: did you mean 'winning_tile'?"
    )


def test_line_has_the_help_in_brackets() -> None:
    assert render_line(UNKNOWN) == (
        "house.yaml:4:30: error[E201]: unknown name 'winningtile' (did you mean 'winning_tile'?)"
    )


def test_line_stays_one_line_whatever_the_message_holds() -> None:
    diagnostic = Diagnostic("E1", "two\nlines\x1b[31m", None, severity="warning")
    assert render_line(diagnostic) == "warning[E1]: two␊lines␛[31m"


def test_labels_show_their_own_lines() -> None:
    text = "points: 3\nwhen: x\npoints: 5\n"
    twice = Diagnostic(
        "E109",
        "the name 'points' is written twice",
        on_line(3, 1, 6),
        labels=(Label(on_line(1, 1, 6), "first written here"),),
    )
    assert render_text([twice], {"house.yaml": text}) == (
        "house.yaml:3:1: error[E109]: the name 'points' is written twice\n"
        "     3 | points: 5\n"
        "       | ^^^^^^\n"
        "     1 | points: 3\n"
        "       | ------ first written here"
    )


@pytest.mark.parametrize(
    ("sources", "rows"),
    [
        (
            {"base.yaml": "points: 3"},
            ["       = base.yaml:1:1", "     1 | points: 3", "       | ------ set here"],
        ),
        ({}, ["       = base.yaml:1:1: set here"]),
    ],
)
def test_a_label_in_another_file_names_it(sources: dict[str, str], rows: list[str]) -> None:
    label = Label(on_line(1, 1, 6, "base.yaml"), "set here")
    diagnostic = Diagnostic("E9", "no change", on_line(2, 1, 6), labels=(label,))
    lines = render_text([diagnostic], sources).split("\n")
    assert lines == ["house.yaml:2:1: error[E9]: no change", *rows]


@pytest.mark.parametrize(
    ("line", "column", "length", "shown", "carets"),
    [
        # 混一色 fills six columns and each of the tiles two or one, as terminals draw them.
        ("name: 混一色 @", 11, 1, "name: 混一色 @", "             ^"),
        ("name: 混一色", 7, 3, "name: 混一色", "      ^^^^^^"),
        ("🀄 x", 3, 1, "🀄 x", "   ^"),
        ("🀇 x", 3, 1, "🀇 x", "  ^"),
        ("🀄\ufe0e x", 4, 1, "🀄\ufe0e x", "   ^"),
        ("⚠\ufe0f x", 4, 1, "⚠\ufe0f x", "   ^"),
        ("👨\u200d👩 x", 5, 1, "👨\u200d👩 x", "   ^"),
        ("e\u0301 x", 4, 1, "e\u0301 x", "  ^"),
        ("a\tb", 3, 1, "a   b", "    ^"),
        ("\tb", 1, 1, "    b", "^^^^"),
        ("a\x1b[31mb", 2, 1, "a␛[31mb", " ^"),
        ("a\u202eb", 2, 1, "a\ufffdb", " ^"),
        ("abc", 4, 1, "abc", "   ^"),
        ("abc", 2, 0, "abc", " ^"),
    ],
)
def test_carets_stand_under_the_characters(
    line: str, column: int, length: int, shown: str, carets: str
) -> None:
    diagnostic = Diagnostic("E1", "x", on_line(1, column, length))
    rows = render_text([diagnostic], {"house.yaml": line}).split("\n")[1:]
    assert rows == [f"     1 | {shown}", f"       | {carets}"]


def test_a_span_of_several_lines_shows_the_first() -> None:
    diagnostic = Diagnostic("E1", "x", Span("house.yaml", 1, 4, 3, 2))
    rows = render_text([diagnostic], {"house.yaml": "a: [1,\r\n2\r\n]"}).split("\n")[1:]
    assert rows == ["     1 | a: [1,", "       |    ^^^"]


@pytest.mark.parametrize(("column", "length"), [(1, 5), (5000, 3), (9999, 1), (10, 9000)])
def test_a_long_line_is_cut_around_the_span(column: int, length: int) -> None:
    line = "".join(chr(ord("a") + i % 26) for i in range(10_000))
    diagnostic = Diagnostic("E1", "x", on_line(1, column, length))
    shown, carets = render_text([diagnostic], {"house.yaml": line}).split("\n")[1:]
    assert len(shown) < 140
    assert shown[carets.index("^")] == line[column - 1]
    assert carets.count("^") == min(length, carets.count("^"))


def test_a_place_outside_the_text_is_named_but_not_shown() -> None:
    diagnostic = Diagnostic("E1", "x", on_line(7, 1, 1))
    assert render_text([diagnostic], {"house.yaml": "a"}) == "house.yaml:7:1: error[E1]: x"


def test_a_long_list_ends_with_how_many_are_left() -> None:
    many = [Diagnostic("E1", f"mistake {i}", None) for i in range(25)]
    assert render_text(many, limit=2) == (
        "error[E1]: mistake 0\nerror[E1]: mistake 1\n... and 23 more"
    )
    assert render_text(many).endswith("error[E1]: mistake 19\n... and 5 more")
    assert render_text(many, limit=None).endswith("error[E1]: mistake 24")


def test_lines_are_counted_the_same_with_every_line_end_and_a_bom() -> None:
    assert source_lines("\ufeffa\r\nb\rc\nd\u2028e") == ["a", "b", "c", "d\u2028e"]


def test_json_has_every_field() -> None:
    label = Label(on_line(1, 1, 1), "here")
    diagnostic = Diagnostic("E1", "x", on_line(2, 3, 4), "warning", (label,), "h")
    place = {"path": "house.yaml", "line": 2, "column": 3, "end_line": 2, "end_column": 7}
    first = {"path": "house.yaml", "line": 1, "column": 1, "end_line": 1, "end_column": 2}
    assert json.loads(json.dumps(to_json(diagnostic))) == {
        "code": "E1",
        "severity": "warning",
        "message": "x",
        "span": place,
        "labels": [{"span": first, "text": "here"}],
        "help": "h",
    }
    assert to_json(Diagnostic("E1", "x", None))["span"] is None


def test_the_error_sorts_by_place_and_shows_all() -> None:
    late, early = Diagnostic("E1", "late", on_line(2, 1, 1)), Diagnostic("E2", "early", None)
    middle = Diagnostic("E3", "middle", on_line(1, 9, 1))
    error = RulesetError([late, middle, early], {"house.yaml": "a\nb"})
    assert isinstance(error, RuleEngineError)
    assert error.diagnostics == (early, middle, late)
    assert str(error) == render_text([early, middle, late], {"house.yaml": "a\nb"})
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.diagnostics, str(copy)) == (error.diagnostics, str(error))


@pytest.mark.parametrize("parent", ["a/parent.yaml", "z/parent.yaml"])
def test_a_file_comes_before_what_it_extends(parent: str) -> None:
    own = Diagnostic("E101", "second line", on_line(2, 1, 1, "m/house.yaml"))
    inherited = Diagnostic("E101", "first line", on_line(1, 1, 1, parent))
    error = RulesetError([inherited, own], {"m/house.yaml": "1\n2\n", parent: "1\n"})
    assert error.diagnostics == (own, inherited)
    assert sorted_by_place([inherited, own], {"m/house.yaml"}) == [own, inherited]


NAMES = [
    "winning_tile",
    "two_kongs",
    "four_kongs",
    "small_three_winds",
    "big_three_winds",
    "points",
    "when",
    "win",
    "rank_5",
]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("winningtile", "winning_tile"),
        ("Winning-Tile", "winning_tile"),
        ("POINTS", "points"),
        ("point", "points"),
        ("pionts", "points"),
        ("wehn", "when"),
        ("tow_kongs", "two_kongs"),
        ("smal_tree_winds", "small_three_winds"),
        ("pnt", None),
        ("wni", None),
        ("three_kongs", None),
        ("rank_6", None),
        ("seven_pairs", None),
        ("", None),
    ],
)
def test_suggest_only_what_is_sure(word: str, meant: str | None) -> None:
    assert suggest(word, NAMES) == meant


def test_suggest_nothing_where_two_are_as_near() -> None:
    assert suggest("pair_as", ["pair_is", "pair_us"]) is None
    assert suggest("pairis", ["pair_is", "pair-is"]) is None
    assert suggest("points", ["points"]) is None


def test_titles_are_short() -> None:
    assert all(code[0] in "EW" and len(title) < 60 for code, title in TITLES.items())
    assert len(set(TITLES.values())) == len(TITLES)


def test_a_short_list_of_names_stands_as_it_is() -> None:
    assert there_are(["pear", "fig"], "nope") == "there are: pear, fig"
    assert there_are([], "nope") == "there are: none"


def test_of_many_names_the_nearest_are_listed() -> None:
    names = [f"table-{number}" for number in range(500)]
    names[250:250] = ["club-night", "clubs", "bulc"]
    listed = there_are(names, "club-evening")
    assert listed.startswith("there are: club-night, clubs, ")
    assert listed.endswith(", and 491 more")
    assert listed.count(",") == 12


def test_a_folder_of_many_rulesets_is_not_listed_whole(tmp_path: Path) -> None:
    for number in range(60):
        (tmp_path / f"table-{number}.yaml").write_text("format: 1\n", encoding="utf-8")
    file = tmp_path / "house.yaml"
    file.write_text("format: 1\nid: house\nextends: nope\nname: H\n", encoding="utf-8")
    with pytest.raises(RulesetError) as caught:
        read_ruleset_file(file)
    (found,) = caught.value.diagnostics
    assert found.help
    assert re.search(r"^there are: .*, and \d+ more$", found.help)
    with pytest.raises(UnknownRulesetError) as unknown:
        find_ruleset("tabel-x-77", (tmp_path,))
    assert unknown.value.help
    assert unknown.value.help.startswith("there are: ta")
    assert len(unknown.value.help) < 200
