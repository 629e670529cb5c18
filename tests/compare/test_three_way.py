"""Which changes of two branches meet, which are the same, which do not touch each other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ruleengine.compare.review import review_branches
from ruleengine.compare.three_way import three_way
from ruleengine.errors import HandError
from ruleengine.ruleset.read import read_ruleset_text
from tests.ruleset.small import FEW_TILES, ruleset

if TYPE_CHECKING:
    from ruleengine.ruleset.read import ReadRuleset

BODY = """
patterns:
  runs: {{points: {runs}, when: count sequences = 4}}
  closed: {{points: {closed}, when: no set is claimed}}
  dragons: {{points: {dragons}, times: count triplets of dragon}}
  four_kongs: {{points: {kongs}, when: count kongs = 4}}
total: {{cap: {cap}, empty: 1}}
"""
USUAL = {"runs": 5, "closed": 5, "dragons": 10, "kongs": 70, "cap": 100}


def made(**given: int) -> ReadRuleset:
    return read_ruleset_text(ruleset(BODY.format(**{**USUAL, **given})), "small.yaml")


def points(results: tuple[object, ...]) -> list[int]:
    found = []
    for result in results:
        assert not isinstance(result, HandError)
        found.append(result.points)  # type: ignore[attr-defined]
    return found


def test_two_changes_that_meet_in_a_hand() -> None:
    found = three_way(made(), made(runs=7), made(closed=6))
    (crossing,) = found.crossings
    assert (crossing.ours.at, crossing.theirs.at, crossing.touch) == (
        "patterns.runs.points",
        "patterns.closed.points",
        "hand",
    )
    # Four concealed sequences: 5 + 5, 7 + 5, 5 + 6, and 7 + 6.
    assert points(crossing.results) == [10, 12, 11, 13]
    assert (found.ours, found.theirs, found.same) == ((), (), ())


def test_two_changes_whose_smallest_hands_are_not_shared() -> None:
    """The smallest seven pairs have a terminal, and the smallest hand without one has sets."""
    body = """
patterns:
  seven: {{points: {pairs}, when: shape is seven_pairs}}
  inner: {{points: {simple}, when: all tiles are simple}}
"""
    shapes = "shapes: {basic: {sets: 4, pairs: 1}, seven_pairs: {pairs: 7}}\n"

    def table(pairs: int, simple: int) -> ReadRuleset:
        text = ruleset(body.format(pairs=pairs, simple=simple), shapes=shapes)
        return read_ruleset_text(text, "small.yaml")

    found = three_way(table(40, 5), table(45, 5), table(40, 8))
    (crossing,) = found.crossings
    # Seven pairs of simple tiles: 40 + 5, 45 + 5, 40 + 8, and 45 + 8.
    assert points(crossing.results) == [45, 50, 48, 53]


def test_two_changes_that_count_only_together() -> None:
    """Neither branch changes a hand; what is merged does."""
    body = """
patterns:
  runs: {{points: {runs}, when: count sequences = 4}}
  closed: {{points: {closed}, when: no set is claimed}}
total: {{empty: 1, minimum: 12}}
"""

    def table(runs: int, closed: int) -> ReadRuleset:
        return read_ruleset_text(ruleset(body.format(runs=runs, closed=closed)), "small.yaml")

    found = three_way(table(5, 5), table(6, 5), table(5, 6))
    (crossing,) = found.crossings
    # 5 + 5, 6 + 5 and 5 + 6 are below 12, and 6 + 6 is not.
    assert [result.win for result in crossing.results] == [False, False, False, True]  # type: ignore[union-attr]


def test_the_same_change_in_other_words_is_the_same() -> None:
    """In another order, and of a pattern that one of the branches calls by another name."""

    def table(name: str, when: str) -> ReadRuleset:
        body = f"""
patterns:
  {name}: {{points: 5, when: count triplets = 4}}
  greens: {{points: 3, when: {when}}}
