"""Changes rulesets with Hypothesis, which makes what fails as small as it can.

`python -m tests.longer fuzz --with hypothesis` tries what `tests.fuzz` tries with each of them.
"""

from __future__ import annotations

import tempfile
import time
import traceback
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz import TOKENS, Fuzzed, seeds, shortened, try_mutant

ROUND = 100
"""Examples between two looks at the clock."""


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    """The text of a ruleset after some changes of lines, words and signs."""
    text = shortened(draw(st.sampled_from(seeds())), draw(st.randoms(use_true_random=False)))
    for _ in range(draw(st.integers(1, 5))):
        lines = text.split("\n")
        row = draw(st.integers(0, len(lines) - 1))
        line = lines[row]
        at = draw(st.integers(0, len(line)))
        put = draw(st.one_of(st.sampled_from(TOKENS), st.text(max_size=8), st.just("")))
        match draw(st.sampled_from(["insert", "replace", "drop", "twice", "move", "indent"])):
            case "insert":
                lines[row] = line[:at] + put + line[at:]
            case "replace":
                lines[row] = line[:at] + put + line[at + draw(st.integers(1, 20)) :]
            case "drop":
                del lines[row : row + draw(st.integers(1, 4))]
            case "twice":
                lines.insert(row, line)
            case "move":
                lines.insert(draw(st.integers(0, len(lines) - 1)), lines.pop(row))
            case _:
                lines[row] = " " * draw(st.integers(0, 9)) + line.lstrip()
        text = "\n".join(lines) or "\n"
    return text.encode("utf-8", "surrogatepass")


def check_hypothesis(seconds: float, number: int) -> bool:
    """Try mutants for a time; says whether something failed."""
    found = Fuzzed()
    end = time.monotonic() + seconds
    last = b""

    def tried(data: bytes) -> None:
        nonlocal last
        last = data
        try_mutant(data, found)

    while time.monotonic() < end and not found.failures:
        number += 1
        run = settings(
            max_examples=ROUND,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )(seed(number)(given(mutants())(tried)))
        try:
            run()
        except Exception:
            kept = Path(tempfile.mkdtemp()) / f"mutant-{number}.yaml"
            kept.write_bytes(last)
            found.failures.append(f"{kept}\n{traceback.format_exc()}")
    found.report()
    return bool(found.failures)
