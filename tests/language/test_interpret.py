"""What each sort of sentence means, on hands laid out by hand, with what its value rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest

from ruleengine.arrange import Shape, arrangements
from ruleengine.language.interpret import Scene, evaluate, trace
from ruleengine.notation import read_hand
from ruleengine.tiles import SEATS, TILE_INDEX, tile_name
from tests.language.names import meaning_of

if TYPE_CHECKING:
    from ruleengine.arrange import Arrangement
    from ruleengine.language.interpret import Trace
    from ruleengine.language.vocabulary import Context

ORPHANS = [TILE_INDEX[f"{rank}{suit}"] for suit in "mps" for rank in "19"]
ORPHANS += [TILE_INDEX[f"{rank}z"] for rank in "1234567"]
SHAPES = (
    Shape("basic", sets=4, pairs=1),
    Shape("seven_pairs", pairs=7),
    Shape(
        "orphans",
        listed=tuple(tuple((tile, 1 + (tile == twice)) for tile in ORPHANS) for twice in ORPHANS),
    ),
)


@dataclass(frozen=True)
class Reading:
    """A hand read in one way: the text of the wanted arrangement, or the only one there is;
    `won` is the group that the winning tile completed, where there is a choice."""

    hand: str
    by: str = "self_draw"
    seat: str = "E"
    round: str = "E"
    events: tuple[str, ...] = ()
    dora: int = 0
    waits: int = 1
    seat_flowers: str = ""
    read_as: str | None = None
    won: str | None = None

    def scene(self) -> Scene:
        hand = read_hand(self.hand)
        (arrangement,) = [
            found
            for found in arrangements(hand, SHAPES, self.by == "self_draw")
            if self._wanted(found)
        ]
        return Scene(
            hand, self.by, self.seat, self.round, frozenset(self.events),
            {"minimum": 5, "open_win": True}, arrangement, dora=self.dora,
            waits=lambda: self.waits,
            seat_flowers=sum(1 << TILE_INDEX[f"{rank}f"] for rank in self.seat_flowers),
        )  # fmt: skip

    def _wanted(self, found: Arrangement) -> bool:
        place = found.winning_group
        won = None if place is None else str(found.groups[place])
        return self.read_as in (None, str(found)) and self.won in (None, won)


def look(text: str, reading: Reading) -> Trace:
    return trace(meaning_of(text), reading.scene())


def groups_of(found: Trace) -> str:
    return " ".join(str(group) for group in found.groups)


def tiles_of(found: Trace) -> str:
    return " ".join(tile_name(tile) for tile in found.tiles)


# Four sequences, concealed, closed wait, pair of East, self-drawn by East.
RUNS = Reading("123m46p789s345s11z+5p", won="456p")
# Two claimed triplets, a claimed and a concealed kong, won on the pair by discard.
KONGS = Reading("2p[111m][555z](9999s)[4444p]+2p", by="discard", seat="S")
# A triplet of 5m completed by a discard; another one concealed.
COMPLETED = Reading("55m222p678s33z[456s]+5m", by="discard", seat="W")
# The same hand self-drawn.
DRAWN = replace(COMPLETED, by="self_draw")
PAIRS = Reading("1199m2255p3377s4z+4z", seat="N")
FOUR_ALIKE = Reading("1199m2222p3377s4z+4z")
ORPHAN = Reading("19m19p19s1234567z+7z")
FLOWERS = Reading("123m46p789s345s11z26f+5p", seat="S", seat_flowers="26", won="456p")


@pytest.mark.parametrize(
    ("text", "reading", "value", "groups"),
    [
        ("count sequences", RUNS, 4, "123m 345s 456p 789s"),
        ("count sequences", KONGS, 0, ""),
        ("count triplets", KONGS, 4, "[111m] [555z] (9999s) [4444p]"),
        ("count kongs", KONGS, 2, "(9999s) [4444p]"),
        ("count sets", COMPLETED, 4, "555m 222p 678s [456s]"),
        ("count groups", COMPLETED, 5, "555m 222p 678s [456s] 33z"),
        ("count pairs", PAIRS, 7, "11m 99m 22p 55p 33s 77s 44z"),
        ("count pairs", FOUR_ALIKE, 7, "11m 99m 22p 22p 33s 77s 44z"),
        ("count pairs", ORPHAN, 0, ""),
        ("count claimed triplets", KONGS, 3, "[111m] [555z] [4444p]"),
        ("count claimed sets", COMPLETED, 1, "[456s]"),
        ("count concealed kongs", KONGS, 1, "(9999s)"),
        ("count concealed triplets", KONGS, 1, "(9999s)"),
        # A triplet completed by a discard is neither concealed nor claimed.
        ("count concealed triplets", COMPLETED, 1, "222p"),
        ("count claimed triplets", COMPLETED, 0, ""),
        ("count triplets", COMPLETED, 2, "555m 222p"),
        ("count concealed triplets", DRAWN, 2, "555m 222p"),
        # The class says where a whole group lies.
        ("count triplets of honor", KONGS, 1, "[555z]"),
        ("count triplets of terminal | honor", KONGS, 3, "[111m] [555z] (9999s)"),
        ("count sequences of bamboo", RUNS, 2, "345s 789s"),
        ("count sequences of simple", RUNS, 2, "345s 456p"),
        ("count pairs of seat_wind", RUNS, 1, "11z"),
        ("count pairs of seat_wind", replace(RUNS, seat="W"), 0, ""),
        ("count pairs of round_wind", replace(RUNS, seat="W"), 1, "11z"),
        ("count triplets of winning_tile", COMPLETED, 1, "555m"),
    ],
)  # fmt: skip
def test_counting_groups(text: str, reading: Reading, value: int, groups: str) -> None:
    found = look(text, reading)
    assert found.value == value
    assert sorted(groups_of(found).split()) == sorted(groups.split())


@pytest.mark.parametrize(
    ("text", "reading", "value", "tiles"),
    [
        ("count tiles of honor", RUNS, 2, "1z 1z"),
        ("count tiles of 9s | 4p", KONGS, 8, "9s 9s 9s 9s 4p 4p 4p 4p"),
        ("count tiles of winning_tile", PAIRS, 2, "4z 4z"),
        ("count kinds", PAIRS, 7, "1m 9m 2p 5p 3s 7s 4z"),
        ("count kinds", ORPHAN, 13, "1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z"),
        ("count kinds of honor", ORPHAN, 7, "1z 2z 3z 4z 5z 6z 7z"),
        ("count quads", KONGS, 2, "9s 4p"),
        ("count quads", FOUR_ALIKE, 1, "2p"),
        ("count quads of honor", FOUR_ALIKE, 0, ""),
        ("count suits", RUNS, 3, "1m 4p 3s"),
        ("count suits", Reading("111z222z333z44z55z+5z", won="555z"), 0, ""),
        ("count flowers", FLOWERS, 2, "2f 6f"),
        ("count flowers", RUNS, 0, ""),
        ("count flowers of seat_flower", replace(FLOWERS, seat_flowers="15"), 0, ""),
        ("count flowers of seat_flower & 1234f", FLOWERS, 1, "2f"),
        # 1+2+3, 4+5+6, 7+8+9, 3+4+5 and no rank for the honors.
        ("sum ranks", RUNS, 57, None),
        ("sum ranks of bamboo", RUNS, 36, None),
        ("sum ranks of honor", RUNS, 0, "1z 1z"),
        # A kong has four tiles.
        ("sum ranks of 9s", KONGS, 36, "9s 9s 9s 9s"),
    ],
)  # fmt: skip
def test_counting_tiles(text: str, reading: Reading, value: int, tiles: str | None) -> None:
    found = look(text, reading)
    assert found.value == value
    if tiles is not None:
        assert sorted(tiles_of(found).split()) == sorted(tiles.split())


def test_all_tiles_of_the_shape_are_counted_and_no_flower() -> None:
    assert look("count tiles", RUNS).value == 14
    assert look("count tiles", KONGS).value == 16
    assert look("count tiles", FLOWERS).value == 14


@pytest.mark.parametrize(
    ("text", "reading", "value", "groups"),
    [
        ("all sets are sequences", RUNS, True, "123m 345s 456p 789s"),
        # What breaks an `all` is shown, and what passes it.
        ("all sets are triplets", COMPLETED, False, "678s [456s]"),
        ("every set is triplet | claimed", COMPLETED, False, "678s"),
        ("every set is triplet | sequence", COMPLETED, True, "555m 222p 678s [456s]"),
        ("no set is claimed", RUNS, True, ""),
        ("no set is claimed", COMPLETED, False, "[456s]"),
        ("no set is claimed", Reading("123m46p789s11z(5555z)+5p"), True, ""),
        ("some set is kong", KONGS, True, "(9999s) [4444p]"),
        ("some set is kong", COMPLETED, False, ""),
        ("some set is kong & concealed", KONGS, True, "(9999s)"),
        ("some kong is not claimed", KONGS, True, "(9999s)"),
        ("no claimed set is sequence", COMPLETED, False, "[456s]"),
        ("no claimed set is sequence", KONGS, True, ""),
        ("every concealed triplet is dots", COMPLETED, True, "222p"),
        ("some triplet is concealed", Reading("55m678s678s33z[456s]+5m", by="discard",
                                              won="555m"), False, ""),
        ("every group has terminal | honor",
         Reading("123m789p123s11z79s+8s", won="789s"), True, "123m 789p 123s 789s 11z"),
        ("every group has terminal | honor", RUNS, False, "345s 456p"),
        ("no group has honor", RUNS, False, "11z"),
        ("all groups have 5m5p5s", Reading("456m345p567s55s46p+5p", won="456p"), True,
         "456m 345p 567s 55s 456p"),
        ("some sequence has 9s", RUNS, True, "789s"),
        # `is` asks that all tiles of the group are in the class.
        ("some sequence is simple", RUNS, True, "345s 456p"),
        ("some sequence is terminal", RUNS, False, ""),
        ("some group is not numbered", RUNS, True, "11z"),
        ("every pair is honor", RUNS, True, "11z"),
        # Of no groups every `all` holds.
        ("all kongs are claimed", RUNS, True, ""),
        ("all groups are pairs", PAIRS, True, "11m 99m 22p 55p 33s 77s 44z"),
    ],
)  # fmt: skip
def test_saying_something_of_groups(text: str, reading: Reading, value: bool, groups: str) -> None:
    found = look(text, reading)
    assert found.value is value
    assert sorted(groups_of(found).split()) == sorted(groups.split())


@pytest.mark.parametrize(
    ("text", "reading", "value", "tiles"),
    [
        ("all tiles are simple", RUNS, False, "1m 1z 1z 9s"),
        ("all tiles are simple", Reading("234m567p345s66s78s+6s", won="678s"), True, ""),
        ("some tile is honor", RUNS, True, "1z 1z"),
        ("some tile is dragon", RUNS, False, ""),
        ("no tile is honor", RUNS, False, "1z 1z"),
        ("no tile is dragon", RUNS, True, ""),
        ("some tile is not numbered", RUNS, True, "1z 1z"),
        ("every tile is terminal | honor", ORPHAN, True, ""),
        ("all tiles are not honor", RUNS, False, "1z 1z"),
        ("some flower is seat_flower", FLOWERS, True, "2f 6f"),
        ("some flower is 6f", FLOWERS, True, "6f"),
        ("no flower is 6f", RUNS, True, ""),
        ("all flowers are seat_flower", replace(FLOWERS, seat_flowers="2"), False, "6f"),
    ],
)
def test_saying_something_of_tiles(text: str, reading: Reading, value: bool, tiles: str) -> None:
    found = look(text, reading)
    assert found.value is value
    assert sorted(tiles_of(found).split()) == sorted(tiles.split())


TWO_WAYS = Reading("12345m789p55s111z+3m", read_as="123m 345m 789p 111z 55s")


@pytest.mark.parametrize(
    ("text", "reading", "value"),
    [
        ("shape is basic", RUNS, True),
        ("shape is seven_pairs | orphans", PAIRS, True),
        ("shape is seven_pairs | orphans", ORPHAN, True),
        ("shape is not basic", RUNS, False),
        ("pair is honor", RUNS, True),
        ("pair is dragon", RUNS, False),
        ("pair is not dragon", RUNS, True),
        ("pair is not honor", RUNS, False),
        # There must be exactly one pair.
        ("pair is numbered | honor", PAIRS, False),
        ("pair is not dragon", PAIRS, False),
        ("pair is not dragon", ORPHAN, False),
        ("winning_tile is simple", RUNS, True),
        ("winning_tile is not simple", RUNS, False),
        ("winning_tile is terminal", COMPLETED, False),
        ("winning_group is sequence", RUNS, True),
        ("winning_group is sequence & dots", RUNS, True),
        ("winning_group is pair", KONGS, True),
        ("winning_group is triplet & concealed", COMPLETED, False),
        ("winning_group is triplet & concealed", DRAWN, True),
        ("winning_group is not sequence", COMPLETED, True),
        # The tile of thirteen orphans stands in no group.
        ("winning_group is pair", ORPHAN, False),
        ("winning_group is not pair", ORPHAN, True),
        ("wait is single", ORPHAN, False),
        ("wait is closed", RUNS, True),
        ("wait is not closed", RUNS, False),
        ("wait is single", KONGS, True),
        ("wait is single", PAIRS, True),
        ("wait is double_pair", COMPLETED, True),
        ("wait is edge", replace(TWO_WAYS, won="123m"), True),
        ("wait is edge", replace(TWO_WAYS, won="345m"), False),
        ("wait is two_sided", replace(TWO_WAYS, won="345m"), True),
        ("wait is edge | two_sided", replace(TWO_WAYS, won="345m"), True),
        ("wait is edge", Reading("123m456p55s111z89s+7s", won="789s"), True),
        ("wait is two_sided", Reading("123m456p55s111z78s+9s", won="789s"), True),
        ("wait is two_sided", Reading("123m456p55s111z78s+6s", won="678s"), True),
        ("seat is E", RUNS, True),
        ("seat is S | W", RUNS, False),
        ("seat is not S | W", RUNS, True),
        ("round is S", replace(RUNS, round="S"), True),
        ("round is not S", replace(RUNS, round="S"), False),
        ("win by self_draw", RUNS, True),
        ("win by discard", COMPLETED, True),
        ("win by discard", replace(RUNS, by="robbing_kong"), False),
        ("win by discard | robbing_kong", replace(RUNS, by="robbing_kong"), True),
        ("last_tile", RUNS, False),
        ("last_tile", replace(RUNS, events=("last_tile",)), True),
        ("dealer", RUNS, True),
        ("dealer", COMPLETED, False),
        ("plain and all_triplets", RUNS, False),
        ("plain or all_triplets", RUNS, True),
        ("open_win", RUNS, True),
        ("minimum = 5", RUNS, True),
    ],
)  # fmt: skip
def test_other_sentences(text: str, reading: Reading, value: bool) -> None:
    assert look(text, reading).value is value


@pytest.mark.parametrize(
    ("text", "reading", "groups"),
    [
        ("has sequence 7s", RUNS, "789s"),
        ("has pair 1z, sequence 1m", RUNS, "11z 123m"),
        ("has triplet dragon, kong bamboo", KONGS, "[555z] (9999s)"),
        ("has concealed triplet terminal", KONGS, "(9999s)"),
        ("has claimed kong 4p", KONGS, "[4444p]"),
        ("has kong 1m", KONGS, None),
        ("has claimed pair A", RUNS, None),
        ("has sequence A, sequence A", RUNS, None),
        ("has sequence A, sequence A, sequence B, sequence B",
         Reading("112233m778899p5s+5s", read_as="123m 123m 789p 789p 55s"), "123m 123m 789p 789p"),
        # Different capitals stand for different tiles.
        ("has sequence A, sequence A, sequence B, sequence B",
         Reading("111122223333m5s+5s", read_as="123m 123m 123m 123m 55s"), None),
        ("has sequence rx, sequence ry, sequence rw",
         Reading("234m234p34s567s99s+2s", won="234s"), "234m 234p 234s"),
        ("has sequence rx, sequence ry, sequence rw",
         Reading("234m345p234s567s9s+9s"), None),
        ("has sequence rx, sequence r+1y, sequence r+2w",
         Reading("234m345p456s789s9m+9m"), "234m 345p 456s"),
        ("has sequence 1x, sequence 4y, sequence 7w",
         Reading("456m123p789s222s9m+9m"), "123p 456m 789s"),
        ("has triplet rx, triplet r+1x, triplet r+2x",
         Reading("33m444m678p9s9s[555m]+3m", won="333m"), "333m 444m [555m]"),
        # A kong is a triplet.
        ("has triplet rx, triplet ry, pair rw",
         Reading("222s678p222z2m(2222p)+2m"), "(2222p) 222s 22m"),
        ("has triplet rx, triplet qx", Reading("222s678p555s2m(2222p)+2m"), "222s 555s"),
        ("has triplet rx, triplet qx", Reading("222s678p678p2m(2222p)+2m"), None),
        ("has pair rx, pair r+1x, pair r+2x, pair r+3x, pair r+4x, pair r+5x, pair r+6x",
         Reading("2233445566778p+8p", read_as="22p 33p 44p 55p 66p 77p 88p"),
         "22p 33p 44p 55p 66p 77p 88p"),
        ("has sequence seat_wind | 1m2m3m", RUNS, "123m"),
        ("has pair seat_wind, sequence winning_tile | simple", RUNS, "11z 456p"),
        ("has pair seat_wind", replace(RUNS, seat="N"), None),
    ],
)  # fmt: skip
def test_templates(text: str, reading: Reading, groups: str | None) -> None:
    found = look(text, reading)
    assert found.value is (groups is not None)
    if groups is not None:
        assert sorted(groups_of(found).split()) == sorted(groups.split())


@pytest.mark.parametrize(
    ("text", "reading", "value"),
    [
        ("hand before win is 1112345678999x", Reading("1112345678999s+9s", won="999s"), True),
        ("hand before win is 1112345678999m", Reading("1112345678999s+9s", won="999s"), False),
        ("hand is 11123456789999s", Reading("1112345678999s+9s", won="999s"), True),
        ("hand is 11123456789999x", Reading("1112345678999s+8s", won="88s"), False),
        ("hand includes 46p5p", RUNS, True),
        ("hand before win includes 46p5p", RUNS, False),
        ("hand before win includes 46x11z", RUNS, True),
        ("hand includes 99s", RUNS, False),
        # Melds are aside, but they are tiles of the hand.
        ("hand includes 555z", KONGS, False),
        ("tiles include 555z1m9999s", KONGS, True),
        ("tiles include 19x19y", ORPHAN, True),
        ("tiles include 11x99y", ORPHAN, False),
        ("hand is 22p", KONGS, True),
    ],
)
def test_lists_of_tiles(text: str, reading: Reading, value: bool) -> None:
    found = look(text, reading)
    assert found.value is value
    assert bool(found.tiles) is value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 3 - 4", 3),
        ("-3 + 5", 2),
        ("- 2 * 3", -6),
        ("min(3, 1, 2)", 1),
        ("max(3, 1, 2)", 3),
        ("round_up(21, 10)", 30),
        ("round_up(20, 10)", 20),
        ("round_down(29, 10)", 20),
        ("round_up(0 - 21, 10)", -20),
        ("if dealer then 3 else 2", 3),
        ("if not dealer then 3 else if plain then 7 else 2", 7),
        ("count kongs + count sequences * 2", 8),
        ("kong_points + dora", 2),
        ("3 * minimum - 2 * min(minimum, 3)", 9),
        ("count waits", 4),
        ("not dealer or plain and dealer", True),
        ("not (dealer or plain) and dealer", False),
        ("dealer or plain and false", True),
        ("1 < 2 and 2 <= 2 and 3 != 2 and 3 >= 3 and 3 > 2 and 3 = 3", True),
        ("not 1 > 2", True),
        ("true and not false", True),
    ],
)
def test_numbers_and_joined_sentences(text: str, value: int | bool) -> None:
    assert evaluate(meaning_of(text), replace(RUNS, dora=2, waits=4).scene()) == value


def test_parts_after_the_deciding_one_are_not_reached() -> None:
    found = look("dealer and last_tile and plain", RUNS)
    assert found.value is False
    assert [part.value for part in found.parts] == [True, False]
    found = look("last_tile or dealer or plain", RUNS)
    assert [part.value for part in found.parts] == [False, True]
    found = look("if dealer then count kongs else sum ranks", RUNS)
    assert [part.value for part in found.parts] == [True, 0]


def test_what_a_joined_sentence_rests_on_is_what_its_parts_rest_on() -> None:
    found = look("count sequences = 4 and some tile is honor", RUNS)
    assert sorted(groups_of(found).split()) == ["123m", "345s", "456p", "789s"]
    assert tiles_of(found) == "1z 1z"
    # Of an `or` that holds, the part that holds; of an `and` that fails, the part that fails.
    assert tiles_of(look("some tile is dragon or some tile is wind", RUNS)) == "1z 1z"
    assert groups_of(look("some tile is wind and no group has honor", RUNS)) == "11z"


@pytest.mark.parametrize(
    ("text", "context", "value"),
    [
        ("payer is liable", "win", True),
        ("payer is dealer", "win", False),
        ("payer is dealer | liable", "win", True),
        ("payer is not liable", "win", False),
        ("winner is dealer", "win", True),
        ("discarder is liable", "win", False),
        ("no seat is liable", "win", False),
        ("some seat is liable", "win", True),
        ("every seat is dealer | liable", "win", False),
        ("some seat is not liable", "win", True),
        ("points * 3", "win", 96),
        ("payer is ready", "exhausted", True),
        ("no seat is ready", "exhausted", False),
        ("payer is offender", "wrong_win", False),
    ],
)
def test_seats_and_payments(text: str, context: Context, value: int | bool) -> None:
    scene = replace(
        RUNS.scene(),
        points=32,
        roles={
            "winner": 1 << SEATS.index("E"), "payer": 1 << SEATS.index("S"),
            "liable": 1 << SEATS.index("S"), "discarder": 1 << SEATS.index("W"),
            "ready": 0b0110, "offender": 1 << SEATS.index("N"),
        },
    )  # fmt: skip
    assert evaluate(meaning_of(text, context), scene) == value


def test_before_the_hand_is_arranged_only_the_melds_are_groups() -> None:
    scene = replace(KONGS.scene(), arrangement=None)
    assert evaluate(meaning_of("count kongs", "event"), scene) == 2
    assert evaluate(meaning_of("no set is claimed", "event"), scene) is False
    assert evaluate(meaning_of("count claimed sets", "event"), scene) == 3


def test_sums_of_units() -> None:
    scene = replace(RUNS.scene(), sums={"points": 7})
    assert evaluate(meaning_of("points * 2", "total"), scene) == 14
