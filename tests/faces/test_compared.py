"""The faces of a comparison: in a terminal, as Markdown, as JSON, and as a page."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, get_args

import pytest
from jsonschema import Draft202012Validator

from ruleengine.compare.model import KINDS, Comparison, LeftOut, LeftOutKind, Sought
from ruleengine.compare.review import BranchReview, Review, review, review_branches
from ruleengine.compare.run import compare
from ruleengine.compare.structure import said_otherwise
from ruleengine.compare.three_way import three_way
from ruleengine.data import data_folder
from ruleengine.faces.compared import Line, folded, left_out_words, marked, value_lines
from ruleengine.faces.compared_html import comparison_html, three_way_html
from ruleengine.faces.compared_json import comparison_json, three_way_json
from ruleengine.faces.compared_markdown import (
    MARK,
    MOST,
    comparison_markdown,
    three_way_markdown,
)
from ruleengine.faces.compared_text import show_comparison, show_three_way
from ruleengine.faces.dora import dora_words
from ruleengine.faces.screen import Screen
from ruleengine.faces.words import PHRASES
from ruleengine.hands.effect import Effect
from ruleengine.record import score_record
from ruleengine.rules import Rules
from ruleengine.ruleset.model import LANGUAGES
from ruleengine.ruleset.read import read_ruleset_text
from tests.compare.test_ends import PAYS_TWO, RETURNED, changed
from tests.compare.test_ends import ruleset as settling
from tests.faces.comparisons import branches, house, same, table, versions
from tests.ruleset.small import load, ruleset
from tests.test_settle_schemas import ANSWER, REQUEST

if TYPE_CHECKING:
    from ruleengine.ruleset.read import ReadRuleset

COMPARISONS = (versions, house, table, same)


def text_of(
    comparison: Comparison,
    capsys: pytest.CaptureFixture[str],
    *,
    language: str = "en",
    plain: bool = False,
    texts: bool = False,
    found: Review | None = None,
) -> str:
    capsys.readouterr()
    show_comparison(
        comparison, found or review(comparison), Screen(language, plain=plain), texts=texts
    )
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


# ---- old and new values ------------------------------------------------------------


def test_the_words_that_changed_are_marked() -> None:
    old, new = marked("count suits = 1 and no tile is honor", "count suits <= 2 and no tile is 1z")
    assert old == (
        ("count suits ", False), ("= 1", True), (" and no tile is ", False), ("honor", True),
    )  # fmt: skip
    assert [text for text, changed in new if changed] == ["<= 2", "1z"]
    assert "".join(text for text, _ in new) == "count suits <= 2 and no tile is 1z"


def test_lines_that_are_in_both_stay_as_they_are() -> None:
    lines = value_lines("when: a, pays: 1\npays: 0", "when: b, pays: 1\npays: 2\npays: 0")
    assert [(line.sign, line.text) for line in lines] == [
        ("-", "when: a, pays: 1"),
        ("+", "when: b, pays: 1"),
        ("+", "pays: 2"),
        (" ", "pays: 0"),
    ]
    assert lines[0].pieces == (("when: ", False), ("a", True), (", pays: 1", False))
    assert value_lines(None, "x") == [Line("+", (("x", True),))]
    assert value_lines("x", None) == [Line("-", (("x", True),))]


def test_a_wide_line_is_broken_between_words_with_its_marks() -> None:
    pieces = (("pays: points ", False), ("+ (if payer is dealer then 5 else 0)", True))
    rows = folded(pieces, 20)
    assert ["".join(text for text, _ in row) for row in rows] == [
        "pays: points + (if ", "payer is dealer then", "5 else 0)",
    ]  # fmt: skip
    assert [text for row in rows[:1] for text, changed in row if not changed] == [
        "pays:", " ", "points", " ",
    ]  # fmt: skip
    assert all(changed for row in rows[1:] for _, changed in row)


def test_of_tiles_written_together_each_is_marked() -> None:
    assert marked("4 of each 1234567z", "4 of each 123567z")[0] == (
        ("4 of each 123", False), ("4", True), ("567z", False),
    )  # fmt: skip


def test_what_is_very_long_is_compared_as_a_whole() -> None:
    old = " ".join(["a"] * 2_000 + ["b"] * 20_000 + ["c"] * 500)
    new = " ".join(["a"] * 2_000 + ["d"] * 20_000 + ["c"] * 500)
    first, second = marked(old, new)
    assert [changed for _, changed in first] == [changed for _, changed in second]
    assert [changed for _, changed in first] == [False, True, False]
    assert "".join(text for text, _ in first) == old
    many = "\n".join(str(n) for n in range(3_000))
    lines = value_lines(many, many.replace("1500", "x"))
    assert [line.text for line in lines if line.sign != " "] == ["1500", "x"]


# ---- text --------------------------------------------------------------------------


def test_a_version_in_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    lines = text_of(versions(), capsys).splitlines()
    assert lines[:2] == [
        "Zung Jung 3.2 (zhongyong-3.2) → Zung Jung 3.3 (zhongyong-3.3)",
        "Changes: 1 of scores, 1 of payments, 14 of words",
    ]
    # 100 and 80 for the pattern, 5 for the concealed hand; East is paid by three.
    assert "    Pure One-Suit    100    80" in lines
    assert "    Total            105    85" in lines
    assert "    East            +315  +255" in lines
    at = lines.index("  30 → 25")
    assert "higher for 3,000, lower for 9,000, proved over all 17,644 cases" in lines[at + 2]
    assert "  Pure One-Suit (pure_one_suit): description, examples" in lines
    assert "    By how much: -20 × 1,146, +15 × 3" in lines
    assert any(line.split() == ["now", "a", "win", "1", "0.00833", "%"] for line in lines)
    assert "  changes for which no hand was looked for: 1" in lines
    meeting = lines.index("Changes that meet")
    assert any("first alone  second alone  both" in line for line in lines[meeting:])


def test_a_sentence_shows_what_changed_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    lines = text_of(house(), capsys).splitlines()
    at = next(n for n, line in enumerate(lines) if "condition, wider" in line)
    assert lines[at + 1 : at + 5] == [
        "  - count sequences = 4",
        "                    ^^^",
        "  + count sequences >= 3",
        "                    ^^^^",
    ]
    assert "true for 12 more, for none fewer, seen in a sample of 5,000 cases" in lines[at + 6]
    told = "    cannot be: this ruleset is played without flowers, so 1f cannot occur"
    assert told in lines
    at = next(n for n, line in enumerate(lines) if "how often it counts" in line)
    assert lines[at + 1 : at + 3] == [
        "  count triplets of value",
        "  by value, which it uses",
    ]
    assert "  changes no hand" in lines


def test_colours_take_the_place_of_the_line_that_points(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = text_of(house(), capsys)
    assert "\x1b[1;4;31m= 4\x1b[0m" in shown
    assert "^" not in shown


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_ascii_is_ascii(comparison: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert text_of(comparison(), capsys, plain=True, texts=False).isascii()


OPEN = """
options: {open: {type: bool, default: %s, name: Open hands}}
patterns: {one: {points: %d, when: "%s"}}
"""


def test_options_that_a_hand_needs_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Even those that the new ruleset has by default: under the old one they are set otherwise."""
    old, new = (
        read_ruleset_text(ruleset(OPEN % values), "small.yaml")
        for values in (("false", 1, "some set is claimed and open"), ("true", 1, "open"))
    )
    found = compare(old, new, impact=False)
    kinds = [judged.change.kind for judged in found.changes]
    assert kinds == ["option-default-changed", "condition-widened"]
    assert text_of(found, capsys).count("self-draw, East round, Open hands true\n") == 1
    assert "self-draw, Open hands true" in comparison_markdown(found, review(found))
    assert "self-draw, Open hands true ·" in comparison_html(found, review(found))


