"""Comparisons for the tests of their faces: real rulesets, and hands that were really scored."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from ruleengine.compare.model import (
    Chosen,
    Comparison,
    Ends,
    EndWitness,
    Impact,
    Judged,
    LeftOut,
    Meeting,
    Tilt,
    UnderOptions,
    Witness,
)
from ruleengine.compare.structure import said_otherwise
from ruleengine.compare.three_way import Crossing, ThreeWay
from ruleengine.errors import HandError
from ruleengine.hands.effect import Effect
from ruleengine.record import score_record
from ruleengine.rules import Rules
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.read import read_ruleset_file, read_ruleset_text
from ruleengine.settle import settle_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.result import Result
    from ruleengine.settle import Settled

SUIT = {"hand": "1112222333445m+1m"}
DEAR = {"hand": "1112222333444m+1m", "by": "discard", "from": "S"}

HOUSE = """\
format: 1
id: house
extends: zhongyong-3.3
name: {en: "House <b>@all</b> #1 | `x`"}
version: "3.3"
terms:
  value: dragon
patterns:
  all_sequences: {when: count sequences >= 3, points: 6}
  no_terminals: {when: no tile is terminal | honor}
  lucky: {points: 7, when: win by self_draw, name: {en: "*Lucky* [draw](http://x.example)"}}
remove: [patterns.one_kong]
settlement:
  win:
    - {when: win by self_draw or no seat is liable, pays: points}
    - {when: payer is liable, pays: "3 * points"}
    - {pays: 0}
"""


def scored(rules: Rules, record: Mapping[str, object]) -> Result | HandError:
    try:
        return score_record(rules, record)
    except HandError as error:
        return error


@cache
def versions() -> Comparison:
    """v3.2 to v3.3, with a hand for each of the two changes, and one where they meet."""
    old, new = (read_ruleset_file(ruleset_ids()[f"zhongyong-{x}"]) for x in ("3.2", "3.3"))
    found = said_otherwise(old, new)
    suit, standard, *texts = found.changes
    assert suit.change.kind == "points-changed"
    assert standard.change.level == "payment"
    fewer = replace(found.old.data.patterns["pure_one_suit"])
    fewer = replace(fewer, awards=found.new.data.patterns["pure_one_suit"].awards)
    patterns = {**found.old.data.patterns, "pure_one_suit": fewer}
    alone = Rules(replace(found.old.data, patterns=patterns))
    cheaper = found.old.with_options({"standard": 25})
    both = alone.with_options({"standard": 25})
    shown = Witness(SUIT, scored(found.old, SUIT), scored(alone, SUIT), scored(found.new, SUIT))
    paid = Witness(DEAR, *(scored(rules, DEAR) for rules in (found.old, cheaper, found.new)))
    judged = (
        Judged(suit.change, Effect("narrower", "proved", 1, 0, 1), shown),
        Judged(standard.change, Effect("different", "proved", 17644, 3000, 9000), paid),
        *texts,
    )
    meeting = Meeting(
        suit.change, standard.change, DEAR,
        tuple(scored(rules, DEAR) for rules in (found.old, alone, cheaper, both)),
    )  # fmt: skip
    hands = Impact(
        looked=27_907_837, changed=45_354, up=0, down=45_354, otherwise=0, wins_gained=0,
        wins_lost=0, ways=1_000_000, changed_ways=104, down_ways=104, differences={-20: 45_354},
    )  # fmt: skip
    plays = Impact(
        looked=12_000, changed=1_149, up=3, down=1_146, otherwise=2, wins_gained=1, wins_lost=4,
        differences={-20: 1_146, 15: 3}, complete=False, seed=1, payments_changed=4_364,
        patterns={"pure_one_suit": Tilt(5, 7), "seven_pairs": Tilt(lost=2)},
    )  # fmt: skip
    return replace(
        found, changes=judged, hands=hands, plays=plays, meetings=(meeting,),
        left_out=(LeftOut("witnesses", 1), LeftOut("pairs")),
    )  # fmt: skip


@cache
def house() -> Comparison:
    """A house ruleset with a name that would do harm to a page, and changes of every level."""
    old = read_ruleset_file(ruleset_ids()["zhongyong-3.3"])
    found = said_otherwise(old, read_ruleset_text(HOUSE, "house.yaml"))
    record = {"hand": "123m456m789p23s55p+4s", "flowers": "1f"}
    flowers = Rules(read_ruleset_file(ruleset_ids()["zhongyong-3.3-flowers"]).data)
    changes: list[Judged] = []
    for judged in found.changes:
        change = judged.change
        if change.at == "patterns.all_sequences.when":
            change = replace(change, kind="condition-widened")
            effect = Effect("wider", "sampled", 5000, 12)
            won = scored(flowers, record)
            witness = Witness(record, scored(found.old, record), won, won)
            judged = Judged(change, effect, witness)
        elif change.at == "patterns.no_terminals.when":
            judged = Judged(change, Effect("equal", "proved", 1234))
        elif change.kind == "pattern-removed":
            judged = Judged(change, silent=True)
        changes.append(judged)
    return replace(found, changes=tuple(changes))


WINS = [
    {"hand": "23m234m678p33s[678s]+4m", "by": "discard", "seat": "S", "from": "W"},
    {"hand": "23m456p789s11p[345s]+4m", "by": "discard", "seat": "E", "from": "W",
     "discards": [["E", "9p"]]},
]  # fmt: skip
TABLE = """\
format: 1
id: table
extends: simple-1
name: {en: Table}
version: "2"
patterns:
  seven_pairs: {when: shape is seven_pairs and not_ready < 3}
