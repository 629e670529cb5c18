"""Conditions read out in words: every node of the language, in every language."""

from __future__ import annotations

import string
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ruleengine.language import meaning as m
from ruleengine.language import tree
from ruleengine.language.phrases import LANGUAGES, NUMERALS, PHRASES
from ruleengine.language.vocabulary import (
    FACTS,
    ROLES,
    SITUATION_CLASSES,
    SUBJECT_CONTEXTS,
    WAITS,
    WAYS,
)
from ruleengine.language.words import Called, Speaker, marked, pieces, plain
from ruleengine.ruleset import model
from ruleengine.tiles import CLASSES, SEATS
from tests.language.names import meaning_of
from tests.language.sentences import Known, numbers, truths

CALLED = Called(
    options={"minimum": "Minimum", "open_win": "Open win"},
    values={"minimum": 5, "open_win": True},
    events={"last_tile": "Last tile"},
    shapes={"basic": "Four sets and a pair", "seven_pairs": "Seven pairs"},
    patterns={"all_triplets": "All Triplets"},
)
KNOWN = Known(
    truths=("last_tile", "open_win", "all_triplets", "plain"),
    numbers=("minimum", "kong_points"),
    classes=("value",),
    shapes=("basic", "seven_pairs", "orphans"),
)


def said(text: str, language: str = "en", context: str = "pattern") -> str:
    meaning = meaning_of(text, context)  # type: ignore[arg-type]
    return plain(Speaker(language, CALLED).sentence(meaning))


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("count sequences = 4", "the hand has exactly four sequences"),
        (
            "shape is basic and no set is claimed",
            "the hand is read as “Four sets and a pair”, and no set is claimed",
        ),
        ("all tiles are simple", "every tile is a simple (2 to 8)"),
        ("count suits = 1", "the hand has exactly one suit"),
        (
            "hand before win is 1112345678999x",
            "before the win the tiles in hand, melds aside, are exactly 1112345678999 in one suit",
        ),
        ("count kongs >= 1", "the hand has at least one kong"),
        ("count kongs > 0", "the hand has at least one kong"),
        ("count kongs = 0", "the hand has no kongs"),
        ("3 <= count pairs", "the hand has at least three pairs"),
        (
            "count triplets of dragon = 2 and pair is dragon",
            "the hand has exactly two triplets of dragons, and the one pair is of dragons",
        ),
        ("has sequence A, sequence A", "the hand has two identical sequences"),
        (
            "has sequence A, sequence A, sequence B, sequence B",
            "the hand has two identical sequences and two identical sequences of other tiles",
        ),
        (
            "has sequence rx, sequence ry, sequence rw",
            "the hand has three sequences of the same ranks in three different suits",
        ),
        (
            "has triplet rx, triplet ry, pair rw",
            "the hand has two triplets and a pair of the same rank in three different suits",
        ),
        (
            "has sequence 1x, sequence 4y, sequence 7w",
            "the hand has the sequences 123, 456 and 789 in three different suits",
        ),
        (
            "has triplet rx, triplet r+2x",
            "the hand has two triplets, each two ranks higher than the one before, in one suit",
        ),
        (
            "has triplet dragon, triplet dragon, pair 1z",
            "the hand has two triplets of dragons and a pair of 1z",
        ),
        (
            "has triplet rx, triplet qx",
            "the hand has a triplet at rx and a triplet at qx (r, q: ranks; x, y, w: suits; "
            "capitals: tiles; other letters are other ones, and a sequence stands at its lowest "
            "tile)",
        ),
        (
            "every group has terminal | honor",
            "every set or pair has a terminal or an honor",
        ),
        ("no tile is ~honor", "no tile is a suited tile"),
        ("all tiles are ~(5m | dragon)", "no tile is one of 5m567z"),
        ("some tile is 23468s | 6z", "some tile is one of 23468s6z"),
        ("some tile is dots & terminal", "some tile is a tile that is at once a dot tile and "
         "a terminal"),
        ("not (count kongs = 1 or dealer)", "the hand does not have exactly one kong, and the "
         "winner is not East"),
        ("not all sets are claimed", "some set is not claimed"),
        ("not no set is claimed", "some set is claimed"),
        (
            "win by discard and (last_tile or count kongs = 2)",
            "the win is on a discard, and (“Last tile” applies, or the hand has exactly two kongs)",
        ),
        ("plain or all_triplets", "the hand has exactly four sequences, or the hand has "
         "“All Triplets”"),
        ("open_win", "the option “Open win” is on"),
        ("not open_win", "the option “Open win” is off"),
        ("if dealer then 3 else 2", "3 if the winner is East, otherwise 2"),
        ("2 * (minimum + 1) - 3", "2 × (“Minimum” (5) + 1) − 3"),
        ("1 - (2 - 3)", "1 − (2 − 3)"),
        ("round_up(count kongs, 10)", "the number of kongs rounded up to a multiple of 10"),
        ("min(1, 2, 3)", "the smallest of 1, 2 and 3"),
        ("wait is edge | closed", "the wait was an edge wait (12 for 3, or 89 for 7) or "
         "a closed wait"),
        ("seat is S | W", "the winner sits South or West"),
        ("some group is not (claimed | pair)", "some set or pair is not claimed and is not a pair"),
        ("count quads of dots = 2", "the hand has exactly two kinds with all four copies among "
         "dots"),
    ],
)  # fmt: skip
def test_english(sentence: str, words: str) -> None:
    assert said(sentence) == words


