"""Any text agent on the line: ears, its mind, a voice. Needs the extra `voice`.

What an agent takes to think is on the call's clock; hearing and speaking cost nothing on a virtual one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from mivas.harness._call_end import AgentLine
from mivas.harness._harness import TextAgent
from mivas.line.spoken import FRAME_MS, Listening, Pcm

SHORTEST_SPEECH_MS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTaking:
    """How a spoken text agent takes turns. ms."""

    end_of_turn_ms: int = 800
    """The caller's silence after which it answers."""
    barge_in_ms: int = 400
    """The caller's speech into its own after which it stops; shorter sounds are backchannels."""
    quiet_ms: int = 500
    """Silence after its last words before it hangs up, so that the goodbye is heard."""


class SpokenTextAgent:
    """One call of a text agent that hears and speaks.

    Args:
        speak: from words to sound; runs in a thread.
    """

    def __init__(
        self,
        agent: TextAgent,
        line: AgentLine,
        *,
        speak: Callable[[str], Pcm],
        listening: Listening,
        turn_taking: TurnTaking | None = None,
    ) -> None:
        self.playout = line.playout
        self._desk = line.desk
        self._sink = line.sink
        self._spawn = line.spawn
        self._agent = agent
        self._speak = speak
        self._listening = listening
        self._turn_taking = turn_taking or TurnTaking()
        self._busy = False
        self._silent_since_ms: int | None = None
        self._speaks_since_ms: int | None = None

    async def aclose(self) -> None:
        await self._agent.aclose()

    def answer(self) -> None:
        """Pick up: a greeting in the blueprint is spoken as it stands; without one the agent opens."""
        greeting = self._desk.greeting
        self._begin(self._turn(None) if greeting is None else self._say(greeting))

    def hear(self, frame: Pcm, t_ms: int) -> None:
        self._listening.frame(frame)
        if self._busy:
            return
        if self.playout.speaking:
            self._silent_since_ms = None
            self._while_speaking(t_ms)
            return
        self._after_speaking()
        if self._desk.hang_up is not None:
            self._end(t_ms, self._desk.hang_up.reason)
        elif self._listening.speech_ms and self._listening.silence_ms >= self._turn_taking.end_of_turn_ms:
            if self._listening.speech_ms >= SHORTEST_SPEECH_MS:
                self._begin(self._listen())
            else:
                self._listening.drop()

    def _while_speaking(self, t_ms: int) -> None:
        """Barge-in: stop when the caller talks into it for longer than a backchannel."""
        if self._speaks_since_ms is None:
            self._speaks_since_ms = t_ms
        overlap_ms = min(self._listening.run_ms, t_ms - self._speaks_since_ms)
        out_ms = t_ms + FRAME_MS  # this frame's sound is on its way
        if overlap_ms >= self._turn_taking.barge_in_ms and self.playout.cut(out_ms) is not None:
            self._sink.interrupted("caller", out_ms)

    def _after_speaking(self) -> None:
        """Forget a backchannel that came into its own speech: nobody took the turn."""
        spoke, self._speaks_since_ms = self._speaks_since_ms is not None, None
        short = 0 < self._listening.speech_ms < self._turn_taking.barge_in_ms
        if spoke and short and self._listening.silence_ms:
            self._listening.drop()
            self._sink.agent_heard("")

    def _end(self, t_ms: int, reason: str) -> None:
        if self._silent_since_ms is None:
            self._silent_since_ms = t_ms
        if t_ms - self._silent_since_ms >= self._turn_taking.quiet_ms:
            self._sink.agent_hangs_up(reason)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._busy = True
        self._spawn(work)

    async def _listen(self) -> None:
        words = await self._listening.take()
        self._sink.agent_heard(words)
        if words:
            await self._turn(words)
        else:
            self._busy = False

    async def _turn(self, heard: str | None) -> None:
        await self._say(await self._agent.turn(heard))

    async def _say(self, text: str) -> None:
        if text.strip():
            pcm = await asyncio.get_running_loop().run_in_executor(None, self._speak, text)
            self.playout.say(text, pcm, node=self._desk.node.id)
        self._busy = False
