"""What a variant changes of its parent, and whether the parent has changed under it.

`parent_digest` in a variant has a short hash of each value of the parent that the variant changes
or removes, as it was when it was written: `patterns.one_kong.points=d10a4bc9`. Nothing else of the
parent is in it, nor its name and version: a parent may grow without any variant being told. The
hash is of what a value says (`ruleset.said`), so that no layout makes a difference.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruleengine.diagnostics import Diagnostic, RulesetError
from ruleengine.frozen import frozen
from ruleengine.ruleset.chain import read_chain
from ruleengine.ruleset.extend import OWN_KEYS, units_of
from ruleengine.ruleset.fields import Fields
from ruleengine.ruleset.find import Folders, ruleset_ids
from ruleengine.ruleset.said import kind_at, said
from ruleengine.source import MappingNode, ScalarNode, SequenceNode, read_yaml_file, read_yaml_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ruleengine.check.subject import Subject
    from ruleengine.fmt.layout import Kind
    from ruleengine.source import Node

WHAT_IT_IS = OWN_KEYS | {"name", "version", "source"}
"""Every variant has these of its own, whatever its parent says."""
DIGITS = 8
"""Hexadecimal digits of the hash of one value."""
_SHOWN = 5
_LONGEST = 200


def digest(subject: Subject) -> str | None:
    """The digest of what a variant changes, `PATH=HASH` for each value; None where it extends
    nothing."""
    changed = changed_values(subject)
    return None if changed is None else _written(changed)


@frozen
class Value:
    """A value of a parent, and of what kind it is."""

    node: Node
    kind: Kind

    def child(self, name: str) -> Value | None:
        """The value under a key."""
        inner = self.node.get(name) if isinstance(self.node, MappingNode) else None
        return None if inner is None else Value(inner, self.kind.child(name))

    @property
    def hash(self) -> str:
        """A short hash of what it says."""
        value = said(self.node, self.kind)
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def changed_values(subject: Subject) -> dict[str, Value] | None:
    """The values of the parent that a variant changes or removes, by dotted path; of a mapping
    that it removes those that stand in it."""
    own, _ = read_yaml_on(subject.read.sources[subject.path], subject.path)
    assert isinstance(own, MappingNode)
    extends = own.get("extends")
    if not isinstance(extends, ScalarNode):
        return None
    parent = _parent(subject, extends.text)
    if parent is None:
        return None
    whole = Value(parent, kind_at((), units_of(parent, own)))
    found: dict[str, Value] = {}
    removed = own.get("remove")
    for item in removed.items if isinstance(removed, SequenceNode) else ():
        if isinstance(item, ScalarNode):
            value = _at(whole, item.text.split("."))
            if value is not None and isinstance(value.node, MappingNode):
                found |= {
                    f"{item.text}.{key.text}": Value(one, value.kind.child(key.text))
                    for key, one in value.node.entries
                }
            elif value is not None:
                found[item.text] = value
    for key, over in own.entries:
        there = whole.child(key.text)
        if key.text not in WHAT_IT_IS and there is not None:
            _compare(key.text, there, over, found)
    return found


def _parent(subject: Subject, name: str) -> MappingNode | None:
    folders = (*subject.folders, Path(subject.path).parent)
    path = ruleset_ids(folders).get(name)
    if path is None:
        return None
    try:
        root, text = read_yaml_file(path)
        return read_chain(root, str(path), text, Fields(str(path)), Folders(folders)).node
    except RulesetError:
        return None


def _compare(path: str, there: Value, over: Node, found: dict[str, Value]) -> None:
    if isinstance(there.node, MappingNode) and isinstance(over, MappingNode):
        for key, value in over.entries:
            inner = there.child(key.text)
            if inner is not None:
                _compare(f"{path}.{key.text}", inner, value, found)
    else:
        found[path] = there


def _at(value: Value, path: list[str]) -> Value | None:
    found: Value | None = value
    for name in path:
        found = None if found is None else found.child(name)
    return found


def _written(changed: Mapping[str, Value]) -> str:
    return " ".join(f"{path}={changed[path].hash}" for path in sorted(changed))


def parent_changed(subject: Subject) -> Iterator[Diagnostic]:
    """A variant whose parent has changed the values that the variant changes; a digest of others
    than those that it changes now."""
    own, _ = read_yaml_on(subject.read.sources[subject.path], subject.path)
    given = own.get("parent_digest") if isinstance(own, MappingNode) else None
    if not isinstance(given, ScalarNode):
        return
    changed = changed_values(subject)
    if changed is None:
        return
    words = [word.rpartition("=")[::2] for word in given.text.split()]
    recorded = {path: one for path, one in words if path}
    strange = [_short(one) for path, one in words if not path]
    hashes = {path: value.hash for path, value in changed.items()}
    others = [path for path in changed if recorded.get(path, hashes[path]) != hashes[path]]
    told = [
        f"{what}: {_listed(found)}"
        for what, found in (
            (
                "what this ruleset changes is no longer what it was in its parent",
                [f"there {path} is {_shown(changed[path])}" for path in others],
            ),
            ("not recorded", [path for path in changed if path not in recorded]),
            (
                "recorded, and not changed here",
                [_short(path) for path in recorded if path not in changed],
            ),
            ("not of the form PATH=HASH", strange),
        )
        if found
    ]
    if told:
        help_line = f'when that is as it should be, write "{_written(changed)}"'
        if not changed:
            help_line = "this ruleset changes nothing of its parent, so leave it out"
        yield Diagnostic("W501", "; ".join(told), given.span, "warning", help=help_line)


def _listed(found: list[str]) -> str:
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ", ".join(found[:_SHOWN]) + more


def _shown(value: Value) -> str:
    plain = _plain(value.node)
    text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
    return _short(text) or '""'


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _plain(node: Node) -> Any:
    if isinstance(node, ScalarNode):
        return " ".join(node.text.split())
    if isinstance(node, SequenceNode):
        return [_plain(item) for item in node.items]
    return {key.text: _plain(value) for key, value in node.entries}
