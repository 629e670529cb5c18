"""Hands per second in batches: this engine and the fastest scorers there are, in one run.

    python benchmarks/batch.py [--hands N] [--seed S] [--repeat R] [--core C]

All get the same concealed hands of 14 tiles. Every scorer has a process of its own, all of them on
one core, and only one works at a time; they take turns, so that a change in the load of the
machine falls on all alike, and every turn has its own hands. The clock is the time that the core
worked for the scorer. Ratios are taken within a turn, figures are medians. What the columns give is
held against the interpreter in the same run.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import platform
import random
import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import peers
from benchmarks.hands import SEATS, SETS, Table, WinningHand

RULESET = "zhongyong-3.3"
INSTALL = 'pip install -e ".[bench-batch]"'
OURS = "ruleengine"
PREBUILT, TEXT = "from arrays or objects", "from text"
WAYS = (PREBUILT, TEXT)
SAMPLE = 500
"""Hands that are held against the interpreter."""
WARM_UP = 20_000
MAHJAX_BATCHES = (4096, 16_384, 65_536)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to score many hands: `prepare` is outside the clock, `score` inside."""

    prepare: Callable[[Sequence[WinningHand]], Any]
    score: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Scorer:
    """A scorer ready to be measured."""

    version: str
    rules: str
    ways: dict[str, Way]


# ---- the scorers -------------------------------------------------------------------


def load_ours() -> Scorer:
    """This engine: columns of whole numbers to columns of points, and Arrow text to results."""
    import numpy as np
    import pyarrow as pa

    import ruleengine
    from ruleengine.batch.columns import hands_of_tiles
    from ruleengine.batch.score import ColumnScorer

    rules = ruleengine.load(RULESET)
    scorer = ColumnScorer(rules)

    def columns(hands: Sequence[WinningHand]) -> tuple[Any, ...]:
        tiles = np.array([tiles_of(hand) for hand in hands], dtype=np.uint8)
        way = np.array([1 if hand.by == "self_draw" else 2 for hand in hands], dtype=np.uint8)
        seat = np.array([1 << SEATS.index(hand.seat) for hand in hands], dtype=np.uint8)
        round_ = np.array([1 << SEATS.index(hand.round) for hand in hands], dtype=np.uint8)
        return tiles, way, seat, round_

    def score(given: tuple[Any, ...]) -> Any:
        tiles, way, seat, round_ = given
        return scorer.score(hands_of_tiles(tiles).with_facts(way=way, seat=seat, round=round_))

    def table(hands: Sequence[WinningHand]) -> pa.Table:
        return pa.table(
            {
                "hand": [hand.text for hand in hands],
                "by": [hand.by for hand in hands],
                "seat": [hand.seat for hand in hands],
                "round": [hand.round for hand in hands],
                "from": [hand.from_seat for hand in hands],
            }
        )

    ways = {PREBUILT: Way(columns, score), TEXT: Way(table, rules.score_batch)}
    return Scorer(release("yaku-engine"), RULESET, ways)


