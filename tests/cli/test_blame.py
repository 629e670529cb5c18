"""`yaku blame` and `yaku show --effective`, end to end."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from ruleengine.fmt import format_text
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.read import read_ruleset_file, read_ruleset_text
from tests.cli.same import same_rules

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

BASE = """\
format: 1
id: base
name: {en: Base, ja: 基本}
version: "1"
tiles:
  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}
shapes: {basic: {sets: 4, pairs: 1}}
options:
  minimum: {type: int, default: 0}
patterns:
  one: {points: 1, when: count kongs = 1}
  two: {points: 2, when: count kongs = 2, hits: ["11m22p(3333s)(4444s)(5555s)[777z]+1m"]}
  three: {points: 3, when: count kongs = 3}
settlement: {win: [{pays: points}]}
"""
MIDDLE = """\
format: 1
id: middle
extends: base
remove: [patterns.three, patterns.two]
options:
  minimum: {default: 3}
patterns:
  one: {points: 10}
"""
TOP = """\
format: 1
id: top
extends: middle
name: Top
patterns:
  one:
    points: 100
  two: {points: 20, when: count kongs >= 2}
remove:
  - options
"""


@pytest.fixture
def chain(yaku: Yaku) -> Yaku:
    for name, text in (("base", BASE), ("middle", MIDDLE), ("top", TOP)):
        Path(f"{name}.yaml").write_text(text, encoding="utf-8")
    return yaku


def test_a_value_has_the_places_that_set_it(chain: Yaku) -> None:
    run = chain("blame", "./top.yaml", "patterns.one")
    assert (run.status, run.lines) == (
        0,
        [
            "patterns.one.points  100 (was 10)     base.yaml:11 → middle.yaml:8 → top.yaml:7",
            "patterns.one.when    count kongs = 1  base.yaml:11",
        ],
    )
    run = chain("blame", "./top.yaml", "patterns.one.points", "--ascii")
    assert run.out == (
        "patterns.one.points  100 (was 10)  base.yaml:11 -> middle.yaml:8 -> top.yaml:7\n"
    )


def test_what_was_taken_away_and_came_back(chain: Yaku) -> None:
    run = chain("blame", "./top.yaml", "patterns.two", "--json")
    found = {one["path"]: one["steps"] for one in run.json}
    assert set(found) == {"patterns.two.points", "patterns.two.when"}
    steps = found["patterns.two.points"]
    assert [(step["rules"], step["line"], step.get("value")) for step in steps] == [("top", 8, 20)]
    run = chain("blame", "./top.yaml", "patterns.three")
    assert run.lines == [
        "patterns.three  taken away (was {points: 3, when: count kongs…)  "
        "base.yaml:13 → middle.yaml:4"
    ]
    run = chain("blame", "./top.yaml", "options", "--json")
    assert [step.get("removed") for step in run.json[0]["steps"]] == [None, None, True]


def test_a_value_that_replaces_a_whole_mapping(chain: Yaku) -> None:
    run = chain("blame", "./top.yaml", "name")
    assert run.out == "name  Top (was {en: Base, ja: 基本})  base.yaml:3 → top.yaml:4\n"


def test_all_values_and_only_those_of_the_ruleset_itself(chain: Yaku) -> None:
    paths = [line.split()[0] for line in chain("blame", "./top.yaml").lines]
    assert paths[:5] == ["format", "id", "extends", "name", "version"]
    assert "tiles.wall.123456789m" in paths
    assert not [path for path in paths if path.startswith("options")]
    own = [line.split()[0] for line in chain("blame", "./top.yaml", "--changed").lines]
    assert own == [
        "format", "id", "extends", "name", "options", "patterns.one.points", "patterns.two.points",
        "patterns.two.when",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("patterns.xyzzy", "patterns.one, patterns.two"),
        ("patterns.xyzzy.when", "patterns.one, patterns.two"),
        ("patterns.one.nope", "patterns.one.points, patterns.one.when"),
        ("patterns.one.when.nope", "patterns.one.when"),
    ],
)
def test_nothing_at_a_path_names_what_is_there_instead(chain: Yaku, path: str, there: str) -> None:
    run = chain("blame", "./top.yaml", path)
    assert (run.status, run.out) == (2, "")
    (line,) = [line for line in run.err.splitlines() if "help:" in line]
    named = line.removeprefix("  help: there are: ").split(", ")
    assert set(there.split(", ")) <= set(named)
    assert all(one.count(".") == there.split(", ")[0].count(".") for one in named)


def test_nothing_at_a_path(chain: Yaku) -> None:
    run = chain("blame", "./top.yaml", "patterns.onne")
    assert (run.status, run.out) == (2, "")
    assert run.err == (
        "yaku: top has nothing at 'patterns.onne'\n  help: did you mean 'patterns.one'?\n"
    )
    run = chain("blame", "./top.yaml", "xyz")
    assert "there are: format, id, extends, name" in run.err


def test_without_a_parent_every_value_has_one_place(chain: Yaku) -> None:
    run = chain("blame", "./base.yaml", "--json")
    assert all(len(one["steps"]) == 1 for one in run.json)
    assert all(one["steps"][0]["rules"] == "base" for one in run.json)


@pytest.mark.parametrize(
    ("language", "words"),
    [("zh-Hant", "100（原為10）"), ("zh-Hans", "100（原为10）"), ("ja", "100（元は10）")],
)
def test_in_other_languages(chain: Yaku, language: str, words: str) -> None:
    assert words in chain("blame", "./top.yaml", "patterns.one.points", "--lang", language).out


# ---- show --effective --------------------------------------------------------------


def test_the_effective_file_says_the_same(chain: Yaku) -> None:
    run = chain("show", "./top.yaml", "--effective")
    assert run.status == 0
    assert run.out.startswith(
        "# top with what it inherits from middle, base\nformat: 1\nid: top\nname: Top\n"
    )
    assert "extends" not in run.out
    assert format_text(run.out) == run.out
    before = read_ruleset_file(Path("top.yaml")).data
    same_rules(read_ruleset_text(run.out).data, before)


@pytest.mark.parametrize("id_", sorted(ruleset_ids()))
def test_effective_shipped_rulesets(yaku: Yaku, id_: str) -> None:
    run = yaku("show", id_, "--effective")
    assert run.status == 0
    assert format_text(run.out) == run.out
    same_rules(read_ruleset_text(run.out).data, read_ruleset_file(ruleset_ids()[id_]).data)


def test_effective_as_json(chain: Yaku) -> None:
    text = chain("show", "./top.yaml", "--effective").out
    found = chain("show", "./top.yaml", "--effective", "--json").json
    assert found["patterns"]["one"] == {"points": 100, "when": "count kongs = 1"}
    assert found == yaml.safe_load(text)


@pytest.mark.parametrize("extra", [("--set", "minimum=5"), ("--pattern", "one")])
def test_effective_goes_with_nothing_else(chain: Yaku, extra: tuple[str, str]) -> None:
    run = chain("show", "./base.yaml", "--effective", *extra)
    assert (run.status, run.out) == (2, "")
    assert f"without {extra[0]}" in run.err


def test_a_broken_ruleset_is_explained(chain: Yaku) -> None:
    Path("top.yaml").write_text(TOP.replace("middle", "midle"), encoding="utf-8")
    for command in (("blame", "./top.yaml"), ("show", "./top.yaml", "--effective")):
        run = chain(*command)
        assert (run.status, run.out) == (2, "")
        assert "error[E401]" in run.err
        assert "did you mean 'middle'?" in run.err
