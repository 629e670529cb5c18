"""What is kept within a run: bounded, and the same as what would be made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ruleengine import syntax_store
from ruleengine.diagnostics import RulesetError
from ruleengine.kept import Kept
from ruleengine.language.syntax import parse
from ruleengine.loading import load_ruleset, rules_of
from ruleengine.ruleset.read import read_ruleset_file
from ruleengine.syntax_store import CACHE_VARIABLE, SyntaxStore
from tests.ruleset.small import ruleset

if TYPE_CHECKING:
    from pathlib import Path

    from ruleengine.language.syntax import Entry
    from ruleengine.language.tree import Node


def test_what_was_not_asked_for_so_long_goes_first() -> None:
    kept: Kept[str, int] = Kept(10)
    for key, weight in (("a", 4), ("b", 4)):
        kept.keep(key, weight, weight)
    assert kept.get("a") == 4
    kept.keep("c", 3, 3)
    assert [kept.get(key) for key in "abc"] == [4, None, 3]
    kept.keep("a", 5, 7)
    assert [kept.get(key) for key in "ac"] == [5, 3]
    kept.keep("d", 11, 11)
    assert [kept.get(key) for key in "acd"] == [5, 3, None]
    kept.keep("a", 6, 11)
    assert kept.get("a") is None


PARENT = ruleset("patterns: {one: {points: 1, when: dealer}}\n")


@pytest.fixture
def child(tmp_path: Path) -> Path:
    (tmp_path / "small.yaml").write_text(PARENT, encoding="utf-8")
    path = tmp_path / "child.yaml"
    path.write_text("format: 1\nid: child\nextends: small\nversion: '1'\n", encoding="utf-8")
    return path


def points(path: Path) -> int:
    """What the dealer's hand is worth: what the one pattern is."""
    return load_ruleset(str(path)).score("123m456m789p23s55p+4s").points


def test_what_is_read_again_unchanged_is_the_same(child: Path) -> None:
    read = read_ruleset_file(child)
    assert read_ruleset_file(child) is read
    assert rules_of(read) is rules_of(read) is load_ruleset(str(child))


def test_a_change_anywhere_in_the_chain_is_read(child: Path) -> None:
    assert points(child) == 1
    parent = child.with_name("small.yaml")
    parent.write_text(PARENT.replace("points: 1", "points: 7"), encoding="utf-8")
    assert points(child) == 7
    text = child.read_text(encoding="utf-8")
    child.write_text(f"{text}patterns: {{one: {{points: 9}}}}\n", encoding="utf-8")
    assert points(child) == 9
    parent.unlink()
    with pytest.raises(RulesetError) as error:
        read_ruleset_file(child)
    assert [one.code for one in error.value.diagnostics] == ["E401"]


def test_a_sentence_is_read_once_in_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, "off")
    monkeypatch.setattr(syntax_store, "_READ", Kept(100))
    first = SyntaxStore.open(["one"]).parse("dealer", "sentence")
    assert SyntaxStore.open(["other"]).parse("dealer", "sentence") is first
    assert SyntaxStore.open(["other"]).parse("honor", "term") == parse("honor", "klass")


def test_a_variant_takes_the_sentences_of_what_it_extends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.setattr(syntax_store, "_READ", Kept(0))
    kept = SyntaxStore.open(["parent"])
    kept.parse("dealer", "sentence")
    kept.save()
    parsed: list[str] = []

    def counted(text: str, entry: Entry) -> Node:
        parsed.append(text)
        return parse(text, entry)

    monkeypatch.setattr(syntax_store, "parse", counted)
    for texts in (["child", "parent"], ["other", "child", "parent"]):
        store = SyntaxStore.open(texts)
        assert store.parse("dealer", "sentence") == parse("dealer")
    assert parsed == []
    assert store.parse("not dealer", "sentence") == parse("not dealer")
    assert parsed == ["not dealer"]
