"""Finds rulesets by name in the ruleset folders, or takes a file as it is given."""

from __future__ import annotations

import re
from pathlib import Path

from ruleengine.data import data_folder
from ruleengine.diagnostics import suggest, there_are
from ruleengine.errors import RuleEngineError, quote

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
    if Path(name).is_file():
        help_line = f"to use the file of that name, write ./{name}"
    raise UnknownRulesetError(f"there is no ruleset {quote(name)}", help_line)
