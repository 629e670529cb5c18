"""What is declared and never used: terms, options, events, series of one pattern."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic
from ruleengine.source import MappingNode
from ruleengine.testing.sentences import homes, node_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.check.subject import Subject

_WORD = re.compile(r"[a-z][a-z0-9_]*")
_CODES = {"terms": ("W510", "term"), "options": ("W511", "option"), "events": ("W512", "event")}


def unused_names(subject: Subject) -> Iterator[Diagnostic]:
    """Terms, options and events of this file that no sentence speaks of."""
    data = subject.data
    used = {
        word
        for home in homes(data)
        for word in _WORD.findall(home.sentence.text)
        if home.path[0] != "terms" or word != home.path[1]
    }
    if data.stakes is not None:
        used.add(data.stakes.event)
    for section, (code, noun) in _CODES.items():
        given = node_at(subject.root, (section,))
        for key, _ in given.entries if isinstance(given, MappingNode) else ():
            if key.text not in used and subject.owns(key.span):
                message = f"no sentence speaks of {noun} '{key.text}'"
                yield Diagnostic(code, message, key.span, "warning")


def lonely_series(subject: Subject) -> Iterator[Diagnostic]:
    """Series of one pattern: they change nothing. A note, since some files number them all."""
    members = Counter(pattern.series for pattern in subject.data.patterns.values())
    for pattern in subject.data.patterns.values():
        node = node_at(subject.root, ("patterns", pattern.id, "series"))
        if node is not None and members[pattern.series] == 1 and subject.owns(node.span):
            message = f"'{pattern.id}' is the only pattern of series '{pattern.series}'"
            yield Diagnostic("W508", message, node.span, "note")