def test_options_of_two_branches_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    """In every face: theirs alone has another default than the hand that all three are shown by."""
    sides = (("true", 1), ("true", 2), ("false", 3))
    reads = [read_ruleset_text(ruleset(OPEN % (*x, "open")), "small.yaml") for x in sides]
    both = three_way(*reads, only_structure=True)
    (crossing,) = both.crossings
    record = {"hand": "123m123m123m123p1p+1p", "options": {"open": True}}
    hands = [score_record(Rules(read.data), record) for read in reads]
    both = replace(both, crossings=(replace(crossing, record=record, results=tuple(hands)),))
    show_three_way(both, BranchReview({}), Screen("en"))
    assert "self-draw, East round, Open hands true\n" in capsys.readouterr().out
    assert "self-draw, Open hands true" in three_way_markdown(both, BranchReview({}))
    assert "self-draw, Open hands true ·" in three_way_html(both, BranchReview({}))


def test_an_old_id_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """In every face: of a pattern and of a shape, also where a branch gave the new one."""
    body = "patterns: {%s: {points: 5, when: count sequences = 4}}"
    base = ruleset(body % "runs", shapes="shapes: {basic: {sets: 4, pairs: 1}}\n")
    other = base.replace("runs:", "four_runs:").replace("{basic:", "{usual:")
    old, new = (read_ruleset_text(text, "small.yaml") for text in (base, other))
    found, both = said_otherwise(old, new), three_way(old, new, old, only_structure=True)
    show_three_way(both, BranchReview({}), Screen("en"))
    for text in (
        capsys.readouterr().out,
        text_of(found, capsys),
        comparison_markdown(found, review(found)).replace("\\", ""),
        three_way_markdown(both, BranchReview({})).replace("\\", ""),
        comparison_html(found, review(found)),
    ):
        assert "four_runs: new id runs → four_runs" in text
        assert "usual: new id basic → usual" in text
    said = [line for line in text_of(found, capsys, plain=True).splitlines() if "new id" in line]
    assert all("->" in line for line in said)


