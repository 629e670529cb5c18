"""What sentences can tell apart: their operations, rewritten over the fewest facts that matter.

A sentence that says `count triplets` reads four masks of triplets, but only all of them together;
one that says `some tile is honor` sees no difference between two honors. Both are found here from
the operations alone, so that worlds which no sentence can tell apart are looked at once.

Names of rewritten facts: `T:` with the statuses of triplets and kongs that one mask holds
together, `S:` with those of sequences and how many of them stand at a tile, `N:` with where tiles
lie, `R:` with which sequences are counted, `#` with a mask whose bits are only counted, `W:` with
what each tile adds to a sum, `?` with a question about packed counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ruleengine.language.columns import operations_below
from ruleengine.language.lower import WAY_BITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ruleengine.language.operations import Kind, Op, Operations

ALL_BITS = (1 << 64) - 1
LAYERS = 4

TRIPLETS: Mapping[str, frozenset[str]] = {
    "t": frozenset({"t", "o"}), "open_t": frozenset({"o"}), "ct": frozenset({"ct"}),
    "kc": frozenset({"kc"}), "kk": frozenset({"kk"}),
}  # fmt: skip
"""The statuses that a mask of triplets holds: `t` concealed, `o` completed by another's tile, `ct`
claimed, `kc` a claimed kong, `kk` a concealed one."""
_NAMES: Mapping[str, str] = {
    **{name: "T:" + "+".join(sorted(held)) for name, held in TRIPLETS.items()},
    **{f"{status}{depth}": f"S:{status}:{depth}" for status in "sc" for depth in range(1, 5)},
    "n1": "N:s", "ck": "N:m", "runs": "R:s", "cn": "R:c",
}  # fmt: skip
PACKED = frozenset({"packed_hand", "packed_before", "packed_all"})
_SORTED = frozenset({"and", "or", "all", "any", "add", "multiply", "min", "max", "=", "!="})


@dataclass(frozen=True, slots=True)
class Use:
    """How sentences use a fact: the bits that matter, and for each of them the bit that stands
    for all that are used alike."""

    bits: int
    alike: tuple[int, ...] | None = None

    def seen(self, mask: int) -> int:
        """What sentences see of a mask."""
        mask &= self.bits
        if self.alike is None or not mask:
            return mask
        found = 0
        while mask:
            low = mask & -mask
            found |= self.alike[low.bit_length() - 1]
            mask ^= low
        return found


@dataclass(frozen=True, slots=True)
class Reading:
    """Sentences over the facts that they can tell apart. `asked` are the questions about packed
    counts, by the name of the fact that stands for the answer."""

    roots: tuple[Op, ...]
    uses: Mapping[str, Use]
    asked: Mapping[str, Op]


class Rewriter:
    """Rewrites operations of one `Operations`; equal ones become one and the same.

    `size` is how many tiles a winning hand has at most, a kong counted as three; `may_be` says
    whether a hand may have a packed count, of the name of its fact, and no other tiles.
    """

    def __init__(self, ops: Operations, size: int, may_be: Callable[[str, int], bool]) -> None:
        self.ops = ops
        self._may_be = may_be
        self.most: Mapping[str, int] = {"packed_hand": size, "packed_before": size - 1}
        """How many tiles there are at most in a packed count."""
        self._done: dict[Op, Op] = {}
        self._number: dict[Op, int] = {}
        self._asked: dict[str, Op] = {}
        self._exactly: dict[Op, Op] = {}
        fact = ops.fact
        self._t, self._open = fact("t"), fact("open_t")
        self._half = ops.without(self._t, self._open)
        self._completed = ops.and_(self._t, self._open)
        self._numbers: dict[tuple[Op, ...], str] = {
            (fact("runs"), fact("cn")): "R:c+s",
            (ops.bits(fact("p1")), ops.bits(fact("p2"))): "R:p",
        }
        self._both = {
            depth: frozenset(
                [fact(f"s{depth}"), fact(f"c{depth}")]
                + [ops.and_(fact(f"s{n}"), fact(f"c{depth - n}")) for n in range(1, depth)]
            )
            for depth in range(1, LAYERS + 1)
        }

    def read(
        self,
        roots: Iterable[Op],
        fixed: Callable[[str], int | None],
        settled: Callable[[Iterable[Op]], tuple[Op, ...]] = tuple,
    ) -> Reading:
        """Some sentences, rewritten, where some facts are known; `fixed` gives their values, and
        `settled` leaves out what is settled beforehand (`limits`)."""
        known: dict[Op, Op] = {}
        found = settled(self._fixed(self.rewritten(root), fixed, known) for root in roots)
        below = operations_below(found)
        names = {str(op.value) for op in below if op.kind == "fact"}
        asked = {name: op for name, op in self._asked.items() if name in names}
        return Reading(found, _uses(found, below), asked)

    def in_way(self, roots: Iterable[Op], way: int) -> tuple[Op, ...]:
        """Sentences where it is known how a hand was won, with what is sure of the winning tile:
        it is there, and where a kong was robbed of it, once."""
        ops = self.ops
        won, kinds = ops.fact("won"), ops.or_(ops.fact("n1"), ops.fact("ck"))
        more = {ops.fact(f"n{copies}") for copies in range(2, LAYERS + 1)}
        known: dict[Op, Op] = {}
        roots = tuple(roots)
        for op in operations_below(roots):
            args = [known[arg] for arg in op.args]
            made = again(ops, op, args)
            if op.kind == "fact" and op.value == "way":
                made = ops.constant(way)
            elif made.kind == "and" and won in made.args:
                if way == WAY_BITS["robbing_kong"] and more & set(made.args):
                    made = ops.zero
                elif kinds in made.args:
                    made = ops.and_(*(arg for arg in made.args if arg is not kinds))
            elif made.kind == "bits" and made.args[0] is won:
                made = ops.constant(1)
            known[op] = made
        return tuple(known[root] for root in roots)

    def by_count(self, roots: tuple[Op, Op, Op]) -> tuple[Op, Op, Op] | None:
        """Sentences that ask which tiles a shape includes, as questions how often it has each of
        them; None where they ask nothing of the kind."""
        ops = self.ops
        known: dict[Op, Op] = {}
        for op in operations_below(roots):
            if op.kind == "includes" and str(op.args[0].value) == "packed_all":
                known[op] = ops.all_(list(self._held(cast("int", op.value))))
            else:
                known[op] = again(ops, op, [known[arg] for arg in op.args])
        first, second, third = (known[root] for root in roots)
        return None if (first, second, third) == roots else (first, second, third)

    def _held(self, needed: int) -> Iterator[Op]:
        """That each tile of a packed count is there as often as it has it."""
        ops = self.ops
        kinds = ops.or_(ops.fact("n1"), ops.fact("ck"))
        for tile in range(needed.bit_length() // 4 + 1):
            copies = needed >> (4 * tile) & 15
            if copies:
                held = kinds if copies == 1 else ops.fact(f"n{copies}")
                yield ops.nonzero(ops.and_(held, ops.constant(1 << tile)))

    def _fixed(self, root: Op, fixed: Callable[[str], int | None], known: dict[Op, Op]) -> Op:
        """An operation with facts that are known put in."""
        for op in operations_below([root]):
            if op in known:
                continue
            if op.kind == "fact":
                value = fixed(str(op.value))
                made = op if value is None else self.ops.constant(value)
            else:
                args = [known[arg] for arg in op.args]
                if op.kind in _SORTED:
                    args.sort(key=lambda arg: self._number.get(arg, -1))
                made = again(self.ops, op, args)
            known[op] = self._numbered(made)
        return known[root]

    def rewritten(self, root: Op) -> Op:
        """One sentence, rewritten."""
        pending = [root]
        while pending:
            op = pending[-1]
            if op in self._done:
                pending.pop()
                continue
            parts = self._parts(op)
            waiting = [part for part in parts if part not in self._done]
            if waiting:
                pending += waiting
                continue
            pending.pop()
            self._done[op] = self._made(op, parts)
        return self._done[root]

    def _parts(self, op: Op) -> list[Op]:
        """The parts of an operation that are rewritten by themselves."""
        if self._single(op) is not None:
            return []
        if op.kind == "or":
            return [arg for arg in op.args if arg not in self._gathered(op)]
        if op.kind == "and" and {self._t, self._open} <= set(op.args):
            return [arg for arg in op.args if arg not in (self._t, self._open)]
        return list(op.args)

    def _single(self, op: Op) -> str | None:
        """The fact that stands for an operation as a whole."""
        if op.kind == "fact":
            name = str(op.value)
            return _NAMES.get(name, name)
        if op is self._half:
            return "T:t"
        if op is self._completed:
            return "T:o"
        if op.kind == "add" and op.args in self._numbers:
            return self._numbers[op.args]
        if op.kind in ("within", "includes") and str(op.args[0].value) in PACKED:
            return self._question(op)
        return None

    def _exact(self, op: Op) -> Op:
        """A question whether as many tiles are included as there can be: whether it is these. Of
        packed counts only those are left that a hand may have, none of more tiles than it has."""
        name = str(op.args[0].value)
        most = self.most.get(name)
        if most is None:
            return op
        codes = op.value if isinstance(op.value, frozenset) else frozenset({cast("int", op.value)})
        if op.kind == "includes" and counted(min(codes)) < most:
            return op
        known = self._exactly.get(op)
        if known is None:
            may = frozenset(code for code in codes if self._may_be(name, code))
            known = self.ops.within(op.args[0], may) if may else self.ops.false
            self._exactly[op] = known
        return known

    def _question(self, op: Op) -> str:
        op = self._exact(op)
        name = next((name for name, known in self._asked.items() if known is op), None)
        if name is None:
            name = f"?{len(self._asked)}"
            self._asked[name] = op
        return name

    def _gathered(self, op: Op) -> dict[Op, None]:
        """The arguments of an `or` that one fact stands for together with others."""
        args = set(op.args)
        found: dict[Op, None] = {}
        held = [arg for arg in op.args if self._statuses(arg) is not None]
        if len(held) > 1:
            found.update(dict.fromkeys(held))
        for both in (*self._both.values(), frozenset({self.ops.fact("n1"), self.ops.fact("ck")})):
            if both <= args:
                found.update(dict.fromkeys(both))
        return found

    def _statuses(self, op: Op) -> frozenset[str] | None:
        if op is self._half:
            return frozenset({"t"})
        if op is self._completed:
            return frozenset({"o"})
        return TRIPLETS.get(str(op.value)) if op.kind == "fact" else None

    def _made(self, op: Op, parts: list[Op]) -> Op:
        ops = self.ops
        if op.kind in ("within", "includes") and self._exact(op) is ops.false:
            return self._numbered(ops.false)
        single = self._single(op)
        if single is not None:
            return self._numbered(ops.fact(single))
        args = [self._done[part] for part in parts]
        if op.kind == "or":
            args += self._together(op)
        elif op.kind == "and" and len(parts) < len(op.args):
            args.append(self._numbered(ops.fact("T:o")))
        if op.kind in _SORTED:
            args.sort(key=lambda arg: self._number[arg])
        if op.kind == "all":
            args = self._one_pair(op, args)
        if op.kind == "bits":
            counted = self._counted(args[0])
            if counted is not None:
                return self._numbered(ops.fact(counted))
        if op.kind == "nonzero":
            return self._some(args[0])
        return self._numbered(again(ops, op, args))

    def _one_pair(self, op: Op, args: list[Op]) -> list[Op]:
        """One kind of pair, and none of it twice, is one pair: then the number is enough."""
        ops = self.ops
        alone = ops.compare("=", ops.bits(ops.fact("p1")), ops.constant(1))
        once = ops.not_(ops.nonzero(ops.fact("p2")))
        if not {alone, once} <= set(op.args):
            return args
        gone = {self._done[alone], self._done[once]}
        number = self._numbered(ops.compare("=", ops.fact("R:p"), ops.constant(1)))
        args = [arg for arg in args if arg not in gone] + [number]
        return sorted(args, key=lambda arg: self._number[arg])

    def _some(self, mask: Op) -> Op:
        """Whether a mask has any bit: of a mask that is several together, whether one of them
        has."""
        ops = self.ops
        parts = [mask]
        if mask.kind == "or":
            parts = list(mask.args)
        elif mask.kind == "and":
            several = next((arg for arg in mask.args if arg.kind == "or"), None)
            if several is not None:
                rest = [arg for arg in mask.args if arg is not several]
                parts = [self._numbered(ops.and_(arg, *rest)) for arg in several.args]
        elif mask.kind == "without" and mask.args[0].kind == "or":
            parts = [self._numbered(ops.without(a, mask.args[1])) for a in mask.args[0].args]
        if len(parts) == 1:
            return self._numbered(ops.nonzero(mask))
        found = [self._some(part) for part in parts]
        return self._numbered(ops.any_(sorted(found, key=lambda part: self._number[part])))

    def _together(self, op: Op) -> list[Op]:
        args, ops = set(op.args), self.ops
        found: list[str] = []
        held = [s for arg in op.args if (s := self._statuses(arg)) is not None]
        if len(held) > 1:
            found.append("T:" + "+".join(sorted(frozenset().union(*held))))
        if {ops.fact("n1"), ops.fact("ck")} <= args:
            found.append("N:m+s")
        found += [f"S:c+s:{depth}" for depth, both in self._both.items() if both <= args]
        return [self._numbered(ops.fact(name)) for name in found]

    def _counted(self, op: Op) -> str | None:
        """A number in place of the bits of a mask of triplets, of which no two share a tile."""
        mask = ALL_BITS
        if op.kind == "and" and len(op.args) == 2:
            fixed = [arg for arg in op.args if arg.kind == "constant"]
            other = [arg for arg in op.args if arg.kind == "fact"]
            if len(fixed) == len(other) == 1:
                mask = cast("int", fixed[0].value) & ALL_BITS
                op = other[0]
        if op.kind == "fact" and str(op.value).startswith("T:"):
            return f"#{op.value}&{mask}"
        return None

    def _numbered(self, op: Op) -> Op:
        """Note in which order operations came up: the order in which arguments are sorted."""
        for each in (*op.args, op):
            self._number.setdefault(each, len(self._number))
        return op


def counted(packed: int) -> int:
    """How many tiles a packed count has."""
    return sum(packed >> at & 15 for at in range(0, packed.bit_length(), 4))


def again(ops: Operations, op: Op, args: list[Op]) -> Op:
    """The same operation on other arguments."""
    kind = op.kind
    match kind:
        case "constant" | "fact":
            return op
        case "and":
            return ops.and_(*args)
        case "or":
            return ops.or_(*args)
        case "without":
            return ops.without(*args)
        case "right":
            return ops.shift(args[0], cast("int", op.value))
        case "left":
            return ops.shift(args[0], -cast("int", op.value))
        case "bits":
            return ops.bits(args[0])
        case "nonzero":
            return ops.nonzero(args[0])
        case "all":
            return ops.all_(args)
        case "any":
            return ops.any_(args)
        case "not":
            return ops.not_(args[0])
        case "if":
            return ops.if_(*args)
        case "within":
            return ops.within(args[0], cast("frozenset[int]", op.value))
        case "includes":
            return ops.includes(args[0], cast("int", op.value))
        case "=" | "!=" | "<" | "<=" | ">" | ">=":
            return ops.compare(kind, *args)
    return ops.calculate(cast("Kind", kind), *args)


# ---- which bits matter ---------------------------------------------------------------------


def _uses(roots: tuple[Op, ...], below: list[Op]) -> dict[str, Use]:
    """What matters of each fact that is read."""
    wanted: dict[Op, int] = dict.fromkeys(roots, ALL_BITS)
    asked_in: dict[Op, list[int] | None] = {}
    """The masks in which a fact is only asked for some bit; None where more is asked."""
    used_by: dict[Op, list[Op]] = {}
    for op in below:
        for arg in op.args:
            used_by.setdefault(arg, []).append(op)
    for op in reversed(below):
        bits = wanted.get(op, 0)
        for arg in op.args:
            wanted[arg] = wanted.get(arg, 0) | _passed(op, arg, bits)
    for op in below:
        if op.kind == "fact":
            asked_in[op] = None if op in roots else _only_asked(op, roots, used_by)
    return {
        str(op.value): Use(wanted[op], _alike(masks, wanted[op])) for op, masks in asked_in.items()
    }


def _passed(op: Op, arg: Op, bits: int) -> int:
    """Which bits of an argument matter, where some bits of the operation do."""
    if op.kind == "and":
        for other in op.args:
            if other.kind == "constant" and other is not arg:
                bits &= cast("int", other.value)
        return bits
    if op.kind == "or" or (op.kind == "if" and arg is not op.args[0]):
        return bits
    if op.kind == "without":
        return bits
    if op.kind == "right":
        return bits << cast("int", op.value) & ALL_BITS
    if op.kind == "left":
        return bits >> cast("int", op.value)
    return ALL_BITS


def _only_asked(fact: Op, roots: tuple[Op, ...], used_by: dict[Op, list[Op]]) -> list[int] | None:
    found: list[int] = []
    for user in used_by.get(fact, ()):
        if user.kind == "nonzero":
            found.append(ALL_BITS)
            continue
        fixed = [arg for arg in user.args if arg.kind == "constant"]
        if user.kind != "and" or len(user.args) != 2 or len(fixed) != 1 or user in roots:
            return None
        if any(above.kind != "nonzero" for above in used_by.get(user, ())):
            return None
        found.append(cast("int", fixed[0].value) & ALL_BITS)
    return found


def _alike(masks: list[int] | None, bits: int) -> tuple[int, ...] | None:
    """For each bit the lowest one that stands in the same masks."""
    if masks is None:
        return None
    first: dict[tuple[bool, ...], int] = {}
    found: list[int] = []
    for at in range(64):
        signature = tuple(bool(mask >> at & 1) for mask in masks)
        lowest = first.setdefault(signature, 1 << at)
        found.append(lowest if any(signature) and bits >> at & 1 else 0)
    return tuple(found)
