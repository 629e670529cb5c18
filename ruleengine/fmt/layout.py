"""Which keys stand where in a ruleset file, and what kind of thing each value is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Content = Literal["keys", "names", "list", "sentence", "term", "text", "hand", "other"]
"""A mapping with known keys; a mapping by names that the file gives, which keep their order; a
list; a sentence, a term; a text for people; a hand; anything else."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What may stand in one place.

    `keys` has the known keys of a mapping in canonical order with what they hold, `each` what a
    list or a mapping by names holds. A scalar is taken by `scalar`.
    """

    content: Content
    keys: Mapping[str, Kind] = field(default_factory=dict)
    each: Kind | None = None
    scalar: Content = "other"
    others_at: str | None = None
    spaced: bool = False

    def child(self, key: str | None) -> Kind:
        """What a key, or an item of a list, holds."""
        if self.each is not None:
            return self.each
        if key is not None and key in self.keys:
            return self.keys[key]
        return OTHER

    def rank(self, key: str) -> int:
        """Where a key stands among the keys; one that is not known comes last, or where the
        awards of a pattern are."""
        order = tuple(self.keys)
        known = key if key in self.keys else self.others_at
        return order.index(known) if known is not None else len(order)


OTHER = Kind("other")
SENTENCE = Kind("sentence", scalar="sentence")
HAND = Kind("hand", scalar="hand")
TEXT = Kind("text", scalar="text")
WORDS = Kind("keys", dict.fromkeys(("en", "zh-Hant", "zh-Hans", "ja"), TEXT), scalar="text")
"""A text, or a mapping of languages."""


def _keys(names: str, **known: Kind) -> dict[str, Kind]:
    return {name: known.get(name, OTHER) for name in names.split()}


def _by_name(each: Kind, spaced: bool = False) -> Kind:
    return Kind("names", each=each, spaced=spaced)


def _list(each: Kind) -> Kind:
    return Kind("list", each=each)


TILES = Kind("keys", _keys("wall flowers dora", flowers=Kind("keys", _keys("E S W N"))))
OPTION = Kind("keys", _keys("type default choices min max name doc", name=WORDS, doc=WORDS))
EVENT = Kind("keys", _keys("needs shared name doc", needs=SENTENCE, name=WORDS, doc=WORDS))
SHAPE = Kind("keys", _keys("sets pairs tiles doubled choose name doc", name=WORDS, doc=WORDS))
EXAMPLE = Kind(
    "keys",
    _keys(
        "hand winning_tile by seat round from liable events flowers dora options points why",
        hand=HAND,
        why=WORDS,
    ),
    scalar="hand",
)
"""An example: a hand, or a mapping of record fields."""
PATTERN = Kind(
    "keys",
    _keys(
        "code name series points when times bonus supersedes status doc hits misses",
        name=WORDS,
        points=SENTENCE,
        when=SENTENCE,
        times=SENTENCE,
        doc=WORDS,
        hits=_list(EXAMPLE),
        misses=_list(EXAMPLE),
    ),
    others_at="points",
)
"""A pattern; what it awards in other units than points stands where the points would."""
EMPTY = Kind("keys", _keys("points name", points=SENTENCE, name=WORDS), scalar="sentence")
TOTAL = Kind(
    "keys",
    _keys(
        "value cap limit_from empty minimum",
        value=SENTENCE,
        cap=SENTENCE,
        limit_from=SENTENCE,
        empty=EMPTY,
        minimum=SENTENCE,
    ),
)
LIABILITY = Kind("keys", _keys("moves nobody barred"))
PAYMENT = Kind("keys", _keys("when pays", when=SENTENCE, pays=SENTENCE))
STAKES = Kind("keys", _keys("event amount to returned", amount=SENTENCE))
SETTLEMENT = Kind(
    "keys",
    _keys(
        "win exhausted wrong_win winners stakes",
        win=_list(PAYMENT),
        exhausted=_list(PAYMENT),
        wrong_win=_list(PAYMENT),
        stakes=STAKES,
    ),
)
INTERPRETATION = Kind(
    "keys", _keys("question reading why", question=WORDS, reading=WORDS, why=WORDS)
)

HEAD = ("format", "id", "extends", "parent_digest", "name", "version", "source")
"""The keys at the top of a file, which stand together; each section after them stands alone."""

RULESET = Kind(
    "keys",
    _keys(
        f"{' '.join(HEAD)} remove tiles options events shapes terms units patterns total liability "
        "settlement interpretations",
        name=WORDS,
        source=WORDS,
        tiles=TILES,
        options=_by_name(OPTION),
        events=_by_name(EVENT),
        shapes=_by_name(SHAPE),
        terms=_by_name(Kind("term", scalar="term")),
        patterns=_by_name(PATTERN, spaced=True),
        total=TOTAL,
        liability=LIABILITY,
        settlement=SETTLEMENT,
        interpretations=_by_name(INTERPRETATION),
    ),
)


def with_units(units: tuple[str, ...]) -> Kind:
    """The layout of a ruleset whose patterns award these units."""
    keys = dict(PATTERN.keys)
    places = list(keys.items())
    at = [name for name, _ in places].index("points")
    own = [(unit, SENTENCE) for unit in units if unit not in keys]
    pattern = Kind("keys", dict([*places[:at], *own, *places[at:]]), others_at="points")
    return Kind("keys", {**RULESET.keys, "patterns": _by_name(pattern, spaced=True)})
