"""The hands that show changes are the smallest in the documented order: a quick part of
`python -m tests.longer smallest`, and what the check itself is made of."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from ruleengine.batch.columns import keys_of
from ruleengine.compare.lowest import Lowest
from ruleengine.compare.many import counts_of, won_on_each
from ruleengine.compare.outcomes import Won, scored
from ruleengine.compare.run import compare
from ruleengine.compare.shrink import Shrinker, smallness
from ruleengine.errors import HandError
from ruleengine.hand import Situation
from ruleengine.hands.every import EveryHand, falling
from ruleengine.notation import read_hand
from ruleengine.rules import Rules
from ruleengine.ruleset.find import find_ruleset
from ruleengine.ruleset.read import read_ruleset_file, read_ruleset_text
from tests.compare.smallest import change, check, key_of, lower_hands, outcome, standing
from tests.ruleset.small import ruleset

VARIANT = "format: 1\nid: v\nextends: zhongyong-3.3\nname: {en: V}\nversion: '1'\n"


def test_a_change_is_shown_by_the_smallest_hand() -> None:
    found = check("zhongyong-3.3", "robbing_a_kong", rows=2_000, other_rows=40)
    assert found.record is not None
    assert found.smaller is None
    assert found.looked > 500


def test_the_check_sees_a_smaller_hand() -> None:
    """The order of the check by itself: each hand is larger than the one before it."""
    old, new = (Rules(read.data) for read in change("zhongyong-3.3", "one_kong"))
    records = [
        {"hand": "2233445m123p(1111m)+2m"},
        {"hand": "2233445m123p(1111s)+2m"},
        {"hand": "2233445m123p(1111m)+2m", "seat": "S"},
        {"hand": "2233445m123p(1111m)+2m", "by": "discard"},
        {"hand": "2233445m123p[1111m]+2m"},
    ]
    keys = [key_of(one, outcome(old, one), outcome(new, one)) for one in records]
    assert all(first < second for first, second in itertools.pairwise(keys))


def came_to(rules: Rules, won: Won) -> object:
    result = scored(rules, won)
    assert not isinstance(result, HandError)
    return result.points, [pattern.id for pattern in result.patterns]


def test_another_group_in_the_place_of_one_makes_no_smaller_hand() -> None:
    """With a higher group in the place of a lower one, or with two other ones, a hand may count
    fewer patterns: these come before low tiles."""
    old, new = (
        Rules(read_ruleset_text(text, "small.yaml").data)
        for text in (
            VARIANT,
            VARIANT + "patterns: {two_kongs: {supersedes: [small_three_dragons]}}",
        )
    )
    situation = Situation()
    search = Lowest(old, new, lambda one: 2 * int(came_to(old, one) != came_to(new, one)))
    given = Won(read_hand("34m55666z(1111m)(7777z)+2m"), situation)
    found = search.exchanged(given)
    # The first has another suit in the place of one group, the second two other groups.
    for hand in ("34p55666z(1111m)(7777z)+2p", "34m234p55z(6666z)(7777z)+2m"):
        other = Won(read_hand(hand), situation)
        assert search.shows(other)
        assert smallness(old, new, found) <= smallness(old, new, other) < smallness(old, new, given)
    assert search.exchanged(found) == found


def test_no_smaller_hand_is_looked_for_when_time_is_up() -> None:
    old, new = (Rules(read.data) for read in change("zhongyong-3.3", "one_kong"))
    won = Won(read_hand("22334455m12p(1111s)+3p"), Situation("discard"))
    shrinker = Shrinker(old, new, lambda one: True, ends=0.0)
    assert shrinker.shrunk(won) == won
    assert shrinker.late
    search = Lowest(old, new, lambda one: 1, ends=0.0)
    assert search.lower(won) == won
    assert search.late


def test_hands_stand_in_the_order_of_their_tiles() -> None:
    """The same hands in the same order, made in another way."""
    rules = Rules(read_ruleset_file(find_ruleset("zhongyong-3.3", ())).data)
    every = EveryHand([shape for shape in rules.shapes if not shape.listed], rules.data.wall.copies)
    given: list[tuple[int, ...]] = []
    for hands in every.lowest_first(100_000):
        columns = [falling(key, suit).tolist() for suit, key in enumerate(keys_of(hands))]
        given += zip(*columns, strict=True)
        if len(given) > 5_000:
            break
    assert given == sorted(given, reverse=True)
    made = itertools.islice(standing(4, (4,) * 34), len(given))
    suits = (slice(0, 9), slice(9, 18), slice(18, 27), slice(27, 34))
    assert [
        tuple(int("".join(map(str, counts[suit])), 5) for suit in suits) for counts in made
    ] == given


def test_hands_with_melds_are_made_whole() -> None:
    hands = list(itertools.islice(lower_hands((1, 1, 0), None, 400), 400))
    assert all(hand.count("(") == 1 and "[" not in hand for hand in hands)
    assert len(set(hands)) == len(hands)


def test_a_hand_with_other_points_comes_before_one_with_another_limit() -> None:
    """Of a higher cap hands of just as many points as the old one show nothing but the limit."""
    body = """
events: {{last_tile: {{}}}}
patterns:
  all_triplets: {{points: 3, when: count triplets = 4}}
  value_honor: {{points: 1, times: count triplets of dragon | seat_wind}}
  one_suit: {{points: 5, when: count suits = 1}}
  concealed_hand: {{points: 1, when: no set is claimed}}
  last: {{points: 1, when: last_tile}}
