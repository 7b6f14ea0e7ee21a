"""Rows of a database beside each other: what a call changed, and where it differs from its lock."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any, TypeAlias

from mivas.pack import Pack, memory_database

Tables: TypeAlias = Mapping[str, Mapping[str, Any]]
"""What `seed_tables` gives."""


def seed_tables(pack: Pack) -> dict[str, dict[str, Any]]:
    """Every table of a pack as it stands before a call: columns, rows, and by which rule it is compared.

    Raises PackError on SQL that fails.
    """
    with closing(memory_database(pack)) as connection:
        connection.row_factory = sqlite3.Row
        names = [
            row["name"]
            for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
            if not row["name"].startswith("sqlite_")
        ]
        return {name: _table(connection, pack, name) for name in names}


def _table(connection: sqlite3.Connection, pack: Pack, name: str) -> dict[str, Any]:
    found = connection.execute(f'SELECT * FROM "{name}"')  # noqa: S608 - a name the database itself gave
    columns = [column[0] for column in found.description]
    rule = pack.scoring.tables.get(name)
    return {
        "columns": columns,
        "rows": [[_decoded(row[column]) for column in columns] for row in found],
        "rule": rule.rule if rule is not None else None,
        "not_compared": sorted(rule.drop & set(columns)) if rule is not None else [],
        "hidden": name in pack.hidden_tables,
    }


def changed_rows(
    seed: Tables, state: Mapping[str, Any], *, as_compared: bool = False
) -> dict[str, dict[str, list[Any]]]:
    """Rows that stand in the dump and not in the seed (`now`), and the other way round (`before`), by table.

    Args:
        as_compared: leave out of account the columns that the database gate doesn't compare, which a lock lacks.
    """
    changed = {}
    for name, table in seed.items():
        rows = state.get(name)
        if not isinstance(rows, list):
            continue
        seeded = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
        left_out = frozenset(table["not_compared"]) if as_compared else frozenset()
        now, before = _only_in(rows, seeded, left_out), _only_in(seeded, rows, left_out)
        if now or before:
            changed[name] = {"now": now, "before": before}
    return changed


def _only_in(rows: Sequence[Any], others: Sequence[Any], left_out: frozenset[str]) -> list[Any]:
    counted = Counter(_key(row, left_out) for row in others)
    found = []
    for row in rows:
        key = _key(row, left_out)
        if counted[key]:
            counted[key] -= 1
        else:
            found.append(row)
    return found


def _key(row: Any, left_out: frozenset[str]) -> str:
    if isinstance(row, Mapping):
        row = {name: _decoded(value) for name, value in row.items() if name not in left_out}
    return json.dumps(row, sort_keys=True, default=str)


def _decoded(value: Any) -> Any:
    """JSON text as the value it holds: a dump shows such a column decoded, the database holds text."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, str) and value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return value


def aligned_diff(diff: Mapping[str, Any]) -> dict[str, Any]:
    """A table's difference as pairs of rows that belong together, then those that stand alone.

    A pair is `{"expected": row | None, "actual": row | None, "differs": [column]}`.
    """
    spare = list(diff.get("only_in_actual") or ())
    pairs = []
    for expected in diff.get("only_in_expected") or ():
        nearest = max(spare, key=lambda row, expected=expected: _likeness(expected, row), default=None)  # type: ignore[misc]
        if nearest is None or not _likeness(expected, nearest):
            pairs.append({"expected": expected, "actual": None, "differs": []})
            continue
        spare.remove(nearest)
        pairs.append({"expected": expected, "actual": nearest, "differs": _differing(expected, nearest)})
    pairs += [{"expected": None, "actual": row, "differs": []} for row in spare]
    return {
        "expected_count": diff.get("expected_count"),
        "actual_count": diff.get("actual_count"),
        "pairs": pairs,
    }


def _likeness(expected: Any, actual: Any) -> int:
    if not isinstance(expected, Mapping) or not isinstance(actual, Mapping):
        return 0
    return sum(1 for column in expected if column in actual and expected[column] == actual[column])


def _differing(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> list[str]:
    columns = dict.fromkeys([*expected, *actual])
    return [
        column
        for column in columns
        if (column in expected) != (column in actual) or expected.get(column) != actual.get(column)
    ]
