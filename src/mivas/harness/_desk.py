"""What an agent sees of a call: its node, its tools, and one verb to use them.

Dispatch follows runtime.md 6: industry tools are posted, handoffs move the active node, `end_call` hangs up,
a human transfer is posted and then hangs up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from mivas.harness._graph import GraphRuntime
from mivas.line import CallKind, EventLog, Handoff, Note, Problem, ToolFinished, ToolStarted, Usage, now_ms
from mivas.pack import Blueprint, CatalogueTool, Envelope, Node, NodeTool, Pack, ToolKind


class Tools(Protocol):
    """The way to a call's state service."""

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Mapping[str, Any]:
        """Post one industry call and return the JSON answer, whatever its HTTP status.

        `call_ref` is the idempotency key. Raises ToolsUnreachable when no answer came; cancellation may leave the
        tool carried out.
        """


class ToolsUnreachable(Exception):
    """The state service gave no answer. The agent is told so and the call goes on (runtime.md 6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool call came to."""

    output: Mapping[str, Any]
    """JSON object to hand to the model unchanged."""
    carried_out: bool
    """False when the runtime refused the call: nothing happened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HangUp:
    """Why the agent's side ends the call."""

    reason: str


class Desk:
    """One call as its agent sees it."""

    def __init__(self, pack: Pack, graph: GraphRuntime, tools: Tools, log: EventLog) -> None:
        self._pack = pack
        self._graph = graph
        self._tools = tools
        self._log = log
        self._count = 0
        self._answered: dict[str, tuple[str, ToolResult]] = {}
        """Tool name and result by call reference, so that a call sent twice happens once."""
        self.hang_up: HangUp | None = None
        """Set once a session tool fired: the agent's current words are the last. Later session calls change nothing."""

    @property
    def node(self) -> Node:
        return self._graph.node

    @property
    def blueprint(self) -> Blueprint:
        """The whole declared graph, for harnesses that build every agent beforehand."""
        return self._pack.blueprint

    @property
    def greeting(self) -> str | None:
        """The line the runtime has spoken already, or None: the agent opens the call itself."""
        return self._pack.blueprint.greeting

    @property
    def tool_schemas(self) -> Mapping[str, Mapping[str, Any]]:
        """inputSchema of the active node's tools, by name, in advertised order."""
        return {tool.name: self._pack.tool_schemas[tool.name] for tool in self.node.tools}

    @property
    def tools(self) -> tuple[CatalogueTool, ...]:
        """The active node's tools with the description a model reads, in advertised order."""
        return tuple(self._pack.tools[tool.name] for tool in self.node.tools)

    @property
    def catalogue(self) -> Mapping[str, CatalogueTool]:
        """Every tool of the graph by name, for harnesses that build every agent beforehand."""
        return self._pack.tools

    @property
    def now(self) -> datetime | None:
        """The pinned local "now" of the pack's world, which every node's prompt states too; None: it has none."""
        return self._pack.clock

    @property
    def envelope(self) -> Envelope:
        """Names of the fields every tool answer carries."""
        return self._pack.envelope

    def companion(self, file_name: str) -> Path:
        """Where the pack would keep a file for one kind of agent, beside its blueprint. It needn't exist."""
        return self._pack.folder / file_name

    def report_usage(
        self,
        *,
        input_text_tokens: int | None = None,
        input_audio_tokens: int | None = None,
        cached_text_tokens: int | None = None,
        cached_audio_tokens: int | None = None,
        output_text_tokens: int | None = None,
        output_audio_tokens: int | None = None,
    ) -> None:
        """Log what a provider counted for one request of the active node. None: not reported."""
        self._log.add(
            Usage(
                t_ms=now_ms(),
                node=self.node.id,
                input_text_tokens=input_text_tokens,
                input_audio_tokens=input_audio_tokens,
                cached_text_tokens=cached_text_tokens,
                cached_audio_tokens=cached_audio_tokens,
                output_text_tokens=output_text_tokens,
                output_audio_tokens=output_audio_tokens,
            )
        )

    def note(self, code: str, text: str) -> None:
        """Log something worth keeping about the agent's side that no other event says."""
        self._log.add(Note(t_ms=now_ms(), node=self.node.id, code=code, text=text))

    async def call(self, name: str, arguments: Mapping[str, Any], *, call_ref: str | None = None) -> ToolResult:
        """Use a tool from the active node.

        Args:
            arguments: JSON object, passed on unchecked.
            call_ref: the provider's tool-call id; by default a running number. A repeat gets the first result and
                leaves no second trace; another tool under a used id is an error result (runtime.md 3.6).
        Doesn't raise for anything the model did: an unknown or foreign tool is an error result.
        """
        self._count += 1
        reference = call_ref or f"call-{self._count}"
        if reference in self._answered:
            return self._repeated(name, reference)
        result = await self._use(name, arguments, reference)
        self._answered[reference] = (name, result)
        return result

    def _repeated(self, name: str, reference: str) -> ToolResult:
        earlier, result = self._answered[reference]
        if earlier == name:
            return result
        text = f"tool-call id {reference!r} was used for {earlier} already"
        self._log.add(Note(t_ms=now_ms(), node=self.node.id, code="call_ref_reused", text=f"{name}: {text}"))
        return ToolResult(output={"success": False, "error": text}, carried_out=False)

    async def _use(self, name: str, arguments: Mapping[str, Any], reference: str) -> ToolResult:
        node = self.node
        ruling = self._graph.rule(name)
        refusal = ruling.refusal
        if self.hang_up is not None and ruling.kind in _SESSION_KINDS:
            refusal = "the call is ending already"
        started_ms = now_ms()
        self._log.add(
            ToolStarted(
                t_ms=started_ms,
                node=node.id,
                call_ref=reference,
                kind=_logged_kind(ruling.kind),
                name=name,
                arguments=arguments,
            )
        )
        tool = ruling.tool if refusal is None else None
        output: Mapping[str, Any] = {"success": False, "error": refusal}
        if tool is not None:
            output = await self._carry_out(tool, arguments, node, reference)
        self._log.add(
            ToolFinished(
                t_ms=now_ms(),
                node=node.id,
                call_ref=reference,
                name=name,
                output=output,
                latency_ms=now_ms() - started_ms,
                in_scope=ruling.in_scope,
            )
        )
        if tool is not None and tool.handoff_to is not None:
            self._move(tool.handoff_to, node, reference)
        return ToolResult(output=output, carried_out=tool is not None)

    async def _carry_out(
        self, tool: NodeTool, arguments: Mapping[str, Any], node: Node, reference: str
    ) -> Mapping[str, Any]:
        if tool.kind == "handoff":
            return {"success": True, "role": tool.handoff_to}
        if tool.kind == "end_call":
            self._end(tool.name)
            return {"success": True}
        output = await self._post(tool, arguments, node, reference)
        if tool.kind == "human":
            self._end(tool.name)
        return output

    async def _post(
        self, tool: NodeTool, arguments: Mapping[str, Any], node: Node, reference: str
    ) -> Mapping[str, Any]:
        try:
            return await self._tools.post(tool.name, arguments, node=node.id, call_ref=reference)
        except ToolsUnreachable as error:
            self._log.add(
                Problem(t_ms=now_ms(), node=node.id, where=tool.name, class_="ToolsUnreachable", text=str(error))
            )
            return {"success": False, "error": f"{type(error).__name__}: {error}"}

    def _end(self, reason: str) -> None:
        if self.hang_up is None:
            self.hang_up = HangUp(reason=reason)

    def _move(self, target: str, source: Node, reference: str) -> None:
        self._graph.move(target)
        self._log.add(Handoff(t_ms=now_ms(), node=source.id, from_=source.id, to=target, call_ref=reference))


_SESSION_KINDS = ("human", "end_call")


def _logged_kind(kind: ToolKind | None) -> CallKind:
    """The kind an event names; a tool that the graph lacks counts as an industry call."""
    if kind == "handoff":
        return "handoff"
    return "session" if kind in _SESSION_KINDS else "industry"