total: {{cap: {cap}, empty: 1}}
"""
    old, new = (
        read_ruleset_text(ruleset(body.format(cap=cap)), "small.yaml") for cap in (12, 1000)
    )
    (judged,) = compare(old, new, impact=False).changes
    assert judged.witness is not None
    # 3 + 3 + 5 + 1 = 12 with one triplet in a suit and three of value; 13 with four of value.
    points = [one.points for one in (judged.witness.old, judged.witness.new)]  # type: ignore[union-attr]
    assert points == [12, 13]


def test_an_event_shows_a_higher_cap() -> None:
    """Without the event every hand has as many points as before: only a hand with it has more."""
    body = """
events: {{last_tile: {{}}}}
patterns:
  laid: {{points: 12, when: count triplets >= 1}}
  last: {{points: 1, when: last_tile}}
total: {{cap: {cap}, empty: 1}}
"""
    old, new = (
        read_ruleset_text(ruleset(body.format(cap=cap)), "small.yaml") for cap in (12, 1000)
    )
    (judged,) = compare(old, new, impact=False).changes
    assert judged.witness is not None
    assert judged.witness.record["events"] == ["last_tile"]
    points = [one.points for one in (judged.witness.old, judged.witness.new)]  # type: ignore[union-attr]
    assert points == [12, 13]


def test_a_hand_won_on_another_tile_than_the_dearest() -> None:
    """The change shows only where the hand is won on the tile that is counted: another one scores
    as much after it, and more before."""
    body = """
patterns:
  runs: {{points: 2, when: count sequences = 4}}
  pure: {{points: 5, when: count suits = 1}}
  closed: {{points: 1, when: no set is claimed}}
  four: {{points: 1, when: {hand} includes 1111m}}
total: {{empty: 1}}
"""
    wall = 'wall: {"123m": 4, "123p": 4}'
    old, new = (
        read_ruleset_text(re.sub("wall: .*", wall, ruleset(body.format(hand=hand))), "small.yaml")
        for hand in ("hand before win", "hand")
    )
    (judged,) = compare(old, new).changes
    assert judged.witness is not None
    # 1111m, and the last tile one of them. With 2222333m more and no sequences but 123m the other
    # three are 111p; all of 3333m with a pair would be four times 123m, a pattern more.
    assert judged.witness.record == {"hand": "1112222333m111p+1m"}
    points = [one.points for one in (judged.witness.old, judged.witness.new)]  # type: ignore[union-attr]
    assert points == [1, 2]


HIDDEN = """
patterns:
  high: {{points: {}, when: count triplets = 2 and sum ranks >= 18}}
  trips: {{points: {}, when: count triplets = 2}}
  runs: {{points: {}, when: count sequences = 2}}
  green: {{points: 2, when: pair is 5z}}
total: {{empty: 1}}
"""
FEW_WALL = 'wall: {"123456m": 4, "15z": 4}'


def hidden(*points: int) -> str:
    """A ruleset of two sets from few tiles, in which three patterns award these points."""
    shapes = "shapes: {basic: {sets: 2, pairs: 1}}\n"
    return re.sub("wall: .*", FEW_WALL, ruleset(HIDDEN.format(*points), shapes=shapes))


def concealed_wins(rules: Rules) -> list[Won]:
    """Every concealed hand with every tile that may have been drawn last."""
    every = EveryHand(rules.shapes, rules.data.wall.copies)
    counts = counts_of(every.at(np.arange(len(every))))
    none = np.zeros((len(counts), 0), dtype=np.uint8)
    hands = won_on_each(counts, none, robbed=False)
    return [Won(hands.hand(row), Situation()) for row in range(len(hands))]


def smallest_concealed(before: str, after: str) -> dict[str, object]:
    """The smallest of all concealed hands that come to something else, one by one."""
    old, new = (Rules(read_ruleset_text(text, "small.yaml").data) for text in (before, after))
    differ = [won for won in concealed_wins(old) if came_to(old, won) != came_to(new, won)]
    return min(differ, key=lambda won: smallness(old, new, won)).record()


@pytest.mark.parametrize(
    "new",
    [
        pytest.param((4, 3, 2), id="one change takes back what the other gives"),
        pytest.param((5, 2, 4), id="three changes"),
    ],
)
def test_each_of_several_changes_is_shown_by_the_smallest_concealed_hand(
    new: tuple[int, int, int],
) -> None:
    old = (3, 4, 2)
    read = [read_ruleset_text(hidden(*one), "small.yaml") for one in (old, new)]
    shown = {one.change.id: one.witness for one in compare(*read).changes}
    for at, name in enumerate(("high", "trips", "runs")):
        if old[at] == new[at]:
            continue
        alone = [value if place != at else new[at] for place, value in enumerate(old)]
        witness = shown[name]
        assert witness is not None
        assert witness.record == smallest_concealed(hidden(*old), hidden(*alone))


def test_a_change_that_touches_other_hands_than_all_of_them_together() -> None:
    """Two sequences with triplets of dragons there are not, nor two triplets with sequences: the
    pattern is nowhere before or after. With the new condition alone it is."""
    conditions = ("count sequences = 2", "count triplets = 2")
    numbers = ("count triplets of dragon", "count sequences")
    when = "green: {{points: 2, when: {}, times: {}}}"
    plain = "green: {points: 2, when: pair is 5z}"

    def text(condition: str, number: str) -> str:
        return hidden(3, 4, 2).replace(plain, when.format(condition, number))

    old, new, alone = (
        text(*one)
        for one in (
            (conditions[0], numbers[0]),
            (conditions[1], numbers[1]),
            (conditions[1], numbers[0]),
        )
    )
    changes = compare(*(read_ruleset_text(one, "small.yaml") for one in (old, new))).changes
    (changed,) = (one for one in changes if one.change.at == "patterns.green.when")
    assert changed.witness is not None
    assert changed.witness.record == smallest_concealed(old, alone)
