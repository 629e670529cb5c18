"""Which tiles complete a hand, and what each of them would be worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ruleengine.errors import HandError
from ruleengine.hand import Hand
from ruleengine.tiles import FIRST_FLOWER, tile_name

if TYPE_CHECKING:
    from ruleengine.hand import Situation
    from ruleengine.result import Result
    from ruleengine.rules import Rules


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes the hand: `left` copies of it the hand does not hold."""

    tile: int
    left: int
    result: Result


@dataclass(frozen=True, slots=True)
class Waits:
    """The waits of a hand, in the order of the tiles, and the copies left of all of them."""

    hand: Hand
    waits: tuple[Wait, ...]

    @property
    def left(self) -> int:
        """How many tiles that complete the hand it does not hold."""
        return sum(wait.left for wait in self.waits)

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The tiles that win, as plain values with the names of the contract.

        A tile that completes the hand but leaves it below the minimum does not win.
        """
        winning = [wait for wait in self.waits if wait.result.win]
        return {
            "waits": [
                {
                    "tile": tile_name(wait.tile),
                    "points": wait.result.points,
                    "left": wait.left,
                    "patterns": wait.result.to_json(language)["patterns"],
                }
                for wait in winning
            ],
            "left": sum(wait.left for wait in winning),
        }


def find_waits(rules: Rules, hand: Hand, situation: Situation) -> Waits:
    """The waits of a hand without its winning tile (13 tiles and one more for each kong).

    Each wait is scored in the situation. A tile that completes the shape but stays below the
    minimum is listed with a result that does not win; one that cannot be won on in this
    situation (a robbed kong of a tile that the hand holds) is not listed. Raises `HandError`
    for a hand of another size, and for a situation in which no tile can be won on.
    """
    if hand.winning_tile is not None:
        raise HandError(
            "H207",
            "the hand has its winning tile already",
            "leave out '+' and the tile after it to see what the hand waits for",
        )
    size = rules.data.hand_size
    if hand.size + 1 != size:
        raise HandError(
            "H203",
            f"the hand has {hand.size} of the {size - 1} tiles that wait for a win, "
            "a kong counted as three",
        )
    found: list[Wait] = []
    refused: HandError | None = None
    possible = False
    for tile, copies in sorted(rules.data.wall.copies.items()):
        left = copies - _held(hand, tile)
        if tile >= FIRST_FLOWER or left <= 0:
            continue
        complete = Hand(hand.standing, hand.melds, tile, hand.flowers)
        try:
            result = rules.score_hand(complete, situation)
        except HandError as error:
            refused = refused or error
            possible = possible or error.code == "H205"
            continue
        possible = True
        if result.reason != "not_a_winning_hand":
            found.append(Wait(tile, left, result))
    if refused is not None and not possible:
        raise refused
    return Waits(hand, tuple(found))


def _held(hand: Hand, tile: int) -> int:
    return hand.standing.count(tile) + sum(meld.tiles.count(tile) for meld in hand.melds)
