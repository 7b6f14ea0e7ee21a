"""A pack's world outside any run: fresh calls on its tools, thrown away afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

from mivas.pack import Pack
from mivas.state import CallStore, ServiceFolder, load_toolset, open_service

_NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""Moment of every write, in a pack without a clock: only columns that no lock holds show it."""


class Stage:
    """A state service over a temporary folder. Close it, or let it go: the folder goes with it.

    Args:
        within: folder to make the temporary one in, for a process that may be killed; None takes the system's.
    """

    def __init__(self, pack: Pack, within: Path | None = None) -> None:
        self._folder = TemporaryDirectory(prefix="mivas-stage-", dir=within)
        moment = pack.clock.replace(tzinfo=UTC) if pack.clock is not None else _NOON
        self._service = open_service(
            pack,
            load_toolset(pack),
            lambda image: CallStore(ServiceFolder(Path(self._folder.name)), image),
            lambda: moment,
        )
        self._numbers = count(1)

    def new_call(self) -> str:
        """An id nobody used: its world is the seed."""
        return f"stage-{next(self._numbers)}"

    def post(self, call_id: str, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """The answer of a tool. Raises StateError when the folder can't be used."""
        return self._service.call_tool(call_id, name, arguments).json

    def state(self, call_id: str) -> Mapping[str, Any]:
        """The call's state. Raises StateError."""
        return self._service.state(call_id)

    def release(self, call_id: str) -> None:
        """The call won't be used again."""
        self._service.release(call_id)

    def close(self) -> None:
        """Throw everything away. Idempotent."""
        self._service.close()
        self._folder.cleanup()

    def __enter__(self) -> Stage:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
