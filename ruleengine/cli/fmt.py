"""`yaku fmt`: lays ruleset files out in the canonical way.

A file is written only when it is certain that nothing but the layout has changed; otherwise it is
left alone, and what stands in the way is said.
"""

from __future__ import annotations

import difflib
import itertools
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ruleengine.cli import FINDINGS, FINE, WRONG, options
from ruleengine.cli.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ruleengine.diagnostics import RulesetError

STDIN = "-"
_ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class _Done:
    """A file as it is and as it should be; `error` where it cannot be laid out."""

    file: str
    old: bytes = b""
    new: bytes = b""
    error: RulesetError | None = None

    @property
    def changed(self) -> bool:
        return self.old != self.new


def fmt(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILES", help="Files or folders; - reads stdin, writes stdout."),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; status 1 if a file would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show what would change.")
    ] = False,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="text, line, json or github.")
    ] = "text",
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Lay ruleset files out. Comments stay with what they are about; values never change."""
    from ruleengine.cli.failure import FORMATS, UsageError

    if format not in FORMATS:
        raise UsageError(f"there is no format {format}", f"there are: {', '.join(FORMATS)}")
    json = json or format == "json"
    session = Session(None, None, lang, as_json=json, plain=ascii)
    done = [_format(file) for file in _expanded(files)]
    dry = check or diff
    for one in done:
        if one.error is None and one.file == STDIN and not dry and not json:
            sys.stdout.flush()
            sys.stdout.buffer.write(one.new)
        elif one.changed and one.file != STDIN and not dry:
            _replace(Path(one.file), one.new)
    if json:
        session.print_json([_plain(one) for one in done])
    else:
        _show(done, session, dry=dry, diff=diff, format=format)
    _report([one.error for one in done if one.error is not None], format)
    if any(one.error for one in done):
        return WRONG
    return FINDINGS if dry and any(one.changed for one in done) else FINE


def _expanded(files: Sequence[str]) -> Iterator[str]:
    """The files, each once; a folder stands for the YAML files in it."""
    seen: set[str] = set()
    for file in files:
        found = [file]
        if file != STDIN and os.path.isdir(file):
            found = sorted(str(path) for path in Path(file).rglob("*") if path.suffix in _ENDINGS)
            if not found:
                from ruleengine.cli.failure import UsageError

                raise UsageError(f"there are no .yaml files in the folder {file}")
        for one in found:
            if one not in seen:
                seen.add(one)
                yield one


def _format(file: str) -> _Done:
    from ruleengine.diagnostics import RulesetError
    from ruleengine.fmt import format_text
    from ruleengine.source import MAX_BYTES, decode, read_bytes

    path = "stdin" if file == STDIN else file
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 4) if file == STDIN else read_bytes(file)
        return _Done(file, data, format_text(decode(data, path), path).encode())
    except RulesetError as error:
        return _Done(file, error=error)


def _replace(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; a link stays one, and so do the permissions."""
    target = path.resolve()
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(unfinished, "xb") as file:
            file.write(data)
        shutil.copymode(target, unfinished)
        os.replace(unfinished, target)
    finally:
        unfinished.unlink(missing_ok=True)


def _plain(one: _Done) -> dict[str, Any]:
    from ruleengine.diagnostics import to_json

    found: dict[str, Any] = {"file": one.file, "changed": one.changed}
    if one.error is not None:
        found["changed"] = None
        found["diagnostics"] = [to_json(problem) for problem in one.error.diagnostics]
    return found


def _show(done: Sequence[_Done], session: Session, *, dry: bool, diff: bool, format: str) -> None:
    changed = [one for one in done if one.changed]
    if diff:
        for one in changed:
            lines = list(_diff(one))
            print("".join(lines), end="")
            if not lines:
                session.screen.line(session.screen.say("fmt_line_ends", file=one.file), wrap=False)
    only_stdin = all(one.file == STDIN for one in done)
    if diff or (only_stdin and not dry):
        return
    screen = session.screen
    for one in changed:
        if dry and format == "github":
            print(_annotation(one))
            continue
        key = "fmt_would_change" if dry else "fmt_changed"
        screen.line(screen.say(key, file=one.file), wrap=False)
    if not changed and not any(one.error for one in done):
        screen.line(screen.say("fmt_nothing"))


def _annotation(one: _Done) -> str:
    """The first line that would change, as a workflow command of GitHub."""
    from ruleengine.diagnostics import Diagnostic, Span
    from ruleengine.faces.annotation import annotation

    old, new = _lines(one.old), _lines(one.new)
    same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))
    row = min(sum(1 for _ in same) + 1, len(old))
    span = Span(one.file, row, 1, row, max(len(old[row - 1]), 2))
    message = "this file is not in the canonical layout from here on"
    return annotation(Diagnostic("E604", message, span, help=f"yaku fmt {one.file}"))


def _diff(one: _Done) -> Iterable[str]:
    for line in difflib.unified_diff(_lines(one.old), _lines(one.new), one.file, one.file):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(data: bytes) -> list[str]:
    *lines, last = data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    return [*(f"{line}\n" for line in lines), *([last] if last else [])]


def _report(errors: Sequence[RulesetError], format: str) -> None:
    from ruleengine.cli.failure import report
    from ruleengine.diagnostics import RulesetError

    if errors:
        problems = [problem for error in errors for problem in error.diagnostics]
        sources = {path: text for error in errors for path, text in error.sources.items()}
        report(RulesetError(problems, sources), format="text" if format == "json" else format)