@pytest.mark.parametrize(
    ("sentence", "chinese", "japanese"),
    [
        ("count sequences = 4", "恰有四組順子", "順子がちょうど四組ある"),
        ("count concealed triplets = 2", "恰有兩組暗刻", "暗刻がちょうど二組ある"),
        ("all tiles are honor", "每張牌都是字牌", "どの牌も字牌である"),
        ("no set is claimed", "沒有面子是副露的", "副露である面子がない"),
        ("win by robbing_kong", "搶槓", "槍槓による和了である"),
        (
            "has sequence 1x, sequence 4x, sequence 7x",
            "手中有同一花色的123、456與789順子",
            "同じ色の123、456と789の順子がある",
        ),
        (
            "has sequence A, sequence A, sequence B",
            "手中有兩組相同的順子與另外一組順子（與前者不同）",
            "同じ順子二組とそれとは別の順子一組がある",
        ),
    ],
)
def test_chinese_and_japanese(sentence: str, chinese: str, japanese: str) -> None:
    assert said(sentence, "zh-Hant") == chinese
    assert said(sentence, "ja") == japanese


def test_payments() -> None:
    text = "3 * points - 2 * min(points, minimum)"
    assert said(text, "en", "win") == (
        "3 × the hand's points − 2 × the smaller of the hand's points and “Minimum” (5)"
    )
    assert said("no seat is liable", "en", "win") == "no seat is liable"
    assert said("no seat is liable", "zh-Hant", "win") == "沒有一家負出銃之責"
    assert said("payer is not ready and payee is ready", "en", "exhausted") == (
        "the payer is not ready, and the payee is ready"
    )


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("count triplets of value", "once for each triplet of dragons or the seat wind"),
        ("count flowers of 1234f", "once for each tile among 1234f"),
        ("count flowers", "once for each flower"),
        ("dora", "once for each dora tile"),
        ("count kongs + 1", "as often as this number says: the number of kongs + 1"),
    ],
)
def test_how_often_a_pattern_counts(sentence: str, words: str) -> None:
    assert plain(Speaker("en").times(meaning_of(sentence))) == words


# ---- nothing is missing ----------------------------------------------------------------------

EVERY_NODE = (
    "true", "open_win", "dealer", "last_tile", "plain", "all_triplets", "dealer and last_tile",
    "dealer or last_tile", "not dealer", "if dealer then last_tile else false", "dora = 1",
    "dora + 1 = 2", "max(dora, 1) = 2", "count sets = 2", "count kinds = 2", "count suits = 2",
    "count waits = 1", "sum ranks of dots >= 100", "all sets are concealed", "all tiles are even",
    "shape is orphans", "win by discard", "pair is not honor", "winning_tile is 5z",
    "winning_group is sequence", "wait is single", "round is S", "has pair A", "hand includes 19m",
)  # fmt: skip
PAYMENT_NODES = ("some seat is dealer", "payer is liable")


