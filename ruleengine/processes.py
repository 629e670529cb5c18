"""Processes that help one another: a helper ends with the process that it helps."""

from __future__ import annotations

import os
import threading


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
