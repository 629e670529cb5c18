"""Wrong calls: one sentence, perhaps a help line, status 2, never a traceback."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ruleengine import ruleset_names
from ruleengine.cli.app import COMMANDS

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

HAND = "123m456p789s1122z+1z"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["scor", HAND], ["there is no command 'scor'", "did you mean 'score'?"]),
        ([HAND], [f"there is no command '{HAND}'", "to score a hand: yaku score HAND"]),
        (
            ["frobnicate"],
            [
                "there is no command 'frobnicate'",
                f"there are: {', '.join(COMMANDS)}",
            ],
        ),
        (["score"], ["HAND is missing", "yaku score --help says what to give"]),
        (["batch"], ["IN is missing", "yaku batch --help says what to give"]),
        (["score", HAND, "--seat"], ["--seat needs a value", "yaku score --help says which"]),
        (["score", HAND, "--evnts", "x"], ["there is no option --evnts", "did you mean --events?"]),
        (["--versio"], ["there is no option --versio", "did you mean --version?"]),
        (
            ["score", HAND, "--zzz"],
            ["there is no option --zzz", "yaku score --help lists the options"],
        ),
        (["score", HAND, "--by", "discrad"], ["'discrad' is not a way of winning",
                                              "did you mean 'discard'?"]),
        (
            ["score", HAND, "--rules", "zhongyong-3.4"],
            [
                "there is no ruleset 'zhongyong-3.4'",
                f"there are: {', '.join(ruleset_names())}",
            ],
        ),
        (
            ["score", HAND, "--set", "mininum=5"],
            ["zhongyong-3.3 has no option 'mininum'", "did you mean 'minimum'?"],
        ),
        (
            ["score", HAND, "--set", "minimum=4"],
            ["option 'minimum' cannot be 4; it is 0 or 5"],
        ),
        (
            ["score", HAND, "--set", "minimum"],
            ["--set: 'minimum' is not written option=value, such as minimum=5"],
        ),
        (
            ["score", HAND, "--set", "minimum=five"],
            ["--set: the value of 'minimum' is a whole number, true or false, not 'five'"],
        ),
        (
            ["score", HAND, "--lang", "zh-TW"],
            ["--lang: there is no language 'zh-TW'", "there are: en, zh-Hant, zh-Hans, ja"],
        ),
        (
            ["explain", HAND, "--rules", "zhongyong-3.3", "--rules", "zhongyong-3.3-min5"],
            ["this command takes one ruleset", "give --rules once"],
        ),
        (
            ["score", HAND, "--events", "last_tiel"],
            ["zhongyong-3.3 has no event 'last_tiel'", "did you mean 'last_tile'?"],
        ),
        (["score", HAND, "--dora", "2"], ["zhongyong-3.3 is played without dora"]),
        (
            ["score", HAND, "--dora", "x"],
            ["'x' at character 1 of dora is no part of a tile"],
        ),
        (
            ["score", HAND, "--from", "S"],
            ["on a self-draw nobody discards, so there can be no 'from'"],
        ),
    ],
)  # fmt: skip
def test_a_wrong_call_is_told_in_a_sentence(
    yaku: Yaku, arguments: list[str], said: list[str]
) -> None:
    run = yaku(*arguments)
    assert run.status == 2
    assert run.out == ""
    expected = [f"yaku: {said[0]}", *(f"  help: {line}" for line in said[1:])]
    assert run.err.splitlines()[:2] == expected


@pytest.mark.parametrize(
    "hand", ["", "1q", "123m", "11111m456p789s222z+2z", "123m[456p", "1m" * 200]
)
def test_a_hand_that_cannot_be(yaku: Yaku, hand: str) -> None:
    for command in ("score", "explain"):
        run = yaku(command, hand)
        assert run.status == 2
        assert run.out == ""
        assert run.err.startswith("yaku: ")
        assert "Traceback" not in run.err


def test_with_json_the_error_is_on_stdout_too(yaku: Yaku) -> None:
    run = yaku("score", "11111m456p789s22z+2z", "--json")
    assert run.status == 2
    assert set(run.json) == {"error"}
    assert run.json["error"] == {
        "code": "H201", "message": "the hand has 5 of 1m, but there are only 4",
    }  # fmt: skip
    assert run.err == "yaku: the hand has 5 of 1m, but there are only 4\n"


def test_a_broken_ruleset_is_shown_with_its_lines(yaku: Yaku) -> None:
    text = (
        'format: 1\nid: house\nextends: zhongyong-3.3\nname: {en: House}\nversion: "1"\n'
        "patterns:\n  lucky:\n    name: {en: Lucky}\n    points: 5\n"
        "    when: concealed_hand and winningtile is 1z\n"
    )
    Path("house.yaml").write_text(text, encoding="utf-8")
    run = yaku("score", HAND, "--rules", "house.yaml")
    assert run.status == 2
    assert run.out == ""
    assert "house.yaml:10:30: error[" in run.err
    assert "^^^^^^^^^^^" in run.err
    assert "did you mean 'winning_tile'?" in run.err
    assert run.err.splitlines()[-1] == "yaku: house.yaml cannot be used: 1 mistake"
    run = yaku("score", HAND, "--rules", "house.yaml", "--json")
    (found,) = run.json["error"]["diagnostics"]
    assert (found["span"]["line"], found["span"]["column"]) == (10, 30)


def test_a_ruleset_file_that_is_not_there(yaku: Yaku) -> None:
    run = yaku("score", HAND, "--rules", "none.yaml")
    assert run.status == 2
    assert run.err.splitlines()[-1] == "yaku: none.yaml cannot be used: 1 mistake"


def test_without_a_command_the_commands_are_named(yaku: Yaku) -> None:
    run = yaku()
    assert (run.status, run.out) == (2, "")
    assert f"commands: {', '.join(COMMANDS)}" in run.err


def test_help_and_version_are_fine(yaku: Yaku) -> None:
    from ruleengine import __version__

    assert (yaku("--version").out, yaku("--version").status) == (f"yaku {__version__}\n", 0)
    for command in ("score", "explain", "waits", "batch", "rules", "show", "config"):
        run = yaku(command, "--help")
        assert (run.status, run.err) == (0, "")
        for option in ("--rules", "--set", "--lang", "--json"):
            assert option in run.out


def test_a_mistake_of_ours_is_told_without_a_traceback(
    yaku: Yaku, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ruleengine.cli.session import Session

    def broken(self: Session) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(Session, "all_rules", broken)
    run = yaku("score", HAND)
    assert run.status == 2
    assert run.err.splitlines()[0] == (
        "yaku: a mistake in yaku itself stopped it (ZeroDivisionError: division by zero)"
    )
    assert "Traceback" not in run.err
    monkeypatch.setenv("YAKU_DEBUG", "1")
    assert "Traceback" in yaku("score", HAND).err


def test_ctrl_c_ends_quietly(yaku: Yaku, monkeypatch: pytest.MonkeyPatch) -> None:
    from ruleengine.cli.session import Session

    def stopped(self: Session) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Session, "all_rules", stopped)
    run = yaku("score", HAND)
    assert (run.status, run.out, run.err) == (130, "", "")


def test_a_file_that_is_named_without_its_ending(yaku: Yaku, tmp_path: Path) -> None:
    """It is looked for beside what names it: the settings, or the folder that one works in."""
    Path("q.yaml").write_text("format: 1\n", encoding="utf-8")
    told = "help: to use the file of that name, write ./q.yaml"
    assert told in yaku("score", HAND, "--rules", "q").err
    Path("deep").mkdir()
    Path("deep/yaku.toml").write_text('rules = "q"\n', encoding="utf-8")
    Path("deep/inner").mkdir()
    os.chdir("deep/inner")
    assert told not in yaku("score", HAND).err
    Path("../q.yaml").write_text("format: 1\n", encoding="utf-8")
    run = yaku("score", HAND)
    assert "yaku.toml: there is no ruleset 'q'" in run.err
    assert told in run.err
