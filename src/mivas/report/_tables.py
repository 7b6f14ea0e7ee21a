"""Rows as the bytes of a file. Source: scoring.md section 5.

A cell holds what was said and sent, unchanged: one that begins with `=`, `+`, `-` or `@` is a formula to a spreadsheet
that is asked to read it as one. Import such files as text.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from mivas.errors import InputError
from mivas.report._columns import Column

LIST_MARK = ";"
"""Between the items of a list cell, which is for reading: where an item may hold one, a JSON column tells exactly."""


def csv_lines(columns: Sequence[Column], rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """The header, then a record a row: UTF-8, LF, every field quoted. A field may hold line breaks."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow([column.name for column in columns])
    yield _taken(buffer)
    for row in rows:
        writer.writerow([_cell(column, row[column.name]) for column in columns])
        yield _taken(buffer)


def jsonl_lines(columns: Sequence[Column], rows: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """A JSON object a row: the same keys, values as they are, unknown null."""
    for row in rows:
        yield _bytes(_json({column.name: row[column.name] for column in columns})) + b"\n"


def parquet_table(columns: Sequence[Column], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """One Parquet file: typed columns, lists of text, JSON as text. Raises InputError without the extra `export`."""
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise InputError(
            "Parquet needs pyarrow", where="--format", mend="pip install 'mivas[export]', or take csv or jsonl"
        ) from None
    types = {
        "text": pa.string(), "json": pa.string(), "bool": pa.bool_(), "int": pa.int64(), "number": pa.float64(),
        "list": pa.list_(pa.string()),
    }  # fmt: skip
    schema = pa.schema([(column.name, types[column.kind]) for column in columns])
    values = [{column.name: _parquet_value(column, row[column.name]) for column in columns} for row in rows]
    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(values, schema=schema), sink)
    return sink.getvalue()


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return _bytes(text)


def _bytes(text: str) -> bytes:
    # Half of a surrogate pair, which a model may send, is no character: `\ud800`, an escape that JSON knows too.
    return text.encode(errors="backslashreplace")


def _cell(column: Column, value: Any) -> str:
    if value is None:
        return ""
    if column.kind == "list":
        return LIST_MARK.join(map(_item, value))
    return _json(value) if column.kind == "json" else _item(value)


def _item(value: Any) -> str:
    """A text as it is; truth values, numbers and objects as JSON spells them."""
    return value if isinstance(value, str) else _json(value)


def _parquet_value(column: Column, value: Any) -> Any:
    if value is None:
        return None
    if column.kind == "json":
        return _bytes(_json(value)).decode()
    if column.kind == "list":
        return [_bytes(_item(one)).decode() for one in value]
    return _bytes(_item(value)).decode() if column.kind == "text" else value


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError):
        return json.dumps(_plain(value), ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """The value with what JSON can't say made null (not a number, infinity) or text."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return value if isfinite(value) else None
    return value if value is None or isinstance(value, str | int) else str(value)
