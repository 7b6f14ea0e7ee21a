"""The suite's provider for adapters whose doubles are part of this project."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import numpy as np

from mivas.conformance._deviations import deviations_of
from mivas.conformance._provider import ArrivedSound, Provider, Served
from mivas.errors import InputError
from mivas.fakes.realtime import PROFILES, Plan, RealtimeDouble
from mivas.harness import load_harness
from mivas.harness.realtime import Address

SECRET = "canary-Zq7-never-to-be-told"  # noqa: S105 (opens a double on loopback)


def doubled_provider(harness: Any) -> Provider:
    """The double of a harness's provider.

    Args:
        harness: one that is reached at an address, such as `load_harness("grok/voice")`.
    Raises InputError where there is no double.
    """
    if not hasattr(harness, "reached"):
        mend = "give --provider MODULE:NAME (docs/conformance.md)"
        raise InputError("there is no double of its provider here", where=f"harness {harness.name}", mend=mend)
    profile = PROFILES[harness.profile.name]

    @asynccontextmanager
    async def serve(plan: Plan) -> AsyncIterator[Served]:
        async with RealtimeDouble(profile, plan, key=SECRET) as double:
            address = Address(url=f"{double.url}?model={harness.model}", headers={"Authorization": f"Bearer {SECRET}"})
            yield Served(
                harness=harness.reached(address),
                sound=lambda: _arrived(double, harness.profile.input_hz),
                connections=lambda: len({one.session for one in double.received} - {one for one, _ in double.closed}),
                objections=lambda: _objections(double),
            )

    return Provider(serve=serve, secret=SECRET, reports_usage=profile.reports_usage, deviations=deviations_of(harness))


def provider_of(harness: str) -> Provider:
    """The same by the harness's name. Raises MivasError."""
    return doubled_provider(load_harness(harness))


def _arrived(double: RealtimeDouble, rate_hz: int) -> list[ArrivedSound]:
    return [
        ArrivedSound(
            connection=one.session,
            at_ms=one.at_ms,
            rate_hz=rate_hz,
            samples=np.frombuffer(base64.b64decode(one.event["audio"]), dtype="<i2").astype(np.int16),
        )
        for one in double.received
        if one.type == "input_audio_buffer.append"
    ]


def _objections(double: RealtimeDouble) -> list[str]:
    asked_for = "An error that was asked for."
    errors = [event["error"] for _, event in double.sent if event["type"] == "error"]
    return [f"{error['code']}: {error['message']}" for error in errors if error["message"] != asked_for]
