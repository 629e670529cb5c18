"""Where a place of a text stands among keys, by the text alone: a ruleset that is being written is
hardly ever one that can be read."""

from __future__ import annotations

from dataclasses import dataclass

from ruleengine.source import MAX_DEPTH

_BLOCK = ("|", ">")
_LONGEST = 10_000
"""Characters of an entry that are looked at."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place among keys.

    `path` are the keys of the mappings that it is inside of, the outermost first; `key` the key
    whose value is being written, None where a key is; `before` what of that value, or of that key,
    stands before the place.
    """

    path: tuple[str, ...]
    key: str | None
    before: str


def cursor_at(lines: list[str], line: int, column: int) -> Cursor:
    """What a line and column stand inside of, both from 1."""
    text = lines[line - 1][: column - 1] if line <= len(lines) else ""
    indent, rest = _without_dashes(text)
    path: list[str] = []
    written = rest
    at = min(line - 1, len(lines))
    while indent and at > 0:
        at -= 1
        above = lines[at]
        depth, content = _without_dashes(above)
        if not content or content.startswith("#") or depth >= indent:
            continue
        key, value = _split(content)
        if key is None:
            continue
        indent = len(above) - len(above.lstrip(" "))
        begun = value.strip()
        if not path and begun and not begun.startswith("#"):
            # The lines below a value that has begun go on with it.
            started = "" if begun[0] in _BLOCK else f"{begun} "
            written = f"{key}: {started}{written}"
        else:
            path.append(key)
    path.reverse()
    return _inside(tuple(path), written)


def _without_dashes(text: str) -> tuple[int, str]:
    """How far a line is indented, the dashes of a list counted, and what stands there."""
    rest = text.lstrip(" ")
    while rest.startswith("- ") or rest == "-":
        rest = rest[1:].lstrip(" ")
    return len(text) - len(rest), rest


def _split(text: str) -> tuple[str | None, str]:
    """The key that a text starts with, and what follows it; None where there is no key."""
    quote = ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'" and not text[:at].strip():
            quote = sign
        elif sign == ":" and text[at + 1 : at + 2] in ("", " "):
            return text[:at].strip().strip("\"'"), text[at + 1 :]
        elif sign in "{[":
            break
    return None, text


def _inside(path: tuple[str, ...], text: str) -> Cursor:
    """The place at the end of what is written of an entry, braces and brackets looked into."""
    text = text if len(text) <= _LONGEST else ""
    for _ in range(MAX_DEPTH):
        if text.lstrip().startswith("{"):
            text = _last_part(text.lstrip()[1:])
            continue
        key, value = _split(text)
        if key is None:
            return Cursor(path, None, text.strip())
        started = value.lstrip()
        if started.startswith("["):
            part = _last_part(started[1:])
            if not part.startswith("{"):
                return Cursor(path, key, part)
            started = part
        if not started.startswith("{"):
            return Cursor(path, key, value)
        path, text = (*path, key), _last_part(started[1:])
    return Cursor(path, None, "")


def _last_part(text: str) -> str:
    """What stands after the last comma that is inside nothing else."""
    depth, quote, start, before = 0, "", 0, ""
    for at, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'" and before in ":,[{":
            quote = sign
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
        elif sign == "," and depth == 0:
            start = at + 1
        before = sign if sign != " " else before
    return text[start:].lstrip()
