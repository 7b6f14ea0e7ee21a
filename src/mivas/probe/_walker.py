"""An agent that walks a plan: says what it says, waits for the facts it waits for, sends the calls it lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mivas.harness import Desk
from mivas.pack import Envelope, Task
from mivas.pack import steps as step_kinds
from mivas.probe._memory import CallMemory

ASKS_AGAIN = 3
"""How often a question is repeated before the agent gives up on a fact."""
GIVING_UP = "I'm sorry, without that I can't help you further today. Is there anything else?"
CLOSING = "Is there anything else I can help you with?"
DONE = "That's taken care of."


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A fact as the caller holds it at some time of the call."""

    fact: str
    number: int
    """0 before any change of mind."""
    value: Any
    spellings: tuple[str, ...]
    """Words, in lower case, one of which proves that the caller said it."""


def versions_of(task: Task) -> tuple[Version, ...]:
    """Every fact of the caller's, each followed by what changes of mind make of it."""
    if task.caller is None:
        return ()
    made = [
        Version(
            fact=fact.id,
            number=0,
            value=fact.value,
            spellings=tuple(plain_words(text) for text in (fact.say, fact.spell) if text),
        )
        for fact in task.caller.facts
    ]
    counts: Counter[str] = Counter()
    for change in task.caller.changes:
        counts[change.fact] += 1
        made.append(
            Version(
                fact=change.fact,
                number=counts[change.fact],
                value=change.to,
                spellings=(plain_words(change.say),),
            )
        )
    return tuple(made)


def plain_words(text: str) -> str:
    """Text as it is compared with what was heard: lower case, single spaces."""
    return " ".join(text.casefold().split())


class Walker:
    """One call of an agent that walks a plan.

    A strict one gives up when a call isn't answered as its step expects; one that isn't goes on whatever comes.
    """

    def __init__(
        self, desk: Desk, steps: Sequence[step_kinds.Step], task: Task, envelope: Envelope, *, strict: bool
    ) -> None:
        self._desk = desk
        self._steps = list(steps)
        self._strict = strict
        self._versions = versions_of(task)
        self._latest: dict[str, int] = {}
        """Number of the version of each fact that the caller said last."""
        self._waited: Counter[str] = Counter()
        """Steps that waited for a fact, those of the past included."""
        self._memory = CallMemory(envelope=envelope)
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
                if not self._was_told(step.hear):
                    return self._ask(said)
                self._waited[step.hear] += 1
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
        words = plain_words(heard)
        for version in self._versions:
            if any(spelling in words for spelling in version.spellings):
                self._latest[version.fact] = version.number
                self._memory.facts[version.fact] = version.value

    def _was_told(self, fact: str) -> bool:
        """Whether the caller said the fact; the second step that waits for it waits for the changed one."""
        last = max((version.number for version in self._versions if version.fact == fact), default=0)
        return fact in self._latest and self._latest[fact] >= min(self._waited[fact], last)

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
        """Carry out one tool step. A strict walker is stuck on any answer other than the expected one."""
        tool, name = used_tool(step), step.name if isinstance(step, step_kinds.CallStep) else None
        result = await self._desk.call(tool, self._memory.resolved(step.arguments))
        if isinstance(step, step_kinds.CallStep):
            self._memory.keep(tool, name, result.output)
        as_expected = result.carried_out and all(_met(step, result.output))
        self._stuck = self._strict and not as_expected


def used_tool(step: step_kinds.CallStep | step_kinds.HandoffStep | step_kinds.EndStep) -> str:
    """Name of the tool a step uses."""
    if isinstance(step, step_kinds.CallStep):
        return step.call
    return step.handoff if isinstance(step, step_kinds.HandoffStep) else step.end


def _met(step: step_kinds.Step, output: Any) -> Iterator[bool]:
    if isinstance(step, step_kinds.CallStep):
        yield bool(output.get("ok", output.get("success", False))) == step.expect.ok
        yield step.expect.error_code in (None, output.get("error_code"))
