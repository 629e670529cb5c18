"""Holds the compiled evaluator against the interpreter: what they differ in, as lines of text."""

from __future__ import annotations

import ast
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ruleengine.arrange import arrangements, layers, pack
from ruleengine.language import generate as g
from ruleengine.language.interpret import evaluate, trace
from ruleengine.language.lower import FACTS, WAY_BITS
from ruleengine.language.meaning import Option, TileFact
from ruleengine.language.operations import ARRANGEMENT_FACTS
from ruleengine.program import PAYMENT_FACTS
from ruleengine.rows import LANE_BITS, LANES, ROW_FACTS
from ruleengine.situation import count_dora
from ruleengine.tiles import SEATS
from ruleengine.weigh import best_of, scene_of, weigh, weigh_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ruleengine.arrange import Arrangement
    from ruleengine.language.interpret import Scene, Trace
    from ruleengine.language.meaning import Meaning
    from ruleengine.result import Result
    from ruleengine.rows import Row
    from ruleengine.rules import Rules
    from ruleengine.weigh import Weighed
    from tests.random_hands import Win


# ---- one sentence on one arrangement -------------------------------------------------------------


def compile_alone(rules: Rules, meaning: Meaning) -> Callable[..., int | bool]:
    """One sentence as a function of all facts, by name."""
    op = rules.program.lowering({}).sentence(meaning)
    emitter = g.Emitter([op])
    body = [
        *emitter.fixed_statements(),
        *emitter.moving_statements(),
        ast.Return(emitter.expression(op)),
    ]
    return g.build("alone", list(FACTS), body, {"min": min, "max": max})  # type: ignore[return-value]


def facts_of(rules: Rules, scene: Scene) -> dict[str, int]:
    """The facts of a scene, worked out group by group and tile by tile."""
    hand, arrangement = scene.hand, scene.arrangement
    assert arrangement is not None
    assert hand.winning_tile is not None
    found = dict.fromkeys(FACTS, 0)
    found |= row_facts(rules, arrangement)
    melds = hand.melds

    def claimed(kind: str) -> list[int]:
        return [meld.tile for meld in melds if meld.kind == kind and meld.claimed]

    c1, c2, c3, c4 = layers(claimed("sequence"), 4)
    _, n2, n3, n4 = layers(scene.tiles, 4)
    found |= {"c1": c1, "c2": c2, "c3": c3, "c4": c4, "n2": n2, "n3": n3, "n4": n4}
    found |= {
        "ct": mask(claimed("triplet")),
        "kc": mask(claimed("kong")),
        "kk": mask(meld.tile for meld in melds if not meld.claimed),
        "ck": mask(tile for meld in melds for tile in meld.tiles),
        "cn": len(claimed("sequence")),
        "flowers": mask(hand.flowers),
        "packed_hand": pack((*hand.standing, hand.winning_tile)),
        "packed_before": pack(hand.standing),
        "packed_all": pack(scene.tiles),
        "won": 1 << hand.winning_tile,
        "way": WAY_BITS[scene.by],
        "seat": 1 << SEATS.index(scene.seat),
        "round": 1 << SEATS.index(scene.round),
        "events": sum(1 << list(rules.data.events).index(event) for event in scene.events),
        "seat_flower": scene.seat_flowers,
        "dora": scene.dora,
        "waits": scene.waits(),
    }
    return found


