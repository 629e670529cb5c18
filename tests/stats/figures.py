"""The figures of the documentation: what `yaku stats zhongyong-3.3 --weighted` found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruleengine.stats.summary import PatternCount, Stats

if TYPE_CHECKING:
    from ruleengine.rules import Rules

DOCS = Path(__file__).resolve().parents[2] / "docs"
RULESET = "zhongyong-3.3"
PICTURE = DOCS / f"statistics-{RULESET}.svg"
FIGURES = DOCS / f"statistics-{RULESET}.json"


def figures() -> dict[str, Any]:
    """The figures as `--json` gives them."""
    found: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return found


def stats_of(rules: Rules, figures: dict[str, Any]) -> Stats:
    """Figures as what they were written from."""
    patterns = tuple(
        PatternCount(
            rules.data.patterns[one["id"]],
            one["counted"],
            one["times"],
            one["lost"],
            one["lost_to"],
        )
        for one in figures["patterns"]
    )
    numbers = ("hands", "ways", "wins", "below_minimum", "incomplete", "errors", "empty", "capped")
    return Stats(
        rules=rules,
        over=figures["over"],
        weighted=figures["weighted"],
        **{name: figures[name] for name in numbers},
        patterns=patterns,
        totals={one["points"]: one["wins"] for one in figures["totals"]},
        joint={(one["patterns"][0], one["patterns"][1]): one["wins"] for one in figures["joint"]},
    )
