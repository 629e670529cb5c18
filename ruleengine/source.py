"""Ruleset files as positioned values: YAML, read strictly.

The events of PyYAML (its C parser where there is one) become nodes that know their place in the
file. Plain scalars follow the core schema of YAML 1.2, except that a number with a leading zero
stays text; `on`, `no`, `12:30` and dates are text. Aliases, anchors, tags, merge keys, directives,
tabs outside quotes, names that are not text and names written twice are errors. Nothing in a file
can run code or cost more than its size: bytes, values and depth are bounded.
"""

from __future__ import annotations

import os
import re
import stat
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import yaml
from yaml.error import MarkedYAMLError

from ruleengine.diagnostics import Diagnostic, Label, RulesetError, Span, source_lines
from ruleengine.errors import quote
from ruleengine.kept import Kept

if TYPE_CHECKING:
    from ruleengine.yaml_errors import Stopped

MAX_BYTES = 1024 * 1024
MAX_NODES = 100_000
MAX_DEPTH = 32
MAX_DIGITS = 15

READ_ON = frozenset(("E109", "E111", "E113"))
"""The codes of mistakes after which a file can be read on."""
_STANDARD_TAG = "tag:yaml.org,2002:"
_MAX_TAB_LINES = 100
_LOADER: Any = getattr(yaml, "CLoader", yaml.Loader)

Value: TypeAlias = str | int | float | bool | None
Place: TypeAlias = tuple[int, int]
"""A line and a column, both counted from 0."""


