"""Turns a checked sentence into operations over masks.

The facts that the operations read (`FACTS`) are what an evaluator has to bring: masks of
the groups of an arrangement, of the melds and of the tiles, and the situation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.arrange import UNIT
from ruleengine.frozen import frozen
from ruleengine.language import meaning as m
from ruleengine.language.operations import EVERYTHING, Op, Operations
from ruleengine.language.template import Allowed, find
from ruleengine.tiles import CLASSES, FIRST_HONOR, SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.language import tree
    from ruleengine.language.operations import Kind
    from ruleengine.language.template import Layer

FACTS: Mapping[str, str] = {
    "shape": "which shape, as a bit",
    "n1": "different tiles in hand", "runs": "number of standing sequences",
    "s1": "standing sequences", "s2": "... twice", "s3": "... three times", "s4": "... four times",
    "t": "standing triplets",
    "p1": "pairs", "p2": "... twice",
    "open_t": "the triplet that another's tile completed",
    "won_s": "the sequence that the winning tile completed", "won_t": "the triplet it completed",
    "won_p": "the pair it completed",
    "c1": "claimed sequences", "c2": "... twice", "c3": "... three times", "c4": "... four times",
    "ct": "claimed triplets", "kc": "claimed kongs", "kk": "concealed kongs",
    "ck": "tiles of the melds", "cn": "number of claimed sequences",
    "n2": "tiles of the shape held at least twice", "n3": "... three times", "n4": "... four times",
    "flowers": "flowers of the hand",
    "packed_hand": "tiles in hand, as a packed count",
    "packed_before": "tiles in hand without the winning one, as a packed count",
    "packed_all": "all tiles of the shape, as a packed count",
    "won": "the winning tile",
    "way": "how it was won, as a bit", "seat": "the winner's seat, as a bit",
    "round": "the round wind, as a bit", "events": "the events, a bit each",
    "seat_flower": "the flowers of the winner's seat", "dora": "number of dora tiles",
    "waits": "number of different waits",
    "points": "the total", "payer": "who pays, as a bit", "payee": "who is paid, as a bit",
    "winner": "who won, as a bit", "discarder": "who discarded, as a bit or 0",
    "liable": "who is liable, as a bit or 0", "ready": "who was ready, a bit each",
    "offender": "who declared wrongly, as a bit",
}  # fmt: skip

WAY_BITS: Mapping[str, int] = {"self_draw": 1, "discard": 2, "robbing_kong": 4}
NUMBERED = CLASSES["numbered"]
STARTS = sum(1 << tile for tile in range(FIRST_HONOR) if tile % 9 <= 6)
"""The lowest tiles that a sequence can have."""
TILES_OF_SHAPES = (1 << len(UNIT)) - 1
_COMPARE: Mapping[str, Kind] = {s: s for s in ("=", "!=", "<", "<=", ">", ">=")}
_CALCULATE: Mapping[str, Kind] = {"+": "add", "-": "subtract", "*": "multiply"}


@frozen
class Sort:
    """Groups of one kind and status: how many times each stands there, as masks."""

    kind: str
    status: str
    layers: tuple[Op, ...]


class Lowering:
    """Lowers the sentences of one ruleset, all into the same operations.

    `events` and `shapes` give the order in which their bits are numbered; `options` are the
    values the options have.
    """

    def __init__(
        self,
        operations: Operations,
        events: tuple[str, ...],
        shapes: tuple[str, ...],
        options: Mapping[str, int | bool],
    ) -> None:
        self.ops = operations
        self.events = events
        self.shapes = shapes
        self.options = options
        self._lowered: dict[int, tuple[m.Meaning, Op]] = {}

    def sentence(self, meaning: m.Meaning) -> Op:
        """The operation for a sentence."""
        known = self._lowered.get(id(meaning))
        if known is None:
            known = (meaning, self._sentence(meaning))
            self._lowered[id(meaning)] = known
        return known[1]

    def _sentence(self, meaning: m.Meaning) -> Op:
        ops = self.ops
        match meaning:
            case m.Constant(value=value):
                return ops.constant(value)
            case m.Option(name=name):
                return ops.constant(self.options[name])
            case m.Event(name=name):
                return self.flag("events", 1 << self.events.index(name))
            case m.Fact(name=name):
                return self.flag("seat", 1) if name == "dealer" else ops.fact(name)
            case m.Reference(target=target):
                return self.sentence(target)
            case m.All(parts=parts):
                return ops.all_([self.sentence(part) for part in parts])
            case m.Any(parts=parts):
                return ops.any_([self.sentence(part) for part in parts])
            case m.Not(part=part):
                return ops.not_(self.sentence(part))
            case m.If(test=test, first=first, second=second):
                return ops.if_(self.sentence(test), self.sentence(first), self.sentence(second))
            case m.Compare(left=left, sign=sign, right=right):
                return ops.compare(_COMPARE[sign], self.sentence(left), self.sentence(right))
            case m.Calculate(left=left, sign=sign, right=right):
                sides = (self.sentence(left), self.sentence(right))
                return ops.calculate(_CALCULATE[sign], *sides)
            case m.Apply(function=function, arguments=arguments):
                found = [self.sentence(argument) for argument in arguments]
                return ops.calculate(function, *found)  # type: ignore[arg-type]
            case m.CountGroups(status=status, kind=kind, tiles=tiles):
                return self.count_groups(status, kind, tiles)
            case m.CountTiles():
                return self.count_tiles(meaning)
            case m.CountSuits():
                suits = [CLASSES[name] for name in ("characters", "dots", "bamboo")]
                kinds = self.kinds()
                found = [ops.nonzero(ops.and_(kinds, ops.constant(suit))) for suit in suits]
                return ops.add([ops.if_(suit, ops.constant(1), ops.zero) for suit in found])
            case m.CountWaits():
                return ops.fact("waits")
            case m.SumRanks(tiles=tiles):
                return self.sum_ranks(tiles)
            case m.Groups(quantifier=quantifier, status=status, kind=kind, test=test):
                return self.groups(quantifier, status, kind, test)
            case m.Tiles(quantifier=quantifier, of=of, tiles=tiles):
                held = self.kinds() if of == "tile" else ops.fact("flowers")
                return self.quantified(quantifier, held, self.tile_class(tiles))
            case m.ShapeIs(shapes=shapes):
                mask = sum(1 << self.shapes.index(shape) for shape in set(shapes))
                return self.flag("shape", mask)
            case m.WinBy(ways=ways):
                return self.flag("way", sum(WAY_BITS[way] for way in set(ways)))
            case m.SeatIs(subject=subject, letters=letters):
                return self.flag(subject, sum(1 << SEATS.index(s) for s in set(letters)))
            case m.PairIs(tiles=tiles, negated=negated):
                pairs = ops.fact("p1")
                one = ops.compare("=", ops.bits(pairs), ops.constant(1))
                once = ops.not_(ops.nonzero(ops.fact("p2")))
                inside = ops.nonzero(ops.and_(pairs, self.tile_class(tiles)))
                return ops.all_([one, once, ops.not_(inside) if negated else inside])
            case m.WinningTileIs(tiles=tiles):
                return ops.nonzero(ops.and_(ops.fact("won"), self.tile_class(tiles)))
            case m.WinningGroupIs(test=test):
                return self.winning_group(test)
            case m.WaitIs(waits=waits):
                return ops.any_([self.wait(wait) for wait in waits])
            case m.RoleIs(subject=subject, roles=roles):
                masks = [self.role(role) for role in roles]
                return ops.nonzero(ops.and_(ops.fact(subject), ops.or_(*masks)))
            case m.Seats(quantifier=quantifier, roles=roles, negated=negated):
                seats = ops.or_(*[self.role(role) for role in roles])
                table = ops.constant(15)
                if negated:
                    seats = ops.without(table, seats)
                return self.quantified(quantifier, table, seats)
            case m.Template():
                return self.template(meaning)
            case m.HandTiles():
                return self.hand_tiles(meaning)
        raise AssertionError(meaning)

    def kinds(self) -> Op:
        """The different tiles of the shape, melds included."""
        return self.ops.or_(self.ops.fact("n1"), self.ops.fact("ck"))

    def flag(self, fact: str, mask: int) -> Op:
        """Whether a fact held as bits has one of the bits."""
        return self.ops.nonzero(self.ops.and_(self.ops.fact(fact), self.ops.constant(mask)))

    def role(self, role: str) -> Op:
        """The seats that have a role, as a mask."""
        return self.ops.constant(1) if role == "dealer" else self.ops.fact(role)

    def quantified(self, quantifier: tree.Quantifier, held: Op, inside: Op) -> Op:
        """All, some or none of what is held is inside."""
        if quantifier == "all":
            return self.ops.not_(self.ops.nonzero(self.ops.without(held, inside)))
        some = self.ops.nonzero(self.ops.and_(held, inside))
        return some if quantifier == "some" else self.ops.not_(some)

    # ---- classes of tiles -----------------------------------------------------------

    def tile_class(self, tiles: m.TileClass) -> Op:
        """The mask of a class."""
        ops = self.ops
        match tiles:
            case m.TileMask(mask=mask):
                return ops.constant(mask)
            case m.TileFact(name="seat_wind"):
                return ops.shift(ops.fact("seat"), -FIRST_HONOR)
            case m.TileFact(name="round_wind"):
                return ops.shift(ops.fact("round"), -FIRST_HONOR)
            case m.TileFact(name="winning_tile"):
                return ops.fact("won")
            case m.TileFact(name=name):
                return ops.fact(name)
            case m.TileUnion(parts=parts):
                return ops.or_(*[self.tile_class(part) for part in parts])
            case m.TileCommon(parts=parts):
                return ops.and_(*[self.tile_class(part) for part in parts])
            case m.TileOther(part=part):
                return ops.without(ops.constant(EVERYTHING), self.tile_class(part))

    def starts_within(self, mask: Op) -> Op:
        """Lowest tiles of the sequences that lie within a class."""
        ops = self.ops
        return ops.and_(mask, ops.shift(mask, 1), ops.shift(mask, 2), ops.constant(STARTS))

    def starts_touching(self, mask: Op) -> Op:
        """Lowest tiles of the sequences that have a tile of a class."""
        ops = self.ops
        found = ops.or_(mask, ops.shift(mask, 1), ops.shift(mask, 2))
        return ops.and_(found, ops.constant(STARTS))

    # ---- groups ---------------------------------------------------------------------

    def sorts(self, kind: str, status: str | None, split_status: bool) -> list[Sort]:
        """The groups of a kind and status, in sorts that share kind and status.

        With `split_status` no sort mixes triplets that a discard completed with others.
        """
        fact = self.ops.fact
        completed = self.completed()
        found: list[Sort] = []
        if kind in ("sequence", "set", "group"):
            standing = tuple(fact(f"s{n}") for n in range(1, 5))
            claimed = tuple(fact(f"c{n}") for n in range(1, 5))
            found.append(Sort("sequence", "concealed", standing))
            found.append(Sort("sequence", "claimed", claimed))
        if kind in ("triplet", "set", "group"):
            if split_status or status is not None:
                whole = self.ops.without(fact("t"), completed)
                found.append(Sort("triplet", "concealed", (whole,)))
                half = self.ops.and_(fact("t"), completed)
                found.append(Sort("triplet", "completed", (half,)))
            else:
                found.append(Sort("triplet", "any", (fact("t"),)))
            found.append(Sort("triplet", "claimed", (fact("ct"),)))
        if kind in ("triplet", "kong", "set", "group"):
            found.append(Sort("kong", "claimed", (fact("kc"),)))
            found.append(Sort("kong", "concealed", (fact("kk"),)))
        if kind in ("pair", "group"):
            found.append(Sort("pair", "concealed", (fact("p1"), fact("p2"))))
        return [sort for sort in found if status is None or sort.status == status]

    def completed(self) -> Op:
        """The triplet that another's tile completed, as a mask."""
        return self.ops.fact("open_t")

    def won_t(self) -> Op:
        return self.ops.fact("won_t")

    def count_groups(self, status: str | None, kind: str, tiles: m.TileClass | None) -> Op:
        ops = self.ops
        masks: dict[Op | None, list[list[Op]]] = {}
        for sort in self.sorts(kind, status, split_status=False):
            inside = None if tiles is None else self.allowed(m.Within(tiles), sort)
            masks.setdefault(inside, []).append(list(sort.layers))
        counted: list[Op] = []
        if tiles is None and kind in ("sequence", "set", "group"):
            # The number of sequences is known; only layers could tell how many of a class.
            counted = [ops.fact(x) for x in ("runs", "cn") if status != _STATUS_OF[x]]
            masks = {
                None: [list(s.layers) for s in self.sorts(kind, status, split_status=False)
                       if s.kind != "sequence"]
            }  # fmt: skip
        for inside, sorts in masks.items():
            # Sorts of one layer never share a tile, so they are counted as one mask.
            single = [layers[0] for layers in sorts if len(layers) == 1]
            many = [layer for layers in sorts if len(layers) > 1 for layer in layers]
            for layer in ([ops.or_(*single)] if single else []) + many:
                counted.append(ops.bits(layer if inside is None else ops.and_(layer, inside)))
        return ops.add(counted)

    def allowed(self, test: m.GroupTest, sort: Sort) -> Op:
        """The lowest tiles at which a group of this sort passes a test."""
        ops = self.ops
        everything = ops.constant(EVERYTHING)
        match test:
            case m.Within(tiles=tiles):
                mask = self.tile_class(tiles)
                return self.starts_within(mask) if sort.kind == "sequence" else mask
            case m.Touches(tiles=tiles):
                mask = self.tile_class(tiles)
                return self.starts_touching(mask) if sort.kind == "sequence" else mask
            case m.HasStatus(status=status):
                return everything if sort.status == status else ops.zero
            case m.OfKind(kind=kind):
                same = sort.kind == kind or (kind == "triplet" and sort.kind == "kong")
                return everything if same else ops.zero
            case m.AllOf(parts=parts):
                return ops.and_(*[self.allowed(part, sort) for part in parts])
            case m.AnyOf(parts=parts):
                return ops.or_(*[self.allowed(part, sort) for part in parts])
            case m.NotOf(part=part):
                return ops.without(everything, self.allowed(part, sort))

    def groups(
        self, quantifier: tree.Quantifier, status: str | None, kind: str, test: m.GroupTest
    ) -> Op:
        ops = self.ops
        by_mask: dict[Op, list[Op]] = {}
        for sort in self.sorts(kind, status, _speaks_of_status(test)):
            by_mask.setdefault(self.allowed(test, sort), []).append(sort.layers[0])
        wrong: list[Op] = []
        for inside, firsts in by_mask.items():
            held = ops.or_(*firsts)
            wrong.append(
                ops.without(held, inside) if quantifier == "all" else ops.and_(held, inside)
            )
        some = ops.nonzero(ops.or_(*wrong)) if wrong else ops.false
        return some if quantifier == "some" else ops.not_(some)

    def winning_group(self, test: m.GroupTest) -> Op:
        ops = self.ops
        self_drawn = self.flag("way", WAY_BITS["self_draw"])
        won_s, won_p = ops.fact("won_s"), ops.fact("won_p")

        def passes(kind: str, status: str, mask: Op) -> Op:
            allowed = self.allowed(test, Sort(kind, status, (mask,)))
            return ops.nonzero(ops.and_(mask, allowed))

        return ops.any_(
            [
                passes("sequence", "concealed", won_s),
                passes("pair", "concealed", won_p),
                ops.all_([self_drawn, passes("triplet", "concealed", self.won_t())]),
                ops.all_([ops.not_(self_drawn), passes("triplet", "completed", self.won_t())]),
            ]
        )

    def wait(self, wait: str) -> Op:
        ops = self.ops
        won_s, won = ops.fact("won_s"), ops.fact("won")
        if wait == "single":
            return ops.nonzero(ops.fact("won_p"))
        if wait == "double_pair":
            return ops.nonzero(self.won_t())
        lowest = CLASSES["terminal"] & STARTS
        highest = lowest << 6
        closed = ops.and_(ops.shift(won_s, -1), won)
        edge = ops.or_(
            ops.and_(ops.shift(won_s, -2), ops.constant(lowest << 2), won),
            ops.and_(won_s, ops.constant(highest), won),
        )
        if wait == "closed":
            return ops.nonzero(closed)
        if wait == "edge":
            return ops.nonzero(edge)
        return ops.all_([ops.nonzero(won_s), ops.not_(ops.nonzero(ops.or_(closed, edge)))])

    # ---- tiles ----------------------------------------------------------------------

    def count_tiles(self, meaning: m.CountTiles) -> Op:
        ops = self.ops
        inside = None if meaning.tiles is None else self.tile_class(meaning.tiles)
        names = {
            "tile": ("n1", "n2", "n3", "n4"),
            "flower": ("flowers",),
            "kind": ("n1",),
            "quad": ("n4",),
        }[meaning.of]
        masks = [self.kinds() if name == "n1" else ops.fact(name) for name in names]
        return ops.add([ops.bits(x if inside is None else ops.and_(x, inside)) for x in masks])

    def sum_ranks(self, tiles: m.TileClass | None) -> Op:
        ops = self.ops
        inside = ops.constant(NUMBERED)
        if tiles is not None:
            inside = ops.and_(inside, self.tile_class(tiles))
        summed: list[Op] = []
        for name in ("n1", "n2", "n3", "n4"):
            held = ops.and_(self.kinds() if name == "n1" else ops.fact(name), inside)
            for bit in range(4):
                ranks = sum(1 << t for t in range(FIRST_HONOR) if (t % 9 + 1) >> bit & 1)
                counted = ops.bits(ops.and_(held, ops.constant(ranks)))
                summed.append(ops.calculate("multiply", counted, ops.constant(1 << bit)))
        return ops.add(summed)

    def hand_tiles(self, meaning: m.HandTiles) -> Op:
        ops = self.ops
        fact = {
            "hand": "packed_hand",
            "hand before win": "packed_before",
            "tiles": "packed_all",
        }[meaning.of]
        needed = [
            sum(copies * UNIT[tile] for tile, copies in listed)
            for listed in meaning.lists
            if all(tile < len(UNIT) and copies <= 4 for tile, copies in listed)
        ]
        if meaning.exact:
            return ops.within(ops.fact(fact), frozenset(needed))
        return ops.any_([ops.includes(ops.fact(fact), packed) for packed in needed])

    # ---- templates ------------------------------------------------------------------

    def template(self, meaning: m.Template) -> Op:
        """Ground the template, then look for its instances by moving masks over each other."""
        return find(self.ops, meaning.items, self.place)

    def place(self, layer: Layer) -> Op:
        """Where groups stand that a template asks for, or may stand, as a mask."""
        if isinstance(layer, Allowed):
            mask = self.tile_class(layer.tiles)
            return self.starts_within(mask) if layer.sequence else mask
        (kind, status), depth = layer
        return self.layer(kind, status, depth)

    def layer(self, kind: str, status: str | None, depth: int) -> Op:
        """Lowest tiles at which at least `depth` groups of a kind and status stand."""
        ops = self.ops
        if kind == "sequence" and status is None:
            standing = [ops.fact(f"s{n}") for n in range(1, 5)]
            claimed = [ops.fact(f"c{n}") for n in range(1, 5)]
            found = [standing[depth - 1], claimed[depth - 1]]
            found += [ops.and_(standing[n - 1], claimed[depth - n - 1]) for n in range(1, depth)]
            return ops.or_(*found)
        sorts = self.sorts(kind, status, split_status=False)
        return ops.or_(*[s.layers[depth - 1] for s in sorts if len(s.layers) >= depth])


_STATUS_OF = {"runs": "claimed", "cn": "concealed"}
"""The status that the sequences of a count do not have."""


def _speaks_of_status(test: m.GroupTest) -> bool:
    match test:
        case m.HasStatus(status="concealed"):
            return True
        case m.AllOf(parts=parts) | m.AnyOf(parts=parts):
            return any(_speaks_of_status(part) for part in parts)
        case m.NotOf(part=part):
            return _speaks_of_status(part)
    return False
