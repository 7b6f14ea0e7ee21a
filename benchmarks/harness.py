"""What does a real-time harness cost, and how many calls does a core carry? Writes benchmarks/results/harness.json.

    .venv/bin/python benchmarks/harness.py [--harness NAME ..] [--calls N ..] [--seconds 20] [--rounds 3]

A call is a line, a harness with its connection to the provider's double, and a caller that plays prepared sound for two
of every eight seconds; the agent answers each turn for four. The double runs in a process of its own, so its cost isn't
counted. All calls of a round share one process and one loop in real time, as `mivas answer` has them.

Own code: the core without a wire, on a virtual clock; least disturbed by what else the machine does.
Cost: processor time of the process for a frame of 20 ms of one call (sound in, sound out, the line's tick), on a line
that changes nothing: what channels cost is in benchmarks/line.py. Calls: with the channel `perfect` both ways, how late
each frame was. Aims: 60 us a frame; 60 calls at once with the 99th percentile of lateness under 20 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import platform
import resource
import socket
import statistics
import subprocess
import time
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from multiprocessing.connection import Connection
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from mivas.endpoint import Endpoint
from mivas.harness import AgentLine, Desk, GraphRuntime, load_harness
from mivas.harness.realtime import SessionCapabilities
from mivas.harness.realtime._agent import RealtimeAgent
from mivas.harness.realtime._events import SessionConfigured
from mivas.harness.realtime._openai_codec import OpenAICodec
from mivas.line import EventLog, RealTimeLoop, VirtualTimeLoop
from mivas.line.sound import PRESETS, Channel
from mivas.line.spoken import BUS_HZ, FRAME_MS, Line, Path, Pcm, Playout
from mivas.pack import load_pack

HERE = FilePath(__file__).parent
RESULTS = HERE / "results" / "harness.json"
HARNESSES = ("openai/realtime-2.1-swap", "grok/voice", "qwen/audio-realtime", "openai/realtime-2.1")
DOUBLES = {"grok/voice": "grok", "qwen/audio-realtime": "qwen"}
CALLS = (20, 40, 60, 80)
COST_CALLS = 20
"""At once, while the cost of a frame is measured."""
MESSAGE_BYTES = 1340
"""20 ms at 24 kHz in base64, in its event."""
PAUSE_S = 0.001
"""Between two messages of sixty calls it is a third of that."""
SETTLING_S = 4.0
"""Connections and first words, before anything is measured."""
CALLER_EVERY_S, CALLER_SPEAKS_S = 8.0, 2.0
ANSWER = "Let me look into that for you now, and I will tell you what I find."  # four seconds of the double's voice
AIM_US, AIM_CALLS, AIM_LATE_MS = 60.0, 60, 20.0


def serve(name: str, pipe: Connection) -> None:
    """Body of the double's process: sends its address, ends when it is told to."""
    from mivas.fakes.realtime import PROFILES, EachAnswer, PlannedSession, RealtimeDouble, Say

    class Forgetful(list[Any]):
        """What a test looks at would fill the memory here."""

        def append(self, _: Any) -> None: ...

    async def main() -> None:
        brain = EachAnswer(lambda _: [Say(ANSWER)])
        async with RealtimeDouble(PROFILES[name], lambda _: PlannedSession(brain=brain), key="") as double:
            double.received, double.sent = Forgetful(), Forgetful()
            pipe.send(double.url)
            await asyncio.get_running_loop().run_in_executor(None, pipe.recv)

    asyncio.run(main())


class NoTools:
    async def post(self, *_: Any, **__: Any) -> Mapping[str, Any]:
        raise AssertionError("no tool is called here")


class Unchanged:
    """A line that changes nothing."""

    def process(self, frame: Pcm) -> Pcm:
        return frame

    def returning(self, frame: Pcm) -> None: ...


class PreparedCaller:
    """Plays the same sound again and again; hears nothing."""

    def __init__(self, sound: Pcm, first_s: float) -> None:
        self.playout = Playout()
        self._sound = sound
        self._next_ms = first_s * 1000

    def hear(self, _frame: Pcm, t_ms: int) -> None:
        if t_ms >= self._next_ms:
            self._next_ms += CALLER_EVERY_S * 1000
            self.playout.say("caller", self._sound)


@dataclass(slots=True)
class Sink:
    """What the agent's end tells; counts what went wrong."""

    line: Line | None = None
    lost: list[str] = field(default_factory=list)

    def agent_heard(self, _text: str) -> None: ...

    def interrupted(self, by: Any, at_ms: int) -> None: ...

    def agent_hangs_up(self, reason: str) -> None:
        self.lost.append(reason)

    def agent_lost(self, reason: str) -> None:
        self.lost.append(reason)

    def out_ms(self) -> int:
        assert self.line is not None
        return self.line.out_ms


