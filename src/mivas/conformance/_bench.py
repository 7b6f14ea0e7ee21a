"""A call around an adapter: a line, a caller, a desk with a small pack, and a record of all that happened."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mivas.conformance._ends import Caller, CallerScript, Quiet, Room, Tools, is_audible
from mivas.conformance._model import Model
from mivas.conformance._provider import ArrivedSound, Provider, Served
from mivas.harness import AgentLine, Desk, GraphRuntime
from mivas.line import (
    Event,
    EventLog,
    Handoff,
    Note,
    RealTimeLoop,
    Role,
    ToolFinished,
    VirtualTimeLoop,
    now_ms,
    start_call_clock,
)
from mivas.line.spoken import FRAME_MS, Line, Playout
from mivas.pack import Pack, load_pack

PACK = Path(__file__).parent / "pack"
CLOSE_S = 10.0


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a call was over."""

    by: str
    """agent, caller, provider; limit: nobody hung up; harness: the adapter raised."""
    reason: str
    at_ms: int


@dataclass(slots=True, repr=False)  # asyncio pictures what its tasks return
class Call:
    """What a call came to."""

    desk: Desk
    tools: Tools
    caller: Caller = field(default_factory=Caller)
    playout: Playout = field(default_factory=Playout)
    events: list[Event] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    """What the adapter told of the caller's turns."""
    interruptions: list[int] = field(default_factory=list)
    """When the agent gave way, ms."""
    ended: Ended = field(default_factory=lambda: Ended("limit", "", 0))
    closed_in_ms: int = 0
    """What the adapter took to close."""
    sound: Sequence[ArrivedSound] = ()
    objections: Sequence[str] = ()
    left_open: int = 0
    """Connections that were open when the adapter had closed."""

    @property
    def said(self) -> list[str]:
        """What the agent said, as far as it was heard, one entry an utterance."""
        return [one.heard_text for one in self.playout.spoken]

    @property
    def handoffs(self) -> list[str]:
        """The nodes that took over, in order."""
        return [event.to for event in self.events if isinstance(event, Handoff)]

    @property
    def finished(self) -> list[ToolFinished]:
        return [event for event in self.events if isinstance(event, ToolFinished)]

    @property
    def notes(self) -> list[str]:
        return [event.code for event in self.events if isinstance(event, Note)]

    def agent_speech_ms(self, from_ms: int = 0) -> int:
        """How much of the agent's voice the caller heard."""
        pairs = zip(self.caller.times_ms, self.caller.frames, strict=True)
        return FRAME_MS * sum(is_audible(frame) for t_ms, frame in pairs if t_ms >= from_ms)

    def first_sound_ms(self, from_ms: int = 0) -> int | None:
        """When the agent's voice was first heard from then on."""
        pairs = zip(self.caller.times_ms, self.caller.frames, strict=True)
        return next((t_ms for t_ms, frame in pairs if t_ms >= from_ms and is_audible(frame)), None)

    # What the adapter tells of the call (`AgentSink`).

    def agent_heard(self, text: str) -> None:
        self.heard.append(text)

    def interrupted(self, by: Role, at_ms: int) -> None:  # noqa: ARG002 (the promise's name)
        self.interruptions.append(at_ms)

    def agent_hangs_up(self, reason: str) -> None:
        self._line.hang_up("agent", reason)

    def agent_lost(self, reason: str) -> None:
        self._line.hang_up("provider", reason)

    def out_ms(self) -> int:
        return self._line.out_ms

    @property
    def _line(self) -> Line:
        assert self.caller.line is not None
        return self.caller.line


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a call is like apart from who speaks in it."""

    seconds: float = 30.0
    """After which it is cut off."""
    greeting: str | None = None
    tools: Tools | None = None
    room: Room | None = None


def run_call(provider: Provider, model: Model, caller: CallerScript | None = None, **setting: Any) -> Call:
    """One call with a double on a loop of its own.

    Args:
        setting: fields of `Setting`.
    """
    [call] = run_calls(provider, model, [caller], **setting)
    return call


def run_calls(
    provider: Provider, models: Model | Sequence[Model], callers: Sequence[CallerScript | None], **setting: Any
) -> list[Call]:
    """Calls at the same time, with one adapter and one double. Checks that the secret is told by none of them.

    Args:
        models: one for each connection that is made, the last one for all after it; one alone: for all.
    """
    each = [models] if isinstance(models, Model) else list(models)

    async def main() -> list[Call]:
        async with provider.serve(lambda number: each[min(number, len(each) - 1)].plan(number)) as served:
            tasks = [asyncio.create_task(_call(served, caller, Setting(**setting))) for caller in callers]
            return await asyncio.gather(*tasks)

    with asyncio.Runner(loop_factory=VirtualTimeLoop if provider.clock == "virtual" else RealTimeLoop) as runner:
        calls = runner.run(main())
    for call in calls:
        assert provider.secret not in written_down(call), "the provider's key is told in the call's evidence"
    return calls


async def _call(served: Served, script: CallerScript | None, setting: Setting) -> Call:
    start_call_clock()
    log = EventLog(lambda _: None)
    pack = toy_pack(setting.greeting)
    tools = setting.tools or Tools()
    call = Call(Desk(pack, GraphRuntime(pack.blueprint), tools, log), tools, events=log.events)
    tasks: set[asyncio.Task[None]] = set()
    broke: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def spawn(work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_guarded(work, broke))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    agent = served.harness.pick_up(AgentLine(desk=call.desk, playout=call.playout, sink=call, spawn=spawn))
    line = Line(caller=call.caller, agent=agent, to_agent=setting.room or Room(), to_caller=Quiet())
    call.caller.line = line
    agent.answer()
    carrying = asyncio.create_task(line.carry())
    if script is not None:
        spawn(script(call.caller))
    ends: set[asyncio.Future[Any]] = {carrying, broke}
    await asyncio.wait(ends, timeout=setting.seconds, return_when=asyncio.FIRST_COMPLETED)
    call.ended = _ended(carrying, broke)
    carrying.cancel()
    for task in set(tasks):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    began_ms = now_ms()
    await asyncio.wait_for(agent.aclose(), CLOSE_S)
    call.closed_in_ms = now_ms() - began_ms
    await asyncio.sleep(0.1)  # the double notices
    call.sound, call.objections, call.left_open = served.sound(), served.objections(), served.connections()
    return call


def _ended(carrying: asyncio.Task[Any], broke: asyncio.Future[None]) -> Ended:
    if broke.done():
        error = broke.exception()
        return Ended("harness", f"{type(error).__name__}: {error}", now_ms())
    broke.cancel()
    if carrying.done():
        return Ended(carrying.result().by, carrying.result().reason, now_ms())
    return Ended("limit", "nobody hung up", now_ms())


async def _guarded(work: Coroutine[Any, Any, None], broke: asyncio.Future[None]) -> None:
    """Whatever an adapter's work raises ends its call."""
    try:
        await work
    except (Exception, SystemExit) as error:
        if not broke.done():
            broke.set_exception(error)


def toy_pack(greeting: str | None = None) -> Pack:
    """Three nodes, two of which hand the call to each other."""
    pack = load_pack(str(PACK))
    return replace(pack, blueprint=replace(pack.blueprint, greeting=greeting))


def written_down(call: Call) -> str:
    """All that is kept of a call, as text."""
    return json.dumps([[repr(event) for event in call.events], repr(call.ended), call.said, call.heard])
