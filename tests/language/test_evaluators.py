"""The compiled evaluator against the interpreter, on random sentences, rulesets and hands.

`python -m tests.longer evaluators` does the same with the shipped rulesets on many hands.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, Phase, given, reject, settings
from hypothesis import strategies as st

from ruleengine.arrange import UNIT, arrangements, pack
from ruleengine.diagnostics import RulesetError
from ruleengine.hand import Hand
from ruleengine.language.interpret import evaluate
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.situation import count_dora
from ruleengine.weigh import Verdict, Weighed, weigh_all
from tests.columns import column_differences
from tests.evaluators import (
    Weigher,
    compile_alone,
    differences,
    row_differences,
    scenes,
    sentence_differences,
)
from tests.language.names import meaning_of
from tests.language.sentences import Known, numbers, truths
from tests.random_hands import Win, random_win, with_flowers
from tests.ruleset.small import load, ruleset

WALL = '{"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4, "12345678f": 1}'
TABLE = f"""
format: 1
id: random
name: Random
version: "1"
tiles:
  wall: {WALL}
  flowers: {{E: "15f", S: "26f", W: "37f", N: "48f"}}
  dora: ["123456789m", "123456789p", "123456789s", "1234z", "567z"]
options:
  many: {{type: int, default: 3, max: 20}}
  allowed: {{type: bool, default: true}}
events:
  early: {{}}
  late: {{needs: not early}}
  robbed: {{needs: win by robbing_kong or count kongs = 1}}
terms:
  value: dragon | seat_wind
  near_win: winning_tile | 5m5p5s
  plain_hand: count sequences = 4 or shape is seven_pairs
  kong_count: 2 * count kongs
liability: {{moves: true, nobody: true}}
"""
SHAPES = {
    "fourteen": """
shapes:
  basic: {sets: 4, pairs: 1}
  seven_pairs: {pairs: 7}
  orphans: {tiles: 19m19p19s1234567z, doubled: 1}
  knitted: {sets: 1, pairs: 1, tiles: 147x258y369w}
  loose: {tiles: 147x258y369w1234567z, choose: 14}
  halves: {sets: 2, pairs: 1, tiles: 19m19p19s}
""",
    "seventeen": """
shapes:
  five_sets: {sets: 5, pairs: 1}
  pairs_and_set: {sets: 1, pairs: 7}
  orphans_and_set: {sets: 1, tiles: 19m19p19s1234567z, doubled: 1}
""",
    "plain": """
shapes:
  basic: {sets: 4, pairs: 1}
  seven_pairs: {pairs: 7}
""",
}
ONE_PATTERN = """
patterns:
  plain_one: {points: 1, when: "true"}
settlement:
  win: [{pays: points}]
