"""Writes examples: a smallest hand that counts a pattern, and a near one that does not.

Hands come by chance, the same every time, as play might give them; where none of them has the
pattern, they come out of the worlds in which its sentence is true, and then all concealed hands are
gone through. The hit is then made as plain as it can be, and the miss is the nearest hand that wins
without the pattern.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from ruleengine.check.counting import counts_alone
from ruleengine.counterfactual import neighbours
from ruleengine.errors import HandError
from ruleengine.hand import ALL_MELDS, Hand, Meld, Situation
from ruleengine.hands.chance import plays
from ruleengine.testing.budget import A_STEP, SUGGESTION_WORK, Budget, OutOfWork
from ruleengine.testing.effort import Effort
from ruleengine.testing.unusual import worlds_with
from ruleengine.tiles import FIRST_FLOWER, FIRST_HONOR, format_tiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ruleengine.batch.columns import Hands
    from ruleengine.result import Result
    from ruleengine.rules import Rules

PLAYS = 6_000
"""Hands that are tried by chance."""
PLAYS_OF_OTHERS = 1_500
"""Of those, how many are tried under other options."""
MOST_OTHERS = 24
"""Other choices of options that are tried."""
ENOUGH = 40
"""Hits among them after which no more are looked for."""
SEED = 1


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A hit and a miss, each with its result; None where none was found. `change` says in words
    how the miss differs from the hit. Where the search is not `whole` it became too much work:
    there may be a hit, a plainer one or a nearer miss that it did not come to."""

    hit: Result | None
    miss: Result | None
    change: str = ""
    whole: bool = True


def suggest_examples(rules: Rules, pattern: str, budget: Budget | None = None) -> Suggestion:
    """Look for a hit and a miss of a pattern of a ruleset, as long as a budget lasts."""
    tables, whole = _tables(rules, pattern, budget or Budget(SUGGESTION_WORK))
    hits: list[Result] = []
    plain: list[Result] = []
    miss, change = None, ""
    try:
        hits += islice(_by_chance(tables[0], PLAYS), ENOUGH)
        if not hits and _can_never_be(rules, pattern):
            return Suggestion(None, None)
        tries = tables[0] if hits else _find(tables, hits)
        whole = whole or bool(hits)
        for hit in hits:
            plain.append(_plainest(hit, tries, tries.counts))
        if plain:
            hit = _with_fewest_options(min(plain, key=_size), tries)
            hits, plain = [hit], [hit]
            miss, change = _nearest_miss(hit, tries.under(hit.rules.options))
    except OutOfWork:
        whole = False
    return Suggestion(min(plain or hits, key=_size, default=None), miss, change, whole)


def _find(tables: list[_Tries], hits: list[Result]) -> _Tries:
    """Put hits into a list where chance gave none under the options in force, all under the
    options of one table, which is returned."""
    searches = [(tables[0], _of_worlds(tables[0]))]
    for other in tables[1:]:
        searches += [(other, _by_chance(other, PLAYS_OF_OTHERS)), (other, _of_worlds(other))]
    searches += [(tries, _of_all(tries)) for tries in tables]
    for tries, search in searches:
        hits += islice(search, ENOUGH)
        if hits:
            return tries
    return tables[0]


def _can_never_be(rules: Rules, pattern: str) -> bool:
    """Whether it is proved that no hand counts a pattern, under no options."""
    from ruleengine.check.worlds import Worlds

    (answer,) = Worlds(rules).decide([counts_alone(rules, rules.data.patterns[pattern])])
    return answer.never


def _tables(rules: Rules, pattern: str, budget: Budget) -> tuple[list[_Tries], bool]:
    """The options in force, then others of those that the pattern reads, with the fewest changes
    first; and whether these are all."""
    from ruleengine.compare.choices import choices

    one = rules.data.patterns[pattern]
    asked = [*one.sentences, rules.data.total.minimum]
    asked += [event.needs for event in rules.data.events.values()]
    chosen = choices(asked, rules.data.options, rules.options)
    first, *others = chosen.tried
    others.sort(key=lambda other: sum(other[name] != first[name] for name in other))
    effort = Effort(rules)
    some = ({}, *others[:MOST_OTHERS])
    tables = [_Tries(rules, pattern, budget, effort, options) for options in some]
    return tables, chosen.complete and len(others) <= MOST_OTHERS


