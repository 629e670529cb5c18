"""Sentences are read as one expects, and every wrong one is explained at its place."""

from __future__ import annotations

import itertools
import re
import time
from collections import deque
from typing import TYPE_CHECKING, Any

import pytest
from lark import Lark, Token
from lark.exceptions import UnexpectedToken
from lark.lexer import PatternStr

from ruleengine.data import data_folder
from ruleengine.language import tree
from ruleengine.language.syntax import (
    MAX_DEPTH,
    MAX_LENGTH,
    MAX_NUMBER,
    Problem,
    SentenceError,
    mistakes,
    parse,
    parses,
)
from ruleengine.language.vocabulary import SITUATION_CLASSES, WAITS, WAYS
from ruleengine.ruleset.names import RESERVED
from ruleengine.tiles import CLASSES
from tests.language.forms import numbers, truths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.language.syntax import Entry


def problem(text: str, entry: Entry = "sentence") -> Problem:
    """The problem that a wrong text has."""
    with pytest.raises(SentenceError) as caught:
        parse(text, entry)
    return caught.value.problem


@pytest.fixture(scope="module")
def parser() -> Lark:
    """The grammar, built so that any conflict, even a hidden one, is an error."""
    grammar = (data_folder("grammar") / "condition.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", lexer="basic", start=["sentence", "klass"], strict=True)


# ---- the grammar -----------------------------------------------------------------------------


def test_grammar_has_no_conflicts(parser: Lark) -> None:
    assert parser.options.strict
    assert parser.options.parser == "lalr"
    assert parser.parse("dealer", start="sentence").data == "name"
    assert parser.parse("honor", start="klass").data == "class_name"


def test_random_sentences_have_every_word_of_a_condition(parser: Lark) -> None:
    written = {t.pattern.value for t in parser.terminals if isinstance(t.pattern, PatternStr)}
    shapes = ("basic", "seven_pairs")
    forms = [*itertools.chain(*truths(shapes).values()), *numbers()]
    said = set(" ".join(forms).replace(",", " ").split())
    # What joins sentences stands around the forms; seats are spoken of in payments.
    joining = {"and", "or", "if", "then", "else", "true", "false", "min", "max"}
    joining |= {"round_up", "round_down", "seats"}
    words = {word for word in written if word.isidentifier()}
    words |= {*CLASSES, *WAITS, *WAYS, *SITUATION_CLASSES}
    assert words - said <= joining


def test_reserved_words_are_the_words_of_the_grammar(parser: Lark) -> None:
    written = {t.pattern.value for t in parser.terminals if isinstance(t.pattern, PatternStr)}
    assert {word for word in written if word[0].isalpha()} == RESERVED


TARGETS = """
count sequences = 4
shape is basic and no set is claimed
all tiles are simple
count suits = 1 and some tile is honor
count suits = 1 and no tile is honor
hand before win is 1112345678999x
count triplets of dragon | seat_wind
count triplets of dragon = 2 and pair is dragon
all tiles are honor
count concealed triplets = 3
count kongs = 1
has sequence A, sequence A, sequence B, sequence B
has sequence rx, sequence ry, sequence rw
has triplet rx, triplet ry, pair rw
has sequence 1x, sequence 4x, sequence 7x
has triplet rx, triplet r+1x, triplet r+2x
shape is basic and every group has terminal | honor
all tiles are terminal | honor and (count triplets = 4 or shape is seven_pairs)
win by self_draw and last_tile
3 * points - 2 * min(points, standard)
win by self_draw or no seat is liable
payer is liable
min(points, standard)
not win by robbing_kong
win by self_draw and count kongs >= 1
if concealed_hand then 3 else 2
win by discard | robbing_kong
pair is not honor
has triplet dragon
has sequence rx, sequence r+1y, sequence r+2w
has sequence 1x, sequence 4y, sequence 7w
no tile is not even | dragon
tiles include 19m19p19s
sum ranks of characters >= 100
round_up(3 * points, 10)
seat is E and round is S
""".strip().splitlines()


@pytest.mark.parametrize("text", TARGETS)
def test_target_sentences_are_read_whole(text: str) -> None:
    read = parse(text)
    assert (read.start, read.end) == (0, len(text))


