"""Files and records made to hang or crash a program are refused, or read, in every command.

Each attack runs in a process of its own, whose processor time and memory are measured: what is
tested is that it ends soon, and that what it says is an error of ours and no traceback.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ruleengine.source import MAX_BYTES

ROOT = Path(__file__).resolve().parents[1]
HEAD = "format: 1\nid: attack\nextends: zhongyong-3.3\n"
WHOLE = (
    'format: 1\nid: attack\nname: Attack\nversion: "1"\ntiles:\n'
    '  wall: {"123456789m": 4, "123456789p": 4, "123456789s": 4, "1234567z": 4}\n'
    "shapes: {basic: {sets: 4, pairs: 1}}\nsettlement: {win: [{pays: points}]}\n"
)
HAND = "123m456m789m1z222z+1z"


def lines(count: int, line: Callable[[int], str]) -> str:
    return "".join(line(number) for number in range(count))


SMALL = WHOLE.replace('"123456789p": 4, "123456789s": 4, ', "")
"""A ruleset with so few tiles that all hands are soon gone through."""
_GROUPS = [
    f"has {group} {tile}"
    for group in ("triplet", "pair", "concealed triplet", "kong", "claimed kong", "claimed triplet")
    for tile in [f"{rank}m" for rank in range(1, 10)] + [f"{rank}z" for rank in range(1, 8)]
]


def condition(number: int) -> str:
    """One of many different conditions."""
    return _GROUPS[number % len(_GROUPS)]


def conditions(first: int, count: int) -> str:
    """So many of them, of which one suffices."""
    return " or ".join(condition(first + number) for number in range(count))


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
    "many_conditions": SMALL
    + "patterns:\n"
    + lines(
        600,
        lambda n: (
            f"  p{n}: {{points: 1, when: '{condition(n)} and {condition(7 * n + n // 96)}'}}\n"
        ),
    ),
    "sentences_without_end": SMALL
    + "patterns:\n"
    + lines(100, lambda n: f"  p{n}: {{points: 1, when: '{conditions(13 * n, 50)}'}}\n"),
    "unknown_names": SMALL
    + "terms:\n"
    + lines(900, lambda n: f"  some_name_{chr(97 + n % 26)}x{n}: dealer\n")
    + "patterns:\n"
    + lines(
        200, lambda n: f"  p{n}: {{points: 1, when: {' or '.join(['some_nmae_ax99'] * 60)}}}\n"
    ),
    "options_without_end": SMALL
    + "options: {least: {type: int, default: 0, max: 9999}}\ntotal: {minimum: least}\npatterns:\n"
    + lines(400, lambda n: f"  p{n}: {{points: 1, when: '{condition(n)}'}}\n")
    + "  q:\n    points: 1\n    when: dealer\n    hits:\n"
    + lines(1000, lambda n: f'      - {{hand: "{HAND}", options: {{least: {n}}}}}\n'),
    "reasons_without_end": SMALL
    + "patterns:\n"
    + lines(300, lambda n: f"  p{n}: {{points: 1, when: 'not {condition(n)}'}}\n")
    + "  r: {points: 2, series: s, when: dealer}\n  q:\n    points: 1\n    series: s\n"
    + "    when: dealer\n    misses:\n"
    + lines(1000, lambda n: f'      - {{hand: "{HAND}", lost_to: r, why: "{n}"}}\n'),
    "never": WHOLE
    + "patterns:\n"
    + lines(
        100,
        lambda n: (
            f"  p{n}: {{points: 1, when: 'count triplets = 4 and count sequences = 1 and "
            f"{condition(n)}'}}\n"
        ),
    ),
}
FILE = "./attack.yaml"
MODES: dict[str, list[list[str]]] = {
    "load": [["show", FILE]],
    "check": [["check", FILE]],
    "explain": [["explain", HAND, "--rules", FILE]],
    "batch": [["batch", "hands.jsonl", "--rules", FILE]],
    "lsp": [["edit", FILE]],
}
"""The modes in which every attack is run each time."""
MORE: dict[str, list[list[str]]] = {
    "load": [["show", FILE, "--effective"], ["rules"]],
    "score": [["score", HAND, "--rules", FILE]],
    "check": [["check", FILE, "--cost"], ["check", FILE, "--strict", "--format", "json"]],
    "explain": [["explain", HAND, "--rules", FILE, "--all"]],
    "waits": [["waits", "123m456m789m1z222z", "--rules", FILE, "--format", "json"]],
    "test": [["test", FILE]],
    "coverage": [["test", FILE, "--coverage"]],
    "mutants": [["test", FILE, "--mutants"]],
    "suggest": [["test", FILE, "--suggest", "p1"], ["test", FILE, "--suggest", "one_kong"]],
    "fmt": [["fmt", FILE, "--check"], ["fmt", FILE, "--diff"]],
    "blame": [["blame", FILE], ["blame", FILE, "patterns", "--json"]],
    "book": [["book", FILE, "-o", "../attack.html"]],
    "diff": [["diff", "zhongyong-3.3", FILE, "--only-structure"]],
    "why": [["explain", HAND, "--rules", FILE, "--pattern", "p1"]],
}
"""Further modes; `python -m tests.longer attacks` runs every attack in all of them."""
MOST_SECONDS = 20
"""Processor time that no command may take on any attack. Most take less than a second."""
MOST_MEGABYTES = 400


class Server:
    """Runs commands on attacks, in processes forked from one that is warm."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.attack_server"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, commands: list[list[str]], folder: Path) -> tuple[list[Ran], float]:
        """What became of some commands, and the most memory they took, in megabytes."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"folder": str(folder), "commands": commands}
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        return [Ran(*one) for one in answer["ran"]], answer["megabytes"]

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


class Ran(NamedTuple):
    """A command that was run: its status, what it told, its processor time."""

    status: int
    err: str
    seconds: float


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.close()


def attack(server: Server, name: str, commands: list[list[str]], folder: Path) -> list[Ran]:
    """Run commands on an attack: each ends soon and in little memory, with an error of ours if
    any, and changes no file."""
    work = folder / "work"
    work.mkdir()
    (work / "attack.yaml").write_text(ATTACKS[name], encoding="utf-8")
    (work / "hands.jsonl").write_text(json.dumps({"hand": HAND}) + "\n", encoding="utf-8")
    before = sorted(os.listdir(work))
    found, megabytes = server.run(commands, work)
    assert len(found) == len(commands), f"{commands[len(found)]} was stopped"
    for command, ran in zip(commands, found, strict=True):
        assert ran.status in (0, 1, 2), command
        assert "mistake in yaku itself" not in ran.err, (command, ran.err[:2000])
        assert "Traceback" not in ran.err
        assert ran.seconds < MOST_SECONDS, command
    assert megabytes < MOST_MEGABYTES
    assert (work / "attack.yaml").read_text(encoding="utf-8") == ATTACKS[name]
    assert sorted(os.listdir(work)) == before
    return found


TOO_MUCH_WORK = ("options_without_end", "reasons_without_end")
"""Attacks whose cases cannot all be run, which is no reason to let them pass."""


@pytest.mark.parametrize("name", ATTACKS)
def test_a_ruleset_that_attacks(server: Server, name: str, tmp_path: Path) -> None:
    commands = [command for commands in MODES.values() for command in commands]
    ran = attack(server, name, commands, tmp_path)
    if name in TOO_MUCH_WORK:
        assert ran[commands.index(["check", FILE])].status == 1


MEASURED = (
    ("formats", "suggest"),
    ("options_without_end", "book"),
    ("comments_everywhere", "fmt"),
    ("many_examples", "blame"),
    ("terms_in_a_row", "book"),
    ("supersedes_everything", "diff"),
)
"""Attacks that hurt in further modes."""


@pytest.mark.parametrize(("name", "mode"), MEASURED)
def test_a_ruleset_that_attacks_more(server: Server, name: str, mode: str, tmp_path: Path) -> None:
    attack(server, name, MORE[mode], tmp_path)


@pytest.mark.parametrize("name", TOO_MUCH_WORK)
def test_cases_that_are_too_much_work_never_pass(server: Server, name: str, tmp_path: Path) -> None:
    (tested,) = attack(server, name, [["test", FILE]], tmp_path)
    assert tested.status == 1


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


def test_records_that_attack(server: Server, tmp_path: Path) -> None:
    text = "\n".join([*RECORDS, json.dumps({"hand": HAND, "id": "last"})]) + "\n"
    (tmp_path / "hands.jsonl").write_text(text, encoding="utf-8")
    ((status, err, seconds),), _ = server.run(
        [["batch", "hands.jsonl", "-o", "out.jsonl"]], tmp_path
    )
    assert status == 1
    assert "Traceback" not in err
    assert seconds < MOST_SECONDS
    results = [
        json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    ]
    assert len(results) == len(RECORDS) + 1
    for result in results[:-1]:
        assert "error" in result or result["win"]
        assert result.get("error", {}).get("code") != "H901"
    assert results[-1]["id"] == "last"
    assert results[-1]["win"]
