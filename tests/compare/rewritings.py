"""Rulesets with sentences in other words, from `cases/diff/rewritings.yaml`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruleengine.fmt.effective import plain_value
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.read import read_ruleset_file, read_ruleset_text
from ruleengine.source import SequenceNode, read_yaml_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.ruleset.read import ReadRuleset

FILE = Path(__file__).parents[1] / "cases" / "diff" / "rewritings.yaml"


@dataclass(frozen=True)
class Rewriting:
    """One ruleset with other words in it; `line` is where the case stands."""

    rules: str
    how: str
    set: Mapping[str, Any]
    line: int

    def __str__(self) -> str:
        return f"line {self.line}: {self.how}"


@cache
def rewritings() -> tuple[Rewriting, ...]:
    """Every case."""
    node, _ = read_yaml_file(FILE)
    assert isinstance(node, SequenceNode)
    return tuple(Rewriting(**plain_value(item), line=item.span.line) for item in node.items)


@cache
def shipped(name: str) -> ReadRuleset:
    """A shipped ruleset."""
    return read_ruleset_file(ruleset_ids()[name])


def rewritten(name: str, cases: Iterable[Rewriting]) -> ReadRuleset:
    """A shipped ruleset with some cases, as a variant."""
    values: dict[str, Any] = {"extends": name, "id": "rewritten", "format": 1}
    for case in cases:
        assert case.rules == name
        for path, value in case.set.items():
            *above, last = path.split(".")
            inner = values
            for key in above:
                inner = inner.setdefault(key, {})
            inner[last] = value
    return read_ruleset_text(json.dumps(values, ensure_ascii=False), "rewritten.yaml")
