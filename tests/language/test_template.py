"""Templates: the instances that they stand for, and how instances are found in masks."""

from __future__ import annotations

import ast
import itertools
import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ruleengine.arrange import Arrangement, Group
from ruleengine.hand import Hand
from ruleengine.language import generate as g
from ruleengine.language import meaning as m
from ruleengine.language.interpret import Scene, in_class, trace
from ruleengine.language.operations import Operations
from ruleengine.language.template import Allowed, assignments, bounds, ground, scan
from ruleengine.tiles import CLASSES, TILE_INDEX, rank_of, suit_of
from tests.language.names import meaning_of
from tests.language.sentences import Known, templates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ruleengine.language.template import Layer, Requirement


def items_of(text: str) -> tuple[m.Item, ...]:
    template = meaning_of(text)
    assert isinstance(template, m.Template)
    return template.items


# ---- instances -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "instances"),
    [
        # One in each suit.
        ("has sequence 1x", 3),
        # Two suits of three, in either order: sets that are the same stand once.
        ("has sequence 1x, sequence 1y", 3),
        ("has sequence 1x, sequence 2y", 6),
        # Seven ranks at which a sequence can start.
        ("has sequence rx, sequence ry, sequence rw", 7),
        ("has sequence rx, sequence r+1y, sequence r+2w", 6 * 5),
        ("has sequence 1x, sequence 4x, sequence 7x", 3),
        ("has triplet rx, triplet r+1x, triplet r+2x", 3 * 7),
        # Nine ranks, and three suits for the pair.
        ("has triplet rx, triplet ry, pair rw", 9 * 3),
        ("has pair rx, pair r+1x, pair r+2x, pair r+3x, pair r+4x, pair r+5x, pair r+6x", 3 * 3),
        # Two different ranks, each order the same hand.
        ("has triplet rx, triplet qx", 3 * 36),
        ("has sequence rx, sequence qx, sequence ry, sequence qy", 3 * 21),
        ("has sequence A", 21),
        ("has triplet A", 34),
        ("has sequence A, sequence A", 21),
        ("has sequence A, sequence A, sequence B, sequence B", 21 * 20 // 2),
        ("has sequence A, sequence A, sequence B", 21 * 20),
        ("has sequence A, triplet A", 21),
        ("has triplet A, pair B", 34 * 33),
        # No tile has two triplets.
        ("has triplet A, triplet A", 0),
        ("has triplet A, kong A", 0),
        ("has triplet dragon, triplet dragon", 3),
        ("has triplet dragon, pair dragon", 9),
        ("has sequence dots", 7),
        ("has sequence 123m456p", 2),
        ("has sequence 7s, pair 9s", 1),
        ("has sequence dragon", 0),
        ("has pair seat_wind", 4),
        ("has triplet seat_flower", 0),
    ],
)
def test_the_number_of_instances(text: str, instances: int) -> None:
    items = items_of(text)
    assert len(ground(items)) == instances
    assert assignments(items) >= instances


def test_an_instance_says_how_many_groups_stand_where() -> None:
    tile = TILE_INDEX["5z"]
    (instance,) = ground(items_of("has triplet 5z"))
    assert instance == {((("triplet", None), 1), tile)}
    run = TILE_INDEX["3s"]
    (instance,) = ground(items_of("has sequence 3s, sequence 3s"))
    assert instance == {((("sequence", None), 2), run)}
    # Of two sequences at one tile, one must be claimed.
    (instance,) = ground(items_of("has sequence 3s, claimed sequence 3s"))
    assert instance == {((("sequence", None), 2), run), ((("sequence", "claimed"), 1), run)}


def test_an_instance_of_a_class_that_depends_on_the_situation_asks_whether_it_is_allowed() -> None:
    wind = m.TileFact("seat_wind")
    instances = ground(items_of("has pair seat_wind"))
    assert instances == {
        frozenset({((("pair", None), 1), tile), (Allowed(wind, False), tile)})
        for tile in range(TILE_INDEX["1z"], TILE_INDEX["4z"] + 1)
    }


