"""Scores columns of hands under a ruleset, in chunks that stay in cache, on several cores."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.batch.amounts import Amounts
from ruleengine.batch.columns import keys_of
from ruleengine.batch.judge import ColumnJudge, Judged, nothing
from ruleengine.batch.rows import ColumnRowFinder
from ruleengine.batch.tables import POWERS, packed_suits
from ruleengine.judge import LAID_FACTS
from ruleengine.language.columns import Keys
from ruleengine.language.lower import WAY_BITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from ruleengine.batch.columns import Hands
    from ruleengine.batch.rows import Rows
    from ruleengine.rules import Rules

CHUNK = 65_536
"""Hands that are scored together: few enough for the cache, many enough that what NumPy spends on
each of some hundred operations does not count."""

Kind = tuple[int, bool, bool]
"""The way of winning (0 where hands won in several ways are scored together), whether there are
melds, whether there are events."""

SELF_DRAW = WAY_BITS["self_draw"]

Places = Any
"""Where hands stand: a slice, or an array of places."""


class ColumnScorer:
    """Scores columns of hands under one ruleset. May be used from any number of threads.

    With `keeps_there` what is judged also says which patterns were there but did not count, with
    `keeps_order` which arrangement was chosen. A `finder` for the same shapes and facts may be one
    that several scorers share.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        keeps_there: bool = False,
        keeps_order: bool = False,
        finder: ColumnRowFinder | None = None,
    ) -> None:
        self.rules = rules
        self.keeps_there = keeps_there
        self.keeps_order = keeps_order
        self.finder = finder or ColumnRowFinder(rules.shapes, rules.program.reads)
        self.amounts = Amounts(rules.program)
        self._judges: dict[tuple[Kind, int | None], ColumnJudge] = {}

    def judge(self, kind: Kind, shape: int | None = None) -> ColumnJudge:
        """The judge of hands of a kind, and of one shape if `shape` names its place; written when
        the first of them comes up."""
        found = self._judges.get((kind, shape))
        if found is None:
            fixed = fixed_facts(*kind)
            if shape is not None:
                fixed |= self.finder.fixed_facts(shape, kind[0] == SELF_DRAW)
            found = ColumnJudge(
                self.rules.program, fixed, self.amounts, keeps_there=self.keeps_there
            )
            self._judges[kind, shape] = found
        return found

    def score(self, hands: Hands, jobs: int = 1) -> Judged:
        """Score hands. Those that do not have a winning shape have place -1 and 0 points.

        The hands are taken to be possible: tile counts, sizes and situations are not looked at.
        """
        into = self.nothing(len(hands))
        tasks = [
            (kind, chunk) for kind, places in _by_kind(hands) for chunk in _chunks(places, hands)
        ]

        def run(task: tuple[Kind, Places]) -> None:
            self.score_kind(hands.take(task[1]), task[0], into, task[1])

        if jobs > 1 and len(tasks) > 1:
            with ThreadPoolExecutor(jobs) as pool:
                list(pool.map(run, tasks))
        else:
            for task in tasks:
                run(task)
        return into

    def nothing(self, size: int) -> Judged:
        """Hands none of which has a winning shape."""
        return nothing(
            self.rules.program,
            size,
            self.amounts.number,
            keeps_there=self.keeps_there,
            keeps_order=self.keeps_order,
        )

    def score_kind(self, hands: Hands, kind: Kind, into: Judged, places: Places) -> None:
        """Score hands of one kind and put what they come to at their places."""
        before: NDArray[np.int32] | None = None
        drawn = kind[0] == SELF_DRAW if kind[0] else hands.facts["way"] == SELF_DRAW
        rows_of_shapes = self.finder.rows(hands, drawn)
        facts: dict[str, Any] = {}
        for at, rows in enumerate(rows_of_shapes):
            judge = self.judge(kind, rows.shape)
            own = self.facts_of(rows, judge.columns.facts, hands, facts)
            judge.judge(own, rows, into, places, before)
            if at + 1 < len(rows_of_shapes):
                more = np.bincount(rows.hand, minlength=len(hands)).astype(np.int32)
                before = more if before is None else before + more

    def facts_of(
        self, rows: Rows, names: Iterable[str], hands: Hands, known: dict[str, Any]
    ) -> dict[str, Any]:
        """Facts of rows of some hands, those of the hands among them; `known` are the facts of the
        hands that were found before, and has those that are found now."""
        found = dict(rows.facts)
        for name in names:
            if name not in found:
                if name not in known:
                    known[name] = self.fact(name, hands)
                fact = known[name]
                found[name] = fact if rows.whole else _taken(fact, rows.hand)
        return found

    def fact(self, name: str, hands: Hands) -> Any:
        """A fact of the hands: as given, or what it is where nothing is said."""
        if name == "won":
            return np.uint64(1) << hands.won.astype(np.uint64)
        if name in hands.facts:
            return hands.facts[name]
        if name in ("n2", "n3", "n4"):
            return _layer(hands, int(name[1]))
        if name in ("packed_hand", "packed_before", "packed_all"):
            return _packed(name, hands)
        if name == "waits":
            from ruleengine.batch.waits import count_waits

            return count_waits(self.finder, hands, self.rules.data.wall.copies)
        if name == "seat_flower":
            return self._seat_flowers(hands)
        return {"seat": 1, "round": 1, "way": 1}.get(name, 0)

    def _seat_flowers(self, hands: Hands) -> Any:
        """The flowers of the winners' seats."""
        of_seats = self.rules.data.wall.seat_flowers
        by_bit = np.zeros(9, dtype=np.uint64)
        for at, seat in enumerate("ESWN"):
            by_bit[1 << at] = of_seats.get(seat, 0)
        seats = hands.facts.get("seat")
        return int(by_bit[1]) if seats is None else by_bit.take(seats.astype(np.intp))