def test_an_end_of_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    lines = text_of(table(), capsys).splitlines()
    at = lines.index(
        "  The wall is exhausted, ready: East, South, 2 left by earlier hands, "
        "Payment of those not ready 2"
    )
    # Two are ready and two are not: 1 from each of the two, and then 2.
    assert [line.split() for line in lines[at + 1 : at + 7]] == [
        ["old", "new"], ["East", "+2", "+4"], ["South", "+2", "+4"], ["West", "-2", "-4"],
        ["North", "-2", "-4"], ["Stakes", "left", "2", "2"],
    ]  # fmt: skip
    assert "  settled otherwise: 704 of all 1,408 ends of a hand" in lines
    assert "  settled otherwise: 704 of 1,408 ends of a hand that were tried" in lines
    at = lines.index("  The hand is broken off, stakes: East 1, North 1")
    said = [line for line in lines[at:] if "cannot be settled" in line]
    assert said == [
        "    cannot be settled: a stake is 2 under table, so E cannot have paid another"
    ]
    assert "  East wins, on a discard from West, East round, discarded before: East 9p" in lines


def test_changes_that_meet_at_an_end_of_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    """In every face: the stake comes back with one change, with the other more is paid."""
    found = changed(stakes=RETURNED, exhausted=PAYS_TWO)
    ours, theirs = settling(stakes=RETURNED), settling(exhausted=PAYS_TWO)
    both = three_way(settling(), ours, theirs)
    ended = "The wall is exhausted, ready: East, stakes: East 1"
    rows = (["East", "+3", "+6", "+4", "+7"], ["Stakes", "left", "1", "1", "0", "0"])
    lines = text_of(found, capsys).splitlines()
    at = lines.index("Changes that meet")
    assert f"  {ended}" in lines[at:]
    told = [line.split() for line in lines[at:]]
    assert ["old", "first", "alone", "second", "alone", "both"] in told
    assert all(row in told for row in rows)
    show_three_way(both, BranchReview({}), Screen("en"))
    lines = capsys.readouterr().out.splitlines()
    assert "  both change the same end of a hand" in lines
    assert f"  {ended}" in lines
    # Ours gives the stake back, theirs pays more: the columns change places.
    assert ["East", "+3", "+4", "+6", "+7"] in [line.split() for line in lines]
    for text in (
        comparison_markdown(found, review(found)),
        comparison_html(found, review(found)),
        three_way_markdown(both, BranchReview({})),
        three_way_html(both, BranchReview({})),
    ):
        assert ended in text
    check = validator("diff")
    for told_json in (comparison_json(found), three_way_json(both)):
        assert [error.message for error in check.iter_errors(told_json)] == []
    end = three_way_json(both)["crossings"][0]["end"]
    assert end["request"] == {"event": "exhausted", "ready": ["E"], "stakes": {"E": 1}}
    assert [one["payments"]["E"] for one in end["results"]] == [3, 4, 6, 7]


