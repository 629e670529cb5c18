"""Which parts of a ruleset's sentences its cases reach: seen true, seen false, seen deciding.

A part *decides* on a hand when the sentence would have another value if the part were the
opposite. What is looked at is the arrangement that was scored, what an event needs in the
situation of every win, and the lines of the settlement of those cases that say what is paid.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ruleengine.language.interpret import CALCULATE_NOTHING, Scene
from ruleengine.testing.budget import COVERAGE_WORK, Budget, OutOfWork
from ruleengine.testing.run import scene_of_result
from ruleengine.testing.sentences import Evaluation, Home, homes, parts
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from ruleengine.language import meaning as m
    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.testing.run import Outcome
    from ruleengine.testing.sentences import Key

ASPECTS = ("true", "false", "deciding")
"""What a part can be seen as."""
EVALUATION = 5
"""Steps for each part of a sentence to see whether one of them decides."""


@dataclass(frozen=True, slots=True)
class CoveredPart:
    """One part of a sentence and what it was seen as, or is proved never to be."""

    home: Home
    start: int
    end: int
    seen: frozenset[str]
    impossible: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The words of the part."""
        return self.home.sentence.text[self.start : self.end]

    @property
    def missing(self) -> tuple[str, ...]:
        """What it was not seen as, though that is not known to be impossible."""
        return tuple(x for x in ASPECTS if x not in self.seen and x not in self.impossible)


@dataclass(slots=True)
class Coverage:
    """The parts of a ruleset and what they were seen as.

    `aspects` are what is looked for, `unseen` is how many cases, the last ones, could not be looked
    at within the budget.
    """

    rules: Rules
    aspects: Collection[str] = ASPECTS
    budget: Budget = field(default_factory=lambda: Budget(COVERAGE_WORK))
    unseen: int = 0
    seen: dict[Key, set[str]] = field(default_factory=dict)
    _parts: dict[tuple[str, ...], list[tuple[Key, m.Meaning]]] = field(default_factory=dict)
    _homes: tuple[Home, ...] = ()
    _whole: set[tuple[str, ...]] = field(default_factory=set)
    """Sentences of which all is seen."""
    _open: dict[str, list[Home]] = field(default_factory=dict)
    """The sentences of a section of which something is not."""
    _idle: Counter[str] = field(default_factory=Counter)
    """Steps to go through the others."""

    def __post_init__(self) -> None:
        self._homes = tuple(homes(self.rules.data))

    def parts(self) -> list[CoveredPart]:
        """Every part, in the order of the sections, each once."""
        by_path = {home.path: home for home in self._homes}
        found: dict[Key, CoveredPart] = {}
        for home in by_path.values():
            if home.meaning is None or home.path[0] == "total":
                continue
            for key, _ in self._of(home):
                if key not in found and key[0] in by_path:
                    seen = frozenset(self.seen.get(key, ()))
                    found[key] = CoveredPart(by_path[key[0]], key[1], key[2], seen)
        order = {path: at for at, path in enumerate(by_path)}
        return sorted(found.values(), key=lambda part: (order[part.home.path], part.start))

    def add(self, outcome: Outcome) -> None:
        """Look at all that one case reaches."""
        result = outcome.result
        if outcome.case.kind == "settle" and outcome.passed and outcome.error is None:
            self._look_at_ending(outcome.case.record)
        if result is None:
            return
        scene = scene_of_result(result)
        if scene is not None:
            self._look_at_section("patterns", Evaluation(scene))
        for situation in _scenes_of_events(result):
            self._look_at_section("events", Evaluation(situation))
        if outcome.case.expected.get("payments") is not None:
            self._look_at_payments(result)

    def _look_at_section(self, section: str, values: Evaluation) -> None:
        """Look at all sentences of a section that have something to show."""
        looked = self._open[section] if section in self._open else self._at(section)
        self.budget.spend(self._idle[section])
        for home in looked:
            self._look(home, values)
        self._open[section] = [home for home in looked if home.path not in self._whole]
        whole = (home for home in looked if home.path in self._whole)
        self._idle[section] += sum(1 + len(self._of(home)) for home in whole)

    def _look_at_payments(self, result: Result) -> None:
        lines = self._at("settlement", "win")
        for _, scene in scenes_of_payers(result, result.points):
            self._look_at_lines(lines, scene)

    def _look_at_ending(self, request: Mapping[str, Any]) -> None:
        """The lines of an exhausted wall or a wrong win, for each pair of payer and payee."""
        ending = request["event"]
        if ending not in ("exhausted", "wrong_win"):
            return
        table = {
            "ready": sum(1 << SEATS.index(seat) for seat in request.get("ready", ())),
            "offender": 1 << SEATS.index(request["seat"]) if "seat" in request else 0,
        }
        lines = self._at("settlement", ending)
        nobody = Scene(CALCULATE_NOTHING, "self_draw", "E", "E", frozenset(), self.rules.options)
        for payer, payee in itertools.permutations(range(len(SEATS)), 2):
            roles = {**table, "payer": 1 << payer, "payee": 1 << payee}
            self._look_at_lines(lines, replace(nobody, roles=roles))

    def _look_at_lines(self, lines: list[Home], scene: Scene) -> None:
        """Look at the lines of a settlement up to the one that fits."""
        values = Evaluation(scene)
        for home in lines:
            assert home.meaning is not None
            self._look(home, values)
            if home.path[3] == "when" and values.value(home.meaning):
                break

    def _at(self, *start: str) -> list[Home]:
        """The sentences of some section."""
        return [home for home in self._homes if home.path[: len(start)] == start]

    def _of(self, home: Home) -> list[tuple[Key, m.Meaning]]:
        found = self._parts.get(home.path)
        if found is None:
            assert home.meaning is not None
            found = self._parts[home.path] = list(parts(home.meaning, home.path))
        return found

    def _look(self, home: Home, values: Evaluation) -> None:
        root = home.meaning
        assert root is not None
        of = self._of(home)
        self.budget.spend(1 + len(of))
        if home.path in self._whole:
            return
        whole = True
        for key, part in of:
            seen = self.seen.setdefault(key, set())
            if seen.issuperset(self.aspects):
                continue
            whole = False
            self.budget.spend(EVALUATION * len(of))
            seen.add("true" if values.value(part) else "false")
            if "deciding" in self.aspects and values.decides(root, part):
                seen.add("deciding")
        if whole:
            self._whole.add(home.path)


