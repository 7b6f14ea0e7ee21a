"""A session that openai-agents holds, as the core sees it. Needs the package.

The package keeps the connection, configures the agents, carries out transfers and asks for answers to tool results; the
core is told of everything by the same codec as without it, and says what came of each call. Truncation is the package's
too: it asks how much was heard.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, Protocol, cast

import orjson
from agents.realtime import (
    OpenAIRealtimeWebSocketModel,
    RealtimeModelConfig,
    RealtimeModelListener,
    RealtimeModelSendRawMessage,
    RealtimePlaybackTracker,
    RealtimeRunner,
    RealtimeSession,
    RealtimeSessionModelSettings,
    RealtimeTurnDetectionConfig,
)
from agents.realtime.model import RealtimePlaybackState
from agents.realtime.model_events import RealtimeModelEvent, RealtimeModelToolCallEvent
from agents.realtime.openai_realtime import TransportConfig
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from mivas.harness._desk import Desk
from mivas.harness.openai_agents._graph import build_agents
from mivas.harness.realtime._agent import opening_note
from mivas.harness.realtime._events import (
    Command,
    Configure,
    Finish,
    ProviderEvent,
    SendSound,
    SendToolOutput,
    SessionClosed,
    ToolCalled,
    Truncate,
)
from mivas.harness.realtime._openai_codec import OpenAICodec
from mivas.harness.realtime._profiles import DialectProfile
from mivas.harness.realtime._session import (
    CLOSE_S,
    CONNECT_S,
    LARGEST_MESSAGE,
    SILENT,
    Address,
    SessionCapabilities,
    connecting,
)
from mivas.pack import Node

GONE = (ConnectionClosed, AssertionError)
"""The connection is: the second is how the package says "not connected"."""
RESPOND = '{"type":"response.create"}'


class Mouth(Protocol):
    """What the package must know of the agent's voice."""

    @property
    def has_spoken(self) -> bool: ...

    def sounding(self) -> tuple[str, int] | None:
        """The provider's item that is being played, and how much of it went out, in ms."""


