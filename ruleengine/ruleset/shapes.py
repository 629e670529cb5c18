"""Reads the shapes of winning hands of a ruleset."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING

from ruleengine.arrange import Shape
from ruleengine.diagnostics import Label
from ruleengine.tiles import parse_tile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.ruleset.fields import Fields
    from ruleengine.ruleset.model import Text, Wall
    from ruleengine.source import MappingNode, ScalarNode

MAX_SHAPES = 32
MAX_LISTED = 5000
"""Ways to read the listed tiles of one shape."""
MAX_TRIED = 100_000
"""Choices of tiles that are looked at to find them."""

SHAPE_KEYS = ("sets", "pairs", "tiles", "doubled", "choose", "name", "doc")

Listed = tuple[tuple[tuple[int, int], ...], ...]


def read_shape(
    fields: Fields, key: ScalarNode, node: MappingNode, wall: Wall | None
) -> tuple[Shape, Text] | None:
    """A shape and its name, None where it is in error."""
    what = f"shape '{key.text}'"
    node = fields.keys(node, what, SHAPE_KEYS)
    before = len(fields.problems)
    sets = fields.number(node.get("sets"), "'sets'", 0, 6) or 0
    pairs = fields.number(node.get("pairs"), "'pairs'", 0, 9) or 0
    name = fields.words(node.get("name"), "'name'")
    fields.words(node.get("doc"), "'doc'")
    listed = _listed(fields, node, what, wall)
    if listed is None or len(fields.problems) > before:
        return None
    read = Shape(key.text, sets, pairs, listed)
    if not read.size:
        fields.report("E306", f"{what} has no sets, pairs or tiles", key.span)
        return None
    return read, name


def check_sizes(
    fields: Fields, shapes: Mapping[str, Shape], places: Mapping[str, ScalarNode]
) -> None:
    """All shapes of a ruleset have the same number of tiles: as many as most of those that are
    inherited have, or most of all where none is. Each other one is told once."""
    inherited = [shape for shape in shapes.values() if places[shape.id].span.path != fields.path]
    sizes = Counter(shape.size for shape in inherited or shapes.values())
    if not sizes:
        return
    (usual, _), *_ = sizes.most_common(1)
    first = next(shape for shape in inherited or shapes.values() if shape.size == usual)
    for shape in shapes.values():
        if shape.size != usual:
            message = (
                f"all shapes have the same number of tiles: '{shape.id}' has {shape.size}, "
                f"'{first.id}' has {first.size}"
            )
            fields.report_clash(
                "E309",
                message,
                Label(places[first.id].span, f"{first.size} tiles"),
                Label(places[shape.id].span, f"{shape.size} tiles"),
            )


def _listed(fields: Fields, shape: MappingNode, what: str, wall: Wall | None) -> Listed | None:
    """Every way to read the listed tiles of a shape."""
    node = shape.get("tiles")
    doubled = fields.number(shape.get("doubled"), "'doubled'", 0, 9)
    choose = fields.number(shape.get("choose"), "'choose'", 1, 18)
    if node is None:
        for name in ("doubled", "choose"):
            key = shape.key(name)
            if key is not None:
                fields.report("E306", f"{what} has '{name}' but no 'tiles'", key.span)
        return ()
    names = fields.tiles(node, "'tiles'", "mpszxyw")
    if names is None:
        return None
    chosen = len(names) if choose is None else choose
    for number, name in ((chosen, "choose"), (doubled or 0, "doubled")):
        most = len(names) if name == "choose" else chosen
        given = shape.get(name)
        if number > most and given is not None:
            fields.report("E306", f"'{name}' is more than the {most} tiles listed", given.span)
            return None
    found = _ways(names, chosen, doubled or 0)
    if found is None:
        message = f"{what} can be read in more than {MAX_LISTED:,} ways"
        fields.report("E308", message, node.span)
        return None
    if wall is not None and not any(_in_wall(way, wall) for way in found):
        message = f"the wall does not have the tiles of {what}"
        fields.report("E317", message, node.span)
        return None
    return found


def _in_wall(way: tuple[tuple[int, int], ...], wall: Wall) -> bool:
    return all(copies <= wall.copies.get(tile, 0) for tile, copies in way)


def _ways(names: list[str], chosen: int, doubled: int) -> Listed | None:
    """Every list of tiles that the names stand for, None where there are too many."""
    if 6 * math.comb(len(names), chosen) * math.comb(chosen, doubled) > MAX_TRIED:
        return None
    lists: set[tuple[tuple[int, int], ...]] = set()
    for suits in itertools.permutations("mps"):
        settled = [
            parse_tile(name[0] + (suits["xyw".index(name[1])] if name[1] in "xyw" else name[1]))
            for name in names
        ]
        for subset in itertools.combinations(settled, chosen):
            for twice in itertools.combinations(subset, doubled):
                lists.add(tuple(sorted(Counter((*subset, *twice)).items())))
                if len(lists) > MAX_LISTED:
                    return None
    return tuple(sorted(lists))
