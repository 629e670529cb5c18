"""Two rulesets compared as wholes: what the shipped ones differ in, and what must always hold."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from ruleengine.compare import meetings as meetings_module
from ruleengine.compare import run
from ruleengine.compare.applied import Side
from ruleengine.compare.judging import Judge
from ruleengine.compare.model import LeftOut
from ruleengine.compare.run import compare
from ruleengine.compare.structure import structure
from ruleengine.compare.witness import Finder
from ruleengine.errors import HandError
from ruleengine.faces.compared import Telling, outcome_rows, witness_columns
from ruleengine.faces.compared_ends import notes
from ruleengine.rules import Rules
from ruleengine.ruleset.find import find_ruleset, ruleset_ids
from ruleengine.ruleset.read import read_ruleset_file, read_ruleset_text
from tests.compare.faults import Fault, changed_hand, faults, wrong_witnesses
from tests.ruleset.small import FEW_TILES, ruleset

if TYPE_CHECKING:
    from ruleengine.compare.model import Comparison, Judged
    from ruleengine.result import Result
    from ruleengine.ruleset.read import ReadRuleset


@cache
def shipped(name: str) -> ReadRuleset:
    return read_ruleset_file(find_ruleset(name, ()))


@cache
def between(old: str, new: str) -> Comparison:
    return compare(shipped(old), shipped(new), impact=False)


def small(body: str) -> ReadRuleset:
    return read_ruleset_text(ruleset(body), "small.yaml")


def weighty(found: Comparison) -> list[Judged]:
    """The changes that are more than text."""
    return [one for one in found.changes if one.change.level != "text"]


def result(given: Result | HandError) -> Result:
    assert not isinstance(given, HandError)
    return given


# ---- the shipped rulesets ------------------------------------------------------------------


def test_what_version_3_3_changed() -> None:
    found = between("zhongyong-3.2", "zhongyong-3.3")
    first, second = weighty(found)
    assert (first.change.kind, first.change.level) == ("points-changed", "score")
    assert first.change.at == "patterns.pure_one_suit.points"
    assert first.witness is not None
    before, after = result(first.witness.old), result(first.witness.new)
    # The sources give pure one-suit 100 points in version 3.2 and 80 in version 3.3.
    worth = [
        next(one.points for one in each.patterns if one.id == "pure_one_suit")
        for each in (before, after)
    ]
    assert worth == [100, 80]
    assert before.points - after.points == 20

    assert (second.change.kind, second.change.level) == ("option-default-changed", "payment")
    assert second.change.at == "options.standard.default"
    assert second.witness is not None
    before, after = result(second.witness.old), result(second.witness.new)
    points = before.points
    assert points == after.points > 25
    assert second.witness.record["by"] == "discard"
    winner, giver = (second.witness.record.get(name, "E") for name in ("seat", "from"))
    for each, standard in ((before, 30), (after, 25)):
        # The liable player makes up what the two others do not pay beyond the standard score.
        paid = min(points, standard)
        assert each.payments is not None
        others = set("ESWN") - {winner, giver}
        assert {each.payments[seat] for seat in others} == {-paid}
        assert each.payments[str(giver)] == -(3 * points - 2 * paid)
        assert each.payments[str(winner)] == 3 * points


def test_the_two_changes_of_version_3_3_meet() -> None:
    (meeting,) = between("zhongyong-3.2", "zhongyong-3.3").meetings
    assert {meeting.first.at, meeting.second.at} == {
        "patterns.pure_one_suit.points",
        "options.standard.default",
    }
    paid = [result(each).payments for each in meeting.results]
    assert len({str(each) for each in paid}) == 4
    assert meeting.record is not None
    assert meeting.record["by"] == "discard"


def test_the_minimum_of_five_shuts_out_the_chicken_hand() -> None:
    found = between("zhongyong-3.3", "zhongyong-3.3-min5")
    (only,) = weighty(found)
    assert (only.change.kind, only.change.at) == (
        "option-default-changed",
        "options.minimum.default",
    )
    assert only.witness is not None
    before, after = result(only.witness.old), result(only.witness.new)
    assert (before.win, before.points, before.patterns) == (True, 1, ())
    assert (after.win, after.reason) == (False, "below_minimum")


def test_uniform_payment_changes_payments_only() -> None:
    found = between("zhongyong-3.3", "zhongyong-3.3-uniform")
    gone, only = sorted(weighty(found), key=lambda one: one.change.kind)
    # A table that set the standard score is refused.
    assert (gone.change.kind, gone.change.level, gone.change.id) == (
        "option-removed", "payment", "standard"
    )  # fmt: skip
    assert (only.change.kind, only.change.level) == ("settlement-changed", "payment")
    assert only.effect is not None
    assert only.effect.how == "bounded", "not every total that is looked at is that of a hand"
    assert only.witness is not None
    before, after = result(only.witness.old), result(only.witness.new)
    assert before.points == after.points
    assert after.payments == {
        seat: 3 * after.points if amount > 0 else -after.points
        for seat, amount in (before.payments or {}).items()
    }


# ---- what must always hold -----------------------------------------------------------------


@pytest.mark.parametrize("name", ruleset_ids())
def test_nothing_differs_from_itself(name: str) -> None:
    found = compare(shipped(name), shipped(name))
    assert (found.changes, found.hands, found.plays) == ((), None, None)
    assert found.proved_equal


MIRRORED = {
    "condition-widened": "condition-narrowed", "condition-narrowed": "condition-widened",
    "pattern-added": "pattern-removed", "pattern-removed": "pattern-added",
    "event-added": "event-removed", "event-removed": "event-added",
    "option-added": "option-removed", "option-removed": "option-added",
    "term-added": "term-removed", "term-removed": "term-added",
    "interpretation-added": "interpretation-removed",
    "interpretation-removed": "interpretation-added",
    "wider": "narrower", "narrower": "wider",
}  # fmt: skip


def mirror(found: Comparison, *, back: bool) -> set[tuple[object, ...]]:
    """What is said of each change, as it would be said of the way back."""
    said: set[tuple[object, ...]] = set()
    for one in found.changes:
        change, effect = one.change, one.effect
        kind = MIRRORED.get(change.kind, change.kind) if back else change.kind
        seen: tuple[object, ...] | None = None
        if effect is not None:
            relation = MIRRORED.get(effect.relation, effect.relation) if back else effect.relation
            counts = (effect.lost, effect.gained) if back else (effect.gained, effect.lost)
            seen = (relation, effect.how, *counts)
        # Only an option that is no more refuses tables.
        level = "" if change.kind in ("option-added", "option-removed") else change.level
        said.add((kind, level, change.at, seen, one.witness is None))
    return said


@pytest.mark.parametrize(
    ("old", "new"),
    [("zhongyong-3.3", "zhongyong-3.3-uniform")],
)
def test_the_way_back_mirrors_the_way_there(old: str, new: str) -> None:
    assert mirror(between(old, new), back=False) == mirror(between(new, old), back=True)


@pytest.mark.parametrize("fault", list(faults(5, seed=5)), ids=str)
def test_planted_faults(fault: Fault) -> None:
    """`python -m tests.longer diff` plants more, and scores all hands for those without one."""
    found = compare(fault.old, fault.new, impact=False)
    assert not wrong_witnesses(fault, found)
    if not any(one.witness or one.end for one in found.changes):
        assert changed_hand(fault, 300, everything=False) is None
        assert found.proved_equal


# ---- one change after another --------------------------------------------------------------


def change(old: str, new: str) -> Judged:
    """The only change of a small ruleset that is more than text."""
    return change_of(small(old), small(new))


def change_of(old: ReadRuleset, new: ReadRuleset) -> Judged:
    """The only change from one ruleset to another that is more than text."""
    (only,) = weighty(compare(old, new, impact=False))
    return only


def test_a_condition_that_is_lost_in_its_series_is_silent() -> None:
    body = """
