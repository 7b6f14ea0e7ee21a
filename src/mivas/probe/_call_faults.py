"""Faults of a single call: left out, made up, with a wrong, near or blank argument, or made unasked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mivas.pack import steps as step_kinds
from mivas.probe._fault import EITHER, D, Fault, T, extra_call, replaced, with_argument, without_call
from mivas.probe._other_values import other_value
from mivas.probe._rehearsal import Rehearsal, RehearsedStep
from mivas.probe._schema_values import first_arguments
from mivas.verify import is_prose


def memory(rehearsal: Rehearsal) -> Fault | None:
    """Skips an expected read, and goes on as if it knew the answer."""
    for number, done in _expected_calls(rehearsal):
        if not done.wrote:
            return Fault(steps=without_call(rehearsal, number), what=f"{done.tool} isn't called", caught_by=(T,))
    return None


def lost_write(rehearsal: Rehearsal) -> Fault | None:
    """Claims an expected write and doesn't make it."""
    writes = [(number, done) for number, done in _expected_calls(rehearsal) if done.wrote]
    compared = [(number, done) for number, done in writes if done.changed]
    for number, done in compared or writes:
        what = f"{done.tool} is claimed, not made"
        return Fault(steps=without_call(rehearsal, number), what=what, caught_by=(T, D) if done.changed else (T,))
    return None


def wrong_argument(rehearsal: Rehearsal) -> Fault | None:
    """Sends another valid value for a fact that the lock asks for."""
    fault = _other_argument(rehearsal, lambda done, key: not _is_name(rehearsal, done, key), (T,))
    return fault or _other_argument(rehearsal, lambda _done, _key: True, (T,))


def near_name(rehearsal: Rehearsal) -> Fault | None:
    """Sends a plausible other value for a name, or for what proves who is calling."""
    return _other_argument(rehearsal, lambda done, key: _is_name(rehearsal, done, key), (EITHER,))


def blank_note(rehearsal: Rehearsal) -> Fault | None:
    """Sends a note blank beside another argument."""
    scoring = rehearsal.pack.scoring
    for number, done in _expected_calls(rehearsal):
        properties = rehearsal.pack.tool_schemas[done.tool or ""].get("properties", {})
        for key in done.met.arguments if done.met else ():
            constrained = key not in scoring.skip_keys | scoring.presence_keys
            if constrained and is_prose(key, properties.get(key), scoring) and _others(done, key):
                return Fault(
                    steps=replaced(rehearsal, number, with_argument(done.step, key, "")),
                    what=f"{done.tool}.{key} is blank",
                    caught_by=(T,),
                )
    return None


def unasked_text(rehearsal: Rehearsal) -> Fault | None:
    """Makes a call that the pack forbids and the case doesn't list, at the first desk that can."""
    pack = rehearsal.pack
    listed = {call.name for call in rehearsal.task.expected_calls}
    for tool in pack.scoring.forbidden_unless_expected:
        if tool in listed or tool not in pack.tool_schemas:
            continue
        for number, done in enumerate(rehearsal.steps):
            if pack.blueprint.by_id[done.node].tool(tool) is not None:
                call = extra_call(tool, first_arguments(pack.tool_schemas[tool]))
                return Fault(steps=replaced(rehearsal, number, call, done.step), what=f"{tool} unasked", caught_by=(T,))
    return None


def _expected_calls(rehearsal: Rehearsal) -> Iterator[tuple[int, RehearsedStep]]:
    """Industry calls that meet an entry of the lock, the last first: what comes before a fault stays right."""
    for number in reversed(range(len(rehearsal.steps))):
        done = rehearsal.steps[number]
        if done.met is not None and isinstance(done.step, step_kinds.CallStep):
            yield number, done


def _other_argument(
    rehearsal: Rehearsal, wanted: Callable[[RehearsedStep, str], bool], caught_by: tuple[frozenset[str], ...]
) -> Fault | None:
    scoring = rehearsal.pack.scoring
    for number in reversed(range(len(rehearsal.steps))):
        done = rehearsal.steps[number]
        if done.met is None or done.tool is None or done.tool not in rehearsal.pack.tool_schemas:
            continue
        properties = rehearsal.pack.tool_schemas[done.tool].get("properties", {})
        for key in done.met.arguments:
            free = key in scoring.skip_keys | scoring.presence_keys or is_prose(key, properties.get(key), scoring)
            if free or key not in done.arguments or not wanted(done, key):
                continue
            other = other_value(rehearsal.pack, done.met, done.arguments, key)
            if other is not None:
                return Fault(
                    steps=replaced(rehearsal, number, with_argument(done.step, key, other)),
                    what=f"{done.tool}.{key} is {other!r}",
                    caught_by=caught_by,
                )
    return None


def _is_name(rehearsal: Rehearsal, done: RehearsedStep, key: str) -> bool:
    """Whether an argument names somebody: compared as a name, or a text that proves who is calling."""
    scoring = rehearsal.pack.scoring
    fuzzy = any(rule.kind == "fuzzy_name" for rule in scoring.rules_for(key, done.tool))
    return fuzzy or (done.tool in scoring.identity_tools and isinstance(done.arguments.get(key), str))


def _others(done: RehearsedStep, key: str) -> bool:
    return any(value not in (None, "", [], {}) for name, value in done.arguments.items() if name != key)
