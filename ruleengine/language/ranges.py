"""Between which bounds the numbers of operations lie, whatever the hand: how wide a column must be.

The bounds are safe, not tight: parts that depend on each other are looked at as if they did not.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from ruleengine.language.bounds import TRUTH, Range, hull
from ruleengine.language.operations import CALCULATE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ruleengine.language.operations import Kind, Op

MASK = Range(0, (1 << 64) - 1)
NUMBERS: Mapping[str, Range] = {
    # Far more than any hand has.
    "runs": Range(0, 15), "cn": Range(0, 15), "waits": Range(0, 64), "dora": Range(0, 10_000),
}  # fmt: skip
"""The facts that are numbers, with what they can be."""
_CALCULATED = frozenset(CALCULATE)
_COMPARED = frozenset({"=", "!=", "<", "<=", ">", ">="})
_MASKS = frozenset({"and", "or", "without", "left", "right"})


def ranges_of(order: Iterable[Op], facts: Mapping[str, Range] | None = None) -> dict[Op, Range]:
    """What each operation can come to; `order` has every operation after its parts.

    `facts` are the ranges of facts that are numbers, besides `NUMBERS`.
    """
    known = {**NUMBERS, **(facts or {})}
    found: dict[Op, Range] = {}
    for op in order:
        found[op] = _range(op, [found[arg] for arg in op.args], known)
    return found


def _range(op: Op, args: list[Range], facts: Mapping[str, Range]) -> Range:
    if op.kind == "constant":
        assert isinstance(op.value, int)
        return Range(int(op.value), int(op.value))
    if op.kind == "fact":
        return facts.get(str(op.value), MASK)
    if op.kind in _MASKS:
        return MASK
    if op.kind == "bits":
        return Range(0, 64)
    if op.kind == "if":
        return hull(args[1:])
    if op.kind in ("round_up", "round_down"):
        # By less than a step up or down.
        (low, high), (_, step) = args
        return Range(low - step, high) if op.kind == "round_down" else Range(low, high + step)
    if op.kind in _CALCULATED:
        return calculated(op.kind, args)
    return TRUTH


def calculated(kind: Kind, args: Sequence[Range]) -> Range:
    """Between which bounds a number lies that is calculated from some others, not by rounding."""
    found = args[0]
    work = CALCULATE[kind]
    for arg in args[1:]:
        corners = [work(a, b) for a, b in product(found, arg)]
        found = Range(min(corners), max(corners))
    return found


def reach_of(ranges: Mapping[Op, Range]) -> int:
    """How far from 0 the numbers can be that are calculated with on the way, sums of some parts
    included."""
    most = 0
    for op in ranges:
        if op.kind in _CALCULATED or op.kind in _COMPARED or op.kind == "if":
            parts = [ranges[arg].size for arg in op.args]
            together = sum(parts) if op.kind in ("add", "subtract") else max(parts)
            own = 0 if op.kind in _COMPARED else ranges[op].size
            most = max(most, together, own)
    return most
