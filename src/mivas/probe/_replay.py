"""Replay: play a task's expected calls on a state service and compare with the state its lock expects.

Source: the completion section of each pack's sheet, scoring.md 3.7 and 3.9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from mivas.pack import Pack, Suite, Task
from mivas.probe._walk import first_option
from mivas.verify import DatabaseGate, verify

Mode: TypeAlias = Literal["completed", "literal"]
"""completed fills arguments that a lock leaves out by the pack's completion rules; literal sends what the lock says."""


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
    data: dict[str, Any] = {}
    for step, call in enumerate(task.expected_calls):
        if call.name not in pack.posted_tools:
            continue
        sent = {key: first_option(value) for key, value in call.arguments.items()}
        arguments = _completed(pack, call.name, sent, data) if mode == "completed" else sent
        output = target.post(call_id, call.name, arguments)
        if not output.get(pack.envelope.ok):
            refused.append({"step": step, "name": call.name, "output": output})
        values = output.get(pack.envelope.data) if pack.envelope.data else output
        data |= values if isinstance(values, dict) else {}
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


def _completed(pack: Pack, name: str, arguments: Mapping[str, Any], data: Mapping[str, Any]) -> dict[str, Any]:
    """Fill missing or blank tokens that an earlier answer handed out, where the tool declares them (scoring.md 3.9)."""
    declared = pack.tool_schemas[name].get("properties", {}) if name in pack.tool_schemas else {}
    filled = {
        key: data[key]
        for key in COMPLETED_KEYS
        if key in declared and key in data and not str(arguments.get(key) or "").strip()
    }
    return {**arguments, **filled}


COMPLETED_KEYS = ("confirmation_token", "rma_number", "token", "hold_id")
"""Arguments that only an earlier answer can supply."""
