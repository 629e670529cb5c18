"""What is offered in a sentence, tried on the beginnings of every sentence of the shipped rulesets:
the word that stands there is among the offers, and a sentence can go on after each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ruleengine import load
from ruleengine.data import data_folder
from ruleengine.language.check import check_sentence
from ruleengine.language.following import Following, lexed
from ruleengine.language.syntax import parse
from ruleengine.lsp.names import KnownNames
from ruleengine.lsp.sentences import Home, candidates, sentence_home, words_after
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
