"""The ways to split a suit as arrays, found by a number that counts the suit in base five."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ruleengine.arrange import Way, suit_table
from ruleengine.language.columns import base_five

if TYPE_CHECKING:
    from collections.abc import Iterable

POWERS = tuple(5**place for place in range(9))
SUIT_KEYS = 5**9
HONOR_KEYS = 5**7

PAIR_OF_LANES = {"n1": ("s1", 0), "t": ("s2", 1), "p1": ("s3", 2), "p2": ("s4", 3)}
"""Two lanes in one number: the first takes the tiles of all suits, the second starts above it."""
UPPER = 34
"""Where the second lane of a number starts."""
MOST_PAIRS = 15
"""More pairs than any shape has; they fill the lowest bits of `Ways.meta`."""
RARE = np.uint8(128)
"""The bit of `Ways.meta` that says that some pair stands twice or some sequence four times."""

Plan = tuple[int, int]
"""How many sets and how many pairs a shape has."""


class Ways:
    """All ways to split suits (or honors) into at most so many sets and pairs.

    A suit is known by an id (see `Ids`): `count` is the number of its ways, `first` the place of
    the first of them. `lanes` and `meta` belong to a way: its masks in the pairs of
    `PAIR_OF_LANES`, and its pairs, plus 16 times its sequences, plus `RARE`.
    """

    def __init__(self, ids: dict[int, int], ways: dict[int, tuple[Way, ...]], honors: bool) -> None:
        self.count = np.zeros(len(ids) + 1, dtype=np.uint8)
        self.first = np.zeros(len(ids) + 1, dtype=np.int32)
        lanes: list[tuple[int, ...]] = []
        meta: list[int] = []
        self.ways: list[Way] = []
        up = 27 if honors else 0
        for code, found in ways.items():
            at = ids[code]
            assert len(found) < 64, "four of them fit into a byte together"
            self.count[at] = len(found)
            self.first[at] = len(lanes)
            kinds = sum(1 << place for place in range(9) if code >> (4 * place) & 15)
            for way in found:
                lanes.append(_lanes(way, kinds, up))
                runs = way.sets - way.triplets.bit_count()
                rare = 128 if way.pairs2 or way.s4 else 0
                meta.append(way.pairs + 16 * runs + rare)
                self.ways.append(way)
        columns = np.array(lanes, dtype=np.uint64).reshape(-1, 4)
        self.lanes = tuple(np.ascontiguousarray(columns[:, at]) for at in range(4))
        self.meta: NDArray[np.uint8] = np.array(meta, dtype=np.uint8)

    def texts(self, letter: str) -> tuple[list[str], list[str]]:
        """The sets and the pairs of every way, written with the letter of its suit."""
        sets, pairs = self._plain_texts
        if letter == "m":
            return sets, pairs
        return [t.replace("m", letter) for t in sets], [t.replace("m", letter) for t in pairs]

    @cached_property
    def _plain_texts(self) -> tuple[list[str], list[str]]:
        """The sets and the pairs of every way, as if they were characters."""
        sets, pairs = [], []
        for _, _, s1, s2, s3, s4, triplets, pairs1, pairs2 in self.ways:
            standing: list[str] = []
            doubled: list[str] = []
            for rank in range(9):
                bit = 1 << rank
                if s1 & bit:
                    often = 1 + (s2 >> rank & 1) + (s3 >> rank & 1) + (s4 >> rank & 1)
                    standing += [_RUNS[rank]] * often
                if triplets & bit:
                    standing.append(_TRIPLETS[rank])
                if pairs1 & bit:
                    doubled += [_PAIRS[rank]] * (1 + (pairs2 >> rank & 1))
            sets.append(" ".join(standing))
            pairs.append(" ".join(doubled))
        return sets, pairs


_RUNS = [f"{rank}{rank + 1}{rank + 2}m" for rank in range(1, 10)]
_TRIPLETS = [f"{rank}{rank}{rank}m" for rank in range(1, 10)]
_PAIRS = [f"{rank}{rank}m" for rank in range(1, 10)]


def _lanes(way: Way, kinds: int, up: int) -> tuple[int, ...]:
    masks = {
        "n1": kinds, "s1": way.s1, "t": way.triplets, "s2": way.s2,
        "p1": way.pairs1, "s3": way.s3, "p2": way.pairs2, "s4": way.s4,
    }  # fmt: skip
    return tuple(
        masks[low] << up | masks[high] << UPPER for low, (high, _) in PAIR_OF_LANES.items()
    )


class Ids:
    """Numbers the suits that can be split under some of the plans of a ruleset.

    `suited[key]` and `honors[key]` are the ids, 0 for a suit that cannot be split. `can` says for
    each id under which plans, as bits; `ways` are the ways of each plan.
    """

    def __init__(self, plans: tuple[Plan, ...]) -> None:
        assert len(plans) <= 16, "plans are told apart by 16 bits"
        tables = [suit_table(*plan).whole() for plan in plans]
        self.plans = plans
        self.suited, suited, suited_can = _numbered([table[0] for table in tables], SUIT_KEYS)
        self.honors, honors, honors_can = _numbered([table[1] for table in tables], HONOR_KEYS)
        self.can = (suited_can, honors_can)
        self.ways = {
            plan: (Ways(suited, table[0], False), Ways(honors, table[1], True))
            for plan, table in zip(plans, tables, strict=True)
        }


def _numbered(
    tables: list[dict[int, tuple[Way, ...]]], keys: int
) -> tuple[NDArray[Any], dict[int, int], NDArray[np.uint16]]:
    ids: dict[int, int] = {}
    for table in tables:
        for code in table:
            ids.setdefault(code, len(ids) + 1)
    found = np.zeros(keys, dtype=np.min_scalar_type(len(ids)))
    can = np.zeros(len(ids) + 1, dtype=np.uint16)
    for code, at in ids.items():
        found[base_five(code)] = at
    for place, table in enumerate(tables):
        can[[ids[code] for code in table]] |= np.uint16(1 << place)
    return found, ids, can


@cache
def ids_of(plans: tuple[Plan, ...]) -> Ids:
    """The ids for some plans; one for the whole process."""
    return Ids(plans)


@cache
def packed_suits() -> NDArray[np.uint64]:
    """The packed count of a suit by its key."""
    found = np.zeros(SUIT_KEYS, dtype=np.uint64)
    keys = np.arange(SUIT_KEYS, dtype=np.uint64)
    for place, power in enumerate(POWERS):
        count = keys // np.uint64(power) % np.uint64(5)
        found |= count << np.uint64(4 * place)
    return found


TOO_MANY = 255
"""Stands in `sizes` for a suit of which the wall has not enough tiles."""


def sizes(copies: Iterable[int]) -> NDArray[np.uint8]:
    """How many tiles a suit has, by its key; `TOO_MANY` where it has more than `copies` of one."""
    return _sizes(tuple(copies))


@cache
def _sizes(copies: tuple[int, ...]) -> NDArray[np.uint8]:
    keys = np.arange(5 ** len(copies), dtype=np.uint32)
    found = np.zeros(len(keys), dtype=np.uint8)
    over = np.zeros(len(keys), dtype=bool)
    for power, most in zip(POWERS, copies, strict=False):
        held = (keys // np.uint32(power) % np.uint32(5)).astype(np.uint8)
        found += held
        over |= held > most
    found[over] = TOO_MANY
    return found