patterns:
  few: {{points: 1, series: a, when: count triplets >= {}}}
  more: {{points: 3, series: a, when: count triplets >= 2}}
"""
    found = compare(small(body.format(1)), small(body.format(2)), impact=False)
    (only,) = [one for one in found.changes if one.change.at == "patterns.few.when"]
    assert only.change.kind == "condition-narrowed"
    assert not only.silent, "one triplet is worth a point before and none after"
    narrower = body.format("2 and not count triplets = 3")
    found = compare(small(body.format(2)), small(narrower), impact=False)
    (only,) = [one for one in found.changes if one.change.at == "patterns.few.when"]
    assert (only.change.kind, only.change.level, only.silent) == (
        "condition-narrowed",
        "text",
        True,
    )
    assert found.proved_equal


def test_a_hand_below_a_cap_is_found() -> None:
    body = "patterns: {runs: {points: 5, when: count sequences = 4}}\ntotal: {cap: %d}\n"
    only = change(body % 5, body % 4)
    assert only.change.kind == "cap-changed"
    assert only.witness is not None
    assert [result(each).points for each in (only.witness.old, only.witness.new)] == [5, 4]


def test_a_ruleset_without_patterns() -> None:
    only = change("patterns: {}\ntotal: {empty: 1}\n", "patterns: {}\ntotal: {empty: 2}\n")
    assert only.witness is not None
    assert [result(each).points for each in (only.witness.old, only.witness.new)] == [1, 2]
    assert "events" not in only.witness.record


def test_an_option_that_no_value_in_force_shows() -> None:
    """A condition that only means something else where an option has another value."""
    body = """
