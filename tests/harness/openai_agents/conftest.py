"""A call with an agent of openai-agents, its provider a double on the same loop, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from mivas.fakes.realtime import OPENAI, Plan, RealtimeDouble
from mivas.harness import AgentLine, Desk, GraphRuntime, load_harness
from mivas.harness.realtime import Address
from mivas.line import Event, EventLog, VirtualTimeLoop, now_ms
from mivas.line.spoken import BUS_HZ, Line, Pcm, Playout
from mivas.pack import load_pack

KEY = "canary-openai-agents"


@dataclass
class FakeTools:
    used: list[tuple[str, dict[str, Any], str, str]] = field(default_factory=list)

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Mapping[str, Any]:
        self.used.append((name, dict(arguments), node, call_ref))
        return {"success": True, "done": name}


class Clean:
    def process(self, frame: Pcm) -> Pcm:
        return frame

    def returning(self, frame: Pcm) -> None: ...


class CallerEnd:
    def __init__(self) -> None:
        self.playout = Playout()

    def hear(self, frame: Pcm, t_ms: int) -> None: ...

    def speaks(self, ms: int = 1200) -> None:
        t = np.arange(BUS_HZ * ms // 1000)
        self.playout.say("caller", np.asarray(np.sin(t / 9) * 6000, dtype=np.int16))


@dataclass
class Call:
    """What a call came to."""

    double: RealtimeDouble
    desk: Desk
    tools: FakeTools
    caller: CallerEnd
    events: list[Event]
    playout: Playout = field(default_factory=Playout)
    line: Line | None = None
    interrupted_ms: list[int] = field(default_factory=list)
    ended: tuple[str, str, int] | None = None

    @property
    def said(self) -> list[str]:
        return [one.heard_text for one in self.playout.spoken]

    def notes(self) -> list[str]:
        return [event.code for event in self.events if event.type == "note"]

    # What the agent's end tells (`AgentSink`).

    def agent_heard(self, text: str) -> None: ...

    def interrupted(self, by: Any, at_ms: int) -> None:
        self.interrupted_ms.append(at_ms)

    def agent_hangs_up(self, reason: str) -> None:
        assert self.line is not None
        self.line.hang_up("agent", reason)

    def agent_lost(self, reason: str) -> None:
        assert self.line is not None
        self.line.hang_up("provider", reason)

    def out_ms(self) -> int:
        assert self.line is not None
        return self.line.out_ms


def held_call(
    plan: Plan,
    *,
    seconds: float = 30.0,
    greeting: str | None = None,
    during: Callable[[Call], Coroutine[Any, Any, None]] | None = None,
) -> Call:
    """Let a call of the control pack run until somebody hangs up, or for that long. Raises what a task raised."""

    async def main() -> Call:
        pack = load_pack("control-industry")
        pack = replace(pack, blueprint=replace(pack.blueprint, greeting=greeting))
        log, tools = EventLog(lambda _: None), FakeTools()
        desk = Desk(pack, GraphRuntime(pack.blueprint), tools, log)
        async with RealtimeDouble(OPENAI, plan, key=KEY) as double:
            call = Call(double, desk, tools, CallerEnd(), log.events)
            harness = load_harness("openai/realtime-2.1")
            address = Address(url=f"{double.url}?model={harness.model}", headers={"Authorization": f"Bearer {KEY}"})
            tasks: list[asyncio.Task[None]] = []

            def spawn(work: Coroutine[Any, Any, None]) -> None:
                tasks.append(asyncio.create_task(work))

            line = AgentLine(desk=desk, playout=call.playout, sink=call, spawn=spawn)
            agent = harness.reached(address).pick_up(line)
            call.line = Line(caller=call.caller, agent=agent, to_agent=Clean(), to_caller=Clean())
            agent.answer()
            carrying = asyncio.create_task(call.line.carry())
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


@pytest.fixture(scope="session")
def held() -> Callable[..., Call]:
    pytest.importorskip("agents.realtime")
    return held_call
