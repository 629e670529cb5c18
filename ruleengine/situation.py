"""Checks that a win can have come as it is said to: by the nature of the game and by the events
of the ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import suggest, there_are
from ruleengine.errors import HandError, quote
from ruleengine.hand import Hand, check_robbed_kong, check_wall
from ruleengine.language import meaning as m
from ruleengine.language.interpret import Scene, trace
from ruleengine.language.vocabulary import WAYS
from ruleengine.notation import read_tiles
from ruleengine.tiles import SEATS, TILE_COUNT, tile_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ruleengine.hand import Situation
    from ruleengine.language.interpret import Trace
    from ruleengine.ruleset.model import Event, RulesetData

_SEAT_WORDS: Mapping[str, tuple[str, ...]] = {
    "E": ("e", "east", "東", "东", "1z"),
    "S": ("s", "south", "南", "2z"),
    "W": ("w", "west", "西", "3z"),
    "N": ("n", "north", "北", "4z"),
}
_ALL_TILES = range(TILE_COUNT)
_MOST_DORA = 5
"""How often one tile can be dora: four times by its indicators, once by its color."""


def check_seats(situation: Situation, data: RulesetData) -> None:
    """Check way, seats and liability. Raises `HandError` H301 to H306."""
    by = situation.by
    if by not in WAYS:
        meant = suggest(by, WAYS)
        help_line = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(WAYS)}"
        raise HandError("H301", f"{quote(by)} is not a way of winning", help_line)
    for what, seat in (
        ("seat", situation.seat),
        ("round", situation.round),
        ("from", situation.from_seat),
    ):
        if seat is not None and not _is_seat(seat):
            message = f"{quote(seat)} is not a wind: '{what}' is one of E, S, W and N"
            raise HandError("H302", message, _seat_help(seat))
    if situation.from_seat is not None:
        if by == "self_draw":
            raise HandError("H303", "on a self-draw nobody discards, so there can be no 'from'")
        if situation.from_seat == situation.seat:
            raise HandError("H304", "'from' names the winner, who cannot have given the tile away")
    if situation.liable is not None:
        _check_liable(situation, situation.liable, data)


def _is_seat(seat: str) -> bool:
    return len(seat) == 1 and seat in SEATS


def _seat_help(seat: str) -> str | None:
    """What was surely meant by something that is no seat."""
    for letter, words in _SEAT_WORDS.items():
        if seat.strip().casefold() in words:
            return f"write {letter}"
    return None


def _check_liable(situation: Situation, liable: str, data: RulesetData) -> None:
    if liable != "none" and not _is_seat(liable):
        message = f"{quote(liable)} is no seat: 'liable' is one of E, S, W, N and none"
        raise HandError("H305", message, _seat_help(liable))
    if situation.by == "self_draw":
        raise HandError("H305", "on a self-draw nobody is liable, so there can be no 'liable'")
    if liable == situation.seat:
        help_line = "where the winner discarded the tile first, liable is none"
        if not data.liability.nobody:
            help_line = "'liable' names another player"
        raise HandError("H305", "'liable' names the winner, who pays nothing", help_line)
    if liable == "none":
        if not data.liability.nobody:
            message = f"under {data.id} somebody is always liable for a win on another's tile"
            raise HandError("H306", message)
    elif not data.liability.moves and situation.from_seat not in (None, liable):
        message = f"under {data.id} the discarder is always liable, so 'liable' can only be 'from'"
        raise HandError("H306", message)


def check_any_hand(situation: Situation, flowers: tuple[int, ...], data: RulesetData) -> None:
    """Check that some hand with these flowers can be won in a situation, as far as that can be said
    without its other tiles. Raises `HandError` for one that no hand can be won in."""
    check_seats(situation, data)
    indicators = situation.dora if isinstance(situation.dora, tuple) else ()
    check_wall(Hand((), (), None, flowers), data.wall.copies, indicators)
    _check_dora(situation, data)
    _check_known(situation, data)


def check_events(
    hand: Hand,
    situation: Situation,
    data: RulesetData,
    options: Mapping[str, int | bool],
    dora: int = 0,
    waits: Callable[[], int] = lambda: 0,
) -> None:
    """Check that the events of a win can have been. Raises `HandError` H307 or H308.

    `dora` is how many dora tiles the hand holds, `waits` says how many different tiles complete
    it: what an event needs may speak of both.
    """
    _check_known(situation, data)
    needing = [name for name in sorted(situation.events) if data.events[name].needs is not None]
    if not needing:
        return
    seat_flowers = data.wall.seat_flowers.get(situation.seat, 0)
    scenes = [
        Scene(
            hand,
            situation.by,
            situation.seat,
            situation.round,
            situation.events,
            options,
            seat_flowers=seat_flowers,
            dora=dora,
            waits=waits,
            roles=roles,
        )
        for roles in _possible_roles(situation)
    ]
    for name in needing:
        _check_event(data.events[name], scenes, data)


def _check_known(situation: Situation, data: RulesetData) -> None:
    """Check that the events of a win are events of a ruleset. Raises `HandError` H307."""
    for name in sorted(situation.events):
        if name not in data.events:
            meant = suggest(name, data.events)
            help_line = f"did you mean '{meant}'?" if meant else there_are(data.events, name)
            raise HandError("H307", f"{data.id} has no event {quote(name)}", help_line)


def _check_event(event: Event, scenes: list[Scene], data: RulesetData) -> None:
    if event.needs is None:
        return
    failed: Trace | None = None
    for scene in scenes:
        found = trace(event.needs.meaning, scene)
        if found.value:
            return
        failed = failed or found
    text = event.needs.text
    part = _failed_words(failed, text, data) if failed else None
    whole = _one_line(text)
    told = event.doc.get().strip().rstrip(".")
    named = f"'{event.id}' ({told})" if told else f"'{event.id}'"
    message = f"the event {named} cannot have been here"
    help_line = f"it needs: {whole}"
    if part is not None and part != whole:
        help_line = f"this is not so: {part}"
    raise HandError("H308", message, help_line)


def _possible_roles(situation: Situation) -> list[dict[str, int]]:
    """Who won and who discarded; where the discarder is not named, once for each who may be."""
    seats: list[str | None] = [situation.from_seat]
    if situation.from_seat is None and situation.by != "self_draw":
        seats = [seat for seat in SEATS if seat != situation.seat]
    winner = 1 << SEATS.index(situation.seat)
    found: list[dict[str, int]] = []
    for seat in seats:
        discarder = 0 if seat is None else 1 << SEATS.index(seat)
        liable = discarder
        if situation.liable is not None:
            liable = 0 if situation.liable == "none" else 1 << SEATS.index(situation.liable)
        found.append({"winner": winner, "discarder": discarder, "liable": liable})
    return found


def _failed_words(failed: Trace, text: str, data: RulesetData) -> str | None:
    """The innermost part of a false sentence that made it false, as written."""
    found = failed
    while True:
        if isinstance(found.meaning, m.All) and found.parts:
            found = found.parts[-1]
        elif isinstance(found.meaning, m.Reference) and found.meaning.name in data.terms:
            text = data.terms[found.meaning.name].text
            found = found.parts[0]
        else:
            break
    source = found.meaning.source
    return _one_line(text[source.start : source.end]) or None


def _one_line(text: str) -> str:
    return " ".join(text.split())


def check_last_tile(hand: Hand, situation: Situation, data: RulesetData) -> None:
    """Check that the tile that won can have come as it is said to.

    A robbed kong has all four of its tiles; and who bears a discarder's duty without having
    discarded the winning tile discarded another one of it before, in the same turn. Raises
    `HandError` H205 or H315.
    """
    check_robbed(hand, situation)
    liable, tile = situation.liable, hand.winning_tile
    if tile is None or liable is None or situation.by != "discard":
        return
    if liable != "none" and situation.from_seat in (None, liable):
        return
    indicators = situation.dora if isinstance(situation.dora, tuple) else ()
    held = (
        hand.standing.count(tile)
        + sum(meld.tiles.count(tile) for meld in hand.melds)
        + indicators.count(tile)
        + 1
    )
    if held + 1 > data.wall.copies.get(tile, 0):
        who = "the winner" if liable == "none" else liable
        name = tile_name(tile)
        where = "the hand and the dora indicators have" if tile in indicators else "the hand has"
        message = (
            f"'liable' cannot be {liable}: {who} would have discarded another {name} in this turn, "
            f"but {where} all of them"
        )
        raise HandError("H315", message)


def check_robbed(hand: Hand, situation: Situation) -> None:
    """Check that a robbed kong can have been one. Raises `HandError` H205."""
    if situation.by == "robbing_kong":
        indicators = situation.dora if isinstance(situation.dora, tuple) else ()
        check_robbed_kong(hand, indicators)


def read_dora(dora: object) -> int | tuple[int, ...] | None:
    """Dora as given in a record: a number, or indicators as tiles.

    Raises `HandError` H310 for anything else, H101 to H105 for indicators that are no tiles.
    """
    if dora is None or (isinstance(dora, int) and not isinstance(dora, bool)):
        return dora
    if isinstance(dora, str):
        digits = dora.strip()
        if digits.isascii() and digits.isdigit() and len(digits) <= 3:
            return int(digits)
        return read_tiles(dora, "dora")
    if isinstance(dora, tuple) and all(type(tile) is int and tile in _ALL_TILES for tile in dora):
        return dora
    raise HandError("H310", "dora are a number of dora tiles, or indicators such as 5m2z")


def count_dora(hand: Hand, situation: Situation, data: RulesetData) -> int:
    """How many dora tiles a hand holds; an indicator that is turned twice counts twice.

    Raises `HandError` H309 where the ruleset has no dora, or for an indicator that is none.
    """
    dora = situation.dora
    if dora is None:
        return 0
    _check_dora(situation, data)
    held = [*hand.standing, *(tile for meld in hand.melds for tile in meld.tiles), *hand.flowers]
    if hand.winning_tile is not None:
        held.append(hand.winning_tile)
    if isinstance(dora, int):
        if not 0 <= dora <= _MOST_DORA * len(held):
            shown = dora if abs(dora) < 1000 else "so many"
            raise HandError("H309", f"a hand cannot hold {shown} dora tiles")
        return dora
    return sum(held.count(data.wall.dora[indicator]) for indicator in dora)


def _check_dora(situation: Situation, data: RulesetData) -> None:
    """Check that a ruleset has dora, if a win has, and their indicators. Raises `HandError`
    H309."""
    if situation.dora is None:
        return
    if not data.wall.dora:
        raise HandError("H309", f"{data.id} is played without dora")
    for indicator in situation.dora if isinstance(situation.dora, tuple) else ():
        if indicator not in data.wall.dora:
            message = f"{tile_name(indicator)} is no dora indicator under {data.id}"
            raise HandError("H309", message)