settlement:
  exhausted:
    - {when: payer is not ready and payee is ready, pays: not_ready + 1}
    - {pays: 0}
  winners: first
  stakes: {amount: 2}
"""


def settled(rules: Rules, request: Mapping[str, object]) -> Settled | HandError:
    try:
        return settle_table(rules, request)
    except HandError as error:
        return error


@cache
def table() -> Comparison:
    """Changes of payments that ends of hands show, and what one does under values of an option."""
    found = said_otherwise(
        read_ruleset_file(ruleset_ids()["simple-1"]), read_ruleset_text(TABLE, "table.yaml")
    )
    requests: Mapping[str, Mapping[str, object]] = {
        "settlement.exhausted": {"event": "exhausted", "ready": ["E", "S"], "carried": 2},
        "settlement.winners": {"event": "win", "wins": WINS},
        "settlement.stakes.amount": {"event": "abortive", "stakes": {"E": 1, "N": 1}},
    }
    never = Effect("equal", "proved", 5000)
    narrower = Effect("narrower", "proved", 5000, 0, 12)
    changes: list[Judged] = []
    for judged in found.changes:
        request = requests.get(judged.change.at)
        if request is not None:
            both = [settled(rules, request) for rules in (found.old, found.new, found.new)]
            ends = Ends("proved" if "ready" in request else "sampled", 1408, 704)
            options = {"not_ready": 2} if "ready" in request else {}
            judged = replace(judged, ends=ends, end=EndWitness(request, options, *both))
        elif judged.change.at == "patterns.seven_pairs.when":
            tried = [
                Chosen({"not_ready": n}, narrower if n > 2 else never) for n in (1, 0, 2, 3, 5)
            ]
            change = replace(judged.change, kind="condition-narrowed", level="score")
            judged = Judged(change, narrower, under=UnderOptions(tuple(tried), 101, False))
        changes.append(judged)
    return replace(found, changes=tuple(changes))


@cache
def same() -> Comparison:
    """A ruleset and the same again."""
    read = read_ruleset_file(ruleset_ids()["zhongyong-3.3"])
    return said_otherwise(read, read)


@cache
def branches() -> ThreeWay:
    """Two branches from v3.3 that meet in a value and in a hand."""
    found, other = versions(), house()
    base = other.old
    ours = [judged.change for judged in said_otherwise(
        read_ruleset_file(ruleset_ids()["zhongyong-3.3"]),
        read_ruleset_file(ruleset_ids()["zhongyong-3.2"]),
    ).changes]  # fmt: skip
    theirs = [judged.change for judged in other.changes]
    results = tuple(scored(rules, DEAR) for rules in (base, found.old, other.new, other.new))
    return ThreeWay(
        base, found.old, other.new,
        same=(ours[2],),
        crossings=(
            Crossing(ours[0], theirs[0], "hand", DEAR, results),
            Crossing(ours[1], theirs[1], "value"),
        ),
        ours=tuple(ours[3:]), theirs=tuple(theirs[2:]), left_out=(LeftOut("pairs"),),
    )  # fmt: skip
