"""A session of a real-time double: whatever a client sends. Source: providers.md 2-4 and 9."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mivas.fakes.realtime import PROFILES, RealtimeProfile

EVERY = pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)


KEYS = [
    "session", "item", "response", "audio", "item_id", "content_index", "audio_end_ms", "response_id", "event_id",
    "input", "output", "format", "turn_detection", "tools", "voice", "type", "role", "content", "call_id", "name",
    "function", "rate", "modalities", "output_modalities", "metadata", "instructions", "text", "threshold", "model",
    "transcription",
]  # fmt: skip
WORDS = [
    "realtime",
    "server_vad",
    "audio/pcm",
    "message",
    "user",
    "input_text",
    "function_call_output",
    "function",
    "none",
]
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(WORDS)
SHAPED = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)
PATIENT = settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
KINDS = st.sampled_from([
    "session.update", "session.finish", "input_audio_buffer.append", "input_audio_buffer.commit", "response.create",
    "input_audio_buffer.clear", "conversation.item.create", "conversation.item.retrieve", "conversation.item.delete",
    "conversation.item.truncate", "response.cancel", "nothing",
])  # fmt: skip


@EVERY
@PATIENT
@given(fields=st.lists(st.tuples(KINDS, st.dictionaries(st.sampled_from(KEYS), SHAPED, max_size=4)), max_size=4))
def test_no_json_breaks_a_session(bench: Any, profile: RealtimeProfile, fields: Any) -> None:
    table = bench(profile)
    for kind, values in fields:
        table.send_raw(json.dumps({**values, "type": kind}))
    table.run(3000)
    assert table.of_type("session.created")


SOUND = base64.b64encode(bytes(range(256)) * 80).decode()
USUAL: list[dict[str, Any]] = [
    {"type": "session.update", "session": {
        "type": "realtime", "instructions": "x", "tools": [{"type": "function", "name": "a", "parameters": {}}],
        "audio": {
            "input": {"format": {"type": "audio/pcmu"}, "turn_detection": {"type": "semantic_vad", "eagerness": "low"}},
            "output": {"voice": "ash", "format": {"type": "audio/pcm", "rate": 24000}},
        },
    }},
    {"type": "session.update", "session": {
        "voice": "a", "turn_detection": {"type": "server_vad", "threshold": 0.1, "silence_duration_ms": 200},
        "modalities": ["text"], "tools": [{"type": "function", "function": {"name": "b"}}],
    }},
    {"type": "conversation.item.create", "item": {
        "type": "message", "role": "user",
        "content": [{"type": "input_text", "text": "hi"}, {"type": "input_audio", "audio": "AAAA"}],
    }},
    {"type": "conversation.item.create", "item": {
        "type": "function_call", "call_id": "c", "name": "n", "arguments": "{}"
    }},
    {"type": "conversation.item.create", "item": {"type": "function_call_output", "call_id": "c", "output": "{}"}},
    {"type": "response.create", "response": {"metadata": {"a": "b"}, "tools": [], "conversation": "none"}},
    {"type": "response.create"},
    {"type": "response.cancel"},
    {"type": "conversation.item.truncate", "item_id": "item_0_0", "content_index": 0, "audio_end_ms": 10},
    {"type": "conversation.item.delete", "item_id": "item_0_0"},
    {"type": "conversation.item.retrieve", "item_id": "item_0_0"},
    {"type": "input_audio_buffer.append", "audio": SOUND},
    {"type": "input_audio_buffer.commit"},
    {"type": "input_audio_buffer.clear"},
]  # fmt: skip


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Of everything within a message."""
    if at:
        yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from places(part, (*at, key))


def with_other(message: dict[str, Any], at: tuple[Any, ...], value: Any) -> dict[str, Any]:
    changed = copy.deepcopy(message)
    part: Any = changed
    for key in at[:-1]:
        part = part[key]
    part[at[-1]] = value
    return changed


NEARLY_RIGHT = st.sampled_from(USUAL).flatmap(
    lambda usual: st.just(usual) | st.builds(with_other, st.just(usual), st.sampled_from(list(places(usual))), SHAPED)
)


@EVERY
@PATIENT
@given(messages=st.lists(st.tuples(NEARLY_RIGHT, st.integers(0, 700)), max_size=8))
def test_no_message_with_one_wrong_part_breaks_a_session(bench: Any, profile: RealtimeProfile, messages: Any) -> None:
    table = bench(profile)
    for message, wait_ms in messages:
        table.send_raw(json.dumps(message))
        table.run(wait_ms)
    table.run(2000)
    assert table.others or table.send("nothing")[0]["type"] == "error"


@EVERY
@pytest.mark.parametrize("depth", [200, 250, 300, 600, 1000, 5000])
def test_depth_breaks_no_session(bench: Any, profile: RealtimeProfile, depth: int) -> None:
    table = bench(profile)
    deep = "[" * depth + "]" * depth
    for kind, key in (
        ("session.update", "session"),
        ("session.update", "tools"),
        ("conversation.item.create", "item"),
        ("response.create", "response"),
        ("input_audio_buffer.append", "audio"),
    ):
        table.send_raw(f'{{"type": "{kind}", "{key}": {{"type": "realtime", "include": {deep}}}}}')
        table.send_raw(f'{{"type": "{kind}", "{key}": {deep}}}')
    (told,) = table.send("nothing")
    assert told["type"] == "error"


@EVERY
@PATIENT
@given(message=st.binary(max_size=40) | st.text(max_size=40) | SHAPED.map(str))
def test_no_bytes_break_a_session(bench: Any, profile: RealtimeProfile, message: str | bytes) -> None:
    table = bench(profile)
    (told,) = table.send_raw(message)
    assert told["type"] == "error"
