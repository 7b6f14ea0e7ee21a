"""Is a solution a walk a correct agent could take, knowing only what it was told? Source: formats.md 2."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from mivas.pack._blueprint import Node
from mivas.pack._files import CallerFile, CallStep, EndStep, HandoffStep, HearStep, SolutionFile, Step
from mivas.pack._finding import Finding
from mivas.pack._pack import Pack
from mivas.pack._schema_check import argument_faults

FACT, OUT, LITERAL = "$fact", "$out", "literal"


@dataclass(kw_only=True)
class _Walk:
    """A solution on its way: what the caller knows, and what the agent knows so far."""

    pack: Pack
    facts: Mapping[str, frozenset[str]]
    """Values of each of the caller's facts, those after a change of mind included."""
    node: Node
    heard: set[str] = field(default_factory=set)
    named: set[str] = field(default_factory=set)
    ended: bool = False


def solution_findings(pack: Pack, task_id: str, solution: SolutionFile, caller: CallerFile | None) -> Iterator[Finding]:
    """Walk the solution and tell every step that isn't legal, and every argument of unproven origin."""
    if not solution.steps:
        yield Finding(where=f"{task_id}/solution.json steps", what="are none", mend="write how a correct agent does it")
    walk = _Walk(pack=pack, facts=_fact_values(caller), node=pack.blueprint.entry)
    for number, step in enumerate(solution.steps):
        where = f"{task_id}/solution.json steps.{number}"
        if walk.ended:
            yield Finding(where=where, what="comes after the end of the call", mend="end last")
            return
        yield from _step(walk, step, where)


def _fact_values(caller: CallerFile | None) -> dict[str, frozenset[str]]:
    if caller is None:
        return {}
    said = [(fact.id, fact.value) for fact in caller.facts]
    said += [(change.fact, change.to) for change in caller.changes]
    return {fact.id: frozenset(value for name, value in said if name == fact.id) for fact in caller.facts}


def _step(walk: _Walk, step: Step, where: str) -> Iterator[Finding]:
    match step:
        case HearStep(hear=fact):
            yield from _known_fact(walk, fact, where)
            walk.heard.add(fact)
        case CallStep(call=name):
            yield from _owned(walk.node, name, {"industry"}, where)
            yield from _origin_findings(walk, name, step.arguments, where)
            if step.expect.ok:
                yield from _unfit_literals(walk, name, step.arguments, where)
            yield from _name_output(walk, step.name, where)
        case HandoffStep(handoff=name):
            yield from _owned(walk.node, name, {"handoff"}, where)
            yield from _origin_findings(walk, name, step.arguments, where)
            yield from _unfit_literals(walk, name, step.arguments, where)
            tool = walk.node.tool(name)
            if tool is not None and tool.handoff_to is not None:
                walk.node = walk.pack.blueprint.by_id[tool.handoff_to]
        case EndStep(end=name):
            yield from _owned(walk.node, name, {"end_call", "human"}, where)
            yield from _origin_findings(walk, name, step.arguments, where)
            yield from _unfit_literals(walk, name, step.arguments, where)
            walk.ended = True


def _owned(node: Node, name: str, kinds: Set[str], where: str) -> Iterator[Finding]:
    tool = node.tool(name)
    if tool is None:
        yield Finding(where=where, what=f"{node.id} doesn't own {name}", mend="hand off to its owner first")
    elif tool.kind not in kinds:
        yield Finding(
            where=where, what=f"{name} is a tool of kind {tool.kind}", mend="use the step for it: call, handoff or end"
        )


def _known_fact(walk: _Walk, fact: str, where: str) -> Iterator[Finding]:
    if fact not in walk.facts:
        yield Finding(where=where, what=f"caller.json has no fact {fact}", mend="add the fact or correct its id")


def _name_output(walk: _Walk, name: str | None, where: str) -> Iterator[Finding]:
    if name is None:
        return
    if name in walk.named:
        yield Finding(where=where, what=f"output name {name} stands twice", mend="choose another name")
    walk.named.add(name)


def _origin_findings(walk: _Walk, name: str, arguments: Mapping[str, Any], where: str) -> Iterator[Finding]:
    for key, value in arguments.items():
        spot = f"{where} {name}.{key}"
        for kind, found in _origins(value):
            if kind == FACT:
                yield from _known_fact(walk, found, spot)
                if found in walk.facts and found not in walk.heard:
                    yield Finding(where=spot, what=f"sends fact {found} before it was heard", mend="add a hear step")
            elif kind == OUT:
                if found.partition(".")[0] not in walk.named:
                    yield Finding(where=spot, what=f"no earlier call is named as in {found!r}", mend="name it with as")
            else:
                for fact, values in walk.facts.items():
                    if found in values:
                        mend = json.dumps({FACT: fact})
                        yield Finding(where=spot, what=f"repeats the caller's fact {fact}", mend=f"write {mend}")


def _unfit_literals(walk: _Walk, name: str, arguments: Mapping[str, Any], where: str) -> Iterator[Finding]:
    if name not in walk.pack.tools:
        return
    literals = {key: value for key, value in arguments.items() if {kind for kind, _ in _origins(value)} <= {LITERAL}}
    for fault in argument_faults(literals, walk.pack.tool_schemas[name]):
        yield Finding(where=f"{where} {name}", what=fault, mend="send what tools.json allows")


def _origins(value: Any) -> Iterator[tuple[str, str]]:
    """(`$fact`, id), (`$out`, path) or (`literal`, text) of every leaf; a truth value has no origin worth naming."""
    if isinstance(value, dict):
        if len(value) == 1 and next(iter(value)) in (FACT, OUT):
            ((kind, found),) = value.items()
            yield kind, str(found)
        else:
            for item in value.values():
                yield from _origins(item)
    elif isinstance(value, list):
        for item in value:
            yield from _origins(item)
    elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
        yield LITERAL, str(value)
