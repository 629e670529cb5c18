"""Reads the text of a sentence or a class into its syntax tree.

The grammar is data (`grammar/condition.lark`), and so are the sentences that explain a
mistake (`grammar/mistakes.json`): each of them lists texts with that mistake, and a wrong
text is explained by the example that stops at the same word while the same words were possible.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from ruleengine.data import data_folder
from ruleengine.frozen import frozen
from ruleengine.language import tree
from ruleengine.language.sums import evened
from ruleengine.language.vocabulary import FACTS, ROLES, SITUATION_CLASSES, SUBJECTS, WAITS, WAYS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lark import Lark, Token, Tree

Entry = Literal["sentence", "klass"]

MAX_LENGTH = 2000
"""Characters in one sentence."""
MAX_DEPTH = 40
"""Parts of a sentence inside one another; brackets inside brackets, too."""
MAX_NUMBER = 1_000_000_000
"""The largest number that may be written."""


@frozen
class Problem:
    """A mistake inside one sentence; `start` and `end` are offsets into its text."""

    code: str
    message: str
    start: int
    end: int
    help: str | None = None


class SentenceError(Exception):
    """A text that is no sentence; carries the one `Problem` that stopped the reading."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def parse(text: str, entry: Entry = "sentence") -> tree.Node:
    """Read a sentence (`entry="sentence"`) or a class of tiles (`entry="klass"`).

    Raises `SentenceError` for anything that is not exactly one of them.
    """
    return measured(text, entry)[0]


def measured(text: str, entry: Entry) -> tuple[tree.Node, int]:
    """The same as `parse`, with the number of parts that it has inside one another."""
    parsed = _parsed(text, entry)
    depth = _depth(parsed)
    return _build(parsed), depth


def depth_at(text: str, entry: Entry, at: int) -> int:
    """How many parts of a sentence or a class stand around a place of its text, the one that begins
    there among them.

    Raises `SentenceError` for anything that is neither.
    """
    from lark import Tree

    node, depth = _parsed(text, entry), 1
    while True:
        inner = (child for child in node.children if isinstance(child, Tree))
        found = next((c for c in inner if c.meta.start_pos <= at < c.meta.end_pos), None)
        if found is None:
            return depth
        node, depth = found, depth + 1


def _parsed(text: str, entry: Entry) -> Tree[Any]:
    """The parser's tree of a text. Raises `SentenceError`."""
    if len(text) > MAX_LENGTH:
        message = f"this sentence has {len(text)} characters; {MAX_LENGTH} is the most allowed"
        raise SentenceError(Problem("E144", message, 0, len(text)))
    if not text.strip():
        message = "a sentence is missing here"
        raise SentenceError(Problem("E142", message, 0, len(text)))
    _check_brackets(text)
    from lark.exceptions import UnexpectedInput

    try:
        parsed = condition_parser().parse(text, start=entry)
    except UnexpectedInput as error:
        raise SentenceError(_explain(error, text, entry)) from None
    return evened(parsed)


def parses(text: str, entry: Entry) -> bool:
    """Whether a text can be read as a sentence, or as a class of tiles."""
    return len(text) <= MAX_LENGTH and _reached(text, entry) is None


@cache
def condition_parser() -> Lark:
    """The parser of the language, made once."""
    from lark import Lark

    grammar = (data_folder("grammar") / "condition.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer="basic",
        start=["sentence", "klass"],
        propagate_positions=True,
        maybe_placeholders=False,
    )


# ---- mistakes ----------------------------------------------------------------------


@cache
def mistakes() -> tuple[dict[str, Any], ...]:
    """The table of known mistakes: code, message, help and example texts of each.

    In a message, FOUND stands for the word that is wrong and AFTER for where it was found
    ("after 'and'"). A mistake of the `whole` is shown at all that is written there without a space.
    One with words that stand `before` a sentence is that only where what follows them is right.
    """
    text = (data_folder("grammar") / "mistakes.json").read_text(encoding="utf-8")
    return tuple(json.loads(text))


