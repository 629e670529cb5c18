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
        ("patterns:\n  new:\n    when: shape is ¦", ["basic", "seven_pairs", "thirteen_orphans"]),
        ("patterns:\n  new:\n    when: win by ¦", ["self_draw", "discard", "robbing_kong"]),
        (
            "patterns:\n  new: {when: win by discard | ¦",
            ["self_draw", "discard", "robbing_kong"],
        ),
        ("patterns:\n  new:\n    status: ¦", ["stated", "implied", "reconstructed"]),
        ("settlement:\n  win:\n    - when: payer is ¦", ["dealer", "liable", "winner"]),
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
            ["one_kong", "last_tile", "standard", "dealer", "count", "value", "pair"],
            ["payer", "points", "self_draw"],
        ),
        (
            "settlement:\n  win:\n    - pays: ¦",
            ["points", "standard", "payer", "last_tile", "min"],
            ["one_kong", "count", "payee", "pair"],
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
