"""The settings of the command line: which rules, options, language and ruleset folders.

Each setting is taken from the first place that has it: a flag, the environment, the nearest
`yaku.toml` or `[tool.yaku]` in `pyproject.toml` upward, the `yaku.toml` of the user's config
folder, the default. Options are looked up one by one. One that comes from a place behind the one
that names the rules is left out where those rules do not have it.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ruleengine.errors import RuleEngineError, quote
from ruleengine.frozen import frozen
from ruleengine.ruleset.model import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DEFAULT_RULES = "zhongyong-3.3"
KEYS = ("rules", "lang", "folders", "options")
FILE_NAME = "yaku.toml"
VARIABLES = {
    "rules": "YAKU_RULES",
    "lang": "YAKU_LANG",
    "folders": "YAKU_FOLDERS",
    "options": "YAKU_OPTIONS",
}

CONFIG_ERRORS = {
    "C101": "a config file that cannot be read",
    "C102": "a config file that is not TOML",
    "C103": "an unknown setting",
    "C104": "a setting of the wrong type",
    "C105": "an unknown language",
    "C106": "an option that is not written option=value",
    "C107": "a ruleset folder that is not there",
    "C108": "an option with two values",
}
"""What each code of a `ConfigError` stands for."""


class ConfigError(RuleEngineError):
    """A setting that cannot be used; `message` names the place it stands at."""

    def __init__(self, code: str, message: str, help: str | None = None) -> None:
        super().__init__(code, message, help)
        self.code = code
        self.message = message
        self.help = help

    def __str__(self) -> str:
        return self.message


@frozen
class Setting:
    """A value and where it came from; `rank` is 0 for a flag and grows with the distance."""

    value: Any
    origin: str
    rank: int


@frozen
class Config:
    """Every setting with its origin; `files` are the config files that were read, nearest first."""

    rules: tuple[Setting, ...]
    lang: Setting
    folders: tuple[Setting, ...]
    options: Mapping[str, Setting]
    files: tuple[Path, ...] = ()

    @property
    def folder_paths(self) -> tuple[Path, ...]:
        """The ruleset folders, searched in this order before the shipped one.

        Raises `ConfigError` C107 for one that is not there.
        """
        for setting in self.folders:
            if not setting.value.is_dir():
                message = f"{setting.origin}: there is no folder {setting.value}"
                raise ConfigError("C107", message)
        return tuple(setting.value for setting in self.folders)


@dataclass(slots=True, eq=False, repr=False)
class _Place:
    """What one place sets."""

    origin: str
    rank: int
    rules: str | None = None
    lang: str | None = None
    folders: list[Path] | None = None
    options: dict[str, int | bool] = field(default_factory=dict)


def read_config(
    *,
    rules: Iterable[str] = (),
    lang: str | None = None,
    options: Iterable[str] = (),
    start: Path | None = None,
    environment: Mapping[str, str] | None = None,
    user_folder: Path | None = None,
) -> Config:
    """Look every setting up. Raises `ConfigError`.

    `rules`, `lang` and `options` (each `option=value`) are what flags say. Files are searched
    from `start` (the working folder) upward.
    """
    environment = os.environ if environment is None else environment
    chosen = list(rules)
    flags = _Place("flag", 0, None, lang)
    if lang is not None:
        _check_language(lang, "--lang")
    flags.options = read_options(options, "--set")
    places = [flags, _environment(environment)]
    files = _files(start or Path.cwd(), user_folder or _user_folder())
    places += [_read_file(path, rank) for rank, path in files]
    return Config(
        tuple(Setting(name, "--rules", 0) for name in chosen) or (_first(places, "rules"),),
        _first(places, "lang"),
        _folders(places),
        _options(places),
        tuple(path for _, path in files),
    )


# ---- putting places together -------------------------------------------------------

_DEFAULTS = {"rules": DEFAULT_RULES, "lang": "en"}
_FLAGS = {"lang": "--lang"}


def _first(places: list[_Place], key: str) -> Setting:
    for place in places:
        value = getattr(place, key)
        if value is not None:
            return Setting(value, _origin(place, key), place.rank)
    return Setting(_DEFAULTS[key], "default", 9)


def _folders(places: list[_Place]) -> tuple[Setting, ...]:
    for place in places:
        if place.folders is not None:
            origin = _origin(place, "folders")
            return tuple(Setting(folder, origin, place.rank) for folder in place.folders)
    return ()


def _options(places: list[_Place]) -> dict[str, Setting]:
    found: dict[str, Setting] = {}
    for place in places:
        for name, value in place.options.items():
            found.setdefault(name, Setting(value, _origin(place, "options"), place.rank))
    return found


def _origin(place: _Place, key: str) -> str:
    if place.rank == 0:
        return _FLAGS.get(key, "--set")
    return VARIABLES[key] if place.rank == 1 else place.origin


# ---- flags and environment ---------------------------------------------------------


def read_option(text: str, where: str) -> tuple[str, int | bool]:
    """An option written `option=value`. Raises `ConfigError` C106."""
    name, equals, written = text.partition("=")
    name, written = name.strip(), written.strip()
    if not (name and equals and written):
        message = f"{where}: {quote(text)} is not written option=value, such as minimum=5"
        raise ConfigError("C106", message)
    if written.lower() in ("true", "false"):
        return name, written.lower() == "true"
    digits = written.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= 18:
        return name, int(written)
    message = (
        f"{where}: the value of '{name}' is a whole number, true or false, not {quote(written)}"
    )
    raise ConfigError("C106", message)


def read_options(texts: Iterable[str], where: str) -> dict[str, int | bool]:
    """Options, each written `option=value`. Raises `ConfigError` C106, or C108 for one that is
    given two values."""
    found: dict[str, int | bool] = {}
    for text in texts:
        name, value = read_option(text, where)
        if name in found and (type(found[name]), found[name]) != (type(value), value):
            was, now = str(found[name]).lower(), str(value).lower()
            message = f"{where}: option '{name}' is given twice, as {was} and as {now}"
            raise ConfigError("C108", message)
        found[name] = value
    return found


def _environment(environment: Mapping[str, str]) -> _Place:
    place = _Place("environment", 1)
    place.rules = environment.get("YAKU_RULES") or None
    place.lang = environment.get("YAKU_LANG") or None
    if place.lang is not None:
        _check_language(place.lang, "YAKU_LANG")
    folders = environment.get("YAKU_FOLDERS")
    if folders:
        place.folders = [Path(part) for part in folders.split(os.pathsep) if part]
    texts = environment.get("YAKU_OPTIONS", "").split(",")
    place.options = read_options([text for text in texts if text.strip()], "YAKU_OPTIONS")
    return place


def _check_language(language: str, where: str) -> None:
    if language not in LANGUAGES:
        from ruleengine.diagnostics import suggest

        meant = suggest(language, LANGUAGES)
        help_line = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(LANGUAGES)}"
        raise ConfigError("C105", f"{where}: there is no language {quote(language)}", help_line)


# ---- files -------------------------------------------------------------------------


def _user_folder() -> Path:
    from platformdirs import user_config_path

    return user_config_path("yaku", appauthor=False)


_NAMES_YAKU = re.compile(r"(?m)^\s*(\[tool\.yaku\b|\[tool\]|yaku\s*=|tool\.yaku\b)")
"""What a pyproject.toml that speaks of yaku has in it; the reader then looks closely."""


def _files(start: Path, user_folder: Path) -> list[tuple[int, Path]]:
    """The config files that count, with their ranks: the nearest upward, and the user's."""
    found: list[tuple[int, Path]] = []
    for folder in (start, *start.parents):
        if (folder / FILE_NAME).is_dir():
            raise ConfigError("C101", f"{folder / FILE_NAME}: a folder stands where a file should")
        if (folder / FILE_NAME).is_file():
            found.append((2, folder / FILE_NAME))
            break
        project = folder / "pyproject.toml"
        if project.is_file() and _NAMES_YAKU.search(_read_text(project)):
            found.append((2, project))
            break
    own = user_folder / FILE_NAME
    if own.is_file() and all(own != path for _, path in found):
        found.append((3, own))
    return found


