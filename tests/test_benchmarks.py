"""The benchmark: legal hands, adapters that read them rightly, one run from end to end."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import peers, single
from benchmarks.hands import SETS, WinningHand, make_hands

ROOT = Path(__file__).resolve().parents[1]
HAND = re.compile(
    r"(?P<standing>(?:\d+[mpsz])*)(?P<melds>(?:\[\d+[mpsz]\]|\(\d+[mpsz]\))*)\+(?P<won>\d[mpsz])"
)
ORPHANS = frozenset(["1m", "9m", "1p", "9p", "1s", "9s", *(f"{n}z" for n in range(1, 8))])


def tiles_of(text: str) -> list[str]:
    """``123m1z`` as ``["1m", "2m", "3m", "1z"]``."""
    return [rank + suit for ranks, suit in re.findall(r"(\d+)([mpsz])", text) for rank in ranks]


def parts(hand: WinningHand) -> tuple[list[str], list[tuple[str, list[str]]], str]:
    """Standing tiles, melds (bracket, tiles) and winning tile of canonical notation."""
    match = HAND.fullmatch(hand.text)
    assert match is not None, hand.text
    melds = [(m[0], tiles_of(m)) for m in re.findall(r"[\[(]\w+[\])]", match["melds"])]
    return tiles_of(match["standing"]), melds, match["won"]


def is_run(tiles: list[str]) -> bool:
    """Three consecutive numbers of one suit."""
    suits = {t[1] for t in tiles}
    ranks = [int(t[0]) for t in tiles]
    return len(suits) == 1 and suits != {"z"} and ranks == [ranks[0] + i for i in range(3)]


def splits_into_sets(tiles: list[str]) -> bool:
    """Whether sorted tiles are triplets and runs only."""
    if not tiles:
        return True
    first, rest = tiles[0], tiles[1:]
    if tiles[:3] == [first] * 3 and splits_into_sets(tiles[3:]):
        return True
    run = [first, *(f"{int(first[0]) + i}{first[1]}" for i in (1, 2))]
    if not is_run(run) or run[1] not in rest or run[2] not in rest:
        return False
    rest.remove(run[1])
    rest.remove(run[2])
    return splits_into_sets(rest)


def shape_of(tiles: list[str]) -> str | None:
    """What the tiles that are not melds make, the winning tile included."""
    ordered = sorted(tiles, key=lambda t: (t[1], t[0]))
    if len(tiles) == 14 and set(tiles) == ORPHANS:
        return "thirteen orphans"
    for pair in {t for t in tiles if tiles.count(t) >= 2}:
        rest = ordered.copy()
        rest.remove(pair)
        rest.remove(pair)
        if splits_into_sets(rest):
            return "sets and a pair"
    if len(tiles) == 14 and set(Counter(tiles).values()) == {2}:
        return "seven pairs"
    return None


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("123m456p789s11122z", "sets and a pair"),
        ("111222333m44p", "sets and a pair"),
        ("5m5m", "sets and a pair"),
        ("11335577m2244p66z", "seven pairs"),
        ("11223344556677m", "sets and a pair"),
        ("19m19p19s12345677z", "thirteen orphans"),
        ("1111m3355577m2244p", None),
        ("123m456p789s11123z", None),
        ("891m456p789s11122z", None),
    ],
)
def test_the_splitter_of_this_file_knows_complete_hands(text: str, shape: str | None) -> None:
    assert shape_of(tiles_of(text)) == shape


@pytest.mark.parametrize("name", SETS)
def test_every_hand_is_legal_and_complete(name: str) -> None:
    for hand in make_hands(name, 2000, seed=5):
        standing, melds, won = parts(hand)
        everything = [*standing, *(t for _, tiles in melds for t in tiles), won]
        kongs = sum(len(tiles) == 4 for _, tiles in melds)
        assert len(everything) == 14 + kongs, hand
        assert max(Counter(everything).values()) <= 4, hand
        for bracket, tiles in melds:
            same = len(set(tiles)) == 1
            assert same or is_run(tiles), hand
            assert bracket == "[" or (same and len(tiles) == 4), hand
        assert shape_of([*standing, won]), hand


@pytest.mark.parametrize("name", SETS)
def test_the_notation_is_canonical(name: str) -> None:
    for hand in make_hands(name, 500, seed=6):
        standing = hand.text.partition("+")[0].partition("[")[0].partition("(")[0]
        suits = re.findall(r"[mpsz]", standing)
        assert suits == sorted(set(suits)), hand
        assert all(list(ranks) == sorted(ranks) for ranks in re.findall(r"\d+", standing)), hand


@pytest.mark.parametrize("name", SETS)
def test_the_discarder_is_another_player_and_only_on_a_discard(name: str) -> None:
    hands = make_hands(name, 500, seed=7)
    assert {hand.by for hand in hands} == {"self_draw", "discard"}
    for hand in hands:
        assert hand.seat in "ESWN"
        assert hand.round in "ESWN"
        assert (hand.from_seat is None) == (hand.by == "self_draw")
        assert hand.from_seat is None or (hand.from_seat in "ESWN" and hand.from_seat != hand.seat)


@pytest.mark.parametrize("name", SETS)
def test_a_seed_gives_the_same_different_hands(name: str) -> None:
    hands = make_hands(name, 300, seed=8)
    assert len(set(hands)) == 300
    assert make_hands(name, 300, seed=8) == hands
    assert make_hands(name, 100, seed=8) == hands[:100]
    assert make_hands(name, 300, seed=9) != hands


def test_a_seed_gives_the_same_hands_in_another_process() -> None:
    texts = "[h.text for n in SETS for h in make_hands(n, 50, 8)]"
    code = f"from benchmarks.hands import *; print({texts})"
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert run.stdout.strip() == str([h.text for n in SETS for h in make_hands(n, 50, 8)])


def test_the_random_set_has_the_documented_shares() -> None:
    hands = make_hands("random", 4000, seed=10)
    shapes = Counter(shape_of([*parts(h)[0], parts(h)[2]]) for h in hands)
    assert shapes["sets and a pair"] / 40 == pytest.approx(91, abs=2)
    assert shapes["seven pairs"] / 40 == pytest.approx(6, abs=1.5)
    assert shapes["thirteen orphans"] / 40 == pytest.approx(3, abs=1.2)
    kinds = Counter(
        bracket + str(len(tiles)) + ("" if len(set(tiles)) == 1 else "run")
        for h in hands
        for bracket, tiles in parts(h)[1]
    )
    assert set(kinds) == {"[3run", "[3", "[4", "(4"}
    assert sum(bool(parts(h)[1]) for h in hands) / 40 == pytest.approx(50, abs=5)


def test_tile_ids_are_four_copies_of_34_tiles_and_spare_the_red_fives() -> None:
    # 1m has ids 0-3, 5p 52-55 (4 * (9 + 4)), 9s 104-107, 1z 108-111.
    standing, melds, won = peers.read_tile_ids("1m55p[999s](1111z)+5p")
    assert [i // 4 for i in standing] == [0, 13, 13]
    assert [(claimed, {i // 4 for i in ids}) for claimed, ids in melds] == [
        (True, {26}),
        (False, {27}),
    ]
    assert won // 4 == 13
    assert 52 not in [*standing, won]
    assert len({*standing, *melds[0][1], *melds[1][1], won}) == 3 + 3 + 4 + 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1123456p789s11z+1p", ("1123456p789s11z", "1p", False)),
        ("12m44z[789s][111p]+3m", ("(789s0)(p1p1)12m44z", "3m", False)),
        ("1m[1111p](9999m)[345s]+1m", ("(k1p1)(k9m)(345s0)1m", "1m", True)),
        ("1m(9999m)[345s][222z](5555p)+1m", ("(k9m)(345s0)(p2z1)(k5p)1m", "1m", True)),
        ("4z(1111s)(2222s)(3333s)[1111p]+4z", ("(k1s)(k2s)(k3s)(k1p1)4z", "4z", False)),
    ],
)
def test_riichienv_notation(text: str, expected: tuple[str, str, bool]) -> None:
    assert peers.write_riichienv(text) == expected


def test_mcr_arguments() -> None:
    hand = WinningHand("7m5z[234s](6666z)[7777p]+7m", "discard", "S", "N", "E")
    assert peers.read_gb_arguments(hand) == (
        (("CHI", "T3", 1), ("GANG", "J2", 0), ("GANG", "B7", 1)),
        ("W7", "J3"),
        "W7",
        0,
        False,
        False,
        False,
        False,
        1,
        3,
    )


def is_installed(*modules: str) -> bool:
    """Whether all of ``modules`` can be imported."""
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError:
        return False
    return True


@pytest.mark.skipif(
    not is_installed("mahjong", "riichienv", "MahjongGB"), reason="needs the extra 'bench'"
)
@pytest.mark.parametrize("name", SETS)
def test_the_peers_read_every_hand_alike(name: str) -> None:
    """Two riichi scorers agree on points, by all their ways, but for the fourth, red, five."""
    riichi = [peers.load_mahjong(), peers.load_riichienv()]
    mcr = peers.load_pymahjonggb()
    for hand in make_hands(name, 1000, seed=11):
        assert all(way.score(way.prepare(hand))[0] > 0 for way in mcr.ways)
        fives = Counter(t for t in tiles_of(hand.text) if t in ("5m", "5p", "5s"))
        if 4 not in fives.values():
            points = {way.score(way.prepare(hand))[0] for s in riichi for way in s.ways}
            assert len(points) == 1, (hand, points)


#: Per cent of 1,442,983 wins (houou tables, East-South games of 2016; see benchmarks/README.md).
PUBLISHED = {
    "Menzen Tsumo": 24.18,
    "Tanyao": 22.73,
    "Pinfu": 19.74,
    "Honitsu": 4.34,
    "Iipeiko": 3.82,
    "Sanshoku Doujun": 3.80,
    "Chiitoitsu": 2.66,
    "Toitoi": 1.61,
    "Ittsu": 1.49,
    "Chantai": 0.85,
    "San Ankou": 0.63,
    "Chinitsu": 0.52,
}


@pytest.mark.skipif(not is_installed("mahjong"), reason="needs the extra 'bench'")
def test_the_realistic_set_is_near_the_published_frequencies() -> None:
    way = peers.load_mahjong().ways[0]
    hands = make_hands("realistic", 5000, seed=12)
    found = Counter(str(yaku) for hand in hands for yaku in way.score(hand)[1])
    for name, per_cent in PUBLISHED.items():
        allowed = 0.5 + 0.1 * per_cent
        assert found[name] / 50 == pytest.approx(per_cent, abs=allowed), name


class CountingScorer:
    """A scorer that keeps what it was given."""

    def __init__(self) -> None:
        self.seen: list[WinningHand] = []

    def score(self, hand: WinningHand) -> peers.Outcome:
        """One point for every hand."""
        self.seen.append(hand)
        return 1, ()

    def load(self) -> peers.Scorer:
        """The scorer as the benchmark takes it."""
        way = peers.Way("from text", peers.as_it_is, self.score)
        return peers.Scorer("counting", "1.0", "none", (way,))


def not_installed() -> peers.Scorer:
    """As a peer that is not installed."""
    raise ModuleNotFoundError("No module named 'absent'")


def test_a_run_scores_each_hand_once_and_reports_what_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    counting = CountingScorer()
    candidates = (
        peers.Candidate("counting", counting.load),
        peers.Candidate("absent", not_installed),
    )
    monkeypatch.setattr(single, "CANDIDATES", candidates)
    assert single.main(["--hands", "30", "--repeat", "3"]) == 0
    assert len(counting.seen) == len(SETS) * (single.WARM_UP + 3 * 30)
    assert len(set(counting.seen)) == len(counting.seen)
    output = capsys.readouterr().out
    assert output.count("| counting 1.0 | none | from text |") == len(SETS)
    assert f"absent is not installed, so it is not measured: {peers.INSTALL}" in output


def test_a_misread_hand_stops_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def misread(hand: WinningHand) -> peers.Outcome:
        raise peers.ScorerError(f"careless: {hand.text} is not a win")

    scorer = peers.Scorer("careless", "1.0", "none", (peers.Way("text", peers.as_it_is, misread),))
    monkeypatch.setattr(single, "CANDIDATES", (peers.Candidate("careless", lambda: scorer),))
    assert single.main(["--hands", "5", "--repeat", "1"]) == 1
    assert "careless: " in capsys.readouterr().err


def test_a_number_below_1_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        single.main(["--hands", "0"])
    assert stopped.value.code == 2
    assert "0 is not a number above 0" in capsys.readouterr().err


def engine_loads() -> bool:
    """Whether the engine has ``load`` yet."""
    return is_installed("ruleengine") and hasattr(importlib.import_module("ruleengine"), "load")


@pytest.mark.skipif(not engine_loads(), reason="ruleengine.load cannot be imported")
def test_the_command_runs_end_to_end() -> None:
    command = [sys.executable, "benchmarks/single.py", "--hands", "50", "--repeat", "2"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("| ruleengine ") == len(SETS)
    for name in ("mahjong", "riichienv", "PyMahjongGB"):
        measured = run.stdout.count(f"| {name} ") > 0
        assert measured != (f"{name} is not installed" in run.stdout)
