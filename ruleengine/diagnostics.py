"""Mistakes as values: a code, a place in a file, one sentence, and how to show them.

A diagnostic is found by whoever reads a ruleset and shown by whoever runs it: as text with the
line and a caret under it, as one line, or as JSON. Columns count characters; carets count the
columns of a terminal, in which 萬 and 🀄 are two wide.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from ruleengine.errors import RuleEngineError
from ruleengine.frozen import frozen

Severity = Literal["error", "warning", "note"]

TITLES: Mapping[str, str] = MappingProxyType(
    {
        "E101": "the file cannot be read",
        "E102": "the file is too large",
        "E103": "the file is not UTF-8 text",
        "E104": "a character that cannot be seen",
        "E105": "the file is empty",
        "E106": "more than one document in a file",
        "E107": "too many values in a file",
        "E108": "values nested too deeply",
        "E109": "a name written twice",
        "E110": "a name that is not text",
        "E111": "an anchor (&name)",
        "E112": "an alias (*name)",
        "E113": "a tag (!name)",
        "E114": "a merge key (<<)",
        "E115": "a number out of bounds",
        "E116": "a directive (%NAME)",
        "E117": "a tab outside quotes",
        "E118": "a value that starts with a reserved character",
        "E119": "': ' inside a value without quotes",
        "E120": "a quote that is never closed",
        "E121": "an unknown escape in double quotes",
        "E122": "text after a closing quote or bracket",
        "E123": "a hand without quotes",
        "E124": "a bracket that is never closed",
        "E125": "a closing bracket that fits nothing",
        "E126": "a comma too few or too many",
        "E127": "indentation that fits no line above",
        "E128": "a line without ':'",
        "E129": "a list item out of place",
        "E130": "text on the line of '|' or '>'",
        "E131": "no space after ':'",
        "E140": "a word that cannot stand here",
        "E141": "a sign or word that the language does not have",
        "E142": "something is missing",
        "E143": "tiles that there are not",
        "E144": "a sentence too long",
        "E145": "a sentence nested too deeply",
        "E146": "a number too large",
        "E147": "brackets that do not match",
        "E148": "a class of tiles is needed here",
        "E149": "words that make no sentence",
        "E199": "not YAML",
        "E201": "an unknown name",
        "E202": "the wrong kind of value",
        "E203": "a fact that is not known here",
        "E204": "an unknown class of tiles",
        "E205": "something that is not said of this",
        "E206": "a word that is none of those possible here",
        "E207": "no place for a group of a template",
        "E208": "wrong numbers in brackets",
        "E209": "a name defined by itself",
        "E210": "a template too large",
        "E211": "a sentence too large",
        "E212": "a number that may grow too large",
        "E213": "an amount less than 0",
        "E214": "templates that are too much together",
        "E301": "a value of the wrong kind",
        "E302": "a key that does not belong here",
        "E303": "a key is missing",
        "E304": "a number outside its bounds",
        "E305": "text that is no tiles",
        "E306": "a value that is not allowed",
        "E307": "a tile named twice",
        "E308": "too much of something",
        "E309": "shapes of different sizes",
        "E310": "not a name",
        "E311": "a name that is taken",
        "E312": "two things with one name",
        "E313": "two patterns with one code",
        "E314": "patterns that drop each other",
        "E315": "a payment that is never reached",
        "E316": "not an example",
        "E317": "a tile that is not in the wall",
        "E401": "an unknown ruleset to extend",
        "E402": "rulesets that extend one another",
        "E403": "nothing there to remove",
        "E404": "not a list of what to remove",
        "E405": "nothing there to change",
        "E406": "a change that changes nothing",
        "E501": "a pattern that can never count",
        "E502": "a sentence that costs too much",
        "E503": "an example that cannot be",
        "W501": "a parent that has changed",
        "W502": "two patterns with one name",
        "W503": "a language that is missing",
        "W504": "a text in one language",
        "W505": "too few examples",
        "W506": "a part that is never true",
        "W507": "a part that is always true",
        "W508": "a series of one pattern",
        "W509": "nothing there to supersede",
        "W510": "a term that nothing uses",
        "W511": "an option that nothing uses",
        "W512": "an event that nothing uses",
        "E601": "a comment that may be about several things",
        "E602": "something without a canonical layout",
        "E603": "something that a new layout would change",
        "E604": "a file that is not laid out",
    }
)
"""What each code of a diagnostic stands for, in a few words: E10x to E13x a file that is no plain
YAML, E14x a sentence that cannot be read, E2xx one that says what cannot be, E3xx the fields of a
ruleset, E4xx one that extends another, E5xx and W5xx what a check of the whole finds, E6xx a file
that is not laid out."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file: lines and columns count from 1, in characters; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@frozen
class Label:
    """Another place that belongs to a diagnostic, and what it has to do with it."""

    span: Span
    text: str


