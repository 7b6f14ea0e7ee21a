"""One fault in a correct plan: the changed steps, and the gates that should notice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from mivas.pack import steps as step_kinds
from mivas.probe._memory import ANSWER, OUT
from mivas.probe._rehearsal import Rehearsal

Gate: TypeAlias = Literal["T", "H", "D"]
Scope: TypeAlias = Literal["enforce", "observe"]

T, H, D = frozenset({"T"}), frozenset({"H"}), frozenset({"D"})
EITHER = frozenset({"T", "D"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A plan with one fault."""

    steps: tuple[step_kinds.Step, ...]
    what: str
    """The fault in a few words, with the tool it concerns."""
    caught_by: tuple[frozenset[str], ...] = field(default=())
    """Each set needs one of its gates to fail. Empty: the call should pass, its extra hops noted."""
    scope: Scope = "enforce"
    """Ruling on foreign tools under which the fault can be carried out at all."""


def replaced(rehearsal: Rehearsal, number: int, *steps: step_kinds.Step) -> tuple[step_kinds.Step, ...]:
    """The plan with one step replaced by none, one or several."""
    plan = rehearsal.plan()
    return (*plan[:number], *steps, *plan[number + 1 :])


def without_call(rehearsal: Rehearsal, number: int) -> tuple[step_kinds.Step, ...]:
    """The plan without a call, later arguments as if its answer had come: whoever leaves a call out makes it up."""
    kept = rehearsal.steps
    later = (remembering(rehearsed.step, rehearsed.arguments) for rehearsed in kept[number + 1 :])
    return (*(rehearsed.step for rehearsed in kept[:number]), *later)


def remembering(step: step_kinds.Step, sent: Mapping[str, Any]) -> step_kinds.Step:
    """A step whose arguments need no earlier answer; facts are still the caller's."""
    if isinstance(step, step_kinds.SayStep | step_kinds.HearStep):
        return step
    return step.model_copy(update={"arguments": _remembered(step.arguments, sent)})


def _remembered(template: Any, sent: Any) -> Any:
    if isinstance(template, dict):
        if set(template) in ({OUT}, {ANSWER}):
            return sent
        if isinstance(sent, Mapping):
            return {key: _remembered(item, sent.get(key)) for key, item in template.items()}
    if isinstance(template, list) and isinstance(sent, Sequence) and len(sent) == len(template):
        return [_remembered(item, value) for item, value in zip(template, sent, strict=True)]
    return template


def with_argument(step: step_kinds.Step, key: str, value: Any) -> step_kinds.Step:
    """A tool step that sends another value for one argument."""
    if isinstance(step, step_kinds.SayStep | step_kinds.HearStep):
        raise TypeError("a step that uses no tool has no argument")
    return step.model_copy(update={"arguments": {**step.arguments, key: value}})


def extra_call(tool: str, arguments: Mapping[str, Any]) -> step_kinds.CallStep:
    """A call that the plan doesn't have; any answer will do."""
    return step_kinds.CallStep(call=tool, arguments=dict(arguments), expect=step_kinds.Expectation(ok=True))
