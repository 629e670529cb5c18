"""The picture and the numbers of `docs/statistics.md` are those of the ruleset as it is.

Where they are not:
`yaku stats zhongyong-3.3 --weighted --plot docs/statistics-zhongyong-3.3.svg --json`, whose output
is `docs/statistics-zhongyong-3.3.json`. `python -m tests.longer enumeration` looks at every figure.
"""

from __future__ import annotations

import ruleengine
from ruleengine.faces.statistics_svg import draw_stats
from ruleengine.faces.words import say
from ruleengine.hands.every import EveryHand
from ruleengine.stats import summarize, survey_sample
from tests.stats.figures import DOCS, PICTURE, RULESET, figures, stats_of

RULES = ruleengine.load(RULESET)


def test_the_picture_shows_the_figures() -> None:
    stats = stats_of(RULES, figures())
    assert stats.to_json() == figures()
    source = say("stats_all", "en", hands=f"{stats.hands:,}")
    assert draw_stats(stats, source, "en") == PICTURE.read_text(encoding="utf-8")


def test_the_figures_are_of_all_hands_of_this_ruleset() -> None:
    found = figures()
    every = EveryHand(RULES.shapes, RULES.data.wall.copies)
    assert (found["hands"], found["ways"]) == (len(every), every.ways)
    assert [one["id"] for one in found["patterns"]] == [p.id for p in RULES.program.order]
    assert sum(one["wins"] for one in found["totals"]) == found["wins"] == every.ways
    assert f"and {found['mean']:.2f} with them" in (DOCS / "statistics.md").read_text("utf-8")


def test_a_sample_comes_near_to_the_figures() -> None:
    number = 40_000
    drawn = summarize(RULES, survey_sample(RULES, number, 7, weighted=True), "sample")
    for one, other in zip(figures()["patterns"], drawn.patterns, strict=True):
        for there, here in ((one["counted"], other.counted), (one["lost"], other.lost)):
            share = there / figures()["ways"]
            # Six deviations do not happen by chance, nor does one hand in many millions.
            allowed = 6 * (share * (1 - share) / number) ** 0.5 + 2 / number
            assert abs(here / number - share) <= allowed, one["id"]
