"""Reads a checked sentence to a player, in words of any language.

What is said follows the meaning to the letter: negations are pushed to where they can be said,
parts of unlike joins are put in brackets. Tiles that have no name as a class stand between two
marks, so that a face can draw them; `plain` takes the marks out, `pieces` tells text and tiles
apart.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ruleengine.language import meaning as m
from ruleengine.language import tree
from ruleengine.language.phrases import NUMERALS, phrase
from ruleengine.language.template_words import describe_items
from ruleengine.tiles import CLASSES, FIRST_FLOWER, TILE_COUNT, format_tiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

TILES_START, TILES_END = "\ue000", "\ue001"
"""Stand around tiles in notation; they are private characters and cannot occur in names."""
_MARKED = re.compile(f"{TILES_START}([^{TILES_END}]*){TILES_END}")

_SHAPE_TILES = (1 << FIRST_FLOWER) - 1
_FLOWERS = ((1 << TILE_COUNT) - 1) & ~_SHAPE_TILES
_FLIPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_OTHER_QUANTIFIER = {"some": "no", "no": "some"}
_BINDS = {"+": 1, "-": 1, "*": 2}
_LISTS = {"hand": "list_hand", "hand before win": "list_before", "tiles": "list_tiles"}


@dataclass(frozen=True, slots=True)
class Called:
    """What a ruleset calls its things, by id; what is missing is called by its id."""

    options: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, int | bool] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    shapes: Mapping[str, str] = field(default_factory=dict)
    patterns: Mapping[str, str] = field(default_factory=dict)


def plain(words: str) -> str:
    """Words as plain text, tiles in notation."""
    return words.replace(TILES_START, "").replace(TILES_END, "")


def pieces(words: str) -> list[tuple[bool, str]]:
    """Words in parts: (False, text) and (True, tiles in notation)."""
    found: list[tuple[bool, str]] = []
    for place, part in enumerate(_MARKED.split(words)):
        if part:
            found.append((place % 2 == 1, part))
    return found


class Speaker:
    """Reads sentences in one language. Raises `ValueError` for a language it does not have."""

    def __init__(self, language: str, called: Called | None = None) -> None:
        self.language = language
        self.called = called or Called()

    def say(self, key: str, *places: object, **named: object) -> str:
        """A phrase with its places filled."""
        return phrase(key, self.language).format(*places, **named)

    # ---- three ways to read -------------------------------------------------------------------

    def sentence(self, meaning: m.Meaning) -> str:
        """A truth as a clause, a number as a noun."""
        return self.truth(meaning) if m.type_of(meaning) == "truth" else self.number(meaning)

    def times(self, meaning: m.Meaning) -> str:
        """How often a pattern counts."""
        match meaning:
            case m.CountGroups(status=status, kind=kind, tiles=tiles):
                noun, measure = self.group_noun(status, kind, tiles, many=False), "measure_group"
            case m.CountTiles(of=of, tiles=tiles):
                noun, measure = self._counted_tiles(of, tiles, many=False)
            case m.Fact(name="dora"):
                noun, measure = self.say("dora_one"), "measure_tile"
            case m.Reference(target=target):
                return self.times(target)
            case _:
                return self.say("as_often_as", self.number(meaning))
        return self.say("once_for_each", noun=noun, measure=self.say(measure))

    # ---- truths -------------------------------------------------------------------------------

    def truth(self, meaning: m.Meaning, yes: bool = True) -> str:
        """A clause; with `yes` false the clause that says the contrary."""
        match meaning:
            case m.All(parts=parts) | m.Any(parts=parts):
                how = "and" if isinstance(meaning, m.All) == yes else "or"
                return self._joined(parts, how, yes)
            case m.Not(part=part):
                return self.truth(part, not yes)
            case m.Reference(kind="term", target=target):
                return self.truth(target, yes)
            case m.Reference(name=name):
                return self._either("pattern", yes, self._name(self.called.patterns, name))
            case m.Constant(value=value):
                return self.say("true" if bool(value) == yes else "false")
            case m.Option(name=name):
                named = self._name(self.called.options, name)
                return self.say("option_on" if yes else "option_off", name=named)
            case m.Event(name=name):
                return self._either("event", yes, self._name(self.called.events, name))
            case m.Fact(name=name):
                return self._either(f"fact_{name}", yes)
            case m.If(test=test, first=first, second=second):
                return self.say(
                    "if_clause",
                    test=self._inner(test),
                    first=self._inner(first, yes),
                    second=self._inner(second, yes),
                )
            case m.Compare(left=left, sign=sign, right=right):
                return self._compared(left, sign if yes else _OPPOSITE[sign], right)
        return self._about_hand(meaning, yes)

    def _about_hand(self, meaning: m.Meaning, yes: bool) -> str:
        match meaning:
            case m.Groups():
                return self._groups(meaning, yes)
            case m.Tiles(quantifier=quantifier, of=of, tiles=tiles):
                return self._tiles(quantifier, of, tiles, yes)
            case m.Seats(quantifier=quantifier, roles=roles, negated=negated):
                return self._seats(quantifier, roles, negated, yes)
            case m.RoleIs(subject=subject, roles=roles):
                return self._role(self.say(f"subject_{subject}"), roles, yes)
            case m.ShapeIs(shapes=shapes):
                names = [self._name(self.called.shapes, shape) for shape in shapes]
                return self._either("shape", yes, self.listed(names, "or"))
            case m.WinBy(ways=ways):
                names = [self.say(f"way_{way}") for way in ways]
                return self._either("win", yes, self.listed(names, "or"))
            case m.PairIs(tiles=tiles, negated=negated):
                words = self.say(
                    "pair_is_not" if negated else "pair_is", self.tiles(tiles, many=True)
                )
                return words if yes else self.say("not", words)
            case m.WinningTileIs(tiles=tiles):
                return self._either("winning_tile_is", yes, self.tiles(tiles))
            case m.WinningGroupIs(test=test):
                words = self.say("winning_group_is", self._test(test))
                return words if yes else self.say("not", words)
            case m.WaitIs(waits=waits):
                names = [self.say(f"wait_{wait}") for wait in waits]
                return self._either("wait_is", yes, self.listed(names, "or"))
            case m.SeatIs(subject=subject, letters=letters):
                winds = [self.say(f"wind_{letter}") for letter in letters]
                return self._either(f"{subject}_is", yes, self.listed(winds, "or"))
            case m.Template(items=items):
                return self._either("has", yes, describe_items(self, items))
            case m.HandTiles():
                words = self._list(meaning)
                return words if yes else self.say("not", words)
        raise AssertionError(meaning)

    def _either(self, key: str, yes: bool, *places: object) -> str:
        return self.say(key if yes else f"{key}_not", *places)

    def _joined(self, parts: Sequence[m.Meaning], how: str, yes: bool) -> str:
        """Parts joined by `and` or `or`; a part that is joined in another way gets brackets."""
        words: list[str] = []
        for part in parts:
            said = self.truth(part, yes)
            inner = _joins(part, yes)
            words.append(said if inner in (None, how) else self.say("bracketed", said))
        return self.say(how).join(words)

    def _inner(self, meaning: m.Meaning, yes: bool = True) -> str:
        """A sentence inside another, in brackets where it has parts of its own."""
        if m.type_of(meaning) == "number":
            return self.number(meaning)
        said = self.truth(meaning, yes)
        return said if _joins(meaning, yes) is None else self.say("bracketed", said)

    def _compared(self, left: m.Meaning, sign: str, right: m.Meaning) -> str:
        if isinstance(left, m.Constant) and not isinstance(right, m.Constant):
            left, sign, right = right, _FLIPPED[sign], left
        if isinstance(right, m.Constant):
            counted = self._count_clause(left, sign, int(right.value))
            if counted is not None:
                return counted
        return self.say(f"number_{sign}", a=self._operand(left, 1), b=self._operand(right, 1))

    def _count_clause(self, counted: m.Meaning, sign: str, n: int) -> str | None:
        """`count ... = 2` as a clause about the hand; None where it is not a count."""
        if (sign, n) in ((">", 0), ("!=", 0)):
            sign, n = ">=", 1
        if (sign, n) in (("<=", 0), ("<", 1)):
            sign, n = "=", 0
        match counted:
            case m.CountGroups(status=status, kind=kind, tiles=tiles):
                noun = self.group_noun(status, kind, tiles, many=n != 1)
                measure = "measure_group"
            case m.CountTiles(of=of, tiles=tiles):
                noun, measure = self._counted_tiles(of, tiles, many=n != 1)
            case m.CountSuits():
                noun, measure = self.say("suit_one" if n == 1 else "suit_many"), "measure_kind"
            case m.CountWaits():
                noun, measure = self.say("wait_one" if n == 1 else "wait_many"), "measure_kind"
            case _:
                return None
        if (sign, n) == ("=", 0):
            return self.say("count_none", noun=noun)
        return self.say(
            f"count_{sign}", n=self.numeral(n) if n else "0", noun=noun, measure=self.say(measure)
        )

    # ---- numbers ------------------------------------------------------------------------------

    def numeral(self, n: int) -> str:
        """A small number in words, any other in figures."""
        words = NUMERALS[self.language]
        return words[n] if 0 <= n < len(words) else str(n)

    def number(self, meaning: m.Meaning) -> str:
        """A number as a noun."""
        match meaning:
            case m.Constant(value=value):
                return str(int(value)).replace("-", "−")
            case m.Option(name=name):
                named = self._name(self.called.options, name)
                if name not in self.called.values:
                    return named
                return self.say("option", name=named, value=self.called.values[name])
            case m.Fact(name=name) if name in ("points", "dora"):
                return self.say(f"fact_{name}")
            case m.Fact(name=name):
                return self.say("unit", self.say("quoted", _clean(name)))
            case m.Reference(target=target):
                return self.number(target)
            case m.If(test=test, first=first, second=second):
                return self.say(
                    "if",
                    test=self._inner(test),
                    first=self._operand(first, 1),
                    second=self._operand(second, 0),
                )
            case m.Calculate(left=left, sign=sign, right=right):
                level = _BINDS[sign]
                a, b = self._operand(left, level), self._operand(right, level + (sign != "+"))
                return self.say(sign, a=a, b=b)
            case m.Apply(function=function, arguments=arguments):
                return self._applied(function, arguments)
            case m.SumRanks(tiles=tiles):
                what = self.say("all_tiles") if tiles is None else self.tiles(tiles, many=True)
                return self.say("sum_ranks", tiles=what)
        return self._count_number(meaning)

    def _count_number(self, meaning: m.Meaning) -> str:
        match meaning:
            case m.CountGroups(status=status, kind=kind, tiles=tiles):
                noun, measure = self.group_noun(status, kind, tiles, many=True), "measure_group"
            case m.CountTiles(of=of, tiles=tiles):
                noun, measure = self._counted_tiles(of, tiles, many=True)
            case m.CountSuits():
                noun, measure = self.say("suit_many"), "measure_kind"
            case m.CountWaits():
                noun, measure = self.say("wait_many"), "measure_kind"
            case _:
                raise AssertionError(meaning)
        return self.say("number_of", noun=noun, measure=self.say(measure))

    def _applied(self, function: str, arguments: Sequence[m.Meaning]) -> str:
        words = [self._operand(argument, 1) for argument in arguments]
        if function in ("round_up", "round_down"):
            return self.say(function, a=words[0], b=words[1])
        key = function if len(words) <= 2 else f"{function}_several"
        return self.say(key, self.listed(words, "and"))

    def _operand(self, meaning: m.Meaning, level: int) -> str:
        """A number inside a calculation, in brackets where it would fall apart."""
        words = self.number(meaning)
        inner = meaning
        while isinstance(inner, m.Reference):
            inner = inner.target
        loose = isinstance(inner, m.If) and level > 0
        if isinstance(inner, m.Calculate):
            loose = _BINDS[inner.sign] < level
        elif isinstance(inner, m.Apply):
            loose = level > 0 and len(inner.arguments) > 2
        return self.say("bracketed", words) if loose else words

    # ---- groups -------------------------------------------------------------------------------

    def group_noun(
        self, status: tree.Status | None, kind: str, tiles: m.TileClass | None, *, many: bool
    ) -> str:
        """A kind of group as a noun: `concealed triplets of dragons`."""
        noun = self.say(f"{kind}_many" if many else f"{kind}_one")
        if status is not None:
            noun = self.say(f"{status}_{kind}", noun)
        if tiles is None:
            return noun
        return self.say("of_tiles", noun=noun, tiles=self.tiles(tiles, many=True))

    def _groups(self, meaning: m.Groups, yes: bool) -> str:
        quantifier: str = meaning.quantifier
        test = meaning.test
        if not yes and quantifier == "all":
            quantifier, test = "some", m.NotOf(test)
        elif not yes:
            quantifier = _OTHER_QUANTIFIER[quantifier]
        noun = self.group_noun(meaning.status, meaning.kind, None, many=False)
        return self.say(f"{quantifier}_group", noun=noun, test=self._test(test))

    def _test(self, test: m.GroupTest, yes: bool = True) -> str:
        """What is said of a group, as a predicate."""
        match test:
            case m.Within(tiles=tiles):
                return self._either("within", yes, self.tiles(tiles, many=True))
            case m.Touches(tiles=tiles):
                return self._either("touches", yes, self.tiles(tiles))
            case m.HasStatus(status=status):
                return self._either(f"is_{status}", yes)
            case m.OfKind(kind=kind):
                return self._either("is_kind", yes, self.say(f"{kind}_one"))
            case m.NotOf(part=part):
                return self._test(part, not yes)
            case m.AllOf(parts=parts) | m.AnyOf(parts=parts):
                together = isinstance(test, m.AllOf) == yes
                words: list[str] = []
                for part in parts:
                    said = self._test(part, yes)
                    inner = _test_joins(part, yes)
                    words.append(said if inner in (None, together) else self.say("bracketed", said))
                return self.say("test_and" if together else "test_or").join(words)

    # ---- tiles --------------------------------------------------------------------------------

    def _tiles(self, quantifier: str, of: str, tiles: m.TileClass, yes: bool) -> str:
        if not yes and quantifier != "all":
            quantifier, yes = _OTHER_QUANTIFIER[quantifier], True
        if not yes:
            quantifier, tiles = "some", _complement(tiles)
        turned = _complement(tiles)
        if quantifier != "some" and self._is_simpler(turned, tiles, of):
            quantifier, tiles = ("no" if quantifier == "all" else "all"), turned
        return self.say(f"{quantifier}_{of}", one=self.tiles(tiles, of=of))

    def _is_simpler(self, one: m.TileClass, other: m.TileClass, of: str) -> bool:
        if isinstance(other, m.TileOther):
            return True
        if not isinstance(one, m.TileMask) or not isinstance(other, m.TileMask):
            return False
        known = _universe(of)
        return _named_parts(other.mask & known, known) is None and (
            _named_parts(one.mask & known, known) is not None
            or (one.mask & known).bit_count() < (other.mask & known).bit_count()
        )

    def _counted_tiles(self, of: str, tiles: m.TileClass | None, *, many: bool) -> tuple[str, str]:
        """What is counted, and the key of its measure word."""
        ending = "many" if many else "one"
        if of in ("kind", "quad"):
            among = self.say("tile_many") if tiles is None else self.tiles(tiles, many=True)
            return self.say(f"{of}_{ending}", tiles=among), "measure_kind"
        if of == "flower":
            words = self.tiles(m.TileMask(_FLOWERS) if tiles is None else tiles, many=True, of=of)
            if not many and tiles is None:
                words = _without_article(self.say("flower_one"))
            elif not many:
                words = self.say("tile_among_one", tiles=words)
            return words, "measure_tile"
        if many:
            words = self.say("tile_many") if tiles is None else self.tiles(tiles, many=True)
        elif tiles is None:
            words = self.say("plain_tile_one")
        else:
            words = self.say("tile_among_one", tiles=self.tiles(tiles, many=True))
        return words, "measure_tile"

    def tiles(self, tiles: m.TileClass, *, many: bool = False, of: str = "tile") -> str:
        """A class of tiles as a noun, in the plural with `many`."""
        ending = "many" if many else "one"
        match tiles:
            case m.TileMask(mask=mask):
                return self._mask(mask, ending, of)
            case m.TileFact(name=name):
                return self.say(f"{name}_{ending}")
            case m.TileUnion(parts=parts):
                return self.listed([self._part(part, many, of) for part in parts], "or")
            case m.TileCommon(parts=parts):
                words = [self._part(part, many, of) for part in parts]
                return self.say(f"both_{ending}", self.listed(words, "and"))
            case m.TileOther(part=part):
                return self.say(f"other_{ending}", self._part(part, many, of))

    def _part(self, tiles: m.TileClass, many: bool, of: str) -> str:
        words = self.tiles(tiles, many=many, of=of)
        composite = isinstance(tiles, m.TileUnion | m.TileCommon | m.TileOther)
        return self.say("bracketed", words) if composite else words

    def _mask(self, mask: int, ending: str, of: str) -> str:
        universe = _universe(of)
        mask &= universe
        if not mask:
            return self.say(f"nothing_{ending}")
        if mask == universe:
            return self.say(f"flower_{ending}" if of == "flower" else f"tile_{ending}")
        names = _named_parts(mask, universe)
        if names is not None:
            return self.listed([self.say(f"{name}_{ending}") for name in names], "or")
        rest = _named_parts(universe & ~mask, universe)
        if rest is not None:
            words = self.listed([self.say(f"{name}_{ending}") for name in rest], "or")
            return self.say(f"other_{ending}", words)
        both = _crossed(mask, universe)
        if both is not None:
            words = self.listed([self.say(f"{name}_{ending}") for name in both], "and")
            return self.say(f"both_{ending}", words)
        held = [tile for tile in range(TILE_COUNT) if mask >> tile & 1]
        shown = marked(held)
        return shown if len(held) == 1 or ending == "many" else self.say("one_of", shown)

    # ---- seats --------------------------------------------------------------------------------

    def _role(self, who: str, roles: Sequence[str], yes: bool) -> str:
        if not yes and len(roles) == 1:
            return self.say("seat_has", subject=who, role=self.say(f"role_{roles[0]}_not"))
        return self.say("seat_has" if yes else "seat_has_not", subject=who, role=self._roles(roles))

    def _roles(self, roles: Sequence[str]) -> str:
        return self.listed([self.say(f"role_{role}") for role in roles], "or")

    def _seats(self, quantifier: str, roles: Sequence[str], negated: bool, yes: bool) -> str:
        if not yes and quantifier == "all":
            quantifier, negated = "some", not negated
        elif not yes:
            quantifier = _OTHER_QUANTIFIER[quantifier]
        key = f"{quantifier}_seat"
        return self.say(f"{key}_not" if negated else key, self._roles(roles))

    # ---- lists of tiles -----------------------------------------------------------------------

    def _list(self, meaning: m.HandTiles) -> str:
        key = _LISTS[meaning.of] if meaning.exact else f"{_LISTS[meaning.of]}_includes"
        source = meaning.source
        if len(meaning.lists) == 1 or not isinstance(source, tree.HandTiles):
            shown = [
                marked(tile for tile, copies in listed for _ in range(copies))
                for listed in meaning.lists
            ]
            return self.say(key, self.listed(shown, "or"))
        letters = set(source.tiles) & set("xyw")
        if len(letters) == 1 and source.tiles[:-1].isdigit():
            return self.say(key, self.say("list_one_suit", source.tiles[:-1]))
        return self.say(key, self.say("list_suits", source.tiles))

    # ---- words --------------------------------------------------------------------------------

    def listed(self, words: Sequence[str], how: str) -> str:
        """Words in a row, with `and` or `or` before the last."""
        if len(words) == 1:
            return words[0]
        rest = self.say("list_comma").join(words[:-1])
        return rest + self.say(f"list_{how}") + words[-1]

    def _name(self, names: Mapping[str, str], id: str) -> str:
        return self.say("quoted", _clean(names.get(id) or id))


def marked(tiles: Iterable[int]) -> str:
    """Tiles in notation between the marks."""
    return f"{TILES_START}{format_tiles(tiles)}{TILES_END}"


def _clean(name: str) -> str:
    """A name without the marks, which only tiles may have."""
    return " ".join(plain(name).split())


def _without_article(words: str) -> str:
    return words.removeprefix("a ")


def _joins(meaning: m.Meaning, yes: bool) -> str | None:
    """How a sentence is put together when it is said: `and`, `or`, `if`; None where it is one."""
    while isinstance(meaning, m.Reference | m.Not):
        if isinstance(meaning, m.Not):
            meaning, yes = meaning.part, not yes
        elif meaning.kind == "pattern":
            return None
        else:
            meaning = meaning.target
    if isinstance(meaning, m.All | m.Any) and len(meaning.parts) > 1:
        return "and" if isinstance(meaning, m.All) == yes else "or"
    return "if" if isinstance(meaning, m.If) else None


def _test_joins(test: m.GroupTest, yes: bool) -> bool | None:
    while isinstance(test, m.NotOf):
        test, yes = test.part, not yes
    if isinstance(test, m.AllOf | m.AnyOf) and len(test.parts) > 1:
        return isinstance(test, m.AllOf) == yes
    return None


def _complement(tiles: m.TileClass) -> m.TileClass:
    if isinstance(tiles, m.TileMask):
        return m.TileMask(((1 << TILE_COUNT) - 1) & ~tiles.mask)
    return tiles.part if isinstance(tiles, m.TileOther) else m.TileOther(tiles)


def _universe(of: str) -> int:
    return _FLOWERS if of == "flower" else _SHAPE_TILES


def _named_parts(mask: int, universe: int) -> tuple[str, ...] | None:
    """One to three classes that make up exactly this mask and do not overlap."""
    inside = {
        name: known & universe
        for name, known in CLASSES.items()
        if known & universe and not known & universe & ~mask
    }
    for size in (1, 2, 3):
        for names in itertools.combinations(inside, size):
            masks = [inside[name] for name in names]
            if sum(masks) == mask and _apart(masks):
                return names
    return None


def _apart(masks: Sequence[int]) -> bool:
    return all(not one & other for one, other in itertools.combinations(masks, 2))


def _crossed(mask: int, universe: int) -> tuple[str, str] | None:
    """Two classes that have exactly this mask in common."""
    for one, other in itertools.combinations(CLASSES, 2):
        if CLASSES[one] & CLASSES[other] & universe == mask:
            return one, other
    return None
