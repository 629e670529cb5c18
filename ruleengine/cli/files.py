"""Ruleset files as commands take them: names, files, folders."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

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
