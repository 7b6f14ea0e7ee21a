"""What a tool's input schema names: arguments and closed values, nested ones included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any


def argument_keys(schema: Mapping[str, Any]) -> Iterator[str]:
    """Property names of a schema, those of nested objects included."""
    for key, declared in schema.get("properties", {}).items():
        yield key
        yield from argument_keys(declared)
        yield from argument_keys(declared.get("items", {}))


def enum_values(schema: object) -> Iterator[str]:
    """Text values of every `enum` and `const` anywhere inside a schema."""
    if isinstance(schema, Mapping):
        closed = (*schema.get("enum", ()), schema.get("const"))
        yield from (value for value in closed if isinstance(value, str))
        for part in schema.values():
            yield from enum_values(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from enum_values(part)
