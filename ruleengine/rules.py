"""A ruleset ready to score hands: the object that `ruleengine.load` gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ruleengine.arrange import UNIT, Arrangement, Shape
from ruleengine.errors import HandError, quote
from ruleengine.frozen import FrozenDict
from ruleengine.hand import Hand, Situation, check_hand
from ruleengine.judge import LAID_FACTS, RARE_FACTS
from ruleengine.language.lower import WAY_BITS
from ruleengine.notation import read_hand
from ruleengine.program import Program
from ruleengine.result import How, Result
from ruleengine.rows import RowFinder
from ruleengine.ruleset.options import OptionError as OptionError
from ruleengine.ruleset.options import check_options
from ruleengine.scan import LAID, Scanned, scan
from ruleengine.situation import (
    check_events,
    check_last_tile,
    check_robbed,
    check_seats,
    count_dora,
)
from ruleengine.situation import read_dora as read_dora
from ruleengine.tiles import FIRST_FLOWER, SEATS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pyarrow

    from ruleengine.batch.table import BatchScorer
    from ruleengine.judge import Judgement
    from ruleengine.ruleset.model import RulesetData

_HIGH = sum(8 * unit for unit in UNIT)
_MAX_OTHERS = 256
"""How many choices of options one ruleset keeps at hand."""


class Rules:
    """One ruleset with the values of its options.

    Immutable: changing an option gives another `Rules`. May be used from any number of threads.
    """

    worth_a_judge = 5_000
    """So many wins of one kind (way, melds, events) cost more with the judge of all kinds than it
    takes to write a judge of that kind alone. What hands come to does not depend on it."""

    def __init__(
        self,
        data: RulesetData,
        options: Mapping[str, int | bool] | None = None,
        sources: Mapping[str, str] | None = None,
    ) -> None:
        chosen = {name: option.default for name, option in data.options.items()}
        chosen |= check_options(data, options or {})
        self.data = data
        self.options: Mapping[str, int | bool] = FrozenDict(chosen)
        self.sources: Mapping[str, str] = FrozenDict(sources or {})
        self.program = Program(data, chosen)
        self.shapes: tuple[Shape, ...] = tuple(data.shapes.values())
        self.finder = RowFinder(self.shapes, self.program.reads)
        self._size = data.hand_size
        wall = data.wall.copies
        self._wall_code = sum(wall.get(tile, 0) * unit for tile, unit in enumerate(UNIT)) | _HIGH
        reads = self.program.reads
        self._reads_layers = bool(reads & {"n2", "n3", "n4"})
        self._reads_waits = "waits" in reads
        self._reads_rare = bool(reads & set(RARE_FACTS))
        self._rows = self.finder.rows
        self._judges: list[Callable[..., Judgement | None] | None] = [None] * 32
        self._judged_of = [0] * 32
        self._situations = {
            (by, seat, round_, from_): (WAY_BITS[by], 1 << at, 1 << SEATS.index(round_))
            for by in WAY_BITS
            for at, seat in enumerate(SEATS)
            for round_ in SEATS
            for from_ in (None, *SEATS)
            if from_ is None or (by != "self_draw" and from_ != seat)
        }
        self._others: dict[tuple[tuple[str, int | bool], ...], Rules] = {}
        self._batches: dict[tuple[str, bool], BatchScorer] = {}

    # ---- what it is -----------------------------------------------------------------

    @property
    def id(self) -> str:
        """The id of the ruleset."""
        return self.data.id

    @property
    def version(self) -> str:
        """The version of the ruleset."""
        return self.data.version

    def name(self, language: str = "en") -> str:
        """The name of the ruleset in a language."""
        return self.data.name.get(language) or self.data.id

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"ruleengine.load({self.id!r}{options})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Rules, (self.data, dict(self.options), dict(self.sources))

    def batch_scorer(self, language: str = "en", *, arrangement: bool = False) -> BatchScorer:
        """What `score_batch` scores record batches with; see `docs/batches.md`."""
        from ruleengine.batch.table import BatchScorer

        found = self._batches.get((language, arrangement))
        if found is None:
            found = BatchScorer(self, language, arrangement=arrangement)
            self._batches[language, arrangement] = found
        return found

    def with_options(self, options: Mapping[str, int | bool]) -> Rules:
        """The same ruleset with some options changed.

        Raises `OptionError` for an option or a value that it does not have.
        """
        changed = {**self.options, **check_options(self.data, options)}
        if changed == self.options:
            return self
        key = tuple(sorted(changed.items()))
        found = self._others.get(key)
        if found is None:
            found = Rules(self.data, changed, self.sources)
            if len(self._others) < _MAX_OTHERS:
                self._others[key] = found
        return found

    # ---- scoring --------------------------------------------------------------------

    def score(
        self,
        hand: str | Hand,
        *,
        by: str = "self_draw",
        seat: str = "E",
        round: str = "E",
        from_: str | None = None,
        liable: str | None = None,
        events: Iterable[str] = (),
        flowers: str | None = None,
        dora: int | str | None = None,
        winning_tile: str | None = None,
        id: Any = None,
    ) -> Result:
        """Score a hand: which patterns count, the total, the arrangement and the payments.

        `hand` is in the notation of `docs/notation.md`, or a `Hand`. Seats are E, S, W, N;
        `from_` is who discarded the winning tile or added it to a kong, `liable` the seat that
        bears the discarder's duty (or `none`) where it is another. `dora` is a number of dora
        tiles or the indicators as tiles. Raises `HandError` for a hand or a situation that
        cannot be; a hand that does not win is a result with `win` false.
        """
        try:
            bits = self._situations.get((by, seat, round, from_))
        except TypeError:
            # A list, say, which `_check_types` refuses.
            bits = None
        if (
            bits is not None
            and liable is None
            and not events
            and type(hand) is str
            and dora is None
            and winning_tile is None
            and flowers is None
            and (scanned := scan(hand)) is not None
        ):
            how: How = (by, seat, round, from_, None, (), 0, None)
            return self._judged(hand, scanned, how, bits, id)
        _check_types(hand, events, by=by, seat=seat, round=round)
        given = {"from": from_, "liable": liable, "winning_tile": winning_tile, "flowers": flowers}
        for name, value in given.items():
            _check_text(name, value)
        if isinstance(hand, str):
            hand = read_hand(hand, winning_tile=winning_tile, flowers=flowers)
        elif winning_tile is not None or flowers is not None:
            hand = _completed(hand, winning_tile, flowers)
        situation = Situation(by, seat, round, from_, liable, _names(events), read_dora(dora))
        return self.score_hand(hand, situation, id=id)

    def score_hand(self, hand: Hand, situation: Situation, *, id: Any = None) -> Result:
        """Score a hand in a situation; see `score`."""
        check_seats(situation, self.data)
        if not _is_plain(hand, situation):
            indicators = situation.dora if isinstance(situation.dora, tuple) else ()
            check_hand(hand, self.data.wall.copies, self._size, indicators)
        check_last_tile(hand, situation, self.data)
        dora = count_dora(hand, situation, self.data)
        if situation.events:
            check_events(hand, situation, self.data, self.options, dora, lambda: self.waits(hand))
        tile = hand.winning_tile
        assert tile is not None
        by, seat, round_, from_ = (
            situation.by,
            situation.seat,
            situation.round,
            situation.from_seat,
        )
        scanned = (
            sum([UNIT[standing] for standing in hand.standing]),
            len(hand.standing),
            tuple([LAID[meld] for meld in hand.melds]),
            tile,
        )
        given = situation.dora
        how = (by, seat, round_, from_, situation.liable, situation.events, dora, given)
        return self._judged(hand, scanned, how, self._situations[by, seat, round_, from_], id)

    def score_batch(
        self, table: Any, *, language: str = "en", arrangement: bool = False, jobs: int = 1
    ) -> pyarrow.Table:
        """Score a table of hands: an Arrow table comes in, one of results goes out, row for row.

        The columns are named as the fields of a record (`hand`, `by`, `seat`, `events`, ...), or
        `tiles` gives concealed hands as numbers of tiles; see `docs/batches.md`. Any data frame
        that Arrow can read will do. With `arrangement` the results say how each hand was read;
        `jobs` is how many threads work. A row that is wrong has an `error` in its row. Raises
        `TableError` for what is no table of hands.
        """
        from ruleengine.batch.table import score_batch

        return score_batch(self, table, language=language, arrangement=arrangement, jobs=jobs)

    def _judged(
        self, hand: str | Hand, scanned: Scanned, how: How, bits: tuple[int, int, int], id: Any
    ) -> Result:
        """Score what has been read. `bits` are way, seat and round."""
        before, size, melds, tile = scanned
        code = before + UNIT[tile]
        room = self._wall_code - code
        way, seat_bit, round_bit = bits
        whole = code
        if melds:
            laid_open = len(melds)
            kind = way | 8
            c1 = c2 = c3 = c4 = ct = kc = kk = ck = cn = 0
            for sort, bit, kinds, meld_code in melds:
                if room & _HIGH != _HIGH:
                    break
                room -= meld_code
                ck |= kinds
                if sort == 0:
                    cn += 1
                    c4 |= c3 & bit
                    c3 |= c2 & bit
                    c2 |= c1 & bit
                    c1 |= bit
                elif sort == 1:
                    ct |= bit
                elif sort == 2:
                    kc |= bit
                else:
                    kk |= bit
            laid: tuple[int, ...] = (c1, c2, c3, c4, ct, kc, kk, ck, cn)
            whole = self._wall_code - room
        else:
            laid_open, kind, laid = 0, way, _NOTHING_LAID
        # Eight or more of a tile may borrow so much that the room looks as if it were enough.
        if size + 3 * laid_open + 1 != self._size or room & _HIGH != _HIGH or code & _HIGH:
            raise self._refused(hand)
        if way == 4 and whole >> (4 * tile) & 15 > 1:
            raise self._refused(hand, Situation(by="robbing_kong"))
        won = 1 << tile
        rows = self._rows(code, laid_open, won, way == 1)
        if not rows:
            return Result((self, hand, how, id, None))
        events = 0
        if how[5]:
            kind |= 16
            for event in how[5]:
                events |= self.program.events[event]
        rare = _NOTHING_RARE
        if self._reads_rare:
            rare = self._rare(hand, how, before, whole, tile, laid_open)
        judge = self._judges[kind] or self._judge_of(kind)
        found = judge(rows, way, seat_bit, round_bit, events, won, code, before, laid, rare)
        return Result((self, hand, how, id, found))

    def _judge_of(self, kind: int) -> Callable[..., Judgement | None]:
        """The judge of a kind of wins: the way, 8 with melds, 16 with events. It is written when so
        many of them came up that it pays."""
        self._judged_of[kind] += 1
        if self._judged_of[kind] < self.worth_a_judge:
            return self.program.judge_of_all
        judge = self.program.judge(kind & 7, bool(kind & 8), bool(kind & 16))
        self._judges[kind] = judge
        return judge

    def waits(self, hand: Hand) -> int:
        """How many different tiles complete a hand, its winning tile set aside."""
        before = sum([UNIT[tile] for tile in hand.standing])
        held = before + sum([LAID[meld][3] for meld in hand.melds])
        return len(self.finder.waits(before, len(hand.melds), held, self._wall_code))

    def _rare(
        self,
        hand: str | Hand,
        how: How,
        before: int,
        whole: int,
        tile: int,
        laid_open: int,
    ) -> tuple[int, int, int, int, int, int, int, int]:
        """The facts in the order of `program.RARE_FACTS`; those that are not read are 0."""
        n2 = n3 = n4 = waits = 0
        if self._reads_layers:
            for at in range(len(UNIT)):
                held = whole >> (4 * at) & 15
                n2 |= (held >= 2) << at
                n3 |= (held >= 3) << at
                n4 |= (held >= 4) << at
        if self._reads_waits:
            held = whole - UNIT[tile]
            waits = len(self.finder.waits(before, laid_open, held, self._wall_code))
        of_flowers = hand.flowers if isinstance(hand, Hand) else ()
        flowers = sum([1 << flower for flower in of_flowers])
        seat_flower = self.data.wall.seat_flowers.get(how[1], 0)
        return n2, n3, n4, whole, flowers, seat_flower, how[6], waits

    def arrangement_at(self, result: Result) -> Arrangement:
        """The arrangement of the row that a result was scored by."""
        hand = result.hand
        self_drawn = result.situation.by == "self_draw"
        tile = hand.winning_tile
        assert tile is not None
        code = sum([UNIT[tile] for tile in hand.standing]) + UNIT[tile]
        rows = self.finder.rows(code, len(hand.melds), 1 << tile, self_drawn)
        return self.finder.arrangement(rows[result.place], hand, self_drawn)

    def _refused(self, hand: str | Hand, situation: Situation | None = None) -> HandError:
        """The error of a hand that cannot be."""
        if isinstance(hand, str):
            hand = read_hand(hand)
        try:
            check_hand(hand, self.data.wall.copies, self._size)
            check_robbed(hand, situation or Situation())
        except HandError as error:
            return error
        raise AssertionError(hand)


def _is_plain(hand: Hand, situation: Situation) -> bool:
    """Whether nothing can be wrong but how many there are of the tiles, which `Rules._judged` sees
    sooner."""
    tiles = hand.standing
    return bool(
        hand.winning_tile is not None
        and not hand.flowers
        and not situation.events
        and situation.dora is None
        and situation.liable is None
        and situation.by != "robbing_kong"
        and tiles
        and min(tiles) >= 0
        and max(tiles) < FIRST_FLOWER
        and 0 <= hand.winning_tile < FIRST_FLOWER
    )


def _check_types(hand: object, events: object, **texts: object) -> None:
    """Refuse arguments of the wrong kind in one sentence. Raises `HandError` H312."""
    if not isinstance(hand, str | Hand):
        raise HandError("H312", f"'hand' is a text or a Hand, not {quote(str(hand))}")
    if isinstance(events, str) or not isinstance(events, Iterable):
        shown = quote(str(events))
        raise HandError("H312", f"'events' is a list of names, not {shown}")
    for name in ("by", "seat", "round"):
        _check_text(name, texts[name], needed=True)


def _names(events: Iterable[object]) -> frozenset[str]:
    """The names of events. Raises `HandError` H312 where one is no text."""
    found: set[str] = set()
    for event in events:
        if not isinstance(event, str):
            raise HandError("H312", f"an event is a text, not {quote(str(event))}")
        found.add(event)
    return frozenset(found)


def _check_text(name: str, value: object, *, needed: bool = False) -> None:
    if not isinstance(value, str) and (needed or value is not None):
        raise HandError("H312", f"'{name}' is a text, not {quote(str(value))}")


def _completed(hand: Hand, winning_tile: str | None, flowers: str | None) -> Hand:
    """A hand with what was given besides it."""
    given = read_hand("1m", winning_tile=winning_tile, flowers=flowers)
    if winning_tile is not None and hand.winning_tile is not None:
        raise HandError("H120", "the winning tile is given twice, in the hand and beside it")
    tile = hand.winning_tile if winning_tile is None else given.winning_tile
    extra = tuple(sorted(hand.flowers + given.flowers))
    return Hand(hand.standing, hand.melds, tile, extra)


_NOTHING_LAID: tuple[int, ...] = (0,) * len(LAID_FACTS)
_NOTHING_RARE = (0,) * len(RARE_FACTS)