options: {{open: {{type: bool, default: false}}}}
patterns: {{one: {{points: 1, when: "{}"}}}}
"""
    only = change(body.format("some set is claimed and open"), body.format("open"))
    assert only.change.kind == "condition-widened"
    assert only.witness is not None
    assert only.witness.record["options"] == {"open": True}


def paying(body: str, pays: str) -> ReadRuleset:
    return read_ruleset_text(
        ruleset(body, settlement=f'settlement: {{win: [{{pays: "{pays}"}}]}}\n'), "small.yaml"
    )


def test_payments_are_compared_up_to_the_highest_total() -> None:
    """A hand of 900 points is the only one that pays otherwise."""
    body = "patterns: {runs: {points: 900, when: count sequences = 4}}\n"
    found = compare(paying(body, "points"), paying(body, "min(points, 850)"), impact=False)
    (only,) = weighty(found)
    assert only.change.kind == "settlement-changed"
    assert not found.proved_equal
    assert only.witness is not None
    paid = [result(each).payments for each in (only.witness.old, only.witness.new)]
    assert [each["E"] for each in paid if each is not None] == [2700, 2550]
    # What no hand comes to is still looked at, so it is not said to change for sure.
    assert only.effect is not None
    assert (only.effect.relation, only.effect.how) == ("narrower", "bounded")
    same = compare(paying(body, "points"), paying(body, "min(points, 900)"), impact=False)
    assert same.proved_equal


def test_payments_of_totals_without_end_are_not_called_proved() -> None:
    body = "patterns: {runs: {points: 1000000, times: count sequences}}\n"
    found = compare(paying(body, "points"), paying(body, "max(points, 0)"), impact=False)
    (only,) = weighty(found)
    assert only.effect is not None
    assert (only.effect.relation, only.effect.how) == ("equal", "sampled")
    assert not found.proved_equal


def test_an_option_is_tried_at_the_numbers_that_sentences_name() -> None:
    body = """
options: {{ceiling: {{type: int, default: 25, min: 0, max: 1000}}}}
patterns: {{one: {{points: "{}", when: count sequences = 4}}}}
"""
    only = change(body.format(3), body.format("if ceiling = 500 then 4 else 3"))
    assert only.change.kind == "points-changed"
    assert only.witness is not None
    assert only.witness.record["options"] == {"ceiling": 500}
    assert [result(each).points for each in (only.witness.old, only.witness.new)] == [3, 4]


def test_a_budget_ends_in_time_and_says_what_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    # To put each of 1,830 pairs of changes together would take more than 10 seconds.
    together: list[object] = []
    monkeypatch.setattr(meetings_module, "_both", lambda *pair: together.append(pair))
    found = compare(shipped("zhongyong-3.3"), shipped("simple-1"), budget=0.0)
    assert not together
    assert all(one.witness is None for one in found.changes)
    assert found.left_out
    assert found.hands is None


def test_a_search_for_smaller_hands_that_is_cut_short_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[str] = []

    def progress(what: str, done: int, of: int) -> None:
        told.append(what)

    monkeypatch.setattr(run, "until", lambda ends: "looking for lower hands" not in told)
    body = "patterns: {runs: {points: %d, when: count sequences = 4}}\n"
    found = compare(small(body % 1), small(body % 2), impact=False, lowest=True, progress=progress)
    assert found.left_out == (LeftOut("smaller", 1),)


def test_a_search_for_hands_that_is_cut_short_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = property(lambda self: 0.0, lambda self, value: None)
    monkeypatch.setattr(Finder, "ends", ended, raising=False)
    body = "patterns: {runs: {points: 5, when: count sequences = 4}}\ntotal: {cap: %d}\n"
    found = compare(small(body % 5), small(body % 4), impact=False)
    assert found.left_out == (LeftOut("some-witnesses", 1),)


def test_a_sentence_that_was_not_looked_at_is_not_said_to_mean_the_same() -> None:
    body = "patterns: {one: {points: 1, when: %s}}\n"
    reads = [small(body % "pair is honor"), small(body % "pair is wind")]
    rules = [Rules(read.data) for read in reads]
    changes = structure(reads[0], reads[1], ({}, {}))
    judge = Judge([Side(one.data, dict(one.options)) for one in rules], rules, changes, 1)
    judge.sentences.ground.ends = 0.0
    (change,) = [one for one in changes if one.level != "text"]
    judged = judge.judged(judge.case(change))
    assert (judged.change.kind, judged.effect) == ("condition-changed", None)


def test_only_the_structure() -> None:
    found = compare(shipped("zhongyong-3.2"), shipped("zhongyong-3.3"), only_structure=True)
    assert found.changes
    assert all((one.effect, one.witness) == (None, None) for one in found.changes)


def test_values_of_options_are_taken() -> None:
    found = compare(
        shipped("zhongyong-3.3"),
        shipped("zhongyong-3.3-min5"),
        options={"minimum": 5},
        impact=False,
    )
    assert isinstance(found.old, Rules)
    assert found.old.options["minimum"] == found.new.options["minimum"] == 5


# ---- values of options ---------------------------------------------------------------------


CHOOSING = """
options: {{open: {{type: int, default: 1, {}}}}}
patterns: {{one: {{points: 2, when: "count triplets >= open"}}}}
"""


def test_a_sentence_is_compared_under_every_value_of_few() -> None:
    body = CHOOSING.format("min: 1, max: 4")
    only = change(body, body.replace("count triplets >= open", "count triplets >= min(open, 3)"))
    assert only.under is not None
    assert (only.under.number, only.under.whole) == (4, True)
    relations = {one.options["open"]: one.effect.relation for one in only.under.tried}
    # Where four triplets are asked for, three are enough now.
    assert relations == {1: "equal", 2: "equal", 3: "equal", 4: "wider"}
    assert only.witness is not None
    assert only.witness.record["options"] == {"open": 4}


def test_what_only_some_of_too_many_values_show_is_not_called_proved() -> None:
    body = CHOOSING.format("min: 1, max: 1000000")
    other = body.replace("count triplets >= open", "count triplets + 5 >= open + 5")
    found = compare(small(body), small(other), impact=False)
    assert found.left_out == (LeftOut("values", 1),)
    (only,) = weighty(found)
    assert only.under is not None
    assert not only.under.whole
    assert only.effect is not None
    assert (only.effect.relation, only.effect.how) == ("equal", "sampled")
    # Under none of the values that were tried had cases to be looked at.
    assert Telling(found.old, found.new, "en").effect(only) == "no difference"


def test_what_is_plainly_the_same_is_so_under_any_number_of_values() -> None:
    body = """
