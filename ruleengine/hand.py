"""A hand, its melds, the situation of a win, and what no hand of a ruleset's wall can be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ruleengine.errors import HandError
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR, TILE_COUNT, format_tiles, tile_name

MeldKind = Literal["sequence", "triplet", "kong"]


@dataclass(frozen=True, slots=True)
class Meld:
    """A set laid open: claimed, or a concealed kong (the only meld with `claimed` False).

    `tile` is the lowest tile. Raises `HandError` H206 for what can be no meld.
    """

    kind: MeldKind
    tile: int
    claimed: bool

    def __post_init__(self) -> None:
        if not self._possible():
            how = "claimed" if self.claimed else "concealed"
            raise HandError(
                "H206", f"there is no {how} {self.kind} that starts with tile number {self.tile}"
            )

    def _possible(self) -> bool:
        if self.kind == "sequence":
            return self.claimed and 0 <= self.tile < FIRST_HONOR and self.tile % 9 <= 6
        if self.kind == "triplet" and not self.claimed:
            return False
        return self.kind in ("triplet", "kong") and 0 <= self.tile < FIRST_FLOWER

    @property
    def tiles(self) -> tuple[int, ...]:
        """The three tiles, or the four of a kong, in order."""
        tile = self.tile
        if self.kind == "sequence":
            return (tile, tile + 1, tile + 2)
        return (tile,) * (4 if self.kind == "kong" else 3)

    def __str__(self) -> str:
        text = format_tiles(self.tiles)
        return f"[{text}]" if self.claimed else f"({text})"


ALL_MELDS: tuple[Meld, ...] = (
    *(Meld("sequence", tile, True) for tile in range(FIRST_HONOR) if tile % 9 <= 6),
    *(Meld("triplet", tile, True) for tile in range(FIRST_FLOWER)),
    *(Meld("kong", tile, True) for tile in range(FIRST_FLOWER)),
    *(Meld("kong", tile, False) for tile in range(FIRST_FLOWER)),
)
"""Every meld there can be."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The tiles of one player.

    `standing` are the tiles in the hand, sorted, without the winning tile and without flowers;
    `melds` stand in the order written; `flowers` are sorted.
    """

    standing: tuple[int, ...]
    melds: tuple[Meld, ...]
    winning_tile: int | None
    flowers: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many tiles the shape has so far: a meld counts as three, flowers do not count."""
        return len(self.standing) + 3 * len(self.melds) + (self.winning_tile is not None)

    def __str__(self) -> str:
        parts = [format_tiles(self.standing + self.flowers), *map(str, self.melds)]
        if self.winning_tile is not None:
            parts.append(f"+{tile_name(self.winning_tile)}")
        return "".join(parts)


@dataclass(frozen=True, slots=True)
class Situation:
    """How a hand was won, besides its tiles.

    Seats are E, S, W, N; `liable` may be `none` too; `dora` is a number of dora tiles in the hand,
    or the indicators as tiles.
    """

    by: str = "self_draw"
    seat: str = "E"
    round: str = "E"
    from_seat: str | None = None
    liable: str | None = None
    events: frozenset[str] = frozenset()
    dora: int | tuple[int, ...] | None = None


def check_hand(
    hand: Hand, wall: Mapping[int, int], size: int, indicators: tuple[int, ...] = ()
) -> None:
    """Check that a winning hand can be dealt from a wall and is complete.

    `wall` says how many there are of each tile (none of a tile it does not name), `size` how many
    tiles a winning hand has, a kong counted as three; `indicators` are dora indicators.
    Raises `HandError` H201 (too many of a tile), H202 (a tile the ruleset does not use),
    H203 (wrong number of tiles), H204 (no winning tile) or H208 (a number that is no such tile).
    """
    _check_numbers(hand)
    check_wall(hand, wall, indicators)
    if hand.winning_tile is None:
        raise _no_winning_tile(hand, size)
    if hand.size != size:
        raise _wrong_size(hand, size)


