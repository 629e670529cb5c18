"""What is offered in a sentence, tried on the beginnings of every sentence of the shipped rulesets:
the word that stands there is among the offers, and a sentence can go on after each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ruleengine import load
from ruleengine.data import data_folder
from ruleengine.language.check import check_sentence
from ruleengine.language.following import Following, Work, lexed
from ruleengine.language.meaning import Type
from ruleengine.language.syntax import MAX_DEPTH, parse
from ruleengine.lsp.names import KnownNames
from ruleengine.lsp.sentences import Home, alike, candidates, sentence_home, words_after
from ruleengine.ruleset.model import RulesetData
from ruleengine.testing.sentences import homes

RULESETS = sorted(path.stem for path in data_folder("rulesets").glob("*.yaml"))
WRITTEN_OUT = ("TILES", "RANKED", "NUMBER")
"""What is written, not chosen: no word stands for it, nor for the letters of a template."""


def beginnings(data: RulesetData) -> Iterator[tuple[Home, tuple[str, ...], str, str, str]]:
    """Each place of a word in the sentences of a ruleset: where the sentence stands, what is before
    the word, and the word; equal ones once."""
    seen = set()
    for home in homes(data):
        *path, key = (part for part in home.path if not part.isdigit())
        place = sentence_home(tuple(path), key, data)
        assert place is not None
        text = home.sentence.text
        for token in lexed(text):
            before = text[: token.start_pos]
            one = (place, " ".join(before.split()), str(token))
            free = token.type in WRITTEN_OUT or (token.type == "LETTER" and "has " in before)
            if token[0].isalpha() and not free and one not in seen:
                seen.add(one)
                yield place, tuple(path), key, before, str(token)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_next_word_of_a_sentence_is_offered(ruleset: str) -> None:
    data = load(ruleset).data
    tried = 0
    for number, (place, path, key, before, word) in enumerate(beginnings(data)):
        if number % 9:
            continue
        offered = {one.word for one in words_after(before, place, path, key, data)}
        assert word in offered, f"{before}¦{word}"
        tried += 1
    assert tried


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_sentence_goes_on_after_each_word_that_is_offered(ruleset: str) -> None:
    data = load(ruleset).data
    names = KnownNames(data)
    seen = set()
    for place, _, _, before, _ in beginnings(data):
        context = place.contexts[0]
        seen.add((before, context, place.expected))
    for before, context, expected in sorted(seen, key=str)[::25]:
        following = Following(before, "sentence", names, context, expected)
        offered = [one.word for one in candidates(following, data, names)]
        for word in following.words({word: word for word in offered}):
            whole = following.whole(word)
            assert whole is not None, f"{before}¦{word}"
            checked = check_sentence(parse(whole), names, context, expected)
            assert checked.problems == (), whole
            assert whole.startswith(f"{before} {word}")


PART = "dealer and count triplets = 4 and (has sequence rx, sequence ry, sequence rw or seat is E) "
LONG = {
    "parts": f"{PART}and " * 3,
    "brackets": "not (dealer and (count triplets = 4 or (has sequence rx, sequence ry and (" * 3,
    "template": "dealer and count triplets = 4 and " * 7 + "has sequence rx, sequence ry, triplet ",
    "sums": "count tiles of honor + " * 12,
}
"""Begun sentences of up to sixty words."""


@pytest.mark.parametrize("before", LONG.values(), ids=LONG)
def test_a_sentence_as_people_write_it_is_judged_in_full(before: str) -> None:
    data = load("zhongyong-3.3").data
    names, work = KnownNames(data), Work()
    following = Following(before, "sentence", names, "pattern", "truth", work)
    assert following.may_go_on
    assert following.words(alike(candidates(following, data, names), names))
    assert not work.spent


ASKED = ("min", "count", "sum", "if", "not", "dealer", "true")
"""Words of every kind that a sentence may begin with, simplest last."""
NUMBERS, SENTENCES = ["min", "count", "sum"], ["min", "count", "sum", "if", "not", "dealer", "true"]
NESTED = {
    "arguments": ("min(min(min(", "number", NUMBERS),
    "arguments after others": ("min(2, max(1, min(", "number", NUMBERS),
    "rounded": ("round_up(min(10, max(2, ", "number", NUMBERS),
    "compared": ("count kongs >= min(2, max(1, min(", "truth", NUMBERS),
    "to be compared": ("min(min(min(", "truth", NUMBERS),
    "what is rounded to": ("min(round_up(count kongs, ", "number", []),
    "too many arguments": ("min(round_up(1, 2, ", "number", []),
    # A call and its arguments are two parts, and 40 may stand inside one another.
    "eight": ("min(" * 8, "number", NUMBERS),
    "eighteen": ("min(" * 18, "number", NUMBERS),
    "nineteen": ("min(" * 19, "number", ["count", "sum"]),
    "twenty": ("min(" * 20, "number", []),
    "nineteen compared": ("min(" * 19, "truth", ["sum"]),
    "compared in brackets": ("(" + "min(" * 19, "truth", ["sum"]),
    "brackets": ("(" * 39, "number", [*NUMBERS, "if"]),
    # One more bracket may not be open.
    "all brackets": ("(" * 40, "number", ["count", "sum", "if"]),
    # What is counted is a part of its own, and so is the comparison with a number.
    "signs": ("- " * 38, "number", ["count", "sum"]),
    "all signs": ("- " * 39, "number", ["sum"]),
    "nots": ("not " * 38, "truth", ["sum", "not", "dealer", "true"]),
    "branches": ("if count kongs = 1 then 1 else " * 20, "number", [*NUMBERS, "if"]),
    "first branches": ("if count kongs = 1 then " * 20, "truth", SENTENCES),
    "branches of another kind": ("if count kongs = 1 then 1 else " * 20, "truth", []),
    "mixed": ("(if dealer then min(" * 10, "number", NUMBERS),
    "sums": ("1 + " * 480, "number", NUMBERS),
    "classes": (f"count triplets of {'~' * 1500}", "number", []),
}
"""Begun sentences with all that may come next, worked out from the grammar and its bounds."""


@pytest.mark.parametrize(("before", "expected", "there"), NESTED.values(), ids=NESTED)
def test_however_deep_a_word_stands_it_is_judged(
    before: str, expected: Type, there: list[str]
) -> None:
    names, work = KnownNames(load("zhongyong-3.3").data), Work()
    following = Following(before, "sentence", names, "pattern", expected, work)
    lenient = not following.may_go_on
    assert following.words({word: word for word in ASKED}, lenient) == there
    for word in there:
        whole = following.whole(word)
        assert whole is not None
        assert check_sentence(parse(whole), names, "pattern", expected).problems == (), whole
    assert not work.spent


def test_what_is_too_much_to_judge_is_left_to_the_grammar() -> None:
    words = {"triplets": 1, "dealer": 2, "tiles": 3, "seats": 4}
    names = KnownNames(load("zhongyong-3.3").data)
    judged = Following("count ", "sentence", names, "pattern", "truth")
    assert judged.words(words) == ["triplets", "tiles"]
    work = Work(0)
    taken = Following("count ", "sentence", names, "pattern", "truth", work)
    assert taken.may_go_on
    assert taken.words(words) == ["triplets", "tiles", "seats"]
    assert work.left == 0


@pytest.mark.parametrize(
    ("before", "goes_on"),
    [
        ("not " * (MAX_DEPTH - 1), True),
        ("not " * MAX_DEPTH, False),
        ("(" * MAX_DEPTH, True),
        ("(" * (MAX_DEPTH + 1), False),
    ],
)
def test_nothing_goes_on_with_what_is_too_deep_already(before: str, goes_on: bool) -> None:
    following = Following(before, "sentence", KnownNames(None), "pattern", "truth")
    assert following.words({"dealer": 1}) == ["dealer"] * goes_on
    assert following.may_go_on is goes_on