options: {{open: {{type: int, default: 1, max: 1000}}, shut: {{type: int, default: 1, max: 1000}}}}
patterns: {{one: {{points: 2, when: "{}"}}}}
"""
    old = small(body.format("min(open, shut) > max(shut, count tiles of dragon)"))
    new = small(body.format("max(count tiles of dragon, shut) < min(shut, open)"))
    found = compare(old, new, impact=False)
    assert [one.change.kind for one in found.changes] == ["condition-rewritten"]
    assert found.left_out == ()
    (only,) = found.changes
    assert only.under is not None
    assert only.under.whole


def test_a_default_that_matters_where_another_option_is_set_is_not_silent() -> None:
    """By default a win needs 8 points with either value; where the table opens it, 8 or 9."""
    body = """
options: {open: {type: bool, default: false}, least: {type: int, default: %d, min: 8, max: 9}}
patterns: {one: {points: 8, when: count triplets = 4}}
total: {minimum: if open then least else 8}
"""
    assert change(body % 8, body % 9).change.level == "score"


def test_a_pattern_that_may_count_under_one_of_too_many_values_is_not_called_silent() -> None:
    body = """
options: {open: {type: int, default: 0, min: 0, max: 1000}}
patterns: {one: {points: %d, when: open * open = 360000 and count triplets = 4}}
"""
    found = compare(small(body % 1), small(body % 2), impact=False)
    (only,) = weighty(found)
    assert (only.change.level, only.silent, only.witness) == ("score", False, None)
    assert found.left_out == (LeftOut("values", 1),)


def test_a_proof_may_hold_for_any_value_of_an_option() -> None:
    body = CHOOSING.format("min: 1, max: 10000")
    other = body.replace("count triplets >= open", "not open > count triplets")
    found = compare(small(body), small(other), impact=False)
    assert found.proved_equal
    other = body.replace("count triplets >= open", "count triplets + 5 >= open + 5")
    assert compare(small(body), small(other), impact=False).proved_equal


PAYING = """
options: {fee: {type: int, default: 1, min: 1, max: 10000}}
patterns: {threes: {points: 2, when: count triplets = 4}}
"""
PAYMENTS = "settlement: {win: [%s{when: win by self_draw, pays: points}, {pays: fee}]}\n"


def paid_by(line: str) -> ReadRuleset:
    return read_ruleset_text(ruleset(PAYING, settlement=PAYMENTS % line), "small.yaml")


@pytest.mark.parametrize(
    ("line", "is_equal"),
    [
        # Who pays is another player than who wins.
        ("{when: payer is dealer and winner is dealer, pays: 7}, ", True),
        ("{when: not (payer is not dealer or winner is not dealer), pays: fee + 1}, ", True),
        ("{when: payer is dealer and winner is not dealer, pays: 7}, ", False),
    ],
)
def test_a_payment_that_is_never_made_is_proved_to_change_nothing(
    line: str, is_equal: bool
) -> None:
    found = compare(paid_by(""), paid_by(line), impact=False)
    assert found.proved_equal == is_equal
    assert found.level == ("text" if is_equal else "payment")


def test_an_option_that_is_no_more_refuses_tables_and_changes_no_hand() -> None:
    body = CHOOSING.format("min: 1, max: 4")
    less = body.replace(">= open", ">= 1").replace(
        "open: {type: int, default: 1, min: 1, max: 4}", ""
    )
    found = compare(small(body), small(less), impact=False)
    removed = next(one for one in found.changes if one.change.kind == "option-removed")
    assert (removed.change.level, removed.sought, removed.witness) == ("score", None, None)
    telling = Telling(found.old, found.new, "en")
    assert telling.what(removed.change) == "option taken away, refused from now on: 1-4"


def test_a_default_says_that_tables_which_choose_are_not_touched() -> None:
    body = CHOOSING.format("min: 1, max: 4")
    only = change(body, body.replace("default: 1", "default: 2"))
    assert only.change.kind == "option-default-changed"
    assert only.under is not None
    assert only.under.whole
    assert {one.effect.relation for one in only.under.tried} == {"equal"}
    assert len(only.under.tried) == 4
    # Nothing that a table settles reads it, so that nothing is said of ends of hands.
    assert only.ends is None


def test_a_change_is_shown_under_the_default_that_tables_will_have() -> None:
    """Two triplets were asked for, and so they are where the option is 2, its default until now."""
    body = CHOOSING.format("min: 0, max: 4").replace("default: 1", "default: 2")
    old = small(body.replace(">= open", ">= 2"))
    found = compare(old, small(body.replace("default: 2", "default: 1")), impact=False)
    default, condition = found.changes
    assert condition.witness is not None
    assert condition.witness.record["options"] == {"open": 1}
    telling = Telling(found.old, found.new, "en")
    assert notes(default, telling) == [
        "a table that sets it itself keeps its value, but with open 0-1, 3-4 other changes touch it"
    ]
    assert found.left_out == ()


def test_a_table_that_chooses_may_set_another_option_too() -> None:
    body = """
