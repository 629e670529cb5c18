"""Hands per second, one hand a call: this engine and the peers, in one run.

    python benchmarks/single.py [--hands N] [--seed S] [--repeat R]

Every repeat has its own hands, and so have the two ways to call a scorer: a scorer sees a hand once
in the whole run and cannot profit from having seen it. Within a repeat the scorers take turns, and
ratios are taken within a repeat, so that a change in the load of the machine falls on all alike.
The figures are medians over the repeats.
"""

from __future__ import annotations

import argparse
import gc
import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.hands import SETS, WinningHand, make_hands
from benchmarks.peers import CANDIDATES, INSTALL, Scorer, ScorerError, Way

WARM_UP = 200
TURN = 500
COMPARED_TO = ("mahjong", "riichienv")


@dataclass(slots=True)
class Row:
    """One way to call one scorer, with its hands per second in each repeat."""

    scorer: Scorer
    way: Way
    speeds: list[float] = field(default_factory=list)


def load_scorers() -> tuple[list[Scorer], list[str]]:
    """The scorers that can be used here, and a sentence on each that cannot."""
    scorers: list[Scorer] = []
    missing: list[str] = []
    for candidate in CANDIDATES:
        try:
            scorers.append(candidate.load())
        except ImportError:
            missing.append(f"{candidate.name} is not installed, so it is not measured: {INSTALL}")
        except ScorerError as error:
            missing.append(f"{candidate.name} is not measured: {error}")
    return scorers, missing


def seconds(way: Way, hands: Sequence[WinningHand]) -> float:
    """How long one pass over ``hands`` takes, preparation not counted."""
    prepared = [way.prepare(hand) for hand in hands]
    score = way.score
    start = perf_counter()
    for item in prepared:
        score(item)
    return perf_counter() - start


def speeds(rows: Sequence[Row], lists: Sequence[Sequence[WinningHand]]) -> list[float]:
    """Hands per second of each row, taking turns every ``TURN`` hands.

    The first way of every scorer takes the first of ``lists``, the second way the second.
    """
    totals = [0.0] * len(rows)
    gc.collect()
    gc.disable()
    try:
        for first in range(0, len(lists[0]), TURN):
            for place, row in enumerate(rows):
                hands = lists[row.scorer.ways.index(row.way)]
                totals[place] += seconds(row.way, hands[first : first + TURN])
    finally:
        gc.enable()
    return [len(lists[0]) / total for total in totals]


def measure(scorers: Sequence[Scorer], name: str, count: int, seed: int, repeat: int) -> list[Row]:
    """All ways of all scorers on ``count`` hands of the set ``name``, ``repeat`` times."""
    rows = [Row(scorer, way) for scorer in scorers for way in scorer.ways]
    ways = max(len(scorer.ways) for scorer in scorers)
    hands = make_hands(name, ways * (WARM_UP + count * repeat), seed)
    lists = [hands[way::ways] for way in range(ways)]
    speeds(rows, [some[:WARM_UP] for some in lists])
    for first in range(WARM_UP, len(lists[0]), count):
        figures = speeds(rows, [some[first : first + count] for some in lists])
        for row, figure in zip(rows, figures, strict=True):
            row.speeds.append(figure)
    return rows


def ratio(row: Row, rows: Sequence[Row], other: str) -> str:
    """How many times as fast as ``other`` from text; a dash where that is not measured."""
    for base in rows:
        if base.scorer.name == other and base.way.label == "from text":
            return f"{median(a / b for a, b in zip(row.speeds, base.speeds, strict=True)):.2f}"
    return "-"


def table(name: str, rows: Sequence[Row]) -> str:
    """The figures of one set of hands as a Markdown table."""
    lines = [
        f"| {name} hands | rules | way | hands/s | lowest to highest | x mahjong | x riichienv |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for row in rows:
        figures = f"{median(row.speeds):,.0f} | {min(row.speeds):,.0f} to {max(row.speeds):,.0f}"
        ratios = " | ".join(ratio(row, rows, other) for other in COMPARED_TO)
        scorer = f"{row.scorer.name} {row.scorer.version} | {row.scorer.rules}"
        lines.append(f"| {scorer} | {row.way.label} | {figures} | {ratios} |")
    return "\n".join(lines)


def positive(text: str) -> int:
    """A number above 0, for the command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 0, or 1 if nothing was measured or a hand was misread."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=positive, default=2000, help="hands in each repeat")
    parser.add_argument("--seed", type=int, default=1, help="seed of the hands")
    parser.add_argument("--repeat", type=positive, default=7, help="number of repeats")
    options = parser.parse_args(arguments)
    scorers, missing = load_scorers()
    print(
        f"Python {platform.python_version()} ({platform.python_implementation()}), "
        f"{options.repeat} repeats of {options.hands} hands, seed {options.seed}; medians"
    )
    for sentence in missing:
        print(sentence)
    if not scorers:
        return 1
    try:
        for name in SETS:
            rows = measure(scorers, name, options.hands, options.seed, options.repeat)
            print(f"\n{table(name, rows)}")
    except ScorerError as error:
        print(f"The measurement was stopped, as a hand was misread. {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