# ---- nodes -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """One value. `text` is what YAML decodes it to; `value` is a number, truth or null only where
    a plain scalar spells one."""

    value: Value
    text: str
    plain: bool
    span: Span
    _style: str = field(repr=False, compare=False)
    _lines: Sequence[str] = field(repr=False, compare=False)

    @property
    def style(self) -> str:
        """How it is written: `'`, `"`, `|`, `>`, or nothing for a plain one."""
        return self._style

    @property
    def written(self) -> list[str]:
        """The lines that it takes up in the file, the first and the last one cut to it."""
        span = self.span
        if span.line == span.end_line:
            return [self._lines[span.line - 1][span.column - 1 : span.end_column - 1]]
        rows = list(self._lines[span.line - 1 : span.end_line])
        rows[-1] = rows[-1][: span.end_column - 1]
        rows[0] = rows[0][span.column - 1 :]
        return rows

    def offset(self, line: int, column: int) -> int:
        """The offset into the text of what stands at a place of the file, or comes after it."""
        span, size = self.span, len(self.text)
        if span.line == span.end_line:
            margin = 0 if self.plain else 1
            if span.end_column - span.column - 2 * margin == size:
                if line != span.line:
                    return 0 if line < span.line else size
                return min(max(column - span.column - margin, 0), size)
        places = _places(self)
        if places is None:
            return 0 if (line, column) <= (span.line, span.column) else size
        return bisect_left(places, (line - 1, column - 1), key=itemgetter(0))

    def locate(self, start: int, end: int) -> Span:
        """The place in the file of `text[start:end]`, in every style of scalar.

        An empty range is the place before the character at `start`, or after the last one.
        Offsets outside the text mean its nearest end.
        """
        size = len(self.text)
        start = min(max(start, 0), size)
        end = min(max(end, start), size)
        span = self.span
        if span.line == span.end_line:
            margin = 0 if self.plain else 1
            first, last = span.column - 1 + margin, span.end_column - 1 - margin
            if last - first == size:
                column = span.column + margin
                return Span(span.path, span.line, column + start, span.line, column + end)
        places = _places(self)
        if places is None:
            return span
        if start == size:
            line, column = places[-1][1] if places else _inside(self)
            return Span(span.path, line + 1, column + 1, line + 1, column + 1)
        line, column = places[start][0]
        end_line, end_column = places[end - 1][1] if end > start else (line, column)
        return Span(span.path, line + 1, column + 1, end_line + 1, end_column + 1)


@dataclass(frozen=True, slots=True)
class MappingNode:
    """Names and their values, in the order of the file; no name is there twice."""

    entries: tuple[tuple[ScalarNode, Node], ...]
    span: Span
    _index: Mapping[str, int] = field(repr=False, compare=False)

    def get(self, key: str) -> Node | None:
        """The value of a name, or None where the name is not there."""
        place = self._index.get(key)
        return None if place is None else self.entries[place][1]

    def key(self, key: str) -> ScalarNode | None:
        """The name itself with its place, or None where it is not there."""
        place = self._index.get(key)
        return None if place is None else self.entries[place][0]


@dataclass(frozen=True, slots=True)
class SequenceNode:
    """A list of values, in the order of the file."""

    items: tuple[Node, ...]
    span: Span


Node: TypeAlias = ScalarNode | MappingNode | SequenceNode


# ---- reading -----------------------------------------------------------------------

_READ: Kept[tuple[str, str], tuple[Node, tuple[Diagnostic, ...]]] = Kept(250_000)
"""The values of texts that were read in this process, by text and path, up to so many characters:
what a ruleset extends is read for each ruleset that does, and in an editor at every change."""
_A_TEXT = 500
"""What a text takes besides its characters, in those."""


def read_yaml_file(path: str | os.PathLike[str]) -> tuple[Node, str]:
    """The value of a file, and its text without a byte order mark.

    Raises RulesetError for a file that cannot be read, is larger than `MAX_BYTES`, is not UTF-8,
    or has any of the mistakes of `read_yaml`.
    """
    name = os.fspath(path)
    text = decode(read_bytes(name), name)
    return read_yaml(text, name), text


def read_yaml(text: str, path: str) -> Node:
    """The value of a YAML text; `path` names it in spans and errors.

    Raises RulesetError with every mistake that can be told apart from the others: all of those
    that break a limit of this format, and the first one after which the text is not YAML.
    """
    root, found = read_yaml_on(text, path)
    if found:
        raise RulesetError(found, {path: text.removeprefix("\ufeff")})
    return root


def read_yaml_on(text: str, path: str) -> tuple[Node, list[Diagnostic]]:
    """The value of a YAML text, and its mistakes that leave no doubt what the rest says (those of
    `READ_ON`): of a name written twice the first one is read, and a mapping or list as if its
    anchor or tag were not there, or a value its `!!` tag.

    Raises RulesetError as `read_yaml` does where there are other mistakes.
    """
    known = _READ.get((text, path))
    if known is None:
        known = _read_anew(text, path)
        _READ.keep((text, path), known, len(text) + _A_TEXT)
    root, found = known
    return root, list(found)


def _read_anew(text: str, path: str) -> tuple[Node, tuple[Diagnostic, ...]]:
    text = text.removeprefix("\ufeff")
    if len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise RulesetError([_too_large(path)])
    clean = "\n".join(source_lines(text))
    found = _hidden_characters(clean, path)
    if found:
        clean = _HIDDEN.sub("\ufffd", clean)
    reader = _Reader(clean.replace("\t", " ") if "\t" in clean else clean, path)
    reader.run()
    if "\t" in clean:
        tabs = _tabs(clean.split("\n"), path, reader)
        if tabs:
            reader.stopped_by = None
            found += tabs
        elif reader.stopped_by is None:
            reader = _Reader(clean, path)
            reader.run()
    found += reader.found
    if reader.stopped_by is not None:
        found.append(reader.stopped_by)
    if not found and (reader.root is None or _is_nothing(reader.root)):
        found.append(Diagnostic("E105", "the file is empty", _file_span(path)))
    stops = reader.is_doubtful or any(one.code not in READ_ON for one in found)
    if reader.root is None or stops:
        raise RulesetError(found, {path: text})
    return reader.root, tuple(found)


def _is_nothing(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.plain and not node.text


def _file_span(path: str) -> Span:
    return Span(path, 1, 1, 1, 1)


def read_bytes(path: str) -> bytes:
    """A file as it is, up to `MAX_BYTES` and a little more. Raises RulesetError."""
    try:
        if _may_never_end(path):
            raise RulesetError([Diagnostic("E101", "this is a pipe, not a file", _file_span(path))])
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 4)
    except (OSError, ValueError) as error:
        raise RulesetError([_unreadable(path, error)]) from None


def _may_never_end(path: str) -> bool:
    """Whether a path is a pipe by name, which nobody may write to; one that a shell has opened
    (`<(...)`) has a writer."""
    return stat.S_ISFIFO(os.stat(path).st_mode) and not path.startswith(("/dev/", "/proc/"))


def _unreadable(path: str, error: OSError | ValueError) -> Diagnostic:
    if isinstance(error, FileNotFoundError):
        message = "there is no such file"
    elif isinstance(error, IsADirectoryError) or os.path.isdir(path):
        message = "this is a folder, not a file"
    elif isinstance(error, PermissionError):
        message = "this file may not be read: permission denied"
    else:
        message = "this file cannot be read"
    return Diagnostic("E101", message, _file_span(path))


def _too_large(path: str) -> Diagnostic:
    limit = MAX_BYTES // 1024
    return Diagnostic("E102", f"the file is larger than {limit} KiB", _file_span(path))


def decode(data: bytes, path: str) -> str:
    """The text of a file without a byte order mark; `path` names it. Raises RulesetError for one
    that is too large or not UTF-8."""
    if len(data.removeprefix(b"\xef\xbb\xbf")) > MAX_BYTES:
        raise RulesetError([_too_large(path)])
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in data[:4]
    if wide:
        message = "the file is UTF-16 or UTF-32 text; save it as UTF-8"
        raise RulesetError([Diagnostic("E103", message, _file_span(path))])
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = source_lines(data[: error.start].decode("utf-8"))
        line, column = len(before), len(before[-1]) + 1
        span = Span(path, line, column, line, column + 1)
        shown = data.decode("utf-8", "replace")
        message = "the file is not UTF-8 text from here on; save it as UTF-8"
        raise RulesetError([Diagnostic("E103", message, span)], {path: shown}) from None


# ---- characters --------------------------------------------------------------------

_HIDDEN = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)
"""Controls, line ends that no editor shows, marks that turn a line around, and non-characters."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def _hidden_characters(text: str, path: str) -> list[Diagnostic]:
    """One error for each such character, at its first place."""
    found = []
    for char in filter(_HIDDEN.match, set(text)):
        before = text[: text.index(char)]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        found.append(_hidden(char, Span(path, line, column, line, column + 1), text.count(char)))
    return found


