"""What a player is told when a file is not YAML.

PyYAML says where it stopped and, in two dialects (its C and its Python parser), what it had been
expecting. Only the kind of its complaint is used here; the sentence comes from looking at the
line itself, so that it is the same with both parsers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from yaml.error import Mark, MarkedYAMLError

from ruleengine.diagnostics import Diagnostic, Label, Span
from ruleengine.errors import quote
from ruleengine.frozen import frozen
from ruleengine.source import MAX_DEPTH, Place

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'')
_NAME = re.compile(r'[ ]*(?:- +)*(?:"[^"]*"|\'[^\']*\'|[^ #"\'\[{][^#]*?) *:(?: |$)')
_ITEMS = re.compile(r"[ ]*(?:- +)*")
_WORD = re.compile(r"[^\s,\[\]{}:]+|.")
_COMMENT = re.compile(r"(?:^| )#.*")
_TIGHT_COLON = re.compile(r"(?<=[^\s:]):(?=[^\s:/])")
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{0,2}|u[0-9A-Fa-f]{0,4}|U[0-9A-Fa-f]{0,8}|.)")
_TILES = "\U0001f000-\U0001f021\ufe0e\ufe0f"
_WORDS = "一二三四五六七八九東东南西北白發发中萬万筒桶餅饼索條条"
_MELD = re.compile(rf"\[ *(?:[1-9]+ *[mpsz]|[{_TILES}{_WORDS}][ {_TILES}{_WORDS}]*) *\]")
_HAND = re.compile(rf"[\[\]()+0-9mpszf {_TILES}{_WORDS}]+")


@frozen
class Stopped:
    """Where reading stood when the parser gave up: what was open, and the last quoted text."""

    path: str
    lines: Sequence[str]
    brackets: tuple[Place, ...] = ()
    last_quoted: tuple[Place, Place] | None = None


def explain(error: MarkedYAMLError, stopped: Stopped) -> Diagnostic:
    """The one mistake that made the parser stop."""
    return _Explainer(error, stopped).explain()


def unknown_escape(stopped: Stopped, place: Place) -> Diagnostic:
    """An escape in double quotes that stands for no character; `place` is at or just after it."""
    line, column = place
    text = stopped.lines[line]
    start = max(text.rfind("\\", 0, column + 1), 0)
    match = _ESCAPE.match(text, start)
    shown = match.group() if match else text[start : start + 1]
    span = Span(stopped.path, line + 1, start + 1, line + 1, start + 1 + len(shown))
    return Diagnostic(
        "E121",
        f"{quote(shown)} stands for no character inside double quotes",
        span,
        help="write two backslashes for a backslash",
    )


class _Explainer:
    """Looks at the line where the parser stopped."""

    def __init__(self, error: MarkedYAMLError, stopped: Stopped) -> None:
        self.stopped = stopped
        self.lines = stopped.lines
        self.context = (error.context or "").lower()
        self.problem = (error.problem or "").lower()
        self.line, self.column = self._clamp(error.problem_mark)
        self.began = self._clamp(error.context_mark or error.problem_mark)
        self.text = self.lines[self.line]
        self.char = self.text[self.column : self.column + 1]
        self.at_end = not self.char and not any(map(str.strip, self.lines[self.line + 1 :]))

    def explain(self) -> Diagnostic:
        context, problem = self.context, self.problem
        row = self._directive()
        if row is not None:
            return directive(self.stopped, row)
        if "escape" in problem or "decimal number" in problem:
            return unknown_escape(self.stopped, (self.line, self.column))
        if "quoted scalar" in context:
            return self._say("E120", "this quote is never closed", *self.began)
        if " tag" in context + problem:
            return tag(self._span(*self.began, length=self._rest(*self.began)))
        if "block scalar" in context:
            return block_header(self._span(self.line, self.column))
        if "alias" in context or "anchor" in context:
            return self._reserved(*self.began)
        if "cannot start any token" in problem or "mapping keys" in problem:
            return self._reserved(self.line, self.column)
        if "mapping values" in problem:
            return self._colon()
        if "sequence entries" in problem:
            return self._item()
        if "simple key" in context:
            return self._no_colon(self.began[0])
        if "depth" in problem:
            return too_deep(self._span(self.line, self.column))
        if "flow" in context:
            return self._inside_brackets()
        if "node content" in problem:
            return self._no_value()
        return self._out_of_place()

    # ---- kinds of mistake ----

    def _reserved(self, line: int, column: int) -> Diagnostic:
        char = self.lines[line][column : column + 1]
        value = self._value(line, column)
        return self._say(
            "E118",
            f"a value that starts with {quote(char)} must be in quotes",
            line,
            column,
            help=_in_quotes(value) if not self.stopped.brackets else None,
        )

    def _colon(self) -> Diagnostic:
        name = _NAME.match(self.text, 0, self.column)
        if name:
            return self._say(
                "E119",
                "a value with ': ' in it must be in quotes",
                self.line,
                self.column,
                help=_in_quotes(self._value(self.line, name.end())),
            )
        above = self._line_above()
        if above is None:
            return self._other()
        if not _NAME.match(self.lines[above]):
            return self._no_colon(above)
        return self._say(
            "E127",
            "this line is indented further than the line above, which already has its value",
            self.line,
            self._indent(self.line),
            length=self._rest(self.line, self._indent(self.line)),
            labels=(self._line_label(above, "this line already has its value"),),
        )

    def _item(self) -> Diagnostic:
        if self.stopped.brackets and self.line > self.stopped.brackets[-1][0]:
            return self._never_closed(self.stopped.brackets[-1])
        if _NAME.match(self.text, 0, self.column):
            return self._say(
                "E129",
                "a list cannot start on the line of its name; each '- ' goes on a line of its own",
                self.line,
                self.column,
            )
        return self._say("E129", "a list item cannot stand here", self.line, self.column)

    def _no_colon(self, line: int) -> Diagnostic:
        indent = self._indent(line)
        start = self._items_end(line)
        text = self._value(line, start)
        tight = _TIGHT_COLON.search(_mask(text))
        if tight:
            column = start + tight.start()
            return self._say("E131", "a space is missing after this ':'", line, column)
        return self._say(
            "E128",
            "this line is neither 'name: value' nor a list item that starts with '- '",
            line,
            indent,
            length=self._rest(line, indent),
        )

    def _inside_brackets(self) -> Diagnostic:
        opener = self.stopped.brackets[-1] if self.stopped.brackets else self.began
        opened = self.lines[opener[0]][opener[1] : opener[1] + 1]
        hand = self._hand()
        if hand:
            return hand
        if self.at_end:
            return self._never_closed(opener)
        if self.char in ("]", "}"):
            return self._say(
                "E125",
                f"{quote(self.char)} does not close {quote(opened)}",
                self.line,
                self.column,
                labels=(Label(self._span(*opener), "opened here"),),
            )
        later = self.line > opener[0]
        if later and self.char == ":" and self._indent(self.line) <= self._indent(opener[0]):
            return self._never_closed(opener)
        if self.char == ",":
            return self._say("E126", "there is nothing before this ','", self.line, self.column)
        if self.char == ":" and self.text[: self.column].rstrip().endswith(("{", ",")):
            return self._no_name()
        if self.char == ":":
            return self._say(
                "E126",
                "a ',' is missing before this ':', or a value with ': ' in it is not in quotes",
                self.line,
                self.column,
            )
        return self._say(
            "E126",
            "a ',' is missing before this",
            self.line,
            self.column,
            length=self._word(),
        )

    def _never_closed(self, opener: Place) -> Diagnostic:
        opened = self.lines[opener[0]][opener[1] : opener[1] + 1]
        labels = (
            () if self.at_end else (Label(self._span(self.line, self.column), "still open here"),)
        )
        return self._say("E124", f"this {quote(opened)} is never closed", *opener, labels=labels)

    def _no_name(self) -> Diagnostic:
        return self._say("E110", "a name is missing before this ':'", self.line, self.column)

    def _no_value(self) -> Diagnostic:
        if self.char in ("]", "}"):
            return self._closes_nothing()
        if self.char == ",":
            return self._reserved(self.line, self.column)
        return self._other()

    def _closes_nothing(self) -> Diagnostic:
        return self._say("E125", f"this {quote(self.char)} closes nothing", self.line, self.column)

    def _out_of_place(self) -> Diagnostic:
        before = self.text[self._items_end(self.line) : self.column].rstrip()
        if before:
            return self._after_value(before[-1])
        if self.char in ("]", "}"):
            return self._closes_nothing()
        if self.char == ":":
            return self._no_name()
        if any(line.split(" ", 1)[0] == "..." for line in self.lines[: self.line]):
            return second_document(self._span(self.line, self.column, length=self._word()))
        indent = self._indent(self.line)
        place = self.line, indent
        length = self._rest(*place)
        is_item = self.text[indent : indent + 2].rstrip() == "-"
        in_list = "collection" in self.context
        if indent == self.began[1] and "document start" not in self.problem:
            if is_item and not in_list:
                message = "this line is a list item, but the lines above it are 'name: value'"
                return self._say("E129", message, *place, length=length)
            if in_list and not is_item:
                message = "this line is not a list item, but the lines above it are"
                return self._say("E129", message, *place, length=length)
        return self._say(
            "E127", "the indentation of this line fits no line above it", *place, length=length
        )

    def _after_value(self, last: str) -> Diagnostic:
        hand = self._hand()
        if hand:
            return hand
        if self.char in ("]", "}"):
            return self._closes_nothing()
        labels: tuple[Label, ...] = ()
        quoted = self.stopped.last_quoted
        if last in "\"'" and quoted and quoted[0][0] < quoted[1][0] == self.line:
            labels = (Label(self._span(*quoted[0]), "the text in quotes started here"),)
        help_text = None
        if (
            last in "\"'"
            and self.text[self.column - 1] == last
            and last in self.text[self.column :]
        ):
            spelled = "''" if last == "'" else '\\"'
            help_text = f"a quote inside the text is written {spelled}"
        what = "quote" if last in "\"'" else quote(last) if last in "]}" else "value"
        return self._say(
            "E122",
            f"there is something after the closing {what}",
            self.line,
            self.column,
            length=self._rest(self.line, self.column),
            labels=labels,
            help=help_text,
        )

    def _hand(self) -> Diagnostic | None:
        """A hand that YAML took for a list, where the line leaves no doubt."""
        for run in _HAND.finditer(_mask(self.text)):
            if not run.start() <= self.column <= run.end() or not _MELD.search(run.group()):
                continue
            hand = run.group().strip()
            start = self.text.index(hand, run.start())
            return self._say(
                "E123",
                "a hand must be in quotes: without them '[' starts a list",
                self.line,
                start,
                length=len(hand),
                help=None if self.stopped.brackets else _in_quotes(hand),
            )
        return None

    def _other(self) -> Diagnostic:
        return self._say(
            "E199", "this cannot be read as YAML", self.line, self.column, length=self._word()
        )

    # ---- looking at the lines ----

    def _clamp(self, mark: Mark | None) -> Place:
        """The place of a mark, inside the file: the end of the file is after its last text."""
        if mark is None:
            return 0, 0
        line = min(mark.line, len(self.lines) - 1)
        column = mark.column if line == mark.line else len(self.lines[line])
        if column >= len(self.lines[line].rstrip()) and not any(
            map(str.strip, self.lines[line + 1 :])
        ):
            while line and not self.lines[line].strip():
                line -= 1
            column = len(self.lines[line].rstrip())
        return line, column

    def _directive(self) -> int | None:
        """The line of a directive, where that is what the parser did not like."""
        if "directive" in self.context + self.problem or "incompatible" in self.problem:
            return self.began[0]
        if "document start" in self.problem or (self.column == 0 and self.char == "%"):
            rows = range(self.line + 1)
            return next((row for row in rows if self.lines[row].startswith("%")), None)
        return None

    def _line_above(self) -> int | None:
        for line in range(self.line - 1, -1, -1):
            text = self.lines[line].strip()
            if text and not text.startswith("#"):
                return line
        return None

    def _line_label(self, line: int, text: str) -> Label:
        indent = self._indent(line)
        return Label(self._span(line, indent, length=self._rest(line, indent)), text)

    def _indent(self, line: int) -> int:
        text = self.lines[line]
        return len(text) - len(text.lstrip(" "))

    def _items_end(self, line: int) -> int:
        match = _ITEMS.match(self.lines[line])
        return match.end() if match else 0

    def _value(self, line: int, column: int) -> str:
        """What stands from a place to the end of its line, without a comment."""
        return _COMMENT.sub("", self.lines[line][column:]).rstrip()

    def _rest(self, line: int, column: int) -> int:
        return max(len(self._value(line, column)), 1)

    def _word(self) -> int:
        match = _WORD.match(self.text, self.column)
        return len(match.group()) if match else 1

    def _span(self, line: int, column: int, length: int = 1) -> Span:
        return Span(self.stopped.path, line + 1, column + 1, line + 1, column + 1 + length)

    def _say(
        self,
        code: str,
        message: str,
        line: int,
        column: int,
        *,
        length: int = 1,
        labels: tuple[Label, ...] = (),
        help: str | None = None,
    ) -> Diagnostic:
        span = self._span(line, column, length)
        return Diagnostic(code, message, span, labels=labels, help=help)


def directive(stopped: Stopped, line: int) -> Diagnostic:
    """A line that starts with `%`."""
    text = stopped.lines[line]
    span = Span(stopped.path, line + 1, 1, line + 1, 1 + max(len(text.rstrip()), 1))
    return Diagnostic("E116", "a line cannot start with '%'", span)


def tag(span: Span) -> Diagnostic:
    """A value that starts with `!`."""
    return Diagnostic(
        "E113",
        "a value that starts with '!' must be in quotes: without them YAML takes it for a tag",
        span,
    )


def block_header(span: Span) -> Diagnostic:
    """Something other than a comment on the line of `|` or `>`."""
    message = "only '+', '-' or a digit from 1 to 9 may follow '|' or '>', "
    return Diagnostic("E130", message + "and the text starts on the next line", span)


def too_deep(span: Span) -> Diagnostic:
    """Lists in lists in lists: the limit on depth, or the parser's own."""
    return Diagnostic("E108", f"values may be nested at most {MAX_DEPTH} deep", span)


def second_document(span: Span) -> Diagnostic:
    """Anything after the end of the first document."""
    return Diagnostic("E106", "a file holds one ruleset only, and here a second one starts", span)


def _mask(text: str) -> str:
    """The text with what is in quotes blanked out, every character in its place."""
    return _QUOTED.sub(lambda quoted: "\0" * len(quoted.group()), text)


def _in_quotes(value: str) -> str | None:
    if not value or '"' in value or "\\" in value or len(value) > 80:
        return None
    return f'write "{value}"'