class _Tries:
    """Scores hands in search of the examples of one pattern, as long as a budget lasts."""

    def __init__(
        self,
        rules: Rules,
        pattern: str,
        budget: Budget,
        effort: Effort,
        options: Mapping[str, int | bool],
    ) -> None:
        self._in_force = rules
        self._options = options
        self.pattern = pattern
        self.budget = budget
        self._effort = effort

    @cached_property
    def rules(self) -> Rules:
        """The ruleset with the options that are tried."""
        return self._in_force.with_options(self._options)

    def won(self, hand: Hand, situation: Situation) -> Result | None:
        """The result of a hand that wins, None where it does not or cannot be. Raises
        `OutOfWork`."""
        return self._scored(hand, situation, self._options)

    def under(self, options: Mapping[str, int | bool]) -> _Tries:
        """The same under other options."""
        if options == self.rules.options:
            return self
        return _Tries(self._in_force, self.pattern, self.budget, self._effort, options)

    def with_other_option(self, result: Result) -> Iterator[tuple[str, Result]]:
        """A hand that wins with one of the tried options as it is in force. Raises `OutOfWork`."""
        for name, value in self._in_force.options.items():
            if result.rules.options[name] != value:
                found = self.with_option(result, name, value)
                if found is not None:
                    yield f"with the option {name}: {_written(value)}", found

    def with_option(self, result: Result, name: str, value: int | bool) -> Result | None:
        """The result of the same hand with another value of an option. Raises `OutOfWork`."""
        options = {**result.rules.options, name: value}
        return self._scored(result.hand, result.situation, options)

    def _scored(
        self, hand: Hand, situation: Situation, options: Mapping[str, int | bool]
    ) -> Result | None:
        told = repr(sorted(options.items())) if options else ""
        melds, events = bool(hand.melds), bool(situation.events)
        self.budget.spend(self._effort.kind(situation.by, melds, events, told))
        rules = self.rules if options is self._options else self.rules.with_options(options)
        try:
            found = rules.score_hand(hand, situation)
        except HandError:
            return None
        return found if found.win else None

    def counts(self, result: Result) -> bool:
        """Whether a result counts the pattern."""
        return any(counted.id == self.pattern for counted in result.patterns)


def _by_chance(tries: _Tries, most: int) -> Iterator[Result]:
    for play in islice(plays(tries.rules, SEED), most):
        found = tries.won(play.hand, play.situation)
        if found is not None and tries.counts(found):
            yield found


def _of_worlds(tries: _Tries) -> Iterator[Result]:
    """Hands out of the worlds in which a pattern is there."""
    for world in worlds_with(tries.rules, tries.pattern, tries.budget):
        found = tries.won(world.hand, world.situation)
        if found is not None and tries.counts(found):
            yield found


