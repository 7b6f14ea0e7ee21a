"""A plan played on its own, without a caller: what each step sends, what is answered, what it writes, what it meets.

A function of pack, task and plan: from it, and from nothing that happened in a call, follows which faults a case can
have.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from mivas.pack import ExpectedCall, Pack, Task
from mivas.pack import steps as step_kinds
from mivas.probe._memory import CallMemory
from mivas.probe._stage import Stage
from mivas.probe._walker import used_tool, versions_of
from mivas.verify import Verdict, verify


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsedStep:
    """One step of a plan, played."""

    step: step_kinds.Step
    node: str
    """Active node when the step is taken."""
    tool: str | None
    """What it uses; None for a step that says or hears."""
    arguments: Mapping[str, Any]
    """As sent."""
    output: Mapping[str, Any]
    wrote: bool = False
    """Whether anything that `/state` shows differs afterwards."""
    changed: frozenset[str] = frozenset()
    """Compared tables in which a compared column of some row differs afterwards."""
    gained: frozenset[str] = frozenset()
    """Compared tables with more rows afterwards."""
    met: ExpectedCall | None = None
    """Entry of the lock that this step meets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """A whole plan, played."""

    pack: Pack
    task: Task
    steps: tuple[RehearsedStep, ...]
    last_node: str
    state: Mapping[str, Any]
    verdict: Verdict
    """What the verifier says of these calls and this state."""

    @property
    def changed(self) -> frozenset[str]:
        """Compared tables that the plan changes."""
        return frozenset().union(*(step.changed for step in self.steps))

    @property
    def gained(self) -> frozenset[str]:
        """Compared tables that some step inserts into."""
        return frozenset().union(*(step.gained for step in self.steps))

    def plan(self) -> list[step_kinds.Step]:
        """The steps as they were planned."""
        return [rehearsed.step for rehearsed in self.steps]


def rehearse(pack: Pack, task: Task, plan: Sequence[step_kinds.Step], stage: Stage) -> Rehearsal:
    """Play a plan on a fresh call: legal or not, every tool is posted. Raises StateError."""
    call_id = stage.new_call()
    player = _Player(pack, task, stage, call_id)
    played = [player.play(step) for step in plan]
    state = stage.state(call_id)
    stage.release(call_id)
    verdict = verify(
        task=task.raw,
        result={"status": "COMPLETED", "tool_calls": _groups(played)},
        state=state,
        scoring=pack.scoring,
        tool_schemas=pack.tool_schemas,
    )
    met = {pair.actual.start_offset_ms: pair.expected for pair in verdict.tools.pairs} if verdict.tools else {}
    steps = tuple(_with_met(step, met.get(number)) for number, step in enumerate(played))
    return Rehearsal(pack=pack, task=task, steps=steps, last_node=player.node, state=state, verdict=verdict)


class _Player:
    def __init__(self, pack: Pack, task: Task, stage: Stage, call_id: str) -> None:
        self._pack = pack
        self._stage = stage
        self._call_id = call_id
        self._memory = CallMemory(envelope=pack.envelope)
        self._versions = versions_of(task)
        self._heard: Counter[str] = Counter()
        self._state = stage.state(call_id)
        self.node = pack.blueprint.entry.id

    def play(self, step: step_kinds.Step) -> RehearsedStep:
        node = self.node
        if isinstance(step, step_kinds.SayStep):
            return RehearsedStep(step=step, node=node, tool=None, arguments={}, output={})
        if isinstance(step, step_kinds.HearStep):
            self._hear(step.hear)
            return RehearsedStep(step=step, node=node, tool=None, arguments={}, output={})
        tool, arguments = used_tool(step), self._memory.resolved(step.arguments)
        output: Mapping[str, Any] = {"success": True}
        before = self._state
        if tool in self._pack.posted_tools:
            output = self._stage.post(self._call_id, tool, arguments)
            self._state = self._stage.state(self._call_id)
        self._memory.keep(tool, step.name if isinstance(step, step_kinds.CallStep) else None, output)
        self._move(tool)
        changed, gained = differences(self._pack, before, self._state)
        return RehearsedStep(
            step=step,
            node=node,
            tool=tool,
            arguments=arguments,
            output=output,
            wrote=self._state != before,
            changed=changed,
            gained=gained,
        )

    def _hear(self, fact: str) -> None:
        versions = [version for version in self._versions if version.fact == fact]
        if versions:
            self._memory.facts[fact] = versions[min(self._heard[fact], len(versions) - 1)].value
        self._heard[fact] += 1

    def _move(self, tool: str) -> None:
        owners = [self._pack.blueprint.by_id[self.node], *self._pack.blueprint.nodes]
        entry = next((entry for node in owners if (entry := node.tool(tool)) is not None), None)
        if entry is not None and entry.handoff_to is not None:
            self.node = entry.handoff_to


def differences(
    pack: Pack, before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[frozenset[str], frozenset[str]]:
    """Compared tables whose compared columns differ, and those that have more rows afterwards."""
    changed, gained = set(), set()
    for table, rule in pack.scoring.tables.items():
        old, new = before.get(table, []), after.get(table, [])
        if old == new:
            continue
        if _counted(old, rule.drop) != _counted(new, rule.drop):
            changed.add(table)
        if len(new) > len(old):
            gained.add(table)
    return frozenset(changed), frozenset(gained)


def _counted(rows: Sequence[Mapping[str, Any]], drop: frozenset[str]) -> Counter[str]:
    return Counter(
        json.dumps({key: value for key, value in row.items() if key not in drop}, sort_keys=True) for row in rows
    )


def _groups(played: Sequence[RehearsedStep]) -> list[dict[str, Any]]:
    """The calls as a recorded result has them; the step's number stands for its time."""
    return [
        {
            "name": step.tool,
            "actual": [
                {"parameters": dict(step.arguments), "output": dict(step.output), "start_offset_ms": number},
            ],
        }
        for number, step in enumerate(played)
        if step.tool is not None
    ]


def _with_met(step: RehearsedStep, met: Any) -> RehearsedStep:
    if met is None:
        return step
    return replace(step, met=ExpectedCall(name=met.name, arguments=met.arguments))
