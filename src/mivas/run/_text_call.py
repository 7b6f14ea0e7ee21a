"""One call in text: agent and caller take turns on the call's clock until somebody hangs up."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, TypeVar

from mivas.caller import Reply
from mivas.harness import Desk, TextAgent
from mivas.line import CallEnded, EndedBy, EventLog, Role, Speech, now_ms

MS_PER_WORD = 400
"""Speaking time in the text tier: 150 words a minute, an ordinary telephone pace."""
SILENCE_MS = 2_000
"""What a turn without words costs on the call's clock."""


T = TypeVar("T")


class Pace(Protocol):
    """What of a text call takes no time to play."""

    async def skip(self, seconds: float) -> None:
        """Let speaking time go by on the call's clock."""

    def free(self, think: Callable[[], T]) -> T:
        """Do what costs the call nothing: our own caller's thinking (it is no part of what is measured)."""


class VirtualPace:
    """On a clock that jumps: sleeping takes no time, thinking never did."""

    async def skip(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def free(self, think: Callable[[], T]) -> T:
        return think()


class _SkippingSelector(selectors.DefaultSelector):
    """Waits like any selector, except while time is skipped: then it moves the clock to the next timer."""

    def __init__(self) -> None:
        super().__init__()
        self.skipping = False
        self.skipped_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if not self.skipping or timeout is None or timeout <= 0:
            return super().select(timeout)
        ready = super().select(0)
        if not ready:
            self.skipped_s += timeout
        return ready


class LiveLoop(asyncio.SelectorEventLoop):
    """Real time from 0 s on, for agents that take some; speaking time is added, not waited for.

    One loop is one call, its time that call's clock.
    """

    def __init__(self) -> None:
        self._skipping = _SkippingSelector()
        super().__init__(self._skipping)
        self._start_s = super().time()

    def time(self) -> float:
        return super().time() - self._start_s + self._skipping.skipped_s

    async def skip(self, seconds: float) -> None:
        """Pass that time on the clock without waiting; timers due in between fire at their time."""
        self._skipping.skipping = True
        try:
            await asyncio.sleep(seconds)
        finally:
            self._skipping.skipping = False

    def free(self, think: Callable[[], T]) -> T:
        """Run it with the clock stopped. Only for what never awaits: nobody can look at the clock meanwhile."""
        start_s = super().time()
        try:
            return think()
        finally:
            self._skipping.skipped_s -= super().time() - start_s


class TextCaller(Protocol):
    """The caller's mind in one text call."""

    def reply(self, heard_text: str) -> Reply:
        """Answer the agent's latest words; "" when it kept silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCall:
    """The two ends of a call and what records it."""

    desk: Desk
    agent: TextAgent
    caller: TextCaller
    log: EventLog
    limit_ms: int
    pace: Pace = field(default_factory=VirtualPace)

    async def converse(self) -> None:
        """Talk until the call ends; the last event is `call.ended`.

        One greeting rule: a greeting in the blueprint is spoken as it stands before the agent is asked anything;
        without one the agent opens. Raises whatever the agent raises.
        """
        try:
            async with asyncio.timeout(self.limit_ms / 1000) as cap:
                by, reason = await self._turns()
        except TimeoutError:
            if not cap.expired():  # the agent's own, not the call's
                raise
            by, reason = "limit", f"the call reached its cap of {self.limit_ms} ms"
        self.log.add(CallEnded(t_ms=now_ms(), node=self.desk.node.id, by=by, reason=reason))

    async def _turns(self) -> tuple[EndedBy, str]:
        words = self.desk.greeting if self.desk.greeting is not None else await self.agent.turn(None)
        while True:
            await self._speak("agent", words)
            if self.desk.hang_up is not None:
                return "agent", self.desk.hang_up.reason
            reply = self.pace.free(partial(self.caller.reply, words))
            await self._speak("caller", reply.text)
            if reply.hangs_up:
                return "caller", "caller hung up"
            words = await self.agent.turn(reply.text)

    async def _speak(self, role: Role, text: str) -> None:
        start_ms = now_ms()
        words = len(text.split())
        await self.pace.skip((words * MS_PER_WORD if words else SILENCE_MS) / 1000)
        if words:
            self.log.add(
                Speech(
                    t_ms=start_ms,
                    node=self.desk.node.id,
                    role=role,
                    text=text,
                    start_ms=start_ms,
                    end_ms=now_ms(),
                )
            )
