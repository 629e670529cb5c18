"""Weighs arrangements by the interpreter: what each pattern comes to, and why.

The slow and explicit twin of the compiled judge. Rulings it follows: in a series the pattern
worth most counts, the first of equals; then superseded patterns are dropped; a limit pattern
stands alone; the arrangement with the highest total counts, the first of equals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ruleengine.arrange import arrangements, pack
from ruleengine.language.interpret import Scene, Trace, evaluate, trace
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ruleengine.arrange import Arrangement
    from ruleengine.hand import Hand, Situation
    from ruleengine.judge import Numbers
    from ruleengine.language.meaning import Meaning
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Pattern, RulesetData

State = Literal["counted", "lost_to_series", "superseded", "lost_to_limit", "not_met"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one pattern on one arrangement.

    `count` is how often it is there and `awards` what that is worth in each unit, whether or
    not it counts in the end; `lost_to` is the id of the pattern that counts in its stead.
    """

    pattern: Pattern
    state: State
    count: int
    awards: tuple[int, ...]
    when: Trace | None
    times: Trace | None
    lost_to: str | None = None


@dataclass(frozen=True, slots=True)
class Weighed:
    """One arrangement with the verdict on every pattern, in the order of their codes.

    `sums` are the sums of the units without bonuses; `base` is the worth without bonuses,
    `total` what the arrangement is worth in the end.
    """

    arrangement: Arrangement
    scene: Scene
    verdicts: tuple[Verdict, ...]
    sums: tuple[int, ...]
    base: int
    total: int
    limit: Literal["cap", "limit_pattern"] | None

    @property
    def counted(self) -> tuple[Verdict, ...]:
        """The patterns that count in the total."""
        return tuple(verdict for verdict in self.verdicts if verdict.state == "counted")


def weigh_all(
    rules: Rules, hand: Hand, situation: Situation, dora: int = 0, *, thorough: bool = False
) -> list[Weighed]:
    """Every arrangement of a hand, weighed, in the stable order of `arrange.arrangements`.

    `thorough` also looks for what comes nearest to a sentence that is false.
    """
    by_self_draw = situation.by == "self_draw"
    base = scene_of(rules, hand, situation, dora)
    return [
        weigh(rules, replace(base, arrangement=arrangement, thorough=thorough))
        for arrangement in arrangements(hand, rules.shapes, by_self_draw)
    ]


def best_of(weighed: list[Weighed]) -> Weighed | None:
    """The arrangement that counts: the highest total, the first of equals."""
    return max(weighed, key=lambda one: one.total, default=None)


def scene_of(rules: Rules, hand: Hand, situation: Situation, dora: int = 0) -> Scene:
    """The scene of a winning hand, without an arrangement."""
    roles = {"winner": 1 << SEATS.index(situation.seat)}
    if situation.from_seat is not None:
        roles["discarder"] = 1 << SEATS.index(situation.from_seat)

    def waits() -> int:
        before = pack(hand.standing)
        held = before + pack(tile for meld in hand.melds for tile in meld.tiles)
        wall = sum(n << (4 * tile) for tile, n in rules.data.wall.copies.items() if tile < 34)
        return len(rules.finder.waits(before, len(hand.melds), held, wall))

    return Scene(
        hand,
        situation.by,
        situation.seat,
        situation.round,
        situation.events,
        rules.options,
        seat_flowers=rules.data.wall.seat_flowers.get(situation.seat, 0),
        dora=dora,
        waits=waits,
        roles=roles,
    )


def weigh(
    rules: Rules,
    scene: Scene,
    work_out: Callable[[Meaning, Scene], Trace] = trace,
    *,
    met_only: bool = False,
) -> Weighed:
    """Weigh one arrangement.

    `work_out` may know sentences that were worked out before; `met_only` leaves out the verdicts
    on patterns that are not there.
    """
    program = rules.program
    looked = [_look(rules, pattern, scene, work_out, met_only) for pattern in program.order]
    verdicts = [verdict for verdict in looked if verdict is not None]
    return settle(rules.data, program.numbers, verdicts, scene)


