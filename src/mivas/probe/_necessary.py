"""Is each fact of a case needed: what happens when the caller doesn't know it?

Source: formats.md 2 (information flow). A caller is rebuilt without one fact and without the words that give it away;
the agent still knows the whole solution and every spelling.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from mivas.pack import CallerFile, HeardFile, Task
from mivas.pack import steps as step_kinds
from mivas.probe._memory import FACT
from mivas.probe._walker import used_tool, versions_of

_NEVER: dict[str, Any] = {"any": []}
"""A condition that nothing heard meets."""


def needed_facts(task: Task) -> tuple[str, ...]:
    """Facts that the solution waits for or sends before the last thing that the lock asks for, in order, once each."""
    steps = task.solution.steps if task.solution is not None else ()
    wanted = {call.name for call in task.expected_calls} | set(task.expected_path)
    last = max((number for number, step in enumerate(steps) if _tool(step) in wanted), default=-1)
    return tuple(dict.fromkeys(fact for step in steps[: last + 1] for fact in _facts(step)))


def without_fact(task: Task, fact: str) -> Task:
    """The same case with a caller who doesn't know that fact, and doesn't say its words in passing."""
    if task.caller is None:
        return task
    words = [spelling for version in versions_of(task) if version.fact == fact for spelling in version.spellings]
    program = task.caller.model_dump(mode="json", exclude_none=True)
    program["facts"] = [one for one in program["facts"] if one["id"] != fact]
    program["changes"] = [one for one in program["changes"] if one["fact"] != fact]
    if task.caller.opening is not None:
        program["opening"] = _silenced(task.caller.opening, words) or "Hello."
    else:
        program["opening"] = None
    for goal in program["goals"]:
        goal["ask"] = [_silenced(text, words) or "Can you help me with that?" for text in goal["ask"]]
        goal["again"] = _silenced(goal["again"], words) or "Can you help me with that?"
    program["exit"]["say"] = _silenced(program["exit"]["say"], words) or "Goodbye."
    pins = [
        pin.model_copy(update={"response_value": _silenced(pin.response_value, words) or "I couldn't say."})
        for pin in task.file.scripted_responses
    ]
    return replace(
        task,
        file=task.file.model_copy(update={"scripted_responses": tuple(pins)}),
        caller=CallerFile.model_validate(_unheard(program, fact)),
    )


def _facts(step: step_kinds.Step) -> Iterator[str]:
    if isinstance(step, step_kinds.HearStep):
        yield step.hear
    elif not isinstance(step, step_kinds.SayStep):
        yield from _named(step.arguments)


def _named(template: Any) -> Iterator[str]:
    if isinstance(template, dict):
        if set(template) == {FACT}:
            yield template[FACT]
        else:
            for item in template.values():
                yield from _named(item)
    elif isinstance(template, list):
        for item in template:
            yield from _named(item)


def _tool(step: step_kinds.Step) -> str | None:
    return None if isinstance(step, step_kinds.SayStep | step_kinds.HearStep) else used_tool(step)


def _silenced(text: str, words: Sequence[str]) -> str:
    """Text without those words, "" when no other word is left."""
    for spelling in words:
        pattern = r"\s+".join(re.escape(part) for part in spelling.split())
        text = re.sub(pattern, " ", text, flags=re.IGNORECASE)
    return " ".join(text.split()) if re.search(r"\w", text) else ""


def _unheard(value: Any, fact: str) -> Any:
    """The same object, where a condition on that fact is one that nothing meets."""
    if isinstance(value, dict):
        if value.get("value") == fact and set(value) <= set(HeardFile.model_fields):
            return _NEVER
        return {key: _unheard(item, fact) for key, item in value.items()}
    return [_unheard(item, fact) for item in value] if isinstance(value, list) else value
