"""The agent's end of a spoken call with a real-time model behind it: one core for every provider.

It decides nothing of a case. It carries sound both ways, builds the declared agents, carries out tools and transfers at
the desk, makes the agent speak first, gives way when the caller does, and hangs up after the last words.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mivas.harness._call_end import AgentSink
from mivas.harness._desk import Desk
from mivas.harness.realtime._echo import EchoGate
from mivas.harness.realtime._events import (
    AgentSound,
    AgentSoundEnded,
    AgentWords,
    CallerSpeechStarted,
    CallerSpeechStopped,
    CallerWords,
    CancelResponse,
    Configure,
    GoingAway,
    Interrupted,
    ProviderError,
    ProviderEvent,
    Remembered,
    Respond,
    ResponseEnded,
    ResponseStarted,
    Seed,
    SendSound,
    SendToolOutput,
    SessionClosed,
    SessionConfigured,
    SessionReady,
    ToolCalled,
    ToolCallsWithdrawn,
    ToolOffer,
    Truncate,
    Unreadable,
)
from mivas.harness.realtime._resampling import Resampling
from mivas.harness.realtime._session import ProviderSession, SessionLost
from mivas.line.spoken import BUS_HZ, FRAME_MS, Pcm, Playout, Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRules:
    """How the core runs a call. ms."""

    nudge_after_ms: int = 3_000
    """The agent's silence after which it is asked again to open the call."""
    nudges: int = 5
    configured_within_ms: int = 5_000
    """How long a new configuration may stay unacknowledged before the core goes on without."""
    kept_sound_ms: int = 1_000
    """Newest sound of the caller that is kept while no session listens."""
    quiet_ms: int = 1_000
    """Silence after the last words before the line is hung up."""
    longest_goodbye_ms: int = 20_000
    resumptions: int = 3
    """How often a session that was lost in mid-call is taken up again."""
    remembered_turns: int = 40
    most_tools_in_a_response: int = 32
    """Calls of one answer that are carried out; a provider may send no end of them."""
    most_tools_in_a_call: int = 500
    longest_ahead_ms: int = 300_000
    """Sound of the agent's that may wait to be played; what comes beyond it is dropped."""
    most_notes_of_a_kind: int = 50


@dataclass(slots=True)
class _Answer:
    """One answer of the model's, from its first event to its last."""

    id: str
    tools: int = 0
    spoke: bool = False
    ended: bool = False


@dataclass(slots=True)
class _Turns:
    """What is known of who is doing what."""

    answering: _Answer | None = None
    caller_speaks: bool = False
    pending_tools: int = 0
    wants_response: bool = False
    has_spoken: bool = False
    items: dict[str, Utterance] = field(default_factory=dict)
    """Utterances by the provider's item id."""
    tools: int = 0
    """Calls so far."""
    cut_items: set[str] = field(default_factory=set)
    """Items whose rest is no longer wanted."""


