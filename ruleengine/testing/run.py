"""Runs cases: scores each hand and compares it with what the case says."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ruleengine.diagnostics import MOST_NAMED
from ruleengine.errors import HandError
from ruleengine.language.interpret import Scene
from ruleengine.record import score_record
from ruleengine.settle import settle
from ruleengine.testing.budget import CASE_WORK, Budget, OutOfWork
from ruleengine.testing.effort import Effort
from ruleengine.testing.sentences import Evaluation, part_named, parts, words
from ruleengine.weigh import scene_of, weigh

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.language.meaning import Meaning
    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import RulesetData, Sentence
    from ruleengine.testing.cases import Case
    from ruleengine.testing.sentences import Where

REASONING = 15
"""Steps to look at one part of the sentence of a miss that says why it is one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case: its result, where the hand could be scored, and what is wrong with
    it, in a sentence."""

    case: Case
    result: Result | None = None
    problem: str | None = None
    error: HandError | None = None

    @property
    def passed(self) -> bool:
        """Whether the case holds."""
        return self.problem is None


def run_cases(rules: Rules, cases: Iterable[Case], budget: Budget | None = None) -> list[Outcome]:
    """Run every case by itself, in order, until the budget is spent; the outcomes of those that
    were run."""
    runner = Runner(rules, budget)
    found: list[Outcome] = []
    with suppress(OutOfWork):
        for case in cases:
            found.append(runner.run(case))
    return found


def run_case(rules: Rules, case: Case) -> Outcome:
    """Run one case; whatever is wrong with it is its own."""
    return Runner(rules).run(case)


class Runner:
    """Runs cases of one ruleset as long as its budget lasts."""

    def __init__(self, rules: Rules, budget: Budget | None = None) -> None:
        self.rules = rules
        self.budget = budget or Budget(CASE_WORK)
        self.effort = Effort(rules)

    def run(self, case: Case) -> Outcome:
        """Run one case; whatever is wrong with it is its own. Raises `OutOfWork`."""
        if case.broken is not None:
            return Outcome(case, problem=case.broken)
        self.budget.spend(self.effort.scoring(case))
        if case.kind == "settle":
            return _run_settled(self.rules, case)
        try:
            result = score_record(self.rules, case.record)
        except HandError as error:
            wanted = case.expected.get("error")
            problem = None if wanted == error.code else f"this cannot be ({error.code}): {error}"
            return Outcome(case, problem=problem, error=error)
        problem = compare(case, plain(result))
        if problem is None and case.kind == "miss":
            problem = self._reason(result, case)
        return Outcome(case, result, problem)

    def _reason(self, result: Result, case: Case) -> str | None:
        """What is wrong with the reason that a miss gives."""
        scene = scene_of_result(result)
        if scene is None or case.pattern is None or not (case.lost_to or case.fails):
            return None
        rules = result.rules
        if case.lost_to is not None:
            if case.lost_to not in rules.data.patterns:
                return f"'lost_to' names no pattern of {rules.id}: {case.lost_to}"
            self.budget.spend(self.effort.weighing)
            verdicts = {one.pattern.id: one for one in weigh(rules, scene).verdicts}
            verdict = verdicts[case.pattern]
            if verdict.lost_to != case.lost_to:
                became = f"lost to {verdict.lost_to}" if verdict.lost_to else "not there at all"
                return f"{case.pattern} is not lost to {case.lost_to}: it is {became}"
        if case.fails is not None:
            found = named_parts(rules.data, case.pattern, self.budget)
            return _fails(rules, case.pattern, case.fails, scene, found)
        return None


def plain(result: Result) -> dict[str, Any]:
    """What cases speak of."""
    return {
        "win": result.win,
        "reason": result.reason,
        "points": result.points,
        "patterns": [counted.id for counted in result.patterns],
        "limit": result.limit,
        "payments": result.payments,
    }


def compare(case: Case, got: Mapping[str, Any]) -> str | None:
    """What a result has that the case does not say, in a sentence."""
    expected = case.expected
    if "error" in expected:
        return f"this can be scored, and should be wrong ({expected['error']})"
    there = case.pattern in got["patterns"]
    if case.kind == "hit" and not there:
        return f"does not count {case.pattern}: {_shown(got)}"
    if case.kind == "miss" and there:
        return f"counts {case.pattern}: {_shown(got)}"
    if case.kind == "miss" and got["reason"] == "not_a_winning_hand":
        return "is no winning hand, and a miss is one that wins without the pattern"
    for name, value in expected.items():
        if got[name] != value:
            what = "" if name in ("points", "patterns") else f" ({_shown(got)})"
            return f"{_differs(name, got[name], value)}{what}"
    return None


def _differs(name: str, got: object, value: object) -> str:
    """That a field is something else than a case says."""
    found, wanted = _written(got), _written(value)
    if found == wanted and isinstance(value, str):
        wanted = f'the text "{value}"'
    return f"'{name}' is {found}, not {wanted}"


def _shown(got: Mapping[str, Any]) -> str:
    counted = ", ".join(got["patterns"]) or "no pattern"
    return f"{counted}; {got['points']} points"


def _written(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list):
        return "[" + ", ".join(map(str, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {inner}" for key, inner in value.items()) + "}"
    return str(value)


def _run_settled(rules: Rules, case: Case) -> Outcome:
    try:
        found: Mapping[str, Any] = settle(rules, dict(case.record))
    except HandError as error:
        wanted = case.expected.get("error")
        problem = None if wanted == error.code else f"this cannot be ({error.code}): {error}"
        return Outcome(case, problem=problem, error=error)
    for name, value in case.expected.items():
        if name == "error":
            return Outcome(case, problem=f"this can be settled, and should be wrong ({value})")
        if found[name] != value:
            return Outcome(case, problem=_differs(name, found[name], value))
    return Outcome(case)


# ---- why a miss is one ---------------------------------------------------------------------


def scene_of_result(result: Result) -> Scene | None:
    """The scene of the arrangement that was scored; None where there is none."""
    arrangement = result.arranged
    if arrangement is None:
        return None
    base = scene_of(result.rules, result.hand, result.situation, result.dora)
    return replace(base, arrangement=arrangement)


def _fails(
    rules: Rules, name: str, wanted: str, scene: Scene, found: Mapping[str, Meaning]
) -> str | None:
    """Whether a part of a pattern's sentence is false and all that keeps it from being true."""
    part = part_named(wanted, found)
    if part is None:
        return no_part(name, found)
    values = Evaluation(scene)
    sentence = _sentence(rules.data, name)
    if values.value(part):
        return f"'{words(wanted)}' is so in this hand"
    if not values.decides(sentence.meaning, part):
        return f"'{words(wanted)}' is not all that keeps {name} from counting"
    return None


def named_parts(data: RulesetData, name: str, budget: Budget | None = None) -> dict[str, Meaning]:
    """The parts of a pattern's sentence, and of the terms in it, by their words. Raises
    `OutOfWork`."""
    place: Where = ("patterns", name, "when" if data.patterns[name].when else "times")
    found: dict[str, Meaning] = {}
    for (home, start, end), part in parts(_sentence(data, name).meaning, place):
        if budget is not None:
            budget.spend(REASONING)
        text = data.terms[home[1]].text if home[0] == "terms" else _sentence(data, home[1]).text
        found.setdefault(words(text[start:end]), part)
    return found


def no_part(name: str, parts: Iterable[str]) -> str:
    """What is said where a miss names a part that a pattern's sentence does not have."""
    quoted = [f"'{text}'" for text in parts]
    told = ", ".join(quoted[:MOST_NAMED]) or "none"
    if len(quoted) > MOST_NAMED:
        told += f", and {len(quoted) - MOST_NAMED:,} more"
    return f"'fails' names no part of {name}; its parts are {told}"


def _sentence(data: RulesetData, name: str) -> Sentence:
    sentence = data.patterns[name].when or data.patterns[name].times
    assert sentence is not None
    return sentence
