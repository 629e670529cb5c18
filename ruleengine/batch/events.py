"""Says of columns of hands whether the events of their wins can have been."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.judge import LAID_FACTS
from ruleengine.language.columns import ColumnProgram
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from ruleengine.program import Program

KNOWN = frozenset(
    {
        *LAID_FACTS, "n2", "n3", "n4", "packed_hand", "packed_before", "packed_all", "flowers",
        "won", "way", "seat", "round", "events", "seat_flower", "dora", "waits",
        "winner", "discarder", "liable",
    }
)  # fmt: skip
"""Facts that a hand has before it is arranged."""
_ROLES = frozenset({"discarder", "liable"})


class ColumnEvents:
    """What the events of a ruleset need, over columns."""

    def __init__(self, program: Program) -> None:
        self.bits: Mapping[str, int] = program.events
        self._needs: dict[int, ColumnProgram | None] = {}
        for name, event in program.data.events.items():
            if event.needs is None:
                continue
            needs = ColumnProgram([program.lowering({}).sentence(event.needs.meaning)])
            self._needs[program.events[name]] = needs if needs.facts <= KNOWN else None

    def possible(
        self,
        events: NDArray[np.uint64],
        facts: Mapping[str, NDArray[Any]],
        fact: Callable[[str], Any],
    ) -> NDArray[np.bool_]:
        """Hands whose events surely can have been. Of the others nothing is known.

        `events` are bits; `facts` has `seat`, `discarder` and `liable`, where 0 is a discarder
        (or who is liable) that nothing is said of; `fact` gives any other fact of the hands.
        """
        possible = np.ones(len(events), dtype=bool)
        for bit, needs in self._needs.items():
            concerned = (events & np.uint64(bit)) != 0
            if concerned.any():
                possible &= ~concerned | self._met(needs, facts, fact)
        return possible

    def _met(
        self,
        needs: ColumnProgram | None,
        facts: Mapping[str, NDArray[Any]],
        fact: Callable[[str], Any],
    ) -> Any:
        if needs is None:
            return False
        root = needs.roots[0]
        given: dict[str, Any] = {name: fact(name) for name in needs.facts - _ROLES - {"winner"}}
        given["winner"] = facts["seat"]
        if not needs.facts & _ROLES:
            return needs.run(given)[root]
        # Where the discarder is not named it may have been any other player.
        met: Any = False
        for at in range(len(SEATS)):
            seat = np.uint64(1 << at)
            unknown = facts["unknown"]
            discarder = np.where(unknown, seat, facts["discarder"])
            liable = np.where(facts["moved"], facts["liable"], discarder)
            given |= {"discarder": discarder, "liable": liable}
            met = met | (needs.run(given)[root] & (~unknown | (facts["seat"] != seat)))
        return met
