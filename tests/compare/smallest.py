"""Goes through the hands that are smaller than one that shows a change, in the documented order.

Nothing of how a comparison finds hands is used here but the scoring: hands are made from the tiles
up, the order is written down anew, and whether a hand shows a change is told by its two results.
"""

from __future__ import annotations

import itertools
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ruleengine.batch.outcome import TableScorer
from ruleengine.compare.run import compare
from ruleengine.errors import HandError
from ruleengine.notation import read_hand
from ruleengine.record import score_record
from ruleengine.ruleset.find import find_ruleset
from ruleengine.ruleset.read import read_ruleset_file, read_ruleset_text
from ruleengine.tiles import TILE_NAMES, format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.ruleset.read import ReadRuleset

HEAD = """\
format: 1
id: house
extends: {base}
name: House
version: "1"
"""
ZHONGYONG: dict[str, str] = {
    # The points of patterns that need melds, a way of winning, an event, or nothing.
    **{
        id_: f"patterns: {{{id_}: {{points: {points}}}}}"
        for id_, points in (
            ("one_kong", 6), ("two_kongs", 21), ("three_kongs", 119), ("four_kongs", 479),
            ("win_on_kong", 11), ("robbing_a_kong", 11), ("final_draw", 11), ("final_discard", 11),
            ("blessing_of_heaven", 154), ("blessing_of_earth", 154),
            ("three_concealed_triplets", 29), ("four_consecutive_triplets", 199),
            ("mixed_lesser_terminals", 39), ("value_honor", 11), ("seven_pairs", 31),
            ("pure_one_suit", 79),
        )
    },
    # Patterns that only claimed melds, a discard or a seat make.
    **{
        name: "patterns: {extra: {points: 7, when: '" + when + "', name: Extra}}"
        for name, when in (
            ("a claimed sequence", "some sequence is claimed"),
            ("a claimed triplet", "some triplet is claimed"),
            ("two claimed sets", "count claimed sets = 2"),
            ("all claimed", "all sets are claimed"),
            ("a claimed kong", "count claimed kongs = 1"),
            ("a claimed kong of honors", "some kong is claimed & honor"),
            ("two concealed kongs", "count concealed kongs = 2"),
            ("a claimed and a concealed kong", "some kong is claimed and some kong is concealed"),
            ("a discard", "win by discard"),
            ("south", "seat is S"),
            ("a triplet of the seat", "seat is S and some triplet is seat_wind"),
            ("robbing with a claimed set", "win by robbing_kong and some set is claimed"),
            ("the last tile", "last_tile and win by discard and some kong is concealed"),
            ("a pair of fives on a discard", "win by discard and pair is 5p"),
        )
    },
    # Totals and payments.
    "minimum": "options: {minimum: {default: 5}}",
    "standard": "options: {standard: {default: 30}}",
}  # fmt: skip
SIMPLE: dict[str, str] = {
    id_: f"patterns: {{{id_}: {{points: {points}}}}}"
    for id_, points in (
        ("three_kongs", 15),
        ("win_on_kong", 3),
        ("robbing_a_kong", 3),
        ("ready_bonus", 2),
    )
}
CHANGES = [("zhongyong-3.3", name) for name in ZHONGYONG] + [("simple-1", name) for name in SIMPLE]

WAYS = ("self_draw", "discard", "robbing_kong")
SEATS = "ESWN"
Key = tuple[Any, ...]
Record = dict[str, Any]


def change(base: str, name: str) -> tuple[ReadRuleset, ReadRuleset]:
    """A shipped ruleset, and the same with one change."""
    text = (ZHONGYONG if base == "zhongyong-3.3" else SIMPLE)[name]
    read = read_ruleset_file(find_ruleset(base, ()))
    return read, read_ruleset_text(f"{HEAD.format(base=base)}{text}\n", "house.yaml")


# ---- the documented order -------------------------------------------------------------------


