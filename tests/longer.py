"""Checks that take too long for every run of the tests.

`python -m tests.longer evaluators --hands 100000` holds the compiled evaluator against the
interpreter on random hands, under every shipped ruleset. `python -m tests.longer sentences
--examples 2000` does the same with random sentences and rulesets. `python -m tests.longer
enumeration` scores all winning hands of every shipped ruleset, counts them a second way, and scores
a sample one by one. `python -m tests.longer columns --hands 1000000` scores random records at once
and one by one. `python -m tests.longer fuzz --seconds 600` changes shipped rulesets at random and
sees that nothing crashes; `--with hypothesis` makes what fails small, and `--with atheris` (the
extra [fuzz]) looks for changes that reach new code. `python -m tests.longer diff --mutants 120`
plants faults in shipped rulesets and holds what a comparison says of them against scoring. `python
-m tests.longer smallest` goes through the hands that are smaller than those that show a change.
`python -m tests.longer budget` sees that comparisons end when they were told to.
`python -m tests.longer proofs --pairs 4000` compares every form that a sentence can have, and
random pairs of sentences, and holds what is proved of them against every hand of a small game.
`python -m tests.longer attacks` runs every file of `tests.test_attacks` in every mode.
All end with status 1 where something differs.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.hands import SETS, make_hands
from ruleengine.errors import HandError
from ruleengine.hand import Situation
from ruleengine.loading import load_ruleset
from ruleengine.notation import read_hand
from ruleengine.ruleset.find import ruleset_ids
from tests.evaluators import Weigher, score_differences
from tests.random_hands import Win, possible_situation, with_flowers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.rules import Rules

CHUNK = 500
"""Hands that one process checks at a time."""
SITUATIONS = 10
"""Situations in which an example hand is checked."""
SHOWN = 20
"""Differences that are printed."""


@dataclass
class Outcome:
    """What came of some hands: how many, what differed, how often each pattern counted."""

    hands: int = 0
    scored: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    counted: Counter[tuple[str, str]] = field(default_factory=Counter)
    different: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Add what came of other hands."""
        self.hands += other.hands
        self.scored += other.scored
        self.refused += other.refused
        self.counted += other.counted
        self.different += other.different


@cache
def shipped() -> tuple[Rules, ...]:
    """Every shipped ruleset."""
    return tuple(load_ruleset(id_) for id_ in ruleset_ids())


def check_chunk(task: tuple[str, int, int]) -> Outcome:
    """Check some hands of a set of the benchmark under every shipped ruleset: each as it was won,
    or in another situation that can be under one of the rulesets, where the ruleset has it."""
    name, count, seed = task
    rng = random.Random(f"{name} {seed}")
    found = Outcome()
    weigher = Weigher()
    for record in make_hands(name, count, seed):
        hand = read_hand(record.text)
        played = Situation(record.by, record.seat, record.round, record.from_seat)
        other = rng.random() < 0.5
        situation = possible_situation(rng.choice(shipped()), hand, rng) if other else played
        found.hands += 1
        for rules in shipped():
            laid = with_flowers(hand, rules.data.wall.copies, rng)
            try:
                _check_hand(rules, Win(laid, situation), weigher, found)
            except HandError as error:
                found.refused[f"{rules.id} {error.code}"] += 1
                _check_hand(rules, Win(laid, played), weigher, found)
    return found


def _check_hand(rules: Rules, win: Win, weigher: Weigher, found: Outcome) -> None:
    result = rules.score_hand(win.hand, win.situation)
    found.scored[rules.id] += 1
    found.counted.update((rules.id, counted.id) for counted in result.patterns)
    weighed = weigher.weigh_all(rules, win)
    found.different += [
        f"{rules.id}: {line}" for line in score_differences(rules, win, result, weighed)
    ]


