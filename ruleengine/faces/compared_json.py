"""A comparison of rulesets as plain values; `grammar/diff.schema.json` describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruleengine.faces.compared import Telling, left_out_words
from ruleengine.record import error_record
from ruleengine.result import Result
from ruleengine.settle import Settled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruleengine.compare.model import (
        Change,
        Comparison,
        EndWitness,
        Impact,
        Judged,
        LeftOut,
        Meeting,
        MetEnd,
        Witness,
    )
    from ruleengine.compare.review import BranchReview, Review
    from ruleengine.compare.three_way import Crossing, ThreeWay
    from ruleengine.diagnostics import Span
    from ruleengine.errors import HandError
    from ruleengine.hands.effect import Effect
    from ruleengine.rules import Rules


def comparison_json(
    comparison: Comparison, review: Review | None = None, language: str = "en"
) -> dict[str, Any]:
    """Two rulesets compared, and what a review of that finds."""
    telling = Telling(comparison.old, comparison.new, language, comparison.renamed)
    found: dict[str, Any] = {
        "old": _rules(comparison.old, language),
        "new": _rules(comparison.new, language),
        "level": comparison.level,
        "proved_equal": comparison.proved_equal,
        "changes": [_judged(one, telling, review) for one in comparison.changes],
        "hands": _impact(comparison.hands),
        "plays": _impact(comparison.plays),
        "meetings": [_meeting(one, language) for one in comparison.meetings],
        "left_out": _left_out(comparison.left_out),
        "looked": comparison.looked,
    }
    if review is not None:
        found["findings"] = {
            "changes": [change.fingerprint for change in review.failing],
            "needs_bump": review.needs_bump,
            "stale": list(review.stale),
        }
    return found


def three_way_json(
    found: ThreeWay, review: BranchReview | None = None, language: str = "en"
) -> dict[str, Any]:
    """How the changes of two branches stand to each other, and what a review of that finds."""
    ours = Telling(found.base, found.our_rules, language)
    theirs = Telling(found.base, found.their_rules, language)
    told: dict[str, Any] = {
        "base": _rules(found.base, language),
        "ours": _rules(found.our_rules, language),
        "theirs": _rules(found.their_rules, language),
        "crossings": [_crossing(one, ours, theirs, review) for one in found.crossings],
        "same": [_change(change, ours, review) for change in found.same],
        "only_ours": [_change(change, ours, review) for change in found.ours],
        "only_theirs": [_change(change, theirs, review) for change in found.theirs],
        "left_out": _left_out(found.left_out),
        "looked": found.looked,
    }
    if review is not None:
        told["findings"] = {
            "crossings": [
                {"ours": one.ours.fingerprint, "theirs": one.theirs.fingerprint}
                for one in review.failing
            ],
            "needs_bump": list(review.needs_bump),
            "stale": list(review.stale),
        }
    return told


def _left_out(left_out: Sequence[LeftOut]) -> list[dict[str, Any]]:
    return [
        {"kind": one.kind, "number": one.number, "text": text}
        for one, text in zip(left_out, left_out_words(left_out, "en"), strict=True)
    ]


def _rules(rules: Rules, language: str) -> dict[str, Any]:
    name = rules.name(language)
    found = {"id": rules.id, "version": rules.version, "name": name}
    return {**found, "options": dict(rules.options)}


def _change(
    change: Change, telling: Telling, review: Review | BranchReview | None = None
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "kind": change.kind,
        "level": change.level,
        "at": change.at,
        "subject": telling.subject(change),
        "old": change.old,
        "new": change.new,
        "through": list(change.through),
        "old_place": _place(change.old_span),
        "new_place": _place(change.new_span),
        "fingerprint": change.fingerprint,
        "refused": [
            {"first": first, "last": last} for first, last in telling.refused_values(change)
        ],
    }
    if review is not None:
        found["accepted"] = change.fingerprint in review.accepted
    return found


def _judged(judged: Judged, telling: Telling, review: Review | None) -> dict[str, Any]:
    found = _change(judged.change, telling, review)
    found["effect"] = judged.effect and _effect(judged.effect)
    found["under"] = judged.under and {
        "whole": judged.under.whole,
        "number": judged.under.number,
        "tried": [
            {"options": dict(one.options), "effect": _effect(one.effect)}
            for one in judged.under.tried
        ],
    }
    found["witness"] = judged.witness and _witness(judged.witness, telling.language)
    found["silent"] = judged.silent
    sought = judged.sought
    found["sought"] = sought and {"tried": sought.tried, "complete": sought.complete}
    ends = judged.ends
    found["ends"] = ends and {"how": ends.how, "looked": ends.looked, "changed": ends.changed}
    found["end"] = judged.end and _end(judged.end)
    return found


def _effect(effect: Effect) -> dict[str, Any]:
    return {
        "relation": effect.relation,
        "how": effect.how,
        "looked": effect.looked,
        "gained": effect.gained,
        "lost": effect.lost,
    }


def _end(end: EndWitness) -> dict[str, Any]:
    return {
        "request": dict(end.request),
        "options": dict(end.options),
        "old": _settled(end.old),
        "new": _settled(end.new),
        "whole": _settled(end.whole),
    }


def _settled(one: Settled | HandError) -> dict[str, Any]:
    """A settlement, or the error of a request that cannot be settled."""
    if isinstance(one, Settled):
        return dict(one.to_json())
    return {"error": error_record(None, one)["error"]}


def _witness(witness: Witness, language: str) -> dict[str, Any]:
    return {
        "record": dict(witness.record),
        "old": _outcome(witness.old, language),
        "new": _outcome(witness.new, language),
        "whole": _outcome(witness.whole, language),
    }


def _meeting(meeting: Meeting, language: str) -> dict[str, Any]:
    return {
        "first": meeting.first.fingerprint,
        "second": meeting.second.fingerprint,
        "record": None if meeting.record is None else dict(meeting.record),
        "results": _outcomes(meeting.results, language),
        "end": meeting.end and _met_end(meeting.end),
    }


def _met_end(end: MetEnd) -> dict[str, Any]:
    return {"request": dict(end.request), "results": [_settled(one) for one in end.results]}


def _crossing(
    crossing: Crossing, ours: Telling, theirs: Telling, review: BranchReview | None
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ours": _change(crossing.ours, ours, review),
        "theirs": _change(crossing.theirs, theirs, review),
        "touch": crossing.touch,
        "record": None if crossing.record is None else dict(crossing.record),
        "results": _outcomes(crossing.results, ours.language),
        "end": crossing.end and _met_end(crossing.end),
    }
    if review is not None:
        marks = [change.fingerprint for change in crossing.changes]
        found["accepted"] = all(one in review.accepted for one in marks)
    return found


def _outcomes(outcomes: Sequence[Result | HandError], language: str) -> list[dict[str, Any]]:
    return [_outcome(one, language) for one in outcomes]


def _outcome(one: Result | HandError, language: str) -> dict[str, Any]:
    """A result, or an error in the form that a wrong record has."""
    return one.to_json(language) if isinstance(one, Result) else error_record(None, one)


def _impact(impact: Impact | None) -> dict[str, Any] | None:
    if impact is None:
        return None
    found: dict[str, Any] = {
        name: getattr(impact, name)
        for name in (
            "looked", "changed", "up", "down", "otherwise", "wins_gained", "wins_lost",
            "payments_changed", "by_tile", "ways", "changed_ways", "up_ways", "down_ways",
            "by_tile_ways", "complete", "seed",
        )
    }  # fmt: skip
    found["differences"] = [
        {"points": points, "hands": hands} for points, hands in sorted(impact.differences.items())
    ]
    found["patterns"] = [
        {
            "id": id_,
            "gained": tilt.gained,
            "lost": tilt.lost,
            "gained_ways": tilt.gained_ways,
            "lost_ways": tilt.lost_ways,
        }
        for id_, tilt in impact.patterns.items()
    ]
    return found


def _place(span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    return {
        "file": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
