"""How one sentence stands to another: over every arrangement and situation that they can tell
apart, or over a sample where those are too many."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial, reduce
from operator import and_
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ruleengine.arrange import UNIT, pack, splits
from ruleengine.hand import Hand, Situation
from ruleengine.hands.effect import Effect, relation_of
from ruleengine.hands.facts import Reading, Rewriter, counted
from ruleengine.hands.limits import Limits
from ruleengine.hands.space import Rows, Space, is_of_groups, of_shape
from ruleengine.hands.suits import MOST_COPIES
from ruleengine.language.bounds import hull
from ruleengine.language.columns import ColumnProgram, operations_below
from ruleengine.language.lower import WAY_BITS, Lowering
from ruleengine.language.operations import Operations
from ruleengine.ruleset.growth import points_range
from ruleengine.tiles import FIRST_FLOWER, SEATS

if TYPE_CHECKING:
    from ruleengine.arrange import Shape
    from ruleengine.hands.effect import How, Relation
    from ruleengine.language.meaning import Meaning
    from ruleengine.language.operations import Op
    from ruleengine.ruleset.model import RulesetData, Wall

CHUNK = 1 << 16
MOST_ROWS = 16_000_000
"""Arrangements that are gone through; of more a sample is."""
MOST_LOOKS = 32_000_000
"""Arrangements times situations, likewise."""
MOST_SITUATIONS = 400_000
CALLING = 1_000
"""What an operation takes for a situation besides its arrangements, in operations on these."""
SAMPLE = 4_000_000
"""Arrangements times situations of a sample."""
SAMPLED_SITUATIONS = 40
MOST_WORLDS = 200
"""Worlds in which two sentences differ that are kept, to look for hands among them."""
LEAST_SEEN = 50_000
"""Arrangements times situations of a shape: where time ended before so many were looked at, and
none of them differs, nothing was seen."""
MOST_CLOSE = 20_000
"""Rows in which sentences differ that are looked at closely at once: whether the wall has the
tiles."""
ENOUGH_SURE = 200
"""Rows that can be, of those in which the new sentence is higher or lower, after which the others
are not looked at closely."""
VARIANTS = 3
"""Hands that are made of each of them: the lowest, and others by chance."""
MOST_MADE, ENOUGH_WAITING, OF_ONE = 3_000, 24, 4
"""Hands that are made where it matters for how many tiles they waited; such with the right number
that are enough; hands that are made of a world at once, which differ in the winning tile."""
SEED = 1
MOST_DORA, MOST_WAITS = 90, FIRST_FLOWER
WAYS = {bit: way for way, bit in WAY_BITS.items()}

ROLES = ("payer", "payee", "winner", "discarder", "liable", "ready", "offender")


@dataclass(frozen=True, slots=True)
class World:
    """One world in which sentences differ: a hand and how it was won."""

    hand: Hand
    situation: Situation


@dataclass(frozen=True, slots=True)
class Compared:
    """How a new sentence stands to an old one, and some of the worlds in which they differ."""

    effect: Effect
    found: tuple[_Found, ...] = ()
    waited: Callable[[Hand, int], bool] | None = None
    """Whether a hand waited for so many tiles."""
    unseen: bool = False
    """Whether there was no time to look at worlds, or only at so few that they tell nothing."""

    @property
    def relation(self) -> Relation:
        """How the new sentence stands to the old one."""
        return self.effect.relation

    def worlds(self, most: int = MOST_WORLDS) -> Iterator[World]:
        """Hands that have the facts of worlds in which the sentences differ."""
        chance = random.Random(SEED)
        yield from self._waiting(most, chance)
        for found in itertools.islice(self.found, most):
            for nth in range(VARIANTS):
                yield from found.worlds(chance if nth else None)

    def _waiting(self, most: int, chance: random.Random) -> Iterator[World]:
        """Hands of worlds that say how many tiles were waited for, which only few of their hands
        did: many are made of each, in turn, and those kept that did."""
        told = [one for one in self.found[:most] if "waits" in one.situation]
        told.sort(key=lambda one: int(one.situation["waits"]))
        made = matched = 0
        waited = self.waited
        while told and waited and made < MOST_MADE and matched < ENOUGH_WAITING:
            before = made
            for found in told:
                for world in itertools.islice(found.worlds(chance), OF_ONE):
                    made += 1
                    if waited(world.hand, int(found.situation["waits"])):
                        matched += 1
                        yield world
            if made == before:
                return


@dataclass(frozen=True, slots=True)
class _Found:
    """A row of a space in a situation."""

    block: Any
    chosen: tuple[int, ...]
    situation: Mapping[str, Any]
    ways: int
    names: tuple[str, ...]

    def worlds(self, chance: random.Random | None) -> Iterator[World]:
        """Its hands."""
        facts = self.situation
        seat = SEATS[int(facts.get("seat", 1)).bit_length() - 1]
        round_ = SEATS[int(facts.get("round", 1)).bit_length() - 1]
        way = int(facts.get("way", 0)) or (self.ways & -self.ways)
        held = int(facts.get("events", 0))
        events = frozenset(name for at, name in enumerate(self.names) if held >> at & 1)
        flowers = tuple(t for t in range(64) if int(facts.get("flowers", 0)) >> t & 1)
        dora = facts.get("dora")
        given = int(facts.get("discarder", 0))
        from_seat = SEATS[given.bit_length() - 1] if given else None
        liable: str | None = None
        if "liable" in facts and way != 1:
            bears = int(facts["liable"])
            liable = SEATS[bears.bit_length() - 1] if bears else "none"
            if liable == from_seat:
                liable = None
        situation = Situation(WAYS[way], seat, round_, from_seat, liable, events, dora or None)
        codes = [_of_code(fact, code) for fact, code in facts.get(_PACKED, ()) if code]
        hands = itertools.chain(*codes) if codes else self.block.hands(self.chosen, chance)
        if chance is None:
            some = [_including(*included) for included in facts.get(_INCLUDED, ())]
            hands = itertools.chain(*some, hands)
        for hand in hands:
            yield World(Hand(hand.standing, hand.melds, hand.winning_tile, flowers), situation)


@dataclass
class _Tally:
    """What was seen so far."""

    looks: int = 0
    looked: int = 0
    gained: int = 0
    lost: int = 0
    found: list[_Found] = field(default_factory=list)
    kept: dict[tuple[Any, ...], int] = field(default_factory=dict)
    robbed: set[bool] = field(default_factory=set)
    """Whether something was gained, and whether lost, where a kong is robbed and more is asked of
    the tile than that the hand has it once."""
    otherwise: set[bool] = field(default_factory=set)
    """The same in all other situations."""

    def effect(self, how: How) -> Effect:
        """The same as a value."""
        relation = relation_of(self.gained, self.lost)
        return Effect(relation, how, self.looked, self.gained, self.lost)

    def by_ease(self) -> tuple[_Found, ...]:
        """What was kept, the plainest situations first."""
        return tuple(sorted(self.found, key=_ease)[:MOST_WORLDS])


class Ground:
    """The worlds of two rulesets together: their events, shapes and tiles.

    What both call by one name is one thing; a shape that they define otherwise stands for both
    definitions.
    """

    def __init__(
        self,
        old: RulesetData,
        new: RulesetData,
        options: Mapping[str, int | bool] | None = None,
    ) -> None:
        defaults = {o.id: o.default for data in (new, old) for o in data.options.values()}
        self.options: Mapping[str, int | bool] = {**defaults, **(options or {})}
        self.data = (old, new)
        self.events = tuple(dict.fromkeys((*old.events, *new.events)))
        self.shape_ids = tuple(dict.fromkeys((*old.shapes, *new.shapes)))
        shapes: list[tuple[int, Shape]] = []
        for data in (old, new):
            for id_, shape in data.shapes.items():
                one = (1 << self.shape_ids.index(id_), shape)
                if one not in shapes:
                    shapes.append(one)
        self.shapes = shapes
        tiles = (*old.wall.copies, *new.wall.copies)
        self.wall = {
            tile: max(old.wall.copies.get(tile, 0), new.wall.copies.get(tile, 0)) for tile in tiles
        }
        self.walls: tuple[Wall, ...] = (old.wall, new.wall)
        self.ends = float("inf")
        """When, by the monotonic clock, no more worlds are looked at; what was seen by then is a
        sample."""
        self.work = 1 << 62
        """Operations on arrangements that are left to be done; where a look would take more, a
        sample is looked at."""
        self.ops = Operations()
        self.points = hull(points_range(data) for data in self.data)
        """What the total of a hand may come to."""
        self.sizes = {data.hand_size for data in self.data}
        self.rewriter = Rewriter(self.ops, max(self.sizes), self._may_be)
        self._lowerings: dict[tuple[tuple[str, int | bool], ...], Lowering] = {}

    def _waited(self, hand: Hand, number: int) -> bool:
        """Whether so many tiles would have completed a hand, of which it did not hold all that
        there are, under the wall and the shapes of both rulesets together."""
        shapes = tuple(shape for _, shape in self.shapes)
        before = pack(hand.standing)
        held = before + pack(tile for meld in hand.melds for tile in meld.tiles)
        left = number
        for tile, unit in enumerate(UNIT):
            if (held >> 4 * tile & 15) < self.wall.get(tile, 0):
                left -= bool(splits(shapes, before + unit, len(hand.melds)))
                if left < 0:
                    return False
        return not left

    def _may_be(self, fact: str, code: int) -> bool:
        """Whether the standing tiles of a hand may be a packed count, with the winning one, or for
        `packed_before` without it."""
        if fact == "packed_before":
            return any(self._may_be("", code + unit) for unit in UNIT)
        if any(code >> 4 * t & 15 > self.wall.get(t, 0) for t in range(FIRST_FLOWER)):
            return False
        shapes = tuple(shape for _, shape in self.shapes)
        melds = {(size - counted(code)) // 3 for size in self.sizes if size >= counted(code)}
        return any(splits(shapes, code, number) for number in melds)

    def lowering(self, options: Mapping[str, int | bool]) -> Lowering:
        """Lowers sentences with some values of options, all into the same operations."""
        key = tuple(sorted(options.items()))
        found = self._lowerings.get(key)
        if found is None:
            found = Lowering(self.ops, self.events, self.shape_ids, options)
            self._lowerings[key] = found
        return found

    def operation(self, meaning: Meaning | None, options: Mapping[str, int | bool]) -> Op:
        """The operation of a sentence; one that is missing is always true."""
        return self.ops.true if meaning is None else self.lowering(options).sentence(meaning)

    # ---- comparing ------------------------------------------------------------------

    def compare(self, old: Op, new: Op, *, only_where: Op | None = None, seed: int = 1) -> Compared:
        """How one operation stands to another, where a third is true."""
        if old is new:
            return Compared(Effect("equal", "proved", 0))
        if self.rewriter.rewritten(old) is self.rewriter.rewritten(new):
            return Compared(Effect("equal", "proved", 0))
        if self._same_in_every_way(old, new):
            return Compared(Effect("equal", "proved", 0))
        if time.monotonic() > self.ends:
            return Compared(Effect("equal", "sampled", 0), unseen=True)
        where = self.ops.true if only_where is None else only_where
        where = self.ops.all_([where, *self._possible((old, new, where))])
        found = self._compared((old, new, where), _Pace(seed))
        if found.effect.how != "proved":
            counted = self.rewriter.by_count((old, new, where))
            if counted is not None:
                exact = self._compared(counted, _Pace(seed, only_whole=True))
                found = exact if exact.effect.how == "proved" else found
        return found

    def ever(self, op: Op) -> bool | None:
        """Whether an operation is true in some world: it may be that this world cannot occur, but
        if there is none, none can. None where not all worlds can be looked at."""
        if op.kind == "constant":
            return bool(op.value)
        if self._same_in_every_way(self.ops.false, op):
            return False
        where = self.ops.all_(self._possible((op,)))
        found = self._compared((self.ops.false, op, where), _Pace(1, first=True)).effect
        return True if found.gained else False if found.how == "proved" else None

    def _same_in_every_way(self, old: Op, new: Op) -> bool:
        """Whether two operations are one for each way of winning."""
        facts = {op.value for op in operations_below((old, new)) if op.kind == "fact"}
        if not facts & {"way", "won"}:
            return False
        by_way = (self.rewriter.in_way((old, new), way) for way in WAYS)
        return all(one is other for one, other in by_way)

    def _compared(self, roots: tuple[Op, Op, Op], pace: _Pace) -> Compared:
        """How the second of three operations stands to the first where the third is true."""
        asked = roots[:2] if roots[2] is self.ops.true else roots
        tally, sampled, loose, hardly = _Tally(), False, False, False
        known = self.rewriter.read(asked, _unknown).uses
        # A shape may settle what is asked of groups; another one settles it otherwise.
        of_groups = any(map(is_of_groups, known))
        for shape in self.shapes:
            for look in self._looks(asked, shape, pace, tally):
                look.run()
                sampled |= not look.whole
                hardly |= look.cut and look.seen < LEAST_SEEN
                loose |= look.loose or look.unsure
                if pace.first and tally.gained:
                    return Compared(tally.effect("sampled"))
            if not of_groups and tally.looks:
                break
        hardly |= sampled and not tally.looked
        if hardly and not tally.gained and not tally.lost:
            return Compared(Effect("equal", "sampled", 0), unseen=True)
        how: How = "sampled" if sampled else "proved"
        loose |= bool(tally.robbed - tally.otherwise)
        if loose and (tally.gained or tally.lost):
            how = "loose" if sampled else "bounded"
        return Compared(tally.effect(how), tally.by_ease(), self._waited)

    def _looks(
        self, roots: tuple[Op, ...], shape: tuple[int, Shape], pace: _Pace, tally: _Tally
    ) -> Iterator[_Look]:
        """The looks at the worlds of a shape: one, or where those are too many and tiles of the
        seat wind or the round wind are asked for, one for each wind."""
        of_shape_alone = partial(of_shape, *shape)
        settled = Limits(self.ops, shape[1], self.wall).settled
        reading = self.rewriter.read(roots, of_shape_alone, settled)
        if reading.roots[0] is reading.roots[1]:
            return
        look = _Look(self, reading, shape, pace, tally)
        winds = [name for name in ("seat", "round") if name in reading.uses]
        if look.fits or not winds or reading.uses.keys() & {*ROLES, "seat_flower"}:
            yield look
            return
        for bits in itertools.product((1, 2, 4, 8), repeat=len(winds)):
            told = dict(zip(winds, bits, strict=True))
            reading = self.rewriter.read(roots, partial(_told, told, of_shape_alone), settled)
            if reading.roots[0] is not reading.roots[1]:
                yield _Look(self, reading, shape, pace, tally, told)

    def _possible(self, roots: tuple[Op, ...]) -> list[Op]:
        """That the events which sentences speak of can be, by what either ruleset says of them."""
        found: dict[str, Op] = {}
        while True:
            reading = self.rewriter.read((*roots, *found.values()), _unknown)
            bits = reading.uses["events"].bits if "events" in reading.uses else 0
            more = [
                name for at, name in enumerate(self.events) if bits >> at & 1 and name not in found
            ]
            if not more:
                return list(found.values())
            for name in more:
                there = self.lowering(self.options).flag("events", 1 << self.events.index(name))
                needs = [
                    self.operation(
                        None if event.needs is None else event.needs.meaning, self.options
                    )
                    for data in self.data
                    if (event := data.events.get(name)) is not None
                ]
                found[name] = self.ops.any_([self.ops.not_(there), *needs])


def _unknown(name: str) -> None:
    """No fact is known beforehand."""


def _told(told: Mapping[str, int], others: Callable[[str], int | None], name: str) -> int | None:
    """The value of a fact that is told, or known otherwise."""
    return told[name] if name in told else others(name)


@dataclass(frozen=True, slots=True)
class _Pace:
    """How worlds are looked at: `seed` is that of samples, with `only_whole` none is taken, and
    with `first` it is enough that something is gained."""

    seed: int
    only_whole: bool = False
    first: bool = False


class _Look:
    """One look at the worlds of a shape that two operations ask about; `whole` says whether all
    of them were looked at."""

    def __init__(
        self,
        ground: Ground,
        reading: Reading,
        shape: tuple[int, Shape],
        pace: _Pace,
        tally: _Tally,
        told: Mapping[str, int] | None = None,
    ) -> None:
        self.ground = ground
        self.pace = pace
        self.reading = reading
        self.told = told or {}
        self.program = ColumnProgram(reading.roots)
        self.space = Space(reading.uses, ground.wall, [shape])
        self.tally = tally
        self.sure = {True: 0, False: 0}
        self.unsure = False
        """Whether there were too many rows to look at all of them closely, and none that can be."""
        self.reads = frozenset(reading.uses)
        self.by_way = "way" in self.reads or self.space.tells_open
        self.by_tile = "won" in self.reads and any(x[0] in "nNW" for x in self.reads)
        """Whether it is told how many there are of the winning tile: one, where a kong is robbed,
        though rows have more."""
        self.every_total = True
        self.loose = self._loose()
        self.situations = self._situations()
        if not shape[1].sets and not shape[1].listed:
            # Of a pair the robbed tile would be two, and its owner has the other three.
            robbed = WAY_BITS["robbing_kong"]
            self.situations = [one for one in self.situations if one.get("way") != robbed]
        if pace.first:
            random.Random(pace.seed).shuffle(self.situations)
        self.few = len(self.situations) <= MOST_SITUATIONS and self.every_total
        self.looks = self.space.size * max(len(self.situations), 1)
        self.whole = False
        self.cut = False
        """Whether time ended before all was looked at that was to be."""
        self.seen = 0
        """Arrangements times situations that were looked at."""

    @property
    def fits(self) -> bool:
        """Whether all worlds can be looked at."""
        if not self.space.uses:
            return self.few
        size = self.space.whole and self.space.size <= MOST_ROWS
        few = self.few and size and self.looks <= MOST_LOOKS
        return few and self._work(self.looks) <= self.ground.work

    def _work(self, looks: int) -> int:
        """Operations that so many looks take."""
        return (looks + CALLING * len(self.situations)) * max(len(self.program), 1)

    def _loose(self) -> bool:
        """Whether facts are laid out as if they went together freely, though in hands they do not:
        how many tiles a hand waits for, which tiles it includes, what it comes to."""
        asked = self.reading.asked.values()
        exact = all(op.kind == "within" for op in asked)
        free = self.reads & {"waits", "points"}
        return bool(free) or not exact or bool(asked and self.space.uses)

    def run(self) -> None:
        """Look at all worlds, or at some where they are too many."""
        self.tally.looks += 1
        fits = self.fits
        if not self.space.uses:
            self._see_situations(self.situations)
            self.whole = fits
        elif fits:
            self.whole = self._run_whole()
        elif not self.pace.only_whole:
            self._run_sample()

    def _run_whole(self) -> bool:
        self.ground.work -= self._work(self.looks)
        for block in self.space.blocks:
            for start in range(0, block.size, CHUNK):
                self._see(block.rows(start, min(start + CHUNK, block.size)), self.situations)
                if self._over:
                    return False
        return True

    @property
    def _over(self) -> bool:
        """Whether no more is looked at: there is no time, or what was seen is enough."""
        self.cut |= time.monotonic() > self.ground.ends
        return self.cut or (self.pace.first and self.tally.gained > 0)

    def _run_sample(self) -> None:
        rng = np.random.Generator(np.random.PCG64(self.pace.seed))
        chance = random.Random(self.pace.seed)
        blocks = self.space.blocks[:200]
        most = min(SAMPLE, self.ground.work // max(len(self.program), 1))
        self.ground.work -= most * len(self.program)
        for block in blocks:
            some = self.situations
            if len(some) > SAMPLED_SITUATIONS:
                some = chance.sample(some, SAMPLED_SITUATIONS)
            each = max(most // max(len(blocks), 1) // max(len(some), 1), 200)
            for _ in range(0, each, CHUNK):
                if self._over:
                    return
                self._see(block.sample(min(each, CHUNK), rng), some)

    def _see(self, rows: Rows, situations: list[dict[str, Any]]) -> None:
        tally = self.tally
        possible = rows.can
        for situation in situations:
            if self._over:
                return
            self.seen += len(rows)
            there = possible
            if self.by_way and not isinstance(rows.ways, int):
                there = there & ((rows.ways & np.uint64(situation["way"])) != 0)
            facts = {name: rows.facts.get(name) for name in self.program.facts}
            facts |= {name: situation[name] for name in self.program.facts & situation.keys()}
            worked = self.program.run(facts)
            old, new = (_column(worked[root], len(rows)) for root in self.reading.roots[:2])
            if len(self.reading.roots) > 2:
                there = there & _column(worked[self.reading.roots[2]], len(rows)).astype(bool)
            tally.looked += int(there.sum())
            more, less = there & (new > old), there & (new < old)
            for mask, gained in ((more, True), (less, False)):
                robbed = situation.get("way") == WAY_BITS["robbing_kong"]
                mask = self._realized(rows, mask, gained=gained, robbed=robbed)
                number = int(mask.sum())
                if not number:
                    continue
                if gained:
                    tally.gained += number
                else:
                    tally.lost += number
                loose = self.by_tile and robbed
                (tally.robbed if loose else tally.otherwise).add(gained)
                self._keep(rows, mask, situation, gained)

    def _realized(self, rows: Rows, mask: Any, *, gained: bool, robbed: bool) -> Any:
        """Some rows without those for which the wall surely has not the tiles.

        Rows are looked at closely until enough were seen that can be; the others are let stand.
        """
        at = np.flatnonzero(mask)
        if not len(at) or not rows.chosen or self.sure[gained] >= ENOUGH_SURE:
            return mask
        more = len(at) > MOST_CLOSE
        at = at[:MOST_CLOSE]
        chosen = np.stack([column[at] for column in rows.chosen], axis=1)
        gone: list[int] = []
        for row, classes in zip(at.tolist(), chosen.tolist(), strict=True):
            if not rows.block.can_be(tuple(classes), robbed=robbed):
                gone.append(row)
                continue
            self.sure[gained] += 1
            if self.sure[gained] >= ENOUGH_SURE:
                break
        self.unsure |= more and not self.sure[gained]
        if gone:
            mask = mask.copy()
            mask[gone] = False
        return mask

    def _see_situations(self, situations: list[dict[str, Any]]) -> None:
        """Where no group is read: all situations at once, each a row."""
        facts: dict[str, Any] = {}
        for name in self.program.facts:
            values = [situation[name] for situation in situations]
            kind: Any = bool if name.startswith("?") else np.uint64
            facts[name] = np.array(values, dtype=np.int32 if name in _NUMBERS else kind)
        worked = self.program.run(facts)
        size = len(situations)
        old, new = (_column(worked[root], size) for root in self.reading.roots[:2])
        there = np.ones(size, dtype=bool)
        if len(self.reading.roots) > 2:
            there = there & _column(worked[self.reading.roots[2]], size).astype(bool)
        rows = self.space.blocks[0].rows(0, 1) if self.space.blocks else None
        self.tally.looked += int(there.sum())
        for mask, gained in ((there & (new > old), True), (there & (new < old), False)):
            number = int(mask.sum())
            if gained:
                self.tally.gained += number
            else:
                self.tally.lost += number
            at = np.flatnonzero(mask)
            for row in at[:: max(len(at) // 100, 1)].tolist() if rows is not None else ():
                self._keep(rows, np.ones(1, dtype=bool), situations[row], gained)

    def _keep(self, rows: Any, mask: Any, situation: dict[str, Any], gained: bool) -> None:
        """Keep some rows of each kind of situation."""
        key = (id(rows.block), gained, *(sorted((k, v) for k, v in situation.items())))
        kept = self.tally.kept.get(key, 0)
        if kept >= 12 or len(self.tally.found) >= 20 * MOST_WORLDS:
            return
        at = np.flatnonzero(mask)
        picks = at[:: max(len(at) // 6, 1)][:6]
        self.tally.kept[key] = kept + len(picks)
        for row in picks.tolist():
            ways = rows.ways if isinstance(rows.ways, int) else int(rows.ways[row])
            chosen = tuple(int(column[row]) for column in rows.chosen)
            self.tally.found.append(_Found(rows.block, chosen, situation, ways, self.ground.events))

    # ---- situations -----------------------------------------------------------------

    def _situations(self) -> list[dict[str, Any]]:
        """Every situation that the sentences can tell apart."""
        axes: list[list[dict[str, Any]]] = [self._tables()]
        uses = self.reading.uses
        if "round" in self.reads:
            axes.append([{"round": 1 << at} for at in range(4)])
        if "events" in self.reads:
            axes.append([{"events": held} for held in _subsets(uses["events"].bits, self._most())])
        if "flowers" in self.reads:
            tiles = sum(1 << t for t in self.ground.wall if t >= FIRST_FLOWER)
            bits = uses["flowers"].bits & tiles
            axes.append([{"flowers": held} for held in self._flowers(bits, tiles)])
        if "dora" in self.reads:
            dora = any(wall.dora for wall in self.ground.walls)
            axes.append([{"dora": n} for n in range(MOST_DORA + 1 if dora else 1)])
        if "waits" in self.reads:
            axes.append([{"waits": n} for n in range(1, MOST_WAITS + 1)])
        if "points" in self.reads:
            axes.append([{"points": n} for n in self._points()])
        axes.append(self._answers())
        axes.append([dict(self.told)])
        return [
            {name: value for part in parts for name, value in part.items()}
            for parts in itertools.islice(itertools.product(*axes), MOST_SITUATIONS + 1)
        ]

    def _flowers(self, bits: int, tiles: int) -> Iterable[int]:
        """Flowers that a hand may have; where it is only counted how many they are of some, one
        choice for each number."""
        counted = self._counted("flowers")
        if counted is None:
            return _subsets(bits, tiles)
        found: dict[tuple[int, ...], int] = {}
        for held in _subsets(bits, tiles):
            found.setdefault(tuple((held & mask).bit_count() for mask in counted), held)
        return found.values()

    def _counted(self, name: str) -> list[int] | None:
        """The masks of which it is counted how many a fact has; None where it is read otherwise."""
        parts: dict[Op, int] = {}
        counted: list[int] = []
        for op in operations_below(self.reading.roots):
            if op.kind == "fact" and op.value == name:
                parts[op] = -1
                continue
            read = [arg for arg in op.args if arg in parts]
            rest = [arg for arg in op.args if arg not in parts]
            if not read:
                continue
            if op.kind in ("bits", "nonzero"):
                counted += [parts[arg] for arg in read]
            elif op.kind == "and" and all(arg.kind == "constant" for arg in rest):
                masks = [parts[arg] for arg in read] + [cast("int", arg.value) for arg in rest]
                parts[op] = reduce(and_, masks)
            else:
                return None
        return counted

    def _points(self) -> list[int]:
        """The totals that a hand may have; of too many the low ones, those near numbers that the
        sentences name, and some in between."""
        least, most = self.ground.points
        if most - least < MOST_POINTS:
            return list(range(least, most + 1))
        self.every_total = False
        found = {least, most, *range(FEW_POINTS), *range(least, most, (most - least) // FEW_POINTS)}
        for op in operations_below(self.reading.roots):
            if op.kind == "constant" and isinstance(op.value, int):
                found |= {op.value - 1, op.value, op.value + 1}
        return sorted(n for n in found if least <= n <= most)

    def _most(self) -> int:
        return (1 << len(self.ground.events)) - 1

    def _tables(self) -> list[dict[str, Any]]:
        """Ways of winning, seats and who did what, as far as they are read."""
        read = self.reads & {*ROLES, "seat", "seat_flower"}
        found: dict[tuple[tuple[str, Any], ...], dict[str, Any]] = {}
        for table in _tables(self.reads, self.by_way):
            kept = {name: value for name, value in table.items() if name in read}
            if read & {"seat", "seat_flower"}:
                kept["seat"] = table["winner"]
            if self.by_way:
                kept["way"] = table["way"]
            options = [kept]
            if "seat_flower" in read:
                seat = SEATS[int(table["winner"]).bit_length() - 1]
                options = [
                    {**kept, "seat_flower": wall.seat_flowers.get(seat, 0)}
                    for wall in self.ground.walls
                ]
            for option in options:
                found.setdefault(tuple(sorted(option.items())), option)
        return list(found.values())

    def _answers(self) -> list[dict[str, Any]]:
        """What questions about packed counts may be answered together."""
        asked = self.reading.asked
        exact = {name: op for name, op in asked.items() if op.kind == "within"}
        found: dict[tuple[bool, ...], list[tuple[str, int]]] = {}
        asks = {name: (str(op.args[0].value), _codes(op)) for name, op in exact.items()}
        keys = {(fact, code) for fact, codes in asks.values() for code in codes}
        for fact, code in sorted([("", 0), *keys]):
            answers = tuple(of == fact and code in codes for of, codes in asks.values())
            found.setdefault(answers, []).append((fact, code))
        rest = [name for name in asked if name not in exact]
        return [
            {
                **dict(zip(exact, answers, strict=True)),
                _PACKED: tuple(packed[:MOST_PACKED]),
                **dict(zip(rest, held, strict=True)),
                _INCLUDED: self._included(itertools.compress(rest, held)),
            }
            for answers, packed in found.items()
            for held in itertools.product((False, True), repeat=len(rest))
        ]

    def _included(self, names: Iterable[str]) -> tuple[tuple[str, int, int], ...]:
        """What is included where some questions are answered with yes: the packed count that has
        it, what it is, and how many tiles are there besides."""
        found: list[tuple[str, int, int]] = []
        for name in names:
            op = self.reading.asked[name]
            fact, code = str(op.args[0].value), op.value
            most = self.ground.rewriter.most.get(fact)
            if most is not None and isinstance(code, int):
                found.append((fact, code, most - counted(code)))
        return tuple(found)


MOST_POINTS, FEW_POINTS = 8_000, 500
"""Totals of a hand that are gone through; of more so many are a sample."""
_NUMBERS = frozenset({"points", "dora", "waits"})
_PACKED = "packed"
"""Under this name a situation says which packed counts it is about: each fact, and its value."""
MOST_PACKED = 60
"""Packed counts that bring the same answers, of which hands are made."""


_INCLUDED = "included"
"""Under this name a situation says what packed counts include."""
MOST_BESIDES = 2
"""Tiles besides those that are included, up to which every choice of them is tried."""


def _including(fact: str, code: int, besides: int) -> Iterator[Hand]:
    """Hands that hold some tiles, and few others."""
    if not 0 <= besides <= MOST_BESIDES:
        return
    for others in itertools.combinations_with_replacement(range(FIRST_FLOWER), besides):
        whole = code + sum(1 << (4 * tile) for tile in others)
        if all(whole >> (4 * tile) & 15 <= MOST_COPIES for tile in range(FIRST_FLOWER)):
            yield from _of_code(fact, whole)


def _of_code(fact: str, code: int) -> Iterator[Hand]:
    """Hands with a packed count, before the win or with it."""
    tiles = [tile for tile in range(FIRST_FLOWER) for _ in range(code >> (4 * tile) & 15)]
    if fact == "packed_before":
        for tile in range(FIRST_FLOWER):
            yield Hand(tuple(tiles), (), tile)
        return
    for tile in dict.fromkeys(tiles):
        rest = list(tiles)
        rest.remove(tile)
        yield Hand(tuple(rest), (), tile)


def _codes(op: Op) -> frozenset[int]:
    assert isinstance(op.value, frozenset)
    return op.value


def _subsets(bits: int, possible: int) -> Iterator[int]:
    """Every choice of the bits of a mask."""
    bits &= possible
    held = 0
    while True:
        yield held
        if held == bits:
            return
        held = (held - bits) & bits


def _tables(reads: frozenset[str], by_way: bool) -> Iterator[dict[str, int]]:
    """Who won in which way, who gave the tile away, who is liable, who pays whom, ..."""
    seats = (1, 2, 4, 8)
    one = reads & {*ROLES, "seat", "seat_flower"}
    winners = seats if one else (1,)
    for winner in winners:
        others = [seat for seat in seats if seat != winner]
        for way in WAY_BITS.values() if by_way or one & set(ROLES) else (1,):
            given: list[tuple[int, int]] = [(0, 0)]
            if way != WAY_BITS["self_draw"] and one & {"discarder", "liable"}:
                given = list(itertools.product(others, [0, *others]))
            for discarder, liable in given:
                table = {"winner": winner, "way": way, "discarder": discarder, "liable": liable}
                for payer in others if "payer" in reads else others[:1]:
                    for ready in range(16) if "ready" in reads else (0,):
                        for offender in (0, *seats) if "offender" in reads else (0,):
                            yield {
                                **table, "payer": payer, "payee": winner, "ready": ready,
                                "offender": offender,
                            }  # fmt: skip


def _ease(found: _Found) -> tuple[int, ...]:
    """Plain situations come first, then few melds."""
    facts = found.situation
    melds = 0
    tables = [table for table, number in found.block.slots for _ in range(number)]
    for table, at in zip(tables, found.chosen, strict=True):
        melds += table.classes[at].one.melded
    return (
        int(facts.get("events", 0)).bit_count(),
        int(facts.get("way", 1)),
        int(facts.get("seat", 1)),
        int(facts.get("round", 1)),
        melds,
    )


def _column(value: Any, size: int) -> Any:
    column = np.asarray(value)
    if column.dtype == bool:
        column = column.astype(np.int8)
    elif column.dtype == np.uint64 or column.dtype == np.uint8:
        column = column.astype(np.int64)
    return np.broadcast_to(column, size)
