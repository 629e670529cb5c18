"""What is decided over all hands is so: by sentences whose truth is known from the game."""

from __future__ import annotations

import pytest

from ruleengine.check import worlds
from ruleengine.check.worlds import Answer, Worlds
from ruleengine.language import meaning as m
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text
from tests.ruleset.small import load, ruleset


def ask(when: str, extends: str = "zhongyong-3.3") -> Answer:
    text = (
        f"format: 1\nid: x\nextends: {extends}\nname: X\nversion: '1'\n"
        f"patterns:\n  x:\n    points: 1\n    when: {when}\n"
    )
    rules = Rules(read_ruleset_text(text).data)
    sentence = rules.data.patterns["x"].when
    assert sentence is not None
    (answer,) = Worlds(rules).decide([sentence.meaning])
    return answer


@pytest.mark.parametrize(
    "when",
    [
        "count kongs = 5",
        "count kongs >= 1 and shape is seven_pairs",
        "count pairs = 2",
        "count sequences = 1 and count triplets = 4",
        "win by self_draw and win by discard",
        "round is E and round is S",
        "count concealed triplets = 4 and some set is claimed",
        "some concealed kong is claimed",
        "count triplets of dragon = 4",
        "has sequence 1m, sequence 1m, triplet 1m",
        "all tiles are dragon",
        "count suits = 0 and some tile is simple",
        "has sequence 1x, sequence 2x, sequence 3x, sequence 4x, sequence 5x",
        "all tiles are seat_wind",
        "pair is seat_wind and pair is round_wind and seat is E and round is S",
        "winning_tile is 1m and winning_tile is 2m",
        "wait is edge and winning_tile is 5m",
        "wait is single and winning_group is triplet",
        "winning_tile is honor and all tiles are simple",
        "has kong 1m, kong 2m, kong 3m, kong 4m, pair 1m",
        "win by robbing_kong and winning_group is pair and shape is basic",
        "count flowers > 0",
        "dora >= 1",
    ],
)
def test_what_never_is(when: str) -> None:
    assert ask(when).never


@pytest.mark.parametrize(
    "when",
    [
        "count kongs <= 4",
        "count triplets + count sequences = 4 or shape is seven_pairs | thirteen_orphans",
        "win by self_draw | discard | robbing_kong",
        "not shape is seven_pairs or count pairs = 7",
    ],
)
def test_what_always_is(when: str) -> None:
    assert ask(when).always


@pytest.mark.parametrize(
    "when",
    [
        "count kongs = 4",
        "count concealed triplets = 4 and win by discard",
        "some tile is dragon",
        "shape is thirteen_orphans",
        "all tiles are honor and shape is seven_pairs",
        "count triplets of wind = 4 and pair is dragon",
        "last_tile and win by self_draw",
        # A triplet that another's tile completes is not concealed.
        "winning_group is concealed",
        "winning_group is triplet and not winning_group is concealed",
        "win by robbing_kong and winning_group is sequence",
    ],
)
def test_what_may_be(when: str) -> None:
    answer = ask(when)
    assert answer.true
    assert answer.false
    assert not answer.never
    assert not answer.always


@pytest.mark.parametrize(
    "when",
    [
        "last_tile and win by robbing_kong",
        "kong_replacement and win by discard | robbing_kong",
        "kong_replacement and count kongs = 0",
        "first_turn and last_tile",
        "first_turn and not no_meld",
        # On the first turn East has drawn the tile, or discarded it.
        "first_turn and win by robbing_kong",
    ],
)
def test_an_event_is_not_where_its_needs_are_not_met(when: str) -> None:
    assert ask(when).never


def test_what_an_event_needs_is_always_there_with_it() -> None:
    assert ask("not kong_replacement or win by self_draw").always
    assert not ask("kong_replacement or win by self_draw").always


@pytest.mark.parametrize(
    "when",
    [
        "last_tile and win by discard",
        "kong_replacement and last_tile",
        "kong_replacement and count kongs = 4 and no set is claimed",
        "first_turn and win by discard",
        "win by robbing_kong and not last_tile",
        "last_tile and all tiles are honor",
        "kong_replacement and all tiles are honor",
    ],
)
def test_what_may_be_with_an_event_is_never_called_impossible(when: str) -> None:
    assert not ask(when).never


@pytest.mark.parametrize(
    ("needs", "when", "never"),
    [
        ("win by robbing_kong and win by self_draw", "one", True),
        ("win by self_draw", "one and win by discard", True),
        ("win by self_draw", "not one and win by discard", False),
        ("other and win by self_draw", "one and win by robbing_kong", True),
        ("other", "one and win by self_draw", True),
        ("other", "one and not other", True),
        ("win by self_draw and count waits = 13", "one and win by discard", True),
        # How many tiles complete a hand is not laid out, nor who is liable.
        ("count waits = 13", "one", False),
        ("discarder is liable and win by discard", "one and win by discard", False),
        ("discarder is liable and win by discard", "one and win by self_draw", True),
        ("discarder is liable or win by self_draw", "one and win by discard", False),
    ],
)
def test_events_of_a_ruleset(needs: str, when: str, never: bool) -> None:
    """An event 'one' with these needs, beside one that is there after a discard alone."""
    body = (
        f"events:\n  one: {{needs: {needs}}}\n  other: {{needs: not win by self_draw}}\n"
        f"patterns: {{x: {{points: 1, when: {when}}}}}\n"
    )
    rules = load(ruleset(body))
    sentence = rules.data.patterns["x"].when
    assert sentence is not None
    (answer,) = Worlds(rules).decide([sentence.meaning])
    assert answer.never == never


