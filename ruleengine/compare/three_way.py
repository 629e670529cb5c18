"""What the changes of two branches do together: a base, and two rulesets made from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ruleengine.compare.model import Change
    from ruleengine.errors import HandError
    from ruleengine.result import Result
    from ruleengine.rules import Rules

Touch = Literal["value", "hand"]
"""How two changes meet: both change the same value, or both change the same hand."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """A change of ours and one of theirs that meet.

    Where a hand shows it, `record` is the hand and `results` what it comes to under the base, with
    our change, with theirs, and with both; the last is missing where both change the same value,
    since nobody can say what both of them are.
    """

    ours: Change
    theirs: Change
    touch: Touch
    record: Mapping[str, object] | None = None
    results: tuple[Result | HandError, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreeWay:
    """The changes of two branches, sorted.

    `same` were made in both, `crossings` meet; `ours` and `theirs` touch nothing of the other
    branch. `left_out` says what there was no time for.
    """

    base: Rules
    our_rules: Rules
    their_rules: Rules
    same: tuple[Change, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    ours: tuple[Change, ...] = ()
    theirs: tuple[Change, ...] = ()
    left_out: tuple[str, ...] = ()
