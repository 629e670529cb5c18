"""Shows explanations: what counts and by which tiles, what does not and why, every reading."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ruleengine.counterfactual import near_misses
from ruleengine.explain import evidence, failed_parts, sentence_words
from ruleengine.faces.changes import change_words
from ruleengine.faces.pictures import arrangement_text
from ruleengine.faces.scores import (
    awards_words,
    no_win_words,
    pattern_name,
    show_head,
    show_patterns,
)
from ruleengine.faces.screen import styled
from ruleengine.tiles import TILE_INDEX, format_tiles, tile_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.counterfactual import Change
    from ruleengine.explain import Explanation, FailedPart
    from ruleengine.faces.screen import Screen
    from ruleengine.hand import Hand
    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Pattern
    from ruleengine.weigh import Verdict, Weighed

_MOST_NEAR = 5
_MOST_READINGS = 8


def show_explanation(found: Explanation, screen: Screen, *, everything: bool = False) -> None:
    """Write why a hand is worth what it is; with `everything`, all that is not there too."""
    result = found.result
    show_head(result, screen)
    screen.line()
    if found.chosen is None:
        _show_no_shape(result, screen)
        return
    show_patterns(result, screen)
    if not result.win:
        screen.line()
        screen.line(Text(no_win_words(result, screen), style="bold"))
    verdicts = found.chosen.verdicts
    lost = [v for v in verdicts if v.state not in ("counted", "not_met")]
    absent = [v for v in verdicts if v.state == "not_met"]
    if found.chosen.counted:
        screen.heading(screen.say("counts"))
        _show_verdicts(found.chosen.counted, result.rules, screen)
    if lost:
        screen.heading(screen.say("lost"))
        _show_verdicts(lost, result.rules, screen)
    near = _near(result, absent)
    if near:
        screen.heading(screen.say("near"))
        _show_near(near, result, screen)
    if everything:
        screen.heading(screen.say("not_met"))
        _show_verdicts(absent, result.rules, screen)
    _show_readings(found, screen)
    if not everything and absent:
        screen.line()
        screen.line(Text(screen.say("hidden", n=len(absent)), style="dim"))


# ---- patterns ----------------------------------------------------------------------


def _show_verdicts(verdicts: Sequence[Verdict], rules: Rules, screen: Screen) -> None:
    for verdict in verdicts:
        screen.line(_title(verdict.pattern, _worth(verdict, rules, screen), screen), indent=2)
        for reason in reasons(verdict, rules, screen):
            screen.line(reason, indent=4, hang=2)


def _title(pattern: Pattern, worth: str, screen: Screen) -> Text:
    code = f"{pattern.code} " if pattern.code else ""
    title = styled(f"{code}{pattern_name(pattern, screen.language)}", "bold")
    if worth:
        title.append(f"  {worth}")
    return title


def _worth(verdict: Verdict, rules: Rules, screen: Screen) -> str:
    if not verdict.count:
        return points_text(verdict.pattern, screen)
    worth = awards_words(rules, _given(verdict, rules), verdict.pattern)
    if verdict.count == 1:
        return worth
    return f"{worth} ({screen.sign('×', 'x')}{verdict.count})"


def _given(verdict: Verdict, rules: Rules) -> tuple[int, ...]:
    """What a pattern awards in the units that it awards."""
    return tuple(
        award
        for award, unit in zip(verdict.awards, rules.data.units, strict=True)
        if unit in verdict.pattern.awards
    )


def points_text(pattern: Pattern, screen: Screen) -> str:
    """What a pattern is worth, in the words of the ruleset."""
    several = len(pattern.awards) > 1 or "points" not in pattern.awards
    parts = [
        " ".join(sentence.text.split()) + (f" {unit}" if several else "")
        for unit, sentence in pattern.awards.items()
    ]
    text = ", ".join(parts)
    return screen.say("of_each", n=text) if pattern.times is not None else text


def reasons(verdict: Verdict, rules: Rules, screen: Screen) -> list[Text]:
    """Why a pattern counts, is lost or is not there: a line each."""
    if verdict.state == "not_met":
        return [_failed_words(part, screen) for part in failed_parts(verdict)]
    line = styled(sentence_words(verdict.pattern), "cyan")
    rested = _evidence(*evidence(verdict))
    if rested:
        line.append(f"  {screen.sign('→', '->')} {rested}")
    if verdict.lost_to is None:
        return [line]
    other = pattern_name(rules.data.patterns[verdict.lost_to], screen.language)
    return [line, Text(screen.say(verdict.state, pattern=other))]


def _evidence(groups: Sequence[str], tiles: Sequence[str]) -> str:
    if groups:
        return " ".join(groups)
    return _tiles(tiles)


def _tiles(names: Sequence[str]) -> str:
    return format_tiles(TILE_INDEX[name] for name in names)


def _failed_words(part: FailedPart, screen: Screen) -> Text:
    line = styled(part.sentence, "cyan")
    line.append(f"  {screen.sign('✗', '!')} ", style="red")
    what = _evidence(part.groups, part.tiles)
    if isinstance(part.value, bool):
        word = "only_there" if part.is_template else "because_of"
        words = screen.say(word, what=what) if what else screen.say("not_so")
    else:
        words = screen.say("found_number", n=part.value)
        if what:
            words += f" ({what})"
    return line.append(words)


# ---- near misses -------------------------------------------------------------------


def _near(result: Result, absent: Sequence[Verdict]) -> list[tuple[Verdict, Change]]:
    """Patterns that are one tile or meld away and would make the hand worth more."""
    changes = near_misses(result)
    found = [
        (verdict, changes[verdict.pattern.id])
        for verdict in absent
        if verdict.pattern.id in changes
        and changes[verdict.pattern.id].result.points > result.points
    ]
    found.sort(key=lambda one: -one[1].result.points)
    return found[:_MOST_NEAR]


def _show_near(near: Sequence[tuple[Verdict, Change]], result: Result, screen: Screen) -> None:
    for verdict, change in near:
        worth = points_text(verdict.pattern, screen)
        screen.line(_title(verdict.pattern, worth, screen), indent=2)
        for part in failed_parts(verdict):
            screen.line(_failed_words(part, screen), indent=4, hang=2)
        screen.line(_change_line(change, result, screen), indent=4, hang=2)


def _change_line(change: Change, result: Result, screen: Screen) -> str:
    words = change_words(change, result, screen)
    arrow = screen.sign("→", "->")
    return f"{words} {arrow} {screen.points(change.result.points)}"


# ---- readings ----------------------------------------------------------------------


def _show_readings(found: Explanation, screen: Screen) -> None:
    screen.heading(screen.say("arrangements"))
    assert found.chosen is not None
    others = sorted(
        (one for one in found.weighed if one is not found.chosen), key=lambda one: -one.total
    )
    rows: list[list[Text | str]] = [_reading(found.chosen, found, screen)]
    rows += [_reading(one, found, screen) for one in others[: _MOST_READINGS - 1]]
    screen.columns(rows, right=frozenset({0}))
    hidden = len(others) - (_MOST_READINGS - 1)
    if hidden > 0:
        screen.line(screen.say("batch_more", n=hidden), indent=2)


def _reading(one: Weighed, found: Explanation, screen: Screen) -> list[Text | str]:
    chosen = one is found.chosen
    style = "bold" if chosen else ""
    text = arrangement_text(one.arrangement, found.result.hand)
    if chosen:
        what = _why_chosen(found, screen)
    else:
        names = [pattern_name(v.pattern, screen.language) for v in one.counted]
        what = screen.say("comma").join(names) or screen.say("chicken")
    return [Text(str(one.total), style=style), Text(text, style=style), what]


def _why_chosen(found: Explanation, screen: Screen) -> str:
    assert found.chosen is not None
    if len(found.weighed) == 1:
        return screen.say("chosen_only")
    best = sum(one.total == found.chosen.total for one in found.weighed)
    return screen.say("chosen_highest" if best == 1 else "chosen_first")


# ---- hands without a shape ---------------------------------------------------------


def _show_no_shape(result: Result, screen: Screen) -> None:
    screen.line(Text(screen.say("not_a_winning_hand"), style="bold"))
    data = result.rules.data
    names = [
        (data.shape_names[id].get(screen.language) if id in data.shape_names else "") or id
        for id in data.shapes
    ]
    shapes = screen.say("comma").join(names)
    screen.line(screen.say("no_shape", shapes=shapes))
    waits = waits_without(result.rules, result.hand)
    assert result.hand.winning_tile is not None
    tile = tile_name(result.hand.winning_tile)
    if waits:
        shown = screen.say("comma").join(tile_name(wait) for wait in waits)
        screen.line(screen.say("would_win_on", tile=tile, tiles=shown))


def waits_without(rules: Rules, hand: Hand) -> tuple[int, ...]:
    """The tiles that the rest of a hand waits for, its winning tile aside."""
    from dataclasses import replace

    from ruleengine.errors import HandError
    from ruleengine.hand import Situation
    from ruleengine.waits import find_waits

    try:
        found = find_waits(rules, replace(hand, winning_tile=None), Situation())
    except HandError:
        return ()
    return tuple(wait.tile for wait in found.waits)


# ---- one pattern -------------------------------------------------------------------


def show_pattern_verdict(
    found: Explanation, pattern: Pattern, changes: Sequence[Change], screen: Screen
) -> None:
    """Write what became of one pattern, and what would make it count."""
    result = found.result
    show_head(result, screen)
    screen.line()
    screen.line(_title(pattern, points_text(pattern, screen), screen))
    doc = pattern.doc.get(screen.language)
    if doc:
        screen.line(doc, indent=2)
    screen.line(
        Text(screen.say("sentence") + screen.say("colon")).append(
            sentence_words(pattern), style="cyan"
        ),
        indent=2,
        hang=2,
    )
    screen.line()
    verdict = found.verdict(pattern.id)
    if verdict is None:
        _show_no_shape(result, screen)
    else:
        _show_state(verdict, result, screen)
    if not changes:
        counts = result.win and verdict is not None and verdict.state == "counted"
        if not counts:
            screen.line()
            screen.line(screen.say("no_change"))
        return
    screen.heading(screen.say("changes"))
    rows = [[_change_line(change, result, screen), str(change.result.hand)] for change in changes]
    screen.columns(rows)


def _show_state(verdict: Verdict, result: Result, screen: Screen) -> None:
    name = pattern_name(verdict.pattern, screen.language)
    state = {"counted": "state_counted", "not_met": "state_not_met"}.get(verdict.state)
    words = screen.say(state or "state_lost")
    line = styled(screen.say("state", pattern=name, state=words), "bold")
    if verdict.count:
        line.append(f"  {_worth(verdict, result.rules, screen)}")
    screen.line(line)
    for reason in reasons(verdict, result.rules, screen):
        screen.line(reason, indent=2, hang=2)
    if not result.win:
        screen.line(no_win_words(result, screen), indent=2)
