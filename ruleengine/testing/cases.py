"""The examples of a ruleset and its case files, read into cases.

A case that is wrong in itself is a case too, one that fails: it never stops the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ruleengine.diagnostics import RulesetError, Span, suggest
from ruleengine.errors import quote
from ruleengine.record import RECORD_FIELDS
from ruleengine.ruleset.examples import MISS_FIELDS
from ruleengine.source import MappingNode, ScalarNode, SequenceNode, read_yaml_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ruleengine.ruleset.model import Example, RulesetData
    from ruleengine.source import Node

Kind = Literal["hit", "miss", "case", "settle"]

EXPECTED = ("win", "reason", "points", "patterns", "limit", "payments", "error")
"""What a case may say of its result: `patterns` are ids in order, `error` is the code of a hand
that cannot be."""
REQUEST = ("event", "wins", "ready", "seat", "stakes", "carried")
"""What is settled, as in `settle.settle`: a case that has `event` is one of a settlement."""
SETTLED = ("payments", "stakes_left", "error")
"""What a case of a settlement may say of what comes of it."""
EQUIVALENT = ".equivalent.yaml"
"""The ending of files that explain mutants; they hold no cases."""


@dataclass(frozen=True, slots=True)
class Case:
    """A hand and what it must come to.

    `own` says that it stands in the files of the ruleset itself: what an inherited example is
    worth may be another thing in a variant. `broken` says what is wrong with the case itself.
    """

    kind: Kind
    span: Span
    record: Mapping[str, Any]
    expected: Mapping[str, Any] = field(default_factory=dict)
    pattern: str | None = None
    own: bool = True
    lost_to: str | None = None
    fails: str | None = None
    why: str = ""
    broken: str | None = None

    @property
    def name(self) -> str:
        """What a case is called in a list."""
        hand = self.record.get("hand", self.record.get("event", ""))
        return f"{self.kind} of {self.pattern}: {hand}" if self.pattern else f"{self.kind}: {hand}"


def example_cases(data: RulesetData, path: str) -> Iterator[Case]:
    """The hits and misses of a ruleset that was read from a file."""
    kinds: tuple[tuple[Kind, str], ...] = (("hit", "hits"), ("miss", "misses"))
    for pattern in data.patterns.values():
        for kind, name in kinds:
            for example in getattr(pattern, name):
                yield _of_example(kind, pattern.id, example, path)


def _of_example(kind: Kind, pattern: str, example: Example, path: str) -> Case:
    own = example.span.path == path
    expected: dict[str, Any] = {}
    if own:
        expected["win"] = True
        if example.points is not None:
            expected["points"] = example.points
    return Case(
        kind, example.span, example.record, expected, pattern, own, example.lost_to,
        example.fails, example.why.get(),
    )  # fmt: skip


def case_folders(path: Path, name: str) -> list[Path]:
    """Where the cases of a ruleset may be: `tests/cases/<id>` beside its file, beside the folder
    of its file, and in the folder that one works in."""
    roots = (path.resolve().parent, path.resolve().parent.parent, Path.cwd())
    found = dict.fromkeys(root / "tests" / "cases" / name for root in roots)
    return [folder for folder in found if folder.is_dir()]


def case_files(path: Path, name: str) -> list[Path]:
    """The case files of a ruleset, found by convention."""
    found: dict[Path, None] = {}
    for folder in case_folders(path, name):
        for file in sorted(folder.glob("*.yaml")):
            if not file.name.endswith(EQUIVALENT):
                found.setdefault(_shown(file))
    return list(found)


def _shown(path: Path) -> Path:
    """A path as it is best shown: from the folder that one works in, where it is inside that."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def read_cases(paths: Iterable[Path]) -> list[Case]:
    """The cases of some files; what cannot be read is a case that fails."""
    found: list[Case] = []
    for path in paths:
        try:
            root, _ = read_yaml_file(path)
        except RulesetError as error:
            for problem in error.diagnostics:
                at = problem.span or Span(str(path), 1, 1, 1, 1)
                found.append(Case("case", at, {}, broken=problem.message))
            continue
        if not isinstance(root, SequenceNode):
            message = "a case file is a list, each case after '- '"
            found.append(Case("case", root.span, {}, broken=message))
            continue
        found += [_read_case(item) for item in root.items]
    return found


def _read_case(item: Node) -> Case:
    if not isinstance(item, MappingNode):
        message = "a case is a mapping: 'hand', how it was won, and what it comes to"
        return Case("case", item.span, {}, broken=message)
    span = item.entries[0][0].span if item.entries else item.span
    given = {key.text: _plain(value) for key, value in item.entries}
    if "event" in given:
        return _settled(given, span)
    allowed = (*RECORD_FIELDS, *EXPECTED, "why")
    record = {key: value for key, value in given.items() if key in RECORD_FIELDS}
    expected = {key: value for key, value in given.items() if key in EXPECTED}
    broken = _unknown(given, allowed)
    says = expected.keys() & {"points", "reason", "error"} or expected.get("win") is False
    if broken is None and not says:
        broken = "a case says what the hand comes to: 'points', 'win: false', 'reason' or 'error'"
    if "error" not in expected and expected.get("win", True):
        expected = {"win": True, "limit": None, **expected}
    return Case("case", span, record, expected, why=_why(given), broken=broken)


def _settled(given: Mapping[str, Any], span: Span) -> Case:
    expected = {key: value for key, value in given.items() if key in SETTLED}
    broken = _unknown(given, (*REQUEST, *SETTLED, "why"))
    request = {key: value for key, value in given.items() if key in REQUEST}
    if broken is None and not expected:
        broken = "a settlement says what comes of it: 'payments', 'stakes_left' or 'error'"
    return Case("settle", span, request, expected, why=_why(given), broken=broken)


def _unknown(given: Mapping[str, Any], allowed: tuple[str, ...]) -> str | None:
    for key in given:
        if key not in allowed:
            meant = suggest(key, allowed)
            guess = f"; did you mean '{meant}'?" if meant else ""
            hint = " (misses of a pattern have it)" if key in MISS_FIELDS else ""
            return f"a case has no {quote(key)}{hint}{guess}"
    return None


def _why(given: Mapping[str, Any]) -> str:
    why = given.get("why", "")
    return why if isinstance(why, str) else str(why.get("en", "")) if isinstance(why, dict) else ""


def _plain(node: Node) -> Any:
    if isinstance(node, ScalarNode):
        return node.value
    if isinstance(node, SequenceNode):
        return [_plain(item) for item in node.items]
    return {key.text: _plain(value) for key, value in node.entries}
