"""What the changes of two branches do together: a base, and two rulesets made from it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Literal

from ruleengine.compare.applied import Side
from ruleengine.compare.judging import Judge, candidates, changed, smallest_meeting, until
from ruleengine.compare.outcomes import Won
from ruleengine.compare.structure import structure
from ruleengine.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ruleengine.compare.judging import Case
    from ruleengine.compare.model import Change
    from ruleengine.compare.run import Progress
    from ruleengine.errors import HandError
    from ruleengine.language.operations import Op
    from ruleengine.result import Result
    from ruleengine.ruleset.read import ReadRuleset

Touch = Literal["value", "hand"]
"""How two changes meet: both change the same value, or both change the same hand."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A change of ours and one of theirs that meet.

    Where a hand shows it, `record` is the hand and `results` what it comes to under the base, with
    our change, with theirs, and with both; the last is missing where both change the same value,
    since nobody can say what both of them are.
    """

    ours: Change
    theirs: Change
    touch: Touch
    record: Mapping[str, object] | None = None
    results: tuple[Result | HandError, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreeWay:
    """The changes of two branches, sorted.

    `same` were made in both, `crossings` meet; `ours` and `theirs` touch nothing of the other
    branch. `left_out` says what there was no time for.
    """

    base: Rules
    our_rules: Rules
    their_rules: Rules
    same: tuple[Change, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    ours: tuple[Change, ...] = ()
    theirs: tuple[Change, ...] = ()
    left_out: tuple[str, ...] = ()


MOST_PAIRS, MOST_LAID, MOST_WORLDS = 200, 8, 12
"""Pairs of changes whose hands are looked at together; changes of each branch of which it is worked
out where their patterns are there together, and how many such hands are taken of a pair."""


def three_way(
    base: ReadRuleset,
    ours: ReadRuleset,
    theirs: ReadRuleset,
    *,
    options: Mapping[str, int | bool] | None = None,
    budget: float | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> ThreeWay:
    """Sort the changes that two branches made to a base.

    `options` are values of options in place of the defaults, in whichever ruleset has them. After
    `budget` seconds the search for hands ends, and what was left out is said. Raises `OptionError`
    for a value that an option cannot have.
    """
    start = time.monotonic()
    ends = float("inf") if budget is None else start + budget
    told = progress or (lambda what, done, of: None)
    rules = [
        Rules(read.data, _chosen(read, options or {}), read.sources)
        for read in (base, ours, theirs)
    ]
    sides = [Side(one.data, dict(one.options)) for one in rules]
    chosen = [_chosen(read, options or {}) for read in (base, ours, theirs)]
    made = [
        structure(base, read, (chosen[0], one))
        for read, one in ((ours, chosen[1]), (theirs, chosen[2]))
    ]
    same = {change.fingerprint for change in made[0]} & {one.fingerprint for one in made[1]}
    left = [[change for change in changes if change.fingerprint not in same] for changes in made]
    crossings = [
        Crossing(first, second, "value")
        for first, second in product(*left)
        if _same_value(first, second)
    ]
    left_out: list[str] = []
    judges = [
        Judge((sides[0], sides[at]), (rules[0], rules[at]), changes, seed)
        for at, changes in enumerate(made, 1)
    ]
    cases: list[list[Case]] = []
    for judge, changes in zip(judges, left, strict=True):
        judge.finder.ends = ends
        judge.sentences.ground.ends = ends
        cases.append([])
        for at, change in enumerate(changes):
            told("looking for hands that show a change", at, len(changes))
            if change.level == "text":
                continue
            case = judge.case(change)
            if case.touches and until(ends):
                judge.look(case)
            if case.won is not None and not judge.alone(case).whole:
                cases[-1].append(case)
    if not until(ends):
        left_out.append("no hand was looked for that shows some of the changes")
    crossings += _in_hands(judges, cases, crossings, rules[0], ends, left_out)
    met = {(one.ours.fingerprint, one.theirs.fingerprint) for one in crossings}
    ours_met, theirs_met = ({pair[at] for pair in met} for at in (0, 1))
    return ThreeWay(
        rules[0],
        rules[1],
        rules[2],
        tuple(change for change in made[0] if change.fingerprint in same),
        tuple(crossings),
        tuple(change for change in left[0] if change.fingerprint not in ours_met),
        tuple(change for change in left[1] if change.fingerprint not in theirs_met),
        tuple(left_out),
    )


def _chosen(read: ReadRuleset, options: Mapping[str, int | bool]) -> dict[str, int | bool]:
    return {name: value for name, value in options.items() if name in read.data.options}


def _same_value(first: Change, second: Change) -> bool:
    """Whether two changes are of the same value, or one is of a part of what the other took away
    or put in."""
    if first.at == second.at:
        return True
    if first.section != second.section or first.id != second.id or not first.id:
        return False
    whole = ("-added", "-removed")
    return first.kind.endswith(whole) or second.kind.endswith(whole)


def _in_hands(
    judges: Sequence[Judge],
    cases: Sequence[Sequence[Case]],
    crossings: Sequence[Crossing],
    base: Rules,
    ends: float,
    left_out: list[str],
) -> list[Crossing]:
    """Pairs of changes that meet in a hand."""
    hands = candidates([*cases[0], *cases[1]], ())
    if all(cases):
        more = [*_where_both(judges, cases, ends), *judges[0].finder.pool, *judges[1].finder.pool]
        hands = list(dict.fromkeys([*hands, *more]))
    touched = [
        [changed(base, judge.finder.rules(judge.alone(case).after), hands) for case in some]
        for judge, some in zip(judges, cases, strict=True)
    ]
    known = {(one.ours.fingerprint, one.theirs.fingerprint) for one in crossings}
    found: list[Crossing] = []
    tried = 0
    for (at, first), (other, second) in product(*(list(enumerate(some)) for some in cases)):
        shared = [hands[place] for place in sorted(touched[0][at] & touched[1][other])]
        pair = (first.change.fingerprint, second.change.fingerprint)
        if not shared or pair in known:
            continue
        if tried >= MOST_PAIRS or not until(ends):
            left_out.append("not every pair of changes was looked at together")
            break
        tried += 1
        crossing = _crossing(judges, first, second, shared, base)
        if crossing is not None:
            found.append(crossing)
    return found


def _where_both(
    judges: Sequence[Judge], cases: Sequence[Sequence[Case]], ends: float
) -> Iterator[Won]:
    """Hands in which the patterns of two changes are there, before or after them."""
    sentences = judges[0].sentences
    ops, ground = sentences.ground.ops, sentences.ground
    there: list[list[Op]] = []
    for judge, some in zip(judges, cases, strict=True):
        there.append([])
        for case in some[:MOST_LAID]:
            id_ = case.change.id if case.change.section == "patterns" else None
            sides = (judge.applier.old, judge.applier.new)
            patterns = [(side.data.patterns.get(id_ or ""), side) for side in sides]
            found = [sentences.there(one, side) for one, side in patterns if one is not None]
            if found:
                there[-1].append(ops.any_(found))
    for first, second in product(*there):
        if not until(ends):
            return
        both = ground.compare(ops.false, ops.all_([first, second]))
        for world in both.worlds(MOST_WORLDS):
            yield Won(world.hand, world.situation)


def _crossing(
    judges: Sequence[Judge], first: Case, second: Case, hands: Sequence[Won], base: Rules
) -> Crossing | None:
    both = judges[0].both(first, second, judges[1].applier)
    if both is None:
        return None
    rules = [
        base,
        judges[0].finder.rules(judges[0].alone(first).after),
        judges[1].finder.rules(judges[1].alone(second).after),
        both,
    ]
    met = smallest_meeting(rules, hands)
    if met is None:
        return None
    won, results = met
    return Crossing(first.change, second.change, "hand", won.record(), results)
