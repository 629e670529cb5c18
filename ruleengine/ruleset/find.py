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
    from collections.abc import Iterable, Mapping

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


def find_ruleset(name: str, extra: tuple[Path, ...] = (), near: Path = Path()) -> Path:
    """The file of a ruleset that is given by name or as a file.

    Something with a slash or the ending `.yaml` is a file. Raises `UnknownRulesetError`, with
    help where it is a file of the folder `near`.
    """
    if "/" in name or "\\" in name or name.endswith((".yaml", ".yml")):
        return Path(name)
    found = ruleset_ids(extra)
    if name in found:
        return found[name]
    help_line = which_ruleset(name, found)
    file = next((one for one in (name, f"{name}.yaml", f"{name}.yml") if _is_file(near / one)), "")
    if file:
        help_line = f"to use the file of that name, write ./{file}"
    raise UnknownRulesetError(f"there is no ruleset {quote(name)}", help_line)


def which_ruleset(name: str, known: Iterable[str]) -> str:
    """A line of help for what names no ruleset, or not rightly: the one or the several that it
    begins, or else those that there are."""
    known = list(known)
    begun = [one for one in known if name and one.startswith(name)]
    one = name if name in known else begun[0] if len(begun) == 1 else None
    meant = one or suggest(name, known)
    if meant:
        return f"did you mean '{meant}'?"
    if begun:
        return there_are(begun, name).replace("there are:", "did you mean one of these:", 1)
    return there_are(known, name)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        # Such as a name that is longer than the system can look up.
        return False