def _hidden(char: str, span: Span, times: int) -> Diagnostic:
    often = f"; it is there {times} times" if times > 1 else ""
    message = f"the invisible character U+{ord(char):04X} cannot stand in a ruleset{often}"
    return Diagnostic("E104", message, span)


def _tabs(lines: Sequence[str], path: str, reader: _Reader) -> list[Diagnostic]:
    """Tabs that are neither in a comment nor in quotes nor in the text of a block scalar.

    `reader` has read the file with a space for every tab. After the place where it stopped
    nothing is known about a tab.
    """
    end = reader.stopped_at or (len(lines), 0)
    covered: dict[int, list[tuple[int, int]]] = {}
    for (line, column), (last, last_column) in reader.texts:
        for row in range(line, last + 1):
            start = column if row == line else 0
            stop = last_column if row == last else len(lines[row])
            covered.setdefault(row, []).append((start, stop))
    for header, last in reader.blocks:
        for number in range(header + 1, last + 1):
            text = lines[number]
            covered[number] = [(len(text) - len(text.lstrip(" \t")), len(text))]
    found: list[Diagnostic] = []
    for row, text in enumerate(lines):
        if "\t" not in text:
            continue
        match = next(_stray_tabs(text, covered.get(row, [])), None)
        if match is None or (row, match.start()) >= end:
            continue
        indents = not text[: match.start()].strip(" \t")
        message = (
            "a tab cannot indent a line; use spaces"
            if indents
            else "a tab can stand only in quotes or in a comment; use a space"
        )
        span = Span(path, row + 1, match.start() + 1, row + 1, match.end() + 1)
        found.append(Diagnostic("E117", message, span))
        if len(found) == _MAX_TAB_LINES:
            break
    return found


