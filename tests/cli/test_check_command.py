"""`yaku check`, end to end."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

HOUSE = """\
format: 1
id: house
extends: zhongyong-3.3
name: {en: House rules, zh-Hant: 我家規則, zh-Hans: 我家规则, ja: 我が家のルール}
version: "1"
terms:
  green: 23468s | 6z
patterns:
  one_kong: {points: 10}
"""
BROKEN = HOUSE + "  five_kongs: {points: 5, when: count kongs = 5}\n"


@pytest.fixture
def folder(yaku: Yaku) -> Path:
    """The folder that the commands run in, with rulesets in it."""
    here = Path.cwd()
    (here / "house.yaml").write_text(HOUSE, encoding="utf-8")
    (here / "broken.yaml").write_text(BROKEN.replace("id: house", "id: broken"), encoding="utf-8")
    return here


def test_a_shipped_ruleset_is_fine(yaku: Yaku) -> None:
    run = yaku("check", "zhongyong-3.3", "--strict")
    assert run.status == 0
    assert run.lines[-1] == "1 file: no errors, no warnings, 13 notes"


def test_without_files_the_configured_ruleset_is_checked(yaku: Yaku) -> None:
    run = yaku("check", "--rules", "zhongyong-3.3-min5")
    assert run.status == 0
    assert run.lines == ["1 file: no errors, no warnings, no notes"]


def test_warnings_fail_only_when_strict(yaku: Yaku, folder: Path) -> None:
    run = yaku("check", "house.yaml")
    assert run.status == 0
    assert run.out == (
        "house.yaml:7:3: warning[W510]: no sentence speaks of term 'green'\n"
        "     7 |   green: 23468s | 6z\n"
        "       |   ^^^^^\n"
        "1 file: no errors, 1 warning, no notes\n"
    )
    assert yaku("check", "house.yaml", "--strict").status == 1


def test_errors_fail(yaku: Yaku, folder: Path) -> None:
    run = yaku("check", "broken.yaml", "--format", "line")
    assert run.status == 1
    wanted = "broken.yaml:10:3: error[E501]: pattern 'five_kongs' can never count: no hand is like"
    assert any(line.startswith(wanted) for line in run.lines)


def test_all_findings_of_all_files_are_sorted_by_place(yaku: Yaku, folder: Path) -> None:
    (folder / "bad.yaml").write_text("x: [\n", encoding="utf-8")
    run = yaku("check", "house.yaml", "bad.yaml", "broken.yaml", "--format", "line")
    assert run.status == 2
    places = [tuple(line.split(":")[:2]) for line in run.lines]
    assert [path for path, _ in places] == ["bad.yaml", *["broken.yaml"] * 3, "house.yaml"]
    numbers = [int(line) for path, line in places if path == "broken.yaml"]
    assert numbers == sorted(numbers)


def test_a_folder_stands_for_its_rulesets(yaku: Yaku, folder: Path) -> None:
    run = yaku("check", ".", "--format", "json")
    assert run.status == 1
    found = run.json
    assert (found["errors"], found["notes"]) == (1, 0)
    assert {Path(one["span"]["path"]).name for one in found["findings"]} == {
        "house.yaml",
        "broken.yaml",
    }
    assert yaku("check", ".", "--json").json == found


def test_annotations_for_a_pull_request(yaku: Yaku, folder: Path) -> None:
    run = yaku("check", "house.yaml", "--format", "github")
    assert run.lines == [
        "::warning file=house.yaml,line=7,endLine=7,col=3,endColumn=8,"
        "title=W510%3A a term that nothing uses::no sentence speaks of term 'green'"
    ]


def test_costs_are_printed_dearest_first(yaku: Yaku, folder: Path) -> None:
    run = yaku("check", "broken.yaml", "--cost")
    assert run.lines == [
        "     3  broken.yaml:10: patterns.five_kongs.when  (2 for 'count kongs')",
        "     0  broken.yaml:9: patterns.one_kong.points",
        "     0  broken.yaml:10: patterns.five_kongs.points",
    ]
    found = json.loads(yaku("check", "broken.yaml", "--cost", "--json").out)
    assert found[0]["operations"] == 3


def test_the_digest_can_be_written_into_the_file(yaku: Yaku, folder: Path) -> None:
    run = yaku("check", "house.yaml", "--digest")
    name, key, digest = run.lines[0].split(": ")
    assert (name, key, digest[0], digest[-1]) == ("house.yaml", "parent_digest", '"', '"')
    digest = digest.strip('"')
    assert re.fullmatch(r"patterns\.one_kong\.points=[0-9a-f]{8}", digest)
    text = HOUSE.replace('version: "1"', f'version: "1"\nparent_digest: "{digest}"')
    (folder / "house.yaml").write_text(text, encoding="utf-8")
    assert "W501" not in yaku("check", "house.yaml").out
    (folder / "house.yaml").write_text(text.replace(digest[-8:], "0" * 8), encoding="utf-8")
    run = yaku("check", "house.yaml", "--format", "line")
    assert "patterns.one_kong.points is 5" in run.out
    assert f'write "{digest}"' in run.out


def test_what_a_parent_changes_in_vain_is_told_where_the_parent_is_checked(
    yaku: Yaku, folder: Path
) -> None:
    for id, parent in (("middle", "zhongyong-3.3"), ("leaf", "middle")):
        text = f"""
