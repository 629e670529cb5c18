"""Settles the end of a hand at a table: who pays whom, and what becomes of the stakes.

What is paid for a win, at an exhausted wall and for a wrong declaration, who wins when several
could, and who takes the stakes is all said by the ruleset; nothing here knows a rule. The
payments and the stakes that are left add to what was carried and staked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from ruleengine.diagnostics import suggest
from ruleengine.discards import before_the_win, read_discards
from ruleengine.errors import HandError, quote
from ruleengine.program import fixed_number
from ruleengine.record import score_record
from ruleengine.situation import read_dora
from ruleengine.tiles import SEATS, tile_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ruleengine.discards import Discard
    from ruleengine.result import Result
    from ruleengine.rules import Rules

Ending = Literal["win", "exhausted", "wrong_win", "abortive"]

FIELDS: Mapping[Ending, tuple[str, ...]] = {
    "win": ("event", "wins", "stakes", "carried"),
    "exhausted": ("event", "ready", "stakes", "carried"),
    "wrong_win": ("event", "seat", "stakes", "carried"),
    "abortive": ("event", "stakes", "carried"),
}
"""What a request may say, by how the hand ended."""

MOST_CARRIED = 1_000_000_000


class Settlement(TypedDict):
    """What each seat gets (negative: pays), and the stakes left for the next winner."""

    payments: dict[str, int]
    stakes_left: int


@dataclass(frozen=True, slots=True)
class Settled:
    """The end of a hand, settled.

    `winners` are the wins that are paid, in turn order after the player who gave the tile away;
    `passed_over` are those that the ruleset leaves out since another comes first. `taken` says
    what each seat got of the stakes.
    """

    event: Ending
    payments: Mapping[str, int]
    stakes_left: int
    winners: tuple[Result, ...] = ()
    passed_over: tuple[Result, ...] = ()
    ready: tuple[str, ...] = ()
    offender: str | None = None
    taken: Mapping[str, int] | None = None

    def to_json(self) -> Settlement:
        """The settlement as plain values, with the names of the contract."""
        return {"payments": dict(self.payments), "stakes_left": self.stakes_left}


def settle(rules: Rules, request: object) -> Settlement:
    """Who pays whom at the end of a hand, and the stakes that are left.

    `request` is one of `{"event": "win", "wins": [records], "stakes": {"E": 1}, "carried": 2}`,
    `{"event": "exhausted", "ready": ["E"]}`, `{"event": "wrong_win", "seat": "S"}` and
    `{"event": "abortive"}`; `stakes` and `carried` may stand in each. Raises `HandError` for what
    cannot be.

    >>> import ruleengine
    >>> settle(ruleengine.load("simple-1"), {"event": "exhausted", "ready": ["E"], "carried": 1})
    {'payments': {'E': 3, 'S': -1, 'W': -1, 'N': -1}, 'stakes_left': 1}
    """
    return settle_table(rules, request).to_json()


def settle_table(rules: Rules, request: object) -> Settled:
    """The same with the wins that count, for those who want to show more. See `settle`."""
    event, fields = _read(request)
    stakes = _stakes(rules, fields.get("stakes"))
    carried = _carried(rules, fields.get("carried"))
    if event == "win":
        return _win(rules, fields.get("wins"), stakes, carried)
    ready: tuple[str, ...] = ()
    offender = None
    paid = dict.fromkeys(SEATS, 0)
    if event == "exhausted":
        ready = _ready(rules, fields.get("ready"))
        paid = _between(rules, "exhausted", ready=_mask(ready))
    elif event == "wrong_win":
        offender = _seat(fields.get("seat"), "seat")
        paid = _between(rules, "wrong_win", offender=_mask([offender]))
    left = carried + sum(stakes.values())
    taken: dict[str, int] = {}
    if rules.data.stakes is not None and rules.data.stakes.returned:
        taken, left = {seat: stake for seat, stake in stakes.items() if stake}, carried
    return Settled(event, _plus(paid, taken), left, ready=ready, offender=offender, taken=taken)


# ---- reading a request -----------------------------------------------------------------------


def _read(request: object) -> tuple[Ending, Mapping[str, object]]:
    if not isinstance(request, Mapping):
        message = "what is to be settled is a JSON object"
        raise HandError("H401", message, 'for example: {"event": "exhausted", "ready": ["E"]}')
    event = request.get("event")
    known = ", ".join(FIELDS)
    if event is None:
        raise HandError("H401", "'event' is missing: how the hand ended", f"there are: {known}")
    ending = next((one for one in FIELDS if one == event), None)
    if ending is None:
        meant = suggest(event, FIELDS) if isinstance(event, str) else None
        shown = quote(event) if isinstance(event, str) else "this"
        help_line = f"did you mean '{meant}'?" if meant else f"there are: {known}"
        raise HandError("H403", f"{shown} is not a way for a hand to end", help_line)
    allowed = FIELDS[ending]
    for name in request:
        if not isinstance(name, str) or name not in allowed:
            meant = suggest(name[:100], allowed) if isinstance(name, str) else None
            help_line = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(allowed)}"
            shown = quote(name) if isinstance(name, str) else "such a field"
            raise HandError("H401", f"'{ending}' is settled without {shown}", help_line)
    return ending, {name: value for name, value in request.items() if value is not None}


def _stakes(rules: Rules, given: object) -> dict[str, int]:
    """What each seat has paid in advance."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        message = "'stakes' says how much each seat has paid in advance"
        raise HandError("H402", message, 'for example: {"E": 1}')
    found: dict[str, int] = {}
    for name, stake in given.items():
        seat = _seat(name, "stakes")
        if not isinstance(stake, int) or isinstance(stake, bool):
            raise HandError("H402", f"the stake of {seat} is a whole number")
        found[seat] = stake
    if any(found.values()):
        _need_stakes(rules)
    amount = _amount(rules)
    for seat, stake in found.items():
        if stake not in (0, amount):
            message = f"a stake is {amount} under {rules.id}, so {seat} cannot have paid another"
            raise HandError("H404", message)
    return found


