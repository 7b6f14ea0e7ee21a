"""A walk through the graph for a task without a solution.

Every node first does all the work of the lock that it owns, in the lock's order. Then the call moves on: by the next
hop of the expected path, or, for work that lies off the path, by the fewest transfers to a node that owns it.
Source: design.md 4 (Offline agents).
"""

from __future__ import annotations

from collections.abc import Sequence

from mivas.pack import Blueprint, ExpectedCall, Task
from mivas.pack import steps as step_kinds
from mivas.probe._completion import literal_calls

MOST_LEGS = 64
"""Bound on hops in one walk: a lock that the graph can't serve must not walk in circles for ever."""
_FINISHED = "All done."


def planned_steps(
    blueprint: Blueprint, task: Task, calls: Sequence[ExpectedCall] | None = None
) -> list[step_kinds.Step]:
    """Steps that fire every expected call and hop on legal transfers, as far as the graph allows.

    Args:
        calls: the lock's calls when they were completed; None takes them as they stand.
    """
    return _Planner(blueprint, task.expected_path, literal_calls(task) if calls is None else calls).plan()


class _Planner:
    def __init__(self, blueprint: Blueprint, path: Sequence[str], calls: Sequence[ExpectedCall]) -> None:
        self._blueprint = blueprint
        self._node = blueprint.entry
        kinds = {tool.name: tool.kind for node in blueprint.nodes for tool in node.tools}
        self._transfers = [call for call in calls if kinds.get(call.name) == "handoff"]
        self._work = [call for call in calls if kinds.get(call.name) == "industry"]
        endings = (call for call in calls if kinds.get(call.name) in ("human", "end_call"))
        self._ending = next(endings, None)
        self._path = [hop for hop in path if kinds.get(hop) == "handoff"]
        self._steps: list[step_kinds.Step] = []

    def plan(self) -> list[step_kinds.Step]:
        for _ in range(MOST_LEGS):
            self._fire_owned()
            if self._path and self._take(self._path[0]):
                self._path.pop(0)
            elif not self._detour():
                break
        # A session tool ends the call, so one is made, and only when no work and no hop is left.
        if self._ending is not None and self._node.tool(self._ending.name) is not None:
            self._steps.append(step_kinds.EndStep(end=self._ending.name, arguments=dict(self._ending.arguments)))
        else:
            self._steps.append(step_kinds.SayStep(say=_FINISHED))
        return self._steps

    def _fire_owned(self) -> None:
        for call in [call for call in self._work if self._node.tool(call.name) is not None]:
            self._work.remove(call)
            expect = step_kinds.Expectation(ok=True)
            self._steps.append(step_kinds.CallStep(call=call.name, arguments=dict(call.arguments), expect=expect))

    def _take(self, name: str) -> bool:
        """Take one hop from the active node; False when the node can't."""
        tool = self._node.tool(name)
        if tool is None or tool.handoff_to is None:
            return False
        listed = next((call for call in self._transfers if call.name == name), None)
        if listed is not None:
            self._transfers.remove(listed)
        arguments = dict(listed.arguments) if listed else {}
        self._steps.append(step_kinds.HandoffStep(handoff=name, arguments=arguments))
        self._node = self._blueprint.by_id[tool.handoff_to]
        return True

    def _detour(self) -> bool:
        """Go where the first remaining call, else the next hop or ending, can be made; False when nothing is left."""
        wanted = [call.name for call in self._work] + self._path[:1]
        if self._ending is not None and self._node.tool(self._ending.name) is None:
            wanted.append(self._ending.name)
        for name in wanted:
            route = self._route_to_owner(name)
            if route:
                for hop in route:
                    self._take(hop)
                return True
        return False

    def _route_to_owner(self, name: str) -> Sequence[str]:
        owners = [node for node in self._blueprint.nodes if node.tool(name) is not None]
        routes = [route for node in owners if (route := self._blueprint.route(self._node.id, node.id))]
        return min(routes, key=len, default=())
