"""Processes that help one another: they share out tasks, and a helper ends with the process that it
helps."""

from __future__ import annotations

import itertools
import os
import threading
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

T = TypeVar("T")

_FEW = 3
_WAITING = 3
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


def looked(look: Callable[[Any], T], tasks: Iterable[Any], jobs: int) -> Iterator[tuple[Any, T]]:
    """Each task with what was found, in their order; few tasks are not worth other processes."""
    waiting = iter(tasks)
    few = list(itertools.islice(waiting, _FEW + 1))
    if jobs <= 1 or len(few) <= _FEW:
        for task in itertools.chain(few, waiting):
            yield task, look(task)
        return
    import multiprocessing
    from collections import deque
    from concurrent.futures import ProcessPoolExecutor

    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, _start, (look,)) as pool:
        given: deque[tuple[Any, Future[T]]] = deque()
        try:
            for task in itertools.chain(few, waiting):
                given.append((task, pool.submit(_work, task)))
                if len(given) > _WAITING * jobs:
                    done, future = given.popleft()
                    yield done, future.result()
            for done, future in given:
                yield done, future.result()
        finally:
            # Whoever wants no more does not wait for what is not begun.
            for _, future in given:
                future.cancel()


_look: Callable[[Any], Any] | None = None


def _start(look: Callable[[Any], Any]) -> None:
    """Keep in a new process what it works with."""
    global _look
    end_with_parent()
    _look = look


def _work(task: Any) -> Any:
    assert _look is not None
    return _look(task)
