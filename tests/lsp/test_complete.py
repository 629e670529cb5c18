"""What may stand at a place is offered, and nothing that may not. `¦` is the place."""

from __future__ import annotations

import pytest

from ruleengine.lsp.complete import completions
from ruleengine.lsp.document import Document

HEAD = "format: 1\nid: house\nextends: zhongyong-3.3\nname: H\n"


def words(body: str) -> list[str]:
    text = HEAD + body
    before = text[: text.index("¦")]
    document = Document(text.replace("¦", ""), "house.yaml")
    column = len(before.split("\n")[-1]) + 1
    return [one.word for one in completions(document, before.count("\n") + 1, column, ())]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "patterns:\n  new:\n    when: shape is ¦",
            ["basic", "seven_pairs", "thirteen_orphans", "not"],
        ),
        ("patterns:\n  new:\n    when: win by ¦", ["self_draw", "discard", "robbing_kong"]),
        (
            "patterns:\n  new: {when: win by discard | ¦",
            ["self_draw", "discard", "robbing_kong"],
        ),
        ("patterns:\n  new:\n    status: ¦", ["stated", "implied", "reconstructed"]),
        ("settlement:\n  win:\n    - when: payer is ¦", ["dealer", "liable", "winner", "not"]),
        ("settlement:\n  exhausted:\n    - {when: payee is not ¦", ["dealer", "ready"]),
        ("options:\n  table: {type: ¦", ["int", "bool"]),
        ("name: {¦", ["en", "zh-Hant", "zh-Hans", "ja"]),
        ("patterns:\n  new:\n    name: {en: X, ¦", ["en", "zh-Hant", "zh-Hans", "ja"]),
        ("settlement: {stakes: {to: ¦", ["first", "own_first"]),
        ("liability: {¦", ["moves", "nobody", "barred"]),
        ("patterns:\n  new:\n    hits:\n      - {hand: x, seat: ¦", ["E", "S", "W", "N"]),
        ("patterns:\n  new:\n    doc: some ¦", []),
        ("total:\n  value: ¦ ", None),
    ],
)
def test_what_is_offered(body: str, expected: list[str] | None) -> None:
    found = words(body)
    if expected is not None:
        assert found == expected
    assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("body", "there", "not_there"),
    [
        ("¦", ["patterns", "remove", "settlement"], ["format", "name", "when"]),
        (
            "patterns:\n  one_kong:\n    points: 3\n    ¦",
            ["when", "hits", "supersedes"],
            ["points", "needs"],
        ),
        ("patterns:\n  ¦\n", ["one_kong", "seven_pairs"], ["last_tile", "points"]),
        ("patterns:\n  one_kong: {points: 3}\n  ¦\n", ["seven_pairs"], ["one_kong"]),
        ("remove: [¦", ["patterns.one_kong", "events.last_tile"], ["id"]),
        (
            "patterns:\n  new:\n    when: ¦",
            ["one_kong", "last_tile", "standard", "dealer", "count", "pair", "if", "not"],
            ["payer", "points", "self_draw", "value", "honor", "new", "and", "then", "is"],
        ),
        (
            "settlement:\n  win:\n    - pays: ¦",
            ["points", "standard", "min", "if"],
            ["one_kong", "count", "payee", "pair", "payer", "last_tile", "true"],
        ),
        (
            "settlement:\n  win:\n    - pays: if ¦",
            ["points", "payer", "last_tile", "some", "win"],
            ["one_kong", "count", "payee", "pair"],
        ),
        (
            "patterns:\n  new: {when: count ¦",
            ["kongs", "tiles", "claimed"],
            ["kong", "and", "seats"],
        ),
        ("patterns:\n  new: {when: count tri¦", ["triplets"], ["triplet", "one_kong"]),
        ("patterns:\n  new: {when: all t¦", ["triplets", "tiles"], ["tile", "suits", "then"]),
        ("patterns:\n  new: {when: every ¦", ["set", "concealed"], ["sets", "seat", "one_kong"]),
        ("patterns:\n  new: {when: dealer and ¦", ["not", "one_kong"], ["and", "if", "then", "of"]),
        ("patterns:\n  new: {when: some tile is ¦", ["honor", "value", "not"], ["kong", "claimed"]),
        ("patterns:\n  new: {when: pair is ¦", ["dragon", "seat_wind"], ["pair", "concealed", "E"]),
        (
            "patterns:\n  new: {when: winning_group is ¦",
            ["kong", "claimed", "honor"],
            ["set", "edge"],
        ),
        ("patterns:\n  new: {when: has concealed ¦", ["triplet", "pair"], ["set", "honor"]),
        ("patterns:\n  new: {when: some tile is honr and ¦", ["not", "one_kong"], ["honor"]),
        ("patterns:\n  new: {when: count kongs ¦", ["of"], ["and", "or", "is"]),
        ("patterns:\n  new: {when: (if dealer ¦", ["then", "and"], ["else", "is"]),
        ("patterns:\n  no_meld: {when: ¦", ["dealer"], ["no_meld"]),
        ("terms:\n  new: ¦", ["honor", "dealer", "payer", "count", "value"], ["self_draw", "E"]),
        (
            "events:\n  last_tile: {needs: ¦",
            ["dealer", "discarder"],
            ["last_tile", "payer", "shape"],
        ),
        ("total:\n  cap: ¦", ["standard", "max"], ["one_kong", "points", "last_tile", "win"]),
        ("total:\n  value: ¦", ["points", "standard"], ["one_kong", "count"]),
        ("patterns:\n  new: {times: count triplets of ¦", ["dragon", "value"], ["one_kong"]),
        (
            "patterns:\n  new:\n    misses:\n      - {¦",
            ["hand", "lost_to", "fails", "why"],
            ["when"],
        ),
        ("patterns:\n  new:\n    hits:\n      - {¦", ["hand", "points"], ["lost_to"]),
        ("patterns:\n  new:\n    supersedes: [one_kong, ¦", ["two_kongs"], ["last_tile"]),
    ],
)
def test_what_is_offered_and_what_is_not(body: str, there: list[str], not_there: list[str]) -> None:
    found = words(body)
    assert set(there) <= set(found)
    assert not set(not_there) & set(found)


@pytest.mark.parametrize("sentence", ["dealer ", "seat is E ", "not (dealer) "])
def test_a_whole_sentence_goes_on_with_a_join(sentence: str) -> None:
    assert words(f"patterns:\n  new:\n    when: {sentence}¦") == ["and", "or"]
