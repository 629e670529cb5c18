"""Small rulesets for tests, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import Diagnostic, RulesetError
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text

if TYPE_CHECKING:
    from pathlib import Path

    from ruleengine.ruleset.model import RulesetData

HEAD = """\
format: 1
id: small
name: Small
version: "1"
tiles:
  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}
"""
SHAPES = "shapes: {basic: {sets: 4, pairs: 1}}\n"
SETTLEMENT = "settlement: {win: [{pays: points}]}\n"
FEW_TILES = """\
format: 1
id: few
name: Few
version: "1"
tiles: {wall: {"123456789m": 4, "15z": 4}}
shapes: {basic: {sets: 2, pairs: 1}}
settlement: {win: [{pays: points}]}
options: {on: {type: bool, default: %s}}
patterns:
  fours: {points: %d, when: on and count triplets = 2}
  greens: {points: %d, when: on and pair is dragon}
total: {empty: 1}
"""
"""Few tiles, so that all hands are soon gone through, and two patterns that an option turns on: its
default, and what they award, are left open."""


def ruleset(body: str, *, shapes: str = SHAPES, settlement: str = SETTLEMENT) -> str:
    """The text of a small ruleset with more in it."""
    return HEAD + shapes + settlement + body


def read(text: str, extra: tuple[Path, ...] = ()) -> RulesetData:
    """The ruleset of a text that has nothing wrong."""
    return read_ruleset_text(text, "small.yaml", extra).data


def load(text: str) -> Rules:
    """The ruleset of a text, ready to score."""
    return Rules(read(text))


def mistakes(text: str, extra: tuple[Path, ...] = ()) -> list[Diagnostic]:
    """What is wrong with the ruleset of a text; nothing where it can be read."""
    try:
        return list(read_ruleset_text(text, "small.yaml", extra).warnings)
    except RulesetError as error:
        return list(error.diagnostics)


def words(text: str, extra: tuple[Path, ...] = ()) -> list[str]:
    """Code, message and help of everything that is wrong with the ruleset of a text."""
    return [
        f"{found.code} {found.message}" + (f" ({found.help})" if found.help else "")
        for found in mistakes(text, extra)
    ]
