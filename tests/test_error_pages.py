"""Each code has its page, and each page shows what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ruleengine
from ruleengine.data import data_folder
from tests.error_pages import FOLDER, entries, group_of, index, page, run_example, titles

CODE = re.compile(r'"([CEHRTUW][0-9]{3})"')
SHOWN = sorted(code for code, entry in entries().items() if "wrong" in entry)


def test_every_code_of_the_source_has_its_page_and_no_other_has() -> None:
    texts = [(data_folder("grammar") / "mistakes.json").read_text(encoding="utf-8")]
    texts += [
        path.read_text(encoding="utf-8") for path in Path(ruleengine.__file__).parent.rglob("*.py")
    ]
    used = {code for text in texts for code in CODE.findall(text)}
    assert used == set(titles()) == set(entries())
    assert {path.stem for path in FOLDER.glob("*.md")} == used | {"README"}


@pytest.mark.parametrize("code", SHOWN)
def test_the_wrong_example_gives_this_code_and_the_right_one_none(code: str) -> None:
    assert set(run_example(code, "wrong").codes) == {code}
    assert run_example(code, "right").codes == ()


def test_few_codes_are_without_example() -> None:
    without = set(entries()) - set(SHOWN)
    assert all(entries()[code]["unshown"].endswith(".") for code in without)
    assert len(without) < 30


@pytest.mark.parametrize("code", sorted(entries()))
def test_the_page_is_up_to_date(code: str) -> None:
    """Where it is not: `python -m tests.error_pages`."""
    written = (FOLDER / f"{code}.md").read_text(encoding="utf-8")
    assert loose(written) == loose(page(code))


def loose(text: str) -> str:
    """A page without the lines of shipped rulesets, which move, and without the list of them."""
    text = re.sub(r"(?<=zhongyong-3.3.yaml:)\d+:\d+", "N", text)
    text = re.sub(r"^ *\d+ \|", "N |", text, flags=re.M)
    return re.sub(r"there are: simple-1, .*", "there are: ...", text)


def test_the_index_is_up_to_date() -> None:
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == index()
    assert all(group_of(code) for code in entries())


@pytest.mark.parametrize("code", sorted(entries()))
def test_a_page_says_something(code: str) -> None:
    means = " ".join(entries()[code]["means"].split())
    assert means.endswith(".")
    assert 30 < len(means) < 400
