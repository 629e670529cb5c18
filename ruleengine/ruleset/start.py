"""The first lines of a new variant, with examples of what it may change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ruleengine.diagnostics import RulesetError
from ruleengine.fmt.scalars import is_plain, quoted
from ruleengine.ruleset.read import read_ruleset_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ruleengine.ruleset.model import Option, RulesetData


def start_text(
    id: str, parent: RulesetData, schema: str, notes: Sequence[str], extra: tuple[Path, ...] = ()
) -> str:
    """A file that extends `parent` and changes nothing yet.

    `schema` is where editors find the schema, `notes` are the comments at the top. The examples
    are in comments; each can be let in as it stands.
    """
    version = "1" if parent.version != "1" else "2"
    own, other = (name if is_plain(name, False) else quoted(name) for name in (id, parent.id))
    head = f'format: 1\nid: {own}\nextends: {other}\nname: {own}\nversion: "{version}"\n'
    found: list[str] = []
    for tries in (_removals(parent), _options(parent), _points(parent)):
        for example in tries:
            if _is_fine(head + example, extra):
                found.append(example)
                break
    lines = [f"# yaml-language-server: $schema={schema}", *(f"# {note}" for note in notes)]
    examples = "\n#\n".join(
        "\n".join(f"# {line}" for line in example.splitlines()) for example in found
    )
    return "\n".join(lines) + "\n" + head + (f"\n{examples}\n" if examples else "")


def _is_fine(text: str, extra: tuple[Path, ...]) -> bool:
    try:
        return not read_ruleset_text(text, "", extra).warnings
    except RulesetError:
        return False


def _removals(parent: RulesetData) -> Iterator[str]:
    for name in reversed(list(parent.patterns)):
        yield f"remove: [patterns.{name}]\n"


def _options(parent: RulesetData) -> Iterator[str]:
    for option in parent.options.values():
        yield f"options:\n  {option.id}: {{default: {_other_value(option)}}}\n"


def _other_value(option: Option) -> str:
    if option.type == "bool":
        return str(not option.default).lower()
    others = [choice for choice in option.choices if choice != option.default]
    if others:
        return str(others[0])
    step = -1 if option.default == option.most else 1
    return str(option.default + step)


def _points(parent: RulesetData) -> Iterator[str]:
    for pattern in parent.patterns.values():
        for unit, award in pattern.awards.items():
            if award.text.isdecimal():
                yield f"patterns:\n  {pattern.id}: {{{unit}: {int(award.text) + 1}}}\n"
