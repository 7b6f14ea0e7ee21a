"""One session of a provider's double as a state machine: messages, time and a brain's answers in, actions out. Pure.

Source of what it does: providers.md 2-4 and 9.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import orjson

from mivas.fakes._realtime_answer import Answer, Spoken, Timing
from mivas.fakes._realtime_brain import SessionView
from mivas.fakes._realtime_conversation import Conversation, Item, sound_of
from mivas.fakes._realtime_ear import LEAST_COMMIT_MS, Ear, TurnBegan
from mivas.fakes._realtime_faults import Fault
from mivas.fakes._realtime_profiles import RealtimeProfile
from mivas.fakes._realtime_requests import check_request, dictated_words, read_event
from mivas.fakes._realtime_responses import Responses
from mivas.fakes._realtime_settings import Progress, Rejected, SessionSettings, declared_tools
from mivas.fakes._realtime_wire import Action, Ask, Close, Recognise, Wire
from mivas.line.spoken import Pcm

LARGEST_APPEND = 15 * 2**20
"""Bytes of sound in one append."""


class RealtimeSession:
    """From the connection to its end. Times are ms of any one clock; every method gives what is to be done now."""

    def __init__(
        self,
        profile: RealtimeProfile,
        *,
        number: int,
        model: str,
        faults: Sequence[Fault] = (),
        timing: Timing | None = None,
    ) -> None:
        self.profile = profile
        self._timing = timing or Timing()
        self._faults = {fault.name: fault for fault in faults}
        self._wire = Wire(profile, number)
        self.settings = SessionSettings.default(profile, session_id=f"sess_{number}", model=model)
        self.conversation = Conversation()
        self._responses = Responses(self._wire, self.conversation, self._timing, faults)
        self._ear = self._new_ear(0)
        self._heard_any = False
        self._updates = 0
        self._turn_item: str | None = None
        """Item of the turn that the caller is speaking."""
        self._unrecognised: set[str] = set()
        self._to_ask: Answer | None = None
        """A response that waits for the caller's words."""
        self._handlers: Mapping[str, Callable[[Mapping[str, Any]], None]] = {
            "session.update": self._update,
            "session.finish": self._finish,
            "input_audio_buffer.append": self._append,
            "input_audio_buffer.commit": self._commit,
            "input_audio_buffer.clear": self._clear,
            "conversation.item.create": self._create_item,
            "conversation.item.retrieve": self._retrieve_item,
            "conversation.item.delete": self._delete_item,
            "conversation.item.truncate": self._truncate_item,
            "response.create": self._create_response,
            "response.cancel": self._cancel_response,
        }

    @property
    def next_ms(self) -> float | None:
        """When to call `advance`; None: not before something else happens."""
        return self._wire.next_ms

    def open(self, now_ms: float) -> list[Action]:
        """The connection stands."""
        self._wire.now_ms = now_ms
        for kind in self.profile.first_events:
            if kind == "session.created":
                self._wire.emit(kind, session=self.settings.effective)
            else:
                self._wire.emit(
                    kind, conversation={"id": f"conv_{self._wire.number}", "object": "realtime.conversation"}
                )
        limit_ms = self._faults["limit"].number if "limit" in self._faults else self.profile.limit_ms
        self._wire.later(now_ms + limit_ms, lambda: self._expire(limit_ms))
        if self.profile.ping_every_ms is not None:
            self._ping(self.profile.ping_every_ms)
        return self._wire.take()

    def advance(self, now_ms: float) -> list[Action]:
        """Time has passed."""
        self._wire.run_until(now_ms)
        return self._wire.take()

    def receive(self, message: str | bytes, now_ms: float) -> list[Action]:
        """The client sent something: whatever it is, it is answered or ignored, and nothing is raised."""
        self._wire.run_until(now_ms)
        event_id = None
        try:
            event = read_event(message)
            event_id = event.get("event_id")
            handler = self._handlers.get(event["type"]) if self._serves(event["type"]) else None
            if handler is None:
                raise Rejected("invalid_value", f"Invalid value: '{event['type'][:60]}'.", "type")
            handler(event)
        except Rejected as problem:
            self._error(problem, event_id if isinstance(event_id, str) else None)
        return self._wire.take()

    def recognised(self, item_id: str, text: str, now_ms: float) -> list[Action]:
        """What the caller said in a turn."""
        self._wire.run_until(now_ms)
        self.conversation.heard[item_id] = text
        self._unrecognised.discard(item_id)
        if self.settings.transcribes:
            self._wire.later(self._wire.now_ms + self._timing.transcript_ms, lambda: self._transcript(item_id, text))
        self._ask_when_ready()
        return self._wire.take()

    def answered(self, answer_id: str, thought: Sequence[Spoken], now_ms: float) -> list[Action]:
        """What the brain made of an `Ask`."""
        self._wire.run_until(now_ms)
        billed = f"{self.settings.instructions} {orjson.dumps(self.settings.setting('tools')).decode()}"
        self._responses.play(answer_id, thought, sound_format=self.settings.output_format, billed_text=billed)
        self._wire.run_until(now_ms)
        return self._wire.take()

    # The client's events.

    def _serves(self, kind: str) -> bool:
        missing = set()
        if not self.profile.truncates:
            missing.add("conversation.item.truncate")
        if not self.profile.finishes:
            missing.add("session.finish")
        return kind not in missing

    def _update(self, event: Mapping[str, Any]) -> None:
        before = self.settings
        progress = Progress(updated=self._updates > 0, caller_audio=self._heard_any, agent_audio=self._responses.spoke)
        self.settings = before.updated(event.get("session"), progress)
        self._updates += 1
        if (before.input_format, before.turn_detection) != (self.settings.input_format, self.settings.turn_detection):
            self._ear = self._new_ear(self._ear.received_ms)
            self._turn_item = None
        if "no-ack" in self._faults:
            return
        effective = self.settings.effective
        late_ms = self._faults["late-ack"].number if "late-ack" in self._faults else 0
        if late_ms:
            self._wire.later(self._wire.now_ms + late_ms, lambda: self._wire.emit("session.updated", session=effective))
        else:
            self._wire.emit("session.updated", session=effective)

    def _finish(self, event: Mapping[str, Any]) -> None:  # noqa: ARG002 (a handler)
        self._wire.emit("session.finished")
        self._wire.act(Close(1000, "finished"))

    def _append(self, event: Mapping[str, Any]) -> None:
        sound = sound_of(event.get("audio"), "audio")
        if len(sound) > LARGEST_APPEND or len(sound) % self.settings.input_format.bytes_per_sample:
            raise Rejected("invalid_value", "Invalid 'audio': too long, or half a sample.", "audio")
        self._heard_any = self._heard_any or bool(sound)
        for turn in self._ear.hear(sound):
            if isinstance(turn, TurnBegan):
                self._turn_began(turn.at_ms)
            else:
                self._turn_ended(turn.at_ms, turn.samples)

    def _commit(self, event: Mapping[str, Any]) -> None:  # noqa: ARG002
        if self._ear.kept_ms < LEAST_COMMIT_MS:
            message = f"Error committing input audio buffer: buffer too small ({self._ear.kept_ms} ms)."
            raise Rejected("input_audio_buffer_commit_empty", message)
        self._take_turn(self._turn_item or self._wire.new_id("item"), self._ear.take())
        self._turn_item = None

    def _clear(self, event: Mapping[str, Any]) -> None:  # noqa: ARG002
        self._ear = self._new_ear(self._ear.received_ms)
        self._turn_item = None
        self._wire.emit("input_audio_buffer.cleared")

    def _create_item(self, event: Mapping[str, Any]) -> None:
        item = event.get("item")
        if self.profile.forced_speech and isinstance(item, dict) and item.get("type") == "force_message":
            self._respond({}, dictated=dictated_words(item))
            return
        self._added(self.conversation.checked(item, self._wire.new_id("item")))

    def _retrieve_item(self, event: Mapping[str, Any]) -> None:
        kept = self.conversation.of(event.get("item_id"))
        self._wire.emit("conversation.item.retrieved", item=copy.deepcopy(kept.item))

    def _delete_item(self, event: Mapping[str, Any]) -> None:
        self.conversation.delete(event.get("item_id"))
        self._wire.emit("conversation.item.deleted", item_id=event["item_id"])

    def _truncate_item(self, event: Mapping[str, Any]) -> None:
        if event.get("content_index") != 0 or isinstance(event.get("content_index"), bool):
            raise Rejected("invalid_value", "Invalid value for 'content_index'.", "content_index")
        self.conversation.truncate(event.get("item_id"), event.get("audio_end_ms"))
        told = {key: event[key] for key in ("item_id", "content_index", "audio_end_ms")}
        self._wire.emit("conversation.item.truncated", **told)

    def _create_response(self, event: Mapping[str, Any]) -> None:
        request = {} if event.get("response") is None else event["response"]
        check_request(request, self.profile)
        if not self.profile.answers_empty_conversation and not self.conversation.kept:
            return
        self._respond(request)

    def _cancel_response(self, event: Mapping[str, Any]) -> None:
        active = self._responses.active
        named = event.get("response_id")
        if active is None or (named is not None and named != active.id):
            raise Rejected("response_cancel_not_active", "Cancellation failed: no active response found.")
        self._responses.cancel("client_cancelled")

    # Turns.

    def _new_ear(self, began_ms: int) -> Ear:
        return Ear(self.settings.input_format, self.settings.turn_detection, began_ms)

    def _turn_began(self, at_ms: int) -> None:
        self._turn_item = self._wire.new_id("item")
        self._wire.emit("input_audio_buffer.speech_started", audio_start_ms=at_ms, item_id=self._turn_item)
        detection = self.settings.turn_detection
        if detection is not None and detection.interrupts:
            self._responses.cancel("turn_detected")

    def _turn_ended(self, at_ms: int, samples: Pcm) -> None:
        item_id = self._turn_item or self._wire.new_id("item")
        self._turn_item = None
        self._wire.emit("input_audio_buffer.speech_stopped", audio_end_ms=at_ms, item_id=item_id)
        self._take_turn(item_id, samples)
        detection = self.settings.turn_detection
        if detection is not None and detection.creates and self._responses.active is None:
            self._respond({})

    def _take_turn(self, item_id: str, samples: Pcm) -> None:
        before = next(reversed(self.conversation.kept), None)
        self._wire.emit("input_audio_buffer.committed", previous_item_id=before, item_id=item_id)
        rate_hz = self.settings.input_format.rate_hz
        item: Item = {
            "id": item_id,
            "object": "realtime.item",
            "type": "message",
            "role": "user",
            "status": "completed",
            "content": [{"type": "input_audio", "transcript": None}],
        }
        self.conversation.heard[item_id] = ""
        self._unrecognised.add(item_id)
        self._added(item, audio_ms=len(samples) * 1000 // rate_hz, spoken=True)
        self._wire.act(Recognise(item_id, samples, rate_hz))

    def _added(self, item: Item, *, audio_ms: int = 0, spoken: bool = False) -> None:
        before = self.conversation.add(item, audio_ms=audio_ms, origin="speech" if spoken else "client")
        self._wire.emit("conversation.item.added", previous_item_id=before, item=copy.deepcopy(item))
        self._wire.emit("conversation.item.done", previous_item_id=before, item=copy.deepcopy(item))

    def _transcript(self, item_id: str, text: str) -> None:
        name = "conversation.item.input_audio_transcription"
        if item_id in self.conversation.kept:
            self.conversation.kept[item_id].item["content"][0]["transcript"] = text
        if self.profile.running_transcript:
            self._wire.emit(f"{name}.updated", item_id=item_id, content_index=0, transcript=text)
        else:
            self._wire.emit(f"{name}.delta", item_id=item_id, content_index=0, delta=text)
        words = len(text.split())
        usage = {"type": "tokens", "total_tokens": words, "input_tokens": 0, "output_tokens": words}
        self._wire.emit(f"{name}.completed", item_id=item_id, content_index=0, transcript=text, usage=usage)

    # Responses.

    def _respond(self, request: Mapping[str, Any], *, dictated: str | None = None) -> None:
        modalities = request.get("output_modalities") or request.get("modalities")
        speaks = "audio" in modalities if modalities else self.settings.speaks
        self._to_ask = self._responses.create(request, speaks=speaks, dictated=dictated)
        self._ask_when_ready()

    def _ask_when_ready(self) -> None:
        answer = self._to_ask
        if answer is None or self._unrecognised:
            return
        self._to_ask = None
        if self._responses.active is not answer:
            return
        view = self._view(answer.request)
        if answer.forced is None:
            self._responses.asked(answer)
        rate_hz = self.settings.output_format.rate_hz
        self._wire.act(Ask(answer.id, view, answer.speaks, rate_hz, answer.forced))

    def _view(self, request: Mapping[str, Any]) -> SessionView:
        tools = request.get("tools")
        return SessionView(
            session=self._wire.number,
            instructions=request.get("instructions") or self.settings.instructions,
            tools=self.settings.tools if tools is None else declared_tools(tools),
            voice=self.settings.voice,
            heard=tuple(self.conversation.heard.values()),
            written=self.conversation.written,
            outputs=self.conversation.tool_outputs,
            updates=self._updates,
            delivered=self._responses.delivered,
            request=request,
        )

    # What comes by itself.

    def _ping(self, every_ms: int) -> None:
        self._wire.emit("ping", timestamp=round(self._wire.now_ms))
        self._wire.later(self._wire.now_ms + every_ms, lambda: self._ping(every_ms))

    def _expire(self, limit_ms: int) -> None:
        message = f"Your session hit the maximum duration of {limit_ms / 60_000:g} minutes."
        self._error(Rejected("session_expired", message), None)
        self._wire.act(Close(1001, "session expired"))

    def _error(self, problem: Rejected, event_id: str | None) -> None:
        error = {
            "type": problem.kind,
            "code": problem.code,
            "message": problem.message,
            "param": problem.param,
            "event_id": event_id,
        }
        self._wire.emit("error", error=error)
