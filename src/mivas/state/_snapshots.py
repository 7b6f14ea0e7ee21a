"""Where the frozen state of a finished call is kept (runtime.md 5)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import Protocol

from mivas.plug_ins import load_plug_in

ENTRY_POINT_GROUP = "mivas.snapshot_stores"


class SnapshotStore(Protocol):
    """Keeps two objects per call, `{call_id}.final.json` and `{call_id}.db`. Blocking; called from worker threads.

    Call ids are clean (runtime.md 3.2), so they are safe as file names. A later put of the same call replaces the
    earlier one, and a reader sees one of them whole.
    """

    def put_final(self, call_id: str, state: bytes) -> None:
        """Keep the state of a call as JSON. Raises OSError."""

    def get_final(self, call_id: str) -> bytes | None:
        """The bytes kept by `put_final`, or None when there are none. Raises OSError when they can't be read."""

    def put_database(self, call_id: str, image: bytes) -> None:
        """Keep the call's SQLite database. Raises OSError."""


class LocalSnapshots:
    """Snapshots beside the databases, in `{data_folder}/calls/`."""

    def __init__(self, data_folder: Path) -> None:
        self._folder = data_folder / "calls"

    def put_final(self, call_id: str, state: bytes) -> None:
        """Write `{call_id}.final.json` in one step."""
        path = self._final(call_id)
        self._folder.mkdir(parents=True, exist_ok=True)
        half_written = path.with_name(f"{path.name}.{token_hex(8)}.tmp")
        try:
            half_written.write_bytes(state)
            os.replace(half_written, path)
        finally:
            half_written.unlink(missing_ok=True)

    def get_final(self, call_id: str) -> bytes | None:
        """Read `{call_id}.final.json`."""
        try:
            return self._final(call_id).read_bytes()
        except FileNotFoundError:
            return None

    def put_database(self, call_id: str, image: bytes) -> None:
        """Nothing to do: in this folder `{call_id}.db` is the live database itself."""

    def _final(self, call_id: str) -> Path:
        return self._folder / f"{call_id}.final.json"


def local_snapshots(data_folder: Path) -> SnapshotStore:
    """Snapshots as files of the service's own data folder."""
    return LocalSnapshots(data_folder)


def load_snapshot_store(name: str) -> Callable[[Path], SnapshotStore]:
    """Import the snapshot store called `name`, and no other: a function of the data folder. Raises UnknownName."""
    factory: Callable[[Path], SnapshotStore] = load_plug_in(ENTRY_POINT_GROUP, name, "snapshot store")
    return factory
