"""Whether what one branch says anew speaks by name of what the other branch changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.compare.wording import names_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ruleengine.compare.model import Change
    from ruleengine.ruleset.model import RulesetData, Sentence


def reads_anew(change: Change, base: RulesetData, data: RulesetData, other: Change) -> bool:
    """Whether a change of a base to a ruleset speaks of a name whose meaning the other branch
    changes, and what stood in its place in the base did not."""
    name = defined_by(other)
    if name is None or change.level == "text":
        return False
    before, after = (
        {one for sentence in _said(change, side) for one in names_in(sentence, side)}
        for side in (base, data)
    )
    return name in after - before


def defined_by(change: Change) -> str | None:
    """The term, the pattern or the option whose meaning in sentences a change makes another one."""
    part = change.at.split(".")[2:]
    if change.kind in ("term-changed", "term-removed", "pattern-removed", "option-default-changed"):
        return change.id
    by_itself = not change.through and not change.kind.endswith("-rewritten")
    if change.section == "patterns" and part in (["when"], ["times"]) and by_itself:
        return change.id
    return None


def _said(change: Change, data: RulesetData) -> Iterable[Sentence]:
    """The sentences of a ruleset in the place of a change."""
    section, name, *part = [*change.at.split("."), ""]
    found: list[Sentence | None] = []
    if section == "patterns" and name in data.patterns:
        pattern = data.patterns[name]
        parts = {"when": pattern.when, "times": pattern.times, **pattern.awards}
        found = list(pattern.sentences) if not part[0] else [parts.get(part[0])]
    elif section == "events" and name in data.events:
        found = [data.events[name].needs]
    elif section == "total":
        found = [getattr(data.total, name, None)]
    elif section == "settlement":
        lines = data.settlement.get(name, ())  # type: ignore[call-overload]
        found = [one for line in lines for one in line.sentences]
        if name == "stakes" and data.stakes is not None:
            found = [data.stakes.amount]
    return (one for one in found if one is not None)
