"""Random hand records, most of them right, many odd, some wrong."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

from ruleengine.batch.line import score_line, written
from ruleengine.batch.lines import LineWriter, ids_of, read_lines, score_records
from tests.random_hands import Win, random_win

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ruleengine.rules import Rules


def record_of(win: Win) -> dict[str, Any]:
    """A win as a record, flowers and all."""
    situation = win.situation
    hand = win.hand
    found: dict[str, Any] = {"hand": str(hand)}
    for name, value, usual in (
        ("by", situation.by, "self_draw"),
        ("seat", situation.seat, "E"),
        ("round", situation.round, "E"),
        ("from", situation.from_seat, None),
        ("liable", situation.liable, None),
        ("dora", situation.dora, None),
    ):
        if value != usual:
            found[name] = value
    if situation.events:
        found["events"] = sorted(situation.events)
    return found


def _apart(record: dict[str, Any], rng: random.Random) -> None:
    hand, _, won = record["hand"].partition("+")
    record |= {"hand": hand, "winning_tile": won}


def _flowers_beside(record: dict[str, Any], rng: random.Random) -> None:
    record["flowers"] = rng.choice(("15f", "2f", "f", "99f", "11f", "12345678f", ""))


def _other_seat(record: dict[str, Any], rng: random.Random) -> None:
    record[rng.choice(("seat", "round", "from", "liable"))] = rng.choice("ESWNX")


def _nobody(record: dict[str, Any], rng: random.Random) -> None:
    record["liable"] = "none"


def _other_way(record: dict[str, Any], rng: random.Random) -> None:
    record["by"] = rng.choice(("self_draw", "discard", "robbing_kong", "luck", None))


def _events(record: dict[str, Any], rng: random.Random) -> None:
    known = (
        "last_tile",
        "kong_replacement",
        "first_turn",
        "ready",
        "early",
        "late",
        "robbed",
        "no",
    )
    record["events"] = rng.choices(known, k=rng.randrange(4))


def _dora(record: dict[str, Any], rng: random.Random) -> None:
    record["dora"] = rng.choice((0, 1, 5, 99, -1, "3", "5m", "1m2z", "99s5z1m", "8f", "x", True))


def _one_more(record: dict[str, Any], rng: random.Random) -> None:
    record["hand"] = (
        rng.choice(("1m", "9999999m", "7z", "9s9s9s9s9s9s9s9s9s9s9s9s9s")) + record["hand"]
    )


def _another(record: dict[str, Any], rng: random.Random) -> None:
    text = record["hand"]
    at = rng.randrange(len(text))
    record["hand"] = text[:at] + rng.choice("123456789mpsz+[]() f東🀇") + text[at + 1 :]


def _kind(record: dict[str, Any], rng: random.Random) -> None:
    name = rng.choice(("hand", "by", "seat", "from", "events", "dora", "liable", "flowers"))
    record[name] = rng.choice((None, 5, 1.5, [], ["x"], [1], {}, True, "\ud800"))


def _field(record: dict[str, Any], rng: random.Random) -> None:
    record[rng.choice(("seet", "tiles", "options", "discards"))] = rng.choice(
        (None, {}, {"minimum": 5}, {"minimum": "x"}, [["S", "5m"]], [])
    )


CHANGES: tuple[Callable[[dict[str, Any], random.Random], None], ...] = (
    _apart, _flowers_beside, _other_seat, _nobody, _other_way, _events, _dora, _one_more, _another,
    _kind, _field,
)  # fmt: skip


def random_records(rules: Rules, count: int, seed: int, odd: float = 0.5) -> list[dict[str, Any]]:
    """Records of wins; so large a part is changed in one way or several."""
    rng = random.Random(seed)
    found = []
    for at in range(count):
        record = record_of(random_win(rules, rng))
        record["id"] = rng.choice((at, f"hand {at}", None, {"at": at}, "é東", 1.5))
        while rng.random() < odd:
            try:
                rng.choice(CHANGES)(record, rng)
            except (TypeError, AttributeError, ValueError):
                continue
        found.append(record)
    return found


def line_differences(rules: Rules, records: Sequence[dict[str, Any]]) -> list[str]:
    """Where scoring many lines at once does not give what scoring them one by one gives."""
    lines = [json.dumps(record).encode() for record in records]
    scorer = rules.batch_scorer("en", arrangement=True).scorer
    read = read_lines(lines)
    writer = LineWriter(rules, "en")
    found = writer.lines(score_records(scorer, read), ids_of(read)).splitlines(keepends=True)
    expected = [written(score_line(rules, line, "en")) for line in lines]
    return [
        f"{rules.id}: {line!r}\n  at once {got!r}\n  alone   {one!r}"
        for line, got, one in zip(lines, found, expected, strict=True)
        if got != one
    ]
