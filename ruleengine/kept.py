"""What was worked out lately, so that it need not be worked out again: bounded, for any threads."""

from __future__ import annotations

from threading import Lock
from typing import Generic, TypeVar

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")


class Kept(Generic[_Key, _Value]):
    """Values by key; those asked for last stay while they weigh no more than `most` together.

    What is kept is shared by all who ask for it, so it must be something that nobody changes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._weight = 0
        self._values: dict[_Key, tuple[int, _Value]] = {}
        self._lock = Lock()

    def get(self, key: _Key) -> _Value | None:
        """What is kept for a key, or None."""
        with self._lock:
            found = self._values.pop(key, None)
            if found is None:
                return None
            self._values[key] = found
            return found[1]

    def keep(self, key: _Key, value: _Value, weight: int = 1) -> None:
        """Keep a value of some weight in the place of what was kept for its key; others that were
        not asked for so long go. What weighs more than all may is not kept."""
        with self._lock:
            self._weight -= self._values.pop(key, (0, None))[0]
            if weight > self._most:
                return
            self._values[key] = weight, value
            self._weight += weight
            while self._weight > self._most:
                first = next(iter(self._values))
                self._weight -= self._values.pop(first)[0]
