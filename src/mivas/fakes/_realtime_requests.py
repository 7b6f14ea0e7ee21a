"""A client's events, looked at before anything is done about them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from mivas.fakes._realtime_profiles import RealtimeProfile
from mivas.fakes._realtime_settings import Rejected, check_modalities, check_tools


def read_event(message: str | bytes) -> Mapping[str, Any]:
    """Raises Rejected for what is no event."""
    try:
        event = orjson.loads(message)
    except orjson.JSONDecodeError:
        raise Rejected("invalid_json", "The message isn't JSON.") from None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise Rejected("missing_required_parameter", "Missing required parameter: 'type'.", "type")
    if event["type"] != "input_audio_buffer.append" and not _can_be_told(event):
        raise Rejected("invalid_json", "The message is nested too deeply.")
    return event


def _can_be_told(event: Mapping[str, Any]) -> bool:
    """Whether what it holds can be sent back: reading takes deeper values than writing."""
    try:
        orjson.dumps(event)
    except orjson.JSONEncodeError:
        return False
    return True


def dictated_words(item: Mapping[str, Any]) -> str:
    """The words of a `force_message`; where they stand in it is unconfirmed. Raises Rejected."""
    parts = item.get("content")
    texts = [part.get("text") for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    words = " ".join(text for text in [item.get("text"), *texts] if isinstance(text, str))
    if not words:
        raise Rejected("missing_required_parameter", "Missing required parameter: 'item.content'.", "item.content")
    return words


def check_request(request: Any, profile: RealtimeProfile) -> None:
    """Look at `response.create.response`. Raises Rejected for what the provider wouldn't take."""
    if not isinstance(request, dict):
        raise Rejected("invalid_type", "Invalid type for 'response': expected an object.", "response")
    known = profile.response_fields
    unknown = sorted(request.keys() - known) if known is not None else []
    if unknown:
        path = f"response.{unknown[0]}"
        raise Rejected("unknown_parameter", f"Unknown parameter: '{path}'.", path)
    metadata = request.get("metadata")
    if metadata is not None and not (
        isinstance(metadata, dict) and all(isinstance(value, str) for value in metadata.values())
    ):
        raise Rejected("invalid_type", "Invalid type for 'response.metadata'.", "response.metadata")
    if request.get("conversation") not in (None, "auto", "none"):
        raise Rejected("invalid_value", "Invalid value for 'response.conversation'.", "response.conversation")
    if request.get("instructions") is not None and not isinstance(request["instructions"], str):
        raise Rejected("invalid_type", "Invalid type for 'response.instructions'.", "response.instructions")
    if request.get("tools") is not None:
        check_tools(request["tools"], profile, "response.tools")
    for name in ("output_modalities", "modalities"):
        if request.get(name) is not None:
            check_modalities(request[name], profile, f"response.{name}")
