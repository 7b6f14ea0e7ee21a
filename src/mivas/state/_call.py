"""What a handler may touch while it answers one tool call."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mivas.pack import Scoring


class CallMemory:
    """Per-call session memory (identity pin, counters, quoted amounts), kept in the call's own database.

    Survives a restart, is rolled back with the tool call that wrote it, and never shows in `/state`
    (runtime.md 3.7). Values are JSON values.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, key: str, default: Any = None) -> Any:
        """The value kept under `key`, or `default`."""
        row = self._connection.execute("SELECT value FROM _mivas_memory WHERE key = ?", (key,)).fetchone()
        return default if row is None else json.loads(row[0])

    def __setitem__(self, key: str, value: Any) -> None:
        self._connection.execute("INSERT OR REPLACE INTO _mivas_memory VALUES (?, ?)", (key, json.dumps(value)))

    def __delitem__(self, key: str) -> None:
        self._connection.execute("DELETE FROM _mivas_memory WHERE key = ?", (key,))


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call's view of its call: database, memory, clock, and the pack's shared tables."""

    connection: sqlite3.Connection
    """Inside an open transaction that the service commits, or rolls back when the handler raises."""
    memory: CallMemory
    scoring: Scoring
    """Alias tables and equality kinds, the same the verifier uses."""
    now: datetime
    """The pack's pinned local time; for a pack without a clock, `created_at` as a naive time."""
    created_at: str
    """UTC time `YYYY-MM-DD HH:MM:SS` for the `created_at` column of rows written now."""

    def one(self, sql: str, *parameters: object) -> dict[str, Any] | None:
        """First row of a query as a dict, or None."""
        return next(self.rows(sql, *parameters), None)

    def rows(self, sql: str, *parameters: object) -> Iterator[dict[str, Any]]:
        """Rows of a query as dicts in column order."""
        cursor = self.connection.execute(sql, parameters)
        columns = [column[0] for column in cursor.description]
        for row in cursor:
            yield dict(zip(columns, row, strict=True))

    def execute(self, sql: str, *parameters: object) -> int:
        """Run one statement, return how many rows it changed."""
        return self.connection.execute(sql, parameters).rowcount

    def insert(self, table: str, values: Mapping[str, object]) -> int:
        """Insert one row, return its rowid. Table and column names come from code, never from a caller."""
        columns = ", ".join(f'"{column}"' for column in values)
        marks = ", ".join("?" for _ in values)
        statement = f'INSERT INTO "{table}" ({columns}) VALUES ({marks})'  # noqa: S608
        cursor = self.connection.execute(statement, tuple(values.values()))
        return int(cursor.lastrowid or 0)
