"""Runs operations over NumPy columns: the same operations as `generate`, a column at a time.

A truth is a bool column, a mask a uint64 column, a number an int32 column, or a wider one where a
number may be larger (`bounds`). Packed counts do not fit one column; they are given as `Keys`, one
number a suit.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.arrange import SUIT_BITS, SUIT_MASK
from ruleengine.language.ranges import ranges_of, reach_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from numpy.typing import NDArray

    from ruleengine.language.bounds import Range
    from ruleengine.language.operations import Op

Column = Any
"""A NumPy column, or a plain number or truth that is the same for all rows."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Packed counts as four columns, one a suit: each suit counted in base five, lowest rank
    first. `table` has the packed count of a suit (`arrange.pack`) by its key."""

    suits: tuple[NDArray[np.int64], ...]
    table: NDArray[np.uint64]

    def packed(self) -> tuple[NDArray[np.uint64], ...]:
        """The columns as packed counts."""
        return tuple(self.table.take(suit) for suit in self.suits)

    def take(self, rows: NDArray[np.intp]) -> Keys:
        """Some of the rows."""
        return Keys(tuple(suit.take(rows) for suit in self.suits), self.table)


class ColumnProgram:
    """Works out operations over columns; what several of them share is worked out once.

    `roots` are the operations that may be asked for, in any number of calls of `run`; `ranges`
    says between which bounds facts lie that are numbers (see `bounds.NUMBERS`). Numbers are of a
    type that holds whatever can come up: `number`, which is int32, int64 or Python's own numbers.
    """

    def __init__(self, roots: Iterable[Op], ranges: Mapping[str, Range] | None = None) -> None:
        self.roots = tuple(dict.fromkeys(roots))
        self._steps: list[tuple[Op, tuple[Op, ...]]] = []
        order = operations_below(self.roots)
        found = ranges_of(order, ranges)
        self.ranges = {root: found[root] for root in self.roots}
        self.number = number_type(reach_of(found))
        self._operations = _OPERATIONS[self.number]
        last: dict[Op, int] = {}
        for at, op in enumerate(order):
            for arg in op.args:
                last[arg] = at
        kept = set(self.roots)
        for at, op in enumerate(order):
            done = tuple(
                arg
                for arg in dict.fromkeys(op.args)
                if last[arg] == at and arg not in kept and arg.kind not in ("fact", "constant")
            )
            self._steps.append((op, done))

    def __len__(self) -> int:
        """How many operations are worked out."""
        return len(self._steps)

    @property
    def facts(self) -> frozenset[str]:
        """The facts that the operations read."""
        return frozenset(str(op.value) for op, _ in self._steps if op.kind == "fact")

    def run(self, facts: Mapping[str, Column | Keys]) -> dict[Op, Column]:
        """The columns of the roots, from the columns of the facts (all of one length)."""
        found: dict[Op, Column] = {}
        for op, done in self._steps:
            if op.kind == "constant":
                found[op] = op.value
            elif op.kind == "fact":
                found[op] = facts[str(op.value)]
            else:
                found[op] = self._operations[op.kind](op, *[found[arg] for arg in op.args])
                for arg in done:
                    del found[arg]
        return {root: found[root] for root in self.roots}


def operations_below(roots: Iterable[Op]) -> list[Op]:
    """The operations that some are made of, themselves included, each once and after its parts."""
    order: list[Op] = []
    seen: set[Op] = set()
    pending = [(root, False) for root in roots]
    pending.reverse()
    while pending:
        op, ready = pending.pop()
        if ready:
            order.append(op)
        elif op not in seen:
            seen.add(op)
            pending.append((op, True))
            pending += [(arg, False) for arg in reversed(op.args)]
    return order


# ---- operations --------------------------------------------------------------------

_LOW64 = (1 << 64) - 1


def _mask(value: Column) -> Column:
    """A constant as a mask of 64 bits; a column as it is."""
    return np.uint64(value & _LOW64) if isinstance(value, int) else value


def number_type(most: int) -> Any:
    """The type of a column whose numbers are at most so far from 0; no sentence of a ruleset goes
    beyond 64 bits (`language.bounds`)."""
    if most <= np.iinfo(np.int32).max:
        return np.int32
    return np.int64


def _number(value: Column, number: Any) -> Column:
    """A column of numbers wide enough to calculate with."""
    if isinstance(value, int):
        return value
    if value.dtype == number or (value.dtype == np.int64 and number is np.int32):
        return value
    return value.astype(number)


def _and(op: Op, *args: Column) -> Column:
    found = _mask(args[0])
    for arg in args[1:]:
        found = found & _mask(arg)
    return found


def _or(op: Op, *args: Column) -> Column:
    found = _mask(args[0])
    for arg in args[1:]:
        found = found | _mask(arg)
    return found


def _without(op: Op, left: Column, right: Column) -> Column:
    return _mask(left) & ~_mask(right)


def _right(op: Op, mask: Column) -> Column:
    assert isinstance(op.value, int)
    return _mask(mask) >> np.uint64(op.value)


def _left(op: Op, mask: Column) -> Column:
    assert isinstance(op.value, int)
    return _mask(mask) << np.uint64(op.value)


def _bits(op: Op, mask: Column) -> Column:
    return np.bitwise_count(_mask(mask))


def _nonzero(op: Op, mask: Column) -> Column:
    return _mask(mask) != np.uint64(0)


def _all(op: Op, *args: Column) -> Column:
    found = args[0]
    for arg in args[1:]:
        found = found & arg
    return found


def _any(op: Op, *args: Column) -> Column:
    found = args[0]
    for arg in args[1:]:
        found = found | arg
    return found


def _not(op: Op, arg: Column) -> Column:
    return not arg if isinstance(arg, bool) else ~arg


def _choose(number: Any) -> Callable[..., Column]:
    def run(op: Op, test: Column, first: Column, second: Column) -> Column:
        if isinstance(test, bool | np.bool_):
            return first if test else second
        if all(isinstance(x, bool) for x in (first, second)):
            return np.where(test, first, second)
        if _is_number(first) and _is_number(second):
            if type(first) is int and type(second) is int and (first, second) == (1, 0):
                return test.view(np.uint8)
            sides = [
                np.array(x, dtype=number) if isinstance(x, int) else _number(x, number)
                for x in (first, second)
            ]
            return np.where(test, *sides)
        return np.where(test, first, second)

    return run


def _is_number(value: Column) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool)
    return value.dtype.kind in "iuO" and value.dtype != np.uint64


def _calculate(ufunc: Any, number: Any) -> Callable[..., Column]:
    def run(op: Op, *args: Column) -> Column:
        found = _number(args[0], number)
        for arg in args[1:]:
            found = ufunc(found, _number(arg, number))
        return found

    return run


def _compare(ufunc: Any, number: Any) -> Callable[..., Column]:
    def run(op: Op, left: Column, right: Column) -> Column:
        if isinstance(right, int) and not isinstance(left, int) and left.dtype == np.uint8:
            if 0 <= right <= 255:
                return ufunc(left, np.uint8(right))
            left = left.astype(number)
        return ufunc(_number(left, number), _number(right, number))

    return run


def _round(up: bool, number: Any) -> Callable[..., Column]:
    def run(op: Op, value: Column, step: Column) -> Column:
        value = _number(value, number)
        return -(-value // step) * step if up else value // step * step

    return run


def base_five(code: int) -> int:
    """The packed count of one suit, counted in base five instead; its counts are 4 at most."""
    return sum((code >> (4 * place) & 15) * 5**place for place in range(9))


def _suits_of(packed: int) -> tuple[int, ...]:
    return tuple(packed >> (SUIT_BITS * suit) & SUIT_MASK for suit in range(4))


@lru_cache(maxsize=4096)
def _keys_within(codes: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """Packed counts as the keys of their suits, in their order."""
    return tuple(tuple(map(base_five, _suits_of(packed))) for packed in sorted(codes))


def _within(op: Op, keys: Keys) -> Column:
    assert isinstance(op.value, frozenset)
    found: Column = False
    same_keys: dict[tuple[int, int], Column] = {}
    for wanted in _keys_within(op.value):
        same: Column = True
        for suit, key in enumerate(wanted):
            column = same_keys.get((suit, key))
            if column is None:
                column = same_keys[suit, key] = keys.suits[suit] == key
            same = same & column
        found = found | same
    return found


_HIGH = np.uint64(sum(8 << (4 * place) for place in range(9)))


def _includes(op: Op, keys: Keys) -> Column:
    assert isinstance(op.value, int)
    found: Column = True
    for column, value in zip(keys.packed(), _suits_of(op.value), strict=True):
        if value:
            left = (column | _HIGH) - np.uint64(value)
            found = found & ((left & _HIGH) == _HIGH)
    return found


_OF_MASKS: dict[str, Callable[..., Column]] = {
    "and": _and,
    "or": _or,
    "without": _without,
    "right": _right,
    "left": _left,
    "bits": _bits,
    "nonzero": _nonzero,
    "all": _all,
    "any": _any,
    "not": _not,
    "within": _within,
    "includes": _includes,
}


def _with_numbers(number: Any) -> dict[str, Callable[..., Column]]:
    calculated = {
        "add": np.add,
        "subtract": np.subtract,
        "multiply": np.multiply,
        "min": np.minimum,
        "max": np.maximum,
    }
    compared = {
        "=": np.equal,
        "!=": np.not_equal,
        "<": np.less,
        "<=": np.less_equal,
        ">": np.greater,
        ">=": np.greater_equal,
    }
    return {
        **_OF_MASKS,
        "if": _choose(number),
        **{kind: _calculate(ufunc, number) for kind, ufunc in calculated.items()},
        **{kind: _compare(ufunc, number) for kind, ufunc in compared.items()},
        "round_up": _round(True, number),
        "round_down": _round(False, number),
    }


_OPERATIONS = {number: _with_numbers(number) for number in (np.int32, np.int64)}
"""How to run operations, by the type of their numbers."""
