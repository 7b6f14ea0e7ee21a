"""What a caller brings into a call, what it took in, and what it keeps in mind. All values; nothing decides here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from mivas.caller._engine import Occurrence
from mivas.caller._heard import Heard, KnownFact
from mivas.pack import CallerFile

Counts: TypeAlias = Mapping[str, int]


def _none() -> Counts:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What doesn't change in a call."""

    program: CallerFile
    locked_replies: Sequence[str] = ()
    """Texts of the task's pins, in file order."""
    occurrences: Sequence[Occurrence] = ()
    """Of the pins, in the same order; none given: always."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTurn:
    """One turn of the agent's as the caller took it in."""

    heard: Heard
    words: str
    """In lower case without punctuation, to know them again; "" for silence."""
    asks_spelling: bool = False

    @property
    def is_silent(self) -> bool:
        return not self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a caller keeps in mind between turns."""

    facts: tuple[KnownFact, ...]
    """As they are now, after changes of mind."""
    turn: int = 0
    has_opened: bool = False
    met: frozenset[str] = frozenset()
    """Goals."""
    parts: Mapping[str, frozenset[int]] = field(default_factory=lambda: MappingProxyType({}))
    """Goal -> parts of its `all` that earlier turns met."""
    asked: Counts = field(default_factory=_none)
    """Goal -> how many of its `ask` wordings were used."""
    stated: Counts = field(default_factory=_none)
    """Fact -> how often it was said on request."""
    last_stated: str | None = None
    refused: Counts = field(default_factory=_none)
    """Offer -> how often it was declined."""
    matched: Counts = field(default_factory=_none)
    """Index of a pin as text -> turns in which its situation came up."""
    unknown: frozenset[str] = frozenset()
    """Questions that the caller already said it can't answer."""
    didnt_catch: int = 0
    """In a row."""
    idle_turns: int = 0
    """Turns in a row that led nowhere."""
    recent_words: tuple[str, ...] = ()
    """The agent's last turns."""
    quiet_since_ms: int = 0
    """When the agent was last heard, on the call's clock."""


def one_more(counts: Counts, keys: Iterable[str]) -> Counts:
    """The counts with each of the keys once more."""
    changed = dict(counts)
    for key in keys:
        changed[key] = changed.get(key, 0) + 1
    return MappingProxyType(changed)
