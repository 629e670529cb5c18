"""What the engine's own speed was over time, kept by pytest-benchmark.

    make bench-history

runs each case, keeps the figures in `.benchmarks/` and sets them against the run before. Figures of
one machine are worth comparing; those of two are not.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import ruleengine
from benchmarks.hands import make_hands
from ruleengine.batch.columns import hands_of_tiles
from ruleengine.batch.lines import LineWriter, ids_of, read_lines, score_records
from ruleengine.batch.score import ColumnScorer
from ruleengine.hands.every import CHUNK, EveryHand
from ruleengine.hands.winning import BestScorer

RULESET = "zhongyong-3.3"
Work = Callable[[], Any]


def texts(hands: int) -> Work:
    """One hand after the other, from text."""
    rules = ruleengine.load(RULESET)
    some = make_hands("realistic", hands, 1)

    def work() -> list[int]:
        return [
            rules.score(h.text, by=h.by, seat=h.seat, round=h.round, from_=h.from_seat).points
            for h in some
        ]

    return work


def columns(hands: int) -> Work:
    """Concealed hands as whole numbers, to columns of points."""
    every = EveryHand(ruleengine.load(RULESET).shapes, dict.fromkeys(range(34), 4))
    some = every.sample(hands, 1, weighted=True)
    scorer = ColumnScorer(ruleengine.load(RULESET))
    return lambda: scorer.score(some)


def keys(hands: int) -> Work:
    """Tables of tiles to hands as columns."""
    rng = random.Random(1)
    tiles = [rng.sample(range(136), 14) for _ in range(hands)]
    table = (np.array(tiles) // 4).astype(np.uint8)
    return lambda: hands_of_tiles(table)


def records(hands: int) -> list[dict[str, Any]]:
    """Records of hands with melds and situations."""
    return [
        {"hand": h.text, "by": h.by, "seat": h.seat, "round": h.round, "from": h.from_seat}
        for h in make_hands("realistic", hands, 1)
    ]


def arrow(hands: int) -> Work:
    """A table of records to a table of results."""
    rules = ruleengine.load(RULESET)
    table = pa.Table.from_pylist(records(hands))
    return lambda: rules.score_batch(table)


def lines(hands: int) -> Work:
    """Lines of JSON to lines of JSON."""
    rules = ruleengine.load(RULESET)
    scorer = rules.batch_scorer(arrangement=True).scorer
    writer = LineWriter(rules, "en")
    given = [json.dumps(record).encode() for record in records(hands)]

    def work() -> bytes:
        read = read_lines(given)
        return writer.lines(score_records(scorer, read), ids_of(read))

    return work


def enumerated(hands: int) -> Work:
    """All winning hands from some place on, each with its best winning tile."""
    rules = ruleengine.load(RULESET)
    every = EveryHand(rules.shapes, rules.data.wall.copies)
    scorer = BestScorer(rules, keeps_there=True)
    places = np.arange(5_000_000, 5_000_000 + hands)
    return lambda: scorer.score(every.at(places))


CASES: dict[str, tuple[Callable[[int], Work], int]] = {
    "one by one": (texts, 2_000),
    "keys": (keys, CHUNK),
    "columns": (columns, CHUNK),
    "tables": (arrow, 20_000),
    "lines": (lines, 20_000),
    "all hands": (enumerated, CHUNK),
}
"""What is measured, with the hands of one round."""


@pytest.mark.parametrize("name", CASES)
def test_speed(name: str, benchmark: Any) -> None:
    """One case; `hands` is how many one round scores."""
    prepare, hands = CASES[name]
    benchmark.extra_info["hands"] = hands
    benchmark(prepare(hands))
