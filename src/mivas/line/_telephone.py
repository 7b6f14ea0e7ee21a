"""The line between two ends: one tick per 20 ms carries a frame each way, through a channel each, into a recording.

The one pacer of all calls (runtime.md 13.2): ticks stand at fixed times from the start, on any loop's clock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from mivas.line._clock import now_ms
from mivas.line._events import EndedBy
from mivas.line._pcm import FRAME_MS, Pcm
from mivas.line._playout import Playout

FRAME_S = FRAME_MS / 1000


class End(Protocol):
    """Whoever talks at one end."""

    playout: Playout

    def hear(self, frame: Pcm, t_ms: int) -> None:
        """Take the 20 ms that arrive at `t_ms`: int16, mono, 16 kHz. Doesn't block."""


class Path(Protocol):
    """One direction: what a frame becomes on its way."""

    def process(self, frame: Pcm) -> Pcm: ...

    def returning(self, frame: Pcm) -> None:
        """The other direction's sound of the same tick as it left its speaker; some of it may come back as an echo."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HungUp:
    """Why the line is dead."""

    by: EndedBy
    reason: str


class Line:
    """Two ends, connected.

    Args:
        to_agent, to_caller: what the sound goes through.
        record: gets both frames of each tick as they arrived: the caller's, the agent's.
    """

    def __init__(
        self,
        *,
        caller: End,
        agent: End,
        to_agent: Path,
        to_caller: Path,
        record: Callable[[Pcm, Pcm], None] = lambda _caller, _agent: None,
    ) -> None:
        self._caller, self._agent = caller, agent
        self._to_agent, self._to_caller = to_agent, to_caller
        self._record = record
        self.hung_up: HungUp | None = None
        self.out_ms = 0
        """Up to when sound has left both ends, on the call's clock."""
        self.latest_ms = 0
        """By how much the latest tick of the call came too late. Always 0 on a virtual clock."""

    def hang_up(self, by: EndedBy, reason: str) -> None:
        """Ends the call with the running tick. The first one to hang up counts."""
        if self.hung_up is None:
            self.hung_up = HungUp(by=by, reason=reason)

    async def carry(self) -> HungUp:
        """Carry sound until somebody hangs up."""
        loop = asyncio.get_running_loop()
        start_s, start_ms, tick = loop.time(), now_ms(), 0
        while self.hung_up is None:
            self._tick(start_ms + tick * FRAME_MS)
            tick += 1
            wait_s = start_s + tick * FRAME_S - loop.time()
            if wait_s < 0:
                self.latest_ms = max(self.latest_ms, round(-wait_s * 1000))
            await asyncio.sleep(max(wait_s, 0))
        return self.hung_up

    def _tick(self, t_ms: int) -> None:
        self.out_ms = t_ms + FRAME_MS
        callers, agents = self._caller.playout.next_frame(t_ms), self._agent.playout.next_frame(t_ms)
        self._to_agent.returning(agents)
        self._to_caller.returning(callers)
        to_agent, to_caller = self._to_agent.process(callers), self._to_caller.process(agents)
        self._record(to_agent, to_caller)
        self._agent.hear(to_agent, t_ms)
        self._caller.hear(to_caller, t_ms)
