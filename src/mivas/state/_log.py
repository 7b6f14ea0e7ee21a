"""The service's own record of a call's tool calls: the second witness, kept in the call's database."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_SELECT = "SELECT node, tool, arguments, output, idempotency_key, broke FROM _mivas_calls ORDER BY seq"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedCall:
    """One row of `_mivas_calls`."""

    node: str | None
    tool: str
    arguments: Mapping[str, Any]
    output: Mapping[str, Any]
    idempotency_key: str | None
    broke: str | None = None
    """What the handler raised and where, when it broke; None when it answered. For the operator, never for agents."""


def logged_calls(connection: sqlite3.Connection) -> list[LoggedCall]:
    """Every logged call, in order. Raises sqlite3.Error, or ValueError for a row that isn't JSON."""
    return [
        LoggedCall(
            node=node,
            tool=tool,
            arguments=json.loads(arguments),
            output=json.loads(output),
            idempotency_key=key,
            broke=broke,
        )
        for node, tool, arguments, output, key, broke in connection.execute(_SELECT).fetchall()
    ]
