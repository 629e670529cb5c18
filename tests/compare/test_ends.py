"""Changes that no single hand shows: each with a smallest end of a hand at a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ruleengine.compare.model import LeftOut
from ruleengine.compare.run import compare
from ruleengine.compare.three_way import three_way
from ruleengine.errors import HandError
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.settle import Settled
from tests.ruleset.small import HEAD, SHAPES

if TYPE_CHECKING:
    from ruleengine.compare.model import Comparison, EndWitness, Judged
    from ruleengine.ruleset.read import ReadRuleset

PARTS = {
    "options": "{each: {type: int, default: 1, min: 0, max: 9}}",
    "events": "{ready: {}, last_tile: {shared: true}}",
    "liability": "{moves: true, barred: true}",
    "win": "[{when: win by self_draw, pays: points}, {when: payer is liable, pays: 3 * points}]",
    "exhausted": "[{when: payer is not ready and payee is ready, pays: each}]",
    "wrong_win": "[{when: payer is offender, pays: 4}]",
    "winners": "all",
    "stakes": "{event: ready, amount: 1, to: first, returned: false}",
}
BODY = """\
options: %(options)s
events: %(events)s
patterns:
  any: {points: 2, when: count pairs >= 1}
  last: {points: 3, when: last_tile}
liability: %(liability)s
settlement:
  win: %(win)s
  exhausted: %(exhausted)s
  wrong_win: %(wrong_win)s
  winners: %(winners)s
  stakes: %(stakes)s
