"""Holds what is proved of sentences against every hand of a small game."""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleengine.diagnostics import RulesetError
from ruleengine.hands.worlds import Ground
from ruleengine.ruleset.read import read_ruleset_text
from tests.compare.small_world import SHAPE_IDS, small_world
from tests.language import forms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ruleengine.hands.effect import Relation
    from tests.compare.small_world import SmallWorld

NAMES = (
    "early", "late", "robbed", "allowed", "plain_hand", "kong_count = 2", "many > 1",
    "some tile is value", "winning_tile is value", "count tiles of near_win > 1",
    "winning_group is near_win",
)  # fmt: skip
AT_ONCE = 40
"""Sentences that are read as one ruleset."""


@dataclass
class Tally:
    """What came of some pairs of sentences: how many were proved, which of the proofs are wrong,
    and which differences are said to be sure that no hand has."""

    proved: int = 0
    open: int = 0
    wrong: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)


def every_form() -> list[tuple[str, str]]:
    """Every form against what is never true, and against what always is."""
    every = [one for some in forms.truths(SHAPE_IDS).values() for one in some]
    every += [f"{number} > {least}" for number in forms.numbers() for least in (0, 1, 3)]
    return [(fixed, one) for one in every for fixed in ("false", "true")]


def random_pairs(seed: int, number: int) -> Iterator[tuple[str, str]]:
    """Pairs of sentences of which one is made of the other."""
    rng = random.Random(seed)
    for _ in range(number):
        old = forms.said(rng, SHAPE_IDS, NAMES, rng.choice((0, 1, 1, 2)))
        other = forms.said(rng, SHAPE_IDS, NAMES, rng.choice((0, 0, 1)))
        how = ("{1}", "({0}) and ({1})", "({0}) or ({1})", "not ({0})", "false", "true",
               "({0}) and not ({1})", "if {1} then {0} else {1}")  # fmt: skip
        yield old, rng.choice(how).format(old, other)


def hold(world: SmallWorld, pairs: Iterable[tuple[str, str]]) -> Tally:
    """Compare pairs of sentences, and hold what is said of them against all hands."""
    tally = Tally()
    waiting = list(pairs)
    for at in range(0, len(waiting), AT_ONCE):
        _hold(world, waiting[at : at + AT_ONCE], tally)
    return tally


def _hold(world: SmallWorld, pairs: Sequence[tuple[str, str]], tally: Tally) -> None:
    lines = [
        f'  {name}{at}: {{points: 1, when: "{text}"}}\n'
        for at, pair in enumerate(pairs)
        for name, text in zip("on", pair, strict=True)
    ]
    try:
        data = read_ruleset_text(world.table + "".join(lines)).data
    except RulesetError:
        # What is too much for a ruleset, such as templates: one by one, and less those that are.
        for half in (pairs[: len(pairs) // 2], pairs[len(pairs) // 2 :]) if len(pairs) > 1 else ():
            _hold(world, half, tally)
        return
    ground = Ground(data, data)
    for at, pair in enumerate(pairs):
        ops = []
        for name in "on":
            when = data.patterns[f"{name}{at}"].when
            assert when is not None
            ops.append(ground.operation(when.meaning, ground.options))
        found = ground.compare(ops[0], ops[1])
        gained, lost = world.differences(ops[0], ops[1])
        so = relation(gained=gained, lost=lost)
        how = found.effect.how
        tally.proved += how == "proved"
        tally.open += how in ("sampled", "loose")
        said = f"{pair[0]!r} to {pair[1]!r} is said to be {found.relation} ({how}), and is {so}"
        # Where too few worlds were looked at, or more than there are, only some of it is said.
        misses = (gained and found.relation in ("equal", "narrower")) or (
            lost and found.relation in ("equal", "wider")
        )
        if misses and how in ("proved", "bounded"):
            tally.wrong.append(said)
        elif how in ("proved", "sampled") and found.relation != so and not misses:
            tally.unsure.append(said)


def relation(*, gained: bool, lost: bool) -> Relation:
    """How a sentence stands to another that is lower somewhere, or higher."""
    if gained and lost:
        return "different"
    return "wider" if gained else "narrower" if lost else "equal"


def check_proofs(game: str, pairs: int, seed: int) -> int:
    """Compare every form and random pairs of sentences; gives how many proofs are wrong."""
    world = small_world(game)
    wrong = proved = unsure = done = 0
    every = [*every_form(), *random_pairs(seed, pairs)]
    for at in range(0, len(every), 10 * AT_ONCE):
        some = every[at : at + 10 * AT_ONCE]
        found = hold(world, some)
        for line in found.wrong:
            print(f"wrong: {line}")
        wrong, proved = wrong + len(found.wrong), proved + found.proved
        unsure, done = unsure + len(found.unsure), done + len(some)
        print(f"{done} pairs, {proved} proved, {wrong} of them wrong", file=sys.stderr)
    print(f"{done} pairs of sentences, {proved} proved, {wrong} proofs wrong")
    print(f"{unsure} with a difference said to be sure that no hand of the game has")
    return wrong
