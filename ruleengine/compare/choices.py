"""The values of options under which changed sentences are compared: all that a table can choose,
or, of too many, those at which sentences may turn."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from ruleengine.language import meaning as m
from ruleengine.ruleset.options import bounds_of, every_choice, values_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ruleengine.ruleset.model import Option, RulesetData, Sentence

MOST_ALL = 128
"""Choices of all options that sentences read, up to which all are gone through."""
MOST_TRIED = 24
"""Of more, so many are tried besides the one in force."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Values of the options that sentences read, those in force first, then those that tables are
    likeliest to have; `number` is how many choices there are."""

    read: tuple[str, ...]
    tried: tuple[Mapping[str, int | bool], ...]
    number: int

    @property
    def complete(self) -> bool:
        """Whether these are all there are."""
        return len(self.tried) == self.number


def choices(
    sentences: Iterable[Sentence | None],
    options: Mapping[str, Option],
    in_force: Mapping[str, int | bool],
    defaults: Sequence[Mapping[str, int | bool]] = (),
) -> Choices:
    """What a table may choose of the options that some sentences read. Where there are `defaults`,
    those choices that keep most to them come after what is in force, to the first of these before
    the others, and of such as keep as much to them the lowest values.
    """
    sentences = tuple(sentences)
    found = (m.options_in(one.meaning) for one in sentences if one is not None)
    read = tuple(sorted(set[str]().union(*found) & options.keys()))
    first = {name: in_force[name] for name in read}
    number = prod(len(values_of(options[name])) for name in read)
    others = every_choice([options[name] for name in read], MOST_ALL)
    if others is None:
        apart = one_by_one(sentences, options, in_force, defaults)
        usual = [
            {name: value for name in read for value in _among(options[name], [known])}
            for known in defaults
        ]
        others = [{**first, **one} for one in (*usual, *apart[:MOST_TRIED])]
        others = [one for at, one in enumerate(others) if one not in others[:at]]
    others = [one for one in others if one != first]
    if defaults:
        others.sort(key=lambda one: (_distance(one, defaults), tuple(one.values())))
    return Choices(read, (first, *others), number)


def defaults_of(*rulesets: RulesetData) -> tuple[Mapping[str, int | bool], ...]:
    """The defaults of the options of some rulesets."""
    return tuple({one.id: one.default for one in data.options.values()} for data in rulesets)


def one_by_one(
    sentences: Iterable[Sentence | None],
    options: Mapping[str, Option],
    in_force: Mapping[str, int | bool],
    defaults: Sequence[Mapping[str, int | bool]] = (),
) -> list[dict[str, int | bool]]:
    """Each option that some sentences read at each value at which they may turn, other than that
    in force, and nothing else; at `defaults` first."""
    sentences = tuple(sentences)
    found = (m.options_in(one.meaning) for one in sentences if one is not None)
    return [
        {name: value}
        for name in sorted(set[str]().union(*found) & options.keys())
        for value in dict.fromkeys(
            (*_among(options[name], defaults), *_some(options[name], sentences))
        )
        if value != in_force[name]
    ]


def _among(option: Option, defaults: Iterable[Mapping[str, int | bool]]) -> Iterator[int | bool]:
    """The defaults of an option that a table can choose."""
    for known in defaults:
        if option.id in known and known[option.id] in values_of(option):
            yield known[option.id]


def _distance(
    chosen: Mapping[str, int | bool], defaults: Sequence[Mapping[str, int | bool]]
) -> int:
    """How far a choice is from what tables have that set nothing."""
    return sum(
        next((at for at, known in enumerate(defaults) if known.get(name) == value), len(defaults))
        for name, value in chosen.items()
    )


def refused(old: Option, new: Option | None) -> list[tuple[int, int]]:
    """The numbers that an option could be and no longer can, each as the first and the last of some
    that follow one another; all of them where it is no more, none where it is or was a truth."""
    if old.type != "int" or (new is not None and new.type != "int"):
        return []
    kept = [] if new is None else _ranges(new)
    could = _ranges(old)
    found: list[tuple[int, int]] = []
    at = 0
    for first, last in could:
        while at < len(kept) and kept[at][1] < first:
            at += 1
        nth = at
        while first <= last:
            reaches = nth < len(kept) and kept[nth][0] <= last
            until = kept[nth][0] - 1 if reaches else last
            if first <= until:
                joined = bool(found) and found[-1][1] == first - 1
                found[-1:] = [(found[-1][0], until)] if joined else [*found[-1:], (first, until)]
            first = kept[nth][1] + 1 if reaches else last + 1
            nth += 1
    return found


def _ranges(option: Option) -> list[tuple[int, int]]:
    """The numbers that an option can be, as the first and the last of some together."""
    return [(one, one) for one in sorted(set(option.choices))] or [bounds_of(option)]


def _some(option: Option, sentences: Iterable[Sentence | None]) -> Sequence[int | bool]:
    """Values at which sentences may turn: the least and the most, those near the default, and
    those near the numbers that the sentences name."""
    if option.type == "bool" or option.choices:
        return values_of(option)
    named = {
        node.value
        for sentence in sentences
        if sentence is not None
        for node in m.everything_in(sentence.meaning)
        if isinstance(node, m.Constant) and not isinstance(node.value, bool)
    }
    default = int(option.default)
    steps = [default - 1, default + 1]
    steps += [value + step for value in sorted(named) for step in (0, -1, 1)]
    least, most = bounds_of(option)
    return [value for value in dict.fromkeys((least, most, *steps)) if least <= value <= most]
