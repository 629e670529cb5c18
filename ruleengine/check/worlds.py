"""Decides whether sentences can be true and can be false, over every hand there is.

A *world* is an arrangement of a winning hand in a situation. What a sentence does not read is not
varied. Where the worlds that matter are too many, or facts are read that are not laid out here
(dora, flowers, what a class of tiles holds in melds), nothing is claimed. Worlds that cannot occur
may be among those looked at: they can keep a sentence from being called impossible, never make it
so.

What is claimed holds under every value that a table can give the options: a sentence that reads
options is looked at under each choice of them, and nothing is claimed where the choices are many.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.batch.columns import Hands, keys_of
from ruleengine.batch.rows import ColumnRowFinder
from ruleengine.batch.tables import POWERS, packed_suits
from ruleengine.hands.every import EveryHand
from ruleengine.hands.winning import winning_tiles
from ruleengine.judge import LAID_FACTS
from ruleengine.language import meaning as m
from ruleengine.language.columns import ColumnProgram, Keys
from ruleengine.language.lower import WAY_BITS, Lowering
from ruleengine.language.operations import Operations
from ruleengine.ruleset.options import every_choice
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ruleengine.language.operations import Op
    from ruleengine.rules import Rules

MOST_ROWS = 40_000_000
"""Arrangements that are looked at; more are too many."""
MOST_LOOKS = 120_000_000
"""Arrangements times situations, likewise."""
MOST_WORK = 5_000_000_000
"""Operations on arrangements that all questions about one ruleset may take together, about a
nanosecond each; questions that are open then stay open."""
READING = 150
"""What laying out an arrangement takes, in operations."""
CALLING = 4_000
"""What an operation takes besides the arrangements."""
ASKING = 100_000
"""What a question takes to be understood, likewise."""
TOGETHER = 100
"""Questions that are worked out together: more would take much memory."""
MOST_EVENTS = 6
MOST_CHOICES = 128
"""Choices of the options that a sentence reads; of one with more nothing is claimed."""
FIRST_LOOK = 20_000
"""Hands that are drawn by chance before all are gone through: most questions end there."""

OF_GROUPS = frozenset(
    {"shape", "n1", "runs", "s1", "s2", "s3", "s4", "t", "p1", "p2", "n2", "n3", "n4",
     "packed_hand", "packed_all", *LAID_FACTS}
)  # fmt: skip
OF_WINNING_TILE = frozenset({"won", "won_s", "won_t", "won_p", "open_t", "packed_before"})
OF_SITUATION = frozenset({"way", "seat", "round", "events"})
OF_PAYMENT = frozenset({"payer", "payee", "winner", "discarder", "liable", "ready", "offender"})


_Group = tuple[str, frozenset[str]]
"""A sort of worlds, and what of the winning tile and the situation is varied in them."""


@dataclass(slots=True)
class Answer:
    """Whether a sentence was seen true, and false, and whether all there is was looked at."""

    true: bool = False
    false: bool = False
    complete: bool = False
    worlds: int = 0

    @property
    def never(self) -> bool:
        """Whether it is proved never to be true."""
        return self.complete and not self.true

    @property
    def always(self) -> bool:
        """Whether it is proved always to be true."""
        return self.complete and not self.false

    @property
    def open(self) -> bool:
        """Whether there is more to be seen."""
        return not (self.true and self.false)


class Worlds:
    """The worlds of one ruleset, under every choice of its options."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._operations = Operations()
        self._lowerings: dict[tuple[tuple[str, int | bool], ...], Lowering] = {}
        self.wall = {tile: n for tile, n in rules.data.wall.copies.items() if tile < 34}
        self._absent = _absent(rules)
        self._every: EveryHand | None = None
        self._reads: dict[Op, frozenset[str]] = {}
        self._left = MOST_WORK

    def decide(self, questions: Sequence[m.Meaning]) -> list[Answer]:
        """Look at every world that some sentences ask about.

        Worlds in which an event is whose needs are not met are left out, where what the event
        needs is laid out in the same worlds.
        """
        asked: list[m.Meaning] = []
        bound: list[bool] = []
        for question in questions:
            can_be = self._needs_of(question)
            bound.append(bool(can_be))
            if can_be:
                source = question.source
                asked.append(m.All(source, (question, *can_be)))
                asked.append(m.All(source, (m.Not(source, question), *can_be)))
            else:
                asked.append(question)
        found = iter(self._look_at(asked))
        answers = [_of_two(next(found), next(found)) if two else next(found) for two in bound]
        again = [at for at, two in enumerate(bound) if two and not _settled(answers[at])]
        for at, answer in zip(again, self._look_at([questions[at] for at in again]), strict=True):
            answers[at] = answer
        return answers

    def _needs_of(self, question: m.Meaning) -> list[m.Meaning]:
        """What surely holds of the events that a sentence speaks of, in every world."""
        found: list[m.Meaning] = []
        pending: list[m.Meaning] = [question]
        seen: set[str] = set()
        while pending:
            for name, event in m.events_in(pending.pop()).items():
                needs = self.rules.data.events[name].needs
                if needs is None or name in seen:
                    continue
                seen.add(name)
                whole = needs.meaning
                for part in whole.parts if isinstance(whole, m.All) else (whole,):
                    if self._is_laid_out(part):
                        found.append(m.Any(event.source, (m.Not(event.source, event), part)))
                        pending.append(part)
        return found

    def _is_laid_out(self, needs: m.Meaning) -> bool:
        laid_out = OF_GROUPS | OF_WINNING_TILE | OF_SITUATION
        return all(self._reads_of(op) <= laid_out for op in self._lowered(needs) or ())

    def _look_at(self, questions: Sequence[m.Meaning]) -> list[Answer]:
        answers = [Answer() for _ in questions]
        groups: dict[_Group, list[tuple[Op, Answer]]] = {}
        needed: list[tuple[Answer, set[_Group]]] = []
        for question, answer in zip(questions, answers, strict=True):
            asked = self._asked(question, answer)
            if self._left < 0:
                break
            if asked is None:
                continue
            needed.append((answer, set(asked.values())))
            for op, group in asked.items():
                groups.setdefault(group, []).append((op, answer))
        looked = {group: self._look(*group, asked) for group, asked in groups.items()}
        for answer, of in needed:
            worlds = [looked[group] for group in of]
            answer.complete = None not in worlds
            answer.worlds = sum(number or 0 for number in worlds)
        return answers

    def _asked(self, question: m.Meaning, answer: Answer) -> dict[Op, _Group] | None:
        """What a sentence comes down to under each choice of the options that it reads, and the
        worlds that each of these asks about; None where some are not laid out. Where it is
        nothing but true or false the answer is told so."""
        lowered = self._lowered(question)
        if lowered is None:
            return None
        found: dict[Op, _Group] = {}
        for op in lowered:
            if op.kind == "constant":
                answer.true |= bool(op.value)
                answer.false |= not op.value
                continue
            reads = self._reads_of(op)
            sort = self._sort(question, reads)
            if sort is None:
                return None
            found[op] = sort, reads & (OF_WINNING_TILE | OF_SITUATION)
        return found

    def _lowered(self, question: m.Meaning) -> Sequence[Op] | None:
        """A sentence under each choice of the options that it reads, the same ones once; None
        where there are too many choices."""
        read = sorted(m.options_in(question))
        chosen = every_choice([self.rules.data.options[name] for name in read], MOST_CHOICES)
        self._left -= ASKING * (1 if chosen is None else len(chosen))
        if chosen is None or self._left < 0:
            return None
        return list(dict.fromkeys(self._lowering(one).sentence(question) for one in chosen))

    def _lowering(self, choice: Mapping[str, int | bool]) -> Lowering:
        key = tuple(choice.items())
        if key not in self._lowerings:
            data = self.rules.data
            self._lowerings[key] = Lowering(
                self._operations, tuple(data.events), tuple(data.shapes), choice
            )
        return self._lowerings[key]

    def _reads_of(self, op: Op) -> frozenset[str]:
        """The facts that an operation reads; sentences share many operations."""
        pending = [op]
        while pending:
            top = pending[-1]
            open_ = [arg for arg in top.args if arg not in self._reads]
            if open_:
                pending += open_
                continue
            pending.pop()
            own = {str(top.value)} - self._absent if top.kind == "fact" else set()
            self._reads[top] = frozenset(own.union(*(self._reads[arg] for arg in top.args)))
        return self._reads[op]

    def _sort(self, question: m.Meaning, reads: frozenset[str]) -> str | None:
        """Which worlds a sentence asks about; None where they are not laid out."""
        if reads <= OF_PAYMENT | {"way", "seat", "round", "events"}:
            return "table"
        if not reads <= OF_GROUPS | OF_WINNING_TILE | OF_SITUATION:
            return None
        if not _speaks_of_tiles(question) and reads & OF_WINNING_TILE <= {"open_t"}:
            return "forms"
        return None if _speaks_of_melds(question) else "concealed"

    def _look(self, sort: str, axes: frozenset[str], asked: list[tuple[Op, Answer]]) -> int | None:
        """Look at all worlds of a sort that some sentences ask about, and say how many were looked
        at; None where they are too many."""
        situations = list(self._situations(sort, axes))
        if not situations:
            return None
        looked = 0
        open_ = asked
        programs = _programs(open_)
        reads = frozenset[str]().union(*(program.facts for program, _ in programs))
        for columns, size in self._columns(sort, reads, len(situations)):
            if size < 0:
                return None
            still = [(op, answer) for op, answer in open_ if answer.open]
            if not still:
                break
            if len(still) < len(open_):
                open_, programs = still, _programs(still)
            operations = len(situations) * sum(len(program) for program, _ in programs)
            self._left -= READING * size + operations * (CALLING + size)
            if self._left < 0:
                return None
            for situation, (program, some) in itertools.product(situations, programs):
                worked = program.run({n: (columns | situation)[n] for n in program.facts})
                for op, answer in some:
                    found = np.broadcast_to(worked[op], max(size, 1))
                    answer.true |= bool(found.any())
                    answer.false |= not bool(found.all())
            looked += size * len(situations)
        return looked

    # ---- situations ---------------------------------------------------------------------

    def _situations(self, sort: str, axes: frozenset[str]) -> Iterator[dict[str, Any]]:
        """The situations that matter, as facts."""
        ways = WAY_BITS.values() if axes & {"way", "open_t"} or sort == "table" else (1,)
        seats = (1, 2, 4, 8) if "seat" in axes or sort == "table" else (1,)
        rounds = (1, 2, 4, 8) if "round" in axes else (1,)
        events = len(self.rules.data.events) if "events" in axes else 0
        if events > MOST_EVENTS:
            return
        for way, seat, round_, held in itertools.product(ways, seats, rounds, range(1 << events)):
            told = {"way": way, "seat": seat, "round": round_, "events": held}
            yield told | dict.fromkeys(self._absent, 0)

    # ---- rows ---------------------------------------------------------------------------

    def _columns(
        self, sort: str, reads: frozenset[str], situations: int
    ) -> Iterator[tuple[dict[str, Any], int]]:
        """Chunks of rows with the facts that are read; a size below 0 says that there are too
        many."""
        if sort == "table":
            rows = list(_tables())
            yield {name: _masks([row[name] for row in rows]) for name in rows[0]}, len(rows)
        elif sort == "forms":
            for rows in self._forms():
                yield {name: _masks([row[name] for row in rows]) for name in rows[0]}, len(rows)
        else:
            yield from self._concealed(reads, situations)

    def _concealed(
        self, reads: frozenset[str], situations: int
    ) -> Iterator[tuple[dict[str, Any], int]]:
        every = self._every_hand()
        if every is None:
            yield {}, -1
            return
        told = bool(reads & OF_WINNING_TILE)
        finder = ColumnRowFinder(self.rules.shapes, reads)
        sample = every.sample(min(FIRST_LOOK, len(every)), seed=1)
        yield from _rows_of(finder, sample, told)
        rows = len(every) * (10 if told else 1)
        if rows > MOST_ROWS or rows * situations > MOST_LOOKS:
            yield {}, -1
            return
        for _, hands in every.chunks():
            yield from _rows_of(finder, hands, told)

    def _every_hand(self) -> EveryHand | None:
        if self._every is None:
            try:
                self._every = EveryHand(self.rules.shapes, self.wall)
            except (OverflowError, MemoryError):
                return None
        return self._every if len(self._every) else None

    def _forms(self) -> Iterator[list[dict[str, int]]]:
        """Every choice of kinds and statuses of the groups, whatever their tiles."""
        for place, shape in enumerate(self.rules.shapes):
            nothing = dict.fromkeys((*OF_GROUPS, *OF_WINNING_TILE), 0)
            nothing |= {"shape": 1 << place, "p1": ((1 << shape.pairs) - 1) << 18}
            rows: list[dict[str, int]] = []
            for forms in itertools.combinations_with_replacement(_FORMS, shape.sets):
                if forms.count("open_t") <= 1:
                    rows.append(_laid_out(forms, nothing))
            if rows:
                yield rows


