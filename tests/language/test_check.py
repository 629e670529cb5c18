"""Each kind of mistake in a sentence: its code, its message, the words it points at, its help."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ruleengine.diagnostics import RulesetError
from ruleengine.language import meaning as m
from ruleengine.language.check import check_class, check_sentence
from ruleengine.language.syntax import parse
from ruleengine.ruleset.read import read_ruleset_text
from ruleengine.tiles import CLASSES, TILE_INDEX
from tests.language.names import NAMES, meaning_of, problems_of

if TYPE_CHECKING:
    from ruleengine.language.vocabulary import Context

NUMBER_FOR_TRUTH = "this is a number, and something true or false is needed here"
TRUTH_FOR_NUMBER = "this is something true or false, and a number is needed here"
COMPARE = "compare it with a number, for example: ... >= 1"
BRANCHES = "'then' and 'else' give either two numbers, or two that are true or false"
ONE_SEAT = "a seat is one of E, S, W, N, or several joined by '|'"

# (sentence, code, message, the words pointed at, help)
MISTAKES: list[tuple[str, str, str, str, str | None]] = [
    # names
    ("last_tiel", "E201", "unknown name 'last_tiel'", "last_tiel", "did you mean 'last_tile'?"),
    ("not xyzzy", "E201", "unknown name 'xyzzy'", "xyzzy", None),
    ("all_triplet", "E201", "unknown name 'all_triplet'", "all_triplet",
     "did you mean 'all_triplets'?"),
    ("basic", "E201", "unknown name 'basic'", "basic", "a shape is asked for with: shape is basic"),
    ("self_draw", "E201", "unknown name 'self_draw'", "self_draw",
     "a way of winning is asked for with: win by self_draw"),
    ("dragon", "E201", "unknown name 'dragon'", "dragon",
     "a class of tiles needs a sentence, for example: some tile is dragon"),
    ("seat_wind", "E201", "unknown name 'seat_wind'", "seat_wind",
     "a class of tiles needs a sentence, for example: some tile is seat_wind"),
    ("closed", "E201", "unknown name 'closed'", "closed",
     "a wait is asked for with: wait is closed"),
    ("shape", "E201", "unknown name 'shape'", "shape", "say what it is, for example: shape is ..."),
    ("winningtile is 1z", "E201", "nothing can be said of 'winningtile'", "winningtile",
     "did you mean 'winning_tile'?"),
    ("last_tile is 1z", "E201", "nothing can be said of 'last_tile'", "last_tile",
     "'last_tile' is true or false by itself; 'is' is not needed"),
    ("all_triplets is not 1z", "E201", "nothing can be said of 'all_triplets'", "all_triplets",
     "'all_triplets' is true or false by itself; 'is' is not needed"),
    # types
    ("count triplets", "E202", NUMBER_FOR_TRUTH, "count triplets", COMPARE),
    ("minimum", "E202", NUMBER_FOR_TRUTH, "minimum", COMPARE),
    ("dora", "E202", NUMBER_FOR_TRUTH, "dora", COMPARE),
    ("not kong_points", "E202", NUMBER_FOR_TRUTH, "kong_points", COMPARE),
    ("dealer and count kongs", "E202", NUMBER_FOR_TRUTH, "count kongs", COMPARE),
    ("if count kongs then dealer else open_win", "E202", NUMBER_FOR_TRUTH, "count kongs", COMPARE),
    ("if dealer then 1 else 2", "E202", NUMBER_FOR_TRUTH, "if dealer then 1 else 2", COMPARE),
    ("if dealer then 1 else true", "E202", BRANCHES, "1", None),
    ("if dealer then open_win else 2", "E202", BRANCHES, "2", None),
    ("count kongs = dealer", "E202", TRUTH_FOR_NUMBER, "dealer", None),
    ("1 + last_tile > 2", "E202", TRUTH_FOR_NUMBER, "last_tile", None),
    ("max(2, open_win) = 2", "E202", TRUTH_FOR_NUMBER, "open_win", None),
    ("value = 3", "E202", "'value' is a class of tiles, not a sentence", "value",
     "for example: some tile is value"),
    ("all tiles are plain", "E202", "'plain' is a sentence, not a class of tiles", "plain", None),
    ("count triplets of honor | plain = 1", "E202", "'plain' is a sentence, not a class of tiles",
     "plain", None),
    # what a pattern cannot speak of
    ("points > 3", "E203", "'points' (the total of the winning hand) is not known in a pattern",
     "points", None),
    ("payer is dealer", "E203", "'payer' is not known in a pattern", "payer", None),
    ("no seat is liable", "E203", "a pattern cannot depend on payments", "no seat is liable", None),
    # classes of tiles
    ("all tiles are simpel", "E204", "unknown class of tiles 'simpel'", "simpel",
     "did you mean 'simple'?"),
    ("some tile is basic", "E204", "unknown class of tiles 'basic'", "basic",
     "a shape is asked for with: shape is basic"),
    ("some tile is discard", "E204", "unknown class of tiles 'discard'", "discard",
     "a way of winning is asked for with: win by discard"),
    ("all tiles are claimed", "E205", "'claimed' is said of sets, not of tiles", "claimed", None),
    ("every tile is ~concealed", "E205", "'concealed' is said of sets, not of tiles", "concealed",
     None),
    ("some flower is triplet", "E205", "'triplet' is said of groups, not of tiles", "triplet",
     None),
    ("every group has claimed", "E205", "'claimed' is said of sets, not of tiles", "claimed",
     None),
    ("pair is sequence", "E205", "'sequence' is said of groups, not of tiles", "sequence", None),
    ("count claimed tiles = 1", "E205", "only sets are claimed, not tiles", "claimed tiles", None),
    ("count concealed suits = 1", "E205", "only sets are concealed, not suits",
     "concealed suits", None),
    ("count suits of dragon = 1", "E205", "suits are counted without 'of'", "dragon", None),
    ("count waits of 1m = 1", "E205", "waits are counted without 'of'", "1m", None),
    ("count seats = 1", "E205", "seats are not counted", "seats", None),
    ("all quads are honor", "E205", "'quad' is only counted: count quads", "quads", None),
    ("pair is E", "E206", "'E' is no class of tiles", "E", "the tile is written 1z"),
    ("pair is A", "E206", "'A' is no class of tiles", "A", None),
    ("some tile is 1x", "E206", "'1x' has a suit letter; here the suit is m, p, s or z", "1x",
     None),
    # lists of names
    ("shape is basci", "E206", "'basci' is not a shape", "basci", "did you mean 'basic'?"),
    ("shape is basic | pairs", "E206", "this is not a shape", "pairs",
     "there are: basic, seven_pairs, orphans"),
    ("win by selfdraw", "E206", "'selfdraw' is not a way of winning", "selfdraw",
     "did you mean 'self_draw'?"),
    ("win by ~discard", "E206", "a way of winning is named by itself, or several joined by '|'",
     "~discard", None),
    ("wait is edgy", "E206", "'edgy' is not a wait", "edgy", "did you mean 'edge'?"),
    ("wait is single & edge", "E206", "a wait is named by itself, or several joined by '|'",
     "single & edge", None),
    ("seat is Q", "E206", ONE_SEAT, "Q", None),
    ("seat is E | west", "E206", ONE_SEAT, "west", "did you mean 'W'?"),
    ("round is 1z", "E206", ONE_SEAT, "1z", None),
    # tiles
    ("all tiles are 8z", "E143", "there is no tile 8z; z goes from 1 to 7", "8z", None),
    ("some flower is 9f", "E143", "there is no tile 9f; f goes from 1 to 8", "9f", None),
    ("tiles include 19z", "E143", "there is no tile 9z; z goes from 1 to 7", "19z",
     None),
    # templates and lists of tiles
    ("has sequence 8x", "E207", "no sequence starts at 8; a sequence is named by its lowest tile",
     "8x", None),
    ("has sequence 12x", "E207", "a sequence stands at one tile, for example sequence 1x", "12x",
     None),
    ("has triplet 1z, sequence 9m", "E207",
     "no sequence starts at 9m; a sequence is named by its lowest tile", "9m", None),
    ("has sequence 1z", "E207", "no sequence starts at 1z; a sequence is named by its lowest tile",
     "1z", None),
    ("hand is 11111m", "E207", "there are only four of a tile, and 1m is written 5 times",
     "11111m", None),
    ("hand before win includes 22222x", "E207",
     "there are only four of a tile, and 2x is written 5 times", "22222x",
     None),
    ("hand is 1f", "E207", "1f is a flower, and flowers are not among the tiles in hand",
     "1f", "for example: some flower is 1f"),
    # functions
    ("min(3) = 3", "E208", "min takes two numbers or more", "min(3)", None),
    ("round_up(3) = 3", "E208", "round_up takes two numbers: what is rounded, and to what",
     "round_up(3)", None),
    ("round_down(3, 0) = 3", "E208",
     "round_down rounds to a number that is written out, 1 or more", "0", None),
    ("round_up(3, count kongs) = 3", "E208",
     "round_up rounds to a number that is written out, 1 or more", "count kongs", None),
    # size
    ("has pair A, pair A, pair A, pair A, pair A, pair A, pair A, pair A, pair A", "E210",
     "a template has at most 8 groups",
     "has pair A, pair A, pair A, pair A, pair A, pair A, pair A, pair A, pair A", None),
    ("has sequence A, sequence B, sequence C, triplet rx, triplet qx", "E210",
     "a template has at most 4 letters for ranks and tiles",
     "has sequence A, sequence B, sequence C, triplet rx, triplet qx", None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "code", "message", "words", "help_line"), MISTAKES, ids=[case[0] for case in MISTAKES]
)
def test_one_mistake(text: str, code: str, message: str, words: str, help_line: str | None) -> None:
    (problem,) = problems_of(text)
    assert problem.code == code
    assert problem.message == message
    assert text[problem.start : problem.end] == words
    assert problem.help == help_line


@pytest.mark.parametrize(
    ("text", "words", "help_line"),
    [
        ("last_tile", "last_tile", None),
        ("1 + dealer", "dealer", None),
        ("all tiles are simple", "all tiles are simple",
         "to choose a number by it, write: if ... then 1 else 0"),
        ("dealer and last_tile", "dealer and last_tile",
         "to choose a number by it, write: if ... then 1 else 0"),
        ("if dealer then last_tile else open_win", "if dealer then last_tile else open_win", None),
    ],
)  # fmt: skip
def test_a_truth_where_a_number_is_needed(text: str, words: str, help_line: str | None) -> None:
    (problem,) = problems_of(text, expected="number")
    assert (problem.code, problem.message) == ("E202", TRUTH_FOR_NUMBER)
    assert text[problem.start : problem.end] == words
    assert problem.help == help_line


def test_all_mistakes_of_a_sentence_are_found_each_at_its_place() -> None:
    text = (
        "all tiles are simpel and last_tiel or not (shape is basci and count kongs) "
        "or has sequence 8x, pair dragn"
    )
    assert [(p.code, text[p.start : p.end]) for p in problems_of(text)] == [
        ("E204", "simpel"),
        ("E201", "last_tiel"),
        ("E206", "basci"),
        ("E202", "count kongs"),
        ("E207", "8x"),
        ("E204", "dragn"),
    ]


def test_mistakes_inside_numbers_and_branches_are_all_found() -> None:
    text = "if delaer then count triplets of dragn else min(doar, kong_points, dealer)"
    assert [(p.code, text[p.start : p.end]) for p in problems_of(text, expected="number")] == [
        ("E201", "delaer"),
        ("E204", "dragn"),
        ("E201", "doar"),
        ("E202", "dealer"),
    ]


@pytest.mark.parametrize("text", ["wrong", "not wrong and dealer", "broken", "broken or plain"])
def test_a_name_in_error_is_not_reported_where_it_is_used(text: str) -> None:
    checked = check_sentence(parse(text), NAMES, "pattern", "truth")
    assert checked.meaning is None
    assert [problem.code for problem in checked.problems] == [""]


# ---- contexts ------------------------------------------------------------------------------------

ARRANGED, HELD, WON = (
    "the sets and pairs of the hand",
    "the tiles of the hand",
    "how the hand was won",
)
PLACES: dict[Context, str] = {
    "event": "an event",
    "total": "the total",
    "bounds": "a cap, a limit or a minimum",
    "win": "the payments of a win",
    "exhausted": "the payments of an exhausted wall",
    "wrong_win": "the payments of a wrong win",
}
LEVELS = {
    "count triplets = 4": (ARRANGED, "count triplets"),
    "shape is basic": (ARRANGED, "shape is basic"),
    "has pair dragon": (ARRANGED, "has pair dragon"),
    "wait is edge": (ARRANGED, "wait is edge"),
    "winning_group is pair": (ARRANGED, "winning_group is pair"),
    "every set is sequence": (ARRANGED, "every set is sequence"),
    "pair is dragon": (ARRANGED, "pair is dragon"),
    "all sets are claimed": (ARRANGED, "all sets are claimed"),
    "count kongs = 1": (HELD, "count kongs"),
    "no set is claimed": (HELD, "no set is claimed"),
    "some tile is 1z": (HELD, "some tile is 1z"),
    "sum ranks > 9": (HELD, "sum ranks"),
    "hand includes 1z": (HELD, "hand includes 1z"),
    "count waits = 1": (HELD, "count waits"),
    "winning_tile is 1z": (HELD, "winning_tile is 1z"),
    "win by discard": (WON, "win by discard"),
    "last_tile": (WON, "last_tile"),
    "seat is E": (WON, "seat is E"),
}
ALLOWED: dict[Context, set[str]] = {
    "event": {HELD, WON},
    "total": set(),
    "bounds": set(),
    "win": {WON},
    "exhausted": set(),
    "wrong_win": set(),
}


@pytest.mark.parametrize("context", PLACES)
@pytest.mark.parametrize("text", LEVELS)
def test_what_may_be_spoken_of_where(context: Context, text: str) -> None:
    level, words = LEVELS[text]
    found = problems_of(text, context)
    if level in ALLOWED[context]:
        assert found == ()
        return
    (problem,) = found
    assert problem.code == "E203"
    assert problem.message == f"{PLACES[context]} cannot depend on {level}"
    assert text[problem.start : problem.end] == words


@pytest.mark.parametrize("context", PLACES)
def test_patterns_are_known_to_patterns_only(context: Context) -> None:
    (problem,) = problems_of("all_triplets", context)
    assert problem.message == f"{PLACES[context]} cannot depend on a pattern"


@pytest.mark.parametrize(
    ("context", "text"),
    [
        ("event", "discarder is dealer and winner is not dealer"),
        ("event", "dora >= 1 or count waits = 1"),
        ("event", "dealer and open_win and minimum = 0"),
        ("total", "points > 3"),
        ("total", "minimum = 3"),
        ("bounds", "minimum = 3"),
        ("win", "points > 3 and payer is liable or winner is dealer and discarder is liable"),
        ("win", "no seat is liable or some seat is dealer | winner"),
        ("win", "win by discard | robbing_kong and seat is E and round is not N"),
        ("exhausted", "payer is ready and payee is not ready or no seat is ready"),
        ("wrong_win", "payer is offender and payee is dealer"),
    ],
)
def test_what_each_place_knows(context: Context, text: str) -> None:
    assert problems_of(text, context) == ()


@pytest.mark.parametrize(
    ("context", "text", "message", "words", "help_line"),
    [
        ("event", "payer is dealer", "'payer' is not known in an event", "payer", None),
        ("bounds", "points = 3",
         "'points' (the total of the winning hand) is not known in a cap, a limit or a minimum",
         "points", None),
        ("total", "dealer", "'dealer' (the winner is East) is not known in the total", "dealer",
         None),
        ("win", "payee is dealer", "'payee' is not known in the payments of a win", "payee", None),
        ("win", "payer is ready", "'ready' is not something that a seat can be here", "ready",
         "there are: dealer, liable, winner"),
        ("exhausted", "payer is liable", "'liable' is not something that a seat can be here",
         "liable", "there are: dealer, ready"),
        ("wrong_win", "some seat is offenderr",
         "'offenderr' is not something that a seat can be here", "offenderr",
         "did you mean 'offender'?"),
        ("win", "every seat has dealer", "a seat has no tiles here; say what it is",
         "every seat has dealer", None),
    ],
)  # fmt: skip
def test_what_a_place_does_not_know(
    context: Context, text: str, message: str, words: str, help_line: str | None
) -> None:
    (problem,) = problems_of(text, context)
    assert problem.message == message
    assert text[problem.start : problem.end] == words
    assert problem.help == help_line


def test_a_term_is_reported_where_it_is_used_out_of_place() -> None:
    (problem,) = problems_of("dealer and plain", "event")
    assert problem.code == "E203"
    assert problem.message == "an event cannot depend on the sets and pairs of the hand"
    assert "dealer and plain"[problem.start : problem.end] == "plain"
    assert problem.help == "'plain' speaks of that"


# ---- whole rulesets: cycles, names in error ------------------------------------------------------

RULESET = """format: 1
id: small
name: Small
version: "1"
tiles: {{wall: {{"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}}}}
shapes: {{basic: {{sets: 4, pairs: 1}}}}
terms:
{terms}
patterns:
{patterns}
settlement: {{win: [{{pays: points}}]}}
"""


def diagnosed(terms: dict[str, str], patterns: dict[str, str]) -> list[tuple[str, str, str]]:
    """Code, message and the words pointed at of everything wrong with a small ruleset."""
    text = RULESET.format(
        terms="\n".join(f"  {name}: {value}" for name, value in terms.items()),
        patterns="\n".join(
            f"  {name}: {{points: 1, when: {value}}}" for name, value in patterns.items()
        ),
    )
    with pytest.raises(RulesetError) as caught:
        read_ruleset_text(text)
    lines = text.split("\n")
    found: list[tuple[str, str, str]] = []
    for problem in caught.value.diagnostics:
        assert problem.span is not None
        words = lines[problem.span.line - 1][problem.span.column - 1 : problem.span.end_column - 1]
        found.append((problem.code, problem.message, words))
    return found


def test_a_pattern_that_is_defined_by_itself() -> None:
    assert diagnosed({"high": "honor"}, {"one": "one or some tile is high"}) == [
        ("E209", "this is defined by itself: 'one' -> 'one'", "one")
    ]


def test_a_cycle_through_terms_and_patterns_is_reported_once() -> None:
    found = diagnosed(
        {"first": "second or false", "second": "not third"},
        {"third": "first and true", "fourth": "third or first or second"},
    )
    assert len(found) == 1
    code, message, _ = found[0]
    assert code == "E209"
    assert message.startswith("this is defined by itself: ")
    assert message.count("->") == 3


def test_a_term_in_error_is_reported_once_however_often_it_is_used() -> None:
    found = diagnosed(
        {"high": "honor | terminall", "much": "count triplets of high"},
        {"one": "some tile is high", "two": "much >= 2 and not one"},
    )
    assert found == [("E204", "unknown class of tiles 'terminall'", "terminall")]


def test_a_term_that_is_right_elsewhere_is_reported_at_each_place_where_it_is_not() -> None:
    found = diagnosed(
        {"triplets_only": "count triplets = 4", "plainer": "not triplets_only", "pay": "points"},
        {"one": "triplets_only and pay > 3", "two": "pay = 2 or plainer"},
    )
    said = "'points' (the total of the winning hand) is not known in a pattern"
    assert found == [("E203", said, "pay"), ("E203", said, "pay")]


def test_a_term_that_is_right_nowhere_is_reported_once() -> None:
    found = diagnosed({"odd_one": "payer is dealer and count pairs = 7"}, {"one": "odd_one"})
    assert found == [("E203", "'payer' is not known in a pattern", "payer")]


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        ("units: [dora, fu]", "E311", "'dora' has a meaning in every ruleset; take another name"),
        (
            "units: [fu]\noptions: {fu: {type: int, default: 1}}",
            "E312",
            "a unit and an option have the same name 'fu'",
        ),
    ],
)
def test_a_unit_has_a_name_of_its_own(more: str, code: str, message: str) -> None:
    unit = "fu" if "[fu]" in more else "points"
    text = RULESET.format(terms="  high: honor", patterns=f"  one: {{{unit}: 1, when: dealer}}")
    with pytest.raises(RulesetError) as caught:
        read_ruleset_text(text + more)
    found = [(problem.code, problem.message) for problem in caught.value.diagnostics]
    assert (code, message) in found


def test_a_pattern_in_error_is_reported_once_however_often_it_is_used() -> None:
    found = diagnosed({"high": "honor"}, {"one": "count kongs", "two": "not one", "three": "two"})
    assert found == [("E202", NUMBER_FOR_TRUTH, "count kongs")]


def test_a_template_that_stands_for_too_many_hands() -> None:
    text = "has triplet A, triplet B, triplet C, pair D"
    assert diagnosed({"high": "honor"}, {"one": f'"{text}"'}) == [
        ("E210", "this template stands for 1,336,336 hands; 50,000 at most", text)
    ]


# ---- what right sentences become -----------------------------------------------------------------


def tiles(*names: str) -> int:
    return sum(1 << TILE_INDEX[name] for name in names)


@pytest.mark.parametrize(
    ("text", "mask"),
    [
        ("19m19p19s", tiles("1m", "9m", "1p", "9p", "1s", "9s")),
        ("honor & ~wind", tiles("5z", "6z", "7z")),
        ("terminal | 5z", CLASSES["terminal"] | tiles("5z")),
        ("even & dots", tiles("2p", "4p", "6p", "8p")),
        ("~(numbered | flower)", CLASSES["honor"]),
        ("1z | 2z & wind", tiles("1z", "2z")),
        ("characters & ~even & simple", tiles("3m", "5m", "7m")),
    ],
)
def test_a_class_that_never_changes_becomes_a_mask(text: str, mask: int) -> None:
    assert check_class(parse(text, "klass"), NAMES, "pattern").tiles == m.TileMask(mask)


def test_a_class_that_depends_on_the_situation_keeps_its_parts() -> None:
    found = check_class(parse("value & ~winning_tile", "klass"), NAMES, "pattern").tiles
    dragons = m.TileMask(CLASSES["dragon"])
    assert found == m.TileCommon(
        (
            m.TileUnion((dragons, m.TileFact("seat_wind"))),
            m.TileOther(m.TileFact("winning_tile")),
        )
    )


def test_a_sequence_of_a_written_tile_is_named_by_its_lowest() -> None:
    template = meaning_of("has sequence 1m, triplet 1m, sequence 123m")
    assert isinstance(template, m.Template)
    run = m.Place(tiles=m.TileMask(tiles("1m", "2m", "3m")))
    places = [item.place for item in template.items]
    assert places == [run, m.Place(tiles=m.TileMask(tiles("1m"))), run]


def test_suit_letters_of_a_list_stand_for_every_suit() -> None:
    meaning = meaning_of("hand before win includes 11x2y")
    assert isinstance(meaning, m.HandTiles)
    assert (meaning.of, meaning.exact, len(meaning.lists)) == ("hand before win", False, 6)
    assert ((TILE_INDEX["1m"], 2), (TILE_INDEX["2p"], 1)) in meaning.lists


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("count kongs", "number"),
        ("sum ranks + 1", "number"),
        ("if dealer then 1 else 2", "number"),
        ("kong_points", "number"),
        ("dora", "number"),
        ("minimum", "number"),
        ("plain", "truth"),
        ("open_win", "truth"),
        ("all_triplets", "truth"),
        ("if dealer then plain else open_win", "truth"),
        ("has pair 1z", "truth"),
        ("1 < 2", "truth"),
    ],
)
def test_types(text: str, kind: str) -> None:
    assert m.type_of(meaning_of(text)) == kind
