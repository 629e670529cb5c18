"""`yaku config`: each setting, its value, and where it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ruleengine.cli import FINE, WRONG, options
from ruleengine.cli.failure import report
from ruleengine.cli.session import Session
from ruleengine.ruleset.find import UnknownRulesetError

if TYPE_CHECKING:
    from ruleengine.config import Setting


def config(
    rules: options.Rules = None,
    set: options.Set = None,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Show the settings. Each with its value and where it came from."""
    session = Session(rules, set, lang, as_json=json, plain=ascii)
    found = session.config
    chosen, missing = None, None
    try:
        chosen = session.load(found.rules[0])
    except UnknownRulesetError as error:
        missing = error
    known = () if chosen is None else chosen.data.options
    used = session.options_for(found.rules[0], known)
    rows: list[tuple[str, Setting, bool]] = [
        *(("rules", setting, True) for setting in found.rules),
        ("lang", found.lang, True),
        *(("folders", setting, True) for setting in found.folders),
        *((f"options.{name}", one, name in used) for name, one in found.options.items()),
    ]
    if json:
        session.print_json(
            {
                "rules": [_plain(setting) for setting in found.rules],
                "lang": _plain(found.lang),
                "folders": [_plain(setting) for setting in found.folders],
                "options": {
                    name: _plain(one) | {"used": name in used}
                    for name, one in found.options.items()
                },
                "files": [str(path) for path in found.files],
            }
        )
    else:
        _show(rows, found.rules[0].value if chosen is None else chosen.id, session)
    if missing is not None:
        report(missing)
        return WRONG
    return FINE


def _plain(setting: Setting) -> dict[str, Any]:
    value = setting.value
    plain = value if isinstance(value, str | int) else str(value)
    return {"value": plain, "from": setting.origin}


def _show(rows: list[tuple[str, Setting, bool]], rules: str, session: Session) -> None:
    from ruleengine.faces.rulebook import plain_value

    screen = session.screen
    shown: list[list[str]] = [[screen.say("setting"), screen.say("value"), screen.say("origin")]]
    for name, setting, is_used in rows:
        origin = setting.origin
        if origin == "default":
            origin = screen.say("origin_default")
        if not is_used:
            why = screen.say("no_such_option", rules=rules)
            origin += screen.say("comma") + screen.say("not_used", why=why)
        shown.append([name, plain_value(setting.value), origin])
    screen.columns(shown, indent=0, wrap=False)