def row_facts(rules: Rules, arrangement: Arrangement) -> dict[str, int]:
    """The facts of an arrangement alone, as `operations.ARRANGEMENT_FACTS` names them."""
    groups = arrangement.groups
    place = arrangement.winning_group
    won = None if place is None else groups[place]
    shape = next(at for at, s in enumerate(rules.shapes) if s.id == arrangement.shape)
    standing = [group for group in groups if group.status != "claimed" and group.kind != "kong"]

    def starts(kind: str) -> list[int]:
        return [group.tile for group in standing if group.kind == kind]

    def completed(kind: str) -> int:
        return 1 << won.tile if won is not None and won.kind == kind else 0

    s1, s2, s3, s4 = layers(starts("sequence"), 4)
    p1, p2 = layers(starts("pair"), 2)
    found = {
        "shape": 1 << shape,
        "n1": mask([*arrangement.loose, *(tile for group in standing for tile in group.tiles)]),
        "runs": len(starts("sequence")),
        "s1": s1, "s2": s2, "s3": s3, "s4": s4,
        "t": mask(starts("triplet")),
        "p1": p1, "p2": p2,
        "open_t": mask(group.tile for group in groups if group.status == "completed"),
        "won_s": completed("sequence"), "won_t": completed("triplet"), "won_p": completed("pair"),
    }  # fmt: skip
    assert found.keys() == ARRANGEMENT_FACTS, "a new fact of arrangements: work it out here"
    return found


def unpacked(row: Row) -> dict[str, int]:
    """A row as the facts of an arrangement."""
    lane = (1 << LANE_BITS) - 1
    facts = dict(zip(ROW_FACTS, row, strict=True))
    packed = facts.pop("packed")
    return facts | {name: packed >> (LANE_BITS * at) & lane for at, name in enumerate(LANES)}


def mask(tiles: Iterable[int]) -> int:
    """Tiles as a mask."""
    found = 0
    for tile in tiles:
        found |= 1 << tile
    return found


def scenes(rules: Rules, win: Win) -> list[Scene]:
    """The scene of each arrangement of a hand."""
    dora = count_dora(win.hand, win.situation, rules.data)
    return [one.scene for one in weigh_all(rules, win.hand, win.situation, dora)]


def sentence_differences(
    rules: Rules, sentences: dict[str, tuple[Meaning, Callable[..., int | bool]]], win: Win
) -> list[str]:
    """Where a sentence, compiled alone, is not what the interpreter says, on any arrangement."""
    found: list[str] = []
    for scene in scenes(rules, win):
        facts = facts_of(rules, scene)
        for text, (meaning, compiled) in sentences.items():
            expected = evaluate(meaning, scene)
            got = compiled(**facts)
            same = bool(got) == expected if isinstance(expected, bool) else got == expected
            if not same:
                found.append(f"{text}: interpreter {expected}, compiled {got}; {_place(scene)}")
    return found


def _place(scene: Scene) -> str:
    won = scene.arrangement.winning_group if scene.arrangement else None
    return (
        f"{scene.hand} read as {scene.arrangement} (won group {won}), {scene.by} seat {scene.seat} "
        f"round {scene.round} events {sorted(scene.events)}"
    )


# ---- the rows of a hand --------------------------------------------------------------------------


def row_differences(rules: Rules, win: Win) -> list[str]:
    """Where the rows of a hand are not its arrangements, one for one and in the same order."""
    hand = win.hand
    assert hand.winning_tile is not None
    drawn = win.situation.by == "self_draw"
    code = pack((*hand.standing, hand.winning_tile))
    rows = rules.finder.rows(code, len(hand.melds), 1 << hand.winning_tile, drawn)
    every = arrangements(hand, rules.shapes, drawn)
    kept = told_apart(rules, every, drawn)
    read = set(ARRANGEMENT_FACTS)
    if not rules.finder.tells_all:
        read -= {"won_s", "won_t", "won_p"}
        if not rules.finder.tells_open:
            read -= {"open_t"}
    expected = [[row_facts(rules, one)[name] for name in sorted(read)] for one in kept]
    got = [[unpacked(row)[name] for name in sorted(read)] for row in rows]
    if got != expected:
        return [f"{hand} {win.situation.by}: rows {got}, arrangements {[*map(str, kept)]}"]
    made = [rules.finder.arrangement(row, hand, drawn) for row in rows]
    if made != kept:
        return [f"{hand} {win.situation.by}: made {[*map(str, made)]}, not {[*map(str, kept)]}"]
    return []


