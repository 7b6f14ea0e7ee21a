"""The OpenAI dialect, both ways: commands to messages, messages to neutral events. Pure; knows no socket.

One codec for OpenAI Realtime, Grok voice and Qwen realtime; what sets them apart stands in their profiles. Both
spellings of the events ("GA" and the older "beta" names) are read, whoever sends them. Source: providers.md 2-4.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from mivas.harness._projection import chat_schema
from mivas.harness.realtime._events import (
    AgentSound,
    AgentSoundEnded,
    AgentWords,
    CallerSpeechStarted,
    CallerSpeechStopped,
    CallerWords,
    CancelResponse,
    Command,
    Configure,
    Finish,
    ProviderError,
    ProviderEvent,
    Remembered,
    Respond,
    ResponseEnded,
    ResponseStarted,
    ResponseStatus,
    Seed,
    SendSound,
    SendToolOutput,
    SessionConfigured,
    SessionReady,
    Tokens,
    ToolCalled,
    ToolOffer,
    Truncate,
    Unreadable,
    without_secrets,
)
from mivas.harness.realtime._profiles import DialectProfile

LONGEST_NAME = 200
"""Characters of a tool's name; no pack has one nearly as long."""
LONGEST_QUOTE = 200
"""Characters of a message that are kept to say what couldn't be read."""
CONNECTED = "(The call is connected.)"
"""Stands for the caller's silence where a conversation may not be empty. Says nothing of any task."""
HARMLESS_ERRORS = frozenset(
    {"conversation_already_has_active_response", "response_cancel_not_active", "invalid_request_error"}
)
FATAL_ERROR_TYPES = frozenset({"server_error", "session_expired", "authentication_error", "insufficient_quota"})


class OpenAICodec:
    """One session's translator. Keeps which calls were told of, since the same one may come in three events.

    Args:
        secrets: what no event may hold, whatever a provider says back.
    """

    def __init__(self, profile: DialectProfile, secrets: Sequence[str] = ()) -> None:
        self._profile = profile
        self._secrets = tuple(secrets)
        self._names: dict[str, str] = {}
        """Function name by item or call id, from the event that announced the call."""
        self._told: set[str] = set()

    # Commands to messages.

    def encode(self, command: Command) -> Sequence[str]:
        """The messages that carry out a command, in order."""
        match command:
            case SendSound(pcm=pcm):
                sound = base64.b64encode(pcm).decode()
                return (f'{{"type":"input_audio_buffer.append","audio":"{sound}"}}',)
            case Configure():
                return (_message("session.update", session=self._session(command)),)
            case Seed(turns=turns):
                return tuple(_message("conversation.item.create", item=_remembered(turn)) for turn in turns)
            case SendToolOutput(call=call, output=output):
                item = {"type": "function_call_output", "call_id": call, "output": output}
                return (_message("conversation.item.create", item=item),)
            case Respond(opening=True) if not self._profile.opens_bare:
                item = _remembered(Remembered(role="caller", text=CONNECTED))
                return (_message("conversation.item.create", item=item), _message("response.create"))
            case Respond():
                return (_message("response.create"),)
            case CancelResponse():
                return (_message("response.cancel"),)
            case Truncate(item=item, heard_ms=heard_ms):
                if not self._profile.truncates:
                    return ()
                return (_message("conversation.item.truncate", item_id=item, content_index=0, audio_end_ms=heard_ms),)
            case Finish():
                return (_message("session.finish"),) if self._profile.shape == "flat" else ()

    def _session(self, wanted: Configure) -> dict[str, Any]:
        session: dict[str, Any] = {
            "instructions": wanted.instructions,
            "tools": [self._tool(tool) for tool in wanted.tools],
        }
        profile = self._profile
        if profile.shape == "nested":
            session = {"type": "realtime", **session}
        if not wanted.first:
            return session
        if profile.shape == "flat":
            return session | {
                "modalities": ["text", "audio"],
                "voice": profile.voice,
                "input_audio_format": "pcm",
                "output_audio_format": "pcm",
                "turn_detection": dict(profile.turn_detection),
                "tool_choice": "auto",
            }
        sound: dict[str, Any] = {
            "input": {"format": {"type": "audio/pcm", "rate": profile.input_hz}},
            "output": {"format": {"type": "audio/pcm", "rate": profile.output_hz}},
        }
        if profile.transcription_model:
            sound["input"]["transcription"] = {"model": profile.transcription_model}
        if profile.shape == "top-level-turn-detection":
            return session | {
                "voice": profile.voice,
                "turn_detection": dict(profile.turn_detection),
                "audio": sound,
            }
        sound["input"]["turn_detection"] = dict(profile.turn_detection)
        sound["output"]["voice"] = profile.voice
        return session | {"output_modalities": ["audio"], "tool_choice": "auto", "audio": sound}

    def _tool(self, tool: ToolOffer) -> dict[str, Any]:
        function = {
            "name": tool.name,
            "description": tool.description,
            "parameters": chat_schema(tool.parameters),
        }
        return (
            {"type": "function", "function": function}
            if self._profile.nested_tools
            else {
                "type": "function",
                **function,
            }
        )

    # Messages to events.

    def decode(self, message: str | bytes) -> Sequence[ProviderEvent]:
        """What a message means, () for one that means nothing to a call. Never raises for what a provider sent."""
        try:
            event = orjson.loads(message)
        except orjson.JSONDecodeError:
            return [without_secrets(Unreadable(text=f"no JSON: {_quoted(message)}"), self._secrets)]
        return self.decode_event(event)

    def decode_event(self, event: Any) -> Sequence[ProviderEvent]:
        """The same of a message that was parsed already."""
        return [without_secrets(one, self._secrets) for one in self._events(event)]

    def _events(self, event: Any) -> Sequence[ProviderEvent]:
        if not isinstance(event, dict) or not isinstance(event.get("type"), str):
            return (Unreadable(text=f"no event: {_quoted(event)}"),)
        try:
            return tuple(self._read(event["type"], event))
        except (KeyError, TypeError, ValueError, AttributeError, binascii.Error):
            return (Unreadable(text=f"{event['type']} lacks what it needs: {_quoted(event)}"),)

    def _read(self, kind: str, event: Mapping[str, Any]) -> Iterator[ProviderEvent]:
        match kind:
            case "response.output_audio.delta" | "response.audio.delta":
                yield AgentSound(item=str(event["item_id"]), pcm=base64.b64decode(event["delta"], validate=True))
            case "response.output_audio_transcript.delta" | "response.audio_transcript.delta":
                yield AgentWords(item=str(event["item_id"]), text=str(event["delta"]))
            case "response.output_audio_transcript.done" | "response.audio_transcript.done":
                yield AgentWords(item=str(event["item_id"]), text=str(event["transcript"]), whole=True)
            case "response.output_audio.done" | "response.audio.done":
                yield AgentSoundEnded(item=str(event["item_id"]))
            case "session.created" | "conversation.created":
                yield SessionReady()
            case "session.updated":
                yield SessionConfigured()
            case "input_audio_buffer.speech_started":
                yield CallerSpeechStarted()
            case "input_audio_buffer.speech_stopped":
                yield CallerSpeechStopped()
            case "conversation.item.input_audio_transcription.completed":
                yield CallerWords(item=str(event["item_id"]), text=str(event["transcript"]))
            case "response.created":
                yield ResponseStarted(response=str(event["response"]["id"]))
            case "response.output_item.added":
                self._announced(event["item"])
            case "response.function_call_arguments.done":
                yield from self._call(event)
            case "response.output_item.done":
                if event["item"].get("type") == "function_call":
                    yield from self._call(event["item"])
            case "response.done":
                yield from self._ended(event["response"])
            case "error":
                yield _error(event["error"])

    def _announced(self, item: Mapping[str, Any]) -> None:
        if item.get("type") == "function_call":
            for key in ("id", "call_id"):
                if item.get(key):
                    self._names[str(item[key])] = str(item.get("name", ""))

    def _call(self, source: Mapping[str, Any]) -> Iterator[ToolCalled]:
        call = str(source["call_id"])
        name = source.get("name") or self._names.get(call) or self._names.get(str(source.get("item_id")))
        if call in self._told or not name:  # the event that closes the item names it
            return
        self._told.add(call)
        yield ToolCalled(call=call, name=str(name)[:LONGEST_NAME], arguments=str(source.get("arguments") or ""))

    def _ended(self, response: Mapping[str, Any]) -> Iterator[ProviderEvent]:
        for item in response.get("output") or ():
            if isinstance(item, dict) and item.get("type") == "function_call" and item.get("call_id"):
                yield from self._call(item)
        status = str(response.get("status", "completed"))
        known: dict[str, ResponseStatus] = {
            "completed": "completed", "cancelled": "cancelled", "failed": "failed", "incomplete": "incomplete"
        }  # fmt: skip
        yield ResponseEnded(
            response=str(response.get("id", "")),
            status=known.get(status, "failed"),
            tokens=_tokens(response.get("usage")),
            reason=_reason(response.get("status_details")),
        )


