"""Ruleset files as commands take them: names, files, folders; and files that they write."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ruleengine.cli.session import Session

_ENDINGS = (".yaml", ".yml")


def ruleset_files(given: Sequence[str], session: Session) -> list[Path]:
    """The files of some rulesets, each once; a folder stands for the rulesets in it, and nothing
    for the configured ruleset.

    Raises `UsageError` for a folder without rulesets, `UnknownRulesetError` for an unknown name.
    """
    from ruleengine.ruleset.find import find_ruleset

    folders = session.config.folder_paths
    found: dict[Path, None] = {}
    for name in given or [setting.value for setting in session.config.rules]:
        if os.path.isdir(name):
            inside = sorted(path for path in Path(name).iterdir() if path.suffix in _ENDINGS)
            if not inside:
                from ruleengine.cli.failure import UsageError

                raise UsageError(f"there are no .yaml files in the folder {name}")
            found |= dict.fromkeys(inside)
        else:
            found[find_ruleset(name, folders)] = None
    return list(found)


def spare_inputs(output: str, inputs: Iterable[str]) -> None:
    """Raise `UsageError` where a file to write is one of those that are read.

    Two names of one file are one file. Devices and pipes lose nothing by being written to.
    """
    if not os.path.isfile(output):
        return
    for source in inputs:
        if os.path.isfile(source) and os.path.samefile(source, output):
            from ruleengine.cli.failure import UsageError

            same = "" if source == output else f", which is {source},"
            message = f"{output}{same} is read here, and writing to it would destroy it"
            raise UsageError(message, "give another file with -o")


def write_whole(output: str, text: str) -> None:
    """Write a file whole or not at all: under another name first, then moved."""
    target = Path(output)
    if target.exists() and not target.is_file():
        # A device or a named pipe cannot be replaced by a file.
        target.write_text(text, encoding="utf-8", newline="\n")
        return
    target = target.resolve()
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with open(unfinished, "x", encoding="utf-8", newline="\n") as outgoing:
            outgoing.write(text)
        os.replace(unfinished, target)
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, error.strerror, output) from None
    finally:
        unfinished.unlink(missing_ok=True)
