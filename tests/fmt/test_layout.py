"""The canonical layout: what it makes of files, by example."""

from __future__ import annotations

import pytest

from ruleengine.fmt import format_text
from ruleengine.fmt.layout import EXAMPLE, PATTERN, RULESET, Kind
from ruleengine.ruleset import examples, model, read, shapes
from ruleengine.ruleset.find import ruleset_ids


def laid_out(before: str, after: str) -> None:
    assert format_text(before) == after
    assert format_text(after) == after


def test_keys_stand_in_their_order_and_names_stay_where_they_are() -> None:
    laid_out(
        "version: '1'\nname: X\nid: x\nformat: 1\n"
        "patterns:\n"
        "  zebra: {when: dealer, points: 1}\n"
        "  ant:\n"
        "    misses: []\n"
        "    points: 3\n"
        "    name: {ja: い, en: A}\n"
        "    when: dealer\n"
        "terms: {b: dealer, a: b}\n",
        'format: 1\nid: x\nname: X\nversion: "1"\n'
        "\n"
        "terms: {b: dealer, a: b}\n"
        "\n"
        "patterns:\n"
        "  zebra: {points: 1, when: dealer}\n"
        "\n"
        "  ant:\n"
        "    name: {en: A, ja: い}\n"
        "    points: 3\n"
        "    when: dealer\n"
        "    misses: []\n",
    )


def test_a_text_without_english_keeps_the_language_that_comes_first() -> None:
    laid_out("name: {ja: い, zh-Hant: 乙}\n", "name: {ja: い, zh-Hant: 乙}\n")


def test_unknown_keys_come_last_and_in_a_pattern_where_the_points_would_be() -> None:
    laid_out("zz: 1\nid: x\naa: 2\n", "id: x\nzz: 1\naa: 2\n")
    laid_out(
        "patterns:\n  a:\n    when: dealer\n    han: 2\n    code: '1'\n",
        'patterns:\n  a:\n    code: "1"\n    han: 2\n    when: dealer\n',
    )


def test_what_patterns_award_are_sentences_too() -> None:
    laid_out(
        "units: [han, fu]\npatterns:\n  a: {fu: 2*han_option, when: dealer, han: 1}\n",
        "units: [han, fu]\n\npatterns:\n  a: {han: 1, fu: 2 * han_option, when: dealer}\n",
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("count   sets=4", "count sets = 4"),
        ("not(dealer)and(  win by self_draw )", "not (dealer) and (win by self_draw)"),
        ("some tile is dragon|seat_wind&~ 1z", "some tile is dragon | seat_wind & ~1z"),
        ("points-1>=- 3*min( 2,points )", "points - 1 >= -3 * min(2, points)"),
        ("has sequence r+1x,sequence rx", "has sequence r+1x, sequence rx"),
        ("round_up (3)+1!=2", "round_up(3) + 1 != 2"),
        ("if dealer then(1)else 2", "if dealer then (1) else 2"),
    ],
)
def test_sentences_have_single_spaces(before: str, after: str) -> None:
    laid_out(f"terms:\n  x: {before}\n", f"terms:\n  x: {after}\n")


@pytest.mark.parametrize("wrong", ["count sets ==  4", "dealer  and", "(dealer", "萬  子"])
def test_what_is_no_sentence_stays_as_it_is(wrong: str) -> None:
    laid_out(f"terms:\n  x: {wrong}\n", f"terms:\n  x: {wrong}\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("version: '3.3'", 'version: "3.3"'),
        ("version: 'a \"b\"'", "version: 'a \"b\"'"),
        ("version: 'it''s'", 'version: "it\'s"'),
        (r'version: "a\tb \u4e2d"', r'version: "a\tb \u4e2d"'),
        ("version: 3.3", "version: 3.3"),
        ("version: plain text", "version: plain text"),
        ('version: "a\n\n  b \\\n  c"', r'version: "a\nb c"'),
    ],
)
def test_quotes_are_double_and_stay_where_they_were(before: str, after: str) -> None:
    laid_out(before, f"{after}\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"count sets = 4"', "count sets = 4"),
        ("'true'", '"true"'),
        ('"1z"', "1z"),
        ('"min(points, 3)"', "min(points, 3)"),
        ('"40"', '"40"'),
        ("40", "40"),
        (">\n    dealer\n    and concealed_hand\n", "dealer and concealed_hand"),
    ],
)
def test_sentences_stand_without_quotes_where_they_can(before: str, after: str) -> None:
    laid_out(f"terms:\n  x: {before}\n", f"terms:\n  x: {after}\n")