def test_count_takes_the_whole_class() -> None:
    read = parse("count triplets of dragon | seat_wind = 2")
    assert read == tree.Comparison(
        0,
        40,
        tree.Count(
            0,
            36,
            tree.Noun(6, 14, None, "triplet"),
            tree.Union(
                18, 36, (tree.ClassName(18, 24, "dragon"), tree.ClassName(27, 36, "seat_wind"))
            ),
        ),
        "=",
        tree.Number(39, 40, 2),
    )


def test_and_binds_closer_than_or_and_not_closest() -> None:
    read = parse("not a or b and c")
    assert isinstance(read, tree.Either)
    first, second = read.parts
    assert isinstance(first, tree.Negation)
    assert second == tree.Both(9, 16, (tree.Name(9, 10, "b"), tree.Name(15, 16, "c")))


def test_not_takes_a_whole_comparison() -> None:
    read = parse("not count kongs = 1")
    assert isinstance(read, tree.Negation)
    assert isinstance(read.part, tree.Comparison)


def test_multiplication_binds_closer_and_subtraction_goes_left() -> None:
    read = parse("9 - 2 * 3 - 1")
    assert isinstance(read, tree.Arithmetic)
    assert read.right == tree.Number(12, 13, 1)
    left = read.left
    assert isinstance(left, tree.Arithmetic)
    assert left.left == tree.Number(0, 1, 9)
    assert isinstance(left.right, tree.Arithmetic)
    assert left.right.sign == "*"


def test_all_and_every_read_alike() -> None:
    all_, every = parse("all sets have honor"), parse("every set has honor")
    assert isinstance(all_, tree.Quantified)
    assert isinstance(every, tree.Quantified)
    assert (all_.noun.kind, all_.quantifier, all_.verb) == ("set", "all", "has")
    assert (every.noun.kind, every.quantifier, every.verb) == ("set", "all", "has")


def test_template_places() -> None:
    read = parse("has concealed triplet r+2y, pair A, kong 1z, sequence dragon")
    assert isinstance(read, tree.Template)
    assert [(item.status, item.kind, type(item.place)) for item in read.items] == [
        ("concealed", "triplet", tree.Ranked),
        (None, "pair", tree.ClassLetter),
        (None, "kong", tree.ClassTiles),
        (None, "sequence", tree.ClassName),
    ]
    assert read.items[0].place == tree.Ranked(22, 26, "r", 2, "y")


def test_words_that_start_like_words_of_the_language_are_names() -> None:
    assert parse("winning_tile is honor") == tree.SubjectIs(
        0, 21, tree.Name(0, 12, "winning_tile"), False, tree.ClassName(16, 21, "honor")
    )
    assert parse("android") == tree.Name(0, 7, "android")
    assert parse("rxa") == tree.Name(0, 3, "rxa")


def test_space_and_line_breaks_make_no_difference() -> None:
    read = parse("  dealer\n and\tlast_tile ")
    assert isinstance(read, tree.Both)
    assert [(part.start, part.end) for part in read.parts] == [(2, 8), (14, 23)]


def test_a_text_may_be_a_class_a_sentence_or_both() -> None:
    assert parses("dragon | seat_wind", "klass")
    assert not parses("dragon | seat_wind", "sentence")
    assert parses("count kongs = 1", "sentence")
    assert not parses("count kongs = 1", "klass")
    assert parses("value", "klass")
    assert parses("value", "sentence")
    assert not parses("a" * (MAX_LENGTH + 1), "sentence")


# ---- the table of mistakes ---------------------------------------------------------------------

EXAMPLES = [
    pytest.param(mistake, example, id=f"{number}-{example}")
    for number, mistake in enumerate(mistakes())
    for example in mistake["examples"]
]


@pytest.mark.parametrize(("mistake", "example"), EXAMPLES)
def test_every_example_has_its_own_mistake(mistake: dict[str, Any], example: str) -> None:
    found = problem(example, mistake["entry"])
    word = example[found.start : found.end]
    shown = f"'{word}'" if word else "the end of the sentence"
    before = re.findall(r"[rq]\+[1-8][xyw]|\w+|<=|>=|!=|\S", example[: found.start])
    place = f"after '{before[-1]}'" if before else "at the beginning"
    assert found.message == mistake["message"].replace("FOUND", shown).replace("AFTER", place)
    assert (found.code, found.help) == (mistake["code"], mistake.get("help"))


