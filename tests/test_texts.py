"""The texts of the shipped rulesets: each is there in every language, in its own characters."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

import ruleengine
from ruleengine.ruleset.model import LANGUAGES
from tests.book import shipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.ruleset.model import RulesetData, Text

NAMES = ruleengine.ruleset_names()
KANA = re.compile(r"[ぁ-んァ-ヶ]")
HAN = re.compile(r"[一-鿿]")


def texts(data: RulesetData) -> Iterator[tuple[str, Text]]:
    """Every text that people read, with where it stands."""
    yield "name", data.name
    yield "source", data.source
    yield "total.empty.name", data.total.empty_name
    for id, name in data.shape_names.items():
        yield f"shapes.{id}.name", name
    named = {
        **{id: (one.name, one.doc) for id, one in data.options.items()},
        **{id: (one.name, one.doc) for id, one in data.events.items()},
        **{id: (one.name, one.doc) for id, one in data.patterns.items()},
    }
    for id, (name, doc) in named.items():
        yield f"{id}.name", name
        yield f"{id}.doc", doc
    for one in data.interpretations:
        yield f"interpretations.{one.id}.question", one.question
        yield f"interpretations.{one.id}.reading", one.reading
        yield f"interpretations.{one.id}.why", one.why


@pytest.mark.parametrize("name", NAMES)
def test_no_text_is_missing_in_any_language(name: str) -> None:
    found = list(texts(ruleengine.load(name).data))
    assert len(found) > 100
    missing = {where: set(LANGUAGES) - set(text.by_language) for where, text in found}
    assert {where: languages for where, languages in missing.items() if languages} == {}
    for where, text in found:
        assert all(one.strip() == one and one for one in text.by_language.values()), where
        assert not HAN.search(re.sub(r"[(（][^)）]*[)）]", "", text.get("en"))), where


@pytest.mark.parametrize("name", NAMES)
def test_sentences_in_japanese_are_japanese(name: str) -> None:
    for where, text in texts(ruleengine.load(name).data):
        if not where.endswith("name"):
            assert KANA.search(text.get("ja")) or len(text.get("ja")) < 12, where
        assert not KANA.search(text.get("zh-Hant") + text.get("zh-Hans")), where


def test_simplified_texts_have_no_traditional_characters() -> None:
    """Told from the texts themselves: a sign that stands for another one wherever the two texts
    have the same length, and never for itself, is not simplified."""
    becomes: defaultdict[str, set[str]] = defaultdict(set)
    pairs = [
        (where, text.get("zh-Hant"), text.get("zh-Hans"))
        for name in NAMES
        for where, text in texts(ruleengine.load(name).data)
    ]
    for _, before, after in pairs:
        if len(before) == len(after):
            for one, other in zip(before, after, strict=True):
                becomes[one].add(other)
    simplified = {other for one, others in becomes.items() for other in others if other != one}
    traditional = {one for one, others in becomes.items() if one not in others} - simplified
    assert len(traditional) > 100
    assert set("這說條張對順帶聽開與") <= traditional
    for where, _, after in pairs:
        assert not set(after) & traditional, where


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
@pytest.mark.parametrize("name", NAMES)
def test_a_rule_book_has_no_text_in_another_language(name: str, language: str) -> None:
    """Names in English stand beside the others on purpose, and sentences as the ruleset has them
    are in its own language."""
    page = re.sub(r"<style>.*?</style>", "", shipped.page(name, language), flags=re.S)
    page = re.sub(r'<span class="other" lang="en">[^<]*</span>', "", page)
    page = re.sub(r'<code lang="en">[^<]*</code>', "", page)
    page = re.sub(r"<svg.*?</svg>", "", page, flags=re.S)
    assert not re.search(rf'lang="(?!{language})', page.replace(f'<html lang="{language}">', ""))
    sentences = re.findall(r"\b[a-z]+ [a-z]+ [a-z]+\b", re.sub(r"<[^>]*>", "\n", page))
    assert sentences == []
    assert "The four" not in shipped.markdown(name, language)
