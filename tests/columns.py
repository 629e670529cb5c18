"""Holds the column scorer against `Rules.score`: wins as columns, and what differs, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.batch.columns import Hands
from ruleengine.batch.payments import ColumnPayments
from ruleengine.batch.score import ColumnScorer
from ruleengine.batch.tables import POWERS
from ruleengine.judge import LAID_FACTS
from ruleengine.language.lower import WAY_BITS
from ruleengine.situation import count_dora
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ruleengine.batch.judge import Judged
    from ruleengine.rules import Rules
    from tests.random_hands import Win


def columns_of(rules: Rules, wins: Sequence[Win]) -> Hands:
    """Wins as columns, worked out tile by tile and meld by meld."""
    keys = np.array([keys_of_tiles((*w.hand.standing, _won(w))) for w in wins], dtype=np.int64)
    laid_keys = [keys_of_tiles(t for m in w.hand.melds for t in m.tiles) for w in wins]
    facts: dict[str, Any] = {"laid_keys": np.array(laid_keys, dtype=np.int64)}
    laid = [laid_facts(w) for w in wins]
    for name in LAID_FACTS:
        facts[name] = np.array([one[name] for one in laid], dtype=np.uint64)
    facts["way"] = np.array([WAY_BITS[w.situation.by] for w in wins], dtype=np.uint64)
    facts["seat"] = _seats([w.situation.seat for w in wins])
    facts["round"] = _seats([w.situation.round for w in wins])
    events = list(rules.data.events)
    facts["events"] = np.array(
        [sum(1 << events.index(event) for event in w.situation.events) for w in wins],
        dtype=np.uint64,
    )
    facts["flowers"] = np.array(
        [sum(1 << flower for flower in w.hand.flowers) for w in wins], dtype=np.uint64
    )
    facts["dora"] = np.array(
        [count_dora(w.hand, w.situation, rules.data) for w in wins], dtype=np.int32
    )
    facts["discarder"] = _seats([w.situation.from_seat for w in wins])
    facts["liable"] = _seats([_liable(w) for w in wins])
    return Hands(
        (keys[:, 0] | keys[:, 1] << 21 | keys[:, 2] << 42).astype(np.uint64),
        keys[:, 3].astype(np.uint32),
        np.array([_won(w) for w in wins], dtype=np.uint8),
        np.array([len(w.hand.melds) for w in wins], dtype=np.uint8),
        facts,
    )


def _won(win: Win) -> int:
    assert win.hand.winning_tile is not None
    return win.hand.winning_tile


def keys_of_tiles(tiles: Iterable[int]) -> list[int]:
    keys = [0, 0, 0, 0]
    for tile in tiles:
        suit = min(tile // 9, 3)
        keys[suit] += POWERS[tile - 9 * suit]
    return keys


def _seats(seats: Sequence[str | None]) -> Any:
    return np.array([0 if s is None else 1 << SEATS.index(s) for s in seats], dtype=np.uint64)


def _liable(win: Win) -> str | None:
    liable = win.situation.liable
    if liable == "none":
        return None
    return win.situation.from_seat if liable is None else liable


def laid_facts(win: Win) -> dict[str, int]:
    found = dict.fromkeys(LAID_FACTS, 0)
    for meld in win.hand.melds:
        for tile in meld.tiles:
            found["ck"] |= 1 << tile
        bit = 1 << meld.tile
        if meld.kind == "sequence":
            found["cn"] += 1
            name = next(n for n in ("c1", "c2", "c3", "c4") if not found[n] & bit)
        elif meld.kind == "triplet":
            name = "ct"
        else:
            name = "kc" if meld.claimed else "kk"
        found[name] |= bit
    return found


def column_differences(rules: Rules, wins: Sequence[Win]) -> list[str]:
    """Where scoring wins by columns does not give what scoring them one by one gives."""
    hands = columns_of(rules, wins)
    scorer = ColumnScorer(rules, keeps_order=True)
    judged = scorer.score(hands)
    payments = ColumnPayments(rules.program, scorer.amounts.points).of(judged.points, hands.facts)
    found: list[str] = []
    for at, win in enumerate(wins):
        got = told(rules, judged, at, payments)
        expected = scored(rules, win)
        if got != expected:
            found.append(f"by columns {got}, alone {expected}; {win}")
    return found


def told(rules: Rules, judged: Judged, at: int, payments: Any = None) -> tuple[Any, ...]:
    """What columns say of one hand: points, worth without bonuses, place, the patterns as (id,
    count, points), whether one stands alone, and the payments."""
    if judged.place[at] < 0:
        return (0, 0, -1, (), False, None)
    alone = int(judged.alone[at])
    patterns = []
    for place, pattern in enumerate(rules.program.order):
        if not int(judged.found[place // 64, at]) >> (place % 64) & 1:
            continue
        if alone not in (-1, place):
            continue
        if place in judged.counts:
            amounts = (int(judged.counts[place][at]), int(judged.awards[place][at]))
        else:
            entry = rules.program.entry(place)
            assert entry is not None
            amounts = (1, entry.points)
        patterns.append((pattern.id, *amounts))
    paid = None if payments is None else [int(amount) for amount in payments[:, at]]
    return (
        int(judged.points[at]), int(judged.base[at]), int(judged.place[at]),
        tuple(patterns), alone >= 0, paid,
    )  # fmt: skip


def scored(rules: Rules, win: Win) -> tuple[Any, ...]:
    """The same from the result of `Rules.score`."""
    result = rules.score_hand(win.hand, win.situation)
    if result.reason == "not_a_winning_hand":
        return (0, 0, -1, (), False, None)
    patterns = tuple((c.id, c.count, c.points) for c in result.patterns)
    return (
        result.points, result.base, result.place, patterns, result.limit == "limit_pattern",
        list(paid(rules, win, result.points)),
    )  # fmt: skip


def paid(rules: Rules, win: Win, points: int) -> list[int]:
    """What each seat gets by the payment function, as it is without a minimum."""
    situation = win.situation
    pays = rules.program.pays("win")
    seat = SEATS.index(situation.seat)
    discarder = 0 if situation.from_seat is None else 1 << SEATS.index(situation.from_seat)
    liable = _liable(win)
    events = sum(rules.program.events[event] for event in situation.events)
    amounts = [
        0 if at == seat else -pays(
            points, WAY_BITS[situation.by], 1 << seat, 1 << SEATS.index(situation.round), events,
            1 << at, 1 << seat, 1 << seat, discarder,
            0 if liable is None else 1 << SEATS.index(liable), 0, 0,
        )
        for at in range(4)
    ]  # fmt: skip
    amounts[seat] = -sum(amounts)
    return amounts
