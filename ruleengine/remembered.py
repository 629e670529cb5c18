"""What was worked out once in a process and will be asked again, up to a size."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Remembered(Generic[K, V]):
    """Values by key, each with a size. What was asked longest ago goes where all together would be
    larger than `most`."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._kept: dict[K, tuple[V, int]] = {}
        self._lock = Lock()

    def get(self, key: K) -> V | None:
        """The value of a key; None where it is not, or no longer, known."""
        with self._lock:
            found = self._kept.pop(key, None)
            if found is None:
                return None
            self._kept[key] = found
            return found[0]

    def keep(self, key: K, value: V, size: int) -> None:
        """Remember a value, unless it is larger than all may be together."""
        if size > self.most:
            return
        with self._lock:
            if key in self._kept:
                self.size -= self._kept.pop(key)[1]
            self._kept[key] = value, size
            self.size += size
            while self.size > self.most:
                self.size -= self._kept.pop(next(iter(self._kept)))[1]