class AgentsSession(RealtimeModelListener):
    """One session of openai-agents. Implements ProviderSession.

    Args:
        mouth: the agent's end that this session belongs to.
    """

    def __init__(
        self, desk: Desk, address: Address, model: str, profile: DialectProfile, *, mouth: Callable[[], Mouth]
    ) -> None:
        self._desk = desk
        self._address, self._model_name, self._profile = address, model, profile
        self._mouth = mouth
        self._codec = OpenAICodec(profile, address.secrets)
        self._events: asyncio.Queue[ProviderEvent] = asyncio.Queue()
        self._results: dict[str, asyncio.Future[str]] = {}
        """Of calls that the package carries out, by the provider's id."""
        self._transfers: defaultdict[str, deque[str]] = defaultdict(deque)
        """Ids of the calls of a transfer tool, by its name: the package doesn't tell them to a handoff."""
        self._unknown: set[str] = set()
        """Calls of tools that the active agent lacks: the package doesn't carry them out."""
        self._node = desk.node
        """Whose agent the package has active."""
        self._model = _Model()
        self._session: RealtimeSession | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def capabilities(self) -> SessionCapabilities:
        return SessionCapabilities(
            input_hz=self._profile.input_hz,
            output_hz=self._profile.output_hz,
            handoff="native",
            truncates=False,
            limit_ms=self._profile.limit_ms,
        )

    async def open(self) -> None:
        self._model.add_listener(self)
        agents = build_agents(
            self._desk.blueprint,
            self._desk.catalogue,
            instruct=self._instructions,
            use=self._result,
            transfer=self._transfer,
        )
        runner = RealtimeRunner(agents[self._node.id], model=self._model, config={"tracing_disabled": True})
        session = await runner.run(model_config=self._configuration())
        with connecting():
            async with asyncio.timeout(CONNECT_S):
                await session.enter()
        self._session = session
        self._watching = asyncio.create_task(self._watch(session), name="openai-agents")

    async def send(self, command: Command) -> None:
        session = self._session
        if session is None:
            return
        with suppress(*GONE):
            match command:
                case SendSound(pcm=pcm):
                    await session.send_audio(pcm)
                case SendToolOutput(call=call, output=output):
                    self._answer(call, output)
                case Configure() | Truncate() | Finish():
                    pass  # the package's own work
                case _:
                    for message in self._codec.encode(command):
                        await self._send_raw(message)

    async def events(self) -> AsyncIterator[ProviderEvent]:
        while True:
            event = await self._events.get()
            yield event
            if isinstance(event, SessionClosed):
                return

    async def close(self) -> None:
        session, self._session = self._session, None
        self._model.remove_listener(self)
        if self._watching is not None:
            self._watching.cancel()
        for result in self._results.values():
            result.cancel()
        if session is not None:
            with suppress(Exception):
                async with asyncio.timeout(CLOSE_S):
                    await session.close()
        self._events.put_nowait(SessionClosed(code=1000, reason=""))

    async def on_event(self, event: RealtimeModelEvent) -> None:
        """What the package's model tells, in the order in which it came."""
        if event.type == "raw_server_event":
            for told in self._codec.decode_event(event.data):
                if not isinstance(told, ToolCalled):  # the package has its own word for it
                    self._events.put_nowait(told)
        elif event.type == "function_call":
            self._called(event)
        elif event.type == "item_updated":
            await self._told(event.item)

    # Calls: the package begins them, the core carries them out.

    def _called(self, event: RealtimeModelToolCallEvent) -> None:
        call, name = event.call_id, event.name
        if call in self._results:
            return
        self._results[call] = asyncio.get_running_loop().create_future()
        tool = self._node.tool(name)
        if tool is None:
            self._unknown.add(call)
        elif tool.handoff_to is not None:
            self._transfers[name].append(call)
        self._events.put_nowait(ToolCalled(call=call, name=name, arguments=event.arguments))

    async def _result(self, call: str) -> str:
        return await self._results[call]

    async def _transfer(self, name: str) -> str:
        await self._result(self._transfers[name].popleft())
        self._node = self._desk.node
        return self._node.id

    def _answer(self, call: str, output: str) -> None:
        result = self._results.get(call)
        if result is not None and not result.done():
            result.set_result(output)

    async def _told(self, item: Any) -> None:
        """The package told the model what came of a call. Where it knows no such tool, it asks for no answer."""
        if item.type == "function_call" and item.output is not None and item.call_id in self._unknown:
            self._unknown.discard(item.call_id)
            with suppress(*GONE):
                await self._send_raw(RESPOND)

    # What the package is told.

    def _instructions(self, node: Node) -> str:
        greeting = self._desk.greeting
        opens = greeting is not None and node.id == self._desk.blueprint.entry.id and not self._mouth().has_spoken
        return node.instructions + (opening_note(greeting) if opens and greeting is not None else "")

    def _configuration(self) -> RealtimeModelConfig:
        profile = self._profile
        settings: RealtimeSessionModelSettings = {
            "model_name": self._model_name,
            "output_modalities": ["audio"],
            "tool_choice": "auto",
            "audio": {
                "input": {
                    "format": {"type": "audio/pcm", "rate": profile.input_hz},
                    "transcription": {"model": profile.transcription_model or ""},
                    "turn_detection": cast(RealtimeTurnDetectionConfig, dict(profile.turn_detection)),
                },
                "output": {"format": {"type": "audio/pcm", "rate": profile.output_hz}, "voice": profile.voice},
            },
        }
        return {
            "url": self._address.url,
            "headers": dict(self._address.headers),
            "initial_model_settings": settings,
            "playback_tracker": _Heard(self._mouth),
        }

    async def _send_raw(self, message: str) -> None:
        fields: dict[str, Any] = orjson.loads(message)
        kind = fields.pop("type")
        await self._model.send_event(RealtimeModelSendRawMessage(message={"type": kind, "other_data": fields}))

    async def _watch(self, session: RealtimeSession) -> None:
        """Take what the package tells its users, which the core has heard already; at its end the session is over."""
        code = 1000
        try:
            async for _ in session:
                pass
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd is not None else 1006
        except Exception as error:
            code = 1006
            self._desk.note("package_failed", f"openai-agents gave the session up ({type(error).__name__})")
        self._events.put_nowait(SessionClosed(code=code, reason=""))


class _Heard(RealtimePlaybackTracker):
    """Tells the package how much of an answer went out on the line, whenever it asks."""

    def __init__(self, mouth: Callable[[], Mouth]) -> None:
        super().__init__()
        self._mouth = mouth

    def get_state(self) -> RealtimePlaybackState:
        sounding = self._mouth().sounding()
        item, ms = sounding if sounding is not None else (None, None)
        return {
            "current_item_id": item,
            "current_item_content_index": None if item is None else 0,
            "elapsed_ms": ms,
        }


class _Model(OpenAIRealtimeWebSocketModel):
    """The package's model, connected as without the package: no proxy, no compression, and no key in a log."""

    async def _create_websocket_connection(
        self, url: str, headers: dict[str, str], transport_config: TransportConfig | None = None
    ) -> ClientConnection:
        del transport_config
        return await connect(
            url,
            additional_headers=headers,
            max_size=LARGEST_MESSAGE,
            proxy=None,
            compression=None,
            ping_interval=None,
            logger=SILENT,
        )
