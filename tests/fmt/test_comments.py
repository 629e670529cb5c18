"""No comment is ever lost, or moved to another thing."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleengine.diagnostics import RulesetError
from ruleengine.fmt import format_text
from ruleengine.ruleset.find import ruleset_ids


def laid_out(before: str, after: str) -> None:
    assert format_text(before) == after
    assert format_text(after) == after


def refused(text: str) -> list[tuple[str, int, int]]:
    with pytest.raises(RulesetError) as caught:
        format_text(text)
    assert caught.value.sources == {"ruleset": text}
    return [(d.code, d.span.line, d.span.column) for d in caught.value.diagnostics if d.span]


def test_a_comment_goes_where_its_key_goes() -> None:
    laid_out(
        "patterns:\n  a:\n    # first\n    # second\n    when: dealer   # beside\n    points: 1\n",
        "patterns:\n  a:\n    points: 1\n    # first\n    # second\n    when: dealer  # beside\n",
    )


def test_comments_beside_names_dashes_and_brackets() -> None:
    laid_out(
        "terms: # t\n  a: >- # a\n    dealer\nhits:\n- # i\n  x: 1\n- b   # b\n"
        "c: {x: 1} # c\nd:\n  1 # d\n",
        "terms:  # t\n  a: dealer  # a\nhits:\n  -  # i\n    x: 1\n  - b  # b\n"
        "c: {x: 1}  # c\nd: 1  # d\n",
    )


def test_comments_inside_brackets_take_them_apart() -> None:
    laid_out(
        "a: [ # open\n  1, # one\n  # above two\n  2,\n  # end\n]\n",
        "a:  # open\n  - 1  # one\n  # above two\n  - 2\n  # end\n",
    )


def test_the_end_of_a_mapping_is_told_by_the_indentation() -> None:
    laid_out(
        "a:\n    b:\n        c: 1\n        # end of b\n    # end of a\n# above d\nd: 1\n# end\n",
        "a:\n  b:\n    c: 1\n    # end of b\n  # end of a\n# above d\nd: 1\n# end\n",
    )
    laid_out("a:\n  b: 1\n# switched off: 2\n  c: 1\n", "a:\n  b: 1\n  # switched off: 2\n  c: 1\n")
    laid_out("a:\n  b: 1\n      # deep\nc: 1\n", "a:\n  b: 1\n  # deep\nc: 1\n")


def test_comments_that_stand_apart_stay_apart() -> None:
    laid_out(
        "patterns:\n\n\n  # ---- winds ----\n\n\n  # about a\n  a: {points: 1}\n\n  # end\n",
        "patterns:\n  # ---- winds ----\n\n  # about a\n  a: {points: 1}\n\n  # end\n",
    )


def test_comments_about_the_file_stay_on_top() -> None:
    laid_out(
        "# yaml-language-server: $schema=x\n# Licence.\n\nid: a\nformat: 1\n",
        "# yaml-language-server: $schema=x\n# Licence.\n\nformat: 1\nid: a\n",
    )
    laid_out(
        "# yaml-language-server: $schema=x\nid: a\nformat: 1\n",
        "# yaml-language-server: $schema=x\nformat: 1\nid: a\n",
    )
    laid_out("# about\n\n# the format\nformat: 1\n", "# about\n\n# the format\nformat: 1\n")


def test_a_comment_between_a_name_and_its_value_stays_there() -> None:
    laid_out(
        "a:\n      # why\n      1\nb:\n- # x\n  # y\n  2\n",
        "a:\n  # why\n  1\nb:\n  -  # x\n    # y\n    2\n",
    )


def test_spaces_and_tabs_in_comments_stay() -> None:
    laid_out("a: 1 #  two\tthree  \n#\n#!x\n", "a: 1  #  two\tthree\n#\n#!x\n")


def test_a_sign_inside_a_value_is_no_comment() -> None:
    text = "a: x#y\nb: \"x # y\"\nc: |\n  x # y\n  # z\nd: '# z'\n"
    laid_out(text, text.replace("'# z'", '"# z"'))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a:\n    b:\n      c: 1\n   # odd\nd: 1\n", ("E601", 4, 4)),
        ("a:\n  b:\n  - c\n  # whose?\nd: 1\n", ("E601", 4, 3)),
        ("# about id, or the file?\nid: a\nformat: 1\n", ("E601", 1, 1)),
        ("id: a\n# apart\n\nversion: x\nformat: 1\n", ("E601", 2, 1)),
        ("a: { # one\n  b: 1 } # two\n", ("E602", 2, 10)),
        ("a: # one\n  1 # two\n", ("E602", 2, 5)),
        ("a:\n  # one\n  1 # two\n", ("E602", 3, 5)),
        ("? a\n: b\n", ("E602", 1, 1)),
        ("id: a\n? b\n", ("E602", 2, 1)),
        ("- a\n", ("E301", 1, 1)),
        ("a: [\n", ("E124", 1, 4)),
        ("", ("E105", 1, 1)),
    ],
)
def test_what_is_not_certain_is_refused(text: str, place: tuple[str, int, int]) -> None:
    assert refused(text) == [place]


# ---- comments everywhere -----------------------------------------------------------

SAMPLE = """\
# yaml-language-server: $schema=x

