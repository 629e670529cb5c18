"""Lays out sets and a pair in every way a hand can hold them: standing, claimed, as kongs.

There are far too many to keep (1,062,623,868 of four sets and a pair), so they come one at a time,
and filters keep whole branches from being entered.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ruleengine.arrange import Arrangement, Group
from ruleengine.hand import Hand, Meld
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from ruleengine.arrange import Shape

ALL_TILES = (1 << FIRST_FLOWER) - 1
ANY = range(1000)
"""Any number of groups."""


def laid_out(
    shape: Shape,
    wall: Mapping[int, int],
    *,
    tiles: int = ALL_TILES,
    sequences: Container[int] = ANY,
    claimed: Container[int] = ANY,
    kongs: Container[int] = ANY,
) -> Iterator[Arrangement]:
    """Every arrangement of a shape's sets and pairs, with each set in every form: a sequence
    concealed or claimed, a triplet or a kong concealed or claimed.

    `wall` says how many copies there are of each tile. Filters: `tiles` is a mask of the tiles
    that sets and pairs may be made of; `sequences`, `claimed` (sets) and `kongs` hold the numbers
    of them that are wanted. Each arrangement comes once, whatever the order of its groups; sets
    with low tiles come first, then sequences before triplets before kongs, concealed before
    claimed. A shape's listed tiles stand outside groups.
    """
    for listed in shape.listed or ((),):
        left = {tile: wall.get(tile, 0) for tile in range(FIRST_FLOWER)}
        for tile, copies in listed:
            left[tile] -= copies
        if min(left.values()) >= 0:
            loose = tuple(tile for tile, copies in listed for _ in range(copies))
            builder = _Builder(shape, left, tiles, sequences, claimed, kongs)
            for sets in builder.sets(0, shape.sets):
                for pairs in builder.pairs(0, shape.pairs):
                    yield _arrangement(shape, sets, pairs, loose)


class _Builder:
    """Chooses groups in order, with the tiles that the wall has left."""

    def __init__(
        self,
        shape: Shape,
        left: dict[int, int],
        tiles: int,
        sequences: Container[int],
        claimed: Container[int],
        kongs: Container[int],
    ) -> None:
        self.left = left
        self.wanted = (sequences, claimed, kongs)
        self.highest = [
            max((n for n in range(shape.sets + 1) if n in w), default=-1) for w in self.wanted
        ]
        self.counts = [0, 0, 0]
        self.chosen: list[Group] = []
        self.paired: list[Group] = []
        self.all_sets = [
            group
            for tile in range(FIRST_FLOWER)
            for group in _sets_at(tile)
            if all(tiles >> each & 1 for each in group.tiles)
        ]
        self.all_pairs = [Group("pair", tile) for tile in range(FIRST_FLOWER) if tiles >> tile & 1]

    def sets(self, first: int, number: int) -> Iterator[tuple[Group, ...]]:
        """Every choice of so many sets, those from `first` on."""
        if not number:
            if all(n in wanted for n, wanted in zip(self.counts, self.wanted, strict=True)):
                yield tuple(self.chosen)
            return
        for at in range(first, len(self.all_sets)):
            group = self.all_sets[at]
            kinds = (group.kind == "sequence", group.status == "claimed", group.kind == "kong")
            after = [n + more for n, more in zip(self.counts, kinds, strict=True)]
            if any(n > most for n, most in zip(after, self.highest, strict=True)):
                continue
            if self._take(group):
                before, self.counts = self.counts, after
                self.chosen.append(group)
                yield from self.sets(at, number - 1)
                self.chosen.pop()
                self.counts = before
                self._put_back(group)

    def pairs(self, first: int, number: int) -> Iterator[tuple[Group, ...]]:
        """Every choice of so many pairs, those from `first` on."""
        if not number:
            yield tuple(self.paired)
            return
        for at in range(first, len(self.all_pairs)):
            group = self.all_pairs[at]
            if self._take(group):
                self.paired.append(group)
                yield from self.pairs(at, number - 1)
                self.paired.pop()
                self._put_back(group)

    def _take(self, group: Group) -> bool:
        """Take the tiles of a group out of the wall, if it has them."""
        need = Counter(group.tiles)
        if any(self.left[tile] < copies for tile, copies in need.items()):
            return False
        for tile in group.tiles:
            self.left[tile] -= 1
        return True

    def _put_back(self, group: Group) -> None:
        for tile in group.tiles:
            self.left[tile] += 1


def _sets_at(tile: int) -> Iterator[Group]:
    """The sets with this lowest tile."""
    if tile < FIRST_HONOR and tile % 9 <= 6:
        yield Group("sequence", tile)
        yield Group("sequence", tile, "claimed")
    yield Group("triplet", tile)
    yield Group("triplet", tile, "claimed")
    yield Group("kong", tile)
    yield Group("kong", tile, "claimed")


def _is_meld(group: Group) -> bool:
    return group.kind == "kong" or group.status == "claimed"


def _arrangement(
    shape: Shape, sets: tuple[Group, ...], pairs: tuple[Group, ...], loose: tuple[int, ...]
) -> Arrangement:
    standing = tuple(group for group in sets if not _is_meld(group))
    melds = tuple(group for group in sets if _is_meld(group))
    return Arrangement(shape.id, (*standing, *melds, *pairs), loose)


def hands_of(arrangement: Arrangement) -> Iterator[Hand]:
    """The hand of an arrangement, once for each tile that may have been the winning one."""
    standing = list(arrangement.loose)
    melds: list[Meld] = []
    for group in arrangement.groups:
        if group.kind == "pair" or not _is_meld(group):
            standing += group.tiles
        else:
            melds.append(Meld(group.kind, group.tile, group.status == "claimed"))
    standing.sort()
    for at, tile in enumerate(standing):
        if at == 0 or tile != standing[at - 1]:
            yield Hand((*standing[:at], *standing[at + 1 :]), tuple(melds), tile)
