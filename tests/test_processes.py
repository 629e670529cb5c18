"""A process that helps and is ended from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import ruleengine
from ruleengine.batch.work import FIRST, Chunk, Done, Worker, work
from ruleengine.processes import ProcessLostError, looked


class Ended(Worker):
    """Ends the process that it works in, unless that is the first one."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Ended, (self.rules, self.language, self.form)

    def __call__(self, chunk: Chunk) -> Done:
        if os.environ.get("YAKU_TEST_FIRST") != str(os.getpid()):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(chunk)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no such signal")
def test_a_process_that_is_ended_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAKU_TEST_FIRST", str(os.getpid()))
    worker = Ended(ruleengine.load("zhongyong-3.3"), "en", "lines")
    chunk = Chunk([(1, b'{"hand": "123m456m789m1z222z+1z"}\n')], 1)
    done = work(worker, [chunk] * (FIRST + 3), 2)
    assert [next(done).tally.wins for _ in range(FIRST)] == [1] * FIRST
    with pytest.raises(ProcessLostError, match="a process that helped was ended") as error:
        list(done)
    assert "--resume" in error.value.help


def end_process(task: int) -> int:
    if task == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * task


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no such signal")
def test_what_was_found_before_is_told() -> None:
    seen: list[tuple[int, int]] = []

    def look() -> None:
        for found in looked(end_process, range(100), 2):
            seen.append(found)

    with pytest.raises(ProcessLostError, match="perhaps for want of memory"):
        look()
    assert seen == [(task, 2 * task) for task in range(len(seen))]
    assert len(seen) <= 5


def test_nothing_is_begun_when_time_is_up() -> None:
    assert list(looked(str, range(10), 1, ends=0.0)) == []


PARENT = """
import multiprocessing, sys, time
from concurrent.futures import ProcessPoolExecutor
from ruleengine.processes import _start
from tests.test_processes import number_of_process

if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(1, context, initializer=_start, initargs=(None,))
    print(pool.submit(number_of_process).result(), flush=True)
    time.sleep(600)
"""


def number_of_process() -> int:
    return os.getpid()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    # One that has ended may stand there until somebody asks for it.
    return not (state.exists() and state.read_text(encoding="utf-8").split()[2] == "Z")


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no such signal")
def test_helpers_end_with_a_process_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT, encoding="utf-8")
    root = Path(__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    parent = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, env=environment, text=True
    )
    assert parent.stdout is not None
    helper = int(parent.stdout.readline())
    assert is_running(helper)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    limit = time.monotonic() + 60
    while is_running(helper) and time.monotonic() < limit:
        time.sleep(0.05)
    assert not is_running(helper)
