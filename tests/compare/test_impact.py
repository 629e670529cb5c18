"""What becomes of many hands: held against scoring one by one, under a ruleset with few tiles."""

from __future__ import annotations

import itertools
import math
import time
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

import ruleengine.compare.impact as impact_module
from ruleengine.compare.impact import over_all_hands, over_plays
from ruleengine.hand import Hand, Situation
from ruleengine.hands.chance import plays
from ruleengine.processes import looked
from ruleengine.rules import Rules
from ruleengine.ruleset.read import read_ruleset_text
from tests.compare.concealed import best

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALL = """
format: 1
id: small
name: Small
version: "1"
tiles: {{wall: {{"1234m": {copies}, "567z": 3}}}}
shapes:
  basic: {{sets: 1, pairs: 1}}
  three: {{tiles: 567z14m}}
patterns:
  run: {{points: 2, when: count sequences = 1}}
  closed: {{points: {closed}, when: no set is claimed}}
  outside: {{points: 5, when: "{outside}"}}
  dragons: {{points: 3, times: count triplets of dragon}}
total: {{empty: 1, cap: 9, minimum: {minimum}}}
settlement: {{win: [{{pays: points}}]}}
"""
OLD = {"copies": 4, "closed": 1, "outside": "all tiles are terminal | honor", "minimum": 3}
NEW = {"copies": 3, "closed": 1, "outside": "some tile is terminal", "minimum": 4}


@cache
def rules(new: bool) -> Rules:
    text = SMALL.format(**(NEW if new else OLD))
    return Rules(read_ruleset_text(text).data)


def test_over_all_hands() -> None:
    old, new = rules(False), rules(True)
    wall = dict(old.data.wall.copies)
    looked, differences, ways = 0, Counter[int](), Counter[str]()
    lost, gained = Counter[str](), Counter[str]()
    wins, otherwise = Counter[str](), 0
    for tiles in itertools.combinations_with_replacement(sorted(wall), 5):
        held = Counter(tiles)
        if any(n > wall[tile] for tile, n in held.items()):
            continue
        won = tiles[0]
        if old.score_hand(Hand(tiles[1:], (), won), Situation()).reason == "not_a_winning_hand":
            continue
        looked += 1
        drawn = math.prod(math.comb(wall[tile], n) for tile, n in held.items())
        ways["all"] += drawn
        before, after = best(old, tiles), best(new, tiles)
        if before == after:
            continue
        ways["changed"] += drawn
        difference = after[0] - before[0]
        differences[difference] += difference != 0
        otherwise += difference == 0
        wins["gained"] += before[0] == 0
        wins["lost"] += after[0] == 0
        ids = [{id_ for id_, _ in each[1]} for each in (before, after)]
        lost.update(ids[0] - ids[1])
        gained.update(ids[1] - ids[0])
    impact, hands, _ = over_all_hands(old, new, {})
    assert impact is not None
    assert impact.complete
    assert impact.looked == looked > 0
    assert impact.ways == ways["all"]
    assert (impact.changed_ways, impact.otherwise) == (ways["changed"], otherwise)
    assert impact.differences == {k: n for k, n in sorted(differences.items()) if n}
    assert impact.changed == sum(differences.values()) + otherwise > 0
    assert (impact.wins_gained, impact.wins_lost) == (wins["gained"], wins["lost"])
    assert impact.wins_lost > 0
    assert impact.up == sum(n for k, n in differences.items() if k > 0)
    assert impact.down == sum(n for k, n in differences.items() if k < 0)
    assert {id_: tilt.lost for id_, tilt in impact.patterns.items() if tilt.lost} == dict(lost)
    assert {id_: tilt.gained for id_, tilt in impact.patterns.items() if tilt.gained} == dict(
        gained
    )
    assert hands


def test_the_smallest_hand_of_each_difference_comes_first() -> None:
    """Few patterns, few points, low tiles; found here by going through all of them."""
    old, new = rules(False), rules(True)
    wall = dict(old.data.wall.copies)
    smallest: dict[int, tuple[int, int, tuple[int, ...]]] = {}
    for tiles in itertools.combinations_with_replacement(sorted(wall), 5):
        if any(n > wall[tile] for tile, n in Counter(tiles).items()):
            continue
        before, after = best(old, tiles), best(new, tiles)
        if before != after:
            key = (max(len(before[1]), len(after[1])), max(before[0], after[0]), tiles)
            difference = after[0] - before[0]
            smallest[difference] = min(smallest.get(difference, key), key)
    assert len(smallest) > 3
    _, hands, _ = over_all_hands(old, new, {})
    first = {
        tuple(sorted((*won.hand.standing, won.hand.winning_tile or 0)))
        for won in hands[: 2 * len(smallest)]
    }
    assert {tiles for _, _, tiles in smallest.values()} <= first


