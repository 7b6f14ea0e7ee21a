"""The service's record of a finished call, read from its database file alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from mivas.errors import StateError
from mivas.state._log import LoggedCall, logged_calls


def read_log(path: Path) -> list[LoggedCall]:
    """The calls a `state.db` has logged, in order. Changes nothing, needs neither pack nor service.

    Raises: StateError when there is no such file or it isn't a call's database.
    """
    # No lock and no shared memory beside the file, so that an archive is left as it is; only a database that
    # nobody closed still has rows in its log, and needs SQLite to look there.
    closed = not path.with_name(f"{path.name}-wal").exists()
    address = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if closed else ''}"
    try:
        with closing(sqlite3.connect(address, uri=True)) as connection:
            return logged_calls(connection)
    except (sqlite3.Error, ValueError, RecursionError) as error:
        raise StateError(f"not a call's database ({error})", where=str(path), mend="restore the file") from None
