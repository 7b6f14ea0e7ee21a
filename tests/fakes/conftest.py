"""A session of a real-time double without a socket, and the same over one."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import numpy as np
import orjson
import pytest

from mivas.fakes._realtime_answer import Spoken, Timing
from mivas.fakes._realtime_brain import Brain, EachAnswer, Output, Say, WithoutEnd
from mivas.fakes._realtime_faults import Fault
from mivas.fakes._realtime_profiles import OPENAI, RealtimeProfile
from mivas.fakes._realtime_session import RealtimeSession
from mivas.fakes._realtime_sound import speech_like
from mivas.fakes._realtime_wire import Action, Ask, Recognise, SendEvent
from mivas.line import VirtualTimeLoop

HELLO = (Say("Hello."),)


def caller_sound(text: str = "I need some help", *, rate_hz: int = 24_000, after_ms: int = 1500) -> bytes:
    """A fifth of a second of silence, speech, and silence again."""
    quiet = np.zeros(rate_hz // 5, dtype=np.int16)
    after = np.zeros(rate_hz * after_ms // 1000, dtype=np.int16)
    return np.concatenate([quiet, speech_like(text, rate_hz), after]).astype("<i2").tobytes()


class Bench:
    """Drives a session by hand: its own clock, its ears and its brain answer at once."""

    def __init__(
        self,
        profile: RealtimeProfile = OPENAI,
        brain: Brain | Sequence[Output] = HELLO,
        *,
        faults: Sequence[Fault] = (),
        words: Sequence[str] = (),
    ) -> None:
        self.profile = profile
        self.now_ms = 0.0
        self.events: list[tuple[float, dict[str, Any]]] = []
        self.others: list[Action] = []
        """What a server would do beside sending events."""
        self._words = list(words)
        self._brain = WithoutEnd(brain if hasattr(brain, "respond") else EachAnswer(lambda _: brain), faults)
        self.session = RealtimeSession(profile, number=0, model="m", faults=faults, timing=Timing())
        self._take(self.session.open(0))

    @classmethod
    def begun(cls, profile: RealtimeProfile, *arguments: Any, **options: Any) -> Bench:
        """One that answers a bare response.create, whatever its provider."""
        table = cls(profile, *arguments, **options)
        if not profile.answers_empty_conversation:
            content = [{"type": "input_text", "text": "(connected)"}]
            table.send("conversation.item.create", item={"type": "message", "role": "user", "content": content})
        return table

    def send(self, kind: str, **fields: Any) -> list[dict[str, Any]]:
        """Send an event; gives what comes back at once."""
        return self.send_raw(json.dumps({"type": kind, **fields}))

    def send_raw(self, message: str | bytes) -> list[dict[str, Any]]:
        before = len(self.events)
        self._take(self.session.receive(message, self.now_ms))
        return [event for _, event in self.events[before:]]

    def configure(self, **session: Any) -> list[dict[str, Any]]:
        kind = {"type": "realtime"} if self.profile.needs_type else {}
        return self.send("session.update", session={**kind, **session})

    def speak(self, sound: bytes | None = None) -> list[dict[str, Any]]:
        rate_hz = 16_000 if self.profile.name == "qwen" else 24_000
        data = caller_sound(rate_hz=rate_hz) if sound is None else sound
        return self.send("input_audio_buffer.append", audio=base64.b64encode(data).decode())

    def run(self, ms: float) -> list[dict[str, Any]]:
        """Let time pass; gives what came meanwhile."""
        before, end = len(self.events), self.now_ms + ms
        while (due := self.session.next_ms) is not None and due <= end:
            self.now_ms = due
            self._take(self.session.advance(due))
        self.now_ms = end
        return [event for _, event in self.events[before:]]

    def of_type(self, kind: str) -> list[dict[str, Any]]:
        return [event for _, event in self.events if event["type"] == kind]

    def last(self, kind: str) -> dict[str, Any]:
        return self.of_type(kind)[-1]

    @property
    def error(self) -> dict[str, Any]:
        error: dict[str, Any] = self.last("error")["error"]
        return error

    def _take(self, actions: Sequence[Action]) -> None:
        for action in actions:
            match action:
                case SendEvent(event=event):
                    self.events.append((self.now_ms, orjson.loads(orjson.dumps(event))))
                case Recognise(item_id=item_id):
                    text = self._words.pop(0) if self._words else "(speech)"
                    self._take(self.session.recognised(item_id, text, self.now_ms))
                case Ask():
                    self._take(self.session.answered(action.answer_id, self._thought(action), self.now_ms))
                case _:
                    self.others.append(action)

    def _thought(self, asked: Ask) -> list[Spoken]:
        outputs = [Say(asked.dictated)] if asked.dictated is not None else self._brain.respond(asked.view)
        spoken = []
        for output in outputs:
            voiced = isinstance(output, Say) and asked.speaks
            samples = speech_like(output.text, asked.rate_hz) if isinstance(output, Say) and voiced else None
            spoken.append(Spoken(output=output, samples=samples))
        return spoken


def run_virtually(work: Coroutine[Any, Any, Any]) -> Any:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        return runner.run(work)


@pytest.fixture(scope="session")
def bench() -> type[Bench]:
    return Bench


@pytest.fixture(scope="session")
def sound() -> Callable[..., bytes]:
    return caller_sound


@pytest.fixture(scope="session")
def virtually() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    return run_virtually
