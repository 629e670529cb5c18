"""Every arrangement that some sentences can tell apart, as columns of facts.

Groups that no sentence can tell apart are one *class*; an arrangement is a choice of so many
classes. Where a class stands for several groups, tiles are not counted against the wall: worlds
that cannot occur may be among those laid out, but none that can occur is missing.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ruleengine.hand import Hand, Meld
from ruleengine.hands.limits import weights_of
from ruleengine.language.lower import WAY_BITS
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ruleengine.arrange import Shape
    from ruleengine.hands.facts import Use

MOST_CHOICES = 8_000_000
"""Choices of the sets, or of the pairs, of a shape that are kept at once."""
ANY_WAY = 7
WON_FACTS = frozenset({"won", "won_s", "won_t", "won_p"})
LAYER_FACTS = frozenset({"n2", "n3", "n4"})
OF_GROUPS = frozenset({"shape", "p1", "p2", *WON_FACTS, *LAYER_FACTS})
"""Facts of an arrangement besides those that `facts` names anew."""


def is_of_groups(name: str) -> bool:
    """Whether a fact is laid out by a space."""
    return name in OF_GROUPS or name[:2] in ("T:", "S:", "N:", "R:", "W:") or name.startswith("#")


def of_shape(bit: int, shape: Shape, name: str) -> int | None:
    """The value that a fact has in every arrangement of a shape, where it always has the same."""
    if name == "shape":
        return bit
    if not shape.sets and (name[:2] in ("T:", "S:") or name[0] == "#" or name in _OF_SETS):
        return 0
    if name.startswith("S:") and int(name.rsplit(":", 1)[1]) > shape.sets:
        return 0
    if name == "R:p":
        return shape.pairs
    few = 2 if name == "p2" else 1
    return 0 if name in ("p1", "p2", "won_p") and shape.pairs < few else None


_OF_SETS = frozenset({"R:s", "R:c", "R:c+s", "N:m", "won_s", "won_t"})


@dataclass(frozen=True, slots=True)
class Form:
    """A group in a form: a sequence, triplet, kong or pair at a tile, of a status; `won` is the
    winning tile, where the group is the one that it completed."""

    kind: str
    tile: int
    status: str
    won: int | None = None

    @property
    def tiles(self) -> tuple[int, ...]:
        """All its tiles."""
        if self.kind == "sequence":
            return (self.tile, self.tile + 1, self.tile + 2)
        return (self.tile,) * {"pair": 2, "triplet": 3, "kong": 4}[self.kind]

    @property
    def melded(self) -> bool:
        """Whether it is laid open or set aside: claimed, or a kong."""
        return self.kind == "kong" or self.status in ("c", "ct")

    @property
    def ways(self) -> int:
        """The ways of winning that the form allows, as bits."""
        # A robbed tile is the only one of its kind in the hand: its owner has the other three.
        if self.status == "o":
            return WAY_BITS["discard"]
        if self.won is not None and self.kind == "triplet":
            return WAY_BITS["self_draw"]
        if self.won is not None and self.kind == "pair":
            return WAY_BITS["self_draw"] | WAY_BITS["discard"]
        return ANY_WAY


@dataclass(frozen=True)
class Class:
    """Forms that no sentence can tell apart, the plainest first."""

    members: tuple[Form, ...]

    @cached_property
    def needs(self) -> tuple[tuple[int, ...], ...]:
        """The tiles that one of the forms takes: each different choice, the fewest there can be."""
        tiles = dict.fromkeys(form.tiles for form in self.members)
        return tuple(each for each in tiles if each[:3] not in tiles or len(each) < 4)

    @property
    def one(self) -> Form:
        """The form that stands for all."""
        return self.members[0]


@dataclass(slots=True)
class _Table:
    """Classes with what each brings, as columns to take from."""

    classes: list[Class]
    columns: dict[str, NDArray[Any]]


class Space:
    """The arrangements of some shapes, as far as facts are read.

    `uses` are the facts with what matters of them (see `facts`), `wall` how many there are of each
    tile, `shapes` the shapes with their bits.
    """

    def __init__(
        self, uses: Mapping[str, Use], wall: Mapping[int, int], shapes: Sequence[tuple[int, Shape]]
    ) -> None:
        self.uses = {name: use for name, use in uses.items() if is_of_groups(name)}
        self.wall = {tile: n for tile, n in wall.items() if tile < FIRST_FLOWER and n > 0}
        self.tells_won = bool(self.uses.keys() & WON_FACTS)
        self.tells_layers = bool(self.uses.keys() & LAYER_FACTS)
        self.tells_open = any(_tells_open(name) for name in self.uses)
        self.families = sorted({n.rsplit(":", 1)[0] for n in self.uses if n.startswith("S:")})
        self._family_use = {family: self._of_family(family) for family in self.families}
        self.blocks: list[Block] = []
        for bit, shape in shapes:
            self._add_shape(bit, shape)

    @cached_property
    def size(self) -> int:
        """How many rows there are."""
        return sum(block.size for block in self.blocks)

    @property
    def whole(self) -> bool:
        """Whether the rows of every block can be gone through."""
        return all(block.listed for block in self.blocks)

    # ---- what a form brings ---------------------------------------------------------

    def _of_family(self, family: str) -> Use:
        from ruleengine.hands.facts import Use

        uses = [use for name, use in self.uses.items() if name.startswith(f"{family}:")]
        if len(uses) == 1 and f"{family}:1" in self.uses:
            return uses[0]
        bits = 0
        for use in uses:
            bits |= use.bits
        return Use(bits)

    def brings(self, form: Form) -> dict[str, int]:
        """What sentences see of a form."""
        bit = 1 << form.tile
        status = _STATUS[form.kind, form.status]
        found: dict[str, int] = {}
        tiles = 0
        for tile in form.tiles:
            tiles |= 1 << tile
        for name, use in self.uses.items():
            value = 0
            if name.startswith("T:"):
                value = use.seen(bit) if status in name[2:].split("+") else 0
            elif name.startswith("#"):
                held, mask = name[3:].rsplit("&", 1)
                value = int(status in held.split("+") and bool(bit & int(mask)))
            elif name.startswith("N:"):
                place = "m" if form.melded else "s"
                value = use.seen(tiles) if place in name[2:].split("+") else 0
            elif name.startswith("R:"):
                value = int(status in name[2:].split("+"))
            elif name.startswith("W:"):
                weights = weights_of(name)
                value = sum(weights[tile] for tile in form.tiles)
            elif name == "won":
                value = use.seen(1 << form.won) if form.won is not None else 0
            elif name in ("won_s", "won_t", "won_p"):
                kind = {"s": "sequence", "t": "triplet", "p": "pair"}[name[-1]]
                value = use.seen(bit) if form.won is not None and form.kind == kind else 0
            else:
                continue
            found[name] = value
        for family in self.families:
            inside = form.kind == "sequence" and status in family[2:].split("+")
            found[family] = self._family_use[family].seen(bit) if inside else 0
        if form.kind == "pair" and self.uses.keys() & {"p1", "p2"}:
            found["pair"] = self._pair_use.seen(bit)
        if self.tells_layers:
            bits = 0
            for name in LAYER_FACTS & self.uses.keys():
                bits |= self.uses[name].bits
            for nth in range(4):
                found[f"tile{nth}"] = bits & (
                    (tiles if form.kind == "sequence" else bit)
                    if nth < (1 if form.kind == "sequence" else len(form.tiles))
                    else 0
                )
        found["ways"] = form.ways if self.tells_open or self.tells_won else ANY_WAY
        return found

    @cached_property
    def _pair_use(self) -> Use:
        from ruleengine.hands.facts import Use

        if "p2" not in self.uses:
            return self.uses["p1"]
        return Use(self.uses["p2"].bits | (self.uses["p1"].bits if "p1" in self.uses else 0))

    def classes(self, forms: Iterator[Form]) -> _Table:
        """Forms in classes, with what each class brings."""
        found: dict[tuple[tuple[str, int], ...], list[Form]] = {}
        for form in forms:
            found.setdefault(tuple(self.brings(form).items()), []).append(form)
        classes = [Class(tuple(sorted(held, key=_plainness))) for held in found.values()]
        columns = {
            name: np.array([dict(key)[name] for key in found], dtype=np.uint64)
            for name in (dict(next(iter(found))) if found else ())
        }
        if found:
            # Tiles are counted where a class is one form; others take none.
            for suit in range(4):
                columns[f"held{suit}"] = np.array(
                    [_held(c.one, suit) if len(c.members) == 1 else 0 for c in classes],
                    dtype=np.uint64,
                )
            columns["completed"] = np.array(
                [all(form.status == "o" for form in c.members) for c in classes], dtype=np.uint64
            )
        return _Table(classes, columns)

    # ---- forms ----------------------------------------------------------------------

    def _sets(self, *, won: bool) -> Iterator[Form]:
        """The forms that a set can have; with `won` those of the one that the winning tile
        completed."""
        for tile in sorted(self.wall):
            run = (tile, tile + 1, tile + 2)
            if tile < FIRST_HONOR and tile % 9 <= 6 and all(each in self.wall for each in run):
                if won:
                    yield from (Form("sequence", tile, "s", each) for each in run)
                else:
                    yield Form("sequence", tile, "s")
                    yield Form("sequence", tile, "c")
            if self.wall[tile] >= 3:
                if won:
                    yield Form("triplet", tile, "t", tile)
                    yield Form("triplet", tile, "o", tile)
                else:
                    yield Form("triplet", tile, "t")
                    yield Form("triplet", tile, "ct")
                    if self.tells_open and not self.tells_won:
                        yield Form("triplet", tile, "o")
            if self.wall[tile] >= 4 and not won:
                yield Form("kong", tile, "kk")
                yield Form("kong", tile, "kc")

    def _pairs(self, *, won: bool) -> Iterator[Form]:
        for tile in sorted(self.wall):
            if self.wall[tile] >= 2:
                yield Form("pair", tile, "p", tile if won else None)

    def _add_shape(self, bit: int, shape: Shape) -> None:
        sets = self.classes(self._sets(won=False)) if shape.sets else None
        pairs = self.classes(self._pairs(won=False)) if shape.pairs else None
        seen: set[tuple[bool, tuple[tuple[str, int], ...]]] = set()
        for listed in shape.listed or ((),):
            if any(self.wall.get(tile, 0) < copies for tile, copies in listed):
                continue
            loose = tuple(tile for tile, copies in listed for _ in range(copies))
            for won_tile in dict.fromkeys(loose) if self.tells_won else (None,):
                base = self._base(bit, loose, won_tile)
                key = (True, tuple(sorted(base.items())))
                if key in seen or (self.tells_won and won_tile is None):
                    continue
                seen.add(key)
                self._add(base, loose, won_tile, None, (sets, shape.sets), (pairs, shape.pairs))
            if not self.tells_won:
                continue
            base = self._base(bit, loose, None)
            key = (False, tuple(sorted(base.items())))
            if key in seen:
                continue
            seen.add(key)
            if shape.sets:
                one = self.classes(self._sets(won=True))
                rest = (sets, shape.sets - 1)
                self._add(base, loose, None, one, rest, (pairs, shape.pairs))
            if shape.pairs:
                one = self.classes(self._pairs(won=True))
                self._add(base, loose, None, one, (sets, shape.sets), (pairs, shape.pairs - 1))

    def _base(self, bit: int, loose: tuple[int, ...], won: int | None) -> dict[str, int]:
        """What sentences see of a shape and its listed tiles."""
        found: dict[str, int] = {}
        if "shape" in self.uses:
            found["shape"] = bit
        tiles = 0
        for tile in loose:
            tiles |= 1 << tile
        for name, use in self.uses.items():
            if name.startswith("N:") and "s" in name[2:].split("+"):
                found[name] = use.seen(tiles)
            elif name.startswith("W:"):
                weights = weights_of(name)
                found[name] = sum(weights[tile] for tile in loose)
        if "won" in self.uses and won is not None:
            found["won"] = self.uses["won"].seen(1 << won)
        if self.tells_layers:
            counts = Counter(loose)
            for nth in range(4):
                found[f"tile{nth}"] = sum(1 << t for t, n in counts.items() if n > nth)
        return found

    def _add(
        self,
        base: dict[str, int],
        loose: tuple[int, ...],
        won_tile: int | None,
        won: _Table | None,
        sets: tuple[_Table | None, int],
        pairs: tuple[_Table | None, int],
    ) -> None:
        slots: list[tuple[_Table, int]] = [] if won is None else [(won, 1)]
        for table, number in (sets, pairs):
            if number:
                assert table is not None
                slots.append((table, number))
        if all(table.classes for table, _ in slots):
            self.blocks.append(Block(self, base, loose, won_tile, slots))


def _tells_open(name: str) -> bool:
    """Whether a fact holds concealed triplets apart from those that another's tile completed."""
    if not name.startswith(("T:", "#T:")):
        return False
    held = name.lstrip("#")[2:].split("&")[0].split("+")
    return ("t" in held) != ("o" in held)


