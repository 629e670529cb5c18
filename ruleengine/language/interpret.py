"""Works a checked sentence out on one hand, and remembers why.

The interpreter is the meaning of the language: it walks the checked tree over groups and
tiles as a player would lay them out. The compiled evaluators are tested against it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, Any

from ruleengine.arrange import Group, meld_group
from ruleengine.hand import Hand
from ruleengine.language import meaning as m
from ruleengine.tiles import FIRST_HONOR, SEATS, rank_of, seat_wind, suit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ruleengine.arrange import Arrangement


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a sentence may look at: a hand, how it was won, and one arrangement.

    `arrangement` is None where only hand and situation are known (events); then the groups
    are the melds. `roles` maps a subject (`payer`) or a role (`liable`) to the seats it
    stands for, as a mask with bit 0 for East; `sums` are the sums of the units.
    `thorough` asks for evidence that only an explanation needs.
    """

    hand: Hand
    by: str
    seat: str
    round: str
    events: frozenset[str]
    options: Mapping[str, int | bool]
    arrangement: Arrangement | None = None
    seat_flowers: int = 0
    dora: int = 0
    waits: Callable[[], int] = lambda: 0
    points: int = 0
    roles: Mapping[str, int] = field(default_factory=dict)
    sums: Mapping[str, int] = field(default_factory=dict)
    thorough: bool = False

    @property
    def groups(self) -> tuple[Group, ...]:
        """The groups of the arrangement; of the melds where there is none."""
        if self.arrangement is None:
            return tuple(meld_group(meld) for meld in self.hand.melds)
        return self.arrangement.groups

    @property
    def tiles(self) -> tuple[int, ...]:
        """All tiles of the shape, all four of a kong and the winning tile included."""
        return (*self.tiles_in_hand, *(tile for meld in self.hand.melds for tile in meld.tiles))

    @property
    def tiles_in_hand(self) -> tuple[int, ...]:
        """The tiles outside melds, the winning tile included."""
        if self.hand.winning_tile is None:
            return self.hand.standing
        return (*self.hand.standing, self.hand.winning_tile)


@dataclass(frozen=True, slots=True)
class Trace:
    """What a sentence came to on a scene.

    `value` is its truth or number. `parts` are the traces of its parts in order; a part that
    did not have to be looked at is missing (`reached` counts those that were). `groups` and
    `tiles` are what the value rests on: those counted or matched, or those that broke an
    `all` or a `no`.
    """

    meaning: m.Meaning
    value: int | bool
    parts: tuple[Trace, ...] = ()
    groups: tuple[Group, ...] = ()
    tiles: tuple[int, ...] = ()


CALCULATE_NOTHING = Hand((), (), None)
"""The hand for sentences that speak of no hand."""


def evaluate(meaning: m.Meaning, scene: Scene) -> int | bool:
    """The truth or number of a sentence."""
    return trace(meaning, scene).value


def trace(meaning: m.Meaning, scene: Scene) -> Trace:
    """The truth or number of a sentence, with all that led to it."""
    return _TRACES[type(meaning)](meaning, scene)


def together(*several: tuple[Group, ...]) -> tuple[Group, ...]:
    """Groups of several parts, each group of the hand once: of two equal ones both, where a
    part has both."""
    found: list[Group] = []
    for groups in several:
        missing = Counter(groups) - Counter(found)
        for group in groups:
            if missing[group]:
                missing[group] -= 1
                found.append(group)
    return tuple(found)


# ---- sentences put together ---------------------------------------------------------


def _reference(meaning: m.Reference, scene: Scene) -> Trace:
    inner = trace(meaning.target, scene)
    return Trace(meaning, inner.value, (inner,), inner.groups, inner.tiles)


def _all(meaning: m.All, scene: Scene) -> Trace:
    return _joined(meaning, meaning.parts, scene, stop_at=False)


def _any(meaning: m.Any, scene: Scene) -> Trace:
    return _joined(meaning, meaning.parts, scene, stop_at=True)


