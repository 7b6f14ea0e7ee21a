"""The caller on the line: its mind behind a mouth and ears, taking turns. Needs the extra `voice`.

The caller's own thinking, speaking and hearing costs no time on a virtual clock: what is measured is the agent.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from random import Random
from typing import Any, Protocol

from mivas.caller._decision import Ending
from mivas.caller._engine import Caller, CallerBroke, Reply
from mivas.caller._manner import Manner, Range
from mivas.line import Role, now_ms
from mivas.line.spoken import FRAME_MS, Listening, Pcm, Playout

SHORTEST_SPEECH_MS = 120
"""Speech below which a sound was none."""
BACKCHANNELS = ("mm-hm", "okay", "uh-huh")


class Sink(Protocol):
    """What becomes known of a call besides its sound."""

    def caller_heard(self, text: str) -> None:
        """The caller took a turn of the agent's and made this of it."""

    def caller_noted(self, text: str) -> None:
        """How the caller came to its words."""

    def interrupted(self, by: Role, at_ms: int) -> None:
        """One side's speech was cut by the other's."""

    def caller_leaves(self, ending: Ending) -> None:
        """The caller hangs up."""


class SpokenCaller:
    """One person on the line.

    Args:
        playout: its mouth.
        spawn: starts work on the call's loop; whoever gave it sees to what it raises (CallerBroke).
        seed: of its timing, which depends on nothing that the line does.
    """

    def __init__(
        self,
        caller: Caller,
        *,
        playout: Playout,
        speak: Callable[[str], Pcm],
        listening: Listening,
        manner: Manner,
        seed: int,
        sink: Sink,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
    ) -> None:
        self.playout = playout
        self._caller = caller
        self._speak = speak
        self._listening = listening
        self._manner = manner
        self._draws = Random(f"turn taking {seed}")  # noqa: S311 - timing, no secret
        self._sink = sink
        self._spawn = spawn
        self._busy = False
        self._ending: Ending | None = None
        self._patient_until_ms: int | None = None
        self._speaks_since_ms: int | None = None
        self._cut_in = False
        self._backchannel = False
        self._new_turn()

    def hear(self, frame: Pcm, t_ms: int) -> None:
        self._listening.frame(frame)
        if self._busy:
            return
        if self._ending is not None:
            if not self.playout.speaking:
                self._sink.caller_leaves(self._ending)
            return
        if self.playout.speaking:
            self._patient_until_ms = None
            self._while_speaking(t_ms)
            return
        self._after_speaking()
        if self._listening.speech_ms and self._listening.silence_ms < self._end_of_turn_ms:
            self._patient_until_ms = None
            self._while_agent_speaks(t_ms)
        elif self._listening.speech_ms >= SHORTEST_SPEECH_MS:
            self._begin(self._answer())
        else:
            self._in_silence(t_ms)

    def _new_turn(self) -> None:
        self._end_of_turn_ms = self._draw(self._manner.end_of_turn_ms)
        self._cuts_in_ms = self._draw(self._manner.cuts_in_ms) if self._manner.cuts_in_ms else None
        self._backchannel_ms = self._draw(self._manner.backchannel_ms) if self._manner.backchannel_ms else None

    def _draw(self, within: Range) -> int:
        return self._draws.randint(*within)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._busy = True
        self._patient_until_ms = None
        self._spawn(work)

    def _while_speaking(self, t_ms: int) -> None:
        """Stop talking when the agent talks into it long enough."""
        if self._speaks_since_ms is None:
            self._speaks_since_ms = t_ms
        limit_ms = self._manner.gives_way_ms
        overlap_ms = min(self._listening.run_ms, t_ms - self._speaks_since_ms)
        if limit_ms is None or self._backchannel or overlap_ms < limit_ms:
            return
        if self.playout.cut(t_ms + FRAME_MS) is not None:  # this frame's sound is on its way
            self._sink.interrupted("agent", t_ms + FRAME_MS)

    def _after_speaking(self) -> None:
        """Forget what the agent said while it was being cut off: that turn is answered."""
        if self._speaks_since_ms is not None and self._cut_in and self._listening.silence_ms:
            self._listening.drop()
        if self._speaks_since_ms is not None:
            self._cut_in = self._backchannel = False
        self._speaks_since_ms = None

    def _while_agent_speaks(self, t_ms: int) -> None:
        if self._cuts_in_ms is not None and self._listening.speech_ms >= self._cuts_in_ms:
            self._cut_in = True
            self._sink.interrupted("caller", t_ms)
            self._begin(self._answer())
        elif self._backchannel_ms is not None and self._listening.speech_ms >= self._backchannel_ms:
            self._backchannel_ms = None
            self._backchannel = True
            self._begin(self._say(self._draws.choice(BACKCHANNELS)))

    def _in_silence(self, t_ms: int) -> None:
        if self._listening.speech_ms:
            self._listening.drop()
        if self._patient_until_ms is None:
            self._patient_until_ms = t_ms + self._caller.patience_ms(t_ms)
        if t_ms >= self._patient_until_ms:
            self._begin(self._reply(""))

    async def _answer(self) -> None:
        """The agent's turn is over, or long enough: make out its words and answer them."""
        self._new_turn()
        words = await self._own(self._listening.take())
        self._sink.caller_heard(words)
        if words:
            await self._reply(words)
        else:
            self._busy = False

    async def _reply(self, words: str) -> None:
        answer = partial(self._caller.reply, words, now_ms())
        reply: Reply = await self._own(asyncio.get_running_loop().run_in_executor(None, answer))
        for text in reply.notes:
            self._sink.caller_noted(text)
        self._ending = reply.ending
        await self._say(reply.text)

    async def _say(self, text: str) -> None:
        if text:
            pcm = await self._own(asyncio.get_running_loop().run_in_executor(None, self._speak, text))
            self.playout.say(text, pcm)
        self._busy = False

    @staticmethod
    async def _own(work: Any) -> Any:
        """What the caller does itself: no fault of the agent's when it breaks."""
        try:
            return await work
        except Exception as error:
            raise CallerBroke(str(error)) from error