def outcome(rules: Rules, record: Record) -> Result | None:
    """What a record comes to; None where it cannot be."""
    try:
        return score_record(rules, record)
    except HandError:
        return None


def gravity(old: Result | None, new: Result | None) -> int:
    """3 where a hand wins under one ruleset only, 2 for other points, 1 for anything else."""
    if old is None or new is None:
        return 0 if old is new else 3
    if old.win != new.win:
        return 3
    if not old.win:
        return 0
    if old.points != new.points:
        return 2
    counted = [{(p.id, p.count, p.awards) for p in one.patterns} for one in (old, new)]
    same = counted[0] == counted[1] and old.limit == new.limit and old.payments == new.payments
    return 0 if same else 1


def way_of(record: Record) -> Key:
    """What makes a situation ordinary: few events, drawn by oneself, as East in the East round."""
    from_ = record.get("from")
    return (
        len(record.get("events", ())),
        WAYS.index(record.get("by", "self_draw")),
        "liable" in record,
        SEATS.index(record.get("seat", "E")),
        SEATS.index(record.get("round", "E")),
        -1 if from_ is None else SEATS.index(from_),
    )


def melds_of(record: Record) -> Key:
    """How many melds there are, how many of them kongs, how many claimed."""
    melds = read_hand(record["hand"]).melds
    kongs = sum(len(meld.tiles) == 4 for meld in melds)
    return len(melds), kongs, sum(meld.claimed for meld in melds)


def tiles_of(record: Record) -> Key:
    """The tiles in their order, then where the melds are, then the winning tile."""
    hand = read_hand(record["hand"])
    assert hand.winning_tile is not None
    tiles = [*hand.standing, hand.winning_tile, *(t for meld in hand.melds for t in meld.tiles)]
    return tuple(sorted(tiles)), tuple(sorted(m.tile for m in hand.melds)), hand.winning_tile


def key_of(record: Record, old: Result | None, new: Result | None) -> Key:
    """What the smallest hand is the smallest by."""
    results = [one for one in (old, new) if one is not None]
    patterns = max(len(one.patterns) for one in results)
    points = max(one.points for one in results)
    return melds_of(record), way_of(record), patterns, points, tiles_of(record)


# ---- hands from the tiles up ----------------------------------------------------------------


State = tuple[int, int, int, int]
"""Sequences that began one tile ago and two, sets that are left to be made (or, below 0, pairs of
seven), pairs that are left."""


