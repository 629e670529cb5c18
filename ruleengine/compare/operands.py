"""The rulesets that are to be compared: by name, as a file, or as `REV:path` in git."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.ruleset.find import find_ruleset
from ruleengine.ruleset.read import read_ruleset_file

if TYPE_CHECKING:
    from pathlib import Path

    from ruleengine.ruleset.read import ReadRuleset


def read_operand(text: str, folders: tuple[Path, ...] = ()) -> ReadRuleset:
    """Read the ruleset that an operand names; `folders` are searched before the shipped rulesets.

    Raises `UnknownRulesetError`, `RevisionError`, or `RulesetError` with every mistake.
    """
    if ":" in text:
        from ruleengine.revision import is_revision, read_revision

        if is_revision(text):
            return read_revision(text, folders)
    return read_ruleset_file(find_ruleset(text, folders), folders)