def _carried(rules: Rules, given: object) -> int:
    """What earlier hands have left."""
    if given is None:
        return 0
    if not isinstance(given, int) or isinstance(given, bool):
        raise HandError("H402", "'carried' is a whole number: the stakes left by earlier hands")
    if not 0 <= given <= MOST_CARRIED:
        raise HandError("H404", f"'carried' is from 0 to {MOST_CARRIED:,}")
    if given:
        _need_stakes(rules)
    return given


def _need_stakes(rules: Rules) -> None:
    if rules.data.stakes is None:
        raise HandError("H404", f"{rules.id} is played without stakes")


def _amount(rules: Rules) -> int:
    if rules.data.stakes is None:
        return 0
    return fixed_number(rules.data.stakes.amount, rules.options) or 0


def _seat(given: object, field: str) -> str:
    if given is None:
        raise HandError("H401", f"'{field}' is missing: E, S, W or N")
    if not isinstance(given, str) or given not in tuple(SEATS):
        shown = f", and {quote(given)} is none of them" if isinstance(given, str) else ""
        raise HandError("H402", f"a seat in '{field}' is E, S, W or N{shown}")
    return given


def _ready(rules: Rules, given: object) -> tuple[str, ...]:
    """Who is one tile from winning."""
    if given is None:
        if rules.data.settlement.get("exhausted"):
            message = "'ready' is missing: the seats that are one tile from winning"
            raise HandError("H401", message, "where nobody is, write []")
        return ()
    if not isinstance(given, list | tuple):
        message = "'ready' is a list of the seats that are one tile from winning"
        raise HandError("H402", message, 'for example: ["E", "S"]')
    seats = [_seat(seat, "ready") for seat in given]
    if len(set(seats)) < len(seats):
        raise HandError("H402", "'ready' names a seat twice")
    return tuple(seat for seat in SEATS if seat in seats)


