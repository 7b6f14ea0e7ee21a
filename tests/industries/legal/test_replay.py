"""The public release's locks, played on this world."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import Pack, load_suite
from mivas.probe import Mode, replay
from mivas.state import StateService

REFERENCE = Path(os.environ.get("MIVAS_REFERENCE") or Path(__file__).parents[4] / "shared" / "reference")


class Played:
    """A state service as a replay sees it."""

    def __init__(self, service: StateService) -> None:
        self._service = service

    def post(self, call_id: str, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._service.call_tool(call_id, name, arguments).json

    def state(self, call_id: str) -> Mapping[str, Any]:
        return self._service.state(call_id)


AS_THEY_STAND = {"C1-M4", "C2-M4", "R-E1", "R-E1-BG", "R-E1-SIG"}
"""Locks that expect no scored row, so that a replay in which everything is refused attains them."""


@pytest.mark.parametrize(("mode", "refused"), [("completed", False), ("literal", True)])
def test_public_locks_are_attained_when_completed_and_hardly_one_as_it_stands(
    pack: Pack, ring: Any, mode: Mode, refused: bool
) -> None:
    folder = REFERENCE / "tasks" / "legal"
    if not folder.is_dir():
        pytest.skip("no sample data of the public release here")
    suite = load_suite(pack, folder)
    tasks = list(replay(pack, suite, Played(ring().service), mode, lambda task_id: f"{mode}-{task_id}"))
    attained = {task.task_id for task in tasks if task.attainable}
    assert attained == (set(suite.tasks) & AS_THEY_STAND if mode == "literal" else set(suite.tasks))
    assert all(bool(task.refused) is refused for task in tasks)
