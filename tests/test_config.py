"""Settings: which place wins, and what is said of a place that is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ruleengine.config import ConfigError, read_config, read_option, read_options


@pytest.fixture
def places(tmp_path: Path) -> Path:
    (tmp_path / "project" / "inner").mkdir(parents=True)
    (tmp_path / "user").mkdir()
    return tmp_path


def read(places: Path, environment: dict[str, str] | None = None, **flags: Any) -> Any:
    return read_config(
        start=places / "project" / "inner",
        environment=environment or {},
        user_folder=places / "user",
        **flags,
    )


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_without_any_place_the_defaults_hold(places: Path) -> None:
    found = read(places)
    assert [(one.value, one.origin) for one in found.rules] == [("zhongyong-3.3", "default")]
    assert (found.lang.value, found.folders, found.options) == ("en", (), {})


def test_each_place_gives_way_to_the_one_before_it(places: Path) -> None:
    user = write(places / "user" / "yaku.toml", 'rules = "user"\nlang = "ja"\n')
    assert read(places).rules[0].value == "user"
    project = write(places / "project" / "yaku.toml", 'rules = "project"\n')
    found = read(places)
    assert (found.rules[0].value, found.rules[0].origin) == ("project", str(project))
    assert (found.lang.value, found.lang.origin) == ("ja", str(user))
    inner = write(places / "project" / "inner" / "yaku.toml", 'rules = "inner"\n')
    assert read(places).rules[0].value == "inner"
    assert read(places).files == (inner, user)
    environment = {"YAKU_RULES": "variable", "YAKU_LANG": "zh-Hans"}
    found = read(places, environment)
    assert (found.rules[0].value, found.rules[0].origin) == ("variable", "YAKU_RULES")
    assert found.lang.value == "zh-Hans"
    found = read(places, environment, rules=["flag"], lang="en")
    assert (found.rules[0].value, found.rules[0].origin) == ("flag", "--rules")
    assert (found.lang.value, found.lang.origin) == ("en", "--lang")


def test_pyproject_counts_only_with_a_table_for_yaku(places: Path) -> None:
    write(places / "project" / "inner" / "pyproject.toml", '[project]\nname = "x"\n')
    write(places / "project" / "pyproject.toml", '[tool.yaku]\nrules = "py"\n')
    assert read(places).rules[0].value == "py"
    write(places / "project" / "yaku.toml", 'rules = "own"\n')
    assert read(places).rules[0].value == "own"


def test_options_are_looked_up_one_by_one(places: Path) -> None:
    write(places / "user" / "yaku.toml", "[options]\nminimum = 5\nstandard = 1\nred = true\n")
    write(places / "project" / "yaku.toml", "[options]\nstandard = 2\n")
    environment = {"YAKU_OPTIONS": "red=false"}
    found = read(places, environment, options=["minimum=0"]).options
    assert {name: (one.value, one.rank) for name, one in found.items()} == {
        "minimum": (0, 0), "red": (False, 1), "standard": (2, 2),
    }  # fmt: skip


def test_files_and_folders_are_relative_to_the_config_file(places: Path) -> None:
    write(places / "project" / "yaku.toml", 'rules = "rules/house.yaml"\nfolders = ["rules"]\n')
    (places / "project" / "rules").mkdir()
    found = read(places)
    assert Path(found.rules[0].value) == places / "project" / "rules" / "house.yaml"
    assert found.folder_paths == (places / "project" / "rules",)


def test_folders_from_the_environment(places: Path) -> None:
    import os

    found = read(places, {"YAKU_FOLDERS": os.pathsep.join(["a", "b"])})
    assert [one.value for one in found.folders] == [Path("a"), Path("b")]
    with pytest.raises(ConfigError, match="YAKU_FOLDERS: there is no folder a") as caught:
        assert found.folder_paths
    assert caught.value.code == "C107"


@pytest.mark.parametrize(
    ("text", "code", "message", "help_line"),
    [
        ("rules = \n", "C102", "the file is not TOML: Invalid value", None),
        ('\nrulez = "x"\n', "C103", "there is no setting 'rulez'", "did you mean 'rules'?"),
        ("colour = 1\n", "C103", "there is no setting 'colour'",
         "there are: rules, lang, folders, options"),
        ("rules = 5\n", "C104", "'rules' is a text in quotes", None),
        ('rules = ""\n', "C104", "'rules' is a text in quotes", None),
        ('folders = "x"\n', "C104", "'folders' is a list of texts",
         'such as folders = ["rulesets"]'),
        ("options = 5\n", "C104", "'options' is a table", "write [options] above it"),
        ('[options]\nminimum = "5"\n', "C104", "option 'minimum' is a whole number", None),
        ("[options]\nminimum = 5.0\n", "C104", "option 'minimum' is a whole number", None),
        ('lang = "jp"\n', "C105", "there is no language 'jp'",
         "there are: en, zh-Hant, zh-Hans, ja"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_with_its_place(
    places: Path, text: str, code: str, message: str, help_line: str | None
) -> None:
    path = write(places / "project" / "yaku.toml", text)
    with pytest.raises(ConfigError) as caught:
        read(places)
    assert caught.value.code == code
    assert caught.value.help == help_line
    where, _, said = caught.value.message.partition(": ")
    assert where.startswith(str(path))
    assert said.startswith(message)


def test_the_line_of_a_setting_is_named(places: Path) -> None:
    path = write(
        places / "project" / "yaku.toml", '# ours\nlang = "en"\n[options]\nminimum = "a"\n'
    )
    with pytest.raises(ConfigError, match="minimum") as caught:
        read(places)
    assert caught.value.message.startswith(f"{path}:4: ")


def test_a_file_that_is_not_text(places: Path) -> None:
    (places / "project" / "yaku.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8 text") as caught:
        read(places)
    assert caught.value.code == "C101"


def test_the_language_of_the_environment_is_checked(places: Path) -> None:
    with pytest.raises(ConfigError, match="YAKU_LANG: there is no language 'xx'"):
        read(places, {"YAKU_LANG": "xx"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("minimum=5", ("minimum", 5)),
        (" minimum = -5 ", ("minimum", -5)),
        ("red=true", ("red", True)),
        ("red=False", ("red", False)),
    ],
)
def test_options_as_they_are_written(text: str, expected: tuple[str, int | bool]) -> None:
    assert read_option(text, "--set") == expected


@pytest.mark.parametrize("text", ["", "=", "a=", "=5", "a", "a=b", "a=5.0", "a=٣", "a=--5"])
def test_options_that_are_not_written_so(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read_option(text, "--set")
    assert caught.value.code == "C106"


def test_two_values_for_one_option(places: Path) -> None:
    for where, environment, flags in (
        ("--set", {}, ["minimum=5", "standard=3", "minimum=0"]),
        ("YAKU_OPTIONS", {"YAKU_OPTIONS": "minimum=5,minimum=0"}, []),
    ):
        with pytest.raises(ConfigError) as caught:
            read_config(options=flags, start=places, environment=environment)
        assert caught.value.code == "C108"
        assert str(caught.value) == f"{where}: option 'minimum' is given twice, as 5 and as 0"
    with pytest.raises(ConfigError, match="as 1 and as true"):
        read_options(["red=1", "red=true"], "--set")
    assert read_options(["minimum=5", "minimum=5"], "--set") == {"minimum": 5}
