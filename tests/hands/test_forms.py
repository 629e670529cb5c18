"""Sets and pairs laid out in all their forms, counted by combinatorics."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING

from ruleengine.arrange import Shape, arrangements
from ruleengine.hand import check_hand
from ruleengine.hands.forms import hands_of, laid_out
from ruleengine.tiles import CLASSES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.arrange import Arrangement

BASIC = Shape("basic", 4, 1)
FULL = dict.fromkeys(range(34), 4)
HONORS = dict.fromkeys(range(27, 34), 4)


def number(found: Iterator[Arrangement]) -> int:
    """How many there are."""
    return sum(1 for _ in found)


def test_honors_alone() -> None:
    # Four different tiles for the sets, each in four forms, and a pair of one of the other three:
    # a tile that has a triplet has not two more.
    assert number(laid_out(BASIC, HONORS)) == math.comb(7, 4) * 4**4 * 3


def test_claims_and_kongs_are_chosen_by_number() -> None:
    sets = math.comb(7, 4) * 3
    assert number(laid_out(BASIC, HONORS, kongs=[0])) == sets * 2**4
    assert number(laid_out(BASIC, HONORS, kongs=[4])) == sets * 2**4
    assert number(laid_out(BASIC, HONORS, claimed=[0])) == sets * 2**4
    one_claimed = number(laid_out(BASIC, HONORS, claimed=[1]))
    assert one_claimed == sets * 4 * 2**4
    assert number(laid_out(BASIC, HONORS, claimed=[1], kongs=[0])) == sets * 4
    assert number(laid_out(BASIC, HONORS, sequences=[1])) == 0


def test_sequences_alone() -> None:
    # Of 21 sequences two, the same one twice or not; each concealed or claimed; a pair of any of
    # the tiles that has two left.
    shape = Shape("two", 2, 1)
    expected = 0
    for first, second in itertools.combinations_with_replacement(range(7), 2):
        used = Counter([*range(first, first + 3), *range(second, second + 3)])
        forms = 3 if first == second else 4
        expected += forms * sum(used[tile] <= 2 for tile in range(9))
    found = laid_out(shape, dict.fromkeys(range(9), 4), sequences=[2])
    assert number(found) == expected


def test_all_forms_of_one_suit() -> None:
    # Every choice of two of the forms (a form twice, too) and of a pair that four of each tile
    # allow.
    shape = Shape("two", 2, 1)
    forms: list[tuple[int, ...]] = [(n, n + 1, n + 2) for n in range(7) for _ in range(2)]
    forms += [(tile,) * 3 for tile in range(9) for _ in range(2)]
    forms += [(tile,) * 4 for tile in range(9) for _ in range(2)]
    expected = 0
    for first, second in itertools.combinations_with_replacement(range(len(forms)), 2):
        used = Counter([*forms[first], *forms[second]])
        if max(used.values()) <= 4:
            expected += sum(used[tile] <= 2 for tile in range(9))
    found = list(laid_out(shape, dict.fromkeys(range(9), 4)))
    assert len(found) == expected
    assert len(set(found)) == expected


def forms_of_suit(ranks: int, sequences: bool) -> Counter[tuple[int, int]]:
    """In how many forms a suit can hold so many sets and pairs (at most one), rank by rank: so many
    sequences begin at a rank, each concealed or claimed, and it has a triplet or a kong, each
    concealed or claimed, or a pair, or nothing of its own."""
    own = [(0, 0, 0, 1), (3, 1, 0, 2), (4, 1, 0, 2), (2, 0, 1, 1)]
    # By how many sequences began one and two ranks before, sets and pairs.
    found = Counter({(0, 0, 0, 0): 1})
    for rank in range(ranks):
        most = 4 if sequences and rank <= ranks - 3 else 0
        after: Counter[tuple[int, int, int, int]] = Counter()
        for (one, two, sets, pairs), ways in found.items():
            for begun, (tiles, more_sets, more_pairs, forms) in itertools.product(
                range(most + 1), own
            ):
                held = (begun, one, sets + begun + more_sets, pairs + more_pairs)
                if begun + one + two + tiles <= 4 and held[2] <= 4 and held[3] <= 1:
                    after[held] += ways * (begun + 1) * forms
        found = after
    summed: Counter[tuple[int, int]] = Counter()
    for (_, _, sets, pairs), ways in found.items():
        summed[sets, pairs] += ways
    return summed


def test_how_many_there_are() -> None:
    suit, honors = forms_of_suit(9, True), forms_of_suit(7, False)
    assert number(laid_out(Shape("three", 3, 1), dict.fromkeys(range(9), 4))) == suit[3, 1]
    assert number(laid_out(BASIC, HONORS)) == honors[4, 1]
    whole: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    for part in (suit, suit, suit, honors):
        more: Counter[tuple[int, int]] = Counter()
        for ((sets, pairs), ways), ((others, other_pairs), forms) in itertools.product(
            whole.items(), part.items()
        ):
            if sets + others <= 4 and pairs + other_pairs <= 1:
                more[sets + others, pairs + other_pairs] += ways * forms
        whole = more
    assert whole[4, 1] == 1_062_623_868


def test_it_is_lazy_and_in_order() -> None:
    first = [str(one) for one in itertools.islice(laid_out(BASIC, FULL), 3)]
    assert first == [
        "123m 123m 123m 123m 44m",
        "123m 123m 123m 123m 55m",
        "123m 123m 123m 123m 66m",
    ]


def test_only_some_tiles() -> None:
    simple = CLASSES["simple"] & CLASSES["bamboo"]
    found = itertools.islice(laid_out(BASIC, FULL, tiles=simple, kongs=[2], claimed=[1]), 500)
    for arrangement in found:
        groups = arrangement.groups
        assert all(simple >> tile & 1 for group in groups for tile in group.tiles)
        assert sum(group.kind == "kong" for group in groups) == 2
        assert sum(group.status == "claimed" for group in groups) == 1


def test_listed_tiles_stand_outside_the_groups() -> None:
    # 14m, or three of 1z, of which this wall has two only; 4m is then left three times.
    shape = Shape("listed", 1, 1, (((0, 1), (3, 1)), ((27, 3),)))
    wall = {0: 1, 3: 4, 4: 3, 27: 2}
    assert {str(one) for one in laid_out(shape, wall)} == {
        "14m 444m 55m",
        "14m [444m] 55m",
        "14m 555m 44m",
        "14m [555m] 44m",
        "14m 444m 11z",
        "14m [444m] 11z",
        "14m 555m 11z",
        "14m [555m] 11z",
    }


def test_hands_of_an_arrangement() -> None:
    shapes = (BASIC,)
    # Every thousandth or so of those with a claimed kong.
    some = itertools.islice(laid_out(BASIC, FULL, claimed=[2], kongs=[1]), 0, 20_000, 999)
    for arrangement in some:
        hands = list(hands_of(arrangement))
        standing = {
            tile
            for group in arrangement.groups
            if group.kind == "pair" or (group.kind != "kong" and group.status == "concealed")
            for tile in group.tiles
        }
        assert [hand.winning_tile for hand in hands] == sorted(standing)
        for hand in hands:
            check_hand(hand, FULL, 14)
            read = arrangements(hand, shapes, by_self_draw=True)
            kept = [sorted(map(str, one.groups)) for one in read]
            assert sorted(map(str, arrangement.groups)) in kept
