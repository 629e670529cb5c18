"""Numbers over many hands, held against hands scored one by one."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ruleengine
from ruleengine.errors import HandError
from ruleengine.hands.chance import plays
from ruleengine.hands.every import EveryHand
from ruleengine.hands.weights import ways_to_draw
from ruleengine.hands.winning import BestScorer
from ruleengine.record import score_record
from ruleengine.stats import Outcome, Tally, summarize, survey_all, survey_records, survey_sample
from ruleengine.stats.records import is_plain, outcome_of
from ruleengine.stats.tally import _groups
from ruleengine.testing.run import scene_of_result
from ruleengine.weigh import weigh
from tests.hands.small import PATTERNS, WAITS, load_small
from tests.hands.test_every import tiles_of
from tests.hands.test_winning import best

if TYPE_CHECKING:
    from pathlib import Path

    from ruleengine.result import Result
    from ruleengine.rules import Rules


class Expected:
    """The numbers of some results, from their arrangements weighed by the interpreter."""

    def __init__(self, results: list[tuple[Result, int]]) -> None:
        self.counted: Counter[str] = Counter()
        self.times: Counter[str] = Counter()
        self.lost: Counter[tuple[str, str]] = Counter()
        self.totals: Counter[int] = Counter()
        self.joint: Counter[tuple[str, str]] = Counter()
        self.below = self.incomplete = 0
        for result, ways in results:
            self._add(result, ways)

    def _add(self, result: Result, ways: int) -> None:
        if result.reason == "not_a_winning_hand":
            self.incomplete += ways
            return
        if not result.win:
            self.below += ways
            return
        self.totals[result.points] += ways
        for counted in result.patterns:
            self.counted[counted.id] += ways
            self.times[counted.id] += counted.count * ways
        ids = [counted.id for counted in result.patterns]
        self.joint.update(dict.fromkeys(itertools.combinations(ids, 2), ways))
        scene = scene_of_result(result)
        assert scene is not None
        for verdict in weigh(result.rules, scene).verdicts:
            if verdict.lost_to is not None:
                self.lost[verdict.pattern.id, verdict.lost_to] += ways

    def check(self, rules: Rules, tally: Tally, *, weighted: bool = False) -> None:
        """Check that a tally comes to the same."""
        stats = summarize(rules, tally, "all", weighted=weighted)
        assert (stats.below_minimum, stats.incomplete) == (self.below, self.incomplete)
        assert stats.totals == dict(sorted(self.totals.items()))
        assert stats.wins == sum(self.totals.values())
        assert {one.pattern.id: one.counted for one in stats.patterns if one.counted} == dict(
            self.counted
        )
        assert {one.pattern.id: one.times for one in stats.patterns if one.times} == dict(
            self.times
        )
        lost = {
            (one.pattern.id, other): number
            for one in stats.patterns
            for other, number in one.lost_to.items()
        }
        assert lost == dict(self.lost)
        assert all(one.lost == sum(one.lost_to.values()) for one in stats.patterns)
        assert dict(stats.joint) == dict(self.joint)
        points = sum(points * number for points, number in self.totals.items())
        assert stats.mean == pytest.approx(points / stats.wins)


def every_best(rules: Rules, *, weighted: bool) -> list[tuple[Result, int]]:
    """The best result of every hand of a ruleset, with the ways to draw it."""
    every = EveryHand(rules.shapes, rules.data.wall.copies)
    hands = every.at(np.arange(len(every)))
    ways = ways_to_draw(hands, every.wall) if weighted else np.ones(len(hands), dtype=np.int64)
    return [
        (best(rules, tiles)[0], number)
        for tiles, number in zip(tiles_of(hands), ways.tolist(), strict=True)
    ]


# ---- all hands -------------------------------------------------------------------------


@pytest.mark.parametrize("patterns", [PATTERNS, WAITS], ids=["plain", "waits"])
@pytest.mark.parametrize("weighted", [False, True])
def test_all_hands_of_a_small_ruleset(tmp_path: Path, patterns: str, weighted: bool) -> None:
    rules = load_small(tmp_path, patterns).with_options({"minimum": 4})
    tally = survey_all(rules, weighted=weighted)
    expected = Expected(every_best(rules, weighted=weighted))
    expected.check(rules, tally, weighted=weighted)
    every = EveryHand(rules.shapes, rules.data.wall.copies)
    assert (tally.hands, tally.ways) == (len(every), every.ways if weighted else len(every))
    # The ruleset has all there is to tell: series, supersession, a limit, a minimum.
    assert expected.below > 0
    lost = {("one_triplet", "two_triplets"), ("no_honor", "all_pairs")}
    assert lost <= set(expected.lost)
    assert 30 in expected.totals


def test_one_suit_of_zung_jung() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    every = EveryHand(rules.shapes, dict.fromkeys(range(9), 4))
    scorer = BestScorer(rules, keeps_there=True)
    tally = Tally()
    # `python -m tests.longer enumeration` looks at all of them, and at more one by one.
    hands = every.at(np.arange(0, len(every), 23))
    tally.add_judged(scorer.score(hands).judged, 0)
    Expected([(best(rules, tiles)[0], 1) for tiles in tiles_of(hands)]).check(rules, tally)


def test_processes_make_no_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruleengine.stats.survey.TASK", 200)
    rules = load_small(tmp_path).with_options({"minimum": 4})
    told: list[tuple[int, int]] = []
    two = survey_all(rules, jobs=2, progress=lambda done, of: told.append((done, of)))
    assert two == survey_all(rules)
    number = len(EveryHand(rules.shapes, rules.data.wall.copies))
    assert told[-1] == (number, number)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


# ---- samples ---------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_a_sample_comes_near_to_all_hands(tmp_path: Path, weighted: bool) -> None:
    rules = load_small(tmp_path)
    whole = summarize(rules, survey_all(rules, weighted=weighted), "all", weighted=weighted)
    drawn = survey_sample(rules, 40_000, 5, weighted=weighted)
    assert drawn == survey_sample(rules, 40_000, 5, weighted=weighted)
    part = summarize(rules, drawn, "sample", weighted=weighted)
    assert part.hands == part.ways == 40_000
    for one, other in zip(whole.patterns, part.patterns, strict=True):
        share = one.counted / whole.ways
        # Five deviations of a share do not happen by chance.
        assert abs(other.counted / 40_000 - share) <= 5 * (share * (1 - share) / 40_000) ** 0.5


# ---- records ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["zhongyong-3.3", "simple-1"])
def test_records_as_they_were_won(name: str) -> None:
    rules = ruleengine.load(name)
    some = list(itertools.islice(plays(rules, 21), 250))
    results = [rules.score_hand(play.hand, play.situation) for play in some]
    found = survey_records(rules, [play.record() for play in some])
    assert (found.hands, found.errors) == (250, 0)
    Expected([(result, 1) for result in results]).check(rules, found)


def test_records_by_columns_and_one_by_one_come_to_the_same() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    some = list(itertools.islice(plays(rules, 8), 400))
    records = [play.record() for play in some]
    assert {is_plain(record) for record in records} == {True, False}
    expected = Tally()
    for record in records:
        expected.add(outcome_of(score_record(rules, record)))
    assert survey_records(rules, records) == expected


@pytest.mark.parametrize(
    "record",
    [
        {"hand": 7},
        {"hand": "123m", "id": [1]},
        {"hand": "123m456m789p23s55p+4s", "dora": True},
        {"hand": "123m456m789p23s55p+4s", "dora": 1},
        {"hand": "123m456m789p23s55p+4s", "dora": 2**70},
        {"hand": "123m456m789p23s55p+4s", "events": ["last_tile", "last_tile"]},
        {"hand": "123m456m789p23s55p+4s", "events": "last_tile"},
        {"hand": "123m456m789p23s55p+4s", "seat": "\ud800"},
        {"hand": "123m456m789p23s55p+4s", "wind": "E"},
        {},
        None,
    ],
)
def test_a_wrong_record_is_an_error_and_no_more(record: object) -> None:
    rules = ruleengine.load("zhongyong-3.3")
    found = survey_records(rules, [{"hand": "123m456m789p23s55p+4s"}, record])
    assert (found.hands, found.errors) == (1, 1)


def test_records_that_are_wrong_or_do_not_win() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    records: list[object] = [
        {"hand": "123m456m789p23s55p+4s"},
        {"hand": "1357m2468p13579s+1z"},
        {"hand": "123m456m789p3s[999m]+3s", "options": {"minimum": 5}},
        {"hand": "123m"},
        HandError("H313", "the record is not JSON"),
        7,
    ]
    stats = summarize(rules, survey_records(rules, records), "records")
    assert (stats.hands, stats.wins, stats.below_minimum) == (3, 1, 1)
    assert (stats.incomplete, stats.errors) == (1, 3)
    assert stats.totals == {10: 1}


def test_many_records_go_to_several_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ruleengine.stats.survey.RECORDS", 10)
    rules = ruleengine.load("zhongyong-3.3")
    records = [play.record() for play in itertools.islice(plays(rules, 4), 60)]
    assert survey_records(rules, records, jobs=2) == survey_records(rules, records)


# ---- numbers ---------------------------------------------------------------------------


def test_mean_median_and_empty_hands() -> None:
    rules = ruleengine.load("zhongyong-3.3")
    tally = Tally()
    tally.add(Outcome(True, True, 1, -1, 0, 0), hands=3, ways=3)
    tally.add(Outcome(True, True, 5, -1, 1, 1), hands=2, ways=2)
    tally.add(Outcome(False, False, 0, -1, 0, 0))
    stats = summarize(rules, tally, "records")
    assert (stats.hands, stats.wins, stats.empty, stats.incomplete) == (6, 5, 3, 1)
    assert stats.mean == pytest.approx((3 * 1 + 2 * 5) / 5)
    assert stats.median == 1
    nothing = summarize(rules, Tally(), "records")
    assert (nothing.mean, nothing.median, nothing.wins) == (0.0, 0, 0)


def test_a_limit_pattern_counts_alone() -> None:
    # Big Four Winds with all that goes with it.
    rules = ruleengine.load("zhongyong-3.3")
    found = survey_records(rules, [{"hand": "111222333444z5z+5z"}])
    stats = summarize(rules, found, "records")
    counted = [one.pattern.id for one in stats.patterns if one.counted]
    lost = {one.pattern.id: dict(one.lost_to) for one in stats.patterns if one.lost}
    assert counted == ["big_four_winds"]
    assert lost["all_honors"] == lost["concealed_hand"] == {"big_four_winds": 1}
    assert lost["mixed_lesser_terminals"] == {"mixed_greater_terminals": 1}
    assert stats.capped == 1


def test_rows_that_a_mixture_does_not_tell_apart_are_kept_apart() -> None:
    # Two columns chosen so that the rows mix to one number: (a ^ 0) * odd, shifted, then ^ b.
    odd, mask = 0x9E3779B97F4A7C15, (1 << 64) - 1

    def mixed(a: int) -> int:
        product = a * odd & mask
        return product ^ product >> 29

    left = np.array([1, 2, 1], dtype=np.uint64)
    right = np.array([mixed(1), mixed(2), mixed(1)], dtype=np.uint64)
    first, group = _groups([left, right])
    assert len(first) == 2
    assert group[0] == group[2] != group[1]
