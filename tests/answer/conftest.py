"""A server with a real adapter and a provider's double behind it, and the smallest caller engine (runtime.md 8.7).

All on one virtual loop over real sockets: a call costs no time, and every frame has the time at which it came.
"""

from __future__ import annotations

import asyncio
import json
import logging
from base64 import b64encode
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from mivas.answer import AgentMaker, Answering, AnswerOptions, CallState, LocalState, answering_calls
from mivas.fakes import ScriptNotFollowed
from mivas.fakes._realtime_sound import speech_like
from mivas.fakes.realtime import OPENAI, Plan, RealtimeDouble, anew
from mivas.harness import load_harness
from mivas.harness.realtime import Address
from mivas.line import VirtualTimeLoop
from mivas.pack import load_pack
from mivas.state import load_snapshot_store, open_on_folder

FRAME_MS, FRAME_BYTES = 20, 640
SILENT = logging.Logger("caller engine", logging.CRITICAL)
ADAPTER = "openai/realtime-2.1-swap"


@dataclass
class Office:
    """A running server and all that can be seen of it."""

    url: str
    folder: Path
    double: RealtimeDouble
    service: Any
    answering: Answering

    async def settled(self) -> None:
        """Wait until every call is over, its evidence written: that takes longer than the line."""
        while self.answering._running or self.answering._admitted:  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.1)

    def events(self, call_id: str) -> list[dict[str, Any]]:
        path = self.folder / "calls" / f"{call_id}.events.jsonl"
        return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]

    def state(self, call_id: str) -> Any:
        """The frozen one; None: there is none."""
        path = self.folder / "calls" / f"{call_id}.final.json"
        return json.loads(path.read_text("utf-8")) if path.exists() else None

    def call_ids(self) -> list[str]:
        names = (path.name for path in (self.folder / "calls").glob("*.events.jsonl"))
        return sorted(name.removesuffix(".events.jsonl") for name in names)


@asynccontextmanager
async def open_office(
    folder: Path,
    steps: Sequence[Any] = (),
    *,
    plan: Plan | None = None,
    pack: str = "control-industry",
    state: Callable[[Any], CallState] | None = None,
    make_agent: Callable[[AgentMaker], AgentMaker] = lambda maker: maker,
    profile: Any = OPENAI,
    adapter: str = ADAPTER,
    key: str = "double-key",
    **options: Any,
) -> AsyncIterator[Office]:
    """Serve calls; each plays the steps. `state` makes another world of the local one, `make_agent` another agent."""
    loaded = load_pack(pack)
    async with AsyncExitStack() as stack:
        # A caller that hangs up leaves steps over; tests that mind look at the double's `complaint`.
        stack.enter_context(suppress(ScriptNotFollowed))
        double = await stack.enter_async_context(RealtimeDouble(profile, plan or anew(steps), key=key))
        harness: Any = load_harness(adapter)
        address = Address(url=f"{double.url}?model=m", headers={"Authorization": f"Bearer {key}"})
        service = open_on_folder(loaded, folder)
        stack.callback(service.close)
        local = LocalState(service, load_snapshot_store("local")(folder))
        client = await stack.enter_async_context(httpx.AsyncClient(trust_env=False))
        answering = Answering(
            pack=loaded, harness=ADAPTER, make_agent=make_agent(harness.reached(address).pick_up),
            state=local if state is None else state(local), options=AnswerOptions(port=0, **options),
            events_folder=folder / "calls", client=client,
        )  # fmt: skip
        url = await stack.enter_async_context(answering_calls(answering))
        yield Office(url, folder, double, service, answering)


