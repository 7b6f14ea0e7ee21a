"""Who decides what a provider's double says and calls: a brain, asked once for every answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from mivas.fakes._realtime_faults import Fault


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """What a client gave back for a call."""

    call_id: str
    tool: str
    output: str | None
    """As it was sent, JSON as a rule; None while it isn't there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView:
    """All that a model would know when it is asked for an answer."""

    session: int
    """Number of the connection, from 0; refused ones count."""
    instructions: str
    tools: Mapping[str, Mapping[str, Any]]
    """Functions offered for this answer, by name."""
    voice: str
    heard: tuple[str, ...]
    """The caller's turns by ear, in order."""
    written: tuple[str, ...]
    """What the client wrote in a user's name."""
    outputs: tuple[ToolOutput, ...]
    """All calls so far, in order."""
    updates: int
    """How often the client has configured the session."""
    delivered: int | None
    """How many outputs of the last answer reached the wire, when it was cut off; None: it wasn't, or there is none."""
    request: Mapping[str, Any] = field(default_factory=dict)
    """`response` of the client's response.create."""


@dataclass(frozen=True, slots=True)
class Say:
    """Say it, or write it where the answer is one of text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTool:
    """Call a tool, offered or not."""

    tool: str
    arguments: Mapping[str, Any] | str = "{}"
    """An object, or the raw text to send in its place."""
    call_id: str | None = None
    """None: one of its own."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Keep silent that long before what follows."""

    ms: int


Output: TypeAlias = Say | CallTool | Pause | Fault
"""A fault holds for the whole answer it stands in."""


class Brain(Protocol):
    """What a double follows. Called on the double's own loop, one answer at a time; must not block."""

    def respond(self, session: SessionView) -> Sequence[Output]:
        """What the answer holds, in order; () is an answer without words or calls."""

    def complaint(self) -> str | None:
        """What didn't go as it was meant to, once the double closes; None: all is well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSession:
    """Who answers on one connection, and what goes wrong on it."""

    brain: Brain
    faults: tuple[Fault, ...] = ()


Plan: TypeAlias = Callable[[int], PlannedSession]
"""Given the number of a connection, from 0, says how it goes."""


class EachAnswer:
    """Whatever a function makes of each request; has no end, so nothing can be left over.

    >>> brain = EachAnswer(lambda session: [Say("One moment, please.")])
    >>> brain.complaint() is None
    True
    """

    def __init__(self, answer: Callable[[SessionView], Sequence[Output]]) -> None:
        self._answer = answer

    def respond(self, session: SessionView) -> Sequence[Output]:
        return self._answer(session)

    def complaint(self) -> str | None:
        return None


class WithoutEnd:
    """A brain that, from a fault `endless-calls` on, calls a tool in every answer and says nothing more."""

    def __init__(self, brain: Brain, faults: Sequence[Fault]) -> None:
        self._brain = brain
        self._fault = _endless(faults)

    def respond(self, session: SessionView) -> Sequence[Output]:
        outputs = () if self._fault is not None else self._brain.respond(session)
        self._fault = self._fault or _endless(outputs)
        if self._fault is None:
            return outputs
        tool = self._fault.text or next(iter(session.tools), "look_up")
        return (CallTool(tool=tool),)

    def complaint(self) -> str | None:
        return self._brain.complaint()


def _endless(outputs: Sequence[Output]) -> Fault | None:
    return next((one for one in outputs if isinstance(one, Fault) and one.name == "endless-calls"), None)
