"""The Python of `docs/batches.md` gives what stands under it."""

from __future__ import annotations

import doctest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_python_of_the_document_runs() -> None:
    found = doctest.testfile(str(ROOT / "docs/batches.md"), module_relative=False, encoding="utf-8")
    assert found.attempted >= 10
    assert found.failed == 0