def standing(sets: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every choice of tiles that makes so many sets and a pair (or seven pairs, with four sets), of
    the tiles that are left, as how many of each; those with more of lower tiles first."""
    start: set[State] = {(0, 0, sets, 1)}
    if sets == 4:
        start.add((0, 0, -7, 0))

    def after(tile: int, count: int, states: set[State]) -> set[State]:
        found: set[State] = set()
        suited = tile < 27
        for begun, going, need, pair in states:
            if need < 0:
                if count in (0, 2, 4) and need + count // 2 <= 0:
                    found.add((0, 0, need + count // 2, 0))
                continue
            if (tile % 9 == 0 or not suited) and (begun or going):
                continue
            rest = count - begun - going
            for twos in range(pair + 1):
                for threes in (0, 1):
                    runs = rest - 2 * twos - 3 * threes
                    if runs < 0 or (runs and (not suited or tile % 9 > 6)):
                        continue
                    if need - threes - runs >= 0:
                        found.add((runs, begun, need - threes - runs, pair - twos))
        return found

    def below(tile: int, counts: list[int], states: set[State]) -> Iterator[tuple[int, ...]]:
        if tile == 34:
            if any(state == (0, 0, 0, 0) for state in states):
                yield tuple(counts)
            return
        for count in range(left[tile], -1, -1):
            if then := after(tile, count, states):
                yield from below(tile + 1, [*counts, count], then)

    yield from below(0, [], start)


ALL_SETS = [(t, t + 1, t + 2) for t in range(27) if t % 9 < 7] + [(t,) * 3 for t in range(34)]
KONGS = [(t,) * 4 for t in range(34)]


Melds = tuple[tuple[tuple[int, ...], bool], ...]


def laid(number: int, kongs: int, claimed: int) -> Iterator[Melds]:
    """Every choice of so many melds, so many of them kongs and so many claimed."""
    for open_kongs in range(kongs + 1):
        hidden = kongs - open_kongs
        if open_kongs + number - kongs != claimed:
            continue
        for parts in itertools.product(
            itertools.combinations_with_replacement(ALL_SETS, number - kongs),
            itertools.combinations_with_replacement(KONGS, open_kongs),
            itertools.combinations_with_replacement(KONGS, hidden),
        ):
            melds = [(m, True) for m in (*parts[0], *parts[1])] + [(m, False) for m in parts[2]]
            held = Counter(tile for meld, _ in melds for tile in meld)
            if max(held.values(), default=0) <= 4:
                yield tuple(melds)


def lower_hands(
    structure: tuple[int, int, int], most: tuple[int, ...] | None, number: int
) -> Iterator[str]:
    """Hands with so many melds, kongs and claimed melds, each with every winning tile: those whose
    tiles are not higher than the given ones, or of choices of melds by chance the lowest ones; no
    more than a number in all."""
    if most is None:
        rng = random.Random(f"{structure}")
        choices = [_laid_by_chance(structure, rng) for _ in range(max(number // 40, 1))]
        each: int | None = 40
    else:
        choices = sorted(laid(*structure), key=lambda melds: sorted(t for m, _ in melds for t in m))
        each = None
    made = (
        hand for melds in choices for hand in itertools.islice(_standing_with(melds, most), each)
    )
    return itertools.islice(made, number)


def _laid_by_chance(structure: tuple[int, int, int], rng: random.Random) -> Melds:
    number, kongs, claimed = structure
    hidden = number - claimed
    while True:
        chosen: list[tuple[tuple[int, ...], bool]] = []
        chosen += [(rng.choice(KONGS), False) for _ in range(hidden)]
        chosen += [(rng.choice(KONGS), True) for _ in range(kongs - hidden)]
        chosen += [(rng.choice(ALL_SETS), True) for _ in range(number - kongs)]
        held = Counter(tile for meld, _ in chosen for tile in meld)
        if max(held.values(), default=0) <= 4:
            return tuple(chosen)


def _standing_with(melds: Melds, most: tuple[int, ...] | None) -> Iterator[str]:
    held = Counter(tile for meld, _ in melds for tile in meld)
    left = tuple(4 - held[tile] for tile in range(34))
    shown = "".join(("[%s]" if c else "(%s)") % format_tiles(meld) for meld, c in melds)
    for counts in standing(4 - len(melds), left):
        tiles = [tile for tile, count in enumerate(counts) for _ in range(count)]
        whole = sorted([*tiles, *held.elements()])
        if most is not None and tuple(whole) > most:
            break
        for tile in dict.fromkeys(tiles):
            rest = list(tiles)
            rest.remove(tile)
            yield f"{format_tiles(rest)}{shown}+{TILE_NAMES[tile]}"


# ---- looking for a smaller hand ---------------------------------------------------------------


@dataclass
class Checked:
    """What was seen of a change: the hand that shows it, a smaller one if there is one, and how
    many were looked at."""

    name: str
    record: Record | None
    smaller: Record | None = None
    looked: int = 0


def ways(record: Record) -> Iterator[Record]:
    """The situation of a record and others that are made of its parts and usual ones, without the
    hand."""
    events = record.get("events", [])
    some = [list(c) for n in range(len(events) + 1) for c in itertools.combinations(events, n)]
    seats, rounds = (dict.fromkeys(("E", record.get(x, "E"))) for x in ("seat", "round"))
    for held, by, seat, round_ in itertools.product(some, WAYS, seats, rounds):
        givers = [None] if by == "self_draw" else [x for x in SEATS if x != seat]
        for giver in givers:
            made = {"events": held, "by": by, "seat": seat, "round": round_, "from": giver}
            yield {name: value for name, value in made.items() if value not in ([], None)}


def check(base: str, name: str, *, rows: int, other_rows: int) -> Checked:
    """Look for a hand that shows a change and is smaller than the one of a comparison.

    `rows` hands at most, won in the same way and with lower tiles, are looked at, and `other_rows`
    for each other way of winning that comes before it.
    """
    old, new = change(base, name)
    found = compare(old, new, impact=False, lowest=True)
    weighty = [one for one in found.changes if one.change.level != "text"]
    assert len(weighty) == 1, [one.change.at for one in weighty]
    witness = weighty[0].witness
    if witness is None:
        return Checked(name, None)
    record = dict(witness.record)
    results = outcome(found.old, record), outcome(found.new, record)
    grave, key = gravity(*results), key_of(record, *results)
    checked = Checked(name, record)
    scorers = [TableScorer(rules, arrangements=False) for rules in (found.old, found.new)]
    for structure in structures(melds_of(record)):
        same = structure == melds_of(record)
        for how in ways(record):
            if same and way_of(how) > way_of(record):
                continue
            alike = same and way_of(how) == way_of(record)
            most = tiles_of(record)[0] if alike else None
            hands = lower_hands(structure, most, rows if alike else other_rows)
            while some := list(itertools.islice(hands, 4096)):
                checked.looked += len(some)
                for text in _differing(scorers, some, how):
                    tried = {"hand": text, **how}
                    both = outcome(found.old, tried), outcome(found.new, tried)
                    if gravity(*both) >= grave and key_of(tried, *both) < key:
                        checked.smaller, key = tried, key_of(tried, *both)
                if checked.smaller is not None and not alike:
                    return checked
    return checked


def structures(last: Key) -> Iterator[tuple[int, int, int]]:
    """Numbers of melds, kongs and claimed melds, up to the given ones in the order."""
    for number in range(last[0] + 1):
        for kongs in range(number + 1):
            for claimed in range(number - kongs, number + 1):
                if (number, kongs, claimed) <= last:
                    yield number, kongs, claimed


def _differing(
    scorers: list[TableScorer], hands: list[str], given: Mapping[str, Any]
) -> Iterator[str]:
    """The hands that do not come to the same under two rulesets."""
    columns = {"hand": pa.array(hands)}
    columns |= {name: pa.array([value] * len(hands)) for name, value in given.items()}
    batch = pa.RecordBatch.from_pydict(columns)
    old, new = (scorer.score(batch) for scorer in scorers)
    other = (old.win != new.win) | (old.points != new.points) | (old.limit != new.limit)
    other |= (old.payments != new.payments).any(axis=0)
    sums = []
    for one in (old, new):
        value = (one.entries.place + 1) * 1_000_003 + one.entries.count * 1_009 + one.entries.points
        sums.append(np.bincount(one.entries.row, weights=value, minlength=len(hands)))
    other |= sums[0] != sums[1]
    for row in np.flatnonzero(other).tolist():
        yield hands[row]


def check_smallest(rows: int, other_rows: int) -> int:
    """Check every change; gives how many show a hand that is not the smallest."""
    wrong = 0
    for base, name in CHANGES:
        start = time.monotonic()
        found = check(base, name, rows=rows, other_rows=other_rows)
        took = time.monotonic() - start
        said = "no hand" if found.record is None else str(found.record)
        if found.record is None or found.smaller is not None:
            wrong += 1
            said += f", but smaller: {found.smaller}"
        print(f"{base} {name}: {said}; {found.looked:,} looked at, {took:.0f} s", flush=True)
    print(f"{len(CHANGES)} changes, {wrong} not shown by the smallest hand", file=sys.stderr)
    return wrong
