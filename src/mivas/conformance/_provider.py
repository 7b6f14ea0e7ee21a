"""What somebody who tests an adapter hands over: a way to have it answer calls with a double of its provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Literal

from mivas.fakes.realtime import FAULTS, Plan
from mivas.harness import VoiceHarness
from mivas.line.spoken import Pcm


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrivedSound:
    """Sound of the caller's as it reached the double."""

    connection: int
    """Number of the connection, from 0."""
    at_ms: int
    """Since that connection stood."""
    rate_hz: int
    samples: Pcm
    """int16[n], mono."""


def _nothing() -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A double that listens, and the adapter that reaches it."""

    harness: VoiceHarness
    sound: Callable[[], Sequence[ArrivedSound]]
    """The caller's sound so far, in order."""
    connections: Callable[[], int]
    """How many are open."""
    objections: Callable[[], Sequence[str]] = _nothing
    """What the double had to refuse: unknown ids, a second answer while one was running and the like."""


Serve = Callable[[Plan], AbstractAsyncContextManager[Served]]
"""Starts a double on the running loop that follows a plan (docs/doubles.md): asked for an answer it gives the plan's
brain a `SessionView` and sends what that wants said and called, in the provider's own spelling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """An adapter's provider, as the suite needs it."""

    serve: Serve
    secret: str
    """The key the double takes, 12 characters or more: it may come out nowhere."""
    clock: Literal["virtual", "real"] = "virtual"
    """virtual: adapter and double wait for nothing but the running loop."""
    faults: frozenset[str] = field(default_factory=lambda: frozenset(FAULTS))
    """Those that the double can commit; tests that need another one are skipped."""
    reports_usage: bool = True
    """Whether the provider counts tokens."""
    deviations: Mapping[str, str] = field(default_factory=dict)
    """Tests of the suite, by name, that the adapter is known to fail, each with the reason."""

    def __post_init__(self) -> None:
        if len(self.secret) < 12:
            raise ValueError("a secret of under 12 characters can't be told from other text")
