"""Which words a sentence that has only begun may go on with.

Nothing here knows what a word means: a word is right where the text with it can still become a
sentence that the parser reads and the checker takes. The rest of the sentence is searched for among
a few words that stand for all others (`_fillers`); only the part of the text that is still open is
gone through. What is read and checked for one question of an editor is bounded (`Work`): where
that is spent, as it is only after a sentence that nobody would read, a word is right that the
grammar takes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from ruleengine.language import meaning as m
from ruleengine.language.check import check_class, check_sentence
from ruleengine.language.syntax import (
    MAX_DEPTH,
    MAX_LENGTH,
    SentenceError,
    condition_parser,
    keywords,
    parse,
)
from ruleengine.language.vocabulary import ROLES, WAITS, WAYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lark import Token

    from ruleengine.language.check import Names
    from ruleengine.language.syntax import Entry, Problem
    from ruleengine.language.vocabulary import Context

    Written = tuple[str, str]
    """A terminal of the grammar and its text."""
    Stack = tuple[int, ...]
    """The states of the parser, the one it is in the last."""
    Rests = Mapping[m.Type, list[Written]]
    """What an open sentence may be, each with words that complete the text after it."""

_DEEPEST = 12
"""Words that a begun sentence is completed by at most: `if` needs five more, and brackets."""
_MOST = 400
"""Steps of the search for the rest of one sentence."""
MOST_WORDS = 12_000
"""Words that are read and checked for one question of an editor: several times what any
sentence of the shipped rulesets needs, about half a second."""
_NESTING = frozenset({"NOT", "AND", "OR", "IF"})
"""Terminals after which a sentence is a part of another."""
_BOTH: Rests = {"truth": [], "number": []}
_STARTS = "SOME"
"""A terminal that nothing but a sentence begins with, so that where it may stand one begins."""
_TYPES: Mapping[m.Type, Written] = {"truth": ("TRUE", "true"), "number": ("NUMBER", "1")}
_NOUNS = frozenset({"KONG", "KONGS", "TILE", "EACH_TILE", "SEAT", "SEATS"})
"""Nouns that stand for all others: kongs and tiles are known wherever any are."""
_JOINS = (
    *("IS", "ARE", "INCLUDES", "INCLUDE", "BY", "RANKS", "WIN"),
    *("THEN", "ELSE", "RPAR", "COMPARISON", "COMMA"),
)
"""What may be needed between words, in the order in which it is tried."""


@dataclass(slots=True)
class Work:
    """How many words may still be read and checked; several begun sentences may share it."""

    left: int = MOST_WORDS

    @property
    def spent(self) -> bool:
        """Whether no more are."""
        return self.left <= 0


@dataclass(slots=True, eq=False, repr=False)
class Following:
    """The places after a begun sentence, or class of tiles (`entry`).

    `expected` is what the whole has to be, None where it may be a truth or a number. Where `work`
    is spent, whatever the grammar takes may come next.
    """

    before: str
    entry: Entry
    names: Names
    context: Context
    expected: m.Type | None
    work: Work = field(default_factory=Work)
    _tokens: Sequence[Written] = ()
    _open: list[tuple[int, Rests]] = field(default_factory=list)
    _stacks: dict[int, Stack | None] = field(default_factory=dict)
    _here: Stack | None = None
    _lenient: bool = False
    _steps: int = 0

    def __post_init__(self) -> None:
        self._begin()

    @property
    def names_things(self) -> bool:
        """Whether a class, a shape, a wait and the like is named here, rather than a sentence
        begun."""
        return self._here is not None and "NUMBER" not in _table()[self._here[-1]]

    @property
    def may_go_on(self) -> bool:
        """Whether what is written can be completed at all."""
        self._lenient = False
        if self.work.spent:
            return self._here is not None
        for at, around in reversed(self._open):
            stack = self._stack_from(at)
            if stack is not None:
                return self._rest(stack, self._tokens[at:], around) is not None
        return False

    def words(self, candidates: Mapping[str, object], lenient: bool = False) -> list[str]:
        """Those of some words that may come next.

        Each has a key: words of one key are alike, and one of them is tried for all. `lenient`
        passes over the mistakes of what is written, where it cannot be completed as it is.
        """
        self._lenient = lenient
        known: dict[object, bool] = {}
        for word, key in candidates.items():
            if key not in known:
                known[key] = self._rest_after(word) is not None or (
                    self.work.spent and self._is_taken(word)
                )
        return [word for word, key in candidates.items() if known[key]]

    def whole(self, word: str) -> str | None:
        """A sentence that begins with what is written and a word; None where there is none."""
        self._lenient = False
        rest = self._rest_after(word)
        return None if rest is None else " ".join([self.before, word, *(text for _, text in rest)])

    # ---- what has been written ----------------------------------------------------------

    def _begin(self) -> None:
        """Read the text before the place, and find the sentences that are open in it."""
        tokens = _begun(self.before) if len(self.before) <= MAX_LENGTH else None
        if tokens is None:
            return
        stack = _stack(self.entry)
        starts: list[int] = []
        for at, (terminal, _) in enumerate(tokens):
            following = _shifted(stack, terminal)
            if following is None:
                return
            stack = following
            starts[len(stack) - 2 :] = [at]
        self._tokens = tokens
        starts.append(len(tokens))
        if self._is_too_deep(starts):
            return
        self._here = stack
        whole: Rests = _BOTH if self.expected is None else {self.expected: []}
        self._open = [(0, whole)]
        for at, state in zip(starts, stack, strict=True):
            if at and _STARTS in _table()[state]:
                self._open.append((at, self._rests(at)))

    def _is_too_deep(self, starts: list[int]) -> bool:
        """Whether more parts are open inside one another than any sentence may have."""
        before = [self._tokens[at - 1][0] for at in starts if at]
        nested = sum(terminal in _NESTING for terminal in before)
        return nested >= MAX_DEPTH or before.count("LPAR") > MAX_DEPTH

    def _stack_from(self, at: int) -> Stack | None:
        """The states after all that is written from a token on, as a text of its own."""
        if at not in self._stacks:
            self._stacks[at] = _read(self.entry, self._tokens[at:])
        return self._stacks[at]

    def _rests(self, end: int) -> Rests:
        """What a sentence that begins at a token may be, for those around it to be right."""
        if self.work.spent:
            return _BOTH
        for self._lenient in (False, True):
            for at, around in reversed(self._open):
                parts = self._tokens[at:end]
                stack = _read(self.entry, parts)
                if stack is None:
                    continue
                tried = {t: self._with(stack, parts, x, around) for t, x in _TYPES.items()}
                found = {t: rest for t, rest in tried.items() if rest is not None}
                if found:
                    return found
                break
        return _BOTH

    # ---- trying -------------------------------------------------------------------------

    def _rest_after(self, word: str) -> list[Written] | None:
        written = _written(word)
        if self.work.spent or written is None or not self._is_taken(word):
            return None
        for at, around in reversed(self._open):
            stack = self._stack_from(at)
            if stack is not None and _shifted(stack, written[0]) is not None:
                return self._with(stack, self._tokens[at:], written, around)
        return None

    def _is_taken(self, word: str) -> bool:
        """Whether the grammar takes a word next."""
        written = _written(word)
        if self._here is None or written is None:
            return False
        return _shifted(self._here, written[0]) is not None

    def _with(
        self, stack: Stack, parts: Sequence[Written], word: Written, around: Rests
    ) -> list[Written] | None:
        """Words that complete some words that were read and one more."""
        following = _shifted(stack, word[0])
        return None if following is None else self._rest(following, [*parts, word], around)

    def _rest(self, stack: Stack, words: Sequence[Written], around: Rests) -> list[Written] | None:
        """Words that complete some words that were read to a sentence that fits what is around it,
        and that as well."""
        self._steps = _MOST
        return self._search(stack, words, [], around)

    def _search(
        self, stack: Stack, words: Sequence[Written], added: list[Written], around: Rests
    ) -> list[Written] | None:
        """How some words that were read, the one to try the last of them, can be completed beyond
        what was `added` to them."""
        self._steps -= 1
        choices = _table()[stack[-1]]
        whole = _ends(self.entry, stack)
        if whole:
            outcome = self._judge(words, added, around)
            if isinstance(outcome, list):
                return [*added, *outcome]
            if not outcome and "IS" not in choices:
                return None
        if len(added) >= _DEEPEST:
            return None
        for written in self._fillers(choices, added, whole):
            if self._steps <= 0 or self.work.spent:
                return None
            following = _shifted(stack, written[0])
            if following is None:
                continue
            found = self._search(following, words, [*added, written], around)
            if found is not None:
                return found
        return None

    def _fillers(
        self, choices: Mapping[str, object], added: list[Written], whole: bool
    ) -> Iterator[Written]:
        """Words that stand for all that may come next."""
        if "NUMBER" in choices:
            yield from (word for word in _TYPES.values() if word[0] in choices)
            return
        if "NAME" in choices:
            roles = [role for role, (_, places) in ROLES.items() if self.context in places]
            shapes = list(self.names.shapes)[:1]
            for name in ("honor", *roles[:1], *list(WAYS)[:1], *list(WAITS)[:1], *shapes):
                yield "NAME", name
        elif "LPAR" in choices:
            yield "LPAR", "("
        if "LETTER" in choices:
            yield "LETTER", "E"
        if "TILES" in choices and "NAME" not in choices:
            yield "TILES", "1m"
        spelt = _spelling()
        yield from ((name, spelt[name]) for name in choices if name in _NOUNS)
        for name in _JOINS:
            # A template is whole without a further group, and two numbers are enough of any list.
            listed = whole or (len(added) > 1 and added[-2][0] == "COMMA")
            if name in choices and not (name == "COMMA" and listed):
                yield name, spelt.get(name, "=")

    def _judge(
        self, words: Sequence[Written], added: list[Written], around: Rests
    ) -> list[Written] | bool:
        """What completes the text after a whole sentence that has no mistake; else whether more
        words could cure it: what is wrong with the type of its last part, `= 1` may make right.

        Mistakes before the word are passed over where an earlier mistake is; a name that is in
        error elsewhere is none.
        """
        text, places = "", []
        for _, word in (*words, *added):
            places.append(len(text))
            text += f"{word} "
        self.work.left -= len(places)
        try:
            node = parse(text, self.entry)
        except SentenceError:
            return False
        problems: tuple[Problem, ...]
        if self.entry == "klass":
            problems = check_class(node, self.names, self.context).problems
        else:
            checked = check_sentence(node, self.names, self.context, None)
            problems = checked.problems
            if checked.meaning is not None:
                return around.get(m.type_of(checked.meaning), True)
        tried, last = places[len(words) - 1], places[-1]
        told = [
            problem
            for problem in problems
            if problem.code and not (self._lenient and problem.end <= tried)
        ]
        if not told:
            return next(iter(around.values()))
        return all(problem.code == "E202" and problem.end > last for problem in told)


# ---- the parser, step by step ---------------------------------------------------------------
#
# Only the states of the parser are followed: a tree is made where there is a whole sentence.


@cache
def _tables() -> dict[Entry, tuple[Any, int, int]]:
    """What the parser does in each state, and where it begins and ends, for each entry."""
    entries: tuple[Entry, ...] = ("sentence", "klass")
    found: dict[Entry, tuple[Any, int, int]] = {}
    for entry in entries:
        conf = condition_parser().parse_interactive("", start=entry).parser_state.parse_conf
        found[entry] = (conf.states, conf.start_state, conf.end_state)
    return found


@cache
def _spelling() -> Mapping[str, str]:
    """The word or sign of each terminal that is spelt out."""
    return {name: word for word, name in keywords().items()}


def _table() -> Mapping[int, Mapping[str, Any]]:
    table: Mapping[int, Mapping[str, Any]] = _tables()["sentence"][0]
    return table


def _stack(entry: Entry) -> Stack:
    return (_tables()[entry][1],)


def _shifted(stack: Stack, terminal: str) -> Stack | None:
    """The states after one more word; None where it cannot stand there."""
    from lark.parsers.lalr_analysis import Shift

    table = _table()
    while terminal in table[stack[-1]]:
        action, to = table[stack[-1]][terminal]
        if action is Shift:
            return (*stack, to)
        stack = stack[: len(stack) - len(to.expansion)]
        stack = (*stack, table[stack[-1]][to.origin.name][1])
    return None


def _ends(entry: Entry, stack: Stack) -> bool:
    """Whether a text may end here."""
    from lark.parsers.lalr_analysis import Shift

    table, _, end = _tables()[entry]
    while "$END" in table[stack[-1]]:
        action, rule = table[stack[-1]]["$END"]
        if action is Shift:
            return False
        stack = stack[: len(stack) - len(rule.expansion)]
        stack = (*stack, table[stack[-1]][rule.origin.name][1])
        if stack[-1] == end:
            return True
    return False


def _read(entry: Entry, words: Sequence[Written]) -> Stack | None:
    """The states after some words; None where they cannot stand so."""
    stack: Stack | None = _stack(entry)
    for terminal, _ in words:
        stack = None if stack is None else _shifted(stack, terminal)
    return stack


def lexed(text: str) -> Iterator[Token]:
    """The words and signs of a text, whether or not they are a sentence.

    Raises `lark.exceptions.UnexpectedInput` for what is neither.
    """
    cursor = condition_parser().parse_interactive(text, start="sentence")
    tokens: Iterator[Token] = cursor.lexer_thread.lex(cursor.parser_state)  # type: ignore[no-untyped-call]
    return tokens


@cache
def _written(word: str) -> Written | None:
    """A word with its terminal; None where it is not one word of the language."""
    words = _words_of(word)
    return words[0] if words is not None and len(words) == 1 else None


@lru_cache(maxsize=4)
def _begun(text: str) -> tuple[Written, ...] | None:
    """The same as `_words_of`, read once for all that is tried after it."""
    return _words_of(text)


def _words_of(text: str) -> tuple[Written, ...] | None:
    """The words of a text, each with its terminal; None where something is no word."""
    from lark.exceptions import UnexpectedInput

    try:
        return tuple((token.type, str(token)) for token in lexed(text))
    except UnexpectedInput:
        return None
