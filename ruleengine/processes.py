"""Processes that help one another: they share out tasks, and a helper ends with the process that it
helps."""

from __future__ import annotations

import itertools
import os
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

from ruleengine.errors import RuleEngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")

_FEW = 3
_WAITING = 2
"""Tasks that are given out for each process, so that not all of them are made at once."""


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def end_with_parent() -> None:
    """Let this process end when the one that started it has ended, however that was.

    A process that is killed cannot tell its helpers, which would wait for work for ever.
    """
    import multiprocessing
    from multiprocessing.connection import wait

    parent = multiprocessing.parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class ProcessLostError(RuleEngineError):
    """A helping process that was ended from outside."""

    code = "U105"

    def __init__(self) -> None:
        self.message = "a process that helped was ended from outside, perhaps for want of memory"
        self.help = "fewer processes need less of it (--jobs); a batch with -o OUT has --resume"
        super().__init__(self.message)


def looked(
    look: Callable[[Any], T], tasks: Iterable[Any], jobs: int, ends: float = float("inf")
) -> Iterator[tuple[Any, T]]:
    """Each task with what was found, in their order; few tasks are not worth other processes.

    At `ends` (by the monotonic clock) no more is waited for.

    Raises `ProcessLostError` where another process was ended from outside.
    """
    waiting = iter(tasks)
    few = list(itertools.islice(waiting, _FEW + 1))
    if jobs <= 1 or len(few) <= _FEW:
        for task in itertools.chain(few, waiting):
            if time.monotonic() > ends:
                return
            yield task, look(task)
        return
    yield from shared(look, itertools.chain(few, waiting), jobs, ends=ends)


def shared(
    look: Callable[[Any], T],
    tasks: Iterable[Any],
    jobs: int,
    is_last: Callable[[Any], bool] = lambda task: False,
    ends: float = float("inf"),
) -> Iterator[tuple[Any, T]]:
    """Each task with what was found by other processes, in their order.

    A task that `is_last` is the last that there is for now: all that is found is told before the
    next one is asked for. At `ends` (by the monotonic clock) no more is waited for. Raises
    `ProcessLostError` where a process was ended from outside.
    """
    import multiprocessing
    from collections import deque
    from concurrent.futures import Future, ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    # A fresh process: a copy of this one would have its threads stopped halfway.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, _start, (look,))

    def left() -> float | None:
        return None if ends == float("inf") else max(ends - time.monotonic(), 0)

    given: deque[tuple[Any, Future[T]]] = deque()
    try:
        for task in tasks:
            given.append((task, pool.submit(_work, task)))
            while given and (len(given) > _WAITING * jobs or is_last(task)):
                done, future = given.popleft()
                yield done, future.result(left())
        while given:
            done, future = given.popleft()
            yield done, future.result(left())
    except TimeoutError:
        return
    except BrokenProcessPool:
        raise ProcessLostError from None
    finally:
        # Whoever wants no more does not wait for what is not begun.
        pool.shutdown(wait=False, cancel_futures=True)


_look: Callable[[Any], Any] | None = None


def _start(look: Callable[[Any], Any]) -> None:
    """Make a new process ready to work. Only the first process listens to Ctrl-C."""
    import signal

    global _look
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()
    _look = look


def _work(task: Any) -> Any:
    assert _look is not None
    return _look(task)
