"""Finds the smallest change to a hand that would make a pattern count."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ruleengine.errors import HandError
from ruleengine.hand import ALL_MELDS, Hand, Meld, Situation
from ruleengine.tiles import FIRST_FLOWER, SEATS, format_tiles, tile_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.result import Result

ChangeKind = Literal["circumstance", "winning_tile", "meld", "tile"]


@dataclass(frozen=True, slots=True)
class Change:
    """One change to a hand or to how it was won, in words, and the result it leads to."""

    kind: ChangeKind
    words: str
    result: Result


def smallest_changes(result: Result, pattern: str, most: int = 5) -> list[Change]:
    """Changes of one circumstance or one tile after which the pattern counts.

    Ordinary ones first: a circumstance (way, seat, round, one event, one flower, one dora),
    another of the hand's tiles as the winning one, a meld claimed or not or changed in one tile,
    then a tile for another; of one sort those that leave the highest total come first. At most
    `most` are given; none where no single change does it. Raises `KeyError` where the ruleset has
    no such pattern.
    """
    rules = result.rules
    rules.data.patterns[pattern]
    order = ("circumstance", "winning_tile", "meld", "tile")
    found: list[Change] = []
    for kind, changes in neighbours(result):
        hits: list[Change] = []
        said: set[str] = set()
        for words, hand, situation in changes:
            if words in said:
                continue
            try:
                changed = rules.score_hand(hand, situation)
            except HandError:
                continue
            if changed.win and any(counted.id == pattern for counted in changed.patterns):
                said.add(words)
                hits.append(Change(kind, words, changed))
        found += sorted(hits, key=lambda change: -change.result.points)
        if len(found) >= most:
            break
    return sorted(found[:most], key=lambda change: order.index(change.kind))


def near_misses(result: Result) -> dict[str, Change]:
    """For each pattern that does not count, the change of one tile or meld that makes it count.

    Of several changes the one that leaves the highest total is given, the first of equals;
    patterns that no such change brings are missing. Circumstances and fourth tiles of triplets
    are not tried: with them almost every hand could have been another.
    """
    counted = {one.id for one in result.patterns} if result.win else set[str]()
    found: dict[str, Change] = {}
    for kind, changes in (
        ("winning_tile", _winning_tiles(result)),
        ("meld", _openings(result)),
        ("tile", itertools.chain(_tiles(result), _meld_tiles(result))),
    ):
        for words, hand, situation in changes:
            try:
                changed = result.rules.score_hand(hand, situation)
            except HandError:
                continue
            if not changed.win:
                continue
            for one in changed.patterns:
                best = found.get(one.id)
                if one.id not in counted and (best is None or changed.points > best.result.points):
                    found[one.id] = Change(kind, words, changed)  # type: ignore[arg-type]
    return found


_Candidate = tuple[str, Hand, Situation]


def neighbours(result: Result) -> tuple[tuple[ChangeKind, Iterator[_Candidate]], ...]:
    """Every hand and situation one change away, by kind, ordinary ones first: the change in
    words, the hand, the situation. Not all of them can be."""
    return (
        ("circumstance", _circumstances(result)),
        ("winning_tile", _winning_tiles(result)),
        ("meld", _openings(result)),
        ("tile", itertools.chain(_tiles(result), _meld_tiles(result), _kongs(result))),
    )


def _circumstances(result: Result) -> Iterator[_Candidate]:
    hand, situation = result.hand, result.situation
    plain = replace(situation, from_seat=None, liable=None)
    if situation.by != "self_draw":
        yield "won by self-draw", hand, replace(plain, by="self_draw")
    for way, words in (("discard", "won on a discard"), ("robbing_kong", "won by robbing a kong")):
        if situation.by != way:
            for events in (situation.events, frozenset[str]()):
                yield words, hand, replace(plain, by=way, events=events)
    for seat in SEATS:
        if seat != situation.seat:
            yield f"sitting {_WINDS[seat]}", hand, replace(plain, seat=seat)
        if seat != situation.round:
            yield f"in the {_WINDS[seat]} round", hand, replace(situation, round=seat)
    for event in result.rules.data.events:
        words = result.rules.data.events[event].name.get() or event
        if event in situation.events:
            less = situation.events - {event}
            yield f"without the event '{words}'", hand, replace(situation, events=less)
        else:
            more = replace(situation, events=situation.events | {event})
            yield f"with the event '{words}'", hand, more
    yield from _flowers(result)
    yield from _dora(result)


def _flowers(result: Result) -> Iterator[_Candidate]:
    """One flower more or less beside the hand."""
    hand = result.hand
    for flower in (tile for tile in result.rules.data.wall.copies if tile >= FIRST_FLOWER):
        more = replace(hand, flowers=tuple(sorted((*hand.flowers, flower))))
        yield f"with the flower {tile_name(flower)}", more, result.situation
        if flower in hand.flowers:
            rest = list(hand.flowers)
            rest.remove(flower)
            fewer = replace(hand, flowers=tuple(rest))
            yield f"without the flower {tile_name(flower)}", fewer, result.situation


def _dora(result: Result) -> Iterator[_Candidate]:
    """One dora tile or one indicator more."""
    hand, situation = result.hand, result.situation
    if not result.rules.data.wall.dora:
        return
    if isinstance(situation.dora, tuple):
        for tile in result.rules.data.wall.copies:
            more = replace(situation, dora=(*situation.dora, tile))
            yield f"with the indicator {tile_name(tile)} too", hand, more
    else:
        count = (situation.dora or 0) + 1
        yield f"with {count} dora", hand, replace(situation, dora=count)


_WINDS = {"E": "East", "S": "South", "W": "West", "N": "North"}


def _winning_tiles(result: Result) -> Iterator[_Candidate]:
    hand = result.hand
    whole = _in_hand(hand)
    for tile in sorted(set(whole)):
        if tile != hand.winning_tile:
            rest = list(whole)
            rest.remove(tile)
            words = f"won on {tile_name(tile)} instead of {_won(hand)}"
            yield words, replace(hand, standing=tuple(rest), winning_tile=tile), result.situation


def _openings(result: Result) -> Iterator[_Candidate]:
    """A claimed meld taken back into the hand, a kong claimed or concealed instead."""
    hand = result.hand
    for place, meld in enumerate(hand.melds):
        rest = (*hand.melds[:place], *hand.melds[place + 1 :])
        if meld.kind == "kong":
            other = Meld("kong", meld.tile, not meld.claimed)
            words = f"with {meld} {'concealed' if meld.claimed else 'claimed'}"
            yield words, _with_meld(hand, place, other), result.situation
        else:
            standing = tuple(sorted((*hand.standing, *meld.tiles)))
            opened = replace(hand, standing=standing, melds=rest)
            yield f"with {meld} not claimed", opened, result.situation


def _meld_tiles(result: Result) -> Iterator[_Candidate]:
    """A tile of a meld changed, as many tiles as before."""
    hand = result.hand
    for place, meld in enumerate(hand.melds):
        for changed in _one_tile_off(meld):
            if len(changed.tiles) == len(meld.tiles):
                words = f"{changed} in place of {meld}"
                yield words, _with_meld(hand, place, changed), result.situation


def _kongs(result: Result) -> Iterator[_Candidate]:
    """A triplet made a kong by its fourth tile, or a kong a triplet."""
    hand = result.hand
    for place, meld in enumerate(hand.melds):
        for changed in _one_tile_off(meld):
            if len(changed.tiles) != len(meld.tiles):
                words = f"{changed} in place of {meld}"
                yield words, _with_meld(hand, place, changed), result.situation
    for tile in sorted(set(hand.standing)):
        if hand.standing.count(tile) >= 3:
            held = list(hand.standing)
            for _ in range(3):
                held.remove(tile)
            for claimed in (False, True):
                kong = Meld("kong", tile, claimed)
                words = f"{kong} in place of {format_tiles((tile,) * 3)}"
                changed_hand = replace(hand, standing=tuple(held), melds=(*hand.melds, kong))
                yield words, changed_hand, result.situation


def _with_meld(hand: Hand, place: int, meld: Meld) -> Hand:
    return replace(hand, melds=(*hand.melds[:place], meld, *hand.melds[place + 1 :]))


def _one_tile_off(meld: Meld) -> Iterator[Meld]:
    """Melds that differ from a meld in one tile: a tile changed, or the fourth of a kong."""
    mine = Counter(meld.tiles)
    for other in ALL_MELDS:
        if other == meld or (other.kind != "kong" and not other.claimed):
            continue
        theirs = Counter(other.tiles)
        gone, come = (mine - theirs).total(), (theirs - mine).total()
        if gone <= 1 and come <= 1 and (other.claimed or meld.kind == "kong"):
            yield other
    if meld.kind == "triplet":
        yield Meld("kong", meld.tile, False)


def _tiles(result: Result) -> Iterator[_Candidate]:
    hand = result.hand
    kinds = [tile for tile in result.rules.data.wall.copies if tile < FIRST_FLOWER]
    for other in kinds:
        if other != hand.winning_tile:
            words = f"won on {tile_name(other)} instead of {_won(hand)}"
            yield words, replace(hand, winning_tile=other), result.situation
    for tile in sorted(set(hand.standing)):
        rest = list(hand.standing)
        rest.remove(tile)
        for other in kinds:
            if other != tile:
                words = f"{tile_name(other)} in place of {tile_name(tile)}"
                standing = tuple(sorted((*rest, other)))
                yield words, replace(hand, standing=standing), result.situation


def _in_hand(hand: Hand) -> list[int]:
    assert hand.winning_tile is not None
    return sorted((*hand.standing, hand.winning_tile))


def _won(hand: Hand) -> str:
    assert hand.winning_tile is not None
    return tile_name(hand.winning_tile)


def changes_json(changes: list[Change], language: str = "en") -> list[dict[str, object]]:
    """Changes as plain values."""
    return [
        {
            "change": change.words,
            "kind": change.kind,
            "hand": str(change.result.hand),
            "result": change.result.to_json(language),
        }
        for change in changes
    ]
