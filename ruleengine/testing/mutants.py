"""Changes a ruleset in small ways, one at a time, and sees whether a case notices.

A change that no case notices is a survivor: either an example is missing, or the change makes no
difference to any hand. The latter are explained, one by one, in a file of equivalent mutants. A
variant answers for the lines of its own file only.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ruleengine.language import meaning as m
from ruleengine.language.syntax import SentenceError, parse
from ruleengine.rules import OptionError, Rules
from ruleengine.ruleset.fields import mapping_of
from ruleengine.ruleset.read import read_changed
from ruleengine.source import MappingNode, ScalarNode, SequenceNode
from ruleengine.syntax_store import SyntaxStore
from ruleengine.testing.bench import Bench
from ruleengine.testing.budget import MUTANT_WORK, Budget, OutOfWork
from ruleengine.testing.doubtful import doubtful
from ruleengine.testing.effort import work_of_templates
from ruleengine.testing.mutate import changes
from ruleengine.testing.run import Runner, compare
from ruleengine.testing.sentences import Where, homes, node_at, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ruleengine.diagnostics import Span
    from ruleengine.ruleset.model import Pattern, RulesetData
    from ruleengine.ruleset.read import ReadRuleset
    from ruleengine.source import Node
    from ruleengine.testing.cases import Case
    from ruleengine.testing.run import Outcome

NOTHING = "(left out)"
"""What stands for a value that a mutant leaves out."""
_LEFT_OUT = frozenset({"hits", "misses", "doc", "name"})
_SENTENCES = ("when", "times")
CHANGING = 15
"""Steps to lay out and compare one value of a changed ruleset."""
READING = 20
"""Steps to read one value of a ruleset."""
LONG = 40
"""Letters of a text that are as much work as a value."""
PARSING = 100
"""Steps to read a letter of a sentence that is not known yet."""
COMPILING = 200
"""Steps to compile one value of a ruleset."""
SCORING = 500
"""Steps to score one hand from the start."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: where it is, what was there, and what stands there instead.

    `becomes` is the whole new value, `before` and `after` the words of it that differ.
    """

    path: Where
    span: Span
    before: str
    after: str
    becomes: str
    node: MappingNode

    @property
    def at(self) -> str:
        """The path as it is written in files: `patterns.all_triplets.when`."""
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class Tried:
    """A mutant and the case that noticed it, None where none did."""

    mutant: Mutant
    killed_by: Case | None


def mutants(read: ReadRuleset) -> Iterator[Mutant]:
    """Every mutant of a ruleset in the lines of its own file, in the order of the sections.

    Some are no rulesets; `try_mutants` leaves those out.
    """
    chain = read.chain
    assert chain is not None
    assert chain.node is not None
    root = _stripped(chain.node)
    home = next(iter(chain.sources))
    for path, node, kind in _places(root, read.data):
        if _span(root, path, node).path != home:
            continue
        span = _span(root, path, node)
        if kind == "sentence" and isinstance(node, ScalarNode):
            yield from _of_sentence(root, path, node)
        elif kind == "number" and isinstance(node, ScalarNode) and isinstance(node.value, int):
            yield from _of_number(root, path, node)
        elif kind == "order" and isinstance(node, SequenceNode):
            yield from _of_order(root, path, node)
        elif kind == "drop":
            shown = words(node.text) if isinstance(node, ScalarNode) else path[-1]
            if shown.isdigit() and path[0] == "settlement":
                shown = f"line {int(shown) + 1}"
            changed = _with(root, path, None)
            yield Mutant(path, span, shown, NOTHING, NOTHING, changed)


def _places(root: MappingNode, data: RulesetData) -> Iterator[tuple[Where, Node, str]]:
    """The values that may be changed, with how."""
    for name in data.events:
        yield from _both(root, ("events", name, "needs"))
    for name in data.terms:
        yield from _one(root, ("terms", name), "sentence")
    for name in data.options:
        yield from _one(root, ("options", name, "default"), "number")
    crowded = Counter(pattern.series for pattern in data.patterns.values())
    for name, pattern in data.patterns.items():
        for key in (*_SENTENCES, *data.units):
            yield from _one(root, ("patterns", name, key), "sentence")
        if pattern.series is not None and crowded[pattern.series] > 1:
            yield from _one(root, ("patterns", name, "series"), "drop")
        if pattern.bonus:
            yield from _one(root, ("patterns", name, "bonus"), "drop")
        for place in range(len(pattern.supersedes)):
            yield from _one(root, ("patterns", name, "supersedes", str(place)), "drop")
    for key in ("value", "cap", "limit_from", "minimum"):
        yield from _both(root, ("total", key))
    if isinstance(node_at(root, ("total",)), MappingNode):
        total = node_at(root, ("total",))
        assert isinstance(total, MappingNode)
        whole = isinstance(total.get("empty"), MappingNode)
        yield from _one(root, ("total", "empty", *(("points",) if whole else ())), "sentence")
        yield from _one(root, ("total", "empty"), "drop")
    for ending, lines in data.settlement.items():
        for place in range(len(lines)):
            line = ("settlement", ending, str(place))
            yield from _one(root, (*line, "when"), "sentence")
            yield from _one(root, (*line, "pays"), "sentence")
            if len(lines) > 1:
                yield from _one(root, line, "drop")
        yield from _one(root, ("settlement", ending), "order")
    for key in ("moves", "nobody", "barred"):
        yield from _one(root, ("liability", key), "drop")


def _one(root: MappingNode, path: Where, kind: str) -> Iterator[tuple[Where, Node, str]]:
    node: Node | None = root
    for name in path:
        if isinstance(node, MappingNode):
            node = node.get(name)
        elif isinstance(node, SequenceNode) and int(name) < len(node.items):
            node = node.items[int(name)]
        else:
            return
    if node is not None:
        yield path, node, kind


def _both(root: MappingNode, path: Where) -> Iterator[tuple[Where, Node, str]]:
    yield from _one(root, path, "sentence")
    yield from _one(root, path, "drop")


def _span(root: MappingNode, path: Where, node: Node) -> Span:
    """Where a value stands: its name, where it is more than one line."""
    above = _find(root, path[:-1])
    key = above.key(path[-1]) if isinstance(above, MappingNode) else None
    if isinstance(node, ScalarNode) or key is None:
        return node.span
    return key.span


def _find(root: Node, path: Where) -> Node | None:
    found = list(_one(root, path, "")) if isinstance(root, MappingNode) else []
    return found[0][1] if found else root if not path else None


def _of_sentence(root: MappingNode, path: Where, node: ScalarNode) -> Iterator[Mutant]:
    parsed = None
    for entry in ("klass", "sentence") if path[0] == "terms" else ("sentence",):
        try:
            parsed = parse(node.text, entry)
            break
        except SentenceError:
            continue
    if parsed is None:
        return
    for change in changes(parsed, node.text):
        new = replace(node, text=change.text, value=change.text)
        span = node.locate(change.start, change.end)
        before, after = words(change.before), words(change.after) or NOTHING
        yield Mutant(path, span, before, after, words(change.text), _with(root, path, new))


def _of_number(root: MappingNode, path: Where, node: ScalarNode) -> Iterator[Mutant]:
    assert isinstance(node.value, int)
    others: tuple[int | bool, ...] = (node.value + 1, node.value - 1)
    if isinstance(node.value, bool):
        others = (not node.value,)
    for other in others:
        text = str(other).lower()
        new = replace(node, text=text, value=other)
        yield Mutant(path, node.span, node.text, text, text, _with(root, path, new))


def _of_order(root: MappingNode, path: Where, node: SequenceNode) -> Iterator[Mutant]:
    """Two neighbouring lines of a settlement the other way round."""
    for at in range(len(node.items) - 1):
        items = list(node.items)
        items[at], items[at + 1] = items[at + 1], items[at]
        changed = _with(root, path, replace(node, items=tuple(items)))
        text = f"lines {at + 1} and {at + 2} the other way round"
        yield Mutant(path, node.items[at].span, "the order", text, text, changed)


def _stripped(node: MappingNode) -> MappingNode:
    """A merged ruleset without what changes no score."""
    entries: list[tuple[ScalarNode, Node]] = []
    for key, value in node.entries:
        if key.text == "interpretations":
            continue
        if key.text == "patterns" and isinstance(value, MappingNode):
            patterns = [
                (name, mapping_of((e for e in one.entries if e[0].text not in _LEFT_OUT), one.span))
                if isinstance(one, MappingNode)
                else (name, one)
                for name, one in value.entries
            ]
            value = mapping_of(patterns, value.span)
        entries.append((key, value))
    return mapping_of(entries, node.span)


def _with(node: MappingNode, path: Where, new: Node | None) -> MappingNode:
    """A ruleset with another value at a path, or without it."""
    changed = _changed(node, path, new)
    assert isinstance(changed, MappingNode)
    return changed


def _changed(node: Node, path: Where, new: Node | None) -> Node | None:
    if not path:
        return new
    if isinstance(node, MappingNode):
        entries = [
            (key, _changed(value, path[1:], new) if key.text == path[0] else value)
            for key, value in node.entries
        ]
        return mapping_of(((k, v) for k, v in entries if v is not None), node.span)
    assert isinstance(node, SequenceNode)
    items = [
        _changed(item, path[1:], new) if str(at) == path[0] else item
        for at, item in enumerate(node.items)
    ]
    return replace(node, items=tuple(item for item in items if item is not None))


# ---- trying them ---------------------------------------------------------------------------


class Trial:
    """Tries mutants of one ruleset on its cases. Cases that fail without any change are left out.

    Cases of settlements are run again where a change concerns more than patterns and terms.
    `stopped` is the mutant at which the budget was spent: neither it nor what comes after it was
    tried. It is None where all were.
    """

    def __init__(
        self,
        read: ReadRuleset,
        rules: Rules,
        outcomes: Sequence[Outcome],
        budget: Budget | None = None,
    ) -> None:
        assert read.chain is not None
        assert read.chain.node is not None
        self.budget = budget or Budget(MUTANT_WORK)
        self.stopped: Mutant | None = None
        self.size = _size(_stripped(read.chain.node))
        self.chain = read.chain
        self.rules = rules
        self.store = SyntaxStore.open(read.sources.values())
        passed = self.passed = [outcome for outcome in outcomes if outcome.passed]
        self.cases = [outcome.case for outcome in passed]
        self.benches: list[Bench] | None = None
        self.settled = [o.case for o in passed if o.case.kind == "settle"]
        self.doubtful = list(doubtful(rules, passed))
        self.referred = _referred(rules.data)

    def run(self, given: Iterable[Mutant]) -> Iterator[Tried]:
        """Try each mutant that is a ruleset, until the budget is spent."""
        for mutant in given:
            try:
                self.budget.spend(CHANGING * self.size + PARSING * len(mutant.becomes))
                data = self._read(mutant)
                if data is None:
                    continue
                killer = self._killer(data)
            except OptionError:
                continue
            except OutOfWork:
                self.stopped = mutant
                return
            yield Tried(mutant, killer)

    def _read(self, mutant: Mutant) -> RulesetData | None:
        """The ruleset of a mutant; of a single pattern that pattern alone is read again."""
        section, name, *rest = (*mutant.path, "", "")
        known = self.rules.data.patterns
        if section != "patterns" or name in self.referred or rest[0] in ("series", "supersedes"):
            return self._read_changed(mutant.node)
        data = self._read_changed(_only_pattern(mutant.node, name))
        if data is None or any(used in known for used in _names_in(data.patterns[name])):
            return self._read_changed(mutant.node)
        before = known[name]
        new = replace(
            data.patterns[name], supersedes=before.supersedes, hits=before.hits,
            misses=before.misses, name=before.name, doc=before.doc,
        )  # fmt: skip
        return replace(self.rules.data, patterns={**known, name: new})

    def _read_changed(self, node: MappingNode) -> RulesetData | None:
        self.budget.spend(READING * _size(node))
        return read_changed(self.chain, node, self.store)

    def _killer(self, data: RulesetData) -> Case | None:
        """The first case that does not hold under changed rules."""
        before = self.rules.data
        if (data.options, data.wall, data.shapes, data.units) != (
            before.options, before.wall, before.shapes, before.units,
        ):  # fmt: skip
            return self._rerun(data, self.cases)
        if self.benches is None:
            self.benches = _benches(self.rules, self.passed, self.budget)
        for bench in self.benches:
            for case, got in bench.judged(data):
                if compare(case, got) is not None:
                    return case
        possible = data.events == before.events and data.liability == before.liability
        if not possible:
            for one in self.doubtful:
                self.budget.spend(SCORING)
                if one.judged(data, self.rules.options) != one.before:
                    return one.case
        if not possible or data.settlement != before.settlement:
            return self._rerun(data, self.settled) if self.settled else None
        return None

    def _rerun(self, data: RulesetData, cases: Iterable[Case]) -> Case | None:
        """The first of some cases that does not hold when it is scored from the start."""
        given = {
            name: value
            for name, value in self.rules.options.items()
            if value != self.rules.data.options[name].default
        }
        patterns = data.patterns.values()
        self.budget.spend(COMPILING * self.size + sum(map(work_of_templates, patterns)))
        runner = Runner(Rules(data, given))
        for case in cases:
            self.budget.spend(SCORING + len(patterns))
            if not runner.run(case).passed:
                return case
        return None


def _size(node: Node) -> int:
    """How many values there are in a value, itself included; a long text counts as several."""
    found = 0
    pending = [node]
    while pending:
        one = pending.pop()
        found += 1
        if isinstance(one, MappingNode):
            pending += [value for _, value in one.entries]
        elif isinstance(one, SequenceNode):
            pending += one.items
        elif isinstance(one, ScalarNode):
            found += len(one.text) // LONG
    return found


def _benches(rules: Rules, outcomes: Sequence[Outcome], budget: Budget) -> list[Bench]:
    """A bench for each choice of options that cases make."""
    by_options: dict[tuple[tuple[str, object], ...], list[Outcome]] = {(): []}
    for outcome in outcomes:
        options = outcome.case.record.get("options") or {}
        by_options.setdefault(tuple(sorted(options.items())), []).append(outcome)
    return [
        Bench(rules.with_options(dict(options)), some, budget)  # type: ignore[arg-type]
        for options, some in by_options.items()
    ]


def _only_pattern(root: MappingNode, name: str) -> MappingNode:
    """A ruleset with one pattern, which supersedes nothing."""
    given = root.get("patterns")
    assert isinstance(given, MappingNode)
    kept: list[tuple[ScalarNode, Node]] = []
    for key, value in given.entries:
        if key.text == name and isinstance(value, MappingNode):
            rest = (entry for entry in value.entries if entry[0].text != "supersedes")
            kept.append((key, mapping_of(rest, value.span)))
    patterns = mapping_of(kept, given.span)
    entries = ((k, patterns if k.text == "patterns" else v) for k, v in root.entries)
    return mapping_of(entries, root.span)


def _referred(data: RulesetData) -> frozenset[str]:
    """The patterns that other sentences speak of, and those that speak of others."""
    found: set[str] = set()
    for home in homes(data):
        if home.meaning is None:
            continue
        for part in m.inside(home.meaning):
            if isinstance(part, m.Reference) and part.kind == "pattern":
                found |= {part.name, home.path[1]}
    return frozenset(found)


def _names_in(pattern: Pattern) -> Iterator[str]:
    """The patterns that a pattern speaks of."""
    for sentence in pattern.sentences:
        for part in m.inside(sentence.meaning):
            if isinstance(part, m.Reference) and part.kind == "pattern":
                yield part.name
