"""Kinds of caller, found by entry point `mivas.callers` (formats.md 7): what a run asks for and gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from mivas.caller._decision import Ending
from mivas.pack import CallerFile
from mivas.plug_ins import load_plug_in

GROUP = "mivas.callers"

OccurrenceMode: TypeAlias = Literal["always", "once", "nth"]


class CallerLost(Exception):
    """A caller's own engine is gone, such as the model that words it. The trial is VOID: no fault of the agent's."""


class CallerBroke(Exception):
    """The caller's own mind, engine, voice or ears failed, which is no fault of the agent's. The cause says how."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """How often a locked reply may come (scoring.md 8.3)."""

    mode: OccurrenceMode = "always"
    n: int = 1
    """For mode `nth`: on which turn that matches, 1 for the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerBrief:
    """Everything a caller may know of its task: no lock, no solution, no meta trait."""

    name: str
    intent: str
    traits: Mapping[str, str]
    locked_replies: Sequence[str]
    """Texts of the task's pins, in file order."""
    occurrences: Sequence[Occurrence] = ()
    """How often each of them may come, in the same order; none given: always."""
    situations: Sequence[str] = ()
    """When each of them is called for, in the task's own words and the same order."""
    program: CallerFile
    approximate: bool
    """Whether the program was guessed from the public task, so that its results aren't comparable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the caller says next."""

    text: str
    ending: Ending | None = None
    """Why the caller hangs up after these words; None while it stays."""
    notes: tuple[str, ...] = ()
    """For the call's log: how it came to these words."""

    @property
    def hangs_up(self) -> bool:
        return self.ending is not None


class Caller(Protocol):
    """One simulated person in one call."""

    def reply(self, heard_text: str, now_ms: int) -> Reply:
        """Answer the agent's latest words; "" when nothing was heard for `patience_ms`, or the agent passed its turn.

        `now_ms` is call-clock time. Takes no call time, so it may block. Raises CallerLost.
        """

    def patience_ms(self, now_ms: int) -> int:
        """How long it will now listen to a silent line, 1 or more, before it speaks up or hangs up by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallerEndpoint:
    """Where the model behind a caller is reached, for kinds that have one."""

    model: str | None = None
    base_url: str | None = None
    api_key: str | None = field(default=None, repr=False)


class CallerKind(Protocol):
    """What an entry point's factory returns: makes the callers of a run."""

    name: str
    revision: str
    model: str | None
    """Model that words or decides; None for a caller without one."""

    def phone(self, brief: CallerBrief, seed: int) -> Caller:
        """A caller for one call. The same brief and seed make one that behaves the same."""


class CallerFactory(Protocol):
    """The object that an entry point names."""

    def __call__(self, endpoint: CallerEndpoint) -> CallerKind:
        """Raises InputError for an endpoint that lacks what the kind needs, or has what it can't use."""


def load_caller(name: str, endpoint: CallerEndpoint | None = None) -> CallerKind:
    """The kind of caller called `name`, and no other plug-in. Raises UnknownName, InputError."""
    factory: CallerFactory = load_plug_in(GROUP, name, "caller")
    return factory(endpoint or CallerEndpoint())
