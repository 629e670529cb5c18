"""Rulesets as plain values, for JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import Example, Pattern, RulesetData, Sentence


def ruleset_json(rules: Rules, language: str) -> dict[str, Any]:
    """All that a ruleset says, with the options as they are set."""
    data, numbers = rules.data, rules.program.numbers
    order = sorted(data.patterns.values(), key=lambda one: one.code_order)
    return {
        "id": data.id,
        "name": data.name.get(language) or data.id,
        "version": data.version,
        "source": data.source.get(language),
        "files": list(data.files),
        "options": options_json(data, language, dict(rules.options)),
        "events": [
            {
                "id": event.id,
                "name": event.name.get(language) or event.id,
                "doc": event.doc.get(language),
                "needs": _text(event.needs),
                "shared": event.shared,
            }
            for event in data.events.values()
        ],
        "shapes": [
            {"id": id, "name": data.shape_names[id].get(language) if id in data.shape_names else ""}
            for id in data.shapes
        ],
        "terms": {id: " ".join(term.text.split()) for id, term in data.terms.items()},
        "patterns": [pattern_json(pattern, language) for pattern in order],
        "total": {
            "value": _text(data.total.value),
            "cap": numbers.cap,
            "limit_from": numbers.limit_from,
            "empty": numbers.empty,
            "empty_name": data.total.empty_name.get(language) or None,
            "minimum": numbers.minimum,
        },
        "settlement": {
            ending: [{"when": _text(line.when), "pays": _text(line.pays)} for line in lines]
            for ending, lines in data.settlement.items()
        },
        "winners": data.winners,
        "stakes": None
        if data.stakes is None
        else {
            "event": data.stakes.event,
            "amount": _text(data.stakes.amount),
            "to": data.stakes.to,
            "returned": data.stakes.returned,
        },
        "liability": {
            "moves": data.liability.moves,
            "nobody": data.liability.nobody,
            "barred": data.liability.barred,
        },
        "interpretations": [
            {
                "id": one.id,
                "question": one.question.get(language),
                "reading": one.reading.get(language),
                "why": one.why.get(language),
            }
            for one in data.interpretations
        ],
    }


def options_json(
    data: RulesetData, language: str, values: dict[str, int | bool] | None = None
) -> list[dict[str, Any]]:
    """The options of a ruleset; `value` is there where `values` are given."""
    found: list[dict[str, Any]] = []
    for option in data.options.values():
        plain: dict[str, Any] = {
            "id": option.id,
            "type": option.type,
            "default": option.default,
            "choices": list(option.choices) or None,
            "min": option.least,
            "max": option.most,
            "doc": option.doc.get(language),
        }
        if values is not None:
            plain["value"] = values[option.id]
        found.append(plain)
    return found


def pattern_json(pattern: Pattern, language: str, *, examples: bool = False) -> dict[str, Any]:
    """A pattern; `points` holds what it awards in each unit, in the words of the ruleset."""
    found: dict[str, Any] = {
        "id": pattern.id,
        "code": pattern.code,
        "name": pattern.name.get(language) or pattern.id,
        "series": pattern.series,
        "points": {unit: _text(sentence) for unit, sentence in pattern.awards.items()},
        "when": _text(pattern.when),
        "times": _text(pattern.times),
        "bonus": pattern.bonus,
        "status": pattern.status,
        "supersedes": list(pattern.supersedes),
        "doc": pattern.doc.get(language),
    }
    if examples:
        found["hits"] = [_example(one, language) for one in pattern.hits]
        found["misses"] = [_example(one, language) for one in pattern.misses]
    return found


def _example(example: Example, language: str) -> dict[str, Any]:
    return {
        **example.record,
        "points": example.points,
        "why": example.why.get(language) or None,
    }


def _text(sentence: Sentence | None) -> str | None:
    return None if sentence is None else " ".join(sentence.text.split())
