"""Ids of a table, as values that JSON has a form for."""

from __future__ import annotations

import math
from typing import Any


def json_ids(column: Any) -> list[Any]:
    """The ids of an Arrow column as values of JSON.

    What JSON has no form for (a date, a decimal, bytes, a number that is none) is a text.
    """
    try:
        return [_json(value) for value in column.to_pylist()]
    except (ValueError, OverflowError, ImportError):
        # A text that is no UTF-8, a time that Python has no form for.
        return [_alone(scalar) for scalar in column]


def _alone(scalar: Any) -> Any:
    try:
        return _json(scalar.as_py())
    except UnicodeDecodeError:
        return scalar.as_buffer().to_pybytes().decode("utf-8", "backslashreplace")
    except (ValueError, OverflowError, ImportError):
        inner = getattr(scalar, "values", None)
        return str(getattr(scalar, "value", scalar.type)) if inner is None else json_ids(inner)


def _json(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {str(key): _json(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_json(part) for part in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    written = getattr(value, "isoformat", None)
    return str(value) if written is None else written()
