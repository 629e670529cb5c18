"""How one sentence stands to another, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Relation = Literal["equal", "wider", "narrower", "different"]
"""How a new sentence stands to the old one: true for the same arrangements, for these and more,
for fewer, or for some others and not for some of these. Of numbers: equal, never lower, never
higher, lower for some and higher for others."""

How = Literal["proved", "bounded", "sampled", "loose"]
"""Whether all there is was looked at, or a sample that chance chose. `bounded`: all there is, and
more: differences that were seen may be such as no hand has, but no hand has others. `loose`: a
sample of such."""


def relation_of(gained: int, lost: int) -> Relation:
    """How a sentence stands to another that is true for so many more, and so many fewer."""
    if gained and lost:
        return "different"
    return "wider" if gained else "narrower" if lost else "equal"


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change of a sentence makes true or false, over what was looked at.

    `looked` counts arrangements in situations, of those that neither sentence can tell apart one
    (of a settlement: tables, which are choices of roles and points). `gained` and `lost` say for
    how many of them the sentence became true or higher, and false or lower.
    """

    relation: Relation
    how: How
    looked: int
    gained: int = 0
    lost: int = 0