def _joined(
    meaning: m.Meaning, parts: tuple[m.Meaning, ...], scene: Scene, *, stop_at: bool
) -> Trace:
    found: list[Trace] = []
    for part in parts:
        found.append(trace(part, scene))
        if bool(found[-1].value) == stop_at:
            break
    value = bool(found[-1].value)
    if value == stop_at:
        return Trace(meaning, value, tuple(found), found[-1].groups, found[-1].tiles)
    groups = together(*(part.groups for part in found))
    tiles = tuple(tile for part in found for tile in part.tiles)
    return Trace(meaning, value, tuple(found), groups, tiles)


def _not(meaning: m.Not, scene: Scene) -> Trace:
    inner = trace(meaning.part, scene)
    return Trace(meaning, not inner.value, (inner,), inner.groups, inner.tiles)


def _if(meaning: m.If, scene: Scene) -> Trace:
    tested = trace(meaning.test, scene)
    chosen = trace(meaning.first if tested.value else meaning.second, scene)
    return Trace(meaning, chosen.value, (tested, chosen), chosen.groups, chosen.tiles)


def _compare(meaning: m.Compare, scene: Scene) -> Trace:
    return _two_sides(meaning, COMPARE[meaning.sign], meaning.left, meaning.right, scene)


def _calculate(meaning: m.Calculate, scene: Scene) -> Trace:
    return _two_sides(meaning, CALCULATE[meaning.sign], meaning.left, meaning.right, scene)


def _two_sides(
    meaning: m.Meaning,
    work: Callable[[int, int], int | bool],
    left: m.Meaning,
    right: m.Meaning,
    scene: Scene,
) -> Trace:
    one, other = trace(left, scene), trace(right, scene)
    value = work(one.value, other.value)
    return Trace(meaning, value, (one, other), one.groups + other.groups, one.tiles + other.tiles)


def _apply(meaning: m.Apply, scene: Scene) -> Trace:
    found = tuple(trace(argument, scene) for argument in meaning.arguments)
    return Trace(meaning, APPLY[meaning.function](*(part.value for part in found)), found)


COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
CALCULATE: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
}
APPLY: Mapping[str, Callable[..., int]] = {
    "min": min,
    "max": max,
    "round_up": lambda value, step: -(-value // step) * step,
    "round_down": lambda value, step: value // step * step,
}


def _fact(name: str, scene: Scene) -> int | bool:
    if name == "dealer":
        return scene.seat == SEATS[0]
    if name in scene.sums:
        return scene.sums[name]
    return {"dora": scene.dora, "points": scene.points}[name]


# ---- sentences about a hand ---------------------------------------------------------


def _count_groups(meaning: m.CountGroups, scene: Scene) -> Trace:
    found = _of(scene, meaning.status, meaning.kind)
    if meaning.tiles is not None:
        inside = class_mask(meaning.tiles, scene)
        found = tuple(group for group in found if _is_within(group, inside))
    return Trace(meaning, len(found), groups=found)


def _count_suits(meaning: m.CountSuits, scene: Scene) -> Trace:
    shown = _one_of_each_suit(scene)
    return Trace(meaning, len(shown), tiles=shown)


def _sum_ranks(meaning: m.SumRanks, scene: Scene) -> Trace:
    summed = _inside(scene.tiles, meaning.tiles, scene)
    return Trace(meaning, sum(rank_of(tile) or 0 for tile in summed), tiles=summed)


def _groups(meaning: m.Groups, scene: Scene) -> Trace:
    among = _of(scene, meaning.status, meaning.kind)
    passing = tuple(group for group in among if _passes(meaning.test, group, scene))
    if meaning.quantifier == "all":
        failing = tuple(group for group in among if group not in passing)
        return Trace(meaning, not failing, groups=failing or passing)
    return Trace(meaning, bool(passing) == (meaning.quantifier == "some"), groups=passing)


def _tiles(meaning: m.Tiles, scene: Scene) -> Trace:
    among = scene.tiles if meaning.of == "tile" else scene.hand.flowers
    inside = class_mask(meaning.tiles, scene)
    if meaning.quantifier == "all":
        outside = tuple(tile for tile in among if not inside >> tile & 1)
        return Trace(meaning, not outside, tiles=outside)
    found = tuple(tile for tile in among if inside >> tile & 1)
    return Trace(meaning, bool(found) == (meaning.quantifier == "some"), tiles=found)


def _seats(meaning: m.Seats, scene: Scene) -> Trace:
    mask = 0
    for role in meaning.roles:
        mask |= _role(role, scene)
    if meaning.negated:
        mask = ~mask & 15
    if meaning.quantifier == "all":
        return Trace(meaning, mask == 15)
    return Trace(meaning, bool(mask) == (meaning.quantifier == "some"))


def _role_is(meaning: m.RoleIs, scene: Scene) -> Trace:
    seat = scene.roles.get(meaning.subject, 0)
    return Trace(meaning, any(seat & _role(role, scene) for role in meaning.roles))


def _seat_is(meaning: m.SeatIs, scene: Scene) -> Trace:
    seat = scene.seat if meaning.subject == "seat" else scene.round
    return Trace(meaning, seat in meaning.letters)


def _pair_is(meaning: m.PairIs, scene: Scene) -> Trace:
    pairs = _of(scene, None, "pair")
    if len(pairs) != 1:
        return Trace(meaning, False, groups=pairs)
    inside = in_class(pairs[0].tile, meaning.tiles, scene)
    return Trace(meaning, inside != meaning.negated, groups=pairs)


def _winning_tile_is(meaning: m.WinningTileIs, scene: Scene) -> Trace:
    tile = scene.hand.winning_tile
    assert tile is not None
    return Trace(meaning, in_class(tile, meaning.tiles, scene), tiles=(tile,))


def _winning_group_is(meaning: m.WinningGroupIs, scene: Scene) -> Trace:
    won = _winning_group(scene)
    if won is None:
        return Trace(meaning, False)
    return Trace(meaning, _passes(meaning.test, won, scene), groups=(won,))


def _wait_is(meaning: m.WaitIs, scene: Scene) -> Trace:
    won = _winning_group(scene)
    if won is None:
        return Trace(meaning, False)
    return Trace(meaning, wait_of(won, scene) in meaning.waits, groups=(won,))


def _template(meaning: m.Template, scene: Scene) -> Trace:
    matched = next(_matches(meaning.items, scene), None)
    if matched is None and scene.thorough:
        return Trace(meaning, False, groups=partial_match(meaning, scene))
    return Trace(meaning, matched is not None, groups=matched or ())


def _hand_tiles(meaning: m.HandTiles, scene: Scene) -> Trace:
    held = _held(meaning.of, scene)
    for listed in meaning.lists:
        if held == dict(listed) if meaning.exact else all(held[t] >= n for t, n in listed):
            return Trace(meaning, True, tiles=tuple(t for t, n in listed for _ in range(n)))
    return Trace(meaning, False)


def _arrangement(scene: Scene) -> Arrangement:
    assert scene.arrangement is not None
    return scene.arrangement


def _winning_group(scene: Scene) -> Group | None:
    arrangement = _arrangement(scene)
    place = arrangement.winning_group
    return None if place is None else arrangement.groups[place]


# ---- groups ------------------------------------------------------------------------

_KINDS: Mapping[str, frozenset[str]] = {
    "sequence": frozenset({"sequence"}),
    "triplet": frozenset({"triplet", "kong"}),
    "kong": frozenset({"kong"}),
    "pair": frozenset({"pair"}),
    "set": frozenset({"sequence", "triplet", "kong"}),
    "group": frozenset({"sequence", "triplet", "kong", "pair"}),
}


def _of(scene: Scene, status: str | None, kind: str) -> tuple[Group, ...]:
    kinds = _KINDS[kind]
    return tuple(
        group
        for group in scene.groups
        if group.kind in kinds and (status is None or group.status == status)
    )


def _passes(test: m.GroupTest, group: Group, scene: Scene) -> bool:
    match test:
        case m.Within(tiles=tiles):
            return _is_within(group, class_mask(tiles, scene))
        case m.Touches(tiles=tiles):
            inside = class_mask(tiles, scene)
            return any(inside >> tile & 1 for tile in group.tiles)
        case m.HasStatus(status=status):
            return group.status == status
        case m.OfKind(kind=kind):
            return group.kind in _KINDS[kind]
        case m.AllOf(parts=parts):
            return all(_passes(part, group, scene) for part in parts)
        case m.AnyOf(parts=parts):
            return any(_passes(part, group, scene) for part in parts)
        case m.NotOf(part=part):
            return not _passes(part, group, scene)


def _is_within(group: Group, inside: int) -> bool:
    return all(inside >> tile & 1 for tile in group.tiles)


def wait_of(won: Group, scene: Scene) -> m.Wait:
    """How the winning tile completed the group `won`."""
    if won.kind == "pair":
        return "single"
    if won.kind != "sequence":
        return "double_pair"
    assert scene.hand.winning_tile is not None
    place = scene.hand.winning_tile - won.tile
    if place == 1:
        return "closed"
    rank = rank_of(won.tile)
    if (place == 2 and rank == 1) or (place == 0 and rank == 7):
        return "edge"
    return "two_sided"


# ---- tiles -------------------------------------------------------------------------


def in_class(tile: int, tiles: m.TileClass, scene: Scene) -> bool:
    """Whether a tile is in a class, in the situation of the scene."""
    return bool(class_mask(tiles, scene) >> tile & 1)


def class_mask(tiles: m.TileClass, scene: Scene) -> int:
    """The tiles of a class, in the situation of the scene, as a mask."""
    match tiles:
        case m.TileMask(mask=mask):
            return mask
        case m.TileFact(name=name):
            return _class_of_fact(name, scene)
        case m.TileUnion(parts=parts):
            return reduce(or_, (class_mask(part, scene) for part in parts))
        case m.TileCommon(parts=parts):
            return reduce(and_, (class_mask(part, scene) for part in parts))
        case m.TileOther(part=part):
            return ~class_mask(part, scene)


def _inside(among: tuple[int, ...], tiles: m.TileClass | None, scene: Scene) -> tuple[int, ...]:
    """Those of some tiles that are in a class; all of them where there is none."""
    if tiles is None:
        return among
    inside = class_mask(tiles, scene)
    return tuple(tile for tile in among if inside >> tile & 1)


def _class_of_fact(name: str, scene: Scene) -> int:
    if name == "seat_wind":
        return 1 << seat_wind(scene.seat)
    if name == "round_wind":
        return 1 << seat_wind(scene.round)
    if name == "seat_flower":
        return scene.seat_flowers
    assert scene.hand.winning_tile is not None
    return 1 << scene.hand.winning_tile


def _count_tiles(meaning: m.CountTiles, scene: Scene) -> Trace:
    held = scene.hand.flowers if meaning.of == "flower" else scene.tiles
    found = _inside(held, meaning.tiles, scene)
    if meaning.of in ("tile", "flower"):
        return Trace(meaning, len(found), tiles=found)
    copies = Counter(found)
    if meaning.of == "quad":
        found = tuple(tile for tile in copies if copies[tile] == 4)
    else:
        found = tuple(copies)
    return Trace(meaning, len(found), tiles=found)


def _one_of_each_suit(scene: Scene) -> tuple[int, ...]:
    shown: dict[int, int] = {}
    for tile in scene.tiles:
        if tile < FIRST_HONOR:
            shown.setdefault(tile // 9, tile)
    return tuple(shown[suit] for suit in sorted(shown))


def _held(of: str, scene: Scene) -> Counter[int]:
    if of == "tiles":
        return Counter(scene.tiles)
    return Counter(scene.tiles_in_hand if of == "hand" else scene.hand.standing)


def _role(role: str, scene: Scene) -> int:
    return 1 if role == "dealer" else scene.roles.get(role, 0)


# ---- templates ---------------------------------------------------------------------


def _matches(items: tuple[m.Item, ...], scene: Scene) -> Iterator[tuple[Group, ...]]:
    """Every choice of distinct groups that fits all items, in the order of the items."""

    groups = scene.groups
    candidates = [_candidates(item, groups, scene) for item in items]

    def fit(at: int, used: frozenset[int], bound: dict[str, int]) -> Iterator[tuple[Group, ...]]:
        if at == len(items):
            yield ()
            return
        for place in candidates[at]:
            if place in used:
                continue
            group = groups[place]
            extended = _bind(items[at].place, group, bound)
            if extended is not None:
                for rest in fit(at + 1, used | {place}, extended):
                    yield (group, *rest)

    return fit(0, frozenset(), {}) if all(candidates) else iter(())


def _candidates(item: m.Item, groups: tuple[Group, ...], scene: Scene) -> list[int]:
    """The places of the groups that an item may mean, whatever its letters stand for."""
    kinds, status = _KINDS[item.kind], item.status
    inside = None if item.place.tiles is None else class_mask(item.place.tiles, scene)
    return [
        place
        for place, group in enumerate(groups)
        if group.kind in kinds
        and (status is None or group.status == status)
        and (inside is None or _is_within(group, inside))
    ]


def partial_match(template: m.Template, scene: Scene) -> tuple[Group, ...]:
    """The most groups that fit items of a template together, where not all items are there.

    Of equal choices the first items count first.
    """
    best: tuple[Group, ...] = ()
    items = template.items
    for size in range(len(items) - 1, 0, -1):
        for chosen in itertools.combinations(items, size):
            best = next(_matches(chosen, scene), ())
            if best:
                return best
    return best


def _bind(place: m.Place, group: Group, bound: dict[str, int]) -> dict[str, int] | None:
    """The letters bound when `group` stands at `place`; None where it cannot."""
    if place.tiles is not None:
        return bound
    if place.letter is not None:
        return _with(bound, place.letter, group.tile)
    suit, rank = suit_of(group.tile), rank_of(group.tile)
    if suit is None or rank is None or place.suit is None:
        return None
    extended = _with(bound, place.suit, suit)
    if extended is None:
        return None
    if isinstance(place.rank, int):
        return extended if place.rank == rank else None
    assert place.rank is not None
    base = rank - place.offset
    return _with(extended, place.rank, base) if base >= 1 else None


def _with(bound: dict[str, int], letter: str, value: int) -> dict[str, int] | None:
    """Bind a letter; letters of one sort (ranks, suits, tiles) stand for different values."""
    if letter in bound:
        return bound if bound[letter] == value else None
    sort = _sort(letter)
    if any(_sort(other) == sort and taken == value for other, taken in bound.items()):
        return None
    return {**bound, letter: value}


def _sort(letter: str) -> str:
    if letter.isupper():
        return "tile"
    return "rank" if letter in "rq" else "suit"


# ---- what works out each kind of sentence --------------------------------------------

_TRACES: Mapping[type[m.Meaning], Callable[[Any, Scene], Trace]] = {
    m.Constant: lambda meaning, scene: Trace(meaning, meaning.value),
    m.Option: lambda meaning, scene: Trace(meaning, scene.options[meaning.name]),
    m.Fact: lambda meaning, scene: Trace(meaning, _fact(meaning.name, scene)),
    m.Event: lambda meaning, scene: Trace(meaning, meaning.name in scene.events),
    m.Reference: _reference,
    m.All: _all,
    m.Any: _any,
    m.Not: _not,
    m.If: _if,
    m.Compare: _compare,
    m.Calculate: _calculate,
    m.Apply: _apply,
    m.CountGroups: _count_groups,
    m.CountTiles: _count_tiles,
    m.CountSuits: _count_suits,
    m.CountWaits: lambda meaning, scene: Trace(meaning, scene.waits()),
    m.SumRanks: _sum_ranks,
    m.Groups: _groups,
    m.Tiles: _tiles,
    m.Seats: _seats,
    m.ShapeIs: lambda meaning, scene: Trace(meaning, _arrangement(scene).shape in meaning.shapes),
    m.WinBy: lambda meaning, scene: Trace(meaning, scene.by in meaning.ways),
    m.PairIs: _pair_is,
    m.WinningTileIs: _winning_tile_is,
    m.WinningGroupIs: _winning_group_is,
    m.WaitIs: _wait_is,
    m.SeatIs: _seat_is,
    m.RoleIs: _role_is,
    m.Template: _template,
    m.HandTiles: _hand_tiles,
}
