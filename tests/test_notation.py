from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleengine.errors import HAND_ERRORS, HandError
from ruleengine.hand import ALL_MELDS, Hand, Meld
from ruleengine.notation import MAX_LENGTH, _read_canonical, _read_carefully, read_hand
from ruleengine.tiles import (
    TILE_NAMES,
    format_tiles,
    parse_tile,
    tile_name,
    tile_words,
    unicode_tile,
)

FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}


def tiles_of(*names: str) -> tuple[int, ...]:
    return tuple(map(parse_tile, names))


def error_of(
    text: str, *, winning_tile: str | None = None, flowers: str | None = None
) -> HandError:
    with pytest.raises(HandError) as caught:
        read_hand(text, winning_tile=winning_tile, flowers=flowers)
    assert caught.value.code in HAND_ERRORS
    return caught.value


def outcome(text: str, **arguments: str) -> tuple[Hand | None, HandError | None]:
    try:
        return read_hand(text, **arguments), None
    except HandError as error:
        return None, error


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    """Hands of at most 14 tiles and their kongs; more of a tile than there are may occur."""
    melds = tuple(draw(st.lists(st.sampled_from(ALL_MELDS), max_size=4)))
    room = 13 - 3 * len(melds)
    standing = draw(st.lists(st.integers(0, 33), min_size=1, max_size=room))
    flowers = draw(st.lists(st.integers(34, 41), max_size=8))
    winning_tile = draw(st.none() | st.integers(0, 33))
    return Hand(tuple(sorted(standing)), melds, winning_tile, tuple(sorted(flowers)))


def spell(hand: Hand, word: dict[int, str], order: list[int]) -> str:
    """A hand with each tile written alone, the standing tiles in the given order."""
    loose = [*hand.standing, *hand.flowers]
    parts = [word[loose[i]] for i in order]
    for meld in hand.melds:
        opening, closing = "[]" if meld.claimed else "()"
        parts.append(opening + "".join(word[tile] for tile in reversed(meld.tiles)) + closing)
    if hand.winning_tile is not None:
        parts.append("+" + word[hand.winning_tile])
    return "".join(parts)


@st.composite
def hands_and_orders(draw: st.DrawFn) -> tuple[Hand, list[int]]:
    hand = draw(hands())
    return hand, draw(st.permutations(range(len(hand.standing) + len(hand.flowers))))


@given(hands())
def test_a_printed_hand_reads_back(hand: Hand) -> None:
    assert read_hand(str(hand)) == hand
    assert str(read_hand(str(hand))) == str(hand)


@given(hands())
def test_both_readers_agree_on_printed_hands(hand: Hand) -> None:
    assert _read_canonical(str(hand)) == _read_carefully(str(hand)) == hand


@given(st.from_regex(r"([0-9]{1,4}[mpszf]){0,4}([\[(][1-9]{2,4}[mpsz][\])]){0,3}(\+[1-9][mpszf])?"))
def test_the_short_way_reads_nothing_that_the_careful_one_reads_otherwise(text: str) -> None:
    hand = _read_canonical(text)
    if hand is None:
        return
    assert _read_carefully(text) == hand


@given(hands_and_orders())
def test_pictures_read_alike(hand_and_order: tuple[Hand, list[int]]) -> None:
    hand, order = hand_and_order
    for selector in ("", "\ufe0e", "\ufe0f"):
        word = {tile: unicode_tile(tile)[0] + selector for tile in range(42)}
        assert read_hand(spell(hand, word, order)) == hand


@given(hands_and_orders(), st.sampled_from(["zh-Hant", "zh-Hans", "ja"]))
def test_words_read_alike(hand_and_order: tuple[Hand, list[int]], lang: str) -> None:
    hand, order = hand_and_order
    word = {tile: tile_words(tile, lang) for tile in range(42)}
    assert read_hand(spell(hand, word, order)) == hand


@given(hands_and_orders())
def test_single_tiles_full_width_and_spaces_read_alike(
    hand_and_order: tuple[Hand, list[int]],
) -> None:
    hand, order = hand_and_order
    text = spell(hand, {tile: tile_name(tile) for tile in range(42)}, order)
    assert read_hand(text) == hand
    assert read_hand(text.translate(FULL_WIDTH)) == hand
    text = str(hand)
    assert read_hand(" ".join(text)) == hand
    assert read_hand("\u3000".join(text)) == hand


