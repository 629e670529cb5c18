"""Changes to sentences: each a slip of the pen, each a sentence of its own."""

from __future__ import annotations

import pytest

from ruleengine.language.syntax import SentenceError, parse
from ruleengine.testing.mutate import changes


def texts(sentence: str) -> list[str]:
    return [
        " ".join(change.text.split()) for change in changes(parse(sentence, "sentence"), sentence)
    ]


@pytest.mark.parametrize(
    ("sentence", "wanted"),
    [
        ("count kongs = 2", {"count kongs = 3", "count kongs = 1", "count kongs >= 2",
                             "count kongs <= 2", "count kongs != 2", "count triplets = 2",
                             "count concealed kongs = 2", "count claimed kongs = 2"}),
        ("not win by robbing_kong", {"win by robbing_kong", "not win by discard"}),
        ("pair is dragon", {"pair is not dragon", "pair is wind", "pair is honor"}),
        ("points + 1", {"points - 1", "points + 2", "points + 0"}),
        ("min(points, 25)", {"max(points, 25)", "min(points, 26)", "min(points, 24)"}),
        ("hand before win is 123x", {"hand is 123x", "hand before win includes 123x"}),
        ("true", {"false"}),
        ("seat is E", {"seat is not E", "seat is S"}),
    ],
)  # fmt: skip
def test_every_change_of_a_sentence(sentence: str, wanted: set[str]) -> None:
    assert set(texts(sentence)) == wanted


SOME = {
    "a and b and c": ["b and c", "a and c", "a and b", "(a) or (b and c)", "(a and b) or (c)"],
    "a or (b and c)": ["(b and c)", "a", "a or (c)", "a or (b)", "a or ((b) or (c))"],
    "all tiles are terminal | honor": [
        "all tiles are honor",
        "all tiles are terminal",
        "some tile is terminal | honor",
        "all tiles are not terminal | honor",
    ],
    "every group has terminal": ["some group has terminal", "all groups are terminal"],
    "no claimed set is sequence": [
        "no set is sequence",
        "all claimed sets are sequence",
        "no concealed set is sequence",
    ],
    "has sequence rx, pair r+1y": [
        "has pair r+1y",
        "has sequence rx",
        "has sequence rx, pair ry",
        "has triplet rx, pair r+1y",
        "has sequence rx, pair r+2y",
        "has sequence ry, pair r+1y",
    ],
    "has sequence 1x, sequence 7x": [
        "has sequence 2x, sequence 7x",
        "has sequence 1x, sequence 6x",
    ],
    "if dealer then 2 else 1": ["(2)", "(1)", "if dealer then 3 else 1"],
    "(points + 1) * 2": ["(points + 1) + 2", "(points - 1) * 2"],
}


@pytest.mark.parametrize(("sentence", "wanted"), SOME.items())
def test_some_changes_of_a_sentence(sentence: str, wanted: list[str]) -> None:
    found = texts(sentence)
    assert [one for one in wanted if one not in found] == []
    assert len(found) == len(set(found))
    assert sentence not in found


@pytest.mark.parametrize(
    "sentence",
    [
        "count suits = 1 and (some tile is honor or no set is claimed)",
        "3 * points - 2 * min(points, standard)",
        "no_meld and not last_tile and (dealer and win by self_draw or win by discard)",
        "all tiles are (terminal | honor) & ~dragon and not (a or b)",
        "round_up(points, 10) + (if dealer then 1 else 0)",
    ],
)
def test_changes_can_be_parsed_and_say_where_they_are(sentence: str) -> None:
    for change in changes(parse(sentence, "sentence"), sentence):
        assert sentence[change.start : change.end] == change.before
        made = sentence[: change.start] + change.after + sentence[change.end :]
        assert made == change.text
        try:
            parse(change.text, "sentence")
        except SentenceError as error:
            pytest.fail(f"{change.text}: {error.problem.message}")
