"""Writes the judge: the function that picks the best arrangement of a hand and says what counts.

It is made of operations, as a syntax tree. Series become chains that stop at the first hit,
neighbours that all need the same thing (a triplet, an event) stand under one question for it.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.frozen import frozen
from ruleengine.language import generate as g
from ruleengine.language.necessary import NOTHING, Necessary, Needed
from ruleengine.rows import LANE_BITS, LANES, ROW_FACTS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ruleengine.language.lower import Lowering
    from ruleengine.language.operations import Op, Operations
    from ruleengine.ruleset.model import Pattern, RulesetData

LAID_FACTS = ("c1", "c2", "c3", "c4", "ct", "kc", "kk", "ck", "cn")
"""The facts of the melds, in the order in which the judge takes them apart."""
RARE_FACTS = ("n2", "n3", "n4", "packed_all", "flowers", "seat_flower", "dora", "waits")
"""Facts of a hand that few rulesets read, likewise."""
ARGUMENTS = (
    "rows", "way", "seat", "round", "events", "won", "packed_hand", "packed_before", "laid", "rare",
)  # fmt: skip
"""What the judge takes: the rows of a hand, then its facts."""
RARE_LANES = ("s2", "s3", "s4", "p2")
"""Lanes that are empty in most rows; they are the highest ones."""
ALWAYS_THERE = frozenset({"shape", "way", "seat", "round", "won", "n1", "packed", "packed_before"})
"""Facts that no row is without."""


@dataclass(frozen=True, slots=True)
class CountedPattern:
    """A pattern that counts in a total: how often, and what it adds, in each unit it awards."""

    pattern: Pattern
    count: int
    awards: tuple[int, ...]

    @property
    def id(self) -> str:
        """The id of the pattern."""
        return self.pattern.id

    @property
    def code(self) -> str | None:
        """The code of the pattern, such as 2.1.1; None where it has none."""
        return self.pattern.code

    @property
    def points(self) -> int:
        """What the pattern adds: its value times its count, in the first unit it is given in."""
        return self.awards[0]

    def name(self, language: str = "en") -> str:
        """The name of the pattern in a language."""
        return self.pattern.name.get(language) or self.pattern.id


@frozen
class Numbers:
    """The numbers of a total for one choice of options; None where the ruleset has none."""

    cap: int | None
    limit_from: int | None
    empty: int
    minimum: int


Judgement = tuple[int, int, int, int, list[tuple[int, CountedPattern]], int]
"""What the judge finds: the total; the place of the best row; the sum without bonuses; the
patterns that count once and award the same always, a bit each by their place in the order of a
result; the others, each with its place; the place of a limit pattern that stands alone, or -1."""

MOST_PREPARED = 5
"""Counts of a repeatable pattern that are made beforehand."""


@frozen
class Lowered:
    """A pattern with its operations; `place` is where it stands in the order of a result."""

    pattern: Pattern
    place: int
    when: Op
    times: Op | None
    awards: tuple[Op, ...]

    @property
    def value(self) -> tuple[int, ...] | None:
        """What it adds in each unit, where that is always the same."""
        return None if self.times is not None else self.each

    @property
    def each(self) -> tuple[int, ...] | None:
        """What it awards each time, where that is always the same."""
        if any(award.kind != "constant" for award in self.awards):
            return None
        return tuple(int(award.value) for award in self.awards)  # type: ignore[arg-type]

    @property
    def operations(self) -> list[Op]:
        """The operations that the pattern is made of."""
        return [self.when, *([self.times] if self.times else []), *self.awards]


def lowered(lowering: Lowering, pattern: Pattern, units: Sequence[str], place: int) -> Lowered:
    """A pattern as operations, with an award for each unit, 0 where it awards none."""
    ops = lowering.ops
    times = None if pattern.times is None else lowering.sentence(pattern.times.meaning)
    when = ops.true if pattern.when is None else lowering.sentence(pattern.when.meaning)
    awards = tuple(
        lowering.sentence(pattern.awards[unit].meaning) if unit in pattern.awards else ops.zero
        for unit in units
    )
    return Lowered(pattern, place, when, times, awards)


def is_there(ops: Operations, when: Op, times: Op | None) -> Op:
    """That a pattern is there, by when it is and how often."""
    return when if times is None else ops.all_([when, ops.compare(">", times, ops.zero)])


@frozen
class _Step:
    """The statements of one series, and what cannot be missing when one of it is there."""

    statements: list[ast.stmt]
    needed: tuple[Needed, ...]
    operations: list[Op]


class _Guards:
    """Finds the questions that most conditions stand under. `left` are the steps that stand under
    none yet."""

    def __init__(self, steps: list[_Step], necessary: Necessary, rank: Callable[[Op], int]) -> None:
        self.left = steps
        self._asked = Counter(op for step in steps for op in _asked_by(step))
        guards = sorted((op for op in self._asked if not _is_always_there(op)), key=rank)
        self._saved = dict.fromkeys(guards, 0)
        self._under: dict[int, Needed] = {}
        implied = necessary.implied_among(self._saved)
        for step in steps:
            under = [NOTHING.union(*map(implied, needed)) for needed in step.needed]
            self._under[id(step)] = frozenset.intersection(*under) if under else NOTHING
            for guard in self._under[id(step)]:
                self._saved[guard] += len(step.needed)

    def best(self) -> Op | None:
        """The question that most conditions stand under, if it saves asking at least two."""
        asked = [guard for guard in self._saved if self._asked[guard]]
        found = max(asked, key=self._saved.__getitem__, default=None)
        return found if found is not None and self._saved[found] > 1 else None

    def take(self, guard: Op) -> list[_Step]:
        """The steps that stand under a question; they are no longer left."""
        taken = [step for step in self.left if guard in self._under[id(step)]]
        self.left = [step for step in self.left if guard not in self._under[id(step)]]
        for step in taken:
            self._asked.subtract(_asked_by(step))
            for other in self._under[id(step)]:
                self._saved[other] -= len(step.needed)
        return taken


def _asked_by(step: _Step) -> set[Op]:
    return {op for needed in step.needed for op in needed}


def _is_always_there(op: Op) -> bool:
    return op.kind == "fact" and op.value in ALWAYS_THERE


class JudgeWriter:
    """Writes one judge. `order` are the patterns in the order of a result, `entries` the places
    of those that may be noted as bits (all that can be, by itself)."""

    def __init__(
        self,
        data: RulesetData,
        order: tuple[Pattern, ...],
        numbers: Numbers,
        lowering: Lowering,
        entries: frozenset[int] | None = None,
    ) -> None:
        self.entries = entries
        self.numbers = numbers
        self.units = data.units
        self.names: dict[str, object] = {"min": min, "max": max, "Counted": CountedPattern}
        self.ops = lowering.ops
        self.necessary = Necessary()
        self.lowered = [lowered(lowering, x, self.units, i) for i, x in enumerate(order)]
        self.value = None
        if data.total.value is not None:
            self.value = lowering.sentence(data.total.value.meaning)
        self.emitter = g.Emitter([op for low in self.lowered for op in low.operations])
        self.drops = any(low.pattern.supersedes for low in self.lowered)
        self.has_bonus = any(low.pattern.bonus for low in self.lowered)

    def function(self) -> Callable[..., Judgement | None]:
        """The judge."""
        loop: list[ast.stmt] = self._unpack()
        start = [*self._sums(), "found"]
        if self.has_bonus:
            start += [*self._sums("bonus"), "patterns"]
        loop += [g.assign(name, g.constant(0)) for name in start]
        if self.numbers.limit_from is not None:
            loop.append(g.assign("top", g.constant(self.numbers.limit_from - 1)))
            loop.append(g.assign("alone", g.constant(-1)))
        loop.append(g.assign("other", ast.List([], ast.Load())))
        if self.drops:
            loop += [*self.emitter.moving_statements(), *self._with_drops()]
        else:
            series = in_series(self.lowered)
            loop += self._under_guards([self._series_step(members) for members in series])
        loop += self._total()
        loop += self._keep_best()
        body: list[ast.stmt] = []
        for whole, facts in (("laid", LAID_FACTS), ("rare", RARE_FACTS)):
            if self.emitter.facts & set(facts):
                target = ast.Tuple([ast.Name(f, ast.Store()) for f in facts], ast.Store())
                body.append(ast.Assign([target], g.name(whole)))
        body += self.emitter.fixed_statements()
        body.append(g.assign("best", g.constant(None)))
        body.append(g.assign("most", g.constant(float("-inf"))))
        body.append(g.assign("place", g.constant(-1)))
        body.append(ast.For(ast.Name("row", ast.Store()), g.name("rows"), loop, []))
        body.append(ast.Return(g.name("best")))
        return g.build("judge", list(ARGUMENTS), body, self.names)  # type: ignore[return-value]

    def _unpack(self) -> list[ast.stmt]:
        target = ast.Tuple([ast.Name(fact, ast.Store()) for fact in ROW_FACTS], ast.Store())
        body: list[ast.stmt] = [ast.Assign([target], g.name("row"))]
        read = [lane for lane in LANES if lane in self.emitter.facts]
        body += [self._lane(lane) for lane in read if lane not in RARE_LANES]
        rare = [lane for lane in read if lane in RARE_LANES]
        if rare:
            first = LANE_BITS * LANES.index(RARE_LANES[0])
            any_of_them = ast.BinOp(g.name("packed"), ast.RShift(), g.constant(first))
            none: list[ast.stmt] = [g.assign(lane, g.constant(0)) for lane in rare]
            body.append(ast.If(any_of_them, [self._lane(lane) for lane in rare], none))
        return body

    def _lane(self, lane: str) -> ast.stmt:
        lowest = LANE_BITS * LANES.index(lane)
        moved: ast.expr = g.name("packed")
        if lowest:
            moved = ast.BinOp(moved, ast.RShift(), g.constant(lowest))
        mask = g.constant((1 << LANE_BITS) - 1)
        return g.assign(lane, ast.BinOp(moved, ast.BitAnd(), mask))

    def _sums(self, prefix: str = "sum") -> list[str]:
        return [f"{prefix}{at}" for at in range(len(self.units))]

    # ---- guards ---------------------------------------------------------------------

    def _under_guards(self, steps: list[_Step]) -> list[ast.stmt]:
        """The statements of the steps, those that need the same thing under one question for it.

        What counts is kept as bits, so the steps may stand in any order. What only the steps
        under one question work out together is worked out there.
        """
        rest = [step for step in steps if step.statements]
        blocks: list[tuple[Op, list[_Step]]] = []
        choice = _Guards(rest, self.necessary, self.emitter.rank)
        while (guard := choice.best()) is not None:
            blocks.append((guard, choice.take(guard)))
        rest = choice.left
        outside = [op for step in rest for op in step.operations]
        inside = [[op for step in under for op in step.operations] for _, under in blocks]
        guards = [guard for guard, _ in blocks]
        own = self.emitter.only_in(inside, [*outside, *guards])
        body = self.emitter.moving_statements(set().union(*own))
        for (guard, under), local in zip(blocks, own, strict=True):
            statements = self.emitter.assignments(local)
            statements += [statement for step in under for statement in step.statements]
            body.append(ast.If(self.emitter.expression(guard), statements, []))
        return [*body, *(statement for step in rest for statement in step.statements)]

    # ---- one series -----------------------------------------------------------------

    def _series_step(self, members: list[Lowered]) -> _Step:
        possible = [low for low in members if low.when is not self.ops.false]
        needed = tuple(self._needed(low) for low in possible)
        operations = [op for low in possible for op in low.operations]
        return _Step(self._series_statements(possible), needed, operations)

    def _needed(self, low: Lowered) -> Needed:
        """What cannot be missing when a pattern is there."""
        needed = self.necessary.when_true(low.when)
        return needed if low.times is None else needed | self.necessary.positive(low.times)

    def _series_statements(self, members: list[Lowered]) -> list[ast.stmt]:
        if all(low.value is not None for low in members):
            # The one worth most is asked first, and ends the search.
            ranked = sorted(members, key=lambda low: low.value or (), reverse=True)
            chain: list[ast.stmt] = []
            for low in reversed(ranked):
                hit = self._hit(low, g.constant(1))
                if low.when is self.ops.true:
                    chain = hit
                else:
                    chain = [ast.If(self.emitter.expression(low.when), hit, chain)]
            return chain
        if len(members) == 1:
            return self._counted_once(members[0])
        return self._chosen_at_run(members)

    def _counted_once(self, low: Lowered) -> list[ast.stmt]:
        times = g.constant(1) if low.times is None else self.emitter.expression(low.times)
        inner: list[ast.stmt] = [
            g.assign("times", times),
            ast.If(_positive("times"), self._hit(low, g.name("times")), []),
        ]
        if low.when is self.ops.true:
            return inner
        return [ast.If(self.emitter.expression(low.when), inner, [])]

    def _chosen_at_run(self, members: list[Lowered]) -> list[ast.stmt]:
        """Work out what each member is worth, then count the one worth most, first of equals."""
        body: list[ast.stmt] = _no_choice()
        for low in members:
            times = g.constant(1) if low.times is None else self.emitter.expression(low.times)
            inner: list[ast.stmt] = [
                g.assign("times", times),
                ast.If(_positive("times"), self._if_better(low, "times"), []),
            ]
            body.append(ast.If(self.emitter.expression(low.when), inner, []))
        chain: list[ast.stmt] = []
        for low in reversed(members):
            chosen = ast.Compare(g.name("choice"), [ast.Eq()], [g.constant(low.place)])
            chain = [ast.If(chosen, self._hit(low, g.name("often")), chain)]
        return body + chain

    def _if_better(self, low: Lowered, times: str) -> list[ast.stmt]:
        """Take this member of a series where it is worth more than the best before it."""
        worth = [
            ast.BinOp(self.emitter.expression(award), ast.Mult(), g.name(times))
            for award in low.awards
        ]
        better = ast.BoolOp(
            ast.Or(),
            [
                ast.Compare(g.name("worth"), [ast.Is()], [g.constant(None)]),
                ast.Compare(g.name("this"), [ast.Gt()], [g.name("worth")]),
            ],
        )
        keep: list[ast.stmt] = [
            g.assign("worth", g.name("this")),
            g.assign("choice", g.constant(low.place)),
            g.assign("often", g.name(times)),
        ]
        return [g.assign("this", ast.Tuple(list(worth), ast.Load())), ast.If(better, keep, [])]

    # ---- rulesets in which patterns drop others -------------------------------------

    def _with_drops(self) -> list[ast.stmt]:
        """How often each pattern counts, first by series, then with the superseded ones dropped."""
        body: list[ast.stmt] = []
        for low in self.lowered:
            count = g.constant(1) if low.times is None else self.emitter.expression(low.times)
            if low.when is not self.ops.true:
                when = self.emitter.expression(low.when)
                count = ast.IfExp(when, count, g.constant(0))
            body.append(g.assign(_count(low), count))
        for members in in_series(self.lowered):
            if len(members) > 1:
                body += self._best_of_series(members)
        by_id = {low.pattern.id: low for low in self.lowered}
        for low in superseders_first(self.lowered):
            dropped: list[ast.stmt] = [
                g.assign(_count(by_id[name]), g.constant(0)) for name in low.pattern.supersedes
            ]
            if dropped:
                body.append(ast.If(_positive(_count(low)), dropped, []))
        for low in self.lowered:
            body.append(ast.If(_positive(_count(low)), self._hit(low, g.name(_count(low))), []))
        return body

    def _best_of_series(self, members: list[Lowered]) -> list[ast.stmt]:
        body: list[ast.stmt] = _no_choice()
        for low in members:
            body.append(ast.If(_positive(_count(low)), self._if_better(low, _count(low)), []))
        for low in members:
            lost = ast.Compare(g.name("choice"), [ast.NotEq()], [g.constant(low.place)])
            body.append(ast.If(lost, [g.assign(_count(low), g.constant(0))], []))
        return body

    # ---- a pattern that counts ------------------------------------------------------

    def _hit(self, low: Lowered, times: ast.expr) -> list[ast.stmt]:
        always = low.value if isinstance(times, ast.Constant) else None
        if self.entries is not None and low.place not in self.entries:
            always = None
        if always is not None:
            body: list[ast.stmt] = []
            adds = [g.constant(part) for part in always]
        else:
            body = [
                g.assign(f"add{at}", ast.BinOp(self.emitter.expression(award), ast.Mult(), times))
                for at, award in enumerate(low.awards)
            ]
            adds = [g.name(f"add{at}") for at in range(len(self.units))]
        for name, add in zip(
            self._sums("bonus" if low.pattern.bonus else "sum"), adds, strict=True
        ):
            if not (isinstance(add, ast.Constant) and add.value == 0):
                body.append(g.augment(name, add))
        if always is not None:
            bit = g.constant(1 << low.place)
            body.append(ast.AugAssign(ast.Name("found", ast.Store()), ast.BitOr(), bit))
        else:
            body.append(self._other(low, times, adds))
        if self.has_bonus and not low.pattern.bonus:
            body.append(g.assign("patterns", g.constant(1)))
        limit = self.numbers.limit_from
        if limit is None or low.pattern.bonus or (always is not None and always[0] < limit):
            return body
        # Series are looked at in any order; of equals the first in the order of a result counts.
        first = ast.Compare(g.constant(low.place), [ast.Lt()], [g.name("alone")])
        same = ast.Compare(adds[0], [ast.Eq()], [g.name("top")])
        higher: ast.expr = ast.BoolOp(
            ast.Or(),
            [
                ast.Compare(adds[0], [ast.Gt()], [g.name("top")]),
                ast.BoolOp(ast.And(), [same, first]),
            ],
        )
        alone: list[ast.stmt] = [
            g.assign("top", adds[0]),
            g.assign("alone", g.constant(low.place)),
        ]
        if self.value is not None:
            alone += [g.assign(f"top{at}", add) for at, add in enumerate(adds)]
        return [*body, ast.If(higher, alone, [])]

    def _other(self, low: Lowered, times: ast.expr, adds: list[ast.expr]) -> ast.stmt:
        """Note a pattern whose count or award is not always the same."""
        shown = [a for a, unit in zip(adds, self.units, strict=True) if unit in low.pattern.awards]
        self.names[f"pattern{low.place}"] = low.pattern
        made: ast.expr = g.call(
            g.name("Counted"), g.name(f"pattern{low.place}"), times, ast.Tuple(shown, ast.Load())
        )
        if low.each is not None:
            self.names[f"ready{low.place}"] = tuple(
                counted(low.pattern, self.units, low.each, times) for times in range(MOST_PREPARED)
            )
            few = ast.Compare(times, [ast.Lt()], [g.constant(MOST_PREPARED)])
            made = ast.IfExp(
                few, ast.Subscript(g.name(f"ready{low.place}"), times, ast.Load()), made
            )
        pair = ast.Tuple([g.constant(low.place), made], ast.Load())
        return ast.Expr(g.call(ast.Attribute(g.name("other"), "append", ast.Load()), pair))

    # ---- the total of a row ---------------------------------------------------------

    def _total(self) -> list[ast.stmt]:
        numbers = self.numbers
        empty = g.constant(numbers.empty)
        some: ast.expr = ast.BoolOp(ast.Or(), [g.name("found"), g.name("other")])
        if self.has_bonus:
            some = g.name("patterns")
        base = self._value([g.name(name) for name in self._sums()])
        body: list[ast.stmt] = [g.assign("base", ast.IfExp(some, base, empty))]
        whole: ast.expr = g.name("base")
        if self.has_bonus:
            whole = ast.BinOp(g.name("base"), ast.Add(), g.name("bonus0"))
            if self.value is not None:
                both: list[ast.expr] = [
                    ast.BinOp(g.name(s), ast.Add(), g.name(b))
                    for s, b in zip(self._sums(), self._sums("bonus"), strict=True)
                ]
                whole = ast.IfExp(some, self._value(both), whole)
        body.append(g.assign("total", whole))
        if numbers.cap is not None:
            over = ast.Compare(g.name("total"), [ast.Gt()], [g.constant(numbers.cap)])
            body.append(ast.If(over, [g.assign("total", g.constant(numbers.cap))], []))
        if numbers.limit_from is not None:
            names = self._sums("top") if self.value is not None else ["top"]
            alone: list[ast.stmt] = [
                g.assign("total", self._value([g.name(name) for name in names])),
                g.assign("base", g.name("total")),
            ]
            body.append(ast.If(self._limited(), alone, []))
        return body

    def _limited(self) -> ast.expr:
        """Whether a limit pattern counts."""
        assert self.numbers.limit_from is not None
        return ast.Compare(g.name("top"), [ast.GtE()], [g.constant(self.numbers.limit_from)])

    def _value(self, sums: list[ast.expr]) -> ast.expr:
        """The total of the sums: that of the only unit, or what the ruleset says."""
        if self.value is None:
            return sums[0]
        return _substitute(self.value, dict(zip(self.units, sums, strict=True)))

    def _keep_best(self) -> list[ast.stmt]:
        alone: ast.expr = g.constant(-1)
        if self.numbers.limit_from is not None:
            alone = ast.IfExp(self._limited(), g.name("alone"), g.constant(-1))
        row = [g.name(name) for name in ("total", "place", "base", "found", "other")]
        keep: list[ast.stmt] = [
            g.assign("most", g.name("total")),
            g.assign("best", ast.Tuple([*row, alone], ast.Load())),
        ]
        better = ast.Compare(g.name("total"), [ast.Gt()], [g.name("most")])
        return [g.augment("place", g.constant(1)), ast.If(better, keep, [])]


def counted(
    pattern: Pattern, units: tuple[str, ...], each: tuple[int, ...], times: int
) -> CountedPattern:
    """A pattern that awards the same each time, counted so many times."""
    awards = tuple(a * times for a, unit in zip(each, units, strict=True) if unit in pattern.awards)
    return CountedPattern(pattern, times, awards)


def _count(low: Lowered) -> str:
    return f"k{low.place}"


def _positive(name: str) -> ast.expr:
    return ast.Compare(g.name(name), [ast.Gt()], [g.constant(0)])


def _no_choice() -> list[ast.stmt]:
    return [g.assign("worth", g.constant(None)), g.assign("choice", g.constant(-1))]


def _substitute(op: Op, units: dict[str, ast.expr]) -> ast.expr:
    """An operation over the sums of units, with the sums put in."""

    class Put(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return units.get(node.id, node)

    found = Put().visit(g.Emitter([]).expression(op))
    assert isinstance(found, ast.expr)
    return found


def in_series(lowered: list[Lowered]) -> list[list[Lowered]]:
    """Patterns that exclude one another, each list in the order of a result."""
    found: dict[str, list[Lowered]] = {}
    for low in lowered:
        series = low.pattern.series
        # A pattern without a series stands alone, under a name no series can have.
        found.setdefault(f"\0{low.pattern.id}" if series is None else series, []).append(low)
    return list(found.values())


def superseders_first(lowered: list[Lowered]) -> list[Lowered]:
    """Patterns so ordered that whoever drops another comes before it."""
    by_id = {low.pattern.id: low for low in lowered}
    dropped_by: dict[str, list[str]] = {low.pattern.id: [] for low in lowered}
    for low in lowered:
        for name in low.pattern.supersedes:
            dropped_by[name].append(low.pattern.id)
    found: dict[str, Lowered] = {}

    def place(name: str) -> None:
        if name not in found:
            for above in dropped_by[name]:
                place(above)
            found[name] = by_id[name]

    for low in lowered:
        place(low.pattern.id)
    return list(found.values())
