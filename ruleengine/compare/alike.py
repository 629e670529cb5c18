"""Which of many hands come to the same under two rulesets, all at once."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ruleengine.batch.outcome import Outcome
    from ruleengine.rules import Rules

_COUNT, _MIX = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xFF51AFD7ED558CCD))


def marks(rules: Rules, outcome: Outcome) -> NDArray[np.int64]:
    """What became of hands under a ruleset, a column a hand: two are alike where their hands come
    to the same points, patterns, limit and payments, or to no win, or cannot be.

    The patterns are a number of 64 bits made of all of them, which different ones hardly ever
    share.
    """
    size = len(outcome)
    right = outcome.right
    win = outcome.win & right
    entries = outcome.entries
    names = np.array([_number(one.id) for one in rules.program.order] or [0], dtype=np.uint64)
    counted = names.take(entries.place) + entries.count.astype(np.uint64) * _COUNT
    counted *= _MIX
    patterns = np.zeros(size, dtype=np.uint64)
    np.add.at(patterns, entries.row, counted)
    paid = outcome.payments * outcome.paid
    of_wins = np.vstack(
        [outcome.points, outcome.limit, patterns.view(np.int64), outcome.paid, paid]
    )
    found: NDArray[np.int64] = np.vstack([right, win, of_wins * win])
    return found


@cache
def _number(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")
