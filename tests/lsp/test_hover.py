"""What an editor shows at a key: the value that counts, and where it comes from."""

from __future__ import annotations

import re

import pytest

from ruleengine.lsp import features
from ruleengine.lsp.document import Document

VARIANT = """\
format: 1
id: house
extends: zhongyong-3.3
name: H
patterns:
  one_kong:
    points: 7
    series: "4.x"
    hits: ["111222333z11m44z+4z"]
  new:
    points: 3
    when: dealer
    name: {en: New, ja: 新}
"""
PARENT = "zhongyong-3.3.yaml"


def shown(key: str) -> str | None:
    document = Document(VARIANT, "house.yaml")
    before = VARIANT[: VARIANT.index(f"{key}:")]
    column = len(before) - before.rfind("\n")
    told = features.hover(document, document.place(before.count("\n") + 1, column))
    # The parent stands elsewhere on each machine, its lines move as it grows.
    return None if told is None else re.sub(rf"[^ ]*{PARENT}:\d+", "PARENT", told)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("points", "**patterns.one_kong.points**: `7` from house.yaml:7; was `5` from PARENT"),
        ("series", "**patterns.one_kong.series**: `4.x` from house.yaml:8; was `4.3` from PARENT"),
        ("when", "**patterns.new.when**: `dealer` from house.yaml:12"),
        (
            "name: {en",
            "**patterns.new.name.en**: `New` from house.yaml:13\n\n"
            "**patterns.new.name.ja**: `新` from house.yaml:13",
        ),
        ("patterns", None),
    ],
)
def test_a_key_has_its_value_and_where_that_comes_from(key: str, expected: str | None) -> None:
    assert shown(key) == expected


def test_a_long_value_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "LONGEST_VALUE", 12)
    assert shown("hits") == (
        '**patterns.one_kong.hits**: `["111222333z...` from house.yaml:9; '
        'was `[{hand: "234...` from PARENT'
    )


def test_of_many_values_the_first_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "MOST_VALUES", 1)
    told = "**patterns.new.name.en**: `New` from house.yaml:13\n\n... and 1 more"
    assert shown("name: {en") == told
