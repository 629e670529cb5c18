"""Finds rulesets by name in the ruleset folders, or takes a file as it is given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ruleengine.data import data_folder
from ruleengine.diagnostics import suggest, there_are
from ruleengine.errors import RuleEngineError, quote
from ruleengine.source import decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

_ID = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class UnknownRulesetError(RuleEngineError):
    """No ruleset has this name; `help` says what was meant or what there is."""

    code = "R101"

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


def is_id(name: str) -> bool:
    """Whether a text can be the id of a ruleset: small letters, digits, `.`, `_` and `-`."""
    return _ID.fullmatch(name) is not None


def folders(extra: tuple[Path, ...] = ()) -> tuple[Path, ...]:
    """The folders that are searched, in order: those given, then the shipped one."""
    return (*extra, data_folder("rulesets"))


def ruleset_ids(extra: tuple[Path, ...] = ()) -> dict[str, Path]:
    """Every ruleset that can be named, with its file; the first folder that has one counts."""
    found: dict[str, Path] = {}
    for folder in folders(extra):
        if folder.is_dir():
            for path in sorted(folder.glob("*.yaml")):
                if is_id(path.stem):
                    found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


class Library(Protocol):
    """Where the rulesets are that a ruleset may extend."""

    def ids(self) -> Mapping[str, str]:
        """Every ruleset that can be named, with the path that names it in messages."""

    def text(self, path: str) -> str:
        """The text at such a path. Raises `RulesetError` for one that cannot be read."""


@dataclass(frozen=True, slots=True)
class Folders:
    """The rulesets of some folders, and the shipped ones."""

    extra: tuple[Path, ...] = ()

    def ids(self) -> Mapping[str, str]:
        """Every ruleset that can be named, with its file."""
        return {name: str(path) for name, path in ruleset_ids(self.extra).items()}

    def text(self, path: str) -> str:
        """The text of a file. Raises `RulesetError` for one that cannot be read."""
        return decode(read_bytes(path), path)


def find_ruleset(name: str, extra: tuple[Path, ...] = ()) -> Path:
    """The file of a ruleset that is given by name or as a file.

    Something with a slash or the ending `.yaml` is a file. Raises `UnknownRulesetError`.
    """
    if "/" in name or "\\" in name or name.endswith((".yaml", ".yml")):
        return Path(name)
    found = ruleset_ids(extra)
    if name in found:
        return found[name]
    meant = suggest(name, found)
    help_line = f"did you mean '{meant}'?" if meant else there_are(found, name)
    if _is_file(name):
        help_line = f"to use the file of that name, write ./{name}"
    raise UnknownRulesetError(f"there is no ruleset {quote(name)}", help_line)


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:
        # Such as a name that is longer than the system can look up.
        return False