@frozen
class Diagnostic:
    """One mistake: a stable code, one sentence, where it is, and help where that is sure."""

    code: str
    message: str
    span: Span | None
    severity: Severity = "error"
    labels: tuple[Label, ...] = ()
    help: str | None = None


class RulesetError(RuleEngineError):
    """A ruleset that cannot be used, with everything that is wrong with it, sorted by place.

    `sources` maps the paths of the spans to the text of the files, the one asked for first: its
    mistakes come before those of its parents. With it, `str()` shows the lines that are wrong.
    """

    def __init__(
        self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None
    ) -> None:
        self.sources: Mapping[str, str] = dict(sources or {})
        asked_for = tuple(self.sources)[:1]
        self.diagnostics: tuple[Diagnostic, ...] = tuple(sorted_by_place(diagnostics, asked_for))
        super().__init__(self.diagnostics, self.sources)

    def __str__(self) -> str:
        return render_text(self.diagnostics, self.sources)


def sorted_by_place(
    diagnostics: Iterable[Diagnostic], asked_for: Collection[str] = ()
) -> list[Diagnostic]:
    """Diagnostics in the order of files and lines, those of the files asked for first.

    So the order is the same wherever the files lie that a ruleset extends.
    """

    def place(diagnostic: Diagnostic) -> tuple[bool, str, int, int, str, str]:
        span = diagnostic.span
        if span is None:
            return (False, "", 0, 0, diagnostic.code, diagnostic.message)
        where = (span.path not in asked_for, span.path, span.line, span.column)
        return (*where, diagnostic.code, diagnostic.message)

    return sorted(diagnostics, key=place)


# ---- text --------------------------------------------------------------------------

_GUTTER = 6
_TAB = 4
_WINDOW = 120
_BEFORE_SPAN = 60
_ELLIPSIS = "…"


