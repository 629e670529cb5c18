"""What stands in a rule book, in one language and before any markup.

Texts of a ruleset keep the language that they are really in, since a missing translation is stood
in for by another language. Nothing is escaped here: that is the work of whoever writes markup.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ruleengine.book.examples import ShownHand, shown_example
from ruleengine.book.labels import label
from ruleengine.book.payments import Ending, Worked, endings, worked_examples
from ruleengine.language import meaning as m
from ruleengine.language.interpret import CALCULATE_NOTHING, Scene, evaluate
from ruleengine.language.words import Called, Speaker, marked
from ruleengine.ruleset.model import LANGUAGES
from ruleengine.testing.budget import BOOK_WORK, Budget, OutOfWork
from ruleengine.testing.effort import Effort
from ruleengine.tiles import SEATS, TILE_COUNT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Example, Pattern, RulesetData, Sentence, Text

_ASIDE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"(])|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the ruleset with the language that it is in."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence in words (tiles marked, see `language.words`) and as it is written."""

    words: str
    exact: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One pattern. `worth` is what it awards, short; `readings` are its sentences with a label."""

    id: str
    code: str
    name: Said
    other_names: tuple[Said, ...]
    worth: str
    each: bool
    brief: Said
    doc: Said | None
    readings: tuple[tuple[str, Reading], ...]
    instead_of: tuple[str, ...]
    bonus: bool
    status: str | None
    hits: tuple[ShownHand, ...]
    misses: tuple[ShownHand, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """Patterns that exclude one another; a pattern by itself is a series of one.

    `number` is its id where that is a number as codes are; other ids say nothing to a player.
    """

    number: str | None
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A category: the patterns whose codes begin with the same number."""

    number: str | None
    series: tuple[Series, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The patterns in order."""
        return tuple(entry for series in self.series for entry in series.entries)


@dataclass(frozen=True, slots=True)
class Choice:
    """An option: its name, value here, values it may have, and what it is for."""

    id: str
    name: Said
    value: str
    default: str
    values: str
    doc: Said | None


@dataclass(frozen=True, slots=True)
class Circumstance:
    """An event: its name, what it is, and when it can be."""

    id: str
    name: Said
    doc: Said | None
    needs: Reading | None


@dataclass(frozen=True, slots=True)
class Answer:
    """An interpretation."""

    question: Said
    reading: Said
    why: Said | None


@dataclass(frozen=True, slots=True)
class ShapeShown:
    """A shape of winning hands, in words."""

    name: Said
    words: str


@dataclass(frozen=True, slots=True)
class Book:
    """All of a rule book."""

    language: str
    id: str
    name: Said
    other_names: tuple[Said, ...]
    version: str
    settings: str
    source: Said | None
    parts: tuple[Part, ...]
    has_status: bool
    total: tuple[str, ...]
    endings: tuple[Ending, ...]
    duties: tuple[tuple[str, tuple[str, ...]], ...]
    worked: tuple[Worked, ...]
    wall: tuple[str, ...]
    shapes: tuple[ShapeShown, ...]
    choices: tuple[Choice, ...]
    circumstances: tuple[Circumstance, ...]
    answers: tuple[Answer, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every pattern in order."""
        return tuple(entry for part in self.parts for entry in part.entries)

    def say(self, key: str, *places: object, **named: object) -> str:
        """A label in the language of the book."""
        return label(key, self.language, *places, **named)

    def series_note(self, series: Series) -> str:
        """What is said above the patterns of a series."""
        note = self.say("series_note")
        if series.number is None:
            return note
        return f"{self.say('series')} {series.number}{self.say('colon')}{note}"


def build(rules: Rules, language: str) -> Book:
    """The rule book of a ruleset with its options as they are. Scores every example."""
    return _Builder(rules, language).book()


class _Builder:
    def __init__(self, rules: Rules, language: str) -> None:
        self.rules = rules
        self.data: RulesetData = rules.data
        self.language = language
        self.speaker = Speaker(language, called(rules, language))
        self.effort = Effort(rules)
        self.budget = Budget(BOOK_WORK)

    def say(self, key: str, *places: object, **named: object) -> str:
        return label(key, self.language, *places, **named)

    def book(self) -> Book:
        data = self.data
        return Book(
            language=self.language,
            id=data.id,
            name=self.said(data.name) or Said(data.id, "en"),
            other_names=self.others(data.name),
            version=data.version,
            settings=self.settings(),
            source=self.said(data.source),
            parts=self.parts(),
            has_status=any(pattern.status for pattern in data.patterns.values()),
            total=tuple(self.total()),
            endings=endings(self.rules, self.speaker, self.say),
            duties=tuple((self.say(key), lines) for key, lines in self.duties() if lines),
            worked=worked_examples(self.rules, self.language),
            wall=tuple(self.wall()),
            shapes=tuple(self.shapes()),
            choices=tuple(self.choices()),
            circumstances=tuple(self.circumstances()),
            answers=tuple(self.answers()),
        )

    # ---- texts -------------------------------------------------------------------------------

    def said(self, text: Text) -> Said | None:
        """A text in the language of the book, or in the one that stands in for it."""
        found = text.get(self.language)
        if not found:
            return None
        for tried in (self.language, *LANGUAGES):
            if text.by_language.get(tried) == found:
                return Said(found, tried)
        return Said(found, "en")

    def named(self, text: Text, id: str) -> Said:
        return self.said(text) or Said(id, "en")

    def others(self, text: Text) -> tuple[Said, ...]:
        """A name in the languages that differ: for readers who know the pattern by it."""
        shown = [text.get(self.language)]
        found: list[Said] = []
        for other in ("zh-Hant", "en") if self.language == "en" else ("en",):
            name = text.by_language.get(other)
            if name and name not in shown:
                shown.append(name)
                found.append(Said(name, other))
        return tuple(found)

    def reading(self, sentence: Sentence, words: str | None = None) -> Reading:
        said = self.speaker.sentence(sentence.meaning) if words is None else words
        return Reading(said, _one_line(sentence.text))

    def settings(self) -> str:
        changed = [
            f"{self.named(option.name, option.id).text} {self.value(self.rules.options[option.id])}"
            for option in self.data.options.values()
            if self.rules.options[option.id] != option.default
        ]
        return self.say("with_options", self.say("comma").join(changed)) if changed else ""

    def value(self, value: int | bool) -> str:
        if isinstance(value, bool):
            return self.say("yes" if value else "no")
        return str(value)

    def points(self, n: int) -> str:
        return self.say("point" if n == 1 else "points", n=n)

    # ---- patterns ----------------------------------------------------------------------------

    def parts(self) -> tuple[Part, ...]:
        ordered = sorted(self.data.patterns.values(), key=lambda pattern: pattern.code_order)
        by_number: dict[str | None, dict[str, list[Pattern]]] = {}
        for pattern in ordered:
            number = (
                None if pattern.code is None else (re.findall(r"\d+", pattern.code) or [None])[0]
            )
            series = pattern.series if pattern.series is not None else f" {pattern.id}"
            by_number.setdefault(number, {}).setdefault(series, []).append(pattern)
        return tuple(
            Part(
                number,
                tuple(
                    Series(
                        id if re.fullmatch(r"[0-9.]+", id) else None,
                        tuple(self.entry(pattern) for pattern in patterns),
                    )
                    for id, patterns in series.items()
                ),
            )
            for number, series in by_number.items()
        )

    def entry(self, pattern: Pattern) -> Entry:
        name = self.named(pattern.name, pattern.id)
        readings = self.readings(pattern)
        doc = self.said(pattern.doc)
        return Entry(
            id=pattern.id,
            code=pattern.code or "",
            name=name,
            other_names=self.others(pattern.name),
            worth=self.worth(pattern),
            each=pattern.times is not None,
            brief=self.brief(doc, readings),
            doc=doc,
            readings=readings,
            instead_of=tuple(
                self.named(self.data.patterns[id].name, id).text for id in pattern.supersedes
            ),
            bonus=pattern.bonus,
            status=pattern.status,
            hits=tuple(self.example(one, pattern, hit=True) for one in pattern.hits),
            misses=tuple(self.example(one, pattern, hit=False) for one in pattern.misses),
        )

    def example(self, example: Example, pattern: Pattern, *, hit: bool) -> ShownHand:
        """An example as it is drawn, as long as scoring the examples is not too much work."""
        try:
            self.budget.spend(self.effort.hand(example.record))
        except OutOfWork:
            text = str(example.record.get("hand", ""))
            return ShownHand(text, (), error=self.say("too_much_work"))
        return shown_example(self.rules, example, pattern, self.speaker, hit=hit)

    def readings(self, pattern: Pattern) -> tuple[tuple[str, Reading], ...]:
        found: list[tuple[str, Reading]] = []
        if pattern.when is not None:
            found.append((self.say("exactly"), self.reading(pattern.when)))
        if pattern.times is not None:
            words = self.speaker.times(pattern.times.meaning)
            found.append((self.say("how_often"), self.reading(pattern.times, words)))
        for unit, sentence in pattern.awards.items():
            if self.fixed(sentence) is None:
                key = self.say("worth") if unit == "points" else unit
                found.append((key, self.reading(sentence)))
        return tuple(found)

    def brief(self, doc: Said | None, readings: tuple[tuple[str, Reading], ...]) -> Said:
        """One line: the first sentence of the text, or what the condition says."""
        if doc is not None:
            return Said(_ASIDE.split(doc.text, maxsplit=1)[0].strip(), doc.language)
        words = self.say("semicolon").join(reading.words for _, reading in readings)
        return Said(opened(words), self.language)

    def fixed(self, sentence: Sentence) -> int | None:
        """The number of a sentence that speaks of nothing but options; None for any other."""
        if not _is_fixed(sentence.meaning):
            return None
        scene = Scene(CALCULATE_NOTHING, "self_draw", "E", "E", frozenset(), self.rules.options)
        return int(evaluate(sentence.meaning, scene))

    def worth(self, pattern: Pattern) -> str:
        several = len(self.data.units) > 1
        parts: list[str] = []
        for unit, sentence in pattern.awards.items():
            number = self.fixed(sentence)
            if number is not None:
                words = str(number)
            else:
                ends = _ends(sentence.meaning)
                words = "/".join(map(str, ends)) if ends else self.say("depends")
            parts.append(f"{words} {unit}" if several else words)
        return self.say("comma").join(parts)

    # ---- the total ---------------------------------------------------------------------------

    def total(self) -> Iterable[str]:
        data, numbers = self.data, self.rules.program.numbers
        if len(data.units) > 1:
            yield self.say("total_units", units=self.speaker.listed(data.units, "and"))
        else:
            yield self.say("total_sum")
        crowded = Counter(p.series for p in data.patterns.values() if p.series is not None)
        if any(n > 1 for n in crowded.values()):
            yield self.say("total_series")
        if data.total.value is not None:
            yield self.say("total_value", self.speaker.number(data.total.value.meaning))
        bonuses = [self.named(p.name, p.id).text for p in data.patterns.values() if p.bonus]
        if bonuses:
            yield self.say("total_bonus", self.say("comma").join(bonuses))
        if numbers.cap is not None:
            key = "total_plain_cap" if numbers.limit_from is None else "total_cap"
            yield self.say(key, self.points(numbers.cap))
        if numbers.limit_from is not None:
            yield self.limits(numbers.limit_from)
        name = data.total.empty_name.get(self.language)
        if name:
            yield self.say("total_empty_named", n=self.points(numbers.empty), name=name)
        else:
            yield self.say("total_empty", self.points(numbers.empty))
        if numbers.minimum:
            yield self.say("total_minimum", self.points(numbers.minimum))
        else:
            yield self.say("total_no_minimum")
        yield self.say("total_reading")

    def limits(self, least: int) -> str:
        said = self.say("total_limit", self.points(least))
        first = self.data.units[0]
        names: list[str] = []
        for pattern in sorted(self.data.patterns.values(), key=lambda one: one.code_order):
            award = pattern.awards.get(first)
            number = None if award is None else self.fixed(award)
            if number is not None and number >= least and not pattern.bonus:
                names.append(self.named(pattern.name, pattern.id).text)
        if not names:
            return said
        space = " " if self.language == "en" else ""
        return said + space + self.say("total_limit_list", self.say("comma").join(names))

    def duties(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """What else is said of payments: a duty that moves, several winners, stakes."""
        data = self.data
        yield (
            "liability",
            tuple(
                self.say(f"liability_{name}")
                for name in ("moves", "nobody", "barred")
                if getattr(data.liability, name)
            ),
        )
        if data.winners is not None:
            yield "winners", (self.say(f"winners_{data.winners}"),)
        if data.stakes is not None:
            stakes = data.stakes
            words = self.say(
                "stakes_words",
                amount=self.speaker.number(stakes.amount.meaning),
                event=self.named(data.events[stakes.event].name, stakes.event).text,
            )
            stay = self.say("stakes_returned" if stakes.returned else "stakes_stay")
            yield "stakes", (words, self.say(f"stakes_{stakes.to}"), stay)

    # ---- the rest ----------------------------------------------------------------------------

    def wall(self) -> Iterable[str]:
        copies = self.data.wall.copies
        by_copies: dict[int, list[int]] = {}
        for tile in range(TILE_COUNT):
            if copies.get(tile, 0):
                by_copies.setdefault(copies[tile], []).append(tile)
        parts = [self.say("wall_each", n=n, tiles=marked(tiles)) for n, tiles in by_copies.items()]
        n = sum(copies.values())
        yield self.say("wall", n=n, parts=self.say("comma").join(parts))
        for seat in SEATS:
            mask = self.data.wall.seat_flowers.get(seat, 0)
            if mask:
                tiles = marked(tile for tile in range(TILE_COUNT) if mask >> tile & 1)
                yield self.say("seat_flowers", seat=self.say(f"seat_{seat}"), tiles=tiles)

    def shapes(self) -> Iterable[ShapeShown]:
        for shape in self.data.shapes.values():
            words: list[str] = []
            if shape.sets:
                words.append(self.say("shape_set" if shape.sets == 1 else "shape_sets", shape.sets))
            if shape.pairs:
                key = "shape_pair" if shape.pairs == 1 else "shape_pairs"
                words.append(self.say(key, shape.pairs))
            if shape.listed:
                listed = [tile for tile, n in shape.listed[0] for _ in range(n)]
                words.append(self.say("shape_listed", n=len(listed), tiles=marked(listed)))
            text = self.data.shape_names.get(shape.id)
            name = Said(shape.id, "en") if text is None else self.named(text, shape.id)
            yield ShapeShown(name, self.speaker.listed(words, "and"))

    def choices(self) -> Iterable[Choice]:
        for option in self.data.options.values():
            values = ""
            if option.choices:
                listed = self.say("comma").join(map(str, option.choices))
                values = self.say("choices", values=listed)
            elif option.least is not None and option.most is not None:
                values = self.say("range", least=option.least, most=option.most)
            yield Choice(
                option.id,
                self.named(option.name, option.id),
                self.value(self.rules.options[option.id]),
                self.value(option.default),
                values,
                self.said(option.doc),
            )

    def circumstances(self) -> Iterable[Circumstance]:
        for event in self.data.events.values():
            needs = None if event.needs is None else self.reading(event.needs)
            name = self.named(event.name, event.id)
            yield Circumstance(event.id, name, self.said(event.doc), needs)

    def answers(self) -> Iterable[Answer]:
        for one in self.data.interpretations:
            yield Answer(
                self.named(one.question, one.id),
                self.named(one.reading, ""),
                self.said(one.why),
            )


def called(rules: Rules, language: str) -> Called:
    """What a ruleset calls its things in a language."""
    data = rules.data

    def names(things: Mapping[str, object], name: Callable[[str], Text]) -> dict[str, str]:
        return {id: name(id).get(language) or id for id in things}

    return Called(
        names(data.options, lambda id: data.options[id].name),
        rules.options,
        names(data.events, lambda id: data.events[id].name),
        names(data.shape_names, lambda id: data.shape_names[id]),
        names(data.patterns, lambda id: data.patterns[id].name),
    )


def opened(words: str) -> str:
    """A sentence with its first letter made large."""
    return words[:1].upper() + words[1:]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _is_fixed(meaning: m.Meaning) -> bool:
    if isinstance(meaning, m.Constant | m.Option):
        return True
    inner = m.children(meaning)
    return bool(inner) and all(_is_fixed(part) for part in inner)


def _ends(meaning: m.Meaning) -> tuple[int, ...]:
    """The numbers that a sentence can come to, largest first; none where they are not written."""
    match meaning:
        case m.Constant(value=value):
            return (int(value),)
        case m.If(first=first, second=second):
            ends = (_ends(first), _ends(second))
            return tuple(sorted({*ends[0], *ends[1]}, reverse=True)) if all(ends) else ()
        case m.Reference(target=target):
            return _ends(target)
    return ()
