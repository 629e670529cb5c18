"""The checked tree of a sentence: every name looked up, every type known.

`check` makes it from the syntax tree; `interpret` walks it, `lower` turns it into the
operations that the compiled evaluators run. Nodes keep the syntax node they came from, so
that an explanation can point at the words.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Literal

from ruleengine.frozen import frozen
from ruleengine.language import tree

if TYPE_CHECKING:
    from collections.abc import Iterator

Type = Literal["truth", "number"]
Level = Literal["situation", "hand", "arrangement", "payment"]
Wait = Literal["edge", "closed", "two_sided", "single", "double_pair"]


@frozen
class Meaning:
    """A checked sentence or part of one."""

    source: tree.Node


# ---- classes of tiles --------------------------------------------------------------


@frozen
class TileMask:
    """A class of tiles that never changes, as a bit mask over tile indices."""

    mask: int


@frozen
class TileFact:
    """A class that depends on the situation: `seat_wind`, `winning_tile`, ..."""

    name: str


@frozen
class TileUnion:
    """Tiles in any of the parts."""

    parts: tuple[TileClass, ...]


@frozen
class TileCommon:
    """Tiles in all of the parts."""

    parts: tuple[TileClass, ...]


@frozen
class TileOther:
    """Tiles that are not in the part."""

    part: TileClass


TileClass = TileMask | TileFact | TileUnion | TileCommon | TileOther


# ---- what may be said of a group ---------------------------------------------------


@frozen
class Within:
    """All tiles of the group are in the class."""

    tiles: TileClass


@frozen
class Touches:
    """At least one tile of the group is in the class."""

    tiles: TileClass


@frozen
class HasStatus:
    """The group is claimed, or concealed."""

    status: tree.Status


@frozen
class OfKind:
    """The group is a sequence, a triplet (a kong too), a kong or a pair."""

    kind: str


@frozen
class AllOf:
    """Every part holds of the group."""

    parts: tuple[GroupTest, ...]


@frozen
class AnyOf:
    """Some part holds of the group."""

    parts: tuple[GroupTest, ...]


@frozen
class NotOf:
    """The part does not hold of the group."""

    part: GroupTest


GroupTest = Within | Touches | HasStatus | OfKind | AllOf | AnyOf | NotOf


# ---- sentences ---------------------------------------------------------------------


@frozen
class Constant(Meaning):
    """A number or truth as written."""

    value: int | bool


@frozen
class Option(Meaning):
    """A ruleset's option; its value is fixed before a hand is scored."""

    name: str
    type: Type


@frozen
class Fact(Meaning):
    """A fact of the situation or of a payment: `dealer`, `dora`, `points`."""

    name: str
    type: Type
    level: Level


@frozen
class Event(Meaning):
    """True when the win is said to have come with this event."""

    name: str


@frozen
class Reference(Meaning):
    """A term or another pattern, by its id."""

    name: str
    kind: Literal["term", "pattern"]
    target: Meaning


@frozen
class All(Meaning):
    """True when every part is; parts are looked at in order, up to the first false."""

    parts: tuple[Meaning, ...]


@frozen
class Any(Meaning):
    """True when some part is; parts are looked at in order, up to the first true."""

    parts: tuple[Meaning, ...]


@frozen
class Not(Meaning):
    """True when the part is false."""

    part: Meaning


@frozen
class If(Meaning):
    """The first or the second value, by the test."""

    test: Meaning
    first: Meaning
    second: Meaning


@frozen
class Compare(Meaning):
    """Two numbers compared by `= != < <= > >=`."""

    left: Meaning
    sign: str
    right: Meaning


@frozen
class Calculate(Meaning):
    """Two numbers put together by `+ - *`."""

    left: Meaning
    sign: str
    right: Meaning


@frozen
class Apply(Meaning):
    """`min`, `max`, `round_up` or `round_down` of numbers."""

    function: str
    arguments: tuple[Meaning, ...]


@frozen
class CountGroups(Meaning):
    """How many groups are of the kind, of the status, and within the class."""

    status: tree.Status | None
    kind: str
    tiles: TileClass | None


@frozen
class CountTiles(Meaning):
    """How many tiles (`of` = tile), flowers, different tiles (kind) or quads are in the class."""

    of: Literal["tile", "flower", "kind", "quad"]
    tiles: TileClass | None


@frozen
class CountSuits(Meaning):
    """How many suits the tiles of the shape have."""


@frozen
class CountWaits(Meaning):
    """How many different tiles would complete the hand."""


@frozen
class SumRanks(Meaning):
    """The ranks of the tiles in the class, added up."""

    tiles: TileClass | None


@frozen
class Groups(Meaning):
    """`all`, `some` or `no` groups of a kind and status pass a test."""

    quantifier: tree.Quantifier
    status: tree.Status | None
    kind: str
    test: GroupTest