"""
        return read_ruleset_text(ruleset(body), "small.yaml")

    base = table("fours", "pair is dragon")
    ours = table("fours", "pair is dragon and fours")
    for theirs in (
        table("fours", "fours and pair is dragon"),
        table("all_same", "pair is dragon and all_same"),
    ):
        found = three_way(base, ours, theirs, only_structure=True)
        assert found.crossings == ()
        assert [change.at for change in found.same] == ["patterns.greens.when"]
    other = three_way(base, ours, table("fours", "pair is dragon or fours"), only_structure=True)
    assert [one.touch for one in other.crossings] == ["value"]
    assert other.same == ()


def test_two_changes_that_show_only_by_an_option() -> None:
    """5 + 3 where a table sets it, 7 by ours and 4 by theirs."""

    def table(fours: int, greens: int) -> ReadRuleset:
        return read_ruleset_text(FEW_TILES % ("false", fours, greens), "few.yaml")

    (crossing,) = three_way(table(5, 3), table(7, 3), table(5, 4)).crossings
    assert points(crossing.results) == [8, 10, 9, 11]
    assert crossing.record is not None
    assert crossing.record["options"] == {"on": True}


OPENED = """
options: {{on: {{type: bool, default: {default}}}}}
patterns:
  honors: {{points: 2, when: pair is honor}}
  {more}
total: {{empty: 1}}
"""


def test_a_default_meets_what_only_the_other_branch_reads() -> None:
    """Nothing in the base reads the option, and a table of theirs has it off: 2, 2, 2, and 2 + 8
    where both are made."""
    added = "extra: {points: 8, when: on and pair is honor}"

    def table(default: str, more: str = "") -> ReadRuleset:
        return read_ruleset_text(ruleset(OPENED.format(default=default, more=more)), "small.yaml")

    base, ours, theirs = table("false"), table("true"), table("false", added)
    (crossing,) = three_way(base, ours, theirs).crossings
    assert crossing.ours.at == "options.on.default"
    assert crossing.ours.level == "score"
    assert points(crossing.results) == [2, 2, 2, 10]
    (in_words,) = three_way(base, ours, theirs, only_structure=True).crossings
    assert (in_words.touch, in_words.ours.level) == ("name", "score")
    unread = table("false", "extra: {points: 8, when: pair is honor}")
    assert [one.level for one in three_way(base, ours, unread).ours] == ["text"]


@pytest.mark.parametrize("by_cap", [False, True])
def test_two_changes_that_show_by_themselves_but_together_only_by_an_option(by_cap: bool) -> None:
    """Simple tiles need a concealed hand, and a claimed triplet is none, unless the option is set:
    1 + 2, then 2 + 2, 1 + 3, 2 + 3. Or what an option adds by a third pattern takes both to the
    cap of 8, beyond which one is as good as both: 2 + 3 without it, then 4 + 3, 2 + 4, 4 + 4."""
    body = """
options: {{on: {{type: bool, default: {default}}}}}
patterns:
  inner: {{points: {inner}, when: all tiles are simple{unless}}}
  laid: {{points: {laid}, when: count claimed triplets = 1}}
{third}
total: {{empty: 1, cap: 8}}
"""

    def table(inner: int, laid: int) -> ReadRuleset:
        how = (
            {"default": "true", "unless": "", "third": "  more: {points: 6, when: on}"}
            if by_cap
            else {"default": "false", "unless": " and (on or no set is claimed)", "third": ""}
        )
        text = ruleset(
            body.format(inner=inner, laid=laid, **how),
            shapes="shapes: {basic: {sets: 2, pairs: 1}}\n",
        )
        text = re.sub("wall: .*", 'wall: {"12345678m": 4}', text)
        return read_ruleset_text(text, "small.yaml")

    small, large = ((2, 3), (4, 4)) if by_cap else ((1, 2), (2, 3))
    found = three_way(table(*small), table(large[0], small[1]), table(small[0], large[1]))
    (crossing,) = found.crossings
    assert crossing.record is not None
    assert crossing.record["options"] == {"on": not by_cap}
    assert points(crossing.results) == ([5, 7, 6, 8] if by_cap else [3, 4, 4, 5])


MERGED = {
    "a stronger pattern of the same series loses points": (
        "{honors: {points: 2, series: a, when: pair is honor},"
        " top: {points: 9, series: a, when: pair is honor}}",
        ("points: 2", "points: 5"), ("points: 9", "points: 3"), (9, 9, 3, 5),
    ),
    "a stronger pattern goes": (
        "{four: {points: 4, series: s, when: pair is honor},"
        " one: {points: 1, series: s, when: pair is honor}}",
        ("points: 1", "points: 3"),
        ("four: {points: 4, series: s, when: pair is honor}, ", ""), (4, 4, 1, 3),
    ),
    "a pattern asks for a tile that comes into the wall": (
        "{seventh: {points: 3, when: some tile is 7z}}",
        ("points: 3", "points: 5"), ("15z", "157z"), (None, None, 3, 5),
    ),
    "an event can be at another win": (
        "{late: {points: 3, when: ev and win by self_draw}}",
        ("points: 3", "points: 5"),
        ("needs: win by discard", "needs: win by self_draw"), (None, None, 3, 5),
    ),
    "an option no longer keeps a pattern away": (
        "{gate: {points: 4, when: on and pair is honor}}",
        ("when: on and pair is honor", "when: pair is honor"),
        ("points: 4", "points: 6"), (0, 4, 0, 6),
    ),
    "theirs has an event that the base has not": (
        "{honors: {points: 2, when: pair is honor}}",
        ("points: 2", "points: 5"),
        ("events: {", "events: {fresh: {needs: win by self_draw}, "), (None, None, 2, 5),
    ),
}  # fmt: skip
"""Patterns, what ours writes for what, what theirs does, and the points of the hand in which they
meet under the base, with each and with both; None where it cannot be."""


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("case", MERGED)
def test_what_does_nothing_to_the_base_may_to_what_the_other_branch_makes(
    case: str, swapped: bool
) -> None:
    patterns, ours, theirs, wanted = MERGED[case]
    base = f"""
