"""Finds the comments of a file and says of each which thing it is about.

What YAML drops is whatever follows a `#` outside of values. A comment beside something is about
that; a line of its own is about the line below it, unless its indentation says that it ends the
mapping or list above it. Where the indentation says neither, nothing is guessed.
"""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING, NoReturn

from ruleengine.diagnostics import Diagnostic, Label, RulesetError, Span
from ruleengine.fmt.things import Comment, Place, Thing, begin
from ruleengine.source import ScalarNode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BLOCK_HEADER = re.compile(r"[|>][-+0-9]*")
_MODELINE = re.compile(r"#\s*yaml-language-server:")


def place_comments(root: Thing, lines: Sequence[str], path: str) -> list[Comment]:
    """Give every comment to its thing. Returns those that are about the file as a whole; `blank`
    of the root says whether an empty line follows them.

    Raises `RulesetError` E601 for a comment of which it cannot be told what it is about, E602 for
    a layout that has no place in the canonical one.
    """
    placer = _Placer(root, lines, path)
    placer.place()
    return placer.head()


def check_moves(
    changed: Sequence[tuple[Thing, list[Thing]]], root: Thing, lines: Sequence[str], path: str
) -> None:
    """Say whether every comment can go where its thing goes: one that an empty line sets apart
    from the thing below it may be about several. Raises `RulesetError` E601."""
    for thing, parts in changed:
        for part in parts:
            for at, comment in enumerate(part.above):
                below = part.above[at + 1].blank if at + 1 < len(part.above) else part.apart
                first = thing is root and part is parts[0] and part is not root.parts[0]
                if below or first:
                    _refuse_move(_path_span(path, lines, comment.place), lines)


def _refuse_move(span: Span, lines: Sequence[str]) -> NoReturn:
    """Say that a comment stands where keys are to change places."""
    message = "the keys below are to change places, and it cannot be told where this comment goes"
    help_line = "put the comment right above the key that it is about, or the keys in order"
    found = Diagnostic("E601", message, span, help=help_line)
    raise RulesetError([found], {span.path: "\n".join(lines)})


def _path_span(path: str, lines: Sequence[str], place: Place) -> Span:
    row, column = place
    size = max(len(lines[row].rstrip()) - column, 1)
    return Span(path, row + 1, column + 1, row + 1, column + 1 + size)


