"""A tool's schema as chat completions take it: the pack's own, without `additionalProperties` (runtime.md 7.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_NAMED_SCHEMAS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTED_SCHEMAS = ("anyOf", "allOf", "oneOf", "prefixItems")
_ONE_SCHEMA = ("items", "not", "contains", "if", "then", "else", "propertyNames")


def chat_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The `parameters` of a function. Everything else stays: types, texts, enums, patterns, bounds.

    >>> chat_schema({"properties": {"day": {"type": "string"}}, "additionalProperties": False})
    {'type': 'object', 'properties': {'day': {'type': 'string'}}}
    """
    return {"type": "object", "properties": {}} | _object(schema)


def _object(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _part(key, value) for key, value in schema.items() if key != "additionalProperties"}


def _projected(schema: Any) -> Any:
    return _object(schema) if isinstance(schema, Mapping) else schema  # true and false are schemas as well


def _part(key: str, value: Any) -> Any:
    if key in _NAMED_SCHEMAS and isinstance(value, Mapping):
        return {name: _projected(one) for name, one in value.items()}
    if key in _LISTED_SCHEMAS and isinstance(value, list | tuple):
        return [_projected(one) for one in value]
    return _projected(value) if key in _ONE_SCHEMA else value