@pytest.mark.parametrize(
    ("when", "extends", "never"),
    [
        # There are eight flowers, and four of the seasons.
        ("count flowers = 9", "zhongyong-3.3-flowers", True),
        ("count flowers of 1234f = 5", "zhongyong-3.3-flowers", True),
        ("count flowers = 8", "zhongyong-3.3-flowers", False),
        ("count flowers of seat_flower = 2", "zhongyong-3.3-flowers", False),
        ("flower_replacement and count flowers = 0", "zhongyong-3.3-flowers", True),
        # Eighteen tiles that five indicators each name.
        ("dora > 90", "simple-1", True),
        ("dora >= 40", "simple-1", False),
    ],
)
def test_flowers_and_dora(when: str, extends: str, never: bool) -> None:
    assert ask(when, extends).never == never


OPTIONS = """\
options:
  joker: {type: bool, default: false}
  kuitan: {type: bool, default: true}
  n: {type: int, default: 3, min: 0, max: 10}
  wide: {type: int, default: 3}
events: {one: {needs: joker and win by discard}}
"""


@pytest.mark.parametrize(
    ("when", "never", "always"),
    [
        # A hand that is so under some value of an option is not impossible.
        ("joker and all tiles are simple", False, False),
        ("not kuitan and some tile is honor", False, False),
        ("no set is claimed or kuitan", False, False),
        ("n = 5", False, False),
        ("n >= 9 and count kongs = 4 and joker and not kuitan", False, False),
        ("one and joker", False, False),
        # What no value changes is.
        ("joker and not joker", True, False),
        ("n > 10", True, False),
        ("n <= 10 or kuitan", False, True),
        ("n >= 9 and count kongs = 5", True, False),
        ("count kongs <= 4 or joker", False, True),
        ("if joker then count kongs = 5 else count pairs = 2", True, False),
        ("one and not joker", True, False),
        ("one and win by self_draw", True, False),
        # With a million values nothing is claimed, so or so.
        ("wide < 0", False, False),
        ("wide > 100 and some tile is honor", False, False),
    ],
)
def test_what_is_claimed_holds_under_every_value_of_the_options(
    when: str, never: bool, always: bool
) -> None:
    rules = load(ruleset(f'{OPTIONS}patterns: {{x: {{points: 1, when: "{when}"}}}}\n'))
    sentence = rules.data.patterns["x"].when
    assert sentence is not None
    for choice in ({}, {"joker": True, "kuitan": False, "n": 9}):
        (answer,) = Worlds(rules.with_options(choice)).decide([sentence.meaning])
        assert (answer.never, answer.always) == (never, always)


def test_what_options_decide_is_known_at_once() -> None:
    assert ask("minimum >= 6").never
    assert ask("minimum = 0 or minimum = 5").always
    assert not ask("minimum >= 1").never
    assert not ask("minimum = 0").always


def test_several_sentences_are_decided_together() -> None:
    text = (
        "format: 1\nid: x\nextends: zhongyong-3.3\nname: X\nversion: '1'\npatterns:\n"
        "  a: {points: 1, when: count kongs = 5}\n  b: {points: 1, when: some tile is wind}\n"
    )
    rules = Rules(read_ruleset_text(text).data)
    questions: list[m.Meaning] = []
    for name in ("a", "b"):
        sentence = rules.data.patterns[name].when
        assert sentence is not None
        questions.append(sentence.meaning)
    first, second = Worlds(rules).decide(questions)
    assert first.never
    assert second.true
    assert second.false


def test_after_so_much_work_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "patterns: {p: {points: 1, when: some tile is 1z and no tile is honor}}\n"
    rules = load(ruleset(body))
    when = rules.data.patterns["p"].when
    assert when
    monkeypatch.setattr(worlds, "MOST_WORK", 10)
    (answer,) = worlds.Worlds(rules).decide([when.meaning])
    assert not answer.complete
    assert not answer.never


def test_what_was_answered_stays_known_when_the_work_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = "patterns: {p: {points: 1, when: some tile is 1z and no tile is honor}}\n"
    rules = load(ruleset(body))
    when = rules.data.patterns["p"].when
    assert isinstance(when and when.meaning, m.All)
    assert when
    asked = worlds.Worlds(rules)
    (first,) = asked.decide([when.meaning])
    assert first.never
    monkeypatch.setattr(worlds, "ASKING", worlds.MOST_WORK + 1)
    again, part = asked.decide([when.meaning, m.children(when.meaning)[0]])
    assert again.never
    assert not part.complete
