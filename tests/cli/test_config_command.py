"""Settings at work in commands, and `yaku config`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

CHICKEN = "234m678p44s99p[222z]+4s"


def test_defaults(yaku: Yaku) -> None:
    run = yaku("config")
    assert run.status == 0
    assert [line.split() for line in run.lines] == [
        ["Setting", "Value", "From"],
        ["rules", "zhongyong-3.3", "default"],
        ["lang", "en", "default"],
    ]


def test_each_setting_with_its_origin(yaku: Yaku, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("yaku.toml").write_text(
        'rules = "zhongyong-3.3-min5"\nfolders = ["more"]\n[options]\nstandard = 30\n',
        encoding="utf-8",
    )
    Path("more").mkdir()
    here = str(Path.cwd() / "yaku.toml")
    monkeypatch.setenv("YAKU_LANG", "ja")
    found = yaku("config", "--set", "minimum=0", "--json").json
    assert found == {
        "rules": [{"value": "zhongyong-3.3-min5", "from": here}],
        "lang": {"value": "ja", "from": "YAKU_LANG"},
        "folders": [{"value": str(Path.cwd() / "more"), "from": here}],
        "options": {
            "minimum": {"value": 0, "from": "--set", "used": True},
            "standard": {"value": 30, "from": here, "used": True},
        },
        "files": [here],
    }


def test_the_house_rules_of_a_folder(yaku: Yaku, monkeypatch: pytest.MonkeyPatch) -> None:
    assert yaku("score", CHICKEN).status == 0
    Path("yaku.toml").write_text('rules = "zhongyong-3.3-min5"\n', encoding="utf-8")
    assert yaku("score", CHICKEN).status == 1
    monkeypatch.setenv("YAKU_RULES", "zhongyong-3.3")
    assert yaku("score", CHICKEN).status == 0
    assert yaku("score", CHICKEN, "--rules", "zhongyong-3.3-min5").status == 1


def test_options_and_language_of_a_folder(yaku: Yaku) -> None:
    Path("pyproject.toml").write_text(
        '[tool.yaku]\nlang = "zh-Hant"\n[tool.yaku.options]\nminimum = 5\n', encoding="utf-8"
    )
    run = yaku("score", CHICKEN)
    assert (run.status, run.lines[-1]) == (1, "不能和牌：這手牌有1分，起和是5分。")
    assert yaku("score", CHICKEN, "--set", "minimum=0").status == 0


HOUSE = """\
format: 1
id: house
name: {en: House}
version: "1"
tiles:
  wall: {"123456789m": 4}
shapes:
  basic: {sets: 4, pairs: 1}
patterns:
  all_triplets: {name: {en: All Triplets}, points: 3, when: count triplets = 4}
settlement:
  win: [{pays: points}]
"""


def test_an_option_is_left_out_where_nearer_rules_lack_it(yaku: Yaku) -> None:
    Path("house.yaml").write_text(HOUSE, encoding="utf-8")
    Path("yaku.toml").write_text("[options]\nminimum = 5\n", encoding="utf-8")
    hand = "111222333444m5m+5m"
    run = yaku("score", hand, "--rules", "./house.yaml", "--json")
    assert (run.status, run.json["points"]) == (0, 3)
    found = yaku("config", "--rules", "./house.yaml", "--json").json
    assert found["options"]["minimum"]["used"] is False
    assert "not used: house has no such option" in yaku("config", "--rules", "./house.yaml").out
    run = yaku("score", hand, "--rules", "./house.yaml", "--set", "minimum=5")
    assert (run.status, run.err.splitlines()[0]) == (2, "yaku: house has no option 'minimum'")


def test_a_wrong_option_of_a_file_names_the_file(yaku: Yaku) -> None:
    Path("yaku.toml").write_text("[options]\nminimum = 4\n", encoding="utf-8")
    run = yaku("score", CHICKEN)
    here = Path.cwd() / "yaku.toml"
    assert run.status == 2
    assert run.err.startswith(f"yaku: {here}: option 'minimum' cannot be 4")


def test_a_folder_that_is_not_there(yaku: Yaku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAKU_FOLDERS", "nowhere")
    run = yaku("score", CHICKEN)
    assert (run.status, run.err) == (2, "yaku: YAKU_FOLDERS: there is no folder nowhere\n")


def test_a_wrong_file_stops_every_command(yaku: Yaku) -> None:
    Path("yaku.toml").write_text("rulez = 1\n", encoding="utf-8")
    here = Path.cwd() / "yaku.toml"
    for arguments in (["score", CHICKEN], ["rules"], ["config"], ["show"], ["batch", "-"]):
        run = yaku(*arguments)
        assert (run.status, run.out) == (2, "")
        assert run.err.splitlines() == [
            f"yaku: {here}:1: there is no setting 'rulez'",
            "  help: did you mean 'rules'?",
        ]
