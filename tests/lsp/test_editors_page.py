"""The page about editors starts the server as the command line does, in every editor."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ruleengine.cli.app import COMMANDS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "editors.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"^```{language}[^\n]*\n(.*?)^```$", PAGE, re.M | re.S)
    assert found
    return found.group(1)


def test_every_editor_starts_the_server() -> None:
    assert "lsp" in COMMANDS
    settings = json.loads(block("json"))
    started = [settings["glspc.server.command"], *settings["glspc.server.commandArguments"]]
    assert started == ["yaku", "lsp"]
    assert settings["glspc.server.languageId"] == ["yaml"]
    assert 'cmd = { "yaku", "lsp" }' in block("lua")
    assert '("yaku" "lsp")' in block("elisp")