def load_mahjax() -> Scorer:
    """``mahjax``: riichi in JAX, ``jit`` of ``vmap`` of its judge, in the size of batch that is
    fastest of those tried. It takes counts of tiles."""
    flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flags}".strip()
    jax: Any = import_module("jax")
    jnp: Any = import_module("jax.numpy")
    yaku: Any = import_module("mahjax.no_red_mahjong.yaku").Yaku
    empty: Any = import_module("mahjax.no_red_mahjong.meld").EMPTY_MELD
    import numpy as np

    melds = jnp.full(4, empty, dtype=jnp.uint16)
    no_dora = jnp.zeros((2, 34), dtype=jnp.int32)

    def one(hand: Any, last: Any, ron: Any, round_: Any, seat: Any) -> Any:
        return yaku.judge(hand, melds, jnp.int32(0), last, False, ron, round_, seat, no_dora)

    judge = jax.jit(jax.vmap(one))
    size = 0

    def arrays(hands: Sequence[WinningHand]) -> list[tuple[Any, ...]]:
        nonlocal size
        tiles = np.array([tiles_of(hand) for hand in hands], dtype=np.int32)
        counts = np.zeros((len(hands), 34), dtype=np.int8)
        np.add.at(counts, (np.arange(len(hands))[:, None], tiles[:, :-1]), 1)
        columns = (
            counts,
            tiles[:, -1],
            np.array([hand.by != "self_draw" for hand in hands]),
            np.array([SEATS.index(hand.round) for hand in hands], dtype=np.int32),
            np.array([SEATS.index(hand.seat) for hand in hands], dtype=np.int32),
        )
        if not size:
            size = fastest(columns)
        return cut(columns, size)

    def cut(columns: tuple[Any, ...], most: int) -> list[tuple[Any, ...]]:
        # The last part is filled up with hands of the first, as every size is compiled anew.
        total = len(columns[0])
        found = []
        for at in range(0, total, most):
            rows = np.arange(at, at + most) % total
            found.append(tuple(jnp.asarray(column[rows]) for column in columns))
        jax.block_until_ready(found)
        return found

    def fastest(columns: tuple[Any, ...]) -> int:
        took: dict[int, float] = {}
        for most in MAHJAX_BATCHES:
            part = cut(tuple(column[:most] for column in columns), most)[:1]
            score(part)
            start = process_time()
            for _ in range(3):
                score(part)
            took[most] = (process_time() - start) / most
        return min(took, key=lambda most: took[most])

    def score(parts: list[tuple[Any, ...]]) -> Any:
        return jax.block_until_ready([judge(*part) for part in parts])

    def read(hands: Sequence[WinningHand]) -> Any:
        return score(arrays(hands))

    ways = {PREBUILT: Way(arrays, score), TEXT: Way(list, read)}
    return Scorer(release("mahjax"), "riichi", ways)


def load_peer(load: Callable[[], peers.Scorer]) -> Scorer:
    """A scorer of single hands, one call a hand."""
    peer = load()
    by_label = {way.label: way for way in peer.ways}

    def batch(way: peers.Way) -> Way:
        def score(items: Sequence[Any]) -> None:
            call = way.score
            for item in items:
                call(item)

        return Way(lambda hands: [way.prepare(hand) for hand in hands], score)

    ways = {PREBUILT: batch(by_label["prebuilt"]), TEXT: batch(by_label["from text"])}
    return Scorer(peer.version, peer.rules, ways)


LOADERS: dict[str, Callable[[], Scorer]] = {
    OURS: load_ours,
    "mahjax": load_mahjax,
    "PyMahjongGB": lambda: load_peer(peers.load_pymahjonggb),
    "riichienv": lambda: load_peer(peers.load_riichienv),
}