def told_apart(rules: Rules, every: list[Arrangement], drawn: bool) -> list[Arrangement]:
    """Of all arrangements of a hand the first of each kind that the ruleset tells apart."""
    finder = rules.finder
    if finder.tells_all:
        return every
    found: dict[object, Arrangement] = {}
    for one in every:
        opened = None
        if finder.tells_open and not drawn:
            opened = next((group for group in one.groups if group.status == "completed"), None)
        read = tuple((group.kind, group.tile) for group in one.groups)
        found.setdefault((one.shape, read, one.loose, opened), one)
    return list(found.values())


# ---- whole results -------------------------------------------------------------------------------

MOST_SCENES = 16
"""Scenes whose sentences are remembered: more than rulesets share of one hand."""


class Weigher:
    """Weighs hands under several rulesets, like `weigh.weigh_all`.

    A sentence that rulesets share is worked out once on a scene that they share, by the
    interpreter, and its trace goes to each of them. A sentence that does not speak of flowers is
    shared by scenes that differ in nothing else.
    """

    def __init__(self) -> None:
        self._sentences: dict[object, _Known] = {}
        self._known: dict[int, dict[int, _Known]] = {}
        self._tables: dict[object, int] = {}
        self._scenes: dict[object, list[tuple[Arrangement, dict[object, Trace]]]] = {}

    def weigh_all(self, rules: Rules, win: Win) -> list[Weighed]:
        """Every arrangement of a hand, weighed, in the stable order of `arrange.arrangements`."""
        hand, situation = win.hand, win.situation
        if len(self._scenes) > MOST_SCENES:
            self._scenes.clear()
        base = scene_of(rules, hand, situation, count_dora(hand, situation, rules.data))
        known = self._known.get(id(rules))
        if known is None:
            known = self._known[id(rules)] = self._sentences_of(rules)
        key = (
            self._table(rules), hand.standing, hand.melds, hand.winning_tile, base.by, base.seat,
            base.round, base.events, base.dora, tuple(base.roles.items()),
        )  # fmt: skip
        flowers = hand.flowers, base.seat_flowers
        if key not in self._scenes:
            every = arrangements(hand, rules.shapes, situation.by == "self_draw")
            self._scenes[key] = [(arrangement, {}) for arrangement in every]
        found: list[Weighed] = []
        for arrangement, traces in self._scenes[key]:

            def work_out(
                meaning: Meaning, scene: Scene, traces: dict[object, Trace] = traces
            ) -> Trace:
                number, reads_flowers = known[id(meaning)]
                name = (number, flowers) if reads_flowers else number
                worked_out = traces.get(name)
                if worked_out is None:
                    worked_out = traces[name] = trace(meaning, scene)
                return worked_out

            scene = replace(base, arrangement=arrangement)
            found.append(weigh(rules, scene, work_out, met_only=True))
        return found

    def _table(self, rules: Rules) -> int:
        """What the waits of a hand depend on, as a number."""
        copies = tuple(n for tile, n in sorted(rules.data.wall.copies.items()) if tile < 34)
        return self._tables.setdefault((copies, rules.shapes), len(self._tables))

    def _sentences_of(self, rules: Rules) -> dict[int, _Known]:
        """The sentences of the patterns of a ruleset by their identity, equal ones as one; those
        that ask for options are shared with no other ruleset."""
        found: dict[int, _Known] = {}
        for pattern in rules.data.patterns.values():
            for sentence in (pattern.when, pattern.times):
                if sentence is None:
                    continue
                meaning = sentence.meaning
                parts = list(_parts(meaning))
                alone = any(isinstance(part, Option) for part in parts)
                reads_flowers = any(
                    getattr(part, "of", None) == "flower" or part == TileFact("seat_flower")
                    for part in parts
                )
                key = (id(rules), meaning) if alone else meaning
                fresh = _Known(len(self._sentences), reads_flowers)
                found[id(meaning)] = self._sentences.setdefault(key, fresh)
        return found


class _Known(NamedTuple):
    """A sentence: its number among the different ones, and whether it speaks of flowers."""

    number: int
    reads_flowers: bool


