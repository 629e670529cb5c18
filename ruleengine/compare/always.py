"""Proves that two sentences mean the same whatever the options are that they read.

What neither speaks of options nor of the total stands for any truth or number at all, but for
truths that are known never to be together: sentences that are equal then are equal for every hand.
Options and totals go through all that they can be. A proof that is not found says nothing.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from ruleengine.language.bounds import Range
from ruleengine.language.columns import ColumnProgram, operations_below

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ruleengine.language.operations import Kind, Op, Operations

MOST_ROWS = 64_000_000
"""Choices of everything that is free, up to which all are gone through."""
MOST_ASKED = 16
"""Truths together of which it is asked whether they can be."""
CHUNK = 1 << 18
TRUTH = Range(0, 1)
BITS = Range(0, 64)
_OPPOSITE: Mapping[Kind, Kind] = {"!=": "=", ">=": "<", "<=": ">"}
_COMPARED = frozenset({"=", "!=", "<", "<=", ">", ">="})
_CALCULATED = frozenset({"add", "subtract", "multiply", "min", "max", "round_up", "round_down"})
_JOINED = frozenset({"all", "any", "not"})


class _NoProof(Exception):
    """Raised where an operation is none that can be looked at in this way."""


def always_equal(
    old: Op,
    new: Op,
    ops: Operations,
    numbers: Mapping[str, Range],
    never: Callable[[Op], bool] = lambda op: False,
    ends: float = float("inf"),
) -> bool:
    """Whether it is proved that two operations are equal, where some facts are `numbers` within
    bounds, truths where these are `TRUTH`, and all else is free but for what `never` is true.

    At `ends` (by the monotonic clock) a proof that is not there yet is given up.
    """
    freeing = _Freeing(ops, numbers, never)
    try:
        roots = (freeing.freed(old), freeing.freed(new))
    except _NoProof:
        return False
    if roots[0] is roots[1]:
        return True
    used = {str(op.value) for op in operations_below(roots) if op.kind == "fact"}
    axes = {name: size for name, size in freeing.facts.items() if name in used}
    rows = 1
    for each in axes.values():
        rows *= each.most - each.least + 1
    if rows > MOST_ROWS:
        return False
    truths = {name for name, each in axes.items() if each is TRUTH}
    program = ColumnProgram(roots, axes)
    for start in range(0, rows, CHUNK):
        if time.monotonic() > ends:
            return False
        at = np.arange(start, min(start + CHUNK, rows), dtype=np.int64)
        facts: dict[str, Any] = {}
        for name, each in axes.items():
            column = at % (each.most - each.least + 1) + each.least
            at = at // (each.most - each.least + 1)
            facts[name] = column.astype(bool) if name in truths else column
        worked = program.run(facts)
        first, second = (np.asarray(worked[root]).astype(np.int64) for root in roots)
        if not (first == second).all():
            return False
    return True


class _Freeing:
    """Puts facts that are free in the place of what speaks of hands."""

    def __init__(
        self, ops: Operations, numbers: Mapping[str, Range], never: Callable[[Op], bool]
    ) -> None:
        self.ops = ops
        self.numbers = numbers
        self.never = never
        self._asked = 0
        self.facts: dict[str, Range] = dict(numbers)
        self._names: dict[Op, str] = {}
        self._mixed: dict[Op, bool] = {}
        self._done: dict[Op, Op] = {}

    def freed(self, root: Op) -> Op:
        """An operation of which only numbers are known. Raises `_NoProof`."""
        for op in operations_below([root]):
            self._is_mixed(op)
        return self._made(root)

    def _is_mixed(self, op: Op) -> bool:
        """Whether an operation speaks of a number that is known."""
        found = self._mixed.get(op)
        if found is None:
            known = op.kind == "fact" and str(op.value) in self.numbers
            found = self._mixed[op] = known or any(self._is_mixed(arg) for arg in op.args)
        return found

    def _made(self, op: Op) -> Op:
        found = self._done.get(op)
        if found is None:
            found = self._done[op] = self._rebuilt(op)
        return found

    def _rebuilt(self, op: Op) -> Op:
        ops, kind = self.ops, op.kind
        if kind == "constant" or (kind == "fact" and str(op.value) in self.numbers):
            return op
        if kind == "nonzero" and op.args[0].kind == "or":
            return ops.any_([self._made(ops.nonzero(part)) for part in op.args[0].args])
        if kind in _JOINED:
            fixed = self._fixed(op)
            if fixed is not None:
                return fixed
            args = [self._made(arg) for arg in op.args]
            if kind == "not":
                return ops.not_(args[0])
            return ops.all_(args) if kind == "all" else ops.any_(args)
        if kind in _COMPARED:
            return self._compared(op)
        if kind == "if":
            return ops.if_(*map(self._made, op.args))
        if kind in _CALCULATED:
            return ops.calculate(kind, *map(self._made, op.args))
        if kind in ("nonzero", "within", "includes"):
            return self._free(op, TRUTH)
        if kind == "bits":
            return self._free(op, BITS)
        raise _NoProof

    def _fixed(self, op: Op) -> Op | None:
        """What some truths are together, or one of them, where they are so for every hand: a payer
        is no winner, and so not both of them are the dealer."""
        known = [arg for arg in op.args if not self._is_mixed(arg)]
        if op.kind == "not" or len(known) < 2 or self._asked >= MOST_ASKED:
            return None
        self._asked += 1
        ops = self.ops
        if op.kind == "all":
            return ops.false if self.never(ops.all_(known)) else None
        return ops.true if self.never(ops.not_(ops.any_(known))) else None

    def _compared(self, op: Op) -> Op:
        """Two numbers compared: as they are where an option or the total is among them, else as one
        truth, which a comparison and its opposite share."""
        ops, kind = self.ops, op.kind
        if kind in _OPPOSITE:
            return ops.not_(self._made(ops.compare(_OPPOSITE[kind], *op.args)))
        if self._is_mixed(op):
            return ops.compare(kind, *map(self._made, op.args))
        left, right = op.args
        return self._free(ops.compare("<", right, left) if kind == ">" else op, TRUTH)

    def _free(self, op: Op, within: Range) -> Op:
        if self._is_mixed(op):
            raise _NoProof
        name = self._names.setdefault(op, f"?free {len(self._names)}")
        self.facts[name] = within
        return self.ops.fact(name)