class RealtimeAgent:
    """One call. Implements `VoiceAgent`.

    Args:
        connect: makes a session that isn't open yet; called again for a transfer by reconnection and after a loss.
        offers: the active node's tools as the provider may see them.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        connect: Callable[[], ProviderSession],
        sink: AgentSink,
        spawn: Callable[[Coroutine[Any, Any, None]], object],
        playout: Playout,
        rules: CallRules | None = None,
    ) -> None:
        self.playout = playout
        self._desk = desk
        self._connect = connect
        self._sink = sink
        self._spawn = spawn
        self._rules = rules or CallRules()
        self._session = connect()
        self._turns = _Turns()
        self._echo = EchoGate()
        self._to_provider = Resampling(BUS_HZ, self._session.capabilities.input_hz)
        self._from_provider = Resampling(self._session.capabilities.output_hz, BUS_HZ)
        self._sound: asyncio.Queue[bytes] = asyncio.Queue(maxsize=self._rules.kept_sound_ms // FRAME_MS)
        self._listening = asyncio.Event()
        """Set while a configured session takes sound."""
        self._configured = asyncio.Event()
        self._tools = asyncio.Lock()
        self._memory: list[Remembered | Utterance] = []
        """What was said, in order; how much of an utterance was heard shows once it was played."""
        self._resumptions = 0
        self._closed = False
        self._noted: Counter[str] = Counter()
        self._idle_since_ms: int | None = None
        self._ending_since_ms: int | None = None

    # The line's side.

    def answer(self) -> None:
        """Pick up: connect, configure, make the agent speak first."""
        self._spawn(self._run())
        self._spawn(self._send_sound())

    def hear(self, frame: Pcm, t_ms: int) -> None:
        """Take 20 ms of the caller. While no session listens, only the newest second is kept."""
        for admitted in self._echo.admit(frame, agent_speaks=self._is_sounding()):
            pcm = self._to_provider.convert(admitted)
            if self._sound.full():
                self._sound.get_nowait()
            self._sound.put_nowait(pcm.tobytes())
        if self._desk.hang_up is not None:
            self._towards_the_end(t_ms)

    async def aclose(self) -> None:
        self._closed = True
        await self._session.close()

    @property
    def has_spoken(self) -> bool:
        """Whether the agent said anything in this call."""
        return self._turns.has_spoken

    def sounding(self) -> tuple[str, int] | None:
        """The provider's item that is being played, and how much of it went out, in ms."""
        for item, utterance in self._turns.items.items():
            if utterance.start_ms is not None and utterance.end_ms is None:
                return item, utterance.heard_ms
        return None

    def _is_sounding(self) -> bool:
        return self.playout.speaking and self.playout.queued_ms > 0

    async def _send_sound(self) -> None:
        while not self._closed:
            pcm = await self._sound.get()
            await self._listening.wait()
            while not self._sound.empty():  # what had to wait goes in one piece
                pcm += self._sound.get_nowait()
            await self._session.send(SendSound(pcm=pcm))

    # The session's side.

    async def _run(self) -> None:
        try:
            await self._begin(seed=False)
            self._spawn(self._open_the_call())
            while not self._closed:
                session = self._session
                async for event in session.events():
                    if session is not self._session:  # another one has taken over
                        break
                    await self._act(event)
                if session is self._session and not self._closed:
                    await self._take_up_again("the connection was lost")
        except SessionLost as lost:
            if not self._closed:
                self._sink.agent_lost(lost.reason)

    async def _begin(self, *, seed: bool) -> None:
        """Open a session and set it to the active node. Raises SessionLost."""
        await self._session.open()
        self._configured.clear()
        await self._configure(first=True, opening=not seed)
        if seed:
            await self._session.send(Seed(turns=tuple(self._remembered())))
        self._spawn(self._go_on_unacknowledged(self._session))

    async def _go_on_unacknowledged(self, session: ProviderSession) -> None:
        """A session whose first configuration is never confirmed is used all the same: the confirmation may be lost."""
        try:
            async with asyncio.timeout(self._rules.configured_within_ms / 1000):
                await self._listening.wait()
        except TimeoutError:
            if session is self._session and not self._closed:
                self._desk.note("unacknowledged", "the provider never confirmed the configuration")
                self._listening.set()

    async def _configure(self, *, first: bool, opening: bool) -> None:
        instructions = self._desk.node.instructions
        if opening and self._desk.greeting is not None:
            instructions += opening_note(self._desk.greeting)
        offers = tuple(
            ToolOffer(name=tool.name, description=tool.description, parameters=tool.input_schema)
            for tool in self._desk.tools
        )
        await self._session.send(Configure(instructions=instructions, tools=offers, first=first))

    async def _take_up_again(self, why: str) -> None:
        """Go on with a new session that is told what was said. Raises SessionLost after too many."""
        self._listening.clear()
        if self._resumptions >= self._rules.resumptions:
            raise SessionLost(f"{why}, {self._resumptions + 1} times")
        self._resumptions += 1
        answer = self._turns.answering
        owes_answer = answer is not None and not answer.ended and self._turns.has_spoken
        self._desk.note("session_resumed", why)
        await self._session.close()
        self._session = self._connect()
        self._turns.answering = None
        self._finish_items()
        await self._begin(seed=bool(self._memory))
        if owes_answer:  # nobody else would ask for what was cut off
            await self._session.send(Respond())

    async def _open_the_call(self) -> None:
        """Ask for the first words, and again while none come: a request may be lost (failure-modes.md 1, 2)."""
        await self._listening.wait()
        for _ in range(self._rules.nudges):
            if self._turns.has_spoken or self._closed:
                return
            answer = self._turns.answering
            if answer is None or answer.ended:
                await self._session.send(Respond(opening=True))
            await asyncio.sleep(self._rules.nudge_after_ms / 1000)
        if not self._turns.has_spoken:
            self._desk.note("never_opened", f"asked {self._rules.nudges} times, the agent said nothing")

    async def _act(self, event: ProviderEvent) -> None:
        turns = self._turns
        match event:
            case AgentSound(item=item, pcm=pcm):
                self._play(item, pcm)
            case AgentWords():
                self._note_words(event)
            case AgentSoundEnded(item=item):
                self._finish_item(item)
            case SessionReady():
                pass
            case SessionConfigured():
                self._configured.set()
                self._listening.set()
            case CallerSpeechStarted():
                turns.caller_speaks = True
                await self._give_way(cancel=not self._session.capabilities.stops_by_itself)
            case CallerSpeechStopped():
                turns.caller_speaks = False
            case CallerWords(text=text):
                turns.caller_speaks = False
                if text.strip():
                    self._memory.append(Remembered(role="caller", text=text))
                self._sink.agent_heard(text)
            case ResponseStarted(response=response):
                turns.answering = _Answer(id=response)
                if self._session.capabilities.handoff == "native":
                    turns.wants_response = False
            case ToolCalled():
                self._take_tool(event)
            case ToolCallsWithdrawn(calls=calls):
                self._note("calls_withdrawn", ", ".join(calls))
            case ResponseEnded():
                await self._response_ended(event)
            case Interrupted():
                await self._give_way(cancel=False)
            case GoingAway(in_ms=in_ms):
                self._desk.note("going_away", f"the provider ends the session in {in_ms} ms")
                await self._take_up_again("the provider went away")
            case ProviderError(code=code, text=text, fatal=fatal):
                self._note("provider_error", f"{code}: {text}")
                if fatal:
                    raise SessionLost(f"{code}: {text}")
            case SessionClosed(code=code):
                self._desk.note("session_closed", f"code {code}")
            case Unreadable(text=text):
                self._note("unreadable_event", text)

    def _note(self, code: str, text: str) -> None:
        """Note what a provider did; it may do no end of it."""
        self._noted[code] += 1
        if self._noted[code] <= self._rules.most_notes_of_a_kind:
            self._desk.note(code, text)

    # The agent's voice.

    def _play(self, item: str, pcm: bytes) -> None:
        turns = self._turns
        if item in turns.cut_items:
            return
        turns.has_spoken = True
        if turns.answering is not None:
            turns.answering.spoke = True
        utterance = turns.items.get(item)
        if utterance is None:
            utterance = turns.items[item] = self.playout.begin(node=self._desk.node.id)
        if self.playout.queued_ms > self._rules.longest_ahead_ms:
            self._note("sound_dropped", f"over {self._rules.longest_ahead_ms} ms of sound wait to be played")
            return
        whole = pcm[: len(pcm) // 2 * 2]
        utterance.add(self._from_provider.convert(np.frombuffer(whole, dtype="<i2").astype(np.int16)))

    def _note_words(self, words: AgentWords) -> None:
        utterance = self._turns.items.get(words.item)
        if utterance is None:
            if words.item in self._turns.cut_items:
                return
            utterance = self._turns.items[words.item] = self.playout.begin(node=self._desk.node.id)
        utterance.text = words.text if words.whole else utterance.text + words.text

    def _finish_item(self, item: str) -> None:
        utterance = self._turns.items.get(item)
        if utterance is not None and not utterance.complete:
            utterance.add(self._from_provider.flush())
            utterance.complete = True

    async def _give_way(self, *, cancel: bool) -> None:
        """Barge-in: drop what isn't played, and tell the provider how much of it was heard."""
        turns = self._turns
        if not self.playout.speaking:
            return
        if cancel and turns.answering is not None and not turns.answering.ended:
            await self._session.send(CancelResponse())
        out_ms = self._sink.out_ms()
        sounding = self.playout.cut(out_ms)
        for item, utterance in list(turns.items.items()):
            if utterance.end_ms is None or utterance is sounding:
                turns.cut_items.add(item)
                del turns.items[item]
            if utterance.end_ms is None and utterance in self._memory:
                self._memory.remove(utterance)  # nobody heard a word of it
            if utterance is sounding and self._session.capabilities.truncates:
                await self._session.send(Truncate(item=item, heard_ms=utterance.heard_ms))
        if sounding is not None:
            self._remember_spoken(sounding)
            self._sink.interrupted("caller", out_ms)

    # Tools and transfers.

    def _take_tool(self, called: ToolCalled) -> None:
        answer, most = self._turns.answering, self._rules.most_tools_in_a_response
        self._turns.tools += 1
        if answer is not None:
            answer.tools += 1
            if answer.tools > most:
                if answer.tools == most + 1:
                    self._note("too_many_tools", f"more than {most} in one answer")
                return
        if self._turns.tools > self._rules.most_tools_in_a_call:
            if self._turns.tools == self._rules.most_tools_in_a_call + 1:
                self._note("too_many_tools", f"more than {self._rules.most_tools_in_a_call} in one call")
            return
        self._turns.pending_tools += 1
        self._spawn(self._use(called, self._session))

    async def _use(self, called: ToolCalled, session: ProviderSession) -> None:
        """Carry out one call, in the order in which they came; barge-in doesn't stop it (failure-modes.md 29)."""
        async with self._tools:
            before = self._desk.node.id
            output = await self._output(called)
            moved = self._desk.node.id != before
            if moved and session.capabilities.handoff == "reconnect":
                await self._reconnect()
            elif session is self._session:
                if moved and session.capabilities.handoff == "swap":
                    await self._swap()
                await session.send(SendToolOutput(call=called.call, name=called.name, output=_as_text(output)))
            self._turns.pending_tools -= 1
            self._turns.wants_response = True
            await self._go_on()

    async def _output(self, called: ToolCalled) -> Mapping[str, Any]:
        try:
            arguments = json.loads(called.arguments) if called.arguments.strip() else {}
        except (ValueError, RecursionError) as error:
            return self._malformed(called, f"are no JSON ({error})")
        if not isinstance(arguments, dict):
            return self._malformed(called, "are no JSON object")
        return (await self._desk.call(called.name, arguments, call_ref=called.call)).output

    def _malformed(self, called: ToolCalled, what: str) -> Mapping[str, Any]:
        self._note("malformed_arguments", f"{called.name}: {what}")
        return {"success": False, "error": f"the arguments of {called.name} {what}; nothing was done"}

    async def _swap(self) -> None:
        """The next node on the open session: its prompt, its tools, then one request to speak."""
        self._configured.clear()
        await self._configure(first=False, opening=False)
        try:
            async with asyncio.timeout(self._rules.configured_within_ms / 1000):
                await self._configured.wait()
        except TimeoutError:
            self._desk.note("unacknowledged", "the provider never confirmed the new node's configuration")

    async def _reconnect(self) -> None:
        """The next node on a session of its own, told what was said so far; the caller's sound waits for it."""
        self._listening.clear()
        old, self._session = self._session, self._connect()
        self._turns.answering = None
        self._finish_items()
        await self._begin(seed=True)
        await old.close()
        self._turns.wants_response = True

    async def _response_ended(self, ended: ResponseEnded) -> None:
        answer = self._turns.answering
        if answer is not None:
            answer.ended = True
        self._finish_items()
        if ended.tokens is not None:
            self._desk.report_usage(
                input_text_tokens=ended.tokens.input_text,
                input_audio_tokens=ended.tokens.input_audio,
                cached_text_tokens=ended.tokens.cached_text,
                cached_audio_tokens=ended.tokens.cached_audio,
                output_text_tokens=ended.tokens.output_text,
                output_audio_tokens=ended.tokens.output_audio,
            )
        if ended.status in ("failed", "incomplete"):
            self._note("response_" + ended.status, ended.reason or "no reason given")
            if ended.reason in CAPACITY_REASONS:
                raise SessionLost(f"the provider has no capacity ({ended.reason})")
        await self._go_on()

    async def _go_on(self) -> None:
        """Ask for the answer to tool results once all of them are there and nobody is speaking."""
        if self._session.capabilities.handoff == "native":
            return
        turns = self._turns
        busy = turns.answering is not None and not turns.answering.ended
        if not turns.wants_response or turns.pending_tools or busy or self._closed:
            return
        turns.wants_response = False
        said_goodbye = turns.answering is not None and turns.answering.spoke
        if self._desk.hang_up is not None and said_goodbye:
            return
        if not turns.caller_speaks:  # else its turn will be answered anyway
            await self._session.send(Respond())

    # What was said, for a session that takes over.

    def _finish_items(self) -> None:
        """Nothing more comes of the items so far: remember them, and forget those that were played to their end."""
        for item, utterance in list(self._turns.items.items()):
            self._finish_item(item)
            self._remember_spoken(utterance)
            if utterance.end_ms is not None:
                del self._turns.items[item]

    def _remember_spoken(self, utterance: Utterance) -> None:
        if utterance not in self._memory:
            self._memory.append(utterance)

    def _remembered(self) -> list[Remembered]:
        """The latest turns of the conversation, the agent's as far as they were heard."""
        turns = [
            one if isinstance(one, Remembered) else Remembered(role="agent", text=one.heard_text)
            for one in self._memory[-self._rules.remembered_turns :]
        ]
        return [turn for turn in turns if turn.text.strip()]

    # The end.

    def _towards_the_end(self, t_ms: int) -> None:
        """Hang up after the last words: playout drained, nobody thinking, a quiet moment; or at the cap."""
        assert self._desk.hang_up is not None
        turns = self._turns
        if self._ending_since_ms is None:
            self._ending_since_ms = t_ms
        thinking = turns.pending_tools or turns.wants_response or (turns.answering and not turns.answering.ended)
        if self.playout.speaking or thinking:
            self._idle_since_ms = None
        elif self._idle_since_ms is None:
            self._idle_since_ms = t_ms
        quiet = self._idle_since_ms is not None and t_ms - self._idle_since_ms >= self._rules.quiet_ms
        if quiet or t_ms - self._ending_since_ms >= self._rules.longest_goodbye_ms:
            self._sink.agent_hangs_up(self._desk.hang_up.reason)


CAPACITY_REASONS = frozenset({"rate_limit_exceeded", "insufficient_quota", "server_error", "overloaded"})
"""Why a response failed that is no doing of the model's (failure-modes.md 40)."""


def _as_text(output: Mapping[str, Any]) -> str:
    """A result as JSON that any wire can carry: half a surrogate pair, which arguments may bring in, is none."""
    return json.dumps(output, ensure_ascii=False, default=str).encode("utf-8", "replace").decode()


def opening_note(greeting: str) -> str:
    """What is added to the entry node's prompt where the transport can't speak a pack's greeting itself."""
    return f'\n\nYou have just picked up the phone. Your first words are exactly: "{greeting}"'
