"""Every form that a sentence of docs/language.md can have, each with every word that may stand in
it: what chance alone would hardly ever say."""

from __future__ import annotations

import itertools
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

CLASSES = (
    "terminal", "simple", "honor", "wind", "dragon", "odd", "even", "numbered", "characters",
    "dots", "bamboo", "seat_wind", "round_wind", "winning_tile", "1m", "5z | 3m", "~1m",
    "terminal & ~winning_tile", "seat_wind | round_wind", "seat_wind & round_wind",
    "(winning_tile | honor) & ~seat_wind",
)  # fmt: skip
NOUNS = ("sequence", "triplet", "kong", "pair", "set", "group")
STATUSES = ("", "claimed ", "concealed ")
WAITS = ("edge", "closed", "two_sided", "single", "double_pair")
WAYS = ("self_draw", "discard", "robbing_kong")
OF_GROUPS = (
    "claimed", "concealed", "sequence", "triplet", "kong", "pair", "sequences", "triplets", "kongs",
    "pairs", "~concealed", "~claimed", "triplet & concealed", "triplet & ~concealed",
    "kong | claimed", "sequence & terminal", "concealed | winning_tile", "~kong & ~sequence",
)  # fmt: skip
PLACES = (
    "rx", "r+1x", "r+2x", "qx", "ry", "qy", "rw", "1x", "7x", "7y", "8y", "A", "B", "1m", "7p",
    "terminal", "honor", "winning_tile", "seat_wind", "5z | 1m",
)  # fmt: skip
PLURAL = {noun: f"{noun}s" for noun in (*NOUNS, "tile", "flower")}


def _alternatives(words: Sequence[str]) -> list[str]:
    """Each word, and two of them with `|` between."""
    return [*words, *(" | ".join(two) for two in itertools.combinations(words, 2))]


def _quantified(status: str, noun: str, said: Sequence[str], *, has: Sequence[str]) -> list[str]:
    found: list[str] = []
    for what in said:
        found.append(f"all {status}{PLURAL[noun]} are {what}")
        found.append(f"all {status}{PLURAL[noun]} are not {what}")
        for quantifier in ("every", "some", "no"):
            found.append(f"{quantifier} {status}{noun} is {what}")
            found.append(f"{quantifier} {status}{noun} is not {what}")
    for what in has:
        found.append(f"all {status}{PLURAL[noun]} have {what}")
        found += [
            f"{quantifier} {status}{noun} has {what}" for quantifier in ("every", "some", "no")
        ]
    return found


@cache
def truths(shapes: tuple[str, ...]) -> Mapping[str, tuple[str, ...]]:
    """Forms that are true or false, by what they speak of."""
    groups: list[str] = []
    for status, noun in itertools.product(STATUSES, NOUNS):
        groups += _quantified(status, noun, (*OF_GROUPS, *CLASSES), has=CLASSES)
    tiles = _quantified("", "tile", CLASSES, has=())
    flowers = _quantified("", "flower", ("flower", "seat_flower", "1f", "~5f"), has=())
    one = [
        f"{status}{kind} {place}"
        for status in STATUSES
        for kind in NOUNS[:4]
        for place in PLACES
        if kind != "sequence" or place not in ("8y", "7p")
    ]
    templates = [f"has {item}" for item in one]
    templates += [f"has {a}, {b}" for a, b in itertools.product(one[::5], one[1::9])]
    templates += [
        "has sequence rx, sequence r+1x", "has sequence rx, sequence ry",
        "has triplet rx, pair ry", "has sequence A, sequence A",
        "has pair rx, pair r+1x, pair r+2x", "has triplet A, kong B", "has pair A, pair A",
        "has concealed triplet rx, claimed triplet r+1x", "has kong rx, pair ry",
        "has claimed sequence A, concealed sequence A", "has triplet rx, triplet r+8x",
        "has concealed triplet A, triplet winning_tile",
    ]  # fmt: skip
    own = ["terminal", "simple", "honor", "seat_wind", "round_wind", "winning_tile", *CLASSES]
    verbs = ("is", "is not")
    found = {
        "groups": groups,
        "tiles": tiles,
        "flowers": flowers,
        "templates": templates,
        "shape": [f"shape {verb} {which}" for verb in verbs for which in _alternatives(shapes)],
        "pair": [f"pair {verb} {which}" for verb in verbs for which in own],
        "winning tile": [f"winning_tile {verb} {which}" for verb in verbs for which in own],
        "winning group": [
            f"winning_group {verb} {which}" for verb in verbs for which in (*OF_GROUPS, *own)
        ],
        "wait": [f"wait {verb} {which}" for verb in verbs for which in _alternatives(WAITS)],
        "way": [f"win by {which}" for which in _alternatives(WAYS)],
        "seat": [
            f"{what} {verb} {which}"
            for what in ("seat", "round")
            for verb in verbs
            for which in _alternatives("ESWN")
        ] + ["dealer"],
        "lists": [
            f"{start} {which}"
            for start in (
                "hand is", "hand includes", "hand before win is", "hand before win includes",
                "tiles include",
            )
            for which in (
                "1m", "11m", "111m", "1111m", "123m", "7m", "7p", "78p", "1122m5z", "11122m77p5z",
                "1x", "77x", "123x78y", "12z", "11z", "1112223m", "11122233m", "11122233x", "5z2z",
            )
        ],
    }  # fmt: skip
    return {name: tuple(dict.fromkeys(some)) for name, some in found.items()}


