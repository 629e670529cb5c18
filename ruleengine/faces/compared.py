"""A comparison of rulesets in words: what every face of it says, each in its own form."""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeGuard

from rich.cells import cell_len

from ruleengine.compare.choices import refused
from ruleengine.compare.model import LEVELS, REFUSING
from ruleengine.compare.wording import written
from ruleengine.faces.words import say
from ruleengine.result import Result
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ruleengine.compare.model import (
        Change,
        Comparison,
        Impact,
        Judged,
        LeftOut,
        Tilt,
        Witness,
    )
    from ruleengine.compare.review import BranchReview
    from ruleengine.compare.three_way import Crossing, ThreeWay
    from ruleengine.diagnostics import Span
    from ruleengine.errors import HandError
    from ruleengine.hands.effect import Effect
    from ruleengine.judge import CountedPattern
    from ruleengine.rules import Rules
    from ruleengine.ruleset.model import RulesetData, Text

Piece = tuple[str, bool]
"""Some words, and whether they changed."""
SHORT = 32
"""Words up to so many characters are shown on one line, as `old → new`."""
MOST_COMPARED = 60_000
"""Parts of the old value times parts of the new one, up to which they are compared part by part."""
MOST_DIFFERENCES = 8
MOST_PATTERNS = 12
MOST_REFUSED = 12
"""Values of an option that are told apart."""
VALUES_TOLD = frozenset(
    {
        "version-changed", "id-changed", "option-default-changed", "option-bounds-changed",
        "pattern-renamed", "shape-renamed",
    }
)  # fmt: skip
"""Changes of texts whose values are told in a line."""

_TOKEN = re.compile(r"\s+|\d(?=\d*[a-z]\b)|\w+|[<>!]=|\S")
"""Words and signs; of tiles written together each is one."""
_WORD = re.compile(r"\s+|\S+")


# ---- old and new values ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a value: `sign` is `-` for an old one, `+` for a new one, a space for one that is
    in both."""

    sign: Literal["-", "+", " "]
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        """The words without marks."""
        return "".join(text for text, _ in self.pieces)


def is_short(change: Change) -> bool:
    """Whether the old and the new value are a short word or number each."""
    values = (change.old or "", change.new or "")
    return all(len(value) <= SHORT and len(value.split()) <= 1 for value in values)


def value_lines(old: str | None, new: str | None) -> list[Line]:
    """Two values line by line, with the words marked that changed."""
    before, after = (value.split("\n") if value is not None else [] for value in (old, new))
    found: list[Line] = []
    for tag, a, b, c, d in _steps(before, after):
        if tag == "equal":
            found += [Line(" ", ((text, False),)) for text in before[a:b]]
            continue
        gone, come = before[a:b], after[c:d]
        for one, other in zip(gone, come, strict=False):
            first, second = marked(one, other)
            found += [Line("-", first), Line("+", second)]
        both = min(len(gone), len(come))
        found += [Line("-", ((text, True),)) for text in gone[both:]]
        found += [Line("+", ((text, True),)) for text in come[both:]]
    return found


def folded(pieces: Sequence[Piece], room: int) -> list[tuple[Piece, ...]]:
    """A line with marks, broken between words where it is wider than `room` columns."""
    found: list[list[Piece]] = [[]]
    used = 0
    for word, changed in ((word, mark) for text, mark in pieces for word in _WORD.findall(text)):
        width = cell_len(word)
        if used and used + width > room:
            found.append([])
            used = 0
        if used or word.strip():
            found[-1].append((word, changed))
            used += width
    return [tuple(line) for line in found if line]


def marked(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Two texts, each with the words marked that the other has not."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    first: list[Piece] = []
    second: list[Piece] = []
    for tag, a, b, c, d in _steps(before, after):
        first.append(("".join(before[a:b]), tag != "equal"))
        second.append(("".join(after[c:d]), tag != "equal"))
    return _joined(first), _joined(second)


def _steps(old: list[str], new: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """What was taken out and put in. Of what is too long to be compared part by part, all between
    an equal start and an equal end."""
    if len(old) * len(new) <= MOST_COMPARED:
        return difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    shorter = min(len(old), len(new))
    start = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    room = shorter - start
    end = next((n for n in range(room) if old[-1 - n] != new[-1 - n]), room)
    return [
        ("equal", 0, start, 0, start),
        ("replace", start, len(old) - end, start, len(new) - end),
        ("equal", len(old) - end, len(old), len(new) - end, len(new)),
    ]


def _joined(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Pieces put together; a space between two that changed has changed."""
    given = [piece for piece in pieces if piece[0]]
    found: list[Piece] = []
    for place, (text, changed) in enumerate(given):
        inside = 0 < place < len(given) - 1 and not text.strip()
        is_changed = changed or (inside and given[place - 1][1] and given[place + 1][1])
        if found and found[-1][1] == is_changed:
            found[-1] = (found[-1][0] + text, is_changed)
        else:
            found.append((text, is_changed))
    return tuple(found)


