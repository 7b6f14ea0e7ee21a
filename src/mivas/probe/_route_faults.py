"""Faults of the route: work at the wrong desk, hops in another order, and a detour that is no fault."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from mivas.pack import Blueprint
from mivas.pack import steps as step_kinds
from mivas.probe._fault import Fault, H, replaced
from mivas.probe._rehearsal import Rehearsal, RehearsedStep
from mivas.probe._walker import used_tool


def wrong_desk(rehearsal: Rehearsal) -> Fault | None:
    """Does all the work where the call came in, without a transfer."""
    hops = rehearsal.pack.scoring.transfer_set
    kept = tuple(done.step for done in rehearsal.steps if done.tool not in hops)
    if len(kept) == len(rehearsal.steps):
        return None
    return Fault(steps=kept, what="no transfer is made", caught_by=(H,), scope="observe")


def shuffled_route(rehearsal: Rehearsal) -> Fault | None:
    """Makes the transfers in another order, and each desk's work as it comes."""
    places = [number for number, done in enumerate(rehearsal.steps) if isinstance(done.step, step_kinds.HandoffStep)]
    made = [rehearsal.steps[number].step for number in places]
    other = next((order for order in (made[::-1], made[1:] + made[:1]) if _tools(order) != _tools(made)), None)
    if other is None:
        return None
    plan = rehearsal.plan()
    for place, step in zip(places, other, strict=True):
        plan[place] = step
    what = " > ".join(_tools(other))
    return Fault(steps=tuple(plan), what=what, caught_by=(H,), scope="observe")


def extra_desk(rehearsal: Rehearsal) -> Fault | None:
    """Takes a legal detour to a desk from which the rest can be done as planned."""
    blueprint = rehearsal.pack.blueprint
    for number, done in enumerate(rehearsal.steps):
        remaining = rehearsal.steps[number:]
        if done.tool is None or not any(step.tool is not None for step in remaining):
            continue
        for detour, node in _ways(blueprint, done.node):
            if _can_do(blueprint, node, remaining):
                hops = [step_kinds.HandoffStep(handoff=tool) for tool in detour]
                what = f"by way of {' > '.join(detour)}"
                return Fault(steps=replaced(rehearsal, number, *hops, done.step), what=what)
    return None


def _tools(steps: Sequence[step_kinds.Step]) -> list[str]:
    return [used_tool(step) for step in steps if isinstance(step, step_kinds.HandoffStep)]


def _ways(blueprint: Blueprint, start: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """(transfers, node) of every node that one transfer or more lead to, by the shortest way; maybe the start too."""
    seen: set[str] = set()
    queue: deque[tuple[tuple[str, ...], str]] = deque([((), start)])
    while queue:
        way, node = queue.popleft()
        for tool in blueprint.by_id[node].tools:
            if tool.handoff_to is not None and tool.handoff_to not in seen:
                seen.add(tool.handoff_to)
                queue.append(((*way, tool.name), tool.handoff_to))
                yield queue[-1]


def _can_do(blueprint: Blueprint, node: str, remaining: Sequence[RehearsedStep]) -> bool:
    """Whether the steps up to the next transfer, and that transfer, can be made from another node."""
    for done in remaining:
        if done.tool is None:
            continue
        there, here = blueprint.by_id[node].tool(done.tool), blueprint.by_id[done.node].tool(done.tool)
        if there is None or here is None or there.handoff_to != here.handoff_to:
            return False
        if there.handoff_to is not None:
            return True
    return True
