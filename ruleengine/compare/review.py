"""What a reviewer is told of a comparison besides the changes: which of them he has accepted, and
what the command was asked to find."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ruleengine.compare.model import LEVELS
from ruleengine.diagnostics import Diagnostic, RulesetError
from ruleengine.source import MappingNode, ScalarNode, SequenceNode, read_yaml_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ruleengine.compare.model import Change, Comparison, Level
    from ruleengine.compare.three_way import Branch, Crossing, ThreeWay
    from ruleengine.diagnostics import Span
    from ruleengine.source import Node

FailOn = Literal["score", "payment", "text", "none"]
FAIL_ON: tuple[FailOn, ...] = ("score", "payment", "text", "none")
"""From which level on a change is a finding."""


@dataclass(frozen=True, slots=True)
class Review:
    """What stands beside a comparison.

    `accepted` are the fingerprints of changes that were accepted, with the reason where one was
    given; `stale` those of them that are no longer there; `failing` the changes that are findings;
    `needs_bump` says that scores or payments changed under the same version.
    """

    accepted: Mapping[str, str]
    stale: tuple[str, ...] = ()
    failing: tuple[Change, ...] = ()
    needs_bump: bool = False

    @property
    def is_finding(self) -> bool:
        """Whether something is to be mended or accepted."""
        return bool(self.failing) or self.needs_bump


def review(
    comparison: Comparison,
    *,
    fail_on: FailOn = "none",
    require_bump: bool = False,
    accepted: Mapping[str, str] | None = None,
) -> Review:
    """Hold a comparison against what was accepted and what was asked for."""
    changes = [judged.change for judged in comparison.changes]
    known = dict(accepted or {})
    there = {change.fingerprint for change in changes}
    failing = [
        change
        for change in changes
        if change.fingerprint not in known and _is_grave(change.level, fail_on)
    ]
    same_version = comparison.old.version == comparison.new.version
    return Review(
        accepted=known,
        stale=tuple(one for one in known if one not in there),
        failing=tuple(failing),
        needs_bump=require_bump and same_version and any(_touches(changes)),
    )


@dataclass(frozen=True, slots=True)
class BranchReview:
    """What stands beside a comparison of two branches.

    `accepted` and `stale` are as in `Review`; `failing` are changes that meet, which are findings;
    `needs_bump` names the branches in which scores or payments changed under the version of the
    base.
    """

    accepted: Mapping[str, str]
    stale: tuple[str, ...] = ()
    failing: tuple[Crossing, ...] = ()
    needs_bump: tuple[Branch, ...] = ()

    @property
    def is_finding(self) -> bool:
        """Whether something is to be mended or accepted."""
        return bool(self.failing or self.needs_bump)


def review_branches(
    found: ThreeWay,
    *,
    fail_on: FailOn = "none",
    require_bump: bool = False,
    accepted: Mapping[str, str] | None = None,
) -> BranchReview:
    """Hold two branches against what was accepted and what was asked for.

    Changes that meet are a finding where one of them is grave enough, and not both are accepted.
    """
    known = dict(accepted or {})
    there = {
        change.fingerprint
        for changes in (found.our_changes, found.their_changes)
        for change in changes
    }
    failing = [
        crossing
        for crossing in found.crossings
        if any(_is_grave(change.level, fail_on) for change in crossing.changes)
        and not all(change.fingerprint in known for change in crossing.changes)
    ]
    late: list[Branch] = []
    if found.our_rules.version == found.base.version and any(_touches(found.our_changes)):
        late.append("ours")
    if found.their_rules.version == found.base.version and any(_touches(found.their_changes)):
        late.append("theirs")
    return BranchReview(
        accepted=known,
        stale=tuple(one for one in known if one not in there),
        failing=tuple(failing),
        needs_bump=tuple(late) if require_bump else (),
    )


def _is_grave(level: Level, fail_on: FailOn) -> bool:
    return fail_on != "none" and LEVELS.index(level) <= LEVELS.index(fail_on)


def _touches(changes: Iterable[Change]) -> Iterable[bool]:
    return (change.level != "text" for change in changes)


def read_accepted(path: Path) -> dict[str, str]:
    """The fingerprints in a file of accepted changes, each with the reason.

    The file is YAML: a list under `accepted` of fingerprints, or of mappings with `fingerprint` and
    `why`; or JSON that `yaku diff --json` wrote. Raises `RulesetError` for anything else.
    """
    root, text = read_yaml_file(path)
    problems: list[Diagnostic] = []
    listed: Node | None = root
    if isinstance(root, MappingNode):
        listed = root.get("accepted") or root.get("changes")
    found: dict[str, str] = {}
    if not isinstance(listed, SequenceNode):
        message = "a file of accepted changes has a list under 'accepted'"
        at = listed.span if listed is not None else _first(root)
        problems.append(Diagnostic("E301", message, at))
    for item in listed.items if isinstance(listed, SequenceNode) else ():
        given = item.get("fingerprint") if isinstance(item, MappingNode) else item
        why = item.get("why") if isinstance(item, MappingNode) else None
        if isinstance(given, ScalarNode) and given.text:
            found[given.text] = why.text if isinstance(why, ScalarNode) else ""
        else:
            message = "an accepted change is its fingerprint, or has one under 'fingerprint'"
            problems.append(Diagnostic("E301", message, item.span))
    if problems:
        raise RulesetError(problems, {str(path): text})
    return found


def _first(node: Node) -> Span:
    return node.entries[0][0].span if isinstance(node, MappingNode) and node.entries else node.span
