"""Cases that ask whether a win can be at all: those with events, with a duty that moved, or that
are said to be wrong.

Under rules that differ in nothing but that, such a case needs no scoring.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ruleengine.discards import liable_seat, read_discards
from ruleengine.errors import HandError
from ruleengine.hand import Situation
from ruleengine.notation import read_hand
from ruleengine.situation import check_events, check_last_tile, check_seats, count_dora, read_dora

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ruleengine.discards import Discard
    from ruleengine.hand import Hand
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import RulesetData
    from ruleengine.testing.cases import Case
    from ruleengine.testing.run import Outcome

Judged = tuple[str | None, str | None]
"""The code of what is wrong, and who is liable."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A case with all that decides whether it can be, and what that was under the given rules."""

    case: Case
    hand: Hand
    situation: Situation
    discards: tuple[Discard, ...] | None
    before: Judged
    rules: Rules

    def judged(self, data: RulesetData, options: Mapping[str, int | bool]) -> Judged:
        """What is wrong with it under some rules."""
        return _judge(self.hand, self.situation, self.discards, data, options, self.rules)


def doubtful(rules: Rules, outcomes: Iterable[Outcome]) -> Iterator[Doubtful]:
    """Those of some cases that are doubtful."""
    for outcome in outcomes:
        record = outcome.case.record
        asks = {"events", "liable", "discards"} & record.keys() or outcome.error is not None
        if not asks or outcome.case.kind == "settle" or record.get("options"):
            continue
        try:
            hand, situation, discards = _read(record)
        except (HandError, TypeError, KeyError):
            continue
        before = _judge(hand, situation, discards, rules.data, rules.options, rules)
        wrong = None if outcome.error is None else outcome.error.code
        if before[0] == wrong:
            yield Doubtful(outcome.case, hand, situation, discards, before, rules)


def _read(record: Mapping[str, object]) -> tuple[Hand, Situation, tuple[Discard, ...] | None]:
    def text(name: str, otherwise: str | None = None) -> str | None:
        value = record.get(name)
        return otherwise if value is None else str(value)

    hand = read_hand(
        str(record["hand"]), winning_tile=text("winning_tile"), flowers=text("flowers")
    )
    events = record.get("events") or ()
    assert isinstance(events, list | tuple)
    situation = Situation(
        str(text("by", "self_draw")), str(text("seat", "E")), str(text("round", "E")),
        text("from"), text("liable"), frozenset(events), read_dora(record.get("dora")),
    )  # fmt: skip
    given = record.get("discards")
    return hand, situation, None if given is None else read_discards(given)


def _judge(
    hand: Hand,
    situation: Situation,
    discards: tuple[Discard, ...] | None,
    data: RulesetData,
    options: Mapping[str, int | bool],
    rules: Rules,
) -> Judged:
    try:
        if discards is not None:
            check_seats(situation, data)
            liable = liable_seat(discards, hand, situation, data)
            situation = replace(situation, liable=liable or situation.liable)
        check_seats(situation, data)
        check_last_tile(hand, situation, data)
        dora = count_dora(hand, situation, data)
        check_events(hand, situation, data, options, dora, lambda: rules.waits(hand))
    except HandError as error:
        return error.code, None
    return None, situation.liable
