"""Hands scored with the winning tile that scores most."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

import ruleengine
from ruleengine.hand import Hand
from ruleengine.hands.every import EveryHand
from ruleengine.hands.winning import BestScorer, winning_tiles
from tests.hands.small import BEFORE, COUNTED, PATTERNS, WAITS, load_small
from tests.hands.test_every import tiles_of

if TYPE_CHECKING:
    from pathlib import Path

    from ruleengine.result import Result
    from ruleengine.rules import Rules


def best(rules: Rules, tiles: tuple[int, ...]) -> tuple[Result, int]:
    """The best result of a hand and its winning tile, by scoring every choice: a win before what
    is none, then the highest total, then the lowest tile."""
    found = []
    for tile in sorted(set(tiles)):
        standing = list(tiles)
        standing.remove(tile)
        result = rules.score(Hand(tuple(standing), (), tile))
        found.append(((result.win, result.points, -tile), result, tile))
    _, result, tile = max(found, key=lambda one: one[0])
    return result, tile


@pytest.mark.parametrize(
    "patterns", [PATTERNS, BEFORE, WAITS, COUNTED], ids=["none", "before", "all", "counted"]
)
@pytest.mark.parametrize("minimum", [0, 2])
def test_every_hand_scores_as_its_best_winning_tile(
    tmp_path: Path, patterns: str, minimum: int
) -> None:
    rules = load_small(tmp_path, patterns).with_options({"minimum": minimum})
    every = EveryHand(rules.shapes, rules.data.wall.copies)
    hands = every.at(np.arange(0, len(every), 3))
    scored = BestScorer(rules).score(hands)
    order = rules.program.order
    for at, tiles in enumerate(tiles_of(hands)):
        result, tile = best(rules, tiles)
        assert scored.judged.points[at] == result.points, tiles
        alone = int(scored.judged.alone[at])
        found = int(scored.judged.found[0, at])
        names = [p.id for place, p in enumerate(order) if found >> place & 1]
        assert (names if alone < 0 else [order[alone].id]) == [p.id for p in result.patterns]
        if patterns in (WAITS, COUNTED):
            assert scored.hands.won[at] == tile


def test_only_hands_that_can_differ_are_tried_with_every_tile(tmp_path: Path) -> None:
    none = BestScorer(load_small(tmp_path))._asked
    before = BestScorer(load_small(tmp_path, BEFORE))._asked
    rules = load_small(tmp_path, WAITS)
    every = EveryHand(rules.shapes, rules.data.wall.copies)
    hands = every.at(np.arange(len(every)))
    assert none is not None
    assert before is not None
    assert not none.any_of(hands).any()
    asked = [tiles for tiles, is_ in zip(tiles_of(hands), before.any_of(hands), strict=True) if is_]
    # 1112223m and one more, or at least 1122m.
    assert (0, 0, 0, 1, 1, 1, 2, 2) in asked
    assert all(set(tiles) >= {0, 1} for tiles in asked)
    assert BestScorer(rules)._asked is None


def test_nine_gates_wait_for_nine_tiles() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    every = EveryHand(rules.shapes[:1], dict.fromkeys(range(9), 4))
    scored = BestScorer(rules).score(every.at(np.arange(len(every))))
    place = [pattern.id for pattern in rules.program.order].index("nine_gates")
    gates = scored.hands.take(scored.judged.alone == place)
    before = sorted(
        "".join(str(t + 1) for t in sorted(_without(tiles, won)))
        for tiles, won in zip(tiles_of(gates), gates.won.tolist(), strict=True)
    )
    assert before == ["1112345678999"] * 9


def _without(tiles: tuple[int, ...], tile: int) -> list[int]:
    left = list(tiles)
    left.remove(tile)
    return left


def test_every_different_tile_may_have_won() -> None:
    hands = EveryHand(ruleengine.load("zhongyong-3.3").shapes[2:], dict.fromkeys(range(34), 4))
    row, tile = winning_tiles(hands.at(np.arange(2)))
    nines = [t for t in range(34) if t >= 27 or t % 9 in (0, 8)]
    assert row.tolist() == [0] * 13 + [1] * 13
    assert tile.tolist() == nines * 2
