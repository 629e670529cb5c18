"""Files and records made to hang or crash a program are refused, or read, in every command.

Each attack runs in a process of its own with a timeout that is far above what any needs: what is
tested is that it ends, and that what it says is an error of ours and no traceback.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ruleengine.source import MAX_BYTES

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 240
HEAD = "format: 1\nid: attack\nextends: zhongyong-3.3\n"
WHOLE = (
    'format: 1\nid: attack\nname: Attack\nversion: "1"\ntiles:\n'
    '  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}\n'
    "shapes: {basic: {sets: 4, pairs: 1}}\nsettlement: {win: [{pays: points}]}\n"
)
HAND = "123m456m789m1z222z+1z"


def lines(count: int, line: Callable[[int], str]) -> str:
    return "".join(line(number) for number in range(count))


ATTACKS: dict[str, str] = {
    "aliases": "a: &a [x, x, x, x, x, x, x, x, x]\n"
    + lines(8, lambda n: f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join(['*' + chr(97 + n)] * 9)}]\n"),
    "brackets": HEAD + "patterns: " + "[" * 200_000,
    "braces": HEAD + "patterns: " + "{a: " * 50_000,
    "dashes": HEAD + "remove:\n  " + "- " * 20_000 + "x\n",
    "indentation": HEAD + "patterns:\n" + lines(1000, lambda n: " " * (n + 1) + "a:\n"),
    "a_long_text": HEAD + f"name: {'x' * (MAX_BYTES - 200)}\n",
    "too_large": HEAD + f"name: {'x' * MAX_BYTES}\n",
    "a_long_key": HEAD + f"{'k' * 100_000}: 1\n",
    "many_values": HEAD + "remove: [" + ", ".join(["a.b"] * 10_000) + "]\n",
    "too_many_values": HEAD + "remove: [" + ", ".join(["a"] * 200_000) + "]\n",
    "many_names_twice": HEAD + "patterns:\n" + lines(5000, lambda n: "  one_kong: {}\n"),
    "comments": HEAD + "# x\n" * 30_000,
    "comments_everywhere": HEAD
    + "patterns:\n"
    + lines(800, lambda n: f"  # {n}\n  p{n}: {{points: 1, when: dealer}} # {n}\n   # odd\n"),
    "empty_lines": HEAD + "\n" * 500_000,
    "open_quote": HEAD + 'name: "' + "x\n" * 200_000,
    "escapes": HEAD + 'name: "' + "\\u4e2d" * 100_000 + '"\n',
    "code": HEAD + 'name: !!python/object/apply:os.system ["echo attacked"]\n',
    "formats": HEAD + 'name: "{0.__class__} {n} %s [red]x[/red] {"\npatterns:\n'
    '  one_kong: {name: "{points} [b]", doc: "%(x)s {}"}\n',
    "path": "format: 1\nid: attack\nextends: ../../../../etc/passwd\n",
    "terms_that_double": HEAD
    + "terms:\n"
    + lines(200, lambda n: f"  t{n}: t{n + 1} and t{n + 1}\n")
    + "  t200: dealer\npatterns:\n  p: {points: 1, when: t0}\n",
    "terms_in_a_row": HEAD
    + "terms:\n"
    + lines(900, lambda n: f"  t{n}: not t{n + 1}\n")
    + "  t900: dealer\npatterns:\n  p: {points: 1, when: t0}\n",
    "terms_in_a_circle": HEAD
    + "terms:\n"
    + lines(900, lambda n: f"  t{n}: not t{(n + 1) % 900}\n"),
    "sentence_of_brackets": HEAD + f"terms:\n  t: {'(' * 900}dealer{')' * 900}\n",
    "sentence_of_nots": HEAD + f"terms:\n  t: {'not ' * 490}dealer\n",
    "sentence_of_sums": HEAD + f"terms:\n  t: 1{' + 1' * 490} = 1\n",
    "sentence_of_products": HEAD + f"terms:\n  t: {'9' * 9}{' * 999999999' * 150} = 1\n"
    "patterns:\n  p: {points: 1, when: t}\n",
    "sentence_of_ifs": HEAD
    + f"terms:\n  t: {'if dealer then 1 else (' * 35}1{')' * 35}\npatterns:\n"
    "  p: {points: t, when: dealer}\n",
    "large_template": HEAD
    + "patterns:\n  p: {points: 1, when: 'has "
    + ", ".join(f"triplet {chr(65 + n)}" for n in range(20))
    + "'}\n  q: {points: 1, when: 'has sequence rx, sequence qy, sequence rw, sequence qx'}\n",
    "templates_together": WHOLE
    + "patterns:\n"
    + lines(
        900,
        lambda n: (
            f"  p{n}: {{points: 1, when: 'has sequence A, sequence B, pair simple & ~{n % 9 + 1}m, "
            f"triplet {n // 9 % 9 + 1}p'}}\n"
        ),
    ),
    "templates_that_just_fit": WHOLE
    + "patterns:\n  p: {points: 1, when: 'has concealed triplet A, claimed triplet B, pair C'}\n"
    "  q: {points: 1, when: 'has triplet A, concealed triplet B, claimed pair C'}\n"
    "  r: {points: 1, when: 'has sequence A, sequence B, concealed triplet rx'}\n",
    "a_template_that_all_use": WHOLE
    + "terms:\n  t: has triplet A, triplet B, pair C\npatterns:\n"
    + lines(900, lambda n: f"  p{n}: {{points: 1, when: t and count kongs = {n % 5}}}\n"),
    "large_shape": WHOLE.replace("{sets: 4, pairs: 1}", "{tiles: 147x258y369w1234567z, choose: 14}")
    + "patterns: {}\n",
    "shape_without_end": WHOLE.replace(
        "{sets: 4, pairs: 1}", f"{{tiles: {'123456789m123456789p123456789s'}, choose: 14}}"
    )
    + "patterns: {}\n",
    "supersedes_in_a_row": WHOLE
    + "patterns:\n"
    + lines(900, lambda n: f"  p{n}: {{points: 1, when: dealer, supersedes: [p{n + 1}]}}\n")
    + "  p900: {points: 1, when: dealer}\n",
    "supersedes_everything": WHOLE
    + "patterns:\n"
    + lines(
        200,
        lambda n: (
            f"  p{n}: {{points: 1, when: dealer, supersedes: "
            f"[{', '.join(f'p{m}' for m in range(n + 1, 200))}]}}\n"
        ),
    )
    + "  p200: {points: 1, when: dealer}\n",
    "many_examples": HEAD
    + "patterns:\n  one_kong:\n    hits:\n"
    + lines(5000, lambda n: f'      - {{hand: "{HAND}", why: "{n}"}}\n'),
    "many_patterns": WHOLE
    + "patterns:\n"
    + lines(1200, lambda n: f"  p{n}: {{points: {n}, when: count triplets = {n % 5}}}\n"),
    "huge_numbers": HEAD + "patterns:\n  one_kong: {points: " + "9" * 5000 + "}\n",
    "invisible": HEAD + 'name: "' + "\u202e\u2066\u200b" * 1000 + '\\u0000\\e"\n',
}
COMMANDS = [
    ["show", "FILE"],
    ["show", "FILE", "--effective"],
    ["blame", "FILE"],
    ["blame", "FILE", "patterns", "--json"],
    ["fmt", "FILE", "--check"],
    ["fmt", "FILE", "--diff"],
    ["score", HAND, "--rules", "FILE"],
    ["explain", HAND, "--rules", "FILE", "--all"],
    ["waits", "123m456m789m1z222z", "--rules", "FILE", "--format", "json"],
    ["batch", "hands.jsonl", "--rules", "FILE"],
]
RUN = """
import io, json, sys, contextlib
from ruleengine.cli import main
for command in json.loads(sys.argv[1]):
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(command)
    print(json.dumps([command[0], status, err.getvalue()]))
