"""Reads single fields of a ruleset file, collecting what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic, Guesses, Label, suggest
from ruleengine.errors import HandError, quote
from ruleengine.ruleset.model import LANGUAGES, Text
from ruleengine.source import MappingNode, ScalarNode, SequenceNode
from ruleengine.tiles import parse_tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ruleengine.diagnostics import Severity, Span
    from ruleengine.source import Node

MAX_TEXT = 20_000
"""Characters in one text: a name, a description, a source."""
MAX_TILES = 60
"""Characters in one list of tiles."""
_LEAST = 3
"""Letters of a word that can be told to be the start of another."""


_TRUTHS = {
    **dict.fromkeys(("yes", "on", "true"), "true"),
    **dict.fromkeys(("no", "off", "false"), "false"),
}
"""What other formats write, and texts in quotes."""


@dataclass(slots=True, eq=False, repr=False)
class Fields:
    """Reads fields and collects problems; a field in error reads as missing.

    `path` is the file that was asked for: a problem between two files is placed in it. `gone` has
    the place that took a key away from a mapping, by the place of the mapping.
    """

    path: str = ""
    problems: list[Diagnostic] = field(default_factory=list)
    gone: dict[tuple[Span, str], Span] = field(default_factory=dict)
    guesses: Guesses = field(default_factory=Guesses)

    def report(
        self,
        code: str,
        message: str,
        span: Span,
        help_line: str | None = None,
        labels: tuple[Label, ...] = (),
        severity: Severity = "error",
    ) -> None:
        """Note a problem at a place."""
        self.problems.append(
            Diagnostic(code, message, span, severity=severity, labels=labels, help=help_line)
        )

    def report_clash(self, code: str, message: str, first: Label, second: Label) -> None:
        """Note that two places do not go together: at the second, or at the one that stands in
        the file asked for."""
        if second.span.path != self.path and first.span.path == self.path:
            first, second = second, first
        self.report(code, message, second.span, labels=(first,))

    def mapping(self, node: Node | None, what: str) -> MappingNode | None:
        """A mapping; anything else is a problem."""
        if node is None or isinstance(node, MappingNode):
            return node
        self.report("E301", f"{what} is written as 'name: value' lines", node.span)
        return None

    def sequence(self, node: Node | None, what: str) -> tuple[Node, ...]:
        """The items of a list; anything else is a problem, and nothing an empty list."""
        if node is None:
            return ()
        if isinstance(node, SequenceNode):
            return node.items
        self.report("E301", f"{what} is a list, each item after '- '", node.span)
        return ()

    def keys(
        self,
        node: MappingNode,
        what: str,
        allowed: Iterable[str],
        required: Iterable[str] = (),
        at: Span | None = None,
    ) -> MappingNode:
        """Report keys that are unknown here, and required ones that are missing.

        Gives the mapping back with each misspelt key under the name that was surely meant, so
        that what it says is read and checked all the same. What is missing is told with an unknown
        key where both stand at one place: that may be what the key was meant to be.
        """
        allowed = tuple(allowed)
        given = {key.text for key, _ in node.entries}
        if given.issubset(allowed):
            self.need(what, [name for name in required if name not in given], node, at or node.span)
            return node
        meanings = meant_keys(node, allowed, self.guesses)
        entries: list[tuple[ScalarNode, Node]] = []
        unknown: list[tuple[ScalarNode, str]] = []
        for key, value in node.entries:
            if key.text in allowed:
                entries.append((key, value))
                continue
            meant = meanings[key.text]
            if meant is None:
                unknown.append((key, f"there are: {', '.join(allowed)}"))
                continue
            unknown.append((key, f"did you mean '{meant}'?"))
            if node.get(meant) is None and all(name.text != meant for name, _ in entries):
                entries.append((replace(key, text=meant), value))
        given = {name.text for name, _ in entries}
        missing = [name for name in required if name not in given]
        place = at or node.span
        for key, help_line in unknown:
            told = help_line
            if _starts(key.span) == _starts(place) and meanings[key.text] is None:
                here = [name for name in missing if (node.span, name) not in self.gone]
                missing = [name for name in missing if name not in here]
                told = f"{_listed(here)} is missing; {help_line}" if here else help_line
            self.report("E302", f"{what} has no {quote(key.text)}", key.span, told)
        self.need(what, missing, node, place)
        return mapping_of(entries, node.span)

    def need(self, what: str, missing: Sequence[str], node: MappingNode, at: Span) -> None:
        """Report keys that are missing in a mapping, all as one; those that a variant took away
        at the places that did."""
        taken: dict[Span, list[str]] = {}
        for name in missing:
            taken.setdefault(self.gone.get((node.span, name), at), []).append(name)
        for place, names in taken.items():
            labels = (Label(at, "needed here"),) if place.path != at.path else ()
            self.report("E303", f"{what} needs {_listed(names)}", place, labels=labels)

    def text(self, node: Node | None, what: str) -> str | None:
        """A text on its own; a number is taken as it is written."""
        if node is None:
            return None
        if isinstance(node, ScalarNode) and not isinstance(node.value, bool | None):
            if len(node.text) > MAX_TEXT:
                message = f"{what} has {len(node.text):,} characters; {MAX_TEXT:,} at most"
                self.report("E308", message, node.span)
                return None
            return node.text
        help_line = None
        if isinstance(node, ScalarNode) and isinstance(node.value, bool):
            help_line = f'write "{node.text}"'
        self.report("E301", f"{what} is a text", node.span, help_line)
        return None

    def words(self, node: Node | None, what: str) -> Text:
        """A text in one language (English) or a mapping of languages."""
        if node is None:
            return Text({})
        if isinstance(node, ScalarNode):
            text = self.text(node, what)
            return Text({LANGUAGES[0]: text} if text is not None else {})
        if not isinstance(node, MappingNode):
            message = f"{what} is a text, or a mapping of languages to texts"
            self.report("E301", message, node.span)
            return Text({})
        found = self.keys(node, what, LANGUAGES)
        texts = {key.text: self.text(value, what) for key, value in found.entries}
        return Text({language: text for language, text in texts.items() if text is not None})

    def number(
        self, node: Node | None, what: str, least: int = 0, most: int = 1_000_000_000
    ) -> int | None:
        """A whole number within bounds."""
        if node is None:
            return None
        value = node.value if isinstance(node, ScalarNode) else None
        if not isinstance(value, int) or isinstance(value, bool):
            self.report("E301", f"{what} is a whole number", node.span)
            return None
        if not least <= value <= most:
            message = f"{what} is a whole number from {least:,} to {most:,}"
            self.report("E304", message, node.span)
            return None
        return value

    def truth(self, node: Node | None, what: str) -> bool | None:
        """`true` or `false`."""
        if node is None:
            return None
        if isinstance(node, ScalarNode) and isinstance(node.value, bool):
            return node.value
        meant = _TRUTHS.get(node.text.lower()) if isinstance(node, ScalarNode) else None
        help_line = f"write {meant}" if meant else None
        self.report("E301", f"{what} is true or false", node.span, help_line)
        return None

    def tiles(self, node: Node | None, what: str, letters: str = "mpszf") -> list[str] | None:
        """Tiles written out (`19m1z`) as names; `letters` are the suit letters allowed."""
        text = self.text(node, what)
        if text is None or node is None:
            return None
        assert isinstance(node, ScalarNode)
        if len(text) > MAX_TILES:
            message = f"{what} has {len(text):,} characters; {MAX_TILES} at most"
            self.report("E308", message, node.span)
            return None
        found: list[str] = []
        ranks: list[int] = []
        for place, sign in enumerate(text):
            if sign.isascii() and sign.isdigit():
                ranks.append(place)
                continue
            if sign not in letters or not ranks:
                message = f"{what} is written as tiles, such as {_example(letters)}"
                self.report("E305", message, node.locate(place, place + 1))
                return None
            for at in ranks:
                name = text[at] + sign
                if not _is_tile(name):
                    self.report("E305", f"there is no tile {name}", node.locate(at, place + 1))
                    return None
                found.append(name)
            ranks = []
        if ranks or not found:
            message = f"{what} is written as tiles, such as {_example(letters)}"
            self.report("E305", message, node.span)
            return None
        return found


def meant_keys(
    node: MappingNode, allowed: Sequence[str], guesses: Guesses | None = None
) -> dict[str, str | None]:
    """For each key of a mapping that is not allowed the allowed one that it surely stands for, or
    None. Of what is missing less is enough to be sure; no two stand for one missing key."""
    guesses = guesses or Guesses()
    absent = [key for key in allowed if node.get(key) is None]
    found: dict[str, str | None] = {}
    for key, _ in node.entries:
        if key.text in allowed:
            continue
        meant = _meant(key.text, absent) or guesses.suggest(key.text, allowed)
        if meant in absent:
            absent.remove(meant)
        found[key.text] = meant
    return found


def _meant(word: str, absent: list[str]) -> str | None:
    """The missing key that a wrong one surely stands for: misspelt, cut short, or of three letters
    and short of one."""
    meant = suggest(word, absent)
    if meant is None and len(word) >= _LEAST:
        close = [key for key in absent if abs(len(key) - len(word)) <= 2 and len(key) >= _LEAST]
        found = [key for key in close if key.startswith(word) or word.startswith(key)]
        if not found and len(word) == _LEAST:
            found = [key for key in absent if word in _short_of_one(key)]
        meant = found[0] if len(found) == 1 else None
    return meant


def _short_of_one(word: str) -> set[str]:
    return {word[:at] + word[at + 1 :] for at in range(len(word))}


def _starts(span: Span) -> tuple[str, int, int]:
    return span.path, span.line, span.column


def _listed(names: Sequence[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if quoted[:-1] else quoted)


def _example(letters: str) -> str:
    return "15f" if letters == "f" else "19m1z"


def _is_tile(name: str) -> bool:
    try:
        parse_tile(f"{name[0]}m" if name[1] in "xyw" else name)
    except HandError:
        return False
    return True


def mapping_of(entries: Iterable[tuple[ScalarNode, Node]], span: Span) -> MappingNode:
    """A mapping with these entries at a place."""
    kept = tuple(entries)
    return MappingNode(kept, span, {key.text: at for at, (key, _) in enumerate(kept)})