def _message(kind: str, **fields: Any) -> str:
    return orjson.dumps({"type": kind, **fields}).decode()


def _remembered(turn: Remembered) -> dict[str, Any]:
    role, kind = ("assistant", "output_text") if turn.role == "agent" else ("user", "input_text")
    return {"type": "message", "role": role, "content": [{"type": kind, "text": turn.text}]}


def _error(error: Mapping[str, Any]) -> ProviderError:
    code, kind = str(error.get("code") or ""), str(error.get("type") or "")
    fatal = kind in FATAL_ERROR_TYPES or code in FATAL_ERROR_TYPES
    return ProviderError(code=code or kind or "error", text=str(error.get("message", ""))[:LONGEST_QUOTE], fatal=fatal)


def _tokens(usage: Any) -> Tokens | None:
    if not isinstance(usage, dict) or not usage:
        return None
    given, made = _details(usage, "input_token_details"), _details(usage, "output_token_details")
    cached = _details(given, "cached_tokens_details")
    return Tokens(
        input_text=_count(given, "text_tokens"),
        input_audio=_count(given, "audio_tokens"),
        cached_text=_count(cached, "text_tokens", "text"),
        cached_audio=_count(cached, "audio_tokens", "audio"),
        output_text=_count(made, "text_tokens"),
        output_audio=_count(made, "audio_tokens"),
    )


def _details(usage: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        found = usage.get(name)
        if isinstance(found, dict):
            return found
    return {}


def _count(details: Mapping[str, Any], *names: str) -> int | None:
    return next((found for name in names if isinstance(found := details.get(name), int)), None)


def _reason(details: Any) -> str:
    if not isinstance(details, dict):
        return ""
    error = details.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    return str(code or details.get("reason") or "")


def _quoted(message: Any) -> str:
    """The beginning of a message, or of a parsed one, as it may stand in a log."""
    if isinstance(message, bytes):
        message = message.decode("utf-8", "replace")
    text = message if isinstance(message, str) else json.dumps(message, default=str)
    return json.dumps(text[:LONGEST_QUOTE])