def release(package: str) -> str:
    """The version of a package; of this one also where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "(checkout)"


# ---- the hands ---------------------------------------------------------------------


def concealed_hands(name: str, seed: int) -> Any:
    """Concealed hands of one of the sets, each another one, without end."""
    table = Table(random.Random(f"{name} {seed}"))
    seen: set[WinningHand] = set()
    while True:
        table.shuffle()
        hand = SETS[name](table)
        if "[" in hand.text or "(" in hand.text or hand in seen:
            continue
        seen.add(hand)
        yield hand


def tiles_of(hand: WinningHand) -> list[int]:
    """The tiles of a concealed hand as numbers, the winning one last."""
    standing, _, winning_tile = peers.read_tile_ids(hand.text)
    return [tile // 4 for tile in (*standing, winning_tile)]


def check(hands: Sequence[WinningHand]) -> str:
    """Hold the columns against the interpreter, on some hands; says what came of it."""
    import ruleengine
    from ruleengine.hand import Situation
    from ruleengine.notation import read_hand
    from ruleengine.weigh import best_of, weigh_all

    rules = ruleengine.load(RULESET)
    ways = load_ours().ways
    points = [int(n) for n in ways[PREBUILT].score(ways[PREBUILT].prepare(hands)).points]
    told = ways[TEXT].score(ways[TEXT].prepare(hands)).to_pylist()
    for hand, by_columns, row in zip(hands, points, told, strict=True):
        situation = Situation(hand.by, hand.seat, hand.round, hand.from_seat)
        best = best_of(weigh_all(rules, read_hand(hand.text), situation))
        assert best is not None, hand
        counted = [verdict.pattern.id for verdict in best.counted]
        assert best.total == by_columns == row["points"], hand
        assert counted == [pattern["id"] for pattern in row["patterns"]], hand
    return f"{len(hands)} hands: points and patterns are those of the interpreter"


# ---- the processes -----------------------------------------------------------------


def serve(name: str, core: int | None, connection: Any) -> None:
    """Be one scorer: load, then score what is asked for and say how long it took."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "ARROW_NUM_THREADS"):
        os.environ[variable] = "1"
    try:
        scorer = LOADERS[name]()
    except (ImportError, peers.ScorerError) as error:
        connection.send(str(error))
        return
    connection.send((scorer.version, scorer.rules))
    while True:
        asked = connection.recv()
        if asked is None:
            connection.send(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
            return
        label, hands = asked
        way = scorer.ways[label]
        given = way.prepare(hands)
        start = process_time()
        way.score(given)
        connection.send(process_time() - start)


@dataclass(slots=True)
class Measured:
    """One scorer in its process, with its hands per second in each turn."""

    name: str
    process: Any
    connection: Any
    version: str = ""
    rules: str = ""
    memory: float = 0
    speeds: dict[str, list[float]] = field(default_factory=lambda: {way: [] for way in WAYS})

    def seconds(self, way: str, hands: Sequence[WinningHand]) -> float:
        """How long it takes to score hands."""
        self.connection.send((way, hands))
        return float(self.connection.recv())


def start_all(core: int | None) -> tuple[list[Measured], list[str]]:
    """The scorers that can be used here, and a sentence on each that cannot."""
    context = multiprocessing.get_context("spawn")
    found: list[Measured] = []
    missing: list[str] = []
    for name in LOADERS:
        here, there = context.Pipe()
        process = context.Process(target=serve, args=(name, core, there), daemon=True)
        process.start()
        said = here.recv()
        if isinstance(said, str):
            missing.append(f"{name} is not measured ({said}): {INSTALL}")
            continue
        found.append(Measured(name, process, here, *said))
    return found, missing


def measure(scorers: Sequence[Measured], hands: Any, count: int, repeat: int) -> None:
    """Let the scorers take turns."""
    warm_up = list(islice(hands, min(count, WARM_UP)))
    for scorer in scorers:
        for way in WAYS:
            # Twice: what a scorer learns or compiles when it sees hands is no part of its speed.
            scorer.seconds(way, warm_up)
            scorer.seconds(way, warm_up)
    for _ in range(repeat):
        turn = list(islice(hands, count))
        for way in WAYS:
            for scorer in scorers:
                scorer.speeds[way].append(count / scorer.seconds(way, turn))


def report(name: str, scorers: Sequence[Measured]) -> str:
    """The figures as a Markdown table."""
    ours = next(scorer for scorer in scorers if scorer.name == OURS)
    lines = [
        f"| {name} hands | rules | way | hands/s | lowest to highest | {OURS} is | memory |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for way in WAYS:
        for scorer in scorers:
            speeds = scorer.speeds[way]
            figures = f"{median(speeds):,.0f} | {min(speeds):,.0f} to {max(speeds):,.0f}"
            times = median(a / b for a, b in zip(ours.speeds[way], speeds, strict=True))
            ratio = "" if scorer is ours else f"{times:.1f} x as fast"
            lines.append(
                f"| {scorer.name} {scorer.version} | {scorer.rules} | {way} | {figures} | {ratio} "
                f"| {scorer.memory:,.0f} MB |"
            )
    return "\n".join(lines)


def positive(text: str) -> int:
    """A number above 0, for the command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number above 0")
    return number


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=positive, default=100_000, help="hands in each turn")
    parser.add_argument("--seed", type=int, default=1, help="seed of the hands")
    parser.add_argument("--repeat", type=positive, default=5, help="turns of each scorer and way")
    parser.add_argument("--core", type=int, default=0, help="the core that all work on")
    parser.add_argument("--set", choices=[*SETS], action="append", help="the sets of hands")
    options = parser.parse_args(arguments)
    core = options.core if hasattr(os, "sched_setaffinity") else None
    where = "not pinned" if core is None else f"all on core {core}"
    print(
        f"Python {platform.python_version()}, {options.repeat} turns of {options.hands} concealed "
        f"hands, seed {options.seed}, {where}; medians"
    )
    for name in options.set or SETS:
        hands = concealed_hands(name, options.seed)
        print(f"\n{check(list(islice(hands, SAMPLE)))}")
        scorers, missing = start_all(core)
        for sentence in missing:
            print(sentence)
        measure(scorers, hands, options.hands, options.repeat)
        for scorer in scorers:
            scorer.connection.send(None)
            scorer.memory = scorer.connection.recv()
            scorer.process.join()
        print(f"\n{report(name, scorers)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