format: 1
id: sample
name: {en: Sample, zh-Hant: 樣本 🀄}
version: '1'
source: >-
  A text that is folded
  over two lines.
tiles:
    wall: {"123456789m": 4,
           '1234567z': 4}
terms:
    value:   dragon|seat_wind
    long: >
      dealer and
      no_meld
patterns:
  one:
    when: count   sets=4
    points: 3
    doc: |
      Lines
        of their own

      # this is no comment
    hits:
    - 123m456m789m11z222z+1z
    - {hand: "1m", why: 'it''s'}
    -
      hand: '2m'
      events: [a,
        b]
  two: {times: "min(2,points)", points: 1}
  empty:
settlement:
  win:
  - - nested
    - {pays: 1}
  exhausted: []
"""


def numbered(text: str, places: list[int], rng: random.Random, ends: str) -> str:
    """The text with a comment at each of some places: beside lines and as lines of their own."""
    lines = text.split("\n")[:-1]
    for number, at in enumerate(sorted(places, reverse=True)):
        row = at // 3
        if row >= len(lines):
            continue
        if at % 3 == 0:
            lines[row] += f" # c{number} 麻雀"
        else:
            above = lines[row]
            indent = (len(above) - len(above.lstrip(" "))) if at % 3 == 1 else rng.randrange(10)
            lines.insert(row, " " * indent + f"# c{number} 🀄" + " " * rng.randrange(2))
            if rng.random() < 0.3:
                lines.insert(row + rng.randrange(2), "")
    return ends.join(lines) + ends


def comments(text: str) -> list[tuple[int, int, str]]:
    """Every comment with its line and column, found by the marks of YAML's own tokens."""
    values: list[tuple[int, int]] = []
    for token in yaml.scan(text, Loader=yaml.Loader):
        if isinstance(token, yaml.ScalarToken):
            start, end = token.start_mark.index, token.end_mark.index
            values.append((text.index("\n", start) if token.style in ("|", ">") else start, end))
    found: list[tuple[int, int, str]] = []
    for match in re.finditer(r"(?:^|(?<=[\s,\]}]))#[^\n]*", text, re.M):
        if not any(start <= match.start() < end for start, end in values):
            before = text[: match.start()]
            column = match.start() - before.rfind("\n") - 1
            found.append((before.count("\n"), column, match.group().rstrip()))
    return found


def check(before: str, after: str) -> None:
    """Every comment is still there and stands where it stood, and the file says the same."""
    old, new = comments(before), comments(after)
    assert sorted(text for _, _, text in new) == sorted(text for _, _, text in old)
    assert plain(after) == plain(before)
    keys = neighbours(after, new)
    for comment, key in neighbours(before, old).items():
        assert keys[comment] == key


def plain(text: str) -> Any:
    """What the file says, the spaces of sentences and the order of keys left out."""

    def squeeze(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: squeeze(one) for key, one in value.items()}
        if isinstance(value, list):
            return [squeeze(one) for one in value]
        return re.sub(r"\s", "", value) if isinstance(value, str) else value

    return squeeze(yaml.load(text, Loader=yaml.CBaseLoader))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(0, 3 * 44), max_size=12, unique=True),
    st.randoms(use_true_random=False),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_comments_everywhere(places: list[int], rng: random.Random, ends: str, mark: bool) -> None:
    text = numbered(SAMPLE, places, rng, ends)
    try:
        after = format_text("\ufeff" + text if mark else text)
    except RulesetError as error:
        check_refusal(error, text)
        return
    before = text.replace("\r\n", "\n")
    assert after.endswith(ends)
    after = after.replace("\r\n", "\n")
    check(before, after)
    assert format_text(after) == after


def check_refusal(error: RulesetError, text: str) -> None:
    """Only what cannot be told is refused; a comment may also end a text and break the file."""
    codes = {diagnostic.code for diagnostic in error.diagnostics}
    if codes - {"E601", "E602"}:
        with pytest.raises(yaml.YAMLError):
            yaml.safe_load(text)


def neighbours(text: str, found_in: list[tuple[int, int, str]]) -> dict[str, str]:
    """The key on the line of a comment, or on the line below at the same indentation."""
    found: dict[str, str] = {}
    lines = text.split("\n")
    for row, column, comment in found_in:
        beside = re.match(r"[ -]*(\w+):", lines[row][:column])
        below = (
            re.match(rf" {{{column}}}(?:- )*(\w+):", lines[row + 1])
            if len(lines) > row + 1
            else None
        )
        alone = not lines[row][:column].strip()
        key = below if alone else beside
        if key is not None and not re.search(r"[{\[]", lines[row][:column]):
            found[comment] = key[1]
    return found


@pytest.mark.parametrize("id_", sorted(ruleset_ids()))
def test_comments_everywhere_in_shipped_rulesets(id_: str) -> None:
    text = ruleset_ids()[id_].read_text(encoding="utf-8")
    rng = random.Random(id_)
    count = text.count("\n")
    done = 0
    for _ in range(3):
        places = [3 * row + rng.randrange(2) for row in rng.sample(range(count), min(count, 40))]
        marked = numbered(text, places, rng, "\n")
        try:
            after = format_text(marked)
        except RulesetError as error:
            check_refusal(error, marked)
            continue
        done += 1
        check(marked, after)
    assert done or id_
