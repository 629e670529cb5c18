"""Turns a template into the tiles at which its groups may stand, and finds them in masks.

`ground` lists every way to put values for the letters of a template; `scan` looks for all of
them at once: instances that are the same picture moved along the tiles become one chain of
shifted masks, instances that are "any so many of these" become one count. What is looked for is
worked out once for a template in a process (`find`): it is compiled for many kinds of wins and
choices of options.
"""

from __future__ import annotations

import itertools
import math
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ruleengine.arrange import UNIT
from ruleengine.frozen import frozen
from ruleengine.kept import Kept
from ruleengine.language import meaning as m
from ruleengine.tiles import CLASSES, FIRST_HONOR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ruleengine.language.operations import Op, Operations

Sort = tuple[str, str | None]


@frozen
class Allowed:
    """The lowest tiles at which a sequence, or another group, lies within a class that depends
    on the situation."""

    tiles: m.TileClass
    sequence: bool


Layer = tuple[Sort, int] | Allowed
"""Groups of a kind and status that stand at least so many times at a tile; or where a group may
stand in the situation."""
Requirement = frozenset[tuple[Layer, int]]
"""One instance of a template: at each of these tiles the layer must have a bit."""

MAX_ASSIGNMENTS = 50_000
"""The most values for letters and classes that one template may stand for."""


def assignments(items: tuple[m.Item, ...]) -> int:
    """An upper bound on the ways to put values for the letters and classes of a template."""
    letters: dict[str, int] = {}
    classes = 1
    for item in items:
        place = item.place
        top = 21 if item.kind == "sequence" else 34
        if place.letter:
            letters[place.letter] = min(letters.get(place.letter, top), top)
        if place.suit:
            letters["suits"] = 6
        if isinstance(place.rank, str):
            letters[place.rank] = 9
        if place.tiles is not None:
            classes *= max(1, (bounds(place.tiles)[1] & _SHAPE_TILES).bit_count())
    return classes * math.prod(letters.values())


_SHAPE_TILES = (1 << len(UNIT)) - 1
_WINDS = CLASSES["wind"]


def bounds(tiles: m.TileClass) -> tuple[int, int]:
    """The tiles that are in a class in every situation, and those that are in some."""
    match tiles:
        case m.TileMask(mask=mask):
            return mask & _SHAPE_TILES, mask & _SHAPE_TILES
        case m.TileFact(name="seat_wind" | "round_wind"):
            return 0, _WINDS
        case m.TileFact(name="seat_flower"):
            return 0, 0
        case m.TileFact():
            return 0, _SHAPE_TILES
        case m.TileUnion(parts=parts):
            least = most = 0
            for part in parts:
                inner = bounds(part)
                least, most = least | inner[0], most | inner[1]
            return least, most
        case m.TileCommon(parts=parts):
            least = most = _SHAPE_TILES
            for part in parts:
                inner = bounds(part)
                least, most = least & inner[0], most & inner[1]
            return least, most
        case m.TileOther(part=part):
            least, most = bounds(part)
            return _SHAPE_TILES & ~most, _SHAPE_TILES & ~least


def ground(items: tuple[m.Item, ...]) -> frozenset[Requirement]:
    """Every instance of a template.

    A class that depends on the situation stands for all tiles that it may have; the instance
    then requires that the tile is `Allowed`.
    """
    found: set[Requirement] = set()
    asked = [_asked(item) for item in items]
    for suits in _suits(items):
        for ranks in _ranks(items):
            for tiles in _placed(items, suits, ranks):
                requirement = _requirement(asked, tiles)
                if requirement is not None:
                    found.add(requirement)
    return frozenset(found)


def _suits(items: tuple[m.Item, ...]) -> Iterator[dict[str, int]]:
    letters = sorted({item.place.suit for item in items if item.place.suit})
    for values in itertools.permutations(range(3), len(letters)):
        yield dict(zip(letters, values, strict=True))


def _ranks(items: tuple[m.Item, ...]) -> Iterator[dict[str, int]]:
    letters = sorted({item.place.rank for item in items if isinstance(item.place.rank, str)})
    for values in itertools.permutations(range(1, 10), len(letters)):
        yield dict(zip(letters, values, strict=True))


