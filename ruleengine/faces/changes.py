"""Puts a change to a hand into words of any language."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ruleengine.tiles import format_tiles, tile_name

if TYPE_CHECKING:
    from ruleengine.counterfactual import Change
    from ruleengine.faces.screen import Screen
    from ruleengine.hand import Hand
    from ruleengine.result import Result


def change_words(change: Change, result: Result, screen: Screen) -> str:
    """What differs between a hand and the changed one, and how it was won."""
    if change.kind == "circumstance":
        return _circumstance(change, result, screen)
    old, new = result.hand, change.result.hand
    if change.kind == "meld":
        return _meld(old, new, screen)
    assert old.winning_tile is not None
    assert new.winning_tile is not None
    if old.winning_tile != new.winning_tile:
        return screen.say(
            "change_winning_tile", new=tile_name(new.winning_tile), old=tile_name(old.winning_tile)
        )
    before, after = Counter(old.standing), Counter(new.standing)
    gone, come = before - after, after - before
    if old.melds != new.melds:
        lost = [*(Counter(old.melds) - Counter(new.melds))]
        made = [*(Counter(new.melds) - Counter(old.melds))]
        was = str(lost[0]) if lost else format_tiles(gone.elements())
        return screen.say("change_tile", new=str(made[0]), old=was)
    return screen.say("change_tile", new=tile_name(min(come)), old=tile_name(min(gone)))


def _circumstance(change: Change, result: Result, screen: Screen) -> str:
    old, new = result.situation, change.result.situation
    if old.by != new.by:
        return screen.say(f"change_{new.by}")
    if old.seat != new.seat:
        return screen.say("change_seat", seat=screen.say(f"seat_{new.seat}"))
    if old.round != new.round:
        return screen.say("change_round", round=screen.say(f"round_{new.round}"))
    if result.hand.flowers != change.result.hand.flowers:
        return _flower(result.hand, change.result.hand, screen)
    if old.dora != new.dora:
        if isinstance(new.dora, tuple):
            return screen.say("change_indicator", tile=tile_name(new.dora[-1]))
        return screen.say("change_dora", n=new.dora)
    event = min(old.events ^ new.events)
    name = result.rules.data.events[event].name.get(screen.language) or event
    key = "change_event" if event in new.events else "change_no_event"
    return screen.say(key, event=name)


def _flower(old: Hand, new: Hand, screen: Screen) -> str:
    come = Counter(new.flowers) - Counter(old.flowers)
    gone = Counter(old.flowers) - Counter(new.flowers)
    key = "change_flower" if come else "change_no_flower"
    return screen.say(key, flower=tile_name(min(come or gone)))


def _meld(old: Hand, new: Hand, screen: Screen) -> str:
    gone = next(meld for meld in old.melds if Counter(old.melds)[meld] > Counter(new.melds)[meld])
    if len(new.melds) < len(old.melds):
        return screen.say("change_not_claimed", meld=gone)
    return screen.say("change_concealed" if gone.claimed else "change_claimed", meld=gone)
