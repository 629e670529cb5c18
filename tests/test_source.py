"""Strict YAML: values, places and mistakes, the same with PyYAML's C and its Python parser."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleengine import source
from ruleengine.diagnostics import TITLES, Diagnostic, RulesetError, Span, render_line
from ruleengine.source import (
    MAX_BYTES,
    MAX_NODES,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    read_yaml,
    read_yaml_file,
)

LOADERS = {"python": yaml.Loader, "c": getattr(yaml, "CLoader", yaml.Loader)}


@pytest.fixture(params=list(LOADERS), autouse=True)
def _loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "_LOADER", LOADERS[request.param])


def mistakes(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(RulesetError) as caught:
        read_yaml(text, "h.yaml")
    return caught.value.diagnostics


def scalar(text: str, key: str = "a") -> ScalarNode:
    root = read_yaml(text, "h.yaml")
    assert isinstance(root, MappingNode)
    node = root.get(key)
    assert isinstance(node, ScalarNode)
    return node


def scalars(node: Node) -> Iterator[ScalarNode]:
    if isinstance(node, ScalarNode):
        yield node
    elif isinstance(node, MappingNode):
        for key, value in node.entries:
            yield key
            yield from scalars(value)
    else:
        for item in node.items:
            yield from scalars(item)


def cut(text: str, span: Span) -> str:
    """What stands at a span, read by hand from the text."""
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return "\n".join(lines)


# ---- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("40", 40),
        ("-3", -3),
        ("+3", 3),
        ("0", 0),
        ("0x1F", 31),
        ("0o17", 15),
        ("999999999999999", 999_999_999_999_999),
        ("3.3", 3.3),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("true", True),
        ("True", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("'40'", "40"),
        ('"true"', "true"),
        # Words and signs that older YAML turns into something else.
        ("on", "on"),
        ("no", "no"),
        ("yes", "yes"),
        ("y", "y"),
        ("tRUE", "tRUE"),
        ("12:30", "12:30"),
        ("12:30:45", "12:30:45"),
        ("010", "010"),
        ("0b11", "0b11"),
        ("1_000", "1_000"),
        ("2024-01-01", "2024-01-01"),
        ("3.3.1", "3.3.1"),
        ("-", None),
        ("+", "+"),
        (".", "."),
        ("=", "="),
        ("<<", "<<"),
        ("123m456p+1z", "123m456p+1z"),
        ("~honor", "~honor"),
        ("count suits = 1 and some tile is honor", "count suits = 1 and some tile is honor"),
        ("dragon | seat_wind", "dragon | seat_wind"),
        ("混一色", "混一色"),
    ],
)
def test_values_follow_the_core_schema(written: str, value: object) -> None:
    if written == "-":
        assert [d.code for d in mistakes("a: -")] == ["E129"]
        return
    node = scalar(f"a: {written}\n")
    assert node.value == value
    assert type(node.value) is type(value)
    assert node.plain == (not written.startswith(("'", '"')))
    assert node.text == written.strip("'\"")


def test_mappings_and_lists_keep_order_and_places() -> None:
    text = "format: 1\nhits:\n  - x\n  - {hand: y, points: 5}\nempty: {}\nnone: []\n"
    root = read_yaml(text, "h.yaml")
    assert isinstance(root, MappingNode)
    assert [key.text for key, _ in root.entries] == ["format", "hits", "empty", "none"]
    hits = root.get("hits")
    assert isinstance(hits, SequenceNode)
    assert cut(text, hits.span) == "- x\n  - {hand: y, points: 5}"
    record = hits.items[1]
    assert isinstance(record, MappingNode)
    assert cut(text, record.span) == "{hand: y, points: 5}"
    points, key = record.get("points"), record.key("points")
    assert isinstance(points, ScalarNode)
    assert key is not None
    assert (points.value, cut(text, points.span), cut(text, key.span)) == (5, "5", "points")
    assert record.get("when") is None
    assert record.key("when") is None
    empty = root.get("empty")
    assert isinstance(empty, MappingNode)
    assert (empty.entries, cut(text, empty.span)) == ((), "{}")
    assert root.span == Span("h.yaml", 1, 1, 6, 9)


def test_nodes_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        scalar("a: 1").value = 2  # type: ignore[misc]


# ---- places inside scalars ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word", "line", "column"),
    [
        ("a: count suits = 1", "suits", 1, 10),
        ('a: "count suits = 1"', "suits", 1, 11),
        ("a: 'count suits = 1'", "suits", 1, 11),
        ("a: 'it''s suits'", "suits", 1, 11),
        (r'a: "\u842c\t\\ suits"', "suits", 1, 16),
        (r'a: "\x41\U0001F004 suits"', "suits", 1, 20),
        ("a: 萬🀄 suits", "suits", 1, 7),
        ("\ufeffa: suits", "suits", 1, 4),
        ("a: |\n  one\n  two suits\n", "suits", 3, 7),
        ("a: >\n  one\n  two suits\n", "suits", 3, 7),
        ("a: >-\n\n  one\n\n   two\n  three suits\n", "suits", 6, 9),
        ("a: |2\n    one\n   two suits\n", "suits", 3, 8),
        ("b:\n  - a: >+\n      one\n\n      suits\n\n  # end\n", "suits", 5, 7),
        ("a: one\n  two\n\n  three suits", "suits", 4, 9),
        ("a: 'one\n\n  two\n    suits'", "suits", 4, 5),
        ('a: "one \\\n  two \\x41\n\n  suits"', "suits", 4, 3),
        ("a: one\r\n  suits\r\n", "suits", 2, 3),
        ("a: |\r\n  one\r\n  🀄 suits\r\n", "suits", 3, 5),
        ("{a: one\n suits, b: 1}", "suits", 2, 2),
    ],
)
def test_locate_finds_a_word_in_every_style(text: str, word: str, line: int, column: int) -> None:
    nodes = [n for n in scalars(read_yaml(text, "h.yaml")) if word in n.text]
    assert len(nodes) == 1
    at = nodes[0].text.index(word)
    span = nodes[0].locate(at, at + len(word))
    assert span == Span("h.yaml", line, column, line, column + len(word))
    assert cut(text, span) == word


def test_locate_counts_an_escape_as_one_character() -> None:
    node = scalar(r'a: "x\u842c\ny"')
    assert node.text == "x萬\ny"
    assert node.locate(1, 2) == Span("h.yaml", 1, 6, 1, 12)
    assert node.locate(2, 3) == Span("h.yaml", 1, 12, 1, 14)
    assert node.locate(0, 4) == Span("h.yaml", 1, 5, 1, 15)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: xy", 1, 6),
        ("a: 'xy'", 1, 7),
        (r'a: "x\x41"', 1, 10),
        ('a: ""', 1, 5),
        ("a: |\n  xy", 2, 5),
        ("a: >-\n  x\n  y\n", 3, 4),
    ],
)
def test_locate_the_end_of_the_text(text: str, line: int, column: int) -> None:
    node = scalar(text)
    size = len(node.text)
    end = Span("h.yaml", line, column, line, column)
    assert node.locate(size, size) == end
    assert node.locate(size + 5, size + 9) == end


def test_locate_a_fold_is_the_gap_between_two_lines() -> None:
    node = scalar("a: one\n   two")
    assert node.text == "one two"
    assert node.locate(3, 4) == Span("h.yaml", 1, 7, 2, 4)
    assert node.locate(0, 7) == Span("h.yaml", 1, 4, 2, 7)


PIECES = st.lists(
    st.sampled_from(
        ["a", "bc", "萬", "🀄", " ", "  ", "\n  ", "\n\n   ", "\n    ", "x: ", "''", "#", "\\"]
    ),
    max_size=12,
).map("".join)
HEADERS = st.sampled_from(["|", ">", "|-", ">-", "|+", ">+", "|1", ">2-"])


@settings(max_examples=150, deadline=None)
@given(PIECES, HEADERS, st.booleans())
def test_every_character_is_where_locate_says(body: str, header: str, last: bool) -> None:
    double = body.replace("\\", r"\x41").replace("a", r"\u842c")
    text = (
        f"s: '{body}'\nd: \"{double}\"\nb: {header}\n  {body}\nf: >\n  {body}\n  end" + "\n" * last
    )
    for name, loader in LOADERS.items():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(source, "_LOADER", loader)
            try:
                root = read_yaml(text, name)
            except RulesetError:
                continue
        for node in scalars(root):
            assert_places(node, text)


def assert_places(node: ScalarNode, text: str) -> None:
    before = (0, 0)
    for at, char in enumerate(node.text):
        span = node.locate(at, at + 1)
        written = cut(text, span)
        if char in " \n" and char != written:
            assert not written.strip(" \n\\"), (char, written)
        elif char == "'":
            assert written in ("'", "''")
        elif written.startswith("\\") and len(written) > 1:
            assert written == {"A": r"\x41", "萬": r"\u842c"}[char]
        else:
            assert written == char
        assert before <= (span.line, span.column) <= (span.end_line, span.end_column)
        before = span.end_line, span.end_column


# ---- mistakes -----------------------------------------------------------------------------------

QUOTED = "must be in quotes"

MISTAKES = [
    # (code, line, column, text, words of the message, help)
    ("E105", 1, 1, "", "the file is empty", None),
    ("E105", 1, 1, "# nothing\n\n", "the file is empty", None),
    ("E105", 1, 1, "---\n", "the file is empty", None),
    ("E106", 2, 1, "a: 1\n---\nb: 2\n", "a second one starts", None),
    ("E106", 3, 1, "a: 1\n...\nb: 2\n", "a second one starts", None),
    ("E109", 3, 1, "a: 1\nb: 2\na: 3\n", "the name 'a' is written twice", None),
    ("E109", 1, 11, "x: {a: 1, 'a': 2}", "the name 'a' is written twice", None),
    ("E110", 1, 1, "5: x", "a name must be text: '5' without quotes is not", 'write "5"'),
    ("E110", 1, 1, "true: x", "a name must be text: 'true'", 'write "true"'),
    ("E110", 1, 1, "[a]: b", "not a list or a mapping", None),
    ("E110", 1, 3, "? {a: 1}\n: b", "not a list or a mapping", None),
    ("E110", 1, 1, ": b", "a name is missing before this ':'", None),
    ("E110", 1, 5, "a: {: b}", "a name is missing before", None),
    ("E111", 1, 4, "a: &x y", "YAML anchors are not allowed", None),
    ("E112", 1, 4, "a: *x", "YAML aliases are not allowed", None),
    ("E113", 1, 4, "a: !honor and b", "takes it for a tag", None),
    ("E113", 1, 4, "a: !!python/object:os.system x", "takes it for a tag", None),
    ("E113", 1, 4, "a: !<x> {b: 1}", "takes it for a tag", None),
    ("E113", 1, 4, "a: !x!y b", "takes it for a tag", None),
    ("E113", 1, 4, "a: ! b", "takes it for a tag", None),
    ("E114", 1, 1, "<<: {a: 1}", "merge key", None),
    ("E115", 1, 4, "a: 1234567890123456", "at most 15 digits", None),
    ("E115", 1, 4, "a: 0xfffffffffffffffff", "at most 15 digits", None),
    ("E115", 1, 4, "a: 1e99", "at most 15 digits", None),
    ("E115", 1, 4, "a: .inf", "no infinite numbers", None),
    ("E115", 1, 4, "a: .nan", "no infinite numbers", None),
    ("E116", 1, 1, "%YAML 1.2\n---\na: 1", "cannot start with '%'", None),
    ("E116", 1, 1, "%YAML 9.0\n---\na: 1", "cannot start with '%'", None),
    ("E116", 2, 1, "a: 1\n%x: 2", "cannot start with '%'", None),
    ("E117", 2, 1, "a:\n\tb: 1", "a tab cannot indent a line", None),
    ("E117", 3, 1, "a:\n  b: 1\n\tc: 2", "a tab cannot indent a line", None),
    ("E117", 2, 1, "a: |\n\tb", "a tab cannot indent a line", None),
    ("E117", 2, 1, "a: [\n\tb]", "a tab cannot indent a line", None),
    ("E117", 1, 3, "a:\tb", "use a space", None),
    ("E117", 1, 7, "a: 'x'\t", "use a space", None),
    ("E118", 1, 4, "a: @x", f"'@' {QUOTED}", 'write "@x"'),
    ("E118", 1, 4, "a: %x # why", f"'%' {QUOTED}", 'write "%x"'),
    ("E118", 1, 4, "a: `x`", f"'`' {QUOTED}", 'write "`x`"'),
    ("E118", 1, 4, "a: * x", f"'*' {QUOTED}", 'write "* x"'),
    ("E118", 1, 4, "a: & x", f"'&' {QUOTED}", 'write "& x"'),
    ("E118", 1, 4, "a: ? x", f"'?' {QUOTED}", 'write "? x"'),
    ("E118", 1, 4, "a: , x", f"',' {QUOTED}", 'write ", x"'),
    ("E118", 1, 5, "a: [@x]", f"'@' {QUOTED}", None),
    ("E119", 1, 11, "when: hand: x", f"': ' in it {QUOTED}", 'write "hand: x"'),
    ("E119", 2, 12, "b: 1\nwhen: count: x", "': '", 'write "count: x"'),
    ("E120", 1, 4, 'a: "x\nb: 1\n', "this quote is never closed", None),
    ("E120", 2, 4, "a: 1\nb: 'x", "this quote is never closed", None),
    ("E121", 1, 6, r'a: "x\q"', r"'\q' stands for no character", "write two backslashes"),
    ("E121", 1, 6, r'a: "x\xZZ"', r"'\x' stands for no character", "write two backslashes"),
    ("E121", 1, 6, r'a: "x\uD83C"', r"'\uD83C' stands for no", "write two backslashes"),
    ("E121", 1, 6, r'a: "x\U00110000"', r"'\U00110000' stands", "write two backslashes"),
    ("E122", 1, 8, "a: 'it's'", "after the closing quote", "is written ''"),
    ("E122", 1, 10, 'a: "say "hi" now"', "after the closing quote", 'is written \\"'),
    ("E122", 1, 9, "{a: 1}  b", "after the closing '}'", None),
    ("E123", 1, 4, "a: [789s]123m+5z", "a hand must be in quotes", 'write "[789s]123m+5z"'),
    ("E123", 2, 3, "- x\n- [789s] 11z+1z", "a hand must be in", 'write "[789s] 11z+1z"'),
    ("E123", 1, 10, "- {hand: 11z[789s]+1z}", "a hand must be in quotes", None),
    ("E123", 1, 4, "a: [東東東]一萬", "a hand must be in quotes", 'write "[東東東]一萬"'),
    ("E123", 1, 4, "a: [🀇🀈🀉]🀀", "a hand must be in quotes", 'write "[🀇🀈🀉]🀀"'),
    ("E124", 1, 4, "a: [1, 2", "this '[' is never closed", None),
    ("E124", 1, 4, "a: {\n\n", "this '{' is never closed", None),
    ("E124", 1, 4, "a: [1, 2\nb: 3\n", "this '[' is never closed", None),
    ("E125", 2, 1, "a: 1\n]", "this ']' closes nothing", None),
    ("E125", 1, 4, "a: }", "this '}' closes nothing", None),
    ("E125", 1, 6, "a: [1}", "'}' does not close '['", None),
    ("E126", 1, 7, "a: [1,,2]", "nothing before this ','", None),
    ("E126", 1, 11, "a: {x: 1 y: 2}", "a ',' is missing before this ':'", None),
    ("E126", 1, 9, "a: ['x' y]", "a ',' is missing before this", None),
    ("E127", 2, 2, "a: 1\n b: 2", "indented further than the line above", None),
    ("E127", 3, 2, "a:\n  b: 1\n c: 2", "fits no line above it", None),
    ("E127", 3, 3, "a: |\n   x\n  y", "fits no line above it", None),
    ("E127", 2, 1, "  a: 1\nb: 2", "fits no line above it", None),
    ("E128", 2, 1, "a: 1\nb\nc: 2", "neither 'name: value' nor a list item", None),
    ("E128", 2, 1, "a: 1\nb", "neither 'name: value' nor a list item", None),
    ("E129", 1, 4, "a: - b", "a list cannot start on the line of its name", None),
    ("E129", 2, 1, "a: 1\n- b", "but the lines above it are 'name: value'", None),
    ("E129", 2, 1, "- a: 1\nb: 2", "not a list item, but the lines above it are", None),
    ("E130", 1, 6, "a: | text", "the text starts on the next line", None),
    ("E130", 1, 5, "a: >#x\n  b", "the text starts on the next line", None),
    ("E130", 1, 5, "a: |0\n  y", "the text starts on the next line", None),
    ("E131", 1, 6, "a: {b:c}", "a space is missing after this ':'", None),
    ("E131", 2, 2, "a: 1\nb:2\nc: 3", "a space is missing after this ':'", None),
]


@pytest.mark.parametrize(
    ("code", "line", "column", "text", "words", "help_text"),
    MISTAKES,
    ids=[f"{m[0]}-{m[3]!r}" for m in MISTAKES],
)
def test_each_mistake_has_its_code_place_and_sentence(
    code: str, line: int, column: int, text: str, words: str, help_text: str | None
) -> None:
    (found,) = mistakes(text)
    assert found.span is not None
    assert (found.code, found.span.line, found.span.column) == (code, line, column)
    assert words in found.message
    assert found.code in TITLES
    if help_text is None:
        assert found.help is None
    else:
        assert help_text in (found.help or "")


JARGON = re.compile(
    r"token|scalar|flow|block|<|stream|Error|node|\\u|mapping values", re.IGNORECASE
)


@pytest.mark.parametrize("text", [m[3] for m in MISTAKES])
def test_sentences_are_plain(text: str) -> None:
    for found in mistakes(text):
        unquoted = re.sub(r"'[^']*'", "", found.message)
        assert not JARGON.search(unquoted)
        assert not found.message.endswith(".")
        assert "\n" not in render_line(found)


def test_every_code_of_this_module_is_produced() -> None:
    elsewhere = {"E101", "E102", "E103", "E104", "E107", "E108", "E199"}
    of_yaml = {code for code in TITLES if code < "E140"} | {"E199"}
    assert {m[0] for m in MISTAKES} | elsewhere == of_yaml


def test_a_duplicate_shows_the_first_one() -> None:
    (found,) = mistakes("a: 1\nb:\n  a: 2\na: 3\n")
    assert found.span == Span("h.yaml", 4, 1, 4, 2)
    assert [label.span for label in found.labels] == [Span("h.yaml", 1, 1, 1, 2)]


def test_a_quote_closed_too_late_shows_where_it_opened() -> None:
    (found,) = mistakes('a: "x\nb: "y"\n')
    assert found.code == "E122"
    assert [label.span for label in found.labels] == [Span("h.yaml", 1, 4, 1, 5)]


def test_one_run_finds_all_that_are_independent() -> None:
    text = (
        "a: &x 1\n"
        "a: *x\n"
        "b: !t {c: 1, c: 2}\n"
        "<<: {}\n"
        "3: 12345678901234567\n"
        "d: \u0007\n"
        "a: 2\n"
        "e: @\n"
        "f: *y\n"
    )
    assert [(d.code, d.span.line if d.span else 0) for d in mistakes(text)] == [
        ("E111", 1),
        ("E109", 2),
        ("E112", 2),
        ("E113", 3),
        ("E109", 3),
        ("E114", 4),
        ("E110", 5),
        ("E115", 5),
        ("E104", 6),
        ("E109", 7),
        ("E118", 8),
    ]


def test_every_indenting_tab_is_found_and_nothing_else() -> None:
    found = mistakes("a:\n\tb: 1\n\tc: 2\n  d: 3\n")
    assert [(d.code, d.span.line if d.span else 0) for d in found] == [("E117", 2), ("E117", 3)]


def test_tabs_are_free_in_quotes_comments_and_block_text() -> None:
    text = "a: 'x\ty'  #\tz\nb: \"x\ty\n\tz\"\nc: |\n  x\ty\t\n# d\te\n"
    assert scalar(text).text == "x\ty"
    assert scalar(text, "b").text == "x\ty z"
    assert scalar(text, "c").text == "x\ty\t\n"


@pytest.mark.parametrize("char", ["\0", "\x07", "\x1b", "\x85", "\u2028", "\u202e", "\ufeff"])
def test_invisible_characters_are_refused_raw_and_escaped(char: str) -> None:
    (raw,) = mistakes(f"a: x{char}y{char}\n")
    assert (raw.code, raw.span) == ("E104", Span("h.yaml", 1, 5, 1, 6))
    assert f"U+{ord(char):04X}" in raw.message
    assert "2 times" in raw.message
    (escaped,) = mistakes(f'a: "x\\u{ord(char):04x}y"\n')
    assert (escaped.code, escaped.span) == ("E104", Span("h.yaml", 1, 6, 1, 12))


def test_half_a_character_is_refused() -> None:
    assert [d.code for d in mistakes("a: \ud83c\n")] == ["E104"]


# ---- limits and attacks -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" * 100_000, "E108"),
        ("[\n" * 100_000, "E108"),
        ("{a: " * 100_000, "E108"),
        ("- " * 100_000, "E108"),
        ("a: b\n" * (1024 * 1024), "E102"),
        ("萬" * (MAX_BYTES // 3 + 1), "E102"),
        ("a: " + "9" * 1_000_000, "E115"),
        ("a: 0x" + "f" * 1_000_000, "E115"),
        ("a: 0." + "1" * 1_000_000, "E115"),
        ("a: 1e999999999999", "E115"),
        ('a: "' + "x" * 1_000_000, "E120"),
        ('a: "' + r"\x07" * 100_000 + '"', "E104"),
        ("a: ]" + "[1m" * 300_000, "E125"),
        (": " * 500_000, "E110"),
        ("\0" * 1_000_000, "E104"),
    ],
    ids=lambda value: value if len(value) < 5 else None,
)
def test_attacks_end_quickly_with_one_clear_error(text: str, code: str) -> None:
    started = time.perf_counter()
    (found,) = mistakes(text)
    assert found.code == code
    assert len(render_line(found)) < 200
    assert time.perf_counter() - started < 10


def test_an_alias_bomb_is_refused_at_each_alias() -> None:
    text = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n"
        for old, new in zip("abcdef", "bcdefg", strict=True)
    )
    assert len(text) < 258
    started = time.perf_counter()
    codes = [d.code for d in mistakes(text)]
    assert codes.count("E111") == 7
    assert codes.count("E112") == 6 * 9
    assert len(codes) == 61
    assert time.perf_counter() - started < 2


def test_depth_up_to_the_limit_is_read() -> None:
    assert scalar("a: 1\nb: " + "[" * 31 + "]" * 31).value == 1
    (found,) = mistakes("a: 1\nb: " + "[" * 32 + "]" * 32)
    assert (found.code, found.span) == ("E108", Span("h.yaml", 2, 35, 2, 36))


def test_values_up_to_the_limit_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_NODES == 100_000
    monkeypatch.setattr(source, "MAX_NODES", 4)
    assert read_yaml("[a, b, c]", "h.yaml").span.end_column == 10
    (found,) = mistakes("[a, b,\n c, d]")
    assert (found.code, found.span) == ("E107", Span("h.yaml", 2, 5, 2, 6))
    assert "at most 4 values" in found.message


def test_a_large_ruleset_is_read_quickly() -> None:
    rule = (
        "  rule_{}:\n    name: {{en: Mixed One-Suit, zh-Hant: 混一色}}\n    points: 40\n"
        "    when: count suits = 1 and some tile is honor\n    hits:\n"
        '      - "123m456m789m22z[555z]+5z"\n'
    )
    text = "patterns:\n" + "".join(rule.format(i) for i in range(250))
    assert text.count("\n") == 1501
    started = time.perf_counter()
    root = read_yaml(text, "h.yaml")
    elapsed = time.perf_counter() - started
    assert isinstance(root, MappingNode)
    patterns = root.get("patterns")
    assert isinstance(patterns, MappingNode)
    assert len(patterns.entries) == 250
    if source._LOADER is not yaml.Loader:
        assert elapsed < 0.5


# ---- files --------------------------------------------------------------------------------------


def file_mistake(path: Path) -> Diagnostic:
    with pytest.raises(RulesetError) as caught:
        read_yaml_file(path)
    (found,) = caught.value.diagnostics
    assert found.span is not None
    assert found.span.path == str(path)
    assert str(path) in str(caught.value)
    return found


@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_a_utf8_file_is_read_with_or_without_bom(tmp_path: Path, bom: bytes) -> None:
    path = tmp_path / "h.yaml"
    path.write_bytes(bom + "名: 混一色\r\n".encode())
    root, text = read_yaml_file(path)
    assert text == "名: 混一色\r\n"
    assert isinstance(root, MappingNode)
    value = root.get("名")
    assert value is not None
    assert value.span == Span(str(path), 1, 4, 1, 7)


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        ("a: 混".encode("utf-16"), (1, 1), "UTF-16 or UTF-32"),
        ("a: 混".encode("utf-16-le"), (1, 1), "UTF-16 or UTF-32"),
        ("a: 混".encode("utf-32"), (1, 1), "UTF-16 or UTF-32"),
        (b"x: 1\na: " + "混".encode("gb18030"), (2, 4), "not UTF-8"),
        ("混: ".encode() + "混".encode("big5"), (1, 4), "not UTF-8"),
        (b"a: \xed\xa0\x80", (1, 4), "not UTF-8"),
    ],
)
def test_another_encoding_is_one_clear_error(
    tmp_path: Path, data: bytes, place: tuple[int, int], words: str
) -> None:
    path = tmp_path / "h.yaml"
    path.write_bytes(data)
    found = file_mistake(path)
    assert found.code == "E103"
    assert words in found.message
    assert "save it as UTF-8" in found.message
    assert found.span is not None
    assert (found.span.line, found.span.column) == place


def test_a_file_that_cannot_be_read_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = file_mistake(tmp_path / "none.yaml")
    assert (missing.code, missing.message) == ("E101", "there is no such file")
    folder = file_mistake(tmp_path)
    assert (folder.code, folder.message) == ("E101", "this is a folder, not a file")
    os.mkfifo(tmp_path / "pipe.yaml")
    pipe = file_mistake(tmp_path / "pipe.yaml")
    assert (pipe.code, pipe.message) == ("E101", "this is a pipe, not a file")

    def refuse(*_: object) -> object:
        raise PermissionError

    (tmp_path / "h.yaml").write_bytes(b"a: 1\n")
    monkeypatch.setattr("builtins.open", refuse)
    locked = file_mistake(tmp_path / "h.yaml")
    assert (locked.code, locked.message) == (
        "E101",
        "this file may not be read: permission denied",
    )


def test_a_file_over_the_limit_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "h.yaml"
    with path.open("wb") as file:
        file.truncate(5 * 1024 * 1024)
    found = file_mistake(path)
    assert (found.code, found.message) == ("E102", "the file is larger than 1024 KiB")
    path.write_bytes(b"\xef\xbb\xbfa: 1\n" + b"#" * (MAX_BYTES - 5))
    assert read_yaml_file(path)[0].span.end_column == 5


# ---- anything at all ----------------------------------------------------------------------------

TOKENS = (
    """a:b: :c::- :|:|-:>:>+:":':[:]:{:}:,:#: # x:x :萬:🀄:1:''::?:? :!x :&a :*a :%:@:`:---:..."""
)
SOUP = st.lists(
    st.sampled_from(
        [
            *TOKENS.split(":"),
            *("\n", "\n  ", "\n    ", "\r\n", " ", ":", ": ", "\t", "\\\n", "\\n", "\\x41", "\\"),
            *("~", "<<", "123m", "[789s]", "\ufeff", "\0", "\ud800", "\x85"),
        ]
    ),
    max_size=16,
).map("".join)


