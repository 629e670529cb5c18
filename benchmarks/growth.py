"""How the cost of a batch grows with its hands and with the patterns, and where the time goes.

    python benchmarks/growth.py [--hands N] [--seed S] [--most N] [--rules RULES]

Concealed hands of the realistic set, East's self-draws, from columns of whole numbers, on one core.
The clock is the time that the core worked; each figure is the lowest of several runs, which the
other sizes (or numbers of patterns) take in turn. Memory is the most that the process had so far.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

import ruleengine
from benchmarks.batch import concealed_hands, positive, tiles_of
from ruleengine.batch.columns import hands_of_tiles
from ruleengine.batch.score import ColumnScorer
from ruleengine.rules import Rules

RULESET = "zhongyong-3.3"
MEGABYTE = 1 << 20
SIZES = (1, 100, 1_000, 10_000, 65_536, 262_144, 1_048_576)
RUNS = 5
PARTS = {
    "keys of the hands": ("batch/columns.py:hands_of_tiles",),
    "arrangements": ("batch/rows.py:rows",),
    "conditions": ("language/columns.py:run",),
    "series, totals, limits": (
        "batch/judge.py:_choose_in_series",
        "batch/judge.py:_total",
        "batch/judge.py:_as_bits",
    ),
    "the best arrangement": ("batch/judge.py:_keep_best",),
}
"""Functions whose time, with all that they call, makes up a part of the whole."""


def seconds(works: Sequence[Callable[[], Any]], runs: int = RUNS) -> list[float]:
    """The lowest time of several runs of each; they take turns, so that what else the machine does
    falls on all alike."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for times, work in zip(found, works, strict=True):
            start = process_time()
            work()
            times.append(process_time() - start)
    return [min(times) for times in found]


def peak() -> float:
    """The most memory that this process had so far, in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def with_patterns(rules: Rules, number: int) -> Rules:
    """A ruleset with every so many of its patterns, as many as are asked for."""
    ids = list(rules.data.patterns)
    kept = [ids[at * len(ids) // number] for at in range(number)]
    patterns = {id: replace(rules.data.patterns[id], supersedes=()) for id in kept}
    return Rules(replace(rules.data, patterns=patterns))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=positive, default=50_000, help="different hands")
    parser.add_argument("--seed", type=int, default=1, help="seed of the hands")
    parser.add_argument("--rules", default=RULESET, help="the ruleset")
    parser.add_argument("--most", type=positive, default=SIZES[-1], help="the largest batch")
    options = parser.parse_args(arguments)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    hands = islice(concealed_hands("realistic", options.seed), options.hands)
    different = np.array([tiles_of(hand) for hand in hands], dtype=np.uint8)
    rng = np.random.default_rng(options.seed)
    rules = ruleengine.load(options.rules)
    sizes = [size for size in SIZES if size <= options.most]

    scorer = ColumnScorer(rules)

    def scoring(scorer: ColumnScorer, columns: Any) -> Callable[[], Any]:
        return lambda: scorer.score(hands_of_tiles(columns))

    works = []
    memory = []
    for size in sizes:
        work = scoring(scorer, different[rng.integers(0, len(different), size)])
        work()
        works.append(work)
        memory.append(peak() / MEGABYTE)
    print(f"{rules.id}, {len(rules.data.patterns)} patterns, {len(different):,} different hands\n")
    print("| hands in the batch | microseconds a hand | hands/s | memory |\n|---:|---:|---:|---:|")
    for size, spent, most in zip(sizes, seconds(works), memory, strict=True):
        took = spent / size
        print(f"| {size:,} | {took * 1e6:,.2f} | {1 / took:,.0f} | {most:,.0f} MB |")

    tiles = different[rng.integers(0, len(different), min(65_536, options.most))]
    whole = len(rules.data.patterns)
    numbers = sorted({1, whole // 4, whole // 2, whole * 3 // 4, whole})
    works = [scoring(ColumnScorer(with_patterns(rules, number)), tiles) for number in numbers]
    for work in works:
        work()
    print("\n| patterns | microseconds a hand |\n|---:|---:|")
    for number, took in zip(numbers, seconds(works), strict=True):
        print(f"| {number} | {took / len(tiles) * 1e6:.2f} |")

    print("\n| part | per cent of the time |\n|---|---:|")
    for name, share in shares(lambda: scorer.score(hands_of_tiles(tiles))):
        print(f"| {name} | {share:.0f} |")
    return 0


def shares(work: Callable[[], Any]) -> list[tuple[str, float]]:
    """Where the time goes, in per cent."""
    profile = cProfile.Profile(process_time)
    profile.enable()
    for _ in range(RUNS):
        work()
    profile.disable()
    stats = pstats.Stats(profile)
    took: dict[str, float] = {}
    for (path, _, function), (_, _, _, cumulative, _) in stats.stats.items():  # type: ignore[attr-defined]
        took[f"{'/'.join(Path(path).parts[-2:])}:{function}"] = cumulative
    whole = took["batch/score.py:score"] + took["batch/columns.py:hands_of_tiles"]
    found = [
        (name, 100 * sum(took.get(f, 0) for f in parts) / whole) for name, parts in PARTS.items()
    ]
    return [*found, ("the rest", 100 - sum(share for _, share in found))]


if __name__ == "__main__":
    sys.exit(main())