"""


def ruleset(**parts: str) -> ReadRuleset:
    return read_ruleset_text(HEAD + SHAPES + BODY % {**PARTS, **parts}, "small.yaml")


def changed(**parts: str) -> Comparison:
    return compare(ruleset(), ruleset(**parts), impact=False)


def only(found: Comparison) -> Judged:
    """The only change that is more than text."""
    (judged,) = [one for one in found.changes if one.change.level != "text"]
    return judged


def end(found: Comparison) -> EndWitness:
    witness = only(found).end
    assert witness is not None
    assert only(found).witness is None
    return witness


def paid(one: Settled | HandError) -> tuple[list[int], int]:
    assert isinstance(one, Settled)
    return [one.payments[seat] for seat in "ESWN"], one.stakes_left


# ---- without a win -------------------------------------------------------------------------------


def test_an_exhausted_wall() -> None:
    witness = end(changed(exhausted="[{when: payer is not ready and payee is ready, pays: 2}]"))
    # One ready player gets 1 from each of three others, and then 2.
    assert witness.request == {"event": "exhausted", "ready": ["E"]}
    assert paid(witness.old) == ([3, -1, -1, -1], 0)
    assert paid(witness.new) == paid(witness.whole) == ([6, -2, -2, -2], 0)


def test_an_exhausted_wall_where_only_two_ready_players_show_it() -> None:
    pays = "payer is not ready and payee is ready and not (payer is dealer), pays: each"
    found = changed(exhausted=f"[{{when: {pays}}}]")
    witness = end(found)
    # The dealer does not pay any more: the first of the others that are ready shows it.
    assert witness.request == {"event": "exhausted", "ready": ["S"]}
    assert paid(witness.old) == ([-1, 3, -1, -1], 0)
    assert paid(witness.new) == ([0, 2, -1, -1], 0)
    ends = only(found).ends
    assert ends is not None
    assert ends.how == "proved"


def test_what_two_players_pay_each_other_is_proved_to_come_to_nothing() -> None:
    """Every player pays every other 5 besides: nobody is paid otherwise."""
    lines = "{when: payer is not ready and payee is ready, pays: each + 5}, {pays: 5}"
    found = changed(exhausted=f"[{lines}]")
    (judged,) = [one for one in found.changes if one.change.at == "settlement.exhausted"]
    assert found.proved_equal
    assert judged.silent
    assert judged.ends is not None
    assert (judged.ends.how, judged.ends.changed) == ("proved", 0)
    # Sixteen choices of who is ready, sixteen of whose stakes lie there, with and without more.
    assert judged.ends.looked == 16 * 16 * 2


def test_a_wrong_win() -> None:
    witness = end(changed(wrong_win="[{when: payer is offender, pays: 5}]"))
    assert witness.request == {"event": "wrong_win", "seat": "E"}
    assert paid(witness.old) == ([-12, 4, 4, 4], 0)
    assert paid(witness.new) == ([-15, 5, 5, 5], 0)


def test_a_default_that_only_an_exhausted_wall_reads() -> None:
    witness = end(changed(options="{each: {type: int, default: 3, min: 0, max: 9}}"))
    assert witness.request == {"event": "exhausted", "ready": ["E"]}
    assert [paid(one)[0] for one in (witness.old, witness.new)] == [
        [3, -1, -1, -1],
        [9, -3, -3, -3],
    ]


def test_what_only_another_value_of_an_option_shows() -> None:
    pays = "if each = 7 then 8 else each"
    found = changed(exhausted=f"[{{when: payer is not ready and payee is ready, pays: {pays}}}]")
    witness = end(found)
    assert witness.options == {"each": 7}
    assert [paid(one)[0][0] for one in (witness.old, witness.new)] == [21, 24]
    under = only(found).under
    assert under is not None
    assert (under.number, under.whole) == (10, True)
    # Each of three players pays the ready one: of the four seats any may be the one that is ready.
    assert [c.options["each"] for c in under.tried if c.effect.relation != "equal"] == [7]


# ---- stakes --------------------------------------------------------------------------------------


def test_stakes_that_are_given_back() -> None:
    witness = end(changed(stakes="{event: ready, amount: 1, to: first, returned: true}"))
    assert witness.request == {"event": "abortive", "stakes": {"E": 1}}
    assert paid(witness.old) == ([0, 0, 0, 0], 1)
    assert paid(witness.new) == ([1, 0, 0, 0], 0)


def test_a_stake_of_another_size_is_an_error_on_one_side() -> None:
    witness = end(changed(stakes="{event: ready, amount: 2, to: first, returned: false}"))
    assert witness.request == {"event": "abortive", "stakes": {"E": 1}}
    assert paid(witness.old) == ([0, 0, 0, 0], 1)
    assert isinstance(witness.new, HandError)
    assert witness.new.code == "H404"


STAKE = '{event: ready, amount: "%s", to: first, returned: false}'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("10", "5 * 2"),
        ("each + 1", "1 + each"),
        # A table may choose 0 to 9.
        ("each", "min(each, 9)"),
    ],
)
def test_a_stake_in_other_words_is_proved_to_be_as_much(old: str, new: str) -> None:
    found = compare(ruleset(stakes=STAKE % old), ruleset(stakes=STAKE % new), impact=False)
    [judged] = found.changes
    assert (judged.change.kind, judged.change.level) == ("settlement-rewritten", "text")
    assert judged.effect is not None
    assert (judged.effect.relation, judged.effect.how) == ("equal", "proved")
    assert found.proved_equal


def test_a_stake_that_only_some_tables_lay_otherwise_is_a_change() -> None:
    before, after = (STAKE % amount for amount in ("each", "min(each, 8)"))
    judged = only(compare(ruleset(stakes=before), ruleset(stakes=after), impact=False))
    assert judged.change.kind == "stakes-changed"
    assert judged.end is not None
    assert judged.end.options == {"each": 9}


def test_winners_who_take_their_own_stakes_back() -> None:
    found = changed(stakes="{event: ready, amount: 1, to: own_first, returned: false}")
    witness = end(found)
    wins = witness.request["wins"]
    assert isinstance(wins, list)
    assert len(wins) == 2
    assert witness.request["stakes"] == {"E": 1}
    # East's stake goes to the first winner after the discarder, and then back to East.
    shares = [paid(one)[0] for one in (witness.old, witness.new)]
    assert [b - a for a, b in zip(*shares, strict=True)] == [1, 0, -1, 0]
    assert {win.get("seat", "E") for win in wins} == {"E", "W"}
    assert {win["from"] for win in wins} == {"S"}


# ---- wins ----------------------------------------------------------------------------------------


def test_only_the_first_of_several_winners() -> None:
    found = changed(winners="first")
    witness = end(found)
    wins = witness.request["wins"]
    assert isinstance(wins, list)
    assert [win.get("seat", "E") for win in wins] == ["E", "S"]
    # West gave the tile: North and then East come after him, so East is paid and South is not.
    old, new = (paid(one)[0] for one in (witness.old, witness.new))
    assert old == [6, 6, -12, 0]
    assert new == [6, 0, -6, 0]
    ends = only(found).ends
    assert ends is not None
    assert ends.how == "sampled"


def test_nobody_says_who_wins_of_several() -> None:
    body = BODY.replace("  winners: %(winners)s\n", "") % PARTS
    old = read_ruleset_text(HEAD + SHAPES + body, "small.yaml")
    witness = end(compare(old, ruleset(), impact=False))
    assert isinstance(witness.old, HandError)
    assert witness.old.code == "H406"
    assert paid(witness.new)[0] == [6, 6, -12, 0]


def test_a_tile_that_the_winner_discarded_himself() -> None:
    witness = end(changed(liability="{moves: true}"))
    wins = witness.request["wins"]
    assert isinstance(wins, list)
    assert len(wins) == 1
    hand = wins[0]["hand"]
    assert wins[0]["discards"] == [["E", hand[hand.index("+") + 1 :]]]
    assert isinstance(witness.old, HandError)
    assert witness.old.code == "H317"
    assert paid(witness.new)[0] == [6, -6, 0, 0]


def test_an_event_of_the_tile_that_becomes_one_of_the_winner() -> None:
    found = changed(events="{ready: {}, last_tile: {}}")
    assert only(found).change.at == "events.last_tile.shared"
    witness = end(found)
    wins = witness.request["wins"]
    assert isinstance(wins, list)
    assert [win.get("events") for win in wins] == [["last_tile"], None]
    assert isinstance(witness.old, HandError)
    # 2 and 3 for the last tile, and 2: threefold from the one who gave the tile.
    assert paid(witness.new)[0] == [15, 6, -21, 0]


# ---- changes that meet -----------------------------------------------------------------------

RETURNED = "{event: ready, amount: 1, to: first, returned: true}"
PAYS_TWO = "[{when: payer is not ready and payee is ready, pays: 2}]"
PAYS_DEALER = "[{when: payer is offender and payee is dealer, pays: 4}]"


def test_changes_meet_at_an_end() -> None:
    """The stake comes back with one change, and more is paid with the other."""
    found = changed(stakes=RETURNED, exhausted=PAYS_TWO)
    (meeting,) = found.meetings
    assert (meeting.first.at, meeting.second.at) == (
        "settlement.exhausted",
        "settlement.stakes.returned",
    )
    assert (meeting.record, meeting.results) == (None, ())
    assert meeting.end is not None
    assert meeting.end.request == {"event": "exhausted", "ready": ["E"], "stakes": {"E": 1}}
    assert [paid(one) for one in meeting.end.results] == [
        ([3, -1, -1, -1], 1),
        ([6, -2, -2, -2], 1),
        ([4, -1, -1, -1], 0),
        ([7, -2, -2, -2], 0),
    ]


def test_changes_of_two_branches_meet_at_an_end() -> None:
    ours, theirs = ruleset(stakes=RETURNED), ruleset(exhausted=PAYS_TWO)
    found = three_way(ruleset(), ours, theirs)
    (crossing,) = found.crossings
    assert (crossing.touch, crossing.record) == ("end", None)
    assert crossing.end is not None
    assert [paid(one)[0][0] for one in crossing.end.results] == [3, 4, 6, 7]
    assert (found.ours, found.theirs) == ((), ())


def test_changes_of_different_endings_do_not_meet() -> None:
    ours, theirs = ruleset(wrong_win=PAYS_DEALER), ruleset(exhausted=PAYS_TWO)
    found = three_way(ruleset(), ours, theirs)
    assert found.crossings == ()
    assert [one.at for one in (*found.ours, *found.theirs)] == [
        "settlement.wrong_win",
        "settlement.exhausted",
    ]


def test_ends_that_there_was_no_time_for() -> None:
    found = compare(ruleset(), ruleset(winners="first"), budget=0.0)
    assert only(found).ends is None
    assert LeftOut("ends", 1) in found.left_out