def _taken(fact: Any, rows: NDArray[np.intp]) -> Any:
    if isinstance(fact, Keys):
        return fact.take(rows)
    return fact.take(rows) if hasattr(fact, "dtype") else fact


def fixed_facts(way: int, melds: bool, events: bool) -> dict[str, int]:
    """Facts that are the same for all hands of a kind."""
    fixed = {"way": way} if way else {}
    if way == SELF_DRAW:
        fixed["open_t"] = 0
    if not melds:
        fixed.update(dict.fromkeys(LAID_FACTS, 0))
    if not events:
        fixed["events"] = 0
    return fixed


def _by_kind(hands: Hands) -> Iterator[tuple[Kind, Places]]:
    """The kinds that the hands are of, and where those of each stand.

    Hands are not taken apart by the way of winning: it changes less of what there is to work out
    than two judges of half the hands would cost.
    """
    events = hands.facts.get("events")
    if not len(hands):
        return
    if events is None and hands.melds is None:
        yield (_way(hands, slice(None)), False, False), slice(0, len(hands))
        return
    code = np.zeros(len(hands), dtype=np.uint8)
    if hands.melds is not None:
        code |= (hands.melds > 0).view(np.uint8)
    if events is not None:
        code |= (events != 0).view(np.uint8) << np.uint8(1)
    present = np.flatnonzero(np.bincount(code, minlength=4)).tolist()
    for value in present:
        places = slice(0, len(hands)) if len(present) == 1 else np.flatnonzero(code == value)
        yield (_way(hands, places), bool(value & 1), bool(value & 2)), places


def _way(hands: Hands, places: Places) -> int:
    """The way in which all of some hands were won, 0 where there is more than one."""
    way = hands.facts.get("way")
    if way is None:
        return SELF_DRAW
    first = way[places][0]
    return int(first) if (way[places] == first).all() else 0


def _chunks(places: Places, hands: Hands) -> Iterator[Places]:
    size = len(hands) if isinstance(places, slice) else len(places)
    for at in range(0, size, CHUNK):
        if isinstance(places, slice):
            yield slice(at, min(at + CHUNK, size))
        else:
            yield places[at : at + CHUNK]


_UNITS = np.array(POWERS, dtype=np.int64)


def _packed(name: str, hands: Hands) -> Keys:
    """A packed count of the hands, as columns by suit."""
    suits = list(keys_of(hands))
    if name == "packed_before":
        won = hands.won
        suit = np.minimum(won // 9, 3)
        unit = _UNITS.take(won - 9 * suit)
        suits = [column - unit * (suit == at) for at, column in enumerate(suits)]
    if name == "packed_all" and hands.melds is not None:
        laid = hands.facts["laid_keys"]
        suits = [column + laid[:, at] for at, column in enumerate(suits)]
    return Keys(tuple(suits), packed_suits())


def _layer(hands: Hands, least: int) -> NDArray[np.uint64]:
    """Tiles of the shape that a hand holds at least so often, melds included, as masks."""
    keys = _packed("packed_all", hands)
    found = np.zeros(len(hands), dtype=np.uint64)
    for suit, column in enumerate(keys.packed()):
        # A count has four bits, of which `least` (2, 3 or 4) or more sets the highest but one or
        # two: the bits of 4 always do, and those of 2 (and 1) where `least` asks for no more.
        low = column & _COUNT_BITS
        middle = column >> np.uint64(1) & _COUNT_BITS
        high = column >> np.uint64(2) & _COUNT_BITS
        held = high
        if least == 2:
            held = high | middle
        elif least == 3:
            held = high | (middle & low)
        found |= _gathered(held) << np.uint64(9 * suit)
    return found


_COUNT_BITS = np.uint64(sum(1 << (4 * place) for place in range(9)))


def _gathered(column: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Every fourth bit of a number, next to each other."""
    found = column & np.uint64(1)
    for place in range(1, 9):
        found |= column >> np.uint64(3 * place) & np.uint64(1 << place)
    return found