def check_robbed_kong(hand: Hand, indicators: tuple[int, ...] = ()) -> None:
    """Check that the winning tile can have been robbed from another's kong.

    The kong's owner had the other three tiles, so the winner holds no other and none is a dora
    indicator. Raises `HandError` H205.
    """
    tile = hand.winning_tile
    if tile is None:
        return
    held = hand.standing.count(tile) + sum(meld.tiles.count(tile) for meld in hand.melds)
    if held:
        raise _robbed(tile, f"but the hand holds {held} more of it")
    if tile in indicators:
        raise _robbed(tile, "but it is a dora indicator too")


def _robbed(tile: int, contradiction: str) -> HandError:
    name = tile_name(tile)
    return HandError(
        "H205",
        f"{name} cannot have been robbed from a kong: the kong's owner has the other three {name}, "
        f"{contradiction}",
    )


def _check_numbers(hand: Hand) -> None:
    """Check that tiles are tiles and flowers flowers, as they are in every hand that is read."""
    tiles = hand.standing if hand.winning_tile is None else (*hand.standing, hand.winning_tile)
    for tile in tiles:
        if not 0 <= tile < FIRST_FLOWER:
            raise HandError(
                "H208",
                f"number {tile} is no tile of a hand: those are 0 to {FIRST_FLOWER - 1}; flowers "
                "stand in 'flowers'",
            )
    for tile in hand.flowers:
        if not FIRST_FLOWER <= tile < TILE_COUNT:
            raise HandError(
                "H208",
                f"number {tile} is no flower: those are {FIRST_FLOWER} to {TILE_COUNT - 1}",
            )


def check_wall(hand: Hand, wall: Mapping[int, int], indicators: tuple[int, ...]) -> None:
    """Check that a wall has the tiles of a hand and of dora indicators. Raises `HandError` H201 or
    H202."""
    tiles = [*hand.standing, *hand.flowers, *indicators]
    for meld in hand.melds:
        tiles += meld.tiles
    if hand.winning_tile is not None:
        tiles.append(hand.winning_tile)
    wrong = [tile for tile in set(tiles) if tiles.count(tile) > wall.get(tile, 0)]
    if wrong:
        tile = min(wrong)
        raise _too_many(tile, tiles.count(tile), wall, with_indicators=tile in indicators)


def _too_many(tile: int, held: int, wall: Mapping[int, int], *, with_indicators: bool) -> HandError:
    name = tile_name(tile)
    there_are = wall.get(tile, 0)
    if there_are:
        where = "the hand and the dora indicators have" if with_indicators else "the hand has"
        return HandError(
            "H201", f"{where} {held} of {name}, but there {_be(there_are)} only {there_are}"
        )
    if tile >= FIRST_FLOWER and not any(wall.get(t, 0) for t in wall if t >= FIRST_FLOWER):
        return HandError("H202", f"this ruleset is played without flowers, so {name} cannot occur")
    return HandError("H202", f"this ruleset is played without the tile {name}")


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def _tiles(number: int) -> str:
    return f"{number} tile" if number == 1 else f"{number} tiles"


def _no_winning_tile(hand: Hand, size: int) -> HandError:
    if hand.size == size:
        return HandError(
            "H204",
            f"the hand has {_tiles(size)} but none is marked as the winning tile",
            "put '+' before the winning tile",
        )
    return HandError(
        "H204",
        f"the winning tile is missing: the hand has {_tiles(hand.size)} of {size}, "
        "a kong counted as three",
        f"mark the winning tile with '+', or give the other {size - 1} tiles and winning_tile",
    )


def _wrong_size(hand: Hand, size: int) -> HandError:
    return HandError(
        "H203",
        f"the hand has {_tiles(hand.size)}, the winning tile included and a kong counted as three, "
        f"and must have {size}",
        f"with '+' the winning tile is one of the {size}; without it the hand holds the other "
        f"{size - 1}, and winning_tile gives the last"
        if hand.size == size + 1
        else None,
    )
