"""Mutants that are explained: changes that make no difference to any hand, and why.

A file of them is a list of mappings: `at` is the path of the value, `becomes` what the mutant
makes of it, `why` the reason. Each stands for one mutant. An entry that fits no mutant, or one
that a case notices after all, is out of date and said to be.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ruleengine.source import MappingNode, ScalarNode, SequenceNode, read_yaml_file
from ruleengine.testing.cases import EQUIVALENT, case_folders
from ruleengine.testing.sentences import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ruleengine.diagnostics import Span
    from ruleengine.source import Node
    from ruleengine.testing.mutants import Mutant, Tried

KEYS = ("at", "becomes", "why")


@dataclass(frozen=True, slots=True)
class Explained:
    """One mutant that no hand can tell from the rules as they are; or what is wrong with that."""

    at: str
    becomes: str
    why: str
    span: Span
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Sorted:
    """Mutants by what became of them, and the entries that explain nothing.

    `stopped` is the first mutant that was not tried, since that was too much work; None where all
    were tried.
    """

    noticed: tuple[Tried, ...]
    explained: tuple[Tried, ...]
    survivors: tuple[Tried, ...]
    idle: tuple[Explained, ...]
    stopped: Mutant | None = None

    @property
    def score(self) -> float:
        """The share of mutants that were noticed, of those that could be; 100 where none is."""
        counted = len(self.noticed) + len(self.survivors)
        return 100 * len(self.noticed) / counted if counted else 100.0


def equivalent_file(path: Path, name: str) -> Path | None:
    """The file of equivalent mutants of a ruleset: among its cases, or in a folder `tests`."""
    folders = case_folders(path, name)
    folders += [root / "tests" for root in (path.resolve().parent.parent, Path.cwd())]
    for folder in folders:
        found = folder / f"{name}{EQUIVALENT}"
        if found.is_file():
            here = Path.cwd()
            return found.relative_to(here) if found.is_relative_to(here) else found
    return None


def read_explained(path: Path) -> list[Explained]:
    """The entries of a file. Raises `RulesetError` for what is no YAML."""
    root, _ = read_yaml_file(path)
    if not isinstance(root, SequenceNode):
        return [Explained("", "", "", root.span, "this is a list, each mutant after '- '")]
    return [_entry(item) for item in root.items]


def _entry(item: Node) -> Explained:
    texts = dict.fromkeys(KEYS, "")
    problem = None
    if not isinstance(item, MappingNode):
        return Explained("", "", "", item.span, "a mutant is a mapping: 'at', 'becomes', 'why'")
    for key, value in item.entries:
        if key.text not in KEYS or not isinstance(value, ScalarNode):
            problem = f"a mutant has 'at', 'becomes' and 'why', and no '{key.text}'"
        else:
            texts[key.text] = words(value.text)
    missing = [name for name in KEYS if not texts[name]]
    if problem is None and missing:
        problem = f"'{missing[0]}' is missing"
    return Explained(texts["at"], texts["becomes"], texts["why"], item.span, problem)


def sort_out(
    tried: Iterable[Tried], entries: Sequence[Explained] = (), stopped: Mutant | None = None
) -> Sorted:
    """Which mutants were noticed, which are explained, which survive.

    Where not all mutants were tried, an entry is idle only if it is wrong in itself.
    """
    by_change = {(entry.at, entry.becomes): entry for entry in entries if entry.problem is None}
    noticed: list[Tried] = []
    explained: list[Tried] = []
    survivors: list[Tried] = []
    useful: set[tuple[str, str]] = set()
    for one in tried:
        change = (one.mutant.at, one.mutant.becomes)
        if one.killed_by is not None:
            noticed.append(one)
        elif change in by_change:
            explained.append(one)
            useful.add(change)
        else:
            survivors.append(one)
    unused = [] if stopped is not None else [e for e in entries if (e.at, e.becomes) not in useful]
    idle = [e for e in entries if e.problem is not None or e in unused]
    return Sorted(tuple(noticed), tuple(explained), tuple(survivors), tuple(idle), stopped)