@cache
def _explanations() -> dict[tuple[frozenset[str], str | None], dict[str, Any]]:
    """The mistake for the words that were possible and the kind of word that was found.

    Under None stands the first mistake listed for the possible words: it explains every kind
    of word that no example has.
    """
    from lark.exceptions import UnexpectedToken

    found: dict[tuple[frozenset[str], str | None], dict[str, Any]] = {}
    for mistake in mistakes():
        for example in mistake["examples"] if "before" not in mistake else ():
            try:
                condition_parser().parse(example, start=mistake["entry"])
            except UnexpectedToken as error:
                expected = frozenset(error.expected)
                found.setdefault((expected, error.token.type), mistake)
                found.setdefault((expected, None), mistake)
    return found


def _explain(error: Any, text: str, entry: Entry) -> Problem:
    from lark.exceptions import UnexpectedCharacters

    if isinstance(error, UnexpectedCharacters):
        at: Any = error.pos_in_stream
        return _explain_character(text, at)
    at_end = error.token.type == "$END"
    start = len(text.rstrip()) if at_end else error.token.start_pos
    end = start + 1 if at_end else start + len(error.token)
    if not at_end and (foreign := _explain_sign(text, start)) is not None:
        return foreign
    slip = _explain_slip(error, text, entry) or _explain_pieces(text, start, entry)
    if slip is not None:
        return slip
    known = _explanations()
    expected = frozenset(error.expected)
    mistake = known.get((expected, error.token.type)) or known.get((expected, None))
    mistake = _before_a_sentence(text, start, entry) or mistake
    shown = "the end of the sentence" if at_end else f"'{error.token}'"
    if mistake is None:
        return Problem("E140", f"{shown} cannot stand here", start, end)
    before = re.search(r"((?:[rq]\+)?\w+|[<>!]?=|\S)\s*\Z", text[:start])
    place = f"after '{before[1]}'" if before else "at the beginning"
    message = mistake["message"].replace("FOUND", shown).replace("AFTER", place)
    if mistake.get("whole"):
        start, end = _whole(text, start)
    return Problem(mistake["code"], message, start, end, mistake.get("help"))


def _before_a_sentence(text: str, at: int, entry: Entry) -> dict[str, Any] | None:
    """The mistake of a word that stands before what is a sentence without it."""
    word = text[:at].strip()
    for mistake in mistakes():
        if mistake["entry"] == entry and word in mistake.get("before", ()):
            return mistake if parses(text[at:], entry) else None
    return None


def _explain_slip(error: Any, text: str, entry: Entry) -> Problem | None:
    """A word of the language that is misspelt: the one that cannot stand there, or the one before
    it. It is surely that one where the text can be read further with it."""
    from ruleengine.diagnostics import suggest

    at = error.token.start_pos
    if at is None or error.token.type == "$END":
        at = len(text)
    before = re.search(r"\w+(?=\s*\Z)", text[:at])
    found = re.match(r"\w+", text[at:])
    for start, word in (
        (before.start(), before[0]) if before else (0, ""),
        (at, found and found[0]),
    ):
        if not word or word in _words():
            continue
        meant = suggest(word, _words())
        if meant is None:
            continue
        end = start + len(word)
        reached = _reached(f"{text[:start]}{meant}{text[end:]}", entry)
        if reached is None or reached > at + (len(meant) - len(word)) * (start < at):
            message = f"'{word}' is not a word of the language"
            return Problem("E141", message, start, end, f"did you mean '{meant}'?")
    return None


def _explain_pieces(text: str, at: int, entry: Entry) -> Problem | None:
    """A word of the language that is written as two, such as `self-draw`."""
    for word in _words_with_joints():
        for found in re.finditer(rf"\b{word.replace('_', '[ -]')}\b", text):
            start, end = found.span()
            if start <= at <= end:
                reached = _reached(f"{text[:start]}{word}{text[end:]}", entry)
                if reached is None or reached >= end:
                    message = f"'{found[0]}' is not a word of the language"
                    return Problem("E141", message, start, end, f"write '{word}'")
    return None


@cache
def _words_with_joints() -> tuple[str, ...]:
    """The words that are written with `_`."""
    named = (*FACTS, *WAYS, *WAITS, *SUBJECTS, *SITUATION_CLASSES, *ROLES)
    return tuple(dict.fromkeys(word for word in (*named, *keywords()) if "_" in word))


