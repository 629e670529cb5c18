"""Hands are alike under two rulesets where their results, one by one, are."""

from __future__ import annotations

import itertools

import pyarrow as pa
import pytest

from ruleengine import load
from ruleengine.batch.outcome import TableScorer
from ruleengine.compare.alike import marks
from ruleengine.compare.outcomes import Won, outcome, scored
from ruleengine.hands.chance import plays


@pytest.mark.parametrize("other", ["zhongyong-3.2", "zhongyong-3.3-uniform", "zhongyong-3.3-min5"])
def test_alike_are_hands_that_come_to_the_same(other: str) -> None:
    both = (load("zhongyong-3.3"), load(other))
    hands = [Won(one.hand, one.situation) for one in itertools.islice(plays(both[0], 1), 150)]
    records = [won.record() for won in hands]
    names = dict.fromkeys(name for record in records for name in record)
    table = pa.table({name: [record.get(name) for record in records] for name in names})
    batch = table.combine_chunks().to_batches()[0]
    seen = [marks(rules, TableScorer(rules, arrangements=False).score(batch)) for rules in both]
    alike = (seen[0] == seen[1]).all(axis=0).tolist()
    single = [[outcome(scored(rules, won)) for won in hands] for rules in both]
    assert alike == [one == two for one, two in zip(*single, strict=True)]
    assert False in alike
    assert True in alike