def outcome(text: str, loader: object) -> Node | RulesetError:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "_LOADER", loader)
        try:
            return read_yaml(text, "h.yaml")
        except RulesetError as error:
            return error


@settings(max_examples=300, deadline=None)
@given(SOUP)
def test_any_text_is_a_value_or_clear_errors(text: str) -> None:
    for loader in LOADERS.values():
        result = outcome(text, loader)
        if isinstance(result, RulesetError):
            assert result.diagnostics
            assert all(d.code in TITLES and d.span is not None for d in result.diagnostics)
            assert str(result)
        else:
            assert all(n.locate(0, len(n.text)).path == "h.yaml" for n in scalars(result))


@settings(max_examples=300, deadline=None)
@given(SOUP.filter(lambda text: "?" not in text))
def test_both_parsers_read_the_same_values(text: str) -> None:
    # (PyYAML's Python parser alone refuses '?' inside brackets.)
    results = [outcome(text, loader) for loader in LOADERS.values()]
    if not any(isinstance(result, RulesetError) for result in results):
        assert results[0] == results[1]
    else:
        assert all(isinstance(result, RulesetError) for result in results)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("p: {points: 3, when: min(count kongs, 2) > 1}", 37),
        ("p: {when: has sequence rx, sequence ry, sequence rw, points: 3}", 26),
        ("p: {when: max(1 , 2, 3) > count kongs , points: 3}", 17),
        ("p: {pays: min(points, standard)}", 21),
        ("p: {name: 萬萬, 萬 萬, code: x}", 13),
    ],
)
def test_a_text_that_is_cut_at_a_comma(line: str, column: int) -> None:
    (found,) = mistakes(line)
    assert (found.code, found.span and found.span.column) == ("E126", column)
    assert found.message == "a text with ',' in it needs quotes inside { }"


@pytest.mark.parametrize("line", ["p: {a: b, c}", "p: {a: b, c d: }", "p: {a: 3, c d}"])
def test_what_is_not_cut_at_a_comma(line: str) -> None:
    assert isinstance(read_yaml(line, "a.yaml"), MappingNode)