def test_mistakes_are_well_formed() -> None:
    seen: set[tuple[str, str]] = set()
    for mistake in mistakes():
        assert set(mistake) - {"help", "whole", "before"} == {
            "code",
            "entry",
            "message",
            "examples",
        }
        assert re.fullmatch("E14[0-9]", mistake["code"])
        assert mistake["examples"]
        for example in mistake["examples"]:
            assert (mistake["entry"], example) not in seen
            seen.add((mistake["entry"], example))


SPELLED = {
    "COMPARISON": "=",
    "NUMBER": "3",
    "LETTER": "A",
    "TILES": "1m",
    "RANKED": "rx",
    "NAME": "dealer",
    "$END": "",
}


def wrong_texts(parser: Lark, entry: Entry) -> Iterator[str]:
    """A text for each kind of word at each place of the grammar where it cannot stand.

    Places count as one where the same words are possible.
    """
    spelled = {
        t.name: str(t.pattern.value) for t in parser.terminals if isinstance(t.pattern, PatternStr)
    } | SPELLED
    pending: deque[tuple[Any, str]] = deque([(parser.parse_interactive(start=entry), "")])
    places: set[tuple[int, ...]] = set()
    seen: set[tuple[frozenset[str], str]] = set()
    while pending:
        state, text = pending.popleft()
        for kind, word in spelled.items():
            longer = f"{text} {word}".strip()
            after = state.copy()
            try:
                after.feed_token(Token(kind, word))
            except UnexpectedToken as error:
                key = (frozenset(error.expected), kind)
                if key not in seen and longer:
                    seen.add(key)
                    yield longer
                continue
            place = tuple(after.parser_state.state_stack[-2:])
            if kind != "$END" and place not in places:
                places.add(place)
                pending.append((after, longer))


@pytest.mark.parametrize("entry", ["sentence", "klass"])
def test_no_word_at_no_place_is_left_unexplained(parser: Lark, entry: Entry) -> None:
    texts = list(wrong_texts(parser, entry))
    assert len(texts) > 100
    unexplained = [text for text in texts if problem(text, entry).code == "E140"]
    assert unexplained == []


def test_a_mistake_is_told_the_same_however_deep_it_stands() -> None:
    shallow = problem("all tiles is simple")
    deep = problem("not ((dealer or (last_tile and (all tiles is simple))))")
    assert shallow.message == "after 'tiles' comes 'are' or 'have', not 'is'"
    assert (deep.message, deep.help) == (shallow.message, shallow.help)


# ---- what is said, and where -------------------------------------------------------------------

