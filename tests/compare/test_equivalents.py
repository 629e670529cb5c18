"""Sentences in other words are proved to mean the same: `cases/diff/rewritings.yaml`."""

from __future__ import annotations

from collections import defaultdict

import pytest

from ruleengine.compare.run import compare
from tests.compare.rewritings import Rewriting, rewritings, rewritten, shipped


def rounds() -> list[tuple[str, list[Rewriting]]]:
    """The cases put together as far as they do not speak of the same value, so that few rulesets
    are compared."""
    found: list[tuple[str, list[Rewriting]]] = []
    seen: dict[str, list[set[str]]] = defaultdict(list)
    by_round: dict[tuple[str, int], list[Rewriting]] = {}
    for case in rewritings():
        sets = seen[case.rules]
        at = next((n for n, paths in enumerate(sets) if not paths & set(case.set)), len(sets))
        if at == len(sets):
            sets.append(set())
            by_round[case.rules, at] = []
            found.append((case.rules, by_round[case.rules, at]))
        sets[at] |= set(case.set)
        by_round[case.rules, at].append(case)
    return found


@pytest.mark.parametrize(
    ("name", "cases"), rounds(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_file_in_other_words_is_proved_equal(name: str, cases: list[Rewriting]) -> None:
    found = compare(shipped(name), rewritten(name, cases))
    open_ = [one for one in found.changes if one.change.level != "text"]
    assert not open_, [(one.change.at, one.change.new, one.effect) for one in open_]
    assert found.proved_equal
    assert found.hands is None, "what is proved needs no counting"
    written = {path for case in cases for path in case.set if not path.startswith("terms.")}
    for one in found.changes:
        if one.effect is not None:
            assert one.effect.relation == "equal"
            assert one.effect.how == "proved"
    assert written <= {one.change.at for one in found.changes} | {
        path for path in written if path.startswith("settlement.")
    }
