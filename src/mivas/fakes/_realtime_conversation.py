"""What a session remembers: items in order, calls and their outputs, sound made and heard. Pure."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from mivas.fakes._realtime_brain import ToolOutput
from mivas.fakes._realtime_settings import Rejected

Item: TypeAlias = dict[str, Any]
Origin: TypeAlias = Literal["speech", "client", "answer"]
_CONTENT: Mapping[str, frozenset[str]] = {
    "user": frozenset({"input_text", "input_audio", "input_image", "text"}),
    "system": frozenset({"input_text", "text"}),
    "assistant": frozenset({"output_text", "output_audio", "text", "audio"}),
}
CALLER_AUDIO_MS_PER_TOKEN = 100
AGENT_AUDIO_MS_PER_TOKEN = 50


@dataclass(slots=True)
class Kept:
    """An item, and what isn't told with it."""

    item: Item
    audio_ms: int = 0
    origin: Origin = "client"


@dataclass(slots=True)
class Conversation:
    """One session's items."""

    kept: dict[str, Kept] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    """Tool by the id of a call that this session made, or was told of."""
    outputs: dict[str, str] = field(default_factory=dict)
    """Output by call id."""
    heard: dict[str, str] = field(default_factory=dict)
    """Transcript by item of each turn that the caller spoke."""
    cached_tokens: int = 0

    def add(self, item: Item, *, audio_ms: int = 0, origin: Origin = "client") -> str | None:
        """Append an item; gives the id of the one before it."""
        before = next(reversed(self.kept), None)
        self.kept[item["id"]] = Kept(item, audio_ms, origin)
        if item["type"] == "function_call":
            self.calls[item["call_id"]] = item["name"]
        if item["type"] == "function_call_output":
            self.outputs[item["call_id"]] = item["output"]
        return before

    def of(self, item_id: Any, param: str = "item_id") -> Kept:
        """Raises Rejected for an id that nothing has."""
        if not isinstance(item_id, str) or item_id not in self.kept:
            raise Rejected("item_not_found", f"No item with id {str(item_id)[:60]!r}.", param)
        return self.kept[item_id]

    def delete(self, item_id: Any) -> None:
        del self.kept[self.of(item_id).item["id"]]

    def truncate(self, item_id: Any, audio_end_ms: Any) -> None:
        """Forget what of an answer wasn't heard. Raises Rejected, also past the sound that was made."""
        kept = self.of(item_id)
        if kept.origin != "answer" or not kept.audio_ms:
            raise Rejected("invalid_value", "Only assistant messages with audio can be truncated.", "item_id")
        if not isinstance(audio_end_ms, int) or isinstance(audio_end_ms, bool) or audio_end_ms < 0:
            raise Rejected("invalid_value", "Invalid value for 'audio_end_ms'.", "audio_end_ms")
        if audio_end_ms > kept.audio_ms:
            message = f"Audio content of {kept.audio_ms}ms is already shorter than {audio_end_ms}ms"
            raise Rejected("invalid_value", message, "audio_end_ms")
        for part in kept.item["content"]:
            part.pop("transcript", None)  # what of it was heard isn't known
        kept.audio_ms = audio_end_ms

    def checked(self, item: Any, new_id: str) -> Item:
        """A client's item as it is kept. Raises Rejected."""
        if not isinstance(item, dict) or not isinstance(item.get("type"), str):
            raise Rejected("missing_required_parameter", "Missing required parameter: 'item.type'.", "item.type")
        given = item.get("id")
        if given is not None and (not isinstance(given, str) or not given or given in self.kept):
            raise Rejected("invalid_value", "Invalid value for 'item.id'.", "item.id")
        kept = {**item, "id": given or new_id, "object": "realtime.item", "status": "completed"}
        match item["type"]:
            case "message":
                _check_message(item)
            case "function_call":
                _check_texts(item, "call_id", "name", "arguments")
            case "function_call_output":
                _check_texts(item, "call_id", "output")
                if item["call_id"] not in self.calls:
                    message = f"Tool call ID '{item['call_id'][:60]}' not found in conversation."
                    raise Rejected("invalid_tool_call_id", message, "item.call_id")
            case _:
                raise Rejected("invalid_value", "Invalid value for 'item.type'.", "item.type")
        return kept

    @property
    def tool_outputs(self) -> tuple[ToolOutput, ...]:
        return tuple(
            ToolOutput(call_id=call_id, tool=tool, output=self.outputs.get(call_id))
            for call_id, tool in self.calls.items()
        )

    @property
    def written(self) -> tuple[str, ...]:
        """Texts that the client put into a user's mouth."""
        messages = [kept.item for kept in self.kept.values() if kept.item.get("role") == "user"]
        parts = [part for item in messages for part in item["content"]]
        return tuple(part["text"] for part in parts if part.get("type") in ("input_text", "text"))

    def usage(self, given_text: str, answer: list[Item]) -> dict[str, Any]:
        """Tokens of a made-up tokeniser: one a word, one for 100 ms of a caller's sound and for 50 ms of an agent's.

        Args:
            given_text: instructions and tools. answer: items of the response that is over.
        """
        own = {item["id"] for item in answer}
        before = [kept for kept in self.kept.values() if kept.item["id"] not in own]
        made = [self.kept[item["id"]] for item in answer if item["id"] in self.kept]
        text = len(given_text.split()) + sum(_words(kept.item) for kept in before)
        audio = sum(_audio_tokens(kept) for kept in before)
        out_text, out_audio = sum(_words(kept.item) for kept in made), sum(_audio_tokens(kept) for kept in made)
        cached = min(self.cached_tokens, text)
        self.cached_tokens = text
        return {
            "total_tokens": text + audio + out_text + out_audio,
            "input_tokens": text + audio,
            "output_tokens": out_text + out_audio,
            "input_token_details": {
                "text_tokens": text,
                "audio_tokens": audio,
                "image_tokens": 0,
                "cached_tokens": cached,
                "cached_tokens_details": {"text_tokens": cached, "audio_tokens": 0, "image_tokens": 0},
            },
            "output_token_details": {"text_tokens": out_text, "audio_tokens": out_audio},
        }