def cover(
    rules: Rules, outcomes: Sequence[Outcome], aspects: Collection[str] = ASPECTS
) -> Coverage:
    """What the cases of a ruleset reach. Cases with options of their own count as well."""
    found = Coverage(rules, aspects)
    for at, outcome in enumerate(outcomes):
        try:
            found.add(outcome)
        except OutOfWork:
            found.unseen = len(outcomes) - at
            break
    return found


def _scenes_of_events(result: Result) -> list[Scene]:
    """The situation of a win before it is scored, for each seat that may have discarded."""
    from ruleengine.weigh import scene_of

    situation = result.situation
    base = scene_of(result.rules, result.hand, situation, result.dora)
    seats = [situation.from_seat]
    if situation.by != "self_draw" and situation.from_seat is None:
        seats = [seat for seat in SEATS if seat != situation.seat]
    winner = 1 << SEATS.index(situation.seat)
    found: list[Scene] = []
    for seat in seats:
        discarder = 0 if seat is None else 1 << SEATS.index(seat)
        roles = {"winner": winner, "discarder": discarder, "liable": _duty(result, discarder)}
        found.append(replace(base, roles=roles))
    return found


def _duty(result: Result, discarder: int) -> int:
    liable = result.situation.liable
    if liable is None:
        return discarder
    return 0 if liable == "none" else 1 << SEATS.index(liable)


def scenes_of_payers(result: Result, points: int) -> list[tuple[str, Scene]]:
    """Each seat that may have to pay for a win of so many points, with what its payment may ask."""
    situation = result.situation
    winner = 1 << SEATS.index(situation.seat)
    base = _scenes_of_events(result)[0]
    found: list[tuple[str, Scene]] = []
    for at, seat in enumerate(SEATS):
        if seat != situation.seat:
            roles = {**base.roles, "payer": 1 << at, "payee": winner}
            found.append((seat, replace(base, roles=roles, points=points)))
    return found
