"""What stands in a rule book, for every shipped ruleset and every language."""

from __future__ import annotations

import pytest

from ruleengine.book.content import build
from ruleengine.book.labels import LABELS, label
from ruleengine.language.words import plain
from ruleengine.loading import load_ruleset
from ruleengine.ruleset.model import LANGUAGES
from tests.book.shipped import BOOKS, book
from tests.ruleset.small import load, ruleset


@pytest.mark.parametrize(("name", "language"), BOOKS)
def test_examples_are_worth_what_the_ruleset_says(name: str, language: str) -> None:
    data = load_ruleset(name).data
    seen = 0
    for entry in book(name, language).entries:
        pattern = data.patterns[entry.id]
        for shown, example in zip(
            (*entry.hits, *entry.misses), (*pattern.hits, *pattern.misses), strict=True
        ):
            assert shown.error == ""
            assert shown.result is not None
            if example.points is not None and shown.result.reason != "not_a_winning_hand":
                assert shown.result.points == example.points
            counted = [one.id for one in shown.result.patterns]
            assert (pattern.id in counted) == (example in pattern.hits)
            tiles = [tile for laid in shown.groups for tile in laid.tiles]
            hand = shown.result.hand
            assert len(tiles) == len(hand.standing) + 1 + len(hand.flowers) + sum(
                len(meld.tiles) for meld in hand.melds
            )
            assert sum(laid.won is not None for laid in shown.groups) == 1
            seen += 1
    assert seen > len(data.patterns)


@pytest.mark.parametrize(("name", "language"), BOOKS)
def test_payments_add_to_nothing(name: str, language: str) -> None:
    made = book(name, language)
    assert made.worked
    for case in [
        *(case for worked in made.worked for case in worked.cases),
        *(case for ending in made.endings for case in ending.cases),
    ]:
        assert sum(case.payments.values()) == 0
        assert len(case.payments) == 4
        assert case.words


def test_zung_jung_pays_by_its_own_rule() -> None:
    """A small hand is paid alike by all; of 100 points bystanders pay 25 and the discarder
    3 x 100 - 2 x 25 = 250; on a self-draw everybody pays the points."""
    cases = {
        (worked.title, case.words): case.payments
        for worked in book("zhongyong-3.3").worked
        for case in worked.cases
    }
    small = cases["A small hand", "South, on a discard from West"]
    assert small == {"E": -5, "S": 15, "W": -5, "N": -5}
    middle = cases["A middling hand", "South, on a discard from West"]
    assert middle == {"E": -25, "S": 300, "W": -250, "N": -25}
    nobody = cases["A middling hand", "South, on a discard from West, nobody is liable"]
    assert nobody == {"E": -100, "S": 300, "W": -100, "N": -100}
    large = cases["A large hand", "South, self-draw"]
    assert large == {"E": -480, "S": 1440, "W": -480, "N": -480}


def test_the_dealer_is_shown_where_he_pays_more() -> None:
    words = [case.words for case in book("simple-1").worked[0].cases]
    assert "South, on a discard from East" in words
    assert "East, self-draw" in words
    assert not any("East, self" in c.words for c in book("zhongyong-3.3").worked[0].cases)
    exhausted = next(ending for ending in book("simple-1").endings if ending.name == "exhausted")
    # Each of the three who are not ready pays 1 to each who is.
    assert exhausted.cases[0].payments == {"E": 3, "S": -1, "W": -1, "N": -1}
    assert exhausted.cases[2].payments == {"E": 1, "S": 1, "W": 1, "N": -3}


def test_the_total_of_zung_jung() -> None:
    said = "\n".join(book("zhongyong-3.3").total)
    assert "No hand is worth more than 320 points" in said
    assert "A pattern worth 320 points or more stands alone" in said
    assert "(Chicken Hand) is worth 1 point." in said
    assert "there is no minimum" in said
    five = "\n".join(book("zhongyong-3.3-min5").total)
    assert "at least 5 points" in five


def test_parts_and_series_follow_the_codes() -> None:
    parts = book("zhongyong-3.3").parts
    assert [part.number for part in parts] == [str(n) for n in range(1, 11)]
    assert [series.number for series in parts[2].series] == ["3.1", "3.2", "3.3", "3.4"]
    assert [entry.code for entry in parts[2].series[1].entries] == ["3.2.1", "3.2.2"]


def test_a_pattern_without_a_text_says_its_condition() -> None:
    rules = load(
        ruleset(
            "patterns:\n"
            "  many: {points: 'if dealer then 3 else 2', when: some tile is 23468s}\n"
            "  each: {points: 2, times: count kongs}\n"
        )
    )
    many, each = build(rules, "en").entries
    assert plain(many.brief.text) == (
        "Some tile is one of 23468s; 3 if the winner is East, otherwise 2"
    )
    assert many.worth == "3/2"
    assert many.code == ""
    assert [(key, plain(reading.words), reading.exact) for key, reading in each.readings] == [
        ("It counts", "once for each kong", "count kongs")
    ]
    assert each.each
    assert build(rules, "en").parts[0].number is None


def test_options_change_the_book() -> None:
    rules = load_ruleset("zhongyong-3.3", options={"minimum": 5})
    made = build(rules, "en")
    assert made.settings == "with Minimum 5"
    chicken = next(
        shown
        for entry in made.entries
        for shown in entry.misses
        if shown.result is not None and not shown.result.patterns
    )
    assert chicken.points == "1 point, below the minimum"


def test_a_miss_says_why_in_the_language_of_the_reader() -> None:
    miss = next(
        entry for entry in book("zhongyong-3.3", "zh-Hant").entries if entry.id == "all_sequences"
    ).misses[0]
    assert plain(miss.reason) == "未符合：恰有四組順子（實有3）"
    assert miss.sum == "門前清 5"
    # What the ruleset says in English would only say it again.
    assert miss.why is None


def test_every_label_is_in_every_language() -> None:
    for key, phrases in LABELS.items():
        assert len(phrases) == len(LANGUAGES)
        assert all(phrases), key
    with pytest.raises(KeyError):
        label("no such label", "en")
