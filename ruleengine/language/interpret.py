"""Works a checked sentence out on one hand, and remembers why.

The interpreter is the meaning of the language: it walks the checked tree over groups and
tiles as a player would lay them out. The compiled evaluators are tested against it.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
    match meaning:
        case m.Constant(value=value):
            return Trace(meaning, value)
        case m.Option(name=name):
            return Trace(meaning, scene.options[name])
        case m.Event(name=name):
            return Trace(meaning, name in scene.events)
        case m.Fact(name=name):
            return Trace(meaning, _fact(name, scene))
        case m.Reference(target=target):
            inner = trace(target, scene)
            return Trace(meaning, inner.value, (inner,), inner.groups, inner.tiles)
        case m.All(parts=parts):
            return _joined(meaning, parts, scene, stop_at=False)
        case m.Any(parts=parts):
            return _joined(meaning, parts, scene, stop_at=True)
        case m.Not(part=part):
            inner = trace(part, scene)
            return Trace(meaning, not inner.value, (inner,), inner.groups, inner.tiles)
        case m.If(test=test, first=first, second=second):
            tested = trace(test, scene)
            chosen = trace(first if tested.value else second, scene)
            return Trace(meaning, chosen.value, (tested, chosen), chosen.groups, chosen.tiles)
        case m.Compare(left=left, sign=sign, right=right):
            sides = (trace(left, scene), trace(right, scene))
            value = COMPARE[sign](sides[0].value, sides[1].value)
            groups = sides[0].groups + sides[1].groups
            return Trace(meaning, value, sides, groups, sides[0].tiles + sides[1].tiles)
        case m.Calculate(left=left, sign=sign, right=right):
            sides = (trace(left, scene), trace(right, scene))
            value = CALCULATE[sign](sides[0].value, sides[1].value)
            groups = sides[0].groups + sides[1].groups
            return Trace(meaning, value, sides, groups, sides[0].tiles + sides[1].tiles)
        case m.Apply(function=function, arguments=arguments):
            found = tuple(trace(argument, scene) for argument in arguments)
            return Trace(meaning, APPLY[function](*(part.value for part in found)), found)
    return _leaf(meaning, scene)


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


def _leaf(meaning: m.Meaning, scene: Scene) -> Trace:
    match meaning:
        case m.CountGroups(status=status, kind=kind, tiles=tiles):
            found = tuple(
                group
                for group in _of(scene, status, kind)
                if tiles is None or _passes(m.Within(tiles), group, scene)
            )
            return Trace(meaning, len(found), groups=found)
        case m.CountTiles():
            return _count_tiles(meaning, scene)
        case m.CountSuits():
            suits = {suit_of(tile) for tile in scene.tiles} - {None}
            return Trace(meaning, len(suits), tiles=_one_of_each_suit(scene))
        case m.CountWaits():
            return Trace(meaning, scene.waits())
        case m.SumRanks(tiles=tiles):
            summed = tuple(t for t in scene.tiles if tiles is None or in_class(t, tiles, scene))
            return Trace(meaning, sum(rank_of(t) or 0 for t in summed), tiles=summed)
        case m.Groups(quantifier=quantifier, status=status, kind=kind, test=test):
            among = _of(scene, status, kind)
            passing = tuple(group for group in among if _passes(test, group, scene))
            if quantifier == "all":
                failing = tuple(group for group in among if group not in passing)
                return Trace(meaning, not failing, groups=failing or passing)
            return Trace(meaning, bool(passing) == (quantifier == "some"), groups=passing)
        case m.Tiles(quantifier=quantifier, of=of, tiles=tiles):
            all_tiles = scene.tiles if of == "tile" else scene.hand.flowers
            inside = tuple(tile for tile in all_tiles if in_class(tile, tiles, scene))
            if quantifier == "all":
                outside = tuple(t for t in all_tiles if not in_class(t, tiles, scene))
                return Trace(meaning, not outside, tiles=outside)
            return Trace(meaning, bool(inside) == (quantifier == "some"), tiles=inside)
        case m.Seats(quantifier=quantifier, roles=roles, negated=negated):
            mask = 0
            for role in roles:
                mask |= _role(role, scene)
            if negated:
                mask = ~mask & 15
            value = mask == 15 if quantifier == "all" else bool(mask) == (quantifier == "some")
            return Trace(meaning, value)
        case m.RoleIs(subject=subject, roles=roles):
            seat = scene.roles.get(subject, 0)
            return Trace(meaning, any(seat & _role(role, scene) for role in roles))
        case m.ShapeIs(shapes=shapes):
            return Trace(meaning, _arrangement(scene).shape in shapes)
        case m.WinBy(ways=ways):
            return Trace(meaning, scene.by in ways)
        case m.SeatIs(subject=which, letters=letters):
            return Trace(meaning, (scene.seat if which == "seat" else scene.round) in letters)
        case m.PairIs(tiles=tiles, negated=negated):
            pairs = _of(scene, None, "pair")
            if len(pairs) != 1:
                return Trace(meaning, False, groups=pairs)
            return Trace(meaning, in_class(pairs[0].tile, tiles, scene) != negated, groups=pairs)
        case m.WinningTileIs(tiles=tiles):
            tile = scene.hand.winning_tile
            assert tile is not None
            return Trace(meaning, in_class(tile, tiles, scene), tiles=(tile,))
        case m.WinningGroupIs(test=test):
            won = _winning_group(scene)
            if won is None:
                return Trace(meaning, False)
            return Trace(meaning, _passes(test, won, scene), groups=(won,))
        case m.WaitIs(waits=waits):
            won = _winning_group(scene)
            if won is None:
                return Trace(meaning, False)
            return Trace(meaning, wait_of(won, scene) in waits, groups=(won,))
        case m.Template(items=items):
            matched = next(_matches(items, scene), None)
            if matched is None and scene.thorough:
                return Trace(meaning, False, groups=partial_match(meaning, scene))
            return Trace(meaning, matched is not None, groups=matched or ())
        case m.HandTiles(of=of, exact=exact, lists=lists):
            held = _held(of, scene)
            for listed in lists:
                if held == dict(listed) if exact else all(held[t] >= n for t, n in listed):
                    return Trace(meaning, True, tiles=tuple(t for t, n in listed for _ in range(n)))
            return Trace(meaning, False)
    raise AssertionError(meaning)


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
            return all(in_class(tile, tiles, scene) for tile in group.tiles)
        case m.Touches(tiles=tiles):
            return any(in_class(tile, tiles, scene) for tile in group.tiles)
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
    match tiles:
        case m.TileMask(mask=mask):
            return bool(mask >> tile & 1)
        case m.TileFact(name=name):
            return bool(_class_of_fact(name, scene) >> tile & 1)
        case m.TileUnion(parts=parts):
            return any(in_class(tile, part, scene) for part in parts)
        case m.TileCommon(parts=parts):
            return all(in_class(tile, part, scene) for part in parts)
        case m.TileOther(part=part):
            return not in_class(tile, part, scene)


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
    tiles = meaning.tiles
    held = scene.hand.flowers if meaning.of == "flower" else scene.tiles
    found = tuple(tile for tile in held if tiles is None or in_class(tile, tiles, scene))
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

    def fit(at: int, used: frozenset[int], bound: dict[str, int]) -> Iterator[tuple[Group, ...]]:
        if at == len(items):
            yield ()
            return
        item = items[at]
        for place, group in enumerate(scene.groups):
            if place in used or group.kind not in _KINDS[item.kind]:
                continue
            if item.status is not None and group.status != item.status:
                continue
            extended = _bind(item.place, group, bound, scene)
            if extended is not None:
                for rest in fit(at + 1, used | {place}, extended):
                    yield (group, *rest)

    return fit(0, frozenset(), {})


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


def _bind(
    place: m.Place, group: Group, bound: dict[str, int], scene: Scene
) -> dict[str, int] | None:
    """The letters bound when `group` stands at `place`; None where it cannot."""
    if place.tiles is not None:
        return bound if _passes(m.Within(place.tiles), group, scene) else None
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
