"""The mistakes of a ruleset in every format, from every command that reads one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ruleengine.cli.app import COMMANDS
from ruleengine.cli.failure import format_of

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

BROKEN = """\
format: 1
id: broken
extends: zhongyong-3.3
patterns:
  one_kong: {points: "100%, 萬"}
  "a,b: c": {points: 1}
"""
READERS = [
    ("score", "123m456m789m11z222z+1z", "--rules", "./broken.yaml"),
    ("explain", "123m456m789m11z222z+1z", "--rules", "./broken.yaml"),
    ("waits", "123m456m789m11z22z", "--rules", "./broken.yaml"),
    ("batch", "-", "--rules", "./broken.yaml"),
    ("show", "./broken.yaml"),
    ("show", "./broken.yaml", "--effective"),
    ("blame", "./broken.yaml"),
    ("config", "--rules", "./broken.yaml"),
]


@pytest.fixture
def broken(yaku: Yaku) -> Yaku:
    Path("broken.yaml").write_text(BROKEN, encoding="utf-8")
    return yaku


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_annotations(broken: Yaku, command: tuple[str, ...]) -> None:
    run = broken(*command, "--format", "github")
    assert run.status == 2
    assert run.lines == [
        "::error file=broken.yaml,line=5,endLine=5,col=26,endColumn=27,"
        "title=E141%3A a sign or word that the language does not have::"
        "'%25' is not a sign of the language (numbers are whole)",
        "::error file=broken.yaml,line=6,endLine=6,col=3,endColumn=11,"
        "title=E405%3A nothing there to change::"
        "there is no pattern 'a,b: c' in zhongyong-3.3 to change (a new pattern needs 'when')",
    ]
    assert run.err == "yaku: broken.yaml cannot be used: 2 mistakes\n"


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_lines(broken: Yaku, command: tuple[str, ...]) -> None:
    run = broken(*command, "--format=line")
    assert run.status == 2
    assert [re.match(r"[^ ]+ error\[E\d+\]", line) is not None for line in run.lines] == [True] * 2
    assert run.lines[0].startswith("broken.yaml:5:26: error[E141]: '%' is not a sign")


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_json(broken: Yaku, command: tuple[str, ...]) -> None:
    run = broken(*command, "--format", "json")
    assert run.status == 2
    found = run.json["error"]
    assert (found["code"], [one["code"] for one in found["diagnostics"]]) == (
        "R100", ["E141", "E405"],
    )  # fmt: skip
    assert found == json.loads(broken(*command, "--json").out)["error"]


@pytest.mark.parametrize("command", READERS, ids=lambda command: command[0])
def test_text(broken: Yaku, command: tuple[str, ...]) -> None:
    run = broken(*command, "--format", "text")
    assert (run.status, run.out) == (2, "")
    assert run.err == broken(*command).err
    assert '     6 |   "a,b: c": {points: 1}\n       |   ^^^^^^^^\n' in run.err


def test_other_mistakes_are_annotations_too(yaku: Yaku) -> None:
    run = yaku("score", "1m", "--rules", "none", "--format", "github")
    assert run.out.startswith("::error title=R101::there is no ruleset 'none' (there are: ")
    run = yaku("score", "9z+1z", "--format", "line")
    assert (run.out, run.status) == ("", 2)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_the_option(yaku: Yaku, command: str) -> None:
    assert "--format" in yaku(command, "--help").out


def test_an_unknown_format(yaku: Yaku) -> None:
    run = yaku("score", "1m", "--format", "html")
    assert (run.status, run.out) == (2, "")
    assert run.err == (
        "yaku: there is no format html\n  help: there are: text, line, json, github\n"
    )


@pytest.mark.parametrize(
    ("arguments", "format"),
    [
        ([], "text"),
        (["show", "--format", "line"], "line"),
        (["show", "--format=github"], "github"),
        (["show", "--format"], "text"),
        (["book", "--format", "markdown"], "text"),
        (["show", "--format", "line", "--format", "json"], "json"),
    ],
)
def test_the_format_that_is_asked_for(arguments: list[str], format: str) -> None:
    assert format_of(arguments) == format


def test_a_file_that_would_change_is_annotated(yaku: Yaku) -> None:
    Path("a.yaml").write_text("format: 1\nid:   a\n", encoding="utf-8")
    run = yaku("fmt", "--check", "a.yaml", "--format", "github")
    assert (run.status, run.out) == (
        1,
        "::error file=a.yaml,line=2,endLine=2,col=1,endColumn=8,"
        "title=E604%3A a file that is not laid out::"
        "this file is not in the canonical layout from here on (yaku fmt a.yaml)\n",
    )