def _parts(node: object) -> Iterator[object]:
    """A checked sentence with all of its parts, classes of tiles included."""
    if isinstance(node, tuple):
        for part in node:
            yield from _parts(part)
    elif is_dataclass(node):
        yield node
        for field in fields(node):
            yield from _parts(getattr(node, field.name))


def differences(rules: Rules, win: Win) -> list[str]:
    """Where the score of a hand is not what weighing its arrangements one by one says."""
    weighed = Weigher().weigh_all(rules, win)
    return score_differences(rules, win, rules.score_hand(win.hand, win.situation), weighed)


@lru_cache(maxsize=16)
def _with_judges_of_kinds(rules: Rules) -> Rules:
    """The same ruleset that writes a judge for each kind of win when the first comes up."""
    found = type(rules)(rules.data, rules.options, rules.sources)
    found.worth_a_judge = 0
    return found


def score_differences(rules: Rules, win: Win, result: Result, weighed: list[Weighed]) -> list[str]:
    """Where a result, or what a judge of its kind of win finds, is not what its weighed
    arrangements say."""
    by_kind = _with_judges_of_kinds(rules).score_hand(win.hand, win.situation)
    found = result_differences(rules, win, by_kind, weighed)
    return found or result_differences(rules, win, result, weighed)


def result_differences(rules: Rules, win: Win, result: Result, weighed: list[Weighed]) -> list[str]:
    """Where a result is not what its weighed arrangements say."""
    best = best_of(weighed)
    if best is None or result.reason == "not_a_winning_hand":
        same = best is None and result.reason == "not_a_winning_hand"
        return [] if same else [f"{win}: only one of the evaluators finds an arrangement"]
    counted = [(v.pattern.id, v.count, v.awards) for v in best.counted]
    units = rules.data.units
    minimum = rules.program.numbers.minimum
    pairs = {
        "total": (result.points, best.total),
        "patterns": (
            [(c.id, c.count, c.awards) for c in result.patterns],
            [
                (id_, n, tuple(a for a, unit in zip(awards, units, strict=True) if unit in shown))
                for id_, n, awards in counted
                for shown in [rules.data.patterns[id_].awards]
            ],
        ),
        "limit": (result.limit, best.limit),
        "arrangement": (result.arranged, best.arrangement),
        "win": (result.win, best.base >= minimum),
    }
    found = [
        f"{name}: scored {got}, weighed {expected}; {win}"
        for name, (got, expected) in pairs.items()
        if got != expected
    ]
    return found + payment_differences(rules, win, best.total, result)


def payment_differences(rules: Rules, win: Win, points: int, result: Result) -> list[str]:
    """Where the payments are not what the interpreter says."""
    situation = win.situation
    if not result.win or (situation.by != "self_draw" and situation.from_seat is None):
        return [] if result.payments is None else [f"payments without a payer: {win}"]
    expected: dict[str, int] = {}
    base = scene_of(rules, win.hand, situation)
    for payer in SEATS:
        if payer != situation.seat:
            expected[payer] = -_paid(rules, base, win, payer, points)
    expected[situation.seat] = -sum(expected.values())
    if result.payments == expected:
        return []
    return [f"payments: scored {result.payments}, worked out {expected}; {win}"]


def _paid(rules: Rules, base: Scene, win: Win, payer: str, points: int) -> int:
    situation = win.situation
    duty = situation.from_seat if situation.liable is None else situation.liable
    roles = {
        **base.roles,
        "payer": _seat(payer),
        "payee": _seat(situation.seat),
        "liable": 0 if duty in (None, "none") else _seat(duty),
    }
    scene = replace(base, points=points, roles=roles)
    for line in rules.data.settlement["win"]:
        if line.when is None or evaluate(line.when.meaning, scene):
            return int(evaluate(line.pays.meaning, scene))
    return 0


def _seat(seat: str | None) -> int:
    assert seat is not None
    return 1 << SEATS.index(seat)


assert len(PAYMENT_FACTS) == 12, "a new fact of payments: bring it into _paid"
