"""The operations that a checked sentence comes down to, over bit masks and whole numbers.

A mask has one bit a tile (`tiles`); sets of groups are masks of their lowest tiles. Equal
operations are made once, so that work shared by many patterns is done once. Nothing here
knows how it will be run: `generate` makes Python of it for one hand at a time, and columns
of a batch can be run through the same operations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Kind = Literal[
    "constant", "fact",
    "and", "or", "without", "left", "right", "bits",
    "add", "subtract", "multiply", "min", "max", "round_up", "round_down",
    "=", "!=", "<", "<=", ">", ">=", "nonzero", "within", "includes",
    "all", "any", "not", "if",
]  # fmt: skip

ARRANGEMENT_FACTS = frozenset(
    {
        "shape",
        "n1",
        "runs",
        "s1",
        "s2",
        "s3",
        "s4",
        "t",
        "p1",
        "p2",
        "open_t",
        "won_s",
        "won_t",
        "won_p",
    }
)
"""Facts that differ between arrangements of one hand; all others are facts of the hand."""

EVERYTHING = (1 << 42) - 1
"""A mask of every tile, flowers included."""

Value = int | bool | frozenset[int]


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """One operation: its kind, what it works on, a value for constants and names.

    `moving` says that the result may differ between arrangements of one hand.
    """

    kind: Kind
    args: tuple[Op, ...] = ()
    value: Value | str | None = None
    moving: bool = False


class Operations:
    """Makes operations, each different one once, and simplifies what it can on the way.

    `fixed` are facts whose value is known beforehand; they become constants.
    """

    def __init__(self, fixed: Mapping[str, int] | None = None) -> None:
        self._fixed = dict(fixed or {})
        self._made: dict[tuple[object, ...], Op] = {}
        self.true = self.constant(True)
        self.false = self.constant(False)
        self.zero = self.constant(0)

    def _make(self, kind: Kind, args: tuple[Op, ...] = (), value: Value | str | None = None) -> Op:
        key = (kind, type(value), value, *map(id, args))
        found = self._made.get(key)
        if found is None:
            moving = any(arg.moving for arg in args) or value in ARRANGEMENT_FACTS
            found = Op(kind, args, value, moving)
            self._made[key] = found
        return found

    def constant(self, value: int | bool) -> Op:
        """A number, mask or truth that never changes."""
        return self._make("constant", value=value)

    def fact(self, name: str) -> Op:
        """A fact that the evaluator is given, or a constant where it is fixed."""
        if name in self._fixed:
            return self.constant(self._fixed[name])
        return self._make("fact", value=name)

    # ---- masks ----------------------------------------------------------------------

    def and_(self, *args: Op) -> Op:
        """Bits in all of the masks."""
        fixed = -1
        rest: dict[Op, None] = {}
        for arg in _flat("and", args):
            if arg.kind == "constant":
                fixed &= _int(arg)
            else:
                rest[arg] = None
        if fixed == 0 or not rest:
            return self.constant(fixed if not rest else 0)
        parts = tuple(rest) if fixed == -1 else (*rest, self.constant(fixed))
        return parts[0] if len(parts) == 1 else self._make("and", parts)

    def or_(self, *args: Op) -> Op:
        """Bits in any of the masks."""
        fixed = 0
        rest: dict[Op, None] = {}
        for arg in _flat("or", args):
            if arg.kind == "constant":
                fixed |= _int(arg)
            else:
                rest[arg] = None
        parts = (*rest, self.constant(fixed)) if fixed or not rest else tuple(rest)
        return parts[0] if len(parts) == 1 else self._make("or", parts)

    def without(self, left: Op, right: Op) -> Op:
        """Bits of the first mask that the second has not."""
        if left.kind == "constant" and _int(left) == 0:
            return left
        if right.kind == "constant":
            return (
                self.and_(left, self.constant(EVERYTHING & ~_int(right))) if _int(right) else left
            )
        return self.zero if left is right else self._make("without", (left, right))

    def shift(self, mask: Op, by: int) -> Op:
        """A mask moved by `by` tiles, down where `by` is positive."""
        if by == 0 or (mask.kind == "constant" and _int(mask) == 0):
            return mask
        if mask.kind == "constant":
            return self.constant(_int(mask) >> by if by > 0 else _int(mask) << -by)
        return self._make("right" if by > 0 else "left", (mask,), abs(by))

    def bits(self, mask: Op) -> Op:
        """How many bits a mask has."""
        if mask.kind == "constant":
            return self.constant(_int(mask).bit_count())
        return self._make("bits", (mask,))

    # ---- numbers --------------------------------------------------------------------

    def calculate(self, kind: Kind, *args: Op) -> Op:
        """`add`, `subtract`, `multiply`, `min`, `max`, `round_up` or `round_down`."""
        if all(arg.kind == "constant" for arg in args):
            return self.constant(CALCULATE[kind](*map(_int, args)))
        if kind == "add":
            args = tuple(arg for arg in args if not (arg.kind == "constant" and not _int(arg)))
            if len(args) == 1:
                return args[0]
        return self._make(kind, args)

    def add(self, args: list[Op]) -> Op:
        """The sum of the numbers, 0 of none."""
        total = self.zero
        for arg in args:
            total = self.calculate("add", total, arg)
        return total

    # ---- truths ---------------------------------------------------------------------

    def compare(self, sign: Kind, left: Op, right: Op) -> Op:
        """Two numbers compared."""
        if left.kind == right.kind == "constant":
            return self.constant(COMPARE[sign](_int(left), _int(right)))
        return self._make(sign, (left, right))

    def nonzero(self, mask: Op) -> Op:
        """Whether a mask has any bit."""
        if mask.kind == "constant":
            return self.constant(_int(mask) != 0)
        return self._make("nonzero", (mask,))

    def within(self, number: Op, values: frozenset[int]) -> Op:
        """Whether a number is one of the values."""
        return self._make("within", (number,), values)

    def includes(self, packed: Op, needed: int) -> Op:
        """Whether a packed count has at least what another has (see `arrange.pack`)."""
        return self._make("includes", (packed,), needed)

    def not_(self, part: Op) -> Op:
        """The opposite of a truth."""
        if part.kind == "constant":
            return self.constant(not part.value)
        return part.args[0] if part.kind == "not" else self._make("not", (part,))

    def all_(self, parts: list[Op]) -> Op:
        """Whether all are true; looked at in order up to the first false."""
        return self._joined("all", parts, neutral=self.true, ends=self.false)

    def any_(self, parts: list[Op]) -> Op:
        """Whether some is true; looked at in order up to the first true."""
        return self._joined("any", parts, neutral=self.false, ends=self.true)

    def _joined(self, kind: Kind, parts: list[Op], neutral: Op, ends: Op) -> Op:
        kept: dict[Op, None] = {}
        for part in _flat(kind, tuple(parts)):
            if part is ends:
                return ends
            if part is not neutral:
                kept[part] = None
        if not kept:
            return neutral
        return next(iter(kept)) if len(kept) == 1 else self._make(kind, tuple(kept))

    def if_(self, test: Op, first: Op, second: Op) -> Op:
        """The first or the second, by the test."""
        if test.kind == "constant":
            return first if test.value else second
        return first if first is second else self._make("if", (test, first, second))


COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
CALCULATE: Mapping[str, Callable[..., int]] = {
    "add": lambda *a: sum(a),
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "min": min,
    "max": max,
    "round_up": lambda a, b: -(-a // b) * b,
    "round_down": lambda a, b: a // b * b,
}


def _int(op: Op) -> int:
    assert isinstance(op.value, int)
    return op.value


def _flat(kind: Kind, args: tuple[Op, ...]) -> list[Op]:
    """The arguments with nested operations of the same kind opened."""
    found: list[Op] = []
    for arg in args:
        if arg.kind == kind:
            found += arg.args
        else:
            found.append(arg)
    return found
