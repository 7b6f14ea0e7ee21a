"""A test suite for adapters: does a voice harness carry calls as it must, whatever its provider does?

Drives the adapter from outside, over the seam `VoiceHarness` and a double of its provider. Needs pytest and the
extras `realtime` and `voice` (docs/conformance.md). Knows no pack but a small one of its own.
"""

import pytest

pytest.register_assert_rewrite(
    *(
        f"mivas.conformance.{name}"
        for name in ("_opening", "_sound", "_tools", "_ending", "_trouble", "_bench", "_ends")
    )
)

from mivas.conformance._bench import Call, run_call, run_calls  # noqa: E402
from mivas.conformance._command import check_conformance  # noqa: E402
from mivas.conformance._deviations import KnownDeviations  # noqa: E402
from mivas.conformance._doubles import doubled_provider, provider_of  # noqa: E402
from mivas.conformance._ending import Ending  # noqa: E402
from mivas.conformance._ends import Caller, Room, Tools  # noqa: E402
from mivas.conformance._model import Model, end_call, handoff  # noqa: E402
from mivas.conformance._opening import Opening  # noqa: E402
from mivas.conformance._provider import ArrivedSound, Provider, Serve, Served  # noqa: E402
from mivas.conformance._sound import Sound  # noqa: E402
from mivas.conformance._tools import ToolsAndHandoffs  # noqa: E402
from mivas.conformance._trouble import Trouble  # noqa: E402

__all__ = [
    "ArrivedSound",
    "Call",
    "Caller",
    "Conformance",
    "Model",
    "Provider",
    "Room",
    "Serve",
    "Served",
    "Tools",
    "check_conformance",
    "doubled_provider",
    "end_call",
    "handoff",
    "provider_of",
    "run_call",
    "run_calls",
]


class Conformance(KnownDeviations, Opening, Sound, ToolsAndHandoffs, Ending, Trouble):
    """All of it. A subclass named `Test...` with a fixture `provider` runs it (docs/conformance.md)."""
