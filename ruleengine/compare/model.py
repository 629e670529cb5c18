"""What a comparison of two rulesets finds, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ruleengine.diagnostics import Span
    from ruleengine.errors import HandError
    from ruleengine.hands.effect import Effect, How
    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.settle import Settled

Level = Literal["score", "payment", "text"]
"""What a change may touch: what hands come to, only who pays what, or nothing but words."""
LEVELS: tuple[Level, ...] = ("score", "payment", "text")
"""The gravest first."""

KINDS: Mapping[str, Level] = MappingProxyType(
    {
        "pattern-added": "score",
        "pattern-removed": "score",
        "pattern-renamed": "text",
        "points-changed": "score",
        "points-rewritten": "text",
        "condition-changed": "score",
        "condition-widened": "score",
        "condition-narrowed": "score",
        "condition-rewritten": "text",
        "pattern-order-changed": "score",
        "times-changed": "score",
        "times-rewritten": "text",
        "series-changed": "score",
        "series-renamed": "text",
        "supersedes-changed": "score",
        "bonus-changed": "score",
        "tiles-changed": "score",
        "units-changed": "score",
        "shape-added": "score",
        "shape-removed": "score",
        "shape-renamed": "text",
        "shape-changed": "score",
        "shape-order-changed": "score",
        "event-added": "score",
        "event-removed": "score",
        "event-changed": "score",
        "event-rewritten": "text",
        "option-added": "text",
        "option-removed": "text",
        "option-default-changed": "score",
        "option-bounds-changed": "text",
        "total-changed": "score",
        "total-rewritten": "text",
        "cap-changed": "score",
        "limit-changed": "score",
        "empty-changed": "score",
        "minimum-changed": "score",
        "settlement-changed": "payment",
        "settlement-rewritten": "text",
        "liability-changed": "payment",
        "stakes-changed": "payment",
        "winners-changed": "payment",
        "term-added": "text",
        "term-removed": "text",
        "term-changed": "text",
        "id-changed": "text",
        "version-changed": "text",
        "name-changed": "text",
        "code-changed": "text",
        "text-changed": "text",
        "examples-changed": "text",
        "interpretation-added": "text",
        "interpretation-removed": "text",
        "interpretation-changed": "text",
    }
)
"""Every kind of change, stable, with the level that it has unless more is known: an option's
default, and its bounds where a value is refused, have the level of what reads it, and so has an
option that is no more; a term shows in the patterns that use it."""
REFUSING = frozenset({"option-bounds-changed", "option-removed"})
"""Kinds of changes by which tables are refused and no hand comes to anything else."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two rulesets with everything they extend.

    `at` is the dotted path of the value (`patterns.pure_one_suit.points`), in the new ruleset
    where it is there. `old` and `new` are the value as it is written, None where it is not
    there. `through` names the terms and patterns whose change makes a sentence mean something
    else although its own words are the same. `fingerprint` is the same for the same change of
    the same values, wherever they stand in the files, where the names in them stand for the same;
    it begins with a letter, so that YAML reads it as text. `edit` is the same for the same change,
    also where the options that its sentences read have other defaults.
    """

    kind: str
    level: Level
    at: str
    old: str | None
    new: str | None
    old_span: Span | None
    new_span: Span | None
    fingerprint: str
    edit: str
    through: tuple[str, ...] = ()

    @property
    def section(self) -> str:
        """The section of the ruleset: `patterns`, `options`, ..."""
        return self.at.split(".", 1)[0]

    @property
    def id(self) -> str:
        """The id of the pattern, option, ... that changed; empty for a value of the ruleset."""
        parts = self.at.split(".")
        return parts[1] if len(parts) > 1 else ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a change of a sentence does where the options that it reads have some values."""

    options: Mapping[str, int | bool]
    effect: Effect


@dataclass(frozen=True, slots=True)
class UnderOptions:
    """What a change of a sentence does under values of the options that it reads, those in force
    first.

    `number` is how many choices there are; `whole` says that all were gone through, or that it is
    proved to mean the same under all.
    """

    tried: tuple[Chosen, ...]
    number: int
    whole: bool


@dataclass(frozen=True, slots=True)
class Witness:
    """A hand that shows a change, as a record, with what it comes to before and after.

    A `HandError` stands for a ruleset under which the record cannot be. The hand is scored under
    the old ruleset and under the old ruleset with nothing but this change; `whole` is what it comes
    to under the new ruleset with all its changes.
    """

    record: Mapping[str, object]
    old: Result | HandError
    new: Result | HandError
    whole: Result | HandError


@dataclass(frozen=True, slots=True)
class Ends:
    """What becomes of ends of hands at a table, settled under both rulesets: how many were looked
    at that one of them can settle, and how many of those are settled otherwise."""

    how: How
    looked: int
    changed: int


@dataclass(frozen=True, slots=True)
class EndWitness:
    """An end of a hand that shows a change, as a request to settle, settled before and after.

    `options` are values of options, other than those in force, under which it shows. A `HandError`
    stands for a ruleset that cannot settle the request. `old`, `new` and `whole` are as in
    `Witness`.
    """

    request: Mapping[str, object]
    options: Mapping[str, int | bool]
    old: Settled | HandError
    new: Settled | HandError
    whole: Settled | HandError


