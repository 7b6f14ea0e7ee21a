"""The oracle: an agent that knows the answer and proves that a case can be passed.

With a `solution.json` it walks the solution, sending a `$fact` only after the caller said it. Without one (public
suites) it completes the lock's calls in the order of design.md 4.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mivas.harness import Capabilities, Desk, TextAgent
from mivas.pack import Task
from mivas.pack import steps as step_kinds
from mivas.probe._walk import planned_steps

ASKS_AGAIN = 3
"""How often the oracle repeats a question before it gives up on a fact."""
GIVING_UP = "I'm sorry, without that I can't help you further today. Is there anything else?"
CLOSING = "Is there anything else I can help you with?"
DONE = "That's taken care of."


class OracleAgent:
    """The oracle in one call."""

    def __init__(self, desk: Desk, task: Task) -> None:
        self._desk = desk
        self._steps = list(task.solution.steps) if task.solution else planned_steps(desk.blueprint, task)
        self._spellings = _spellings(task)
        self._facts: dict[str, Any] = {}
        self._outputs: dict[str, Mapping[str, Any]] = {}
        self._position = 0
        self._asked = 0
        self._question = ""
        self._stuck = False

    async def turn(self, heard: str | None) -> str:
        self._listen(heard or "")
        said: list[str] = []
        while self._position < len(self._steps) and not self._stuck and self._desk.hang_up is None:
            step = self._steps[self._position]
            if isinstance(step, step_kinds.HearStep):
                if step.hear not in self._facts:
                    return self._ask(said)
            elif isinstance(step, step_kinds.SayStep):
                said.append(step.say)
                self._question = step.say
            else:
                await self._act(step)
            self._asked = 0
            self._position += 1
        if self._stuck:
            return GIVING_UP
        if self._desk.hang_up is not None or said:
            return " ".join(said) or DONE
        return CLOSING

    async def aclose(self) -> None:
        """Nothing to free."""

    def _listen(self, heard: str) -> None:
        for fact, value, spelling in self._spellings:
            if spelling in heard:
                self._facts[fact] = value

    def _ask(self, said: list[str]) -> str:
        """End the turn waiting for a fact: with what was just said, or by repeating the question."""
        if said:
            return " ".join(said)
        self._asked += 1
        if self._asked > ASKS_AGAIN:
            self._stuck = True
            return GIVING_UP
        return self._question

    async def _act(self, step: step_kinds.CallStep | step_kinds.HandoffStep | step_kinds.EndStep) -> None:
        """Carry out one tool step; an answer other than the expected one makes the oracle give up."""
        if isinstance(step, step_kinds.CallStep):
            result = await self._desk.call(step.call, self._resolved(step.arguments))
            if step.name is not None:
                self._outputs[step.name] = result.output
            ok = bool(result.output.get("ok", result.output.get("success", False)))
            code = result.output.get("error_code")
            wrong_code = step.expect.error_code is not None and code != step.expect.error_code
            self._stuck = not result.carried_out or ok != step.expect.ok or wrong_code
            return
        name = step.handoff if isinstance(step, step_kinds.HandoffStep) else step.end
        result = await self._desk.call(name, self._resolved(step.arguments))
        self._stuck = not result.carried_out

    def _resolved(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        return {key: self._value(value) for key, value in arguments.items()}

    def _value(self, value: Any) -> Any:
        if isinstance(value, dict):
            if set(value) == {"$fact"}:
                return self._facts.get(value["$fact"])
            if set(value) == {"$out"}:
                return _at(self._outputs, value["$out"])
            return {key: self._value(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._value(item) for item in value]
        return value


def _spellings(task: Task) -> list[tuple[str, Any, str]]:
    """(fact id, value, words that prove the caller said it), changes of mind after the first version."""
    if task.caller is None:
        return []
    return [
        *((fact.id, fact.value, fact.say) for fact in task.caller.facts),
        *((change.fact, change.to, change.say) for change in task.caller.changes),
    ]


def _at(outputs: Mapping[str, Any], path: str) -> Any:
    """Value at a dotted path such as `slots.data.slots.0.slot_id`, or None where it leads nowhere."""
    value: Any = outputs
    for part in path.split("."):
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, list) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


class OracleHarness:
    """Harness of the oracle. Shown the task; never on a leaderboard."""

    name = "oracle"
    revision = "1"
    capabilities = Capabilities(modes=("text",), clock="virtual", knows_answers=True)

    def answer_knowing(self, desk: Desk, task: Task) -> TextAgent:
        return OracleAgent(desk, task)