OR_OF_SENTENCES = (
    "'|' stands between two classes of tiles; two sentences are joined by 'and' or 'or'"
)
NO_QUOTES = "names and tiles are written without quotes"
NO_TILES = "tiles are ranks from 1 to 9, then the letter of a suit, such as 19m or 5z"
ENGLISH = "a sentence is written in English words, its tiles as in 19m or 5z"
ONE_BRACKET_EACH = "each '(' needs a ')'"
IS_FOR_TILES = (
    "'is', 'are', 'has' and 'have' speak of tiles and groups; numbers are compared with '='"
)
CASES: list[tuple[str, str, str, int, int, str | None]] = [
    # words of the language that are misspelt: only where the text can be read further with them
    (
        "cout kongs = 1",
        "E141",
        "'cout' is not a word of the language",
        0,
        4,
        "did you mean 'count'?",
    ),
    (
        "no set is claimed and evry tile is simple",
        "E141",
        "'evry' is not a word of the language",
        22,
        26,
        "did you mean 'every'?",
    ),
    (
        "count tripelts = 1",
        "E141",
        "'tripelts' is not a word of the language",
        6,
        14,
        "did you mean 'triplets'?",
    ),
    (
        "hand befor win is 1m",
        "E141",
        "'befor' is not a word of the language",
        5,
        10,
        "did you mean 'before'?",
    ),
    ("(sum rank)", "E141", "'rank' is not a word of the language", 5, 9, "did you mean 'ranks'?"),
    (
        "dealer cout kongs",
        "E149",
        "'is', 'and' or 'or' is missing before 'cout'",
        7,
        11,
        "for example: winning_tile is 1z, dealer and not last_tile",
    ),
    (
        "when all tiles simple",
        "E149",
        "two things stand side by side; 'all' needs 'and', 'or' or a sign before it",
        5,
        8,
        None,
    ),
    # the end of the text: just after the last word
    ("dealer and", "E142", "something is missing after 'and'", 10, 11, None),
    ("dealer and  \n", "E142", "something is missing after 'and'", 10, 11, None),
    (
        "(dealer or last_tile",
        "E147",
        "a bracket is not closed before the end of the sentence",
        20,
        21,
        ONE_BRACKET_EACH,
    ),
    ("dealer)", "E147", "this bracket was never opened", 6, 7, None),
    ("dealer and or last_tile", "E142", "something is missing before 'or'", 11, 13, None),
    # nouns, classes, templates
    (
        "count triplet of dragon",
        "E148",
        "'triplet' speaks of one; after 'count' come several",
        6,
        13,
        "for example: count triplets, all tiles are simple",
    ),
    (
        "dealer and no sets is claimed",
        "E148",
        "'sets' speaks of several; after 'no' comes one",
        14,
        18,
        "for example: no set is claimed, every group has terminal",
    ),
    (
        "no honor",
        "E148",
        "after 'no' comes one tile, set, pair ..., not 'honor'",
        3,
        8,
        "for example: some tile is honor, no set is claimed",
    ),
    (
        "count triplets dragon",
        "E149",
        "'of' or a sign is missing before 'dragon'",
        15,
        21,
        "for example: count triplets of dragon, count triplets = 2",
    ),
    (
        "pair is (dragon or honor)",
        "E149",
        "'or' is for sentences and numbers, and here a class of tiles is named",
        16,
        18,
        "classes are joined with '|' and '&', for example: dragon | seat_wind",
    ),
    (
        "has triplet r+9x",
        "E148",
        "a place in a template is one word such as rx, r+1x or 1x",
        12,
        16,
        "for example: has triplet rx, triplet r+1x, triplet r+2x; r+8x is the highest",
    ),
    (
        "has triplet rx pair ry",
        "E148",
        "the groups of a template are separated by commas: one is missing before 'pair'",
        15,
        19,
        "for example: has triplet rx, triplet ry, pair rw",
    ),
    (
        "tiles include 19m, 19p",
        "E149",
        "',' separates the groups after 'has' and the numbers in 'min(...)', nothing else",
        17,
        18,
        "sentences are joined by 'and' or 'or'; a list of tiles is one word, such as 19m19p",
    ),
    # sentences and numbers
    ("count kongs is 3", "E149", IS_FOR_TILES, 12, 14, "for example: count triplets = 2"),
    ("dealer | last_tile", "E149", OR_OF_SENTENCES, 7, 8, None),
    (
        "~dealer",
        "E149",
        "'~' stands before a class of tiles; a sentence is turned around with 'not'",
        0,
        1,
        "for example: not last_tile, some tile is ~honor",
    ),
    (
        "1 <= count kongs <= 3",
        "E149",
        "one comparison at a time: '<=' cannot follow",
        17,
        19,
        "write both with 'and': 1 <= count kongs and count kongs <= 3",
    ),
    (
        "win is self_draw",
        "E149",
        "after 'win' comes 'by' and the way of winning, not 'is'",
        4,
        6,
        "for example: win by self_draw",
    ),
    (
        "hand before win is dragon",
        "E149",
        "after 'is' comes a list of tiles, not 'dragon'",
        19,
        25,
        "for example: hand before win is 1112345678999x, tiles include 19m19p19s",
    ),
    (
        "abs(points)",
        "E149",
        "a name has nothing in brackets: '(' needs 'and', 'or' or a sign before it",
        3,
        4,
        "min, max, round_up and round_down are followed by numbers in brackets",
    ),
    # signs
    (
        "dealer && last_tile",
        "E141",
        "'&&' is not a sign of the language",
        7,
        9,
        "write 'and' between two sentences, '&' between two classes of tiles",
    ),
    (
        "dealer || last_tile",
        "E141",
        "'||' is not a sign of the language",
        7,
        9,
        "write 'or' between two sentences, '|' between two classes of tiles",
    ),
    (
        "pair is dragon || honor",
        "E141",
        "'||' is not a sign of the language",
        15,
        17,
        "write 'or' between two sentences, '|' between two classes of tiles",
    ),
    (
        "win by self-draw",
        "E141",
        "'self-draw' is not a word of the language",
        7,
        16,
        "write 'self_draw'",
    ),
    (
        "wait is two sided",
        "E141",
        "'two sided' is not a word of the language",
        8,
        17,
        "write 'two_sided'",
    ),
    (
        "round up(points, 10) = 3",
        "E141",
        "'round up' is not a word of the language",
        0,
        8,
        "write 'round_up'",
    ),
    ("count kongs == 1", "E141", "'==' is not a sign of the language", 12, 14, "write '='"),
    ("count kongs => 1", "E141", "'=>' is not a sign of the language", 12, 14, "write '>='"),
    ("count kongs <> 1", "E141", "'<>' is not a sign of the language", 12, 14, "write '!='"),
    ("count kongs ≥ 1", "E141", "'≥' is not a sign of the language", 12, 13, "write '>='"),
    (
        "!dealer",
        "E141",
        "'!' is not a sign of the language",
        0,
        1,
        "write 'not' before a sentence, '~' before a class of tiles",
    ),
    ("'dealer'", "E141", '"\'" is not a sign of the language', 0, 1, NO_QUOTES),
    ('pair is "dragon"', "E141", "'\"' is not a sign of the language", 8, 9, NO_QUOTES),
    ("「dealer」", "E141", "'「' is not a sign of the language", 0, 1, NO_QUOTES),
    (
        "count kongs＝1",
        "E141",
        "'＝' is not a sign of the language",
        11,
        12,
        "write '=', not the full-width sign",
    ),
    (
        "dealer　and last_tile",
        "E141",
        "the character U+3000 is not a sign of the language",
        6,
        7,
        "write a space",
    ),
    ("dealer @", "E141", "'@' is not a sign of the language", 7, 8, None),
    (
        "points / 2",
        "E141",
        "'/' is not a sign of the language",
        7,
        8,
        "there is no division; use round_up or round_down, or multiply the other side",
    ),
    # words
    (
        "Dealer and last_tile",
        "E141",
        "'Dealer' is not a word of the language",
        0,
        6,
        "write 'dealer'; only the letter of a tile or a seat is a capital",
    ),
    (
        "dealer AND last_tile",
        "E141",
        "'AND' is not a word of the language",
        7,
        10,
        "write 'and'; only the letter of a tile or a seat is a capital",
    ),
    (
        "_dealer",
        "E141",
        "'_dealer' is not a word of the language",
        0,
        7,
        "a name has small letters, digits and '_', a letter first",
    ),
    ("全部是字牌", "E141", "'全部是字牌' is not a word of the language", 0, 5, ENGLISH),
    ("count 刻子 = 3", "E141", "'刻子' is not a word of the language", 6, 8, ENGLISH),
    ("tiles include 10m", "E143", "'10m' is neither a number nor tiles", 14, 17, NO_TILES),
    ("some tile is 0m", "E143", "'0m' is neither a number nor tiles", 13, 15, NO_TILES),
    ("pair is 1x2", "E143", "'1x2' is neither a number nor tiles", 8, 11, NO_TILES),
    # nothing
    ("", "E142", "a sentence is missing here", 0, 0, None),
    (" \n", "E142", "a sentence is missing here", 0, 2, None),
]


