"""What every harness promises, and how one is found by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Literal, Protocol, TypeAlias

from mivas.errors import UnknownName
from mivas.harness._desk import Desk

ENTRY_POINT_GROUP = "mivas.harnesses"


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a harness can do, as data for the runner and for `run.json`."""

    modes: tuple[Literal["text", "voice"], ...]
    clock: Literal["virtual", "real"]
    """virtual: answers in no time of its own and may run on a clock that jumps."""
    knows_answers: bool = False
    """Offline agents that are shown the task; they prove a suite and never stand on a leaderboard."""
    reports_handoffs: bool = True
    """Whether silence about transfers means that there was none."""


class TextAgent(Protocol):
    """The agent's mind in one text call. One instance per call."""

    async def turn(self, heard: str | None) -> str:
        """Take what the caller said last and return what to say now; "" says nothing.

        Called first with None when the agent opens the call, else with the caller's first words. Tools are used
        through the desk before returning. When the desk has hung up, the returned words are the last ones.
        """

    async def aclose(self) -> None:
        """Free everything. Called once, also after a failure; doesn't raise."""


class Harness(Protocol):
    """The adapter between an agent and a pack. Built once per run, answers many calls."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str:
        """Changes whenever behaviour may change."""

    @property
    def capabilities(self) -> Capabilities: ...

    def answer(self, desk: Desk) -> TextAgent:
        """Take one call. Doesn't block."""


HarnessFactory: TypeAlias = Callable[[str | None], Any]
"""What an entry point names: takes the text after the colon in `name:argument`, or None."""


def known_harnesses() -> tuple[str, ...]:
    """Names of the installed harnesses, sorted. Imports none of them."""
    return tuple(sorted({entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)}))


def load_harness(name: str) -> Any:
    """Build the harness called `name` or `name:argument`, importing no other plug-in.

    Returns a Harness, or for agents that know the answers an object with `answer_knowing` in place of `answer`.
    Raises UnknownName with the known ones.
    """
    wanted, _, argument = name.partition(":")
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        if entry.name == wanted:
            try:
                factory: HarnessFactory = entry.load()
            except Exception as error:
                # A plug-in is foreign code: whatever its import raises is told as its distribution's defect.
                raise UnknownName(
                    f"harness {wanted!r} can't be imported ({type(error).__name__}: {error})",
                    where=f"distribution {entry.dist.name if entry.dist else 'unknown'}",
                    mend="install what it needs; `mivas doctor` tells",
                ) from error
            return factory(argument or None)
    raise UnknownName(f"no harness {wanted!r}", where="--harness", mend=f"choose from {', '.join(known_harnesses())}")
