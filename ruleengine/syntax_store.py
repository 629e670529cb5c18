"""Keeps the syntax trees of a ruleset's sentences between runs, as JSON in the user's cache.

A file holds the sentences of one ruleset and is named by the hash of all that they depend on:
the grammar, the form of the trees, and the text of the ruleset with what it extends. Where there is
none, that of what the ruleset extends has most of its sentences. A file that is missing, damaged or
cannot be written is the same as none. Within one run a sentence is read once, whoever has it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ruleengine.data import data_folder
from ruleengine.kept import Kept
from ruleengine.language import tree
from ruleengine.language.syntax import parse, parses

if TYPE_CHECKING:
    from collections.abc import Iterable

Place = Literal["sentence", "term"]

CACHE_VARIABLE = "YAKU_CACHE"
"""Names the cache folder; `off` turns the cache off."""
MAX_STORED = 4 * 1024 * 1024
_READ: Kept[str, tree.Node] = Kept(256 * 1024)
"""Trees by place and text, of all rulesets; they weigh what their texts do."""


class SyntaxStore:
    """The syntax trees of one ruleset: those kept from an earlier run, and new ones."""

    def __init__(
        self, path: Path | None, known: dict[str, tree.Node], unread: tuple[Path, ...] = ()
    ) -> None:
        self._path = path
        self._known = known
        self._unread = unread
        self._is_new = False

    @classmethod
    def open(cls, sources: Iterable[str]) -> SyntaxStore:
        """The store of a ruleset with these texts; empty where nothing was kept."""
        folder = cache_folder()
        if folder is None:
            return cls(None, {})
        texts = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in sources]
        paths = [
            folder / "syntax" / f"{_digest_of(texts[at:])[:40]}.json" for at in range(len(texts))
        ]
        return cls(paths[0], {}, tuple(paths))

    def parse(self, text: str, place: Place) -> tree.Node:
        """The syntax tree of a sentence, or of a term: a class of tiles where it can be one.

        Raises `SentenceError`.
        """
        key = f"{place}:{text}"
        found = self._known.get(key) or _READ.get(key)
        if found is not None:
            self._known[key] = found
            return found
        found = self._stored(key)
        if found is None:
            as_class = place == "term" and parses(text, "klass")
            found = parse(text, "klass" if as_class else "sentence")
            self._known[key] = found
            self._is_new = True
        _READ.keep(key, found, len(key))
        return found

    def _stored(self, key: str) -> tree.Node | None:
        """A tree of an earlier run: of this ruleset, or else of what it extends."""
        unread, self._unread = self._unread, ()
        for path in unread:
            found = _read(path)
            if found:
                self._known = found | self._known
                break
        return self._known.get(key)

    def save(self) -> None:
        """Keep the trees, where there are new ones and the folder can be written."""
        if self._path is None or not self._is_new:
            return
        text = json.dumps(
            {key: _plain(node) for key, node in self._known.items()},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        if len(text) > MAX_STORED:
            return
        unfinished = self._path.with_suffix(f".{os.getpid()}.tmp")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            unfinished.write_text(f"{_digest(text)}\n{text}", encoding="utf-8")
            unfinished.replace(self._path)
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


def cache_folder() -> Path | None:
    """The folder of the cache; None where it is turned off."""
    named = os.environ.get(CACHE_VARIABLE)
    if named == "off":
        return None
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_cache_dir("yaku", appauthor=False))


@cache
def _grammar_digest() -> bytes:
    """What the form of the trees depends on: the grammar and the kinds of nodes."""
    digest = hashlib.sha256((data_folder("grammar") / "condition.lark").read_bytes())
    for name in sorted(_FIELDS):
        digest.update(f"{name}{_FIELDS[name]}".encode())
    return digest.digest()


def _digest_of(texts: Iterable[bytes]) -> str:
    """What the trees of a ruleset depend on, in digits, from the digests of its texts."""
    digest = hashlib.sha256(_grammar_digest())
    for text in texts:
        digest.update(text)
    return digest.hexdigest()


_KINDS: dict[str, type[tree.Node]] = {
    name: kind
    for name, kind in vars(tree).items()
    if isinstance(kind, type) and issubclass(kind, tree.Node)
}
_FIELDS: dict[str, tuple[str, ...]] = {
    name: tuple(field.name for field in dataclasses.fields(kind)) for name, kind in _KINDS.items()
}


def _plain(value: object) -> Any:
    """A node as a list of its kind and fields, a tuple as {"all": [...]}."""
    if isinstance(value, tree.Node):
        name = type(value).__name__
        return [name, *(_plain(getattr(value, field)) for field in _FIELDS[name])]
    if isinstance(value, tuple):
        return {"all": [_plain(item) for item in value]}
    return value


def _read(path: Path) -> dict[str, tree.Node]:
    try:
        if path.stat().st_size > MAX_STORED:
            return {}
        digest, _, text = path.read_text(encoding="utf-8").partition("\n")
        if digest != _digest(text):
            return {}
        stored = json.loads(text)
        return {str(key): _node(value) for key, value in stored.items()}
    except (OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return {}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _node(value: Any) -> tree.Node:
    """A node from its plain form. Raises `ValueError` for what is no node."""
    if not isinstance(value, list):
        raise ValueError(value)
    name, *fields = value
    if len(fields) != len(_FIELDS[name]):
        raise ValueError(value)
    return _KINDS[name](*[_value(item) for item in fields])


def _value(item: Any) -> Any:
    if isinstance(item, list):
        return _node(item)
    if isinstance(item, dict):
        return tuple([_node(part) for part in item["all"]])
    return item