events: {{ev: {{needs: win by discard}}}}
options: {{on: {{type: bool, default: false}}}}
patterns: {patterns}
"""
    text = ruleset(base, shapes="shapes: {basic: {sets: 2, pairs: 1}}\n")
    text = re.sub("wall: .*", 'wall: {"123456m": 4, "15z": 4}', text)
    made = [text.replace(*ours), text.replace(*theirs)]
    if "fresh" in made[1]:
        # With the event hands of honors can be that the base and ours do not have.
        added = "patterns: {own: {points: 3, when: fresh and pair is numbered}, "
        made[1] = made[1].replace("patterns: {", added)
    made = made[::-1] if swapped else made
    found = three_way(*(read_ruleset_text(one, "small.yaml") for one in (text, *made)))
    assert found.crossings
    for crossing in found.crossings:
        assert "text" not in (crossing.ours.level, crossing.theirs.level)
        base_, one, other, both = (
            None if isinstance(each, HandError) else each.points for each in crossing.results
        )
        assert (base_, *((other, one) if swapped else (one, other)), both) == wanted


OWN_OPTION = """
{options}
patterns:
  inner: {{points: 1, when: {inner}}}
  laid: {{points: {laid}, when: count claimed triplets = 1}}
"""


@pytest.mark.parametrize("swapped", [False, True])
def test_two_changes_meet_by_an_option_that_only_one_branch_has(swapped: bool) -> None:
    """Tables of theirs may let simple tiles count in a claimed hand: 1 + 2 then, or 3. Simple tiles
    alone are worth 1, which the base asks a concealed hand for."""

    def table(laid: int, inner: str, options: str = "") -> ReadRuleset:
        body = OWN_OPTION.format(laid=laid, inner=inner, options=options)
        text = ruleset(body, shapes="shapes: {basic: {sets: 2, pairs: 1}}\n")
        text = re.sub("wall: .*", 'wall: {"12345678m": 4}', text)
        return read_ruleset_text(text, "small.yaml")

    concealed = "all tiles are simple and no set is claimed"
    on = "options: {on: {type: bool, default: false}}"
    made = [table(3, concealed), table(2, "all tiles are simple and (on or no set is claimed)", on)]
    made = made[::-1] if swapped else made
    (crossing,) = three_way(table(2, concealed), *made).crossings
    assert crossing.record is not None
    assert crossing.record["options"] == {"on": True}
    assert points(crossing.results) == [2, 3, 3, 4]


def test_no_meeting_under_a_value_that_one_ruleset_refuses() -> None:
    """Only with three would a hand show both, and ours lets tables choose two at most."""
    body = """
options: {{n: {{type: int, default: 0, min: 0, max: {most}}}}}
patterns:
  a: {{points: {a}, when: pair is honor or (n = 3 and count triplets = 2)}}
  c: {{points: {c}, when: pair is not honor and count triplets >= 1}}
"""

    def table(most: int, a: int, c: int) -> ReadRuleset:
        text = ruleset(
            body.format(most=most, a=a, c=c), shapes="shapes: {basic: {sets: 2, pairs: 1}}\n"
        )
        text = re.sub("wall: .*", 'wall: {"123456m": 4, "15z": 4}', text)
        return read_ruleset_text(text, "small.yaml")

    assert three_way(table(3, 1, 2), table(2, 4, 2), table(3, 1, 5)).crossings == ()
    (met,) = three_way(table(3, 1, 2), table(3, 4, 2), table(3, 1, 5)).crossings
    assert met.record is not None
    assert met.record["options"] == {"n": 3}


NAMED = """
terms: {{lucky: pair is {lucky}}}
options: {{on: {{type: bool, default: {on}}}}}
patterns:
  green: {{points: 2, when: pair is {green}}}
  other: {{points: 1, when: {other}}}
  {more}