"""
# The terms of the table speak of a shape that each of them has.
TABLE_OF = {
    table: TABLE if "seven_pairs" in shapes else TABLE.replace("seven_pairs", "five_sets")
    for table, shapes in SHAPES.items()
}
SHAPE_IDS = {
    "fourteen": ("basic", "seven_pairs", "orphans", "knitted", "loose", "halves"),
    "seventeen": ("five_sets", "pairs_and_set", "orphans_and_set"),
    "plain": ("basic", "seven_pairs"),
}


def quoted(text: str) -> str:
    """A sentence as a YAML value."""
    return '"' + text + '"'


@dataclass(frozen=True)
class Made:
    """A random ruleset as text."""

    text: str
    rules: Rules


@st.composite
def rulesets(draw: st.DrawFn, patterns: int = 8) -> Made:
    """A ruleset with random patterns, series, supersession, bonuses, units, cap, limit."""
    table = draw(st.sampled_from(sorted(SHAPES)))
    shapes = tuple(s for s in SHAPE_IDS[table])
    units = draw(st.sampled_from((("points",), ("points",), ("han", "fu"))))
    truth_names = ("early", "late", "robbed", "allowed", "plain_hand")
    number_names = ("many", "kong_count")
    lines: list[str] = []
    ids: list[str] = []
    drops_some = draw(st.booleans())
    for at in range(draw(st.integers(1, patterns))):
        known = Known((*truth_names, *ids), number_names, ("value", "near_win"), shapes)
        body: list[str] = []
        times = draw(st.integers(0, 4)) == 0
        if not times or draw(st.booleans()):
            body.append(f"when: {quoted(draw(truths(known)))}")
        if times:
            body.append(f"times: {quoted(draw(numbers(known, 1)))}")
        for unit in units:
            if unit == units[0] or draw(st.booleans()):
                fixed = draw(st.integers(0, 3)) > 0
                amount = str(draw(st.integers(0, 30)))
                body.append(f"{unit}: {amount if fixed else quoted(draw(numbers(known, 1)))}")
        if draw(st.integers(0, 2)) == 0:
            body.append(f"series: s{draw(st.integers(1, 3))}")
        if draw(st.integers(0, 4)) == 0:
            body.append("bonus: true")
        if draw(st.booleans()):
            body.append(f'code: "{draw(st.integers(1, 20))}.{at}"')
        if drops_some and ids and draw(st.booleans()):
            dropped = draw(st.lists(st.sampled_from(ids), min_size=1, max_size=3, unique=True))
            body.append(f"supersedes: [{', '.join(dropped)}]")
        lines.append(f"  pat{at}:\n    " + "\n    ".join(body))
        ids.append(f"pat{at}")
    total = draw(totals(units))
    text = TABLE_OF[table] + SHAPES[table]
    text += f"units: [{', '.join(units)}]\n" if len(units) > 1 else ""
    text += "patterns:\n" + "\n".join(lines) + "\n" + total
    text += draw(settlements())
    try:
        found = read_ruleset_text(text)
    except RulesetError as error:
        # Numbers put together by chance may grow too large, and payments be less than nothing.
        if {problem.code for problem in error.diagnostics} <= {"E212", "E213"}:
            reject()
        raise AssertionError(f"{text}\n{error}") from error
    options = {"many": draw(st.integers(0, 5)), "allowed": draw(st.booleans())}
    return Made(text, Rules(found.data, options))


@st.composite
def totals(draw: st.DrawFn, units: tuple[str, ...]) -> str:
    """The total of a random ruleset."""
    parts: list[str] = []
    if len(units) > 1:
        values = ("han * (fu + 2)", "if han >= 5 then 100 else fu * 2 + han", "max(han, fu, 7) - 4")
        parts.append(f"value: {quoted(draw(st.sampled_from(values)))}")
    if draw(st.booleans()):
        parts.append(f"cap: {draw(st.integers(1, 60))}")
    if draw(st.booleans()):
        parts.append(f"limit_from: {draw(st.integers(1, 40))}")
    if draw(st.booleans()):
        parts.append(f"empty: {draw(st.integers(0, 5))}")
    if draw(st.booleans()):
        parts.append(f"minimum: {quoted(draw(st.sampled_from(('many', '10', '2 * many'))))}")
    return f"total: {{{', '.join(parts)}}}\n" if parts else ""


@st.composite
def settlements(draw: st.DrawFn) -> str:
    """The payments of a random ruleset."""
    roles = st.sampled_from(("dealer", "liable", "winner", "dealer | liable"))
    subjects = st.sampled_from(("payer", "winner", "discarder"))
    tests = st.one_of(
        st.tuples(subjects, st.sampled_from(("is", "is not")), roles).map(" ".join),
        roles.map(lambda role: f"no seat is {role}"),
        roles.map(lambda role: f"some seat is not {role}"),
        st.sampled_from(
            (
                "win by self_draw", "win by discard | robbing_kong", "seat is E | W",
                "round is not S", "early", "allowed", "points > 20 * many", "dealer",
            )
        ),
    )  # fmt: skip
    joined = st.lists(tests, min_size=1, max_size=3).flatmap(
        lambda parts: st.sampled_from((" and ", " or ")).map(lambda sign: sign.join(parts))
    )
    amounts = st.sampled_from(
        (
            "points", "2 * points", "3 * points - 2 * min(points, many)", "many",
            "if payer is dealer then 2 * points else points", "round_up(points, 100)",
        )
    )  # fmt: skip
    lines = [
        f"{{when: {quoted(draw(joined))}, pays: {quoted(draw(amounts))}}}"
        for _ in range(draw(st.integers(0, 2)))
    ]
    if draw(st.booleans()) or not lines:
        lines.append(f"{{pays: {quoted(draw(amounts))}}}")
    return "settlement:\n  win:\n" + "".join(f"    - {line}\n" for line in lines)


def check(made: Made, seed: int, hands: int) -> None:
    """Assert that the evaluators agree on some random hands of a ruleset: the interpreter, the
    compiled one for a hand, and the columns for all of them."""
    rules = made.rules
    rng = random.Random(seed)
    sentences = {
        f"{pattern.id} {sentence.text}": (sentence.meaning, compile_alone(rules, sentence.meaning))
        for pattern in rules.data.patterns.values()
        for sentence in (pattern.when, pattern.times, *pattern.awards.values())
        if sentence is not None
    }
    wins = [random_win(rules, rng) for _ in range(hands)]
    for win in wins:
        found = sentence_differences(rules, sentences, win)
        found += row_differences(rules, win)
        found += differences(rules, win)
        assert not found, made.text + "\n" + "\n".join(found)
    found = column_differences(rules, wins)
    assert not found, made.text + "\n" + "\n".join(found)


@settings(
    # `python -m tests.longer sentences` tries 2,000, and makes a failure found here smaller.
    max_examples=15,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(rulesets(), st.integers(0, 2**32))
def test_random_rulesets(made: Made, seed: int) -> None:
    check(made, seed, hands=6)


@pytest.mark.parametrize("table", sorted(SHAPES))
def test_waits_are_the_tiles_that_can_be_read_as_a_shape(table: str) -> None:
    rules = Rules(read_ruleset_text(TABLE_OF[table] + SHAPES[table] + ONE_PATTERN).data)
    rng = random.Random(table)
    wall = sum(UNIT[tile] * n for tile, n in rules.data.wall.copies.items() if tile < len(UNIT))
    for _ in range(12):
        hand = random_win(rules, rng).hand
        held = [*hand.standing, *(tile for meld in hand.melds for tile in meld.tiles)]
        expected = [
            tile
            for tile in range(len(UNIT))
            if held.count(tile) < rules.data.wall.copies[tile]
            and arrangements(Hand(hand.standing, hand.melds, tile), rules.shapes, True)
        ]
        assert hand.winning_tile in expected
        before = pack(hand.standing)
        assert rules.finder.waits(before, len(hand.melds), pack(held), wall) == expected


def as_written(tiles: tuple[int, ...], letters: str) -> str:
    """Tiles written out with the letters given for the suits."""
    written = ""
    for at, letter in enumerate((*letters, "z")):
        ranks = "".join(str(tile % 9 + 1) for tile in tiles if tile // 9 == at)
        written += ranks + letter if ranks else ""
    return written


def test_a_shape_that_is_named_twice_is_one() -> None:
    """Four sets and a pair are worth 3, seven pairs nothing."""
    rules = load(
        ruleset(
            "patterns: {plain: {points: 3, when: shape is basic | basic}}\n",
            shapes="shapes: {basic: {sets: 4, pairs: 1}, seven_pairs: {pairs: 7}}\n",
        )
    )
    assert rules.score("123m456m789p23s55p+4s").points == 3
    assert rules.score("1133m5577p2266s4z+4z").points == 0


@pytest.mark.parametrize("letters", ["mps", "xyw", "wxy", "mxy"])
def test_lists_of_the_own_tiles(letters: str) -> None:
    rules = Rules(read_ruleset_text(TABLE + SHAPES["plain"] + ONE_PATTERN).data)
    rng = random.Random(letters)
    for _ in range(15):
        win = random_win(rules, rng)
        before = win.hand.standing
        after = tuple(sorted((*before, win.hand.winning_tile or 0)))
        changed = (*before[1:], (before[0] + 1) % 34)
        sentences = {
            f"hand before win is {as_written(before, letters)}": True,
            f"hand before win includes {as_written(before[-1:], letters)}": True,
            f"hand is {as_written(after, letters)}": True,
            f"hand is {as_written(before, letters)}": False,
            f"hand before win is {as_written(tuple(sorted(changed)), 'mps')}": False,
            f"tiles include {as_written(after, letters)}": True,
        }
        for text, expected in sentences.items():
            if max(map(changed.count, changed)) > 4 and not expected:
                continue
            meaning = meaning_of(text)
            for scene in scenes(rules, win):
                assert evaluate(meaning, scene) is expected, (text, win)
            compiled = {text: (meaning, compile_alone(rules, meaning))}
            assert sentence_differences(rules, compiled, win) == []


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(rulesets(), st.integers(0, 2**32))
def test_what_rulesets_share_is_what_each_finds_alone(made: Made, seed: int) -> None:
    rng = random.Random(seed)
    weigher = Weigher()
    several = [made.rules, made.rules.with_options({"many": 1, "allowed": False}), made.rules]
    for _ in range(3):
        win = random_win(made.rules, rng)
        for rules in several:
            laid = Win(with_flowers(win.hand, rules.data.wall.copies, rng), win.situation)
            dora = count_dora(laid.hand, laid.situation, rules.data)
            alone = weigh_all(rules, laid.hand, laid.situation, dora)
            shared = weigher.weigh_all(rules, laid)
            assert [found(one) for one in shared] == [found(one) for one in alone]


def found(weighed: Weighed) -> tuple[object, ...]:
    """What an arrangement comes to, the traces of what is there included."""
    there: list[Verdict] = [v for v in weighed.verdicts if v.state != "not_met"]
    return weighed.arrangement, weighed.sums, weighed.total, weighed.limit, there