def sound_of(encoded: Any, param: str) -> bytes:
    """Decode base64. Raises Rejected."""
    if not isinstance(encoded, str):
        raise Rejected("missing_required_parameter", f"Missing required parameter: '{param}'.", param)
    try:
        return base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise Rejected("invalid_value", f"Invalid '{param}'. Expected base64-encoded audio bytes.", param) from None


def _check_message(item: Mapping[str, Any]) -> None:
    role, content = item.get("role"), item.get("content")
    if not isinstance(role, str) or role not in _CONTENT:
        raise Rejected("invalid_value", "Invalid value for 'item.role'.", "item.role")
    if not isinstance(content, list) or not content:
        raise Rejected("missing_required_parameter", "Missing required parameter: 'item.content'.", "item.content")
    for index, part in enumerate(content):
        path = f"item.content[{index}]"
        if not isinstance(part, dict) or not isinstance(part.get("type"), str) or part["type"] not in _CONTENT[role]:
            raise Rejected("invalid_value", f"Invalid value for '{path}.type'.", f"{path}.type")
        if part["type"].endswith("text") and not isinstance(part.get("text"), str):
            raise Rejected("missing_required_parameter", f"Missing required parameter: '{path}.text'.", f"{path}.text")
        if part["type"] == "input_audio":
            sound_of(part.get("audio"), f"{path}.audio")


def _check_texts(item: Mapping[str, Any], *names: str) -> None:
    for name in names:
        if not isinstance(item.get(name), str):
            raise Rejected("missing_required_parameter", f"Missing required parameter: 'item.{name}'.", f"item.{name}")


def _words(item: Item) -> int:
    texts = [str(item.get(key) or "") for key in ("arguments", "output")]
    for part in item.get("content") or ():
        texts.extend(str(part.get(key) or "") for key in ("text", "transcript") if part.get("type") != "input_audio")
    return sum(len(text.split()) for text in texts)


def _audio_tokens(kept: Kept) -> int:
    per_token = AGENT_AUDIO_MS_PER_TOKEN if kept.origin == "answer" else CALLER_AUDIO_MS_PER_TOKEN
    return kept.audio_ms // per_token
