"""Loads a ruleset by name or file into `Rules`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ruleengine.kept import Kept
from ruleengine.rules import Rules
from ruleengine.ruleset.find import find_ruleset
from ruleengine.ruleset.options import check_options
from ruleengine.ruleset.read import read_ruleset_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.ruleset.read import ReadRuleset

_RULES: Kept[tuple[int, tuple[tuple[str, int | bool], ...]], tuple[ReadRuleset, Rules]] = Kept(16)
"""Compiled rulesets by the identity of what was read, which is kept with them, and options."""


def load_ruleset(
    name: str | os.PathLike[str],
    *,
    folders: Iterable[str | os.PathLike[str]] = (),
    options: Mapping[str, int | bool] | None = None,
) -> Rules:
    """Find, read, check and compile a ruleset; see `ruleengine.load` for what it raises."""
    extra = tuple(Path(folder) for folder in folders)
    path = find_ruleset(os.fspath(name), extra)
    return rules_of(read_ruleset_file(path, extra), options)


def rules_of(read: ReadRuleset, options: Mapping[str, int | bool] | None = None) -> Rules:
    """Compile a ruleset that was read, with some options; what was compiled lately is not again.

    Raises `OptionError` for an option or a value that it does not have.
    """
    key = id(read), tuple(sorted(check_options(read.data, options or {}).items()))
    found = _RULES.get(key)
    if found is None:
        found = read, Rules(read.data, options, read.sources)
        _RULES.keep(key, found)
    return found[1]
