"""Tells at once whether two sentences surely mean the same, without looking at any hand.

Sentences become operations (`language.lower`), and equal operations get equal numbers: parts of an
`and` in any order, `not` moved inside, comparisons turned to one form. Equal numbers prove that two
sentences mean the same; different numbers prove nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.language import meaning as m
from ruleengine.language.lower import Lowering
from ruleengine.language.operations import Operations

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.language.operations import Op
    from ruleengine.ruleset.model import RulesetData

_ANY_ORDER = frozenset({"and", "or", "multiply", "min", "max"})
_ONCE = frozenset({"and", "or", "min", "max"})


class Sameness:
    """Numbers the sentences of two rulesets, so that equal numbers mean equal sentences.

    A sentence has two numbers: one in which options stand for themselves, so that equal numbers
    mean the same whatever the options are, and one with the values that the options have, by which
    nothing is proved for tables that set others.
    """

    def __init__(
        self,
        old: RulesetData,
        new: RulesetData,
        old_options: Mapping[str, int | bool],
        new_options: Mapping[str, int | bool],
    ) -> None:
        self._operations = Operations()
        events = tuple(dict.fromkeys((*old.events, *new.events)))
        shapes = tuple(dict.fromkeys((*old.shapes, *new.shapes)))
        places = (self._operations, events, shapes)
        self._symbolic = Symbolic(*places, {})
        self._old = Lowering(*places, old_options)
        self._new = Lowering(*places, new_options)
        self._numbers: dict[tuple[object, ...], int] = {}
        self._joins: dict[tuple[str, int], tuple[int, ...]] = {}
        """The truths that a number of a kind of joining joins."""
        self._known: dict[tuple[int, bool], tuple[Op, int]] = {}

    def of_old(self, sentence: m.Meaning) -> tuple[int, int]:
        """The numbers of a sentence of the old ruleset."""
        return self._both(sentence, self._old)

    def of_new(self, sentence: m.Meaning) -> tuple[int, int]:
        """The numbers of a sentence of the new ruleset."""
        return self._both(sentence, self._new)

    def same(self, old: m.Meaning, new: m.Meaning) -> bool:
        """Whether two sentences surely mean the same under every value of the options they read."""
        first, second = map(self._symbolic.sentence, (old, new))
        return self._number(first) == self._number(second)

    @property
    def fixed(self) -> frozenset[int]:
        """The numbers of what is always true and of what never is."""
        return frozenset(map(self._number, (self._operations.true, self._operations.false)))

    def _both(self, sentence: m.Meaning, chosen: Lowering) -> tuple[int, int]:
        numbers = (lowering.sentence(sentence) for lowering in (self._symbolic, chosen))
        symbolic, concrete = map(self._number, numbers)
        return symbolic, concrete

    def _number(self, op: Op, negated: bool = False) -> int:
        known = self._known.get((id(op), negated))
        if known is None:
            key = self._negated(op) if negated else self._plain(op)
            number = (
                key if isinstance(key, int) else self._numbers.setdefault(key, len(self._numbers))
            )
            known = self._known[id(op), negated] = (op, number)
        return known[1]

    def _key(self, *key: object) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _joined(self, kind: str, numbers: Iterable[int]) -> int:
        """Truths joined by `all` or `any`, with those that are joined so inside them."""
        inside = (self._joins.get((kind, number), (number,)) for number in numbers)
        parts = tuple(sorted({part for some in inside for part in some}))
        if len(parts) == 1:
            return parts[0]
        number = self._key(kind, parts)
        self._joins[kind, number] = parts
        return number

    def _plain(self, op: Op) -> int | tuple[object, ...]:
        kind, args = op.kind, op.args
        if kind == "not":
            return self._number(args[0], negated=True)
        if kind in ("all", "any"):
            return self._joined(kind, map(self._number, args))
        if kind == "nonzero":
            return self._nonzero(args[0])
        if kind in ("=", "!=", "<", "<=", ">", ">="):
            return self._compared(kind, args[0], args[1], negated=False)
        if kind == "add":
            return ("add", tuple(sorted(map(self._number, _parts("add", op)))))
        if kind in _ANY_ORDER:
            numbers = list(map(self._number, _parts(kind, op)))
            parts = tuple(sorted(set(numbers) if kind in _ONCE else numbers))
            return parts[0] if len(parts) == 1 else (kind, parts)
        return (kind, type(op.value), op.value, *map(self._number, args))

    def _negated(self, op: Op) -> int | tuple[object, ...]:
        kind, args = op.kind, op.args
        if kind == "not":
            return self._number(args[0])
        if kind in ("all", "any"):
            other = "any" if kind == "all" else "all"
            return self._joined(other, (self._number(arg, negated=True) for arg in args))
        if kind in ("=", "!=", "<", "<=", ">", ">="):
            return self._compared(kind, args[0], args[1], negated=True)
        if kind == "nonzero":
            parts = _parts("or", args[0])
            return self._joined("all", [self._opposite(self._nonzero(part)) for part in parts])
        return self._opposite(self._number(op))

    def _opposite(self, number: int) -> int:
        return self._key("not", number)

    def _nonzero(self, mask: Op) -> int:
        """Whether a mask has a bit: of masks laid together, whether any of them has."""
        parts = _parts("or", mask)
        if len(parts) > 1:
            return self._joined("any", map(self._nonzero, parts))
        if mask.kind == "constant":
            return self._number(self._operations.nonzero(mask))
        return self._key("nonzero", self._number(mask))

    def _compared(self, sign: str, left: Op, right: Op, *, negated: bool) -> int:
        """Every comparison as `=` or `<` or the opposite of one."""
        if sign in (">", "<="):
            left, right = right, left
        opposite = negated ^ (sign in ("!=", ">=", "<="))
        sign = "=" if sign in ("=", "!=") else "<"
        if left.kind == "constant" and sign == "=":
            left, right = right, left
        least = left.value if left.kind == "constant" else None
        if isinstance(least, int):
            # c < x is the opposite of x < c + 1
            left, right = right, self._operations.constant(least + 1)
            opposite = not opposite
        value = right.value if right.kind == "constant" else None
        if value == (0 if sign == "=" else 1):
            masks = [part.args[0] for part in _parts("add", left) if part.kind == "bits"]
            if len(masks) == len(_parts("add", left)):
                # No bit at all: none of the masks has one.
                some = [self._nonzero(mask) for mask in masks]
                if opposite:
                    return self._joined("any", some)
                return self._joined("all", [self._opposite(number) for number in some])
        numbers = (self._number(left), self._number(right))
        number = self._key(sign, *(sorted(numbers) if sign == "=" else numbers))
        return self._opposite(number) if opposite else number


def option_fact(type_: str, name: str) -> str:
    """The fact that stands for an option whose value is not known."""
    return f"option {type_} {name}"


class Symbolic(Lowering):
    """Lowers options as facts whose value is not known."""

    def _sentence(self, meaning: m.Meaning) -> Op:
        if isinstance(meaning, m.Option):
            return self.ops.fact(option_fact(meaning.type, meaning.name))
        return super()._sentence(meaning)


def _parts(kind: str, op: Op) -> list[Op]:
    """What an operation puts together, those inside one of the same kind included."""
    if op.kind != kind:
        return [op]
    return [part for arg in op.args for part in _parts(kind, arg)]
