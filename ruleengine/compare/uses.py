"""What uses what in a ruleset: which sentences read an option, and where order decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.language import meaning as m

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ruleengine.ruleset.model import Ending, Pattern, RulesetData, Sentence


def scoring(data: RulesetData) -> Iterator[Sentence]:
    """The sentences that make a score, and those that say which hands there can be."""
    total = data.total
    found = [total.value, total.cap, total.limit_from, total.empty, total.minimum]
    found += [event.needs for event in data.events.values()]
    for pattern in data.patterns.values():
        found += pattern.sentences
    return (sentence for sentence in found if sentence is not None)


def paying(data: RulesetData) -> Iterator[Sentence]:
    """The sentences that say who pays what."""
    for lines in data.settlement.values():
        for line in lines:
            yield from line.sentences
    if data.stakes is not None:
        yield data.stakes.amount


def reads(sentences: Iterable[Sentence], option: str) -> bool:
    """Whether sentences read an option, through names too."""
    return any(option in m.options_in(sentence.meaning) for sentence in sentences)


def read_at_ends(sides: Iterable[RulesetData], option: str) -> tuple[tuple[Ending, ...], bool]:
    """The endings without a win whose payments read an option, and whether the stakes do."""
    endings: dict[Ending, None] = {}
    stakes = False
    for data in sides:
        for ending, lines in data.settlement.items():
            if ending != "win" and reads((x for line in lines for x in line.sentences), option):
                endings[ending] = None
        stakes |= data.stakes is not None and reads([data.stakes.amount], option)
    return tuple(endings), stakes


def order_of(data: RulesetData) -> list[str]:
    """Patterns in the order in which they are looked at."""
    return sorted(data.patterns, key=lambda name: data.patterns[name].code_order)


class TieBreaks:
    """Says where it may change a total which of two patterns of equal worth is looked at first."""

    def __init__(self, data: RulesetData) -> None:
        dropped = {name for pattern in data.patterns.values() for name in pattern.supersedes}
        self._awards = {name: _fixed_awards(one) for name, one in data.patterns.items()}
        self._series = {name: one.series for name, one in data.patterns.items()}
        self._does = {
            name: (frozenset(one.supersedes), one.bonus, name in dropped)
            for name, one in data.patterns.items()
        }
        self._several_units = data.total.limit_from is not None and len(data.units) > 1

    def decide(self, first: str, second: str) -> bool:
        """Whether the order of two patterns may change a total."""
        series = self._series[first]
        in_series = series is not None and series == self._series[second]
        differ = in_series and self._does[first] != self._does[second]
        if not (differ or self._several_units):
            return False
        awards = (self._awards[first], self._awards[second])
        return None in awards or awards[0] == awards[1]


def _fixed_awards(pattern: Pattern) -> dict[str, int] | None:
    """What a pattern awards where that is always the same and not 0."""
    meanings = {unit: sentence.meaning for unit, sentence in pattern.awards.items()}
    found = {
        unit: int(meaning.value)
        for unit, meaning in meanings.items()
        if isinstance(meaning, m.Constant) and meaning.value
    }
    return found if pattern.times is None and len(found) == len(meanings) else None