def check_examples(task: tuple[str, int]) -> Outcome:
    """Check the example hands of a shipped ruleset, each in many situations: they have the
    patterns that hardly come up by chance."""
    id_, seed = task
    rules = next(one for one in shipped() if one.id == id_)
    rng = random.Random(f"examples {id_} {seed}")
    found = Outcome()
    weigher = Weigher()
    patterns = rules.data.patterns.values()
    records = [e.record for p in patterns for e in (*p.hits, *p.misses)]
    for text in dict.fromkeys(str(record["hand"]) for record in records):
        hand = read_hand(text)
        if hand.winning_tile is None:
            continue
        found.hands += 1
        for _ in range(SITUATIONS):
            laid = with_flowers(hand, rules.data.wall.copies, rng)
            win = Win(laid, possible_situation(rules, laid, rng))
            _check_hand(rules, win, weigher, found)
    return found


def check_evaluators(hands: int, seed: int, processes: int) -> Outcome:
    """Check so many hands, shared among the sets of the benchmark and the processes, and the
    example hands of the rulesets. What comes out does not depend on the number of processes."""
    tasks: list[tuple[str, int, int]] = []
    for name in SETS:
        left = hands // len(SETS)
        while left > 0:
            tasks.append((name, min(CHUNK, left), seed * 100_000 + len(tasks)))
            left -= CHUNK
    found = Outcome()
    start = time.monotonic()
    # Traces live as long as their hand: to look for circles among them takes a tenth of the time.
    with Pool(processes, gc.set_threshold, (100_000,)) as pool:
        examples = pool.imap(check_examples, [(rules.id, seed) for rules in shipped()])
        chunks = pool.imap(check_chunk, tasks)
        for done, outcome in enumerate(itertools.chain(examples, chunks), 1):
            found.add(outcome)
            if outcome.different or done % 10 == 0 or done == len(tasks):
                seconds = time.monotonic() - start
                different = f"{len(found.different)} differences"
                print(f"{found.hands} hands, {different}, {seconds:.0f} s", file=sys.stderr)
    return found


def report(found: Outcome) -> None:
    """Print what came of all hands."""
    for rules in shipped():
        never = [id_ for id_ in rules.data.patterns if not found.counted[rules.id, id_]]
        print(f"{rules.id}: {found.scored[rules.id]} results compared")
        if never:
            print(f"  patterns that never counted: {', '.join(never)}")
    for what, count in sorted(found.refused.items()):
        print(f"scored as played, since another situation cannot be: {what}: {count} hands")
    for line in found.different[:SHOWN]:
        print(line)
    print(f"{found.hands} hands, {len(found.different)} differences")


def check_sentences(examples: int, hands: int) -> int:
    """Check random rulesets; raises what the first difference raises."""
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    from tests.language.test_evaluators import Made, check, rulesets

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(rulesets(), st.integers(0, 2**32))
    def run(made: Made, seed: int) -> None:
        check(made, seed, hands)

    run()
    print(f"{examples} random rulesets, no difference")
    return 0


def check_mutants(by: str, seconds: float, seed: int) -> bool:
    """Try changed rulesets, changed by one of three; says whether something failed."""
    if by == "hypothesis":
        from tests.fuzz_hypothesis import check_hypothesis

        return check_hypothesis(seconds, seed)
    if by == "atheris":
        from tests.fuzz_atheris import check_atheris

        return check_atheris(seconds, seed)
    from tests.fuzz import check_fuzz

    return check_fuzz(seconds, seed)


