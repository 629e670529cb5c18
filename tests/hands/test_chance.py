"""Hands and situations by chance."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest

import ruleengine
from ruleengine.hands import chance
from ruleengine.hands.chance import plays
from ruleengine.record import score_record
from ruleengine.ruleset.find import ruleset_ids


@pytest.mark.parametrize("name", sorted(ruleset_ids()))
def test_every_play_can_have_been(name: str) -> None:
    rules = ruleengine.load(name)
    for play in itertools.islice(plays(rules, 11), 300):
        # A record that could not be raises; a hand that were not complete has no arrangement.
        result = score_record(rules, play.record())
        assert result.arranged is not None
        assert result.hand == play.hand
        assert result.situation.liable == play.situation.liable
        assert result.situation.dora == play.situation.dora


def test_the_seed_decides() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    first = [play.record() for play in itertools.islice(plays(rules, 1), 40)]
    assert [play.record() for play in itertools.islice(plays(rules, 1), 40)] == first
    assert [play.record() for play in itertools.islice(plays(rules, 2), 40)] != first
    # These stay the same on every machine and with every version of Python.
    assert first[:3] == [
        {
            "hand": "44m55p[222z][555s][8888p]+4m",
            "by": "self_draw",
            "seat": "N",
            "round": "S",
            "events": ["kong_replacement"],
        },
        {
            "hand": "4m[678p][666s][234p][567m]+4m",
            "by": "discard",
            "seat": "S",
            "round": "N",
            "from": "E",
        },
        {
            "hand": "12345p11345s[789p]+3p",
            "by": "discard",
            "seat": "W",
            "round": "N",
            "from": "S",
            "discards": [["W", "7z"], ["N", "2s"], ["E", "7m"]],
        },
    ]


def test_everything_that_can_happen_comes_up() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    seen: Counter[str] = Counter()
    for play in itertools.islice(plays(rules, 3), 2500):
        how = play.situation
        seen.update([how.by, f"seat {how.seat}", f"round {how.round}", f"from {how.from_seat}"])
        seen.update(how.events)
        seen.update(f"{meld.claimed} {meld.kind}" for meld in play.hand.melds)
        seen[f"{len(play.hand.melds)} melds"] += 1
        seen[f"liable {how.liable}"] += how.liable is not None
        seen["discards"] += bool(play.discards)
        seen.update(one.id for one in rules.score_hand(play.hand, how).patterns)
    ways = ["self_draw", "discard", "robbing_kong"]
    seats = [f"{what} {seat}" for what in ("seat", "round", "from") for seat in "ESWN"]
    melds = ["True sequence", "True triplet", "True kong", "False kong"]
    numbers = [f"{number} melds" for number in range(5)]
    patterns = [
        "seven_pairs",
        "thirteen_terminals",
        "all_sequences",
        "pure_one_suit",
        "win_on_kong",
    ]
    expected = [*ways, *seats, *rules.data.events, *melds, *numbers, *patterns]
    assert [what for what in (*expected, "liable none", "discards") if not seen[what]] == []
    assert 0.3 < seen["self_draw"] / 2500 < 0.5


def test_dora_are_numbers_and_indicators() -> None:
    """Both come up, and an indicator takes no tile that is elsewhere: scoring would refuse it."""
    rules = ruleengine.load("simple-1")
    given = [play.situation.dora for play in itertools.islice(plays(rules, 3), 400)]
    shown = [dora for dora in given if isinstance(dora, tuple)]
    # 40 of 100 name their indicator: 160 of 400, give or take four times its deviation of 10.
    assert 120 <= len(shown) <= 200
    assert all(len(dora) == 1 and dora[0] in rules.data.wall.dora for dora in shown)
    assert {dora for dora in given if isinstance(dora, int)} == {0, 1, 2, 3, 4}


def test_indicators_change_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hands, the ways of winning and the discards are those that there are without them."""
    rules = ruleengine.load("simple-1")
    given = []
    for share in (0, 100):
        monkeypatch.setattr(chance, "INDICATED", share)
        given.append([play.record() for play in itertools.islice(plays(rules, 5), 200)])
    numbers, shown = ([record.pop("dora") for record in records] for records in given)
    assert given[0] == given[1]
    assert {type(dora) for dora in numbers} == {int}
    # A number stays only where the indicator that was turned cannot have been.
    assert sum(type(dora) is str for dora in shown) > 190