SHAPE_TILES = (1 << 34) - 1


@pytest.mark.parametrize(
    ("text", "always", "sometimes"),
    [
        ("dragon", CLASSES["dragon"], CLASSES["dragon"]),
        ("seat_wind", 0, CLASSES["wind"]),
        ("dragon | round_wind", CLASSES["dragon"], CLASSES["honor"]),
        ("~seat_wind", SHAPE_TILES & ~CLASSES["wind"], SHAPE_TILES),
        ("honor & ~seat_wind", CLASSES["dragon"], CLASSES["honor"]),
        ("winning_tile & dots", 0, CLASSES["dots"]),
        ("seat_flower | 1m", 1, 1),
    ],
)
def test_bounds_of_a_class(text: str, always: int, sometimes: int) -> None:
    place = items_of(f"has pair {text}")[0].place
    assert place.tiles is not None
    assert bounds(place.tiles) == (always, sometimes)


# ---- against every choice of groups and letters --------------------------------------------------

KINDS = {
    "sequence": {"sequence"}, "triplet": {"triplet", "kong"}, "kong": {"kong"}, "pair": {"pair"},
}  # fmt: skip


def fits(items: tuple[m.Item, ...], groups: tuple[Group, ...], scene: Scene) -> bool:
    """Whether some choice of distinct groups fits all items, by trying every one."""
    return any(_fit(items, chosen, scene) for chosen in itertools.permutations(groups, len(items)))


def _fit(items: tuple[m.Item, ...], chosen: tuple[Group, ...], scene: Scene) -> bool:
    letters: dict[str, set[int]] = {}
    for item, group in zip(items, chosen, strict=True):
        place = item.place
        if group.kind not in KINDS[item.kind] or item.status not in (None, group.status):
            return False
        if place.tiles is not None:
            if not all(in_class(tile, place.tiles, scene) for tile in group.tiles):
                return False
        elif place.letter is not None:
            letters.setdefault(place.letter, set()).add(group.tile)
        else:
            suit, rank = suit_of(group.tile), rank_of(group.tile)
            if suit is None or rank is None:
                return False
            assert place.suit is not None
            letters.setdefault(place.suit, set()).add(suit)
            if isinstance(place.rank, int):
                if place.rank != rank:
                    return False
            else:
                assert place.rank is not None
                letters.setdefault(place.rank, set()).add(rank - place.offset)
    if any(len(values) > 1 for values in letters.values()):
        return False
    values = {letter: next(iter(found)) for letter, found in letters.items()}
    if any(values[rank] < 1 for rank in "rq" if rank in values):
        return False
    sorts = [[v for k, v in values.items() if k in same] for same in ("rq", "xyw")]
    sorts.append([value for letter, value in values.items() if letter.isupper()])
    return all(len(set(sort)) == len(sort) for sort in sorts)


def random_groups(rng: random.Random) -> tuple[Group, ...]:
    """A few groups near one another, so that templates often fit."""
    base = rng.randrange(34)
    found: list[Group] = []
    for _ in range(5):
        kind = rng.choice(("sequence", "sequence", "triplet", "kong", "pair"))
        tile = rng.choice((base, base + 9, base + 18, base + rng.randrange(4), rng.randrange(34)))
        tile %= 34
        if kind == "sequence" and (tile >= 27 or tile % 9 > 6):
            tile = tile % 7 + 9 * rng.randrange(3)
        status = rng.choice(("concealed", "claimed"))
        if kind == "triplet":
            status = rng.choice(("concealed", "claimed", "completed"))
        if kind == "pair":
            status = "concealed"
        found.append(Group(kind, tile, status))  # type: ignore[arg-type]
    return tuple(found)


def scene_of(groups: tuple[Group, ...], rng: random.Random) -> Scene:
    hand = Hand((), (), rng.choice(groups).tile)
    return Scene(
        hand, "self_draw", rng.choice("ESWN"), rng.choice("ESWN"), frozenset(), {},
        Arrangement("basic", groups),
    )  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(templates(Known(classes=("value",))), st.integers(0, 2**32))
