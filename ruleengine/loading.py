"""Loads a ruleset by name or file into `Rules`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ruleengine.rules import Rules
from ruleengine.ruleset.find import find_ruleset
from ruleengine.ruleset.read import read_ruleset_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def load_ruleset(
    name: str | os.PathLike[str],
    *,
    folders: Iterable[str | os.PathLike[str]] = (),
    options: Mapping[str, int | bool] | None = None,
) -> Rules:
    """Find, read, check and compile a ruleset; see `ruleengine.load` for what it raises."""
    extra = tuple(Path(folder) for folder in folders)
    path = find_ruleset(os.fspath(name), extra)
    found = read_ruleset_file(path, extra)
    return Rules(found.data, options, found.sources)
