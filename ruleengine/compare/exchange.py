"""Hands with other groups in place of one or two of their own, won in the same way."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ruleengine.compare.many import (
    ManyHands,
    code_of,
    codes_of,
    concatenate,
    held,
    kind_of,
    won_on_each,
    won_on_one,
)
from ruleengine.compare.outcomes import scored
from ruleengine.errors import HandError
from ruleengine.hand import Meld
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from ruleengine.compare.outcomes import Won
    from ruleengine.rules import Rules

Tiles = tuple[int, ...]
Part = Tiles | Meld
"""A group that stands, as its tiles, or a meld."""

PAIRS = tuple((tile,) * 2 for tile in range(FIRST_FLOWER))
SETS = (
    *((tile, tile + 1, tile + 2) for tile in range(FIRST_HONOR) if tile % 9 <= 6),
    *((tile,) * 3 for tile in range(FIRST_FLOWER)),
)


def exchanged(
    won: Won, rules: Sequence[Rules], wall: Sequence[int], number: int, most: int
) -> ManyHands:
    """A hand with so many of its groups exchanged for any others of its kinds, melds for melds
    alike, as far as the wall has the tiles; in the order of their tiles.

    With one group each hand is won on each of its tiles; with more on the same as before, where it
    still has it, or on the lowest. After so many hands as `most` none are added.
    """
    robbed = won.situation.by == "robbing_kong"
    found = [_none(len(won.hand.melds))]
    size = 0
    for standing, melds in _with_others(won, rules, wall, number):
        if number == 1:
            some = won_on_each(standing, melds, robbed=robbed)
        else:
            some = won_on_one(standing, melds, robbed=robbed, wanted=won.hand.winning_tile)
        found.append(some)
        size += len(some)
        if size >= most:
            break
    return concatenate(found).take(slice(most)).sorted()


def _none(melds: int) -> ManyHands:
    zeros = (np.zeros(shape, dtype=np.uint8) for shape in ((0, FIRST_FLOWER), (0, melds), 0))
    return ManyHands(*zeros)


def _with_others(
    won: Won, rules: Sequence[Rules], wall: Sequence[int], number: int
) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """What stands in the hands and their melds, for one choice of groups after the other."""
    for parts in dict.fromkeys(parts for one in rules for parts in _parts(won, one)):
        for places in itertools.combinations(range(len(parts)), number):
            kept = _kept([part for at, part in enumerate(parts) if at not in places])
            left = np.array(wall, dtype=np.int16) - kept.held
            if (left >= 0).all():
                yield _joined(kept, [_others(parts[at]) for at in places], left)


def _joined(
    kept: _Choices, others: Sequence[_Choices], left: NDArray[np.int16]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """What is kept of a hand with one of each of some choices, as far as tiles are left."""
    rows = np.indices([len(one.standing) for one in others]).reshape(len(others), -1)
    chosen = list(zip(others, rows, strict=True))
    fits = (sum(one.held[row].astype(np.int16) for one, row in chosen) <= left).all(axis=1)
    chosen = [(one, row[fits]) for one, row in chosen]
    size = int(fits.sum())
    standing = np.repeat(kept.standing, size, axis=0)
    for one, row in chosen:
        standing += one.standing[row]
    melds = [np.repeat(kept.melds, size, axis=0), *(one.melds[row] for one, row in chosen)]
    return standing, np.sort(np.concatenate(melds, axis=1), axis=1)


def _parts(won: Won, rules: Rules) -> Iterator[tuple[Part, ...]]:
    """The groups and melds of a hand as a ruleset reads it; nothing where it does not."""
    result = scored(rules, won)
    if isinstance(result, HandError) or result.arranged is None:
        return
    laid = Counter(meld.tiles for meld in won.hand.melds)
    standing: list[Part] = []
    for group in result.arranged.groups:
        if laid[group.tiles] and group.status != "completed":
            laid[group.tiles] -= 1
        else:
            standing.append(group.tiles)
    yield (*standing, *won.hand.melds)


@dataclass(frozen=True, slots=True)
class _Choices:
    """Groups to choose from, a row each: how many of each tile stand, and the melds as numbers."""

    standing: NDArray[np.uint8]
    melds: NDArray[np.uint8]

    @property
    def held(self) -> NDArray[np.uint8]:
        """How many of each tile there are."""
        return held(self.standing, self.melds)


def _kept(parts: Sequence[Part]) -> _Choices:
    """All of some groups, as the only choice."""
    tiles = [tile for part in parts if not isinstance(part, Meld) for tile in part]
    melds = [code_of(part) for part in parts if isinstance(part, Meld)]
    return _Choices(_counts([tiles]), np.array([melds], dtype=np.uint8))


@cache
def _others(part: Part) -> _Choices:
    """What may stand in the place of a group."""
    if isinstance(part, Meld):
        codes = codes_of(kind_of(part))
        codes = codes[codes != code_of(part)]
        return _Choices(np.zeros((len(codes), FIRST_FLOWER), np.uint8), codes[:, None])
    choices: Sequence[Tiles] = {2: PAIRS, 3: SETS}.get(len(part), ())
    some = [tiles for tiles in choices if tiles != part]
    return _Choices(_counts(some), np.zeros((len(some), 0), dtype=np.uint8))


def _counts(groups: Sequence[Sequence[int]]) -> NDArray[np.uint8]:
    found = np.zeros((len(groups), FIRST_FLOWER), dtype=np.uint8)
    for row, tiles in enumerate(groups):
        np.add.at(found[row], list(tiles), 1)
    return found
