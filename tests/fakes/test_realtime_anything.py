"""A session of a real-time double: whatever a client sends. Source: providers.md 2-4 and 9."""

from __future__ import annotations

import json
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
