"""Columns of a table in the Arrow types that the reader of tables works with.

Arrow has several layouts for the same values (views, run-ends, extensions), and a column of texts
may hold bytes that are no text. Here both become plain columns with the same values; bytes that
are no text are written with backslashes, so that they are an error of their row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Sequence


def plain(batch: pa.RecordBatch, leave: Sequence[str] = ()) -> pa.RecordBatch:
    """A record batch with plain columns; those that `leave` names stay as they are."""
    names = batch.schema.names
    columns = list(batch.columns)
    found = [
        column if name in leave else plain_column(column)
        for name, column in zip(names, columns, strict=True)
    ]
    if all(mine is theirs for mine, theirs in zip(found, columns, strict=True)):
        return batch
    return pa.RecordBatch.from_arrays(found, names=names)


def plain_column(column: Any) -> Any:
    """A column in a plain type, all of whose texts are texts."""
    kind = plain_type(column.type)
    if kind != column.type:
        column = _as_type(column, kind)
    if not _has_texts(kind):
        return column
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return pa.array(_values(column), kind)
    return column


def plain_type(kind: Any) -> Any:
    """The plain type with the same values; a plain type stands for itself."""
    types = pa.types
    if types.is_string_view(kind):
        return pa.string()
    if types.is_binary_view(kind):
        return pa.binary()
    if types.is_run_end_encoded(kind):
        return plain_type(kind.value_type)
    if isinstance(kind, pa.BaseExtensionType):
        return plain_type(kind.storage_type)
    if types.is_list_view(kind):
        return pa.list_(plain_type(kind.value_type))
    if types.is_large_list_view(kind):
        return pa.large_list(plain_type(kind.value_type))
    inner = plain_type(kind.value_type) if _is_nested(kind) else None
    if inner is None or inner == kind.value_type:
        return kind
    if types.is_fixed_size_list(kind):
        return pa.list_(inner, kind.list_size)
    if types.is_dictionary(kind):
        return inner
    return pa.large_list(inner) if types.is_large_list(kind) else pa.list_(inner)


def _is_nested(kind: Any) -> bool:
    types = pa.types
    kinds = (types.is_dictionary, types.is_list, types.is_large_list, types.is_fixed_size_list)
    return any(test(kind) for test in kinds)


def _as_type(column: Any, kind: Any) -> Any:
    try:
        if isinstance(column.type, pa.BaseExtensionType):
            return plain_column(column.storage)
        found = column.cast(kind)
        # What Arrow makes of a list view may be no array at all.
        found.validate(full=True)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        return pa.array(_values(column), kind)
    return found


def _has_texts(kind: Any) -> bool:
    """Whether a column may hold texts, or what texts are in."""
    types = pa.types
    return not any(test(kind) for test in (types.is_primitive, types.is_null, types.is_binary))


def _values(column: Any) -> list[Any]:
    """The values of a column, its texts as they can be read."""
    kind = column.type
    types = pa.types
    if types.is_dictionary(kind):
        known = [*_values(column.dictionary), None]
        at = column.indices.fill_null(len(known) - 1).to_pylist()
        return [known[place] for place in at]
    if types.is_string(kind) or types.is_large_string(kind):
        as_bytes = column.view(pa.binary() if types.is_string(kind) else pa.large_binary())
        return [
            None if value is None else value.decode("utf-8", "backslashreplace")
            for value in as_bytes.to_pylist()
        ]
    if types.is_struct(kind):
        parts = {kind.field(at).name: _values(column.field(at)) for at in range(kind.num_fields)}
        there = column.is_valid().to_pylist()
        return [
            {name: values[at] for name, values in parts.items()} if there[at] else None
            for at in range(len(column))
        ]
    if _is_nested(kind) or types.is_map(kind):
        return [_values(scalar.values) if scalar.is_valid else None for scalar in column]
    found: list[Any] = column.to_pylist()
    return found
