"""What every command needs: the settings, the rulesets, and where output goes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruleengine.config import read_config

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ruleengine.config import Config, Setting
    from ruleengine.faces.screen import Screen
    from ruleengine.rules import Rules
    from ruleengine.ruleset.read import ReadRuleset


class Session:
    """One call of a command with its settings. Raises `ConfigError` for settings that are wrong."""

    def __init__(
        self,
        rules: list[str] | None = None,
        options: list[str] | None = None,
        lang: str | None = None,
        *,
        as_json: bool = False,
        plain: bool = False,
    ) -> None:
        self.config: Config = read_config(rules=rules or (), lang=lang, options=options or ())
        self.language: str = self.config.lang.value
        self.as_json = as_json
        self._plain = plain
        self._screen: Screen | None = None

    @property
    def screen(self) -> Screen:
        """The terminal, for text output."""
        if self._screen is None:
            from ruleengine.faces.screen import Screen

            self._screen = Screen(self.language, plain=self._plain)
        return self._screen

    def print_json(self, value: object) -> None:
        """Write a value as one line of JSON."""
        print(json_line(value, sys.stdout.encoding))

    # ---- rulesets -------------------------------------------------------------------

    def rules(self) -> Rules:
        """The ruleset that is chosen; where a command takes one, several are an error."""
        return self.load(self.one_setting())

    def one_setting(self) -> Setting:
        """The setting that names the one ruleset. Raises `UsageError` where there are several."""
        chosen = self.config.rules
        if len(chosen) > 1:
            from ruleengine.cli.failure import UsageError

            raise UsageError("this command takes one ruleset", "give --rules once")
        return chosen[0]

    def all_rules(self) -> list[Rules]:
        """Every ruleset that is chosen."""
        return [self.load(setting) for setting in self.config.rules]

    def load(self, setting: Setting) -> Rules:
        """Load one ruleset with the options of the settings."""
        from ruleengine.loading import rules_of
        from ruleengine.rules import OptionError
        from ruleengine.ruleset.read import read_ruleset_file

        folders = self.config.folder_paths
        found = read_ruleset_file(self.find(setting), folders)
        options = self.options_for(setting, found.data.options)
        try:
            return rules_of(found, options)
        except OptionError as error:
            raise _with_origin(error, self.config) from None

    def find(self, setting: Setting) -> Path:
        """The file of a ruleset that a setting names. Raises `UnknownRulesetError`, which says
        where the name came from unless it is a flag."""
        from ruleengine.ruleset.find import UnknownRulesetError, find_ruleset

        try:
            near = (
                Path(setting.origin).parent
                if setting.origin in map(str, self.config.files)
                else Path()
            )
            return find_ruleset(setting.value, self.config.folder_paths, near)
        except UnknownRulesetError as error:
            if setting.rank == 0:
                raise
            raise UnknownRulesetError(f"{setting.origin}: {error.message}", error.help) from None

    def read(self) -> ReadRuleset:
        """The one chosen ruleset as it was read, without options."""
        from ruleengine.ruleset.read import read_ruleset_file

        return read_ruleset_file(self.find(self.one_setting()), self.config.folder_paths)

    def options_for(self, setting: Setting, known: Iterable[str]) -> dict[str, int | bool]:
        """The options that go with a ruleset which has the options `known`."""
        names = set(known)
        return {
            name: option.value
            for name, option in self.config.options.items()
            if name in names or option.rank <= setting.rank
        }


def _with_origin(error: Any, config: Config) -> Any:
    """An error about an option that says where the option was set, unless on this call."""
    for name, option in config.options.items():
        if option.rank and f"'{name}'" in error.message:
            return type(error)(error.code, f"{option.origin}: {error.message}", error.help)
    return error


# ---- hands -------------------------------------------------------------------------


def hand_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The hand options that were given, small letters of winds made capital."""
    found = {name: value for name, value in given.items() if value is not None}
    for name in ("seat", "round", "from_", "from_seat", "liable"):
        if name in found:
            found[name] = _wind(found[name])
    if "events" in found:
        found["events"] = split_names(found["events"])
    return found


def split_names(texts: Iterable[str]) -> list[str]:
    """Names separated by commas or spaces, each once."""
    return list(dict.fromkeys(name for text in texts for name in text.replace(",", " ").split()))


def _wind(text: str) -> str:
    """A wind as records write it; small letters will do on the command line."""
    return text.upper() if len(text) == 1 else text


def json_line(value: object, encoding: str | None) -> str:
    """A value as JSON on one line, in signs that the encoding can carry."""
    line = json.dumps(value, ensure_ascii=False, default=str)
    try:
        line.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return json.dumps(value, default=str)
    return line
