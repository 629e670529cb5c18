"""Hand records: a hand with its situation as plain values, the form of JSON lines and examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ruleengine.diagnostics import suggest
from ruleengine.discards import liable_seat, read_discards
from ruleengine.errors import HandError, quote
from ruleengine.hand import Situation
from ruleengine.notation import read_hand
from ruleengine.ruleset.examples import RECORD_FIELDS as _HAND_FIELDS
from ruleengine.ruleset.examples import TEXT_FIELDS
from ruleengine.ruleset.options import OptionError
from ruleengine.situation import check_seats
from ruleengine.situation import read_dora as read_dora

if TYPE_CHECKING:
    from ruleengine.result import Result
    from ruleengine.rules import Rules

RECORD_FIELDS = ("id", *_HAND_FIELDS, "discards")
"""The fields of a hand record, in the order in which they are documented."""


def score_record(rules: Rules, record: object) -> Result:
    """Score one record. Raises `HandError` for a record that is wrong in any way."""
    if not isinstance(record, Mapping):
        message = f"a record is a JSON object, not {_kind(record)}"
        raise HandError("H311", message, 'for example: {"hand": "123m456p789s1122z+1z"}')
    for name in record:
        if name not in RECORD_FIELDS:
            raise _unknown_field(name)
    for name in TEXT_FIELDS:
        value = record.get(name)
        if value is not None and not isinstance(value, str):
            raise HandError("H312", f"'{name}' is a text, not {_kind(value)}")
    hand = record.get("hand")
    if hand is None:
        raise HandError("H311", "a record needs 'hand'")
    chosen = _options(rules, record.get("options"))
    given: dict[str, Any] = {
        name: record[name]
        for name in ("winning_tile", "by", "seat", "round", "liable", "flowers")
        if record.get(name) is not None
    }
    from_, dora = record.get("from"), _dora(record.get("dora"))
    if record.get("discards") is not None:
        liable = _liable(chosen, record["discards"], given, hand, from_, dora)
        given.pop("liable", None)
        if liable is not None:
            given["liable"] = liable
    return chosen.score(
        hand,
        from_=from_,
        events=_events(record.get("events")),
        dora=dora,
        id=record.get("id"),
        **given,
    )


def _liable(
    rules: Rules,
    discards: object,
    given: Mapping[str, Any],
    text: str,
    from_: str | None,
    dora: int | str | None,
) -> str | None:
    """Who is liable by what was discarded before. Raises `HandError`, H316 where the record says
    that somebody else is."""
    read = read_discards(discards)
    named = {name: given[name] for name in ("by", "seat", "round", "liable") if name in given}
    situation = Situation(**named, from_seat=from_, dora=read_dora(dora))
    check_seats(situation, rules.data)
    tile, flowers = given.get("winning_tile"), given.get("flowers")
    hand = read_hand(text, winning_tile=tile, flowers=flowers)
    liable = liable_seat(read, hand, situation, rules.data)
    found = liable or from_
    if situation.liable is not None and situation.liable != found:
        who = found or "the discarder"
        message = f"by the discards {who} is liable, and 'liable' says {situation.liable}"
        raise HandError("H316", message, "leave out 'liable'")
    return liable


def _unknown_field(name: object) -> HandError:
    if not isinstance(name, str):
        return HandError("H311", f"the name of a field is a text, not {_kind(name)}")
    meant = suggest(name[:100], RECORD_FIELDS)
    help_line = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(RECORD_FIELDS)}"
    return HandError("H311", f"a record has no field {quote(name)}", help_line)


def _options(rules: Rules, options: object) -> Rules:
    if options is None:
        return rules
    if not isinstance(options, Mapping):
        message = f"'options' is an object, not {_kind(options)}"
        raise OptionError("H312", message, 'for example: {"minimum": 5}')
    return rules.with_options(options)


def _events(events: object) -> tuple[str, ...]:
    if events is None:
        return ()
    if not isinstance(events, list | tuple):
        help_line = 'for example: ["last_tile"]'
        raise HandError("H312", f"'events' is a list of texts, not {_kind(events)}", help_line)
    for place, event in enumerate(events):
        if not isinstance(event, str):
            raise HandError("H312", f"an event is a text, not {_kind(event)}")
        if event in events[:place]:
            raise HandError("H314", f"the event {quote(event)} is named twice")
    return tuple(events)


def _dora(dora: object) -> int | str | None:
    if dora is None or isinstance(dora, str) or (isinstance(dora, int) and type(dora) is not bool):
        return dora
    message = f"'dora' is a number of dora tiles, or the indicators as a text, not {_kind(dora)}"
    raise HandError("H312", message)


def _kind(value: object) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, int):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, list | tuple):
        return "a list"
    return "an object" if isinstance(value, Mapping) else "something else"


def error_record(id: Any, error: HandError) -> dict[str, Any]:
    """The result for a record that is wrong."""
    found: dict[str, Any] = {"id": id}
    found["error"] = {"code": error.code, "message": error.message}
    if error.help:
        found["error"]["help"] = error.help
    return found
