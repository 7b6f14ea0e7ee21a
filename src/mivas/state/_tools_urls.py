"""Addresses for agents that run elsewhere: one unguessable token per call, tools and reports only (runtime.md 8.8)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from mivas.state._store import clean_call_id

REPORT_GRACE_S = 60.0
MAX_REPORTED = 10_000  # a call of eight minutes makes a few dozen; more is a runaway agent filling memory


class ReportedCall(BaseModel):
    """One tool call as a black-box agent reports it."""

    model_config = ConfigDict(frozen=True, strict=True)

    name: Annotated[str, Field(min_length=1)]
    start_offset_ms: Annotated[float, Field(ge=0, lt=2**53, allow_inf_nan=False), AfterValidator(round)]
    """Since call accept, rounded to whole ms."""
    parameters: dict[str, Any]
    output: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything a call's agent has reported so far, repeats dropped."""

    calls: tuple[ReportedCall, ...]
    complete: bool
    """The agent said so with an empty list."""


@dataclass(slots=True, eq=False)
class OpenCall:
    """A call that has a token."""

    call_id: str
    token: str
    hung_up_at_s: float | None = None
    complete: bool = False
    reported: dict[tuple[str, float], ReportedCall] = field(default_factory=dict)


class ToolsUrls:
    """The tokens of running calls. Thread-safe: routes read it on the event loop, its owner may live elsewhere."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        """`now_s`: monotonic seconds; the virtual clock of a run, or `time.monotonic`."""
        self._now_s = now_s
        self._by_token: dict[str, OpenCall] = {}
        self._by_call: dict[str, OpenCall] = {}
        self._lock = threading.Lock()

    def open_tools_url(self, call_id: str) -> str:
        """Path `/calls/{token}` for a call that begins; `/tools/{name}` and `/tool_calls` stand below it.

        Raises ValueError for an id against the rules of runtime.md 3.2, or for a call that already has a token.
        """
        if clean_call_id(call_id) != call_id:
            raise ValueError(f"not a call id: {call_id!r}")
        call = OpenCall(call_id, token_urlsafe(32))
        with self._lock:
            if call_id in self._by_call:
                raise ValueError(f"call {call_id} already has a tools URL")
            self._by_call[call_id] = self._by_token[call.token] = call
        return f"/calls/{call.token}"

    def hang_up(self, call_id: str) -> None:
        """Stop the call's tools; reports are taken for another 60 s. The first hang-up counts. Raises KeyError."""
        with self._lock:
            call = self._by_call[call_id]
            if call.hung_up_at_s is None:
                call.hung_up_at_s = self._now_s()

    def report(self, call_id: str) -> Report:
        """What the agent has reported. Raises KeyError for a call without a token."""
        with self._lock:
            call = self._by_call[call_id]
            return Report(calls=tuple(call.reported.values()), complete=call.complete)

    def close(self, call_id: str) -> None:
        """Forget the call and its token. Idempotent."""
        with self._lock:
            call = self._by_call.pop(call_id, None)
            if call is not None:
                del self._by_token[call.token]

    def find(self, token: str) -> OpenCall | None:
        """The call of a token, or None."""
        return self._by_token.get(token)

    def takes_reports(self, call: OpenCall) -> bool:
        """Whether the call is on, or hung up 60 s ago at most."""
        return call.hung_up_at_s is None or self._now_s() - call.hung_up_at_s <= REPORT_GRACE_S

    def add(self, call: OpenCall, calls: Iterable[ReportedCall]) -> bool:
        """Keep one post of an agent's report; False, and nothing kept, when it would be too long."""
        calls = tuple(calls)
        with self._lock:
            merged = dict(call.reported)
            for entry in calls:
                merged.setdefault((entry.name, entry.start_offset_ms), entry)
            if len(merged) > MAX_REPORTED:
                return False
            call.reported = merged
            call.complete = call.complete or not calls
        return True
