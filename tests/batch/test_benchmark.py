"""The benchmark of batches runs from end to end."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

import ruleengine
from benchmarks import batch, growth, history, peers

ROOT = Path(__file__).resolve().parents[2]


def test_hands_are_concealed_and_different() -> None:
    hands = list(islice(batch.concealed_hands("realistic", 3), 200))
    assert len(set(hands)) == 200
    assert all(len(batch.tiles_of(hand)) == 14 for hand in hands)
    assert batch.tiles_of(hands[0])[-1] == peers.read_tile_ids(hands[0].text)[2] // 4


def test_a_small_run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    # The peers take long to load, and need not be there.
    monkeypatch.setattr(batch, "LOADERS", {batch.OURS: batch.load_ours})
    monkeypatch.setattr(batch, "SAMPLE", 20)
    assert batch.main(["--hands", "100", "--repeat", "2", "--set", "random"]) == 0
    out = capsys.readouterr().out
    assert "20 hands: points and patterns are those of the interpreter" in out
    rows = re.findall(r"^\| ruleengine .* \| (.*) \| [\d,]+ \| [\d,]+ to [\d,]+ \|", out, re.M)
    assert rows == list(batch.WAYS)


def rows_of(table: str) -> list[list[float]]:
    """The numbers of a Markdown table, a list a row."""
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line[:2] == "| "]
    return [[float(re.sub(r"[^\d.-]", "", cell)) for cell in row] for row in rows[1:]]


def test_the_benchmark_of_growth_runs() -> None:
    # As a process of its own, since it keeps to one core.
    command = [sys.executable, "benchmarks/growth.py", "--hands", "200", "--most", "1000"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    head, hands, patterns, parts = re.split(r"\n\n", run.stdout)
    assert head == "zhongyong-3.3, 44 patterns, 200 different hands"
    sizes = rows_of(hands)
    assert [row[0] for row in sizes] == [1, 100, 1000]
    # A hand alone takes far longer than one of many, and memory only grows.
    assert sizes[0][1] > 5 * sizes[2][1] > 0
    assert [row[3] for row in sizes] == sorted(row[3] for row in sizes)
    assert [row[0] for row in rows_of(patterns)] == [1, 11, 22, 33, 44]
    assert rows_of(patterns)[0][1] < rows_of(patterns)[-1][1]
    shares = [float(line.split(" | ")[1].strip(" |")) for line in parts.splitlines()[2:]]
    assert sum(shares) == pytest.approx(100, abs=len(shares) / 2)
    assert all(share > 0 for share in shares)


def test_a_ruleset_with_some_of_its_patterns() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    some = growth.with_patterns(rules, 11)
    assert len(some.data.patterns) == 11
    assert some.data.patterns.keys() < rules.data.patterns.keys()
    assert growth.with_patterns(rules, 44).data.patterns.keys() == rules.data.patterns.keys()


@pytest.mark.parametrize("name", history.CASES)
def test_what_is_measured_over_time_works(name: str) -> None:
    prepare, _ = history.CASES[name]
    work = prepare(30)
    assert work() is not None
    # It can be repeated.
    assert work() is not None