def _stray_tabs(line: str, covered: Sequence[tuple[int, int]]) -> Iterator[re.Match[str]]:
    def is_text(place: int) -> bool:
        return any(start <= place < stop for start, stop in covered)

    comments = (m.start() for m in re.finditer(r"(?:(?<=[ \t])|^)#", line))
    comment = next((place for place in comments if not is_text(place)), len(line))
    for match in re.finditer(r"\t+", line[:comment]):
        if not is_text(match.start()):
            yield match


# ---- numbers and the like ----------------------------------------------------------

_MAY_BE_VALUE = frozenset("0123456789+-.~tTfFnN")
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_HEX = re.compile(r"0x[0-9a-fA-F]+\Z")
_OCTAL = re.compile(r"0o[0-7]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NO_NUMBER = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_WORDS: Mapping[str, bool | None] = {
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "null": None,
    "Null": None,
    "NULL": None,
    "~": None,
}


class _OutOfBounds(Exception):
    """A number that the format does not allow; the text says why."""


def _resolve(text: str) -> Value:
    """What a plain scalar stands for. Raises _OutOfBounds."""
    if not text:
        return None
    if text[0] not in _MAY_BE_VALUE:
        return text
    if text in _WORDS:
        return _WORDS[text]
    base = 0
    if _INTEGER.match(text):
        base = 10
    elif _HEX.match(text):
        base = 16
    elif _OCTAL.match(text):
        base = 8
    if base:
        if len(text.lstrip("+-")) > MAX_DIGITS + (0 if base == 10 else 2):
            raise _OutOfBounds(f"a number may have at most {MAX_DIGITS} digits")
        return int(text if base == 10 else text[2:], base)
    if _FLOAT.match(text):
        number = float(text) if len(text) <= 2 * MAX_DIGITS else float("inf")
        if sum(map(str.isdigit, text)) > MAX_DIGITS or abs(number) >= 10.0**MAX_DIGITS:
            raise _OutOfBounds(f"a number may have at most {MAX_DIGITS} digits")
        return number
    if _NO_NUMBER.match(text):
        raise _OutOfBounds("a ruleset has no infinite numbers and no 'not a number'")
    return text


# ---- from events to nodes ----------------------------------------------------------


class _Stop(Exception):
    """Nothing after this place can be read."""


@dataclass(slots=True, eq=False, repr=False)
class _Open:
    """A mapping or list whose end has not come yet."""

    is_mapping: bool
    flow: bool
    line: int
    column: int
    items: list[Any] = field(default_factory=list)
    index: dict[str, int] = field(default_factory=dict)
    key: ScalarNode | None = None
    is_key: bool = False