@given(
    st.text(max_size=250)
    | st.text("0123456789mpszf[]()+ 一九萬筒索東白板發🀇🀄\ufe0f梅", max_size=40)
)
def test_any_text_is_a_hand_or_a_hand_error(text: str) -> None:
    hand, error = outcome(text)
    if error is None:
        assert read_hand(str(hand)) == hand
    else:
        assert error.code in HAND_ERRORS
        assert str(error).isprintable()


@given(st.text(max_size=20), st.text(max_size=20))
def test_any_other_argument_is_read_or_a_hand_error(winning_tile: str, flowers: str) -> None:
    hand, error = outcome("1m", winning_tile=winning_tile, flowers=flowers)
    if error is None:
        assert hand is not None
        assert hand.winning_tile in range(34)
    else:
        assert error.code in HAND_ERRORS


def test_the_parts_of_a_hand() -> None:
    hand = read_hand("123m456p1z[789s](9999m)+1z")
    assert hand.standing == tiles_of("1m", "2m", "3m", "4p", "5p", "6p", "1z")
    assert hand.melds == (Meld("sequence", 24, True), Meld("kong", 8, False))
    assert hand.winning_tile == parse_tile("1z")
    assert hand.flowers == ()


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("7z1m321p", "1m123p7z"),
        ("22m1m+3m", "122m+3m"),
        ("123m 456p [789s] (9999m) 11z", "123m456p11z[789s](9999m)"),
        ("123m\t456p\n11z", "123m456p11z"),
        ("1 2\u30003 m", "123m"),
        ("[978s]12m", "12m[789s]"),
        ("[1s2s3s][5z5z5z]", "[123s][555z]"),
        ("[7777p](7777s)", "[7777p](7777s)"),
        ("+5m46m", "46m+5m"),
        ("46m+5m[123p]11z", "46m11z[123p]+5m"),
        ("+5m6m", "6m+5m"),
        ("1f12m5f+3m3f", "12m135f+3m"),
        ("一二三萬 六七八筒 三索三索 東東東 白發中", "123m678p33s111567z"),
        ("一二三万六七八饼三条三條东东东白发中", "123m678p33s111567z"),
        ("一桶二餅三饼四筒", "1234p"),
        ("123萬 45筒 6索", "123m45p6s"),
        ("白板青發青发紅中红中", "56677z"),
        ("南西北", "234z"),
        ("梅蘭菊竹春夏秋冬", "12345678f"),
        ("梅兰菊竹", "1234f"),
        ("[七八九索](九萬九萬九萬九萬)46萬+五萬", "46m[789s](9999m)+5m"),
        ("[東東東]南+南", "2z[111z]+2z"),
        ("🀇🀈🀉🀙🀚🀛🀐🀐", "123m123p11s"),
        ("🀀🀁🀂🀃🀄🀅🀆", "1234567z"),
        ("🀢🀣🀤🀥🀦🀧🀨🀩", "12345678f"),
        ("🀄\ufe0f🀄\ufe0e🀄", "777z"),
        ("[🀒🀐🀑](🀏🀏🀏🀏)+🀄\ufe0e", "[123s](9999m)+7z"),
        ("🀇2m三萬", "123m"),
        ("白 板", "5z"),
    ],
)
def test_forms_of_the_notation(text: str, canonical: str) -> None:
    assert str(read_hand(text)) == canonical


def test_white_is_read_with_and_without_its_second_character() -> None:
    assert read_hand("白白板白") == read_hand("555z")


def test_melds_stand_in_the_order_written() -> None:
    assert [str(meld) for meld in read_hand("1z[999p][123m](1111z)").melds] == [
        *("[999p]", "[123m]", "(1111z)"),
    ]


@pytest.mark.parametrize("tile", ["5m", " 5m", "五萬", "🀋", "5m".translate(FULL_WIDTH)])
def test_the_winning_tile_as_an_argument(tile: str) -> None:
    assert read_hand("46m11z", winning_tile=tile) == read_hand("46m11z+5m")
    assert read_hand("46 m11z", winning_tile=tile) == read_hand("46m11z+5m")


@pytest.mark.parametrize("flowers", ["15f", "5f1f", "梅春", "🀢 🀦"])
def test_flowers_as_an_argument(flowers: str) -> None:
    assert read_hand("12m+3m", flowers=flowers) == read_hand("12m15f+3m")
    assert read_hand("3f12m+3m", flowers=flowers) == read_hand("12m135f+3m")


