"""Codes: each one that the source or the grammar uses has a title, and none is left over."""

from __future__ import annotations

import re
from pathlib import Path

import ruleengine
from ruleengine.config import CONFIG_ERRORS
from ruleengine.data import data_folder
from ruleengine.diagnostics import TITLES
from ruleengine.errors import HAND_ERRORS, RULES_ERRORS, HandError, quote

CODE = re.compile(r'"([CEHRW][0-9]{3})"')
TITLED = [TITLES, HAND_ERRORS, RULES_ERRORS, CONFIG_ERRORS]
HOMES = ("diagnostics.py", "errors.py", "config.py")


def used_codes() -> set[str]:
    """The codes in the source, but for the tables of titles, and in the table of mistakes."""
    package = Path(ruleengine.__file__).parent
    texts = [(data_folder("grammar") / "mistakes.json").read_text(encoding="utf-8")]
    for path in package.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.parent == package and path.name in HOMES:
            text = re.sub(r'^ +"[CEHRW][0-9]{3}": ".*",$', "", text, flags=re.MULTILINE)
        texts.append(text)
    return {code for text in texts for code in CODE.findall(text)}


def test_every_code_has_a_title_and_no_title_is_left_over() -> None:
    titles = [code for table in TITLED for code in table]
    assert sorted(titles) == sorted(used_codes())


def test_titles_are_short_and_told_apart() -> None:
    for table in TITLED:
        assert len(set(table.values())) == len(table)
        assert all(0 < len(title) < 60 and not title.endswith(".") for title in table.values())


def test_an_error_says_its_message() -> None:
    error = HandError("H104", "there is no tile '8z'", "honors run from 1z to 7z")
    assert str(error) == "there is no tile '8z'"
    assert (error.code, error.help) == ("H104", "honors run from 1z to 7z")


def test_quotes_shorten_and_show_what_cannot_be_seen() -> None:
    assert quote("a" * 40) == f"'{'a' * 40}'"
    assert quote("a" * 41) == f"'{'a' * 40}…'"
    assert quote("1m\x00") == "'1mU+0000'"
