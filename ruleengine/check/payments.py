"""What a ruleset's payments can never come to: lines of the settlement that never apply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic
from ruleengine.language import meaning as m

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.check.subject import Subject
    from ruleengine.ruleset.model import Sentence


def unreached_payments(subject: Subject) -> Iterator[Diagnostic]:
    """Lines of the settlement that never apply, since one above them does wherever they fit."""
    asked: list[tuple[Sentence, m.Meaning]] = []
    for lines in subject.data.settlement.values():
        above: list[m.Meaning] = []
        for line in lines:
            if line.when is None:
                continue
            there = line.when.meaning
            if above:
                asked.append((line.when, there))
                none = tuple(m.Not(other.source, other) for other in above)
                asked.append((line.when, m.All(there.source, (there, *none))))
            above.append(there)
    answers = subject.worlds.decide([question for _, question in asked]) if asked else []
    for at in range(0, len(asked), 2):
        fits, applies = answers[at], answers[at + 1]
        span = asked[at][0].span
        if applies.never and not fits.never and subject.owns(span):
            message = "this line never applies: wherever it fits, one above it does"
            yield Diagnostic("W506", message, span, "warning")