options: {open: {type: bool, default: %s}, more: {type: bool, default: false}}
patterns: {one: {points: 2, when: open and more and count triplets >= %d}}
"""
    found = compare(small(body % ("false", 4)), small(body % ("true", 3)), impact=False)
    default = next(one for one in found.changes if one.change.kind == "option-default-changed")
    assert default.under is not None
    relations = {one.options["open"]: one.effect.relation for one in default.under.tried}
    # Three triplets are enough now, where both are set.
    assert (relations, default.under.whole) == ({False: "equal", True: "wider"}, True)


OFF = """
options: {{open: {{type: bool, default: false}}}}
patterns:
  four: {{{}, when: "count sequences = 4 and open"}}
  {}
total: {{empty: 1}}
"""
CLOSED = "closed: {points: 1, when: no set is claimed}"
IN_SERIES = "closed: {points: 1, series: a, when: no set is claimed}"


@pytest.mark.parametrize(
    ("part", "closed", "new", "points"),
    [
        # Four sequences without a claim, which is a point.
        ("points", CLOSED, "points: 3", [3, 4]),
        ("series", IN_SERIES, "points: 2, series: a", [3, 2]),
        ("supersedes", CLOSED, "points: 2, supersedes: [closed]", [3, 2]),
        ("times", CLOSED, "points: 2, times: 2", [3, 5]),
        # With a claim nothing but the bonus counts, and the point of a hand without any pattern.
        ("bonus", CLOSED, "points: 2, bonus: true", [2, 3]),
    ],
)
def test_a_pattern_that_counts_under_another_value_of_an_option_only(
    part: str, closed: str, new: str, points: list[int]
) -> None:
    only = change(OFF.format("points: 2", closed), OFF.format(new, closed))
    assert (only.change.at, only.change.level) == (f"patterns.four.{part}", "score")
    assert only.witness is not None
    assert only.witness.record["options"] == {"open": True}
    assert [result(x).points for x in (only.witness.old, only.witness.new)] == points


def test_a_pattern_that_comes_under_another_value_of_an_option_only() -> None:
    body = OFF.format("points: 2", CLOSED)
    less = "\n".join(line for line in body.split("\n") if "four" not in line)
    for old, new, points in ((less, body, [1, 3]), (body, less, [3, 1])):
        only = change(old, new)
        assert only.change.level == "score"
        assert only.witness is not None
        found = (only.witness.old, only.witness.new)
        assert [result(one).points for one in found] == points


def test_a_pattern_that_another_hides_only_under_the_value_of_an_option() -> None:
    """What hides it is in force by default, and a table may choose that it is not."""
    body = """
options: {kuitan: {type: bool, default: true}}
patterns:
  few: {points: %d, series: a, when: count triplets = 4}
  more: {points: 5, series: a, when: count triplets = 4 and kuitan}
"""
    only = change(body % 1, body % 2)
    assert only.witness is not None
    assert only.witness.record["options"] == {"kuitan": False}
    assert [result(x).points for x in (only.witness.old, only.witness.new)] == [1, 2]


def test_a_cap_that_is_reached_under_another_value_of_an_option_only() -> None:
    body = """
options: {open: {type: bool, default: false}}
patterns:
  closed: {points: 1, when: no set is claimed}
  threes: {points: 9, when: count triplets = 4 and open}
total: {cap: %d}
"""
    only = change(body % 5, body % 6)
    assert only.witness is not None
    assert only.witness.record["options"] == {"open": True}
    assert [result(x).points for x in (only.witness.old, only.witness.new)] == [5, 6]


# ---- what no hand tells apart --------------------------------------------------------------


def equal(old: str, new: str) -> None:
    """Two small rulesets are proved equal, though a value of them differs."""
    found = compare(small(old), small(new), impact=False)
    assert found.proved_equal, [(one.change.at, one.effect) for one in weighty(found)]


def test_a_limit_that_no_pattern_tells_from_another() -> None:
    body = "patterns: {runs: {points: 30, when: count sequences = 4}}\ntotal: {limit_from: %d}\n"
    equal(body % 30, body % 1)
    assert not compare(small(body % 30), small(body % 31), impact=False).proved_equal


def test_a_minimum_that_no_sum_tells_from_another() -> None:
    body = """
patterns: {runs: {points: 10, when: count sequences = 4}, eyes: {points: 15, when: pair is honor}}
total: {minimum: %d}
"""
    # 10, 15, 25: nothing from 11 to 14, and nothing from 1 to 4.
    equal(body % 11, body % 15)
    equal(body % 1, body % 5)
    assert change(body % 10, body % 11).witness is not None


TIERS = "patterns: {runs: {points: 6, when: count sequences = 4}}\ntotal: {value: %s}\n"
UP = "if points < 5 then points else if points < 10 then 50 else 100"
DOWN = "if points >= 10 then 100 else if points >= 5 then 50 else points"


def test_a_total_whose_branches_stand_in_another_order() -> None:
    equal(TIERS % UP, TIERS % DOWN)
    # Six points are the most: from 0 to 6 two sums, 5 and 6, come to less now, and 6 is a hand's.
    only = change(TIERS % UP, TIERS % DOWN.replace("50", "40"))
    assert only.effect is not None
    effect = only.effect
    assert (effect.relation, effect.how, effect.looked) == ("narrower", "bounded", 7)
    assert (effect.gained, effect.lost) == (0, 2)
    assert only.witness is not None
    assert [result(x).points for x in (only.witness.old, only.witness.new)] == [50, 40]


def test_a_total_of_several_units_and_options() -> None:
    body = """
