"""The agent's end of a spoken call: what every voice harness implements, and what it may tell of the call."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from mivas.line import Role

if TYPE_CHECKING:
    from mivas.harness._desk import Desk
    from mivas.line.spoken import Pcm, Playout

Spawn: TypeAlias = Callable[[Coroutine[Any, Any, None]], object]
"""Starts work on the call's loop. What it raises ends the call; it is cancelled when the call ends."""


class AgentSink(Protocol):
    """What the agent's end tells of the call besides its sound."""

    def agent_heard(self, text: str) -> None:
        """The agent took a turn of the caller's and made this of it."""

    def interrupted(self, by: Role, at_ms: int) -> None:
        """One side's speech was cut by the other's."""

    def agent_hangs_up(self, reason: str) -> None:
        """The agent's last words were heard; the line is dead."""

    def agent_lost(self, reason: str) -> None:
        """There is no agent any more, through no fault of the model's: the call is VOID."""

    def out_ms(self) -> int:
        """Up to when sound has left, on the call's clock: what is cut now is cut from there on."""


class VoiceAgent(Protocol):
    """The agent's end of one call."""

    playout: Playout

    def answer(self) -> None:
        """Pick up. Doesn't block; the line begins to carry sound with it."""

    def hear(self, frame: Pcm, t_ms: int) -> None:
        """Take the 20 ms that arrive at `t_ms`: int16, mono, 16 kHz. Doesn't block."""

    async def aclose(self) -> None:
        """Free everything. Called once, also after a failure; doesn't raise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteCall:
    """What an agent that runs elsewhere is told of a call, and what its end tells back."""

    call_id: str
    tools_url: str
    """`{base}/calls/{token}`: `/tools/{name}` and `/tool_calls` stand below it (runtime.md 8.8)."""
    accepted: Callable[[int, bool], None]
    """The agent picked up: ms on the call's clock, and whether it says that it reports every transfer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLine:
    """What a voice harness gets of a call."""

    desk: Desk
    playout: Playout
    sink: AgentSink
    spawn: Spawn
    told: Playout | None = None
    """The caller's mouth, for agents that know the answers and are told what was said; None for every other."""
    remote: RemoteCall | None = None
    """For a harness that works elsewhere; others have their tools at the desk."""


class VoiceHarness(Protocol):
    """A harness whose agents hear and speak by themselves: `voice` is among its modes."""

    def pick_up(self, line: AgentLine) -> VoiceAgent:
        """Take one spoken call. Doesn't block."""