def _absent(rules: Rules) -> frozenset[str]:
    """Facts that are nothing in every world: of dora and of flowers where there are none."""
    wall = rules.data.wall
    found = set() if wall.dora else {"dora"}
    if not any(tile >= FIRST_FLOWER for tile in wall.copies):
        found |= {"flowers", "seat_flower"}
    return frozenset(found)


def _programs(
    asked: Sequence[tuple[Op, Answer]],
) -> list[tuple[ColumnProgram, Sequence[tuple[Op, Answer]]]]:
    """What works out some questions, so many of them at a time."""
    portions = [asked[at : at + TOGETHER] for at in range(0, len(asked), TOGETHER)]
    return [(ColumnProgram(op for op, _ in some), some) for some in portions]


_FORMS = ("s1", "c1", "t", "open_t", "ct", "kc", "kk")


def _laid_out(forms: tuple[str, ...], nothing: Mapping[str, int]) -> dict[str, int]:
    """Groups of some forms at tiles of their own: sequences in characters, three ranks apart, or
    in dots; triplets among the honors, pairs in bamboo."""
    row = dict(nothing)
    starts = itertools.cycle((0, 3, 6, 9, 12, 15))
    honors = itertools.count(FIRST_HONOR)
    for form in forms:
        if form in ("s1", "c1"):
            row[form] |= 1 << next(starts)
            row["runs" if form == "s1" else "cn"] += 1
        else:
            bit = 1 << next(honors)
            row["t" if form == "open_t" else form] |= bit
            if form == "open_t":
                row["open_t"] = bit
    return row


