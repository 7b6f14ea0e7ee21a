"""A provider's adapter in a whole call without the provider: its real wire, to a double on the same loop.

Behind the double walks an agent that knows the answer. So everything between the line and the socket is the adapter's
own: sound both ways, events, tools, transfers, the end. `doubled:openai/realtime-2.1-swap` is the harness's name. It
proves an adapter, never a model.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mivas.errors import InputError, UnknownName
from mivas.harness import AgentLine, Capabilities, HangUp, ToolResult, VoiceAgent, load_harness
from mivas.pack import END_CALL, Pack, Task
from mivas.probe._oracle import correct_steps
from mivas.probe._walker import Walker

if TYPE_CHECKING:
    from mivas.fakes.realtime import Output, SessionView
    from mivas.line.spoken import Pcm, Playout

KEY = "double-key"
REVISION = "1"


class DoubledHarness:
    """An adapter whose provider is a double that knows the answers. Never on a leaderboard."""

    capabilities = Capabilities(modes=("voice",), clock="virtual", knows_answers=True)

    def __init__(self, harness: Any) -> None:
        self._harness = harness

    @property
    def revision(self) -> str:
        """Changes with the adapter's: what was proven of an earlier one is no proof of this one."""
        return f"{REVISION}, adapter {self._harness.revision}"

    @property
    def adapter(self) -> str:
        """Name of the harness whose adapter is proven."""
        return str(self._harness.name)

    @property
    def name(self) -> str:
        return f"doubled:{self._harness.name}"

    def knowing(self, task: Task, pack: Pack) -> _ForOneTask:
        """The same adapter for calls of one task."""
        return _ForOneTask(self._harness, task, pack)


def doubled(argument: str | None) -> DoubledHarness:
    """Entry point `mivas.harnesses: doubled`; the argument names the adapter. Raises UnknownName, InputError."""
    if argument is None:
        raise UnknownName("names no adapter", where="harness doubled", mend="add one: doubled:openai/realtime-2.1-swap")
    harness = load_harness(argument)
    if not hasattr(harness, "reached"):
        raise InputError(
            f"{argument} reaches no provider that there is a double of", where="harness doubled", mend="name another"
        )
    return DoubledHarness(harness)


@dataclass(frozen=True, slots=True)
class _ForOneTask:
    harness: Any
    task: Task
    pack: Pack

    def pick_up(self, line: AgentLine) -> VoiceAgent:
        return _DoubledAgent(self, line)


class _DoubledAgent:
    """The adapter's end of one call, once its double listens."""

    def __init__(self, work: _ForOneTask, line: AgentLine) -> None:
        self.playout: Playout = line.playout
        self._work = work
        self._line = line
        self._agent: VoiceAgent | None = None
        self._stack = AsyncExitStack()

    def answer(self) -> None:
        self._line.spawn(self._begin())

    def hear(self, frame: Pcm, t_ms: int) -> None:
        if self._agent is not None:  # the double stands before the line has carried its first frame
            self._agent.hear(frame, t_ms)

    async def aclose(self) -> None:
        if self._agent is not None:
            await self._agent.aclose()
        with suppress(Exception):
            await self._stack.aclose()

    async def _begin(self) -> None:
        from mivas.fakes.realtime import PROFILES, PlannedSession, RealtimeDouble
        from mivas.harness.realtime import Address
        from mivas.speech import AGENT_VOICE, load_voice

        harness = self._work.harness
        voice = load_voice(AGENT_VOICE)
        brain = WalkerBrain(self._work.pack, self._work.task, self._line)
        double = RealtimeDouble(
            PROFILES[harness.profile.name],
            lambda _number: PlannedSession(brain=brain),
            key=KEY,
            speak=lambda text: voice.speak(text, 0),
        )
        await self._stack.enter_async_context(double)
        address = Address(url=f"{double.url}?model={harness.model}", headers={"Authorization": f"Bearer {KEY}"})
        self._agent = harness.reached(address).pick_up(self._line)
        self._agent.answer()


@dataclass(slots=True)
class _Wanted:
    """A tool call on its way; awaiting it hands it to whoever drives the walker, who sends the result back in."""

    name: str
    arguments: Mapping[str, Any]

    def __await__(self) -> Generator[_Wanted, ToolResult, ToolResult]:
        result = yield self
        return result


