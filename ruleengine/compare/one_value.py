"""Looks for a hand, or an end of a hand, that shows what two branches make of the same value."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING

from ruleengine.compare.applied import Alone, Side
from ruleengine.compare.ends import Table, in_common, look, settled
from ruleengine.compare.judging import setting, until
from ruleengine.compare.model import MetEnd
from ruleengine.compare.outcomes import Won, scored

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ruleengine.compare.judging import Case, Judge
    from ruleengine.errors import HandError
    from ruleengine.result import Result
    from ruleengine.rules import Rules

Shown = tuple[Mapping[str, object], tuple["Result | HandError", ...]]
"""A hand record, and what it comes to under a base, with our change, and with theirs."""


class OneValue:
    """Looks for what shows two changes of the same value.

    `judges` judge the changes of each branch, `cases` are the two changes; None for one that
    touches nothing but words. At `ends` (by the monotonic clock) the search ends.
    """

    def __init__(
        self, base: Rules, judges: Sequence[Judge], cases: Sequence[Case | None], ends: float
    ) -> None:
        self.base = Side(base.data, dict(base.options))
        self.judges = judges
        self.cases = cases
        self.ends = ends
        self._known = [case for case in cases if case is not None]

    def hand(self) -> Shown | None:
        """A small hand of which the two changes make different things; where none is found, one
        that shows either of them."""
        under = list(self._under())
        for options, sides in under:
            won = self._apart(sides) if until(self.ends) else None
            if won is not None:
                return self._shown(won, options, sides)
        for options, sides in under:
            for case in self._known:
                if case.won is not None and case.seen.options == options:
                    return self._shown(case.won, options, sides)
        return None

    def end(self) -> MetEnd | None:
        """An end of a hand that the two changes settle otherwise, under the options in force; where
        none is found, one that shows either of them."""
        some = [
            judge.asked(case.change)
            for judge, case in zip(self.judges, self.cases, strict=True)
            if case is not None and case.may_show_at_an_end
        ]
        asked = in_common(some[0], some[-1]) if some else None
        if asked is None:
            return None
        for options, sides in itertools.islice(self._under(), 1):
            rules = self._rules(options, sides)
            _, request = look(Table(rules[1], rules[2], self.judges[0].together), asked, self.ends)
            for case in self._known:
                if request is None and not case.seen.options:
                    request = case.request
            if request is not None:
                return MetEnd(request, tuple(settled(one, request) for one in rules))
        return None

    def _shown(
        self, won: Won, options: Mapping[str, int | bool], sides: tuple[Side, Side]
    ) -> Shown:
        record = won.record()
        if options:
            record["options"] = dict(options)
        return record, tuple(scored(rules, won) for rules in self._rules(options, sides))

    def _under(self) -> Iterator[tuple[dict[str, int | bool], tuple[Side, Side]]]:
        """The base with either change, under the options in force and under those of which it is
        known that a change shows under them. Nothing where a change does not stand by itself."""
        after: list[Side] = []
        for judge, case in zip(self.judges, self.cases, strict=True):
            alone = None if case is None else judge.applier.alone(case.change)
            if alone is not None and alone.whole:
                return
            after.append(self.base if alone is None else alone.after)
        tried: list[dict[str, int | bool]] = []
        for options in ({}, *(case.seen.options for case in self._known)):
            if options not in tried:
                tried.append(dict(options))
                yield tried[-1], (setting(after[0], options), setting(after[1], options))

    def _rules(
        self, options: Mapping[str, int | bool], sides: tuple[Side, Side]
    ) -> tuple[Rules, Rules, Rules]:
        """The base, ours and theirs, ready to score."""
        find = self.judges[0].finder.rules
        return find(setting(self.base, options)), find(sides[0]), find(sides[1])

    def _apart(self, sides: tuple[Side, Side]) -> Won | None:
        """A small hand that comes to something else with one change than with the other."""
        finder = self.judges[0].finder
        wons = [case.won for case in self._known if case.won is not None]
        finder.more = [*wons, *self.judges[1].finder.examples]
        seen = [case.seen for case in self._known]
        alone = Alone(*sides)
        won = finder.find(
            alone,
            [world for one in seen for world in one.worlds if world.relation != "equal"],
            list(dict.fromkeys(event for one in seen for event in one.events)),
            [told for one in seen for told in one.told],
            situations=any(one.situations for one in seen),
        )
        return None if won is None else finder.lowest(alone, won)