def source_lines(text: str) -> list[str]:
    """The lines of a file as spans count them: no byte order mark, any of the three line ends."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def render_text(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, str] | None = None,
    limit: int | None = 20,
) -> str:
    """Every diagnostic with its line, carets, labels and help; of a long list the first `limit`.

    A file that is not in `sources` is named but not shown. `limit=None` shows all.
    """
    found = list(diagnostics)
    shown = found if limit is None else found[:limit]
    lines: dict[str, list[str]] = {}
    for path, text in (sources or {}).items():
        lines[path] = source_lines(text)
    blocks = [_render_one(diagnostic, lines) for diagnostic in shown]
    if len(found) > len(shown):
        blocks.append(f"... and {len(found) - len(shown)} more")
    return "\n".join(blocks)


def render_line(diagnostic: Diagnostic) -> str:
    """The diagnostic on one line, with its help in brackets."""
    help_text = f" ({diagnostic.help})" if diagnostic.help else ""
    return _visible(_heading(diagnostic) + help_text)


def _heading(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    place = f"{span.path}:{span.line}:{span.column}: " if span else ""
    return f"{place}{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"


def _render_one(diagnostic: Diagnostic, sources: Mapping[str, list[str]]) -> str:
    rows = [_visible(_heading(diagnostic))]
    span = diagnostic.span
    if span:
        rows += _snippet(span, "^", "", sources)
    for label in diagnostic.labels:
        text = _visible(label.text)
        snippet = _snippet(label.span, "-", text, sources)
        if not snippet or span is None or label.span.path != span.path:
            at = label.span
            where = _visible(f"{at.path}:{at.line}:{at.column}")
            rows.append(f"{'':{_GUTTER}} = {where}" + ("" if snippet else f": {text}"))
        rows += snippet
    if diagnostic.help:
        rows.append(f"{'':{_GUTTER}} = help: {_visible(diagnostic.help)}")
    return "\n".join(rows)


def _snippet(span: Span, mark: str, text: str, sources: Mapping[str, list[str]]) -> list[str]:
    """The first line of the span and the carets under it; nothing where the line is not known."""
    lines = sources.get(span.path)
    if not lines or not 1 <= span.line <= len(lines) or not any(lines):
        return []
    line = lines[span.line - 1]
    start = min(span.column - 1, len(line))
    stop = len(line) if span.end_line > span.line else min(span.end_column - 1, len(line))
    line, start, stop = _window(line, start, max(start, stop))
    cells = _cells(line)
    before, under = sum(w for _, w in cells[:start]), sum(w for _, w in cells[start:stop])
    shown = "".join(char for char, _ in cells).rstrip()
    carets = " " * before + mark * max(under, 1)
    return [
        f"{span.line:>{_GUTTER}} | {shown}".rstrip(),
        f"{'':{_GUTTER}} | {carets} {text}".rstrip(),
    ]


def _window(line: str, start: int, stop: int) -> tuple[str, int, int]:
    """A line that fits the screen: a long one is cut around the span."""
    if len(line) <= _WINDOW:
        return line, start, stop
    first = max(0, min(start - _BEFORE_SPAN, len(line) - _WINDOW))
    last = first + _WINDOW
    head = _ELLIPSIS if first else ""
    tail = _ELLIPSIS if last < len(line) else ""
    shift = first - len(head)
    return head + line[first:last] + tail, start - shift, min(stop, last) - shift


def _cells(line: str) -> list[tuple[str, int]]:
    """What to print for each character of a line, and how many columns of a terminal it fills."""
    cells: list[tuple[str, int]] = []
    column = 0
    joined = False
    for char in line:
        if char == "\t":
            width = _TAB - column % _TAB
            cells.append((" " * width, width))
        else:
            width = 0 if joined else _width(char)
            if char == "\ufe0f" and cells and cells[-1][1] == 1:
                width = 1
            cells.append((_visible(char), width))
        joined = char == "\u200d"
        column += width
    return cells


def _width(char: str) -> int:
    if " " <= char <= "~":
        return 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf") and not _is_hidden(char):
        return 0
    if "\U0001f3fb" <= char <= "\U0001f3ff":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_INVISIBLE = _BIDI | {"\u2028", "\u2029", "\ufeff"}


def _is_hidden(char: str) -> bool:
    return char in _INVISIBLE or unicodedata.category(char) in ("Cc", "Cs")


def _visible(text: str) -> str:
    """The text with nothing in it that could move the cursor or turn the line around."""
    if text.isprintable():
        return text
    return "".join(_stand_in(char) if _is_hidden(char) else char for char in text)


def _stand_in(char: str) -> str:
    if char < " ":
        return chr(0x2400 + ord(char))
    return "\u2421" if char == "\x7f" else "\ufffd"


# ---- JSON --------------------------------------------------------------------------


def to_json(diagnostic: Diagnostic) -> dict[str, Any]:
    """The diagnostic as a JSON object; `span` and `help` are null where there is none."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "span": _span_json(diagnostic.span),
        "labels": [
            {"span": _span_json(label.span), "text": label.text} for label in diagnostic.labels
        ],
        "help": diagnostic.help,
    }