# ---- what a change is about --------------------------------------------------------


class Telling:
    """Puts the changes from one ruleset to another into words of one language. `renamed` says which
    id old patterns have now, where they have another; `third` is a further ruleset that is compared
    with the two."""

    def __init__(
        self,
        old: Rules,
        new: Rules,
        language: str,
        renamed: Mapping[str, str] | None = None,
        third: Rules | None = None,
    ) -> None:
        self.old = old
        self.new = new
        self.rules = (new, old) if third is None else (new, old, third)
        self.language = language
        self.renamed: Mapping[str, str] = renamed or {}

    def say(self, key: str, **values: object) -> str:
        """A phrase in the language."""
        return say(key, self.language, **values)

    def subject(self, change: Change) -> str:
        """What changed, by name: `Pure One-Suit`, `Option Standard score`."""
        section, id_ = change.section, change.id
        singular = {
            "options": "option", "events": "event", "shapes": "shape", "terms": "term",
            "interpretations": "interpretation", "patterns": "pattern",
        }.get(section)  # fmt: skip
        if singular is not None and id_:
            name = self._name(section, id_) or id_
            return self.say(f"diff_of_{singular}", name=name)
        if section == "settlement" and id_ in ("win", "exhausted", "wrong_win"):
            return self.say(f"diff_of_ending_{id_}")
        if section in ("settlement", "liability"):
            return self.say("diff_of_settlement")
        return self.say(f"diff_of_{section if section in ('total', 'tiles') else 'ruleset'}")

    def id_of(self, change: Change) -> str:
        """The id of what changed, where its name does not say it."""
        if change.section in ("patterns", "options", "events", "shapes") and change.id:
            return change.id if self._name(change.section, change.id) else ""
        return ""

    def what(self, change: Change) -> str:
        """What of it changed: `points`, `condition, wider`."""
        if change.kind == "tiles-changed":
            return self.say(f"diff_tiles_{change.id}")
        if change.section == "events" and change.at.endswith(".shared"):
            return self.say("diff_event_shared")
        refused = self.refused(change)
        return f"{self.kind(change)}{self.say('comma')}{refused}" if refused else self.kind(change)

    def kind(self, change: Change) -> str:
        """The kind of a change."""
        return self.say(f"kind_{change.kind.replace('-', '_')}")

    def refused_values(self, change: Change) -> list[tuple[int | bool, int | bool]]:
        """The values of an option with which a table is refused from now on, each as the first and
        the last of some that follow one another."""
        if change.kind not in REFUSING:
            return []
        before, after = (side.data.options.get(change.id) for side in (self.old, self.new))
        assert before is not None
        if after is None and before.type == "bool":
            return [(False, False), (True, True)]
        return [*refused(before, after)]

    def refused(self, change: Change) -> str:
        """The same in words; empty where there are none."""
        words = [
            str(written(first)) if first == last else f"{first}-{last}"
            for first, last in self.refused_values(change)
        ]
        if len(words) > MOST_REFUSED:
            words[MOST_REFUSED:] = [self.say("diff_others", n=len(words) - MOST_REFUSED)]
        return self.say("diff_refused", values=self.say("comma").join(words)) if words else ""

    def brief(self, change: Change, arrow: str = "→") -> str:
        """What of it changed, in a line; of short values that a reader looks for with these."""
        if change.kind not in VALUES_TOLD:
            return self.what(change)
        values = " ".join(x for x in (self.kind(change), change.old, arrow, change.new) if x)
        refused = self.refused(change)
        return f"{values} ({refused})" if refused else values

    def through(self, change: Change) -> str:
        """By what a sentence with the same words means something else; empty where it has not."""
        if not change.through:
            return ""
        return self.say("diff_through", names=self.say("comma").join(change.through))

    def effect(self, judged: Judged) -> str:
        """What became true or false, or higher and lower, and how sure that is; empty where the
        values say it themselves."""
        effect = judged.effect
        if effect is None or (effect.looked == 1 and effect.relation != "equal"):
            return ""
        return self.effect_words(effect, truth=is_truth(judged.change))

    def effect_words(self, effect: Effect, *, truth: bool) -> str:
        """The same of an effect alone; `truth` says that the sentence is no number."""
        said = {
            "equal": "diff_equal",
            "wider": "diff_wider" if truth else "diff_higher",
            "narrower": "diff_narrower" if truth else "diff_lower",
            "different": "diff_different" if truth else "diff_both_ways",
        }[effect.relation]
        if effect.relation == "equal" and effect.how == "sampled":
            said = "diff_unseen"
        found = self.say(said, gained=f"{effect.gained:,}", lost=f"{effect.lost:,}")
        how = self.say(f"diff_how_{effect.how}", looked=f"{effect.looked:,}")
        if not effect.looked:
            # Nothing had to be looked at; under which values of options is said apart.
            how = self.say("diff_how_same") if effect.how == "proved" else ""
        if not how:
            return found
        return f"{found}{self.say('clause')}{how}"

    def verdict(self, judged: Judged) -> str:
        """Of a change without a witness, that there surely is none, or that it was looked for and
        not found; empty where that says nothing."""
        shown = judged.witness is not None or judged.end is not None or judged.ends is not None
        if shown or judged.change.level == "text":
            return ""
        if judged.silent:
            return self.say("diff_silent")
        if judged.sought is None:
            return ""
        return self.say("diff_no_witness", n=f"{judged.sought.tried:,}")

    def settings(self, outcomes: Sequence[Result | HandError]) -> list[str]:
        """Options with which a hand is played throughout and that one of the rulesets compared has
        otherwise: `Standard score 24`."""
        played = [one.rules.options for one in outcomes if isinstance(one, Result)]
        found: dict[str, int | bool] = {}
        for name in dict.fromkeys(name for options in played for name in options):
            values = {options[name] for options in played if name in options}
            known = {rules.options[name] for rules in self.rules if name in rules.options}
            if len(values) == 1 and known != values:
                found[name] = values.pop()
        return self.option_words(found)

    def witness_settings(self, witness: Witness) -> list[str]:
        """The same of a witness, whose third column counts where it is not shown as well."""
        return self.settings((witness.old, witness.new, witness.whole))

    def option_words(self, options: Mapping[str, int | bool]) -> list[str]:
        """Options with their values: `Standard score 24`."""
        return [
            f"{self.option_name(name)} {str(value).lower() if isinstance(value, bool) else value}"
            for name, value in options.items()
        ]

    def option_name(self, name: str) -> str:
        """The name of an option of either ruleset, its id where it has none."""
        return self._name("options", name) or name

    def place(self, change: Change) -> str:
        """Where a change stands in both files."""
        places = [shown_place(span) for span in (change.old_span, change.new_span)]
        return " → ".join(place for place in places if place)

    def _name(self, section: str, id_: str) -> str:
        for rules in self.rules:
            found = _text(rules.data, section, id_)
            if found is not None and found:
                return found.get(self.language)
        return ""

    def new_id(self, id_: str) -> str:
        """What a pattern of either ruleset is called in the new one."""
        return self.renamed.get(id_, id_)

    def pattern_name(self, id_: str) -> str:
        """The name of a pattern of either ruleset, its id where it has none."""
        return self._name("patterns", id_) or id_


