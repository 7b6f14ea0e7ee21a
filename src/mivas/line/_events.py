"""The event log of a call: a tagged union, listed once, and the only reader and writer of `events.jsonl`.

Source: formats.md 5. `t_ms` counts ms since the call was accepted.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, get_args

import orjson
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

Role: TypeAlias = Literal["agent", "caller"]
CallKind: TypeAlias = Literal["industry", "handoff", "session"]
EndedBy: TypeAlias = Literal["agent", "caller", "limit", "harness", "provider"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallStarted:
    """The call was accepted."""

    t_ms: int
    type: Literal["call.started"] = "call.started"
    node: str | None = None
    call_id: str
    pack: str
    task_id: str | None = None
    harness: str
    clock: Literal["virtual", "real"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """Somebody said something."""

    t_ms: int
    type: Literal["speech"] = "speech"
    node: str | None = None
    role: Role
    text: str
    heard: str | None = None
    """What the other side's ears made of it; None where words were passed as text."""
    start_ms: int
    end_ms: int
    interrupted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolStarted:
    """The agent called a tool."""

    t_ms: int
    type: Literal["tool.started"] = "tool.started"
    node: str | None = None
    call_ref: str
    kind: CallKind
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFinished:
    """A tool answered."""

    t_ms: int
    type: Literal["tool.finished"] = "tool.finished"
    node: str | None = None
    call_ref: str
    name: str
    output: Mapping[str, Any]
    latency_ms: int
    in_scope: bool
    """Whether the active node owned the tool. Out of scope and not carried out under `--scope enforce`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handoff:
    """Another node has the call from here on."""

    t_ms: int
    type: Literal["handoff"] = "handoff"
    node: str | None = None
    from_: Annotated[str, Field(alias="from")]
    to: str
    call_ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interruption:
    """One side cut into the other's speech."""

    t_ms: int
    type: Literal["interruption"] = "interruption"
    node: str | None = None
    by: Role
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a provider counted. None: not reported."""

    t_ms: int
    type: Literal["usage"] = "usage"
    node: str | None = None
    input_text_tokens: int | None = None
    input_audio_tokens: int | None = None
    cached_text_tokens: int | None = None
    cached_audio_tokens: int | None = None
    output_text_tokens: int | None = None
    output_audio_tokens: int | None = None
    characters: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something worth keeping that no other event says."""

    t_ms: int
    type: Literal["note"] = "note"
    node: str | None = None
    code: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something broke; the call may go on."""

    t_ms: int
    type: Literal["error"] = "error"
    node: str | None = None
    where: str
    class_: Annotated[str, Field(alias="class")]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallEnded:
    """The line is dead."""

    t_ms: int
    type: Literal["call.ended"] = "call.ended"
    node: str | None = None
    by: EndedBy
    reason: str


Event: TypeAlias = (
    CallStarted | Speech | ToolStarted | ToolFinished | Handoff | Interruption | Usage | Note | Problem | CallEnded
)


@cache
def _adapter() -> TypeAdapter[Event]:
    return TypeAdapter(Annotated[Event, Field(discriminator="type")], config=ConfigDict(extra="forbid"))


_WIRE_NAMES = {kind: tuple((field.name, field.name.rstrip("_")) for field in fields(kind)) for kind in get_args(Event)}
"""(attribute, key) of every field, by kind: `from` and `class` are words of Python."""


def event_line(event: Event) -> bytes:
    """One event as a line of `events.jsonl`, newline included; keys in the order of the format."""
    values = {wire: getattr(event, name) for name, wire in _WIRE_NAMES[type(event)]}
    try:
        return orjson.dumps(values) + b"\n"
    except TypeError:
        # A model may send what orjson refuses: integers past 64 bits, half of a surrogate pair.
        return json.dumps(values, separators=(",", ":"), default=str).encode() + b"\n"


def read_events(data: bytes) -> Iterator[Event]:
    """Events of a log. A last line without its newline was cut by a crash and is left out.

    Raises ValueError naming the line that is no event.
    """
    whole, newline, _ = data.rpartition(b"\n")
    for number, line in enumerate(whole.split(b"\n") if newline else (), start=1):
        try:
            yield _adapter().validate_python(json.loads(line))
        except ValidationError as error:
            raise ValueError(f"line {number} is no event: {error.errors()[0]['msg']}") from None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"line {number} is no JSON: {error}") from None


class EventLog:
    """Keeps a call's events in order and hands each line to `write` as it happens."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.events.append(event)
        self._write(event_line(event))

    def extend(self, events: Iterable[Event]) -> None:
        for event in events:
            self.add(event)