class _Reader:
    """Builds the nodes of one document and keeps every mistake it meets."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.lines = text.split("\n")
        self.found: list[Diagnostic] = []
        self.is_doubtful = False
        self.root: Node | None = None
        self.stopped_by: Diagnostic | None = None
        self.stopped_at: Place | None = None
        self.texts: list[tuple[Place, Place]] = []
        self.blocks: list[tuple[int, int]] = []
        self._stack: list[_Open] = []
        self._cut: set[Span] = set()
        self._nodes = 0
        self._documents = 0

    def run(self) -> None:
        """Read all events; stops at the first place after which nothing can be made out."""
        loader = _LOADER(self.text)
        try:
            while True:
                event = loader.get_event()
                if event is None or type(event) is yaml.StreamEndEvent:
                    break
                self._take(event)
        except _Stop:
            pass
        except MarkedYAMLError as error:
            from ruleengine.yaml_errors import explain

            self.stopped_by = explain(error, self._stopped())
            mark = error.problem_mark
            if "quoted scalar" in (error.context or "") and error.context_mark:
                mark = error.context_mark
            self.stopped_at = (mark.line, mark.column) if mark else (0, 0)
        except (ValueError, OverflowError):
            # The Python parser makes a character of \U00110000 without looking.
            from ruleengine.yaml_errors import unknown_escape

            mark = loader.get_mark()
            self.stopped_at = mark.line, mark.column
            self.stopped_by = unknown_escape(self._stopped(), self.stopped_at)
        finally:
            loader.dispose()

    def _stopped(self) -> Stopped:
        from ruleengine.yaml_errors import Stopped

        brackets = tuple((o.line, o.column) for o in self._stack if o.flow)
        return Stopped(self.path, self.lines, brackets, self.texts[-1] if self.texts else None)

    def _take(self, event: Any) -> None:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._count(event)
            self._add(self._scalar(event))
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._open(event, kind is yaml.MappingStartEvent)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._add(self._close(event))
        elif kind is yaml.AliasEvent:
            self._count(event)
            span = self._span(event)
            message = "a value that starts with '*' must be in quotes: YAML aliases are not allowed"
            self.found.append(Diagnostic("E112", message, span))
            self._add(ScalarNode(None, "", False, span, "*", self.lines))
        elif kind is yaml.DocumentStartEvent:
            self._document(event)

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            from ruleengine.yaml_errors import second_document

            mark = event.start_mark
            self._stop(second_document(self._at(mark.line, mark.column, 3)), mark)
        if self.text.startswith("%") or "\n%" in self.text:
            from ruleengine.yaml_errors import directive

            for number in range(event.end_mark.line):
                if self.lines[number].startswith("%"):
                    self.found.append(directive(self._stopped(), number))

    def _count(self, event: Any) -> None:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            mark = event.start_mark
            message = f"a file may hold at most {MAX_NODES} values"
            self._stop(Diagnostic("E107", message, self._at(mark.line, mark.column)), mark)

    def _open(self, event: Any, is_mapping: bool) -> None:
        self._count(event)
        mark = event.start_mark
        line, column = mark.line, mark.column
        if len(self._stack) == MAX_DEPTH:
            from ruleengine.yaml_errors import too_deep

            self._stop(too_deep(self._at(mark.line, mark.column)), mark)
        if event.anchor is not None or event.tag is not None:
            self._properties(event)
            if event.flow_style:
                line, column = event.end_mark.line, event.end_mark.column - 1
        above = self._stack[-1] if self._stack else None
        is_key = above is not None and above.is_mapping and above.key is None
        if is_key:
            message = "a name must be text, not a list or a mapping"
            self.found.append(Diagnostic("E110", message, self._at(mark.line, mark.column)))
        self._stack.append(_Open(is_mapping, bool(event.flow_style), line, column, is_key=is_key))

    def _close(self, event: Any) -> Node:
        done = self._stack.pop()
        if done.flow or not done.items:
            line, column = event.end_mark.line + 1, event.end_mark.column + 1
        else:
            last: Node = done.items[-1][1] if done.is_mapping else done.items[-1]
            line, column = last.span.end_line, last.span.end_column
        span = Span(self.path, done.line + 1, done.column + 1, line, column)
        if done.is_key:
            return ScalarNode(None, "", False, span, "", self.lines)
        if done.is_mapping:
            return MappingNode(tuple(done.items), span, done.index)
        return SequenceNode(tuple(done.items), span)

    def _add(self, node: Node) -> None:
        if not self._stack:
            self.root = node
            return
        above = self._stack[-1]
        if not above.is_mapping:
            above.items.append(node)
            return
        key = above.key
        if key is None:
            # Whatever is not a scalar has been made one, with its error, by now.
            above.key = node if isinstance(node, ScalarNode) else None
            return
        above.key = None
        if above.flow and self._is_cut_off(key, node, above):
            return
        if not self._is_name(key, node, above):
            above.items.append((key, node))
            return
        first = above.index.setdefault(key.text, len(above.items))
        if first < len(above.items):
            label = Label(above.items[first][0].span, "first written here")
            message = f"the name {quote(key.text)} is written twice"
            self.found.append(Diagnostic("E109", message, key.span, labels=(label,)))
            return
        above.items.append((key, node))

    def _is_cut_off(self, key: ScalarNode, value: Node, above: _Open) -> bool:
        """Whether a name without a value is the rest of the value before it, cut at a comma."""
        before = above.items[-1][1] if above.items else None
        if not key.plain or not _is_nothing(value) or not isinstance(before, ScalarNode):
            return False
        rest = self.lines[key.span.end_line - 1][key.span.end_column - 1 :].lstrip()
        if rest.startswith(":") or not before.plain or not isinstance(before.value, str):
            return False
        if not (_NOT_IN_A_NAME.search(key.text) or before.text.count("(") > before.text.count(")")):
            return False
        if before.span not in self._cut:
            self._cut.add(before.span)
            message = "a text with ',' in it needs quotes inside { }"
            line, end = before.span.end_line - 1, before.span.end_column - 1
            comma = self._at(line, max(self.lines[line].find(",", end), end))
            self.found.append(Diagnostic("E126", message, comma))
        return True

    def _is_name(self, key: ScalarNode, value: Node, above: _Open) -> bool:
        """Whether a key is a name. What is no scalar has been reported before."""
        if not key.plain:
            return key._style in ("'", '"', "|", ">")
        text = key.text
        if text == "<<":
            message = "the merge key '<<' is not allowed"
            self.found.append(Diagnostic("E114", message, key.span))
            return False
        if not isinstance(key.value, str):
            if not text:
                message = "a name is missing before ':'"
                self.found.append(Diagnostic("E110", message, key.span))
            else:
                message = f"a name must be text: {quote(text)} without quotes is not"
                help_text = f'write "{text}"' if len(text) <= MAX_DIGITS else None
                self.found.append(Diagnostic("E110", message, key.span, help=help_text))
            return False
        if above.flow and ":" in text and _is_nothing(value) and "://" not in text:
            at = text.index(":")
            place = key.locate(at, at + 1)
            self.found.append(Diagnostic("E131", "a space is missing after this ':'", place))
            return False
        return True

    def _scalar(self, event: Any) -> ScalarNode:
        text: str = event.value
        style: str = event.style or ""
        start, end = event.start_mark, event.end_mark
        line, column, last, last_column = start.line, start.column, end.line, end.column
        if line == len(self.lines):
            # A value is missing at the end of the file; the C parser counts one line more there.
            line = last = line - 1
            column = last_column = len(self.lines[line])
        if style:
            if style in "|>":
                signs = _BLOCK_HEADER.match(self.lines[line], column)
                if signs and self.lines[line][signs.end() :].startswith("#"):
                    # The C parser lets a comment follow without a space.
                    from ruleengine.yaml_errors import block_header

                    self._stop(block_header(self._at(line, signs.end())), start)
                last, last_column = self._block_end(start, end)
                self.blocks.append((line, last))
            else:
                self.texts.append(((line, column), (last, last_column)))
        span = Span(self.path, line + 1, column + 1, last + 1, last_column + 1)
        if event.anchor is not None or event.tag is not None:
            self._properties(event)
            # `!dealer and ...` and `& honor` are meant as text, so it is not known what they say.
            is_standard = event.tag is None or event.tag.startswith(_STANDARD_TAG)
            self.is_doubtful |= not is_standard or event.anchor is not None or not text
        if style:
            node = ScalarNode(text, text, False, span, style, self.lines)
            if style == '"' and not text.isprintable():
                self._escaped(node)
            return node
        value: Value = text
        try:
            value = _resolve(text)
        except _OutOfBounds as error:
            self.found.append(Diagnostic("E115", str(error), span))
        return ScalarNode(value, text, True, span, "", self.lines)

    def _block_end(self, start: Any, end: Any) -> Place:
        """The end of the last line with text; the parser's own end is where it looks next."""
        line = min(end.line, len(self.lines) - 1)
        text = self.lines[line][: end.column]
        while line > start.line and not text.strip():
            line -= 1
            text = self.lines[line]
        return line, len(text.rstrip()) if line == start.line else len(text)

    def _escaped(self, node: ScalarNode) -> None:
        """Characters that double quotes can spell but a ruleset may not hold."""
        text = node.text
        half = _SURROGATE.search(text)
        for char in filter(_HIDDEN.match, set(text[: half.start()] if half else text)):
            span = node.locate(text.index(char), text.index(char) + 1)
            self.found.append(_hidden(char, span, text.count(char)))
        if half:
            from ruleengine.yaml_errors import unknown_escape

            span = node.locate(half.start(), half.end())
            self.stopped_at = span.line - 1, span.column - 1
            self.stopped_by = unknown_escape(self._stopped(), self.stopped_at)
            raise _Stop

    def _properties(self, event: Any) -> None:
        line, column = event.start_mark.line, event.start_mark.column
        rest = self.lines[line][column:]
        if event.anchor is not None:
            name = f"&{event.anchor}"
            at = max(rest.find(name), 0)
            message = "a value that starts with '&' must be in quotes: YAML anchors are not allowed"
            span = self._at(line, column + at, len(name))
            self.found.append(Diagnostic("E111", message, span))
        if event.tag is not None:
            from ruleengine.yaml_errors import tag

            match = re.search(r"![^\s,\[\]{}]*", rest)
            at, size = (match.start(), len(match.group())) if match else (0, 1)
            self.found.append(tag(self._at(line, column + at, size)))

    def _stop(self, diagnostic: Diagnostic, mark: Any) -> None:
        self.stopped_by = diagnostic
        self.stopped_at = mark.line, mark.column
        raise _Stop

    def _span(self, event: Any) -> Span:
        start, end = event.start_mark, event.end_mark
        return Span(self.path, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _at(self, line: int, column: int, length: int = 1) -> Span:
        return Span(self.path, line + 1, column + 1, line + 1, column + 1 + length)


# ---- where each character of a scalar stands ---------------------------------------

_Char: TypeAlias = tuple[str, Place, Place]
"""A character of the decoded text, and where in the file it starts and ends."""

_NOT_IN_A_NAME = re.compile(r"[^\w.-]")
_BLOCK_HEADER = re.compile(r"[|>](?P<signs>[-+1-9]*)")


def _places(node: ScalarNode) -> list[tuple[Place, Place]] | None:
    """Start and end of every character of the text; None where they cannot be told."""
    span = node.span
    start, end = (span.line - 1, span.column - 1), (span.end_line - 1, span.end_column - 1)
    if node._style in ("|", ">"):
        candidates = _block_readings(node._lines, start, node.text)
    else:
        candidates = iter([_flow_reading(node._lines, start, end, node._style)])
    for chars in candidates:
        if "".join(char for char, _, _ in chars) == node.text:
            return [(begin, stop) for _, begin, stop in chars]
    return None


def _inside(node: ScalarNode) -> Place:
    """Where the text of an empty scalar would stand."""
    margin = 0 if node.plain else 1
    return node.span.line - 1, node.span.column - 1 + margin


def _flow_reading(lines: Sequence[str], start: Place, end: Place, style: str) -> list[_Char]:
    """Plain and quoted scalars: a line end becomes a space, empty lines become line ends."""
    margin = 1 if style else 0
    chars: list[_Char] = []
    breaks: list[Place] = []
    joined = False
    for row in range(start[0], end[0] + 1):
        first, last = row == start[0], row == end[0]
        column = start[1] + margin if first else 0
        stop = end[1] - margin if last else len(lines[row])
        if not first:
            text = lines[row][:stop]
            column = len(text) - len(text.lstrip(" \t"))
        tokens = list(_tokens(lines[row], row, column, stop, style))
        joins = bool(tokens) and tokens[-1][0] == ""
        if joins:
            tokens.pop()
        elif not last:
            while tokens and tokens[-1][0] in " \t" and _width(tokens[-1]) == 1:
                tokens.pop()
        if not first and (tokens or joins or last):
            chars += _folded(breaks, (row, column), joined)
            breaks = []
        if first or tokens or joins:
            joined = joins
        chars += tokens
        breaks.append(tokens[-1][2] if tokens else (row, column))
    return chars


def _folded(breaks: Sequence[Place], stop: Place, joined: bool) -> Iterator[_Char]:
    """What a row of line ends becomes; a backslash at the end of a line swallows the first."""
    ends = [*breaks[1:], stop]
    if len(breaks) == 1 and not joined:
        yield " ", breaks[0], stop
    for begin, after in zip(breaks[1:], ends[1:], strict=True):
        yield "\n", begin, after


def _tokens(line: str, row: int, column: int, stop: int, style: str) -> Iterator[_Char]:
    """The characters of one line; an empty one stands for a backslash at its end."""
    while column < stop:
        char, size = line[column], 1
        if style == "'" and char == "'":
            size = 2
        elif style == '"' and char == "\\":
            char, size = _unescape(line, column)
        yield char, (row, column), (row, column + size)
        column += size


_ESCAPED: Mapping[str, str] = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}
_CODE_SIZES: Mapping[str, int] = {"x": 2, "u": 4, "U": 8}


