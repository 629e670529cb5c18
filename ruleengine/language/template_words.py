"""Puts templates into words: `has triplet rx, triplet r+1x` as triplets of rising rank in one suit.

Templates that players know have phrases of their own; any other is read item by item with its
letters, which are then explained.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.language import meaning as m
    from ruleengine.language import tree


class Says(Protocol):
    """What is needed of a speaker."""

    language: str

    def say(self, key: str, *places: object, **named: object) -> str: ...
    def listed(self, words: Sequence[str], how: str) -> str: ...
    def numeral(self, n: int) -> str: ...
    def group_noun(
        self, status: tree.Status | None, kind: str, tiles: m.TileClass | None, *, many: bool
    ) -> str: ...


def describe_items(speaker: Says, items: Sequence[m.Item]) -> str:
    """The groups that a template asks for, as a noun."""
    ranked = [item for item in items if item.place.suit is not None]
    lettered = [item for item in items if item.place.letter is not None]
    classed = [item for item in items if item.place.tiles is not None]
    parts: list[str] = []
    odd: list[m.Item] = []
    if ranked:
        words = _ranked(speaker, ranked)
        odd += ranked if words is None else []
        parts += [] if words is None else [words]
    if lettered:
        words = _lettered(speaker, lettered)
        odd += lettered if words is None else []
        parts += [] if words is None else [words]
    if classed:
        parts.append(_classed(speaker, classed))
    if odd:
        parts.append(_spelled(speaker, odd))
    return speaker.say("besides").join(parts)


# ---- capitals -------------------------------------------------------------------------------


def _lettered(speaker: Says, items: Sequence[m.Item]) -> str | None:
    """Groups of the same tiles."""
    by_letter: dict[str, list[m.Item]] = {}
    for item in items:
        by_letter.setdefault(item.place.letter or "", []).append(item)
    parts: list[str] = []
    for place, alike in enumerate(by_letter.values()):
        sorts = {(item.status, item.kind) for item in alike}
        if len(sorts) > 1:
            nouns = _nouns(speaker, alike)
            parts.append(speaker.say("same_other" if place else "same_tile", nouns))
            continue
        status, kind = next(iter(sorts))
        many = len(alike) > 1
        noun = speaker.group_noun(status, kind, None, many=many)
        which = "identical" if many else "any"
        key = f"{which}_other" if place else "identical" if many else "any_one"
        parts.append(speaker.say(key, n=speaker.numeral(len(alike)), noun=noun))
    return speaker.listed(parts, "and")


# ---- classes --------------------------------------------------------------------------------


def _classed(speaker: Says, items: Sequence[m.Item]) -> str:
    """Groups of classes: `two triplets of dragons and a pair of winds`."""
    found = Counter((item.status, item.kind, item.place.tiles) for item in items)
    parts: list[str] = []
    for (status, kind, tiles), n in found.items():
        noun = speaker.group_noun(status, kind, tiles, many=n > 1)
        if n == 1:
            parts.append(speaker.say("any_one", noun=noun))
        else:
            parts.append(speaker.say("counted", n=speaker.numeral(n), noun=noun))
    return speaker.listed(parts, "and")


# ---- ranks and suits -------------------------------------------------------------------------


def _ranked(speaker: Says, items: Sequence[m.Item]) -> str | None:
    """Groups by rank and suit, None where only the letters themselves can say it."""
    suits = [item.place.suit for item in items]
    if len(set(suits)) == 1:
        suit_key = "suits_same" if len(items) > 1 else "suits_any"
    elif len(set(suits)) == len(suits):
        suit_key = "suits_different"
    else:
        return None
    if all(isinstance(item.place.rank, int) for item in items):
        suit_key += "_fixed"
        words: str | None = _fixed(speaker, items)
    else:
        words = _ranks(speaker, items)
    if words is None:
        return None
    return speaker.say(suit_key, words, n=speaker.numeral(len(items)))


def _ranks(speaker: Says, items: Sequence[m.Item]) -> str | None:
    places = [item.place for item in items]
    if len({place.rank for place in places}) != 1 or any(p.rank is None for p in places):
        return None
    many = all(item.kind == "sequence" for item in items)
    if len(items) == 1:
        noun = speaker.group_noun(items[0].status, items[0].kind, None, many=False)
        return speaker.say("any_one", noun=noun) if not places[0].offset else None
    steps = {b.offset - a.offset for a, b in itertools.pairwise(places)}
    if len(steps) != 1:
        return None
    nouns = _nouns(speaker, items)
    step = next(iter(steps))
    if step == 0:
        ranks = speaker.say("rank_many" if many else "rank_one")
        return speaker.say("ranks_same", items=nouns, ranks=ranks)
    if step < 0 or places[0].offset:
        return None
    ranks = speaker.say("rank_one" if step == 1 else "rank_many")
    return speaker.say("ranks_step", items=nouns, step=speaker.numeral(step), ranks=ranks)


def _fixed(speaker: Says, items: Sequence[m.Item]) -> str:
    """Groups of ranks that are written out: `the sequences 123, 456 and 789`."""
    parts: list[str] = []
    by_sort: dict[tuple[tree.Status | None, str], list[str]] = {}
    for item in items:
        assert isinstance(item.place.rank, int)
        by_sort.setdefault((item.status, item.kind), []).append(_figures(item, item.place.rank))
    for (status, kind), ranks in by_sort.items():
        many = len(ranks) > 1
        noun = speaker.group_noun(status, kind, None, many=many)
        listed = speaker.listed(ranks, "and")
        parts.append(speaker.say("fixed_many" if many else "fixed_one", noun=noun, ranks=listed))
    return speaker.listed(parts, "and")


def _figures(item: m.Item, rank: int) -> str:
    if item.kind == "sequence":
        return f"{rank}{rank + 1}{rank + 2}"
    return str(rank) * {"pair": 2, "kong": 4}.get(item.kind, 3)


def _nouns(speaker: Says, items: Sequence[m.Item]) -> str:
    """Groups by number and kind, in the order of the items: `two triplets and a pair`."""
    parts: list[str] = []
    at = 0
    while at < len(items):
        sort = (items[at].status, items[at].kind)
        n = 1
        while at + n < len(items) and (items[at + n].status, items[at + n].kind) == sort:
            n += 1
        noun = speaker.group_noun(*sort, None, many=n > 1)
        if n == 1:
            parts.append(speaker.say("any_one", noun=noun))
        else:
            parts.append(speaker.say("counted", n=speaker.numeral(n), noun=noun))
        at += n
    return speaker.listed(parts, "and")


# ---- letter by letter -------------------------------------------------------------------------


def _spelled(speaker: Says, items: Sequence[m.Item]) -> str:
    parts = [
        speaker.say(
            "item_lettered",
            noun=speaker.group_noun(item.status, item.kind, None, many=False),
            place=_place(item.place),
        )
        for item in items
    ]
    return speaker.say("letters", items=speaker.listed(parts, "and"))


def _place(place: m.Place) -> str:
    if place.letter is not None:
        return place.letter
    offset = f"+{place.offset}" if place.offset else ""
    return f"{place.rank}{offset}{place.suit}"
