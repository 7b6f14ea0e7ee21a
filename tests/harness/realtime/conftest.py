"""A provider without a wire: neutral events in, commands out; and a call on a virtual clock around it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from mivas.harness import AgentLine, Desk, GraphRuntime
from mivas.harness.realtime import Command, ProviderEvent, SessionCapabilities, SessionLost
from mivas.harness.realtime._agent import CallRules, RealtimeAgent
from mivas.harness.realtime._events import (
    AgentSound,
    AgentSoundEnded,
    AgentWords,
    Configure,
    ResponseEnded,
    ResponseStarted,
    SessionClosed,
    SessionConfigured,
    SessionReady,
    ToolCalled,
)
from mivas.line import Event, EventLog, VirtualTimeLoop, now_ms
from mivas.line.spoken import BUS_HZ, FRAME_MS, FRAME_SAMPLES, Line, Pcm, Playout
from mivas.pack import Blueprint, CatalogueTool, Envelope, Node, NodeTool, Pack
from mivas.pack._scoring import ScoringFile, compile_scoring


def _pack(greeting: str | None) -> Pack:
    end = NodeTool(name="end_call", kind="end_call")
    back = NodeTool(name="to_back", kind="handoff", handoff_to="back")
    look = NodeTool(name="look_up", kind="industry")
    human = NodeTool(name="fetch_person", kind="human")
    front = Node(id="front", instructions="You are front.", tools=(back, look, end))
    rear = Node(id="back", instructions="You are back.", tools=(look, end, human))
    blueprint = Blueprint(greeting=greeting, nodes=(front, rear))
    return Pack(
        id="toy", title="Toy", version="1.0.0", clock=None, human_tools=frozenset({"fetch_person"}), suite="toy-1",
        envelope=Envelope(ok="ok", message="message", data="data", error_code="error_code"), canary="c",
        folder=__import__("pathlib").Path("toy"), module=None, blueprint=blueprint,
        scoring=compile_scoring(ScoringFile(version=1)),
        tools={
            name: CatalogueTool(
                name=name, description=name, input_schema={"type": "object", "properties": {}}, output_schema={}
            )
            for name in ("end_call", "to_back", "look_up", "fetch_person")
        },
        schema_sql="", seed_sql="",
    )  # fmt: skip


@dataclass
class FakeTools:
    slow_s: float = 0.0
    used: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Mapping[str, Any]:
        if self.slow_s:
            await asyncio.sleep(self.slow_s)
        self.used.append((name, dict(arguments), node))
        return {"ok": True, "data": {"found": name}}


class FakeSession:
    """One session. `script` is asked for events after each command; `push` sends some at any time."""

    def __init__(self, provider: FakeProvider) -> None:
        self.provider = provider
        self.sent: list[Command] = []
        self.queue: asyncio.Queue[ProviderEvent] = asyncio.Queue()
        self.closed = False

    @property
    def capabilities(self) -> SessionCapabilities:
        return self.provider.capabilities

    async def open(self) -> None:
        if self.provider.refusals:
            raise SessionLost(self.provider.refusals.pop(0))
        self.push(SessionReady())

    async def send(self, command: Command) -> None:
        self.sent.append(command)
        self.provider.commands.append((now_ms(), command))
        if isinstance(command, Configure):
            self.push(SessionConfigured())
        for event in self.provider.script(self, command):
            self.push(event)

    def push(self, *events: ProviderEvent) -> None:
        for event in events:
            self.queue.put_nowait(event)

    async def events(self) -> AsyncIterator[ProviderEvent]:
        while True:
            event = await self.queue.get()
            yield event
            if isinstance(event, SessionClosed):
                return

    async def close(self) -> None:
        self.closed = True
        self.push(SessionClosed(code=1000, reason=""))


@dataclass
class FakeProvider:
    script: Callable[[FakeSession, Command], list[ProviderEvent]] = lambda _session, _command: []
    capabilities: SessionCapabilities = field(
        default_factory=lambda: SessionCapabilities(input_hz=BUS_HZ, output_hz=BUS_HZ, handoff="swap")
    )
    refusals: list[str] = field(default_factory=list)
    sessions: list[FakeSession] = field(default_factory=list)
    commands: list[tuple[int, Command]] = field(default_factory=list)

    def connect(self) -> FakeSession:
        self.sessions.append(FakeSession(self))
        return self.sessions[-1]

    def of(self, kind: type) -> list[Any]:
        return [command for _, command in self.commands if isinstance(command, kind)]


class SilentEnd:
    """A caller that plays what it is given and hears what comes."""

    def __init__(self) -> None:
        self.playout = Playout()
        self.heard: list[Pcm] = []

    def hear(self, frame: Pcm, t_ms: int) -> None:
        self.heard.append(frame)


class Clean:
    def process(self, frame: Pcm) -> Pcm:
        return frame

    def returning(self, frame: Pcm) -> None: ...


@dataclass
class Call:
    """What a call came to."""

    provider: FakeProvider
    tools: FakeTools
    desk: Desk
    caller: SilentEnd
    events: list[Event]
    heard: list[str] = field(default_factory=list)
    interruptions: list[tuple[str, int]] = field(default_factory=list)
    ended: tuple[str, str, int] | None = None
    playout: Playout = field(default_factory=Playout)

    def notes(self) -> list[str]:
        return [event.code for event in self.events if event.type == "note"]

    @property
    def said(self) -> list[str]:
        return [one.heard_text for one in self.playout.spoken]


@dataclass
class Sink:
    call: Call
    line: Line | None = None

    def agent_heard(self, text: str) -> None:
        self.call.heard.append(text)

    def interrupted(self, by: Any, at_ms: int) -> None:
        self.call.interruptions.append((by, at_ms))

    def agent_hangs_up(self, reason: str) -> None:
        assert self.line is not None
        self.line.hang_up("agent", reason)

    def agent_lost(self, reason: str) -> None:
        assert self.line is not None
        self.line.hang_up("provider", reason)

    def out_ms(self) -> int:
        assert self.line is not None
        return self.line.out_ms


def run_call(
    provider: FakeProvider,
    *,
    seconds: float = 30.0,
    greeting: str | None = None,
    tools: FakeTools | None = None,
    during: Callable[[Call], Coroutine[Any, Any, None]] | None = None,
    rules: CallRules | None = None,
) -> Call:
    """Let a call run for that long on its own clock, or until somebody hangs up."""

    async def main() -> Call:
        log = EventLog(lambda _: None)
        pack = _pack(greeting)
        used = tools or FakeTools()
        desk = Desk(pack, GraphRuntime(pack.blueprint), used, log)
        call = Call(provider, used, desk, SilentEnd(), log.events)
        sink = Sink(call)
        tasks: list[asyncio.Task[None]] = []

        def spawn(work: Coroutine[Any, Any, None]) -> None:
            tasks.append(asyncio.create_task(work))

        line = AgentLine(desk=desk, playout=call.playout, sink=sink, spawn=spawn)
        agent = RealtimeAgent(
            line.desk, connect=provider.connect, sink=sink, spawn=spawn, playout=call.playout, rules=rules
        )
        sink.line = Line(caller=call.caller, agent=agent, to_agent=Clean(), to_caller=Clean())
        agent.answer()
        carrying = asyncio.create_task(sink.line.carry())
        if during is not None:
            spawn(during(call))
        await asyncio.wait({carrying}, timeout=seconds)
        if carrying.done():
            ended = carrying.result()
            call.ended = (ended.by, ended.reason, now_ms())
        carrying.cancel()
        await agent.aclose()
        for task in tasks:
            if task.done() and not task.cancelled() and task.exception() is not None:
                raise task.exception()  # type: ignore[misc]
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return call

    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(main())


def sound(ms: int, level: int = 4000) -> bytes:
    t = np.arange(BUS_HZ * ms // 1000)
    return np.asarray(np.sin(t / 7) * level, dtype="<i2").tobytes()


def spoken(item: str, text: str, ms: int = 1000, *, response: str | None = None) -> list[ProviderEvent]:
    """A whole answer that says something."""
    name = response or f"response of {item}"
    return [
        ResponseStarted(response=name),
        AgentWords(item=item, text=text),
        *(AgentSound(item=item, pcm=sound(100)) for _ in range(ms // 100)),
        AgentSoundEnded(item=item),
        ResponseEnded(response=name, status="completed"),
    ]


def calling(call: str, name: str, arguments: str = "{}") -> list[ProviderEvent]:
    """A whole answer that only calls a tool."""
    return [
        ResponseStarted(response=f"response of {call}"),
        ToolCalled(call=call, name=name, arguments=arguments),
        ResponseEnded(response=f"response of {call}", status="completed"),
    ]


@pytest.fixture
def realtime() -> Any:
    """The helpers of this folder: run_call, FakeProvider, spoken, calling, sound, FakeTools."""
    return type(
        "Realtime",
        (),
        {
            "run_call": staticmethod(run_call),
            "Provider": FakeProvider,
            "Tools": FakeTools,
            "spoken": staticmethod(spoken),
            "calling": staticmethod(calling),
            "sound": staticmethod(sound),
            "FRAME_MS": FRAME_MS,
            "FRAME_SAMPLES": FRAME_SAMPLES,
        },
    )