def _of_all(tries: _Tries) -> Iterator[Result]:
    """The first concealed hands that count a pattern, gone through in order."""
    import numpy as np

    from ruleengine.hands.every import EveryHand
    from ruleengine.hands.winning import BestScorer

    rules = tries.rules
    wall = {tile: n for tile, n in rules.data.wall.copies.items() if tile < 34}
    place = next(at for at, one in enumerate(rules.program.order) if one.id == tries.pattern)
    scorer = BestScorer(rules)
    for _, hands in EveryHand(rules.shapes, wall).chunks():
        tries.budget.spend(scorer.operations * len(hands) // A_STEP)
        scored = scorer.score(hands)
        word, bit = divmod(place, 64)
        bits = scored.judged.found[word] >> np.uint64(bit) & np.uint64(1)
        there = np.flatnonzero(bits)
        if len(there):
            for row in there[:ENOUGH].tolist():
                tiles = _tiles_of(scored.hands.take(slice(row, row + 1)))
                won = int(scored.hands.won[row])
                tiles.remove(won)
                found = tries.won(Hand(tuple(tiles), (), won), Situation())
                if found is not None and tries.counts(found):
                    yield found
            return


def _tiles_of(hands: Hands) -> list[int]:
    """The tiles of one concealed hand."""
    from ruleengine.batch.columns import keys_of
    from ruleengine.batch.tables import POWERS

    found: list[int] = []
    for suit, key in enumerate(keys_of(hands)):
        for place, power in enumerate(POWERS):
            found += [9 * suit + place] * (int(key[0]) // power % 5)
    return found


def _size(result: Result) -> tuple[int, ...]:
    """How much there is to a hand besides its tiles, then what else counts, then its points."""
    how = result.situation
    extras = len(result.hand.melds) + 2 * len(how.events) + len(result.hand.flowers)
    extras += (how.by != "self_draw") + (how.seat != "E") + (how.round != "E") + result.dora
    extras += (how.from_seat is not None) + (how.liable is not None)
    kongs = sum(meld.kind == "kong" for meld in result.hand.melds)
    return kongs, len(how.events), len(result.patterns), extras, result.points


def _plainest(result: Result, tries: _Tries, kept: Callable[[Result], bool]) -> Result:
    """The same hand without what is not needed to keep something true of it."""
    best = result
    changed = True
    while changed:
        changed = False
        for hand, situation in _plainer(best):
            tried = tries.won(hand, situation)
            if tried is not None and kept(tried) and _size(tried) < _size(best):
                best, changed = tried, True
                break
    return best


def _plainer(result: Result) -> Iterator[tuple[Hand, Situation]]:
    hand, how = result.hand, result.situation
    for event in sorted(how.events):
        yield hand, replace(how, events=how.events - {event})
    if how.by != "self_draw":
        yield hand, replace(how, by="self_draw", from_seat=None, liable=None)
    if how.by == "robbing_kong":
        yield hand, replace(how, by="discard")
    if how.liable is not None:
        yield hand, replace(how, liable=None)
    if how.seat != "E":
        yield hand, replace(how, seat="E", from_seat=None, liable=None)
    if how.round != "E":
        yield hand, replace(how, round="E")
    if hand.flowers:
        yield replace(hand, flowers=()), how
    for place, meld in enumerate(hand.melds):
        rest = (*hand.melds[:place], *hand.melds[place + 1 :])
        tiles = meld.tiles if meld.kind != "kong" else meld.tiles[:3]
        standing = tuple(sorted((*hand.standing, *tiles)))
        yield replace(hand, standing=standing, melds=rest), how
        if meld.kind == "kong" and meld.claimed:
            other = Meld("kong", meld.tile, False)
            melds = (*hand.melds[:place], other, *hand.melds[place + 1 :])
            yield replace(hand, melds=melds), how
    if how.dora is not None:
        yield hand, replace(how, dora=None)
    if result.dora > 1:
        yield hand, replace(how, dora=result.dora - 1)
    if how.from_seat is not None:
        yield hand, replace(how, from_seat=None)


def _nearest_miss(hit: Result, tries: _Tries) -> tuple[Result | None, str]:
    """The nearest hand that wins without a pattern; of equally near ones the one that differs
    least in what else counts."""
    before = {counted.id for counted in hit.patterns} - {tries.pattern}
    near = (_with_less(hit), *(changes for _, changes in neighbours(hit)), _other_groups(hit))
    for changes in near:
        found: list[tuple[tuple[int, int], Result, str]] = []
        for words, hand, situation in changes:
            tried = tries.won(hand, situation)
            if tried is None or tries.counts(tried):
                continue
            after = {counted.id for counted in tried.patterns}
            rank = (len(before ^ after), abs(tried.points - hit.points))
            found.append((rank, tried, words))
        if found:
            _, miss, words = min(found, key=lambda one: one[0])
            return miss, words
    for words, tried in tries.with_other_option(hit):
        if not tries.counts(tried):
            return tried, words
    like = _likest(hit, tries)
    if like is not None:
        like = _plainest(like, tries, lambda tried: not tries.counts(tried))
    return like, "another hand, without it"


def _with_less(hit: Result) -> Iterator[tuple[str, Hand, Situation]]:
    """The same hand with one circumstance less."""
    hand, how = hit.hand, hit.situation
    if hit.dora:
        yield "without dora", hand, replace(how, dora=None)
    for event in sorted(how.events):
        name = hit.rules.data.events[event].name.get() or event
        yield f"without the event '{name}'", hand, replace(how, events=how.events - {event})
    if hand.flowers:
        yield "without flowers", replace(hand, flowers=()), how


def _with_fewest_options(result: Result, tries: _Tries) -> Result:
    """The same hand with each option at its default where that makes no difference."""
    best = result
    for name, option in result.rules.data.options.items():
        if best.rules.options[name] != option.default:
            tried = tries.with_option(best, name, option.default)
            same = tried is not None and tried.points == best.points
            if tried is not None and same and _ids(tried) == _ids(best):
                best = tried
    return best


def _written(value: int | bool) -> str:
    return str(value).lower()


def _ids(result: Result) -> list[str]:
    return [counted.id for counted in result.patterns]


def _likest(hit: Result, tries: _Tries) -> Result | None:
    """Of some hands by chance the one that shares most tiles with a hit and wins without the
    pattern."""
    wanted = Counter(_whole(hit.hand))
    best: tuple[int, Result | None] = (-1, None)
    for play in islice(plays(tries.rules, SEED), PLAYS // 4):
        shared = (wanted & Counter(_whole(play.hand))).total()
        if shared > best[0]:
            found = tries.won(play.hand, play.situation)
            if found is not None and not tries.counts(found):
                best = (shared, found)
    return best[1]


def _whole(hand: Hand) -> list[int]:
    """All tiles of a hand."""
    assert hand.winning_tile is not None
    return [*hand.standing, hand.winning_tile, *(t for meld in hand.melds for t in meld.tiles)]


def _other_groups(hit: Result) -> Iterator[tuple[str, Hand, Situation]]:
    """The same hand with one of its groups another: what changes of one tile cannot reach."""
    hand, how = hit.hand, hit.situation
    for place, meld in enumerate(hand.melds):
        rest = (*hand.melds[:place], *hand.melds[place + 1 :])
        for other in ALL_MELDS:
            if other != meld and other.claimed == meld.claimed:
                yield f"{other} in place of {meld}", replace(hand, melds=(*rest, other)), how
        if meld.kind == "kong" and not meld.claimed:
            standing = tuple(sorted((*hand.standing, *meld.tiles[:3])))
            opened = replace(hand, standing=standing, melds=rest)
            yield f"{format_tiles(meld.tiles[:3])} in place of {meld}", opened, how
    arrangement = hit.arranged
    assert arrangement is not None
    for at, group in enumerate(arrangement.groups):
        if at == arrangement.winning_group or group.tiles[0] not in hand.standing:
            continue
        left = list(hand.standing)
        for tile in group.tiles:
            if tile in left:
                left.remove(tile)
        if len(left) != len(hand.standing) - len(group.tiles):
            continue
        if group.kind != "pair":
            claim = Meld(group.kind, group.tile, True)
            melds = (*hand.melds, claim)
            yield f"{claim} claimed", replace(hand, standing=tuple(left), melds=melds), how
        for other_tiles in _groups_of(len(group.tiles), hit.rules):
            standing = tuple(sorted((*left, *other_tiles)))
            words = f"{format_tiles(other_tiles)} in place of {format_tiles(group.tiles)}"
            yield words, replace(hand, standing=standing), how


def _groups_of(size: int, rules: Rules) -> Iterator[tuple[int, ...]]:
    """Every group of so many tiles."""
    for tile in sorted(rules.data.wall.copies):
        if tile < FIRST_FLOWER:
            yield (tile,) * size
        if size == 3 and tile < FIRST_HONOR and tile % 9 <= 6:
            yield (tile, tile + 1, tile + 2)


def suggestion_yaml(suggestion: Suggestion) -> str:
    """The examples as they are written in a ruleset file, under a pattern."""
    lines: list[str] = []
    for name, result, why in (
        ("hits", suggestion.hit, ""),
        ("misses", suggestion.miss, suggestion.change),
    ):
        if result is None:
            continue
        fields = [f'hand: "{result.hand}"', *_situation(result)]
        fields.append(f"points: {result.points}")
        told = ", ".join(counted.id for counted in result.patterns) or "no pattern"
        fields.append(f'why: "{_first(why)}{told}"')
        lines.append(f"    {name}:")
        lines += [f"      {'- ' if at == 0 else '  '}{field}" for at, field in enumerate(fields)]
    return "\n".join(lines)


def _first(why: str) -> str:
    return f"{why[:1].upper()}{why[1:]}: " if why else ""


def _situation(result: Result) -> list[str]:
    how = result.situation
    given: list[tuple[str, Any, Any]] = [
        ("by", how.by, "self_draw"),
        ("seat", how.seat, "E"),
        ("round", how.round, "E"),
        ("from", how.from_seat, None),
        ("liable", how.liable, None),
    ]
    found = [f"{name}: {value}" for name, value, usual in given if value != usual]
    if how.events:
        found.append(f"events: [{', '.join(sorted(how.events))}]")
    if result.dora:
        found.append(f"dora: {result.dora}")
    options = {
        name: result.rules.options[name]
        for name, option in result.rules.data.options.items()
        if result.rules.options[name] != option.default
    }
    if options:
        written = (f"{name}: {_written(value)}" for name, value in options.items())
        found.append(f"options: {{{', '.join(written)}}}")
    return found
