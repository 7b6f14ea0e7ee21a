"""Real-time models as agents: one core over the line, neutral events, a codec and a session for each provider's wire.

A new provider is a codec (messages to neutral events and back), a profile of constants, and a double with its wire.
"""

from mivas.harness.realtime._events import Command, ProviderEvent
from mivas.harness.realtime._harness import (
    DialectHarness,
    grok_voice,
    openai_mini_swap,
    openai_swap,
    qwen_audio,
)
from mivas.harness.realtime._session import (
    Address,
    Codec,
    HandoffStrategy,
    ProviderSession,
    SessionCapabilities,
    SessionLost,
)

__all__ = [
    "Address",
    "Codec",
    "Command",
    "DialectHarness",
    "HandoffStrategy",
    "ProviderEvent",
    "ProviderSession",
    "SessionCapabilities",
    "SessionLost",
    "grok_voice",
    "openai_mini_swap",
    "openai_swap",
    "qwen_audio",
]
