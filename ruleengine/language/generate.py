"""Makes Python expressions of operations, as syntax trees and never as text."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from ruleengine.arrange import UNIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.language.operations import Op

_HIGH = sum(8 * unit for unit in UNIT)

_BINARY: Mapping[str, ast.operator] = {
    "and": ast.BitAnd(),
    "or": ast.BitOr(),
    "add": ast.Add(),
    "subtract": ast.Sub(),
    "multiply": ast.Mult(),
}
_COMPARE: Mapping[str, ast.cmpop] = {
    "=": ast.Eq(),
    "!=": ast.NotEq(),
    "<": ast.Lt(),
    "<=": ast.LtE(),
    ">": ast.Gt(),
    ">=": ast.GtE(),
}


def name(identifier: str) -> ast.expr:
    """A variable that is read."""
    return ast.Name(identifier, ast.Load())


def constant(value: object) -> ast.expr:
    """A value that never changes."""
    return ast.Constant(value)  # type: ignore[arg-type]


def assign(identifier: str, value: ast.expr) -> ast.stmt:
    """`identifier = value`."""
    return ast.Assign([ast.Name(identifier, ast.Store())], value)


def augment(identifier: str, value: ast.expr) -> ast.stmt:
    """`identifier += value`."""
    return ast.AugAssign(ast.Name(identifier, ast.Store()), ast.Add(), value)


def call(function: ast.expr, *args: ast.expr) -> ast.expr:
    """`function(args)`."""
    return ast.Call(function, list(args), [])


class Emitter:
    """Emits operations; one that is used more than once is worked out once, into a variable.

    `roots` are all operations that will be asked for. Operations that differ between the
    arrangements of a hand are assigned by `moving_statements`, the others by
    `fixed_statements`.
    """

    def __init__(self, roots: Iterable[Op]) -> None:
        self._order: list[Op] = []
        self._uses: Counter[Op] = Counter()
        self._names: dict[Op, str] = {}
        seen: set[Op] = set()
        for root in roots:
            self._uses[root] += 1
            self._visit(root, seen)
        self._ranks = {op: at for at, op in enumerate(self._order)}
        for op in self._order:
            if self._uses[op] > 1 and op.kind not in ("constant", "fact", "nonzero", "not"):
                self._names[op] = f"v{len(self._names)}"

    def _visit(self, root: Op, seen: set[Op]) -> None:
        pending = [(root, False)]
        while pending:
            op, done = pending.pop()
            if done:
                self._order.append(op)
                continue
            if op in seen:
                continue
            seen.add(op)
            pending.append((op, True))
            for arg in op.args:
                self._uses[arg] += 1
                pending.append((arg, False))

    def rank(self, op: Op) -> int:
        """The place of an operation in the order in which they are worked out."""
        return self._ranks[op]

    @property
    def facts(self) -> frozenset[str]:
        """The facts that the operations read."""
        return frozenset(str(op.value) for op in self._order if op.kind == "fact")

    def fixed_statements(self) -> list[ast.stmt]:
        """Assignments of what is the same for every arrangement."""
        return [self._assignment(op) for op in self._order if op in self._names and not op.moving]

    def moving_statements(self, but: set[Op] | frozenset[Op] = frozenset()) -> list[ast.stmt]:
        """Assignments of what differs between arrangements, but for some."""
        moving = {op for op in self._order if op.moving} - but
        return self.assignments(moving)

    def assignments(self, ops: set[Op]) -> list[ast.stmt]:
        """Assignments of those of the operations that are worked out into variables."""
        named = [op for op in ops if op in self._names]
        return [self._assignment(op) for op in sorted(named, key=self.rank)]

    def only_in(self, blocks: list[list[Op]], outside: list[Op]) -> list[set[Op]]:
        """For each block the moving operations with a variable that nothing else uses."""
        used = [self._used_by(ops) for ops in blocks]
        users = Counter(op for own in (self._used_by(outside), *used) for op in own)
        return [
            {op for op in own if users[op] == 1 and op.moving and op in self._names} for own in used
        ]

    def _used_by(self, ops: list[Op]) -> set[Op]:
        seen: set[Op] = set()
        pending = list(ops)
        while pending:
            op = pending.pop()
            if op not in seen:
                seen.add(op)
                pending += op.args
        return seen

    def _assignment(self, op: Op) -> ast.stmt:
        return assign(self._names[op], self._emit(op))

    def expression(self, op: Op) -> ast.expr:
        """The expression for an operation, a variable where it was worked out before."""
        known = self._names.get(op)
        return self._emit(op) if known is None else name(known)

    def _emit(self, op: Op) -> ast.expr:
        kind = op.kind
        if kind == "constant":
            return constant(op.value)
        if kind == "fact":
            return name(str(op.value))
        args = [self.expression(arg) for arg in op.args]
        if kind in _BINARY:
            found = args[0]
            for arg in args[1:]:
                found = ast.BinOp(found, _BINARY[kind], arg)
            return found
        if kind in _COMPARE:
            return ast.Compare(args[0], [_COMPARE[kind]], [args[1]])
        match kind:
            case "without":
                return ast.BinOp(args[0], ast.BitAnd(), ast.UnaryOp(ast.Invert(), args[1]))
            case "right":
                return ast.BinOp(args[0], ast.RShift(), constant(op.value))
            case "left":
                return ast.BinOp(args[0], ast.LShift(), constant(op.value))
            case "bits":
                return call(ast.Attribute(args[0], "bit_count", ast.Load()))
            case "nonzero":
                return args[0]
            case "not":
                return ast.UnaryOp(ast.Not(), args[0])
            case "all":
                return ast.BoolOp(ast.And(), args)
            case "any":
                return ast.BoolOp(ast.Or(), args)
            case "if":
                return ast.IfExp(args[0], args[1], args[2])
            case "min" | "max":
                return call(name(kind), *args)
            case "round_up":
                up = ast.BinOp(ast.UnaryOp(ast.USub(), args[0]), ast.FloorDiv(), args[1])
                return ast.BinOp(ast.UnaryOp(ast.USub(), up), ast.Mult(), args[1])
            case "round_down":
                return ast.BinOp(ast.BinOp(args[0], ast.FloorDiv(), args[1]), ast.Mult(), args[1])
            case "within":
                return ast.Compare(args[0], [ast.In()], [constant(op.value)])
            case "includes":
                lifted = ast.BinOp(args[0], ast.BitOr(), constant(_HIGH))
                left = ast.BinOp(lifted, ast.Sub(), constant(op.value))
                kept = ast.BinOp(left, ast.BitAnd(), constant(_HIGH))
                return ast.Compare(kept, [ast.Eq()], [constant(_HIGH)])
        raise AssertionError(kind)


def build(
    function: str, arguments: list[str], body: list[ast.stmt], names: dict[str, object]
) -> object:
    """Compile one function; it can reach nothing but its arguments and `names`."""
    parameters = ast.arguments(
        posonlyargs=[], args=[ast.arg(arg) for arg in arguments], kwonlyargs=[],
        kw_defaults=[], defaults=[],
    )  # fmt: skip
    definition = ast.FunctionDef(function, parameters, body, [])
    module = ast.fix_missing_locations(ast.Module([definition], []))
    space: dict[str, object] = {"__builtins__": {}, **names}
    exec(compile(module, f"<{function}>", "exec"), space)
    return space[function]