@dataclass(slots=True)
class _Bench:
    """Where the walker works: in place of a desk, since its calls go over the wire."""

    hang_up: HangUp | None = None
    ending: frozenset[str] = field(default_factory=frozenset)

    async def call(self, name: str, arguments: Mapping[str, Any], *, call_ref: str | None = None) -> ToolResult:
        del call_ref
        result = await _Wanted(name, arguments)
        if name in self.ending and result.carried_out:
            self.hang_up = HangUp(reason=name)
        return result


class WalkerBrain:
    """Walks a task's solution through a provider's double. Implements `Brain`."""

    def __init__(self, pack: Pack, task: Task, line: AgentLine) -> None:
        from mivas.line.spoken import WordListening

        assert line.told is not None
        self._told = WordListening(line.told)
        self._greeting = line.desk.greeting
        bench: Any = _Bench(ending=frozenset({END_CALL, *pack.human_tools}))
        steps = correct_steps(pack, task)
        self._walker = Walker(bench, steps, task, pack.envelope, strict=task.solution is not None)
        self._turn: Any = None
        self._waiting: tuple[str, int] | None = None
        """Id of the call whose result is due, and the session it was made on."""
        self._count = 0
        self._opened = False
        self._given: tuple[Output, ...] = ()
        """The last answer."""
        self._said: set[str] = set()
        """What reached the wire, in whole or in part."""

    def respond(self, session: SessionView) -> Sequence[Output]:
        from mivas.fakes.realtime import CallTool, Say

        lost = self._lost(session)
        if self._waiting is not None and any(isinstance(one, CallTool) for one in lost):
            self._waiting = self._waiting[0], session.session
            self._given = tuple(lost)
        else:
            more = self._next(session)
            words = [one for one in lost if isinstance(one, Say) and one.text not in self._said and one not in more]
            self._given = (*words, *more)
        return self._given

    def _lost(self, session: SessionView) -> Sequence[Output]:
        """What of the last answer never reached the wire, since the caller went on speaking."""
        from mivas.fakes.realtime import Say

        sent = len(self._given) if session.delivered is None else session.delivered
        self._said |= {one.text for one in self._given[:sent] if isinstance(one, Say)}
        return self._given[sent:]

    def _next(self, session: SessionView) -> Sequence[Output]:
        from mivas.fakes.realtime import Say

        if self._waiting is not None:
            result = self._result(session)
            return () if result is None else self._advance(result, session)
        if not self._opened:
            self._opened = True
            if self._greeting is not None:
                return [Say(self._greeting)]
            return self._begin(None, session)
        heard = self._told.words()
        return self._begin(heard, session) if heard else ()

    def complaint(self) -> str | None:
        return None

    def _begin(self, heard: str | None, session: SessionView) -> Sequence[Output]:
        self._turn = self._walker.turn(heard)
        return self._advance(None, session)

    def _advance(self, result: ToolResult | None, session: SessionView) -> Sequence[Output]:
        """Let the walker go on to its next call, or to the end of its turn."""
        from mivas.fakes.realtime import CallTool, Say

        self._waiting = None
        try:
            wanted: _Wanted = self._turn.send(result)
        except StopIteration as stop:
            text = str(stop.value)
            return [Say(text)] if text else []
        self._count += 1
        call = f"call_{self._count}"
        self._waiting = call, session.session
        return [CallTool(tool=wanted.name, arguments=dict(wanted.arguments), call_id=call)]

    def _result(self, session: SessionView) -> ToolResult | None:
        """What came back for the call that is due; None: nothing yet."""
        assert self._waiting is not None
        call, made_on = self._waiting
        given = next((one.output for one in session.outputs if one.call_id == call), None)
        if given is None:
            # A transfer by reconnection gives no result: the next session is the result.
            return ToolResult(output={"success": True}, carried_out=True) if session.session != made_on else None
        try:
            output = json.loads(given)
        except ValueError:
            output = {}
        if not isinstance(output, dict):
            output = {}
        refused = output.get("success") is False and "error" in output and "ok" not in output
        return ToolResult(output=output, carried_out=not refused)