def test_hands_that_change_on_another_tile_only() -> None:
    """A pattern that no longer counts a single wait, beside one that counts it too."""
    lines = "patterns:\n  ready: {{points: 1, when: count sequences = 1{}}}\n"
    old, new = (
        Rules(
            read_ruleset_text(SMALL.format(**OLD).replace("patterns:\n", lines.format(more))).data
        )
        for more in ("", " and wait is not single")
    )
    by_tile = ways = 0
    for tiles in itertools.combinations_with_replacement(sorted(old.data.wall.copies), 5):
        held = Counter(tiles)
        if any(n > old.data.wall.copies[tile] for tile, n in held.items()):
            continue
        won: list[list[tuple[int, list[str]]]] = [[], []]
        for tile in held:
            rest = list(tiles)
            rest.remove(tile)
            for one, found in zip((old, new), won, strict=True):
                result = one.score_hand(Hand(tuple(rest), (), tile), Situation())
                found.append((result.points, [p.id for p in result.patterns]))
        if won[0] != won[1] and best(old, tiles) == best(new, tiles):
            by_tile += 1
            ways += math.prod(math.comb(old.data.wall.copies[t], n) for t, n in held.items())
    impact, *_ = over_all_hands(old, new, {})
    assert impact is not None
    assert (impact.by_tile, impact.by_tile_ways) == (by_tile, ways)
    assert by_tile > 0


def test_over_plays() -> None:
    old, new = rules(False), rules(False).with_options({})
    impact, hands = over_plays(old, new, {}, seed=3, number=300)
    assert (impact.looked, impact.changed, impact.payments_changed, hands) == (300, 0, 0, [])
    same, _ = over_plays(old, rules(True), {}, seed=3, number=400)
    again, _ = over_plays(old, rules(True), {}, seed=3, number=400)
    assert same == again
    assert same.changed > 0
    assert same.seed == 3
    assert same.changed == same.up + same.down + same.otherwise


def test_a_pattern_by_another_name_is_the_same() -> None:
    old = rules(False)
    text = SMALL.format(**OLD).replace("closed: {points", "shut: {points")
    new = Rules(read_ruleset_text(text).data)
    told, *_ = over_all_hands(old, new, {"closed": "shut"})
    assert told is not None
    assert told.changed == 0
    untold, *_ = over_all_hands(old, new, {})
    assert untold is not None
    assert untold.changed > 0
    assert {"closed", "shut"} == set(untold.patterns)
    assert next(plays(old, 1)) is not None


def test_it_ends_when_time_is_up() -> None:
    impact, _ = over_plays(rules(False), rules(True), {}, seed=1, ends=0.0)
    assert (impact.looked, impact.complete) == (0, False)


def test_a_ruleset_without_patterns() -> None:
    """Every hand that wins is worth what a hand without patterns is."""
    text = SMALL.format(**{**OLD, "minimum": 0})
    start, end = text.index("patterns:"), text.index("total:")
    bare = Rules(read_ruleset_text(text[:start] + "patterns: {}\n" + text[end:]).data)
    full = Rules(read_ruleset_text(text).data)
    impact, *_ = over_all_hands(full, bare, {})
    assert impact is not None
    assert impact.wins_lost == 0
    # Every concealed hand has a pattern, since nothing of it is claimed.
    assert impact.changed == impact.looked
    assert impact.patterns["closed"].lost == impact.looked
    assert {id_: tilt.gained for id_, tilt in impact.patterns.items() if tilt.gained} == {}
    played, _ = over_plays(full, bare, {}, seed=1, number=50)
    assert played.looked == 50


def test_a_part_of_the_hands_is_spread_over_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where time is up, every so many-th hand was looked at, from a place that the seed chooses."""
    old, new = rules(False), rules(True)
    whole, *_ = over_all_hands(old, new, {})
    assert whole is not None
    monkeypatch.setattr(impact_module, "CHUNK", 10)

    def one_task(*given: Any) -> Iterator[Any]:
        return itertools.islice(looked(*given), 1)

    step = -(-whole.looked // 10)
    assert step > 4
    parts = []
    later = time.monotonic() + 600
    monkeypatch.setattr(impact_module, "looked", one_task)
    for seed in range(1, 30):
        part, *_ = over_all_hands(old, new, {}, seed=seed, ends=later)
        assert part is not None
        assert not part.complete
        assert whole.looked // step <= part.looked <= whole.looked // step + 1
        parts.append(part)
    assert len({part.changed for part in parts}) > 1, "another seed starts elsewhere"
    share = whole.changed / whole.looked
    shares = [part.changed / part.looked for part in parts]
    assert abs(sum(shares) / len(shares) - share) < 0.1
    again, *_ = over_all_hands(old, new, {}, seed=1, ends=later)
    assert again == parts[0]
    monkeypatch.setattr(impact_module, "looked", looked)
    all_of_them, *_ = over_all_hands(old, new, {}, seed=1, ends=later)
    assert all_of_them == whole
    none, *_ = over_all_hands(old, new, {}, seed=1, ends=0.0)
    assert none is not None
    assert (none.looked, none.complete) == (0, False)
