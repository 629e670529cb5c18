"""What a change does to ends of hands at a table, and under which options, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ruleengine.errors import HandError
from ruleengine.faces.compared import Row, is_truth, signed
from ruleengine.settle import Settled
from ruleengine.tiles import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ruleengine.compare.model import EndWitness, Judged, MetEnd, UnderOptions
    from ruleengine.faces.compared import Telling
    from ruleengine.hands.effect import Effect
    from ruleengine.result import Result

MOST_LINES = 6
"""Values of options that are told apart; of more, how many others there are."""
MOST_VALUES = 12
_ENDS = {
    (True, True): "diff_ends_some_all",
    (True, False): "diff_ends_some_tried",
    (False, True): "diff_ends_none_all",
    (False, False): "diff_ends_none_tried",
}
"""What is said of ends, by whether some are settled otherwise, and whether these are all."""


@dataclass(frozen=True, slots=True)
class ShownEnd:
    """An end of a hand with what it comes to under several rulesets.

    `words` say how it ended, where no hand says it; each of `hands` won, with what was discarded
    before. `reasons` say why a ruleset cannot settle it.
    """

    words: str
    hands: tuple[tuple[Result, str], ...]
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    reasons: tuple[str, ...]


def shown_end(end: EndWitness, telling: Telling, absent: str = "·") -> ShownEnd:
    """An end that shows a change, under the rulesets under which it comes to something else."""
    names = [telling.say("diff_old"), telling.say("diff_new")]
    outcomes = [end.old, end.new]
    if _told(end.whole) != _told(end.new):
        names.append(telling.say("diff_whole"))
        outcomes.append(end.whole)
    options = telling.option_words(end.options)
    return _shown(end.request, options, names, outcomes, telling, absent)


def shown_meeting(
    end: MetEnd, names: Sequence[str], telling: Telling, absent: str = "·"
) -> ShownEnd:
    """An end in which two changes meet, under the rulesets of these names."""
    return _shown(end.request, (), names, end.results, telling, absent)


def _shown(
    request: Mapping[str, object],
    options: Iterable[str],
    names: Sequence[str],
    outcomes: Sequence[Settled | HandError],
    telling: Telling,
    absent: str,
) -> ShownEnd:
    done = [one for one in outcomes if isinstance(one, Settled)]
    hands = _hands(request, done[0], telling) if done else ()
    errors = [one for one in outcomes if isinstance(one, HandError)]
    return ShownEnd(
        words=telling.say("clause").join([*_words(request, telling), *options]),
        hands=tuple(hands),
        names=tuple(names),
        rows=tuple(_rows(outcomes, telling, absent)),
        reasons=tuple(dict.fromkeys(map(str, errors))),
    )


def _told(one: Settled | HandError) -> object:
    if isinstance(one, HandError):
        return one.code
    return one.payments, one.stakes_left


def _rows(outcomes: Iterable[Settled | HandError], telling: Telling, absent: str) -> Iterable[Row]:
    done = [one if isinstance(one, Settled) else None for one in outcomes]
    for seat in SEATS:
        cells = [absent if one is None else signed(one.payments[seat]) for one in done]
        yield Row("payment", telling.say(f"seat_{seat}"), tuple(cells))
    if any(one is not None and one.stakes_left for one in done):
        cells = [absent if one is None else str(one.stakes_left) for one in done]
        yield Row("payment", telling.say("end_left"), tuple(cells))


def _words(request: Mapping[str, object], telling: Telling) -> Iterable[str]:
    """How the hand ended, as far as no hand that wins says it."""
    say = telling.say
    event = request["event"]
    if event == "exhausted":
        yield say("settled_exhausted")
        ready = [say(f"seat_{seat}") for seat in _list(request["ready"])]
        seats = say("comma").join(ready)
        yield say("settled_ready", seats=seats) if ready else say("settled_none_ready")
    elif event == "wrong_win":
        yield say("settled_wrong_win", seat=say(f"seat_{request['seat']}"))
    elif event == "abortive":
        yield say("settled_abortive")
    stakes = request.get("stakes")
    if isinstance(stakes, dict):
        some = [f"{say(f'seat_{seat}')} {amount}" for seat, amount in stakes.items()]
        yield say("end_stakes", stakes=say("comma").join(some))
    if request.get("carried"):
        yield say("end_carried", n=request["carried"])


def _hands(
    request: Mapping[str, object], done: Settled, telling: Telling
) -> Iterable[tuple[Result, str]]:
    """The hands that win, in the order of the request."""
    by_seat = {one.situation.seat: one for one in (*done.winners, *done.passed_over)}
    for record in _list(request.get("wins", [])):
        discards = _list(record.get("discards", []))
        some = [f"{telling.say(f'seat_{seat}')} {tile}" for seat, tile in discards]
        before = telling.say("end_discards", discards=telling.say("comma").join(some))
        yield by_seat[record.get("seat", "E")], before if some else ""


def _list(value: object) -> list[Any]:
    assert isinstance(value, list)
    return value


# ---- how many ends, which options ------------------------------------------------------------


def notes(judged: Judged, telling: Telling) -> list[str]:
    """What else is to be said of a change: what becomes of ends of hands, what it does under values
    of the options that it reads."""
    found: list[str] = []
    if judged.under is not None:
        if judged.change.section == "options":
            found += _chosen(judged.under, telling)
        else:
            found += _under(judged.under, telling, truth=is_truth(judged.change))
    ends = judged.ends
    if ends is not None:
        said = _ENDS[ends.changed > 0, ends.how == "proved"]
        found.append(telling.say(said, changed=f"{ends.changed:,}", looked=f"{ends.looked:,}"))
    return found


def _chosen(under: UnderOptions, telling: Telling) -> list[str]:
    """What becomes of tables that choose the value of an option themselves."""
    others = [chosen.options for chosen in under.tried if chosen.effect.relation != "equal"]
    if others:
        values = telling.say("comma").join(_values(others, telling))
        return [telling.say("diff_chosen_other", values=values)]
    numbers = {"tried": f"{len(under.tried):,}", "number": f"{under.number:,}"}
    if under.whole:
        return [telling.say("diff_chosen_same", number=numbers["number"])]
    return [telling.say("diff_chosen_some", **numbers)]


def _under(under: UnderOptions, telling: Telling, *, truth: bool) -> list[str]:
    """What a change does under values of options, those together for which it does the same."""
    say = telling.say
    groups: dict[Effect, list[Mapping[str, int | bool]]] = {}
    for chosen in under.tried:
        groups.setdefault(chosen.effect, []).append(chosen.options)
    named = say("comma").join(telling.option_name(name) for name in under.tried[0].options)
    numbers = {"tried": f"{len(under.tried):,}", "number": f"{under.number:,}"}
    if len(groups) == 1:
        if under.whole:
            return [say("diff_under_all", options=named, number=numbers["number"])]
        return [say("diff_under_some", options=named, **numbers)]
    found: list[str] = []
    for effect, choices in list(groups.items())[:MOST_LINES]:
        values = say("comma").join(_values(choices, telling))
        found.append(f"{values}{say('colon')}{telling.effect_words(effect, truth=truth)}")
    if len(groups) > MOST_LINES:
        found.append(say("diff_others", n=len(groups) - MOST_LINES))
    if not under.whole:
        found.append(say("diff_under_tried", options=named, **numbers))
    return found


def _values(choices: list[Mapping[str, int | bool]], telling: Telling) -> list[str]:
    """Choices of options in words; numbers of one option that follow one another as a range."""
    if len(choices[0]) == 1 and all(type(v) is int for one in choices for v in one.values()):
        ((name, _),) = choices[0].items()
        words = [_range(run) for run in _runs(sorted(int(one[name]) for one in choices))]
        words[0] = f"{telling.option_name(name)} {words[0]}"
    else:
        words = [" ".join(telling.option_words(one)) for one in choices]
    if len(words) > MOST_VALUES:
        words[MOST_VALUES:] = [telling.say("diff_others", n=len(words) - MOST_VALUES)]
    return words


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def _range(run: tuple[int, int]) -> str:
    first, last = run
    return str(first) if first == last else f"{first}-{last}"