@dataclass(frozen=True, slots=True)
class Round:
    """What some seconds of some calls came to."""

    calls: int
    user_s: float
    """Processor time in the process's own code."""
    system_s: float
    """And in the system's, for its sake: sending, waiting, being woken."""
    wall_s: float
    late_ms: Sequence[float]
    agent_spoke: float
    """Share of the frames in which an agent had sound."""
    double_core: float = 0.0
    """Share of a core that the double took, from its start to its end."""

    @property
    def core(self) -> float:
        return (self.user_s + self.system_s) / self.wall_s

    @property
    def frame_us(self) -> float:
        return (self.user_s + self.system_s) / len(self.late_ms) * 1e6

    @property
    def system_us(self) -> float:
        return self.system_s / len(self.late_ms) * 1e6


def speech_like(seconds: float) -> Pcm:
    """A buzz with syllables, -26 dBFS."""
    time_s = np.arange(int(BUS_HZ * seconds)) / BUS_HZ
    wave = sum(np.sin(2 * np.pi * 140 * k * time_s + k) / k**0.5 for k in range(1, 24))
    wave = wave * (0.6 + 0.4 * np.sin(2 * np.pi * 3 * time_s))
    return np.asarray(wave / wave.std() * 1640, dtype=np.int16)


async def held(harness: Any, calls: int, seconds: float, *, channels: bool) -> Round:
    """Hold so many calls at once."""
    loop = asyncio.get_running_loop()
    pack, sound = load_pack("control-industry"), speech_like(CALLER_SPEAKS_S)
    late_ms: list[float] = []
    spoke = 0
    measuring = False
    sinks, agents, tasks = [], [], []

    def begin(number: int) -> None:
        sink = Sink()
        desk = Desk(pack, GraphRuntime(pack.blueprint), NoTools(), EventLog(lambda _: None))

        def spawn(work: Coroutine[Any, Any, None]) -> None:
            tasks.append(asyncio.create_task(work))

        agent = harness.pick_up(AgentLine(desk=desk, playout=Playout(), sink=sink, spawn=spawn))
        start_s, tick = loop.time(), 0

        def record(_: Pcm, __: Pcm) -> None:
            nonlocal tick, spoke
            if measuring:
                late_ms.append((loop.time() - start_s) * 1000 - tick * FRAME_MS)
                spoke += agent.playout.speaking
            tick += 1

        ways: list[Path] = [
            Channel(PRESETS["perfect"], number * 2 + way) if channels else Unchanged() for way in range(2)
        ]
        caller = PreparedCaller(sound, SETTLING_S + CALLER_EVERY_S * number / calls)
        sink.line = Line(caller=caller, agent=agent, to_agent=ways[0], to_caller=ways[1], record=record)
        agent.answer()
        tasks.append(asyncio.create_task(sink.line.carry()))
        sinks.append(sink)
        agents.append(agent)

    for number in range(calls):
        begin(number)
        await asyncio.sleep(0.05)  # nobody picks up sixty calls in one instant; frames fall at different times
    await asyncio.sleep(SETTLING_S)
    gc.collect()
    measuring = True
    start_s, before = time.perf_counter(), os.times()
    await asyncio.sleep(seconds)
    wall_s, after, measuring = time.perf_counter() - start_s, os.times(), False
    broken = [task for task in tasks if task.done()]
    for agent in agents:
        await agent.aclose()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    lost = [reason for sink in sinks for reason in sink.lost]
    if lost or any(task.exception() for task in broken if not task.cancelled()):
        raise SystemExit(f"calls broke: {lost or broken}")
    user_s, system_s = after.user - before.user, after.system - before.system
    return Round(calls, user_s, system_s, wall_s, late_ms, spoke / max(len(late_ms), 1))


def against_double(name: str, calls: int, seconds: float, *, channels: bool) -> Round:
    """One round against a fresh double in a process of its own."""
    here, there = multiprocessing.Pipe()
    before, start_s = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(DOUBLES.get(name, "openai"), there))
    process.start()
    try:
        harness = load_harness(name, Endpoint(base_url=here.recv(), api_key="double-key"))
        with asyncio.Runner(loop_factory=RealTimeLoop) as runner:
            found = runner.run(held(harness, calls, seconds, channels=channels))
    finally:
        here.send(None)
        process.join(20)
        if process.is_alive():
            process.kill()
            process.join()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return replace(found, double_core=used_s / (time.perf_counter() - start_s))


def read_all(port: int) -> None:
    """Body of a process that waits for what is sent to it."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        while connection.recv(65536):
            pass


def bare_send_us(count: int = 500) -> float:
    """What this machine takes to send one frame's message to a process that waits for it: the floor of any harness."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        process = multiprocessing.get_context("spawn").Process(target=read_all, args=(port,))
        process.start()
        connection, _ = server.accept()
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    message = b"x" * MESSAGE_BYTES
    with connection:
        idle_s = time.process_time()
        for _ in range(count):
            time.sleep(PAUSE_S)
        idle_s = time.process_time() - idle_s
        used_s = time.process_time()
        for _ in range(count):
            connection.send(message)
            time.sleep(PAUSE_S)
        used_s = time.process_time() - used_s
    process.join()
    return (used_s - idle_s) / count * 1e6


