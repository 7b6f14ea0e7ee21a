"""What a scripted endpoint does with the next request, and the bodies that say it on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Body: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call of a reply."""

    name: str
    arguments: Mapping[str, Any] | str = "{}"
    """An object, or the raw text to send in its place: models send broken JSON too."""
    id: str | None = None
    """None: a running number, unlike any other in the script."""

    @property
    def raw_arguments(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Say something, call tools (several: in parallel), refuse, or any of these together; empty says nothing."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    refusal: str | None = None
    reports_usage: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """Answer with an HTTP error, such as 429 or 500."""

    status: int
    message: str = "refused by the script"
    retry_after_ms: int | None = None
    """Sent as `retry-after-ms`, and as `retry-after` in whole seconds; None sends neither."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakOff:
    """Send the beginning of a reply, then close the connection. Not streamed: close it without a word."""

    text: str = "I was about"


@dataclass(frozen=True, slots=True, kw_only=True)
class Garbage:
    """Answer with that text as it stands: by default no JSON."""

    text: str = "{not json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stall:
    """Keep silent until `ChatDouble.resume()` is called, then give the reply."""

    reply: Reply = Reply()


Step: TypeAlias = Reply | Refuse | BreakOff | Garbage | Stall


def tool_calls(reply: Reply, number: int) -> list[Body]:
    """The `tool_calls` of a message; ids count by the step's number."""
    return [
        {
            "id": call.id if call.id is not None else f"call_{number}_{index}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.raw_arguments},
        }
        for index, call in enumerate(reply.calls)
    ]


def finish_reason(reply: Reply) -> str:
    return "tool_calls" if reply.calls else "stop"


def usage(reply: Reply, messages: list[Body]) -> Body:
    """Tokens of a made-up tokeniser: one a word."""
    given = sum(len(str(message.get("content") or "").split()) for message in messages)
    made = len(reply.text.split()) + sum(len(call.raw_arguments.split()) for call in reply.calls)
    return {
        "prompt_tokens": given,
        "completion_tokens": made,
        "total_tokens": given + made,
        "prompt_tokens_details": {"cached_tokens": 0},
    }


def completion(reply: Reply, request: Body, number: int) -> Body:
    """The body of an answer in one piece."""
    message: Body = {"role": "assistant", "content": reply.text or None, "refusal": reply.refusal}
    if reply.calls:
        message["tool_calls"] = tool_calls(reply, number)
    body = _head(request, number, "chat.completion")
    body["choices"] = [{"index": 0, "message": message, "finish_reason": finish_reason(reply)}]
    if reply.reports_usage:
        body["usage"] = usage(reply, request["messages"])
    return body


def chunks(reply: Reply, request: Body, number: int) -> Iterator[Body]:
    """The same answer as a stream: a word at a time, arguments in two fragments, usage last when asked for."""
    for delta in _deltas(reply, number):
        yield chunk(request, number, delta)
    yield chunk(request, number, {}, finish_reason(reply))
    wants_usage = (request.get("stream_options") or {}).get("include_usage")
    if wants_usage and reply.reports_usage:
        body = _head(request, number, "chat.completion.chunk")
        yield body | {"choices": [], "usage": usage(reply, request["messages"])}


def chunk(request: Body, number: int, delta: Body, finish: str | None = None) -> Body:
    """One data line of a stream."""
    body = _head(request, number, "chat.completion.chunk")
    return body | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def _deltas(reply: Reply, number: int) -> Iterator[Body]:
    yield {"role": "assistant", "content": ""}
    for word in _words(reply.text) if reply.text else ():
        yield {"content": word}
    if reply.refusal is not None:
        yield {"refusal": reply.refusal}
    for index, call in enumerate(tool_calls(reply, number)):
        raw = call["function"]["arguments"]
        half = len(raw) // 2
        first = call | {"index": index, "function": {"name": call["function"]["name"], "arguments": raw[:half]}}
        yield {"tool_calls": [first]}
        yield {"tool_calls": [{"index": index, "function": {"arguments": raw[half:]}}]}


def _words(text: str) -> list[str]:
    """Pieces that join to the text again."""
    first, *rest = text.split(" ")
    return [first, *(f" {word}" for word in rest)]


def _head(request: Body, number: int, kind: str) -> Body:
    return {"id": f"chatcmpl-{number}", "object": kind, "created": 0, "model": str(request.get("model"))}
