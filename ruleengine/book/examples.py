"""Example hands as they lie on the table, with what the engine makes of them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ruleengine.book.labels import label
from ruleengine.errors import HandError
from ruleengine.faces.dora import dora_words
from ruleengine.language import meaning as m
from ruleengine.language.interpret import trace
from ruleengine.language.words import marked
from ruleengine.record import score_record
from ruleengine.tiles import TILE_INDEX
from ruleengine.weigh import scene_of, weigh

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.arrange import Arrangement
    from ruleengine.hand import Hand
    from ruleengine.language.interpret import Scene, Trace
    from ruleengine.language.words import Speaker
    from ruleengine.result import Result
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Example, Pattern


@dataclass(frozen=True, slots=True)
class Laid:
    """Tiles that lie together. `won` is the place of the winning tile among them."""

    tiles: tuple[int, ...]
    claimed: bool = False
    concealed_kong: bool = False
    won: int | None = None


@dataclass(frozen=True, slots=True)
class ShownHand:
    """An example: the tiles, how it was won, its points, and why.

    `text` is the hand in notation. `why` is what the ruleset says, with its language; where it does
    not say it in the language of the book, `sum` says which patterns add to what, and `reason` why
    the pattern is not there (tiles marked), so that no line is in another language.
    """

    text: str
    groups: tuple[Laid, ...]
    situation: str = ""
    points: str = ""
    sum: str = ""
    reason: str = ""
    why: tuple[str, str] | None = None
    error: str = ""
    result: Result | None = field(default=None, compare=False, repr=False)


def shown_example(
    rules: Rules, example: Example, pattern: Pattern, speaker: Speaker, *, hit: bool
) -> ShownHand:
    """An example of a pattern, scored."""
    language = speaker.language
    text = str(example.record.get("hand", ""))
    try:
        result = score_record(rules, example.record)
    except HandError as error:
        return ShownHand(text, (), error=label("cannot_score", language, error.message))
    why = _why(example, language)
    translated = why is not None and why[1] == language
    added = "" if translated else sum_words(result, language)
    reason = "" if translated or hit else _reason(result, pattern, speaker)
    return ShownHand(
        text=str(result.hand),
        groups=laid(result),
        situation=situation_words(result, language),
        points=points_words(result, language),
        sum=added,
        reason=reason,
        why=None if added or reason else why,
        result=result,
    )


def _why(example: Example, language: str) -> tuple[str, str] | None:
    text = example.why.get(language)
    if not text:
        return None
    known = example.why.by_language
    return text, language if known.get(language) == text else next(
        lang for lang, one in known.items() if one == text
    )


# ---- tiles -------------------------------------------------------------------------------------


def laid(result: Result) -> tuple[Laid, ...]:
    """The hand of a result: by its groups, or as it is held where it has no winning shape."""
    hand, arranged = result.hand, result.arranged
    groups = _held(hand) if arranged is None else _arranged(arranged, hand)
    if hand.flowers:
        groups.append(Laid(hand.flowers))
    return tuple(groups)


def _held(hand: Hand) -> list[Laid]:
    groups = [Laid(hand.standing)] if hand.standing else []
    groups += [
        Laid(meld.tiles, claimed=meld.claimed, concealed_kong=not meld.claimed)
        for meld in hand.melds
    ]
    if hand.winning_tile is not None:
        groups.append(Laid((hand.winning_tile,), won=0))
    return groups


def _arranged(arranged: Arrangement, hand: Hand) -> list[Laid]:
    groups: list[Laid] = []
    if arranged.loose:
        inside = arranged.winning_group is None
        groups.append(Laid(arranged.loose, won=_place(arranged.loose, hand) if inside else None))
    for at, group in enumerate(arranged.groups):
        won = _place(group.tiles, hand) if at == arranged.winning_group else None
        kong = group.kind == "kong" and group.status == "concealed"
        groups.append(Laid(group.tiles, group.status == "claimed", kong, won))
    return groups


def _place(tiles: Sequence[int], hand: Hand) -> int | None:
    """Where the winning tile stands: the last of its kind."""
    return max((at for at, tile in enumerate(tiles) if tile == hand.winning_tile), default=None)


# ---- words -------------------------------------------------------------------------------------


def situation_words(
    result: Result, language: str, *, seats: bool = False, counted: bool = True
) -> str:
    """How a hand was won; seats that are not East, or all of them with `seats`. Unless `counted`,
    dora indicators stand without the number of dora that the ruleset makes of them."""
    situation = result.situation

    def say(key: str, **named: object) -> str:
        return label(key, language, **named)

    if situation.from_seat is None:
        how = say(f"by_{situation.by}")
    else:
        how = say(f"from_{situation.by}", seat=say(f"seat_{situation.from_seat}"))
    seat = say(f"seat_{situation.seat}")
    named = seats or situation.seat != "E"
    words = [say("would_win_by", seat=seat, how=how) if named else how]
    if situation.round != "E":
        words.append(say(f"round_{situation.round}"))
    if situation.liable == "none":
        words.append(say("liable_none"))
    elif situation.liable is not None and situation.liable != situation.from_seat:
        words.append(say("liable_seat", seat=say(f"seat_{situation.liable}")))
    for name, event in result.rules.data.events.items():
        if name in situation.events:
            words.append(event.name.get(language) or name)
    words += dora_words(result, language, counted=counted)
    return say("clause").join(words)


def points_words(result: Result, language: str) -> str:
    """What a hand is worth, or that it does not win."""
    if result.reason == "not_a_winning_hand":
        return label("no_win_word", language)
    points = label("point" if result.points == 1 else "points", language, n=result.points)
    if result.reason == "below_minimum":
        return f"{points}{label('clause', language)}{label('below_minimum_word', language)}"
    return points


def sum_words(result: Result, language: str) -> str:
    """The patterns that count and what they add to: `All Sequences 5 + Concealed Hand 5 = 10`."""
    if result.reason == "not_a_winning_hand":
        return label("not_a_winning_hand", language)
    parts: list[str] = []
    for counted in result.patterns:
        times = "" if counted.count == 1 else f" (×{counted.count})"
        worths = [
            f"{award}" if len(result.rules.data.units) == 1 else f"{award} {unit}"
            for award, unit in zip(counted.awards, counted.pattern.awards, strict=False)
        ]
        parts.append(f"{counted.name(language)}{times} {' '.join(worths)}")
    if not parts:
        name = result.rules.data.total.empty_name.get(language) or label("chicken", language)
        parts.append(f"{name} {result.points}")
    words = label("plus", language).join(parts)
    if len(parts) > 1 or result.limit == "cap":
        words += f" = {result.points}"
    if result.limit == "cap":
        bracketed = "({})" if language == "en" else "（{}）"
        words += (" " if language == "en" else "") + bracketed.format(label("cap_word", language))
    return words


# ---- why not -----------------------------------------------------------------------------------


def _reason(result: Result, pattern: Pattern, speaker: Speaker) -> str:
    """Why a pattern is not there, in words, or which pattern counts in its stead."""
    language = speaker.language
    if result.arranged is None:
        return ""
    base = scene_of(result.rules, result.hand, result.situation, result.dora)
    scene = replace(base, arrangement=result.arranged)
    there = {one.pattern.id: one for one in weigh(result.rules, scene, met_only=True).verdicts}
    verdict = there.get(pattern.id)
    if verdict is None:
        failed = [_failed_words(one, speaker) for one in _failed(pattern, scene)]
        if not failed:
            return ""
        return label("fails", language, label("semicolon", language).join(failed))
    if verdict.lost_to is None:
        return ""
    other = result.rules.data.patterns[verdict.lost_to]
    name = other.name.get(language) or other.id
    return label(verdict.state, language, pattern=name)


def _failed(pattern: Pattern, scene: Scene) -> list[Trace]:
    """The parts of a pattern's sentence that are false, with what comes nearest to them."""
    if pattern.when is None:
        return []
    found = trace(pattern.when.meaning, replace(scene, thorough=True))
    return [] if found.value else _false_parts(found)


def _false_parts(trace: Trace) -> list[Trace]:
    if isinstance(trace.meaning, m.All):
        return [inner for part in trace.parts if not part.value for inner in _false_parts(part)]
    if isinstance(trace.meaning, m.Any):
        return [inner for part in trace.parts for inner in _false_parts(part)]
    if isinstance(trace.meaning, m.Reference) and trace.meaning.kind == "term":
        return _false_parts(trace.parts[0])
    return [trace]


def _failed_words(trace: Trace, speaker: Speaker) -> str:
    words = speaker.truth(trace.meaning)
    if isinstance(trace.meaning, m.Compare):
        numbers = [part for part in trace.parts if not isinstance(part.meaning, m.Constant)]
        if len(numbers) == 1:
            return label("found", speaker.language, words=words, n=int(numbers[0].value))
        return words
    what = _evidence(trace)
    return label("because", speaker.language, words=words, what=what) if what else words


def _evidence(trace: Trace) -> str:
    groups = list(dict.fromkeys(trace.groups))
    if groups:
        return " ".join(marked(group.tiles) for group in groups)
    tiles = dict.fromkeys(tile for tile in trace.tiles if tile in TILE_INDEX.values())
    return marked(tiles) if tiles else ""
