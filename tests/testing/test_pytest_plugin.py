"""Ruleset files under pytest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
HOUSE = """\
format: 1
id: house
name: House
version: "1"
tiles:
  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}
shapes: {basic: {sets: 4, pairs: 1}}
settlement: {win: [{pays: points}]}
patterns:
  all_triplets:
    points: 3
    when: count triplets = 4
    hits: ["111m444p77s11z[888s]+1z", "111m444p1z[345s][888s]+1z"]
    misses: ["111m444p1z[345s][888s]+1z"]
"""


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "ruleengine.testing.pytest_plugin",
         "-p", "no:cacheprovider", "-q", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": "", "YAKU_CACHE": "off", "PYTHONUTF8": "1",
             "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rulesets").mkdir()
    (tmp_path / "rulesets" / "house.yaml").write_text(HOUSE, encoding="utf-8")
    (tmp_path / "rulesets" / "bad.yaml").write_text("x: [", encoding="utf-8")
    return tmp_path


def test_nothing_is_collected_without_a_pattern(folder: Path) -> None:
    status, out = run(folder, "rulesets")
    assert status == 5, out


def test_a_pattern_collects_every_example_and_each_fails_alone(folder: Path) -> None:
    (folder / "pytest.ini").write_text("[pytest]\nyaku_files = rulesets/*.yaml\n", encoding="utf-8")
    cases = folder / "tests" / "cases" / "house"
    cases.mkdir(parents=True)
    (cases / "hands.yaml").write_text(
        '- {hand: "111m444p77s11z[888s]+1z", points: 3}\n- {hand: 5, points: 3}\n', "utf-8"
    )
    status, out = run(folder, "rulesets")
    assert status == 1
    assert "3 passed" in out
    assert "3 failed" in out
    assert "house.yaml:13: does not count all_triplets: no pattern; 0 points" in out
    assert "error[E124]" in out
    assert "Traceback" not in out


def test_a_file_that_is_named_is_collected(folder: Path) -> None:
    status, out = run(folder, "rulesets/house.yaml", "-k", "miss")
    assert status == 0, out
    assert "1 passed" in out


CLUB = """\
format: 1
id: club
extends: house
name: Club
version: "1"
"""


def beside(folder: Path) -> None:
    """The parent of a ruleset in a folder of its own, that only settings name."""
    (folder / "extra").mkdir()
    (folder / "rulesets" / "house.yaml").rename(folder / "extra" / "house.yaml")
    (folder / "rulesets" / "club.yaml").write_text(CLUB, encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("yaku.toml", 'folders = ["extra"]\n'),
        ("pyproject.toml", '[tool.yaku]\nfolders = ["extra"]\n'),
    ],
)
def test_what_a_ruleset_extends_is_found_in_the_folders_of_the_settings(
    folder: Path, file: str, text: str
) -> None:
    beside(folder)
    status, out = run(folder, "rulesets/club.yaml")
    assert status == 1
    assert "there is no ruleset 'house'" in out
    (folder / file).write_text(text, encoding="utf-8")
    status, out = run(folder, "rulesets/club.yaml")
    assert status == 1, out
    assert "2 passed, 1 failed" in out.replace("1 failed, 2 passed", "2 passed, 1 failed")


def test_settings_that_cannot_be_used_are_a_failing_test(folder: Path) -> None:
    (folder / "yaku.toml").write_text('folder = ["extra"]\n', encoding="utf-8")
    status, out = run(folder, "rulesets/house.yaml")
    assert status == 1
    assert "yaku.toml:1: there is no setting 'folder'" in out
    assert "did you mean 'folders'?" in out
    assert "Traceback" not in out


def test_cases_that_are_too_much_work_fail_one_by_one(folder: Path) -> None:
    """Each example has options of its own, for which the long sentences are compiled again."""
    sentence = " or ".join(["dealer"] * 200)
    text = HOUSE.split("patterns:")[0]
    text += "options: {o: {type: int, default: 0, max: 99}}\npatterns:\n"
    text += "".join(f"  p{n}: {{points: 1, when: {sentence}}}\n" for n in range(30))
    text += "  q:\n    points: o\n    when: dealer\n    hits:\n"
    text += "".join(
        f'      - {{hand: "111m444p77s11z[888s]+1z", options: {{o: {n}}}}}\n' for n in range(20)
    )
    (folder / "rulesets" / "house.yaml").write_text(text, encoding="utf-8")
    status, out = run(folder, "rulesets/house.yaml")
    assert status == 1, out
    assert "1 passed" in out
    assert "19 failed" in out
    second = [line for line, words in enumerate(text.splitlines(), 1) if "hand" in words][1]
    assert f"house.yaml:{second}: not run: with the others it is too much work" in out
