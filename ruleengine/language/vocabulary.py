"""The words that conditions may use besides the ruleset's own names.

One table a kind of word, each entry with what it means; `check` looks names up here and
the reference (`docs/language.md`) is tested against it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ruleengine.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.language.meaning import Level, Type

Context = Literal["pattern", "event", "total", "bounds", "stakes", "win", "exhausted", "wrong_win"]

LEVELS: Mapping[Context, frozenset[Level]] = {
    "pattern": frozenset({"situation", "hand", "arrangement"}),
    "event": frozenset({"situation", "hand"}),
    "total": frozenset(),
    "bounds": frozenset(),
    "stakes": frozenset(),
    "win": frozenset({"situation", "payment"}),
    "exhausted": frozenset({"payment"}),
    "wrong_win": frozenset({"payment"}),
}
"""What a sentence may speak of, by the place where it stands."""

CONTEXT_WORDS: Mapping[Context, str] = {
    "pattern": "a pattern",
    "event": "an event",
    "total": "the total",
    "bounds": "a cap, a limit or a minimum",
    "stakes": "a stake",
    "win": "the payments of a win",
    "exhausted": "the payments of an exhausted wall",
    "wrong_win": "the payments of a wrong win",
}


@frozen
class FactWord:
    """A fact that every ruleset has: its type, its level and the contexts that know it."""

    type: Type
    level: Level
    doc: str
    contexts: frozenset[Context] = frozenset({"pattern", "event", "win"})


FACTS: Mapping[str, FactWord] = {
    "dealer": FactWord("truth", "situation", "the winner is East"),
    "dora": FactWord(
        "number",
        "hand",
        "how many dora tiles the hand holds",
        frozenset({"pattern", "event"}),
    ),
    "points": FactWord("number", "payment", "the total of the winning hand", frozenset({"win"})),
}

SITUATION_CLASSES: Mapping[str, str] = {
    "seat_wind": "the winner's own wind",
    "round_wind": "the wind of the round",
    "seat_flower": "the flowers of the winner's seat",
    "winning_tile": "the tile that completed the hand",
}

WAYS: Mapping[str, str] = {
    "self_draw": "the winner drew the winning tile",
    "discard": "another player discarded the winning tile",
    "robbing_kong": "another player added the winning tile to a claimed triplet",
}

WAITS: Mapping[str, str] = {
    "edge": "12 waiting for 3, or 89 waiting for 7",
    "closed": "two tiles waiting for the one between them",
    "two_sided": "two neighbours waiting on both sides",
    "single": "one tile waiting for its pair",
    "double_pair": "two pairs waiting for a third tile of either",
}

SUBJECTS: Mapping[str, str] = {
    "shape": "the shape of the arrangement",
    "pair": "the one pair of the hand",
    "winning_tile": "the tile that completed the hand",
    "winning_group": "the group that the winning tile completed",
    "wait": "how the winning tile completed its group",
    "seat": "the winner's seat wind",
    "round": "the round wind",
    "winner": "the seat of the winner",
    "discarder": "the seat that discarded the winning tile, or added it to a kong",
    "payer": "the seat whose payment is being worked out",
    "payee": "the seat that would be paid",
}

ROLES: Mapping[str, tuple[str, frozenset[Context]]] = {
    "dealer": ("the seat is East", frozenset({"event", "win", "exhausted", "wrong_win"})),
    "liable": ("the seat bears the discarder's duty", frozenset({"event", "win"})),
    "winner": ("the seat won", frozenset({"win"})),
    "ready": ("the seat was one tile from winning", frozenset({"exhausted"})),
    "offender": ("the seat declared a win that was none", frozenset({"wrong_win"})),
}

SUBJECT_CONTEXTS: Mapping[str, frozenset[Context]] = {
    "winner": frozenset({"event", "win"}),
    "discarder": frozenset({"event", "win"}),
    "payer": frozenset({"win", "exhausted", "wrong_win"}),
    "payee": frozenset({"exhausted", "wrong_win"}),
}
"""Where a seat may be the subject; the other subjects speak of the hand."""
