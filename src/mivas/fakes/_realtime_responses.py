"""Responses of a session: one at a time, played beat by beat, cut off by the caller or the client. Pure."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from mivas.fakes._realtime_answer import Answer, Beat, Spoken, Timing, laid_out, sound_delta
from mivas.fakes._realtime_conversation import Conversation, Item
from mivas.fakes._realtime_faults import Fault
from mivas.fakes._realtime_settings import Rejected
from mivas.fakes._realtime_sound import SoundFormat
from mivas.fakes._realtime_wire import Close, Drop, SendText, Wire

MIB = 2**20


class Responses:
    """The running response of a session, and what was made of earlier ones."""

    def __init__(self, wire: Wire, conversation: Conversation, timing: Timing, faults: Sequence[Fault]) -> None:
        self._wire = wire
        self._conversation = conversation
        self._timing = timing
        self._faults = {fault.name: fault for fault in faults if fault.kind.scope == "answer"}
        self.active: Answer | None = None
        self.spoke = False
        """Whether any sound was made in this session."""
        self._asked: Answer | None = None
        self._format = SoundFormat("pcm", 24_000)
        self._billed_text = ""
        self._unreported = 0

    @property
    def delivered(self) -> int | None:
        """Outputs of the last answer that reached the wire, where it was cut off."""
        if self._asked is None or self._asked.status == "completed":
            return None
        return self._asked.begun

    def create(self, request: Mapping[str, Any], *, speaks: bool, dictated: str | None = None) -> Answer:
        """Begin a response. Raises Rejected while another is running."""
        if self.active is not None:
            raise Rejected(self._wire.profile.busy_code, self._wire.profile.busy_message)
        answer = Answer(
            id=self._wire.new_id("resp"),
            request=request,
            speaks=speaks,
            kept=request.get("conversation") != "none",
            faults=dict(self._faults),
            forced=dictated,
        )
        self.active = answer
        self._emit("response.created", response=self._response(answer))
        if self._wire.profile.reports_rate_limits:
            limits = [
                {"name": name, "limit": 100_000, "remaining": 99_000, "reset_seconds": 1.0}
                for name in ("requests", "tokens")
            ]
            self._wire.emit("rate_limits.updated", rate_limits=limits)
        return answer

    def asked(self, answer: Answer) -> None:
        """A brain is being asked for this one."""
        self._asked = answer

    def play(self, answer_id: str, thought: Sequence[Spoken], *, sound_format: SoundFormat, billed_text: str) -> None:
        """Set going what a brain made of a request; nothing when the response is over by now.

        Args:
            billed_text: instructions and tools, for the usage.
        """
        answer = self.active
        if answer is None or answer.id != answer_id:
            return
        self._format, self._billed_text = sound_format, billed_text
        beats = laid_out(answer, thought, sound_format=sound_format, timing=self._timing, new_id=self._wire.new_id)
        self._schedule(answer, beats, 0, self._wire.now_ms)

    def cancel(self, reason: str) -> None:
        """Stop the running response, if there is one: `turn_detected` or `client_cancelled`."""
        answer = self.active
        if answer is None:
            return
        if answer.open_item is not None:
            self._end(answer, "incomplete")
        self._finish(answer, "cancelled", {"type": "cancelled", "reason": reason})

    def _schedule(self, answer: Answer, beats: Sequence[Beat], index: int, from_ms: float) -> None:
        """One timer at a time: a long answer that is cut off leaves nothing behind."""
        if index < len(beats):
            at_ms = from_ms + beats[index].at_ms
            self._wire.later(at_ms, lambda: self._step(answer, beats, index, from_ms))

    def _step(self, answer: Answer, beats: Sequence[Beat], index: int, from_ms: float) -> None:
        if self.active is answer:
            self._play(answer, beats[index])
            self._schedule(answer, beats, index + 1, from_ms)

    def _play(self, answer: Answer, beat: Beat) -> None:
        answer.begun = max(answer.begun, beat.output + 1)
        match beat.kind:
            case "begin":
                self._begin(answer, beat.value)
            case "words":
                self._words(answer, beat.value)
            case "sound":
                self._sound(answer, beat.value)
            case "arguments":
                self._part(answer, "response.function_call_arguments.delta", delta=beat.value, **_call_id(answer))
            case "end":
                self._end(answer, beat.value)
            case "finish":
                self._finish(answer, *beat.value)
            case _:
                self._break(beat)

    def _break(self, beat: Beat) -> None:
        """Commit a fault."""
        match beat.kind:
            case "raw":
                self._wire.act(SendText(beat.value))
            case "huge":
                self._wire.emit("session.padding", padding="x" * (beat.value * MIB))
            case "error":
                fatal = beat.value == "server_error"
                error = {
                    "type": "server_error" if fatal else "invalid_request_error",
                    "code": beat.value,
                    "message": "An error that was asked for.",
                    "param": None,
                    "event_id": None,
                }
                self._wire.emit("error", error=error)
                if fatal and self._wire.profile.server_error_ends:
                    self._wire.act(Close(1011, "server error"))
            case "close":
                self._wire.act(Close(beat.value, "closed by request"))
            case "drop":
                self._wire.act(Drop())

    def _begin(self, answer: Answer, item: Item) -> None:
        kept: Item = {"id": item["id"], "object": "realtime.item", "type": item["type"], "status": "in_progress"}
        if item["type"] == "message":
            kept |= {"role": "assistant", "content": []}
        else:
            kept |= {"name": item["name"], "call_id": item["call_id"], "arguments": ""}
        answer.open_item, answer.said, answer.sound_ms = kept, "", 0
        answer.items.append(kept)
        self._emit(
            "response.output_item.added",
            response_id=answer.id,
            output_index=len(answer.items) - 1,
            item=copy.deepcopy(kept),
        )
        if answer.kept:
            answer.before = self._conversation.add(kept, origin="answer")
            self._emit("conversation.item.added", previous_item_id=answer.before, item=copy.deepcopy(kept))
        elif item["type"] == "function_call":
            self._conversation.calls[item["call_id"]] = item["name"]
        if item["type"] == "message":
            part = {"type": "audio", "transcript": ""} if answer.speaks else {"type": "text", "text": ""}
            self._part(answer, "response.content_part.added", content_index=0, part=part)
        else:
            kept["arguments"] = item["arguments"]

    def _words(self, answer: Answer, words: str) -> None:
        answer.said += words
        kind = "response.output_audio_transcript.delta" if answer.speaks else "response.output_text.delta"
        self._part(answer, kind, content_index=0, delta=words)

    def _sound(self, answer: Answer, chunk: bytes) -> None:
        assert answer.open_item is not None
        self.spoke = True
        answer.sound_ms += self._format.duration_ms(len(chunk))
        if answer.kept and answer.open_item["id"] in self._conversation.kept:
            self._conversation.kept[answer.open_item["id"]].audio_ms = answer.sound_ms
        self._part(answer, "response.output_audio.delta", content_index=0, delta=sound_delta(chunk))

    def _end(self, answer: Answer, status: str) -> None:
        """Close the open item, with what of it was made."""
        item = answer.open_item
        assert item is not None
        if item["type"] == "message":
            self._end_message(answer, item)
        else:
            times = 2 if "duplicate-call" in answer.faults and status == "completed" else 1
            for _ in range(times if status == "completed" else 0):
                self._part(
                    answer,
                    "response.function_call_arguments.done",
                    name=item["name"],
                    arguments=item["arguments"],
                    **_call_id(answer),
                )
        item["status"] = status
        if answer.kept:
            self._emit("conversation.item.done", previous_item_id=answer.before, item=copy.deepcopy(item))
        doubled = item["type"] == "function_call" and "duplicate-call" in answer.faults
        for _ in range(2 if doubled else 1):
            self._emit(
                "response.output_item.done",
                response_id=answer.id,
                output_index=len(answer.items) - 1,
                item=copy.deepcopy(item),
            )
        answer.open_item = None

    def _end_message(self, answer: Answer, item: Item) -> None:
        if answer.speaks:
            self._part(answer, "response.output_audio.done", content_index=0)
            self._part(answer, "response.output_audio_transcript.done", content_index=0, transcript=answer.said)
            part = {"type": "audio", "transcript": answer.said}
            item["content"] = [{"type": "output_audio", "transcript": answer.said}]
        else:
            self._part(answer, "response.output_text.done", content_index=0, text=answer.said)
            part = {"type": "text", "text": answer.said}
            item["content"] = [{"type": "output_text", "text": answer.said}]
        self._part(answer, "response.content_part.done", content_index=0, part=part)

    def _finish(self, answer: Answer, status: Any, details: dict[str, Any] | None) -> None:
        answer.status, answer.details = status, details
        self.active = None
        response = self._response(answer)
        usage = self._conversation.usage(self._billed_text, answer.items)
        if self._wire.profile.reports_usage:
            response["usage"] = usage
        else:
            self._unreported += 1
            if self._unreported % 2:
                response["usage"] = {}
        self._emit_for(answer, "response.done", response=response)
        self._wire.settle()

    def _response(self, answer: Answer) -> dict[str, Any]:
        modality = "audio" if answer.speaks else "text"
        return {
            "id": answer.id,
            "object": "realtime.response",
            "status": answer.status,
            "status_details": answer.details,
            "output": copy.deepcopy(answer.items),
            "conversation_id": f"conv_{self._wire.number}" if answer.kept else None,
            "output_modalities": [modality],
            "metadata": answer.request.get("metadata"),
            "usage": None,
        }

    def _part(self, answer: Answer, kind: str, **fields: Any) -> None:
        assert answer.open_item is not None
        index = len(answer.items) - 1
        self._emit(kind, response_id=answer.id, item_id=answer.open_item["id"], output_index=index, **fields)

    def _emit(self, kind: str, **fields: Any) -> None:
        if self.active is not None:
            self._emit_for(self.active, kind, **fields)

    def _emit_for(self, answer: Answer, kind: str, **fields: Any) -> None:
        overtaken = "out-of-order" in answer.faults and kind != "response.created"
        self._wire.emit(kind, overtaken=overtaken, **fields)


def _call_id(answer: Answer) -> dict[str, Any]:
    assert answer.open_item is not None
    return {"call_id": answer.open_item["call_id"]}
