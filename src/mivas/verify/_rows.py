"""Rows of a dump in canonical form, and how to compare and sort them. Source: scoring.md 3.7.2, 3.7.4."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from mivas.pack.equality import TableRule, date_time_to_minute, is_phone_key, national_digits, same_json

_DEEPEST = 60
_SHORTEST_DATE_TIME = len("2026-08-24T09:00")


def compared_columns(rows: Sequence[Any], rule: TableRule) -> list[Any]:
    """Rows without the columns that don't count; what isn't an object stays as it is."""
    drop = rule.drop
    return [
        {key: value for key, value in row.items() if key not in drop} if isinstance(row, dict) else row for row in rows
    ]


def without_twins(expected: Sequence[Any], actual: Sequence[Any]) -> tuple[Sequence[Any], Sequence[Any]]:
    """Both lists without the rows that are equal as they stand, at the same place."""
    try:
        unlike = [pair for pair in zip(expected, actual, strict=False) if pair[0] != pair[1]]
    except RecursionError:  # nested past the interpreter's limit: leave it to the slow way
        return expected, actual
    shared = min(len(expected), len(actual))
    return [row for row, _ in unlike] + list(expected[shared:]), [row for _, row in unlike] + list(actual[shared:])


def canonical_row(row: Any, rule: TableRule) -> Any:
    """A row of `compared_columns` with its texts normalised."""
    if not isinstance(row, dict):
        return row
    canonical = {
        key: (national_digits(value) if is_phone_key(key) else _plain_text(value)) if isinstance(value, str) else value
        for key, value in row.items()
    }
    for key, drop in rule.json_columns.items():
        if key in row:
            canonical[key] = _json_column(row[key], drop)
    return canonical


def _plain_text(text: str) -> str:
    trimmed = text.strip()
    # The length and the dash spare most texts the pattern.
    if len(trimmed) >= _SHORTEST_DATE_TIME and trimmed[4] == "-":
        trimmed = date_time_to_minute(trimmed) or trimmed
    return trimmed.casefold()


def _json_column(value: object, drop: frozenset[str]) -> object:
    """JSON text compared by structure, texts trimmed and folded; text that isn't JSON is ordinary text."""
    decoded = value
    if isinstance(value, str):
        try:
            decoded = json.loads(value)
        except (ValueError, RecursionError):
            return _plain_text(value)
    if isinstance(decoded, dict):
        decoded = {key: member for key, member in decoded.items() if key not in drop}
    return _folded(decoded, _DEEPEST)


def _folded(value: object, depth: int) -> object:
    if isinstance(value, str):
        return value.strip().casefold()
    if depth and isinstance(value, dict):
        return {key: _folded(member, depth - 1) for key, member in value.items()}
    if depth and isinstance(value, list):
        return [_folded(item, depth - 1) for item in value]
    return value


def only_in_each(expected: Sequence[Any], actual: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Rows of each side that the other lacks, repeats counted."""
    if len(expected) == len(actual) == 1:
        return ([], []) if same_json(expected, actual) else (list(expected), list(actual))
    wanted, found = [_key(row) for row in expected], [_key(row) for row in actual]
    return _left_over(expected, wanted, Counter(found)), _left_over(actual, found, Counter(wanted))


def rows_missing(expected: Sequence[Any], actual: Sequence[Any]) -> list[Any]:
    """Expected rows that occur nowhere in actual, repeats not counted."""
    present = {_key(row) for row in actual}
    return [row for row in expected if _key(row) not in present]


def _left_over(rows: Sequence[Any], keys: Iterable[Hashable], others: Counter[Hashable]) -> list[Any]:
    left = []
    for row, key in zip(rows, keys, strict=True):
        if others[key] > 0:
            others[key] -= 1
        else:
            left.append(row)
    return left


def _key(value: object) -> Hashable:
    """A hashable stand-in: equal exactly when the values are, numbers by value."""
    return _frozen(value, _DEEPEST)


def _frozen(value: object, depth: int) -> Hashable:
    if depth == 0:
        return object()  # equals nothing: a row nested this deep is damaged
    if isinstance(value, dict):
        return frozenset((key, _frozen(member, depth - 1)) for key, member in value.items())
    if isinstance(value, list):
        return tuple(_frozen(item, depth - 1) for item in value)
    return value if isinstance(value, Hashable) else object()


def in_canonical_order(rows: Sequence[Any]) -> list[Any]:
    """Rows sorted by their canonical JSON, so that nothing depends on the order of a dump."""
    return sorted(rows, key=_text) if len(rows) > 1 else list(rows)


_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def _text(row: object) -> str:
    try:
        return _ENCODE(row)
    except (ValueError, TypeError, RecursionError):
        return ""
