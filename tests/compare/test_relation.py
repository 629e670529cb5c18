"""How sentences stand to each other: cases worked out by hand, and random pairs of which the
interpreter is asked."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from ruleengine.errors import HandError
from ruleengine.fmt.effective import plain_value
from ruleengine.hands import worlds
from ruleengine.hands.worlds import Ground
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.source import SequenceNode, read_yaml_file
from tests.compare.proofs import every_form, hold, random_pairs
from tests.compare.relations import Pair, compared, pairs, wrong
from tests.compare.small_world import small_world

if TYPE_CHECKING:
    from ruleengine.hands.worlds import Compared

CASES = Path(__file__).parents[1] / "cases" / "diff" / "relations.yaml"
FRAME = """
format: 1
id: frame
name: Frame
version: "1"
tiles:
  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4, "12345678f": 1}
  flowers: {E: "15f", S: "26f", W: "37f", N: "48f"}
  dora: ["123456789m"]
events:
  last_tile: {}
shapes:
  basic: {sets: 4, pairs: 1}
  seven_pairs: {pairs: 7}
  orphans: {tiles: 19m19p19s1234567z, doubled: 1}
settlement: {win: [{pays: points}]}
patterns:
"""
MIRRORED = {"wider": "narrower", "narrower": "wider"}


def cases() -> list[Any]:
    node, _ = read_yaml_file(CASES)
    assert isinstance(node, SequenceNode)
    found = []
    for item in node.items:
        case = plain_value(item)
        assert isinstance(case, dict)
        found.append(pytest.param(case, id=f"{case['old']} to {case['new']}"))
    return found


@cache
def pair(old: str, new: str) -> Pair:
    text = FRAME
    for name, sentence in (("first", old), ("second", new)):
        text += f'  {name}: {{points: 1, when: "{sentence}"}}\n'
    return Pair(old, new, Rules(read_ruleset_text(text).data))


@cache
def relation_of(old: str, new: str) -> Compared:
    return compared(pair(old, new))


@pytest.mark.parametrize("case", cases())
def test_relation(case: dict[str, str]) -> None:
    found = relation_of(case["old"], case["new"])
    assert (found.relation, found.effect.how) == (case["is"], "proved"), case["why"]
    back = compared(pair(case["new"], case["old"]))
    assert back.relation == MIRRORED.get(case["is"], case["is"])
    assert (back.effect.gained, back.effect.lost) == (found.effect.lost, found.effect.gained)


@pytest.mark.parametrize(
    ("old", "new", "true"),
    [
        # Two of a tile in hand are two of it; the other way round one may lie in a meld.
        ("hand includes 11m", "count tiles of 1m >= 2", "wider"),
        # What was in hand before the win still is.
        ("hand before win includes 1m", "hand includes 1m", "wider"),
        # No hand waits for more than the thirteen tiles of the orphans.
        ("count waits >= 14", "false", "equal"),
        ("count waits >= 13", "shape is orphans and count waits >= 13", "equal"),
    ],
)
def test_what_no_hand_need_have_is_not_called_proved(old: str, new: str, true: str) -> None:
    """Facts that are laid out freely show at least what is so, and do not say more for sure."""
    found = relation_of(old, new)
    assert found.effect.how == "bounded"
    assert found.relation == "different" or true in ("equal", found.relation)


@pytest.mark.parametrize(
    ("old", "new", "how"),
    [
        # The hand has the tile of a robbed kong once: where others are counted with it, hands are
        # laid out that have it again.
        (
            "win by robbing_kong and count tiles of (winning_tile | 1m) > 2",
            "win by robbing_kong and count tiles of (winning_tile | 1m) > 3",
            "loose",
        ),
        # A hand that wins by itself may have it twice, or in one suit.
        ("count tiles of winning_tile > 1", "count tiles of winning_tile > 2", "sampled"),
        ("win by robbing_kong and count suits = 1", "false", "proved"),
    ],
)
def test_what_no_robbed_kong_gives_is_not_called_seen(old: str, new: str, how: str) -> None:
    found = relation_of(old, new)
    assert (found.relation, found.effect.how) == ("narrower", how)


@pytest.mark.parametrize("case", cases())
def test_worlds_that_differ_are_hands_that_differ(case: dict[str, str]) -> None:
    """A hand that is made of a differing world comes to something else where one of the two
    conditions is worth a point."""
    first, second = (
        Rules(read_ruleset_text(FRAME + f'  one: {{points: 1, when: "{case[which]}"}}\n').data)
        for which in ("old", "new")
    )
    found = relation_of(case["old"], case["new"])
    if found.relation == "equal":
        assert not list(found.worlds())
        return
    seen = set()
    for world in found.worlds():
        try:
            points = [r.score_hand(world.hand, world.situation).points for r in (first, second)]
        except HandError:
            continue
        seen.add((points[1] > points[0]) - (points[1] < points[0]))
    if found.relation in ("wider", "different"):
        assert 1 in seen
    if found.relation in ("narrower", "different"):
        assert -1 in seen


@pytest.mark.parametrize(
    "sentence",
    [
        # The other pair can be no triplet, since the hand has all four of its tile.
        "wait is double_pair and count waits = 1",
        "wait is closed and count waits = 3",
    ],
)
def test_hands_wait_for_as_many_tiles_as_their_worlds_say(sentence: str) -> None:
    rules = Rules(read_ruleset_text(FRAME + f'  one: {{points: 1, when: "{sentence}"}}\n').data)
    found = relation_of("false", sentence)
    assert found.relation == "wider"
    hands = itertools.islice(found.worlds(), 3)
    assert any(rules.score_hand(one.hand, one.situation).points for one in hands)


@settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(drawn=pairs(), seed=st.integers(0, 2**32))
def test_what_is_proved_is_so(drawn: Pair | None, seed: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # Fewer worlds than usual, so that it takes no time; more of them are sampled instead.
        patch.setattr(worlds, "MOST_ROWS", 300_000)
        patch.setattr(worlds, "MOST_LOOKS", 600_000)
        patch.setattr(worlds, "SAMPLE", 20_000)
        found = None if drawn is None else compared(drawn)
    if drawn is not None and found is not None and found.effect.how == "proved":
        assert not wrong(drawn, found, seed, hands=8)


def test_what_is_proved_holds_for_every_hand_of_a_small_game() -> None:
    """All of it: `python -m tests.longer proofs`."""
    pairs = [*every_form()[::250], *random_pairs(1, 30)]
    found = hold(small_world("small"), pairs)
    assert not found.wrong
    assert found.proved > len(pairs) / 2


def test_options_and_events_of_two_rulesets_are_put_together() -> None:
    old = read_ruleset_text(FRAME + '  one: {points: 1, when: "last_tile"}\n').data
    text = FRAME.replace("last_tile: {}", "first: {}\n  last_tile: {}")
    new = read_ruleset_text(text + '  one: {points: 1, when: "last_tile or first"}\n').data
    ground = Ground(old, new)
    ops = [ground.operation(data.patterns["one"].when.meaning, {}) for data in (old, new)]  # type: ignore[union-attr]
    assert ground.compare(ops[0], ops[1]).relation == "wider"


@pytest.mark.parametrize("looks", [0, 1, 2])
def test_where_time_ended_at_once_nothing_is_said(
    looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few worlds without a difference are not called equal; one with a difference is one."""
    one = pair("count quads = 0", "count quads = 0 and count kinds < 13")
    ground = Ground(one.rules.data, one.rules.data)
    ops = [
        ground.operation(pattern.when.meaning, {})
        for pattern in one.rules.data.patterns.values()
        if pattern.when is not None
    ]
    times = iter(range(1_000))
    monkeypatch.setattr(worlds, "time", SimpleNamespace(monotonic=lambda: next(times)))
    monkeypatch.setattr(worlds, "CHUNK", 100)
    ground.ends = looks - 0.5
    found = ground.compare(ops[0], ops[1])
    assert found.unseen == (found.relation == "equal")
    assert ground.compare(ops[0], ops[0]).effect.how == "proved"
