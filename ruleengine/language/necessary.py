"""What must be there for a sentence to be true: masks that cannot be empty.

Lets an evaluator ask once for many sentences ("is there any triplet at all?") and skip them
together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleengine.language.operations import Op

Needed = frozenset["Op"]
NOTHING: Needed = frozenset()


def when_true(op: Op) -> Needed:
    """Masks and numbers that are not 0 whenever a truth holds."""
    match op.kind:
        case "nonzero":
            return not_empty(op.args[0])
        case "all":
            return frozenset().union(*(when_true(part) for part in op.args))
        case "any":
            return _in_all([when_true(part) for part in op.args])
        case "if":
            return _in_all([when_true(part) for part in op.args[1:]])
        case "=" | ">=" | ">":
            left, right = op.args
            if right.kind == "constant" and _at_least_one(op.kind, right.value):
                return positive(left)
    return NOTHING


def _at_least_one(sign: str, value: object) -> bool:
    assert isinstance(value, int)
    return value >= 0 if sign == ">" else value >= 1


def not_empty(mask: Op) -> Needed:
    """Masks that are not empty whenever this one is not."""
    match mask.kind:
        case "constant":
            return NOTHING
        case "and":
            parts = [not_empty(part) for part in mask.args if part.kind != "constant"]
            return frozenset({mask}).union(*parts)
        case "right" | "left" | "without":
            return not_empty(mask.args[0]) | {mask}
        case "or":
            return _in_all([not_empty(part) for part in mask.args]) | {mask}
    return frozenset({mask})


def positive(number: Op) -> Needed:
    """Masks and numbers that are above 0 whenever this number is."""
    match number.kind:
        case "bits":
            return not_empty(number.args[0])
        case "add":
            return _in_all([positive(part) for part in number.args])
        case "constant":
            return NOTHING
        case "fact":
            return frozenset({number})
        case "min":
            return frozenset().union(*(positive(part) for part in number.args))
        case "multiply" if all(_never_negative(part) for part in number.args):
            return frozenset().union(*(positive(part) for part in number.args))
    return NOTHING


def _never_negative(number: Op) -> bool:
    if number.kind == "constant":
        return _at_least_one(">", number.value)
    if number.kind in ("add", "multiply", "min", "max"):
        return all(_never_negative(part) for part in number.args)
    return number.kind in ("bits", "fact")


def implied(needed: Needed, guard: Op) -> bool:
    """Whether something needed cannot be there without `guard`."""
    return any(_implies(op, guard) for op in needed)


def _implies(op: Op, guard: Op) -> bool:
    if op is guard or (guard.kind == "or" and op in guard.args):
        return True
    if op.kind == "or":
        return all(any(_implies(one, guard) for one in not_empty(part)) for part in op.args)
    return False


def _in_all(sets: list[Needed]) -> Needed:
    return frozenset.intersection(*sets) if sets else NOTHING
