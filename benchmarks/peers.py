"""The scorers compared, each behind the same two functions.

Every scorer is handed the same :class:`~benchmarks.hands.WinningHand` and gives back what it
counted and what that is worth. *From text* is the whole way: the notation is read and turned into
whatever the scorer takes, within the clock. *Prebuilt* starts from the scorer's own objects, which
are built before the clock starts.

What can be built once for all hands (calculators, rule options, the 32 situations) is built once.
Each peer is called the fastest way that its public interface has; its results are read as far as
points and pattern list. A hand that a scorer does not take for complete raises
:class:`ScorerError`: a scorer that misreads hands must not be timed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import product
from typing import Any

from benchmarks.hands import SEATS, WinningHand

#: Points, and the patterns in the scorer's own form.
Outcome = tuple[int, tuple[object, ...]]
Situation = tuple[str, str, str]

RULESET = "zhongyong-3.3"
SITUATIONS: tuple[Situation, ...] = tuple(product(("self_draw", "discard"), SEATS, SEATS))
INSTALL = 'pip install -e ".[bench]"'


class ScorerError(Exception):
    """A scorer does not take a hand for complete, or cannot be used."""


@dataclass(frozen=True, slots=True)
class Way:
    """One way to call a scorer: ``prepare`` is outside the clock, ``score`` inside."""

    label: str
    prepare: Callable[[WinningHand], Any]
    score: Callable[[Any], Outcome]


@dataclass(frozen=True, slots=True)
class Scorer:
    """A scorer ready to be measured."""

    name: str
    version: str
    rules: str
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A scorer that may be installed; ``load`` raises ``ImportError`` or ``ScorerError``."""

    name: str
    load: Callable[[], Scorer]


def as_it_is(hand: WinningHand) -> WinningHand:
    """The preparation of a scorer that starts from text: none."""
    return hand


# --- this project ---------------------------------------------------------------------------


def load_ours() -> Scorer:
    """The engine under Zung Jung 3.3; it may also be used from an uninstalled checkout."""
    engine = import_module("ruleengine")
    if not hasattr(engine, "load"):
        raise ScorerError("this checkout has no ruleengine.load")
    rules: Any = engine.load(RULESET)

    def score(hand: WinningHand) -> Outcome:
        result = rules.score(
            hand.text, by=hand.by, seat=hand.seat, round=hand.round, from_=hand.from_seat
        )
        if not result.win:
            raise ScorerError(f"ruleengine: {hand.text} is not a win")
        return result.points, tuple(result.patterns)

    try:
        release = version("yaku-engine")
    except PackageNotFoundError:
        release = "(checkout)"
    return Scorer("ruleengine", release, RULESET, (Way("from text", as_it_is, score),))


# --- riichi ---------------------------------------------------------------------------------

FIRST_COPY = {"m": 0, "p": 36, "s": 72, "z": 108}
TileIds = tuple[list[int], list[tuple[bool, list[int]]], int]


def read_tile_ids(text: str) -> TileIds:
    """Notation as tile ids 0..135: standing tiles, melds (claimed?, tiles), winning tile.

    The copies of a tile are given out from the highest id down, as ids 16, 52 and 88 are red
    fives to some scorers.
    """
    last = [3] * 34
    standing: list[int] = []
    melds: list[tuple[bool, list[int]]] = []
    winning: list[int] = []
    into = standing
    digits = ""
    claimed = False
    for char in text:
        if char in FIRST_COPY:
            for digit in digits:
                first = FIRST_COPY[char] + 4 * int(digit) - 4
                into.append(first + last[first >> 2])
                last[first >> 2] -= 1
            digits = ""
        elif char in "[(":
            into = []
            claimed = char == "["
        elif char in "])":
            melds.append((claimed, into))
            into = standing
        elif char == "+":
            into = winning
        else:
            digits += char
    return standing, melds, winning[0]


