"""What a ruleset makes of many hands: how often each pattern counts, what is lost, the totals.

`survey` looks at all hands, at a sample, or at records; `tally` adds up what became of them;
`summary` says what that means in numbers.
"""

from __future__ import annotations

from ruleengine.stats.summary import PatternCount, Stats, summarize
from ruleengine.stats.survey import survey_all, survey_records, survey_sample
from ruleengine.stats.tally import Outcome, Tally

__all__ = [
    "Outcome",
    "PatternCount",
    "Stats",
    "Tally",
    "summarize",
    "survey_all",
    "survey_records",
    "survey_sample",
]
