"""Which words a sentence that has only begun may go on with.

Nothing here knows what a word means: a word is right where the text with it can still become a
sentence that the parser reads and the checker takes. The sentences that are open inside one another
are gone through once, from the outside in: for each, a few words that stand for any sentence tell
what it may be for the one around it to be right. Then a word is judged in the innermost one alone.
The rest of a sentence is searched for among a few words that stand for all others (`_fillers`).
What is read and checked for one question of an editor is bounded (`Work`): where that is spent,
as it is only after hundreds of words of one list, a word is right that the grammar takes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Literal

from ruleengine.language import meaning as m
from ruleengine.language.check import check_class, check_sentence
from ruleengine.language.syntax import (
    MAX_DEPTH,
    MAX_LENGTH,
    SentenceError,
    condition_parser,
    depth_at,
    keywords,
    measured,
)
from ruleengine.language.vocabulary import ROLES, WAITS, WAYS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lark import Token

    from ruleengine.language import tree
    from ruleengine.language.check import Names
    from ruleengine.language.syntax import Entry, Problem
    from ruleengine.language.vocabulary import Context

    Written = tuple[str, str]
    """A terminal of the grammar and its text."""
    Stack = tuple[int, ...]
    """The states of the parser, the one it is in the last."""
    Kind = Literal["truth", "number", "written"]
    """What a sentence is to those around it: a truth, a number, or a number that is written out."""
    Rests = Mapping[Kind, list[Written]]
    """What an open sentence may be, each with words that complete the text after it."""

_DEEPEST = 12
"""Words that a begun sentence is completed by at most: `if` needs five more, and brackets."""
_MOST = 400
"""Steps of the search for the rest of one sentence."""
MOST_WORDS = 12_000
"""Words that are read and checked for one question of an editor: several times what any
sentence of the shipped rulesets needs, about half a second."""
_CHECKING = 8
"""Words that are checked in the time in which one is read."""
_MOST_PLACES = 4 * MAX_DEPTH
"""Places where a sentence begins, one inside the other: brackets and parts each take one, and `if`
has two more that have come to their end."""
_STARTS = "NUMBER"
"""A terminal that nothing but a sentence or a sum begins with: where it may stand, one does."""
_STAND_INS: Mapping[Kind, Written] = {
    "truth": ("TRUE", "true"),
    "number": ("NUMBER", "0"),
    "written": ("NUMBER", "1"),
}
"""A word that stands for any sentence of a kind. A number that has to be written out is 1 or more,
so what is right with 0 is right with one that is reckoned."""
_OF_TYPE: Mapping[m.Type | None, Rests] = {
    "truth": {"truth": []},
    "number": {"number": [], "written": []},
    None: {"truth": [], "number": [], "written": []},
}
"""What a whole sentence may be that has to be a truth, a number, or either."""
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
    _read: dict[tuple[str, Entry], tuple[tree.Node, int] | SentenceError] = field(
        default_factory=dict
    )

    @property
    def spent(self) -> bool:
        """Whether no more are."""
        return self.left <= 0

    def read(self, text: str, entry: Entry) -> tuple[tree.Node, int]:
        """The same as `syntax.measured`, read once. Raises `SentenceError`."""
        known = self._read.get((text, entry))
        words = text.count(" ")
        self.left -= words if known is None else 1 + words // _CHECKING
        if known is None:
            try:
                known = measured(text, entry)
            except SentenceError as error:
                known = error
            self._read[text, entry] = known
        if isinstance(known, SentenceError):
            raise known
        return known


@dataclass(frozen=True, slots=True)
class _Open:
    """A sentence that has begun and not ended.

    It begins at a token (`at`), after so many states of the parser (`level`), inside so many
    `brackets`. `rests` is what it may be, and `depths` how many parts then stand around it, itself
    among them.
    """

    level: int
    at: int
    rests: Rests
    depths: Mapping[Kind, int]
    brackets: int


@dataclass(frozen=True, slots=True)
class _Begun:
    """What is to be completed: the words of a sentence that is open, those that are tried after
    them, and what is around it."""

    parts: Sequence[Written]
    words: Sequence[Written]
    place: _Open
    level: int | None
    """The states before the words, but for one, where they stand for all of a sentence: nothing is
    added to that."""


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
    _open: list[_Open] = field(default_factory=list)
    _stacks: dict[tuple[int, int], Stack | None] = field(default_factory=dict)
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
        return self._may_go_on()

    def words(self, candidates: Mapping[str, object], lenient: bool = False) -> list[str]:
        """Those of some words that may come next.

        Each has a key: words of one key are alike, and one of them is tried for all. `lenient`
        passes over the mistakes of what is written, where it cannot be completed as it is.
        """
        self._lenient = lenient
        if lenient and not self._may_go_on():
            return []
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
        read = _begun_stack(self.before, self.entry)
        if read is None:
            return
        stack, begins = read
        starts = [*begins, len(tokens)]
        levels = [
            level for level, state in enumerate(stack) if level and _STARTS in _table()[state]
        ]
        if len(levels) > _MOST_PLACES:
            return
        self._tokens = tokens
        self._stacks[0, len(tokens)] = stack
        whole = _OF_TYPE[self.expected]
        self._open = [_Open(0, 0, whole, dict.fromkeys(whole, 1), 0)]
        for level in levels:
            at = starts[level]
            if self._stack_of(at) is None:
                # What begins there has come to its end.
                continue
            self._open.append(self._inside(self._open[-1], level, at))
            if not self._open[-1].rests:
                return
        self._here = stack

    def _stack_of(self, at: int, end: int | None = None) -> Stack | None:
        """The states after what is written from a token on, as a text of its own."""
        end = len(self._tokens) if end is None else end
        if (at, end) not in self._stacks:
            self._stacks[at, end] = _read(self.entry, self._tokens[at:end])
        return self._stacks[at, end]

    def _inside(self, outer: _Open, level: int, at: int) -> _Open:
        """The sentence that begins at a token, inside another: what it may be for that to be
        right."""
        parts = self._tokens[outer.at : at]
        brackets = outer.brackets + _bracketed(parts)[1]
        rests: dict[Kind, list[Written]] = {}
        depths: dict[Kind, int] = {}
        for self._lenient in (False, True):
            for kind, word in _STAND_INS.items():
                completed = self._completed([word], outer, at)
                if completed is None:
                    continue
                added, of = completed
                text, places = _joined([*parts, word, *added])
                self.work.left -= len(places)
                rests[kind] = [*added, *outer.rests[of]]
                depths[kind] = (
                    outer.depths[of] + depth_at(text, self.entry, places[-1 - len(added)]) - 1
                )
            if rests:
                break
        if self.work.spent:
            anything = _OF_TYPE[None]
            return _Open(level, at, anything, dict.fromkeys(anything, 1), brackets)
        return _Open(level, at, rests, depths, brackets)

    # ---- trying -------------------------------------------------------------------------

    def _may_go_on(self) -> bool:
        if self.work.spent or self._here is None:
            return self._here is not None
        place = self._open[-1]
        return self._completed((), place) is not None

    def _rest_after(self, word: str) -> list[Written] | None:
        written = _written(word)
        if self.work.spent or written is None or self._here is None:
            return None
        kept = _kept(self._here, written[0])
        for place in reversed(self._open):
            stack = self._stack_of(place.at) if place.level < kept else None
            if stack is not None and _shifted(stack, written[0]) is not None:
                return self._rest([written], place)
        return None

    def _is_taken(self, word: str) -> bool:
        """Whether the grammar takes a word next."""
        written = _written(word)
        if self._here is None or written is None:
            return False
        return _shifted(self._here, written[0]) is not None

    def _rest(self, words: Sequence[Written], place: _Open) -> list[Written] | None:
        """Words that complete an open sentence and some words after it, and what is around it."""
        found = self._completed(words, place)
        return None if found is None else [*found[0], *place.rests[found[1]]]

    def _completed(
        self, words: Sequence[Written], place: _Open, end: int | None = None
    ) -> tuple[list[Written], Kind] | None:
        """Words that complete an open sentence and some words after it to one that fits what is
        around it, and what that is. Up to a token (`end`) where the words stand for all of a
        sentence that begins there."""
        before = self._stack_of(place.at, end)
        stack = before
        for terminal, _ in words:
            stack = None if stack is None else _shifted(stack, terminal)
        if before is None or stack is None:
            return None
        self._steps = _MOST
        level = None if end is None else len(before) - 1
        begun = _Begun(self._tokens[place.at : end], words, place, level)
        return self._search(stack, begun, [])

    def _search(
        self, stack: Stack, begun: _Begun, added: list[Written]
    ) -> tuple[list[Written], Kind] | None:
        """How a begun sentence can be completed beyond what was `added` to it."""
        self._steps -= 1
        choices = _table()[stack[-1]]
        whole = _ends(self.entry, stack)
        if whole:
            outcome = self._judge(begun, added)
            if isinstance(outcome, str):
                return added, outcome
            if not outcome and "IS" not in choices:
                return None
        if len(added) >= _DEEPEST:
            return None
        for written in self._fillers(choices, added, whole):
            if self._steps <= 0 or self.work.spent:
                return None
            following = _shifted(stack, written[0])
            if following is None or (not added and self._grows(stack, begun, written)):
                continue
            found = self._search(following, begun, [*added, written])
            if found is not None:
                return found
        return None

    def _grows(self, stack: Stack, begun: _Begun, written: Written) -> bool:
        """Whether a word would make more of what stands for all of a sentence, as `= 1` does of a
        number, but not of one that is chosen by `if`."""
        return (
            begun.level is not None
            and begun.level < _kept(stack, written[0])
            and _read(self.entry, [*begun.words, written]) is not None
        )

    def _fillers(
        self, choices: Mapping[str, object], added: list[Written], whole: bool
    ) -> Iterator[Written]:
        """Words that stand for all that may come next."""
        if "NUMBER" in choices:
            # Where no sentence may begin but a sum, a truth is seldom right.
            truth, number = _STAND_INS["truth"], _STAND_INS["written"]
            yield from (truth, number) if "SOME" in choices else (number, truth)
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

    def _judge(self, begun: _Begun, added: list[Written]) -> Kind | bool:
        """What a whole sentence is that has no mistake and fits what is around it; else whether
        more words could cure it: what is wrong with the type of its last part, `= 1` may make
        right.

        Mistakes before the words that are tried are passed over where an earlier mistake is; a name
        that is in error elsewhere is none.
        """
        place = begun.place
        all_words = [*begun.parts, *begun.words, *added]
        text, places = _joined(all_words)
        tried, last = [*places, len(text)][len(begun.parts)], places[-1]
        if place.brackets + _bracketed(all_words)[0] > MAX_DEPTH:
            self._give_up(place.brackets + _bracketed(begun.parts)[0] > MAX_DEPTH)
            return False
        try:
            node, depth = self.work.read(text, self.entry)
        except SentenceError as error:
            self._give_up(error.problem.code == "E145" and error.problem.start < tried)
            return False
        fits = [kind for kind in place.rests if place.depths[kind] + depth - 1 <= MAX_DEPTH]
        if not fits:
            return False
        problems: tuple[Problem, ...]
        if self.entry == "klass":
            problems = check_class(node, self.names, self.context).problems
        else:
            checked = check_sentence(node, self.names, self.context, None)
            problems = checked.problems
            if checked.meaning is not None:
                kind = _kind_of(checked.meaning)
                return kind if kind in fits else True
        told = [
            problem
            for problem in problems
            if problem.code and not (self._lenient and problem.end <= tried)
        ]
        if not told:
            return fits[0]
        return all(problem.code == "E202" and problem.end > last for problem in told)

    def _give_up(self, too_deep: bool) -> None:
        """End the search where what is written is too deep: no further words can cure that."""
        if too_deep:
            self._steps = 0


def _kind_of(meaning: m.Meaning) -> Kind:
    found = m.type_of(meaning)
    return "written" if found == "number" and isinstance(meaning, m.Constant) else found


def _joined(words: Sequence[Written]) -> tuple[str, list[int]]:
    """The text of some words, and where in it each begins."""
    text, places = "", []
    for _, word in words:
        places.append(len(text))
        text += f"{word} "
    return text, places


def _bracketed(words: Sequence[Written]) -> tuple[int, int]:
    """How many brackets are open at most inside one another, and how many at the end."""
    most = depth = 0
    for terminal, _ in words:
        depth += (terminal == "LPAR") - (terminal == "RPAR")
        most = max(most, depth)
    return most, depth


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


def _kept(stack: Stack, terminal: str) -> int:
    """How many of the states stay as they are when a word comes that can stand there: what begins
    after one of them is still open then."""
    following = _shifted(stack, terminal) or ()
    pairs = zip(stack, following[:-1], strict=False)
    return next((at for at, (old, new) in enumerate(pairs) if old != new), len(following) - 1)


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


@lru_cache(maxsize=4)
def _begun_stack(text: str, entry: Entry) -> tuple[Stack, tuple[int, ...]] | None:
    """The states after a begun text, and at which token begins what was read after each of them;
    None where its words cannot stand so."""
    stack = _stack(entry)
    starts: list[int] = []
    for at, (terminal, _) in enumerate(_begun(text) or ()):
        following = _shifted(stack, terminal)
        if following is None:
            return None
        stack = following
        starts[len(stack) - 2 :] = [at]
    return stack, tuple(starts)


def _words_of(text: str) -> tuple[Written, ...] | None:
    """The words of a text, each with its terminal; None where something is no word."""
    from lark.exceptions import UnexpectedInput

    try:
        return tuple((token.type, str(token)) for token in lexed(text))
    except UnexpectedInput:
        return None