@dataclass(frozen=True, slots=True)
class Sought:
    """How a hand that shows a change was looked for: how many were tried until there were enough
    that show it, and whether there was time for all that were to be tried and for smaller ones."""

    tried: int
    complete: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A change with what it does.

    `kind` and `level` of `change` are the final ones: a condition that is proved to mean the same
    is `condition-rewritten`, of level text. Without `effect` no sentence was compared, without
    `witness` no hand that shows the change was found; `silent` says that there is surely none.
    Of a change that no single hand shows, `ends` says what becomes of ends of hands at a table,
    and `end` is one of them that shows it. `under` says what it does under each value of the
    options that its sentence reads, None where it reads none. `sought` says how a hand that shows
    the change was looked for, None where it was not.
    """

    change: Change
    effect: Effect | None = None
    witness: Witness | None = None
    silent: bool = False
    ends: Ends | None = None
    end: EndWitness | None = None
    under: UnderOptions | None = None
    sought: Sought | None = None


@dataclass(frozen=True, slots=True)
class Tilt:
    """How often a pattern counts: hands in which only the old or only the new ruleset counts it,
    and likewise weighted by the ways to draw them."""

    lost: int = 0
    gained: int = 0
    lost_ways: int = 0
    gained_ways: int = 0


@dataclass(frozen=True, slots=True)
class Impact:
    """What becomes of many hands. Numbers of hands, then the same weighted by the ways to draw each
    from the wall (0 where hands are not drawn: a sample of plays).

    `differences` has the number of hands for each difference in points, new less old, that is not
    0; a hand that does not win under a ruleset has 0 points there. `patterns` has what counts
    in one ruleset and not in the other, by pattern id. `changed` counts hands that come to other
    points, other patterns, or to no win or one; those with the same points from other patterns
    are `otherwise`. All this is of hands won on the tile that scores most under each ruleset;
    `by_tile` counts those that change on another tile alone.
    """

    looked: int
    changed: int
    up: int
    down: int
    otherwise: int
    wins_gained: int
    wins_lost: int
    ways: int = 0
    changed_ways: int = 0
    up_ways: int = 0
    down_ways: int = 0
    differences: Mapping[int, int] = field(default_factory=dict)
    patterns: Mapping[str, Tilt] = field(default_factory=dict)
    complete: bool = True
    seed: int | None = None
    payments_changed: int = 0
    by_tile: int = 0
    by_tile_ways: int = 0


@dataclass(frozen=True, slots=True)
class MetEnd:
    """An end of a hand at a table in which two changes meet: a request to settle, and what it comes
    to under a base, with each of the changes, and with both, unless both cannot be made."""

    request: Mapping[str, object]
    results: tuple[Settled | HandError, ...]


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two changes that touch the same hand: each alone makes another thing of it than both do.

    Where no single hand shows it, `end` is an end of a hand that does.
    """

    first: Change
    second: Change
    record: Mapping[str, object] | None
    results: tuple[Result | HandError, ...] = ()
    """Under the old ruleset, with the first change, with the second, with both."""
    end: MetEnd | None = None


LeftOutKind = Literal[
    "sentences",
    "values",
    "sampled",
    "witnesses",
    "some-witnesses",
    "smaller",
    "ends",
    "pairs",
    "no-plays",
    "some-plays",
    "no-hands",
    "some-hands",
    "too-many-hands",
]
"""What there was no time or no room for: sentences of some changes were not compared, or not under
every value of the options that they read, or in worlds by chance alone, since there are too many
of these; no hand was looked for that
shows some changes, or not for long enough to find one, or to find the smallest; no end of a hand
was looked for; not all pairs of changes were looked at together; no plays
by chance, or only some; no concealed hands, only some, or none since they are too many."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that a comparison left out. `number` counts the changes that were not looked at,
    or the plays or hands that were; None where nothing is to be counted."""

    kind: LeftOutKind
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rulesets compared.

    `changes` stand gravest first, then in the order of the file. `hands` is the impact over all
    concealed winning hands, `plays` that over a sample of melded hands in all situations; None
    where it was not asked for or not needed. `left_out` says what there was no time for, `looked`
    whether hands and ends of hands were to be looked at, and not only what the rulesets say.
    """

    old: Rules
    new: Rules
    changes: tuple[Judged, ...]
    hands: Impact | None = None
    plays: Impact | None = None
    meetings: tuple[Meeting, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    looked: bool = True

    @property
    def level(self) -> Level | None:
        """The gravest level of the changes; None where nothing changed."""
        found = {judged.change.level for judged in self.changes}
        return next((level for level in LEVELS if level in found), None)

    @property
    def renamed(self) -> Mapping[str, str]:
        """The id that an old pattern has now, where it has another."""
        changes = (judged.change for judged in self.changes)
        return {x.old: x.id for x in changes if x.kind == "pattern-renamed" and x.old is not None}

    @property
    def proved_equal(self) -> bool:
        """Whether it is sure that no hand is scored or paid otherwise."""
        return self.level in (None, "text")

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The comparison as plain values, as `grammar/diff.schema.json` describes them."""
        from ruleengine.faces.compared_json import comparison_json

        return comparison_json(self, language=language)

    def to_markdown(self, language: str = "en") -> str:
        """The comparison as a comment on a pull request."""
        from ruleengine.compare.review import review
        from ruleengine.faces.compared_markdown import comparison_markdown

        return comparison_markdown(self, review(self), language)

    def to_html(self, language: str = "en") -> str:
        """The comparison as one page that needs nothing besides itself."""
        from ruleengine.compare.review import review
        from ruleengine.faces.compared_html import comparison_html

        return comparison_html(self, review(self), language)