total: {{empty: 1}}
"""


def named(
    *, lucky: str = "1z", green: str = "6z", other: str = "no set is claimed", more: str = "",
    on: str = "false",
) -> ReadRuleset:  # fmt: skip
    body = NAMED.format(lucky=lucky, green=green, other=other, more=more, on=on)
    return read_ruleset_text(ruleset(body), "small.yaml")


@pytest.mark.parametrize(
    ("ours", "theirs", "ats"),
    [
        ({"lucky": "5z"}, {"other": "lucky"}, ("terms.lucky", "patterns.other.when")),
        (
            {"lucky": "5z"},
            {"more": "new: {points: 4, when: lucky}"},
            ("terms.lucky", "patterns.new"),
        ),
        (
            {"other": "green and no set is claimed"},
            {"green": "7z"},
            ("patterns.other.when", "patterns.green.when"),
        ),
    ],
)  # fmt: skip
def test_what_one_branch_says_by_a_name_that_the_other_gives_another_meaning(
    ours: dict[str, str], theirs: dict[str, str], ats: tuple[str, str]
) -> None:
    """In what is merged the name has its new meaning in the new sentence, too."""
    for looked in (True, False):
        found = three_way(named(), named(**ours), named(**theirs), only_structure=not looked)
        (crossing,) = found.crossings
        assert (crossing.ours.at, crossing.theirs.at) == ats
        assert crossing.touch == "name"
        assert crossing.record is None


def test_a_name_that_the_base_speaks_of_too_is_nothing_new() -> None:
    """Both give the sentence another meaning, the one by its words, the other by the name."""
    base = named(other="lucky")
    edited = named(other="lucky and no set is claimed")
    found = three_way(base, named(lucky="5z", other="lucky"), edited)
    assert {(one.ours.at, one.touch) for one in found.crossings} == {
        ("patterns.other.when", "value")
    }
    default = three_way(named(), named(on="true"), named(other="on"), only_structure=True)
    assert [one.touch for one in default.crossings] == ["name"]


def test_two_changes_of_one_value() -> None:
    found = three_way(made(), made(runs=7), made(runs=8))
    (crossing,) = found.crossings
    assert crossing.touch == "value"
    assert [crossing.ours.new, crossing.theirs.new] == ["7", "8"]
    # Four concealed sequences: 5, 7 or 8 for them, and 5 for the concealed hand.
    assert crossing.record is not None
    assert points(crossing.results) == [10, 12, 13]


def test_two_changes_of_one_value_that_show_only_by_an_option() -> None:
    """Ours counts three sequences, theirs two, and nothing where the option is off."""
    body = """
options:
  extra: {{type: bool, default: false}}
patterns:
  runs: {{points: 5, when: no set is claimed}}
  more: {{points: 10, when: extra and count sequences >= {least}}}
"""

    def table(least: int) -> ReadRuleset:
        return read_ruleset_text(ruleset(body.format(least=least)), "small.yaml")

    (crossing,) = three_way(table(4), table(3), table(2)).crossings
    assert crossing.touch == "value"
    assert crossing.record is not None
    assert crossing.record["options"] == {"extra": True}
    # Two sequences are enough for theirs alone; three would be for both.
    assert points(crossing.results) == [5, 5, 15]


def test_two_changes_of_one_condition() -> None:
    """Ours counts two triplets, theirs three: a hand of two or three tells them apart."""
    body = """
patterns:
  laid: {{points: 5, when: count triplets >= {least}}}
"""

    def table(least: int) -> ReadRuleset:
        return read_ruleset_text(ruleset(body.format(least=least)), "small.yaml")

    (crossing,) = three_way(table(1), table(2), table(3)).crossings
    # With two triplets: theirs counts nothing.
    assert points(crossing.results) == [5, 5, 0]


def test_two_changes_of_one_payment() -> None:
    """Who is not ready pays 1, 2, or 3 to each who is."""
    body = "patterns: {runs: {points: 5, when: count sequences = 4}}"
    settlement = """
