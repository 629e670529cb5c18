"""Lays out sets and a pair in every way a hand can hold them: standing, claimed, as kongs.

There are far too many to keep (1,062,623,868 of four sets and a pair), so they come one at a time,
and filters keep whole branches from being entered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.arrange import UNIT, Arrangement, Group, pack
from ruleengine.hand import Hand, Meld
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from ruleengine.arrange import Shape

_Groups = tuple[Group, ...]
_Counts = tuple[int, int, int]
_HIGH = sum(8 * unit for unit in UNIT)

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
            room = _HIGH + sum(copies * UNIT[tile] for tile, copies in left.items())
            builder = _Builder(shape, tiles, sequences, claimed, kongs)
            for sets, rest in builder.sets(0, shape.sets, room, (0, 0, 0), ()):
                for pairs in builder.pairs(0, shape.pairs, rest, ()):
                    yield _arrangement(shape, sets, pairs, loose)


class _Builder:
    """Chooses groups in order, with the tiles that the wall has left: `room`, a packed count with
    the high bit of every tile set, which is lost where there are too few."""

    def __init__(
        self,
        shape: Shape,
        tiles: int,
        sequences: Container[int],
        claimed: Container[int],
        kongs: Container[int],
    ) -> None:
        self.wanted = (sequences, claimed, kongs)
        self.highest = [
            max((n for n in range(shape.sets + 1) if n in w), default=-1) for w in self.wanted
        ]
        self.all_sets = [
            (
                group,
                pack(group.tiles),
                (group.kind == "sequence", group.status == "claimed", group.kind == "kong"),
            )
            for tile in range(FIRST_FLOWER)
            for group in _sets_at(tile)
            if all(tiles >> each & 1 for each in group.tiles)
        ]
        self.all_pairs = [
            (Group("pair", tile), 2 * UNIT[tile])
            for tile in range(FIRST_FLOWER)
            if tiles >> tile & 1
        ]

    def sets(
        self, first: int, number: int, room: int, counts: _Counts, chosen: _Groups
    ) -> Iterator[tuple[_Groups, int]]:
        """Every choice of so many more sets, those from `first` on, with the room that is left.
        `counts` are the sequences, claimed sets and kongs among those that are `chosen`."""
        if not number:
            if all(n in wanted for n, wanted in zip(counts, self.wanted, strict=True)):
                yield chosen, room
            return
        runs, claims, kongs = counts
        most_runs, most_claims, most_kongs = self.highest
        for at in range(first, len(self.all_sets)):
            group, code, (is_run, is_claimed, is_kong) = self.all_sets[at]
            after = runs + is_run, claims + is_claimed, kongs + is_kong
            if after[0] > most_runs or after[1] > most_claims or after[2] > most_kongs:
                continue
            rest = room - code
            if rest & _HIGH == _HIGH:
                yield from self.sets(at, number - 1, rest, after, (*chosen, group))

    def pairs(self, first: int, number: int, room: int, chosen: _Groups) -> Iterator[_Groups]:
        """Every choice of so many more pairs, those from `first` on."""
        if not number:
            yield chosen
            return
        for at in range(first, len(self.all_pairs)):
            group, code = self.all_pairs[at]
            rest = room - code
            if rest & _HIGH == _HIGH:
                yield from self.pairs(at, number - 1, rest, (*chosen, group))


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
