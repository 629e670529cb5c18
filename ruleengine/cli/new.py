"""`yaku new`: the start of a variant, as a file to fill in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from ruleengine.cli import FINE, options
from ruleengine.cli.session import Session

_NOTES = 4
STDOUT = "-"
SCHEMA = "yaku.schema.json"
"""The name of a copy of the schema beside a ruleset."""


def new(
    id: Annotated[str, typer.Argument(metavar="ID", help="The id of the new ruleset.")],
    extends: Annotated[
        str | None,
        typer.Option(
            "--extends", metavar="RULES", help="The id of the ruleset that it is to change."
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="FILE", help="Where it goes; - is stdout."),
    ] = None,
    schema: Annotated[
        bool,
        typer.Option("--schema", help=f"Put a copy of the schema beside it, as {SCHEMA}."),
    ] = False,
    lang: options.Lang = None,
    json: options.Json = False,
    ascii: options.Ascii = False,
) -> int:
    """Start a variant of a ruleset. The new file changes nothing yet, and shows how it can."""
    session = Session(None, None, lang, as_json=json, plain=ascii)
    folders = session.config.folder_paths
    target = Path(output or f"{id}.yaml")
    if target.is_dir():
        target /= f"{id}.yaml"
    elif output is not None and output.endswith(("/", os.sep)):
        from ruleengine.cli.failure import UsageError

        raise UsageError(f"there is no folder {output}")
    _check_id(id, folders)
    to_stdout = output == STDOUT
    if not to_stdout and (target.exists() or target.is_symlink()):
        from ruleengine.cli.failure import UsageError

        raise UsageError(f"{target} is there already", "give another file with -o")
    if schema and to_stdout:
        from ruleengine.cli.failure import UsageError

        raise UsageError("--schema needs a file to put the schema beside", "name one with -o")
    copy = _copy(target) if schema else None
    at = SCHEMA if schema else _schema(target)
    text = _text(id, extends or session.one_setting().value, target, at, session, folders)
    if to_stdout:
        print(text, end="")
        return FINE
    if copy is not None and not copy.exists():
        copy.write_bytes(_shipped_schema().read_bytes())
    with open(target, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    if json:
        session.print_json({"id": id, "file": str(target)})
        return FINE
    session.screen.line(session.screen.say("new_made", file=target), wrap=False)
    if Path(at).is_absolute():
        session.screen.line(session.screen.say("new_schema"), wrap=False)
    return FINE


def _shipped_schema() -> Path:
    from ruleengine.data import data_folder

    return data_folder("grammar").resolve() / "ruleset.schema.json"


def _copy(target: Path) -> Path:
    """Where the copy of the schema goes: nothing else may be there."""
    from ruleengine.cli.failure import UsageError

    copy = target.parent / SCHEMA
    if not copy.is_file() and (copy.exists() or copy.is_symlink()):
        raise UsageError(f"{copy} is no file")
    if copy.is_file() and copy.read_bytes() != _shipped_schema().read_bytes():
        raise UsageError(f"{copy} is there already and is another one", "take it away first")
    return copy


def _check_id(id: str, folders: tuple[Path, ...]) -> None:
    from ruleengine.cli.failure import UsageError
    from ruleengine.errors import quote
    from ruleengine.ruleset.find import is_id, ruleset_ids

    if not is_id(id):
        message = f"{quote(id)} is no id: small letters, digits, '.', '_' and '-', 64 at most"
        meant = "-".join(id.lower().split())
        raise UsageError(message, f"such as {meant}" if is_id(meant) else None)
    if id in ruleset_ids(folders):
        raise UsageError(f"there is a ruleset '{id}' already", "take another id")


def _text(
    id: str,
    parent: str,
    target: Path,
    schema: str,
    session: Session,
    folders: tuple[Path, ...],
) -> str:
    from ruleengine.cli.failure import UsageError
    from ruleengine.errors import quote
    from ruleengine.faces.words import say
    from ruleengine.ruleset.find import find_ruleset, ruleset_ids, which_ruleset
    from ruleengine.ruleset.read import read_ruleset_file
    from ruleengine.ruleset.start import start_text

    beside = (target.absolute().parent, *folders)
    known = ruleset_ids(beside)
    path = find_ruleset(parent, beside)
    if parent not in known:
        message = f"a variant extends a ruleset by its id, not by its file: {quote(parent)}"
        raise UsageError(message, which_ruleset(path.stem, known))
    data = read_ruleset_file(path, beside).data
    file = target.name if target.suffix else f"{id}.yaml"
    notes = [
        say(f"new_note_{number}", session.language, id=id, parent=parent, file=file)
        for number in range(1, _NOTES + 1)
    ]
    return start_text(id, data, schema, notes, beside)


def _schema(target: Path) -> str:
    """Where an editor that has the new file open finds the schema."""
    schema = _shipped_schema()
    folder = target.absolute().parent.resolve()
    shared = schema.parents[1]
    if folder.is_relative_to(shared):
        return Path(os.path.relpath(schema, folder)).as_posix()
    return schema.as_posix()
