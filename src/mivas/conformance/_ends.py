"""What stands around an adapter in a call: the caller, the way between them, and a state service that does as told."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from mivas.harness import ToolsUnreachable
from mivas.line.spoken import BUS_HZ, FRAME_MS, Line, Pcm, Playout

AUDIBLE = 100
"""Amplitude from which a frame holds somebody's voice."""
ECHO_MS = 100
"""How late an echo comes back."""
Envelope: TypeAlias = Mapping[str, Any]


@dataclass(slots=True)
class Tools:
    """The way to a state service that answers whatever it is told to."""

    answer: Callable[[str, Mapping[str, Any]], Envelope] = lambda name, _: {"ok": True, "data": {"found": name}}
    takes_s: float = 0.0
    unreachable: bool = False
    posts: list[tuple[str, dict[str, Any], str]] = field(default_factory=list)
    """Tool, arguments and acting node of each call that was posted."""

    async def post(self, name: str, arguments: Mapping[str, Any], *, node: str, call_ref: str) -> Envelope:  # noqa: ARG002
        await asyncio.sleep(self.takes_s)
        if self.unreachable:
            raise ToolsUnreachable("connection refused")
        self.posts.append((name, dict(arguments), node))
        return self.answer(name, arguments)


@dataclass(slots=True)
class Room:
    """The way from the caller to the agent."""

    echo: float = 0.0
    """Share of the agent's voice that comes back."""
    noise: int = 0
    """Standard deviation of a steady noise, in samples' units."""
    _back: deque[Pcm] = field(default_factory=lambda: deque(maxlen=ECHO_MS // FRAME_MS))
    _random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    def process(self, frame: Pcm) -> Pcm:
        mixed = frame.astype(np.float64)
        if self.echo and len(self._back) == self._back.maxlen:
            mixed += self.echo * self._back[0]
        if self.noise:
            mixed += self._random.normal(0, self.noise, len(frame))
        return np.asarray(mixed.clip(-32768, 32767), dtype=np.int16)

    def returning(self, frame: Pcm) -> None:
        self._back.append(frame)


@dataclass(frozen=True, slots=True)
class Quiet:
    """The way from the agent to the caller: as it is."""

    def process(self, frame: Pcm) -> Pcm:
        return frame

    def returning(self, frame: Pcm) -> None: ...


class Caller:
    """The caller's end, and what its script can do. Waits look every 20 ms."""

    def __init__(self) -> None:
        self.playout = Playout()
        self.frames: list[Pcm] = []
        self.times_ms: list[int] = []
        self.line: Line | None = None

    def hear(self, frame: Pcm, t_ms: int) -> None:
        self.frames.append(frame)
        self.times_ms.append(t_ms)

    @property
    def hears_agent(self) -> bool:
        return bool(self.frames) and is_audible(self.frames[-1])

    def silence_ms(self) -> int:
        """For how long the agent has been silent."""
        for back, frame in enumerate(reversed(self.frames)):
            if is_audible(frame):
                return back * FRAME_MS
        return len(self.frames) * FRAME_MS

    async def until_agent_speaks(self) -> None:
        await self._until(lambda: self.hears_agent)

    async def until_agent_spoke(self, quiet_ms: int = 800) -> None:
        """Until the agent has begun to speak, from now on, and kept silent for a while."""
        await self.until_agent_speaks()
        await self._until(lambda: self.silence_ms() >= quiet_ms)

    async def speak(self, ms: int = 1500, level: int = 6000) -> None:
        """Say something that long, and return when it was said."""
        self.playout.say("caller", voice(ms, level))
        await self._until(lambda: not self.playout.speaking)

    async def wait(self, ms: int) -> None:
        await asyncio.sleep(ms / 1000)

    def hang_up(self) -> None:
        assert self.line is not None
        self.line.hang_up("caller", "caller hung up")

    async def _until(self, holds: Callable[[], bool]) -> None:
        await asyncio.sleep(FRAME_MS / 1000)
        while not holds():  # noqa: ASYNC110 (what it waits for happens frame by frame)
            await asyncio.sleep(FRAME_MS / 1000)


CallerScript: TypeAlias = Callable[[Caller], Coroutine[Any, Any, None]]


def is_audible(frame: Pcm) -> bool:
    return bool(np.abs(frame.astype(np.int32)).max(initial=0) >= AUDIBLE)


def voice(ms: int, level: int = 6000) -> Pcm:
    """A buzz with the overtones of a voice: int16[n] at 16 kHz, `level` its peak."""
    t = np.arange(BUS_HZ * ms // 1000) / BUS_HZ
    wave = sum(np.sin(2 * np.pi * 140 * k * t + k) / k for k in range(1, 12))
    return np.asarray(wave / np.abs(wave).max(initial=1e-9) * level, dtype=np.int16)
