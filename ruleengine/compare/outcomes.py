"""What a hand comes to, in a form in which two rulesets can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ruleengine.errors import HandError
from ruleengine.tiles import SEATS, format_tiles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.hand import Hand, Situation
    from ruleengine.result import Result
    from ruleengine.rules import Rules


@dataclass(frozen=True, slots=True)
class Won:
    """A hand and how it was won."""

    hand: Hand
    situation: Situation

    def record(self) -> dict[str, object]:
        """The same as a hand record; what is usual is left out."""
        hand, how = self.hand, self.situation
        bare = type(hand)(hand.standing, hand.melds, hand.winning_tile)
        found: dict[str, object] = {"hand": str(bare)}
        if how.by != "self_draw":
            found["by"] = how.by
        if how.seat != "E":
            found["seat"] = how.seat
        if how.round != "E":
            found["round"] = how.round
        if how.from_seat is not None:
            found["from"] = how.from_seat
        if how.liable is not None:
            found["liable"] = how.liable
        if how.events:
            found["events"] = sorted(how.events)
        if hand.flowers:
            found["flowers"] = format_tiles(hand.flowers)
        if how.dora is not None:
            found["dora"] = how.dora if isinstance(how.dora, int) else format_tiles(how.dora)
        return found


def is_plain(won: Won) -> bool:
    """Whether a win is East's self-draw of a concealed hand, and nothing else."""
    return not won.hand.melds and set(won.record()) == {"hand"}


def scored(rules: Rules, won: Won) -> Result | HandError:
    """What a hand comes to; an error where the ruleset cannot have it."""
    try:
        return rules.score_hand(won.hand, won.situation)
    except HandError as error:
        return error


def outcome(result: Result | HandError, ids: Mapping[str, str] | None = None) -> tuple[Any, ...]:
    """What can be compared of a result: whether it wins, and then points, patterns, limit and
    payments. `ids` gives other ids to some patterns."""
    if isinstance(result, HandError):
        return ("cannot be",)
    if not result.win:
        return ("no win",)
    return result.points, _counted(result, ids or {}), result.limit, paid(result)


def _counted(result: Result, ids: Mapping[str, str]) -> tuple[Any, ...]:
    """The patterns that count, in the order of their ids, and how often. What each awards makes no
    difference where the total is the same, as under a cap."""
    return tuple(sorted((ids.get(one.id, one.id), one.count) for one in result.patterns))


def paid(result: Result) -> tuple[int, ...] | None:
    """What each seat gets."""
    payments = result.payments
    return None if payments is None else tuple(payments[seat] for seat in SEATS)


def difference(first: Result | HandError, second: Result | HandError, *, paid_alike: bool) -> int:
    """How much two results of a hand differ: 0 not at all, 1 in who pays or in what counts, or in
    whether one that does not win can be, 2 in points, 3 in whether the hand wins.

    `paid_alike` says that both rulesets have the same paid for the same points, so that who pays
    need not be looked at where the points are the same.
    """
    results = [one for one in (first, second) if not isinstance(one, HandError)]
    wins = sum(one.win for one in results)
    if wins == 1:
        return 3
    if wins == 0:
        return int(len(results) == 1)
    assert not isinstance(first, HandError)
    assert not isinstance(second, HandError)
    if first.points != second.points:
        return 2
    if first.limit != second.limit or _counted(first, {}) != _counted(second, {}):
        return 1
    return 0 if paid_alike else int(paid(first) != paid(second))