def _text(data: RulesetData, section: str, id_: str) -> Text | None:
    if section == "patterns":
        return data.patterns[id_].name if id_ in data.patterns else None
    if section == "options":
        return data.options[id_].name if id_ in data.options else None
    if section == "events":
        return data.events[id_].name if id_ in data.events else None
    return data.shape_names.get(id_) if section == "shapes" else None


def is_truth(change: Change) -> bool:
    """Whether a sentence that changed is true or false, and not a number."""
    return change.at.endswith((".when", ".needs")) or change.kind.startswith("condition-")


def shown_place(span: Span | None) -> str:
    """A place as `file:line`, shortened where the file is not below the working folder."""
    if span is None:
        return ""
    path = span.path
    if os.path.isabs(path):
        try:
            inside = os.path.relpath(path)
        except ValueError:
            inside = os.pardir
        path = os.path.basename(path) if inside.startswith(os.pardir) else inside
    return f"{path}:{span.line}"


def summary(comparison: Comparison, language: str) -> str:
    """How many changes there are of each level."""
    levels = [judged.change.level for judged in comparison.changes]
    if not levels:
        return say("diff_same", language)
    counts = [
        say(f"diff_count_{level}", language, n=levels.count(level))
        for level in LEVELS
        if level in levels
    ]
    return say("diff_changes", language, counts=say("comma", language).join(counts))


