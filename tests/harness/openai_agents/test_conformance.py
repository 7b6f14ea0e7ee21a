"""The conformance suite with openai-agents as the adapter, in virtual time."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("agents.realtime")
pytest.importorskip("soxr")

from mivas.conformance import Conformance, Provider, provider_of

ORDER = "the package lists transfers after all other tools"
THE_PACKAGES_WAY = {
    "test_26_a_node_has_its_own_tools_and_no_other": ORDER,
    "test_28_after_a_transfer_the_model_works_by_the_next_nodes_prompt_and_tools": ORDER,
    "test_a_message_that_is_no_json_is_passed_over": "the package gives the session up; the call goes on with another",
}
"""What is otherwise than without the package, and can't be helped from outside."""


@pytest.mark.slow
class TestOpenAIAgents(Conformance):
    @pytest.fixture
    def provider(self, request: Any) -> Provider:
        if reason := THE_PACKAGES_WAY.get(request.node.originalname):
            request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
        return provider_of("openai/realtime-2.1")
