"""The result of scoring a hand: what counts, the total, the arrangement, who pays whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruleengine.hand import Situation
from ruleengine.language.lower import WAY_BITS
from ruleengine.notation import read_hand
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ruleengine.arrange import Arrangement
    from ruleengine.explain import Explanation
    from ruleengine.hand import Hand
    from ruleengine.judge import CountedPattern, Judgement
    from ruleengine.rules import Rules

How = tuple[
    str, str, str, "str | None", "str | None", "Iterable[str]", int, "int | tuple[int, ...] | None"
]
"""By, seat, round, from, liable, events, the number of dora tiles, and the dora as they were given
(`Situation.dora`)."""

_Scored = tuple["Rules", "str | Hand", How, Any, "Judgement | None"]


class Result:
    """What a hand is worth under a ruleset. Read-only; all but the numbers is worked out when
    it is first asked for.

    `win`, `points`, `patterns`, `limit`, `reason`, `arrangement` and `payments` have the
    meanings of the JSON result (see `docs/results.md`).
    """

    __slots__ = ("_arranged", "_hand", "_scored")

    _hand: Hand
    _arranged: Arrangement

    def __init__(self, scored: _Scored) -> None:
        self._scored = scored

    @property
    def rules(self) -> Rules:
        """The ruleset that the hand was scored under."""
        return self._scored[0]

    @property
    def id(self) -> Any:
        """What the record was called; None where it had no id."""
        return self._scored[3]

    @property
    def hand(self) -> Hand:
        """The hand."""
        given = self._scored[1]
        if not isinstance(given, str):
            return given
        try:
            return self._hand
        except AttributeError:
            self._hand = read_hand(given)
            return self._hand

    # ---- numbers and patterns -------------------------------------------------------

    @property
    def win(self) -> bool:
        """Whether the hand wins."""
        judged = self._scored[4]
        return judged is not None and judged[2] >= self.rules.program.numbers.minimum

    @property
    def reason(self) -> str | None:
        """Why the hand does not win: `not_a_winning_hand` or `below_minimum`; else None."""
        if self._scored[4] is None:
            return "not_a_winning_hand"
        return None if self.win else "below_minimum"

    @property
    def points(self) -> int:
        """The total of the hand; 0 where it has no winning shape."""
        judged = self._scored[4]
        return 0 if judged is None else judged[0]

    @property
    def base(self) -> int:
        """What the hand is worth without bonuses, which is what a minimum looks at."""
        judged = self._scored[4]
        return 0 if judged is None else judged[2]

    @property
    def patterns(self) -> tuple[CountedPattern, ...]:
        """The patterns that count in the total, in the order of their codes."""
        judged = self._scored[4]
        return () if judged is None else self.rules.program.counted(judged)

    @property
    def limit(self) -> str | None:
        """`limit_pattern` where one stands alone, `cap` where the sum reaches it, else None."""
        if self._scored[4] is None:
            return None
        if self._scored[4][5] >= 0:
            return "limit_pattern"
        cap = self.rules.program.numbers.cap
        return "cap" if cap is not None and self._scored[4][0] >= cap else None

    # ---- arrangement ----------------------------------------------------------------

    @property
    def arranged(self) -> Arrangement | None:
        """The arrangement that was scored; None where the hand has no winning shape."""
        if self._scored[4] is None:
            return None
        try:
            return self._arranged
        except AttributeError:
            self._arranged = self.rules.arrangement_at(self)
            return self._arranged

    @property
    def arrangement(self) -> str | None:
        """The arrangement that was scored, such as `123m 456p [789s] (9999m) 11z`."""
        arranged = self.arranged
        return None if arranged is None else str(arranged)

    # ---- situation and payments -----------------------------------------------------

    @property
    def situation(self) -> Situation:
        """How the hand was won."""
        by, seat, round_, from_, liable, events, _, dora = self._scored[2]
        return Situation(by, seat, round_, from_, liable, frozenset(events), dora)

    @property
    def dora(self) -> int:
        """How many dora tiles the hand holds."""
        return self._scored[2][6]

    @property
    def place(self) -> int:
        """Which of the rows of the hand was scored."""
        judged = self._scored[4]
        return -1 if judged is None else judged[1]

    @property
    def payments(self) -> dict[str, int] | None:
        """What each seat gets (negative: pays); the four numbers add to 0.

        None where the hand does not win, and for a win on another's tile without `from`.
        """
        if not self.win:
            return None
        by, seat, round_, from_, liable, events, *_ = self._scored[2]
        if by != "self_draw" and from_ is None:
            return None
        pays = self.rules.program.pays("win")
        winner = 1 << SEATS.index(seat)
        discarder = 0 if from_ is None else 1 << SEATS.index(from_)
        duty = discarder
        if liable is not None:
            duty = 0 if liable == "none" else 1 << SEATS.index(liable)
        event_bits = 0
        for event in events:
            event_bits |= self.rules.program.events[event]
        found: dict[str, int] = {}
        for at, payer in enumerate(SEATS):
            if payer != seat:
                found[payer] = -pays(
                    self.points, WAY_BITS[by], winner, 1 << SEATS.index(round_), event_bits,
                    1 << at, winner, winner, discarder, duty, 0, 0,
                )  # fmt: skip
        found[seat] = -sum(found.values())
        return {name: found[name] for name in SEATS}

    # ---- faces ----------------------------------------------------------------------

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The result as plain values, with the names of the contract."""
        found: dict[str, Any] = {"id": self.id, "rules": self.rules.id}
        found["win"] = self.win
        if not self.win:
            found["reason"] = self.reason
        found["points"] = self.points
        found["patterns"] = [
            {
                "id": counted.id,
                "code": counted.code,
                "name": counted.name(language),
                "count": counted.count,
                "points": counted.points,
            }
            for counted in self.patterns
        ]
        if self.win:
            found["limit"] = self.limit
            found["arrangement"] = self.arrangement
            found["payments"] = self.payments
        return found

    def explain(self) -> Explanation:
        """Why each pattern counts, is lost, or is not there, on every arrangement."""
        from ruleengine.explain import explain

        return explain(self)

    def __repr__(self) -> str:
        if not self.win:
            return f"<Result of {self.hand}: no win ({self.reason})>"
        names = ", ".join(counted.id for counted in self.patterns) or "no pattern"
        return f"<Result of {self.hand}: {self.points} points, {names}>"

    def _repr_html_(self) -> str:
        from ruleengine.html import result_html

        return result_html(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result):
            return NotImplemented
        mine, theirs = self.to_json(), other.to_json()
        return mine == theirs and self.hand == other.hand

    def __hash__(self) -> int:
        return hash((self.hand, self.points))
