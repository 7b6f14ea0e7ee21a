"""What leaves a double's session: events in the provider's spelling, and what its server is asked to do. Pure."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from mivas.fakes._realtime_brain import SessionView
from mivas.fakes._realtime_profiles import RealtimeProfile
from mivas.line.spoken import Pcm


@dataclass(frozen=True, slots=True)
class SendEvent:
    """Send this as JSON."""

    event: dict[str, Any]


@dataclass(frozen=True, slots=True)
class SendText:
    """Send this as it stands."""

    text: str


@dataclass(frozen=True, slots=True)
class Close:
    """Close the connection."""

    code: int
    reason: str


@dataclass(frozen=True, slots=True)
class Drop:
    """Cut the connection without a word."""


@dataclass(frozen=True, slots=True)
class Recognise:
    """Find out what the caller said, and tell the session by `recognised`."""

    item_id: str
    samples: Pcm
    rate_hz: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask the brain for an answer, have its words spoken, and tell the session by `answered`."""

    answer_id: str
    view: SessionView
    speaks: bool
    rate_hz: int
    dictated: str | None = None
    """Words that the client asked for itself; the brain isn't asked."""


Action: TypeAlias = SendEvent | SendText | Close | Drop | Recognise | Ask


@dataclass(slots=True)
class Wire:
    """One session's way out, and its timers. Times are ms of the session."""

    profile: RealtimeProfile
    number: int
    actions: list[Action] = field(default_factory=list)
    now_ms: float = 0.0
    closed: bool = False
    _events: int = 0
    _ids: dict[str, int] = field(default_factory=dict)
    _timers: list[tuple[float, int, Callable[[], None]]] = field(default_factory=list)
    _timer_count: int = 0
    _waiting: dict[str, Any] | None = None
    """An event that the next one overtakes."""

    def new_id(self, kind: str) -> str:
        """Such as `item_0_3`: of connection 0 the third, counted from 0."""
        count = self._ids.get(kind, 0)
        self._ids[kind] = count + 1
        return f"{kind}_{self.number}_{count}"

    def emit(self, kind: str, *, overtaken: bool = False, **fields: Any) -> None:
        """Send an event, by its name in the newer spelling; the provider's own is put in its place.

        Args:
            overtaken: let every second event of this sort go before the one that should be first.
        """
        name = self.profile.spelled.get(kind, kind)
        if not name:
            return
        event = {"type": name, "event_id": f"event_{self.number}_{self._events}", **fields}
        self._events += 1
        if overtaken and self._waiting is None:
            self._waiting = event
            return
        self.act(SendEvent(event))
        self.settle()

    def settle(self) -> None:
        """Send an event that is still waiting to be overtaken."""
        if self._waiting is not None:
            event, self._waiting = self._waiting, None
            self.act(SendEvent(event))

    def act(self, action: Action) -> None:
        if self.closed:
            return
        self.actions.append(action)
        self.closed = isinstance(action, Close | Drop)

    def later(self, at_ms: float, act: Callable[[], None]) -> None:
        """Have something done at that time, or as soon after it as the session is woken; in the order of asking."""
        self._timer_count += 1
        heapq.heappush(self._timers, (max(at_ms, self.now_ms), self._timer_count, act))

    @property
    def next_ms(self) -> float | None:
        """When the session must be woken; None: by the client only."""
        return self._timers[0][0] if self._timers and not self.closed else None

    def run_until(self, now_ms: float) -> None:
        """Do all that is due."""
        while self._timers and self._timers[0][0] <= now_ms and not self.closed:
            at_ms, _, act = heapq.heappop(self._timers)
            self.now_ms = max(self.now_ms, at_ms)
            act()
        self.now_ms = max(self.now_ms, now_ms)

    def take(self) -> list[Action]:
        taken, self.actions = self.actions, []
        return taken
