"""One call in text: agent and caller take turns on the call's clock until somebody hangs up."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Protocol, TypeVar

from mivas.caller import Caller, CallerBroke, Ending
from mivas.harness import Desk, TextAgent
from mivas.line import CallEnded, EndedBy, EventLog, Note, Role, Speech, now_ms

MS_PER_WORD = 400
"""Speaking time in the text tier: 150 words a minute, an ordinary telephone pace."""
SILENCE_MS = 2_000
"""What a turn without words costs on the call's clock."""
CALLER_NOTE = "caller_wording"
"""Code of the notes a caller leaves about how it came to its words."""
HANG_UPS: Mapping[Ending, tuple[EndedBy, str]] = MappingProxyType(
    {
        "done": ("caller", "caller hung up"),
        "goodbye": ("agent", "agent said goodbye"),
        "repeats": ("caller", "caller gave up: got nowhere"),
        "silence": ("caller", "caller gave up: heard nothing"),
        "call_ms": ("caller", "caller gave up: took too long"),
    }
)
"""Why a caller hangs up -> who ended the call, and the reason in `call.ended` (docs/caller.md)."""


class _CallerHungUp(Exception):
    """Ends the turns of a call."""

    def __init__(self, ending: Ending) -> None:
        super().__init__(ending)
        self.ending = ending


async def _guarded(turn: Awaitable[str]) -> str | SystemExit:
    """A turn whose SystemExit is a value: raised inside a task it would end the loop, and with it the run."""
    try:
        return await turn
    except SystemExit as error:
        return error


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCall:
    """The two ends of a call and what records it."""

    desk: Desk
    agent: TextAgent
    caller: Caller
    log: EventLog
    limit_ms: int
    pace: Pace = field(default_factory=VirtualPace)

    async def converse(self) -> None:
        """Talk until the call ends; the last event is `call.ended`.

        One greeting rule: a greeting in the blueprint is spoken as it stands before the agent is asked anything;
        without one the agent opens. Raises whatever the agent raises, and CallerBroke for what the caller does.
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
        unheard: list[str] = []  # what the caller said since the agent was last given its words
        words = self.desk.greeting
        try:
            while True:
                if words is None:
                    words = await self._agents_words(unheard)
                await self._speak("agent", words)
                if self.desk.hang_up is not None:
                    return "agent", self.desk.hang_up.reason
                unheard.append(await self._callers_words(words))
                words = None
        except _CallerHungUp as hang_up:
            return HANG_UPS[hang_up.ending]

    async def _agents_words(self, unheard: list[str]) -> str:
        """The agent's next turn. While it is silent the caller speaks up as its patience runs out, or hangs up.

        The agent hears such a prompt with the caller's next words: a turn in text can't be broken into.
        """
        heard = " ".join(unheard) if unheard else None
        unheard.clear()
        turn = asyncio.create_task(_guarded(self.agent.turn(heard)), name="agent turn")
        try:
            while not (await asyncio.wait({turn}, timeout=self.caller.patience_ms(now_ms()) / 1000))[0]:
                unheard.append(await self._callers_words(""))
        finally:
            turn.cancel()  # does nothing to one that is done
            await asyncio.wait({turn})
            if not turn.cancelled():
                turn.exception()  # whoever hangs up meanwhile needs no report of it
        words = turn.result()
        if isinstance(words, SystemExit):
            raise words
        return words

    async def _callers_words(self, heard: str) -> str:
        """Let the caller answer and speak. Raises _CallerHungUp after its last words, CallerBroke."""
        try:
            reply = self.pace.free(partial(self.caller.reply, heard, now_ms()))
        except Exception as error:
            raise CallerBroke(str(error)) from error
        for text in reply.notes:
            self.log.add(Note(t_ms=now_ms(), node=self.desk.node.id, code=CALLER_NOTE, text=text))
        await self._speak("caller", reply.text)
        if reply.ending is not None:
            raise _CallerHungUp(reply.ending)
        return reply.text

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
