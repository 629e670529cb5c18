"""Scores columns of hands under a ruleset, in chunks that stay in cache, on several cores."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.batch.columns import Hands, keys_of
from ruleengine.batch.judge import ColumnJudge, Judged
from ruleengine.batch.rows import ColumnRowFinder
from ruleengine.batch.tables import POWERS, packed_suits
from ruleengine.judge import LAID_FACTS
from ruleengine.language.columns import Keys
from ruleengine.language.lower import WAY_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from ruleengine.rules import Rules

CHUNK = 16_384
"""Hands that are scored together."""

Kind = tuple[int, bool, bool]
"""The way of winning, whether there are melds, whether there are events."""


class ColumnScorer:
    """Scores columns of hands under one ruleset. May be used from any number of threads."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.finder = ColumnRowFinder(rules.shapes, rules.program.reads)
        self._judges: dict[Kind, ColumnJudge] = {}

    def judge(self, kind: Kind) -> ColumnJudge:
        """The judge of hands of a kind; written when the first of them comes up."""
        found = self._judges.get(kind)
        if found is None:
            way, melds, events = kind
            found = ColumnJudge(self.rules.program, fixed_facts(way, melds, events))
            self._judges[kind] = found
        return found

    def score(self, hands: Hands, jobs: int = 1) -> Judged:
        """Score hands. Those that do not have a winning shape have place -1 and 0 points.

        The hands are taken to be possible: tile counts, sizes and situations are not looked at.
        """
        chunks = [slice(at, at + CHUNK) for at in range(0, len(hands), CHUNK)] or [slice(0, 0)]
        if jobs > 1 and len(chunks) > 1:
            self._prepare(hands)
            with ThreadPoolExecutor(jobs) as pool:
                parts = list(pool.map(lambda chunk: self._chunk(hands.take(chunk)), chunks))
        else:
            parts = [self._chunk(hands.take(chunk)) for chunk in chunks]
        return join(parts)

    def _prepare(self, hands: Hands) -> None:
        """Write the judges and fill the tables before threads would do it at once."""
        self._chunk(hands.take(slice(0, 1)))

    def _chunk(self, hands: Hands) -> Judged:
        kinds = list(_by_kind(hands))
        if len(kinds) == 1:
            return self._of_kind(hands, kinds[0][0])
        parts = [(rows, self._of_kind(hands.take(rows), kind)) for kind, rows in kinds]
        return _scattered(parts, len(hands), self.judge(kinds[0][0]))

    def _of_kind(self, hands: Hands, kind: Kind) -> Judged:
        way, _, _ = kind
        judge = self.judge(kind)
        rows = self.finder.rows(hands, way == WAY_BITS["self_draw"])
        facts = dict(rows.facts)
        own = len(rows) == len(hands) and bool((rows.hand[1:] > rows.hand[:-1]).all())
        for name in judge.columns.facts - facts.keys():
            column = self._fact(name, hands)
            facts[name] = column if own or not hasattr(column, "dtype") else column[rows.hand]
        for name in _PACKED:
            if name in judge.columns.facts:
                facts[name] = _packed(name, hands, None if own else rows.hand)
        return judge.judge(facts, rows.hand, rows.order, len(hands))

    def _fact(self, name: str, hands: Hands) -> Any:
        """A fact of the hands: as given, or what it is where nothing is said."""
        if name == "won":
            return np.uint64(1) << hands.won.astype(np.uint64)
        if name in hands.facts:
            return hands.facts[name]
        if name in ("n2", "n3", "n4"):
            return _layer(hands, int(name[1]))
        return {"seat": 1, "round": 1, "way": 1}.get(name, 0)


_PACKED = ("packed_hand", "packed_before", "packed_all")


def fixed_facts(way: int, melds: bool, events: bool) -> dict[str, int]:
    """Facts that are the same for all hands of a kind."""
    fixed = {"way": way}
    if way == WAY_BITS["self_draw"]:
        fixed["open_t"] = 0
    if not melds:
        fixed.update(dict.fromkeys(LAID_FACTS, 0))
    if not events:
        fixed["events"] = 0
    return fixed


def _by_kind(hands: Hands) -> Iterable[tuple[Kind, NDArray[np.intp]]]:
    way = hands.facts.get("way")
    events = hands.facts.get("events")
    code = np.zeros(len(hands), dtype=np.uint8)
    code += np.uint8(1) if way is None else way.astype(np.uint8)
    if hands.melds is not None:
        code += (hands.melds > 0).astype(np.uint8) * np.uint8(8)
    if events is not None:
        code += (events != 0).astype(np.uint8) * np.uint8(16)
    kinds = np.unique(code)
    if not len(kinds):
        yield (1, False, False), np.zeros(0, dtype=np.intp)
    for value in kinds.tolist():
        yield (value & 7, bool(value & 8), bool(value & 16)), np.flatnonzero(code == value)


def _packed(name: str, hands: Hands, rows: NDArray[np.int32] | None) -> Keys:
    """A packed count of the hands, as columns by suit."""
    suits = list(keys_of(hands))
    if name == "packed_before":
        won = hands.won
        suit = np.minimum(won // 9, 3)
        unit = _UNITS[won - 9 * suit]
        suits = [column - np.where(suit == at, unit, 0) for at, column in enumerate(suits)]
    if name == "packed_all" and hands.melds is not None:
        laid = hands.facts["laid_keys"]
        suits = [column + laid[:, at] for at, column in enumerate(suits)]
    if rows is not None:
        suits = [column[rows] for column in suits]
    return Keys(tuple(suits), lambda: tuple(packed_suits()[column] for column in suits))


_UNITS = np.array(POWERS, dtype=np.int64)


def _layer(hands: Hands, least: int) -> NDArray[np.uint64]:
    """Tiles of the shape that a hand holds at least so often, melds included, as masks."""
    keys = _packed("packed_all", hands, None)
    found = np.zeros(len(hands), dtype=np.uint64)
    for suit, column in enumerate(keys.packed()):
        for place in range(9 if suit < 3 else 7):
            held = column >> np.uint64(4 * place) & np.uint64(15)
            found |= (held >= least).astype(np.uint64) << np.uint64(9 * suit + place)
    return found


def join(parts: list[Judged]) -> Judged:
    """Judged hands one part after the other."""
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    return Judged(
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.base for part in parts]),
        np.concatenate([part.place for part in parts]),
        np.concatenate([part.found for part in parts], axis=1),
        {at: np.concatenate([part.counts[at] for part in parts]) for at in first.counts},
        {at: np.concatenate([part.awards[at] for part in parts]) for at in first.awards},
        np.concatenate([part.alone for part in parts]),
    )


def _scattered(
    parts: list[tuple[NDArray[np.intp], Judged]], size: int, judge: ColumnJudge
) -> Judged:
    """Judged parts put back in the order of the hands."""
    whole = judge.nothing(size)
    for rows, part in parts:
        whole.points[rows] = part.points
        whole.base[rows] = part.base
        whole.place[rows] = part.place
        whole.found[:, rows] = part.found
        whole.alone[rows] = part.alone
        for at in whole.counts:
            whole.counts[at][rows] = part.counts[at]
            whole.awards[at][rows] = part.awards[at]
    return whole