settlement:
  win: [{{pays: points}}]
  exhausted:
    - {{when: payer is not ready and payee is ready, pays: {paid}}}
    - {{pays: 0}}
"""

    def table(paid: int) -> ReadRuleset:
        text = ruleset(body, settlement=settlement.format(paid=paid))
        return read_ruleset_text(text, "small.yaml")

    (crossing,) = three_way(table(1), table(2), table(3)).crossings
    assert (crossing.touch, crossing.record, crossing.results) == ("value", None, ())
    assert crossing.end is not None
    assert crossing.end.request == {"event": "exhausted", "ready": ["E"]}
    paid = [one.payments for one in crossing.end.results]  # type: ignore[union-attr]
    # East, alone ready, gets it from each of the other three.
    assert [one["E"] for one in paid] == [3, 6, 9]


def test_the_same_change_made_twice() -> None:
    found = three_way(made(), made(runs=7, dragons=9), made(runs=7))
    assert [change.at for change in found.same] == ["patterns.runs.points"]
    assert [change.at for change in found.ours] == ["patterns.dragons.points"]
    assert (found.crossings, found.theirs) == ((), ())


@pytest.mark.parametrize(
    ("edit", "ats"),
    [
        (("extra and count", "extra or count"), ["patterns.more.when", "patterns.uses.when"]),
        (("more and dealer", "more or dealer"), ["patterns.uses.when"]),
        (("  uses:", "  new: {points: 1, when: extra and dealer}\n  uses:"), ["patterns.new"]),
        (("points}]", "if extra then 1 else points}]"), ["settlement.win"]),
    ],
)
def test_the_same_change_beside_another_default(edit: tuple[str, str], ats: list[str]) -> None:
    """Theirs alone changes the default of an option that the sentence reads."""
    body = """
options:
  extra: {type: bool, default: false}
patterns:
  more: {points: 10, when: extra and count sequences >= 3}
  uses: {points: 2, when: more and dealer}
"""
    base = ruleset(body, settlement="settlement: {win: [{pays: points}]}\n")
    ours = base.replace(*edit)
    theirs = ours.replace("default: false", "default: true")
    reads = (read_ruleset_text(text, "small.yaml") for text in (base, ours, theirs))
    found = three_way(*reads, only_structure=True)
    assert sorted(change.at for change in found.same) == ats
    assert (found.crossings, found.ours) == ((), ())
    assert [change.at for change in found.theirs] == ["options.extra.default"]
    # A reviewer accepts either form of it: what the option is worth is another matter.
    for change, other in zip(found.same, found.same_in_theirs, strict=True):
        assert (change.at, change.level) == (other.at, other.level)
        assert change.fingerprint != other.fingerprint
        review = review_branches(found, accepted={other.fingerprint: "", change.fingerprint: ""})
        assert review.stale == ()


def test_the_same_words_beside_another_term_are_not_the_same_change() -> None:
    body = """
terms: {value: dragon}
patterns:
  more: {points: 10, when: count triplets of dragon >= 3}
"""
    base = ruleset(body)
    ours = base.replace("of dragon", "of value")
    theirs = ours.replace("value: dragon", "value: dragon | seat_wind")
    reads = (read_ruleset_text(text, "small.yaml") for text in (base, ours, theirs))
    (crossing,) = three_way(*reads, only_structure=True).crossings
    assert (crossing.touch, crossing.ours.level, crossing.theirs.level) == (
        "value", "text", "score",
    )  # fmt: skip


def test_changes_that_do_not_touch() -> None:
    """Four sequences leave no room for four kongs."""
    found = three_way(made(), made(runs=7), made(kongs=60))
    assert found.crossings == ()
    assert [change.at for change in found.ours] == ["patterns.runs.points"]
    assert [change.at for change in found.theirs] == ["patterns.four_kongs.points"]


def test_a_pattern_taken_away_and_changed() -> None:
    gone = ruleset(BODY.format(**USUAL).replace("  runs:", "  # runs:"))
    found = three_way(made(), read_ruleset_text(gone, "small.yaml"), made(runs=8))
    (crossing,) = found.crossings
    assert (crossing.ours.kind, crossing.theirs.kind, crossing.touch) == (
        "pattern-removed",
        "points-changed",
        "value",
    )
    # Four concealed sequences: 5 + 5, only the concealed hand, and 8 + 5.
    assert points(crossing.results) == [10, 5, 13]


def test_nothing_changed() -> None:
    found = three_way(made(), made(), made())
    assert (found.same, found.crossings, found.ours, found.theirs) == ((), (), (), ())
