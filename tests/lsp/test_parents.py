"""An open variant is read anew as soon as what it extends is another than it was."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="the extra [lsp] is not installed")

from ruleengine.lsp import features
from ruleengine.lsp.document import Document

TOP = """\
format: 1
id: top
name: Top
version: "1"
tiles: {wall: {"123456789m": 4, "1234567z": 4}}
shapes: {basic: {sets: 4, pairs: 1}}
terms:
  outer: terminal | honor
patterns:
  all_triplets: {points: 3, when: count triplets = 4}
settlement: {win: [{when: win by self_draw, pays: points}]}
"""
MIDDLE = "format: 1\nid: middle\nextends: top\nname: Middle\n"
CHILD = (
    "format: 1\nid: child\nextends: middle\nname: Child\n"
    "patterns:\n  outer_hand: {points: 2, when: all tiles are outer}\n"
)
WRONG = CHILD.replace("all tiles are outer", "all tiles are")
"""The same, in the middle of being written."""
NOWHERE = CHILD.replace("extends: middle", "extends: other")
"""A variant whose parent is not there yet."""


def written(text: str, name: str, folder: Path) -> None:
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    written(TOP, "top", tmp_path)
    written(MIDDLE, "middle", tmp_path)
    return tmp_path


def opened(text: str, folder: Path) -> Document:
    document = Document(text, str(folder / "child.yaml"))
    assert document.is_current
    return document


CHANGES = {
    "another text": ("top", TOP.replace("terminal | honor", "simple")),
    "other lines": ("top", f"# a\n{TOP}"),
    "not YAML": ("top", "terms: [["),
    "one in between": ("middle", MIDDLE + "terms: {outer: honor}\n"),
    "another parent": ("middle", MIDDLE.replace("top", "zhongyong-3.3")),
    "gone": ("top", None),
    "come": ("other", TOP.replace("id: top", "id: other")),
}


@pytest.mark.parametrize(("name", "text"), CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("child", [CHILD, WRONG, NOWHERE], ids=["whole", "begun", "no parent"])
def test_what_a_file_extends_has_changed(
    child: str, name: str, text: str | None, folder: Path
) -> None:
    document = opened(child, folder)
    if text is None:
        (folder / f"{name}.yaml").unlink()
    else:
        written(text, name, folder)
    # What stands in files that it never came to is nothing to it; which ones there are is.
    assert document.is_current is (child is NOWHERE and text is not None and name != "other")


def test_what_is_told_is_that_of_the_new_parent(folder: Path) -> None:
    def told(document: Document) -> tuple[str | None, int | None, list[str]]:
        place = document.place(6, CHILD.splitlines()[5].index("outer}") + 1)
        found = features.definition(document, place, ())
        codes = [problem.code for problem in document.problems]
        return features.hover(document, place), found.line if found else None, codes

    top = folder / "top.yaml"
    document = opened(CHILD, folder)
    assert told(document) == (f"**outer**: term\n\n`terminal | honor`\n\nfrom {top}:8", 8, [])
    changed = TOP.replace("terminal | honor", "simple").replace("terms:", "# more\nterms:")
    written(changed, "top", folder)
    document = Document(CHILD, document.path, (), document)
    assert told(document) == (f"**outer**: term\n\n`simple`\n\nfrom {top}:9", 9, [])
    # Renamed in the parent, the term is not known to the variant.
    written(TOP.replace("outer:", "outr:"), "top", folder)
    document = Document(CHILD, document.path, (), document)
    assert told(document)[1:] == (None, ["E204"])


def test_a_file_that_cannot_be_read_is_one_that_changed(folder: Path) -> None:
    (folder / "top.yaml").write_bytes(b"\xff\xfe\xff")
    document = opened(CHILD, folder)
    assert document.problems
    written(TOP, "top", folder)
    assert not document.is_current
