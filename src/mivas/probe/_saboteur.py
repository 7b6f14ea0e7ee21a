"""Saboteurs: agents that walk the correct plan with one fault, each aimed at a gate. Source: design.md 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mivas.errors import UnknownName
from mivas.harness import Capabilities, Desk, TextAgent
from mivas.pack import Pack, Task
from mivas.probe._call_faults import blank_note, lost_write, memory, near_name, unasked_text, wrong_argument
from mivas.probe._fault import Fault
from mivas.probe._oracle import correct_steps
from mivas.probe._rehearsal import Rehearsal, rehearse
from mivas.probe._route_faults import extra_desk, shuffled_route, wrong_desk
from mivas.probe._stage import Stage
from mivas.probe._walker import Walker
from mivas.probe._write_faults import double_write, leaky_write

Planner = Callable[[Rehearsal, Stage], Fault | None]


def _alone(plan: Callable[[Rehearsal], Fault | None]) -> Planner:
    """A fault that needs no stage to be planned."""
    return lambda rehearsal, _: plan(rehearsal)


FAULTS: Mapping[str, Planner] = MappingProxyType(
    {
        "memory": _alone(memory),
        "wrong-argument": _alone(wrong_argument),
        "lost-write": _alone(lost_write),
        "double-write": double_write,
        "wrong-desk": _alone(wrong_desk),
        "shuffled-route": _alone(shuffled_route),
        "blank-note": _alone(blank_note),
        "unasked-text": _alone(unasked_text),
        "near-name": _alone(near_name),
        "leaky-write": leaky_write,
        "extra-desk": _alone(extra_desk),
    }
)
"""How each fault is planned; None where a case has no place for it."""
NOT_APPLICABLE = "fault_not_applicable"
"""Note in the event log of a call that has no place for the fault and is walked as it should be."""


class SaboteurHarness:
    """Harness of one fault. Shown the task; never on a leaderboard.

    `wrong-desk` and `shuffled-route` use tools that the active desk doesn't own, so they need `--scope observe`.
    """

    revision = "1"
    capabilities = Capabilities(modes=("text",), clock="virtual", knows_answers=True)

    def __init__(self, fault: str) -> None:
        self.name = f"saboteur:{fault}"
        self._plan = FAULTS[fault]
        self._stages: dict[str, Stage] = {}

    def answer_knowing(self, desk: Desk, task: Task, pack: Pack) -> TextAgent:
        if pack.id not in self._stages:
            self._stages[pack.id] = Stage(pack)
        stage = self._stages[pack.id]
        steps = correct_steps(pack, task)
        fault = self._plan(rehearse(pack, task, steps, stage), stage)
        if fault is None:
            desk.note(NOT_APPLICABLE, f"{self.name} has no place in {task.task_id}")
        return Walker(desk, fault.steps if fault else steps, task, pack.envelope, strict=False)


class PlannedHarness:
    """Harness of a fault that was planned beforehand, for one case."""

    revision = "1"
    capabilities = SaboteurHarness.capabilities

    def __init__(self, name: str, fault: Fault) -> None:
        self.name = f"saboteur:{name}"
        self._fault = fault

    def answer_knowing(self, desk: Desk, task: Task, pack: Pack) -> TextAgent:
        return Walker(desk, self._fault.steps, task, pack.envelope, strict=False)


def saboteur(argument: str | None) -> SaboteurHarness:
    """Entry point `mivas.harnesses: saboteur`, used as `saboteur:<fault>`. Raises UnknownName for another fault."""
    if argument is None or argument not in FAULTS:
        raise UnknownName(
            f"saboteur needs a fault, got {argument!r}" if argument else "saboteur needs a fault",
            where="--harness",
            mend=f"say saboteur:<fault> with one of {', '.join(FAULTS)}",
        )
    return SaboteurHarness(argument)