# ---- payments without a win ----------------------------------------------------------------------


def _between(
    rules: Rules, ending: Literal["exhausted", "wrong_win"], *, ready: int = 0, offender: int = 0
) -> dict[str, int]:
    """What the seats pay one another, each pair by the first line that fits it."""
    pays = rules.program.pays(ending)
    found = dict.fromkeys(SEATS, 0)
    for payer in SEATS:
        for payee in SEATS:
            if payer != payee:
                amount = pays(
                    0, 0, 0, 0, 0, _mask([payer]), _mask([payee]), 0, 0, 0, ready, offender
                )
                found[payer] -= amount
                found[payee] += amount
    return found


def _mask(seats: Iterable[str]) -> int:
    return sum(1 << SEATS.index(seat) for seat in seats)


def _plus(left: Mapping[str, int], right: Mapping[str, int]) -> dict[str, int]:
    return {seat: left[seat] + right.get(seat, 0) for seat in SEATS}


# ---- wins ----------------------------------------------------------------------------------------


def _win(rules: Rules, given: object, stakes: Mapping[str, int], carried: int) -> Settled:
    if not isinstance(given, list | tuple):
        code = "H401" if given is None else "H402"
        message = "'wins' is a list of the hands that win, each a record"
        raise HandError(code, message, 'for example: [{"hand": "123m456p789s1122z+1z"}]')
    if not given:
        message = "'wins' names no hand"
        raise HandError("H406", message, "a hand that nobody wins is 'exhausted' or 'abortive'")
    results = [_winning(rules, record, stakes) for record in given]
    if len(results) > 1:
        _check_together(rules, results, given)
    results.sort(key=_turn)
    paid_for = results[:1] if rules.data.winners == "first" else results
    paid = dict.fromkeys(SEATS, 0)
    for result in paid_for:
        assert result.payments is not None
        paid = _plus(paid, result.payments)
    taken = _taken(rules, [result.situation.seat for result in paid_for], stakes, carried)
    return Settled(
        "win",
        _plus(paid, taken),
        0,
        winners=tuple(paid_for),
        passed_over=tuple(results[len(paid_for) :]),
        taken=taken,
    )


def _winning(rules: Rules, record: object, stakes: Mapping[str, int]) -> Result:
    """The result of a record. Raises `HandError` H405, H407 or H408 where it cannot be paid."""
    result = score_record(rules, record)
    seat = result.situation.seat
    if not result.win:
        why = "it is no winning hand"
        if result.reason == "below_minimum":
            why = f"it is worth {result.base}, less than the minimum"
        message = f"the hand of {seat} does not win: {why}"
        raise HandError("H407", message, "a wrong declaration is settled as 'wrong_win'")
    if result.payments is None:
        message = f"who gave {seat} the winning tile is missing, so nobody knows who pays"
        raise HandError("H408", message, "the record needs 'from'")
    of_rules = rules.data.stakes
    if of_rules is not None and _amount(rules):
        declared = of_rules.event in result.situation.events
        staked = bool(stakes.get(seat))
        if declared and not staked:
            message = (
                f"{seat} wins with the event '{of_rules.event}', so 'stakes' has one of {seat}"
            )
            raise HandError("H405", message)
        if staked and not declared:
            message = f"{seat} has a stake in, so the win has the event '{of_rules.event}'"
            raise HandError("H405", message)
    return result


def _turn(result: Result) -> int:
    """How many turns after the player who gave the tile away a winner sits."""
    situation = result.situation
    after = SEATS.index(situation.from_seat or situation.seat)
    return (SEATS.index(situation.seat) - after) % len(SEATS)


def _taken(
    rules: Rules, winners: Sequence[str], stakes: Mapping[str, int], carried: int
) -> dict[str, int]:
    """What each winner takes of the stakes."""
    found = dict.fromkeys(winners, 0)
    rest = carried + sum(stakes.values())
    if rules.data.stakes is not None and rules.data.stakes.to == "own_first":
        for seat in winners:
            found[seat] = stakes.get(seat, 0)
            rest -= found[seat]
    found[winners[0]] += rest
    return {seat: amount for seat, amount in found.items() if amount}


