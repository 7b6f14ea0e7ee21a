"""Information flow, read off a call's event log: nothing is sent that the caller hadn't said.

Source: formats.md 2 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mivas.line import CallEnded, Event, Speech, ToolStarted
from mivas.pack import Task
from mivas.pack import steps as step_kinds
from mivas.probe._memory import facts_in
from mivas.probe._walker import Version, plain_words, used_tool, versions_of


def flow_faults(task: Task, events: Sequence[Event]) -> list[str]:
    """One sentence for each `$fact` argument that was sent without the caller having said that value before.

    Also when the calls aren't those of the solution: then nothing is proven. [] for a task without a solution.
    """
    if task.solution is None:
        return []
    sent = list(_sent(task, events))
    if sent is None or any(tool is None for tool, _, _, _ in sent):
        return ["the calls made are not the solution's, in its order"]
    versions = versions_of(task)
    return [
        f"{tool} sends {fact} as {value!r}, which the caller hadn't said"
        for tool, fact, value, said in sent
        if not _was_said(versions, str(fact), value, said)
    ]


def sent_facts(task: Task, events: Sequence[Event]) -> set[str]:
    """Facts of the solution that were sent as an argument in this call."""
    return {str(fact) for tool, fact, _, _ in _sent(task, events) if tool is not None}


def ended_by(events: Sequence[Event]) -> str:
    """Who ended the call: agent, caller, limit, harness or provider; "nobody" for a log that breaks off."""
    return next((event.by for event in reversed(events) if isinstance(event, CallEnded)), "nobody")


def _sent(task: Task, events: Sequence[Event]) -> Iterator[tuple[str | None, str | None, object, str]]:
    """(tool, fact, value sent, all the caller had said by then); tool None where the call isn't the solution's next."""
    steps = iter(
        step
        for step in (task.solution.steps if task.solution else ())
        if not isinstance(step, step_kinds.SayStep | step_kinds.HearStep)
    )
    said = ""
    for event in events:
        if isinstance(event, Speech) and event.role == "caller":
            said += f" {plain_words(event.text)}"
        elif isinstance(event, ToolStarted):
            step = next(steps, None)
            if step is None or used_tool(step) != event.name:
                yield None, None, None, said
                return
            for fact, value in facts_in(step.arguments, event.arguments):
                yield event.name, fact, value, said


def _was_said(versions: Sequence[Version], fact: str, value: object, said: str) -> bool:
    return any(
        version.fact == fact and version.value == value and any(spelling in said for spelling in version.spellings)
        for version in versions
    )
