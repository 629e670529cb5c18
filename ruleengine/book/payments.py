"""Who pays whom: the lines of the settlement in words, and examples that the engine works out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.book.examples import Laid, laid, points_words, situation_words, sum_words
from ruleengine.book.labels import label
from ruleengine.errors import HandError
from ruleengine.language import meaning as m
from ruleengine.record import score_record
from ruleengine.ruleset.model import ENDINGS
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ruleengine.language.words import Speaker
    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Ending as EndingName
    from ruleengine.ruleset.model import RulesetData

_PLAIN_FIELDS = frozenset({"hand", "by", "seat", "round", "from"})
"""The fields of an example that may be used for any way of winning."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a settlement: words and the sentences as written, None where it always fits."""

    when: tuple[str, str] | None
    pays: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """One way that an example may go, with what each seat gets (negative: pays)."""

    words: str
    points: str
    payments: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Ending:
    """How the payments of one ending are said; `cases` are examples that need no hand."""

    name: str
    intro: str
    lines: tuple[Line, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Worked:
    """A hand with the payments for several ways of winning it."""

    title: str
    text: str
    groups: tuple[Laid, ...]
    sum: str
    cases: tuple[Case, ...]


def endings(rules: Rules, speaker: Speaker, say: Callable[..., str]) -> tuple[Ending, ...]:
    """The endings that have payments, in words."""
    found: list[Ending] = []
    for name in ENDINGS:
        lines = rules.data.settlement.get(name, ())
        if not lines:
            continue
        shown = tuple(
            Line(
                None
                if line.when is None
                else (speaker.truth(line.when.meaning), " ".join(line.when.text.split())),
                (speaker.number(line.pays.meaning), " ".join(line.pays.text.split())),
            )
            for line in lines
        )
        cases = () if name == "win" else tuple(_cases_without_hand(rules, name, speaker.language))
        found.append(Ending(name, say(f"payments_{name}"), shown, cases))
    return tuple(found)


# ---- endings without a winner ------------------------------------------------------------------


def _cases_without_hand(rules: Rules, name: EndingName, language: str) -> Iterator[Case]:
    """Some players ready at an exhausted wall, or one who declared wrongly."""
    groups = ("E", "ES", "ESW") if name == "exhausted" else ("E", "S")
    key = "case_ready" if name == "exhausted" else "case_offender"
    for seats in groups:
        mask = sum(1 << SEATS.index(seat) for seat in seats)
        named = label("comma", language).join(label(f"seat_{seat}", language) for seat in seats)
        payments = _paid_around(rules, name, mask)
        if any(payments.values()):
            yield Case(label(key, language, named), "", payments)


def _paid_around(rules: Rules, name: EndingName, seats: int) -> dict[str, int]:
    pays = rules.program.pays(name)
    ready, offender = (seats, 0) if name == "exhausted" else (0, seats)
    found = dict.fromkeys(SEATS, 0)
    for payer in range(4):
        for payee in range(4):
            if payer != payee:
                paid = pays(0, 0, 0, 1, 0, 1 << payer, 1 << payee, 0, 0, 0, ready, offender)
                found[SEATS[payer]] -= paid
                found[SEATS[payee]] += paid
    return found


# ---- wins --------------------------------------------------------------------------------------


def worked_examples(rules: Rules, language: str) -> tuple[Worked, ...]:
    """A small, a middling and a large hand of the ruleset's own examples, paid in several ways."""
    if not rules.data.settlement.get("win"):
        return ()
    found: list[Worked] = []
    for size, record in _chosen(rules):
        results = list(_ways(rules, record))
        if not results:
            continue
        first = results[0]
        cases = tuple(
            Case(
                situation_words(result, language, seats=True),
                points_words(result, language),
                result.payments or {},
            )
            for result in results
        )
        title = label(f"example_{size}", language)
        found.append(Worked(title, str(first.hand), laid(first), sum_words(first, language), cases))
    return tuple(found)


def _chosen(rules: Rules) -> list[tuple[str, Mapping[str, object]]]:
    """The example that is worth least, one in the middle, and one that is worth most."""
    scored: dict[int, Mapping[str, object]] = {}
    for pattern in rules.data.patterns.values():
        for example in pattern.hits:
            if not example.record.keys() <= _PLAIN_FIELDS:
                continue
            result = _won(rules, {"hand": example.record["hand"], **_DISCARD})
            if result is not None and result.payments is not None:
                scored.setdefault(result.points, example.record)
    worths = sorted(scored)
    if not worths:
        return []
    places = {0: "small", len(worths) // 2: "middle", len(worths) - 1: "large"}
    if len(worths) < 3:
        places = {0: "small", len(worths) - 1: "large"}
    return [(size, scored[worths[place]]) for place, size in sorted(places.items())]


_DISCARD: Mapping[str, str] = {"by": "discard", "seat": "S", "from": "W"}


def _ways(rules: Rules, record: Mapping[str, object]) -> Iterator[Result]:
    data = rules.data
    ways: list[Mapping[str, str]] = [_DISCARD, {"by": "self_draw", "seat": "S"}]
    if _minds_dealer(data):
        ways.insert(1, {"by": "discard", "seat": "S", "from": "E"})
        ways += [{"by": "discard", "seat": "E", "from": "S"}, {"by": "self_draw", "seat": "E"}]
    if data.liability.moves:
        ways.append({**_DISCARD, "liable": "N"})
    if data.liability.nobody:
        ways.append({**_DISCARD, "liable": "none"})
    for way in ways:
        result = _won(rules, {"hand": record["hand"], **way})
        if result is not None and result.payments is not None:
            yield result


def _won(rules: Rules, record: Mapping[str, object]) -> Result | None:
    try:
        result = score_record(rules, record)
    except HandError:
        return None
    return result if result.win else None


def _minds_dealer(data: RulesetData) -> bool:
    """Whether it matters for the payments of a win who is the dealer."""
    sentences = [
        sentence.meaning
        for line in data.settlement.get("win", ())
        for sentence in (line.when, line.pays)
        if sentence is not None
    ]
    return any(_speaks_of_dealer(meaning) for meaning in sentences)


def _speaks_of_dealer(meaning: m.Meaning) -> bool:
    match meaning:
        case m.Fact(name="dealer") | m.SeatIs():
            return True
        case m.RoleIs(roles=roles) | m.Seats(roles=roles):
            return "dealer" in roles
    return any(_speaks_of_dealer(part) for part in m.children(meaning))
