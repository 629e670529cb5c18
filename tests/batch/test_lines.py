"""Many lines at once give what one line gives."""

from __future__ import annotations

import pytest

from ruleengine.batch.lines import LineWriter, ids_of, read_lines, score_records, table_of
from ruleengine.loading import load_ruleset
from ruleengine.ruleset.find import ruleset_ids
from tests.batch.records import line_differences, random_records


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_random_records(ruleset: str) -> None:
    rules = load_ruleset(ruleset)
    assert line_differences(rules, random_records(rules, 300, seed=3)) == []


def test_lines_that_are_no_records() -> None:
    rules = load_ruleset("zhongyong-3.3")
    lines = [b"{", b"[1]", b"\xff", None, b"5", b'{"hand": "123m456p789s1122z+1z"}']
    read = read_lines(lines)
    outcome = score_records(rules.batch_scorer(arrangement=True).scorer, read)
    found = LineWriter(rules, "en").lines(outcome, ids_of(read)).splitlines()
    assert [b'"error"' in line for line in found] == [True] * 5 + [False]
    assert b'"code": "H313"' in found[3]


def test_a_record_with_a_value_of_the_wrong_kind_does_not_spoil_the_others() -> None:
    hand = "123m456p789s1122z+1z"
    records = [
        {"hand": hand},
        {"hand": hand, "by": 5},
        {"hand": hand, "events": ["last_tile", 3]},
        {"hand": hand, "events": ["last_tile"]},
        {"hand": hand, "dora": 2},
        {"hand": hand, "dora": "5m"},
        {"hand": hand, "dora": 10**30},
    ]
    table = table_of(records)
    known = [text is not None for text in table.column("hand").to_pylist()]
    assert known == [True, False, False, True, True, True, False]
