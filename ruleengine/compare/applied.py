"""The old ruleset with one change and nothing else, so that each change is judged alone."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ruleengine.compare.rebuilt import with_sentences
from ruleengine.frozen import FrozenDict
from ruleengine.language import meaning as m
from ruleengine.rules import Rules
from ruleengine.tiles import FIRST_FLOWER

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.compare.model import Change
    from ruleengine.ruleset.model import Pattern, RulesetData, Sentence, Wall

Options = dict[str, int | bool]


@dataclass(frozen=True, slots=True)
class Side:
    """A ruleset with the values of its options."""

    data: RulesetData
    options: Options

    def rules(self) -> Rules:
        """The same ready to score."""
        return Rules(self.data, self.options)


@dataclass(frozen=True, slots=True)
class Alone:
    """One change by itself: `before` is the old ruleset with what the change needs (an event, a
    shape), `after` the same with the change. `whole` says that the change cannot be told apart
    from the others, so that `after` is the new ruleset."""

    before: Side
    after: Side
    whole: bool = False


class Applier:
    """Applies single changes from one ruleset to another."""

    def __init__(self, old: Side, new: Side, changes: Iterable[Change]) -> None:
        self.old = old
        self.new = new
        self.old_ids = {
            change.id: change.old
            for change in changes
            if change.kind == "pattern-renamed" and change.old is not None
        }
        """The old id of each pattern that has another now."""
        self.new_ids = {before: after for after, before in self.old_ids.items()}
        """The id that such a pattern has now."""

    def alone(self, change: Change) -> Alone:
        """The old ruleset before and after a change.

        One that does not stand by itself is taken for the whole of them.
        """
        found = self.apply(self.old, change)
        if found is None:
            return Alone(self.old, self.new, whole=True)
        return found

    def apply(self, side: Side, change: Change) -> Alone | None:
        """Any ruleset with the patterns of the old one before and after a change; None where the
        change does not stand by itself."""
        needs: list[Sentence | None] = []
        data = self._changed(side.data, change, needs)
        if data is None:
            return None
        before = self._with(side, side.data, needs)
        after = self._with(side, data, needs)
        if before is None or after is None:
            return None
        if change.kind == "option-default-changed":
            name = change.id
            option = {name: self.new.data.options[name]}
            changed = replace(after.data, options=FrozenDict({**after.data.options, **option}))
            after = Side(changed, {**after.options, name: self.new.options[name]})
        return Alone(before, after)

    # ---- one change -----------------------------------------------------------------

    def _changed(
        self, data: RulesetData, change: Change, needs: list[Sentence | None]
    ) -> RulesetData | None:
        """A ruleset with one change. What the new sentences are is noted in `needs`."""
        section, _, rest = change.at.partition(".")
        match section:
            case "patterns":
                return self._pattern(data, change, rest, needs)
            case "events":
                return self._event(data, change, needs)
            case "shapes":
                return self._shapes(data, change)
            case "options":
                return data if change.kind == "option-default-changed" else None
            case "tiles":
                name = {"wall": "copies", "flowers": "seat_flowers", "dora": "dora"}[rest]
                part = {name: getattr(self.new.data.wall, name)}
                return replace(data, wall=replace(data.wall, **part))
            case "total" if self._same_units:
                name = rest.split(".")[0]
                sentence = getattr(self.new.data.total, name)
                needs.append(sentence)
                return replace(data, total=replace(data.total, **{name: sentence}))
            case "liability":
                return replace(data, liability=self.new.data.liability)
            case "settlement":
                return self._settlement(data, rest, needs)
        return None

    @property
    def _same_units(self) -> bool:
        return self.old.data.units == self.new.data.units

    def _settlement(
        self, data: RulesetData, rest: str, needs: list[Sentence | None]
    ) -> RulesetData | None:
        new = self.new.data
        if rest == "winners":
            return replace(data, winners=new.winners)
        if rest.startswith("stakes"):
            name = rest.partition(".")[2]
            stakes = new.stakes
            if stakes is not None:
                needs.append(stakes.amount)
            if name and stakes is not None and data.stakes is not None:
                stakes = replace(data.stakes, **{name: getattr(stakes, name)})
            return replace(data, stakes=stakes)
        lines = new.settlement.get(rest, ())  # type: ignore[call-overload]
        for line in lines:
            needs += line.sentences
        settlement: dict[Any, Any] = {**data.settlement, rest: lines}
        return replace(data, settlement=FrozenDict(settlement))

    def _event(
        self, data: RulesetData, change: Change, needs: list[Sentence | None]
    ) -> RulesetData | None:
        name = change.id
        events = dict(data.events)
        if change.kind == "event-removed":
            events.pop(name, None)
            if data.stakes is not None and data.stakes.event == name:
                return None
            return _without_event(replace(data, events=FrozenDict(events)), name)
        new = self.new.data.events[name]
        needs.append(new.needs)
        if name in events and change.at.endswith(".shared"):
            new = replace(events[name], shared=new.shared)
        elif name in events:
            new = replace(events[name], needs=new.needs)
        return replace(data, events=FrozenDict({**events, name: new}))

    def _shapes(self, data: RulesetData, change: Change) -> RulesetData | None:
        new = self.new.data
        name = change.id
        shapes = dict(data.shapes)
        names = dict(data.shape_names)
        if not name:
            order = [one for one in new.shapes if one in shapes]
            order += [one for one in shapes if one not in order]
            return replace(data, shapes=FrozenDict({one: shapes[one] for one in order}))
        if change.kind == "shape-removed":
            del shapes[name]
            if not shapes:
                return None
            return _without_shape(replace(data, shapes=FrozenDict(shapes)), name)
        shape = new.shapes[name]
        others = [one for one in shapes.values() if one.id != name]
        if any(one.size != shape.size for one in others):
            return None
        shapes = _placed(shapes, name, shape, new.shapes)
        names.setdefault(name, new.shape_names[name])
        return replace(data, shapes=FrozenDict(shapes), shape_names=FrozenDict(names))

    # ---- patterns -------------------------------------------------------------------

    def _pattern(
        self, data: RulesetData, change: Change, rest: str, needs: list[Sentence | None]
    ) -> RulesetData | None:
        patterns = dict(data.patterns)
        new = self.new.data.patterns
        if not rest:
            order = [self.old_id(name) for name in new if self.old_id(name) in patterns]
            coded = {self.old_id(name): pattern.code for name, pattern in new.items()}
            order += [name for name in patterns if name not in order]
            patterns = {
                name: replace(patterns[name], code=coded.get(name, patterns[name].code))
                for name in order
            }
            return replace(data, patterns=FrozenDict(patterns))
        name, _, part = rest.partition(".")
        if change.kind == "pattern-removed":
            patterns.pop(name, None)
            kept = {one: _not_dropping(pattern, name) for one, pattern in patterns.items()}
            return replace(data, patterns=FrozenDict(kept))
        if change.kind == "pattern-added":
            added = self._added(data, new[name])
            if added is None:
                return None
            needs += added.sentences
            ids = {self.old_id(one): None for one in new}
            placed = _placed(patterns, name, added, ids)
            return replace(data, patterns=FrozenDict(placed))
        name, pattern = self.old_id(name), new[name]
        before = patterns.get(name)
        if before is None:
            return None
        changed: Pattern | None = None
        if part in ("when", "times"):
            sentence = getattr(pattern, part)
            needs.append(sentence)
            changed = replace(before, **{part: sentence})
        elif part == "series":
            changed = replace(before, series=self._home(pattern))
        elif part == "supersedes":
            changed = replace(before, supersedes=self._supersedes(data, pattern))
        elif part == "bonus":
            changed = replace(before, bonus=pattern.bonus)
        elif part in data.units and self._same_units:
            awards = dict(before.awards)
            awards.pop(part, None)
            if part in pattern.awards:
                awards[part] = pattern.awards[part]
                needs.append(pattern.awards[part])
            if not awards:
                return None
            changed = replace(before, awards=FrozenDict(awards))
        if changed is None or (changed.when is None and changed.times is None):
            return None
        return replace(data, patterns=FrozenDict({**patterns, name: changed}))

    def old_id(self, name: str) -> str:
        """What a pattern of the new ruleset is called in the old one."""
        return self.old_ids.get(name, name)

    def new_id(self, name: str) -> str:
        """What a pattern of the old ruleset is called in the new one."""
        return self.new_ids.get(name, name)

    def _added(self, data: RulesetData, pattern: Pattern) -> Pattern | None:
        awards = {unit: one for unit, one in pattern.awards.items() if unit in data.units}
        if not awards or not self._same_units:
            return None
        return replace(
            pattern,
            awards=FrozenDict(awards),
            series=self._home(pattern),
            supersedes=self._supersedes(data, pattern),
        )

    def _home(self, pattern: Pattern) -> str | None:
        """What the old ruleset calls the series of a pattern of the new one."""
        return None if pattern.series is None else self._homes[pattern.series]

    @cached_property
    def _homes(self) -> dict[str, str]:
        """What the old ruleset calls each series of the new one: the series of the same patterns,
        or else the one of the same name with a pattern that stays in it, or else the one with most
        of its patterns; what continues none has a name of its own."""
        before: dict[str, set[str]] = {}
        after: dict[str, set[str]] = {}
        for name, pattern in self.new.data.patterns.items():
            old = self.old.data.patterns.get(self.old_id(name))
            if pattern.series is not None:
                members = after.setdefault(pattern.series, set())
                members |= set() if old is None else {name}
            if old is not None and old.series is not None:
                before.setdefault(old.series, set()).add(name)
        homes = {
            series: next((one for one, others in before.items() if members == others), "")
            for series, members in after.items()
        }
        for series, members in after.items():
            if not homes[series] and members & before.get(series, set()):
                homes[series] = series
        taken = {home for home in homes.values() if home}
        for series, members in after.items():
            if homes[series]:
                continue
            left = [one for one, others in before.items() if one not in taken and members & others]
            names = (series + "'" * n for n in itertools.count())
            fresh = next(name for name in names if name not in before and name not in taken)
            homes[series] = max(left, key=lambda one: len(members & before[one]), default=fresh)
            taken.add(homes[series])
        return homes

    def _supersedes(self, data: RulesetData, pattern: Pattern) -> tuple[str, ...]:
        ids = (self.old_id(name) for name in pattern.supersedes)
        return tuple(name for name in ids if name in data.patterns)

    # ---- what a change needs --------------------------------------------------------

    def _with(self, side: Side, data: RulesetData, needs: Iterable[Sentence | None]) -> Side | None:
        """A ruleset with the options, events and shapes that sentences speak of."""
        new = self.new
        options = dict(data.options)
        events = dict(data.events)
        shapes = dict(data.shapes)
        names = dict(data.shape_names)
        wall = data.wall
        pending = [sentence for sentence in needs if sentence is not None]
        while pending:
            for node in m.everything_in(pending.pop().meaning):
                wall = _with_tiles(wall, new.data.wall, node)
                if isinstance(node, m.Option) and node.name not in options:
                    options[node.name] = self._named("options", node.name)
                elif isinstance(node, m.Event) and node.name not in events:
                    event = events[node.name] = self._named("events", node.name)
                    if event.needs is not None:
                        pending.append(event.needs)
                elif isinstance(node, m.ShapeIs):
                    for name in node.shapes:
                        if name not in shapes:
                            shapes[name] = self._named("shapes", name)
                            names[name] = self._named("shape_names", name)
                            if shapes[name].size != data.hand_size:
                                return None
        if stakes := data.stakes:
            events.setdefault(stakes.event, self._named("events", stakes.event))
        made: dict[str, Any] = {
            "options": FrozenDict(options), "events": FrozenDict(events),
            "shapes": FrozenDict(shapes), "shape_names": FrozenDict(names), "wall": wall,
        }  # fmt: skip
        added = {key: value for key, value in made.items() if value != getattr(data, key)}
        data = replace(data, **added) if added else data
        values = {**new.options, **side.options}
        return Side(data, {name: value for name, value in values.items() if name in data.options})

    def _named(self, section: str, name: str) -> Any:
        """What a name stands for in the new ruleset, or in the old one."""
        sides = (getattr(side.data, section) for side in (self.new, self.old))
        return next(section[name] for section in sides if name in section)


def _with_tiles(wall: Wall, new: Wall, node: object) -> Wall:
    """A wall with the flowers or the dora of another one, where a sentence speaks of them and the
    wall has none."""
    match node:
        case m.CountTiles(of="flower") | m.Tiles(of="flower") | m.TileFact(name="seat_flower"):
            if not any(tile >= FIRST_FLOWER for tile in wall.copies):
                flowers = {tile: n for tile, n in new.copies.items() if tile >= FIRST_FLOWER}
                wall = replace(wall, copies={**wall.copies, **flowers})
            if not wall.seat_flowers:
                wall = replace(wall, seat_flowers=new.seat_flowers)
        case m.Fact(name="dora") if not wall.dora:
            wall = replace(wall, dora=new.dora)
    return wall


def _placed(
    there: Mapping[str, Any], name: str, value: Any, order: Iterable[str]
) -> dict[str, Any]:
    """Entries with one more, after the one that stands before it in an order."""
    if name in there:
        return {**there, name: value}
    before: str | None = None
    for one in order:
        if one == name:
            break
        if one in there:
            before = one
    found: dict[str, Any] = {} if before is not None else {name: value}
    for one, held in there.items():
        found[one] = held
        if one == before:
            found[name] = value
    return found


def _not_dropping(pattern: Pattern, name: str) -> Pattern:
    if name not in pattern.supersedes:
        return pattern
    return replace(pattern, supersedes=tuple(one for one in pattern.supersedes if one != name))


# ---- sentences without what is no more ---------------------------------------------------------


def _without_event(data: RulesetData, name: str) -> RulesetData:
    """A ruleset in whose sentences an event is never there."""

    def put(node: Any) -> Any:
        if isinstance(node, m.Event) and node.name == name:
            return m.Constant(node.source, False)
        return node

    return with_sentences(data, put)


def _without_shape(data: RulesetData, name: str) -> RulesetData:
    """A ruleset in whose sentences no arrangement has a shape."""

    def put(node: Any) -> Any:
        if isinstance(node, m.ShapeIs) and name in node.shapes:
            left = tuple(one for one in node.shapes if one != name)
            return replace(node, shapes=left) if left else m.Constant(node.source, False)
        return node

    return with_sentences(data, put)
