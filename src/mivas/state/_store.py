"""One SQLite database per call: the only code that chooses a file (runtime.md 3.1-3.3)."""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar
from uuid import uuid4

from mivas.errors import StateError

Result = TypeVar("Result")

_CALL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_SHARED_FILE = "runtime.db"


def clean_call_id(text: str) -> str | None:
    """A call id with surrounding whitespace trimmed, or None when it breaks the rules of runtime.md 3.2.

    >>> clean_call_id(" C1-E1-0 "), clean_call_id("../etc"), clean_call_id("x" * 65)
    ('C1-E1-0', None, None)
    """
    trimmed = text.strip()
    return trimmed if _CALL_ID.fullmatch(trimmed) else None


class DatabaseFiles(Protocol):
    """Where the databases of calls live."""

    def path(self, call_id: str | None) -> Path:
        """File of a call; None is the shared debug database."""


@dataclass(frozen=True, slots=True)
class ServiceFolder:
    """The layout of a running service: `{root}/calls/{id}.db` and `{root}/runtime.db`."""

    root: Path

    def path(self, call_id: str | None) -> Path:
        return self.root / _SHARED_FILE if call_id is None else self.root / "calls" / f"{call_id}.db"


@dataclass(frozen=True, slots=True)
class RunFolder:
    """The layout of a run: `{root}/calls/{id}/state.db` (formats.md 6)."""

    root: Path

    def path(self, call_id: str | None) -> Path:
        return self.root / _SHARED_FILE if call_id is None else self.root / "calls" / call_id / "state.db"


@dataclass(slots=True)
class CallDatabase:
    """An open database and the lock that makes its user the one writer."""

    connection: sqlite3.Connection
    lock: threading.RLock = field(default_factory=threading.RLock)
    users: int = 0


class CallStore:
    """Opens the database of a call, creating it on first touch from the template.

    Safe from many threads: first touches of one id race to an atomic link, and everybody uses the winner's file.
    Keeps at most `keep_open` idle connections; more are opened when more are in use.
    """

    def __init__(self, files: DatabaseFiles, template: bytes, *, keep_open: int = 256) -> None:
        self._files = files
        self._template = template
        self._keep_open = keep_open
        self._open: OrderedDict[str | None, CallDatabase] = OrderedDict()
        self._lock = threading.Lock()

    def use(self, call_id: str | None, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run `work` as the only user of the call's database. Raises StateError when the file can't be used."""
        database = self._take(call_id)
        try:
            with database.lock:
                return work(database.connection)
        finally:
            self._give_back(database)

    def close(self) -> None:
        """Close every idle connection; a closed database is one file again, its log merged. Idempotent."""
        with self._lock:
            for database in self._open.values():
                database.connection.close()
            self._open.clear()

    def _take(self, call_id: str | None) -> CallDatabase:
        with self._lock:
            database = self._open.get(call_id)
            if database is None:
                database = self._open[call_id] = CallDatabase(self._connect(self._files.path(call_id)))
            else:
                self._open.move_to_end(call_id)
            database.users += 1
            return database

    def _give_back(self, database: CallDatabase) -> None:
        with self._lock:
            database.users -= 1
            if len(self._open) > self._keep_open:
                self._close_oldest_idle()

    def _close_oldest_idle(self) -> None:
        for call_id, database in self._open.items():
            if database.users == 0:
                database.connection.close()
                del self._open[call_id]
                return

    def _connect(self, path: Path) -> sqlite3.Connection:
        try:
            if not path.exists():
                self._create(path)
            # The lock of CallDatabase, not the thread, guards a connection.
            connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
            # A killed process loses nothing without fsync; only a power cut could, and a trial is then run again.
            connection.execute("PRAGMA synchronous = OFF")
            connection.execute("PRAGMA busy_timeout = 5000")
            connection.execute("SELECT count(*) FROM _mivas_calls").fetchone()
        except OSError as error:
            raise StateError(
                f"can't be written ({error.strerror})", where=str(path), mend="choose a writable data folder"
            ) from None
        except sqlite3.Error as error:
            raise StateError(f"not a usable call database ({error})", where=str(path), mend="move it away") from None
        return connection

    def _create(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        half_built = path.with_name(f"{path.name}.{uuid4().hex}.tmp")
        half_built.write_bytes(self._template)
        try:
            # Link, not rename: a reader sees the whole template or nothing, and a lost race never replaces
            # a database that somebody already writes to.
            os.link(half_built, path)
        except FileExistsError:
            pass
        finally:
            half_built.unlink(missing_ok=True)