@cache
def numbers() -> tuple[str, ...]:
    """Forms that are numbers."""
    of = ("", *(f" of {each}" for each in CLASSES))
    found = [
        f"count {status}{PLURAL[noun]}{each}"
        for status, noun, each in itertools.product(STATUSES, NOUNS, of)
    ]
    found += [f"count {what}{each}" for what in ("tiles", "kinds", "quads") for each in of]
    found += [f"sum ranks{each}" for each in of]
    found += ["count flowers", "count flowers of seat_flower", "count flowers of 1f"]
    return (*found, "count suits", "count waits", "dora")


def said(rng: random.Random, shapes: tuple[str, ...], names: Sequence[str], depth: int) -> str:
    """A sentence made of forms by chance, joined up to so deep; each kind of form is as likely as
    any other."""
    if depth and rng.random() < 0.75:
        parts = [said(rng, shapes, names, depth - 1) for _ in range(rng.choice((2, 2, 3)))]
        if rng.random() < 0.1:
            return f"not ({parts[0]})"
        if rng.random() < 0.1:
            return f"(if {parts[0]} then {parts[1]} else {parts[-1]})"
        return f" {rng.choice(('and', 'and', 'or'))} ".join(f"({part})" for part in parts)
    every = truths(shapes)
    kind = rng.choice((*every, "names", "numbers", "numbers", "numbers", "numbers"))
    if kind == "names":
        return rng.choice(tuple(names))
    if kind == "numbers":
        return f"{_number(rng)} {rng.choice(('=', '!=', '<', '<=', '>', '>='))} {_other(rng)}"
    return rng.choice(every[kind])


def _counted(rng: random.Random) -> str:
    """One of the forms that are numbers; those that are few as likely as those that are many."""
    if rng.random() < 0.3:
        return rng.choice(
            ("count suits", "count waits", "dora", "count tiles", "count kinds", "count quads",
             "count sets", "count groups", "count pairs", "count kongs", "count flowers")
        )  # fmt: skip
    return rng.choice(numbers())


def _number(rng: random.Random) -> str:
    which = rng.random()
    one = _counted(rng)
    if which < 0.6:
        return one
    other = _counted(rng)
    if which < 0.8:
        return f"{one} {rng.choice('+-*')} {other}"
    if which < 0.9:
        return f"{rng.choice(('min', 'max'))}({one}, {other})"
    return f"{rng.choice(('round_up', 'round_down'))}({one}, {rng.choice((2, 3, 10))})"


def _other(rng: random.Random) -> str:
    if rng.random() < 0.15:
        return _counted(rng)
    return str(rng.choice((0, 1, 1, 2, 2, 3, 4, 8, 9, 10)))
