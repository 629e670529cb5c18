"""The example hands of a ruleset as columns, to judge them again and again under changed rules.

Every arrangement of every hand is a row of facts, made once. What a changed sentence finds is
worked out by the compiled operations over all rows at once; only hands on which it finds another
thing than before are weighed anew.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.arrange import SUIT_BITS, SUIT_MASK, UNIT
from ruleengine.batch.tables import packed_suits
from ruleengine.judge import LAID_FACTS, Numbers
from ruleengine.language.columns import ColumnProgram, Keys, base_five
from ruleengine.language.interpret import evaluate
from ruleengine.language.lower import WAY_BITS
from ruleengine.program import numbers_of
from ruleengine.rows import LANE_BITS, LANES, RowFinder
from ruleengine.scan import LAID
from ruleengine.testing.coverage import scenes_of_payers
from ruleengine.testing.effort import work_of_templates
from ruleengine.testing.run import scene_of_result
from ruleengine.tiles import SEATS
from ruleengine.weigh import Verdict, settle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ruleengine.language.interpret import Scene
    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Pattern, RulesetData
    from ruleengine.testing.budget import Budget
    from ruleengine.testing.cases import Case
    from ruleengine.testing.run import Outcome

_EVERY_READING = frozenset({"won_s", "won_t", "won_p", "open_t"})
_PACKED = ("packed_hand", "packed_before", "packed_all")
_NUMBERS = frozenset({"runs", "cn", "dora", "waits"})
OPERATION = 20
"""Steps to make and run one operation, besides its rows."""
COUNTED = 10
"""Steps to weigh one pattern that is there."""

Found = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
"""What a pattern comes to on every row: how often it is there, and its awards in each unit."""


@dataclass(frozen=True, slots=True)
class BenchHand:
    """One case with its rows, the first and the one after the last."""

    case: Case
    result: Result
    scene: Scene
    first: int
    last: int


class Bench:
    """Judges the hands of cases under rules that differ from the given ones in patterns, total
    or payments. All cases have the options of `rules`. What it does is paid for by a budget."""

    def __init__(self, rules: Rules, outcomes: Iterable[Outcome], budget: Budget) -> None:
        self.rules = rules
        self.budget = budget
        self.options = rules.options
        self.lowering = rules.program.lowering({})
        self.hands: list[BenchHand] = []
        finder = RowFinder(rules.shapes, _EVERY_READING)
        rows: list[dict[str, int]] = []
        for outcome in outcomes:
            result = outcome.result
            scene = None if result is None else scene_of_result(result)
            if result is None or scene is None:
                continue
            first = len(rows)
            rows += _rows(rules, finder, result)
            self.hands.append(BenchHand(outcome.case, result, scene, first, len(rows)))
        self._size = len(rows)
        self._facts = _columns(rows)
        self._base: dict[str, tuple[Pattern, Found]] = {}
        for pattern in rules.data.patterns.values():
            self._base[pattern.id] = (pattern, self._look(pattern, rules.data.units))

    def judged(self, data: RulesetData) -> Iterator[tuple[Case, dict[str, Any]]]:
        """The cases whose results may be others under changed rules, with those results; first
        those of patterns that differ, which most likely show it."""
        found: dict[str, Found] = {}
        order = sorted(data.patterns.values(), key=lambda pattern: pattern.code_order)
        differs = np.zeros(self._size, dtype=bool)
        placed = self._placed_otherwise(data)
        changed: set[str | None] = {*placed}
        everywhere = data.total != self.rules.data.total
        repaid = data.settlement != self.rules.data.settlement
        for pattern in order:
            known = self._base.get(pattern.id)
            if known is not None and _same_sentences(known[0], pattern):
                found[pattern.id] = known[1]
                continue
            found[pattern.id] = new = self._look(pattern, data.units)
            changed.add(pattern.id)
            if known is None:
                everywhere = True
                continue
            for before, after in zip((known[1][0], *known[1][1]), (new[0], *new[1]), strict=True):
                differs |= np.array(before) != np.array(after)
        # Where a pattern is not there, it makes no difference how it goes with others.
        for name in placed:
            if name in self._base:
                differs |= np.array(self._base[name][1][0]) > 0
            if name in found:
                differs |= np.array(found[name][0]) > 0
        numbers = numbers_of(data, self.options)
        self.budget.spend(len(self.hands) + len(order))
        for hand in sorted(self.hands, key=lambda hand: hand.case.pattern not in changed):
            pays = repaid and hand.case.expected.get("payments") is not None
            if everywhere or pays or differs[hand.first : hand.last].any():
                self.budget.spend((hand.last - hand.first) * len(order) // 4)
                yield hand.case, self._result(hand, data, order, found, numbers)

    def _placed_otherwise(self, data: RulesetData) -> set[str]:
        """The patterns of which more than the sentences is another, and those that were put in,
        left out or moved."""
        before = [_place_of(pattern) for pattern in self.rules.data.patterns.values()]
        after = [_place_of(pattern) for pattern in data.patterns.values()]
        if before == after:
            return set()
        pairs = itertools.zip_longest(before, after, fillvalue=("",))
        return {str(one[0]) for pair in pairs if pair[0] != pair[1] for one in pair}

    def _look(self, pattern: Pattern, units: Sequence[str]) -> Found:
        """What a pattern comes to on every row; there are no columns where there is no row."""
        if not self._size:
            return (), tuple(() for _ in units)
        self.budget.spend(work_of_templates(pattern))
        lower = self.lowering.sentence
        ops = self.lowering.ops
        when = ops.true if pattern.when is None else lower(pattern.when.meaning)
        times = ops.constant(1) if pattern.times is None else lower(pattern.times.meaning)
        awards = [
            lower(pattern.awards[unit].meaning) if unit in pattern.awards else ops.zero
            for unit in units
        ]
        program = ColumnProgram([when, times, *awards])
        self.budget.spend(len(program) * (OPERATION + self._size // 200) + self._size // 2)
        worked = program.run({name: self._facts[name] for name in program.facts})
        there = np.broadcast_to(worked[when], self._size)
        counts = np.where(there, np.maximum(_numbers(worked[times], self._size), 0), 0)
        amounts = [_numbers(worked[award], self._size) * counts for award in awards]
        return tuple(counts.tolist()), tuple(tuple(amount.tolist()) for amount in amounts)

    def _result(
        self,
        hand: BenchHand,
        data: RulesetData,
        order: Sequence[Pattern],
        found: Mapping[str, Found],
        numbers: Numbers,
    ) -> dict[str, Any]:
        """The result of one hand as cases speak of it."""
        best = None
        for row in range(hand.first, hand.last):
            verdicts = [
                Verdict(
                    pattern, "counted", counts[row], tuple([a[row] for a in amounts]), None, None
                )
                for pattern in order
                for counts, amounts in (found[pattern.id],)
                if counts[row]
            ]
            self.budget.spend(COUNTED * len(verdicts))
            weighed = settle(data, numbers, verdicts, hand.scene)
            if best is None or weighed.total > best.total:
                best = weighed
        assert best is not None
        win = best.base >= numbers.minimum
        payments = None
        if win and hand.case.expected.get("payments") is not None:
            payments = payments_of(data, hand.result, best.total)
        return {
            "win": win,
            "reason": None if win else "below_minimum",
            "points": best.total,
            "patterns": [verdict.pattern.id for verdict in best.counted],
            "limit": best.limit,
            "payments": payments,
        }


def payments_of(data: RulesetData, result: Result, points: int) -> dict[str, int] | None:
    """Who pays what for a win of so many points, by the lines of a settlement."""
    situation = result.situation
    if situation.by != "self_draw" and situation.from_seat is None:
        return None
    paid = dict.fromkeys(SEATS, 0)
    for seat, scene in scenes_of_payers(result, points):
        for line in data.settlement.get("win", ()):
            if line.when is None or evaluate(line.when.meaning, scene):
                amount = int(evaluate(line.pays.meaning, scene))
                paid[seat] -= amount
                paid[situation.seat] += amount
                break
    return paid


def _same_sentences(one: Pattern, other: Pattern) -> bool:
    return (one.when, one.times, one.awards) == (other.when, other.times, other.awards)


def _place_of(pattern: Pattern) -> tuple[object, ...]:
    return pattern.id, pattern.code, pattern.series, pattern.bonus, pattern.supersedes


def _numbers(column: Any, size: int) -> NDArray[np.int64]:
    return np.broadcast_to(np.asarray(column, dtype=np.int64), size)


# ---- rows ----------------------------------------------------------------------------------


def _rows(rules: Rules, finder: RowFinder, result: Result) -> list[dict[str, int]]:
    """The facts of every arrangement of a hand."""
    hand, situation = result.hand, result.situation
    tile = hand.winning_tile
    assert tile is not None
    before = sum(UNIT[standing] for standing in hand.standing)
    code = before + UNIT[tile]
    shared = dict.fromkeys(LAID_FACTS, 0)
    whole = code
    for meld in hand.melds:
        sort, bit, kinds, meld_code = LAID[meld]
        whole += meld_code
        shared["ck"] |= kinds
        if sort == 0:
            shared["cn"] += 1
            for lower, upper in (("c3", "c4"), ("c2", "c3"), ("c1", "c2")):
                shared[upper] |= shared[lower] & bit
            shared["c1"] |= bit
        else:
            shared[("ct", "kc", "kk")[sort - 1]] |= bit
    for least in (2, 3, 4):
        layer = sum(1 << at for at in range(len(UNIT)) if whole >> (4 * at) & 15 >= least)
        shared[f"n{least}"] = layer
    events = sum(rules.program.events[event] for event in situation.events)
    shared |= {
        "way": WAY_BITS[situation.by],
        "seat": 1 << SEATS.index(situation.seat),
        "round": 1 << SEATS.index(situation.round),
        "events": events,
        "won": 1 << tile,
        "flowers": sum(1 << flower for flower in hand.flowers),
        "seat_flower": rules.data.wall.seat_flowers.get(situation.seat, 0),
        "dora": result.dora,
        "waits": rules.waits(hand) if "waits" in rules.program.reads else 0,
        "packed_hand": code,
        "packed_before": before,
        "packed_all": whole,
    }
    found = []
    for row in finder.rows(code, len(hand.melds), 1 << tile, situation.by == "self_draw"):
        shape, lanes, runs, open_t, won_s, won_t, won_p = row
        facts = {name: lanes >> (LANE_BITS * at) & _LANE for at, name in enumerate(LANES)}
        facts |= {"shape": shape, "runs": runs, "open_t": open_t}
        found.append({**shared, **facts, "won_s": won_s, "won_t": won_t, "won_p": won_p})
    return found


_LANE = (1 << LANE_BITS) - 1


def _columns(rows: list[dict[str, int]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in rows[0] if rows else ():
        values = [row[name] for row in rows]
        if name in _PACKED:
            found[name] = _keys(values)
        else:
            found[name] = np.array(values, dtype=np.int32 if name in _NUMBERS else np.uint64)
    return found


def _keys(packed: list[int]) -> Keys:
    suits = [[code >> (SUIT_BITS * suit) & SUIT_MASK for code in packed] for suit in range(4)]
    counted = tuple(
        np.array([base_five(code) for code in column], dtype=np.int64) for column in suits
    )

    return Keys(counted, packed_suits())
