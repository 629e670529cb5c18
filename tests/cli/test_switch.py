"""A ruleset named in `yaku.toml`, and nothing else, is the ruleset of every command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ruleengine
from ruleengine.cli.app import COMMANDS

if TYPE_CHECKING:
    from tests.cli.conftest import Yaku

HAND = "123m456m789p23s55p+4s"
CALLS: dict[str, list[str]] = {
    "score": ["score", HAND],
    "explain": ["explain", HAND],
    "waits": ["waits", "123m456m789p23s55p", "--json"],
    "settle": ["settle", "--event", "abortive"],
    "batch": ["batch", "hands.jsonl"],
    "rules": ["rules"],
    "show": ["show"],
    "book": ["book", "--format", "markdown"],
    "check": ["check"],
    "test": ["test"],
    "blame": ["blame"],
    "new": ["new", "house"],
    "stats": ["stats", "--sample", "50"],
    "config": ["config"],
}
WITHOUT = {"fmt", "lsp", "diff"}
"""Commands about files that are named or open, whatever the rules are."""
UNNAMED = {"waits", "check"}
"""Commands whose output does not name the ruleset where all is well."""


def said(yaku: Yaku, command: str) -> str:
    """What a command says under the ruleset of the folder, and what it wrote."""
    Path("hands.jsonl").write_text(f'{{"hand": "{HAND}"}}\n', encoding="utf-8")
    run = yaku(*CALLS[command])
    assert run.status == 0, run.err
    made = Path("house.yaml")
    text = made.read_text(encoding="utf-8") if made.exists() else ""
    made.unlink(missing_ok=True)
    return run.out + text


def test_every_command_is_looked_at() -> None:
    assert set(COMMANDS) - set(CALLS) <= WITHOUT


@pytest.mark.parametrize("command", CALLS)
def test_the_ruleset_of_the_folder_is_the_ruleset_of_the_command(yaku: Yaku, command: str) -> None:
    found: dict[str, str] = {}
    for name in ("zhongyong-3.3", "zhongyong-3.3-flowers", "simple-1"):
        Path("yaku.toml").write_text(f'rules = "{name}"\n', encoding="utf-8")
        found[name] = said(yaku, command)
    assert len(set(found.values())) == (2 if command in UNNAMED else 3)
    if command not in UNNAMED:
        for name, text in found.items():
            assert name in text or ruleengine.load(name).data.name.get("en") in text
