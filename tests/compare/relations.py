"""Random pairs of sentences, and what the interpreter says of them on random hands."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from ruleengine.diagnostics import RulesetError
from ruleengine.hands.worlds import Ground
from ruleengine.language.interpret import evaluate
from ruleengine.language.syntax import parse
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.testing.mutate import changes
from tests.evaluators import scenes
from tests.language.sentences import Known, truths
from tests.language.test_evaluators import SHAPE_IDS, SHAPES, TABLE_OF, quoted
from tests.random_hands import random_win

if TYPE_CHECKING:
    from ruleengine.hands.worlds import Compared

WAYS = ("{0}", "not ({0})", "({0}) and ({1})", "({0}) or ({1})", "({1}) and ({0})", "{1}")
"""How a second sentence is made of the first and another one."""


@dataclass(frozen=True)
class Pair:
    """Two sentences as the conditions of two patterns of one ruleset."""

    old: str
    new: str
    rules: Rules


@st.composite
def pairs(draw: st.DrawFn) -> Pair | None:
    """Two sentences of which one is often a small change of the other."""
    table = draw(st.sampled_from(sorted(SHAPES)))
    names = ("early", "late", "robbed", "allowed", "plain_hand")
    known = Known(names, ("many", "kong_count"), ("value", "near_win"), SHAPE_IDS[table])
    old = draw(truths(known, 1))
    if draw(st.booleans()):
        slips = [change.text for change in changes(parse(old, "sentence"), old)]
        new = draw(st.sampled_from(slips)) if slips else old
    else:
        new = draw(st.sampled_from(WAYS)).format(old, draw(truths(known, 1)))
    text = TABLE_OF[table] + SHAPES[table] + "patterns:\n"
    for name, sentence in (("first", old), ("second", new)):
        text += f"  {name}: {{points: 1, when: {quoted(sentence)}}}\n"
    text += "settlement: {win: [{pays: points}]}\n"
    try:
        return Pair(old, new, Rules(read_ruleset_text(text).data))
    except RulesetError:
        return None


def compared(pair: Pair) -> Compared:
    """The second sentence against the first."""
    data = pair.rules.data
    ground = Ground(data, data)
    ops = [
        ground.operation(pattern.when.meaning, pair.rules.options)
        for pattern in data.patterns.values()
        if pattern.when is not None
    ]
    return ground.compare(ops[0], ops[1])


def wrong(pair: Pair, found: Compared, seed: int, hands: int) -> list[str]:
    """Where the interpreter contradicts a comparison that says that it is proved."""
    rules = pair.rules
    first, second = (p.when.meaning for p in rules.data.patterns.values() if p.when is not None)
    rng = random.Random(seed)
    lines: list[str] = []
    for _ in range(hands):
        win = random_win(rules, rng)
        for scene in scenes(rules, win):
            old, new = bool(evaluate(first, scene)), bool(evaluate(second, scene))
            relation = found.relation
            gained, lost = new and not old, old and not new
            if (gained and relation in ("equal", "narrower")) or (
                lost and relation in ("equal", "wider")
            ):
                lines.append(
                    f"{pair.old!r} to {pair.new!r} is said to be {relation}, but "
                    f"{win.hand} read as {scene.arrangement} in {win.situation}: {old} to {new}"
                )
    return lines
