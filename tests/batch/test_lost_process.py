"""A process of a batch that is ended from outside."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

import ruleengine
from ruleengine.batch.work import FIRST, Chunk, Done, ProcessLostError, Worker, work


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
    with pytest.raises(ProcessLostError, match="a process of the batch was ended") as error:
        list(done)
    assert "--resume" in error.value.help
