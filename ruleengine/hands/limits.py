"""What a shape says of numbers before any hand is laid out: between which bounds they lie, so that
comparisons are settled, and which of them only add up what each group brings.

A hand of four sets and a pair has 14 to 18 tiles, at most 13 of them different and four of a tile
at most four times. The bounds hold for every hand of the shape, and may be wider than those of its
hands.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, cast

from ruleengine.hands.facts import again
from ruleengine.language.bounds import Range, hull
from ruleengine.language.columns import operations_below
from ruleengine.language.operations import CALCULATE, COMPARE
from ruleengine.language.ranges import calculated
from ruleengine.tiles import FIRST_FLOWER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.arrange import Shape
    from ruleengine.language.operations import Kind, Op, Operations

LAYERS = ("N:m+s", "n2", "n3", "n4")
"""The facts that say of which tiles a hand has one, two, three and four at least."""
_OF_SHAPE = (1 << FIRST_FLOWER) - 1
_ALL = (1 << 64) - 1
_OPPOSITE: Mapping[Kind, Kind] = {"!=": "=", "<": ">=", "<=": ">"}


def weights_of(name: str) -> tuple[int, ...]:
    """What each tile adds to a fact whose name begins with `W:`."""
    return tuple(map(int, name[2:].split(",")))


class Limits:
    """The bounds of one shape, of tiles that a wall has."""

    def __init__(self, ops: Operations, shape: Shape, wall: Mapping[int, int]) -> None:
        self.ops = ops
        self.shape = shape
        self.tiles = sum(1 << tile for tile, copies in wall.items() if copies > 0)
        self.one = ops.constant(1)
        self._done: dict[Op, tuple[Op, Range | None]] = {}
        self._order: dict[Op, int] = {}
        """In which order the terms of sums came up."""

    def settled(self, roots: Iterable[Op]) -> tuple[Op, ...]:
        """Operations that come to the same for every hand of the shape, with all that is settled
        beforehand left out of them."""
        roots = tuple(roots)
        for op in operations_below(roots):
            if op not in self._done:
                made = self._summed(again(self.ops, op, [self._done[arg][0] for arg in op.args]))
                made = self._compared(made)
                found = self.range(made)
                if found is not None and found.least == found.most and _is_number(made):
                    made = self.ops.constant(found.least)
                self._done[op] = (made, found)
        return tuple(self._done[root][0] for root in roots)

    # ---- sums -------------------------------------------------------------------------

    def _summed(self, op: Op) -> Op:
        """A sum in one form: each term once, with how often it is added; see `_gathered`."""
        if op.kind not in ("add", "subtract"):
            return op
        return self._built(self._gathered(self._terms(op, 1)))

    def _terms(self, op: Op, times: int) -> Counter[Op]:
        """The terms of a sum with how often each is added; less than 0 where it is taken away. A
        constant is so many times `one`."""
        found: Counter[Op] = Counter()
        pending = [(op, times)]
        while pending:
            op, times = pending.pop()
            if op.kind == "add":
                pending += [(arg, times) for arg in reversed(op.args)]
                continue
            if op.kind == "subtract":
                first, *others = op.args
                pending += [(arg, -times) for arg in reversed(others)]
                pending.append((first, times))
                continue
            fixed = [arg for arg in op.args if arg.kind == "constant"]
            if op.kind == "multiply" and len(fixed) == 1 and len(op.args) == 2:
                other = op.args[0] if op.args[1] is fixed[0] else op.args[1]
                pending.append((other, times * cast("int", fixed[0].value)))
            elif op.kind == "constant":
                found[self.one] += times * cast("int", op.value)
            else:
                found[op] += times
        return found

    def _gathered(self, terms: Counter[Op]) -> Counter[Op]:
        """The terms of a sum, where all tiles of a class are counted, as often as they are there,
        as one: each group brings what it has of them, whatever the others are."""
        counted: dict[tuple[int, int], dict[str, Op]] = {}
        for term, times in terms.items():
            layer = _layer(term)
            if layer is not None and times:
                counted.setdefault((times, layer[1]), {})[layer[0]] = term
        found = Counter({term: times for term, times in terms.items() if times})
        weights = [0] * FIRST_FLOWER
        for (times, mask), layers in counted.items():
            if layers.keys() == set(LAYERS):
                for term in layers.values():
                    del found[term]
                for tile in range(FIRST_FLOWER):
                    weights[tile] += times if mask >> tile & 1 else 0
        for term, times in list(found.items()):
            if term.kind == "fact" and str(term.value).startswith("W:"):
                del found[term]
                for tile, weight in enumerate(weights_of(str(term.value))):
                    weights[tile] += times * weight
        for negated in (1, -1):
            part = [max(negated * weight, 0) for weight in weights]
            if any(part):
                found[self.ops.fact("W:" + ",".join(map(str, part)))] = negated
        return found

    def _built(self, terms: Counter[Op]) -> Op:
        """The sum of some terms."""
        ops = self.ops
        order = self._in_order(terms)
        more = ops.add([_times(ops, term, terms[term]) for term in order if terms[term] > 0])
        less = ops.add([_times(ops, term, -terms[term]) for term in order if terms[term] < 0])
        return more if less is ops.zero else ops.calculate("subtract", more, less)

    def _in_order(self, terms: Iterable[Op]) -> list[Op]:
        """Terms in the order in which they came up."""
        return sorted(terms, key=lambda term: self._order.setdefault(term, len(self._order)))

    # ---- comparisons ------------------------------------------------------------------

    def _compared(self, op: Op) -> Op:
        """A comparison that the bounds settle, or in the one form that is the same within them."""
        if op.kind not in COMPARE:
            return op
        ops = self.ops
        left, right = op.args
        if op.kind in _OPPOSITE:
            return ops.not_(self._compared(ops.compare(_OPPOSITE[op.kind], left, right)))
        if self.range(left) is None or self.range(right) is None:
            return op
        terms = self._terms(left, 1)
        terms.subtract(self._terms(right, 1))
        terms = self._gathered(terms)
        number = -terms.pop(self.one, 0) + (op.kind == ">")
        exact = op.kind == "="
        order = self._in_order(terms)
        if not order:
            return ops.constant(number == 0 if exact else number <= 0)
        by = gcd(*terms.values())
        if exact and number % by:
            return ops.false
        number = -(-number // by)
        turned = terms[order[0]] < 0
        for term in order:
            terms[term] //= -by if turned else by
        if turned:
            # Not more than the opposite number.
            number = -number if exact else 1 - number
        found = self._against(self._built(terms), number, exact=exact)
        return ops.not_(found) if turned and not exact else found

    def _against(self, left: Op, number: int, *, exact: bool) -> Op:
        """Whether a number is a fixed one, or that at least."""
        ops = self.ops
        within = self.range(left)
        assert within is not None
        if exact:
            if not within.least <= number <= within.most:
                return ops.false
            if within.least == within.most:
                return ops.true
            # At an end of the bounds it is all that is not on the one side.
            if number == within.most:
                return ops.compare(">=", left, ops.constant(number))
            if number == within.least:
                return ops.not_(ops.compare(">=", left, ops.constant(number + 1)))
            return ops.compare("=", left, ops.constant(number))
        if within.least >= number or within.most < number:
            return ops.constant(within.least >= number)
        return ops.compare(">=", left, ops.constant(number))

    # ---- bounds -----------------------------------------------------------------------

    def range(self, op: Op) -> Range | None:
        """Between which bounds an operation lies that is a number; None of others."""
        known = self._done.get(op)
        if known is not None and known[0] is op:
            return known[1]
        kind = op.kind
        if kind == "constant":
            value = op.value
            if isinstance(value, bool):
                return None
            return Range(cast("int", value), cast("int", value))
        if kind == "fact":
            return self._of_fact(str(op.value))
        if kind == "bits":
            return self._of_bits(op.args[0])
        args = [self.range(arg) for arg in op.args]
        if kind == "if":
            args = args[1:]
        if kind != "if" and kind not in CALCULATE:
            return None
        if any(arg is None for arg in args):
            return None
        some = cast("list[Range]", args)
        if kind == "if":
            return hull(some)
        if kind in ("round_up", "round_down"):
            number, step = some
            work = CALCULATE[kind]
            return Range(work(number.least, step.least), work(number.most, step.least))
        return calculated(kind, some)

    def _of_fact(self, name: str) -> Range | None:
        if name.startswith("W:"):
            return self._of_weights(weights_of(name))
        if name.startswith("#"):
            return Range(0, self.shape.sets)
        if name == "R:p":
            return Range(self.shape.pairs, self.shape.pairs)
        return Range(0, self.shape.sets) if name.startswith("R:") else None

    def _of_weights(self, weights: tuple[int, ...]) -> Range:
        tiles = [t for t in range(FIRST_FLOWER) if self.tiles >> t & 1]
        runs = [t for t in tiles if t % 9 < 7 and t < 27 and self.tiles >> t & 7 == 7]
        sets = [sum(weights[t : t + 3]) for t in runs]
        for tile in tiles:
            sets += [3 * weights[tile], 4 * weights[tile]]
        pairs = [2 * weights[tile] for tile in tiles]
        loose = [sum(weights[t] * n for t, n in one) for one in self.shape.listed or ((),)]
        least, most = min(loose), max(loose)
        for number, some in ((self.shape.sets, sets), (self.shape.pairs, pairs)):
            if number and some:
                least, most = least + number * min(some), most + number * max(some)
        return Range(least, most)

    def _of_bits(self, mask: Op) -> Range:
        """How many bits a mask may have."""
        least = 0
        if mask.kind == "fact" and str(mask.value) == LAYERS[0]:
            least = -(-self._of_weights((1,) * FIRST_FLOWER).least // 4)
        return Range(least, self._most_bits(mask))

    def _most_bits(self, mask: Op) -> int:
        kind = mask.kind
        if kind == "constant":
            return (cast("int", mask.value) & _ALL).bit_count()
        if kind == "fact":
            return self._most_of.get(str(mask.value), self._by_start(str(mask.value)))
        args = [self._most_bits(arg) for arg in mask.args]
        if kind == "and":
            fixed = [arg for arg in mask.args if arg.kind == "constant"]
            inside = min(
                [(cast("int", a.value) & self.tiles).bit_count() for a in fixed], default=64
            )
            names = [str(arg.value) for arg in mask.args if arg.kind == "fact"]
            of_tiles = any(name[:2] in _TILES or name in _TILES for name in names)
            return min([*args, inside] if of_tiles else args)
        if kind == "or":
            return min(64, sum(args))
        return args[0] if kind in ("without", "left", "right") else 64

    def _by_start(self, name: str) -> int:
        if name.startswith("T:"):
            return self.shape.sets
        if name.startswith("S:"):
            return self.shape.sets // int(name.rsplit(":", 1)[1])
        return self._most_of[LAYERS[0]] if name.startswith("N:") else 64

    @cached_property
    def _most_of(self) -> Mapping[str, int]:
        shape = self.shape
        loose = max((len(one) for one in shape.listed), default=0)
        held = self._of_weights((1,) * FIRST_FLOWER).most
        return {
            LAYERS[0]: 3 * shape.sets + shape.pairs + loose,
            **{name: held // copies for copies, name in enumerate(LAYERS[1:], 2)},
            "p1": shape.pairs, "p2": shape.pairs // 2, "seat": 1, "round": 1, "way": 1, "shape": 1,
            **dict.fromkeys(("won", "won_s", "won_t", "won_p"), 1),
        }  # fmt: skip


_TILES = frozenset({"T:", "S:", "N:", "n2", "n3", "n4", "p1", "p2", "won", "flowers"})
"""Facts whose bits are tiles that a wall has, by name or by how the name begins."""


def _is_number(op: Op) -> bool:
    return op.kind in ("fact", "bits", "if") or op.kind in CALCULATE


def _layer(term: Op) -> tuple[str, int] | None:
    """Of which layer of tiles a term counts the bits, and within which class."""
    if term.kind != "bits":
        return None
    held, mask = term.args[0], _OF_SHAPE
    if held.kind == "and" and len(held.args) == 2 and held.args[1].kind == "constant":
        held, mask = held.args[0], cast("int", held.args[1].value) & _OF_SHAPE
    elif held.kind == "and" and len(held.args) == 2 and held.args[0].kind == "constant":
        held, mask = held.args[1], cast("int", held.args[0].value) & _OF_SHAPE
    if held.kind != "fact" or str(held.value) not in LAYERS:
        return None
    return str(held.value), mask


def _times(ops: Operations, term: Op, times: int) -> Op:
    return term if times == 1 else ops.calculate("multiply", term, ops.constant(times))
