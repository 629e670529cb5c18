"""A rule engine for mahjong in which the rules are data.

`load` gives a ruleset that scores hands:

>>> import ruleengine
>>> rules = ruleengine.load("zhongyong-3.3")
>>> rules.score("123m456p789s1122z+1z").points
15
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.errors import HandError, RuleEngineError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from ruleengine.compare.model import Change, Comparison
    from ruleengine.diagnostics import Diagnostic, RulesetError
    from ruleengine.explain import Explanation
    from ruleengine.hand import Hand, Meld, Situation
    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.ruleset.find import UnknownRulesetError
    from ruleengine.ruleset.options import OptionError

__version__ = "0.1.0"

__all__ = [
    "Change",
    "Comparison",
    "Diagnostic",
    "Explanation",
    "Hand",
    "HandError",
    "Meld",
    "OptionError",
    "Result",
    "RuleEngineError",
    "Rules",
    "RulesetError",
    "Situation",
    "UnknownRulesetError",
    "__version__",
    "diff",
    "load",
    "ruleset_names",
]

_HOMES = {
    "Change": "compare.model",
    "Comparison": "compare.model",
    "Diagnostic": "diagnostics",
    "Explanation": "explain",
    "OptionError": "ruleset.options",
    "UnknownRulesetError": "ruleset.find",
    "RulesetError": "diagnostics",
    "Hand": "hand",
    "Meld": "hand",
    "Situation": "hand",
    "Result": "result",
    "Rules": "rules",
}


def load(
    name: str | PathLike[str] = "zhongyong-3.3",
    *,
    folders: tuple[str | PathLike[str], ...] = (),
    **options: int | bool,
) -> Rules:
    """The ruleset of a name or file, with options changed: `load("zhongyong-3.3", minimum=5)`.

    `folders` are searched for names before the shipped rulesets. Raises `RuleEngineError`: a
    `RulesetError` with every mistake of the file, `UnknownRulesetError` for an unknown name,
    `OptionError` for an option that the ruleset does not have.
    """
    from ruleengine.loading import load_ruleset

    return load_ruleset(name, folders=folders, options=options)


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
    """Compare two rulesets by what they mean: `diff("zhongyong-3.2", "zhongyong-3.3")`.

    Each is a loaded ruleset, with the options it was loaded with, or a name, a file, or `REV:path`
    in the git repository of the working folder. With `only_structure` no hand is looked at; after
    `budget` seconds the comparison ends and says what it left out; `seed` is the chance of its
    samples, `jobs` the number of processes. Raises `RuleEngineError` as `load` does.
    """
    from ruleengine.compare.operands import diff as compared

    return compared(
        old, new, folders=folders, only_structure=only_structure, budget=budget, seed=seed,
        jobs=jobs,
    )  # fmt: skip


def ruleset_names() -> tuple[str, ...]:
    """The names of the shipped rulesets."""
    from ruleengine.ruleset.find import ruleset_ids

    return tuple(ruleset_ids())


def __getattr__(name: str) -> object:
    # Classes are imported when they are asked for, so that `import ruleengine` stays light.
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'ruleengine' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(f"ruleengine.{home}"), name)
