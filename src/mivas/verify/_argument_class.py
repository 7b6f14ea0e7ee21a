"""Fact or prose: must an argument's content be right, or only be there? Source: scoring.md 3.4.1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mivas.pack import Scoring
from mivas.verify._flatten import as_object

_CHECKED_TYPES = frozenset({"number", "integer", "boolean"})
_CHECKED_FORMATS = ("date", "date-time")
_CHECKED_ENDINGS = ("_id", "_ids", "_e164")


def is_prose(key: str, schema: object, scoring: Scoring) -> bool:
    """Whether `key` carries free text, by its property schema, its name and the pack's lists; first rule decides."""
    if _is_closed(as_object(schema)) or key.endswith(_CHECKED_ENDINGS) or key in scoring.fact_keys:
        return False
    return key in scoring.prose_keys or key == "reason"


def _is_closed(schema: Mapping[str, Any]) -> bool:
    """Whether the schema itself limits what may be sent."""
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else (kind,)
    return (
        schema.get("enum") is not None
        or any(isinstance(one, str) and one in _CHECKED_TYPES for one in kinds)
        or schema.get("format") in _CHECKED_FORMATS
        or schema.get("pattern") is not None
    )