@cache
def keywords() -> Mapping[str, str]:
    """The words and signs that the grammar spells out, each with its terminal."""
    return {
        terminal.pattern.value: terminal.name
        for terminal in condition_parser().terminals
        if terminal.pattern.type == "str"
    }


@cache
def _words() -> frozenset[str]:
    """The words of the grammar."""
    return frozenset(word for word in keywords() if word.isidentifier())


def _reached(text: str, entry: Entry) -> int | None:
    """How far a text can be read; None where it can be to its end."""
    from lark.exceptions import UnexpectedInput, UnexpectedToken

    try:
        condition_parser().parse(text, start=entry)
    except UnexpectedToken as error:
        at = error.token.start_pos
        return len(text) if at is None or error.token.type == "$END" else at
    except UnexpectedInput as error:
        return error.pos_in_stream
    return None


def _whole(text: str, at: int) -> tuple[int, int]:
    """Where what is written without a space around an offset starts and ends."""
    first = re.search(r"[^\s,]*\Z", text[:at])
    rest = re.match(r"[^\s,]*", text[at:])
    assert first is not None
    assert rest is not None
    return first.start(), at + rest.end()


_SIGNS = {
    "&&": "write 'and' between two sentences, '&' between two classes of tiles",
    "||": "write 'or' between two sentences, '|' between two classes of tiles",
    "==": "write '='",
    "=>": "write '>='",
    "=<": "write '<='",
    "<>": "write '!='",
    "**": "there is no such sign; write the multiplication out",
}
_CHARACTERS = {
    "!": "write 'not' before a sentence, '~' before a class of tiles",
    **dict.fromkeys("'\"`‘’“”「」", "names and tiles are written without quotes"),
    "^": "there is no such sign; write the multiplication out",
    "/": "there is no division; use round_up or round_down, or multiply the other side",
    "[": "groups are spoken of with 'has', for example: has triplet rx, triplet ry",
    **dict.fromkeys(".。", "numbers are whole, and a sentence ends without a full stop"),
    "%": "numbers are whole",
    "≥": "write '>='",
    "≤": "write '<='",
    "≠": "write '!='",
    "×": "write '*'",
    "−": "write '-'",
    "–": "write '-'",
    "、": "write ','",
}


_OWN_SIGNS = frozenset("()+-*,|&~<>=")


def _explain_sign(text: str, at: int) -> Problem | None:
    """A sign of two characters that other languages have and this one reads as two signs."""
    for start in (at - 1, at):
        sign = text[max(start, 0) : start + 2]
        if sign in _SIGNS:
            message = f"'{sign}' is not a sign of the language"
            return Problem("E141", message, start, start + 2, _SIGNS[sign])
    return None


def _explain_character(text: str, at: int) -> Problem:
    word = re.match(r"\w+", text[at:])
    if word:
        begun = re.search(r"\w*\Z", text[:at])
        start = begun.start() if begun else at
        return _explain_word(text[start : at + word.end()], start)
    sign = text[at]
    plain = unicodedata.normalize("NFKC", sign)
    help_line = _CHARACTERS.get(sign)
    if help_line is None and plain != sign and plain.isascii():
        if not plain.strip():
            help_line = "write a space"
        elif plain in _OWN_SIGNS:
            help_line = f"write '{plain}', not the full-width sign"
        else:
            help_line = _CHARACTERS.get(plain)
    shown = f'"{sign}"' if sign == "'" else f"'{sign}'"
    if not sign.isprintable():
        shown = f"the character U+{ord(sign):04X}"
    return Problem("E141", f"{shown} is not a sign of the language", at, at + 1, help_line)


