"""`yaku new`, end to end."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ruleengine.data import data_folder
from ruleengine.fmt import format_text
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.read import read_ruleset_file

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku


def let_in(text: str) -> str:
    """The text with its examples taken out of their comments."""
    head, examples = text.split("\n\n", 1)
    return head + "\n\n" + re.sub(r"^# ?", "", examples, flags=re.M)


def test_a_new_ruleset_can_be_used(yaku: Yaku) -> None:
    run = yaku("new", "our-table", "--extends", "zhongyong-3.3")
    note = "The schema in its first line is a path of this machine; "
    note += "--schema puts a copy beside it.\n"
    assert (run.status, run.out, run.err) == (0, "made: our-table.yaml\n" + note, "")
    path = Path("our-table.yaml")
    text = path.read_text(encoding="utf-8")
    schema = data_folder("grammar").resolve() / "ruleset.schema.json"
    assert text.startswith(f"# yaml-language-server: $schema={schema.as_posix()}\n")
    assert "\nid: our-table\nextends: zhongyong-3.3\nname: our-table\n" in text
    found = read_ruleset_file(path)
    assert (found.data.id, found.data.name.get("ja"), found.warnings) == (
        "our-table", "our-table", (),
    )  # fmt: skip
    assert format_text(text) == text
    assert yaku("score", "1112345678999m+5m", "--rules", "./our-table.yaml").status == 0


def test_a_copy_of_the_schema_beside_it(yaku: Yaku) -> None:
    Path("rules").mkdir()
    run = yaku("new", "house", "-o", "rules", "--schema")
    assert (run.status, run.out) == (0, f"made: {os.path.join('rules', 'house.yaml')}\n")
    shipped = data_folder("grammar") / "ruleset.schema.json"
    assert Path("rules/yaku.schema.json").read_bytes() == shipped.read_bytes()
    text = Path("rules/house.yaml").read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=yaku.schema.json\n")
    assert yaku("new", "second", "-o", "rules", "--schema").status == 0


def test_another_schema_is_not_written_over(yaku: Yaku) -> None:
    Path("yaku.schema.json").write_text("{}", encoding="utf-8")
    run = yaku("new", "house", "--schema")
    assert (run.status, os.listdir()) == (2, ["yaku.schema.json"])
    assert "yaku.schema.json is there already and is another one" in run.err
    assert Path("yaku.schema.json").read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize("parent", sorted(ruleset_ids()))
def test_the_examples_can_be_let_in_as_they_are(yaku: Yaku, parent: str) -> None:
    assert yaku("new", "house", "--extends", parent).status == 0
    path = Path("house.yaml")
    text = let_in(path.read_text(encoding="utf-8"))
    assert format_text(text) == text
    path.write_text(text, encoding="utf-8")
    found = read_ruleset_file(path)
    assert found.warnings == ()
    before = read_ruleset_file(ruleset_ids()[parent]).data
    assert len(found.data.patterns) == len(before.patterns) - 1
    assert found.data.options != before.options or not before.options
    same = [p for p in found.data.patterns.values() if p.awards == before.patterns[p.id].awards]
    assert len(same) < len(found.data.patterns)


def test_the_configured_ruleset_is_the_parent_without_another(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YAKU_RULES", "zhongyong-3.3-min5")
    assert "extends: zhongyong-3.3-min5\n" in yaku("new", "house", "-o", "-").out


def test_nothing_is_written_over(yaku: Yaku) -> None:
    Path("house.yaml").write_text("mine", encoding="utf-8")
    run = yaku("new", "house")
    assert (run.status, run.out) == (2, "")
    assert "house.yaml is there already" in run.err
    assert Path("house.yaml").read_text(encoding="utf-8") == "mine"


def test_into_a_folder_or_another_file(yaku: Yaku) -> None:
    Path("rules").mkdir()
    run = yaku("new", "house", "-o", "rules", "--json")
    assert run.json == {"id": "house", "file": os.path.join("rules", "house.yaml")}
    assert Path("rules/house.yaml").is_file()
    assert yaku("new", "house", "-o", "other.yaml").status == 0
    run = yaku("new", "house", "-o", "none/other.yaml")
    assert run.status == 2
    assert "no such file or directory" in run.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("Our Table",), "'Our Table' is no id"),
        (("../evil",), "'../evil' is no id"),
        (("x" * 65,), "is no id"),
        (("zhongyong-3.3",), "there is a ruleset 'zhongyong-3.3' already"),
        (("a", "--extends", "zhongyong-3.4"), "there is no ruleset 'zhongyong-3.4'"),
        (("a", "--extends", "./a.yaml"), "by its id, not by its file"),
        (("a", "-o", "-", "--schema"), "--schema needs a file"),
        (("a", "-o", "rulesets/"), "there is no folder rulesets/"),
    ],
)
def test_what_cannot_be_made(yaku: Yaku, arguments: tuple[str, ...], message: str) -> None:
    run = yaku("new", *arguments)
    assert (run.status, run.out, os.listdir()) == (2, "", [])
    assert message in run.err


@pytest.mark.parametrize("id_", ["null", "123", "1e3", "true", "0x1f"])
def test_ids_that_yaml_would_take_for_something_else(yaku: Yaku, id_: str) -> None:
    assert yaku("new", id_).status == 0
    assert read_ruleset_file(Path(f"{id_}.yaml")).data.id == id_


@pytest.mark.parametrize("language", ["zh-Hant", "zh-Hans", "ja"])
def test_in_other_languages(yaku: Yaku, language: str) -> None:
    run = yaku("new", "house", "--lang", language)
    assert run.status == 0
    text = Path("house.yaml").read_text(encoding="utf-8")
    assert "{" not in text.split("format:")[0]
    assert format_text(text) == text


def test_an_id_that_is_only_begun_or_that_of_a_file(yaku: Yaku) -> None:
    begun = yaku("new", "a", "--extends", "zhongyong")
    assert begun.status == 2
    assert "help: did you mean one of these: zhongyong-3.2, zhongyong-3.3, " in begun.err
    assert "simple-1" not in begun.err
    one = yaku("new", "a", "--extends", "simple")
    assert "help: did you mean 'simple-1'?" in one.err
    file = yaku("new", "a", "--extends", "./zhongyong-3.3.yaml")
    assert "help: did you mean 'zhongyong-3.3'?" in file.err
