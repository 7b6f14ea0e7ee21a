"""One SQLite database per call: the only code that chooses a file (runtime.md 3.1-3.3)."""

from __future__ import annotations

import os
import re
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex
from typing import Protocol, TypeVar

from mivas.errors import StateError
from mivas.state._template import image_version

Result = TypeVar("Result")

_CALL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_BLANKS = " \t\r\n\f\v"
_SHARED_FILE = "runtime.db"


def clean_call_id(text: str) -> str | None:
    """A call id with surrounding ASCII whitespace trimmed, or None when it breaks the rules of runtime.md 3.2.

    >>> clean_call_id(" C1-E1-0 "), clean_call_id("../etc"), clean_call_id("x" * 65)
    ('C1-E1-0', None, None)
    """
    trimmed = text.strip(_BLANKS)
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


@dataclass(slots=True, eq=False)
class _Database:
    """A call's file, its connection once somebody used it, and the lock that makes its user the one writer."""

    path: Path
    connection: sqlite3.Connection | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0


class CallStore:
    """Opens the database of a call, creating it on first touch from the template.

    Safe from many threads: first touches of one id race to an atomic link, and everybody uses the winner's file.
    Keeps at most `keep_open` idle connections; more are opened when more are in use.
    """

    def __init__(self, files: DatabaseFiles, template: bytes, *, keep_open: int = 256) -> None:
        self._files = files
        self._template = template
        self._version = image_version(template)
        self._keep_open = keep_open
        self._open: OrderedDict[str | None, _Database] = OrderedDict()
        self._lock = threading.Lock()

    def use(self, call_id: str | None, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run `work` as the only user of the call's database; what it leaves uncommitted is rolled back.

        Raises StateError when the file can't be made, opened or written, and whatever else `work` raises.
        """
        database = self._take(call_id)
        try:
            with database.lock:
                connection = database.connection
                if connection is None:
                    connection = database.connection = self._connect(database.path)
                try:
                    return work(connection)
                except sqlite3.Error as error:
                    raise _unusable(database.path, error) from error
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
        finally:
            self._give_back(call_id, database)

    def image(self, call_id: str) -> bytes | None:
        """The call's whole database as the bytes of one file, or None when the call was never touched.

        Through SQLite and not by reading the file: closing a second handle would drop this process's locks
        (sqlite.org/howtocorrupt.html, 2.2), and the newest rows may still be in the log. Raises StateError.
        """
        if not self._files.path(call_id).exists():
            return None
        return self.use(call_id, lambda connection: connection.serialize())

    def close(self) -> None:
        """Close every connection once its user is done; a closed database is one file again, its log merged.

        Idempotent; a later use opens the database again.
        """
        with self._lock:
            databases = list(self._open.values())
            self._open.clear()
        for database in databases:
            _close(database)

    def release(self, call_id: str | None) -> None:
        """Close one call's database now, its log merged into the one file. A later use opens it again."""
        with self._lock:
            database = self._open.pop(call_id, None)
        if database is not None:
            _close(database)

    def _take(self, call_id: str | None) -> _Database:
        with self._lock:
            database = self._open.get(call_id)
            if database is None:
                database = self._open[call_id] = _Database(self._files.path(call_id))
            else:
                self._open.move_to_end(call_id)
            database.users += 1
            return database

    def _give_back(self, call_id: str | None, database: _Database) -> None:
        superfluous = None
        with self._lock:
            database.users -= 1
            if database.users == 0 and self._open.get(call_id) is not database:
                superfluous = database  # the store was closed while this call was in use
            elif len(self._open) > self._keep_open:
                superfluous = self._forget_oldest_idle()
        if superfluous is not None:
            _close(superfluous)

    def _forget_oldest_idle(self) -> _Database | None:
        for call_id, database in self._open.items():
            if database.users == 0:
                return self._open.pop(call_id)
        return None

    def _connect(self, path: Path) -> sqlite3.Connection:
        try:
            if not path.exists():
                self._create(path)
            # The lock of _Database, not the thread, guards a connection.
            connection = sqlite3.connect(
                path, timeout=0, isolation_level=None, check_same_thread=False, cached_statements=256
            )
        except OSError as error:
            raise StateError(
                f"can't be written ({error.strerror})", where=str(path), mend="choose a writable data folder"
            ) from None
        except sqlite3.Error as error:
            raise _unusable(path, error) from None
        try:
            # A killed process loses nothing without fsync; only a power cut could, and a trial is then run again.
            # One process owns a call's database while it is open: no shared memory beside the file, no lock calls in a
            # transaction, and a first touch costs half as much. Others read it once it is released.
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA synchronous = OFF")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        except sqlite3.Error as error:
            connection.close()
            raise _unusable(path, error) from None
        if version != self._version:
            connection.close()
            raise StateError(
                "made by another pack, or another version of this one", where=str(path), mend="use another data folder"
            )
        return connection

    def _create(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        half_built = path.with_name(f"{path.name}.{token_hex(8)}.tmp")
        try:
            half_built.write_bytes(self._template)
            # Link, not rename: a reader sees the whole template or nothing, and a lost race never replaces
            # a database that somebody already writes to.
            with suppress(FileExistsError):
                os.link(half_built, path)
        finally:
            half_built.unlink(missing_ok=True)


def _close(database: _Database) -> None:
    with database.lock:
        if database.connection is not None:
            database.connection.close()
            database.connection = None


def _unusable(path: Path, error: sqlite3.Error) -> StateError:
    return StateError(f"not a usable call database ({error})", where=str(path), mend="free the disk or move it away")
