"""What a site is made from. Everything is handed in: the site reads no run folder and judges no call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mivas.pack import Pack, Task
from mivas.report._conversation import Conversation


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCall:
    """One call with all that its page shows."""

    conversation: Conversation
    met_by: Sequence[str | None] | None = None
    """For each expected call in lock order the `call_ref` that met it, None where none did; None: not known."""
    audio: Path | None = None
    """Two channels, left the caller's, right the agent's; a sample's place is the time it was said at."""
    evidence: Mapping[str, Path] = field(default_factory=dict)
    """Files to download, by the name they get."""
    lost: str | None = None
    """Why some of its evidence isn't shown."""
    ended: bool = True
    """Whether the call is over; a call in progress has neither verdict nor record yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRun:
    """One run folder."""

    name: str
    """Short and unique within the site; stands in addresses."""
    manifest: Mapping[str, Any]
    """`run.json`."""
    calls: Iterable[SiteCall]
    """In plan order. Walked once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePack:
    """One industry."""

    pack: Pack
    tasks: Mapping[str, Task]
    suite: str
    suite_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HarnessCard:
    """What is known of a harness."""

    name: str
    revision: str
    capabilities: Mapping[str, Any]
    details: Mapping[str, str] = field(default_factory=dict)
    """Transport, realisation of the graph, history, limits, certificate: heading to words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedExample:
    """A small call beside its lock, and what the verifier says of it."""

    title: str
    lesson: str
    expected: Sequence[str]
    actual: Sequence[str]
    verdict: Mapping[str, Any]
    """As a line of `verdicts.jsonl`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteMaterial:
    """A whole site."""

    runs: Sequence[SiteRun]
    packs: Sequence[SitePack]
    probes: Sequence[Mapping[str, Any]] = ()
    """Documents of `mivas probe --json`."""
    harnesses: Sequence[HarnessCard] = ()
    examples: Sequence[WorkedExample] = ()
    live: bool = False
    """Whether the pages ask again for what has happened since: for a site that is served, not kept."""
