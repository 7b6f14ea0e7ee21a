"""Tests of the suite that an adapter is known to fail, each with its reason: told, never passed over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mivas.conformance._provider import Provider
from mivas.harness.openai_agents import AgentsHarness

_ORDER = "openai-agents lists transfers after all other tools"
_OPENAI_AGENTS = {
    "test_26_a_node_has_its_own_tools_and_no_other": _ORDER,
    "test_28_after_a_transfer_the_model_works_by_the_next_nodes_prompt_and_tools": _ORDER,
    "test_a_message_that_is_no_json_is_passed_over": (
        "openai-agents gives the session up; the call goes on with a new one"
    ),
}


def deviations_of(harness: Any) -> Mapping[str, str]:
    """Test to reason, for a harness of this project: what its package does, and can't be helped from outside."""
    return _OPENAI_AGENTS if isinstance(harness, AgentsHarness) else {}


class KnownDeviations:
    """Marks what the provider declares as expected to fail; a declared test that passes fails the suite."""

    @pytest.fixture(autouse=True)
    def known_deviation(self, request: pytest.FixtureRequest, provider: Provider) -> None:
        for name in provider.deviations:
            if not name.startswith("test_") or not hasattr(self, name):
                pytest.fail(f"Provider.deviations: the suite has no test {name}", pytrace=False)
        if reason := provider.deviations.get(request.node.originalname):
            request.applymarker(pytest.mark.xfail(reason=reason, strict=True))
