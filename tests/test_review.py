"""The hooks for pre-commit and the workflow of the documentation do what they say."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from ruleengine.cli import main

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = (ROOT / "docs" / "review.md").read_text(encoding="utf-8")
HOOKS: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
)
GOOD = """\
# yaml-language-server: $schema=ruleset.schema.json
format: 1
id: house
extends: zhongyong-3.3
name: {en: House, zh-Hant: 我家, zh-Hans: 我家, ja: 我が家}
version: "1"

patterns:
  one_kong:
    points: 10
"""
WRONG = {
    "yaku-fmt": GOOD.replace("  one_kong:\n    points: 10", "  one_kong: {points:   10}"),
    "yaku-check": GOOD.replace("one_kong", "one_kng"),
    "yaku-test": GOOD.replace("points: 10", 'points: 10\n    hits: ["19m19p19s1234567z+1z"]'),
}
"""For each hook a file that it does not let pass."""


def block(name: str) -> Any:
    found = re.search(rf"^```yaml {re.escape(name)}\n(.*?)^```$", DOCUMENT, re.M | re.S)
    assert found
    return yaml.safe_load(found.group(1))


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    file = tmp_path / "rulesets" / "house.yaml"
    file.parent.mkdir()
    file.write_text(GOOD, encoding="utf-8")
    return file


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_lets_good_files_pass_and_no_other(
    hook: dict[str, Any], house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *command = shlex.split(hook["entry"])
    assert (program, hook["language"], hook["types"]) == ("yaku", "python", ["yaml"])
    assert main([*command, "rulesets/house.yaml"]) == 0
    assert house.read_text(encoding="utf-8") == GOOD
    house.write_text(WRONG[hook["id"]], encoding="utf-8")
    status = main([*command, "rulesets/house.yaml"])
    # A hook also fails that changes a file.
    assert status != 0 or house.read_text(encoding="utf-8") == GOOD.replace(
        "  one_kong:\n    points: 10", "  one_kong: {points: 10}"
    )
    assert "house" in "".join(capsys.readouterr())


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_hooks_look_at_rulesets_alone(hook: dict[str, Any]) -> None:
    looked_at = re.compile(hook["files"])
    shipped = [f"rulesets/{path.name}" for path in (ROOT / "rulesets").glob("*.yaml")]
    assert len(shipped) >= 6
    assert all(looked_at.search(name) for name in (*shipped, "rulesets/a.yml"))
    others = ("tests/cases/house/hands.yaml", "rulesets/cases/a.yaml", "yaku.yaml", "rulesets/a.md")
    assert not any(looked_at.search(name) for name in others)


def test_the_document_names_every_hook() -> None:
    (repository,) = block(".pre-commit-config.yaml")["repos"]
    ids = [hook["id"] for hook in HOOKS]
    assert [hook["id"] for hook in repository["hooks"]] == ids
    assert re.findall(r"^\| `([\w-]+)` \|", DOCUMENT, re.M)[-len(ids) :] == ids


needs_programs = pytest.mark.skipif(
    not all(map(shutil.which, ("git", "bash"))), reason="git or bash is not installed"
)


def scripts() -> list[str]:
    """What the workflow for pull requests runs after it has set up, but for the comment."""
    steps = block("diff.yml")["jobs"]["diff"]["steps"]
    return [step["run"] for step in steps if "yaku diff" in step.get("run", "")]


def run_script(script: str, yaku: str) -> subprocess.CompletedProcess[str]:
    """Run a step as a runner does it, with something that is called in place of the command."""
    program = Path("bin/yaku")
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{yaku}\n", encoding="utf-8")
    program.chmod(0o755)
    path = f"{program.parent.absolute()}{os.pathsep}{os.environ['PATH']}"
    given = {**os.environ, "PATH": path, "GITHUB_STEP_SUMMARY": "run.md"}
    return subprocess.run(
        ["bash", "-e", "-c", script], env=given, capture_output=True, text=True, check=False
    )


@pytest.fixture
def merged(house: Path) -> Path:
    """A repository in which a ruleset changed, one came and one went, and one extends the first."""
    variant = GOOD.replace("extends: zhongyong-3.3", "extends: house")
    for name in ("variant", "gone"):
        text = GOOD if name != "variant" else variant
        text = text.replace("id: house", f"id: {name}").replace("points: 10", "name: {en: Kong}")
        (house.parent / f"{name}.yaml").write_text(text, encoding="utf-8")
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    commit = ["commit", "--quiet", "--all", "--message", "x"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "rulesets"], check=True)
    subprocess.run([*git, *commit], check=True)
    house.write_text(GOOD.replace("10", "12"), encoding="utf-8")
    (house.parent / "gone.yaml").rename(house.parent / "new.yaml")
    subprocess.run([*git, "add", "--all", "rulesets"], check=True)
    subprocess.run([*git, *commit], check=True)
    return house


@needs_programs
def test_the_workflow_tells_all_that_a_pull_request_does_to_rulesets(merged: Path) -> None:
    tell, bump = scripts()
    yaku = f'exec "{sys.executable}" -m ruleengine "$@"'
    done = run_script(tell.replace("--budget 120", "--only-structure"), yaku)
    assert (done.returncode, done.stderr) == (0, "")
    said = Path("comment.md").read_text(encoding="utf-8")
    assert Path("run.md").read_text(encoding="utf-8") == said
    assert "`rulesets/gone.yaml` is gone." in said
    assert "`rulesets/new.yaml` is new." in said
    headings = [line for line in said.split("\n") if line.startswith("### ")]
    assert headings == [
        f"### Change of rules: House 1 (`{id_}`) → House 1 (`{id_}`)"
        for id_ in ("house", "variant")
    ]
    assert run_script(bump, "exit 1").returncode == 1
    failed = Path("failed").read_text(encoding="utf-8").split()
    assert failed == ["rulesets/house.yaml", "rulesets/variant.yaml"]


@needs_programs
def test_the_comment_of_the_workflow_is_never_too_long(merged: Path) -> None:
    """Of two rulesets with 50,000 characters each one is only named; the summary has both."""
    yaku = 'case "$*" in *text*) exit 1;; esac; head -c 50000 /dev/zero | tr "\\0" x; echo'
    assert run_script(scripts()[0], yaku).returncode == 0
    said = Path("comment.md").read_text(encoding="utf-8")
    assert 50_000 < len(said) < 65_536
    assert "`rulesets/variant.yaml` changed too: there was no room for it here" in said
    assert len(Path("run.md").read_text(encoding="utf-8")) > 100_000


def test_the_commands_of_the_workflow_run(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = block("rules.yml")["jobs"]["rules"]["steps"]
    commands = [step["run"] for step in steps if step.get("run", "").startswith("yaku ")]
    assert [shlex.split(command)[1] for command in commands] == ["fmt", "check", "test", "test"]
    assert [main(shlex.split(command)[1:]) for command in commands] == [0, 0, 0, 0]
    capsys.readouterr()
    house.write_text(WRONG["yaku-check"], encoding="utf-8")
    for command in commands[1:]:
        assert main(shlex.split(command)[1:]) != 0
    annotations = capsys.readouterr().out
    assert "::error file=rulesets/house.yaml,line=9" in annotations
