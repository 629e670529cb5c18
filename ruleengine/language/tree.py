"""The syntax tree of a sentence: what was written, with its place.

Every node carries `start` and `end`, offsets in characters into the text of the
sentence. Names are not looked up and types not known here: see `check`.
"""

from __future__ import annotations

from typing import Literal

from ruleengine.frozen import frozen

Quantifier = Literal["all", "some", "no"]
Status = Literal["concealed", "claimed"]


@frozen
class Node:
    """Anything in a sentence; `start` and `end` are offsets into its text."""

    start: int
    end: int


@frozen
class Number(Node):
    """A whole number as written."""

    value: int


@frozen
class Truth(Node):
    """`true` or `false`."""

    value: bool


@frozen
class Name(Node):
    """A word that the ruleset or the vocabulary must know."""

    name: str


@frozen
class Conditional(Node):
    """`if test then first else second`."""

    test: Node
    first: Node
    second: Node


@frozen
class Either(Node):
    """Sentences joined by `or`."""

    parts: tuple[Node, ...]


@frozen
class Both(Node):
    """Sentences joined by `and`."""

    parts: tuple[Node, ...]


@frozen
class Negation(Node):
    """`not part`."""

    part: Node


@frozen
class Comparison(Node):
    """Two numbers compared; `sign` is one of `= != < <= > >=`."""

    left: Node
    sign: str
    right: Node


@frozen
class Arithmetic(Node):
    """Two numbers put together; `sign` is one of `+ - *`."""

    left: Node
    sign: str
    right: Node


@frozen
class Negative(Node):
    """`- part`."""

    part: Node


@frozen
class Call(Node):
    """`min`, `max`, `round_up` or `round_down` of some numbers."""

    function: str
    arguments: tuple[Node, ...]


@frozen
class Noun(Node):
    """What is counted or spoken of, in the singular: `tile`, `set`, `triplet`, ..."""

    status: Status | None
    kind: str


@frozen
class Count(Node):
    """`count nouns of klass`."""

    noun: Noun
    klass: Node | None


@frozen
class SumRanks(Node):
    """`sum ranks of klass`."""

    klass: Node | None


@frozen
class SubjectIs(Node):
    """`subject is klass`, `subject is not klass`."""

    subject: Name
    negated: bool
    klass: Node


@frozen
class WinBy(Node):
    """`win by ways`."""

    klass: Node


@frozen
class Quantified(Node):
    """`all tiles are simple`, `no set is claimed`, `every group has honor`, ..."""

    quantifier: Quantifier
    noun: Noun
    verb: Literal["is", "has"]
    negated: bool
    klass: Node


@frozen
class Ranked(Node):
    """A tile of unknown rank and suit in a template: `rx`, `r+1y`."""

    rank: str
    offset: int
    suit: str


@frozen
class Item(Node):
    """One group of a template: its kind and where it stands."""

    status: Status | None
    kind: str
    place: Node


@frozen
class Template(Node):
    """`has item, item, ...`."""

    items: tuple[Item, ...]


@frozen
class HandTiles(Node):
    """`hand is TILES`, `hand before win includes TILES`, `tiles include TILES`."""

    of: Literal["hand", "hand before win", "tiles"]
    verb: Literal["is", "includes"]
    tiles: str


@frozen
class ClassName(Node):
    """A class by its name."""

    name: str


@frozen
class ClassTiles(Node):
    """Tiles written out: `1z`, `19m19p`; in a template also `1x`."""

    tiles: str


@frozen
class ClassLetter(Node):
    """A capital letter: a seat after `seat is`, any tile in a template."""

    letter: str


@frozen
class ClassStatus(Node):
    """`claimed` or `concealed` said of a set."""

    status: Status


@frozen
class ClassKind(Node):
    """`sequence`, `triplet`, `kong` or `pair` said of a group."""

    kind: str


@frozen
class Union(Node):
    """Classes joined by `|`."""

    parts: tuple[Node, ...]


@frozen
class Common(Node):
    """Classes joined by `&`."""

    parts: tuple[Node, ...]


@frozen
class Other(Node):
    """`~ part`."""

    part: Node
