"""This project's own adapters, against the doubles of their providers, in virtual time."""

from __future__ import annotations

import pytest

pytest.importorskip("websockets")
pytest.importorskip("soxr")

from mivas.conformance import Conformance, Provider, provider_of

ADAPTERS = (
    "openai/realtime-2.1-swap",
    pytest.param("openai/realtime-2.1-mini-swap", marks=pytest.mark.slow),
    pytest.param("grok/voice", marks=pytest.mark.slow),
    pytest.param("qwen/audio-realtime", marks=pytest.mark.slow),
)


class TestOwnAdapters(Conformance):
    @pytest.fixture(params=ADAPTERS)
    def provider(self, request: pytest.FixtureRequest) -> Provider:
        return provider_of(request.param)
