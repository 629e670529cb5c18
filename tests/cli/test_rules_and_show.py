"""`yaku rules` and `yaku show`, end to end."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ruleengine

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

HOUSE = """\
format: 1
id: house
extends: zhongyong-3.3
name: {en: House}
version: "1"
patterns:
  one_kong:
    points: 10
"""


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "house.yaml").write_text(HOUSE, encoding="utf-8")
    return folder


def test_shipped_rulesets_are_listed_with_the_chosen_one_marked(yaku: Yaku) -> None:
    run = yaku("rules")
    assert run.status == 0
    assert "● zhongyong-3.3  Zung Jung 3.3" in run.lines
    assert "  zhongyong-3.3-min5  Zung Jung, 5-point minimum 3.3-min5" in run.lines
    assert "    minimum: default 0, one of 0, 5" in run.lines
    assert any(line.endswith("zhongyong-3.3.yaml") for line in run.lines)


def test_the_list_as_json(yaku: Yaku) -> None:
    found = {one["id"]: one for one in yaku("rules", "--json", "--lang", "ja").json}
    first = found["zhongyong-3.3"]
    assert set(first) == {"id", "name", "version", "options", "file"}
    assert (first["name"], first["version"]) == ("中庸麻雀", "3.3")
    assert [option["id"] for option in first["options"]] == ["minimum", "standard"]
    assert Path(first["file"]).is_file()


def test_folders_come_first(yaku: Yaku, house: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YAKU_FOLDERS", str(house))
    found = {one["id"]: one for one in yaku("rules", "--json").json}
    assert found["house"]["file"] == str(house / "house.yaml")
    # One kong is worth 10 here: 10 + 5 (concealed hand).
    run = yaku("score", "234m678p345s9s(3333z)+9s", "--rules", "house", "--json")
    assert (run.json["rules"], run.json["points"]) == ("house", 15)


def test_a_broken_ruleset_is_listed_as_broken(
    yaku: Yaku, house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (house / "broken.yaml").write_text("format: 1\nid: broken\nfoo: 1\n", encoding="utf-8")
    monkeypatch.setenv("YAKU_FOLDERS", str(house))
    run = yaku("rules")
    assert run.status == 1
    assert any(line.startswith("    cannot be read: ") for line in run.lines)
    assert "  house  House 1" in run.lines
    found = {one["id"]: one for one in yaku("rules", "--json").json}
    assert set(found["broken"]) == {"id", "file", "error"}


def test_show_says_what_a_ruleset_says(yaku: Yaku) -> None:
    run = yaku("show", "zhongyong-3.3")
    assert run.status == 0
    text = run.out
    for expected in (
        "Zung Jung 3.3 (zhongyong-3.3)",
        "  minimum: default 0, one of 0, 5",
        "  2.1.1  Mixed One-Suit                      40  count suits = 1 and some tile is honor",
        "  3.1    Value Honor                    10 each  count triplets of value",
        "  No hand is worth more than   320 points",
        "  A hand without patterns      1 point (Chicken Hand)",
        "  3 * points - 2 * min(points, standard)  payer is liable",
        "  min(points, standard)                   otherwise",
        "  kong_replacement (Kong replacement)",
        "    needs: win by self_draw and count kongs >= 1",
        "  How is a sum of exactly 320 scored?",
        "    320, and the hand is reported as having reached the cap.",
    ):
        assert expected in text.splitlines()
    codes = [line.split()[0] for line in text.splitlines() if re.match(r"  \d+\.\d", line)]
    assert len(codes) == 44
    assert codes.index("9.4.2") < codes.index("10.1")


def test_show_without_a_name_shows_the_configured_rules(yaku: Yaku) -> None:
    run = yaku("show", "--set", "minimum=5")
    assert run.lines[0] == "Zung Jung 3.3 (zhongyong-3.3, minimum=5)"
    assert "  minimum: now 5, default 0, one of 0, 5" in run.lines
    assert "  A hand wins from             5 points" in run.lines


def test_show_one_pattern_with_its_examples(yaku: Yaku) -> None:
    run = yaku("show", "--pattern", "concealed_hand")
    assert run.status == 0
    assert run.lines[0] == "1.2 Concealed Hand (concealed_hand)  5"
    assert "  Condition: shape is basic and no set is claimed" in run.lines
    assert "  234m567m345p678s9s+9s  10 points  --by discard --seat S" in run.lines
    assert "  234m567m345p9s[678s]+9s  5 points" in run.lines
    assert "    One sequence is claimed; only all sequences counts." in run.lines


def test_show_names_the_series(yaku: Yaku) -> None:
    run = yaku("show", "--pattern", "two_kongs")
    assert "  Series: One Kong, Three Kongs, Four Kongs" in run.lines


def test_show_as_json(yaku: Yaku) -> None:
    found = yaku("show", "zhongyong-3.3-min5", "--json").json
    assert set(found) == {
        "id", "name", "version", "source", "files", "options", "events", "shapes", "terms",
        "patterns", "total", "settlement", "winners", "stakes", "liability", "interpretations",
    }  # fmt: skip
    assert found["total"]["minimum"] == 5
    assert len(found["patterns"]) == 44
    assert len(found["files"]) == 2
    assert found["settlement"]["win"][0] == {
        "when": "win by self_draw or no seat is liable", "pays": "points",
    }  # fmt: skip
    one = yaku("show", "--pattern", "value_honor", "--json").json
    assert (one["points"], one["times"]) == ({"points": "10"}, "count triplets of value")
    assert one["hits"][1]["seat"] == "S"


@pytest.mark.parametrize("lang", ["zh-Hant", "zh-Hans", "ja"])
def test_show_in_other_languages(yaku: Yaku, lang: str) -> None:
    run = yaku("show", "--lang", lang)
    assert run.status == 0
    english = {"Options", "Patterns", "Total", "Events", "Shapes", "Terms", "Interpretations"}
    assert not english & set(run.lines)
    assert "otherwise" not in run.out


def test_the_ruleset_given_twice(yaku: Yaku) -> None:
    run = yaku("show", "zhongyong-3.3", "--rules", "zhongyong-3.3-min5")
    assert (run.status, run.err) == (
        2,
        "yaku: the ruleset is given twice\n  help: leave out --rules\n",
    )


def test_show_says_how_sure_the_source_is(yaku: Yaku) -> None:
    run = yaku("show", "simple-1")
    assert any(line.startswith("  Three Kongs (reconstructed)  ") for line in run.lines)
    assert any(line.startswith("  Dora (bonus, stated)  ") for line in run.lines)
    run = yaku("show", "--rules", "simple-1", "--pattern", "nine_gates")
    assert "  Source: implied" in run.lines
    found = yaku("show", "--rules", "simple-1", "--pattern", "nine_gates", "--json").json
    assert found["status"] == "implied"


def test_show_says_what_becomes_of_the_stakes(yaku: Yaku) -> None:
    lines = yaku("show", "simple-1").lines
    at = lines.index("Stakes")
    assert lines[at + 1 : at + 4] == [
        "  1 in advance for 'Ready declared'",
        "  the first winner takes them all",
        "  without a winner they stay",
    ]
    assert "  all of them win, each paid as if alone" in lines
    found = yaku("show", "simple-1", "--json").json
    assert found["stakes"] == {"event": "ready", "amount": "1", "to": "first", "returned": False}
    assert found["liability"] == {"moves": True, "nobody": False, "barred": True}
    assert yaku("show", "zhongyong-3.3", "--json").json["winners"] == "first"


@pytest.mark.parametrize("name", ruleengine.ruleset_names())
def test_ascii_prints_no_other_writing(yaku: Yaku, name: str) -> None:
    """Names of the sources in their own writing are left out, and said in any other case."""
    patterns = [(), *(("--pattern", id) for id in ("seven_pairs", "four_kongs"))]
    for more in patterns:
        run = yaku("show", name, *more, "--ascii")
        assert run.status == 0
        assert run.out.isascii()
        assert "()" not in run.out
        assert "?)" not in run.out
    assert not yaku("show", name).out.isascii()
    assert yaku("rules", "--ascii").out.isascii()


def test_ascii_keeps_the_words_of_another_language(yaku: Yaku) -> None:
    assert "七対子" in yaku("show", "--lang", "ja", "--ascii").out