def settle(data: RulesetData, numbers: Numbers, verdicts: list[Verdict], scene: Scene) -> Weighed:
    """Weigh one arrangement of which is known what is there: series, supersession, total, limits.

    `verdicts` are in the order of a result; those that are not there may be missing.
    """
    verdicts = _drop_superseded(_choose_in_series(verdicts))
    base, total = _worth(data, numbers, verdicts, scene)
    limit: Literal["cap", "limit_pattern"] | None = None
    if numbers.cap is not None and total >= numbers.cap:
        total, limit = numbers.cap, "cap"
    alone = _limit_pattern(verdicts, numbers.limit_from)
    if alone is not None:
        total = base = _value(data, alone.awards, scene)
        limit = "limit_pattern"
        verdicts = [
            replace(v, state="lost_to_limit", lost_to=alone.pattern.id)
            if v.state != "not_met" and v is not alone
            else v
            for v in verdicts
        ]
    assert scene.arrangement is not None
    sums = _sums(data, [v for v in verdicts if v.state == "counted" and not v.pattern.bonus])
    return Weighed(scene.arrangement, scene, tuple(verdicts), sums, base, total, limit)


def _look(
    rules: Rules,
    pattern: Pattern,
    scene: Scene,
    work_out: Callable[[Meaning, Scene], Trace],
    met_only: bool,
) -> Verdict | None:
    when = None if pattern.when is None else work_out(pattern.when.meaning, scene)
    times = None
    count = 1
    if when is not None and not when.value:
        count = 0
    elif pattern.times is not None:
        times = work_out(pattern.times.meaning, scene)
        count = max(0, int(times.value))
    if not count and met_only:
        return None
    if not count:
        nothing = (0,) * len(rules.data.units)
        return Verdict(pattern, "not_met", 0, nothing, when, times)
    awards = tuple(
        int(evaluate(pattern.awards[unit].meaning, scene)) * count if unit in pattern.awards else 0
        for unit in rules.data.units
    )
    return Verdict(pattern, "counted", count, awards, when, times)


def _choose_in_series(verdicts: list[Verdict]) -> list[Verdict]:
    best: dict[str, Verdict] = {}
    for verdict in verdicts:
        series = verdict.pattern.series
        if verdict.state == "counted" and series is not None:
            held = best.get(series)
            if held is None or verdict.awards > held.awards:
                best[series] = verdict
    return [
        replace(v, state="lost_to_series", lost_to=best[v.pattern.series].pattern.id)
        if v.state == "counted" and v.pattern.series is not None and best[v.pattern.series] is not v
        else v
        for v in verdicts
    ]


def _drop_superseded(verdicts: list[Verdict]) -> list[Verdict]:
    """Drop what a counting pattern supersedes; one that is itself dropped drops nothing."""
    by_id = {verdict.pattern.id: verdict for verdict in verdicts}
    above: dict[str, list[str]] = {}
    for verdict in verdicts:
        for name in verdict.pattern.supersedes:
            above.setdefault(name, []).append(verdict.pattern.id)
    settled: dict[str, Verdict] = {}

    def settle(name: str) -> Verdict:
        if name not in settled:
            verdict = by_id[name]
            for other in above.get(name, ()):
                if settle(other).state == "counted" and verdict.state == "counted":
                    verdict = replace(verdict, state="superseded", lost_to=other)
            settled[name] = verdict
        return settled[name]

    return [settle(verdict.pattern.id) for verdict in verdicts]


def _worth(
    data: RulesetData, numbers: Numbers, verdicts: list[Verdict], scene: Scene
) -> tuple[int, int]:
    """The worth without and with bonuses, before cap and limit."""
    patterns = [v for v in verdicts if v.state == "counted" and not v.pattern.bonus]
    bonuses = [v for v in verdicts if v.state == "counted" and v.pattern.bonus]
    if not patterns:
        empty = numbers.empty
        return empty, empty + sum(v.awards[0] for v in bonuses)
    base = _value(data, _sums(data, patterns), scene)
    if not bonuses:
        return base, base
    if data.total.value is None:
        return base, base + sum(v.awards[0] for v in bonuses)
    return base, _value(data, _sums(data, patterns + bonuses), scene)


def _sums(data: RulesetData, verdicts: list[Verdict]) -> tuple[int, ...]:
    return tuple(sum(v.awards[at] for v in verdicts) for at in range(len(data.units)))


def _value(data: RulesetData, sums: tuple[int, ...], scene: Scene) -> int:
    value = data.total.value
    if value is None:
        return sums[0]
    named = dict(zip(data.units, sums, strict=True))
    return int(evaluate(value.meaning, replace(scene, sums=named)))


def _limit_pattern(verdicts: list[Verdict], limit_from: int | None) -> Verdict | None:
    """The pattern that stands alone: the one worth most of those that reach the limit."""
    if limit_from is None:
        return None
    high = [
        v
        for v in verdicts
        if v.state == "counted" and not v.pattern.bonus and v.awards[0] >= limit_from
    ]
    return max(high, key=lambda v: v.awards[0], default=None)