def _read_text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ConfigError("C101", f"{path}: the file is not UTF-8 text") from None
    except OSError as error:
        message = f"{path}: the file cannot be read: {error.strerror}"
        raise ConfigError("C101", message) from None


def _read_file(path: Path, rank: int) -> _Place:
    import tomllib

    text = _read_text(path)
    try:
        table: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError("C102", f"{path}: the file is not TOML: {error}") from None
    if path.name != FILE_NAME:
        tool = table.get("tool", {})
        table = tool.get("yaku", {}) if isinstance(tool, dict) else {}
    reader = _FileReader(path, text, rank)
    return reader.place(table)


class _FileReader:
    """Checks one config file."""

    def __init__(self, path: Path, text: str, rank: int) -> None:
        self.path = path
        self.lines = text.splitlines()
        self.rank = rank

    def place(self, table: object) -> _Place:
        if not isinstance(table, dict):
            raise self.error("C104", "tool.yaku", "'tool.yaku' is a table")
        for key in table:
            if key not in KEYS:
                from ruleengine.diagnostics import suggest

                meant = suggest(key, KEYS)
                help_line = f"did you mean '{meant}'?" if meant else f"there are: {', '.join(KEYS)}"
                raise self.error("C103", key, f"there is no setting {quote(key)}", help_line)
        place = _Place(str(self.path), self.rank)
        place.rules = self.rules(table.get("rules"))
        place.lang = self.text("lang", table.get("lang"))
        if place.lang is not None:
            _check_language(place.lang, self.where("lang"))
        place.folders = self.folders(table.get("folders"))
        place.options = self.options(table.get("options"))
        return place

    def rules(self, value: object) -> str | None:
        name = self.text("rules", value)
        if name is not None and ("/" in name or "\\" in name or name.endswith((".yaml", ".yml"))):
            return str(self.path.parent / Path(name).expanduser())
        return name

    def text(self, key: str, value: object) -> str | None:
        if value is None or (isinstance(value, str) and value):
            return value
        raise self.error("C104", key, f"'{key}' is a text in quotes")

    def folders(self, value: object) -> list[Path] | None:
        if value is None:
            return None
        if isinstance(value, list) and all(isinstance(item, str) and item for item in value):
            return [self.path.parent / Path(item).expanduser() for item in value]
        help_line = 'such as folders = ["rulesets"]'
        raise self.error("C104", "folders", "'folders' is a list of texts", help_line)

    def options(self, value: object) -> dict[str, int | bool]:
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.error("C104", "options", "'options' is a table", "write [options] above it")
        for name, chosen in value.items():
            if not isinstance(chosen, int):
                message = f"option '{name}' is a whole number, true or false"
                raise self.error("C104", name, message)
        return dict(value)

    def where(self, key: str) -> str:
        """The file, and the line of a key where it can be told."""
        for number, line in enumerate(self.lines, 1):
            start = line.strip().lstrip("[").lstrip()
            bare = start.replace('"', "").replace("'", "")
            if bare.startswith(key) and bare[len(key) :].lstrip()[:1] in ("=", "]", "."):
                return f"{self.path}:{number}"
        return str(self.path)

    def error(self, code: str, key: str, message: str, help: str | None = None) -> ConfigError:
        return ConfigError(code, f"{self.where(key)}: {message}", help)
