"""Hands in canonical text, many at once."""

from __future__ import annotations

import pyarrow as pa
import pytest

from benchmarks.hands import make_hands
from ruleengine.batch.tables import POWERS
from ruleengine.batch.text import LONGEST, read_texts
from ruleengine.hand import Situation
from ruleengine.notation import read_hand
from tests.columns import keys_of_tiles, laid_facts
from tests.random_hands import Win


def test_reads_what_notation_reads() -> None:
    texts = [hand.text for name in ("random", "realistic") for hand in make_hands(name, 400, 9)]
    texts += ["1f23m38f456p11z[879s](9999m)+4m"]
    read = read_texts(pa.array(texts))
    assert read.rows.tolist() == list(range(len(texts)))
    for at, text in enumerate(texts):
        hand = read_hand(text)
        assert hand.winning_tile is not None
        held = [*hand.standing, hand.winning_tile]
        laid = [tile for meld in hand.melds for tile in meld.tiles]
        assert [int(key[at]) for key in read.hand] == keys_of_tiles(held)
        assert read.laid is not None
        assert [int(key[at]) for key in read.laid] == keys_of_tiles(laid)
        assert read.won[at] == hand.winning_tile
        assert read.tiles[at] == len(held) + len(laid)
        assert read.melds[at] == len(hand.melds)
        for name, value in laid_facts(Win(hand, Situation())).items():
            assert int(read.facts[name][at]) == value, (text, name)
        assert int(read.facts["flowers"][at]) == sum(1 << flower for flower in hand.flowers)


@pytest.mark.parametrize(
    "text",
    [
        None, "", "+1m", "123m", "123m+", "123m+12m", "123+1m", "m123+1m", "123m+1m+1m", "8z+1m",
        "9f+1m", "123m[123z]+1m", "[124m]+1m", "[112m]+1m", "(111m)+1m", "(1112m)+1m", "[1112m]+1m",
        "[1111m+1m", "123m[123m)+1m", "[[123m]]+1m", "123m +1m", "123m+1m ", "123m+1m\n", "東+1m",
        "+1m123m", "11f+1m", "1f1f+1m", "[1f1f1f]+1m", "123M+1m", "0m+1m", "1m" * LONGEST + "+1m",
    ],
)  # fmt: skip
def test_leaves_everything_else(text: str | None) -> None:
    read = read_texts(pa.array(["123m456p789s1122z+1z", text, "19m+1m"]))
    wanted = [0, 1, 2] if text == "+1m" else [0, 2]
    assert read.rows.tolist() == wanted


def test_too_many_of_a_tile_are_counted_exactly() -> None:
    read = read_texts(pa.array(["99999999999999s+9s", "9m9m9m9m9m1p+1z"]))
    assert [int(key[0]) for key in read.hand] == [0, 0, 15 * POWERS[8], 0]
    assert [int(key[1]) for key in read.hand] == [5 * POWERS[8], 1, 0, 1]


def test_a_slice_of_an_array() -> None:
    whole = pa.array(["no", "123m456p789s1122z+1z", None, "19m+1m"])
    read = read_texts(whole.slice(1, 3))
    assert read.rows.tolist() == [0, 2]
    assert read.tiles.tolist() == [14, 3]
