"""What two rulesets say otherwise, matched by id, each with everything it extends.

The order of names, layout and comments make no difference. A sentence that is written in other
words but surely means the same (`compare.equal`), whatever the options are, is one of text only.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from ruleengine.compare.choices import refused
from ruleengine.compare.equal import Sameness
from ruleengine.compare.lines import (
    choices_line,
    dora_line,
    example_key,
    example_line,
    flower_line,
    liability_line,
    option_line,
    pattern_lines,
    payment_line,
    shape_line,
    stakes_line,
    wall_line,
)
from ruleengine.compare.model import KINDS, LEVELS, Change, Comparison, Judged
from ruleengine.compare.rebuilt import renamed_shapes, with_shapes_named
from ruleengine.compare.renamed import renamed_patterns
from ruleengine.compare.uses import TieBreaks, order_of, paying, reads, scoring
from ruleengine.compare.wording import (
    defined,
    names_in,
    stands_for,
    tokens_of,
    words_of,
    written,
)
from ruleengine.fmt.effective import plain_value
from ruleengine.ruleset.model import ENDINGS, LANGUAGES
from ruleengine.source import MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Mapping

    from ruleengine.compare.model import Level
    from ruleengine.diagnostics import Span
    from ruleengine.ruleset.model import (
        Example,
        Pattern,
        Payment,
        RulesetData,
        Sentence,
        Text,
    )
    from ruleengine.ruleset.read import ReadRuleset
    from ruleengine.source import Node

Path = tuple[str, ...]


def structure(
    old: ReadRuleset,
    new: ReadRuleset,
    options: tuple[Mapping[str, int | bool], Mapping[str, int | bool]] | None = None,
    *,
    beside: RulesetData | None = None,
) -> tuple[Change, ...]:
    """Every difference between two rulesets, gravest first, then in the order of the new file.

    `options` are the values that the options of the two have, where they are not the defaults.
    What another ruleset `beside` the new one reads makes a change of an option as grave as what the
    two read.
    """
    compared = _Comparison(old, new, options or ({}, {}), beside)
    compared.run()
    return tuple(sorted(compared.changes, key=lambda change: LEVELS.index(change.level)))


def said_otherwise(
    old: ReadRuleset, new: ReadRuleset, options: Mapping[str, int | bool] | None = None
) -> Comparison:
    """What two rulesets say otherwise as a comparison in which no hand was looked at.

    `options` are values of options in place of the defaults, in whichever of the two has them.
    Raises `OptionError` for a value that an option cannot have.
    """
    from ruleengine.rules import Rules

    chosen = [
        {name: value for name, value in (options or {}).items() if name in read.data.options}
        for read in (old, new)
    ]
    before = Rules(old.data, chosen[0], old.sources)
    after = Rules(new.data, chosen[1], new.sources)
    changes = structure(old, new, (chosen[0], chosen[1]))
    return Comparison(before, after, tuple(Judged(change) for change in changes), looked=False)


class _Named(NamedTuple):
    """A name in sentences, and what it stands for in both rulesets."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two rulesets with the values it was read from."""

    read: ReadRuleset
    options: Mapping[str, int | bool]

    @property
    def data(self) -> RulesetData:
        return self.read.data

    def find(self, path: Path) -> tuple[ScalarNode, Node] | None:
        """The name and the value at a path of the merged ruleset."""
        node: Node | None = self.read.chain.node if self.read.chain is not None else None
        key = None
        for name in path:
            if not isinstance(node, MappingNode):
                return None
            key, node = node.key(name), node.get(name)
        return (key, node) if key is not None and node is not None else None

    def rows(self, path: Path) -> list[object]:
        """What the rows of a value say, layout aside: of a mapping none comes before the first."""
        found = self.find(path)
        node = None if found is None else found[1]
        if isinstance(node, MappingNode):
            return [None, *((key.text, plain_value(value)) for key, value in node.entries)]
        return list(map(plain_value, node.items)) if isinstance(node, SequenceNode) else []

    def span(self, path: Path, row: int = 0) -> Span | None:
        """Where a value stands: the name of a mapping or of its entry with such a number, from 1
        on; a row of a list that has so many, from 0 on; else the value itself."""
        found = self.find(path)
        if found is None:
            return None
        if isinstance(found[1], SequenceNode) and row < len(found[1].items):
            return found[1].items[row].span
        if row and isinstance(found[1], MappingNode):
            return found[1].entries[row - 1][0].span
        return found[0].span if isinstance(found[1], MappingNode) else found[1].span