@pytest.mark.parametrize(("text", "code", "message", "start", "end", "help_line"), CASES)
def test_a_mistake_is_explained_at_its_place(
    text: str, code: str, message: str, start: int, end: int, help_line: str | None
) -> None:
    assert problem(text) == Problem(code, message, start, end, help_line)


def test_a_wrong_class_is_explained_too() -> None:
    assert problem("| honor", "klass").message == "a class of tiles is missing before '|'"
    assert problem("= honor", "klass") == Problem(
        "E148",
        "at the beginning comes a name or a class of tiles, not '='",
        0,
        1,
        "for example: dragon, seat_wind | dragon, ~honor, 19m19p19s",
    )


# ---- bounds ------------------------------------------------------------------------------------

GIVE_A_NAME = "give a part a name under 'terms:' and use the name"


def test_too_long() -> None:
    assert parse("a" * MAX_LENGTH) == tree.Name(0, MAX_LENGTH, "a" * MAX_LENGTH)
    message = "this sentence has 2001 characters; 2000 is the most allowed"
    assert problem("a" * (MAX_LENGTH + 1)) == Problem("E144", message, 0, 2001)


def test_numbers_are_bounded() -> None:
    assert parse("1000000000") == tree.Number(0, 10, MAX_NUMBER)
    message = "this number is larger than 1,000,000,000, the largest allowed"
    assert problem("points = 1000000001") == Problem("E146", message, 9, 19)
    assert problem("9" * 1999) == Problem("E146", message, 0, 1999)


