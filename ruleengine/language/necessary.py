"""What must be there for a sentence to be true: masks that cannot be empty.

Lets an evaluator ask once for many sentences ("is there any triplet at all?") and skip them
together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ruleengine.language.operations import Op

Needed = frozenset["Op"]
NOTHING: Needed = frozenset()


def _at_least_one(sign: str, value: object) -> bool:
    assert isinstance(value, int)
    return value >= 0 if sign == ">" else value >= 1


class Necessary:
    """Finds what must be there, once for each operation: sentences share many of them."""

    def __init__(self) -> None:
        self._true: dict[Op, Needed] = {}
        self._not_empty: dict[Op, Needed] = {}

    def when_true(self, op: Op) -> Needed:
        """Masks and numbers that are not 0 whenever a truth holds."""
        if op not in self._true:
            self._true[op] = self._when_true(op)
        return self._true[op]

    def _when_true(self, op: Op) -> Needed:
        match op.kind:
            case "nonzero":
                return self.not_empty(op.args[0])
            case "all":
                return frozenset().union(*(self.when_true(part) for part in op.args))
            case "any":
                return _in_all([self.when_true(part) for part in op.args])
            case "if":
                return _in_all([self.when_true(part) for part in op.args[1:]])
            case "=" | ">=" | ">":
                left, right = op.args
                if right.kind == "constant" and _at_least_one(op.kind, right.value):
                    return self.positive(left)
        return NOTHING

    def not_empty(self, mask: Op) -> Needed:
        """Masks that are not empty whenever this one is not."""
        if mask not in self._not_empty:
            self._not_empty[mask] = self._when_not_empty(mask)
        return self._not_empty[mask]

    def _when_not_empty(self, mask: Op) -> Needed:
        match mask.kind:
            case "constant":
                return NOTHING
            case "and":
                parts = [self.not_empty(part) for part in mask.args if part.kind != "constant"]
                return frozenset({mask}).union(*parts)
            case "right" | "left" | "without":
                return self.not_empty(mask.args[0]) | {mask}
            case "or":
                return _in_all([self.not_empty(part) for part in mask.args]) | {mask}
        return frozenset({mask})

    def positive(self, number: Op) -> Needed:
        """Masks and numbers that are above 0 whenever this number is."""
        match number.kind:
            case "bits":
                return self.not_empty(number.args[0])
            case "add":
                return _in_all([self.positive(part) for part in number.args])
            case "constant":
                return NOTHING
            case "fact":
                return frozenset({number})
            case "min":
                return frozenset().union(*(self.positive(part) for part in number.args))
            case "multiply" if all(_never_negative(part) for part in number.args):
                return frozenset().union(*(self.positive(part) for part in number.args))
        return NOTHING

    def implied_among(self, guards: Iterable[Op]) -> Callable[[Op], Needed]:
        """Which of some guards must be there where an operation is, as a function of it."""
        mine = frozenset(guards)
        with_part: dict[Op, set[Op]] = {}
        for guard in mine:
            for part in guard.args if guard.kind == "or" else ():
                with_part.setdefault(part, set()).add(guard)
        known: dict[Op, Needed] = {}

        def implied(op: Op) -> Needed:
            if op not in known:
                found = with_part.get(op, set()) | ({op} & mine)
                if op.kind == "or":
                    found |= _in_all(
                        [NOTHING.union(*map(implied, self.not_empty(part))) for part in op.args]
                    )
                known[op] = frozenset(found)
            return known[op]

        return implied


def _never_negative(number: Op) -> bool:
    if number.kind == "constant":
        return _at_least_one(">", number.value)
    if number.kind in ("add", "multiply", "min", "max"):
        return all(_never_negative(part) for part in number.args)
    return number.kind in ("bits", "fact")


def _in_all(sets: list[Needed]) -> Needed:
    return frozenset.intersection(*sets) if sets else NOTHING
