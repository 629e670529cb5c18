"""Finding rulesets: by name in the folders, or as a file."""

from __future__ import annotations

from pathlib import Path

import pytest

import ruleengine
from ruleengine.data import data_folder
from ruleengine.ruleset.find import (
    UnknownRulesetError,
    find_ruleset,
    folders,
    is_id,
    ruleset_ids,
)

SHIPPED = data_folder("rulesets")


@pytest.mark.parametrize("name", ["zhongyong-3.3", "house", "a", "3_players", "x" * 64])
def test_ids(name: str) -> None:
    assert is_id(name)


@pytest.mark.parametrize(
    "name",
    ["", "House", "my house", "../house", "a/b", "a\\b", ".hidden", "-x", "x" * 65, "中庸", "a\n"],
)
def test_what_is_no_id(name: str) -> None:
    assert not is_id(name)


def test_shipped_rulesets_are_found() -> None:
    assert find_ruleset("zhongyong-3.3") == SHIPPED / "zhongyong-3.3.yaml"
    assert "zhongyong-3.3-min5" in ruleengine.ruleset_names()


def test_folders_that_are_given_come_first(tmp_path: Path) -> None:
    own = tmp_path / "zhongyong-3.3.yaml"
    own.write_text("format: 1\n", encoding="utf-8")
    (tmp_path / "Not An Id.yaml").write_text("", encoding="utf-8")
    (tmp_path / "house.yml").write_text("", encoding="utf-8")
    assert folders((tmp_path,)) == (tmp_path, SHIPPED)
    assert find_ruleset("zhongyong-3.3", (tmp_path,)) == own
    assert set(ruleset_ids((tmp_path,))) == set(ruleset_ids())
    assert list(ruleset_ids((tmp_path,))) == sorted(ruleset_ids())


def test_a_folder_that_is_not_there_is_none(tmp_path: Path) -> None:
    assert ruleset_ids((tmp_path / "none",)) == ruleset_ids()


@pytest.mark.parametrize("name", ["./house", "house.yaml", "rules/house.yml", "C:\\rules\\house"])
def test_files_are_taken_as_they_are(name: str) -> None:
    assert find_ruleset(name) == Path(name)


def test_unknown_names_are_guessed_or_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UnknownRulesetError) as caught:
        find_ruleset("zhongyong_33")
    assert caught.value.code == "R101"
    assert caught.value.message == "there is no ruleset 'zhongyong_33'"
    with pytest.raises(UnknownRulesetError) as caught:
        find_ruleset("zhongyong-3.3-min-5")
    assert caught.value.help == "did you mean 'zhongyong-3.3-min5'?"
    with pytest.raises(UnknownRulesetError) as caught:
        find_ruleset("riichi")
    assert caught.value.help is not None
    assert caught.value.help.startswith("there are: ")
    assert "zhongyong-3.3" in caught.value.help
    monkeypatch.chdir(tmp_path)
    Path("riichi").write_text("", encoding="utf-8")
    with pytest.raises(UnknownRulesetError) as caught:
        find_ruleset("riichi")
    assert caught.value.help == "to use the file of that name, write ./riichi"


@pytest.mark.parametrize("name", ["a" * 5000, "萬" * 300, "a\0b", "\udcff", ""])
def test_names_that_no_file_can_have(name: str) -> None:
    with pytest.raises(UnknownRulesetError, match="there is no ruleset"):
        ruleengine.load(name)


def test_a_ruleset_is_found_beside_the_one_that_extends_it(tmp_path: Path) -> None:
    base = (SHIPPED / "zhongyong-3.3.yaml").read_text(encoding="utf-8")
    base = base.replace("id: zhongyong-3.3", "id: base", 1)
    (tmp_path / "base.yaml").write_text(base, encoding="utf-8")
    house = tmp_path / "house.yaml"
    house.write_text("format: 1\nid: house\nextends: base\n", encoding="utf-8")
    assert ruleengine.load(house).id == "house"
    assert ruleengine.load("house", folders=(tmp_path,)).id == "house"