def _explain_word(word: str, at: int) -> Problem:
    end = at + len(word)
    plain = unicodedata.normalize("NFKC", word)
    if re.match("[0-9]", word) and word.isascii():
        message = f"'{word}' is neither a number nor tiles"
        help_line = "tiles are ranks from 1 to 9, then the letter of a suit, such as 19m or 5z"
        return Problem("E143", message, at, end, help_line)
    if not word.isascii() and plain.isascii():
        help_line = f"write '{plain}', not full-width letters and digits"
    elif not word.isascii():
        help_line = "a sentence is written in English words, its tiles as in 19m or 5z"
    elif word != word.lower() and (word.isupper() or word[1:].islower()):
        help_line = f"write '{word.lower()}'; only the letter of a tile or a seat is a capital"
    else:
        help_line = "a name has small letters, digits and '_', a letter first"
    return Problem("E141", f"'{word}' is not a word of the language", at, end, help_line)


def _check_brackets(text: str) -> None:
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth > MAX_DEPTH:
            message = f"more than {MAX_DEPTH} brackets are open inside one another"
            raise SentenceError(Problem("E145", message, at, at + 1, _GIVE_A_NAME))


_GIVE_A_NAME = "give a part a name under 'terms:' and use the name"


def _depth(parsed: Tree[Any]) -> int:
    """How many parts stand inside one another. Raises `SentenceError` for too many."""
    from lark import Tree

    deepest = 1

    pending: list[tuple[Tree[Any], int]] = [(parsed, 1)]
    while pending:
        node, depth = pending.pop()
        if depth > MAX_DEPTH:
            message = f"this sentence has more than {MAX_DEPTH} parts inside one another"
            start, end = node.meta.start_pos, node.meta.end_pos
            raise SentenceError(Problem("E145", message, start, end, _GIVE_A_NAME))
        deepest = max(deepest, depth)
        pending.extend((c, depth + 1) for c in node.children if isinstance(c, Tree))
    return deepest


# ---- from the parser's tree to ours ------------------------------------------------

_SINGULAR = {
    "sequences": "sequence",
    "triplets": "triplet",
    "kongs": "kong",
    "pairs": "pair",
    "sets": "set",
    "groups": "group",
    "tiles": "tile",
    "flowers": "flower",
    "seats": "seat",
}
_QUANTIFIED = {
    "all_are": ("all", "is", False),
    "all_are_not": ("all", "is", True),
    "all_have": ("all", "has", False),
    "some_is": ("some", "is", False),
    "some_is_not": ("some", "is", True),
    "some_has": ("some", "has", False),
    "no_is": ("no", "is", False),
    "no_is_not": ("no", "is", True),
    "no_has": ("no", "has", False),
}
_HAND_TILES = {
    "hand_is": ("hand", "is"),
    "hand_includes": ("hand", "includes"),
    "hand_before_win_is": ("hand before win", "is"),
    "hand_before_win_includes": ("hand before win", "includes"),
    "tiles_include": ("tiles", "includes"),
}


def _build(parsed: Any) -> tree.Node:
    start, end = parsed.meta.start_pos, parsed.meta.end_pos
    children = parsed.children
    rule = str(parsed.data)
    if rule in _QUANTIFIED:
        quantifier, verb, negated = _QUANTIFIED[rule]
        noun = _noun(children[0])
        return tree.Quantified(
            start,
            end,
            quantifier,  # type: ignore[arg-type]
            noun,
            verb,  # type: ignore[arg-type]
            negated,
            _build(children[1]),
        )
    if rule in _HAND_TILES:
        of, verb = _HAND_TILES[rule]
        return tree.HandTiles(start, end, of, verb, str(children[0]))  # type: ignore[arg-type]
    return _BUILDERS[rule](start, end, children)


def _noun(parsed: Tree[Any]) -> tree.Noun:
    words = [str(word) for word in parsed.children]
    kind = _SINGULAR.get(words[-1], words[-1])
    status = words[0] if len(words) == 2 else None
    return tree.Noun(
        parsed.meta.start_pos,
        parsed.meta.end_pos,
        status,  # type: ignore[arg-type]
        kind,
    )


def _number(start: int, end: int, children: list[Token]) -> tree.Node:
    value = int(children[0])
    if value > MAX_NUMBER:
        message = f"this number is larger than {MAX_NUMBER:,}, the largest allowed"
        raise SentenceError(Problem("E146", message, start, end))
    return tree.Number(start, end, value)


