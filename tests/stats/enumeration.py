"""The whole enumeration of every shipped ruleset, and a sample of it scored one by one.

`python -m tests.longer enumeration` runs it.
"""

from __future__ import annotations

import time

import numpy as np

from ruleengine.hand import Hand
from ruleengine.hands.every import CHUNK, EveryHand
from ruleengine.hands.winning import BestScorer, taken
from ruleengine.loading import load_ruleset
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.stats import Tally, summarize, survey_all
from ruleengine.stats.records import outcome_of
from ruleengine.stats.tally import Outcome
from tests.hands.small import hands_with, pairs_in, standard_suits
from tests.hands.test_every import tiles_of
from tests.stats.figures import RULESET, figures

KNOWN = {"basic", "seven_pairs", "thirteen_orphans"}


def check_enumeration(sample: int, seed: int, processes: int) -> int:
    """Score all hands of every shipped ruleset, and so many of them one by one; the number of
    differences."""
    wrong: list[str] = []
    for id_ in ruleset_ids():
        rules = load_ruleset(id_)
        every = EveryHand(rules.shapes, rules.data.wall.copies)
        start = time.monotonic()
        tally = survey_all(rules, weighted=True, jobs=processes)
        seconds = time.monotonic() - start
        stats = summarize(rules, tally, "all", weighted=True)
        print(f"{id_}: {stats.hands:,} hands in {seconds:.0f} s, {len(tally.outcomes)} outcomes")
        print(f"  {stats.ways:,} ways to draw them, mean {stats.mean:.4f} points")
        if {shape.id for shape in rules.shapes} == KNOWN and stats.hands != counted():
            wrong.append(f"{id_}: {stats.hands} hands, and there are {counted()}")
        if (stats.hands, stats.ways) != (len(every), every.ways):
            wrong.append(f"{id_}: {len(every)} hands in {every.ways} ways were to be scored")
        if stats.incomplete:
            wrong.append(f"{id_}: {stats.incomplete} hands have no winning shape")
        if id_ == RULESET and stats.to_json() != figures():
            wrong.append(f"{id_}: the figures of the documentation are others")
        wrong += check_sample(id_, every, sample, seed)
    for line in wrong[:20]:
        print(line)
    print(f"{len(wrong)} differences")
    return len(wrong)


def counted() -> int:
    """Hands of four sets and a pair, of seven pairs, less those of both, and the orphans."""
    sets = hands_with(standard_suits(4, False), standard_suits(4, True), (4, 1))
    even, honors = (standard_suits(4, honors, even=True) for honors in (False, True))
    return sets + pairs_in(34, 7) - hands_with(even, honors, (4, 1)) + 13


def check_sample(id_: str, every: EveryHand, sample: int, seed: int) -> list[str]:
    """Score some hands by columns and, with every winning tile, by the interpreter."""
    rules = load_ruleset(id_)
    scorer = BestScorer(rules, keeps_there=True)
    found: list[str] = []
    hands = every.sample(sample, seed)
    for first in range(0, sample, CHUNK):
        some = hands.take(slice(first, first + CHUNK))
        judged = scorer.score(some).judged
        for at, tiles in enumerate(tiles_of(some)):
            tally = Tally()
            tally.add_judged(taken(judged, np.array([at])), rules.program.numbers.minimum)
            (by_columns,) = tally.outcomes
            best: Outcome | None = None
            for tile in sorted(set(tiles)):
                standing = list(tiles)
                standing.remove(tile)
                outcome = outcome_of(rules.score(Hand(tuple(standing), (), tile)))
                if best is None or (outcome.win, outcome.points) > (best.win, best.points):
                    best = outcome
            if best != by_columns:
                found.append(f"{id_}: {tiles}: {by_columns} by columns, {best} one by one")
    return found
