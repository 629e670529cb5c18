"""The longer checks that change rulesets work; what they find is found by running them for long."""

from __future__ import annotations

import importlib.util
import random
import re

import pytest

from tests import fuzz, fuzz_hypothesis
from tests.fuzz import Fuzzed, mutant, seeds, shortened, try_mutant
from tests.longer import main


def test_mutants_are_refused_or_used() -> None:
    found = Fuzzed()
    for number in range(12):
        try_mutant(mutant(random.Random(f"test {number}")), found)
    assert found.mutants == 12
    assert found.codes


def test_seeds_are_short_enough_to_be_read_often() -> None:
    for text in seeds():
        assert len(shortened(text, random.Random(1))) <= fuzz.LARGEST


def test_what_hypothesis_finds_is_kept_small(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(data: bytes, found: Fuzzed) -> None:
        assert b"\n\n" not in data

    monkeypatch.setattr(fuzz_hypothesis, "try_mutant", broken)
    assert fuzz_hypothesis.check_hypothesis(5, 1)
    printed = capsys.readouterr().out
    assert re.search(r"mutant-\d+\.yaml\n(?:.*\n)+AssertionError|mutant-\d+\.yaml", printed)


def test_without_atheris_a_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert main(["fuzz", "--with", "atheris", "--seconds", "1"]) == 1
    assert capsys.readouterr().err == (
        "Atheris is not installed: pip install 'yaku-engine[fuzz]' (Python 3.11 to 3.13)\n"
    )


@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="the extra [fuzz] is not installed"
)
def test_atheris_runs() -> None:
    assert main(["fuzz", "--with", "atheris", "--seconds", "2"]) == 0
