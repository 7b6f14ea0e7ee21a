"""What sets the providers of the OpenAI dialect apart: one table of constants each. Source: providers.md 2-4, 9.

A line marked "unconfirmed" is not documented by its vendor, or sources differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

SettingName: TypeAlias = Literal[
    "instructions",
    "tools",
    "voice",
    "modalities",
    "turn_detection",
    "transcription",
    "input_format",
    "output_format",
]
Place: TypeAlias = tuple[str, ...]
"""Keys from the session object down to a setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """When a setting can't be changed any more, and what becomes of an attempt."""

    since: Literal["first update", "caller audio", "agent audio"]
    attempt: Literal["error", "ignored"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RealtimeProfile:
    """One provider, as its double plays it."""

    name: str
    path: str
    model: str
    """An id that the vendor's own pages use."""
    first_events: tuple[str, ...]
    defaults: Mapping[str, Any]
    """The session before any update, without id and model."""
    places: Mapping[SettingName, Place]
    known_fields: Mapping[Place, frozenset[str]] = field(default_factory=dict)
    """Keys of the session and its parts; a place that isn't listed takes any key."""
    needs_type: bool = False
    """Whether every update must say `type: realtime`."""
    other_spelling: frozenset[str] = frozenset()
    """Keys of another spelling of the session, never to be mixed with its own."""
    nested_tools: bool = False
    vendor_tools: frozenset[str] = frozenset()
    """Types of tools that run at the vendor."""
    both_modalities: bool = True
    """Whether text and audio may be asked for together."""
    spelled: Mapping[str, str] = field(default_factory=dict)
    """The provider's own names of events; "" for one that it doesn't send."""
    frozen: Mapping[SettingName, Freeze] = field(default_factory=dict)
    input_rates_hz: frozenset[int]
    output_rates_hz: frozenset[int]
    g711: bool
    response_fields: frozenset[str] | None
    """Keys of `response.create.response`; None takes any."""
    answers_empty_conversation: bool = True
    truncates: bool = True
    busy_code: str
    busy_message: str
    ping_every_ms: int | None = None
    reports_usage: bool = True
    """False: usage is empty or absent, in turns."""
    reports_rate_limits: bool = False
    running_transcript: bool = False
    """Whether the caller's words so far are told before they are complete."""
    forced_speech: bool = False
    """Whether an item of type `force_message` is spoken."""
    finishes: bool = False
    """Whether `session.finish` is answered."""
    server_error_ends: bool = False
    limit_ms: int
    wrong_key_status: int


def _table(**values: Any) -> Mapping[str, Any]:
    return MappingProxyType(values)


_SERVER_VAD = {
    "type": "server_vad",
    "threshold": 0.5,
    "prefix_padding_ms": 300,
    "silence_duration_ms": 500,
    "idle_timeout_ms": None,
    "create_response": True,
    "interrupt_response": True,
}
_PCM = {"type": "audio/pcm", "rate": 24_000}
_NESTED_PLACES: Mapping[SettingName, Place] = {
    "instructions": ("instructions",),
    "tools": ("tools",),
    "voice": ("audio", "output", "voice"),
    "modalities": ("output_modalities",),
    "turn_detection": ("audio", "input", "turn_detection"),
    "transcription": ("audio", "input", "transcription"),
    "input_format": ("audio", "input", "format"),
    "output_format": ("audio", "output", "format"),
}

OPENAI = RealtimeProfile(
    name="openai",
    path="/v1/realtime",
    model="gpt-realtime-2.1",
    first_events=("session.created",),
    defaults=_table(
        type="realtime",
        object="realtime.session",
        output_modalities=["audio"],
        instructions="You are a helpful assistant.",
        tools=[],
        tool_choice="auto",
        max_output_tokens="inf",
        truncation="auto",
        parallel_tool_calls=True,
        tracing=None,
        prompt=None,
        include=None,
        audio={
            "input": {"format": _PCM, "transcription": None, "noise_reduction": None, "turn_detection": _SERVER_VAD},
            "output": {"format": _PCM, "voice": "alloy", "speed": 1.0},
        },
    ),
    places=_NESTED_PLACES,
    known_fields={
        (): frozenset(
            [
                "type",
                "model",
                "output_modalities",
                "instructions",
                "tools",
                "tool_choice",
                "max_output_tokens",
                "truncation",
                "reasoning",
                "parallel_tool_calls",
                "tracing",
                "prompt",
                "include",
                "audio",
            ]
        ),
        ("audio",): frozenset({"input", "output"}),
        ("audio", "input"): frozenset({"format", "transcription", "noise_reduction", "turn_detection"}),
        ("audio", "output"): frozenset({"format", "voice", "speed"}),
    },
    needs_type=True,
    both_modalities=False,
    frozen={"voice": Freeze(since="agent audio", attempt="error")},
    input_rates_hz=frozenset({24_000}),
    output_rates_hz=frozenset({24_000}),
    g711=True,
    response_fields=frozenset(
        [
            "instructions",
            "metadata",
            "output_modalities",
            "tools",
            "tool_choice",
            "conversation",
            "input",
            "audio",
            "max_output_tokens",
            "prompt",
            "parallel_tool_calls",
            "reasoning",
        ]
    ),
    busy_code="conversation_already_has_active_response",
    busy_message="Conversation already has an active response in progress.",
    reports_rate_limits=True,
    limit_ms=60 * 60_000,
    wrong_key_status=401,
)

GROK = RealtimeProfile(
    name="grok",
    path="/v1/realtime",
    model="grok-voice-latest",
    first_events=("session.created", "conversation.created"),
    defaults=_table(
        object="realtime.session",
        modalities=["text", "audio"],
        instructions="",
        voice="ara",
        tools=[],
        turn_detection=_SERVER_VAD,
        audio={"input": {"format": _PCM, "transcription": None}, "output": {"format": _PCM}},
    ),
    places={
        **_NESTED_PLACES,
        "voice": ("voice",),
        "modalities": ("modalities",),
        "turn_detection": ("turn_detection",),
    },
    vendor_tools=frozenset({"web_search", "x_search", "file_search", "mcp"}),
    spelled=_table(**{"response.output_text.delta": "response.text.delta"}),
    frozen={
        "voice": Freeze(since="agent audio", attempt="error"),
        # Belong in the first update; what a later one does is unconfirmed.
        "turn_detection": Freeze(since="first update", attempt="ignored"),
        "input_format": Freeze(since="first update", attempt="ignored"),
        "output_format": Freeze(since="first update", attempt="ignored"),
    },
    input_rates_hz=frozenset({8000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000}),
    output_rates_hz=frozenset({8000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000}),
    g711=True,
    response_fields=None,
    busy_code="conversation_already_has_active_response",
    busy_message="Conversation already has an active response in progress.",
    ping_every_ms=15_000,
    reports_usage=False,
    running_transcript=True,
    forced_speech=True,
    limit_ms=60 * 60_000,  # unconfirmed: 120 minutes on the vendor's page, 60 elsewhere
    wrong_key_status=401,  # unconfirmed
)

QWEN = RealtimeProfile(
    name="qwen",
    path="/api-ws/v1/realtime",
    model="qwen-audio-3.0-realtime-plus",
    first_events=("session.created",),
    defaults=_table(
        object="realtime.session",
        modalities=["text", "audio"],
        voice="longanqian",
        instructions="",
        input_audio_format="pcm",
        output_audio_format="pcm",
        input_audio_transcription=None,
        turn_detection={
            "type": "server_vad",
            "threshold": 0.5,
            "silence_duration_ms": 800,
            "create_response": True,
            "interrupt_response": True,
        },
        tools=[],
        tool_choice="auto",
        temperature=0.8,
    ),
    places={
        "instructions": ("instructions",),
        "tools": ("tools",),
        "voice": ("voice",),
        "modalities": ("modalities",),
        "turn_detection": ("turn_detection",),
        "transcription": ("input_audio_transcription",),
        "input_format": ("input_audio_format",),
        "output_format": ("output_audio_format",),
    },
    other_spelling=frozenset({"audio"}),
    nested_tools=True,
    spelled=_table(
        **{
            "response.output_audio.delta": "response.audio.delta",
            "response.output_audio.done": "response.audio.done",
            "response.output_audio_transcript.delta": "response.audio_transcript.delta",
            "response.output_audio_transcript.done": "response.audio_transcript.done",
            "response.output_text.delta": "response.text.delta",
            "response.output_text.done": "response.text.done",
            "conversation.item.added": "conversation.item.created",
            "conversation.item.done": "",
        }
    ),
    frozen={
        "voice": Freeze(since="first update", attempt="ignored"),
        "turn_detection": Freeze(since="caller audio", attempt="ignored"),
    },
    input_rates_hz=frozenset({16_000}),
    output_rates_hz=frozenset({24_000}),
    g711=False,
    response_fields=None,
    answers_empty_conversation=False,
    truncates=False,  # unconfirmed
    busy_code="invalid_request_error",
    busy_message="Cannot create response while another response is in progress",
    finishes=True,
    server_error_ends=True,
    limit_ms=120 * 60_000,
    wrong_key_status=401,  # unconfirmed
)

PROFILES: Mapping[str, RealtimeProfile] = MappingProxyType({one.name: one for one in (OPENAI, GROK, QWEN)})
"""By the name that `mivas fake` knows them by."""
