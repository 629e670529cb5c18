"""What git calls: a diff command for rulesets, and a text of them that it can compare itself.

Neither may fail because of a file: git would stop. What is no ruleset is compared as text.
"""

from __future__ import annotations

import difflib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ruleengine.cli import FINE
from ruleengine.cli.failure import UsageError, close_output
from ruleengine.errors import RuleEngineError
from ruleengine.source import MAX_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ruleengine.cli.comparing import Call
    from ruleengine.cli.session import Session
    from ruleengine.ruleset.read import ReadRuleset
    from ruleengine.source import Node

_TAKEN = (7, 9)
"""How many arguments git gives: nine where a file was renamed."""


def drive(given: Sequence[str], call: Call, *, texts: bool) -> int:
    """Compare two versions of a file as git hands them over: path, old file, its hash and mode, new
    file, its hash and mode, and of a renamed file the new path and a note."""
    if len(given) == 1:
        print(f"{given[0]}: unmerged")
        return FINE
    if len(given) not in _TAKEN:
        message = "--git-driver takes the seven or nine arguments that git gives"
        raise UsageError(
            message, 'in the git config: [diff "yaku"] command = yaku diff --git-driver'
        )
    path, old_file, old_hash, _, new_file, new_hash, _ = given[:7]
    new_path = given[7] if len(given) == 9 else path
    print(f"yaku diff {path} {_short(old_hash)} -> {new_path} {_short(new_hash)}")
    old, new = _text(old_file), _text(new_file)
    if old is None or new is None:
        print("  a new file" if old is None else "  the file is gone")
        return FINE
    try:
        _compare((path, old), (new_path, new), call, texts=texts)
    except BrokenPipeError:
        # Whoever reads has seen enough; git must not take that for a failure.
        close_output()
    return FINE


def _compare(old: tuple[str, str], new: tuple[str, str], call: Call, *, texts: bool) -> None:
    """Show what changes from one text to another, each with its path; as text where it must be."""
    names = (f"a/{old[0]}", f"b/{new[0]}")
    try:
        folders = call.session.config.folder_paths
        pairs = zip((old, new), names, strict=True)
        call.two(
            [_read(text, name, path, folders) for (path, text), name in pairs], "screen", texts
        )
    except RuleEngineError as error:
        first = getattr(error, "diagnostics", None)
        said = first[0].message if first else getattr(error, "message", str(error))
        print(f"  not compared as rulesets: {said}")
        if max(len(old[1]), len(new[1])) <= MAX_BYTES:
            before, after = old[1].splitlines(), new[1].splitlines()
            for line in difflib.unified_diff(before, after, *names, lineterm=""):
                print(line)
    print()


def convert(given: Sequence[str], session: Session) -> int:
    """Print one ruleset with all that it extends, a value a line with its path. What is no ruleset
    is printed as it is."""
    if len(given) != 1:
        raise UsageError("--textconv takes one file", "yaku diff --textconv house.yaml")
    text = _text(given[0]) or ""
    try:
        folders = (*session.config.folder_paths, Path())
        read = _read(text, given[0], given[0], folders)
    except RuleEngineError:
        sys.stdout.write(text)
        return FINE
    assert read.chain is not None
    from ruleengine.fmt.effective import effective_node

    for line in _lines(effective_node(read.chain), ()):
        print(line)
    return FINE


def _read(text: str, name: str, path: str, folders: tuple[Path, ...]) -> ReadRuleset:
    """Read a ruleset from its text; what it extends is looked for beside its path."""
    from ruleengine.ruleset.find import Folders
    from ruleengine.ruleset.read import read_ruleset_from

    return read_ruleset_from(Folders((*folders, Path(path).parent)), text, name)


def _lines(node: Node, path: tuple[str, ...]) -> Iterator[str]:
    """The values of a ruleset, sorted by path where their order makes no difference."""
    from ruleengine.source import MappingNode, ScalarNode

    if isinstance(node, MappingNode) and node.entries:
        entries = list(node.entries)
        if path != ("shapes",):
            entries.sort(key=lambda entry: entry[0].text)
        for key, value in entries:
            yield from _lines(value, (*path, key.text))
    elif isinstance(node, ScalarNode):
        yield f"{'.'.join(path)}: {' '.join(node.text.split())}"
    elif isinstance(node, MappingNode):
        yield f"{'.'.join(path)}: {{}}"
    else:
        for place, item in enumerate(node.items):
            yield from _lines(item, (*path, str(place + 1)))


def _text(path: str) -> str | None:
    """The text of a file, None where git says that there is none."""
    if path in (os.devnull, "/dev/null", "nul"):
        return None
    return Path(path).read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")


def _short(hash_: str) -> str:
    return hash_[:7] if hash_.strip(".0") else "-"
