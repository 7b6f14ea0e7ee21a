"""One answered call: socket and agent on a line, from accept to the frozen state."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from mivas.answer._caller_end import CallerEnd
from mivas.answer._state import CallersTools, CallState, LastTools
from mivas.answer._voices import AgentMaker
from mivas.harness import AgentLine, Desk, GraphRuntime, Scope, Tools, VoiceAgent
from mivas.harness.chirp import (
    FAILURE,
    NORMAL,
    Mark,
    Outgoing,
    SessionError,
    TextBudget,
    error_message,
    mark_message,
    read_message,
)
from mivas.line import (
    CallEnded,
    CallStarted,
    Event,
    EventLog,
    Interruption,
    Problem,
    Role,
    ToolFinished,
    ToolStarted,
    now_ms,
)
from mivas.line.spoken import HungUp, Line, Pcm, Playout, SpeechLog
from mivas.pack import Pack

logger = logging.getLogger(__name__)

GOING_AWAY = 1001
"""Code with which a server that is stopped closes its calls."""
DRAIN_S = 2.0
STOP_S = 5.0
"""How long what a call left behind may take to stop."""


class Straight:
    """A path that changes nothing: the line is outside."""

    def process(self, frame: Pcm) -> Pcm:
        return frame

    def returning(self, frame: Pcm) -> None:
        """No echo of its own either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPlan:
    """What one call is made of."""

    call_id: str
    pack: Pack
    harness: str
    make_agent: AgentMaker
    scope: Scope
    state: CallState
    callers_tools: CallersTools | None
    """Where the caller engine keeps the call's tools; None: here."""
    longest_s: float
    write: Callable[[bytes], object]
    """Takes the lines of the call's `events.jsonl`."""


