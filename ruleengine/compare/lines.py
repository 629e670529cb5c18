"""Values of a ruleset as lines that do not depend on how a file is laid out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ruleengine.arrange import bits
from ruleengine.compare.wording import words_of, written
from ruleengine.tiles import SEATS, format_tiles, tile_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.arrange import Shape
    from ruleengine.ruleset.model import Example, Liability, Option, Pattern, Payment, Stakes, Wall


def choices_line(option: Option) -> str | None:
    """The choices of an option, whose order does not matter."""
    return ", ".join(map(str, sorted(option.choices))) or None


def option_line(option: Option) -> str:
    """What an option is, but for its texts."""
    choices = " ".join(map(str, sorted(option.choices))) or None
    bounds = {"choices": choices, "min": option.least, "max": option.most}
    return _lined({"default": written(option.default), **bounds})


def shape_line(shape: Shape, given: Mapping[str, str]) -> str:
    """A shape; `given` has its listed tiles as they are written, where that is known."""
    found: dict[str, object] = {"sets": shape.sets or None, "pairs": shape.pairs or None}
    if shape.listed:
        tiles = (tile for tile, copies in shape.listed[0] for _ in range(copies))
        found |= given or {"tiles": format_tiles(tiles)}
    return _lined(found)


def _lined(values: Mapping[str, object]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in values.items() if value is not None)


def wall_line(wall: Wall) -> str:
    """The tiles by the number of each, most first, with a line for each suit."""
    held: dict[tuple[int, str], list[int]] = {}
    for tile, copies in sorted(wall.copies.items()):
        held.setdefault((-copies, tile_name(tile)[-1]), []).append(tile)
    rows = sorted(held.items(), key=lambda row: (row[0][0], row[1]))
    return "\n".join(f"{-less} of each {format_tiles(tiles)}" for (less, _), tiles in rows)


def flower_line(wall: Wall) -> str | None:
    """The flowers of each seat."""
    masks = sorted(wall.seat_flowers.items(), key=lambda item: SEATS.index(item[0]))
    return _lined({seat: format_tiles(bits(mask)) for seat, mask in masks}) or None


def dora_line(wall: Wall) -> str | None:
    """The circles in which an indicator makes the next tile dora, lowest tile first."""
    rest = dict(sorted(wall.dora.items()))
    circles = []
    while rest:
        first = tile = next(iter(rest))
        circle = []
        while tile in rest:
            circle.append(tile_name(tile))
            tile = rest.pop(tile)
        assert tile == first
        circles.append(" ".join(circle))
    return ", ".join(circles) or None


def liability_line(liability: Liability) -> str | None:
    """What becomes of a discarder's duty, None where nothing does."""
    names = ("moves", "nobody", "barred")
    return ", ".join(name for name in names if getattr(liability, name)) or None


def stakes_line(stakes: Stakes) -> str:
    """What is paid in advance."""
    returned = "true" if stakes.returned else None
    amount = words_of(stakes.amount)
    return _lined({"event": stakes.event, "amount": amount, "to": stakes.to, "returned": returned})


def pattern_lines(pattern: Pattern) -> str:
    """What a pattern is, but for its texts and examples."""
    sentences = {**pattern.awards, "when": pattern.when, "times": pattern.times}
    found = {key: words_of(sentence) for key, sentence in sentences.items()}
    found["series"] = pattern.series
    found["supersedes"] = ", ".join(sorted(pattern.supersedes)) or None
    found["bonus"] = "true" if pattern.bonus else None
    return "\n".join(f"{key}: {value}" for key, value in found.items() if value is not None)


def payment_line(payment: Payment) -> str:
    """A line of a settlement."""
    pays = f"pays: {words_of(payment.pays)}"
    return pays if payment.when is None else f"when: {words_of(payment.when)}, {pays}"


def example_key(example: Example) -> str:
    """What an example says, layout aside."""
    parts = (example.record, example.points, example.why.by_language)
    values = [*parts, example.lost_to, example.fails]
    return json.dumps(values, ensure_ascii=False, sort_keys=True, default=dict)


def example_line(example: Example) -> str:
    """An example with what it is worth, without the reason."""
    record = {key: value for key, value in example.record.items() if key != "hand"}
    shown = [str(example.record.get("hand", ""))]
    shown += [f"{key} {value}" for key, value in record.items()]
    if example.points is not None:
        shown.append(f"= {example.points}")
    return " ".join(shown)
