"""The conformance suite with openai-agents as the adapter, in virtual time."""

from __future__ import annotations

import pytest

pytest.importorskip("agents.realtime")
pytest.importorskip("soxr")

from mivas.conformance import Conformance, Provider, provider_of


@pytest.mark.slow
class TestOpenAIAgents(Conformance):
    @pytest.fixture
    def provider(self) -> Provider:
        return provider_of("openai/realtime-2.1")
