"""Hands as columns are the hands that they stand for, and what is told of all of them at once is
what is told of each."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from ruleengine.batch.text import read_texts
from ruleengine.compare.exchange import PAIRS, SETS, exchanged
from ruleengine.compare.many import (
    ManyHands,
    by_tile,
    code_of,
    kind_of,
    won_on_each,
    won_on_one,
)
from ruleengine.compare.outcomes import Won, difference, scored
from ruleengine.compare.showing import Showing, rank
from ruleengine.compare.shrink import tiles_of, worth
from ruleengine.hand import ALL_MELDS, Hand, Meld, Situation
from ruleengine.hands.chance import plays
from ruleengine.loading import load_ruleset
from ruleengine.notation import read_hand
from ruleengine.rules import Rules
from ruleengine.tiles import FIRST_FLOWER
from tests.compare.smallest import change

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PLAIN = Situation()
ROBBED = Situation("robbing_kong")


def as_columns(hands: Iterable[Hand]) -> ManyHands:
    """Hands with as many melds each."""
    standing, melds, won = [], [], []
    for hand in hands:
        assert hand.winning_tile is not None
        tiles = Counter([*hand.standing, hand.winning_tile])
        standing.append([tiles[tile] for tile in range(FIRST_FLOWER)])
        melds.append(sorted(map(code_of, hand.melds)))
        won.append(hand.winning_tile)
    return ManyHands(*(np.array(rows, dtype=np.uint8) for rows in (standing, melds, won)))


def some_hands(melds: int, number: int = 200) -> list[Hand]:
    """Hands by chance with so many melds, without flowers."""
    rules = load_ruleset("zhongyong-3.3")
    every = (play.hand for play in plays(rules, 7))
    return list(itertools.islice((hand for hand in every if len(hand.melds) == melds), number))


def in_order(hand: Hand) -> Hand:
    return Hand(hand.standing, tuple(sorted(hand.melds, key=by_tile)), hand.winning_tile)


@pytest.mark.parametrize("melds", range(5))
def test_columns_are_the_hands_and_their_texts(melds: int) -> None:
    hands = [in_order(hand) for hand in some_hands(melds)]
    columns = as_columns(hands)
    assert [columns.hand(row) for row in range(len(hands))] == hands
    flowered = columns.hand(0, (34,))
    assert flowered.flowers == (34,)
    texts, read = columns.texts(), read_texts(pa.array(map(str, hands), pa.string()))
    for each in fields(texts):
        one, other = getattr(texts, each.name), getattr(read, each.name)
        if isinstance(one, dict):
            assert one.keys() == other.keys()
            one, other = list(one.values()), list(other.values())
        if one is None:
            assert other is None
            continue
        assert all(map(np.array_equal, one, other)), each.name
        assert len(one) == len(other)


@pytest.mark.parametrize("melds", [0, 2])
def test_hands_are_brought_in_the_order_of_their_tiles(melds: int) -> None:
    hands = [in_order(hand) for hand in some_hands(melds)]
    twice = as_columns([*hands, *reversed(hands)]).sorted()
    wanted = sorted(dict.fromkeys(hands), key=lambda hand: tiles_of(Won(hand, PLAIN)))
    assert [twice.hand(row) for row in range(len(twice))] == wanted


def test_hands_are_won_on_what_may_have_won_them() -> None:
    """1m stands once and is in no meld; 2m stands once, but is in a meld too."""
    whole = read_hand("1233345m55z[222m]+5z")
    row = as_columns([whole])

    def won(hands: ManyHands) -> list[int]:
        return [int(tile) for tile in hands.won]

    each = won_on_each(row.standing, row.melds, robbed=False)
    assert won(each) == [0, 1, 2, 3, 4, 31]
    robbed = won_on_each(row.standing, row.melds, robbed=True)
    assert won(robbed) == [0, 3, 4]
    lowest = won_on_one(row.standing, row.melds, robbed=False)
    assert won(lowest) == [0]
    assert won(won_on_one(row.standing, row.melds, robbed=True, wanted=3)) == [3]
    assert won(won_on_one(row.standing, row.melds, robbed=True, wanted=2)) == [0]


def one_by_one(won: Won, parts: Sequence[tuple[int, ...] | Meld], wall: Counter[int]) -> set[Hand]:
    """The hands with another group in place of one, made one by one."""
    found = set()
    for at, part in enumerate(parts):
        rest = [one for place, one in enumerate(parts) if place != at]
        others: Iterable[tuple[int, ...] | Meld] = PAIRS if len(_tiles(part)) == 2 else SETS
        if isinstance(part, Meld):
            others = [meld for meld in ALL_MELDS if kind_of(meld) == kind_of(part)]
        for other in others:
            some = [*rest, other]
            if other == part or Counter(t for x in some for t in _tiles(x)) - wall:
                continue
            standing = sorted(t for x in some if not isinstance(x, Meld) for t in x)
            melds = tuple(sorted((x for x in some if isinstance(x, Meld)), key=by_tile))
            for tile in standing:
                held = Counter(t for x in some for t in _tiles(x))
                if won.situation.by != "robbing_kong" or held[tile] == 1:
                    left = list(standing)
                    left.remove(tile)
                    found.add(Hand(tuple(left), melds, tile))
    return found


def _tiles(part: tuple[int, ...] | Meld) -> tuple[int, ...]:
    return part.tiles if isinstance(part, Meld) else part


@pytest.mark.parametrize(
    ("hand", "how", "parts"),
    [
        ("111345m5p(2222m)[789s]+5p", PLAIN, [(0, 0, 0), (2, 3, 4), (13, 13)]),
        ("11145m55p(2222m)[789s]+3m", ROBBED, [(0, 0, 0), (2, 3, 4), (13, 13)]),
        ("1155m1155p11s557z+7z", PLAIN, [(t, t) for t in (0, 4, 9, 13, 18, 31, 33)]),
    ],
)
def test_one_group_exchanged(hand: str, how: Situation, parts: list[tuple[int, ...]]) -> None:
    rules = load_ruleset("zhongyong-3.3")
    won = Won(read_hand(hand), how)
    some = exchanged(won, [rules], [4] * FIRST_FLOWER, 1, 60_000)
    hands = [some.hand(row) for row in range(len(some))]
    assert len(hands) == len(set(hands)) > 100
    wall = Counter(dict.fromkeys(range(FIRST_FLOWER), 4))
    assert set(hands) == one_by_one(won, [*parts, *won.hand.melds], wall)


def test_no_more_hands_are_exchanged_than_wanted() -> None:
    rules = load_ruleset("zhongyong-3.3")
    won = Won(read_hand("111345m5p(2222m)[789s]+5p"), PLAIN)
    assert len(exchanged(won, [rules], [4] * FIRST_FLOWER, 2, 50)) == 50
    none = exchanged(Won(read_hand("147m258p369s1234z+5z"), PLAIN), [rules], [4] * 34, 1, 50)
    assert len(none) == 0


@pytest.mark.parametrize(
    ("how", "melds"),
    [
        (PLAIN, 1),
        (Situation("discard", from_seat="S"), 0),
        (Situation(events=frozenset({"kong_replacement"})), 1),
        (Situation(events=frozenset({"no_such_event"})), 1),
    ],
)
def test_what_may_show_a_change_is_told_of_all_hands_at_once(how: Situation, melds: int) -> None:
    """Whatever shows a change as gravely as is asked is told, in the order of its worth; with
    `unlike` nothing else."""
    old, new = (Rules(read.data) for read in change("zhongyong-3.3", "value_honor"))
    hands = as_columns(some_hands(melds))
    wons = [Won(hands.hand(row), how) for row in range(len(hands))]
    for grave in (1, 2, 3):
        showing = Showing(old, new, unlike=[old])
        told = list(showing.among(hands, wons[0], grave, rank(4, 40)))
        shows = [
            row
            for row, won in enumerate(wons)
            if worth(old, new, won) <= (4, 40)
            and difference(scored(old, won), scored(new, won), paid_alike=False) >= grave
        ]
        assert set(shows) <= {row for row, _ in told}
        if grave == 1:
            assert set(shows) == {row for row, _ in told}
        assert [each for _, each in told] == [rank(*worth(old, new, wons[row])) for row, _ in told]
        assert told == sorted(told, key=lambda one: (one[1], one[0]))
