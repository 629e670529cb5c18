"""Looks at records of hands: plain ones by columns, those that need a careful look one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ruleengine.batch.read import TableReader
from ruleengine.batch.score import ColumnScorer
from ruleengine.errors import HandError
from ruleengine.record import score_record
from ruleengine.stats.tally import Outcome, Tally
from ruleengine.weigh import scene_of, weigh

if TYPE_CHECKING:
    from ruleengine.result import Result
    from ruleengine.rules import Rules

_TEXTS = ("hand", "winning_tile", "by", "seat", "round", "from", "liable", "flowers")
_PLAIN = frozenset({"id", "events", "dora", *_TEXTS})


class RecordLook:
    """Looks at some records: plain ones by columns, those that need a careful look one by one."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.scorer = ColumnScorer(rules, keeps_there=True)
        self.reader = TableReader(rules, self.scorer)

    def __call__(self, records: list[object]) -> Tally:
        found = Tally()
        plain = [record for record in records if is_plain(record)]
        others = [record for record in records if not is_plain(record)]
        if plain:
            read = self.reader.read(as_batch(plain))
            judged = self.scorer.score(read.hands)
            found.add_judged(judged, self.rules.program.numbers.minimum)
            others += [plain[at] for at in read.odd.tolist()]
        for record in others:
            try:
                if isinstance(record, HandError):
                    raise record
                result = score_record(self.rules, record)
            except HandError:
                found.errors += 1
            else:
                found.add(outcome_of(result))
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return RecordLook, (self.rules,)


def is_plain(record: object) -> bool:
    """Whether a record has nothing but what a table can hold; its values may still be wrong."""
    if type(record) is not dict or not record.keys() <= _PLAIN:
        return False
    events, dora = record.get("events"), record.get("dora")
    return (
        all(record.get(name) is None or _is_text(record[name]) for name in _TEXTS)
        and (events is None or (type(events) is list and all(map(_is_text, events))))
        and (dora is None or (type(dora) is int and abs(dora) < 1 << 31))
    )


def _is_text(value: object) -> bool:
    if type(value) is not str:
        return False
    # JSON can escape halves of characters, which are no text.
    return value.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in value)


def as_batch(records: list[Any]) -> pa.RecordBatch:
    """Plain records as a table."""
    types = {name: pa.string() for name in _TEXTS}
    types |= {"events": pa.list_(pa.string()), "dora": pa.int64()}
    named = {name: kind for name, kind in types.items() if any(name in each for each in records)}
    columns = [pa.array([each.get(name) for each in records], kind) for name, kind in named.items()]
    return pa.RecordBatch.from_arrays(columns, names=list(named))


def outcome_of(result: Result) -> Outcome:
    """What became of one hand, by the interpreter."""
    if result.arranged is None:
        return Outcome(False, False, 0, -1, 0, 0)
    rules = result.rules
    scene = scene_of(rules, result.hand, result.situation, result.dora)
    weighed = weigh(rules, replace(scene, arrangement=result.arranged))
    found = there = 0
    alone = -1
    times = []
    for place, verdict in enumerate(weighed.verdicts):
        if verdict.state == "not_met":
            continue
        there |= 1 << place
        if verdict.state in ("counted", "lost_to_limit"):
            found |= 1 << place
            if verdict.count > 1:
                times.append((place, verdict.count))
        if verdict.state == "counted" and weighed.limit == "limit_pattern":
            alone = place
    return Outcome(True, result.win, result.points, alone, found, there, tuple(times))
