"""Draws tiles: as Unicode pictures with the notation under them, or as letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

from ruleengine.faces.screen import styled
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR, format_tiles, tile_name, unicode_tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ruleengine.arrange import Arrangement, Group
    from ruleengine.faces.screen import Screen
    from ruleengine.hand import Hand

BACK = "\U0001f02b"
_SUIT_STYLES = ("red", "bright_blue", "green")
_HONOR_STYLES = {FIRST_HONOR + 5: "green", FIRST_HONOR + 6: "red"}
_WON = "bold reverse"

Block = tuple[Text, Text]
"""A group of tiles: the picture, and the notation that goes under it."""


def tile_style(tile: int) -> str:
    """The colour of a tile."""
    if tile < FIRST_HONOR:
        return _SUIT_STYLES[tile // 9]
    if tile >= FIRST_FLOWER:
        return "magenta"
    return _HONOR_STYLES.get(tile, "bold")


def draw_tile(tile: int, screen: Screen, *, won: bool = False, back: bool = False) -> Text:
    """One tile: its picture or its name."""
    if back:
        return styled("##" if screen.plain else BACK, "dim")
    face = tile_name(tile) if screen.plain else unicode_tile(tile)
    return styled(face, _WON if won else tile_style(tile))


def draw_arrangement(arrangement: Arrangement, hand: Hand, screen: Screen) -> list[Block]:
    """The groups of an arrangement, with the winning tile marked by '+'."""
    blocks: list[Block] = []
    if arrangement.loose:
        won = _place(arrangement.loose, hand) if arrangement.winning_group is None else None
        blocks.append(_block(arrangement.loose, screen, won))
    for place, group in enumerate(arrangement.groups):
        won = _place(group.tiles, hand) if place == arrangement.winning_group else None
        blocks.append(_group(group, screen, won))
    return _with_flowers(blocks, hand, screen)


def draw_hand(hand: Hand, screen: Screen) -> list[Block]:
    """A hand as it lies: standing tiles, melds, the winning tile, flowers."""
    blocks = [_block(hand.standing, screen)] if hand.standing else []
    for meld in hand.melds:
        concealed = not meld.claimed
        blocks.append(_block(meld.tiles, screen, None, "()" if concealed else "[]", concealed))
    if hand.winning_tile is not None:
        blocks.append(_block((hand.winning_tile,), screen, 0))
    return _with_flowers(blocks, hand, screen)


def show_blocks(blocks: Sequence[Block], screen: Screen) -> None:
    """Write groups side by side, in as many rows as the width asks for."""
    row: list[Block] = []
    used = 2
    for block in blocks:
        width = max(cell_len(part.plain) for part in block) + 1
        if row and used + width > screen.width:
            _show_row(row, screen)
            row, used = [], 2
        row.append(block)
        used += width
    if row:
        _show_row(row, screen)


def _show_row(row: Sequence[Block], screen: Screen) -> None:
    pictures, notation = Text(" "), Text(" ")
    for picture, text in row:
        width = max(cell_len(picture.plain), cell_len(text.plain))
        for line, part in ((pictures, picture), (notation, text)):
            line.append_text(part)
            line.append(" " * (width - cell_len(part.plain) + 1))
    for line in (pictures,) if screen.plain else (pictures, notation):
        line.rstrip()
        screen.line(line)


def _with_flowers(blocks: list[Block], hand: Hand, screen: Screen) -> list[Block]:
    return [*blocks, _block(hand.flowers, screen)] if hand.flowers else blocks


def _place(tiles: Sequence[int], hand: Hand) -> int | None:
    """Where the winning tile stands among the tiles of its group: the last of its kind."""
    tile = hand.winning_tile
    if tile is None or tile not in tiles:
        return None
    return max(place for place, other in enumerate(tiles) if other == tile)


def _group(group: Group, screen: Screen, won: int | None) -> Block:
    if group.status == "claimed":
        return _block(group.tiles, screen, won, "[]")
    if group.kind == "kong":
        return _block(group.tiles, screen, won, "()", face_down=True)
    return _block(group.tiles, screen, won)


def _block(
    tiles: Sequence[int],
    screen: Screen,
    won: int | None = None,
    brackets: str = "  ",
    face_down: bool = False,
) -> Block:
    picture = Text()
    for place, tile in enumerate(tiles):
        before = "+" if place == won else brackets[0] if place == 0 else " "
        picture.append(before, style="bold" if before == "+" else "dim")
        turned = face_down and place in (0, len(tiles) - 1)
        picture.append_text(draw_tile(tile, screen, won=place == won, back=turned))
    picture.append(brackets[1], style="dim")
    return picture, Text(notation(tiles, won, brackets), style="dim")


def notation(tiles: Iterable[int], won: int | None, brackets: str = "  ") -> str:
    """Tiles of one group in the notation, the winning one apart: `+5m` or `67m+5m`."""
    held = list(tiles)
    mark = f"+{tile_name(held.pop(won))}" if won is not None else ""
    return f"{brackets[0]}{format_tiles(held)}{mark}{brackets[1]}"


def arrangement_text(arrangement: Arrangement, hand: Hand) -> str:
    """An arrangement on one line, the winning tile marked: `67m+5m [789s] 11z`."""
    parts: list[str] = []
    if arrangement.loose:
        at = _place(arrangement.loose, hand) if arrangement.winning_group is None else None
        parts.append(notation(arrangement.loose, at, "  ").strip())
    for place, group in enumerate(arrangement.groups):
        if place == arrangement.winning_group:
            parts.append(notation(group.tiles, _place(group.tiles, hand)).strip())
        else:
            parts.append(str(group))
    return " ".join(parts)