def load_mahjong() -> Scorer:
    """``mahjong``: riichi in pure Python, open tanyao allowed, otherwise its default options."""
    calculator: Any = import_module("mahjong.hand_calculating.hand").HandCalculator
    config: Any = import_module("mahjong.hand_calculating.hand_config")
    meld: Any = import_module("mahjong.meld").Meld
    winds = dict(zip(SEATS, range(27, 31), strict=True))
    options = config.OptionalRules(has_open_tanyao=True)
    configs = {
        (by, seat, round_wind): config.HandConfig(
            is_tsumo=by == "self_draw",
            player_wind=winds[seat],
            round_wind=winds[round_wind],
            options=options,
        )
        for by, seat, round_wind in SITUATIONS
    }
    estimate = calculator.estimate_hand_value
    no_yaku = calculator.ERR_NO_YAKU
    chow, pung, kong = meld.CHI, meld.PON, meld.KAN

    def build(hand: WinningHand) -> tuple[list[int], int, list[Any], Any]:
        tiles, called, winning_tile = read_tile_ids(hand.text)
        tiles.append(winning_tile)
        melds = []
        for claimed, ids in called:
            kind = kong if len(ids) == 4 else pung if ids[0] >> 2 == ids[1] >> 2 else chow
            melds.append(meld(kind, ids, claimed))
            tiles += ids
        return tiles, winning_tile, melds, configs[hand.by, hand.seat, hand.round]

    def score_built(built: tuple[list[int], int, list[Any], Any]) -> Outcome:
        tiles, winning_tile, melds, situation_config = built
        result = estimate(tiles, winning_tile, melds, None, situation_config)
        if result.error is None:
            return result.cost["total"], tuple(result.yaku)
        if result.error == no_yaku:
            return 0, ()
        raise ScorerError(f"mahjong: {result.error}")

    def score(hand: WinningHand) -> Outcome:
        return score_built(build(hand))

    ways = (Way("from text", as_it_is, score), Way("prebuilt", build, score_built))
    return Scorer("mahjong", version("mahjong"), "riichi", ways)


def write_riichienv(text: str) -> tuple[str, str, bool]:
    """Notation as ``riichienv`` reads it: melds and standing tiles, winning tile, two kongs?

    Its melds are ``(789s0)`` a chow, ``(p9s1)`` a pung, ``(k9s1)`` a claimed kong and ``(k9m)`` a
    concealed kong.
    """
    hand, winning_tile = text.split("+")
    if hand[-1] not in "])":
        return hand, winning_tile, False
    standing = ""
    melds = ""
    kongs = 0
    for part in hand.replace("(", "[(").split("["):
        if not part or part[-1] not in "])":
            standing = part
        elif part[0] == "(":
            melds += f"(k{part[1]}{part[-2]})"
            kongs += 1
        elif len(part) == 6:
            melds += f"(k{part[0]}{part[-2]}1)"
            kongs += 1
        elif part[0] == part[1]:
            melds += f"(p{part[0]}{part[-2]}1)"
        else:
            melds += f"({part[:-1]}0)"
    return melds + standing, winning_tile, kongs == 2


