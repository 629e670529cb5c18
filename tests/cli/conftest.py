"""Runs commands in this process, far from the settings of whoever runs the tests."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ruleengine import config
from ruleengine.cli import main

VARIABLES = ("YAKU_RULES", "YAKU_LANG", "YAKU_FOLDERS", "YAKU_OPTIONS", "YAKU_DEBUG", "NO_COLOR")


@dataclass(frozen=True)
class Run:
    """What a command gave."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on stdout."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        """The lines of stdout, without those that are empty."""
        return [line for line in self.out.splitlines() if line]


Yaku = Callable[..., Run]


@pytest.fixture
def yaku(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Yaku:
    """Runs a command in an empty folder, with no settings but those that a test makes."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(config, "_user_folder", lambda: tmp_path / "user")
    monkeypatch.setenv("COLUMNS", "100")
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str, stdin: bytes = b"") -> Run:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        capsys.readouterr()
        status = main(list(arguments))
        captured = capsys.readouterr()
        return Run(status, captured.out, captured.err)

    return run
