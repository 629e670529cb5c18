"""Bounds what a ruleset as a whole can come to: its totals, its payments, its templates.

Each sentence by itself is bounded where it is read. Together they may still go too far, and only
the whole ruleset shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleengine.language import meaning as m
from ruleengine.language.bounds import (
    MAX_AMOUNT,
    NOTHING,
    Bounds,
    Outgrown,
    Range,
    hull,
    options_below,
    plus,
    product,
)
from ruleengine.language.syntax import Problem
from ruleengine.language.template import assignments
from ruleengine.ruleset.names import templates
from ruleengine.ruleset.options import bounds_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.diagnostics import Span
    from ruleengine.ruleset.model import Pattern, RulesetData, Sentence
    from ruleengine.ruleset.names import ParsedNames

MAX_TEMPLATES = 100_000
"""The most places that all templates of a ruleset may stand for together."""


def check_growth(data: RulesetData, names: ParsedNames) -> None:
    """Report numbers that may grow too large, amounts that may be less than nothing, and templates
    that are too much together."""
    _Growth(data, names).check()
    _check_templates(data, names)


def points_range(data: RulesetData) -> Range:
    """The least and the most that the total of a hand may come to, or a little more; the ruleset
    has no mistakes."""
    bounds = Bounds(_option_ranges(data))
    awards = _awards_of(data, bounds)
    sums = sums_range(data)
    bounds.given.update(sums)

    def of(sentence: Sentence | None) -> Range:
        return NOTHING if sentence is None else bounds.of(sentence.meaning, [])

    total = data.total
    first = data.units[0]
    worth = sums[first] if total.value is None else of(total.value)
    found = hull([worth, plus(worth, of(total.empty)), NOTHING])
    if total.cap is not None:
        most = [of(total.cap).most]
        if total.limit_from is not None:
            most += [each.most for each in awards[first]]
        found = Range(found.least, min(found.most, max(most)))
    return found


def sums_range(data: RulesetData) -> dict[str, Range]:
    """The least and the most that the patterns of a hand may come to in each unit, or a little
    more; the ruleset has no mistakes."""
    return {
        unit: Range(sum(each.least for each in some), sum(each.most for each in some))
        for unit, some in _awards_of(data, Bounds(_option_ranges(data))).items()
    }


def _awards_of(data: RulesetData, bounds: Bounds) -> dict[str, list[Range]]:
    """What each pattern may award in each unit, however often it counts; nothing first."""

    def of(sentence: Sentence) -> Range:
        return bounds.of(sentence.meaning, [])

    awards: dict[str, list[Range]] = {unit: [NOTHING] for unit in data.units}
    for pattern in data.patterns.values():
        times = Range(0, 1 if pattern.times is None else max(of(pattern.times).most, 1))
        for unit, award in pattern.awards.items():
            awards[unit].append(product(of(award), times))
    return awards


def _option_ranges(data: RulesetData) -> dict[str, Range]:
    return {o.id: Range(*bounds_of(o)) for o in data.options.values() if o.type == "int"}


@dataclass(slots=True)
class _Growth:
    data: RulesetData
    names: ParsedNames
    bounds: Bounds = field(init=False)
    told: list[tuple[Span, list[Outgrown]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bounds = Bounds(_option_ranges(self.data))

    def check(self) -> None:
        data = self.data
        sums = self.patterns()
        total = data.total
        self.bounds.given.update(sums)
        worth = [next(iter(sums.values()))]
        if total.value is not None:
            worth = [self.of(total.value)]
        bounds = [
            self.never_negative(what, sentence)
            for what, sentence in (
                ("'cap'", total.cap),
                ("'limit_from'", total.limit_from),
                ("'empty'", total.empty),
                ("'minimum'", total.minimum),
            )
        ]
        cap, _, empty, _ = bounds
        worth.append(plus(worth[0], empty or NOTHING))
        points = hull(worth)
        if cap is not None and total.limit_from is None:
            points = Range(min(points.least, cap.least), min(points.most, cap.most))
        # That all hands are worth less than nothing is not the mistake of a payment.
        self.bounds.given["points"] = hull([points, Range(0, 1)])
        for event in data.events.values():
            if event.needs is not None:
                self.of(event.needs)
        for lines in data.settlement.values():
            for line in lines:
                if line.when is not None:
                    self.of(line.when)
                self.pays_something(line.pays)
        if data.stakes is not None:
            self.never_negative("the amount of a stake", data.stakes.amount)
        self.report()

    def of(self, sentence: Sentence) -> Range:
        """The range of a sentence; what may grow too large in it is kept for the report."""
        outgrown: list[Outgrown] = []
        found = self.bounds.of(sentence.meaning, outgrown)
        if outgrown:
            self.told.append((sentence.span, outgrown))
        return found

    # ---- patterns -------------------------------------------------------------------

    def patterns(self) -> dict[str, Range]:
        """What all patterns together may come to, unit by unit."""
        adds: dict[str, list[tuple[Range, Pattern, Sentence]]] = {x: [] for x in self.data.units}
        for pattern in self.data.patterns.values():
            if pattern.when is not None:
                self.of(pattern.when)
            times = Range(0, 1) if pattern.times is None else self.of(pattern.times)
            times = Range(0, max(times.most, 1))
            for unit, award in pattern.awards.items():
                adds[unit].append((product(self.of(award), times), pattern, award))
        return {unit: self.sum(each) for unit, each in adds.items()}

    def sum(self, adds: list[tuple[Range, Pattern, Sentence]]) -> Range:
        """What amounts add up to. Where that is too much, the largest is told of."""
        found = Range(sum(x.least for x, _, _ in adds), sum(x.most for x, _, _ in adds))
        if found.is_bounded:
            return found
        each, pattern, award = max(adds, key=lambda add: add[0].size)
        message = f"'{pattern.id}' may add {each.size:,}; {MAX_AMOUNT:,} at most"
        if each.is_bounded:
            message = (
                f"with '{pattern.id}' the patterns may come to {found.size:,}; "
                f"{MAX_AMOUNT:,} at most"
            )
        problem = Problem("E212", message, 0, len(award.text), self.help(award.meaning))
        self.names.report_in(award.span, problem)
        return NOTHING

    # ---- amounts --------------------------------------------------------------------

    def never_negative(self, what: str, sentence: Sentence | None) -> Range | None:
        """Report an amount that may be less than 0."""
        if sentence is None:
            return None
        found = self.of(sentence)
        if found.least < 0:
            message = f"{what} may come to {found.least:,}; it cannot be less than 0"
            help_line = None
            if found.most >= 0:
                help_line = f"write: max(0, {sentence.text.strip()})"
            self.names.report_in(
                sentence.span, Problem("E213", message, 0, len(sentence.text), help_line)
            )
        return Range(max(found.least, 0), max(found.most, 0))

    def pays_something(self, sentence: Sentence) -> None:
        """Report a payment that is never more than 0 and may be less."""
        found = self.of(sentence)
        if found.least < 0 and found.most <= 0:
            message = "a payment is what a seat pays: this is never more than 0"
            self.names.report_in(
                sentence.span, Problem("E213", message, 0, len(sentence.text), None)
            )

    # ---- the report -----------------------------------------------------------------

    def report(self) -> None:
        """Report what may grow too large, each where it is written."""
        known: set[str] = set()
        for term in self.data.terms.values():
            outgrown: list[Outgrown] = []
            if isinstance(term.value, m.Meaning):
                self.bounds.of(term.value, outgrown)
            if outgrown:
                known.add(term.id)
                self.told.append((term.span, outgrown))
        for home, parts in self.told:
            for part, found in parts:
                # What a name of its own is told of is not told again where the name is used.
                told = isinstance(part, m.Reference) and (
                    part.kind == "pattern" or part.name in known
                )
                if not told:
                    self.report_part(home, part, found)

    def report_part(self, home: Span, part: m.Meaning, found: Range) -> None:
        """Report a part of a sentence that may grow too large."""
        message = f"this may come to {found.most:,}; {MAX_AMOUNT:,} at most"
        if isinstance(part, m.Reference):
            message = f"'{part.name}' may grow too large here; {MAX_AMOUNT:,} at most"
        elif found.least < -MAX_AMOUNT:
            message = f"this may come to {found.least:,}; -{MAX_AMOUNT:,} at least"
        at = part.source
        self.names.report_in(home, Problem("E212", message, at.start, at.end, self.help(part)))

    def help(self, meaning: m.Meaning) -> str | None:
        """Which option lets a number grow, where it has no bounds of its own."""
        for name in options_below(meaning):
            option = self.data.options[name]
            if option.most is None and not option.choices:
                return f"give option '{name}' a 'max'"
        return None


def _check_templates(data: RulesetData, names: ParsedNames) -> None:
    total = 0
    for home, meaning in _sentences(data):
        for template in templates(meaning):
            total += assignments(template.items)
            if total > MAX_TEMPLATES:
                message = (
                    f"all templates up to this one stand for {total:,} hands; "
                    f"{MAX_TEMPLATES:,} at most"
                )
                at = template.source
                names.report_in(home, Problem("E214", message, at.start, at.end))
                return


def _sentences(data: RulesetData) -> Iterator[tuple[Span, m.Meaning]]:
    """Every sentence that is compiled, with the place where it stands."""
    for term in data.terms.values():
        if isinstance(term.value, m.Meaning):
            yield term.span, term.value
    for pattern in data.patterns.values():
        for sentence in pattern.sentences:
            yield sentence.span, sentence.meaning
    for event in data.events.values():
        if event.needs is not None:
            yield event.needs.span, event.needs.meaning