def load_riichienv() -> Scorer:
    """``riichienv``: riichi in Rust, from its own text form, default options.

    With two kongs its reader of complete hands adds the winning tile once more, so these hands
    are given without the winning tile, which it then adds rightly.
    """
    library: Any = import_module("riichienv")
    winds = dict(zip(SEATS, range(4), strict=True))
    conditions = {
        (by, seat, round_wind): library.Conditions(
            tsumo=by == "self_draw", player_wind=winds[seat], round_wind=winds[round_wind]
        )
        for by, seat, round_wind in SITUATIONS
    }
    evaluator = library.HandEvaluator
    from_complete, from_waiting = evaluator.calc_from_text, evaluator.hand_from_text
    tile_id = import_module("riichienv.convert").mpsz_to_tid
    parse_hand = library.parse_hand

    def read(result: Any) -> Outcome:
        if not result.has_win_shape:
            raise ScorerError("riichienv: not a complete hand")
        if not result.is_win:
            return 0, ()
        dealer, others = result.tsumo_agari_oya, result.tsumo_agari_ko
        points = result.ron_agari or (dealer + 2 * others if dealer else 3 * others)
        return points, tuple(result.yaku)

    def score(hand: WinningHand) -> Outcome:
        text, winning_tile, two_kongs = write_riichienv(hand.text)
        given = conditions[hand.by, hand.seat, hand.round]
        if two_kongs:
            return read(from_waiting(text).calc(tile_id(winning_tile), None, given))
        return read(from_complete(text + winning_tile, None, given))

    def build(hand: WinningHand) -> tuple[Any, int, Any]:
        text, winning_tile, two_kongs = write_riichienv(hand.text)
        given = conditions[hand.by, hand.seat, hand.round]
        if two_kongs:
            return from_waiting(text), tile_id(winning_tile), given
        tiles, melds = parse_hand(text + winning_tile)
        return evaluator(sorted(tiles), melds), tiles[-1], given

    def score_built(built: tuple[Any, int, Any]) -> Outcome:
        hand, winning_tile, given = built
        return read(hand.calc(winning_tile, None, given))

    ways = (Way("from text", as_it_is, score), Way("prebuilt", build, score_built))
    return Scorer("riichienv", version("riichienv"), "riichi", ways)


# --- Chinese official rules (MCR) -----------------------------------------------------------

GB_TILES = {
    "m": [f"W{rank}" for rank in range(10)],
    "p": [f"B{rank}" for rank in range(10)],
    "s": [f"T{rank}" for rank in range(10)],
    "z": ["", "F1", "F2", "F3", "F4", "J3", "J2", "J1"],
}
GbArguments = tuple[Any, ...]


def read_gb_arguments(hand: WinningHand) -> GbArguments:
    """The arguments of ``MahjongFanCalculator`` for a hand.

    A chow is named by its middle tile and which tile of it was claimed; a kong "offered" by
    nobody is concealed.
    """
    standing: list[str] = []
    packs: list[tuple[str, str, int]] = []
    winning: list[str] = []
    into = standing
    digits = ""
    for char in hand.text:
        if char in GB_TILES:
            names = GB_TILES[char]
            into += [names[int(digit)] for digit in digits]
            digits = ""
        elif char in "[(":
            into = []
        elif char == ")":
            packs.append(("GANG", into[0], 0))
            into = standing
        elif char == "]":
            if len(into) == 4:
                packs.append(("GANG", into[0], 1))
            else:
                packs.append(("PENG" if into[0] == into[1] else "CHI", into[1], 1))
            into = standing
        elif char == "+":
            into = winning
        else:
            digits += char
    return (
        tuple(packs),
        tuple(standing),
        winning[0],
        0,
        hand.by == "self_draw",
        False,
        False,
        False,
        SEATS.index(hand.seat),
        SEATS.index(hand.round),
    )


def load_pymahjonggb() -> Scorer:
    """``PyMahjongGB``: Chinese official rules in C++; it knows no minimum of 8 points."""
    calculate = import_module("MahjongGB").MahjongFanCalculator

    def score_built(arguments: GbArguments) -> Outcome:
        fans = calculate(*arguments)
        return sum(points for points, _ in fans), fans

    def score(hand: WinningHand) -> Outcome:
        return score_built(read_gb_arguments(hand))

    ways = (Way("from text", as_it_is, score), Way("prebuilt", read_gb_arguments, score_built))
    return Scorer("PyMahjongGB", version("PyMahjongGB"), "MCR", ways)


CANDIDATES: tuple[Candidate, ...] = (
    Candidate("ruleengine", load_ours),
    Candidate("mahjong", load_mahjong),
    Candidate("riichienv", load_riichienv),
    Candidate("PyMahjongGB", load_pymahjonggb),
)
