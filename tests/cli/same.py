"""Whether two rulesets say the same, wherever they say it."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from ruleengine.diagnostics import Span
from ruleengine.language import tree
from ruleengine.language.meaning import Meaning
from ruleengine.ruleset.model import Sentence, Term

if TYPE_CHECKING:
    from ruleengine.ruleset.model import RulesetData


def same_rules(left: RulesetData, right: RulesetData) -> None:
    """Assert that two rulesets differ in their files and places only."""
    for field in dataclasses.fields(left):
        if field.name != "files":
            assert plain(getattr(left, field.name)) == plain(getattr(right, field.name)), field.name


def plain(value: Any) -> Any:
    """A value without places; sentences by their words, mappings in their order."""
    if isinstance(value, Sentence | Term):
        return " ".join(value.text.split())
    if isinstance(value, Span | tree.Node | Meaning):
        return None
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [plain(getattr(value, field.name)) for field in dataclasses.fields(value)]
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if hasattr(value, "items"):
        return [(key, plain(one)) for key, one in value.items()]
    return value
