"""Random well-typed sentences of the condition language, as texts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from ruleengine.tiles import CLASSES
from tests.language import forms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy

STATUSES = ("", "", "", "concealed ", "claimed ")
GROUPS = ("sequence", "triplet", "kong", "pair", "set", "group")
SIGNS = ("=", "!=", "<", "<=", ">", ">=")
SITUATIONAL = ("seat_wind", "round_wind", "winning_tile", "seat_flower")


@dataclass(frozen=True)
class Known:
    """The names that sentences may use; `truths` and `numbers` by themselves, `classes` after
    `is` and `of`."""

    truths: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    shapes: tuple[str, ...] = ()


def _choice(items: Sequence[str]) -> SearchStrategy[str]:
    return st.sampled_from(items)


@st.composite
def _join(draw: st.DrawFn, *parts: SearchStrategy[str] | str) -> str:
    return "".join(part if isinstance(part, str) else draw(part) for part in parts)


@st.composite
def _listed(draw: st.DrawFn, part: SearchStrategy[str], sign: str) -> str:
    return sign.join(draw(part) for _ in range(draw(st.integers(2, 3))))


@st.composite
def _one_of(draw: st.DrawFn, *parts: SearchStrategy[str]) -> str:
    """One of the parts; unlike `st.one_of` its representation stays short."""
    return draw(parts[draw(st.integers(0, len(parts) - 1))])


@st.composite
def written(draw: st.DrawFn, letters: Sequence[str] = "mpsz", most: int = 5) -> str:
    """Tiles written out; with `most` 4 no tile more than four times."""
    text = ""
    for letter in draw(st.lists(_choice(letters), min_size=1, max_size=3, unique=most < 5)):
        top = {"z": 7, "f": 8}.get(letter, 9)
        ranks = draw(st.lists(st.integers(1, top), min_size=1, max_size=most))
        text += "".join(map(str, ranks)) + letter
    return text


@cache
def classes(known: Known, depth: int = 2) -> SearchStrategy[str]:
    """Classes of tiles."""
    names = _choice((*CLASSES, *SITUATIONAL, *SITUATIONAL, *known.classes))
    atom = _one_of(names, names, written("mpszf", 9))
    if not depth:
        return atom
    inner = classes(known, depth - 1)
    bracketed = _join("(", inner, ")")
    part = _one_of(atom, bracketed)
    return _one_of(
        atom,
        _listed(part, " | "),
        _listed(part, " & "),
        _join("~", part),
        _join(part, " & ~", part),
    )


@cache
def group_tests(known: Known, depth: int = 2) -> SearchStrategy[str]:
    """What may be said of a group after `is`."""
    words = _choice(forms.OF_GROUPS[:10])
    if not depth:
        return _one_of(words, classes(known, 0))
    part = _one_of(words, classes(known, 0), _join("(", group_tests(known, depth - 1), ")"))
    return _one_of(
        words,
        classes(known, depth),
        _listed(part, " | "),
        _listed(part, " & "),
        _join("~", part),
    )


def _plural(kind: str) -> str:
    return kind + "s"


@st.composite
def quantified(draw: st.DrawFn, known: Known) -> str:
    """`all ... are ...`, `some ... is ...` and their kin."""
    negation = draw(_choice(("", "", "not ")))
    if draw(st.booleans()):
        kind = draw(_choice(("tile", "tile", "flower")))
        status, said = "", draw(classes(known))
        has = False
    else:
        kind, status = draw(_choice(GROUPS)), draw(_choice(STATUSES))
        has = draw(st.booleans())
        said = draw(classes(known)) if has else draw(group_tests(known))
    which = draw(_choice(("all", "every", "some", "no")))
    if which == "all":
        noun = status + _plural(kind)
        return f"all {noun} have {said}" if has else f"all {noun} are {negation}{said}"
    return f"{which} {status}{kind} " + (f"has {said}" if has else f"is {negation}{said}")


def _is_one_tile(place: str) -> bool:
    """Whether a class is nothing but one tile written out, once or several times."""
    runs = re.fullmatch(r"\(*((?:[1-9]+[mpszf])+)\)*", place)
    if runs is None:
        return False
    tiles = re.findall(r"([1-9]+)([mpszf])", runs[1])
    return len({rank + suit for ranks, suit in tiles for rank in ranks}) == 1


@st.composite
def templates(draw: st.DrawFn, known: Known) -> str:
    """`has item, item, ...`, small enough to be allowed."""
    items: list[str] = []
    size = 1
    letters: set[str] = set()
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(_choice(("sequence", "sequence", "triplet", "triplet", "kong", "pair")))
        sort = draw(st.integers(0, 9))
        if sort < 4:
            rank, suit = draw(_choice("rrrq")), draw(_choice("xxyw"))
            offset = draw(st.sampled_from(("", "", "+1", "+2", "+3", "+5", "+8")))
            place = f"{rank}{offset}{suit}"
            size *= (1 if rank in letters else 9) * (1 if "suit" in letters else 6)
            letters |= {rank, "suit"}
        elif sort < 6:
            place = draw(_choice("AABC"))
            size *= 1 if place in letters else (21 if kind == "sequence" else 34)
            letters.add(place)
        elif sort < 7:
            place = f"{draw(st.integers(1, 7))}{draw(_choice('xyw'))}"
            size *= 1 if "suit" in letters else 6
            letters.add("suit")
        else:
            place = draw(classes(known, draw(st.integers(0, 2))))
            if kind == "sequence" and _is_one_tile(place):
                # One written tile is the lowest of a sequence, and not every tile can be that.
                place = f"{draw(st.integers(1, 7))}{draw(_choice('mps'))}"
            size *= 21 if kind == "sequence" else 34
        if size > 4000:
            break
        items.append(f"{draw(_choice(STATUSES))}{kind} {place}")
    return "has " + ", ".join(items or ["pair A"])


@st.composite
def hand_lists(draw: st.DrawFn) -> str:
    """`hand is`, `hand before win includes`, `tiles include`."""
    start = draw(
        _choice(
            (
                "hand is", "hand includes", "hand before win is", "hand before win includes",
                "tiles include",
            )
        )
    )  # fmt: skip
    letters = draw(_choice(("mpsz", "xyw", "xz", "mx", "xy")))
    return f"{start} {draw(written(letters, 4))}"


@cache
def subjects(known: Known) -> SearchStrategy[str]:
    """Sentences about one thing of the hand or the situation."""
    verb = _choice((" is ", " is not "))
    waits = _choice(("edge", "closed", "two_sided", "single", "double_pair"))
    seats = st.lists(_choice("ESWN"), min_size=1, max_size=3, unique=True).map(" | ".join)
    ways = _choice(("self_draw", "discard", "robbing_kong", "discard | robbing_kong"))
    shapes = _choice(known.shapes)
    return _one_of(
        _join("shape", verb, _one_of(shapes, shapes, _listed(shapes, " | "))),
        _join("pair", verb, classes(known)),
        _join("winning_tile", verb, classes(known)),
        _join("winning_group", verb, group_tests(known)),
        _join("wait", verb, _one_of(waits, _listed(waits, " | "))),
        _join("seat", verb, seats),
        _join("round", verb, seats),
        _join("win by ", ways),
    )


@cache
def formed(known: Known) -> SearchStrategy[str]:
    """One of every form that there is, each kind of form as likely as any other."""
    return _one_of(*(_choice(some) for some in forms.truths(known.shapes).values()))


@cache
def counts(known: Known) -> SearchStrategy[str]:
    """`count ...` and `sum ranks`."""
    of = _one_of(st.just(""), _join(" of ", classes(known)))
    groups = _choice([f"{status}{_plural(kind)}" for status in STATUSES for kind in GROUPS])
    tiles = _choice(("tiles", "flowers", "kinds", "quads"))
    return _one_of(
        _join("count ", groups, of),
        _join("count ", tiles, of),
        _choice(("count suits", "count waits")),
        _join("sum ranks", of),
    )


@cache
def numbers(known: Known, depth: int = 2) -> SearchStrategy[str]:
    """Sentences that are numbers."""
    atoms: list[SearchStrategy[str]] = [
        st.integers(0, 14).map(str),
        counts(known),
        counts(known),
        _choice(("dora", *known.numbers)),
    ]
    if not depth:
        return _one_of(*atoms)
    inner = numbers(known, depth - 1)
    part = _one_of(*atoms, _join("(", inner, ")"))
    return _one_of(
        *atoms,
        _join(part, " + ", part),
        _join(part, " - ", part),
        _join(part, " * ", part),
        _join("-", part),
        _join(_choice(("min(", "max(")), _listed(inner, ", "), ")"),
        _join(_choice(("round_up(", "round_down(")), inner, ", ", _choice(("1", "2", "10")), ")"),
        _join("(if ", truths(known, depth - 1), " then ", inner, " else ", inner, ")"),
    )


@cache
def truths(known: Known, depth: int = 2) -> SearchStrategy[str]:
    """Sentences that are true or false."""
    atoms: list[SearchStrategy[str]] = [
        quantified(known),
        templates(known),
        subjects(known),
        formed(known),
        formed(known),
        hand_lists(),
        _join(counts(known), " ", _choice(SIGNS), " ", st.integers(0, 5).map(str)),
        _choice(("dealer", "true", "false", *known.truths)),
    ]
    if not depth:
        return _one_of(*atoms)
    inner = truths(known, depth - 1)
    part = _one_of(*atoms, _join("(", inner, ")"))
    number = numbers(known, depth - 1)
    return _one_of(
        *atoms,
        _listed(part, " and "),
        _listed(part, " or "),
        _join("not ", part),
        _join(number, " ", _choice(SIGNS), " ", number),
        _join("(if ", inner, " then ", inner, " else ", inner, ")"),
    )
