"""Who pays whom: the worked figures, and what holds for every hand."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruleengine
from ruleengine.rules import Rules
from ruleengine.tiles import SEATS
from tests.random_hands import random_win
from tests.ruleset.small import load, ruleset

RULES = ruleengine.load("zhongyong-3.3")
SEVENTY = "223344m667788p1s+1s"
FORTY = "234m23p99s[678p][234s]+4p"
THIRTY = "44p99s[222m][666s][888p]+4p"
FIVE = "23m234m678p33s[678s]+1m"
CHICKEN = "44p99s[222m][666s][789p]+4p"
CAPPED = "111z666p44s99m888s+4s"
"""With the blessing of heaven 325, capped at 320."""

TABLES = list(permutations(SEATS, 2))
"""Winner and discarder, every way round."""


def pays(hand: str, rules: Rules = RULES, **how: str | None) -> dict[str, int]:
    """What each loser pays."""
    result = rules.score(hand, **how)  # type: ignore[arg-type]
    payments = result.payments
    assert payments is not None
    assert sum(payments.values()) == 0
    assert list(payments) == list(SEATS)
    return {seat: -amount for seat, amount in payments.items() if seat != result.situation.seat}


@pytest.mark.parametrize(
    ("hand", "points", "others", "discarder"),
    [
        # Above 25 the others pay 25 each, the discarder 3 x points - 50.
        (SEVENTY, 70, 25, 160),
        (FORTY, 40, 25, 70),
        (THIRTY, 30, 25, 40),
        # Up to 25 everybody pays the points.
        ("23m234m678p678s33s+4m", 25, 25, 25),
        (FIVE, 5, 5, 5),
        (CHICKEN, 1, 1, 1),
        # A limit pattern: 480 from three players is 1440 in all.
        ("1112345678999m+5m", 480, 25, 1390),
    ],
)
def test_a_win_on_a_discard(hand: str, points: int, others: int, discarder: int) -> None:
    for winner, giver in TABLES:
        assert RULES.score(hand, by="discard", seat=winner, from_=giver).points == points
        expected = {seat: others for seat in SEATS if seat not in (winner, giver)}
        found = pays(hand, by="discard", seat=winner, from_=giver)
        assert found == {**expected, giver: discarder}


@pytest.mark.parametrize(("hand", "points"), [(SEVENTY, 70), (FORTY, 40), (THIRTY, 30), (FIVE, 5)])
def test_on_a_self_draw_each_pays_the_points(hand: str, points: int) -> None:
    for winner in SEATS:
        found = pays(hand, by="self_draw", seat=winner)
        assert found == {seat: points for seat in SEATS if seat != winner}


def test_the_duty_may_move() -> None:
    moved = pays(SEVENTY, by="discard", seat="S", from_="W", liable="N")
    assert moved == {"E": 25, "W": 25, "N": 160}
    stays = pays(SEVENTY, by="discard", seat="S", from_="W", liable="W")
    assert stays == pays(SEVENTY, by="discard", seat="S", from_="W")


def test_nobody_may_be_liable() -> None:
    assert pays(SEVENTY, by="discard", seat="S", from_="W", liable="none") == {
        "E": 70,
        "W": 70,
        "N": 70,
    }


def test_a_robbed_kong_is_paid_like_a_discard() -> None:
    # All sequences 5 and robbing a kong 10; then thirteen terminals 160 and 10.
    assert pays("23m678p345s99s[678m]+4m", by="robbing_kong", seat="N", from_="E") == {
        "E": 15,
        "S": 15,
        "W": 15,
    }
    robbed = pays("19m19p19s1234566z+7z", by="robbing_kong", seat="W", from_="S")
    assert robbed == {"E": 25, "S": 460, "N": 25}


def test_the_standard_score_is_an_option() -> None:
    for standard, others, discarder in ((0, 0, 210), (30, 30, 150), (70, 70, 70), (1000, 70, 70)):
        rules = RULES.with_options({"standard": standard})
        found = pays(SEVENTY, rules, by="discard", seat="S", from_="W")
        assert found == {"E": others, "W": discarder, "N": others}


def test_the_cap_bounds_what_is_paid() -> None:
    result = RULES.score(CAPPED, events=["first_turn"])
    assert (result.points, result.limit) == (320, "cap")
    assert result.payments == {"E": 960, "S": -320, "W": -320, "N": -320}


@pytest.mark.parametrize("liable", [None, "W", "N"])
@pytest.mark.parametrize("by", ["discard", "robbing_kong"])
def test_without_the_discarder_there_are_no_payments(by: str, liable: str | None) -> None:
    result = RULES.score("23m678p345s99s[678m]+4m", by=by, seat="S", liable=liable)
    assert result.win
    assert result.payments is None
    assert result.to_json()["payments"] is None


def test_a_hand_that_does_not_win_is_not_paid() -> None:
    below = RULES.with_options({"minimum": 5}).score(CHICKEN, by="discard", seat="S", from_="W")
    assert (below.win, below.payments) == (False, None)
    nothing = RULES.score("13579m13579p135s+7z")
    assert (nothing.win, nothing.payments) == (False, None)


# ---- what holds for every hand ------------------------------------------------------------------


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_payments_add_to_nothing_and_the_winner_gets_three_times_the_points(seed: int) -> None:
    win = random_win(RULES, random.Random(seed))
    result = RULES.score_hand(win.hand, win.situation)
    situation = result.situation
    payments = result.payments
    if situation.by != "self_draw" and situation.from_seat is None:
        assert payments is None
        return
    assert payments is not None
    assert sum(payments.values()) == 0
    # Whoever pays it, the winner gets the points of three players: 3 x points - 50 + 25 + 25.
    assert payments[situation.seat] == 3 * result.points
    assert all(payments[seat] <= 0 for seat in SEATS if seat != situation.seat)
    losers = sorted(-payments[seat] for seat in SEATS if seat != situation.seat)
    if situation.by == "self_draw" or situation.liable == "none":
        assert losers == [result.points] * 3
    else:
        assert losers[:2] == [min(result.points, 25)] * 2


# ---- other settlements --------------------------------------------------------------------------


def paid(settlement: str, **how: str | None) -> dict[str, int] | None:
    rules = load(
        ruleset(
            "options: {twice: {type: bool, default: false}}\n"
            "events: {late: {}}\n"
            "liability: {moves: true, nobody: true}\n"
            "patterns: {ten: {points: 10, when: count sequences >= 3}}\n",
            settlement=f"settlement: {{win: [{settlement}]}}\n",
        )
    )
    return rules.score("123m456m789p11s22z+2z", **how).payments  # type: ignore[arg-type]


def test_each_loser_pays_by_the_first_line_that_fits() -> None:
    lines = (
        "{when: payer is dealer, pays: 2 * points}, {when: payer is liable, pays: 100},"
        " {pays: points}"
    )
    found = paid(lines, by="discard", seat="W", from_="S")
    assert found == {"E": -20, "S": -100, "W": 130, "N": -10}
    assert paid(lines, by="discard", seat="W", from_="E") == {
        "E": -20,
        "S": -10,
        "W": 40,
        "N": -10,
    }


def test_who_fits_no_line_pays_nothing() -> None:
    lines = "{when: payer is liable, pays: 3 * points}"
    assert paid(lines, by="discard", seat="E", from_="N") == {"E": 30, "S": 0, "W": 0, "N": -30}
    assert paid(lines, by="discard", seat="E", from_="N", liable="none") == dict.fromkeys(SEATS, 0)


def test_a_dealer_may_win_and_pay_double() -> None:
    lines = "{when: winner is dealer or payer is dealer, pays: 2 * points}, {pays: points}"
    assert paid(lines) == {"E": 60, "S": -20, "W": -20, "N": -20}
    assert paid(lines, seat="S") == {"E": -20, "S": 40, "W": -10, "N": -10}


def test_amounts_may_be_rounded_and_depend_on_the_win() -> None:
    lines = (
        "{when: win by discard and payer is liable, pays: 'round_up(points * 3, 100)'},"
        " {when: round is S, pays: points + 1}, {pays: 0}"
    )
    found = paid(lines, by="discard", seat="S", from_="N", round="S")
    assert found == {"E": -11, "S": 122, "W": -11, "N": -100}
