"""Replay: play a task's expected calls on a state service and compare with the state its lock expects.

Source: the completion section of each pack's sheet, scoring.md 3.7 and 3.9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from mivas.pack import Pack, Suite, Task
from mivas.probe._completion import completed_calls, literal_calls
from mivas.probe._memory import CallMemory
from mivas.verify import DatabaseGate, verify

Mode: TypeAlias = Literal["completed", "literal"]
"""completed adds what the pack's completion rules say; literal sends the lock as it stands."""


class ReplayTarget(Protocol):
    """A state service to play on."""

    def post(self, call_id: str, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Post one call, return the JSON answer. Raises StateError when the service can't be reached."""

    def state(self, call_id: str) -> Mapping[str, Any]:
        """The call's state. Raises StateError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedTask:
    """What one task's replay came to."""

    task_id: str
    attainable: bool
    database: DatabaseGate
    refused: tuple[Mapping[str, Any], ...]
    """Steps that were not answered with ok: `{"step", "name", "output"}`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A whole suite's replay."""

    pack_id: str
    mode: Mode
    tasks: tuple[ReplayedTask, ...]

    @property
    def attainable(self) -> int:
        return sum(task.attainable for task in self.tasks)


def replay(
    pack: Pack, suite: Suite, target: ReplayTarget, mode: Mode, new_call_id: Callable[[str], str]
) -> Iterator[ReplayedTask]:
    """Play every task on a call id of its own, in suite order. `new_call_id` makes an unused id for a task id."""
    for task in suite.tasks.values():
        yield _replay_task(pack, task, target, new_call_id(task.task_id), mode)


def _replay_task(pack: Pack, task: Task, target: ReplayTarget, call_id: str, mode: Mode) -> ReplayedTask:
    refused = []
    memory = CallMemory(envelope=pack.envelope)
    calls = completed_calls(pack, task) if mode == "completed" else literal_calls(task)
    for step, call in enumerate(calls):
        if call.name not in pack.posted_tools:
            continue
        output = target.post(call_id, call.name, memory.resolved(call.arguments))
        if not output.get(pack.envelope.ok):
            refused.append({"step": step, "name": call.name, "output": output})
        memory.keep(call.name, None, output)
    database = verify(
        task=task.raw,
        result={},
        state=target.state(call_id),
        scoring=pack.scoring,
        tool_schemas=pack.tool_schemas,
    ).database
    return ReplayedTask(
        task_id=task.task_id,
        attainable=database.passed is not False,
        database=database,
        refused=tuple(refused),
    )