"""


def run_all(commands: list[list[str]], folder: Path) -> list[tuple[str, int, str]]:
    variables = {
        **os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "COLUMNS": "100",
        "XDG_CONFIG_HOME": str(folder), "HOME": str(folder), "YAKU_CACHE": "off",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps(commands)],
        cwd=folder,
        env=variables,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    found = [json.loads(line) for line in done.stdout.decode().splitlines()]
    return [(name, status, err) for name, status, err in found]


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_ruleset_that_attacks(attack: str, tmp_path: Path) -> None:
    (tmp_path / "attack.yaml").write_text(ATTACKS[attack], encoding="utf-8")
    (tmp_path / "hands.jsonl").write_text(json.dumps({"hand": HAND}) + "\n", encoding="utf-8")
    before = sorted(os.listdir(tmp_path))
    commands = [
        ["./attack.yaml" if word == "FILE" else word for word in command] for command in COMMANDS
    ]
    found = run_all(commands, tmp_path)
    assert [name for name, _, _ in found] == [command[0] for command in COMMANDS]
    for name, status, err in found:
        assert status in (0, 1, 2), name
        assert "mistake in yaku itself" not in err, (name, err[:2000])
        assert "Traceback" not in err
    assert (tmp_path / "attack.yaml").read_text(encoding="utf-8") == ATTACKS[attack]
    assert sorted(os.listdir(tmp_path)) == before


CHECKED = (
    "a_template_that_all_use", "terms_that_double", "supersedes_everything", "comments_everywhere",
    "large_shape", "formats",
)  # fmt: skip
"""Attacks that can be read, more or less, so that `check` has work to do."""


@pytest.mark.parametrize("attack", CHECKED)
def test_a_ruleset_that_attacks_the_check(attack: str, tmp_path: Path) -> None:
    (tmp_path / "attack.yaml").write_text(ATTACKS[attack], encoding="utf-8")
    commands = [["check", "./attack.yaml"], ["check", "./attack.yaml", "--format", "json"]]
    for _, status, err in run_all(commands, tmp_path):
        assert status in (0, 1, 2)
        assert "mistake in yaku itself" not in err
        assert "Traceback" not in err


MEASURED = {
    "sentence_of_ifs": ["--mutants"],
    "a_template_that_all_use": ["--coverage"],
    "many_examples": [],
    "formats": ["--suggest", "one_kong"],
}
"""Attacks that hurt `yaku test`, each with how; `python -m tests.longer attacks` has all."""
TESTS: list[list[str]] = [[], ["--coverage"], ["--mutants"], ["--suggest", "one_kong"]]


@pytest.mark.parametrize("attack", MEASURED)
def test_a_ruleset_that_attacks_its_tests(attack: str, tmp_path: Path) -> None:
    attack_tests(attack, [["test", "./attack.yaml", *MEASURED[attack]]], tmp_path)


def attack_tests(attack: str, commands: list[list[str]], folder: Path) -> None:
    """Run commands on an attack: they end, with an error of ours if any."""
    (folder / "attack.yaml").write_text(ATTACKS[attack], encoding="utf-8")
    for name, status, err in run_all(commands, folder):
        assert status in (0, 1, 2), name
        assert "mistake in yaku itself" not in err
        assert "Traceback" not in err


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_ruleset_that_attacks_an_editor(attack: str, tmp_path: Path) -> None:
    text = ATTACKS[attack]
    (tmp_path / "attack.yaml").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", EDIT, "attack.yaml"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "YAKU_CACHE": "off"},
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert int(done.stdout) >= 0


EDIT = """
import sys
from pathlib import Path
from ruleengine.lsp import features
from ruleengine.lsp.complete import completions
from ruleengine.lsp.document import Document
document = Document(Path(sys.argv[1]).read_text("utf-8"), sys.argv[1])
lines = document.lines
for line in {1, 4, 5, 10, len(lines) // 2 + 1, len(lines)}:
    width = len(lines[line - 1]) if line <= len(lines) else 0
    for column in {1, 9, width // 2 + 1, width + 1}:
        place = document.place(line, column)
        features.hover(document, place)
        features.definition(document, place, ())
        completions(document, line, column, ())
features.lenses(document)
print(len(document.problems))
"""

RECORDS = [
    '{"hand": "' + "1" * 900_000 + '"}',
    '{"hand": ' + "[" * 100_000 + "}",
    '{"hand": "' + HAND + '", "options": ' + '{"a": ' * 50_000 + "1",
    '{"hand": "' + HAND + '", "dora": ' + "9" * 5000 + "}",
    '{"hand": "' + HAND + '", "dora": NaN}',
    '{"hand": "' + HAND + '", "options": {"minimum": 1e999}}',
    '{"hand": "' + HAND + '", "options": {"minimum": ' + "9" * 400 + "}}",
    '{"hand": "' + "[" * 20_000 + '"}',
    '{"hand": "' + "+" * 20_000 + '"}',
    '{"hand": "\\ud83c"}',
    '{"hand": "' + HAND + '", "id": "\\ud83c"}',
    '{"hand": "' + HAND + '", "events": ' + json.dumps(["last_tile"] * 10_000) + "}",
    '{"hand": "' + HAND + '", "' + "k" * 100_000 + '": 1}',
    '{"hand": "' + HAND + '", "by": "discard", "from": "S", "discards": '
    + json.dumps([["E", "1m"]] * 10_000) + "}",
    "\x00" * 1000,
    '{"hand": "{0.__class__} %s"}',
]  # fmt: skip


def test_records_that_attack(tmp_path: Path) -> None:
    text = "\n".join([*RECORDS, json.dumps({"hand": HAND, "id": "last"})]) + "\n"
    (tmp_path / "hands.jsonl").write_text(text, encoding="utf-8")
    ((_, status, err),) = run_all([["batch", "hands.jsonl", "-o", "out.jsonl"]], tmp_path)
    assert status == 1
    assert "Traceback" not in err
    results = [
        json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    ]
    assert len(results) == len(RECORDS) + 1
    for result in results[:-1]:
        assert "error" in result or result["win"]
        assert result.get("error", {}).get("code") != "H901"
    assert results[-1]["id"] == "last"
    assert results[-1]["win"]