class _Placer:
    def __init__(self, root: Thing, lines: Sequence[str], path: str) -> None:
        self.root = root
        self.path = path
        self.bare = _without_values(root, lines)
        self.lines = lines
        self.comments = self._find()
        self.parents: dict[int, Thing] = {}
        self._find_starts()
        self.things = [thing for thing in root.walk() if thing is not root]
        self.starts = [thing.start for thing in self.things]

    def place(self) -> None:
        for comment in self.comments:
            row, column = comment.place
            if self.lines[row][:column].strip() not in ("", "---"):
                self._beside(comment)
            else:
                self._line(comment)
        for thing in self.things:
            first = thing.above[0].place[0] if thing.above else thing.start[0]
            thing.blank = self._is_blank(first - 1)
            thing.apart = bool(thing.above) and self._is_blank(thing.start[0] - 1)

    def head(self) -> list[Comment]:
        """The comments at the top that are about the file: those of editors, and those that an
        empty line sets apart from the first key."""
        if not self.root.parts:
            return []
        first = self.root.parts[0]
        above = first.above
        size = next((at for at, one in enumerate(above) if not _MODELINE.match(one.text)), None)
        cut = len(above) if size is None else size
        for at, one in enumerate(above):
            if one.blank and at:
                cut = max(cut, at)
        if first.apart:
            cut = len(above)
        found, first.above = above[:cut], above[cut:]
        if found:
            self.root.blank = first.above[0].blank if first.above else first.apart
            first.blank = False
            first.apart = first.apart and bool(first.above)
        return found

    # ---- finding --------------------------------------------------------------------

    def _find(self) -> list[Comment]:
        found: list[Comment] = []
        for row, text in enumerate(self.bare):
            column = text.find("#")
            if column < 0:
                self._check_signs(row, text)
                continue
            comment = self.lines[row][column:].rstrip()
            found.append(Comment(comment, self._is_blank(row - 1), (row, column)))
            self._check_signs(row, text[:column])
            self.bare[row] = text[:column]
        return found

    def _check_signs(self, row: int, text: str) -> None:
        column = text.find("?")
        if column >= 0:
            message = "a name after '?' has no place in the canonical layout"
            self._refuse("E602", message, (row, column), help="write it as 'name: value'")

    def _find_starts(self) -> None:
        """Let items of lists start at their '-'."""
        for thing in self.root.walk():
            row = thing.start[0]
            for part in thing.parts:
                self.parents[id(part)] = thing
                if part.key is None and not thing.flow:
                    column = thing.value.span.column - 1
                    while self.bare[row][column : column + 1] != "-":
                        row += 1
                    part.start = row, column
                    row += 1

    def _is_blank(self, row: int) -> bool:
        return 0 <= row < len(self.lines) and not self.lines[row].strip()

    # ---- placing --------------------------------------------------------------------

    def _beside(self, comment: Comment) -> None:
        """Give a comment to the thing whose sign, name or value stands before it."""
        owner = self.root
        latest: Place = (-1, -1)
        for thing in self._around(comment.place):
            points = [thing.start, begin(thing.value)]
            if thing.flow:
                span = thing.value.span
                points.append((span.end_line - 1, span.end_column - 2))
            for point in points:
                if latest <= point <= comment.place:
                    owner, latest = thing, point
        if owner is self.root:
            self._refuse("E601", _UNCLEAR, comment.place)
        after_value = begin(owner.value) <= comment.place and owner.between
        if owner.beside is not None or after_value:
            other = owner.beside or owner.between[0]
            label = Label(_path_span(self.path, self.lines, other.place), "the other comment")
            message = "of two comments beside one value only one has a place"
            self._refuse("E602", message, comment.place, labels=(label,))
        owner.beside = comment

    def _around(self, place: Place) -> Iterator[Thing]:
        """The things that may own what stands just before a place: the last one that starts
        there, and all that it is in."""
        at = bisect.bisect_right(self.starts, place) - 1
        thing = self.things[at] if at >= 0 else None
        chain: list[Thing] = []
        while thing is not None and thing is not self.root:
            chain.append(thing)
            thing = self.parents.get(id(thing))
        yield from reversed(chain)

    def _line(self, comment: Comment) -> None:
        at = bisect.bisect_right(self.starts, comment.place)
        last = self.things[at - 1] if at else None
        if last is not None and not last.holds_parts and comment.place < begin(last.value):
            last.between.append(comment)
            return
        after = self.things[at] if at < len(self.things) else None
        closed = self._closed(last, after, comment.place)
        if closed and closed[0].flow:
            closed[0].end.append(comment)
            return
        if not closed:
            self._give(after, comment)
            return
        column = comment.place[1]
        own = self.parents[id(after)] if after is not None else self.root
        if column <= own.value.span.column - 1:
            self._give(after, comment)
            return
        if column > closed[0].value.span.column - 1:
            closed[0].end.append(comment)
            return
        fits = [thing for thing in closed if thing.value.span.column - 1 == column]
        if len(fits) != 1:
            self._refuse("E601", _UNCLEAR, comment.place, help=_INDENT)
        fits[0].end.append(comment)

    def _give(self, after: Thing | None, comment: Comment) -> None:
        (self.root.end if after is None else after.above).append(comment)

    def _closed(self, last: Thing | None, after: Thing | None, place: Place) -> list[Thing]:
        """The mappings and lists that end between two things, the innermost first; of brackets
        only those that are still open at the place."""
        own = self.parents[id(after)] if after is not None else self.root
        found: list[Thing] = []
        thing = last
        while thing is not None and thing is not own:
            if thing.holds_parts:
                span = thing.value.span
                is_open = place < (span.end_line - 1, span.end_column - 1)
                if not thing.flow or is_open:
                    found.append(thing)
            thing = self.parents.get(id(thing))
        return found

    # ---- refusing -------------------------------------------------------------------

    def _refuse(
        self,
        code: str,
        message: str,
        place: Place,
        labels: tuple[Label, ...] = (),
        help: str | None = None,
    ) -> NoReturn:
        found = Diagnostic(
            code, message, _path_span(self.path, self.lines, place), labels=labels, help=help
        )
        raise RulesetError([found], {self.path: "\n".join(self.lines)})


_UNCLEAR = "it cannot be told what this comment is about"
_INDENT = "indent it like the line that it belongs to"


def _without_values(root: Thing, lines: Sequence[str]) -> list[str]:
    """The lines with a space for every character of a name or value."""
    covered: dict[int, list[tuple[int, int]]] = {}
    for thing in root.walk():
        for node in (thing.key, thing.value):
            if isinstance(node, ScalarNode):
                for row, start, stop in _stretches(node, lines):
                    covered.setdefault(row, []).append((start, stop))
    bare = list(lines)
    for row, stretches in covered.items():
        pieces: list[str] = []
        at = 0
        for start, stop in sorted(stretches):
            pieces += [lines[row][at:start], " " * (stop - start)]
            at = stop
        bare[row] = "".join([*pieces, lines[row][at:]])
    return bare


def _stretches(node: ScalarNode, lines: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """The part of each line that a name or value takes up."""
    first, last = node.span.line - 1, node.span.end_line - 1
    is_block = node.style in ("|", ">")
    for row in range(first, last + 1):
        text = lines[row]
        start = node.span.column - 1 if row == first else 0
        stop = node.span.end_column - 1 if row == last and not is_block else len(text)
        if is_block and row == first:
            header = _BLOCK_HEADER.match(text, start)
            stop = header.end() if header else start + 1
        yield row, start, stop
