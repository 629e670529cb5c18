"""Whether a comparison with a budget ends in time: `python -m tests.longer budget`."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable

MOST_OVER = 3.0
"""Seconds that a comparison may take beyond its budget, as `docs/review.md` says."""
PAIRS = (
    ("simple-1", "zhongyong-3.3"),
    ("zhongyong-3.2", "zhongyong-3.3"),
    ("zhongyong-3.3", "zhongyong-3.3-flowers"),
)


def check_budgets(budgets: Iterable[float]) -> list[str]:
    """Run the command on some pairs, with one process and with two, and print how long each took.
    Returns those that took too long."""
    late: list[str] = []
    for seconds in budgets:
        for pair in PAIRS:
            for jobs in (1, 2):
                options = ["--budget", str(seconds), "--jobs", str(jobs)]
                command = [sys.executable, "-m", "ruleengine", "diff", *pair, *options]
                start = time.monotonic()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                took = time.monotonic() - start
                line = f"{' '.join(pair)} {' '.join(options)}: {took:.1f} s"
                print(line, flush=True)
                if took > seconds + MOST_OVER:
                    late.append(line)
    for line in late:
        print(f"too long: {line}")
    return late