def _placed(
    items: tuple[m.Item, ...], suits: dict[str, int], ranks: dict[str, int]
) -> Iterator[tuple[int, ...]]:
    """The tile of each item, for every value of capitals and classes."""

    choices = [tuple(_tiles(item, suits, ranks)) for item in items]
    letters = [item.place.letter for item in items]

    def place(
        at: int, capitals: dict[str, int], tiles: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        if at == len(items):
            yield tiles
            return
        letter = letters[at]
        if letter in capitals:
            if capitals[letter] in choices[at]:
                yield from place(at + 1, capitals, (*tiles, capitals[letter]))
            return
        for tile in choices[at]:
            if letter is None:
                yield from place(at + 1, capitals, (*tiles, tile))
            elif tile not in capitals.values():
                yield from place(at + 1, {**capitals, letter: tile}, (*tiles, tile))

    return place(0, {}, ())


def _tiles(item: m.Item, suits: dict[str, int], ranks: dict[str, int]) -> Iterator[int]:
    place = item.place
    if place.suit is not None:
        rank = ranks[place.rank] if isinstance(place.rank, str) else place.rank
        assert rank is not None
        rank += place.offset
        if rank <= (7 if item.kind == "sequence" else 9):
            yield suits[place.suit] * 9 + rank - 1
        return
    mask = _SHAPE_TILES if place.tiles is None else bounds(place.tiles)[1]
    for tile in range(len(UNIT)):
        if item.kind != "sequence":
            if mask >> tile & 1:
                yield tile
        elif tile < FIRST_HONOR and tile % 9 <= 6 and mask >> tile & 7 == 7:
            yield tile


class _Asked(NamedTuple):
    """What an item asks for, wherever it stands: a kind of group, of one status where that makes
    a difference, at tiles that depend on the situation."""

    family: str
    sort: Sort | None
    allowed: Allowed | None


def _asked(item: m.Item) -> _Asked:
    told_apart = item.status is not None or item.kind in ("triplet", "kong")
    of = item.place.tiles
    varies = of is not None and bounds(of)[0] != bounds(of)[1]
    return _Asked(
        "triplet" if item.kind == "kong" else item.kind,
        (item.kind, item.status) if told_apart else None,
        Allowed(of, item.kind == "sequence") if of is not None and varies else None,
    )


def _requirement(asked: list[_Asked], tiles: tuple[int, ...]) -> Requirement | None:
    """What must stand where, or None where distinct groups cannot stand so."""
    stand: dict[tuple[str, int], int] = {}
    needed: dict[tuple[Sort, int], int] = {}
    found: set[tuple[Layer, int]] = set()
    for (family, sort, allowed), tile in zip(asked, tiles, strict=True):
        stand[family, tile] = stand.get((family, tile), 0) + 1
        if sort is not None:
            needed[sort, tile] = needed.get((sort, tile), 0) + 1
        if allowed is not None:
            found.add((allowed, tile))
    for (family, tile), times in stand.items():
        if times > (1 if family == "triplet" else 4):
            return None
        if family != "triplet":
            needed[(family, None), tile] = times
    found.update(((sort, times), tile) for (sort, tile), times in needed.items())
    return frozenset(found)


# ---- finding the instances in masks ------------------------------------------------


class _Count(NamedTuple):
    """At least so many bits of a layer at some tiles."""

    layer: Layer
    tiles: int
    least: int


class _Pictures(NamedTuple):
    """Pictures, each the layers that have a bit at an offset from its lowest tile, with the lowest
    tiles that it may have, any of which suffices. Of each of the `guards` a layer has so many bits
    wherever one of the pictures is."""

    pictures: tuple[tuple[tuple[tuple[Layer, int], ...], int], ...]
    guards: tuple[tuple[Layer, int], ...]

    @property
    def size(self) -> int:
        """How many layers its pictures speak of."""
        return sum(len(picture) for picture, _ in self.pictures)


_Plan = tuple[_Count | _Pictures, ...]
"""What must all be there for an instance to be there."""
_PLANS: Kept[tuple[m.Item, ...], tuple[_Plan | None]] = Kept(300_000)
"""What is looked for of templates, None where nothing can be found, up to so many layers."""


def find(ops: Operations, items: tuple[m.Item, ...], layer: Callable[[Layer], Op]) -> Op:
    """The operation that is true where some instance of a template is there."""
    known = _PLANS.get(items)
    if known is None:
        known = (_plan(ground(items)),)
        sizes = (part.size for part in known[0] or () if isinstance(part, _Pictures))
        _PLANS.keep(items, known, len(items) + sum(sizes))
    return _found(ops, known[0], layer)


def scan(
    ops: Operations,
    instances: frozenset[Requirement],
    layer: Callable[[Layer], Op],
) -> Op:
    """The operation that is true where some instance is there."""
    return _found(ops, _plan(instances), layer)


def _plan(instances: frozenset[Requirement]) -> _Plan | None:
    """How some instances are looked for; None where there are none."""
    if not instances:
        return None
    by_layer = _by_layer(instances)
    if len(by_layer) > 1 and len(instances) == math.prod(len(x) for x in by_layer.values()):
        # Any instance of one layer goes with any of the others: look at each by itself.
        return tuple(chain(*(_of_one(key, masks) for key, masks in by_layer.items())))
    if len(by_layer) == 1:
        ((key, masks),) = by_layer.items()
        return _of_one(key, masks)
    return (_pictures(instances, by_layer),)


def _by_layer(instances: Iterable[Requirement]) -> dict[Layer, set[int]]:
    """The masks that the instances ask of each layer."""
    asked: list[dict[Layer, int]] = []
    for instance in instances:
        masks: dict[Layer, int] = {}
        for key, tile in instance:
            masks[key] = masks.get(key, 0) | 1 << tile
        asked.append(masks)
    keys = sorted({key for masks in asked for key in masks}, key=str)
    return {key: {masks.get(key, 0) for masks in asked} for key in keys}


def _of_one(layer: Layer, masks: set[int]) -> _Plan:
    """How it is found whether one layer has all bits of one of the masks."""
    if 0 in masks:
        return ()
    everywhere = 0
    for mask in masks:
        everywhere |= mask
    sizes = {mask.bit_count() for mask in masks}
    size = next(iter(sizes))
    if len(sizes) == 1 and len(masks) == math.comb(everywhere.bit_count(), size):
        return (_Count(layer, everywhere, size),)
    instances = frozenset(
        frozenset((layer, tile) for tile in range(mask.bit_length()) if mask >> tile & 1)
        for mask in masks
    )
    return (_pictures(instances, {layer: masks}),)


def _pictures(instances: frozenset[Requirement], by_layer: dict[Layer, set[int]]) -> _Pictures:
    families: dict[Requirement, int] = {}
    for instance in instances:
        lowest = min(tile for _, tile in instance)
        picture = frozenset((key, tile - lowest) for key, tile in instance)
        families[picture] = families.get(picture, 0) | 1 << lowest
    names = {key: str(key) for key in by_layer}
    spelt = {part: str(part) for picture in families for part in picture}
    ordered = sorted(families, key=lambda picture: sorted(spelt[part] for part in picture))
    return _Pictures(
        tuple(
            (tuple(sorted(picture, key=lambda p: (names[p[0]], p[1]))), families[picture])
            for picture in ordered
        ),
        tuple(
            (key, least)
            for key, masks in by_layer.items()
            if (least := min(mask.bit_count() for mask in masks))
        ),
    )


def _found(ops: Operations, plan: _Plan | None, layer: Callable[[Layer], Op]) -> Op:
    """The operation that looks for what was planned."""
    if plan is None:
        return ops.false
    return ops.all_(
        [
            _counted(ops, layer(part.layer), part)
            if isinstance(part, _Count)
            else _any_picture(ops, part, layer)
            for part in plan
        ]
    )


def _counted(ops: Operations, layer: Op, part: _Count) -> Op:
    held = ops.and_(layer, ops.constant(part.tiles))
    if part.least == 1:
        return ops.nonzero(held)
    return ops.compare(">=", ops.bits(held), ops.constant(part.least))


def _any_picture(ops: Operations, part: _Pictures, layer: Callable[[Layer], Op]) -> Op:
    shifted: dict[tuple[Layer, int], Op] = {}
    layers: dict[Layer, Op] = {}
    found: list[Op] = []
    for picture, lowest in part.pictures:
        for one in picture:
            if one not in shifted:
                key, offset = one
                if key not in layers:
                    layers[key] = layer(key)
                shifted[one] = ops.shift(layers[key], offset)
        stands = ops.and_(*(shifted[one] for one in picture), ops.constant(lowest))
        found.append(ops.nonzero(stands))
    if len(found) == 1:
        return found[0]
    guards = [
        ops.compare(">=", ops.bits(layers[key]), ops.constant(least))
        if least > 1
        else ops.nonzero(layers[key])
        for key, least in part.guards
    ]
    return ops.all_([*guards, ops.any_(found)])
