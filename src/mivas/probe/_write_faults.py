"""Faults of the database: a write made twice, and one that nobody asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mivas.pack import Pack
from mivas.pack import steps as step_kinds
from mivas.probe._fault import D, Fault, extra_call, replaced
from mivas.probe._rehearsal import Rehearsal, RehearsedStep, differences, rehearse
from mivas.probe._schema_values import first_value
from mivas.probe._stage import Stage

_COUNTED_RULES = ("exact", "constrained_count")
"""Table rules under which a second row is one too many (scoring.md 3.7.3)."""


def double_write(rehearsal: Rehearsal, stage: Stage) -> Fault | None:
    """Makes a call again whose repetition inserts once more into a table whose rows are counted."""
    counted = {name for name, rule in rehearsal.pack.scoring.tables.items() if rule.rule in _COUNTED_RULES}
    for number in reversed(range(len(rehearsal.steps))):
        done = rehearsal.steps[number]
        if not (done.gained & counted and isinstance(done.step, step_kinds.CallStep)):
            continue
        twice = replaced(rehearsal, number, done.step, done.step.model_copy(update={"name": None}))
        again = rehearse(rehearsal.pack, rehearsal.task, twice[: number + 2], stage).steps[-1]
        if again.gained & counted:
            return Fault(steps=twice, what=f"{done.tool} is called twice", caught_by=(D,))
    return None


def leaky_write(rehearsal: Rehearsal, stage: Stage) -> Fault | None:
    """Makes one more call that inserts into a compared table which the case leaves alone.

    Tables whose surplus rows are free by rule don't count: covered ones, and a subset that expects a row.
    """
    pack, task = rehearsal.pack, rehearsal.task
    expected = task.file.exp_db_state or {}
    alone = {
        name
        for name, rule in pack.scoring.tables.items()
        if name not in rehearsal.changed
        and (rule.rule in _COUNTED_RULES or (rule.rule == "subset_or_empty" and not expected.get(name)))
    }
    for number, call in _leaks(rehearsal, alone, stage):
        plan = rehearsal.plan()
        steps = (*plan[:number], call, *plan[number:])
        leaked = rehearse(pack, task, steps, stage)
        if leaked.gained & alone:
            return Fault(steps=steps, what=f"{call.call} leaks a row", caught_by=(D,))
    return None


def _leaks(rehearsal: Rehearsal, alone: set[str], stage: Stage) -> Iterator[tuple[int, step_kinds.CallStep]]:
    """(position, call) pairs that inserted into one of those tables when tried at the end of a desk's work."""
    pack = rehearsal.pack
    call_id = stage.new_call()
    known: dict[str, Any] = {}
    for number, done in enumerate(rehearsal.steps):
        if done.tool in pack.posted_tools:
            if _is_last_work(rehearsal, number):
                yield from _tried(pack, done, known, alone, call_id, stage, number)
            stage.post(call_id, done.tool or "", done.arguments)
            _learn(known, done.arguments)
            _learn(known, done.output)
    stage.release(call_id)


def _tried(
    pack: Pack,
    done: RehearsedStep,
    known: Mapping[str, Any],
    alone: set[str],
    call_id: str,
    stage: Stage,
    number: int,
) -> Iterator[tuple[int, step_kinds.CallStep]]:
    for entry in pack.blueprint.by_id[done.node].tools:
        if entry.kind != "industry":
            continue
        schema = pack.tool_schemas[entry.name]
        arguments = _plausible(schema, known)
        before = stage.state(call_id)
        stage.post(call_id, entry.name, arguments)
        _, gained = differences(pack, before, stage.state(call_id))
        if gained & alone:
            yield number, extra_call(entry.name, arguments)


def _is_last_work(rehearsal: Rehearsal, number: int) -> bool:
    """Whether no later step posts a tool from the same desk."""
    node, posted = rehearsal.steps[number].node, rehearsal.pack.posted_tools
    return not any(step.node == node and step.tool in posted for step in rehearsal.steps[number + 1 :])


def _plausible(schema: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments a careless agent would send: what it has seen under that name, else the first the schema allows."""
    return {key: known.get(key, first_value(declared)) for key, declared in schema.get("properties", {}).items()}


def _learn(known: dict[str, Any], value: Any) -> None:
    """Keep scalar members of an object at any depth, the first of each name."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(item, (str, int, float)):
                known.setdefault(key, item)
            _learn(known, item)
    elif isinstance(value, list):
        for item in value:
            _learn(known, item)