def _parts(children: list[Any]) -> tuple[tree.Node, ...]:
    return tuple(_build(child) for child in children)


def _subject(children: list[Any]) -> tree.Name:
    meta = children[0].meta
    return tree.Name(meta.start_pos, meta.end_pos, str(children[0].children[0]))


def _optional(children: list[Any], index: int) -> tree.Node | None:
    return _build(children[index]) if len(children) > index else None


def _item(start: int, end: int, children: list[Any]) -> tree.Item:
    status = str(children[0]) if len(children) == 3 else None
    return tree.Item(
        start,
        end,
        status,  # type: ignore[arg-type]
        str(children[-2]),
        _build(children[-1]),
    )


def _ranked(start: int, end: int, children: list[Token]) -> tree.Node:
    text = str(children[0])
    return tree.Ranked(start, end, text[0], int(text[2]) if "+" in text else 0, text[-1])


def _call(function: str) -> Callable[[int, int, list[Any]], tree.Node]:
    def build(start: int, end: int, children: list[Any]) -> tree.Node:
        return tree.Call(start, end, function, _parts(children[0].children))

    return build


def _arithmetic(sign: str) -> Callable[[int, int, list[Any]], tree.Node]:
    def build(start: int, end: int, children: list[Any]) -> tree.Node:
        return tree.Arithmetic(start, end, _build(children[0]), sign, _build(children[1]))

    return build


def _class_kind(start: int, end: int, children: list[Token]) -> tree.Node:
    return tree.ClassKind(start, end, _SINGULAR.get(str(children[0]), str(children[0])))


_BUILDERS: dict[str, Callable[[int, int, list[Any]], tree.Node]] = {
    "number": _number,
    "true": lambda s, e, c: tree.Truth(s, e, True),
    "false": lambda s, e, c: tree.Truth(s, e, False),
    "name": lambda s, e, c: tree.Name(s, e, str(c[0])),
    "conditional": lambda s, e, c: tree.Conditional(s, e, *_parts(c)),
    "either": lambda s, e, c: tree.Either(s, e, _parts(c)),
    "both": lambda s, e, c: tree.Both(s, e, _parts(c)),
    "negation": lambda s, e, c: tree.Negation(s, e, _build(c[0])),
    "comparison": lambda s, e, c: tree.Comparison(s, e, _build(c[0]), str(c[1]), _build(c[2])),
    "plus": _arithmetic("+"),
    "minus": _arithmetic("-"),
    "multiply": _arithmetic("*"),
    "negative": lambda s, e, c: tree.Negative(s, e, _build(c[0])),
    "smallest": _call("min"),
    "largest": _call("max"),
    "round_up": _call("round_up"),
    "round_down": _call("round_down"),
    "count": lambda s, e, c: tree.Count(s, e, _noun(c[0]), _optional(c, 1)),
    "sum_ranks": lambda s, e, c: tree.SumRanks(s, e, _optional(c, 0)),
    "subject_is": lambda s, e, c: tree.SubjectIs(s, e, _subject(c), False, _build(c[1])),
    "subject_is_not": lambda s, e, c: tree.SubjectIs(s, e, _subject(c), True, _build(c[1])),
    "win_by": lambda s, e, c: tree.WinBy(s, e, _build(c[0])),
    "template": lambda s, e, c: tree.Template(
        s, e, tuple(_item(i.meta.start_pos, i.meta.end_pos, i.children) for i in c)
    ),
    "place_ranked": _ranked,
    "class_name": lambda s, e, c: tree.ClassName(s, e, str(c[0])),
    "class_tiles": lambda s, e, c: tree.ClassTiles(s, e, str(c[0])),
    "class_letter": lambda s, e, c: tree.ClassLetter(s, e, str(c[0])),
    "class_status": lambda s, e, c: tree.ClassStatus(s, e, str(c[0])),  # type: ignore[arg-type]
    "class_kind": _class_kind,
    "union": lambda s, e, c: tree.Union(s, e, _parts(c)),
    "common": lambda s, e, c: tree.Common(s, e, _parts(c)),
    "other": lambda s, e, c: tree.Other(s, e, _build(c[0])),
}
