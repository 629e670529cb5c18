"""The Python face of a ruleset: arguments, immutability, options, pickling, threads."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import ruleengine

RULES = ruleengine.load("zhongyong-3.3")
HAND = "67m22z(4444m)[1111m][567m]+5m"


@pytest.mark.parametrize(
    ("hand", "how", "message"),
    [
        (5, {}, "'hand' is a text or a Hand, not '5'"),
        (None, {}, "'hand' is a text or a Hand, not 'None'"),
        (b"123m", {}, "'hand' is a text or a Hand, not"),
        ({"hand": HAND}, {}, "'hand' is a text or a Hand, not"),
        (HAND, {"by": 5}, "'by' is a text, not '5'"),
        (HAND, {"seat": None}, "'seat' is a text, not 'None'"),
        (HAND, {"round": 1}, "'round' is a text, not '1'"),
        (HAND, {"from_": 1}, "'from' is a text, not '1'"),
        (HAND, {"liable": 1}, "'liable' is a text, not '1'"),
        (HAND, {"flowers": 1}, "'flowers' is a text, not '1'"),
        (HAND, {"events": "last_tile"}, "'events' is a list of names, not 'last_tile'"),
        (HAND, {"events": 5}, "'events' is a list of names, not '5'"),
        (HAND, {"events": [1]}, "an event is a text, not '1'"),
        (HAND, {"events": [["last_tile"]]}, "an event is a text, not '['last_tile']'"),
        (HAND, {"by": ["discard"]}, "'by' is a text, not '['discard']'"),
        (HAND, {"seat": {"E"}}, "'seat' is a text, not '{'E'}'"),
        (HAND, {"from_": ["S"], "by": "discard"}, "'from' is a text, not '['S']'"),
    ],
)
def test_an_argument_of_the_wrong_kind_is_one_sentence(
    hand: Any, how: dict[str, Any], message: str
) -> None:
    with pytest.raises(ruleengine.HandError) as caught:
        RULES.score(hand, **how)
    assert caught.value.code == "H312"
    assert str(caught.value).startswith(message)


def test_what_is_loaded_cannot_be_changed() -> None:
    options: Any = RULES.options
    patterns: Any = RULES.data.patterns
    with pytest.raises(TypeError, match="cannot be changed"):
        options["minimum"] = 5
    with pytest.raises(TypeError, match="cannot be changed"):
        patterns.update(x=1)
    with pytest.raises(TypeError, match="cannot be changed"):
        patterns.pop("one_kong")
    with pytest.raises(TypeError, match="cannot be changed"):
        options |= {"minimum": 5}
    result = RULES.score(HAND)
    with pytest.raises(AttributeError):
        result.points = 3  # type: ignore[misc]


def test_options_give_another_ruleset_and_leave_this_one() -> None:
    strict = RULES.with_options({"minimum": 5})
    assert strict.options["minimum"] == 5
    assert RULES.options["minimum"] == 0
    assert strict.with_options({"minimum": 0}).options == RULES.options
    with pytest.raises(ruleengine.OptionError, match="no option 'minimun'"):
        RULES.with_options({"minimun": 5})


def test_rules_and_results_can_be_pickled() -> None:
    result = RULES.score(HAND, by="discard", seat="S", from_="W")
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    # 70 on a discard: 25, 25, 160.
    assert again.payments == {"E": -25, "S": 210, "W": -160, "N": -25}
    assert pickle.loads(pickle.dumps(RULES)).score(HAND).points == 70


def test_threads_share_a_ruleset() -> None:
    fresh = ruleengine.load("zhongyong-3.3")
    hands = [HAND, "23m234m678p33s[678s]+4m", "1122335566778m+8m", "19m19p19s1234567z+1m"] * 50
    alone = [RULES.score(hand).points for hand in hands]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda hand: fresh.score(hand).points, hands)) == alone


def test_unknown_names_are_guessed() -> None:
    with pytest.raises(ruleengine.UnknownRulesetError) as caught:
        ruleengine.load("zhongyong-33")
    assert caught.value.help is not None
