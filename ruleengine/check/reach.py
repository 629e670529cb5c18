"""What a ruleset's sentences can never say: parts that are never or always true, patterns that
can never count, supersedes that never drop anything.

What an example shows needs no proof. The rest is decided over all hands, where the facts allow it;
where they do not, nothing is claimed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ruleengine.check.counting import Uncountable, condition, uncountable
from ruleengine.check.texts import listed
from ruleengine.diagnostics import Diagnostic, Label
from ruleengine.language import meaning as m
from ruleengine.source import SequenceNode
from ruleengine.testing.sentences import homes, node_at, part_span, parts, words

MOST_SUPERSEDED = 2_000
"""Pairs of patterns that are asked whether they are ever there together."""

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.check.subject import Subject
    from ruleengine.check.worlds import Answer
    from ruleengine.diagnostics import Span
    from ruleengine.ruleset.model import Pattern
    from ruleengine.testing.sentences import Home, Key


def never_and_always(subject: Subject) -> Iterator[Diagnostic]:
    """Parts of sentences that are never true, or always; patterns that can never count.

    Of parts inside one another the innermost is told, and a pattern that cannot count is told
    once, with the part that keeps it from it.
    """
    by_path = {home.path: home for home in homes(subject.data)}
    never = _events_that_never_are(subject)
    yield from (
        Diagnostic(
            "W506", f"event '{name}' can never be: what it needs is never true", at, "warning"
        )
        for name, at in never.items()
        if subject.owns(at)
    )
    yield from _events_that_need_themselves(subject, by_path)
    answers = _answers(subject, by_path)
    told: set[Key] = set()
    patterns = subject.data.patterns.values()
    uncounted = [one for one in patterns if one.span and one.id not in subject.counted]
    for finding in uncountable(subject.worlds, uncounted):
        if not _is_of_parent(subject, finding.pattern):
            problem = _cannot_count(subject, finding, by_path, answers, told, never)
            yield _at_its_cause(subject, problem, finding)
    for home in by_path.values():
        if home.meaning is None:
            continue
        inner = [key for key, _ in parts(home.meaning, home.path)]
        for key in reversed(inner):
            answer = answers.get(key)
            if answer is None or key in told or not (answer.never or answer.always):
                continue
            if any(_inside(other, key) for other in told):
                continue
            span = part_span(subject.root, by_path[key[0]], key[1], key[2])
            if not subject.owns(span):
                continue
            told.add(key)
            text = words(by_path[key[0]].sentence.text[key[1] : key[2]])
            if answer.never:
                yield Diagnostic("W506", f"'{text}' is never true", span, "warning")
            elif not _is_whole(key, by_path[key[0]]):
                yield Diagnostic("W507", f"'{text}' is always true", span, "warning")


def _answers(subject: Subject, by_path: dict[tuple[str, ...], Home]) -> dict[Key, Answer]:
    """For each part that no example shows both true and false what is known: of what stands
    in this file, and of patterns that no case counts."""
    seen, counted = subject.coverage, subject.counted
    open_: dict[Key, m.Meaning] = {}
    for home in by_path.values():
        if home.meaning is None or home.path[0] in ("total", "events"):
            continue
        is_uncounted = home.path[0] == "patterns" and home.path[1] not in counted
        for key, part in parts(home.meaning, home.path):
            if not is_uncounted and not subject.owns(by_path[key[0]].sentence.span):
                continue
            if not {"true", "false"} <= seen.seen.get(key, set()):
                open_.setdefault(key, part)
    if not open_:
        return {}
    answers = dict(zip(open_, subject.worlds.decide(list(open_.values())), strict=True))
    for key, answer in answers.items():
        answer.true |= "true" in seen.seen.get(key, ())
        answer.false |= "false" in seen.seen.get(key, ())
    return answers


def _events_that_never_are(subject: Subject) -> dict[str, Span]:
    """Events whose needs are never met, with the place of those."""
    asked = {
        name: event.needs for name, event in subject.data.events.items() if event.needs is not None
    }
    if not asked:
        return {}
    answers = subject.worlds.decide(
        [m.Event(needs.meaning.source, name) for name, needs in asked.items()]
    )
    return {
        name: needs.span
        for (name, needs), answer in zip(asked.items(), answers, strict=True)
        if answer.never
    }


def _events_that_need_themselves(
    subject: Subject, by_path: dict[tuple[str, ...], Home]
) -> Iterator[Diagnostic]:
    """Where what an event needs speaks of the event itself, which is there whenever it is asked
    what it needs."""
    for name, event in subject.data.events.items():
        if event.needs is None:
            continue
        home = by_path[("events", name, "needs")]
        for part in _spoken(event.needs.meaning):
            span = part_span(subject.root, home, part.source.start, part.source.end)
            if name in m.events_in(part) and subject.owns(span):
                text = home.sentence.text[part.source.start : part.source.end]
                message = (
                    f"event '{name}' needs itself: it is there whenever '{words(text)}' is asked"
                )
                yield Diagnostic("W507", message, span, "warning")


def _spoken(meaning: m.Meaning) -> Iterator[m.Meaning]:
    """The smallest parts of a sentence, its names among them, but not what these stand for."""
    inner = () if isinstance(meaning, m.Reference) else m.children(meaning)
    if not inner:
        yield meaning
    for part in inner:
        yield from _spoken(part)


def _inside(inner: Key, outer: Key) -> bool:
    return inner[0] == outer[0] and outer[1] <= inner[1] and inner[2] <= outer[2]


def _is_whole(key: Key, home: Home) -> bool:
    """Whether a part is a whole sentence: a pattern that is always there is meant to be."""
    assert home.meaning is not None
    return (key[1], key[2]) == (home.meaning.source.start, home.meaning.source.end)


def _is_of_parent(subject: Subject, pattern: Pattern) -> bool:
    """Whether a pattern can never count in what the ruleset extends either, though it is there when
    it is here: it is found when that is checked."""
    worlds = subject.parent_worlds
    theirs = None if worlds is None else worlds.rules.data.patterns.get(pattern.id)
    if worlds is None or theirs is None or _said(theirs) != _said(pattern):
        return False
    return any(uncountable(worlds, [theirs]))


def _said(pattern: Pattern) -> list[str | None]:
    """In which words a pattern says when it is there, and how often."""
    return [None if one is None else one.text for one in (pattern.when, pattern.times)]


def _at_its_cause(subject: Subject, problem: Diagnostic, found: Uncountable) -> Diagnostic:
    """What a variant does to an inherited pattern, at the line that does it, or else where it says
    what it extends."""
    if subject.owns(problem.span):
        return problem
    pattern = found.pattern
    assert subject.read.chain is not None
    assert problem.span is not None
    inherited = Label(problem.span, "this inherited pattern")
    for name in found.stronger:
        other = subject.data.patterns[name].span
        if subject.owns(other):
            return replace(problem, span=other, labels=(inherited, *problem.labels))
    for span in (*(sentence.span for sentence in pattern.sentences), problem.span):
        (placed,) = subject.read.chain.placed([replace(problem, span=span)])
        if subject.owns(placed.span):
            return placed
    here = next((label for label in placed.labels if subject.owns(label.span)), None)
    if here is None:
        return placed
    labels = (label for label in placed.labels if label is not here)
    return replace(placed, span=here.span, labels=(inherited, *labels))


def _cannot_count(
    subject: Subject,
    found: Uncountable,
    by_path: dict[tuple[str, ...], Home],
    answers: dict[Key, Answer],
    told: set[Key],
    events: dict[str, Span],
) -> Diagnostic:
    pattern = found.pattern
    if found.stronger:
        names = [f"'{name}'" for name in found.stronger]
        others = listed(names, "or" if found.together else "and")
        verb = "is" if found.together or len(names) == 1 else "are"
        message = (
            f"pattern '{pattern.id}' can never count: whenever it is there, so {verb} {others}"
        )
        return Diagnostic("E501", message, pattern.span, "error")
    message = f"pattern '{pattern.id}' can never count: no hand is like that"
    labels: list[Label] = []
    home = by_path.get(("patterns", pattern.id, "when"))
    if home is not None and home.meaning is not None:
        never = [
            key
            for key, _ in parts(home.meaning, home.path)
            if key in answers and answers[key].never
        ]
        told.update(never)
        for key in never[-1:]:
            span = part_span(subject.root, by_path[key[0]], key[1], key[2])
            labels.append(Label(span, "this is never true"))
    labels += [
        Label(at, f"event '{name}' can never be")
        for name, at in events.items()
        if name in m.events_in(condition(pattern))
    ]
    return Diagnostic("E501", message, pattern.span, "error", tuple(labels))


def idle_supersedes(subject: Subject) -> Iterator[Diagnostic]:
    """Supersedes of patterns that are never there together, or of one series anyway."""
    questions: list[m.Meaning] = []
    asked: list[tuple[str, str, Diagnostic]] = []
    for pattern in subject.data.patterns.values():
        node = node_at(subject.root, ("patterns", pattern.id, "supersedes"))
        for at, name in enumerate(pattern.supersedes):
            if not isinstance(node, SequenceNode) or not subject.owns(node.items[at].span):
                continue
            other = subject.data.patterns[name]
            span = node.items[at].span
            if pattern.series is not None and pattern.series == other.series:
                message = f"'{pattern.id}' and '{name}' are of one series, so never count together"
                yield Diagnostic("W509", message, span, "warning")
                continue
            if len(asked) == MOST_SUPERSEDED:
                continue
            message = f"'{pattern.id}' and '{name}' are never there together"
            both = (condition(pattern), condition(other))
            questions.append(m.All(both[0].source, both))
            asked.append((pattern.id, name, Diagnostic("W509", message, span, "warning")))
    answers = subject.worlds.decide(questions) if questions else []
    for (_, _, finding), answer in zip(asked, answers, strict=True):
        if answer.never:
            yield finding
