"""A pack's database in memory: schema and seed, ready to be looked at."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing

from mivas.errors import PackError
from mivas.pack._pack import Pack

RESERVED_PREFIX = "_mivas_"
"""Names that start so belong to the state service, which keeps its own tables beside the pack's."""


def memory_database(pack: Pack) -> sqlite3.Connection:
    """Open a new in-memory database holding the pack's schema and seed; the caller closes it.

    Raises PackError on SQL that fails, with its line, and on a name the service reserves.
    """
    connection = sqlite3.connect(":memory:")
    try:
        _execute(connection, pack, "schema.sql", pack.schema_sql, earlier="")
        _execute(connection, pack, "seed.sql", pack.seed_sql, earlier=pack.schema_sql)
    except PackError:
        connection.close()
        raise
    return connection


def table_columns(pack: Pack) -> Mapping[str, frozenset[str]]:
    """Columns of every table of a pack. Raises PackError as `memory_database` does."""
    with closing(memory_database(pack)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        return {
            name: frozenset(row[1] for row in connection.execute("SELECT * FROM pragma_table_info(?)", (name,)))
            for (name,) in tables
        }


def _execute(connection: sqlite3.Connection, pack: Pack, name: str, sql: str, *, earlier: str) -> None:
    where = str(pack.folder / "db" / name)
    try:
        connection.executescript(sql)
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        line = _failing_line(earlier, sql)
        spot = where if line is None else f"{where}:{line}"
        raise PackError(f"SQL fails: {error}", where=spot, mend="mend the statement") from None
    for (reserved,) in connection.execute("SELECT name FROM sqlite_schema"):
        if reserved.lower().startswith(RESERVED_PREFIX):
            raise PackError(
                f"the name {reserved} is reserved: the state service keeps its own tables under {RESERVED_PREFIX}",
                where=where,
                mend="choose another name",
            )


def _failing_line(earlier: str, sql: str) -> int | None:
    """Line on which the first failing statement starts, or None when it fails only as a whole."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.executescript(earlier)
        for line, statement in _statements(sql):
            try:
                connection.execute(statement)
            except (sqlite3.Error, sqlite3.Warning, ValueError):
                return line
    return None


def _statements(sql: str) -> Iterator[tuple[int, str]]:
    """Statements of a script with the line each starts on. Two on one line come as one, which is near enough."""
    start, held = 1, ""
    for number, line in enumerate(sql.split("\n"), start=1):
        if not held and (not line.strip() or line.lstrip().startswith("--")):
            continue
        if not held:
            start = number
        held += line + "\n"
        if "\0" in held or sqlite3.complete_statement(held):
            yield start, held
            held = ""
    if held.strip():
        yield start, held