def _check_together(rules: Rules, results: Sequence[Result], records: Sequence[object]) -> None:
    """Check that several wins are wins on one tile. Raises `HandError` H406."""
    if rules.data.winners is None:
        raise HandError("H406", f"{rules.id} does not say who wins when several players could")
    situations = [result.situation for result in results]
    if any(situation.by == "self_draw" for situation in situations):
        raise HandError("H406", "on a self-draw only one player wins")
    seats = [situation.seat for situation in situations]
    twice = [seat for seat, times in Counter(seats).items() if times > 1]
    if twice:
        raise HandError("H406", f"{twice[0]} cannot win twice in one hand")
    for name, event in rules.data.events.items():
        if event.shared and len({name in situation.events for situation in situations}) > 1:
            message = f"several players win on one tile, so all or none have the event '{name}'"
            raise HandError("H406", message)
    shown = _dora_shown(records)
    for what, values in (
        ("the winning tile", [result.hand.winning_tile for result in results]),
        ("the way of winning", [situation.by for situation in situations]),
        ("who gave the tile away ('from')", [situation.from_seat for situation in situations]),
        ("the round", [situation.round for situation in situations]),
        ("the options", [tuple(result.rules.options.items()) for result in results]),
        ("the dora indicators", shown),
    ):
        if len(set(values)) > 1:
            raise HandError("H406", f"several players win on one tile: {what} must be the same")
    told = _discards_told(results, records)
    _check_tiles(rules, results, next(filter(None, shown), ()), told)


def _dora_shown(records: Sequence[object]) -> list[tuple[int, ...]]:
    """The indicators that each record names; a number of dora says nothing of them.

    They lie open for all, so a record without any beside one with some is wrong too.
    """
    given = [record.get("dora") for record in records if isinstance(record, Mapping)]
    shown = [dora for dora in map(read_dora, given) if not isinstance(dora, int)]
    return [tuple(sorted(dora or ())) for dora in shown]


def _discards_told(results: Sequence[Result], records: Sequence[object]) -> tuple[Discard, ...]:
    """The longest list of discards before the win. Raises `HandError` H406 where another is not
    the end of it: each winner tells of those since his own last one, and all saw the same."""
    longest: tuple[Discard, ...] = ()
    whose = ""
    for result, record in zip(results, records, strict=True):
        told = record.get("discards") if isinstance(record, Mapping) else None
        if told is None:
            continue
        seat = result.situation.seat
        discards = before_the_win(read_discards(told), result.hand, result.situation)
        longer, shorter = (
            (longest, discards) if len(longest) >= len(discards) else (discards, longest)
        )
        if shorter and longer[-len(shorter) :] != shorter:
            message = f"the 'discards' of {whose} and of {seat} end differently before the one win"
            raise HandError("H406", message, "the shorter list is the end of the longer one")
        if longer is not longest:
            longest, whose = discards, seat
    return longest


def _check_tiles(
    rules: Rules, results: Sequence[Result], shown: Sequence[int], told: Sequence[Discard]
) -> None:
    """Check that there are as many of each tile as hands, indicators and discards hold together."""
    held = Counter(shown) + Counter(tile for _, tile in told)
    for result in results:
        held.update(result.hand.standing)
        held.update(result.hand.flowers)
        for meld in result.hand.melds:
            held.update(meld.tiles)
    held.update([tile for tile in [results[0].hand.winning_tile] if tile is not None])
    for tile, count in sorted(held.items()):
        there = rules.data.wall.copies.get(tile, 0)
        if count > there:
            what = "hands and discards" if told else "hands"
            message = f"the winning {what} together have {count} of {tile_name(tile)}, of {there}"
            raise HandError("H406", message)