format: 1
id: {id}
extends: {parent}
name: Leaf
version: "1"
options: {{minimum: {{default: 0}}}}
"""
        (folder / f"{id}.yaml").write_text(text, encoding="utf-8")
    # Version 3.3 has no minimum already; the leaf says the same as the middle one in all.
    found = {}
    for name in ("middle", "leaf"):
        run = yaku("check", f"{name}.yaml", "--format", "line")
        found[name] = [line.split(":")[0] for line in run.lines if "[E406]" in line]
    assert found["middle"] == ["middle.yaml"]
    assert set(found["leaf"]) == {"leaf.yaml"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--format", "xml"], "there is no format xml"),
        (["check", "zhongyong"], "there is no ruleset 'zhongyong'"),
        (["check", "empty"], "there are no .yaml files in the folder empty"),
    ],
)
def test_wrong_usage(yaku: Yaku, arguments: list[str], message: str) -> None:
    Path("empty").mkdir()
    run = yaku(*arguments)
    assert run.status == 2
    assert message in run.err


def test_of_thousands_of_mistakes_so_many_are_printed(yaku: Yaku) -> None:
    """The check prints 100, any other command 20, each with how many there are more; lines and
    JSON have all."""
    text = HOUSE + "".join(f"  new_{n}: {{points: 1, when: dealerx}}\n" for n in range(900))
    text += "  last: {points: 1, when: dealer, supersedes: ["
    text += ", ".join(f"no_{n}" for n in range(1200)) + "]}\n"
    Path("many.yaml").write_text(text, encoding="utf-8")
    run = yaku("check", "many.yaml")
    assert run.status == 2
    assert sum("error[E201]" in line for line in run.lines) == 100
    assert run.lines[-2:] == [
        "... and 2000 more", "1 file: 2100 errors, no warnings, no notes",
    ]  # fmt: skip
    assert len(run.out.splitlines()) < 700
    assert len(yaku("check", "many.yaml", "--format", "line").lines) == 2100
    assert len(yaku("check", "many.yaml", "--format", "json").json["findings"]) == 2100
    run = yaku("show", "many.yaml")
    assert run.status == 2
    assert run.err.count("error[E201]") == 20
    assert "... and 2080 more" in run.err


def test_help_is_sought_for_so_many_unknown_names(yaku: Yaku) -> None:
    text = HOUSE + "".join(f"  new_{n}: {{points: 1, when: dealerx}}\n" for n in range(900))
    Path("many.yaml").write_text(text, encoding="utf-8")
    found = yaku("check", "many.yaml", "--format", "json").json["findings"]
    assert [one.get("help") for one in found[:100]] == ["did you mean 'dealer'?"] * 100
    assert not any(one.get("help") for one in found[100:])
