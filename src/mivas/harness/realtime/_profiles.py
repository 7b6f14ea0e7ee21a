"""Constants of the providers that speak the OpenAI dialect, one table each. Source: providers.md 2-4, runtime.md 12.2.

Vendors change these several times a year: nothing of it stands anywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

SessionShape: TypeAlias = Literal["nested", "top-level-turn-detection", "flat"]


def _frozen(value: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(dict(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectProfile:
    """What sets one provider apart from the others."""

    name: str
    url: str
    """WebSocket address without the model."""
    url_variables: tuple[str, ...] = ()
    """Environment variables that stand in the address."""
    url_defaults: Mapping[str, str] = field(default_factory=lambda: _frozen({}))
    key_variables: tuple[str, ...]
    """Environment variables that may hold the key, the first one set counts."""
    model: str
    transcription_model: str | None
    voice: str
    turn_detection: Mapping[str, Any]
    input_hz: int
    output_hz: int
    shape: SessionShape
    nested_tools: bool
    """Whether a tool stands under a key `function`."""
    opens_bare: bool
    """Whether a response to an empty conversation is given; else a caller's text item comes first."""
    truncates: bool
    """Whether it is told how much of an answer was heard."""
    stops_by_itself: bool
    """Whether it stops its own answer when the caller speaks."""
    limit_ms: int
    """How long a session may last."""
    list_price: str | None = None
    """Name of the model in the price list, where it differs."""


OPENAI = DialectProfile(
    name="openai",
    url="wss://api.openai.com/v1/realtime",
    key_variables=("OPENAI_API_KEY",),
    model="gpt-realtime-2.1",
    transcription_model="gpt-4o-mini-transcribe",
    voice="ash",
    turn_detection=_frozen({"type": "semantic_vad", "create_response": True, "interrupt_response": True}),
    input_hz=24_000,
    output_hz=24_000,
    shape="nested",
    nested_tools=False,
    opens_bare=True,
    truncates=True,
    stops_by_itself=True,
    limit_ms=60 * 60_000,
)
GROK = DialectProfile(
    name="grok",
    url="wss://api.x.ai/v1/realtime",
    key_variables=("GROK_API_KEY", "XAI_API_KEY"),
    model="grok-voice-latest",
    transcription_model="grok-transcribe",
    voice="eve",
    turn_detection=_frozen(
        {"type": "server_vad", "threshold": 0.7, "silence_duration_ms": 700, "prefix_padding_ms": 400}
    ),
    input_hz=24_000,
    output_hz=24_000,
    shape="top-level-turn-detection",
    nested_tools=False,
    opens_bare=True,
    truncates=True,
    stops_by_itself=True,
    limit_ms=60 * 60_000,
)
QWEN = DialectProfile(
    name="qwen",
    url="wss://{QWEN_WORKSPACE_ID}.{QWEN_REGION}.maas.aliyuncs.com/api-ws/v1/realtime",
    url_variables=("QWEN_WORKSPACE_ID", "QWEN_REGION"),
    url_defaults=_frozen({"QWEN_REGION": "ap-southeast-1"}),
    key_variables=("DASHSCOPE_API_KEY", "QWEN_API_KEY"),
    model="qwen-audio-3.0-realtime-plus",
    transcription_model=None,
    voice="longanqian",
    turn_detection=_frozen({"type": "server_vad", "threshold": 0.5, "silence_duration_ms": 800}),
    input_hz=16_000,
    output_hz=24_000,
    shape="flat",
    nested_tools=True,
    opens_bare=False,
    truncates=False,
    stops_by_itself=True,
    limit_ms=120 * 60_000,
)
