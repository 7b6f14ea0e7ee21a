"""The public release's cases: which of their locked states a replay reaches, case by case."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from mivas.pack import Pack, Suite, load_suite
from mivas.probe import replay
from mivas.state import StateService

REFERENCE = Path(os.environ.get("MIVAS_REFERENCE") or Path(__file__).parents[4] / "shared" / "reference")
# A correct caller leaves a trace that the lock forbids (R-M1), or the lock leaves out what the tool needs.
NOT_ATTAINED = {"R-M1": {"escalations"}}
REFUSED = {
    "R-M1": ["VERIFICATION_MISMATCH", "VERIFICATION_FAILED"],
    "T1-E1": ["NO_SUCH_FEE"],
    "T2-E1": ["NO_SUCH_POLICY"],
    "T5-M1": ["UNKNOWN_ITEM"],
}


class Direct:
    """A state service without a wire."""

    def __init__(self, service: StateService) -> None:
        self._service = service

    def post(self, call_id: str, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._service.call_tool(call_id, name, arguments).json

    def state(self, call_id: str) -> Mapping[str, Any]:
        return self._service.state(call_id)


@pytest.fixture(scope="module")
def suite(pack: Pack) -> Suite:
    folder = REFERENCE / "tasks" / "customer-support"
    if not folder.is_dir():
        pytest.skip("no public cases here")
    return load_suite(pack, folder)


@pytest.fixture
def target(pack: Pack, world: Callable[[Pack, Path], StateService], tmp_path: Path) -> Any:
    service = world(pack, tmp_path)
    yield Direct(service)
    service.close()


def test_completed_calls_reach_all_but_the_locks_that_forbid_them(pack: Pack, suite: Suite, target: Direct) -> None:
    played = {task.task_id: task for task in replay(pack, suite, target, "completed", lambda task_id: task_id)}
    missed = {key: set(task.database.diff or {}) for key, task in played.items() if not task.attainable}
    assert missed == {key: tables for key, tables in NOT_ATTAINED.items() if key in played}
    codes = {
        key: [step["output"]["error_code"] for step in task.refused] for key, task in played.items() if task.refused
    }
    assert codes == {key: refused for key, refused in REFUSED.items() if key in played}


def test_calls_exactly_as_locked_reach_every_sample(pack: Pack, suite: Suite, target: Direct) -> None:
    played = list(replay(pack, suite, target, "literal", lambda task_id: task_id))
    assert [task.task_id for task in played if not task.attainable] == []
