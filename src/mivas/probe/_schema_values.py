"""Values for a tool's arguments that follow from its advertised schema alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

FREE_TEXT = "unknown"
"""What is sent where any text is allowed."""
_SHAPES = (
    "2026-08-24",
    "2026-08-24T09:00",
    "+12125550100",
    "2125550100",
    "10001",
    "1001",
    "1",
    "A1000000",
    "Alex",
    "name@example.com",
)
"""Texts that satisfy the patterns tools declare: dates, times, telephones, codes, numbers, names."""


def first_value(schema: Mapping[str, Any]) -> Any:
    """The first value a property's schema allows; true for a truth value, the least number, else a plain text."""
    closed = closed_values(schema)
    if closed:
        return closed[0]
    kind = _kind(schema)
    if kind in ("integer", "number"):
        return schema.get("minimum", 1)
    if kind == "array":
        return [first_value(schema.get("items", {}))]
    if kind == "object":
        return {key: first_value(item) for key, item in schema.get("properties", {}).items()}
    pattern = schema.get("pattern")
    if pattern is None:
        return _SHAPES[0] if schema.get("format") == "date" else FREE_TEXT
    return next((text for text in (FREE_TEXT, *_SHAPES) if re.search(pattern, text)), FREE_TEXT)


def closed_values(schema: Mapping[str, Any]) -> list[Any]:
    """Every value of a closed list: an enum, a constant, a truth value, or a list of one of them; else []."""
    if "const" in schema:
        return [schema["const"]]
    if isinstance(schema.get("enum"), list):
        return list(schema["enum"])
    if _kind(schema) == "boolean":
        return [True, False]
    if _kind(schema) == "array":
        return [[item] for item in closed_values(schema.get("items", {}))]
    return []


def first_arguments(schema: Mapping[str, Any], *, all_of_them: bool = True) -> dict[str, Any]:
    """First value of every declared argument, or of the required ones only."""
    keys = schema.get("properties", {}) if all_of_them else schema.get("required", [])
    return {key: first_value(schema["properties"][key]) for key in keys if key in schema.get("properties", {})}


def argument_combinations(schema: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every combination of closed lists, optional ones also left out; other arguments only if required."""
    required = set(schema.get("required", []))
    choices: list[list[tuple[str, Any] | None]] = []
    for key, declared in schema.get("properties", {}).items():
        values: Sequence[Any] = closed_values(declared)
        if not values and key not in required:
            continue
        options: list[tuple[str, Any] | None] = [(key, value) for value in values or [first_value(declared)]]
        choices.append(options if key in required else [*options, None])
    for chosen in product(*choices):
        yield dict(pair for pair in chosen if pair is not None)


def _kind(schema: Mapping[str, Any]) -> str | None:
    kind = schema.get("type")
    if isinstance(kind, list):
        return next((one for one in kind if one != "null"), None)
    if kind is None and isinstance(schema.get("anyOf"), list):
        return next((_kind(one) for one in schema["anyOf"] if one.get("type") != "null"), None)
    return kind
