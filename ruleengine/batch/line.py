"""One line of a batch: a hand record as JSON comes in, its result or what is wrong goes out."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from ruleengine.errors import HandError, quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from ruleengine.rules import Rules

LONGEST_LINE = 1_000_000
"""How many bytes a record may have."""


def read_record(line: bytes | None) -> object:
    """The record of a line; None stands for a line that is too long.

    Raises `HandError` H313 for a line that is no JSON value, or that names a field twice.
    """
    if line is None:
        raise HandError("H313", f"a record has at most {LONGEST_LINE} bytes")
    try:
        text = line.decode("utf-8")
        record = _decode(text)
        if isinstance(record, dict) and text.count(":") > len(record):
            # More colons than fields: objects inside, a colon in a text, or a field twice.
            _decode_strictly(text)
        return record
    except UnicodeDecodeError:
        raise HandError("H313", "the record is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        message = f"the record is not JSON: {error.msg.lower()} at character {error.pos + 1}"
        raise HandError("H313", message) from None
    except (ValueError, RecursionError) as error:
        raise HandError("H313", f"the record is not JSON: {error}") from None


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        # It could not be written again.
        raise ValueError("a number in it is too large")
    return value


def once(code: str) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """What makes JSON objects and raises a `HandError` of a code for a name that comes twice."""

    def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                raise HandError(code, f"{quote(name)} is given twice")
            found[name] = value
        return found

    return object_of


_decode = json.JSONDecoder(parse_constant=_no_constant, parse_float=_float).decode
_decode_strictly = json.JSONDecoder(
    parse_constant=_no_constant, parse_float=_float, object_pairs_hook=once("H313")
).decode


def score_line(rules: Rules, line: bytes | None, language: str) -> dict[str, Any]:
    """The result or the error record of one line."""
    from ruleengine import record as records

    id: Any = None
    try:
        record = read_record(line)
        id = record.get("id") if isinstance(record, dict) else None
        return records.score_record(rules, record).to_json(language)
    except HandError as error:
        return records.error_record(id, error)
    except Exception as error:
        return records.error_record(id, engine_error(error))


def engine_error(error: Exception) -> HandError:
    """What is told of a mistake in the engine: it must not take the other hands with it."""
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    return HandError("H901", f"a mistake in yaku itself stopped this hand ({what})")


def written(found: dict[str, Any]) -> bytes:
    """A result as a line."""
    try:
        text = json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        text = json.dumps(found).encode()
    return text + b"\n"