units: [fan, fu]
options: {least: {type: int, default: 8, min: 0, max: 300}}
patterns: {runs: {fan: 3, fu: 20, when: count sequences = 4}}
total: {value: "%s"}
"""
    equal(body % "max(fan * fu, least)", body % "if least < fu * fan then fan * fu else least")
    only = change(body % "max(fan * fu, least)", body % "max(fan * fu, min(least, 200))")
    assert only.witness is not None
    # Above 200 the two differ.
    assert only.witness.record["options"] == {"least": 201}
    assert [result(x).points for x in (only.witness.old, only.witness.new)] == [201, 200]


def test_to_include_as_many_tiles_as_there_are_is_to_be_these() -> None:
    body = "patterns: {gates: {points: 5, when: hand before win %s 1112345678999x}}\n"
    equal(body % "is", body % "includes")
    # Of all fourteen tiles thirteen may be these.
    every = body.replace(" before win", "")
    wider = change(every % "is", every % "includes")
    assert wider.witness is not None
    assert [result(one).points for one in (wider.witness.old, wider.witness.new)] == [0, 5]


def test_the_series_of_a_limit_pattern() -> None:
    body = """
patterns:
  few: {points: 5, series: a, when: count triplets >= 2}
  full: {points: 50, %s when: count triplets = 4}
total: {limit_from: 50}
"""
    equal(body % "series: a,", body % "")
    assert change(
        body.replace("50,", "49,") % "series: a,", body.replace("50,", "49,") % ""
    ).witness


def test_the_later_of_two_that_are_worth_as_much() -> None:
    body = """
patterns:
  first: {points: 5, series: a, when: count triplets >= 2}
  later: {points: 5, series: a, when: count triplets = %d}
"""
    equal(body % 2, body % 3)
    # Where it is there and the first is not, it is seen.
    witness = change(body % 2, body % 1).witness
    assert witness is not None
    assert [result(one).points for one in (witness.old, witness.new)] == [0, 5]


# ---- changes that meet ---------------------------------------------------------------------


def meetings(old: str, new: str) -> list[tuple[str, str, list[object]]]:
    found = compare(small(old), small(new), impact=False)
    return [
        (
            one.first.at,
            one.second.at,
            [result(each).points if result(each).win else None for each in one.results],
        )
        for one in found.meetings
    ]


def test_changes_meet_in_a_hand_that_shows_both() -> None:
    """The smallest hand of each is not one of the other: it is looked for where both count."""
    body = """
events: {last_tile: {}}
patterns:
  winds: {points: %d, when: count triplets of wind = 3}
  greens: {points: %d, when: win by discard and last_tile and pair is dragon}
total: {empty: 1}
"""
    # Three triplets of winds and a pair of dragons, the last tile, discarded: 30 + 4 and so on.
    assert meetings(body % (30, 4), body % (31, 6)) == [
        ("patterns.winds.points", "patterns.greens.points", [34, 35, 36, 37])
    ]


def test_changes_meet_where_they_do_more_than_add() -> None:
    """Neither change alone shows in a hand: only together they make one reach the minimum."""
    body = """
patterns:
  runs: {points: %d, when: count sequences = 4}
  closed: {points: %d, when: no set is claimed}
total: {empty: 1, minimum: 12}
"""
    # 5 + 5, 6 + 5 and 5 + 6 are below the minimum of 12; 6 + 6 is not.
    pair = ("patterns.runs.points", "patterns.closed.points")
    assert meetings(body % (5, 5), body % (6, 6)) == [(*pair, [None, None, None, 12])]
    # Back again, either of them is enough to fall below it, so both do no more than one.
    assert meetings(body % (6, 6), body % (5, 5)) == []


def test_changes_that_no_hand_shows_together_do_not_meet() -> None:
    body = """
patterns:
  runs: {points: %d, when: count sequences = 4}
  threes: {points: %d, when: count triplets = 4}
total: {empty: 1}
"""
    assert meetings(body % (5, 30), body % (6, 31)) == []


SERIES = """
patterns:
  threes: {points: 5, when: count triplets >= 3, series: "%s"}
  closed: {points: 3, when: no set is claimed, series: "%s"}
  ends: {points: 4, when: all tiles are terminal | honor, series: "3"}
