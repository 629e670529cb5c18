"""The tables of one suit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ruleengine.batch.tables import POWERS
from ruleengine.hands.suits import blocks, counts_of, in_wall, kinds_table, ways_table
from tests.hands.small import complete_suits


def test_complete_suits_are_as_many_as_published() -> None:
    made = blocks(4, 1, honors=False)
    assert [len(made[sets, 0]) for sets in range(5)] == [1, 16, 127, 627, 2098]
    assert [len(made[sets, 1]) for sets in range(5)] == [9, 135, 996, 4475, 13259]


def test_honors_make_triplets_of_different_tiles() -> None:
    made = blocks(4, 1, honors=True)
    for sets in range(5):
        assert len(made[sets, 0]) == math.comb(7, sets)
        assert len(made[sets, 1]) == math.comb(7, sets) * (7 - sets)


@pytest.mark.parametrize(("sets", "pairs", "honors"), [(3, 1, False), (1, 3, False), (2, 2, True)])
def test_the_tiles_are_those_that_a_search_finds(sets: int, pairs: int, honors: bool) -> None:
    places = 7 if honors else 9
    keys = blocks(sets, pairs, honors)[sets, pairs]
    assert (np.diff(keys) > 0).all()
    found = {tuple(counts) for counts in counts_of(keys, places).tolist()}
    assert found == complete_suits(sets, pairs, honors)


def test_what_a_wall_has_the_tiles_for() -> None:
    copies = (4, 4, 2, 0, 4, 4, 4, 4, 4)
    two_threes, three_threes, one_four = 2 * POWERS[2], 3 * POWERS[2], POWERS[3]
    keys = np.array([0, two_threes, three_threes, one_four])
    assert in_wall(keys, copies).tolist() == [True, True, False, False]


def test_ways_to_take_tiles_out_of_a_wall() -> None:
    table = ways_table((4, 4, 3, 1, 0, 4, 4, 4, 4))
    assert table[0] == 1
    assert table[2 * POWERS[0]] == 6
    assert table[2 * POWERS[0] + POWERS[1] + 3 * POWERS[2]] == 6 * 4 * 1
    assert table[2 * POWERS[3]] == 0
    assert table[POWERS[4]] == 0


def test_the_different_tiles_of_a_suit() -> None:
    table = kinds_table(7)
    assert table[0] == 0
    assert table[3 * POWERS[0] + POWERS[6]] == 0b1000001
