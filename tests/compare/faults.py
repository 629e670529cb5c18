"""Plants faults in shipped rulesets, and holds what a comparison says of them against scoring.

A fault with a witness, a hand or an end of a hand, is right where that comes to something else
under the two rulesets. One without must be proved equal, and change nothing: all concealed winning
hands are scored under both, and many plays by chance.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ruleengine.batch.outcome import TableScorer
from ruleengine.compare.run import compare
from ruleengine.errors import HandError
from ruleengine.hands.chance import plays
from ruleengine.hands.every import EveryHand
from ruleengine.hands.winning import BestScorer
from ruleengine.record import score_record
from ruleengine.rules import OptionError, Rules
from ruleengine.ruleset.find import find_ruleset, ruleset_ids
from ruleengine.ruleset.read import read_changed, read_ruleset_file
from ruleengine.settle import settle
from ruleengine.syntax_store import SyntaxStore
from ruleengine.testing.mutants import mutants

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ruleengine.batch.outcome import Outcome
    from ruleengine.compare.model import Comparison
    from ruleengine.ruleset.read import ReadRuleset
    from ruleengine.settle import Settled
    from ruleengine.testing.mutants import Mutant


@dataclass(frozen=True)
class Fault:
    """A shipped ruleset, and the same with one small change in it."""

    old: ReadRuleset
    new: ReadRuleset
    mutant: Mutant

    def __str__(self) -> str:
        mutant = self.mutant
        return f"{self.old.data.id} {mutant.at}: {mutant.before} becomes {mutant.after}"


@cache
def _read(id_: str) -> ReadRuleset:
    return read_ruleset_file(find_ruleset(id_, ()))


def faults(number: int, seed: int, ids: Sequence[str] = ()) -> Iterator[Fault]:
    """So many faults by chance, among those that are rulesets; in some rulesets, or in all."""
    planted = [
        (read, mutant)
        for id_ in ids or ruleset_ids()
        for read in (_read(id_),)
        for mutant in mutants(read)
    ]
    random.Random(seed).shuffle(planted)
    for read, mutant in planted:
        assert read.chain is not None
        data = read_changed(read.chain, mutant.node, SyntaxStore.open(read.sources.values()))
        if data is None:
            continue
        try:
            Rules(data)
        except OptionError:
            continue
        chain = replace(read.chain, node=mutant.node)
        yield Fault(read, replace(read, data=data, chain=chain), mutant)
        number -= 1
        if not number:
            return


def told(result: Any) -> object:
    """What a result says, but for whose it is."""
    if isinstance(result, HandError):
        return "cannot be"
    said = {**result.to_json(), "rules": None, "arrangement": None}
    for pattern in said["patterns"]:
        pattern["name"] = pattern["code"] = None
    if not said["win"]:
        return "no win"
    return said


def scored(read: ReadRuleset, record: Any) -> object:
    """What a record comes to under a ruleset, read anew."""
    try:
        return told(score_record(Rules(read.data), dict(record)))
    except HandError as error:
        return told(error)


def wrong_witnesses(fault: Fault, found: Comparison) -> list[str]:
    """Witnesses that do not show what they are said to show."""
    lines: list[str] = []
    judged = [one for one in found.changes if one.witness is not None]
    for one in judged:
        assert one.witness is not None
        before, after = (scored(read, one.witness.record) for read in (fault.old, fault.new))
        if told(one.witness.old) != before or told(one.witness.whole) != after:
            lines.append(f"{one.witness.record} is said to come to something that it does not")
        if before == after and len(judged) == 1:
            lines.append(f"{one.witness.record} comes to the same under both")
    return lines + wrong_ends(fault, found)


def wrong_ends(fault: Fault, found: Comparison) -> list[str]:
    """The same of ends of hands, settled anew by rulesets that are read anew."""
    lines: list[str] = []
    for one in found.changes:
        if one.end is None:
            continue
        request, said = one.end.request, (one.end.old, one.end.whole)
        before, after = (
            settled(Rules(read.data, _known(read, one.end.options)), request)
            for read in (fault.old, fault.new)
        )
        if [_paid(each) for each in said] != [before, after]:
            lines.append(f"{request} is said to come to something that it does not")
        if before == after:
            lines.append(f"{request} comes to the same under both")
    return lines


def _known(read: ReadRuleset, options: Mapping[str, int | bool]) -> dict[str, int | bool]:
    return {name: value for name, value in options.items() if name in read.data.options}


def settled(rules: Rules, request: Any) -> object:
    """What a request to settle comes to."""
    try:
        return dict(settle(rules, request))
    except HandError:
        return "cannot be"


def _paid(given: Settled | HandError) -> object:
    return "cannot be" if isinstance(given, HandError) else dict(given.to_json())


def changed_hand(fault: Fault, number: int, *, everything: bool) -> str | None:
    """A hand that changes, by scoring many: plays by chance, and all concealed winning hands."""
    old, new = Rules(fault.old.data), Rules(fault.new.data)
    for rules in (old, new):
        records = [play.record() for play in itertools.islice(plays(rules, 99), number)]
        names = dict.fromkeys(name for record in records for name in record)
        columns = {name: [record.get(name) for record in records] for name in names}
        if "dora" in columns:
            columns["dora"] = [None if n is None else str(n) for n in columns["dora"]]
        batch = pa.RecordBatch.from_pydict({n: pa.array(v) for n, v in columns.items()})
        results = [
            _lines(TableScorer(one, arrangements=False).score(batch, records)) for one in (old, new)
        ]
        for record, before, after in zip(records, *results, strict=True):
            if before != after:
                return f"{record}: {before} to {after}"
    if not everything:
        return None
    wall = {tile: n for tile, n in old.data.wall.copies.items() if tile < 34}
    scorers = [BestScorer(rules) for rules in (old, new)]
    for _, hands in EveryHand(old.shapes, wall).chunks():
        first, second = (scorer.score(hands).judged for scorer in scorers)
        wins = [
            (judged.place >= 0) & (judged.base >= rules.program.numbers.minimum)
            for judged, rules in ((first, old), (second, new))
        ]
        differs = wins[0] != wins[1]
        differs |= wins[0] & (first.points != second.points)
        rows = np.flatnonzero(differs)
        if len(rows):
            return f"a concealed hand: {hands.take(rows[:1])}"
    return None


def _lines(outcome: Outcome) -> list[object]:
    """What each record comes to."""
    entries = outcome.entries
    counted: list[list[object]] = [[] for _ in range(len(outcome))]
    for row, *entry in zip(
        entries.row.tolist(), entries.place.tolist(), entries.count.tolist(),
        entries.points.tolist(), strict=True,
    ):  # fmt: skip
        counted[row].append(entry)
    paid = outcome.payments.T.tolist()
    found: list[object] = []
    for row in range(len(outcome)):
        if row in outcome.errors:
            found.append("cannot be")
        elif not outcome.win[row]:
            found.append("no win")
        else:
            payments = paid[row] if outcome.paid[row] else None
            found.append((int(outcome.points[row]), counted[row], payments))
    return found


def check_faults(
    number: int,
    seed: int,
    *,
    everything: bool,
    hands: int = 20_000,
    ids: Sequence[str] = (),
) -> int:
    """Compare so many faulty rulesets with what they were; how many are judged wrongly."""
    outcomes: Counter[str] = Counter()
    wrong = 0
    start = time.monotonic()
    for at, fault in enumerate(faults(number, seed, ids), 1):
        found = compare(fault.old, fault.new, impact=False)
        lines = wrong_witnesses(fault, found)
        outcome = _outcome(found)
        if outcome == LEFT:
            found = compare(fault.old, fault.new, jobs=2)
            lines = wrong_witnesses(fault, found)
            outcome = _outcome(found)
        if outcome in (EQUAL, LEFT):
            hand = changed_hand(fault, hands, everything=everything)
            if hand is not None:
                lines.append(f"no hand is shown, but {hand}")
        if outcome != BY_A_HAND:
            print(f"{fault}: {outcome}")
        outcomes[outcome] += 1
        wrong += bool(lines) or outcome == LEFT
        for line in lines:
            print(f"WRONG {fault}: {line}")
        print(f"{at} of {number}, {time.monotonic() - start:.0f} s", file=sys.stderr)
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    return wrong


BY_A_HAND, BY_AN_END = "shown by a hand", "shown by an end of a hand"
EQUAL, LEFT = "proved equal", "neither shown nor proved equal"


def _outcome(found: Comparison) -> str:
    if any(one.witness is not None for one in found.changes):
        return BY_A_HAND
    if any(one.end is not None for one in found.changes):
        return BY_AN_END
    return EQUAL if found.proved_equal else LEFT
