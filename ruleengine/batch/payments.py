"""Who pays how much, for columns of hands: the lines of a ruleset's settlement over columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.language.columns import ColumnProgram
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ruleengine.language.bounds import Range
    from ruleengine.program import Program


class ColumnPayments:
    """What each seat gets for a win under one program; `points` is the range of a total."""

    def __init__(self, program: Program, points: Range) -> None:
        self._payers = [_Payer(program, at, points) for at in range(len(SEATS))]

    def of(self, points: NDArray[Any], facts: Mapping[str, NDArray[Any]]) -> NDArray[np.int64]:
        """What the four seats get, a row a seat (negative: they pay); the rows add to 0.

        `facts` are `way`, `seat`, `round`, `events`, `discarder` and `liable` as bits, each a
        column; what is missing is a self-draw as East in the East round.
        """
        size = len(points)
        if not size:
            return np.zeros((len(SEATS), 0), dtype=np.int64)
        seat = np.asarray(facts.get("seat", 1), dtype=np.uint64)
        discarder = np.asarray(facts.get("discarder", 0), dtype=np.uint64)
        liable = np.asarray(facts.get("liable", discarder), dtype=np.uint64)
        given: dict[str, Any] = {
            "points": points.astype(np.int64),
            "way": np.asarray(facts.get("way", 1), dtype=np.uint64),
            "seat": seat,
            "winner": seat,
            "payee": seat,
            "round": np.asarray(facts.get("round", 1), dtype=np.uint64),
            "events": np.asarray(facts.get("events", 0), dtype=np.uint64),
            "discarder": discarder,
            "liable": liable,
            "ready": np.uint64(0),
            "offender": np.uint64(0),
        }
        found = np.zeros((len(SEATS), size), dtype=np.int64)
        for at, payer in enumerate(self._payers):
            wins = seat == np.uint64(1 << at)
            pays = np.broadcast_to(np.asarray(payer.pays(given), dtype=np.int64), size)
            found[at] = np.where(wins, 0, -pays)
        winner = np.broadcast_to(np.bitwise_count(seat - np.uint64(1)), size).astype(np.intp)
        found[winner, np.arange(size)] = -found.sum(axis=0)
        return found


class _Payer:
    """The lines of the settlement for one seat that may have to pay."""

    def __init__(self, program: Program, at: int, points: Range) -> None:
        lowering = program.lowering({"payer": 1 << at})
        lines = program.data.settlement.get("win", ())
        self._pays = lowering.ops.zero
        for line in reversed(lines):
            pays = lowering.sentence(line.pays.meaning)
            if line.when is None:
                self._pays = pays
            else:
                when = lowering.sentence(line.when.meaning)
                self._pays = lowering.ops.if_(when, pays, self._pays)
        self._program = ColumnProgram([self._pays], {"points": points})
        self._facts = self._program.facts

    def pays(self, given: Mapping[str, Any]) -> Any:
        """What the seat pays: a column, or a number that is the same for all."""
        facts = {name: given[name] for name in self._facts}
        return self._program.run(facts)[self._pays]