def _unescape(line: str, column: int) -> tuple[str, int]:
    """The character that an escape stands for, and how many characters spell it."""
    letter = line[column + 1 : column + 2]
    if letter in _CODE_SIZES:
        size = _CODE_SIZES[letter]
        return chr(int(line[column + 2 : column + 2 + size], 16)), 2 + size
    return (_ESCAPED.get(letter, letter), 2) if letter else ("", 1)


def _width(char: _Char) -> int:
    return char[2][1] - char[1][1]


def _block_readings(lines: Sequence[str], start: Place, text: str) -> Iterator[list[_Char]]:
    """Literal and folded scalars, with each indentation that the header allows."""
    header = _BLOCK_HEADER.match(lines[start[0]], start[1])
    signs = header["signs"] if header else ""
    folded = lines[start[0]][start[1]] == ">"
    rows = range(start[0] + 1, len(lines))
    if not text.strip("\n"):
        yield [("\n", (row, len(lines[row])), (row + 1, 0)) for row in rows[: len(text)]]
        return
    indents = []
    for row in rows:
        indents.append(len(lines[row]) - len(lines[row].lstrip(" ")))
        if indents[-1] < len(lines[row]):
            break
    explicit = any(sign.isdigit() for sign in signs)
    for width in range(max(indents), -1, -1) if explicit else indents[-1:]:
        yield _block_reading(lines, rows, width, signs, folded)


def _block_reading(
    lines: Sequence[str], rows: range, indent: int, signs: str, folded: bool
) -> list[_Char]:
    chars: list[_Char] = []
    pending: list[_Char] = []
    spaced = True
    started = False
    for row in rows:
        line = lines[row]
        begin = min(indent, len(line))
        if line[:begin].strip(" "):
            break
        newline = "\n", (row, len(line)), (row + 1, 0)
        if begin == len(line):
            if row + 1 < len(lines):
                pending.append(newline)
            continue
        leads = line[begin] in " \t"
        if folded and started and not spaced and not leads:
            first, *more = pending
            pending = more or [(" ", first[1], (row, begin))]
        chars += pending
        chars += [
            (line[column], (row, column), (row, column + 1)) for column in range(begin, len(line))
        ]
        pending = [newline] if row + 1 < len(lines) else []
        spaced, started = leads, True
    if "+" in signs:
        chars += pending
    elif "-" not in signs and started:
        chars += pending[:1]
    return chars