def sorted_changes(
    comparison: Comparison,
) -> tuple[list[Judged], list[Judged], list[Judged]]:
    """The changes that touch hands, those that are only written otherwise, and those of texts."""
    grave: list[Judged] = []
    rewritten: list[Judged] = []
    texts: list[Judged] = []
    for judged in comparison.changes:
        if judged.change.level != "text":
            grave.append(judged)
        elif judged.change.kind.endswith("-rewritten"):
            rewritten.append(judged)
        else:
            texts.append(judged)
    return grave, rewritten, texts


def by_subject(changes: Iterable[Change], telling: Telling) -> Iterator[tuple[str, list[Change]]]:
    """Changes of one thing together, in the order of the first of each."""
    found: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        key = (telling.subject(change), telling.id_of(change))
        found.setdefault(key, []).append(change)
    for (subject, id_), some in found.items():
        yield (f"{subject} ({id_})" if id_ else subject), some


# ---- hands side by side ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table of outcomes: what it is about, and a cell for each outcome."""

    kind: Literal["pattern", "total", "note", "payment"]
    label: str
    cells: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether the outcomes are not all alike."""
        return len(set(self.cells)) > 1


def outcome_rows(
    outcomes: Sequence[Result | HandError], telling: Telling, absent: str = "·"
) -> list[Row]:
    """Outcomes of one hand side by side: patterns, total, why there is none, payments."""
    results = [one for one in outcomes if isinstance(one, Result)]
    names: dict[str, str] = {}
    for result in results:
        for counted in result.patterns:
            names.setdefault(telling.new_id(counted.id), _name_of(counted, telling))

    def worth(one: Result | HandError, id_: str) -> str:
        if not isinstance(one, Result):
            return absent
        for counted in one.patterns:
            if telling.new_id(counted.id) == id_:
                times = "" if counted.count == 1 else f"×{counted.count} "
                return times + _awards(counted.awards, one.rules)
        return absent

    rows = [
        Row("pattern", name, tuple(worth(one, id_) for one in outcomes))
        for id_, name in names.items()
    ]
    empty = next((one.rules.data.total.empty_name for one in results if _is_empty(one)), None)
    if empty is not None:
        name = empty.get(telling.language) or telling.say("chicken")
        worths = tuple(str(one.base) if _is_empty(one) else absent for one in outcomes)
        rows.insert(0, Row("pattern", name, worths))
    totals = tuple(str(one.points) if isinstance(one, Result) else absent for one in outcomes)
    rows.append(Row("total", telling.say("total"), totals))
    notes = tuple(_note(one, telling) for one in outcomes)
    if any(notes):
        rows.append(Row("note", "", notes))
    paid = [one.payments if isinstance(one, Result) else None for one in outcomes]
    if any(paid):
        for seat in SEATS:
            cells = tuple(absent if one is None else signed(one[seat]) for one in paid)
            rows.append(Row("payment", telling.say(f"seat_{seat}"), cells))
    return rows


def _name_of(counted: CountedPattern, telling: Telling) -> str:
    """The name of a pattern that counts; of one with a new id both where they differ."""
    name = counted.name(telling.language)
    now = telling.new_id(counted.id)
    if now == counted.id:
        return name
    return " → ".join(dict.fromkeys((name, telling.pattern_name(now))))


def _is_empty(one: Result | HandError) -> TypeGuard[Result]:
    """Whether a winning shape has no pattern but bonuses."""
    return (
        isinstance(one, Result)
        and one.arranged is not None
        and all(counted.pattern.bonus for counted in one.patterns)
    )


def _awards(awards: Sequence[int], rules: Rules) -> str:
    if len(awards) == 1:
        return str(awards[0])
    return " ".join(f"{n} {unit}" for n, unit in zip(awards, rules.data.units, strict=False) if n)


def signed(number: int) -> str:
    """A number with its sign, `0` without one."""
    return f"{number:+d}" if number else "0"


def _note(one: Result | HandError, telling: Telling) -> str:
    if not isinstance(one, Result):
        return telling.say("diff_cannot_be")
    if one.reason == "not_a_winning_hand":
        return telling.say("no_win_word")
    if one.reason == "below_minimum":
        return telling.say("below_minimum_word")
    return "" if one.limit is None else telling.say("cap_word")


def first_result(outcomes: Sequence[Result | HandError]) -> Result | None:
    """The result to draw the hand by: one with a winning shape, else any."""
    results = [one for one in outcomes if isinstance(one, Result)]
    arranged = (one for one in results if one.arranged is not None)
    return next(arranged, results[0] if results else None)


def reasons(outcomes: Sequence[Result | HandError]) -> list[str]:
    """Why the hand cannot be under some ruleset, each reason once."""
    found = [str(one) for one in outcomes if not isinstance(one, Result)]
    return list(dict.fromkeys(found))


def witness_columns(
    witness: Witness, telling: Telling
) -> tuple[list[str], list[Result | HandError]]:
    """The outcomes of a witness with their names; the last only where it is another one."""
    names = [telling.say("diff_old"), telling.say("diff_new")]
    outcomes = [witness.old, witness.new]
    if _told(witness.whole, telling) != _told(witness.new, telling):
        names.append(telling.say("diff_whole"))
        outcomes.append(witness.whole)
    return names, outcomes


def _told(one: Result | HandError, telling: Telling) -> object:
    if not isinstance(one, Result):
        return str(one)
    counted = [(telling.new_id(each.id), each.count, each.awards) for each in one.patterns]
    return one.win, one.points, counted, one.payments


# ---- two branches --------------------------------------------------------------------


def crossings_said(found: ThreeWay, language: str) -> str:
    """Whether changes of two branches meet, and how that was looked for."""
    if found.crossings:
        return say("diff_crossings", language)
    return say("diff_no_crossings" if found.looked else "diff_no_touch", language)


def crossing_names(crossing: Crossing, telling: Telling) -> list[str]:
    """The names of what shows a crossing: two changes of the same value cannot both be made."""
    keys = ["diff_base", "diff_our", "diff_their", "diff_both"]
    results = crossing.results if crossing.end is None else crossing.end.results
    return [telling.say(key) for key in keys[: len(results)]]


def branch_findings(found: ThreeWay, review: BranchReview, language: str) -> list[str]:
    """What is to be mended or accepted of two branches; stale fingerprints aside."""
    told: list[str] = []
    for branch in review.needs_bump:
        words, rules = (
            ("diff_our", found.our_rules) if branch == "ours" else ("diff_their", found.their_rules)
        )
        bump = say("diff_bump", language, version=rules.version)
        told.append(f"{say(words, language)}{say('colon', language)}{bump}")
    if review.failing:
        told.append(say("diff_fails_met", language, n=len(review.failing)))
    return told


# ---- what was left out -------------------------------------------------------------


def left_out_words(left_out: Iterable[LeftOut], language: str) -> list[str]:
    """What a comparison left out, a line for each."""
    return [
        say(f"left_out_{one.kind.replace('-', '_')}", language, n=f"{one.number:,}")
        if one.number is not None
        else say(f"left_out_{one.kind.replace('-', '_')}", language)
        for one in left_out
    ]


# ---- impact ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Count:
    """A number of hands: how many, which share of those looked at, and the share as drawn."""

    label: str
    number: int
    share: str
    drawn: str | None


def looked_at(impact: Impact, language: str) -> str:
    """Which hands were looked at."""
    number = f"{impact.looked:,}"
    if impact.seed is not None:
        return say("diff_plays", language, n=number, seed=impact.seed)
    return say("diff_all_hands" if impact.complete else "diff_some_hands", language, n=number)


def impact_counts(impact: Impact, language: str) -> list[Count]:
    """What becomes of the hands, in numbers; what happens to none is left out."""
    from ruleengine.faces.statistics import percent

    numbers = (
        ("diff_changed", impact.changed, impact.changed_ways),
        ("diff_up", impact.up, impact.up_ways),
        ("diff_down", impact.down, impact.down_ways),
        ("diff_otherwise", impact.otherwise, None),
        ("diff_wins_gained", impact.wins_gained, None),
        ("diff_wins_lost", impact.wins_lost, None),
        ("diff_payments_changed", impact.payments_changed, None),
        ("diff_by_tile", impact.by_tile, impact.by_tile_ways),
    )
    return [
        Count(
            say(key, language),
            number,
            percent(number, impact.looked),
            percent(ways, impact.ways) if impact.ways and ways is not None else None,
        )
        for key, number, ways in numbers
        if number or key == "diff_changed"
    ]


def differences(impact: Impact) -> tuple[list[tuple[int, int]], int]:
    """The most frequent differences in points with their numbers of hands, and how many others."""
    often = sorted(impact.differences.items(), key=lambda item: (-item[1], item[0]))
    return often[:MOST_DIFFERENCES], len(often[MOST_DIFFERENCES:])


def tilts(impact: Impact) -> tuple[list[tuple[str, Tilt]], int]:
    """The patterns that gain or lose most, and how many others do."""
    patterns: Mapping[str, Tilt] = impact.patterns
    moved = [(id_, tilt) for id_, tilt in patterns.items() if tilt.gained or tilt.lost]
    often = sorted(moved, key=lambda item: -(item[1].gained + item[1].lost))
    return often[:MOST_PATTERNS], len(often[MOST_PATTERNS:])
