"""One answer of a double, laid out in time: what comes when, and what an interruption leaves undone. Pure."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from mivas.fakes._realtime_brain import CallTool, Output, Pause, Say
from mivas.fakes._realtime_conversation import Item
from mivas.fakes._realtime_faults import Fault
from mivas.fakes._realtime_sound import SoundFormat
from mivas.line.spoken import Pcm

FOREIGN_CALL_ID = "call_of_another_session"
BROKEN_JSON = '{"type":"response.output_audio.delta","delta":'
BeatKind: TypeAlias = Literal[
    "begin", "words", "sound", "arguments", "end", "raw", "error", "huge", "close", "drop", "finish"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """How fast a double is."""

    thinking_ms: int = 300
    """From the request to the first sound or call."""
    speed: float = 4.0
    """Sound made per time that passes."""
    chunk_ms: int = 100
    """Sound in one delta."""
    transcript_ms: int = 400
    """From the end of the caller's turn to its transcript."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """An output with the sound of its words, which is None for one without."""

    output: Output
    samples: Pcm | None = None
    """At the rate of the session's output."""


@dataclass(frozen=True, slots=True)
class Beat:
    """Something that happens so long after the answer's request was understood."""

    at_ms: float
    kind: BeatKind
    value: Any = None
    output: int = -1
    """Place of the output that it belongs to."""


@dataclass(slots=True, kw_only=True)
class Answer:
    """A response, from its request to its end."""

    id: str
    request: Mapping[str, Any]
    speaks: bool
    kept: bool = True
    """Whether its items become part of the conversation."""
    status: Literal["in_progress", "completed", "cancelled", "incomplete", "failed"] = "in_progress"
    details: dict[str, Any] | None = None
    items: list[Item] = field(default_factory=list)
    open_item: Item | None = None
    before: str | None = None
    """Item before the open one."""
    said: str = ""
    """Words of the open item that were sent."""
    sound_ms: int = 0
    """Sound of the open item that was sent."""
    begun: int = 0
    """Outputs that reached the wire."""
    faults: dict[str, Fault] = field(default_factory=dict)
    forced: str | None = None
    """Words that the client dictated; no brain is asked."""


def laid_out(
    answer: Answer,
    thought: Sequence[Spoken],
    *,
    sound_format: SoundFormat,
    timing: Timing,
    new_id: Callable[[str], str],
) -> list[Beat]:
    """All that happens in an answer, in order. Faults of its outputs are those of the whole answer."""
    for spoken in thought:
        if isinstance(spoken.output, Fault):
            answer.faults[spoken.output.name] = spoken.output
    answer.begun = next(
        (at for at, one in enumerate(thought) if not isinstance(one.output, Fault | Pause)), len(thought)
    )
    faults = answer.faults
    start = timing.thinking_ms + (faults["slow"].number if "slow" in faults else 0)
    beats = [Beat(start, kind, value) for kind, value in _at_the_start(faults)]
    if "no-answer" in faults:
        return beats
    ending = _early_end(faults)
    if ending is None:
        beats.extend(_outputs(answer, thought, start, sound_format, timing, new_id))
        ending = ("completed", None)
    end_ms = beats[-1].at_ms if beats else start
    beats.append(Beat(end_ms, "finish", ending))
    return _broken_off(beats, faults)


def _at_the_start(faults: Mapping[str, Fault]) -> Iterator[tuple[BeatKind, Any]]:
    if "malformed-json" in faults:
        yield "raw", BROKEN_JSON
    if "huge-frame" in faults:
        yield "huge", faults["huge-frame"].number
    if "error" in faults:
        yield "error", faults["error"].text


def _early_end(faults: Mapping[str, Fault]) -> tuple[str, dict[str, Any] | None] | None:
    if "failed" in faults:
        code = faults["failed"].text
        return "failed", {"type": "failed", "error": {"type": code, "code": code}}
    if "refusal" in faults:
        return "incomplete", {"type": "incomplete", "reason": "content_filter"}
    return None


def _broken_off(beats: list[Beat], faults: Mapping[str, Fault]) -> list[Beat]:
    """With the connection lost in the middle, where that is asked for."""
    middle = len(beats) // 2
    if "close" in faults:
        return [*beats[:middle], Beat(beats[middle].at_ms, "close", faults["close"].number)]
    if "drop" in faults:
        return [*beats[:middle], Beat(beats[middle].at_ms, "drop")]
    return beats


def _outputs(
    answer: Answer,
    thought: Sequence[Spoken],
    start: float,
    sound_format: SoundFormat,
    timing: Timing,
    new_id: Callable[[str], str],
) -> Iterator[Beat]:
    at_ms = float(start)
    for place, spoken in enumerate(thought):
        match spoken.output:
            case Pause(ms=ms):
                at_ms += ms
            case Say(text=text):
                item: Item = {"id": new_id("item"), "type": "message", "role": "assistant", "text": text}
                yield Beat(at_ms, "begin", item, place)
                if spoken.samples is None:
                    yield from (Beat(at_ms, "words", word, place) for word in _pieces(text))
                else:
                    for beat in _speech(text, spoken.samples, at_ms, place, sound_format, timing):
                        at_ms = beat.at_ms
                        yield beat
                    at_ms += timing.chunk_ms / timing.speed
                yield Beat(at_ms, "end", "completed", place)
            case CallTool() as call:
                item = _call_item(call, answer.faults, new_id)
                raw = item["arguments"]
                yield Beat(at_ms, "begin", item, place)
                for half in (raw[: len(raw) // 2], raw[len(raw) // 2 :]):
                    yield Beat(at_ms, "arguments", half, place)
                yield Beat(at_ms, "end", "completed", place)


def _speech(
    text: str, samples: Pcm, start: float, place: int, sound_format: SoundFormat, timing: Timing
) -> Iterator[Beat]:
    """Sound in chunks, the words of each chunk ahead of it."""
    chunks = list(sound_format.chunks(sound_format.bytes_of(samples), timing.chunk_ms))
    words, sent = _pieces(text), 0
    for index, chunk in enumerate(chunks):
        at_ms = start + index * timing.chunk_ms / timing.speed
        due = -(-len(words) * (index + 1) // len(chunks))
        yield from (Beat(at_ms, "words", word, place) for word in words[sent:due])
        sent = due
        yield Beat(at_ms, "sound", chunk, place)
    if not chunks:
        yield from (Beat(start, "words", word, place) for word in words)


def _call_item(call: CallTool, faults: Mapping[str, Fault], new_id: Callable[[str], str]) -> Item:
    raw = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
    if "malformed-arguments" in faults:
        raw = raw[: max(len(raw) // 2, 1)]
    call_id = FOREIGN_CALL_ID if "foreign-call-id" in faults else call.call_id or new_id("call")
    name = f"../../{call.tool}" if "path-in-name" in faults else call.tool
    return {"id": new_id("item"), "type": "function_call", "name": name, "call_id": call_id, "arguments": raw}


def _pieces(text: str) -> list[str]:
    """Words with the space before them: they join to the text again."""
    first, *rest = text.split(" ")
    return [first, *(f" {word}" for word in rest)] if text else []


def sound_delta(chunk: bytes) -> str:
    return base64.b64encode(chunk).decode()
