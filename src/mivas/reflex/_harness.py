"""The harness `reflex`: offline, without a model, a pack's phrase table its only knowledge."""

from __future__ import annotations

from pathlib import Path

from mivas.errors import InputError
from mivas.harness import Capabilities, Desk
from mivas.reflex._agent import ReflexAgent
from mivas.reflex._table import TABLE_FILE, Table, load_table


class ReflexHarness:
    """Answers calls of every pack that has a phrase table. It knows no answers and costs no call time."""

    name = "reflex"
    revision = "1"
    capabilities = Capabilities(modes=("text",), clock="virtual")

    def __init__(self) -> None:
        self._tables: dict[Path, Table] = {}

    def answer(self, desk: Desk) -> ReflexAgent:
        """Take one call. Raises PackError when the pack has no table or a malformed one."""
        return ReflexAgent(desk, self._table(desk.companion(TABLE_FILE)))

    def _table(self, path: Path) -> Table:
        if path not in self._tables:
            self._tables[path] = load_table(path)
        return self._tables[path]


def reflex(argument: str | None) -> ReflexHarness:
    """Entry point. Raises InputError for an argument: it takes none."""
    if argument is not None:
        raise InputError(f"takes no argument, not {argument!r}", where="--harness reflex", mend="leave it out")
    return ReflexHarness()