class Nowhere:
    """A session whose messages are made and go nowhere. Implements ProviderSession."""

    def __init__(self, profile: Any) -> None:
        self._codec = OpenAICodec(profile)
        self._events: asyncio.Queue[Any] = asyncio.Queue()
        self.capabilities = SessionCapabilities(
            input_hz=profile.input_hz, output_hz=profile.output_hz, handoff="swap"
        )  # fmt: skip

    async def open(self) -> None:
        self._events.put_nowait(SessionConfigured())

    async def send(self, command: Any) -> None:
        self._codec.encode(command)

    async def events(self) -> AsyncIterator[Any]:
        while True:
            yield await self._events.get()

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class WithoutWire:
    """The core with a provider's codec and nothing behind it."""

    profile: Any

    def pick_up(self, line: AgentLine) -> RealtimeAgent:
        return RealtimeAgent(
            line.desk, connect=lambda: Nowhere(self.profile), sink=line.sink, spawn=line.spawn, playout=line.playout
        )


def own_code_us(name: str, rounds: int) -> float:
    """Processor time for a frame of the core and the line's tick alone, warm: no socket, no waiting, sound one way."""
    harness = WithoutWire(load_harness(name).profile)
    found = []
    for _ in range(rounds):
        with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
            found.append(runner.run(held(harness, 10, 40.0, channels=False)).frame_us)
    return statistics.median(found)


def machine() -> dict[str, Any]:
    revision = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False, cwd=HERE
    )
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "websockets": version("websockets"),
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "load_1min": round(os.getloadavg()[0], 1),
        "revision": revision.stdout.strip(),
    }


def cost(name: str, seconds: float, rounds: int) -> dict[str, Any]:
    found = [against_double(name, COST_CALLS, seconds, channels=False) for _ in range(rounds)]
    values = [one.frame_us for one in found]
    return {
        "median_us": round(statistics.median(values), 1),
        "least_us": round(min(values), 1),
        "most_us": round(max(values), 1),
        "of_it_system_us": round(statistics.median(one.system_us for one in found), 1),
        "agent_speaks": round(statistics.mean(one.agent_spoke for one in found), 2),
    }


def carried(name: str, calls: int, seconds: float) -> dict[str, Any]:
    load = os.getloadavg()[0]
    one = against_double(name, calls, seconds, channels=True)
    p50, p99 = np.percentile(one.late_ms, [50, 99])
    return {
        "calls": calls,
        "frames": len(one.late_ms),
        "late_p50_ms": round(float(p50), 1),
        "late_p99_ms": round(float(p99), 1),
        "late_most_ms": round(max(one.late_ms), 1),
        "core": round(one.core, 2),
        "frame_us": round(one.frame_us, 1),
        "double_core": round(one.double_core, 2),
        "load_1min": round(load, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harness", nargs="+", default=list(HARNESSES))
    parser.add_argument("--calls", nargs="*", type=int, default=list(CALLS))
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dry", action="store_true", help="write no result file")
    given = parser.parse_args()
    described = machine()
    print(f"real-time harnesses against their doubles, {given.rounds} rounds of {given.seconds:.0f} s")
    bare = round(bare_send_us(), 1)
    print(
        f"python {described['python']}, {described['cores']} cores, load {described['load_1min']};"
        f" to send {MESSAGE_BYTES} bytes to a waiting process takes {bare:.0f} us here"
    )
    own = round(own_code_us(HARNESSES[0], given.rounds), 1)
    print(f"the core and a tick of the line alone, on a virtual clock: {own:.1f} us a frame")
    found: dict[str, Any] = {}
    for name in given.harness:
        frame = cost(name, given.seconds, given.rounds)
        print(
            f"{name:26} {frame['median_us']:6.1f} us a frame, {frame['least_us']:.1f} to {frame['most_us']:.1f}"
            f" (aim {AIM_US:.0f}), {frame['of_it_system_us']:.0f} of it the system's;"
            f" {COST_CALLS} calls, the agent speaks {frame['agent_speaks']:.0%} of the time"
        )
        found[name] = {"frame": frame, "calls": []}
        for calls in given.calls:
            one = carried(name, calls, given.seconds)
            found[name]["calls"].append(one)
            print(
                f"  {calls:3} calls: late p50 {one['late_p50_ms']:.1f}, p99 {one['late_p99_ms']:.1f},"
                f" most {one['late_most_ms']:.1f} ms; {one['core']:.2f} of a core, {one['frame_us']:.0f} us a frame,"
                f" the double {one['double_core']:.2f}; load {one['load_1min']}"
            )
    document = {
        "command": "python benchmarks/harness.py"
        f" --harness {' '.join(given.harness)} --calls {' '.join(map(str, given.calls))}"
        f" --seconds {given.seconds:g} --rounds {given.rounds}",
        "utc": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": described,
        "subject": "a real-time harness: processor time per frame of 20 ms, and how late frames are with many calls",
        "input": {"caller_speaks": CALLER_SPEAKS_S / CALLER_EVERY_S, "cost_calls": COST_CALLS},
        "bare_send_us": bare,
        "own_code_us": own,
        "aims": {"frame_us": AIM_US, "calls": AIM_CALLS, "late_p99_ms": AIM_LATE_MS},
        "found": found,
    }
    if not given.dry:
        RESULTS.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
