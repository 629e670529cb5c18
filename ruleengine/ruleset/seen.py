"""Remembers what a ruleset was read from, to tell whether that is still there as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import RulesetError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ruleengine.diagnostics import Diagnostic
    from ruleengine.ruleset.find import Library


class SeenLibrary:
    """A library that remembers which rulesets and which texts it was asked for."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._ids: Mapping[str, str] | None = None
        self._texts: dict[str, str | tuple[Diagnostic, ...]] = {}

    def ids(self) -> Mapping[str, str]:
        """Every ruleset that can be named, with the path that names it in messages."""
        self._ids = self._library.ids()
        return self._ids

    def text(self, path: str) -> str:
        """The text at such a path. Raises `RulesetError` for one that cannot be read."""
        try:
            found = self._texts[path] = self._library.text(path)
        except RulesetError as error:
            self._texts[path] = error.diagnostics
            raise
        return found

    @property
    def is_as_it_was(self) -> bool:
        """Whether all that it was asked for would be answered in the same way again."""
        return self.is_as_in(self._library)

    def is_as_in(self, library: Library) -> bool:
        """Whether another library would answer all that this one was asked for in the same way."""
        if self._ids is not None and library.ids() != self._ids:
            return False
        return all(_answer(library, path) == known for path, known in self._texts.items())


def _answer(library: Library, path: str) -> str | tuple[Diagnostic, ...]:
    try:
        return library.text(path)
    except RulesetError as error:
        return error.diagnostics
