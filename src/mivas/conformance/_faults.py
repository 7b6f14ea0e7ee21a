"""Faults that a test asks of a double."""

from __future__ import annotations

import pytest

from mivas.conformance._provider import Provider
from mivas.fakes.realtime import Fault


def committing(provider: Provider, name: str, value: str = "") -> tuple[Fault, ...]:
    """One fault; skips the running test where the provider's double can't commit it."""
    if name not in provider.faults:
        pytest.skip(f"the provider's double can't commit the fault {name}")
    return (Fault(name, value),)
