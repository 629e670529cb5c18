"""The words of a ruleset: sentences as tokens, and what the names in them stand for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ruleengine.language import meaning as m

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleengine.ruleset.model import RulesetData, Sentence, Term

_TOKEN = re.compile(r"\w+|[<>!]=|\S")


def tokens_of(written: Sentence | Term, *, brackets: bool = False) -> list[str]:
    """The words of a sentence; brackets only matter where they change what it means."""
    found = _TOKEN.findall(written.text)
    return found if brackets else [token for token in found if token not in "()"]


def words_of(written: Sentence | Term | None) -> str | None:
    """A sentence as it is written, on one line."""
    return None if written is None else " ".join(written.text.split())


def written(value: object) -> str | None:
    """A value as YAML writes it."""
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


def names_in(sentence: Sentence, data: RulesetData) -> Iterator[str]:
    """The names of terms, patterns and options in a sentence, and those in what they stand for."""
    seen: set[str] = set()
    texts = [sentence.text]
    while texts:
        for name in _TOKEN.findall(texts.pop()):
            if name in seen:
                continue
            seen.add(name)
            hidden = name in data.shapes and name not in data.terms and name not in data.options
            if hidden and not _refers(sentence, name):
                continue
            if name in data.terms or name in data.patterns:
                yield name
                texts += [text for text in (defined(data, name),) if text]
            elif name in data.options:
                yield name


def _refers(sentence: Sentence, name: str) -> bool:
    """Whether a sentence speaks of a pattern, and not of a shape with the same name."""
    return any(
        isinstance(part, m.Reference) and part.name == name for part in m.inside(sentence.meaning)
    )


def defined(data: RulesetData, name: str) -> str | None:
    """The words that a name stands for in sentences, None where it stands for none."""
    if name in data.terms:
        return " ".join(tokens_of(data.terms[name], brackets=True))
    pattern = data.patterns.get(name)
    if pattern is None:
        return None
    both = (pattern.when, pattern.times)
    said = [" ".join(tokens_of(one, brackets=True)) for one in both if one is not None]
    return "; ".join(said) or None


def stands_for(data: RulesetData, name: str) -> str | None:
    """What a name comes to in sentences: the words behind it, of an option its default."""
    option = data.options.get(name)
    return defined(data, name) if option is None else f"default: {written(option.default)}"
