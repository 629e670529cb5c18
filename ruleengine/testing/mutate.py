"""Small changes to a sentence, such as a slip of the pen would make: what tests should notice.

Each is a new text of the sentence, made by replacing words at the place of one part of its syntax
tree. A change that is no sentence, or says what cannot be, is left to the reader to refuse.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, is_dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ruleengine.language import tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Edit = tuple[int, int, str]
"""Where words start and end, and what stands there instead."""

COMPARISONS: Mapping[str, tuple[str, ...]] = {
    "=": (">=", "<=", "!="),
    "!=": ("=",),
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "="),
}
SIGNS: Mapping[str, str] = {"+": "-", "-": "+", "*": "+"}
FUNCTIONS: Mapping[str, str] = {
    "min": "max", "max": "min", "round_up": "round_down", "round_down": "round_up",
}  # fmt: skip
CLASSES: Mapping[str, tuple[str, ...]] = {
    "honor": ("dragon", "wind"),
    "wind": ("dragon", "honor"),
    "dragon": ("wind", "honor"),
    "terminal": ("simple", "numbered"),
    "simple": ("terminal", "numbered"),
    "numbered": ("simple", "honor"),
    "odd": ("even",),
    "even": ("odd",),
    "characters": ("dots",),
    "dots": ("bamboo",),
    "bamboo": ("characters",),
    "seat_wind": ("round_wind",),
    "round_wind": ("seat_wind",),
    "seat_flower": ("flower",),
    "self_draw": ("discard",),
    "discard": ("self_draw", "robbing_kong"),
    "robbing_kong": ("discard",),
    "edge": ("closed",),
    "closed": ("edge",),
    "two_sided": ("single",),
    "single": ("two_sided",),
    "dealer": ("winner",),
    "liable": ("dealer",),
}
"""What stands near a class of tiles, a way of winning, a wait or a role."""
KINDS: Mapping[str, tuple[str, ...]] = {
    "sequence": ("triplet",),
    "triplet": ("sequence", "kong"),
    "kong": ("triplet",),
    "set": ("group",),
    "group": ("set",),
    "suit": ("kind",),
    "kind": ("tile",),
    "quad": ("kind",),
}
_TILES = {"hand": "tiles", "hand before win": "hand"}
_SUITS = "xyw"


@dataclass(frozen=True, slots=True)
class Change:
    """One change to a sentence: what it is, the words before and after, and the new text."""

    start: int
    end: int
    before: str
    after: str
    text: str


def changes(parsed: tree.Node, text: str) -> list[Change]:
    """Every change to a sentence, from left to right, none twice."""
    found: dict[str, Change] = {}
    for node, inside in _walk(parsed):
        for start, end, words in _edits(node, inside, text):
            made = text[:start] + words + text[end:]
            if made.split() != text.split() and made.strip():
                before = text[start:end]
                found.setdefault(made, Change(start, end, before, words, made))
    return sorted(found.values(), key=lambda change: change.start)


def _walk(parsed: tree.Node) -> Iterator[tuple[tree.Node, tree.Node | None]]:
    pending: list[tuple[tree.Node, tree.Node | None]] = [(parsed, None)]
    while pending:
        node, above = pending.pop()
        yield node, above
        for name in fields(node):
            value = getattr(node, name.name)
            for part in value if isinstance(value, tuple) else (value,):
                if is_dataclass(part):
                    pending.append((part, node))  # type: ignore[arg-type]


def _edits(node: tree.Node, above: tree.Node | None, text: str) -> Iterator[Edit]:
    match node:
        case tree.Number(value=value):
            yield node.start, node.end, str(value + 1)
            if value:
                yield node.start, node.end, str(value - 1)
        case tree.Truth(value=truth):
            yield node.start, node.end, "false" if truth else "true"
        case tree.Comparison(left=left, sign=sign, right=right):
            yield from _between(text, left, right, sign, COMPARISONS[sign])
        case tree.Arithmetic(left=left, sign=sign, right=right):
            yield from _between(text, left, right, sign, (SIGNS[sign],))
        case tree.Call(function=function):
            yield node.start, node.start + len(function), FUNCTIONS[function]
        case tree.Both(parts=parts):
            yield from _joined(text, node, parts, "and", "or")
        case tree.Either(parts=parts):
            yield from _joined(text, node, parts, "or", "and")
        case tree.Negation(part=part) | tree.Negative(part=part) | tree.Other(part=part):
            yield node.start, node.end, _inner(text, node, part)
        case tree.Conditional(first=first, second=second):
            yield node.start, node.end, f"({text[first.start : first.end]})"
            yield node.start, node.end, f"({text[second.start : second.end]})"
        case tree.Union(parts=parts):
            yield from _joined(text, node, parts, "|", None)
        case tree.Common(parts=parts):
            yield from _joined(text, node, parts, "&", "|")
        case tree.ClassName(name=name):
            for other in CLASSES.get(name, ()):
                yield node.start, node.end, other
        case tree.ClassLetter(letter=letter) if letter in "ESWN":
            yield node.start, node.end, "SWNE"["ESWN".index(letter)]
        case tree.SubjectIs() | tree.Quantified():
            yield from _said(node, text)
        case tree.Noun() if not isinstance(above, tree.Quantified):
            yield from _noun(node, text)
        case tree.Template(items=items):
            yield from _dropped(text, items)
        case tree.Item(place=place):
            yield from _item(node, place, text)
        case tree.HandTiles(of=of, verb=verb):
            if of in _TILES and not (of == "hand" and verb == "is"):
                words = text[node.start : node.end].replace(of, _TILES[of], 1)
                yield node.start, node.end, words.replace("tiles includes", "tiles include")
            if of != "tiles":
                other = "is" if verb == "includes" else "includes"
                words = text[node.start : node.end].replace(f" {verb} ", f" {other} ", 1)
                yield node.start, node.end, words


def _between(
    text: str, left: tree.Node, right: tree.Node, sign: str, others: tuple[str, ...]
) -> Iterator[Edit]:
    """Another sign between two parts, which may stand in brackets."""
    at = text.find(sign, left.end, right.start)
    if at >= 0:
        for other in others:
            yield at, at + len(sign), other


def _joined(
    text: str, node: tree.Node, parts: tuple[tree.Node, ...], sign: str, other: str | None
) -> Iterator[Edit]:
    """Each part left out, and each sign between two parts turned into another."""
    yield from _dropped(text, parts)
    if other is None:
        return
    for place in range(1, len(parts)):
        # Brackets keep the rest together: `a and b or c` would be read another way.
        left = _span_of(text, parts[0], parts[place - 1], node)
        right = _span_of(text, parts[place], parts[-1], node)
        yield node.start, node.end, f"({left}) {other} ({right})"


def _span_of(text: str, first: tree.Node, last: tree.Node, node: tree.Node) -> str:
    """The words from one part to another with the brackets that belong to them."""
    start, end = first.start, last.end
    while text[start:end].count("(") > text[start:end].count(")") and end < node.end:
        end += 1
    while text[start:end].count(")") > text[start:end].count("(") and start > node.start:
        start -= 1
    return text[start:end]


def _dropped(text: str, parts: tuple[tree.Node, ...]) -> Iterator[Edit]:
    """Each of several parts left out, with the sign before or after it."""
    if len(parts) < 2:
        return
    yield _start(text, parts[0]), _start(text, parts[1]), ""
    for before, part in pairwise(parts):
        yield _end(text, before), _end(text, part), ""


def _start(text: str, node: tree.Node) -> int:
    """Where a part starts, an opening bracket around it alone included."""
    return _with_brackets(text, node)[0]


def _end(text: str, node: tree.Node) -> int:
    return _with_brackets(text, node)[1]


def _with_brackets(text: str, node: tree.Node) -> tuple[int, int]:
    """A part with the brackets around it."""
    start, end = node.start, node.end
    while True:
        before, after = text[:start].rstrip(), text[end:]
        close = len(after) - len(after.lstrip())
        is_call = bool(re.search(r"(min|max|round_up|round_down)\s*\($", before))
        if before.endswith("(") and not is_call and after.lstrip().startswith(")"):
            start, end = len(before) - 1, end + close + 1
        else:
            return start, end


def _inner(text: str, node: tree.Node, part: tree.Node) -> str:
    """What stands after a sign, with its brackets."""
    start, end = _with_brackets(text, part)
    return text[max(start, node.start) : max(end, part.end)]


# ---- what is said of tiles and groups -------------------------------------------------------


def _said(node: tree.SubjectIs | tree.Quantified, text: str) -> Iterator[Edit]:
    start, end = _with_brackets(text, node.klass)
    klass = text[start:end]
    if isinstance(node, tree.SubjectIs):
        said = "is" if node.negated else "is not"
        yield node.start, max(node.end, end), f"{node.subject.name} {said} {klass}"
        return
    stop = max(node.end, end)
    for quantifier in ("all", "some", "no"):
        if quantifier != node.quantifier:
            yield node.start, stop, _quantified(quantifier, node, klass, node.negated)
    if node.verb == "is":
        yield node.start, stop, _quantified(node.quantifier, node, klass, not node.negated)
    elif node.verb == "has":
        words = _quantified(node.quantifier, node, klass, False)
        yield node.start, stop, re.sub(r"\b(has|have)\b", _plain_verb, words, count=1)
    for status in ("claimed", "concealed"):
        if node.noun.status != status and node.noun.kind in ("set", "triplet", "group", "kong"):
            other = tree.Noun(node.noun.start, node.noun.end, status, node.noun.kind)
            words = _words_of(node.quantifier, other, node.verb, node.negated, klass)
            yield node.start, stop, words
    if node.noun.status is not None:
        plain = tree.Noun(node.noun.start, node.noun.end, None, node.noun.kind)
        yield node.start, stop, _words_of(node.quantifier, plain, node.verb, node.negated, klass)


def _plain_verb(found: re.Match[str]) -> str:
    return "is" if found.group() == "has" else "are"


def _quantified(quantifier: str, node: tree.Quantified, klass: str, negated: bool) -> str:
    return _words_of(quantifier, node.noun, node.verb, negated, klass)


def _words_of(quantifier: str, noun: tree.Noun, verb: str, negated: bool, klass: str) -> str:
    status = f"{noun.status} " if noun.status else ""
    is_not = " not" if negated else ""
    if quantifier == "all":
        said = "are" if verb == "is" else "have"
        return f"all {status}{noun.kind}s {said}{is_not} {klass}"
    return f"{quantifier} {status}{noun.kind} {verb}{is_not} {klass}"


def _noun(node: tree.Noun, text: str) -> Iterator[Edit]:
    """Another kind or status of what is counted."""
    for kind in KINDS.get(node.kind, ()):
        status = f"{node.status} " if node.status and kind in ("set", "triplet", "kong") else ""
        yield node.start, node.end, f"{status}{kind}s"
    if node.kind in ("set", "sequence", "triplet", "kong", "group"):
        for status in ("concealed ", "claimed ", ""):
            if status.strip() != (node.status or ""):
                yield node.start, node.end, f"{status}{node.kind}s"


def _item(node: tree.Item, place: tree.Node, text: str) -> Iterator[Edit]:
    """Another kind, status or place of one group of a template."""
    status = f"{node.status} " if node.status else ""
    at = text[place.start : place.end]
    for kind in ("sequence", "triplet", "pair"):
        if kind != node.kind:
            yield node.start, node.end, f"{status}{kind} {at}"
    if node.status:
        yield node.start, node.end, f"{node.kind} {at}"
    match place:
        case tree.Ranked(rank=rank, offset=offset, suit=suit):
            other = _SUITS[(_SUITS.index(suit) + 1) % len(_SUITS)]
            yield place.start, place.end, _ranked(rank, offset, other)
            yield place.start, place.end, _ranked(rank, offset + 1, suit)
            if offset:
                yield place.start, place.end, _ranked(rank, offset - 1, suit)
        case tree.ClassTiles(tiles=tiles) if len(tiles) == 2 and tiles[1] in _SUITS + "mps":
            for step in (1, -1):
                if 1 <= int(tiles[0]) + step <= 9:
                    yield place.start, place.end, f"{int(tiles[0]) + step}{tiles[1]}"
            if tiles[1] in _SUITS:
                other = _SUITS[(_SUITS.index(tiles[1]) + 1) % len(_SUITS)]
                yield place.start, place.end, tiles[0] + other
        case tree.ClassLetter(letter=letter):
            yield place.start, place.end, "B" if letter == "A" else "A"


def _ranked(rank: str, offset: int, suit: str) -> str:
    return f"{rank}+{offset}{suit}" if offset else f"{rank}{suit}"