def _span_json(span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


# ---- did you mean ------------------------------------------------------------------

_ONE_SLIP = 4
_TWO_SLIPS = 8
_LONGEST = 64
"""Letters of a name that are compared; what is longer is like no other name."""
_REMEMBERED = 4096
MOST_GUESSES = 100
"""Unknown names of one ruleset for which it is guessed what was meant."""
MOST_NAMED = 12
"""Names that a line of help lists."""


def suggest(word: str, candidates: Iterable[str]) -> str | None:
    """The one candidate that `word` was surely meant to be, or None.

    Same letters but for case, `-`, `_` and spaces; else one slip (a letter too many, too few,
    wrong, or two swapped) in a word of at least four letters, two in one of at least eight. Two
    candidates equally near, or numbers that differ, are not sure.
    """
    names = [name for name in dict.fromkeys(candidates) if name != word]
    plain = _squeeze(word)
    same = [name for name in names if _squeeze(name) == plain]
    if same:
        return same[0] if len(same) == 1 else None
    if len(plain) > _LONGEST:
        return None
    allowed = 0 if len(plain) < _ONE_SLIP else 1 if len(plain) < _TWO_SLIPS else 2
    digits = _digits(plain)
    best: str | None = None
    nearest, tie = allowed + 1, False
    for name in names:
        squeezed = _squeeze(name)
        if len(squeezed) < _ONE_SLIP or _digits(squeezed) != digits:
            continue
        slips = _slips(plain, squeezed, allowed)
        if slips < nearest:
            best, nearest, tie = name, slips, False
        elif slips == nearest:
            tie = True
    return None if tie else best


@dataclass(slots=True)
class Guesses:
    """Guesses what names were meant to be, so many times: where more are unknown they are no slips
    of the pen, and each guess goes through all names there are."""

    left: int = MOST_GUESSES

    def suggest(self, word: str, candidates: Iterable[str]) -> str | None:
        """The one candidate that `word` was surely meant to be, or None; see `suggest`."""
        if not self.left:
            return None
        self.left -= 1
        return suggest(word, candidates)


def there_are(names: Iterable[str], word: str) -> str:
    """A line of help that lists the names there are, in place of `word`; of many the nearest."""
    known = list(dict.fromkeys(names))
    more = ""
    if len(known) > MOST_NAMED:
        plain = _squeeze(word[:_LONGEST])
        known.sort(key=lambda name: (*_likeness(plain, _squeeze(name[:_LONGEST])), name))
        more = f", and {len(known) - MOST_NAMED:,} more"
    return f"there are: {', '.join(known[:MOST_NAMED]) or 'none'}{more}"


def _likeness(word: str, name: str) -> tuple[int, int]:
    """Sorts names that are like a word first: by how they begin, then by the letters in them."""
    same = sum((Counter(word) & Counter(name)).values())
    start = next(
        (at for at, (a, b) in enumerate(zip(word, name, strict=False)) if a != b), len(name)
    )
    return -start, abs(len(word) - same) + abs(len(name) - same)


@lru_cache(_REMEMBERED)
def _squeeze(word: str) -> str:
    return word.casefold().replace("-", "").replace("_", "").replace(" ", "")


@lru_cache(_REMEMBERED)
def _digits(word: str) -> str:
    return "".join(filter(str.isdigit, word))


def _slips(left: str, right: str, allowed: int) -> int:
    """Slips between two words (optimal string alignment), or `allowed + 1` where there are more."""
    far = allowed + 1
    if abs(len(left) - len(right)) > allowed:
        return far
    above: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        # What is further from the diagonal than is allowed has more slips than that.
        first, last = max(1, i - allowed), min(len(right), i + allowed)
        two_above, above, row = above, row, [far] * (len(right) + 1)
        row[0] = i
        for j in range(first, last + 1):
            b = right[j - 1]
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, two_above[j - 2] + 1)
            row[j] = cost
        if min(row[first - 1 : last + 1]) > allowed:
            return far
    return min(row[-1], far)
