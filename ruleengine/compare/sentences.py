"""Which sentences a change is about: what is compared of each kind of change."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from ruleengine.compare.relation import Compared, Ground
from ruleengine.frozen import FrozenDict
from ruleengine.language import meaning as m
from ruleengine.program import fixed_number
from ruleengine.tiles import FIRST_FLOWER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ruleengine.compare.applied import Applier, Side
    from ruleengine.compare.model import Change
    from ruleengine.language.operations import Op
    from ruleengine.ruleset.model import Ending, Pattern, RulesetData, Sentence

MOST_SETTINGS = 24
"""Settings of the options besides the one in force under which sentences are compared."""


@dataclass(slots=True)
class Seen:
    """What was seen of a change: how its sentence changed, None where it is about no sentence;
    worlds in which it should show; whether it surely shows in none."""

    effect: Compared | None = None
    worlds: list[Compared] = field(default_factory=list)
    silent: bool = False
    events: tuple[str, ...] = ()
    situations: bool = False
    scored: bool = True
    """Whether a hand can show it; who pays at the end of a hand that nobody wins is no score."""
    told: tuple[Mapping[str, tuple[int, ...]], ...] = ()
    """Flowers or dora indicators that are to be tried with hands."""
    options: Mapping[str, int | bool] = field(default_factory=dict)
    """Values of options, other than those in force, under which the sentence changed."""


MOST_TILES = 6
"""Of more tiles that there are more or fewer of, so many are looked at."""


class Sentences:
    """Compares the sentences of changes from one ruleset to another."""

    def __init__(self, applier: Applier) -> None:
        self.applier = applier
        self.old: Side = applier.old
        self.new: Side = applier.new
        self.ground = Ground(self.old.data, self.new.data)
        self._setting: Mapping[str, int | bool] = {}
        self.setting = {}

    @property
    def setting(self) -> Mapping[str, int | bool]:
        """Values of options other than those in force, under which sentences are compared."""
        return self._setting

    @setting.setter
    def setting(self, setting: Mapping[str, int | bool]) -> None:
        self._setting = setting
        self.ground.options = self._options(self.old)

    def seen(self, change: Change) -> Seen:
        """What can be seen of a change by its sentences alone."""
        self.setting = {}
        section, _, rest = change.at.partition(".")
        if section == "patterns" and rest:
            return self._of_pattern(change, rest)
        if section == "events":
            return self._of_event(change)
        if section == "settlement" and rest in ("win", "exhausted", "wrong_win"):
            return self._of_settlement(cast("Ending", rest))
        if section == "settlement":
            return Seen(scored=False)
        if section == "liability":
            return Seen(situations=True)
        if section == "options":
            return self._of_option(change)
        if section == "shapes" and rest:
            return self._of_shape(change)
        if section == "total":
            return self._of_total(rest)
        if section == "tiles":
            return self._of_tiles(rest)
        return Seen()

    # ---- operations -----------------------------------------------------------------

    def _op(self, sentence: Sentence | None, side: Side) -> Op:
        meaning = None if sentence is None else sentence.meaning
        return self.ground.operation(meaning, self._options(side))

    def _options(self, side: Side) -> Mapping[str, int | bool]:
        """All options there are, by the values of one side."""
        return {**self.new.options, **self.old.options, **side.options, **self._setting}

    def there(self, pattern: Pattern, side: Side) -> Op:
        """Whether a pattern is there."""
        ops = self.ground.ops
        when = self._op(pattern.when, side)
        if pattern.times is None:
            return when
        some = ops.compare(">", self._op(pattern.times, side), ops.zero)
        return ops.all_([when, some])

    def worth(self, pattern: Pattern, side: Side, unit: str) -> Op:
        """What a pattern adds in a unit."""
        ops = self.ground.ops
        award = ops.zero
        if unit in pattern.awards:
            award = self._op(pattern.awards[unit], side)
        if pattern.times is not None:
            award = ops.calculate("multiply", award, self._op(pattern.times, side))
        return ops.if_(self.there(pattern, side), award, ops.zero)

    # ---- patterns -------------------------------------------------------------------

    def _of_pattern(self, change: Change, rest: str) -> Seen:
        name, _, part = rest.partition(".")
        ops, compare = self.ground.ops, self.ground.compare
        before = self.old.data.patterns.get(self.applier.old_id(name))
        after = self.new.data.patterns.get(name)
        if before is None or after is None or change.kind in ("pattern-added", "pattern-removed"):
            pattern, side = (after, self.new) if after is not None else (before, self.old)
            if change.kind == "pattern-removed":
                pattern, side = before, self.old
            assert pattern is not None
            there = self.there(pattern, side)
            worlds = self._unhidden(pattern, ops.false, there)
            return Seen(None, worlds, silent=_never(worlds[0]))
        if part in ("when", "times") or part in self.old.data.units:
            return self._of_sentence(before, after, part)
        there = self.there(before, self.old)
        others = self._others(before, after, part)
        worlds = [
            compare(ops.false, ops.all_([there, self.there(one, self.old)])) for one in others
        ]
        silent = part in ("series", "supersedes") and all(map(_never, worlds))
        if part == "series" and not silent:
            shown = ops.not_(self._hidden(before, after, of_series=True))
            silent = all(
                _never(
                    compare(ops.false, ops.all_([there, self.there(o, self.old)]), only_where=shown)
                )
                for o in others
            )
        silent &= self._alike(before) and all(map(self._alike, others))
        worlds.append(compare(ops.false, there))
        return Seen(None, worlds, silent)

    def _others(self, before: Pattern, after: Pattern, part: str) -> list[Pattern]:
        """The patterns that a series or what is superseded concerns."""
        patterns = self.old.data.patterns
        if part == "supersedes":
            ids = {self.applier.old_id(name) for name in after.supersedes}
            names = ids ^ set(before.supersedes)
        elif part == "series":
            mates = {
                self.applier.old_id(name)
                for name, one in self.new.data.patterns.items()
                if after.series is not None and one.series == after.series
            }
            names = mates | {
                name
                for name, one in patterns.items()
                if before.series is not None and one.series == before.series
            }
        else:
            return []
        return [patterns[name] for name in sorted(names - {before.id}) if name in patterns]

    def _of_sentence(self, before: Pattern, after: Pattern, part: str) -> Seen:
        ops, compare = self.ground.ops, self.ground.compare
        if part in ("when", "times"):
            pair = tuple(getattr(pattern, part) for pattern in (before, after))
            if part == "times" and None in pair:
                ones = [
                    ops.constant(1) if sentence is None else self._op(sentence, side)
                    for sentence, side in zip(pair, (self.old, self.old), strict=True)
                ]
                effect = compare(*ones)
            else:
                effect = self._sentences(pair[0], pair[1])
        else:
            effect = self._sentences(before.awards.get(part), after.awards.get(part), number=True)
        if effect.relation == "equal":
            return Seen(effect)
        old_worth = [self.worth(before, self.old, unit) for unit in self.old.data.units]
        mixed = _with(before, after, part)
        new_worth = [self.worth(mixed, self.old, unit) for unit in self.old.data.units]
        worlds: list[Compared] = []
        silent = True
        hidden = self._hidden(before, after)
        for one, other in zip(old_worth, new_worth, strict=True):
            shown = compare(one, other, only_where=ops.not_(hidden))
            silent &= _never(shown)
            worlds.append(shown)
        there = [self.there(pattern, self.old) for pattern in (before, mixed)]
        shown = compare(there[0], there[1], only_where=ops.not_(hidden))
        silent &= _never(shown)
        worlds.append(shown)
        return Seen(effect, worlds, silent, options=self.setting)

    def _unhidden(self, pattern: Pattern, old: Op, new: Op) -> list[Compared]:
        ops = self.ground.ops
        hidden = self._hidden(pattern, pattern)
        return [
            self.ground.compare(old, new, only_where=ops.not_(hidden)),
            self.ground.compare(old, new),
        ]

    def _hidden(self, before: Pattern, after: Pattern, *, of_series: bool = False) -> Op:
        """Where a pattern cannot matter, before or after: where one of its series that is worth
        more counts in its stead, or a limit pattern stands alone. Only patterns that are the same
        in both rulesets are looked at, so that no other change can bring it to light; with
        `of_series` only limit patterns are, since it is the series that changes."""
        ops = self.ground.ops
        found: list[Op] = []
        limits = [self._fixed(side.data.total.limit_from, side) for side in (self.old, self.new)]
        most = self._most(before, after)
        if most is None or before.bonus != after.bonus or not self._same_frame():
            return ops.false
        dropped = [self._drops(data) for data in (self.old.data, self.new.data)]
        for name, other in self.new.data.patterns.items():
            mate = self.old.data.patterns.get(self.applier.old_id(name))
            if mate is None or mate.id == before.id or not self._unchanged(mate, other):
                continue
            value = self._fixed_award(mate, self.old)
            if value is None:
                continue
            in_series = before.series is not None and mate.series == before.series
            in_series &= after.series is not None and other.series == after.series
            drops = before.supersedes or after.supersedes
            apart = mate.id not in dropped[0] and name not in dropped[1]
            plain = not drops and apart
            outdone = in_series and value > most and not (before.bonus or mate.bonus)
            outdone &= not of_series
            if plain and (outdone or self._stands_alone(mate, value, most, limits)):
                found.append(self.there(mate, self.old))
        return ops.any_(found)

    def _stands_alone(self, mate: Pattern, value: int, most: int, limits: list[int | None]) -> bool:
        """Whether a pattern is a limit pattern that the changed one cannot outdo."""
        if mate.bonus or not self._fixed_series(mate):
            return False
        return all(limit is not None and value >= limit and most < limit for limit in limits)

    def _fixed_series(self, mate: Pattern) -> bool:
        """Whether all that share the series of a pattern are worth the same always: then only one
        that is worth as much or more can count in its stead."""
        return all(
            self._fixed_award(one, side) is not None
            for side in (self.old, self.new)
            for one in side.data.patterns.values()
            if mate.series is not None and one.series == mate.series
        )

    def _same_frame(self) -> bool:
        """Whether units and the value of a total are the same in both, and there is one unit."""
        old, new = self.old.data, self.new.data
        return old.units == new.units and len(old.units) == 1

    def _drops(self, data: RulesetData) -> set[str]:
        return {name for pattern in data.patterns.values() for name in pattern.supersedes}

    def _unchanged(self, old: Pattern, new: Pattern) -> bool:
        ops = [self.there(old, self.old), self.there(new, self.new)]
        if ops[0] is not ops[1] or old.bonus != new.bonus:
            return False
        return self._fixed_award(old, self.old) == self._fixed_award(new, self.new)

    def _alike(self, pattern: Pattern) -> bool:
        """Whether a pattern of the old ruleset is there for the same hands in the new one."""
        ids = {before: after for after, before in self.applier.old_ids.items()}
        new = self.new.data.patterns.get(ids.get(pattern.id, pattern.id))
        return new is not None and self.there(pattern, self.old) is self.there(new, self.new)

    def _most(self, before: Pattern, after: Pattern) -> int | None:
        """The most that a pattern is worth, before or after; None where that is not fixed."""
        values = [
            self._fixed_award(before, self.old),
            self._fixed_award(after, self.new),
            self._fixed_award(after, self.old),
        ]
        known = [value for value in values if value is not None]
        return max(known) if len(known) == len(values) else None

    def _fixed(self, sentence: Sentence | None, side: Side) -> int | None:
        return fixed_number(sentence, self._options(side))

    def _fixed_award(self, pattern: Pattern, side: Side) -> int | None:
        """What a pattern is worth, where that is a fixed number and it counts once."""
        if pattern.times is not None or len(pattern.awards) != 1:
            return None
        (sentence,) = pattern.awards.values()
        if not all(isinstance(node, _FIXED) for node in _sentences_in(sentence.meaning)):
            return None
        return self._fixed(sentence, side)

    # ---- other changes --------------------------------------------------------------

    def _sentences(
        self, old: Sentence | None, new: Sentence | None, *, number: bool = False
    ) -> Compared:
        """Two sentences compared under the options in force, then under others."""
        ops = self.ground.ops
        found: Compared | None = None
        for setting in self._settings([old, new]):
            self.setting = setting
            pair = [
                ops.zero if number and sentence is None else self._op(sentence, self.old)
                for sentence in (old, new)
            ]
            compared = self.ground.compare(pair[0], pair[1])
            if compared.relation != "equal":
                return compared
            found = found or compared
        self.setting = {}
        assert found is not None
        return found

    def _settings(self, sentences: Iterable[Sentence | None]) -> Iterator[Mapping[str, int | bool]]:
        """The options in force, then other values of those that the sentences read."""
        sentences = tuple(sentences)
        base = self._options(self.old)
        yield {}
        read = sorted(
            {
                node.name
                for sentence in sentences
                if sentence is not None
                for node in m.everything_in(sentence.meaning)
                if isinstance(node, m.Option)
            }
        )
        given = 0
        for name in read:
            option = self.old.data.options.get(name) or self.new.data.options.get(name)
            if option is None:
                continue
            values: list[int | bool] = [True, False]
            if option.type == "int":
                near = _near(sentences, int(option.default))
                values = list(option.choices) or [
                    value
                    for value in dict.fromkeys((option.least or 0, option.most or 1000, *near))
                    if (option.least or 0) <= value <= (option.most or 1000)
                ]
            for value in values:
                if value != base[name] and given < MOST_SETTINGS:
                    given += 1
                    yield {name: value}

    def _of_event(self, change: Change) -> Seen:
        name = change.id
        ops, compare = self.ground.ops, self.ground.compare
        old, new = (side.data.events.get(name) for side in (self.old, self.new))
        if old is None or new is None:
            event = old or new
            assert event is not None
            needs = self._op(event.needs, self.old if old else self.new)
            return Seen(None, [compare(ops.false, needs)], events=(name,))
        effect = self._sentences(old.needs, new.needs)
        return Seen(effect, [effect], events=(name,), options=self.setting)

    def settles(self, ending: Ending, data: RulesetData, options: Mapping[str, int | bool]) -> Op:
        """What one seat pays another, by the first line that fits."""
        ops = self.ground.ops
        found = ops.zero
        for line in reversed(data.settlement.get(ending, ())):
            when = None if line.when is None else line.when.meaning
            found = ops.if_(
                self.ground.operation(when, options),
                self.ground.operation(line.pays.meaning, options),
                found,
            )
        return found

    def _of_settlement(self, ending: Ending) -> Seen:
        sides = (self.old, self.new)
        lines = [line for side in sides for line in side.data.settlement.get(ending, ())]
        sentences = [one for line in lines for one in (line.when, line.pays)]
        found: Compared | None = None
        for setting in self._settings(sentences):
            self.setting = setting
            pair = [self.settles(ending, side.data, self._options(self.old)) for side in sides]
            compared = self.ground.compare(pair[0], pair[1])
            found = found or compared
            if compared.relation != "equal":
                found = compared
                break
        else:
            self.setting = {}
        assert found is not None
        return Seen(found, [found], situations=True, scored=ending == "win", options=self.setting)

    def _of_option(self, change: Change) -> Seen:
        name = change.id
        before = self._options(self.old)
        after = {**before, name: self.new.options.get(name, before.get(name, 0))}
        compare = self.ground.compare
        worlds: list[Compared] = []
        data = self.old.data
        for pattern in data.patterns.values():
            for sentence in (pattern.when, pattern.times, *pattern.awards.values()):
                if sentence is not None and _reads(sentence, name):
                    pair = [self.ground.operation(sentence.meaning, o) for o in (before, after)]
                    worlds.append(compare(pair[0], pair[1]))
        for event in data.events.values():
            if event.needs is not None and _reads(event.needs, name):
                pair = [self.ground.operation(event.needs.meaning, o) for o in (before, after)]
                worlds.append(compare(pair[0], pair[1]))
        effect: Compared | None = None
        counts = change.level == "score"
        for ending, lines in data.settlement.items():
            if any(_reads(one, name) for line in lines for one in (line.when, line.pays) if one):
                counts |= ending == "win"
                pair = [self.settles(ending, data, options) for options in (before, after)]
                compared = compare(pair[0], pair[1])
                if effect is None or effect.relation == "equal":
                    effect = compared
        worlds = [one for one in worlds if one.relation != "equal"]
        events = tuple(data.events)
        by_table = effect is not None
        return Seen(effect, worlds, events=events, situations=by_table, scored=counts)

    def _of_shape(self, change: Change) -> Seen:
        ops = self.ground.ops
        bit = 1 << self.ground.shape_ids.index(change.id)
        is_it = self.ground.lowering(self._options(self.old)).flag("shape", bit)
        return Seen(None, [self.ground.compare(ops.false, is_it)])

    def _of_tiles(self, rest: str) -> Seen:
        """Hands that hold as many of a tile as only one of the rulesets has, or that are told dora
        indicators that only one of them knows."""
        old, new = self.old.data.wall, self.new.data.wall
        if rest == "dora":
            tiles = [t for t in range(FIRST_FLOWER) if old.dora.get(t) != new.dora.get(t)]
            return Seen(told=tuple({"dora": (tile,)} for tile in tiles))
        ops = self.ground.ops
        worlds: list[Compared] = []
        told: list[Mapping[str, tuple[int, ...]]] = []
        for tile in sorted(self.ground.wall):
            copies = sorted((old.copies.get(tile, 0), new.copies.get(tile, 0)))
            if rest != "wall" or copies[0] == copies[1]:
                continue
            if tile >= FIRST_FLOWER:
                told.append({"flowers": (tile,) * copies[1]})
                continue
            held = [ops.fact("n1"), ops.fact("ck")]
            if copies[0]:
                held = [ops.fact(f"n{copies[0] + 1}")]
            one = ops.nonzero(ops.and_(ops.or_(*held), ops.constant(1 << tile)))
            worlds.append(self.ground.compare(ops.false, one))
            if len(worlds) >= MOST_TILES:
                break
        return Seen(None, worlds, told=tuple(told))

    def _of_total(self, rest: str) -> Seen:
        name = rest.split(".")[0]
        old, new = (getattr(side.data.total, name) for side in (self.old, self.new))
        if name == "value" or old is None or new is None:
            return Seen()
        effect = self._sentences(old, new, number=True)
        return Seen(effect, options=self.setting)


def _near(sentences: Iterable[Sentence | None], default: int) -> list[int]:
    """Values of an option at which sentences may turn: near its default, and near the numbers that
    they name."""
    named = {
        node.value
        for sentence in sentences
        if sentence is not None
        for node in m.everything_in(sentence.meaning)
        if isinstance(node, m.Constant) and not isinstance(node.value, bool)
    }
    steps = [default - 1, default + 1]
    return steps + [value + step for value in sorted(named) for step in (0, -1, 1)]


def _never(compared: Compared) -> bool:
    """Whether it is proved that nothing differs."""
    return compared.relation == "equal" and compared.effect.how == "proved"


_FIXED = (m.Constant, m.Option, m.Calculate, m.Apply, m.If, m.Compare)


def _sentences_in(meaning: m.Meaning) -> Iterator[m.Meaning]:
    yield meaning
    for part in m.children(meaning):
        yield from _sentences_in(part)


def _with(before: Pattern, after: Pattern, part: str) -> Pattern:
    """A pattern with one part as it is after."""
    if part in ("when", "times"):
        return replace(before, **{part: getattr(after, part)})
    awards = {unit: one for unit, one in before.awards.items() if unit != part}
    if part in after.awards:
        awards[part] = after.awards[part]
    return replace(before, awards=FrozenDict(awards))


def _reads(sentence: Sentence, option: str) -> bool:
    return any(
        isinstance(node, m.Option) and node.name == option
        for node in m.everything_in(sentence.meaning)
    )
