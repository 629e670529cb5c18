"""The dora of a hand in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.faces.words import say
from ruleengine.tiles import format_tiles

if TYPE_CHECKING:
    from ruleengine.result import Result


def dora_words(result: Result, language: str, *, counted: bool = True) -> list[str]:
    """The dora indicators of a hand, and how many dora it holds. Unless `counted`, indicators stand
    alone: what they make dora differs from ruleset to ruleset."""
    given = result.situation.dora
    indicators = given if isinstance(given, tuple) else ()
    words: list[str] = []
    if indicators:
        words.append(say("dora_indicators", language, tiles=format_tiles(indicators)))
    if result.dora and (counted or not indicators):
        words.append(say("dora", language, n=result.dora))
    return words