def test_two_changes_of_the_same_value(capsys: pytest.CaptureFixture[str]) -> None:
    """In every face: a hand with base, ours and theirs side by side, and no fourth column."""

    def of(points: int) -> ReadRuleset:
        body = f"patterns: {{runs: {{points: {points}, when: count sequences = 4}}}}"
        return read_ruleset_text(ruleset(body), "small.yaml")

    both = three_way(of(5), of(6), of(7))
    show_three_way(both, BranchReview({}), Screen("en"))
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("  both change the same value")
    told = [line.split() for line in lines[at:]]
    assert ["base", "ours", "theirs"] in told
    assert ["runs", "5", "6", "7"] in told
    # East draws the tile: each of three pays the points.
    assert ["East", "+15", "+18", "+21"] in told
    text = three_way_markdown(both, BranchReview({}))
    assert "| base | ours | theirs |" in text
    assert "| East | **+15** | **+18** | **+21** |".replace("+", "\\+") in text
    page = three_way_html(both, BranchReview({}))
    heads = [f'<th class="num">{name}</th>' for name in ("base", "ours", "theirs")]
    assert f"<tr><th></th>{''.join(heads)}</tr>" in page
    told_json = three_way_json(both)
    assert [error.message for error in validator("diff").iter_errors(told_json)] == []
    (crossing,) = told_json["crossings"]
    assert [one["points"] for one in crossing["results"]] == [5, 6, 7]


def test_dora_indicators_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """In every face: what one of the rulesets makes dora says the table, and not the line above."""

    def of(cycles: str) -> ReadRuleset:
        body = "patterns: {d: {points: 1, times: dora, bonus: true}}\ntotal: {empty: 1}"
        text = ruleset(body).replace("tiles:\n", f"tiles:\n  dora: [{cycles}]\n")
        return read_ruleset_text(text, "small.yaml")

    found = compare(of('"1257z"'), of('"12z", "57z"'), impact=False)
    (judged,) = found.changes
    assert judged.witness is not None
    dora = judged.witness.record["dora"]
    # 1z makes 2z dora and 5z 7z in both; 2z makes 5z or 1z, and 7z 1z or 5z.
    assert dora in ("2z", "7z")
    lines = text_of(found, capsys).splitlines()
    assert f"  East wins, self-draw, East round, dora indicators {dora}" in lines
    for text in (comparison_markdown(found, review(found)), comparison_html(found, review(found))):
        assert f"dora indicators {dora}" in text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("2z", ["dora indicators 2z", "dora 3"]),
        ("7z", ["dora indicators 7z"]),
        ("4", ["dora 4"]),
        (None, []),
    ],
)
def test_the_dora_of_one_hand(given: str | None, said: list[str]) -> None:
    """2z makes 1z dora, of which the hand has three, and 7z makes 5z dora, of which it has none."""
    body = "patterns: {d: {points: 1, times: dora, bonus: true}}\ntotal: {empty: 1}"
    text = ruleset(body).replace("tiles:\n", 'tiles:\n  dora: ["12z", "57z"]\n')
    result = load(text).score("123456m123p11z99p+1z", dora=given)
    assert dora_words(result, "en") == said
    told = [one for one in said if given != "2z" or one != "dora 3"]
    assert dora_words(result, "en", counted=False) == told


