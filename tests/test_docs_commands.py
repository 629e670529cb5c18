"""The commands in the documentation give the output that stands under them.

A block that starts with ```console holds commands after `$` and what they print; `...` in it stands
for anything, and on a line of its own for any lines. A block with a file name after its language is
a file in the folder of the commands that follow.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from ruleengine import config
from ruleengine.cli import main

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    str(path.relative_to(ROOT))
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if "```console" in path.read_text(encoding="utf-8")
]
_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.M | re.S)
_SHELL = re.compile(r"\| yaku|^\w+=\S+ yaku|^(?:git|cp) ")


@dataclass(frozen=True)
class Block:
    """A block of a document: a file, or commands with their outputs."""

    language: str
    name: str | None
    text: str

    @property
    def commands(self) -> Iterator[tuple[str, str]]:
        """Each command with what it should print."""
        for part in re.split(r"^\$ ", self.text, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output.rstrip("\n")


def blocks(document: str) -> list[Block]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return [Block(*found.groups()) for found in _BLOCK.finditer(text)]


def fits(expected: str, printed: str) -> bool:
    """Whether an output is what a document says, with `...` in it.

    What stands between lines of `...` is looked for in turn, each part at the first place where it
    fits; the last part is the end of the output.
    """
    parts: list[list[re.Pattern[str]]] = [[]]
    for line in expected.splitlines():
        if line == "...":
            parts.append([])
        else:
            parts[-1].append(re.compile(re.escape(line).replace(r"\.\.\.", ".*")))
    lines = printed.splitlines()

    def at(place: int, part: list[re.Pattern[str]]) -> bool:
        some = lines[place : place + len(part)]
        return len(some) == len(part) and all(
            pattern.fullmatch(line) for pattern, line in zip(part, some, strict=True)
        )

    *others, last = parts
    place = 0
    for number, part in enumerate(others):
        found = (n for n in range(place, len(lines) + 1) if at(n, part))
        first = next(found, None) if number else (0 if at(0, part) else None)
        if first is None:
            return False
        place = first + len(part)
    end = len(lines) - len(last)
    return at(end, last) if others and end >= place else not others and end == 0 and at(0, last)


def run_here(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    capsys.readouterr()
    main(shlex.split(command)[1:])
    captured = capsys.readouterr()
    return captured.out + captured.err


def run_in_shell(command: str) -> str:
    Path("bin").mkdir(exist_ok=True)
    shim = Path("bin/yaku")
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m ruleengine "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    variables = {
        "PATH": f"{Path('bin').resolve()}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "COLUMNS": "100",
        "XDG_CONFIG_HOME": str(Path("user").resolve()),
        "HOME": str(Path("user").resolve()),
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    for who in ("AUTHOR", "COMMITTER"):
        variables |= {f"GIT_{who}_NAME": "Ann", f"GIT_{who}_EMAIL": "ann@table.example"}
    done = subprocess.run(
        ["sh", "-c", f"({command}) 2>&1"],
        capture_output=True,
        env=variables,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return done.stdout.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are written for sh")
@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_commands_print_what_the_document_says(
    document: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(config, "_user_folder", lambda: tmp_path / "user")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("YAKU_RULES", "YAKU_LANG", "YAKU_FOLDERS", "YAKU_OPTIONS"):
        monkeypatch.delenv(name, raising=False)
    seen = 0
    if "\n$ git " in (ROOT / document).read_text(encoding="utf-8") and shutil.which("git") is None:
        pytest.skip("git is not installed")
    for block in blocks(document):
        if block.name is not None:
            (tmp_path / block.name).write_text(block.text, encoding="utf-8")
        if block.language != "console":
            continue
        for command, expected in block.commands:
            in_shell = _SHELL.search(command) is not None
            printed = run_in_shell(command) if in_shell else run_here(command, capsys)
            assert expected, command
            assert fits(expected, printed), f"$ {command}\n{printed}"
            seen += 1
    assert seen >= 1


@pytest.mark.parametrize("document", ["README.md", "docs/python.md"])
def test_the_python_of_the_documents_runs(document: str) -> None:
    found = doctest.testfile(
        str(ROOT / document), module_relative=False, parser=_PythonBlocks(), encoding="utf-8"
    )
    assert found.attempted >= 5
    assert found.failed == 0


class _PythonBlocks(doctest.DocTestParser):
    """Reads the examples of the Python blocks and of nothing else."""

    def get_examples(self, string: str, name: str = "<string>") -> list[doctest.Example]:
        found = [block for block in _BLOCK.finditer(string) if block.group(1) == "python"]
        return super().get_examples("\n".join(block.group(3) for block in found), name)