class AnsweredCall:
    """Implements `AgentSink`. Used for one call; its clock starts when it is made."""

    def __init__(self, plan: CallPlan, socket: ServerConnection) -> None:
        self._plan = plan
        self._socket = socket
        self._log = EventLog(plan.write)
        self._last_tools = LastTools()
        tools = plan.callers_tools or plan.state.tools(plan.call_id)
        self._desk = Desk(
            plan.pack, GraphRuntime(plan.pack.blueprint, plan.scope), _Finished(tools, self._last_tools), self._log
        )
        self._outgoing = Outgoing()
        self._tasks: set[asyncio.Task[None]] = set()
        self._broke: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._texts = TextBudget()
        self._told_broken = False
        self._line: Line | None = None

    async def take(self) -> None:
        """The whole call. Doesn't raise for anything that an agent or a caller does."""
        plan = self._plan
        self._log.add(
            CallStarted(
                t_ms=0, node=self._desk.node.id, call_id=plan.call_id, pack=plan.pack.id, harness=plan.harness,
                clock="real",
            )
        )  # fmt: skip
        playout = Playout()
        agent: VoiceAgent | None = None
        try:
            agent = plan.make_agent(AgentLine(desk=self._desk, playout=playout, sink=self, spawn=self._spawn))
            self._connect(agent)
            hung_up = await self._converse(agent)
        except (Exception, SystemExit) as error:
            hung_up = self._broken(error)
        finally:
            await self._stop()
        await self._hang_up(hung_up)
        if agent is not None:
            with suppress(Exception):
                await agent.aclose()
        self._write_down(hung_up)
        await self._keep()

    def _connect(self, agent: VoiceAgent) -> None:
        self._end = CallerEnd(self._outgoing, agent.playout)
        self._said = {
            "agent": SpeechLog("agent", agent.playout, self._log),
            "caller": SpeechLog("caller", self._end.playout, self._log),
        }
        straight = Straight()
        self._line = Line(caller=self._end, agent=agent, to_agent=straight, to_caller=straight)
        self._mouths = (agent.playout, self._end.playout)

    async def _converse(self, agent: VoiceAgent) -> HungUp:
        assert self._line is not None
        agent.answer()
        self._spawn(self._read(self._end, self._line))
        self._spawn(self._outgoing.send_to(self._socket))
        carrying = asyncio.create_task(self._line.carry(), name="line")
        try:
            ends: set[asyncio.Future[Any]] = {carrying, self._broke}
            done, _ = await asyncio.wait(ends, timeout=self._plan.longest_s, return_when=asyncio.FIRST_COMPLETED)
            if not done:
                return HungUp(by="limit", reason=f"the call reached its cap of {self._plan.longest_s:g} s")
            if self._broke.done():
                self._broke.result()
            return carrying.result()
        finally:
            carrying.cancel()

    async def _read(self, end: CallerEnd, line: Line) -> None:
        with suppress(ConnectionClosed):
            async for message in self._socket:
                self._take(message, end)
                for name in end.sound.due_marks():
                    self._outgoing.text(mark_message(name))
        sent = self._socket.protocol.close_sent
        if sent is not None and sent.code == GOING_AWAY and not self._socket.protocol.close_rcvd_then_sent:
            line.hang_up("harness", "the server was stopped")
        else:
            line.hang_up("caller", f"caller hung up ({self._socket.close_code or 1006})")

    def _take(self, message: str | bytes, end: CallerEnd) -> None:
        if isinstance(message, bytes):
            end.sound.arrive(message)
            return
        if not self._texts.allows(asyncio.get_running_loop().time()):
            return
        match read_message(message):
            case Mark(name=name):
                end.sound.mark(name)
            case SessionError(code=code, message=text) if not self._told_broken:
                self._told_broken = True  # once: a broken peer may say it again and again
                self._desk.note("session_error", f"{code}: {text}")

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guarded(work), name="turn")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Whatever breaks ends this call and no other: SystemExit in a task would end the loop."""
        try:
            await work
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and not task.cancelling() and not self._broke.done():
                self._broke.set_exception(RuntimeError("the agent's turn was cancelled from within"))
            raise
        except (Exception, SystemExit) as error:
            if not self._broke.done():
                self._broke.set_exception(error)

    def _broken(self, error: BaseException) -> HungUp:
        logger.warning("%s: the harness broke: %s", self._plan.call_id, type(error).__name__)
        logger.debug("%s: the harness broke", self._plan.call_id, exc_info=error)
        name = type(error).__name__
        self._log.add(
            Problem(t_ms=now_ms(), node=self._desk.node.id, where=self._plan.harness, class_=name, text=str(error))
        )
        return HungUp(by="harness", reason=name)

    async def _hang_up(self, hung_up: HungUp) -> None:
        """Say how it ended: everything that was said goes out first, then the close (runtime.md 8.5)."""
        failed = hung_up.by in ("harness", "provider")
        last = [error_message("the agent broke")] if failed else []
        with suppress(Exception):
            async with asyncio.timeout(DRAIN_S):
                for message in [*self._outgoing.rest(), *last]:
                    await self._socket.send(message)
                await self._socket.close(FAILURE if failed else NORMAL)

    async def _stop(self) -> None:
        """Balance what was said and stop all work of the call."""
        if self._line is not None:
            self._end.complete()
        tasks = set(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=STOP_S)
        if self._broke.done():
            self._broke.exception()
        else:
            self._broke.cancel()

    def _write_down(self, hung_up: HungUp) -> None:
        if self._line is not None:
            for mouth in self._mouths:
                mouth.cut(now_ms())
            for role, said in self._said.items():
                said.close(passed=role == "agent")  # what the caller made of it isn't known
        self._log.add(CallEnded(t_ms=now_ms(), node=self._desk.node.id, by=hung_up.by, reason=hung_up.reason))

    async def _keep(self) -> None:
        """What is left to do once the line is dead: last tools, then state or report."""
        await self._last_tools.settle()
        if self._plan.callers_tools is not None:
            await self._plan.callers_tools.report(tool_report(self._log.events))
        else:
            await self._plan.state.freeze(self._plan.call_id)

    # What the agent's end tells of the call (`AgentSink`).

    def agent_heard(self, text: str) -> None:
        self._said["agent"].settle(passed=True)
        self._said["caller"].heard(text)

    def interrupted(self, by: Role, at_ms: int) -> None:
        self._log.add(Interruption(t_ms=at_ms, node=self._desk.node.id, by=by, at_ms=at_ms))
        self._said["agent"].settle(passed=True)

    def agent_hangs_up(self, reason: str) -> None:
        if self._line is not None:
            self._line.hang_up("agent", reason)

    def agent_lost(self, reason: str) -> None:
        if self._line is not None:
            self._line.hang_up("provider", reason)

    def out_ms(self) -> int:
        return self._line.out_ms if self._line is not None else 0


class _Finished:
    """Tools whose calls are finished also when the call ends meanwhile."""

    def __init__(self, tools: Tools, last: LastTools) -> None:
        self._tools, self._last = tools, last

    async def post(self, name: str, arguments: Any, *, node: str, call_ref: str) -> Any:
        return await self._last.finish(self._post(name, arguments, node, call_ref))

    async def _post(self, name: str, arguments: Any, node: str, call_ref: str) -> Any:
        return await self._tools.post(name, arguments, node=node, call_ref=call_ref)


def tool_report(events: list[Event]) -> list[dict[str, Any]]:
    """The calls and transfers of a call that were carried out, as the report route takes them (runtime.md 8.8)."""
    finished = {event.call_ref: event for event in events if isinstance(event, ToolFinished)}
    return [
        {
            "name": event.name,
            "start_offset_ms": event.t_ms,
            "parameters": dict(event.arguments),
            "output": dict(finished[event.call_ref].output),
        }
        for event in events
        if isinstance(event, ToolStarted) and event.call_ref in finished and finished[event.call_ref].in_scope
    ]
