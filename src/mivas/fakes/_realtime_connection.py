"""One connection of a provider's double: its state machine, fed from the socket, the clock, ears and brain in turn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import orjson

from mivas.fakes._realtime_answer import Spoken, Timing
from mivas.fakes._realtime_brain import PlannedSession, Say, WithoutEnd
from mivas.fakes._realtime_profiles import RealtimeProfile
from mivas.fakes._realtime_session import RealtimeSession
from mivas.fakes._realtime_sound import resampled, speech_like, to_bus
from mivas.fakes._realtime_wire import Action, Ask, Close, Drop, Recognise, SendEvent, SendText
from mivas.line.spoken import BUS_HZ, Pcm

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection

Speak: TypeAlias = Callable[[str], Pcm]
"""Text to int16[n] at 16 kHz."""
Hear: TypeAlias = Callable[[Pcm], str]
"""int16[n] at 16 kHz to text."""
UNRECOGNISED = "(speech)"
WAITING_MESSAGES = 1000
"""A client that sends faster than it is served waits."""


@dataclass(frozen=True, slots=True)
class _Message:
    raw: str | bytes


@dataclass(frozen=True, slots=True)
class _Gone:
    """The client closed, or the line broke."""


@dataclass(frozen=True, slots=True)
class _Heard:
    item_id: str
    text: str


@dataclass(frozen=True, slots=True)
class _Thought:
    answer_id: str
    outputs: Sequence[Spoken]


@dataclass(frozen=True, slots=True)
class _Failed:
    error: Exception


@dataclass(frozen=True, slots=True)
class _Due:
    """Time has come for something."""

    at_ms: float


_News: TypeAlias = _Due | _Message | _Gone | _Heard | _Thought | _Failed


class RealtimeConnection:
    """Serves one connection until it ends. `run` raises what a brain, a voice or ears raise."""

    def __init__(
        self,
        socket: ServerConnection,
        profile: RealtimeProfile,
        *,
        number: int,
        model: str,
        planned: PlannedSession,
        timing: Timing,
        speak: Speak | None,
        hear: Hear | None,
        received: Callable[[int, str | bytes], Awaitable[None]],
        sent: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        self._socket = socket
        self._session = RealtimeSession(profile, number=number, model=model, faults=planned.faults, timing=timing)
        self._brain = WithoutEnd(planned.brain, planned.faults)
        self._speak, self._hear = speak, hear
        self._received, self._sent = received, sent
        self._news: asyncio.Queue[_News] = asyncio.Queue(maxsize=WAITING_MESSAGES)
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.get_running_loop()
        self._began_s = self._loop.time()

    async def run(self) -> None:
        self._spawn("reader", self._read())
        try:
            await self._carry_out(self._session.open(self._now_ms()))
            while await self._turn():
                pass
        finally:
            for task in self._tasks:
                task.cancel()
            if self._tasks:
                await asyncio.wait(self._tasks)

    async def _turn(self) -> bool:
        """Wait for the next thing that happens and let the session react; False: the connection is over."""
        news = await self._next()
        now_ms = self._now_ms()
        match news:
            case _Due(at_ms=at_ms):
                return await self._carry_out(self._session.advance(max(at_ms, now_ms)))
            case _Message(raw=raw):
                await self._received(round(now_ms), raw)
                return await self._carry_out(self._session.receive(raw, now_ms))
            case _Heard(item_id=item_id, text=text):
                return await self._carry_out(self._session.recognised(item_id, text, now_ms))
            case _Thought(answer_id=answer_id, outputs=outputs):
                return await self._carry_out(self._session.answered(answer_id, outputs, now_ms))
            case _Failed(error=error):
                raise error
            case _Gone():
                return False

    async def _next(self) -> _News:
        """What happens next."""
        due_ms = self._session.next_ms
        if not self._news.empty():
            return self._news.get_nowait()
        try:
            async with asyncio.timeout_at(None if due_ms is None else self._began_s + due_ms / 1000):
                return await self._news.get()
        except TimeoutError:
            assert due_ms is not None
            return _Due(due_ms)  # a loop may wake a rounding error early

    async def _carry_out(self, actions: Sequence[Action]) -> bool:
        from websockets.exceptions import ConnectionClosed

        try:
            for action in actions:
                match action:
                    case SendEvent(event=event):
                        await self._socket.send(orjson.dumps(event).decode())
                        await self._sent(event)
                    case SendText(text=text):
                        await self._socket.send(text)
                    case Close(code=code, reason=reason):
                        await self._socket.close(code, reason)
                        return False
                    case Drop():
                        self._socket.transport.abort()
                        return False
                    case Recognise():
                        self._spawn("ears", self._recognise(action))
                    case Ask():
                        self._spawn("brain", self._think(action))
        except ConnectionClosed:
            return False
        return True

    async def _read(self) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            async for raw in self._socket:
                await self._news.put(_Message(raw))
        except ConnectionClosed:
            pass
        await self._news.put(_Gone())

    async def _recognise(self, asked: Recognise) -> None:
        text = UNRECOGNISED
        if self._hear is not None:
            text = await self._loop.run_in_executor(None, self._hear, to_bus(asked.samples, asked.rate_hz))
        await self._news.put(_Heard(asked.item_id, text))

    async def _think(self, asked: Ask) -> None:
        outputs = [Say(asked.dictated)] if asked.dictated is not None else self._brain.respond(asked.view)
        spoken = []
        for output in outputs:
            voiced = isinstance(output, Say) and asked.speaks
            samples = await self._voice(output.text, asked.rate_hz) if isinstance(output, Say) and voiced else None
            spoken.append(Spoken(output=output, samples=samples))
        await self._news.put(_Thought(asked.answer_id, spoken))

    async def _voice(self, text: str, rate_hz: int) -> Pcm:
        if self._speak is None:
            return speech_like(text, rate_hz)
        return resampled(await self._loop.run_in_executor(None, self._speak, text), BUS_HZ, rate_hz)

    def _spawn(self, name: str, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._reported(work), name=f"double's {name}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reported(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as error:
            await self._news.put(_Failed(error))

    def _now_ms(self) -> float:
        return (self._loop.time() - self._began_s) * 1000
