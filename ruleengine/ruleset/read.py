"""Reads a ruleset file, with what it extends, into a checked `RulesetData`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from ruleengine.diagnostics import Label, RulesetError, suggest, there_are
from ruleengine.errors import quote
from ruleengine.frozen import FrozenDict, frozen
from ruleengine.kept import Kept
from ruleengine.language import meaning as m
from ruleengine.language.vocabulary import FACTS, SITUATION_CLASSES, SUBJECTS
from ruleengine.ruleset.chain import read_chain
from ruleengine.ruleset.examples import read_examples
from ruleengine.ruleset.fields import Fields
from ruleengine.ruleset.find import Folders, is_id
from ruleengine.ruleset.growth import check_growth
from ruleengine.ruleset.model import (
    ENDINGS,
    EVENT_KEYS,
    INTERPRETATION_KEYS,
    NO_TEXT,
    OPTION_KEYS,
    PATTERN_KEYS,
    STAKES_TO,
    STATUSES,
    WINNERS,
    Event,
    Interpretation,
    Liability,
    Option,
    Pattern,
    Payment,
    RulesetData,
    Sentence,
    Stakes,
    Term,
    Total,
    Wall,
)
from ruleengine.ruleset.names import ParsedNames
from ruleengine.ruleset.options import MAX_NUMBER, option_problem
from ruleengine.ruleset.seen import SeenLibrary
from ruleengine.ruleset.shapes import MAX_SHAPES, check_sizes, read_shape
from ruleengine.ruleset.units import USUAL_UNITS, LostUnit, lost_units, units_of_parents
from ruleengine.source import (
    MAX_BYTES,
    MappingNode,
    ScalarNode,
    SequenceNode,
    decode,
    read_bytes,
    read_yaml_on,
)
from ruleengine.syntax_store import SyntaxStore
from ruleengine.tiles import CLASSES, SEATS, parse_tile, tile_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ruleengine.arrange import Shape
    from ruleengine.diagnostics import Diagnostic, Span
    from ruleengine.language.vocabulary import Context
    from ruleengine.ruleset.chain import Chain
    from ruleengine.ruleset.find import Library
    from ruleengine.ruleset.model import Ending, StakesTo, Text, Winners
    from ruleengine.source import Node

_Word = TypeVar("_Word", bound=str)

MAX_NAMES = 1000
"""Patterns, terms or options of one ruleset."""
MAX_EVENTS = 64
MAX_LINES = 50
"""Lines of one settlement."""
MAX_CODE = 32
"""Characters of the code of a pattern."""

TOP_KEYS = (
    "format", "id", "name", "version", "source", "extends", "parent_digest", "remove", "tiles",
    "options", "events", "shapes", "terms", "units", "patterns", "total", "liability",
    "settlement", "interpretations",
)  # fmt: skip
SETTLEMENT_KEYS = (*ENDINGS, "winners", "stakes")
REQUIRED_KEYS = ("format", "id", "name", "version", "tiles", "shapes", "patterns", "settlement")
NAMED = {"options": "option", "events": "event", "terms": "term", "patterns": "pattern"}
"""The sections whose names sentences may use, all in one namespace."""


@frozen
class ReadRuleset:
    """A ruleset that was read, with the text of every file it came from, with what is doubtful
    in it but no error, and with the values that it was read from."""

    data: RulesetData
    sources: Mapping[str, str]
    warnings: tuple[Diagnostic, ...] = ()
    chain: Chain | None = None


_Texts = tuple[tuple[str, str], ...]
"""Files of a chain, as path and text, the one asked for first."""
_READ: Kept[tuple[str, str], tuple[SeenLibrary, ReadRuleset]] = Kept(MAX_BYTES)
"""Rulesets that were read, by path and text, with what they extend; they weigh what their texts
do."""
_OF_PARENTS: Kept[_Texts, tuple[RulesetData | None, list[Diagnostic]]] = Kept(MAX_BYTES)
"""What the files say that a ruleset extends, without it, and what is wrong with them."""


def read_ruleset_file(path: Path, extra: tuple[Path, ...] = ()) -> ReadRuleset:
    """Read a ruleset file. Raises `RulesetError` with every mistake found."""
    text = decode(read_bytes(str(path)), str(path))
    return read_ruleset_from(Folders((*extra, path.parent)), text, str(path))


def read_ruleset_text(
    text: str, path: str = "ruleset", extra: tuple[Path, ...] = ()
) -> ReadRuleset:
    """Read a ruleset from its text; `path` names it in messages.

    Raises `RulesetError` with every mistake found.
    """
    return read_ruleset_from(Folders(extra), text, path)


def read_ruleset_from(library: Library, text: str, path: str) -> ReadRuleset:
    """Read a ruleset from its text; what it extends comes from a library.

    Raises `RulesetError` with every mistake found.
    """
    known = _READ.get((path, text))
    if known is not None and known[0].is_as_in(library):
        return known[1]
    seen = SeenLibrary(library)
    root, found = read_yaml_on(text, path)
    read = _read(root, path, text, seen, found)
    _READ.keep((path, text), (seen, read), sum(map(len, read.sources.values())))
    return read


def read_ruleset_values(root: Node, path: str, text: str, library: Library) -> ReadRuleset:
    """Read a ruleset from its values, which stand in a text; what it extends comes from a library.

    Raises `RulesetError` with every mistake found.
    """
    return _read(root, path, text, library, [])


class PartlyRead(RulesetError):
    """A ruleset in error, with the values that it was read from and with its problems at the places
    where they are in those."""

    def __init__(
        self,
        diagnostics: Iterable[Diagnostic],
        sources: Mapping[str, str] | None = None,
        chain: Chain | None = None,
        problems: Iterable[Diagnostic] = (),
    ) -> None:
        super().__init__(diagnostics, sources)
        self.chain = chain
        self.problems = tuple(problems)


def _read(
    root: Node, path: str, text: str, library: Library, found: list[Diagnostic]
) -> ReadRuleset:
    fields = Fields(path, found)
    chain = read_chain(root, path, text, fields, library)
    data = None
    if chain.node is not None:
        store = SyntaxStore.open(chain.sources.values())
        reader = _Reader(fields, chain.node, chain, store)
        data = reader.ruleset()
        store.save()
        assert not reader.names.failed or fields.problems
    problems = chain.placed(fields.problems, lambda: read_parents(chain)[1])
    if data is None or any(problem.severity == "error" for problem in problems):
        raise PartlyRead(problems, chain.sources, chain, fields.problems)
    return ReadRuleset(data, chain.sources, tuple(problems), chain)


def read_parents(chain: Chain) -> tuple[RulesetData | None, list[Diagnostic]]:
    """What a ruleset extends, read without it, and the errors that it has; None and no errors where
    that is nothing."""
    parents = chain.of_parents()
    if parents is None or parents.node is None:
        return None, []
    texts = tuple(parents.sources.items())
    found = _OF_PARENTS.get(texts)
    if found is None:
        found = read_values(parents, parents.node, SyntaxStore.open(parents.sources.values()))
        _OF_PARENTS.keep(texts, found, sum(map(len, parents.sources.values())))
    return found


def read_changed(chain: Chain, node: MappingNode, store: SyntaxStore) -> RulesetData | None:
    """Read a ruleset whose merged values were changed to `node`; None where it is in error.

    For those who try what a change would do: `store` may serve any number of calls.
    """
    data, problems = read_values(chain, node, store)
    return None if problems else data


def read_values(
    chain: Chain, node: MappingNode, store: SyntaxStore
) -> tuple[RulesetData | None, list[Diagnostic]]:
    """What can be read of merged values, and the errors in them."""
    fields = Fields(next(iter(chain.sources)))
    reader = _Reader(fields, node, chain, store)
    data = reader.ruleset()
    assert not reader.names.failed or fields.problems
    return data, [problem for problem in fields.problems if problem.severity == "error"]


class _Reader:
    """Reads one merged ruleset."""

    def __init__(
        self, fields: Fields, node: MappingNode, chain: Chain, syntax: SyntaxStore
    ) -> None:
        self.fields = fields
        self.files = tuple(chain.sources)
        self.start = _start(node, fields.path)
        self.node = fields.keys(node, "a ruleset", TOP_KEYS, REQUIRED_KEYS, self.start)
        self.names = ParsedNames(fields, syntax, removed=chain.removed)
        self.strange = chain.strange
        self.kinds: dict[str, m.Type] = {}
        self.places: dict[str, tuple[str, Span]] = {}
        self.settling: MappingNode | None = None
        self.chain = chain
        self.has_lost = False
        self.ambiguous: set[str] = set()
        self.supersedes: list[tuple[str, ScalarNode]] = []

    def ruleset(self) -> RulesetData | None:
        fields, node = self.fields, self.node
        id_ = fields.text(node.get("id"), "'id'")
        if id_ is not None and not is_id(id_):
            message = "an id has small letters, digits, '.', '_' and '-' only, 64 at most"
            fields.report("E306", message, _span(node.get("id")))
        name = fields.words(node.get("name"), "'name'")
        version = fields.text(node.get("version"), "'version'")
        source = fields.words(node.get("source"), "'source'")
        fields.text(node.get("parent_digest"), "'parent_digest'")
        wall = self.wall()
        units = self.units()
        options = self.options()
        shapes = self.shapes(wall)
        patterns_given = self.collect_names()
        events = self.events()
        terms = self.terms()
        patterns = self.patterns(patterns_given, units)
        self.check_supersedes(patterns)
        total = self.total(units)
        settlement = self.settlement()
        winners = self.winners()
        stakes = self.stakes()
        liability = self.liability()
        interpretations = self.interpretations()
        if wall is None or not shapes or id_ is None:
            return None
        data = RulesetData(
            id=id_,
            name=name,
            version=version or "",
            source=source,
            wall=wall,
            options=FrozenDict(options),
            events=FrozenDict(events),
            shapes=FrozenDict({shape.id: shape for shape, _ in shapes}),
            shape_names=FrozenDict({shape.id: text for shape, text in shapes}),
            terms=FrozenDict(terms),
            units=units,
            patterns=FrozenDict(patterns),
            total=total,
            liability=liability,
            settlement=FrozenDict(settlement),
            interpretations=interpretations,
            files=self.files,
            winners=winners,
            stakes=stakes,
        )
        check_growth(data, self.names)
        return data

    def section(self, name: str, most: int = MAX_NAMES) -> Iterable[tuple[ScalarNode, Node]]:
        """The entries of a top-level mapping, of which there may be at most some."""
        node = self.fields.mapping(self.node.get(name), f"'{name}'")
        if node is not None and len(node.entries) > most:
            message = f"'{name}' has {len(node.entries):,} entries; {most:,} at most"
            self.fields.report("E308", message, node.entries[most][0].span)
            return node.entries[:most]
        return node.entries if node is not None else ()

    # ---- tiles ----------------------------------------------------------------------

    def wall(self) -> Wall | None:
        fields = self.fields
        node = fields.mapping(self.node.get("tiles"), "'tiles'")
        if node is None:
            return None
        before = len(fields.problems)
        node = fields.keys(node, "'tiles'", ("wall", "flowers", "dora"), ("wall",))
        copies: dict[int, int] = {}
        first: dict[int, Span] = {}
        walls = fields.mapping(node.get("wall"), "'wall'")
        if walls is not None and not walls.entries:
            fields.report("E306", "the wall has no tiles", walls.span)
        for key, value in walls.entries if walls else ():
            tiles = self.tiles(key, "'wall'")
            number = fields.number(value, "the number of each tile", 1, 4)
            self.named_twice(tiles, key.span, first, "the tile {} is in the wall twice")
            copies.update(dict.fromkeys(tiles, number or 4))
        known = copies if copies and len(fields.problems) == before else None
        flowers = self.flowers(node, known)
        dora = self.dora(node, known)
        return Wall(copies, flowers, dora) if known else None

    def flowers(self, node: MappingNode, wall: Mapping[int, int] | None) -> dict[str, int]:
        fields = self.fields
        found: dict[str, int] = {}
        owners = fields.mapping(node.get("flowers"), "'flowers'")
        if owners is None:
            return found
        for key, value in fields.keys(owners, "'flowers'", SEATS).entries:
            tiles = self.tiles(value, f"'{key.text}'", wall, "f")
            found[key.text] = sum(1 << tile for tile in tiles)
        return found

    def dora(self, node: MappingNode, wall: Mapping[int, int] | None) -> dict[int, int]:
        fields = self.fields
        found: dict[int, int] = {}
        first: dict[int, Span] = {}
        for item in fields.sequence(node.get("dora"), "'dora'"):
            tiles = self.tiles(item, "'dora'", wall)
            self.named_twice(tiles, item.span, first, "'dora' names the tile {} twice")
            found.update(zip(tiles, tiles[1:] + tiles[:1], strict=True))
        return found

    def named_twice(self, tiles: list[int], at: Span, first: dict[int, Span], message: str) -> None:
        """Report a tile that a list has twice, or that stands in `first`, with the place where it
        is named already; the tiles of the list are put there."""
        twice = next((tile for tile in tiles if tile in first or tiles.count(tile) > 1), None)
        if twice is not None:
            message = message.format(tile_name(twice))
            if twice in first:
                labels = Label(first[twice], "first named here"), Label(at, "named here, too")
                self.fields.report_clash("E307", message, *labels)
            else:
                self.fields.report("E307", message, at)
        for tile in tiles:
            first.setdefault(tile, at)

    def tiles(
        self,
        node: Node,
        what: str,
        wall: Mapping[int, int] | None = None,
        letters: str = "mpszf",
    ) -> list[int]:
        """Tiles written out, all of the wall; none where they are in error."""
        names = self.fields.tiles(node, what, letters) or []
        tiles = [parse_tile(name) for name in names]
        foreign = [tile_name(tile) for tile in tiles if wall is not None and tile not in wall]
        if foreign:
            message = f"the tile {foreign[0]} is not in the wall"
            self.fields.report("E317", message, node.span)
        return tiles

    # ---- options, shapes, names -----------------------------------------------------

    def options(self) -> dict[str, Option]:
        fields = self.fields
        found: dict[str, Option] = {}
        for key, value in self.section("options"):
            node = fields.mapping(value, f"option '{key.text}'")
            if node is None or not self.usable(key):
                continue
            option = self.option(key, node)
            if option is not None:
                found[key.text] = option
        return found

    def option(self, key: ScalarNode, node: MappingNode) -> Option | None:
        fields = self.fields
        before = len(fields.problems)
        what = f"option '{key.text}'"
        node = fields.keys(node, what, OPTION_KEYS, ("type", "default"), key.span)
        name = fields.words(node.get("name"), "'name'")
        doc = fields.words(node.get("doc"), "'doc'")
        kind = fields.text(node.get("type"), "'type'")
        if kind == "bool":
            self.kinds[key.text] = "truth"
            self.only_numbers_have_bounds(node, what)
            truth = fields.truth(node.get("default"), "'default'")
            if truth is None or len(fields.problems) > before:
                return None
            return Option(key.text, "bool", truth, name=name, doc=doc)
        if kind != "int":
            if kind is not None:
                message = "the type of an option is int or bool"
                fields.report("E306", message, _span(node.get("type")))
            return None
        self.kinds[key.text] = "number"
        number = fields.number(node.get("default"), "'default'", most=MAX_NUMBER)
        items = fields.sequence(node.get("choices"), "'choices'")
        numbers = [fields.number(item, "a choice", most=MAX_NUMBER) for item in items]
        choices = tuple(choice for choice in numbers if choice is not None)
        least = fields.number(node.get("min"), "'min'", most=MAX_NUMBER)
        most = fields.number(node.get("max"), "'max'", most=MAX_NUMBER)
        if number is None or len(fields.problems) > before:
            return None
        bounds = node.key("min") or node.key("max")
        if node.get("choices") is not None and (not choices or len(set(choices)) < len(choices)):
            message = "'choices' lists the values that an option may have, each once"
            fields.report("E306", message, _span(node.get("choices")))
        elif choices and bounds is not None:
            message = f"{what} has choices, so it needs no '{bounds.text}'"
            fields.report("E306", message, bounds.span)
        elif least is not None and most is not None and least > most:
            message = "'min' is more than 'max'"
            fields.report("E306", message, _span(node.get("min")))
        else:
            option = Option(key.text, "int", number, choices, least, most, name, doc)
            problem = option_problem(option, number)
            if problem is None:
                return option
            fields.report("E306", problem, _span(node.get("default")))
        return None

    def only_numbers_have_bounds(self, node: MappingNode, what: str) -> None:
        for name in ("choices", "min", "max"):
            key = node.key(name)
            if key is not None:
                message = f"{what} is true or false, so it has no '{name}'"
                self.fields.report("E306", message, key.span)

    def shapes(self, wall: Wall | None) -> list[tuple[Shape, Text]]:
        fields = self.fields
        found: dict[str, Shape] = {}
        names: list[tuple[Shape, Text]] = []
        places: dict[str, ScalarNode] = {}
        given = self.fields.mapping(self.node.get("shapes"), "'shapes'")
        if given is not None and not given.entries:
            taken = [fields.gone[key] for key in fields.gone if key[0] == given.span]
            labels = tuple(Label(at, "taken away here") for at in taken[:1])
            fields.report("E306", "'shapes' names no shape", given.span, labels=labels)
        for key, value in self.section("shapes", MAX_SHAPES) if given else ():
            self.names.shapes[key.text] = None
            node = fields.mapping(value, f"shape '{key.text}'")
            if node is None or not self.usable(key):
                continue
            read = read_shape(fields, key, node, wall)
            if read is not None:
                found[key.text] = read[0]
                places[key.text] = key
                names.append(read)
        check_sizes(fields, found, places)
        return names

    def usable(self, key: ScalarNode) -> bool:
        """Whether a name can be written in a sentence."""
        word = key.text
        shape = word.isascii() and word.replace("_", "a").isalnum() and word == word.lower()
        if not shape or not word[:1].isalpha():
            message = f"{quote(word)} is no name: small letters, digits and '_', a letter first"
            self.fields.report("E310", message, key.span)
            return False
        if not self.names.is_free_word(word):
            message = f"'{word}' is a word of the language; take another name"
            self.fields.report("E311", message, key.span)
            return False
        return True

    def has_meaning(self, item: Node) -> bool:
        """Whether a unit has a name that means something else in the total."""
        return isinstance(item, ScalarNode) and item.text in FACTS and item.text != "points"

    def collect_names(self) -> list[tuple[ScalarNode, MappingNode]]:
        """Put every name where sentences look for it; events, terms, options and patterns share
        one namespace. Gives the patterns that can be read."""
        names = self.names
        places = self.places
        patterns: list[tuple[ScalarNode, MappingNode]] = []
        units = tuple(names.units)
        for section, what in NAMED.items():
            node = self.node.get(section)
            for key, value in node.entries if isinstance(node, MappingNode) else ():
                own = self.is_own_name(key, what, places)
                if section == "patterns":
                    if isinstance(value, MappingNode) and self.usable(key):
                        patterns.append((key, self.declare(key, value, units, own)))
                elif not own:
                    continue
                elif section == "options":
                    if key.text in self.kinds:
                        names.options[key.text] = self.kinds[key.text]
                elif section == "events":
                    names.events[key.text] = None
                elif isinstance(value, ScalarNode) and value.value is not None and self.usable(key):
                    names.add_term(key, value)
                names.add_broken(key.text)
        for name in self.strange:
            names.add_broken(name)
        for name in self.ambiguous:
            names.add_ambiguous(name)
        return patterns

    def declare(
        self, key: ScalarNode, node: MappingNode, units: tuple[str, ...], own: bool
    ) -> MappingNode:
        """Make a pattern known, if its name is its own; gives it with its keys put right."""
        what = f"pattern '{key.text}'"
        pattern = self.fields.keys(node, what, (*units, *PATTERN_KEYS))
        if own:
            self.names.add_pattern(key, pattern.get("when"), pattern.get("times"))
        return pattern

    def is_own_name(self, key: ScalarNode, what: str, places: dict[str, tuple[str, Span]]) -> bool:
        """Whether nothing else has the name."""
        if key.text in places:
            kind, first = places[key.text]
            message = f"{_a(kind)} and {_a(what)} have the same name '{key.text}'"
            self.fields.report_clash(
                "E312", message, Label(first, f"the {kind}"), Label(key.span, f"the {what}")
            )
            self.ambiguous.add(key.text)
            return False
        places[key.text] = (what, key.span)
        free = self.names.is_free_word(key.text)
        if free and key.text in (*FACTS, *CLASSES, *SITUATION_CLASSES, *SUBJECTS):
            self.fields.report("E311", _taken(key.text), key.span)
            return False
        return True

    def events(self) -> dict[str, Event]:
        fields = self.fields
        found: dict[str, Event] = {}
        for key, value in self.section("events", MAX_EVENTS):
            what = f"event '{key.text}'"
            node = fields.mapping(value, what)
            if node is None or not self.usable(key):
                continue
            node = fields.keys(node, what, EVENT_KEYS)
            needs = self.sentence(node.get("needs"), "event", "truth")
            name = fields.words(node.get("name"), "'name'")
            doc = fields.words(node.get("doc"), "'doc'")
            shared = bool(fields.truth(node.get("shared"), "'shared'"))
            found[key.text] = Event(key.text, needs, name, doc, shared)
        return found

    # ---- sentences ------------------------------------------------------------------

    def sentence(self, node: Node | None, context: Context, type_: m.Type) -> Sentence | None:
        """A checked sentence, None where there is none or it is in error."""
        if node is None:
            return None
        if not isinstance(node, ScalarNode):
            message = "a sentence is one text"
            self.fields.report("E301", message, node.span, "put it in quotes")
            return None
        if node.value is None:
            help_line = None
            if len(self.files) > 1:
                help_line = "to take away what is inherited, name it under 'remove:'"
            self.fields.report("E301", "a sentence is missing here", node.span, help_line)
            return None
        return self.names.sentence(node, context, type_)

    def terms(self) -> dict[str, Term]:
        found: dict[str, Term] = {}
        for key, value in self.section("terms"):
            if not isinstance(value, ScalarNode) or value.value is None:
                message = f"term '{key.text}' is one text"
                self.fields.report("E301", message, value.span)
            elif self.names.has_term(key.text):
                checked = self.names.checked_term(key.text)
                if checked is not None:
                    found[key.text] = Term(key.text, value.text, checked, value.span)
        return found

    def units(self) -> tuple[str, ...]:
        fields = self.fields
        node = self.node.get("units")
        units: tuple[str, ...] = USUAL_UNITS
        if node is not None:
            items = fields.sequence(node, "'units'")
            texts = tuple(
                item.text
                for item in items
                if fields.text(item, "a unit") is not None
                and isinstance(item, ScalarNode)
                and self.usable(item)
            )
            if len(texts) == len(items) and isinstance(node, SequenceNode):
                strange = [item for item in items if self.has_meaning(item)]
                if not texts or len(set(texts)) < len(texts) or set(texts) & set(PATTERN_KEYS):
                    message = "'units' lists the units that patterns award, each once"
                    fields.report("E306", message, node.span)
                elif strange:
                    fields.report("E311", _taken(texts[items.index(strange[0])]), strange[0].span)
                else:
                    units = texts
                    self.places = {
                        text: ("unit", item.span) for text, item in zip(texts, items, strict=True)
                    }
                    units += self.lost(node.span, units)
        elif ("units",) in self.chain.removed:
            units += self.lost(self.chain.removed[("units",)], units)
        self.names.units.update(dict.fromkeys(units))
        return units

    def lost(self, at: Span, units: tuple[str, ...]) -> tuple[str, ...]:
        """Report units that what is inherited needs and that are listed no more; gives them, so
        that patterns and the total are not reported one by one."""
        lost = tuple(lost_units(self.chain.layers, self.node, at.path, units))
        if lost:
            names = [unit.name for unit in lost]
            kept = [*units_of_parents(self.chain.layers, at.path)]
            kept = [name for name in kept if name in units or name in names]
            both = ", ".join(dict.fromkeys((*kept, *units)))
            awarded, counted = lost[0].awarded, lost[0].counted
            first = Label(counted[0], "counted here") if not awarded else None
            self.fields.report(
                "E306",
                f"'units' leaves out {', and '.join(map(_lost, lost))}",
                at,
                f"to keep them: units: [{both}]" if ("units",) not in self.chain.removed else None,
                (first or Label(awarded[0], "awarded here first"),),
            )
        self.has_lost = bool(lost)
        return tuple(unit.name for unit in lost)

    # ---- patterns -------------------------------------------------------------------

    def patterns(
        self, given: list[tuple[ScalarNode, MappingNode]], units: tuple[str, ...]
    ) -> dict[str, Pattern]:
        found: dict[str, Pattern] = {}
        codes: dict[str, Span] = {}
        for key, value in self.section("patterns"):
            self.fields.mapping(value, f"pattern '{key.text}'")
        for key, node in given[:MAX_NAMES]:
            read = self.pattern(key, node, units)
            found[key.text] = read
            if read.code is None:
                continue
            at = _span(node.get("code"))
            first = codes.setdefault(read.code, at)
            if first is not at:
                message = f"two patterns have the code {read.code}"
                self.fields.report_clash(
                    "E313", message, Label(first, "the other one"), Label(at, "the other one")
                )
        return found

    def pattern(self, key: ScalarNode, node: MappingNode, units: tuple[str, ...]) -> Pattern:
        fields = self.fields
        what = f"pattern '{key.text}'"
        awards = {
            unit: sentence
            for unit in units
            if (sentence := self.sentence(node.get(unit), "pattern", "number")) is not None
        }
        needed = ["when"] if node.get("when") is None and node.get("times") is None else []
        if not any(node.get(unit) for unit in units):
            needed.insert(0, "' or '".join(units))
        fields.need(what, needed, node, key.span)
        status = fields.text(node.get("status"), "'status'")
        if status is not None and status not in STATUSES:
            message = f"'status' is one of {', '.join(STATUSES)}"
            meant = suggest(status, STATUSES)
            help_line = f"did you mean '{meant}'?" if meant else None
            fields.report("E306", message, _span(node.get("status")), help_line)
        code = fields.text(node.get("code"), "'code'")
        if code is not None and len(code) > MAX_CODE:
            message = f"a code has at most {MAX_CODE} characters"
            fields.report("E308", message, _span(node.get("code")))
            code = None
        supersedes = [
            item
            for item in fields.sequence(node.get("supersedes"), "'supersedes'")
            if fields.text(item, "the id of a pattern") is not None and isinstance(item, ScalarNode)
        ]
        self.supersedes += [(key.text, item) for item in supersedes]
        return Pattern(
            id=key.text,
            awards=awards,
            when=self.sentence(node.get("when"), "pattern", "truth"),
            times=self.sentence(node.get("times"), "pattern", "number"),
            code=code,
            series=fields.text(node.get("series"), "'series'"),
            name=fields.words(node.get("name"), "'name'"),
            doc=fields.words(node.get("doc"), "'doc'"),
            bonus=bool(fields.truth(node.get("bonus"), "'bonus'")),
            supersedes=tuple(item.text for item in supersedes),
            status=status,
            hits=read_examples(fields, node.get("hits"), "'hits'"),
            misses=read_examples(fields, node.get("misses"), "'misses'"),
            span=key.span,
        )

    def check_supersedes(self, patterns: Mapping[str, Pattern]) -> None:
        """Superseded patterns exist, and no two patterns drop each other."""
        fields = self.fields
        told: set[int] = set()
        circles = _circles({name: pattern.supersedes for name, pattern in patterns.items()})
        for own, item in self.supersedes:
            name = item.text
            if name not in patterns:
                if name in self.names.terms:
                    continue
                meant = fields.guesses.suggest(name, patterns)
                help_line = f"did you mean '{meant}'?" if meant else None
                taken = self.names.removed.get(("patterns", name))
                labels = (Label(taken, "taken away here"),) if taken else ()
                message = f"unknown pattern {quote(name)}"
                fields.report("E201", message, item.span, help_line, labels)
            elif name == own:
                fields.report("E314", f"'{own}' cannot supersede itself", item.span)
            elif circles.get(own) == circles.get(name) and circles.get(own) not in told:
                fields.report("E314", f"'{own}' and '{name}' would drop each other", item.span)
                told.add(circles[own])

    # ---- total, settlement ----------------------------------------------------------

    def total(self, units: tuple[str, ...]) -> Total:
        fields = self.fields
        node = fields.mapping(self.node.get("total"), "'total'")
        # Which units there are to be is not known where some are lost.
        several = len(units) > 1 and not self.has_lost
        if node is None:
            if several and self.node.get("total") is None:
                message = "a ruleset with several units needs 'total' with 'value'"
                gone = fields.gone.get((self.node.span, "total"))
                fields.report("E303", message, gone or self.start)
            return Total()
        allowed = ("value", "cap", "limit_from", "empty", "minimum")
        node = fields.keys(node, "'total'", allowed, ("value",) if several else ())
        empty = node.get("empty")
        name = NO_TEXT
        if isinstance(empty, MappingNode):
            empty = fields.keys(empty, "'empty'", ("points", "name"), ("points",))
            name = fields.words(empty.get("name"), "'name'")
            empty = empty.get("points")
        return Total(
            value=self.sentence(node.get("value"), "total", "number"),
            cap=self.sentence(node.get("cap"), "bounds", "number"),
            limit_from=self.sentence(node.get("limit_from"), "bounds", "number"),
            empty=self.sentence(empty, "bounds", "number"),
            empty_name=name,
            minimum=self.sentence(node.get("minimum"), "bounds", "number"),
        )

    def settlement(self) -> dict[Ending, tuple[Payment, ...]]:
        fields = self.fields
        node = fields.mapping(self.node.get("settlement"), "'settlement'")
        found: dict[Ending, tuple[Payment, ...]] = {}
        if node is None:
            return found
        node = self.settling = fields.keys(node, "'settlement'", SETTLEMENT_KEYS, ("win",))
        for ending in ENDINGS:
            given = node.get(ending)
            items = fields.sequence(given, f"'{ending}'")
            if isinstance(given, SequenceNode) and not 0 < len(items) <= MAX_LINES:
                message = f"'{ending}' has {len(items)} lines; 1 to {MAX_LINES} are needed"
                fields.report("E308", message, given.span)
                continue
            lines = [self.payment(item, ending) for item in items]
            for place, line in enumerate(lines[:-1]):
                if line is not None and _fits_always(items[place], line):
                    message = "this line fits always, so the lines below it are never reached"
                    fields.report("E315", message, items[place].span)
                    break
            if items:
                found[ending] = tuple(line for line in lines if line is not None)
        return found

    def payment(self, item: Node, ending: Ending) -> Payment | None:
        fields = self.fields
        what = "a line of the settlement"
        node = fields.mapping(item, what)
        if node is None:
            return None
        node = fields.keys(node, what, ("when", "pays"), ("pays",))
        given = node.get("when")
        when = self.sentence(given, ending, "truth")
        pays = self.sentence(node.get("pays"), ending, "number")
        if pays is None or (given is not None and when is None):
            return None
        return Payment(when, pays)

    def winners(self) -> Winners | None:
        """Who wins when several could: read after the rest of the settlement."""
        node = None if self.settling is None else self.settling.get("winners")
        return self.choice(node, "'winners'", WINNERS)

    def stakes(self) -> Stakes | None:
        """What is paid in advance: read after the rest of the settlement."""
        fields = self.fields
        given = None if self.settling is None else self.settling.get("stakes")
        node = fields.mapping(given, "'stakes'")
        if node is None:
            return None
        needed = ("event", "amount")
        node = fields.keys(node, "'stakes'", (*needed, "to", "returned"), needed)
        given = node.get("event")
        event = fields.text(given, "'event'")
        if event is not None and event not in self.names.events:
            meant = fields.guesses.suggest(event, self.names.events)
            known = there_are(self.names.events, event)
            help_line = f"did you mean '{meant}'?" if meant else known
            fields.report("E201", f"unknown event {quote(event)}", _span(given), help_line)
        amount = self.sentence(node.get("amount"), "stakes", "number")
        to: StakesTo | None = self.choice(node.get("to"), "'to'", STAKES_TO)
        returned = fields.truth(node.get("returned"), "'returned'")
        if event is None or amount is None:
            return None
        return Stakes(event, amount, to or STAKES_TO[0], bool(returned))

    def choice(self, node: Node | None, what: str, allowed: tuple[_Word, ...]) -> _Word | None:
        """One of a few words, None where there is none or it is another one."""
        text = self.fields.text(node, what)
        if text is None or node is None:
            return None
        for word in allowed:
            if word == text:
                return word
        meant = suggest(text, allowed)
        help_line = f"did you mean '{meant}'?" if meant else None
        message = f"{what} is one of {', '.join(allowed)}"
        self.fields.report("E306", message, node.span, help_line)
        return None

    def liability(self) -> Liability:
        fields = self.fields
        node = fields.mapping(self.node.get("liability"), "'liability'")
        if node is None:
            return Liability()
        keys = ("moves", "nobody", "barred")
        node = fields.keys(node, "'liability'", keys)
        moves, nobody, barred = (bool(fields.truth(node.get(key), f"'{key}'")) for key in keys)
        if nobody and barred:
            message = "a winner's own discard leaves nobody liable or forbids the win, not both"
            fields.report("E306", message, _span(node.get("barred")))
        return Liability(moves, nobody, barred)

    def interpretations(self) -> tuple[Interpretation, ...]:
        fields = self.fields
        found: list[Interpretation] = []
        keys = INTERPRETATION_KEYS
        for key, value in self.section("interpretations"):
            what = f"interpretation '{key.text}'"
            node = fields.mapping(value, what)
            if node is not None:
                node = fields.keys(node, what, keys, keys, key.span)
                texts = (fields.words(node.get(k), f"'{k}'") for k in keys)
                found.append(Interpretation(key.text, *texts))
        return tuple(found)


def _fits_always(item: Node, line: Payment) -> bool:
    if line.when is None:
        return isinstance(item, MappingNode)
    return isinstance(line.when.meaning, m.Constant) and line.when.meaning.value is True


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeio" else f"a {noun}"


def _lost(unit: LostUnit) -> str:
    """Who needs a unit that is left out."""
    if not unit.awarded:
        return f"'{unit.name}', which the inherited total counts"
    several = len(unit.awarded) != 1
    patterns = f"pattern{'s award' if several else ' awards'}"
    return f"'{unit.name}', which {len(unit.awarded)} inherited {patterns}"


def _taken(name: str) -> str:
    return f"'{name}' has a meaning in every ruleset; take another name"


def _circles(below: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """A number for each name, the same for those that lead to each other (Tarjan's way, without
    recursion)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    found: dict[str, int] = {}
    open_: list[str] = []
    for root in below:
        if root in order:
            continue
        order[root] = lowest[root] = len(order)
        open_.append(root)
        work = [(root, iter(below[root]))]
        while work:
            name, rest = work[-1]
            for other in rest:
                if other in below and other not in order:
                    order[other] = lowest[other] = len(order)
                    open_.append(other)
                    work.append((other, iter(below[other])))
                    break
                if other in order and other not in found:
                    lowest[name] = min(lowest[name], order[other])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[name])
                if lowest[name] == order[name]:
                    number = len(found)
                    while name not in found:
                        found[open_.pop()] = number
    return found


def _start(node: MappingNode, path: str) -> Span:
    """The first name of a mapping that stands in a file; what it merges with has another order."""
    spans = [key.span for key, _ in node.entries]
    own = [span for span in spans if span.path == path]
    return min(own or spans or [node.span], key=lambda span: (span.line, span.column))


def _span(node: Node | None) -> Span:
    assert node is not None
    return node.span
