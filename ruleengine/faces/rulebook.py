"""Shows rulesets: the list of them, one of them, one of its patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from ruleengine.explain import sentence_words
from ruleengine.faces.reasons import points_text
from ruleengine.faces.scores import pattern_name, rules_title, ruleset_title
from ruleengine.faces.screen import styled

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from ruleengine.faces.screen import Screen
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import (
        Example,
        Option,
        Pattern,
        Payment,
        RulesetData,
        Sentence,
    )

_RECORD_WORDS = ("winning_tile", "by", "seat", "round", "from", "liable", "flowers", "dora")


def plain_value(value: object) -> str:
    """A value as it is written in settings."""
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---- the list ----------------------------------------------------------------------


def show_list(
    found: Sequence[tuple[str, Path, RulesetData | str]], chosen: Collection[str], screen: Screen
) -> None:
    """Write the rulesets that can be named; a text in place of one says why it cannot be read."""
    for place, (name, path, data) in enumerate(found):
        if place:
            screen.line()
        mark = screen.sign("●", "*") if name in chosen else " "
        head = Text(f"{mark} ").append(name, style="bold")
        if isinstance(data, str):
            screen.line(head)
            screen.line(Text(screen.say("broken", message=data), style="red"), indent=4)
        else:
            head.append(f"  {ruleset_title(data, screen.language)}")
            screen.line(head, hang=4)
            for option in data.options.values():
                screen.line(_option_words(option, option.default, screen), indent=4, hang=2)
        screen.line(Text(str(path), style="dim"), indent=4, wrap=False)


def _option_words(option: Option, value: object, screen: Screen) -> str:
    words = [screen.say("default", value=plain_value(option.default))]
    if value != option.default:
        words.insert(0, screen.say("now", value=plain_value(value)))
    if option.choices:
        words.append(screen.say("choices", values=", ".join(map(str, option.choices))))
    elif option.least is not None and option.most is not None:
        words.append(screen.say("range", least=option.least, most=option.most))
    return f"{option.id}{screen.say('colon')}{screen.say('comma').join(words)}"


# ---- one ruleset -------------------------------------------------------------------


def show_ruleset(rules: Rules, screen: Screen) -> None:
    """Write all that a ruleset says."""
    data = rules.data
    screen.line(Text(rules_title(rules, screen), style="bold"))
    source = data.source.get(screen.language)
    if source:
        screen.line(screen.say("source") + screen.say("colon") + source)
    if data.options:
        screen.heading(screen.say("options"))
        for option in data.options.values():
            words = _option_words(option, rules.options[option.id], screen)
            screen.line(words, indent=2, hang=2)
            _show_doc(option.doc.get(screen.language), screen)
    _show_patterns(data, screen)
    _show_total(rules, screen)
    _show_settlement(data, screen)
    _show_words(data, screen)
    _show_interpretations(data, screen)


def _show_doc(doc: str, screen: Screen) -> None:
    if doc:
        screen.line(doc, indent=4)


def _show_patterns(data: RulesetData, screen: Screen) -> None:
    screen.heading(screen.say("patterns"))
    rows: list[list[Text | str]] = []
    for pattern in sorted(data.patterns.values(), key=lambda one: one.code_order):
        name = pattern_name(pattern, screen.language)
        notes = _notes(pattern, screen)
        if notes:
            name += f" ({screen.say('comma').join(notes)})"
        rows.append(
            [
                pattern.code or "",
                name,
                Text(points_text(pattern, screen), style="bold"),
                Text(sentence_words(pattern), style="cyan"),
            ]
        )
    if not any(row[0] for row in rows):
        rows = [row[1:] for row in rows]
    if rows:
        screen.columns(rows, right=frozenset({len(rows[0]) - 2}))


def _notes(pattern: Pattern, screen: Screen) -> list[str]:
    """What is said of a pattern beside its name: that it is a bonus, how sure the source is."""
    found = [screen.say("bonus")] if pattern.bonus else []
    if pattern.status is not None:
        found.append(screen.say(f"status_{pattern.status}"))
    return found


def _show_total(rules: Rules, screen: Screen) -> None:
    total, numbers = rules.data.total, rules.program.numbers
    rows: list[list[Text | str]] = []
    if total.value is not None:
        rows.append([screen.say("total_value"), _one_line(total.value)])
    if numbers.cap is not None:
        rows.append([screen.say("total_cap"), screen.points(numbers.cap)])
    if numbers.limit_from is not None:
        rows.append([screen.say("total_limit"), screen.points(numbers.limit_from)])
    empty = screen.points(numbers.empty)
    name = total.empty_name.get(screen.language)
    rows.append([screen.say("total_empty"), f"{empty} ({name})" if name else empty])
    if numbers.minimum:
        rows.append([screen.say("total_minimum"), screen.points(numbers.minimum)])
    screen.heading(screen.say("total"))
    screen.columns(rows)


def _show_settlement(data: RulesetData, screen: Screen) -> None:
    for ending, lines in data.settlement.items():
        if lines:
            screen.heading(screen.say(f"ending_{ending}"))
            screen.columns([_payment(line, screen) for line in lines])
    say = screen.say
    rows: list[tuple[str, list[str]]] = []
    liability = data.liability
    found = [
        say(f"liability_{name}")
        for name in ("moves", "nobody", "barred")
        if getattr(liability, name)
    ]
    rows.append(("liability", found))
    if data.winners is not None:
        rows.append(("winners", [say(f"winners_{data.winners}")]))
    if data.stakes is not None:
        event, amount = data.stakes.event, _one_line(data.stakes.amount)
        name = data.events[event].name.get(screen.language) or event
        stays = "stakes_returned" if data.stakes.returned else "stakes_stay"
        words = say("stakes_words", amount=amount, event=name)
        rows.append(("stakes", [words, say(f"stakes_{data.stakes.to}"), say(stays)]))
    for key, lines_of_it in rows:
        if lines_of_it:
            screen.heading(say(key))
            for line in lines_of_it:
                screen.line(line, indent=2, hang=2)


def _payment(line: Payment, screen: Screen) -> list[Text | str]:
    when = screen.say("otherwise") if line.when is None else _one_line(line.when)
    return [Text(_one_line(line.pays), style="bold"), Text(when, style="cyan")]


def _one_line(sentence: Sentence) -> str:
    return " ".join(sentence.text.split())


def _show_words(data: RulesetData, screen: Screen) -> None:
    if data.events:
        screen.heading(screen.say("events"))
        for event in data.events.values():
            name = event.name.get(screen.language)
            screen.line(f"{event.id} ({name})" if name else event.id, indent=2)
            _show_doc(event.doc.get(screen.language), screen)
            if event.needs is not None:
                needs = screen.say("needs", sentence=_one_line(event.needs))
                screen.line(Text(needs, style="cyan"), indent=4, hang=2)
    screen.heading(screen.say("shapes"))
    shapes: list[list[Text | str]] = [
        [id, data.shape_names[id].get(screen.language) if id in data.shape_names else ""]
        for id in data.shapes
    ]
    screen.columns(shapes)
    if data.terms:
        screen.heading(screen.say("terms"))
        terms: list[list[Text | str]] = [
            [id, Text(" ".join(term.text.split()), style="cyan")] for id, term in data.terms.items()
        ]
        screen.columns(terms)


def _show_interpretations(data: RulesetData, screen: Screen) -> None:
    if data.interpretations:
        screen.heading(screen.say("interpretations"))
    for place, one in enumerate(data.interpretations):
        if place:
            screen.line()
        screen.line(Text(one.question.get(screen.language), style="bold"), indent=2, hang=2)
        screen.line(one.reading.get(screen.language), indent=4)
        why = one.why.get(screen.language)
        if why:
            screen.line(screen.say("why") + screen.say("colon") + why, indent=4, hang=2)


# ---- one pattern -------------------------------------------------------------------


def show_pattern(rules: Rules, pattern: Pattern, screen: Screen) -> None:
    """Write one pattern with its examples."""
    data = rules.data
    code = f"{pattern.code} " if pattern.code else ""
    head = styled(f"{code}{pattern_name(pattern, screen.language)}", "bold")
    head.append(f" ({pattern.id})  {points_text(pattern, screen)}")
    if pattern.bonus:
        head.append(f"{screen.say('comma')}{screen.say('bonus')}")
    screen.line(head)
    others = [text for lang, text in pattern.name.by_language.items() if lang != screen.language]
    others = [
        text
        for text in dict.fromkeys(others)
        if text not in head.plain and (text.isascii() or not screen.ascii_only)
    ]
    if others:
        screen.line(Text(" / ".join(others), style="dim"), indent=2)
    _show_facts(data, pattern, screen)
    for key, examples in (("hits", pattern.hits), ("misses", pattern.misses)):
        if examples:
            screen.heading(screen.say(key))
            for example in examples:
                _show_example(example, screen)


def _show_facts(data: RulesetData, pattern: Pattern, screen: Screen) -> None:
    screen.line()
    doc = pattern.doc.get(screen.language)
    if doc:
        screen.line(doc, indent=2)
    label = screen.say("sentence") + screen.say("colon")
    screen.line(Text(label).append(sentence_words(pattern), style="cyan"), indent=2, hang=2)
    same = [
        pattern_name(one, screen.language)
        for one in data.patterns.values()
        if pattern.series is not None and one.series == pattern.series and one is not pattern
    ]
    _show_names("series", same, screen)
    if pattern.status is not None:
        _show_names("status", [screen.say(f"status_{pattern.status}")], screen)
    below = [pattern_name(data.patterns[id], screen.language) for id in pattern.supersedes]
    _show_names("supersedes", below, screen)


def _show_names(key: str, names: Sequence[str], screen: Screen) -> None:
    if names:
        listed = screen.say("comma").join(names)
        screen.line(f"{screen.say(key)}{screen.say('colon')}{listed}", indent=2, hang=2)


def _show_example(example: Example, screen: Screen) -> None:
    line = styled(str(example.record["hand"]), "bold")
    if example.points is not None:
        line.append(f"  {screen.points(example.points)}")
    situation = _record_words(example.record)
    if situation:
        line.append(f"  {situation}", style="dim")
    screen.line(line, indent=2, hang=2)
    why = example.why.get(screen.language)
    if why:
        screen.line(why, indent=4)


def _record_words(record: Mapping[str, object]) -> str:
    """The fields of a record besides the hand, as options of `yaku score`."""
    words = [
        f"--{name.replace('_', '-')} {record[name]}" for name in _RECORD_WORDS if name in record
    ]
    events = record.get("events")
    if isinstance(events, list) and events:
        words.append(f"--events {','.join(map(str, events))}")
    options = record.get("options")
    if isinstance(options, dict):
        words += [f"--set {name}={plain_value(value)}" for name, value in options.items()]
    return " ".join(words)
