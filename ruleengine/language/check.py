"""Looks every name of a sentence up and settles its types: syntax tree to checked tree.

All mistakes of a sentence are found in one pass, each at its own place; a part that is
wrong is left out of what follows, so that no mistake is reported twice.
"""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from ruleengine import tiles as tiles_module
from ruleengine.diagnostics import suggest, there_are
from ruleengine.frozen import frozen
from ruleengine.language import meaning as m
from ruleengine.language import tree
from ruleengine.language.syntax import Problem
from ruleengine.language.vocabulary import (
    CONTEXT_WORDS,
    FACTS,
    LEVELS,
    ROLES,
    SITUATION_CLASSES,
    SUBJECT_CONTEXTS,
    SUBJECTS,
    WAITS,
    WAYS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.diagnostics import Guesses
    from ruleengine.language.vocabulary import Context

ALL_TILES = (1 << len(tiles_module.TILE_NAMES)) - 1

_GROUP_NOUNS = frozenset({"sequence", "triplet", "kong", "pair", "set", "group"})
_COUNT_NOUNS = _GROUP_NOUNS | {"tile", "flower", "suit", "kind", "quad", "wait"}
_PLURAL_ONLY = {"suits": "suit", "kinds": "kind", "quads": "quad", "waits": "wait"}


class Names(Protocol):
    """What a sentence may refer to: the names of one ruleset."""

    @property
    def events(self) -> Iterable[str]: ...
    @property
    def options(self) -> Mapping[str, m.Type]: ...
    @property
    def shapes(self) -> Iterable[str]: ...
    @property
    def units(self) -> Iterable[str]: ...
    @property
    def terms(self) -> Iterable[str]: ...
    @property
    def patterns(self) -> Iterable[str]: ...
    @property
    def guesses(self) -> Guesses: ...

    def term(self, name: str, context: Context) -> m.Meaning | m.TileClass | None:
        """The checked term, or None where it is itself in error."""

    def misplaced(self, name: str, context: Context) -> str | None:
        """Why a term that is right elsewhere cannot be used in a context."""

    def pattern(self, name: str) -> m.Meaning | None:
        """The checked condition of a pattern, or None where it is itself in error."""


@frozen
class Checked:
    """A checked sentence, or None with the problems that it has."""

    meaning: m.Meaning | None
    problems: tuple[Problem, ...]


@frozen
class CheckedClass:
    """A checked class of tiles, or None with the problems that it has."""

    tiles: m.TileClass | None
    problems: tuple[Problem, ...]


def check_sentence(
    node: tree.Node, names: Names, context: Context, expected: m.Type | None
) -> Checked:
    """Check one sentence that stands in `context` and has to be of type `expected`."""
    checker = _Checker(names, context)
    meaning = checker.sentence(node, expected)
    return Checked(None if checker.problems else meaning, tuple(checker.problems))


def check_class(node: tree.Node, names: Names, context: Context) -> CheckedClass:
    """Check a class of tiles."""
    checker = _Checker(names, context)
    tiles = checker.tile_class(node)
    return CheckedClass(None if checker.problems else tiles, tuple(checker.problems))


@dataclass(slots=True, eq=False, repr=False)
class _Checker:
    names: Names
    context: Context
    problems: list[Problem] = field(default_factory=list)

    def report(
        self, node: tree.Node, code: str, message: str, help_line: str | None = None
    ) -> None:
        self.problems.append(Problem(code, message, node.start, node.end, help_line))

    # ---- sentences ------------------------------------------------------------------

    def sentence(self, node: tree.Node, expected: m.Type | None) -> m.Meaning | None:
        meaning = self.any_sentence(node, expected)
        if meaning is None or expected is None:
            return meaning
        found = m.type_of(meaning)
        if found != expected:
            words = {"truth": "something true or false", "number": "a number"}
            message = f"this is {words[found]}, and {words[expected]} is needed here"
            help_line = None
            if expected == "truth":
                help_line = "compare it with a number, for example: ... >= 1"
            elif isinstance(node, tree.Quantified | tree.Both | tree.Either | tree.SubjectIs):
                help_line = "to choose a number by it, write: if ... then 1 else 0"
            self.report(node, "E202", message, help_line)
            return None
        return meaning

    def any_sentence(self, node: tree.Node, expected: m.Type | None) -> m.Meaning | None:
        match node:
            case tree.Number(value=value) | tree.Truth(value=value):
                return m.Constant(node, value)
            case tree.Name():
                return self.name(node)
            case tree.Both(parts=parts):
                found = self.all_sentences(parts, "truth")
                return m.All(node, found) if found is not None else None
            case tree.Either(parts=parts):
                found = self.all_sentences(parts, "truth")
                return m.Any(node, found) if found is not None else None
            case tree.Negation(part=part):
                inner = self.sentence(part, "truth")
                return m.Not(node, inner) if inner else None
            case tree.Conditional():
                return self.conditional(node, expected)
            case tree.Comparison(left=left, sign=sign, right=right):
                found = self.all_sentences((left, right), "number")
                return m.Compare(node, found[0], sign, found[1]) if found else None
            case tree.Arithmetic(left=left, sign=sign, right=right):
                found = self.all_sentences((left, right), "number")
                return m.Calculate(node, found[0], sign, found[1]) if found else None
            case tree.Negative(part=part):
                inner = self.sentence(part, "number")
                zero = m.Constant(node, 0)
                return m.Calculate(node, zero, "-", inner) if inner else None
            case tree.Call():
                return self.call(node)
            case tree.Count():
                return self.count(node)
            case tree.SumRanks(klass=klass):
                self.need_level(node, "hand")
                tiles = self.tile_class(klass) if klass else None
                return None if klass and tiles is None else m.SumRanks(node, tiles)
            case tree.SubjectIs():
                return self.subject_is(node)
            case tree.WinBy(klass=klass):
                self.need_level(node, "situation")
                ways = self.listed(klass, WAYS, "a way of winning", "E206")
                return m.WinBy(node, ways) if ways else None
            case tree.Quantified():
                return self.quantified(node)
            case tree.Template():
                return self.template(node)
            case tree.HandTiles():
                return self.hand_tiles(node)
        raise AssertionError(node)

    def all_sentences(
        self, nodes: tuple[tree.Node, ...], expected: m.Type
    ) -> tuple[m.Meaning, ...] | None:
        found = [self.sentence(node, expected) for node in nodes]
        whole = tuple(part for part in found if part is not None)
        return whole if len(whole) == len(nodes) else None

    def conditional(self, node: tree.Conditional, expected: m.Type | None) -> m.Meaning | None:
        test = self.sentence(node.test, "truth")
        first = self.any_sentence(node.first, expected)
        second = self.any_sentence(node.second, expected)
        if first is None or second is None:
            return None
        if m.type_of(first) != m.type_of(second):
            # Which of them is wrong shows where the type is known; else it is the second.
            wrong = node.first if m.type_of(second) == expected else node.second
            message = "'then' and 'else' give either two numbers, or two that are true or false"
            self.report(wrong, "E202", message)
            return None
        return m.If(node, test, first, second) if test else None

    def call(self, node: tree.Call) -> m.Meaning | None:
        found = self.all_sentences(node.arguments, "number")
        count = len(node.arguments)
        if node.function.startswith("round") and count != 2:
            message = f"{node.function} takes two numbers: what is rounded, and to what"
            self.report(node, "E208", message)
            return None
        if count < 2:
            message = f"{node.function} takes two numbers or more"
            self.report(node, "E208", message)
            return None
        if found and node.function.startswith("round"):
            step = found[1]
            if not isinstance(step, m.Constant) or int(step.value) < 1:
                message = f"{node.function} rounds to a number that is written out, 1 or more"
                self.report(node.arguments[1], "E208", message)
                return None
        return m.Apply(node, node.function, found) if found else None

    def need_level(self, node: tree.Node, level: m.Level) -> bool:
        if level in LEVELS[self.context]:
            return True
        words = {
            "situation": "how the hand was won",
            "hand": "the tiles of the hand",
            "arrangement": "the sets and pairs of the hand",
            "payment": "payments",
        }
        message = f"{CONTEXT_WORDS[self.context]} cannot depend on {words[level]}"
        self.report(node, "E203", message)
        return False

    # ---- names ----------------------------------------------------------------------

    def name(self, node: tree.Name) -> m.Meaning | None:
        name = node.name
        if name in self.names.events:
            return m.Event(node, name) if self.need_level(node, "situation") else None
        if name in self.names.options:
            return m.Option(node, name, self.names.options[name])
        if self.context == "total" and name in self.names.units:
            return m.Fact(node, name, "number", "payment")
        if name in FACTS:
            word = FACTS[name]
            if self.context in word.contexts:
                return m.Fact(node, name, word.type, word.level)
            message = f"'{name}' ({word.doc}) is not known in {CONTEXT_WORDS[self.context]}"
            self.report(node, "E203", message)
            return None
        if name in self.names.terms:
            return self.term_sentence(node)
        if name in self.names.patterns:
            return self.pattern_reference(node)
        self.unknown_name(node)
        return None

    def term_sentence(self, node: tree.Name) -> m.Meaning | None:
        found = self.names.term(node.name, self.context)
        if found is None:
            self.unusable_term(node, node.name)
            return None
        if isinstance(found, m.Meaning):
            return m.Reference(node, node.name, "term", found)
        message = f"'{node.name}' is a class of tiles, not a sentence"
        self.report(node, "E202", message, f"for example: some tile is {node.name}")
        return None

    def pattern_reference(self, node: tree.Name) -> m.Meaning | None:
        if self.context != "pattern":
            message = f"{CONTEXT_WORDS[self.context]} cannot depend on a pattern"
            self.report(node, "E203", message)
            return None
        found = self.names.pattern(node.name)
        if found is None:
            self.in_error(node)
            return None
        return m.Reference(node, node.name, "pattern", found)

    def unusable_term(self, node: tree.Node, name: str) -> None:
        """Report a term that is right elsewhere but not in this place."""
        reason = self.names.misplaced(name, self.context)
        if reason is None:
            self.in_error(node)
        else:
            self.report(node, "E203", reason, f"'{name}' speaks of that")

    def in_error(self, node: tree.Node) -> None:
        """Note a name that is in error where it is defined, and reported there: a problem without
        a code keeps the sentence from being used and is never shown."""
        self.problems.append(Problem("", "", node.start, node.end))

    def unknown_name(self, node: tree.Name) -> None:
        name = node.name
        facts = (word for word, fact in FACTS.items() if self.context in fact.contexts)
        known = itertools.chain(
            self.names.events, self.names.options, self.names.terms, facts,
            self.names.patterns if self.context == "pattern" else (),
            self.names.units if self.context == "total" else (),
        )  # fmt: skip
        help_line = None
        if name in self.names.shapes:
            help_line = f"a shape is asked for with: shape is {name}"
        elif name in WAYS:
            help_line = f"a way of winning is asked for with: win by {name}"
        elif name in tiles_module.CLASSES or name in SITUATION_CLASSES:
            help_line = f"a class of tiles needs a sentence, for example: some tile is {name}"
        elif name in WAITS:
            help_line = f"a wait is asked for with: wait is {name}"
        elif name in SUBJECTS:
            help_line = f"say what it is, for example: {name} is ..."
        elif (meant := self.names.guesses.suggest(name, known)) is not None:
            help_line = f"did you mean '{meant}'?"
        self.report(node, "E201", f"unknown name '{name}'", help_line)

    # ---- counting -------------------------------------------------------------------

    def noun(self, noun: tree.Noun) -> str | None:
        kind = _PLURAL_ONLY.get(noun.kind, noun.kind)
        if noun.status and kind not in _GROUP_NOUNS:
            message = f"only sets are {noun.status}, not {kind}s"
            self.report(noun, "E205", message)
            return None
        return kind

    def group_level(self, kind: str, status: tree.Status | None) -> m.Level:
        return "hand" if kind == "kong" or status == "claimed" else "arrangement"

    def count(self, node: tree.Count) -> m.Meaning | None:
        kind = self.noun(node.noun)
        tiles = self.tile_class(node.klass) if node.klass else None
        if kind is None or (node.klass and tiles is None):
            return None
        if kind in _GROUP_NOUNS:
            if not self.need_level(node, self.group_level(kind, node.noun.status)):
                return None
            return m.CountGroups(node, node.noun.status, kind, tiles)
        if kind == "seat":
            self.report(node.noun, "E205", "seats are not counted")
            return None
        if not self.need_level(node, "hand"):
            return None
        if kind in ("suit", "wait"):
            if node.klass:
                self.report(node.klass, "E205", f"{node.noun.kind} are counted without 'of'")
                return None
            return m.CountSuits(node) if kind == "suit" else m.CountWaits(node)
        return m.CountTiles(node, kind, tiles)  # type: ignore[arg-type]

    # ---- classes of tiles -----------------------------------------------------------

    def tile_class(self, node: tree.Node) -> m.TileClass | None:
        match node:
            case tree.ClassName():
                return self.class_name(node)
            case tree.ClassTiles(tiles=text):
                counted = self.written_tiles(node, text, letters=False)
                if counted is None:
                    return None
                mask = 0
                for tile, _ in counted:
                    mask |= 1 << tile
                return m.TileMask(mask)
            case tree.Union(parts=parts):
                found = self.all_classes(parts)
                return _union(found) if found else None
            case tree.Common(parts=parts):
                found = self.all_classes(parts)
                return _common(found) if found else None
            case tree.Other(part=part):
                inner = self.tile_class(part)
                return _other(inner) if inner else None
            case tree.ClassStatus(status=status):
                self.report(node, "E205", f"'{status}' is said of sets, not of tiles")
            case tree.ClassKind(kind=kind):
                self.report(node, "E205", f"'{kind}' is said of groups, not of tiles")
            case tree.ClassLetter(letter=letter):
                message = f"'{letter}' is no class of tiles"
                help_line = None
                if letter in tiles_module.SEATS:
                    wind = tiles_module.TILE_NAMES[tiles_module.seat_wind(letter)]
                    help_line = f"the tile is written {wind}"
                self.report(node, "E206", message, help_line)
            case _:
                raise AssertionError(node)
        return None

    def all_classes(self, nodes: tuple[tree.Node, ...]) -> tuple[m.TileClass, ...] | None:
        found = [self.tile_class(node) for node in nodes]
        whole = tuple(part for part in found if part is not None)
        return whole if len(whole) == len(nodes) else None

    def class_name(self, node: tree.ClassName) -> m.TileClass | None:
        name = node.name
        if name in tiles_module.CLASSES:
            return m.TileMask(tiles_module.CLASSES[name])
        if name in SITUATION_CLASSES:
            return m.TileFact(name)
        if name in self.names.terms:
            found = self.names.term(name, self.context)
            if found is None:
                self.unusable_term(node, name)
                return None
            if not isinstance(found, m.Meaning):
                return found
            self.report(node, "E202", f"'{name}' is a sentence, not a class of tiles")
            return None
        words = ("concealed", "claimed")
        known = itertools.chain(tiles_module.CLASSES, SITUATION_CLASSES, self.names.terms, words)
        help_line = None
        if name in self.names.shapes:
            help_line = f"a shape is asked for with: shape is {name}"
        elif name in WAYS:
            help_line = f"a way of winning is asked for with: win by {name}"
        elif (meant := self.names.guesses.suggest(name, known)) is not None:
            help_line = f"did you mean '{meant}'?"
        self.report(node, "E204", f"unknown class of tiles '{name}'", help_line)
        return None

    def written_tiles(
        self, node: tree.Node, text: str, letters: bool
    ) -> tuple[tuple[int, str], ...] | None:
        """(tile, suit letter) of each tile written; the tile is its rank - 1 where the suit
        is a letter x y w."""
        written: list[tuple[int, str]] = []
        ranks = ""
        for sign in text:
            if sign.isdigit():
                ranks += sign
                continue
            top = {"z": "7", "f": "8"}.get(sign, "9")
            for rank in ranks:
                if rank > top:
                    message = f"there is no tile {rank}{sign}; {sign} goes from 1 to {top}"
                    self.report(node, "E143", message)
                    return None
                if sign in "xyw":
                    if not letters:
                        message = f"'{text}' has a suit letter; here the suit is m, p, s or z"
                        self.report(node, "E206", message)
                        return None
                    written.append((int(rank) - 1, sign))
                else:
                    written.append((tiles_module.parse_tile(rank + sign), ""))
            ranks = ""
        return tuple(written)

    # ---- what is said of groups, tiles, seats ---------------------------------------

    def quantified(self, node: tree.Quantified) -> m.Meaning | None:
        kind = self.noun(node.noun)
        if kind is None:
            return None
        if kind == "seat":
            return self.seats(node)
        if kind in ("tile", "flower"):
            if not self.need_level(node, "hand"):
                return None
            tiles = self.tile_class(node.klass)
            if tiles is None:
                return None
            if node.negated:
                tiles = _other(tiles)
            return m.Tiles(node, node.quantifier, kind, tiles)  # type: ignore[arg-type]
        if kind not in _GROUP_NOUNS:
            self.report(node.noun, "E205", f"'{kind}' is only counted: count {node.noun.kind}")
            return None
        test = self.group_test(node.klass, node.verb)
        if test is None:
            return None
        if node.negated:
            test = m.NotOf(test)
        level = self.group_level(kind, node.noun.status)
        if isinstance(test, m.HasStatus) and test.status == "claimed":
            # That none, or some, is claimed can be seen from the melds alone.
            level = "hand" if node.quantifier != "all" else level
        if not self.need_level(node, level):
            return None
        return m.Groups(node, node.quantifier, node.noun.status, kind, test)

    def group_test(self, node: tree.Node, verb: str) -> m.GroupTest | None:
        if _is_tile_class(node):
            tiles = self.tile_class(node)
            if tiles is None:
                return None
            return m.Touches(tiles) if verb == "has" else m.Within(tiles)
        if verb == "has":
            self.tile_class(node)
            return None
        match node:
            case tree.ClassStatus(status=status):
                return m.HasStatus(status)
            case tree.ClassKind(kind=kind):
                return m.OfKind(kind)
            case tree.Union(parts=parts):
                found = self.all_tests(parts)
                return m.AnyOf(found) if found else None
            case tree.Common(parts=parts):
                found = self.all_tests(parts)
                return m.AllOf(found) if found else None
            case tree.Other(part=part):
                inner = self.group_test(part, verb)
                return m.NotOf(inner) if inner else None
        raise AssertionError(node)

    def all_tests(self, nodes: tuple[tree.Node, ...]) -> tuple[m.GroupTest, ...] | None:
        found = [self.group_test(node, "is") for node in nodes]
        whole = tuple(part for part in found if part is not None)
        return whole if len(whole) == len(nodes) else None

    def seats(self, node: tree.Quantified) -> m.Meaning | None:
        if not self.need_level(node, "payment"):
            return None
        if node.verb == "has":
            self.report(node, "E205", "a seat has no tiles here; say what it is")
            return None
        roles = self.roles(node.klass)
        return m.Seats(node, node.quantifier, roles, node.negated) if roles else None

    def roles(self, node: tree.Node) -> tuple[str, ...] | None:
        allowed = {role: doc for role, (doc, contexts) in ROLES.items() if self.context in contexts}
        return self.listed(node, allowed, "something that a seat can be here", "E206")

    def listed(
        self, node: tree.Node, allowed: Iterable[str], what: str, code: str
    ) -> tuple[str, ...] | None:
        """The names of a `|` list, each one of `allowed`."""
        parts = node.parts if isinstance(node, tree.Union) else (node,)
        names: list[str] = []
        for part in parts:
            if isinstance(part, tree.Other | tree.Common):
                self.report(part, code, f"{what} is named by itself, or several joined by '|'")
            elif isinstance(part, tree.ClassName) and part.name in allowed:
                names.append(part.name)
            else:
                shown = part.name if isinstance(part, tree.ClassName) else None
                meant = suggest(shown, allowed) if shown else None
                known = there_are(allowed, shown or "")
                help_line = f"did you mean '{meant}'?" if meant else known
                label = f"'{shown}' is not {what}" if shown else f"this is not {what}"
                self.report(part, code, label, help_line)
        return tuple(names) if len(names) == len(parts) else None

    def subject_is(self, node: tree.SubjectIs) -> m.Meaning | None:
        subject = node.subject.name
        found = self.subject_meaning(node, subject)
        if found is None or not node.negated or subject == "pair":
            return found
        return m.Not(node, found)

    def subject_meaning(self, node: tree.SubjectIs, subject: str) -> m.Meaning | None:
        if subject in SUBJECT_CONTEXTS:
            if self.context not in SUBJECT_CONTEXTS[subject]:
                message = f"'{subject}' is not known in {CONTEXT_WORDS[self.context]}"
                self.report(node.subject, "E203", message)
                return None
            roles = self.roles(node.klass)
            return m.RoleIs(node, subject, roles) if roles else None
        match subject:
            case "shape":
                if not self.need_level(node, "arrangement"):
                    return None
                shapes = self.listed(node.klass, self.names.shapes, "a shape", "E206")
                return m.ShapeIs(node, shapes) if shapes else None
            case "wait":
                if not self.need_level(node, "arrangement"):
                    return None
                waits = self.listed(node.klass, WAITS, "a wait", "E206")
                return m.WaitIs(node, waits) if waits else None
            case "pair":
                if not self.need_level(node, "arrangement"):
                    return None
                tiles = self.tile_class(node.klass)
                return m.PairIs(node, tiles, node.negated) if tiles else None
            case "winning_tile":
                if not self.need_level(node, "hand"):
                    return None
                tiles = self.tile_class(node.klass)
                return m.WinningTileIs(node, tiles) if tiles else None
            case "winning_group":
                if not self.need_level(node, "arrangement"):
                    return None
                test = self.group_test(node.klass, "is")
                return m.WinningGroupIs(node, test) if test else None
            case "seat" | "round":
                if not self.need_level(node, "situation"):
                    return None
                letters = self.letters(node.klass)
                return m.SeatIs(node, subject, letters) if letters else None
        meant = suggest(subject, SUBJECTS)
        help_line = f"did you mean '{meant}'?" if meant else None
        if meant is None and subject in (*self.names.events, *self.names.patterns):
            help_line = f"'{subject}' is true or false by itself; 'is' is not needed"
        self.report(node.subject, "E201", f"nothing can be said of '{subject}'", help_line)
        return None

    def letters(self, node: tree.Node) -> str | None:
        parts = node.parts if isinstance(node, tree.Union) else (node,)
        letters = ""
        for part in parts:
            if isinstance(part, tree.ClassLetter) and part.letter in tiles_module.SEATS:
                letters += part.letter
            else:
                message = "a seat is one of E, S, W, N, or several joined by '|'"
                name = part.name if isinstance(part, tree.ClassName) else ""
                meant = name[:1].upper() if name in ("east", "south", "west", "north") else None
                help_line = f"did you mean '{meant}'?" if meant else None
                self.report(part, "E206", message, help_line)
        return letters if len(letters) == len(parts) else None

    # ---- templates and lists of tiles -----------------------------------------------

    def template(self, node: tree.Template) -> m.Meaning | None:
        if not self.need_level(node, "arrangement"):
            return None
        items = [self.item(item) for item in node.items]
        whole = tuple(item for item in items if item is not None)
        if len(whole) != len(items):
            return None
        if len(whole) > 8:
            self.report(node, "E210", "a template has at most 8 groups")
            return None
        ranks = {item.place.rank for item in whole if isinstance(item.place.rank, str)}
        letters = {item.place.letter for item in whole if item.place.letter}
        if len(ranks) + len(letters) > 4:
            self.report(node, "E210", "a template has at most 4 letters for ranks and tiles")
            return None
        return m.Template(node, whole)

    def item(self, item: tree.Item) -> m.Item | None:
        place = self.place(item.kind, item.place)
        return m.Item(item, item.status, item.kind, place) if place else None

    def place(self, kind: str, node: tree.Node) -> m.Place | None:
        top = 7 if kind == "sequence" else 9
        if isinstance(node, tree.Ranked):
            return m.Place(rank=node.rank, offset=node.offset, suit=node.suit)
        if isinstance(node, tree.ClassLetter):
            return m.Place(letter=node.letter)
        if isinstance(node, tree.ClassTiles) and node.tiles[-1] in "xyw":
            written = self.written_tiles(node, node.tiles, letters=True)
            if written is None:
                return None
            if len(written) != 1:
                message = f"a {kind} stands at one tile, for example {kind} 1x"
                self.report(node, "E207", message)
                return None
            rank = written[0][0] + 1
            if rank > top:
                message = f"no sequence starts at {rank}; a sequence is named by its lowest tile"
                self.report(node, "E207", message)
                return None
            return m.Place(rank=rank, suit=written[0][1])
        if kind == "sequence" and isinstance(node, tree.ClassTiles):
            return self.written_sequence(node)
        tiles = self.tile_class(node)
        return m.Place(tiles=tiles) if tiles else None

    def written_sequence(self, node: tree.ClassTiles) -> m.Place | None:
        """A sequence named by its lowest tile, as in `sequence 1m`, or of a class of tiles."""
        written = self.written_tiles(node, node.tiles, letters=False)
        if written is None:
            return None
        mask = 0
        for tile, _ in written:
            mask |= 1 << tile
        if mask.bit_count() == 1:
            rank = tiles_module.rank_of(written[0][0])
            if rank is None or rank > 7:
                message = (
                    f"no sequence starts at {node.tiles}; a sequence is named by its lowest tile"
                )
                self.report(node, "E207", message)
                return None
            mask *= 0b111
        return m.Place(tiles=m.TileMask(mask))

    def hand_tiles(self, node: tree.HandTiles) -> m.Meaning | None:
        if not self.need_level(node, "hand"):
            return None
        listed = tree.ClassTiles(node.end - len(node.tiles), node.end, node.tiles)
        written = self.written_tiles(listed, node.tiles, letters=True)
        if written is None or not self.can_be_held(listed, written):
            return None
        lists = {
            tuple(sorted(Counter(_settle(written, suits)).items()))
            for suits in itertools.permutations(range(3))
        }
        exact = node.verb == "is"
        return m.HandTiles(node, node.of, exact, tuple(sorted(lists)))

    def can_be_held(self, node: tree.Node, written: tuple[tuple[int, str], ...]) -> bool:
        """Whether a list has at most four of a tile, and no flower."""
        for (tile, suit), copies in Counter(written).items():
            name = f"{tile + 1}{suit}" if suit else tiles_module.tile_name(tile)
            if not suit and tile >= tiles_module.FIRST_FLOWER:
                message = f"{name} is a flower, and flowers are not among the tiles in hand"
                self.report(node, "E207", message, f"for example: some flower is {name}")
                return False
            if copies > 4:
                message = f"there are only four of a tile, and {name} is written {copies} times"
                self.report(node, "E207", message)
                return False
        return True


def _settle(written: tuple[tuple[int, str], ...], suits: tuple[int, ...]) -> list[int]:
    """The tiles of a written list when the letters x y w stand for these suits."""
    return [tile if not suit else suits["xyw".index(suit)] * 9 + tile for tile, suit in written]


def _is_tile_class(node: tree.Node) -> bool:
    match node:
        case tree.ClassStatus() | tree.ClassKind():
            return False
        case tree.Union(parts=parts) | tree.Common(parts=parts):
            return all(_is_tile_class(part) for part in parts)
        case tree.Other(part=part):
            return _is_tile_class(part)
    return True


def _union(parts: tuple[m.TileClass, ...]) -> m.TileClass:
    fixed = [part for part in parts if isinstance(part, m.TileMask)]
    rest = tuple(part for part in parts if not isinstance(part, m.TileMask))
    mask = 0
    for part in fixed:
        mask |= part.mask
    if not rest:
        return m.TileMask(mask)
    return m.TileUnion((m.TileMask(mask), *rest) if fixed else rest)


def _common(parts: tuple[m.TileClass, ...]) -> m.TileClass:
    fixed = [part for part in parts if isinstance(part, m.TileMask)]
    rest = tuple(part for part in parts if not isinstance(part, m.TileMask))
    mask = ALL_TILES
    for part in fixed:
        mask &= part.mask
    if not rest:
        return m.TileMask(mask)
    return m.TileCommon((m.TileMask(mask), *rest) if fixed else rest)


def _other(part: m.TileClass) -> m.TileClass:
    if isinstance(part, m.TileMask):
        return m.TileMask(ALL_TILES & ~part.mask)
    return m.TileOther(part)


def is_class(node: tree.Node) -> bool:
    """Whether a syntax tree is that of a class of tiles rather than of a sentence."""
    return isinstance(
        node,
        tree.ClassName
        | tree.ClassTiles
        | tree.ClassLetter
        | tree.ClassStatus
        | tree.ClassKind
        | tree.Union
        | tree.Common
        | tree.Other,
    )