class _Comparison:
    """Collects the changes from one ruleset to another."""

    def __init__(
        self,
        old: ReadRuleset,
        new: ReadRuleset,
        options: tuple[Mapping[str, int | bool], Mapping[str, int | bool]],
        beside: RulesetData | None,
    ) -> None:
        self.beside = beside
        self.old, self.new = (
            _Side(read, {**{o.id: o.default for o in read.data.options.values()}, **chosen})
            for read, chosen in zip((old, new), options, strict=True)
        )
        self.in_words = new.data
        """The new ruleset as it is written, for the names in its sentences."""
        self.renamed_shapes = renamed_shapes(old.data, new.data)
        """The old id of each shape that has a new one; from here on they are called by it."""
        if self.renamed_shapes:
            named = with_shapes_named(new.data, self.renamed_shapes)
            self.new = replace(self.new, read=replace(new, data=named))
        self.sameness = Sameness(self.old.data, self.new.data, self.old.options, self.new.options)
        self.changes: list[Change] = []
        self.mates: tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]] = ({}, {})
        self.renamed: dict[str, str] = {}
        """The old id of each pattern that has a new one."""

    def run(self) -> None:
        old, new = self.old.data, self.new.data
        self.value("id-changed", ("id",), old.id, new.id)
        self.text("name-changed", ("name",), old.name, new.name)
        self.value("version-changed", ("version",), old.version, new.version)
        self.text("text-changed", ("source",), old.source, new.source)
        self.tiles()
        self.options()
        self.events()
        self.shapes()
        self.terms()
        units = [", ".join(data.units) for data in (old, new)]
        self.value("units-changed", ("units",), units[0], units[1])
        self.patterns()
        self.total()
        self.settlement()
        self.interpretations()

    # ---- noting a change ------------------------------------------------------------

    def add(
        self,
        kind: str,
        path: Path,
        old: str | None,
        new: str | None,
        *,
        level: Level | None = None,
        through: tuple[str, ...] = (),
        means: object = None,
        rows: tuple[int, int] = (0, 0),
    ) -> None:
        """Note a change at a path of the new ruleset; `means` is what else tells it from others.

        Of lists it stands at one of their `rows`, in the old ruleset and in the new one.
        """
        before = self.before(path)
        at = ".".join(path)
        values = [None if value is None else " ".join(value.split()) for value in (old, new)]
        known = self.old.data.options.keys() | self.new.data.options.keys()
        fingerprint, edit = (
            f"c{_hash(json.dumps([at, *values, one], ensure_ascii=False, default=str))[:11]}"
            for one in (means, _without(means, known))
        )
        self.changes.append(
            Change(
                kind=kind,
                level=level or KINDS[kind],
                at=at,
                old=old,
                new=new,
                old_span=self.old.span(before, rows[0]),
                new_span=self.new.span(path, rows[1]),
                fingerprint=fingerprint,
                edit=edit,
                through=through,
            )
        )

    def before(self, path: Path) -> Path:
        """The path in the old ruleset of what stands at a path in the new one."""
        if len(path) > 1 and path[0] == "patterns":
            return (path[0], self.renamed.get(path[1], path[1]), *path[2:])
        if len(path) > 1 and path[0] == "shapes":
            return (path[0], self.renamed_shapes.get(path[1], path[1]), *path[2:])
        return path

    def value(self, kind: str, path: Path, old: object, new: object) -> None:
        """Compare two values; None is one that is not there."""
        if type(old) is not type(new) or old != new:
            self.add(kind, path, written(old), written(new))

    def text(self, kind: str, path: Path, old: Text, new: Text) -> None:
        """Compare two texts; what is shown are the languages in which they differ."""
        words = [
            {language: " ".join(one.split()) for language, one in text.by_language.items()}
            for text in (old, new)
        ]
        differ = [x for x in LANGUAGES if words[0].get(x) != words[1].get(x)]
        if differ:
            shown = [
                "\n".join(f"{x}: {side[x]}" for x in differ if x in side) or None for side in words
            ]
            self.add(kind, path, shown[0], shown[1])

    def sentence(
        self,
        changed: str,
        rewritten: str,
        path: Path,
        old: Sentence | None,
        new: Sentence | None,
    ) -> None:
        """Compare two sentences by what they mean, then by their words."""
        if old is None and new is None:
            return
        kind = "changed"
        through: tuple[str, ...] = ()
        if old is not None and new is not None:
            kind, through = self.sentences(old, new)
        if kind == "same":
            return
        self.add(
            changed if kind == "changed" else rewritten,
            path,
            words_of(old),
            words_of(new),
            through=through,
            means=self.behind([old], [new]),
        )

    def sentences(self, old: Sentence, new: Sentence) -> tuple[str, tuple[str, ...]]:
        """How two sentences differ, `same`, `rewritten` or `changed`; and of equal words the names
        in them that mean something else."""
        if self.sameness.same(old.meaning, new.meaning):
            words = self.by_old_names(tokens_of(new))
            return ("same" if words == tokens_of(old) else "rewritten"), ()
        through: tuple[str, ...] = ()
        if tokens_of(old, brackets=True) == self.by_old_names(tokens_of(new, brackets=True)):
            through = self.changed_names(old, new)
        return "changed", through

    def behind(
        self, old: Iterable[Sentence | None], new: Iterable[Sentence | None]
    ) -> list[_Named] | None:
        """What the names in sentences of either ruleset stand for in both; None for no name.

        A term or an option may be new with the sentence, and is then no change of scores itself.
        """
        before, after = self.old.data, self.in_words
        names = {
            name
            for some, data in ((old, before), (new, after))
            for sentence in some
            if sentence is not None
            for name in names_in(sentence, data)
        }
        found = [_Named(x, stands_for(before, x), stands_for(after, x)) for x in sorted(names)]
        return found or None

    def changed_names(self, old: Sentence, new: Sentence) -> tuple[str, ...]:
        """The terms and patterns, those behind others included, that are defined otherwise."""
        names = [*names_in(old, self.old.data), *names_in(new, self.in_words)]
        return tuple(
            name
            for name in dict.fromkeys(names)
            if defined(self.old.data, name) != self.defined_now(name)
        )

    def by_old_names(self, words: Iterable[str]) -> list[str]:
        """The words of a sentence of the new ruleset, where patterns and shapes have their old
        ids."""
        return [self.renamed.get(x, self.renamed_shapes.get(x, x)) for x in words]

    def defined_now(self, name: str) -> str | None:
        """What a name of the new ruleset stands for, by the old ids of patterns and shapes."""
        found = defined(self.in_words, name)
        return None if found is None else " ".join(self.by_old_names(found.split(" ")))

    # ---- sections -------------------------------------------------------------------

    def named(
        self,
        section: str,
        what: str,
        old: Iterable[str],
        new: Iterable[str],
        show: Callable[[_Side, str], str],
        sentences: Callable[[RulesetData, str], Iterable[Sentence | None]] = lambda data, name: (),
        further: Callable[[RulesetData, str], object] = lambda data, name: None,
    ) -> list[str]:
        """Note what is only in one ruleset; gives what is in both. `sentences` has those in it,
        `further` what else tells it from others of the same words."""
        before, after = list(old), list(new)
        old_names, new_names = frozenset(before), frozenset(after)
        for name in after:
            if name not in old_names:
                means = _both(
                    self.behind((), sentences(self.new.data, name)), further(self.new.data, name)
                )
                shown = show(self.new, name)
                self.add(f"{what}-added", (section, name), None, shown, means=means)
        for name in before:
            if name not in new_names:
                means = _both(
                    self.behind(sentences(self.old.data, name), ()), further(self.old.data, name)
                )
                shown = show(self.old, name)
                # A table that sets an option which is no more is refused.
                level = self.level_of_option(name) if section == "options" else None
                path = (section, name)
                self.add(f"{what}-removed", path, shown, None, level=level, means=means)
        return [name for name in after if name in old_names]

    def tiles(self) -> None:
        old, new = self.old.data.wall, self.new.data.wall
        for name, line in (("wall", wall_line), ("flowers", flower_line), ("dora", dora_line)):
            path, lines = ("tiles", name), (line(old), line(new))
            if lines[0] != lines[1]:
                self.add("tiles-changed", path, *lines, rows=self.other_rows(path))

    def other_rows(self, path: Path) -> tuple[int, int]:
        """The first row of a value on each side that the other side has not."""
        sides = [side.rows(path) for side in (self.old, self.new)]
        first, second = (
            next((at for at, row in enumerate(rows) if row not in others), 0)
            for rows, others in (sides, reversed(sides))
        )
        return first, second

    def options(self) -> None:
        old, new = self.old.data.options, self.new.data.options
        for name in self.named("options", "option", old, new, _show_option):
            path = ("options", name)
            before, after = old[name], new[name]
            self.bounds((*path, "type"), before.type, after.type)
            if type(before.default) is not type(after.default) or before.default != after.default:
                values = (written(before.default), written(after.default))
                level = self.level_of_option(name)
                self.add("option-default-changed", (*path, "default"), *values, level=level)
            choices = [choices_line(option) for option in (before, after)]
            self.bounds((*path, "choices"), choices[0], choices[1])
            self.bounds((*path, "min"), before.least, after.least)
            self.bounds((*path, "max"), before.most, after.most)
            self.text("name-changed", (*path, "name"), before.name, after.name)
            self.text("text-changed", (*path, "doc"), before.doc, after.doc)

    def bounds(self, path: Path, old: object, new: object) -> None:
        """Compare a bound of an option. Where a table may have a value that is refused now, the
        change is as grave as what reads the option."""
        if old == new:
            return
        before, after = (side.data.options[path[1]] for side in (self.old, self.new))
        gone = before.type != after.type or refused(before, after)
        level = self.level_of_option(path[1]) if gone else None
        self.add("option-bounds-changed", path, written(old), written(new), level=level)

    def level_of_option(self, name: str) -> Level:
        """What a change of an option touches: what the sentences that read it are about."""
        sides = [self.old.data, self.new.data]
        if self.beside is not None:
            sides.append(self.beside)
        if any(reads(scoring(data), name) for data in sides):
            return "score"
        return "payment" if any(reads(paying(data), name) for data in sides) else "text"

    def events(self) -> None:
        old, new = self.old.data.events, self.new.data.events

        def show(side: _Side, name: str) -> str:
            event = side.data.events[name]
            shared = ", shared: true" if event.shared else ""
            return (words_of(event.needs) or name) + shared

        def needs_of(data: RulesetData, name: str) -> list[Sentence | None]:
            return [data.events[name].needs]

        for name in self.named("events", "event", old, new, show, needs_of):
            path = ("events", name)
            before, after = old[name], new[name]
            needs = (*path, "needs")
            self.sentence("event-changed", "event-rewritten", needs, before.needs, after.needs)
            if before.shared != after.shared:
                # Only what several winners of one tile are paid depends on it.
                shown = [written(event.shared or None) for event in (before, after)]
                self.add("event-changed", (*path, "shared"), *shown, level="payment")
            self.text("name-changed", (*path, "name"), before.name, after.name)
            self.text("text-changed", (*path, "doc"), before.doc, after.doc)

    def shapes(self) -> None:
        old, new = self.old.data, self.new.data
        now = {before: name for name, before in self.renamed_shapes.items()}
        both = self.named("shapes", "shape", old.shapes, new.shapes, _show_shape)
        for name in both:
            path = ("shapes", now.get(name, name))
            if name in now:
                self.add("shape-renamed", path, name, now[name])
            if old.shapes[name] != new.shapes[name]:
                shown = (_show_shape(self.old, name), _show_shape(self.new, name))
                self.add("shape-changed", path, *shown)
            names = (old.shape_names[name], new.shape_names[name])
            self.text("name-changed", (*path, "name"), *names)
        order = [", ".join(x for x in data.shapes if x in both) for data in (old, new)]
        self.value("shape-order-changed", ("shapes",), order[0], order[1])

    def terms(self) -> None:
        old, new = self.old.data.terms, self.new.data.terms

        def show(side: _Side, name: str) -> str:
            return words_of(side.data.terms[name]) or name

        for name in self.named("terms", "term", old, new, show):
            if tokens_of(old[name]) != self.by_old_names(tokens_of(new[name])):
                words = (words_of(old[name]), words_of(new[name]))
                self.add("term-changed", ("terms", name), *words)

    # ---- patterns -------------------------------------------------------------------

    def patterns(self) -> None:
        old, new = self.old.data.patterns, self.new.data.patterns
        self.renamed = renamed_patterns(self.old.data, self.new.data, self.sameness)
        known = set(self.renamed.values())
        gone = [name for name in old if name not in known]
        come = [name for name in new if name not in self.renamed]
        self.named("patterns", "pattern", gone, come, _show_pattern, _sentences_of, _code_of)
        self.mates = (self.in_series(self.old.data), self.in_series(self.new.data))
        for name, pattern in new.items():
            before = old.get(self.renamed.get(name, name))
            if before is not None:
                self.pattern(before, pattern)
        self.pattern_order()

    def pattern(self, old: Pattern, new: Pattern) -> None:
        path = ("patterns", new.id)
        if old.id != new.id:
            self.add("pattern-renamed", path, old.id, new.id)
        for unit in dict.fromkeys((*self.new.data.units, *self.old.data.units)):
            awards = (old.awards.get(unit), new.awards.get(unit))
            self.sentence("points-changed", "points-rewritten", (*path, unit), *awards)
        when = ("condition-changed", "condition-rewritten", (*path, "when"))
        self.sentence(*when, old.when, new.when)
        times = ("times-changed", "times-rewritten", (*path, "times"))
        self.sentence(*times, old.times, new.times)
        own = frozenset({new.id})
        series = zip(self.mates, (old.series, new.series), strict=True)
        before, after = (own if one is None else mates.get(one, own) for mates, one in series)
        kind = "series-renamed" if before == after else "series-changed"
        if old.series != new.series:
            names = (old.series, new.series)
            means = "renamed" if before == after else (sorted(before), sorted(after))
            self.add(kind, (*path, "series"), *names, means=means)
        ids = {old_id: new_id for new_id, old_id in self.renamed.items()}
        drops = [
            sorted({ids.get(name, name) for name in old.supersedes}),
            sorted(set(new.supersedes)),
        ]
        if drops[0] != drops[1]:
            shown = [", ".join(names) or None for names in drops]
            self.add("supersedes-changed", (*path, "supersedes"), *shown)
        self.value("bonus-changed", (*path, "bonus"), old.bonus or None, new.bonus or None)
        self.value("code-changed", (*path, "code"), old.code, new.code)
        self.text("name-changed", (*path, "name"), old.name, new.name)
        self.text("text-changed", (*path, "doc"), old.doc, new.doc)
        self.value("text-changed", (*path, "status"), old.status, new.status)
        self.examples((*path, "hits"), old.hits, new.hits)
        self.examples((*path, "misses"), old.misses, new.misses)

    def in_series(self, data: RulesetData) -> dict[str, frozenset[str]]:
        """The patterns of each series, of those in both rulesets, by their new id."""
        found: dict[str, set[str]] = {}
        for name in self.new.data.patterns:
            before = self.renamed.get(name, name)
            if before in self.old.data.patterns:
                series = data.patterns[before if data is self.old.data else name].series
                if series is not None:
                    found.setdefault(series, set()).add(name)
        return {series: frozenset(names) for series, names in found.items()}

    def examples(self, path: Path, old: tuple[Example, ...], new: tuple[Example, ...]) -> None:
        """Compare examples in any order; what is shown are those that the other has not."""
        sides = [{example_key(example): example for example in side} for side in (old, new)]
        only = [
            [key for key in side if key not in other]
            for side, other in (sides, reversed(sides))
        ]  # fmt: skip
        if only[0] or only[1]:
            shown = [
                "\n".join(example_line(side[key]) for key in keys) or None
                for side, keys in zip(sides, only, strict=True)
            ]
            self.add("examples-changed", path, *shown, means=only)

    def pattern_order(self) -> None:
        """The order of patterns tells which of several equals counts; where those differ in what
        else they do, another order makes another score."""
        new = order_of(self.new.data)
        ranks = {name: at for at, name in enumerate(order_of(self.old.data))}
        old = {name: ranks.get(self.renamed.get(name, name), -1) for name in new}
        both = [name for name in new if old[name] >= 0]
        deciders = (TieBreaks(self.old.data), TieBreaks(self.new.data))
        found: set[str] = set()
        for at, name in enumerate(both):
            for later in both[at + 1 :]:
                pair = (name, later)
                before = [self.renamed.get(one, one) for one in pair]
                if old[later] < old[name] and (
                    deciders[0].decide(*before) or deciders[1].decide(*pair)
                ):
                    found |= set(pair)
        if found:
            shown = [sorted(found, key=old.__getitem__), [one for one in both if one in found]]
            self.add("pattern-order-changed", ("patterns",), *map(", ".join, shown))

    # ---- totals, payments, readings -------------------------------------------------

    def total(self) -> None:
        old, new = self.old.data.total, self.new.data.total
        for name, kind in (
            ("value", "total-changed"),
            ("cap", "cap-changed"),
            ("limit_from", "limit-changed"),
            ("empty", "empty-changed"),
            ("minimum", "minimum-changed"),
        ):
            path = ("total", name)
            self.sentence(kind, "total-rewritten", path, getattr(old, name), getattr(new, name))
        self.text("name-changed", ("total", "empty", "name"), old.empty_name, new.empty_name)

    def settlement(self) -> None:
        old, new = self.old.data, self.new.data
        for ending in ENDINGS:
            lines = (old.settlement.get(ending, ()), new.settlement.get(ending, ()))
            self.payments(("settlement", ending), *lines)
        self.value("winners-changed", ("settlement", "winners"), old.winners, new.winners)
        self.stakes()
        duty = [liability_line(data.liability) for data in (old, new)]
        self.value("liability-changed", ("liability",), duty[0], duty[1])

    def payments(self, path: Path, old: tuple[Payment, ...], new: tuple[Payment, ...]) -> None:
        """Compare the lines of a settlement, whose order counts."""
        found = {"same"} if len(old) == len(new) else {"changed"}
        through: dict[str, None] = {}
        rows: list[int] = []
        """Where the two differ, row by row."""
        for row, (before, after) in enumerate(zip(old, new, strict=False)):
            kinds = {"same"}
            for one, other in ((before.when, after.when), (before.pays, after.pays)):
                if one is None or other is None:
                    kinds.add("same" if one is other else "changed")
                else:
                    kind, names = self.sentences(one, other)
                    kinds.add(kind)
                    through |= dict.fromkeys(names)
            found |= kinds
            rows += [row] if kinds != {"same"} else []
        if found == {"same"}:
            return
        row = rows[0] if rows else min(len(old), len(new))
        kind = "settlement-changed" if "changed" in found else "settlement-rewritten"
        shown = ["\n".join(map(payment_line, lines)) or None for lines in (old, new)]
        same_words = shown[0] == shown[1]
        self.add(
            kind,
            path,
            *shown,
            through=tuple(through) if same_words else (),
            rows=(row, row),
            means=self.behind(
                *([one for line in lines for one in line.sentences] for lines in (old, new))
            ),
        )

    def stakes(self) -> None:
        old, new = self.old.data.stakes, self.new.data.stakes
        path = ("settlement", "stakes")
        if old is None or new is None:
            if old is not new:
                shown = [None if stakes is None else stakes_line(stakes) for stakes in (old, new)]
                paid = ([] if stakes is None else [stakes.amount] for stakes in (old, new))
                self.add("stakes-changed", path, *shown, means=self.behind(*paid))
            return
        self.value("stakes-changed", (*path, "event"), old.event, new.event)
        amounts = (old.amount, new.amount)
        self.sentence("stakes-changed", "settlement-rewritten", (*path, "amount"), *amounts)
        self.value("stakes-changed", (*path, "to"), old.to, new.to)
        returned = (old.returned or None, new.returned or None)
        self.value("stakes-changed", (*path, "returned"), *returned)

    def interpretations(self) -> None:
        old, new = (
            {one.id: one for one in side.data.interpretations} for side in (self.old, self.new)
        )

        def show(side: _Side, name: str) -> str:
            return next(x.reading.get() for x in side.data.interpretations if x.id == name)

        def texts_of(data: RulesetData, name: str) -> object:
            one = next(x for x in data.interpretations if x.id == name)
            return [dict(x.by_language) for x in (one.question, one.reading, one.why)]

        both = self.named("interpretations", "interpretation", old, new, show, further=texts_of)
        for name in both:
            for part in ("question", "reading", "why"):
                texts = (getattr(old[name], part), getattr(new[name], part))
                self.text("interpretation-changed", ("interpretations", name, part), *texts)


def _sentences_of(data: RulesetData, name: str) -> tuple[Sentence, ...]:
    return data.patterns[name].sentences


def _code_of(data: RulesetData, name: str) -> object:
    """The code of a pattern, which is part of its order."""
    return data.patterns[name].code


def _both(behind: object, further: object) -> object:
    return behind if further is None else [behind, further]


def _without(means: object, names: Container[str]) -> object:
    """What tells a change from others, without what some names stand for."""
    if not isinstance(means, list):
        return means
    kept = (one for one in means if not (isinstance(one, _Named) and one.name in names))
    return [_without(one, names) for one in kept]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _show_option(side: _Side, name: str) -> str:
    return option_line(side.data.options[name])


def _show_shape(side: _Side, name: str) -> str:
    given = {part: side.find(("shapes", name, part)) for part in ("tiles", "doubled", "choose")}
    scalars = {part: found[1] for part, found in given.items() if found is not None}
    texts = {part: x.text for part, x in scalars.items() if isinstance(x, ScalarNode)}
    return shape_line(side.data.shapes[name], texts)


def _show_pattern(side: _Side, name: str) -> str:
    return pattern_lines(side.data.patterns[name])
