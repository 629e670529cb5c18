"""Records scored at once and one by one, in numbers that take too long for every run."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from functools import cache
from multiprocessing import Pool
from typing import TYPE_CHECKING, Any

from benchmarks.hands import SETS, make_hands
from ruleengine.loading import load_ruleset
from ruleengine.ruleset.find import ruleset_ids
from tests.batch.records import line_differences, random_records

if TYPE_CHECKING:
    from ruleengine.rules import Rules

CHUNK = 4000
"""Records of one ruleset that one process scores at a time."""
SHOWN = 10


@cache
def loaded(ruleset: str) -> Rules:
    """A shipped ruleset, once a process."""
    return load_ruleset(ruleset)


def check_chunk(task: tuple[str, int]) -> tuple[str, int, list[str]]:
    """Score some records of a ruleset both ways: hands of the benchmark's sets, each also in
    another situation, and random hands of the ruleset's shapes, right, odd and wrong."""
    ruleset, seed = task
    rules = loaded(ruleset)
    rng = random.Random(f"{ruleset} {seed}")
    records = random_records(rules, CHUNK // 4, seed, odd=0.3)
    # Each of these stands once as it was won, and every second once more.
    for name in SETS:
        for hand in make_hands(name, CHUNK * 3 // 4 * 2 // 3 // len(SETS), seed * 10 + 1):
            record: dict[str, Any] = {"hand": hand.text, "by": hand.by, "seat": hand.seat}
            record |= {"round": hand.round, "from": hand.from_seat}
            records.append(record)
            if rng.random() < 0.5:
                events = sorted(e for e in rules.data.events if rng.random() < 0.3)
                others = {"seat": rng.choice("ESWN"), "from": rng.choice("ESWN"), "events": events}
                records.append({**record, **others})
    return ruleset, len(records), line_differences(rules, records)


def check_columns(hands: int, seed: int, processes: int) -> int:
    """Check so many records, shared among the shipped rulesets; how many differ."""
    ids = list(ruleset_ids())
    chunks = -(-hands // CHUNK)
    tasks = [(ids[at % len(ids)], seed * 100_000 + at) for at in range(max(chunks, len(ids)))]
    done: Counter[str] = Counter()
    different: list[str] = []
    start = time.monotonic()
    with Pool(processes) as pool:
        for at, (ruleset, records, found) in enumerate(pool.imap_unordered(check_chunk, tasks), 1):
            done[ruleset] += records
            different += found
            if found or at % 10 == 0:
                seconds = time.monotonic() - start
                print(
                    f"{done.total()} records, {len(different)} differences, {seconds:.0f} s",
                    file=sys.stderr,
                )
    for line in different[:SHOWN]:
        print(line)
    for ruleset in ids:
        print(f"{ruleset}: {done[ruleset]} records scored at once and one by one")
    print(f"{done.total()} records, {len(different)} differences")
    return len(different)