def test_no_flowers() -> None:
    assert read_hand("12m+3m", flowers="") == read_hand("12m+3m")


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("12a", "H102", "'a' at character 3 is no part of a tile"),
        ("12m 3m?", "H102", "'?' at character 7 is no part of a tile"),
        ("🀪", "H102", "'🀪' at character 1 is no part of a tile"),
        ("1m\u200b", "H102", "'U+200B' at character 3 is no part of a tile"),
        ("1m\ufe0e", "H102", "'U+FE0E' at character 3 is no part of a tile"),
        ("123", "H103", "the number '123' at character 1 has no suit"),
        ("1m 23", "H103", "the number '23' at character 4 has no suit"),
        ("12東", "H103", "the number '12' at character 1 has no suit"),
        ("0m", "H104", "there is no tile '0m' (number at character 1): characters run from 1 to 9"),
        ("18z", "H104", "there is no tile '8z' (number at character 2): honors run from 1z to 7z"),
        ("9f", "H104", "there is no tile '9f' (number at character 1): flowers run from 1f to 8f"),
        (
            "0萬",
            "H104",
            "there is no tile '0萬' (number at character 1): characters run from 1 to 9",
        ),
        ("m", "H105", "'m' at character 1 has no number before it"),
        ("12mm", "H105", "'m' at character 4 has no number before it"),
        ("一萬 索", "H105", "'索' at character 4 has no number before it"),
        ("1z[123m", "H106", "the bracket '[' at character 3 is never closed"),
        ("1z[123m+1z", "H106", "the bracket '[' at character 3 is never closed"),
        ("1z［１２３ｍ+1z[456m]", "H106", "the bracket '［' at character 3 is never closed"),
        ("123m]", "H107", "the bracket ']' at character 5 was never opened"),
        ("[123m)", "H108", "the bracket '[' at character 1 is closed by ')' at character 6"),
        ("(1111m]", "H108", "the bracket '(' at character 1 is closed by ']' at character 7"),
        ("[12[3m]]", "H109", "the bracket '[' at character 4 opens inside the one at character 1"),
        ("+12[123m]", "H103", "the number '12' at character 2 has no suit"),
        ("[12]", "H103", "the number '12' at character 2 has no suit"),
        ("[1m[23m]]", "H109", "the bracket '[' at character 4 opens inside the one at character 1"),
        ("1m[ ]", "H110", "the brackets '[ ]' at character 3 are empty"),
        ("()", "H110", "the brackets '()' at character 1 are empty"),
        ("[1m2f3m]", "H114", "'2f' at character 4 stands in a meld, and flowers are never melded"),
        (
            "(1111f)",
            "H114",
            "'1111f' at character 2 stands in a meld, and flowers are never melded",
        ),
        (
            "1m+2m+3m",
            "H115",
            "the winning tile is marked twice, by '+' at character 3 and again at character 6",
        ),
        (
            "1m++2m",
            "H115",
            "the winning tile is marked twice, by '+' at character 3 and again at character 4",
        ),
        ("1m+", "H116", "no tile follows the '+' at character 3"),
        ("1m+[123m]", "H116", "no tile follows the '+' at character 3"),
        (
            "[1m+2m3m]",
            "H117",
            "the '+' at character 4 stands inside a meld, "
            "and the winning tile is never part of one",
        ),
        (
            "[1+23m]",
            "H117",
            "the '+' at character 3 stands inside a meld, "
            "and the winning tile is never part of one",
        ),
        (
            "1m+1f",
            "H118",
            "'+1f' at character 3 marks a flower, and a flower is never the winning tile",
        ),
        ("1m+55m", "H119", "'+55m' at character 3 marks 2 tiles, and one tile wins"),
        ("", "H123", "the hand is empty"),
        (" \u3000\n", "H123", "the hand is empty"),
    ],
)
def test_what_is_no_hand(text: str, code: str, message: str) -> None:
    error = error_of(text)
    assert (error.code, str(error)) == (code, message)


