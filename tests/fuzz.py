"""Changes rulesets at random and sees that nothing but errors of ours comes out.

`python -m tests.longer fuzz --seconds 600` reads, lays out, merges, shows and scores with what has
become of shipped rulesets after a few random changes. Everything may be refused; nothing may
crash, and what is laid out must say the same. A mutant that crashes something is kept as a file.
"""

from __future__ import annotations

import random
import re
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ruleengine.diagnostics import RulesetError, render_line, render_text, to_json
from ruleengine.errors import HandError
from ruleengine.faces.annotation import annotation
from ruleengine.fmt import format_text
from ruleengine.fmt.effective import effective_text
from ruleengine.rules import Rules
from ruleengine.ruleset.find import ruleset_ids
from ruleengine.ruleset.origins import origins
from ruleengine.ruleset.read import ReadRuleset, read_ruleset_text
from ruleengine.source import decode
from tests.fmt.test_comments import SAMPLE
from tests.ruleset.small import ruleset

HANDS = ("123m456m789m1z222z+1z", "19m19p19s1234567z+1z", "1133m5577p2299s6z+6z")
CHANGES = 6
"""The most changes that a mutant has had."""
LARGEST = 6000
"""Longer rulesets lose patterns first, so that reading one is quick."""
TOKENS = (
    *(": ", " - ", "- ", "[", "]", "{", "}", ", ", "#", " # x", "&a ", "*a", "!t ", "|", ">-", "'"),
    *('"', "\\", "\t", "\0", "\ufeff", "\u2028", "\u202e", "\x85", "\r", "\n", "\n\n", "%", "@"),
    *("? ", "---\n", "...\n", "~", "null", "true", "1e9", "0x1f", "99999999999", "-1", "1.5"),
    *("萬", "🀄", "👨\u200d👩", "（", "dealer", "not ", " and ", " or ", "count ", "kongs", " = "),
    *("if ", " then ", " else ", "has ", "sequence rx", "triplet A", "(", ")", "min(", "1z", "9m"),
    *("points", "when", "times", "extends: zhongyong-3.3\n", "remove: [patterns]\n", "terms:\n"),
)


@dataclass
class Fuzzed:
    """What came of the mutants."""

    mutants: int = 0
    accepted: int = 0
    laid_out: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def report(self) -> None:
        """Print it."""
        print(
            f"{self.mutants:,} mutants: {self.accepted:,} accepted, {self.laid_out:,} laid out, "
            f"{len(self.codes)} codes met"
        )
        for failure in self.failures:
            print(failure)


@cache
def seeds() -> tuple[str, ...]:
    """The texts that are changed."""
    shipped = [path.read_text(encoding="utf-8") for path in ruleset_ids().values()]
    small = ruleset(
        "terms: {value: dragon | seat_wind}\n"
        "patterns:\n  honors: {points: 10, times: count triplets of value}\n"
        "  kong: {points: 5, when: count kongs = 1, supersedes: [honors]}\n"
        "total: {cap: 100, empty: 1}\n"
    )
    return (*shipped, SAMPLE, small)


def mutant(rng: random.Random) -> bytes:
    """One of the texts after some changes."""
    text = shortened(rng.choice(seeds()), rng)
    for _ in range(rng.randrange(1, CHANGES + 1)):
        text = _change(text, rng)
    data = text.encode("utf-8", "surrogatepass")
    if rng.random() < 0.1 and data:
        at = rng.randrange(len(data))
        data = data[:at] + bytes([rng.randrange(256)]) + data[at + rng.randrange(2) :]
    return data


def shortened(text: str, rng: random.Random) -> str:
    """A ruleset without some of its patterns, if it is long."""
    while len(text) > LARGEST:
        blocks = re.findall(r"(?m)^(?: {2}\S.*\n(?:(?: {4}.*)?\n)*)", text)
        large = [block for block in blocks if len(block) > 300]
        if not large:
            break
        for block in rng.sample(large, max(len(large) // 2, 1)):
            text = text.replace(block, "", 1)
    return text


def _change(text: str, rng: random.Random) -> str:
    at = rng.randrange(len(text) + 1)
    size = min(int(rng.expovariate(0.05)) + 1, 500)
    kind = rng.randrange(9)
    if kind == 0:
        return text[:at] + text[at + size :]
    if kind == 1:
        return text[:at] + rng.choice(TOKENS) + text[at:]
    if kind == 2:
        return text[:at] + rng.choice(TOKENS) + text[at + size :]
    if kind == 3:
        start = rng.randrange(len(text) + 1)
        return text[:at] + text[start : start + size] + text[at:]
    if kind == 4:
        return text[:at] + chr(rng.choice((rng.randrange(128), rng.randrange(0x11000)))) + text[at:]
    lines = text.split("\n")
    row = rng.randrange(len(lines))
    if kind == 5:
        lines[row] = " " * rng.randrange(4) + lines[row].removeprefix(" " * rng.randrange(4))
    elif kind == 6:
        other = rng.randrange(len(lines))
        lines[row], lines[other] = lines[other], lines[row]
    elif kind == 7:
        words = re.findall(r"\w+", text) or ["x"]
        lines[row] = re.sub(r"\w+", lambda found: _other(found.group(), words, rng), lines[row])
    else:
        lines.insert(row, " " * rng.randrange(8) + f"# {rng.random()}")
    return "\n".join(lines)


def _other(word: str, words: list[str], rng: random.Random) -> str:
    return rng.choice(words) if rng.random() < 0.3 else word


def try_mutant(data: bytes, found: Fuzzed) -> None:
    """Do with a mutant all that commands do. Raises whatever should not come out."""
    found.mutants += 1
    try:
        text = decode(data, "mutant.yaml")
    except RulesetError as error:
        _show(error, found)
        return
    try:
        read = read_ruleset_text(text, "mutant.yaml")
    except RulesetError as error:
        _show(error, found)
    else:
        found.accepted += 1
        _use(read)
    try:
        after = format_text(text, "mutant.yaml")
    except RulesetError as error:
        _show(error, found)
    else:
        found.laid_out += 1
        assert format_text(after, "mutant.yaml") == after


def _show(error: RulesetError, found: Fuzzed) -> None:
    found.codes.update(problem.code for problem in error.diagnostics)
    assert any(problem.severity == "error" for problem in error.diagnostics)
    assert all(problem.code != "E603" for problem in error.diagnostics), str(error)
    assert str(error) == render_text(error.diagnostics, error.sources)
    for problem in error.diagnostics:
        assert "\n" not in render_line(problem)
        assert "\n" not in annotation(problem)
        assert to_json(problem)["code"] == problem.code
        assert problem.span is not None


def _use(read: ReadRuleset) -> None:
    assert read.chain is not None
    assert origins(read.chain)
    merged = read_ruleset_text(effective_text(read.chain), "merged.yaml").data
    assert list(merged.patterns) == list(read.data.patterns)
    rules = Rules(read.data)
    for hand in HANDS:
        try:
            rules.score(hand).explain()
        except HandError:
            continue


def check_fuzz(seconds: float, seed: int) -> bool:
    """Try mutants for a time; says whether something failed."""
    found = Fuzzed()
    end = time.monotonic() + seconds
    number = 0
    while time.monotonic() < end and len(found.failures) < 10:
        data = mutant(random.Random(f"{seed} {number}"))
        try:
            try_mutant(data, found)
        except Exception:
            kept = Path(tempfile.mkdtemp()) / f"mutant-{seed}-{number}.yaml"
            kept.write_bytes(data)
            found.failures.append(f"{kept}\n{traceback.format_exc()}")
        number += 1
    found.report()
    return bool(found.failures)
