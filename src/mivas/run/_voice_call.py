"""One spoken call: two ends on a line, on the call's clock, recorded, until somebody hangs up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from mivas.caller import Caller, Ending, Manner
from mivas.caller.spoken import SpokenCaller
from mivas.harness import AgentLine, Desk, RemoteCall, TextAgent, VoiceAgent, VoiceHarness
from mivas.harness.spoken import SpokenTextAgent
from mivas.line import CallEnded, EndedBy, EventLog, Interruption, Note, Role, now_ms
from mivas.line.spoken import AcousticListening, Line, Listening, Path, Pcm, Playout, SpeechLog, WordListening
from mivas.run._text_call import CALLER_NOTE, HANG_UPS

WAITING_FOR_TASKS_S = 5.0
"""How long work that a call left behind may take to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound:
    """What a call sounds like and is heard with."""

    caller_voice: Callable[[str], Pcm]
    agent_voice: Callable[[str], Pcm]
    caller_ears: Callable[[Pcm], str] | None
    """None: words are passed beside the sound."""
    agent_ears: Callable[[Pcm], str] | None
    """None: the same, for the agent."""
    to_agent: Path
    to_caller: Path
    record: Callable[[Pcm, Pcm], None]
    """Gets each frame as it arrived: the caller's, the agent's."""
    manner: Manner
    seed: int
    """Of the caller's timing."""


AnswerCall: TypeAlias = Callable[[AgentLine, Playout], VoiceAgent]
"""Makes the agent's end of a call; gets the caller's mouth too, for words that are passed beside the sound."""


class VoiceCall:
    """The two ends of a spoken call and what records it."""

    def __init__(
        self, *, desk: Desk, answer: AnswerCall, caller: Caller, log: EventLog, limit_ms: int, sound: Sound
    ) -> None:
        self._desk = desk
        self._log = log
        self._limit_ms = limit_ms
        self._tasks: set[asyncio.Task[None]] = set()
        self._broke: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        callers, agents = Playout(), Playout()
        self._said = {"caller": SpeechLog("caller", callers, log), "agent": SpeechLog("agent", agents, log)}
        self._passes = {"caller": sound.agent_ears is None, "agent": sound.caller_ears is None}
        """Role -> whether its words reach the other side beside the sound."""
        self._agent = answer(AgentLine(desk=desk, playout=agents, sink=self, spawn=self._spawn), callers)
        self._caller = SpokenCaller(
            caller,
            playout=callers,
            speak=sound.caller_voice,
            listening=_listening(sound.caller_ears, agents),
            manner=sound.manner,
            seed=sound.seed,
            sink=self,
            spawn=self._spawn,
        )
        self._line = Line(
            caller=self._caller,
            agent=self._agent,
            to_agent=sound.to_agent,
            to_caller=sound.to_caller,
            record=sound.record,
        )

    async def converse(self) -> None:
        """Talk until the call ends; the last event is `call.ended`.

        Raises whatever the agent raises, and CallerBroke for what the caller does.
        """
        try:
            async with asyncio.timeout(self._limit_ms / 1000) as cap:
                by, reason = await self._carry()
        except TimeoutError:
            if not cap.expired():  # the agent's own, not the call's
                raise
            by, reason = "limit", f"the call reached its cap of {self._limit_ms} ms"
        finally:
            await self._stop_work()
            await self._agent.aclose()
            for end in (self._caller, self._agent):
                end.playout.cut(now_ms())
            for role, said in self._said.items():
                said.close(passed=self._passes[role])
        self._log.add(CallEnded(t_ms=now_ms(), node=self._desk.node.id, by=by, reason=reason))

    async def _carry(self) -> tuple[EndedBy, str]:
        self._agent.answer()
        carrying = asyncio.create_task(self._line.carry(), name="line")
        try:
            ends: set[asyncio.Future[Any]] = {carrying, self._broke}
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if self._broke.done():
                self._broke.result()
            hung_up = carrying.result()
            return hung_up.by, hung_up.reason
        finally:
            carrying.cancel()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guarded(work), name="turn")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        """Whatever a turn raises ends the call, not the loop: SystemExit in a task would."""
        try:
            await work
        except asyncio.CancelledError:
            if not _is_cancelled() and not self._broke.done():
                self._broke.set_exception(RuntimeError("the agent's turn was cancelled from within"))
            raise
        except (Exception, SystemExit) as error:
            if not self._broke.done():
                self._broke.set_exception(error)

    async def _stop_work(self) -> None:
        tasks = set(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=WAITING_FOR_TASKS_S)
        if self._broke.done():
            self._broke.exception()  # told already, or too late to matter
        else:
            self._broke.cancel()

    # What the ends tell of the call (`Sink`).

    def agent_heard(self, text: str) -> None:
        self._said["caller"].heard(None if self._passes["caller"] else text)

    def caller_heard(self, text: str) -> None:
        self._said["agent"].heard(None if self._passes["agent"] else text)

    def caller_noted(self, text: str) -> None:
        self._log.add(Note(t_ms=now_ms(), node=self._desk.node.id, code=CALLER_NOTE, text=text))

    def interrupted(self, by: Role, at_ms: int) -> None:
        self._log.add(Interruption(t_ms=at_ms, node=self._desk.node.id, by=by, at_ms=at_ms))
        cut_off: Role = "agent" if by == "caller" else "caller"
        self._said[cut_off].settle(passed=self._passes[cut_off])

    def caller_leaves(self, ending: Ending) -> None:
        self._line.hang_up(*HANG_UPS[ending])

    def agent_hangs_up(self, reason: str) -> None:
        self._line.hang_up("agent", reason)

    def agent_lost(self, reason: str) -> None:
        self._line.hang_up("provider", reason)

    def out_ms(self) -> int:
        return self._line.out_ms


def lent_a_voice(agent: TextAgent, sound: Sound) -> AnswerCall:
    """How a text agent takes a spoken call: with voice and ears that aren't its own."""

    def answer(line: AgentLine, callers: Playout) -> VoiceAgent:
        return SpokenTextAgent(agent, line, speak=sound.agent_voice, listening=_listening(sound.agent_ears, callers))

    return answer


def by_itself(harness: VoiceHarness, remote: RemoteCall | None = None, *, told: bool = False) -> AnswerCall:
    """How a harness takes a spoken call whose agents hear and speak by themselves, here or elsewhere.

    Args:
        told: the agent knows the answers and is told what the caller says.
    """
    return lambda line, callers: harness.pick_up(replace(line, remote=remote, told=callers if told else None))


def _listening(ears: Callable[[Pcm], str] | None, other: Playout) -> Listening:
    return WordListening(other) if ears is None else AcousticListening(ears)


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
