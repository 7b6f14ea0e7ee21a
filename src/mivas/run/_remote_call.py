"""One call of an agent that runs elsewhere: its tools on a URL, and the wait for what it reports (runtime.md 8.8)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from mivas.harness import RemoteCall
from mivas.line import CallEnded, EventLog, Handoff, Note, now_ms
from mivas.run._options import RunOptions, listening_address
from mivas.run._reports import NO_HANDOFF_EVIDENCE, posted_events, reported_events
from mivas.run._world import World

if TYPE_CHECKING:
    from mivas.state import Posted, ToolsServer


class RemoteEvidence:
    """What of a call's evidence comes from outside, written to the call's log."""

    def __init__(self, world: World, call_id: str, log: EventLog, server: ToolsServer) -> None:
        self._world = world
        self._call_id = call_id
        self._log = log
        self._server = server
        self._accepted_ms = 0
        self._declares_reports = False
        self.call = RemoteCall(call_id=call_id, tools_url=server.url, accepted=self._accepted)

    def _accepted(self, at_ms: int, reports_handoffs: bool) -> None:
        self._accepted_ms, self._declares_reports = at_ms, reports_handoffs

    async def settle(self, longest_wait_s: float) -> None:
        """The line is dead: stop the tools, wait for the rest of the report, write down what it says."""
        self._server.hang_up()
        if not _is_void(self._log):
            with suppress(TimeoutError):
                async with asyncio.timeout(longest_wait_s):
                    await self._server.completed.wait()
        blueprint, logged = self._world.pack.blueprint, self._world.service.calls(self._call_id)
        events = reported_events(self._server.report.calls, logged, blueprint, self._accepted_ms)
        self._log.extend(events)
        told = self._declares_reports or self._world.harness.capabilities.reports_handoffs
        if not told and not any(isinstance(event, Handoff) for event in events):
            text = "the agent reported no transfer, and doesn't say that it reports them"
            self._log.add(Note(t_ms=now_ms(), code=NO_HANDOFF_EVIDENCE, text=text))


@asynccontextmanager
async def remote_call(
    world: World, options: RunOptions, call_id: str, log: EventLog
) -> AsyncIterator[RemoteEvidence | None]:
    """Serve a call's tools for a harness that works elsewhere; None for every other one. Raises StateError."""
    if not world.harness.capabilities.works_elsewhere:
        yield None
        return
    from mivas.state import serving_tools

    def posted(one: Posted) -> None:
        log.extend(
            posted_events(
                name=one.name,
                arguments=one.arguments,
                node=one.node,
                key=one.key,
                output=one.output,
                blueprint=world.pack.blueprint,
                t_ms=now_ms(),
            )
        )

    host, port = listening_address(options.tools_listen)
    async with serving_tools(
        world.service, call_id, host=host, port=port, base_url=options.tools_url, posted=posted
    ) as server:
        yield RemoteEvidence(world, call_id, log, server)


def _is_void(log: EventLog) -> bool:
    """Whether nothing that may still come could make the call count."""
    ended = next((event for event in reversed(log.events) if isinstance(event, CallEnded)), None)
    return ended is None or ended.by in ("provider", "harness")