def test_hands_are_in_quotes() -> None:
    laid_out(
        "patterns:\n  a:\n    hits: [123m, {hand: 456p+7p, why: x}]\n",
        'patterns:\n  a:\n    hits: ["123m", {hand: "456p+7p", why: x}]\n',
    )


def test_a_comma_in_brackets_needs_quotes() -> None:
    laid_out(
        "settlement:\n  win: [{pays: 'min(points,3)'}]\n",
        'settlement:\n  win: [{pays: "min(points, 3)"}]\n',
    )


LONG = " ".join(["word"] * 25)
"""124 characters."""


def test_a_long_text_is_folded_and_the_lines_of_a_folded_one_stay() -> None:
    first = " ".join(["word"] * 19)
    rest = " ".join(["word"] * 6)
    folded = f"source: >-\n  {first}\n  {rest}\n"
    laid_out(f"source: {LONG}\n", folded)
    laid_out(f'source: "{LONG}"\n', folded)
    laid_out(
        f"source:\n  {rest}\n  {LONG}\n", f"source: >-\n  {first}\n  {' '.join(['word'] * 12)}\n"
    )
    laid_out("source: >-\n    short\n    lines\n", "source: >-\n  short\n  lines\n")
    laid_out(f"source: >-\n    {LONG}\n", folded)


def test_a_long_sentence_is_folded_too() -> None:
    long = " and ".join(["dealer"] * 14)
    assert len(long) == 149
    laid_out(
        f"terms:\n  x: {long}\n",
        f"terms:\n  x: >-\n    {' and '.join(['dealer'] * 9)}\n"
        f"    and {' and '.join(['dealer'] * 5)}\n",
    )


@pytest.mark.parametrize(
    "text",
    [
        "|\n  Two lines\n    and one indented\n\n  the end\n",
        "|-\n  no end of line\n  here\n",
        "|2\n    starts with spaces\n  then not\n",
        ">\n  folded\n  lines\n\n  and a second\n    paragraph\n",
        ">-\n  two  spaces\n  in a  row\n",
    ],
)
def test_texts_with_lines_of_their_own_keep_them(text: str) -> None:
    laid_out(f"source: {text}", f"source: {text}")
    deeper = text.replace("\n  ", "\n      ")
    if "|2" not in text:
        laid_out(f"source: {deeper}", f"source: {text}")


def test_empty_lines_at_the_end_of_a_text_are_written_out() -> None:
    laid_out("source: |+\n  a\n\nid: x\n", 'id: x\nsource: "a\\n\\n"\n')


def test_brackets_that_do_not_fit_become_lines() -> None:
    hands = [f"{n}23m456m789m11z{n}{n}{n}p" for n in range(1, 5)]
    before = f"patterns:\n  a:\n    hits: [{', '.join(hands)}]\n"
    after = "patterns:\n  a:\n    hits:\n" + "".join(f'      - "{hand}"\n' for hand in hands)
    laid_out(before, after)
    laid_out(
        f"name: {{en: {LONG}, ja: い}}\n",
        f"name:\n  en: >-\n    {LONG[:94]}\n    {LONG[95:]}\n  ja: い\n",
    )


def test_brackets_over_several_lines_become_one() -> None:
    laid_out("name: {\n  en: A,\n  ja: い,\n}\n", "name: {en: A, ja: い}\n")