def _tables() -> Iterator[dict[str, int]]:
    """Who pays whom, who gave the tile away, who is liable, who was ready or wrong."""
    seats = (1, 2, 4, 8)
    for winner, payer in itertools.permutations(seats, 2):
        others = [seat for seat in seats if seat != winner]
        for discarder, liable in [(0, 0), *itertools.product(others, [0, *others])]:
            roles = {"winner": winner, "payer": payer, "discarder": discarder, "liable": liable}
            for ready in (0, payer, winner, payer | winner, 15):
                for offender in (0, payer, winner):
                    yield {**roles, "payee": winner, "ready": ready, "offender": offender}


def _masks(values: list[int]) -> NDArray[np.uint64]:
    return np.array(values, dtype=np.uint64)


def _rows_of(
    finder: ColumnRowFinder, hands: Hands, told: bool
) -> Iterator[tuple[dict[str, Any], int]]:
    """The rows of some hands, as facts; with every winning tile where that is asked for."""
    if told:
        row, tile = winning_tiles(hands)
        hands = Hands(hands.suited[row], hands.honors[row], tile)
    of_hands = _facts_of_hands(hands, finder.reads)
    for rows in finder.rows(hands, self_drawn=not told):
        columns: dict[str, Any] = dict.fromkeys(LAID_FACTS, 0)
        columns |= finder.fixed_facts(rows.shape, self_drawn=not told)
        for name, column in of_hands.items():
            columns[name] = column if rows.whole else column.take(rows.hand)
        columns |= rows.facts
        for name in finder.reads:
            columns.setdefault(name, 0)
        yield columns, len(rows)


