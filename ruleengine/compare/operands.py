"""The rulesets that are to be compared: by name, as a file, as `REV:path` in git, or loaded."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from ruleengine.diagnostics import RulesetError
from ruleengine.frozen import FrozenDict
from ruleengine.rules import Rules
from ruleengine.ruleset.find import find_ruleset
from ruleengine.ruleset.read import ReadRuleset, read_ruleset_file, read_ruleset_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from pathlib import Path

    from ruleengine.compare.model import Comparison


def read_operand(text: str, folders: tuple[Path, ...] = ()) -> ReadRuleset:
    """Read the ruleset that an operand names; `folders` are searched before the shipped rulesets.

    Raises `UnknownRulesetError`, `RevisionError`, or `RulesetError` with every mistake.
    """
    if ":" in text:
        from ruleengine.revision import is_revision, read_revision

        if is_revision(text):
            return read_revision(text, folders)
    return read_ruleset_file(find_ruleset(text, folders), folders)


def read_rules(rules: Rules) -> ReadRuleset:
    """What a loaded ruleset was read from; the values of its options become their defaults."""
    data = rules.data
    chain = None
    try:
        path, text = next(iter(rules.sources.items()))
        read = read_ruleset_from(_Sources(rules.sources), text, path)
        chain = read.chain if read.data == data else None
    except (RulesetError, StopIteration):
        chain = None
    options = {
        name: replace(option, default=rules.options[name]) for name, option in data.options.items()
    }
    return ReadRuleset(replace(data, options=FrozenDict(options)), rules.sources, (), chain)


def diff(
    old: Rules | str | PathLike[str],
    new: Rules | str | PathLike[str],
    *,
    folders: Iterable[str | PathLike[str]] = (),
    only_structure: bool = False,
    budget: float | None = None,
    seed: int = 1,
    jobs: int = 1,
) -> Comparison:
    """Compare two rulesets; see `ruleengine.diff`."""
    from pathlib import Path

    extra = tuple(Path(folder) for folder in folders)
    before, after = (
        read_rules(one) if isinstance(one, Rules) else read_operand(os.fspath(one), extra)
        for one in (old, new)
    )
    if only_structure:
        from ruleengine.compare.structure import said_otherwise

        return said_otherwise(before, after)
    from ruleengine.compare.run import compare

    return compare(before, after, budget=budget, seed=seed, jobs=jobs)


@dataclass(frozen=True, slots=True)
class _Sources:
    """The files that a loaded ruleset was read from."""

    texts: Mapping[str, str]

    def ids(self) -> Mapping[str, str]:
        """Every one of them by its name."""
        return {PurePath(path.rpartition(":")[2]).stem: path for path in self.texts}

    def text(self, path: str) -> str:
        """The text of one of them."""
        return self.texts[path]