total: {empty: 1}
"""


def test_each_of_several_patterns_that_move_to_one_series_is_moved_alone() -> None:
    """A concealed hand of ends and honors has all three, 5 + 3 + 4: the first alone in the series
    of the last drops it, the second alone is dropped by it, and both leave only the first."""
    found = compare(small(SERIES % ("1", "2")), small(SERIES % ("3", "3")), impact=False)
    dropped = {}
    for one in found.changes:
        assert one.witness is not None
        before, after = result(one.witness.old), result(one.witness.new)
        ids = [{pattern.id for pattern in each.patterns} for each in (before, after)]
        dropped[one.change.id] = ids[0] - ids[1]
    assert dropped == {"threes": {"ends"}, "closed": {"closed"}}
    (met,) = found.meetings
    totals = [result(each).points for each in met.results]
    # Without ends and honors the first two drop each other only where both have moved.
    assert totals == [8, 8, 8, 5]


def test_a_new_pattern_of_a_series_into_which_another_moves() -> None:
    """The new pattern alone is in the series of the ends, not in that of the triplets."""
    new = SERIES.replace(
        "total:", '  honors: {points: 2, when: pair is honor, series: "3"}\ntotal:'
    )
    found = compare(small(SERIES % ("1", "2")), small(new % ("3", "2")), impact=False)
    (added,) = (one for one in found.changes if one.change.kind == "pattern-added")
    assert added.witness is not None
    assert result(added.witness.new).points == result(added.witness.old).points + 2
    for met in found.meetings:
        base, first, second, both = (result(each).points for each in met.results)
        assert both not in (first, second), (base, first, second, both)


ASLEEP = """
patterns:
  twins: {points: %d, when: %s}
total: {empty: 1}
"""


def test_changes_of_a_pattern_that_another_change_brings() -> None:
    """The points alone change nothing, since no hand has the pattern; beside its new condition
    they are what is paid: 1 without it, 2 with the condition, and 7 with both."""
    old, new = ASLEEP % (2, '"false"'), ASLEEP % (7, "count pairs = 1 and count triplets = 4")
    assert meetings(old, new) == [("patterns.twins.points", "patterns.twins.when", [1, 1, 2, 7])]
    changes = compare(small(old), small(new), impact=False).changes
    assert {one.change.level for one in changes} == {"score"}


@pytest.mark.parametrize("default", ["false", "true"])
def test_changes_meet_where_both_show_under_another_option_only(default: str) -> None:
    """Whether tables will have that value by default or not: 5 + 3 there, then 7 and 4."""
    old, new = (
        read_ruleset_text(FEW_TILES % one, "few.yaml") for one in (("false", 5, 3), (default, 7, 4))
    )
    found = compare(old, new, impact=False)
    met = {(one.first.at, one.second.at): one for one in found.meetings}
    both = met["patterns.fours.points", "patterns.greens.points"]
    assert [result(one).points for one in both.results] == [8, 10, 9, 11]
    assert both.record is not None
    assert both.record["options"] == {"on": True}


def test_changes_meet_under_all_the_options_that_either_needs() -> None:
    """The one shows in force, the other where a table sets an option: 5 + 3, then 7 + 3, 5 + 4."""
    text = FEW_TILES.replace("when: on and pair", "when: pair")
    old, new = (read_ruleset_text(text % ("false", *one), "few.yaml") for one in ((5, 3), (7, 4)))
    (both,) = compare(old, new, impact=False).meetings
    assert sorted(result(one).points for one in both.results) == [8, 9, 10, 11]
    assert both.record is not None
    assert both.record["options"] == {"on": True}


def test_a_new_event_is_shown_by_a_hand_that_wins_with_it() -> None:
    """Smaller hands are below the minimum: that they can be had with the event is less grave."""
    body = """
patterns: {{winds: {{points: 3, when: some claimed set is honor}}}}
total: {{minimum: 3}}
events: {{{}}}
"""
    old, new = (small(body.format(events)) for events in ("", "late: {needs: win by discard}"))
    (added,) = compare(old, new, impact=False).changes
    assert added.witness is not None
    assert isinstance(added.witness.old, HandError)
    assert result(added.witness.new).win
    assert result(added.witness.new).points == 3


def test_a_meeting_on_a_discard_has_its_payments() -> None:
    """Only with a discarder named it can be said who pays: three pay 1 + 1 points each, then 2 + 1,
    1 + 2, 2 + 2."""
    each = "{{points: {}, when: win by discard}}"
    body = f"patterns: {{{{a: {each}, b: {each}}}}}"
    (met,) = compare(small(body.format(1, 1)), small(body.format(2, 2)), impact=False).meetings
    assert met.record is not None
    assert met.record["from"] == "S"
    paid = [result(each).payments for each in met.results]
    assert [each and each["E"] for each in paid] == [6, 9, 9, 12]


LIFTED = FEW_TILES.replace("total: {empty: 1}", "total: {minimum: 8}").replace(
    "when: on and count triplets = 2", "when: on and count sequences >= %d"
).replace("on and pair", "pair")  # fmt: skip


def test_two_changes_that_show_nowhere_alone_meet_where_the_option_of_one_is_set() -> None:
    """Of two sets no three are sequences. With the option a sequence is worth 5, a pair of dragons
    2, then 3: 8 points are a win, and with one change alone there are 2 or 3, or 7."""
    old, new = (
        read_ruleset_text(LIFTED % ("false", 5, *one), "few.yaml") for one in ((3, 2), (1, 3))
    )
    found = compare(old, new, impact=False)
    assert [one.witness for one in found.changes] == [None, None]
    (both,) = found.meetings
    assert both.record is not None
    assert both.record["options"] == {"on": True}
    wins = [result(one).win for one in both.results]
    assert wins == [False, False, False, True]
    assert result(both.results[-1]).points == 8


def test_a_hand_at_the_cap_shows_no_points_above_it() -> None:
    """What a pattern awards makes no difference where the total, the patterns and the payments are
    the same."""
    body = "patterns: {fours: {points: %d, when: count triplets = 4}}\ntotal: {cap: 15}\n"
    (only,) = compare(small(body % 20), small(body % 22), impact=False).changes
    assert only.witness is None


# ---- shapes and patterns under a new id ----------------------------------------------------


CALLED = """
terms: {{alike: shape is {shape}}}
patterns:
  {pattern}: {{points: 2, when: shape is {shape}}}
  other: {{points: 1, when: "not {pattern} and not alike"}}
  third: {{points: {points}, when: alike and count suits = 1}}