def _plainness(form: Form) -> tuple[object, ...]:
    order = ("s", "t", "p", "o", "c", "ct", "kk", "kc")
    return order.index(form.status), form.tile, -1 if form.won is None else form.won


_STATUS = {
    ("sequence", "s"): "s", ("sequence", "c"): "c", ("triplet", "t"): "t", ("triplet", "o"): "o",
    ("triplet", "ct"): "ct", ("kong", "kk"): "kk", ("kong", "kc"): "kc", ("pair", "p"): "p",
}  # fmt: skip


def _held(form: Form, suit: int) -> int:
    """How many tiles of a suit a form takes, four bits a tile."""
    return sum(1 << (4 * (t - 9 * suit)) for t in form.tiles if min(t // 9, 3) == suit)


@dataclass(frozen=True, slots=True)
class Rows:
    """Some rows of a block: their facts, the ways of winning that each allows, whether it can be
    (as far as tiles are counted), and their places in the block or the classes chosen."""

    block: Block
    facts: dict[str, Any]
    ways: NDArray[np.uint64] | int
    can: NDArray[np.bool_]
    chosen: list[NDArray[np.int64]]

    def __len__(self) -> int:
        return len(self.can)


class Block:
    """The rows of one shape with one list of its listed tiles and one kind of winning group."""

    def __init__(
        self,
        space: Space,
        base: dict[str, int],
        loose: tuple[int, ...],
        won_tile: int | None,
        slots: list[tuple[_Table, int]],
    ) -> None:
        self.space = space
        self.base = base
        self.loose = loose
        self.won_tile = won_tile
        self.slots = slots
        self._known: dict[tuple[tuple[int, ...], bool], bool] = {}
        self.counts = [math.comb(len(t.classes) + n - 1, n) for t, n in slots]

    @property
    def size(self) -> int:
        """How many rows it has."""
        return math.prod(self.counts)

    @property
    def listed(self) -> bool:
        """Whether the rows can be gone through."""
        return all(count <= MOST_CHOICES for count in self.counts)

    def rows(self, start: int, stop: int) -> Rows:
        """The rows from one place to before another."""
        rest = np.arange(start, stop, dtype=np.int64)
        chosen: list[NDArray[np.int64]] = []
        for (table, number), count in reversed(list(zip(self.slots, self.counts, strict=True))):
            rest, at = np.divmod(rest, count)
            choices = _choices(len(table.classes), number)
            chosen[:0] = [column.take(at).astype(np.int64) for column in choices]
        return self._laid_out(chosen, stop - start)

    def sample(self, number: int, rng: np.random.Generator) -> Rows:
        """Rows by chance: each group a class by chance."""
        chosen: list[NDArray[np.int64]] = []
        for table, groups in self.slots:
            drawn = rng.integers(0, len(table.classes), (groups, number), dtype=np.int64)
            chosen += list(np.sort(drawn, axis=0))
        return self._laid_out(chosen, number)

    def _laid_out(self, chosen: list[NDArray[np.int64]], size: int) -> Rows:
        space = self.space
        facts: dict[str, Any] = {}
        for name in space.uses:
            if (
                name[:2] in ("T:", "N:", "R:", "W:")
                or name[0] == "#"
                or name in ("shape", *WON_FACTS)
            ):
                facts[name] = np.uint64(self.base.get(name, 0))
        layers = {family: [np.zeros(size, np.uint64)] * 4 for family in space.families}
        pairs = [np.zeros(size, np.uint64)] * 2
        tiles = [np.full(size, self.base.get(f"tile{n}", 0), np.uint64) for n in range(4)]
        held = [np.full(size, _loose_held(self.loose, suit), np.uint64) for suit in range(4)]
        counted = [bool(_loose_held(self.loose, suit)) for suit in range(4)]
        ways: Any = ANY_WAY
        completed: Any = 0
        column_at = iter(chosen)
        for table, number in self.slots:
            plain = not table.columns["completed"].any()
            for _ in range(number):
                at = next(column_at)
                columns = table.columns
                for name in facts:
                    if name not in columns:
                        continue
                    if not columns[name].any():
                        continue
                    brought = columns[name].take(at)
                    added = name.startswith(("R:", "W:", "#"))
                    facts[name] = facts[name] + brought if added else facts[name] | brought
                for family, four in layers.items():
                    if columns[family].any():
                        layers[family] = _stacked(four, columns[family].take(at))
                if "pair" in columns:
                    pairs = _stacked(pairs, columns["pair"].take(at))
                if space.tells_layers:
                    for nth in range(4):
                        if columns[f"tile{nth}"].any():
                            tiles = _stacked(tiles, columns[f"tile{nth}"].take(at))
                for suit in range(4):
                    if columns[f"held{suit}"].any():
                        held[suit] = held[suit] + columns[f"held{suit}"].take(at)
                        counted[suit] = True
                if (columns["ways"] != ANY_WAY).any():
                    ways = ways & columns["ways"].take(at)
                if not plain:
                    completed = completed + columns["completed"].take(at)
        can = np.ones(size, dtype=bool)
        for suit in range(4):
            if counted[suit]:
                can &= self._fits(held[suit], suit)
        if not isinstance(completed, int):
            can &= completed <= 1
        if not isinstance(ways, int):
            can &= ways != 0
        for name in space.uses:
            if name.startswith("S:"):
                family, depth = name.rsplit(":", 1)
                facts[name] = layers[family][int(depth) - 1]
            elif name in ("p1", "p2"):
                facts[name] = pairs[int(name[1]) - 1]
            elif name in LAYER_FACTS:
                facts[name] = tiles[int(name[1]) - 1]
            elif name.startswith(("R:", "W:", "#")):
                facts[name] = facts[name].astype(np.int32)
        return Rows(self, facts, ways, can, chosen)

    def _fits(self, held: NDArray[np.uint64], suit: int) -> NDArray[np.bool_]:
        """Whether no tile is taken more often than the wall has it."""
        # Five groups take at most 15 of a tile where none is taken more than three times.
        room = np.uint64(
            sum(
                (15 - self.space.wall.get(9 * suit + place, 0)) << (8 * (place // 2))
                for place in range(0, 9, 2)
            )
        )
        odd = np.uint64(
            sum(
                (15 - self.space.wall.get(9 * suit + place, 0)) << (8 * (place // 2))
                for place in range(1, 9, 2)
            )
        )
        low, high = held & _EVEN, held >> np.uint64(4) & _EVEN
        over = ((low + room) | (high + odd)) & _CARRY
        return np.asarray(over == 0, dtype=np.bool_)

    # ---- hands ----------------------------------------------------------------------

    def hands(self, chosen: Sequence[int], chance: random.Random | None = None) -> Iterator[Hand]:
        """Hands that have the facts of a row, each with one of the winning tiles that fit.

        Of the groups that stand for a class chance takes some; without it the lowest.
        """
        tables = [table for table, number in self.slots for _ in range(number)]
        classes = [table.classes[at] for table, at in zip(tables, chosen, strict=True)]
        forms = self._chosen_forms(classes, chance)
        if forms is None:
            return
        standing = list(self.loose)
        melds: list[Meld] = []
        marked: list[int] = [] if self.won_tile is None else [self.won_tile]
        completed: list[int] = []
        for form in forms:
            if form.melded:
                claimed = form.status in ("c", "ct", "kc")
                melds.append(Meld(form.kind, form.tile, claimed))  # type: ignore[arg-type]
            else:
                standing += form.tiles
            if form.won is not None:
                marked.append(form.won)
            elif form.status == "o":
                completed.append(form.tile)
        for tile in marked or completed or sorted(set(standing), reverse=True):
            rest = list(standing)
            if tile in rest:
                rest.remove(tile)
                yield Hand(tuple(sorted(rest)), tuple(melds), tile)

    def _chosen_forms(
        self, classes: Sequence[Class], chance: random.Random | None
    ) -> list[Form] | None:
        """One form of each class, so that the wall has the tiles."""
        left = dict(self.space.wall)
        for tile in self.loose:
            left[tile] -= 1
        order = sorted(range(len(classes)), key=lambda at: len(classes[at].members))
        members = [list(each.members) for each in classes]
        for some in members if chance is not None else ():
            assert chance is not None
            # As plain as they come, most of the time: melds are there where they are needed.
            some.sort(key=lambda form: (form.melded and chance.random() < MOSTLY, chance.random()))
        found: dict[int, Form] = {}
        tries = itertools.count()

        def place(nth: int) -> bool:
            if nth == len(order):
                return True
            for form in members[order[nth]]:
                if next(tries) > MOST_TRIES:
                    return False
                need = Counter(form.tiles)
                if all(left.get(tile, 0) >= n for tile, n in need.items()):
                    for tile, n in need.items():
                        left[tile] -= n
                    found[order[nth]] = form
                    if place(nth + 1):
                        return True
                    for tile, n in need.items():
                        left[tile] += n
            return False

        if not place(0):
            return None
        return [found[at] for at in range(len(classes))]

    def can_be(self, chosen: tuple[int, ...], *, robbed: bool = False) -> bool:
        """Whether the wall may have the tiles of a row, and if a kong was robbed, its owner the
        other three of the winning tile: false only where it surely has not."""
        key = (chosen, robbed)
        known = self._known.get(key)
        if known is None:
            tables = [table for table, number in self.slots for _ in range(number)]
            classes = [table.classes[at] for table, at in zip(tables, chosen, strict=True)]
            known = self._robbed(classes) if robbed else self._wall_has(classes)
            self._known[key] = known
        return known

    def _wall_has(self, classes: list[Class]) -> bool:
        return _fit([one.needs for one in classes], self.space.wall, self.loose)

    def _robbed(self, classes: list[Class]) -> bool:
        """Whether the tile that was won on may be the only one of its kind: it is one of the listed
        tiles of a shape, or of a standing sequence."""
        needs = [one.needs for one in classes]
        wall = self.space.wall
        told = self.won_tile is not None or any(one.one.won is not None for one in classes)
        for tile in dict.fromkeys(self.loose):
            alone = self.won_tile == tile if told else True
            if alone and _fit(needs, {**wall, tile: 1}, self.loose):
                return True
        for at, one in enumerate(classes):
            for form in one.members:
                if form.kind != "sequence" or form.status != "s":
                    continue
                won = form.tiles if not told else () if form.won is None else (form.won,)
                some = [*needs[:at], (form.tiles,), *needs[at + 1 :]]
                if any(_fit(some, {**wall, tile: 1}, self.loose) for tile in won):
                    return True
        return False


def _fit(
    needs: list[tuple[tuple[int, ...], ...]], wall: Mapping[int, int], loose: tuple[int, ...]
) -> bool:
    """Whether the wall has the tiles of one choice of each; true too where that takes too long."""
    needs = sorted(needs, key=len)
    left = dict(wall)
    for tile in loose:
        left[tile] -= 1
        if left[tile] < 0:
            return False
    tries = itertools.count()

    def place(nth: int, first: int) -> bool:
        if nth == len(needs):
            return True
        for at in range(first, len(needs[nth])):
            if next(tries) > MOST_TRIES:
                return True
            tiles = needs[nth][at]
            for tile in tiles:
                left[tile] -= 1
            # Two of the same class are chosen in one order only.
            same = nth + 1 < len(needs) and needs[nth + 1] is needs[nth]
            fits = all(left[tile] >= 0 for tile in tiles) and place(nth + 1, at if same else 0)
            for tile in tiles:
                left[tile] += 1
            if fits:
                return True
        return False

    return place(0, 0)


MOST_TRIES = 2_000
MOSTLY = 0.8
_EVEN = np.uint64(sum(15 << (8 * at) for at in range(8)))
_CARRY = np.uint64(sum(0xF0 << (8 * at) for at in range(8)))


def _loose_held(loose: tuple[int, ...], suit: int) -> int:
    return sum(1 << (4 * (tile - 9 * suit)) for tile in loose if min(tile // 9, 3) == suit)


def _stacked(
    layers: list[NDArray[np.uint64]], bits: NDArray[np.uint64]
) -> list[NDArray[np.uint64]]:
    """Layers with some bits once more."""
    found = [layers[0] | bits]
    found += [layer | (below & bits) for below, layer in itertools.pairwise(layers)]
    return found


_CHOICES: dict[tuple[int, int], tuple[NDArray[np.uint16], ...]] = {}
_MOST_KEPT = 16_000_000
"""Numbers in the choices that are kept for the next time."""


def _choices(number: int, groups: int) -> tuple[NDArray[np.uint16], ...]:
    """Every choice of so many of some things, each as often as one likes: a column a choice."""
    known = _CHOICES.get((number, groups))
    if known is not None:
        return known
    columns: list[NDArray[np.uint16]] = []
    last = np.zeros(1, dtype=np.int64)
    for _ in range(groups):
        often = number - last
        columns = [column.repeat(often) for column in columns]
        starts = np.cumsum(often) - often
        last = (
            np.arange(int(often.sum()), dtype=np.int64) - starts.repeat(often) + last.repeat(often)
        )
        columns.append(last.astype(np.uint16))
    found = tuple(columns)
    while _CHOICES and _kept() + groups * len(last) > _MOST_KEPT:
        _CHOICES.pop(next(iter(_CHOICES)))
    _CHOICES[number, groups] = found
    return found


def _kept() -> int:
    return sum(column.size for columns in _CHOICES.values() for column in columns)
