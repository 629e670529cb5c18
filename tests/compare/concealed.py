"""What concealed hands come to, scored one by one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ruleengine.hand import Hand, Situation

if TYPE_CHECKING:
    from ruleengine.rules import Rules


def best(one: Rules, tiles: tuple[int, ...]) -> tuple[int, frozenset[tuple[str, int]]]:
    """What a concealed hand comes to with its best winning tile: points and what counts; 0 and
    nothing where it does not win or there are not the tiles."""
    held = Counter(tiles)
    if any(n > one.data.wall.copies.get(tile, 0) for tile, n in held.items()):
        return 0, frozenset()
    found: list[tuple[int, frozenset[tuple[str, int]]]] = [(0, frozenset())]
    for tile in held:
        rest = list(tiles)
        rest.remove(tile)
        result = one.score_hand(Hand(tuple(rest), (), tile), Situation())
        if result.win:
            found.append((result.points, frozenset((p.id, p.count) for p in result.patterns)))
    return max(found, key=lambda each: each[0])
