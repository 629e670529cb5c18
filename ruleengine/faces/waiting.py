"""Shows the waits of a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ruleengine.faces.pictures import draw_hand, draw_tile, show_blocks
from ruleengine.faces.scores import no_win_words
from ruleengine.tiles import tile_name, tile_words

if TYPE_CHECKING:
    from ruleengine.faces.screen import Screen
    from ruleengine.result import Result
    from ruleengine.waits import Waits


def show_waits(found: Waits, screen: Screen) -> None:
    """Write each tile that completes the hand, what it is worth and how many are left."""
    show_blocks(draw_hand(found.hand, screen), screen)
    screen.line()
    winning = [wait for wait in found.waits if wait.result.win]
    if not winning:
        word = "no_waits_win" if found.waits else "no_waits"
        screen.line(Text(screen.say(word), style="bold"))
    if not found.waits:
        return
    heads = ("waits_for", "left", "points_word", "patterns")
    rows: list[list[Text | str]] = [[Text(screen.say(key), style="bold") for key in heads]]
    for wait in found.waits:
        tile = draw_tile(wait.tile, screen)
        if not screen.plain:
            tile.append(f" {tile_name(wait.tile)}")
        tile.append(f" {tile_words(wait.tile, screen.language)}")
        rows.append([tile, str(wait.left), str(wait.result.points), _patterns(wait.result, screen)])
    screen.columns(rows, right=frozenset({1, 2}), indent=2)
    screen.line()
    if winning:
        screen.line(screen.say("total_left", n=sum(wait.left for wait in winning)))


def _patterns(result: Result, screen: Screen) -> str:
    if not result.win:
        return no_win_words(result, screen)
    times = screen.sign("×", "x")
    names = [
        counted.name(screen.language) + ("" if counted.count == 1 else f" {times}{counted.count}")
        for counted in result.patterns
    ]
    if not names:
        names = [result.rules.data.total.empty_name.get(screen.language) or screen.say("chicken")]
    return screen.say("comma").join(names)
