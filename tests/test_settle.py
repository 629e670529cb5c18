"""Settlements: the cases of `cases/*/settle.yaml`, and what holds for every one."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ruleengine
from ruleengine.errors import HandError
from ruleengine.rules import Rules
from ruleengine.settle import FIELDS, MOST_CARRIED, settle, settle_table
from ruleengine.source import MappingNode, ScalarNode, SequenceNode, read_yaml_file
from ruleengine.tiles import SEATS
from tests.random_hands import random_win
from tests.ruleset.small import load, ruleset, words

CASES = Path(__file__).parent / "cases"
TWO = "123m456m789p23s55p+4s"
"""2 fan on a discard, 3 self-drawn, one more for the dealer."""
ON_4M = ("23m234m678p33s[678s]+4m", "23m456p789s11p[345s]+4m", "56m345p678p99p[678s]+4m")
"""Hands that win on one 4m at one table."""
NOTHING = dict.fromkeys(SEATS, 0)


@cache
def rules_of(name: str) -> Rules:
    return ruleengine.load(name)


SIMPLE = rules_of("simple-1")
ZUNG_JUNG = rules_of("zhongyong-3.3")


def plain(node: Any) -> Any:
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.items]
    return {key.text: plain(value) for key, value in node.entries}


def cases() -> list[Any]:
    found = []
    for path in sorted(CASES.glob("*/settle.yaml")):
        node, _ = read_yaml_file(path)
        assert isinstance(node, SequenceNode)
        for item in node.items:
            assert isinstance(item, MappingNode)
            name = path.parent.name
            found.append(pytest.param(name, plain(item), id=f"{name}:{item.span.line}"))
    return found


@pytest.mark.parametrize(("name", "case"), cases())
def test_a_case(name: str, case: dict[str, Any]) -> None:
    expected = {key: case.pop(key) for key in ("payments", "stakes_left") if key in case}
    error, why = case.pop("error", None), case.pop("why")
    if error is None:
        assert settle(rules_of(name), case) == expected, why
        return
    assert not expected
    with pytest.raises(HandError) as caught:
        settle(rules_of(name), case)
    assert caught.value.code == error, (why, caught.value.message)


def refused(request: object, rules: Rules = SIMPLE) -> HandError:
    with pytest.raises(HandError) as caught:
        settle(rules, request)
    error = caught.value
    assert len(error.message.splitlines()) == 1
    assert len(error.message) < 250
    return error


# ---- what holds for all ---------------------------------------------------------------------


def table(rng: random.Random, rules: Rules) -> dict[str, Any]:
    """An ending with stakes that can be."""
    staked = [seat for seat in SEATS if rng.random() < 0.4] if rules.data.stakes else []
    request: dict[str, Any] = {"stakes": dict.fromkeys(staked, 1)}
    if rules.data.stakes:
        request["carried"] = rng.randrange(5)
    ending = rng.choice(list(FIELDS))
    request["event"] = ending
    if ending == "exhausted":
        request["ready"] = [seat for seat in SEATS if rng.random() < 0.5]
    elif ending == "wrong_win":
        request["seat"] = rng.choice(SEATS)
    elif ending == "win":
        giver = rng.choice(SEATS)
        winners = rng.sample([seat for seat in SEATS if seat != giver], rng.randint(1, 3))
        # What was discarded before, as all saw it; each winner tells of it from his own last one.
        before = [[seat, "9s"] for seat in rng.sample(winners, len(winners))]
        before.insert(
            rng.randrange(1, 1 + len(before)),
            [rng.choice([seat for seat in SEATS if seat not in winners]), "4m"],
        )
        request["wins"] = [
            {
                "hand": hand,
                "by": "discard",
                "seat": seat,
                "from": giver,
                "events": ["ready"] if seat in staked else [],
                "discards": before[before.index([seat, "9s"]) :],
            }
            for hand, seat in zip(ON_4M, winners, strict=False)
        ]
    return request


@pytest.mark.parametrize("name", ruleengine.ruleset_names())
@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_nothing_is_lost_and_nothing_made(name: str, seed: int) -> None:
    rules = rules_of(name)
    request = table(random.Random(seed), rules)
    found = settle(rules, request)
    assert list(found) == ["payments", "stakes_left"]
    assert list(found["payments"]) == list(SEATS)
    before = request.get("carried", 0) + sum(request["stakes"].values())
    assert sum(found["payments"].values()) + found["stakes_left"] == before
    if request["event"] == "win":
        assert found["stakes_left"] == 0
    else:
        assert found["stakes_left"] == before


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_one_win_without_stakes_is_paid_as_it_is_scored(seed: int) -> None:
    rng = random.Random(seed)
    win = random_win(ZUNG_JUNG, rng)
    hand, situation = win.hand, win.situation
    result = ZUNG_JUNG.score_hand(hand, situation)
    if not result.win or result.payments is None:
        return
    record: dict[str, Any] = {
        "hand": str(hand),
        "by": situation.by,
        "seat": situation.seat,
        "round": situation.round,
        "from": situation.from_seat,
        "liable": situation.liable,
        "events": sorted(situation.events),
    }
    found = settle(ZUNG_JUNG, {"event": "win", "wins": [record]})
    assert found == {"payments": result.payments, "stakes_left": 0}


def test_the_order_of_the_wins_does_not_matter() -> None:
    wins = [
        {"hand": hand, "by": "discard", "seat": seat, "from": "E"}
        for hand, seat in zip(ON_4M, "SWN", strict=True)
    ]
    for rules, carried in ((SIMPLE, 3), (ZUNG_JUNG, 0)):
        found = [
            settle(rules, {"event": "win", "wins": order, "carried": carried})
            for order in (wins, wins[::-1], [wins[1], wins[2], wins[0]])
        ]
        assert found[0] == found[1] == found[2]


def test_a_request_is_left_as_it_was() -> None:
    record = {"hand": TWO, "by": "discard", "seat": "S", "from": "W", "discards": [["S", "9p"]]}
    request = {"event": "win", "wins": [record], "stakes": {"E": 1}, "carried": 2}
    before = repr(request)
    settle(SIMPLE, request)
    assert repr(request) == before


def test_what_is_null_is_not_there() -> None:
    request = {"event": "abortive", "stakes": None, "carried": None}
    assert settle(SIMPLE, request) == {"payments": NOTHING, "stakes_left": 0}


def test_who_wins_and_who_is_passed_over_is_told() -> None:
    wins = [
        {"hand": hand, "by": "discard", "seat": seat, "from": "S"}
        for hand, seat in zip(ON_4M, "EWN", strict=True)
    ]
    found = settle_table(ZUNG_JUNG, {"event": "win", "wins": wins})
    assert [result.situation.seat for result in found.winners] == ["W"]
    assert [result.situation.seat for result in found.passed_over] == ["N", "E"]
    found = settle_table(SIMPLE, {"event": "win", "wins": wins, "carried": 2})
    assert [result.situation.seat for result in found.winners] == ["W", "N", "E"]
    assert (found.passed_over, found.taken) == ((), {"W": 2})


def test_an_option_changes_what_is_paid_at_an_exhausted_wall() -> None:
    request = {"event": "exhausted", "ready": ["N"]}
    found = settle(SIMPLE.with_options({"not_ready": 3}), request)
    assert found["payments"] == {"E": -3, "S": -3, "W": -3, "N": 9}


# ---- stakes as a ruleset has them ------------------------------------------------------------

EVENTS = "events: {calm: {}}\noptions: {stake: {type: int, default: 10}}\n"
PATTERNS = "patterns: {any_win: {points: 1, when: true}}\n"


def staked(stakes: str, more: str = "") -> Rules:
    text = f"settlement: {{win: [{{pays: points}}], winners: all, stakes: {stakes}{more}}}\n"
    return load(ruleset(EVENTS + PATTERNS, settlement=text))


def wins(*seats: str, calm: str = "") -> list[dict[str, Any]]:
    return [
        {
            "hand": hand,
            "by": "discard",
            "seat": seat,
            "from": "E",
            "events": ["calm"] if seat in calm else [],
        }
        for hand, seat in zip(ON_4M, seats, strict=False)
    ]


def test_each_winner_may_take_his_own_stake_back() -> None:
    rules = staked("{event: calm, amount: stake, to: own_first}")
    request = {
        "event": "win",
        "wins": wins("N", "S", calm="N"),
        "stakes": {"N": 10, "W": 10},
        "carried": 20,
    }
    # Each is paid 1 by the three others; North takes its 10 back, South the other 30.
    assert settle(rules, request)["payments"] == {"E": -2, "S": 32, "W": -2, "N": 12}
    rules = staked("{event: calm, amount: stake}")
    assert settle(rules, request)["payments"] == {"E": -2, "S": 42, "W": -2, "N": 2}


def test_stakes_may_go_back_where_nobody_wins() -> None:
    rules = staked("{event: calm, amount: stake, returned: true}")
    request = {"event": "abortive", "stakes": {"N": 10, "W": 0}, "carried": 20}
    assert settle(rules, request) == {"payments": {**NOTHING, "N": 10}, "stakes_left": 20}


def test_the_stake_is_what_the_option_says() -> None:
    rules = staked("{event: calm, amount: stake}").with_options({"stake": 5})
    request = {"event": "abortive", "stakes": {"N": 5}}
    assert settle(rules, request)["stakes_left"] == 5
    assert refused({"event": "abortive", "stakes": {"N": 10}}, rules).message == (
        "a stake is 5 under small, so N cannot have paid another"
    )


def test_a_ruleset_that_does_not_say_who_of_several_wins() -> None:
    rules = load(ruleset(PATTERNS))
    assert refused({"event": "win", "wins": wins("S", "W")}, rules).message == (
        "small does not say who wins when several players could"
    )
    assert settle(rules, {"event": "win", "wins": wins("S")})["payments"]["S"] == 3


def test_mistakes_in_winners_and_stakes_are_found() -> None:
    def of(winners: str, stakes: str, liability: str = "{}") -> list[str]:
        text = f"settlement: {{win: [{{pays: 1}}], winners: {winners}, stakes: {stakes}}}\n"
        body = f"{EVENTS}{PATTERNS}liability: {liability}\n"
        return words(ruleset(body, settlement=text))

    good = "{event: calm, amount: stake}"
    assert of("all", good) == []
    assert of("frist", good) == ["E306 'winners' is one of first, all (did you mean 'first'?)"]
    assert of("all", "{event: calms, amount: 1}") == [
        "E201 unknown event 'calms' (did you mean 'calm'?)"
    ]
    assert of("all", "{amount: 1}") == ["E303 'stakes' needs 'event'"]
    assert of("all", "{event: calm, amount: points}") == [
        "E203 'points' (the total of the winning hand) is not known in a stake"
    ]
    assert of("all", "{event: calm, amount: 1, to: last}") == [
        "E306 'to' is one of first, own_first"
    ]
    assert of("all", good, "{nobody: true, barred: true}") == [
        "E306 a winner's own discard leaves nobody liable or forbids the win, not both"
    ]


# ---- discards -------------------------------------------------------------------------------


def paid(rules: Rules, discards: object, **record: Any) -> dict[str, int]:
    whole = {"hand": TWO, "by": "discard", "seat": "S", "from": "W", **record}
    request = {"event": "win", "wins": [{**whole, "discards": discards}]}
    return settle(rules, request)["payments"]


def test_who_is_liable_is_told_by_the_discards() -> None:
    assert paid(SIMPLE, [])["W"] == -6
    assert paid(SIMPLE, [["N", "4s"]])["N"] == -6
    assert paid(SIMPLE, [["N", "四索"], ["E", "4s"]])["N"] == -6
    assert paid(SIMPLE, [["S", "1z"], ["N", "4p"], ["W", "4s"]])["W"] == -6


def test_where_the_duty_stays_a_discard_before_changes_nothing() -> None:
    text = "settlement: {win: [{when: payer is liable, pays: 6}]}\n"
    fixed = load(ruleset(PATTERNS, settlement=text))
    assert paid(fixed, [["S", "4s"], ["N", "4s"]]) == {**NOTHING, "S": 6, "W": -6}
    moving = load(ruleset(PATTERNS + "liability: {moves: true}\n", settlement=text))
    # The winner's own discard neither frees the others nor forbids the win.
    assert paid(moving, [["S", "4s"], ["N", "4s"]]) == {**NOTHING, "S": 6, "N": -6}
    barred = load(ruleset(PATTERNS + "liability: {barred: true}\n", settlement=text))
    assert paid(barred, [["S", "9s"], ["N", "4s"]]) == {**NOTHING, "S": 6, "W": -6}
    assert refused(
        {"event": "win", "wins": [{**wins("S")[0], "discards": [["S", "4m"]]}]}, barred
    ).message == (
        "under small nobody may win on a tile that he discarded himself in the same turn, "
        "and S discarded 4m"
    )


def test_on_a_self_draw_discards_move_nothing() -> None:
    record = {"hand": TWO, "seat": "S", "discards": [["S", "4s"], ["W", "4s"]]}
    found = settle(SIMPLE, {"event": "win", "wins": [record]})
    assert found["payments"] == {"E": -4, "S": 10, "W": -3, "N": -3}


def test_a_robbed_kong_leaves_one_tile_to_be_discarded() -> None:
    how = {"hand": "23m678p345s99s[222z]+4m", "by": "robbing_kong"}
    assert paid(SIMPLE, [["S", "9m"], ["N", "4m"]], **how)["N"] == -12
    request = {"seat": "S", "from": "W", **how, "discards": [["E", "4m"], ["N", "4m"]]}
    assert refused({"event": "win", "wins": [request]}).code == "H316"


@pytest.mark.parametrize(
    ("discards", "code"),
    [
        ("S4s", "H312"),
        (4, "H312"),
        ([["S"]], "H312"),
        ([["S", 4]], "H312"),
        ([["X", "4s"]], "H312"),
        ([["ES", "4s"]], "H312"),
        ([[["S"], "4s"]], "H312"),
        ([["S", "4x"]], "H102"),
        ([["S", "44s"]], "H126"),
        ([["S", ""]], "H126"),
        ([["N", "1f"]], "H316"),
        ([["N", "9s"]] * 101, "H312"),
        ([["N", "9p"]] * 4, "H316"),
        ([["N", "9s"], ["S", "4p"]], "H316"),
    ],
)
def test_discards_that_cannot_be(discards: object, code: str) -> None:
    record = {"hand": TWO, "by": "discard", "seat": "S", "from": "W", "discards": discards}
    assert refused({"event": "win", "wins": [record]}).code == code


# ---- requests that cannot be ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "code", "message"),
    [
        ("exhausted", "H401", "what is to be settled is a JSON object"),
        ({}, "H401", "'event' is missing: how the hand ended"),
        ({"event": ["win"]}, "H403", "this is not a way for a hand to end"),
        ({"event": "exhuasted"}, "H403", "'exhuasted' is not a way for a hand to end"),
        ({"event": "abortive", "seat": "E"}, "H401", "'abortive' is settled without 'seat'"),
        ({"event": "abortive", 3: 1}, "H401", "'abortive' is settled without such a field"),
        ({"event": "win"}, "H401", "'wins' is a list of the hands that win, each a record"),
        ({"event": "win", "wins": {}}, "H402", None),
        ({"event": "win", "wins": [3]}, "H311", "a record is a JSON object, not a number"),
        ({"event": "exhausted", "ready": "E"}, "H402", None),
        (
            {"event": "exhausted", "ready": ["X"]},
            "H402",
            "a seat in 'ready' is E, S, W or N, and 'X' is none of them",
        ),
        ({"event": "exhausted", "ready": [1]}, "H402", "a seat in 'ready' is E, S, W or N"),
        ({"event": "wrong_win", "seat": "ES"}, "H402", None),
        ({"event": "abortive", "stakes": ["E"]}, "H402", None),
        ({"event": "abortive", "stakes": {"e": 1}}, "H402", None),
        ({"event": "abortive", "stakes": {"E": True}}, "H402", None),
        ({"event": "abortive", "stakes": {"E": "1"}}, "H402", None),
        ({"event": "abortive", "stakes": {"E": -1}}, "H404", None),
        ({"event": "abortive", "carried": "2"}, "H402", None),
        ({"event": "abortive", "carried": True}, "H402", None),
        ({"event": "abortive", "carried": MOST_CARRIED + 1}, "H404", None),
    ],
)
def test_requests_that_cannot_be(request_: object, code: str, message: str | None) -> None:
    error = refused(request_)
    assert error.code == code
    assert message in (None, error.message)


@settings(max_examples=300, deadline=None)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.sampled_from([*FIELDS, *SEATS, TWO, "discard", "4s"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "event",
                        "wins",
                        "stakes",
                        "carried",
                        "ready",
                        "seat",
                        "hand",
                        "E",
                        "by",
                        "from",
                    ]
                ),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_whatever_is_asked_is_settled_or_refused(request_: object) -> None:
    for rules in (SIMPLE, ZUNG_JUNG):
        try:
            found = settle(rules, request_)
        except HandError:
            continue
        assert isinstance(request_, dict)
        assert set(found["payments"]) == set(SEATS)


def test_a_wrong_hand_says_what_is_wrong_with_it() -> None:
    record = {"hand": "44p99s[222m][666s][789p]+4p", "by": "discard", "seat": "S", "from": "W"}
    error = refused({"event": "win", "wins": [record]})
    assert error.message == ("the hand of S does not win: it is worth 0, less than the minimum")
    assert error.help == "a wrong declaration is settled as 'wrong_win'"
    record["hand"] = "13579m13579p135s+7z"
    error = refused({"event": "win", "wins": [record]})
    assert error.message == "the hand of S does not win: it is no winning hand"
