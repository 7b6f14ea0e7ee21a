"""How many rows a task's expected end state has that the seed hasn't."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any

from mivas.pack._database import memory_database
from mivas.pack._pack import Pack
from mivas.pack._tasks import Task


def expected_writes(pack: Pack, task: Task) -> dict[str, int] | None:
    """Rows inserted, changed or deleted by a correct call, for each scored table that differs from the seed.

    Columns that the database gate doesn't compare are left out. None when the task has no expected state.
    Raises PackError on SQL that fails.
    """
    expected = task.file.exp_db_state
    if expected is None:
        return None
    writes: dict[str, int] = {}
    with closing(memory_database(pack)) as connection:
        connection.row_factory = sqlite3.Row
        for table, rule in pack.scoring.tables.items():
            wanted = expected.get(table)
            if not isinstance(wanted, list):
                continue
            seed = [dict(row) for row in connection.execute(f'SELECT * FROM "{table}"')]  # noqa: S608 - a checked name
            before, after = _counted(seed, rule.drop), _counted(wanted, rule.drop)
            if differing := max((after - before).total(), (before - after).total()):
                writes[table] = differing
    return writes


def _counted(rows: Iterable[Any], drop: frozenset[str]) -> Counter[str]:
    return Counter(json.dumps(_compared(row, drop), sort_keys=True) for row in rows if isinstance(row, Mapping))


def _compared(row: Mapping[str, Any], drop: frozenset[str]) -> dict[str, Any]:
    return {key: _decoded(value) for key, value in row.items() if key not in drop}


def _decoded(value: Any) -> Any:
    """JSON text as the value it holds: a dump shows such a column decoded, the database holds text."""
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value
