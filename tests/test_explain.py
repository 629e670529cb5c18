"""Explanations: why each pattern counts, is lost, or is not there."""

from __future__ import annotations

import ruleengine
from ruleengine.explain import failed_parts

RULES = ruleengine.load("zhongyong-3.3")


def test_under_a_limit_pattern_everything_else_is_lost_to_it() -> None:
    # All honors (320) with three wind triplets and their pair: small four winds is 320 too and
    # comes first by its code; mixed greater terminals and the rest are lost to it.
    explained = RULES.score("55z[111z][222z][666z]77z+5z", seat="W").explain()
    assert explained.chosen is not None
    states = {v.pattern.id: (v.state, v.lost_to) for v in explained.chosen.verdicts}
    assert states["all_honors"] == ("counted", None)
    for lost in ("mixed_greater_terminals", "mixed_lesser_terminals", "all_triplets"):
        assert states[lost] == ("lost_to_limit", "all_honors")


def test_a_template_that_is_not_there_shows_the_most_that_is() -> None:
    explained = RULES.score("123m456m78p123s55s+9p").explain()
    verdict = explained.verdict("nine_tile_straight")
    assert verdict is not None
    (part,) = failed_parts(verdict)
    assert part.sentence == "has sequence 1x, sequence 4x, sequence 7x"
    assert part.is_template
    assert part.groups == ("123m", "456m")


def test_an_explanation_is_short_to_show_and_tells_itself_in_lines() -> None:
    explained = RULES.score("23m234m678p33s[678s]+4m").explain()
    assert repr(explained) == "<Explanation of 22334m678p33s[678s]+4m: 20 points>"
    lines = str(explained).splitlines()
    assert lines[0] == "22334m678p33s[678s]+4m: 20 points"
    assert "  counts: 1.1 All Sequences 5: 234m 234m 678p [678s]" in lines
    assert "  not there: 1.2 Concealed Hand: not no set is claimed" in lines
    assert "  read as 234m 234m 678p [678s] 33s: 20" in lines
    assert explained._repr_html_().startswith("<pre>22334m")
