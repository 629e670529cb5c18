"""`yaku rules`: the rulesets that can be named."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruleengine.cli import FINDINGS, FINE, options
from ruleengine.cli.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from ruleengine.ruleset.model import RulesetData


def rules(
    rules: options.Rules = None,
    set: options.Set = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """List the rulesets. Those that can be named, the chosen one marked."""
    session = Session(rules, set, lang, as_json=json, plain=ascii)
    from ruleengine.ruleset.find import ruleset_ids

    folders = session.config.folder_paths
    for setting in session.config.rules:
        session.find(setting)
    chosen = {setting.value for setting in session.config.rules}
    found = [(name, path, _read(path, folders)) for name, path in ruleset_ids(folders).items()]
    if json:
        session.print_json([_plain(*one, session.language) for one in found])
    else:
        from ruleengine.faces.rulebook import show_list

        show_list(found, chosen, session.screen)
    return FINDINGS if any(isinstance(data, str) for _, _, data in found) else FINE


def _read(path: Path, folders: tuple[Path, ...]) -> RulesetData | str:
    """The ruleset of a file, or what is wrong with it in a few words."""
    from ruleengine.cli.failure import counted
    from ruleengine.diagnostics import RulesetError
    from ruleengine.ruleset.read import read_ruleset_file

    try:
        return read_ruleset_file(path, folders).data
    except RulesetError as error:
        first = error.diagnostics[0]
        more = len(error.diagnostics) - 1
        return first.message + (f" (and {counted(more, 'more mistake')})" if more else "")


def _plain(name: str, path: Path, data: RulesetData | str, language: str) -> dict[str, Any]:
    if isinstance(data, str):
        return {"id": name, "file": str(path), "error": data}
    from ruleengine.faces.rulebook_json import options_json

    return {
        "id": name,
        "name": data.name.get(language) or data.id,
        "version": data.version,
        "options": options_json(data, language),
        "file": str(path),
    }