def _facts_of_hands(hands: Hands, reads: frozenset[str]) -> dict[str, Any]:
    """Facts of the tiles of hands: packed counts, the tiles held several times, the winning one."""
    suits = keys_of(hands)
    keys = Keys(tuple(suits), packed_suits())
    found: dict[str, Any] = dict.fromkeys(reads & {"packed_hand", "packed_all"}, keys)
    for least in (2, 3, 4):
        if f"n{least}" in reads:
            found[f"n{least}"] = _held(keys, least)
    if "won" in reads:
        found["won"] = np.uint64(1) << hands.won.astype(np.uint64)
    if "packed_before" in reads:
        suit = np.minimum(hands.won // 9, 3)
        unit = np.array(POWERS, dtype=np.int64).take(hands.won - 9 * suit)
        before = tuple(column - unit * (suit == at) for at, column in enumerate(suits))
        found["packed_before"] = Keys(before, packed_suits())
    return found


def _held(keys: Keys, least: int) -> NDArray[np.uint64]:
    found = np.zeros(len(keys.suits[0]), dtype=np.uint64)
    for suit, column in enumerate(keys.packed()):
        for place in range(9 if suit < 3 else 7):
            held = column >> np.uint64(4 * place) & np.uint64(15)
            found |= (held >= np.uint64(least)).astype(np.uint64) << np.uint64(9 * suit + place)
    return found


def _of_two(there: Answer, not_there: Answer) -> Answer:
    """The answer to a sentence of which it was asked whether it and its opposite can be."""
    if there.never or not_there.never:
        return Answer(not there.never, there.never, True, max(there.worlds, not_there.worlds))
    complete = there.complete and not_there.complete
    worlds = min(there.worlds, not_there.worlds)
    return Answer(there.true, not_there.true, complete, worlds)


def _settled(answer: Answer) -> bool:
    return answer.complete or not answer.open


# ---- what a sentence speaks of -------------------------------------------------------------


def _speaks_of_melds(meaning: m.Meaning) -> bool:
    """Whether it may matter which groups are claimed, or kongs."""
    for node in m.everything_in(meaning):
        match node:
            case m.HasStatus() | m.CountWaits() | m.SumRanks():
                return True
            case m.CountGroups(status=status, kind=kind) | m.Groups(status=status, kind=kind):
                if status is not None or kind == "kong":
                    return True
            case m.Item(status=status, kind=kind):
                if status is not None or kind == "kong":
                    return True
            case m.OfKind(kind="kong"):
                return True
            case m.CountTiles(of="tile" | "quad") | m.HandTiles():
                return True
    return False


def _speaks_of_tiles(meaning: m.Meaning) -> bool:
    """Whether it may matter which tiles the groups are made of."""
    for node in m.everything_in(meaning):
        match node:
            case m.TileMask() | m.TileFact() | m.Template() | m.HandTiles() | m.CountSuits():
                return True
            case (
                m.CountTiles() | m.SumRanks() | m.WinningTileIs() | m.WaitIs() | m.WinningGroupIs()
            ):
                return True
    return False