@pytest.mark.parametrize(
    ("meld", "reason"),
    [
        ("[135m]", "its ranks neither follow one another nor are all the same"),
        ("[112m]", "its ranks neither follow one another nor are all the same"),
        ("[891m]", "its ranks neither follow one another nor are all the same"),
        ("[123z]", "honors make no sequence, and these are not three of one tile"),
        ("[12m3p]", "its tiles are not of one suit"),
        ("[89m1p]", "its tiles are not of one suit"),
        ("[12m1z]", "its tiles are not of one suit"),
        ("[12m]", "a meld has three tiles, or four in a kong, and this has 2"),
        ("[11m]", "a meld has three tiles, or four in a kong, and this has 2"),
        ("[1234m]", "four tiles are a kong only when they are all the same"),
        ("[1112z]", "four tiles are a kong only when they are all the same"),
        ("[123m456m]", "it has 6 tiles, and each meld needs its own brackets"),
        ("[11111m]", "it has 5 tiles, and each meld needs its own brackets"),
    ],
)
def test_melds_that_are_none(meld: str, reason: str) -> None:
    error = error_of(f"11z {meld}")
    assert error.code == "H111"
    assert str(error) == f"'{meld}' at character 5 is not a sequence, triplet or kong: {reason}"


def test_concealed_triplets_are_written_without_brackets() -> None:
    error = error_of("11z(555m)")
    assert error.code == "H113"
    assert str(error) == (
        "'(555m)' at character 4 has three tiles: round brackets hold a concealed kong, "
        "and concealed triplets are written without brackets"
    )
    assert error.help == "write 555m"


@pytest.mark.parametrize(
    ("meld", "help_line"),
    [
        ("(312m)", "write 123m when it is concealed, [123m] when it was claimed"),
        ("(5556m)", None),
        ("(55m)", None),
        ("(55555m)", None),
        ("(1m)", None),
    ],
)
def test_round_brackets_hold_a_concealed_kong(meld: str, help_line: str | None) -> None:
    error = error_of(meld)
    assert error.code == "H112"
    assert str(error) == (
        f"'{meld}' at character 1 is not a concealed kong: round brackets hold four of one tile"
    )
    assert error.help == help_line


@pytest.mark.parametrize(
    ("text", "help_line"),
    [
        ("5M", "suits are small letters: write m"),
        ("EE", "East, South, West and North are 1z, 2z, 3z and 4z"),
        ("12x", None),
        ("三竹", "竹 is a flower: the bamboo suit is 索 or 条"),
        ("45+6m", "tiles before and after '+' need a suit each: 45m+6m"),
        ("45", "write m, p, s, z or f after the number"),
    ],
)
def test_help_where_it_is_certain(text: str, help_line: str | None) -> None:
    assert error_of(text).help == help_line


def test_quotes_are_of_the_text_as_written() -> None:
    text = "[135m]".translate(FULL_WIDTH)
    assert str(error_of(f"\u3000{text}")).startswith(f"'{text}' at character 2 is not")


def test_text_too_long() -> None:
    assert MAX_LENGTH == 200
    assert read_hand("1m" * 100).standing == (0,) * 100
    error = error_of("1m" * 100 + " ")
    assert error.code == "H101"
    assert str(error) == "the text of the hand has 201 characters, and at most 200 are read"
    assert error_of("1m" * 101).code == "H101"
    assert error_of("1m", winning_tile="1" * 201).code == "H101"
    assert "flowers" in str(error_of("1m", flowers="1" * 201))


def test_the_winning_tile_given_twice() -> None:
    error = error_of("1m+2m", winning_tile="2m")
    assert error.code == "H120"
    assert str(error) == (
        "the winning tile is given twice, by '+' in the hand and as winning_tile '2m'"
    )


@pytest.mark.parametrize("text", ["", "12m", "1m2m", "+1m", "[111m]"])
def test_a_winning_tile_that_is_not_one_tile(text: str) -> None:
    error = error_of("1m", winning_tile=text)
    assert (error.code, str(error)) == (
        "H121",
        f"winning_tile must be one tile, and '{text}' is not",
    )


def test_errors_inside_the_other_arguments_say_so() -> None:
    assert str(error_of("1m", winning_tile="0m")).startswith(
        "there is no tile '0m' (number at character 1 of winning_tile)"
    )
    assert error_of("1m", winning_tile="1f").code == "H118"
    error = error_of("1m", flowers="1f2m")
    assert error.code == "H122"
    assert str(error) == ("'2m' at character 3 of flowers is not a flower: flowers are 1f to 8f")
    assert error_of("1m", flowers="+1f").code == "H122"


@pytest.mark.parametrize("name", TILE_NAMES)
def test_every_tile_by_itself(name: str) -> None:
    hand = read_hand(name)
    assert format_tiles(hand.standing + hand.flowers) == name
    assert (hand.flowers == ()) == (name[1] != "f")
