"""Broken rulesets as data: each file of `cases/bad` beside all that is to be said of it.

All mistakes of a file come out in one run, each at its own place and none of them an echo of
another. After a change to the words: look at every line of the difference before keeping it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ruleengine.diagnostics import TITLES, RulesetError, render_text
from ruleengine.ruleset.read import read_ruleset_file

if TYPE_CHECKING:
    from ruleengine.diagnostics import Diagnostic

BAD = Path(__file__).parents[1] / "cases" / "bad"
NAMES = sorted(path.stem for path in BAD.glob("*.yaml"))


def broken(name: str, monkeypatch: pytest.MonkeyPatch) -> RulesetError:
    monkeypatch.chdir(BAD)
    with pytest.raises(RulesetError) as caught:
        read_ruleset_file(Path(f"{name}.yaml"), (Path("parents"),))
    return caught.value


def test_there_are_many_and_none_is_left_over() -> None:
    assert len(NAMES) >= 120
    assert sorted(path.stem for path in BAD.glob("*.expected")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_broken_ruleset_is_explained(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    error = broken(name, monkeypatch)
    shown = render_text(error.diagnostics, error.sources, limit=None) + "\n"
    assert shown == (BAD / f"{name}.expected").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_mistakes_have_a_place_of_their_own(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    error = broken(name, monkeypatch)
    found = [d for d in error.diagnostics if d.severity == "error"]
    assert found
    spans = [diagnostic.span for diagnostic in found]
    assert None not in spans
    assert len(set(spans)) == len(spans)
    for diagnostic in error.diagnostics:
        check_words(diagnostic)
        check_note(diagnostic, f"{name}.yaml")


def check_words(diagnostic: Diagnostic) -> None:
    assert diagnostic.code in TITLES
    assert len(diagnostic.message.splitlines()) == 1
    said = re.sub(r"'[^']*'", "", diagnostic.message)
    assert not re.search(r"(?<!\.\.)\.$|None|<|Node|Error\b", said)


def check_note(diagnostic: Diagnostic, asked_for: str) -> None:
    """What stands in an inherited file says what it has to do with the file asked for."""
    assert diagnostic.span is not None
    if diagnostic.span.path != asked_for:
        assert asked_for in [label.span.path for label in diagnostic.labels]


def test_every_code_of_a_ruleset_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    met = {d.code for name in NAMES for d in broken(name, monkeypatch).diagnostics}
    fields = {code for code in TITLES if code[:2] in ("E3", "E4")}
    assert fields - met == set()