def test_empty_lines_stand_before_sections_and_between_patterns() -> None:
    laid_out(
        "format: 1\n\n\nid: x\ntiles:\n\n  wall: {1m: 4}\n\n"
        "terms:\n  a: dealer\n\n\n\n  b: dealer\n"
        "patterns:\n  a: {points: 1, when: dealer}\n  b: {points: 1, when: dealer}\n"
        "  c:\n    points: 1\n    when: dealer\n  d: {points: 1, when: dealer}\n"
        "total: {cap: 3}\nliability: {moves: true}\n",
        "format: 1\n\nid: x\n\ntiles:\n  wall: {1m: 4}\n\n"
        "terms:\n  a: dealer\n\n  b: dealer\n\n"
        "patterns:\n  a: {points: 1, when: dealer}\n  b: {points: 1, when: dealer}\n\n"
        "  c:\n    points: 1\n    when: dealer\n\n  d: {points: 1, when: dealer}\n\n"
        "total: {cap: 3}\nliability: {moves: true}\n",
    )


def test_lists_are_indented_and_may_hold_lists() -> None:
    laid_out(
        "dora:\n- a\n- - b\n  - c\n-\n    x: 1\n", "dora:\n  - a\n  - - b\n    - c\n  - x: 1\n"
    )


@pytest.mark.parametrize("value", ["{}", "[]", "~", "null", ""])
def test_nothing_stays_nothing(value: str) -> None:
    laid_out(f"a: {value}\nb: 1\n", f"a: {value}".rstrip() + "\nb: 1\n")


def test_a_name_without_value_takes_its_brackets_apart() -> None:
    laid_out("a: {b: , c: 1}\n", "a:\n  b:\n  c: 1\n")


def test_line_ends_stay_and_a_byte_order_mark_goes() -> None:
    assert format_text("\ufeffid:  x\r\na: 1\r\n") == "id: x\r\na: 1\r\n"
    assert format_text("id:  x\ra: 1") == "id: x\na: 1\n"
    assert format_text("id:  x\na: 1\r\n") == "id: x\na: 1\n"
    assert format_text("source: |\r\n  a\r\n   b\r\n") == "source: |\r\n  a\r\n   b\r\n"


def test_wide_signs_and_emoji_count_as_one_character_and_survive() -> None:
    text = "name: {en: 🀄👨\u200d👩, ja: " + "麻" * 40 + "}\n"
    laid_out(text, text)


def test_dashes_around_the_document_go() -> None:
    laid_out("--- # a\nid: x\n...\n# b\n", "# a\nid: x\n# b\n")


@pytest.mark.parametrize("id_", sorted(ruleset_ids()))
def test_shipped_rulesets_come_back_the_same(id_: str) -> None:
    text = ruleset_ids()[id_].read_text(encoding="utf-8")
    before = read.read_ruleset_text(text, "a", (ruleset_ids()[id_].parent,)).data
    after = read.read_ruleset_text(format_text(text), "a", (ruleset_ids()[id_].parent,)).data
    assert list(before.patterns) == list(after.patterns)
    for one, other in zip(before.patterns.values(), after.patterns.values(), strict=True):
        assert (one.code, one.name, one.doc, one.series) == (
            other.code, other.name, other.doc, other.series,
        )  # fmt: skip
        assert {unit: s.text.split() for unit, s in one.awards.items()} == {
            unit: s.text.split() for unit, s in other.awards.items()
        }
        assert [e.record for e in (*one.hits, *one.misses)] == [
            e.record for e in (*other.hits, *other.misses)
        ]
    assert before.interpretations == after.interpretations


def test_the_layout_knows_every_key_of_the_format() -> None:
    def keys(kind: Kind | None, *path: str) -> set[str]:
        for name in path:
            assert kind is not None
            kind = kind.each if name == "*" else kind.keys[name]
        assert kind is not None
        return set(kind.keys)

    assert keys(RULESET) == set(read.TOP_KEYS)
    assert keys(RULESET, "options", "*") == set(model.OPTION_KEYS)
    assert keys(RULESET, "shapes", "*") == set(shapes.SHAPE_KEYS)
    assert keys(PATTERN) == {*model.PATTERN_KEYS, "points"}
    assert keys(EXAMPLE) == {*examples.RECORD_FIELDS, "points", "why"}
    assert keys(RULESET, "settlement") == set(read.SETTLEMENT_KEYS)
    assert keys(RULESET, "interpretations", "*") == set(model.INTERPRETATION_KEYS)
    assert keys(RULESET, "name") == set(model.LANGUAGES)