def test_the_interpreter_tries_every_choice_of_groups(text: str, seed: int) -> None:
    template = meaning_of(text)
    assert isinstance(template, m.Template)
    rng = random.Random(seed)
    for _ in range(10):
        groups = random_groups(rng)
        scene = scene_of(groups, rng)
        found = trace(template, scene)
        assert found.value == fits(template.items, groups, scene), (text, [*map(str, groups)])
        if found.value:
            assert _fit(template.items, found.groups, scene)


# ---- finding instances in masks ------------------------------------------------------------------

LAYERS: tuple[Layer, ...] = (
    (("sequence", None), 1), (("sequence", None), 2), (("pair", None), 1), (("kong", "claimed"), 1),
)  # fmt: skip


def scanner(instances: frozenset[Requirement]) -> Callable[..., object]:
    """The scan for some instances as a function of the four layers."""
    ops = Operations()
    names = {layer: f"layer{at}" for at, layer in enumerate(LAYERS)}
    root = scan(ops, instances, lambda layer: ops.fact(names[layer]))
    emitter = g.Emitter([root])
    body = [*emitter.fixed_statements(), *emitter.moving_statements()]
    body.append(ast.Return(emitter.expression(root)))
    return g.build("scan", list(names.values()), body, {})  # type: ignore[return-value]


def some_instances(rng: random.Random) -> frozenset[Requirement]:
    """Instances as templates make them: pictures moved about, any so many of some, products."""

    def picture() -> list[tuple[Layer, int]]:
        used = rng.sample(LAYERS, rng.randint(1, 3))
        return [(rng.choice(used), rng.randrange(5)) for _ in range(rng.randint(1, 4))]

    sort = rng.randrange(4)
    if sort == 0:
        shapes = [picture() for _ in range(rng.randint(1, 3))]
        return frozenset(
            frozenset((layer, tile + by) for layer, tile in rng.choice(shapes))
            for by in rng.sample(range(30), rng.randint(1, 20))
        )
    if sort == 1:
        tiles = rng.sample(range(34), rng.randint(3, 9))
        layer = rng.choice(LAYERS)
        return frozenset(
            frozenset((layer, tile) for tile in chosen)
            for chosen in itertools.combinations(tiles, rng.randint(1, 3))
        )
    if sort == 2:
        first, second = rng.sample(LAYERS, 2)
        left, right = rng.sample(range(34), 4), rng.sample(range(34), 3)
        return frozenset(
            frozenset({(first, a), (second, b)}) for a, b in itertools.product(left, right)
        )
    return frozenset(frozenset(picture()) for _ in range(rng.randint(1, 25)))


def masks(rng: random.Random) -> Iterator[list[int]]:
    for density in (0.1, 0.3, 0.6, 0.9):
        for _ in range(8):
            yield [sum((rng.random() < density) << tile for tile in range(34)) for _ in LAYERS]


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32))
def test_a_scan_finds_what_some_instance_asks_for(seed: int) -> None:
    rng = random.Random(seed)
    instances = some_instances(rng)
    found = scanner(instances)
    for held in masks(rng):
        by_layer = dict(zip(LAYERS, held, strict=True))
        expected = any(
            all(by_layer[layer] >> tile & 1 for layer, tile in instance) for instance in instances
        )
        assert bool(found(*held)) is expected, (instances, held)


def test_no_instance_is_never_there() -> None:
    ops = Operations()
    assert scan(ops, frozenset(), lambda layer: ops.fact("layer")) is ops.false


def test_any_two_of_a_layer_become_one_count() -> None:
    ops = Operations()
    instances = ground(items_of("has triplet dragon, triplet dragon"))
    root = scan(ops, instances, lambda layer: ops.fact("triplets"))
    assert root.kind == ">="
    assert [arg.kind for arg in root.args] == ["bits", "constant"]
    assert root.args[1].value == 2
    assert CLASSES["dragon"] in [arg.value for arg in root.args[0].args[0].args]