@frozen
class Tiles(Meaning):
    """`all`, `some` or `no` tiles (or flowers) are in a class."""

    quantifier: tree.Quantifier
    of: Literal["tile", "flower"]
    tiles: TileClass


@frozen
class Seats(Meaning):
    """`all`, `some` or `no` seats of the table have one of the roles."""

    quantifier: tree.Quantifier
    roles: tuple[str, ...]
    negated: bool


@frozen
class ShapeIs(Meaning):
    """The arrangement has one of these shapes."""

    shapes: tuple[str, ...]


@frozen
class WinBy(Meaning):
    """The win came in one of these ways."""

    ways: tuple[str, ...]


@frozen
class PairIs(Meaning):
    """There is exactly one pair, and it is within the class (or not, when negated)."""

    tiles: TileClass
    negated: bool


@frozen
class WinningTileIs(Meaning):
    """The winning tile is in the class."""

    tiles: TileClass


@frozen
class WinningGroupIs(Meaning):
    """The group that the winning tile completed passes the test."""

    test: GroupTest


@frozen
class WaitIs(Meaning):
    """The winning tile completed its group in one of these ways."""

    waits: tuple[str, ...]


@frozen
class SeatIs(Meaning):
    """The winner's seat wind (`seat`) or the round wind (`round`) is one of these."""

    subject: Literal["seat", "round"]
    letters: str


@frozen
class RoleIs(Meaning):
    """A seat (`payer`, `winner`, ...) has one of the roles (`liable`, `dealer`, ...)."""

    subject: str
    roles: tuple[str, ...]


@frozen
class Place:
    """Where an item of a template stands.

    `rank` is a letter (with `offset`) or a number, `suit` a letter; or `letter` is any
    tile; or `tiles` is a class.
    """

    rank: str | int | None = None
    offset: int = 0
    suit: str | None = None
    letter: str | None = None
    tiles: TileClass | None = None


@frozen
class Item:
    """One group that a template asks for."""

    source: tree.Item
    status: tree.Status | None
    kind: str
    place: Place


@frozen
class Template(Meaning):
    """Distinct groups of the hand match all items at once."""

    items: tuple[Item, ...]


@frozen
class HandTiles(Meaning):
    """The tiles in hand (or all tiles) are, or include, one of the lists.

    Each list holds how many of each tile, as (tile, copies); there are several when the
    sentence has suit letters.
    """

    of: Literal["hand", "hand before win", "tiles"]
    exact: bool
    lists: tuple[tuple[tuple[int, int], ...], ...]


def type_of(meaning: Meaning) -> Type:
    """Whether a sentence is a truth or a number."""
    match meaning:
        case Constant(value=value):
            return "truth" if isinstance(value, bool) else "number"
        case Option(type=kind) | Fact(type=kind):
            return kind
        case Reference(target=target):
            return type_of(target)
        case If(first=first):
            return type_of(first)
        case Calculate() | Apply() | CountGroups() | CountTiles():
            return "number"
        case CountSuits() | CountWaits() | SumRanks():
            return "number"
    return "truth"


def children(meaning: Meaning) -> tuple[Meaning, ...]:
    """The sentences directly inside a sentence."""
    match meaning:
        case All(parts=parts) | Any(parts=parts):
            return parts
        case Not(part=part):
            return (part,)
        case If(test=test, first=first, second=second):
            return (test, first, second)
        case Compare(left=left, right=right) | Calculate(left=left, right=right):
            return (left, right)
        case Apply(arguments=arguments):
            return arguments
        case Reference(target=target):
            return (target,)
    return ()


def inside(meaning: Meaning) -> Iterator[Meaning]:
    """A sentence and all sentences inside it, those behind its names too, in the order of the
    words; each once, however many names lead to it."""
    seen: set[int] = set()
    pending = [meaning]
    while pending:
        part = pending.pop()
        if id(part) not in seen:
            seen.add(id(part))
            yield part
            pending += reversed(children(part))


def options_in(meaning: Meaning) -> set[str]:
    """The options that a sentence reads, through names too."""
    return {part.name for part in inside(meaning) if isinstance(part, Option)}


def events_in(meaning: Meaning) -> dict[str, Event]:
    """The events that a sentence speaks of, by name."""
    return {node.name: node for node in everything_in(meaning) if isinstance(node, Event)}


def everything_in(meaning: object) -> Iterator[object]:
    """A sentence and all that it is made of."""
    pending = [meaning]
    while pending:
        node = pending.pop()
        yield node
        for field in fields(node):  # type: ignore[arg-type]
            if field.name == "source":
                continue
            value = getattr(node, field.name)
            for part in value if isinstance(value, tuple) else (value,):
                if is_dataclass(part):
                    pending.append(part)
