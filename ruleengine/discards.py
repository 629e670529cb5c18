"""Who is liable for a win, told by what was discarded before it.

The discards that matter are those since the winner's own last discard, that one included. The
winning discard itself may stand at their end; it changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.errors import HandError, quote
from ruleengine.notation import read_tiles
from ruleengine.tiles import SEATS, tile_name

if TYPE_CHECKING:
    from ruleengine.hand import Hand, Situation
    from ruleengine.ruleset.model import RulesetData

Discard = tuple[str, int]
"""Who discarded, and which tile."""

MOST_DISCARDS = 100
"""How many discards a record may list."""


def read_discards(value: object) -> tuple[Discard, ...]:
    """Discards as given in a record: pairs of a seat and a tile, in the order of play.

    Raises `HandError` H312 for anything else, H101 to H105 or H126 for what is no tile.
    """
    if not isinstance(value, list | tuple) or len(value) > MOST_DISCARDS:
        raise _wrong_kind()
    found: list[Discard] = []
    for pair in value:
        if not isinstance(pair, list | tuple) or len(pair) != 2:
            raise _wrong_kind()
        seat, text = pair
        if not isinstance(text, str) or not isinstance(seat, str) or seat not in tuple(SEATS):
            raise _wrong_kind()
        tiles = read_tiles(text, "a discard")
        if len(tiles) != 1:
            raise HandError("H126", f"a discard is one tile, and {quote(text)} is not")
        found.append((seat, tiles[0]))
    return tuple(found)


def _wrong_kind() -> HandError:
    message = f"'discards' is a list of pairs of a seat and a tile, {MOST_DISCARDS} at most"
    return HandError("H312", message, 'for example: [["S", "5m"], ["W", "9p"]]')


def liable_seat(
    discards: tuple[Discard, ...], hand: Hand, situation: Situation, data: RulesetData
) -> str | None:
    """Who bears the discarder's duty: a seat, `none`, or None where it stays with the discarder.

    `situation` has the winner, the way of winning and, where it is known, the discarder. Raises
    `HandError` H316 for discards that cannot have been, H317 where the winner may not win on a
    tile that he discarded himself.
    """
    if situation.by == "self_draw" or hand.winning_tile is None:
        return None
    winner, tile = situation.seat, hand.winning_tile
    _check(discards, hand, situation, data)
    seats = [seat for seat, discarded in discards if discarded == tile]
    if winner in seats:
        if data.liability.barred:
            name = tile_name(tile)
            message = (
                f"under {data.id} nobody may win on a tile that he discarded himself in the same "
                f"turn, and {winner} discarded {name}"
            )
            raise HandError("H317", message)
        if data.liability.nobody:
            return "none"
    others = [seat for seat in seats if seat != winner]
    if not data.liability.moves or not others or others[0] == situation.from_seat:
        return None
    return others[0]


def before_the_win(
    discards: tuple[Discard, ...], hand: Hand, situation: Situation
) -> tuple[Discard, ...]:
    """Discards without the winning one, which may or may not stand at their end."""
    if discards and discards[-1] == (situation.from_seat, hand.winning_tile):
        return discards[:-1]
    return discards


def _check(
    discards: tuple[Discard, ...], hand: Hand, situation: Situation, data: RulesetData
) -> None:
    """Check that the discards can have been made. Raises `HandError` H316."""
    for place, (seat, discarded) in enumerate(discards):
        name = tile_name(discarded)
        if seat == situation.seat and place:
            message = (
                f"'discards' begin with the winner's own last discard, and number {place + 1} of "
                f"them, {name}, is the winner's too"
            )
            raise HandError("H316", message)
        if discarded not in data.wall.copies:
            message = f"{data.id} is played without {name}, so it was not discarded"
            raise HandError("H316", message)
    before = before_the_win(discards, hand, situation)
    indicators = situation.dora if isinstance(situation.dora, tuple) else ()
    for discarded in {discarded for _, discarded in before}:
        held = hand.standing.count(discarded) + indicators.count(discarded)
        held += sum(meld.tiles.count(discarded) for meld in hand.melds)
        held += discarded == hand.winning_tile
        if situation.by == "robbing_kong" and discarded == hand.winning_tile:
            # Whoever makes the kong claimed one of its tiles at most and held two.
            held += 2
        times = [tile for _, tile in before].count(discarded)
        if held + times > data.wall.copies[discarded]:
            message = (
                f"there are not enough {tile_name(discarded)} for the discards: "
                f"{times} of them besides the {held} of the hand and the win"
            )
            raise HandError("H316", message)
