"""Which sentences a change is about: what is compared of each kind of change."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, cast

from ruleengine.compare.always import TRUTH, always_equal
from ruleengine.compare.choices import choices, defaults_of
from ruleengine.compare.equal import Symbolic, option_fact
from ruleengine.compare.model import REFUSING, Chosen, UnderOptions
from ruleengine.compare.totals import compare_values, plain_number, tells
from ruleengine.compare.uses import order_of, paying, reads, scoring
from ruleengine.frozen import FrozenDict
from ruleengine.hands.effect import Effect
from ruleengine.hands.worlds import Compared, Ground
from ruleengine.judge import is_there
from ruleengine.language import meaning as m
from ruleengine.language.bounds import MAX_AMOUNT, Range, hull
from ruleengine.program import fixed_number
from ruleengine.ruleset.growth import sums_range
from ruleengine.ruleset.model import ENDINGS
from ruleengine.ruleset.options import bounds_of
from ruleengine.tiles import FIRST_FLOWER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ruleengine.compare.applied import Applier, Side
    from ruleengine.compare.choices import Choices
    from ruleengine.compare.model import Change
    from ruleengine.hands.effect import How, Relation
    from ruleengine.language.operations import Op
    from ruleengine.ruleset.model import Ending, Option, Pattern, RulesetData, Sentence

OpPair = tuple["Op", "Op"]
BOUNDS = ("limit_from", "minimum")
"""Numbers of a total that a pattern or a sum of patterns reaches or not."""
MISSING = {"cap": MAX_AMOUNT, "limit_from": MAX_AMOUNT}
"""What stands for a number of a total that a ruleset does not name, where that is not 0."""
MOST_LOOKED = 64_000_000
"""Cases after which no more values of options are gone through."""


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
    under: UnderOptions | None = None
    """What the change does under each value of the options that the sentence reads."""
    some: bool = False
    """Whether it was not seen under every value of the options, since they have too many."""

    @property
    def by_chance(self) -> bool:
        """Whether its sentence was seen in worlds by chance alone, since there are too many."""
        if self.effect is None or self.effect.unseen or self.some:
            return False
        return self.effect.effect.how in ("sampled", "loose")

    def plainly_equal(self) -> Seen:
        """The same of a sentence that is plainly the same: what was not seen to the end is proved
        by the sentences alone."""
        effect, under = self.effect, self.under
        if effect is None or effect.unseen or effect.effect.how != "proved":
            effect = Compared(Effect("equal", "proved", 0))
        whole = None if under is None else replace(under, whole=True)
        return replace(self, effect=effect, under=whole, some=False)


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
        self._for_all = False
        self._noted: list[UnderOptions] = []
        """What was seen of the change that is being looked at under values of options."""
        self._hiding: list[Sentence | None] = []
        """The sentences by which a pattern was seen to be hidden where it cannot matter."""

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
        self.setting, self._noted = {}, []
        seen = self._seen(change)
        seen.under = next(iter(self._noted), None)
        seen.some |= seen.under is not None and not seen.under.whole
        return seen

    def _seen(self, change: Change) -> Seen:
        section, _, rest = change.at.partition(".")
        if section == "patterns" and rest:
            return self._of_pattern(change, rest)
        if section == "events":
            return self._of_event(change)
        if section == "settlement" and rest in ("win", "exhausted", "wrong_win"):
            return self._of_settlement(cast("Ending", rest))
        if change.at == "settlement.stakes.amount":
            return self._of_stakes()
        if section == "settlement":
            return Seen(scored=False)
        if section == "liability":
            return Seen(situations=True)
        if change.kind in REFUSING:
            return Seen(scored=False)
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
        return self._lowered(meaning, self._options(side))

    def _options(self, side: Side) -> Mapping[str, int | bool]:
        """All options there are, by the values of one side."""
        return {**self.new.options, **self.old.options, **side.options, **self._setting}

    def there(self, pattern: Pattern, side: Side) -> Op:
        """Whether a pattern is there."""
        times = None if pattern.times is None else self._op(pattern.times, side)
        return is_there(self.ground.ops, self._op(pattern.when, side), times)

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
        before = self.old.data.patterns.get(self.applier.old_id(name))
        after = self.new.data.patterns.get(name)
        if before is None or after is None or change.kind in ("pattern-added", "pattern-removed"):
            pattern, side = (after, self.new) if after is not None else (before, self.old)
            if change.kind == "pattern-removed":
                pattern, side = before, self.old
            assert pattern is not None
            return self._under_others(pattern.sentences, partial(self._whole, pattern, side))
        if part in ("when", "times") or part in self.old.data.units:
            return self._of_sentence(before, after, part)
        others = self._others(before, after, part)
        sentences = [*before.sentences, *after.sentences]
        for one in others:
            sentences += (*one.sentences, *self._now(one))
        return self._under_others(sentences, partial(self._beside, before, after, others, part))

    def _whole(self, pattern: Pattern, side: Side) -> Seen:
        """What a pattern shows that is there in one of the rulesets only."""
        worlds = self._unhidden(pattern, self.ground.ops.false, self.there(pattern, side))
        return Seen(None, worlds, silent=_never(worlds[0]))

    def _beside(
        self, before: Pattern, after: Pattern, others: Sequence[Pattern], part: str
    ) -> Seen:
        """What a pattern shows whose series, or what it supersedes, or that it is a bonus, is
        another one; `others` are the patterns that this concerns."""
        ops, compare = self.ground.ops, self.ground.compare
        there = self.there(before, self.old)
        worlds = [
            compare(ops.false, ops.all_([there, self.there(one, self.old)])) for one in others
        ]
        silent = part in ("series", "supersedes") and all(map(_never, worlds))
        if part == "series" and not silent:
            shown = ops.not_(self._hidden(before, after, by_series=False))
            silent = all(
                _never(
                    compare(ops.false, ops.all_([there, self.there(o, self.old)]), only_where=shown)
                )
                for o in others
            )
        silent |= part == "series" and self._stands_alone_anyhow(before, after, others)
        worlds.append(compare(ops.false, there))
        silent |= _never(worlds[-1])
        silent &= self._alike(before) and all(map(self._alike, others))
        return Seen(None, worlds, silent)

    def _now(self, pattern: Pattern) -> Iterable[Sentence]:
        """The sentences of a pattern of the old ruleset in the new one."""
        new = self.new.data.patterns.get(self.applier.new_id(pattern.id))
        return () if new is None else new.sentences

    def _under_others(self, sentences: Iterable[Sentence | None], look: Callable[[], Seen]) -> Seen:
        """What a change of a pattern shows under the values of options that are set, or where it
        surely shows nothing there, under the first others where it does. Those are set afterwards.

        `look` sees what it shows under what is set; `sentences` are those that it reads besides
        what may hide a pattern. It is silent only where every choice of the options in them was
        gone through.
        """
        self._hiding = []
        set_first = self.setting
        found = look()
        if not found.silent:
            found.options = set_first
            return found
        sentences = tuple(sentences)
        self.setting = {}
        in_force = self._options(self.old)
        done = {tuple(sorted(set_first.items()))}
        looked = sum(one.effect.looked for one in found.worlds)
        whole = False
        while not whole:
            chosen = self._choices((*sentences, *self._hiding), in_force)
            before = len(done)
            for values in chosen.tried:
                setting = {n: value for n, value in values.items() if value != in_force[n]}
                key = tuple(sorted(setting.items()))
                if key in done:
                    continue
                done.add(key)
                self.setting = setting
                other = look()
                looked += sum(one.effect.looked for one in other.worlds)
                if not other.silent:
                    other.options = setting
                    return other
                if looked > MOST_LOOKED or self._late:
                    break
            # Under other values other patterns may hide it, which read other options.
            cut = looked > MOST_LOOKED or self._late
            whole = len(done) == before and not cut and chosen.complete
            if len(done) == before or cut:
                break
        self.setting = set_first
        found.silent = whole
        found.some = not whole
        found.options = set_first
        return found

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
        if part in ("when", "times"):
            pair = tuple(getattr(pattern, part) for pattern in (before, after))
            effect = self._sentences(pair[0], pair[1], missing=int(part == "times") or None)
        else:
            effect = self._sentences(before.awards.get(part), after.awards.get(part), missing=0)
        if effect.relation == "equal":
            return Seen(effect)
        mixed = _with(before, after, part)
        sentences = (*before.sentences, *mixed.sentences)
        seen = self._under_others(sentences, partial(self._worth_else, before, mixed))
        return replace(seen, effect=effect)

    def _worth_else(self, before: Pattern, after: Pattern) -> Seen:
        """What a pattern shows of which a sentence is another one."""
        worlds = self._apart(before, after)
        return Seen(None, worlds, silent=all(map(_never, worlds)))

    def _apart(self, before: Pattern, after: Pattern) -> list[Compared]:
        """Where a pattern of the old ruleset is worth something else after a change, and where it
        is there, as far as it can matter."""
        ops, units = self.ground.ops, self.old.data.units
        pairs = [[self.worth(one, self.old, unit) for one in (before, after)] for unit in units]
        pairs.append([self.there(one, self.old) for one in (before, after)])
        # Less is read where only its series hides it, so that more can be gone through.
        by_series = self._hidden(before, after, by_limits=False)
        found: list[Compared] = []
        for hidden in dict.fromkeys((by_series, self._hidden(before, after))):
            shown = ops.not_(hidden)
            found = [self.ground.compare(one, other, only_where=shown) for one, other in pairs]
            if all(map(_never, found)):
                break
        return found

    def _unhidden(self, pattern: Pattern, old: Op, new: Op) -> list[Compared]:
        ops = self.ground.ops
        hidden = self._hidden(pattern, pattern)
        return [
            self.ground.compare(old, new, only_where=ops.not_(hidden)),
            self.ground.compare(old, new),
        ]

    def _hidden(
        self, before: Pattern, after: Pattern, *, by_series: bool = True, by_limits: bool = True
    ) -> Op:
        """Where a pattern cannot matter, before or after: where one of its series that is worth
        more, or as much and comes first, counts in its stead, or a limit pattern stands alone. Only
        patterns that are the same in both rulesets are looked at, so that no other change can bring
        it to light, and of those only such as may hide it `by_series` and `by_limits`.
        """
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
            first = in_series and value == most and self._comes_first(mate, before)
            outdone = in_series and (value > most or first) and not (before.bonus or mate.bonus)
            alone = by_limits and self._stands_alone(mate, value, most, limits)
            if plain and ((by_series and outdone) or alone):
                found.append(self.there(mate, self.old))
                self._hiding += (*mate.sentences, *other.sentences)
                self._hiding += self._said_with(mate) if alone else ()
        return ops.any_(found)

    def _comes_first(self, one: Pattern, other: Pattern) -> bool:
        """Whether a pattern is looked at before another one wherever both of them are: a pattern
        that was added or removed is in one of the rulesets only."""
        orders = [order_of(side.data) for side in (self.old, self.new)]
        pairs = [(one.id, other.id), tuple(self.applier.new_id(x.id) for x in (one, other))]
        return all(
            order.index(pair[0]) < order.index(pair[1])
            for order, pair in zip(orders, pairs, strict=True)
            if all(name in order for name in pair)
        )

    def _stands_alone_anyhow(
        self, before: Pattern, after: Pattern, others: Iterable[Pattern]
    ) -> bool:
        """Whether a pattern is a limit pattern, which stands alone in whatever series it is: one
        worth less can never count beside it, and one worth as much is chosen in the same way."""
        if not self._same_frame() or not self._unchanged(before, after):
            return False
        value = self._fixed_award(before, self.old)
        limits = [self._fixed(side.data.total.limit_from, side) for side in (self.old, self.new)]
        if value is None or any(limit is None or value < limit for limit in limits):
            return False
        dropped = self._drops(self.old.data) | self._drops(self.new.data)
        ones = [before, after, *others]
        plain = not any(x.bonus or x.supersedes or x.id in dropped for x in ones)
        for one in (before, after):
            self._hiding += self._said_with(one)
        return plain and self._fixed_series(before) and self._fixed_series(after)

    def _stands_alone(self, mate: Pattern, value: int, most: int, limits: list[int | None]) -> bool:
        """Whether a pattern is a limit pattern that the changed one cannot outdo."""
        if mate.bonus or not self._fixed_series(mate):
            return False
        return all(limit is not None and value >= limit and most < limit for limit in limits)

    def _said_with(self, mate: Pattern) -> list[Sentence | None]:
        """What says that a pattern stands alone: from when on, and what its series is worth."""
        sides = (self.old.data, self.new.data)
        limits = [data.total.limit_from for data in sides]
        series = (
            sentence
            for data in sides
            for one in data.patterns.values()
            if mate.series is not None and one.series == mate.series
            for sentence in one.awards.values()
        )
        return [*limits, *series]

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
        new = self.new.data.patterns.get(self.applier.new_id(pattern.id))
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
        self, old: Sentence | None, new: Sentence | None, *, missing: int | None = None
    ) -> Compared:
        """Two sentences compared under the options in force and under others. One that is missing
        is the number `missing`; where none is given it is true."""

        def op(sentence: Sentence | None) -> Op:
            if sentence is None and missing is not None:
                return self.ground.ops.constant(missing)
            return self._op(sentence, self.old)

        def pair() -> OpPair:
            return op(old), op(new)

        return self._under_options((old, new), pair)

    def _lowered(self, meaning: m.Meaning | None, options: Mapping[str, int | bool]) -> Op:
        """The operation of a sentence; without values of options while a proof is looked for that
        holds for all."""
        if not self._for_all:
            return self.ground.operation(meaning, options)
        return self.ground.ops.true if meaning is None else self._symbolic.sentence(meaning)

    @cached_property
    def _symbolic(self) -> Symbolic:
        ground = self.ground
        return Symbolic(ground.ops, ground.events, ground.shape_ids, {})

    def _always(
        self,
        pair: Callable[[], OpPair],
        read: Iterable[str],
        sums: Mapping[str, Range] | None = None,
    ) -> bool:
        """Whether two operations are proved equal whatever the options are."""
        numbers = dict(sums or {"points": self.ground.points})
        for name in read:
            option = self._known_options[name]
            truth = option.type == "bool"
            fact = option_fact("truth" if truth else "number", name)
            numbers[fact] = TRUTH if truth else Range(*bounds_of(option))
        self._for_all = True
        try:
            first, second = pair()
        finally:
            self._for_all = False
        ground = self.ground

        def never(op: Op) -> bool:
            # Which events can be may be another matter with other values of options.
            return not self._options_of_events and _never(ground.compare(ground.ops.false, op))

        return always_equal(first, second, ground.ops, numbers, never, ground.ends)

    @cached_property
    def _options_of_events(self) -> bool:
        """Whether what an event needs reads an option."""
        events = (event for data in self.ground.data for event in data.events.values())
        return any(x.needs is not None and m.options_in(x.needs.meaning) for x in events)

    @property
    def _late(self) -> bool:
        """Whether there is no time to compare under more values of options."""
        return time.monotonic() > self.ground.ends

    @property
    def _known_options(self) -> Mapping[str, Option]:
        return {**self.new.data.options, **self.old.data.options}

    def _choices(
        self, sentences: Iterable[Sentence | None], in_force: Mapping[str, int | bool]
    ) -> Choices:
        """What a table may choose of the options that sentences read."""
        defaults = defaults_of(self.new.data, self.old.data)
        return choices(sentences, self._known_options, in_force, defaults)

    def _under_options(
        self,
        sentences: Iterable[Sentence | None],
        pair: Callable[[], OpPair],
        sums: Mapping[str, Range] | None = None,
    ) -> Compared:
        """Two operations compared under the options in force and under every other choice of those
        that sentences read: how they stand to each other in force, or where they are the same
        there, under the first choice where they are not. That choice is in force afterwards. What
        is about `sums` alone is compared over these, and not over hands.
        """
        self.setting = {}
        in_force = self._options(self.old)
        chosen = self._choices(sentences, in_force)
        done: dict[OpPair, Compared] = {}
        tried: list[Chosen] = []
        found: Compared | None = None
        shown: Mapping[str, int | bool] = {}
        looked = 0
        for values in chosen.tried:
            if looked > MOST_LOOKED or (tried and self._late):
                break
            self.setting = {n: value for n, value in values.items() if value != in_force[n]}
            ops = pair()
            compared = done.get(ops)
            if compared is None:
                if sums is None:
                    compared = self.ground.compare(*ops)
                else:
                    compared = Compared(compare_values(*ops, sums))
                done[ops] = compared
                looked += compared.effect.looked
            tried.append(Chosen(values, compared.effect))
            if found is None or (found.relation == "equal" and compared.relation != "equal"):
                found, shown = compared, self.setting
        assert found is not None
        self.setting = shown
        whole = len(tried) == chosen.number
        if not whole and found.relation == "equal":
            whole = self._always(pair, chosen.read, sums)
        if chosen.read:
            self._noted.append(UnderOptions(tuple(tried), chosen.number, whole))
        if found.relation == "equal" and not whole and found.effect.how == "proved":
            found = replace(found, effect=replace(found.effect, how="sampled"))
        return found

    def _of_event(self, change: Change) -> Seen:
        name = change.id
        ops, compare = self.ground.ops, self.ground.compare
        old, new = (side.data.events.get(name) for side in (self.old, self.new))
        if old is None or new is None:
            event = old or new
            assert event is not None
            needs = self._op(event.needs, self.old if old else self.new)
            return Seen(None, [compare(ops.false, needs)], events=(name,))
        if change.at.endswith(".shared"):
            return Seen(scored=False)
        effect = self._sentences(old.needs, new.needs)
        return Seen(effect, [effect], events=(name,), options=self.setting)

    def settles(self, ending: Ending, data: RulesetData, options: Mapping[str, int | bool]) -> Op:
        """What one seat pays another, by the first line that fits."""
        ops = self.ground.ops
        found = ops.zero
        for line in reversed(data.settlement.get(ending, ())):
            when = None if line.when is None else line.when.meaning
            pays = self._lowered(line.pays.meaning, options)
            found = ops.if_(self._lowered(when, options), pays, found)
        return found

    def _of_settlement(self, ending: Ending) -> Seen:
        sides = (self.old, self.new)
        lines = [side.data.settlement.get(ending, ()) for side in sides]
        sentences = [one for some in lines for line in some for one in line.sentences]
        found = self._under_options(sentences, partial(self._settled_by_both, ending))
        return Seen(found, [found], situations=True, scored=ending == "win", options=self.setting)

    def _of_stakes(self) -> Seen:
        old, new = self.old.data.stakes, self.new.data.stakes
        assert old is not None
        assert new is not None
        effect = self._sentences(old.amount, new.amount)
        return Seen(effect, scored=False, options=self.setting)

    def _of_option(self, change: Change) -> Seen:
        name = change.id
        before = self._options(self.old)
        after = {**before, name: self.new.options.get(name, before.get(name, 0))}
        compare = self.ground.compare
        worlds: list[Compared] = []
        data = self.old.data
        for pattern in data.patterns.values():
            for sentence in pattern.sentences:
                if reads([sentence], name):
                    pair = [self.ground.operation(sentence.meaning, o) for o in (before, after)]
                    worlds.append(compare(pair[0], pair[1]))
        for event in data.events.values():
            if event.needs is not None and reads([event.needs], name):
                pair = [self.ground.operation(event.needs.meaning, o) for o in (before, after)]
                worlds.append(compare(pair[0], pair[1]))
        effect: Compared | None = None
        counts = change.level == "score"
        for ending, lines in data.settlement.items():
            if reads((one for line in lines for one in line.sentences), name):
                counts |= ending == "win"
                pair = [self.settles(ending, data, options) for options in (before, after)]
                compared = compare(pair[0], pair[1])
                if effect is None or effect.relation == "equal":
                    effect = compared
        worlds = [one for one in worlds if one.relation != "equal"]
        events = tuple(data.events)
        by_table = effect is not None
        silent = change.level == "score" and self._untold_by_option(name, before, after)
        self._chosen_at_the_table(name)
        return Seen(effect, worlds, silent, events, situations=by_table, scored=counts)

    def _chosen_at_the_table(self, option: str) -> None:
        """Note what becomes of tables that choose the value of an option themselves: what the
        sentences that read it do under each value, whatever the other options are that they read,
        from one ruleset to the other."""
        sentences, pairs = self._reading(option)
        in_force = self._options(self.old)
        chosen = self._choices(sentences, in_force)
        effects: dict[int | bool, list[Effect]] = {}
        done = looked = 0
        for values in chosen.tried:
            if looked > MOST_LOOKED or (done and self._late):
                break
            self.setting = values
            found = [self.ground.compare(*pair()).effect for pair in pairs]
            looked += sum(one.looked for one in found)
            done += 1
            effects.setdefault(values.get(option, in_force[option]), []).extend(found)
        self.setting = {}
        if not chosen.read:
            return
        whole = done == chosen.number or all(self._always(pair, chosen.read) for pair in pairs)
        tried = [Chosen({option: value}, _together(some)) for value, some in effects.items()]
        number = choices(sentences, {option: self._known_options[option]}, in_force).number
        self._noted.append(UnderOptions(tuple(tried), number, whole))

    def _reading(self, option: str) -> tuple[list[Sentence | None], list[Callable[[], OpPair]]]:
        """The sentences of both rulesets that read an option, and what makes operations of each
        with the one that stands in its place in the other."""
        new, old = self.new.data, self.old.data
        both: list[tuple[Sentence | None, Sentence | None]] = [
            (getattr(old.total, name), getattr(new.total, name))
            for name in ("value", "cap", "limit_from", "empty", "minimum")
        ]
        for name, after in new.patterns.items():
            before = old.patterns.get(self.applier.old_id(name))
            if before is not None:
                both += [(before.when, after.when), (before.times, after.times)]
                units = dict.fromkeys((*before.awards, *after.awards))
                both += [(before.awards.get(unit), after.awards.get(unit)) for unit in units]
        both += [(old.events[x].needs, new.events[x].needs) for x in new.events if x in old.events]
        if old.stakes is not None and new.stakes is not None:
            both.append((old.stakes.amount, new.stakes.amount))
        sentences: list[Sentence | None] = []
        pairs: list[Callable[[], OpPair]] = []
        for first, second in both:
            if reads((one for one in (first, second) if one is not None), option):
                sentences += [first, second]
                pairs.append(partial(self._both_ops, first, second))
        for ending in ENDINGS:
            lines = [one for x in (old, new) for one in x.settlement.get(ending, ())]
            some = [one for line in lines for one in line.sentences]
            if reads(some, option):
                sentences += some
                pairs.append(partial(self._settled_by_both, ending))
        return sentences, pairs

    def _both_ops(self, old: Sentence | None, new: Sentence | None) -> OpPair:
        return self._op(old, self.old), self._op(new, self.old)

    def _settled_by_both(self, ending: Ending) -> OpPair:
        """What one seat pays another, by either ruleset."""
        options = self._options(self.old)
        first, second = (self.settles(ending, x.data, options) for x in (self.old, self.new))
        return first, second

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
        if name == "value":
            return self._of_value(old, new)
        effect = self._sentences(old, new, missing=MISSING.get(name, 0))
        numbers = (plain_number(old), plain_number(new))
        return Seen(effect, silent=self._untold(name, *numbers), options=self.setting)

    def _of_value(self, old: Sentence | None, new: Sentence | None) -> Seen:
        """What becomes of every sum that patterns may come to; without a sentence the total is
        that of the only unit."""
        units = self.old.data.units
        if units != self.new.data.units:
            return Seen()
        both = [sums_range(side.data) for side in (self.old, self.new)]
        sums = {unit: hull(each[unit] for each in both) for unit in units}

        def op(sentence: Sentence | None) -> Op:
            return self.ground.ops.fact(units[0]) if sentence is None else self._op(sentence, side)

        side = self.old
        effect = self._under_options((old, new), lambda: (op(old), op(new)), sums)
        return Seen(effect, options=self.setting)

    def _untold(self, name: str, old: int | None, new: int | None) -> bool:
        """Whether it is proved that no hand tells one limit, or one minimum, from another."""
        if name not in BOUNDS or old is None or new is None:
            return False
        return not tells(name, (self.old.data, self.new.data), old, new)

    def _untold_by_option(
        self, option: str, before: Mapping[str, int | bool], after: Mapping[str, int | bool]
    ) -> bool:
        """Whether only limit and minimum read an option, and no hand tells its values apart,
        whatever the other options are."""
        sides = (self.old.data, self.new.data)
        bounds = {name: [getattr(data.total, name) for data in sides] for name in BOUNDS}
        reading = [
            sentence
            for data in sides
            for sentence in (*scoring(data), *paying(data))
            if reads([sentence], option)
        ]
        if any(all(one is not x for some in bounds.values() for x in some) for one in reading):
            return False
        others = {name: one for name, one in self._known_options.items() if name != option}
        limits = [one for some in bounds.values() for one in some]
        chosen = choices(limits, others, before)
        if not chosen.complete:
            return False
        numbers = [
            (name, fixed_number(one, {**before, **values}), fixed_number(one, {**after, **values}))
            for values in chosen.tried
            for name, some in bounds.items()
            for one in some
            if one is not None
        ]
        return all(old == new or self._untold(name, old, new) for name, old, new in numbers)


def _together(effects: Iterable[Effect]) -> Effect:
    """What several changes do, as one."""
    looked = gained = lost = 0
    relations: set[Relation] = set()
    hows: set[How] = set()
    for effect in effects:
        looked, gained, lost = looked + effect.looked, gained + effect.gained, lost + effect.lost
        relations.add(effect.relation)
        hows.add(effect.how)
    relations.discard("equal")
    relation = next(iter(relations)) if len(relations) == 1 else "different"
    graded: tuple[How, ...] = ("loose", "sampled", "bounded", "proved")
    how: How = next((one for one in graded if one in hows), "proved")
    return Effect(relation if relations else "equal", how, looked, gained, lost)


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
