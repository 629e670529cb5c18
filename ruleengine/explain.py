"""Explains a result: every arrangement, every pattern, and why each came out as it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ruleengine.language import meaning as m
from ruleengine.language.interpret import together
from ruleengine.tiles import tile_name
from ruleengine.weigh import best_of, weigh_all

if TYPE_CHECKING:
    from ruleengine.language.interpret import Trace
    from ruleengine.result import Result
    from ruleengine.ruleset.model import Pattern, Sentence
    from ruleengine.weigh import Verdict, Weighed


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """A result with all that led to it; `chosen` is the arrangement that counts, None where
    the hand has no winning shape. `str()` tells it in lines of text."""

    result: Result
    weighed: tuple[Weighed, ...]
    chosen: Weighed | None

    def __repr__(self) -> str:
        return f"<Explanation of {self.result.hand}: {self.result.points} points>"

    def __str__(self) -> str:
        lines = [f"{self.result.hand}: {self.result.points} points"]
        for verdict in () if self.chosen is None else self.chosen.verdicts:
            name = f"{verdict.pattern.code or ''} {verdict.pattern.name.get()}".strip()
            if verdict.state == "not_met":
                reasons = ", ".join(part.sentence for part in failed_parts(verdict))
                lines.append(f"  not there: {name}: not {reasons}")
                continue
            groups, tiles = evidence(verdict)
            seen = " ".join(groups or tiles)
            what = "counts" if verdict.state == "counted" else f"lost to {verdict.lost_to}"
            lines.append(f"  {what}: {name} {verdict.awards[0]}{f': {seen}' if seen else ''}")
        lines += [f"  read as {one.arrangement}: {one.total}" for one in self.weighed]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

    def verdict(self, pattern: str) -> Verdict | None:
        """What became of a pattern on the chosen arrangement. Raises `KeyError` for no pattern."""
        self.result.rules.data.patterns[pattern]
        if self.chosen is None:
            return None
        return next(v for v in self.chosen.verdicts if v.pattern.id == pattern)

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The explanation as plain values."""
        return {
            "result": self.result.to_json(language),
            "arrangements": [
                {
                    "arrangement": str(one.arrangement),
                    "shape": one.arrangement.shape,
                    "winning_group": _winning_group(one),
                    "total": one.total,
                    "limit": one.limit,
                    "chosen": one is self.chosen,
                    "patterns": [verdict_json(verdict, language) for verdict in one.verdicts],
                }
                for one in self.weighed
            ],
        }


def explain(result: Result) -> Explanation:
    """Weigh every arrangement of a scored hand again, with reasons."""
    weighed = weigh_all(result.rules, result.hand, result.situation, result.dora, thorough=True)
    return Explanation(result, tuple(weighed), best_of(weighed))


def _winning_group(one: Weighed) -> str | None:
    place = one.arrangement.winning_group
    return None if place is None else str(one.arrangement.groups[place])


def verdict_json(verdict: Verdict, language: str = "en") -> dict[str, Any]:
    """A verdict as plain values."""
    found: dict[str, Any] = {
        "id": verdict.pattern.id,
        "code": verdict.pattern.code,
        "name": verdict.pattern.name.get(language) or verdict.pattern.id,
        "state": verdict.state,
        "count": verdict.count,
        "points": verdict.awards[0],
    }
    if verdict.lost_to is not None:
        found["lost_to"] = verdict.lost_to
    groups, tiles = evidence(verdict)
    if verdict.state != "not_met":
        found["groups"] = list(groups)
        found["tiles"] = list(tiles)
    else:
        found["failed"] = [
            {
                "sentence": part.sentence,
                "value": part.value,
                "groups": list(part.groups),
                "tiles": list(part.tiles),
            }
            for part in failed_parts(verdict)
        ]
    return found


def evidence(verdict: Verdict) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The groups and the tiles that a verdict rests on, as text."""
    rested = [one for one in (verdict.when, verdict.times) if one is not None]
    groups = together(*(one.groups for one in rested))
    tiles = tuple(tile_name(tile) for one in rested for tile in one.tiles)
    return tuple(map(str, groups)), tiles


@dataclass(frozen=True, slots=True)
class FailedPart:
    """A part of a sentence that keeps a pattern from being there.

    `sentence` is in the words of the ruleset; `value` is the number that it compares, else its
    truth; `groups` and `tiles` are those that it found or that broke it. Of a template
    (`has ...`) they are the most that fit it together.
    """

    sentence: str
    value: int | bool | str
    groups: tuple[str, ...]
    tiles: tuple[str, ...]
    is_template: bool = False


def failed_parts(verdict: Verdict) -> list[FailedPart]:
    """The innermost parts of a pattern's sentence that make it false."""
    pattern = verdict.pattern
    if verdict.when is not None and not verdict.when.value:
        assert pattern.when is not None
        return _failed(verdict.when, pattern.when.text)
    if verdict.times is not None and pattern.times is not None:
        return [_part(verdict.times, pattern.times.text, verdict.times.value)]
    return []


def _failed(trace: Trace, text: str) -> list[FailedPart]:
    meaning = trace.meaning
    if isinstance(meaning, m.All):
        return [found for part in trace.parts if not part.value for found in _failed(part, text)]
    if isinstance(meaning, m.Any):
        return [found for part in trace.parts for found in _failed(part, text)]
    if isinstance(meaning, m.Compare):
        left, right = trace.parts
        if isinstance(right.meaning, m.Constant):
            return [_part(trace, text, left.value)]
        if isinstance(left.meaning, m.Constant):
            return [_part(trace, text, right.value)]
        return [_part(trace, text, f"{left.value} and {right.value}")]
    return [_part(trace, text, trace.value)]


def _part(trace: Trace, text: str, value: int | bool | str) -> FailedPart:
    groups = tuple(map(str, trace.groups))
    tiles = tuple(dict.fromkeys(tile_name(tile) for tile in trace.tiles))
    is_template = isinstance(trace.meaning, m.Template)
    return FailedPart(_words(text, trace), value, groups, tiles, is_template)


def _words(text: str, trace: Trace) -> str:
    source = trace.meaning.source
    return " ".join(text[source.start : source.end].split()) or text


def sentence_words(pattern: Pattern) -> str:
    """The sentence of a pattern as written, on one line."""
    sentences: list[Sentence] = [s for s in (pattern.when, pattern.times) if s is not None]
    return "; ".join(" ".join(sentence.text.split()) for sentence in sentences)
