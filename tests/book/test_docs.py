"""The Python in docs/book.md runs."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "book.md"


def test_the_examples_give_what_stands_under_them() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", DOCUMENT.read_text("utf-8"), re.M | re.S)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "book.md", "book.md", 0)
    assert len(test.examples) >= 6
    assert doctest.DocTestRunner().run(test).failed == 0
