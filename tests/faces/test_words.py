"""Every phrase of the faces is there in every language, and is used."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from ruleengine import faces
from ruleengine.faces.words import PHRASES, say, say_points
from ruleengine.ruleset.model import LANGUAGES

PACKAGE = Path(faces.__file__).resolve().parent.parent


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("key", PHRASES)
def test_a_phrase_is_there_in_every_language_with_the_same_values(key: str) -> None:
    phrase = PHRASES[key]
    assert len(phrase) == len(LANGUAGES)
    assert all(text.strip() or key in ("clause", "comma", "colon") for text in phrase)
    assert {frozenset(fields(text)) for text in phrase} == {frozenset(fields(phrase[0]))}


def test_simplified_and_traditional_characters_are_not_mixed() -> None:
    traditional, simplified = (
        set("槓點數規則顯對無從個讀選條順聽總單獨"),
        set("杠点数规则显对无从个读选条顺听总单独"),
    )
    only_traditional, only_simplified = traditional - simplified, simplified - traditional
    for phrase in PHRASES.values():
        assert not only_simplified & set(phrase[1])
        assert not only_traditional & set(phrase[2])


def test_every_phrase_is_used() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    made = {re.sub(r"\{[^}]*\}", r"\\w+", key) for key in re.findall(r'say\(\s*f"([^"]+)"', source)}
    table = (PACKAGE / "faces" / "words.py").read_text(encoding="utf-8")
    elsewhere = source.replace(table, "")
    written = set(re.findall(r'"(\w+)"', elsewhere)) | {"point", "points"}
    unused = [
        key
        for key in PHRASES
        if key not in written and not any(re.fullmatch(form, key) for form in made)
    ]
    assert unused == []


def test_one_point_and_many() -> None:
    assert [say_points(n, "en") for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert say_points(1, "ja") == "1点"


def test_an_unknown_phrase_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        say("no such phrase", "en")
