"""What a black-box agent reports of a call, as events (runtime.md 8.8). Pure.

The state service saw the industry calls itself; only transfers and `end_call` are taken from a report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mivas.line import CallKind, Event, Handoff, Note, ToolFinished, ToolStarted
from mivas.pack import END_CALL, Blueprint, NodeTool

if TYPE_CHECKING:
    from mivas.state import LoggedCall, ReportedCall

NO_HANDOFF_EVIDENCE = "no_handoff_evidence"
"""Note of a call in which nobody reported a transfer, and whose agent never said that it reports them."""
UNCONFIRMED = "unconfirmed_report"
MOST_NOTES = 20


def reported_events(
    reported: Sequence[ReportedCall], logged: Sequence[LoggedCall], blueprint: Blueprint, accepted_ms: int
) -> list[Event]:
    """Events of a call that only its report tells of, in the order of their offsets.

    Args:
        logged: the service's own record; a reported industry call that it lacks is noted and not scored.
        accepted_ms: when the agent picked up, which is what its offsets count from.
    """
    seen = Counter(call.tool for call in logged)
    events: list[Event] = []
    notes: list[Event] = []
    node = blueprint.entry
    for number, call in enumerate(sorted(reported, key=lambda one: one.start_offset_ms), start=1):
        t_ms = accepted_ms + int(call.start_offset_ms)
        owned = node.tool(call.name)
        tool = owned or _anywhere(blueprint, call.name)
        if tool is None or tool.kind in ("industry", "human"):
            seen[call.name] -= 1
            if seen[call.name] < 0:
                notes.append(_unconfirmed(call.name, t_ms))
            continue
        # Not ASCII: no agent can have posted an industry call under this reference.
        use = _Use(f"report №{number}", call, tool, node.id, t_ms)
        events += use.events(in_scope=owned is not None)
        if use.went_well and tool.handoff_to is not None:
            node = blueprint.by_id[tool.handoff_to]
    return [*events, *notes[:MOST_NOTES]]


class _Use:
    """One reported transfer or `end_call`."""

    def __init__(self, reference: str, call: ReportedCall, tool: NodeTool, node: str, t_ms: int) -> None:
        self._reference, self._call, self._tool, self._node, self._t_ms = reference, call, tool, node, t_ms
        self._output = _output(call.output)

    @property
    def went_well(self) -> bool:
        return bool(self._output.get("ok", self._output["success"]))

    def events(self, *, in_scope: bool) -> Iterator[Event]:
        name, t_ms, node, reference = self._call.name, self._t_ms, self._node, self._reference
        kind: CallKind = "session" if name == END_CALL else "handoff"
        yield ToolStarted(
            t_ms=t_ms, node=node, call_ref=reference, kind=kind, name=name, arguments=self._call.parameters
        )
        yield ToolFinished(
            t_ms=t_ms, node=node, call_ref=reference, name=name, output=self._output, latency_ms=0, in_scope=in_scope
        )
        if self.went_well and self._tool.handoff_to is not None:
            yield Handoff(t_ms=t_ms, node=node, from_=node, to=self._tool.handoff_to, call_ref=reference)


def _output(reported: Any) -> Mapping[str, Any]:
    """A report's output as an envelope: what says nothing of success is one."""
    if isinstance(reported, dict):
        return {"success": True, **reported}
    return {"success": reported is not False, "output": reported}


def _anywhere(blueprint: Blueprint, name: str) -> NodeTool | None:
    return next((tool for node in blueprint.nodes if (tool := node.tool(name)) is not None), None)


def _unconfirmed(name: str, t_ms: int) -> Note:
    text = f"{name[:100]} was reported, and the state service has no such call: not scored"
    return Note(t_ms=t_ms, code=UNCONFIRMED, text=text)


def posted_events(
    *,
    name: str,
    arguments: Mapping[str, Any],
    node: str | None,
    key: str,
    output: Mapping[str, Any],
    blueprint: Blueprint,
    t_ms: int,
) -> list[Event]:
    """A tool call as it came in from outside, while the call goes on.

    Args:
        node: who the agent says is acting. In scope is a tool of that node's, or of any where it doesn't say.
    """
    acting = blueprint.by_id.get(node or "")
    tool = _anywhere(blueprint, name)
    owned = tool if acting is None else acting.tool(name)
    acting_id = None if acting is None else acting.id
    kind: CallKind = "session" if tool is not None and tool.kind == "human" else "industry"
    return [
        ToolStarted(t_ms=t_ms, node=acting_id, call_ref=key, kind=kind, name=name, arguments=arguments),
        ToolFinished(
            t_ms=t_ms, node=acting_id, call_ref=key, name=name, output=output, latency_ms=0, in_scope=owned is not None
        ),
    ]
