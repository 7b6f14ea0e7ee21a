"""The event log: what tools did beyond the tables, in one shared sequence."""

from __future__ import annotations

import json
from collections.abc import Mapping

from mivas.state import Call


def log_event(call: Call, kind: str, payload: Mapping[str, object]) -> int:
    """Add one row to `tool_events`, return its id."""
    row = {"kind": kind, "payload": json.dumps(payload), "created_at": call.created_at}
    return call.insert("tool_events", row)
