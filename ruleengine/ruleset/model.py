"""A ruleset as the engine uses it: read, checked, immutable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from ruleengine.arrange import Shape
from ruleengine.diagnostics import Span
from ruleengine.frozen import frozen
from ruleengine.language.meaning import Meaning, TileClass

LANGUAGES = ("en", "zh-Hant", "zh-Hans", "ja")
"""The languages that names and texts may be given in; the first stands in for a missing one."""

STAND_INS: Mapping[str, tuple[str, ...]] = {"zh-Hans": ("zh-Hant",), "zh-Hant": ("zh-Hans",)}
"""Which languages are read in place of a missing one before English is."""

Ending = Literal["win", "exhausted", "wrong_win"]
ENDINGS: tuple[Ending, ...] = ("win", "exhausted", "wrong_win")

OPTION_KEYS = ("type", "default", "choices", "min", "max", "name", "doc")
PATTERN_KEYS = (
    "code", "name", "doc", "series", "when", "times", "bonus", "supersedes", "status", "hits",
    "misses",
)  # fmt: skip
"""What may stand in a pattern besides its awards."""
EVENT_KEYS = ("needs", "shared", "name", "doc")
INTERPRETATION_KEYS = ("question", "reading", "why")
Winners = Literal["first", "all"]
WINNERS: tuple[Winners, ...] = ("first", "all")
"""Who wins when several could win on one tile: the first in turn order after the player who gave
it away, or all of them."""
StakesTo = Literal["first", "own_first"]
STAKES_TO: tuple[StakesTo, ...] = ("first", "own_first")
"""Who takes the stakes: the first winner in that order takes all, or each winner takes his own
back and the first one the rest."""
STATUSES = ("stated", "implied", "reconstructed")
"""How sure a source is of a pattern."""


@frozen
class Text:
    """A text in one or several languages."""

    by_language: Mapping[str, str]

    def __bool__(self) -> bool:
        return bool(self.by_language)

    def get(self, language: str = "en") -> str:
        """The text in a language, or in the one that stands in for it (`STAND_INS`)."""
        for tried in (language, *STAND_INS.get(language, ()), LANGUAGES[0]):
            if tried in self.by_language:
                return self.by_language[tried]
        return next(iter(self.by_language.values()), "")


NO_TEXT = Text({})


@frozen
class Sentence:
    """A checked sentence with the words it was written in."""

    text: str
    meaning: Meaning
    span: Span


@frozen
class Wall:
    """Which tiles are played with.

    `copies` says how many there are of each tile, `seat_flowers` which flowers are each
    seat's (as masks), `dora` which tile each indicator makes dora.
    """

    copies: Mapping[int, int]
    seat_flowers: Mapping[str, int] = field(default_factory=dict)
    dora: Mapping[int, int] = field(default_factory=dict)


@frozen
class Option:
    """What a table may switch: a whole number or a truth, with its default and its bounds."""

    id: str
    type: Literal["int", "bool"]
    default: int | bool
    choices: tuple[int, ...] = ()
    least: int | None = None
    most: int | None = None
    name: Text = NO_TEXT
    doc: Text = NO_TEXT


@frozen
class Event:
    """Something that may be true of a win besides its tiles.

    `needs` says when it can be; one that is `shared` is true of the winning tile or of the moment,
    and so of every player who wins on that tile.
    """

    id: str
    needs: Sentence | None
    name: Text = NO_TEXT
    doc: Text = NO_TEXT
    shared: bool = False


@frozen
class Term:
    """A name for a class of tiles or for a sentence."""

    id: str
    text: str
    value: Meaning | TileClass
    span: Span


@frozen
class Example:
    """A hand that a pattern must count, or must not; `record` holds the fields of a hand record.

    A miss may say what becomes of the pattern: `lost_to` is the id of the pattern that counts in
    its stead, `fails` the part of its sentence that is not so.
    """

    record: Mapping[str, object]
    points: int | None
    why: Text
    span: Span
    lost_to: str | None = None
    fails: str | None = None


@frozen
class Pattern:
    """A pattern: when it is there, how often it counts, and what it awards each time.

    `awards` has an amount for each unit that the pattern awards. `when` may be missing where
    `times` says all.
    """

    id: str
    awards: Mapping[str, Sentence]
    when: Sentence | None
    times: Sentence | None
    code: str | None = None
    series: str | None = None
    name: Text = NO_TEXT
    doc: Text = NO_TEXT
    bonus: bool = False
    supersedes: tuple[str, ...] = ()
    status: str | None = None
    hits: tuple[Example, ...] = ()
    misses: tuple[Example, ...] = ()
    span: Span | None = None

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All that it says: when it is there, how often, what it awards."""
        found = (self.when, self.times, *self.awards.values())
        return tuple(one for one in found if one is not None)

    @property
    def code_order(self) -> tuple[int, tuple[int, ...]]:
        """Sorts codes number by number (9.4.2 before 10.1); patterns without one come last."""
        if self.code is None:
            return (1, ())
        return (0, tuple(int(number) for number in re.findall(r"\d+", self.code)))


@frozen
class Total:
    """How the patterns of an arrangement become one number.

    `value` works it out from the sums of the units; `cap` bounds it; a pattern that awards
    `limit_from` or more stands alone; a hand without patterns is worth `empty`; a hand worth
    less than `minimum`, bonuses aside, does not win.
    """

    value: Sentence | None = None
    cap: Sentence | None = None
    limit_from: Sentence | None = None
    empty: Sentence | None = None
    empty_name: Text = NO_TEXT
    minimum: Sentence | None = None


@frozen
class Payment:
    """One line of a settlement: when it fits, and what is paid. Fits always without `when`."""

    when: Sentence | None
    pays: Sentence

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """When it fits, if that is said, and what is paid."""
        return (self.pays,) if self.when is None else (self.when, self.pays)


@frozen
class Liability:
    """What becomes of the discarder's duty when the same tile was discarded before, since the
    winner's own last discard (that one included).

    `moves`: the first to have discarded it bears the duty. Where that was the winner himself,
    `nobody` lets nobody bear it, and `barred` forbids the win.
    """

    moves: bool = False
    nobody: bool = False
    barred: bool = False


@frozen
class Stakes:
    """What players pay in advance to declare an event, and who gets it.

    A winner has put a stake of `amount` in exactly when `event` is true of the win. Where nobody
    wins the stakes stay for the next winner, or are `returned`.
    """

    event: str
    amount: Sentence
    to: StakesTo = "first"
    returned: bool = False


@frozen
class Interpretation:
    """A question that the source leaves open, the reading taken, and why."""

    id: str
    question: Text
    reading: Text
    why: Text


@frozen
class RulesetData:
    """All that a ruleset says. Patterns, terms, ... stand in the order of the file."""

    id: str
    name: Text
    version: str
    source: Text
    wall: Wall
    options: Mapping[str, Option]
    events: Mapping[str, Event]
    shapes: Mapping[str, Shape]
    shape_names: Mapping[str, Text]
    terms: Mapping[str, Term]
    units: tuple[str, ...]
    patterns: Mapping[str, Pattern]
    total: Total
    liability: Liability
    settlement: Mapping[Ending, tuple[Payment, ...]]
    interpretations: tuple[Interpretation, ...]
    files: tuple[str, ...]
    winners: Winners | None = None
    stakes: Stakes | None = None

    @property
    def hand_size(self) -> int:
        """How many tiles a winning hand has, a kong counted as three."""
        return next(iter(self.shapes.values())).size
