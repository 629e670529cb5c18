"""The checks, in the order in which they are run. Each is a function of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.check.cost import too_dear
from ruleengine.check.examples import impossible_examples, missing_examples
from ruleengine.check.overrides import parent_changed
from ruleengine.check.payments import unreached_payments
from ruleengine.check.reach import idle_supersedes, never_and_always
from ruleengine.check.texts import same_names, translations
from ruleengine.check.unused import lonely_series, unused_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ruleengine.check.subject import Subject
    from ruleengine.diagnostics import Diagnostic

    Check = Callable[[Subject], Iterator[Diagnostic]]

QUICK: tuple[Check, ...] = (
    parent_changed,
    same_names,
    translations,
    missing_examples,
    impossible_examples,
    unused_names,
    lonely_series,
    too_dear,
)
"""Those that look at what is written and at examples, not at all hands: an editor runs them too."""

CHECKS: tuple[Check, ...] = (
    *QUICK,
    never_and_always,
    idle_supersedes,
    unreached_payments,
)

OF_ANY_REST: tuple[Check, ...] = (
    parent_changed,
    same_names,
    translations,
    missing_examples,
    too_dear,
)
"""Those that say the same whatever else of a ruleset could not be read."""
OF_WHOLE_HANDS: tuple[Check, ...] = (impossible_examples,)
"""Those that say the same whatever patterns could not be read."""
OF_PATTERNS: tuple[Check, ...] = (never_and_always, idle_supersedes)
"""Those that do so where none of those patterns could keep another from counting."""