def check_attacks() -> int:
    """Run every attack in every mode; gives how many went wrong."""
    from tests.test_attacks import ATTACKS, MODES, MORE, Server, attack

    failed = 0
    server = Server()
    for name, (mode, commands) in itertools.product(ATTACKS, [*MODES.items(), *MORE.items()]):
        with TemporaryDirectory() as folder:
            try:
                ran = attack(server, name, commands, Path(folder))
                told = f"ends, {max(one.seconds for one in ran):.1f} s"
            except AssertionError as error:
                failed += 1
                told = f"fails: {str(error)[:200]}"
        print(f"{name} {mode}: {told}", flush=True)
    server.close()
    return failed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one of the checks."""
    parser = argparse.ArgumentParser(prog="python -m tests.longer")
    checks = parser.add_subparsers(dest="check", required=True)
    evaluators = checks.add_parser("evaluators", help="shipped rulesets on random hands")
    evaluators.add_argument("--hands", type=int, default=100_000)
    evaluators.add_argument("--seed", type=int, default=1)
    evaluators.add_argument("--processes", type=int, default=2)
    sentences = checks.add_parser("sentences", help="random sentences and rulesets")
    sentences.add_argument("--examples", type=int, default=2000)
    sentences.add_argument("--hands", type=int, default=8)
    enumeration = checks.add_parser("enumeration", help="all hands of every shipped ruleset")
    enumeration.add_argument("--sample", type=int, default=2000)
    enumeration.add_argument("--seed", type=int, default=1)
    enumeration.add_argument("--processes", type=int, default=2)
    columns = checks.add_parser("columns", help="records at once and one by one")
    columns.add_argument("--hands", type=int, default=1_000_000)
    columns.add_argument("--seed", type=int, default=1)
    columns.add_argument("--processes", type=int, default=2)
    fuzz = checks.add_parser("fuzz", help="shipped rulesets after random changes")
    fuzz.add_argument("--seconds", type=float, default=600)
    fuzz.add_argument("--seed", type=int, default=1)
    fuzz.add_argument("--with", dest="by", choices=("own", "hypothesis", "atheris"), default="own")
    diff = checks.add_parser("diff", help="comparisons of rulesets with planted faults")
    diff.add_argument("--mutants", type=int, default=120)
    diff.add_argument("--seed", type=int, default=1)
    diff.add_argument("--rules", action="append", default=[], help="plant them in this ruleset")
    smallest = checks.add_parser("smallest", help="hands that show a change, against smaller ones")
    smallest.add_argument("--rows", type=int, default=400_000)
    smallest.add_argument("--other-rows", type=int, default=2_000)
    budget = checks.add_parser("budget", help="that comparisons end in time")
    budget.add_argument("--seconds", type=float, action="append", default=[])
    proofs = checks.add_parser("proofs", help="sentences compared, against all hands of a game")
    proofs.add_argument("--pairs", type=int, default=4_000)
    proofs.add_argument("--seed", type=int, default=1)
    proofs.add_argument("--game", choices=("small", "whole"), default="small")
    checks.add_parser("attacks", help="every attack in every mode")
    given = parser.parse_args(arguments)
    if given.check == "attacks":
        return 1 if check_attacks() else 0
    if given.check == "diff":
        from tests.compare.faults import check_faults

        wrong = check_faults(given.mutants, given.seed, everything=True, ids=given.rules)
        return 1 if wrong else 0
    if given.check == "budget":
        from tests.compare.budgets import check_budgets

        return 1 if check_budgets(given.seconds or [2, 10, 30]) else 0
    if given.check == "proofs":
        from tests.compare.proofs import check_proofs

        return 1 if check_proofs(given.game, given.pairs, given.seed) else 0
    if given.check == "smallest":
        from tests.compare.smallest import check_smallest

        return 1 if check_smallest(given.rows, given.other_rows) else 0
    if given.check == "fuzz":
        return 1 if check_mutants(given.by, given.seconds, given.seed) else 0
    if given.check == "columns":
        from tests.batch.longer import check_columns

        return 1 if check_columns(given.hands, given.seed, given.processes) else 0
    if given.check == "enumeration":
        from tests.stats.enumeration import check_enumeration

        return 1 if check_enumeration(given.sample, given.seed, given.processes) else 0
    if given.check == "sentences":
        return check_sentences(given.examples, given.hands)
    found = check_evaluators(given.hands, given.seed, given.processes)
    report(found)
    return 1 if found.different else 0


if __name__ == "__main__":
    sys.exit(main())