"""
CALLED_SHAPES = "shapes: {{basic: {{sets: 4, pairs: 1}}, {}: {{pairs: 7}}}}\n"


def called(shape: str, pattern: str, points: int) -> ReadRuleset:
    body = CALLED.format(shape=shape, pattern=pattern, points=points)
    text = ruleset(body, shapes=CALLED_SHAPES.format(shape))
    return read_ruleset_text(text, "small.yaml")


def test_what_only_follows_a_new_id_is_no_change() -> None:
    old = called("seven_pairs", "sevens", 1)
    found = compare(old, called("chiitoi", "seven", 1), impact=False)
    assert {(x.change.kind, x.change.level, x.change.old, x.change.new) for x in found.changes} == {
        ("shape-renamed", "text", "seven_pairs", "chiitoi"),
        ("pattern-renamed", "text", "sevens", "seven"),
    }
    assert found.new.data.shapes.keys() == {"basic", "chiitoi"}


def test_a_pattern_with_a_new_id_and_other_points_is_shown_by_a_hand() -> None:
    body = "patterns: {%s: {points: %d, series: a, when: count triplets = 4}}"
    found = compare(small(body % ("old", 6)), small(body % ("new", 8)), impact=False)
    renamed, points = sorted(found.changes, key=lambda one: one.change.kind, reverse=True)
    assert (points.change.kind, points.change.at) == ("pattern-renamed", "patterns.new")
    assert (renamed.change.kind, renamed.change.at) == ("points-changed", "patterns.new.points")
    assert renamed.witness is not None
    outcomes = [renamed.witness.old, renamed.witness.new, renamed.witness.whole]
    assert [result(one).points for one in outcomes] == [6, 8, 8]
    telling = Telling(found.old, found.new, "en", found.renamed)
    names, columns = witness_columns(renamed.witness, telling)
    assert names == ["old", "new"], "the whole is nothing else but for the id"
    rows = [row for row in outcome_rows(columns, telling) if row.kind == "pattern"]
    assert [(row.label, row.cells) for row in rows] == [("old → new", ("6", "8"))]


def test_a_value_that_a_pattern_with_a_new_id_has_no_more() -> None:
    body = "patterns: {%s, other: {points: 3, series: a, when: no set is claimed}}"
    sides = ("old: {points: 6, series: a, when: count triplets = 4}",
             "new: {points: 6, when: count triplets = 4}")  # fmt: skip
    found = compare(*(small(body % one) for one in sides), impact=False)
    (only,) = weighty(found)
    assert (only.change.kind, only.change.at) == ("series-changed", "patterns.new.series")
    assert only.witness is not None
    # Four triplets, concealed: the one alone before, both after.
    assert [result(one).points for one in (only.witness.old, only.witness.new)] == [6, 9]


def test_another_change_beside_a_shape_with_a_new_id() -> None:
    only = change_of(called("seven_pairs", "sevens", 1), called("chiitoi", "sevens", 3))
    assert only.change.at == "patterns.third.points"
    assert only.witness is not None
    # Seven pairs of one suit: 2 and 1 before, 2 and 3 after.
    assert [result(x).points for x in (only.witness.old, only.witness.new)] == [3, 5]


# ---- patterns that come and go -------------------------------------------------------------


EQUALS = {
    "runs": "{points: 5, series: a, when: count sequences = 4}",
    "closed": "{points: 5, series: a, when: no set is claimed}",
    "threes": "{points: 5, when: count triplets = 4}",
    "honors": "{points: 5, when: all tiles are honor}",
}


@pytest.mark.parametrize("gone", EQUALS)
def test_a_pattern_worth_as_much_as_others_comes_and_goes(gone: str) -> None:
    """Whether it is the first, the last or the only one of its series."""
    whole = "".join(f"  {name}: {pattern}\n" for name, pattern in EQUALS.items())
    less = "".join(f"  {name}: {pattern}\n" for name, pattern in EQUALS.items() if name != gone)
    for old, new in ((whole, less), (less, whole)):
        only = change(f"patterns:\n{old}", f"patterns:\n{new}")
        assert only.change.at == f"patterns.{gone}"
        assert only.witness is not None
        counted = [
            {pattern.id for pattern in result(one).patterns}
            for one in (only.witness.old, only.witness.new)
        ]
        assert [gone in ids for ids in counted] == [old == whole, new == whole]
