"""The template database of a pack: schema and seed, built once; each call starts as a copy of it.

Why: executing schema and seed on disk costs one fsync a statement (90 to 650 ms), a copy 0.2 ms (runtime.md 3.3).
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from zlib import crc32

from mivas.pack import Pack, memory_database

# Everything the service keeps beside the pack's tables. The prefix keeps it out of `/state`.
BOOKKEEPING_SQL = """
CREATE TABLE _mivas_memory (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE _mivas_calls (
  seq INTEGER PRIMARY KEY,
  at_utc TEXT NOT NULL,
  node TEXT,
  tool TEXT NOT NULL,
  arguments TEXT NOT NULL,
  output TEXT NOT NULL,
  idempotency_key TEXT,
  broke TEXT
);
CREATE UNIQUE INDEX _mivas_calls_key ON _mivas_calls (idempotency_key) WHERE idempotency_key IS NOT NULL;
"""

# WAL: of the journal modes that survive a killed process and let others read along, by far the cheapest per tool
# call. DELETE, TRUNCATE and PERSIST open a new call 0.5 ms sooner and make a third to a half of its calls a second.
# File header bytes 18 and 19, write and read version (sqlite.org/fileformat2.html, 1.3).
_JOURNAL_BYTES = slice(18, 20)
_ROLLBACK_JOURNAL, _WAL = b"\x01\x01", b"\x02\x02"


def build_template(pack: Pack) -> bytes:
    """Bytes of a database holding the pack's schema and seed, in WAL mode.

    Raises PackError on bad SQL, and on a name that starts as the service's own tables do.

    Its `user_version` is a checksum of the SQL, so a store never mistakes another pack's database for its own.
    """
    with closing(memory_database(pack)) as connection:
        connection.executescript(BOOKKEEPING_SQL)
        checksum = crc32((pack.schema_sql + pack.seed_sql + BOOKKEEPING_SQL).encode()) & 0x7FFF_FFFF
        connection.execute(f"PRAGMA user_version = {checksum}")
        connection.commit()
        image = bytearray(connection.serialize())
    image[_JOURNAL_BYTES] = _WAL
    return bytes(image)


def image_version(image: bytes) -> int:
    """The `user_version` in a database image (sqlite.org/fileformat2.html, 1.3)."""
    return int.from_bytes(image[60:64], "big")


_JSON_TYPE = re.compile(r"\bJSON\b", re.IGNORECASE)


def state_columns(template: bytes) -> dict[str, tuple[tuple[str, bool], ...]]:
    """Tables shown in `/state`, in schema order: each column with whether its text is decoded as JSON.

    A column declared `JSON TEXT` (text affinity, so nothing else changes) holds JSON that `/state` shows decoded.
    """
    with closing(sqlite3.connect(":memory:")) as connection:
        # SQLite refuses to open a WAL image in memory.
        image = bytearray(template)
        image[_JOURNAL_BYTES] = _ROLLBACK_JOURNAL
        connection.deserialize(bytes(image))
        names = connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' "
            "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_mivas\\_%' ESCAPE '\\' ORDER BY rowid"
        ).fetchall()
        return {
            name: tuple(
                (column, bool(_JSON_TYPE.search(declared)))
                for _, column, declared, *_ in connection.execute(f'PRAGMA table_info("{name}")')
            )
            for (name,) in names
        }