def _nodes(meaning: m.Meaning) -> set[str]:
    found = {type(meaning).__name__}
    for part in m.children(meaning):
        found |= _nodes(part)
    return found


def test_the_sentences_here_have_every_node_of_the_language() -> None:
    seen: set[str] = set()
    for text in EVERY_NODE:
        seen |= _nodes(meaning_of(text))
    for text in PAYMENT_NODES:
        seen |= _nodes(meaning_of(text, "win"))
    assert seen == {node.__name__ for node in m.Meaning.__subclasses__()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", [*EVERY_NODE, *PAYMENT_NODES])
def test_every_node_has_words_and_its_contrary_has_others(text: str, language: str) -> None:
    meaning = meaning_of(text, "win" if text in PAYMENT_NODES else "pattern")
    speaker = Speaker(language, CALLED)
    words = speaker.truth(meaning)
    assert words
    assert "{" not in words
    assert words != speaker.truth(meaning, yes=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_the_vocabulary_has_words(language: str) -> None:
    speaker = Speaker(language)
    for name in (*CLASSES, *SITUATION_CLASSES):
        for ending in ("one", "many"):
            assert speaker.say(f"{name}_{ending}")
    for key in (
        *(f"fact_{name}" for name in FACTS),
        *(f"way_{name}" for name in WAYS),
        *(f"wait_{name}" for name in WAITS),
        *(f"role_{name}" for name in ROLES),
        *(f"subject_{name}" for name in SUBJECT_CONTEXTS),
        *(f"wind_{seat}" for seat in SEATS),
        *(f"{q}_{of}" for q in get_args(tree.Quantifier) for of in ("tile", "flower", "seat")),
        *(f"{status}_{kind}" for status in get_args(tree.Status) for kind in ("set", "group")),
    ):
        assert speaker.say(key, "x", one="x"), key


def test_the_tables_are_whole() -> None:
    assert LANGUAGES == model.LANGUAGES
    assert set(NUMERALS) == set(LANGUAGES)
    for key, phrases in PHRASES.items():
        assert len(phrases) == len(LANGUAGES)
        places = [
            sorted(name for _, name, _, _ in string.Formatter().parse(one) if name is not None)
            for one in phrases
        ]
        # English has no measure words, and the other three no plural of ranks.
        optional = {"measure", "ranks", "n"}
        assert len({tuple(p for p in place if p not in optional) for place in places}) == 1 or (
            key.startswith(("concealed_", "claimed_"))
        ), key
        assert places[1] == places[2], key


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sentence=truths(KNOWN), language=st.sampled_from(LANGUAGES))
def test_any_truth_can_be_said(sentence: str, language: str) -> None:
    meaning = meaning_of(sentence)
    speaker = Speaker(language, CALLED)
    for yes in (True, False):
        words = speaker.truth(meaning, yes)
        assert words.strip()
        assert words.count("(") == words.count(")")
        assert words.count("（") == words.count("）")


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sentence=numbers(KNOWN), language=st.sampled_from(LANGUAGES))
def test_any_number_can_be_said(sentence: str, language: str) -> None:
    speaker = Speaker(language, CALLED)
    meaning = meaning_of(sentence)
    assert speaker.number(meaning).strip()
    assert speaker.times(meaning).strip()


# ---- tiles in words ----------------------------------------------------------------------------


def test_tiles_are_marked_and_names_cannot_be() -> None:
    words = Speaker("en").sentence(meaning_of("some tile is 5z"))
    assert pieces(words) == [(False, "some tile is "), (True, "5z")]
    hostile = Called(events={"last_tile": f"x{marked([0])}y"})
    words = Speaker("en", hostile).sentence(meaning_of("last_tile"))
    assert pieces(words) == [(False, "“x1my” applies")]


def test_a_name_that_is_missing_is_the_id() -> None:
    assert plain(Speaker("en").sentence(meaning_of("last_tile"))) == "“last_tile” applies"
    with pytest.raises(ValueError, match="not in tuple"):
        Speaker("fr").sentence(meaning_of("last_tile"))