@dataclass
class Phone:
    """A caller engine: sends a frame every 20 ms, silence unless it speaks, and keeps what comes."""

    url: str
    call_id: str | None = "675"
    user: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    frame_bytes: Callable[[bytes], list[bytes]] = lambda frame: [frame]
    """How a frame of 640 bytes is cut up for the wire."""
    sound: list[tuple[float, bytes]] = field(default_factory=list)
    """(ms of arrival, frame)"""
    texts: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    order: list[str] = field(default_factory=list)
    """What came, in order: `sound`, or the type of a text frame."""
    close_code: int | None = None
    closed_ms: float = 0
    response: Any = None
    _waiting: bytes = b""
    _extra: list[str] = field(default_factory=list)

    def say(self, text: str = "I need a repair please", level: float = 1.0) -> None:
        """Speak, like a person as far as energy goes; the level is a share of an ordinary one."""
        pcm = np.asarray(speech_like(text, 16_000) * level, dtype="<i2")
        self._waiting += pcm.tobytes()

    def text(self, message: str) -> None:
        self._extra.append(message)

    async def call(
        self, seconds: float = 60, during: Callable[[Phone], Coroutine[Any, Any, None]] | None = None
    ) -> Phone:
        """The whole call; hangs up after so many seconds. `during` runs beside it from accept on."""
        headers = dict(self.headers)
        if self.call_id is not None:
            headers["X-Simulation-Result-Id"] = self.call_id
        if self.user is not None:
            headers["authorization"] = "Basic " + b64encode(self.user.encode()).decode()
        async with connect(self.url, additional_headers=headers, proxy=None, compression=None, logger=SILENT) as socket:
            self.response = socket.response
            work = [asyncio.create_task(self._send(socket)), asyncio.create_task(self._receive(socket))]
            if during is not None:
                work.append(asyncio.create_task(during(self)))
            await asyncio.wait({work[1]}, timeout=seconds)
            for task in (work[0], *work[2:]):
                if task.done():
                    task.result()
                task.cancel()
            await socket.close(1000)
            await work[1]
        return self

    async def _send(self, socket: Any) -> None:
        loop = asyncio.get_running_loop()
        start, sent = loop.time(), 0
        try:
            while True:
                for message in self._extra:
                    await socket.send(message)
                self._extra.clear()
                frame, self._waiting = self._waiting[:FRAME_BYTES], self._waiting[FRAME_BYTES:]
                for piece in self.frame_bytes(frame.ljust(FRAME_BYTES, b"\0")):
                    await socket.send(piece)
                sent += 1
                await asyncio.sleep(max(start + sent * FRAME_MS / 1000 - loop.time(), 0))
        except ConnectionClosed:
            return

    async def _receive(self, socket: Any) -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            async for message in socket:
                at_ms = (loop.time() - start) * 1000
                if isinstance(message, bytes):
                    self.sound.append((at_ms, message))
                    self.order.append("sound")
                else:
                    self.texts.append((at_ms, json.loads(message)))
                    self.order.append(self.texts[-1][1]["type"])
        except ConnectionClosed:
            pass
        self.close_code, self.closed_ms = socket.close_code, (loop.time() - start) * 1000

    @property
    def utterances(self) -> list[tuple[str, str]]:
        """(edge, id) of the agent's speech."""
        return [(one["type"], one["data"]["utterance_id"]) for _, one in self.texts if one["type"].startswith("speech")]

    @property
    def spoken_ms(self) -> float:
        """Loud sound that came."""
        frames = np.frombuffer(b"".join(data for _, data in self.sound), dtype="<i2").reshape(-1, 320)
        return float((np.abs(frames.astype(int)).max(axis=1) > 500).sum() * FRAME_MS)


def assert_balanced(phone: Phone) -> None:
    """Every utterance began, then ended, before the next one, under an id of its own."""
    edges = phone.utterances
    assert [edge for edge, _ in edges] == ["speech.started", "speech.completed"] * (len(edges) // 2)
    ids = [one for _, one in edges[::2]]
    assert ids == [one for _, one in edges[1::2]]
    assert len(set(ids)) == len(ids)


def run_virtually(work: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)


@pytest.fixture
def chirp(tmp_path: Path) -> Any:
    """`office(steps, **options)`, `Phone`, `virtually(work)` and `balanced(phone)`."""

    class Chirp:
        folder = tmp_path / "data"

        def office(self, *arguments: Any, **options: Any) -> Any:
            return open_office(self.folder, *arguments, **options)

    Chirp.Phone = Phone  # type: ignore[attr-defined]
    Chirp.virtually = staticmethod(run_virtually)  # type: ignore[attr-defined]
    Chirp.balanced = staticmethod(assert_balanced)  # type: ignore[attr-defined]
    return Chirp()