def test_what_a_change_does_under_values_of_options(capsys: pytest.CaptureFixture[str]) -> None:
    lines = text_of(table(), capsys).splitlines()
    name = "Payment of those not ready"
    at = lines.index(f"  {name} 0-2: means the same, proved over all 5,000 cases")
    assert lines[at + 1].startswith(f"  {name} 3, 5: true for 12 fewer, for none more, proved")
    assert f"  5 values of {name} were tried, of 101" in lines


def test_nothing_changed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = text_of(same(), capsys).splitlines()
    assert lines[1:] == ["No difference but layout, order and comments."]


def test_texts_are_shown_where_they_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert "That it was worth 100 is inferred" not in text_of(versions(), capsys)
    assert "That it was worth 100 is inferred" in text_of(versions(), capsys, texts=True)


def test_what_is_to_be_mended_stands_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    found = review(house(), fail_on="payment", require_bump=True, accepted={"c00000000000": ""})
    lines = text_of(house(), capsys, found=found).splitlines()
    assert lines[-3:] == [
        "The version is still 3.3, though scores or payments changed.",
        "Changes that are not accepted: 7",
        "Accepted, but no such change is there any more: c00000000000",
    ]


def test_two_branches_in_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    show_three_way(branches(), BranchReview({}), Screen("en"))
    lines = capsys.readouterr().out.splitlines()
    assert "  both change the same hand" in lines
    assert "  both change the same value" in lines
    assert any(line.split() == ["base", "ours", "theirs", "both"] for line in lines)
    for heading in ("The same in both", "Only ours", "Only theirs", "Left out"):
        assert heading in lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_left_out_is_said_in_every_language(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every kind, in every face, in the language of the face; JSON has it in English."""
    left_out = [LeftOut(kind) for kind in get_args(LeftOutKind)]
    counted = ("sentences", "values", "sampled", "witnesses", "some-witnesses", "smaller", "ends")
    left_out = [
        replace(one, number=1234) if one.kind in counted else one
        for one in left_out
        if one.kind not in ("some-plays", "some-hands")
    ] + [LeftOut("some-plays", 500), LeftOut("some-hands", 65_536)]
    words = left_out_words(left_out, language)
    assert sum("1,234" in one for one in words) == len(counted)
    assert "65,536" in words[-1]
    assert len(set(words)) == len(left_out) == len(get_args(LeftOutKind))
    if language != "en":
        assert not set(words) & set(left_out_words(left_out, "en"))
    found = replace(versions(), left_out=tuple(left_out))
    both = replace(branches(), left_out=tuple(left_out))
    shown = [text_of(found, capsys, language=language)]
    show_three_way(both, BranchReview({}), Screen(language))
    shown += [
        capsys.readouterr().out,
        comparison_markdown(found, review(found), language),
        comparison_html(found, review(found), language),
        three_way_markdown(both, BranchReview({}), language),
        three_way_html(both, BranchReview({}), language),
    ]
    for text in shown:
        joined = "".join(text.replace("\\", "").split())
        assert [word for word in words if "".join(word.split()) not in joined] == []
    told = comparison_json(found, language=language)["left_out"]
    assert told[0] == {
        "kind": "sentences",
        "number": 1234,
        "text": "changes whose sentences were not compared: 1,234",
    }
    assert [one["kind"] for one in told] == [one.kind for one in left_out]
    assert three_way_json(both, language=language)["left_out"] == told


# ---- every language ----------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("comparison", COMPARISONS)
def test_every_face_speaks_every_language(
    comparison: Any, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = review(comparison(), fail_on="text", require_bump=True)
    shown = [
        text_of(comparison(), capsys, language=language, texts=True, found=found),
        comparison_markdown(comparison(), found, language),
        comparison_html(comparison(), found, language),
        json.dumps(comparison_json(comparison(), found, language)),
    ]
    assert all(len(text) > 40 for text in shown)
    if language != "en":
        for key in ("diff_made", "diff_title"):
            assert PHRASES[key][0] not in shown[2]


def test_every_kind_of_change_has_words() -> None:
    for kind in KINDS:
        if kind != "tiles-changed":
            assert f"kind_{kind.replace('-', '_')}" in PHRASES
    written = {key.removeprefix("kind_") for key in PHRASES if key.startswith("kind_")}
    assert written <= {kind.replace("-", "_") for kind in KINDS}


# ---- Markdown ----------------------------------------------------------------------


def test_a_version_as_a_comment() -> None:
    text = comparison_markdown(versions(), review(versions()))
    lines = text.splitlines()
    assert lines[0] == MARK
    assert "**Changes: 1 of scores, 1 of payments, 14 of words**" in lines
    assert "| 🔴 | Pure One-Suit: points | `100` | `80` |  |" in lines
    assert r"| **Total** | **105** | **85** |" in lines
    assert text.count("<details>") == text.count("</details>") >= 4


def test_ends_of_hands_as_a_comment() -> None:
    lines = comparison_markdown(table(), review(table())).splitlines()
    said = "settled otherwise: 704 of 1,408 ends of a hand that were tried"
    assert f"| 🟡 | Settlement: who wins when several could | `all` | `first` | {said} |" in lines
    assert r"| South | **\+6** | **0** |" in lines


def test_a_comment_cannot_be_made_to_do_harm() -> None:
    text = comparison_markdown(house(), review(house()))
    outside = re.sub(r"(`+).*?\1", "", text, flags=re.S)
    assert "<b>" not in text
    assert not re.search(r"@\w", outside)
    assert not re.search(r"(?<![&\w])#\d", outside)
    # A summary is HTML, in which brackets make no link.
    no_html = re.sub(r"<summary>.*?</summary>", "", outside)
    assert not re.search(r"(?<!\\)\]\(", no_html)
    assert "http://" not in outside
    for line in text.splitlines():
        if line.startswith("| 🔴"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 6


def test_a_comment_is_never_too_long() -> None:
    import dataclasses

    found = versions()
    many = dataclasses.replace(found, changes=found.changes[:1] * 400 + found.changes)
    text = comparison_markdown(many, review(many))
    assert len(text) <= MOST + 200
    assert re.search(r"\d+ others\n$", text)
    assert text.count("<details>") == text.count("</details>")


def test_two_branches_as_a_comment() -> None:
    text = three_way_markdown(branches(), BranchReview({}))
    assert text.startswith(MARK)
    assert "both change the same value" in text
    assert "|  | base | ours | theirs | both |" in text
    assert "**Left out**" in text


# ---- JSON --------------------------------------------------------------------------


def validator(name: str) -> Draft202012Validator:
    text = (data_folder("grammar") / f"{name}.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_json_fits_its_schema(comparison: Any) -> None:
    check, results, records = validator("diff"), validator("result"), validator("record")
    for found in (comparison_json(comparison()), comparison_json(comparison(), review(same()))):
        assert [error.message for error in check.iter_errors(found)] == []
        for change in found["changes"]:
            if change["witness"]:
                records.validate(change["witness"]["record"])
                for side in ("old", "new", "whole"):
                    results.validate(change["witness"][side])
            if change["end"]:
                REQUEST.validate(change["end"]["request"])
                for side in ("old", "new", "whole"):
                    if "error" not in change["end"][side]:
                        ANSWER.validate(change["end"][side])
    assert json.loads(json.dumps(found)) == found


def test_json_of_branches_fits_its_schema() -> None:
    found = three_way_json(branches())
    assert [error.message for error in validator("diff").iter_errors(found)] == []
    assert found["crossings"][0]["touch"] == "hand"
    assert len(found["crossings"][0]["results"]) == 4
    assert "findings" not in found
    marks = {change.fingerprint: "" for change in branches().crossings[0].changes}
    both = review_branches(
        branches(), fail_on="text", require_bump=True, accepted={**marks, "c00000000000": ""}
    )
    found = three_way_json(branches(), both)
    assert [error.message for error in validator("diff").iter_errors(found)] == []
    assert [one["accepted"] for one in found["crossings"]] == [True, False]
    # Ours is version 3.2; the house keeps the version of its base.
    last = found["crossings"][1]
    assert found["findings"] == {
        "crossings": [{name: last[name]["fingerprint"] for name in ("ours", "theirs")}],
        "needs_bump": ["theirs"],
        "stale": ["c00000000000"],
    }


def test_a_sample_of_cases_that_need_be_no_hands_says_at_most(
    capsys: pytest.CaptureFixture[str],
) -> None:
    [first, *others] = versions().changes
    effect = Effect("narrower", "loose", 6_939_202, 0, 118_357)
    found = replace(versions(), changes=(replace(first, effect=effect), *others))
    validator("diff").validate(comparison_json(found))
    said = "at most: of a sample of 6,939,202 cases some may be no hand"
    assert said in text_of(found, capsys)


def test_that_no_hand_was_looked_at_is_said_in_every_face_and_only_then(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = "Only what the rulesets say was compared; no hand was looked at."
    other = "[{when: payer is not ready and payee is ready, pays: 2}]"
    for found, looked in (
        (said_otherwise(settling(), settling(exhausted=other, winners="first")), False),
        (changed(exhausted=other, winners="first"), True),
    ):
        for text in (
            text_of(found, capsys),
            comparison_markdown(found, review(found)).replace("\\", ""),
            comparison_html(found, review(found)),
        ):
            assert (said in text) is not looked
            assert "no hand found that shows it" not in text


def test_that_a_hand_was_looked_for_and_not_found_is_said_in_every_face(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = "no hand found that shows it, of 1,204 that were tried"
    [first, *others] = versions().changes
    bare = replace(first, witness=None, effect=None)
    for judged in (bare, replace(bare, sought=Sought(1_204, complete=True))):
        found = replace(versions(), changes=(judged, *others))
        for text in (
            text_of(found, capsys),
            comparison_markdown(found, review(found)).replace("\\", ""),
            comparison_html(found, review(found)),
        ):
            assert (said in text) is (judged.sought is not None)
        told = comparison_json(found)["changes"][0]
        assert told["sought"] == (judged.sought and {"tried": 1_204, "complete": True})


def test_values_with_which_a_table_is_refused_are_named_in_every_face(
    capsys: pytest.CaptureFixture[str],
) -> None:
    fewer = "{each: {type: int, default: 1, min: 0, max: 6}}"
    found = said_otherwise(settling(), settling(options=fewer))
    for text in (
        text_of(found, capsys),
        comparison_markdown(found, review(found)).replace("\\", ""),
        comparison_html(found, review(found)),
    ):
        assert "values allowed, refused from now on: 7-9" in text
    told = comparison_json(found)
    assert (told["looked"], told["changes"][0]["refused"]) == (False, [{"first": 7, "last": 9}])
    back = said_otherwise(settling(options=fewer), settling())
    assert "refused" not in text_of(back, capsys)
    assert comparison_json(back)["changes"][0]["refused"] == []
    idle = "{each: {type: int, default: 1, min: 0, max: 9}, idle: {type: int, default: 1, max: %s}}"
    unread = said_otherwise(settling(options=idle % 9), settling(options=idle % 6))
    said = "  Option idle: values allowed 9 → 6 (refused from now on: 7-9)"
    assert said in text_of(unread, capsys).splitlines()


def test_the_words_of_an_event_that_is_shared_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    found = said_otherwise(settling(), settling(events="{ready: {}, last_tile: {}}"))
    said = [line for line in text_of(found, capsys).splitlines() if "Event last_tile" in line]
    assert [line.rpartition("  ")[0] for line in said] == [
        "payment  Event last_tile: who has it of several winners"
    ]


def test_what_is_to_be_mended_of_two_branches_is_said_in_every_face(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = replace(branches(), looked=False)
    both = review_branches(found, fail_on="score", require_bump=True, accepted={"c00000000000": ""})
    show_three_way(found, both, Screen("en"))
    for text in (
        capsys.readouterr().out,
        three_way_markdown(found, both).replace("\\", ""),
        three_way_html(found, both),
    ):
        assert "Only what the rulesets say was compared; no hand was looked at." in text
        assert "theirs: The version is still 3.3, though scores or payments changed." in text
        assert "Changes that meet and are not accepted: 2" in text
        assert "Accepted, but no such change is there any more:" in text
    told = three_way_json(found, both)
    lists = ("same", "only_ours", "only_theirs")
    assert all(one["accepted"] is False for name in lists for one in told[name])


def test_the_schema_refuses_what_is_no_comparison() -> None:
    check = validator("diff")
    found = comparison_json(versions(), review(versions()))
    for path, value in (
        (("level",), "grave"),
        (("changes", 0, "fingerprint"), "x"),
        (("changes", 0, "effect", "how"), "guessed"),
        (("hands", "looked"), -1),
        (("findings", "needs_bump"), "no"),
    ):
        wrong = json.loads(json.dumps(found))
        inner = wrong
        for key in path[:-1]:
            inner = inner[key]
        assert inner[path[-1]] != value
        inner[path[-1]] = value
        assert list(check.iter_errors(wrong)), path
    del found["changes"]
    assert list(check.iter_errors(found))


def test_json_says_all_there_is() -> None:
    found = comparison_json(versions(), review(versions(), fail_on="score"))
    suit = found["changes"][0]
    assert (suit["kind"], suit["old"], suit["new"]) == ("points-changed", "100", "80")
    assert suit["old_place"]["file"].endswith("zhongyong-3.2.yaml")
    assert suit["witness"]["old"]["points"] == 105
    assert suit["witness"]["new"]["points"] == 85
    assert found["level"] == "score"
    assert found["findings"]["changes"] == [suit["fingerprint"]]
    differences = [(one["points"], one["hands"]) for one in found["plays"]["differences"]]
    assert differences == [(-20, 1146), (15, 3)]
    assert found["plays"]["seed"] == 1


# ---- the page ----------------------------------------------------------------------

VOID = {"meta", "br"}


class Checker(HTMLParser):
    """Sees that tags are closed in turn, and gathers what is named and asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.uses: set[str] = set()
        self.classes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        assert tag not in ("script", "img", "iframe", "link", "form", "a"), tag
        assert not {name for name in values if name.startswith("on")}
        assert "style" not in values
        self.ids |= {values["id"] or ""} if "id" in values else set()
        if tag == "use":
            href = values["href"] or ""
            assert href.startswith("#")
            self.uses.add(href[1:])
        self.classes |= set((values.get("class") or "").split())
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def checked(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert checker.open == []
    assert checker.uses <= checker.ids
    return checker


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_a_page_is_whole_and_safe(comparison: Any) -> None:
    page = comparison_html(comparison(), review(comparison()))
    found = checked(page)
    assert "default-src 'none'" in html.unescape(page)
    assert "<b>@all" not in page
    assert comparison().new.version in found.text


def test_a_page_draws_the_hand_and_marks_the_words() -> None:
    page = comparison_html(house(), review(house()))
    assert '<div class="hand" data-hand="' in page
    assert "<del>= 4</del>" in page
    assert "<ins>&gt;= 3</ins>" in page
    found = checked(page)
    assert {"t-1m", "t-5p", "t-1f"} <= found.uses


def test_a_page_of_two_branches_is_whole_and_safe() -> None:
    found = checked(three_way_html(branches(), BranchReview({})))
    assert "both change the same hand" in found.text
    assert "Only theirs" in found.text