def test_brackets_inside_brackets_are_bounded() -> None:
    within = "(" * MAX_DEPTH + "dealer" + ")" * MAX_DEPTH
    assert parse(within) == tree.Name(40, 46, "dealer")
    message = "more than 40 brackets are open inside one another"
    for wrong in ("(" * 60 + "dealer" + ")" * 60, "(" * 1900, "(" * 41):
        assert problem(wrong) == Problem("E145", message, 40, 41, GIVE_A_NAME)
    assert parse(" or ".join(["(dealer)"] * 100)).end == 1196


def test_parts_inside_parts_are_bounded() -> None:
    assert isinstance(parse("not " * 39 + "dealer"), tree.Negation)
    found = problem("not " * 100 + "dealer")
    message = "this sentence has more than 40 parts inside one another"
    assert found == Problem("E145", message, 160, 406, GIVE_A_NAME)
    assert problem("pair is " + "~" * 60 + "honor").code == "E145"


LONG_SUMS = [
    " + ".join(["3"] * 499),
    "*".join(["1"] * 1000),
    " - ".join(["7"] * 9),
    " + ".join(f"{n} - {n + 2} * 2" for n in range(30)),
    "2 * (" + " + ".join(map(str, range(45))) + ") - " + " + ".join(["(1 - 2 - 3)"] * 20),
]


@pytest.mark.parametrize("text", LONG_SUMS)
def test_a_long_sum_is_not_deep_and_worth_what_its_text_says(text: str) -> None:
    """Each part of it is worth what Python makes of the words that it stands for."""
    pending = [(parse(text), 1)]
    while pending:
        node, depth = pending.pop()
        assert depth <= 20
        assert worth(node) == eval(text[node.start : node.end])
        if isinstance(node, tree.Arithmetic):
            assert node.sign in text[node.left.end : node.right.start]
            pending += [(node.left, depth + 1), (node.right, depth + 1)]


def worth(node: tree.Node) -> int:
    if isinstance(node, tree.Number):
        return node.value
    assert isinstance(node, tree.Arithmetic)
    left, right = worth(node.left), worth(node.right)
    return {"+": left + right, "-": left - right, "*": left * right}[node.sign]


def test_what_is_taken_away_one_after_the_other_is_deep() -> None:
    assert isinstance(parse(" - ".join(["1"] * 40)), tree.Arithmetic)
    assert problem(" - ".join(["1"] * 41)).code == "E145"


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000,
        "(" * 1000 + ")" * 1000,
        "not " * 499,
        "~" * 2000,
        "has " + "triplet rx, " * 160,
        "dealer and " * 180,
        "1 + " * 499,
        "count " * 300,
        "\0" * 2000,
    ],
)
def test_a_mistake_is_found_quickly(text: str) -> None:
    problem("and")  # the table of mistakes is read once
    began = time.perf_counter()
    problem(text)
    assert time.perf_counter() - began < 0.3
